/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "layout.h"

#define ROWS 60
#define COLS 200

static const struct geometry_needs options[] = {
	{0	  },
	{	 .inputs = 15,	       .sizes = 3, .orders = 11, .notes = 2},
	{	 .inputs = 15,	       .sizes = 1, .notes = 4},
	{ .inputs = 15, .sizes = 4,	   .orders = 17, .notes = 4},
	{ .inputs = 15, .sizes = 3,	   .orders = 11, .diags = 7},
	{ .inputs = 15, .sizes = 9,	   .orders = 1, .diags = 90},
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

/* All areas of a terminal of this size. */
struct areas {
	struct rect r[3 + GEOMETRY_AREAS];
	size_t count;
};

static struct areas all_areas(const struct layout *l, const struct geometry_layout *g)
{
	struct areas a = {
		.r = {l->title, l->message, l->keys},
		      .count = 3
	};

	for (unsigned i = 0; i < GEOMETRY_AREAS; i++) {
		a.r[a.count++] = g->area[i];
	}
	return a;
}

static void check(int rows, int cols, const struct areas *all)
{
	for (unsigned a = 0; a < all->count; a++) {
		struct rect r = all->r[a];
		if (r.rows < 0 || r.cols < 0 || r.row < 0 || r.col < 0 || r.row + r.rows > rows ||
			r.col + r.cols > cols) {
			fail_msg("area %u lies outside %dx%d", a, cols, rows);
		}
		for (unsigned b = a + 1; b < all->count && !is_empty(r); b++) {
			if (!is_empty(all->r[b]) && overlap(r, all->r[b])) {
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
			struct layout l = layout_compute(rows, cols);
			assert_int_equal(
				rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS, l.too_small);
			for (size_t o = 0; o < NR_OPTIONS; o++) {
				struct geometry_layout g = layout_geometry(&l, &options[o]);
				struct areas all = all_areas(&l, &g);
				check(rows, cols, &all);
			}
		}
	}
}

static void below_the_minimum_there_is_one_area_only(void **state)
{
	struct layout l = layout_compute(20, 72);
	struct geometry_layout g = layout_geometry(&l, &options[1]);
	struct areas all = all_areas(&l, &g);

	(void)state;
	assert_true(l.too_small);
	for (unsigned a = 0; a < all.count; a++) {
		assert_int_equal(a == 0 ? 20 : 0, all.r[a].rows);
	}
	l = layout_compute(0, -5);
	assert_int_equal(1, l.title.rows);
	assert_int_equal(1, l.title.cols);
}

static void inputs_and_results_are_always_there(void **state)
{
	(void)state;
	for (int rows = LAYOUT_MIN_ROWS; rows <= ROWS; rows++) {
		for (int cols = LAYOUT_MIN_COLS; cols <= COLS; cols++) {
			struct layout l = layout_compute(rows, cols);
			struct rect p = layout_popup(l.body, 14);
			assert_true(p.row > 0 && p.row + p.rows <= rows - 2);
			assert_true(p.col + p.cols <= cols);
			for (size_t o = 1; o < NR_OPTIONS; o++) {
				struct geometry_layout g = layout_geometry(&l, &options[o]);
				assert_true(g.area[AREA_INPUTS].rows >= 11);
				assert_true(g.area[AREA_RESULTS].cols >= 49);
				assert_true(g.area[AREA_SIZES].rows >= 2);
			}
		}
	}
}

static void the_order_table_goes_first(void **state)
{
	static const struct geometry_needs narrow = {
		.inputs = 10, .sizes = 3, .orders = 11, .notes = 2};
	struct layout l = layout_compute(24, 80);
	struct geometry_layout g = layout_geometry(&l, &narrow);

	(void)state;
	assert_int_equal(0, g.area[AREA_ORDERS].rows);
	assert_int_equal(12, g.area[AREA_SIZES].row);
	l = layout_compute(40, 120);
	g = layout_geometry(&l, &options[1]);
	assert_int_equal(17, g.area[AREA_SIZES].row);
	assert_int_equal(23, g.area[AREA_ORDERS].row);
	assert_int_equal(7, g.area[AREA_ORDERS].rows);
	assert_int_equal(31, g.area[AREA_NOTES].row);
	l = layout_compute(24, 120);
	g = layout_geometry(&l, &options[1]);
	assert_int_equal(0, g.area[AREA_ORDERS].rows);
	l = layout_compute(60, 200);
	g = layout_geometry(&l, &options[1]);
	assert_int_equal(13, g.area[AREA_ORDERS].rows);
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
