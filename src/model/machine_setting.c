/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The resolved text of each setting: what is in force, given or not.
 */
#include <string.h>

#include "zonelab/costs.h"
#include "zonelab/machine.h"
#include "zonelab/text.h"

#define DEFAULT_RATIOS "256 256 32 0 0"

/* A size as it would be typed: "16K", "4G". */
static size_t bytes_text(uint64_t bytes, char *buf, size_t size)
{
	struct zl_settings s = {0};

	zl_settings_number(&s, ZL_SET_MEMORY, (int64_t)bytes, ZL_ORIGIN_DERIVED);
	return zl_setting_format(&s, ZL_SET_MEMORY, buf, size);
}

static size_t bool_text(bool on, char *buf, size_t size)
{
	return zl_format(buf, size, "%b", on);
}

static size_t number_text(uint64_t n, char *buf, size_t size)
{
	return zl_format(buf, size, "%U", n);
}

static size_t order_text(int order, char *buf, size_t size)
{
	return order < 0 ? zl_format(buf, size, "none") : zl_format(buf, size, "%d", order);
}

static size_t arch_text(const struct zl_settings *s, char *buf, size_t size)
{
	const struct zl_setting_value *v = &s->value[ZL_SET_ARCH];
	char word[ZL_SETTING_TEXT];
	const char *name = zl_setting_word(ZL_SET_ARCH, v->given ? (unsigned)v->number : 0, word);

	return zl_format(buf, size, "%s", name != NULL ? name : "?");
}

static size_t mmu_text(const struct zl_machine *m, char *buf, size_t size)
{
	const struct zl_arch_row *arch = m->geometry.arch;

	if (arch != NULL &&
		(strcmp(arch->variant, "radix") == 0 || strcmp(arch->variant, "hash") == 0)) {
		return zl_format(buf, size, "%s", arch->variant);
	}
	return bool_text(!m->nommu, buf, size);
}

static size_t zones_text(const struct zl_machine *m, char *buf, size_t size)
{
	if (m->idealised) {
		return zl_format(buf, size, "one zone per node");
	}
	return zl_format(buf, size, "%u from a file", (unsigned)m->nr_zones);
}

static size_t huge_text(const struct zl_geometry *g, char *buf, size_t size)
{
	if (g->hugetlb_order <= 0) {
		return zl_format(buf, size, "none");
	}
	return bytes_text(g->page_size << g->hugetlb_order, buf, size);
}

/* Settings that describe a kernel as built. */
static size_t build_text(const struct zl_profile *p, const struct zl_machine *m,
	enum zl_setting key, char *buf, size_t size)
{
	const struct zl_geometry *g = &m->geometry;

	switch ((unsigned)key) {
	case ZL_SET_ARCH:
		return arch_text(&p->settings, buf, size);
	case ZL_SET_KERNEL:
		return zl_format(buf, size, "%s", m->release.display);
	case ZL_SET_PAGE_SIZE:
		return bytes_text(g->page_size, buf, size);
	case ZL_SET_MAX_PAGE_ORDER:
		return number_text(g->max_page_order, buf, size);
	case ZL_SET_PAGE_BLOCK_ORDER:
		return order_text(g->page_block_order, buf, size);
	case ZL_SET_THP:
		return bool_text(g->thp, buf, size);
	case ZL_SET_HUGETLB:
		return bool_text(g->hugetlb, buf, size);
	case ZL_SET_HUGE_PAGE_SIZE:
		return huge_text(g, buf, size);
	case ZL_SET_CMA:
		return bool_text(g->cma, buf, size);
	case ZL_SET_DMA_CMA:
		return bool_text(g->dma_cma, buf, size);
	case ZL_SET_CMA_AREAS:
		return number_text(
			g->max_cma_areas - (g->cma && m->switches.cma_areas_plus_one ? 1 : 0), buf,
			size);
	case ZL_SET_SMP:
		return bool_text(m->smp, buf, size);
	case ZL_SET_NUMA:
		return bool_text(m->numa, buf, size);
	case ZL_SET_MMU:
		return mmu_text(m, buf, size);
	case ZL_SET_BATCH_SCALE_MAX:
		return number_text(m->scale_max, buf, size);
	}
	return 0;
}

/* Constants of the cost estimate. */
static size_t cost_text(enum zl_setting key, char *buf, size_t size)
{
	enum zl_cost c = zl_cost_of_setting(key);

	return c != ZL_COST_COUNT ? zl_format(buf, size, "%D", zl_cost_info(c)->dflt) : 0;
}

/* Settings of a machine that runs. */
static size_t machine_text(const struct zl_machine *m, enum zl_setting key, char *buf, size_t size)
{
	switch ((unsigned)key) {
	case ZL_SET_CMA_SIZE:
		return bytes_text(m->cma_size, buf, size);
	case ZL_SET_MEMORY:
		return bytes_text(m->memory, buf, size);
	case ZL_SET_MEMORY_BASE:
		return bytes_text(m->memory_base, buf, size);
	case ZL_SET_NODES:
		return number_text(m->nodes, buf, size);
	case ZL_SET_CPUS:
		return number_text(m->cpus, buf, size);
	case ZL_SET_ZONES:
		return zones_text(m, buf, size);
	case ZL_SET_HIGH_FRACTION:
		return number_text(m->high_fraction, buf, size);
	case ZL_SET_WATERMARK_SCALE_FACTOR:
		return number_text(m->scale_factor, buf, size);
	case ZL_SET_WATERMARK_BOOST_FACTOR:
		return number_text(m->boost_factor, buf, size);
	case ZL_SET_LOWMEM_RESERVE_RATIO:
		return zl_format(buf, size, DEFAULT_RATIOS);
	case ZL_SET_THP_ENABLED:
		return zl_format(buf, size, m->thp_active ? "always" : "never");
	case ZL_SET_CACHE_SLICE:
		return bytes_text(m->cache_slice, buf, size);
	case ZL_SET_POOL_SIZE:
		return bytes_text(m->pool_size, buf, size);
	case ZL_SET_LPAE:
	case ZL_SET_PAE:
		return bool_text(true, buf, size);
	case ZL_SET_SEED:
		return zl_format(buf, size, "1");
	case ZL_SET_MIN_FREE_KBYTES:
	case ZL_SET_BATCH:
	case ZL_SET_HIGH_MIN:
	case ZL_SET_HIGH_MAX:
		return zl_format(buf, size, "computed");
	}
	return cost_text(key, buf, size);
}

/* Values that a machine may have corrected: shown as in force even when they were given. */
static bool shown_as_in_force(enum zl_setting key)
{
	switch ((unsigned)key) {
	case ZL_SET_PAGE_SIZE:
	case ZL_SET_THP:
	case ZL_SET_HUGETLB:
	case ZL_SET_CMA:
	case ZL_SET_DMA_CMA:
	case ZL_SET_NUMA:
	case ZL_SET_NODES:
	case ZL_SET_CPUS:
	case ZL_SET_MEMORY:
	case ZL_SET_BATCH_SCALE_MAX:
	case ZL_SET_HIGH_FRACTION:
	case ZL_SET_WATERMARK_SCALE_FACTOR:
	case ZL_SET_WATERMARK_BOOST_FACTOR:
		return true;
	}
	return false;
}

size_t zl_machine_setting(const struct zl_profile *p, const struct zl_machine *m,
	enum zl_setting key, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	if (zl_settings_given(&p->settings, key) && !shown_as_in_force(key)) {
		return zl_setting_format(&p->settings, key, buf, size);
	}
	n = build_text(p, m, key, buf, size);
	return n > 0 ? n : machine_text(m, key, buf, size);
}
