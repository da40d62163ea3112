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
	const struct zl_highatomic_in in = {
		s->cfg.managed, s->page_block_order, s->cfg.page_shift, s->cfg.policies};
	uint64_t most = zl_highatomic_max(rule, s->cfg.managed, zl_pages_of(s->page_block_order));

	most = zl_highatomic_by_policy(&in, most, NULL);

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

/* A block of the lowest order that a HIGHATOMIC list has. */
static bool lowest_reserved(const struct zl_sim *s, uint32_t *ret_pfn, unsigned *ret_order)
{
	for (unsigned o = 0; o <= s->max_order; o++) {
		uint32_t pfn = zl_free_first(s, o, ZL_MIGRATE_HIGHATOMIC);

		if (pfn != ZL_NIL && (o >= s->page_block_order || zl_block_inside(s, pfn))) {
			*ret_pfn = pfn;
			*ret_order = o;
			return true;
		}
	}
	return false;
}

/* Up to 6.7 the pageblock changes its type first, whatever the block's order. */
static void unreserve_one(struct zl_sim *s, uint32_t pfn, unsigned mt)
{
	int64_t block = zl_pages_of(s->page_block_order);

	if (zl_block_type(s, pfn) == ZL_MIGRATE_HIGHATOMIC) {
		s->nr_reserved_highatomic -=
			block < s->nr_reserved_highatomic ? block : s->nr_reserved_highatomic;
	}
	zl_set_type(s, pfn, mt);
	zl_block_move(s, pfn, mt);
}

static void unreserve_rounded(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt)
{
	unsigned most = order > s->page_block_order ? order : s->page_block_order;
	int64_t pages = zl_pages_of(most);

	s->nr_reserved_highatomic -=
		pages < s->nr_reserved_highatomic ? pages : s->nr_reserved_highatomic;
	if (order < s->page_block_order) {
		zl_block_move(s, pfn, mt);
		zl_set_type(s, pfn, mt);
		return;
	}
	zl_free_unlink(s, pfn, order, ZL_MIGRATE_HIGHATOMIC);
	zl_free_link(s, pfn, order, mt, true);
	if (s->exact_counts) {
		zl_account(s, ZL_MIGRATE_HIGHATOMIC, -(int64_t)zl_pages_of(order));
		zl_account(s, mt, (int64_t)zl_pages_of(order));
	}
	zl_retype(s, pfn, order, mt);
}

/* Source: mm/page_alloc.c, unreserve_highatomic_pageblock(), v6.1 and v6.12. */
bool zl_unreserve_highatomic(struct zl_sim *s, unsigned mt, bool force)
{
	uint32_t pfn;
	unsigned order;

	if (!force && s->nr_reserved_highatomic <= (int64_t)zl_pages_of(s->page_block_order)) {
		return false;
	}
	if (!lowest_reserved(s, &pfn, &order)) {
		return false;
	}
	zl_lock(s, ZL_LOCK_RESERVE);
	switch (s->cfg.switches.highatomic_reserve) {
	case ZL_HIGHATOMIC_ONE_MORE:
		unreserve_one(s, pfn, mt);
		break;
	case ZL_HIGHATOMIC_ROUNDED:
		unreserve_rounded(s, pfn, order, mt);
		break;
	}
	zl_unlock(s);
	s->totals.highatomic_unreserved++;
	return true;
}
