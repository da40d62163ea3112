/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same machine at other values of one knob: every page size, every PAGE_BLOCK_(MAX_)ORDER,
 * the next legal value.
 */
#ifndef ZONELAB_MATRIX_H
#define ZONELAB_MATRIX_H

#include "zonelab/diag.h"
#include "zonelab/geometry.h"

/**
 * The settings of a machine at another page size.
 *
 * What is given stays given: max_page_order and page_block_order may be illegal there, and the
 * resolved geometry then says so. Only huge_page_size is un-given where that page size does not
 * offer it.
 */
void zl_settings_at_page_size(
	const struct zl_settings *s, uint64_t page_size, struct zl_settings *ret);

/** One value of PAGE_BLOCK_(MAX_)ORDER. */
struct zl_block_row {
	unsigned page_block_order; /* the symbol */
	bool present;		   /* the cap in force */
	bool is_default;
	unsigned pageblock_order; /* effective: equal to the symbol until huge pages clamp it */
	uint64_t pageblock_bytes;
	uint64_t cma_min_alignment_bytes;
	uint64_t pool_bytes;	   /* what a pool of the asked size takes */
	uint64_t pool_waste_bytes; /* pool_bytes less what was asked for */
};
#define ZL_BLOCK_ROWS_MAX ZL_MAX_ORDER_LIMIT
/**
 * The legal values of PAGE_BLOCK_(MAX_)ORDER, ascending; other settings as they are.
 *
 * @pool_size  bytes of the example pool
 * @ret        holds ZL_BLOCK_ROWS_MAX rows
 * Returns how many rows were written; 0 where the release has no such symbol.
 */
size_t zl_block_order_table(const struct zl_settings *s, const struct zl_release *r,
	const struct zl_switches *sw, uint64_t pool_size, struct zl_block_row *ret);

/**
 * The next value of page_size, max_page_order or page_block_order that can be built.
 *
 * page_size steps through the sizes of the architecture; the orders through values that raise no
 * error about orders with the other settings as they are. Starts from the value in force, given
 * or derived.
 *
 * @direction  above 0 = up, below 0 = down
 * Returns 0 and the value (bytes or order); -ENOENT when there is none that way; -EINVAL for a
 * key that has no steps.
 */
int zl_geometry_step(const struct zl_settings *s, const struct zl_release *r, enum zl_setting key,
	int direction, int64_t *ret);

#endif
