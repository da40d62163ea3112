/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every request and every free does to a pageset, inline: list index, push, pop, the counters
 * of frees, and the limit. The rarer rules are in pcp.c.
 */
#ifndef ZONELAB_MODEL_PCP_HOT_H
#define ZONELAB_MODEL_PCP_HOT_H

#include "pcp.h"

static inline int64_t zl_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t zl_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/** With its lower bound above the upper one, clamp() answers differently by release. */
static inline int64_t zl_clamp(const struct zl_sim *s, int64_t v, int64_t lo, int64_t hi)
{
	if (lo > hi && s->cfg.switches.clamp == ZL_CLAMP_HI_FIRST) {
		return v >= hi ? hi : lo;
	}
	return zl_min(zl_max(v, lo), hi);
}

/**
 * List of a block, or -1.
 * Source: mm/page_alloc.c, order_to_pindex(), v5.14 to v7.1.
 */
static inline int zl_pcp_index(const struct zl_sim *s, unsigned order, unsigned mt)
{
	if (order <= ZL_COSTLY_ORDER) {
		return (int)(ZL_MIGRATE_PCPTYPES * order + mt);
	}
	return (int)order == s->thp_order ? zl_pcp_thp_index(s, mt) : -1;
}

static inline void zl_page_start(
	struct zl_page *p, enum zl_page_state state, unsigned order, unsigned list)
{
	p->state = (uint8_t)state;
	p->order = (uint8_t)order;
	p->list = (uint8_t)list;
}

/** A freed block goes to the head of its list; @first is the page of what was first, if any. */
static inline void zl_pcp_push(struct zl_pcp *pcp, struct zl_pcp_list *l, struct zl_page *p,
	uint32_t pfn, struct zl_page *first)
{
	p->state = ZL_PAGE_PCP; /* of the order that it has */
	p->list = (uint8_t)(l - pcp->list);
	if (first == NULL) {
		l->last = pfn;
	} else {
		p->next = l->first;
		first->prev = pfn;
	}
	l->first = pfn;
	l->blocks++;
	pcp->count += (int32_t)zl_pages_of(p->order);
}

/** The newest block of a list that is not empty leaves it; @p is its first page. */
static inline void zl_pcp_pop(
	struct zl_pcp *pcp, struct zl_pcp_list *l, const struct zl_page *p, unsigned order)
{
	l->blocks--;
	l->first = p->next; /* not valid after the last block, and then not used */
	pcp->count -= (int32_t)zl_pages_of(order);
}

/**
 * An allocation halves what frees have counted.
 * Source: mm/page_alloc.c, rmqueue_pcplist(), v6.1 and v6.18.
 */
static inline void zl_pcp_alloc_halve(const struct zl_sim *s, struct zl_pcp *pcp)
{
	if (!s->tuned) {
		pcp->free_factor = (int16_t)(pcp->free_factor / 2);
	} else {
		pcp->free_count = (int16_t)(pcp->free_count >> 1); /* rounds down, also below 0 */
	}
}

/**
 * free_high of a design, before this free is counted but with its pages on the list.
 * Source: mm/page_alloc.c, free_unref_page_commit(), v6.1, v6.12; free_frozen_page_commit(), v6.18.
 */
static inline bool zl_pcp_free_high(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	bool high_order = order > 0 && order <= ZL_COSTLY_ORDER;
	bool was = pcp->prev_free_high_order;

	pcp->prev_free_high_order = high_order;
	if (!s->tuned) {
		return high_order && pcp->free_factor > 0 &&
		       s->cfg.switches.design != ZL_DESIGN_A514;
	}
	return high_order && was && pcp->free_count >= pcp->threshold &&
	       (!pcp->free_high_batch || pcp->count >= pcp->batch);
}

/**
 * Counts the pages of a free; a short, which wraps.
 * Source: mm/page_alloc.c, free_frozen_page_commit(), v6.18.
 */
static inline void zl_pcp_free_count(struct zl_pcp *pcp, unsigned order)
{
	if (pcp->free_count < pcp->ceiling) {
		pcp->free_count = (int16_t)(pcp->free_count + (int32_t)zl_pages_of(order));
	}
}

/**
 * The limit that count is compared with. Where nothing presses and count is below it, the pageset's
 * high alone decides.
 * Source: mm/page_alloc.c, nr_pcp_high(), v6.8 to v7.1.
 */
static inline int32_t zl_nr_pcp_high(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high)
{
	if (pcp->settled && !free_high && s->policy == NULL && !s->reclaim && !s->below_high &&
		pcp->count < pcp->high) {
		return pcp->high;
	}
	return zl_nr_pcp_high_slow(s, pcp, free_high);
}

#endif
