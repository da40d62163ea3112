/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts.h"

static bool exists(bool there, int64_t v, int64_t *ret)
{
	*ret = there ? v : 0;
	return there;
}

static int64_t blocks(const struct zl_pageset_view *p)
{
	int64_t n = 0;

	for (unsigned i = 0; i < p->nr_lists; i++) {
		n += p->lists[i];
	}
	return n;
}

static bool pageset_fact(const struct zl_pageset_view *p, unsigned id, int64_t *ret)
{
	switch (id) {
	case VALUE_RUN_COUNT:
		return exists(true, p->count, ret);
	case VALUE_RUN_HIGH:
		return exists(true, p->high, ret);
	case VALUE_RUN_FREE_COUNT:
		return exists(p->tuned, p->free_count, ret);
	case VALUE_RUN_FREE_FACTOR:
		return exists(!p->tuned, p->free_factor, ret);
	case VALUE_RUN_THRESHOLD:
		return exists(p->threshold_exists, p->threshold, ret);
	case VALUE_RUN_CEILING:
		return exists(p->tuned, p->ceiling, ret);
	case VALUE_RUN_BATCH:
		return exists(true, p->batch, ret);
	case VALUE_RUN_HIGH_MIN:
		return exists(p->tuned, p->high_min, ret);
	case VALUE_RUN_HIGH_MAX:
		return exists(p->tuned, p->high_max, ret);
	case VALUE_RUN_ALLOC_FACTOR:
		return exists(p->tuned, p->alloc_factor, ret);
	case VALUE_RUN_PREV_HIGH_ORDER:
		return exists(p->tuned, p->prev_free_high_order, ret);
	case VALUE_RUN_BATCH_FLAG:
		return exists(p->tuned, p->free_high_batch, ret);
	case VALUE_RUN_EXPIRE:
		return exists(true, p->expire, ret);
	case VALUE_RUN_BLOCKS:
		return exists(true, blocks(p), ret);
	default: /* figures of the zone and of the op */
		return false;
	}
}

static bool zone_fact(const struct zl_zone_view *z, unsigned id, int64_t *ret)
{
	switch (id) {
	case VALUE_RUN_BUDDY_FREE:
		return exists(true, z->free, ret);
	case VALUE_RUN_PARKED:
		return exists(true, z->parked, ret);
	case VALUE_RUN_USED:
		return exists(true, z->used, ret);
	case VALUE_RUN_BELOW_HIGH:
		return exists(true, z->below_high, ret);
	case VALUE_RUN_RECLAIM:
		return exists(true, z->reclaim, ret);
	default: /* figures of the pageset and of the op */
		return false;
	}
}

static bool op_fact(const struct zl_record *r, unsigned id, int64_t *ret)
{
	switch (id) {
	case VALUE_RUN_DRAINED:
		return exists(true, r->drained, ret);
	case VALUE_RUN_REFILLED:
		return exists(true, r->refill_got, ret);
	case VALUE_RUN_LOCKS:
		return exists(true, r->zone_locks, ret);
	case VALUE_RUN_FLUSHED:
		return exists(true, r->free_high, ret);
	default: /* figures of the pageset and of the zone */
		return false;
	}
}

bool fact_get(const struct facts *f, unsigned id, int64_t *ret)
{
	*ret = 0;
	if (id == VALUE_RUN_OP) {
		return exists(true, (int64_t)f->at, ret);
	}
	if (id == VALUE_RUN_OPS) {
		return exists(true, (int64_t)f->total, ret);
	}
	if (id == VALUE_RUN_CPU) {
		return exists(true, f->cpu, ret);
	}
	return (f->pageset != NULL && pageset_fact(f->pageset, id, ret)) ||
	       (f->zone != NULL && zone_fact(f->zone, id, ret)) ||
	       (f->record != NULL && op_fact(f->record, id, ret));
}
