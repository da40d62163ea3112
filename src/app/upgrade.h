/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two states of one machine, before and after an upgrade: what changed, and which of release,
 * settings, memory and CPUs changed it.
 */
#ifndef APP_UPGRADE_H
#define APP_UPGRADE_H

#include "command.h"
#include "machines.h"

/** Compares two settled imports; returns -ENOMEM or 0. */
int upgrade_report(const struct zl_import *before, const struct zl_import *after,
	struct output *out, struct zl_json *o);

#endif
