/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ops of several zones that are no requests: frees, CPUs, settings; what is refused and why. */
#include <errno.h>
#include <limits.h>

#include "system_state.h"

/* An op on the zone that holds the id; an id of nowhere is a noop in the preferred one. */
static int on_id(struct zl_system *s, const struct zl_op *op, bool frees)
{
	int zone = zl_system_id_zone(s, op->id);
	int rc;

	s->did.zone = zone >= 0 ? (unsigned)zone : zl_system_preferred(s);
	s->totals.t.frees += frees ? 1 : 0;
	rc = zl_system_zone_op(s, s->did.zone, op);
	if (rc == 0 && frees && zl_where(s, op->id) != ZL_WHERE_NONE) {
		rc = zl_where_reserve(s, op->id, 1);
		if (rc == 0) {
			zl_where_set(s, op->id, ZL_WHERE_NONE);
		}
	}
	return rc;
}

/* The first zone of the list with a CMA range; -1 if there is none. */
static int cma_zone(const struct zl_system *s)
{
	unsigned list[ZL_SYSTEM_ZONES_MAX];
	unsigned n = zl_system_zonelist(s, ZL_MIGRATE_MOVABLE, list);

	for (unsigned i = 0; i < n; i++) {
		if (s->cfg.zone[list[i]].config.cma_pages > 0) {
			return (int)list[i];
		}
	}
	return -1;
}

static int cma_alloc(struct zl_system *s, const struct zl_op *op)
{
	unsigned zone = (unsigned)cma_zone(s);
	int rc = zl_where_reserve(s, op->id, 1);

	rc = rc != 0 ? rc : zl_system_zone_op(s, zone, op);
	if (rc == 0) {
		s->did.zone = zone;
		zl_where_set(s, op->id, zone + 1);
	}
	return rc;
}

/* The CPUs that the limits of each zone are to be divided by. */
static int settle_cpus(struct zl_system *s, unsigned extra, unsigned but_node)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		unsigned node = s->cfg.zone[i].node;
		unsigned n = zl_system_online(s, node) + (node == but_node ? 0 : extra);

		if (s->zone[i]->limit_cpus != n) {
			rc = zl_system_set(s, i, ZL_SIM_LIMIT_CPUS, n);
		}
	}
	return rc;
}

/*
 * A CPU that comes counts as one more for the zones of every node, its own or not, until the
 * limits are computed again for another reason.
 * Source: mm/page_alloc.c, page_alloc_cpu_online(), page_alloc_cpu_dead(), v6.12.
 */
static int hotplug(struct zl_system *s, const struct zl_op *op)
{
	bool online = op->kind == ZL_OP_ONLINE;
	struct zl_op_work last;
	int rc = zl_system_every(s, op);

	last = s->last;
	s->offline[op->arg] = !online;
	if (rc == 0) {
		rc = settle_cpus(s, online ? 1 : 0, zl_system_cpu_node(s, op->arg));
	}
	s->last = last;
	return rc;
}

/*
 * Watermarks and limits of every zone, as after a write to vm.min_free_kbytes or
 * vm.watermark_scale_factor.
 * Source: mm/page_alloc.c, setup_per_zone_wmarks(), v6.12.
 */
static int set_watermarks(struct zl_system *s, uint64_t min_free_kbytes)
{
	uint64_t shared = 0;
	int rc = settle_cpus(s, 0, 0);

	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		const struct zl_system_zone *z = &s->cfg.zone[i];

		if (zl_zone_shares_min_free(&z->config.switches, z->type)) {
			shared += z->config.managed;
		}
	}
	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		const struct zl_system_zone *z = &s->cfg.zone[i];
		const struct zl_watermark_in in = {.type = z->type,
			.managed = z->config.managed,
			.lowmem_pages = shared,
			.min_free_kbytes = min_free_kbytes,
			.page_shift = z->config.page_shift,
			.scale_factor = s->cfg.scale_factor};
		struct zl_watermarks w;

		zl_zone_watermarks(&z->config.switches, &in, &w);
		rc = s->zone[i]->wmark_boost > 0 ? zl_system_set(s, i, ZL_SIM_BOOST, 0) : 0;
		rc = rc != 0 ? rc : zl_system_set(s, i, ZL_SIM_WMARK_MIN, w.min);
		rc = rc != 0 ? rc : zl_system_set(s, i, ZL_SIM_WMARK_HIGH, w.high);
		rc = rc != 0 ? rc : zl_system_set(s, i, ZL_SIM_WMARK_LOW, w.low);
	}
	s->did.all = true;
	return rc;
}

/* The value of min_free_kbytes that the present min watermarks come from, as near as they tell. */
static uint64_t min_free_now(const struct zl_system *s)
{
	uint64_t pages = 0;

	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		const struct zl_system_zone *z = &s->cfg.zone[i];

		if (zl_zone_shares_min_free(&z->config.switches, z->type)) {
			pages += s->zone[i]->wmark_min;
		}
	}
	return pages << (s->cfg.zone[0].config.page_shift - 10);
}

static int set_reclaim(struct zl_system *s, const struct zl_op *op)
{
	unsigned node = zl_system_node(s);
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		if (s->cfg.zone[i].node == node) {
			rc = zl_system_zone_op(s, i, op);
		}
	}
	if (op->arg == 0) {
		s->awake[node] = false;
	}
	return rc;
}

static int set(struct zl_system *s, const struct zl_op *op)
{
	int rc;

	switch ((unsigned)op->key) {
	case ZL_SIM_RECLAIM:
		return set_reclaim(s, op);
	case ZL_SIM_HIGH_FRACTION:
		rc = settle_cpus(s, 0, 0);
		return rc != 0 ? rc : zl_system_every(s, op);
	case ZL_SIM_CACHE_SLICE_KIB:
	case ZL_SIM_BOOST_FACTOR:
		return zl_system_every(s, op);
	case ZL_SIM_MIN_FREE_KBYTES:
		s->cfg.min_free_kbytes = op->arg;
		return set_watermarks(s, op->arg);
	case ZL_SIM_SCALE_FACTOR:
		s->cfg.scale_factor = op->arg;
		return set_watermarks(
			s, s->cfg.min_free_kbytes > 0 ? s->cfg.min_free_kbytes : min_free_now(s));
	case ZL_SIM_DIRECT_RECLAIM:
		s->cfg.direct_reclaim = op->arg;
		s->last.reason = ZL_REASON_RECLAIM_STATED;
		return 0;
	default: /* of one zone */
		return zl_system_zone_op(s, s->did.zone, op);
	}
}

int zl_system_other(struct zl_system *s, const struct zl_op *op)
{
	switch ((unsigned)op->kind) {
	case ZL_OP_CPU:
		s->cpu = op->arg;
		return zl_system_every(s, op);
	case ZL_OP_TICK:
	case ZL_OP_DRAIN:
	case ZL_OP_DRAINALL:
		return zl_system_every(s, op);
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
		return hotplug(s, op);
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
		return on_id(s, op, true);
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return on_id(s, op, false);
	case ZL_OP_CMA_ALLOC:
		return cma_alloc(s, op);
	case ZL_OP_NODE:
		s->req_node[s->cpu] = op->arg;
		s->last.reason = ZL_REASON_NODE;
		break;
	case ZL_OP_ZONE:
		s->req_zone[s->cpu] = op->key;
		s->last.reason = ZL_REASON_ZONE;
		break;
	case ZL_OP_SET:
		return set(s, op);
	default: /* drainzone, unreserve: of one zone */
		return zl_system_zone_op(s, s->did.zone, op);
	}
	s->did.zone = zl_system_preferred(s);
	return 0;
}

static int ids_free(
	const struct zl_system *s, const struct zl_op *op, uint32_t n, struct zl_error *err)
{
	for (uint32_t i = 0; i < n && op->id <= ZL_OP_ID_MAX - i; i++) {
		if (zl_where(s, op->id + i) != ZL_WHERE_NONE) {
			zl_error_set(err, 0, 0, "id %u is in use; free it first", op->id + i);
			return -EINVAL;
		}
	}
	return 0;
}

static int refuse(struct zl_error *err, const char *why)
{
	zl_error_set(err, 0, 0, "%s", why);
	return -EINVAL;
}

static int set_check(const struct zl_system *s, const struct zl_op *op, struct zl_error *err)
{
	switch ((unsigned)op->key) {
	case ZL_SIM_CPUS:
	case ZL_SIM_LIMIT_CPUS:
		return refuse(err, "the CPUs of a machine are fixed; offline and online change "
				   "which of them run");
	case ZL_SIM_MIN_FREE_KBYTES:
	case ZL_SIM_DIRECT_RECLAIM:
		return op->arg <= INT_MAX ? 0 : refuse(err, "the value is out of range");
	case ZL_SIM_SCALE_FACTOR:
		return op->arg >= 1 && op->arg <= ZL_SCALE_FACTOR_MAX
			       ? 0
			       : refuse(err, "watermark_scale_factor is 1 to 3000");
	default:
		return zl_sim_op_check(s->zone[0], op, err);
	}
}

static int zone_check(const struct zl_system *s, const struct zl_op *op, struct zl_error *err)
{
	if (op->key == ZL_OP_ANY_ZONE) {
		return 0;
	}
	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		if ((unsigned)s->cfg.zone[i].type <= op->key) {
			return op->key <= ZL_ZONE_MOVABLE ? 0 : refuse(err, "no such zone type");
		}
	}
	return refuse(err, "the machine has no zone of that type or a lower one");
}

int zl_system_op_check(const struct zl_system *s, const struct zl_op *op, struct zl_error *err)
{
	int zone;
	int rc;

	switch ((unsigned)op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		if (op->key != 0 || op->arg != 0) {
			return refuse(err, "a request of several zones takes no flags");
		}
		rc = zl_sim_op_check(s->zone[0], op, err);
		return rc != 0 ? rc : ids_free(s, op, 1, err);
	case ZL_OP_BULK:
		rc = zl_sim_op_check(s->zone[0], op, err);
		return rc != 0 ? rc : ids_free(s, op, op->arg, err);
	case ZL_OP_CMA_ALLOC:
		zone = cma_zone(s);
		rc = zl_sim_op_check(s->zone[zone < 0 ? 0 : zone], op, err);
		return rc != 0 ? rc : ids_free(s, op, 1, err);
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		zone = op->id <= ZL_OP_ID_MAX ? zl_system_id_zone(s, op->id) : -1;
		return zl_sim_op_check(s->zone[zone < 0 ? 0 : zone], op, err);
	case ZL_OP_NODE:
		return op->arg == ZL_OP_LOCAL || op->arg < s->cfg.nodes
			       ? 0
			       : refuse(err, "there is no such node");
	case ZL_OP_ZONE:
		return zone_check(s, op, err);
	case ZL_OP_RECLAIM:
		return 0;
	case ZL_OP_SET:
		return set_check(s, op, err);
	default:
		return zl_sim_op_check(s->zone[0], op, err);
	}
}
