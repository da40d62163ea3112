/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens as labelled lines: each panel, and what lies over a screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "plain.h"

/* The lines of a screen, or with @panel of the focused panel, must have @text among them. */
static void says(struct stage *s, bool panel, const char *text)
{
	struct zl_buf b = {0};

	plain_screen(&s->app, panel, &b);
	if (strstr(zl_buf_text(&b), text) == NULL) {
		fail_msg("'%s' is not in\n%s", text, zl_buf_text(&b));
	}
	zl_buf_done(&b);
}

static void does_not_say(struct stage *s, bool panel, const char *text)
{
	struct zl_buf b = {0};

	plain_screen(&s->app, panel, &b);
	assert_null(strstr(zl_buf_text(&b), text));
	zl_buf_done(&b);
}

/*
 * 16 KiB pages: blocks of order 7 are 2 MiB, of order 11 32 MiB; a pool of 4 MiB wastes nothing of
 * the first and 28 MiB of the second.
 */
static void block_orders_and_page_sizes_are_told_line_by_line(void **state)
{
	struct stage *s = stage_new(40, 160);

	(void)state;
	set(s, "kernel=6.18");
	set(s, "page_size=16K");
	set(s, "hugetlb=off");
	set(s, "pool_size=4M");
	s->app.panel = PANEL_BLOCK_ORDERS;
	says(s, true, "at page block order 7: pageblock 2 MiB, pool wastes 0 B, threshold ");
	says(s, true, "at page block order 11: pageblock 32 MiB, pool wastes 28 MiB, threshold ");
	does_not_say(s, true, "at page size");
	s->app.panel = PANEL_PAGE_SIZES;
	says(s, true,
		"at page size 4 KiB: MAX_PAGE_ORDER 10, pageblock_order 9, CMA alignment 2 MiB, "
		"a 4 MiB pool takes 4 MiB, free_high can fire: ");
	says(s, true,
		"at page size 16 KiB: MAX_PAGE_ORDER 11, pageblock_order 11, CMA alignment 32 "
		"MiB, a 4 MiB pool takes 32 MiB, free_high can fire: ");
	says(s, true,
		"at page size 64 KiB: MAX_PAGE_ORDER 13, pageblock_order 13, CMA alignment 512 "
		"MiB, a 4 MiB pool takes 512 MiB, free_high can fire: ");
	does_not_say(s, true, "at page block order");
	s->app.panel = PANEL_INPUTS;
	says(s, true, "\nPage size: 16 KiB, given\n");
	stage_free(s);
}

static void a_baseline_stands_behind_what_has_changed(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	press(s, "p");
	set(s, "page_size=16K");
	s->app.panel = PANEL_RESULTS;
	says(s, true, "pageblock_order: 11");
	says(s, true, ", baseline 9\n");
	does_not_say(s, true, "lane: ");
	stage_free(s);
}

static void what_cannot_be_built_says_how_to_mend_it(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	set(s, "page_size=4K");
	set(s, "max_page_order=8");
	s->app.panel = PANEL_RESULTS;
	says(s, true, "result: this combination cannot be built\n");
	s->app.panel = PANEL_DIAGS;
	says(s, true, "error: ");
	says(s, true, "MAX_PAGE_ORDER >= 9");
	/* Huge pages of order 9 fit, but of order 11 not. */
	set(s, "max_page_order=9");
	s->app.panel = PANEL_PAGE_SIZES;
	says(s, true, "at page size 4 KiB: MAX_PAGE_ORDER 9, ");
	says(s, true, "at page size 16 KiB: does not build with these settings\n");
	stage_free(s);
}

static void overlays_are_told_instead_of_the_screen(void **state)
{
	struct stage *s = stage_new(24, 80);

	(void)state;
	set(s, "page_size=16K");
	press(s, "e");
	assert_int_equal(OVERLAY_SETTINGS, s->app.overlay);
	says(s, true, "\npage_size: 16 KiB, given\n");
	says(s, true, "\nthp: ");
	does_not_say(s, true, "pageblock_order: ");
	press(s, "Esc ?");
	assert_int_equal(OVERLAY_HELP, s->app.overlay);
	says(s, true, "Esc");
	press(s, "Esc :");
	app_prompt_done(&s->app, "list releases");
	assert_int_equal(OVERLAY_TEXT, s->app.overlay);
	says(s, true, "6.16");
	stage_free(s);
}

static void lessons_are_listed_with_the_chosen_one(void **state)
{
	struct stage *s = stage_on(SCREEN_LEARN, 24, 80);

	(void)state;
	says(s, false, "screen: Learn\n");
	says(s, false, "\nlesson 1: ");
	says(s, false, "\nglossary: ");
	press(s, "Down");
	struct zl_buf b = {0};
	plain_screen(&s->app, false, &b);
	const char *second = strstr(zl_buf_text(&b), "\nlesson 2: ");
	assert_non_null(second);
	const char *chosen = strstr(zl_buf_text(&b), ", chosen\n");
	assert_non_null(chosen);
	assert_true(second < chosen && chosen < strchr(second + 1, '\n'));
	zl_buf_done(&b);
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_orders_and_page_sizes_are_told_line_by_line),
		cmocka_unit_test(a_baseline_stands_behind_what_has_changed),
		cmocka_unit_test(what_cannot_be_built_says_how_to_mend_it),
		cmocka_unit_test(overlays_are_told_instead_of_the_screen),
		cmocka_unit_test(lessons_are_listed_with_the_chosen_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
