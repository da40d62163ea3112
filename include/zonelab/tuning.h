/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zone tuning: watermarks, min_free_kbytes, and the pageset's batch, high_min and high_max.
 * Counts are pages unless a name says otherwise. All arithmetic truncates as the kernel's does.
 */
#ifndef ZONELAB_TUNING_H
#define ZONELAB_TUNING_H

#include "zonelab/release.h"
#include "zonelab/types.h"

/** Zone types in the kernel's order. */
enum zl_zone_type {
	ZL_ZONE_DMA,
	ZL_ZONE_DMA32,
	ZL_ZONE_NORMAL,
	ZL_ZONE_HIGHMEM,
	ZL_ZONE_MOVABLE,
	ZL_ZONE_DEVICE,
	ZL_ZONE_TYPE_COUNT
};
const char *zl_zone_type_name(enum zl_zone_type t);
/** Returns ZL_ZONE_TYPE_COUNT for an unknown name; case matters as in zoneinfo. */
enum zl_zone_type zl_zone_type_find(const char *name);

/**
 * Pageset batch before the caller's max(1, ...).
 * NOMMU returns 0 before 6.19, 1 from then on.
 * Source: mm/page_alloc.c, zone_batchsize(), v6.18 and v6.19 (same values).
 */
unsigned zl_zone_batchsize(uint64_t managed, unsigned page_shift);

/**
 * Limit of a pageset's pages.
 * @fraction  percpu_pagelist_high_fraction, 0 = use the low watermark (boost included)
 * @cpus      CPUs local to the zone's node (online CPUs for a CPU-less node), at least 1
 * Source: mm/page_alloc.c, zone_highsize(), v6.18.
 */
uint64_t zl_zone_highsize(
	uint64_t managed, uint64_t low_wmark, unsigned batch, unsigned fraction, unsigned cpus);

/** What a pageset of a zone is tuned to. */
struct zl_pcp_limits {
	unsigned batch;
	uint64_t high_min; /* the only high of the A designs */
	uint64_t high_max;
};
/** Source: mm/page_alloc.c, zone_set_pageset_high_and_batch(), v6.1 and v6.18. */
void zl_pcp_limits(enum zl_design_id design, uint64_t managed, uint64_t low_wmark,
	unsigned page_shift, unsigned fraction, unsigned cpus, struct zl_pcp_limits *ret);

/** free_high of one pageset size. threshold and ceiling are 0 where the design has none. */
struct zl_free_high {
	bool exists;	    /* false for A514 */
	bool has_ceiling;   /* B and later */
	uint64_t threshold; /* A: high; B: batch; C and later: batch + high_min / 2 */
	uint64_t ceiling;   /* batch << scale_max */
	bool reachable[ZL_COSTLY_ORDER + 1]; /* by order, [0] unused; a pure stream of that order */
};
/**
 * Threshold, ceiling and reachability.
 * free_count stops growing at the first value >= ceiling; a stream of order o ends at the ceiling
 * rounded up to a multiple of 2^o.
 * Source: mm/page_alloc.c, free_frozen_page_commit(), v6.18; free_unref_page_commit(), v6.1, v6.12.
 */
void zl_free_high_limits(enum zl_design_id design, const struct zl_pcp_limits *limits,
	unsigned scale_max, struct zl_free_high *ret);

/** Pages in a cache slice above 3 batches set PCPF_FREE_HIGH_BATCH (B and later). */
bool zl_free_high_batch(
	enum zl_design_id design, uint64_t cache_slice_bytes, unsigned page_shift, unsigned batch);

/** Integer square root, rounded down. */
uint64_t zl_isqrt(uint64_t v);

/** Which term made min_free_kbytes. */
enum zl_min_free_rule {
	ZL_MIN_FREE_SQRT,	/* isqrt(16 * lowmem KiB) */
	ZL_MIN_FREE_SQRT_LOW,	/* raised to 128 */
	ZL_MIN_FREE_SQRT_HIGH,	/* capped at 262144 */
	ZL_MIN_FREE_USER,	/* set by the user */
	ZL_MIN_FREE_THP,	/* 11 pageblocks a zone */
	ZL_MIN_FREE_THP_CAPPED, /* 5 % of low memory */
	ZL_MIN_FREE_RULE_COUNT
};

struct zl_min_free_in {
	unsigned page_shift;
	uint64_t lowmem_pages; /* sum of managed over zones that GFP_USER may use */
	uint64_t
		free_buffer_pages; /* nr_free_buffer_pages(): sum of max(0, managed - high wmark) */
	bool user_set;
	uint64_t user_kbytes;
	bool thp_active;   /* PMD-sized THP enabled at run time */
	unsigned nr_zones; /* populated zones up to the GFP_USER zone, all nodes */
	uint64_t pageblock_nr_pages;
};
struct zl_min_free {
	uint64_t sqrt_kbytes;	 /* the square-root term, clamped */
	uint64_t thp_kbytes;	 /* recommended, uncapped */
	uint64_t thp_cap_kbytes; /* 5 % of free_buffer_pages */
	uint64_t kbytes;	 /* in force */
	enum zl_min_free_rule rule;
};
/**
 * min_free_kbytes after boot: the square-root term, then khugepaged's recommendation.
 * Source: mm/page_alloc.c, calculate_min_free_kbytes(), v6.12; mm/khugepaged.c,
 * set_recommended_min_free_kbytes(), v6.12.
 */
void zl_min_free_kbytes(const struct zl_min_free_in *in, struct zl_min_free *ret);

struct zl_watermarks {
	uint64_t min, low, high, promo;
	uint64_t distance;	  /* max(share >> 2, managed * scale_factor / 10000) */
	uint64_t share;		  /* the zone's part of min_free_kbytes, before clamping */
	bool distance_from_scale; /* the scale factor term won */
};
/**
 * Watermarks of one zone (boost 0).
 * @lowmem_pages  sum of managed over the zones that count (HIGHMEM never; MOVABLE not from 6.6)
 * Source: mm/page_alloc.c, __setup_per_zone_wmarks(), v6.1 and v6.12.
 */
void zl_zone_watermarks(const struct zl_switches *sw, enum zl_zone_type type, uint64_t managed,
	uint64_t lowmem_pages, uint64_t min_free_kbytes, unsigned page_shift, unsigned scale_factor,
	struct zl_watermarks *ret);

/** HIGHATOMIC: most pages that may be reserved in a zone; 0 = none. */
uint64_t zl_highatomic_max(
	enum zl_highatomic_rule rule, uint64_t managed, uint64_t pageblock_nr_pages);
/** Pages below which mobility grouping is off: pageblock_nr_pages * migrate_types. */
uint64_t zl_grouping_minimum(uint64_t pageblock_nr_pages, unsigned migrate_types);
/** vm stats threshold of a zone. Source: mm/vmstat.c, calculate_normal_threshold(), v6.18. */
unsigned zl_stat_threshold(unsigned online_cpus, uint64_t managed, unsigned page_shift);

#endif
