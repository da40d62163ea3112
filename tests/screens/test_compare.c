/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Compare screen: golden screens, every size, divergences, the kernel axis, playing in step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "beside.h"
#include "golden.h"
#include "lane_spec.h"
#include "lanes.h"
#include "layout_beside.h"
#include "list_feed.h"
#include "pagesets.h"
#include "plain.h"
#include "screen.h"
#include "zonelab/workload.h"

#define FRAME_NS UINT64_C(70000000)

static const struct comparison *shown(const struct stage *s)
{
	return s->app.beside->c;
}

/* Lane A is 6.12.0, then one lane a release. */
static struct stage *lanes_new(const char *const *release, int rows, int cols)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, rows, cols);
	char line[64];

	set(s, "kernel=6.12.0");
	for (size_t i = 0; release[i] != NULL; i++) {
		snprintf(line, sizeof(line), "lane %c:kernel=%s", 'B' + (int)i, release[i]);
		command(s, line);
	}
	command(s, "lane A");
	command(s, "screen compare");
	return s;
}

static struct stage *two(int rows, int cols)
{
	static const char *const release[] = {"6.18.2", NULL};

	return lanes_new(release, rows, cols);
}

static struct stage *three(int rows, int cols)
{
	static const char *const release[] = {"6.18.2", "7.1.3", NULL};

	return lanes_new(release, rows, cols);
}

static void two_lanes_are_drawn_at_their_first_divergence(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "go 0");
	press(s, "n");
	assert_int_equal(154, shown(s)->at);
	s->app.message.text[0] = '\0';
	assert_shows(s, "First divergence, op 154: A flushes 72 pages, B keeps the block · n next");
	assert_shows(s, "They differ on 38 of 1966 ops, 154 to 191, and agree again from 192.");
	assert_shows(s, "64 >= 63          yes  => FLUSH");
	assert_shows(s, " flushes (free_high)               952       915       -37     -3.9 %");
	assert_golden_at_all_sizes(s, "compare-two");
	stage_free(s);
}

/* Where the lanes differ already one stays and is told so. */
static void a_lane_that_differs_here_is_told_here(void **state)
{
	struct stage *s = stage_on(SCREEN_COMPARE, 24, 80);

	(void)state;
	press(s, "Enter");
	assert_int_equal(190, shown(s)->at);
	assert_shows(s, "Divergence at op 190: A keeps the block, B flushes 8 pages · n N go on");
	stage_free(s);
}

static void three_lanes_have_two_divergences(void **state)
{
	struct stage *s = three(40, 120);

	(void)state;
	command(s, "go 160");
	press(s, "n");
	assert_int_equal(191, shown(s)->at);
	assert_shows(s,
		"Divergence at op 191: A flushes 8 pages, B flushes 368 pages, C flushes 368 "
		"pages in 6 holds");
	s->app.message.text[0] = '\0';
	assert_golden_at_all_sizes(s, "compare-three");
	press(s, "n");
	assert_shows(s, "There is no divergence after this op");
	press(s, "N");
	assert_int_equal(154, shown(s)->at);
	stage_free(s);
}

static void four_lanes_are_drawn(void **state)
{
	static const char *const release[] = {"6.1.1", "6.18.2", "5.15", NULL};
	struct stage *s = lanes_new(release, 24, 80);

	(void)state;
	command(s, "go 154");
	s->app.message.text[0] = '\0';
	assert_golden_at_all_sizes(s, "compare-four");
	stage_free(s);
}

static void one_lane_says_how_to_open_another_and_enter_does_it(void **state)
{
	struct stage *s = stage_on(SCREEN_COMPARE, 24, 80);

	(void)state;
	assert_golden_sized(s, "compare-alone");
	press(s, "n . , Space p K K y w Esc Tab 3 4");
	press(s, "Enter");
	assert_int_equal(2, lanes_used(&s->app));
	assert_non_null(shown(s));
	assert_shows(s, "B 6.15");
	assert_shows(s, "First divergence");
	stage_free(s);
}

static void playing_and_stepping_move_all_lanes(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "break clear");
	command(s, "go 150");
	press(s, ". .");
	assert_int_equal(152, shown(s)->at);
	press(s, ",");
	assert_int_equal(151, shown(s)->at);
	command(s, "speed 10");
	press(s, "Space");
	for (unsigned i = 0; i < 20; i++) {
		(void)app_tick(&s->app, UINT64_C(50000000));
	}
	assert_int_equal(161, shown(s)->at);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(161, shown(s)->lane[i].t->at);
	}
	command(s, "break flush");
	command(s, "speed max");
	for (unsigned i = 0; i < 50 && s->app.pagesets->all->playing; i++) {
		(void)app_tick(&s->app, FRAME_NS);
	}
	/* Lane A flushes on its next free. */
	assert_int_equal(162, shown(s)->at);
	command(s, "break clear");
	press(s, "Space");
	for (unsigned i = 0; i < 50 && s->app.pagesets->all->playing; i++) {
		(void)app_tick(&s->app, FRAME_NS);
	}
	assert_int_equal(1966, shown(s)->at);
	assert_true(app_wait(&s->app) == UINT64_MAX);
	stage_free(s);
}

static void pagesets_and_compare_stand_at_one_op(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "go 300");
	press(s, "3");
	assert_int_equal(300, pagesets_timeline(&s->app)->at);
	command(s, "go 400");
	press(s, "4");
	assert_int_equal(400, shown(s)->at);
	press(s, "B 3");
	assert_int_equal(1, s->app.active);
	assert_int_equal(400, pagesets_timeline(&s->app)->at);
	stage_free(s);
}

static void an_edit_in_a_lane_runs_it_again(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "go 160");
	assert_true(comparison_pattern(shown(s), 160) != 0);
	press(s, "B");
	set(s, "kernel=6.12.0");
	assert_int_equal(160, shown(s)->at);
	assert_int_equal(0, shown(s)->differ);
	assert_shows(s, "All lanes do the same on every op.");
	press(s, "u");
	assert_int_equal(38, shown(s)->differ);
	command(s, "lane B off");
	assert_null(shown(s));
	assert_shows(s, "One lane has nothing to be compared with");
	stage_free(s);
}

static void the_kernel_axis_slides_the_focused_lane(void **state)
{
	struct stage *s = two(40, 120);

	(void)state;
	press(s, "B K");
	assert_shows(s, "Kernel axis: left and right slide lane B, K ends it");
	press(s, "Left");
	assert_shows(s, "6.16, design C: pcp_design C (c544a952ba61)");
	press(s, "Left Left");
	assert_shows(s, "B 6.10");
	assert_int_equal(0, shown(s)->differ);
	press(s, "Right Right Right Right");
	assert_shows(s, "7.1, design D71");
	press(s, "Right");
	assert_shows(s, "The kernel axis ends here");
	s->app.message.text[0] = '\0';
	assert_golden_at_all_sizes(s, "compare-axis");
	press(s, "Esc Left");
	assert_shows(s, "B 7.1");
	stage_free(s);
}

static void a_policy_is_a_lane_too(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	char text[8192];

	(void)state;
	command(s, "lane \"B:policy.free_high=pcp->free_count >= 5 * batch\"");
	command(s, "screen compare");
	assert_int_equal(2, shown(s)->nr_lanes);
	assert_true(shown(s)->differ > 0);
	lane_text(&s->app, 1, text, sizeof(text));
	assert_string_equal("B:policy.free_high=pcp->free_count >= 5 * batch", text);
	command(s, "lane B:kernel=6.12.0");
	command(s, "lane \"A:policy.free_high=pcp->free_count >= 5 * batch\"");
	assert_true(shown(s)->differ > 0);
	uint64_t differ = shown(s)->differ;
	press(s, "u");
	assert_true(shown(s)->differ != differ);
	stage_free(s);
}

/* Whatever the values are, a lane's text reads back as the same lane. */
static void a_lane_is_written_as_it_reads(void **state)
{
	static const char *const names[] = {
		"plain", "a,b", "a \"b\", c", "a\"b", "back\\slash", "end\\", "(open", "shut]"};
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);
	static struct lane_spec spec;
	struct zl_error err = {0};
	char text[LANE_TEXT];

	(void)state;
	command(s, "lane \"B:zones=\\\"DMA32:1G,Normal:4G\\\"\"");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(s->app.lane[1].profile_name, sizeof(s->app.lane[1].profile_name), "%s",
			names[i]);
		lane_text(&s->app, 1, text, sizeof(text));
		if (lane_parse(text, &spec, &err) != 0) {
			fail_msg("%s: %s", text, err.text);
		}
		assert_int_equal(2, spec.nr_items);
		assert_string_equal(names[i], lane_value(&spec, 0));
		assert_string_equal("DMA32:1G,Normal:4G", lane_value(&spec, 1));
	}
	stage_free(s);
}

static void the_baseline_may_be_another_lane(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	assert_shows(s, "A  6.12.0 design B  (baseline)");
	press(s, "B p");
	assert_shows(s, "B  6.18.2 design C  (baseline)");
	assert_shows(s, " flushes (free_high)               915       952       +37     +4.0 %");
	press(s, "p");
	assert_shows(s, "A  6.12.0 design B  (baseline)");
	stage_free(s);
}

static void an_op_list_is_compared_too(void **state)
{
	struct stage *s = stage_new(24, 80);
	struct zl_workload w;
	struct zl_error err = {0};
	struct op_feed feed;

	(void)state;
	assert_int_equal(
		0, zl_workload_load(TEST_DATA "/golden/workloads/w37_g3s_thpwm.workload.gz",
			   s->app.alloc, &w, &err));
	set(s, "kernel=7.1.3");
	assert_int_equal(0, list_feed(s->app.alloc, w.ops, w.nr_ops, &feed));
	assert_int_equal(0, pagesets_open(&s->app, w.name, &w.config, &feed, &err));
	zl_workload_done(&w);
	command(s, "lane B:pcp_batch_scale_max=6");
	command(s, "screen compare");
	assert_int_equal(2204, comparison_total(shown(s)));
	assert_shows(s, "NEVER: ceiling 2016");
	assert_true(shown(s)->differ > 0);
	stage_free(s);
}

static void a_lane_that_cannot_run_is_refused(void **state)
{
	struct stage *s = two(24, 80);
	char error[400];

	(void)state;
	assert_int_equal(EXIT_USAGE, command_status(s, "lane B:kernel=5.10", error, sizeof(error)));
	assert_string_equal("pagesets are modelled from kernel 5.14 on", error);
	assert_int_equal(2, shown(s)->nr_lanes);
	stage_free(s);
}

static void the_mail_has_the_line_that_gives_it_again(void **state)
{
	struct stage *s = two(24, 80);
	struct zl_error err = {0};
	struct zl_buf mail = {0};

	(void)state;
	press(s, "B");
	command(s, "set high_min=600");
	assert_int_equal(0, beside_mail(&s->app, &mail, &err));
	assert_int_equal(1, s->app.active);
	const char *text = zl_buf_text(&mail);
	assert_non_null(strstr(text, "--lane A: "));
	assert_non_null(strstr(text, " B:kernel=6.18.2,high_min=600\n"));
	assert_non_null(strstr(text, "zonelab compare iperf --set kernel=6.12.0"));
	for (const char *p = text; *p != '\0'; p = strchr(p, '\n') + 1) {
		assert_true(strcspn(p, "\n") <= 72);
	}
	zl_buf_done(&mail);
	stage_free(s);
}

static void a_click_on_the_curves_goes_there(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "go 160");
	draw(s);
	uint64_t from = s->app.beside->window[0].from;
	assert_true(screen_click(&s->app, &s->c, 19, 9 + 20));
	assert_int_equal(from + 20, shown(s)->at);
	/* On a lane it focuses lane and row. */
	assert_true(screen_click(&s->app, &s->c, 4, 50));
	assert_int_equal(1, s->app.active);
	assert_int_equal(BESIDE_FREE_COUNT, s->app.row[0]);
	assert_true(screen_click(&s->app, &s->c, 2, 5));
	assert_int_equal(0, s->app.active);
	assert_int_equal(BESIDE_FREE_COUNT, s->app.row[0]);
	assert_false(screen_click(&s->app, &s->c, 9, 29));
	stage_free(s);
}

static void help_and_why_are_drawn(void **state)
{
	struct stage *s = two(24, 80);

	(void)state;
	command(s, "go 154");
	press(s, "?");
	assert_golden_sized(s, "compare-help");
	press(s, "Esc Down Down w");
	assert_shows(s, "why: threshold = 63");
	press(s, "Esc B w");
	assert_shows(s, "why: threshold = 354");
	stage_free(s);
}

static void plain_has_one_labelled_fact_a_line(void **state)
{
	struct stage *s = two(24, 80);
	struct zl_buf b = {0};

	(void)state;
	command(s, "go 154");
	plain_screen(&s->app, false, &b);
	const char *text = zl_buf_text(&b);
	assert_non_null(strstr(text, "screen: Compare\n"));
	assert_non_null(strstr(text, "\nlane A: kernel 6.12.0, design B, baseline\n"));
	assert_non_null(strstr(text, "\ntotal zone-lock takes: A 1090, B 1053\n"));
	assert_non_null(strstr(text, "\ntotal refills: A 138, B 138, equal\n"));
	for (const char *p = text; *p != '\0'; p = strchr(p, '\n') + 1) {
		assert_true(strcspn(p, ":") < strcspn(p, "\n"));
	}
	zl_buf_done(&b);
	stage_free(s);
}

static bool inside(struct rect whole, struct rect r)
{
	return r.rows == 0 || (r.row >= whole.row && r.col >= whole.col &&
				      r.row + r.rows <= whole.row + whole.rows &&
				      r.col + r.cols <= whole.col + whole.cols);
}

static void areas_never_overlap_nor_leave_the_body(void **state)
{
	(void)state;
	for (int rows = 24; rows <= 60; rows++) {
		for (int cols = 80; cols <= 200; cols++) {
			for (int n = 1; n <= (cols + 1) / BESIDE_COLS && n <= APP_LANES; n++) {
				for (int k = 0; k < 4; k++) {
					struct rect body = rect(1, 0, rows - 3, cols);
					struct beside_needs needs = {
						n, n > 2 ? n - 1 : 1, 1 + 4 * k, 9 * k, k % 2 == 1};
					struct layout_beside l = layout_beside(body, &needs);
					const struct rect all[] = {l.axis, l.lanes, l.divergence,
						l.totals, l.timeline};
					int at = body.row;
					for (size_t i = 0; i < 5; i++) {
						assert_true(inside(body, all[i]));
						if (all[i].rows > 0) {
							assert_true(all[i].row >= at);
							at = all[i].row + all[i].rows;
						}
					}
					assert_true(l.lanes.rows >= 7 && l.divergence.rows >= 4 &&
						    l.totals.rows >= 6 && l.lane_cols >= 39);
				}
			}
		}
	}
}

static void every_size_has_a_screen(void **state)
{
	struct stage *s = three(24, 80);

	(void)state;
	command(s, "go 160");
	for (int rows = 1; rows <= ROWS_MAX; rows++) {
		for (int cols = rows % 3 + 1; cols <= COLS_MAX; cols += 3) {
			stage_resize(s, rows, cols);
			draw(s);
		}
	}
	stage_free(s);
}

static void any_keys_at_any_size_give_a_screen_with_ids(void **state)
{
	static const char *const keys[] = {"Up", "Down", "Left", "Right", "Tab", "S-Tab", "Enter",
		"Esc", ".", ",", "n", "N", "A", "B", "C", "p", "K", "u", "C-r", "w", "?", "PgDn",
		"PgUp", "Home", "End", "+", "-", "c", "r", "3", "4", "Space", "y", "m", "'"};
	struct stage *s = three(24, 80);
	uint32_t seed = 3;

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		app_key(&s->app, keys[next_random(&seed) % (sizeof(keys) / sizeof(keys[0]))]);
		if (s->app.mode == MODE_PROMPT) {
			app_prompt_done(&s->app, NULL);
		}
		(void)app_tick(&s->app, FRAME_NS);
		stage_resize(s, 1 + (int)(next_random(&seed) % ROWS_MAX),
			1 + (int)(next_random(&seed) % COLS_MAX));
		draw(s);
	}
	stage_free(s);
}

/* Items of a lane give way to its release, a policy's text to its name. */
static void lanes_of_many_words_are_not_cut(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 24, 80);

	(void)state;
	command(s, "lane B:high_min=600,batch=31");
	command(s, "lane C:6.12,policy.free_high=pcp->free_count >= 1000");
	press(s, "4");
	assert_shows(s, "[4 Compare] 5  6                   A 6.18.2  B 6.18.2  C 6.12\n");
	stage_resize(s, 40, 120);
	assert_shows(
		s, "B  6.18.2 batch=31 high_min=600       │ C  6.12 policy free_high design B");
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_of_many_words_are_not_cut),
		cmocka_unit_test(two_lanes_are_drawn_at_their_first_divergence),
		cmocka_unit_test(a_lane_that_differs_here_is_told_here),
		cmocka_unit_test(three_lanes_have_two_divergences),
		cmocka_unit_test(four_lanes_are_drawn),
		cmocka_unit_test(one_lane_says_how_to_open_another_and_enter_does_it),
		cmocka_unit_test(playing_and_stepping_move_all_lanes),
		cmocka_unit_test(pagesets_and_compare_stand_at_one_op),
		cmocka_unit_test(an_edit_in_a_lane_runs_it_again),
		cmocka_unit_test(the_kernel_axis_slides_the_focused_lane),
		cmocka_unit_test(a_policy_is_a_lane_too),
		cmocka_unit_test(a_lane_is_written_as_it_reads),
		cmocka_unit_test(the_baseline_may_be_another_lane),
		cmocka_unit_test(an_op_list_is_compared_too),
		cmocka_unit_test(a_lane_that_cannot_run_is_refused),
		cmocka_unit_test(the_mail_has_the_line_that_gives_it_again),
		cmocka_unit_test(a_click_on_the_curves_goes_there),
		cmocka_unit_test(help_and_why_are_drawn),
		cmocka_unit_test(plain_has_one_labelled_fact_a_line),
		cmocka_unit_test(areas_never_overlap_nor_leave_the_body),
		cmocka_unit_test(every_size_has_a_screen),
		cmocka_unit_test(any_keys_at_any_size_give_a_screen_with_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
