/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random ops with contiguous allocations, pinned blocks, CPUs that go and come, and requests under
 * watermarks: pages are conserved, a failed cma_alloc changes nothing but where pages lie, ids keep
 * their blocks, watermarks hold, an op happens whole or not at all.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"
#include "scarce.h"
#include "zonelab/cma_bitmap.h"
#include "zonelab/file.h"

#define ZONES	   40
#define OPS	   150
#define FAIL_ZONES 6
#define AREA_RUNS  60
#define AREA_OPS   40

static void fail_at(unsigned zone, const struct zl_op *op, const char *why)
{
	char text[64];

	zl_op_format(op, text, sizeof(text));
	fail_msg("zone %u: %s: %s", zone, text, why);
}

static void next(struct mix *m, const struct zl_sim *sim, struct zl_op *op)
{
	if (zl_rng_below(&m->rng, 3) != 0 || !mix_next_later(m, sim, op)) {
		do {
			mix_next(m, sim, op);
		} while (op->kind == ZL_OP_CPU && !zl_sim_cpu_online(sim, op->arg));
	}
}

/* What an op must leave alone. */
struct before {
	struct zl_zone_view zone;
	uint32_t pages[MIX_IDS];
	int64_t pfn[MIX_IDS];
};

static void look(const struct zl_sim *sim, struct before *ret)
{
	zl_sim_zone(sim, &ret->zone);
	for (uint32_t id = 0; id < MIX_IDS; id++) {
		ret->pages[id] = zl_sim_id_pages(sim, id);
		ret->pfn[id] = zl_sim_id_pfn(sim, id);
	}
}

static void check_cma(const struct zl_sim *sim, const struct zl_op *op, const struct before *b)
{
	const struct zl_sim_config *c = zl_sim_config(sim);
	struct zl_zone_view z;
	struct zl_record r;

	zl_sim_record(sim, &r);
	zl_sim_zone(sim, &z);
	assert_int_equal(0, z.isolated);
	for (uint32_t id = 0; id < MIX_IDS; id++) {
		if (id != op->id) {
			assert_int_equal(b->pages[id], zl_sim_id_pages(sim, id));
		}
	}
	if (r.result != ZL_RESULT_OK) {
		assert_true(r.result == ZL_RESULT_EBUSY || r.result == ZL_RESULT_ENOMEM);
		assert_int_equal(b->zone.used, z.used);
		assert_int_equal(b->zone.cma_used, z.cma_used);
		return;
	}
	assert_int_equal(b->zone.used + op->arg, z.used);
	assert_int_equal(op->arg, zl_sim_id_pages(sim, op->id));
	assert_int_equal(0, r.pfn % (1 << op->order));
	assert_true(r.pfn >= (int64_t)c->cma_start);
	assert_true(r.pfn + op->arg <= (int64_t)(c->cma_start + c->cma_pages));
}

/* A request under a watermark that was served left it intact, or found the zone above high. */
static void check_watermark(
	const struct zl_sim *sim, const struct zl_op *op, const struct before *b)
{
	struct zl_watermark_question q = {.order = op->order,
		.mt = (enum zl_migratetype)op->mt,
		.mark = op->key & ZL_ALLOC_WMARK_MASK,
		.atomic = op->kind == ZL_OP_ALLOCHA};
	struct zl_record r;

	zl_sim_record(sim, &r);
	if (q.mark == 0) {
		assert_int_not_equal(ZL_RESULT_REFUSED, r.result);
	} else if (r.result == ZL_RESULT_REFUSED) {
		/* Nothing has changed but, perhaps, the flag. */
		assert_int_equal(b->zone.free, r.buddy_free);
		assert_false(zl_sim_watermark_ok(sim, &q));
	}
}

static void check_one(const struct zl_sim *sim, const struct zl_op *op, const struct before *b)
{
	struct zl_zone_view z;

	zl_sim_zone(sim, &z);
	assert_int_equal(zl_sim_config(sim)->pages, z.free + z.used + z.parked);
	if (op->kind == ZL_OP_CMA_ALLOC) {
		check_cma(sim, op, b);
	} else if (op->kind == ZL_OP_ALLOC || op->kind == ZL_OP_ALLOCHA) {
		check_watermark(sim, op, b);
	} else if (op->kind == ZL_OP_OFFLINE) {
		struct zl_pageset_view v;

		zl_sim_pageset(sim, op->arg, &v);
		assert_int_equal(0, v.count);
		assert_int_equal(b->zone.used, z.used);
	} else if (op->kind == ZL_OP_PIN || op->kind == ZL_OP_UNPIN) {
		assert_int_equal(b->pfn[op->id], zl_sim_id_pfn(sim, op->id));
	}
}

static void run_zone(const char *release, unsigned zone)
{
	struct before *b = malloc(sizeof(*b));
	struct zl_error err = {0};
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct mix m;

	assert_non_null(b);
	mix_init(&m, 5000 + zone);
	mix_zone(&m.rng, &c);
	sim = script_sim(&c, release);
	for (unsigned i = 0; i < OPS; i++) {
		struct zl_op op;

		next(&m, sim, &op);
		look(sim, b);
		if (zl_sim_apply(sim, &op) != 0) {
			zl_sim_op_check(sim, &op, &err);
			fail_at(zone, &op, err.text);
		}
		if (zl_sim_check(sim, &err) != 0) {
			fail_at(zone, &op, err.text);
		}
		check_one(sim, &op, b);
	}
	zl_sim_free(sim);
	free(b);
}

static void pages_are_conserved_and_cma_alloc_is_all_or_nothing(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 0; zone < ZONES; zone++) {
			run_zone(mix_releases[r], zone);
		}
	}
}

static void apply_with_little_memory(
	struct zl_sim *sim, const struct zl_op *op, struct scarce *scarce)
{
	uint64_t was = zl_sim_digest(sim);
	int rc;

	for (size_t left = 0;; left = left * 2 + 1) {
		scarce->left = left;
		rc = zl_sim_apply(sim, op);
		scarce->left = SCARCE_NEVER;
		if (rc != -ENOMEM) {
			break;
		}
		assert_true(was == zl_sim_digest(sim));
	}
	assert_int_equal(0, rc);
}

static void an_op_happens_whole_or_not_at_all(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 0; zone < FAIL_ZONES; zone++) {
			struct scarce scarce;
			struct zl_sim *sim = NULL, *clone = NULL;
			struct zl_sim_config c;
			struct mix m;

			mix_init(&m, 7000 + zone);
			mix_zone(&m.rng, &c);
			script_switches(&c, mix_releases[r]);
			scarce_init(&scarce, SCARCE_NEVER);
			assert_int_equal(0, zl_sim_new(&c, &scarce.allocator, &sim, NULL));
			for (unsigned i = 0; i < OPS; i++) {
				struct zl_op op;

				if (i % 20 == 10) {
					/* Everything is shared now. */
					zl_sim_free(clone);
					assert_int_equal(0, zl_sim_clone(sim, &clone));
				}
				next(&m, sim, &op);
				apply_with_little_memory(sim, &op, &scarce);
			}
			assert_int_equal(0, zl_sim_check(sim, NULL));
			zl_sim_free(clone);
			zl_sim_free(sim);
		}
	}
}

#define AREA_START 512
#define AREA_PAGES 512

/* A zone and, beside it, its area as a list of bits. */
struct pair {
	struct zl_rng rng;
	struct zl_sim *sim;
	uint8_t used[AREA_PAGES];
	struct zl_cma_area area;
	struct zl_cma_alloc held[AREA_OPS];
};

/* All of CMA in movable pages, some of them pinned. */
static void pair_start(struct pair *p, unsigned run)
{
	struct zl_sim_config c;

	memset(p, 0, sizeof(*p));
	zl_rng_init(&p->rng, run);
	script_zone(&c, 6, 5, 2048);
	c.managed = 2048;
	c.cma = true;
	c.cma_start = AREA_START;
	c.cma_pages = AREA_PAGES;
	p->sim = script_sim(&c, mix_releases[run % mix_nr_releases]);
	p->area =
		(struct zl_cma_area){.base_pfn = AREA_START, .pages = AREA_PAGES, .used = p->used};
	for (uint32_t id = 1000; id < 2024; id++) {
		struct zl_op op = {.kind = ZL_OP_ALLOC, .mt = ZL_MIGRATE_MOVABLE, .id = id};
		int64_t pfn;

		assert_int_equal(0, zl_sim_apply(p->sim, &op));
		pfn = zl_sim_id_pfn(p->sim, id) - AREA_START;
		if (pfn >= 0 && pfn < AREA_PAGES && zl_rng_below(&p->rng, 40) == 0) {
			op.kind = ZL_OP_PIN;
			assert_int_equal(0, zl_sim_apply(p->sim, &op));
			p->area.pin[p->area.nr_pins].start = (uint64_t)pfn;
			p->area.pin[p->area.nr_pins++].pages = 1;
		}
	}
}

static void pair_free(struct pair *p, uint32_t id)
{
	struct zl_op op = {.kind = ZL_OP_FREE, .id = id};

	if (zl_sim_id_pages(p->sim, id) > 0) {
		zl_cma_area_release(&p->area, &p->held[id]);
	}
	assert_int_equal(0, zl_sim_apply(p->sim, &op));
}

static void pair_alloc(struct pair *p, uint32_t id)
{
	struct zl_cma_alloc *want = &p->held[id];
	struct zl_op op = {.kind = ZL_OP_CMA_ALLOC, .id = id};
	struct zl_record r;

	op.arg = 1 + (uint32_t)zl_rng_below(&p->rng, 60);
	op.order = (uint8_t)zl_rng_below(&p->rng, 5);
	*want = (struct zl_cma_alloc){.pages = op.arg, .align_order = op.order};
	zl_cma_area_alloc(&p->area, want);
	assert_int_equal(0, zl_sim_apply(p->sim, &op));
	zl_sim_record(p->sim, &r);
	assert_int_equal(want->tries, r.tries);
	switch (want->result) {
	case ZL_CMA_OK:
		assert_int_equal(ZL_RESULT_OK, r.result);
		assert_int_equal(AREA_START + want->start, r.pfn);
		break;
	case ZL_CMA_EBUSY:
		assert_int_equal(ZL_RESULT_EBUSY, r.result);
		break;
	case ZL_CMA_ENOMEM:
	case ZL_CMA_RESULT_COUNT:
		assert_int_equal(ZL_RESULT_ENOMEM, r.result);
		break;
	}
}

/* The area as a list of bits gives the same answers as the zone: same start, same tries. */
static void the_zone_answers_as_the_bitmap_does(void **state)
{
	static struct pair p;

	(void)state;
	for (unsigned run = 0; run < AREA_RUNS; run++) {
		pair_start(&p, run);
		for (uint32_t id = 0; id < AREA_OPS; id++) {
			if (id > 4 && zl_rng_below(&p.rng, 3) == 0) {
				pair_free(&p, (uint32_t)zl_rng_below(&p.rng, id));
			}
			pair_alloc(&p, id);
		}
		assert_int_equal(0, zl_sim_check(p.sim, NULL));
		zl_sim_free(p.sim);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_conserved_and_cma_alloc_is_all_or_nothing),
		cmocka_unit_test(an_op_happens_whole_or_not_at_all),
		cmocka_unit_test(the_zone_answers_as_the_bitmap_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
