/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "canvas.h"

#include <assert.h>

#include "text_width.h"

#define ELLIPSIS      0x2026
#define LINE_ACROSS   0x2500
#define LINE_DOWN     0x2502
#define CORNER_TOP_L  0x250c
#define CORNER_TOP_R  0x2510
#define CORNER_LOW_L  0x2514
#define CORNER_LOW_R  0x2518
#define HEADING_LINES 2

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

bool rect_contains(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

/* The common part; empty rectangles keep a place but have no rows or columns. */
static struct rect intersect(struct rect a, struct rect b)
{
	int row = max_int(a.row, b.row), col = max_int(a.col, b.col);
	int end_row = min_int(a.row + a.rows, b.row + b.rows);
	int end_col = min_int(a.col + a.cols, b.col + b.cols);

	return rect(row, col, max_int(0, end_row - row), max_int(0, end_col - col));
}

struct rect canvas_whole(const struct canvas *c)
{
	return rect(0, 0, c->rows, c->cols);
}

void canvas_init(struct canvas *c, struct cell *cells, int rows, int cols)
{
	assert(rows >= 1 && rows <= CANVAS_ROWS_MAX && cols >= 1 && cols <= CANVAS_COLS_MAX);
	c->rows = rows;
	c->cols = cols;
	c->cells = cells;
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	const struct cell blank = {.ch = ' ', .role = ROLE_TEXT, .id = CANVAS_NO_ID};

	for (int i = 0; i < c->rows * c->cols; i++) {
		c->cells[i] = blank;
	}
	c->clip = canvas_whole(c);
	c->cursor_row = -1;
	c->cursor_col = -1;
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect before = c->clip;

	c->clip = intersect(r, canvas_whole(c));
	return before;
}

static struct cell *cell_at(struct canvas *c, int row, int col)
{
	return &c->cells[row * c->cols + col];
}

const struct cell *canvas_cell(const struct canvas *c, int row, int col)
{
	return &c->cells[row * c->cols + col];
}

/* A wide character that loses one half is no character any more. */
static void unpair(struct canvas *c, int row, int col)
{
	struct cell *at_col = cell_at(c, row, col);

	if (at_col->ch == 0 && col > 0) {
		at_col[-1].ch = ' ';
	}
	if (col + 1 < c->cols && at_col[1].ch == 0) {
		at_col[1].ch = ' ';
	}
}

/* Stores one character of @w cells, all of which must lie in the clip. */
static void store(struct canvas *c, int row, int col, const struct cell *what, int w)
{
	for (int i = 0; i < w; i++) {
		unpair(c, row, col + i);
	}
	for (int i = 0; i < w; i++) {
		struct cell *to = cell_at(c, row, col + i);
		*to = *what;
		to->ch = i == 0 ? what->ch : 0;
	}
}

/* Draws from @col up to @end, with an ellipsis in the last cell if not all fits. */
static int draw_run(struct canvas *c, struct at where, int end, struct cell like, const char *utf8)
{
	bool cut = text_width(utf8) > end - where.col;
	int stop = cut ? end - 1 : end;
	int col = where.col;
	const char *p = utf8;

	for (uint32_t cp = utf8_next(&p); cp != 0; cp = utf8_next(&p)) {
		int w = char_width(cp);
		if (w <= 0) {
			continue;
		}
		if (col + w > stop) {
			break;
		}
		like.ch = cp;
		if (rect_contains(c->clip, where.row, col) &&
			rect_contains(c->clip, where.row, col + w - 1)) {
			store(c, where.row, col, &like, w);
		}
		col += w;
	}
	if (cut && rect_contains(c->clip, where.row, col)) {
		like.ch = ELLIPSIS;
		store(c, where.row, col, &like, 1);
		col++;
	}
	return col;
}

static int draw_text(struct canvas *c, struct at where, struct cell like, const char *utf8)
{
	int edge = c->clip.col + c->clip.cols;
	int end = where.width > 0 ? min_int(edge, where.col + where.width) : edge;

	if (where.right && where.width > 0) {
		where.col += max_int(0, where.width - text_width(utf8));
	}
	if (where.row < c->clip.row || where.row >= c->clip.row + c->clip.rows ||
		where.col >= end) {
		return where.col;
	}
	return draw_run(c, where, end, like, utf8);
}

int canvas_text(struct canvas *c, struct at where, enum role role, const char *utf8)
{
	return draw_text(c, where, (struct cell){.role = (uint8_t)role, .id = CANVAS_NO_ID}, utf8);
}

int canvas_value(struct canvas *c, struct at where, enum role role, uint16_t id, const char *utf8)
{
	assert(id != CANVAS_NO_ID);
	return draw_text(c, where, (struct cell){.role = (uint8_t)role, .id = id}, utf8);
}

void canvas_put(struct canvas *c, int row, int col, enum role role, uint32_t ch)
{
	if (rect_contains(c->clip, row, col)) {
		const struct cell what = {.ch = ch, .role = (uint8_t)role, .id = CANVAS_NO_ID};
		store(c, row, col, &what, 1);
	}
}

void canvas_fill(struct canvas *c, struct at where, enum role role, uint32_t ch)
{
	int edge = c->clip.col + c->clip.cols;
	int end = where.width > 0 ? min_int(edge, where.col + where.width) : edge;

	for (int col = where.col; col < end; col++) {
		canvas_put(c, where.row, col, role, ch);
	}
}

void canvas_blank(struct canvas *c, struct rect r, enum role role)
{
	struct rect in = intersect(r, c->clip);

	for (int row = in.row; row < in.row + in.rows; row++) {
		for (int col = in.col; col < in.col + in.cols; col++) {
			canvas_put(c, row, col, role, ' ');
		}
	}
}

void canvas_paint(struct canvas *c, struct rect r, enum role role)
{
	struct rect in = intersect(r, c->clip);

	for (int row = in.row; row < in.row + in.rows; row++) {
		for (int col = in.col; col < in.col + in.cols; col++) {
			cell_at(c, row, col)->role = (uint8_t)role;
		}
	}
}

void canvas_tag(struct canvas *c, struct rect r, uint16_t id)
{
	struct rect in = intersect(r, c->clip);

	for (int row = in.row; row < in.row + in.rows; row++) {
		for (int col = in.col; col < in.col + in.cols; col++) {
			cell_at(c, row, col)->id = id;
		}
	}
}

void canvas_heading(struct canvas *c, struct rect row, const char *title)
{
	struct rect before = canvas_clip(c, intersect(row, c->clip));

	canvas_blank(c, row, ROLE_HEADING);
	canvas_fill(c, at_width(row.row, row.col, HEADING_LINES), ROLE_HEADING, LINE_ACROSS);
	canvas_text(c, at(row.row, row.col + HEADING_LINES + 1), ROLE_HEADING, title);
	canvas_clip(c, before);
}

void canvas_separator(struct canvas *c, int col, int row, int rows)
{
	for (int i = 0; i < rows; i++) {
		canvas_put(c, row + i, col, ROLE_TEXT, LINE_DOWN);
	}
}

void canvas_frame(struct canvas *c, struct rect r, const char *title)
{
	int last_row = r.row + r.rows - 1, last_col = r.col + r.cols - 1;

	canvas_blank(c, r, ROLE_TEXT);
	canvas_fill(c, at_width(r.row, r.col, r.cols), ROLE_TEXT, LINE_ACROSS);
	canvas_fill(c, at_width(last_row, r.col, r.cols), ROLE_TEXT, LINE_ACROSS);
	canvas_separator(c, r.col, r.row + 1, r.rows - 2);
	canvas_separator(c, last_col, r.row + 1, r.rows - 2);
	canvas_put(c, r.row, r.col, ROLE_TEXT, CORNER_TOP_L);
	canvas_put(c, r.row, last_col, ROLE_TEXT, CORNER_TOP_R);
	canvas_put(c, last_row, r.col, ROLE_TEXT, CORNER_LOW_L);
	canvas_put(c, last_row, last_col, ROLE_TEXT, CORNER_LOW_R);
	if (title[0] != '\0' && r.cols > 4) {
		canvas_put(c, r.row, r.col + 1, ROLE_TEXT, ' ');
		int end =
			canvas_text(c, at_width(r.row, r.col + 2, r.cols - 4), ROLE_SELECT, title);
		canvas_put(c, r.row, end, ROLE_TEXT, ' ');
	}
}

void canvas_bar(struct canvas *c, struct at where, enum role role, unsigned eighths)
{
	for (int i = 0; i < where.width; i++) {
		unsigned here = eighths > EIGHTHS ? EIGHTHS : eighths;
		canvas_put(c, where.row, where.col + i, role, glyph_bar(here));
		eighths -= here;
	}
}

bool canvas_find_untagged_digit(const struct canvas *c, int *ret_row, int *ret_col)
{
	for (int i = 0; i < c->rows * c->cols; i++) {
		const struct cell *cell = &c->cells[i];
		if (cell->ch >= '0' && cell->ch <= '9' && cell->id == CANVAS_NO_ID) {
			*ret_row = i / c->cols;
			*ret_col = i % c->cols;
			return true;
		}
	}
	return false;
}

/* Marks the start of each run of @role in a row if the cell before it is a plain blank. */
static void mark_runs(struct canvas *c, int row, enum role role, uint32_t mark)
{
	for (int col = 1; col < c->cols; col++) {
		struct cell *cell = cell_at(c, row, col);
		if (cell->role == role && cell[-1].role != role && cell[-1].ch == ' ') {
			cell[-1].ch = mark;
		}
	}
}

void canvas_mark_scheme(struct canvas *c, enum scheme scheme)
{
	const uint32_t focus = 0x25ba;

	for (int row = 0; row < c->rows; row++) {
		if (scheme == SCHEME_MONO) {
			mark_runs(c, row, ROLE_PREVIEW, '~');
		}
		if (scheme == SCHEME_MONO || scheme == SCHEME_CONTRAST) {
			mark_runs(c, row, ROLE_FOCUS, focus);
		}
	}
}
