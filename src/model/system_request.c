/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of several zones: zonelists, watermarks, kswapd's wake-up, direct reclaim.
 */

#include "system_state.h"

/* A request and the zones that it may use. */
struct walk {
	const struct zl_op *op;
	unsigned list[ZL_SYSTEM_ZONES_MAX];
	unsigned n, highest;
	bool served;
};

static bool served(const struct zl_op_work *w)
{
	return w->result == ZL_RESULT_PCP || w->result == ZL_RESULT_REFILL ||
	       w->result == ZL_RESULT_BUDDY;
}

static int ask(struct zl_system *s, struct walk *w, unsigned zone, const struct zl_op *op)
{
	int rc = zl_system_zone_op(s, zone, op);

	s->did.attempts++;
	if (rc == 0 && served(&s->last)) {
		w->served = true;
		s->did.zone = zone;
	}
	return rc;
}

/*
 * One walk. Without fragmenting, a zone of another node comes only after mixing at home.
 * Source: mm/page_alloc.c, get_page_from_freelist(), v6.12.
 */
static int walk(struct zl_system *s, struct walk *w, enum zl_op_kind kind, unsigned flags)
{
	struct zl_op op = *w->op;
	unsigned home = w->n > 0 ? s->cfg.zone[w->list[0]].node : 0;
	bool again = (flags & ZL_ALLOC_NOFRAGMENT) != 0;
	int rc = 0;

	op.kind = (uint8_t)kind;
	op.arg = w->highest + 1;
	op.key = (uint8_t)(flags | ZL_ALLOC_TRY);
	for (unsigned i = 0; rc == 0 && !w->served && i < w->n; i++) {
		bool away = s->cfg.zone[w->list[i]].node != home;

		if (again && s->cfg.nodes > 1 && away) {
			break;
		}
		rc = ask(s, w, w->list[i], &op);
	}
	if (rc != 0 || w->served || !again) {
		return rc;
	}
	return walk(s, w, kind, flags & ~(unsigned)ZL_ALLOC_NOFRAGMENT);
}

/*
 * Requests that prefer ZONE_NORMAL above a ZONE_DMA32 try not to mix pageblocks at first.
 * Source: mm/page_alloc.c, alloc_flags_nofragment(), v6.12.
 */
static bool nofragment(const struct zl_system *s, const struct walk *w)
{
	const struct zl_system_zone *first = w->n > 0 ? &s->cfg.zone[w->list[0]] : NULL;

	if (first == NULL || first->type != ZL_ZONE_NORMAL) {
		return false;
	}
	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		const struct zl_system_zone *z = &s->cfg.zone[i];

		if (z->type == ZL_ZONE_DMA32 && (s->cfg.nodes == 1 || z->node == first->node)) {
			return true;
		}
	}
	return false;
}

/* Source: mm/vmscan.c, pgdat_balanced(), v6.12. */
bool zl_system_balanced(const struct zl_system *s, unsigned node, unsigned order, unsigned highest)
{
	struct zl_watermark_question q = {.order = order,
		.mt = ZL_MIGRATE_UNMOVABLE,
		.mark = ZL_ALLOC_WMARK_HIGH,
		.highest = highest};

	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		const struct zl_system_zone *z = &s->cfg.zone[i];

		if (z->node == node && (unsigned)z->type <= highest &&
			zl_sim_watermark_ok(s->zone[i], &q)) {
			return true;
		}
	}
	return false;
}

/* Source: mm/page_alloc.c, wake_all_kswapds(); mm/vmscan.c, wakeup_kswapd(), v6.12. */
static void wake_kswapds(struct zl_system *s, const struct walk *w)
{
	for (unsigned i = 0; i < w->n; i++) {
		unsigned node = s->cfg.zone[w->list[i]].node;
		bool boosted = s->zone[w->list[i]]->wmark_boost > 0;

		if (!s->awake[node] &&
			(boosted || !zl_system_balanced(s, node, w->op->order, w->highest))) {
			s->awake[node] = true;
			s->did.kswapd_wakes++;
			s->totals.kswapd_wakes++;
		}
	}
}

/*
 * Reclaim has made progress and the request still fails: HIGHATOMIC gives a pageblock back and
 * every pageset is drained, once.
 * Source: mm/page_alloc.c, __alloc_pages_direct_reclaim(), v6.12.
 */
static int last_resort(struct zl_system *s, struct walk *w)
{
	struct zl_op op = {.kind = ZL_OP_UNRESERVE, .mt = w->op->mt};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < w->n; i++) {
		rc = zl_system_zone_op(s, w->list[i], &op);
		if (rc == 0 && s->last.reason == ZL_REASON_UNRESERVED) {
			break;
		}
	}
	op = (struct zl_op){.kind = ZL_OP_DRAINALL};
	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		rc = zl_system_zone_op(s, i, &op);
	}
	s->did.drained_all = true;
	s->totals.drain_alls++;
	return rc != 0 ? rc : walk(s, w, ZL_OP_ALLOC, ZL_ALLOC_WMARK_MIN);
}

/* Pages of one round come from the nodes in the order of the list. */
static int reclaim_round(struct zl_system *s, const struct walk *w, uint32_t *ret_pages)
{
	uint32_t before = s->did.reclaimed;
	unsigned last = ZL_SYSTEM_NODES_MAX;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < w->n; i++) {
		unsigned node = s->cfg.zone[w->list[i]].node;
		uint32_t got = s->did.reclaimed - before;

		if (node != last && got < s->cfg.direct_reclaim) {
			rc = zl_system_give_back(s, node, w->highest, s->cfg.direct_reclaim - got);
		}
		last = node;
	}
	*ret_pages = s->did.reclaimed - before;
	s->did.rounds++;
	s->totals.reclaim_rounds++;
	return rc;
}

/* Source: mm/page_alloc.c, __alloc_pages_slowpath(), should_reclaim_retry(), v6.12. */
static int direct_reclaim(struct zl_system *s, struct walk *w)
{
	uint32_t pages = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && !w->served && i < ZL_SYSTEM_RECLAIM_ROUNDS; i++) {
		rc = reclaim_round(s, w, &pages);
		if (rc != 0 || pages == 0) {
			break;
		}
		rc = walk(s, w, ZL_OP_ALLOC, ZL_ALLOC_WMARK_MIN);
		if (rc == 0 && !w->served && !s->did.drained_all) {
			rc = last_resort(s, w);
		}
		if (w->op->order > ZL_COSTLY_ORDER) {
			break;
		}
	}
	return rc;
}

static int slow_path(struct zl_system *s, struct walk *w)
{
	int rc;

	wake_kswapds(s, w);
	rc = walk(s, w, (enum zl_op_kind)w->op->kind, ZL_ALLOC_WMARK_MIN);
	if (rc == 0 && !w->served && w->op->kind == ZL_OP_ALLOC && s->cfg.direct_reclaim > 0) {
		rc = direct_reclaim(s, w);
	}
	return rc;
}

static int keep(struct zl_system *s, const struct zl_op *op, const struct walk *w)
{
	const struct zl_system_zone *z = &s->cfg.zone[s->did.zone];

	zl_where_set(s, op->id, s->did.zone + 1);
	if (s->did.zone != w->list[0]) {
		s->totals.zone_fallbacks++;
		s->totals.node_fallbacks += z->node != s->cfg.zone[w->list[0]].node ? 1 : 0;
	}
	return op->mt == ZL_MIGRATE_MOVABLE ? zl_lru_add(s, z->node, op->id) : 0;
}

int zl_system_alloc(struct zl_system *s, const struct zl_op *op)
{
	struct walk w = {.op = op, .highest = zl_system_highest(s, op->mt)};
	int rc = zl_where_reserve(s, op->id, 1);

	w.n = zl_system_zonelist(s, (enum zl_migratetype)op->mt, w.list);
	if (rc == 0 && s->cfg.watermarks) {
		unsigned flags = nofragment(s, &w) ? ZL_ALLOC_NOFRAGMENT : 0;

		rc = walk(s, &w, ZL_OP_ALLOC, flags | ZL_ALLOC_WMARK_LOW);
		if (rc == 0 && !w.served) {
			rc = slow_path(s, &w);
		}
	} else if (rc == 0) {
		rc = walk(s, &w, (enum zl_op_kind)op->kind, 0);
	}
	if (rc != 0) {
		return rc;
	}
	if (w.served) {
		return keep(s, op, &w);
	}
	s->did.zone = w.n > 0 ? w.list[0] : 0;
	s->totals.t.failed++;
	zl_where_set(s, op->id, ZL_WHERE_FAILED);
	return 0;
}

/*
 * The first zone of the preferred node with room for all pages above its low watermark gives what
 * it has.
 * Source: mm/page_alloc.c, alloc_pages_bulk_noprof(), v6.12.
 */
static bool bulk_zone(const struct zl_system *s, const struct walk *w, unsigned *ret)
{
	struct zl_watermark_question q = {.mt = (enum zl_migratetype)w->op->mt,
		.mark = ZL_ALLOC_WMARK_LOW,
		.highest = w->highest};

	for (unsigned i = 0; i < w->n; i++) {
		struct zl_sim *zone = s->zone[w->list[i]];
		int64_t was = zone->nr_free;
		bool ok;

		if (s->cfg.zone[w->list[i]].node != s->cfg.zone[w->list[0]].node) {
			break;
		}

		/* As if the pages were gone already. */
		zone->nr_free -= w->op->arg;
		ok = !s->cfg.watermarks || zl_sim_watermark_ok(zone, &q);
		zone->nr_free = was;
		if (ok) {
			*ret = w->list[i];
			return true;
		}
	}
	return false;
}

int zl_system_bulk(struct zl_system *s, const struct zl_op *op)
{
	struct walk w = {.op = op, .highest = zl_system_highest(s, op->mt)};
	unsigned zone = 0;
	int rc = zl_where_reserve(s, op->id, op->arg);
	bool found;

	w.n = zl_system_zonelist(s, (enum zl_migratetype)op->mt, w.list);
	found = bulk_zone(s, &w, &zone);
	if (rc == 0 && found) {
		rc = zl_system_zone_op(s, zone, op);
		s->did.zone = zone;
		s->did.attempts = 1;
	} else {
		s->last.result = ZL_RESULT_NUMBER;
		s->last.reason = ZL_REASON_ALLOC_WATERMARK;
	}
	for (uint32_t i = 0; rc == 0 && i < op->arg; i++) {
		zl_where_set(s, op->id + i, found ? zone + 1 : ZL_WHERE_FAILED);
		if (found && op->mt == ZL_MIGRATE_MOVABLE && i < s->last.value) {
			rc = zl_lru_add(s, s->cfg.zone[zone].node, op->id + i);
		}
	}
	return rc;
}
