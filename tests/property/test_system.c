/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random machines of several zones under random ops: pages are conserved in every zone, no request
 * goes under its watermark, ids are where the system says, the ops of one zone replay alone.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"
#include "zonelab/file.h"
#include "zonelab/system.h"

#define MACHINES   12
#define OPS	   400
#define IDS	   600
#define TAPPED_MAX 20000

static unsigned any(struct zl_rng *r, unsigned n)
{
	return (unsigned)zl_rng_below(r, n);
}

static void random_zone(struct zl_rng *r, struct zl_system_config *c, unsigned node, unsigned type)
{
	struct zl_system_zone *z = &c->zone[c->nr_zones++];
	struct zl_sim_config *s = &z->config;

	z->node = node;
	z->type = (enum zl_zone_type)type;
	snprintf(z->name, sizeof(z->name), "%s", zl_zone_type_name(z->type));
	zl_sim_config_init(s);
	s->max_order = 6;
	s->pageblock_order = 4;
	s->hpage_order = 4;
	s->thp = true;
	s->cma = true;
	s->pages = 300 + any(r, 900);
	s->managed = any(r, 3) == 0 ? 60 : s->pages * (1 + any(r, 20));
	s->wmark_min = any(r, 60);
	s->wmark_low = s->wmark_min + any(r, 30);
	s->wmark_high = s->wmark_low + any(r, 60);
	s->boost_factor = any(r, 3) == 0 ? 15000 : 0;
	for (unsigned t = type + 1; t < ZL_ZONE_DEVICE; t++) {
		s->lowmem_reserve[t] = any(r, 3) == 0 ? any(r, 100) : 0;
	}
	if (any(r, 3) == 0) {
		s->cma_pages = 64;
		s->cma_start = 64;
	}
}

static void random_machine(struct zl_rng *r, struct zl_system_config *c, const char *release)
{
	zl_system_config_init(c);
	c->nodes = 1 + any(r, 3);
	c->cpus = 1 + any(r, 5);
	c->watermarks = any(r, 5) != 0;
	c->direct_reclaim = any(r, 2) == 0 ? 0 : 1 + any(r, 20);
	zl_system_split_cpus(c);
	for (unsigned n = 0; n < c->nodes; n++) {
		for (unsigned t = ZL_ZONE_DMA; t <= ZL_ZONE_MOVABLE; t++) {
			if (any(r, 2) == 0 || (c->nr_zones == 0 && t == ZL_ZONE_NORMAL)) {
				random_zone(r, c, n, t);
				script_switches(&c->zone[c->nr_zones - 1].config, release);
			}
		}
	}
}

/* An op that is possible, or one that is refused. */
static void random_op(struct zl_rng *r, const struct zl_system *s, struct zl_op *op)
{
	static const uint8_t keys[] = {ZL_SIM_BELOW_HIGH, ZL_SIM_RECLAIM, ZL_SIM_WMARK_LOW,
		ZL_SIM_HIGH_FRACTION, ZL_SIM_PCP_DISABLED, ZL_SIM_MIN_FREE_KBYTES,
		ZL_SIM_SCALE_FACTOR, ZL_SIM_DIRECT_RECLAIM, ZL_SIM_BOOST_FACTOR};
	static const uint8_t kinds[] = {ZL_OP_TICK, ZL_OP_TICK, ZL_OP_DRAIN, ZL_OP_DRAINALL,
		ZL_OP_DRAINZONE, ZL_OP_CPU, ZL_OP_CPU, ZL_OP_OFFLINE, ZL_OP_ONLINE, ZL_OP_NODE,
		ZL_OP_ZONE, ZL_OP_RECLAIM, ZL_OP_SET, ZL_OP_SET, ZL_OP_CMA_ALLOC, ZL_OP_CMA_ALLOC,
		ZL_OP_PIN, ZL_OP_UNPIN, ZL_OP_BULK};
	const struct zl_system_config *c = zl_system_config(s);
	unsigned what = any(r, 10);

	memset(op, 0, sizeof(*op));
	op->id = any(r, IDS);
	if (what < 5) {
		op->kind = any(r, 8) == 0 ? ZL_OP_ALLOCHA : ZL_OP_ALLOC;
		op->order = (uint8_t)(any(r, 3) == 0 ? any(r, 7) : 0);
		op->mt = (uint8_t)any(r, 3);
		return;
	}
	if (what < 7) {
		op->kind = ZL_OP_FREE;
		return;
	}
	op->kind = kinds[any(r, sizeof(kinds))];
	op->arg = any(r, 12);
	op->key = op->kind == ZL_OP_SET ? keys[any(r, sizeof(keys))] : 0;
	if (op->kind == ZL_OP_NODE) {
		op->arg = any(r, 2) == 0 ? ZL_OP_LOCAL : any(r, c->nodes + 1);
	} else if (op->kind == ZL_OP_ZONE) {
		op->key = (uint8_t)(any(r, 2) == 0 ? ZL_OP_ANY_ZONE : any(r, 6));
	} else if (op->kind == ZL_OP_SET && op->key == ZL_SIM_MIN_FREE_KBYTES) {
		op->arg = any(r, 800);
	} else if (op->kind == ZL_OP_CMA_ALLOC) {
		op->arg = 1 + any(r, 40);
		op->order = (uint8_t)any(r, 4);
	}
}

/* The state that a request finds. */
struct found {
	bool low[ZL_SYSTEM_ZONES_MAX], min[ZL_SYSTEM_ZONES_MAX], above[ZL_SYSTEM_ZONES_MAX];
	unsigned list[ZL_SYSTEM_ZONES_MAX];
	unsigned n;
};

static void look(const struct zl_system *s, const struct zl_op *op, struct found *f)
{
	unsigned highest = op->mt == ZL_MIGRATE_MOVABLE ? ZL_ZONE_MOVABLE : ZL_ZONE_NORMAL;

	f->n = zl_system_zonelist(s, (enum zl_migratetype)op->mt, f->list);
	for (unsigned i = 0; i < f->n; i++) {
		const struct zl_sim *zone = zl_system_zone(s, f->list[i]);
		struct zl_watermark_question q = {.order = op->order,
			.mt = (enum zl_migratetype)op->mt,
			.mark = ZL_ALLOC_WMARK_LOW,
			.highest = highest};

		f->low[f->list[i]] = zl_sim_watermark_ok(zone, &q);
		q.mark = ZL_ALLOC_WMARK_HIGH;
		f->above[f->list[i]] = zl_sim_watermark_ok(zone, &q);
		q.mark = ZL_ALLOC_WMARK_MIN;
		q.atomic = op->kind == ZL_OP_ALLOCHA;
		f->min[f->list[i]] = zl_sim_watermark_ok(zone, &q);
	}
}

/* Only for requests that chose their zones by migratetype, without reclaim in between. */
static void check_request(const struct zl_system *s, const struct zl_op *op, const struct found *f)
{
	struct zl_system_record r;
	bool served;

	zl_system_record(s, &r);
	served = r.r.result == ZL_RESULT_PCP || r.r.result == ZL_RESULT_REFILL ||
		 r.r.result == ZL_RESULT_BUDDY;
	if (r.reclaimed > 0 || r.drained_all) {
		return;
	}
	assert_int_equal(served ? (int)r.zone : -1, zl_system_id_zone(s, op->id));
	if (served) {
		assert_true(f->low[r.zone] || f->min[r.zone] || f->above[r.zone]);
		return;
	}
	for (unsigned i = 0; i < f->n; i++) {
		/* What passes min may still have no block for it. */
		if (op->order == 0 && op->mt == ZL_MIGRATE_UNMOVABLE) {
			assert_false(f->low[f->list[i]] && f->above[f->list[i]]);
		}
	}
}

/* A total of the system is the sum of its zones' columns. Returns what was refused. */
static uint64_t check_totals(const struct zl_system *s)
{
	struct zl_system_totals all;
	uint64_t refused = 0, drained = 0, refills = 0;

	zl_system_totals(s, &all);
	for (unsigned i = 0; i < zl_system_zones(s); i++) {
		struct zl_totals t;

		zl_sim_totals(zl_system_zone(s, i), &t);
		refused += t.refused;
		drained += t.pages_drained;
		refills += t.refills;
	}
	assert_int_equal(refused, all.t.refused);
	assert_int_equal(drained, all.t.pages_drained);
	assert_int_equal(refills, all.t.refills);
	return refused;
}

static void check_conserved(const struct zl_system *s)
{
	struct zl_error err = {0};

	for (unsigned i = 0; i < zl_system_zones(s); i++) {
		struct zl_zone_view z;

		zl_sim_zone(zl_system_zone(s, i), &z);
		assert_int_equal(
			zl_system_config(s)->zone[i].config.pages, z.free + z.used + z.parked);
	}
	if (zl_system_check(s, &err) != 0) {
		fail_msg("%s", err.text);
	}
}

/* What run_machine() has done: ops that were possible, ops that zones refused. */
struct done {
	unsigned ops;
	uint64_t refused;
};

static uint64_t run_machine(const char *release, unsigned machine, struct done *ret_done)
{
	struct zl_system_config *c = malloc(sizeof(*c));
	struct zl_system *s = NULL;
	struct zl_error err = {0};
	struct zl_rng rng;
	bool any_zone = true;
	uint64_t digest;

	assert_non_null(c);
	zl_rng_init(&rng, 900 + machine);
	random_machine(&rng, c, release);
	if (zl_system_new(c, zl_allocator_heap(), &s, &err) != 0) {
		fail_msg("%s", err.text);
	}
	for (unsigned i = 0; i < OPS; i++) {
		struct found f;
		struct zl_op op;
		bool request;

		random_op(&rng, s, &op);
		request = op.kind == ZL_OP_ALLOC || op.kind == ZL_OP_ALLOCHA;
		look(s, &op, &f);
		if (zl_system_apply(s, &op) != 0) {
			assert_int_not_equal(0, zl_system_op_check(s, &op, NULL));
			continue;
		}
		ret_done->ops++;
		any_zone = op.kind == ZL_OP_ZONE ? op.key == ZL_OP_ANY_ZONE : any_zone;
		if (request && any_zone && c->watermarks) {
			check_request(s, &op, &f);
		}
		check_conserved(s);
	}
	ret_done->refused += check_totals(s);
	digest = zl_system_digest(s);
	zl_system_free(s);
	free(c);
	return digest;
}

static void pages_are_conserved_and_watermarks_hold(void **state)
{
	struct done done = {0};

	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned machine = 0; machine < MACHINES; machine++) {
			run_machine(mix_releases[r], machine, &done);
		}
	}
	/* Most random ops are possible. */
	assert_true(done.ops > mix_nr_releases * MACHINES * OPS / 2);
	assert_true(done.refused > 0);
}

static void the_same_ops_give_the_same_digest(void **state)
{
	struct done done = {0};

	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		assert_true(run_machine(mix_releases[r], 77, &done) ==
			    run_machine(mix_releases[r], 77, &done));
	}
}

struct tapped {
	struct zl_op op[TAPPED_MAX];
	unsigned n, zone;
};

static void note(void *user, unsigned zone, const struct zl_op *op)
{
	struct tapped *t = user;

	if (zone == t->zone && t->n < TAPPED_MAX) {
		t->op[t->n++] = *op;
	}
}

/* What reaches a zone are ops of that zone: replayed alone they give the same zone. */
static void the_ops_of_one_zone_replay_alone(void **state)
{
	static struct tapped t;
	static struct zl_system_config c;
	unsigned tapped = 0;

	(void)state;
	for (unsigned machine = 0; machine < 2 * MACHINES; machine++) {
		const struct zl_system_tap tap = {note, &t};
		struct zl_system *s = NULL;
		struct zl_sim *alone = NULL;
		struct zl_rng rng;

		zl_rng_init(&rng, 2000 + machine);
		random_machine(&rng, &c, mix_releases[machine % mix_nr_releases]);
		t.n = 0;
		t.zone = machine % c.nr_zones;
		assert_int_equal(0, zl_system_new(&c, zl_allocator_heap(), &s, NULL));
		zl_system_tap(s, &tap);
		for (unsigned i = 0; i < OPS; i++) {
			struct zl_op op;

			random_op(&rng, s, &op);
			int rc = zl_system_apply(s, &op);
			assert_true(rc == 0 || rc == -EINVAL);
		}
		assert_true(t.n < TAPPED_MAX);
		tapped += t.n;
		assert_int_equal(0, zl_sim_new(&zl_system_config(s)->zone[t.zone].config,
					    zl_allocator_heap(), &alone, NULL));
		assert_int_equal(0, zl_sim_run(alone, t.op, t.n, NULL));
		assert_true(zl_sim_digest(alone) == zl_sim_digest(zl_system_zone(s, t.zone)));
		zl_sim_free(alone);
		zl_system_free(s);
	}
	assert_true(tapped > 100 * MACHINES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_conserved_and_watermarks_hold),
		cmocka_unit_test(the_same_ops_give_the_same_digest),
		cmocka_unit_test(the_ops_of_one_zone_replay_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
