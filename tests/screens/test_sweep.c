/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Sweep screen: cells and lines at every size, moving, a point as a lane, files, stopping.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "golden.h"
#include "lanes.h"
#include "pagesets.h"
#include "sweeps.h"

#define CURVE "sweep iperf --vary high_min=210..4250:20 --metric first_free_high"

static struct stage *sweep_new_stage(int rows, int cols)
{
	struct stage *s = stage_on(SCREEN_SWEEP, rows, cols);

	app_settle(&s->app);
	return s;
}

static void cells_show_the_grid(void **state)
{
	struct stage *s = sweep_new_stage(24, 80);

	(void)state;
	assert_shows(s, "[5 Sweep]");
	assert_shows(s, "[ 46]");
	assert_shows(s, "84 of 84 points");
	assert_shows(s, "46 never");
	/* What free_high goes by: the point fires where the threshold is not above the ceiling. */
	assert_shows(s, "high_min  14000 7000 3500 2333");
	assert_shows(s, "threshold  7063 3563 1813 1229  938  646  500  354");
	assert_shows(s, "5    2016    -    -");
	assert_shows(s, "Point  cpus 24, pcp_batch_scale_max 5  (present setting)");
	assert_golden_sized(s, "sweep");
	stage_resize(s, 30, 100);
	assert_golden_sized(s, "sweep");
	stage_free(s);
}

static void lines_show_the_curve_and_its_cliff(void **state)
{
	struct stage *s = sweep_new_stage(40, 120);

	(void)state;
	command(s, CURVE);
	app_settle(&s->app);
	assert_shows(s, "first_free_high: 46 frees");
	press(s, "n");
	assert_shows(s, "Point  high_min 3910");
	assert_shows(s, "first_free_high: never");
	assert_shows(s, "high_min 3890: 252 frees");
	assert_shows(s, "near present high_min 590: 46 frees");
	assert_shows(s, "cliff        high_min 3890: 252 frees; then high_min 3910: never");
	assert_shows(s, "slope        22 to 252 frees over high_min 210 to 3890, one for each 16");
	press(s, "n");
	assert_shows(s, "No jump further on");
	press(s, "N");
	assert_shows(s, "No jump before");
	assert_golden_sized(s, "sweep");
	stage_resize(s, 60, 200);
	assert_golden_sized(s, "sweep");
	stage_free(s);
}

static void arrows_move_and_stop_at_the_edges(void **state)
{
	struct stage *s = sweep_new_stage(24, 80);

	(void)state;
	press(s, "Right Down");
	assert_shows(s, "Point  cpus 32, pcp_batch_scale_max 4");
	press(s, "Home Left Left");
	assert_int_equal(0, s->app.sweeps->at[0]);
	press(s, "End Right");
	assert_int_equal(11, s->app.sweeps->at[0]);
	press(s, "Up Up Up Up Up Up Up Up");
	assert_int_equal(6, s->app.sweeps->at[1]);
	press(s, "v");
	assert_true(s->app.sweeps->lines);
	press(s, "v");
	assert_false(s->app.sweeps->lines);
	stage_free(s);
}

static void enter_opens_the_point_as_a_lane(void **state)
{
	struct stage *s = sweep_new_stage(24, 80);

	(void)state;
	press(s, "Left Enter");
	assert_int_equal(2, lanes_used(&s->app));
	assert_shows(s, "cpus=16,pcp_batch_scale_max=5");
	assert_int_equal(16, s->app.lane[1].machine.cpus);
	press(s, "Enter Enter Enter");
	assert_shows(s, "all four lanes are in use");
	stage_free(s);
}

static struct stage *swept(const char *line)
{
	struct stage *s = sweep_new_stage(24, 80);

	command(s, line);
	app_settle(&s->app);
	return s;
}

/* Axes of words and releases have the present setting as their first point, where it is on them. */
static void the_present_setting_is_the_first_point(void **state)
{
	struct stage *s =
		swept("sweep geometry --vary page_size=64K,16K,4K --metric pageblock_bytes");

	(void)state;
	assert_shows(s, "Point  page_size 4K  (present setting)");
	assert_int_equal(2, s->app.sweeps->at[0]);
	stage_free(s);
	s = swept("sweep iperf --vary kernel=6.12,6.18.2,7.0 --metric free_high");
	assert_shows(s, "Point  kernel 6.18.2  (present setting)");
	assert_shows(s, "free_high: 915 ");
	press(s, "Left");
	assert_shows(s, "Point  kernel 6.12");
	assert_hides(s, "(present setting)");
	assert_shows(s, "free_high: 952 ");
	stage_free(s);
	s = swept("sweep iperf --vary kernel=6.12,7.0 --metric free_high");
	assert_hides(s, "(present setting)");
	stage_free(s);
}

static void points_without_a_value_are_counted_by_their_kind(void **state)
{
	struct stage *s =
		swept("sweep geometry --vary max_page_order=10,40 --metric pageblock_order");

	(void)state;
	assert_shows(s, "2 of 2 points · 1 cannot be built or run");
	press(s, "Home Right");
	assert_shows(s, "this machine cannot be built or run");
	stage_free(s);
	s = swept("sweep iperf --vary cpus=2..3 --metric \"100 / (cpus - 2)\"");
	assert_shows(s, "2 of 2 points · 1 without a value");
	press(s, "Home");
	assert_shows(s, "no such value here");
	stage_free(s);
}

static void a_parameter_of_the_scenario_is_no_lane(void **state)
{
	struct stage *s = swept("sweep bonnie --vary param.pages=100,200 --metric allocs");

	(void)state;
	assert_shows(s, "2 of 2 points");
	press(s, "Enter");
	assert_int_equal(1, lanes_used(&s->app));
	assert_shows(s, "a lane differs in settings");
	stage_free(s);
}

static void computing_leaves_the_screen_alive_and_stops(void **state)
{
	struct stage *s = stage_on(SCREEN_SWEEP, 24, 80);

	(void)state;
	assert_true(sweeps_busy(&s->app));
	assert_int_equal(0, app_wait(&s->app));
	assert_shows(s, "Computing, 0 of 84 points");
	assert_shows(s, "?");
	for (unsigned i = 0; i < 30; i++) {
		(void)app_tick(&s->app, 0);
	}
	assert_true(s->app.sweeps->next > 10);
	press(s, "C-c");
	assert_false(sweeps_busy(&s->app));
	assert_shows(s, "Stopped at point");
	assert_true(s->app.sweeps->part.have < 84);
	press(s, "e");
	assert_int_equal(MODE_PROMPT, s->app.mode);
	assert_non_null(strstr(s->app.prompt_start, "sweep iperf --vary cpus=1,2"));
	stage_free(s);
}

static void bad_sweeps_are_refused_at_the_prompt(void **state)
{
	struct stage *s = sweep_new_stage(24, 80);
	char error[400];

	(void)state;
	assert_int_equal(EXIT_USAGE,
		command_status(s, "sweep iperf --vary high_min=0..60000 --metric free_high", error,
			sizeof(error)));
	assert_non_null(strstr(error, "one or two axes"));
	assert_int_equal(EXIT_USAGE,
		command_status(s, "sweep iperf --vary cpus=1..4", error, sizeof(error)));
	assert_shows(s, "84 of 84 points");
	assert_int_equal(EXIT_USAGE, command_status(s, "export somewhere", error, sizeof(error)));
	assert_non_null(strstr(error, ".csv, .json or .svg"));
	stage_free(s);
}

static void files_are_written(void **state)
{
	static const struct {
		const char *end, *holds;
	} forms[] = {
		{"csv",	"24,5,46,value\n"	 },
		{"json", "\"first_free_high\""},
		{"svg",	"</svg>\n"		  },
	};
	struct stage *s = sweep_new_stage(24, 80);
	char folder[] = "/tmp/zonelab-sweep.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		static char text[200000];
		char line[128];
		FILE *f;
		size_t n;

		snprintf(line, sizeof(line), "export %s/grid.%s", folder, forms[i].end);
		command(s, line);
		f = fopen(line + strlen("export "), "r");
		assert_non_null(f);
		n = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
		text[n] = '\0';
		assert_non_null(strstr(text, forms[i].holds));
		unlink(line + strlen("export "));
	}
	rmdir(folder);
	stage_free(s);
}

static void no_size_is_too_odd(void **state)
{
	struct stage *s = sweep_new_stage(24, 80);

	(void)state;
	for (unsigned lines = 0; lines < 2; lines++) {
		for (int cols = 1; cols <= COLS_MAX; cols += 7) {
			for (int rows = 1; rows <= ROWS_MAX; rows += 3) {
				stage_resize(s, rows, cols);
				draw(s);
			}
		}
		stage_resize(s, 24, 80);
		press(s, "v");
	}
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_show_the_grid),
		cmocka_unit_test(lines_show_the_curve_and_its_cliff),
		cmocka_unit_test(arrows_move_and_stop_at_the_edges),
		cmocka_unit_test(enter_opens_the_point_as_a_lane),
		cmocka_unit_test(the_present_setting_is_the_first_point),
		cmocka_unit_test(points_without_a_value_are_counted_by_their_kind),
		cmocka_unit_test(a_parameter_of_the_scenario_is_no_lane),
		cmocka_unit_test(computing_leaves_the_screen_alive_and_stops),
		cmocka_unit_test(bad_sweeps_are_refused_at_the_prompt),
		cmocka_unit_test(files_are_written),
		cmocka_unit_test(no_size_is_too_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
