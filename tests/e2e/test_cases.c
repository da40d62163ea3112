/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions of real users, asked on the command line. Where the figures come from stands in
 * tests/data/cases/NOTES and in the comments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "zonelab/json.h"

/* Runs and reads the JSON answer, which must come with this exit status. */
static struct zl_json *ask(struct program *p, int status, const char *words)
{
	struct zl_json *j = NULL;
	struct zl_error err = {0};

	program_run(p, words, NULL);
	if (p->status != status) {
		fail_msg("%s: exit status %d: %s", words, p->status, p->err);
	}
	if (zl_json_parse(p->out, p->out_len, &j, &err) != 0) {
		fail_msg("%s: %u:%u: %s", words, err.line, err.column, err.text);
	}
	return j;
}

static bool is_null(const struct zl_json *o, const char *key)
{
	return zl_json_kind(zl_json_member(o, key)) == ZL_JSON_NULL;
}

/* A diagnostic by code; NULL if it is not there. */
static const struct zl_json *diag(const struct zl_json *o, const char *code)
{
	const struct zl_json *d = zl_json_first(zl_json_member(o, "diagnostics"));

	while (d != NULL && strcmp(zl_json_text(zl_json_member(d, "code")), code) != 0) {
		d = zl_json_next(d);
	}
	return d;
}

static const struct zl_json *zone(const struct zl_json *pcp, unsigned i)
{
	const struct zl_json *z = zl_json_first(zl_json_member(pcp, "zones"));

	while (z != NULL && i-- > 0) {
		z = zl_json_next(z);
	}
	assert_non_null(z);
	return z;
}

/* The sum of a member over all zones. */
static int64_t sum(const struct zl_json *pcp, const char *key)
{
	int64_t total = 0;

	for (const struct zl_json *z = zl_json_first(zl_json_member(pcp, "zones")); z != NULL;
		z = zl_json_next(z)) {
		total += json_number(z, key);
	}
	return total;
}

/* One row of the reviewer's table: page size, orders and options in, block order and MiB out. */
static void check_row(struct program *p, char *row)
{
	static const char *const names[] = {"page", "max", "thp", "hugetlb", "cap", "order", "mib"};
	char words[512];
	const char *cell[7];
	char *rest = NULL;
	int n = 0;

	for (char *s = strtok_r(row, "\t\n", &rest); s != NULL; s = strtok_r(NULL, "\t\n", &rest)) {
		assert_true(n < 7);
		cell[n++] = s;
	}
	assert_int_equal(sizeof(names) / sizeof(names[0]), n);
	n = snprintf(words, sizeof(words),
		"geometry --json --set arch=arm64 --set kernel=6.18 --set page_size=%sK --set "
		"max_page_order=%s --set thp=%s --set hugetlb=%s",
		cell[0], cell[1], cell[2], cell[3]);
	if (cell[4][0] != '-') {
		snprintf(words + n, sizeof(words) - (size_t)n, " --set page_block_order=%s",
			cell[4]);
	}
	struct zl_json *j = ask(p, 0, words);
	assert_int_equal(atoi(cell[5]), json_number(j, "pageblock_order"));
	assert_int_equal(
		INT64_C(1048576) * atoi(cell[6]), json_number(j, "cma_min_alignment_bytes"));
	assert_int_equal(atoi(cell[0]) * 1024, json_number(j, "page_size"));
	assert_int_equal(atoi(cell[1]), json_number(j, "max_page_order"));
	zl_json_free(j);
}

static void a_reviewer_checks_the_table_of_a_commit_message(void **state)
{
	struct program *p = *state;
	FILE *f = fopen(TEST_DATA "/cases/uc02-expected-matrix.tsv", "r");
	char row[256];
	unsigned rows = 0;

	assert_non_null(f);
	while (fgets(row, sizeof(row), f) != NULL) {
		if (row[0] != '#') {
			check_row(p, row);
			rows++;
		}
	}
	fclose(f);
	assert_int_equal(10, rows);
}

static void the_matrix_has_a_row_for_each_page_size(void **state)
{
	struct program *p = *state;
	static const int64_t mib[] = {2, 32, 512};
	struct zl_json *j = ask(p, 0, "geometry --matrix --json");
	const struct zl_json *row = zl_json_first(zl_json_member(j, "rows"));

	assert_string_equal("geometry-matrix", zl_json_text(zl_json_member(j, "kind")));
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(row);
		assert_int_equal(mib[i] * 1048576, json_number(row, "cma_min_alignment_bytes"));
		assert_true(is_null(zl_json_member(row, "settings"), "max_page_order"));
		row = zl_json_next(row);
	}
	assert_null(row);
	zl_json_free(j);
	/* An order that one page size cannot have is told by that row and by the exit status. */
	j = ask(p, 1, "geometry --matrix --json --set max_page_order=10");
	row = zl_json_first(zl_json_member(j, "rows"));
	assert_null(diag(row, "thp-order"));
	assert_int_equal(9, json_number(row, "pageblock_order"));
	row = zl_json_next(row);
	assert_non_null(diag(row, "thp-order"));
	assert_true(is_null(row, "pageblock_order"));
	zl_json_free(j);
}

/* 15 as the old symbol writes it is order 14: blocks of 64 MiB, one of them for high-atomic use. */
static void a_large_maximum_order_makes_large_blocks(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 0,
		"geometry --json --set arch=arm --set lpae=off --set thp=off --set hugetlb=off "
		"--set "
		"kernel=5.10 --set max_page_order=14 --set memory=256M --size 64M");
	const struct zl_json *pool = zl_json_first(zl_json_member(j, "pools"));

	assert_int_equal(64 * 1048576, json_number(j, "pageblock_bytes"));
	assert_int_equal(64 * 1048576, json_number(j, "cma_min_alignment_bytes"));
	assert_int_equal(0, json_number(pool, "waste_bytes"));
	zl_json_free(j);
	j = ask(p, 0,
		"geometry --json --set arch=arm --set lpae=off --set thp=off --set hugetlb=off "
		"--set "
		"kernel=5.10 --set max_page_order=10 --set memory=256M");
	assert_int_equal(4 * 1048576, json_number(j, "pageblock_bytes"));
	zl_json_free(j);
}

static void a_block_order_above_the_buddy_order_does_not_build(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 1,
		"geometry --json --set arch=powerpc64 --set kernel=6.16 --set page_size=64K --set "
		"max_page_order=8 --set page_block_order=10");
	const struct zl_json *d = diag(j, "block-order-above-max");

	assert_non_null(d);
	assert_string_equal("error", zl_json_text(zl_json_member(d, "severity")));
	assert_non_null(strstr(zl_json_text(zl_json_member(d, "fix")), "<= 8"));
	assert_true(is_null(j, "pageblock_order"));
	assert_true(is_null(j, "cma_min_alignment_bytes"));
	zl_json_free(j);
	j = ask(p, 0,
		"geometry --json --set arch=powerpc64 --set kernel=6.16 --set page_size=64K --set "
		"max_page_order=8 --set page_block_order=8");
	assert_null(diag(j, "block-order-above-max"));
	assert_int_equal(5, json_number(j, "pageblock_order")); /* huge pages of 2 MiB */
	zl_json_free(j);
}

/* The symbol is an upper limit: 10 with huge pages of order 9 gives 9. */
static void the_symbol_is_not_the_effective_order(void **state)
{
	struct program *p = *state;
	static const char *const asked[] = {
		"geometry --json --set kernel=6.16 --set page_block_order=10",
		"geometry --json --set kernel=6.17 --set page_block_max_order=10",
		"geometry --json --set kernel=7.3 --set PAGE_BLOCK_MAX_ORDER=10",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct zl_json *j = ask(p, 0, asked[i]);
		assert_int_equal(9, json_number(j, "pageblock_order"));
		assert_int_equal(
			10, json_number(zl_json_member(j, "settings"), "page_block_order"));
		zl_json_free(j);
	}
	program_run(p, "geometry --set kernel=6.16", NULL);
	assert_non_null(strstr(p->out, "\nPAGE_BLOCK_ORDER "));
	program_run(p, "geometry --set kernel=6.17", NULL);
	assert_non_null(strstr(p->out, "\nPAGE_BLOCK_MAX_ORDER "));
	program_run(p, "geometry --set kernel=6.15", NULL);
	assert_null(strstr(p->out, "PAGE_BLOCK_"));
}

/* 512 MiB x 2 zones x 11 = 11 264 MiB; with 4 KiB pages the square root wins. */
static void large_blocks_make_large_watermarks(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 0,
		"pcp --json --set kernel=6.14 --set page_size=64K --set zones=DMA:4G,Normal:476G");
	const int64_t mib = 16; /* pages of 64 KiB */

	assert_int_equal(11264 * 1024, json_number(j, "min_free_kbytes"));
	assert_in_range(sum(j, "wmark_min"), 11263 * mib, 11264 * mib);
	assert_in_range(sum(j, "wmark_low"), 14079 * mib, 14080 * mib);
	assert_in_range(sum(j, "wmark_high"), 16895 * mib, 16896 * mib);
	zl_json_free(j);
	j = ask(p, 0, "pcp --json --set kernel=6.14 --set zones=DMA:4G,Normal:476G");
	const struct zl_json *terms = zl_json_member(j, "min_free");
	assert_int_equal(89738, json_number(j, "min_free_kbytes"));
	assert_int_equal(89738, json_number(terms, "sqrt_kbytes"));
	assert_int_equal(45056, json_number(terms, "thp_kbytes"));
	zl_json_free(j);
	/* The text names both terms, the number of zones and the winner. */
	program_run(p, "pcp --set kernel=6.14 --set page_size=64K --set zones=DMA:4G,Normal:476G",
		NULL);
	assert_non_null(strstr(p->out, "khugepaged's recommendation wins"));
	assert_non_null(strstr(p->out, "(2 + 3 x 3) x zones 2 x 512 MiB"));
	assert_non_null(strstr(p->out, "min_free_sqrt_kbytes"));
	assert_non_null(strstr(p->out, "min_free_thp_cap_kbytes"));
}

/* 22 528 KiB for each zone of 2 MiB blocks. */
static void khugepaged_recommends_by_the_number_of_zones(void **state)
{
	struct program *p = *state;
	static const struct {
		const char *machine;
		int64_t kbytes;
	} rows[] = {
		{"--set zones=DMA:4G,Normal:4G",					 45056 },
		{"--set zones=DMA:16M,DMA32:4G,Normal:8G",				   67584 },
		{"--set arch=x86_64 --set zones=auto --set memory=16G --set nodes=2", 90112 },
		{"--set arch=x86_64 --set zones=auto --set memory=64G --set nodes=8", 225280},
		{"--set zones=DMA:4G,Normal:4G --set thp_enabled=never",		 11585 },
		{"--set zones=DMA:4G,Normal:4G --set thp=off",			       11585 },
		{"--set zones=DMA:4G,Normal:4G --set min_free_kbytes=300000",	      300000},
 /* Tuned to 135 168 and to 90 000, found at 225 280 and 90 112. */
		{"--set arch=x86_64 --set zones=auto --set memory=64G --set nodes=8 --set "
		 "min_free_kbytes=135168",			   225280},
		{"--set arch=x86_64 --set zones=auto --set memory=16G --set nodes=2 --set "
		 "min_free_kbytes=90000",			    90112 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char words[256];

		snprintf(words, sizeof(words), "pcp --json %s", rows[i].machine);
		struct zl_json *j = ask(p, 0, words);
		assert_int_equal(rows[i].kbytes, json_number(j, "min_free_kbytes"));
		zl_json_free(j);
	}
}

/* The other way: from a value that was set or found to the number of zones. */
static void a_value_of_khugepaged_tells_its_number_of_zones(void **state)
{
	struct program *p = *state;
	static const struct {
		const char *machine;
		int64_t zones; /* 0 = null */
	} rows[] = {
		{"--set thp_enabled=never --set min_free_kbytes=67584",			3 },
		{"--set thp_enabled=never --set min_free_kbytes=225280",			 10},
		{"--set thp_enabled=never --set min_free_kbytes=67585",			0 },
		{"--set thp_enabled=never --set page_size=64K --set min_free_kbytes=11534336", 2 },
		{"",									   0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char words[256];

		snprintf(words, sizeof(words), "pcp --json %s", rows[i].machine);
		struct zl_json *j = ask(p, 0, words);
		const struct zl_json *terms = zl_json_member(j, "min_free");
		if (rows[i].zones == 0) {
			assert_true(is_null(terms, "zones_inferred"));
		} else {
			assert_int_equal(rows[i].zones, json_number(terms, "zones_inferred"));
		}
		zl_json_free(j);
	}
}

/* managed / fraction / CPUs, the batch unchanged; by default low watermark / CPUs. */
static void the_high_fraction_divides_managed_pages(void **state)
{
	struct program *p = *state;
	static const struct {
		const char *fraction;
		int64_t high;
	} rows[] = {
		{"0",  649	 },
		{"8",  35071},
		{"64", 4383 },
	};
	const char *machine = "--set kernel=5.15 --set cpus=40 --set zones=Normal:44891320K --set "
			      "thp_enabled=never --set min_free_kbytes=59028";
	char words[512];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(words, sizeof(words),
			"pcp --json %s --set percpu_pagelist_high_fraction=%s", machine,
			rows[i].fraction);
		struct zl_json *j = ask(p, 0, words);
		assert_int_equal(11222830, json_number(zone(j, 0), "managed"));
		assert_int_equal(rows[i].high, json_number(zone(j, 0), "high_min"));
		assert_int_equal(rows[i].high, json_number(zone(j, 0), "high_max"));
		assert_int_equal(63, json_number(zone(j, 0), "batch"));
		const struct zl_json *parked = zl_json_first(zl_json_member(j, "parked"));
		assert_int_equal(rows[i].high * 40, json_number(parked, "high_max_pages"));
		zl_json_free(j);
	}
	snprintf(words, sizeof(words), "pcp %s --set percpu_pagelist_high_fraction=7", machine);
	program_run(p, words, NULL);
	assert_int_equal(2, p->status);
	assert_non_null(strstr(p->err, "at least 8"));
}

static void the_batch_follows_from_zone_and_page_size(void **state)
{
	struct program *p = *state;
	static const struct {
		const char *machine;
		int64_t batch, burst;
	} rows[] = {
		{"--set zones=Normal:901120K",	       63, 2016},
		{"--set zones=DMA:916480K",		    63, 2016},
		{"--set zones=DMA32:3080192K",	       63, 2016},
		{"--set zones=Normal:786432K",	       63, 2016},
		{"--set zones=HighMem:262144K",		15, 480 },
		{"--set zones=DMA:186944K",		    15, 480 },
		{"--set zones=DMA:16M",			1,  32  },
		{"--set memory=4G --set page_size=16K", 15, 480 },
		{"--set memory=4G --set page_size=64K", 3,  96  },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char words[256];

		snprintf(words, sizeof(words), "pcp --json %s", rows[i].machine);
		struct zl_json *j = ask(p, 0, words);
		assert_int_equal(rows[i].batch, json_number(zone(j, 0), "batch"));
		assert_int_equal(rows[i].burst, json_number(zone(j, 0), "free_count_ceiling"));
		zl_json_free(j);
	}
}

static void pools_are_told_their_legal_neighbours(void **state)
{
	struct program *p = *state;
	struct zl_json *j =
		ask(p, 0, "geometry --json --set page_size=16K --size 4M --size 64M --size 65M");
	const struct zl_json *pool = zl_json_first(zl_json_member(j, "pools"));

	assert_int_equal(4 * 1048576, json_number(pool, "requested_bytes"));
	assert_int_equal(32 * 1048576, json_number(pool, "required_bytes"));
	assert_int_equal(28 * 1048576, json_number(pool, "waste_bytes"));
	assert_true(is_null(pool, "legal_below_bytes"));
	pool = zl_json_next(pool);
	assert_int_equal(64 * 1048576, json_number(pool, "legal_below_bytes"));
	assert_int_equal(64 * 1048576, json_number(pool, "required_bytes"));
	pool = zl_json_next(pool);
	assert_int_equal(64 * 1048576, json_number(pool, "legal_below_bytes"));
	assert_int_equal(96 * 1048576, json_number(pool, "legal_above_bytes"));
	zl_json_free(j);
}

/* Orders 7 and 8 keep a pool of 4 MiB exact; 9 is the largest that leaves free_high alive. */
static void every_block_order_is_compared(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 0, "geometry --orders --json --set page_size=16K");
	const struct zl_json *row = zl_json_first(zl_json_member(j, "rows"));
	int64_t order = 0;

	for (; row != NULL; row = zl_json_next(row)) {
		bool fires = false;

		assert_int_equal(++order, json_number(row, "page_block_order"));
		assert_int_equal(INT64_C(16384) << order, json_number(row, "pageblock_bytes"));
		assert_int_equal(order <= 8, json_number(row, "pool_waste_bytes") == 0);
		assert_int_equal(
			0, zl_json_get_bool(zl_json_member(row, "free_high_reachable"), &fires));
		assert_int_equal(order <= 9, fires);
	}
	assert_int_equal(11, order);
	zl_json_free(j);
	program_run(p, "geometry --orders --set kernel=6.12", NULL);
	assert_int_equal(2, p->status);
}

/* Precedence: files in their order, then --profile, then --set. */
static void files_are_read_into_the_machine(void **state)
{
	struct program *p = *state;
	const char *config = TEST_DATA "/cases/uc03-arm64-16k.config";
	char words[1024];

	snprintf(words, sizeof(words), "geometry --json %s", config);
	struct zl_json *j = ask(p, 0, words);
	assert_int_equal(16384, json_number(j, "page_size"));
	assert_int_equal(2 * 1048576, json_number(j, "pageblock_bytes"));
	zl_json_free(j);
	snprintf(words, sizeof(words), "geometry --json %s --set page_block_order=9", config);
	j = ask(p, 0, words);
	assert_int_equal(8 * 1048576, json_number(j, "pageblock_bytes"));
	zl_json_free(j);
	snprintf(words, sizeof(words), "geometry --json %s --set page_block_order=default", config);
	j = ask(p, 0, words);
	assert_int_equal(32 * 1048576, json_number(j, "pageblock_bytes"));
	zl_json_free(j);
	/* The later file wins. */
	program_write(p, "more.config", "CONFIG_PAGE_BLOCK_MAX_ORDER=8\n");
	snprintf(words, sizeof(words), "geometry --json %s ~/more.config", config);
	j = ask(p, 0, words);
	assert_int_equal(4 * 1048576, json_number(j, "pageblock_bytes"));
	zl_json_free(j);
	snprintf(words, sizeof(words), "geometry --json %s --profile generic-arm64-4k", config);
	j = ask(p, 0, words);
	assert_int_equal(4096, json_number(j, "page_size"));
	zl_json_free(j);
	snprintf(words, sizeof(words), "explain pageblock_order %s --json", config);
	j = ask(p, 0, words);
	assert_int_equal(7, json_number(j, "value"));
	zl_json_free(j);
	snprintf(words, sizeof(words), "list settings --resolved %s", config);
	program_run(p, words, NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "file\n"));
}

static void a_bad_configuration_is_refused_with_its_reason(void **state)
{
	struct program *p = *state;
	struct zl_json *j =
		ask(p, 1, "geometry --json " TEST_DATA "/cases/uc26-powerpc-bad.config");
	const struct zl_json *d = diag(j, "block-order-above-max");

	assert_non_null(d);
	assert_non_null(strstr(zl_json_text(zl_json_member(d, "fix")), "<= 8"));
	zl_json_free(j);
}

/* FORCE_MAX_ZONEORDER=15 counts orders: 14 is the largest. */
static void the_old_symbol_counts_orders(void **state)
{
	struct program *p = *state;
	struct zl_json *j = ask(p, 0,
		"geometry --json --set arch=arm --set lpae=off --set kernel=5.10 " TEST_DATA
		"/cases/uc09-sama5.config");

	assert_int_equal(14, json_number(j, "max_page_order"));
	assert_int_equal(64 * 1048576, json_number(j, "pageblock_bytes"));
	assert_non_null(diag(j, "max-order-exclusive"));
	zl_json_free(j);
}

/* The zoneinfo of two CPUs of forty: its watermarks stand while nothing that they follow from changes. */
static void reported_watermarks_stand(void **state)
{
	struct program *p = *state;
	static const struct {
		const char *change;
		int64_t low, high_min;
	} rows[] = {
		{"--set kernel=5.15",						      25980, 649},
		{"--set kernel=5.15 --set cpus=40",					    25980, 649},
		{"--set kernel=5.15 --set cpus=40 --set percpu_pagelist_high_fraction=8",  25980,
			35071									       },
		{"--set kernel=5.15 --set cpus=40 --set percpu_pagelist_high_fraction=64", 25980,
			4383										},
		{"--set kernel=6.12 --set cpus=40",					    25980, 649},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char words[512];

		snprintf(words, sizeof(words),
			"pcp --json " TEST_DATA "/cases/uc42-zoneinfo-5.14-to-6.12.txt %s",
			rows[i].change);
		struct zl_json *j = ask(p, 0, words);
		assert_int_equal(rows[i].low, json_number(zone(j, 0), "wmark_low"));
		assert_int_equal(rows[i].high_min, json_number(zone(j, 0), "high_min"));
		assert_int_equal(63, json_number(zone(j, 0), "batch"));
		zl_json_free(j);
	}
	program_run(p,
		"pcp --set kernel=5.15 --set watermark_scale_factor=20 " TEST_DATA
		"/cases/uc42-zoneinfo-5.14-to-6.12.txt",
		NULL);
	assert_int_equal(0, p->status);
	assert_non_null(strstr(p->out, "Was, as the file reported it"));
	assert_non_null(strstr(p->out, "25 980"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, program_setup, program_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_reviewer_checks_the_table_of_a_commit_message),
		CASE(the_matrix_has_a_row_for_each_page_size),
		CASE(a_large_maximum_order_makes_large_blocks),
		CASE(a_block_order_above_the_buddy_order_does_not_build),
		CASE(the_symbol_is_not_the_effective_order),
		CASE(large_blocks_make_large_watermarks),
		CASE(khugepaged_recommends_by_the_number_of_zones),
		CASE(a_value_of_khugepaged_tells_its_number_of_zones),
		CASE(the_high_fraction_divides_managed_pages),
		CASE(the_batch_follows_from_zone_and_page_size),
		CASE(pools_are_told_their_legal_neighbours),
		CASE(every_block_order_is_compared),
		CASE(files_are_read_into_the_machine),
		CASE(a_bad_configuration_is_refused_with_its_reason),
		CASE(the_old_symbol_counts_orders),
		CASE(reported_watermarks_stand),
	};

	return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
