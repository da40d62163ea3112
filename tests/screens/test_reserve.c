/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Reserve screen: golden screens, every size, pools changed by hand. ZL_BLESS=1 writes the
 * golden files anew.
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
#include "layout_reserve.h"
#include "machines.h"
#include "plain.h"
#include "pools.h"
#include "screen.h"

#define BOARD TEST_DATA "/captures-dt/linux-7.3.4-arm64-16k-debian/"
#define CASES TEST_DATA "/cases/"

/* Opens as the program does: files, then a setting. */
static struct stage *stage_open(const char *const *path, size_t n, const char *setting)
{
	struct stage *s = stage_new(24, 80);
	struct zl_settings none = {0};
	struct zl_error err = {0};

	if (machine_open(&s->app, path, n, &none, &err) < 0) {
		fail_msg("%s: %s", path[0], err.text);
	}
	if (setting != NULL) {
		assert_int_equal(0, app_assign(&s->app, setting, &err));
		app_resolve(&s->app);
	}
	return s;
}

/* At every size, and ends the stage. */
static void golden_at_all_sizes(struct stage *s, const char *name)
{
	assert_golden_at_all_sizes(s, name);
	stage_free(s);
}

static struct stage *board(void)
{
	static const char *const path[] = {BOARD "dt-multi.txt.gz", BOARD "config.txt.gz"};

	return stage_open(path, 2, NULL);
}

static struct stage *tree(const char *path)
{
	return stage_open(&path, 1, "page_size=16K");
}

static void a_board_opens_on_its_first_refused_pool(void **state)
{
	struct stage *s = board();

	(void)state;
	assert_int_equal(SCREEN_RESERVE, s->app.screen);
	assert_shows(s, "\n►  pool_a_dyn4               4 MiB  REFUSED   32 MiB ");
	golden_at_all_sizes(s, "reserve-board");
}

static void trees_are_drawn(void **state)
{
	(void)state;
	golden_at_all_sizes(tree(CASES "uc03-driver-4mib.dts"), "reserve-uc03");
	golden_at_all_sizes(tree(CASES "uc06-two-pools.dts"), "reserve-uc06");
	golden_at_all_sizes(tree(CASES "uc12-zero-slack.dts"), "reserve-uc12");
	golden_at_all_sizes(tree(CASES "uc14-mixed-cells.dts"), "reserve-uc14");
}

static void the_windows_of_the_chosen_pool_are_shaded(void **state)
{
	struct stage *s = tree(CASES "uc12-zero-slack.dts");

	(void)state;
	assert_shows(s, "r reserved  : its window");
	/* 320 MiB from 0x64000000 on, 64 MiB a cell; another node is in the first. */
	assert_shows(s, "\n .........................B::::..................................\n");
	press(s, "Down");
	assert_shows(s, "\n .........................B......................................\n");
	stage_free(s);
}

static void n_goes_from_refused_to_refused(void **state)
{
	struct stage *s = board();

	(void)state;
	press(s, "n");
	assert_shows(s, "── pool_d_stmis1m@54100000: why");
	assert_shows(s, "+  reg = <0x0 0x54000000 0x0 0x2000000>;");
	press(s, "n");
	assert_shows(s, "── pool_a_dyn4: why");
	press(s, "N");
	assert_shows(s, "── pool_d_stmis1m@54100000: why");
	stage_free(s);
}

/* Three or more, so that backwards is not forwards. */
static void big_n_goes_the_other_way_round(void **state)
{
	struct stage *s = board();
	unsigned row[16], n = 0;

	(void)state;
	press(s, "/ p o o l Enter");
	const unsigned first = s->app.row[POOLS_LIST];
	do {
		assert_true(n < 16);
		row[n++] = s->app.row[POOLS_LIST];
		press(s, "n");
	} while (s->app.row[POOLS_LIST] != first);
	assert_true(n > 2);
	while (n-- > 0) {
		press(s, "N");
		assert_int_equal(row[n], s->app.row[POOLS_LIST]);
	}
	stage_free(s);
}

static void the_fix_is_a_diff_and_is_written_once(void **state)
{
	struct stage *s = tree(CASES "uc06-two-pools.dts");
	char dir[] = "/tmp/zonelab-reserve-XXXXXX";
	char path[64], line[96], error[200];
	char *text = malloc(8192);

	(void)state;
	assert_non_null(text);
	press(s, "f");
	assert_shows(s, "\n +                       reg = <0x0 0x40000000 0x0 0x02000000>;");
	press(s, "Esc");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fixed.dts", dir);
	snprintf(line, sizeof(line), "write-fix %s", path);
	assert_int_equal(EXIT_YES, command_status(s, line, error, sizeof(error)));
	read_file(path, text, 8192);
	assert_non_null(strstr(text, "reg = <0x0 0x42000000 0x0 0x26000000>;"));
	assert_non_null(strstr(text, "/* UC-06 */"));
	assert_int_equal(EXIT_USAGE, command_status(s, line, error, sizeof(error)));
	assert_true(error[0] != '\0');
	unlink(path);
	rmdir(dir);
	free(text);
	stage_free(s);
}

static void a_removed_node_is_taken_out_of_what_is_written(void **state)
{
	struct stage *s = tree(CASES "uc06-two-pools.dts");
	char dir[] = "/tmp/zonelab-reserve-XXXXXX";
	char path[64], line[96], error[200];
	char *text = malloc(8192);

	(void)state;
	assert_non_null(text);
	assert_non_null(mkdtemp(dir));
	press(s, "x");
	assert_shows(s, "pool@40000000 removed");
	snprintf(path, sizeof(path), "%s/one.dts", dir);
	snprintf(line, sizeof(line), "write-fix %s", path);
	assert_int_equal(EXIT_YES, command_status(s, line, error, sizeof(error)));
	read_file(path, text, 8192);
	assert_null(strstr(text, "pool_a"));
	assert_non_null(strstr(text, "pool_b: pool@40000000 {"));
	unlink(path);
	/* Taken back, it is written again. */
	press(s, "u");
	assert_int_equal(EXIT_YES, command_status(s, line, error, sizeof(error)));
	read_file(path, text, 8192);
	assert_non_null(strstr(text, "pool_a: pool@40000000 {"));
	unlink(path);
	rmdir(dir);
	free(text);
	stage_free(s);
}

static void a_moved_pool_gets_another_verdict_and_can_be_put_back(void **state)
{
	struct stage *s = board();

	(void)state;
	press(s, "n m");
	assert_shows(s, "pool_d_stmis1m@54100000 at 0x54100000");
	press(s, "Up");
	assert_shows(s, "pool_d_stmis1m@54100000 at 0x54000000");
	assert_shows(s, " size 0x400000 is not a multiple of CMA_MIN_ALIGNMENT_BYTES 0x2000000");
	press(s, "Enter r Down");
	assert_shows(s, ": 32 MiB · arrows");
	press(s, "Enter");
	assert_shows(s, "►  pool_d_stmis1m@54100000  32 MiB  accepted  32 MiB ");
	assert_shows(s, "+  reg = <0x0 0x54000000 0x0 0x2000000>;");
	press(s, "u u");
	assert_shows(s, "►  pool_d_stmis1m@54100000   4 MiB  REFUSED   32 MiB @0x54000000");
	press(s, "C-r C-r");
	assert_shows(s, "►  pool_d_stmis1m@54100000  32 MiB  accepted  32 MiB ");
	press(s, "m Down Esc");
	assert_shows(s, "►  pool_d_stmis1m@54100000  32 MiB  accepted  32 MiB ");
	stage_free(s);
}

static void pools_are_added_changed_and_removed_by_hand(void **state)
{
	struct stage *s = board();
	char error[200];

	(void)state;
	press(s, "i 3 2 M @ 0 x 6 0 0 0 0 0 0 0 Enter");
	assert_shows(s, "►  pool-1                   32 MiB  accepted  32 MiB ");
	press(s, "x");
	assert_shows(s, "pool-1 removed · u takes it back");
	press(s, "u");
	assert_shows(s, "►  pool-1                   32 MiB  accepted  32 MiB ");
	press(s, "Enter C-u 5 M Enter");
	assert_shows(s, "►  pool-1                    5 MiB  REFUSED   32 MiB ");
	press(s, "i b l a Enter");
	assert_shows(s, "'bla' is no SIZE[@BASE]; 32M or 32M@0x50000000");
	press(s, "Esc");
	assert_int_equal(EXIT_USAGE, command_status(s, "pool add 0", error, sizeof(error)));
	assert_string_equal("'0' is no SIZE[@BASE]; 32M or 32M@0x50000000", error);
	stage_free(s);
}

static void verdicts_follow_the_machine_and_edits_stay(void **state)
{
	struct stage *s = tree(CASES "uc03-driver-4mib.dts");
	struct zl_error err = {0};

	(void)state;
	press(s, "i 8 M Enter");
	assert_shows(s, "►  pool-1                    8 MiB  REFUSED   32 MiB ");
	assert_int_equal(0, app_set(&s->app, "page_size=4K", &err));
	assert_shows(s, "►  pool-1                    8 MiB  accepted  8 MiB ");
	assert_shows(s, "   drv-pool                  4 MiB  accepted  4 MiB ");
	assert_int_equal(0, app_set(&s->app, "page_size=64K", &err));
	assert_shows(s, "►  pool-1                    8 MiB  REFUSED   512 MiB ");
	stage_free(s);
}

static void why_has_the_formula_with_its_operands(void **state)
{
	struct stage *s = board();

	(void)state;
	press(s, "w");
	assert_shows(s, "why: pool_needs_bytes = 32 MiB");
	assert_shows(s, "4 MiB rounded up to a multiple of 32 MiB");
	assert_golden_sized(s, "reserve-why");
	press(s, "Esc Tab Down w");
	assert_shows(s, "why: pool_costs_bytes = 28 MiB");
	assert_shows(s, "32 MiB - 4 MiB");
	press(s, "Esc ?");
	assert_golden_sized(s, "reserve-help");
	stage_free(s);
}

static void a_click_and_a_search_choose_a_pool(void **state)
{
	struct stage *s = board();

	(void)state;
	draw(s);
	assert_true(screen_click(&s->app, &s->c, 5, 20));
	assert_shows(s, "── pool_c_st32@50000000: why");
	assert_false(screen_click(&s->app, &s->c, 12, 20));
	press(s, "/ P O O L _ B Enter");
	assert_shows(s, "── pool_b_dyn32: why");
	press(s, "Esc n");
	assert_shows(s, "── pool_d_stmis1m@54100000: why");
	stage_free(s);
}

static void leaving_asks_for_pools_that_are_not_written(void **state)
{
	struct stage *s = board();

	(void)state;
	press(s, "x q");
	assert_shows(s, "Pools changed by hand are not written · q again leaves");
	assert_false(s->app.quit);
	press(s, "q");
	assert_true(s->app.quit);
	stage_free(s);
}

static void a_boot_log_alone_opens_on_what_it_refused(void **state)
{
	static const char *const log[] = {CASES "uc09-dmesg.txt"};
	struct stage *s = stage_open(log, 1, NULL);

	(void)state;
	assert_shows(s, "►  reserved                 64 MiB  NO ROOM   64 MiB ");
	assert_shows(s, " Kernel: cma: Failed to reserve 64 MiB");
	stage_free(s);
}

static void without_files_the_screen_says_what_to_open(void **state)
{
	struct stage *s = stage_open(NULL, 0, NULL);

	(void)state;
	press(s, "2");
	assert_shows(s, ":reserve FILE opens a device tree or boot log · i adds a pool by hand");
	press(s, "m");
	assert_shows(s, "Error: there is no pool here; i adds one");
	press(s, "x r f n w Esc Enter Esc y Tab w Esc");
	assert_golden_sized(s, "reserve-empty");
	stage_free(s);
}

static void a_parameter_of_the_machine_is_judged_without_files(void **state)
{
	struct stage *s = stage_open(NULL, 0, "cmdline=cma=33M");

	(void)state;
	press(s, "2");
	assert_shows(s, "►  cma=33M                  33 MiB  accepted  34 MiB ");
	stage_free(s);
}

static void plain_says_the_same(void **state)
{
	struct stage *s = board();
	struct zl_buf b = {0};

	(void)state;
	plain_screen(&s->app, false, &b);
	const char *t = zl_buf_text(&b);
	assert_non_null(
		strstr(t, "\nchosen pool 1: pool_a_dyn4, asked 4 MiB, REFUSED, needs 32 MiB, "
			  "at page size 4 KiB ok, at page size 64 KiB no room\n"));
	assert_non_null(
		strstr(t, "\nkernel: Reserved memory: incorrect alignment of CMA region\n"));
	assert_non_null(strstr(t, "\ngiven: 128 MiB\n"));
	for (const char *p = t; *p != '\0'; p = strchr(p, '\n') + 1) {
		assert_true(strcspn(p, ":") < strcspn(p, "\n"));
	}
	zl_buf_done(&b);
	stage_free(s);
}

static void areas_stay_inside_and_apart(void **state)
{
	(void)state;
	for (int rows = 24; rows <= 80; rows++) {
		for (int cols = 80; cols <= 240; cols += 20) {
			struct layout l = layout_compute(rows, cols);

			for (int n = 0; n < 40; n++) {
				const struct reserve_needs needs = {
					n, 1 + n % 7, 1 + n % 5, n % 9, n % 13};
				struct layout_reserve r = layout_reserve(&l, &needs);
				const struct rect all[] = {
					r.pools, r.why, r.kernel, r.meaning, r.fix};
				int at = l.body.row;

				for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
					if (all[i].rows > 0) {
						assert_true(all[i].row >= at);
						at = all[i].row + all[i].rows;
					}
				}
				assert_true(at <= l.body.row + l.body.rows);
				assert_true(r.wide || r.map.row >= at);
				assert_true(r.map.row + r.map.rows <= l.body.row + l.body.rows);
				assert_true(
					r.pools.rows >= 4 && r.why.rows >= 2 && r.fix.rows >= 3);
			}
		}
	}
}

static void any_keys_at_any_size_give_a_screen_with_ids(void **state)
{
	static const char *const keys[] = {"Up", "Down", "Left", "Right", "Tab", "Enter", "Esc",
		"i", "x", "m", "r", "f", "n", "N", "u", "C-r", "w", "?", "e", "PgDn", "PgUp",
		"Home", "End", "1", "2", "3", "M", "@", "Backspace", "C-u", "+", "-"};
	uint32_t seed = 11;

	(void)state;
	for (int k = 0; k < 3; k++) {
		struct stage *s = k == 0   ? board()
				  : k == 1 ? tree(CASES "uc12-zero-slack.dts")
					   : tree(CASES "uc14-mixed-cells.dts");

		for (int i = 0; i < 120; i++) {
			app_key(&s->app,
				keys[next_random(&seed) % (sizeof(keys) / sizeof(keys[0]))]);
			stage_resize(s, 1 + (int)(next_random(&seed) % ROWS_MAX),
				1 + (int)(next_random(&seed) % COLS_MAX));
			draw(s);
		}
		stage_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_board_opens_on_its_first_refused_pool),
		cmocka_unit_test(trees_are_drawn),
		cmocka_unit_test(the_windows_of_the_chosen_pool_are_shaded),
		cmocka_unit_test(n_goes_from_refused_to_refused),
		cmocka_unit_test(big_n_goes_the_other_way_round),
		cmocka_unit_test(the_fix_is_a_diff_and_is_written_once),
		cmocka_unit_test(a_removed_node_is_taken_out_of_what_is_written),
		cmocka_unit_test(a_moved_pool_gets_another_verdict_and_can_be_put_back),
		cmocka_unit_test(pools_are_added_changed_and_removed_by_hand),
		cmocka_unit_test(verdicts_follow_the_machine_and_edits_stay),
		cmocka_unit_test(why_has_the_formula_with_its_operands),
		cmocka_unit_test(a_click_and_a_search_choose_a_pool),
		cmocka_unit_test(leaving_asks_for_pools_that_are_not_written),
		cmocka_unit_test(a_boot_log_alone_opens_on_what_it_refused),
		cmocka_unit_test(without_files_the_screen_says_what_to_open),
		cmocka_unit_test(a_parameter_of_the_machine_is_judged_without_files),
		cmocka_unit_test(plain_says_the_same),
		cmocka_unit_test(areas_stay_inside_and_apart),
		cmocka_unit_test(any_keys_at_any_size_give_a_screen_with_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
