/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why two lanes differ on an op: a sentence for each kind of difference, from records by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "comparison.h"

/* Two lanes, and what each did on the op: alike until a test changes one. */
struct pair {
	struct comparison *c;
	struct zl_record a, b;
};

static void start(struct pair *p, struct comparison *c)
{
	memset(c, 0, sizeof(*c));
	memset(p, 0, sizeof(*p));
	p->c = c;
	c->nr_lanes = 2;
	strcpy(c->lane[0].name, "A");
	strcpy(c->lane[1].name, "B");
	c->lane[0].config.switches.design = ZL_DESIGN_C;
	c->lane[1].config.switches.design = ZL_DESIGN_C;
	p->a.op = (struct zl_op){.kind = ZL_OP_FREE, .id = 7};
	p->a.tuned = true;
	p->a.threshold_exists = true;
	p->a.batch = 63;
	p->a.high_min = 583;
	p->a.threshold = 63 + 583 / 2;
	p->a.pfn = -1;
	p->a.nr_lists = ZL_PCP_LOW_LISTS;
	p->a.max_order = 10;
	p->b = p->a;
}

static void says(const struct pair *p, const char *text)
{
	char why[COMPARE_WHY];

	comparison_why(p->c, (struct compare_seen){0, &p->a}, (struct compare_seen){1, &p->b}, why,
		sizeof(why));
	assert_string_equal(text, why);
}

static void the_same_op_needs_no_sentence(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.b.high = 900; /* a figure of the rules alone is no divergence */
	assert_int_equal(0,
		comparison_why(&c, (struct compare_seen){0, &p.a}, (struct compare_seen){1, &p.b},
			c.lane[0].refused_why, sizeof(c.lane[0].refused_why)));
}

/*
 * FREE_HIGH_BATCH (bit 1 of the flags) holds a flush back until count reaches batch: said of a lane
 * whose free_count has reached its threshold and that does not flush, and of no other.
 */
static void a_lane_that_waits_for_its_batch_says_so(void **state)
{
	static const struct {
		int32_t free_count_was;
		uint32_t flags;
		bool free_high;
		bool waits;
	} table[] = {
		{354, 2, false, true },
		{355, 3, false, true },
		{353, 2, false, false},
		{354, 1, false, false},
		{354, 0, false, false},
	};
	static struct comparison c;
	char text[COMPARE_WHY];
	struct pair p;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		start(&p, &c);
		p.a.free_high = true;
		p.a.free_count_was = 400;
		p.b.free_count_was = table[i].free_count_was;
		p.b.flags = table[i].flags;
		snprintf(text, sizeof(text),
			"free_high: A compares free_count 400 with 354 = batch 63 + high_min 583 / "
			"2 "
			"(since 6.16, c544a952ba61), B compares free_count %d with 354 = batch 63 "
			"+ "
			"high_min 583 / 2 (since 6.16, c544a952ba61)%s.",
			table[i].free_count_was,
			table[i].waits
				? " and, with FREE_HIGH_BATCH, waits for count to reach batch 63"
				: "");
		says(&p, text);
	}
	/* The lane that flushes does not wait, whatever its flags. */
	start(&p, &c);
	p.a.free_high = true;
	p.a.flags = 2;
	p.a.free_count_was = p.b.free_count_was = 354;
	p.a.threshold = p.b.threshold = 63;
	p.b.free_count_was = 10;
	says(&p,
		"free_high: A compares free_count 354 with batch 63, B compares free_count 10 with "
		"batch 63.");
}

static void thresholds_of_every_kind_have_words(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.a.free_high = true;
	p.a.free_count_was = p.b.free_count_was = 100;
	p.a.threshold = 63;
	p.a.free_high_policy = true;
	p.b.threshold = 200; /* neither batch nor batch + high_min / 2 */
	says(&p, "free_high: A compares free_count 100 with 63, its policy, B with 200.");
	p.a.threshold_exists = false;
	says(&p, "free_high: A has a policy, which says yes, B compares free_count 100 with 200.");
	p.a.free_high_policy = false;
	p.a.tuned = false;
	says(&p, "free_high: A has no free_high, which came with 5.18, B compares free_count 100 "
		 "with "
		 "200.");
	p.a.threshold_exists = true;
	p.a.high = 378;
	says(&p, "free_high: A flushes since a drain at its limit 378 raised free_factor, B "
		 "compares "
		 "free_count 100 with 200.");
	p.a.free_high = false;
	p.b.free_high = true;
	p.a.free_factor = 1;
	says(&p, "free_high: A has not drained at its limit 378, free_factor 1, B compares "
		 "free_count 100 with 200.");
}

/* Chunks came with 6.19: named only between a lane from then on and one from before. */
static void holds_are_explained_by_the_release_that_made_chunks(void **state)
{
	static const struct {
		enum zl_design_id few, many;
		const char *end;
	} table[] = {
		{ZL_DESIGN_C,   ZL_DESIGN_D19, ": it drains in chunks of one batch (since 6.19)."},
		{ZL_DESIGN_B,   ZL_DESIGN_D71, ": it drains in chunks of one batch (since 6.19)."},
		{ZL_DESIGN_D19, ZL_DESIGN_D71, "."						  },
		{ZL_DESIGN_D19, ZL_DESIGN_D19, "."						  },
		{ZL_DESIGN_C,   ZL_DESIGN_C,   "."					       },
		{ZL_DESIGN_D19, ZL_DESIGN_C,   "."						},
	};
	static struct comparison c;
	char text[COMPARE_WHY];
	struct pair p;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		start(&p, &c);
		p.a.drained = p.b.drained = 368;
		p.a.zone_locks = 1;
		p.b.zone_locks = 6;
		c.lane[0].config.switches.design = table[i].few;
		c.lane[1].config.switches.design = table[i].many;
		snprintf(text, sizeof(text),
			"Same 368 pages, but B takes the zone lock 6 times, A 1%s", table[i].end);
		says(&p, text);
	}
}

static void drains_differ_by_limit_or_by_rule(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.a.drained = 63;
	p.a.eff_high = 583;
	p.b.eff_high = 1000;
	says(&p, "A drains 63 pages at its limit 583, B does not (limit 1000).");
	p.b.drained = 126;
	p.a.free_count_was = 63;
	p.b.free_count_was = 126;
	says(&p, "A drains 63 pages, B 126: limits 583 and 1000, free_count 63 and 126.");
	p.b.tuned = false;
	c.lane[1].config.switches.design = ZL_DESIGN_A;
	says(&p, "A drains 63 pages, B 126: limits 583 and 1000; design A doubles free_factor, C "
		 "goes "
		 "by free_count.");
}

static void refills_differ_by_list_or_by_batch(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.a.op = p.b.op = (struct zl_op){.kind = ZL_OP_ALLOC, .id = 7};
	p.b.refills = 1;
	p.b.refill_req = 63;
	p.b.refill_got = 60;
	says(&p, "The list of B is empty and takes 60 of 63 blocks from the buddy; A still had a "
		 "block.");
	p.a.refills = 1;
	p.a.refill_req = p.a.refill_got = 126;
	p.a.alloc_factor = 1;
	p.a.high = 583;
	p.b.high = 700;
	p.b.batch = 31;
	says(&p, "A refill asks for 126 blocks in A and 63 in B: batch 63 and 31, alloc_factor 1 "
		 "and 0, "
		 "high 583 and 700.");
}

/* The first column that differs is named with both values. */
static void anything_else_is_its_column(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.a.op = p.b.op = (struct zl_op){.kind = ZL_OP_ALLOC, .id = 7};
	p.b.merges = 4;
	says(&p, "merges: 0 in A, 4 in B.");
	p.a.fallbacks = 1;
	p.a.fallback = ZL_FALLBACK_STEAL;
	says(&p, "fallback: steal in A, 0 in B.");
	p.b.longest_hold = 63;
	says(&p, "longest_hold: 0 in A, 63 in B.");
	p.a.zone_locks = 2;
	says(&p, "zone_locks: 2 in A, 0 in B.");
	p.a.bulk_calls = 3;
	says(&p, "bulk_calls: 3 in A, 0 in B.");
	p.a.pfn = INT64_C(1) << 40;
	says(&p, "pfn: 1099511627776 in A, -1 in B.");
	p.a.result = ZL_RESULT_NUMBER;
	p.a.result_value = 12;
	p.b.result = ZL_RESULT_FAIL;
	says(&p, "result: 12 in A, fail in B.");
}

static void what_earlier_ops_left_is_told_apart_from_the_op(void **state)
{
	static struct comparison c;
	struct pair p;

	(void)state;
	start(&p, &c);
	p.a.count = 63;
	p.a.buddy_free = 12000;
	p.b.buddy_free = 12063;
	says(&p, "The op does the same in both; earlier ops left count 63 in A and 0 in B, and "
		 "12 000 "
		 "and 12 063 pages free.");
	/* One column of what the op did is enough for another sentence. */
	p.b.merges = 1;
	says(&p, "merges: 0 in A, 1 in B.");
}

/* Columns with a form of their own, and those that a design does not have. */
static void a_column_is_written_as_in_a_trace(void **state)
{
	static struct comparison c;
	struct pair p;
	char text[160];

	(void)state;
	start(&p, &c);
	p.a.refill_req = 63;
	p.a.refill_got = 60;
	zl_outcome_value(ZL_OUTCOME_REFILL, &p.a, text, sizeof(text));
	assert_string_equal("60 of 63", text);
	zl_outcome_value(ZL_OUTCOME_OP, &p.a, text, sizeof(text));
	assert_string_equal("free 7", text);
	p.a.nr_lists = 3;
	p.a.lists[1] = 5;
	zl_outcome_value(ZL_OUTCOME_LISTS, &p.a, text, sizeof(text));
	assert_string_equal("0 5 0", text);
	p.a.max_order = 2;
	p.a.buddy[0] = 1;
	p.a.buddy[2] = UINT64_C(5000000000);
	zl_outcome_value(ZL_OUTCOME_BUDDY, &p.a, text, sizeof(text));
	assert_string_equal("1 0 5000000000", text);
	assert_int_equal(3, zl_outcome_value(ZL_OUTCOME_THRESHOLD, &p.a, text, sizeof(text)));
	assert_string_equal("354", text);
	p.a.threshold_exists = false;
	assert_int_equal(0, zl_outcome_value(ZL_OUTCOME_THRESHOLD, &p.a, text, sizeof(text)));
	assert_string_equal("", text);
	zl_outcome_value(ZL_OUTCOME_HIGH_MIN, &p.a, text, sizeof(text));
	assert_string_equal("583", text);
	assert_int_equal(0, zl_outcome_value(ZL_OUTCOME_FREE_FACTOR, &p.a, text, sizeof(text)));
	p.a.tuned = false;
	p.a.free_factor = 2;
	zl_outcome_value(ZL_OUTCOME_FREE_FACTOR, &p.a, text, sizeof(text));
	assert_string_equal("2", text);
	assert_int_equal(0, zl_outcome_value(ZL_OUTCOME_HIGH_MIN, &p.a, text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_op_needs_no_sentence),
		cmocka_unit_test(a_lane_that_waits_for_its_batch_says_so),
		cmocka_unit_test(thresholds_of_every_kind_have_words),
		cmocka_unit_test(holds_are_explained_by_the_release_that_made_chunks),
		cmocka_unit_test(drains_differ_by_limit_or_by_rule),
		cmocka_unit_test(refills_differ_by_list_or_by_batch),
		cmocka_unit_test(anything_else_is_its_column),
		cmocka_unit_test(what_earlier_ops_left_is_told_apart_from_the_op),
		cmocka_unit_test(a_column_is_written_as_in_a_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
