/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Glyph sets. A canvas always holds the Unicode glyph; what a terminal without it gets is decided
 * here and nowhere else, one cell for one cell.
 */
#ifndef VIEW_GLYPH_H
#define VIEW_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum glyph_set {
	GLYPHS_UNICODE,
	GLYPHS_ASCII,
	GLYPHS_CONSOLE, /* what the Linux console font has: no eighths, no open triangle */
	GLYPHS_COUNT
};

/** What a cell with @ch shows in a set; for ASCII always printable ASCII. */
uint32_t glyph_map(enum glyph_set set, uint32_t ch);

/** One that views draw with, no letter of somebody's name. */
bool glyph_known(uint32_t ch);

/** Returns GLYPHS_COUNT for an unknown name. */
enum glyph_set glyph_set_find(const char *name);

#define EIGHTHS 8
/** A cell filled from the left by 1 to 8 eighths; a blank for 0. */
uint32_t glyph_bar(unsigned eighths);
/** A cell filled from the bottom by 1 to 8 eighths; a blank for 0. */
uint32_t glyph_column(unsigned eighths);

#endif
