/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of metrics: names, and how each is read from a sim. */
#include "zonelab/metrics.h"

#include <string.h>

#include "metrics_read.h"
#include "zonelab/text.h"

enum metric_type {
	TYPE_U64,
	TYPE_I64,
	TYPE_U32,
	TYPE_I32,
	TYPE_BOOL,
	TYPE_HIGH_LIMIT,
	TYPE_ORDER,
	TYPE_LARGEST,
	TYPE_FIRST_FLUSH,
	TYPE_LONGEST_HOLD,
	TYPE_IS_ALLOC,
	TYPE_IS_FREE,
	TYPE_IS_TICK,
	TYPE_ORDER_OF_OP,
	TYPE_CPUS,
	TYPE_DESIGN,
	TYPE_PAGE_SIZE,
	TYPE_PAGEBLOCK,
	TYPE_SCALE,
	TYPE_MANAGED,
	TYPE_PAGES,
	TYPE_FREE,
	TYPE_PINNED,
	TYPE_UNMOVABLE,
	TYPE_MOVABLE,
	TYPE_RECLAIMABLE,
};

struct metric {
	struct zl_metric_info info;
	enum metric_type type;
	size_t offset;
};

/* clang-format off */
static const struct metric metrics[] = {
#define ZL_METRIC(name, kind, type, from, member, unit, help) \
	{{name, ZL_METRIC_##kind, unit, help}, TYPE_##type, offsetof(struct from, member)},
#include "metrics_table.h"
#undef ZL_METRIC
};
/* clang-format on */

#define NR_METRICS (sizeof(metrics) / sizeof(metrics[0]))

size_t zl_metric_count(void)
{
	return NR_METRICS;
}

const struct zl_metric_info *zl_metric_info(size_t i)
{
	return i < NR_METRICS ? &metrics[i].info : NULL;
}

size_t zl_metric_find(const char *name)
{
	for (size_t i = 0; i < NR_METRICS; i++) {
		if (strcmp(metrics[i].info.name, name) == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}

bool zl_metric_zero_is_never(const char *name)
{
	size_t i = zl_metric_find(name);

	return i != SIZE_MAX && metrics[i].type == TYPE_FIRST_FLUSH;
}

const char *zl_metric_nearest(const char *name)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (size_t i = 0; i < NR_METRICS; i++) {
		zl_nearest_try(&near, metrics[i].info.name);
	}
	return near.name;
}

bool zl_metric_longest_hold(size_t i)
{
	return metrics[i].type == TYPE_LONGEST_HOLD;
}

bool zl_metric_first_flush(size_t i)
{
	return metrics[i].type == TYPE_FIRST_FLUSH;
}

static int64_t member(const void *from, const struct metric *m)
{
	const char *p = (const char *)from + m->offset;
	uint64_t u64;
	uint32_t u32;
	int32_t i32;
	bool flag;

	switch ((unsigned)m->type) {
	case TYPE_U64:
	case TYPE_I64:
		memcpy(&u64, p, sizeof(u64));
		return (int64_t)u64;
	case TYPE_U32:
		memcpy(&u32, p, sizeof(u32));
		return u32;
	case TYPE_BOOL:
		memcpy(&flag, p, sizeof(flag));
		return flag;
	default:
		memcpy(&i32, p, sizeof(i32));
		return i32;
	}
}

static int64_t pageset_member(const struct zl_sim *sim, const struct metric *m, int32_t cpu)
{
	struct zl_pageset_view v;

	zl_sim_pageset(sim, cpu >= 0 ? (unsigned)cpu : zl_sim_cpu(sim), &v);
	if (m->type == TYPE_HIGH_LIMIT && !v.tuned) {
		return v.high;
	}
	return member(&v, m);
}

static int64_t free_blocks(const struct zl_sim *sim, unsigned order)
{
	uint64_t n = 0;

	for (unsigned mt = 0; mt < ZL_MIGRATE_COUNT; mt++) {
		if (zl_sim_has_type(sim, (enum zl_migratetype)mt)) {
			n += zl_sim_free_blocks(sim, order, (enum zl_migratetype)mt);
		}
	}
	return (int64_t)n;
}

static int64_t largest_free(const struct zl_sim *sim)
{
	int order = (int)zl_sim_config(sim)->max_order;

	while (order >= 0 && free_blocks(sim, (unsigned)order) == 0) {
		order--;
	}
	return order;
}

static bool pageblock_is(const struct zl_pageblock_view *v, enum metric_type type)
{
	switch ((unsigned)type) {
	case TYPE_FREE:
		return v->free == v->pages;
	case TYPE_PINNED:
		return v->used_other > 0;
	case TYPE_UNMOVABLE:
		return v->type == ZL_MIGRATE_UNMOVABLE;
	case TYPE_MOVABLE:
		return v->type == ZL_MIGRATE_MOVABLE;
	default:
		return v->type == ZL_MIGRATE_RECLAIMABLE;
	}
}

static int64_t count_pageblocks(const struct zl_sim *sim, enum metric_type type)
{
	uint64_t blocks = zl_sim_pageblocks(sim);
	int64_t n = 0;

	for (uint64_t i = 0; i < blocks; i++) {
		struct zl_pageblock_view v;

		zl_sim_pageblock(sim, i, &v);
		n += pageblock_is(&v, type) ? 1 : 0;
	}
	return n;
}

static int64_t config_member(const struct zl_sim_config *c, enum metric_type type)
{
	switch ((unsigned)type) {
	case TYPE_CPUS:
		return c->cpus;
	case TYPE_DESIGN:
		return c->switches.design;
	case TYPE_PAGE_SIZE:
		return INT64_C(1) << c->page_shift;
	case TYPE_PAGEBLOCK:
		return INT64_C(1) << c->pageblock_order;
	case TYPE_SCALE:
		return c->scale_max;
	case TYPE_MANAGED:
		return (int64_t)c->managed;
	default:
		return (int64_t)c->pages;
	}
}

static int64_t special(const struct zl_record *r, const struct metric *m)
{
	unsigned kind = r->op.kind;

	switch ((unsigned)m->type) {
	case TYPE_IS_ALLOC:
		return kind == ZL_OP_ALLOC || kind == ZL_OP_ALLOCHA || kind == ZL_OP_BULK;
	case TYPE_IS_FREE:
		return kind == ZL_OP_FREE;
	case TYPE_IS_TICK:
		return kind == ZL_OP_TICK;
	case TYPE_LONGEST_HOLD:
		return r->longest_hold;
	default:
		return r->op.order;
	}
}

int64_t zl_metric_read(
	const struct zl_sim *sim, const struct zl_totals *before, size_t i, int32_t index)
{
	const struct metric *m = &metrics[i];
	struct zl_totals totals;
	struct zl_zone_view zone;
	struct zl_record record;

	switch (m->info.kind) {
	case ZL_METRIC_TOTAL:
		zl_sim_totals(sim, &totals);
		return member(&totals, m) - member(before, m);
	case ZL_METRIC_PCP:
		return pageset_member(sim, m, index);
	case ZL_METRIC_ZONE:
		zl_sim_zone(sim, &zone);
		return member(&zone, m);
	case ZL_METRIC_BUDDY:
		return free_blocks(sim, (unsigned)index);
	case ZL_METRIC_PAGEBLOCK:
		return count_pageblocks(sim, m->type);
	case ZL_METRIC_CONFIG:
		return config_member(zl_sim_config(sim), m->type);
	case ZL_METRIC_OP:
		zl_sim_record(sim, &record);
		return member(&record, m);
	case ZL_METRIC_SYSTEM:
		return 0;
	case ZL_METRIC_SPECIAL:
		break;
	}
	if (m->type == TYPE_LARGEST) {
		return largest_free(sim);
	}
	zl_sim_record(sim, &record);
	return special(&record, m);
}

/* What zones have one by one adds up. */
static int64_t sum_of_zones(const struct zl_system *s, size_t i, int32_t index)
{
	static const struct zl_totals none;
	int64_t sum = 0;

	for (unsigned z = 0; z < zl_system_zones(s); z++) {
		sum += zl_metric_read(zl_system_zone(s, z), &none, i, index);
	}
	return sum;
}

static int64_t largest_of_zones(const struct zl_system *s)
{
	int64_t most = -1;

	for (unsigned z = 0; z < zl_system_zones(s); z++) {
		int64_t v = largest_free(zl_system_zone(s, z));

		most = v > most ? v : most;
	}
	return most;
}

static int64_t total_of_system(const struct zl_system *s, const struct metric *m)
{
	struct zl_system_totals t;

	zl_system_totals(s, &t);
	return m->info.kind == ZL_METRIC_SYSTEM ? member(&t, m) : member(&t.t, m);
}

int64_t zl_metric_read_system(const struct zl_system *s, size_t i, int32_t index)
{
	static const struct zl_totals none;
	const struct metric *m = &metrics[i];
	struct zl_system_record r;
	bool sums = m->type == TYPE_MANAGED || m->type == TYPE_PAGES;

	switch (m->info.kind) {
	case ZL_METRIC_SYSTEM:
		return total_of_system(s, m);
	case ZL_METRIC_TOTAL:
	case ZL_METRIC_ZONE:
	case ZL_METRIC_CONFIG:
		if (index >= 0) {
			return zl_metric_read(zl_system_zone(s, (unsigned)index), &none, i, -1);
		}
		if (m->info.kind == ZL_METRIC_TOTAL) {
			return total_of_system(s, m);
		}
		return m->info.kind == ZL_METRIC_ZONE || sums
			       ? sum_of_zones(s, i, -1)
			       : zl_metric_read(zl_system_zone(s, 0), &none, i, -1);
	case ZL_METRIC_BUDDY:
	case ZL_METRIC_PAGEBLOCK:
		return sum_of_zones(s, i, index);
	case ZL_METRIC_PCP:
	case ZL_METRIC_OP:
	case ZL_METRIC_SPECIAL:
		break;
	}
	if (m->type == TYPE_LARGEST) {
		return largest_of_zones(s);
	}
	zl_system_record(s, &r);
	if (m->info.kind == ZL_METRIC_PCP) {
		return pageset_member(zl_system_zone(s, r.zone), m, index);
	}
	return m->info.kind == ZL_METRIC_OP ? member(&r.r, m) : special(&r.r, m);
}

int64_t zl_metric_now(const struct zl_sim *sim, size_t i)
{
	static const struct zl_totals none;
	struct zl_totals totals;

	if (zl_metric_longest_hold(i)) {
		zl_sim_totals(sim, &totals);
		return (int64_t)totals.longest_hold_pages;
	}
	if (metrics[i].info.kind == ZL_METRIC_SPECIAL && metrics[i].type != TYPE_LARGEST) {
		return 0;
	}
	return zl_metric_read(sim, &none, i, 0);
}
