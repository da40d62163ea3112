/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From settings to pageblock_order and the CMA alignment. What is not allowed is found in
 * constraints.c and constraints_options.c.
 */
#include "zonelab/geometry.h"

#include <errno.h>
#include <string.h>

#include "constraints.h"
#include "zonelab/text.h"

/* Up to 6.3 the maximum order is written as a count of orders. */
#define EXCLUSIVE 1
/* Range and default of PAGE_BLOCK_(MAX_)ORDER where no symbol sets the maximum order. */
#define BLOCK_ORDER_GENERIC 10
/* UNMOVABLE, MOVABLE, RECLAIMABLE and HIGHATOMIC exist in every kernel. */
#define MIGRATE_TYPES_BASE 4
/* CONFIG_CMA_AREAS at its default gives as many areas in every release. */
#define CMA_AREAS_UMA  8
#define CMA_AREAS_NUMA 20

static unsigned min_order(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned zl_pageblock_order(const struct zl_switches *sw, const struct zl_pageblock_in *in,
	enum zl_pageblock_rule *ret_rule)
{
	bool has_cap = sw->page_block_symbol != ZL_BLOCK_SYMBOL_NONE && in->pbmo >= 0;
	unsigned cap = has_cap ? (unsigned)in->pbmo : in->mpo;
	enum zl_pageblock_rule rule = ZL_PB_CAP;
	unsigned order = cap;

	if (in->hugetlb && in->ho <= 0) {
		rule = ZL_PB_HUGETLB_NONE;
	} else if (in->hugetlb && !sw->pageblock_clamp) {
		rule = ZL_PB_HUGETLB_UNCLAMPED;
		order = (unsigned)in->ho;
	} else if (in->hugetlb) {
		rule = ZL_PB_HUGETLB;
		order = min_order((unsigned)in->ho, cap);
	} else if (in->thp && sw->pageblock_thp_only && in->po >= 0) {
		rule = ZL_PB_THP;
		order = min_order((unsigned)in->po, cap);
	}
	*ret_rule = rule;
	return order;
}

unsigned zl_cma_min_alignment_order(
	const struct zl_switches *sw, unsigned max_page_order, unsigned pageblock_order)
{
	switch (sw->cma_alignment) {
	case ZL_CMA_ALIGN_MAX_OF_BOTH:
		return max_page_order > pageblock_order ? max_page_order : pageblock_order;
	case ZL_CMA_ALIGN_MAX_ORDER:
		return max_page_order;
	case ZL_CMA_ALIGN_PAGEBLOCK:
		return pageblock_order;
	}
	return pageblock_order;
}

static bool is_exclusive(const struct zl_switches *sw)
{
	return sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER ||
	       sw->max_order == ZL_MAX_ORDER_ARCH_EXCLUSIVE;
}

int zl_max_order_from_config(const struct zl_switches *sw, int64_t value, unsigned *ret)
{
	const int64_t most = zl_setting_info(ZL_SET_MAX_PAGE_ORDER)->max;
	int64_t order = is_exclusive(sw) ? value - EXCLUSIVE : value;

	if (value <= 0 || order > most) {
		return -ERANGE;
	}
	*ret = (unsigned)order;
	return 0;
}

unsigned zl_max_order_to_config(const struct zl_switches *sw, unsigned max_page_order)
{
	return is_exclusive(sw) ? max_page_order + EXCLUSIVE : max_page_order;
}

uint64_t zl_pool_required_bytes(const struct zl_geometry *g, uint64_t size)
{
	uint64_t rest = size % g->cma_min_alignment_bytes;

	return rest == 0 ? size : size + (g->cma_min_alignment_bytes - rest);
}

/* The page size that is asked for, or the smallest of the architecture. */
static uint64_t wanted_page_size(const struct zl_settings *s, const uint64_t *sizes)
{
	if (zl_settings_given(s, ZL_SET_PAGE_SIZE)) {
		return (uint64_t)s->value[ZL_SET_PAGE_SIZE].number;
	}
	return sizes[0];
}

/* The largest page size that is not above @wanted, or the smallest. */
static uint64_t nearest_page_size(const uint64_t *sizes, size_t n, uint64_t wanted)
{
	uint64_t best = sizes[0];

	for (size_t i = 1; i < n; i++) {
		if (sizes[i] <= wanted) {
			best = sizes[i];
		}
	}
	return best;
}

static void select_row(struct zl_check *c)
{
	uint64_t sizes[ZL_PAGE_SIZES_MAX];
	size_t n = zl_arch_page_sizes(c->settings, sizes, ZL_PAGE_SIZES_MAX);

	c->wanted_page_size = wanted_page_size(c->settings, sizes);
	c->g->arch = zl_arch_find(c->settings, c->wanted_page_size);
	c->row = c->g->arch;
	if (c->row == NULL) {
		c->row =
			zl_arch_find(c->settings, nearest_page_size(sizes, n, c->wanted_page_size));
	}
	c->g->page_shift = c->row->page_shift;
	c->g->page_size = UINT64_C(1) << c->row->page_shift;
}

static bool option_on(const struct zl_settings *s, enum zl_setting key, bool available)
{
	return available && (!zl_settings_given(s, key) || s->value[key].number != 0);
}

/* HUGETLB_PAGE_ORDER with the chosen huge page size; 0 = none at boot. */
static int hugetlb_order(const struct zl_check *c)
{
	const struct zl_setting_value *v = &c->settings->value[ZL_SET_HUGE_PAGE_SIZE];

	if (!v->given || c->row->hugetlb_order < 0 || !c->row->huge_choice) {
		return c->row->hugetlb_order;
	}
	if (c->row->hugetlb_variable && (uint64_t)v->number <= c->g->page_size) {
		return 0;
	}
	for (size_t i = 0; i < ZL_HUGE_CHOICES && c->row->huge_shift[i] != 0; i++) {
		if (v->number == INT64_C(1) << c->row->huge_shift[i]) {
			return c->row->huge_shift[i] - c->row->page_shift;
		}
	}
	return c->row->hugetlb_order;
}

static bool numa(const struct zl_settings *s)
{
	if (zl_settings_given(s, ZL_SET_NUMA)) {
		return s->value[ZL_SET_NUMA].number != 0;
	}
	return zl_settings_given(s, ZL_SET_NODES) && s->value[ZL_SET_NODES].number > 1;
}

static unsigned max_cma_areas(const struct zl_check *c)
{
	const struct zl_setting_value *v = &c->settings->value[ZL_SET_CMA_AREAS];

	if (!c->g->cma) {
		return 0;
	}
	if (v->given) {
		return (unsigned)v->number + (c->sw->cma_areas_plus_one ? 1 : 0);
	}
	return numa(c->settings) ? CMA_AREAS_NUMA : CMA_AREAS_UMA;
}

static void resolve_options(struct zl_check *c)
{
	const struct zl_arch_row *row = c->row;
	struct zl_geometry *g = c->g;
	bool has_mmu = strcmp(row->variant, "nommu") != 0;

	g->thp = option_on(c->settings, ZL_SET_THP, row->thp_order >= 0);
	g->hugetlb = option_on(c->settings, ZL_SET_HUGETLB, row->hugetlb_order >= 0);
	g->cma = option_on(c->settings, ZL_SET_CMA, has_mmu);
	g->dma_cma = option_on(c->settings, ZL_SET_DMA_CMA, g->cma && row->dma_cma);
	g->thp_order = g->thp ? row->thp_order : -1;
	g->hugetlb_order = g->hugetlb ? hugetlb_order(c) : -1;
	c->huge = g->thp || g->hugetlb;
	g->migrate_types = MIGRATE_TYPES_BASE;
	if (g->cma) {
		g->migrate_types += 2;
	} else if (row->hotremove) {
		g->migrate_types += 1;
	}
	g->max_cma_areas = max_cma_areas(c);
}

/* The number of a decision point; what it lacks is said. */
static int64_t by_policy(struct zl_check *c, const struct zl_policy_query *q, const int64_t *slots)
{
	struct zl_error why = {0};
	int64_t v = zl_policy_number(c->policies, q, slots, &why);

	if (why.text[0] != '\0') {
		zl_diag_add(c->diags, ZL_WARNING, ZL_DIAG_POLICY_FAILED,
			"%s; the rule of the release is used", why.text);
	}
	return v;
}

/* The names that orders may follow from, as far as they are known. */
static void order_slots(const struct zl_check *c, int64_t *slots)
{
	const struct zl_geometry *g = c->g;

	memset(slots, 0, ZL_POLICY_NAMES * sizeof(*slots));
	slots[ZL_NAME_PAGE_SHIFT] = g->page_shift;
	slots[ZL_NAME_PAGE_SIZE] = (int64_t)g->page_size;
	slots[ZL_NAME_HUGETLB_PAGE] = g->hugetlb;
	slots[ZL_NAME_THP] = g->thp;
	slots[ZL_NAME_HUGETLB_ORDER] = g->hugetlb_order;
	slots[ZL_NAME_PMD_ORDER] = g->thp_order;
	slots[ZL_NAME_MAX_PAGE_ORDER] = g->max_page_order;
	slots[ZL_NAME_MAX_ORDER_PAGES] = INT64_C(1) << g->max_page_order;
	slots[ZL_NAME_BLOCK_CAP] =
		g->page_block_order >= 0 ? g->page_block_order : (int)g->max_page_order;
	slots[ZL_NAME_PAGEBLOCK_ORDER] = g->pageblock_order;
	slots[ZL_NAME_PAGEBLOCK_PAGES] = INT64_C(1) << g->pageblock_order;
}

static unsigned default_order(struct zl_check *c)
{
	unsigned order = zl_arch_default_order(c->row, c->huge);
	const struct zl_policy_query q = {
		ZL_POINT_ARCH_FORCE_MAX_ORDER, 1, ZL_MAX_ORDER_LIMIT, order};
	int64_t slots[ZL_POLICY_NAMES];

	order_slots(c, slots);
	slots[ZL_NAME_ARCH_DEFAULT] = order;
	return (unsigned)by_policy(c, &q, slots);
}

static void resolve_max_order(struct zl_check *c)
{
	const struct zl_setting_value *v = &c->settings->value[ZL_SET_MAX_PAGE_ORDER];
	struct zl_order_range range = zl_arch_order_range(c->row, c->sw, c->huge);
	struct zl_geometry *g = c->g;

	g->max_order_default = default_order(c);
	g->max_order_lo = range.lo;
	g->max_order_hi = range.hi;
	g->max_order_limit = zl_arch_section_order(c->row, c->huge);
	c->wanted_order = v->given ? (unsigned)v->number : g->max_order_default;
	g->max_page_order = min_order(c->wanted_order, ZL_MAX_ORDER_LIMIT);
	g->max_order_symbol = zl_arch_order_symbol(c->row, c->sw);
	if (g->max_order_symbol != NULL) {
		g->max_order_symbol_value = zl_max_order_to_config(c->sw, c->wanted_order);
	}
}

/*
 * Source: mm/Kconfig, PAGE_BLOCK_ORDER, v6.16; PAGE_BLOCK_MAX_ORDER, v6.17.
 */
static void resolve_block_order(struct zl_check *c)
{
	const struct zl_setting_value *v = &c->settings->value[ZL_SET_PAGE_BLOCK_ORDER];
	struct zl_geometry *g = c->g;

	switch (c->sw->page_block_symbol) {
	case ZL_BLOCK_SYMBOL_NONE:
		break;
	case ZL_BLOCK_SYMBOL_ORDER:
		g->page_block_symbol = "PAGE_BLOCK_ORDER";
		break;
	case ZL_BLOCK_SYMBOL_MAX_ORDER:
		g->page_block_symbol = "PAGE_BLOCK_MAX_ORDER";
		break;
	}
	g->page_block_lo = g->page_block_hi = g->page_block_default = -1;
	g->page_block_order = c->wanted_block = -1;
	if (g->page_block_symbol == NULL) {
		return;
	}
	/* A symbol of 0 means that the architecture sets none. */
	bool by_arch = g->max_order_symbol != NULL && g->max_page_order > 0;
	g->page_block_lo = 1;
	g->page_block_hi = by_arch ? (int)g->max_page_order : BLOCK_ORDER_GENERIC;
	const struct zl_policy_query q = {
		ZL_POINT_PAGE_BLOCK_MAX_ORDER, 1, ZL_MAX_ORDER_LIMIT, g->page_block_hi};
	int64_t slots[ZL_POLICY_NAMES];

	order_slots(c, slots);
	slots[ZL_NAME_ARCH_MAX_ORDER] = by_arch ? (int)g->max_page_order : 0;
	g->page_block_default = (int)by_policy(c, &q, slots);
	c->wanted_block = v->given ? (int)v->number : g->page_block_default;
	g->page_block_order =
		c->wanted_block < (int)g->max_page_order ? c->wanted_block : (int)g->max_page_order;
}

static unsigned block_by_policy(struct zl_check *c)
{
	const struct zl_policy_query q = {
		ZL_POINT_PAGEBLOCK_ORDER, 1, ZL_MAX_ORDER_LIMIT, c->g->pageblock_order};
	int64_t slots[ZL_POLICY_NAMES];

	order_slots(c, slots);
	return (unsigned)by_policy(c, &q, slots);
}

/* The point is a number of pages; only powers of two can be an alignment. */
static unsigned alignment_by_policy(struct zl_check *c)
{
	const struct zl_policy_query q = {ZL_POINT_CMA_MIN_ALIGNMENT_PAGES, 1,
		INT64_C(1) << ZL_MAX_ORDER_LIMIT, INT64_C(1) << c->g->cma_min_alignment_order};
	int64_t slots[ZL_POLICY_NAMES];
	unsigned order = 0;
	int64_t pages;

	order_slots(c, slots);
	pages = by_policy(c, &q, slots);
	if ((pages & (pages - 1)) != 0) {
		zl_diag_add(c->diags, ZL_WARNING, ZL_DIAG_POLICY_FAILED,
			"policy cma_min_alignment_pages: %D is no power of two; the rule of the "
			"release is used",
			pages);
		return c->g->cma_min_alignment_order;
	}
	while (pages >> order > 1) {
		order++;
	}
	return order;
}

static void resolve_pageblock(struct zl_check *c)
{
	struct zl_geometry *g = c->g;
	const struct zl_pageblock_in in = {
		.mpo = g->max_page_order,
		.hugetlb = g->hugetlb,
		.ho = g->hugetlb_order,
		.variable = c->row->hugetlb_variable,
		.thp = g->thp,
		.po = g->thp_order,
		.pbmo = g->page_block_order,
	};

	g->pageblock_order = zl_pageblock_order(c->sw, &in, &g->rule);
	g->pageblock_order = block_by_policy(c);
	g->cap = g->page_block_order >= 0 ? (unsigned)g->page_block_order : g->max_page_order;
	g->pageblock_nr_pages = UINT64_C(1) << g->pageblock_order;
	g->pageblock_bytes = g->page_size << g->pageblock_order;
	g->cma_min_alignment_order =
		zl_cma_min_alignment_order(c->sw, g->max_page_order, g->pageblock_order);
	g->cma_min_alignment_order = alignment_by_policy(c);
	g->cma_min_alignment_bytes = g->page_size << g->cma_min_alignment_order;
	g->largest_block_bytes = g->page_size << g->max_page_order;
}

void zl_geometry_resolve(const struct zl_settings *s, const struct zl_release *r,
	const struct zl_switches *sw, struct zl_geometry *ret, struct zl_diags *diags)
{
	const struct zl_geometry_in in = {s, r, sw, NULL};

	zl_geometry_resolve_under(&in, ret, diags);
}

void zl_geometry_resolve_under(
	const struct zl_geometry_in *in, struct zl_geometry *ret, struct zl_diags *diags)
{
	char arch[ZL_SETTING_TEXT];
	struct zl_check c = {
		.settings = in->settings,
		.release = in->release,
		.sw = in->switches,
		.policies = in->policies,
		.arch = zl_arch_name(in->settings, arch),
		.g = ret,
		.diags = diags,
	};

	memset(ret, 0, sizeof(*ret));
	ret->buildable = true;
	select_row(&c);
	resolve_options(&c);
	resolve_max_order(&c);
	resolve_block_order(&c);
	resolve_pageblock(&c);
	zl_check_machine(&c);
	zl_check_options(&c);
	zl_check_orders(&c);
}
