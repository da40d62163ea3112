/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buddy core: counters, splitting, merging. Orders are powers of two of pages, block addresses
 * zone-relative pfns, aligned to their size.
 */
#include "buddy.h"

void zl_account(struct zl_sim *s, unsigned mt, int64_t pages)
{
	struct zl_pcp *pcp = zl_this_pcp(s);

	if (mt == ZL_MIGRATE_ISOLATE) {
		return;
	}
	s->nr_free += pages;
	pcp->diff_free += pages;
	if (mt == ZL_MIGRATE_CMA) {
		s->nr_free_cma += pages;
		pcp->diff_cma += pages;
	} else if (mt == ZL_MIGRATE_HIGHATOMIC) {
		s->nr_free_highatomic += pages;
	}
}

/* Source: mm/page_alloc.c, expand(), v6.12. */
void zl_expand(struct zl_sim *s, uint32_t pfn, unsigned high, unsigned low, unsigned mt)
{
	while (high > low) {
		high--;
		zl_free_link(s, pfn + zl_pages_of(high), high, mt, false);
	}
}

/* Source: mm/page_alloc.c, __rmqueue_smallest(), v6.1 and v6.12. */
uint32_t zl_rmqueue_smallest(struct zl_sim *s, unsigned order, unsigned mt)
{
	for (unsigned c = order; c <= s->max_order; c++) {
		uint32_t pfn = zl_free_first(s, c, mt);

		if (pfn == ZL_NIL) {
			continue;
		}
		zl_free_unlink(s, pfn, c, mt);
		zl_expand(s, pfn, c, order, mt);
		zl_page_w(s, pfn)->rem = (uint8_t)mt;
		if (s->exact_counts) {
			zl_account(s, mt, -(int64_t)zl_pages_of(order));
		}
		return pfn;
	}
	return ZL_NIL;
}

static bool is_free_head(const struct zl_sim *s, uint32_t pfn, unsigned order)
{
	const struct zl_page *p = zl_page_r(s, pfn);

	return p->state == ZL_PAGE_FREE && p->order == order;
}

/* The merged buddy's pageblocks take the type of the block that was freed. */
static void merge_retag(struct zl_sim *s, uint32_t buddy, unsigned order, unsigned mt)
{
	switch (s->cfg.switches.merge_retag) {
	case ZL_RETAG_NONE:
		return;
	case ZL_RETAG_FIRST:
		zl_set_type(s, buddy, mt);
		return;
	case ZL_RETAG_ALL:
		zl_retype(s, buddy, order, mt);
		return;
	}
}

/* Whether the buddy is free as a whole and may merge with a block of type @mt; takes it if so. */
static bool take_buddy(struct zl_sim *s, uint32_t buddy, unsigned order, unsigned mt)
{
	unsigned list;

	if (!is_free_head(s, buddy, order)) {
		return false;
	}
	list = zl_page_r(s, buddy)->list;
	if (order < s->page_block_order) {
		zl_free_unlink(s, buddy, order, list);
		return true;
	}
	unsigned bt = zl_block_type(s, buddy);

	if (bt != mt && (!zl_mergeable(mt) || !zl_mergeable(bt))) {
		return false;
	}
	zl_free_unlink(s, buddy, order, list);
	if (bt != mt) {
		merge_retag(s, buddy, order, mt);
	}
	return true;
}

/*
 * A block goes to the tail when the buddy of its would-be parent is free, so that the parent has
 * a chance to form before the block is used again.
 * Source: mm/page_alloc.c, __free_one_page(), buddy_merge_likely(), v6.12.
 */
void zl_free_one(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, bool to_tail)
{
	uint32_t was = pfn;
	unsigned first = order;
	uint32_t buddy = pfn;

	zl_account(s, mt, (int64_t)zl_pages_of(order));
	while (order < s->max_order) {
		buddy = pfn ^ zl_pages_of(order);
		if (!take_buddy(s, buddy, order, mt)) {
			break;
		}
		pfn &= buddy;
		order++;
	}
	if (!to_tail && order + 1 < s->max_order) {
		uint32_t parent = pfn & buddy;

		to_tail = is_free_head(s, parent ^ zl_pages_of(order + 1), order + 1);
	}
	zl_free_link(s, pfn, order, mt, to_tail);
	zl_note_give(s, was, first, mt, order - first);
}

/* Source: mm/page_alloc.c, free_one_page(), v6.1; split_large_buddy(), v6.12. */
void zl_free_direct(struct zl_sim *s, uint32_t pfn, unsigned order, bool to_tail)
{
	uint32_t end = pfn + zl_pages_of(order);
	unsigned step = order;

	if (s->exact_counts && order > s->page_block_order) {
		step = s->page_block_order;
	}
	while (pfn != end) {
		zl_free_one(s, pfn, step, zl_block_type(s, pfn), to_tail);
		pfn += zl_pages_of(step);
	}
}

/* Frees [start, end) in the largest aligned blocks, in ascending order. */
static void start_range(struct zl_sim *s, uint32_t start, uint32_t end)
{
	uint32_t step = zl_pages_of(s->max_order);
	uint32_t run_start = (start + step - 1) / step * step;
	uint32_t run_end = end / step * step;

	while (start < end) {
		unsigned order = 0;

		if (start == run_start && run_end > run_start) {
			zl_free_add_run(s, start, run_end - run_start);
			zl_account(s, ZL_MIGRATE_MOVABLE, (int64_t)(run_end - run_start));
			start = run_end;
			continue;
		}
		while (order < s->max_order && (start & zl_pages_of(order)) == 0 &&
			end - start >= zl_pages_of(order + 1)) {
			order++;
		}
		zl_free_direct(s, start, order, true);
		start += zl_pages_of(order);
	}
}

void zl_buddy_start(struct zl_sim *s)
{
	uint32_t cma_start = (uint32_t)s->cfg.cma_start;
	uint32_t cma_end = (uint32_t)(s->cfg.cma_start + s->cfg.cma_pages);

	if (s->cfg.cma_pages == 0) {
		start_range(s, 0, s->nr_pages);
	} else {
		start_range(s, 0, cma_start);
		start_range(s, cma_end, s->nr_pages);
		for (uint32_t p = cma_start; p < cma_end; p += zl_pages_of(s->page_block_order)) {
			zl_set_type(s, p, ZL_MIGRATE_CMA);
			zl_free_direct(s, p, s->page_block_order, false);
		}
	}
	for (unsigned c = 0; c < s->nr_cpus; c++) {
		s->pcp[c].diff_free = 0;
		s->pcp[c].diff_cma = 0;
		s->pcp[c].diff_blocks = 0;
	}
}
