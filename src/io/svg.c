/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of one row that look alike become one text element whose length is fixed, so that the
 * grid holds whatever font the viewer has.
 */
#include "zonelab/svg.h"

#define CELL_W	 9u
#define CELL_H	 19u
#define BASELINE 14u
#define FONT	 15u

static void put_utf8(struct zl_buf *b, uint32_t ch)
{
	if (ch < 0x80) {
		zl_buf_chr(b, (char)ch);
	} else if (ch < 0x800) {
		zl_buf_chr(b, (char)(0xc0u | ch >> 6));
		zl_buf_chr(b, (char)(0x80u | (ch & 0x3fu)));
	} else if (ch < 0x10000) {
		zl_buf_chr(b, (char)(0xe0u | ch >> 12));
		zl_buf_chr(b, (char)(0x80u | (ch >> 6 & 0x3fu)));
		zl_buf_chr(b, (char)(0x80u | (ch & 0x3fu)));
	} else {
		zl_buf_chr(b, (char)(0xf0u | ch >> 18));
		zl_buf_chr(b, (char)(0x80u | (ch >> 12 & 0x3fu)));
		zl_buf_chr(b, (char)(0x80u | (ch >> 6 & 0x3fu)));
		zl_buf_chr(b, (char)(0x80u | (ch & 0x3fu)));
	}
}

static void put_char(struct zl_buf *b, uint32_t ch)
{
	if (ch == '&') {
		zl_buf_str(b, "&amp;");
	} else if (ch == '<') {
		zl_buf_str(b, "&lt;");
	} else if (ch == '>') {
		zl_buf_str(b, "&gt;");
	} else if (ch >= ' ' && ch != 0xfffe && ch != 0xffff) {
		put_utf8(b, ch);
	}
}

static void put_text(struct zl_buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;
		if (c < 0x80) {
			put_char(b, c);
		} else {
			zl_buf_chr(b, *s);
		}
	}
}

static void put_colour(struct zl_buf *b, const char *attribute, uint32_t rgb)
{
	static const char hex[] = "0123456789abcdef";
	char text[] = "#000000";

	for (unsigned i = 0; i < 6; i++) {
		text[6 - i] = hex[rgb >> (4 * i) & 0xfu];
	}
	zl_buf_fmt(b, " %s=\"%s\"", attribute, text);
}

static bool alike(const struct zl_svg_cell *a, const struct zl_svg_cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->italic == b->italic &&
	       a->underline == b->underline;
}

static bool is_blank(const struct zl_svg_grid *g, unsigned row, unsigned from, unsigned to)
{
	for (unsigned col = from; col < to; col++) {
		if (g->cell(g->user, row, col).ch != ' ') {
			return false;
		}
	}
	return true;
}

static void put_rect(struct zl_buf *b, uint32_t rgb, unsigned row, unsigned from, unsigned to)
{
	zl_buf_fmt(b, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"", from * CELL_W,
		row * CELL_H, (to - from) * CELL_W, CELL_H);
	put_colour(b, "fill", rgb);
	zl_buf_str(b, "/>\n");
}

/* One run of cells that look alike. */
static void put_run(
	struct zl_buf *b, const struct zl_svg_grid *g, unsigned row, unsigned from, unsigned to)
{
	struct zl_svg_cell like = g->cell(g->user, row, from);

	if (like.bg != g->bg) {
		put_rect(b, like.bg, row, from, to);
	}
	if (is_blank(g, row, from, to) && !like.underline) {
		return;
	}
	zl_buf_fmt(b, "<text x=\"%u\" y=\"%u\" textLength=\"%u\"", from * CELL_W,
		row * CELL_H + BASELINE, (to - from) * CELL_W);
	put_colour(b, "fill", like.fg);
	zl_buf_str(b, like.bold ? " font-weight=\"bold\"" : "");
	zl_buf_str(b, like.italic ? " font-style=\"italic\"" : "");
	zl_buf_str(b, like.underline ? " text-decoration=\"underline\"" : "");
	zl_buf_chr(b, '>');
	for (unsigned col = from; col < to; col++) {
		uint32_t ch = g->cell(g->user, row, col).ch;
		if (ch != 0) {
			put_char(b, ch == ' ' ? 0xa0 : ch);
		}
	}
	zl_buf_str(b, "</text>\n");
}

static void put_row(struct zl_buf *b, const struct zl_svg_grid *g, unsigned row)
{
	unsigned from = 0;

	while (from < g->cols) {
		struct zl_svg_cell first = g->cell(g->user, row, from);
		unsigned to = from + 1;
		while (to < g->cols) {
			struct zl_svg_cell next = g->cell(g->user, row, to);
			if (!alike(&first, &next)) {
				break;
			}
			to++;
		}
		put_run(b, g, row, from, to);
		from = to;
	}
}

void zl_svg_write(struct zl_buf *b, const struct zl_svg_grid *grid)
{
	zl_buf_fmt(b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\">\n",
		grid->cols * CELL_W, grid->rows * CELL_H, grid->cols * CELL_W, grid->rows * CELL_H);
	zl_buf_str(b, "<title>");
	put_text(b, grid->title);
	zl_buf_str(b, "</title>\n<rect width=\"100%\" height=\"100%\"");
	put_colour(b, "fill", grid->bg);
	zl_buf_fmt(b, "/>\n<g font-family=\"monospace\" font-size=\"%u\">\n", FONT);
	for (unsigned row = 0; row < grid->rows; row++) {
		put_row(b, grid, row);
	}
	zl_buf_str(b, "</g>\n</svg>\n");
}
