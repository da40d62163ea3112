/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "layout.h"

#define ROWS 60
#define COLS 200

static const struct layout_opts options[] = {
	{0	     },
	{	 .nr_inputs = 15,		  .nr_sizes = 3, .nr_orders = 11, .nr_notes = 2},
	{	 .nr_inputs = 15,		  .nr_sizes = 1, .nr_notes = 4},
	{ .nr_inputs = 15, .nr_sizes = 4,		 .nr_orders = 17, .nr_notes = 4},
	{ .nr_inputs = 15, .nr_sizes = 3,		 .nr_orders = 11, .nr_diags = 7},
	{ .nr_inputs = 15, .nr_sizes = 9,		 .nr_orders = 1, .nr_diags = 90},
};
#define NR_OPTIONS (sizeof(options) / sizeof(options[0]))

static bool overlap(struct rect a, struct rect b)
{
	return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
	       b.col < a.col + a.cols;
}

static bool is_empty(struct rect r)
{
	return r.rows == 0 || r.cols == 0;
}

static void check(int rows, int cols, const struct layout *l)
{
	for (unsigned a = 0; a < AREA_COUNT; a++) {
		struct rect r = l->area[a];
		if (r.rows < 0 || r.cols < 0 || r.row < 0 || r.col < 0 || r.row + r.rows > rows ||
			r.col + r.cols > cols) {
			fail_msg("area %u lies outside %dx%d", a, cols, rows);
		}
		for (unsigned b = a + 1; b < AREA_COUNT && !is_empty(r); b++) {
			if (!is_empty(l->area[b]) && overlap(r, l->area[b])) {
				fail_msg("areas %u and %u overlap at %dx%d", a, b, cols, rows);
			}
		}
	}
}

static void no_size_makes_areas_overlap_or_leave_the_terminal(void **state)
{
	(void)state;
	for (int rows = 1; rows <= ROWS; rows++) {
		for (int cols = 1; cols <= COLS; cols++) {
			for (size_t o = 0; o < NR_OPTIONS; o++) {
				struct layout l = layout_compute(rows, cols, &options[o]);
				check(rows, cols, &l);
				assert_int_equal(rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS,
					l.too_small);
			}
		}
	}
}

static void below_the_minimum_there_is_one_area_only(void **state)
{
	struct layout l = layout_compute(20, 72, &options[1]);

	(void)state;
	assert_true(l.too_small);
	for (unsigned a = 0; a < AREA_COUNT; a++) {
		assert_int_equal(a == AREA_TITLE ? 20 : 0, l.area[a].rows);
	}
	l = layout_compute(0, -5, &options[1]);
	assert_int_equal(1, l.area[AREA_TITLE].rows);
	assert_int_equal(1, l.area[AREA_TITLE].cols);
}

static void inputs_and_results_are_always_there(void **state)
{
	(void)state;
	for (int rows = LAYOUT_MIN_ROWS; rows <= ROWS; rows++) {
		for (int cols = LAYOUT_MIN_COLS; cols <= COLS; cols++) {
			for (size_t o = 1; o < NR_OPTIONS; o++) {
				struct layout l = layout_compute(rows, cols, &options[o]);
				assert_true(l.area[AREA_INPUTS].rows >= 11);
				assert_true(l.area[AREA_RESULTS].cols >= 49);
				assert_true(l.area[AREA_SIZES].rows >= 2);
				assert_true(l.area[AREA_TITLE].rows == 1 &&
					    l.area[AREA_KEYS].row == rows - 1);
				struct rect slot = layout_slot(&l);
				assert_true(slot.rows >= 4);
				struct rect p = layout_popup(l.body, 14);
				assert_true(p.row > 0 && p.row + p.rows <= rows - 2);
				assert_true(p.col + p.cols <= cols);
			}
		}
	}
}

static void the_order_table_goes_first(void **state)
{
	static const struct layout_opts narrow = {
		.nr_inputs = 10, .nr_sizes = 3, .nr_orders = 11, .nr_notes = 2};
	struct layout l = layout_compute(24, 80, &narrow);

	(void)state;
	assert_int_equal(0, l.area[AREA_ORDERS].rows);
	assert_int_equal(12, l.area[AREA_SIZES].row);
	l = layout_compute(40, 120, &options[1]);
	assert_int_equal(17, l.area[AREA_SIZES].row);
	assert_int_equal(23, l.area[AREA_ORDERS].row);
	assert_int_equal(7, l.area[AREA_ORDERS].rows);
	assert_int_equal(31, l.area[AREA_NOTES].row);
	l = layout_compute(24, 120, &options[1]);
	assert_int_equal(0, l.area[AREA_ORDERS].rows);
	l = layout_compute(60, 200, &options[1]);
	assert_int_equal(13, l.area[AREA_ORDERS].rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_size_makes_areas_overlap_or_leave_the_terminal),
		cmocka_unit_test(below_the_minimum_there_is_one_area_only),
		cmocka_unit_test(inputs_and_results_are_always_there),
		cmocka_unit_test(the_order_table_goes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
