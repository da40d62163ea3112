/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * free_high: what the counter is compared with, where it stops, and whether the two ever meet.
 */
#include "zonelab/tuning.h"

#include <string.h>

/* A data cache slice above this many batches sets PCPF_FREE_HIGH_BATCH. */
#define CACHE_BATCHES 3

/* The last value of free_count in a stream of one order. */
static uint64_t counter_end(uint64_t ceiling, unsigned order)
{
	uint64_t block = UINT64_C(1) << order;

	return (ceiling + block - 1) / block * block;
}

/* The first overflow must be able to raise free_factor: nr_pcp_free() with factor 0. */
static bool factor_can_rise(
	enum zl_design_id design, const struct zl_pcp_limits *limits, unsigned scale_max)
{
	if (design == ZL_DESIGN_A_CAP && scale_max == 0) {
		return false;
	}
	return limits->high_min > 2 * (uint64_t)limits->batch;
}

static void limits_by_factor(enum zl_design_id design, const struct zl_pcp_limits *limits,
	unsigned scale_max, struct zl_free_high *ret)
{
	ret->exists = true;
	ret->threshold = limits->high_min;
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		ret->reachable[order] = factor_can_rise(design, limits, scale_max);
	}
}

static void limits_by_count(uint64_t threshold, const struct zl_pcp_limits *limits,
	unsigned scale_max, struct zl_free_high *ret)
{
	ret->exists = true;
	ret->has_ceiling = true;
	ret->threshold = threshold;
	ret->ceiling = (uint64_t)limits->batch << scale_max;
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		ret->reachable[order] = threshold <= counter_end(ret->ceiling, order);
	}
}

void zl_free_high_limits(enum zl_design_id design, const struct zl_pcp_limits *limits,
	unsigned scale_max, struct zl_free_high *ret)
{
	memset(ret, 0, sizeof(*ret));
	switch (design) {
	case ZL_DESIGN_A:
	case ZL_DESIGN_A_CAP:
		limits_by_factor(design, limits, scale_max, ret);
		break;
	case ZL_DESIGN_B:
		limits_by_count(limits->batch, limits, scale_max, ret);
		break;
	case ZL_DESIGN_C:
	case ZL_DESIGN_D19:
	case ZL_DESIGN_D71:
		limits_by_count(limits->batch + limits->high_min / 2, limits, scale_max, ret);
		break;
	case ZL_DESIGN_NONE:
	case ZL_DESIGN_A514:
	case ZL_DESIGN_COUNT:
		break;
	}
}

bool zl_free_high_can_fire(const struct zl_free_high *f)
{
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		if (f->reachable[order]) {
			return true;
		}
	}
	return false;
}

uint64_t zl_free_high_largest_high_min(unsigned batch, unsigned scale_max, unsigned order)
{
	uint64_t room = counter_end((uint64_t)batch << scale_max, order) - batch;

	return 2 * room + 1;
}

bool zl_free_high_batch(
	enum zl_design_id design, uint64_t cache_slice_bytes, unsigned page_shift, unsigned batch)
{
	switch (design) {
	case ZL_DESIGN_B:
	case ZL_DESIGN_C:
	case ZL_DESIGN_D19:
	case ZL_DESIGN_D71:
		return (cache_slice_bytes >> page_shift) > CACHE_BATCHES * (uint64_t)batch;
	case ZL_DESIGN_NONE:
	case ZL_DESIGN_A514:
	case ZL_DESIGN_A:
	case ZL_DESIGN_A_CAP:
	case ZL_DESIGN_COUNT:
		return false;
	}
	return false;
}
