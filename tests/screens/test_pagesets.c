/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Pagesets screen: golden screens, every size, playing with time as an argument.
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

#include "golden.h"
#include "layout_pagesets.h"
#include "list_feed.h"
#include "pagesets.h"
#include "screen.h"
#include "zonelab/workload.h"

#define FRAME_NS UINT64_C(70000000)

static struct stage *pagesets_new(int rows, int cols)
{
	return stage_on(SCREEN_PAGESETS, rows, cols);
}

static uint64_t at_op(const struct stage *s)
{
	return pagesets_timeline(&s->app)->at;
}

static void golden_at(int rows, int cols, const char *keys, const char *name)
{
	struct stage *s = pagesets_new(rows, cols);

	press(s, keys);
	assert_golden(s, name);
	stage_free(s);
}

static void the_story_opens_one_op_before_its_first_flush(void **state)
{
	(void)state;
	golden_at(24, 80, "", "pagesets-80x24");
	golden_at(30, 100, "", "pagesets-100x30");
	golden_at(40, 120, "", "pagesets-120x40");
	golden_at(60, 200, "", "pagesets-200x60");
	golden_at(33, 131, "", "pagesets-131x33");
}

static void a_flush_leaves_a_still_that_says_it_all(void **state)
{
	(void)state;
	golden_at(24, 80, ".", "pagesets-flush-80x24");
	golden_at(40, 120, ".", "pagesets-flush-120x40");
}

static void every_panel_has_a_place(void **state)
{
	static const char *const slots[] = {"buddy", "blocks", "cpus", "settings"};
	char line[32], name[64];

	(void)state;
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		struct stage *s = pagesets_new(24, 80);
		snprintf(line, sizeof(line), "slot %s", slots[i]);
		snprintf(name, sizeof(name), "pagesets-%s", slots[i]);
		command(s, line);
		assert_golden_at_all_sizes(s, name);
		stage_free(s);
	}
	golden_at(24, 80, "?", "pagesets-help-80x24");
	golden_at(24, 80, "w", "pagesets-why-80x24");
}

static void every_size_has_a_screen(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	for (int rows = 1; rows <= ROWS_MAX; rows++) {
		for (int cols = rows % 4 + 1; cols <= COLS_MAX; cols += 4) {
			stage_resize(s, rows, cols);
			draw(s);
		}
	}
	stage_free(s);
}

static void a_typed_setting_moves_the_ghost_threshold(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	press(s, "e Down Enter 7 0 0");
	assert_golden(s, "pagesets-edit-80x24");
	assert_non_null(strstr(s->screen, "▲△ 413 with high_min 700"));
	assert_non_null(strstr(s->screen, "yes → no"));
	assert_non_null(strstr(s->screen, "from op 191 to op 248"));
	press(s, "Esc");
	draw(s);
	assert_null(strstr(s->screen, "△"));
	stage_free(s);
}

static void a_policy_without_a_single_threshold_says_so(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "policy free_high = order && (pcp->free_count > 300 || pcp->count > 9000)");
	draw(s);
	assert_non_null(strstr(s->screen, "no single threshold"));
	assert_non_null(strstr(s->screen, "free_high by policy"));
	command(s, "policy none");
	draw(s);
	assert_null(strstr(s->screen, "by policy"));
	stage_free(s);
}

static void a_counter_below_zero_is_shown_as_such(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "policy free_count_on_alloc = 0 - 12345");
	press(s, "g 2 0 0 Enter");
	command(s, "op alloc 3 U");
	draw(s);
	assert_non_null(strstr(s->screen, "-12 345"));
	assert_null(strstr(s->screen, "18 446"));
	stage_free(s);
}

/* Every size, and what a policy without a value looks like. */
static void policies_fit_every_screen(void **state)
{
	(void)state;
	for (int rows = 24; rows <= 60; rows += 12) {
		for (int cols = 80; cols <= 200; cols += 30) {
			struct stage *s = pagesets_new(rows, cols);

			command(s, "policy free_high = pcp->free_count / (pcp->free_count - 16)");
			command(s, "policy free_count_step = pcp->free_count - 1");
			draw(s);
			press(s, "n . , e Down Down Down Down Down Down Down Enter");
			type(s, "((((((((((((pcp->free_count");
			draw(s);
			press(s, "Tab Esc u u w");
			draw(s);
			stage_free(s);
		}
	}
}

static void a_threshold_out_of_reach_is_a_wall(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "set high_min=7040");
	assert_golden(s, "pagesets-never-80x24");
	assert_non_null(strstr(s->screen, "threshold 63 + 7040 / 2 = 3583"));
	assert_non_null(strstr(s->screen, "counter stops here, 1567 short"));
	assert_non_null(strstr(s->screen, "CANNOT FIRE"));
	stage_free(s);
}

static void every_release_has_a_screen(void **state)
{
	static const char *const kernels[] = {
		"5.15", "6.1.1", "6.1.192", "6.12", "6.18.2", "7.1.3"};
	static const char *const verdicts[] = {"No free_high here: it came with 5.18.",
		"free_factor", "free_factor", "=> FLUSH", "=> FLUSH 368 pages",
		"=> FLUSH 368 pages"};

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct stage *s = pagesets_new(24, 80);
		char line[64];
		snprintf(line, sizeof(line), "kernel=%s", kernels[i]);
		set(s, line);
		command(s, "go 190");
		draw(s);
		if (strstr(s->screen, verdicts[i]) == NULL && i != 3) {
			fail_msg("%s under %s in\n%s", verdicts[i], kernels[i], s->screen);
		}
		stage_free(s);
	}
}

static void every_digit_has_an_id_at_every_size(void **state)
{
	static const char *const scripts[] = {
		"", ".", "v", "v v", "v v v", "e", "e Enter 9", "?", "w", "Tab w", "End", "Home"};
	static const int sizes[][2] = {
		{24, 80 },
		  {25, 81 },
		    {30, 100},
		       {24, 120},
		  {40, 119},
		     {40, 120},
		{47, 133},
		{60, 200},
		   {1,  1	},
		   {20, 90 }
	   };

	(void)state;
	for (size_t z = 0; z < sizeof(sizes) / sizeof(sizes[0]); z++) {
		for (size_t k = 0; k < sizeof(scripts) / sizeof(scripts[0]); k++) {
			struct stage *s = pagesets_new(sizes[z][0], sizes[z][1]);
			press(s, scripts[k]);
			draw(s);
			stage_free(s);
		}
	}
}

static bool inside(struct rect whole, struct rect r)
{
	return r.rows == 0 || (r.row >= whole.row && r.col >= whole.col && r.cols >= 0 &&
				      r.row + r.rows <= whole.row + whole.rows &&
				      r.col + r.cols <= whole.col + whole.cols);
}

static bool apart(struct rect a, struct rect b)
{
	return a.rows == 0 || b.rows == 0 || a.row + a.rows <= b.row || b.row + b.rows <= a.row ||
	       a.col + a.cols <= b.col || b.col + b.cols <= a.col;
}

/* Every size from the smallest usable one up; smaller ones are layout_compute()'s. */
static void areas_never_overlap_nor_leave_the_body(void **state)
{
	(void)state;
	for (int rows = 24; rows <= 60; rows++) {
		for (int cols = 80; cols <= 200; cols++) {
			struct rect body = rect(1, 0, rows - 3, cols);
			struct layout_pagesets l = layout_pagesets(body);
			const struct rect all[] = {l.gauges, l.lists, l.verdict, l.settings, l.slot,
				l.other, l.cpus, l.map, l.timeline};
			const size_t n = sizeof(all) / sizeof(all[0]);
			assert_true(l.gauges.rows >= 4 && l.lists.rows >= 7 &&
				    l.verdict.rows >= 7 && l.timeline.rows >= 3);
			assert_true(l.slot.rows >= 6 && l.bar >= 40);
			for (size_t i = 0; i < n; i++) {
				assert_true(inside(body, all[i]));
				for (size_t k = i + 1; k < n; k++) {
					assert_true(apart(all[i], all[k]));
				}
			}
		}
	}
}

static void playing_spends_time_on_ops(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "break clear");
	command(s, "go 100");
	assert_true(app_wait(&s->app) == UINT64_MAX); /* paused: nothing to wake up for */
	press(s, "Space");
	assert_true(app_wait(&s->app) < UINT64_C(1000000000));
	for (unsigned i = 0; i < 20; i++) {
		(void)app_tick(&s->app, UINT64_C(50000000));
	}
	assert_int_equal(110, at_op(s)); /* one second at 10 op/s */
	press(s, "Space");
	(void)app_tick(&s->app, UINT64_C(900000000));
	assert_int_equal(110, at_op(s));
	assert_true(app_wait(&s->app) == UINT64_MAX);
	command(s, "speed max");
	press(s, "Space");
	(void)app_tick(&s->app, FRAME_NS);
	assert_int_equal(1966, at_op(s));
	assert_false(s->app.pagesets->all->playing);
	stage_free(s);
}

static void a_flush_is_animated_and_ends_in_the_same_still(void **state)
{
	struct stage *s = pagesets_new(24, 80);
	char *still = NULL;
	unsigned frames = 0;

	(void)state;
	press(s, ".");
	draw(s);
	still = strdup(s->screen);
	press(s, ",");
	s->app.motion = true;
	press(s, ".");
	draw(s);
	assert_string_not_equal(still, s->screen);
	while (app_wait(&s->app) != UINT64_MAX) {
		frames += app_tick(&s->app, FRAME_NS) ? 1 : 0;
		assert_true(frames <= 6);
	}
	assert_true(frames >= 5);
	draw(s);
	assert_string_equal(still, s->screen);
	free(still);
	stage_free(s);
}

static void keys_step_seek_and_find_events(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	press(s, "n");
	assert_int_equal(191, at_op(s));
	press(s, "n n N");
	assert_int_equal(192, at_op(s));
	press(s, ", , ,");
	assert_int_equal(189, at_op(s));
	press(s, "End");
	assert_int_equal(1966, at_op(s));
	press(s, "Home");
	assert_int_equal(0, at_op(s));
	command(s, "go 50%");
	assert_int_equal(983, at_op(s));
	command(s, "go 0");
	command(s, "go next flush");
	assert_int_equal(191, at_op(s));
	command(s, "go back refill");
	assert_true((timeline_marks(pagesets_timeline(&s->app), at_op(s)) & MARK_REFILL) != 0);
	command(s, "go 190");
	command(s, "last high");
	assert_int_equal(146, at_op(s));
	stage_free(s);
}

static void play_out(struct stage *s)
{
	press(s, "Space");
	for (unsigned i = 0; i < 50 && s->app.pagesets->all->playing; i++) {
		(void)app_tick(&s->app, FRAME_NS);
	}
}

static void breakpoints_stop_at_events_and_when_a_condition_begins_to_hold(void **state)
{
	struct stage *s = pagesets_new(24, 80);
	struct output out = {0};

	(void)state;
	command(s, "break clear");
	command(s, "go 146");
	command(s, "break count > 100 && free_count >= 100");
	command(s, "break flush");
	command(s, "speed 1000");
	play_out(s);
	assert_int_equal(158, at_op(s)); /* 13 frees of 8 pages */
	play_out(s);
	assert_int_equal(191, at_op(s));
	assert_int_equal(EXIT_USAGE, command_run(&s->app, "break nonsense > 3", &out));
	assert_true(out.error.text[0] != '\0');
	output_done(&out);
	stage_free(s);
}

static void a_scenario_stops_where_it_says_so_and_goes_on(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "go 100");
	command(s, "speed max");
	play_out(s);
	assert_int_equal(190, at_op(s));
	assert_shows(s, "Paused one op before the first flush · Space goes on");
	play_out(s);
	assert_int_equal(1966, at_op(s));
	stage_free(s);
}

static void the_message_row_has_the_caption_of_the_phase(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	command(s, "go 0");
	assert_shows(s, " cpu 0 fills the send window: 96 blocks of order 3");
	command(s, "go 300");
	assert_shows(s, " cpu 0 sends bursts of 48 blocks, cpu 1 frees what was acknowledged");
	stage_free(s);
}

static void undo_returns_to_the_old_branch_at_the_same_op(void **state)
{
	struct stage *s = pagesets_new(24, 80);
	uint64_t before = zl_sim_digest(pagesets_timeline(&s->app)->sim);

	(void)state;
	command(s, "set high_min=700");
	uint64_t after = zl_sim_digest(pagesets_timeline(&s->app)->sim);
	assert_int_equal(190, at_op(s));
	assert_int_equal(1, s->app.pagesets->active);
	assert_true(before != after);
	press(s, "u");
	assert_int_equal(0, s->app.pagesets->active);
	assert_int_equal(190, at_op(s));
	assert_true(zl_sim_digest(pagesets_timeline(&s->app)->sim) == before);
	press(s, "C-r");
	assert_int_equal(1, s->app.pagesets->active);
	assert_true(zl_sim_digest(pagesets_timeline(&s->app)->sim) == after);
	/* Stepping is not an edit. */
	press(s, ". . ,");
	press(s, "u");
	assert_int_equal(191, at_op(s));
	assert_int_equal(0, s->app.pagesets->active);
	stage_free(s);
}

static void one_op_by_hand_makes_a_branch(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	press(s, "o d");
	assert_int_equal(191, at_op(s));
	assert_int_equal(0, s->app.pagesets->scene.pageset.count);
	press(s, "o a");
	assert_int_equal(192, at_op(s));
	press(s, "o f");
	assert_int_equal(193, at_op(s));
	press(s, "o x"); /* no op */
	assert_int_equal(193, at_op(s));
	assert_int_equal(4, s->app.pagesets->nr_branches);
	command(s, "branch 1");
	command(s, "go 191");
	assert_true(scene_flushed(&s->app.pagesets->scene));
	stage_free(s);
}

static void any_number_of_branches_finds_room(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		press(s, i % 3 == 0 ? "o t" : i % 3 == 1 ? "o a" : "o d");
	}
	assert_true(s->app.pagesets->nr_branches <= PAGESETS_BRANCHES);
	assert_int_equal(210, at_op(s));
	stage_free(s);
}

/* Opens a recorded op list in place of the story. */
static void open_list(struct stage *s, const char *path, const char *kernel)
{
	struct zl_workload w;
	struct zl_error err = {0};
	struct op_feed feed;
	char line[64];

	assert_int_equal(0, zl_workload_load(path, s->app.alloc, &w, &err));
	snprintf(line, sizeof(line), "kernel=%s", kernel);
	set(s, line);
	assert_int_equal(0, list_feed(s->app.alloc, w.ops, w.nr_ops, &feed));
	assert_int_equal(0, pagesets_open(&s->app, w.name, &w.config, &feed, &err));
	zl_workload_done(&w);
}

static void every_recorded_run_can_be_shown(void **state)
{
	static const char *const kernels[] = {"5.16", "6.1.192", "6.12", "6.18.2", "7.1.3"};
	glob_t g;

	(void)state;
	assert_int_equal(0, glob(TEST_DATA "/golden/workloads/*.workload.gz", 0, NULL, &g));
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct stage *s = pagesets_new(i % 2 == 0 ? 24 : 40, i % 3 == 0 ? 120 : 80);
		open_list(s, g.gl_pathv[i], kernels[i % 5]);
		uint64_t total = timeline_total(pagesets_timeline(&s->app));
		for (unsigned k = 0; k <= 4; k++) {
			pagesets_seek(&s->app, total * k / 4);
			press(s, "n v");
			draw(s);
		}
		stage_free(s);
	}
	globfree(&g);
}

static void a_run_without_a_flush_is_shown_whole(void **state)
{
	struct stage *s = pagesets_new(24, 80);

	(void)state;
	open_list(s, TEST_DATA "/golden/workloads/w37_g3s_thpwm.workload.gz", "7.1.3");
	pagesets_seek(&s->app, 955);
	s->app.message.text[0] = '\0';
	assert_golden(s, "pagesets-unreachable-80x24");
	assert_non_null(strstr(s->screen, "32 ops per cell"));
	assert_non_null(strstr(s->screen, "2 CPUs: high_min 3520"));
	stage_free(s);
}

static void random_walks_give_the_digests_of_a_straight_run(void **state)
{
	struct stage *s = pagesets_new(24, 80);
	static const char *const keys[] = {
		".", ",", ". .", ", ,", "n", "N", "PgUp", "PgDn", "Left", "Right", "Down", "Up"};
	uint64_t *digest = calloc(1967, sizeof(*digest));
	uint64_t x = 7;

	(void)state;
	assert_non_null(digest);
	for (unsigned i = 0; i < 300; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		press(s, keys[(x >> 33) % (sizeof(keys) / sizeof(keys[0]))]);
		uint64_t here = zl_sim_digest(pagesets_timeline(&s->app)->sim);
		uint64_t op = at_op(s);
		assert_true(op <= 1966);
		assert_true(digest[op] == 0 || digest[op] == here);
		digest[op] = here;
	}
	free(digest);
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_story_opens_one_op_before_its_first_flush),
		cmocka_unit_test(a_flush_leaves_a_still_that_says_it_all),
		cmocka_unit_test(every_panel_has_a_place),
		cmocka_unit_test(every_size_has_a_screen),
		cmocka_unit_test(a_typed_setting_moves_the_ghost_threshold),
		cmocka_unit_test(a_policy_without_a_single_threshold_says_so),
		cmocka_unit_test(a_counter_below_zero_is_shown_as_such),
		cmocka_unit_test(policies_fit_every_screen),
		cmocka_unit_test(a_threshold_out_of_reach_is_a_wall),
		cmocka_unit_test(every_release_has_a_screen),
		cmocka_unit_test(every_digit_has_an_id_at_every_size),
		cmocka_unit_test(areas_never_overlap_nor_leave_the_body),
		cmocka_unit_test(playing_spends_time_on_ops),
		cmocka_unit_test(a_flush_is_animated_and_ends_in_the_same_still),
		cmocka_unit_test(keys_step_seek_and_find_events),
		cmocka_unit_test(breakpoints_stop_at_events_and_when_a_condition_begins_to_hold),
		cmocka_unit_test(a_scenario_stops_where_it_says_so_and_goes_on),
		cmocka_unit_test(the_message_row_has_the_caption_of_the_phase),
		cmocka_unit_test(undo_returns_to_the_old_branch_at_the_same_op),
		cmocka_unit_test(one_op_by_hand_makes_a_branch),
		cmocka_unit_test(any_number_of_branches_finds_room),
		cmocka_unit_test(every_recorded_run_can_be_shown),
		cmocka_unit_test(a_run_without_a_flush_is_shown_whole),
		cmocka_unit_test(random_walks_give_the_digests_of_a_straight_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
