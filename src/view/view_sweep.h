/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the Sweep screen. */
#ifndef VIEW_VIEW_SWEEP_H
#define VIEW_VIEW_SWEEP_H

#include "sweeps.h"
#include "views.h"

/** Cells of two axes. */
void sweep_draw_cells(const struct app *app, struct canvas *c, struct rect area);
/** A line for each value of the second axis, or one. */
void sweep_draw_lines(const struct app *app, struct canvas *c, struct rect area);
/** The screen as labelled lines. */
void sweep_plain(const struct app *app, bool panel_only, struct zl_buf *ret);
/** Shade of a value, 0 to 3. */
unsigned sweep_shade(int64_t v, const int64_t *to, unsigned used);

#define SWEEP_READ_ROWS 5 /* heading, present, cliff, slope, blank */
/** What the curve says, in words. */
void sweep_draw_read_off(const struct sweeps *s, struct canvas *c, struct rect area);

#endif
