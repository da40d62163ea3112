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
	enum keymap_mode keys; /* its own keys; those of everywhere follow */
	/** Draws the body. */
	void (*draw)(const struct app *app, struct canvas *c, const struct layout *l);
	/** The message row when there is no message: what the focus is and what can be done. */
	void (*hint)(const struct app *app, struct canvas *c, struct rect row);
	/** The part of the body that completions may cover. */
	struct rect (*slot)(const struct app *app, const struct layout *l);
	/** Labelled lines of the screen, or of its focused panel. */
	void (*plain)(const struct app *app, bool panel_only, struct zl_buf *ret);
};

/** The screen that is shown. */
const struct view_ops *view_ops_of(const struct app *app);

extern const struct view_ops view_beside;
extern const struct view_ops view_geometry;
extern const struct view_ops view_learn;
extern const struct view_ops view_pagesets;
extern const struct view_ops view_reserve;
extern const struct view_ops view_sweep;

/** Rows of text that the notes under the tables want. */
int geometry_nr_notes(const struct app *app);
void geometry_draw_tables(const struct app *app, struct canvas *c, const struct geometry_layout *l);
void geometry_draw_notes(const struct app *app, struct canvas *c, const struct geometry_layout *l);
void geometry_plain(const struct app *app, bool panel_only, struct zl_buf *ret);
/** The op under a cell of the timeline. */
bool pagesets_op_at(
	const struct app *app, const struct layout *l, int row, int col, uint64_t *ret_op);
/** The CPU whose figures or cell stand there: of several in a cell the fullest. */
bool pagesets_cpu_at(
	const struct app *app, const struct layout *l, int row, int col, unsigned *ret_cpu);
/** The same on Compare. */
bool beside_op_at(
	const struct app *app, const struct layout *l, int row, int col, uint64_t *ret_op);
/** A lane of app->lane and a row of it. */
struct beside_spot {
	unsigned lane, row;
};
/** Those under a cell. */
bool beside_lane_at(
	const struct app *app, const struct layout *l, int row, int col, struct beside_spot *ret);
void plain_beside(const struct app *app, bool panel_only, struct zl_buf *ret);
void plain_pagesets(const struct app *app, bool panel_only, struct zl_buf *ret);
/** Lines that the diagnostics of the shown lane take; draws them when @c is not NULL. */
int geometry_diag_lines(const struct app *app, struct canvas *c, struct rect area);
/** The message row while a field is open. */
void view_field(const struct app *app, struct canvas *c, struct rect row);

void view_help(const struct app *app, struct canvas *c, struct rect body);
void view_why(const struct app *app, struct canvas *c, struct rect body);
void view_settings(const struct app *app, struct canvas *c, struct rect body);
/** What the focused setting is, in the message row. */
void view_setting_help(const struct app *app, struct canvas *c, struct rect row);
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
