/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes on the Pagesets screen: opened, focused and closed; one place in time for all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "lanes.h"
#include "pagesets.h"

static uint64_t at_op(const struct stage *s)
{
	return pagesets_timeline(&s->app)->at;
}

static uint64_t digest(const struct stage *s)
{
	return zl_sim_digest(pagesets_timeline(&s->app)->sim);
}

static struct stage *pagesets_new(void)
{
	return stage_on(SCREEN_PAGESETS, 24, 80);
}

static void assert_fails(struct stage *s, const char *line, const char *why)
{
	char error[400];

	assert_int_equal(EXIT_USAGE, command_status(s, line, error, sizeof(error)));
	if (strstr(error, why) == NULL) {
		fail_msg("%s: %s", line, error);
	}
}

static void a_lane_runs_the_same_ops_under_its_own_settings(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	uint64_t a = digest(s);
	command(s, "lane B:kernel=6.12.0");
	assert_int_equal(1, s->app.active);
	assert_int_equal(190, at_op(s));
	assert_shows(s, "A 6.18.2  B iperf 64 GiB/24 6.12.0");
	assert_shows(s, "6.12.0 design B");
	assert_true(digest(s) != a);
	command(s, "go 154");
	assert_true(scene_flushed(&s->app.pagesets->scene));
	press(s, "A");
	assert_int_equal(0, s->app.active);
	assert_int_equal(154, at_op(s));
	assert_false(scene_flushed(&s->app.pagesets->scene));
	assert_shows(s, "6.18.2 design C");
	command(s, "go 190");
	assert_true(digest(s) == a);
	assert_golden(s, "pagesets-lanes-80x24");
	stage_free(s);
}

static void keys_go_from_lane_to_lane_and_name_those_that_are_not_open(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	press(s, "C");
	assert_shows(s, "Error: lane C is not open; lane C:KEY=VALUE,... opens it");
	command(s, "lane C:high_min=700");
	assert_int_equal(2, s->app.active);
	assert_shows(s, "413");
	press(s, "A B");
	assert_int_equal(0, s->app.active);
	press(s, "C");
	assert_int_equal(2, s->app.active);
	command(s, "lane");
	stage_free(s);
}

static void an_edit_is_undone_in_its_own_lane(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	command(s, "lane B:kernel=6.12.0");
	command(s, "set high_min=700");
	uint64_t edited = digest(s);
	press(s, "A");
	uint64_t a = digest(s);
	press(s, "u");
	assert_int_equal(1, s->app.active);
	assert_int_equal(0, s->app.pagesets->active);
	assert_true(digest(s) != edited);
	press(s, "A");
	assert_true(digest(s) == a);
	press(s, "C-r");
	assert_int_equal(1, s->app.active);
	assert_true(digest(s) == edited);
	/* With the lane its edits are gone too. */
	command(s, "lane B off");
	assert_int_equal(0, s->app.active);
	press(s, "u");
	assert_shows(s, "Nothing to undo");
	/* Edits of other lanes stay. */
	command(s, "set high_min=700");
	a = digest(s);
	command(s, "lane B:kernel=6.12.0");
	command(s, "lane B off");
	assert_true(digest(s) == a);
	press(s, "u");
	assert_hides(s, "Nothing to undo");
	assert_true(digest(s) != a);
	stage_free(s);
}

static void a_lane_may_be_another_machine(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	command(s, "lane B:profile=amd-2x384,kernel=6.12");
	assert_shows(s, "of 384");
	press(s, "A");
	assert_shows(s, "of 24");
	command(s, "lane D:memory=16G,cpus=8");
	assert_shows(s, "iperf 16 GiB/8");
	assert_shows(s, "of 8 ");
	stage_free(s);
}

static void a_wrong_lane_changes_nothing(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	assert_fails(s, "lane E:kernel=6.12", "there is no lane 'E:kernel=6.12'");
	assert_fails(s, "lane B:nonsense=1", "nonsense");
	assert_fails(s, "lane B:high_min", "high_min");
	assert_fails(s, "lane B:profile=nowhere", "no shipped profile 'nowhere'");
	assert_fails(s, "lane A off", "lane A stays");
	assert_fails(s, "lane B off", "lane B is not open");
	assert_fails(s, "lane B on", "takes nothing, off");
	assert_int_equal(1, lanes_used(&s->app));
	assert_int_equal(0, s->app.active);
	assert_int_equal(190, at_op(s));
	stage_free(s);
}

static void enter_opens_a_way_out_of_reach_as_a_lane(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	command(s, "set high_min=7040");
	assert_shows(s, "Enter opens the chosen line as lane B");
	assert_true(s->app.pagesets->scene.verdict.never);
	press(s, "Down Enter");
	assert_int_equal(1, s->app.active);
	assert_false(s->app.pagesets->scene.verdict.never);
	assert_shows(s, "Lane B: high_min=3907 · A goes back");
	assert_shows(s, "threshold     2016");
	press(s, "A");
	assert_true(s->app.pagesets->scene.verdict.never);
	press(s, "Enter A Down Down Enter A Enter");
	assert_int_equal(4, lanes_used(&s->app));
	press(s, "A Enter");
	assert_shows(s, "Error: all four lanes are open; :lane D off closes one");
	stage_free(s);
}

static void all_lanes_share_one_budget(void **state)
{
	struct stage *s = pagesets_new();

	(void)state;
	size_t one = s->app.pagesets->all->meter.used;
	command(s, "lane B:kernel=6.12");
	command(s, "lane C:kernel=7.1");
	command(s, "lane D:high_min=600");
	size_t four = s->app.pagesets->all->meter.used;
	assert_true(four > one);
	command(s, "lane B off");
	command(s, "lane C off");
	command(s, "lane D off");
	assert_int_equal(one, s->app.pagesets->all->meter.used);
	stage_free(s);
}

static void random_keys_over_lanes_keep_one_place_in_time(void **state)
{
	static const char *const lines[] = {"lane B:kernel=6.12", "lane C:high_min=900",
		"lane B off", "lane C off", "lane A", "lane B", "lane C", "go +1", "go -1",
		"go event", "undo", "set high_min=600", "op drain", "redo", "go 300", "branch 1"};
	struct stage *s = pagesets_new();
	uint32_t seed = 5;
	char error[400];

	(void)state;
	for (unsigned i = 0; i < 250; i++) {
		const char *line = lines[next_random(&seed) % (sizeof(lines) / sizeof(lines[0]))];
		(void)command_status(s, line, error, sizeof(error));
		assert_true(s->app.lane[s->app.active].used);
		assert_ptr_equal(s->app.pagesets, s->app.run[s->app.active]);
		assert_int_equal(at_op(s), s->app.pagesets->scene.at);
		if (i % 8 == 0) {
			draw(s);
		}
	}
	stage_free(s);
}

/* The arrows stay among the settings, which stand in two columns. */
static void sideways_goes_between_the_columns_of_settings(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 40, 120);
	uint64_t at = pagesets_timeline(&s->app)->at;

	(void)state;
	command(s, "slot settings");
	press(s, "Down Right");
	assert_int_equal(ZL_SET_HIGH_FRACTION, app_focused_setting(&s->app));
	press(s, "Right");
	assert_int_equal(ZL_SET_HIGH_FRACTION, app_focused_setting(&s->app));
	press(s, "Left Left");
	assert_int_equal(ZL_SET_HIGH_MIN, app_focused_setting(&s->app));
	assert_int_equal(at, pagesets_timeline(&s->app)->at);
	stage_free(s);
}

/* The settings panel is about the machine of the run, not about the lane below it. */
static void settings_are_those_of_the_run(void **state)
{
	struct stage *s = stage_on(SCREEN_PAGESETS, 40, 120);
	char now[64], want[96];

	(void)state;
	command(s, "settings");
	assert_shows(s, "Settings of lane A: the machine of iperf 64 GiB/24");
	assert_shows(s, "x86_64          scenario");
	assert_hides(s, "arm64");
	snprintf(now, sizeof(now), "%d", s->app.pagesets->scene.pageset.high_min);
	snprintf(want, sizeof(want), "high_min                       %s ", now);
	assert_shows(s, want);
	press(s, "Esc");
	/* The next value is one more than that of the run. */
	command(s, "slot settings");
	press(s, "Down +");
	assert_int_equal(atoi(now) + 1, s->app.pagesets->scene.pageset.high_min);
	command(s, "lane B:high_min=700");
	command(s, "settings");
	assert_shows(s, "Settings of lane B: the machine of iperf 64 GiB/24");
	assert_shows(s, "high_min                       700 ");
	press(s, "Esc");
	/* On a screen that is about the lane, the lane's. */
	press(s, "1");
	command(s, "settings");
	assert_shows(s, "Settings of lane B ");
	assert_shows(s, "arm64");
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_those_of_the_run),
		cmocka_unit_test(sideways_goes_between_the_columns_of_settings),
		cmocka_unit_test(a_lane_runs_the_same_ops_under_its_own_settings),
		cmocka_unit_test(keys_go_from_lane_to_lane_and_name_those_that_are_not_open),
		cmocka_unit_test(an_edit_is_undone_in_its_own_lane),
		cmocka_unit_test(a_lane_may_be_another_machine),
		cmocka_unit_test(a_wrong_lane_changes_nothing),
		cmocka_unit_test(enter_opens_a_way_out_of_reach_as_a_lane),
		cmocka_unit_test(all_lanes_share_one_budget),
		cmocka_unit_test(random_keys_over_lanes_keep_one_place_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
