/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values by id: computing, formatting, comparing. The model computes; this file only picks.
 */
#include "values.h"

#include <string.h>

#include "facts.h"
#include "pools.h"
#include "zonelab/text.h"

/* clang-format off */
static const struct value_info table[VALUE_COUNT] = {
	[VALUE_NONE] = {"", VALUE_KIND_COUNT, "", "", "", ""},
#define VALUE(id, name, kind, label, definition, source, simplified) \
	[VALUE_##id] = {name, kind, label, definition, source, simplified},
#include "values_table.h"
#undef VALUE
};
/* clang-format on */

const struct value_info *value_info(enum value_id id)
{
	return &table[id < VALUE_COUNT ? id : VALUE_NONE];
}

unsigned value_find(const char *name)
{
	for (unsigned i = 1; i < VALUE_COUNT; i++) {
		if (zl_streq_nocase(table[i].name, name) || zl_streq_nocase(table[i].label, name)) {
			return i;
		}
	}
	enum zl_setting key = zl_setting_find(name);
	if (key != ZL_SETTING_COUNT) {
		return VALUE_SETTING_BASE + key;
	}
	for (unsigned i = 0; i < ZL_DIAG_COUNT; i++) {
		if (strcmp(zl_diag_name((enum zl_diag_code)i), name) == 0) {
			return VALUE_DIAG_BASE + i;
		}
	}
	return VALUE_NONE;
}

const char *value_name(unsigned id)
{
	if (id < VALUE_COUNT) {
		return table[id].name;
	}
	if (id >= VALUE_SETTING_BASE && id < VALUE_SETTING_BASE + ZL_SETTING_COUNT) {
		return zl_setting_info((enum zl_setting)(id - VALUE_SETTING_BASE))->key;
	}
	if (id >= VALUE_DIAG_BASE && id < VALUE_DIAG_BASE + ZL_DIAG_COUNT) {
		return zl_diag_name((enum zl_diag_code)(id - VALUE_DIAG_BASE));
	}
	return "";
}

/* -1 stands for "does not exist here" in the model's orders. */
static bool exists(int64_t v, int64_t *ret)
{
	*ret = v;
	return v >= 0;
}

static bool get_geometry(const struct zl_machine *m, enum value_id id, int64_t *ret)
{
	const struct zl_geometry *g = &m->geometry;
	uint64_t required = zl_pool_required_bytes(g, m->pool_size);

	if (!g->buildable) {
		return false;
	}
	/* Only ids of this group come here. */
	if (id == VALUE_PAGEBLOCK_ORDER) {
		*ret = g->pageblock_order;
	} else if (id == VALUE_PAGEBLOCK_BYTES) {
		*ret = (int64_t)g->pageblock_bytes;
	} else if (id == VALUE_PAGEBLOCK_NR_PAGES) {
		*ret = (int64_t)g->pageblock_nr_pages;
	} else if (id == VALUE_PAGEBLOCK_CAP) {
		*ret = g->cap;
	} else if (id == VALUE_HUGETLB_ORDER) {
		return exists(g->hugetlb_order, ret);
	} else if (id == VALUE_THP_ORDER) {
		return exists(g->thp_order, ret);
	} else if (id == VALUE_MAX_PAGE_ORDER) {
		*ret = g->max_page_order;
	} else if (id == VALUE_CMA_MIN_ALIGNMENT_BYTES) {
		*ret = (int64_t)g->cma_min_alignment_bytes;
	} else if (id == VALUE_LARGEST_BLOCK_BYTES) {
		*ret = (int64_t)g->largest_block_bytes;
	} else if (id == VALUE_MIGRATE_TYPES) {
		*ret = g->migrate_types;
	} else if (id == VALUE_MAX_CMA_AREAS) {
		*ret = g->max_cma_areas;
		return g->cma;
	} else if (id == VALUE_POOL_REQUIRED) {
		*ret = (int64_t)required;
	} else if (id == VALUE_POOL_WASTE) {
		*ret = (int64_t)(required - m->pool_size);
	} else {
		*ret = (int64_t)((required + g->pageblock_bytes - 1) / g->pageblock_bytes);
	}
	return true;
}

static uint64_t present_bytes(const struct zl_machine *m)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		pages += m->zones[i].present;
	}
	return pages * m->geometry.page_size;
}

static bool get_machine(const struct zl_machine *m, enum value_id id, int64_t *ret)
{
	if (id == VALUE_MEMORY_BYTES) {
		*ret = (int64_t)present_bytes(m);
		return true;
	}
	if (!m->geometry.buildable) {
		return false;
	}
	if (id == VALUE_PAGEBLOCKS) {
		*ret = (int64_t)m->pageblocks;
	} else if (id == VALUE_LOWMEM_PAGES) {
		*ret = (int64_t)m->lowmem_pages;
	} else if (id == VALUE_FREE_BUFFER_PAGES) {
		*ret = (int64_t)m->free_buffer_pages;
	} else if (id == VALUE_EARLY_HIGH_PAGES) {
		*ret = (int64_t)m->lowmem_pages - (int64_t)m->free_buffer_pages;
	} else if (id == VALUE_LOWMEM_ZONES) {
		*ret = m->lowmem_zones;
	} else if (id == VALUE_MIN_FREE_SQRT) {
		*ret = (int64_t)m->min_free.sqrt_kbytes;
	} else if (id == VALUE_MIN_FREE_THP) {
		*ret = (int64_t)m->min_free.thp_kbytes;
		return m->thp_active;
	} else if (id == VALUE_MIN_FREE_THP_CAP) {
		*ret = (int64_t)m->min_free.thp_cap_kbytes;
		return m->thp_active;
	} else if (id == VALUE_MIN_FREE_KBYTES) {
		*ret = (int64_t)m->min_free.kbytes;
	} else if (id == VALUE_GROUPING_MINIMUM) {
		*ret = (int64_t)(m->grouping_minimum * m->geometry.page_size);
	} else if (id == VALUE_GROUPING) {
		*ret = m->grouping;
	} else {
		*ret = (int64_t)m->highatomic_bytes;
	}
	return true;
}

/* Whether the machine keeps pages on pagesets at all. */
static bool has_pagesets(const struct zl_machine *m)
{
	return m->switches.design != ZL_DESIGN_NONE && (m->smp || m->switches.uniprocessor_pcp);
}

static bool can_fire(const struct zl_free_high *f)
{
	return f->reachable[1] || f->reachable[2] || f->reachable[ZL_COSTLY_ORDER];
}

static bool get_pageset(
	const struct zl_machine *m, const struct zl_zone *z, enum value_id id, int64_t *ret)
{
	if (!has_pagesets(m)) {
		return false;
	}
	if (id == VALUE_BATCH) {
		*ret = z->limits.batch;
	} else if (id == VALUE_HIGH_MIN) {
		*ret = (int64_t)z->limits.high_min;
	} else if (id == VALUE_HIGH_MAX) {
		*ret = (int64_t)z->limits.high_max;
	} else if (id == VALUE_THRESHOLD) {
		*ret = (int64_t)z->free_high.threshold;
		return z->free_high.exists && !z->free_high.no_threshold;
	} else if (id == VALUE_CEILING) {
		*ret = (int64_t)z->free_high.ceiling;
		return z->free_high.has_ceiling;
	} else if (id == VALUE_REACHABLE) {
		*ret = can_fire(&z->free_high);
		return z->free_high.exists;
	} else {
		*ret = z->free_high_batch;
		return z->free_high.has_ceiling;
	}
	return true;
}

static bool get_zone(
	const struct zl_machine *m, const struct zl_zone *z, enum value_id id, int64_t *ret)
{
	if (id == VALUE_MANAGED) {
		*ret = (int64_t)z->managed;
	} else if (id == VALUE_PRESENT) {
		*ret = (int64_t)z->present;
	} else if (id == VALUE_ZONE_CPUS) {
		*ret = z->cpus;
	} else if (!m->geometry.buildable) {
		return false;
	} else if (id == VALUE_WMARK_MIN) {
		*ret = (int64_t)z->wmark.min;
	} else if (id == VALUE_WMARK_LOW) {
		*ret = (int64_t)z->wmark.low;
	} else if (id == VALUE_WMARK_HIGH) {
		*ret = (int64_t)z->wmark.high;
	} else if (id == VALUE_WMARK_PROMO) {
		*ret = (int64_t)z->wmark.promo;
		return m->switches.wmark_promo;
	} else if (id == VALUE_WMARK_SHARE) {
		*ret = (int64_t)z->wmark.share;
	} else if (id == VALUE_WMARK_DISTANCE) {
		*ret = (int64_t)z->wmark.distance;
	} else {
		return get_pageset(m, z, id, ret);
	}
	return true;
}

static bool get_pool(const struct pool_facts *f, enum value_id id, int64_t *ret)
{
	size_t i = (size_t)(id - VALUE_RESERVE_ASKED);

	if (f == NULL || !f->there[i]) {
		return false;
	}
	*ret = f->value[i];
	return true;
}

bool value_get(const struct value_in *in, enum value_id id, int64_t *ret)
{
	const struct zl_machine *m = in->machine;

	if (m == NULL || id == VALUE_NONE || id >= VALUE_COUNT) {
		return false;
	}
	if (is_fact(id)) {
		return in->facts != NULL && fact_get(in->facts, id, ret);
	}
	if (id >= VALUE_RESERVE_ASKED && id < VALUE_MEMORY_BYTES) {
		return get_pool(in->pool, id, ret);
	}
	if (id < VALUE_MEMORY_BYTES && id != VALUE_PAGEBLOCKS) {
		return get_geometry(m, id, ret);
	}
	if (id < VALUE_MANAGED) {
		return get_machine(m, id, ret);
	}
	return in->zone < m->nr_zones && get_zone(m, &m->zones[in->zone], id, ret);
}

/* Settings whose resolved value is a size, shown with its unit. */
static bool setting_bytes(const struct zl_machine *m, enum zl_setting key, uint64_t *ret)
{
	if (key == ZL_SET_PAGE_SIZE) {
		*ret = m->geometry.page_size;
	} else if (key == ZL_SET_MEMORY) {
		*ret = m->memory;
	} else if (key == ZL_SET_POOL_SIZE) {
		*ret = m->pool_size;
	} else if (key == ZL_SET_CMA_SIZE) {
		*ret = m->cma_size;
	} else if (key == ZL_SET_CACHE_SLICE) {
		*ret = m->cache_slice;
	} else {
		return false;
	}
	return true;
}

/* Limits of the pageset that is shown; before 6.7 both ends are the one high. */
static bool run_limit(const struct facts *f, enum zl_setting key, int64_t *ret)
{
	const struct zl_pageset_view *p = f != NULL ? f->pageset : NULL;

	if (p == NULL) {
		return false;
	}
	*ret = key == ZL_SET_BATCH	? p->batch
	       : !p->tuned		? p->high
	       : key == ZL_SET_HIGH_MIN ? p->high_min
					: p->high_max;
	return true;
}

/* What the zone of the run itself says; the machine below it is not asked. */
static bool run_number(const struct value_in *in, enum zl_setting key, int64_t *ret)
{
	const struct zl_sim_config *c = in->run;

	if (c == NULL) {
		return false;
	}
	if (key == ZL_SET_BATCH || key == ZL_SET_HIGH_MIN || key == ZL_SET_HIGH_MAX) {
		return run_limit(in->facts, key, ret);
	}
	if (key == ZL_SET_BATCH_SCALE_MAX) {
		*ret = c->scale_max;
	} else if (key == ZL_SET_HIGH_FRACTION) {
		*ret = c->high_fraction;
	} else if (key == ZL_SET_CACHE_SLICE) {
		*ret = (int64_t)c->cache_slice;
	} else if (in->own_zone && key == ZL_SET_PAGE_SIZE) {
		*ret = INT64_C(1) << c->page_shift;
	} else if (in->own_zone && key == ZL_SET_MEMORY) {
		*ret = (int64_t)(c->managed << c->page_shift);
	} else if (in->own_zone && key == ZL_SET_CPUS) {
		*ret = c->cpus;
	} else if (in->own_zone && key == ZL_SET_MAX_PAGE_ORDER) {
		*ret = c->max_order;
	} else {
		return false;
	}
	return true;
}

/* The value that is computed where a what-if such as batch is not given. */
static unsigned computed_id(enum zl_setting key)
{
	unsigned id = 1;

	while (id < VALUE_COUNT && strcmp(table[id].name, zl_setting_info(key)->key) != 0) {
		id++;
	}
	return id;
}

bool setting_number(const struct value_in *in, enum zl_setting key, int64_t *ret)
{
	const struct zl_setting_value *given = &in->profile->settings.value[key];
	char text[ZL_CMDLINE_TEXT];
	uint64_t v = 0;

	if (run_number(in, key, ret)) {
		return true;
	}
	if (given->given) {
		*ret = given->number;
		return true;
	}
	unsigned id = computed_id(key);
	if (id < VALUE_COUNT) {
		return value_get(in, (enum value_id)id, ret);
	}
	zl_machine_setting(in->profile, in->machine, key, text, sizeof(text));
	*ret = 0;
	if (zl_parse_size(text, 1, &v) != 0) {
		return false;
	}
	*ret = (int64_t)v;
	return true;
}

/* A what-if tells what the figure of its name tells. */
static bool is_hidden(const struct value_in *in, enum zl_setting key)
{
	unsigned run = key == ZL_SET_BATCH	? VALUE_RUN_BATCH
		       : key == ZL_SET_HIGH_MIN ? VALUE_RUN_HIGH_MIN
		       : key == ZL_SET_HIGH_MAX ? VALUE_RUN_HIGH_MAX
						: VALUE_NONE;

	if (in->hidden == NULL) {
		return false;
	}
	if (key == ZL_SET_HUGE_PAGE_SIZE && in->hidden[VALUE_HUGETLB_ORDER]) {
		return true; /* the same in bytes */
	}
	unsigned id = computed_id(key);
	return in->hidden[run] || (id < VALUE_COUNT && in->hidden[id]);
}

static size_t setting_text(const struct value_in *in, enum zl_setting key, char *buf, size_t size)
{
	uint64_t bytes = 0;
	int64_t of_run = 0;

	if (is_hidden(in, key)) {
		return zl_format(buf, size, "?");
	}
	if (run_number(in, key, &of_run)) {
		return zl_format(buf, size,
			zl_setting_info(key)->type == ZL_TYPE_BYTES ? "%Z" : "%N",
			(uint64_t)of_run);
	}
	if (setting_bytes(in->machine, key, &bytes)) {
		return zl_format(buf, size, "%Z", bytes);
	}
	if (key == ZL_SET_MEMORY_BASE) {
		return zl_format(buf, size, "%x", in->machine->memory_base);
	}
	if (!zl_settings_given(&in->profile->settings, key)) {
		unsigned id = computed_id(key);

		if (id < VALUE_COUNT) {
			return value_text(in, id, buf, size);
		}
	}
	return zl_machine_setting(in->profile, in->machine, key, buf, size);
}

size_t value_text(const struct value_in *in, unsigned id, char *buf, size_t size)
{
	int64_t v = 0;

	if (in->hidden != NULL && id < VALUE_COUNT && in->hidden[id]) {
		return zl_format(buf, size, "?");
	}
	if (in->machine == NULL) {
		return zl_format(buf, size, "-");
	}
	if (id >= VALUE_SETTING_BASE && id < VALUE_SETTING_BASE + ZL_SETTING_COUNT) {
		return setting_text(in, (enum zl_setting)(id - VALUE_SETTING_BASE), buf, size);
	}
	if (!value_get(in, (enum value_id)id, &v)) {
		return zl_format(buf, size, "-");
	}
	switch (table[id].kind) {
	case VALUE_KIND_BYTES:
		return zl_format(buf, size, "%Z", (uint64_t)v);
	case VALUE_KIND_BOOL:
		return zl_format(buf, size, "%b", v != 0);
	case VALUE_KIND_YES:
		return zl_format(buf, size, "%s", v != 0 ? "yes" : "never");
	case VALUE_KIND_ORDER:
	case VALUE_KIND_PAGES:
	case VALUE_KIND_KIB:
	case VALUE_KIND_COUNT:
		return zl_format(buf, size, "%N", (uint64_t)v);
	}
	return 0;
}

/* A size that became a whole multiple reads best as "16x"; everything else as "was N". */
static bool is_multiple(enum value_kind kind, int64_t now, int64_t was)
{
	return kind == VALUE_KIND_BYTES && was > 0 && now > was && now % was == 0;
}

int value_delta(const struct value_in *in, const struct value_in *baseline, enum value_id id,
	char *buf, size_t size)
{
	int64_t now = 0;
	int64_t was = 0;
	char old[64];

	zl_format(buf, size, "%s", "");
	if (baseline->machine == NULL || !value_get(baseline, id, &was)) {
		return 0;
	}
	if (value_get(in, id, &now)) {
		if (now == was) {
			return 0;
		}
		if (is_multiple(table[id].kind, now, was)) {
			zl_format(buf, size, "%Ux", (uint64_t)(now / was));
			return 1;
		}
	}
	value_text(baseline, id, old, sizeof(old));
	zl_format(buf, size, "was %s", old);
	return now < was ? -1 : 1;
}

const char *setting_label(const struct zl_machine *m, enum zl_setting key)
{
	static const struct {
		enum zl_setting key;
		const char *label;
	} labels[] = {
		{ZL_SET_ARCH,	      "Architecture"  },
		{ZL_SET_KERNEL,		"Kernel"	},
		{ZL_SET_PAGE_SIZE,	   "Page size"     },
		{ZL_SET_MAX_PAGE_ORDER, "MAX_PAGE_ORDER"},
		{ZL_SET_THP,	     "THP"		  },
		{ZL_SET_HUGETLB,	 "HugeTLB"	  },
		{ZL_SET_HUGE_PAGE_SIZE, "Huge page size"},
		{ZL_SET_CMA,	     "CMA"		  },
		{ZL_SET_DMA_CMA,	 "DMA_CMA"	  },
		{ZL_SET_MEMORY,		"Memory"	},
		{ZL_SET_NODES,	       "Nodes"	      },
		{ZL_SET_CPUS,	      "CPUs"	    },
		{ZL_SET_ZONES,	       "Zones"	      },
		{ZL_SET_MMU,	     "MMU"		  },
		{ZL_SET_LPAE,	      "LPAE"	    },
		{ZL_SET_PAE,	     "PAE"		  },
	};

	if (key == ZL_SET_PAGE_BLOCK_ORDER) {
		return m->switches.page_block_symbol == ZL_BLOCK_SYMBOL_MAX_ORDER
			       ? "PAGE_BLOCK_MAX_ORDER"
			       : "PAGE_BLOCK_ORDER";
	}
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (labels[i].key == key) {
			return labels[i].label;
		}
	}
	return zl_setting_info(key)->key;
}
