/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes: what-ifs beside each other. Lane A is always there; another one is lane A's machine with
 * the items of lane_spec.h.
 */
#ifndef APP_LANES_H
#define APP_LANES_H

#include "app.h"

/** How many are in use. */
unsigned lanes_used(const struct app *app);
/** The first that is not in use, APP_LANES = all are. */
unsigned lanes_free(const struct app *app);
/**
 * Opens a lane, or gives it another machine: a copy of @from's with the items of a list.
 * @from == @lane changes the lane itself, as one edit. Returns 0 or -errno with @err filled; then
 * nothing has changed.
 */
int lane_open(
	struct app *app, unsigned lane, unsigned from, const char *items, struct zl_error *err);
/**
 * Edits of the focused lane as the user makes them, and says what they did. On Pagesets, in
 * mid-run, what no running kernel takes (a build option, a boot parameter) is a run from op 0: it
 * opens a lane of its own and focuses it. The same setting again changes that lane. Elsewhere, and
 * for all else, app_set_all(). Returns 0; -EBUSY when all lanes are open; else as app_set_all().
 */
int lanes_edit(struct app *app, const char *const *assignments, size_t n, struct zl_error *err);
/** Opens a lane again that an edit had opened; @edit->opened is where. */
int lanes_reopen(struct app *app, struct app_edit *edit, struct zl_error *err);
/** Closes a lane other than A; the focus goes to A if it was there. */
int lane_close(struct app *app, unsigned lane, struct zl_error *err);
/** Focuses lane A and closes the others. Returns 0 or -errno with @err filled. */
int lanes_close_others(struct app *app, struct zl_error *err);
/** Returns 0, -ENOENT when it is not in use, or -ENOMEM. */
int lane_focus(struct app *app, unsigned lane, struct zl_error *err);
/** "6.12.0 high_min=700": its release, and what else makes it differ from lane A. */
void lane_words(const struct app *app, unsigned lane, char *buf, size_t size);
/** The same with policies by name: "6.13 policy free_high". */
void lane_brief(const struct app *app, unsigned lane, char *buf, size_t size);

/** "B:kernel=6.12,high_min=700": what opens the lane beside lane A again. */
void lane_text(const struct app *app, unsigned lane, char *buf, size_t size);

#endif
