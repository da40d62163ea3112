/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pageblocks: their type, how much of one is free or movable, and moving its free blocks between
 * lists. Walks go by ascending pfn from block to block.
 */
#include "buddy.h"

/* Source: mm/page_alloc.c, set_pageblock_migratetype(), v6.18. */
void zl_set_type(struct zl_sim *s, uint32_t pfn, unsigned mt)
{
	uint32_t b = pfn >> s->page_block_order;
	unsigned old = zl_block_type(s, pfn);

	if (s->grouping_off && zl_mergeable(mt)) {
		mt = ZL_MIGRATE_UNMOVABLE;
	}
	if (mt != old) {
		struct zl_node *leaf = zl_store_leaf_w(&s->blocks, &s->pool, b, ZL_BYTE_LEAF_SHIFT);

		leaf->u.byte[b & ((1u << ZL_BYTE_LEAF_SHIFT) - 1)] =
			(uint8_t)(mt ^ ZL_MIGRATE_MOVABLE);
		zl_note_type(s, b << s->page_block_order, mt, old);
	}
}

/* Source: mm/page_alloc.c, change_pageblock_range(), v6.18. */
void zl_retype(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt)
{
	uint32_t blocks = zl_pages_of(order - s->page_block_order);

	for (uint32_t i = 0; i < blocks; i++) {
		zl_set_type(s, pfn + (i << s->page_block_order), mt);
	}
}

static uint32_t block_start(const struct zl_sim *s, uint32_t pfn)
{
	return pfn >> s->page_block_order << s->page_block_order;
}

bool zl_block_inside(const struct zl_sim *s, uint32_t pfn)
{
	uint64_t end = (uint64_t)block_start(s, pfn) + zl_pages_of(s->page_block_order);

	return end <= s->nr_pages;
}

/* Source: mm/page_alloc.c, prep_move_freepages_block(), v6.12. */
void zl_block_count(const struct zl_sim *s, uint32_t pfn, struct zl_block_count *ret)
{
	uint32_t p = block_start(s, pfn);
	uint32_t end = p + zl_pages_of(s->page_block_order);

	ret->free = 0;
	ret->movable = 0;
	while (p < end) {
		struct zl_block_at at;

		zl_block_at(s, p, &at);
		if (at.state == ZL_PAGE_FREE) {
			ret->free += at.pages;
		} else if (at.state == ZL_PAGE_USED && (at.list & ZL_USED_MOVABLE) != 0) {
			ret->movable += at.pages;
		}
		p += at.pages;
	}
}

/* Source: mm/page_alloc.c, __move_freepages_block(), v6.12; move_freepages(), v6.1. */
void zl_block_move(struct zl_sim *s, uint32_t pfn, unsigned mt)
{
	uint32_t p = block_start(s, pfn);
	uint32_t end = p + zl_pages_of(s->page_block_order);

	while (p < end) {
		struct zl_block_at at;

		zl_block_at(s, p, &at);
		if (at.state == ZL_PAGE_FREE) {
			zl_free_unlink(s, p, at.order, at.list);
			zl_free_link(s, p, at.order, mt, true);
			if (s->exact_counts && at.list != mt) {
				zl_account(s, at.list, -(int64_t)at.pages);
				zl_account(s, mt, (int64_t)at.pages);
			}
		}
		p += at.pages;
	}
}
