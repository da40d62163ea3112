/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Invariants. The walk by pfn shows that every page belongs to exactly one block; the walks of
 * the lists show that each list holds exactly the blocks that say so.
 */
#include <errno.h>

#include "buddy.h"
#include "ops.h"
#include "pcp.h"
#include "zonelab/sim.h"

struct tally {
	uint64_t free_blocks[ZL_ORDERS][ZL_MIGRATE_COUNT];
	uint64_t pcp_blocks[ZL_PCP_LISTS_MAX];
	uint64_t free, used, parked, whole, pinned, contig;
};

static int broken(struct zl_error *err, const char *what, uint64_t pfn, uint64_t extra)
{
	zl_error_set(err, 0, 0, "%s (pfn %U, %U)", what, pfn, extra);
	return -EILSEQ;
}

static int tally_block(const struct zl_sim *s, uint32_t pfn, const struct zl_block_at *at,
	struct tally *t, struct zl_error *err)
{
	if (at->state == ZL_PAGE_INSIDE) {
		return broken(err, "a page belongs to no block", pfn, 0);
	}
	if ((pfn & (at->pages - 1)) != 0 || at->order > s->max_order) {
		return broken(err, "a block is not aligned to its size", pfn, at->order);
	}
	if (at->pages > s->nr_pages - pfn) {
		return broken(err, "a block reaches beyond the zone", pfn, at->order);
	}
	if (at->state == ZL_PAGE_FREE) {
		t->free_blocks[at->order][at->list]++;
		t->free += at->list == ZL_MIGRATE_ISOLATE ? 0 : at->pages;
		if (at->order >= s->page_block_order && at->list != ZL_MIGRATE_ISOLATE) {
			t->whole += at->pages;
		}
	} else if (at->state == ZL_PAGE_PCP) {
		t->pcp_blocks[at->list]++;
		t->parked += at->pages;
	} else {
		t->used += at->pages;
		t->pinned += (at->list & ZL_USED_PINNED) != 0 ? at->pages : 0;
		t->contig += (at->list & ZL_USED_CONTIG) != 0 ? at->pages : 0;
	}
	return 0;
}

static int check_pages(const struct zl_sim *s, struct tally *t, struct zl_error *err)
{
	uint64_t pfn = 0;

	while (pfn < s->nr_pages) {
		struct zl_block_at at;
		int rc;

		zl_block_at(s, (uint32_t)pfn, &at);
		rc = tally_block(s, (uint32_t)pfn, &at, t, err);
		if (rc != 0) {
			return rc;
		}
		pfn += at.pages;
	}
	return 0;
}

static int check_free_list(
	const struct zl_sim *s, unsigned order, unsigned mt, struct zl_error *err)
{
	const struct zl_free_list *l = &s->free[order][mt];
	uint32_t prev = ZL_NIL;
	uint64_t n = 0;

	for (uint32_t p = l->first; p != ZL_NIL; p = zl_free_next(s, p, order)) {
		struct zl_block_at at;

		zl_block_at(s, p, &at);
		if (at.state != ZL_PAGE_FREE || at.order != order || at.list != mt) {
			return broken(
				err, "a free list holds a block that is not its own", p, order);
		}
		if (zl_free_prev(s, p, order) != prev) {
			return broken(err, "a free list is not linked both ways", p, order);
		}
		prev = p;
		n++;
		if (n > l->blocks) {
			break;
		}
	}
	if (n != l->blocks || prev != l->last) {
		return broken(err, "a free list has another length than counted", n, order);
	}
	return 0;
}

static int check_free_lists(const struct zl_sim *s, const struct tally *t, struct zl_error *err)
{
	for (unsigned o = 0; o <= s->max_order; o++) {
		for (unsigned mt = 0; mt < ZL_MIGRATE_COUNT; mt++) {
			int rc = check_free_list(s, o, mt, err);

			if (rc != 0) {
				return rc;
			}
			if (t->free_blocks[o][mt] != s->free[o][mt].blocks) {
				return broken(err, "a free block is on no list",
					t->free_blocks[o][mt], o);
			}
		}
	}
	return 0;
}

static int check_pcp_list(const struct zl_sim *s, const struct zl_pcp *pcp, unsigned list,
	uint64_t *pages, struct zl_error *err)
{
	const struct zl_pcp_list *l = &pcp->list[list];
	uint32_t p = l->first;

	for (uint32_t left = l->blocks; left > 0; left--) {
		const struct zl_page *page = zl_page_r(s, p);

		if (page->state != ZL_PAGE_PCP || page->list != list) {
			return broken(
				err, "a pageset list holds a block that is not its own", p, list);
		}
		*pages += zl_pages_of(page->order);
		if (left == 1) {
			return p == l->last ? 0 : broken(err, "a pageset list ends early", p, list);
		}
		if (zl_page_r(s, page->next)->prev != p) {
			return broken(err, "a pageset list is not linked both ways", p, list);
		}
		p = page->next;
	}
	return 0;
}

static int check_pagesets(const struct zl_sim *s, struct tally *t, struct zl_error *err)
{
	for (unsigned c = 0; c < s->nr_cpus; c++) {
		uint64_t pages = 0;

		for (unsigned l = 0; l < ZL_PCP_LISTS_MAX; l++) {
			int rc = check_pcp_list(s, &s->pcp[c], l, &pages, err);

			if (rc != 0) {
				return rc;
			}
			t->pcp_blocks[l] -= s->pcp[c].list[l].blocks;
		}
		if (pages != (uint64_t)s->pcp[c].count) {
			return broken(err, "count is not the sum of a pageset's lists", pages, c);
		}
		t->parked -= pages;
	}
	for (unsigned l = 0; l < ZL_PCP_LISTS_MAX; l++) {
		if (t->pcp_blocks[l] != 0) {
			return broken(err, "a parked block is on no list", t->pcp_blocks[l], l);
		}
	}
	return 0;
}

/* Every id in use names a block that names it. */
static int check_ids(const struct zl_sim *s, struct zl_error *err)
{
	for (uint64_t id = 0; id < s->ids_end; id++) {
		uint32_t slot;

		if (zl_store_leaf_r(&s->ids, (uint32_t)id, ZL_WORD_LEAF_SHIFT) == NULL) {
			id |= (1u << ZL_WORD_LEAF_SHIFT) - 1;
			continue;
		}
		slot = zl_id_get(s, (uint32_t)id);
		if (slot == ZL_ID_FREE || slot == ZL_ID_FAILED) {
			continue;
		}
		const struct zl_page *p = zl_page_r(s, slot - 1);

		if (p->state != ZL_PAGE_USED || p->next != id) {
			return broken(err, "an id names a block that is not its own", slot - 1, id);
		}
	}
	return 0;
}

static int check_pageblocks(const struct zl_sim *s, struct zl_error *err)
{
	uint64_t isolated = 0;

	for (uint64_t b = 0; b < zl_sim_pageblocks(s); b++) {
		uint32_t pfn = (uint32_t)(b << s->page_block_order);
		bool cma = b << s->page_block_order >= s->cfg.cma_start &&
			   b << s->page_block_order < s->cfg.cma_start + s->cfg.cma_pages;

		isolated += zl_block_type(s, pfn) == ZL_MIGRATE_ISOLATE ? 1 : 0;
		if (cma != (zl_block_type(s, pfn) == ZL_MIGRATE_CMA)) {
			return broken(err, "CMA is not where it was reserved", pfn, b);
		}
	}
	return isolated == s->nr_isolated
		       ? 0
		       : broken(err, "isolated pageblocks are miscounted", isolated, 0);
}

int zl_sim_check(const struct zl_sim *sim, struct zl_error *err)
{
	struct tally t = {0};
	int rc = check_pages(sim, &t, err);

	if (rc == 0) {
		rc = check_free_lists(sim, &t, err);
	}
	if (rc == 0 && (t.free != (uint64_t)sim->nr_free || t.used != (uint64_t)sim->nr_used ||
			       t.whole != (uint64_t)sim->nr_free_blocks)) {
		rc = broken(err, "a counter of the zone is wrong", t.free, t.used);
	}
	if (rc == 0 &&
		(t.pinned != (uint64_t)sim->nr_pinned || t.contig != (uint64_t)sim->nr_cma_used)) {
		rc = broken(err, "pinned pages or those of CMA are miscounted", t.pinned, t.contig);
	}
	if (rc == 0) {
		rc = check_pagesets(sim, &t, err);
	}
	if (rc == 0) {
		rc = check_ids(sim, err);
	}
	if (rc == 0) {
		rc = check_pageblocks(sim, err);
	}
	return rc;
}
