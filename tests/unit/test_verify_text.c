/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `explain-my-machine` says of a value: rules in words, and reasons with their figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_fixture.h"
#include "zonelab/verify.h"

static void rule_is(struct fixture *f, const char *items, const char *rule)
{
	resolve_only(f, items);
	assert_string_equal(rule, zl_verify_rule(&f->m, ZL_VERIFY_MIN_FREE));
}

/* 4 sqrt(KiB of low memory): 128 at 1 MiB, 262 144 at 4 TiB; 11 pageblocks of 2 MiB are 22 528. */
static void min_free_kbytes_says_which_rule_made_it(void **state)
{
	rule_is(*state, "arch=x86_64 thp=off memory=4G",
		"the square root of 16 times low memory in KiB");
	rule_is(*state, "arch=x86_64 thp=off zones=Normal:512K", "at least 128 KiB");
	rule_is(*state, "arch=x86_64 thp=off memory=16T kernel=6.12", "at most 262144 KiB");
	rule_is(*state, "arch=x86_64 thp=off memory=4G min_free_kbytes=9000", "set by hand");
	rule_is(*state, "arch=x86_64 memory=4G thp=on zones=Normal:4G",
		"khugepaged: 11 pageblocks for each zone");
	rule_is(*state, "arch=x86_64 thp=on zones=DMA32:300M,Normal:300M",
		"khugepaged: capped at 5 % of low memory");
}

static void says(const struct zl_verify_item *item, const char *want)
{
	char text[300];

	assert_int_equal(strlen(want), zl_verify_reason_text(item, text, sizeof(text)));
	assert_string_equal(want, text);
}

static void reasons_name_their_figures(void **state)
{
	struct zl_verify_item i = {.verdict = ZL_VERDICT_EXPLAINED};

	(void)state;
	i.reason = ZL_REASON_FREED_LATER;
	i.n[0] = i.n[1] = 12000;
	i.n[2] = 12500;
	i.n[3] = 600;
	says(&i, "expected because it was computed when the zone had 12 000 managed pages; init "
		 "memory came back later: 12 500 now, 500 more (at most 600 are allowed for)");
	i.n[1] = 12007;
	says(&i, "expected because it was computed when the zone had 12 000 to 12 007 managed "
		 "pages; "
		 "init memory came back later: 12 500 now, 500 more (at most 600 are allowed for)");
	i.reason = ZL_REASON_NO_MIN_FREE;
	i.n[0] = 20000;
	i.n[1] = 22528;
	says(&i, "taken as read: min_free_kbytes is not in these files; 20 000 to 22 528 would fit "
		 "the zones' min");
	i.n[1] = 19999;
	says(&i, "taken as read: min_free_kbytes is not in these files");
	i.reason = ZL_REASON_NO_MANAGED;
	says(&i, "taken as read: shares of min_free_kbytes need the managed pages of every zone");
	i.reason = ZL_REASON_NONE;
	says(&i, "");
}

static void a_difference_names_both_values(void **state)
{
	struct zl_verify_item i = {.verdict = ZL_VERDICT_DIFFERS, .reported = 900, .computed = 880};

	(void)state;
	i.field = ZL_VERIFY_WMARK_LOW;
	says(&i, "differs: 900 reported, 880 computed");
	i.field = ZL_VERIFY_MIN_FREE;
	says(&i, "differs: 900 reported, 880 computed; if it was set by hand, --set "
		 "min_free_kbytes=900 says so");
	i.field = ZL_VERIFY_HIGH;
	says(&i, "differs: 900 reported, 880 computed");
	i.n[1] = 890;
	says(&i, "differs: above high_max 890, and no rule lets high rise above it");
	i.n[0] = 11;
	i.n[1] = 2;
	i.reason = ZL_REASON_STEP;
	says(&i, "differs: min 11 and even steps of 2 give 880");
	i.verdict = ZL_VERDICT_EXPLAINED;
	says(&i, "expected: min 11 and even steps of 2 give 880");
}

#define WITH_MACHINE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MACHINE(min_free_kbytes_says_which_rule_made_it),
		cmocka_unit_test(reasons_name_their_figures),
		cmocka_unit_test(a_difference_names_both_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
