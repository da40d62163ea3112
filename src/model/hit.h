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
#include "policy_run.h"

static inline void zl_op_begin(struct zl_sim *s, const struct zl_op *op)
{
	memset(&s->work, 0, sizeof(s->work));
	s->work_of_hit = false;
	s->op = *op;
	s->nr_ops++;
}

/* The same before a hit. Hits write the same few fields of `work`, so one clears it for all. */
static inline void zl_hit_begin(struct zl_sim *s, const struct zl_op *op)
{
	if (zl_rare(!s->work_of_hit)) {
		memset(&s->work, 0, sizeof(s->work));
		s->work_of_hit = true;
	}
	s->op = *op;
	s->nr_ops++;
}

/**
 * What hits need not look at: they change neither zone flags nor anything in the buddy, so this
 * holds until the next op that is no hit.
 */
static inline void zl_hit_update(struct zl_sim *s)
{
	/* More than any request of these orders leaves out. */
	int64_t out = s->nr_free_highatomic + s->nr_reserved_highatomic + s->nr_free_cma +
		      (int64_t)(zl_pages_of(ZL_COSTLY_ORDER) + s->reserve_most + s->wmark_boost);
	bool blocks = s->free[s->max_order][ZL_MIGRATE_MOVABLE].blocks > 0;
	bool above = s->nr_free - out > (int64_t)s->wmark_high && blocks;
	bool others = s->nr_free - out > (int64_t)s->wmark_low &&
		      s->nr_free - out > (int64_t)s->wmark_min;

	s->hit_key = above && others ? UINT8_MAX : 0;
	s->hit_alloc_orders = !s->tuned || s->below_high || above ? s->hit_orders : 0;
	s->hit_free_orders = s->reclaim || (s->tuned && s->below_high) ? 0 : s->hit_orders;
}

/** Performs an allocation if the list of the running CPU has a block; false = nothing was done. */
static zl_always_inline bool zl_hit_alloc(struct zl_sim *s, const struct zl_op *op, bool policy)
{
	struct zl_pcp *pcp = s->this_pcp;
	struct zl_pcp_list *l;
	uint32_t *slot;
	struct zl_page *p;

	if (zl_rare(op->order >= s->hit_alloc_orders || op->mt >= ZL_MIGRATE_PCPTYPES ||
		    op->key > s->hit_key)) {
		return false;
	}
	l = &pcp->list[ZL_MIGRATE_PCPTYPES * op->order + op->mt];
	if (zl_rare(l->blocks == 0)) {
		return false;
	}
	slot = zl_id_slot_own(s, op->id);
	p = zl_page_own(s, l->first);
	if (zl_rare(slot == NULL || p == NULL || *slot != ZL_ID_FREE)) {
		return false;
	}
	zl_hit_begin(s, op);
	s->totals.allocs++;
	*slot = l->first + 1;
	s->work.order = op->order;
	s->work.mt = op->mt;
	s->work.block = l->first + 1;
	s->work.eff_high = 0;
	s->work.free_count_was = 0;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_ALLOC_HIT;
	if (policy && s->policy->has_on_alloc) {
		zl_policy_on_alloc(s, pcp, op->order);
	} else {
		zl_pcp_alloc_halve(s, pcp);
	}
	zl_pcp_pop(pcp, l, p, op->order);
	p->state = ZL_PAGE_USED; /* of the order that it has */
	p->list = op->mt == ZL_MIGRATE_MOVABLE;
	p->next = op->id;
	s->nr_used += zl_pages_of(op->order);
	return true;
}

/* free_high might fire, or the pageset would reach its limit with these pages. */
static inline bool zl_hit_drains(const struct zl_sim *s, const struct zl_pcp *pcp, unsigned order)
{
	if (pcp->count + (int32_t)zl_pages_of(order) >= pcp->high) {
		return true;
	}
	if (!s->tuned) {
		return order > 0 && pcp->free_factor > 0;
	}
	return !pcp->settled ||
	       (order > 0 && pcp->prev_free_high_order && pcp->free_count >= pcp->threshold);
}

/* The same where policies may decide. */
static inline bool zl_hit_drains_policy(
	const struct zl_sim *s, const struct zl_pcp *pcp, unsigned order)
{
	int32_t count = pcp->count + (int32_t)zl_pages_of(order);

	if (!zl_policy_at(s, ZL_POINT_FREE_HIGH)) {
		return s->policy->free_slowly || zl_hit_drains(s, pcp, order);
	}
	return s->policy->free_slowly || count >= pcp->high || (s->tuned && !pcp->settled) ||
	       zl_policy_may_flush(s->policy, pcp, count, order);
}

/* What a kept free counts, with its pages on the list. */
static inline void zl_hit_count(
	const struct zl_sim *s, struct zl_pcp *pcp, unsigned order, bool policy)
{
	if (policy && s->policy->has_on_free) {
		zl_policy_free_count(s, pcp, order);
	} else {
		zl_pcp_free_count(pcp, order);
	}
}

/** Performs a free if the pageset simply keeps the block; false = nothing was done. */
static zl_always_inline bool zl_hit_free(struct zl_sim *s, const struct zl_op *op, bool policy)
{
	struct zl_pcp *pcp = s->this_pcp;
	uint32_t *slot = zl_id_slot_own(s, op->id);
	uint32_t pfn;
	struct zl_page *p, *first = NULL;
	struct zl_pcp_list *l;
	unsigned mt;

	if (zl_rare(slot == NULL || *slot - 1 >= ZL_ID_FAILED - 1)) {
		return false;
	}
	pfn = *slot - 1;
	p = zl_page_own(s, pfn);
	mt = zl_block_type_again(s, pfn);
	if (zl_rare(p == NULL || p->order >= s->hit_free_orders || !zl_mergeable(mt) ||
		    (policy ? zl_hit_drains_policy(s, pcp, p->order)
			    : zl_hit_drains(s, pcp, p->order)) ||
		    p->list > ZL_USED_MOVABLE)) {
		return false;
	}
	l = &pcp->list[ZL_MIGRATE_PCPTYPES * p->order + mt];
	if (l->blocks > 0) {
		first = zl_page_own(s, l->first);
		if (zl_rare(first == NULL)) {
			return false;
		}
	}
	zl_hit_begin(s, op);
	s->totals.frees++;
	s->nr_used -= zl_pages_of(p->order);
	p->rem = (uint8_t)mt;
	if (policy && s->policy->has_alloc_factor) {
		zl_policy_alloc_factor(s, pcp, p->order);
	} else {
		pcp->alloc_factor = (uint8_t)(pcp->alloc_factor >> 1);
	}
	zl_pcp_push(pcp, l, p, pfn, first);
	pcp->prev_free_high_order = p->order > 0;
	s->work.free_count_was = pcp->free_count;
	zl_hit_count(s, pcp, p->order, policy);
	s->work.order = p->order;
	s->work.mt = (uint8_t)mt;
	s->work.block = pfn + 1;
	s->work.eff_high = pcp->high;
	s->work.result = ZL_RESULT_PCP;
	s->work.reason = ZL_REASON_FREE_KEPT;
	*slot = ZL_ID_FREE;
	return true;
}

#endif
