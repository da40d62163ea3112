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

#endif
