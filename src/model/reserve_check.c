/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After the boot: slack and blockers of windows, neighbours, totals, and the requests as they
 * should be written.
 */
#include <string.h>

#include "reserve_plan.h"
#include "zonelab/text.h"

static uint64_t end_of(uint64_t base, uint64_t size)
{
	return size > UINT64_MAX - base ? UINT64_MAX : base + size;
}

static bool meet(const struct zl_range *a, const struct zl_range *b)
{
	return a->base < end_of(b->base, b->size) && b->base < end_of(a->base, a->size);
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
	struct zl_memory_map map = p->report->map;
	bool placed = pool->base_known && pool->size > 0;

	if (r->kind != ZL_REQUEST_NODE || r->has_reg || r->nr_windows == 0 || !map.known) {
		return;
	}
	if (placed) {
		zl_ranges_remove(&map.reserved, pool->base, pool->size);
	}
	for (size_t i = 0; i < r->nr_windows; i++) {
		const struct zl_range *w = &r->window[i];
		struct zl_hole hole = zl_memory_largest_hole(
			&map, pool->alignment, w->base, end_of(w->base, w->size));
		uint64_t usable = hole.size > 0 && hole.aligned_base < end_of(hole.base, hole.size)
					  ? end_of(hole.base, hole.size) - hole.aligned_base
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
		plan_pa(p, end_of(a->base, ra->size), pa[1]), rb->name, plan_pa(p, b->base, pa[2]),
		plan_pa(p, end_of(b->base, rb->size), pa[3]));
}

static bool was_dynamic_refusal(const struct plan *p, const struct zl_pool *pool)
{
	return !plan_request(p, pool)->has_reg && pool->verdict == ZL_VERDICT_REFUSED;
}

/*
 * Regions of the table that share memory are reported, not refused. From 6.12 to 7.0 the region of
 * a refused dynamic node stays in the table and is reported against what took its place.
 */
static void neighbours(struct plan *p, struct zl_pool *a, struct zl_pool *b)
{
	const struct zl_request *ra = plan_request(p, a);
	const struct zl_request *rb = plan_request(p, b);
	struct zl_range x = {.base = a->base, .size = ra->size};
	struct zl_range y = {.base = b->base, .size = rb->size};
	bool ghost = was_dynamic_refusal(p, a) || was_dynamic_refusal(p, b);

	if (!a->base_known || !b->base_known || ra->kind != ZL_REQUEST_NODE ||
		rb->kind != ZL_REQUEST_NODE || a->verdict == ZL_VERDICT_BYPASSED ||
		b->verdict == ZL_VERDICT_BYPASSED) {
		return;
	}
	if (ghost) {
		if (meet(&x, &y) && p->in->switches->overlap_after_refusal) {
			say_overlap(p, a, b);
		}
		return;
	}
	if (meet(&x, &y)) {
		say_overlap(p, a, b);
		a->overlaps = (size_t)(b - p->report->pool) + 1;
		b->overlaps = (size_t)(a - p->report->pool) + 1;
	} else if (end_of(x.base, x.size) == y.base) {
		a->touches = (size_t)(b - p->report->pool) + 1;
	} else if (end_of(y.base, y.size) == x.base) {
		b->touches = (size_t)(a - p->report->pool) + 1;
	}
}

void plan_neighbours(struct plan *p)
{
	for (size_t i = 0; i < p->report->nr_pools; i++) {
		for (size_t k = i + 1; k < p->report->nr_pools; k++) {
			neighbours(p, &p->report->pool[i], &p->report->pool[k]);
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
			r->requested = end_of(r->requested, q->size);
			r->required = end_of(r->required, pool->required_bytes);
		}
		if (pool->verdict == ZL_VERDICT_ACCEPTED) {
			r->given = end_of(r->given, pool->size);
		}
	} else if (pool->class != ZL_POOL_IGNORED && pool->verdict == ZL_VERDICT_ACCEPTED) {
		r->reserved_other = end_of(r->reserved_other, pool->size);
	}
}

/* Blocks that are reserved from end to end. */
static uint64_t whole_blocks(const struct zl_memory_map *map, uint64_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < map->reserved.count; i++) {
		const struct zl_range *r = &map->reserved.item[i];
		uint64_t first = zl_round_up(r->base, size);
		uint64_t last = zl_round_down(end_of(r->base, r->size), size);

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
		uint64_t last = end_of(b->base, b->size) - 1;

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

/* --- the requests as they should be written --- */

struct correction {
	const struct zl_reserve_report *report;
	struct zl_memory_map map; /* what keeps its place */
};

static bool is_free(const struct correction *c, const struct zl_range *region)
{
	if (zl_ranges_overlap(&c->map.reserved, region->base, region->size)) {
		return false;
	}
	return !c->map.known || zl_ranges_contain(&c->map.banks, region->base, region->size);
}

/* The region around what was asked, or the nearest one that is free. */
static struct zl_range place(const struct correction *c, const struct zl_request *q, uint64_t a)
{
	struct zl_range best = zl_enclosing_region(q->base, q->size, a);
	const uint64_t size = zl_required_size(q->size, a);
	const struct zl_range tries[] = {
		best,
		{.base = zl_round_up(q->base,   a), .size = size},
		{.base = zl_round_down(q->base, a), .size = size},
	};
	const struct zl_search s = {
		.size = size, .align = a, .node = ZL_ANY_NODE, .top_down = c->map.top_down};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		if (is_free(c, &tries[i])) {
			return tries[i];
		}
	}
	if (c->map.known && zl_memory_find(&c->map, &s, &best.base)) {
		best.size = size;
	}
	return best;
}

static bool keeps_place(const struct zl_pool *pool, const struct zl_request *q)
{
	return q->kind == ZL_REQUEST_NODE && q->has_reg && pool->class != ZL_POOL_IGNORED &&
	       pool->verdict == ZL_VERDICT_ACCEPTED;
}

static bool is_misaligned(const struct zl_pool *pool)
{
	return pool->verdict == ZL_VERDICT_REFUSED &&
	       (pool->reason == ZL_REASON_SIZE || pool->reason == ZL_REASON_BASE ||
		       pool->reason == ZL_REASON_BASE_SIZE || pool->reason == ZL_REASON_LIMIT);
}

static void correct(struct correction *c, const struct zl_pool *pool, struct zl_request *q)
{
	uint64_t a = q->kind == ZL_REQUEST_NODE ? c->report->alignment : pool->alignment;
	struct zl_range region;

	if (!is_misaligned(pool) || pool->class != ZL_POOL_CMA) {
		return;
	}
	if (q->kind != ZL_REQUEST_NODE) {
		bool fixed = q->limit == end_of(q->base, q->size);

		q->base = zl_round_down(q->base, a);
		q->size = zl_required_size(q->size, a);
		if (fixed || (q->limit != 0 && q->limit < end_of(q->base, q->size))) {
			q->limit = end_of(q->base, q->size);
		}
		return;
	}
	if (!q->has_reg) {
		q->size = zl_required_size(q->size, a);
		return;
	}
	region = place(c, q, a);
	q->base = region.base;
	q->size = region.size;
	zl_ranges_add(&c->map.reserved, region.base, region.size);
}

void zl_reserve_correct(const struct zl_reserve_in *in, const struct zl_reserve_report *report,
	struct zl_request *ret)
{
	struct correction c = {.report = report, .map = *in->map};

	if (in->nr_requests > 0) {
		memcpy(ret, in->requests, in->nr_requests * sizeof(*ret));
	}
	for (size_t i = 0; i < report->nr_pools; i++) {
		const struct zl_request *q = &in->requests[report->pool[i].request];

		if (keeps_place(&report->pool[i], q)) {
			zl_ranges_add(&c.map.reserved, q->base, q->size);
		}
		for (size_t k = 0; k < q->nr_regs; k++) {
			zl_ranges_add(&c.map.reserved, q->reg[k].base, q->reg[k].size);
		}
	}
	for (size_t i = 0; i < report->nr_pools; i++) {
		correct(&c, &report->pool[i], &ret[report->pool[i].request]);
	}
}
