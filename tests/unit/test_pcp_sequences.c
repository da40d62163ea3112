/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequences of the pageset's rules, worked out by hand: refill sizes, drains, flushes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pcp_fixture.h"

static const char *const tuned[] = {"6.8", "6.12.0", "6.18.2", "6.19", "7.1.3"};
#define TUNED (sizeof(tuned) / sizeof(*tuned))

static void order_0_refills_double_up_to_the_scale(void **state)
{
	static const struct {
		unsigned request, blocks;
		int high;
	} want[] = {
		{1,    63,	639 },
		      {64,   126,	765 },
		      {190,  252,	 1017},
		{442,  504,  1521},
		  {946,	1008, 2529},
		{1954, 2016, 4545},
		    {3970, 2016, 6561}
	      };
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = script_sim(&c, tuned[i]);
		size_t k = 0;

		for (unsigned id = 1; id <= 3970; id++) {
			struct zl_record r;

			pcp_op(sim, ZL_OP_ALLOC, 0, id, &r);
			if (r.refills > 0) {
				assert_int_equal(want[k].request, id);
				assert_int_equal(want[k].blocks, r.refill_got);
				assert_int_equal(want[k].high, r.high);
				k++;
			}
		}
		assert_int_equal(7, k);
		zl_sim_free(sim);
	}
}

static void below_the_high_watermark_refills_stay_within_high_min(void **state)
{
	static const unsigned want[] = {63, 126, 252, 504, 513, 513};
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = script_sim(&c, tuned[i]);
		size_t k = 0;
		struct zl_record r;

		pcp_set(sim, ZL_SIM_BELOW_HIGH, 1);
		for (unsigned id = 1; k < 6; id++) {
			pcp_op(sim, ZL_OP_ALLOC, 0, id, &r);
			if (r.refills > 0) {
				assert_int_equal(want[k], r.refill_req);
				assert_int_equal(LO, r.high);
				k++;
			}
		}
		assert_int_equal(4, r.alloc_factor);
		zl_sim_free(sim);
	}
}

static void a_refill_of_a_high_order_shares_the_batch(void **state)
{
	static const struct {
		int batch;
		unsigned blocks[5];
	} want[] = {
		{63, {63, 31, 15, 7, 2}},
		  {31, {31, 15, 7, 3, 2} },
		   {15, {15, 7, 3, 2, 2}	},
		{7,  {7, 3, 2, 2, 2}   },
		      {3,  {3, 2, 2, 2, 2}	 },
		    {1,	{1, 1, 1, 1, 1}   }
	};
	static const unsigned orders[] = {0, 1, 2, 3, 9};
	static const char *const releases[] = {"5.15", "5.19", "6.1.192", "6.12.0", "7.1.3"};

	(void)state;
	for (size_t k = 0; k < sizeof(releases) / sizeof(*releases) * 30; k++) {
		struct zl_sim_config c;
		struct zl_record r;
		struct zl_sim *sim;
		size_t row = k / 5 % 6;

		pcp_zone(&c, LO, MX);
		c.batch = want[row].batch;
		sim = script_sim(&c, releases[k / 30]);
		pcp_op(sim, ZL_OP_ALLOC, orders[k % 5], 1, &r);
		assert_int_equal(want[row].blocks[k % 5], r.refill_got);
		zl_sim_free(sim);
	}
}

static void frees_of_single_pages_drain_more_each_time(void **state)
{
	static const struct drain_at tuned_want[] = {
		{576,  513,  639 },
		 {1152, 576,  1215},
		    {2304, 1152, 2079}
	      };
	static const struct drain_at fixed_want[] = {
		{576,  63,  576},
		{639,  126, 576},
		 {765,  252, 576},
		  {1017, 504, 576},
		{1521, 513, 576},
		  {2034, 513, 576}
	  };
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	for (size_t i = 1; i < 3; i++) {
		pcp_expect_drains(pcp_filled(&c, tuned[i], 0, 2400), 2400, tuned_want, 3);
	}
	pcp_expect_drains(pcp_filled(&c, "5.19", 0, 2400), 2400, fixed_want, 6);
	pcp_expect_drains(pcp_filled(&c, "6.6.63", 0, 2400), 2400, fixed_want, 6);
}

/* The number of the first flush in a stream of frees of one order, and pages that it drained. */
static unsigned first_flush(
	const struct zl_sim_config *c, const char *release, unsigned order, struct zl_record *ret)
{
	const unsigned most = 700;
	struct zl_sim *sim = pcp_filled(c, release, order, most);
	unsigned id = 1;

	for (; id <= most; id++) {
		pcp_op(sim, ZL_OP_FREE, 0, id, ret);
		if (ret->free_high) {
			break;
		}
	}
	zl_sim_free(sim);
	return id <= most ? id : 0;
}

static void the_first_flush_comes_after_the_threshold(void **state)
{
	static const struct {
		const char *release;
		unsigned n[3], pages, locks;
	} want[] = {
		{"5.15",	 {0, 0, 0},	    0,   0},
		{"5.19",	 {289, 145, 73}, 520, 1},
		{"6.1.192",  {289, 145, 73}, 520, 1},
		{"6.6.63",   {289, 145, 73}, 520, 1},
		{"6.8",	{33, 17, 9},    72,	 1},
		{"6.12.0",   {33, 17, 9},	72,  1},
		{"6.12.117", {33, 17, 9},	  72,  1},
		{"6.18.2",   {177, 89, 45},  360, 1},
		{"6.18.26",  {177, 89, 45},  360, 1},
		{"6.19",	 {177, 89, 45},	360, 6},
		{"7.0",	{177, 89, 45},  360, 6},
		{"7.1.3",	  {177, 89, 45},	 360, 6},
	};
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	c.cache_slice = SLICE_1M;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct zl_record r;

		for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
			assert_int_equal(
				want[i].n[order - 1], first_flush(&c, want[i].release, order, &r));
		}
		if (want[i].pages > 0) {
			assert_int_equal(want[i].pages, r.drained);
			assert_int_equal(want[i].locks, r.zone_locks);
		}
	}
}

static void a_threshold_above_the_ceiling_never_flushes(void **state)
{
	static const struct drain_at want[] = {
		{691,  2016, 0},
		{943,  2016, 0},
		{1195, 2016, 0}
	       };
	struct zl_sim_config c;
	struct zl_record r;

	(void)state;
	pcp_zone(&c, 5523, 53248);
	pcp_expect_drains(pcp_filled(&c, "6.18.2", 3, 1300), 1300, want, 3);
	/* The A designs have no such ceiling. */
	assert_int_equal(692, first_flush(&c, "6.1.192", 3, &r));
	assert_int_equal(5472, r.drained);
}

static void the_first_design_overflows_without_ever_flushing(void **state)
{
	static const struct drain_at want[] = {
		{72,  64,	 0},
		     {80,  128, 0},
		   {96,	256, 0},
		 {128, 504, 0},
		{191, 520, 0},
		{256, 520, 0}
	     };
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	pcp_expect_drains(pcp_filled(&c, "5.15", 3, 300), 300, want, 6);
}

/* After the first flush: alone without the cache-slice flag, a batch at a time with it. */
static void a_large_cache_slice_makes_flushes_wait_for_a_batch(void **state)
{
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	for (unsigned slice = 0; slice < 2; slice++) {
		struct zl_sim *sim;
		unsigned pages = slice == 0 ? 8 : 64;
		unsigned every = pages / 8;

		c.cache_slice = slice == 0 ? 0 : SLICE_1M;
		sim = pcp_filled(&c, "6.12.0", 3, 100);
		for (unsigned id = 1; id <= 100; id++) {
			struct zl_record r;
			bool due = id >= 9 && (id - 9) % every == 0;

			pcp_op(sim, ZL_OP_FREE, 0, id, &r);
			assert_int_equal(due, r.free_high);
			assert_int_equal(id == 9 ? 72 : due ? pages : 0, r.drained);
		}
		zl_sim_free(sim);
	}
}

static unsigned flushes_per_cycle(
	const struct zl_sim_config *c, const char *release, unsigned burst)
{
	const unsigned cycles = 200;
	struct zl_sim *sim = script_sim(c, release);
	struct zl_totals t;
	struct zl_record r;

	for (unsigned i = 0; i < cycles; i++) {
		for (unsigned id = 0; id < burst; id++) {
			pcp_op(sim, ZL_OP_ALLOC, 3, id, &r);
		}
		for (unsigned id = 0; id < burst; id++) {
			pcp_op(sim, ZL_OP_FREE, 0, id, &r);
		}
	}
	zl_sim_totals(sim, &t);
	zl_sim_free(sim);
	return (unsigned)((t.free_high + cycles / 2) / cycles);
}

static void bursts_flush_beyond_a_cliff_that_depends_on_the_design(void **state)
{
	static const struct {
		unsigned burst, a, b, c;
	} want[] = {
		{1,  0,  0, 0},
		      {8,  0,  0, 0},
		    {9,	0,  1, 0},
		  {32, 0,  3, 0},
		 {44, 0,	 5, 0},
		{45, 0,	5, 1},
		       {64, 0,  7, 3},
		      {72, 5,  8, 4},
		     {80, 12, 9, 5}
	   };
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, LO, MX);
	c.cache_slice = SLICE_1M;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		assert_int_equal(want[i].a, flushes_per_cycle(&c, "6.6.63", want[i].burst));
		assert_int_equal(want[i].b, flushes_per_cycle(&c, "6.12.0", want[i].burst));
		assert_int_equal(want[i].c, flushes_per_cycle(&c, "6.18.2", want[i].burst));
		assert_int_equal(want[i].c, flushes_per_cycle(&c, "6.19", want[i].burst));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_0_refills_double_up_to_the_scale),
		cmocka_unit_test(below_the_high_watermark_refills_stay_within_high_min),
		cmocka_unit_test(a_refill_of_a_high_order_shares_the_batch),
		cmocka_unit_test(frees_of_single_pages_drain_more_each_time),
		cmocka_unit_test(the_first_flush_comes_after_the_threshold),
		cmocka_unit_test(a_threshold_above_the_ceiling_never_flushes),
		cmocka_unit_test(the_first_design_overflows_without_ever_flushing),
		cmocka_unit_test(a_large_cache_slice_makes_flushes_wait_for_a_batch),
		cmocka_unit_test(bursts_flush_beyond_a_cliff_that_depends_on_the_design),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
