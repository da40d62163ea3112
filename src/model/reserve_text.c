/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel prints about a request, and our sentence for each reason.
 */
#include "reserve_plan.h"
#include "zonelab/text.h"

#define PA_DIGITS_64 16u
#define PA_DIGITS_32 8u
#define KIB_SHIFT    10

void plan_verdict(struct zl_pool *pool, enum zl_pool_verdict v, enum zl_pool_reason reason)
{
	pool->verdict = v;
	pool->reason = reason;
}

void plan_say(struct zl_pool *pool, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	if (pool->silent || pool->nr_messages == ZL_POOL_MESSAGES) {
		return;
	}
	zl_text_init(&t, pool->message[pool->nr_messages], ZL_POOL_MESSAGE);
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	pool->nr_messages++;
}

void plan_mark(struct zl_pool *pool)
{
	pool->main_message = pool->nr_messages > 0 ? (unsigned)pool->nr_messages - 1 : 0;
}

const char *plan_pa(const struct plan *p, uint64_t address, char *buf)
{
	static const char hex[] = "0123456789abcdef";
	unsigned digits = p->in->map->phys64 ? PA_DIGITS_64 : PA_DIGITS_32;

	buf[0] = '0';
	buf[1] = 'x';
	for (unsigned i = 0; i < digits; i++) {
		buf[2 + i] = hex[address >> ((digits - 1 - i) * 4) & 0xf];
	}
	buf[2 + digits] = '\0';
	return buf;
}

static void say_summary(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	char a[PLAN_PA];
	char b[PLAN_PA];

	if (p->in->switches->reserved_summary_line && pool->base_known) {
		plan_say(pool, "OF: reserved mem: %s..%s (%U KiB) %s %s %s",
			plan_pa(p, pool->base, a), plan_pa(p, pool->base + r->size - 1, b),
			r->size >> KIB_SHIFT, r->no_map ? "nomap" : "map",
			r->reusable ? "reusable" : "non-reusable", r->name);
	}
}

/* "created ... memory pool" and what follows it. Nothing is printed about an unknown address. */
void plan_say_created(struct plan *p, struct zl_pool *pool, const char *what, bool kib)
{
	const struct zl_request *r = plan_request(p, pool);
	char a[PLAN_PA];

	if (pool->base_known && what != NULL) {
		plan_say(pool, "Reserved memory: created %s memory pool at %s, size %U %s", what,
			plan_pa(p, pool->base, a), r->size >> (kib ? KIB_SHIFT : MIB_SHIFT),
			kib ? "KiB" : "MiB");
		plan_mark(pool);
	}
	if (what != NULL) {
		plan_say(pool,
			"OF: reserved mem: initialized node %s, compatible id shared-dma-pool",
			r->name);
	}
	say_summary(p, pool);
}

void plan_say_match_fail(struct plan *p, struct zl_pool *pool)
{
	plan_say(pool, "OF: reserved mem: node %s compatible matching fail",
		plan_request(p, pool)->name);
}

void plan_say_cma(struct plan *p, struct zl_pool *pool, bool done, uint64_t size)
{
	const struct zl_request *r = plan_request(p, pool);
	uint64_t shown = p->in->switches->cma_log_rounded ? size : r->size;
	char a[PLAN_PA];

	if (done && !pool->base_known) {
		return;
	}
	if (done && p->in->switches->cma_log_node) {
		plan_say(pool, "cma: Reserved %U MiB at %s on node %d", shown >> MIB_SHIFT,
			plan_pa(p, pool->base, a), r->node);
	} else if (done) {
		plan_say(pool, "cma: Reserved %U MiB at %s", shown >> MIB_SHIFT,
			plan_pa(p, pool->base, a));
	} else if (p->in->switches->cma_log_node) {
		plan_say(pool, "cma: Failed to reserve %U MiB on node %d", shown >> MIB_SHIFT,
			r->node);
	} else {
		plan_say(pool, "cma: Failed to reserve %U MiB", shown >> MIB_SHIFT);
	}
	if (done) {
		plan_mark(pool);
	}
}

static void reason_alignment(
	const struct zl_request *r, const struct zl_pool *pool, uint64_t align, struct zl_text *t)
{
	const bool area = r->kind != ZL_REQUEST_NODE; /* has its base from a parameter */

	if (pool->reason != ZL_REASON_SIZE) {
		zl_text_fmt(t, "base %x is not a multiple of CMA_MIN_ALIGNMENT_BYTES %x",
			r->has_reg || area ? r->base : pool->base, align);
	}
	if (pool->reason != ZL_REASON_SIZE && !r->has_reg && !area) {
		zl_text_fmt(t, ": alignment %x is no power of two", r->alignment);
	}
	if (pool->reason == ZL_REASON_BASE_SIZE) {
		zl_text_fmt(t, ", nor is size %x", r->size);
	}
	if (pool->reason == ZL_REASON_SIZE) {
		zl_text_fmt(t, "size %x is not a multiple of CMA_MIN_ALIGNMENT_BYTES %x", r->size,
			align);
	}
}

static void reason_fault(const struct zl_request *r, struct zl_text *t)
{
	switch (r->fault) {
	case ZL_NODE_DISABLED:
		zl_text_str(t, "status is not \"okay\": the node is skipped");
		break;
	case ZL_NODE_PARENT:
		zl_text_str(t, "/reserved-memory needs ranges and the root's #address-cells and "
			       "#size-cells: without them all of it is ignored");
		break;
	case ZL_NODE_REG_LENGTH:
		zl_text_str(t, "reg is not a whole number of (address, size) pairs of the "
			       "parent's cells: the node is skipped");
		break;
	case ZL_NODE_SIZE_LENGTH:
		zl_text_str(t, "size does not have exactly #size-cells cells: the node is skipped");
		break;
	case ZL_NODE_ALIGNMENT_LENGTH:
		zl_text_str(t, "alignment does not have exactly #address-cells cells: the node is "
			       "skipped");
		break;
	case ZL_NODE_RANGES_LENGTH:
		zl_text_str(t, "alloc-ranges is not a whole number of (address, size) pairs: the "
			       "node is skipped");
		break;
	case ZL_NODE_NEITHER:
		zl_text_str(t, "neither reg nor size: nothing is reserved");
		break;
	case ZL_NODE_UNKNOWN_VALUE:
		zl_text_str(t, "a value is not known here (macro, reference or elision)");
		break;
	case ZL_NODE_OK:
	case ZL_NODE_FAULT_COUNT:
		break;
	}
}

static void reason_class(const struct zl_request *r, const struct zl_pool *pool, struct zl_text *t)
{
	if (r->reusable && r->no_map) {
		zl_text_str(t, "reusable and no-map exclude each other");
	} else if (pool->class == ZL_POOL_COHERENT) {
		zl_text_fmt(t,
			"no `reusable`: a coherent DMA pool, not CMA; %Z lost to the page "
			"allocator, no alignment rule",
			r->size);
	} else if (pool->class == ZL_POOL_NO_MAP) {
		zl_text_fmt(t, "no-map: %Z out of the linear map, no alignment rule", r->size);
	} else {
		zl_text_fmt(t, "not a shared-dma-pool: %Z reserved, no alignment rule", r->size);
	}
}

static void reason_room(const struct plan *p, const struct zl_pool *pool, struct zl_text *t)
{
	const struct zl_request *r = plan_request(p, pool);

	if (r->nr_windows > 0) {
		zl_text_fmt(t, "no hole of %Z at a multiple of %Z in alloc-ranges (largest: %Z)",
			pool->required_bytes, pool->alignment, pool->window_hole);
	} else {
		zl_text_fmt(t, "no hole of %Z at a multiple of %Z", pool->required_bytes,
			pool->alignment);
	}
	if (pool->nr_blockers > 0) {
		zl_text_fmt(t, "; %x-%x is in the way", pool->blocker[0].base,
			pool->blocker[0].base + pool->blocker[0].size - 1);
	}
}

/* Reasons that need no figures; NULL for the others. */
static const char *plain_reason(enum zl_pool_reason reason)
{
	static const char *const words[ZL_POOL_REASON_COUNT] = {
		[ZL_REASON_TAKEN] = "part of that place is reserved already",
		[ZL_REASON_OUTSIDE] = "not all of it is memory; the area cannot be activated",
		[ZL_REASON_ZONES] =
			"it crosses a zone boundary or two nodes; the area cannot be activated",
		[ZL_REASON_ZERO] = "size 0: nothing is reserved",
		[ZL_REASON_NO_DMA_CMA] =
			"no CONFIG_DMA_CMA: this kernel has neither CMA nodes nor cma=",
	};

	return words[reason];
}

static void reason_other(const struct plan *p, const struct zl_pool *pool, struct zl_text *t)
{
	const struct zl_request *r = plan_request(p, pool);
	const struct zl_reserve_report *report = p->report;

	switch (pool->reason) {
	case ZL_REASON_FITS:
		zl_text_fmt(t,
			r->has_reg ? "base and size are multiples of %Z"
				   : "size is a multiple of %Z",
			r->kind == ZL_REQUEST_NODE ? report->alignment : pool->alignment);
		break;
	case ZL_REASON_ROUNDED:
		zl_text_fmt(
			t, "%Z asked, rounded up to a multiple of %Z", r->size, pool->alignment);
		break;
	case ZL_REASON_LIMIT:
		if (zl_range_end(r->base, r->size) >= pool->limit + pool->alignment) {
			zl_text_fmt(t, "%Z from %x on do not end below the limit %x", r->size,
				r->base, pool->limit);
			break;
		}
		zl_text_fmt(t,
			"size rounds up and the limit down to multiples of %Z; then it "
			"does not fit",
			pool->alignment);
		break;
	case ZL_REASON_HIGHMEM:
		zl_text_fmt(
			t, "it lies across the start of high memory %x", p->in->map->highmem_start);
		break;
	case ZL_REASON_SLOTS:
		zl_text_fmt(t, "all %u CMA areas are taken (MAX_CMA_AREAS)", report->max_areas);
		break;
	case ZL_REASON_REGIONS:
		zl_text_fmt(t, "more than %d reserved regions (MAX_RESERVED_REGIONS)",
			ZL_RESERVED_REGIONS);
		break;
	case ZL_REASON_GIGANTIC:
		zl_text_fmt(t, "hugetlb_cma= works in gigantic pages of %Z", r->unit);
		break;
	case ZL_REASON_TAKEN:
	case ZL_REASON_OUTSIDE:
	case ZL_REASON_ZONES:
	case ZL_REASON_ZERO:
	case ZL_REASON_NO_DMA_CMA:
		zl_text_str(t, plain_reason(pool->reason));
		break;
	case ZL_REASON_OVERRIDDEN:
	case ZL_REASON_NO_RULE:
	case ZL_REASON_SIZE:
	case ZL_REASON_BASE:
	case ZL_REASON_BASE_SIZE:
	case ZL_REASON_NO_HOLE:
	case ZL_REASON_FAULT:
	case ZL_POOL_REASON_COUNT:
		break;
	}
}

static void reason_overridden(const struct plan *p, const struct zl_pool *pool, struct zl_text *t)
{
	const struct zl_reserve_report *report = p->report;

	if (p->in->cmdline_cma) {
		zl_text_str(t, "cma= on the command line wins over ");
		zl_text_str(t, plan_request(p, pool)->kind == ZL_REQUEST_NODE
				       ? "a linux,cma-default node"
				       : "CMA_SIZE_*");
	} else if (report->default_pool > 0) {
		zl_text_fmt(t, "linux,cma-default node %s is the default area already",
			p->in->requests[report->pool[report->default_pool - 1].request].name);
	}
}

void plan_reason(struct plan *p, struct zl_pool *pool)
{
	const struct zl_request *r = plan_request(p, pool);
	struct zl_text t;

	if (pool->silent) {
		return;
	}
	zl_text_init(&t, pool->text, sizeof(pool->text));
	switch (pool->reason) {
	case ZL_REASON_SIZE:
	case ZL_REASON_BASE:
	case ZL_REASON_BASE_SIZE:
		reason_alignment(r, pool,
			r->kind == ZL_REQUEST_NODE ? p->report->alignment : pool->alignment, &t);
		break;
	case ZL_REASON_NO_RULE:
		reason_class(r, pool, &t);
		break;
	case ZL_REASON_FAULT:
		if (r->fault == ZL_NODE_OK) {
			reason_class(r, pool, &t);
		} else {
			reason_fault(r, &t);
		}
		break;
	case ZL_REASON_NO_HOLE:
		reason_room(p, pool, &t);
		break;
	case ZL_REASON_OVERRIDDEN:
		reason_overridden(p, pool, &t);
		break;
	case ZL_REASON_FITS:
	case ZL_REASON_ROUNDED:
	case ZL_REASON_LIMIT:
	case ZL_REASON_HIGHMEM:
	case ZL_REASON_SLOTS:
	case ZL_REASON_REGIONS:
	case ZL_REASON_TAKEN:
	case ZL_REASON_OUTSIDE:
	case ZL_REASON_ZONES:
	case ZL_REASON_ZERO:
	case ZL_REASON_NO_DMA_CMA:
	case ZL_REASON_GIGANTIC:
	case ZL_POOL_REASON_COUNT:
		reason_other(p, pool, &t);
		break;
	}
}
