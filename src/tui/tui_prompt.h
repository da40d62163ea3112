/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The `:` line: GNU readline, fed byte by byte and drawn by nobody but us. Readline's state is
 * global, so there is one prompt in a process.
 */
#ifndef TUI_TUI_PROMPT_H
#define TUI_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "screen.h"

/** What the prompt tells its owner. */
struct prompt_hooks {
	/** Completions of a line; fills @ret. */
	void (*complete)(void *user, const char *line, size_t point, struct completions *ret);
	void *user;
};

/**
 * Prepares readline and reads the history file @history ("" = keep none).
 * Call once, after curses was started.
 */
void prompt_init(const struct prompt_hooks *hooks, const char *history);
/** Closes an open line. */
void prompt_done(void);

/** Opens a line with @prompt before it (":" or "/"). */
void prompt_open(const char *prompt);
void prompt_close(void);
bool prompt_is_open(void);

/** One byte from the keyboard. Completes multi-byte characters before readline sees them. */
void prompt_byte(unsigned char byte);
/**
 * True once after Enter; the line, valid until the next call of this module. An entered line
 * does not close the prompt: that is up to what the command says.
 */
bool prompt_take_line(const char **ret);
/** Adds the line to the history and its file, oldest lines dropped beyond PROMPT_HISTORY_MAX. */
void prompt_remember(const char *line);
/** The line goes on with this text (a command that failed can be corrected). */
void prompt_set_line(const char *line);

/** What the screen draws of it. */
void prompt_view(struct view_prompt *ret);

#define PROMPT_HISTORY_MAX 500

#endif
