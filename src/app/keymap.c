/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of keys. Order within a mode is the order on the help screen.
 */
#include "keymap.h"

#include <string.h>

/* clang-format off */
static const struct binding bindings[] = {
	/* mode, key, command, shown as, verb in the bar, rank, help */
	{KEYMAP_GEOMETRY, "Tab", "panel next", "Tab", "panel", 10, ""},
	{KEYMAP_GEOMETRY, "Up", "move up", "↑↓", "row", 11, ""},
	{KEYMAP_GEOMETRY, "Enter", "edit", "Enter", "edit", 1, "edit, or take a fix"},
	{KEYMAP_GEOMETRY, "-", "step -1", "- +", "change", 2, "change the focused value"},
	{KEYMAP_GEOMETRY, "+", "step +1", "", "", 0, ""},
	{KEYMAP_GEOMETRY, "=", "step +1", "", "", 0, ""},
	{KEYMAP_GEOMETRY, "p", "pin", "p", "pin", 3, "pin as baseline, again: off"},
	{KEYMAP_GEOMETRY, "n", "next", "n N  ] [", "", 0, "next, previous diagnostic"},
	{KEYMAP_GEOMETRY, "N", "next -1", "", "", 0, ""},
	{KEYMAP_GEOMETRY, "]", "next", "", "", 0, ""},
	{KEYMAP_GEOMETRY, "[", "next -1", "", "", 0, ""},

	{KEYMAP_RESERVE, "i", "pool add", "i", "add", 3, "add a pool by hand"},
	{KEYMAP_RESERVE, "x", "pool remove", "x", "remove", 4, "remove the pool"},
	{KEYMAP_RESERVE, "m", "pool move", "m", "move", 5, "move it: arrows, Enter"},
	{KEYMAP_RESERVE, "r", "pool resize", "r", "resize", 6, "resize it: arrows, Enter"},
	{KEYMAP_RESERVE, "f", "pool fix", "f", "fix", 1, "preview the fix as a diff"},
	{KEYMAP_RESERVE, "n", "next", "n N", "next", 2, "next, previous refused pool"},
	{KEYMAP_RESERVE, "N", "next -1", "", "", 0, ""},
	{KEYMAP_RESERVE, "]", "next", "", "", 0, ""},
	{KEYMAP_RESERVE, "[", "next -1", "", "", 0, ""},
	{KEYMAP_RESERVE, "Enter", "edit", "Enter", "", 0, "size and place; take them"},
	{KEYMAP_RESERVE, "w", "why", "w", "why", 7, ""},
	{KEYMAP_RESERVE, "y", "copy", "y", "copy", 9, ""},
	{KEYMAP_RESERVE, ":", "prompt", ":", "command", 8, ""},
	{KEYMAP_RESERVE, "?", "help", "?", "help", 0, ""},

	{KEYMAP_PAGESETS, "Space", "play", "Space", "play", 1, "play, pause"},
	{KEYMAP_PAGESETS, ",", "go -1", ", .", "step", 2, "one op back, forward"},
	{KEYMAP_PAGESETS, ".", "go +1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "<", "speed -1", "< >", "speed", 12, "slower, faster"},
	{KEYMAP_PAGESETS, ">", "speed +1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "n", "next", "n N", "event", 3, "next, previous event"},
	{KEYMAP_PAGESETS, "N", "next -1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "]", "next", "", "", 0, ""},
	{KEYMAP_PAGESETS, "[", "next -1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "g", "prompt go", "g", "goto", 8, "go to op"},
	{KEYMAP_PAGESETS, "b", "prompt break", "b", "break", 9, "breakpoint"},
	{KEYMAP_PAGESETS, "r", "last", "r", "last", 10, "op that last changed this"},
	{KEYMAP_PAGESETS, "e", "slot settings", "e", "settings", 4, "settings"},
	{KEYMAP_PAGESETS, "c", "prompt cpu", "c z", "cpu", 11, "choose CPU, zone in a list"},
	{KEYMAP_PAGESETS, "z", "zone", "", "", 0, ""},
	{KEYMAP_PAGESETS, "v", "slot", "v", "slot", 6, "next slot"},
	{KEYMAP_PAGESETS, "w", "why", "w", "why", 5, ""},
	{KEYMAP_PAGESETS, ":", "prompt", ":", "command", 7, ""},
	{KEYMAP_PAGESETS, "?", "help", "?", "help", 0, ""},
	{KEYMAP_PAGESETS, "m", "prompt bookmark", "m ' t", "", 0, "bookmark, next; branches"},
	{KEYMAP_PAGESETS, "'", "bookmark next", "", "", 0, ""},
	{KEYMAP_PAGESETS, "t", "branch", "", "", 0, ""},
	{KEYMAP_PAGESETS, "o", "op", "o", "", 0, "one op by hand: a f d t"},
	{KEYMAP_PAGESETS, "Enter", "edit", "Enter", "", 0, "edit, why"},
	{KEYMAP_PAGESETS, "-", "step -1", "- +", "", 0, "change value; timeline zoom"},
	{KEYMAP_PAGESETS, "+", "step +1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "=", "step +1", "", "", 0, ""},
	{KEYMAP_PAGESETS, "K", "axis", "K p", "", 0, "kernel axis; pin a baseline"},
	{KEYMAP_PAGESETS, "p", "pin", "", "", 0, ""},

	{KEYMAP_COMPARE, "n", "next", "n N", "divergence", 1, "next, previous divergence"},
	{KEYMAP_COMPARE, "N", "next -1", "", "", 0, ""},
	{KEYMAP_COMPARE, "]", "next", "", "", 0, ""},
	{KEYMAP_COMPARE, "[", "next -1", "", "", 0, ""},
	{KEYMAP_COMPARE, ",", "go -1", ", .", "step", 2, "one op back, forward"},
	{KEYMAP_COMPARE, ".", "go +1", "", "", 0, ""},
	{KEYMAP_COMPARE, "Space", "play", "Space", "play", 3, "play, pause"},
	{KEYMAP_COMPARE, "<", "speed -1", "< >", "", 0, "slower, faster"},
	{KEYMAP_COMPARE, ">", "speed +1", "", "", 0, ""},
	{KEYMAP_COMPARE, "K", "axis", "K", "kernel", 4, "kernel axis, left and right"},
	{KEYMAP_COMPARE, "A", "lane A", "A B C D", "lane", 9, "focus a lane; Tab the next"},
	{KEYMAP_COMPARE, "p", "pin", "p", "baseline lane", 10, "baseline of the totals"},
	{KEYMAP_COMPARE, "y", "copy", "y", "copy", 5, "copy as text for a mail"},
	{KEYMAP_COMPARE, "w", "why", "w", "why", 6, ""},
	{KEYMAP_COMPARE, ":", "prompt", ":", "cmd", 7, ""},
	{KEYMAP_COMPARE, "?", "help", "?", "help", 0, ""},
	{KEYMAP_COMPARE, "g", "prompt go", "g", "", 0, "go to op"},
	{KEYMAP_COMPARE, "b", "prompt break", "b", "", 0, "breakpoint"},
	{KEYMAP_COMPARE, "r", "last", "r", "", 0, "op that last changed this"},
	{KEYMAP_COMPARE, "c", "prompt cpu", "c", "", 0, "choose CPU from a list"},
	{KEYMAP_COMPARE, "m", "prompt bookmark", "m '", "", 0, "set, go to bookmark"},
	{KEYMAP_COMPARE, "'", "bookmark next", "", "", 0, ""},
	{KEYMAP_COMPARE, "Enter", "edit", "Enter", "", 0, "why; or open a second lane"},
	{KEYMAP_COMPARE, "-", "step -1", "- +", "", 0, "timeline zoom"},
	{KEYMAP_COMPARE, "+", "step +1", "", "", 0, ""},
	{KEYMAP_COMPARE, "=", "step +1", "", "", 0, ""},

	{KEYMAP_SWEEP, "Left", "move left", "arrows", "point", 1, "choose a point"},
	{KEYMAP_SWEEP, "Enter", "point open", "Enter", "open as lane", 2, "open the point as a lane"},
	{KEYMAP_SWEEP, "e", "point axes", "e", "axes, metric", 3, "other axes or metric"},
	{KEYMAP_SWEEP, "n", "next", "n N", "jump", 4, "next, previous jump"},
	{KEYMAP_SWEEP, "N", "next -1", "", "", 0, ""},
	{KEYMAP_SWEEP, "]", "next", "", "", 0, ""},
	{KEYMAP_SWEEP, "[", "next -1", "", "", 0, ""},
	{KEYMAP_SWEEP, "v", "point lines", "v", "lines", 7, "lines or cells"},
	{KEYMAP_SWEEP, "y", "copy", "y", "copy", 5, ""},
	{KEYMAP_SWEEP, "w", "why", "w", "why", 6, ""},
	{KEYMAP_SWEEP, ":", "prompt", ":", "command", 8, ""},
	{KEYMAP_SWEEP, "?", "help", "?", "help", 0, ""},

	{KEYMAP_LEARN, "Up", "move up", "↑↓", "choose", 1, "lesson, choice, digit"},
	{KEYMAP_LEARN, "Enter", "answer", "Enter", "answer", 2, "open, answer, go on"},
	{KEYMAP_LEARN, ",", "go -1", ",", "step back", 3, "one op back, . forward"},
	{KEYMAP_LEARN, ".", "go +1", "", "", 0, ""},
	{KEYMAP_LEARN, "Tab", "panel next", "Tab", "panel", 6, "question, values, glossary"},
	{KEYMAP_LEARN, "w", "why", "w", "why", 4, "why; while asked: inputs"},
	{KEYMAP_LEARN, "/", "search", "/", "", 0, "search the glossary"},
	{KEYMAP_LEARN, "n", "next", "n N", "", 0, "next, previous match"},
	{KEYMAP_LEARN, "N", "next -1", "", "", 0, ""},
	{KEYMAP_LEARN, "Esc", "leave", "Esc", "leave", 5, "leave the lesson"},
	{KEYMAP_LEARN, ":", "prompt", ":", "command", 7, ""},
	{KEYMAP_LEARN, "?", "help", "?", "help", 0, ""},

	{KEYMAP_HAND, "a", "op alloc", "a", "alloc", 1, "allocate a block"},
	{KEYMAP_HAND, "f", "op free", "f", "free", 2, "free the newest block"},
	{KEYMAP_HAND, "d", "op drain", "d", "drain", 3, "empty this pageset"},
	{KEYMAP_HAND, "t", "op tick", "t", "tick", 4, "refresh the counters"},
	{KEYMAP_HAND, "Esc", "cancel", "Esc", "cancel", 5, "no op"},

	{KEYMAP_EVERYWHERE, "Up", "move up", "arrows hjkl", "", 0, "move in a panel"},
	{KEYMAP_EVERYWHERE, "Down", "move down", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "Left", "move left", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "Right", "move right", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "k", "move up", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "j", "move down", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "h", "move left", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "l", "move right", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "PgUp", "move page-up", "PgUp PgDn", "", 0, "scroll; Home End to ends"},
	{KEYMAP_EVERYWHERE, "PgDn", "move page-down", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "Home", "move first", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "End", "move last", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "Tab", "panel next", "Tab S-Tab", "", 0, "next, previous panel"},
	{KEYMAP_EVERYWHERE, "S-Tab", "panel previous", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "1", "screen 1", "1..6 A..D", "", 0, "screen; lane"},
	{KEYMAP_EVERYWHERE, "2", "screen 2", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "3", "screen 3", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "4", "screen 4", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "5", "screen 5", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "6", "screen 6", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "A", "lane A", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "B", "lane B", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "C", "lane C", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "D", "lane D", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "u", "undo", "u", "undo", 4, "undo an edit"},
	{KEYMAP_EVERYWHERE, "C-r", "redo", "Ctrl-R", "", 0, "redo an edit"},
	{KEYMAP_EVERYWHERE, "w", "why", "w", "why", 5, "why this value"},
	{KEYMAP_EVERYWHERE, "e", "settings", "e", "settings", 9, "all settings"},
	{KEYMAP_EVERYWHERE, "y", "copy", "y", "copy", 6, "copy the panel as text"},
	{KEYMAP_EVERYWHERE, "/", "search", "/", "", 0, "search"},
	{KEYMAP_EVERYWHERE, ":", "prompt", ":", "command", 7, "command line"},
	{KEYMAP_EVERYWHERE, "?", "help", "?", "help", 0, "help for this screen"},
	{KEYMAP_EVERYWHERE, "q", "quit", "q", "quit", 8, "close overlay, then leave"},
	{KEYMAP_EVERYWHERE, "C-z", "suspend", "Ctrl-Z L C", "", 0, "suspend, redraw, stop"},
	{KEYMAP_EVERYWHERE, "C-l", "redraw", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "C-c", "stop", "", "", 0, ""},
	{KEYMAP_EVERYWHERE, "Esc", "cancel", "Esc", "", 0, "cancel, clear the message"},

	{KEYMAP_FIELD, "Enter", "take", "Enter", "take", 1, "take the value"},
	{KEYMAP_FIELD, "Esc", "cancel", "Esc", "cancel", 2, "leave it as it was"},
	{KEYMAP_FIELD, "Tab", "complete", "Tab", "complete", 3, "complete a word, next legal value"},
	{KEYMAP_FIELD, "C-u", "clear", "Ctrl-U", "clear", 4, "empty the field"},
	{KEYMAP_FIELD, "Backspace", "erase", "", "", 0, ""},
	{KEYMAP_FIELD, "C-z", "suspend", "", "", 0, ""},
	{KEYMAP_FIELD, "C-l", "redraw", "", "", 0, ""},

	{KEYMAP_PROMPT, "Tab", "", "Tab", "next", 1, "complete; the list shows what fits"},
	{KEYMAP_PROMPT, "Enter", "", "Enter", "run", 2, "run the command"},
	{KEYMAP_PROMPT, "C-r", "", "Ctrl-R", "search history", 3, "search the history"},
	{KEYMAP_PROMPT, "Esc", "", "Esc", "cancel", 4, "close the command line"},

	{KEYMAP_OVERLAY, "PgUp", "move page-up", "PgUp PgDn", "scroll", 1, "scroll"},
	{KEYMAP_OVERLAY, "PgDn", "move page-down", "", "", 0, ""},
	{KEYMAP_OVERLAY, "/", "search", "/", "search", 2, "search"},
	{KEYMAP_OVERLAY, "n", "next", "n N", "", 0, "next, previous match"},
	{KEYMAP_OVERLAY, "N", "next -1", "", "", 0, ""},
	{KEYMAP_OVERLAY, "y", "copy", "y", "copy", 3, "copy as text"},
	{KEYMAP_OVERLAY, "Esc", "cancel", "Esc", "close", 4, "close; Enter too"},
	{KEYMAP_OVERLAY, "Enter", "cancel", "", "", 0, ""},

	{KEYMAP_WHY, "Up", "move up", "↑↓", "input", 1, "choose an input"},
	{KEYMAP_WHY, "Down", "move down", "", "", 0, ""},
	{KEYMAP_WHY, "Enter", "follow", "Enter", "follow", 2, "why of the chosen input"},
	{KEYMAP_WHY, "Backspace", "back", "Backspace", "back", 3, "back to the value before"},
	{KEYMAP_WHY, "y", "copy", "y", "copy", 4, "copy as text"},
	{KEYMAP_WHY, "Esc", "cancel", "Esc", "close", 5, "close"},

	{KEYMAP_SETTINGS, "Enter", "edit", "Enter", "edit", 1, "edit"},
	{KEYMAP_SETTINGS, "-", "step -1", "- +", "change", 2, "change the focused value"},
	{KEYMAP_SETTINGS, "+", "step +1", "", "", 0, ""},
	{KEYMAP_SETTINGS, "=", "step +1", "", "", 0, ""},
	{KEYMAP_SETTINGS, "Delete", "step default", "Delete", "default", 3, "take the default again"},
	{KEYMAP_SETTINGS, "w", "why", "w", "why", 4, "why this value"},
	{KEYMAP_SETTINGS, "/", "search", "/", "search", 6, "search"},
	{KEYMAP_SETTINGS, "n", "next", "n N", "", 0, "next, previous match"},
	{KEYMAP_SETTINGS, "N", "next -1", "", "", 0, ""},
	{KEYMAP_SETTINGS, "Esc", "cancel", "Esc", "close", 5, "close"},
};
/* clang-format on */

#define NR_BINDINGS (sizeof(bindings) / sizeof(bindings[0]))

size_t keymap_count(void)
{
	return NR_BINDINGS;
}

const struct binding *keymap_at(size_t i)
{
	return &bindings[i];
}

const char *keymap_mode_name(enum keymap_mode mode)
{
	static const char *const names[KEYMAP_COUNT] = {"Everywhere", "Geometry", "Reserve",
		"Pagesets", "Compare", "Sweep", "Learn", "Pagesets: one op by hand", "Field",
		"Command line", "Help, reports and texts", "Why", "Settings"};

	return mode < KEYMAP_COUNT ? names[mode] : "?";
}

static const struct binding *find_in(enum keymap_mode mode, const char *key)
{
	for (size_t i = 0; i < NR_BINDINGS; i++) {
		if (bindings[i].mode == mode && strcmp(bindings[i].key, key) == 0) {
			return &bindings[i];
		}
	}
	return NULL;
}

const struct binding *keymap_find(enum keymap_mode mode, const char *key)
{
	const struct binding *b = find_in(mode, key);

	/* In a field every other key is text. */
	if (b == NULL && mode != KEYMAP_FIELD && mode != KEYMAP_PROMPT && mode != KEYMAP_HAND) {
		b = find_in(KEYMAP_EVERYWHERE, key);
	}
	return b;
}

enum keymap_mode keymap_screen(const struct app *app)
{
	if (app->screen == SCREEN_RESERVE) {
		return KEYMAP_RESERVE;
	}
	if (app->screen == SCREEN_COMPARE) {
		return KEYMAP_COMPARE;
	}
	if (app->screen == SCREEN_SWEEP) {
		return KEYMAP_SWEEP;
	}
	if (app->screen == SCREEN_LEARN) {
		return KEYMAP_LEARN;
	}
	if (app->screen != SCREEN_PAGESETS) {
		return KEYMAP_GEOMETRY;
	}
	return app->by_hand ? KEYMAP_HAND : KEYMAP_PAGESETS;
}

static size_t rows_of(enum keymap_mode mode)
{
	size_t n = 0;

	for (size_t i = 0; i < NR_BINDINGS; i++) {
		n += bindings[i].mode == mode && bindings[i].help[0] != '\0' ? 1 : 0;
	}
	return n;
}

size_t keymap_help_rows(enum keymap_mode screen)
{
	const size_t left = rows_of(screen);
	const size_t right = rows_of(KEYMAP_EVERYWHERE);

	return (left > right ? left : right) + 1 + KEYMAP_MARKS / 2;
}

enum keymap_mode keymap_mode_of(const struct app *app)
{
	if (app->mode == MODE_FIELD || app->mode == MODE_SEARCH) {
		return KEYMAP_FIELD;
	}
	if (app->mode == MODE_PROMPT) {
		return KEYMAP_PROMPT;
	}
	switch (app->overlay) {
	case OVERLAY_NONE:
		return keymap_screen(app);
	case OVERLAY_WHY:
		return KEYMAP_WHY;
	case OVERLAY_SETTINGS:
		return KEYMAP_SETTINGS;
	case OVERLAY_HELP:
	case OVERLAY_TEXT:
	case OVERLAY_REPORT:
		return KEYMAP_OVERLAY;
	}
	return keymap_screen(app);
}
