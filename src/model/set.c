/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of settings while a zone lives. */
#include <errno.h>
#include <string.h>

#include "ops.h"
#include "pcp.h"
#include "policy_run.h"

/* New CPUs get a pageset with nothing in it and no cache-slice flag. */
int zl_set_reserve(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp;

	if (op->key != ZL_SIM_CPUS || op->arg <= s->nr_cpus) {
		return 0;
	}
	pcp = s->mem.realloc(s->mem.user, s->pcp, op->arg * sizeof(*pcp));
	if (pcp == NULL) {
		return -ENOMEM;
	}
	memset(pcp + s->nr_cpus, 0, (op->arg - s->nr_cpus) * sizeof(*pcp));
	for (uint32_t i = s->nr_cpus; i < op->arg; i++) {
		pcp[i].remote = !s->cfg.node_local;
	}
	s->pcp = pcp;
	s->this_pcp = &pcp[s->cpu];
	return 0;
}

/* The rules of a release that a zone follows. */
static bool same_rules(const struct zl_switches *a, const struct zl_switches *b)
{
	return a->design == b->design && a->decay_chunks == b->decay_chunks &&
	       a->thp_lists == b->thp_lists && a->thp_order == b->thp_order &&
	       a->refill_failure_tries_buddy == b->refill_failure_tries_buddy &&
	       a->full_drain == b->full_drain && a->drain_order == b->drain_order &&
	       a->drain_type == b->drain_type && a->clamp == b->clamp &&
	       a->buddy_fallback == b->buddy_fallback && a->merge_retag == b->merge_retag &&
	       a->high_order_atomic_refill == b->high_order_atomic_refill &&
	       a->uniprocessor_pcp == b->uniprocessor_pcp &&
	       a->highatomic_reserve == b->highatomic_reserve;
}

/* Whether a living zone can become one of this configuration. */
static bool same_zone(const struct zl_sim *s, const struct zl_sim_config *c)
{
	const struct zl_sim_config *o = &s->cfg;
	bool size = c->page_shift == o->page_shift && c->managed == o->managed &&
		    c->pages == o->pages && c->cpus == o->cpus;
	bool orders = c->pageblock_order == o->pageblock_order && c->max_order == o->max_order &&
		      c->hpage_order == o->hpage_order && c->thp == o->thp;
	bool kind = c->smp == o->smp && c->mmu == o->mmu && c->cma == o->cma &&
		    c->cma_start == o->cma_start && c->cma_pages == o->cma_pages;
	/* What is built in: its release, and pcp_batch_scale_max. */
	bool built = same_rules(&c->switches, &o->switches) && c->scale_max == o->scale_max;
	/* One of several zones: what it keeps from whom, and where its CPUs are. */
	bool place = memcmp(c->lowmem_reserve, o->lowmem_reserve, sizeof(c->lowmem_reserve)) == 0 &&
		     c->local_first == o->local_first && c->local_cpus == o->local_cpus &&
		     c->node_local == o->node_local;

	return size && orders && kind && built && place;
}

int zl_sim_retune(struct zl_sim *s, const struct zl_sim_config *c, struct zl_error *err)
{
	struct zl_policy_run *policy = NULL;
	int rc = zl_sim_config_check(c, err);

	if (rc == 0 && !same_zone(s, c)) {
		zl_error_set(err, 0, 0, "this setting is fixed when the zone is made");
		rc = -EINVAL;
	}
	if (rc == 0) {
		rc = zl_policy_run_new(c, &s->mem, &policy);
	}
	if (rc != 0) {
		return rc;
	}
	/* What `set` ops have changed since stays, unless it is changed here. */
	s->wmark_min = c->wmark_min != s->cfg.wmark_min ? c->wmark_min : s->wmark_min;
	s->wmark_low = c->wmark_low != s->cfg.wmark_low ? c->wmark_low : s->wmark_low;
	s->wmark_high = c->wmark_high != s->cfg.wmark_high ? c->wmark_high : s->wmark_high;
	s->high_fraction =
		c->high_fraction != s->cfg.high_fraction ? c->high_fraction : s->high_fraction;
	s->cache_slice = c->cache_slice != s->cfg.cache_slice ? c->cache_slice : s->cache_slice;
	s->cfg = *c;
	zl_policy_run_free(s->policy, &s->mem);
	s->policy = policy;
	s->cfg.policies = policy != NULL ? &policy->share->set : NULL;
	s->count_blocks = c->switches.design >= ZL_DESIGN_C;
	(void)zl_pcp_update_limits(s);
	zl_pcp_update_cacheinfo(s);
	zl_watch_update(s);
	zl_reserve_init(s);
	return 0;
}

static void limits(struct zl_sim *s)
{
	s->work.reason = zl_pcp_update_limits(s) ? ZL_REASON_SET_LIMITS : ZL_REASON_SET_LIMITS_SAME;
}

/*
 * The pagesets get the limits of boot and are emptied; or have theirs back.
 * Source: mm/page_alloc.c, zone_pcp_disable(), zone_pcp_enable(), v6.1 and v6.18.
 */
static void disable(struct zl_sim *s, bool off)
{
	s->pcp_disabled = off;
	(void)zl_pcp_update_limits(s);
	if (off) {
		zl_op_drainall(s);
	}
	s->work.reason = off ? ZL_REASON_PCP_DISABLED : ZL_REASON_PCP_ENABLED;
}

#define KIB 1024u

static void figure(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp = zl_this_pcp(s);

	s->work.reason = ZL_REASON_SET_FIGURE;
	if (!s->tuned) {
		return;
	}
	if (op->key == ZL_SIM_HIGH) {
		pcp->high = (int32_t)op->arg;
		pcp->settled = false;
	} else if (op->key == ZL_SIM_FREE_COUNT) {
		pcp->free_count = (int16_t)op->arg;
	} else {
		pcp->alloc_factor = (uint8_t)op->arg;
	}
}

/* Watermarks; the low one has a part in the limits. */
static void set_mark(struct zl_sim *s, const struct zl_op *op)
{
	s->work.reason = ZL_REASON_SET_MARK;
	switch ((unsigned)op->key) {
	case ZL_SIM_WMARK_MIN:
		s->wmark_min = op->arg;
		break;
	case ZL_SIM_WMARK_LOW:
		s->wmark_low = op->arg;
		limits(s);
		break;
	case ZL_SIM_WMARK_HIGH:
		s->wmark_high = op->arg;
		break;
	case ZL_SIM_BOOST_FACTOR:
		s->boost_factor = op->arg;
		break;
	default: /* ZL_SIM_BOOST */
		s->wmark_boost = op->arg;
		break;
	}
}

void zl_op_set(struct zl_sim *s, const struct zl_op *op)
{
	switch ((unsigned)op->key) {
	case ZL_SIM_BELOW_HIGH:
		s->below_high = op->arg != 0;
		s->work.reason = ZL_REASON_SET_FLAG;
		break;
	case ZL_SIM_RECLAIM:
		s->reclaim = op->arg != 0;
		s->work.reason = ZL_REASON_SET_FLAG;
		break;
	case ZL_SIM_HIGH_FRACTION:
		s->high_fraction = op->arg;
		limits(s);
		break;
	case ZL_SIM_CPUS:
		s->nr_cpus = op->arg;
		s->limit_cpus = op->arg;
		limits(s);
		break;
	case ZL_SIM_LIMIT_CPUS:
		s->limit_cpus = op->arg;
		limits(s);
		break;
	case ZL_SIM_CACHE_SLICE_KIB:
		s->cache_slice = (uint64_t)op->arg * KIB;
		zl_pcp_update_cacheinfo(s);
		s->work.reason = ZL_REASON_SET_CACHE;
		break;
	case ZL_SIM_HIGH:
	case ZL_SIM_FREE_COUNT:
	case ZL_SIM_ALLOC_FACTOR:
		figure(s, op);
		break;
	case ZL_SIM_PCP_DISABLED:
		disable(s, op->arg != 0);
		break;
	default:
		set_mark(s, op);
		break;
	}
}
