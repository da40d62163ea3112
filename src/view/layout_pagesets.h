/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the parts of the Pagesets screen go. What gives way first: block map, CPUs, then buddy
 * and operations share one slot, the free_count curve; gauges, lists and verdict stay.
 */
#ifndef VIEW_LAYOUT_PAGESETS_H
#define VIEW_LAYOUT_PAGESETS_H

#include "canvas.h"

/** Areas that there is no room for have no rows. */
struct layout_pagesets {
	bool wide;	    /* long words */
	bool full;	    /* buddy, operations and CPUs all at once */
	struct rect gauges; /* with the screen's heading */
	struct rect lists, verdict, settings;
	struct rect slot;  /* buddy where `other` has rows, else what was chosen */
	struct rect other; /* what was chosen */
	struct rect cpus, map;
	struct rect timeline;
	int bar; /* cells of the gauges */
};

/** @body is what lies between title and message; at least 21 rows and 80 columns. */
struct layout_pagesets layout_pagesets(struct rect body);

#endif
