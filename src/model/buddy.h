/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buddy system: free lists, splitting, merging, pageblocks, fallback, HIGHATOMIC. */
#ifndef ZONELAB_MODEL_BUDDY_H
#define ZONELAB_MODEL_BUDDY_H

#include "sim_state.h"

/* free_list.c: blocks on lists. */

/** First block of a list, or ZL_NIL. */
static inline uint32_t zl_free_first(const struct zl_sim *s, unsigned order, unsigned mt)
{
	return s->free[order][mt].first;
}
/** Puts a block on a list; its pages belong to nothing else. */
void zl_free_link(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, bool tail);
/** Takes a block off the list that it is on. */
void zl_free_unlink(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt);
/** The block that follows on its list, or ZL_NIL. */
uint32_t zl_free_next(const struct zl_sim *s, uint32_t pfn, unsigned order);
uint32_t zl_free_prev(const struct zl_sim *s, uint32_t pfn, unsigned order);
/** Appends a stretch of untouched blocks of the largest order to the MOVABLE list. */
void zl_free_add_run(struct zl_sim *s, uint32_t first, uint32_t pages);
/** The run that holds @pfn, or NULL. */
const struct zl_run *zl_run_of(const struct zl_sim *s, uint32_t pfn);
/** Length of the block that starts at @pfn with its state; 1 page and INSIDE if none does. */
struct zl_block_at {
	enum zl_page_state state;
	unsigned order;
	unsigned list;
	uint32_t pages;
};
void zl_block_at(const struct zl_sim *s, uint32_t pfn, struct zl_block_at *ret);
/** First page of the block that covers @pfn, with its state. */
uint32_t zl_covering_head(const struct zl_sim *s, uint32_t pfn, struct zl_block_at *ret);

/* buddy.c */

/** Adds @pages (may be negative) of type @mt to the counters and to the running CPU's deltas. */
void zl_account(struct zl_sim *s, unsigned mt, int64_t pages);
/** Upper halves of a block go to list @mt until order @low is left. */
void zl_expand(struct zl_sim *s, uint32_t pfn, unsigned high, unsigned low, unsigned mt);
/** Smallest sufficient block of one type; ZL_NIL if there is none. */
uint32_t zl_rmqueue_smallest(struct zl_sim *s, unsigned order, unsigned mt);
/** Frees a block to list @mt, merging with its buddies. */
void zl_free_one(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, bool to_tail);
/** Tells observers that a block in use moved. */
void zl_note_migrate(struct zl_sim *s, uint32_t from, uint32_t to, unsigned order);
/** Frees a block under one hold of the zone lock, past the pagesets. */
void zl_free_direct(struct zl_sim *s, uint32_t pfn, unsigned order, bool to_tail);
/** The zone as after boot. */
void zl_buddy_start(struct zl_sim *s);

/* pageblock.c */

void zl_set_type(struct zl_sim *s, uint32_t pfn, unsigned mt);
/** The same for every pageblock of a block of order >= pageblock_order. */
void zl_retype(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt);
/** The whole pageblock lies in the zone. */
bool zl_block_inside(const struct zl_sim *s, uint32_t pfn);
struct zl_block_count {
	int64_t free, movable;
};
void zl_block_count(const struct zl_sim *s, uint32_t pfn, struct zl_block_count *ret);
/** Appends the free blocks of the pageblock to the tails of the lists of @mt. */
void zl_block_move(struct zl_sim *s, uint32_t pfn, unsigned mt);

/* fallback.c */

/** Kept through one refill (C forms). */
enum zl_take_mode { ZL_TAKE_NORMAL, ZL_TAKE_CMA, ZL_TAKE_CLAIM, ZL_TAKE_STEAL };
/** One block for a request of type @mt, by every way that there is; ZL_NIL if none. */
uint32_t zl_take(struct zl_sim *s, unsigned order, unsigned mt, enum zl_take_mode *mode);

/* highatomic.c */

void zl_reserve_highatomic(struct zl_sim *s, uint32_t pfn, unsigned order);
/** Gives one reserved pageblock back to type @mt; the last one only if @force. */
bool zl_unreserve_highatomic(struct zl_sim *s, unsigned mt, bool force);

/* hold.c: the zone lock and what happens under it. */

void zl_lock(struct zl_sim *s, enum zl_lock_cause cause);
void zl_unlock(struct zl_sim *s);
void zl_note_take(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt);
void zl_note_give(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, unsigned merges);
void zl_note_fallback(
	struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, enum zl_fallback_kind kind);
void zl_note_type(struct zl_sim *s, uint32_t pfn, unsigned mt, unsigned old);

#endif
