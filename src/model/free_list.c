/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free lists by order and migratetype: doubly linked by pfn, head and tail both matter.
 *
 * Blocks that nothing has touched since the zone was created are not stored one by one: they form
 * runs, stretches of order-max blocks that are neighbours on the MOVABLE list. A run looks like
 * its blocks from outside; only the links at its two ends are stored. A block leaves its run when
 * it is taken off the list; one from the middle splits the run.
 */
#include "buddy.h"

#include <assert.h>

const struct zl_page zl_page_absent;

const struct zl_run *zl_run_of(const struct zl_sim *s, uint32_t pfn)
{
	for (unsigned i = 0; i < s->nr_runs; i++) {
		if (pfn - s->run[i].first < s->run[i].pages) {
			return &s->run[i];
		}
	}
	return NULL;
}

static struct zl_run *run_of(struct zl_sim *s, uint32_t pfn, unsigned order)
{
	if (order != s->max_order) {
		return NULL;
	}
	for (unsigned i = 0; i < s->nr_runs; i++) {
		if (pfn - s->run[i].first < s->run[i].pages) {
			return &s->run[i];
		}
	}
	return NULL;
}

uint32_t zl_free_next(const struct zl_sim *s, uint32_t pfn, unsigned order)
{
	const struct zl_run *r = order == s->max_order ? zl_run_of(s, pfn) : NULL;
	uint32_t step = zl_pages_of(order);

	if (r == NULL) {
		return zl_page_r(s, pfn)->next;
	}
	return pfn - r->first + step < r->pages ? pfn + step : r->next;
}

uint32_t zl_free_prev(const struct zl_sim *s, uint32_t pfn, unsigned order)
{
	const struct zl_run *r = order == s->max_order ? zl_run_of(s, pfn) : NULL;

	if (r == NULL) {
		return zl_page_r(s, pfn)->prev;
	}
	return pfn != r->first ? pfn - zl_pages_of(order) : r->prev;
}

static void set_next(struct zl_sim *s, uint32_t pfn, unsigned order, uint32_t next)
{
	struct zl_run *r = run_of(s, pfn, order);

	if (r != NULL) {
		r->next = next;
	} else {
		zl_page_w(s, pfn)->next = next;
	}
}

static void set_prev(struct zl_sim *s, uint32_t pfn, unsigned order, uint32_t prev)
{
	struct zl_run *r = run_of(s, pfn, order);

	if (r != NULL) {
		r->prev = prev;
	} else {
		zl_page_w(s, pfn)->prev = prev;
	}
}

static void whole_blocks_add(struct zl_sim *s, unsigned order, unsigned mt, int64_t sign)
{
	int64_t pages = sign * (int64_t)zl_pages_of(order);

	if (order >= s->page_block_order && mt != ZL_MIGRATE_ISOLATE) {
		s->nr_free_blocks += pages;
		zl_this_pcp(s)->diff_blocks += pages;
	}
}

void zl_free_link(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt, bool tail)
{
	struct zl_free_list *l = &s->free[order][mt];
	struct zl_page *p = zl_page_w(s, pfn);

	p->state = ZL_PAGE_FREE;
	p->order = (uint8_t)order;
	p->list = (uint8_t)mt;
	l->blocks++;
	whole_blocks_add(s, order, mt, 1);
	if (l->first == ZL_NIL) {
		p->next = ZL_NIL;
		p->prev = ZL_NIL;
		l->first = pfn;
		l->last = pfn;
	} else if (tail) {
		p->next = ZL_NIL;
		p->prev = l->last;
		set_next(s, l->last, order, pfn);
		l->last = pfn;
	} else {
		p->next = l->first;
		p->prev = ZL_NIL;
		set_prev(s, l->first, order, pfn);
		l->first = pfn;
	}
}

static void run_drop_empty(struct zl_sim *s, struct zl_run *r)
{
	if (r->pages == 0) {
		s->nr_runs--;
		*r = s->run[s->nr_runs];
	}
}

/* The first block of a run becomes an ordinary one in the same place of the list. */
static void run_touch_first(struct zl_sim *s, struct zl_run *r)
{
	uint32_t pfn = r->first;
	uint32_t next = zl_free_next(s, pfn, s->max_order);
	struct zl_page *p = zl_page_w(s, pfn);

	p->state = ZL_PAGE_FREE;
	p->order = s->max_order;
	p->list = ZL_MIGRATE_MOVABLE;
	p->prev = r->prev;
	p->next = next;
	r->first += zl_pages_of(s->max_order);
	r->pages -= zl_pages_of(s->max_order);
	if (r->pages > 0) {
		r->prev = pfn;
	} else if (next != ZL_NIL) {
		run_drop_empty(s, r);
		set_prev(s, next, s->max_order, pfn);
		return;
	}
	run_drop_empty(s, r);
}

/* Makes @pfn the first block of a run; returns that run. */
static struct zl_run *run_cut_before(struct zl_sim *s, struct zl_run *r, uint32_t pfn)
{
	if (pfn != r->first && s->nr_runs < ZL_RUNS_MAX) {
		struct zl_run *rest = &s->run[s->nr_runs++];

		rest->first = pfn;
		rest->pages = r->pages - (pfn - r->first);
		rest->next = r->next;
		rest->prev = pfn - zl_pages_of(s->max_order);
		r->pages = pfn - r->first;
		r->next = pfn;
		return rest;
	}
	/* The run keeps @pfn, so it does not vanish under these. */
	while (r->first != pfn) {
		run_touch_first(s, r);
	}
	return r;
}

/* A run gives up its first block; returns what follows it on the list, prev in @ret_prev. */
static uint32_t run_pop_first(struct zl_sim *s, struct zl_run *r, uint32_t *ret_prev)
{
	uint32_t next = zl_free_next(s, r->first, s->max_order);

	*ret_prev = r->prev;
	r->first += zl_pages_of(s->max_order);
	r->pages -= zl_pages_of(s->max_order);
	run_drop_empty(s, r);
	return next;
}

void zl_free_unlink(struct zl_sim *s, uint32_t pfn, unsigned order, unsigned mt)
{
	struct zl_free_list *l = &s->free[order][mt];
	struct zl_run *r = run_of(s, pfn, order);
	uint32_t next, prev;

	l->blocks--;
	whole_blocks_add(s, order, mt, -1);
	if (r != NULL) {
		next = run_pop_first(s, run_cut_before(s, r, pfn), &prev);
	} else {
		struct zl_page *p = zl_page_w(s, pfn);

		next = p->next;
		prev = p->prev;
		p->state = ZL_PAGE_INSIDE;
	}
	if (prev == ZL_NIL) {
		l->first = next;
	} else {
		set_next(s, prev, order, next);
	}
	if (next == ZL_NIL) {
		l->last = prev;
	} else {
		set_prev(s, next, order, prev);
	}
}

void zl_free_add_run(struct zl_sim *s, uint32_t first, uint32_t pages)
{
	struct zl_free_list *l = &s->free[s->max_order][ZL_MIGRATE_MOVABLE];
	uint32_t step = zl_pages_of(s->max_order);
	struct zl_run *r;

	assert(s->nr_runs < ZL_RUNS_MAX && pages % step == 0);
	if (pages == 0) {
		return;
	}
	r = &s->run[s->nr_runs++];
	r->first = first;
	r->pages = pages;
	r->prev = l->last;
	r->next = ZL_NIL;
	if (l->last == ZL_NIL) {
		l->first = first;
	} else {
		uint32_t last = l->last;

		set_next(s, last, s->max_order, first);
	}
	l->last = first + pages - step;
	l->blocks += pages / step;
	s->nr_free_blocks += s->max_order >= s->page_block_order ? (int64_t)pages : 0;
}

void zl_block_at(const struct zl_sim *s, uint32_t pfn, struct zl_block_at *ret)
{
	const struct zl_page *p = zl_page_r(s, pfn);

	ret->state = ZL_PAGE_INSIDE;
	ret->order = 0;
	ret->list = 0;
	ret->pages = 1;
	if (p->state != ZL_PAGE_INSIDE) {
		ret->state = (enum zl_page_state)p->state;
		ret->order = p->order;
		ret->list = p->list;
		ret->pages = zl_pages_of(p->order);
	} else if ((pfn & (zl_pages_of(s->max_order) - 1)) == 0 && zl_run_of(s, pfn) != NULL) {
		ret->state = ZL_PAGE_FREE;
		ret->order = s->max_order;
		ret->list = ZL_MIGRATE_MOVABLE;
		ret->pages = zl_pages_of(s->max_order);
	}
}
