/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ticks, pressure and the rarer rules do to a pageset, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pcp_fixture.h"
#include "sim_state.h"

static const char *const tuned[] = {"6.8", "6.12.0", "6.18.2", "6.19", "7.1.3"};
#define TUNED (sizeof(tuned) / sizeof(*tuned))

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
	pcp_zone(&c, LO, MX);
	c.hpage_order = 9;
	pcp_expect_drains(pcp_filled(&c, "6.12.0", 9, 15), 15, whole, 4);
	pcp_expect_drains(pcp_filled(&c, "6.18.26", 9, 15), 15, whole, 4);
	pcp_expect_drains(pcp_filled(&c, "6.19", 9, 16), 16, chunked, 4);
	pcp_expect_drains(pcp_filled(&c, "7.1.3", 9, 16), 16, chunked, 4);
}

static void high_decays_by_an_eighth_each_tick(void **state)
{
	static const int want[] = {8750, 7657, 6700, 5863};
	struct zl_sim_config c;

	(void)state;
	pcp_zone(&c, ZL_SIM_COMPUTED, MX);
	c.wmark_low = 10000;
	for (size_t i = 0; i < TUNED; i++) {
		struct zl_sim *sim = pcp_filled(&c, tuned[i], 0, 1);
		unsigned ticks = 0;
		struct zl_record r;

		pcp_set(sim, ZL_SIM_WMARK_LOW, LO);
		do {
			pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
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
		pcp_op(sim, ZL_OP_FREE, 0, id, &r);
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
	pcp_zone(&c, ZL_SIM_COMPUTED, MX);
	c.wmark_low = 3000;
	sim = pcp_filled(&c, "6.12.0", 3, 300);
	pcp_set(sim, ZL_SIM_WMARK_LOW, LO);
	pcp_set(sim, ZL_SIM_BELOW_HIGH, 1);
	expect_drains_without_flush(sim, 300, below, 4);
	sim = pcp_filled(&c, "6.12.0", 3, 120);
	pcp_set(sim, ZL_SIM_WMARK_LOW, LO);
	pcp_set(sim, ZL_SIM_RECLAIM, 1);
	expect_drains_without_flush(sim, 120, reclaim, 4);
}

/* Before 6.7 as well: with 4 x 63 pages parked each free of 63 more goes on. */
static void reclaim_lowers_a_fixed_limit_to_four_batches(void **state)
{
	static const struct drain_at want[] = {
		{252, 63, 0},
	};
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	pcp_zone(&c, LO, MX);
	sim = pcp_filled(&c, "6.1.192", 0, 260);
	pcp_set(sim, ZL_SIM_RECLAIM, 1);
	pcp_expect_drains(sim, 260, want, 1);
}

/* A CPU that is gone leaves its share to the others: 3000 pages of low for one CPU, not for two. */
static void limits_are_shared_by_the_cpus_that_are_online(void **state)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	pcp_zone(&c, ZL_SIM_COMPUTED, MX);
	c.wmark_low = 3000;
	c.cpus = 2;
	c.limit_cpus = 0;
	sim = script_sim(&c, "6.12.0");
	assert_int_equal(1500, sim->pcp[0].high_min);
	script_did(sim, (struct zl_op){.kind = ZL_OP_OFFLINE, .arg = 1});
	assert_int_equal(3000, sim->pcp[0].high_min);
	script_did(sim, (struct zl_op){.kind = ZL_OP_ONLINE, .arg = 1});
	assert_int_equal(1500, sim->pcp[0].high_min);
	zl_sim_free(sim);
	/* A node that has lost its only CPU is divided by all that are left. */
	c.cpus = 4;
	c.local_first = 3;
	c.local_cpus = 1;
	c.limit_cpus = 1;
	sim = script_sim(&c, "6.12.0");
	assert_int_equal(3000, sim->pcp[0].high_min);
	script_did(sim, (struct zl_op){.kind = ZL_OP_OFFLINE, .arg = 3});
	assert_int_equal(1000, sim->pcp[0].high_min);
	zl_sim_free(sim);
}

static void an_order_0_free_interrupts_a_run_and_an_allocation_does_not(void **state)
{
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct zl_record r;

	(void)state;
	pcp_zone(&c, LO, MX);
	for (unsigned kind = 0; kind < 3; kind++) {
		sim = pcp_filled(&c, "6.12.0", 3, 40);
		pcp_op(sim, ZL_OP_ALLOC, 0, 100, &r);
		pcp_op(sim, ZL_OP_DRAIN, 0, 0, &r);
		for (unsigned id = 1; id <= 16; id++) {
			sim->pcp[0].prev_free_high_order = false;
			pcp_op(sim, ZL_OP_FREE, 0, id, &r);
		}
		/* free_count 128, two batches: the next free flushes unless something is between. */
		assert_int_equal(1, r.flags & 1);
		if (kind == 1) {
			pcp_op(sim, ZL_OP_FREE, 0, 100, &r);
			assert_int_equal(0, r.flags & 1);
		} else if (kind == 2) {
			pcp_op(sim, ZL_OP_ALLOC, 0, 101, &r);
			assert_int_equal(64, r.free_count);
		}
		pcp_op(sim, ZL_OP_FREE, 0, 17, &r);
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
		pcp_op(sim, ZL_OP_FREE, 0, 1, &r);
		pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(2, r.expire);
		pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(1, r.expire);
		pcp_op(sim, ZL_OP_FREE, 0, 3, &r);
		pcp_op(sim, ZL_OP_FREE, 0, 5, &r);
		script_op(sim, ZL_OP_ALLOC, 5, ZL_MIGRATE_MOVABLE, 9);
		assert_int_equal(128, zl_sim_id_pfn(sim, 9));
		pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
		assert_int_equal(want[i].blocks ? 2 : 0, r.expire);
		assert_int_equal(want[i].blocks ? 0 : 31, r.drained);
		pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
		pcp_op(sim, ZL_OP_TICK, 0, 0, &r);
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
		pcp_op(sim, ZL_OP_FREE, 0, 1, &r);
		assert_int_equal(want[i].first, r.high);
		pcp_op(sim, ZL_OP_FREE, 0, 2, &r);
		assert_int_equal(want[i].second, r.high);
		zl_sim_free(sim);
	}
}

static void without_smp_the_newest_kernel_keeps_no_pagesets(void **state)
{
	struct zl_sim_config c;
	struct zl_record r;

	(void)state;
	pcp_zone(&c, LO, MX);
	c.smp = false;
	for (unsigned i = 0; i < 2; i++) {
		struct zl_sim *sim = script_sim(&c, i == 0 ? "7.0" : "7.1.3");

		pcp_op(sim, ZL_OP_ALLOC, 0, 1, &r);
		assert_int_equal(i == 0 ? ZL_RESULT_REFILL : ZL_RESULT_BUDDY, r.result);
		assert_int_equal(i == 0 ? 62 : 0, r.count);
		pcp_op(sim, ZL_OP_FREE, 0, 1, &r);
		assert_int_equal(i == 0 ? ZL_RESULT_PCP : ZL_RESULT_BUDDY, r.result);
		if (i == 1) {
			assert_int_equal(ZL_REASON_FREE_DIRECT_NO_PAGESETS, r.reason);
			/* List 0 is that of unmovable pages; no order 4 has a list at all. */
			r = script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOC, .id = 5});
			assert_int_equal(ZL_REASON_ALLOC_DIRECT_NO_PAGESETS, r.reason);
			r = script_did(
				sim, (struct zl_op){.kind = ZL_OP_ALLOC, .order = 4, .id = 6});
			assert_int_equal(ZL_REASON_ALLOC_DIRECT_ORDER, r.reason);
		}
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

		pcp_zone(&c, LO, MX);
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
		cmocka_unit_test(chunks_empty_a_pageset_of_huge_pages),
		cmocka_unit_test(high_decays_by_an_eighth_each_tick),
		cmocka_unit_test(pressure_lowers_the_limit),
		cmocka_unit_test(reclaim_lowers_a_fixed_limit_to_four_batches),
		cmocka_unit_test(limits_are_shared_by_the_cpus_that_are_online),
		cmocka_unit_test(an_order_0_free_interrupts_a_run_and_an_allocation_does_not),
		cmocka_unit_test(free_pages_in_whole_blocks_rearm_the_countdown),
		cmocka_unit_test(a_lower_limit_above_the_upper_one_is_clamped_as_the_release_does),
		cmocka_unit_test(without_smp_the_newest_kernel_keeps_no_pagesets),
		cmocka_unit_test(the_first_releases_drain_their_lists_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
