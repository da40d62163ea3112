/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: everything that knows curses. It copies a canvas out and brings keys in.
 */
#ifndef TUI_TUI_CURSES_H
#define TUI_TUI_CURSES_H

#include "canvas.h"
#include "tui_keys.h"
#include "zonelab/error.h"

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct terminal_opts {
	enum glyph_set glyphs; /* GLYPHS_COUNT = by locale and TERM */
	enum colour_when colour;
	enum scheme scheme; /* when there is colour */
};

enum terminal_event {
	EVENT_KEY,
	EVENT_BYTE,    /* while bytes are wanted: key.byte */
	EVENT_MOUSE,   /* key.name is "Click", "WheelUp" or "WheelDown" */
	EVENT_REDRAW,  /* new size, or the terminal was taken away for a while */
	EVENT_STOP,    /* a stop was asked for: call terminal_suspend() */
	EVENT_SIGNAL,  /* a signal asks to end: signals_ending() */
	EVENT_CLOSED,  /* the terminal is gone */
	EVENT_TIME,    /* the time that was asked for is over */
	EVENT_NOTHING, /* a key without a name */
};

struct terminal_key {
	char name[KEY_NAME_MAX];
	unsigned char byte;
	int row, col; /* of the mouse */
};

struct terminal;

/**
 * Takes over the terminal on standard input and output.
 * Returns 0; -ENOTTY, -ENODEV (TERM unknown or without cursor movement) or -ENOMEM with @err
 * filled and the terminal untouched.
 */
int terminal_open(const struct terminal_opts *opts, struct terminal **ret, struct zl_error *err);
/** Leaves the terminal as it was found. Accepts NULL. */
void terminal_close(struct terminal *t);

void terminal_size(const struct terminal *t, int *ret_rows, int *ret_cols);
enum glyph_set terminal_glyphs(const struct terminal *t);
enum scheme terminal_scheme(const struct terminal *t);

/**
 * Shows a canvas of the terminal's size and tells a waiting test (ZONELAB_FRAME_MARK). A terminal
 * that takes no output now is left alone; terminal_wait() brings EVENT_REDRAW when it does.
 */
void terminal_show(struct terminal *t, const struct canvas *c);
/** The next terminal_show() sends everything again. */
void terminal_redraw(struct terminal *t);
/**
 * Waits for the next event, at most @ns nanoseconds (UINT64_MAX = any time), without waking up in
 * between.
 */
enum terminal_event terminal_wait(struct terminal *t, uint64_t ns, struct terminal_key *ret);
/** The other end has hung up: there is nothing to read and never will be. */
bool terminal_is_closed(void);
/** Whether there is something to read already. */
bool terminal_has_input(void);
/** Bytes instead of keys, for the prompt; a lone Esc still comes as EVENT_KEY. */
void terminal_want_bytes(struct terminal *t, bool on);
/**
 * Gives the terminal back, stops the process, takes the terminal again when continued. With
 * @listening Ctrl-C is a signal (signals_listen()) before anything is on the screen again.
 */
void terminal_suspend(struct terminal *t, bool listening);
/** Puts a text on the terminal's clipboard (OSC 52); longer texts than it takes are left out. */
void terminal_clipboard(struct terminal *t, const char *text, size_t len);

/**
 * What curses knows of the terminal type. Readline looks the type up for itself and would leave
 * curses with that: take it before, put it back after.
 */
void *terminal_description(void);
void terminal_set_description(void *description);

#endif
