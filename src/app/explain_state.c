/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain_state.h"

#include <string.h>

#include "commands.h"
#include "verify_report.h"
#include "zonelab/text.h"

#define SENTENCE 480
/* khugepaged recommends 2 + 3 * 3 pageblocks for each zone. */
#define BLOCKS_PER_ZONE 11
/* and at most this part of low memory. */
#define CAP_PARTS 20

/* Bytes of a pageblock: as seen, else as it follows from the files. */
static uint64_t block_bytes(const struct zl_import *im)
{
	const struct zl_allocator *a = zl_allocator_heap();
	struct zl_machine *m = a->realloc(a->user, NULL, sizeof(*m));
	int64_t order = im->profile.observed.pageblock_order;
	uint64_t bytes = 0;

	if (m == NULL) {
		return 0;
	}
	zl_machine_resolve(&im->profile, m, NULL);
	bytes = m->geometry.pageblock_bytes;
	if (order >= 0 && order <= ZL_MAX_ORDER_LIMIT) {
		bytes = m->geometry.page_size << order;
	}
	a->free(a->user, m);
	return bytes;
}

/* Backwards: from min_free_kbytes to zones and pageblocks. */
static void explain_min_free(
	struct output *out, const struct zl_import *im, const struct zl_verify *v)
{
	int64_t kib = im->profile.observed.min_free_kbytes;
	uint64_t block = block_bytes(im);
	char line[SENTENCE];

	if (kib < 0 && v->min_free_lo <= v->min_free_hi) {
		kib = (int64_t)v->min_free_inferred;
		zl_format(line, sizeof(line),
			"the zones' min values come from min_free_kbytes %N to %N", v->min_free_lo,
			v->min_free_hi);
		output_wrap(out, 2, line);
	}
	if (kib <= 0 || block == 0) {
		return;
	}
	uint64_t per_zone = BLOCKS_PER_ZONE * (block >> 10);
	if ((uint64_t)kib % per_zone == 0) {
		zl_format(line, sizeof(line),
			"min_free_kbytes %N is 11 pageblocks of %Z for each of %N zones: "
			"khugepaged's recommendation",
			(uint64_t)kib, block, (uint64_t)kib / per_zone);
	} else {
		/* isqrt(16 * KiB) == kib and KiB / 20 == kib, backwards */
		zl_format(line, sizeof(line),
			"min_free_kbytes %N is no multiple of %N KiB, 11 pageblocks of %Z: as 5 %% "
			"of low memory (khugepaged's cap) it belongs to about %N MiB, as a square "
			"root to about %N MiB",
			(uint64_t)kib, per_zone, block, (uint64_t)kib * CAP_PARTS >> 10,
			(uint64_t)kib * (uint64_t)kib / 16 >> 10);
	}
	output_wrap(out, 2, line);
}

static void explain_parked(struct output *out, const struct zl_import *im)
{
	const struct zl_profile *p = &im->profile;
	char line[SENTENCE];

	for (unsigned node = 0; node < ZL_NODES_MAX; node++) {
		uint64_t pages = 0;
		size_t cpus = 0;

		for (size_t i = 0; i < p->nr_zones; i++) {
			for (size_t k = 0; p->zones[i].node == node && k < p->zones[i].nr_pcp;
				k++) {
				int64_t count = p->zones[i].pcp[k].count;

				pages += count > 0 ? (uint64_t)count : 0;
				cpus = k + 1 > cpus ? k + 1 : cpus;
			}
		}
		if (cpus > 0) {
			zl_format(line, sizeof(line),
				p->zones_page_size > 0
					? "node %u: %N pages parked on pagesets of %N CPU%s, %N a "
					  "CPU; %Z in all"
					: "node %u: %N pages parked on pagesets of %N CPU%s, %N a "
					  "CPU",
				node, pages, (uint64_t)cpus, cpus == 1 ? "" : "s", pages / cpus,
				pages * p->zones_page_size);
			output_wrap(out, 2, line);
		}
	}
}

const char *boot_zone_cap(const struct zl_import *im, size_t i)
{
	const struct zl_setting_value *ps = &im->profile.settings.value[ZL_SET_PAGE_SIZE];
	const struct zl_boot_zone *z = &im->facts.boot_zone[i];
	unsigned shift = 12;

	while (ps->given && shift < 18 && (INT64_C(1) << shift) < ps->number) {
		shift++;
	}
	bool newer = zl_zone_batchsize_capped(z->pages, shift, ZL_BATCH_CAP_NEW) == z->batch;
	bool older = zl_zone_batchsize_capped(z->pages, shift, ZL_BATCH_CAP_OLD) == z->batch;
	return newer && older ? "both" : newer ? "1 MiB" : older ? "512 KiB" : "neither";
}

static void explain_boot_zones(struct output *out, const struct zl_import *im)
{
	static const struct {
		const char *cap, *words;
	} why[] = {
		{"both",	 "expected because both caps give it"		     },
		{"1 MiB",	  "expected because the cap is 1 MiB, from 4.19 on" },
		{"512 KiB", "expected because the cap is 512 KiB, before 4.19"},
		{"neither", "differs: no cap gives it at this page size"	},
	};
	char text[SENTENCE];

	for (size_t i = 0; i < im->facts.nr_boot_zones; i++) {
		const struct zl_boot_zone *z = &im->facts.boot_zone[i];
		const char *cap = boot_zone_cap(im, i);
		size_t k = 0;

		while (strcmp(why[k].cap, cap) != 0) {
			k++;
		}
		zl_format(text, sizeof(text), "%s with %N pages: batch %u %s", z->zone, z->pages,
			z->batch, why[k].words);
		output_wrap(out, 2, text);
	}
}

/* Bytes of the nodes' memory inside a zone. */
static uint64_t memory_within(const struct zl_import_facts *f, const struct zl_boot_range *zone)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < f->nr_node_ranges; i++) {
		const struct zl_boot_range *r = &f->node_range[i];
		uint64_t from = r->base > zone->base ? r->base : zone->base;
		uint64_t end = r->base + r->size;

		end = end < zone->base + zone->size ? end : zone->base + zone->size;
		bytes += end > from ? end - from : 0;
	}
	return bytes;
}

/* "Zone ranges" and what of the nodes' memory lies in each; "Memory: ...K/...K available". */
static void explain_boot_ranges(struct output *out, const struct zl_import_facts *f)
{
	char text[SENTENCE];

	for (size_t i = 0; i < f->nr_zone_ranges; i++) {
		const struct zl_boot_range *z = &f->zone_range[i];
		uint64_t bytes = f->nr_node_ranges > 0 ? memory_within(f, z) : z->size;

		zl_format(text, sizeof(text), "%s %x-%x: %Z wide, %Z of it memory%s", z->zone,
			z->base, z->base + z->size - 1, z->size, bytes,
			bytes == 0 ? ": a zone without pages" : "");
		output_wrap(out, 2, text);
	}
	for (size_t i = 0; i < f->nr_node_ranges; i++) {
		const struct zl_boot_range *r = &f->node_range[i];

		zl_format(text, sizeof(text), "node %u: memory %x-%x, %Z", r->node, r->base,
			r->base + r->size - 1, r->size);
		output_wrap(out, 2, text);
	}
	if (f->available_kb >= 0 && f->total_kb >= f->available_kb) {
		zl_format(text, sizeof(text),
			"%N of %N KiB were available: the kernel, its tables and reservations had "
			"%N KiB%s",
			(uint64_t)f->available_kb, (uint64_t)f->total_kb,
			(uint64_t)(f->total_kb - f->available_kb),
			f->freed_kb > 0 ? "" : "; init memory comes back later");
		output_wrap(out, 2, text);
	}
	if (f->freed_kb > 0) {
		zl_format(text, sizeof(text),
			"%N KiB came back later, after the limits were computed",
			(uint64_t)f->freed_kb);
		output_wrap(out, 2, text);
	}
}

static void explain_oom(struct output *out, const struct zl_import *im)
{
	char text[SENTENCE];

	for (size_t i = 0; i < im->facts.nr_oom_zones; i++) {
		const struct zl_oom_zone *z = &im->facts.oom_zones[i];

		if (z->free_cma > 0) {
			zl_format(text, sizeof(text),
				"%s: %D KiB free, of which %D KiB CMA that unmovable and "
				"reclaimable requests cannot use",
				z->zone, z->free, z->free_cma);
			output_wrap(out, 2, text);
		}
		if (z->free_pcp >= 0) {
			zl_format(text, sizeof(text),
				"%s: %D KiB on pagesets of all CPUs (free_pcp), %D KiB on the "
				"reporting one (local_pcp)",
				z->zone, z->free_pcp, z->local_pcp);
			output_wrap(out, 2, text);
		}
		if (z->reserved_highatomic > 0) {
			zl_format(text, sizeof(text),
				"%s: %D KiB reserved for high-order atomic requests", z->zone,
				z->reserved_highatomic);
			output_wrap(out, 2, text);
		}
	}
	for (size_t i = 0; i < im->facts.nr_oom_pagesets; i++) {
		const struct zl_oom_pageset *p = &im->facts.oom_pagesets[i];

		zl_format(text, sizeof(text), "%s CPU %u: hi %N btch %N usd %N: %s", p->zone,
			p->cpu, p->high, p->batch, p->used,
			p->high == 6 * p->batch ? "expected because hi is 6 times btch before 5.14"
			: p->high == 0 && p->batch == 1
				? "expected because the zone is too small or has no memory"
				: "differs: hi is no 6 times btch");
		output_wrap(out, 2, text);
	}
}

/* Free pages of a zone by migratetype; false when the files list none. */
static bool free_by_type(const struct zl_import_facts *facts, const struct zl_free_row *first,
	uint64_t ret[ZL_MIGRATE_COUNT])
{
	bool any = false;

	memset(ret, 0, sizeof(uint64_t) * ZL_MIGRATE_COUNT);
	for (size_t i = 0; i < facts->nr_free_rows; i++) {
		const struct zl_free_row *r = &facts->free_rows[i];

		if (r->type < 0 || r->node != first->node || strcmp(r->zone, first->zone) != 0) {
			continue;
		}
		for (unsigned o = 0; o < r->nr_orders; o++) {
			uint64_t blocks = r->count[o] < UINT32_MAX ? r->count[o] : UINT32_MAX;

			ret[r->type] += blocks << o;
		}
		any = true;
	}
	return any;
}

static void explain_free_zone(
	struct output *out, const struct zl_import *im, const struct zl_free_row *row)
{
	uint64_t pages[ZL_MIGRATE_COUNT];
	char line[SENTENCE];
	struct zl_text t;
	uint64_t all = 0;

	if (!free_by_type(&im->facts, row, pages)) {
		return;
	}
	zl_text_init(&t, line, sizeof(line));
	zl_text_fmt(&t, "node %u %s:", row->node, row->zone);
	for (unsigned i = 0; i < ZL_MIGRATE_COUNT; i++) {
		all += pages[i];
		zl_text_fmt(&t, "%s %N %s", i > 0 ? "," : "", pages[i],
			zl_migratetype_name((enum zl_migratetype)i));
	}
	zl_text_fmt(&t, "; %N free pages in all", all);
	if (pages[ZL_MIGRATE_CMA] > 0) {
		zl_text_fmt(&t, ", %N for unmovable and reclaimable requests, which never use CMA",
			all - pages[ZL_MIGRATE_CMA]);
	}
	output_wrap(out, 2, line);
}

static void explain_free(struct output *out, const struct zl_import *im)
{
	const struct zl_import_facts *facts = &im->facts;

	bool first = true;

	for (size_t i = 0; i < facts->nr_free_rows; i++) {
		const struct zl_free_row *r = &facts->free_rows[i];

		/* Each zone starts with its unmovable row. */
		if (r->type != ZL_MIGRATE_UNMOVABLE) {
			continue;
		}
		if (first) {
			report_heading(&out->text, "Free pages by migratetype");
		}
		first = false;
		explain_free_zone(out, im, r);
	}
}

/* Where an area lies, and what of it is in use. */
static void explain_cma_area(
	struct output *out, const struct zl_cma_seen *a, const struct zl_machine *m)
{
	uint64_t page = m->geometry.page_size, block = m->geometry.cma_min_alignment_bytes;
	char line[SENTENCE];
	struct zl_text t;

	zl_text_init(&t, line, sizeof(line));
	zl_text_fmt(&t, "%s:", a->name);
	if (a->count >= 0) {
		zl_text_fmt(&t, " %N pages, %Z", (uint64_t)a->count, (uint64_t)a->count * page);
	}
	if (a->base_pfn >= 0) {
		uint64_t base = (uint64_t)a->base_pfn * page;
		uint64_t end = base + (a->count > 0 ? (uint64_t)a->count * page : 0);

		zl_text_fmt(&t, " at %x, %s of CMA_MIN_ALIGNMENT_BYTES %Z", base,
			base % block == 0 && end % block == 0 ? "expected because it is a multiple"
							      : "differs: no multiple",
			block);
	}
	if (a->used >= 0) {
		zl_text_fmt(&t, "; %N in use", (uint64_t)a->used);
	}
	if (a->available >= 0) {
		zl_text_fmt(&t, "; %N free", (uint64_t)a->available);
	}
	if (a->maxchunk >= 0) {
		zl_text_fmt(&t, "; the largest free run is %N pages, %Z", (uint64_t)a->maxchunk,
			(uint64_t)a->maxchunk * page);
	}
	if (a->order_per_bit > 0) {
		zl_text_fmt(&t, "; a bit of its map is %N pages",
			UINT64_C(1) << (a->order_per_bit & 31));
	}
	if (a->failed >= 0 && a->succeeded >= 0) {
		zl_text_fmt(&t, "; %N pages were got, %N asked for in vain", (uint64_t)a->succeeded,
			(uint64_t)a->failed);
	}
	output_wrap(out, 2, line);
}

/* CMA areas of debugfs and sysfs, and whether CmaTotal is their sum. */
static void explain_cma(struct output *out, const struct zl_import *im)
{
	const struct zl_import_facts *f = &im->facts;
	const struct zl_allocator *alloc = zl_allocator_heap();
	int64_t total = im->profile.observed.cma_total_kb;
	struct zl_machine *m = NULL;
	char line[SENTENCE];
	uint64_t pages = 0;
	bool all = true;

	m = f->nr_cma_areas > 0 ? alloc->realloc(alloc->user, NULL, sizeof(*m)) : NULL;
	if (m == NULL) {
		return;
	}
	zl_machine_resolve(&im->profile, m, NULL);
	report_heading(&out->text, "CMA areas");
	for (size_t i = 0; i < f->nr_cma_areas; i++) {
		explain_cma_area(out, &f->cma_area[i], m);
		all = all && f->cma_area[i].count >= 0;
		pages += f->cma_area[i].count > 0 ? (uint64_t)f->cma_area[i].count : 0;
	}
	uint64_t kib = pages * (m->geometry.page_size >> 10);
	if (total >= 0 && all) {
		zl_format(line, sizeof(line), "CmaTotal %N KiB: %s, %N KiB", (uint64_t)total,
			kib == (uint64_t)total ? "expected because it is the sum of the areas"
					       : "differs from the sum of the areas",
			kib);
		output_wrap(out, 2, line);
	}
	alloc->free(alloc->user, m);
}

void explain_state(struct output *out, const struct zl_import *im, const struct zl_verify *v)
{
	if (im->profile.nr_zones > 0 || im->profile.observed.min_free_kbytes >= 0) {
		report_heading(&out->text, "Backwards, and parked pages");
		explain_min_free(out, im, v);
		explain_parked(out, im);
	}
	explain_free(out, im);
	explain_cma(out, im);
	if (im->facts.nr_boot_zones + im->facts.nr_zone_ranges > 0) {
		report_heading(&out->text, "Zones of the boot log");
		explain_boot_ranges(out, &im->facts);
		explain_boot_zones(out, im);
	}
	if (im->facts.nr_oom_zones + im->facts.nr_oom_pagesets > 0) {
		report_heading(&out->text, "Out of memory");
		explain_oom(out, im);
	}
}
