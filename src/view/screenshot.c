/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "screenshot.h"

#include <errno.h>
#include <string.h>

#include "zonelab/save.h"
#include "zonelab/svg.h"

#define PAGE_FG 0xd0d0d0u
#define PAGE_BG 0x101418u

struct painter {
	const struct canvas *c;
	const struct screenshot_opts *opts;
};

/* The sixteen colours as a picture has them; a little softer than a terminal's. */
static uint32_t rgb_of(int8_t colour, uint32_t dflt)
{
	static const uint32_t rgb[] = {0x101418, 0xe05561, 0x8cc265, 0xe5c07b, 0x4aa5f0, 0xc162de,
		0x42b3c2, 0xe6e6e6, 0x767e89};

	return colour >= 0 && colour <= COLOUR_BRIGHT_BLACK ? rgb[colour] : dflt;
}

static uint32_t halfway(uint32_t a, uint32_t b)
{
	const uint32_t even = 0xfefefeu;

	return ((a & even) >> 1) + ((b & even) >> 1);
}

static struct zl_svg_cell paint(void *user, unsigned row, unsigned col)
{
	const struct painter *p = user;
	const struct cell *cell = canvas_cell(p->c, (int)row, (int)col);
	struct style s = theme_style(p->opts->scheme, (enum role)cell->role);
	struct zl_svg_cell out = {
		.ch = cell->ch != 0 ? glyph_map(p->opts->glyphs, cell->ch) : 0,
		.fg = rgb_of(s.fg, PAGE_FG),
		.bg = rgb_of(s.bg, PAGE_BG),
		.bold = (s.attr & STYLE_BOLD) != 0,
		.italic = (s.attr & STYLE_ITALIC) != 0,
		.underline = (s.attr & STYLE_UNDERLINE) != 0,
	};

	if ((s.attr & STYLE_DIM) != 0) {
		out.fg = halfway(out.fg, out.bg);
	}
	if ((s.attr & STYLE_REVERSE) != 0) {
		uint32_t fg = out.fg;
		out.fg = out.bg;
		out.bg = fg;
	}
	return out;
}

void screenshot_svg(const struct canvas *c, const struct screenshot_opts *opts, struct zl_buf *ret)
{
	struct painter p = {.c = c, .opts = opts};
	const struct zl_svg_grid grid = {.rows = (unsigned)c->rows,
		.cols = (unsigned)c->cols,
		.fg = PAGE_FG,
		.bg = PAGE_BG,
		.title = "zonelab",
		.cell = paint,
		.user = &p};

	zl_svg_write(ret, &grid);
}

/* Line by line, so that the text needs no second buffer of its size. */
static void put_text(const struct canvas *c, enum glyph_set glyphs, struct zl_buf *ret)
{
	char line[4 * CANVAS_COLS_MAX + 2];
	struct canvas one = *c;

	for (int row = 0; row < c->rows; row++) {
		one.rows = 1;
		one.cells = c->cells + row * c->cols;
		canvas_to_text(&one, glyphs, line, sizeof(line));
		zl_buf_str(ret, line);
	}
}

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

int screenshot_write(const struct canvas *c, const struct screenshot_opts *opts, const char *file,
	struct zl_error *err)
{
	struct zl_buf b = {0};
	int r = -EINVAL;

	if (ends_in(file, ".svg")) {
		screenshot_svg(c, opts, &b);
	} else if (ends_in(file, ".txt")) {
		put_text(c, opts->glyphs, &b);
	} else {
		zl_error_set(
			err, 0, 0, "'%s' names no kind of picture; end it in .svg or .txt", file);
		return r;
	}
	if (b.failed) {
		zl_error_set(err, 0, 0, "no memory for the picture; nothing was written");
		r = -ENOMEM;
	} else {
		r = zl_save(file, zl_buf_text(&b), b.len, false, err);
	}
	zl_buf_done(&b);
	return r;
}
