/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 6.19 and 7.0 have no recordings. They lie between 6.18.2 and 7.1.3, which have: over every
 * recorded workload 6.19 goes as 7.1.3 up to the first high-atomic request that would refill, and
 * as 6.18.2 up to the first drain of more than one chunk.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "zonelab/file.h"
#include "zonelab/workload.h"

#define OLDER  0
#define MIDDLE 1
#define NEWER  2
#define THREE  3

static const char *const releases[THREE] = {"6.18.2", "6.19", "7.1.3"};

struct row {
	struct zl_record record;
	struct zl_buf text;
};

static void take_row(const struct zl_sim *sim, struct row *ret)
{
	zl_sim_record(sim, &ret->record);
	if (ret->record.op.kind == ZL_OP_TICK) {
		/* Changes are counted up to 6.18 and are a yes or no from 6.19 on. */
		ret->record.result_value = ret->record.result_value > 0;
	}
	zl_buf_clear(&ret->text);
	zl_trace_record(ZL_TRACE_TSV, &ret->record, &ret->text);
}

static bool same(const struct row *a, const struct row *b)
{
	return strcmp(zl_buf_text(&a->text), zl_buf_text(&b->text)) == 0;
}

/* What may tell 6.18.2 and 6.19 apart first: one bulk call there is several here. */
static void expect_chunks(const struct row *older, const struct row *middle)
{
	assert_int_equal(older->record.to_free, middle->record.to_free);
	assert_int_equal(older->record.eff_high, middle->record.eff_high);
	assert_int_equal(older->record.free_high, middle->record.free_high);
	assert_int_equal(1, older->record.bulk_calls);
	assert_true(middle->record.bulk_calls > 1 || middle->record.op.kind == ZL_OP_TICK);
	assert_true(middle->record.drained >= older->record.drained);
}

/* What may tell 6.19 and 7.1.3 apart first: a refill there is a direct allocation here. */
static void expect_no_refill(const struct row *middle, const struct row *newer)
{
	assert_int_equal(ZL_OP_ALLOCHA, middle->record.op.kind);
	assert_int_equal(1, middle->record.refills);
	assert_int_equal(0, newer->record.refills);
	assert_int_equal(ZL_REASON_ALLOC_DIRECT_ATOMIC, newer->record.reason);
	assert_int_equal(middle->record.high, newer->record.high);
}

struct counts {
	unsigned lists, chunked, atomic;
};

static void step_all(const struct zl_workload *w, struct counts *n)
{
	struct row row[THREE] = {0};
	struct zl_sim *sim[THREE];
	bool older_same = true, newer_same = true;

	for (unsigned i = 0; i < THREE; i++) {
		sim[i] = script_sim(&w->config, releases[i]);
	}
	for (size_t k = 0; k < w->nr_ops && (older_same || newer_same); k++) {
		for (unsigned i = 0; i < THREE; i++) {
			assert_int_equal(0, zl_sim_apply(sim[i], &w->ops[k]));
			take_row(sim[i], &row[i]);
		}
		if (older_same && !same(&row[OLDER], &row[MIDDLE])) {
			older_same = false;
			n->chunked++;
			expect_chunks(&row[OLDER], &row[MIDDLE]);
		}
		if (newer_same && !same(&row[MIDDLE], &row[NEWER])) {
			newer_same = false;
			n->atomic++;
			expect_no_refill(&row[MIDDLE], &row[NEWER]);
		}
	}
	for (unsigned i = 0; i < THREE; i++) {
		zl_buf_done(&row[i].text);
		zl_sim_free(sim[i]);
	}
}

static void between_two_recorded_releases_only_their_differences_show(void **state)
{
	struct counts n = {0};
	glob_t g;

	(void)state;
	assert_int_equal(0, glob(TEST_DATA "/golden/workloads/*.gz", 0, NULL, &g));
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct zl_workload w;
		struct zl_error err = {0};

		assert_int_equal(0, zl_workload_load(g.gl_pathv[i], zl_allocator_heap(), &w, &err));
		step_all(&w, &n);
		n.lists++;
		zl_workload_done(&w);
	}
	globfree(&g);
	assert_int_equal(59, n.lists);
	assert_true(n.chunked > 20);
	assert_int_equal(1, n.atomic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_two_recorded_releases_only_their_differences_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
