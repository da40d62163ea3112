/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of each release, given as policies, do what the built-in code does: record by record
 * and digest by digest on every recorded op list, on the short way and on the long one.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mix.h"
#include "zonelab/file.h"
#include "zonelab/policy.h"
#include "zonelab/workload.h"

static const struct zl_policy_in given = {.mem = NULL, .origin = ZL_ORIGIN_GIVEN};

static struct zl_switches switches_of(const char *release)
{
	struct zl_switches sw;
	struct zl_release r;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &sw, NULL);
	return sw;
}

/* Every rule of a release, or that of one point. */
static void rules_as_policies(
	const struct zl_switches *sw, enum zl_point only, struct zl_policy_set *ret)
{
	struct zl_policy_in in = given;

	in.mem = zl_allocator_heap();
	memset(ret, 0, sizeof(*ret));
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		const struct zl_point_rule *rule = zl_point_rule((enum zl_point)p, sw);
		struct zl_error err = {0};

		if (rule == NULL || (only != ZL_POINT_COUNT && only != (enum zl_point)p)) {
			continue;
		}
		if (zl_policy_give(ret, (enum zl_point)p, rule->expression, &in, &err) != 0) {
			fail_msg("%s: %s", rule->expression, err.text);
		}
	}
}

static void no_record(void *user, const struct zl_sim *sim, const struct zl_record *record)
{
	(void)user;
	(void)sim;
	(void)record;
}

/* Records in step; the one difference is that it says "by policy". */
static void expect_same_records(struct zl_sim *a, struct zl_sim *b, const char *what)
{
	struct zl_record x, y;

	zl_sim_record(a, &x);
	zl_sim_record(b, &y);
	y.free_high_policy = x.free_high_policy;
	if (memcmp(&x, &y, sizeof(x)) != 0) {
		fail_msg("%s: op %llu: free_count %d %d, count %d %d, high %d %d, threshold %d %d, "
			 "ceiling %d %d, to_free %d %d",
			what, (unsigned long long)x.index, x.free_count, y.free_count, x.count,
			y.count, x.high, y.high, x.threshold, y.threshold, x.ceiling, y.ceiling,
			x.to_free, y.to_free);
	}
}

static void run_both(
	const struct zl_workload *w, const char *release, enum zl_point only, const char *what)
{
	struct zl_observer watcher = {.record = no_record};
	struct zl_sim_config config = w->config;
	struct zl_sim *plain, *hit, *slow;
	struct zl_policy_set set;
	struct zl_error err = {0};

	config.switches = switches_of(release);
	rules_as_policies(&config.switches, only, &set);
	assert_int_equal(0, zl_sim_new(&config, zl_allocator_heap(), &plain, NULL));
	config.policies = &set;
	assert_int_equal(0, zl_sim_new(&config, zl_allocator_heap(), &hit, NULL));
	assert_int_equal(0, zl_sim_new(&config, zl_allocator_heap(), &slow, NULL));
	zl_sim_subscribe(slow, &watcher);
	for (size_t i = 0; i < w->nr_ops; i++) {
		assert_int_equal(0, zl_sim_apply(plain, &w->ops[i]));
		if (zl_sim_apply(hit, &w->ops[i]) != 0) {
			zl_sim_policy_fault(hit, &err);
			fail_msg("%s under %s: %s", what, release, err.text);
		}
		assert_int_equal(0, zl_sim_apply(slow, &w->ops[i]));
		expect_same_records(plain, hit, what);
		expect_same_records(plain, slow, what);
	}
	assert_int_equal(zl_sim_digest(plain), zl_sim_digest(hit));
	assert_int_equal(zl_sim_digest(plain), zl_sim_digest(slow));
	zl_sim_free(plain);
	zl_sim_free(hit);
	zl_sim_free(slow);
	zl_policy_set_done(&set, zl_allocator_heap());
}

static void every_list(const char *pattern, const char *release, enum zl_point only)
{
	glob_t g;

	assert_int_equal(0, glob(pattern, 0, NULL, &g));
	assert_true(g.gl_pathc > 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct zl_workload w;
		struct zl_error err = {0};

		assert_int_equal(0, zl_workload_load(g.gl_pathv[i], zl_allocator_heap(), &w, &err));
		run_both(&w, release, only, strrchr(g.gl_pathv[i], '/') + 1);
		zl_workload_done(&w);
	}
	globfree(&g);
}

static void all_rules_of_every_release_on_every_list(void **state)
{
	(void)state;
	for (size_t i = 0; i < mix_nr_releases; i++) {
		every_list(TEST_DATA "/golden/workloads/*.gz", mix_releases[i], ZL_POINT_COUNT);
	}
}

static void one_rule_at_a_time(void **state)
{
	static const char *const releases[] = {"6.1.192", "6.12", "6.18.2", "7.1.3"};

	(void)state;
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		struct zl_switches sw = switches_of(releases[i]);

		for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
			if (zl_point_rule((enum zl_point)p, &sw) != NULL) {
				every_list(TEST_DATA "/golden/workloads/h*.gz", releases[i],
					(enum zl_point)p);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rules_of_every_release_on_every_list),
		cmocka_unit_test(one_rule_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
