/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making, driving and looking at several zones. */
#include "zonelab/system.h"

#include <errno.h>
#include <string.h>

#include "ops.h"
#include "system_state.h"
#include "zonelab/text.h"

#define SCALE_FACTOR_DEFAULT 10

void zl_system_config_init(struct zl_system_config *c)
{
	memset(c, 0, sizeof(*c));
	c->nodes = 1;
	c->cpus = 1;
	c->node_cpus[0] = 1;
	c->watermarks = true;
	c->scale_factor = SCALE_FACTOR_DEFAULT;
}

void zl_system_split_cpus(struct zl_system_config *c)
{
	unsigned next = 0;

	for (unsigned n = 0; n < c->nodes; n++) {
		c->first_cpu[n] = next;
		c->node_cpus[n] = c->cpus / c->nodes + (n < c->cpus % c->nodes ? 1 : 0);
		next += c->node_cpus[n];
	}
}

static bool zone_precedes(const struct zl_system_zone *a, const struct zl_system_zone *b)
{
	return a->node < b->node || (a->node == b->node && a->type < b->type);
}

static int shape_check(const struct zl_system_config *c, struct zl_error *err)
{
	unsigned cpus = 0;

	if (c->nodes < 1 || c->nodes > ZL_SYSTEM_NODES_MAX) {
		zl_error_set(err, 0, 0, "%u nodes are impossible; 1 to %d", c->nodes,
			ZL_SYSTEM_NODES_MAX);
		return -EINVAL;
	}
	if (c->nr_zones < 1 || c->nr_zones > ZL_SYSTEM_ZONES_MAX) {
		zl_error_set(err, 0, 0, "%u zones are impossible; 1 to %d", c->nr_zones,
			ZL_SYSTEM_ZONES_MAX);
		return -EINVAL;
	}
	for (unsigned n = 0; n < c->nodes; n++) {
		if (c->node_cpus[n] > 0 && c->first_cpu[n] != cpus) {
			zl_error_set(err, 0, 0,
				"CPUs of node %u must follow those of the nodes before it", n);
			return -EINVAL;
		}
		cpus += c->node_cpus[n];
	}
	if (cpus != c->cpus || cpus < 1 || cpus > ZL_SIM_CPUS_MAX) {
		zl_error_set(err, 0, 0, "the nodes have %u CPUs, the machine %u; 1 to %d", cpus,
			c->cpus, ZL_SIM_CPUS_MAX);
		return -EINVAL;
	}
	return 0;
}

int zl_system_config_check(const struct zl_system_config *c, struct zl_error *err)
{
	int rc = shape_check(c, err);

	for (unsigned i = 0; rc == 0 && i < c->nr_zones; i++) {
		const struct zl_system_zone *z = &c->zone[i];

		if (z->node >= c->nodes || z->type >= ZL_ZONE_DEVICE) {
			zl_error_set(err, 0, 0, "zone %s is on node %u, and there are %u", z->name,
				z->node, c->nodes);
			return -EINVAL;
		}
		if (i > 0 && !zone_precedes(&c->zone[i - 1], z)) {
			zl_error_set(err, 0, 0,
				"zone %s of node %u must stand before the zone that precedes it",
				z->name, z->node);
			return -EINVAL;
		}
		if (i > 0 && (z->config.page_shift != c->zone[0].config.page_shift ||
				     z->config.max_order != c->zone[0].config.max_order)) {
			zl_error_set(err, 0, 0, "all zones have one page size and one max_order");
			return -EINVAL;
		}
		rc = zl_sim_config_check(&z->config, err);
	}
	return rc;
}

static void zone_config(const struct zl_system_config *c, unsigned i, struct zl_sim_config *ret)
{
	unsigned node = c->zone[i].node;

	*ret = c->zone[i].config;
	ret->cpus = c->cpus;
	ret->node_local = false;
	ret->local_first = c->first_cpu[node];
	ret->local_cpus = c->node_cpus[node];
	ret->limit_cpus = c->node_cpus[node] > 0 ? c->node_cpus[node] : c->cpus;
}

int zl_system_new(const struct zl_system_config *config, const struct zl_allocator *mem,
	struct zl_system **ret, struct zl_error *err)
{
	int rc = zl_system_config_check(config, err);
	struct zl_system *s;

	if (rc != 0) {
		return rc;
	}
	s = mem->realloc(mem->user, NULL, sizeof(*s));
	if (s == NULL) {
		zl_error_set(err, 0, 0, "out of memory; fewer zones need less");
		return -ENOMEM;
	}
	memset(s, 0, sizeof(*s));
	s->cfg = *config;
	s->mem = *mem;
	s->pool.mem = &s->mem;
	for (unsigned i = 0; i < config->cpus; i++) {
		s->req_node[i] = ZL_OP_LOCAL;
		s->req_zone[i] = ZL_OP_ANY_ZONE;
	}
	for (unsigned i = 0; rc == 0 && i < config->nr_zones; i++) {
		struct zl_sim_config c;

		zone_config(config, i, &c);
		s->cfg.zone[i].config = c;
		rc = zl_sim_new(&c, &s->mem, &s->zone[i], err);
	}
	if (rc != 0) {
		zl_system_free(s);
		return rc;
	}
	s->did.zone = zl_system_preferred(s);
	*ret = s;
	return 0;
}

void zl_system_free(struct zl_system *s)
{
	struct zl_allocator mem;

	if (s == NULL) {
		return;
	}
	mem = s->mem;
	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		zl_sim_free(s->zone[i]);
	}
	for (unsigned i = 0; i < ZL_SYSTEM_NODES_MAX; i++) {
		mem.free(mem.user, s->lru[i].entry);
	}
	zl_store_done(&s->where, &s->pool);
	zl_store_done(&s->stamps, &s->pool);
	zl_pool_done(&s->pool);
	mem.free(mem.user, s);
}

unsigned zl_system_cpu_node(const struct zl_system *s, unsigned cpu)
{
	for (unsigned n = 0; n < s->cfg.nodes; n++) {
		if (cpu - s->cfg.first_cpu[n] < s->cfg.node_cpus[n]) {
			return n;
		}
	}
	return 0;
}

unsigned zl_system_online(const struct zl_system *s, unsigned node)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->cfg.node_cpus[node]; i++) {
		n += s->offline[s->cfg.first_cpu[node] + i] ? 0 : 1;
	}
	return n;
}

unsigned zl_system_node(const struct zl_system *s)
{
	uint32_t node = s->req_node[s->cpu];

	return node != ZL_OP_LOCAL ? node : zl_system_cpu_node(s, s->cpu);
}

/* GFP_HIGHUSER_MOVABLE for movable pages, GFP_KERNEL for the others. */
unsigned zl_system_highest(const struct zl_system *s, unsigned mt)
{
	if (s->req_zone[s->cpu] != ZL_OP_ANY_ZONE) {
		return s->req_zone[s->cpu];
	}
	return mt == ZL_MIGRATE_MOVABLE ? ZL_ZONE_MOVABLE : ZL_ZONE_NORMAL;
}

/*
 * The preferred node, then the nodes above it, then those below; on each the zones downwards.
 * Source: mm/page_alloc.c, build_zonelists(), find_next_best_node(), v6.12.
 * Simplified: all nodes are equally far; the kernel prefers nodes without CPUs.
 */
unsigned zl_system_zonelist(
	const struct zl_system *s, enum zl_migratetype mt, unsigned ret[ZL_SYSTEM_ZONES_MAX])
{
	unsigned highest = zl_system_highest(s, mt);
	unsigned node = zl_system_node(s);
	unsigned n = 0;

	for (unsigned k = 0; k < s->cfg.nodes; k++) {
		unsigned want = (node + k) % s->cfg.nodes;

		for (unsigned i = s->cfg.nr_zones; i-- > 0;) {
			const struct zl_system_zone *z = &s->cfg.zone[i];

			if (z->node == want && (unsigned)z->type <= highest) {
				ret[n++] = i;
			}
		}
	}
	return n;
}

unsigned zl_system_preferred(const struct zl_system *s)
{
	unsigned list[ZL_SYSTEM_ZONES_MAX];

	return zl_system_zonelist(s, ZL_MIGRATE_UNMOVABLE, list) > 0 ? list[0] : 0;
}

unsigned zl_where(const struct zl_system *s, uint32_t id)
{
	uint64_t end = (uint64_t)s->where.nr_root << (ZL_BYTE_LEAF_SHIFT + ZL_DIR_SHIFT);
	const struct zl_node *leaf;

	if (id >= end) {
		return ZL_WHERE_NONE;
	}
	leaf = zl_store_leaf_r(&s->where, id, ZL_BYTE_LEAF_SHIFT);
	return leaf == NULL ? ZL_WHERE_NONE : leaf->u.byte[id & ((1u << ZL_BYTE_LEAF_SHIFT) - 1)];
}

int zl_where_reserve(struct zl_system *s, uint32_t id, uint32_t n)
{
	uint64_t end = (uint64_t)id + n;
	size_t nodes = 2 * ((size_t)(n >> ZL_WORD_LEAF_SHIFT) + 4) +
		       ((size_t)(n >> ZL_BYTE_LEAF_SHIFT) + 4);
	int rc = zl_store_grow(&s->where, &s->mem, end, ZL_BYTE_LEAF_SHIFT);

	if (rc == 0) {
		rc = zl_store_grow(&s->stamps, &s->mem, end, ZL_WORD_LEAF_SHIFT);
	}
	return rc != 0 ? rc : zl_pool_fill(&s->pool, nodes);
}

void zl_where_set(struct zl_system *s, uint32_t id, unsigned where)
{
	struct zl_node *leaf = zl_store_leaf_w(&s->where, &s->pool, id, ZL_BYTE_LEAF_SHIFT);

	leaf->u.byte[id & ((1u << ZL_BYTE_LEAF_SHIFT) - 1)] = (uint8_t)where;
}

static void add_work(struct zl_op_work *sum, const struct zl_op_work *w)
{
	sum->refills += w->refills;
	sum->refill_req += w->refill_req;
	sum->refill_got += w->refill_got;
	sum->drained += w->drained;
	sum->bulk_calls += w->bulk_calls;
	sum->zone_locks += w->zone_locks;
	sum->fallbacks += w->fallbacks;
	sum->merges += w->merges;
	sum->migrated += w->migrated;
	sum->tries += w->tries;
	sum->value += w->value;
	sum->longest_hold =
		w->longest_hold > sum->longest_hold ? w->longest_hold : sum->longest_hold;
}

int zl_system_zone_op(struct zl_system *s, unsigned zone, const struct zl_op *op)
{
	int rc;

	if (s->tap.op != NULL) {
		s->tap.op(s->tap.user, zone, op);
	}
	rc = zl_sim_apply(s->zone[zone], op);
	if (rc == 0) {
		s->last = s->zone[zone]->work;
		add_work(&s->sum, &s->last);
	}
	return rc;
}

int zl_system_every(struct zl_system *s, const struct zl_op *op)
{
	int rc = 0;

	s->did.all = true;
	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		rc = zl_system_zone_op(s, i, op);
	}
	s->did.zone = zl_system_preferred(s);
	return rc;
}

int zl_system_set(struct zl_system *s, unsigned zone, enum zl_sim_key key, uint64_t value)
{
	struct zl_op op = {.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = (uint32_t)value};

	return zl_system_zone_op(s, zone, &op);
}

int zl_system_apply(struct zl_system *s, const struct zl_op *op)
{
	int rc = zl_system_op_check(s, op, NULL);

	if (rc != 0) {
		return rc;
	}
	memset(&s->sum, 0, sizeof(s->sum));
	memset(&s->last, 0, sizeof(s->last));
	memset(&s->did, 0, sizeof(s->did));
	s->op = *op;
	s->did.zone = zl_system_preferred(s);
	switch ((unsigned)op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		s->totals.t.allocs++;
		rc = zl_system_alloc(s, op);
		break;
	case ZL_OP_BULK:
		s->totals.t.allocs++;
		rc = zl_system_bulk(s, op);
		break;
	case ZL_OP_RECLAIM:
		rc = zl_system_reclaim(s, op);
		break;
	default:
		rc = zl_system_other(s, op);
		break;
	}
	s->nr_ops++;
	return rc;
}

void zl_system_record(const struct zl_system *s, struct zl_system_record *ret)
{
	struct zl_record *r = &ret->r;
	const struct zl_op_work *w = &s->sum;

	*ret = s->did;
	ret->node = s->cfg.zone[s->did.zone].node;
	ret->name = s->cfg.zone[s->did.zone].name;
	zl_sim_record(s->zone[s->did.zone], r);
	r->index = s->nr_ops;
	r->op = s->op;
	r->cpu = s->cpu;
	r->result = (enum zl_result)s->last.result;
	r->result_value = s->last.result == ZL_RESULT_NUMBER ? w->value : s->last.value;
	r->reason = (enum zl_reason)s->last.reason;
	r->pfn = (int64_t)s->last.block - 1;
	r->free_high = s->last.free_high;
	r->eff_high = s->last.eff_high;
	r->to_free = s->last.to_free;
	r->order = s->last.order;
	r->mt = (enum zl_migratetype)s->last.mt;
	r->free_count_was = s->last.free_count_was;
	r->fallback = (enum zl_fallback_kind)s->last.fallback;
	r->refills = w->refills;
	r->refill_req = w->refill_req;
	r->refill_got = w->refill_got;
	r->drained = w->drained;
	r->bulk_calls = w->bulk_calls;
	r->zone_locks = w->zone_locks;
	r->fallbacks = w->fallbacks;
	r->merges = w->merges;
	r->migrated = w->migrated;
	r->tries = w->tries;
	r->longest_hold = w->longest_hold;
}

static void add_totals(struct zl_totals *sum, const struct zl_totals *t)
{
	const uint64_t *from = (const uint64_t *)(const void *)t;
	uint64_t *to = (uint64_t *)(void *)sum;
	uint64_t longest = t->longest_hold_pages > sum->longest_hold_pages
				   ? t->longest_hold_pages
				   : sum->longest_hold_pages;

	for (size_t i = 0; i < sizeof(*t) / sizeof(*from); i++) {
		to[i] += from[i];
	}
	sum->longest_hold_pages = longest;
}

void zl_system_totals(const struct zl_system *s, struct zl_system_totals *ret)
{
	*ret = s->totals;
	memset(&ret->t, 0, sizeof(ret->t));
	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		struct zl_totals t;

		zl_sim_totals(s->zone[i], &t);
		add_totals(&ret->t, &t);
	}
	ret->t.ops = s->nr_ops;
	ret->t.allocs = s->totals.t.allocs;
	ret->t.frees = s->totals.t.frees;
	ret->t.failed = s->totals.t.failed;
}

void zl_system_tap(struct zl_system *s, const struct zl_system_tap *tap)
{
	s->tap = *tap;
}

const struct zl_system_config *zl_system_config(const struct zl_system *s)
{
	return &s->cfg;
}

unsigned zl_system_zones(const struct zl_system *s)
{
	return s->cfg.nr_zones;
}

const struct zl_sim *zl_system_zone(const struct zl_system *s, unsigned zone)
{
	return s->zone[zone];
}

unsigned zl_system_cpu(const struct zl_system *s)
{
	return s->cpu;
}

uint64_t zl_system_ops(const struct zl_system *s)
{
	return s->nr_ops;
}

bool zl_system_kswapd_awake(const struct zl_system *s, unsigned node)
{
	return s->awake[node];
}

int zl_system_id_zone(const struct zl_system *s, uint32_t id)
{
	unsigned where = zl_where(s, id);

	return where == ZL_WHERE_NONE || where == ZL_WHERE_FAILED ? -1 : (int)where - 1;
}
