/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that a file reported stand in for computed ones as long as nothing that they follow from
 * was changed.
 */
#include "machine_private.h"

/* Whether a setting that watermarks follow from was given over the facts. */
static bool inputs_changed(const struct zl_settings *s)
{
	static const enum zl_setting inputs[] = {ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER,
		ZL_SET_THP, ZL_SET_HUGETLB, ZL_SET_HUGE_PAGE_SIZE, ZL_SET_MEMORY, ZL_SET_NODES,
		ZL_SET_ZONES, ZL_SET_MMU, ZL_SET_LPAE, ZL_SET_PAE, ZL_SET_MIN_FREE_KBYTES,
		ZL_SET_WATERMARK_SCALE_FACTOR, ZL_SET_THP_ENABLED};

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		if (zl_given_over_facts(s, inputs[i])) {
			return true;
		}
	}
	return false;
}

/* Whether a policy decides about watermarks or limits. */
static bool policies_change(const struct zl_policy_set *set)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		if (set->policy[i].text != NULL && i != ZL_POINT_PCP_BATCH_SCALE_MAX &&
			zl_point_info((enum zl_point)i)->stage == ZL_POINT_MACHINE) {
			return true;
		}
	}
	return false;
}

/* Whether the machine is of another architecture than the one that was reported. */
static bool arch_changed(const struct zl_derivation *d)
{
	const struct zl_setting_value *v = &d->settings->value[ZL_SET_ARCH];

	return v->given && d->profile->zones_arch > 0 &&
	       v->number + 1 != (int64_t)d->profile->zones_arch;
}

static bool stands(const struct zl_derivation *d)
{
	return d->profile->observe && !d->m->idealised &&
	       d->profile->zones_page_size == d->m->geometry.page_size && !arch_changed(d) &&
	       !inputs_changed(d->settings) && !policies_change(&d->profile->policies);
}

static bool has_watermarks(const struct zl_zone *z)
{
	return z->populated && z->facts != NULL && z->facts->min >= 0 && z->facts->low >= 0 &&
	       z->facts->high >= 0;
}

/* min_free_kbytes as reported, or as the zones' min watermarks add up to. */
static void observe_min_free(struct zl_derivation *d, uint64_t min_pages)
{
	struct zl_machine *m = d->m;
	int64_t reported = d->profile->observed.min_free_kbytes;

	m->min_free_observed = true;
	m->min_free.kbytes =
		reported >= 0 ? (uint64_t)reported : min_pages << m->geometry.page_shift >> 10;
}

void zl_observe_watermarks(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	uint64_t min_pages = 0;
	bool all = true;

	if (!stands(d)) {
		return;
	}
	for (size_t i = 0; i < m->nr_zones; i++) {
		struct zl_zone *z = &m->zones[i];

		if (!has_watermarks(z)) {
			all = all && !z->populated;
			continue;
		}
		z->wmark_observed = true;
		z->wmark.min = (uint64_t)z->facts->min;
		z->wmark.low = (uint64_t)z->facts->low;
		z->wmark.high = (uint64_t)z->facts->high;
		if (z->facts->promo >= 0) {
			z->wmark.promo = (uint64_t)z->facts->promo;
		}
		if (zl_zone_shares_min_free(&m->switches, z->type)) {
			min_pages += z->wmark.min;
		}
	}
	if (all && min_pages > 0) {
		observe_min_free(d, min_pages);
	}
}

/* The limits that the pageset's lines hold; false where the design means something else by them. */
static bool reported_limits(
	enum zl_design_id design, const struct zl_observed_pcp *p, struct zl_pcp_limits *ret)
{
	bool single = design <= ZL_DESIGN_A_CAP;

	if (single && p->high > 0 && p->high_min < 0) {
		ret->high_min = (uint64_t)p->high;
		ret->high_max = (uint64_t)p->high;
		return true;
	}
	if (!single && p->high_min >= 0 && p->high_max >= 0) {
		ret->high_min = (uint64_t)p->high_min;
		ret->high_max = (uint64_t)p->high_max;
		return true;
	}
	return false;
}

void zl_observe_limits(struct zl_derivation *d, struct zl_zone *z)
{
	static const enum zl_setting inputs[] = {ZL_SET_CPUS, ZL_SET_HIGH_FRACTION, ZL_SET_BATCH};
	const struct zl_observed_pcp *p =
		z->facts != NULL && z->facts->nr_pcp > 0 ? &z->facts->pcp[0] : NULL;
	bool changed = !z->wmark_observed || p == NULL || p->batch <= 0 || p->batch > ZL_BATCH_MAX;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		changed = changed || zl_given_over_facts(d->settings, inputs[i]);
	}
	if (changed || !reported_limits(d->m->switches.design, p, &z->limits)) {
		return;
	}
	z->limits.batch = (unsigned)p->batch;
	z->limits_observed = true;
}
