/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * min_free_kbytes, watermarks, and the two reserves that are counted in pageblocks.
 */
#include "zonelab/tuning.h"

#include <string.h>

/* Bounds of the square-root term, KiB. */
#define MIN_FREE_LOW	128
#define MIN_FREE_HIGH	262144
#define SQRT_FACTOR	16
#define KIB_SHIFT	10
#define THP_CAP_DIVISOR 20
/* min of a zone that takes no share: managed / 1024 within these bounds. */
#define UNSHARED_DIVISOR   1024
#define UNSHARED_LOW	   32
#define UNSHARED_HIGH	   128
#define SCALE_UNITS	   10000
#define HIGHATOMIC_DIVISOR 100

uint64_t zl_isqrt(uint64_t v)
{
	uint64_t root = 0;

	for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return root;
}

static uint64_t pages_to_kib(uint64_t pages, unsigned page_shift)
{
	return pages << (page_shift - KIB_SHIFT);
}

static uint64_t clamp_u64(uint64_t v, uint64_t lo, uint64_t hi)
{
	if (v < lo) {
		return lo;
	}
	return v > hi ? hi : v;
}

static enum zl_min_free_rule sqrt_rule(uint64_t raw)
{
	if (raw < MIN_FREE_LOW) {
		return ZL_MIN_FREE_SQRT_LOW;
	}
	return raw > MIN_FREE_HIGH ? ZL_MIN_FREE_SQRT_HIGH : ZL_MIN_FREE_SQRT;
}

void zl_min_free_start(const struct zl_min_free_in *in, struct zl_min_free *ret)
{
	uint64_t raw = zl_isqrt(pages_to_kib(in->lowmem_pages, in->page_shift) * SQRT_FACTOR);

	memset(ret, 0, sizeof(*ret));
	ret->sqrt_kbytes = clamp_u64(raw, MIN_FREE_LOW, MIN_FREE_HIGH);
	ret->rule = in->user_set ? ZL_MIN_FREE_USER : sqrt_rule(raw);
	ret->kbytes = in->user_set ? in->user_kbytes : ret->sqrt_kbytes;
}

void zl_min_free_kbytes(const struct zl_min_free_in *in, struct zl_min_free *ret)
{
	uint64_t blocks = in->pageblock_nr_pages * in->nr_zones * ZL_THP_BLOCKS_PER_ZONE;
	uint64_t cap = in->free_buffer_pages / THP_CAP_DIVISOR;
	uint64_t wanted;

	zl_min_free_start(in, ret);
	ret->thp_kbytes = pages_to_kib(blocks, in->page_shift);
	ret->thp_cap_kbytes = pages_to_kib(cap, in->page_shift);
	wanted = blocks < cap ? ret->thp_kbytes : ret->thp_cap_kbytes;
	if (in->thp_active && wanted > ret->kbytes) {
		ret->kbytes = wanted;
		ret->rule = blocks <= cap ? ZL_MIN_FREE_THP : ZL_MIN_FREE_THP_CAPPED;
		ret->raised = in->user_set;
	}
}

bool zl_zone_shares_min_free(const struct zl_switches *sw, enum zl_zone_type type)
{
	if (type == ZL_ZONE_MOVABLE) {
		return !sw->wmark_movable_clamped;
	}
	return type != ZL_ZONE_HIGHMEM;
}

void zl_zone_watermarks(
	const struct zl_switches *sw, const struct zl_watermark_in *in, struct zl_watermarks *ret)
{
	uint64_t pages_min = in->min_free_kbytes >> (in->page_shift - KIB_SHIFT);
	/* As mult_frac(): the remainder apart, so that no product grows beyond the pages. */
	uint64_t scaled = in->managed / SCALE_UNITS * in->scale_factor +
			  in->managed % SCALE_UNITS * in->scale_factor / SCALE_UNITS;

	memset(ret, 0, sizeof(*ret));
	if (in->lowmem_pages > 0) {
		ret->share = pages_min * in->managed / in->lowmem_pages;
	}
	ret->min = ret->share;
	if (!zl_zone_shares_min_free(sw, in->type)) {
		ret->clamped = true;
		ret->min = clamp_u64(in->managed / UNSHARED_DIVISOR, UNSHARED_LOW, UNSHARED_HIGH);
	}
	ret->distance_from_scale = scaled > ret->share >> 2;
	ret->distance = ret->distance_from_scale ? scaled : ret->share >> 2;
	ret->low = ret->min + ret->distance;
	ret->high = ret->low + ret->distance;
	ret->promo = ret->high + ret->distance;
}

uint64_t zl_highatomic_max(
	enum zl_highatomic_rule rule, uint64_t managed, uint64_t pageblock_nr_pages)
{
	uint64_t percent = managed / HIGHATOMIC_DIVISOR;

	switch (rule) {
	case ZL_HIGHATOMIC_ONE_MORE:
		return percent + pageblock_nr_pages;
	case ZL_HIGHATOMIC_ROUNDED:
		if (percent < pageblock_nr_pages) {
			return 0;
		}
		return (percent + pageblock_nr_pages - 1) / pageblock_nr_pages * pageblock_nr_pages;
	}
	return 0;
}

uint64_t zl_grouping_minimum(uint64_t pageblock_nr_pages, unsigned migrate_types)
{
	return pageblock_nr_pages * migrate_types;
}
