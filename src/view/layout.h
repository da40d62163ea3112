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

/** What all screens share. */
struct layout {
	bool too_small; /* title is the whole terminal, the rest is empty */
	bool wide;	/* LAYOUT_WIDE_COLS or more */
	struct rect title;
	struct rect body; /* between title and message */
	struct rect message;
	struct rect keys;
};

/** Sizes below 1 count as 1. */
struct layout layout_compute(int rows, int cols);

/** Cuts @rows rows from the top of @left; fewer when there are fewer. */
struct rect layout_cut(struct rect *left, int rows);
/** The same from its foot. */
struct rect layout_cut_low(struct rect *left, int rows);
/** Two panels with one column between them for a line. */
void layout_split(struct rect whole, int left_cols, struct rect *left, struct rect *right);

/** Areas of the Geometry screen; one that has no room is empty (0 rows). */
enum geometry_area {
	AREA_INPUTS,  /* what if */
	AREA_RESULTS, /* what follows */
	AREA_SIZES,   /* the page size table, or the diagnostics instead of it */
	AREA_ORDERS,  /* the table of page block orders */
	AREA_NOTES,
	GEOMETRY_AREAS
};

/** What its content needs. All counts may be 0. */
struct geometry_needs {
	int inputs; /* rows beside each other at the top: the longer of inputs and results */
	int sizes;  /* page sizes of the architecture */
	int orders; /* legal page block orders; 0 = the release has no such setting */
	int notes;  /* lines of notes */
	int diags;  /* lines of diagnostics that take the place of the size table */
};

struct geometry_layout {
	struct rect area[GEOMETRY_AREAS];
	int separator; /* column of the line between inputs and results */
	bool wide;
};

struct geometry_layout layout_geometry(const struct layout *l, const struct geometry_needs *needs);

/** A pop-up for @lines of text (frame included in the result) within the body. */
struct rect layout_popup(struct rect body, int lines);
#endif
