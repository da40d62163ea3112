/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verification of what a zone shows beside watermarks and pagesets: protection, which is its
 * lowmem_reserve, and the threshold of its counters. And what huge pages would explain.
 */
#include <errno.h>

#include "machine_private.h"
#include "verify_private.h"

/* Zones of the node of @zone in the order of the file: protection has a column for each. */
static size_t columns_of(
	const struct zl_profile *p, size_t zone, size_t ret[static ZL_ZONE_TYPE_COUNT])
{
	size_t n = 0;

	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].node != p->zones[zone].node) {
			continue;
		}
		if (n == ZL_ZONE_TYPE_COUNT || p->zones[i].no_managed ||
			zl_zone_type_find(p->zones[i].name) == ZL_ZONE_TYPE_COUNT) {
			return 0;
		}
		ret[n++] = i;
	}
	return n;
}

int zl_verify_collect_protection(struct zl_verifying *w, size_t zone)
{
	const struct zl_zone_facts *f = &w->work.zones[zone];
	size_t column[ZL_ZONE_TYPE_COUNT];
	size_t n = columns_of(&w->work, zone, column);
	bool above = false;
	int64_t before = 0;

	/* A part of a file does not say which column is which. */
	if (n != f->nr_protection) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		const struct zl_zone_facts *upper = &w->work.zones[column[i]];

		above = above || column[i] == zone;
		/* A zone without memory adds nothing to the column before it. */
		if (!above || (upper->managed == 0 && f->protection[i] == before)) {
			continue;
		}
		before = f->protection[i];
		if (column[i] == zone && f->protection[i] == 0) {
			continue;
		}
		struct zl_verify_item *item =
			zl_verify_add(w, zone, ZL_VERIFY_PROTECTION, f->protection[i]);
		if (item == NULL) {
			return -ENOMEM;
		}
		item->upto = zl_zone_type_find(upper->name);
	}
	return 0;
}

int64_t zl_verify_compute_zone(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_zone *z, const struct zl_verify_item *item)
{
	if (item->field == ZL_VERIFY_PROTECTION) {
		return (int64_t)z->lowmem_reserve[item->upto];
	}
	return zl_stat_threshold(
		w->work.zones[item->zone].cpus, z->managed, m->geometry.page_shift);
}

/* lowmem_reserve_ratio that gives every column of the zone as reported; 0 when none does. */
static uint64_t ratio_of(
	const struct zl_verifying *w, const struct zl_zone *z, const struct zl_verify_item *item)
{
	const struct zl_zone_facts *f = &w->work.zones[item->zone];
	uint64_t above = zl_managed_above(w->m, z, item->upto);
	uint64_t ratio = item->reported > 0 ? above / (uint64_t)item->reported : 0;
	size_t column[ZL_ZONE_TYPE_COUNT];
	size_t n = columns_of(&w->work, item->zone, column);

	for (size_t i = 0; i < n && ratio > 0; i++) {
		unsigned upto = zl_zone_type_find(w->work.zones[column[i]].name);

		if (zl_managed_above(w->m, z, upto) / ratio != (uint64_t)f->protection[i]) {
			return 0;
		}
	}
	return ratio;
}

/*
 * While kswapd is awake counters are folded sooner.
 * Source: mm/vmstat.c, calculate_pressure_threshold(), v6.12.
 */
static int64_t pressure_threshold(const struct zl_zone_facts *f)
{
	int64_t distance = f->low >= 0 && f->min >= 0 ? f->low - f->min : -1;
	int64_t threshold = distance >= 0 ? distance / (int64_t)f->cpus : -1;

	threshold = threshold == 0 ? 1 : threshold;
	return threshold > ZL_STAT_THRESHOLD_MAX ? ZL_STAT_THRESHOLD_MAX : threshold;
}

/* Whether @cpus CPUs online give the threshold that each zone shows. */
static bool all_fit_online(const struct zl_verifying *w, unsigned cpus)
{
	for (size_t i = 0; i < w->work.nr_zones; i++) {
		const struct zl_zone_facts *f = &w->work.zones[i];

		for (size_t k = 0; k < f->nr_pcp && f->managed > 0; k++) {
			int64_t shown = f->pcp[k].stat_threshold;

			if (shown >= 0 && shown != zl_stat_threshold(cpus, f->managed,
							   w->m->geometry.page_shift)) {
				return false;
			}
		}
	}
	return true;
}

/* Pagesets of a few CPUs, cut out of a longer file: the thresholds tell how many were online. */
static bool explain_online(const struct zl_verifying *w, struct zl_verify_item *item)
{
	unsigned shown = w->work.zones[item->zone].cpus;

	for (unsigned cpus = 2; cpus <= ZL_ZONE_PCP_MAX; cpus *= 2) {
		if (cpus > shown && all_fit_online(w, cpus)) {
			item->n[0] = cpus;
			item->n[1] = 2 * (int64_t)cpus - 1;
			item->n[2] = shown;
			item->verdict = ZL_VERDICT_EXPLAINED;
			item->reason = ZL_REASON_ONLINE;
			return true;
		}
	}
	return false;
}

bool zl_verify_explain_zone(
	const struct zl_verifying *w, const struct zl_zone *z, struct zl_verify_item *item)
{
	const struct zl_zone_facts *f = &w->work.zones[item->zone];

	item->verdict = ZL_VERDICT_EXPLAINED;
	if (item->field == ZL_VERIFY_PROTECTION) {
		item->n[0] = (int64_t)ratio_of(w, z, item);
		item->reason = ZL_REASON_RATIO;
		return item->n[0] > 0 &&
		       !zl_settings_given(&w->work.settings, ZL_SET_LOWMEM_RESERVE_RATIO);
	}
	if (item->field != ZL_VERIFY_STAT_THRESHOLD) {
		return false;
	}
	if (explain_online(w, item)) {
		return true;
	}
	item->n[0] = f->low - f->min;
	item->n[1] = f->cpus;
	item->reason = ZL_REASON_PRESSURE;
	return item->reported == pressure_threshold(f);
}

bool zl_verify_explain_thp(struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_settings *given = &w->work.settings;
	struct zl_settings kept = *given;
	bool same;

	if (item->field != ZL_VERIFY_MIN_FREE || zl_settings_given(given, ZL_SET_THP) ||
		zl_settings_given(given, ZL_SET_THP_ENABLED)) {
		return false;
	}
	zl_settings_set(&w->work.settings, ZL_SET_THP_ENABLED, "never", ZL_ORIGIN_FILE, NULL);
	zl_machine_resolve(&w->work, w->trial, NULL);
	w->trial_zone = SIZE_MAX;
	same = (int64_t)w->trial->min_free.kbytes == item->reported;
	w->work.settings = kept;
	if (same) {
		item->n[0] = item->computed;
		item->verdict = ZL_VERDICT_EXPLAINED;
		item->reason = ZL_REASON_NO_THP;
	}
	return same;
}

/* Whether the files show the managed pages of every zone: min_free_kbytes follows from them. */
bool zl_verify_lowmem_known(const struct zl_verifying *w)
{
	bool known = w->work.nr_zones > 0;

	for (size_t i = 0; i < w->work.nr_zones; i++) {
		known = known && !w->work.zones[i].no_managed;
	}
	return known;
}
