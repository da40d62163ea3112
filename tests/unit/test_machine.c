/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of whole machines, and what designs and settings make of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine_fixture.h"
#include "zonelab/error.h"

static void one_zone_machines_get_the_worked_values(void **state)
{
	struct fixture *f = *state;
	/* The rows whose THP term is capped stand as the recordings have them. */
	static const struct {
		const char *settings;
		uint64_t min_free, min, low;
		unsigned batch;
		uint64_t high_min, high_max, threshold, ceiling;
	} rows[] = {
		{"memory=1G cpus=1",			     22528,   5632,  7040,	63, 7040, 32768, 3583, 2016},
		{"memory=1G cpus=4",			     22528,   5632,  7040,	63, 1760, 8192,	943,  2016},
		{"memory=4G cpus=8",			     22528,   5632,  7040,	63, 880,	 16384, 503,  2016},
		{"memory=16G cpus=16",		       22528,   5632,  9826,	  63, 614,  32768, 370,  2016},
		{"memory=64G cpus=64",		       32768,   8192,  24969,  63, 390,  32768, 258,	2016},
		{"memory=384G cpus=192",			 80264,	20066, 120729, 63, 628,	65536, 377,  2016},
		{"memory=256M cpus=1 thp_enabled=always", 12952,	 3238,  4047,   15, 4047, 8192,  2038,
			480											 },
		{"memory=4G cpus=8 page_size=16K",	   208880,  13055, 16318,	 15, 2039, 4096,	 1034, 480 },
		{"memory=4G cpus=8 page_size=64K",	   208832,  3263,	 4078,   3,  509,  1024,  257,  96  },
		{"memory=64G cpus=64 page_size=64K",	     3347072, 52298, 65372,  3,  1021, 2048,  513,	96  },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		resolve_only(f, rows[i].settings);
		const struct zl_zone *z = &f->m.zones[0];

		assert_int_equal(1, f->m.nr_zones);
		assert_int_equal(rows[i].min_free, f->m.min_free.kbytes);
		assert_int_equal(rows[i].min, z->wmark.min);
		assert_int_equal(rows[i].low, z->wmark.low);
		assert_int_equal(rows[i].batch, z->limits.batch);
		assert_int_equal(rows[i].high_min, z->limits.high_min);
		assert_int_equal(rows[i].high_max, z->limits.high_max);
		assert_int_equal(rows[i].threshold, z->free_high.threshold);
		assert_int_equal(rows[i].ceiling, z->free_high.ceiling);
	}
}

static void the_default_machine_is_the_one_on_the_geometry_screen(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "");
	assert_string_equal("6.18.2", f->m.release.display);
	assert_false(f->m.release_known);
	assert_null(find_diag(f, ZL_DIAG_RELEASE_ASSUMED));
	assert_int_equal(ZL_DESIGN_C, f->m.switches.design);
	assert_int_equal(9, f->m.geometry.pageblock_order);
	assert_int_equal(2048, f->m.pageblocks);
	assert_int_equal(22528, f->m.min_free.kbytes);
	assert_true(f->m.grouping);
	assert_int_equal(12 * MIB, f->m.grouping_minimum << 12);
	assert_int_equal(42 * MIB, f->m.highatomic_bytes);
	assert_int_equal(503, f->m.zones[0].free_high.threshold);
	assert_true(f->m.zones[0].free_high.reachable[3]);
	assert_string_equal("Normal", f->m.zones[0].name);
	assert_string_equal("Idealised machine: one node, one zone, managed = present = 4 GiB",
		find_diag(f, ZL_DIAG_IDEALISED)->text);
	assert_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
}

static void larger_pages_never_fire_and_say_so(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "page_size=16K");
	const struct zl_diag *d = find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE);

	assert_non_null(d);
	assert_int_equal(ZL_WARNING, d->severity);
	assert_string_equal(
		"free_high never fires: 15 + 2039 / 2 = 1034, counter stops at 15 << 5", d->text);
	/* 15 << 6 is 960: even the largest scale is too small. */
	assert_int_equal(ZL_SET_HIGH_MIN, d->fix.key);
	assert_string_equal("931", d->fix.value);
	assert_string_equal("min_free_kbytes: 11 pageblocks are 360 448, capped at 5 % = 13 055 "
			    "pages",
		find_diag(f, ZL_DIAG_MIN_FREE_CAPPED)->text);
	assert_int_equal(128, f->m.pageblocks);
	assert_int_equal(64 * MIB, f->m.highatomic_bytes);
	assert_int_equal(192 * MIB, f->m.grouping_minimum << 14);
	/* The fix holds. */
	resolve(f, "high_min=931");
	assert_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
	resolve(f, "high_min=932");
	assert_non_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
}

static void block_orders_of_the_16k_table_agree(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *order;
		uint64_t min_free, low, high_min, threshold;
		bool fires;
		uint64_t highatomic_mib;
	} rows[] = {
		{"7",  22528,  1760,  220,	125, true,  42},
		{"8",  45056,  3520,  440,	235, true,  44},
		{"9",  90112,  7040,  880,	455, true,  48},
		{"10", 180224, 14080, 1760, 895, false, 48},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_error err;

		resolve_only(f, "page_size=16K");
		assert_int_equal(0, zl_settings_set(&f->profile.settings, ZL_SET_PAGE_BLOCK_ORDER,
					    rows[i].order, ZL_ORIGIN_GIVEN, &err));
		resolve(f, "");
		const struct zl_zone *z = &f->m.zones[0];

		assert_int_equal(rows[i].min_free, f->m.min_free.kbytes);
		assert_int_equal(rows[i].low, z->wmark.low);
		assert_int_equal(rows[i].high_min, z->limits.high_min);
		assert_int_equal(rows[i].threshold, z->free_high.threshold);
		assert_int_equal(rows[i].fires, zl_free_high_can_fire(&z->free_high));
		assert_int_equal(rows[i].highatomic_mib * MIB, f->m.highatomic_bytes);
	}
}

static void one_gib_and_one_cpu_is_out_of_reach_on_7_1(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "arch=x86_64 kernel=7.1.3 memory=1G cpus=1");
	const struct zl_diag *d = find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE);

	assert_string_equal(
		"free_high never fires: 63 + 7040 / 2 = 3583, counter stops at 63 << 5", d->text);
	assert_int_equal(ZL_SET_BATCH_SCALE_MAX, d->fix.key);
	assert_string_equal("6", d->fix.value);
	assert_string_equal(
		"fix: pcp_batch_scale_max=6 (ceiling 4032), or high_min of at most 3907", d->mend);
	resolve(f, "pcp_batch_scale_max=6");
	assert_true(f->m.zones[0].free_high.reachable[1]);
	resolve(f, "pcp_batch_scale_max=5 cpus=2");
	assert_int_equal(3520, f->m.zones[0].limits.high_min);
	assert_int_equal(1823, f->m.zones[0].free_high.threshold);
	assert_true(f->m.zones[0].free_high.reachable[3]);
	resolve(f, "cpus=1 kernel=6.15");
	assert_int_equal(63, f->m.zones[0].free_high.threshold);
	assert_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
}

static void two_nodes_of_768_gib_are_tuned_as_worked_out(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "arch=x86_64 kernel=6.18.2 memory=1536G nodes=2 cpus=768");
	assert_int_equal(2, f->m.nr_zones);
	assert_true(f->m.numa);
	assert_int_equal(160529, f->m.min_free.kbytes);
	const struct zl_zone *z = &f->m.zones[1];

	assert_int_equal(1, z->node);
	assert_int_equal(384, z->cpus);
	assert_int_equal(201326592, z->start_pfn);
	assert_int_equal(20066, z->wmark.min);
	assert_int_equal(221392, z->wmark.low);
	assert_int_equal(422718, z->wmark.high);
	assert_int_equal(576, z->limits.high_min);
	assert_int_equal(65536, z->limits.high_max);
	assert_int_equal(351, z->free_high.threshold);
	resolve(f, "zones=auto");
	/* Node 0 keeps 4 GiB for DMA and DMA32: 220 239 / 384 (with a hole below 4 GiB: 575). */
	assert_int_equal(4, f->m.nr_zones);
	assert_int_equal(4, f->m.lowmem_zones);
	assert_int_equal(90112, f->m.min_free.thp_kbytes);
	assert_int_equal(573, f->m.zones[2].limits.high_min);
	assert_int_equal(349, f->m.zones[2].free_high.threshold);
	assert_int_equal(576, f->m.zones[3].limits.high_min);
}

static void a_480_gib_machine_with_64k_pages_keeps_eleven_gib(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "page_size=64K memory=480G nodes=2 kernel=6.14");
	assert_int_equal(11534336, f->m.min_free.kbytes);
	assert_int_equal(ZL_MIN_FREE_THP, f->m.min_free.rule);
	assert_int_equal(11264, (f->m.zones[0].wmark.min + f->m.zones[1].wmark.min) >> 4);
	assert_int_equal(14080, (f->m.zones[0].wmark.low + f->m.zones[1].wmark.low) >> 4);
	assert_int_equal(16896, (f->m.zones[0].wmark.high + f->m.zones[1].wmark.high) >> 4);
	resolve(f, "page_size=4K");
	assert_int_equal(89738, f->m.min_free.kbytes);
	assert_int_equal(45056, f->m.min_free.thp_kbytes);
	assert_int_equal(ZL_MIN_FREE_SQRT, f->m.min_free.rule);
}

static void khugepaged_raises_a_users_value_by_zones(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *settings;
		uint64_t kbytes;
	} rows[] = {
		{"arch=x86_64 memory=32G zones=DMA32:4G,Normal:28G min_free_kbytes=6000",		  45056},
		{"arch=x86_64 memory=32G zones=auto min_free_kbytes=6000",			   67584},
		{"arch=x86_64 memory=32G zones=auto nodes=2 min_free_kbytes=90000",		    90112},
		{"arch=x86_64 memory=80G nodes=5 zones=DMA32:4G,Normal:12G min_free_kbytes=135168",
			225280										  },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		resolve_only(f, rows[i].settings);
		assert_int_equal(rows[i].kbytes, f->m.min_free.kbytes);
		const struct zl_diag *d = find_diag(f, ZL_DIAG_MIN_FREE_RAISED);

		assert_non_null(d);
		assert_int_equal(ZL_SET_THP_ENABLED, d->fix.key);
		resolve(f, "thp_enabled=never");
		assert_null(find_diag(f, ZL_DIAG_MIN_FREE_RAISED));
		assert_int_equal(f->profile.settings.value[ZL_SET_MIN_FREE_KBYTES].number,
			f->m.min_free.kbytes);
		assert_non_null(find_diag(f, ZL_DIAG_MIN_FREE_KEPT));
	}
}

static void a_users_value_that_is_the_computed_one_is_no_finding(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "thp_enabled=never min_free_kbytes=8192");
	assert_null(find_diag(f, ZL_DIAG_MIN_FREE_KEPT));
	resolve_only(f, "thp_enabled=never min_free_kbytes=8193");
	assert_non_null(find_diag(f, ZL_DIAG_MIN_FREE_KEPT));
}

static void thp_counts_only_where_it_runs(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "memory=512M");
	assert_true(f->m.thp_active);
	resolve_only(f, "memory=511M");
	assert_false(f->m.thp_active);
	assert_int_equal(ZL_MIN_FREE_SQRT, f->m.min_free.rule);
	resolve(f, "thp_enabled=madvise");
	assert_true(f->m.thp_active);
	resolve_only(f, "thp=off");
	assert_false(f->m.thp_active);
	assert_int_equal(8192, f->m.min_free.kbytes);
	resolve(f, "thp_enabled=always");
	assert_false(f->m.thp_active);
	resolve_only(f, "thp_enabled=never");
	assert_int_equal(8192, f->m.min_free.kbytes);
}

static void given_limits_override_and_the_rest_follows(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "high_min=700");
	assert_int_equal(700, f->m.zones[0].limits.high_min);
	assert_int_equal(16384, f->m.zones[0].limits.high_max);
	assert_int_equal(413, f->m.zones[0].free_high.threshold);
	resolve(f, "batch=31 high_max=900");
	assert_int_equal(31 + 350, f->m.zones[0].free_high.threshold);
	assert_int_equal(31 << 5, f->m.zones[0].free_high.ceiling);
	assert_int_equal(900, f->m.zones[0].limits.high_max);
	/* high_min is at least four of the given batches. */
	resolve_only(f, "batch=500");
	assert_int_equal(2000, f->m.zones[0].limits.high_min);
	resolve_only(f, "kernel=6.1 high=700 high_max=900");
	assert_int_equal(700, f->m.zones[0].limits.high_min);
	assert_int_equal(700, f->m.zones[0].limits.high_max);
	assert_int_equal(700, f->m.zones[0].free_high.threshold);
}

static void a_fraction_of_1_to_7_is_refused_and_0_kept(void **state)
{
	struct fixture *f = *state;

	zl_settings_number(&f->profile.settings, ZL_SET_HIGH_FRACTION, 7, ZL_ORIGIN_FILE);
	resolve(f, "");
	assert_int_equal(0, f->m.high_fraction);
	assert_int_equal(880, f->m.zones[0].limits.high_min);
	const struct zl_diag *d = find_diag(f, ZL_DIAG_SETTING_RANGE);

	assert_non_null(d);
	assert_int_equal(ZL_SET_HIGH_FRACTION, d->about);
	resolve(f, "percpu_pagelist_high_fraction=8");
	assert_int_equal(16384, f->m.zones[0].limits.high_min);
	assert_int_equal(16384, f->m.zones[0].limits.high_max);
	assert_null(find_diag(f, ZL_DIAG_SETTING_RANGE));
}

static void every_design_says_what_free_high_does(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "kernel=5.15");
	assert_false(f->m.zones[0].free_high.exists);
	assert_non_null(find_diag(f, ZL_DIAG_FREE_HIGH_ABSENT));
	resolve_only(f, "kernel=6.1-rc7");
	assert_int_equal(880, f->m.zones[0].free_high.threshold);
	assert_false(f->m.zones[0].free_high.has_ceiling);
	assert_true(f->m.zones[0].free_high.reachable[1]);
	assert_int_equal(880, f->m.zones[0].limits.high_max);
	resolve_only(f, "kernel=6.1.192 pcp_batch_scale_max=0");
	assert_false(f->m.zones[0].free_high.reachable[1]);
	assert_string_equal("free_high never fires: pcp_batch_scale_max 0 keeps free_factor at 0",
		find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE)->text);
	resolve_only(f, "kernel=6.12 memory=1G cpus=1");
	assert_int_equal(63, f->m.zones[0].free_high.threshold);
	assert_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
	resolve_only(f, "kernel=5.10");
	assert_false(f->m.pagesets);
	assert_int_equal(0, f->m.zones[0].limits.batch);
	assert_int_equal(5632, f->m.zones[0].wmark.min);
	assert_non_null(find_diag(f, ZL_DIAG_RELEASE_OLDER));
}

static void orders_that_stop_short_are_told_apart(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "pcp_batch_scale_max=1 high_min=128");
	assert_false(f->m.zones[0].free_high.reachable[1]);
	assert_true(f->m.zones[0].free_high.reachable[2]);
	const struct zl_diag *d = find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE);

	assert_int_equal(ZL_NOTE, d->severity);
	assert_string_equal("frees of order 1 alone never fire free_high: threshold 127, counter "
			    "stops at 63 << 1",
		d->text);
}

static unsigned count_diags(const struct fixture *f, enum zl_diag_code code)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->diags.count; i++) {
		n += f->diags.item[i].code == code ? 1 : 0;
	}
	return n;
}

static void zones_alike_are_told_once(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "Normal", UINT64_C(0x100000), UINT64_C(0x20000));
	add_facts(f, 1, "Normal", UINT64_C(0x200000), UINT64_C(0x20000));
	resolve_only(f, "kernel=6.18 nodes=2 cpus=2 high_min=10000");
	assert_int_equal(1, count_diags(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
	/* A small zone has a smaller batch. */
	add_facts(f, 2, "Normal", UINT64_C(0x300000), UINT64_C(0x2000));
	resolve_only(f, "kernel=6.18 nodes=3 cpus=3 high_min=10000");
	assert_int_equal(2, count_diags(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
}

/* Zones that differ are told by name up to eight, the rest as a number. */
static void many_zones_are_told_in_few_lines(void **state)
{
	struct fixture *f = *state;
	const struct zl_diag *last = NULL;

	for (unsigned node = 0; node < 10; node++) {
		add_facts(f, node, "Normal", UINT64_C(0x100000) * (node + 1),
			UINT64_C(0x20000) + 4096 * node);
	}
	resolve_only(f, "kernel=6.18 nodes=10 cpus=10 min_free_kbytes=400000");
	assert_int_equal(9, count_diags(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
	for (size_t i = 0; i < f->diags.count; i++) {
		if (f->diags.item[i].code == ZL_DIAG_FREE_HIGH_UNREACHABLE) {
			last = &f->diags.item[i];
		}
	}
	assert_non_null(last);
	assert_string_equal("free_high never fires in 2 more zones", last->text);
}

static void without_smp_7_1_uses_no_pagesets(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "kernel=7.1.3 smp=off memory=1G");
	assert_false(f->m.pagesets);
	assert_int_equal(1, f->m.cpus);
	assert_false(f->m.zones[0].free_high.reachable[3]);
	assert_non_null(find_diag(f, ZL_DIAG_NO_PAGESETS));
	assert_null(find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE));
	assert_null(find_diag(f, ZL_DIAG_SETTING_IGNORED));
	resolve(f, "kernel=7.0 cpus=4");
	assert_true(f->m.pagesets);
	assert_int_equal(1, f->m.cpus);
	assert_null(find_diag(f, ZL_DIAG_NO_PAGESETS));
	assert_int_equal(ZL_SET_CPUS, find_diag(f, ZL_DIAG_SETTING_IGNORED)->about);
}

static void without_an_mmu_high_is_0(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "arch=arm mmu=off memory=64M");
	assert_int_equal(1, f->m.zones[0].limits.batch);
	assert_int_equal(0, f->m.zones[0].limits.high_min);
	assert_non_null(find_diag(f, ZL_DIAG_NO_PAGESETS));
}

static void grouping_is_off_below_one_block_of_each_type(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "page_size=64K memory=2G");
	assert_false(f->m.grouping);
	assert_int_equal(3 * GIB, f->m.grouping_minimum << 16);
	assert_non_null(find_diag(f, ZL_DIAG_GROUPING_OFF));
	assert_non_null(find_diag(f, ZL_DIAG_CMA_DEAD));
	assert_non_null(find_diag(f, ZL_DIAG_HIGHATOMIC_NONE));
	resolve(f, "cma=off");
	assert_null(find_diag(f, ZL_DIAG_CMA_DEAD));
	resolve_only(f, "page_size=64K memory=3G kernel=6.12");
	assert_true(f->m.grouping);
	assert_null(find_diag(f, ZL_DIAG_GROUPING_OFF));
	assert_null(find_diag(f, ZL_DIAG_CMA_DEAD));
	/* Boot logs of 6.1 on that machine: "mobility grouping off.  Total pages: 49104". */
	resolve(f, "kernel=6.1.192");
	assert_int_equal(49104, f->m.grouping_pages);
	assert_false(f->m.grouping);
	resolve_only(f, "page_size=16K memory=1G kernel=6.1.192");
	assert_int_equal(65280, f->m.grouping_pages);
	assert_true(f->m.grouping);
	resolve_only(f, "page_size=4K memory=4G kernel=6.12");
	assert_null(find_diag(f, ZL_DIAG_HIGHATOMIC_NONE));
}

static void pageblocks_are_counted_as_pagetypeinfo_does(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "DMA", 1, 3840)->present = 3998;
	f->profile.zones[0].spanned = 4095;
	struct zl_zone_facts *z = add_facts(f, 0, "DMA32", 4096, 782336);

	z->spanned = 1044480;
	resolve(f, "arch=x86_64");
	assert_int_equal(8, f->m.zones[0].pageblocks);
	assert_int_equal(1528, f->m.zones[1].pageblocks);
	assert_int_equal(1536, f->m.pageblocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(one_zone_machines_get_the_worked_values),
		MACHINE_TEST(the_default_machine_is_the_one_on_the_geometry_screen),
		MACHINE_TEST(larger_pages_never_fire_and_say_so),
		MACHINE_TEST(block_orders_of_the_16k_table_agree),
		MACHINE_TEST(one_gib_and_one_cpu_is_out_of_reach_on_7_1),
		MACHINE_TEST(two_nodes_of_768_gib_are_tuned_as_worked_out),
		MACHINE_TEST(a_480_gib_machine_with_64k_pages_keeps_eleven_gib),
		MACHINE_TEST(khugepaged_raises_a_users_value_by_zones),
		MACHINE_TEST(a_users_value_that_is_the_computed_one_is_no_finding),
		MACHINE_TEST(zones_alike_are_told_once),
		MACHINE_TEST(many_zones_are_told_in_few_lines),
		MACHINE_TEST(thp_counts_only_where_it_runs),
		MACHINE_TEST(given_limits_override_and_the_rest_follows),
		MACHINE_TEST(a_fraction_of_1_to_7_is_refused_and_0_kept),
		MACHINE_TEST(every_design_says_what_free_high_does),
		MACHINE_TEST(orders_that_stop_short_are_told_apart),
		MACHINE_TEST(without_smp_7_1_uses_no_pagesets),
		MACHINE_TEST(without_an_mmu_high_is_0),
		MACHINE_TEST(grouping_is_off_below_one_block_of_each_type),
		MACHINE_TEST(pageblocks_are_counted_as_pagetypeinfo_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
