/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator that counts the bytes in use, so that a budget can be kept.
 */
#ifndef APP_METER_H
#define APP_METER_H

#include "zonelab/types.h"

struct meter {
	struct zl_allocator mem; /* what callers use; its user is the meter */
	const struct zl_allocator *below;
	size_t used;
};

/** The meter must not move and must outlive everything that was allocated through it. */
void meter_init(struct meter *m, const struct zl_allocator *below);

#endif
