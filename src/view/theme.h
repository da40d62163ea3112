/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roles of colour and what each scheme makes of them. A role says what a cell means; colour only
 * repeats what a word, letter or glyph says already.
 */
#ifndef VIEW_THEME_H
#define VIEW_THEME_H

#include <stdint.h>

enum role {
	ROLE_TEXT,
	ROLE_DIM,     /* equal, derived, future, beneath a pop-up */
	ROLE_HEADING, /* title row of a panel */
	ROLE_TITLE,   /* title row of the screen */
	ROLE_KEY,     /* keys in the key bar */
	ROLE_FOCUS,   /* focused row, cell or chip */
	ROLE_SELECT,  /* marked, not focused */
	ROLE_EDIT,    /* open field */
	ROLE_PREVIEW, /* value not yet taken */
	ROLE_USED,    /* gauge, list bar, sparkline */
	ROLE_LEAVING, /* pages going to the buddy */
	ROLE_THRESHOLD,
	ROLE_CEILING,
	ROLE_OK,
	ROLE_ALERT,
	ROLE_WARN,
	ROLE_ERROR,
	ROLE_UP,
	ROLE_DOWN,
	ROLE_DIFFER,
	ROLE_ADDED,
	ROLE_REMOVED,
	ROLE_MT_UNMOVABLE,
	ROLE_MT_MOVABLE,
	ROLE_MT_RECLAIMABLE,
	ROLE_MT_HIGHATOMIC,
	ROLE_MT_CMA,
	ROLE_LANE_A,
	ROLE_LANE_B,
	ROLE_LANE_C,
	ROLE_LANE_D,
	ROLE_COUNT
};

enum scheme { SCHEME_16, SCHEME_MONO, SCHEME_CONTRAST, SCHEME_COUNT };

/** The sixteen colours in the order of ECMA-48; -1 = the terminal's own. */
enum colour {
	COLOUR_DEFAULT = -1,
	COLOUR_BLACK,
	COLOUR_RED,
	COLOUR_GREEN,
	COLOUR_YELLOW,
	COLOUR_BLUE,
	COLOUR_MAGENTA,
	COLOUR_CYAN,
	COLOUR_WHITE,
	COLOUR_BRIGHT_BLACK
};

enum style_attr {
	STYLE_BOLD = 1,
	STYLE_UNDERLINE = 2,
	STYLE_REVERSE = 4,
	STYLE_ITALIC = 8,
	STYLE_DIM = 16
};

struct style {
	int8_t fg;    /* enum colour */
	int8_t bg;    /* enum colour */
	uint8_t attr; /* of enum style_attr */
};

struct style theme_style(enum scheme s, enum role r);

/** One letter a role, for golden files and tests; unique. ROLE_TEXT is a blank. */
char role_letter(enum role r);
const char *role_name(enum role r);

#endif
