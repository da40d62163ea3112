/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions: what the explorer stands in as a JSON file. Lanes with machine, settings and policies;
 * the run with its branches, ops by hand and zone; the place in it, bookmarks, breakpoints.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app.h"

/** The file in the state directory with what was not saved. */
#define SESSION_UNSAVED "unsaved.json"

/** Writes the session as text. Returns 0 or -ENOMEM. */
int session_text(const struct app *app, struct zl_buf *ret);
/**
 * Takes the place of all that is open. Returns 0, or -errno with @err naming the file and the
 * member that is wrong; then all is as it was.
 */
int session_open(struct app *app, const char *path, struct zl_error *err);
/** A number that changes when something worth keeping does. */
uint64_t session_stamp(const struct app *app);

#endif
