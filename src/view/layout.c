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

struct rect layout_cut(struct rect *left, int rows)
{
	int n = rows < left->rows ? rows : left->rows;
	struct rect got = rect(left->row, left->col, n > 0 ? n : 0, left->cols);

	left->row += got.rows;
	left->rows -= got.rows;
	return got;
}

struct rect layout_cut_low(struct rect *left, int rows)
{
	int n = rows < left->rows ? rows : left->rows;

	left->rows -= n;
	return rect(left->row + left->rows, left->col, n, left->cols);
}

void layout_split(struct rect whole, int left_cols, struct rect *left, struct rect *right)
{
	*left = rect(whole.row, whole.col, whole.rows, left_cols);
	*right = rect(whole.row, whole.col + left_cols + 1, whole.rows, whole.cols - left_cols - 1);
}

static void split_top(struct geometry_layout *g, struct rect top)
{
	int width = g->wide ? INPUT_COLS_WIDE : INPUT_COLS;

	g->separator = top.col + width;
	layout_split(top, width, &g->area[AREA_INPUTS], &g->area[AREA_RESULTS]);
}

/* Rows of the order table; @room = rows below the size table. */
static int orders_wanted(const struct layout *l, const struct geometry_needs *n, int room)
{
	int most = ORDERS_SHOWN;

	if (!l->wide || n->orders == 0 || n->diags > 0) {
		return 0;
	}
	if (l->body.rows >= TALL_ROWS) {
		most = room - HEADING_ROWS - 1 - GAP_ROWS - n->notes;
	}
	int shown = clamp(n->orders, 0, clamp(most, ORDERS_SHOWN, n->orders + ORDERS_SHOWN));
	return shown + HEADING_ROWS + 1;
}

/*
 * From the top: inputs and results, the size table, the order table, notes. The order in which
 * they give way: order table, notes, size table.
 */
struct geometry_layout layout_geometry(const struct layout *l, const struct geometry_needs *needs)
{
	struct geometry_layout g = {.wide = l->wide, .separator = -1};
	int head = l->wide ? SIZE_HEAD_ROWS - 1 : SIZE_HEAD_ROWS;
	int sizes = needs->diags > 0 ? needs->diags : head + needs->sizes;
	struct rect left = l->body;

	if (l->too_small) {
		return g;
	}
	split_top(&g, layout_cut(&left, HEADING_ROWS + needs->inputs));
	g.area[AREA_SIZES] = layout_cut(&left, HEADING_ROWS + sizes);
	int orders = orders_wanted(l, needs, left.rows - GAP_ROWS);
	if (orders > 0 && orders + 2 * GAP_ROWS + needs->notes <= left.rows) {
		layout_cut(&left, GAP_ROWS);
		g.area[AREA_ORDERS] = layout_cut(&left, orders);
	}
	if (needs->notes < left.rows) {
		layout_cut(&left, GAP_ROWS);
	}
	g.area[AREA_NOTES] = left;
	return g;
}

struct layout layout_compute(int rows, int cols)
{
	struct layout l = {.too_small = rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS};
	int r = rows < 1 ? 1 : rows, c = cols < 1 ? 1 : cols;

	if (l.too_small) {
		l.title = rect(0, 0, r, c);
		return l;
	}
	l.wide = c >= LAYOUT_WIDE_COLS;
	l.title = rect(0, 0, 1, c);
	l.message = rect(r - 2, 0, 1, c);
	l.keys = rect(r - 1, 0, 1, c);
	l.body = rect(1, 0, r - 3, c);
	return l;
}

struct rect layout_popup(struct rect body, int lines)
{
	int cols = clamp(body.cols - POPUP_MARGIN - 2, 1, POPUP_COLS);
	int rows = clamp(lines + FRAME_ROWS, FRAME_ROWS + 1, body.rows - 1);

	return rect(body.row + 1, body.col + POPUP_MARGIN, rows, cols);
}
