/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of an estimate over pieces of time, and the figures that follow from them. */
#include <errno.h>
#include <string.h>

#include "estimate_state.h"

#define PERMILLE       1000
#define SATURATED_FROM 950 /* of 1000 */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Bucket of a duration: how many bits its nanoseconds have. */
static unsigned bucket_of(int64_t ps)
{
	uint64_t ns = (uint64_t)ps / PS_PER_NS;
	unsigned b = 0;

	while (ns > 0 && b < ZL_ESTIMATE_BUCKETS - 1) {
		ns >>= 1;
		b++;
	}
	return b;
}

void zl_durations_add(struct zl_durations *d, int64_t ps)
{
	d->n++;
	d->sum_ps += ps;
	d->max_ps = larger(d->max_ps, ps);
	d->histogram[bucket_of(ps)]++;
}

static void durations_join(struct zl_durations *to, const struct zl_durations *d)
{
	to->n += d->n;
	to->sum_ps += d->sum_ps;
	to->max_ps = larger(to->max_ps, d->max_ps);
	for (unsigned i = 0; i < ZL_ESTIMATE_BUCKETS; i++) {
		to->histogram[i] += d->histogram[i];
	}
}

static void slot_join(struct estimate_slot *to, const struct estimate_slot *s)
{
	to->ops += s->ops;
	to->blocks += s->blocks;
	to->pages += s->pages;
	to->free_high += s->free_high;
	to->contended += s->contended;
	to->order_inversions += s->order_inversions;
	for (unsigned i = 0; i < ZL_LOCK_CAUSE_COUNT; i++) {
		to->cause[i] += s->cause[i];
	}
	if (s->longest_hold_pages > to->longest_hold_pages) {
		to->longest_hold_pages = s->longest_hold_pages;
	}
	durations_join(&to->hold, &s->hold);
	durations_join(&to->wait, &s->wait);
	durations_join(&to->refill, &s->refill);
	to->longest_move_ps = larger(to->longest_move_ps, s->longest_move_ps);
	to->held_ps += s->held_ps;
	to->busy_ps += s->busy_ps;
	to->base_ps += s->base_ps;
	to->lost_ps += s->lost_ps;
}

static void lane_widen(struct estimate_lane *l)
{
	const unsigned half = ZL_ESTIMATE_SLOTS / 2;

	for (unsigned i = 0; i < half; i++) {
		l->hold_ps[i] = l->hold_ps[2 * i] + l->hold_ps[2 * i + 1];
		l->wait_ps[i] = l->wait_ps[2 * i] + l->wait_ps[2 * i + 1];
	}
	memset(l->hold_ps + half, 0, half * sizeof(*l->hold_ps));
	memset(l->wait_ps + half, 0, half * sizeof(*l->wait_ps));
}

static void widen(struct zl_estimate *e)
{
	const unsigned half = ZL_ESTIMATE_SLOTS / 2;

	for (unsigned i = 0; i < half; i++) {
		if (i > 0) {
			e->slot[i] = e->slot[2 * i];
		}
		slot_join(&e->slot[i], &e->slot[2 * i + 1]);
	}
	memset(e->slot + half, 0, half * sizeof(*e->slot));
	for (unsigned i = 0; i < e->o.cpus; i++) {
		if (e->cpu[i].lane != NULL) {
			lane_widen(e->cpu[i].lane);
		}
	}
	e->slot_ps *= 2;
}

struct estimate_slot *zl_estimate_slot(struct zl_estimate *e, int64_t at, unsigned *ret_index)
{
	if (e->end > 0 && at >= e->end) {
		return NULL;
	}
	while (at / e->slot_ps >= ZL_ESTIMATE_SLOTS) {
		widen(e);
	}
	*ret_index = (unsigned)(at / e->slot_ps);
	return &e->slot[*ret_index];
}

int zl_estimate_lane_add(struct zl_estimate *e, struct estimate_cpu *c, unsigned index,
	int64_t hold_ps, int64_t wait_ps)
{
	if (c->lane == NULL) {
		c->lane = e->mem->realloc(e->mem->user, NULL, sizeof(*c->lane));
		if (c->lane == NULL) {
			return -ENOMEM;
		}
		memset(c->lane, 0, sizeof(*c->lane));
	}
	c->lane->hold_ps[index] += hold_ps;
	c->lane->wait_ps[index] += wait_ps;
	return 0;
}

static int64_t end_of(const struct zl_estimate *e)
{
	return e->end > 0 && e->latest > e->end ? e->end : e->latest;
}

/* Slots that the run reached. */
static unsigned slots_of(const struct zl_estimate *e)
{
	int64_t end = end_of(e);
	int64_t n = (end + e->slot_ps - 1) / e->slot_ps;

	return n < ZL_ESTIMATE_SLOTS ? (unsigned)n : ZL_ESTIMATE_SLOTS;
}

void zl_estimate_result(const struct zl_estimate *e, struct zl_estimate_result *ret)
{
	unsigned slots = slots_of(e);
	unsigned first = (slots + ESTIMATE_WARM_UP - 1) / ESTIMATE_WARM_UP;
	struct estimate_slot sum;

	memset(&sum, 0, sizeof(sum));
	memset(ret, 0, sizeof(*ret));
	if (slots < ESTIMATE_WARM_UP) {
		first = 0;
	}
	for (unsigned i = first; i < slots; i++) {
		slot_join(&sum, &e->slot[i]);
	}
	ret->timed = e->o.timed;
	ret->end_ps = end_of(e);
	ret->window_ps = ret->end_ps - first * e->slot_ps;
	for (unsigned i = 0; i < e->o.cpus; i++) {
		ret->cpus += e->cpu[i].worked;
	}
	ret->ops = sum.ops;
	ret->blocks = sum.blocks;
	ret->pages = sum.pages;
	ret->free_high = sum.free_high;
	ret->takes = sum.hold.n;
	memcpy(ret->cause, sum.cause, sizeof(ret->cause));
	ret->contended = sum.contended;
	ret->order_inversions = sum.order_inversions;
	ret->longest_hold_pages = sum.longest_hold_pages;
	ret->hold = sum.hold;
	ret->wait = sum.wait;
	ret->refill = sum.refill;
	ret->longest_move_ps = sum.longest_move_ps;
	ret->held_ps = sum.held_ps;
	ret->busy_ps = sum.busy_ps;
	ret->base_ps = sum.base_ps;
	ret->lost_ps = sum.lost_ps;
}

bool zl_estimate_lane(const struct zl_estimate *e, unsigned cpu, struct zl_estimate_lane *ret)
{
	if (cpu >= e->o.cpus || e->cpu[cpu].lane == NULL) {
		return false;
	}
	ret->cpu = cpu;
	ret->slots = slots_of(e);
	ret->slot_ps = e->slot_ps;
	ret->hold_ps = e->cpu[cpu].lane->hold_ps;
	ret->wait_ps = e->cpu[cpu].lane->wait_ps;
	return true;
}

/* @a of @b in 1/1000. Divides first where the product would not fit. */
static unsigned permille(int64_t a, int64_t b)
{
	const int64_t most = INT64_MAX / PERMILLE / 2;

	while (a > most || b > most) {
		a /= 2;
		b /= 2;
	}
	return b > 0 ? (unsigned)((a * PERMILLE + b / 2) / b) : 0;
}

unsigned zl_estimate_held(const struct zl_estimate_result *r)
{
	return permille(r->held_ps, r->window_ps);
}

unsigned zl_estimate_contended(const struct zl_estimate_result *r)
{
	return permille((int64_t)r->contended, (int64_t)r->takes);
}

unsigned zl_estimate_throughput(const struct zl_estimate_result *r)
{
	if (r->timed && r->free_lock_end_ps > 0) {
		return permille(r->free_lock_end_ps, r->end_ps);
	}
	if (r->timed) {
		return permille((int64_t)r->blocks, (int64_t)r->free_lock_blocks);
	}
	return permille(r->base_ps, r->base_ps + r->lost_ps);
}

enum zl_saturated zl_estimate_saturated(const struct zl_estimate_result *r)
{
	if (permille(r->busy_ps, r->window_ps) >= SATURATED_FROM) {
		return ZL_SATURATED_LOCK;
	}
	if (r->links > 0 &&
		permille(r->link_ps / (int64_t)r->links, r->window_ps) >= SATURATED_FROM) {
		return ZL_SATURATED_LINK;
	}
	return ZL_SATURATED_WORK;
}

const char *zl_saturated_name(enum zl_saturated s)
{
	static const char *const names[ZL_SATURATED_COUNT] = {"work", "lock", "link"};

	return s < ZL_SATURATED_COUNT ? names[s] : "?";
}

int64_t zl_durations_mean_ns(const struct zl_durations *d)
{
	int64_t n = (int64_t)d->n * PS_PER_NS;

	return n > 0 ? (d->sum_ps + n / 2) / n : 0;
}

int64_t zl_durations_max_ns(const struct zl_durations *d)
{
	return d->max_ps / PS_PER_NS;
}
