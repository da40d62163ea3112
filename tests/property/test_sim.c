/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random ops on random zones under every generation of the allocator: pages are conserved, lists
 * are consistent, clones are independent, an op happens whole or not at all.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mix.h"
#include "scarce.h"
#include "zonelab/file.h"

#define ZONES	   16
#define OPS	   200
#define CLONE_OPS  80
#define FAIL_ZONES 4
#define FAIL_OPS   120

static void apply_checked(struct zl_sim *sim, const struct zl_op *op, unsigned zone)
{
	struct zl_error err = {0};
	char text[64];

	zl_op_format(op, text, sizeof(text));
	if (zl_sim_apply(sim, op) != 0) {
		zl_sim_op_check(sim, op, &err);
		fail_msg("zone %u: %s: %s", zone, text, err.text);
	}
	if (zl_sim_check(sim, &err) != 0) {
		fail_msg("zone %u: after %s: %s", zone, text, err.text);
	}
}

static uint64_t run_zone(const char *release, unsigned zone)
{
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct mix m;
	uint64_t digest;

	mix_init(&m, zone);
	mix_zone(&m.rng, &c);
	sim = script_sim(&c, release);
	for (unsigned i = 0; i < OPS; i++) {
		struct zl_zone_view z;
		struct zl_op op;

		mix_next(&m, sim, &op);
		apply_checked(sim, &op, zone);
		zl_sim_zone(sim, &z);
		assert_int_equal(c.pages, z.free + z.used + z.parked);
	}
	digest = zl_sim_digest(sim);
	zl_sim_free(sim);
	return digest;
}

static void pages_are_conserved_and_lists_agree(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 0; zone < ZONES; zone++) {
			run_zone(mix_releases[r], zone);
		}
	}
}

static void the_same_ops_give_the_same_digest(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 100; zone < 104; zone++) {
			assert_true(
				run_zone(mix_releases[r], zone) == run_zone(mix_releases[r], zone));
		}
	}
}

static void ignore_record(void *user, const struct zl_sim *sim, const struct zl_record *record)
{
	struct zl_record now;

	zl_sim_record(sim, &now);
	assert_int_equal(record->index, now.index);
	++*(unsigned *)user;
}

/* Ops that somebody watches take no short cuts; each gives the same record and the same state. */
static void watching_changes_nothing(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 500; zone < 510; zone++) {
			unsigned seen = 0;
			struct zl_observer o = {.record = ignore_record, .user = &seen};
			struct zl_sim *watched, *alone;
			struct zl_sim_config c;
			struct mix m;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			watched = script_sim(&c, mix_releases[r]);
			alone = script_sim(&c, mix_releases[r]);
			zl_sim_subscribe(watched, &o);
			for (unsigned i = 0; i < OPS; i++) {
				struct zl_record a, b;
				struct zl_op op;

				mix_next(&m, watched, &op);
				assert_int_equal(0, zl_sim_apply(watched, &op));
				assert_int_equal(0, zl_sim_apply(alone, &op));
				zl_sim_record(watched, &a);
				zl_sim_record(alone, &b);
				assert_memory_equal(&a, &b, sizeof(a));
				assert_true(zl_sim_digest(watched) == zl_sim_digest(alone));
			}
			assert_int_equal(OPS, seen);
			zl_sim_unsubscribe(watched, &o);
			zl_sim_free(watched);
			zl_sim_free(alone);
		}
	}
}

/* What a record says an op did. */
static unsigned did(const struct zl_record *r)
{
	unsigned d = 0;

	d |= r->refills > 0 ? ZL_DID_REFILL : 0u;
	d |= r->fallbacks > 0 ? ZL_DID_FALLBACK : 0u;
	d |= r->result == ZL_RESULT_FAIL ? ZL_DID_FAIL : 0u;
	d |= r->free_high ? ZL_DID_FLUSH : 0u;
	d |= r->op.kind == ZL_OP_TICK && r->result_value > 0 ? ZL_DID_DECAY : 0u;
	d |= r->op.kind != ZL_OP_TICK && !r->free_high && r->drained > 0 ? ZL_DID_DRAIN : 0u;
	return d;
}

/* Runs some ops in one go, and one by one; returns how many. */
static size_t glance_of_records(
	struct zl_sim *many, struct zl_sim *one, const struct zl_op *ops, size_t n)
{
	struct zl_glance g;
	unsigned seen = 0;
	int32_t count = INT32_MIN, free_count = INT32_MIN;

	assert_int_equal(0, zl_sim_run_glance(many, ops, n, &g));
	assert_true(g.done > 0 && g.done <= n && g.done <= ZL_GLANCE_OPS);
	for (size_t i = 0; i < g.done; i++) {
		bool marked = (g.marked >> i & 1) != 0;
		struct zl_record r;

		assert_int_equal(0, zl_sim_apply(one, &ops[i]));
		zl_sim_record(one, &r);
		assert_int_equal(r.cpu, g.cpu);
		count = r.count > count ? r.count : count;
		free_count = r.free_count > free_count ? r.free_count : free_count;
		assert_int_equal(did(&r), marked ? g.did[seen] & ~(unsigned)ZL_DID_FLUSH_ONE : 0u);
		seen += marked ? 1 : 0;
		assert_true(i + 1 == g.done || !zl_op_of_all(ops[i].kind));
		assert_int_equal(i + 1 == g.done ? g.count : r.count, r.count);
	}
	assert_int_equal(seen, g.nr_did);
	assert_int_equal(count, g.count_max);
	assert_int_equal(free_count, g.free_max);
	return g.done;
}

/* Ops in one go leave the same state as one by one, and a glance says what the record says. */
static void glances_say_what_records_say(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 700; zone < 706; zone++) {
			static struct zl_op ops[OPS];
			struct zl_sim *one, *many;
			struct zl_sim_config c;
			struct mix m;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			one = script_sim(&c, mix_releases[r]);
			many = script_sim(&c, mix_releases[r]);
			for (unsigned i = 0; i < OPS; i++) {
				mix_next(&m, one, &ops[i]);
				assert_int_equal(0, zl_sim_apply(one, &ops[i]));
			}
			zl_sim_free(one);
			one = script_sim(&c, mix_releases[r]);
			for (size_t i = 0; i < OPS;) {
				i += glance_of_records(many, one, ops + i, OPS - i);
			}
			assert_true(zl_sim_digest(one) == zl_sim_digest(many));
			zl_sim_free(one);
			zl_sim_free(many);
		}
	}
}

/* A zone of 384 GiB is opened by its size on paper, and by what is touched from then on. */
static void a_large_zone_costs_what_is_touched(void **state)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		script_zone(&c, 10, 9, 0);
		c.pages = i == 0 ? UINT64_C(100663296) : UINT64_C(3221225472);
		c.managed = c.pages;
		c.batch = ZL_SIM_COMPUTED;
		c.high_min = ZL_SIM_COMPUTED;
		c.high_max = ZL_SIM_COMPUTED;
		c.cpus = 192;
		c.thp = true;
		sim = script_sim(&c, "7.1.3");
		assert_true(zl_sim_bytes(sim) < (UINT64_C(8) << 20));
		for (unsigned id = 0; id < 20000; id++) {
			struct zl_op op = {.kind = ZL_OP_ALLOC,
				.order = (uint8_t)(id % 4),
				.mt = (uint8_t)(id % 3)};

			op.id = id;
			assert_int_equal(0, zl_sim_apply(sim, &op));
		}
		assert_int_equal(0, zl_sim_check(sim, NULL));
		assert_true(zl_sim_bytes(sim) < (UINT64_C(16) << 20));
		zl_sim_free(sim);
	}
}

/* Freeing everything and draining gives a zone whose pages are all in the buddy again. */
static void what_was_freed_is_free(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 200; zone < 205; zone++) {
			const struct zl_op drain = {.kind = ZL_OP_DRAINALL};
			struct zl_sim_config c;
			struct zl_zone_view z;
			struct zl_sim *sim;
			struct mix m;
			struct zl_op op;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			sim = script_sim(&c, mix_releases[r]);
			for (unsigned i = 0; i < OPS; i++) {
				mix_next(&m, sim, &op);
				assert_int_equal(0, zl_sim_apply(sim, &op));
			}
			for (unsigned id = 0; id < MIX_IDS; id++) {
				op = (struct zl_op){.kind = ZL_OP_FREE, .id = id};
				apply_checked(sim, &op, zone);
			}
			apply_checked(sim, &drain, zone);
			zl_sim_zone(sim, &z);
			assert_int_equal(c.pages, z.free);
			assert_int_equal(0, z.used + z.parked);
			zl_sim_free(sim);
		}
	}
}

/* A clone goes on as its original would have, and neither sees what the other does. */
static void clones_are_independent(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 300; zone < 306; zone++) {
			struct zl_sim *sim, *clone, *second;
			struct zl_sim_config c;
			struct mix m, copy;
			struct zl_op op;
			uint64_t digest;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			sim = script_sim(&c, mix_releases[r]);
			for (unsigned i = 0; i < CLONE_OPS; i++) {
				mix_next(&m, sim, &op);
				assert_int_equal(0, zl_sim_apply(sim, &op));
			}
			digest = zl_sim_digest(sim);
			assert_int_equal(0, zl_sim_clone(sim, &clone));
			assert_true(zl_sim_digest(clone) == digest);
			copy = m;
			for (unsigned i = 0; i < CLONE_OPS; i++) {
				mix_next(&m, clone, &op);
				apply_checked(clone, &op, zone);
			}
			assert_true(zl_sim_digest(sim) == digest);
			assert_int_equal(0, zl_sim_check(sim, NULL));
			assert_int_equal(0, zl_sim_clone(clone, &second));
			for (unsigned i = 0; i < CLONE_OPS; i++) {
				mix_next(&copy, sim, &op);
				apply_checked(sim, &op, zone);
			}
			assert_true(zl_sim_digest(sim) == zl_sim_digest(clone));
			zl_sim_free(clone);
			for (unsigned i = 0; i < CLONE_OPS; i++) {
				mix_next(&copy, sim, &op);
				apply_checked(sim, &op, zone);
				apply_checked(second, &op, zone);
			}
			assert_true(zl_sim_digest(sim) == zl_sim_digest(second));
			zl_sim_free(sim);
			zl_sim_free(second);
		}
	}
}

/* Kept states of two runs: what is equal is shared, and neither they nor the runs change. */
static void kept_states_share_what_is_equal(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 700; zone < 706; zone++) {
			struct zl_sim *sim[2], *kept[2][2], *again;
			uint64_t digest[2][2];
			struct zl_sim_config c;
			struct mix m;
			struct zl_op op;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			sim[0] = script_sim(&c, mix_releases[r]);
			sim[1] = script_sim(&c, mix_releases[(r + zone) % mix_nr_releases]);
			for (unsigned k = 0; k < 2; k++) {
				for (unsigned i = 0; i < CLONE_OPS; i++) {
					mix_next(&m, sim[0], &op);
					apply_checked(sim[0], &op, zone);
					(void)zl_sim_apply(sim[1], &op);
				}
				for (unsigned i = 0; i < 2; i++) {
					assert_int_equal(0, zl_sim_clone(sim[i], &kept[k][i]));
					digest[k][i] = zl_sim_digest(kept[k][i]);
				}
				zl_sim_share(kept[k][1], kept[k][0]);
			}
			for (unsigned k = 0; k < 4; k++) {
				struct zl_sim *one = kept[k / 2][k % 2];

				assert_true(zl_sim_digest(one) == digest[k / 2][k % 2]);
				assert_int_equal(0, zl_sim_check(one, NULL));
				assert_int_equal(0, zl_sim_clone(one, &again));
				zl_sim_free(one);
				for (unsigned i = 0; i < CLONE_OPS; i++) {
					mix_next(&m, again, &op);
					(void)zl_sim_apply(again, &op);
				}
				assert_int_equal(0, zl_sim_check(again, NULL));
				zl_sim_free(again);
			}
			assert_true(zl_sim_digest(sim[0]) == digest[1][0]);
			assert_true(zl_sim_digest(sim[1]) == digest[1][1]);
			zl_sim_free(sim[0]);
			zl_sim_free(sim[1]);
		}
	}
}

/* One op with little memory: refused without a trace, and possible once there is memory again. */
static void apply_or_nothing(
	struct zl_sim *sim, const struct zl_op *op, struct scarce *scarce, unsigned left)
{
	uint64_t digest = zl_sim_digest(sim);
	int rc;

	scarce->left = left;
	rc = zl_sim_apply(sim, op);
	scarce->left = SCARCE_NEVER;
	if (rc != 0) {
		assert_int_equal(-ENOMEM, rc);
		assert_true(zl_sim_digest(sim) == digest);
		assert_int_equal(0, zl_sim_check(sim, NULL));
		assert_int_equal(0, zl_sim_apply(sim, op));
	}
	assert_int_equal(0, zl_sim_check(sim, NULL));
}

static void without_memory_an_op_does_not_happen_at_all(void **state)
{
	(void)state;
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 400; zone < 400 + FAIL_ZONES; zone++) {
			struct scarce scarce;
			struct zl_sim *sim = NULL, *keep = NULL;
			struct zl_sim_config c;
			struct mix m;

			mix_init(&m, zone);
			mix_zone(&m.rng, &c);
			script_switches(&c, mix_releases[r]);
			scarce_init(&scarce, SCARCE_NEVER);
			assert_int_equal(0, zl_sim_new(&c, &scarce.allocator, &sim, NULL));
			for (unsigned i = 0; i < FAIL_OPS; i++) {
				struct zl_op op;

				mix_next(&m, sim, &op);
				apply_or_nothing(sim, &op, &scarce, i % 7);
				/* From time to time everything is shared again. */
				if (i % 13 == 0) {
					zl_sim_free(keep);
					assert_int_equal(0, zl_sim_clone(sim, &keep));
				}
			}
			zl_sim_free(keep);
			zl_sim_free(sim);
		}
	}
}

static void without_memory_no_zone_and_no_clone_is_made(void **state)
{
	struct scarce scarce;
	struct zl_sim *sim = NULL, *clone = NULL;
	struct zl_sim_config c;
	unsigned n = 0;

	(void)state;
	scarce_init(&scarce, 0);
	script_zone(&c, 10, 9, 5000);
	c.cma = true;
	c.cma_start = 512;
	c.cma_pages = 1024;
	script_switches(&c, "7.1.3");
	for (;; n++) {
		struct zl_error err = {0};

		scarce.left = n;
		if (zl_sim_new(&c, &scarce.allocator, &sim, &err) == 0) {
			break;
		}
		assert_true(err.text[0] != '\0');
	}
	assert_true(n > 3);
	for (n = 0;; n++) {
		scarce.left = n;
		if (zl_sim_clone(sim, &clone) == 0) {
			break;
		}
		assert_int_equal(0, zl_sim_check(sim, NULL));
	}
	assert_int_equal(5, n);
	zl_sim_free(sim);
	zl_sim_free(clone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_conserved_and_lists_agree),
		cmocka_unit_test(the_same_ops_give_the_same_digest),
		cmocka_unit_test(watching_changes_nothing),
		cmocka_unit_test(glances_say_what_records_say),
		cmocka_unit_test(a_large_zone_costs_what_is_touched),
		cmocka_unit_test(what_was_freed_is_free),
		cmocka_unit_test(clones_are_independent),
		cmocka_unit_test(kept_states_share_what_is_equal),
		cmocka_unit_test(without_memory_an_op_does_not_happen_at_all),
		cmocka_unit_test(without_memory_no_zone_and_no_clone_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
