/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches as people write and send them, each with the one right answer: what it becomes, or why
 * it does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bind_fixture.h"

#define HIGH_ORDER "order && order <= PAGE_ALLOC_COSTLY_ORDER && "
#define REST                                                                                       \
	" && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) && "                                         \
	"(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= batch)"
#define FREE                                                                                       \
	"free_high ? min(pcp->count, batch << CONFIG_PCP_BATCH_SCALE_MAX) : high < batch ? 1 : "
#define HALF "max(min(zone_managed_pages(zone) >> 10, 1048576 / PAGE_SIZE) / 2, 1)"
#define X    "min(zone_managed_pages(zone) >> 12, 524288 / PAGE_SIZE)"

static const struct {
	const char *name, *base;
	enum zl_point point;
	unsigned line, unbound;
	const char *after;
} rules[] = {
	{"crlf-spaces-wrapped.txt", "6.12",   ZL_POINT_FREE_HIGH,		16, 0,
		HIGH_ORDER "pcp->free_count >= 2 * batch" REST						      },
	{"signed.txt",	       "6.13",   ZL_POINT_FREE_HIGH,		   15, 0,
		HIGH_ORDER "pcp->free_count >= 6 * batch" REST						      },
	{"forwarded.eml",		  "6.12",	  ZL_POINT_ZONE_HIGHSIZE,	  28, 0,
		"max((high_fraction ? zone_managed_pages(zone) / high_fraction : "
		"low_wmark_pages(zone)) / nr_split_cpus, batch * 8)"				    },
	{"local-in-context.diff",	  "7.1",	 ZL_POINT_ZONE_HIGHSIZE,	 9,  0,
		"max((high_fraction ? zone_managed_pages(zone) / high_fraction : "
		"low_wmark_pages(zone)) / nr_split_cpus, batch * 16)"				     },
	{"refill-6.1.diff",	    "6.6",	   ZL_POINT_NR_PCP_ALLOC,	  8,  0,
		"batch > 1 ? max(batch >> order, 4) : batch"						    },
	{"set-in.txt",	       "7.1",    ZL_POINT_ZONE_HIGHSIZE,	      15, 0,
		"max((high_fraction ? zone_managed_pages(zone) / high_fraction : "
		"low_wmark_pages(zone)) / nr_split_cpus, batch * 8)"				    },
	{"local-in-hunks.diff",	"6.12",	ZL_POINT_FREE_HIGH,	    19, 0,
		HIGH_ORDER "pcp->free_count >= clamp(pcp->high_min, batch, batch * 16)" REST		    },
	{"series-constant.mbox",	 "6.13",	 ZL_POINT_FREE_HIGH,	     18, 0,
		HIGH_ORDER "pcp->free_count >= 8 * batch" REST						      },
	{"free-high-gone.diff",	"7.1.3",	 ZL_POINT_FREE_HIGH,	     7,	0, "0"		      },
	{"halving-gone.diff",	      "6.13",   ZL_POINT_ALLOC_FACTOR_ON_FREE, 8,	0, "pcp->alloc_factor"},
	{"no-ceiling.diff",	    "6.13",   ZL_POINT_FREE_COUNT_STEP,      8,	 0,
		"pcp->free_count + (1 << order)"							      },
	{"count-capped.diff",	      "6.13",   ZL_POINT_FREE_COUNT_STEP,	7,  0,
		"min(pcp->free_count + (1 << order), "
		"batch << CONFIG_PCP_BATCH_SCALE_MAX)"						      },
	{"new-condition.diff",      "6.13",   ZL_POINT_FREE_HIGH,		   7,  0,
		HIGH_ORDER "(pcp->high_min > 1000 ? pcp->free_count >= 5 * batch" REST " : 0)"		      },
	{"subtract.diff",		  "7.1",	 ZL_POINT_FREE_COUNT_ON_ALLOC,  8,  0,
		"pcp->free_count > 0 ? pcp->free_count - (1 << order) : "
		"pcp->free_count"								      },
	{"helper-in-header.diff",	  "6.13",	  ZL_POINT_FREE_HIGH,	      19, 0,
		HIGH_ORDER "(pcp->high_min > 16 * batch ? pcp->free_count >= 16 * batch : "
			   "pcp->free_count >= batch + pcp->high_min / 2)" REST			       },
	{"function-rewritten.diff", "7.1",	   ZL_POINT_NR_PCP_FREE,		 17, 0,
		FREE "clamp(pcp->free_count / 2, batch, high - batch)"					      },
	{"locals-renamed.diff",	"6.13.7", ZL_POINT_NR_PCP_FREE,		20, 0,
		FREE "clamp(pcp->free_count, batch, high - 2 * batch)"					      },
	{"batch-divisor.diff",      "7.1",    ZL_POINT_ZONE_BATCHSIZE,       7,  0,
		"rounddown_pow_of_two(" HALF " + " HALF " / 2) - 1"					   },
	{"batchsize-6.19.patch",	 "6.19",	 ZL_POINT_ZONE_BATCHSIZE,	  12, 0,
		X " <= 1 ? 1 : rounddown_pow_of_two(" X " + " X " / 2) - 1"				   },
	{"reply-attachment.eml",	 "6.12",	 ZL_POINT_FREE_COUNT_ON_ALLOC,  36, 0,
		"max(pcp->free_count - (1 << order), 0)"							},
	{"other-drains.diff",	      "6.12",   ZL_POINT_FULL_DRAIN_CHUNK,	 22, 1,
		"min(pcp->count, pcp->batch)"								 },
};

/* One rule each, at a line, on a release. */
static void each_shape_becomes_its_rule(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct bound b;
		const struct zl_change *k;

		bind_file(&b, rules[i].name, NULL);
		print_message("# %s\n", rules[i].name);
		assert_int_equal(1, b.binding.nr_modelled);
		assert_int_equal(rules[i].unbound, b.binding.nr_unbound);
		k = &b.binding.change[0];
		assert_int_equal(ZL_CHANGE_RULE, k->kind);
		assert_int_equal(rules[i].point, k->point);
		assert_string_equal(rules[i].after, k->after);
		assert_int_equal(rules[i].line, k->place.line);
		assert_string_equal(rules[i].base, b.binding.base);
		unbind(&b);
	}
}

/* What would be a guess is listed, with the function that the hunk shows, not the one before it. */
static void what_would_be_a_guess_is_listed(void **state)
{
	static const struct {
		const char *name;
		unsigned unbound, at, line;
		const char *function, *reason;
	} c[] = {
		{"gone-for-call.diff",     2, 0, 7,	"rmqueue_pcplist",
			"it is gone, and what came instead is not understood"  },
		{"preprocessor.diff",      4, 0, 7,  "rmqueue_pcplist",
			"it stands under a condition of the preprocessor"	 },
		{"other-comparison.diff",  1, 0, 5,  "free_unref_page_commit",
			"no rule of the model has this expression"		  },
		{"nested-conditions.diff", 2, 0, 6,  "free_unref_page_commit",
			"it is set in more than one place now"		      },
		{"two-values.diff",	    6, 5, 17, "free_unref_page_commit",
			"PCP_RUN has no single value in the patch"		  },
		{"no-function-p0.diff",	1, 0, 16, "",
			"it may be nr_pcp_alloc, but the hunk does not say in which function it "
			"is"					    },
		{"costly-order.diff",      1, 0, 9,  "",
			"the model has this constant, which also limits the orders of pagesets, "
			"but "
			"no decision point for it"			  },
		{"min-free.diff",	  2, 0, 9,  "calculate_min_free_kbytes",
			"the model has this formula (min_free_kbytes is a setting), but no "
			"decision "
			"point for it"				      },
		{"words.diff",	       1, 0, 4,	"free_unref_page_commit",
			"a word diff; a unified diff (git diff) would be right"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct bound b;
		const struct zl_unbound *u;

		bind_file(&b, c[i].name, NULL);
		print_message("# %s\n", c[i].name);
		assert_int_equal(0, b.binding.nr_modelled);
		assert_int_equal(c[i].unbound, b.binding.nr_unbound);
		u = &b.binding.unbound[c[i].at];
		assert_string_equal(c[i].reason, u->reason);
		assert_int_equal(c[i].line, u->place.line);
		assert_string_equal(c[i].function, u->place.function);
		unbind(&b);
	}
}

static void what_two_designs_have_alike_is_said(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "either-design.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_string_equal("7.1", b.binding.base);
	assert_string_equal("the rule of A514 to A+cap has this too; the newest is taken",
		b.binding.change[0].note);
	unbind(&b);
}

static void a_line_is_in_the_function_that_the_hunk_shows(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "other-drains.diff", NULL);
	assert_string_equal("drain_zone_pages", b.binding.unbound[0].place.function);
	assert_int_equal(11, b.binding.unbound[0].place.line);
	unbind(&b);
}

/* Cover letter, umlauts, a changelog with "-" and "+" in it, a last part of words alone. */
static void a_series_binds_its_parts_and_says_its_release(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "series-cover-letter.mbox", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal("6.17", b.binding.base);
	assert_string_equal("6.17", b.binding.base_from);
	assert_string_equal(HIGH_ORDER "pcp->free_count >= min(batch + pcp->high_min / 2, "
				       "(batch << CONFIG_PCP_BATCH_SCALE_MAX) - 1)" REST,
		b.binding.change[0].after);
	assert_int_equal(ZL_POINT_DECAY_PCP_HIGH, b.binding.change[1].point);
	unbind(&b);
	bind_file(&b, "refill-6.8.patch", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	assert_string_equal("6.8", b.binding.base);
	assert_string_equal("min(high + batch / 2, pcp->high_max)", b.binding.change[0].after);
	assert_string_equal("min(CONFIG_PCP_BATCH_SCALE_MAX, 3)", b.binding.change[1].after);
	unbind(&b);
}

static void a_series_that_undoes_itself_leaves_no_policy(void **state)
{
	struct bound_lanes on;
	struct bound b;

	(void)state;
	bind_file(&b, "series-undone.mbox", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	on = bind_lanes_on(&b, "6.13");
	assert_int_equal(0, on.before.count);
	assert_int_equal(0, on.after.count);
	unbind(&b);
}

/* Two statements of one rule, in one patch or in two: the lane after has both. */
static void changes_of_one_rule_hold_together(void **state)
{
	static const struct {
		const char *name, *release, *after;
	} c[] = {
		{"highatomic-share.diff",	  "7.1",
			"zone_managed_pages(zone) / 50 < pageblock_nr_pages ? 0 : "
			"(zone_managed_pages(zone) / 50 + pageblock_nr_pages - 1) / "
			"pageblock_nr_pages * pageblock_nr_pages"	 },
		{"block-order-branches.diff", "7.1",
			"(CONFIG_HUGETLB_PAGE && HUGETLB_PAGE_ORDER > 0) ? min(HUGETLB_PAGE_ORDER, "
			"PAGE_BLOCK_MAX_ORDER) : (!CONFIG_HUGETLB_PAGE && "
			"CONFIG_TRANSPARENT_HUGEPAGE && HPAGE_PMD_ORDER >= 0) ? min(7, "
			"PAGE_BLOCK_MAX_ORDER) : PAGE_BLOCK_MAX_ORDER - 1"},
		{"series-two-parts.mbox",	  "7.1",
			"free_high ? min(pcp->count, batch * 4) : high < batch ? 1 : "
			"clamp(pcp->free_count / 2, batch, high - batch)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct bound_lanes on;
		struct bound b;

		bind_file(&b, c[i].name, NULL);
		print_message("# %s\n", c[i].name);
		assert_int_equal(2, b.binding.nr_modelled);
		assert_int_equal(0, b.binding.nr_unbound);
		assert_string_equal(c[i].release, b.binding.base);
		on = bind_lanes_on(&b, c[i].release);
		assert_int_equal(0, on.before.count);
		assert_int_equal(1, on.after.count);
		assert_string_equal(c[i].after, on.after.item[0].value);
		unbind(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_shape_becomes_its_rule),
		cmocka_unit_test(what_would_be_a_guess_is_listed),
		cmocka_unit_test(what_two_designs_have_alike_is_said),
		cmocka_unit_test(a_line_is_in_the_function_that_the_hunk_shows),
		cmocka_unit_test(a_series_binds_its_parts_and_says_its_release),
		cmocka_unit_test(changes_of_one_rule_hold_together),
		cmocka_unit_test(a_series_that_undoes_itself_leaves_no_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
