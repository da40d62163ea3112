/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worker processes for the points of a sweep.
 */
#ifndef CLI_WORKERS_H
#define CLI_WORKERS_H

#include "spread.h"

/** As spread_run(). Progress goes to standard error when that is a terminal. */
int workers_run(struct spread *w, struct zl_error *err);

#endif
