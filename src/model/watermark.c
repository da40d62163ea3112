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

/* Pages that khugepaged wants, by policy. */
static uint64_t wanted_by_policy(const struct zl_min_free_in *in, uint64_t pages)
{
	const struct zl_policy_query q = {ZL_POINT_RECOMMENDED_MIN, 0, INT32_MAX, (int64_t)pages};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	slots[ZL_NAME_PAGEBLOCK_PAGES] = (int64_t)in->pageblock_nr_pages;
	while (in->pageblock_nr_pages >> slots[ZL_NAME_PAGEBLOCK_ORDER] > 1) {
		slots[ZL_NAME_PAGEBLOCK_ORDER]++;
	}
	slots[ZL_NAME_NR_ZONES] = in->nr_zones;
	slots[ZL_NAME_BUFFER_PAGES] = (int64_t)in->free_buffer_pages;
	slots[ZL_NAME_PAGE_SHIFT] = in->page_shift;
	slots[ZL_NAME_PAGE_SIZE] = INT64_C(1) << in->page_shift;
	return (uint64_t)zl_policy_number(in->policies, &q, slots, in->policy_error);
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
	if (zl_policy_has(in->policies, ZL_POINT_RECOMMENDED_MIN)) {
		wanted = wanted_by_policy(in, blocks < cap ? blocks : cap);
		wanted = pages_to_kib(wanted, in->page_shift);
	}
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

static uint64_t distance_by_policy(const struct zl_watermark_in *in, const struct zl_watermarks *w)
{
	const struct zl_policy_query q = {
		ZL_POINT_WATERMARK_DISTANCE, 0, INT32_MAX / 4, (int64_t)w->distance};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	if (!zl_policy_has(in->policies, q.point)) {
		return w->distance;
	}
	slots[ZL_NAME_MANAGED] = (int64_t)in->managed;
	slots[ZL_NAME_MIN_SHARE] = (int64_t)w->share;
	slots[ZL_NAME_SCALE_FACTOR] = in->scale_factor;
	slots[ZL_NAME_PAGEBLOCK_ORDER] = in->pageblock_order;
	slots[ZL_NAME_PAGEBLOCK_PAGES] = INT64_C(1) << in->pageblock_order;
	slots[ZL_NAME_PAGE_SHIFT] = in->page_shift;
	slots[ZL_NAME_PAGE_SIZE] = INT64_C(1) << in->page_shift;
	return (uint64_t)zl_policy_number(in->policies, &q, slots, in->policy_error);
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
	ret->distance = distance_by_policy(in, ret);
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

uint64_t zl_highatomic_by_policy(
	const struct zl_highatomic_in *in, uint64_t most, struct zl_error *err)
{
	const struct zl_policy_query q = {
		ZL_POINT_HIGHATOMIC_MAX, 0, INT64_C(1) << 40, (int64_t)most};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	if (!zl_policy_has(in->policies, q.point)) {
		return most;
	}
	slots[ZL_NAME_MANAGED] = (int64_t)in->managed;
	slots[ZL_NAME_PAGEBLOCK_ORDER] = in->pageblock_order;
	slots[ZL_NAME_PAGEBLOCK_PAGES] = INT64_C(1) << in->pageblock_order;
	slots[ZL_NAME_PAGE_SHIFT] = in->page_shift;
	slots[ZL_NAME_PAGE_SIZE] = INT64_C(1) << in->page_shift;
	return (uint64_t)zl_policy_number(in->policies, &q, slots, err);
}
