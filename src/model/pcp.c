/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tuning rules of a pageset, by design. All figures are pages. The functions bear the names
 * that the kernel gives them from 6.7 on.
 */
#include "pcp.h"

#include "pcp_hot.h"
#include "policy_run.h"

#include "zonelab/tuning.h"

/* Source: mm/page_alloc.c, rmqueue_bulk() callers, __rmqueue_pcplist(), v6.1. */
static uint32_t nr_alloc_fixed(const struct zl_pcp *pcp, unsigned order)
{
	if (pcp->batch <= 1) {
		return (uint32_t)pcp->batch;
	}
	return (uint32_t)zl_max(pcp->batch >> order, 2);
}

/* Source: mm/page_alloc.c, nr_pcp_alloc(), v6.8 to v7.1. */
uint32_t zl_nr_pcp_alloc(struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	int64_t base = pcp->batch;
	int64_t high, batch;

	if (s->policy != NULL) {
		return zl_policy_nr_pcp_alloc(s, pcp, order);
	}
	if (!s->tuned) {
		return nr_alloc_fixed(pcp, order);
	}
	high = zl_clamp(s, pcp->high, pcp->high_min, pcp->high_max);
	pcp->high = (int32_t)high;
	if (high < base) {
		return 1;
	}
	batch = order > 0 ? base : base << pcp->alloc_factor;
	if (pcp->high_min != pcp->high_max && !s->below_high) {
		high = zl_min(high + batch, pcp->high_max);
		pcp->high = (int32_t)high;
	}
	if (order == 0) {
		int64_t room = zl_max(high - pcp->count - base, base);

		if (batch <= room && pcp->alloc_factor < s->cfg.scale_max) {
			pcp->alloc_factor++;
		}
		batch = zl_min(batch, room);
	}
	return (uint32_t)(batch > 1 ? zl_max(batch >> order, 2) : batch);
}

/* What free_high compares free_count with; the A designs compare count. */
static int32_t threshold(const struct zl_sim *s, const struct zl_pcp *pcp)
{
	switch (s->cfg.switches.design) {
	case ZL_DESIGN_A:
	case ZL_DESIGN_A_CAP:
		return pcp->high;
	case ZL_DESIGN_B:
		return pcp->batch;
	case ZL_DESIGN_C:
	case ZL_DESIGN_D19:
	case ZL_DESIGN_D71:
		return pcp->batch + pcp->high_min / 2;
	case ZL_DESIGN_NONE:
	case ZL_DESIGN_A514:
	case ZL_DESIGN_COUNT:
		break;
	}
	return 0;
}

/* Source: mm/page_alloc.c, nr_pcp_high(), v6.1. */
static int32_t high_fixed(const struct zl_sim *s, const struct zl_pcp *pcp, bool free_high)
{
	if (pcp->high == 0 || free_high) {
		return 0;
	}
	return s->reclaim ? (int32_t)zl_min(4 * (int64_t)pcp->batch, pcp->high) : pcp->high;
}

/* Source: mm/page_alloc.c, nr_pcp_high(), v6.8 to v7.1. */
static int32_t high_tuned(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high)
{
	int64_t lo = pcp->high_min;
	int64_t high, need;

	high = zl_clamp(s, pcp->high, lo, pcp->high_max);
	pcp->high = (int32_t)high;
	if (high == 0) {
		return 0;
	}
	if (free_high) {
		pcp->high = (int32_t)zl_max(high - pcp->ceiling, lo);
		return 0;
	}
	need = zl_max(pcp->free_count, pcp->batch);
	if (s->reclaim) {
		pcp->high = (int32_t)zl_max(high - need, lo);
		return (int32_t)zl_min(4 * (int64_t)pcp->batch, pcp->high);
	}
	if (lo == pcp->high_max) {
		return (int32_t)high;
	}
	if (s->below_high) {
		pcp->high = (int32_t)zl_max(high - need, lo);
		return (int32_t)zl_max(pcp->count, lo);
	}
	if (pcp->count >= high) {
		need = (int64_t)pcp->free_count + pcp->batch;
		if (pcp->high < need) {
			pcp->high = (int32_t)zl_clamp(s, need, lo, pcp->high_max);
		}
	}
	return (int32_t)high;
}

int32_t zl_nr_pcp_high_slow(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high)
{
	int32_t limit;

	if (s->policy != NULL) {
		return zl_policy_nr_pcp_high(s, pcp, free_high);
	}
	if (!s->tuned) {
		return high_fixed(s, pcp, free_high);
	}
	limit = high_tuned(s, pcp, free_high);
	pcp->settled = pcp->high >= pcp->high_min && pcp->high <= pcp->high_max;
	return limit;
}

/* Source: mm/page_alloc.c, nr_pcp_free(), v5.15 and v6.1. */
static int32_t nr_free_fixed(
	const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high)
{
	int64_t most = (int64_t)high - pcp->batch;
	int64_t pages;
	bool capped = s->cfg.switches.design == ZL_DESIGN_A_CAP;

	if (free_high) {
		return pcp->count;
	}
	if (high < pcp->batch) {
		return 1;
	}
	pages = (int64_t)pcp->batch << pcp->free_factor;
	if (pages < most && (!capped || pcp->free_factor < (int16_t)s->cfg.scale_max)) {
		pcp->free_factor++;
	}
	return (int32_t)zl_clamp(s, pages, pcp->batch, most);
}

/* Source: mm/page_alloc.c, nr_pcp_free(), v6.8 to v7.1. */
int32_t zl_nr_pcp_free(const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high)
{
	if (s->policy != NULL) {
		return zl_policy_nr_pcp_free(s, pcp, high, free_high);
	}
	if (!s->tuned) {
		return nr_free_fixed(s, pcp, high, free_high);
	}
	if (free_high) {
		return (int32_t)zl_min(pcp->count, pcp->ceiling);
	}
	if (high < pcp->batch) {
		return 1;
	}
	return (int32_t)zl_clamp(s, pcp->free_count, pcp->batch, (int64_t)high - pcp->batch);
}

/* Source: mm/page_alloc.c, decay_pcp_high(), v6.8 to v7.1. */
bool zl_decay_high(const struct zl_sim *s, struct zl_pcp *pcp)
{
	int64_t high;

	if (pcp->high <= pcp->high_min) {
		return false;
	}
	if (zl_policy_at(s, ZL_POINT_DECAY_PCP_HIGH)) {
		zl_policy_decay_high(s, pcp);
		return pcp->high > pcp->high_min;
	}
	high = zl_max((int64_t)pcp->count - pcp->ceiling, pcp->high - (pcp->high >> 3));
	pcp->high = (int32_t)zl_max(high, pcp->high_min);
	return pcp->high > pcp->high_min;
}

/* The divisor of a zone whose node has no CPU. */
static unsigned online_cpus(const struct zl_sim *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_cpus; i++) {
		n += s->pcp[i].offline ? 0 : 1;
	}
	return n;
}

/* Source: mm/page_alloc.c, zone_set_pageset_high_and_batch(), v6.1 and v6.18. */
bool zl_pcp_update_limits(struct zl_sim *s)
{
	const struct zl_sim_config *c = &s->cfg;
	const struct zl_pcp *first = &s->pcp[0];
	const struct zl_pcp_in in = {
		.design = c->switches.design,
		.mmu = c->mmu,
		.page_shift = c->page_shift,
		.managed = c->managed,
		.low_wmark = s->wmark_low + s->wmark_boost,
		.fraction = s->high_fraction,
		.cpus = s->limit_cpus > 0 ? s->limit_cpus : online_cpus(s),
		.batch = c->batch >= 0 ? (unsigned)c->batch : 0,
		.policies = c->policies,
	};
	struct zl_pcp_limits l;
	bool same;

	zl_pcp_limits(&in, &l);
	int32_t batch = (int32_t)l.batch;
	int32_t lo = (int32_t)(c->high_min >= 0 ? (uint64_t)c->high_min : l.high_min);
	int32_t hi = (int32_t)(c->high_max >= 0 ? (uint64_t)c->high_max : l.high_max);

	if (s->pcp_disabled) {
		batch = 1;
		lo = 0;
		hi = 0;
	}
	same = first->batch == batch && first->high_min == lo && first->high_max == hi;
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		struct zl_pcp *pcp = &s->pcp[i];

		same = same && pcp->batch == batch;
		pcp->batch = batch;
		pcp->high_min = lo;
		pcp->high_max = hi;
		pcp->ceiling = s->tuned ? batch << c->scale_max : 0;
		pcp->settled = false;
		if (!s->tuned) {
			pcp->high = lo;
		}
		pcp->threshold = threshold(s, pcp);
	}
	zl_policy_run_limits(s);
	return !same;
}

/* Source: mm/page_alloc.c, zone_pcp_update_cacheinfo(), v6.8 and v6.12. */
void zl_pcp_update_cacheinfo(struct zl_sim *s)
{
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		s->pcp[i].free_high_batch = zl_free_high_batch(s->cfg.switches.design,
			s->cache_slice, s->cfg.page_shift, (unsigned)s->pcp[i].batch);
	}
}
