/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits are computed before the kernel gives its init code and the initial RAM disk back, so a
 * zone's managed pages of that time are a little lower than those reported later, and unknown.
 * Every reported value narrows them: all formulas are monotone in one zone's managed pages, so a
 * value fits an interval, found by bisection. If the intervals of all values have a common part,
 * that one number explains them all.
 */

#include "verify_private.h"

/* The share of a zone that may be missing, and what small zones are allowed beyond it: init code
 * and a RAM disk do not shrink with the memory, nor do they grow with it. Recorded boots gave back
 * 1.3 to 10 MiB; distributions have RAM disks of up to a hundred and some. */
#define FREED_PERCENT	  3
#define FREED_MOST_BYTES  (UINT64_C(256) << 20)
#define FREED_SMALL_BYTES (UINT64_C(16) << 20)
#define FREED_SMALL_PART  16
#define ZONES_TRIED	  8
/* Rounding of two summands can make a value step back once around an edge. */
#define EDGE_PROBES 4

/* The managed pages of one zone under trial. */
struct span {
	size_t zone;
	uint64_t lo, hi;
	size_t misses; /* items that fit no value of the span */
	bool alone;    /* nothing but min_free_kbytes wants pages to be missing */
};

uint64_t zl_verify_freed_limit(const struct zl_machine *m, uint64_t managed)
{
	uint64_t share = managed * FREED_PERCENT / 100;
	uint64_t small = FREED_SMALL_BYTES >> m->geometry.page_shift;
	uint64_t most = FREED_MOST_BYTES >> m->geometry.page_shift;

	share = share > most ? most : share;
	if (small > managed / FREED_SMALL_PART) {
		small = managed / FREED_SMALL_PART;
	}
	return share > small ? share : small;
}

const struct zl_machine *zl_verify_trial(struct zl_verifying *w, size_t zone, uint64_t managed)
{
	if (w->trial_zone == zone && w->trial_managed == managed) {
		return w->trial;
	}
	uint64_t now = w->work.zones[zone].managed;

	w->work.zones[zone].managed = managed;
	zl_machine_resolve(&w->work, w->trial, NULL);
	w->work.zones[zone].managed = now;
	w->trial_zone = zone;
	w->trial_managed = managed;
	return w->trial;
}

static int64_t value_at(
	struct zl_verifying *w, const struct zl_verify_item *item, size_t zone, uint64_t managed)
{
	int64_t v = 0;

	zl_verify_compute(w, zl_verify_trial(w, zone, managed), item, &v);
	return v;
}

/* First managed value in (lo, hi] for which the item has passed @bound; hi + 1 if none. */
static uint64_t first_passing(struct zl_verifying *w, const struct zl_verify_item *item,
	const struct span *s, int64_t bound, bool rising)
{
	uint64_t lo = s->lo;
	uint64_t hi = s->hi + 1;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		int64_t v = value_at(w, item, s->zone, mid);

		if (rising ? v >= bound : v <= bound) {
			hi = mid;
		} else {
			lo = mid + 1;
		}
	}
	return lo;
}

static void widen_edges(struct zl_verifying *w, const struct zl_verify_item *item,
	const struct span *outer, struct span *s)
{
	for (unsigned i = 1; i <= EDGE_PROBES; i++) {
		if (s->lo >= outer->lo + i &&
			value_at(w, item, s->zone, s->lo - i) == item->reported) {
			s->lo -= i;
			i = 0;
		}
	}
	for (unsigned i = 1; i <= EDGE_PROBES; i++) {
		if (s->hi + i <= outer->hi &&
			value_at(w, item, s->zone, s->hi + i) == item->reported) {
			s->hi += i;
			i = 0;
		}
	}
}

/* Narrows a span to what gives the reported value; false, unchanged, when nothing does. */
static bool narrow(struct zl_verifying *w, const struct zl_verify_item *item, struct span *s)
{
	int64_t at_lo = value_at(w, item, s->zone, s->lo);
	int64_t at_hi = value_at(w, item, s->zone, s->hi);
	bool rising = at_hi > at_lo;
	struct span in = *s;

	if (at_lo == at_hi) {
		return at_lo == item->reported;
	}
	in.lo = first_passing(w, item, s, item->reported, rising);
	if (in.lo > s->hi || value_at(w, item, s->zone, in.lo) != item->reported) {
		return false;
	}
	struct span rest = {s->zone, in.lo, s->hi, 0, false};
	in.hi = first_passing(w, item, &rest, item->reported + (rising ? 1 : -1), rising) - 1;
	widen_edges(w, item, s, &in);
	*s = in;
	return true;
}

/* Items whose value depends on managed pages, by how sharply they tell. */
static bool in_round(enum zl_verify_field f, unsigned round)
{
	switch (f) {
	case ZL_VERIFY_HIGH_MAX:
		return round == 0;
	case ZL_VERIFY_WMARK_MIN:
	case ZL_VERIFY_WMARK_LOW:
	case ZL_VERIFY_WMARK_HIGH:
	case ZL_VERIFY_WMARK_PROMO:
	case ZL_VERIFY_BATCH:
	case ZL_VERIFY_PROTECTION:
		return round == 1;
	case ZL_VERIFY_MIN_FREE:
		return round == 2;
	case ZL_VERIFY_PAGEBLOCK_ORDER:
	case ZL_VERIFY_MAX_PAGE_ORDER:
	case ZL_VERIFY_HIGH_MIN:
	case ZL_VERIFY_HIGH:
	case ZL_VERIFY_STAT_THRESHOLD:
	case ZL_VERIFY_FIELD_COUNT:
		break;
	}
	return false;
}

static bool is_watermark(enum zl_verify_field f)
{
	return f == ZL_VERIFY_WMARK_MIN || f == ZL_VERIFY_WMARK_LOW || f == ZL_VERIFY_WMARK_HIGH ||
	       f == ZL_VERIFY_WMARK_PROMO;
}

static void narrow_round(struct zl_verifying *w, struct span *s, unsigned round)
{
	for (size_t i = 0; i < w->v->nr_items; i++) {
		const struct zl_verify_item *item = &w->v->item[i];
		int64_t now = 0;

		if (item->cpu >= 0 || !in_round(item->field, round) ||
			(is_watermark(item->field) && !w->watermarks_known) ||
			(zl_verify_is_limit(item->field) && w->m->high_fraction > 0) ||
			!zl_verify_compute(w, w->m, item, &now) ||
			(item->field == ZL_VERIFY_PROTECTION && now == item->reported)) {
			continue;
		}
		if (!narrow(w, item, s)) {
			s->misses++;
		}
	}
}

/* The boot log's count, where it can be the managed pages of that time. */
static void pin_to_log(struct zl_verifying *w, struct span *s)
{
	int64_t others = (int64_t)(w->m->managed_pages - w->work.zones[s->zone].managed);
	int64_t managed = w->in->available_pages - others;

	if (w->in->available_pages >= 0 && managed >= (int64_t)s->lo && managed <= (int64_t)s->hi) {
		s->lo = s->hi = (uint64_t)managed;
	}
}

static struct span solve_zone(struct zl_verifying *w, size_t zone)
{
	uint64_t managed = w->work.zones[zone].managed;
	struct span s = {zone, managed - zl_verify_freed_limit(w->m, managed), managed, 0, false};

	narrow_round(w, &s, 0);
	narrow_round(w, &s, 1);
	pin_to_log(w, &s);
	s.alone = s.hi == managed;
	narrow_round(w, &s, 2);
	return s;
}

/* Whether all items fit the managed pages as they are. */
static bool fits_now(const struct zl_verifying *w)
{
	for (size_t i = 0; i < w->v->nr_items; i++) {
		const struct zl_verify_item *item = &w->v->item[i];
		int64_t now = 0;

		if (item->cpu < 0 && (!is_watermark(item->field) || w->watermarks_known) &&
			item->field != ZL_VERIFY_HIGH && item->field != ZL_VERIFY_HIGH_MIN &&
			zl_verify_compute(w, w->m, item, &now) && now != item->reported) {
			return false;
		}
	}
	return true;
}

/* The largest zone below @below (by size, then place) that has memory; SIZE_MAX when none. */
static size_t next_largest(const struct zl_profile *p, size_t below)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < p->nr_zones; i++) {
		uint64_t size = p->zones[i].managed;
		bool left = below == SIZE_MAX || size < p->zones[below].managed ||
			    (i > below && size == p->zones[below].managed);

		if (size > 0 && left && (best == SIZE_MAX || size > p->zones[best].managed)) {
			best = i;
		}
	}
	return best;
}

void zl_verify_solve(struct zl_verifying *w)
{
	struct span best = {SIZE_MAX, 0, 0, SIZE_MAX, false};
	size_t zone = SIZE_MAX;

	w->v->freed_zone = SIZE_MAX;
	if (fits_now(w)) {
		return;
	}
	for (unsigned i = 0; i < ZONES_TRIED && best.misses > 0; i++) {
		zone = next_largest(&w->work, zone);
		if (zone == SIZE_MAX) {
			break;
		}
		if (zl_verify_zone(w->m, &w->work, zone) != NULL) {
			struct span s = solve_zone(w, zone);

			best = s.misses < best.misses ? s : best;
		}
	}
	/* A span that reaches up to the present needs no memory given back. */
	if (best.zone != SIZE_MAX && best.hi < w->work.zones[best.zone].managed) {
		w->v->freed_zone = best.zone;
		w->v->managed_lo = best.lo;
		w->v->managed_hi = best.hi;
		w->v->managed_alone = best.alone;
	}
}
