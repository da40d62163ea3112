/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Screens without a terminal: `--screen WxH`, `:plain` and `:screenshot` in batch mode.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "front.h"
#include "pagesets.h"
#include "plain.h"
#include "screen.h"
#include "screenshot.h"
#include "text_width.h"
#include "workers.h"

#define ROWS_DEFAULT 24
#define COLS_DEFAULT 80

static int clamped(unsigned v, int dflt, int most)
{
	if (v == 0) {
		return dflt;
	}
	return v > (unsigned)most ? most : (int)v;
}

/* Draws the screen in the app's size; the cells are the caller's to free. NULL without memory. */
static struct cell *draw(const struct app *app, struct canvas *c)
{
	int rows = clamped(app->rows, ROWS_DEFAULT, CANVAS_ROWS_MAX);
	int cols = clamped(app->cols, COLS_DEFAULT, CANVAS_COLS_MAX);
	struct cell *cells = calloc((size_t)rows * (size_t)cols, sizeof(*cells));

	if (cells != NULL) {
		canvas_init(c, cells, rows, cols);
		screen_draw(app, NULL, c);
	}
	return cells;
}

static enum glyph_set glyphs_of(const struct app *app)
{
	return (enum glyph_set)app->glyphs;
}

void front_glyphs(struct app *app, const char *set, bool ascii)
{
	enum glyph_set wanted = set != NULL ? glyph_set_find(set) : GLYPHS_UNICODE;

	app->glyphs = (uint8_t)(ascii			? GLYPHS_ASCII
				: wanted < GLYPHS_COUNT ? wanted
							: GLYPHS_UNICODE);
}

void front_fit_glyphs(const struct app *app, struct zl_buf *text)
{
	enum glyph_set set = glyphs_of(app);
	char *to = text->data;

	if (set == GLYPHS_UNICODE || text->data == NULL) {
		return;
	}
	/* Nothing becomes longer: glyphs of other sets are at most as wide in bytes. */
	for (const char *from = text->data; *from != '\0';) {
		const char *start = from;
		uint32_t ch = utf8_next(&from);
		char bytes[UTF8_MAX + 1];
		size_t n = (size_t)(from - start);

		if (glyph_known(ch)) {
			n = utf8_encode(glyph_map(set, ch), bytes);
			start = bytes;
		}
		memmove(to, start, n);
		to += n;
	}
	text->len = (size_t)(to - text->data);
	*to = '\0';
}

void front_screen_text(const struct app *app, struct zl_buf *ret)
{
	struct canvas c;
	struct cell *cells = draw(app, &c);

	if (cells == NULL) {
		ret->failed = true;
		return;
	}
	size_t need = canvas_to_text(&c, glyphs_of(app), NULL, 0) + 1;
	char *text = malloc(need);
	if (text != NULL) {
		canvas_to_text(&c, glyphs_of(app), text, need);
		zl_buf_str(ret, text);
	} else {
		ret->failed = true;
	}
	free(text);
	free(cells);
}

static int hook_screenshot(const struct app *app, const char *file, struct zl_error *err)
{
	const struct screenshot_opts opts = {.glyphs = glyphs_of(app), .scheme = SCHEME_16};
	struct canvas c;
	struct cell *cells = draw(app, &c);

	if (cells == NULL) {
		zl_error_set(err, 0, 0, "no memory for the picture; nothing was written");
		return -ENOMEM;
	}
	int r = screenshot_write(&c, &opts, file, err);
	free(cells);
	return r;
}

/* The middle of the screen at one op, copied into the picture from a row on; the next free row. */
static int add_moment(const struct app *app, struct canvas *c, int row)
{
	struct canvas one;
	struct cell *cells = draw(app, &one);
	const int first = 1; /* without the title, which would be the same each time */

	if (cells == NULL) {
		return -ENOMEM;
	}
	for (int r = first; r < one.rows - 2; r++) {
		memcpy(&c->cells[(row + r - first) * c->cols], &cells[r * one.cols],
			(size_t)c->cols * sizeof(*cells));
	}
	row += one.rows - 2 - first;
	free(cells);
	return row;
}

static int hook_strip(struct app *app, const uint64_t *ops, unsigned n, struct zl_buf *ret)
{
	const struct screenshot_opts opts = {.glyphs = glyphs_of(app), .scheme = SCHEME_16};
	const int rows = clamped(app->rows, ROWS_DEFAULT, CANVAS_ROWS_MAX / (int)n);
	const int cols = clamped(app->cols, COLS_DEFAULT, CANVAS_COLS_MAX);
	struct cell *cells = calloc((size_t)rows * n * (size_t)cols, sizeof(*cells));
	struct canvas c;
	int row = 0;

	if (cells == NULL) {
		return -ENOMEM;
	}
	app_resize(app, (unsigned)rows, (unsigned)cols);
	canvas_init(&c, cells, rows * (int)n, cols);
	canvas_clear(&c);
	for (unsigned i = 0; i < n && row >= 0; i++) {
		pagesets_seek(app, ops[i]);
		app_settle(app);
		row = add_moment(app, &c, row);
	}
	if (row > 0) {
		c.rows = row;
		screenshot_svg(&c, &opts, ret);
	}
	free(cells);
	return row > 0 ? 0 : -ENOMEM;
}

const struct app_hooks *front_hooks(bool lasting)
{
	static const struct app_hooks hooks[] = {
		{.plain = plain_screen,
			.screenshot = hook_screenshot,
			.screen_text = front_screen_text,
			.strip = hook_strip,
			.spread = workers_run},
		{ .plain = plain_screen,
			.screenshot = hook_screenshot,
			.screen_text = front_screen_text,
			.strip = hook_strip,
			.spread = workers_run,
			.lasting = true},
	};

	return &hooks[lasting ? 1 : 0];
}
