/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout_reserve.h"

#define HEADING	      1
#define POOL_ROWS     3	 /* heading, column titles, totals */
#define TALL_ROWS     30 /* rows of the body from which the areas are apart */
#define MAP_COLS      46
#define MAP_COLS_HUGE 60
#define HUGE_COLS     200
#define STRIP_ROWS    4 /* heading, strip, legend, what is left */
#define FIX_ROWS      4 /* fewest: heading, one change, another way */
#define LISTED_LEAST  3

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Everything but the list keeps its rows; the list scrolls. */
static int list_rows(const struct reserve_needs *n, int room)
{
	return POOL_ROWS + most(least(most(n->pools, 1), room - POOL_ROWS), LISTED_LEAST);
}

static void place_short(
	struct layout_reserve *l, struct rect left, const struct reserve_needs *needs)
{
	int fix = FIX_ROWS;
	int why = HEADING + needs->why;

	l->pools = layout_cut(&left, list_rows(needs, left.rows - fix - why));
	l->why = layout_cut(&left, least(why, left.rows - fix));
	l->fix = layout_cut(&left, most(HEADING + needs->fix, fix));
}

static void place_tall(
	struct layout_reserve *l, struct rect left, const struct reserve_needs *needs)
{
	const int gap = 1;
	int apart = needs->why + needs->kernel + 2 * HEADING + 4 * gap;
	int room = left.rows - apart - FIX_ROWS - POOL_ROWS - LISTED_LEAST - HEADING;
	int meaning = least(needs->meaning, most(room, 0));
	int fix = HEADING + most(needs->fix, FIX_ROWS);

	apart += meaning > 0 ? HEADING + meaning : 0;
	l->pools =
		layout_cut(&left, list_rows(needs, left.rows - apart - least(fix, 2 * FIX_ROWS)));
	layout_cut(&left, gap);
	l->why = layout_cut(&left, HEADING + needs->why);
	layout_cut(&left, gap);
	l->kernel = layout_cut(&left, HEADING + needs->kernel);
	layout_cut(&left, gap);
	l->meaning = layout_cut(&left, meaning > 0 ? HEADING + meaning : 0);
	layout_cut(&left, meaning > 0 ? gap : 0);
	l->fix = layout_cut(&left, fix);
}

struct layout_reserve layout_reserve(const struct layout *l, const struct reserve_needs *needs)
{
	struct layout_reserve r = {.separator = -1, .wide = l->wide};
	struct rect left = l->body;

	if (l->too_small) {
		return r;
	}
	r.tall = left.rows >= TALL_ROWS;
	if (l->wide) {
		int cols = left.cols >= HUGE_COLS ? MAP_COLS_HUGE : MAP_COLS;

		r.separator = left.col + left.cols - cols - 1;
		r.map = rect(left.row, r.separator + 1, left.rows, cols);
		left.cols -= cols + 1;
	} else {
		left.rows -= STRIP_ROWS;
		r.map = rect(left.row + left.rows, left.col, STRIP_ROWS, left.cols);
	}
	if (r.tall) {
		place_tall(&r, left, needs);
	} else {
		place_short(&r, left, needs);
	}
	if (!l->wide) {
		/* The strip follows what stands above it. */
		int end = r.fix.row + r.fix.rows;

		r.map.row = end < r.map.row && r.fix.rows > 0 ? end : r.map.row;
	}
	return r;
}
