/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Freeing: the pageset of the running CPU, or the buddy for blocks that have no list.
 */
#include "buddy.h"
#include "ops.h"
#include "pcp_hot.h"
#include "policy_run.h"

static bool chunked(const struct zl_sim *s)
{
	return s->cfg.switches.design == ZL_DESIGN_D19 || s->cfg.switches.design == ZL_DESIGN_D71;
}

/* Source: mm/page_alloc.c, free_frozen_page_commit(), v6.18 and v7.1. */
static void drain_over(struct zl_sim *s, struct zl_pcp *pcp, int32_t pages, unsigned list)
{
	bool policy = zl_policy_at(s, ZL_POINT_DRAIN_CHUNK);

	if (!policy && !chunked(s)) {
		zl_pcp_bulk_free(s, pcp, pages, list);
		return;
	}
	while (pages > 0 && pcp->count > 0) {
		int32_t chunk = pages < pcp->batch ? pages : pcp->batch;

		if (policy) {
			chunk = zl_policy_chunk(s, pcp, ZL_POINT_DRAIN_CHUNK, pages);
		}

		zl_pcp_bulk_free(s, pcp, chunk, list);
		pages -= chunk;
	}
}

static void over_reason(struct zl_sim *s, const struct zl_pcp *pcp, int32_t high, bool free_high)
{
	if (free_high) {
		s->work.reason = ZL_REASON_FREE_HIGH;
		s->totals.free_high++;
		return;
	}
	if (high < pcp->batch) {
		s->work.reason = ZL_REASON_FREE_DISABLED;
		s->totals.drains_over++;
	} else if (s->reclaim) {
		s->work.reason = ZL_REASON_FREE_OVER_RECLAIM;
		s->totals.drains_reclaim++;
	} else if (s->tuned && s->below_high && pcp->high_min != pcp->high_max) {
		s->work.reason = ZL_REASON_FREE_OVER_BELOW;
		s->totals.drains_below++;
	} else {
		s->work.reason = ZL_REASON_FREE_OVER_HIGH;
		s->totals.drains_over++;
	}
}

/* free_high, and what a free counts; its pages are on the list. */
static bool count_free(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	bool free_high;

	if (s->policy == NULL) {
		free_high = zl_pcp_free_high(s, pcp, order);
		zl_pcp_free_count(pcp, order);
		return free_high;
	}
	free_high = zl_policy_free_high(s, pcp, order);
	if (s->policy->has_on_free) {
		zl_policy_free_count(s, pcp, order);
	} else {
		zl_pcp_free_count(pcp, order);
	}
	return free_high;
}

/* Source: mm/page_alloc.c, free_unref_page_commit(), v6.1; free_frozen_page_commit(), v6.18. */
static void commit(struct zl_sim *s, struct zl_page *p, uint32_t pfn, unsigned list)
{
	struct zl_pcp *pcp = zl_this_pcp(s);
	struct zl_pcp_list *l = &pcp->list[list];
	unsigned order = p->order;
	bool free_high;
	int32_t high;

	if (s->policy != NULL && s->policy->has_alloc_factor) {
		zl_policy_alloc_factor(s, pcp, order);
	} else {
		pcp->alloc_factor = (uint8_t)(pcp->alloc_factor >> 1);
	}
	zl_pcp_push(pcp, l, p, pfn, l->blocks > 0 ? zl_page_w(s, l->first) : NULL);
	s->work.free_count_was = pcp->free_count;
	free_high = count_free(s, pcp, order);
	high = zl_nr_pcp_high(s, pcp, free_high);
	s->work.free_high = free_high;
	s->work.eff_high = high;
	s->work.reason = ZL_REASON_FREE_KEPT;
	s->work.result = ZL_RESULT_PCP;
	if (pcp->count < high) {
		return;
	}
	over_reason(s, pcp, high, free_high);
	s->work.to_free = zl_nr_pcp_free(s, pcp, high, free_high);
	drain_over(s, pcp, s->work.to_free, list);
	s->work.result = ZL_RESULT_PCP_DRAIN;
	if (s->tuned && s->below_high && zl_above_high(s)) {
		s->below_high = false;
	}
}

static void direct(struct zl_sim *s, uint32_t pfn, unsigned order, enum zl_reason reason)
{
	zl_lock(s, ZL_LOCK_DIRECT_FREE);
	zl_free_direct(s, pfn, order, false);
	zl_unlock(s);
	s->totals.direct_frees++;
	s->work.reason = (uint8_t)reason;
	/* The recordings of the A designs label a direct free like one of the pageset. */
	s->work.result = s->tuned ? ZL_RESULT_BUDDY : ZL_RESULT_PCP;
	s->totals.direct_buddy += s->tuned;
}

/* One block that is in use; @pfn starts it. */
static void free_block(struct zl_sim *s, uint32_t pfn)
{
	struct zl_page *p = zl_page_w(s, pfn);
	unsigned mt = zl_block_type(s, pfn);
	int list;

	s->nr_used -= zl_pages_of(p->order);
	if ((p->list & ZL_USED_PINNED) != 0) {
		s->nr_pinned -= zl_pages_of(p->order);
	}
	p->rem = (uint8_t)mt;
	s->work.order = p->order;
	s->work.mt = (uint8_t)mt;
	list = zl_pcp_index(s, p->order, zl_mergeable(mt) ? mt : ZL_MIGRATE_MOVABLE);
	if (list >= 0 && s->has_pagesets && mt != ZL_MIGRATE_ISOLATE) {
		commit(s, p, pfn, (unsigned)list);
		return;
	}
	p->state = ZL_PAGE_INSIDE;
	if (list < 0) {
		direct(s, pfn, p->order, ZL_REASON_FREE_DIRECT_ORDER);
	} else if (!s->has_pagesets) {
		direct(s, pfn, p->order, ZL_REASON_FREE_DIRECT_NO_PAGESETS);
	} else {
		direct(s, pfn, p->order, ZL_REASON_FREE_DIRECT_ISOLATE);
	}
}

/*
 * The pages of a contiguous allocation go one by one, ascending.
 * Source: mm/cma.c, cma_release(); mm/page_alloc.c, free_contig_range(), v6.12.
 */
static void free_contiguous(struct zl_sim *s, uint32_t pfn)
{
	uint32_t pages = zl_page_r(s, pfn)->prev;

	s->nr_cma_used -= pages;
	for (uint32_t i = 0; i < pages; i++) {
		free_block(s, pfn + i);
	}
	s->work.reason = ZL_REASON_CMA_RELEASED;
	s->work.result = s->work.bulk_calls > 0 ? ZL_RESULT_PCP_DRAIN : ZL_RESULT_PCP;
}

void zl_op_free(struct zl_sim *s, uint32_t *slot)
{
	uint32_t pfn = *slot - 1;

	s->totals.frees++;
	if (*slot == ZL_ID_FREE || *slot == ZL_ID_FAILED) {
		*slot = ZL_ID_FREE;
		s->work.result = ZL_RESULT_NOOP;
		s->work.reason = ZL_REASON_FREE_NOOP;
		return;
	}
	*slot = ZL_ID_FREE;
	s->work.block = pfn + 1;
	if ((zl_page_r(s, pfn)->list & ZL_USED_CONTIG) != 0) {
		free_contiguous(s, pfn);
	} else {
		free_block(s, pfn);
	}
}
