/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision points, the names in scope, the rules of the releases, and how policies are read.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scarce.h"
#include "zonelab/policy.h"

static const struct zl_policy_in given = {.mem = &heap, .origin = ZL_ORIGIN_GIVEN};

static struct zl_switches switches(const char *release)
{
	struct zl_release r;
	struct zl_switches sw;
	struct zl_diags diags = {0};

	assert_int_equal(zl_release_parse(release, &r), 0);
	zl_switches_for(&r, &sw, &diags);
	return sw;
}

static int64_t value(const struct zl_policy_set *set, enum zl_point p, const int64_t *slots)
{
	struct zl_error err = {0};
	int64_t v = -1;

	if (zl_policy_eval(set, p, slots, &v, &err) != 0) {
		fail_msg("%s", err.text);
	}
	return v;
}

/* Refused with this column and a sentence that has @says in it; the set stays empty. */
static void refused(const char *text, unsigned column, const char *says)
{
	struct zl_policy_set set = {0};
	struct zl_error err = {0};

	assert_int_not_equal(zl_policy_parse(&set, text, &given, &err), 0);
	if (err.column != column || strstr(err.text, says) == NULL) {
		fail_msg("'%s': column %u: %s", text, err.column, err.text);
	}
	assert_int_equal(set.count, 0);
}

static void every_rule_compiles_and_belongs_to_one_release(void **state)
{
	static const char *const releases[] = {"5.14", "5.17", "5.18", "5.19", "6.1", "6.1.192",
		"6.6", "6.6.63", "6.7", "6.8", "6.10", "6.12", "6.15", "6.16", "6.17", "6.18.2",
		"6.18.26", "6.19", "7.0", "7.1"};
	bool used[128] = {false};

	(void)state;
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *r = zl_point_rule_at(i);
		struct zl_expr e = {0};
		struct zl_error err = {0};

		if (zl_policy_compile(r->point, r->expression, &heap, &e, &err) != 0) {
			fail_msg("%s: %u: %s", r->expression, err.column, err.text);
		}
		zl_expr_done(&e, &heap);
	}
	for (size_t r = 0; r < sizeof(releases) / sizeof(releases[0]); r++) {
		struct zl_switches sw = switches(releases[r]);

		for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
			const struct zl_point_rule *rule = zl_point_rule((enum zl_point)p, &sw);

			for (size_t i = 0; i < zl_point_rule_count(); i++) {
				used[i] = used[i] || zl_point_rule_at(i) == rule;
			}
		}
	}
	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		if (!used[i]) {
			fail_msg("no release has '%s'", zl_point_rule_at(i)->expression);
		}
	}
}

static void every_shipped_policy_parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		const struct zl_shipped_policy *p = zl_shipped_policy_at(i);
		struct zl_policy_set set = {0};
		struct zl_error err = {0};

		if (zl_policy_parse(&set, p->name, &given, &err) != 0) {
			fail_msg("%s: %u: %s", p->name, err.column, err.text);
		}
		assert_true(set.count > 0);
		for (unsigned k = 0; k < ZL_POINT_COUNT; k++) {
			assert_true(set.policy[k].text == NULL ||
				    strcmp(set.policy[k].shipped, p->name) == 0);
		}
		assert_true(i == 0 || strcmp(zl_shipped_policy_at(i - 1)->name, p->name) < 0);
		zl_policy_set_done(&set, &heap);
	}
}

static void the_shipped_thresholds_have_their_values(void **state)
{
	/* batch 63, high_min 576, high 3000, scale 5: what free_count is compared with. */
	static const struct {
		const char *name;
		int64_t threshold;
	} rows[] = {
		{"threshold-1-batch",	      63	},
		{"threshold-5-batch",	      315	 },
		{"threshold-8-batch",	      504	 },
		{"threshold-half-high",	63 + 1500},
		{"threshold-half-high-min", 351      },
		{"threshold-capped",	     351	},
	};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	(void)state;
	slots[ZL_NAME_ORDER] = 3;
	slots[ZL_NAME_BATCH] = slots[ZL_NAME_LOCAL_BATCH] = 63;
	slots[ZL_NAME_HIGH_MIN] = 576;
	slots[ZL_NAME_HIGH] = 3000;
	slots[ZL_NAME_SCALE_MAX] = 5;
	slots[ZL_NAME_FLAGS] = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_policy_set set = {0};

		assert_int_equal(zl_policy_parse(&set, rows[i].name, &given, NULL), 0);
		slots[ZL_NAME_FREE_COUNT] = rows[i].threshold;
		assert_int_equal(value(&set, ZL_POINT_FREE_HIGH, slots), 1);
		slots[ZL_NAME_FREE_COUNT]--;
		assert_int_equal(value(&set, ZL_POINT_FREE_HIGH, slots), 0);
		zl_policy_set_done(&set, &heap);
	}
}

static void statements_become_expressions(void **state)
{
	static const struct {
		const char *text;
		enum zl_point point;
		int64_t value;
	} rows[] = {
		{"free_count_on_alloc = pcp->free_count >>= 1",				ZL_POINT_FREE_COUNT_ON_ALLOC, 50 },
		{"free_count_on_alloc=pcp->free_count-=1<<order;",				   ZL_POINT_FREE_COUNT_ON_ALLOC,
			92													    },
		{"free_count_on_alloc = pcp->free_count = order ? 7 : 9",
			ZL_POINT_FREE_COUNT_ON_ALLOC,									      7  },
		{"free_count_step = if (pcp->free_count <= (batch << 1)) pcp->free_count += 1 << "
		 "order",						    ZL_POINT_FREE_COUNT_STEP,	  108},
		{"free_count_step = if (pcp->free_count >= batch << 1) pcp->free_count += 1 << "
		 "order",						    ZL_POINT_FREE_COUNT_STEP,	  100},
		{"alloc_factor_on_free = pcp->alloc_factor -= pcp->alloc_factor > 0 ? 1 : 0",
			ZL_POINT_ALLOC_FACTOR_ON_FREE,									     3	},
	};
	int64_t slots[ZL_POLICY_NAMES] = {0};

	(void)state;
	slots[ZL_NAME_FREE_COUNT] = 100;
	slots[ZL_NAME_ALLOC_FACTOR] = 4;
	slots[ZL_NAME_ORDER] = 3;
	slots[ZL_NAME_LOCAL_BATCH] = 63;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_policy_set set = {0};
		struct zl_error err = {0};

		if (zl_policy_parse(&set, rows[i].text, &given, &err) != 0) {
			fail_msg("%s: %u: %s", rows[i].text, err.column, err.text);
		}
		assert_int_equal(value(&set, rows[i].point, slots), rows[i].value);
		zl_policy_set_done(&set, &heap);
	}
}

static void refusals_say_where_and_what_would_be_right(void **state)
{
	(void)state;
	refused("", 1, "empty");
	refused("   ", 1, "empty");
	refused("free_hgih = 1", 1, "did you mean free_high");
	refused("threshold-5-batches", 1, "did you mean threshold-5-batch");
	refused("free_high", 10, "needs an expression");
	refused("free_high =", 12, "empty");
	refused("free_high = pcp->free_cuont >= 3", 13, "did you mean pcp->free_count");
	refused("  free_high = 1 + + ", 20, "missing");
	refused("free_high = zone_managed_pages(zone) > 3", 32, "free_high knows no name");
	refused("free_high = pcp->free_count >>= 1", 13, "stores nothing");
	refused("decay_pcp_high = pcp->count >>= 1", 18, "decay_pcp_high sets pcp->high");
	refused("free_count_step = if (batch >) pcp->free_count += 1", 30, "missing");
	refused("free_count_step = if (batch) pcp->free_count += bath", 49, "did you mean batch");
	refused("free_high = min(1)", 18, "','");
	refused("zone_batchsize = nr_free_buffer_pages()", 18, "zone_batchsize knows no name");
}

static void default_gives_a_point_back(void **state)
{
	struct zl_policy_set set = {0};

	(void)state;
	assert_int_equal(zl_policy_parse(&set, "free_high = 0", &given, NULL), 0);
	assert_int_equal(zl_policy_parse(&set, "room=batch", &given, NULL), 0);
	assert_int_equal(set.count, 2);
	assert_int_equal(zl_policy_parse(&set, "free_high = default", &given, NULL), 0);
	assert_int_equal(set.count, 1);
	assert_false(zl_policy_has(&set, ZL_POINT_FREE_HIGH));
	zl_policy_set_done(&set, &heap);
	assert_int_equal(set.count, 0);
}

/* A profile drops control characters, and "- -x" would become "--x". */
static void breaks_between_lines_are_kept_as_blanks(void **state)
{
	const struct zl_switches none = {0};
	struct zl_policy_set set = {0};

	(void)state;
	assert_int_equal(zl_policy_parse(&set, "room = batch -\r-order\n\t+ 1", &given, NULL), 0);
	assert_string_equal("batch - -order  + 1", zl_policy_text(&set, ZL_POINT_ROOM, &none));
	zl_policy_set_done(&set, &heap);
}

static void a_higher_origin_stays(void **state)
{
	const struct zl_policy_in scenario = {.mem = &heap, .origin = ZL_ORIGIN_SCENARIO};
	const struct zl_policy_in lane = {.mem = &heap, .origin = ZL_ORIGIN_LANE};
	struct zl_policy_set set = {0}, over = {0}, copy;

	(void)state;
	assert_int_equal(zl_policy_parse(&set, "free_high = 1", &given, NULL), 0);
	assert_int_equal(zl_policy_parse(&set, "free_high = 2", &scenario, NULL), 0);
	assert_string_equal(set.policy[ZL_POINT_FREE_HIGH].text, "1");
	assert_int_equal(zl_policy_parse(&over, "free_high = 3", &lane, NULL), 0);
	assert_int_equal(zl_policy_parse(&over, "room = 4", &scenario, NULL), 0);
	assert_int_equal(zl_policy_merge(&set, &over, &heap), 0);
	assert_string_equal(set.policy[ZL_POINT_FREE_HIGH].text, "3");
	assert_string_equal(set.policy[ZL_POINT_ROOM].text, "4");
	assert_int_equal(zl_policy_set_copy(&copy, &set, &heap), 0);
	assert_true(zl_policy_set_equal(&copy, &set));
	assert_int_equal(zl_policy_parse(&copy, "room = 5", &lane, NULL), 0);
	assert_false(zl_policy_set_equal(&copy, &set));
	zl_policy_set_done(&copy, &heap);
	zl_policy_set_done(&over, &heap);
	zl_policy_set_done(&set, &heap);
}

static void errors_while_computing_name_the_point(void **state)
{
	struct zl_policy_set set = {0};
	struct zl_error err = {0};
	int64_t slots[ZL_POLICY_NAMES] = {0};
	int64_t v;

	(void)state;
	assert_int_equal(zl_policy_parse(&set, "nr_pcp_free = high / order", &given, NULL), 0);
	assert_int_equal(zl_policy_eval(&set, ZL_POINT_NR_PCP_FREE, slots, &v, &err), -EDOM);
	assert_string_equal(err.text, "policy nr_pcp_free: division by zero");
	assert_int_equal(err.column, 6);
	zl_policy_set_done(&set, &heap);
}

static void policies_that_do_nothing_are_said(void **state)
{
	struct zl_policy_set set = {0};
	struct zl_diags diags = {0};
	struct zl_switches old = switches("6.1");
	struct zl_switches new = switches("6.18");

	(void)state;
	assert_int_equal(zl_policy_parse(&set, "room = batch", &given, NULL), 0);
	assert_int_equal(zl_policy_parse(&set, "free_high = pcp->free_count > 3", &given, NULL), 0);
	zl_policy_check(&set, &new, &diags);
	assert_int_equal(diags.count, 2);
	assert_string_equal(diags.item[0].text, "policy free_high: pcp->free_count > 3");
	assert_string_equal(diags.item[1].text, "policy room: batch");
	diags.count = 0;
	zl_policy_check(&set, &old, &diags);
	assert_int_equal(diags.count, 3);
	assert_int_equal(diags.item[0].code, ZL_DIAG_POLICY);
	assert_int_equal(diags.item[1].code, ZL_DIAG_POLICY_NAME);
	assert_int_equal(diags.item[2].code, ZL_DIAG_POLICY_UNUSED);
	assert_string_equal(zl_policy_text(&set, ZL_POINT_ROOM, &old), "batch");
	assert_null(zl_policy_text(NULL, ZL_POINT_ROOM, &old));
	assert_string_equal(
		zl_policy_text(NULL, ZL_POINT_HIGH_REFILL, &new), "min(high + batch, high_max)");
	zl_policy_set_done(&set, &heap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rule_compiles_and_belongs_to_one_release),
		cmocka_unit_test(every_shipped_policy_parses),
		cmocka_unit_test(the_shipped_thresholds_have_their_values),
		cmocka_unit_test(statements_become_expressions),
		cmocka_unit_test(refusals_say_where_and_what_would_be_right),
		cmocka_unit_test(default_gives_a_point_back),
		cmocka_unit_test(breaks_between_lines_are_kept_as_blanks),
		cmocka_unit_test(a_higher_origin_stays),
		cmocka_unit_test(errors_while_computing_name_the_point),
		cmocka_unit_test(policies_that_do_nothing_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
