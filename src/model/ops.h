/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ops of a sim. Memory has been reserved before one of these runs. */
#ifndef ZONELAB_MODEL_OPS_H
#define ZONELAB_MODEL_OPS_H

#include "sim_state.h"

/* Values of the id table beside pfn + 1. */
#define ZL_ID_FREE   UINT32_C(0)
#define ZL_ID_FAILED UINT32_MAX

static inline uint32_t zl_id_get(const struct zl_sim *s, uint32_t id)
{
	const struct zl_node *leaf;

	if (id >= s->ids_end) {
		return ZL_ID_FREE;
	}
	leaf = zl_store_leaf_r(&s->ids, id, ZL_WORD_LEAF_SHIFT);
	return leaf == NULL ? ZL_ID_FREE : leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)];
}

/** The slot of an id below ids_end, to write to. */
static inline uint32_t *zl_id_slot(struct zl_sim *s, uint32_t id)
{
	struct zl_node *leaf = zl_store_leaf_w(&s->ids, &s->pool, id, ZL_WORD_LEAF_SHIFT);

	return &leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)];
}

/** The same if its leaf is the sim's own, otherwise NULL. */
static inline uint32_t *zl_id_slot_own(struct zl_sim *s, uint32_t id)
{
	struct zl_node *leaf = zl_store_leaf_own(&s->ids, id, ZL_WORD_LEAF_SHIFT);

	return leaf == NULL ? NULL : &leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)];
}

/* sim.c: does what has been checked and reserved for; @slot is that of an alloc's or free's id. */
int zl_sim_perform(struct zl_sim *s, const struct zl_op *op, uint32_t *slot);
/* apply.c: a glance at ops that are performed one by one, none of which is zl_op_of_all(). */
void zl_glance_start(struct zl_glance *g, const struct zl_sim *s);
/** zl_sim_apply(), noted. The CPU that runs must be the same for all. */
int zl_glance_op(struct zl_sim *s, const struct zl_op *op, struct zl_glance *g);
/** What observers and policies ask of every op. */
void zl_watch_update(struct zl_sim *s);
/* alloc.c */
/** @slot is the id's, and free. */
void zl_op_alloc(struct zl_sim *s, const struct zl_op *op, uint32_t *slot);
void zl_op_bulk(struct zl_sim *s, const struct zl_op *op);
/** A block for a movable page of @id to move to, by an ordinary request; ZL_NIL if none. */
uint32_t zl_alloc_target(struct zl_sim *s, unsigned order, uint32_t id);
/* free.c */
/** @slot is the id's. */
void zl_op_free(struct zl_sim *s, uint32_t *slot);
/* contig.c: contiguous allocations from the CMA range. */
void zl_op_cma_alloc(struct zl_sim *s, const struct zl_op *op, uint32_t *slot);
/* hotplug.c */
void zl_op_offline(struct zl_sim *s, uint32_t cpu);
void zl_op_online(struct zl_sim *s, uint32_t cpu);
void zl_op_pin(struct zl_sim *s, uint32_t *slot, bool pin);
/** `free - unusable > high watermark` for an order-0 request, as clearing BELOW asks. */
bool zl_above_high(const struct zl_sim *s);
/* tick.c */
void zl_op_tick(struct zl_sim *s);
void zl_op_drain(struct zl_sim *s);
void zl_op_drainall(struct zl_sim *s);
void zl_op_drainzone(struct zl_sim *s);
/* set.c */
/** Fallible part of `set cpus`. */
int zl_set_reserve(struct zl_sim *s, const struct zl_op *op);
void zl_op_set(struct zl_sim *s, const struct zl_op *op);
/* reserve.c: obtains what an op may need; 0 or -ENOMEM with nothing changed. */
int zl_op_reserve_slow(struct zl_sim *s, const struct zl_op *op);
/** Bounds what one op may need while nothing is shared; once, when the zone is made. */
void zl_reserve_init(struct zl_sim *s);
static inline int zl_op_reserve(struct zl_sim *s, const struct zl_op *op)
{
	if (s->pool.nr_spare >= s->pool.nr_need && op->id < s->ids_end &&
		op->kind <= ZL_OP_DRAINZONE && op->kind != ZL_OP_BULK) {
		return 0;
	}
	return zl_op_reserve_slow(s, op);
}

#endif
