/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequences of the pageset's rules, worked out by hand: refill sizes, drains, flushes, decay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "script.h"
#include "sim_state.h"

#define BIG_MANAGED 16777216u
#define BIG_PAGES   1048576u
#define LO	    576
#define MX	    65536
#define SLICE_1M    (1u << 20)

/* A zone with room: batch 63, THP of order 9, limits as given. */
static void big_zone(struct zl_sim_config *c, int high_min, int high_max)
{
	script_zone(c, 10, 9, BIG_PAGES);
	c->managed = BIG_MANAGED;
	c->batch = ZL_SIM_COMPUTED;
	c->high_min = high_min;
	c->high_max = high_max;
	c->thp = true;
}

static void set(struct zl_sim *sim, enum zl_sim_key key, uint32_t value)
{
	struct zl_op op = {.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = value};

	assert_int_equal(0, zl_sim_apply(sim, &op));
}

static void op(struct zl_sim *sim, enum zl_op_kind kind, unsigned order, unsigned id,
	struct zl_record *ret)
{
	const struct zl_op o = {.kind = (uint8_t)kind, .order = (uint8_t)order, .id = id};

	assert_int_equal(0, zl_sim_apply(sim, &o));
	zl_sim_record(sim, ret);
}

/*
 * Blocks 1 .. n in use, pagesets empty, nothing counted, high at its start: the zone counts as
 * below its high watermark meanwhile, so that refills do not raise high.
 */
static struct zl_sim *filled(
	const struct zl_sim_config *c, const char *release, unsigned order, unsigned n)
{
	struct zl_sim *sim = script_sim(c, release);
	struct zl_record r;

	set(sim, ZL_SIM_BELOW_HIGH, 1);
	for (unsigned id = 1; id <= n; id++) {
		op(sim, ZL_OP_ALLOC, order, id, &r);
		assert_true(r.pfn >= 0);
	}
	op(sim, ZL_OP_DRAIN, 0, 0, &r);
	set(sim, ZL_SIM_BELOW_HIGH, 0);
	return sim;
}

/* A free that drains: its number, pages drained, high afterwards (0 = any). */
struct drain_at {
	unsigned n, pages;
	int high;
};

/* Frees 1 .. n in order; exactly these drain. */
static void expect_drains(struct zl_sim *sim, unsigned n, const struct drain_at *want, size_t count)
{
	size_t k = 0;

	for (unsigned id = 1; id <= n; id++) {
		struct zl_record r;

		op(sim, ZL_OP_FREE, 0, id, &r);
		if (k < count && id == want[k].n) {
			assert_int_equal(want[k].pages, r.drained);
			assert_true(want[k].high == 0 || want[k].high == r.high);
			k++;
		} else if (r.drained != 0) {
			fail_msg("free %u drained %u pages", id, r.drained);
		}
	}
	assert_int_equal(count, k);
	zl_sim_free(sim);
}

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
	big_zone(&c, LO, MX);
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = script_sim(&c, tuned[i]);
		size_t k = 0;

		for (unsigned id = 1; id <= 3970; id++) {
			struct zl_record r;

			op(sim, ZL_OP_ALLOC, 0, id, &r);
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
	big_zone(&c, LO, MX);
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = script_sim(&c, tuned[i]);
		size_t k = 0;
		struct zl_record r;

		set(sim, ZL_SIM_BELOW_HIGH, 1);
		for (unsigned id = 1; k < 6; id++) {
			op(sim, ZL_OP_ALLOC, 0, id, &r);
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

		big_zone(&c, LO, MX);
		c.batch = want[row].batch;
		sim = script_sim(&c, releases[k / 30]);
		op(sim, ZL_OP_ALLOC, orders[k % 5], 1, &r);
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
	big_zone(&c, LO, MX);
	for (size_t i = 1; i < 3; i++) {
		expect_drains(filled(&c, tuned[i], 0, 2400), 2400, tuned_want, 3);
	}
	expect_drains(filled(&c, "5.19", 0, 2400), 2400, fixed_want, 6);
	expect_drains(filled(&c, "6.6.63", 0, 2400), 2400, fixed_want, 6);
}

/* The number of the first flush in a stream of frees of one order, and pages that it drained. */
static unsigned first_flush(
	const struct zl_sim_config *c, const char *release, unsigned order, struct zl_record *ret)
{
	const unsigned most = 700;
	struct zl_sim *sim = filled(c, release, order, most);
	unsigned id = 1;

	for (; id <= most; id++) {
		op(sim, ZL_OP_FREE, 0, id, ret);
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
	big_zone(&c, LO, MX);
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
	big_zone(&c, 5523, 53248);
	expect_drains(filled(&c, "6.18.2", 3, 1300), 1300, want, 3);
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
	big_zone(&c, LO, MX);
	expect_drains(filled(&c, "5.15", 3, 300), 300, want, 6);
}

/* After the first flush: alone without the cache-slice flag, a batch at a time with it. */
static void a_large_cache_slice_makes_flushes_wait_for_a_batch(void **state)
{
	struct zl_sim_config c;

	(void)state;
	big_zone(&c, LO, MX);
	for (unsigned slice = 0; slice < 2; slice++) {
		struct zl_sim *sim;
		unsigned pages = slice == 0 ? 8 : 64;
		unsigned every = pages / 8;

		c.cache_slice = slice == 0 ? 0 : SLICE_1M;
		sim = filled(&c, "6.12.0", 3, 100);
		for (unsigned id = 1; id <= 100; id++) {
			struct zl_record r;
			bool due = id >= 9 && (id - 9) % every == 0;

			op(sim, ZL_OP_FREE, 0, id, &r);
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
			op(sim, ZL_OP_ALLOC, 3, id, &r);
		}
		for (unsigned id = 0; id < burst; id++) {
			op(sim, ZL_OP_FREE, 0, id, &r);
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
	big_zone(&c, LO, MX);
	c.cache_slice = SLICE_1M;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		assert_int_equal(want[i].a, flushes_per_cycle(&c, "6.6.63", want[i].burst));
		assert_int_equal(want[i].b, flushes_per_cycle(&c, "6.12.0", want[i].burst));
		assert_int_equal(want[i].c, flushes_per_cycle(&c, "6.18.2", want[i].burst));
		assert_int_equal(want[i].c, flushes_per_cycle(&c, "6.19", want[i].burst));
	}
}

static void chunks_empty_a_pageset_of_huge_pages(void **state)
{
	static const struct drain_at whole[] = {
		{2,  1024, 0},
		      {5,  1024, 0},
		    {9,	2048, 0},
		  {13, 2048, 0}
	       };
	static const struct drain_at chunked[] = {
		{2,  1024, 0},
		      {5,  1536, 0},
		    {10, 2560, 0},
		   {15, 2560, 0}
	};
	struct zl_sim_config c;

	(void)state;
	big_zone(&c, LO, MX);
	c.hpage_order = 9;
	expect_drains(filled(&c, "6.12.0", 9, 15), 15, whole, 4);
	expect_drains(filled(&c, "6.18.26", 9, 15), 15, whole, 4);
	expect_drains(filled(&c, "6.19", 9, 16), 16, chunked, 4);
	expect_drains(filled(&c, "7.1.3", 9, 16), 16, chunked, 4);
}

static void high_decays_by_an_eighth_each_tick(void **state)
{
	static const int want[] = {8750, 7657, 6700, 5863};
	struct zl_sim_config c;

	(void)state;
	big_zone(&c, ZL_SIM_COMPUTED, MX);
	c.wmark_low = 10000;
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = filled(&c, tuned[i], 0, 1);
		unsigned ticks = 0;
		struct zl_record r;

		set(sim, ZL_SIM_WMARK_LOW, LO);
		do {
			op(sim, ZL_OP_TICK, 0, 0, &r);
			if (ticks < 4) {
				assert_int_equal(want[ticks], r.high);
			}
			ticks++;
		} while (r.high > LO && ticks < 100);
		assert_int_equal(LO, r.high);
		assert_int_equal(22, ticks);
		zl_sim_free(sim);
	}
}

/* Frees in a row with free_high kept from firing: the flag of the previous free is cleared. */
static void expect_drains_without_flush(
	struct zl_sim *sim, unsigned n, const struct drain_at *want, size_t count)
{
	size_t k = 0;

	for (unsigned id = 1; id <= n; id++) {
		struct zl_record r;

		sim->pcp[0].prev_free_high_order = false;
		op(sim, ZL_OP_FREE, 0, id, &r);
		assert_int_equal(k < count && id == want[k].n ? want[k].pages : 0, r.drained);
		if (r.drained > 0) {
			assert_true(want[k].high == 0 || want[k].high == r.high);
			k++;
		}
		sim->below_high = !sim->reclaim;
	}
	assert_int_equal(count, k);
	zl_sim_free(sim);
}

static void pressure_lowers_the_limit(void **state)
{
	static const struct drain_at below[] = {
		{72,  520, LO},
		       {137, 520, LO},
		       {202, 520, LO},
		       {267, 520, LO}
	     };
	static const struct drain_at reclaim[] = {
		{32,  192, 0},
		      {56,  192, 0},
		    {80,	 192, 0},
		  {104, 192, 0}
	       };
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	big_zone(&c, ZL_SIM_COMPUTED, MX);
	c.wmark_low = 3000;
	sim = filled(&c, "6.12.0", 3, 300);
	set(sim, ZL_SIM_WMARK_LOW, LO);
	set(sim, ZL_SIM_BELOW_HIGH, 1);
	expect_drains_without_flush(sim, 300, below, 4);
	sim = filled(&c, "6.12.0", 3, 120);
	set(sim, ZL_SIM_WMARK_LOW, LO);
	set(sim, ZL_SIM_RECLAIM, 1);
	expect_drains_without_flush(sim, 120, reclaim, 4);
}

static void an_order_0_free_interrupts_a_run_and_an_allocation_does_not(void **state)
{
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct zl_record r;

	(void)state;
	big_zone(&c, LO, MX);
	for (unsigned kind = 0; kind < 3; kind++) {
		sim = filled(&c, "6.12.0", 3, 40);
		op(sim, ZL_OP_ALLOC, 0, 100, &r);
		op(sim, ZL_OP_DRAIN, 0, 0, &r);
		for (unsigned id = 1; id <= 16; id++) {
			sim->pcp[0].prev_free_high_order = false;
			op(sim, ZL_OP_FREE, 0, id, &r);
		}
		/* free_count 128, two batches: the next free flushes unless something is between. */
		assert_int_equal(1, r.flags & 1);
		if (kind == 1) {
			op(sim, ZL_OP_FREE, 0, 100, &r);
			assert_int_equal(0, r.flags & 1);
		} else if (kind == 2) {
			op(sim, ZL_OP_ALLOC, 0, 101, &r);
			assert_int_equal(64, r.free_count);
		}
		op(sim, ZL_OP_FREE, 0, 17, &r);
		assert_int_equal(kind != 1, r.free_high);
		zl_sim_free(sim);
	}
}

static void free_pages_in_whole_blocks_rearm_the_countdown(void **state)
{
	static const struct {
		const char *release;
		bool blocks;
	} want[] = {
		{"6.1-rc7", false},
		    {"6.1.192", false},
		{"6.12.0",  false},
		   {"6.18.2",  true },
		{"6.19",	 true },
		{"7.1.3",	  true }
	       };

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		static const unsigned pfns[] = {32, 48, 64, 80, 96};
		struct zl_sim_config c;
		struct zl_sim *sim;
		struct zl_record r;

		script_zone(&c, 6, 5, 256);
		c.managed = 100000;
		c.batch = ZL_SIM_COMPUTED;
		c.high_min = ZL_SIM_COMPUTED;
		c.high_max = ZL_SIM_COMPUTED;
		c.node_local = false;
		sim = script_sim(&c, want[i].release);
		script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_MOVABLE, 1);
		zl_sim_record(sim, &r);
		assert_int_equal(31, r.refill_got);
		assert_int_equal(0, r.pfn);
		for (unsigned id = 2; id <= 6; id++) {
			script_op(sim, ZL_OP_ALLOC, 4, ZL_MIGRATE_MOVABLE, id);
			assert_int_equal(pfns[id - 2], zl_sim_id_pfn(sim, id));
		}
		op(sim, ZL_OP_FREE, 0, 1, &r);
		op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(2, r.expire);
		op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(1, r.expire);
		op(sim, ZL_OP_FREE, 0, 3, &r);
		op(sim, ZL_OP_FREE, 0, 5, &r);
		script_op(sim, ZL_OP_ALLOC, 5, ZL_MIGRATE_MOVABLE, 9);
		assert_int_equal(128, zl_sim_id_pfn(sim, 9));
		op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(want[i].blocks ? 2 : 0, r.expire);
		assert_int_equal(want[i].blocks ? 0 : 31, r.drained);
		op(sim, ZL_OP_TICK, 0, 0, &r);
		op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(0, r.count);
		assert_true(r.expire == 0 || r.expire == 3);
		zl_sim_free(sim);
	}
}

static void a_lower_limit_above_the_upper_one_is_clamped_as_the_release_does(void **state)
{
	static const struct {
		const char *release;
		int first, second;
	} want[] = {
		{"6.1.192", 1500, 1500},
		 {"6.12.0",  1500, 512 },
		{"6.18.2",  1500, 512 },
		{"7.1.3",	  1500, 512 }
	    };

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct zl_op cpu = {.kind = ZL_OP_CPU, .arg = 1};
		struct zl_sim_config c;
		struct zl_sim *sim;
		struct zl_record r;

		script_zone(&c, 10, 9, 8192);
		c.managed = 8192;
		c.cpus = 2;
		c.wmark_low = 3000;
		c.batch = ZL_SIM_COMPUTED;
		c.high_min = ZL_SIM_COMPUTED;
		c.high_max = ZL_SIM_COMPUTED;
		sim = script_sim(&c, want[i].release);
		script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_MOVABLE, 1);
		script_op(sim, ZL_OP_ALLOC, 0, ZL_MIGRATE_MOVABLE, 2);
		zl_sim_record(sim, &r);
		assert_int_equal(i == 0 ? 1500 : 512, r.high);
		assert_int_equal(0, zl_sim_apply(sim, &cpu));
		op(sim, ZL_OP_FREE, 0, 1, &r);
		assert_int_equal(want[i].first, r.high);
		op(sim, ZL_OP_FREE, 0, 2, &r);
		assert_int_equal(want[i].second, r.high);
		zl_sim_free(sim);
	}
}

static void without_smp_the_newest_kernel_keeps_no_pagesets(void **state)
{
	struct zl_sim_config c;
	struct zl_record r;

	(void)state;
	big_zone(&c, LO, MX);
	c.smp = false;
	for (unsigned i = 0; i < 2; i++) {
		struct zl_sim *sim = script_sim(&c, i == 0 ? "7.0" : "7.1.3");

		op(sim, ZL_OP_ALLOC, 0, 1, &r);
		assert_int_equal(i == 0 ? ZL_RESULT_REFILL : ZL_RESULT_BUDDY, r.result);
		assert_int_equal(i == 0 ? 62 : 0, r.count);
		op(sim, ZL_OP_FREE, 0, 1, &r);
		assert_int_equal(i == 0 ? ZL_RESULT_PCP : ZL_RESULT_BUDDY, r.result);
		zl_sim_free(sim);
	}
}

struct gives {
	uint32_t pfn[64];
	size_t n;
};

static void note_give(void *user, const struct zl_sim *sim, const struct zl_event *e)
{
	struct gives *g = user;

	(void)sim;
	if (e->kind == ZL_EVENT_GIVE && g->n < 64) {
		g->pfn[g->n++] = e->pfn;
	}
}

/* Lists 0, 1 and 2 hold three pages each, ids 1-3, 4-6, 7-9; the oldest is the first freed. */
static void the_first_releases_drain_their_lists_in_turn(void **state)
{
	static const unsigned in_turn[] = {4, 7, 1, 2, 3, 5, 6, 8, 9};
	static const unsigned by_list[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const unsigned *want = i == 0 ? in_turn : by_list;
		struct gives g = {.n = 0};
		struct zl_observer o = {.event = note_give, .user = &g};
		struct zl_sim_config c;
		struct zl_sim *sim;
		int64_t pfn[10];

		big_zone(&c, LO, MX);
		sim = script_sim(&c, i == 0 ? "5.15" : "5.19");
		for (unsigned id = 1; id <= 9; id++) {
			script_op(sim, ZL_OP_ALLOC, 0, (id - 1) / 3, id);
			pfn[id] = zl_sim_id_pfn(sim, id);
		}
		script_op(sim, ZL_OP_DRAIN, 0, 0, 0);
		for (unsigned id = 1; id <= 9; id++) {
			script_op(sim, ZL_OP_FREE, 0, 0, id);
		}
		zl_sim_subscribe(sim, &o);
		script_op(sim, ZL_OP_DRAIN, 0, 0, 0);
		assert_int_equal(9, g.n);
		for (unsigned k = 0; k < 9; k++) {
			assert_int_equal(pfn[want[k]], g.pfn[k]);
		}
		zl_sim_unsubscribe(sim, &o);
		zl_sim_free(sim);
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
		cmocka_unit_test(chunks_empty_a_pageset_of_huge_pages),
		cmocka_unit_test(high_decays_by_an_eighth_each_tick),
		cmocka_unit_test(pressure_lowers_the_limit),
		cmocka_unit_test(an_order_0_free_interrupts_a_run_and_an_allocation_does_not),
		cmocka_unit_test(free_pages_in_whole_blocks_rearm_the_countdown),
		cmocka_unit_test(a_lower_limit_above_the_upper_one_is_clamped_as_the_release_does),
		cmocka_unit_test(without_smp_the_newest_kernel_keeps_no_pagesets),
		cmocka_unit_test(the_first_releases_drain_their_lists_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
