/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zone tuning: watermarks, min_free_kbytes, and the pageset's batch, high_min and high_max.
 * Counts are pages unless a name says otherwise. All arithmetic truncates as the kernel's does.
 */
#ifndef ZONELAB_TUNING_H
#define ZONELAB_TUNING_H

#include "zonelab/policy.h"
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
/** "DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"; "?" for anything else. */
const char *zl_zone_type_name(enum zl_zone_type t);
/** Returns ZL_ZONE_TYPE_COUNT for an unknown name; case matters as in zoneinfo. */
enum zl_zone_type zl_zone_type_find(const char *name);
/**
 * Whether allocations without __GFP_HIGHMEM and __GFP_MOVABLE may use the zone, which is what
 * GFP_USER is: not HIGHMEM, MOVABLE or DEVICE.
 * Source: include/linux/gfp.h, gfp_zone(), v6.12.
 */
bool zl_zone_serves_gfp_user(enum zl_zone_type t);

/** Largest watermark_scale_factor. Source: mm/page_alloc.c, page_alloc_sysctl_table, v6.18. */
#define ZL_SCALE_FACTOR_MAX 3000
/** Smallest percpu_pagelist_high_fraction that is not zero; 1..7 are refused with EINVAL. */
#define ZL_HIGH_FRACTION_MIN 8

/**
 * Pageset batch before the caller's max(1, ...): what zone_batchsize() returns.
 *
 * With an MMU every release gives the same batch, but tiny zones return 0 before 6.19 and 1 from
 * then on. Without an MMU it is 0 before 6.19, then 1.
 * Source: mm/page_alloc.c, zone_batchsize(), v6.1, v6.18 and v6.19.
 */
unsigned zl_zone_batchsize(
	enum zl_design_id design, bool mmu, uint64_t managed, unsigned page_shift);

/** What the limits of a zone's pagesets follow from. */
struct zl_pcp_in {
	enum zl_design_id design;
	bool mmu;
	unsigned page_shift;
	uint64_t managed;
	uint64_t low_wmark; /* low watermark, boost included */
	unsigned fraction;  /* percpu_pagelist_high_fraction, 0 = use the low watermark */
	unsigned cpus;	    /* CPUs of the zone's node; online CPUs if the node has none */
	unsigned batch;	    /* a given batch, 0 = zone_batchsize(); the limits follow it */
	const struct zl_policy_set *policies; /* zone_batchsize, zone_highsize; NULL = none */
	struct zl_error *policy_error;	      /* why a policy has no value; NULL = not wanted */
};

/**
 * Limit of a pageset's pages; 0 without an MMU. @batch is the batch in force, at least 1.
 * Source: mm/page_alloc.c, zone_highsize(), v6.18; zone_highsize(), v6.1.
 * Simplified: CPUs as after boot; the extra one of an online callback counts in runs of several
 * zones alone.
 */
uint64_t zl_zone_highsize(const struct zl_pcp_in *in, unsigned batch, unsigned fraction);

/** What a pageset of a zone is tuned to. */
struct zl_pcp_limits {
	unsigned batch;
	uint64_t high_min; /* the only high of the A designs */
	uint64_t high_max; /* the same in the A designs; may be below high_min */
};
/**
 * batch, high_min and high_max of a zone.
 * Source: mm/page_alloc.c, zone_set_pageset_high_and_batch(), v6.1, v6.12 and v6.18.
 */
void zl_pcp_limits(const struct zl_pcp_in *in, struct zl_pcp_limits *ret);

/** free_high of one pageset size. threshold and ceiling are 0 where the design has none. */
struct zl_free_high {
	bool exists;	    /* false for A514 and for no design */
	bool has_ceiling;   /* B and later */
	uint64_t threshold; /* A: high; B: batch; C and later: batch + high_min / 2 */
	uint64_t ceiling;   /* batch << scale_max */
	bool by_policy;	    /* free_high or free_count_step is a policy */
	bool no_threshold;  /* the policy compares free_count with no single figure */
	/* By order, [0] unused: can a stream of frees of that order alone ever fire it? */
	bool reachable[ZL_COSTLY_ORDER + 1];
};
/**
 * Threshold, ceiling and reachability.
 *
 * B and later: free_count stops growing at the first value >= ceiling, so a stream of order o
 * ends at the ceiling rounded up to a multiple of 2^o; reachable if the threshold is not above
 * that. A: free_high needs free_factor > 0, which the first overflow sets if batch is below
 * high - batch (and, where the factor is capped, scale_max > 0); derived limits always allow it,
 * a given high of at most two batches does not.
 * Source: mm/page_alloc.c, free_frozen_page_commit(), v6.18; free_unref_page_commit(), v6.1, v6.12;
 * nr_pcp_free(), v6.1.
 */
void zl_free_high_limits(enum zl_design_id design, const struct zl_pcp_limits *limits,
	unsigned scale_max, struct zl_free_high *ret);
/** What the same follows from under policies. */
struct zl_free_high_in {
	const struct zl_switches *switches;
	const struct zl_pcp_limits *limits;
	unsigned scale_max;
	bool free_high_batch;
	const struct zl_policy_set *policies; /* NULL = none */
};
/**
 * The same under policies: the threshold and the ceiling where the expressions have them, and
 * reachability by running the rules over a stream of frees.
 */
void zl_free_high_under(const struct zl_free_high_in *in, struct zl_free_high *ret);
/** Whether free_high can fire for at least one order. */
bool zl_free_high_can_fire(const struct zl_free_high *f);
/** Highest high_min (C and later) whose threshold a stream of @order still reaches. */
uint64_t zl_free_high_largest_high_min(unsigned batch, unsigned scale_max, unsigned order);

/**
 * Pages in a cache slice above 3 batches set PCPF_FREE_HIGH_BATCH (B and later).
 * Source: mm/page_alloc.c, zone_pcp_update_cacheinfo(), v6.12.
 */
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

/** Pageblocks that khugepaged wants free in each zone: two, and one for each pair of types. */
#define ZL_THP_BLOCKS_PER_ZONE (2 + ZL_MIGRATE_PCPTYPES * ZL_MIGRATE_PCPTYPES)

struct zl_min_free_in {
	unsigned page_shift;
	uint64_t lowmem_pages; /* nr_free_buffer_pages() at the first call: high watermarks are 0 */
	/*
	 * nr_free_buffer_pages() when khugepaged starts: the sum of max(0, managed - high) with the
	 * watermarks of the square-root term. See zl_min_free_start().
	 */
	uint64_t free_buffer_pages;
	bool user_set;
	uint64_t user_kbytes;
	bool thp_active;   /* PMD-sized THP enabled at run time */
	unsigned nr_zones; /* populated zones up to the GFP_USER zone, all nodes */
	uint64_t pageblock_nr_pages;
	const struct zl_policy_set *policies; /* recommended_min; NULL = none */
	struct zl_error *policy_error;
};
struct zl_min_free {
	uint64_t sqrt_kbytes;	 /* the square-root term, clamped */
	uint64_t thp_kbytes;	 /* recommended, uncapped */
	uint64_t thp_cap_kbytes; /* 5 % of free_buffer_pages */
	uint64_t kbytes;	 /* in force */
	enum zl_min_free_rule rule;
	bool raised; /* khugepaged went above a value that the user had set */
};
/**
 * min_free_kbytes before khugepaged starts: the square-root term, or the user's value as written.
 * Reads page_shift, lowmem_pages and user_* only, and fills sqrt_kbytes, kbytes and rule. Its
 * watermarks give the caller free_buffer_pages for zl_min_free_kbytes().
 * Source: mm/page_alloc.c, calculate_min_free_kbytes(), v6.12.
 */
void zl_min_free_start(const struct zl_min_free_in *in, struct zl_min_free *ret);
/**
 * min_free_kbytes after boot: zl_min_free_start(), then khugepaged's recommendation. That raises,
 * never lowers, and goes over a user's value too.
 * Source: mm/khugepaged.c, set_recommended_min_free_kbytes(), v6.1 and v6.12.
 * Simplified: a value that is written while khugepaged runs stays as written until it is started
 * again (a write to transparent_hugepage/enabled, a reboot); the state after that is shown.
 */
void zl_min_free_kbytes(const struct zl_min_free_in *in, struct zl_min_free *ret);

struct zl_watermark_in {
	enum zl_zone_type type;
	uint64_t managed;
	uint64_t lowmem_pages; /* sum of managed over the zones that zl_zone_shares_min_free() */
	uint64_t min_free_kbytes;
	unsigned page_shift;
	unsigned scale_factor;		      /* watermark_scale_factor, 1/10000 */
	unsigned pageblock_order;	      /* for policies */
	const struct zl_policy_set *policies; /* watermark_distance; NULL = none */
	struct zl_error *policy_error;
};
struct zl_watermarks {
	uint64_t min, low, high, promo;
	uint64_t distance;	  /* max(share >> 2, managed * scale_factor / 10000) */
	uint64_t share;		  /* the zone's part of min_free_kbytes, before clamping */
	bool distance_from_scale; /* the scale factor term won */
	bool clamped;		  /* min is clamp(managed / 1024, 32, 128), not the share */
};
/** Whether the zone counts in lowmem_pages: HIGHMEM never, MOVABLE not from 6.6. */
bool zl_zone_shares_min_free(const struct zl_switches *sw, enum zl_zone_type type);
/**
 * Watermarks of one zone (boost 0).
 * Source: mm/page_alloc.c, __setup_per_zone_wmarks(), v6.1 and v6.12.
 */
void zl_zone_watermarks(
	const struct zl_switches *sw, const struct zl_watermark_in *in, struct zl_watermarks *ret);

/**
 * HIGHATOMIC: most pages that may be reserved in a zone; 0 = none.
 * Source: mm/page_alloc.c, reserve_highatomic_pageblock(), v6.1 and v6.12.
 */
uint64_t zl_highatomic_max(
	enum zl_highatomic_rule rule, uint64_t managed, uint64_t pageblock_nr_pages);
/** What a policy of highatomic_max reads. */
struct zl_highatomic_in {
	uint64_t managed;
	unsigned pageblock_order, page_shift;
	const struct zl_policy_set *policies; /* NULL = none */
};
/** The same under a policy; @most is the release's. @err (may be NULL): why it has no value. */
uint64_t zl_highatomic_by_policy(
	const struct zl_highatomic_in *in, uint64_t most, struct zl_error *err);

/**
 * Pages below which mobility grouping is off: pageblock_nr_pages * migrate_types.
 * Source: mm/page_alloc.c, build_all_zonelists(), v6.12.
 */
uint64_t zl_grouping_minimum(uint64_t pageblock_nr_pages, unsigned migrate_types);
#define ZL_STAT_THRESHOLD_MAX 125
/** vm stats threshold of a zone. Source: mm/vmstat.c, calculate_normal_threshold(), v6.18. */
unsigned zl_stat_threshold(unsigned online_cpus, uint64_t managed, unsigned page_shift);

#endif
