/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a zone and an op may look like, and the sentence when they do not. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "ops.h"
#include "pcp.h"
#include "zonelab/sim.h"
#include "zonelab/tuning.h"

#define PAGE_SHIFT_MIN 12
#define PAGE_SHIFT_MAX 18
#define SCALE_DEFAULT  5
#define BATCH_MAX      65535

void zl_sim_config_init(struct zl_sim_config *c)
{
	memset(c, 0, sizeof(*c));
	c->page_shift = PAGE_SHIFT_MIN;
	c->cpus = 1;
	c->scale_max = SCALE_DEFAULT;
	c->node_local = true;
	c->smp = true;
	c->mmu = true;
	c->batch = ZL_SIM_COMPUTED;
	c->high_min = ZL_SIM_COMPUTED;
	c->high_max = ZL_SIM_COMPUTED;
}

struct range {
	const char *key;
	uint64_t value, lo, hi;
};

static int range_check(const struct range *r, struct zl_error *err)
{
	if (r->value >= r->lo && r->value <= r->hi) {
		return 0;
	}
	zl_error_set(err, 0, 0, "%s %U is out of range; %U to %U is possible", r->key, r->value,
		r->lo, r->hi);
	return -EINVAL;
}

static int overrides_check(const struct zl_sim_config *c, struct zl_error *err)
{
	if (c->batch != ZL_SIM_COMPUTED && (c->batch < 1 || c->batch > BATCH_MAX)) {
		zl_error_set(err, 0, 0, "batch %D is out of range; 1 to %d is possible", c->batch,
			BATCH_MAX);
		return -EINVAL;
	}
	if (c->high_min < ZL_SIM_COMPUTED || c->high_min > INT_MAX ||
		c->high_max < ZL_SIM_COMPUTED || c->high_max > INT_MAX) {
		zl_error_set(err, 0, 0, "high_min and high_max must be 0 to %d pages", INT_MAX);
		return -EINVAL;
	}
	return 0;
}

static int cma_check(const struct zl_sim_config *c, struct zl_error *err)
{
	uint64_t block = UINT64_C(1) << c->pageblock_order;

	if (c->cma_pages == 0) {
		return 0;
	}
	if (!c->cma) {
		zl_error_set(err, 0, 0, "a CMA range needs a kernel with CMA");
		return -EINVAL;
	}
	if (c->cma_pages > c->pages || c->cma_start > c->pages - c->cma_pages) {
		zl_error_set(
			err, 0, 0, "the CMA range must lie inside the zone's %U pages", c->pages);
		return -EINVAL;
	}
	if (c->cma_start % block != 0 || c->cma_pages % block != 0) {
		zl_error_set(
			err, 0, 0, "the CMA range must be whole pageblocks of %U pages", block);
		return -EINVAL;
	}
	if (c->pageblock_order > c->max_order) {
		zl_error_set(
			err, 0, 0, "CMA needs pageblock_order up to max_order %u", c->max_order);
		return -EINVAL;
	}
	return 0;
}

int zl_sim_config_check(const struct zl_sim_config *c, struct zl_error *err)
{
	const struct range ranges[] = {
		{"page_shift",      c->page_shift,      PAGE_SHIFT_MIN, PAGE_SHIFT_MAX	    },
		{"managed",	    c->managed,		1,		   (uint64_t)INT_MAX * 8},
		{"pages",		  c->pages,	    1,	       ZL_SIM_PAGES_MAX     },
		{"cpus",		 c->cpus,		  1,		     ZL_SIM_CPUS_MAX	    },
		{"wmark_min",	      c->wmark_min,	    0,	       INT_MAX	      },
		{"wmark_low",	      c->wmark_low,	    0,	       INT_MAX	      },
		{"wmark_high",      c->wmark_high,      0,		 INT_MAX		},
		{"scale_max",	      c->scale_max,	    0,	       ZL_SIM_SCALE_MAX     },
		{"max_order",	      c->max_order,	    1,	       ZL_MAX_ORDER_LIMIT	 },
		{"pageblock_order", c->pageblock_order, 1,		   ZL_MAX_ORDER_LIMIT   },
		{"hpage_order",	c->hpage_order,	0,		   ZL_MAX_ORDER_LIMIT   },
	};
	int rc = 0;

	if (c->switches.design == ZL_DESIGN_NONE || c->switches.design >= ZL_DESIGN_COUNT) {
		zl_error_set(err, 0, 0, "pagesets are modelled from kernel 5.14 on");
		return -EINVAL;
	}
	for (size_t i = 0; rc == 0 && i < sizeof(ranges) / sizeof(*ranges); i++) {
		rc = range_check(&ranges[i], err);
	}
	if (rc == 0 && c->high_fraction > 0 && c->high_fraction < ZL_HIGH_FRACTION_MIN) {
		zl_error_set(err, 0, 0,
			"high_fraction %u is refused by the kernel; 0 or at least %d",
			c->high_fraction, ZL_HIGH_FRACTION_MIN);
		rc = -EINVAL;
	}
	if (rc == 0) {
		rc = overrides_check(c, err);
	}
	return rc != 0 ? rc : cma_check(c, err);
}

static int id_check(const struct zl_sim *s, uint32_t first, uint32_t n, struct zl_error *err)
{
	if (first > ZL_OP_ID_MAX || n > ZL_OP_ID_MAX - first + 1) {
		zl_error_set(err, 0, 0, "id %u is too large; ids go up to %u", first, ZL_OP_ID_MAX);
		return -EINVAL;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (zl_id_get(s, first + i) != ZL_ID_FREE) {
			zl_error_set(err, 0, 0, "id %u is in use; free it first", first + i);
			return -EINVAL;
		}
	}
	return 0;
}

static int alloc_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	if (op->order > s->max_order) {
		zl_error_set(err, 0, 0, "order %u is above max_order %u", (unsigned)op->order,
			(unsigned)s->max_order);
		return -EINVAL;
	}
	if (op->mt >= ZL_MIGRATE_PCPTYPES) {
		zl_error_set(err, 0, 0,
			"migratetype %u cannot be asked for; 0 unmovable, 1 movable, 2 reclaimable",
			(unsigned)op->mt);
		return -EINVAL;
	}
	if (op->arg > ZL_ZONE_TYPE_COUNT) {
		zl_error_set(err, 0, 0, "there is no zone type %u", op->arg - 1);
		return -EINVAL;
	}
	return id_check(s, op->id, 1, err);
}

static int bulk_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	struct zl_op one = *op;

	if (op->arg == 0 || op->arg > ZL_OP_BULK_MAX) {
		zl_error_set(err, 0, 0, "a bulk op takes 1 to %u pages", ZL_OP_BULK_MAX);
		return -EINVAL;
	}
	one.order = 0;
	one.arg = 0;
	if (alloc_check(s, &one, err) != 0) {
		return -EINVAL;
	}
	return id_check(s, op->id, op->arg, err);
}

static int needs_system(const char *what, struct zl_error *err)
{
	zl_error_set(err, 0, 0,
		"%s is about a whole machine; a single zone has nothing to do with it", what);
	return -EINVAL;
}

static int set_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	const char *name;

	if (op->key >= ZL_SIM_KEY_COUNT) {
		zl_error_set(err, 0, 0, "this key cannot be set while a zone lives");
		return -EINVAL;
	}
	name = zl_sim_key_name((enum zl_sim_key)op->key);
	switch ((unsigned)op->key) {
	case ZL_SIM_CPUS: {
		struct range r = {name, op->arg, s->nr_cpus, ZL_SIM_CPUS_MAX};

		return range_check(&r, err);
	}
	case ZL_SIM_HIGH_FRACTION:
		if (op->arg == 0) {
			return 0;
		}
		struct range f = {name, op->arg, ZL_HIGH_FRACTION_MIN, INT_MAX};

		return range_check(&f, err);
	case ZL_SIM_BELOW_HIGH:
	case ZL_SIM_RECLAIM:
	case ZL_SIM_PCP_DISABLED: {
		struct range r = {name, op->arg, 0, 1};

		return range_check(&r, err);
	}
	case ZL_SIM_FREE_COUNT: {
		struct range r = {name, op->arg, 0, INT16_MAX};

		return range_check(&r, err);
	}
	case ZL_SIM_ALLOC_FACTOR: {
		struct range r = {name, op->arg, 0, ZL_SIM_SCALE_MAX};

		return range_check(&r, err);
	}
	case ZL_SIM_LIMIT_CPUS: {
		struct range r = {name, op->arg, 0, ZL_SIM_CPUS_MAX};

		return range_check(&r, err);
	}
	case ZL_SIM_MIN_FREE_KBYTES:
	case ZL_SIM_SCALE_FACTOR:
	case ZL_SIM_DIRECT_RECLAIM:
		return needs_system(name, err);
	default:
		break;
	}
	struct range r = {name, op->arg, 0, INT_MAX};

	return range_check(&r, err);
}

static int cpu_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	bool online;

	if (op->arg >= s->nr_cpus) {
		zl_error_set(err, 0, 0, "there is no CPU %u; the zone has %u, counted from 0",
			op->arg, s->nr_cpus);
		return -EINVAL;
	}
	online = !s->pcp[op->arg].offline;
	if (op->kind == ZL_OP_CPU) {
		if (!online) {
			zl_error_set(err, 0, 0, "CPU %u is offline; nothing runs there", op->arg);
		}
		return online ? 0 : -EINVAL;
	}
	if (op->kind == ZL_OP_OFFLINE && op->arg == s->cpu) {
		zl_error_set(err, 0, 0, "CPU %u runs this op; another one must take it offline",
			op->arg);
		return -EINVAL;
	}
	if (online == (op->kind == ZL_OP_ONLINE)) {
		zl_error_set(err, 0, 0, online ? "CPU %u is online" : "CPU %u is offline", op->arg);
		return -EINVAL;
	}
	return 0;
}

static int cma_alloc_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	struct range pages = {"the number of pages", op->arg, 1, s->cfg.cma_pages};
	struct range align = {"the alignment's order", op->order, 0, ZL_MAX_ORDER_LIMIT};

	if (s->cfg.cma_pages == 0) {
		zl_error_set(err, 0, 0, "the zone has no CMA range; cma_alloc has nowhere to look");
		return -EINVAL;
	}
	if (range_check(&align, err) != 0 || range_check(&pages, err) != 0) {
		return -EINVAL;
	}
	return id_check(s, op->id, 1, err);
}

static int id_op_check(const struct zl_sim *s, const struct zl_op *op, struct zl_error *err)
{
	uint32_t slot;

	if (op->id > ZL_OP_ID_MAX) {
		zl_error_set(
			err, 0, 0, "id %u is too large; ids go up to %u", op->id, ZL_OP_ID_MAX);
		return -EINVAL;
	}
	slot = zl_id_get(s, op->id);
	if (op->kind == ZL_OP_CMA_RELEASE && slot != ZL_ID_FREE && slot != ZL_ID_FAILED &&
		(zl_page_r(s, slot - 1)->list & ZL_USED_CONTIG) == 0) {
		zl_error_set(err, 0, 0, "id %u is not from cma_alloc; free it", op->id);
		return -EINVAL;
	}
	return 0;
}

int zl_sim_op_check(const struct zl_sim *sim, const struct zl_op *op, struct zl_error *err)
{
	switch ((unsigned)op->kind) {
	case ZL_OP_CPU:
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
		return cpu_check(sim, op, err);
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		return alloc_check(sim, op, err);
	case ZL_OP_BULK:
		return bulk_check(sim, op, err);
	case ZL_OP_SET:
		return set_check(sim, op, err);
	case ZL_OP_CMA_ALLOC:
		return cma_alloc_check(sim, op, err);
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return id_op_check(sim, op, err);
	case ZL_OP_UNRESERVE:
		if (zl_mergeable(op->mt)) {
			return 0;
		}
		break;
	case ZL_OP_NODE:
	case ZL_OP_ZONE:
	case ZL_OP_RECLAIM:
		return needs_system(zl_op_kind_name((enum zl_op_kind)op->kind), err);
	case ZL_OP_TICK:
	case ZL_OP_DRAIN:
	case ZL_OP_DRAINALL:
	case ZL_OP_DRAINZONE:
		return 0;
	default:
		break;
	}
	zl_error_set(err, 0, 0, "this is not an op that can be performed");
	return -EINVAL;
}
