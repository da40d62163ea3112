/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes of /reserved-memory. A node with reg is reserved as it stands, one with size is placed; in
 * both cases the CMA rule is applied afterwards, to the size as written: it is never rounded.
 */

#include "reserve_plan.h"
#include "zonelab/text.h"

static struct zl_ranges *reserved(struct plan *p)
{
	return &p->report->map.reserved;
}

static bool is_pool(const struct zl_pool *pool)
{
	return pool->class != ZL_POOL_IGNORED && pool->verdict == ZL_VERDICT_NONE;
}

/* The table of regions: how many there may be, and of which kind they are counted. */
static bool region_take(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);

	if (p->in->switches->reserved_table_grows && r->has_reg) {
		return true;
	}
	if (p->regions < ZL_RESERVED_REGIONS) {
		p->regions++;
		return true;
	}
	plan_verdict(pool, ZL_VERDICT_REFUSED, ZL_REASON_REGIONS);
	if (p->in->switches->reserved_table_grows) {
		plan_say(pool, "OF: reserved mem: too many defined dynamic regions, skip '%s'",
			r->name);
	} else {
		plan_say(pool, "OF: reserved mem: not enough space for all defined regions.");
	}
	return false;
}

void plan_node_scan(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);

	if (!is_pool(pool)) {
		return;
	}
	if (p->in->cmdline_cma && r->cma_default && pool->class == ZL_POOL_CMA &&
		p->in->switches->cma_cmdline_vs_dt != ZL_CMA_BYPASS) {
		plan_verdict(pool, ZL_VERDICT_BYPASSED, ZL_REASON_OVERRIDDEN);
		plan_say(pool,
			p->in->switches->cma_cmdline_vs_dt == ZL_CMA_SKIP_FOR
				? "OF: reserved mem: Skipping dt linux,cma-default for \"cma=\" "
				  "kernel param."
				: "Skipping dt linux,cma-default node in favor for \"cma=\" kernel "
				  "param.");
		return;
	}
	if (!region_take(p, pool) || !r->has_reg) {
		return;
	}
	zl_ranges_add(reserved(p), r->base, r->size);
	for (size_t i = 0; i < r->nr_regs; i++) {
		zl_ranges_add(reserved(p), r->reg[i].base, r->reg[i].size);
	}
	pool->base_known = true;
	pool->base = r->base;
	pool->placement = ZL_PLACEMENT_PLACED;
}

/*
 * With alloc-ranges, memblock goes from the side that touches an existing region.
 * Source: drivers/of/of_reserved_mem.c, __reserved_mem_alloc_in_range(), v6.12.
 */
static bool window_top_down(const struct plan *p, const struct zl_range *w)
{
	bool start = false;
	bool end = false;
	uint64_t last = w->base + w->size;

	if (!p->in->switches->alloc_ranges_direction) {
		return p->in->map->top_down;
	}
	for (size_t i = 0; i < p->report->nr_pools; i++) {
		const struct zl_pool *o = &p->report->pool[i];
		const struct zl_request *r = plan_request(p, o);
		uint64_t size = r->size;

		if (r->kind != ZL_REQUEST_NODE || !o->base_known || o->class == ZL_POOL_IGNORED) {
			continue;
		}
		start = start || (w->base >= o->base && w->base <= o->base + size);
		end = end || (last >= o->base && last <= o->base + size);
	}
	return start != end ? end : p->in->map->top_down;
}

static bool find(struct plan *p, struct zl_pool *pool, uint64_t *ret)
{
	const struct zl_request *r = plan_request(p, pool);
	struct zl_search s = {.size = r->size,
		.align = pool->alignment,
		.node = ZL_ANY_NODE,
		.top_down = p->in->map->top_down};

	if (r->nr_windows == 0) {
		return zl_memory_find(&p->report->map, &s, ret);
	}
	for (size_t i = 0; i < r->nr_windows; i++) {
		s.start = r->window[i].base;
		s.end = r->window[i].base + r->window[i].size;
		s.top_down = window_top_down(p, &r->window[i]);
		if (zl_memory_find(&p->report->map, &s, ret)) {
			return true;
		}
	}
	return false;
}

void plan_node_place(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);

	if (!is_pool(pool) || r->has_reg) {
		return;
	}
	pool->placement = ZL_PLACEMENT_UNKNOWN;
	if (!p->in->map->known) {
		return;
	}
	if (!find(p, pool, &pool->base)) {
		pool->placement = ZL_PLACEMENT_NO_ROOM;
		plan_verdict(pool, ZL_VERDICT_NO_ROOM,
			r->size == 0 ? ZL_REASON_ZERO : ZL_REASON_NO_HOLE);
		plan_say(pool,
			"OF: reserved mem: failed to allocate memory for node '%s': size %U "
			"MiB",
			r->name, r->size >> MIB_SHIFT);
		return;
	}
	pool->base_known = true;
	pool->placement = ZL_PLACEMENT_PLACED;
	zl_ranges_add(reserved(p), pool->base, r->size);
}

static void give_back(struct plan *p, struct zl_pool *pool)
{
	if (pool->base_known) {
		zl_ranges_remove(reserved(p), pool->base, plan_request(p, pool)->size);
	}
}

static void refuse(struct plan *p, struct zl_pool *pool, enum zl_pool_reason reason)
{
	plan_verdict(pool, ZL_VERDICT_REFUSED, reason);
	plan_say_match_fail(p, pool);
	give_back(p, pool);
}

static enum zl_pool_reason misaligned(const struct plan *p, const struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	uint64_t a = p->report->alignment;
	bool base = pool->base_known && pool->base % a != 0;
	bool size = r->size % a != 0;

	if (base && size) {
		return ZL_REASON_BASE_SIZE;
	}
	if (base) {
		return ZL_REASON_BASE;
	}
	return size ? ZL_REASON_SIZE : ZL_REASON_FITS;
}

/* An area must lie in one zone of one node and be memory. Returns FITS when it does. */
enum zl_pool_reason plan_activation(const struct zl_memory_map *map, uint64_t base, uint64_t size)
{
	if (!map->known) {
		return ZL_REASON_FITS;
	}
	if (!zl_ranges_contain(&map->banks, base, size)) {
		return ZL_REASON_OUTSIDE;
	}
	for (size_t i = 0; i < map->nr_boundaries; i++) {
		if (base < map->boundary[i] && base + size > map->boundary[i]) {
			return ZL_REASON_ZONES;
		}
	}
	if (zl_memory_node(map, base) != zl_memory_node(map, base + size - 1)) {
		return ZL_REASON_ZONES;
	}
	return ZL_REASON_FITS;
}

static void accept_cma(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	enum zl_pool_reason active = ZL_REASON_FITS;

	p->report->areas++;
	plan_say_created(p, pool, "CMA", false);
	if (pool->base_known) {
		active = plan_activation(p->in->map, pool->base, r->size);
	}
	if (active != ZL_REASON_FITS) {
		plan_verdict(pool, ZL_VERDICT_REFUSED, active);
		plan_say(pool, "cma: CMA area %s could not be activated", r->name);
		plan_mark(pool);
		return;
	}
	plan_verdict(pool, ZL_VERDICT_ACCEPTED, ZL_REASON_FITS);
	pool->size = r->size;
	if (r->cma_default && p->report->default_pool == 0) {
		pool->is_default = true;
		p->report->default_pool = (size_t)(pool - p->report->pool) + 1;
	}
}

static void init_cma(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	enum zl_pool_reason wrong = misaligned(p, pool);

	if (!p->in->geometry->dma_cma) {
		refuse(p, pool, ZL_REASON_NO_DMA_CMA);
	} else if (p->in->cmdline_cma && r->cma_default) {
		plan_say(pool, "Reserved memory: bypass %s node, using cmdline CMA params instead",
			r->name);
		refuse(p, pool, ZL_REASON_OVERRIDDEN);
		pool->verdict = ZL_VERDICT_BYPASSED;
	} else if (wrong != ZL_REASON_FITS) {
		plan_say(pool, "Reserved memory: incorrect alignment of CMA region");
		refuse(p, pool, wrong);
	} else if (p->report->areas >= p->report->max_areas) {
		plan_say(pool, "cma: Not enough slots for CMA reserved regions!");
		plan_say(pool, "Reserved memory: unable to setup CMA region");
		refuse(p, pool, ZL_REASON_SLOTS);
	} else {
		accept_cma(p, pool);
	}
}

/* reusable with no-map is neither CMA nor a coherent pool: both set-up functions decline. */
static void init_other(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);

	if (r->dma_pool && r->reusable && r->no_map) {
		refuse(p, pool, ZL_REASON_FAULT);
		return;
	}
	plan_verdict(pool, ZL_VERDICT_ACCEPTED, ZL_REASON_NO_RULE);
	pool->size = r->size;
	plan_say_created(p, pool, r->dma_pool ? "DMA" : NULL, p->in->switches->dma_pool_log_kib);
}

void plan_node_init(struct plan *p, struct zl_pool *pool)
{
	if (!is_pool(pool)) {
		return;
	}
	if (pool->class == ZL_POOL_CMA) {
		init_cma(p, pool);
	} else {
		init_other(p, pool);
	}
}
