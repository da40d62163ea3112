/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Posted and merged variants of free_high as policies of lanes, against tables that were worked out
 * without this program, on the node that they are about.
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
#define V1     "--lane v1:6.12,policy=alloc-subtract "
#define FIVE   "--lane 5B:6.12,policy=threshold-5-batch "
#define HALF   "--lane half:6.12,policy=threshold-half-high-min "

/* Which free of a pure stream flushes first: with 5 x batch, and with batch + high_min / 2. */
static void the_first_flush_comes_when_the_table_says(void **state)
{
	static const int64_t first[4][2] = {
		{0,   0  },
		{159, 177},
		{80,  89 },
		{41,  45 },
	};

	for (unsigned order = 1; order <= 3; order++) {
		char line[400];

		zl_format(line, sizeof(line),
			"compare " STREAM " " FIVE HALF "--lane C:6.18.2 --param order=%u", order);
		struct zl_json *j = app_ask(*state, line);
		assert_int_equal(first[order][0], json_number(json_lane(j, 0), "first_free_high"));
		assert_int_equal(first[order][1], json_number(json_lane(j, 1), "first_free_high"));
		assert_int_equal(first[order][1], json_number(json_lane(j, 2), "first_free_high"));
		assert_int_equal(json_total(j, 2, "free_high"), json_total(j, 1, "free_high"));
		assert_int_equal(
			json_total(j, 2, "pages_drained"), json_total(j, 1, "pages_drained"));
		zl_json_free(j);
	}
}

/* At that free 328 pages leave; afterwards as in B: each eighth free, 64 pages. */
static void pages_leave_as_the_table_says(void **state)
{
	struct zl_json *j =
		app_ask(*state, "compare " STREAM " " FIVE "--lane B:6.12 --param frees=41");

	assert_int_equal(328, json_total(j, 0, "pages_drained"));
	assert_int_equal(1, json_total(j, 0, "free_high"));
	zl_json_free(j);
	j = app_ask(*state, "compare " STREAM " " FIVE "--lane B:6.12 --param frees=121");
	assert_int_equal(328 + 10 * 64, json_total(j, 0, "pages_drained"));
	assert_int_equal(11, json_total(j, 0, "free_high"));
	zl_json_free(j);
}

/* Flushes and refills a cycle: v1, 5 x batch. */
static void alternating_bursts_flush_and_refill_as_the_table_says(void **state)
{
	static const struct {
		unsigned burst, five;	      /* v1 never flushes */
		int refills_v1, refills_five; /* -1 = the table has no figure */
	} table[] = {
		{1,  0, -1, -1},
		{8,  0, -1, -1},
		{9,  0, 0,  0 },
		{32, 0, -1, -1},
		{44, 1, -1, -1},
		{45, 1, 0,  6 },
		{64, 3, -1, -1},
		{72, 4, -1, -1},
		{80, 5, -1, -1},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[400];

		zl_format(line, sizeof(line), "compare " BURST " " V1 FIVE "--param burst=%u",
			table[i].burst);
		struct zl_json *j = app_ask(*state, line);
		assert_int_equal(0, json_total(j, 0, "free_high"));
		assert_int_equal(200 * table[i].five, json_total(j, 1, "free_high"));
		if (table[i].refills_v1 >= 0) {
			assert_int_equal(
				table[i].refills_v1, (json_total(j, 0, "refills") + 100) / 200);
			assert_int_equal(
				table[i].refills_five, (json_total(j, 1, "refills") + 100) / 200);
		}
		zl_json_free(j);
	}
}

/* Frees for each allocation: the smallest share that ever flushes, v1 and 5 x batch. */
static void the_smallest_share_of_allocations_that_prevents_flushes(void **state)
{
	static const struct {
		unsigned frees;
		bool flushes[2];
	} table[] = {
		{1,  {false, false}},
		{2,  {true, false} },
		{20, {true, false} },
		{21, {true, true}	 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char line[400];

		zl_format(line, sizeof(line), "compare " RATIO " " V1 FIVE "--param frees=%u",
			table[i].frees);
		struct zl_json *j = app_ask(*state, line);
		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(table[i].flushes[k], json_total(j, k, "free_high") > 0);
		}
		zl_json_free(j);
	}
}

/* Where high_min is large, the threshold of 6.16 is out of reach and the capped one is not. */
static void a_capped_threshold_stays_within_reach(void **state)
{
	struct zl_json *j =
		app_ask(*state, "compare " STREAM " --lane C:6.18.2,high_min=5523 --lane "
				"capped:6.18.2,high_min=5523,policy=threshold-capped");
	bool reach[2];

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(
			0, zl_json_get_bool(zl_json_member(json_lane(j, i), "free_high_reachable"),
				   &reach[i]));
	}
	assert_false(reach[0]);
	assert_true(reach[1]);
	assert_int_equal(0, json_total(j, 0, "free_high"));
	assert_true(json_total(j, 1, "free_high") > 0);
	zl_json_free(j);
}

static void a_policy_is_named_where_lanes_part(void **state)
{
	struct zl_json *j = app_ask(*state, "compare " STREAM " " FIVE "--lane B:6.12");
	const struct zl_json *d = zl_json_member(j, "first_divergence");

	assert_string_equal("free_high: 5B compares free_count 64 with 315, its policy, B with "
			    "batch 63.",
		zl_json_text(zl_json_member(d, "why")));
	zl_json_free(j);
}

/* A policy without a value ends the run with a sentence that names lane and point. */
static void a_policy_without_a_value_is_said(void **state)
{
	struct output out;

	assert_int_equal(EXIT_USAGE,
		app_run(*state,
			"compare " STREAM " --lane A:6.12 --lane B:6.12,policy.nr_pcp_free=batch/0",
			FORMAT_TEXT, &out));
	assert_non_null(strstr(out.error.text, "lane B"));
	assert_non_null(strstr(out.error.text, "nr_pcp_free"));
	output_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		APP_TEST(the_first_flush_comes_when_the_table_says),
		APP_TEST(pages_leave_as_the_table_says),
		APP_TEST(alternating_bursts_flush_and_refill_as_the_table_says),
		APP_TEST(the_smallest_share_of_allocations_that_prevents_flushes),
		APP_TEST(a_capped_threshold_stays_within_reach),
		APP_TEST(a_policy_is_named_where_lanes_part),
		APP_TEST(a_policy_without_a_value_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
