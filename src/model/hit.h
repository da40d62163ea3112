/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two ways that nearly every op goes: a block popped from a list that has one, and a block
 * that stays on a pageset below its limit. Each looks first and changes nothing unless it can do
 * the whole op; all else goes the long way of alloc.c and free.c, which has the same steps.
 */
#ifndef ZONELAB_MODEL_HIT_H
#define ZONELAB_MODEL_HIT_H

#include "ops.h"
#include "pcp_hot.h"

static inline void zl_op_begin(struct zl_sim *s, const struct zl_op *op)
{
	static const struct zl_op_work nothing = {.pfn = ZL_NIL};

	s->work = nothing;
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
static inline bool zl_hit_alloc(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	struct zl_pcp *pcp = &s->pcp[s->cpu];
	struct zl_pcp_list *l = &pcp->list[ZL_MIGRATE_PCPTYPES * op->order + op->mt];
	uint32_t pfn = l->first;
	struct zl_page *p;

	if (l->blocks == 0 || !s->plain_requests ||
		(s->tuned && !s->below_high && !zl_hit_above_high(s, op->order))) {
		return false;
	}
	zl_op_begin(s, op);
	s->totals.allocs++;
	zl_pcp_alloc_halve(s, pcp);
	p = zl_pcp_pop(s, pcp, op->order, (unsigned)(l - pcp->list));
	zl_page_start(p, ZL_PAGE_USED, op->order, op->mt == ZL_MIGRATE_MOVABLE);
	s->nr_used += zl_pages_of(op->order);
	*slot = pfn + 1;
	s->work.pfn = pfn;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_ALLOC_HIT;
	return true;
}

/* Nothing presses, and the pageset stays below its limit with these pages. */
static inline bool zl_hit_stays(const struct zl_sim *s, const struct zl_pcp *pcp, unsigned order)
{
	return s->tuned && !s->reclaim && !s->below_high && pcp->high >= pcp->high_min &&
	       pcp->high <= pcp->high_max && pcp->count + (int32_t)zl_pages_of(order) < pcp->high;
}

/** Performs a free if the pageset simply keeps the block; false = nothing was done. */
static inline bool zl_hit_free(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	struct zl_pcp *pcp = &s->pcp[s->cpu];
	uint32_t pfn = *slot - 1;
	struct zl_page *p;
	unsigned order, mt;

	if (*slot == ZL_ID_FREE || *slot == ZL_ID_FAILED || !s->has_pagesets) {
		return false;
	}
	p = zl_page_w(s, pfn);
	mt = zl_block_type(s, pfn);
	order = p->order;
	if (order > 0 || !zl_mergeable(mt) || !zl_hit_stays(s, pcp, order)) {
		return false;
	}
	zl_op_begin(s, op);
	s->totals.frees++;
	*slot = ZL_ID_FREE;
	s->nr_used -= zl_pages_of(order);
	p->rem = (uint8_t)mt;
	pcp->alloc_factor = (uint8_t)(pcp->alloc_factor >> 1);
	zl_pcp_push(s, pcp, p, pfn, mt);
	pcp->prev_free_high_order = false;
	s->work.free_count_was = pcp->free_count;
	zl_pcp_free_count(s, pcp, order);
	s->work.pfn = pfn;
	s->work.eff_high = pcp->high;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_FREE_KEPT;
	return true;
}

#endif
