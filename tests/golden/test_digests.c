/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same bytes on every machine, with every compiler and at every level of optimisation: digests
 * of the random op lists under releases of every generation. ZL_BLESS=1 rewrites the file.
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

#include "mix.h"
#include "zonelab/file.h"
#include "zonelab/workload.h"

#define FILE_NAME TEST_DATA "/golden/digests.tsv"
#define LINE_SIZE 256
#define FOLD	  UINT64_C(0x100000001b3)

/* One number for all lists under a release. */
static uint64_t digest_of(const char *release)
{
	const struct zl_run_options options = {.trace = ZL_TRACE_NONE};
	struct zl_switches switches;
	uint64_t sum = 0;
	struct zl_release r;
	glob_t g;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &switches, NULL);
	assert_int_equal(0, glob(TEST_DATA "/golden/workloads/h*.gz", 0, NULL, &g));
	assert_int_equal(16, g.gl_pathc);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct zl_run_result result;
		struct zl_workload w;
		struct zl_error err = {0};

		assert_int_equal(0, zl_workload_load(g.gl_pathv[i], zl_allocator_heap(), &w, &err));
		assert_int_equal(0, zl_run_workload(&w, &switches, &options, &result, &err));
		sum = (sum ^ result.digest) * FOLD;
		zl_workload_done(&w);
	}
	globfree(&g);
	return sum;
}

static void write_line(FILE *f, const char *release)
{
	fprintf(f, "%s\t%016llx\n", release, (unsigned long long)digest_of(release));
}

static void digests_are_what_they_were(void **state)
{
	FILE *f;
	char line[LINE_SIZE], want[LINE_SIZE];

	(void)state;
	if (getenv("ZL_BLESS") != NULL) {
		f = fopen(FILE_NAME, "w");
		assert_non_null(f);
		fprintf(f, "release\tdigest\n");
		for (size_t i = 0; i < mix_nr_releases; i++) {
			write_line(f, mix_releases[i]);
		}
		fclose(f);
		return;
	}
	f = fopen(FILE_NAME, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	for (size_t i = 0; i < mix_nr_releases; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		snprintf(want, sizeof(want), "%s\t%016llx\n", mix_releases[i],
			(unsigned long long)digest_of(mix_releases[i]));
		if (strcmp(line, want) != 0) {
			fail_msg("%sis now %s(ZL_BLESS=1 rewrites it)", line, want);
		}
	}
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digests_are_what_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
