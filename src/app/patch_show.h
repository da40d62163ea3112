/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches opened in the explorer: before and after as lanes A and B, paused where they first do
 * something else.
 */
#ifndef APP_PATCH_SHOW_H
#define APP_PATCH_SHOW_H

#include "app.h"

/**
 * Opens the Compare screen on the lanes before and after, in the first scenario that tells them
 * apart. A patch that changes nothing of the model shows the answer of `patch` instead.
 * Returns 0 or -errno with @err filled.
 */
int patch_show(struct app *app, const char *const *path, size_t n, struct zl_error *err);

#endif
