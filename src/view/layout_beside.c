/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout_beside.h"

#include "layout.h"

#define LANE_ROWS   7 /* heading, name, three gauges, term, record */
#define TERM_ROWS   4
#define TOTAL_ROWS  6
#define AXIS_ROWS   5
#define AXIS_SMALL  3
#define AXIS_COLS   112 /* of the long form */
#define MOST_TOTALS 20

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Takes up to @want of what is spare. */
static int grant(int *spare, int want)
{
	int n = least(*spare, want > 0 ? want : 0);

	n = n > 0 ? n : 0;
	*spare -= n;
	return n;
}

struct layout_beside layout_beside(struct rect body, const struct beside_needs *needs)
{
	struct layout_beside l = {.wide = body.cols >= LAYOUT_WIDE_COLS};
	struct rect left = body;
	int divergence = TERM_ROWS, totals = TOTAL_ROWS, axis = 0, gaps = 0;
	int curves = needs->lanes + needs->pairs, lanes = LANE_ROWS;
	int spare = body.rows - LANE_ROWS - divergence - totals;

	l.lane_cols = (body.cols + 1) / needs->lanes - 1;
	if (needs->axis || spare - curves > AXIS_ROWS) {
		axis = grant(&spare, body.cols >= AXIS_COLS && spare - curves > AXIS_ROWS
					     ? AXIS_ROWS
					     : AXIS_SMALL);
	}
	curves = grant(&spare, curves);
	lanes += grant(&spare, spare > 1 ? 1 : 0);
	l.timeline_heading = l.wide && grant(&spare, 1) > 0;
	/* A blank row below each part, where there are enough for all of them. */
	gaps = spare >= 3 + (axis > 0 ? 1 : 0) ? 1 : 0;
	spare -= gaps * (3 + (axis > 0 ? 1 : 0));
	divergence += grant(&spare, needs->divergences + 1 - TERM_ROWS);
	totals += grant(&spare, needs->totals + 2 - TOTAL_ROWS);
	totals += grant(&spare, MOST_TOTALS - totals);
	if (axis > 0) {
		l.axis = layout_cut(&left, axis);
		layout_cut(&left, gaps);
	}
	l.lanes = layout_cut(&left, lanes);
	layout_cut(&left, gaps);
	l.divergence = layout_cut(&left, divergence);
	layout_cut(&left, gaps);
	l.totals = layout_cut(&left, totals);
	layout_cut(&left, gaps);
	l.timeline = layout_cut(&left, curves + (l.timeline_heading ? 1 : 0));
	return l;
}
