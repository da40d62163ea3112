/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost estimate in figures worked out by hand: what a hold costs, who waits how long, phases,
 * warm-up, sums over time that grow.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "zonelab/estimate.h"
#include "zonelab/file.h"

#define NS INT64_C(1000)

struct world {
	struct zl_sim *sim;
	struct zl_estimate *e;
};

/* Two CPUs, refills of three blocks, costs as given. */
static struct world begin(const struct zl_costs *costs, const char *release)
{
	struct zl_estimate_options o = {.cpus = 2};
	struct zl_sim_config c;
	struct world w;

	script_zone(&c, 4, 4, 256);
	script_refill_3(&c);
	c.cpus = 2;
	w.sim = script_sim(&c, release);
	o.costs = *costs;
	assert_int_equal(0, zl_estimate_new(&o, zl_allocator_heap(), &w.e));
	zl_estimate_attach(w.e, w.sim);
	return w;
}

static void end(struct world *w)
{
	zl_estimate_detach(w->e, w->sim);
	zl_estimate_free(w->e);
	zl_sim_free(w->sim);
}

/* One op at its scripted time. */
static void at(struct world *w, uint32_t cpu, uint64_t t_ns, struct zl_op op)
{
	struct zl_scenario_op item = {.op = op, .cpu = cpu, .t_ns = t_ns};
	const struct zl_op here = {.kind = ZL_OP_CPU, .arg = cpu};

	assert_int_equal(0, zl_sim_apply(w->sim, &here));
	assert_int_equal(0, zl_sim_apply(w->sim, &op));
	assert_int_equal(0, zl_estimate_op(w->e, w->sim, &item));
}

static struct zl_op alloc(uint32_t id, uint8_t order)
{
	return (struct zl_op){.kind = ZL_OP_ALLOC, .order = order, .id = id};
}

static void costs_come_from_settings_and_the_lock_ones_are_multiplied(void **state)
{
	struct zl_settings s = {0};
	struct zl_costs c, d;

	(void)state;
	zl_costs_default(&d);
	zl_costs_of(&s, &c);
	assert_true(zl_costs_equal(&c, &d));
	assert_int_equal(0, zl_settings_assign(&s, "take_ns=40", ZL_ORIGIN_GIVEN, NULL));
	assert_int_equal(0, zl_settings_assign(&s, "lock_cost_percent=250", ZL_ORIGIN_GIVEN, NULL));
	zl_costs_of(&s, &c);
	assert_false(zl_costs_equal(&c, &d));
	assert_int_equal(100 * NS, zl_cost_ps(&c, ZL_COST_TAKE_NS));
	assert_int_equal(28 * NS, zl_cost_ps(&c, ZL_COST_HIT_NS));
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		const struct zl_cost_info *info = zl_cost_info((enum zl_cost)i);
		const struct zl_setting_info *set = zl_setting_info(info->setting);

		assert_true(info->dflt >= set->min && info->dflt <= set->max);
		assert_string_not_equal("", info->source);
		assert_int_equal(i, zl_cost_of_setting(info->setting));
	}
	assert_int_equal(ZL_COST_COUNT, zl_cost_of_setting(ZL_SET_KERNEL));
}

static void a_hold_costs_itself_and_its_blocks(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 0, 0, alloc(1, 0)); /* 28, then 10 and 550 + 3 * 25 */
	zl_estimate_result(w.e, &r);
	assert_int_equal(1, r.takes);
	assert_int_equal(1, r.cause[ZL_LOCK_REFILL]);
	assert_int_equal(625 * NS, r.hold.sum_ps);
	assert_int_equal(0, r.wait.sum_ps);
	assert_int_equal(635 * NS, r.refill.sum_ps);
	assert_int_equal(663 * NS, r.end_ps);
	assert_int_equal(3, r.longest_hold_pages);
	at(&w, 0, 0, alloc(2, 0)); /* a hit: 28 */
	zl_estimate_result(w.e, &r);
	assert_int_equal(691 * NS, r.end_ps);
	assert_int_equal(2, r.blocks);
	at(&w, 0, 0, alloc(3, 2)); /* 28, 10, 550 + 2 * (25 + 80) */
	zl_estimate_result(w.e, &r);
	assert_int_equal((691 + 28 + 10 + 760) * NS, r.end_ps);
	at(&w, 0, 0, (struct zl_op){.kind = ZL_OP_DRAIN}); /* one page; 8-11, merged with 12-15 */
	zl_estimate_result(w.e, &r);
	assert_int_equal((1489 + 10 + 550 + 33 + 33 + 2 * 80) * NS, r.end_ps);
	assert_int_equal(1, r.cause[ZL_LOCK_DRAIN]);
	end(&w);
}

static void merges_of_larger_blocks_fetch_lines(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;
	int64_t before;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 0, 0, alloc(1, 2));
	at(&w, 0, 0, (struct zl_op){.kind = ZL_OP_DRAIN});
	zl_estimate_result(w.e, &r);
	before = r.end_ps;
	at(&w, 0, 0, (struct zl_op){.kind = ZL_OP_FREE, .id = 1});
	at(&w, 0, 0, (struct zl_op){.kind = ZL_OP_DRAIN});
	zl_estimate_result(w.e, &r);
	/* The block of order 2 merges twice, up to the order of 4. */
	assert_int_equal((28 + 10 + 550 + 33 + 80 * 3) * NS, r.end_ps - before);
	end(&w);
}

static void who_comes_second_waits_and_fetches_two_lines(void **state)
{
	struct zl_estimate_result r;
	struct zl_estimate_lane lane;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 0, 0, alloc(1, 0));   /* asks at 28, has it until 663 */
	at(&w, 1, 100, alloc(2, 0)); /* asks at 128; 663 + 10 + 2 * 19 = 711 to 1336 */
	zl_estimate_result(w.e, &r);
	assert_int_equal(1336 * NS, r.end_ps);
	assert_int_equal(573 * NS, r.wait.sum_ps);
	assert_int_equal(38 * NS, r.longest_move_ps);
	assert_int_equal(1, r.contended);
	assert_int_equal(0, r.order_inversions);
	assert_int_equal(500, zl_estimate_contended(&r));
	/* 28 and 128 without a lock; 635 and 1208 from asking to giving back. */
	assert_int_equal(156 * NS, r.base_ps);
	assert_int_equal(1843 * NS, r.lost_ps);
	assert_int_equal(78, zl_estimate_throughput(&r));
	/* Two holds of 625; each came with 10 for the lock, the second with 38 for its lines. */
	assert_int_equal(1250 * NS, r.held_ps);
	assert_int_equal(1308 * NS, r.busy_ps);
	assert_true(zl_estimate_lane(w.e, 1, &lane));
	assert_int_equal(573 * NS, lane.wait_ps[0]);
	assert_int_equal(625 * NS, lane.hold_ps[0]);
	assert_false(zl_estimate_lane(w.e, 2, &lane));
	at(&w, 0, 5000, (struct zl_op){.kind = ZL_OP_DRAIN}); /* from 1: one line, free lock */
	zl_estimate_result(w.e, &r);
	/* 5000, and what cpu 0 has lost: 663 */
	assert_int_equal((5663 + 10 + 19 + 550 + 2 * 33) * NS, r.end_ps);
	end(&w);
}

static void caches_and_nodes_set_the_price_of_a_line(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	c.value[ZL_COST_CPUS_PER_CACHE] = 1;
	w = begin(&c, "6.18.2");
	at(&w, 0, 0, alloc(1, 0));
	at(&w, 1, 100, alloc(2, 0));
	zl_estimate_result(w.e, &r);
	assert_int_equal(160 * NS, r.longest_move_ps);
	end(&w);
	struct zl_estimate_options o = {.costs = c, .cpus = 2, .cpus_per_node = 1};
	w = begin(&c, "6.18.2");
	zl_estimate_detach(w.e, w.sim);
	zl_estimate_free(w.e);
	assert_int_equal(0, zl_estimate_new(&o, zl_allocator_heap(), &w.e));
	zl_estimate_attach(w.e, w.sim);
	at(&w, 0, 0, alloc(1, 0));
	at(&w, 1, 100, alloc(2, 0));
	zl_estimate_result(w.e, &r);
	assert_int_equal(400 * NS, r.longest_move_ps);
	end(&w);
	o.cpus = 0;
	assert_int_equal(-EINVAL, zl_estimate_new(&o, zl_allocator_heap(), &w.e));
}

static void a_request_older_than_one_served_is_an_inversion(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 1, 1000, alloc(1, 0));
	at(&w, 0, 0, alloc(2, 0));
	zl_estimate_result(w.e, &r);
	assert_int_equal(1, r.order_inversions);
	assert_int_equal(1, r.contended);
	/* Asks at 28, waits until 1663. */
	assert_int_equal((1663 - 28 + 38) * NS, r.wait.max_ps);
	end(&w);
}

static void chunks_and_plain_drains_differ_in_holds(void **state)
{
	static const char *const release[] = {"6.18.2", "6.19"};
	uint64_t holds[2];
	struct zl_costs c;

	(void)state;
	zl_costs_default(&c);
	for (unsigned i = 0; i < 2; i++) {
		struct zl_estimate_result r;
		struct zl_sim_config zone;
		struct world w = begin(&c, release[i]);

		zone = *zl_sim_config(w.sim);
		zl_sim_free(w.sim);
		zone.batch = 4;
		zone.high_min = 32;
		zone.high_max = 32;
		zone.scale_max = 0;
		w.sim = script_sim(&zone, release[i]);
		zl_estimate_attach(w.e, w.sim);
		for (uint32_t id = 1; id <= 32; id++) {
			at(&w, 0, 0, alloc(id, 0));
		}
		zl_estimate_result(w.e, &r);
		holds[i] = r.cause[ZL_LOCK_DRAIN];
		assert_int_equal(0, holds[i]);
		for (uint32_t id = 1; id <= 32; id++) {
			at(&w, 0, 0, (struct zl_op){.kind = ZL_OP_FREE, .id = id});
		}
		zl_estimate_result(w.e, &r);
		holds[i] = r.cause[ZL_LOCK_DRAIN];
		assert_int_equal(r.takes, r.cause[ZL_LOCK_REFILL] + r.cause[ZL_LOCK_DRAIN]);
		end(&w);
	}
	assert_true(holds[0] >= 1);
	assert_true(holds[1] >= holds[0]);
}

static void phases_start_together(void **state)
{
	struct zl_scenario_op item = {
		.op = {.kind = ZL_OP_TICK}, .cpu = 0, .phase = 1, .t_ns = 100};
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 1, 100, alloc(1, 0)); /* done at 763; cpu 0 did nothing */
	assert_int_equal(0, zl_sim_apply(w.sim, &item.op));
	assert_int_equal(0, zl_estimate_op(w.e, w.sim, &item));
	zl_estimate_result(w.e, &r);
	assert_int_equal(763 * NS, r.end_ps);
	item.t_ns = 1100;
	assert_int_equal(0, zl_estimate_op(w.e, w.sim, &item));
	zl_estimate_result(w.e, &r);
	assert_int_equal(1763 * NS, r.end_ps);
	end(&w);
}

static void the_first_fifth_does_not_count_however_long_the_run_is(void **state)
{
	struct zl_costs c;

	(void)state;
	zl_costs_default(&c);
	for (uint64_t total = 1000; total <= UINT64_C(1000000000000); total *= 1000) {
		struct zl_estimate_result r;
		struct world w = begin(&c, "6.18.2");
		const uint32_t n = 1000;

		for (uint32_t i = 1; i <= n; i++) {
			at(&w, 0, total * 1000 / n * i, alloc(1, 0));
			at(&w, 0, total * 1000 / n * i,
				(struct zl_op){.kind = ZL_OP_FREE, .id = 1});
		}
		zl_estimate_result(w.e, &r);
		if (r.blocks > 800 || r.blocks < 780) {
			fail_msg("%llu of %u blocks count", (unsigned long long)r.blocks, n);
		}
		assert_true(r.window_ps <= r.end_ps * 4 / 5 + 1000);
		end(&w);
	}
}

static void a_failed_allocation_brings_no_block(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;
	uint32_t id = 1;

	(void)state;
	zl_costs_default(&c);
	c.value[ZL_COST_HOLD_NS] = 0;
	c.value[ZL_COST_LINE_NS] = 0;
	w = begin(&c, "6.18.2");
	for (; id <= 20; id++) {
		at(&w, 0, 0, alloc(id, 4));
	}
	zl_estimate_result(w.e, &r);
	assert_int_equal(16, r.blocks);
	assert_int_equal(256, r.pages);
	/* Straight from the buddy: no pageset, no hit. */
	assert_int_equal(20, r.cause[ZL_LOCK_DIRECT_ALLOC]);
	assert_int_equal((20 * 10 + 16 * 25) * NS, r.end_ps);
	end(&w);
}

static void histograms_count_by_powers_of_two(void **state)
{
	struct zl_estimate_result r;
	struct zl_costs c;
	struct world w;

	(void)state;
	zl_costs_default(&c);
	w = begin(&c, "6.18.2");
	at(&w, 0, 0, alloc(1, 0)); /* 625 ns: 512 .. 1023 */
	zl_estimate_result(w.e, &r);
	assert_int_equal(1, r.hold.histogram[10]);
	assert_int_equal(1, r.wait.histogram[0]);
	assert_int_equal(625, zl_durations_mean_ns(&r.hold));
	assert_int_equal(625, zl_durations_max_ns(&r.hold));
	assert_string_equal("lock", zl_saturated_name(zl_estimate_saturated(&r)));
	end(&w);
}

/* From 950 of 1000 on, rounded; the lock before the links, which share their time. */
static void what_saturates_is_told_from_shares_of_the_window(void **state)
{
	static const struct {
		int64_t busy_ps, link_ps;
		unsigned links;
		enum zl_saturated is;
	} table[] = {
		{95000, 0,	   0, ZL_SATURATED_LOCK},
		{94950, 0,	   0, ZL_SATURATED_LOCK},
		{94949, 0,	   0, ZL_SATURATED_WORK},
		{94949, 95000,  1, ZL_SATURATED_LINK},
		{0,	    94949,  1, ZL_SATURATED_WORK},
		{0,	    190000, 2, ZL_SATURATED_LINK},
		{0,	    189800, 2, ZL_SATURATED_WORK},
		{95000, 95000,  1, ZL_SATURATED_LOCK},
		{0,	    95000,  0, ZL_SATURATED_WORK},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct zl_estimate_result r = {.window_ps = 100000,
			.busy_ps = table[i].busy_ps,
			.link_ps = table[i].link_ps,
			.links = table[i].links};

		assert_int_equal(table[i].is, zl_estimate_saturated(&r));
	}
}

/* Times near the end of the range are halved until a thousand times them fits. */
static void shares_of_very_long_runs_do_not_overflow(void **state)
{
	struct zl_estimate_result r = {.window_ps = INT64_MAX, .held_ps = INT64_MAX / 4};

	(void)state;
	assert_int_equal(250, zl_estimate_held(&r));
	r.held_ps = INT64_MAX;
	assert_int_equal(1000, zl_estimate_held(&r));
	r.window_ps = 0;
	r.held_ps = 0;
	assert_int_equal(0, zl_estimate_held(&r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_come_from_settings_and_the_lock_ones_are_multiplied),
		cmocka_unit_test(a_hold_costs_itself_and_its_blocks),
		cmocka_unit_test(merges_of_larger_blocks_fetch_lines),
		cmocka_unit_test(who_comes_second_waits_and_fetches_two_lines),
		cmocka_unit_test(caches_and_nodes_set_the_price_of_a_line),
		cmocka_unit_test(a_request_older_than_one_served_is_an_inversion),
		cmocka_unit_test(chunks_and_plain_drains_differ_in_holds),
		cmocka_unit_test(phases_start_together),
		cmocka_unit_test(the_first_fifth_does_not_count_however_long_the_run_is),
		cmocka_unit_test(a_failed_allocation_brings_no_block),
		cmocka_unit_test(histograms_count_by_powers_of_two),
		cmocka_unit_test(what_saturates_is_told_from_shares_of_the_window),
		cmocka_unit_test(shares_of_very_long_runs_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
