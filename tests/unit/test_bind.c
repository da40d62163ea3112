/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches in many shapes against what they change: tests/data/patches.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bind_fixture.h"

#define HIGH_ORDER "order && order <= PAGE_ALLOC_COSTLY_ORDER && "
#define REST                                                                                       \
	" && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) && "                                         \
	"(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= batch)"
#define HALF HIGH_ORDER "pcp->free_count >= batch + pcp->high_min / 2" REST

/* Every shape of the same change gives the same rule. */
static void the_same_change_in_any_shape_is_the_same_rule(void **state)
{
	static const struct {
		const char *name, *base;
		unsigned line;
	} c[] = {
		{"threshold-git.patch",	"6.13", 31},
		{"threshold-qp.mbox",	      "6.13", 26},
		{"threshold-base64.eml",	 "6.13", 18},
		{"threshold-wrapped.txt",	  "6.13", 14},
		{"threshold-archive.txt",	  "6.13", 16},
		{"threshold-one-line.txt",	   "6.13", 1 },
		{"threshold-later-name.diff",  "6.15", 10},
		{"threshold-helper.diff",	  "6.13", 23},
		{"threshold-initials.txt",	   "6.13", 13},
		{"thread-three-versions.mbox", "6.13", 80},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct bound b;
		const struct zl_change *k;

		bind_file(&b, c[i].name, NULL);
		print_message("# %s\n", c[i].name);
		assert_int_equal(1, b.binding.nr_modelled);
		assert_int_equal(0, b.binding.nr_unbound);
		k = &b.binding.change[0];
		assert_int_equal(ZL_CHANGE_RULE, k->kind);
		assert_int_equal(ZL_POINT_FREE_HIGH, k->point);
		assert_null(k->before);
		assert_string_equal(HALF, k->after);
		assert_string_equal("B", k->rule->when);
		assert_string_equal(c[i].base, b.binding.base);
		assert_int_equal(c[i].line, k->place.line);
		unbind(&b);
	}
}

static void other_words_for_the_same_rule_are_understood(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "threshold-other-words.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal(HIGH_ORDER "batch + pcp->high_min / 2 <= pcp->free_count && "
				       "(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || "
				       "batch <= pcp->count) && "
				       "(pcp->flags & PCPF_PREV_FREE_HIGH_ORDER)",
		b.binding.change[0].after);
	unbind(&b);
	bind_file(&b, "moved-only.diff", NULL);
	assert_int_equal(1, b.binding.nr_changes);
	assert_int_equal(0, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_int_equal(ZL_CHANGE_SAME, b.binding.change[0].kind);
	unbind(&b);
}

/* Of the changes of a file: which, and what they become. */
struct expected {
	enum zl_point point;
	const char *after;
};

static void check_all(const char *name, const struct expected *e, size_t n, size_t unbound)
{
	struct bound b;

	bind_file(&b, name, NULL);
	assert_int_equal(n, b.binding.nr_changes);
	assert_int_equal(n, b.binding.nr_modelled);
	assert_int_equal(unbound, b.binding.nr_unbound);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(e[i].point, b.binding.change[i].point);
		assert_string_equal(e[i].after, b.binding.change[i].after);
		assert_null(b.binding.change[i].before);
	}
	unbind(&b);
}

static void check_rules(const char *name, const struct expected *e, size_t n)
{
	check_all(name, e, n, 0);
}

static void many_points_are_found_by_their_rules(void **state)
{
	static const struct expected several[] = {
		{ZL_POINT_NR_PCP_FREE,
			"free_high ? min(pcp->count, batch << CONFIG_PCP_BATCH_SCALE_MAX) : "
			"high < batch ? 1 : clamp(pcp->free_count / 2, batch, high - batch)"		    },
		{ZL_POINT_HIGH_BELOW,	      "max(high - 2 * max(pcp->free_count, batch), pcp->high_min)"},
		{ZL_POINT_ALLOC_FACTOR_ON_FREE, "0"							 },
		{ZL_POINT_ROOM,			"max((high - pcp->count - base_batch) / 2, base_batch)"     },
		{ZL_POINT_FREE_COUNT_ON_ALLOC,  "pcp->free_count - (1 << order)"			       },
	};
#define BATCH "max(min(zone_managed_pages(zone) >> 10, 524288 / PAGE_SIZE) / 4, 1)"
	static const struct expected machine[] = {
		{ZL_POINT_RECOMMENDED_MIN,
			"min(pageblock_nr_pages * nr_zones + pageblock_nr_pages * nr_zones * "
			"MIGRATE_PCPTYPES * MIGRATE_PCPTYPES, nr_free_buffer_pages() / 20)"		   },
		{ZL_POINT_WATERMARK_DISTANCE,
			"max(min_share >> 1, "
			"zone_managed_pages(zone) * watermark_scale_factor / 10000)"		    },
		{ZL_POINT_ZONE_BATCHSIZE,	  "rounddown_pow_of_two(" BATCH " + " BATCH " / 2) - 1"},
		{ZL_POINT_CMA_MIN_ALIGNMENT_PAGES, "pageblock_nr_pages / 2"				   },
	};
	static const struct expected macro[] = {
		{ZL_POINT_FREE_HIGH, HIGH_ORDER "pcp->free_count >= 4 * batch + "
						"(pcp->high_min >> 1)" REST},
	};

	(void)state;
	check_rules("several-points.diff", several, 5);
	check_rules("watermark-and-khugepaged.diff", machine, 4);
	check_rules("new-macro-and-symbol.diff", macro, 1);
}

/* One drain becomes a loop of pieces, with and without a temporary; and the way back. */
static void a_loop_of_pieces_is_a_rule(void **state)
{
	static const struct expected pieces[] = {
		{ZL_POINT_DECAY_CHUNK, "pcp->batch"},
		{ZL_POINT_DRAIN_CHUNK, "2 * batch" },
	};
	static const struct expected whole[] = {
		{ZL_POINT_DRAIN_CHUNK, "to_free"},
	};
	struct bound b;

	(void)state;
	check_all("chunked-drain.diff", pieces, 2, 2); /* locks let go between pieces */
	check_rules("unchunked-drain.diff", whole, 1);
	bind_file(&b, "chunked-drain.diff", NULL);
	assert_string_equal("6.18", b.binding.base);
	unbind(&b);
	bind_file(&b, "unchunked-drain.diff", NULL);
	assert_string_equal("7.1", b.binding.base);
	unbind(&b);
}

static void a_patch_on_top_of_another_keeps_its_own_old_side(void **state)
{
	struct bound_lanes on;
	struct bound b;

	(void)state;
	bind_file(&b, "on-top-of-another.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_string_equal(
		HIGH_ORDER "pcp->free_count >= batch * 4" REST, b.binding.change[0].before);
	assert_string_equal(HALF, b.binding.change[0].after);
	on = bind_lanes_on(&b, "6.12");
	assert_int_equal(1, on.before.count);
	assert_string_equal(b.binding.change[0].before, on.before.item[0].value);
	unbind(&b);
	/* A series: the lane before is the release, the lane after has the last part. */
	bind_file(&b, "series-two.mbox", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	on = bind_lanes_on(&b, "6.12");
	assert_int_equal(0, on.before.count);
	assert_int_equal(1, on.after.count);
	assert_string_equal(HALF, on.after.item[0].value);
	unbind(&b);
}

static void on_another_release_the_old_side_is_a_policy(void **state)
{
	struct bound_lanes on;
	struct bound b;

	(void)state;
	bind_file(&b, "threshold-git.patch", NULL);
	on = bind_lanes_on(&b, "6.18");
	assert_int_equal(1, on.before.count);
	assert_int_equal(ZL_POINT_FREE_HIGH, on.before.item[0].point);
	assert_string_equal(b.binding.change[0].rule->expression, on.before.item[0].value);
	unbind(&b);
}

static void defaults_ranges_and_new_symbols_are_settings(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "scale-default.diff", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_int_equal(ZL_CHANGE_DEFAULT, b.binding.change[0].kind);
	assert_int_equal(ZL_SET_BATCH_SCALE_MAX, b.binding.change[0].setting);
	assert_string_equal("5", b.binding.change[0].before);
	assert_string_equal("3", b.binding.change[0].after);
	assert_int_equal(ZL_CHANGE_RANGE, b.binding.change[1].kind);
	assert_string_equal("0 8", b.binding.change[1].new_code);
	unbind(&b);
	bind_file(&b, "uc56-sample.mbox", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_string_equal("3", b.binding.change[0].after);
	unbind(&b);
	bind_file(&b, "arm64-max-order.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_int_equal(ZL_SET_MAX_PAGE_ORDER, b.binding.change[0].setting);
	assert_string_equal("ARM64_64K_PAGES", b.binding.change[0].condition);
	assert_string_equal("9", b.binding.change[0].after);
	unbind(&b);
}

static void a_new_symbol_is_for_a_release_without_it(void **state)
{
	struct bound b;
	unsigned rules = 0, symbols = 0;

	(void)state;
	bind_file(&b, "block-order-symbol.patch", NULL);
	assert_int_equal(0, b.binding.nr_unbound);
	for (size_t i = 0; i < b.binding.nr_changes; i++) {
		const struct zl_change *c = &b.binding.change[i];

		symbols += c->kind == ZL_CHANGE_SYMBOL && c->added;
		if (c->kind == ZL_CHANGE_RULE) {
			rules++;
			assert_int_equal(ZL_POINT_PAGEBLOCK_ORDER, c->point);
			assert_non_null(strstr(c->after, "min(HUGETLB_PAGE_ORDER, "));
			assert_null(strstr(c->after, "min(HUGETLB_PAGE_ORDER, MAX_PAGE_ORDER)"));
		}
	}
	assert_int_equal(1, rules);
	assert_int_equal(2, symbols);
	assert_string_equal("6.15", b.binding.base);
	unbind(&b);
}

static void a_constant_that_becomes_a_variable_is_seen_everywhere(void **state)
{
	static const char *const functions[] = {"decay_pcp_high", "drain_pages_zone", "nr_pcp_free",
		"nr_pcp_high", "free_unref_page_commit", "nr_pcp_alloc"};
	struct bound b;

	(void)state;
	bind_file(&b, "scale-parameter.patch", NULL);
	assert_int_equal(6, b.binding.nr_modelled);
	for (size_t i = 0; i < 6; i++) {
		const struct zl_change *c = &b.binding.change[i];

		assert_int_equal(ZL_CHANGE_VARIABLE, c->kind);
		assert_int_equal(ZL_SET_BATCH_SCALE_MAX, c->setting);
		assert_string_equal(functions[i], c->place.function);
		assert_string_equal("pcp_batch_scale_max", c->note);
		assert_null(c->after);
	}
	/* The registration of the parameter is listed. */
	assert_int_equal(2, b.binding.nr_unbound);
	assert_string_equal(
		"a new function that no rule of the model calls", b.binding.unbound[0].reason);
	unbind(&b);
}

static void what_is_not_understood_is_listed_with_its_reason(void **state)
{
	static const struct {
		const char *name, *reason;
		unsigned unbound, line;
	} c[] = {
		{"not-understood.diff", "this_cpu_read() is no function that a rule may call",     2,
			6										      },
		{"half-quoted.txt",	    "a statement that is not understood or not shown in full", 1,
			9										      },
		{"ambiguous.diff",
			"it may be high_on_free_high or high_on_reclaim; the lines around it do "
			"not say which",							   1, 6 },
		{"damaged.diff",
			"the hunk has more lines than its header says; breaks were added on the "
			"way",								     1, 5 },
		{"squeezed.txt",
			"line breaks were lost, and the tabs that would show them as well: the "
			"hunk cannot be taken apart",					      1, 1 },
		{"unrelated.patch",	    "a new statement that no rule of the model has",	     2, 18},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct bound b;

		bind_file(&b, c[i].name, NULL);
		print_message("# %s\n", c[i].name);
		assert_int_equal(0, b.binding.nr_modelled);
		assert_int_equal(c[i].unbound, b.binding.nr_unbound);
		assert_string_equal(c[i].reason, b.binding.unbound[0].reason);
		assert_int_equal(c[i].line, b.binding.unbound[0].place.line);
		unbind(&b);
	}
}

static void a_change_can_be_bound_by_hand(void **state)
{
	struct zl_bind_hands hands = {.count = 1};
	struct bound b;

	(void)state;
	hands.hand[0] = (struct zl_bind_hand){.line = 7,
		.point = ZL_POINT_HIGH_BELOW,
		.expression = "max(high - 2 * batch, high_min)"};
	bind_file(&b, "ambiguous.diff", &hands);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_true(b.binding.change[0].by_hand);
	assert_string_equal("max(high - 2 * batch, high_min)", b.binding.change[0].after);
	unbind(&b);
}

/* The kernel sets a flag under the condition that the rule has as terms. */
static void a_condition_around_more_than_the_rule_is_said(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "order-condition.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_int_equal(ZL_POINT_FREE_HIGH, b.binding.change[0].point);
	assert_non_null(strstr(b.binding.change[0].after, "order > 1 && order <= "));
	assert_non_null(strstr(b.binding.change[0].note, "PCPF_PREV_FREE_HIGH_ORDER"));
	/* Designs B and C have these terms alike; the function's name ends with 6.13. */
	assert_string_equal("B", b.binding.change[0].rule->when);
	assert_string_equal("6.13", b.binding.base);
	unbind(&b);
}

static void a_binding_by_hand_that_cannot_be_says_why(void **state)
{
	const struct zl_allocator *mem = zl_allocator_heap();
	static const char text[] = "--- a/mm/x.c\n+++ b/mm/x.c\n@@ -1 +1 @@ int f(void)\n"
				   "-\treturn 1;\n+\treturn g(2);\n";
	const struct zl_patch_input in = {"x", text, sizeof(text) - 1};
	const struct zl_patch_request request = {&in, 1, 0};
	struct zl_bind_hands hands = {.count = 1};
	struct zl_patches p;
	struct zl_binding b;
	struct zl_error err = {0};

	(void)state;
	assert_int_equal(0, zl_patches_read(&request, mem, &p, &err));
	hands.hand[0] = (struct zl_bind_hand){.line = 5, .point = ZL_POINT_ROOM};
	assert_int_equal(-EINVAL, zl_bind(&p, &hands, mem, &b, &err));
	assert_string_equal("it cannot be bound to room: g() is no function that a rule may call; "
			    "write 5=room=EXPRESSION",
		err.text);
	hands.hand[0].line = 77;
	assert_int_equal(-EINVAL, zl_bind(&p, &hands, mem, &b, &err));
	assert_non_null(strstr(err.text, "no changed statement"));
	zl_patches_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_change_in_any_shape_is_the_same_rule),
		cmocka_unit_test(other_words_for_the_same_rule_are_understood),
		cmocka_unit_test(many_points_are_found_by_their_rules),
		cmocka_unit_test(a_loop_of_pieces_is_a_rule),
		cmocka_unit_test(a_patch_on_top_of_another_keeps_its_own_old_side),
		cmocka_unit_test(on_another_release_the_old_side_is_a_policy),
		cmocka_unit_test(defaults_ranges_and_new_symbols_are_settings),
		cmocka_unit_test(a_new_symbol_is_for_a_release_without_it),
		cmocka_unit_test(a_constant_that_becomes_a_variable_is_seen_everywhere),
		cmocka_unit_test(what_is_not_understood_is_listed_with_its_reason),
		cmocka_unit_test(a_change_can_be_bound_by_hand),
		cmocka_unit_test(a_condition_around_more_than_the_rule_is_said),
		cmocka_unit_test(a_binding_by_hand_that_cannot_be_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
