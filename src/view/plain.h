/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A screen as labelled lines, for screen readers, for `y` and for batch mode: label, colon, value;
 * numbers ungrouped, no glyphs, fixed order, one fact a line.
 */
#ifndef VIEW_PLAIN_H
#define VIEW_PLAIN_H

#include "app.h"

/** Appends the screen, or with @panel_only the focused panel or what lies over the screen. */
void plain_screen(const struct app *app, bool panel_only, struct zl_buf *ret);

/* For the screens' own parts. */

/** A text with the grouping blanks of its numbers taken out. */
void plain_ungrouped(struct zl_buf *b, const char *text);
void plain_value(struct zl_buf *b, const struct value_in *in, unsigned id);

#endif
