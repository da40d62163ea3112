/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes in step: where they differ, why, and that both forms say the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "comparison.h"
#include "story.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

static struct zl_profile *profile_with(const char *const *set)
{
	struct zl_profile *p = calloc(1, sizeof(*p));
	struct zl_error err = {0};

	assert_non_null(p);
	zl_profile_init(p);
	for (size_t i = 0; set[i] != NULL; i++) {
		if (zl_settings_assign(&p->settings, set[i], ZL_ORIGIN_LANE, &err) != 0) {
			fail_msg("%s: %s", set[i], err.text);
		}
	}
	return p;
}

/* Lanes A, B, ... of the story that the explorer opens with, one a release. */
static struct comparison *story_lanes(const char *const *release, unsigned n, bool seekable)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	struct zl_sim_config config[COMPARE_LANES];
	struct compare_what what = {.nr_lanes = n, .seekable = seekable};
	struct comparison *c = NULL;
	struct zl_error err = {0};
	struct op_feed feed;

	for (unsigned i = 0; i < n; i++) {
		struct zl_release r;

		story_config(&config[i]);
		assert_int_equal(0, zl_release_parse(release[i], &r));
		zl_switches_for(&r, &config[i].switches, NULL);
		what.config[i] = &config[i];
		what.name[i] = names[i];
	}
	assert_int_equal(0, story_feed(zl_allocator_heap(), &feed));
	what.feed = &feed;
	if (comparison_new(&what, zl_allocator_heap(), &c, &err) != 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(0, comparison_advance(c, UINT64_MAX));
	assert_true(c->complete);
	return c;
}

static int64_t total(const struct comparison *c, const char *name, unsigned lane)
{
	struct compare_total t[COMPARE_TOTALS];
	size_t n = comparison_totals(c, t);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(t[i].name, name) == 0) {
			return t[i].value[lane];
		}
	}
	fail_msg("no total %s", name);
	return 0;
}

static void why_between(
	const struct comparison *c, unsigned first, unsigned a, unsigned b, char why[COMPARE_WHY])
{
	comparison_why(c, (struct compare_seen){a, &c->first[first].record[a]},
		(struct compare_seen){b, &c->first[first].record[b]}, why, COMPARE_WHY);
}

static void the_first_divergence_is_found_and_explained(void **state)
{
	static const char *const releases[] = {"6.12.0", "6.18.2", "7.1.3"};
	struct comparison *c = story_lanes(releases, 3, false);
	char why[COMPARE_WHY];

	(void)state;
	assert_int_equal(1966, c->known);
	assert_int_equal(2, c->nr_first);
	assert_int_equal(154, c->first[0].op);
	assert_int_equal(191, c->first[1].op);
	comparison_who(c, c->first[0].pattern, why, sizeof(why));
	assert_string_equal("A from B, C", why);
	why_between(c, 0, 0, 1, why);
	assert_string_equal("free_high: A compares free_count 64 with batch 63, B with 354 = batch "
			    "63 + high_min 583 / 2 (since 6.16, c544a952ba61).",
		why);
	why_between(c, 1, 1, 2, why);
	assert_string_equal("Same 368 pages, but C takes the zone lock 6 times, B 1: it drains in "
			    "chunks of one batch (since 6.19).",
		why);
	assert_int_equal(38, c->pair[0][1].ops);
	assert_int_equal(154, c->pair[0][1].first);
	assert_int_equal(191, c->pair[0][1].last);
	assert_int_equal(1, c->pair[1][2].ops);
	assert_int_equal(952, total(c, "free_high", 0));
	assert_int_equal(915, total(c, "free_high", 1));
	assert_int_equal(1053, total(c, "zone_locks", 1));
	assert_int_equal(72, total(c, "longest_hold_pages", 0));
	assert_int_equal(368, total(c, "longest_hold_pages", 1));
	assert_int_equal(64, total(c, "longest_hold_pages", 2));
	comparison_free(c);
}

static void a_seekable_comparison_says_what_a_stream_says(void **state)
{
	static const char *const releases[] = {"5.15", "6.1.192", "6.12.0", "7.1.3"};
	struct comparison *a = story_lanes(releases, 4, false);
	struct comparison *b = story_lanes(releases, 4, true);
	uint64_t differ = 0;

	(void)state;
	assert_int_equal(a->known, b->known);
	assert_int_equal(a->nr_stretches, b->nr_stretches);
	assert_int_equal(a->nr_first, b->nr_first);
	assert_memory_equal(a->first, b->first, sizeof(a->first));
	assert_memory_equal(a->pair, b->pair, sizeof(a->pair));
	for (uint64_t op = 1; op <= b->known; op++) {
		differ += comparison_pattern(b, op) != 0 ? 1 : 0;
	}
	assert_int_equal(a->differ, differ);
	for (uint64_t op = 1; op <= b->known; op++) { /* and what records of single ops say */
		compare_pattern p = comparison_pattern(b, op);

		assert_int_equal(0, comparison_seek(b, op));
		for (unsigned i = 1; i < 4; i++) {
			uint32_t columns =
				zl_outcome_differs(&b->lane[0].record, &b->lane[i].record);

			assert_int_equal(
				compare_class(p, i) != 0, (columns & ZL_OUTCOME_DIVERGES) != 0);
		}
	}
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(
			zl_sim_digest(comparison_sim(a, i)), zl_sim_digest(comparison_sim(b, i)));
	}
	comparison_free(a);
	comparison_free(b);
}

static void divergences_can_be_walked_both_ways(void **state)
{
	static const char *const releases[] = {"6.12.0", "6.18.2", "7.1.3"};
	struct comparison *c = story_lanes(releases, 3, true);

	(void)state;
	assert_int_equal(154, comparison_find(c, 0, 1));
	assert_int_equal(191, comparison_find(c, 154, 1));
	assert_int_equal(TIMELINE_NO_OP, comparison_find(c, 191, 1));
	assert_int_equal(191, comparison_find(c, 1966, -1));
	assert_int_equal(154, comparison_find(c, 191, -1));
	assert_int_equal(TIMELINE_NO_OP, comparison_find(c, 154, -1));
	assert_int_equal(0, comparison_seek(c, 154));
	assert_int_equal(154, c->at);
	assert_memory_equal(&c->lane[0].record, &c->first[0].record[0], sizeof(struct zl_record));
	assert_memory_equal(&c->lane[2].record, &c->first[0].record[2], sizeof(struct zl_record));
	comparison_free(c);
}

static struct comparison *shipped_lanes(
	const char *scenario, const char *const *release, unsigned n, bool seekable)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	struct zl_profile *p[COMPARE_LANES] = {NULL};
	struct compare_what what = {.nr_lanes = n, .seekable = seekable, .estimate = true};
	struct comparison *c = NULL;
	struct zl_error err = {0};
	struct zl_scenario s;

	assert_int_equal(0, zl_scenario_open(scenario, zl_allocator_heap(), &s, &err));
	what.scenario = &s;
	for (unsigned i = 0; i < n; i++) {
		const char *const set[] = {release[i], NULL};

		p[i] = profile_with(set);
		what.profile[i] = p[i];
		what.name[i] = names[i];
	}
	if (comparison_new(&what, zl_allocator_heap(), &c, &err) != 0) {
		fail_msg("%s", err.text);
	}
	for (unsigned i = 0; i < n; i++) {
		zl_profile_done(p[i], zl_allocator_heap());
		free(p[i]);
	}
	return c;
}

/* Kept states share memory; standing anywhere gives the state of a straight run all the same. */
static void standing_anywhere_gives_the_state_of_a_straight_run(void **state)
{
	static const char *const releases[] = {
		"kernel=6.12", "kernel=6.12", "kernel=6.18.2", "kernel=7.1.3"};
	static const uint64_t ops[] = {81350, 5000, 141000, 3, 70000, 4096, 4097, 60000};
	struct comparison *c = shipped_lanes("bursts", releases, 4, true);

	(void)state;
	assert_int_equal(0, comparison_advance(c, UINT64_MAX));
	assert_true(c->complete && c->known > 141000);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		struct comparison *straight = shipped_lanes("bursts", releases, 4, false);

		assert_int_equal(0, comparison_advance(straight, ops[i]));
		assert_int_equal(0, comparison_seek(c, ops[i]));
		for (unsigned k = 0; k < 4; k++) {
			assert_int_equal(zl_sim_digest(comparison_sim(straight, k)),
				zl_sim_digest(c->lane[k].t->sim));
			assert_int_equal(0, zl_sim_check(c->lane[k].t->sim, NULL));
		}
		comparison_free(straight);
	}
	comparison_free(c);
}

/* Whoever looks at the next ops in between changes nothing. */
static void the_estimate_follows_the_op_that_was_run(void **state)
{
	static const char *const releases[] = {"kernel=6.12", "kernel=6.18.2"};
	struct comparison *a = shipped_lanes("iperf", releases, 2, false);
	struct comparison *b = shipped_lanes("iperf", releases, 2, true);
	struct compare_total ta[COMPARE_TOTALS];
	struct compare_total tb[COMPARE_TOTALS];
	unsigned estimates = 0;

	(void)state;
	assert_int_equal(0, comparison_advance(a, UINT64_MAX));
	for (uint64_t op = 1; !b->complete; op++) {
		assert_int_equal(0, comparison_advance(b, 1));
		(void)timeline_has(b->lane[op % 2].t, op + 2);
	}
	size_t n = comparison_totals(a, ta);
	assert_int_equal(n, comparison_totals(b, tb));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(ta[i].value[0], tb[i].value[0]);
		assert_int_equal(ta[i].value[1], tb[i].value[1]);
		estimates += ta[i].estimate && ta[i].value[0] > 0 ? 1 : 0;
	}
	assert_true(estimates > 0);
	comparison_free(a);
	comparison_free(b);
}

static void lanes_that_share_a_past_share_memory(void **state)
{
	static const char *const releases[] = {
		"kernel=6.12", "kernel=6.12", "kernel=6.12", "kernel=6.12"};
	size_t used[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct comparison *c = shipped_lanes("kbuild", releases, i == 0 ? 1 : 4, true);

		for (unsigned k = 0; k < c->nr_lanes; k++) { /* many states are kept */
			c->lane[k].t->distance = 4096;
			c->lane[k].t->op_bytes = 1000;
		}
		assert_int_equal(0, comparison_advance(c, 200000));
		used[i] = c->meter.used;
		comparison_free(c);
	}
	assert_true(used[1] < 2 * used[0]);
}

/* A zone without blocks of order 10 leaves those ops out, says so, and goes on. */
static void a_lane_leaves_out_what_its_zone_does_not_know(void **state)
{
	static const char text[] =
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"t\", \"phases\": "
		"[{\"programs\": "
		"[{\"do\": [{\"alloc\": 0, \"count\": 3}, {\"alloc\": 10, \"into\": \"p\"}, "
		"{\"free\": 1, \"from\": \"p\"}, {\"alloc\": 0}]}]}], \"pools\": {\"p\": {}}}";
	static const char *const set_a[] = {"arch=arm64", "kernel=6.18", "memory=4G", NULL};
	static const char *const set_b[] = {
		"arch=arm64", "kernel=6.18", "memory=4G", "max_page_order=9", NULL};
	struct zl_profile *a = profile_with(set_a);
	struct zl_profile *b = profile_with(set_b);
	struct compare_what what = {
		.nr_lanes = 2, .name = {"A", "B"},
			   .profile = {a,	  b  },
		      .seekable = true
	      };
	struct comparison *c = NULL;
	struct zl_error err = {0};
	struct zl_scenario s;
	char why[COMPARE_WHY];

	(void)state;
	if (zl_scenario_parse(text, strlen(text), zl_allocator_heap(), &s, &err) != 0) {
		fail_msg("%s", err.text);
	}
	what.scenario = &s;
	if (comparison_new(&what, zl_allocator_heap(), &c, &err) != 0) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(0, comparison_advance(c, UINT64_MAX));
	assert_true(c->complete);
	assert_int_equal(c->lane[0].taken, c->known);
	assert_int_equal(c->lane[1].taken, c->known);
	assert_int_equal(0, c->lane[0].refused);
	assert_int_equal(1, c->lane[1].refused);
	uint64_t op = c->lane[1].first_refused;
	assert_int_equal(0, comparison_seek(c, op));
	assert_true(comparison_pattern(c, op) != 0);
	comparison_why(c, (struct compare_seen){0, &c->lane[0].record},
		(struct compare_seen){1, &c->lane[1].record}, why, sizeof(why));
	assert_non_null(strstr(why, "B leaves the op out"));
	comparison_free(c);
	zl_profile_done(a, zl_allocator_heap());
	zl_profile_done(b, zl_allocator_heap());
	free(a);
	free(b);
}

static void relative_values_read_well(void **state)
{
	static const struct {
		int64_t base, value;
		const char *want;
	} table[] = {
		{952, 915, "-3.9 %"  },
		{72,  368, "5.1x"	},
		{100, 199, "+99.0 %" },
		{100, 200, "2.0x"	 },
		{0,   3,   "new"	    },
		{5,   5,   "="	  },
		{5,   0,   "-100.0 %"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char text[32];

		compare_relative(table[i].base, table[i].value, text, sizeof(text));
		assert_string_equal(table[i].want, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_divergence_is_found_and_explained),
		cmocka_unit_test(a_seekable_comparison_says_what_a_stream_says),
		cmocka_unit_test(divergences_can_be_walked_both_ways),
		cmocka_unit_test(standing_anywhere_gives_the_state_of_a_straight_run),
		cmocka_unit_test(the_estimate_follows_the_op_that_was_run),
		cmocka_unit_test(lanes_that_share_a_past_share_memory),
		cmocka_unit_test(a_lane_leaves_out_what_its_zone_does_not_know),
		cmocka_unit_test(relative_values_read_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
