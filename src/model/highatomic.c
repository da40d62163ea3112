/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HIGHATOMIC reserve: pageblocks kept for high-order requests that cannot wait. */
#include "buddy.h"

#include "zonelab/tuning.h"

/* Up to 6.7 the pageblock counts and changes first, then its free blocks move. */
static void reserve_one(struct zl_sim *s, uint32_t pfn)
{
	s->nr_reserved_highatomic += zl_pages_of(s->page_block_order);
	zl_set_type(s, pfn, ZL_MIGRATE_HIGHATOMIC);
	if (zl_block_inside(s, pfn)) {
		zl_block_move(s, pfn, ZL_MIGRATE_HIGHATOMIC);
	}
	s->totals.highatomic_reserved++;
}

static void reserve_rounded(struct zl_sim *s, uint32_t pfn, unsigned order)
{
	if (order < s->page_block_order) {
		if (!zl_block_inside(s, pfn)) {
			return;
		}
		zl_block_move(s, pfn, ZL_MIGRATE_HIGHATOMIC);
		zl_set_type(s, pfn, ZL_MIGRATE_HIGHATOMIC);
		s->nr_reserved_highatomic += zl_pages_of(s->page_block_order);
		s->totals.highatomic_reserved++;
	} else {
		zl_retype(s, pfn, order, ZL_MIGRATE_HIGHATOMIC);
		s->nr_reserved_highatomic += zl_pages_of(order);
		s->totals.highatomic_reserved += zl_pages_of(order - s->page_block_order);
	}
}

/* Source: mm/page_alloc.c, reserve_highatomic_pageblock(), v6.1 and v6.12. */
void zl_reserve_highatomic(struct zl_sim *s, uint32_t pfn, unsigned order)
{
	enum zl_highatomic_rule rule = s->cfg.switches.highatomic_reserve;
	uint64_t most = zl_highatomic_max(rule, s->cfg.managed, zl_pages_of(s->page_block_order));

	if ((uint64_t)s->nr_reserved_highatomic >= most) {
		return;
	}
	zl_lock(s, ZL_LOCK_RESERVE);
	if (zl_mergeable(zl_block_type(s, pfn))) {
		switch (rule) {
		case ZL_HIGHATOMIC_ONE_MORE:
			reserve_one(s, pfn);
			break;
		case ZL_HIGHATOMIC_ROUNDED:
			reserve_rounded(s, pfn, order);
			break;
		}
	}
	zl_unlock(s);
}
