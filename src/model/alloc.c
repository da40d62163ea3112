/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation: the test against the high watermark, the pageset, the buddy.
 */
#include "buddy.h"
#include "ops.h"
#include "pcp_hot.h"
#include "policy_run.h"

/* A request on its way. */
struct request {
	unsigned order;
	unsigned mt;  /* after mobility grouping */
	bool movable; /* as the request said */
	bool atomic;
	uint8_t flags;	   /* enum zl_alloc_flag */
	uint64_t reserved; /* lowmem_reserve against it */
	uint32_t id;
};

/*
 * Free pages that the request may not use.
 * Source: mm/page_alloc.c, __zone_watermark_unusable_free(), v6.12.
 */
static int64_t unusable(const struct zl_sim *s, const struct request *r)
{
	int64_t pages = (int64_t)zl_pages_of(r->order) - 1;

	if (!r->atomic) {
		pages += s->exact_counts ? s->nr_free_highatomic : s->nr_reserved_highatomic;
	}
	if (s->cfg.cma && r->mt != ZL_MIGRATE_MOVABLE) {
		pages += s->nr_free_cma;
	}
	return pages;
}

static bool has_block(const struct zl_sim *s, const struct request *r)
{
	for (unsigned c = r->order; c <= s->max_order; c++) {
		const struct zl_free_list *l = s->free[c];

		if (l[ZL_MIGRATE_UNMOVABLE].blocks > 0 || l[ZL_MIGRATE_MOVABLE].blocks > 0 ||
			l[ZL_MIGRATE_RECLAIMABLE].blocks > 0 ||
			(r->atomic && l[ZL_MIGRATE_HIGHATOMIC].blocks > 0) ||
			(s->cfg.cma && r->mt == ZL_MIGRATE_MOVABLE &&
				l[ZL_MIGRATE_CMA].blocks > 0)) {
			return true;
		}
	}
	return false;
}

/* A watermark with the boost on it. Source: include/linux/mmzone.h, wmark_pages(), v6.12. */
static int64_t mark_of(const struct zl_sim *s, unsigned mark)
{
	uint64_t base = s->wmark_high;

	if (mark == ZL_ALLOC_WMARK_MIN) {
		base = s->wmark_min;
	} else if (mark == ZL_ALLOC_WMARK_LOW) {
		base = s->wmark_low;
	}
	return (int64_t)(base + s->wmark_boost);
}

/* Source: mm/page_alloc.c, zone_watermark_fast(), __zone_watermark_ok(), v6.12. */
static bool watermark_ok(const struct zl_sim *s, const struct request *r, int64_t mark)
{
	if (r->atomic) {
		mark -= mark / 2;
		mark -= mark / 4;
	}
	if (s->nr_free - unusable(s, r) <= mark + (int64_t)r->reserved) {
		return false;
	}
	return r->order == 0 || has_block(s, r);
}

bool zl_above_high(const struct zl_sim *s)
{
	const struct request r = {.mt = ZL_MIGRATE_UNMOVABLE};
	int64_t reserved = (int64_t)s->cfg.lowmem_reserve[ZL_ZONE_MOVABLE];

	return s->nr_free - unusable(s, &r) > mark_of(s, ZL_ALLOC_WMARK_HIGH) + reserved;
}

bool zl_sim_watermark_ok(const struct zl_sim *sim, const struct zl_watermark_question *q)
{
	const struct request r = {.order = q->order,
		.mt = sim->grouping_off ? ZL_MIGRATE_UNMOVABLE : q->mt,
		.atomic = q->atomic,
		.reserved = sim->cfg.lowmem_reserve[q->highest]};

	return watermark_ok(sim, &r, mark_of(sim, q->mark));
}

static void hand_out(struct zl_sim *s, struct zl_page *p, const struct request *r)
{
	zl_page_start(p, ZL_PAGE_USED, r->order, r->movable ? ZL_USED_MOVABLE : 0);
	p->next = r->id;
	s->nr_used += zl_pages_of(r->order);
}

static bool reserves_after_pageset(const struct zl_sim *s, const struct request *r)
{
	return r->atomic && r->order > 0 && s->cfg.switches.high_order_atomic_refill;
}

/* Fills an empty list; false when that brought nothing. */
static bool fill_list(struct zl_sim *s, const struct request *r)
{
	struct zl_pcp *pcp = zl_this_pcp(s);

	if (r->atomic && !s->cfg.switches.high_order_atomic_refill) {
		zl_nr_pcp_alloc(s, pcp, r->order);
		s->work.reason = ZL_REASON_ALLOC_DIRECT_ATOMIC;
		return false;
	}
	if (zl_pcp_refill(s, pcp, r->order, r->mt) == 0) {
		s->work.reason = ZL_REASON_ALLOC_DIRECT_EMPTY;
		return false;
	}
	s->work.reason = s->work.refill_got < s->work.refill_req ? ZL_REASON_ALLOC_REFILLED_SHORT
								 : ZL_REASON_ALLOC_REFILLED;
	return true;
}

/* Serves a request from the pageset; @ret_page is the block's first page. */
static uint32_t from_pageset(struct zl_sim *s, const struct request *r, struct zl_page **ret_page)
{
	struct zl_pcp *pcp = zl_this_pcp(s);
	int list = zl_pcp_index(s, r->order, r->mt);
	uint32_t pfn;

	if (list < 0 || !s->has_pagesets) {
		s->work.reason = list < 0 ? ZL_REASON_ALLOC_DIRECT_ORDER
					  : ZL_REASON_ALLOC_DIRECT_NO_PAGESETS;
		return ZL_NIL;
	}
	if (s->policy != NULL && s->policy->has_on_alloc) {
		zl_policy_on_alloc(s, pcp, r->order);
	} else {
		zl_pcp_alloc_halve(s, pcp);
	}
	s->work.reason = ZL_REASON_ALLOC_HIT;
	if (pcp->list[list].blocks == 0 && !fill_list(s, r)) {
		return ZL_NIL;
	}
	pfn = pcp->list[list].first;
	*ret_page = zl_page_w(s, pfn);
	zl_pcp_pop(pcp, &pcp->list[list], *ret_page, r->order);
	if (reserves_after_pageset(s, r)) {
		/* A block that is handed out is neither free nor parked. */
		(*ret_page)->state = ZL_PAGE_INSIDE;
		zl_reserve_highatomic(s, pfn, r->order);
	}
	return pfn;
}

/* Source: mm/page_alloc.c, rmqueue_buddy(), v6.1 and v6.18. */
static uint32_t direct(struct zl_sim *s, const struct request *r)
{
	enum zl_take_mode mode = ZL_TAKE_NORMAL;
	uint32_t pfn = ZL_NIL;

	zl_lock(s, ZL_LOCK_DIRECT_ALLOC);
	if (r->atomic) {
		pfn = zl_rmqueue_smallest(s, r->order, ZL_MIGRATE_HIGHATOMIC);
		if (pfn != ZL_NIL) {
			zl_note_take(s, pfn, r->order, ZL_MIGRATE_HIGHATOMIC);
		}
	}
	if (pfn == ZL_NIL) {
		pfn = zl_take(s, r->order, r->mt, &mode);
	}
	if (pfn != ZL_NIL && !s->exact_counts) {
		zl_account(s, zl_page_r(s, pfn)->rem, -(int64_t)zl_pages_of(r->order));
	}
	zl_unlock(s);
	if (pfn != ZL_NIL && r->atomic &&
		(r->order > 0 || !s->cfg.switches.high_order_atomic_refill)) {
		zl_reserve_highatomic(s, pfn, r->order);
	}
	return pfn;
}

/* Nothing came from a pageset: the buddy, or failure. */
static uint32_t without_pageset(struct zl_sim *s, const struct request *r)
{
	uint32_t pfn = ZL_NIL;

	if (s->work.refills > 0 && !s->cfg.switches.refill_failure_tries_buddy) {
		s->work.reason = ZL_REASON_ALLOC_FAILED_NO_BUDDY;
	} else {
		pfn = direct(s, r);
		if (pfn != ZL_NIL) {
			s->work.result = ZL_RESULT_BUDDY;
			s->totals.direct_buddy++;
			return pfn;
		}
		s->work.reason = ZL_REASON_ALLOC_FAILED;
	}
	s->work.result = ZL_RESULT_FAIL;
	s->totals.failed++;
	return pfn;
}

/* The zone is below its high watermark from here on, if it is now. */
static void note_below(struct zl_sim *s, const struct request *r)
{
	if (s->tuned && !s->below_high && !watermark_ok(s, r, mark_of(s, ZL_ALLOC_WMARK_HIGH))) {
		s->below_high = true;
	}
}

/*
 * Whether a watermark forbids the request. Above the high one nothing else is asked.
 * Source: mm/page_alloc.c, get_page_from_freelist(), v6.1 and v6.12.
 */
static bool forbidden(struct zl_sim *s, const struct request *r)
{
	unsigned mark = r->flags & ZL_ALLOC_WMARK_MASK;

	note_below(s, r);
	if (mark == 0 || (s->tuned && !s->below_high)) {
		return false;
	}
	return !watermark_ok(s, r, mark_of(s, mark));
}

/* The block that serves a request, handed out; ZL_NIL if none. */
static uint32_t serve(struct zl_sim *s, const struct request *r)
{
	struct zl_page *p = NULL;
	uint32_t pfn;

	s->work.nofragment = (r->flags & ZL_ALLOC_NOFRAGMENT) != 0;
	pfn = from_pageset(s, r, &p);
	if (pfn != ZL_NIL) {
		s->work.result = s->work.refills > 0 ? ZL_RESULT_REFILL : ZL_RESULT_PCP;
	} else {
		pfn = without_pageset(s, r);
		if (pfn == ZL_NIL) {
			return ZL_NIL;
		}
		p = zl_page_w(s, pfn);
	}
	hand_out(s, p, r);
	return pfn;
}

uint32_t zl_alloc_target(struct zl_sim *s, unsigned order, uint32_t id)
{
	const struct request r = {.order = order,
		.mt = s->grouping_off ? ZL_MIGRATE_UNMOVABLE : ZL_MIGRATE_MOVABLE,
		.movable = true,
		.id = id};

	note_below(s, &r);
	return serve(s, &r);
}

void zl_op_alloc(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	const struct request r = {.order = op->order,
		.mt = s->grouping_off ? ZL_MIGRATE_UNMOVABLE : op->mt,
		.movable = op->mt == ZL_MIGRATE_MOVABLE,
		.atomic = op->kind == ZL_OP_ALLOCHA,
		.flags = op->key,
		.reserved = op->arg > 0 ? s->cfg.lowmem_reserve[op->arg - 1] : 0,
		.id = op->id};
	uint32_t pfn = ZL_NIL;

	s->totals.allocs++;
	s->work.order = op->order;
	s->work.mt = op->mt;
	if (forbidden(s, &r)) {
		s->work.result = ZL_RESULT_REFUSED;
		s->work.reason = ZL_REASON_ALLOC_WATERMARK;
		s->totals.refused++;
	} else {
		pfn = serve(s, &r);
	}
	if (pfn != ZL_NIL) {
		s->work.block = pfn + 1;
		*slot = pfn + 1;
	} else {
		*slot = (r.flags & ZL_ALLOC_TRY) != 0 ? ZL_ID_FREE : ZL_ID_FAILED;
	}
}

/*
 * Pages one by one through the pageset, without what a single request does around it.
 * Source: mm/page_alloc.c, alloc_pages_bulk_noprof(), v6.18.
 * Simplified: no single request afterwards when the first page already fails.
 */
void zl_op_bulk(struct zl_sim *s, const struct zl_op *op)
{
	struct zl_pcp *pcp = zl_this_pcp(s);
	struct request r = {.mt = op->mt, .movable = op->mt == ZL_MIGRATE_MOVABLE};
	unsigned list = (unsigned)zl_pcp_index(s, 0, op->mt);
	uint32_t got = 0;

	s->totals.allocs++;
	while (s->has_pagesets && got < op->arg) {
		struct zl_page *p;
		uint32_t pfn;

		if (pcp->list[list].blocks == 0 && zl_pcp_refill(s, pcp, 0, op->mt) == 0) {
			break;
		}
		pfn = pcp->list[list].first;
		if (got == 0) {
			s->work.block = pfn + 1;
		}
		*zl_id_slot(s, op->id + got) = pfn + 1;
		p = zl_page_w(s, pfn);
		zl_pcp_pop(pcp, &pcp->list[list], p, 0);
		r.id = op->id + got;
		hand_out(s, p, &r);
		got++;
	}
	for (uint32_t i = got; i < op->arg; i++) {
		*zl_id_slot(s, op->id + i) = ZL_ID_FAILED;
	}
	s->work.result = ZL_RESULT_NUMBER;
	s->work.value = got;
	s->work.reason = got == op->arg ? ZL_REASON_BULK_ALL : ZL_REASON_BULK_SHORT;
}
