/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state behind zonelab/system.h, and what its files share. */
#ifndef ZONELAB_MODEL_SYSTEM_STATE_H
#define ZONELAB_MODEL_SYSTEM_STATE_H

#include "sim_state.h"
#include "zonelab/system.h"

#define ZL_WHERE_NONE	0
#define ZL_WHERE_FAILED 255 /* the allocation failed, and no zone knows of it */

/** Movable blocks of a node in order of allocation; entries whose stamp is old are gone. */
struct zl_lru {
	struct zl_lru_entry {
		uint32_t id, stamp;
	} * entry;
	size_t head, count, cap;
};

struct zl_system {
	struct zl_system_config cfg;
	struct zl_allocator mem;
	struct zl_sim *zone[ZL_SYSTEM_ZONES_MAX];
	struct zl_store where;	/* by id: zone + 1 */
	struct zl_store stamps; /* by id: when it was allocated */
	struct zl_pool pool;
	struct zl_lru lru[ZL_SYSTEM_NODES_MAX];
	uint32_t stamp;
	bool awake[ZL_SYSTEM_NODES_MAX]; /* kswapd */
	bool offline[ZL_SIM_CPUS_MAX];
	unsigned cpu;
	/* Of the requests of each CPU. */
	uint32_t req_node[ZL_SIM_CPUS_MAX]; /* or ZL_OP_LOCAL */
	uint8_t req_zone[ZL_SIM_CPUS_MAX];  /* or ZL_OP_ANY_ZONE */
	uint64_t nr_ops;
	struct zl_system_totals totals;
	struct zl_system_tap tap;

	/* The present op. */
	struct zl_op op;
	struct zl_op_work sum;
	struct zl_op_work last; /* of the zone op that decides the result */
	struct zl_system_record did;
};

/** An op of one zone; its work is added up. Returns 0 or -ENOMEM. */
int zl_system_zone_op(struct zl_system *s, unsigned zone, const struct zl_op *op);
/** The same on every zone. */
int zl_system_every(struct zl_system *s, const struct zl_op *op);
/** `set KEY VALUE` on one zone. */
int zl_system_set(struct zl_system *s, unsigned zone, enum zl_sim_key key, uint64_t value);
/** Node that requests prefer. */
unsigned zl_system_node(const struct zl_system *s);
/** Highest zone type that a request may use. */
unsigned zl_system_highest(const struct zl_system *s, unsigned mt);
/** Node of a CPU. */
unsigned zl_system_cpu_node(const struct zl_system *s, unsigned cpu);
/** CPUs of a node that are online. */
unsigned zl_system_online(const struct zl_system *s, unsigned node);
/** The zone that is shown when no other one is meant. */
unsigned zl_system_preferred(const struct zl_system *s);

unsigned zl_where(const struct zl_system *s, uint32_t id);
/** Room for @n ids from @id on. Returns 0 or -ENOMEM. */
int zl_where_reserve(struct zl_system *s, uint32_t id, uint32_t n);
void zl_where_set(struct zl_system *s, uint32_t id, unsigned where);

/* system_request.c */
int zl_system_alloc(struct zl_system *s, const struct zl_op *op);
int zl_system_bulk(struct zl_system *s, const struct zl_op *op);
/** Whether a node has enough free pages for its kswapd to sleep. */
bool zl_system_balanced(const struct zl_system *s, unsigned node, unsigned order, unsigned highest);

/* system_reclaim.c */
/** Remembers a movable block. Returns 0 or -ENOMEM. */
int zl_lru_add(struct zl_system *s, unsigned node, uint32_t id);
/** Frees the oldest movable blocks of a node in zones up to @highest; adds pages to @ret_pages. */
int zl_system_give_back(struct zl_system *s, unsigned node, unsigned highest, uint32_t pages);
/** kswapd of the preferred node gives pages back. */
int zl_system_reclaim(struct zl_system *s, const struct zl_op *op);

/* system_ops.c */
int zl_system_other(struct zl_system *s, const struct zl_op *op);

#endif
