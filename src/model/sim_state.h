/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state behind zonelab/sim.h: plain data, indices instead of pointers. Only the files of the
 * engine include this.
 */
#ifndef ZONELAB_MODEL_SIM_STATE_H
#define ZONELAB_MODEL_SIM_STATE_H

#include "store.h"
#include "zonelab/sim.h"

struct zl_policy_run;

#define ZL_ORDERS (ZL_MAX_ORDER_LIMIT + 1)
/** Stretches of untouched blocks; a CMA range in the middle makes two. */
#define ZL_RUNS_MAX 4

/** A list of blocks by pfn. */
struct zl_free_list {
	uint32_t first, last; /* ZL_NIL when empty */
	uint32_t blocks;
};

/** A list of a pageset. The outer links of its ends are not kept up. */
struct zl_pcp_list {
	uint32_t first, last;
	uint32_t blocks;
};

/**
 * Untouched free blocks of the largest order, ascending, neighbours on the MOVABLE list. Their
 * pages are in no store; only the links at both ends are kept, here.
 */
struct zl_run {
	uint32_t first; /* pfn */
	uint32_t pages;
	uint32_t prev, next;
};

/** One CPU's pageset. Counts are pages. */
struct zl_pcp {
	int32_t count, high, high_min, high_max, batch;
	int32_t threshold;  /* of free_high; 0 where it does not exist */
	int32_t ceiling;    /* batch << scale_max where free_count exists, else 0 */
	int16_t free_count; /* a short in the kernel, and wraps like one */
	int16_t free_factor;
	uint8_t alloc_factor;
	bool prev_free_high_order; /* PCPF_PREV_FREE_HIGH_ORDER; kept, not used, by the A designs */
	bool free_high_batch;	   /* PCPF_FREE_HIGH_BATCH */
	bool settled; /* tuned, and high is known to lie between high_min and high_max */
	uint8_t expire;
	bool offline, remote;
	/* Changes of zone counters that this CPU made since its last tick. */
	int64_t diff_free, diff_cma, diff_blocks;
	struct zl_pcp_list list[ZL_PCP_LISTS_MAX];
};

/** What the present op has done so far. */
struct zl_op_work {
	uint32_t refills, refill_req, refill_got;
	uint32_t drained, bulk_calls, zone_locks;
	int32_t eff_high, to_free;
	uint32_t block; /* pfn + 1, 0 = none */
	uint32_t value;
	uint32_t hold, longest_hold;
	uint32_t fallbacks, merges;
	int32_t free_count_was;
	uint8_t result, reason, fallback, cause;
	uint8_t order, mt;
	bool free_high;
	bool nofragment;
	uint32_t migrated, tries;
};

struct zl_sim {
	struct zl_sim_config cfg;
	struct zl_allocator mem;

	/* What follows from the configuration. */
	uint32_t nr_pages;
	uint8_t page_block_order, max_order;
	int8_t thp_order; /* with pageset lists of its own, or -1 */
	uint8_t nr_lists;
	bool grouping_off; /* page_group_by_mobility_disabled */
	bool has_pagesets;
	uint8_t hit_orders; /* orders below this have plain pageset lists */
	/* Orders that need no look at zone flags and watermarks now; changed by whole ops only. */
	uint8_t hit_alloc_orders, hit_free_orders;
	uint8_t hit_key;   /* flags of an allocation above this need the long way */
	bool tuned;	   /* B and later: high between high_min and high_max */
	bool exact_counts; /* counters fall per block, not per refill (drain type is pageblock) */
	bool count_blocks; /* the pages in whole free blocks are a counter of the zone */

	struct zl_free_list free[ZL_ORDERS][ZL_MIGRATE_COUNT];
	struct zl_run run[ZL_RUNS_MAX];
	unsigned nr_runs;
	int64_t nr_free, nr_free_highatomic, nr_free_cma, nr_free_blocks;
	int64_t nr_reserved_highatomic;
	int64_t nr_used;
	uint32_t nr_isolated; /* pageblocks */
	bool below_high, reclaim, pcp_disabled;
	uint64_t wmark_min, wmark_low, wmark_high, wmark_boost, boost_factor;
	int64_t nr_cma_used, nr_pinned;
	unsigned high_fraction, limit_cpus;
	uint64_t cache_slice;
	uint64_t reserve_most; /* largest lowmem_reserve */

	struct zl_store pages, blocks, ids;
	uint32_t ids_end; /* ids below have a place in the store */
	struct zl_pool pool;
	struct zl_pcp *pcp;
	struct zl_pcp *this_pcp; /* of the running CPU */
	unsigned nr_cpus, cpu;

	uint64_t nr_ops;
	struct zl_op op;
	struct zl_op_work work;
	bool work_of_hit; /* nothing in `work` but what hits write; hit.h */
	struct zl_totals totals;
	struct zl_observer *observers;
	bool recorded;		      /* some observer wants a record of each op */
	bool watched;		      /* the same, or there are policies */
	struct zl_policy_run *policy; /* NULL = none */
};

/** How a page reads that was never written: it lies inside a block. */
extern const struct zl_page zl_page_absent;

/* `list` of a block in use. */
#define ZL_USED_MOVABLE 1u /* the request said so */
#define ZL_USED_PINNED	2u
#define ZL_USED_CONTIG	4u /* of a contiguous allocation; the first page's prev is its pages */

static inline bool zl_mergeable(unsigned mt)
{
	return mt <= ZL_MIGRATE_RECLAIMABLE;
}

static inline const struct zl_page *zl_page_r(const struct zl_sim *s, uint32_t pfn)
{
	const struct zl_node *leaf = zl_store_leaf_r(&s->pages, pfn, ZL_PAGE_LEAF_SHIFT);

	return leaf == NULL ? &zl_page_absent
			    : &leaf->u.page[pfn & ((1u << ZL_PAGE_LEAF_SHIFT) - 1)];
}

static inline struct zl_page *zl_page_w(struct zl_sim *s, uint32_t pfn)
{
	struct zl_node *leaf = zl_store_leaf_w(&s->pages, &s->pool, pfn, ZL_PAGE_LEAF_SHIFT);

	return &leaf->u.page[pfn & ((1u << ZL_PAGE_LEAF_SHIFT) - 1)];
}

/** The same if its leaf is the sim's own, otherwise NULL. */
static inline struct zl_page *zl_page_own(struct zl_sim *s, uint32_t pfn)
{
	struct zl_node *leaf = zl_store_leaf_own(&s->pages, pfn, ZL_PAGE_LEAF_SHIFT);

	return leaf == NULL ? NULL : &leaf->u.page[pfn & ((1u << ZL_PAGE_LEAF_SHIFT) - 1)];
}

/** Pageblock types are stored so that zero is MOVABLE. */
static inline unsigned zl_block_type(const struct zl_sim *s, uint32_t pfn)
{
	uint32_t b = pfn >> s->page_block_order;
	const struct zl_node *leaf = zl_store_leaf_r(&s->blocks, b, ZL_BYTE_LEAF_SHIFT);
	unsigned raw = leaf == NULL ? 0 : leaf->u.byte[b & ((1u << ZL_BYTE_LEAF_SHIFT) - 1)];

	return raw ^ ZL_MIGRATE_MOVABLE;
}

/** The same, quicker where it is mostly the same leaf as last time. */
static inline unsigned zl_block_type_again(struct zl_sim *s, uint32_t pfn)
{
	uint32_t b = pfn >> s->page_block_order;
	const struct zl_node *leaf = zl_store_leaf_again(&s->blocks, b, ZL_BYTE_LEAF_SHIFT);
	unsigned raw = leaf == NULL ? 0 : leaf->u.byte[b & ((1u << ZL_BYTE_LEAF_SHIFT) - 1)];

	return raw ^ ZL_MIGRATE_MOVABLE;
}

static inline struct zl_pcp *zl_this_pcp(struct zl_sim *s)
{
	return s->this_pcp;
}

static inline uint32_t zl_pages_of(unsigned order)
{
	return UINT32_C(1) << order;
}

#endif
