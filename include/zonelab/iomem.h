/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /proc/iomem: which addresses are memory, and what of it is reserved. Lines of other files around
 * it are skipped, so that a whole record of a boot may be given.
 */
#ifndef ZONELAB_IOMEM_H
#define ZONELAB_IOMEM_H

#include "zonelab/ranges.h"

/**
 * Adds "System RAM" lines to @banks, "reserved" and "Kernel ..." lines below them to @reserved. A
 * "reserved" line of the outer level is memory that was taken out of the map: it counts as both.
 * Addresses that are all zero (read without privilege) do not count.
 * Returns the number of lines used.
 * Source: kernel/resource.c, r_show(), v6.12.
 */
unsigned zl_iomem_read(
	const char *text, size_t size, struct zl_ranges *banks, struct zl_ranges *reserved);

#endif
