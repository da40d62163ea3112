/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios of several zones: the steps for contiguous allocations, pins, CPUs and zones, what is
 * refused, and metrics over zones.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_fixture.h"
#include "zonelab/file.h"
#include "zonelab/scenario_run.h"

#define STEPS(list)   "\"programs\": [{\"do\": [" list "]}]"
#define PROGRAM(list) STEPS(list) ", "

static void the_steps_make_the_ops(void **state)
{
	(void)state;
	scenario_gives(STEPS("{\"cma_alloc\": 8, \"align\": 2, \"count\": 2}, {\"free\": \"all\"}"),
		1, "cma_alloc 8 2 1;cma_alloc 8 2 2;free 1;free 2");
	scenario_gives(STEPS("{\"cma_alloc\": \"4 + cpu\"}"), 1, "cma_alloc 4 0 1");
	scenario_gives(STEPS("{\"alloc\": 0, \"count\": 3}, {\"pin\": 2}, {\"unpin\": \"all\"}"), 1,
		"alloc 0 0 1;alloc 0 0 2;alloc 0 0 3;pin 1;pin 2;unpin 1;unpin 2;unpin 3");
	scenario_gives(STEPS("{\"alloc\": 0, \"count\": 3}, {\"pin\": 2, \"pick\": \"newest\"}"), 1,
		"alloc 0 0 1;alloc 0 0 2;alloc 0 0 3;pin 3;pin 2");
	/* More than there is pins what there is. */
	scenario_gives(
		STEPS("{\"alloc\": 0}, {\"pin\": 9}, {\"tick\": 1}"), 1, "alloc 0 0 1;pin 1;tick");
	scenario_gives(STEPS("{\"offline\": 5}, {\"online\": 1}"), 4, "offline 1;online 1");
	scenario_gives(STEPS("{\"node\": 1}, {\"zone\": \"DMA32\"}, {\"reclaim\": 32}, {\"zone\": "
			     "\"any\"}, {\"node\": \"local\"}"),
		1, "node 1;zone DMA32;reclaim 32;zone any;node local");
	scenario_gives(STEPS("{\"set\": {\"pcp_disabled\": 1, \"min_free_kbytes\": 900}}"), 1,
		"set pcp_disabled 1;set min_free_kbytes 900");
	scenario_gives(
		"\"ops\": [\"cma_alloc 4 1 9\", \"pin 9\", \"cma_release 9\", \"node local\", "
		"\"zone Normal\", \"reclaim 3\", \"offline 3\"]",
		2,
		"cma_alloc 4 1 9;pin 9;cma_release 9;node local;zone Normal;reclaim 3;offline 1");
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	scenario_refused(
		STEPS("{\"cma_alloc\": 8, \"type\": \"movable\"}"), 2, 39, "unknown key 'type'");
	scenario_refused(STEPS("{\"zone\": \"Fast\"}"), 2, 31,
		"'Fast' is not known here; one of DMA, DMA32, Normal, HighMem, Movable, any");
	scenario_refused("\"zone\": {\"all\": true, \"name\": \"DMA\"}, " STEPS("{\"tick\": 1}"), 2,
		9, "with all zones none has figures of its own");
	scenario_refused("\"zone\": {\"watermarks\": false}, " STEPS("{\"tick\": 1}"), 2, 9,
		"need \"all\": true");
	scenario_refused("\"zone\": {\"cma\": -1}, " STEPS("{\"tick\": 1}"), 2, 17, "impossible");
	scenario_refused("\"ops\": [\"zone Fast\"]", 2, 9, "'Fast' is no zone");
	scenario_refused("\"ops\": [\"cma_alloc 4 1\"]", 2, 9, "write cma_alloc PAGES ALIGN ID");
	scenario_refused("\"ops\": [\"unreserve 0 0\"]", 2, 9, "'unreserve' is no op");
	scenario_stops(STEPS("{\"cma_alloc\": 0}"), 1, -ERANGE, "cma_alloc: 0 is impossible here");
}

/* DMA of 512 and Normal of 2048 pages on a node, Normal of 2048 on another; CMA in the first. */
static void machine(struct zl_system_config *c)
{
	static const struct {
		unsigned node;
		enum zl_zone_type type;
		uint64_t pages;
	} zones[] = {
		{0, ZL_ZONE_DMA,	 1024},
		{0, ZL_ZONE_NORMAL, 4096},
		{1, ZL_ZONE_NORMAL, 4096},
	};
	struct zl_release r;

	zl_system_config_init(c);
	c->nodes = 2;
	c->cpus = 2;
	zl_system_split_cpus(c);
	assert_int_equal(zl_release_parse("6.18.2", &r), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct zl_system_zone *z = &c->zone[c->nr_zones++];
		struct zl_sim_config *s = &z->config;

		z->node = zones[i].node;
		z->type = zones[i].type;
		zl_sim_config_init(s);
		zl_switches_for(&r, &s->switches, NULL);
		s->managed = zones[i].pages;
		s->pages = zones[i].pages;
		s->wmark_min = 64;
		s->wmark_low = 80;
		s->wmark_high = 96;
		s->pageblock_order = 7;
		s->max_order = 9;
		s->hpage_order = 7;
		s->thp = true;
		s->cma = true;
	}
	c->zone[1].config.cma_start = 1024;
	c->zone[1].config.cma_pages = 1024;
}

/* The one assertion of a text must hold, or fail with @why. */
static void judged(const char *rest, const char *why)
{
	const struct zl_run_options options = {.check = true};
	struct zl_system_config *c = malloc(sizeof(*c));
	struct zl_scenario_start start = {.system = c, .mem = zl_allocator_heap()};
	struct zl_scenario_result *r = malloc(sizeof(*r));
	struct zl_scenario s;
	struct zl_error err = {0};
	int rc;

	assert_non_null(c);
	assert_non_null(r);
	scenario_from(rest, &s);
	machine(c);
	start.scenario = &s;
	rc = zl_scenario_run(&start, &options, r, &err);
	if (rc != 0) {
		if (why == NULL || strstr(err.text, why) == NULL) {
			fail_msg("%s: %s", rest, err.text);
		}
	} else if (r->verdict[0].held != (why == NULL) ||
		   (why != NULL && strstr(r->verdict[0].why, why) == NULL)) {
		fail_msg("%s: %s", rest, r->verdict[0].why);
	}
	if (rc == 0) {
		zl_scenario_result_done(r, zl_allocator_heap());
	}
	zl_scenario_done(&s);
	free(r);
	free(c);
}

static void metrics_are_sums_or_those_of_one_zone(void **state)
{
	(void)state;
	judged(PROGRAM("{\"alloc\": 0, \"count\": 10}") "\"assert\": [\"zone[1].used == 10 && "
							"zone[0].used == 0 && zone.used == 10\"]",
		NULL);
	judged(PROGRAM("{\"tick\": 1}") "\"assert\": [\"zone.free == 9216 && zone[2].free == 4096 "
					"&& "
					"zone.managed == 9216 && zone[0].managed == 1024\"]",
		NULL);
	judged(PROGRAM("{\"tick\": 1}") "\"assert\": [\"buddy[9] == 18 && buddy.largest == 9\"]",
		NULL);
	judged(PROGRAM("{\"node\": 1}, {\"alloc\": 0, \"count\": 3}") "\"assert\": "
								      "[\"zone[2].refills "
								      "> 0 && zone[1].refills == "
								      "0\"]",
		NULL);
	judged(PROGRAM("{\"alloc\": 0}") "\"assert\": [\"zone[1].refills == 9\"]",
		"zone[1].refills is 1");
	judged(PROGRAM("{\"alloc\": 0}") "\"assert\": [\"zone[3].used == 0\"]",
		"there is no zone 3 here; 3, counted from 0");
	/* All of node 0, then the other node; kswapd is not woken for that. */
	judged(PROGRAM("{\"alloc\": 0, \"count\": 6000}") "\"assert\": [\"zone_fallbacks > 0 && "
							  "node_fallbacks > 0 && kswapd_wakes == "
							  "0 && failed == 0\"]",
		NULL);
	judged(PROGRAM("{\"alloc\": 0, \"count\": 9000}") "\"assert\": [\"failed > 0 && "
							  "kswapd_wakes == 2 && zone[0].free <= "
							  "64\"]",
		NULL);
	judged(PROGRAM("{\"cma_alloc\": 100, \"count\": 11}") "\"assert\": [\"cma_failed == 1 && "
							      "zone[1].cma_used == 1000\"]",
		NULL);
}

/* The last op: of order 2, a refill; then a free of it. */
static void figures_of_an_op_are_those_of_the_whole_machine(void **state)
{
	(void)state;
	judged(PROGRAM("{\"alloc\": 2}") "\"assert\": [\"op.is_alloc == 1 && op.is_free == 0 && "
					 "op.is_tick == 0 && op.order == 2 && op.refills == 1 && "
					 "op.zone_locks == 1 && op.refill_got == op.refill_req && "
					 "op.pfn >= 0 && op.drained == 0\"]",
		NULL);
	judged(PROGRAM("{\"alloc\": 2}, {\"free\": 1}") "\"assert\": [\"op.is_free == 1 && "
							"op.is_alloc == 0 && op.refills == 0\"]",
		NULL);
	judged(PROGRAM("{\"alloc\": 2}, {\"tick\": 1}") "\"assert\": [\"op.is_tick == 1\"]", NULL);
	judged(PROGRAM("{\"alloc\": 2}") "\"assert\": [\"op.order == 3\"]", "op.order is 2");
}

static void one_zone_has_no_number(void **state)
{
	const struct zl_run_options options = {0};
	struct zl_system_config *c = malloc(sizeof(*c));
	struct zl_scenario_start start = {.mem = zl_allocator_heap()};
	struct zl_scenario_result *r = malloc(sizeof(*r));
	struct zl_error err = {0};
	struct zl_scenario s;

	(void)state;
	assert_non_null(c);
	assert_non_null(r);
	scenario_from(PROGRAM("{\"tick\": 1}") "\"assert\": [\"zone[0].free > 0\"]", &s);
	machine(c);
	start.scenario = &s;
	start.config = c->zone[1].config;
	assert_int_equal(-EINVAL, zl_scenario_run(&start, &options, r, &err));
	assert_non_null(strstr(err.text, "the run has one zone alone"));
	zl_scenario_done(&s);
	free(r);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_steps_make_the_ops),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(metrics_are_sums_or_those_of_one_zone),
		cmocka_unit_test(figures_of_an_op_are_those_of_the_whole_machine),
		cmocka_unit_test(one_zone_has_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
