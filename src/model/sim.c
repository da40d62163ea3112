/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making, copying and driving a sim. */
#include "zonelab/sim.h"

#include <errno.h>
#include <string.h>

#include "buddy.h"
#include "hit.h"
#include "ops.h"
#include "pcp.h"
#include "policy_run.h"

/** Migratetypes that count for mobility grouping: ISOLATE is one, CMA only if built in. */
#define TYPES_WITHOUT_CMA 5u
#define TYPES_WITH_CMA	  6u

static void derive(struct zl_sim *s)
{
	const struct zl_sim_config *c = &s->cfg;
	uint64_t types = c->cma ? TYPES_WITH_CMA : TYPES_WITHOUT_CMA;
	unsigned thp = c->switches.thp_order == ZL_THP_ORDER_PAGEBLOCK ? c->pageblock_order
								       : c->hpage_order;

	s->nr_pages = (uint32_t)c->pages;
	s->page_block_order = (uint8_t)c->pageblock_order;
	s->max_order = (uint8_t)c->max_order;
	s->thp_order = (int8_t)(c->thp ? (int)thp : -1);
	s->nr_lists = (uint8_t)(ZL_PCP_LOW_LISTS + (c->thp ? c->switches.thp_lists : 0));
	s->grouping_off = c->managed < types << c->pageblock_order;
	s->has_pagesets = c->smp || c->switches.uniprocessor_pcp;
	if (s->has_pagesets && !s->grouping_off) {
		unsigned orders = c->max_order < ZL_COSTLY_ORDER ? c->max_order : ZL_COSTLY_ORDER;

		s->hit_orders = (uint8_t)(orders + 1);
	}
	s->tuned = c->switches.design >= ZL_DESIGN_B;
	s->exact_counts = c->switches.drain_type == ZL_DRAIN_PAGEBLOCK;
	s->count_blocks = c->switches.design >= ZL_DESIGN_C;
	s->wmark_min = c->wmark_min;
	s->wmark_low = c->wmark_low;
	s->wmark_high = c->wmark_high;
	s->high_fraction = c->high_fraction;
	s->limit_cpus = c->limit_cpus > 0 || c->local_cpus > 0 ? c->limit_cpus : c->cpus;
	s->boost_factor = c->boost_factor;
	for (unsigned i = 0; i < ZL_ZONE_TYPE_COUNT; i++) {
		s->reserve_most = c->lowmem_reserve[i] > s->reserve_most ? c->lowmem_reserve[i]
									 : s->reserve_most;
	}
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		bool local = c->local_cpus > 0 ? i - c->local_first < c->local_cpus : c->node_local;

		s->pcp[i].remote = !local;
	}
	s->cache_slice = c->cache_slice;
}

static void lists_init(struct zl_sim *s)
{
	for (unsigned o = 0; o < ZL_ORDERS; o++) {
		for (unsigned t = 0; t < ZL_MIGRATE_COUNT; t++) {
			s->free[o][t].first = ZL_NIL;
			s->free[o][t].last = ZL_NIL;
		}
	}
}

/* Up to the end of the last block of the largest order, so that a buddy is always in range. */
static uint64_t page_slots(const struct zl_sim *s)
{
	uint64_t step = zl_pages_of(s->max_order);

	return (s->nr_pages + step - 1) / step * step;
}

static int start(struct zl_sim *s)
{
	uint64_t blocks = page_slots(s) >> s->page_block_order;
	uint64_t cma_blocks = s->cfg.cma_pages >> s->page_block_order;
	size_t nodes;
	int err;

	/* The pieces of an odd size, and one stored block for each pageblock of CMA. */
	nodes = 8u * (ZL_ORDERS + 1) + 3 * (size_t)cma_blocks;
	err = zl_store_grow(&s->pages, &s->mem, page_slots(s), ZL_PAGE_LEAF_SHIFT);
	if (err == 0) {
		err = zl_store_grow(&s->blocks, &s->mem, blocks + 1, ZL_BYTE_LEAF_SHIFT);
	}
	if (err == 0) {
		err = zl_pool_fill(&s->pool, nodes);
	}
	if (err != 0) {
		return err;
	}
	zl_buddy_start(s);
	err = zl_policy_run_new(&s->cfg, &s->mem, &s->policy);
	if (err != 0) {
		return err;
	}
	s->cfg.policies = s->policy != NULL ? &s->policy->share->set : NULL;
	zl_pcp_update_limits(s);
	zl_pcp_update_cacheinfo(s);
	zl_watch_update(s);
	zl_reserve_init(s);
	zl_hit_update(s);
	memset(&s->totals, 0, sizeof(s->totals));
	memset(&s->work, 0, sizeof(s->work));
	return 0;
}

static struct zl_sim *sim_alloc(const struct zl_allocator *mem, unsigned cpus)
{
	struct zl_sim *s = mem->realloc(mem->user, NULL, sizeof(*s));

	if (s == NULL) {
		return NULL;
	}
	memset(s, 0, sizeof(*s));
	s->mem = *mem;
	s->pool.mem = &s->mem;
	s->nr_cpus = cpus;
	s->pcp = mem->realloc(mem->user, NULL, cpus * sizeof(*s->pcp));
	if (s->pcp == NULL) {
		mem->free(mem->user, s);
		return NULL;
	}
	memset(s->pcp, 0, cpus * sizeof(*s->pcp));
	s->this_pcp = s->pcp;
	return s;
}

int zl_sim_new(const struct zl_sim_config *config, const struct zl_allocator *mem,
	struct zl_sim **ret_sim, struct zl_error *err)
{
	int rc = zl_sim_config_check(config, err);
	struct zl_sim *s;

	if (rc != 0) {
		return rc;
	}
	s = sim_alloc(mem, config->cpus);
	if (s != NULL) {
		s->cfg = *config;
		derive(s);
		lists_init(s);
		rc = start(s);
		if (rc != 0) {
			zl_sim_free(s);
			s = NULL;
		}
	}
	if (s == NULL) {
		zl_error_set(err, 0, 0, "out of memory; a smaller zone needs less");
		return -ENOMEM;
	}
	*ret_sim = s;
	return 0;
}

void zl_sim_free(struct zl_sim *sim)
{
	struct zl_allocator mem;

	if (sim == NULL) {
		return;
	}
	mem = sim->mem;
	zl_store_done(&sim->pages, &sim->pool);
	zl_store_done(&sim->blocks, &sim->pool);
	zl_store_done(&sim->ids, &sim->pool);
	zl_pool_done(&sim->pool);
	zl_policy_run_free(sim->policy, &mem);
	mem.free(mem.user, sim->pcp);
	mem.free(mem.user, sim);
}

int zl_sim_clone(struct zl_sim *sim, struct zl_sim **ret_clone)
{
	struct zl_sim *c = sim_alloc(&sim->mem, sim->nr_cpus);
	struct zl_pcp *pcp;
	int err;

	if (c == NULL) {
		return -ENOMEM;
	}
	pcp = c->pcp;
	*c = *sim;
	c->pcp = pcp;
	c->this_pcp = &pcp[sim->cpu];
	memcpy(c->pcp, sim->pcp, sim->nr_cpus * sizeof(*c->pcp));
	c->observers = NULL;
	c->policy = NULL;
	c->recorded = false;
	memset(&c->pages, 0, sizeof(c->pages));
	memset(&c->blocks, 0, sizeof(c->blocks));
	memset(&c->ids, 0, sizeof(c->ids));
	memset(&c->pool, 0, sizeof(c->pool));
	c->pool.mem = &c->mem;
	c->pool.nr_nodes = sim->pool.nr_nodes;
	c->pool.nr_unowned = sim->pool.nr_nodes;
	sim->pool.nr_unowned = sim->pool.nr_nodes;
	zl_reserve_init(sim);
	zl_reserve_init(c);
	err = zl_policy_run_clone(sim->policy, &c->mem, &c->policy);
	if (err == 0) {
		err = zl_store_share(&c->pages, &sim->pages, &c->pool);
	}
	if (err == 0) {
		err = zl_store_share(&c->blocks, &sim->blocks, &c->pool);
	}
	if (err == 0) {
		err = zl_store_share(&c->ids, &sim->ids, &c->pool);
	}
	if (err != 0) {
		zl_sim_free(c);
		return err;
	}
	zl_watch_update(c);
	*ret_clone = c;
	return 0;
}

void zl_sim_share(struct zl_sim *to, struct zl_sim *from)
{
	zl_store_share_equal(&to->pages, &from->pages, &to->pool);
	zl_store_share_equal(&to->blocks, &from->blocks, &to->pool);
	zl_store_share_equal(&to->ids, &from->ids, &to->pool);
	to->pool.nr_unowned = to->pool.nr_nodes;
	from->pool.nr_unowned = from->pool.nr_nodes;
	zl_reserve_init(to);
	zl_reserve_init(from);
}

/* Ops that came after the recordings. */
static void perform_later(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	bool done;

	switch ((unsigned)op->kind) {
	case ZL_OP_CMA_ALLOC:
		zl_op_cma_alloc(s, op, slot);
		break;
	case ZL_OP_CMA_RELEASE:
		zl_op_free(s, slot);
		break;
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		zl_op_pin(s, slot, op->kind == ZL_OP_PIN);
		break;
	case ZL_OP_OFFLINE:
		zl_op_offline(s, op->arg);
		break;
	case ZL_OP_ONLINE:
		zl_op_online(s, op->arg);
		break;
	case ZL_OP_UNRESERVE:
		done = zl_unreserve_highatomic(s, op->mt, op->key != 0);
		s->work.reason = done ? ZL_REASON_UNRESERVED : ZL_REASON_UNRESERVED_NONE;
		break;
	default: /* of several zones, refused before */
		break;
	}
}

static void perform(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	switch ((unsigned)op->kind) {
	case ZL_OP_CPU:
		s->cpu = op->arg;
		s->this_pcp = &s->pcp[s->cpu];
		s->work.reason = ZL_REASON_CPU;
		break;
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		zl_op_alloc(s, op, slot);
		break;
	case ZL_OP_FREE:
		zl_op_free(s, slot);
		break;
	case ZL_OP_BULK:
		zl_op_bulk(s, op);
		break;
	case ZL_OP_TICK:
		zl_op_tick(s);
		break;
	case ZL_OP_DRAIN:
		zl_op_drain(s);
		break;
	case ZL_OP_DRAINALL:
		zl_op_drainall(s);
		break;
	case ZL_OP_DRAINZONE:
		zl_op_drainzone(s);
		break;
	case ZL_OP_SET:
		zl_op_set(s, op);
		break;
	default:
		perform_later(s, op, slot);
		break;
	}
}

static void tell(const struct zl_sim *s)
{
	struct zl_record r;

	zl_sim_record(s, &r);
	for (const struct zl_observer *o = s->observers; o != NULL; o = o->next) {
		if (o->record != NULL) {
			o->record(o->user, s, &r);
		}
	}
}

int zl_sim_perform(struct zl_sim *s, const struct zl_op *op, uint32_t *slot)
{
	zl_op_begin(s, op);
	perform(s, op, slot);
	zl_hit_update(s);
	if (s->recorded) {
		tell(s);
	}
	return s->policy != NULL && s->policy->fault.set ? -EDOM : 0;
}

void zl_watch_update(struct zl_sim *s)
{
	s->recorded = false;
	for (const struct zl_observer *i = s->observers; i != NULL; i = i->next) {
		s->recorded = s->recorded || i->record != NULL;
	}
	s->watched = s->recorded || s->policy != NULL;
}

int zl_sim_policy_fault(const struct zl_sim *sim, struct zl_error *err)
{
	const struct policy_fault *f;

	if (sim->policy == NULL || !sim->policy->fault.set) {
		return 0;
	}
	f = &sim->policy->fault;
	zl_error_set(err, 0, 0, "op %U: %s (column %u of its expression)", f->op, f->error.text,
		f->error.column);
	return -EDOM;
}

void zl_sim_subscribe(struct zl_sim *sim, struct zl_observer *observer)
{
	struct zl_observer **o = &sim->observers;

	while (*o != NULL) {
		o = &(*o)->next;
	}
	observer->next = NULL;
	*o = observer;
	zl_watch_update(sim);
}

void zl_sim_unsubscribe(struct zl_sim *sim, struct zl_observer *observer)
{
	struct zl_observer **o = &sim->observers;

	while (*o != NULL && *o != observer) {
		o = &(*o)->next;
	}
	if (*o != NULL) {
		*o = observer->next;
		observer->next = NULL;
	}
	zl_watch_update(sim);
}
