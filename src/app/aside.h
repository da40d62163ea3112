/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is open waits beside while something takes its place, and comes back when that fails.
 */
#ifndef APP_ASIDE_H
#define APP_ASIDE_H

#include "app.h"

/** All lanes instead of one. */
#define ASIDE_ALL APP_LANES

/**
 * Puts aside the runs, the edits and the machine of @lane; with ASIDE_ALL of every lane, of which A
 * is left, on the built-in machine. What is about reserved memory, sweeps and lessons stays.
 * Returns NULL without memory; then nothing has changed.
 */
struct app *aside_begin(struct app *app, unsigned lane);
/** @rc 0: what was put aside is given up. Else it takes its place again. Returns @rc. */
int aside_end(struct app *app, struct app *before, unsigned lane, int rc);

#endif
