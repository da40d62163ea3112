/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid of characters as an SVG picture, without scripts, styles or fonts from elsewhere.
 */
#ifndef ZONELAB_SVG_H
#define ZONELAB_SVG_H

#include "zonelab/buffer.h"

/** One cell; colours are 0xRRGGBB. ch 0 = right half of a wide character. */
struct zl_svg_cell {
	uint32_t ch;
	uint32_t fg, bg;
	bool bold, italic, underline;
};

struct zl_svg_grid {
	unsigned rows, cols;
	uint32_t fg, bg; /* of the page */
	const char *title;
	struct zl_svg_cell (*cell)(void *user, unsigned row, unsigned col);
	void *user;
};

/** Appends the picture; `failed` of the buffer says whether memory was enough. */
void zl_svg_write(struct zl_buf *b, const struct zl_svg_grid *grid);

#endif
