/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two ways that nearly every op goes: a block popped from a list that has one, and a block
 * that stays on a pageset below its limit. Each looks first and changes nothing unless it can do
 * the whole op; all else goes the long way of alloc.c and free.c, which has the same steps.
 */
#ifndef ZONELAB_MODEL_HIT_H
#define ZONELAB_MODEL_HIT_H

#include <string.h>

#include "ops.h"
#include "pcp_hot.h"

static inline void zl_op_begin(struct zl_sim *s, const struct zl_op *op)
{
	memset(&s->work, 0, sizeof(s->work));
	s->op = *op;
	s->nr_ops++;
}

/* The high watermark is certainly met: more than any request leaves out is left out. */
static inline bool zl_hit_above_high(const struct zl_sim *s, unsigned order)
{
	int64_t out = s->nr_free_highatomic + s->nr_reserved_highatomic + s->nr_free_cma;

	return s->nr_free - out - (int64_t)zl_pages_of(order) > (int64_t)s->wmark_high &&
	       (order == 0 || s->free[s->max_order][ZL_MIGRATE_MOVABLE].blocks > 0);
}

/** Performs an allocation if the list of the running CPU has a block; false = nothing was done. */
static inline bool zl_hit_alloc(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp = s->this_pcp;
	struct zl_pcp_list *l = &pcp->list[ZL_MIGRATE_PCPTYPES * op->order + op->mt];
	uint32_t pfn, *slot;
	struct zl_page *p;

	if (op->order >= s->hit_orders || op->mt >= ZL_MIGRATE_PCPTYPES || l->blocks == 0 ||
		(s->tuned && !s->below_high && !zl_hit_above_high(s, op->order))) {
		return false;
	}
	slot = zl_id_slot(s, op->id);
	if (*slot != ZL_ID_FREE) {
		return false;
	}
	pfn = l->first;
	zl_op_begin(s, op);
	s->totals.allocs++;
	zl_pcp_alloc_halve(s, pcp);
	p = zl_pcp_pop(s, pcp, op->order, (unsigned)(l - pcp->list));
	zl_page_start(p, ZL_PAGE_USED, op->order, op->mt == ZL_MIGRATE_MOVABLE);
	s->nr_used += zl_pages_of(op->order);
	*slot = pfn + 1;
	s->work.block = pfn + 1;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_ALLOC_HIT;
	return true;
}

/* free_high would fire, or the pageset would reach its limit with these pages. */
static inline bool zl_hit_drains(const struct zl_sim *s, const struct zl_pcp *pcp, unsigned order)
{
	int32_t count = pcp->count + (int32_t)zl_pages_of(order);

	if (s->reclaim || count >= pcp->high) {
		return true;
	}
	if (!s->tuned) {
		return order > 0 && pcp->free_factor > 0;
	}
	return s->below_high || !pcp->settled ||
	       (order > 0 && pcp->prev_free_high_order && pcp->free_count >= pcp->threshold);
}

/** Performs a free if the pageset simply keeps the block; false = nothing was done. */
static inline bool zl_hit_free(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp = s->this_pcp;
	uint32_t *slot = zl_id_slot(s, op->id);
	uint32_t pfn = *slot - 1;
	struct zl_page *p;
	unsigned order, mt;

	if (pfn >= ZL_ID_FAILED - 1) {
		return false;
	}
	p = zl_page_w(s, pfn);
	mt = zl_block_type(s, pfn);
	order = p->order;
	if (order >= s->hit_orders || !zl_mergeable(mt) || zl_hit_drains(s, pcp, order)) {
		return false;
	}
	zl_op_begin(s, op);
	s->totals.frees++;
	*slot = ZL_ID_FREE;
	s->nr_used -= zl_pages_of(order);
	p->rem = (uint8_t)mt;
	pcp->alloc_factor = (uint8_t)(pcp->alloc_factor >> 1);
	zl_pcp_push(s, pcp, p, pfn, ZL_MIGRATE_PCPTYPES * order + mt);
	pcp->prev_free_high_order = s->tuned && order > 0;
	s->work.free_count_was = pcp->free_count;
	zl_pcp_free_count(pcp, order);
	s->work.block = pfn + 1;
	s->work.eff_high = pcp->high;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_FREE_KEPT;
	return true;
}

#endif
