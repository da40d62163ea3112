/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After the boot: slack and blockers of windows, neighbours, totals.
 */
#include "reserve_plan.h"
#include "zonelab/text.h"

static bool meet(const struct zl_range *a, const struct zl_range *b)
{
	return a->base < zl_range_end(b->base, b->size) && b->base < zl_range_end(a->base, a->size);
}

static void blockers(
	struct zl_pool *pool, const struct zl_ranges *reserved, const struct zl_range *window)
{
	for (size_t i = 0; i < reserved->count && pool->nr_blockers < ZL_POOL_BLOCKERS; i++) {
		if (meet(&reserved->item[i], window)) {
			pool->blocker[pool->nr_blockers++] = reserved->item[i];
		}
	}
}

/* What the window offers to this pool alone: its own memory counts as free. */
void plan_windows(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);

	if (r->kind != ZL_REQUEST_NODE || r->has_reg || r->nr_windows == 0 ||
		!p->report->map.known) {
		return;
	}
	struct zl_memory_map map = p->report->map;
	if (pool->base_known && pool->size > 0) {
		zl_ranges_remove(&map.reserved, pool->base, pool->size);
	}
	for (size_t i = 0; i < r->nr_windows; i++) {
		const struct zl_range *w = &r->window[i];
		struct zl_hole hole = zl_memory_largest_hole(
			&map, pool->alignment, w->base, zl_range_end(w->base, w->size));
		uint64_t usable =
			hole.size > 0 && hole.aligned_base < zl_range_end(hole.base, hole.size)
				? zl_range_end(hole.base, hole.size) - hole.aligned_base
				: 0;

		if (usable > pool->window_hole) {
			pool->window_hole = usable;
		}
		blockers(pool, &map.reserved, w);
	}
	pool->slack = pool->window_hole > r->size ? pool->window_hole - r->size : 0;
}

static void say_overlap(struct plan *p, struct zl_pool *a, const struct zl_pool *b)
{
	const struct zl_request *ra = plan_request(p, a);
	const struct zl_request *rb = plan_request(p, b);
	char pa[4][PLAN_PA];

	plan_say(a, "OF: reserved mem: OVERLAP DETECTED!");
	plan_say(a, "%s (%s--%s) overlaps with %s (%s--%s)", ra->name, plan_pa(p, a->base, pa[0]),
		plan_pa(p, zl_range_end(a->base, ra->size), pa[1]), rb->name,
		plan_pa(p, b->base, pa[2]), plan_pa(p, zl_range_end(b->base, rb->size), pa[3]));
}

static bool was_dynamic_refusal(const struct plan *p, const struct zl_pool *pool)
{
	return !plan_request(p, pool)->has_reg && pool->verdict == ZL_VERDICT_REFUSED;
}

/* A region of the table, where its node put it. */
struct region {
	struct zl_pool *pool;
	struct zl_range at;
};

static size_t find_regions(struct plan *p, struct region *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < p->report->nr_pools; i++) {
		struct zl_pool *pool = &p->report->pool[i];
		const struct zl_request *q = plan_request(p, pool);

		if (pool->base_known && q->kind == ZL_REQUEST_NODE &&
			pool->verdict != ZL_VERDICT_BYPASSED) {
			ret[n++] = (struct region){
				.pool = pool, .at = {.base = pool->base, .size = q->size}
			 };
		}
	}
	return n;
}

/*
 * Regions of the table that share memory are reported, not refused. From 6.12 to 7.0 the region of
 * a refused dynamic node stays in the table and is reported against what took its place.
 */
static void neighbours(struct plan *p, const struct region *x, const struct region *y)
{
	struct zl_pool *a = x->pool;
	struct zl_pool *b = y->pool;
	const bool over = meet(&x->at, &y->at);
	const bool ghost = was_dynamic_refusal(p, a) || was_dynamic_refusal(p, b);

	if (over && (!ghost || p->in->switches->overlap_after_refusal)) {
		say_overlap(p, a, b);
	}
	if (ghost || a->verdict != ZL_VERDICT_ACCEPTED || b->verdict != ZL_VERDICT_ACCEPTED) {
		return;
	}
	if (over) {
		a->overlaps = (size_t)(b - p->report->pool) + 1;
		b->overlaps = (size_t)(a - p->report->pool) + 1;
	} else if (zl_range_end(x->at.base, x->at.size) == y->at.base) {
		a->touches = (size_t)(b - p->report->pool) + 1;
	} else if (zl_range_end(y->at.base, y->at.size) == x->at.base) {
		b->touches = (size_t)(a - p->report->pool) + 1;
	}
}

void plan_neighbours(struct plan *p)
{
	struct region region[ZL_POOLS_MAX];
	const size_t n = find_regions(p, region);

	for (size_t i = 0; i < n; i++) {
		const uint64_t base = region[i].at.base;
		const uint64_t end = zl_range_end(base, region[i].at.size);

		for (size_t k = i + 1; k < n; k++) {
			const struct zl_range *other = &region[k].at;

			/* Most are far from each other. */
			if (other->base <= end && base <= zl_range_end(other->base, other->size)) {
				neighbours(p, &region[i], &region[k]);
			}
		}
	}
}

static void count(struct plan *p, const struct zl_pool *pool)
{
	struct zl_reserve_report *r = p->report;
	const struct zl_request *q = plan_request(p, pool);

	r->nr_refused += pool->verdict == ZL_VERDICT_REFUSED;
	r->nr_no_room += pool->verdict == ZL_VERDICT_NO_ROOM;
	if (pool->class == ZL_POOL_CMA) {
		if (pool->verdict != ZL_VERDICT_BYPASSED) {
			r->requested = zl_range_end(r->requested, q->size);
			r->required = zl_range_end(r->required, pool->required_bytes);
		}
		if (pool->verdict == ZL_VERDICT_ACCEPTED) {
			r->given = zl_range_end(r->given, pool->size);
		}
	} else if (pool->class != ZL_POOL_IGNORED && pool->verdict == ZL_VERDICT_ACCEPTED) {
		r->reserved_other = zl_range_end(r->reserved_other, pool->size);
	}
}

/* Blocks that are reserved from end to end. */
static uint64_t whole_blocks(const struct zl_memory_map *map, uint64_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < map->reserved.count; i++) {
		const struct zl_range *r = &map->reserved.item[i];
		uint64_t first = zl_round_up(r->base, size);
		uint64_t last = zl_round_down(zl_range_end(r->base, r->size), size);

		if (last > first && zl_ranges_overlap(&map->banks, first, last - first)) {
			sum += (last - first) / size;
		}
	}
	return sum;
}

/* Blocks are counted per bank, as pagetypeinfo does: from the block of its first byte on. */
void zl_reserve_recount(const struct zl_reserve_in *in, struct zl_reserve_report *r)
{
	uint64_t size = in->geometry->pageblock_bytes;
	struct zl_ranges holes;
	uint64_t gone;

	if (!in->map->known || size == 0) {
		return;
	}
	r->blocks = 0;
	for (size_t i = 0; i < r->map.banks.count; i++) {
		const struct zl_range *b = &r->map.banks.item[i];
		uint64_t last = zl_range_end(b->base, b->size) - 1;

		r->blocks += last / size - b->base / size + 1;
	}
	zl_memory_holes(&r->map, &holes);
	r->bytes_left = zl_ranges_total(&holes);
	r->cma_blocks = r->given / size;
	gone = whole_blocks(&r->map, size);
	gone = gone > r->cma_blocks ? gone : r->cma_blocks;
	r->blocks_left = r->blocks > gone ? r->blocks - gone : 0;
	r->hole = zl_memory_largest_hole(&r->map, r->alignment, 0, 0);
}

void plan_totals(struct plan *p)
{
	for (size_t i = 0; i < p->report->nr_pools; i++) {
		count(p, &p->report->pool[i]);
	}
	zl_reserve_recount(p->in, p->report);
}
