/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verification in four steps: collect what was reported, find the managed pages at the time of
 * computing, judge each value, count.
 */
#include "zonelab/verify.h"

#include <errno.h>
#include <string.h>

#include "verify_private.h"

/* Before 5.14 a pageset's high was this many batches. */
#define OLD_HIGH_BATCHES 6
#define ITEMS_FIRST	 64

static uint64_t at_least(int64_t v)
{
	return v > 0 ? (uint64_t)v : 0;
}

const struct zl_zone *zl_verify_zone(
	const struct zl_machine *m, const struct zl_profile *p, size_t i)
{
	for (size_t k = 0; k < m->nr_zones; k++) {
		if (m->zones[k].facts == &p->zones[i]) {
			return &m->zones[k];
		}
	}
	return NULL;
}

unsigned zl_zone_batchsize_capped(uint64_t managed, unsigned page_shift, uint64_t cap_bytes)
{
	uint64_t batch = managed / 1024;
	uint64_t power = 1;

	if (batch << page_shift > cap_bytes) {
		batch = cap_bytes >> page_shift;
	}
	batch /= 4;
	batch = batch < 1 ? 1 : batch;
	batch += batch / 2;
	while (power * 2 <= batch) {
		power *= 2;
	}
	return (unsigned)(power - 1);
}

uint64_t zl_batch_cap(const struct zl_release *r)
{
	bool old = r->major < 4 || (r->major == 4 && r->minor < 19);

	return old ? ZL_BATCH_CAP_OLD : ZL_BATCH_CAP_NEW;
}

static bool old_kernel(const struct zl_machine *m)
{
	return m->switches.design == ZL_DESIGN_NONE;
}

/* Whether high stays where it was put. */
static bool fixed_high(const struct zl_machine *m)
{
	return m->switches.design == ZL_DESIGN_NONE || m->switches.design == ZL_DESIGN_A514 ||
	       m->switches.design == ZL_DESIGN_A || m->switches.design == ZL_DESIGN_A_CAP;
}

static unsigned old_batch(const struct zl_machine *m, const struct zl_zone *z)
{
	unsigned batch = zl_zone_batchsize_capped(
		z->managed, m->geometry.page_shift, zl_batch_cap(&m->release));

	return batch > 0 ? batch : 1;
}

static void limits_of(const struct zl_machine *m, const struct zl_zone *z,
	const struct zl_zone_facts *f, struct zl_pcp_limits *ret)
{
	const struct zl_pcp_in in = {.design = m->switches.design,
		.mmu = !m->nommu,
		.page_shift = m->geometry.page_shift,
		.managed = z->managed,
		.low_wmark = f->low >= 0 ? at_least(f->low - zl_verify_boost(f)) : z->wmark.low,
		.fraction = m->high_fraction,
		.cpus = z->cpus};

	if (old_kernel(m)) {
		ret->batch = old_batch(m, z);
		ret->high_min = ret->high_max = (uint64_t)OLD_HIGH_BATCHES * ret->batch;
	} else {
		zl_pcp_limits(&in, ret);
	}
	if (z->managed == 0) {
		ret->batch = 1;
		ret->high_min = ret->high_max = 0;
	}
}

static int64_t watermark_of(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_zone *z, enum zl_verify_field field)
{
	struct zl_watermarks mark;
	const struct zl_watermark_in in = {.type = z->type,
		.managed = z->managed,
		.lowmem_pages = m->share_pages > 0 ? m->share_pages : 1,
		.min_free_kbytes = w->min_free_known ? w->min_free_kbytes : m->min_free.kbytes,
		.page_shift = m->geometry.page_shift,
		.scale_factor = m->scale_factor};

	zl_zone_watermarks(&m->switches, &in, &mark);
	if (field == ZL_VERIFY_WMARK_MIN) {
		return (int64_t)mark.min;
	}
	if (field == ZL_VERIFY_WMARK_LOW) {
		return (int64_t)mark.low;
	}
	return (int64_t)(field == ZL_VERIFY_WMARK_HIGH ? mark.high : mark.promo);
}

static bool compute_of_zone(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_verify_item *item, int64_t *ret)
{
	const struct zl_zone *z = zl_verify_zone(m, &w->work, item->zone);
	struct zl_pcp_limits limits = {0};

	if (z == NULL) {
		return false;
	}
	limits_of(m, z, &w->work.zones[item->zone], &limits);
	switch (item->field) {
	case ZL_VERIFY_WMARK_MIN:
	case ZL_VERIFY_WMARK_LOW:
	case ZL_VERIFY_WMARK_HIGH:
	case ZL_VERIFY_WMARK_PROMO:
		*ret = watermark_of(w, m, z, item->field);
		return true;
	case ZL_VERIFY_BATCH:
		*ret = limits.batch;
		return true;
	case ZL_VERIFY_HIGH_MAX:
		*ret = (int64_t)limits.high_max;
		return true;
	case ZL_VERIFY_HIGH_MIN:
	case ZL_VERIFY_HIGH:
		*ret = (int64_t)limits.high_min;
		return true;
	case ZL_VERIFY_PROTECTION:
	case ZL_VERIFY_STAT_THRESHOLD:
		*ret = zl_verify_compute_zone(w, m, z, item);
		return true;
	case ZL_VERIFY_MIN_FREE:
	case ZL_VERIFY_PAGEBLOCK_ORDER:
	case ZL_VERIFY_MAX_PAGE_ORDER:
	case ZL_VERIFY_FIELD_COUNT:
		break;
	}
	return false;
}

bool zl_verify_compute(const struct zl_verifying *w, const struct zl_machine *m,
	const struct zl_verify_item *item, int64_t *ret)
{
	if (item->field == ZL_VERIFY_MIN_FREE) {
		*ret = (int64_t)m->min_free.kbytes;
		return true;
	}
	if (item->field == ZL_VERIFY_PAGEBLOCK_ORDER) {
		*ret = m->geometry.pageblock_order;
		return true;
	}
	if (item->field == ZL_VERIFY_MAX_PAGE_ORDER) {
		*ret = m->geometry.max_page_order;
		return true;
	}
	return item->zone != SIZE_MAX && compute_of_zone(w, m, item, ret);
}

/* --- collecting --- */

struct zl_verify_item *zl_verify_add(
	struct zl_verifying *w, size_t zone, enum zl_verify_field field, int64_t reported)
{
	struct zl_verify *v = w->v;

	if (v->nr_items == w->room) {
		size_t room = w->room == 0 ? ITEMS_FIRST : w->room * 2;
		void *grown = w->a->realloc(w->a->user, v->item, room * sizeof(*v->item));

		if (grown == NULL) {
			return NULL;
		}
		v->item = grown;
		w->room = room;
	}
	struct zl_verify_item *item = &v->item[v->nr_items++];
	memset(item, 0, sizeof(*item));
	item->zone = zone;
	item->cpu = -1;
	item->field = field;
	item->reported = reported;
	return item;
}

static int64_t pcp_value(const struct zl_observed_pcp *pcp, enum zl_verify_field field)
{
	switch (field) {
	case ZL_VERIFY_BATCH:
		return pcp->batch;
	case ZL_VERIFY_HIGH_MIN:
		return pcp->high_min;
	case ZL_VERIFY_HIGH_MAX:
		return pcp->high_max;
	case ZL_VERIFY_HIGH:
		return pcp->high;
	case ZL_VERIFY_STAT_THRESHOLD:
		return pcp->stat_threshold;
	case ZL_VERIFY_MIN_FREE:
	case ZL_VERIFY_PAGEBLOCK_ORDER:
	case ZL_VERIFY_MAX_PAGE_ORDER:
	case ZL_VERIFY_WMARK_MIN:
	case ZL_VERIFY_WMARK_LOW:
	case ZL_VERIFY_WMARK_HIGH:
	case ZL_VERIFY_WMARK_PROMO:
	case ZL_VERIFY_PROTECTION:
	case ZL_VERIFY_FIELD_COUNT:
		break;
	}
	return -1;
}

/* The value that most pagesets of a zone show (by pairing off unequal ones). */
static int64_t common_value(const struct zl_zone_facts *f, enum zl_verify_field field)
{
	int64_t value = -1;
	size_t votes = 0;

	for (size_t i = 0; i < f->nr_pcp; i++) {
		int64_t one = pcp_value(&f->pcp[i], field);

		if (one < 0) {
			continue;
		}
		if (votes == 0) {
			value = one;
		}
		votes += one == value ? 1 : (size_t)-1;
	}
	return value;
}

/* One item for what most CPUs show and one for each CPU that shows something else. */
static int collect_common(struct zl_verifying *w, size_t zone, enum zl_verify_field field)
{
	const struct zl_zone_facts *f = &w->work.zones[zone];
	int64_t common = common_value(f, field);
	unsigned same = 0;

	if (common < 0) {
		return 0;
	}
	for (size_t i = 0; i < f->nr_pcp; i++) {
		int64_t one = pcp_value(&f->pcp[i], field);
		struct zl_verify_item *item = NULL;

		if (one == common || one < 0) {
			same += one == common ? 1 : 0;
			continue;
		}
		item = zl_verify_add(w, zone, field, one);
		if (item == NULL) {
			return -ENOMEM;
		}
		item->cpu = (int32_t)f->pcp[i].cpu;
		item->cpus = 1;
	}
	struct zl_verify_item *item = zl_verify_add(w, zone, field, common);
	if (item == NULL) {
		return -ENOMEM;
	}
	item->cpus = same;
	return 0;
}

/* A tuned high is every CPU's own. */
static int collect_tuned(struct zl_verifying *w, size_t zone)
{
	const struct zl_zone_facts *f = &w->work.zones[zone];

	for (size_t i = 0; i < f->nr_pcp; i++) {
		struct zl_verify_item *item =
			f->pcp[i].high >= 0 ? zl_verify_add(w, zone, ZL_VERIFY_HIGH, f->pcp[i].high)
					    : NULL;

		if (f->pcp[i].high < 0) {
			continue;
		}
		if (item == NULL) {
			return -ENOMEM;
		}
		item->cpu = (int32_t)f->pcp[i].cpu;
		item->cpus = 1;
	}
	return 0;
}

static int collect_watermarks(struct zl_verifying *w, size_t zone)
{
	const struct zl_zone_facts *f = &w->work.zones[zone];
	int64_t boost = zl_verify_boost(f);
	const int64_t marks[] = {f->min, f->low, f->high, f->promo};

	for (unsigned i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (marks[i] >= 0 &&
			zl_verify_add(w, zone, (enum zl_verify_field)(ZL_VERIFY_WMARK_MIN + i),
				marks[i] - boost) == NULL) {
			return -ENOMEM;
		}
	}
	return 0;
}

static int collect_machine(struct zl_verifying *w)
{
	const struct zl_observed *o = &w->work.observed;
	const int64_t values[] = {o->min_free_kbytes, o->pageblock_order, o->max_page_order};

	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i] >= 0 &&
			zl_verify_add(w, SIZE_MAX, (enum zl_verify_field)(ZL_VERIFY_MIN_FREE + i),
				values[i]) == NULL) {
			return -ENOMEM;
		}
	}
	return 0;
}

int zl_verify_collect(struct zl_verifying *w)
{
	int r = collect_machine(w);

	for (size_t i = 0; i < w->work.nr_zones && r == 0; i++) {
		if (w->work.zones[i].no_managed) {
			continue;
		}
		r = collect_watermarks(w, i);
		r = r == 0 ? collect_common(w, i, ZL_VERIFY_BATCH) : r;
		r = r == 0 ? collect_common(w, i, ZL_VERIFY_HIGH_MIN) : r;
		r = r == 0 ? collect_common(w, i, ZL_VERIFY_HIGH_MAX) : r;
		if (r == 0) {
			r = fixed_high(w->m) ? collect_common(w, i, ZL_VERIFY_HIGH)
					     : collect_tuned(w, i);
		}
		if (r == 0 && w->work.zones[i].managed > 0) {
			r = collect_common(w, i, ZL_VERIFY_STAT_THRESHOLD);
			r = r == 0 ? zl_verify_collect_protection(w, i) : r;
		}
	}
	return r;
}

/* --- judging --- */

static void verdict(
	struct zl_verify_item *item, enum zl_verify_verdict verdict, enum zl_verify_reason reason)
{
	item->verdict = verdict;
	item->reason = reason;
}

/* high of a design that tunes it: 0, or up to high_max. */
static void judge_tuned(struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_zone *z = zl_verify_zone(w->m, &w->work, item->zone);
	const struct zl_zone_facts *f = &w->work.zones[item->zone];
	struct zl_pcp_limits limits = {0};

	if (w->shown_zone != item->zone) {
		w->shown_zone = item->zone;
		w->shown_min = common_value(f, ZL_VERIFY_HIGH_MIN);
		w->shown_max = common_value(f, ZL_VERIFY_HIGH_MAX);
	}
	limits_of(w->m, z, f, &limits);
	item->n[0] = w->shown_min >= 0 ? w->shown_min : (int64_t)limits.high_min;
	item->n[1] = w->shown_max >= 0 ? w->shown_max : (int64_t)limits.high_max;
	item->computed = item->n[0];
	int64_t most = item->n[1] > item->n[0] ? item->n[1] : item->n[0];
	if (item->reported > most) {
		verdict(item, ZL_VERDICT_DIFFERS, ZL_REASON_NONE);
	} else if (item->reported == 0 && item->n[0] > 0) {
		verdict(item, ZL_VERDICT_AGREES, ZL_REASON_UNTOUCHED);
	} else if (item->reported < item->n[0]) {
		verdict(item, ZL_VERDICT_EXPLAINED, ZL_REASON_BELOW_MIN);
		item->remark = true;
	} else {
		verdict(item, ZL_VERDICT_AGREES,
			item->reported == item->n[0] ? ZL_REASON_NONE : ZL_REASON_TUNED);
	}
}

/* Watermarks as inputs: low and high follow from min and the first step. */
static void judge_step(const struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_zone_facts *f = &w->work.zones[item->zone];
	int64_t boost = zl_verify_boost(f);
	int64_t times = (int64_t)item->field - ZL_VERIFY_WMARK_MIN;

	item->computed = item->reported;
	verdict(item, ZL_VERDICT_INPUT,
		zl_verify_lowmem_known(w) ? ZL_REASON_NO_MIN_FREE : ZL_REASON_NO_MANAGED);
	item->n[0] = (int64_t)w->v->min_free_lo;
	item->n[1] = (int64_t)w->v->min_free_hi;
	if (times >= 2 && f->min >= 0 && f->low >= 0) {
		item->n[0] = f->min - boost;
		item->n[1] = f->low - f->min;
		item->computed = item->n[0] + times * item->n[1];
		verdict(item,
			item->computed == item->reported ? ZL_VERDICT_AGREES : ZL_VERDICT_DIFFERS,
			ZL_REASON_STEP);
	}
}

bool zl_verify_is_limit(enum zl_verify_field f)
{
	return f == ZL_VERIFY_HIGH || f == ZL_VERIFY_HIGH_MIN || f == ZL_VERIFY_HIGH_MAX;
}

/* The value on the machine as it was when limits were computed. */
static int64_t computed_then(struct zl_verifying *w, const struct zl_verify_item *item)
{
	const struct zl_verify *v = w->v;
	int64_t then = item->computed;

	/* A fraction is set on a running system: its limits know all memory that came back. */
	bool later = w->m->high_fraction > 0 && zl_verify_is_limit(item->field);

	if (v->freed_zone != SIZE_MAX && !later) {
		zl_verify_compute(w, zl_verify_trial(w, v->freed_zone, v->managed_lo), item, &then);
	}
	return then;
}

/* Whether the formula gives the value, now or before memory came back to a zone. */
static bool fits(struct zl_verifying *w, struct zl_verify_item *item)
{
	struct zl_verify *v = w->v;

	zl_verify_compute(w, w->m, item, &item->computed);
	/* Whoever reads vm.lowmem_reserve_ratio has protection computed again. */
	if (item->field == ZL_VERIFY_PROTECTION && item->computed == item->reported) {
		verdict(item, ZL_VERDICT_AGREES, ZL_REASON_NONE);
		return true;
	}
	if (computed_then(w, item) != item->reported) {
		return false;
	}
	if (item->computed == item->reported) {
		verdict(item, ZL_VERDICT_AGREES, ZL_REASON_NONE);
		return true;
	}
	uint64_t now = w->work.zones[v->freed_zone].managed;
	item->n[0] = (int64_t)v->managed_lo;
	item->n[1] = (int64_t)v->managed_hi;
	item->n[2] = (int64_t)now;
	item->n[3] = (int64_t)zl_verify_freed_limit(w->m, now);
	item->n[4] = v->managed_alone ? 1 : 0;
	verdict(item, ZL_VERDICT_EXPLAINED, ZL_REASON_FREED_LATER);
	return true;
}

static bool is_six_batches(const struct zl_verifying *w, const struct zl_verify_item *item)
{
	const struct zl_zone_facts *f = &w->work.zones[item->zone];
	int64_t batch = common_value(f, ZL_VERIFY_BATCH);

	return item->field == ZL_VERIFY_HIGH && batch > 0 &&
	       item->reported == OLD_HIGH_BATCHES * batch;
}

/* Rules of kernels before 5.14, where the release is one of them. */
static bool explained_by_era(const struct zl_verifying *w, struct zl_verify_item *item)
{
	if (is_six_batches(w, item)) {
		item->n[0] = item->reported / OLD_HIGH_BATCHES;
		verdict(item, old_kernel(w->m) ? ZL_VERDICT_EXPLAINED : ZL_VERDICT_DIFFERS,
			ZL_REASON_SIX_BATCHES);
		return true;
	}
	return false;
}

static bool is_watermark(enum zl_verify_field f)
{
	return f >= ZL_VERIFY_WMARK_MIN && f <= ZL_VERIFY_WMARK_PROMO;
}

/* A limit that fits once the node has more CPUs than the files show. */
static void explain_cpus(struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_zone *z = zl_verify_zone(w->m, &w->work, item->zone);
	const struct zl_zone_facts *f = &w->work.zones[item->zone];

	if (!w->v->more_cpus || !zl_verify_is_limit(item->field) || z->cpus <= f->nr_pcp ||
		item->computed != item->reported || z->managed == 0) {
		return;
	}
	item->n[0] = f->low - zl_verify_boost(f);
	item->n[1] = z->cpus;
	item->n[2] = (int64_t)f->nr_pcp;
	verdict(item, ZL_VERDICT_EXPLAINED, ZL_REASON_MORE_CPUS);
}

static void judge_zone(struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_zone *z = zl_verify_zone(w->m, &w->work, item->zone);

	if (z == NULL) {
		verdict(item, ZL_VERDICT_INPUT, ZL_REASON_NONE);
		item->computed = item->reported;
		return;
	}
	if (is_watermark(item->field) && !w->watermarks_known && z->managed > 0) {
		judge_step(w, item);
		return;
	}
	if (item->field == ZL_VERIFY_HIGH && !fixed_high(w->m) && z->managed > 0) {
		judge_tuned(w, item);
		explain_cpus(w, item);
		return;
	}
	if (!fits(w, item)) {
		if (!explained_by_era(w, item) && !zl_verify_explain_zone(w, z, item)) {
			verdict(item, ZL_VERDICT_DIFFERS, ZL_REASON_NONE);
		}
		return;
	}
	if (!is_watermark(item->field) && z->managed == 0) {
		verdict(item, ZL_VERDICT_AGREES, ZL_REASON_UNPOPULATED);
	} else if (item->field != ZL_VERIFY_HIGH_MAX) {
		explain_cpus(w, item);
	}
	if (zl_verify_is_limit(item->field) && w->v->fraction > 0 && z->managed > 0 &&
		item->verdict == ZL_VERDICT_AGREES) {
		item->n[0] = (int64_t)w->v->fraction;
		item->n[1] = (int64_t)z->managed;
		item->n[2] = z->cpus;
		verdict(item, ZL_VERDICT_EXPLAINED, ZL_REASON_FRACTION);
	}
}

/* min_free_kbytes that somebody set stays, above or below what boot computed. */
static bool set_by_hand(const struct zl_verifying *w, struct zl_verify_item *item)
{
	const struct zl_setting_value *v = &w->work.settings.value[ZL_SET_MIN_FREE_KBYTES];

	if (item->field != ZL_VERIFY_MIN_FREE || !v->given || v->number != item->reported) {
		return false;
	}
	item->n[0] = v->number;
	verdict(item, ZL_VERDICT_EXPLAINED, ZL_REASON_SET);
	return true;
}

void zl_verify_judge(struct zl_verifying *w)
{
	for (size_t i = 0; i < w->v->nr_items; i++) {
		struct zl_verify_item *item = &w->v->item[i];

		if (item->zone != SIZE_MAX) {
			judge_zone(w, item);
			continue;
		}
		if (item->field == ZL_VERIFY_MIN_FREE && !zl_verify_lowmem_known(w)) {
			item->computed = item->reported;
			verdict(item, ZL_VERDICT_INPUT, ZL_REASON_NONE);
		} else if (!fits(w, item) && !set_by_hand(w, item) &&
			   !zl_verify_explain_thp(w, item)) {
			verdict(item, ZL_VERDICT_DIFFERS, ZL_REASON_NONE);
		}
	}
}
