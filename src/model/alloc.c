/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation: the test against the high watermark, the pageset, the buddy.
 */
#include "buddy.h"
#include "ops.h"
#include "pcp.h"

/* A request on its way. */
struct request {
	unsigned order;
	unsigned mt;  /* after mobility grouping */
	bool movable; /* as the request said */
	bool atomic;
};

/* Free pages that the request may not use. Source: __zone_watermark_unusable_free(), v6.12. */
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

/* Source: mm/page_alloc.c, zone_watermark_fast(), __zone_watermark_ok(), v6.12. */
static bool high_watermark_ok(const struct zl_sim *s, const struct request *r)
{
	int64_t mark = (int64_t)s->wmark_high;

	if (r->atomic) {
		mark -= mark / 2;
		mark -= mark / 4;
	}
	if (s->nr_free - unusable(s, r) <= mark) {
		return false;
	}
	return r->order == 0 || has_block(s, r);
}

bool zl_above_high(const struct zl_sim *s)
{
	const struct request r = {0, ZL_MIGRATE_UNMOVABLE, false, false};

	return s->nr_free - unusable(s, &r) > (int64_t)s->wmark_high;
}

static void hand_out(struct zl_sim *s, uint32_t pfn, const struct request *r)
{
	struct zl_page *p = zl_page_w(s, pfn);

	p->state = ZL_PAGE_USED;
	p->order = (uint8_t)r->order;
	p->list = r->movable;
	s->nr_used += zl_pages_of(r->order);
}

static bool reserves_after_pageset(const struct zl_sim *s, const struct request *r)
{
	return r->atomic && r->order > 0 && s->cfg.switches.high_order_atomic_refill;
}

static uint32_t from_pageset(struct zl_sim *s, const struct request *r)
{
	struct zl_pcp *pcp = zl_this_pcp(s);
	int list = zl_pcp_index(s, r->order, r->mt);
	uint32_t pfn;

	if (list < 0) {
		s->work.reason = ZL_REASON_ALLOC_DIRECT_ORDER;
		return ZL_NIL;
	}
	if (!s->has_pagesets) {
		s->work.reason = ZL_REASON_ALLOC_DIRECT_NO_PAGESETS;
		return ZL_NIL;
	}
	zl_pcp_alloc_halve(s, pcp);
	s->work.reason = ZL_REASON_ALLOC_HIT;
	if (pcp->list[list].blocks == 0) {
		if (r->atomic && !s->cfg.switches.high_order_atomic_refill) {
			zl_nr_pcp_alloc(s, pcp, r->order);
			s->work.reason = ZL_REASON_ALLOC_DIRECT_ATOMIC;
			return ZL_NIL;
		}
		if (zl_pcp_refill(s, pcp, r->order, r->mt) == 0) {
			s->work.reason = ZL_REASON_ALLOC_DIRECT_EMPTY;
			return ZL_NIL;
		}
		s->work.reason = s->work.refill_got < s->work.refill_req
					 ? ZL_REASON_ALLOC_REFILLED_SHORT
					 : ZL_REASON_ALLOC_REFILLED;
	}
	pfn = zl_pcp_pop(s, pcp, r->order, (unsigned)list);
	if (reserves_after_pageset(s, r)) {
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

static void refused(struct zl_sim *s, enum zl_reason reason)
{
	s->work.result = ZL_RESULT_FAIL;
	s->work.reason = (uint8_t)reason;
	s->totals.failed++;
}

void zl_op_alloc(struct zl_sim *s, const struct zl_op *op)
{
	struct request r = {
		op->order, op->mt, op->mt == ZL_MIGRATE_MOVABLE, op->kind == ZL_OP_ALLOCHA};
	uint32_t pfn;

	s->totals.allocs++;
	if (s->grouping_off) {
		r.mt = ZL_MIGRATE_UNMOVABLE;
	}
	if (s->tuned && !s->below_high && !high_watermark_ok(s, &r)) {
		s->below_high = true;
	}
	pfn = from_pageset(s, &r);
	if (pfn != ZL_NIL) {
		s->work.result = s->work.refills > 0 ? ZL_RESULT_REFILL : ZL_RESULT_PCP;
	} else if (s->work.refills > 0 && !s->cfg.switches.refill_failure_tries_buddy) {
		refused(s, ZL_REASON_ALLOC_FAILED_NO_BUDDY);
	} else {
		pfn = direct(s, &r);
		if (pfn == ZL_NIL) {
			refused(s, ZL_REASON_ALLOC_FAILED);
		} else {
			s->work.result = ZL_RESULT_BUDDY;
			s->totals.direct_buddy++;
		}
	}
	s->work.pfn = pfn;
	if (pfn == ZL_NIL) {
		zl_id_set(s, op->id, ZL_ID_FAILED);
	} else {
		zl_id_set(s, op->id, pfn + 1);
		hand_out(s, pfn, &r);
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
	const struct request r = {0, op->mt, op->mt == ZL_MIGRATE_MOVABLE, false};
	unsigned list = (unsigned)zl_pcp_index(s, 0, op->mt);
	uint32_t got = 0;

	s->totals.allocs++;
	while (s->has_pagesets && got < op->arg) {
		uint32_t pfn;

		if (pcp->list[list].blocks == 0 && zl_pcp_refill(s, pcp, 0, op->mt) == 0) {
			break;
		}
		pfn = zl_pcp_pop(s, pcp, 0, list);
		if (got == 0) {
			s->work.pfn = pfn;
		}
		zl_id_set(s, op->id + got, pfn + 1);
		hand_out(s, pfn, &r);
		got++;
	}
	for (uint32_t i = got; i < op->arg; i++) {
		zl_id_set(s, op->id + i, ZL_ID_FAILED);
	}
	s->work.result = ZL_RESULT_NUMBER;
	s->work.value = got;
	s->work.reason = got == op->arg ? ZL_REASON_BULK_ALL : ZL_REASON_BULK_SHORT;
}
