/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of a verification: working copies, what can be inferred backwards, counting.
 */
#include <errno.h>
#include <string.h>

#include "machine_private.h"
#include "verify_private.h"

/* A difference of a page is no setting that somebody made. */
#define NEAR_MISS INT64_C(1)
/* A fraction counts as recognised only where the next one would give this many pages less;
 * above that every number is managed / something. */
#define FRACTION_STEP 2

bool zl_min_free_from_watermark(const struct zl_machine *m, const struct zl_zone *z, uint64_t min,
	uint64_t *ret_lo, uint64_t *ret_hi)
{
	unsigned shift = m->geometry.page_shift - 10;
	uint64_t all = m->share_pages;

	if (z->managed == 0 || all == 0 || !zl_zone_shares_min_free(&m->switches, z->type) ||
		min > UINT32_MAX) {
		return false;
	}
	uint64_t lo = zl_mul_div(min, all, z->managed);
	uint64_t hi = zl_mul_div(min + 1, all, z->managed);
	lo += zl_mul_div(lo, z->managed, all) < min ? 1 : 0;
	hi -= hi > 0 && zl_mul_div(hi, z->managed, all) > min ? 1 : 0;
	if (lo > hi) {
		return false;
	}
	*ret_lo = lo << shift;
	*ret_hi = ((hi + 1) << shift) - 1;
	return true;
}

/* min_free_kbytes that give every zone its reported min. */
static void infer_min_free(struct zl_verifying *w)
{
	struct zl_verify *v = w->v;
	const struct zl_machine *m = w->m;

	if (v->freed_zone != SIZE_MAX) {
		m = zl_verify_trial(w, v->freed_zone, v->managed_lo);
	}
	v->min_free_lo = 0;
	v->min_free_hi = UINT64_MAX;
	for (size_t i = 0; i < w->work.nr_zones; i++) {
		const struct zl_zone_facts *f = &w->work.zones[i];
		const struct zl_zone *z = zl_verify_zone(m, &w->work, i);
		int64_t min = f->min - zl_verify_boost(f);
		uint64_t lo = 0;
		uint64_t hi = 0;

		if (z == NULL || f->min < 0 || min < 0 ||
			!zl_min_free_from_watermark(m, z, (uint64_t)min, &lo, &hi)) {
			continue;
		}
		v->min_free_lo = lo > v->min_free_lo ? lo : v->min_free_lo;
		v->min_free_hi = hi < v->min_free_hi ? hi : v->min_free_hi;
	}
	if (v->min_free_hi == UINT64_MAX) {
		v->min_free_lo = 1;
		v->min_free_hi = 0;
	}
	bool usual = m->min_free.kbytes >= v->min_free_lo && m->min_free.kbytes <= v->min_free_hi;
	v->min_free_inferred = usual ? m->min_free.kbytes : v->min_free_lo;
}

/* What all pagesets of a zone show, -1 when they differ or show nothing. */
static int64_t shown_high(const struct zl_zone_facts *f, bool limits)
{
	int64_t value = -1;

	for (size_t i = 0; i < f->nr_pcp; i++) {
		const struct zl_observed_pcp *p = &f->pcp[i];
		int64_t one = limits ? p->high_min : p->high;

		if (one < 0 || (limits && p->high_max != one) || (value >= 0 && one != value)) {
			return -1;
		}
		value = one;
	}
	return value;
}

static uint64_t high_with(const struct zl_machine *m, const struct zl_zone *z, unsigned fraction)
{
	const struct zl_pcp_in in = {.design = m->switches.design,
		.mmu = !m->nommu,
		.page_shift = m->geometry.page_shift,
		.managed = z->managed,
		.low_wmark = z->wmark.low,
		.fraction = fraction,
		.cpus = z->cpus};
	unsigned batch = zl_zone_batchsize(in.design, in.mmu, in.managed, in.page_shift);

	return zl_zone_highsize(&in, batch > 0 ? batch : 1, fraction);
}

/* Whether every populated zone shows what this fraction gives. */
static bool fraction_fits(const struct zl_verifying *w, unsigned fraction, bool limits)
{
	for (size_t i = 0; i < w->work.nr_zones; i++) {
		const struct zl_zone *z = zl_verify_zone(w->m, &w->work, i);

		if (z == NULL || z->managed == 0 || w->work.zones[i].nr_pcp == 0) {
			continue;
		}
		if (shown_high(&w->work.zones[i], limits) !=
			(int64_t)high_with(w->m, z, fraction)) {
			return false;
		}
	}
	return true;
}

/* The zone whose high tells most. */
static size_t largest_shown(const struct zl_verifying *w)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < w->work.nr_zones; i++) {
		if (w->work.zones[i].nr_pcp > 0 && zl_verify_zone(w->m, &w->work, i) != NULL &&
			(best == SIZE_MAX ||
				w->work.zones[i].managed > w->work.zones[best].managed)) {
			best = i;
		}
	}
	return best;
}

static void infer_fraction(struct zl_verifying *w)
{
	size_t i = largest_shown(w);
	bool limits = w->m->switches.zoneinfo_limits;
	bool fixed = w->m->switches.design < ZL_DESIGN_B;

	if (w->in->fraction_known || w->m->switches.design == ZL_DESIGN_NONE || i == SIZE_MAX ||
		(!limits && !fixed)) {
		return;
	}
	const struct zl_zone *z = zl_verify_zone(w->m, &w->work, i);
	const struct zl_verify_item probe = {.zone = i, .cpu = -1, .field = ZL_VERIFY_HIGH_MIN};
	int64_t shown = shown_high(&w->work.zones[i], limits);
	int64_t usual = 0;
	if (shown <= 0 || !zl_verify_compute(w, w->m, &probe, &usual) ||
		(shown >= usual - NEAR_MISS && shown <= usual + NEAR_MISS)) {
		return;
	}
	uint64_t guess = z->managed / ((uint64_t)shown * z->cpus);
	for (uint64_t f = guess > 0 ? guess - 1 : 0; f <= guess + 1; f++) {
		if (f >= ZL_HIGH_FRACTION_MIN && f * FRACTION_STEP <= (uint64_t)shown &&
			fraction_fits(w, (unsigned)f, limits)) {
			w->v->fraction = (unsigned)f;
			zl_settings_number(&w->work.settings, ZL_SET_HIGH_FRACTION, (int64_t)f,
				ZL_ORIGIN_GIVEN);
			zl_machine_resolve(&w->work, w->m, NULL);
			return;
		}
	}
}

/* The high_min, or the high, of all pagesets of a zone; -1 when they differ or show none. */
static int64_t shown_low(const struct zl_zone_facts *f, bool limits)
{
	int64_t value = -1;

	for (size_t i = 0; i < f->nr_pcp; i++) {
		int64_t one = limits ? f->pcp[i].high_min : f->pcp[i].high;

		if (one < 0 || (value >= 0 && one != value)) {
			return -1;
		}
		value = one;
	}
	return value;
}

/* CPUs of a node by what one zone's pagesets show, 0 when no number above those shown gives it. */
static unsigned cpus_by_zone(const struct zl_verifying *w, size_t i, bool *ret_floor)
{
	const struct zl_zone *z = zl_verify_zone(w->m, &w->work, i);
	const struct zl_zone_facts *f = &w->work.zones[i];
	const bool limits = w->m->switches.zoneinfo_limits;
	int64_t shown = shown_low(f, limits);
	int64_t low = f->low - zl_verify_boost(f);
	unsigned batch = z != NULL ? zl_zone_batchsize(w->m->switches.design, !w->m->nommu,
					     z->managed, w->m->geometry.page_shift)
				   : 1;

	*ret_floor = shown > 0 && shown == 4 * (int64_t)batch;
	if (z == NULL || *ret_floor || shown <= 0 || low <= shown || low / shown > UINT16_MAX ||
		low / (low / shown) != shown || z->cpus > f->nr_pcp) {
		return 0;
	}
	const unsigned cpus = (unsigned)(low / shown);
	/* Where high_max is shown it has to be of as many. */
	return cpus > f->nr_pcp && (!limits || zl_verify_zone_fits(w->m, &w->work, i, cpus)) ? cpus
											     : 0;
}

/*
 * Pagesets of a few CPUs, cut out of a longer file: their limits tell how many the node has. All
 * zones of the node must agree.
 */
static unsigned cpus_of_node(const struct zl_verifying *w, unsigned node)
{
	unsigned cpus = 0;

	for (size_t i = 0; i < w->work.nr_zones; i++) {
		const struct zl_zone_facts *f = &w->work.zones[i];
		bool floor;

		if (f->node != node || f->managed == 0 || f->nr_pcp == 0) {
			continue;
		}
		unsigned one = cpus_by_zone(w, i, &floor);

		if (!floor && (one == 0 || (cpus != 0 && one != cpus))) {
			return 0;
		}
		cpus = one > 0 ? one : cpus;
	}
	return cpus;
}

static void infer_cpus(struct zl_verifying *w)
{
	if (w->m->switches.design == ZL_DESIGN_NONE || w->v->fraction != 0 ||
		w->m->high_fraction != 0) {
		return;
	}
	for (size_t i = 0; i < w->work.nr_zones; i++) {
		unsigned cpus = cpus_of_node(w, w->work.zones[i].node);

		if (cpus > 0) {
			w->work.zones[i].node_cpus = cpus;
			w->v->more_cpus = true;
		}
	}
	if (w->v->more_cpus) {
		zl_machine_resolve(&w->work, w->m, NULL);
	}
}

static void count(struct zl_verify *v)
{
	memset(v->count, 0, sizeof(v->count));
	v->remarks = 0;
	for (size_t i = 0; i < v->nr_items; i++) {
		v->count[v->item[i].verdict]++;
		v->remarks += v->item[i].remark ? 1 : 0;
	}
}

static void count_parked(struct zl_verifying *w)
{
	for (size_t i = 0; i < w->work.nr_zones; i++) {
		const struct zl_zone_facts *f = &w->work.zones[i];

		for (size_t k = 0; k < f->nr_pcp; k++) {
			w->v->parked_pages += f->pcp[k].count > 0 ? (uint64_t)f->pcp[k].count : 0;
		}
		if (f->nr_pcp > w->v->parked_cpus) {
			w->v->parked_cpus = (unsigned)f->nr_pcp;
		}
	}
}

static bool watermark_differs(const struct zl_verify *v)
{
	for (size_t i = 0; i < v->nr_items; i++) {
		if (v->item[i].verdict == ZL_VERDICT_DIFFERS &&
			v->item[i].field >= ZL_VERIFY_WMARK_MIN &&
			v->item[i].field <= ZL_VERIFY_WMARK_PROMO) {
			return true;
		}
	}
	return false;
}

static void solve_and_judge(struct zl_verifying *w)
{
	zl_verify_solve(w);
	infer_min_free(w);
	zl_verify_judge(w);
}

static void run(struct zl_verifying *w)
{
	infer_fraction(w);
	infer_cpus(w);
	/* Without min_free_kbytes the computed one is tried; if the watermarks do not follow from
	 * it somebody set another, and they count as read. */
	w->watermarks_known = w->work.nr_zones == 0 || zl_verify_lowmem_known(w);
	solve_and_judge(w);
	if (!w->min_free_known && watermark_differs(w->v)) {
		w->watermarks_known = false;
		solve_and_judge(w);
	}
	count(w->v);
	count_parked(w);
}

/* What is in force: as reported, else as set. */
static void find_min_free(struct zl_verifying *w)
{
	const struct zl_setting_value *set = &w->work.settings.value[ZL_SET_MIN_FREE_KBYTES];
	int64_t reported = w->work.observed.min_free_kbytes;

	w->min_free_known = reported >= 0 || (set->given && set->number >= 0);
	w->min_free_kbytes = (uint64_t)(reported >= 0 ? reported : set->number);
}

static int prepare(struct zl_verifying *w)
{
	const struct zl_profile *p = w->in->profile;
	size_t zones = p->nr_zones * sizeof(*p->zones);

	w->work = *p;
	w->work.zones = NULL;
	w->m = w->a->realloc(w->a->user, NULL, sizeof(*w->m));
	w->trial = w->a->realloc(w->a->user, NULL, sizeof(*w->trial));
	if (zones > 0) {
		w->work.zones = w->a->realloc(w->a->user, NULL, zones);
	}
	if (w->m == NULL || w->trial == NULL || (zones > 0 && w->work.zones == NULL)) {
		return -ENOMEM;
	}
	if (zones > 0) {
		memcpy(w->work.zones, p->zones, zones);
	}
	w->trial_zone = SIZE_MAX;
	w->shown_zone = SIZE_MAX;
	find_min_free(w);
	zl_machine_resolve(&w->work, w->m, NULL);
	return zl_verify_collect(w);
}

int zl_verify_run(
	const struct zl_verify_in *in, const struct zl_allocator *a, struct zl_verify *ret)
{
	struct zl_verifying w = {.in = in, .a = a, .v = ret};

	memset(ret, 0, sizeof(*ret));
	ret->freed_zone = SIZE_MAX;
	int r = prepare(&w);
	if (r == 0) {
		run(&w);
	} else {
		zl_verify_done(ret, a);
	}
	a->free(a->user, w.m);
	a->free(a->user, w.trial);
	a->free(a->user, w.work.zones);
	return r;
}

void zl_verify_done(struct zl_verify *v, const struct zl_allocator *a)
{
	if (v->item != NULL) {
		a->free(a->user, v->item);
	}
	memset(v, 0, sizeof(*v));
}
