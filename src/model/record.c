/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of the last op: what it did, and the state after it. */
#include <string.h>

#include "pcp.h"
#include "zonelab/sim.h"

static void fill_pageset(const struct zl_sim *s, struct zl_record *r)
{
	struct zl_pageset_view v;

	zl_sim_pageset(s, s->cpu, &v);
	r->tuned = v.tuned;
	r->count = v.count;
	r->high = v.high;
	r->high_min = v.high_min;
	r->high_max = v.high_max;
	r->batch = v.batch;
	r->free_count = v.free_count;
	r->free_factor = v.free_factor;
	r->alloc_factor = v.alloc_factor;
	r->flags = (v.prev_free_high_order ? 1u : 0u) | (v.free_high_batch ? 2u : 0u);
	r->expire = v.expire;
	r->nr_lists = v.nr_lists;
	memcpy(r->lists, v.lists, sizeof(r->lists));
	r->threshold_exists = v.threshold_exists;
	r->free_high_policy = v.by_policy;
	r->threshold = v.threshold;
	r->ceiling = v.ceiling;
}

static void fill_work(const struct zl_sim *s, struct zl_record *r)
{
	const struct zl_op_work *w = &s->work;

	r->result = (enum zl_result)w->result;
	r->result_value = w->value;
	r->reason = (enum zl_reason)w->reason;
	r->pfn = (int64_t)w->block - 1;
	r->refills = w->refills;
	r->refill_req = w->refill_req;
	r->refill_got = w->refill_got;
	r->free_high = w->free_high;
	r->eff_high = w->eff_high;
	r->to_free = w->to_free;
	r->drained = w->drained;
	r->bulk_calls = w->bulk_calls;
	r->zone_locks = w->zone_locks;
	r->fallback = (enum zl_fallback_kind)w->fallback;
	r->fallbacks = w->fallbacks;
	r->merges = w->merges;
	r->longest_hold = w->longest_hold;
	r->free_count_was = w->free_count_was;
	r->migrated = w->migrated;
	r->tries = w->tries;
	r->order = w->order;
	r->mt = (enum zl_migratetype)w->mt;
}

void zl_sim_record(const struct zl_sim *sim, struct zl_record *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->index = sim->nr_ops;
	ret->op = sim->op;
	ret->cpu = sim->cpu;
	fill_work(sim, ret);
	fill_pageset(sim, ret);
	ret->below_high = sim->below_high;
	ret->reclaim = sim->reclaim;
	ret->buddy_free = sim->nr_free;
	ret->max_order = sim->max_order;
	for (unsigned o = 0; o <= sim->max_order; o++) {
		for (unsigned t = 0; t < ZL_MIGRATE_COUNT; t++) {
			ret->buddy[o] += sim->free[o][t].blocks;
		}
	}
}
