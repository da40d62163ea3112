/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reclaim with a stated effect: the oldest movable blocks of a node are freed. */
#include <errno.h>
#include <string.h>

#include "system_state.h"

#define LRU_FIRST 1024u

static uint32_t stamp_of(const struct zl_system *s, uint32_t id)
{
	const struct zl_node *leaf = zl_store_leaf_r(&s->stamps, id, ZL_WORD_LEAF_SHIFT);

	return leaf == NULL ? 0 : leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)];
}

/* Whether an entry is still the block that it was made for. */
static bool current(const struct zl_system *s, const struct zl_lru_entry *e)
{
	return zl_system_id_zone(s, e->id) >= 0 && stamp_of(s, e->id) == e->stamp;
}

/* Drops what is gone, then makes room if little was. */
static int make_room(struct zl_system *s, struct zl_lru *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct zl_lru_entry e = l->entry[l->head + i];

		if (current(s, &e)) {
			l->entry[n++] = e;
		}
	}
	l->head = 0;
	l->count = n;
	if (n <= l->cap / 2 && l->cap > 0) {
		return 0;
	}
	size_t cap = l->cap > 0 ? 2 * l->cap : LRU_FIRST;
	void *p = s->mem.realloc(s->mem.user, l->entry, cap * sizeof(*l->entry));
	if (p == NULL) {
		return -ENOMEM;
	}
	l->entry = p;
	l->cap = cap;
	return 0;
}

int zl_lru_add(struct zl_system *s, unsigned node, uint32_t id)
{
	struct zl_lru *l = &s->lru[node];
	struct zl_node *leaf = zl_store_leaf_w(&s->stamps, &s->pool, id, ZL_WORD_LEAF_SHIFT);

	leaf->u.word[id & ((1u << ZL_WORD_LEAF_SHIFT) - 1)] = ++s->stamp;
	if (l->head + l->count == l->cap) {
		int rc = make_room(s, l);

		if (rc != 0) {
			return rc;
		}
	}
	l->entry[l->head + l->count++] = (struct zl_lru_entry){id, s->stamp};
	return 0;
}

static int free_one(struct zl_system *s, uint32_t id)
{
	struct zl_op op = {.kind = ZL_OP_FREE, .id = id};
	unsigned zone = (unsigned)zl_system_id_zone(s, id);
	uint32_t pages = zl_sim_id_pages(s->zone[zone], id);
	int rc = zl_system_zone_op(s, zone, &op);

	if (rc == 0) {
		zl_where_set(s, id, ZL_WHERE_NONE);
		s->did.reclaimed += pages;
		s->totals.reclaimed += pages;
	}
	return rc;
}

/* What cannot be given back now keeps its place. */
int zl_system_give_back(struct zl_system *s, unsigned node, unsigned highest, uint32_t pages)
{
	struct zl_lru *l = &s->lru[node];
	uint32_t until = s->did.reclaimed + pages;
	size_t i = 0, kept = 0;
	int rc = 0;

	for (; rc == 0 && i < l->count && s->did.reclaimed < until; i++) {
		struct zl_lru_entry e = l->entry[l->head + i];
		int zone = current(s, &e) ? zl_system_id_zone(s, e.id) : -1;

		if (zone < 0) {
			continue;
		}
		if ((unsigned)s->cfg.zone[zone].type > highest ||
			!zl_sim_id_movable(s->zone[zone], e.id)) {
			l->entry[l->head + kept++] = e;
			continue;
		}
		rc = free_one(s, e.id);
	}
	/* The kept ones move up to what was not looked at. */
	if (kept > 0) {
		memmove(l->entry + l->head + (i - kept), l->entry + l->head,
			kept * sizeof(*l->entry));
	}
	l->head += i - kept;
	l->count -= i - kept;
	return rc;
}

static int set_flag(struct zl_system *s, unsigned zone, bool on, bool *ret_changed)
{
	*ret_changed = s->zone[zone]->reclaim != on;
	return *ret_changed ? zl_system_set(s, zone, ZL_SIM_RECLAIM, on) : 0;
}

/*
 * One run of kswapd: the flag on every zone of the node, pages back, the flag off, boosts ended.
 * Source: mm/vmscan.c, balance_pgdat(), v6.12.
 */
int zl_system_reclaim(struct zl_system *s, const struct zl_op *op)
{
	bool raised[ZL_SYSTEM_ZONES_MAX] = {false};
	unsigned node = zl_system_node(s);
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		if (s->cfg.zone[i].node == node) {
			rc = set_flag(s, i, true, &raised[i]);
		}
	}
	if (rc == 0) {
		rc = zl_system_give_back(s, node, ZL_ZONE_MOVABLE, op->arg);
	}
	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		bool unused;

		if (raised[i]) {
			rc = set_flag(s, i, false, &unused);
		}
		if (rc == 0 && s->cfg.zone[i].node == node && s->zone[i]->wmark_boost > 0) {
			rc = zl_system_set(s, i, ZL_SIM_BOOST, 0);
		}
	}
	if (zl_system_balanced(s, node, 0, ZL_ZONE_MOVABLE)) {
		s->awake[node] = false;
	}
	memset(&s->last, 0, sizeof(s->last));
	s->last.result = ZL_RESULT_NUMBER;
	s->sum.value = s->did.reclaimed;
	s->last.reason = ZL_REASON_RECLAIMED;
	return rc;
}
