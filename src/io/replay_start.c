/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zone as it was before the trace, as ops: pages that are in use and stay so, blocks that the
 * trace will free, blocks on pagesets.
 */
#include <errno.h>

#include "replay_private.h"
#include "zonelab/tuning.h"

#define OPS_START  256u
#define HIGH_ABOVE (UINT32_C(1) << 30) /* no pageset drains while it is filled */
#define LOW_ORDERS (ZL_COSTLY_ORDER + 1)

static void add(struct zl_replay *p, struct zl_op op)
{
	if (p->nr_start == p->max_start) {
		size_t max = p->max_start == 0 ? OPS_START : p->max_start * 2;
		struct zl_op *ops = p->mem->realloc(p->mem->user, p->start, max * sizeof(*ops));

		if (ops == NULL) {
			p->f.failed = -ENOMEM;
			return;
		}
		p->start = ops;
		p->max_start = max;
	}
	p->start[p->nr_start++] = op;
}

static void on_cpu(struct zl_replay *p, uint32_t cpu)
{
	if (p->f.cpu_now != cpu) {
		add(p, (struct zl_op){.kind = ZL_OP_CPU, .arg = cpu});
		p->f.cpu_now = cpu;
	}
}

static void set(struct zl_replay *p, enum zl_sim_key key, uint32_t value)
{
	add(p, (struct zl_op){.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = value});
}

static void take(struct zl_replay *p, unsigned order, unsigned mt)
{
	add(p, (struct zl_op){.kind = ZL_OP_ALLOC,
		       .order = (uint8_t)order,
		       .mt = (uint8_t)mt,
		       .id = p->f.next_id++});
}

static uint64_t list_pages(const struct zl_replay *p, uint32_t cpu)
{
	const struct start_list *l = &p->list[(size_t)cpu * FOLLOW_LISTS];
	uint64_t pages = 0;
	unsigned order, mt;

	for (unsigned i = 0; i < p->f.nr_lists; i++) {
		follow_list_kind(&p->f, i, &order, &mt);
		pages += (uint64_t)l[i].blocks << order;
	}
	return pages;
}

/* A list that the trace does not tell all of; the plain ones first. */
static unsigned unknown_list(const struct zl_replay *p, uint32_t cpu)
{
	static const uint8_t first[] = {ZL_MIGRATE_MOVABLE, ZL_MIGRATE_UNMOVABLE};
	const struct start_list *l = &p->list[(size_t)cpu * FOLLOW_LISTS];

	for (unsigned i = 0; i < sizeof(first); i++) {
		if (!l[first[i]].exact) {
			return first[i];
		}
	}
	for (unsigned i = 0; i < p->f.nr_lists; i++) {
		if (!l[i].exact) {
			return i;
		}
	}
	return FOLLOW_LISTS;
}

/* What was counted beyond the blocks that showed lies on lists that did not. */
static void fill_up(struct zl_replay *p, uint32_t cpu, const struct zl_observed_pcp *seen)
{
	int64_t pages = (int64_t)list_pages(p, cpu);
	int64_t want = seen != NULL && seen->count >= 0 ? seen->count : pages;
	unsigned list = unknown_list(p, cpu);
	unsigned order, mt;

	p->f.demand.parked_shown += seen != NULL && seen->count > 0 ? (uint64_t)seen->count : 0;
	want = want < pages ? pages : want;
	if (p->where.parked == ZL_PARKED_DRAIN && p->where.parked_more != NULL) {
		want += p->where.parked_more[cpu];
	} else if (p->where.parked == ZL_PARKED_SHOWN) {
		want = pages;
	}
	if (want > pages && list < FOLLOW_LISTS) {
		follow_list_kind(&p->f, list, &order, &mt);
		p->list[(size_t)cpu * FOLLOW_LISTS + list].blocks +=
			(uint32_t)((want - pages) >> order);
	}
}

static const struct zl_observed_pcp *seen_of(const struct zl_replay *p, uint32_t cpu)
{
	for (size_t i = 0; i < p->where.nr_pcp; i++) {
		if (p->where.pcp[i].cpu == cpu) {
			return &p->where.pcp[i];
		}
	}
	return NULL;
}

/* Pages that are in use all the time, in blocks that no pageset has. */
static void hold(struct zl_replay *p, uint64_t pages)
{
	for (unsigned order = p->where.config.max_order; order >= LOW_ORDERS; order--) {
		if (order == p->f.thp_order) {
			continue;
		}
		for (; pages >> order > 0; pages -= UINT64_C(1) << order) {
			take(p, order, ZL_MIGRATE_MOVABLE);
		}
	}
}

/* Frees of blocks of one list; a flush is not wanted here. */
static uint32_t give(struct zl_replay *p, uint32_t id, uint32_t blocks, bool plain)
{
	for (uint32_t i = 0; i < blocks; i++) {
		if (!plain) {
			set(p, ZL_SIM_FREE_COUNT, 0);
		}
		add(p, (struct zl_op){.kind = ZL_OP_FREE, .id = id});
		id++;
	}
	return id;
}

static void fill_pageset(struct zl_replay *p, uint32_t cpu)
{
	const struct start_list *l = &p->list[(size_t)cpu * FOLLOW_LISTS];
	const struct zl_observed_pcp *seen = seen_of(p, cpu);
	uint32_t first = p->f.next_id, id = first;
	unsigned order, mt;

	on_cpu(p, cpu);
	for (unsigned i = p->f.nr_lists; i-- > 0;) {
		follow_list_kind(&p->f, i, &order, &mt);
		for (uint32_t n = 0; n < l[i].blocks; n++) {
			take(p, order, mt);
		}
	}
	add(p, (struct zl_op){.kind = ZL_OP_DRAIN});
	set(p, ZL_SIM_HIGH, HIGH_ABOVE);
	for (unsigned i = p->f.nr_lists; i-- > 0;) {
		id = give(p, id, l[i].blocks, i < ZL_MIGRATE_PCPTYPES);
	}
	set(p, ZL_SIM_FREE_COUNT, 0);
	set(p, ZL_SIM_ALLOC_FACTOR, 0);
	set(p, ZL_SIM_HIGH, seen != NULL && seen->high > 0 ? (uint32_t)seen->high : 0);
	p->f.next_id = first;
}

/* The most that a pageset of this zone holds: high_max, or high where that is above it. */
static uint64_t most_parked(const struct zl_sim_config *c)
{
	const struct zl_pcp_in in = {.design = c->switches.design,
		.mmu = c->mmu,
		.page_shift = c->page_shift,
		.managed = c->managed,
		.low_wmark = c->wmark_low,
		.fraction = c->high_fraction,
		.cpus = c->cpus,
		.batch = c->batch >= 0 ? (unsigned)c->batch : 0,
		.policies = c->policies};
	struct zl_pcp_limits l;

	zl_pcp_limits(&in, &l);
	l.high_max = c->high_max >= 0 ? (uint64_t)c->high_max : l.high_max;
	return l.high_max > l.high_min ? l.high_max : l.high_min;
}

/*
 * Without any event of a refill more may seem to come from a pageset than it can hold. Then
 * refills were not recorded, and what was on its lists cannot be counted back.
 */
static void drop_impossible(struct zl_replay *p, uint32_t cpu)
{
	struct start_list *l = &p->list[(size_t)cpu * FOLLOW_LISTS];

	if (p->r->events[ZL_TRACED_TAKE] + p->r->events[ZL_TRACED_REFILL] > 0 ||
		list_pages(p, cpu) <= most_parked(&p->where.config)) {
		return;
	}
	p->f.demand.unrecorded += list_pages(p, cpu);
	for (unsigned i = 0; i < FOLLOW_LISTS; i++) {
		l[i].blocks = 0;
		l[i].exact = false;
	}
}

int replay_start_ops(struct zl_replay *p)
{
	const struct zl_sim_config *c = &p->where.config;
	uint64_t parked = 0, before = 0;

	for (uint32_t i = 0; i < p->f.nr_cpus && i < c->cpus; i++) {
		drop_impossible(p, i);
		p->f.demand.parked_known += list_pages(p, i);
		fill_up(p, i, seen_of(p, i));
		parked += list_pages(p, i);
	}
	for (uint32_t i = 0; i < p->f.nr_before; i++) {
		before += UINT64_C(1) << p->f.before[i].order;
	}
	if (p->where.free >= 0 && c->pages > (uint64_t)p->where.free + parked + before) {
		hold(p, c->pages - (uint64_t)p->where.free - parked - before);
	}
	p->f.before_base = p->f.next_id;
	for (uint32_t i = 0; i < p->f.nr_before; i++) {
		take(p, p->f.before[i].order, p->f.before[i].mt);
	}
	for (uint32_t i = 0; i < p->f.nr_cpus && i < c->cpus; i++) {
		if (list_pages(p, i) > 0 || seen_of(p, i) != NULL || i == 0) {
			fill_pageset(p, i);
		}
	}
	return p->f.failed;
}
