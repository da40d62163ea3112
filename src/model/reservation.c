/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: which requests are what, and the order in which a boot deals with them.
 */
#include "zonelab/reservation.h"

#include <stddef.h>
#include <string.h>

#include "reserve_plan.h"

uint64_t zl_required_size(uint64_t size, uint64_t align)
{
	uint64_t up = zl_round_up(size, align);

	return up == 0 ? align : up;
}

struct zl_range zl_enclosing_region(uint64_t base, uint64_t size, uint64_t align)
{
	uint64_t begin = zl_round_down(base, align);
	uint64_t end = size > UINT64_MAX - base ? UINT64_MAX : base + size;

	return (struct zl_range){
		.base = begin, .size = zl_required_size(zl_round_up(end, align) - begin, align)};
}

/*
 * CMA only with reusable and without no-map.
 * Source: kernel/dma/contiguous.c, rmem_cma_setup(), v6.12; kernel/dma/coherent.c,
 * rmem_dma_setup(), v6.12.
 */
static enum zl_pool_class class_of(const struct zl_request *r)
{
	if (r->kind != ZL_REQUEST_NODE) {
		return ZL_POOL_CMA;
	}
	if (r->fault != ZL_NODE_OK) {
		return ZL_POOL_IGNORED;
	}
	if (r->no_map) {
		return ZL_POOL_NO_MAP;
	}
	if (r->dma_pool) {
		return r->reusable ? ZL_POOL_CMA : ZL_POOL_COHERENT;
	}
	return ZL_POOL_GENERIC;
}

static void say_fault(
	const struct zl_reserve_in *in, const struct zl_request *r, struct zl_pool *pool)
{
	const char *of = in->switches->reserved_static_late ? "OF: reserved mem: " : "";

	switch (r->fault) {
	case ZL_NODE_PARENT:
		plan_say(pool, "%sReserved memory: unsupported node format, ignoring", of);
		break;
	case ZL_NODE_REG_LENGTH:
		plan_say(pool, "%sReserved memory: invalid reg property in '%s', skipping node.",
			of, r->name);
		break;
	case ZL_NODE_SIZE_LENGTH:
		plan_say(pool, "OF: reserved mem: invalid size property in '%s' node.", r->name);
		break;
	case ZL_NODE_ALIGNMENT_LENGTH:
		plan_say(pool, "OF: reserved mem: invalid alignment property in '%s' node.",
			r->name);
		break;
	case ZL_NODE_RANGES_LENGTH:
		plan_say(pool,
			"OF: reserved mem: invalid alloc-ranges property in '%s', skipping node.",
			r->name);
		break;
	case ZL_NODE_OK:
	case ZL_NODE_DISABLED:
	case ZL_NODE_NEITHER:
	case ZL_NODE_UNKNOWN_VALUE:
	case ZL_NODE_FAULT_COUNT:
		break;
	}
}

static void required(const struct plan *p, const struct zl_request *r, struct zl_pool *pool)
{
	uint64_t a = r->kind == ZL_REQUEST_NODE ? p->report->alignment : pool->alignment;
	struct zl_range region;

	pool->required_bytes = r->size;
	pool->required_base_known = r->has_reg;
	pool->required_base = r->base;
	if (pool->class != ZL_POOL_CMA) {
		return;
	}
	pool->next_down = zl_round_down(r->size, a);
	pool->next_up = zl_round_up(r->size, a);
	if (r->size == 0) {
		return;
	}
	if (r->has_reg) {
		region = zl_enclosing_region(r->base, r->size, a);
		pool->required_base = region.base;
		pool->required_bytes = region.size;
	} else {
		pool->required_bytes = zl_required_size(r->size, a);
	}
	pool->waste = pool->required_bytes - r->size;
}

static void pool_init(const struct plan *p, struct zl_pool *pool, size_t request)
{
	const struct zl_request *r = &p->in->requests[request];
	uint64_t align = r->alignment;

	/* The lines behind nr_messages hold nothing; clearing them would cost more than the rest. */
	memset(pool, 0, offsetof(struct zl_pool, text));
	pool->text[0] = '\0';
	pool->request = request;
	pool->silent = p->in->silent;
	pool->class = class_of(r);
	pool->verdict = ZL_VERDICT_NONE;
	pool->placement = ZL_PLACEMENT_UNKNOWN;
	pool->reason = ZL_REASON_ZERO;
	if (pool->class == ZL_POOL_CMA && align < p->report->alignment &&
		p->in->geometry->dma_cma) {
		align = p->report->alignment;
	}
	pool->alignment = align != 0 ? align : ZL_SMP_CACHE_BYTES;
	required(p, r, pool);
	if (pool->class == ZL_POOL_IGNORED) {
		pool->reason = ZL_REASON_FAULT;
		say_fault(p->in, r, pool);
	}
}

typedef void (*pool_step)(struct plan *, struct zl_pool *);

static void each(struct plan *p, enum zl_request_kind kind, pool_step step)
{
	for (size_t i = 0; i < p->report->nr_pools; i++) {
		if (plan_request(p, &p->report->pool[i])->kind == kind) {
			step(p, &p->report->pool[i]);
		}
	}
}

static void dynamic_nodes(struct plan *p)
{
	for (size_t i = 0; i < p->report->nr_pools; i++) {
		struct zl_pool *pool = &p->report->pool[i];
		const struct zl_request *r = plan_request(p, pool);

		if (r->kind == ZL_REQUEST_NODE && !r->has_reg) {
			plan_node_place(p, pool);
			plan_node_init(p, pool);
		}
	}
}

/* Static nodes are initialised in tree order, or by ascending address (to 6.12). */
static void static_nodes(struct plan *p)
{
	struct zl_pool *order[ZL_POOLS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < p->report->nr_pools; i++) {
		struct zl_pool *pool = &p->report->pool[i];
		const struct zl_request *r = plan_request(p, pool);
		size_t at = n;

		if (r->kind != ZL_REQUEST_NODE || !r->has_reg) {
			continue;
		}
		while (!p->in->switches->reserved_static_late && at > 0 &&
			plan_request(p, order[at - 1])->base > r->base) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = pool;
		n++;
	}
	for (size_t i = 0; i < n; i++) {
		plan_node_init(p, order[i]);
	}
}

void zl_reserve_plan(const struct zl_reserve_in *in, struct zl_reserve_report *ret)
{
	struct plan p = {.in = in, .report = ret};

	memset(ret, 0, offsetof(struct zl_reserve_report, pool));
	ret->map = *in->map;
	ret->alignment = in->geometry->cma_min_alignment_bytes;
	ret->max_areas = in->geometry->max_cma_areas;
	ret->nr_pools = in->nr_requests < ZL_POOLS_MAX ? in->nr_requests : ZL_POOLS_MAX;
	for (size_t i = 0; i < ret->nr_pools; i++) {
		pool_init(&p, &ret->pool[i], i);
	}
	each(&p, ZL_REQUEST_NODE, plan_node_scan);
	dynamic_nodes(&p);
	static_nodes(&p);
	each(&p, ZL_REQUEST_HUGETLB, plan_node_area);
	if (!in->switches->cma_node_areas_last) {
		each(&p, ZL_REQUEST_NODE_AREA, plan_node_area);
	}
	each(&p, ZL_REQUEST_DEFAULT, plan_default);
	if (in->switches->cma_node_areas_last && !p.default_failed) {
		each(&p, ZL_REQUEST_NODE_AREA, plan_node_area);
	}
	for (size_t i = 0; i < ret->nr_pools; i++) {
		plan_windows(&p, &ret->pool[i]);
	}
	plan_neighbours(&p);
	plan_totals(&p);
	for (size_t i = 0; i < ret->nr_pools; i++) {
		plan_reason(&p, &ret->pool[i]);
	}
}
