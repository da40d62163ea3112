/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the parts of the Compare screen go. What gives way first: kernel axis, timelines, lanes
 * past those that fit, equal totals; lanes, threshold, verdict and divergence stay.
 */
#ifndef VIEW_LAYOUT_BESIDE_H
#define VIEW_LAYOUT_BESIDE_H

#include "canvas.h"

/** What its content wants; a lane has 7 rows, 8 where there is room for the holds. */
struct beside_needs {
	int lanes;	 /* that are shown beside each other, 1 or more */
	int pairs;	 /* rows that say where lanes differ, 1 or more */
	int divergences; /* lines about where they differ, in the wide form */
	int totals;	 /* rows that differ */
	bool axis;	 /* the kernel axis is in use: it goes before the timelines */
};

/** Areas with their heading; one that there is no room for has no rows. */
struct layout_beside {
	bool wide;
	int lane_cols; /* of one lane, without the line beside it */
	struct rect axis, lanes, divergence, totals, timeline;
	bool timeline_heading;
};

/** @body is what lies between title and message; at least 21 rows and 80 columns. */
struct layout_beside layout_beside(struct rect body, const struct beside_needs *needs);

#endif
