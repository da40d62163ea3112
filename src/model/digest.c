/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digest: a 64-bit hash over the state as a sequence of little-endian 64-bit words, in the
 * order that docs/model.md gives. What is stored lazily and what is shared does not show.
 */
#include "buddy.h"
#include "ops.h"
#include "zonelab/sim.h"

#define HASH_START  UINT64_C(0x7a6f6e656c616231) /* "zonelab1" */
#define HASH_MULT_A UINT64_C(0x9fb21c651e98df25)
#define HASH_MULT_B UINT64_C(0xd6e8feb86659fd93)
#define HASH_SHIFT  32

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * HASH_MULT_A;
	h ^= h >> HASH_SHIFT;
	h *= HASH_MULT_B;
	return h ^ h >> HASH_SHIFT;
}

static uint64_t config(const struct zl_sim *s, uint64_t h)
{
	const uint64_t words[] = {
		s->nr_pages,
		s->cfg.managed,
		s->cfg.page_shift,
		s->page_block_order,
		s->max_order,
		(uint64_t)(int64_t)s->thp_order,
		s->nr_lists,
		s->cfg.scale_max,
		s->cfg.node_local,
		s->cfg.smp,
		s->cfg.cma,
		s->cfg.switches.design,
		s->cfg.switches.buddy_fallback,
		s->cfg.switches.merge_retag,
		s->cfg.switches.drain_type,
		s->cfg.switches.full_drain,
		s->cfg.switches.decay_chunks,
		s->cfg.switches.clamp,
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		h = mix(h, words[i]);
	}
	return h;
}

static uint64_t zone(const struct zl_sim *s, uint64_t h)
{
	const uint64_t words[] = {
		(uint64_t)s->nr_free,
		(uint64_t)s->nr_free_highatomic,
		(uint64_t)s->nr_free_cma,
		(uint64_t)s->nr_free_blocks,
		(uint64_t)s->nr_reserved_highatomic,
		(uint64_t)s->nr_used,
		s->nr_isolated,
		s->below_high,
		s->reclaim,
		s->wmark_low,
		s->wmark_high,
		s->high_fraction,
		s->limit_cpus,
		s->cache_slice,
		s->nr_cpus,
		s->cpu,
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		h = mix(h, words[i]);
	}
	return h;
}

/* What most zones have not: hashed only where there is something. */
static uint64_t rarely(const struct zl_sim *s, uint64_t h)
{
	const uint64_t words[] = {
		s->pcp_disabled,
		s->wmark_boost,
		s->boost_factor,
		(uint64_t)s->nr_cma_used,
		(uint64_t)s->nr_pinned,
		s->wmark_min != s->cfg.wmark_min ? s->wmark_min + 1 : 0,
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		h = words[i] != 0 ? mix(mix(h, i + 1), words[i]) : h;
	}
	for (unsigned i = 0; i < ZL_ZONE_TYPE_COUNT; i++) {
		h = s->cfg.lowmem_reserve[i] != 0 ? mix(mix(h, i), s->cfg.lowmem_reserve[i]) : h;
	}
	for (unsigned c = 0; c < s->nr_cpus; c++) {
		unsigned odd = (s->pcp[c].offline ? 1u : 0u) |
			       (s->pcp[c].remote == s->cfg.node_local ? 2u : 0u);

		h = odd != 0 ? mix(mix(h, c), odd) : h;
	}
	return h;
}

/* A list as stretches of ascending neighbours: first pfn and number of blocks. */
static uint64_t free_list(const struct zl_sim *s, uint64_t h, unsigned order, unsigned mt)
{
	uint32_t step = zl_pages_of(order);
	uint32_t pfn = zl_free_first(s, order, mt);

	h = mix(h, s->free[order][mt].blocks);
	while (pfn != ZL_NIL) {
		uint32_t first = pfn;
		uint32_t last;

		do {
			const struct zl_run *r = order == s->max_order ? zl_run_of(s, pfn) : NULL;

			last = r == NULL ? pfn : r->first + (r->pages - step);
			pfn = zl_free_next(s, last, order);
		} while (pfn != ZL_NIL && pfn == last + step);
		h = mix(h, first);
		h = mix(h, (uint64_t)(last - first) / step + 1);
	}
	return h;
}

static uint64_t pageset(const struct zl_sim *s, uint64_t h, const struct zl_pcp *pcp)
{
	const int64_t words[] = {pcp->count, pcp->high, pcp->high_min, pcp->high_max, pcp->batch,
		pcp->free_count, pcp->free_factor, pcp->alloc_factor, pcp->prev_free_high_order,
		pcp->free_high_batch, pcp->expire, pcp->diff_free, pcp->diff_cma, pcp->diff_blocks};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		h = mix(h, (uint64_t)words[i]);
	}
	for (unsigned l = 0; l < s->nr_lists; l++) {
		uint32_t pfn = pcp->list[l].first;

		h = mix(h, pcp->list[l].blocks);
		for (uint32_t left = pcp->list[l].blocks; left > 0; left--) {
			const struct zl_page *p = zl_page_r(s, pfn);

			h = mix(h, pfn);
			h = s->exact_counts ? h : mix(h, p->rem);
			pfn = left > 1 ? p->next : pfn;
		}
	}
	return h;
}

/* Pageblocks that are not movable: index and type. */
static uint64_t pageblocks(const struct zl_sim *s, uint64_t h)
{
	uint64_t blocks = zl_sim_pageblocks(s);

	for (uint64_t b = 0; b < blocks; b++) {
		uint32_t pfn = (uint32_t)(b << s->page_block_order);
		unsigned mt;

		if (zl_store_leaf_r(&s->blocks, (uint32_t)b, ZL_BYTE_LEAF_SHIFT) == NULL) {
			b |= (1u << ZL_BYTE_LEAF_SHIFT) - 1;
			continue;
		}
		mt = zl_block_type(s, pfn);
		if (mt != ZL_MIGRATE_MOVABLE) {
			h = mix(mix(h, b), mt);
		}
	}
	return h;
}

/* Ids in use: id, first page (or failed), order and whether the request said movable. */
static uint64_t ids(const struct zl_sim *s, uint64_t h)
{
	uint64_t end = (uint64_t)s->ids.nr_root << (ZL_WORD_LEAF_SHIFT + ZL_DIR_SHIFT);

	for (uint64_t id = 0; id < end; id++) {
		uint32_t slot;

		if (zl_store_leaf_r(&s->ids, (uint32_t)id, ZL_WORD_LEAF_SHIFT) == NULL) {
			id |= (1u << ZL_WORD_LEAF_SHIFT) - 1;
			continue;
		}
		slot = zl_id_get(s, (uint32_t)id);
		if (slot != ZL_ID_FREE) {
			h = mix(mix(h, id), slot);
		}
		if (slot != ZL_ID_FREE && slot != ZL_ID_FAILED) {
			const struct zl_page *p = zl_page_r(s, slot - 1);

			h = mix(mix(h, p->order), p->list);
			h = (p->list & ZL_USED_CONTIG) != 0 ? mix(h, p->prev) : h;
		}
	}
	return h;
}

uint64_t zl_sim_digest(const struct zl_sim *sim)
{
	uint64_t h = zone(sim, config(sim, HASH_START));

	for (unsigned o = 0; o <= sim->max_order; o++) {
		for (unsigned mt = 0; mt < ZL_MIGRATE_COUNT; mt++) {
			h = free_list(sim, h, o, mt);
		}
	}
	for (unsigned c = 0; c < sim->nr_cpus; c++) {
		h = pageset(sim, h, &sim->pcp[c]);
	}
	return rarely(sim, ids(sim, pageblocks(sim, h)));
}
