/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking a block for a request: its own lists, CMA, and when both are empty the lists of another
 * migratetype. Three generations of the last step: A moves a pageblock's free blocks and tries
 * again, B tries one candidate, C claims at every order and steals at last.
 */
#include "buddy.h"

#include "zonelab/text.h"

#define CANDIDATES 2

/* Source: mm/page_alloc.c, fallbacks[], v6.1 and v6.18. */
static const uint8_t fallbacks[ZL_MIGRATE_PCPTYPES][CANDIDATES] = {
	[ZL_MIGRATE_UNMOVABLE] = {ZL_MIGRATE_RECLAIMABLE, ZL_MIGRATE_MOVABLE  },
	[ZL_MIGRATE_MOVABLE] = {ZL_MIGRATE_RECLAIMABLE, ZL_MIGRATE_UNMOVABLE},
	[ZL_MIGRATE_RECLAIMABLE] = {ZL_MIGRATE_UNMOVABLE,	  ZL_MIGRATE_MOVABLE  },
};

/* A free block that was found on another type's list. */
struct found {
	uint32_t pfn;
	unsigned order;
	unsigned list; /* the list that it is on */
};

static bool fallback_find(const struct zl_sim *s, unsigned order, unsigned mt, struct found *ret)
{
	for (unsigned i = 0; i < CANDIDATES; i++) {
		unsigned t = fallbacks[mt][i];

		if (s->free[order][t].blocks > 0) {
			ret->pfn = zl_free_first(s, order, t);
			ret->order = order;
			ret->list = t;
			return true;
		}
	}
	return false;
}

/* Source: mm/page_alloc.c, can_steal_fallback(), v6.12; should_try_claim_block(), v6.18. */
static bool eligible(const struct zl_sim *s, unsigned order, unsigned mt)
{
	return order >= s->page_block_order || order >= s->page_block_order / 2u ||
	       mt != ZL_MIGRATE_MOVABLE || s->grouping_off;
}

/*
 * Enough of the pageblock is free or already of our kind.
 * Source: mm/page_alloc.c, steal_suitable_fallback(), v6.12; try_to_claim_block(), v6.18.
 */
static bool enough(
	const struct zl_sim *s, const struct zl_block_count *c, unsigned mt, unsigned old)
{
	int64_t block = (int64_t)zl_pages_of(s->page_block_order);
	int64_t alike = 0;

	if (mt == ZL_MIGRATE_MOVABLE) {
		alike = c->movable;
	} else if (old == ZL_MIGRATE_MOVABLE) {
		alike = block - (c->free + c->movable);
	}
	return c->free + alike >= block / 2 || s->grouping_off;
}

/* The smallest free block that may be taken from another type. */
static unsigned lowest(const struct zl_sim *s, unsigned order)
{
	bool whole = s->work.nofragment && order < s->page_block_order;

	return whole ? s->page_block_order : order;
}

/*
 * Mixing a pageblock raises the watermarks, so that kswapd makes room.
 * Source: mm/page_alloc.c, boost_watermark(), v6.1 and v6.18.
 */
static void boost(struct zl_sim *s)
{
	uint64_t block = zl_pages_of(s->page_block_order);
	uint64_t most = s->wmark_high * s->boost_factor / 10000;

	if (most == 0 || block * 4 > s->cfg.managed) {
		return;
	}
	most = most > block ? most : block;
	s->wmark_boost = s->wmark_boost + block < most ? s->wmark_boost + block : most;
	s->totals.boosts++;
}

/* Largest order first; a movable request that may not claim takes the smallest instead. */
static bool search_largest(
	const struct zl_sim *s, unsigned order, unsigned mt, struct found *ret, bool *ret_whole)
{
	for (unsigned c = s->max_order + 1u; c-- > lowest(s, order);) {
		if (!fallback_find(s, c, mt, ret)) {
			continue;
		}
		*ret_whole = eligible(s, c, mt);
		if (!*ret_whole && mt == ZL_MIGRATE_MOVABLE && c > order) {
			c = order;
			while (!fallback_find(s, c, mt, ret)) {
				c++;
			}
		}
		return true;
	}
	return false;
}

/* One free block changes its list. Pages do not leave the buddy, and A counts nothing. */
static void move_alone(struct zl_sim *s, const struct found *x, unsigned mt)
{
	zl_free_unlink(s, x->pfn, x->order, x->list);
	zl_free_link(s, x->pfn, x->order, mt, true);
	zl_note_fallback(s, x->pfn, x->order, mt, ZL_FALLBACK_STEAL);
}

/* Source: mm/page_alloc.c, steal_suitable_fallback(), v6.1. */
static void grab(struct zl_sim *s, const struct found *x, unsigned mt, bool whole)
{
	unsigned old = zl_block_type(s, x->pfn);
	struct zl_block_count c;
	bool convert;

	if (old == ZL_MIGRATE_HIGHATOMIC) {
		move_alone(s, x, mt);
		return;
	}
	if (x->order >= s->page_block_order) {
		zl_retype(s, x->pfn, x->order, mt);
		zl_free_unlink(s, x->pfn, x->order, x->list);
		zl_free_link(s, x->pfn, x->order, mt, true);
		zl_note_fallback(s, x->pfn, x->order, mt, ZL_FALLBACK_WHOLE);
		return;
	}
	boost(s);
	if (!whole || !zl_block_inside(s, x->pfn)) {
		move_alone(s, x, mt);
		return;
	}
	zl_block_count(s, x->pfn, &c);
	convert = enough(s, &c, mt, old);
	zl_block_move(s, x->pfn, mt);
	if (convert) {
		zl_set_type(s, x->pfn, mt);
	}
	zl_note_fallback(s, x->pfn, x->order, mt, convert ? ZL_FALLBACK_CLAIM : ZL_FALLBACK_MOVE);
}

static bool cma_ok(const struct zl_sim *s, unsigned mt)
{
	return s->cfg.cma && mt == ZL_MIGRATE_MOVABLE;
}

static uint32_t take_cma(struct zl_sim *s, unsigned order)
{
	uint32_t pfn = zl_rmqueue_smallest(s, order, ZL_MIGRATE_CMA);

	if (pfn != ZL_NIL) {
		zl_note_fallback(s, pfn, order, ZL_MIGRATE_MOVABLE, ZL_FALLBACK_CMA);
	}
	return pfn;
}

/* Source: mm/page_alloc.c, __rmqueue(), __rmqueue_fallback(), v6.1. */
static uint32_t take_a(struct zl_sim *s, unsigned order, unsigned mt)
{
	for (;;) {
		uint32_t pfn = zl_rmqueue_smallest(s, order, mt);
		struct found x;
		bool whole;

		if (pfn == ZL_NIL && cma_ok(s, mt)) {
			pfn = take_cma(s, order);
		}
		if (pfn != ZL_NIL || !search_largest(s, order, mt, &x, &whole)) {
			return pfn;
		}
		grab(s, &x, mt, whole);
	}
}

/* A free block of at least one pageblock: all of it changes its type, then it is split. */
static uint32_t claim_whole(struct zl_sim *s, const struct found *x, unsigned order, unsigned mt)
{
	zl_free_unlink(s, x->pfn, x->order, x->list);
	zl_retype(s, x->pfn, x->order, mt);
	zl_expand(s, x->pfn, x->order, order, mt);
	zl_account(s, mt, -(int64_t)zl_pages_of(order));
	zl_note_fallback(s, x->pfn, x->order, mt, ZL_FALLBACK_WHOLE);
	return x->pfn;
}

/* Converts the pageblock of @x if enough of it is free or alike; @old as this release sees it. */
static bool claim_block(struct zl_sim *s, const struct found *x, unsigned mt, unsigned old)
{
	struct zl_block_count c;

	zl_block_count(s, x->pfn, &c);
	if (!enough(s, &c, mt, old)) {
		return false;
	}
	zl_block_move(s, x->pfn, mt);
	zl_set_type(s, x->pfn, mt);
	zl_note_fallback(s, x->pfn, x->order, mt, ZL_FALLBACK_CLAIM);
	return true;
}

/* One block is split; what is left of it goes to the lists of @rest. */
static uint32_t split_alone(struct zl_sim *s, const struct found *x, unsigned order, unsigned rest)
{
	zl_free_unlink(s, x->pfn, x->order, x->list);
	zl_expand(s, x->pfn, x->order, order, rest);
	zl_account(s, rest, -(int64_t)zl_pages_of(order));
	zl_note_fallback(s, x->pfn, x->order, rest, ZL_FALLBACK_STEAL);
	return x->pfn;
}

/* Source: mm/page_alloc.c, __rmqueue_fallback(), steal_suitable_fallback(), v6.12. */
static uint32_t take_b(struct zl_sim *s, unsigned order, unsigned mt)
{
	uint32_t pfn = zl_rmqueue_smallest(s, order, mt);
	struct found x;
	unsigned bt;
	bool whole;

	if (pfn == ZL_NIL && cma_ok(s, mt)) {
		pfn = take_cma(s, order);
	}
	if (pfn != ZL_NIL || !search_largest(s, order, mt, &x, &whole)) {
		return pfn;
	}
	bt = zl_block_type(s, x.pfn);
	if (bt == ZL_MIGRATE_HIGHATOMIC) {
		return split_alone(s, &x, order, bt);
	}
	if (x.order >= s->page_block_order) {
		return claim_whole(s, &x, order, mt);
	}
	boost(s);
	if (whole && zl_block_inside(s, x.pfn) && claim_block(s, &x, mt, bt)) {
		return zl_rmqueue_smallest(s, order, mt);
	}
	return split_alone(s, &x, order, bt);
}

/* Source: mm/page_alloc.c, __rmqueue_claim(), v6.18. */
static uint32_t claim(struct zl_sim *s, unsigned order, unsigned mt)
{
	for (unsigned c = s->max_order + 1u; c-- > lowest(s, order);) {
		struct found x;

		if (!eligible(s, c, mt)) {
			break;
		}
		if (!fallback_find(s, c, mt, &x)) {
			continue;
		}
		if (c >= s->page_block_order) {
			return claim_whole(s, &x, order, mt);
		}
		boost(s);
		if (zl_block_inside(s, x.pfn) && claim_block(s, &x, mt, x.list)) {
			return zl_rmqueue_smallest(s, order, mt);
		}
	}
	return ZL_NIL;
}

/* Source: mm/page_alloc.c, __rmqueue_steal(), v6.18. */
static uint32_t steal(struct zl_sim *s, unsigned order, unsigned mt)
{
	for (unsigned c = order; c <= s->max_order; c++) {
		struct found x;

		if (fallback_find(s, c, mt, &x)) {
			return split_alone(s, &x, order, x.list);
		}
	}
	return ZL_NIL;
}

/*
 * Once a block was stolen, the rest of the refill only steals.
 * Source: mm/page_alloc.c, __rmqueue(), v6.18.
 */
static uint32_t take_c(struct zl_sim *s, unsigned order, unsigned mt, enum zl_take_mode *mode)
{
	uint32_t pfn = ZL_NIL;

	if (*mode == ZL_TAKE_NORMAL) {
		pfn = zl_rmqueue_smallest(s, order, mt);
	}
	if (pfn == ZL_NIL && (*mode == ZL_TAKE_NORMAL || *mode == ZL_TAKE_CMA) && cma_ok(s, mt)) {
		pfn = take_cma(s, order);
		if (pfn != ZL_NIL) {
			*mode = ZL_TAKE_CMA;
		}
	}
	if (pfn == ZL_NIL && *mode != ZL_TAKE_STEAL) {
		pfn = claim(s, order, mt);
		if (pfn != ZL_NIL) {
			*mode = ZL_TAKE_NORMAL;
		}
	}
	if (pfn == ZL_NIL && !s->work.nofragment) {
		pfn = steal(s, order, mt);
		if (pfn != ZL_NIL) {
			*mode = ZL_TAKE_STEAL;
		}
	}
	return pfn;
}

static uint32_t take_form(struct zl_sim *s, unsigned order, unsigned mt, enum zl_take_mode *mode)
{
	switch (s->cfg.switches.buddy_fallback) {
	case ZL_FALLBACK_A:
		return take_a(s, order, mt);
	case ZL_FALLBACK_B:
		return take_b(s, order, mt);
	case ZL_FALLBACK_C:
		return take_c(s, order, mt, mode);
	}
	return ZL_NIL;
}

uint32_t zl_take(struct zl_sim *s, unsigned order, unsigned mt, enum zl_take_mode *mode)
{
	uint32_t pfn = ZL_NIL;

	/* Movable requests keep the CMA part of the free memory at half or below. */
	if (cma_ok(s, mt) && s->nr_free_cma > s->nr_free / 2) {
		pfn = take_cma(s, order);
	}
	if (pfn == ZL_NIL) {
		pfn = take_form(s, order, mt, mode);
	}
	if (pfn != ZL_NIL) {
		zl_note_take(s, pfn, order, mt);
	}
	return pfn;
}
