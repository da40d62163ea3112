/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CMA areas and the zones of a boot log as members of a JSON answer.
 */
#include "explain_state.h"

#include "zonelab/json.h"

/* What a file does not say is null. */
static void add_known(struct zl_json *o, const char *key, int64_t v, uint64_t unit)
{
	if (v >= 0) {
		zl_json_add_u64(o, key, (uint64_t)v * unit);
	} else {
		zl_json_add_null(o, key);
	}
}

static void add_areas(struct zl_json *o, const struct zl_import *im)
{
	struct zl_json *list = zl_json_add_array(o, "cma_areas");
	const uint64_t page = im->profile.zones_page_size;

	for (size_t i = 0; i < im->facts.nr_cma_areas; i++) {
		const struct zl_cma_seen *a = &im->facts.cma_area[i];
		struct zl_json *one = zl_json_push_object(list);

		zl_json_add_string(one, "name", a->name);
		add_known(one, "base", page > 0 ? a->base_pfn : -1, page);
		add_known(one, "area_pages", a->count, 1);
		add_known(one, "used_pages", a->used, 1);
		add_known(one, "free", a->available, 1);
		add_known(one, "largest_free_run_pages", a->maxchunk, 1);
	}
}

static void add_ranges(
	struct zl_json *o, const char *key, const struct zl_boot_range *r, size_t count)
{
	struct zl_json *list = zl_json_add_array(o, key);

	for (size_t i = 0; i < count; i++) {
		struct zl_json *one = zl_json_push_object(list);

		zl_json_add_int(one, "node", r[i].node);
		if (r[i].zone[0] != '\0') {
			zl_json_add_string(one, "zone", r[i].zone);
		}
		zl_json_add_u64(one, "base", r[i].base);
		zl_json_add_u64(one, "range_bytes", r[i].size);
	}
}

void explain_state_json(struct zl_json *o, const struct zl_import *im)
{
	const struct zl_import_facts *f = &im->facts;
	struct zl_json *list;

	add_areas(o, im);
	list = zl_json_add_array(o, "boot_zones");
	for (size_t i = 0; i < f->nr_boot_zones; i++) {
		struct zl_json *one = zl_json_push_object(list);

		zl_json_add_string(one, "zone", f->boot_zone[i].zone);
		zl_json_add_u64(one, "boot_pages", f->boot_zone[i].pages);
		zl_json_add_int(one, "batch", f->boot_zone[i].batch);
		zl_json_add_string(one, "cap", boot_zone_cap(im, i));
	}
	add_ranges(o, "zone_ranges", f->zone_range, f->nr_zone_ranges);
	add_ranges(o, "memory_ranges", f->node_range, f->nr_node_ranges);
}
