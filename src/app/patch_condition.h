/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions of Kconfig ("default 0 if ARM64 && !ARM64_4K_PAGES") on a machine.
 */
#ifndef APP_PATCH_CONDITION_H
#define APP_PATCH_CONDITION_H

#include <stddef.h>

#include "zonelab/machine.h"

enum patch_truth { PATCH_NO, PATCH_YES, PATCH_UNKNOWN };

/**
 * Whether the condition holds; "" does. Symbols that are neither a setting nor follow from the
 * architecture are unknown: @ret_unknown (may be NULL) gets the first of them, "" if none matters.
 */
enum patch_truth patch_condition(
	const char *text, const struct zl_machine *m, char *ret_unknown, size_t size);

#endif
