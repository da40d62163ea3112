/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every recorded trace replayed under the kernel that it was recorded on. docs/model.md has the
 * same table; what is not judged there depends on what lay on pagesets before the trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorded.h"
#include "zonelab/file.h"

#define X61	"linux-6.1.192-x86_64-4k-debian-cloud-trace"
#define X61HALF "linux-6.1.192-x86_64-4k-debian-cloud-trace-512M"
#define X612	"linux-6.12.117-x86_64-4k-debian-cloud-trace"
#define X73	"linux-7.3.4-x86_64-4k-debian-cloud-trace"
#define A73	"linux-7.3.4-arm64-16k-debian-trace"

struct row {
	const char *folder, *workload;
	/* refills and drains in the trace, of these the same in the model, of these not judged */
	unsigned refills, same_refills, open_refills;
	unsigned drains, same_drains, open_drains;
};

static const struct row rows[] = {
	{X61HALF, "cat",	 23, 22, 1, 5,  3,  2 },
	{X61HALF, "slab",	  0,  0,	0, 49, 49, 0 },
	{X61,     "cat",	     14, 13, 1, 0,  0,  0 },
	{X61,     "dd",	    23, 22, 1, 0,  0,  0 },
	{X61,     "fork",	      1,	 0,  1, 0,  0,  0 },
	{X61,     "nc",	    7,  5,  2, 0,	0,  0 },
	{X61,     "slab",	      0,	 0,  0, 0,  0,  0 },
	{X61,     "tar",	     1,	0,  1, 0,	 0,  0 },
	{X61,     "thp",	     12, 10, 2, 0,  0,  0 },
	{X612,    "cat",	      0,	 0,  0, 0,  0,  0 },
	{X612,    "dd",	     0,	0,  0, 0,	 0,  0 },
	{X612,    "fork",	       1,  0,  1, 0,  0,  0 },
	{X612,    "mthp3",	54, 53, 1, 2,  1,	 19},
	{X612,    "mthp3lowmin", 55, 54, 1, 48, 48, 0 },
	{A73,     "cat",	     0,	0,  0, 0,	 0,  0 },
	{A73,     "dd",	    5,  4,  1, 0,	0,  0 },
	{A73,     "fork",	      1,	 0,  1, 0,  0,  0 },
	{A73,     "mthp3",       47, 46, 1, 0,  0,	0 },
	{A73,     "mthp3lowmin", 0,	0,  0, 84, 84, 0 },
	{A73,     "nc",	    3,  2,  1, 0,	0,  0 },
	{A73,     "slab",	      0,	 0,  0, 0,  0,  0 },
	{A73,     "tar",	     0,	0,  0, 0,	 0,  0 },
	{A73,     "thp",	     4,	3,  1, 0,	 0,  0 },
	{X73,     "cat",	     0,	0,  0, 0,	 0,  0 },
	{X73,     "dd",	    5,  3,  2, 0,	0,  0 },
	{X73,     "fork",	      1,	 0,  1, 0,  0,  0 },
	{X73,     "mthp3",       54, 53, 1, 0,  0,	0 },
	{X73,     "mthp3lowmin", 55, 54, 1, 40, 40, 3 },
	{X73,     "nc",	    13, 12, 1, 0,  0,  0 },
	{X73,     "slab",	      0,	 0,  0, 1,  0,  1 },
	{X73,     "tar",	     0,	0,  0, 0,	 0,  0 },
	{X73,     "thp",	     4,	3,  1, 0,	 0,  0 },
};

/* What is not judged counts what either side has. */
static void check_tally(const struct row *w, const struct zl_replay_tally *t, const char *what,
	const unsigned want[3])
{
	const uint64_t *j = t->judged;

	if (t->seen != want[0] || j[ZL_JUDGED_SAME] != want[1] || j[ZL_JUDGED_UNKNOWN] != want[2]) {
		fail_msg("%s/%s: %s %u %u %u, not %u %u %u", w->folder, w->workload, what,
			(unsigned)t->seen, (unsigned)j[ZL_JUDGED_SAME],
			(unsigned)j[ZL_JUDGED_UNKNOWN], want[0], want[1], want[2]);
	}
	/* Whatever is judged is the same. */
	assert_int_equal(0, j[ZL_JUDGED_NEAR]);
	assert_int_equal(0, j[ZL_JUDGED_ONLY_TRACE]);
	assert_int_equal(0, j[ZL_JUDGED_ONLY_MODEL]);
}

static void every_recorded_trace_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *w = &rows[i];
		const unsigned refills[] = {w->refills, w->same_refills, w->open_refills};
		const unsigned drains[] = {w->drains, w->same_drains, w->open_drains};
		struct recorded *r = recorded_open(w->folder, w->workload);
		struct zl_replay_result result;
		struct zl_error err = {0};

		assert_int_equal(0, zl_replay_fit(r->recording, &r->where, NULL, &result, &err));
		assert_true(result.complete);
		assert_int_equal(1000, result.score);
		check_tally(w, &result.refill, "refills", refills);
		check_tally(w, &result.drain, "drains", drains);
		zl_replay_result_done(&result, zl_allocator_heap());
		recorded_close(r);
	}
}

/* When free_high emptied the list for the first time, and what the model says of that free. */
struct first {
	const char *folder, *workload;
	unsigned cpu, order, frees, pages_before, pages;
	int64_t threshold; /* of the model there; with free_count at least that */
};

static void the_first_drain_comes_where_the_trace_has_it(void **state)
{
	static const struct first firsts[] = {
	/* batch */
		{X612, "mthp3",	1, 3, 8,	 68,  2016, 63 },
		{X612, "mthp3lowmin", 1, 3, 8,  68,  371,	63 },
 /* batch + high_min / 2, reached exactly */
		{X73,  "mthp3lowmin", 0, 3, 47, 378, 5626, 378},
		{A73,  "mthp3lowmin", 0, 3, 12, 95,  486,	95 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		const struct first *w = &firsts[i];
		struct recorded *r = recorded_open(w->folder, w->workload);
		struct zl_replay_result result;
		const struct zl_replay_cpu *c;
		struct zl_error err = {0};

		assert_int_equal(0, zl_replay_fit(r->recording, &r->where, NULL, &result, &err));
		c = &result.cpu[w->cpu];
		assert_int_equal(w->order, c->first_drain.order);
		assert_int_equal(w->frees, c->first_drain.frees);
		assert_int_equal(w->pages_before, c->first_drain.pages_before);
		assert_int_equal(w->pages, c->first_drain.pages);
		assert_true(c->first_drain.predicted);
		assert_true(c->first_drain.free_high);
		assert_int_equal(w->threshold, c->first_drain.threshold);
		assert_true((int64_t)w->pages_before >= w->threshold);
		zl_replay_result_done(&result, zl_allocator_heap());
		recorded_close(r);
	}
}

/* 3528 are needed, but free_count stops at 2016. */
static void an_unreachable_threshold_never_fires(void **state)
{
	struct recorded *r = recorded_open(X73, "mthp3");
	struct zl_replay_result result;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, zl_replay_fit(r->recording, &r->where, NULL, &result, &err));
	assert_int_equal(0, result.drain.seen);
	assert_int_equal(0, result.totals.free_high);
	zl_replay_result_done(&result, zl_allocator_heap());
	/* With the rule of 6.12 the same demand flushes. */
	r->where.config.switches.design = ZL_DESIGN_B;
	assert_int_equal(0, zl_replay_run(r->recording, &r->where, NULL, &result, &err));
	assert_true(result.totals.free_high > 0);
	zl_replay_result_done(&result, zl_allocator_heap());
	recorded_close(r);
}

/* 6.1: one ordinary drain raises free_factor, then every order-2 free drains the whole list. */
static void an_earlier_drain_is_enough_for_the_oldest_rule(void **state)
{
	struct recorded *r = recorded_open(X61HALF, "slab");
	struct zl_replay_result result;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, zl_replay_fit(r->recording, &r->where, NULL, &result, &err));
	assert_int_equal(0, result.cpu[1].first_drain.order);
	assert_int_equal(31, result.cpu[1].first_drain.pages);
	assert_false(result.cpu[1].first_drain.free_high);
	assert_int_equal(48, result.totals.free_high);
	assert_int_equal(1, result.totals.drains_over);
	zl_replay_result_done(&result, zl_allocator_heap());
	recorded_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recorded_trace_is_explained),
		cmocka_unit_test(the_first_drain_comes_where_the_trace_has_it),
		cmocka_unit_test(an_unreachable_threshold_never_fires),
		cmocka_unit_test(an_earlier_drain_is_enough_for_the_oldest_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
