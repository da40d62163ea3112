/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/diag.h"
#include "zonelab/release.h"

#define NO_DIAG ZL_DIAG_COUNT

/* What each spelling means and what has to be said. */
static const struct {
	const char *text;
	unsigned major, minor, patch, rc;
	bool patch_known;
	enum zl_design_id design;
	enum zl_diag_code said;
} cases[] = {
	{"6.12",			   6, 12, 0,   0, true,  ZL_DESIGN_B,	 NO_DIAG			},
	{"6.6.44",			 6, 6,	 44,  0, true,  ZL_DESIGN_A,	   ZL_DIAG_RELEASE_BACKPORT},
	{"6.6.46",			 6, 6,	 46,  0, true,  ZL_DESIGN_A_CAP, ZL_DIAG_RELEASE_BACKPORT},
	{"6.6.63",			 6, 6,	 63,  0, true,  ZL_DESIGN_A_CAP, NO_DIAG		      },
	{"6.1-rc7",			6, 1,  0,   7, true,  ZL_DESIGN_A,	   NO_DIAG		  },
	{"6.1.0-57-cloud-arm64",		 6, 1,  0,	  0, false, ZL_DESIGN_A_CAP, ZL_DIAG_RELEASE_ABI	},
	{"6.1.192",			6, 1,  192, 0, true,	ZL_DESIGN_A_CAP, NO_DIAG			},
	{"6.18.2",			 6, 18, 2,   0, true,  ZL_DESIGN_C,	   NO_DIAG		  },
	{"6.18.10",			6, 18, 10,  0, true,	ZL_DESIGN_C,     ZL_DIAG_RELEASE_BACKPORT},
	{"6.18.26",			6, 18, 26,  0, true,	ZL_DESIGN_C,     ZL_DIAG_RELEASE_BACKPORT},
	{"7.1.3",			  7, 1,	3,   0, true,  ZL_DESIGN_D71,   NO_DIAG		  },
	{"7.3.4",			  7, 3,	4,   0, true,  ZL_DESIGN_D71,   ZL_DIAG_RELEASE_NEWER	},
	{"7.3.4+deb13-arm64-16k",	  7, 3,	4,   0, true,  ZL_DESIGN_D71,   ZL_DIAG_RELEASE_NEWER	},
	{"5.10",			   5, 10, 0,   0, true,  ZL_DESIGN_NONE,  ZL_DIAG_RELEASE_OLDER	 },
	{"8.0",			    8, 0,  0,	 0, true,  ZL_DESIGN_D71,	 ZL_DIAG_RELEASE_NEWER   },
	{"4.18.0-553.el8",		   4, 18, 0,   0, false, ZL_DESIGN_NONE,  ZL_DIAG_RELEASE_OLDER   },
	{"5.14.0-427.13.1.el9_4.x86_64",	 5, 14, 0,   0, false, ZL_DESIGN_A514,  ZL_DIAG_RELEASE_ABI	},
	{"6.8.0-45-generic",		     6, 8,  0,   0, false, ZL_DESIGN_B,     ZL_DIAG_RELEASE_ABI	},
	{"6.18.44-fc-v857",		    6, 18, 44,  0, true,	ZL_DESIGN_C,     NO_DIAG		    },
	{"Linux version 6.12.0-rc3 (gcc)", 6, 12, 0,   3, true,  ZL_DESIGN_B,	   NO_DIAG		  },
	{"v5.17",			  5, 17, 0,   0, true,  ZL_DESIGN_A514,  NO_DIAG		    },
	{"5.14-rc5",		       5, 14, 0,   5, true,	ZL_DESIGN_A514,	NO_DIAG		       },
	{"6.16-rc1",		       6, 16, 0,   1, true,	ZL_DESIGN_B,     NO_DIAG		    },
	{"6.19",			   6, 19, 0,   0, true,  ZL_DESIGN_D19,   NO_DIAG		  },
	{"7.0.9",			  7, 0,	9,   0, true,  ZL_DESIGN_D19,   NO_DIAG		  },
};

static void each_spelling_gives_its_release_design_and_word(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zl_release r;
		struct zl_switches sw;
		struct zl_diags diags = {0};

		print_message("# %s\n", cases[i].text);
		assert_int_equal(0, zl_release_parse(cases[i].text, &r));
		assert_int_equal(cases[i].major, r.major);
		assert_int_equal(cases[i].minor, r.minor);
		assert_int_equal(cases[i].patch, r.patch);
		assert_int_equal(cases[i].rc, r.rc);
		assert_int_equal(cases[i].patch_known, r.patch_known);
		zl_switches_for(&r, &sw, &diags);
		assert_int_equal(cases[i].design, sw.design);
		assert_int_equal(cases[i].said != NO_DIAG, diags.count);
		if (diags.count > 0) {
			assert_int_equal(cases[i].said, diags.item[0].code);
		}
	}
}

static void what_is_no_release_is_refused(void **state)
{
	static const char *const bad[] = {"", "6", "6.", "x6.1", "6.x", "6.12rc1", "6.12.x",
		"99999.1", "6.12.", "-6.1", "linux"};
	struct zl_release r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		print_message("# '%s'\n", bad[i]);
		assert_int_equal(-EINVAL, zl_release_parse(bad[i], &r));
	}
}

static void candidates_sort_before_their_release(void **state)
{
	static const char *const order[] = {
		"5.19.17", "6.1-rc7", "6.1-rc10", "6.1", "6.1.1", "6.2-rc1", "6.10", "7.0"};

	(void)state;
	for (size_t i = 1; i < sizeof(order) / sizeof(order[0]); i++) {
		struct zl_release a;
		struct zl_release b;

		assert_int_equal(0, zl_release_parse(order[i - 1], &a));
		assert_int_equal(0, zl_release_parse(order[i], &b));
		assert_true(zl_release_compare(&a, &b) < 0);
		assert_true(zl_release_compare(&b, &a) > 0);
		assert_int_equal(0, zl_release_compare(&a, &a));
	}
}

static struct zl_switches switches(const char *text)
{
	struct zl_release r;
	struct zl_switches sw;

	assert_int_equal(0, zl_release_parse(text, &r));
	zl_switches_for(&r, &sw, NULL);
	return sw;
}

static void stable_rows_hold_for_their_own_series_alone(void **state)
{
	(void)state;
	assert_int_equal(2, switches("6.1.192").thp_lists);
	assert_int_equal(1, switches("6.1.191").thp_lists);
	assert_int_equal(1, switches("6.2.200").thp_lists);
	assert_int_equal(ZL_FALLBACK_B, switches("6.12.0").buddy_fallback);
	assert_int_equal(ZL_FALLBACK_C, switches("6.12.117").buddy_fallback);
	assert_int_equal(ZL_FALLBACK_B, switches("6.13.200").buddy_fallback);
	assert_false(switches("6.18.2").decay_chunks);
	assert_true(switches("6.18.26").decay_chunks);
	assert_false(switches("6.17.99").decay_chunks);
	assert_int_equal(ZL_RETAG_FIRST, switches("6.18.2").merge_retag);
	assert_int_equal(ZL_RETAG_ALL, switches("7.1.3").merge_retag);
	assert_int_equal(ZL_CLAMP_MIN_MAX, switches("6.1-rc7").clamp);
	assert_int_equal(ZL_CLAMP_HI_FIRST, switches("6.12").clamp);
}

static void switches_are_equal_by_their_values(void **state)
{
	struct zl_switches a = switches("6.18.2"), b;

	(void)state;
	memset(&b, 0xff, sizeof(b)); /* what lies between the members does not count */
	b = a;
	assert_true(zl_switches_equal(&a, &b));
	b.loongarch = !b.loongarch;
	assert_false(zl_switches_equal(&a, &b));
	b = switches("6.18.26");
	assert_false(zl_switches_equal(&a, &b));
}

static void every_row_parses_and_every_switch_has_a_first_row(void **state)
{
	const char *last = "";

	(void)state;
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row row = zl_release_row(i);
		struct zl_release r;

		assert_int_equal(0, zl_release_parse(row.since, &r));
		assert_true(strlen(row.value) > 0 && strlen(row.evidence) > 0);
		if (strcmp(last, row.behaviour) != 0) {
			assert_string_equal("5.14", row.since);
			assert_string_equal("mainline", row.series);
		}
		last = row.behaviour;
	}
}

static void breakpoints_rise(void **state)
{
	(void)state;
	assert_string_equal("5.14", zl_breakpoint(0));
	assert_string_equal("7.1", zl_breakpoint(zl_breakpoint_count() - 1));
	assert_string_equal("7.1", zl_breakpoint_newest());
	for (size_t i = 1; i < zl_breakpoint_count(); i++) {
		struct zl_release a;
		struct zl_release b;

		assert_int_equal(0, zl_release_parse(zl_breakpoint(i - 1), &a));
		assert_int_equal(0, zl_release_parse(zl_breakpoint(i), &b));
		assert_true(zl_release_compare(&a, &b) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_spelling_gives_its_release_design_and_word),
		cmocka_unit_test(what_is_no_release_is_refused),
		cmocka_unit_test(candidates_sort_before_their_release),
		cmocka_unit_test(stable_rows_hold_for_their_own_series_alone),
		cmocka_unit_test(switches_are_equal_by_their_values),
		cmocka_unit_test(every_row_parses_and_every_switch_has_a_first_row),
		cmocka_unit_test(breakpoints_rise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
