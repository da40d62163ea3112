/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a screen, one file each. All draw const state.
 */
#ifndef VIEW_VIEWS_H
#define VIEW_VIEWS_H

#include "app.h"
#include "canvas.h"
#include "keymap.h"
#include "layout.h"
#include "screen.h"

/** One screen. A new screen is one file and one row in the table of screen.c. */
struct view_ops {
	enum app_screen screen;
	const char *name;
	/** Content counts for the layout of a terminal of this size. */
	void (*measure)(const struct app *app, struct layout_opts *ret);
	/** Draws the body. */
	void (*draw)(const struct app *app, struct canvas *c, const struct layout *l);
	/** The message row when there is no message: what the focus is and what can be done. */
	void (*hint)(const struct app *app, struct canvas *c, struct rect row);
};

extern const struct view_ops view_geometry;

/** Rows of text that the notes under the tables want. */
int geometry_nr_notes(const struct app *app);
void geometry_draw_tables(const struct app *app, struct canvas *c, const struct layout *l);
void geometry_draw_notes(const struct app *app, struct canvas *c, const struct layout *l);
/** Lines that the diagnostics of the shown lane take; draws them when @c is not NULL. */
int geometry_diag_lines(const struct app *app, struct canvas *c, struct rect area);
/** The message row while a field is open. */
void view_field(const struct app *app, struct canvas *c, struct rect row);

void view_help(const struct app *app, struct canvas *c, struct rect body);
void view_why(const struct app *app, struct canvas *c, struct rect body);
void view_settings(const struct app *app, struct canvas *c, struct rect body);
/** Scrolling text: reports and what commands print. */
void view_text(const struct app *app, struct canvas *c, struct rect body);
void view_completions(const struct view_prompt *p, struct canvas *c, struct rect slot);
void view_prompt_line(const struct view_prompt *p, struct canvas *c, struct rect row);
/** The key bar of a mode, most useful keys first. */
void view_keys(const struct app *app, struct canvas *c, struct rect row);

/** The lane that the screen shows: the preview while a field is open. */
const struct lane *view_lane(const struct app *app);
/** Whether the focus is on a row of a panel and nothing covers it. */
bool view_focused(const struct app *app, unsigned panel, unsigned row);

#endif
