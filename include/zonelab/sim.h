/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator of one zone: buddy lists by order and migratetype, pageblock types, fallback, one
 * pageset per CPU. A sim changes only by ops; the same ops give the same state, byte for byte.
 *
 * An op happens whole or not at all: memory is obtained before anything changes, and -ENOMEM
 * leaves the state as it was. Clones share memory until they differ.
 *
 * pfns are zone-relative: the zone is 0 .. pages - 1. Counts are pages unless named blocks.
 * docs/model.md describes the state and its digest.
 */
#ifndef ZONELAB_SIM_H
#define ZONELAB_SIM_H

#include "zonelab/error.h"
#include "zonelab/event.h"
#include "zonelab/policy.h"
#include "zonelab/release.h"
#include "zonelab/tuning.h"
#include "zonelab/types.h"

/** Most pages of one zone: 16 TiB of 4 KiB pages less a little. */
#define ZL_SIM_PAGES_MAX UINT64_C(0xfff00000)
#define ZL_SIM_CPUS_MAX	 8192
/** CONFIG_PCP_BATCH_SCALE_MAX is 0..6. Source: mm/Kconfig, v6.18. */
#define ZL_SIM_SCALE_MAX 6
/** A limit that is computed from the zone, not given. */
#define ZL_SIM_COMPUTED (-1)

struct zl_sim_config {
	struct zl_switches switches;
	unsigned page_shift; /* 12 .. 18 */
	uint64_t
		managed; /* what batch, limits, HIGHATOMIC and mobility grouping are computed from */
	uint64_t pages;	 /* pages present in the buddy */
	unsigned cpus;	 /* CPUs local to the zone; one pageset each */
	uint64_t wmark_min, wmark_low, wmark_high;
	unsigned high_fraction;
	unsigned scale_max;
	unsigned pageblock_order, max_order, hpage_order; /* inclusive */
	bool thp;
	uint64_t cache_slice; /* bytes of last-level cache per CPU, 0 = not known */
	bool node_local;      /* the CPUs are on the zone's node */
	bool smp, mmu;
	bool cma;		       /* CONFIG_CMA: one more migratetype */
	uint64_t cma_start, cma_pages; /* a reserved range, whole pageblocks; 0 pages = none */
	/*
	 * One zone of several: pages kept from requests that may use a higher zone type, by that
	 * type; CPUs that are on the zone's node (0 = `node_local` says it for all of them); what
	 * the limits are divided by (0 = `cpus`).
	 */
	uint64_t lowmem_reserve[ZL_ZONE_TYPE_COUNT];
	unsigned local_first, local_cpus, limit_cpus;
	unsigned boost_factor;		   /* watermark_boost_factor, 1/10000; 0 = no boost */
	int64_t batch, high_min, high_max; /* what-ifs, or ZL_SIM_COMPUTED */
	/*
	 * Rules replaced, NULL = none. Borrowed: must live while the configuration is used; a sim
	 * takes a copy, which zl_sim_config() shows.
	 */
	const struct zl_policy_set *policies;
};

/** Zeroes @c, then: 4 KiB pages, 1 CPU, scale 5, local, SMP, MMU, limits computed. */
void zl_sim_config_init(struct zl_sim_config *c);
/** Returns 0, or -EINVAL with a sentence that names the offending key. */
int zl_sim_config_check(const struct zl_sim_config *c, struct zl_error *err);

/**
 * A zone that is wholly free: order-max_order blocks ascending, all pageblocks movable; a CMA
 * range is freed after the rest, pageblock by pageblock.
 * Returns 0, -EINVAL (see zl_sim_config_check) or -ENOMEM.
 *
 * Simplified: nothing is in use after boot.
 */
int zl_sim_new(const struct zl_sim_config *config, const struct zl_allocator *mem,
	struct zl_sim **ret_sim, struct zl_error *err);
/** NULL is allowed. */
void zl_sim_free(struct zl_sim *sim);
/**
 * A copy that shares pages with @sim until either changes them; observers are not copied.
 * Both may be used from one thread only. Returns 0 or -ENOMEM.
 */
int zl_sim_clone(struct zl_sim *sim, struct zl_sim **ret_clone);
/**
 * Lets @to share pages with @from wherever both hold the same, as if it were a copy of it there.
 * Both stay what they are. For states that are kept, not run: a sim that runs makes room for
 * everything it shares. They must have the same allocator.
 */
void zl_sim_share(struct zl_sim *to, struct zl_sim *from);

/**
 * Gives a living zone other settings, as sysctls and what-ifs do: watermarks, fraction, cache slice,
 * batch and limits, policies. What is in the zone stays; the limits of every pageset are computed
 * again.
 * Returns 0; -ENOMEM; or -EINVAL with a sentence for what no running kernel can change (release,
 * scale_max, size, orders, CPUs): the zone has to be made anew for it, and nothing has changed.
 */
int zl_sim_retune(struct zl_sim *sim, const struct zl_sim_config *config, struct zl_error *err);

/**
 * Performs one op.
 *
 * Returns 0; -EINVAL when the op is impossible (order above max_order, unknown CPU, id already
 * in use, ...), see zl_sim_op_check(); -ENOMEM. After these nothing has changed.
 * -EDOM when a policy had no value (overflow, division by zero, out of range): the op was done by
 * the release's own rule, and no other op will be done; see zl_sim_policy_fault().
 * A free of an id that is not in use is a noop.
 */
int zl_sim_apply(struct zl_sim *sim, const struct zl_op *op);
/** Why a policy stopped the sim: 0, or -EDOM with the point, the op and the column. */
int zl_sim_policy_fault(const struct zl_sim *sim, struct zl_error *err);
/** Says why zl_sim_apply() would refuse @op; 0 or -EINVAL with a sentence. */
int zl_sim_op_check(const struct zl_sim *sim, const struct zl_op *op, struct zl_error *err);
/** Performs ops until one fails; returns that error or 0. @ret_done may be NULL. */
int zl_sim_run(struct zl_sim *sim, const struct zl_op *ops, size_t n, size_t *ret_done);

/** What the last op did, and the state after it; after creation the initial state. */
void zl_sim_record(const struct zl_sim *sim, struct zl_record *ret);
void zl_sim_subscribe(struct zl_sim *sim, struct zl_observer *observer);
void zl_sim_unsubscribe(struct zl_sim *sim, struct zl_observer *observer);

/** What an op did, for marks on a history; bits. */
enum zl_did {
	ZL_DID_REFILL = 1,
	ZL_DID_FLUSH = 2,     /* free_high */
	ZL_DID_FLUSH_ONE = 4, /* with FLUSH: the freed block only */
	ZL_DID_DRAIN = 8,     /* any other move to the buddy from a pageset */
	ZL_DID_DECAY = 16,    /* a tick lowered high or drained */
	ZL_DID_FALLBACK = 32,
	ZL_DID_FAIL = 64
};
/** Ops that one glance can sum up. */
#define ZL_GLANCE_OPS 64
/** What a history keeps of some ops in a row: figures of the pageset of the CPU that ran them. */
struct zl_glance {
	size_t done; /* ops */
	uint32_t cpu;
	int32_t count;		     /* after the last op */
	int32_t count_max, free_max; /* after any of the ops */
	uint64_t marked;	     /* bit i: op i did something */
	unsigned nr_did;
	uint8_t did[ZL_GLANCE_OPS]; /* bits of enum zl_did, of the marked ops */
};
/** Whether an op changes pagesets of CPUs that do not run. */
static inline bool zl_op_of_all(uint8_t kind)
{
	return kind == ZL_OP_DRAINALL || kind == ZL_OP_SET;
}
/**
 * zl_sim_run() of up to ZL_GLANCE_OPS ops with a glance at them. Stops early, with 0, before an op
 * that lets another CPU run (unless it is the first) and after one that is zl_op_of_all(). There are
 * no figures in a glance at no ops.
 */
int zl_sim_run_glance(struct zl_sim *sim, const struct zl_op *ops, size_t n, struct zl_glance *ret);

/** Sums over all ops so far. */
struct zl_totals {
	uint64_t ops;
	uint64_t allocs, frees; /* ops of that kind; a bulk op counts as one alloc */
	uint64_t refills;
	uint64_t blocks_refilled;
	uint64_t free_high; /* flushes */
	uint64_t pages_drained;
	uint64_t bulk_calls;
	uint64_t zone_locks;
	uint64_t direct_buddy; /* ops whose result is `buddy` */
	uint64_t direct_frees; /* frees that bypassed the pagesets, whatever their label */
	uint64_t failed;
	uint64_t longest_hold_pages;
	uint64_t drains_over;	 /* frees that drained at the ordinary limit */
	uint64_t drains_reclaim; /* at the limit of active reclaim */
	uint64_t drains_below;	 /* below the high watermark */
	uint64_t drains_decay;	 /* ticks that drained because high had fallen */
	uint64_t drains_expire;	 /* ticks that drained an idle remote pageset */
	uint64_t whole, claims, moves, steals, cma_takes; /* by enum zl_fallback_kind */
	uint64_t merges;
	uint64_t highatomic_reserved; /* pageblocks */
	uint64_t highatomic_unreserved;
	uint64_t refused; /* times that a watermark kept a request out of this zone */
	uint64_t cma_allocs, cma_failed;
	uint64_t cma_tries; /* ranges that were isolated for them */
	uint64_t pages_migrated;
	uint64_t boosts;
};
void zl_sim_totals(const struct zl_sim *sim, struct zl_totals *ret);

/** 64-bit hash of everything that later ops depend on; docs/model.md. */
uint64_t zl_sim_digest(const struct zl_sim *sim);
/**
 * Checks every invariant: each page belongs to exactly one block, lists and counters agree, free
 * blocks are aligned and lie in the zone.
 * Returns 0, or -EILSEQ with the first violation as a sentence.
 */
int zl_sim_check(const struct zl_sim *sim, struct zl_error *err);
/** Bytes held by this sim; shared memory counts in full for each of its sharers. */
size_t zl_sim_bytes(const struct zl_sim *sim);

/* Looking at the state. */

const struct zl_sim_config *zl_sim_config(const struct zl_sim *sim);
uint64_t zl_sim_ops(const struct zl_sim *sim);
unsigned zl_sim_cpu(const struct zl_sim *sim);
unsigned zl_sim_cpus(const struct zl_sim *sim);
/** Migratetypes of this kernel in use here, in list order (C only with CMA). */
bool zl_sim_has_type(const struct zl_sim *sim, enum zl_migratetype mt);
/** Mobility grouping is off: every single request counts as unmovable. */
bool zl_sim_grouping_off(const struct zl_sim *sim);

/** Counters of the zone. */
struct zl_zone_view {
	int64_t free;		 /* pages in the buddy, ISOLATE excluded */
	int64_t free_highatomic; /* on HIGHATOMIC lists; exact from 6.10 on */
	int64_t free_cma;
	int64_t free_blocks; /* in free blocks of at least one pageblock */
	int64_t reserved_highatomic;
	int64_t used;	/* allocated pages */
	int64_t parked; /* on pagesets */
	bool below_high, reclaim;
	int64_t cma_used;			  /* pages of contiguous allocations */
	int64_t pinned;				  /* pages of pinned blocks */
	uint32_t isolated;			  /* pageblocks */
	int64_t wmark_min, wmark_low, wmark_high; /* in force, a boost included */
	int64_t boost;
	bool pcp_disabled;
};
void zl_sim_zone(const struct zl_sim *sim, struct zl_zone_view *ret);

/** One pageset. high_min .. flags are 0 where the design has none (tuned = false). */
struct zl_pageset_view {
	bool tuned;
	int32_t count, high, high_min, high_max, batch;
	int32_t free_count, free_factor, alloc_factor;
	bool prev_free_high_order, free_high_batch;
	uint32_t expire;
	unsigned nr_lists;
	uint32_t lists[ZL_PCP_LISTS_MAX]; /* blocks */
	bool threshold_exists;
	int32_t threshold, ceiling;
	bool by_policy; /* free_high is a policy; without a threshold it has no single figure */
};
void zl_sim_pageset(const struct zl_sim *sim, unsigned cpu, struct zl_pageset_view *ret);
/** Order and migratetype of a list; two THP lists mean UNMOVABLE (and RECLAIMABLE) and MOVABLE. */
void zl_sim_list_kind(const struct zl_sim *sim, unsigned pindex, unsigned *ret_order,
	enum zl_migratetype *ret_mt);
/** Writes up to @max pfns of a pageset list, head first; returns how many. */
size_t zl_sim_pageset_list(
	const struct zl_sim *sim, unsigned cpu, unsigned pindex, uint32_t *ret_pfns, size_t max);

/** Free blocks of one order and migratetype. */
uint64_t zl_sim_free_blocks(const struct zl_sim *sim, unsigned order, enum zl_migratetype mt);
/** Writes up to @max pfns of a free list, head first; returns how many. */
size_t zl_sim_free_list(const struct zl_sim *sim, unsigned order, enum zl_migratetype mt,
	uint32_t *ret_pfns, size_t max);

/** Pageblocks, a last partial one included. */
uint64_t zl_sim_pageblocks(const struct zl_sim *sim);
struct zl_pageblock_view {
	enum zl_migratetype type;
	uint32_t pages; /* of the zone in this block */
	uint32_t free;	/* in the buddy, blocks that reach in from outside included */
	uint32_t parked;
	uint32_t used_movable;
	uint32_t used_other;
	uint32_t used_cma; /* of used_other: contiguous allocations */
	uint32_t pinned;   /* of used_movable and used_other */
};
void zl_sim_pageblock(const struct zl_sim *sim, uint64_t index, struct zl_pageblock_view *ret);

/**
 * Whether a request of @order and @mt that may use zone types up to @highest would pass @mark (min,
 * low or high: enum zl_alloc_flag) in this state; changes nothing.
 * Source: mm/page_alloc.c, zone_watermark_ok(), v6.18.
 */
struct zl_watermark_question {
	unsigned order;
	enum zl_migratetype mt;
	unsigned mark;
	unsigned highest; /* enum zl_zone_type */
	bool atomic;	  /* with high-atomic rights */
};
bool zl_sim_watermark_ok(const struct zl_sim *sim, const struct zl_watermark_question *q);
bool zl_sim_cpu_online(const struct zl_sim *sim, unsigned cpu);
/** A block in use can be migrated: movable and not pinned. */
bool zl_sim_id_movable(const struct zl_sim *sim, uint32_t id);
/** Pages of a block in use, of a whole contiguous allocation too; 0 = not in use. */
uint32_t zl_sim_id_pages(const struct zl_sim *sim, uint32_t id);

/** State of an allocation: its first page, or -1 (not in use), or -2 (it had failed). */
int64_t zl_sim_id_pfn(const struct zl_sim *sim, uint32_t id);

#endif
