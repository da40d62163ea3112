/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periodic work and explicit drains. */
#include "buddy.h"
#include "ops.h"
#include "pcp.h"
#include "policy_run.h"

/** Refreshes that a remote pageset may stay idle. Source: mm/vmstat.c, refresh_cpu_vm_stats(), v6.18. */
#define EXPIRE_TICKS 3

/* Any change of a zone counter since the last tick starts the countdown of a remote pageset. */
static void fold_diffs(const struct zl_sim *s, struct zl_pcp *pcp)
{
	if (pcp->diff_free != 0 || (s->cfg.cma && pcp->diff_cma != 0) ||
		(s->count_blocks && pcp->diff_blocks != 0)) {
		pcp->expire = EXPIRE_TICKS;
	}
	pcp->diff_free = 0;
	pcp->diff_cma = 0;
	pcp->diff_blocks = 0;
}

static int32_t decay_chunk(const struct zl_sim *s, const struct zl_pcp *pcp, int32_t over)
{
	if (zl_policy_at(s, ZL_POINT_DECAY_CHUNK)) {
		return zl_policy_chunk(s, pcp, ZL_POINT_DECAY_CHUNK, over);
	}
	return s->cfg.switches.decay_chunks && pcp->batch < over ? pcp->batch : over;
}

/* Source: mm/page_alloc.c, decay_pcp_high(), v6.12 and v7.1. Returns changes. */
static unsigned decay(struct zl_sim *s, struct zl_pcp *pcp)
{
	unsigned changes = 0;
	int32_t over;

	if (zl_decay_high(s, pcp)) {
		s->work.reason = ZL_REASON_TICK_DECAY;
		changes++;
	}
	over = pcp->count - pcp->high;
	if (over <= 0) {
		return changes;
	}
	s->work.reason = ZL_REASON_TICK_DECAY_DRAIN;
	s->totals.drains_decay++;
	while (over > 0) {
		int32_t chunk = decay_chunk(s, pcp, over);

		zl_pcp_bulk_free(s, pcp, chunk, 0);
		over -= chunk;
	}
	return changes + 1;
}

static void drain_batch(struct zl_sim *s, struct zl_pcp *pcp)
{
	int32_t pages = pcp->count < pcp->batch ? pcp->count : pcp->batch;

	if (pages > 0) {
		zl_pcp_bulk_free(s, pcp, pages, 0);
	}
}

/*
 * The countdown of a remote pageset; a local one that is empty keeps its count.
 * Source: mm/vmstat.c, refresh_cpu_vm_stats(), v6.1 and v6.18. Returns changes.
 */
static unsigned expire(struct zl_sim *s, struct zl_pcp *pcp)
{
	if (pcp->expire == 0 || pcp->count == 0) {
		return 0;
	}
	if (!pcp->remote) {
		pcp->expire = 0;
		return 0;
	}
	pcp->expire--;
	if (pcp->expire > 0) {
		if (s->work.reason == ZL_REASON_TICK_QUIET) {
			s->work.reason = ZL_REASON_TICK_EXPIRE_WAIT;
		}
		return s->tuned;
	}
	s->work.reason = ZL_REASON_TICK_EXPIRE_DRAIN;
	s->totals.drains_expire++;
	drain_batch(s, pcp);
	return 1;
}

void zl_op_tick(struct zl_sim *s)
{
	struct zl_pcp *pcp = zl_this_pcp(s);
	unsigned changes = 0;

	s->work.reason = ZL_REASON_TICK_QUIET;
	fold_diffs(s, pcp);
	if (s->tuned) {
		changes += decay(s, pcp);
	}
	changes += expire(s, pcp);
	s->work.result = ZL_RESULT_NUMBER;
	/* The series that brought the chunks also made the result a yes or no. */
	s->work.value = s->cfg.switches.decay_chunks ? changes > 0 : changes;
}

void zl_op_drain(struct zl_sim *s)
{
	struct zl_pcp *pcp = zl_this_pcp(s);

	s->work.reason = pcp->count > 0 ? ZL_REASON_DRAIN : ZL_REASON_DRAIN_EMPTY;
	zl_pcp_drain(s, pcp);
}

void zl_op_drainall(struct zl_sim *s)
{
	s->work.reason = ZL_REASON_DRAIN_EMPTY;
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		if (s->pcp[i].count > 0 && !s->pcp[i].offline) {
			s->work.reason = ZL_REASON_DRAIN;
			zl_pcp_drain(s, &s->pcp[i]);
		}
	}
}

void zl_op_drainzone(struct zl_sim *s)
{
	struct zl_pcp *pcp = zl_this_pcp(s);

	s->work.reason = pcp->count > 0 ? ZL_REASON_DRAIN_ZONE : ZL_REASON_DRAIN_EMPTY;
	drain_batch(s, pcp);
}
