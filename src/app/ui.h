/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What keys do to the explorer's state.
 */
#ifndef APP_UI_H
#define APP_UI_H

#include "app.h"

/** up, down, left, right, page-up, page-down, first, last. False for another word. */
bool ui_move(struct app *app, const char *direction);
void ui_panel(struct app *app, int direction);
/** Opens the field of the focused setting, or takes the focused fix or table row. */
void ui_edit(struct app *app);
void ui_take(struct app *app);
void ui_cancel(struct app *app);
void ui_clear(struct app *app);
void ui_erase(struct app *app);
void ui_complete(struct app *app);
/** A character typed into the open field. */
void ui_type(struct app *app, const char *utf8);
/** The next legal value up or down. */
void ui_step(struct app *app, int direction);
/** Un-gives the focused setting. */
void ui_default(struct app *app);
/** Whether a text has another in it, ignoring the case of ASCII. */
bool ui_contains(const char *s, const char *what);
/** Next match of the search, or next diagnostic. */
void ui_next(struct app *app, int direction);
void ui_why(struct app *app);
void ui_follow(struct app *app);
void ui_back(struct app *app);
void ui_copy(struct app *app);
void ui_settings(struct app *app);
void ui_search(struct app *app);
void ui_prompt(struct app *app);
void ui_suspend(struct app *app);
void ui_redraw(struct app *app);
/** Shows text in an overlay that scrolls; the text is taken over. */
void ui_show_text(
	struct app *app, enum app_overlay overlay, const char *title, struct zl_buf *text);
/** The title in a line "── Title" of such a text, NULL when the line is no heading. */
const char *ui_heading(const char *line);
/** Lines of the overlay's text. */
size_t ui_text_lines(const struct app *app);

#endif
