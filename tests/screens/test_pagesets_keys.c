/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What keys, lists and the mouse choose on the Pagesets screen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "machines.h"
#include "pagesets.h"
#include "plain.h"
#include "run_show.h"
#include "screen.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define FRAME_NS UINT64_C(70000000)

static uint64_t at_op(const struct stage *s)
{
	return pagesets_timeline(&s->app)->at;
}

static void a_cpu_and_a_zone_are_chosen_from_a_list(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	static struct completions list;

	(void)state;
	press(s, "c");
	assert_int_equal(MODE_PROMPT, s->app.mode);
	assert_string_equal("cpu ", s->app.prompt_start);
	assert_true(s->app.prompt_list);
	app_prompt_done(&s->app, NULL);
	command_complete(&s->app, "cpu 1", 5, &list);
	assert_int_equal(11, list.count); /* 1, 10 .. 19 */
	assert_string_equal("1", list.item[0].word);
	assert_string_equal("360 of 583", list.item[0].value);
	press(s, "z");
	assert_shows(s, "This run has one zone");
	set(s, "zones=DMA:16M,DMA32:4G,Normal:60G");
	command_complete(&s->app, "zone ", 5, &list);
	assert_int_equal(3, list.count);
	assert_shows(s, "node 0 Normal");
	command(s, "zone 0/DMA32");
	assert_shows(s, "node 0 DMA32");
	command(s, "lane B:kernel=6.12.0");
	assert_shows(s, "node 0 DMA32");
	stage_free(s);
}

/* Compare does not look at what the run shows here. */
static void the_cpus_are_those_of_the_run_on_every_screen(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	static struct completions list;

	(void)state;
	command(s, "lane B:kernel=6.12.0");
	press(s, "4");
	command(s, "set cpus=8");
	command_complete(&s->app, "cpu ", 4, &list);
	assert_int_equal(8 + 1, list.count); /* and "run" */
	stage_free(s);
}

static void a_search_goes_to_ops_by_their_line(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "go 0");
	press(s, "/ 0 x 1 6 0 Enter");
	uint64_t first = at_op(s);
	assert_true(first > 0 && first < 190);
	press(s, "n");
	uint64_t second = at_op(s);
	assert_true(second > first);
	press(s, "N");
	assert_int_equal(first, at_op(s));
	press(s, "N");
	assert_shows(s, "Nothing matches '0x160'");
	press(s, "/ F L U S H Enter");
	assert_int_equal(191, at_op(s));
	press(s, "Esc");
	press(s, "/ c p u 7 Enter");
	assert_shows(s, "Nothing matches 'cpu7'");
	press(s, "Esc n"); /* events again */
	assert_int_equal(192, at_op(s));
	stage_free(s);
}

static void the_mouse_chooses_values_and_places(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	uint64_t op = 0;

	(void)state;
	draw(s);
	assert_true(screen_op_at(&s->app, &s->c, 19, 9 + 10, &op));
	assert_int_equal(s->app.pagesets->window.from + 10, op);
	assert_true(screen_click(&s->app, &s->c, 19, 9 + 10));
	assert_int_equal(op, at_op(s));
	assert_false(screen_op_at(&s->app, &s->c, 5, 9 + 10, &op));
	assert_false(screen_click(&s->app, &s->c, 2, 5));
	press(s, "v v v");
	draw(s);
	assert_true(screen_click(&s->app, &s->c, 14, 11 + 2 * (23 - 16)));
	assert_shows(s, "cpu 23 of 24");
	assert_false(screen_click(&s->app, &s->c, 13, 11 + 2 * 16));
	assert_false(screen_click(&s->app, &s->c, 14, 11 + 2 * 8));
	stage_resize(s, 60, 200);
	draw(s);
	assert_true(screen_click(&s->app, &s->c, 36, 17)); /* in its figure */
	assert_shows(s, "cpu 1 of 24");
	stage_resize(s, 24, 80);
	draw(s);
	pagesets_focus_id(&s->app, screen_id_at(&s->c, 3, 3));
	assert_int_equal(PAGESETS_GAUGES, s->app.panel);
	assert_int_equal(VALUE_RUN_FREE_COUNT, app_focused_id(&s->app));
	press(s, "e");
	draw(s);
	pagesets_focus_id(&s->app, VALUE_SETTING_BASE + ZL_SET_KERNEL);
	assert_int_equal(ZL_SET_KERNEL, app_focused_setting(&s->app));
	stage_free(s);
}

static void a_preview_goes_when_the_text_is_no_value_any_more(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	press(s, "e Down Enter 7 0 0");
	assert_shows(s, "▲△ 413 with high_min 700");
	press(s, "x");
	assert_hides(s, "△");
	press(s, "Backspace");
	assert_shows(s, "▲△ 413 with high_min 700");
	stage_free(s);
}

static void the_focus_stays_on_a_row_when_there_are_fewer(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	press(s, "e Down Down Down Down Down");
	assert_int_equal(5, s->app.row[PAGESETS_SLOT]);
	press(s, "v");
	assert_true(s->app.row[PAGESETS_SLOT] < pagesets_panel_rows(&s->app, PAGESETS_SLOT));
	stage_free(s);
}

static void a_typed_policy_moves_threshold_and_verdict(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	uint64_t at = at_op(s);

	(void)state;
	press(s, "e Down Down Down Down Down Down Down Enter");
	type(s, "order && pcp->free_count >= 8 * batch");
	assert_golden(s, "pagesets-policy-80x24");
	assert_non_null(strstr(s->screen, "504 with free_high"));
	assert_non_null(strstr(s->screen, "the next free would not flush"));
	press(s, "Enter");
	draw(s);
	assert_int_equal(at, at_op(s)); /* a branch from here */
	assert_non_null(strstr(s->screen, "free_high  policy order && pcp"));
	assert_non_null(strstr(s->screen, "free_high by policy"));
	press(s, "u");
	draw(s);
	assert_non_null(strstr(s->screen, "free_high  threshold batch + high_min/2"));
	assert_int_equal(0, app_lane(&s->app)->profile.policies.count);
	stage_free(s);
}

/* The figures before the op are from the branch before, where there was a policy. */
static void a_policy_may_go_at_the_op_where_a_setting_changes(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "policy free_high = pcp->free_count >= batch");
	press(s, ".");
	command(s, "set high_min=700");
	command(s, "policy free_high = default");
	draw(s);
	assert_int_equal(4, s->app.pagesets->nr_branches);
	stage_free(s);
}

static void a_pageset_that_was_never_used_has_no_high_yet(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct value_in in;
	int64_t high = -1;

	(void)state;
	command(s, "cpu 5");
	in = app_values(&s->app);
	assert_true(value_get(&in, VALUE_RUN_HIGH, &high));
	assert_int_equal(0, high);
	assert_shows(s, "high 0 until used");
	assert_int_equal(583, scene_full(&s->app.pagesets->scene.pageset));
	stage_free(s);
}

struct drains {
	unsigned all, pressed; /* by a limit below high */
};

/* Walks a run; each free that does not flush drains from the count that was said before it. */
static void walk_frees(struct app *app, const char *what, uint64_t from, struct drains *ret)
{
	struct scene at = {0};

	for (uint64_t op = from; op < from + 100; op++) {
		pagesets_seek(app, op);
		const struct zl_record *next = &app->pagesets->scene.next;
		const bool drained = next->drained > 0;

		if (next->op.kind != ZL_OP_FREE || next->order > 3 || next->free_high ||
			next->reason == ZL_REASON_FREE_NOOP) {
			continue;
		}
		assert_int_equal(0, scene_fill(&at, pagesets_timeline(app), next->cpu, app->alloc));
		const int64_t limit = scene_drain_from(&at.pageset, &at.zone, next->order);
		const bool drain = at.pageset.count + (INT64_C(1) << next->order) >= limit;
		if (drained != drain) {
			fail_msg("%s, op %u: drained %d of %d from %d on, high %d", what,
				(unsigned)op + 1, (int)next->drained, at.pageset.count, (int)limit,
				at.pageset.high);
		}
		ret->all += drain ? 1 : 0;
		ret->pressed += drain && limit < at.pageset.high ? 1 : 0;
	}
	scene_done(&at, app->alloc);
}

static void the_next_free_drains_from_the_count_that_is_said(void **state)
{
	static const struct {
		const char *list;
		uint64_t from;
	} lists[] = {
		{"w13_iperf_srv_o0", 1530},
		{"w27_below_high",   2620},
		{"w28_reclaim",	1490},
	};
	static const char *const kernels[] = {
		"kernel=5.15", "kernel=6.1", "kernel=6.12", "kernel=6.18.2", "kernel=7.1"};
	struct drains drains = {0};

	(void)state;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
			struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
			struct zl_error err = {0};
			char line[512];

			set(s, kernels[k]);
			snprintf(line, sizeof(line), TEST_DATA "/golden/workloads/%s.workload.gz",
				lists[i].list);
			assert_int_equal(0, list_show(&s->app, line, &err));
			walk_frees(&s->app, lists[i].list, lists[i].from, &drains);
			stage_free(s);
		}
	}
	assert_true(drains.all > 40);
	assert_true(drains.pressed > 10);
}

static void a_search_finds_settings_where_no_op_matches(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	const uint64_t op = at_op(s);

	(void)state;
	press(s, "/ s c a l e _ m Enter");
	assert_int_equal(op, at_op(s));
	assert_int_equal(ZL_SET_BATCH_SCALE_MAX, app_focused_setting(&s->app));
	press(s, "/ h i g h Enter");
	assert_int_equal(ZL_SET_HIGH_FRACTION, app_focused_setting(&s->app));
	press(s, "n n");
	assert_int_equal(ZL_SET_HIGH_MIN, app_focused_setting(&s->app));
	press(s, "/ w a t e r m a r k _ b Enter");
	assert_int_equal(OVERLAY_SETTINGS, s->app.overlay);
	assert_int_equal(ZL_SET_WATERMARK_BOOST_FACTOR, app_focused_setting(&s->app));
	press(s, "/ l o w m e m Enter");
	assert_int_equal(ZL_SET_LOWMEM_RESERVE_RATIO, app_focused_setting(&s->app));
	press(s, "Esc / f l u s h Enter");
	assert_true(at_op(s) > op);
	stage_free(s);
}

/* No setting is cut beside the buddy. */
static void settings_beside_the_buddy_stand_in_one_column(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 40, 120);

	(void)state;
	press(s, "v v v v");
	assert_shows(s, "pcp_batch_scale_max           5  built in");
	assert_shows(s, "free_high  threshold batch + high_min/2");
	press(s, "Down Enter 7 0 0");
	assert_shows(s, "△ next free: no flush; next one op 191 → op");
	stage_resize(s, 60, 200);
	press(s, "Esc");
	assert_shows(s, "Operations");
	stage_free(s);
}

/* The smallest screen has room for all keys and marks, and nothing of them is cut. */
static void help_of_every_screen_is_one_page(void **state)
{
	static const enum app_screen screens[] = {SCREEN_GEOMETRY, SCREEN_RESERVE, SCREEN_PAGESETS,
		SCREEN_COMPARE, SCREEN_SWEEP, SCREEN_LEARN};

	(void)state;
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		struct stage *s = stage_on(screens[i], 24, 80);

		press(s, "?");
		assert_shows(s, "── Keys on this screen: ");
		assert_shows(s, "── What the marks mean");
		assert_shows(s, screens[i] == SCREEN_LEARN ? "`lesson NAME` opens one by name\n\n"
							   : "and `w` print the same text.\n\n");
		for (const char *p = strstr(s->screen, "…"); p != NULL; p = strstr(p + 1, "…")) {
			assert_int_equal(0, strncmp(p, "… cut off", strlen("… cut off")));
		}
		press(s, "/ s u s p e n d Enter");
		assert_shows(s, "suspend, redraw, stop");
		stage_free(s);
	}
}

/* Whatever runs: no figure and no word of the screen is cut, whatever the slot shows. */
static void no_scenario_is_cut_at_any_size(void **state)
{
	static const int sizes[][2] = {
		{24, 80 },
		  {30, 100},
		     {40, 120},
		{60, 200}
	 };

	(void)state;
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_SCENARIOS); i++) {
		struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
		const char *name = zl_shipped_at(ZL_SHIPPED_SCENARIOS, i)->name;
		struct zl_error err = {0};

		assert_int_equal(0, scenario_show(&s->app, name, &err));
		for (size_t k = 0; k < 2 * sizeof(sizes) / sizeof(sizes[0]); k++) {
			stage_resize(s, sizes[k / 2][0], sizes[k / 2][1]);
			pagesets_seek(&s->app, k % 2 == 0 ? 0 : 50);
			press(s, "v");
			draw(s);
			if (strstr(s->screen, "…") != NULL) {
				fail_msg("%s, %dx%d, op %u: %s", name, sizes[k / 2][1],
					sizes[k / 2][0], (unsigned)at_op(s), s->screen);
			}
		}
		stage_free(s);
	}
}

static void play_out(struct stage *s)
{
	press(s, "Space");
	for (unsigned i = 0; i < 50 && s->app.pagesets->all->playing; i++) {
		(void)app_tick(&s->app, FRAME_NS);
	}
}

/* Whoever plays from the place of a stop is not held there, and no other stop is lost by it. */
static void playing_from_a_stop_leaves_it_and_meets_the_next(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	assert_int_equal(190, at_op(s)); /* where a run opens: Space plays, says the screen */
	command(s, "break flush");
	command(s, "break free_count >= 368");
	play_out(s);
	assert_int_equal(191, at_op(s));
	command(s, "go 188");
	play_out(s);
	assert_int_equal(190, at_op(s));
	play_out(s);
	assert_int_equal(191, at_op(s));
	stage_free(s);
}

/* Counts of any length, in any orders, with what a flush adds. */
static void long_counts_of_the_buddy_are_not_cut(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 40, 120);

	(void)state;
	press(s, ".");
	app_settle(&s->app);
	struct scene *scene = &s->app.pagesets->scene;
	for (unsigned o = 0; o < 6; o++) {
		scene->buddy[o][ZL_MIGRATE_MOVABLE] = 12340 + o;
		assert_hides(s, "…");
		char row[16];
		zl_format(row, sizeof(row), " 12 34%u", o);
		assert_shows(s, row);
	}
	scene->buddy[0][ZL_MIGRATE_MOVABLE] = 1234567;
	assert_shows(s, " M 1 234 567 12 341 ");
	assert_hides(s, "…");
	stage_free(s);
}

static void plain_says_it_in_lines(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	struct zl_buf b = {0};

	(void)state;
	plain_screen(&s->app, false, &b);
	const char *text = zl_buf_text(&b);
	static const char whole[] =
		"screen: Pagesets\n"
		"lane: A, iperf 64 GiB/24, kernel 6.18.2, design C\n"
		"paused: op 190 of 1966, one op before the first flush\n"
		"cpu: 1 of 24, node 0, zone Normal\n"
		"count: 360 pages, high: 583, high_min: 583, high_max: 87381\n"
		"batch: 63, alloc_factor: 0\n"
		"free_count: 360\n"
		"threshold: 354 = batch 63 + high_min 583 / 2\n"
		"ceiling: 2016 = batch 63 << 5; threshold is reachable\n"
		"condition 1: free_count 360 >= threshold 354: yes\n"
		"condition 2: previous free was order 1..3: yes\n"
		"condition 3: not FREE_HIGH_BATCH, or count >= 63: yes\n"
		"verdict: the next free of order 3 flushes 368 pages, 46 blocks\n"
		"list order 3 U: 45 blocks, 360 pages, other lists empty\n"
		"last op 190: cpu 1 free order 3 U, page 0x160, to the list\n"
		"because: The pageset holds less than its limit; the block stays on it.\n"
		"next op 191: cpu 1 free order 3 U, page 0x168\n"
		"buddy U: order 3: 1, order 5: 1, order 6: 1, order 8: 1, order 9: 1\n"
		"buddy M: order 10: 126, free 129896 pages\n"
		"keys: Space play, comma and period step, ";
	assert_int_equal(0, strncmp(text, whole, sizeof(whole) - 1));
	for (const char *p = text; *p != '\0'; p++) {
		assert_true((unsigned char)*p < 0x80);
	}
	zl_buf_done(&b);
	stage_free(s);
}

/* Rows of 64 CPUs, two cells each, where there is room for them. */
static void many_cpus_stand_in_rows_of_a_power_of_two(void **state)
{
	struct stage *s = stage_new(60, 200);
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, machine_profile(&s->app, "amd-2x384", &err));
	press(s, "3");
	assert_shows(s, "\n cpu     0 ░░░░.....");
	assert_shows(s, "\n cpu    64 ....");
	assert_shows(s, "\n cpu   320 ....");
	assert_shows(s, "\n           . empty  ░ under 1/4 of high  ▒ 1/2  ▓ 3/4  █ more\n");
	stage_resize(s, 40, 120);
	assert_shows(s, "\n cpu     0 ░....");
	assert_shows(s, "\n cpu   256 ....");
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_cpus_stand_in_rows_of_a_power_of_two),
		cmocka_unit_test(no_scenario_is_cut_at_any_size),
		cmocka_unit_test(long_counts_of_the_buddy_are_not_cut),
		cmocka_unit_test(plain_says_it_in_lines),
		cmocka_unit_test(help_of_every_screen_is_one_page),
		cmocka_unit_test(a_search_finds_settings_where_no_op_matches),
		cmocka_unit_test(settings_beside_the_buddy_stand_in_one_column),
		cmocka_unit_test(the_next_free_drains_from_the_count_that_is_said),
		cmocka_unit_test(a_pageset_that_was_never_used_has_no_high_yet),
		cmocka_unit_test(a_policy_may_go_at_the_op_where_a_setting_changes),
		cmocka_unit_test(a_cpu_and_a_zone_are_chosen_from_a_list),
		cmocka_unit_test(the_cpus_are_those_of_the_run_on_every_screen),
		cmocka_unit_test(a_search_goes_to_ops_by_their_line),
		cmocka_unit_test(playing_from_a_stop_leaves_it_and_meets_the_next),
		cmocka_unit_test(the_mouse_chooses_values_and_places),
		cmocka_unit_test(a_preview_goes_when_the_text_is_no_value_any_more),
		cmocka_unit_test(the_focus_stays_on_a_row_when_there_are_fewer),
		cmocka_unit_test(a_typed_policy_moves_threshold_and_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
