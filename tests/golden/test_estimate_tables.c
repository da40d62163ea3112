/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost estimate against figures that were worked out with another program and other random
 * numbers, hence the tolerances; and what must hold whatever the costs are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "estimate_lanes.h"

#define PS_PER_NS 1000
#define MS	  100

static double per_1000(uint64_t n, const struct zl_estimate_result *r)
{
	return 1000.0 * (double)n / (double)r->blocks;
}

static void iperf(const char *release, unsigned percent, struct zl_estimate_result *ret)
{
	char settings[80];

	snprintf(settings, sizeof(settings), "kernel=%s lock_cost_percent=%u", release, percent);
	lane_run("iperf3-64", MS, settings, "", ret);
}

/* A release at default costs; tolerances in percent. */
struct want {
	const char *release;
	double takes, takes_off, flushes, flushes_off, held;
	double hold, longest; /* ns, 0 = not stated */
};

static void designs_differ_in_takes_flushes_and_holds(void **state)
{
	static const struct want wants[] = {
		{"6.6",	6.5, 30, 1.0,  40, 0.01, 0,	   0   },
		{"6.12", 255, 10, 113,  8,  0.28, 1430, 2800},
		{"6.18", 81,  10, 18.7, 8,  0.11, 1810, 8400},
		{"6.19", 117, 10, 18.7, 8,  0.13, 1420, 2250},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		const struct want *w = &wants[i];
		struct zl_estimate_result r;

		iperf(w->release, 100, &r);
		near_to(w->release, per_1000(r.takes, &r), w->takes, w->takes_off);
		near_to(w->release, per_1000(r.free_high, &r), w->flushes, w->flushes_off);
		assert_true(zl_estimate_held(&r) <= 1000 * w->held + 20);
		assert_true(zl_estimate_held(&r) + 20 >= 1000 * w->held);
		if (w->hold > 0) {
			near_to(w->release, (double)zl_durations_mean_ns(&r.hold), w->hold, 10);
			near_to(w->release, (double)zl_durations_max_ns(&r.hold), w->longest, 20);
		}
	}
}

static double score(const char *release, unsigned percent, const struct zl_estimate_result *base)
{
	struct zl_estimate_result r;

	iperf(release, percent, &r);
	return 100.0 * (double)r.blocks / (double)base->blocks;
}

static void scores_fall_only_once_the_lock_is_dear(void **state)
{
	static const struct {
		unsigned percent;
		double b;
	} wants[] = {
		{100, 100},
		{300, 100},
		{400, 84 },
		{480, 70 },
		{600, 56 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		struct zl_estimate_result base;
		double b;

		iperf("6.6", wants[i].percent, &base);
		b = score("6.12", wants[i].percent, &base);
		if (b < wants[i].b - 3 || b > wants[i].b + 3) {
			fail_msg("6.12 scores %.1f at %u %%, not %.0f", b, wants[i].percent,
				wants[i].b);
		}
		if (wants[i].percent <= 480) {
			assert_true(score("6.18", wants[i].percent, &base) >= 99);
			assert_true(score("6.19", wants[i].percent, &base) >= 99);
		}
	}
}

/* The threshold of free_high as a multiple of batch. */
static void thresholds(
	const char *scenario, unsigned percent, unsigned k, struct zl_estimate_result *ret)
{
	char settings[120];

	snprintf(settings, sizeof(settings),
		"kernel=6.12 lock_cost_percent=%u policy=threshold-%u-batch", percent, k);
	lane_run(scenario, MS, settings, "", ret);
}

static void higher_thresholds_flush_less_and_the_score_has_a_cliff(void **state)
{
	static const struct {
		unsigned k;
		double flushes, off;
		double at_400, at_480; /* scores */
	} wants[] = {
		{1, 113, 8,  84,	70 },
		{2, 90,	8,  87,  72 },
		{4, 46,	8,  93,  77 },
		{5, 23,	8,  100, 100},
		{6, 16,	8,  100, 100},
		{8, 1.3, 40, 100, 100},
	};
	struct zl_estimate_result base, r;
	uint64_t before = UINT64_MAX;

	(void)state;
	iperf("6.6", 100, &base);
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		double got;

		thresholds("iperf3-64", 100, wants[i].k, &r);
		near_to("flushes", per_1000(r.free_high, &r), wants[i].flushes, wants[i].off);
		assert_true(r.free_high <= before);
		before = r.free_high;
		for (unsigned percent = 400; percent <= 480; percent += 80) {
			double want = percent == 400 ? wants[i].at_400 : wants[i].at_480;

			iperf("6.6", percent, &base);
			thresholds("iperf3-64", percent, wants[i].k, &r);
			got = 100.0 * (double)r.blocks / (double)base.blocks;
			if (got < want - (want == 100 ? 1 : 3) || got > want + 3) {
				fail_msg("k = %u scores %.1f at %u %%, not %.0f", wants[i].k, got,
					percent, want);
			}
		}
	}
}

static void with_other_bursts_the_cliff_lies_elsewhere(void **state)
{
	struct zl_estimate_result base, r;

	(void)state;
	lane_run("iperf3-64-q", MS, "kernel=6.6 lock_cost_percent=480", "", &base);
	thresholds("iperf3-64-q", 480, 4, &r);
	near_to("k = 4", 100.0 * (double)r.blocks / (double)base.blocks, 85, 4);
	thresholds("iperf3-64-q", 480, 5, &r);
	near_to("k = 5", 100.0 * (double)r.blocks / (double)base.blocks, 87, 4);
	thresholds("iperf3-64-q", 480, 6, &r);
	near_to("k = 6", 100.0 * (double)r.blocks / (double)base.blocks, 100, 1);
}

/* A lane of iperf3-64 with other settings and parameters, at one cost. */
struct variant {
	const char *settings, *parameters;
	unsigned percent, ms;
};

static void variant_run(
	const struct variant *v, const char *release, struct zl_estimate_result *ret)
{
	char settings[200];

	snprintf(settings, sizeof(settings), "kernel=%s lock_cost_percent=%u %s", release,
		v->percent, v->settings);
	lane_run("iperf3-64", v->ms, settings, v->parameters, ret);
}

static double variant_score(const struct variant *v, const char *release)
{
	struct zl_estimate_result base, r;

	variant_run(v, "6.6", &base);
	variant_run(v, release, &r);
	return 100.0 * (double)r.blocks / (double)base.blocks;
}

static void check_scores(const struct variant *v, const double want[4], double off)
{
	static const char *const lanes[4] = {"6.12", "6.12 policy=threshold-2-batch",
		"6.12 policy=threshold-4-batch", "6.12 policy=threshold-5-batch"};

	for (unsigned i = 0; i < 4; i++) {
		double got = variant_score(v, lanes[i]);

		if (got < want[i] - off || got > want[i] + off) {
			fail_msg("%s, %s at %u %%: %.1f, not %.0f", lanes[i], v->settings,
				v->percent, got, want[i]);
		}
	}
}

/* All pairs on one node: the lock is full at half the cost. */
static void in_one_zone_the_cliff_comes_at_half_the_cost(void **state)
{
	static const struct variant dear = {"cpus=64", "link=655", 240, 60};
	static const struct variant dearer = {"cpus=64", "link=655", 400, 60};
	static const double at_240[4] = {69, 71, 77, 100}, at_400[4] = {41, 43, 46, 96};

	(void)state;
	check_scores(&dear, at_240, 3);
	check_scores(&dearer, at_400, 3);
}

/* Each flush then moves what one free brings: more holds, and less through the lock in all. */
static void without_free_high_batch_more_is_lost_below_the_cliff(void **state)
{
	static const struct variant v = {"cache_slice=64K", "", 480, 60};
	static const double want[4] = {31, 36, 52, 100};

	(void)state;
	check_scores(&v, want, 3);
}

/* Without the link the loss grows with the pairs: half of them on each node. */
static void without_the_link_more_pairs_lose_more(void **state)
{
	static const struct {
		unsigned pairs;
		double score;
	} wants[] = {
		{16, 95},
		{32, 94},
		{48, 87},
		{64, 69},
		{96, 45},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		char cpus[16];
		const struct variant v = {cpus, "link=0 alloc_work=6450 free_work=2150", 100, 60};
		double got;

		snprintf(cpus, sizeof(cpus), "cpus=%u", wants[i].pairs / 2);
		got = variant_score(&v, "6.12");
		if (got < wants[i].score - 3 || got > wants[i].score + 3) {
			fail_msg("%u pairs: %.1f, not %.0f", wants[i].pairs, got, wants[i].score);
		}
	}
}

/* 530 was reported, the formula says 576; at 1150 the threshold lies above every burst. */
static void high_min_moves_only_where_c_flushes(void **state)
{
	struct zl_estimate_result r;

	(void)state;
	lane_run("iperf3-64", 60, "kernel=6.18 lock_cost_percent=480 high_min=1150", "", &r);
	assert_int_equal(0, r.free_high);
	lane_run("iperf3-64", 60, "kernel=6.18 lock_cost_percent=480 high_min=530", "", &r);
	assert_true(r.free_high > 0);
}

/* The constants that weigh: scores of 6.12 at 480 % with half and double of each. */
static void the_answer_follows_the_constants(void **state)
{
	static const struct {
		const char *half, *twice;
		double at_half, at_twice;
	} wants[] = {
		{"hold_ns=275",	"hold_ns=1100",	85, 51},
		{"line_ns=40",       "line_ns=160",	      92, 47},
		{"take_ns=12",       "take_ns=50",	     72, 65},
		{"give_ns=16",       "give_ns=66",	     73, 64},
		{"handover_lines=1", "handover_lines=4",	 72, 65},
		{"merge_lines=0",	  "merge_lines=2",	   71, 68},
		{"hit_ns=14",	      "hit_ns=56",	   70, 70},
		{"cpus_per_cache=1", "cpus_per_cache=64", 67, 73},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		for (unsigned k = 0; k < 2; k++) {
			const char *set = k == 0 ? wants[i].half : wants[i].twice;
			double want = k == 0 ? wants[i].at_half : wants[i].at_twice, got;
			struct zl_estimate_result base, r;
			char settings[120];

			snprintf(settings, sizeof(settings), "kernel=6.6 lock_cost_percent=480 %s",
				set);
			lane_run("iperf3-64", MS, settings, "", &base);
			snprintf(settings, sizeof(settings), "kernel=6.12 lock_cost_percent=480 %s",
				set);
			lane_run("iperf3-64", MS, settings, "", &r);
			got = 100.0 * (double)r.blocks / (double)base.blocks;
			if (got < want - 3 || got > want + 3) {
				fail_msg("%s: %.1f, not %.0f", set, got, want);
			}
		}
	}
}

static void the_other_bursts_fit_as_well(void **state)
{
	struct zl_estimate_result a, b;

	(void)state;
	lane_run("iperf3-64-q", MS, "kernel=6.6 lock_cost_percent=480", "", &a);
	lane_run("iperf3-64-q", MS, "kernel=6.12 lock_cost_percent=480", "", &b);
	near_to("score", 100.0 * (double)b.blocks / (double)a.blocks, 70, 4);
}

static void a_refill_waits_as_long_as_other_processes_hold(void **state)
{
	/* Where nobody waits a quarter of each process shows the same. */
	static const struct {
		unsigned percent, scale;
		double us, off, longest_us;
		unsigned pages;
		int64_t ms;
		const char *parameters;
	} wants[] = {
		{100, 5, 53,  10, 67,   2016, 1000, "rounds=3"				   },
		{100, 0, 2.2, 10, 2.6,  63,   260,	"rounds=4 pages=65536 stagger=110000000"},
		{400, 5, 439, 25, 268,  2016, 1000, "rounds=3"				     },
		{400, 0, 26,  25, 10.5, 63,   1000, "rounds=3"				   },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		struct zl_estimate_result r;
		char settings[80];

		snprintf(settings, sizeof(settings), "pcp_batch_scale_max=%u lock_cost_percent=%u",
			wants[i].scale, wants[i].percent);
		lane_run("exit-10x6g", wants[i].ms, settings, wants[i].parameters, &r);
		near_to("average refill", (double)zl_durations_mean_ns(&r.refill) / 1000,
			wants[i].us, wants[i].off);
		near_to("longest hold", (double)zl_durations_max_ns(&r.hold) / 1000,
			wants[i].longest_us, 2);
		assert_int_equal(wants[i].pages, r.longest_hold_pages);
	}
}

static void chunks_shorten_the_longest_hold(void **state)
{
	struct zl_estimate_result r;

	(void)state;
	lane_run("exit-10x6g", 150, "kernel=6.19 lock_cost_percent=100", "pages=65536 stagger=1000",
		&r);
	/* A refill stays one hold: 2016 pages. */
	near_to("longest hold", (double)zl_durations_max_ns(&r.hold) / 1000, 51, 2);
	lane_run("rzg3s", 0, "kernel=6.19 batch=63", "", &r);
	assert_int_equal(2016, r.longest_hold_pages);
}

static void one_cpu_never_waits_and_scale_5_is_the_cheaper_one(void **state)
{
	struct zl_estimate_result s5, s0;

	(void)state;
	lane_run("rzg3s", 0, "lock_cost_percent=400", "", &s5);
	lane_run("rzg3s", 0, "lock_cost_percent=400 pcp_batch_scale_max=0", "", &s0);
	assert_int_equal(0, s5.wait.max_ps);
	assert_int_equal(0, s5.contended);
	assert_int_equal(0, s0.wait.max_ps);
	assert_true(s5.held_ps < s0.held_ps);
	/* Under one per cent of the time: no figure that explains 14 against 10 minutes. */
	assert_true(zl_estimate_held(&s0) < zl_estimate_held(&s5) + 20);
}

static void sums_agree_at_any_cost(void **state)
{
	static const char *const releases[] = {"6.6", "6.12", "6.18", "6.19", "7.1"};
	static const unsigned percents[] = {0, 100, 400, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		uint64_t before = UINT64_MAX / 2;

		for (size_t k = 0; k < sizeof(percents) / sizeof(percents[0]); k++) {
			struct zl_estimate_result r;
			uint64_t causes = 0;

			iperf(releases[i], percents[k], &r);
			for (unsigned c = 0; c < ZL_LOCK_CAUSE_COUNT; c++) {
				causes += r.cause[c];
			}
			assert_int_equal(r.takes, causes);
			assert_int_equal(r.takes, r.hold.n);
			assert_int_equal(0, r.order_inversions);
			assert_true(r.held_ps <= r.window_ps);
			assert_true(r.wait.max_ps <=
				    r.cpus * (r.hold.max_ps + r.longest_move_ps +
						     10 * PS_PER_NS * percents[k] / 100));
			/* Dearer locks never bring more: half a per cent is chance. */
			assert_true(r.blocks <= before + before / 200);
			before = r.blocks;
		}
	}
}

static void the_same_run_gives_the_same_figures(void **state)
{
	struct zl_estimate_result a, b;

	(void)state;
	iperf("6.19", 480, &a);
	iperf("6.19", 480, &b);
	assert_memory_equal(&a, &b, sizeof(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(designs_differ_in_takes_flushes_and_holds),
		cmocka_unit_test(scores_fall_only_once_the_lock_is_dear),
		cmocka_unit_test(higher_thresholds_flush_less_and_the_score_has_a_cliff),
		cmocka_unit_test(with_other_bursts_the_cliff_lies_elsewhere),
		cmocka_unit_test(in_one_zone_the_cliff_comes_at_half_the_cost),
		cmocka_unit_test(without_free_high_batch_more_is_lost_below_the_cliff),
		cmocka_unit_test(without_the_link_more_pairs_lose_more),
		cmocka_unit_test(high_min_moves_only_where_c_flushes),
		cmocka_unit_test(the_answer_follows_the_constants),
		cmocka_unit_test(the_other_bursts_fit_as_well),
		cmocka_unit_test(a_refill_waits_as_long_as_other_processes_hold),
		cmocka_unit_test(chunks_shorten_the_longest_hold),
		cmocka_unit_test(one_cpu_never_waits_and_scale_5_is_the_cheaper_one),
		cmocka_unit_test(sums_agree_at_any_cost),
		cmocka_unit_test(the_same_run_gives_the_same_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
