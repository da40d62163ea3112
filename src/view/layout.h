/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where everything goes: pure integer arithmetic from the size of the terminal to rectangles.
 * What gives way when space is short is decided here, so that it can be tested for every size.
 */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include <stdbool.h>

#include "canvas.h"

#define LAYOUT_MIN_ROWS	 24
#define LAYOUT_MIN_COLS	 80
#define LAYOUT_WIDE_COLS 120 /* names, formula and delta columns are written out from here */

/** Names of areas; an area that a screen has no room for is empty (0 rows). */
enum area {
	AREA_TITLE,
	AREA_MESSAGE,
	AREA_KEYS,
	AREA_INPUTS,  /* Geometry: what if */
	AREA_RESULTS, /* Geometry: what follows */
	AREA_SIZES,   /* Geometry: the page size table, or the diagnostics instead of it */
	AREA_ORDERS,  /* Geometry: the table of page block orders */
	AREA_NOTES,
	AREA_COUNT
};

/** What the content needs. All counts may be 0. */
struct layout_opts {
	int nr_inputs; /* rows beside each other at the top: the longer of inputs and results */
	int nr_sizes;  /* page sizes of the architecture */
	int nr_orders; /* legal page block orders; 0 = the release has no such setting */
	int nr_notes;  /* lines of notes */
	int nr_diags;  /* lines of diagnostics that take the place of the size table */
};

struct layout {
	bool too_small;	  /* area[AREA_TITLE] is the whole terminal, the rest is empty */
	bool wide;	  /* LAYOUT_WIDE_COLS or more */
	struct rect body; /* between title and message */
	struct rect area[AREA_COUNT];
	int separator; /* column of the line between inputs and results, -1 = none */
};

/** Sizes below 1 count as 1. */
struct layout layout_compute(int rows, int cols, const struct layout_opts *opts);

/** A pop-up for @lines of text (frame included in the result) within the body. */
struct rect layout_popup(struct rect body, int lines);
/** The part of the body that completions may cover; gauges and results stay visible. */
struct rect layout_slot(const struct layout *l);

#endif
