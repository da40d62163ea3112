/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tuning rules of a pageset under policies: the same steps as in pcp.c, with a policy in place
 * of each rule that has one.
 */
#include "pcp_hot.h"
#include "policy_run.h"

/* The policy of a point, or what the release's rule gave. */
static int64_t rule(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	const struct policy_ask *ask, int64_t built_in)
{
	return zl_policy_at(s, p) ? zl_policy_ask(s, pcp, p, ask, built_in) : built_in;
}

/* --- allocation --- */

static uint32_t nr_alloc_fixed(struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	const struct policy_ask ask = {.order = order, .high = pcp->high, .batch = pcp->batch};
	int64_t blocks = pcp->batch > 1 ? zl_max(pcp->batch >> order, 2) : pcp->batch;

	return (uint32_t)rule(s, pcp, ZL_POINT_NR_PCP_ALLOC, &ask, blocks);
}

/* A refill by policies stays within what memory was obtained for. */
static uint32_t within_reserve(
	const struct zl_sim *s, const struct zl_pcp *pcp, int64_t blocks, unsigned order)
{
	int64_t most = zl_max((int64_t)pcp->batch << s->cfg.scale_max, POLICY_REFILL_PAGES);

	most = zl_max(most >> order, 2);
	return (uint32_t)(blocks < most ? blocks : most);
}

uint32_t zl_policy_nr_pcp_alloc(struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	struct policy_ask ask = {.order = order, .batch = pcp->batch};
	int64_t base = pcp->batch;
	int64_t blocks;

	if (!s->tuned) {
		return within_reserve(s, pcp, nr_alloc_fixed(s, pcp, order), order);
	}
	ask.high = zl_clamp(s, pcp->high, pcp->high_min, pcp->high_max);
	pcp->high = (int32_t)ask.high;
	if (ask.high >= base) {
		ask.batch = order > 0 ? base : base << pcp->alloc_factor;
		if (pcp->high_min != pcp->high_max && !s->below_high) {
			ask.high = rule(s, pcp, ZL_POINT_HIGH_REFILL, &ask,
				zl_min(ask.high + ask.batch, pcp->high_max));
			pcp->high = (int32_t)ask.high;
		}
		if (order == 0) {
			int64_t room = rule(s, pcp, ZL_POINT_ROOM, &ask,
				zl_max(ask.high - pcp->count - base, base));

			if (ask.batch <= room &&
				pcp->alloc_factor < rule(s, pcp, ZL_POINT_ALLOC_FACTOR_MAX, &ask,
							    s->cfg.scale_max)) {
				pcp->alloc_factor++;
			}
			ask.batch = zl_min(ask.batch, room);
		}
	}
	blocks = ask.batch > 1 ? zl_max(ask.batch >> order, 2) : ask.batch;
	blocks = ask.high < base ? 1 : blocks;
	blocks = rule(s, pcp, ZL_POINT_NR_PCP_ALLOC, &ask, blocks);
	pcp->settled = false;
	return within_reserve(s, pcp, zl_max(blocks, 0), order);
}

/* --- frees --- */

bool zl_policy_free_high(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	const struct policy_ask ask = {.order = order, .high = pcp->high};
	bool holds;

	if (!zl_policy_at(s, ZL_POINT_FREE_HIGH)) {
		return zl_pcp_free_high(s, pcp, order);
	}
	holds = zl_policy_may_flush(s->policy, pcp, pcp->count, order) &&
		zl_policy_ask(s, pcp, ZL_POINT_FREE_HIGH, &ask, 0) != 0;
	pcp->prev_free_high_order = order > 0 && order <= ZL_COSTLY_ORDER;
	return holds;
}

/* Source: mm/page_alloc.c, nr_pcp_high(), v6.1. */
static int32_t high_fixed(const struct zl_sim *s, const struct zl_pcp *pcp, bool free_high)
{
	const struct policy_ask ask = {
		.order = s->work.order, .high = pcp->high, .free_high = free_high};
	int64_t limit = s->reclaim ? zl_min(4 * (int64_t)pcp->batch, pcp->high) : pcp->high;

	limit = pcp->high == 0 || free_high ? 0 : limit;
	return (int32_t)rule(s, pcp, ZL_POINT_NR_PCP_HIGH, &ask, limit);
}

/* Tunes pcp->high; the rule that does it depends on what presses. */
static int64_t tune_high(const struct zl_sim *s, struct zl_pcp *pcp, const struct policy_ask *ask)
{
	int64_t lo = pcp->high_min;
	int64_t need = zl_max(pcp->free_count, pcp->batch);
	int64_t high = ask->high;

	if (high == 0) {
		return 0;
	}
	if (ask->free_high) {
		pcp->high = (int32_t)rule(
			s, pcp, ZL_POINT_HIGH_ON_FREE_HIGH, ask, zl_max(high - pcp->ceiling, lo));
		return 0;
	}
	if (s->reclaim) {
		pcp->high = (int32_t)rule(
			s, pcp, ZL_POINT_HIGH_ON_RECLAIM, ask, zl_max(high - need, lo));
		return zl_min(4 * (int64_t)pcp->batch, pcp->high);
	}
	if (lo == pcp->high_max) {
		return high;
	}
	if (s->below_high) {
		pcp->high =
			(int32_t)rule(s, pcp, ZL_POINT_HIGH_BELOW, ask, zl_max(high - need, lo));
		return zl_max(pcp->count, lo);
	}
	if (pcp->count >= high) {
		need = (int64_t)pcp->free_count + pcp->batch;
		if (pcp->high < need) {
			need = zl_clamp(s, need, lo, pcp->high_max);
		} else {
			need = pcp->high;
		}
		pcp->high = (int32_t)rule(s, pcp, ZL_POINT_HIGH_GROW, ask, need);
	}
	return high;
}

int32_t zl_policy_nr_pcp_high(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high)
{
	struct policy_ask ask = {.order = s->work.order, .free_high = free_high};
	int64_t limit;

	if (!s->tuned) {
		return high_fixed(s, pcp, free_high);
	}
	ask.high = zl_clamp(s, pcp->high, pcp->high_min, pcp->high_max);
	pcp->high = (int32_t)ask.high;
	limit = rule(s, pcp, ZL_POINT_NR_PCP_HIGH, &ask, tune_high(s, pcp, &ask));
	pcp->settled = pcp->high >= pcp->high_min && pcp->high <= pcp->high_max;
	return (int32_t)limit;
}

/*
 * The A designs' factor grows as ever.
 * Source: mm/page_alloc.c, nr_pcp_free(), v6.1.
 */
static int64_t nr_free_fixed(
	const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high)
{
	int64_t most = (int64_t)high - pcp->batch;
	int64_t pages = (int64_t)pcp->batch << pcp->free_factor;
	bool capped = s->cfg.switches.design == ZL_DESIGN_A_CAP;

	if (free_high) {
		return pcp->count;
	}
	if (high < pcp->batch) {
		return 1;
	}
	if (pages < most && (!capped || pcp->free_factor < (int16_t)s->cfg.scale_max)) {
		pcp->free_factor++;
	}
	return zl_clamp(s, pages, pcp->batch, most);
}

int32_t zl_policy_nr_pcp_free(
	const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high)
{
	const struct policy_ask ask = {
		.order = s->work.order, .high = high, .free_high = free_high};
	/* The rule reads free_factor as it was, before it grows. */
	int64_t by_policy = rule(s, pcp, ZL_POINT_NR_PCP_FREE, &ask, -1);
	int64_t pages;

	if (!s->tuned) {
		pages = nr_free_fixed(s, pcp, high, free_high);
	} else if (free_high) {
		pages = zl_min(pcp->count, pcp->ceiling);
	} else if (high < pcp->batch) {
		pages = 1;
	} else {
		pages = zl_clamp(s, pcp->free_count, pcp->batch, (int64_t)high - pcp->batch);
	}
	return (int32_t)(by_policy >= 0 ? by_policy : pages);
}

void zl_policy_decay_high(const struct zl_sim *s, struct zl_pcp *pcp)
{
	const struct policy_ask ask = {.high = pcp->high};

	pcp->high = (int32_t)zl_policy_ask(s, pcp, ZL_POINT_DECAY_PCP_HIGH, &ask, pcp->high);
	pcp->settled = false;
}

int32_t zl_policy_chunk(
	const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p, int32_t to_free)
{
	const struct policy_ask ask = {
		.order = s->work.order, .high = pcp->high, .to_free = to_free};
	int64_t pages = zl_policy_ask(s, pcp, p, &ask, to_free);

	return (int32_t)(pages < to_free ? pages : to_free);
}
