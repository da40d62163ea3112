/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "glyph.h"

#include <assert.h>
#include <string.h>

#define LEFT_HALF  0x258c
#define LOWER_HALF 0x2584
#define FULL_BLOCK 0x2588

struct glyph {
	uint32_t unicode;
	char ascii;
	uint32_t console;
};

/* Sorted by code point. */
static const struct glyph glyphs[] = {
	{0x00b7, '-', 0x00b7    }, /* separator dot */
	{0x2014, '-', '-'	 }, /* long dash */
	{0x2026, '$', '$'	 }, /* cut off here */
	{0x2190, '<', 0x2190    }, /* arrows */
	{0x2191, '^', 0x2191    },
	       {0x2192, '>', 0x2192	   },
	      {0x2193, 'v', 0x2193	  },
	{0x2500, '-', 0x2500    }, /* lines */
	{0x2502, '|', 0x2502    },
	       {0x250c, '+', 0x250c	   },
	      {0x2510, '+', 0x2510	  },
	     {0x2514, '+', 0x2514	 },
	{0x2518, '+', 0x2518    },
	       {0x2524, ']', 0x2524	   }, /* wall */
	{0x252c, '+', 0x252c    },
	       {0x2534, '+', 0x2534	   },
	{0x2581, '_', LOWER_HALF}, /* columns, eighths from below */
	{0x2582, '_', LOWER_HALF},
	   {0x2583, '.', LOWER_HALF},
	      {0x2584, '-', LOWER_HALF},
	{0x2585, '-', LOWER_HALF},
	   {0x2586, '=', FULL_BLOCK},
	      {0x2587, '=', FULL_BLOCK},
	{0x2588, '#', FULL_BLOCK},
	   {0x2589, '#', FULL_BLOCK}, /* bars, seven eighths down to one */
	{0x258a, '#', FULL_BLOCK},
	   {0x258b, '#', LEFT_HALF },
	     {0x258c, '#', LEFT_HALF },
	{0x258d, '.', LEFT_HALF },
	  {0x258e, '.', LEFT_HALF },
	    {0x258f, '.', LEFT_HALF },
	{0x2591, '~', 0x2591    }, /* shades */
	{0x2592, '=', 0x2592    },
	       {0x2593, '%', 0x2593	   },
	      {0x25b2, '^', 0x25b2	  }, /* up, threshold */
	{0x25b3, 'o', 'o'	 }, /* threshold of the preview */
	{0x25ba, '>', 0x25ba    }, /* focus */
	{0x25bc, 'v', 0x25bc    }, /* down */
};

static const char *const names[] = {"unicode", "ascii", "console"};
static_assert(sizeof(names) / sizeof(names[0]) == GLYPHS_COUNT, "one name for each set");

static const struct glyph *find(uint32_t ch)
{
	size_t lo = 0, hi = sizeof(glyphs) / sizeof(glyphs[0]);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (glyphs[mid].unicode == ch) {
			return &glyphs[mid];
		}
		if (glyphs[mid].unicode < ch) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return NULL;
}

bool glyph_known(uint32_t ch)
{
	return find(ch) != NULL;
}

uint32_t glyph_map(enum glyph_set set, uint32_t ch)
{
	const uint32_t ascii_end = 0x7f;

	if (set == GLYPHS_UNICODE || ch < ascii_end) {
		return ch;
	}
	const struct glyph *g = find(ch);
	if (set == GLYPHS_CONSOLE) {
		return g != NULL ? g->console : ch;
	}
	return g != NULL ? (uint32_t)g->ascii : '?';
}

enum glyph_set glyph_set_find(const char *name)
{
	unsigned i = 0;

	while (i < GLYPHS_COUNT && strcmp(names[i], name) != 0) {
		i++;
	}
	return (enum glyph_set)i;
}

uint32_t glyph_bar(unsigned eighths)
{
	const uint32_t seven_eighths = 0x2589;

	if (eighths == 0) {
		return ' ';
	}
	return eighths >= EIGHTHS ? FULL_BLOCK : seven_eighths + (EIGHTHS - 1 - eighths);
}

uint32_t glyph_column(unsigned eighths)
{
	const uint32_t one_eighth = 0x2581;

	if (eighths == 0) {
		return ' ';
	}
	return eighths >= EIGHTHS ? FULL_BLOCK : one_eighth + eighths - 1;
}
