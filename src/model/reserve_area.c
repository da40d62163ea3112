/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Areas that the kernel places itself: the default area of cma= or Kconfig, one for each node, and
 * hugetlb_cma=. All go through cma_declare_contiguous(), which rounds sizes up and limits down.
 */
#include "reserve_plan.h"

#define FOUR_GIB (UINT64_C(4) << 30)

static bool power_of_two(uint64_t v)
{
	return (v & (v - 1)) == 0;
}

struct attempt {
	const struct zl_reserve_in *in;
	const struct zl_memory_map *map;
	struct zl_declared *d;
	int node;
};

static bool above_4g(const struct attempt *a)
{
	uint64_t end =
		a->in->switches->cma_high_room_by_limit ? a->d->limit : zl_memory_end(a->map);
	struct zl_search s = {.size = a->d->size,
		.align = a->d->alignment,
		.start = FOUR_GIB,
		.end = a->d->limit,
		.node = a->node,
		.top_down = false};

	if (!a->map->phys64 || !a->map->top_down || end < zl_range_end(FOUR_GIB, a->d->size) ||
		a->d->limit <= FOUR_GIB) {
		return false;
	}
	return zl_memory_find(a->map, &s, &a->d->base);
}

/* Above the boundary of high memory first; what follows then stays below it. */
static bool in_highmem(const struct attempt *a, uint64_t *limit)
{
	struct zl_search s = {.size = a->d->size,
		.align = a->d->alignment,
		.start = a->map->highmem_start,
		.end = *limit,
		.node = a->node,
		.top_down = a->map->top_down};

	if (a->map->highmem_start == 0 || a->d->base >= a->map->highmem_start ||
		*limit <= a->map->highmem_start) {
		return false;
	}
	if (zl_memory_find(a->map, &s, &a->d->base)) {
		return true;
	}
	*limit = a->map->highmem_start;
	return false;
}

static bool search(const struct attempt *a)
{
	uint64_t limit = a->d->limit;
	struct zl_search s = {.size = a->d->size,
		.align = a->d->alignment,
		.start = a->d->base,
		.node = a->node,
		.top_down = a->map->top_down};

	if (a->in->switches->cma_high_first && above_4g(a)) {
		return true;
	}
	if (in_highmem(a, &limit)) {
		return true;
	}
	if (!a->in->switches->cma_high_first && above_4g(a)) {
		return true;
	}
	s.end = limit;
	return zl_memory_find(a->map, &s, &a->d->base);
}

/* The checks before any memory is looked for. @ret holds the values after rounding. */
static enum zl_declare_result prepare(const struct zl_reserve_in *in,
	const struct zl_memory_map *map, const struct zl_declare *d, struct zl_declared *ret)
{
	uint64_t a = in->geometry->cma_min_alignment_bytes;
	uint64_t end = zl_memory_end(map);
	uint64_t unit = map->page_size << d->order_per_bit;

	*ret = (struct zl_declared){
		.base = d->base, .size = d->size, .limit = d->limit, .fixed = d->fixed};
	ret->alignment = d->alignment > a ? d->alignment : a;
	if (d->size == 0 || !power_of_two(d->alignment)) {
		return ZL_DECLARE_SILENT;
	}
	if (d->fixed && d->base % ret->alignment != 0) {
		return ZL_DECLARE_UNALIGNED;
	}
	ret->base = zl_round_up(d->base, ret->alignment);
	ret->size = zl_round_up(d->size, ret->alignment);
	ret->limit = zl_round_down(d->limit, ret->alignment);
	ret->fixed = d->fixed && ret->base != 0;
	if (ret->size % unit != 0) {
		return ZL_DECLARE_SILENT;
	}
	if (ret->fixed && ret->base < map->highmem_start &&
		zl_range_end(ret->base, ret->size) > map->highmem_start) {
		return ZL_DECLARE_HIGHMEM;
	}
	if (map->known && (ret->limit == 0 || ret->limit > end)) {
		ret->limit = end;
	}
	if (ret->limit != 0 && zl_range_end(ret->base, ret->size) > ret->limit) {
		return ZL_DECLARE_LIMIT;
	}
	return ZL_DECLARE_OK;
}

enum zl_declare_result zl_cma_declare(const struct zl_reserve_in *in,
	const struct zl_memory_map *map, const struct zl_declare *d, struct zl_declared *ret)
{
	enum zl_declare_result r = prepare(in, map, d, ret);
	const struct attempt a = {.in = in, .map = map, .d = ret, .node = d->node};

	if (r != ZL_DECLARE_OK) {
		return r;
	}
	if (ret->fixed) {
		ret->placed = true;
		return zl_ranges_overlap(&map->reserved, ret->base, ret->size) ? ZL_DECLARE_BUSY
									       : ZL_DECLARE_OK;
	}
	if (!map->known) {
		return ZL_DECLARE_OK;
	}
	if (!search(&a)) {
		return ZL_DECLARE_NO_MEMORY;
	}
	ret->placed = true;
	return ZL_DECLARE_OK;
}

static void say_failure(
	struct plan *p, struct zl_pool *pool, enum zl_declare_result r, const struct zl_declared *d)
{
	char a[PLAN_PA];
	char b[PLAN_PA];
	char c[PLAN_PA];

	switch (r) {
	case ZL_DECLARE_UNALIGNED:
		plan_say(pool, "cma: Region at %s must be aligned to %s bytes",
			plan_pa(p, d->base, a), plan_pa(p, d->alignment, b));
		break;
	case ZL_DECLARE_HIGHMEM:
		plan_say(pool, "cma: Region at %s defined on low/high memory boundary (%s)",
			plan_pa(p, d->base, a), plan_pa(p, p->in->map->highmem_start, b));
		break;
	case ZL_DECLARE_LIMIT:
		plan_say(pool, "cma: Size (%s) of region at %s exceeds limit (%s)",
			plan_pa(p, d->size, a), plan_pa(p, d->base, b), plan_pa(p, d->limit, c));
		break;
	case ZL_DECLARE_OK:
	case ZL_DECLARE_SILENT:
	case ZL_DECLARE_BUSY:
	case ZL_DECLARE_NO_MEMORY:
	case ZL_DECLARE_RESULT_COUNT:
		break;
	}
	plan_mark(pool);
	if (r != ZL_DECLARE_SILENT || p->in->switches->cma_fail_always_logged) {
		plan_say_cma(p, pool, false, d->size);
	}
}

static void judge(
	struct plan *p, struct zl_pool *pool, enum zl_declare_result r, const struct zl_declared *d)
{
	static const struct {
		enum zl_pool_verdict verdict;
		enum zl_pool_reason reason;
	} judgement[ZL_DECLARE_RESULT_COUNT] = {
		[ZL_DECLARE_OK] = {ZL_VERDICT_ACCEPTED, ZL_REASON_FITS   },
		[ZL_DECLARE_SILENT] = {ZL_VERDICT_REFUSED,  ZL_REASON_SIZE	 },
		[ZL_DECLARE_UNALIGNED] = {ZL_VERDICT_REFUSED,  ZL_REASON_BASE   },
		[ZL_DECLARE_HIGHMEM] = {ZL_VERDICT_REFUSED,  ZL_REASON_HIGHMEM},
		[ZL_DECLARE_LIMIT] = {ZL_VERDICT_REFUSED,  ZL_REASON_LIMIT	 },
		[ZL_DECLARE_BUSY] = {ZL_VERDICT_NO_ROOM,	 ZL_REASON_TAKEN	},
		[ZL_DECLARE_NO_MEMORY] = {ZL_VERDICT_NO_ROOM,  ZL_REASON_NO_HOLE},
	};
	bool rounded = d->size != plan_request(p, pool)->size;

	plan_verdict(pool, judgement[r].verdict, judgement[r].reason);
	pool->alignment = d->alignment;
	pool->limit = d->limit;
	pool->placement = d->placed ? ZL_PLACEMENT_PLACED : ZL_PLACEMENT_UNKNOWN;
	if (pool->verdict == ZL_VERDICT_NO_ROOM) {
		pool->placement = ZL_PLACEMENT_NO_ROOM;
	}
	if (r != ZL_DECLARE_OK) {
		say_failure(p, pool, r, d);
		return;
	}
	pool->reason = rounded ? ZL_REASON_ROUNDED : ZL_REASON_FITS;
	pool->base_known = d->placed;
	pool->base = d->base;
	pool->size = d->size;
	p->report->areas++;
	if (d->placed) {
		zl_ranges_add(&p->report->map.reserved, d->base, d->size);
	}
	plan_say_cma(p, pool, true, d->size);
	if (d->placed && plan_activation(p->in->map, d->base, d->size) != ZL_REASON_FITS) {
		plan_verdict(
			pool, ZL_VERDICT_REFUSED, plan_activation(p->in->map, d->base, d->size));
		plan_say(pool, "cma: CMA area %s could not be activated",
			plan_request(p, pool)->kind == ZL_REQUEST_DEFAULT
				? "reserved"
				: plan_request(p, pool)->name);
		plan_mark(pool);
		pool->size = 0;
	}
}

static bool slots_full(struct plan *p, struct zl_pool *pool)
{
	if (p->report->areas < p->report->max_areas) {
		return false;
	}
	plan_verdict(pool, ZL_VERDICT_REFUSED, ZL_REASON_SLOTS);
	plan_say(pool, "cma: Not enough slots for CMA reserved regions!");
	if (p->in->switches->cma_fail_always_logged) {
		plan_say_cma(p, pool, false, plan_request(p, pool)->size);
	}
	return true;
}

static uint64_t default_limit(const struct plan *p, const struct zl_request *r)
{
	uint64_t arch = p->in->map->dma_limit;

	if (r->limit == 0) {
		return arch;
	}
	if (p->in->switches->cma_limit_min && arch != 0 && arch < r->limit) {
		return arch;
	}
	return r->limit;
}

void plan_default(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	struct zl_declare d = {.base = r->base,
		.size = r->size,
		.limit = default_limit(p, r),
		.fixed = zl_range_end(r->base, r->size) == r->limit,
		.node = ZL_ANY_NODE};
	struct zl_declared done;

	if (!p->in->geometry->dma_cma) {
		plan_verdict(pool, ZL_VERDICT_REFUSED, ZL_REASON_NO_DMA_CMA);
	} else if (r->source == ZL_SOURCE_CONFIG && p->in->cmdline_cma) {
		plan_verdict(pool, ZL_VERDICT_BYPASSED, ZL_REASON_OVERRIDDEN);
	} else if (r->size == 0) {
		plan_verdict(pool, ZL_VERDICT_NONE, ZL_REASON_ZERO);
	} else if (p->report->default_pool != 0) {
		plan_verdict(pool, ZL_VERDICT_BYPASSED, ZL_REASON_OVERRIDDEN);
	} else if (!slots_full(p, pool)) {
		judge(p, pool, zl_cma_declare(p->in, &p->report->map, &d, &done), &done);
	}
	if (pool->verdict == ZL_VERDICT_ACCEPTED) {
		pool->is_default = true;
		p->report->default_pool = (size_t)(pool - p->report->pool) + 1;
	} else if (pool->verdict != ZL_VERDICT_BYPASSED && pool->verdict != ZL_VERDICT_NONE) {
		p->default_failed = true;
	}
}

/* cma_pernuma=, numa_cma= and hugetlb_cma=: no base, no limit. */
void plan_node_area(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	bool huge = r->kind == ZL_REQUEST_HUGETLB;
	struct zl_declare d = {.size = r->size, .node = r->node};
	struct zl_declared done;

	if (huge && (r->size < r->unit ||
			    (p->in->switches->hugetlb_cma_exact && r->size % r->unit != 0))) {
		plan_verdict(pool, ZL_VERDICT_REFUSED, ZL_REASON_GIGANTIC);
		return;
	}
	if (huge) {
		d.size = zl_round_up(r->size, r->unit);
		d.alignment = r->alignment;
		d.order_per_bit = p->in->geometry->hugetlb_order > 0
					  ? (unsigned)p->in->geometry->hugetlb_order
					  : 0;
	} else if (!p->in->geometry->dma_cma) {
		plan_verdict(pool, ZL_VERDICT_REFUSED, ZL_REASON_NO_DMA_CMA);
		return;
	}
	if (r->size == 0) {
		plan_verdict(pool, ZL_VERDICT_NONE, ZL_REASON_ZERO);
	} else if (!slots_full(p, pool)) {
		judge(p, pool, zl_cma_declare(p->in, &p->report->map, &d, &done), &done);
	}
	if (huge && pool->verdict == ZL_VERDICT_ACCEPTED) {
		plan_say(pool, "hugetlb_cma: reserved %U MiB on node %d", d.size >> MIB_SHIFT,
			r->node);
	}
}
