/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings about the planned boot, as diagnostics.
 */
#include <string.h>

#include "reserve.h"
#include "zonelab/text.h"

/* From 6.15 on the log names the size asked for, not the size taken. */
static void about_log_size(struct reserve *r, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];

	if (q->kind != ZL_REQUEST_NODE && p->reason == ZL_REASON_ROUNDED &&
		!r->machine.switches.cma_log_rounded) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_POOL_LOG_SIZE,
			"%s: the log will say %Z; %Z are taken, as CmaTotal shows", q->name,
			q->size, p->size);
	}
}

static void about_verdict(struct reserve *r, const struct zl_pool *p)
{
	const char *name = reserve_pool_name(r, p);

	switch (p->verdict) {
	case ZL_VERDICT_REFUSED:
		zl_diag_add(&r->diags, ZL_ERROR, ZL_DIAG_POOL_REFUSED, "%s: %s", name, p->text);
		break;
	case ZL_VERDICT_NO_ROOM:
		zl_diag_add(&r->diags, ZL_ERROR, ZL_DIAG_POOL_NO_ROOM, "%s: %s", name, p->text);
		break;
	case ZL_VERDICT_BYPASSED:
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_POOL_BYPASSED, "%s: %s", name, p->text);
		break;
	case ZL_VERDICT_ACCEPTED:
		about_log_size(r, p);
		break;
	case ZL_VERDICT_NONE:
	case ZL_POOL_VERDICT_COUNT:
		break;
	}
}

static void about_windows(struct reserve *r, const struct zl_pool *p)
{
	const struct zl_request *q = &r->have.request[p->request];
	const char *name = reserve_pool_name(r, p);

	if (q->nr_windows == 0 || q->has_reg || !r->map.known) {
		return;
	}
	if (p->verdict == ZL_VERDICT_ACCEPTED && p->slack < p->alignment) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_POOL_SLACK,
			"%s: alloc-ranges leave %Z of slack; a reservation in the window can make "
			"it fail",
			name, p->slack);
	}
	for (size_t i = 0; i < p->nr_blockers && p->verdict == ZL_VERDICT_NO_ROOM; i++) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_POOL_BLOCKED,
			"%s: %x-%x lies in its window; move it or widen alloc-ranges", name,
			p->blocker[i].base, p->blocker[i].base + p->blocker[i].size - 1);
	}
}

static void about_neighbours(struct reserve *r, const struct zl_pool *p)
{
	const char *name = reserve_pool_name(r, p);

	if (p->overlaps != 0 && p->overlaps - 1 > (size_t)(p - r->report.pool)) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_POOL_OVERLAP,
			"%s overlaps %s: the kernel reports it and uses both", name,
			reserve_pool_name(r, &r->report.pool[p->overlaps - 1]));
	}
	/* The kernel does not look whether a static pool lies on a range of /memreserve/. */
	if (p->class == ZL_POOL_CMA && p->verdict == ZL_VERDICT_ACCEPTED && !r->iomem &&
		r->have.request[p->request].has_reg &&
		zl_ranges_overlap(&r->have.reserved, p->base, p->size)) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_POOL_OVERLAP,
			"%s holds memory that /memreserve/ keeps: the kernel accepts it and gives "
			"that memory to movable pages",
			name);
	}
	if (p->touches != 0) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_POOL_TOUCHES,
			"%s ends where %s begins: no harm", name,
			reserve_pool_name(r, &r->report.pool[p->touches - 1]));
	}
}

static void about_placement(struct reserve *r)
{
	bool dynamic = false;
	bool unknown = false;

	for (size_t i = 0; i < r->report.nr_pools; i++) {
		const struct zl_pool *p = &r->report.pool[i];
		const struct zl_request *q = &r->have.request[p->request];

		dynamic = dynamic || (!q->has_reg && p->placement == ZL_PLACEMENT_PLACED);
		unknown = unknown ||
			  (p->placement == ZL_PLACEMENT_UNKNOWN && p->class != ZL_POOL_IGNORED);
	}
	if (unknown && !r->map.known) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_PLACEMENT_UNKNOWN,
			"no memory banks in these files: alignment is judged, placement is not");
	} else if (dynamic && !r->iomem) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_PLACEMENT_PARTIAL,
			"addresses hold for the reservations shown; kernel image, initrd and "
			"firmware take memory too");
	}
}

static bool has_cma(const struct reserve *r)
{
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		if (r->report.pool[i].class == ZL_POOL_CMA) {
			return true;
		}
	}
	return false;
}

/*
 * On 32-bit arm and riscv the default area is asked for before static nodes are set up.
 * Source: arch/arm/kernel/setup.c, arch/riscv/mm/init.c: call order, v6.12.117. Not seen on hardware.
 */
static void about_late_static(struct reserve *r)
{
	const struct zl_reserve_report *report = &r->report;
	const struct zl_geometry *g = &r->machine.geometry;
	const struct zl_request *q =
		report->default_pool == 0
			? NULL
			: &r->have.request[report->pool[report->default_pool - 1].request];

	if (q == NULL || q->kind != ZL_REQUEST_NODE || !q->has_reg || g->arch == NULL ||
		!r->machine.switches.reserved_static_late) {
		return;
	}
	if (strcmp(g->arch->arch, "arm") == 0 || strncmp(g->arch->arch, "riscv", 5) == 0) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_DEFAULT_AREA,
			"%s is static: on %s from 6.13 on a default area of CMA_SIZE_* may come "
			"before it",
			q->name, g->arch->arch);
	}
}

static void about_all(struct reserve *r)
{
	const struct zl_reserve_report *report = &r->report;

	if (has_cma(r) && report->nr_refused == 0 && report->nr_no_room == 0) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_GEOMETRY_PASSES,
			"geometry passes: base and size of every CMA pool suit this kernel");
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_GEOMETRY_PASSES,
			"not checked: CONFIG_DMA_CMA and OF_RESERVED_MEM of the running kernel, "
			"whether it got this tree, memory-region links and probing of drivers");
	}
	if (has_cma(r) && report->areas * 4 >= report->max_areas * 3) {
		zl_diag_add(&r->diags, report->areas >= report->max_areas ? ZL_WARNING : ZL_NOTE,
			ZL_DIAG_AREAS_LEFT, "%u of %u CMA areas are used (CONFIG_CMA_AREAS)",
			report->areas, report->max_areas);
	}
	if (report->default_pool != 0) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_DEFAULT_AREA, "the default area is %s",
			reserve_pool_name(r, &report->pool[report->default_pool - 1]));
	} else if (r->nr_planned > 0 && !r->in.cmdline_cma &&
		   !zl_settings_given(&r->profile.settings, ZL_SET_CMA_SIZE) &&
		   r->machine.cma_size > 0 && r->machine.geometry.dma_cma) {
		zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_DEFAULT_AREA,
			"a default area of CONFIG_CMA_SIZE_MBYTES (%Z unless configured otherwise) "
			"comes on top; a .config that has it or --set cma_size shows it",
			r->machine.cma_size);
	}
	about_late_static(r);
	if (r->have.dropped > 0) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_POOL_LIMIT,
			"%U requests above %d are not judged", (uint64_t)r->have.dropped,
			ZL_POOLS_MAX);
	}
}

static void about_hint(struct reserve *r)
{
	const struct reserve_hint *h = &r->hint;
	struct zl_diag *d;
	char largest[32] = "", still[64 + ZL_POOL_NAME] = "every pool fits as written";

	if (!h->found) {
		return;
	}
	if (h->largest_order > h->order) {
		zl_format(largest, sizeof(largest), "; %u would do too", h->largest_order);
	}
	if (h->still_refused == 1 && h->first_refused < r->report.nr_pools) {
		zl_format(still, sizeof(still), "all but %s fit as written",
			reserve_pool_name(r, &r->report.pool[h->first_refused]));
	} else if (h->still_refused > 0) {
		zl_format(still, sizeof(still), "fewer pools are refused");
	}
	d = zl_diag_add(&r->diags, ZL_NOTE, ZL_DIAG_BLOCK_ORDER_FITS, "%s=%u (%Z blocks): %s%s",
		r->machine.geometry.page_block_symbol, h->order, h->alignment, still, largest);
	if (h->huge_order > h->order) {
		zl_format(d->mend, sizeof(d->mend),
			"costs: huge pages of order %u need %U blocks in a row; min_free_kbytes "
			"%N, "
			"was %N",
			h->huge_order, UINT64_C(1) << (h->huge_order - h->order),
			h->min_free_kbytes, h->min_free_before);
	}
	d->fix.key = ZL_SET_PAGE_BLOCK_ORDER;
	zl_format(d->fix.value, sizeof(d->fix.value), "%u", h->order);
}

/* What the machine itself makes of it: geometry, releases, and CMA that nobody may use. */
static void about_machine(struct reserve *r)
{
	for (size_t i = 0; i < r->machine_diags.count; i++) {
		const struct zl_diag *d = &r->machine_diags.item[i];
		bool geometry = d->code < ZL_DIAG_IDEALISED;

		if ((geometry && d->severity != ZL_NOTE) || d->code == ZL_DIAG_RELEASE_BACKPORT) {
			struct zl_diag *copy =
				zl_diag_add(&r->diags, d->severity, d->code, "%s", d->text);

			zl_format(copy->mend, sizeof(copy->mend), "%s", d->mend);
			copy->about = d->about;
			copy->fix = d->fix;
		}
	}
	if (!r->machine.grouping && r->report.given > 0 && r->map.known) {
		zl_diag_add(&r->diags, ZL_WARNING, ZL_DIAG_CMA_DEAD,
			"mobility grouping is off with less than %Z of memory: the %Z of CMA are "
			"of use to nobody but cma_alloc()",
			r->machine.grouping_minimum * r->machine.geometry.page_size,
			r->report.given);
	}
}

void reserve_findings(struct reserve *r)
{
	for (size_t i = 0; i < r->report.nr_pools; i++) {
		about_verdict(r, &r->report.pool[i]);
		about_windows(r, &r->report.pool[i]);
		about_neighbours(r, &r->report.pool[i]);
	}
	about_machine(r);
	about_placement(r);
	about_all(r);
	about_hint(r);
}
