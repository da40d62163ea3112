/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout_pagesets.h"

#include "layout.h"

#define FRAME_ROWS     3  /* title, message, keys */
#define FULL_ROWS      40 /* of the terminal */
#define HUGE_ROWS      60
#define HUGE_COLS      200
#define GAUGE_ROWS     4
#define LIST_ROWS      7
#define LIST_ROWS_FULL 10
#define SLOT_ROWS_FULL 10
#define CPU_ROWS       3
#define TIME_ROWS      3
#define TIME_ROWS_FULL 7
#define MAP_ROWS       6 /* fewest that are worth a map */
#define LIST_COLS      33
#define LIST_COLS_WIDE 58
#define BUDDY_COLS     65
#define GAUGE_MARGIN   40 /* columns of label, figure and limit beside a bar */

static void place_huge(struct layout_pagesets *l, struct rect left)
{
	const int lists = 60, verdict = 70, buddy = 92;
	const int gauge_rows = 5, list_rows = 14, cpu_rows = 8, time_rows = 4;
	struct rect top, middle, right;

	l->bar = left.cols - GAUGE_MARGIN;
	l->gauges = layout_cut(&left, gauge_rows);
	top = layout_cut(&left, list_rows);
	layout_split(top, lists - 1, &l->lists, &right);
	layout_split(right, verdict - 1, &l->verdict, &l->settings);
	middle = layout_cut(&left, list_rows);
	layout_split(middle, buddy - 1, &l->slot, &l->other);
	l->cpus = layout_cut(&left, cpu_rows);
	l->timeline = layout_cut_low(&left, time_rows);
	l->map = left;
}

static void place_full(struct layout_pagesets *l, struct rect left)
{
	struct rect top, middle;

	l->gauges = layout_cut(&left, GAUGE_ROWS);
	layout_cut(&left, 1);
	top = layout_cut(&left, LIST_ROWS_FULL);
	layout_split(top, LIST_COLS_WIDE, &l->lists, &l->verdict);
	l->timeline = layout_cut_low(&left, TIME_ROWS_FULL);
	layout_cut_low(&left, 1);
	int spare = left.rows - SLOT_ROWS_FULL - 1 - CPU_ROWS;
	if (spare > MAP_ROWS + 1) {
		l->map = layout_cut_low(&left, MAP_ROWS + (spare - MAP_ROWS) / 2);
		layout_cut_low(&left, 1);
	}
	l->cpus = layout_cut_low(&left, CPU_ROWS);
	layout_cut_low(&left, 1);
	middle = left;
	layout_split(middle, BUDDY_COLS, &l->slot, &l->other);
}

static void place_small(struct layout_pagesets *l, struct rect left)
{
	struct rect top;

	l->gauges = layout_cut(&left, GAUGE_ROWS);
	top = layout_cut(&left, LIST_ROWS);
	layout_split(top, l->wide ? LIST_COLS_WIDE : LIST_COLS, &l->lists, &l->verdict);
	l->timeline = layout_cut_low(&left, TIME_ROWS);
	l->slot = left;
	if (l->wide) {
		layout_split(left, BUDDY_COLS, &l->slot, &l->other);
	}
}

struct layout_pagesets layout_pagesets(struct rect body)
{
	struct layout_pagesets l = {0};
	int rows = body.rows + FRAME_ROWS;

	l.wide = body.cols >= LAYOUT_WIDE_COLS;
	l.full = l.wide && rows >= FULL_ROWS;
	l.bar = body.cols / 2;
	if (rows >= HUGE_ROWS && body.cols >= HUGE_COLS) {
		place_huge(&l, body);
	} else if (l.full) {
		place_full(&l, body);
	} else {
		place_small(&l, body);
	}
	return l;
}
