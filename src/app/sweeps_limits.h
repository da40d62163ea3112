/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same, declared. */
#ifndef APP_SWEEPS_LIMITS_H
#define APP_SWEEPS_LIMITS_H

#include "sweeps.h"

/** Fills @s->limits for two axes of settings. Returns 0 or -ENOMEM. */
int sweeps_find_limits(struct sweeps *s);

#endif
