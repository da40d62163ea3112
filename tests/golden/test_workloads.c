/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every recorded workload under one release, row by row and column by column. The argument is the
 * folder of the recordings and the release.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "tsv.h"
#include "zonelab/file.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

#define WORKLOADS_MAX 128
#define PATH_SIZE     512
#define LINE_SIZE     4096

struct recording {
	char name[64];
	char title[128];
	const char *release;
	bool summed; /* the summary has a row */
	char trace[PATH_SIZE];
	/* From the summary. */
	uint64_t ops, refills, blocks_refilled, free_high, pages_drained, bulk_calls, zone_locks;
	uint64_t direct_buddy, failed, max_count, max_high, final_count, final_buddy_free;
};

static struct recording recordings[WORKLOADS_MAX];

static struct zl_sim *sim_of(const struct zl_workload *w, const char *release)
{
	struct zl_sim_config config = w->config;
	struct zl_release r;
	struct zl_error err = {0};
	struct zl_sim *sim;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &config.switches, NULL);
	assert_int_equal(0, zl_sim_new(&config, zl_allocator_heap(), &sim, &err));
	return sim;
}

static void load(const struct recording *rec, struct zl_workload *w)
{
	struct zl_error err = {0};
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "%s/golden/workloads/%s.workload.gz", TEST_DATA, rec->name);
	if (zl_workload_load(path, zl_allocator_heap(), w, &err) != 0) {
		fail_msg("%s:%u:%u: %s", path, err.line, err.column, err.text);
	}
}

/* The row that we print is the row that was recorded, to the last byte. */
static void expect_row(gzFile trace, const struct zl_buf *got, const struct recording *rec)
{
	char line[LINE_SIZE];

	if (gzgets(trace, line, sizeof(line)) == NULL) {
		fail_msg("%s: the recording ends before our run: %s", rec->name, zl_buf_text(got));
	}
	if (strcmp(line, zl_buf_text(got)) != 0) {
		fail_msg("%s under %s\nrecorded %sours     %s", rec->name, rec->release, line,
			zl_buf_text(got));
	}
}

static void every_column_of_every_row_agrees(void **state)
{
	const struct recording *rec = *state;
	gzFile trace = gzopen(rec->trace, "rb");
	struct zl_workload w;
	struct zl_buf row = {0};
	struct zl_record r;
	struct zl_sim *sim;
	char rest[2];

	assert_non_null(trace);
	load(rec, &w);
	sim = sim_of(&w, rec->release);
	zl_trace_header(ZL_TRACE_TSV, &row);
	expect_row(trace, &row, rec);
	for (size_t i = 0; i <= w.nr_ops; i++) {
		if (i > 0) {
			assert_int_equal(0, zl_sim_apply(sim, &w.ops[i - 1]));
		}
		zl_sim_record(sim, &r);
		zl_buf_clear(&row);
		zl_trace_record(ZL_TRACE_TSV, &r, &row);
		expect_row(trace, &row, rec);
	}
	assert_null(gzgets(trace, rest, sizeof(rest)));
	gzclose(trace);
	zl_buf_done(&row);
	zl_sim_free(sim);
	zl_workload_done(&w);
}

static void totals_agree_with_the_summary(void **state)
{
	const struct recording *rec = *state;
	const struct zl_run_options options = {.check = true};
	struct zl_run_result got;
	struct zl_switches switches;
	struct zl_release r;
	struct zl_workload w;
	struct zl_error err = {0};

	load(rec, &w);
	assert_int_equal(0, zl_release_parse(rec->release, &r));
	zl_switches_for(&r, &switches, NULL);
	if (zl_run_workload(&w, &switches, &options, &got, &err) != 0) {
		fail_msg("%s:%u: %s", rec->name, err.line, err.text);
	}
	assert_int_equal(rec->ops, got.ops);
	assert_int_equal(rec->refills, got.totals.refills);
	assert_int_equal(rec->blocks_refilled, got.totals.blocks_refilled);
	assert_int_equal(rec->free_high, got.totals.free_high);
	assert_int_equal(rec->pages_drained, got.totals.pages_drained);
	assert_int_equal(rec->bulk_calls, got.totals.bulk_calls);
	assert_int_equal(rec->zone_locks, got.totals.zone_locks);
	assert_int_equal(rec->direct_buddy, got.totals.direct_buddy);
	assert_int_equal(rec->failed, got.totals.failed);
	assert_int_equal(rec->max_count, got.max_count);
	assert_int_equal(rec->max_high, got.max_high);
	assert_int_equal(rec->final_count, got.final_count);
	assert_int_equal(rec->final_buddy_free, got.final_buddy_free);
	zl_workload_done(&w);
}

static void take_row(struct recording *rec, const struct tsv *t)
{
	snprintf(rec->name, sizeof(rec->name), "%s", tsv_text(t, "workload"));
	rec->ops = tsv_u64(t, "ops");
	rec->refills = tsv_u64(t, "refills");
	rec->blocks_refilled = tsv_u64(t, "blocks_refilled");
	rec->free_high = tsv_u64(t, "free_high_ops");
	rec->pages_drained = tsv_u64(t, "pages_drained");
	rec->bulk_calls = tsv_u64(t, "bulk_calls");
	rec->zone_locks = tsv_u64(t, "zone_locks");
	rec->direct_buddy = tsv_u64(t, "direct_buddy_ops");
	rec->failed = tsv_u64(t, "failed_allocs");
	rec->max_count = tsv_u64(t, "max_count");
	rec->max_high = tsv_u64(t, "max_high");
	rec->final_count = tsv_u64(t, "final_count");
	rec->final_buddy_free = tsv_u64(t, "final_buddy_free");
}

/* Where a recording is the same as another release's it was kept once. */
static bool find_trace(struct recording *rec, const char *folder, const char *other)
{
	const char *folders[] = {folder, other};

	for (unsigned i = 0; i < 2; i++) {
		FILE *f;

		snprintf(rec->trace, sizeof(rec->trace), "%s/golden/%s/%s.trace.tsv.gz", TEST_DATA,
			folders[i], rec->name);
		f = fopen(rec->trace, "rb");
		if (f != NULL) {
			fclose(f);
			return true;
		}
	}
	return false;
}

/* Workloads of the summary, then recordings that it does not list, by name. */
static size_t collect(const char *folder, const char *other)
{
	char path[PATH_SIZE];
	size_t n = 0;
	struct tsv t;
	glob_t g;

	snprintf(path, sizeof(path), "golden/%s/summary.tsv.gz", folder);
	tsv_open(&t, path);
	while (tsv_next(&t) && n < WORKLOADS_MAX) {
		take_row(&recordings[n], &t);
		recordings[n].summed = true;
		n += find_trace(&recordings[n], folder, other);
	}
	snprintf(path, sizeof(path), "%s/golden/%s/*.trace.tsv.gz", TEST_DATA, folder);
	if (glob(path, 0, NULL, &g) != 0) {
		return 0;
	}
	for (size_t i = 0; i < g.gl_pathc && n < WORKLOADS_MAX; i++) {
		const char *base = strrchr(g.gl_pathv[i], '/') + 1;
		struct recording *rec = &recordings[n];
		size_t k = 0;

		snprintf(rec->name, sizeof(rec->name), "%.*s", (int)strcspn(base, "."), base);
		while (k < n && strcmp(recordings[k].name, rec->name) != 0) {
			k++;
		}
		n += k == n && find_trace(rec, folder, other);
	}
	globfree(&g);
	return n;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * WORKLOADS_MAX];
	size_t nr_tests = 0;
	size_t n;

	if (argc != 5) {
		fprintf(stderr, "usage: %s FOLDER FOLDER-OF-SAME RELEASE WORKLOADS\n", argv[0]);
		return EXIT_FAILURE;
	}
	n = collect(argv[1], argv[2]);
	if (n != strtoul(argv[4], NULL, 10)) {
		fprintf(stderr, "%zu recordings, %s expected\n", n, argv[4]);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < n; i++) {
		struct recording *rec = &recordings[i];

		rec->release = argv[3];
		tests[nr_tests++] = (struct CMUnitTest){
			rec->name, every_column_of_every_row_agrees, NULL, NULL, rec};
		if (rec->summed) {
			snprintf(rec->title, sizeof(rec->title), "totals of workload %u",
				(unsigned)i);
			tests[nr_tests++] = (struct CMUnitTest){
				rec->title, totals_agree_with_the_summary, NULL, NULL, rec};
		}
	}
	return _cmocka_run_group_tests("workloads", tests, nr_tests, NULL, NULL);
}
