/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

#define HEADING_ROWS	1
#define INPUT_COLS	30 /* of the left panel; the separator follows */
#define INPUT_COLS_WIDE 38
#define SIZE_HEAD_ROWS	2  /* column titles of the size table, one row when wide */
#define ORDERS_SHOWN	5  /* rows of the order table on an ordinary screen */
#define TALL_ROWS	50 /* from here on the order table may be longer */
#define GAP_ROWS	1
#define POPUP_MARGIN	5 /* columns of the body that stay visible at the left */
#define POPUP_COLS	96
#define FRAME_ROWS	2

static int clamp(int v, int lo, int hi)
{
	if (v < lo) {
		return lo;
	}
	return v > hi ? hi : v;
}

/* Cuts @rows rows from the top of @left; fewer when there are fewer. */
static struct rect take(struct rect *left, int rows)
{
	int n = clamp(rows, 0, left->rows);
	struct rect got = rect(left->row, left->col, n, left->cols);

	left->row += n;
	left->rows -= n;
	return got;
}

/* Cuts exactly @rows rows, or none at all. */
static struct rect take_whole(struct rect *left, int rows)
{
	return take(left, rows <= left->rows ? rows : 0);
}

static void split_top(struct layout *l, struct rect top)
{
	int width = l->wide ? INPUT_COLS_WIDE : INPUT_COLS;

	l->separator = top.col + width;
	l->area[AREA_INPUTS] = rect(top.row, top.col, top.rows, width);
	l->area[AREA_RESULTS] = rect(top.row, top.col + width + 1, top.rows, top.cols - width - 1);
}

static int orders_wanted(const struct layout *l, const struct layout_opts *o, int room)
{
	int most = ORDERS_SHOWN;

	if (!l->wide || o->nr_orders == 0 || o->nr_diags > 0) {
		return 0;
	}
	if (l->body.rows >= TALL_ROWS) {
		most = room - HEADING_ROWS - 1 - GAP_ROWS - o->nr_notes;
	}
	int n = clamp(o->nr_orders, 0, clamp(most, ORDERS_SHOWN, o->nr_orders + ORDERS_SHOWN));
	return n + HEADING_ROWS + 1;
}

/*
 * From the top: inputs and results, the size table, the order table, notes. The order in which
 * they give way: order table, notes, size table.
 */
static void place_body(struct layout *l, const struct layout_opts *o)
{
	int head = l->wide ? SIZE_HEAD_ROWS - 1 : SIZE_HEAD_ROWS;
	int sizes = o->nr_diags > 0 ? o->nr_diags : head + o->nr_sizes;
	struct rect left = l->body;

	sizes += HEADING_ROWS;
	split_top(l, take(&left, HEADING_ROWS + o->nr_inputs));
	l->area[AREA_SIZES] = take(&left, sizes);
	int orders = orders_wanted(l, o, left.rows - GAP_ROWS);
	if (orders > 0 && orders + 2 * GAP_ROWS + o->nr_notes <= left.rows) {
		take(&left, GAP_ROWS);
		l->area[AREA_ORDERS] = take_whole(&left, orders);
	}
	if (o->nr_notes < left.rows) {
		take(&left, GAP_ROWS);
	}
	l->area[AREA_NOTES] = left;
}

struct layout layout_compute(int rows, int cols, const struct layout_opts *opts)
{
	struct layout l = {.separator = -1};
	int r = rows < 1 ? 1 : rows, c = cols < 1 ? 1 : cols;

	if (r < LAYOUT_MIN_ROWS || c < LAYOUT_MIN_COLS) {
		l.too_small = true;
		l.area[AREA_TITLE] = rect(0, 0, r, c);
		return l;
	}
	l.wide = c >= LAYOUT_WIDE_COLS;
	l.area[AREA_TITLE] = rect(0, 0, 1, c);
	l.area[AREA_MESSAGE] = rect(r - 2, 0, 1, c);
	l.area[AREA_KEYS] = rect(r - 1, 0, 1, c);
	l.body = rect(1, 0, r - 3, c);
	place_body(&l, opts);
	return l;
}

struct rect layout_popup(struct rect body, int lines)
{
	int cols = clamp(body.cols - POPUP_MARGIN - 2, 1, POPUP_COLS);
	int rows = clamp(lines + FRAME_ROWS, FRAME_ROWS + 1, body.rows - 1);

	return rect(body.row + 1, body.col + POPUP_MARGIN, rows, cols);
}

struct rect layout_slot(const struct layout *l)
{
	struct rect top = l->area[AREA_INPUTS];
	int row = top.row + top.rows;

	return rect(row, l->body.col, l->body.row + l->body.rows - row, l->body.cols);
}
