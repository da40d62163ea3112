/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of a pageset: frees push at the head, allocations pop from the head, refills append at
 * the tail, drains take from the tail. The number of blocks of a list says where it ends.
 */
#include "buddy.h"
#include "pcp_hot.h"
#include "policy_run.h"

/* Source: mm/page_alloc.c, order_to_pindex(), v5.14 to v7.1. */
int zl_pcp_thp_index(const struct zl_sim *s, unsigned mt)
{
	switch (s->nr_lists - ZL_PCP_LOW_LISTS) {
	case 1:
		return ZL_PCP_LOW_LISTS;
	case 2:
		return ZL_PCP_LOW_LISTS + (mt == ZL_MIGRATE_MOVABLE);
	default: /* one for each migratetype, to 5.19 */
		return (int)(ZL_PCP_LOW_LISTS + mt);
	}
}

static void append(
	struct zl_sim *s, struct zl_pcp *pcp, uint32_t pfn, unsigned order, unsigned list)
{
	struct zl_pcp_list *l = &pcp->list[list];
	struct zl_page *p = zl_page_w(s, pfn);

	zl_page_start(p, ZL_PAGE_PCP, order, list);
	if (l->blocks++ == 0) {
		l->first = pfn;
	} else {
		p->prev = l->last;
		zl_page_w(s, l->last)->next = pfn;
	}
	l->last = pfn;
	pcp->count += (int32_t)zl_pages_of(order);
}

/*
 * Before 6.10 the free counter falls once for the whole refill.
 * Source: mm/page_alloc.c, rmqueue_bulk(), v6.1 and v6.18.
 */
uint32_t zl_pcp_refill(struct zl_sim *s, struct zl_pcp *pcp, unsigned order, unsigned mt)
{
	uint32_t want = zl_nr_pcp_alloc(s, pcp, order);
	unsigned list = (unsigned)zl_pcp_index(s, order, mt);
	enum zl_take_mode mode = ZL_TAKE_NORMAL;
	uint32_t got = 0;

	zl_lock(s, ZL_LOCK_REFILL);
	while (got < want) {
		uint32_t pfn = zl_take(s, order, mt, &mode);

		if (pfn == ZL_NIL) {
			break;
		}
		append(s, pcp, pfn, order, list);
		got++;
		if (!s->exact_counts && zl_page_r(s, pfn)->rem == ZL_MIGRATE_CMA) {
			s->nr_free_cma -= zl_pages_of(order);
			pcp->diff_cma -= zl_pages_of(order);
		}
	}
	if (!s->exact_counts) {
		zl_account(s, ZL_MIGRATE_UNMOVABLE, -((int64_t)got << order));
	}
	zl_unlock(s);
	s->work.refills++;
	s->work.refill_req += want;
	s->work.refill_got += got;
	s->totals.refills++;
	s->totals.blocks_refilled += got;
	return got;
}

/* One block from the tail of a list to the buddy. */
static void give_last(struct zl_sim *s, struct zl_pcp *pcp, unsigned list)
{
	struct zl_pcp_list *l = &pcp->list[list];
	uint32_t pfn = l->last;
	struct zl_page *p = zl_page_w(s, pfn);
	unsigned order = p->order;
	unsigned mt = p->rem;

	if (--l->blocks > 0) {
		l->last = p->prev;
	}
	p->state = ZL_PAGE_INSIDE;
	pcp->count -= (int32_t)zl_pages_of(order);
	if (s->cfg.switches.drain_type == ZL_DRAIN_PAGEBLOCK || s->nr_isolated > 0) {
		mt = zl_block_type(s, pfn);
	}
	s->work.drained += zl_pages_of(order);
	zl_free_one(s, pfn, order, mt, false);
}

/*
 * Lists are emptied one after the other.
 * Source: mm/page_alloc.c, free_pcppages_bulk(), v5.19 to v7.1.
 */
static void bulk_from(struct zl_sim *s, struct zl_pcp *pcp, int64_t pages, unsigned list)
{
	while (pages > 0) {
		while (pcp->list[list].blocks == 0) {
			list = list + 1 < s->nr_lists ? list + 1 : 0;
		}
		while (pages > 0 && pcp->list[list].blocks > 0) {
			pages -= zl_pages_of(zl_page_r(s, pcp->list[list].last)->order);
			give_last(s, pcp, list);
		}
	}
}

/*
 * Each list that is passed adds one to the blocks taken from the next one.
 * Source: mm/page_alloc.c, free_pcppages_bulk(), v5.14 to v5.17.
 */
static void bulk_round_robin(struct zl_sim *s, struct zl_pcp *pcp, int64_t pages)
{
	unsigned list = 0;
	int64_t nr = 0;

	while (pages > 0) {
		do {
			nr++;
			list = list + 1 < s->nr_lists ? list + 1 : 0;
		} while (pcp->list[list].blocks == 0);
		if (nr == s->nr_lists) {
			nr = pages;
		}
		do {
			pages -= zl_pages_of(zl_page_r(s, pcp->list[list].last)->order);
			give_last(s, pcp, list);
		} while (pages > 0 && --nr > 0 && pcp->list[list].blocks > 0);
	}
}

void zl_pcp_bulk_free(struct zl_sim *s, struct zl_pcp *pcp, int32_t pages, unsigned list)
{
	uint32_t before = s->work.drained;

	if (pages > pcp->count) {
		pages = pcp->count;
	}
	zl_lock(s, ZL_LOCK_DRAIN);
	switch (s->cfg.switches.drain_order) {
	case ZL_DRAIN_FROM_FREED:
		bulk_from(s, pcp, pages, list);
		break;
	case ZL_DRAIN_ROUND_ROBIN:
		bulk_round_robin(s, pcp, pages);
		break;
	}
	zl_unlock(s);
	s->work.bulk_calls++;
	s->totals.bulk_calls++;
	s->totals.pages_drained += s->work.drained - before;
}

/* Source: mm/page_alloc.c, drain_pages_zone(), v6.1 and v6.12. */
void zl_pcp_drain(struct zl_sim *s, struct zl_pcp *pcp)
{
	while (pcp->count > 0) {
		int32_t count = pcp->count;
		int32_t pages = count;

		if (zl_policy_at(s, ZL_POINT_FULL_DRAIN_CHUNK)) {
			pages = zl_policy_chunk(s, pcp, ZL_POINT_FULL_DRAIN_CHUNK, count);
		} else if (s->cfg.switches.full_drain == ZL_FULL_DRAIN_PIECES) {
			int64_t piece = (int64_t)pcp->batch << s->cfg.scale_max;

			pages = piece < count ? (int32_t)piece : count;
		}
		zl_pcp_bulk_free(s, pcp, pages, 0);
		if (pages == count) {
			break;
		}
	}
}
