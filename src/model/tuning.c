/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zone types, and the sizes of pagesets: batch, high_min, high_max.
 */
#include "zonelab/tuning.h"

#include <assert.h>
#include <string.h>

/* A batch is a quarter of managed / 1024, but of no more than 1 MiB. */
#define BATCH_FRACTION_SHIFT 10
#define BATCH_CAP_SHIFT	     20
#define BATCH_QUARTER	     4
/* Fewest batches that a pageset may hold. */
#define HIGH_BATCHES 4
/* high_max keeps an eighth of the zone, whatever the sysctl says. */
#define HIGH_MAX_FRACTION ZL_HIGH_FRACTION_MIN
/* The unit of memory that widens counter deltas: 128 MiB. */
#define STAT_UNIT_SHIFT 27

static const char *const type_names[] = {"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"};
static_assert(sizeof(type_names) / sizeof(type_names[0]) == ZL_ZONE_TYPE_COUNT, "a name each");

const char *zl_zone_type_name(enum zl_zone_type t)
{
	return t < ZL_ZONE_TYPE_COUNT ? type_names[t] : "?";
}

enum zl_zone_type zl_zone_type_find(const char *name)
{
	for (unsigned t = 0; t < ZL_ZONE_TYPE_COUNT; t++) {
		if (strcmp(name, type_names[t]) == 0) {
			return (enum zl_zone_type)t;
		}
	}
	return ZL_ZONE_TYPE_COUNT;
}

bool zl_zone_serves_gfp_user(enum zl_zone_type t)
{
	return t == ZL_ZONE_DMA || t == ZL_ZONE_DMA32 || t == ZL_ZONE_NORMAL;
}

/* Number of bits up to the highest one that is set. */
static unsigned fls64(uint64_t v)
{
	unsigned n = 0;

	while (v != 0) {
		n++;
		v >>= 1;
	}
	return n;
}

static bool batch_never_zero(enum zl_design_id design)
{
	return design == ZL_DESIGN_D19 || design == ZL_DESIGN_D71;
}

unsigned zl_zone_batchsize(
	enum zl_design_id design, bool mmu, uint64_t managed, unsigned page_shift)
{
	uint64_t cap = (UINT64_C(1) << BATCH_CAP_SHIFT) >> page_shift;
	uint64_t batch = managed >> BATCH_FRACTION_SHIFT;

	if (!mmu) {
		return batch_never_zero(design) ? 1 : 0;
	}
	batch = (batch < cap ? batch : cap) / BATCH_QUARTER;
	if (batch <= 1) {
		return batch_never_zero(design) ? 1 : 0;
	}
	return (1U << (fls64(batch + batch / 2) - 1)) - 1;
}

uint64_t zl_zone_highsize(const struct zl_pcp_in *in, unsigned batch, unsigned fraction)
{
	uint64_t least = (uint64_t)batch * HIGH_BATCHES;
	uint64_t total = fraction == 0 ? in->low_wmark : in->managed / fraction;
	unsigned cpus = in->cpus > 0 ? in->cpus : 1;

	if (!in->mmu) {
		return 0;
	}
	return total / cpus > least ? total / cpus : least;
}

static void page_slots(const struct zl_pcp_in *in, int64_t *slots)
{
	slots[ZL_NAME_MANAGED] = (int64_t)in->managed;
	slots[ZL_NAME_PAGE_SHIFT] = in->page_shift;
	slots[ZL_NAME_PAGE_SIZE] = INT64_C(1) << in->page_shift;
}

/* The computed batch, or a policy's; a kernel keeps it in 16 bits. */
static unsigned batch_of(const struct zl_pcp_in *in)
{
	unsigned batch = zl_zone_batchsize(in->design, in->mmu, in->managed, in->page_shift);
	const struct zl_policy_query q = {ZL_POINT_ZONE_BATCHSIZE, 0, UINT16_MAX, batch};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	if (!in->mmu || !zl_policy_has(in->policies, q.point)) {
		return batch;
	}
	page_slots(in, slots);
	return (unsigned)zl_policy_number(in->policies, &q, slots, in->policy_error);
}

static uint64_t high_of(const struct zl_pcp_in *in, unsigned batch, unsigned fraction)
{
	uint64_t high = zl_zone_highsize(in, batch, fraction);
	const struct zl_policy_query q = {ZL_POINT_ZONE_HIGHSIZE, 0, INT32_MAX, (int64_t)high};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	if (!in->mmu || !zl_policy_has(in->policies, q.point)) {
		return high;
	}
	page_slots(in, slots);
	slots[ZL_NAME_LOW_WMARK] = (int64_t)in->low_wmark;
	slots[ZL_NAME_HIGH_FRACTION] = fraction;
	slots[ZL_NAME_SPLIT_CPUS] = in->cpus > 0 ? in->cpus : 1;
	slots[ZL_NAME_LOCAL_BATCH] = batch;
	return (uint64_t)zl_policy_number(in->policies, &q, slots, in->policy_error);
}

static bool single_high(enum zl_design_id design)
{
	return design == ZL_DESIGN_A514 || design == ZL_DESIGN_A || design == ZL_DESIGN_A_CAP;
}

void zl_pcp_limits(const struct zl_pcp_in *in, struct zl_pcp_limits *ret)
{
	unsigned batch = in->batch;

	if (batch == 0) {
		batch = batch_of(in);
	}
	ret->batch = batch > 0 ? batch : 1;
	ret->high_min = high_of(in, ret->batch, in->fraction);
	if (single_high(in->design) || in->fraction != 0) {
		ret->high_max = ret->high_min;
	} else {
		ret->high_max = high_of(in, ret->batch, HIGH_MAX_FRACTION);
	}
}

unsigned zl_stat_threshold(unsigned online_cpus, uint64_t managed, unsigned page_shift)
{
	uint64_t units = managed >> (STAT_UNIT_SHIFT - page_shift);
	unsigned threshold = 2 * fls64(online_cpus) * (1 + fls64(units));

	return threshold < ZL_STAT_THRESHOLD_MAX ? threshold : ZL_STAT_THRESHOLD_MAX;
}
