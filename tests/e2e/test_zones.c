/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of several zones, CMA at run time and questions of users about them, on the command line.
 * The figures of the questions stand in tests/data/cases/NOTES and in the comments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

static void expect(struct program *p, int status, const char *words)
{
	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: exit status %d: %s%s", words, p->status, p->out, p->err);
	}
}

static void says(const struct program *p, const char *part)
{
	if (strstr(p->out, part) == NULL) {
		fail_msg("no '%s' in:\n%s", part, p->out);
	}
}

/* A size that a boot reserves places nothing in a run, which says so; the scenario places it. */
static void a_size_of_cma_alone_places_nothing(void **state)
{
	struct program *p = *state;

	expect(p, 0, "run free-order3");
	assert_null(strstr(p->out, "cma_size"));
	expect(p, 0, "run free-order3 --set cma_size=64M");
	says(p, "note: cma_size 64 MiB places no CMA area in this run");
	program_write(p, "own.json",
		"{\"kind\":\"scenario\",\"version\":1,\"name\":\"own\",\"title\":\"own\","
		"\"machine\":{\"memory\":\"1GiB\",\"cma_size\":\"64MiB\"},"
		"\"ops\":[\"alloc 0 1 1\"]}");
	expect(p, 0, "run ~/own.json");
	says(p, "note: cma_size 64 MiB places no CMA area in this run");
}

/* The free runs 4@572 7@585 7@601 8@632 38@730 166@1114 127@1921 of 2048 pages: 357 are free. */
#define RUNS                                                                                       \
	"config page_shift 12\nconfig managed 8192\nconfig pages 8192\nconfig cpus 1\n"            \
	"config wmark_min 10\nconfig wmark_low 20\nconfig wmark_high 30\nconfig scale_max 5\n"     \
	"config pageblock_order 9\nconfig max_order 10\nconfig hpage_order 9\nconfig thp 1\n"      \
	"config cache_slice_kib 0\nconfig cma 1\nconfig cma_start 4096\nconfig cma_pages 2048\n"

static const unsigned taken[][2] = {
	{572, 4  },
	{9,   7  },
	{9,   7  },
	{24,  8  },
	{90,  38 },
	{346, 166},
	{641, 127},
};

/* An op list that makes these runs, and what follows. */
static void write_runs(const struct program *p, const char *then)
{
	char text[4096] = "format 2\n" RUNS;
	size_t n = strlen(text);
	unsigned id = 1;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n,
			"cma_alloc %u 0 %u\ncma_alloc %u 0 %u\n", taken[i][0], id, taken[i][1],
			id + 1);
		id += 2;
	}
	for (unsigned k = 2; k < id; k += 2) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "cma_release %u\n", k);
	}
	snprintf(text + n, sizeof(text) - n, "%s", then);
	program_write(p, "runs.workload", text);
}

/*
 * A request of 256 pages: ENOMEM, for the longest run has 166 though 357 are free. The log line is
 * read with the same answer.
 */
static void the_longest_run_decides_not_the_sum(void **state)
{
	struct program *p = *state;

	write_runs(p, "cma_alloc 256 0 100\ncma_alloc 166 0 101\ncma_alloc 128 0 102\n");
	expect(p, 0, "run ~/runs.workload --set kernel=6.12 --trace tsv");
	says(p, "\tcma_alloc 256 0 100\t0\tenomem\t-1\t");
	says(p, "\tcma_alloc 166 0 101\t0\tok\t5210\t");   /* 4096 + 1114 */
	says(p, "\tcma_alloc 128 0 102\t0\tenomem\t-1\t"); /* 127 are left in one run */
	/* Aligned to 128 pages, 166 pages hold no run of 128: 5210 is up to 5248, then 128 short. */
	write_runs(p, "cma_alloc 128 7 100\ncma_alloc 64 6 101\n");
	expect(p, 0, "run ~/runs.workload --set kernel=6.12 --trace tsv");
	says(p, "\tcma_alloc 128 7 100\t0\tok\t5248\t");
	says(p, "\tcma_alloc 64 6 101\t0\tok\t6080\t");
	expect(p, 0, "reserve " TEST_DATA "/cases/uc30-cma-debug.txt");
	says(p, "357 of 2048 pages free in 7 runs; the longest is 166 pages");
}

/* 1 GiB with 256 MiB of CMA: 196,608 single pages for the kernel, then failure with 65,536 free. */
static void unmovable_requests_cannot_use_cma(void **state)
{
	static const char text[] =
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"cma\","
		" \"machine\": {\"arch\": \"arm64\", \"kernel\": \"6.12\", \"memory\": \"1G\","
		" \"page_size\": \"4K\", \"cpus\": 1},"
		" \"zone\": {\"cma\": \"256MiB\"}, \"parameters\": {\"n\": 196608},"
		" \"phases\": [{\"name\": \"kernel\", \"programs\": [{\"do\": [{\"alloc\": 0,"
		" \"count\": \"n\"}]}]}, {\"name\": \"one more\", \"programs\": [{\"do\":"
		" [{\"alloc\": 0}]}], \"assert\": [\"failed == 1\"]},"
		" {\"name\": \"movable\", \"programs\": [{\"do\": [{\"alloc\": 0, \"type\":"
		" \"movable\", \"count\": 1000}]}], \"assert\": [\"failed == 0 && cma_takes == "
		"1008\"]}],"
		" \"assert\": [{\"assert\": \"zone.free == zone.free_cma\", \"phase\": \"one "
		"more\"}, {\"assert\": \"zone.free == 65536\", \"phase\": \"one more\"},"
		" {\"assert\": \"failed == 0\", \"phase\": \"kernel\"}]}";
	struct program *p = *state;

	program_write(p, "cma.json", text);
	program_run(p, "check ~/cma.json", NULL);
	says(p, "ok      cma: phase one more, zone.free == zone.free_cma\n");
	says(p, "ok      cma: phase one more, zone.free == 65536\n");
	says(p, "ok      cma: phase one more, failed == 1\n");
	says(p, "ok      cma: phase kernel, failed == 0\n");
}

/*
 * Half of memory's first blocks is free, in runs of 2 MiB (64 KiB pages), and one unmovable page is
 * wanted. It takes a whole block: 8192 pages where blocks have 512 MiB, 32 where they have 2 MiB.
 * When all else is free again, 4 MiB beside it do not form with either: its other half is gone.
 */
static void one_unmovable_page_costs_a_block(void **state)
{
	static const char text[] =
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"blocks\","
		" \"machine\": {\"arch\": \"arm64\", \"kernel\": \"6.18\", \"memory\": \"8G\","
		" \"page_size\": \"64K\", \"cpus\": 1},"
		" \"pools\": {\"stay\": {}, \"go\": {}},"
		" \"phases\": ["
		" {\"name\": \"fill\", \"programs\": [{\"do\": [{\"loop\": 256, \"do\": ["
		" {\"alloc\": 0, \"type\": \"movable\", \"count\": 32, \"into\": \"go\"},"
		" {\"alloc\": 0, \"type\": \"movable\", \"count\": 32, \"into\": \"stay\"}]},"
		" {\"drain\": \"all\"}, {\"alloc\": 13, \"type\": \"movable\", \"count\": 14, "
		"\"into\": \"stay\"},"
		" {\"free\": \"all\", \"from\": \"go\"}, {\"drain\": \"all\"}]}],"
		" \"assert\": [\"buddy.largest == 5 && buddy[5] == 256\"]},"
		" {\"name\": \"page\", \"programs\": [{\"do\": [{\"ops\": [\"alloc 0 0 1\"]},"
		" {\"drain\": \"all\"}]}]},"
		" {\"name\": \"empty\", \"programs\": [{\"do\": [{\"free\": \"all\", \"from\":"
		" \"stay\"}, {\"drain\": \"all\"}]}]}],"
		" \"assert\": [\"zone.used == 1 && buddy[13] == 15\","
		" \"buddy[5] == 1 && buddy[6] == 1 && buddy[12] == 1\","
		" \"pageblocks.unmovable == 1\"]}";
	struct program *p = *state;

	program_write(p, "blocks.json", text);
	expect(p, 0, "check ~/blocks.json");
	expect(p, 0, "check ~/blocks.json --set page_block_order=5");
	expect(p, 0, "geometry --json --set arch=arm64 --set page_size=64K --set kernel=6.18");
	says(p, "\"pageblock_bytes\": 536870912");
	expect(p, 0,
		"geometry --json --set arch=arm64 --set page_size=64K --set kernel=6.18 "
		"--set page_block_order=5");
	says(p, "\"pageblock_bytes\": 2097152");
}

/* A pageset of 35,071 pages is emptied in one hold, later in 18 of at most 2016 pages. */
static void a_full_drain_is_cut_into_pieces(void **state)
{
	static const char text[] =
		"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"drain\","
		" \"machine\": {\"arch\": \"x86_64\", \"kernel\": \"6.1-rc7\", \"memory\": \"43G\","
		" \"cpus\": 40, \"percpu_pagelist_high_fraction\": 8},"
		" \"zone\": {\"managed\": 11222830, \"pages\": 131072, \"wmark_min\": 16384,"
		" \"wmark_low\": 25980, \"wmark_high\": 37000},"
		" \"phases\": [{\"name\": \"fill\", \"programs\": [{\"cpus\": 0, \"do\": ["
		"{\"alloc\": 0, \"type\": \"movable\", \"count\": 35028}, {\"free\": 35009},"
		" {\"alloc\": 0}]}], \"assert\": [\"pcp.count == 35071 && pcp.high == 35071\"]},"
		" {\"name\": \"drain\", \"programs\": [{\"cpus\": 0, \"do\": [{\"drain\": "
		"\"all\"}]}],"
		" \"assert\": [\"op.drained == 35071\", \"longest_hold_pages == 35071\", "
		"\"zone_locks == 1\"]}]}";
	struct program *p = *state;

	program_write(p, "drain.json", text);
	expect(p, 0, "check ~/drain.json");
	expect(p, 1, "check ~/drain.json --set kernel=6.1.192");
	says(p, "ok      drain: phase drain, op.drained == 35071\n");
	says(p, "zone_locks is 18");
	says(p, "longest_hold_pages is 2016");
}

static void every_zone_has_a_row_and_its_totals(void **state)
{
	struct program *p = *state;
	struct zl_json *j = NULL;
	int64_t used = 0, refused = 0, v = 0;

	expect(p, 0, "run pressure-zones --json");
	assert_int_equal(0, zl_json_parse(p->out, p->out_len, &j, NULL));
	const struct zl_json *zones = zl_json_member(j, "zones");
	assert_int_equal(2, zl_json_count(zones));
	for (const struct zl_json *z = zl_json_first(zones); z != NULL; z = zl_json_next(z)) {
		assert_int_equal(0, zl_json_get_int(zl_json_member(z, "used"), &v));
		used += v;
		assert_non_null(zl_json_member(zl_json_member(z, "totals"), "refills"));
		refused += json_number(zl_json_member(z, "totals"), "refused");
	}
	assert_int_equal(0, used);
	assert_int_equal(refused, json_number(zl_json_member(j, "totals"), "refused"));
	assert_true(refused > 0);
	assert_true(json_number(zl_json_member(j, "totals"), "kswapd_wakes") > 0);
	zl_json_free(j);
	expect(p, 2, "run pressure-zones --timed 1ms");
	expect(p, 2, "estimate pressure-zones --lane B:kernel=6.12.0");
	expect(p, 2, "compare pressure-zones --lane B:kernel=6.12.0");
	expect(p, 0, "run pressure-zones");
	says(p, "\nnode zone");
	says(p, "reclaim_rounds");
	expect(p, 0, "run pressure-zones --csv");
	says(p, "\nkswapd_wakes,");
}

/* The ops of a scenario as a list give the same trace, and diff can compare them. */
static void a_list_of_several_zones_gives_the_same_trace(void **state)
{
	struct program *p = *state;
	char *first;

	expect(p, 0, "run remote-node --trace tsv");
	first = strdup(p->out);
	assert_non_null(strstr(first, "\tbuddy\tt_ns\tnode\tzone\n"));
	expect(p, 0, "run remote-node --write-ops ~/remote.workload");
	expect(p, 0, "run ~/remote.workload --set kernel=6.1 --trace tsv");
	assert_string_equal(first, p->out);
	free(first);
	expect(p, 2, "compare ~/remote.workload --lane A:kernel=6.1 --lane B:kernel=6.18");
	assert_non_null(strstr(p->err, "several zones"));
	expect(p, 2, "run remote-node --timed all");
	assert_non_null(strstr(p->err, "one zone"));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_size_of_cma_alone_places_nothing),
		CASE(the_longest_run_decides_not_the_sum),
		CASE(unmovable_requests_cannot_use_cma),
		CASE(one_unmovable_page_costs_a_block),
		CASE(a_full_drain_is_cut_into_pieces),
		CASE(every_zone_has_a_row_and_its_totals),
		CASE(a_list_of_several_zones_gives_the_same_trace),
	};

	return cmocka_run_group_tests_name("zones", tests, NULL, NULL);
}
