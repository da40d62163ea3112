/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contiguous allocations from the CMA range of a zone: search for a free run, isolation of its
 * pageblocks, migration of movable pages out of it, taking its pages, and giving the pageblocks
 * back to CMA. A page of a contiguous allocation is a used block of order 0 with a mark of its
 * own; that mark is the area's bitmap.
 *
 * Simplified: one bit is one page (order_per_bit 0); no clean page cache to drop; pages move only
 * inside the zone; the zone starts at a multiple of its largest block.
 */
#include "buddy.h"
#include "ops.h"

/** Pages collected before they are migrated. Source: include/linux/swap.h, SWAP_CLUSTER_MAX. */
#define CLUSTER 32u

/* A range being allocated; pfns of the zone. */
struct contig {
	uint32_t start, end;
	uint32_t first, last; /* whole pageblocks around it */
	enum zl_result result;
};

/* Frees [pfn, end) of a block that was taken off its list, pageblock by pageblock. */
static void free_in_pieces(struct zl_sim *s, uint32_t pfn, uint32_t end)
{
	while (pfn < end) {
		zl_free_one(s, pfn, s->page_block_order, zl_block_type(s, pfn), false);
		pfn += zl_pages_of(s->page_block_order);
	}
}

/*
 * A free block larger than a pageblock that covers @block changes the type of that pageblock
 * alone and is freed again in pieces. Returns false if there is none.
 * Source: mm/page_alloc.c, move_freepages_block_isolate(), v6.12.
 */
static bool split_covering(struct zl_sim *s, uint32_t block, unsigned mt)
{
	struct zl_block_at at;
	uint32_t head = zl_covering_head(s, block, &at);

	if (at.state != ZL_PAGE_FREE || at.order <= s->page_block_order) {
		return false;
	}
	zl_free_unlink(s, head, at.order, at.list);
	zl_account(s, at.list, -(int64_t)at.pages);
	zl_set_type(s, block, mt);
	free_in_pieces(s, head, head + at.pages);
	return true;
}

/* The type of one pageblock changes, and its free blocks go to the tails of the new lists. */
static void turn(struct zl_sim *s, uint32_t block, unsigned mt)
{
	unsigned old = zl_block_type(s, block);
	struct zl_block_count c;

	if (s->exact_counts) {
		if (!split_covering(s, block, mt)) {
			zl_block_move(s, block, mt);
			zl_set_type(s, block, mt);
		}
		return;
	}
	zl_block_count(s, block, &c);
	zl_set_type(s, block, mt);
	zl_block_move(s, block, mt);
	zl_account(s, old, -c.free);
	zl_account(s, mt, c.free);
}

static unsigned lowest_bit(uint32_t v)
{
	unsigned n = 0;

	while ((v & 1) == 0) {
		v >>= 1;
		n++;
	}
	return n;
}

static unsigned highest_bit(uint32_t v)
{
	unsigned n = 0;

	while (v > 1) {
		v >>= 1;
		n++;
	}
	return n;
}

/*
 * A free block that crosses the edge of the isolated range is freed again as pieces on either
 * side. Source: mm/page_alloc.c, split_free_page(), v6.1.
 */
static void split_at(struct zl_sim *s, uint32_t edge)
{
	struct zl_block_at at;
	uint32_t head, pfn, left;

	if (edge == 0 || edge >= s->nr_pages) {
		return;
	}
	head = zl_covering_head(s, edge, &at);
	if (at.state != ZL_PAGE_FREE || head == edge) {
		return;
	}
	zl_free_unlink(s, head, at.order, at.list);
	zl_account(s, at.list, -(int64_t)at.pages);
	pfn = head;
	left = edge - head;
	while (pfn < head + at.pages) {
		unsigned order = pfn != 0 ? lowest_bit(pfn) : at.order;
		unsigned most = highest_bit(left);

		order = order < most ? order : most;
		zl_free_one(s, pfn, order, zl_block_type(s, pfn), false);
		pfn += zl_pages_of(order);
		left -= zl_pages_of(order);
		if (left == 0) {
			left = head + at.pages - pfn;
		}
	}
}

static void isolate(struct zl_sim *s, uint32_t block)
{
	s->nr_isolated++;
	turn(s, block, ZL_MIGRATE_ISOLATE);
}

/* A block in use that reaches over the edge of the isolated range cannot be isolated from 6.10 on. */
static bool used_across(const struct zl_sim *s, uint32_t edge)
{
	struct zl_block_at at;

	if (edge == 0 || edge >= s->nr_pages) {
		return false;
	}
	return zl_covering_head(s, edge, &at) != edge && at.state == ZL_PAGE_USED;
}

/*
 * Takes the isolation back. A whole free block merges with its neighbour outside.
 * Source: mm/page_isolation.c, unset_migratetype_isolate(), v6.1 and v6.12.
 */
static void undo(struct zl_sim *s, uint32_t first, uint32_t last)
{
	for (uint32_t b = first; b < last; b += zl_pages_of(s->page_block_order)) {
		struct zl_block_at at, next;
		bool merges = false;

		zl_block_at(s, b, &at);
		if (at.state == ZL_PAGE_FREE && at.order >= s->page_block_order &&
			at.order < s->max_order) {
			uint32_t buddy = b ^ zl_pages_of(at.order);

			zl_block_at(s, buddy, &next);
			merges = buddy < s->nr_pages && next.state == ZL_PAGE_FREE &&
				 next.order == at.order &&
				 zl_block_type(s, buddy) != ZL_MIGRATE_ISOLATE;
		}
		s->nr_isolated--;
		if (merges) {
			zl_free_unlink(s, b, at.order, at.list);
			zl_set_type(s, b, ZL_MIGRATE_CMA);
			zl_free_one(s, b, at.order, ZL_MIGRATE_CMA, true);
		} else {
			turn(s, b, ZL_MIGRATE_CMA);
		}
	}
}

/*
 * First pageblock, last pageblock, then those between; where the last refuses, the first comes back.
 * Source: mm/page_isolation.c, start_isolate_page_range(), v6.1 and v6.12.
 */
static bool isolate_range(struct zl_sim *s, const struct contig *c)
{
	uint32_t step = zl_pages_of(s->page_block_order);

	if (s->exact_counts && used_across(s, c->first)) {
		return false;
	}
	isolate(s, c->first);
	if (!s->exact_counts) {
		split_at(s, c->first);
	} else if (used_across(s, c->last)) {
		undo(s, c->first, c->first + step);
		return false;
	}
	if (c->last - step != c->first) {
		isolate(s, c->last - step);
	}
	if (!s->exact_counts) {
		split_at(s, c->last);
	}
	for (uint32_t b = c->first + step; b + step < c->last; b += step) {
		isolate(s, b);
	}
	return true;
}

/*
 * Moves one block of an allocation to a page outside; its id stays its own.
 * Source: mm/migrate.c, migrate_folio_move(), v6.12.
 */
static bool migrate_one(struct zl_sim *s, uint32_t from, unsigned order)
{
	uint32_t id = zl_page_r(s, from)->next;
	uint32_t to = zl_alloc_target(s, order, id);

	if (to == ZL_NIL) {
		return false;
	}
	*zl_id_slot(s, id) = to + 1;
	zl_page_w(s, from)->state = ZL_PAGE_INSIDE;
	s->nr_used -= zl_pages_of(order);
	zl_note_migrate(s, from, to, order);
	zl_lock(s, ZL_LOCK_DIRECT_FREE);
	zl_free_direct(s, from, order, false);
	zl_unlock(s);
	return true;
}

enum cluster { CLUSTER_DONE, CLUSTER_STUCK, CLUSTER_NOWHERE };

/* Migrates up to CLUSTER pages from *at on; a pinned one stays, and the walk ends after them. */
static enum cluster migrate_cluster(struct zl_sim *s, const struct contig *c, uint32_t *at)
{
	uint32_t pages = 0;
	enum cluster did = CLUSTER_DONE;

	while (*at < c->end && pages < CLUSTER) {
		struct zl_block_at b;
		uint32_t head = zl_covering_head(s, *at, &b);

		if (b.state == ZL_PAGE_USED) {
			pages += b.pages;
			if (b.list != ZL_USED_MOVABLE) {
				did = CLUSTER_STUCK;
			} else if (!migrate_one(s, head, b.order)) {
				return CLUSTER_NOWHERE;
			}
		}
		*at = head + b.pages;
	}
	return did;
}

/*
 * A page that cannot be moved ends the walk, but is no error yet: the pages are looked at after.
 * Source: mm/page_alloc.c, __alloc_contig_migrate_range(), v6.12.
 */
static bool migrate_range(struct zl_sim *s, const struct contig *c)
{
	uint32_t at = c->start;
	enum cluster did = CLUSTER_DONE;

	while (at < c->end && did == CLUSTER_DONE) {
		did = migrate_cluster(s, c, &at);
	}
	return did != CLUSTER_NOWHERE;
}

/* Where the free blocks end that cover [from, c->end); 0 if something else lies there. */
static uint32_t free_until(const struct zl_sim *s, uint32_t from, const struct contig *c)
{
	while (from < c->end) {
		struct zl_block_at at;

		zl_block_at(s, from, &at);
		if (at.state != ZL_PAGE_FREE) {
			return 0;
		}
		from += at.pages;
	}
	return from;
}

static void free_single(struct zl_sim *s, uint32_t pfn, uint32_t end)
{
	for (; pfn < end; pfn++) {
		zl_free_one(s, pfn, 0, zl_block_type(s, pfn), false);
	}
}

/* Source: mm/compaction.c, isolate_freepages_range(); mm/page_alloc.c, free_contig_range(), v6.12. */
static bool take_pages(struct zl_sim *s, const struct contig *c, uint32_t id)
{
	struct zl_block_at at;
	uint32_t from = zl_covering_head(s, c->start, &at);
	uint32_t until;

	from = at.state == ZL_PAGE_FREE ? from : c->start;
	until = free_until(s, from, c);
	if (until == 0) {
		return false;
	}
	for (uint32_t p = from; p < until; p += at.pages) {
		zl_block_at(s, p, &at);
		zl_free_unlink(s, p, at.order, at.list);
	}
	for (uint32_t p = c->start; p < c->end; p++) {
		struct zl_page *page = zl_page_w(s, p);

		page->state = ZL_PAGE_USED;
		page->order = 0;
		page->list = ZL_USED_CONTIG;
		page->next = id;
		page->prev = c->end - c->start;
	}
	free_single(s, from, c->start);
	free_single(s, c->end, until);
	s->nr_used += c->end - c->start;
	s->nr_cma_used += c->end - c->start;
	return true;
}

/* Source: mm/page_alloc.c, alloc_contig_range(), v6.1 and v6.12. */
static enum zl_result alloc_range(struct zl_sim *s, struct contig *c, uint32_t id)
{
	enum zl_result result = ZL_RESULT_OK;

	zl_lock(s, ZL_LOCK_ISOLATE);
	if (!isolate_range(s, c)) {
		zl_unlock(s);
		return ZL_RESULT_EBUSY;
	}
	zl_unlock(s);
	zl_op_drainall(s);
	if (!migrate_range(s, c)) {
		result = ZL_RESULT_ENOMEM;
	}
	zl_lock(s, ZL_LOCK_ISOLATE);
	if (result == ZL_RESULT_OK && !take_pages(s, c, id)) {
		result = ZL_RESULT_EBUSY;
	}
	undo(s, c->first, c->last);
	zl_unlock(s);
	return result;
}

/* First page of [from, end) that belongs to a contiguous allocation, or end. */
static uint32_t next_taken(const struct zl_sim *s, uint32_t from, uint32_t end)
{
	while (from < end) {
		struct zl_block_at at;

		zl_block_at(s, from, &at);
		if (at.state == ZL_PAGE_USED && (at.list & ZL_USED_CONTIG) != 0) {
			return from;
		}
		from += at.pages;
	}
	return end;
}

/* A run of @pages at or after @from, aligned; ZL_NIL if there is none. */
static uint32_t find_run(const struct zl_sim *s, uint32_t from, uint32_t pages, uint32_t mask)
{
	uint64_t end = s->cfg.cma_start + s->cfg.cma_pages;

	for (;;) {
		uint64_t at = ((uint64_t)from + mask) & ~(uint64_t)mask;
		uint32_t taken;

		if (at + pages > end) {
			return ZL_NIL;
		}
		taken = next_taken(s, (uint32_t)at, (uint32_t)at + pages);
		if (taken == (uint32_t)at + pages) {
			return (uint32_t)at;
		}
		from = taken + 1;
	}
}

static void fail(struct zl_sim *s, enum zl_result result)
{
	s->totals.cma_failed++;
	s->work.result = (uint8_t)result;
	if (s->work.tries == 0) {
		s->work.reason = ZL_REASON_CMA_NO_RUN;
	} else {
		s->work.reason =
			result == ZL_RESULT_EBUSY ? ZL_REASON_CMA_BUSY : ZL_REASON_CMA_NOWHERE;
	}
}

/* After -EBUSY the search goes on one alignment step behind, not behind the range. */
void zl_op_cma_alloc(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	uint32_t step = zl_pages_of(s->page_block_order);
	uint32_t mask = zl_pages_of(op->order) - 1;
	uint32_t from = (uint32_t)s->cfg.cma_start;
	enum zl_result result = ZL_RESULT_ENOMEM;
	struct contig c;

	s->totals.cma_allocs++;
	s->work.order = op->order;
	s->work.mt = ZL_MIGRATE_CMA;
	for (;;) {
		c.start = find_run(s, from, op->arg, mask);
		if (c.start == ZL_NIL) {
			break;
		}
		c.end = c.start + op->arg;
		c.first = c.start / step * step;
		c.last = (c.end + step - 1) / step * step;
		s->work.tries++;
		s->totals.cma_tries++;
		result = alloc_range(s, &c, op->id);
		if (result != ZL_RESULT_EBUSY) {
			break;
		}
		from = c.start + mask + 1;
	}
	if (result != ZL_RESULT_OK) {
		fail(s, result);
		*slot = ZL_ID_FAILED;
		return;
	}
	s->work.result = ZL_RESULT_OK;
	s->work.reason = ZL_REASON_CMA_TAKEN;
	s->work.block = c.start + 1;
	*slot = c.start + 1;
}
