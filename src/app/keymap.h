/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys: a key is a command line. One table per mode; the help screen, the manual and the key bar
 * are made from it.
 */
#ifndef APP_KEYMAP_H
#define APP_KEYMAP_H

#include "app.h"

enum keymap_mode {
	KEYMAP_EVERYWHERE,
	KEYMAP_GEOMETRY,
	KEYMAP_RESERVE,
	KEYMAP_PAGESETS,
	KEYMAP_COMPARE,
	KEYMAP_SWEEP,
	KEYMAP_LEARN,
	KEYMAP_HAND, /* one op by hand */
	KEYMAP_FIELD,
	KEYMAP_PROMPT,
	KEYMAP_OVERLAY, /* help, texts, reports */
	KEYMAP_WHY,
	KEYMAP_SETTINGS,
	KEYMAP_COUNT
};

struct binding {
	enum keymap_mode mode;
	const char *key;     /* name as app_key() takes it */
	const char *command; /* what it runs */
	const char *show;    /* how help and bar write the key: "- +", "Space" */
	const char *bar;     /* verb in the key bar, "" = not in the bar */
	unsigned rank;	     /* order of survival in the bar, 1 first */
	const char *help;    /* few words for the help screen; "" = shown with another key's row */
};

size_t keymap_count(void);
const struct binding *keymap_at(size_t i);
const char *keymap_mode_name(enum keymap_mode mode);
/** The binding of a key in a mode (falling back to everywhere where that makes sense), or NULL. */
const struct binding *keymap_find(enum keymap_mode mode, const char *key);
/** Rows of the help screen below its heading: keys of the screen and its marks, or those everywhere. */
#define KEYMAP_MARKS 8
size_t keymap_help_rows(enum keymap_mode screen);
/** The mode of the screen that is shown. */
enum keymap_mode keymap_screen(const struct app *app);
/** The mode that keys go through now. */
enum keymap_mode keymap_mode_of(const struct app *app);

#endif
