/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui_keys.h"

#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "text_width.h"

struct named {
	int code;
	const char *name;
};

static const struct named codes[] = {
	{KEY_DOWN,	   "Down"	 },
	{KEY_UP,	 "Up"	     },
	{KEY_LEFT,	   "Left"	 },
	{KEY_RIGHT,	    "Right"	   },
	{KEY_HOME,	   "Home"	 },
	{KEY_BACKSPACE, "Backspace"},
	{KEY_DC,	 "Delete"	 },
	{KEY_IC,	 "Insert"	 },
	{KEY_NPAGE,	    "PgDn"	  },
	{KEY_PPAGE,	    "PgUp"	  },
	{KEY_ENTER,	    "Enter"	   },
	{KEY_BTAB,	   "S-Tab"	  },
	{KEY_END,	  "End"      },
};

/* Control characters with a name of their own; others are "C-" and a letter. */
static const struct named controls[] = {
	{0x00, "C-Space"	},
	{'\b', "Backspace"},
	{'\t', "Tab"	    },
	{'\n', "Enter"    },
	{'\r', "Enter"    },
	{0x1b, "Esc"	    },
	{' ',  "Space"    },
	{0x7f, "Backspace"},
};

static const char *look_up(const struct named *table, size_t n, int code)
{
	for (size_t i = 0; i < n; i++) {
		if (table[i].code == code) {
			return table[i].name;
		}
	}
	return NULL;
}

static bool name_code(int code, char ret[KEY_NAME_MAX])
{
	const int function_keys = 12;
	const char *name = look_up(codes, sizeof(codes) / sizeof(codes[0]), code);

	if (name != NULL) {
		snprintf(ret, KEY_NAME_MAX, "%s", name);
	} else if (code > KEY_F0 && code <= KEY_F0 + function_keys) {
		snprintf(ret, KEY_NAME_MAX, "F%d", code - KEY_F0);
	} else {
		ret[0] = '\0';
	}
	return ret[0] != '\0';
}

bool terminal_key_name(wint_t key, bool is_code, char ret[KEY_NAME_MAX])
{
	const wint_t first_printable = 0x20, last = 0x10ffff, letter_bits = 0x40;
	char bytes[UTF8_MAX + 1];

	ret[0] = '\0';
	if (is_code) {
		return name_code((int)key, ret);
	}
	const char *name = look_up(controls, sizeof(controls) / sizeof(controls[0]), (int)key);
	if (name != NULL) {
		snprintf(ret, KEY_NAME_MAX, "%s", name);
	} else if (key < first_printable) {
		char letter = (char)(key | letter_bits);
		snprintf(ret, KEY_NAME_MAX, "C-%c",
			letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
	} else if (key <= last && char_width((uint32_t)key) > 0) {
		utf8_encode((uint32_t)key, bytes);
		snprintf(ret, KEY_NAME_MAX, "%s", bytes);
	}
	return ret[0] != '\0';
}
