/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are runs, opened in the explorer.
 */
#ifndef APP_RUN_SHOW_H
#define APP_RUN_SHOW_H

#include "app.h"

/**
 * Opens a scenario (a shipped name or a file) on its machine, or an op list, whose zone is its
 * own, on the Pagesets screen; stands one op before the first flush.
 * Returns 0 or -errno with @err filled.
 */
int scenario_show(struct app *app, const char *name, struct zl_error *err);
int list_show(struct app *app, const char *path, struct zl_error *err);

/** Whether a word names a shipped scenario, which opens like a file. */
bool scenario_is_shipped(const char *word);

#endif
