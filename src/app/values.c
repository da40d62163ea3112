/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values by id: computing, formatting, comparing. The model computes; this file only picks.
 */
#include "values.h"

#include <stddef.h>
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

/* Values that are a member of what the model derives: where it stands and as what. */
struct member {
	enum { FROM_NOWHERE, FROM_GEOMETRY, FROM_MACHINE, FROM_ZONE } from;
	enum { AS_U64, AS_UNSIGNED, AS_INT, AS_BOOL } as;
	size_t offset;
};

#define FORM_OF(m)                                                                                 \
	_Generic((m), uint64_t : AS_U64, unsigned : AS_UNSIGNED, int : AS_INT, bool : AS_BOOL)
#define MEMBER(from, type, m)                                                                      \
	{                                                                                          \
		FROM_##from, FORM_OF(((struct type *)0)->m), offsetof(struct type, m)              \
	}
#define GEOMETRY(m) MEMBER(GEOMETRY, zl_geometry, m)
#define MACHINE(m)  MEMBER(MACHINE, zl_machine, m)
#define ZONE(m)	    MEMBER(ZONE, zl_zone, m)

/* clang-format off */
static const struct member members[VALUE_COUNT] = {
	[VALUE_PAGEBLOCK_ORDER] = GEOMETRY(pageblock_order),
	[VALUE_PAGEBLOCK_BYTES] = GEOMETRY(pageblock_bytes),
	[VALUE_PAGEBLOCK_NR_PAGES] = GEOMETRY(pageblock_nr_pages),
	[VALUE_PAGEBLOCK_CAP] = GEOMETRY(cap),
	[VALUE_HUGETLB_ORDER] = GEOMETRY(hugetlb_order),
	[VALUE_THP_ORDER] = GEOMETRY(thp_order),
	[VALUE_MAX_PAGE_ORDER] = GEOMETRY(max_page_order),
	[VALUE_CMA_MIN_ALIGNMENT_BYTES] = GEOMETRY(cma_min_alignment_bytes),
	[VALUE_LARGEST_BLOCK_BYTES] = GEOMETRY(largest_block_bytes),
	[VALUE_MIGRATE_TYPES] = GEOMETRY(migrate_types),
	[VALUE_MAX_CMA_AREAS] = GEOMETRY(max_cma_areas),
	[VALUE_PAGEBLOCKS] = MACHINE(pageblocks),
	[VALUE_LOWMEM_PAGES] = MACHINE(lowmem_pages),
	[VALUE_FREE_BUFFER_PAGES] = MACHINE(free_buffer_pages),
	[VALUE_LOWMEM_ZONES] = MACHINE(lowmem_zones),
	[VALUE_MIN_FREE_SQRT] = MACHINE(min_free.sqrt_kbytes),
	[VALUE_MIN_FREE_THP] = MACHINE(min_free.thp_kbytes),
	[VALUE_MIN_FREE_THP_CAP] = MACHINE(min_free.thp_cap_kbytes),
	[VALUE_MIN_FREE_KBYTES] = MACHINE(min_free.kbytes),
	[VALUE_GROUPING] = MACHINE(grouping),
	[VALUE_HIGHATOMIC_BYTES] = MACHINE(highatomic_bytes),
	[VALUE_MANAGED] = ZONE(managed),
	[VALUE_PRESENT] = ZONE(present),
	[VALUE_ZONE_CPUS] = ZONE(cpus),
	[VALUE_WMARK_MIN] = ZONE(wmark.min),
	[VALUE_WMARK_LOW] = ZONE(wmark.low),
	[VALUE_WMARK_HIGH] = ZONE(wmark.high),
	[VALUE_WMARK_PROMO] = ZONE(wmark.promo),
	[VALUE_WMARK_SHARE] = ZONE(wmark.share),
	[VALUE_WMARK_DISTANCE] = ZONE(wmark.distance),
	[VALUE_BATCH] = ZONE(limits.batch),
	[VALUE_HIGH_MIN] = ZONE(limits.high_min),
	[VALUE_HIGH_MAX] = ZONE(limits.high_max),
	[VALUE_THRESHOLD] = ZONE(free_high.threshold),
	[VALUE_CEILING] = ZONE(free_high.ceiling),
	[VALUE_FREE_HIGH_BATCH] = ZONE(free_high_batch),
};
/* clang-format on */

/* -1 stands for "does not exist here" in the model's orders. */
static bool read_member(const void *from, const struct member *m, int64_t *ret)
{
	const char *p = (const char *)from + m->offset;
	uint64_t u64;
	unsigned u;
	int i;
	bool b;

	switch (m->as) {
	case AS_U64:
		memcpy(&u64, p, sizeof(u64));
		*ret = (int64_t)u64;
		break;
	case AS_UNSIGNED:
		memcpy(&u, p, sizeof(u));
		*ret = u;
		break;
	case AS_INT:
		memcpy(&i, p, sizeof(i));
		*ret = i;
		return i >= 0;
	case AS_BOOL:
		memcpy(&b, p, sizeof(b));
		*ret = b;
		break;
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

/* What is no member, of the machine. */
static bool get_other(const struct zl_machine *m, enum value_id id, int64_t *ret)
{
	const struct zl_geometry *g = &m->geometry;
	uint64_t required = g->buildable ? zl_pool_required_bytes(g, m->pool_size) : 0;

	switch ((unsigned)id) {
	case VALUE_POOL_REQUIRED:
		*ret = (int64_t)required;
		return true;
	case VALUE_POOL_WASTE:
		*ret = (int64_t)(required - m->pool_size);
		return true;
	case VALUE_POOL_BLOCKS:
		*ret = (int64_t)((required + g->pageblock_bytes - 1) / g->pageblock_bytes);
		return true;
	case VALUE_MEMORY_BYTES:
		*ret = (int64_t)present_bytes(m);
		return true;
	case VALUE_EARLY_HIGH_PAGES:
		*ret = (int64_t)m->lowmem_pages - (int64_t)m->free_buffer_pages;
		return true;
	case VALUE_GROUPING_MINIMUM:
		*ret = (int64_t)(m->grouping_minimum * g->page_size);
		return true;
	default:
		return false;
	}
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

/* Whether a machine that can be built has the value. */
static bool machine_has(const struct zl_machine *m, enum value_id id)
{
	switch ((unsigned)id) {
	case VALUE_MAX_CMA_AREAS:
		return m->geometry.cma;
	case VALUE_MIN_FREE_THP:
	case VALUE_MIN_FREE_THP_CAP:
		return m->thp_active;
	default:
		return true;
	}
}

static bool zone_has(const struct zl_machine *m, const struct zl_zone *z, enum value_id id)
{
	switch ((unsigned)id) {
	case VALUE_WMARK_PROMO:
		return m->switches.wmark_promo;
	case VALUE_BATCH:
	case VALUE_HIGH_MIN:
	case VALUE_HIGH_MAX:
		return has_pagesets(m);
	case VALUE_THRESHOLD:
		return has_pagesets(m) && z->free_high.exists && !z->free_high.no_threshold;
	case VALUE_REACHABLE:
		return has_pagesets(m) && z->free_high.exists;
	case VALUE_CEILING:
	case VALUE_FREE_HIGH_BATCH:
		return has_pagesets(m) && z->free_high.has_ceiling;
	default:
		return true;
	}
}

/* A kernel that cannot be built has no figures but those of its memory and CPUs. */
static bool needs_build(enum value_id id)
{
	return id != VALUE_MEMORY_BYTES && id != VALUE_MANAGED && id != VALUE_PRESENT &&
	       id != VALUE_ZONE_CPUS;
}

static bool get_zone(
	const struct zl_machine *m, const struct zl_zone *z, enum value_id id, int64_t *ret)
{
	if (!zone_has(m, z, id)) {
		return false;
	}
	if (id == VALUE_REACHABLE) {
		*ret = can_fire(&z->free_high);
		return true;
	}
	return read_member(z, &members[id], ret);
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
	if (needs_build(id) && !m->geometry.buildable) {
		return false;
	}
	if (members[id].from == FROM_ZONE || id == VALUE_REACHABLE) {
		return in->zone < m->nr_zones && get_zone(m, &m->zones[in->zone], id, ret);
	}
	if (!machine_has(m, id)) {
		return false;
	}
	if (members[id].from == FROM_NOWHERE) {
		return get_other(m, id, ret);
	}
	return read_member(members[id].from == FROM_GEOMETRY ? (const void *)&m->geometry : m,
		&members[id], ret);
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
