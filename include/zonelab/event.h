/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an op did and why: records (one per op, every column of a trace), events (single steps
 * inside an op: a lock taken, a block taken or given back, a pageblock converted) and observers
 * that receive both. Reasons are one table, event_reasons.h: a sentence and a source each.
 */
#ifndef ZONELAB_EVENT_H
#define ZONELAB_EVENT_H

#include "zonelab/types.h"

struct zl_sim;

/** Pageset lists: 3 migratetypes for each of the orders 0..3, then up to 3 of the THP order. */
#define ZL_PCP_LOW_LISTS (ZL_MIGRATE_PCPTYPES * (ZL_COSTLY_ORDER + 1))
#define ZL_PCP_LISTS_MAX (ZL_PCP_LOW_LISTS + 3)

/** Ids of allocations are 0 .. ZL_OP_ID_MAX. */
#define ZL_OP_ID_MAX UINT32_C(0x7fffffff)
/** Pages that one bulk op may ask for. */
#define ZL_OP_BULK_MAX UINT32_C(1048576)

enum zl_op_kind {
	ZL_OP_INIT, /* the state after creation; not an op that can be applied */
	ZL_OP_CPU,  /* arg = CPU that runs the ops from here on */
	ZL_OP_ALLOC,
	ZL_OP_ALLOCHA, /* with high-atomic rights */
	ZL_OP_FREE,
	ZL_OP_BULK,	 /* arg = pages, ids id .. id + arg - 1 */
	ZL_OP_TICK,	 /* vmstat refresh on the running CPU */
	ZL_OP_DRAIN,	 /* empty the pageset of the running CPU */
	ZL_OP_DRAINALL,	 /* empty every pageset */
	ZL_OP_DRAINZONE, /* one batch, as for an expired remote pageset */
	ZL_OP_SET,	 /* key = enum zl_sim_key, arg = value */
	ZL_OP_CMA_ALLOC, /* arg = pages, order = of the alignment; from the zone's CMA range */
	ZL_OP_CMA_RELEASE,
	ZL_OP_PIN, /* the block cannot be migrated from here on */
	ZL_OP_UNPIN,
	ZL_OP_OFFLINE,	 /* arg = CPU */
	ZL_OP_ONLINE,	 /* arg = CPU */
	ZL_OP_UNRESERVE, /* one HIGHATOMIC pageblock to the lists of mt; key = 1: the last one too */
	/* Of several zones; see zonelab/system.h. */
	ZL_OP_NODE, /* arg = node that this CPU's requests prefer, ZL_OP_LOCAL = the running CPU's */
	ZL_OP_ZONE, /* key = highest zone type for the requests, ZL_OP_ANY_ZONE = by migratetype */
	ZL_OP_RECLAIM, /* arg = pages that reclaim gives back on the node that requests prefer */
	ZL_OP_KIND_COUNT
};

#define ZL_OP_LOCAL    UINT32_MAX
#define ZL_OP_ANY_ZONE 255

/**
 * How an allocation is to be judged, in `key` of alloc and allocha; 0 = as the recordings: no
 * watermark refuses it. `arg` is then 1 + the highest zone type that the request may use, for the
 * zone's lowmem_reserve; 0 = nothing is reserved.
 * Source: mm/internal.h, ALLOC_* flags, v6.18.
 */
enum zl_alloc_flag {
	ZL_ALLOC_WMARK_MIN = 1,
	ZL_ALLOC_WMARK_LOW = 2,
	ZL_ALLOC_WMARK_HIGH = 3,
	ZL_ALLOC_WMARK_MASK = 3,
	ZL_ALLOC_NOFRAGMENT = 4, /* no pageblock is mixed */
	ZL_ALLOC_TRY = 8	 /* the id stays free on failure: another zone may be asked */
};

/** What `set` may change while a zone lives. */
enum zl_sim_key {
	ZL_SIM_BELOW_HIGH,
	ZL_SIM_RECLAIM,
	ZL_SIM_WMARK_LOW,  /* recomputes the limits */
	ZL_SIM_WMARK_HIGH, /* nothing follows but the tests against it */
	ZL_SIM_HIGH_FRACTION,
	ZL_SIM_CPUS, /* may only grow */
	ZL_SIM_CACHE_SLICE_KIB,
	ZL_SIM_WMARK_MIN,
	ZL_SIM_PCP_DISABLED, /* zone_pcp_disable(), zone_pcp_enable() */
	ZL_SIM_LIMIT_CPUS,   /* what the limits are divided by */
	ZL_SIM_BOOST_FACTOR, /* watermark_boost_factor */
	ZL_SIM_BOOST,	     /* pages; 0 ends a boost, as kswapd does */
	/*
	 * Figures of the running CPU's pageset as something outside says they are, such as zoneinfo
	 * from before a trace. They change nothing in designs that have no such figure, or whose
	 * high does not move.
	 */
	ZL_SIM_HIGH,
	ZL_SIM_FREE_COUNT,
	ZL_SIM_ALLOC_FACTOR,
	/* Of the whole machine; see zonelab/system.h. */
	ZL_SIM_MIN_FREE_KBYTES,
	ZL_SIM_SCALE_FACTOR,   /* watermark_scale_factor */
	ZL_SIM_DIRECT_RECLAIM, /* pages that one round of direct reclaim gives back */
	ZL_SIM_KEY_COUNT
};

/** One op. Fields that a kind does not use are 0. */
struct zl_op {
	uint8_t kind;  /* enum zl_op_kind */
	uint8_t order; /* alloc, allocha; cma_alloc: of the alignment */
	uint8_t mt;    /* alloc, allocha, bulk: UNMOVABLE, MOVABLE or RECLAIMABLE */
	uint8_t key;   /* set: enum zl_sim_key; alloc, allocha: enum zl_alloc_flag */
	uint32_t id;   /* alloc, allocha, free, bulk, cma_alloc, cma_release, pin, unpin */
	uint32_t arg;  /* cpu, bulk, set, cma_alloc, offline, online */
};

/** The `result` column. */
enum zl_result {
	ZL_RESULT_OK,
	ZL_RESULT_PCP,	     /* served by, or kept on, the pageset */
	ZL_RESULT_REFILL,    /* the list was empty and was refilled first */
	ZL_RESULT_BUDDY,     /* straight from or to the buddy */
	ZL_RESULT_FAIL,	     /* nothing was found */
	ZL_RESULT_PCP_DRAIN, /* a free that made the pageset drain */
	ZL_RESULT_NOOP,	     /* a free of an allocation that had failed */
	ZL_RESULT_NUMBER,    /* tick, bulk: the number in result_value */
	ZL_RESULT_EBUSY,     /* cma_alloc: there are free runs, but pages in them cannot be moved */
	ZL_RESULT_ENOMEM,    /* cma_alloc: no run is long enough, or nowhere to move pages to */
	ZL_RESULT_REFUSED,   /* a watermark forbids it */
	ZL_RESULT_COUNT
};

enum zl_reason {
#define ZL_REASON(id, name, sentence, source) ZL_REASON_##id,
#include "zonelab/event_reasons.h"
#undef ZL_REASON
	ZL_REASON_COUNT
};

/** How a block of another migratetype was used. */
enum zl_fallback_kind {
	ZL_FALLBACK_NONE,
	ZL_FALLBACK_WHOLE, /* a free block of at least one pageblock was retyped */
	ZL_FALLBACK_CLAIM, /* the pageblock was converted and its free blocks moved */
	ZL_FALLBACK_MOVE,  /* free blocks moved, the pageblock kept its type (A forms) */
	ZL_FALLBACK_STEAL, /* one block was split, the pageblock kept its type */
	ZL_FALLBACK_CMA,   /* a CMA block served a movable request */
	ZL_FALLBACK_KIND_COUNT
};

/** Everything known about one op, state after the op. Counts are pages unless named blocks. */
struct zl_record {
	uint64_t index; /* 0 = the state after creation */
	struct zl_op op;
	uint32_t cpu;
	enum zl_result result;
	uint32_t result_value;
	enum zl_reason reason;
	int64_t pfn;				  /* -1 = none */
	uint32_t refills, refill_req, refill_got; /* got and req in blocks */

	/* The running CPU's pageset. */
	int32_t count, high, high_min, high_max, batch;
	int32_t free_count, free_factor, alloc_factor;
	uint32_t flags, expire;
	bool tuned; /* high_min, high_max, free_count, alloc_factor, flags exist; else free_factor */

	bool free_high;
	int32_t eff_high;
	int32_t to_free;
	uint32_t drained;
	uint32_t bulk_calls;
	uint32_t zone_locks;
	bool below_high, reclaim;
	int64_t buddy_free;

	unsigned nr_lists;
	uint32_t lists[ZL_PCP_LISTS_MAX]; /* blocks */
	unsigned max_order;
	uint64_t buddy[ZL_MAX_ORDER_LIMIT + 1]; /* blocks, all migratetypes */

	/* Beyond the columns of a trace. */
	enum zl_fallback_kind fallback; /* the last one of the op */
	uint32_t fallbacks;
	uint32_t merges;
	uint32_t longest_hold;	/* pages that one hold of the zone lock moved at most */
	bool threshold_exists;	/* free_high exists in this design */
	bool free_high_policy;	/* free_high is a policy */
	int32_t threshold;	/* what free_count (A designs: count) is compared with */
	int32_t ceiling;	/* batch << scale_max; 0 = none */
	int32_t free_count_was; /* free_count before this free was added to it */
	uint32_t migrated;	/* pages moved out of the way of a contiguous allocation */
	uint32_t tries;		/* ranges that a contiguous allocation tried */
	uint8_t order;		/* of the block that was allocated or freed */
	enum zl_migratetype mt; /* asked for, or of the freed block's pageblock */
};

enum zl_event_kind {
	ZL_EVENT_LOCK,	   /* zone lock taken; cause says for what */
	ZL_EVENT_UNLOCK,   /* zone lock released; value = pages moved under it */
	ZL_EVENT_TAKE,	   /* a block left the buddy: pfn, order, mt = the list that it was on */
	ZL_EVENT_GIVE,	   /* a block went to the buddy: pfn, order, mt = list, value = merges */
	ZL_EVENT_FALLBACK, /* pfn, order of the block found, mt wanted, value = zl_fallback_kind */
	ZL_EVENT_SETTYPE,  /* pfn of the pageblock's first page, mt = new, value = old type */
	ZL_EVENT_MIGRATE,  /* a block in use moved: pfn from, value = pfn to, order */
	ZL_EVENT_KIND_COUNT
};

enum zl_lock_cause {
	ZL_LOCK_REFILL,
	ZL_LOCK_DRAIN,
	ZL_LOCK_DIRECT_ALLOC,
	ZL_LOCK_DIRECT_FREE,
	ZL_LOCK_RESERVE,
	ZL_LOCK_ISOLATE, /* pageblocks isolated, taken, given back */
	ZL_LOCK_CAUSE_COUNT
};

struct zl_event {
	enum zl_event_kind kind;
	enum zl_lock_cause cause; /* of the hold that the event belongs to */
	uint32_t cpu;
	uint32_t pfn;
	uint8_t order;
	uint8_t mt;
	uint32_t value;
};

/**
 * Receives records (after each op) and events (inside it). Either may be NULL. Owned by the
 * caller and must stay valid while it is subscribed; callbacks may not change the sim.
 */
struct zl_observer {
	void (*record)(void *user, const struct zl_sim *sim, const struct zl_record *record);
	void (*event)(void *user, const struct zl_sim *sim, const struct zl_event *event);
	void *user;
	struct zl_observer *next; /* used by the sim */
};

/** "alloc", "drainall", ... as an op list writes it. */
const char *zl_op_kind_name(enum zl_op_kind k);
/** Returns ZL_OP_KIND_COUNT for an unknown name; "init" is not an op. */
enum zl_op_kind zl_op_kind_find(const char *name);
/** "below_high", ... */
const char *zl_sim_key_name(enum zl_sim_key k);
/** Returns ZL_SIM_KEY_COUNT for an unknown name. */
enum zl_sim_key zl_sim_key_find(const char *name);
/** "pcp+drain", ...; ZL_RESULT_NUMBER has none and gives "". */
const char *zl_result_name(enum zl_result r);
/** Short word, as in JSON: "pageset-hit", ... */
const char *zl_reason_name(enum zl_reason r);
/** One sentence. */
const char *zl_reason_sentence(enum zl_reason r);
/** Kernel file and function. */
const char *zl_reason_source(enum zl_reason r);
const char *zl_fallback_name(enum zl_fallback_kind k);

/** Writes an op as a line of an op list, without the newline; returns the length. */
size_t zl_op_format(const struct zl_op *op, char *buf, size_t size);

#endif
