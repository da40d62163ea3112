/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded trace opened in the explorer.
 */
#ifndef APP_REPLAY_SHOW_H
#define APP_REPLAY_SHOW_H

#include "command.h"

/** Whether a file is a trace, by its first part; "-" is never looked at. */
bool replay_recognise(const char *path);
/**
 * Replays a trace on the lane's machine and shows it on the Pagesets screen, one op before its
 * first flush, or where its demand begins. The message row says how faithful it is.
 * Returns 0 or -errno with @err filled as replay_job_new() does.
 */
int replay_show(struct app *app, const char *path, struct zl_error *err);
/** The report of the trace that is shown; false when none is. */
bool replay_shown_report(const struct app *app, struct output *out);
/** Forgets it. */
void replay_close(struct app *app);

#endif
