/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random ops: the totals of a run are the sums of what its records say, op by op. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"

#define ZONES 16
#define OPS   400

/* What the records of a run add up to. */
struct sums {
	struct zl_totals t;
	uint64_t fallbacks;
	uint64_t reserved; /* pages that became HIGHATOMIC */
};

static void add_reason(struct sums *s, enum zl_reason reason)
{
	switch ((unsigned)reason) {
	case ZL_REASON_FREE_OVER_HIGH:
	case ZL_REASON_FREE_DISABLED:
		s->t.drains_over++;
		break;
	case ZL_REASON_FREE_OVER_RECLAIM:
		s->t.drains_reclaim++;
		break;
	case ZL_REASON_FREE_OVER_BELOW:
		s->t.drains_below++;
		break;
	case ZL_REASON_TICK_DECAY_DRAIN:
		s->t.drains_decay++;
		break;
	case ZL_REASON_TICK_EXPIRE_DRAIN:
		s->t.drains_expire++;
		break;
	default:
		break;
	}
}

static void add_record(struct sums *s, const struct zl_record *r)
{
	struct zl_totals *t = &s->t;

	t->ops++;
	t->allocs += r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_ALLOCHA ||
		     r->op.kind == ZL_OP_BULK;
	t->frees += r->op.kind == ZL_OP_FREE;
	t->refills += r->refills;
	t->blocks_refilled += r->refill_got;
	t->free_high += r->free_high;
	t->pages_drained += r->drained;
	t->bulk_calls += r->bulk_calls;
	t->zone_locks += r->zone_locks;
	t->merges += r->merges;
	t->failed += r->result == ZL_RESULT_FAIL;
	t->direct_buddy += r->result == ZL_RESULT_BUDDY;
	if (r->longest_hold > t->longest_hold_pages) {
		t->longest_hold_pages = r->longest_hold;
	}
	s->fallbacks += r->fallbacks;
	add_reason(s, r->reason);
}

static uint64_t reserved_now(const struct zl_sim *sim)
{
	struct zl_zone_view z;

	zl_sim_zone(sim, &z);
	return (uint64_t)z.reserved_highatomic;
}

#define SAME(member)                                                                               \
	do {                                                                                       \
		if (t.member != s->t.member) {                                                     \
			fail_msg("%s, zone %u, op %u: " #member " is %llu, the records say %llu",  \
				release, zone, op, (unsigned long long)t.member,                   \
				(unsigned long long)s->t.member);                                  \
		}                                                                                  \
	} while (0)

static void compare(const struct zl_sim *sim, const struct sums *s, const char *release,
	unsigned zone, unsigned op)
{
	struct zl_totals t;

	zl_sim_totals(sim, &t);
	SAME(ops);
	SAME(allocs);
	SAME(frees);
	SAME(refills);
	SAME(blocks_refilled);
	SAME(free_high);
	SAME(pages_drained);
	SAME(bulk_calls);
	SAME(zone_locks);
	SAME(merges);
	SAME(failed);
	SAME(direct_buddy);
	SAME(longest_hold_pages);
	SAME(drains_over);
	SAME(drains_reclaim);
	SAME(drains_below);
	SAME(drains_decay);
	SAME(drains_expire);
	assert_int_equal(s->fallbacks, t.whole + t.claims + t.moves + t.steals + t.cma_takes);
	assert_int_equal(s->reserved, t.highatomic_reserved << zl_sim_config(sim)->pageblock_order);
}

static void add_all(struct zl_totals *sum, const struct sums *s)
{
	sum->free_high += s->t.free_high;
	sum->failed += s->t.failed;
	sum->direct_buddy += s->t.direct_buddy;
	sum->drains_over += s->t.drains_over;
	sum->drains_reclaim += s->t.drains_reclaim;
	sum->drains_below += s->t.drains_below;
	sum->drains_decay += s->t.drains_decay;
	sum->drains_expire += s->t.drains_expire;
	sum->highatomic_reserved += s->reserved;
	sum->whole += s->fallbacks;
}

static void run_zone(const char *release, unsigned zone, struct zl_totals *sum)
{
	struct sums s = {.reserved = 0};
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct mix m;

	mix_init(&m, 3000 + zone);
	mix_zone(&m.rng, &c);
	sim = script_sim(&c, release);
	for (unsigned op = 0; op < OPS; op++) {
		uint64_t before = reserved_now(sim);
		struct zl_record r;
		struct zl_op next;

		mix_next(&m, sim, &next);
		assert_int_equal(0, zl_sim_apply(sim, &next));
		zl_sim_record(sim, &r);
		add_record(&s, &r);
		s.reserved += reserved_now(sim) > before ? reserved_now(sim) - before : 0;
		compare(sim, &s, release, zone, op);
	}
	add_all(sum, &s);
	zl_sim_free(sim);
}

static void totals_are_the_sums_of_records(void **state)
{
	struct zl_totals sum;

	(void)state;
	memset(&sum, 0, sizeof(sum));
	for (size_t r = 0; r < mix_nr_releases; r++) {
		for (unsigned zone = 0; zone < ZONES; zone++) {
			run_zone(mix_releases[r], zone, &sum);
		}
	}
	/* Each of them was seen. */
	assert_true(sum.free_high > 0 && sum.failed > 0 && sum.direct_buddy > 0);
	assert_true(sum.drains_over > 0 && sum.drains_reclaim > 0 && sum.drains_below > 0);
	assert_true(sum.drains_decay > 0 && sum.drains_expire > 0);
	assert_true(sum.highatomic_reserved > 0 && sum.whole > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_the_sums_of_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
