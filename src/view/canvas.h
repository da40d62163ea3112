/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The canvas: a grid of cells that every screen draws on, without any terminal.
 *
 * A cell holds a code point, a role and an id. There are two ways to put text on it:
 * canvas_text() for words, whose cells get CANVAS_NO_ID, and canvas_value() for everything that a
 * program computed or a user chose. Each digit on a screen has to come through the second, so
 * that "why?" can be asked of every number; canvas_find_untagged_digit() looks for offenders.
 *
 * Rows and columns count from 0 and are signed: drawing outside the clip rectangle is allowed
 * and does nothing. Control characters are never stored; combining characters have no cell of
 * their own and are dropped; a wide character takes two cells, of which the second has ch 0.
 */
#ifndef VIEW_CANVAS_H
#define VIEW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glyph.h"
#include "theme.h"

#define CANVAS_NO_ID	0
#define CANVAS_ROWS_MAX 1000
#define CANVAS_COLS_MAX 1000

struct cell {
	uint32_t ch;  /* Unicode code point; 0 = right half of the wide character before it */
	uint8_t role; /* enum role */
	uint16_t id;  /* what the digits belong to, CANVAS_NO_ID for words */
};

struct rect {
	int row, col, rows, cols;
};

struct canvas {
	int rows, cols;
	struct rect clip;
	struct cell *cells; /* rows * cols, by row; the caller's */
	int cursor_row;	    /* of the text cursor, -1 = hidden */
	int cursor_col;
};

/** Where a text goes. */
struct at {
	int row, col;
	int width;  /* cells it may take; 0 = up to the clip edge */
	bool right; /* right aligned in `width` cells */
};

static inline struct at at(int row, int col)
{
	return (struct at){.row = row, .col = col};
}

static inline struct at at_width(int row, int col, int width)
{
	return (struct at){.row = row, .col = col, .width = width};
}

/** Right aligned: the last cell is @end - 1. */
static inline struct at at_right(int row, int end, int width)
{
	return (struct at){.row = row, .col = end - width, .width = width, .right = true};
}

static inline struct rect rect(int row, int col, int rows, int cols)
{
	return (struct rect){.row = row, .col = col, .rows = rows, .cols = cols};
}

bool rect_contains(struct rect r, int row, int col);

/**
 * Makes a blank canvas on @cells, which must hold @rows * @cols cells and stay alive.
 * Both counts are 1 .. CANVAS_*_MAX.
 */
void canvas_init(struct canvas *c, struct cell *cells, int rows, int cols);
/** Blanks everything, takes the clip away and hides the cursor. */
void canvas_clear(struct canvas *c);
/** Restricts drawing to the part of @r that lies on the canvas; returns the clip before. */
struct rect canvas_clip(struct canvas *c, struct rect r);
/** The whole canvas. */
struct rect canvas_whole(const struct canvas *c);

/**
 * Draws words. What does not fit is cut, its last cell becomes an ellipsis.
 * Returns the column after the last cell drawn.
 */
int canvas_text(struct canvas *c, struct at where, enum role role, const char *utf8);
/**
 * The same for values: every cell, blanks included, carries @id (not CANVAS_NO_ID), so that a
 * click anywhere on it finds the value.
 */
int canvas_value(struct canvas *c, struct at where, enum role role, uint16_t id, const char *utf8);

/** One glyph, cut off silently outside the clip. */
void canvas_put(struct canvas *c, int row, int col, enum role role, uint32_t ch);
/** Repeats a glyph over @n cells to the right. */
void canvas_fill(struct canvas *c, struct at where, enum role role, uint32_t ch);
/** Blanks a rectangle in a role. */
void canvas_blank(struct canvas *c, struct rect r, enum role role);
/** Gives cells another role and keeps what they show (a focused row, what lies beneath a pop-up).*/
void canvas_paint(struct canvas *c, struct rect r, enum role role);
/** Gives cells an id and keeps what they show. */
void canvas_tag(struct canvas *c, struct rect r, uint16_t id);

/** Heading of a panel: two lines and the title, its whole row in ROLE_HEADING. */
void canvas_heading(struct canvas *c, struct rect row, const char *title);
/** The one line between neighbouring panels. */
void canvas_separator(struct canvas *c, int col, int row, int rows);
/** A frame with a title in its top line; the inside is blanked. */
void canvas_frame(struct canvas *c, struct rect r, const char *title);
/** A gauge bar: @eighths eighths of cells from the left end of @where, the rest blank. */
void canvas_bar(struct canvas *c, struct at where, enum role role, unsigned eighths);

const struct cell *canvas_cell(const struct canvas *c, int row, int col);

/** Finds the first digit with no id. Returns false when there is none. */
bool canvas_find_untagged_digit(const struct canvas *c, int *ret_row, int *ret_col);

/**
 * Marks what only an attribute shows, in the blank cell before it: `~` before previews in the mono
 * scheme, the focus glyph before the focused run in mono and high contrast.
 */
void canvas_mark_scheme(struct canvas *c, enum scheme scheme);

/**
 * The canvas as lines of UTF-8, trailing blanks cut, each line ended.
 * Returns the length that is needed without the terminator (as snprintf does); @buf may be NULL
 * when @size is 0.
 */
size_t canvas_to_text(const struct canvas *c, enum glyph_set set, char *buf, size_t size);
/** The same with one role letter a cell. */
size_t canvas_roles_text(const struct canvas *c, char *buf, size_t size);

#endif
