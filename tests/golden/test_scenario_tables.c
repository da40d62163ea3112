/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables about free_high that were worked out without this program, reproduced by scenarios on the
 * node that they are about: batch 63, high_min 576, a cache slice that sets FREE_HIGH_BATCH.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_machine.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

/* Runs a scenario text; every assertion must hold. @set is one setting of the user, or NULL. */
static void must_hold(const char *text, const char *release, const char *set)
{
	struct zl_profile *base = calloc(1, sizeof(*base));
	const struct zl_run_options options = {0};
	struct scenario_machine *m = NULL;
	struct zl_scenario_start start;
	struct zl_scenario_result r;
	struct zl_error err = {0};
	struct zl_scenario s;
	char kernel[40];

	assert_non_null(base);
	zl_profile_init(base);
	zl_format(kernel, sizeof(kernel), "kernel=%s", release);
	assert_int_equal(zl_settings_assign(&base->settings, kernel, ZL_ORIGIN_GIVEN, &err), 0);
	if (set != NULL) {
		assert_int_equal(
			zl_settings_assign(&base->settings, set, ZL_ORIGIN_GIVEN, &err), 0);
	}
	if (zl_scenario_parse(text, strlen(text), zl_allocator_heap(), &s, &err) != 0 ||
		scenario_machine_new(base, &s, zl_allocator_heap(), &m, &err) != 0) {
		fail_msg("%s\n%u:%u: %s", text, err.line, err.column, err.text);
		abort();
	}
	memset(&start, 0, sizeof(start));
	start.scenario = &s;
	start.config = m->config;
	start.mem = zl_allocator_heap();
	assert_int_equal(zl_scenario_run(&start, &options, &r, &err), 0);
	assert_true(s.nr_asserts > 0);
	for (uint32_t i = 0; i < s.nr_asserts; i++) {
		if (!r.verdict[i].judged || !r.verdict[i].held) {
			fail_msg("%s: %s: %s", release, zl_scenario_text(&s, s.assertion[i].expr),
				r.verdict[i].why);
		}
	}
	zl_scenario_result_done(&r, zl_allocator_heap());
	scenario_machine_free(m);
	zl_scenario_done(&s);
	free(base);
}

static const char head[] =
	"{\"kind\": \"scenario\", \"version\": 1, \"name\": \"t\", \"profile\": \"amd-2x384\","
	"\"queues\": {\"q\": {\"capacity\": 4000}}, \"phases\": [";

/* @frees blocks of one order come from cpu 0 and are freed by cpu 1, which allocates nothing. */
struct stream {
	const char *release;
	const char *set;
	unsigned order;
	unsigned frees;
	const char *want; /* assertion about the frees */
};

static void check_stream(const struct stream *t)
{
	char text[2048];

	zl_format(text, sizeof(text),
		"%s{\"programs\": [{\"do\": [{\"alloc\": %u, \"count\": %u, \"into\": \"q\"}]}]},"
		"{\"programs\": [{\"cpus\": 1, \"do\": [{\"free\": %u, \"from\": \"q\"}]}],"
		"\"assert\": [\"%s\"]}], \"assert\": [\"batch == 63\", \"high_min == %s\"]}",
		head, t->order, t->frees, t->frees, t->want,
		t->set != NULL ? strchr(t->set, '=') + 1 : "576");
	must_hold(text, t->release, t->set);
}

static void the_first_flush_of_a_pure_stream_comes_when_the_table_says(void **state)
{
	static const struct stream table[] = {
		{"5.15",	 NULL, 3, 700, "free_high == 0"			       },
		{"6.1.192", NULL, 1, 700, "first_free_high == 289"			  },
		{"6.1.192", NULL, 2, 700, "first_free_high == 145"			  },
		{"6.1.192", NULL, 3, 73,	 "first_free_high == 73 && op.drained == 520"},
		{"6.6",	NULL, 3, 700, "first_free_high == 73"		     },
		{"6.12",	 NULL, 1, 700, "first_free_high == 33"		      },
		{"6.12",	 NULL, 2, 700, "first_free_high == 17"		      },
		{"6.12",	 NULL, 3, 9,   "first_free_high == 9 && op.drained == 72"  },
		{"6.18.2",  NULL, 1, 700, "first_free_high == 177"			 },
		{"6.18.2",  NULL, 2, 700, "first_free_high == 89"			},
		{"6.18.2",  NULL, 3, 45,	"first_free_high == 45 && op.drained == 360"},
		{"7.0",	NULL, 1, 700, "first_free_high == 177"		      },
		{"7.0",	NULL, 3, 45,
			"first_free_high == 45 && op.drained == 360 && op.zone_locks == 6"	  },
		{"7.1.3",	  NULL, 3, 700, "first_free_high == 45"		       },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		check_stream(&table[i]);
	}
}

/* A: each further free drains itself. B and C with FREE_HIGH_BATCH: every eighth, 64 pages. */
static void after_the_first_flush_the_stream_goes_on_as_the_table_says(void **state)
{
	static const struct stream table[] = {
		{"6.1.192", NULL, 3, 173, "free_high == 101 && op.drained == 8"		       },
		{"6.12",	 NULL, 3, 89,  "free_high == 11 && op.drained == 64"		   },
		{"6.18.2",  NULL, 3, 125, "free_high == 11 && op.drained == 64"		      },
		{"5.15",	 NULL, 3, 72,  "sum(op.drained) == 64 && op.drained == 64"		 },
		{"5.15",	 NULL, 3, 80,  "sum(op.drained) == 64 + 128 && op.drained == 128"	},
		{"5.15",	 NULL, 3, 96,  "sum(op.drained) == 64 + 128 + 256 && op.drained == 256"},
		{"5.15",	 NULL, 3, 128,
			"sum(op.drained) == 64 + 128 + 256 + 504 && op.drained == 504"		      },
		{"5.15",	 NULL, 3, 191, "op.drained == 520"					  },
		{"5.15",	 NULL, 3, 256, "op.drained == 520"					  },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		check_stream(&table[i]);
	}
}

/* high_min 5523 puts the threshold of 6.16 at 2824, above the ceiling of 2016. */
static void above_the_ceiling_pages_leave_by_overflow_alone(void **state)
{
	static const struct stream table[] = {
		{"6.18.2",  "high_min=5523", 3, 690,  "free_high == 0 && sum(op.drained) == 0"},
		{"6.18.2",  "high_min=5523", 3, 691,
			"free_high == 0 && sum(op.drained) == 2016 && op.drained == 2016"		 },
		{"6.18.2",  "high_min=5523", 3, 943,
			"free_high == 0 && sum(op.drained) == 2 * 2016 && op.drained == 2016"	     },
		{"6.18.2",  "high_min=5523", 3, 1195,
			"free_high == 0 && sum(op.drained) == 3 * 2016 && op.drained == 2016"	     },
		{"6.1.192", "high_min=5523", 3, 692,
			"first_free_high == 692 && op.drained == 5472"				      },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		check_stream(&table[i]);
	}
}

/* Cycles of @n allocations and @n frees of order 3: flushes and refills of a cycle. */
static void check_bursts(const char *release, unsigned n, unsigned flushes, int refills)
{
	char text[2048];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_fmt(&t,
		"%s{\"programs\": [{\"do\": [{\"loop\": 200, \"do\": [{\"alloc\": 3, \"count\": "
		"%u},"
		"{\"free\": %u}]}]}]}], \"assert\": [\"free_high == 200 * %u\"",
		head, n, n, flushes);
	if (refills == 0) {
		/* 0.01 to 0.04 a cycle: a few at the start. */
		zl_text_str(&t, ", \"refills <= 10\"");
	} else if (refills > 0) {
		zl_text_fmt(&t, ", \"(refills + 100) / 200 == %d\"", refills);
	}
	zl_text_str(&t, "]}");
	must_hold(text, release, NULL);
}

static void alternating_bursts_flush_and_refill_as_the_table_says(void **state)
{
	/* By burst: 6.6, 6.12, 6.18. -1 = the table has no figure. */
	static const struct {
		unsigned burst;
		unsigned flushes[3];
		int refills[3];
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
	static const char *const of[] = {"6.6", "6.12", "6.18.2"};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		for (size_t k = 0; k < 3; k++) {
			check_bursts(
				of[k], table[i].burst, table[i].flushes[k], table[i].refills[k]);
		}
	}
}

/* @k frees for each allocation of order 3: the smallest @k that ever flushes. */
static void check_ratio(const char *release, unsigned k, bool flushes)
{
	char text[2048];

	zl_format(text, sizeof(text),
		"%s{\"programs\": [{\"do\": [{\"alloc\": 3, \"count\": 3900, \"into\": \"q\"}]}]},"
		"{\"programs\": [{\"cpus\": 1, \"do\": [{\"loop\": \"3900 / %u\", \"do\": ["
		"{\"free\": %u, \"from\": \"q\"}, {\"alloc\": 3}]}]}],"
		"\"assert\": [\"(free_high > 0) == %u\"]}]}",
		head, k, k, (unsigned)flushes);
	must_hold(text, release, NULL);
}

static void the_smallest_share_of_allocations_that_prevents_flushes(void **state)
{
	(void)state;
	check_ratio("6.12", 4, false);
	check_ratio("6.12", 5, true);
	check_ratio("6.18.2", 22, false);
	check_ratio("6.18.2", 23, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_flush_of_a_pure_stream_comes_when_the_table_says),
		cmocka_unit_test(after_the_first_flush_the_stream_goes_on_as_the_table_says),
		cmocka_unit_test(above_the_ceiling_pages_leave_by_overflow_alone),
		cmocka_unit_test(alternating_bursts_flush_and_refill_as_the_table_says),
		cmocka_unit_test(the_smallest_share_of_allocations_that_prevents_flushes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
