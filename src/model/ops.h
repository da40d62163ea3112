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

	if (id >> s->ids.leaf_shift >> ZL_DIR_SHIFT >= s->ids.nr_root) {
		return ZL_ID_FREE;
	}
	leaf = zl_store_leaf_r(&s->ids, id, ZL_WORD_LEAF_SHIFT);
	return leaf == NULL ? ZL_ID_FREE : leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)];
}

static inline void zl_id_set(struct zl_sim *s, uint32_t id, uint32_t value)
{
	struct zl_node *leaf = zl_store_leaf_w(&s->ids, &s->pool, id, ZL_WORD_LEAF_SHIFT);

	leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)] = value;
}

/* alloc.c */
void zl_op_alloc(struct zl_sim *s, const struct zl_op *op);
void zl_op_bulk(struct zl_sim *s, const struct zl_op *op);
/* free.c */
void zl_op_free(struct zl_sim *s, const struct zl_op *op);
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
int zl_op_reserve(struct zl_sim *s, const struct zl_op *op);

#endif
