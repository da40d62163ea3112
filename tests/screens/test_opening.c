/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the explorer opens on: a zoneinfo on the pagesets of its machine, behind the report of the
 * import; a configuration on Geometry.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "machines.h"
#include "pagesets.h"
#include "zonelab/text.h"

#define X86   "/captures/linux-7.3.4-x86_64-4k-debian-cloud-trace/"
#define ARM16 "/captures/linux-6.18.15-arm64-16k-debian/"

/* As the program does with one file and no settings. */
static struct stage *open_file(const char *name)
{
	struct stage *s = stage_new(24, 80);
	const char *const path[] = {name};
	struct zl_settings none = {0};
	struct zl_error err = {0};

	if (machine_open(&s->app, path, 1, &none, &err) < 0 ||
		machine_open_story(&s->app, true, &err) < 0) {
		fail_msg("%s: %s", name, err.text);
	}
	return s;
}

static void a_zoneinfo_opens_on_its_pagesets_behind_the_report(void **state)
{
	struct stage *s = open_file(TEST_DATA X86 "zoneinfo.txt");

	(void)state;
	assert_golden(s, "import-80x24");
	press(s, "Enter");
	assert_int_equal(SCREEN_PAGESETS, s->app.screen);
	assert_shows(s, "A frees 946.0 MiB/2 7.1\n── cpu 0 of 2 · node 0 DMA32 · 7.1 design D71");
	assert_shows(s, "threshold 63 + 6928 / 2 = 3527");
	stage_free(s);
}

static void the_report_comes_again_with_its_own_headings(void **state)
{
	struct stage *s = open_file(TEST_DATA X86 "zoneinfo.txt");

	(void)state;
	press(s, "Esc");
	assert_hides(s, "Import report");
	press(s, ":");
	app_prompt_done(&s->app, "report");
	assert_shows(s, "\n── Import report: zoneinfo  ");
	assert_shows(s, "\n── What was found\n");
	assert_hides(s, "── report");
	stage_free(s);
}

static void a_configuration_opens_on_geometry(void **state)
{
	struct stage *s = open_file(TEST_DATA ARM16 "config.txt");

	(void)state;
	assert_int_equal(SCREEN_GEOMETRY, s->app.screen);
	assert_int_equal(OVERLAY_NONE, s->app.overlay);
	assert_null(s->app.pagesets);
	stage_free(s);
}

static void without_a_file_the_story_has_a_machine_of_its_own(void **state)
{
	struct stage *s = stage_new(24, 80);
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, machine_open_story(&s->app, false, &err));
	assert_int_equal(OVERLAY_NONE, s->app.overlay);
	assert_shows(s, "A iperf 64 GiB/24 6.18.2");
	stage_free(s);
	s = stage_new(24, 80);
	assert_int_equal(0, machine_profile(&s->app, "rpi5-16k", &err));
	assert_int_equal(0, machine_open_story(&s->app, false, &err));
	assert_shows(s, "A frees ");
	stage_free(s);
}

/* A long size begins nearer to its label, and half a formula is left out. */
static void geometry_cuts_nothing_of_a_machine_from_files(void **state)
{
	static const char *const names[] = {TEST_DATA X86 "zoneinfo.txt",
		TEST_DATA "/captures/linux-6.1.192-arm64-64k-thp-hugetlb/zoneinfo.txt",
		TEST_DATA "/captures/linux-6.1.192-x86_64-4k-debian-cloud-trace-512M/"
			  "zoneinfo_cat_after.txt"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct stage *s = open_file(names[i]);

		press(s, "Esc 1");
		for (int row = 0; row < 14; row++) {
			assert_hides(s, "…");
			press(s, "Down");
		}
		stage_resize(s, 40, 120);
		assert_hides(s, "…");
		stage_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_zoneinfo_opens_on_its_pagesets_behind_the_report),
		cmocka_unit_test(the_report_comes_again_with_its_own_headings),
		cmocka_unit_test(a_configuration_opens_on_geometry),
		cmocka_unit_test(without_a_file_the_story_has_a_machine_of_its_own),
		cmocka_unit_test(geometry_cuts_nothing_of_a_machine_from_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
