/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `compare` as a command: tables about free_high that were worked out without this program, on the
 * node that they are about, warnings, seeds, formats and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_fixture.h"
#include "zonelab/text.h"

#define STREAM TEST_DATA "/compare/stream.json"
#define BURST  TEST_DATA "/compare/burst.json"
#define RATIO  TEST_DATA "/compare/ratio.json"

/* When something came first, 0 for null: never. */
static int64_t number_or_never(const struct zl_json *o, const char *key)
{
	const struct zl_json *v = zl_json_member(o, key);

	assert_non_null(v);
	return zl_json_kind(v) == ZL_JSON_NULL ? 0 : json_number(o, key);
}

#define DESIGNS "--lane A514:5.15 --lane A:6.1.192 --lane B:6.12 --lane C:6.18.2"

/* A stream of frees of one order: which free flushes first, and what has left by then. */
static void the_first_flush_of_a_pure_stream_comes_when_the_table_says(void **state)
{
	static const struct {
		const char *lanes;
		unsigned order, frees;
		int64_t first[4]; /* free that flushes first in each lane, 0 = never */
	} table[] = {
		{DESIGNS,							1, 700,  {0, 289, 33, 177}},
		{DESIGNS,							2, 700,  {0, 145, 17, 89} },
		{DESIGNS,							3, 700,  {0, 73, 9, 45}	},
		{"--lane C:6.18.2 --lane D19:7.0 --lane D71:7.1.3",		    1, 700,  {177, 177, 177}  },
		{"--lane C:6.18.2 --lane D19:7.0 --lane D71:7.1.3",		    2, 700,  {89, 89, 89}	},
		{"--lane C:6.18.2 --lane D19:7.0 --lane D71:7.1.3",		    3, 700,  {45, 45, 45}	},
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 1, 3000,
			{0, 2763}										 },
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 2, 1500,
			{0, 1382}										 },
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 3, 1300, {0, 692}	  },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[512];

		zl_format(line, sizeof(line),
			"compare " STREAM " %s --param order=%u --param frees=%u", table[i].lanes,
			table[i].order, table[i].frees);
		struct zl_json *j = app_ask(*state, line);
		size_t n = zl_json_count(zl_json_member(j, "lanes"));
		for (unsigned k = 0; k < n; k++) {
			int64_t first = number_or_never(json_lane(j, k), "first_free_high");

			if (first != table[i].first[k]) {
				fail_msg("%s, lane %u: first_free_high %lld, wanted %lld", line, k,
					(long long)first, (long long)table[i].first[k]);
			}
		}
		zl_json_free(j);
	}
}

/*
 * Order 3: pages that have left after so many frees, flushes, lock holds of the drains. A514
 * overflows with 64, 128, 256, 504, 520, 520 pages; after the first flush A drains at each free, B
 * and C at each eighth, without FREE_HIGH_BATCH at each; out of reach 2016 leave at 691, 943, 1195.
 */
static void pages_leave_as_the_table_says(void **state)
{
	static const struct {
		const char *lanes;
		unsigned frees;
		int64_t drained[2], flushes[2];
		int64_t locks; /* that the second lane takes more than the first, -1 = not said */
	} table[] = {
		{"--lane A:6.1.192 --lane B:6.12",				   9,    {0, 72},		       {0, 1},    -1},
		{"--lane A:6.1.192 --lane B:6.12",				   73,   {64 + 520, 584},		{1, 9},	-1},
		{"--lane B:6.12 --lane C:6.18.2",				  45,   {328, 360},			  {5, 1},	  -1},
		{"--lane C:6.18.2 --lane D19:7.0",				   45,   {360, 360},			   {1, 1},	   5 },
		{"--lane C:6.18.2 --lane D71:7.1.3",			     45,	 {360, 360},		     {1, 1},    5 },
		{"--lane A514:5.15 --lane A:6.1.192",			      71,	  {0, 0},			  {0, 0},	  0 },
		{"--lane A514:5.15 --lane A:6.1.192",			      72,	  {64, 64},			    {0, 0},    0 },
		{"--lane A514:5.15 --lane A:6.1.192",			      80,	  {192, 640},		      {0, 8},    -1},
		{"--lane A514:5.15 --lane A:6.1.192",			      96,	  {448, 768},		      {0, 24},   -1},
		{"--lane A514:5.15 --lane A:6.1.192",			      128,  {952, 1024},			{0, 56},	 -1},
		{"--lane A514:5.15 --lane A:6.1.192",			      191,  {1472, 1528},			 {0, 119},  -1},
		{"--lane A514:5.15 --lane A:6.1.192",			      256,  {1992, 2048},			 {0, 184},  -1},
		{"--lane A:6.1.192 --lane B:6.12",				   173,	{173 * 8, 72 + 20 * 64},	 {101, 21}, -1},
		{"--lane B:6.12 --lane C:6.18.2",				  125,  {72 + 14 * 64, 360 + 10 * 64}, {15, 11},	-1},
		{"--lane B:6.12,cache_slice=0 --lane C:6.18.2,cache_slice=0",    50,	  {400, 400},
			{42, 6},													-1},
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 690,  {0, 0},
			{0, 0},													 -1},
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 692,  {2016, 5536},
			{0, 1},													 -1},
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 943,
			{2 * 2016, 943 * 8},										 {0, 252},  -1},
		{"--lane C:6.18.2,high_min=5523 --lane A:6.1.192,high_min=5523", 1195,
			{3 * 2016, 1195 * 8},										{0, 504},	-1},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[512];

		zl_format(line, sizeof(line), "compare " STREAM " %s --param frees=%u",
			table[i].lanes, table[i].frees);
		struct zl_json *j = app_ask(*state, line);
		for (unsigned k = 0; k < 2; k++) {
			if (json_total(j, k, "pages_drained") != table[i].drained[k] ||
				json_total(j, k, "free_high") != table[i].flushes[k]) {
				fail_msg("%s, lane %u: drained %lld, flushes %lld", line, k,
					(long long)json_total(j, k, "pages_drained"),
					(long long)json_total(j, k, "free_high"));
			}
		}
		if (table[i].locks >= 0) {
			assert_int_equal(table[i].locks,
				json_total(j, 1, "zone_locks") - json_total(j, 0, "zone_locks"));
		}
		zl_json_free(j);
	}
}

/* 200 cycles of so many allocations and as many frees: flushes and refills a cycle. */
static void alternating_bursts_flush_and_refill_as_the_table_says(void **state)
{
	static const struct {
		unsigned burst;
		int64_t flushes[3]; /* A, B, C; a cycle */
		int64_t refills[3]; /* -1 = the table has no figure */
	} table[] = {
		{1,  {0, 0, 0},  {-1, -1, -1}},
		{8,  {0, 0, 0},  {-1, -1, -1}},
		{9,  {0, 1, 0},  {0, 2, 0}	},
		{32, {0, 3, 0},	{-1, -1, -1}},
		{44, {0, 5, 0},	{-1, -1, -1}},
		{45, {0, 5, 1},	{0, 6, 7}	 },
		{64, {0, 7, 3},	{-1, -1, -1}},
		{72, {5, 8, 4},	{-1, -1, -1}},
		{80, {12, 9, 5}, {-1, -1, -1}},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[512];

		zl_format(line, sizeof(line),
			"compare " BURST " --lane A:6.6 --lane B:6.12 --lane C:6.18.2 --param "
			"burst=%u",
			table[i].burst);
		struct zl_json *j = app_ask(*state, line);
		for (unsigned k = 0; k < 3; k++) {
			int64_t refills = (json_total(j, k, "refills") + 100) / 200;

			if (json_total(j, k, "free_high") != 200 * table[i].flushes[k] ||
				(table[i].refills[k] >= 0 && refills != table[i].refills[k])) {
				fail_msg("%s, lane %u: flushes %lld, refills %lld", line, k,
					(long long)json_total(j, k, "free_high"),
					(long long)json_total(j, k, "refills"));
			}
		}
		zl_json_free(j);
	}
}

/* @k frees for each allocation: the smallest @k that ever flushes. */
static void the_smallest_share_of_allocations_that_prevents_flushes(void **state)
{
	static const struct {
		unsigned frees;
		bool flushes[2]; /* B, C */
	} table[] = {
		{4,  {false, false}},
		{5,  {true, false} },
		{22, {true, false} },
		{23, {true, true}	 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[512];

		zl_format(line, sizeof(line),
			"compare " RATIO " --lane B:6.12 --lane C:6.18.2 --param frees=%u",
			table[i].frees);
		struct zl_json *j = app_ask(*state, line);
		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(table[i].flushes[k], json_total(j, k, "free_high") > 0);
		}
		zl_json_free(j);
	}
}

/* Machines on which the threshold of 6.16 lies above the ceiling. */
static void lanes_out_of_reach_are_warned_about(void **state)
{
	static const struct {
		const char *profile;
		const char *why;
	} table[] = {
		{"rz-g3s",		   "threshold 3583, the counter stops at 2016"},
		{"i5-6500-32g",	"threshold 2828, the counter stops at 2016"},
		{"generic-arm64-16k", "threshold "				  },
		{"generic-arm64-64k", "threshold "				  },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct output out;
		char line[256];
		char warning[256];

		zl_format(line, sizeof(line),
			"compare free-order3 --short --lane A:6.12,profile=%s --lane "
			"B:6.18,profile=%s",
			table[i].profile, table[i].profile);
		zl_format(warning, sizeof(warning), "warning: B: free_high never fires: %s",
			table[i].why);
		assert_int_equal(EXIT_YES, app_run(*state, line, FORMAT_TEXT, &out));
		if (strstr(zl_buf_text(&out.text), warning) == NULL ||
			strstr(zl_buf_text(&out.text), "warning: A:") != NULL) {
			fail_msg("%s\n%s", line, zl_buf_text(&out.text));
		}
		output_done(&out);
		struct zl_json *j = app_ask(*state, line);
		bool reach = true;
		assert_int_equal(
			0, zl_json_get_bool(
				   zl_json_member(json_lane(j, 1), "free_high_reachable"), &reach));
		assert_false(reach);
		assert_int_equal(0, json_total(j, 1, "free_high"));
		zl_json_free(j);
	}
}

static void the_first_divergence_has_both_records(void **state)
{
	struct zl_json *j = app_ask(*state, "compare iperf --lane A:6.12.0 --lane B:6.18.2");
	const struct zl_json *d = zl_json_member(j, "first_divergence");

	assert_int_equal(154, json_number(d, "op"));
	assert_int_equal(72, json_number(zl_json_member(d, "record_a"), "drained"));
	assert_int_equal(0, json_number(zl_json_member(d, "record_b"), "drained"));
	assert_null(zl_json_member(d, "record_c"));
	assert_non_null(strstr(zl_json_text(zl_json_member(d, "why")), "c544a952ba61"));
	assert_int_equal(38, json_number(zl_json_member(j, "divergences"), "ops"));
	zl_json_free(j);
	j = app_ask(*state, "compare iperf --lane A:6.12.0 --lane B:6.12.0");
	assert_int_equal(ZL_JSON_NULL, zl_json_kind(zl_json_member(j, "first_divergence")));
	zl_json_free(j);
}

/* A lane of `compare` is a run: the same members, the same digest. */
static void a_lane_says_what_run_says(void **state)
{
	struct zl_json *run = app_ask(*state, "run bursts --short");
	struct zl_json *j = app_ask(*state, "compare bursts --short --lane A: --lane B:6.12");

	assert_string_not_equal("", zl_json_text(zl_json_member(run, "digest")));
	for (const struct zl_json *m = zl_json_first(run); m != NULL; m = zl_json_next(m)) {
		const char *key = zl_json_key(m);
		char *a = NULL;
		char *b = NULL;

		if (strcmp(key, "kind") == 0 || strcmp(key, "version") == 0) {
			continue;
		}
		assert_non_null(zl_json_member(json_lane(j, 0), key));
		assert_int_equal(0, zl_json_print(m, false, &a));
		assert_int_equal(0, zl_json_print(zl_json_member(json_lane(j, 0), key), false, &b));
		assert_string_equal(a, b);
		zl_json_text_free(a);
		zl_json_text_free(b);
	}
	zl_json_free(run);
	zl_json_free(j);
}

static void several_seeds_give_median_and_range(void **state)
{
	struct zl_json *j = app_ask(
		*state, "compare netperf-udp --short --lane A:6.12 --lane B:6.18 --seeds 5");
	const struct zl_json *row = zl_json_first(zl_json_member(j, "spread"));
	unsigned seen = 0;

	assert_int_equal(5, json_number(j, "seeds"));
	for (; row != NULL; row = zl_json_next(row)) {
		const struct zl_json *a = zl_json_first(zl_json_member(row, "lanes"));
		const struct zl_json *b = zl_json_next(a);
		bool beyond;

		if (zl_json_kind(zl_json_member(a, "max")) == ZL_JSON_NULL ||
			zl_json_kind(zl_json_member(b, "max")) ==
				ZL_JSON_NULL) { /* never in some seed */
			continue;
		}
		for (const struct zl_json *l = a; l != NULL; l = zl_json_next(l)) {
			assert_true(json_number(l, "min") <= json_number(l, "median"));
			assert_true(json_number(l, "median") <= json_number(l, "max"));
		}
		int64_t apart = llabs(json_number(b, "median") - json_number(a, "median"));
		assert_int_equal(0, zl_json_get_bool(zl_json_member(b, "beyond_spread"), &beyond));
		assert_int_equal(
			beyond, apart > json_number(a, "max") - json_number(a, "min") &&
					apart > json_number(b, "max") - json_number(b, "min"));
		seen += strcmp(zl_json_text(zl_json_member(row, "name")), "free_high") == 0;
	}
	assert_int_equal(1, seen);
	zl_json_free(j);
}

static void refused(struct app *app, const char *line, const char *sentence)
{
	struct output out;

	assert_int_equal(EXIT_USAGE, app_run(app, line, FORMAT_TEXT, &out));
	if (strstr(out.error.text, sentence) == NULL) {
		fail_msg("%s: %s", line, out.error.text);
	}
	output_done(&out);
}

static void bad_lines_say_what_would_be_right(void **state)
{
	refused(*state, "compare iperf", "--lane NAME:ITEM");
	refused(*state, "compare", "SCENARIO is missing");
	refused(*state, "compare no-such --lane A:6.12 --lane B:6.18", "no-such");
	refused(*state, "compare iperf --lane A:6.12 --lane A:6.18", "two lanes are called A");
	refused(*state,
		"compare iperf --lane A:6.12 --lane B:6.12 --lane C:6.12 --lane D:6.12 --lane "
		"E:6.12",
		"at most 4 lanes");
	refused(*state, "compare iperf --lane A:6.12 --lane B:6.18 --seeds 0", "1 to 1000");
	refused(*state, "compare iperf --lane A:6.12 --axis page_size", "kernel");
	refused(*state, "compare iperf --lane A:6.12 --lane B:4.19", "lane B");
	refused(*state, "compare iperf --lane A:6.12,take_ns=30 --lane B:6.18", "different costs");
	refused(*state,
		"compare " TEST_DATA "/golden/workloads/w12_iperf_srv.workload.gz --lane A:6.12 "
		"--lane B:6.18,cpus=3",
		"lane B");
}

static void op_lists_and_other_costs_can_be_compared(void **state)
{
	struct zl_json *j = app_ask(*state,
		"compare " TEST_DATA "/golden/workloads/w12_iperf_srv.workload.gz --lane A:6.12.0 "
		"--lane B:6.18.2");

	assert_int_equal(952, json_total(j, 0, "free_high"));
	assert_int_equal(915, json_total(j, 1, "free_high"));
	zl_json_free(j);
	j = app_ask(*state,
		"compare iperf --lane A:6.12,take_ns=30 --lane B:6.18 --allow-different-costs");
	zl_json_free(j);
}

static bool after_some(void *user)
{
	unsigned *left = user;

	return (*left)-- == 0;
}

/* Ctrl-C: what there is by then is the answer, and says so. */
static void it_ends_when_the_user_has_seen_enough(void **state)
{
	static const struct {
		const char *line;
		unsigned asked; /* how often it may ask before the answer is yes */
		int64_t seeds;
	} table[] = {
		{"compare bursts --lane A:6.12 --lane B:6.18",	       1, 1},
		{"compare iperf --lane A:6.12 --lane B:6.18 --seeds 9", 0, 1},
		{"compare iperf --lane A:6.12 --lane B:6.18 --seeds 9", 2, 2},
		{"compare iperf --axis kernel",				1, 0},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		unsigned left = table[i].asked;
		struct output out = {
			.format = FORMAT_JSON, .stop = after_some, .patience_user = &left};
		bool complete = true;

		assert_int_equal(EXIT_INTERRUPTED, command_run(*state, table[i].line, &out));
		struct zl_json *j = app_reread(out.json);
		assert_int_equal(0, zl_json_get_bool(zl_json_member(j, "complete"), &complete));
		assert_false(complete);
		if (table[i].seeds > 0) {
			assert_int_equal(table[i].seeds, json_number(j, "seeds"));
		}
		zl_json_free(j);
		output_done(&out);
	}
}

static void the_kernel_axis_names_every_step_and_its_commit(void **state)
{
	struct zl_json *j = app_ask(*state, "compare iperf --axis kernel");
	const struct zl_json *s = zl_json_first(zl_json_member(j, "steps"));
	struct zl_json *same;
	unsigned n = 0;

	for (; s != NULL; s = zl_json_next(s)) {
		const char *kernel = zl_json_text(zl_json_member(s, "kernel"));
		char line[128];

		n++;
		if (strcmp(kernel, "6.16") == 0) {
			const struct zl_json *c = zl_json_first(zl_json_member(s, "changes"));

			assert_string_equal(
				"c544a952ba61", zl_json_text(zl_json_member(c, "commit")));
			assert_int_equal(154, json_number(s, "first_divergence"));
			assert_int_equal(38, json_number(s, "ops_differ"));
		}
		/* Each step is what a run under that release gives. */
		zl_format(line, sizeof(line), "run iperf");
		app_must_set(*state, "kernel=default");
		zl_format(line, sizeof(line), "kernel=%s", kernel);
		app_must_set(*state, line);
		same = app_ask(*state, "run iperf");
		assert_string_equal(zl_json_text(zl_json_member(same, "digest")),
			zl_json_text(zl_json_member(s, "digest")));
		zl_json_free(same);
	}
	assert_true(n >= 9);
	zl_json_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(the_first_flush_of_a_pure_stream_comes_when_the_table_says),
		APP_TEST(pages_leave_as_the_table_says),
		APP_TEST(alternating_bursts_flush_and_refill_as_the_table_says),
		APP_TEST(the_smallest_share_of_allocations_that_prevents_flushes),
		APP_TEST(lanes_out_of_reach_are_warned_about),
		APP_TEST(the_first_divergence_has_both_records),
		APP_TEST(a_lane_says_what_run_says),
		APP_TEST(several_seeds_give_median_and_range),
		APP_TEST(bad_lines_say_what_would_be_right),
		APP_TEST(op_lists_and_other_costs_can_be_compared),
		APP_TEST(it_ends_when_the_user_has_seen_enough),
		APP_TEST(the_kernel_axis_names_every_step_and_its_commit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
