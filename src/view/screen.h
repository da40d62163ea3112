/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole screen: title, body, message, keys, and what lies over them. Drawing reads the state
 * and changes nothing but the canvas, so the same state gives the same picture.
 */
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include "app.h"
#include "canvas.h"
#include "command.h"

/** The command line as it stands; the front end's, views only draw it. */
struct view_prompt {
	bool open;
	const char *prompt; /* what stands before the line, ":" or that of a history search */
	const char *line;
	size_t point;			   /* byte of the cursor */
	const struct completions *listing; /* NULL = no list is open */
	const char *listed_for;		   /* the line that the list was made for */
};

/** Draws everything. @prompt may be NULL. */
void screen_draw(const struct app *app, const struct view_prompt *prompt, struct canvas *c);

/**
 * What a click does beyond choosing a value: on the timeline it goes to the op, in
 * the list of Reserve it chooses a pool. Returns whether it
 * did something.
 */
bool screen_click(struct app *app, const struct canvas *c, int row, int col);

/** The op that a cell of a timeline stands for; false where there is none. */
bool screen_op_at(const struct app *app, const struct canvas *c, int row, int col, uint64_t *ret);

/** The id under a cell, VALUE_NONE where there is none; for the mouse. */
unsigned screen_id_at(const struct canvas *c, int row, int col);

#endif
