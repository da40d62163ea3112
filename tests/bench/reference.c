/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

#include <stdlib.h>

#define MAX_ORDER 10
#define ORDERS	  (MAX_ORDER + 1)
#define PCP_LISTS 4
#define BATCH	  63u
#define HIGH	  1024
#define NIL	  UINT32_MAX
#define NOT_FREE  0xff

struct page {
	uint32_t next, prev;
	uint8_t order; /* of the free block that starts here, or NOT_FREE */
};

struct list {
	uint32_t first, last;
	uint32_t blocks;
};

struct reference {
	struct page *page;
	uint32_t pages;
	struct list free[ORDERS];
	struct list pcp[PCP_LISTS];
	uint32_t count;
	uint64_t refills, drains, hits, nr_free;
};

static void link_first(struct reference *r, struct list *l, uint32_t pfn)
{
	r->page[pfn].prev = NIL;
	r->page[pfn].next = l->first;
	if (l->first != NIL) {
		r->page[l->first].prev = pfn;
	} else {
		l->last = pfn;
	}
	l->first = pfn;
	l->blocks++;
}

static void unlink_page(struct reference *r, struct list *l, uint32_t pfn)
{
	uint32_t next = r->page[pfn].next, prev = r->page[pfn].prev;

	if (prev != NIL) {
		r->page[prev].next = next;
	} else {
		l->first = next;
	}
	if (next != NIL) {
		r->page[next].prev = prev;
	} else {
		l->last = prev;
	}
	l->blocks--;
}

static void buddy_give(struct reference *r, uint32_t pfn, unsigned order)
{
	r->nr_free += UINT64_C(1) << order;
	while (order < MAX_ORDER) {
		uint32_t buddy = pfn ^ (UINT32_C(1) << order);

		if (buddy >= r->pages || r->page[buddy].order != order) {
			break;
		}
		unlink_page(r, &r->free[order], buddy);
		r->page[buddy].order = NOT_FREE;
		pfn &= buddy;
		order++;
	}
	r->page[pfn].order = (uint8_t)order;
	link_first(r, &r->free[order], pfn);
}

static uint32_t buddy_take(struct reference *r, unsigned order)
{
	for (unsigned c = order; c <= MAX_ORDER; c++) {
		uint32_t pfn = r->free[c].first;

		if (pfn == NIL) {
			continue;
		}
		unlink_page(r, &r->free[c], pfn);
		r->page[pfn].order = NOT_FREE;
		while (c > order) {
			uint32_t half = pfn + (UINT32_C(1) << --c);

			r->page[half].order = (uint8_t)c;
			link_first(r, &r->free[c], half);
		}
		r->nr_free -= UINT64_C(1) << order;
		return pfn;
	}
	return NIL;
}

struct reference *reference_new(uint32_t pages)
{
	struct reference *r = calloc(1, sizeof(*r));

	if (r == NULL) {
		abort();
	}
	r->pages = pages;
	r->page = calloc(pages, sizeof(*r->page));
	if (r->page == NULL) {
		abort();
	}
	for (unsigned i = 0; i < ORDERS; i++) {
		r->free[i].first = NIL;
		r->free[i].last = NIL;
	}
	for (unsigned i = 0; i < PCP_LISTS; i++) {
		r->pcp[i].first = NIL;
		r->pcp[i].last = NIL;
	}
	for (uint32_t p = 0; p < pages; p++) {
		r->page[p].order = NOT_FREE;
	}
	for (uint32_t p = 0; p < pages; p += UINT32_C(1) << MAX_ORDER) {
		buddy_give(r, p, MAX_ORDER);
	}
	return r;
}

void reference_free(struct reference *r)
{
	free(r->page);
	free(r);
}

uint32_t reference_take(struct reference *r, unsigned order)
{
	struct list *l = &r->pcp[order];
	uint32_t pfn;

	if (l->first == NIL) {
		r->refills++;
		for (unsigned i = 0; i < BATCH >> order; i++) {
			pfn = buddy_take(r, order);
			if (pfn == NIL) {
				break;
			}
			link_first(r, l, pfn);
			r->count += UINT32_C(1) << order;
		}
		if (l->first == NIL) {
			return NIL;
		}
	}
	pfn = l->first;
	unlink_page(r, l, pfn);
	r->count -= UINT32_C(1) << order;
	r->hits++;
	return pfn;
}

static void drain(struct reference *r)
{
	uint32_t left = BATCH;

	r->drains++;
	for (unsigned order = 0; order < PCP_LISTS && left > 0; order++) {
		struct list *l = &r->pcp[order];

		while (left > 0 && l->last != NIL) {
			uint32_t pfn = l->last;
			uint32_t pages = UINT32_C(1) << order;

			unlink_page(r, l, pfn);
			r->count -= pages;
			left -= pages < left ? pages : left;
			buddy_give(r, pfn, order);
		}
	}
}

void reference_give(struct reference *r, uint32_t pfn, unsigned order)
{
	link_first(r, &r->pcp[order], pfn);
	r->count += UINT32_C(1) << order;
	if (r->count > HIGH) {
		drain(r);
	}
}
