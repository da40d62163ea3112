/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patches that change the code around a rule: early returns, if and else, local variables that a
 * condition sets, macros of the kernel. What can be worked out is; what cannot is no rule.
 */
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
#define FREE_HIGH "free_high ? min(pcp->count, batch << CONFIG_PCP_BATCH_SCALE_MAX) : "
#define CLAMP	  "clamp(pcp->free_count, batch, high - batch)"
#define TOTAL                                                                                      \
	"(high_fraction ? zone_managed_pages(zone) / high_fraction : low_wmark_pages(zone)) / "    \
	"nr_split_cpus"
#define CEILING	 "batch << CONFIG_PCP_BATCH_SCALE_MAX"
#define HALF	 "batch + pcp->high_min / 2"
#define BATCH_32 "min(max(min(zone_managed_pages(zone) >> 10, 1048576 / PAGE_SIZE) / 4, 1), 32)"
#define DOUBLED	 "(pcp->high_min > 1000 ? batch * 2 : batch)"

static const struct {
	const char *name;
	enum zl_point point;
	unsigned line;
	const char *after;
} rules[] = {
	{"early-return.mbox",    ZL_POINT_NR_PCP_FREE,	    23,
		FREE_HIGH "pcp->count < 2 * batch ? batch : high < batch ? 1 : " CLAMP				      },
	{"return-other.diff",    ZL_POINT_NR_PCP_FREE,	    8,  FREE_HIGH "high < batch ? batch : " CLAMP	},
	{"return-gone.diff",     ZL_POINT_NR_PCP_FREE,	   6,  FREE_HIGH CLAMP				     },
	{"returns-nested.diff",	ZL_POINT_NR_PCP_FREE,	      9,
		FREE_HIGH "high < batch ? 1 : (pcp->high_min > 1000 && pcp->free_count > batch) ? "
			  "pcp->free_count : pcp->high_min > 1000 ? batch : " CLAMP				   },
	{"return-chain.diff",    ZL_POINT_NR_PCP_FREE,	    6,
		FREE_HIGH "high < batch ? 1 : pcp->free_count < batch ? batch : "
			  "min(pcp->free_count, high - batch)"						      },
	{"if-else-rule.diff",    ZL_POINT_NR_PCP_FREE,	    9,
		FREE_HIGH "high < batch ? 1 : pcp->high_min > 16 * batch ? " CLAMP
			  " : clamp(pcp->free_count / 2, batch, high - batch)"				      },
	{"highsize-return.diff", ZL_POINT_ZONE_HIGHSIZE,	 6,
		"nr_split_cpus > 64 ? " TOTAL " / 2 : max(" TOTAL ", batch * 4)"						},
	{"highsize-ifs.diff",    ZL_POINT_ZONE_HIGHSIZE,	      9,
		TOTAL " < batch * 8 ? batch * 8 : min(" TOTAL ", batch * 1024)"					       },
	{"else-if.diff",	 ZL_POINT_FREE_COUNT_ON_ALLOC, 6,
		"order > 2 ? 0 : order ? pcp->free_count >> 2 : pcp->free_count >> 1"				     },
	{"clamp-by-if.diff",     ZL_POINT_FREE_HIGH,		 11,
		HIGH_ORDER "pcp->free_count >= min(" HALF ", " CEILING ")" REST					       },
	{"local-either.diff",    ZL_POINT_FREE_HIGH,		  13,
		HIGH_ORDER "pcp->free_count >= (pcp->high_min > 64 * batch ? 16 * batch : " HALF
			   ")" REST									       },
	{"ilog2.diff",	       ZL_POINT_ZONE_HIGHSIZE,       15, "max(" TOTAL ", batch << ilog2(nr_split_cpus))"},
	{"rounddown.diff",	   ZL_POINT_ZONE_HIGHSIZE,	   6,  "max(" TOTAL " / batch * batch, batch * 4)"	 },
	{"batchsize-if.diff",    ZL_POINT_ZONE_BATCHSIZE,      9,
		"rounddown_pow_of_two(" BATCH_32 " + " BATCH_32 " / 2) - 1"						   },
 /* The macro's mask, whatever batch is: 63 is no power of two. */
	{"align-down.diff",	    ZL_POINT_ZONE_HIGHSIZE,	    6,  "max(" TOTAL " & ~(batch - 1), batch * 8)"	 },
	{"narrow-type.diff",     ZL_POINT_FREE_COUNT_ON_ALLOC, 7,  "min((u8)pcp->free_count, (u8)100)"		 },
};

static void code_around_a_rule_becomes_a_part_of_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct bound b;
		const struct zl_change *k;

		bind_file(&b, rules[i].name, NULL);
		print_message("# %s\n", rules[i].name);
		assert_int_equal(1, b.binding.nr_modelled);
		assert_int_equal(0, b.binding.nr_unbound);
		k = &b.binding.change[0];
		assert_int_equal(ZL_CHANGE_RULE, k->kind);
		assert_int_equal(rules[i].point, k->point);
		assert_string_equal(rules[i].after, k->after);
		assert_int_equal(rules[i].line, k->place.line);
		assert_null(k->before);
		unbind(&b);
	}
}

static void what_a_hunk_does_not_show_has_a_name(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "return-other.diff", NULL);
	assert_string_equal("high < batch ? 1 : ...", b.binding.change[0].old_code);
	assert_string_equal("high < batch ? batch : ...", b.binding.change[0].new_code);
	unbind(&b);
}

/* `high` is what the rule before has made of it, also where the patch changes that rule too. */
static void what_another_rule_sets_is_not_worked_out_again(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "local-of-next-rule.diff", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal("min(high + batch / 2, pcp->high_max)", b.binding.change[0].after);
	assert_int_equal(ZL_POINT_ROOM, b.binding.change[1].point);
	assert_string_equal(
		"max(high - pcp->count - base_batch, base_batch / 2)", b.binding.change[1].after);
	unbind(&b);
}

/* `batch` goes on to other functions, which the hunk does not show. */
static void a_local_that_more_than_the_rule_has_stays_in_the_list(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "batch-doubled.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_string_equal(HIGH_ORDER
		"pcp->free_count >= " DOUBLED
		" + pcp->high_min / 4 && (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) && "
		"(!(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= " DOUBLED ")",
		b.binding.change[0].after);
	assert_int_equal(1, b.binding.nr_unbound);
	assert_int_equal(5, b.binding.unbound[0].place.line);
	assert_string_equal("it is a part of free_high; what else uses batch has it as it was",
		b.binding.unbound[0].reason);
	unbind(&b);
}

/* One change where the symbol is set, one where it is not; none where the rule stays. */
static void a_rule_that_asks_for_a_symbol_holds_by_machine(void **state)
{
	struct bound_lanes on;
	struct bound b;

	(void)state;
	bind_file(&b, "is-enabled.diff", NULL);
	assert_int_equal(1, b.binding.nr_changes);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal("TRANSPARENT_HUGEPAGE", b.binding.change[0].condition);
	assert_string_equal(
		HIGH_ORDER "pcp->free_count >= 2 * batch" REST, b.binding.change[0].after);
	unbind(&b);
	bind_file(&b, "return-by-symbol.diff", NULL);
	assert_int_equal(2, b.binding.nr_changes);
	assert_string_equal("NUMA", b.binding.change[0].condition);
	assert_string_equal("!NUMA", b.binding.change[1].condition);
	assert_string_equal(FREE_HIGH "high < batch ? 2 : " CLAMP, b.binding.change[0].after);
	assert_string_equal(FREE_HIGH "batch", b.binding.change[1].after);
	on = bind_lanes_on(&b, "6.12");
	assert_int_equal(0, on.before.count);
	assert_int_equal(2, on.after.count);
	/* On another release both ways have the old side in the lane before. */
	on = bind_lanes_on(&b, "6.1");
	assert_int_equal(2, on.before.count);
	assert_string_equal("!NUMA", on.before.item[1].condition);
	unbind(&b);
}

/* What 6.8 did to the rule of 6.7 gives the rule of 6.8. */
static void a_limit_with_a_return_before_it_is_that_of_the_next_release(void **state)
{
	struct zl_diags diags = {0};
	struct zl_switches sw;
	struct zl_release r;
	struct bound b;

	(void)state;
	assert_int_equal(0, zl_release_parse("6.8", &r));
	zl_switches_for(&r, &sw, &diags);
	bind_file(&b, "highatomic-none.diff", NULL);
	assert_int_equal(1, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal("6.7", b.binding.base);
	assert_string_equal(
		zl_point_rule(ZL_POINT_HIGHATOMIC_MAX, &sw)->expression, b.binding.change[0].after);
	unbind(&b);
	bind_file(&b, "highatomic-always.diff", NULL);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_string_equal("(zone_managed_pages(zone) / 100 + pageblock_nr_pages - 1) / "
			    "pageblock_nr_pages * pageblock_nr_pages",
		b.binding.change[0].after);
	unbind(&b);
}

static void initial_values_of_sysctls_are_defaults_of_settings(void **state)
{
	struct bound b;

	(void)state;
	bind_file(&b, "sysctl-default.diff", NULL);
	assert_int_equal(2, b.binding.nr_modelled);
	assert_int_equal(0, b.binding.nr_unbound);
	assert_int_equal(ZL_CHANGE_DEFAULT, b.binding.change[0].kind);
	assert_int_equal(ZL_SET_WATERMARK_BOOST_FACTOR, b.binding.change[0].setting);
	assert_string_equal("10000", b.binding.change[0].after);
	assert_int_equal(ZL_SET_WATERMARK_SCALE_FACTOR, b.binding.change[1].setting);
	assert_string_equal("10", b.binding.change[1].before);
	assert_string_equal("100", b.binding.change[1].after);
	assert_string_equal("", b.binding.base);
	unbind(&b);
}

static void what_cannot_be_worked_out_is_no_rule(void **state)
{
	static const struct {
		const char *name, *reason;
		unsigned line;
	} c[] = {
		{"local-in-loop.diff",    "threshold is set in a statement that is not understood",	 6 },
		{"local-in-switch.diff",	 "threshold is set in a statement that is not understood",
			6										     },
		{"local-in-block.diff",	"batch has its value only under a condition",	      10},
		{"set-in-loop.diff",	     "it is set in more than one place now",		     8 },
		{"taken-early.diff",	     "pcp->count is set between where it is read and the rule", 13},
		{"too-large.diff",	   "the expression is too large when its names are replaced", 12},
		{"local-in-ifdef.diff",
			"threshold has its value under a condition of the preprocessor",			 6 },
		{"early-return-6.1.diff",
			"the function also sets pcp->free_factor, which another way through it "
			"would change as well",						      9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		const struct zl_unbound *found = NULL;
		struct bound b;

		bind_file(&b, c[i].name, NULL);
		print_message("# %s\n", c[i].name);
		assert_int_equal(0, b.binding.nr_modelled);
		for (size_t k = 0; k < b.binding.nr_unbound; k++) {
			const struct zl_unbound *u = &b.binding.unbound[k];

			found = strcmp(u->reason, c[i].reason) == 0 && found == NULL ? u : found;
		}
		assert_non_null(found);
		assert_int_equal(c[i].line, found->place.line);
		unbind(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_around_a_rule_becomes_a_part_of_it),
		cmocka_unit_test(what_a_hunk_does_not_show_has_a_name),
		cmocka_unit_test(what_another_rule_sets_is_not_worked_out_again),
		cmocka_unit_test(a_local_that_more_than_the_rule_has_stays_in_the_list),
		cmocka_unit_test(a_rule_that_asks_for_a_symbol_holds_by_machine),
		cmocka_unit_test(a_limit_with_a_return_before_it_is_that_of_the_next_release),
		cmocka_unit_test(initial_values_of_sysctls_are_defaults_of_settings),
		cmocka_unit_test(what_cannot_be_worked_out_is_no_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
