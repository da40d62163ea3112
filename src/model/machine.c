/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one place of derivation: from settings and zone facts to a whole machine, in the order in
 * which a kernel boots.
 */
#include "zonelab/machine.h"

#include <string.h>

#include "machine_private.h"
#include "zonelab/text.h"

#define DEFAULT_KERNEL	     "6.18.2"
#define DEFAULT_SCALE_MAX    5
#define DEFAULT_SCALE_FACTOR 10
#define DEFAULT_BOOST_FACTOR 15000
#define DEFAULT_POOL	     (UINT64_C(4) << 20)
#define DEFAULT_CMA_SIZE     (UINT64_C(16) << 20)
/* THP starts as "never" below this. Source: mm/huge_memory.c, hugepage_init(), v6.12. */
#define THP_LEAST_MEMORY (UINT64_C(512) << 20)
#define STRUCT_PAGE	 64

uint64_t zl_mul_div(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t whole = a / c;
	uint64_t rest = a % c;
	uint64_t q = 0;
	uint64_t r = 0;

	/* Long multiplication by b, most significant bit first; r stays below c. */
	for (uint64_t bit = UINT64_C(1) << 63; bit != 0; bit >>= 1) {
		q *= 2;
		r *= 2;
		if ((b & bit) != 0) {
			q += whole;
			r += rest;
		}
		q += r / c;
		r %= c;
	}
	return q;
}

uint64_t zl_derive_number(struct zl_derivation *d, enum zl_setting key, uint64_t dflt)
{
	const struct zl_setting_info *info = zl_setting_info(key);
	const struct zl_setting_value *v = &d->settings->value[key];
	int64_t n = v->number;

	if (!v->given) {
		return dflt;
	}
	if (n >= info->min && (info->max == 0 || n <= info->max)) {
		return (uint64_t)n;
	}
	n = n < info->min ? info->min : info->max;
	zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_RANGE,
		"%s=%D is outside %D to %D; %D is used", info->key, v->number, info->min, info->max,
		n)
		->about = key;
	return (uint64_t)n;
}

bool zl_given_over_facts(const struct zl_settings *s, enum zl_setting key)
{
	if (!s->value[key].given) {
		return false;
	}
	switch (s->value[key].origin) {
	case ZL_ORIGIN_SCENARIO:
	case ZL_ORIGIN_GIVEN:
	case ZL_ORIGIN_LANE:
		return true;
	case ZL_ORIGIN_DEFAULT:
	case ZL_ORIGIN_DERIVED:
	case ZL_ORIGIN_PROFILE:
	case ZL_ORIGIN_FILE:
	case ZL_ORIGIN_NAMED_PROFILE:
	case ZL_ORIGIN_COUNT:
		return false;
	}
	return false;
}

static bool flag(const struct zl_derivation *d, enum zl_setting key, bool dflt)
{
	const struct zl_setting_value *v = &d->settings->value[key];

	return v->given ? v->number != 0 : dflt;
}

static bool is_word(const struct zl_derivation *d, enum zl_setting key, const char *word)
{
	const struct zl_setting_value *v = &d->settings->value[key];

	return v->given && v->number == zl_setting_word_index(key, word);
}

/* Build options of a file mean little without their architecture, pages without their size. */
static void note_assumed(struct zl_derivation *d)
{
	static const enum zl_setting keys[] = {ZL_SET_PAGE_SIZE, ZL_SET_MAX_PAGE_ORDER,
		ZL_SET_PAGE_BLOCK_ORDER, ZL_SET_THP, ZL_SET_HUGETLB, ZL_SET_CMA_SIZE};
	bool built = false, zones = d->profile->nr_zones > 0 && d->profile->zones_page_size > 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct zl_setting_value *v = &d->settings->value[keys[i]];

		built = built || (v->given && v->origin == ZL_ORIGIN_FILE);
	}
	if (zones && !zl_settings_given(d->settings, ZL_SET_PAGE_SIZE)) {
		struct zl_diag *note = zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_PAGE_SIZE_ASSUMED,
			"no page size in these files: %Z is assumed", d->profile->zones_page_size);

		note->about = ZL_SET_PAGE_SIZE;
		zl_format(note->mend, sizeof(note->mend), "give it: --set page_size=N");
	}
	if ((built || zones) && !zl_settings_given(d->settings, ZL_SET_ARCH)) {
		struct zl_diag *note = zl_diag_add(d->diags, built ? ZL_WARNING : ZL_NOTE,
			ZL_DIAG_ARCH_ASSUMED, "no architecture in these files: %s is assumed",
			zl_setting_info(ZL_SET_ARCH)->dflt);

		note->about = ZL_SET_ARCH;
		zl_format(note->mend, sizeof(note->mend), "give it: --set arch=NAME");
	}
}

static void derive_release(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	const char *text = zl_settings_text(d->settings, ZL_SET_KERNEL);

	m->release_known = text[0] != '\0' && zl_release_parse(text, &m->release) == 0;
	if (!m->release_known) {
		zl_release_parse(DEFAULT_KERNEL, &m->release);
		if (d->profile->nr_zones > 0) {
			zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_RELEASE_ASSUMED,
				"no release is given with these zones: %s is assumed",
				DEFAULT_KERNEL)
				->about = ZL_SET_KERNEL;
		}
	}
	zl_switches_for(&m->release, &m->switches, d->diags);
}

/* 1..7 are refused with EINVAL and the old value is kept, which is the default here. */
static unsigned derive_fraction(struct zl_derivation *d)
{
	uint64_t fraction = zl_derive_number(d, ZL_SET_HIGH_FRACTION, 0);

	if (fraction > 0 && fraction < ZL_HIGH_FRACTION_MIN) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_RANGE,
			"percpu_pagelist_high_fraction=%U is refused (0 or at least %d); 0 is kept",
			fraction, ZL_HIGH_FRACTION_MIN)
			->about = ZL_SET_HIGH_FRACTION;
		return 0;
	}
	return (unsigned)fraction;
}

/* Says why a policy has no value; the rule of the release was used. */
static void policy_failed(struct zl_derivation *d)
{
	if (d->why.text[0] != '\0') {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_POLICY_FAILED,
			"%s; the rule of the release is used", d->why.text);
		d->why.text[0] = '\0';
	}
}

static void derive_tunables(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;

	m->smp = flag(d, ZL_SET_SMP, true);
	m->nommu = is_word(d, ZL_SET_MMU, "off");
	m->pagesets =
		m->switches.design != ZL_DESIGN_NONE && (m->smp || m->switches.uniprocessor_pcp);
	m->scale_max = (unsigned)zl_derive_number(d, ZL_SET_BATCH_SCALE_MAX, DEFAULT_SCALE_MAX);
	m->scale_max = zl_policy_scale_max(
		&d->profile->policies, m->geometry.page_shift, m->scale_max, &d->why);
	policy_failed(d);
	m->high_fraction = derive_fraction(d);
	m->scale_factor =
		(unsigned)zl_derive_number(d, ZL_SET_WATERMARK_SCALE_FACTOR, DEFAULT_SCALE_FACTOR);
	m->boost_factor =
		(unsigned)zl_derive_number(d, ZL_SET_WATERMARK_BOOST_FACTOR, DEFAULT_BOOST_FACTOR);
	m->cache_slice = zl_derive_number(d, ZL_SET_CACHE_SLICE, 0);
	m->pool_size = zl_derive_number(d, ZL_SET_POOL_SIZE, DEFAULT_POOL);
	bool x86 = is_word(d, ZL_SET_ARCH, "x86_64") || is_word(d, ZL_SET_ARCH, "i386");
	bool area = m->geometry.dma_cma && !x86;
	m->cma_size = zl_derive_number(d, ZL_SET_CMA_SIZE, area ? DEFAULT_CMA_SIZE : 0);
}

static void derive_numa(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;

	m->numa = flag(d, ZL_SET_NUMA, m->nodes > 1);
	if (!m->numa && m->nodes > 1) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_SETTING_IGNORED,
			"numa=off has no effect: %u nodes need CONFIG_NUMA", m->nodes)
			->about = ZL_SET_NUMA;
		m->numa = true;
	}
}

static uint64_t in_blocks(uint64_t pages, uint64_t block)
{
	return (pages + block - 1) / block;
}

/* Page structures of a zone, which boot took away before it counted pages up to 6.9. */
static uint64_t memmap_pages(const struct zl_machine *m, uint64_t present)
{
	return in_blocks(present * STRUCT_PAGE, m->geometry.page_size);
}

/* Sums over zones, and what each zone is before any watermark. */
static void derive_sums(struct zl_machine *m)
{
	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone *z = &m->zones[i];
		uint64_t at_boot = z->present;

		z->populated = z->present > 0;
		/* pagetypeinfo steps through the zone by pageblocks and leaves out what is offline. */
		z->pageblocks = in_blocks(z->present, m->geometry.pageblock_nr_pages);
		m->pageblocks += z->pageblocks;
		m->managed_pages += z->managed;
		if (m->switches.grouping_without_memmap) {
			at_boot -= memmap_pages(m, at_boot);
		}
		m->grouping_pages += at_boot;
		if (zl_zone_shares_min_free(&m->switches, z->type)) {
			m->share_pages += z->managed;
		}
		if (zl_zone_serves_gfp_user(z->type)) {
			m->lowmem_pages += z->managed;
			m->lowmem_zones += z->populated ? 1 : 0;
		}
		if (z->managed > m->zones[m->main_zone].managed) {
			m->main_zone = i;
		}
	}
	m->grouping_minimum =
		zl_grouping_minimum(m->geometry.pageblock_nr_pages, m->geometry.migrate_types);
	m->grouping = m->grouping_pages >= m->grouping_minimum;
}

static void derive_thp(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	bool enabled = m->managed_pages << m->geometry.page_shift >= THP_LEAST_MEMORY;

	if (zl_settings_given(d->settings, ZL_SET_THP_ENABLED)) {
		enabled = !is_word(d, ZL_SET_THP_ENABLED, "never");
	}
	m->thp_active = enabled && m->geometry.thp && m->geometry.thp_order > 0;
}

static void derive_watermarks(struct zl_derivation *d, uint64_t min_free_kbytes)
{
	struct zl_machine *m = d->m;

	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone *z = &m->zones[i];
		const struct zl_watermark_in in = {.type = z->type,
			.managed = z->managed,
			.lowmem_pages = m->share_pages,
			.min_free_kbytes = min_free_kbytes,
			.page_shift = m->geometry.page_shift,
			.scale_factor = m->scale_factor,
			.pageblock_order = m->geometry.pageblock_order,
			.policies = &d->profile->policies,
			.policy_error = &d->why};

		if (z->populated) {
			zl_zone_watermarks(&m->switches, &in, &z->wmark);
		}
	}
}

/* nr_free_buffer_pages() with the watermarks in force. */
static uint64_t free_buffer_pages(const struct zl_machine *m)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];

		if (zl_zone_serves_gfp_user(z->type) && z->managed > z->wmark.high) {
			pages += z->managed - z->wmark.high;
		}
	}
	return pages;
}

/* Boot sets watermarks twice: from the square root, then when khugepaged starts. */
static void derive_min_free(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	struct zl_min_free_in in = {.page_shift = m->geometry.page_shift,
		.lowmem_pages = m->lowmem_pages,
		.user_set = zl_settings_given(d->settings, ZL_SET_MIN_FREE_KBYTES),
		.user_kbytes = zl_derive_number(d, ZL_SET_MIN_FREE_KBYTES, 0),
		.thp_active = m->thp_active,
		.nr_zones = m->lowmem_zones,
		.pageblock_nr_pages = m->geometry.pageblock_nr_pages,
		.policies = &d->profile->policies,
		.policy_error = &d->why};

	zl_min_free_start(&in, &m->min_free);
	derive_watermarks(d, m->min_free.kbytes);
	m->free_buffer_pages = in.free_buffer_pages = free_buffer_pages(m);
	zl_min_free_kbytes(&in, &m->min_free);
	derive_watermarks(d, m->min_free.kbytes);
	policy_failed(d);
}

static bool single_high(enum zl_design_id design)
{
	return design == ZL_DESIGN_A514 || design == ZL_DESIGN_A || design == ZL_DESIGN_A_CAP;
}

static void derive_limits(struct zl_derivation *d, struct zl_zone *z)
{
	struct zl_machine *m = d->m;
	const struct zl_pcp_in in = {.design = m->switches.design,
		.mmu = !m->nommu,
		.page_shift = m->geometry.page_shift,
		.managed = z->managed,
		.low_wmark = z->wmark.low,
		.fraction = m->high_fraction,
		.cpus = z->cpus,
		.batch = (unsigned)zl_derive_number(d, ZL_SET_BATCH, 0),
		.policies = &d->profile->policies,
		.policy_error = &d->why};
	const struct zl_free_high_in rules = {.switches = &m->switches,
		.limits = &z->limits,
		.scale_max = m->scale_max,
		.free_high_batch = zl_free_high_batch(
			in.design, m->cache_slice, in.page_shift, z->limits.batch),
		.policies = &d->profile->policies};

	zl_pcp_limits(&in, &z->limits);
	zl_observe_limits(d, z);
	z->limits.high_min = zl_derive_number(d, ZL_SET_HIGH_MIN, z->limits.high_min);
	if (single_high(in.design)) {
		z->limits.high_max = z->limits.high_min;
	} else {
		z->limits.high_max = zl_derive_number(d, ZL_SET_HIGH_MAX, z->limits.high_max);
	}
	zl_free_high_under(&rules, &z->free_high);
	policy_failed(d);
	z->free_high_batch =
		zl_free_high_batch(in.design, m->cache_slice, in.page_shift, z->limits.batch);
	if (!m->pagesets) {
		memset(z->free_high.reachable, 0, sizeof(z->free_high.reachable));
	}
}

static void derive_pagesets(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;

	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone *z = &m->zones[i];

		if (!z->populated) {
			continue;
		}
		z->highatomic_max = zl_highatomic_max(
			m->switches.highatomic_reserve, z->managed, m->geometry.pageblock_nr_pages);
		const struct zl_highatomic_in in = {z->managed, m->geometry.pageblock_order,
			m->geometry.page_shift, &d->profile->policies};
		z->highatomic_max = zl_highatomic_by_policy(&in, z->highatomic_max, &d->why);
		policy_failed(d);
		z->stat_threshold = zl_stat_threshold(m->cpus, z->managed, m->geometry.page_shift);
		if (m->switches.design != ZL_DESIGN_NONE) {
			derive_limits(d, z);
		}
	}
	if (m->nr_zones > 0) {
		m->highatomic_bytes = m->zones[m->main_zone].highatomic_max
				      << m->geometry.page_shift;
	}
}

static void derive(struct zl_derivation *d)
{
	derive_release(d);
	note_assumed(d);
	const struct zl_geometry_in in = {
		d->settings, &d->m->release, &d->m->switches, &d->profile->policies};
	zl_geometry_resolve_under(&in, &d->m->geometry, d->diags);
	derive_tunables(d);
	zl_derive_zones(d);
	derive_numa(d);
	zl_derive_cpus(d);
	derive_sums(d->m);
	zl_derive_reserve(d);
	derive_thp(d);
	derive_min_free(d);
	zl_observe_watermarks(d);
	derive_pagesets(d);
	zl_policy_check(&d->profile->policies, &d->m->switches, d->diags);
	zl_machine_findings(d);
}

void zl_machine_resolve(const struct zl_profile *p, struct zl_machine *ret, struct zl_diags *diags)
{
	struct zl_diags unread = {0};
	struct zl_derivation d = {.profile = p,
		.settings = &p->settings,
		.m = ret,
		.diags = diags != NULL ? diags : &unread};

	memset(ret, 0, sizeof(*ret));
	derive(&d);
}
