/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at a sim: copies of its figures, walks over its lists. */
#include <string.h>

#include "buddy.h"
#include "ops.h"
#include "pcp_hot.h"
#include "policy_run.h"
#include "zonelab/sim.h"

void zl_sim_totals(const struct zl_sim *sim, struct zl_totals *ret)
{
	*ret = sim->totals;
	ret->ops = sim->nr_ops;
}

const struct zl_sim_config *zl_sim_config(const struct zl_sim *sim)
{
	return &sim->cfg;
}

uint64_t zl_sim_ops(const struct zl_sim *sim)
{
	return sim->nr_ops;
}

unsigned zl_sim_cpu(const struct zl_sim *sim)
{
	return sim->cpu;
}

unsigned zl_sim_cpus(const struct zl_sim *sim)
{
	return sim->nr_cpus;
}

bool zl_sim_has_type(const struct zl_sim *sim, enum zl_migratetype mt)
{
	return mt < ZL_MIGRATE_COUNT && (mt != ZL_MIGRATE_CMA || sim->cfg.cma);
}

bool zl_sim_grouping_off(const struct zl_sim *sim)
{
	return sim->grouping_off;
}

void zl_sim_zone(const struct zl_sim *sim, struct zl_zone_view *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->free = sim->nr_free;
	ret->free_highatomic = sim->nr_free_highatomic;
	ret->free_cma = sim->nr_free_cma;
	ret->free_blocks = sim->nr_free_blocks;
	ret->reserved_highatomic = sim->nr_reserved_highatomic;
	ret->used = sim->nr_used;
	for (unsigned i = 0; i < sim->nr_cpus; i++) {
		ret->parked += sim->pcp[i].count;
	}
	ret->below_high = sim->below_high;
	ret->reclaim = sim->reclaim;
	ret->cma_used = sim->nr_cma_used;
	ret->pinned = sim->nr_pinned;
	ret->isolated = sim->nr_isolated;
	ret->boost = (int64_t)sim->wmark_boost;
	ret->wmark_min = (int64_t)(sim->wmark_min + sim->wmark_boost);
	ret->wmark_low = (int64_t)(sim->wmark_low + sim->wmark_boost);
	ret->wmark_high = (int64_t)(sim->wmark_high + sim->wmark_boost);
	ret->pcp_disabled = sim->pcp_disabled;
}

/* Threshold and ceiling as far as the expressions say them. */
static void policy_figures(
	const struct zl_sim *s, const struct zl_pcp *pcp, struct zl_pageset_view *v)
{
	const struct policy_step *st = &s->policy->on_free;

	if (zl_policy_at(s, ZL_POINT_FREE_HIGH)) {
		v->by_policy = true;
		/* A needs an overflow, which free_factor tells: then count is what is compared. */
		v->threshold_exists = zl_policy_threshold(s, pcp, &v->threshold) ||
				      (!s->tuned && s->policy->guard.free_factor > 0);
	}
	if (zl_policy_at(s, ZL_POINT_FREE_COUNT_STEP)) {
		v->ceiling = st->simple && st->limit < INT32_MAX ? (int32_t)st->limit : 0;
	}
}

void zl_sim_pageset(const struct zl_sim *sim, unsigned cpu, struct zl_pageset_view *ret)
{
	const struct zl_pcp *pcp = &sim->pcp[cpu];
	enum zl_design_id design = sim->cfg.switches.design;

	memset(ret, 0, sizeof(*ret));
	ret->tuned = sim->tuned;
	ret->count = pcp->count;
	ret->high = pcp->high;
	ret->batch = pcp->batch;
	ret->expire = pcp->expire;
	if (sim->tuned) {
		ret->high_min = pcp->high_min;
		ret->high_max = pcp->high_max;
		ret->free_count = pcp->free_count;
		ret->alloc_factor = pcp->alloc_factor;
		ret->prev_free_high_order = pcp->prev_free_high_order;
		ret->free_high_batch = pcp->free_high_batch;
	} else {
		ret->free_factor = pcp->free_factor;
	}
	ret->nr_lists = sim->nr_lists;
	for (unsigned i = 0; i < sim->nr_lists; i++) {
		ret->lists[i] = pcp->list[i].blocks;
	}
	ret->threshold_exists = design != ZL_DESIGN_A514 && sim->has_pagesets;
	ret->threshold = ret->threshold_exists ? pcp->threshold : 0;
	ret->ceiling = pcp->ceiling;
	if (sim->policy != NULL) {
		policy_figures(sim, pcp, ret);
	}
}

void zl_sim_list_kind(
	const struct zl_sim *sim, unsigned pindex, unsigned *ret_order, enum zl_migratetype *ret_mt)
{
	if (pindex < ZL_PCP_LOW_LISTS) {
		*ret_order = pindex / ZL_MIGRATE_PCPTYPES;
		*ret_mt = (enum zl_migratetype)(pindex % ZL_MIGRATE_PCPTYPES);
		return;
	}
	*ret_order = (unsigned)sim->thp_order;
	*ret_mt = (enum zl_migratetype)(pindex - ZL_PCP_LOW_LISTS);
}

size_t zl_sim_pageset_list(
	const struct zl_sim *sim, unsigned cpu, unsigned pindex, uint32_t *ret_pfns, size_t max)
{
	const struct zl_pcp_list *l = &sim->pcp[cpu].list[pindex];
	uint32_t pfn = l->first;
	size_t n = 0;

	for (uint32_t left = l->blocks; left > 0 && n < max; left--) {
		ret_pfns[n++] = pfn;
		if (left > 1) {
			pfn = zl_page_r(sim, pfn)->next;
		}
	}
	return n;
}

uint64_t zl_sim_free_blocks(const struct zl_sim *sim, unsigned order, enum zl_migratetype mt)
{
	return order < ZL_ORDERS ? sim->free[order][mt].blocks : 0;
}

size_t zl_sim_free_list(const struct zl_sim *sim, unsigned order, enum zl_migratetype mt,
	uint32_t *ret_pfns, size_t max)
{
	uint32_t pfn = zl_free_first(sim, order, mt);
	size_t n = 0;

	while (pfn != ZL_NIL && n < max) {
		ret_pfns[n++] = pfn;
		pfn = zl_free_next(sim, pfn, order);
	}
	return n;
}

uint64_t zl_sim_pageblocks(const struct zl_sim *sim)
{
	uint64_t block = zl_pages_of(sim->page_block_order);

	return (sim->nr_pages + block - 1) / block;
}

/* The block that covers @pfn: its head is @pfn rounded down to some order. */
uint32_t zl_covering_head(const struct zl_sim *s, uint32_t pfn, struct zl_block_at *ret)
{
	for (unsigned o = 0; o <= s->max_order; o++) {
		uint32_t head = pfn >> o << o;

		zl_block_at(s, head, ret);
		if (ret->state != ZL_PAGE_INSIDE && head + (ret->pages - 1) >= pfn) {
			return head;
		}
	}
	ret->state = ZL_PAGE_INSIDE;
	ret->pages = 1;
	return pfn;
}

void zl_sim_pageblock(const struct zl_sim *sim, uint64_t index, struct zl_pageblock_view *ret)
{
	uint64_t start = index << sim->page_block_order;
	uint64_t end = start + zl_pages_of(sim->page_block_order);
	struct zl_block_at at;

	memset(ret, 0, sizeof(*ret));
	end = end < sim->nr_pages ? end : sim->nr_pages;
	ret->type = (enum zl_migratetype)zl_block_type(sim, (uint32_t)start);
	ret->pages = (uint32_t)(end - start);
	while (start < end) {
		uint32_t head = zl_covering_head(sim, (uint32_t)start, &at);
		uint64_t stop = (uint64_t)head + at.pages;
		uint32_t pages = (uint32_t)((stop < end ? stop : end) - start);

		switch (at.state) {
		case ZL_PAGE_FREE:
			ret->free += pages;
			break;
		case ZL_PAGE_PCP:
			ret->parked += pages;
			break;
		case ZL_PAGE_USED:
			*((at.list & ZL_USED_MOVABLE) != 0 ? &ret->used_movable
							   : &ret->used_other) += pages;
			ret->used_cma += (at.list & ZL_USED_CONTIG) != 0 ? pages : 0;
			ret->pinned += (at.list & ZL_USED_PINNED) != 0 ? pages : 0;
			break;
		case ZL_PAGE_INSIDE:
			break;
		}
		start += pages;
	}
}

int64_t zl_sim_id_pfn(const struct zl_sim *sim, uint32_t id)
{
	uint32_t slot = zl_id_get(sim, id);

	if (slot == ZL_ID_FREE) {
		return -1;
	}
	return slot == ZL_ID_FAILED ? -2 : (int64_t)slot - 1;
}

bool zl_sim_cpu_online(const struct zl_sim *sim, unsigned cpu)
{
	return cpu < sim->nr_cpus && !sim->pcp[cpu].offline;
}

static const struct zl_page *used_page(const struct zl_sim *sim, uint32_t id)
{
	uint32_t slot = zl_id_get(sim, id);

	return slot == ZL_ID_FREE || slot == ZL_ID_FAILED ? NULL : zl_page_r(sim, slot - 1);
}

bool zl_sim_id_movable(const struct zl_sim *sim, uint32_t id)
{
	const struct zl_page *p = used_page(sim, id);

	return p != NULL && p->list == ZL_USED_MOVABLE;
}

uint32_t zl_sim_id_pages(const struct zl_sim *sim, uint32_t id)
{
	const struct zl_page *p = used_page(sim, id);

	if (p == NULL) {
		return 0;
	}
	return (p->list & ZL_USED_CONTIG) != 0 ? p->prev : zl_pages_of(p->order);
}

size_t zl_sim_bytes(const struct zl_sim *sim)
{
	size_t roots = (size_t)sim->pages.nr_root + sim->blocks.nr_root + sim->ids.nr_root;

	return sizeof(*sim) + sim->nr_cpus * sizeof(*sim->pcp) + roots * sizeof(uintptr_t) +
	       (sim->pool.nr_nodes + sim->pool.nr_spare) * sizeof(struct zl_node);
}
