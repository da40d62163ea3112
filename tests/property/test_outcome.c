/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random ops in two zones under two releases: the quick answer whether they did the same is the
 * answer of their records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"
#include "zonelab/file.h"
#include "zonelab/outcome.h"

#define ZONES 12
#define OPS   400

struct pair {
	struct zl_sim *sim[2];
	struct zl_outcome outcome[2];
	unsigned same, differ;
};

static void compare(struct pair *p, unsigned zone, unsigned op)
{
	struct zl_record a, b;
	bool same = zl_outcome_same(&p->outcome[0], &p->outcome[1]);

	zl_sim_record(p->sim[0], &a);
	zl_sim_record(p->sim[1], &b);
	uint32_t bits = zl_outcome_differs(&a, &b) & ZL_OUTCOME_DIVERGES;
	if (same != (bits == 0)) {
		fail_msg("zone %u, op %u: %s, but columns %x", zone, op,
			same ? "the same" : "different", (unsigned)bits);
	}
	p->same += same ? 1 : 0;
	p->differ += same ? 0 : 1;
}

static void run_pair(struct pair *p, unsigned zone, const char *ra, const char *rb)
{
	struct zl_sim_config c;
	struct mix m;

	mix_init(&m, zone);
	mix_zone(&m.rng, &c);
	p->sim[0] = script_sim(&c, ra);
	p->sim[1] = script_sim(&c, rb);
	for (unsigned i = 0; i < 2; i++) {
		zl_outcome_start(&p->outcome[i], p->sim[i]);
	}
	for (unsigned op = 0; op < OPS; op++) {
		struct zl_op next;

		mix_next(&m, p->sim[0], &next);
		for (unsigned i = 0; i < 2; i++) {
			if (zl_sim_apply(p->sim[i], &next) != 0) {
				struct zl_op nothing = {
					.kind = ZL_OP_CPU, .arg = zl_sim_cpu(p->sim[i])};
				assert_int_equal(0, zl_sim_apply(p->sim[i], &nothing));
			}
			zl_outcome_note(&p->outcome[i]);
		}
		compare(p, zone, op);
	}
	zl_sim_free(p->sim[0]);
	zl_sim_free(p->sim[1]);
}

static void the_quick_answer_is_that_of_the_records(void **state)
{
	struct pair p = {0};

	(void)state;
	for (size_t a = 0; a < mix_nr_releases; a++) {
		for (size_t b = a; b < mix_nr_releases; b++) {
			for (unsigned zone = 0; zone < ZONES; zone++) {
				run_pair(&p, zone, mix_releases[a], mix_releases[b]);
			}
		}
	}
	assert_true(p.same > 1000 && p.differ > 1000);
}

/* Every field of a record that is a divergence has a column, and no other makes one. */
static void every_column_says_its_field(void **state)
{
	struct zl_record a, b;

	(void)state;
	memset(&a, 0, sizeof(a));
	a.tuned = true;
	a.nr_lists = ZL_PCP_LISTS_MAX;
	for (size_t i = 0; i < sizeof(a); i++) {
		b = a;
		((unsigned char *)&b)[i] ^= 1;
		uint32_t bits = zl_outcome_differs(&a, &b);
		/* At most one column, but for `tuned`, which brings and takes several. */
		if (i != offsetof(struct zl_record, tuned)) {
			assert_int_equal(0, bits & (bits - 1));
		}
	}
	const struct zl_op ops[] = {
		{.kind = 1}, {.order = 1}, {.mt = 1}, {.key = 1}, {.id = 1}, {.arg = 1}};
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		b = a;
		b.op = ops[i];
		assert_int_equal(UINT32_C(1) << ZL_OUTCOME_OP, zl_outcome_differs(&a, &b));
	}
	for (unsigned c = 0; c < ZL_OUTCOME_COLUMNS; c++) {
		assert_non_null(zl_outcome_name((enum zl_outcome_column)c));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_quick_answer_is_that_of_the_records),
		cmocka_unit_test(every_column_says_its_field),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
