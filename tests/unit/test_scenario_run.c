/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assertions: scopes, aggregates, the op that a failure names, what has no value.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_fixture.h"
#include "zonelab/diag.h"
#include "zonelab/file.h"
#include "zonelab/metrics.h"
#include "zonelab/scenario_run.h"

/* 16 MiB, 2 CPUs, batch 3: small figures that can be followed by hand. */
static void zone(struct zl_sim_config *c, const char *release)
{
	struct zl_release r;
	struct zl_diags diags = {0};

	zl_sim_config_init(c);
	assert_int_equal(zl_release_parse(release, &r), 0);
	zl_switches_for(&r, &c->switches, &diags);
	c->managed = 4096;
	c->pages = 4096;
	c->cpus = 2;
	c->wmark_min = 64;
	c->wmark_low = 80;
	c->wmark_high = 96;
	c->pageblock_order = 9;
	c->max_order = 10;
	c->hpage_order = 9;
	c->thp = true;
}

static int run_under(const char *release, const char *rest, struct zl_scenario *s,
	struct zl_scenario_result *ret, struct zl_error *err)
{
	const struct zl_run_options options = {.check = true};
	struct zl_scenario_start start = {.scenario = s, .mem = zl_allocator_heap()};

	scenario_from(rest, s);
	zone(&start.config, release);
	return zl_scenario_run(&start, &options, ret, err);
}

static int run(const char *rest, struct zl_scenario *s, struct zl_scenario_result *ret,
	struct zl_error *err)
{
	return run_under("6.18.2", rest, s, ret, err);
}

/* The one assertion of a text: whether it holds, from which op on it does not, and why. */
static void judged(const char *rest, bool held, uint64_t op, const char *why)
{
	struct zl_scenario s;
	struct zl_scenario_result r;
	struct zl_error err = {0};

	if (run(rest, &s, &r, &err) != 0) {
		fail_msg("%s: %s", rest, err.text);
	}
	assert_int_equal(s.nr_asserts, 1);
	if (!r.verdict[0].judged || r.verdict[0].held != held || r.verdict[0].op != op ||
		strstr(r.verdict[0].why, why) == NULL) {
		fail_msg("%s\njudged %d held %d op %llu: %s", rest, r.verdict[0].judged,
			r.verdict[0].held, (unsigned long long)r.verdict[0].op, r.verdict[0].why);
	}
	assert_int_equal(r.failed, held ? 0 : 1);
	zl_scenario_result_done(&r, zl_allocator_heap());
	zl_scenario_done(&s);
}

#define PROGRAM(steps) "\"programs\": [{\"do\": [" steps "]}], "

static void a_failure_names_the_op_from_which_it_does_not_hold(void **state)
{
	(void)state;
	judged(PROGRAM("{\"alloc\": 0, \"count\": 5}") "\"assert\": [\"allocs <= 3\"]", false, 4,
		"allocs is 5");
	judged(PROGRAM("{\"alloc\": 0, \"count\": 5}") "\"assert\": [\"allocs == 5\"]", true, 0,
		"");
	judged(PROGRAM("{\"alloc\": 0}, {\"free\": 1}, {\"alloc\": 0}, {\"tick\": 2}") "\"assert\":"
										       " [\"zone."
										       "used == "
										       "0\"]",
		false, 3, "zone.used is 1");
	judged(PROGRAM("{\"tick\": 2}") "\"assert\": [\"refills > 0\"]", false, 0, "refills is 0");
}

static void always_is_judged_after_each_op(void **state)
{
	(void)state;
	judged(PROGRAM("{\"alloc\": 0, \"count\": 2}, {\"free\": \"all\"}") "\"assert\": "
									    "[{\"always\": "
									    "\"zone.used <= 1\"}]",
		false, 2, "zone.used is 2");
	judged(PROGRAM("{\"alloc\": 0, \"count\": 2}, {\"free\": \"all\"}") "\"assert\": "
									    "[{\"always\": "
									    "\"zone.used <= 2\"}]",
		true, 0, "");
}

static void totals_of_a_phase_count_from_its_start(void **state)
{
	(void)state;
	judged("\"phases\": [{\"programs\": [{\"do\": [{\"alloc\": 0, \"count\": 4}]}]},"
	       "{\"programs\": [{\"do\": [{\"free\": 4}]}], \"assert\": [\"allocs == 0 && frees == "
	       "4 && ops == 4\"]}]",
		true, 0, "");
	judged("\"phases\": [{\"name\": \"a\", \"programs\": [{\"do\": [{\"alloc\": 0, \"count\": "
	       "4}]}]}, {\"programs\": [{\"do\": [{\"free\": 4}]}]}], "
	       "\"assert\": [{\"assert\": \"allocs == 3\", \"phase\": \"a\"}]",
		false, 4, "allocs is 4");
}

/* cpu 0 allocates 4 blocks of order 3; cpu 1 frees them. */
#define PAIR                                                                                       \
	"\"queues\": {\"q\": {\"capacity\": 4}}, \"programs\": [{\"cpus\": 0, \"do\": "            \
	"[{\"alloc\": "                                                                            \
	"3, \"count\": 4, \"into\": \"q\"}]}, {\"cpus\": 1, \"do\": [{\"free\": 4, \"from\": "     \
	"\"q\"}]}], "

static void aggregates_run_over_the_ops(void **state)
{
	(void)state;
	judged(PAIR "\"assert\": [\"max(op.is_alloc) == 1 && min(op.is_alloc) == 0\"]", true, 0,
		"");
	judged(PAIR "\"assert\": [\"sum(op.is_free) == frees && frees == 4\"]", true, 0, "");
	judged(PAIR "\"assert\": [\"first(zone.used) == 8 && last(zone.used) == 0\"]", true, 0, "");
	judged(PAIR "\"assert\": [\"max(zone.used) == 32\"]", true, 0, "");
	judged(PAIR "\"assert\": [\"max(pcp[1].count) == 24 && last(pcp.count) == 0\"]", true, 0,
		"");
	judged(PAIR "\"assert\": [\"pcp[0].count + pcp[1].count == zone.parked\"]", true, 0, "");
	judged(PAIR "\"assert\": [\"max(op.order) == 4\"]", false, 0, "max(op.order) is 3");
}

static void the_zone_and_the_buddy_can_be_asked(void **state)
{
	(void)state;
	judged(PROGRAM("{\"tick\": 1}") "\"assert\": [\"buddy[10] == 4 && buddy[0] == 0 && "
					"buddy.largest == 10\"]",
		true, 0, "");
	judged(PROGRAM("{\"alloc\": 3}") "\"assert\": [\"pageblocks.unmovable >= 1 && "
					 "pageblocks.pinned == 1 && pageblocks.free == 7\"]",
		true, 0, "");
	judged(PROGRAM("{\"tick\": 1}") "\"assert\": [\"zone.pages == 4096 && zone.wmark_low == 80 "
					"&& cpus == 2 && "
					"page_size == 4KiB && pageblock_pages == 512 && scale_max "
					"== 5 && design == C\"]",
		true, 0, "");
}

/* The first reclaimable page takes a whole block of order 10: two pageblocks. */
static void pages_of_every_type_and_a_full_zone_are_told(void **state)
{
	(void)state;
	judged(PROGRAM("{\"alloc\": 0, \"type\": \"reclaimable\"}") "\"assert\": "
								    "[\"pageblocks.pinned == 1 "
								    "&& "
								    "pageblocks.reclaimable == "
								    "2\"]",
		true, 0, "");
	judged(PROGRAM("{\"alloc\": 10, \"count\": 4}") "\"assert\": [\"first(buddy.largest) == 10 "
							"&& "
							"buddy.largest == -1\"]",
		true, 0, "");
}

/* Before 6.7 a pageset has one high: both ends of its range are that. */
static void a_fixed_high_is_both_ends_of_its_range(void **state)
{
	struct zl_scenario s;
	struct zl_scenario_result r;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, run_under("6.1.192",
				    PROGRAM("{\"tick\": 1}") "\"assert\": [\"pcp.high_min == "
							     "pcp.high && pcp.high_max == pcp.high "
							     "&& pcp.high == 40\"]",
				    &s, &r, &err));
	if (r.failed != 0) {
		fail_msg("%s", r.verdict[0].why);
	}
	zl_scenario_result_done(&r, zl_allocator_heap());
	zl_scenario_done(&s);
}

static void what_has_no_value_does_not_hold(void **state)
{
	(void)state;
	judged(PROGRAM("{\"tick\": 1}") "\"assert\": [\"1 / failed > 0\"]", false, 0,
		"it has no value: division by zero");
}

static void a_cpu_or_order_that_is_not_there_is_refused(void **state)
{
	struct zl_scenario s;
	struct zl_scenario_result r;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(
		run(PROGRAM("{\"tick\": 1}") "\"assert\": [\"pcp[2].count == 0\"]", &s, &r, &err),
		-EINVAL);
	assert_string_equal(err.text, "there is no CPU 2 here; 2, counted from 0");
	assert_int_equal(err.line, 2);
	zl_scenario_done(&s);
	assert_int_equal(
		run(PROGRAM("{\"alloc\": 11}") "\"assert\": [\"failed == 0\"]", &s, &r, &err),
		-EINVAL);
	assert_non_null(strstr(err.text, "order 11 is above max_order 10"));
	zl_scenario_done(&s);
}

/* That the run is refused at that column of line 3 or 2 with that sentence. */
static void refused(const char *rest, unsigned line, unsigned column, const char *sentence)
{
	struct zl_scenario s;
	struct zl_scenario_result r;
	struct zl_error err = {0};

	assert_int_equal(run(rest, &s, &r, &err), -EINVAL);
	if (err.line != line || err.column != column || strstr(err.text, sentence) == NULL) {
		fail_msg("%s\n%u:%u: %s", rest, err.line, err.column, err.text);
	}
	zl_scenario_done(&s);
}

static void what_the_zone_refuses_is_placed_in_the_file(void **state)
{
	(void)state;
	refused("\"programs\": [{\"do\": [{\"tick\": 3},\n  {\"alloc\": 11}]}]", 3, 3,
		"order 11 is above max_order 10");
	refused("\"programs\": [{\"cpus\": 1, \"do\": [\n {\"offline\": 1}]}]", 3, 2, "CPU 1");
	refused("\"ops\": [\"tick\",\n\"set high_fraction 5\", \"tick\"]", 3, 1,
		"high_fraction 5 is out of range");
	refused("\"tick_every\": \"1us\", \"programs\": [{\"do\": [{\"think\": \"9us\"},\n"
		"{\"cma_alloc\": 3}]}]",
		3, 1, "no CMA range");
}

static void metrics_are_sorted_and_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_metric_count(); i++) {
		const struct zl_metric_info *info = zl_metric_info(i);

		assert_true(strlen(info->help) > 3);
		if (i > 0) {
			assert_true(strcmp(zl_metric_info(i - 1)->name, info->name) < 0);
		}
	}
	assert_null(zl_metric_info(zl_metric_count()));
	assert_string_equal(zl_metric_nearest("free_hgih"), "free_high");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_names_the_op_from_which_it_does_not_hold),
		cmocka_unit_test(always_is_judged_after_each_op),
		cmocka_unit_test(totals_of_a_phase_count_from_its_start),
		cmocka_unit_test(aggregates_run_over_the_ops),
		cmocka_unit_test(the_zone_and_the_buddy_can_be_asked),
		cmocka_unit_test(pages_of_every_type_and_a_full_zone_are_told),
		cmocka_unit_test(a_fixed_high_is_both_ends_of_its_range),
		cmocka_unit_test(what_has_no_value_does_not_hold),
		cmocka_unit_test(a_cpu_or_order_that_is_not_there_is_refused),
		cmocka_unit_test(what_the_zone_refuses_is_placed_in_the_file),
		cmocka_unit_test(metrics_are_sorted_and_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
