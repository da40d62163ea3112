/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that a file reports stand until an input that they follow from is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine_fixture.h"

#define MANAGED 11222830

/* A zone of the era that prints high alone: 40 CPUs, low 25 980, high 649. */
static struct zl_zone_facts *report(struct fixture *f, const char *kernel)
{
	struct zl_zone_facts *z = add_facts(f, 0, "Normal", 1048576, MANAGED);

	z->min = 14757;
	z->low = 25980;
	z->high = 37203;
	z->cpus = z->node_cpus = 40;
	struct zl_observed_pcp *p = zl_zone_add_pcp(z, &heap);
	p->high = 649;
	p->batch = 63;
	set_from(f, kernel, ZL_ORIGIN_FILE);
	f->profile.observe = true;
	return z;
}

static void reported_figures_stand_while_nothing_changes(void **state)
{
	struct fixture *f = *state;

	report(f, "kernel=5.15");
	resolve(f, "");
	const struct zl_zone *z = &f->m.zones[0];
	assert_true(z->wmark_observed && z->limits_observed && f->m.min_free_observed);
	assert_int_equal(14757, z->wmark.min);
	assert_int_equal(25980, z->wmark.low);
	assert_int_equal(37203, z->wmark.high);
	assert_int_equal(63, z->limits.batch);
	assert_int_equal(649, z->limits.high_min);
	assert_int_equal(649, z->limits.high_max);
	assert_int_equal(14757 * 4, f->m.min_free.kbytes);
	/* A file that states the sysctl is exact. */
	f->profile.observed.min_free_kbytes = 59030;
	resolve(f, "");
	assert_int_equal(59030, f->m.min_free.kbytes);
}

static void what_nothing_follows_from_changes_nothing(void **state)
{
	struct fixture *f = *state;

	report(f, "kernel=5.15");
	resolve(f, "pool_size=12M seed=3 cma_size=1G");
	assert_true(f->m.zones[0].wmark_observed && f->m.zones[0].limits_observed);
}

/* The watermarks stand; what CPUs and fraction divide is computed from them. */
static void limits_follow_reported_watermarks_when_their_inputs_change(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *change;
		uint64_t high;
	} rows[] = {
		{"percpu_pagelist_high_fraction=8",  35071},
		{"percpu_pagelist_high_fraction=64", 4383 },
		{"percpu_pagelist_high_fraction=0",  649  },
		{"cpus=20",			    1299 },
		{"batch=31",			     649	},
	};

	report(f, "kernel=5.15");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_settings before = f->profile.settings;

		resolve(f, rows[i].change);
		assert_true(f->m.zones[0].wmark_observed);
		assert_false(f->m.zones[0].limits_observed);
		assert_int_equal(rows[i].high, f->m.zones[0].limits.high_min);
		f->profile.settings = before;
	}
}

static void a_changed_input_computes_everything(void **state)
{
	struct fixture *f = *state;
	static const char *const changes[] = {"min_free_kbytes=30000", "page_size=16K",
		"memory=64G", "watermark_scale_factor=20", "thp_enabled=never",
		"page_block_order=7"};

	report(f, "kernel=6.18");
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct zl_settings before = f->profile.settings;

		resolve(f, changes[i]);
		assert_false(f->m.zones[0].wmark_observed);
		assert_false(f->m.zones[0].limits_observed);
		assert_false(f->m.min_free_observed);
		assert_int_not_equal(25980, f->m.zones[0].wmark.low);
		f->profile.settings = before;
	}
}

/* `high` of a tuned design is between its limits; only high_min and high_max are limits. */
static void a_tuned_high_is_no_limit(void **state)
{
	struct fixture *f = *state;
	struct zl_zone_facts *z = report(f, "kernel=6.12");

	resolve(f, "");
	assert_true(f->m.zones[0].wmark_observed);
	assert_false(f->m.zones[0].limits_observed);
	assert_int_equal(649, f->m.zones[0].limits.high_min);
	assert_int_equal(MANAGED / 8 / 40, f->m.zones[0].limits.high_max);
	z->pcp[0].high_min = 700;
	z->pcp[0].high_max = 40000;
	resolve(f, "");
	assert_true(f->m.zones[0].limits_observed);
	assert_int_equal(700, f->m.zones[0].limits.high_min);
	assert_int_equal(40000, f->m.zones[0].limits.high_max);
	/* A limit given by hand wins. */
	resolve(f, "high_min=5000");
	assert_int_equal(5000, f->m.zones[0].limits.high_min);
	assert_int_equal(40000, f->m.zones[0].limits.high_max);
}

static void the_reach_of_free_high_follows_reported_limits(void **state)
{
	struct fixture *f = *state;
	struct zl_zone_facts *z = report(f, "kernel=6.18");

	z->pcp[0].high_min = 5523;
	z->pcp[0].high_max = 48300;
	resolve(f, "");
	assert_int_equal(63 + 5523 / 2, f->m.zones[0].free_high.threshold);
	assert_false(f->m.zones[0].free_high.reachable[3]);
	assert_non_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
}

static void verification_computes(void **state)
{
	struct fixture *f = *state;

	report(f, "kernel=5.15");
	f->profile.observe = false;
	resolve(f, "");
	assert_false(f->m.zones[0].wmark_observed);
	assert_int_not_equal(14757, f->m.zones[0].wmark.min);
}

static void a_zone_without_a_report_is_computed(void **state)
{
	struct fixture *f = *state;

	report(f, "kernel=6.18");
	add_facts(f, 0, "Movable", 20000000, 262144);
	resolve(f, "");
	assert_true(f->m.zones[0].wmark_observed);
	assert_false(f->m.zones[1].wmark_observed);
	assert_false(f->m.min_free_observed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(reported_figures_stand_while_nothing_changes),
		MACHINE_TEST(what_nothing_follows_from_changes_nothing),
		MACHINE_TEST(limits_follow_reported_watermarks_when_their_inputs_change),
		MACHINE_TEST(a_changed_input_computes_everything),
		MACHINE_TEST(a_tuned_high_is_no_limit),
		MACHINE_TEST(the_reach_of_free_high_follows_reported_limits),
		MACHINE_TEST(verification_computes),
		MACHINE_TEST(a_zone_without_a_report_is_computed),
	};

	return cmocka_run_group_tests_name("machine-observed", tests, NULL, NULL);
}
