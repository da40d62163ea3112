/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several zones: nodes with zones, each a zl_sim, and CPUs that belong to nodes. A request walks
 * its zonelist under watermarks; everything that happens to a zone is an op of that zone, so the
 * ops that reach one zone replay alone (zl_system_tap()).
 *
 * A request. First every zone of the list under its low watermark; then kswapd is woken where a
 * node is short, and the list is walked again under the min watermark; then, if the op list has
 * stated an effect for it (`set direct_reclaim`), direct reclaim gives pages back and the walk is
 * repeated, once after all pagesets were drained; then the request fails.
 *
 * Reclaim is a stated effect: the op list says how many pages it gives back, and the oldest
 * movable blocks of the node are freed, through the pagesets as any free. Nothing else is
 * pretended: no LRU balance, no writeback, no compaction, no OOM.
 *
 * Simplified: distances between nodes are all the same; CPUs of a node are numbered in a row; a
 * bulk request asks one zone; pages migrate only inside their zone.
 */
#ifndef ZONELAB_SYSTEM_H
#define ZONELAB_SYSTEM_H

#include "zonelab/sim.h"

#define ZL_SYSTEM_ZONES_MAX 64
#define ZL_SYSTEM_NODES_MAX 64
/** Rounds of direct reclaim of one request. Source: mm/internal.h, MAX_RECLAIM_RETRIES, v6.18. */
#define ZL_SYSTEM_RECLAIM_ROUNDS 16

struct zl_system_zone {
	unsigned node;
	enum zl_zone_type type;
	char name[16];
	uint64_t start_pfn;	     /* shown only; pages of a zone count from 0 */
	struct zl_sim_config config; /* CPUs and their nodes are filled in from the system's */
};

struct zl_system_config {
	unsigned nodes, cpus, nr_zones;
	/** CPUs of each node, in a row; a node may have none. */
	unsigned first_cpu[ZL_SYSTEM_NODES_MAX], node_cpus[ZL_SYSTEM_NODES_MAX];
	bool watermarks; /* requests obey them; false = as in a single zone */
	unsigned scale_factor;
	uint64_t min_free_kbytes; /* in force; 0 = what the min watermarks add up to */
	uint32_t direct_reclaim;  /* pages a round; 0 = there is none */
	/** Ascending by node, then by type; one of a kind on each node. */
	struct zl_system_zone zone[ZL_SYSTEM_ZONES_MAX];
};

/** Zeroes @c, then: one node, one CPU on it, watermarks obeyed, scale factor 10. */
void zl_system_config_init(struct zl_system_config *c);
/** Splits CPUs evenly over nodes, earlier nodes taking the remainder. */
void zl_system_split_cpus(struct zl_system_config *c);
/** Returns 0, or -EINVAL with a sentence. Needs switches in the zones' configurations. */
int zl_system_config_check(const struct zl_system_config *c, struct zl_error *err);

struct zl_system;

/** All zones wholly free. Returns 0, -EINVAL with a sentence, or -ENOMEM. */
int zl_system_new(const struct zl_system_config *config, const struct zl_allocator *mem,
	struct zl_system **ret, struct zl_error *err);
/** NULL is allowed. */
void zl_system_free(struct zl_system *s);
/**
 * Performs one op. Ids are the system's: an id names one block in one zone.
 * Returns 0; -EINVAL when it is impossible, with nothing changed; -ENOMEM, after which the system
 * can only be freed.
 */
int zl_system_apply(struct zl_system *s, const struct zl_op *op);
/** Why zl_system_apply() would refuse @op; 0 or -EINVAL with a sentence. */
int zl_system_op_check(const struct zl_system *s, const struct zl_op *op, struct zl_error *err);

/** What one op did. */
struct zl_system_record {
	/**
	 * Columns as of a zone: the pageset of the running CPU in the zone that is shown; refills,
	 * drains and locks are the sums over all zones that the op reached.
	 */
	struct zl_record r;
	unsigned zone; /* shown: that served, or that requests prefer */
	bool all;      /* the op was about every zone */
	unsigned node; /* of the zone */
	const char *name;
	unsigned attempts;     /* zones that were asked */
	unsigned kswapd_wakes; /* nodes whose kswapd this op woke */
	uint32_t reclaimed;    /* pages */
	unsigned rounds;       /* of direct reclaim */
	bool drained_all;      /* because reclaim did not help */
	uint64_t t_ns;	       /* filled in by whoever knows the time */
};
void zl_system_record(const struct zl_system *s, struct zl_system_record *ret);

/** Sums over all zones, and what only a system has. */
struct zl_system_totals {
	struct zl_totals t; /* ops, allocs, frees, failed: of the system */
	uint64_t kswapd_wakes;
	uint64_t reclaimed; /* pages */
	uint64_t reclaim_rounds;
	uint64_t drain_alls;	 /* because reclaim did not help */
	uint64_t zone_fallbacks; /* requests served by another zone than the preferred one */
	uint64_t node_fallbacks; /* of these, on another node */
};
void zl_system_totals(const struct zl_system *s, struct zl_system_totals *ret);

/** Is told every op that reaches a zone, before it happens. */
struct zl_system_tap {
	void (*op)(void *user, unsigned zone, const struct zl_op *op);
	void *user;
};
void zl_system_tap(struct zl_system *s, const struct zl_system_tap *tap);

const struct zl_system_config *zl_system_config(const struct zl_system *s);
unsigned zl_system_zones(const struct zl_system *s);
/** The configuration of a zone as its sim has it. */
const struct zl_sim *zl_system_zone(const struct zl_system *s, unsigned zone);
unsigned zl_system_cpu(const struct zl_system *s);
uint64_t zl_system_ops(const struct zl_system *s);
bool zl_system_kswapd_awake(const struct zl_system *s, unsigned node);
/** The zonelist of a request, preferred zone first; returns its length. */
unsigned zl_system_zonelist(
	const struct zl_system *s, enum zl_migratetype mt, unsigned ret[ZL_SYSTEM_ZONES_MAX]);
/** Zone of a block in use, or -1. */
int zl_system_id_zone(const struct zl_system *s, uint32_t id);
/** Of all zones in order, with what the system itself remembers. */
uint64_t zl_system_digest(const struct zl_system *s);
/** The invariants of every zone, and that each id is in the zone that the system names. */
int zl_system_check(const struct zl_system *s, struct zl_error *err);

#endif
