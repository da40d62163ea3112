/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene.h"

#include <errno.h>
#include <string.h>

#include "timeline_private.h"

#define EIGHTHS_FULL 8u

void scene_done(struct scene *s, const struct zl_allocator *mem)
{
	mem->free(mem->user, s->counts);
	mem->free(mem->user, s->highs);
	s->counts = NULL;
	s->highs = NULL;
	s->nr_cpus = 0;
	s->max_cpus = 0;
}

/* ---- the verdict ---- */

static int64_t blocks_of(const struct zl_pageset_view *p)
{
	int64_t n = 0;

	for (unsigned i = 0; i < p->nr_lists; i++) {
		n += p->lists[i];
	}
	return n;
}

/* Frees of one order until one fires: the counter is compared before the block is added. */
static int64_t frees_left(const struct zl_pageset_view *p, const struct scene_verdict *v)
{
	int64_t size = INT64_C(1) << v->order;
	int64_t need = (int64_t)p->threshold - p->free_count;
	int64_t n = need <= 0 ? 1 : (need + size - 1) / size + 1;

	if (v->never) {
		return 0;
	}
	return n == 1 && !v->term[1] ? 2 : n;
}

/* A: the counter is a shift that the first overflow sets; then every free flushes. */
static void judge_factor(const struct zl_pageset_view *p, struct scene_verdict *v)
{
	int64_t size = INT64_C(1) << v->order;

	v->term[0] = p->free_factor > 0;
	v->term[1] = true;
	v->term[2] = true;
	v->fires = v->term[0];
	v->flush_pages = p->count + size;
	v->flush_blocks = blocks_of(p) + 1;
	v->frees_left = v->fires ? 1 : 0;
}

/* What the expression says about a free now; its terms are those of the release where it has them. */
static void judge_policy(
	const struct zl_pageset_view *p, const struct zl_sim_config *c, struct scene_verdict *v)
{
	int64_t slots[ZL_POLICY_NAMES] = {0};
	int64_t holds = 0;

	slots[ZL_NAME_ORDER] = v->order;
	slots[ZL_NAME_COUNT] = p->count + (INT64_C(1) << v->order);
	slots[ZL_NAME_HIGH] = p->high;
	slots[ZL_NAME_HIGH_MIN] = p->tuned ? p->high_min : p->high;
	slots[ZL_NAME_HIGH_MAX] = p->tuned ? p->high_max : p->high;
	slots[ZL_NAME_BATCH] = slots[ZL_NAME_LOCAL_BATCH] = p->batch;
	slots[ZL_NAME_FREE_COUNT] = p->free_count;
	slots[ZL_NAME_FREE_FACTOR] = p->free_factor;
	slots[ZL_NAME_ALLOC_FACTOR] = p->alloc_factor;
	slots[ZL_NAME_FLAGS] = (p->prev_free_high_order ? 1 : 0) | (p->free_high_batch ? 2 : 0);
	slots[ZL_NAME_EXPIRE] = p->expire;
	slots[ZL_NAME_SCALE_MAX] = c->scale_max;
	(void)zl_policy_eval(c->policies, ZL_POINT_FREE_HIGH, slots, &holds, NULL);
	v->fires = holds != 0;
	if (v->fires) {
		v->frees_left = 1;
	} else if (v->no_threshold) {
		v->frees_left = 0;
	}
}

void scene_judge(const struct zl_pageset_view *p, const struct zl_sim_config *c, unsigned order,
	struct scene_verdict *ret)
{
	int64_t size = INT64_C(1) << order;
	struct zl_pcp_limits limits = {.batch = (unsigned)p->batch,
		.high_min = (uint64_t)(p->tuned ? p->high_min : p->high),
		.high_max = (uint64_t)(p->tuned ? p->high_max : p->high)};
	struct zl_free_high f;

	/* The figures before an op may be from a time when there was a policy. */
	const bool by_policy = p->by_policy && zl_policy_has(c->policies, ZL_POINT_FREE_HIGH);
	const struct zl_free_high_in in = {
		&c->switches, &limits, c->scale_max, p->free_high_batch, c->policies};

	memset(ret, 0, sizeof(*ret));
	zl_free_high_under(&in, &f);
	ret->exists = (p->threshold_exists || by_policy) && f.exists;
	ret->by_policy = by_policy;
	ret->no_threshold = by_policy && !p->threshold_exists;
	ret->ceiling = f.has_ceiling;
	ret->order = order;
	ret->never = ret->exists && !zl_free_high_can_fire(&f);
	if (!ret->exists) {
		return;
	}
	if (!p->tuned) {
		judge_factor(p, ret);
		if (by_policy) {
			judge_policy(p, c, ret);
		}
		return;
	}
	ret->term[0] = p->free_count >= p->threshold;
	ret->term[1] = p->prev_free_high_order;
	ret->term[2] = !p->free_high_batch || p->count + size >= p->batch;
	ret->fires = ret->term[0] && ret->term[1] && ret->term[2];
	if (by_policy) {
		judge_policy(p, c, ret);
	}
	ret->flush_pages = p->count + size < p->ceiling ? p->count + size : p->ceiling;
	ret->flush_blocks = p->count + size <= p->ceiling ? blocks_of(p) + 1 : -1;
	ret->frees_left = frees_left(p, ret);
}

/* The order of the free to look at: the next op's if it is one, else what the CPU frees. */
static unsigned order_of_interest(const struct scene *s)
{
	const struct zl_record *n = &s->next;

	if (s->has_next && n->op.kind == ZL_OP_FREE && n->cpu == s->cpu && n->order >= 1 &&
		n->order <= ZL_COSTLY_ORDER) {
		return n->order;
	}
	for (unsigned i = s->nr_past; i > 0; i--) {
		const struct zl_record *r = &s->past[i - 1];
		if (r->op.kind == ZL_OP_FREE && r->cpu == s->cpu && r->order >= 1 &&
			r->order <= ZL_COSTLY_ORDER) {
			return r->order;
		}
	}
	return ZL_COSTLY_ORDER;
}

bool scene_flushed(const struct scene *s)
{
	return s->record.free_high && s->record.cpu == s->cpu;
}

/* ---- filling ---- */

static void fill_buddy(const struct zl_sim *sim, uint64_t to[SCENE_ORDERS][ZL_MIGRATE_COUNT])
{
	for (unsigned o = 0; o < SCENE_ORDERS; o++) {
		for (unsigned m = 0; m < ZL_MIGRATE_COUNT; m++) {
			to[o][m] = zl_sim_free_blocks(sim, o, (enum zl_migratetype)m);
		}
	}
}

static void look_before(struct scene *s, const struct zl_sim *sim)
{
	zl_sim_pageset(sim, s->cpu < zl_sim_cpus(sim) ? s->cpu : 0, &s->before);
	zl_sim_zone(sim, &s->zone_before);
	fill_buddy(sim, s->buddy_before);
}

/* The records of the ops up to the present one, and the state before that. */
static int fill_past(struct scene *s, struct timeline *t)
{
	uint64_t first = t->at > SCENE_PAST ? t->at - SCENE_PAST : 0;
	struct zl_sim *sim = NULL;
	struct zl_op op;
	int rc = timeline_state(t, first, &sim);

	s->nr_past = 0;
	if (rc < 0) {
		return rc;
	}
	look_before(s, sim);
	for (uint64_t i = first; i < t->at && rc == 0; i++) {
		const struct timeline_keyframe *k = &t->key[timeline_key_before(t, i)];
		if (k->pinned && k->op == i && i > first) {
			zl_sim_free(sim);
			sim = NULL;
			rc = timeline_state(t, i, &sim);
		}
		if (rc == 0) {
			if (i + 1 == t->at) {
				look_before(s, sim);
			}
			oplog_read(&t->log, i, 1, &op);
			rc = zl_sim_apply(sim, &op);
		}
		if (rc == 0) {
			zl_sim_record(sim, &s->past[s->nr_past]);
			s->past[s->nr_past++].index = i + 1;
		}
	}
	zl_sim_free(sim);
	return rc;
}

/* What the next op would do, tried on a copy. */
static int fill_next(struct scene *s, struct timeline *t)
{
	struct zl_sim *sim = NULL;
	struct zl_op op;

	s->has_next = false;
	memset(&s->next, 0, sizeof(s->next));
	if (!timeline_has(t, t->at + 1)) {
		return 0;
	}
	timeline_op(t, t->at + 1, &op);
	int rc = zl_sim_clone(t->sim, &sim);
	rc = rc < 0 ? rc : zl_sim_apply(sim, &op);
	if (rc == 0) {
		zl_sim_record(sim, &s->next);
		s->next.index = t->at + 1;
		s->has_next = true;
	}
	zl_sim_free(sim);
	return rc == -ENOMEM ? rc : 0; /* one that is refused does nothing */
}

static int fill_cpus(struct scene *s, const struct zl_sim *sim, const struct zl_allocator *mem)
{
	unsigned n = zl_sim_cpus(sim);

	if (n > s->max_cpus) {
		int32_t *counts = mem->realloc(mem->user, s->counts, n * sizeof(*counts));
		s->counts = counts != NULL ? counts : s->counts;
		int32_t *highs = mem->realloc(mem->user, s->highs, n * sizeof(*highs));
		s->highs = highs != NULL ? highs : s->highs;
		if (counts == NULL || highs == NULL) {
			s->nr_cpus = 0;
			return -ENOMEM;
		}
		s->max_cpus = n;
	}
	s->nr_cpus = n;
	for (unsigned i = 0; i < n; i++) {
		struct zl_pageset_view v;
		zl_sim_pageset(sim, i, &v);
		s->counts[i] = v.count;
		s->highs[i] = scene_full(&v);
	}
	return 0;
}

int32_t scene_limit(const struct zl_pageset_view *p)
{
	if (!p->tuned || (p->high >= p->high_min && p->high <= p->high_max)) {
		return p->high;
	}
	return p->high < p->high_min ? p->high_min : p->high_max;
}

int32_t scene_full(const struct zl_pageset_view *p)
{
	return p->high > 0 ? p->high : scene_limit(p);
}

int64_t scene_drain_from(
	const struct zl_pageset_view *p, const struct zl_zone_view *z, unsigned order)
{
	const int64_t high = scene_limit(p), low = p->tuned ? p->high_min : high;
	int64_t freed = p->free_count + (p->free_count < p->ceiling ? INT64_C(1) << order : 0);

	if (z->reclaim && high > 0) {
		const int64_t least = INT64_C(4) * p->batch;

		freed = freed > p->batch ? freed : p->batch;
		freed = p->tuned && high - freed > low ? high - freed : low;
		return freed < least ? freed : least;
	}
	return z->below_high && p->tuned && low < p->high_max ? low : high;
}

static void fill_present(struct scene *s, const struct zl_sim *sim)
{
	struct zl_pcp_limits limits;

	s->config = *zl_sim_config(sim);
	s->cpu = s->cpu < zl_sim_cpus(sim) ? s->cpu : 0;
	zl_sim_pageset(sim, s->cpu, &s->pageset);
	zl_sim_zone(sim, &s->zone);
	fill_buddy(sim, s->buddy);
	for (unsigned m = 0; m < ZL_MIGRATE_COUNT; m++) {
		s->has_type[m] = zl_sim_has_type(sim, (enum zl_migratetype)m);
	}
	for (unsigned i = 0; i < s->pageset.nr_lists; i++) {
		unsigned order = 0;
		enum zl_migratetype mt = ZL_MIGRATE_UNMOVABLE;
		zl_sim_list_kind(sim, i, &order, &mt);
		s->list_order[i] = (uint8_t)order;
		s->list_mt[i] = (uint8_t)mt;
	}
	limits = (struct zl_pcp_limits){.batch = (unsigned)s->pageset.batch,
		.high_min = (uint64_t)(s->pageset.tuned ? s->pageset.high_min : s->pageset.high),
		.high_max = (uint64_t)(s->pageset.tuned ? s->pageset.high_max : s->pageset.high)};
	const struct zl_free_high_in in = {&s->config.switches, &limits, s->config.scale_max,
		s->pageset.free_high_batch, s->config.policies};
	zl_free_high_under(&in, &s->limits);
	s->pageblocks = zl_sim_pageblocks(sim);
	zl_sim_totals(sim, &s->totals);
}

int scene_fill(struct scene *s, struct timeline *t, unsigned cpu, const struct zl_allocator *mem)
{
	s->cpu = cpu;
	fill_present(s, t->sim);
	int rc = fill_cpus(s, t->sim, mem);
	int past = fill_past(s, t);
	int next = fill_next(s, t);

	zl_sim_record(t->sim, &s->record);
	s->record.index = t->at;
	if (s->nr_past > 0) {
		s->record = s->past[s->nr_past - 1];
	}
	s->at = t->at;
	s->total = timeline_total(t);
	s->complete = t->complete;
	unsigned order = order_of_interest(s);
	scene_judge(&s->pageset, &s->config, order, &s->verdict);
	scene_judge(&s->before, &s->config, order, &s->was);
	if (rc < 0 || past < 0 || next < 0) {
		return -ENOMEM;
	}
	return 0;
}

void scene_fill_map(struct scene *s, const struct timeline *t, unsigned cells)
{
	unsigned most = cells < SCENE_BLOCKS ? cells : SCENE_BLOCKS;

	s->nr_blocks = 0;
	if (most == 0) {
		return;
	}
	s->block_step = (s->pageblocks + most - 1) / most;
	for (uint64_t b = 0; b < s->pageblocks && s->nr_blocks < most; b += s->block_step) {
		struct zl_pageblock_view v;
		zl_sim_pageblock(t->sim, b, &v);
		uint32_t full = v.pages - v.free;
		s->block[s->nr_blocks++] = (struct scene_block){.type = (uint8_t)v.type,
			.filled = (uint8_t)(v.pages > 0
						    ? (full * EIGHTHS_FULL + v.pages - 1) / v.pages
						    : 0)};
	}
}

void scene_hide_future(struct scene *s)
{
	s->has_next = false;
	memset(&s->next, 0, sizeof(s->next));
	s->verdict = (struct scene_verdict){.hidden = true, .order = s->verdict.order};
}
