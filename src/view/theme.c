/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theme.h"

#include <assert.h>

#define DEF  COLOUR_DEFAULT
#define BOLD STYLE_BOLD
#define REV  STYLE_REVERSE
#define LINE STYLE_UNDERLINE

struct role_row {
	const char *name;
	char letter;
	struct style style[SCHEME_COUNT];
};

/* In the order of enum role: default colours, mono, high contrast. */
static const struct role_row rows[] = {
	{"text",		 ' ', {{DEF, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}		     },
	{"dim",		'.',
		{{COLOUR_BRIGHT_BLACK, DEF, 0}, {DEF, DEF, STYLE_DIM},
			{COLOUR_WHITE, COLOUR_BLACK, 0}}							},
	{"heading",	    'h',
		{{DEF, DEF, BOLD | LINE}, {DEF, DEF, BOLD | LINE},
			{COLOUR_BLACK, COLOUR_WHITE, 0}}							},
	{"title",	  't', {{DEF, DEF, REV}, {DEF, DEF, REV}, {COLOUR_BLACK, COLOUR_YELLOW, 0}}	   },
	{"key",		'k', {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {COLOUR_YELLOW, COLOUR_BLACK, BOLD}}     },
	{"focus",	  'F', {{DEF, DEF, REV}, {DEF, DEF, REV}, {COLOUR_BLACK, COLOUR_WHITE, 0}}		  },
	{"select",	   's', {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {COLOUR_YELLOW, COLOUR_BLACK, BOLD}}	 },
	{"edit",		 'i',
		{{COLOUR_YELLOW, DEF, LINE}, {DEF, DEF, LINE}, {COLOUR_BLACK, COLOUR_YELLOW, 0}}			},
	{"preview",	    'p',
		{{COLOUR_CYAN, DEF, STYLE_ITALIC}, {DEF, DEF, LINE},
			{COLOUR_CYAN, COLOUR_BLACK, 0}}						       },
	{"used",		 'u', {{COLOUR_CYAN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}	     },
	{"leaving",	    'l',
		{{COLOUR_MAGENTA, DEF, 0}, {DEF, DEF, 0}, {COLOUR_MAGENTA, COLOUR_BLACK, 0}}			    },
	{"threshold",      '^',
		{{COLOUR_YELLOW, DEF, 0}, {DEF, DEF, BOLD}, {COLOUR_YELLOW, COLOUR_BLACK, BOLD}}			},
	{"ceiling",	    ']',
		{{COLOUR_RED, DEF, 0}, {DEF, DEF, BOLD}, {COLOUR_WHITE, COLOUR_BLACK, BOLD}}			    },
	{"ok",	       'y', {{COLOUR_GREEN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_GREEN, COLOUR_BLACK, 0}}	    },
	{"alert",	  '!',
		{{COLOUR_YELLOW, DEF, BOLD}, {DEF, DEF, BOLD}, {COLOUR_BLACK, COLOUR_YELLOW, 0}}			},
	{"warn",		 'w',
		{{COLOUR_YELLOW, DEF, 0}, {DEF, DEF, BOLD}, {COLOUR_YELLOW, COLOUR_BLACK, 0}}			     },
	{"error",	  'e', {{COLOUR_RED, DEF, BOLD}, {DEF, DEF, REV}, {COLOUR_WHITE, COLOUR_RED, 0}}	},
	{"up",	       '+', {{COLOUR_GREEN, DEF, 0}, {DEF, DEF, BOLD}, {COLOUR_WHITE, COLOUR_BLACK, BOLD}}},
	{"down",		 '-',
		{{COLOUR_MAGENTA, DEF, 0}, {DEF, DEF, BOLD}, {COLOUR_WHITE, COLOUR_BLACK, BOLD}}			},
	{"differ",	   'x', {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {COLOUR_WHITE, COLOUR_BLACK, BOLD}}	},
	{"added",	  'a', {{COLOUR_GREEN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, BOLD}}	  },
	{"removed",	    'r',
		{{COLOUR_RED, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, STYLE_DIM}}			      },
	{"mt-unmovable",	 'U',
		{{COLOUR_RED, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}				      },
	{"mt-movable",     'M',
		{{COLOUR_GREEN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}				},
	{"mt-reclaimable", 'R',
		{{COLOUR_BLUE, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}			       },
	{"mt-highatomic",  'H',
		{{COLOUR_YELLOW, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}				 },
	{"mt-cma",	   'C', {{COLOUR_CYAN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}       },
	{"lane-a",	   '1', {{COLOUR_CYAN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}       },
	{"lane-b",	   '2', {{COLOUR_YELLOW, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}	 },
	{"lane-c",	   '3', {{COLOUR_GREEN, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}	},
	{"lane-d",	   '4', {{COLOUR_MAGENTA, DEF, 0}, {DEF, DEF, 0}, {COLOUR_WHITE, COLOUR_BLACK, 0}}	  },
};
static_assert(sizeof(rows) / sizeof(rows[0]) == ROLE_COUNT, "one row for each role");

struct style theme_style(enum scheme s, enum role r)
{
	return rows[r].style[s];
}

char role_letter(enum role r)
{
	return rows[r].letter;
}

const char *role_name(enum role r)
{
	return rows[r].name;
}
