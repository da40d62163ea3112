/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "zonelab/tuning.h"

#define MIB_SHIFT 20
#define GIB_SHIFT 30

static const struct zl_switches old_rules;
static const struct zl_switches new_rules = {.wmark_movable_clamped = true};

static struct zl_pcp_in pcp_in(
	enum zl_design_id design, uint64_t managed, uint64_t low, unsigned cpus)
{
	struct zl_pcp_in in = {.design = design,
		.mmu = true,
		.page_shift = 12,
		.managed = managed,
		.low_wmark = low,
		.cpus = cpus};

	return in;
}

static void the_batch_grows_with_the_zone_up_to_a_quarter_mebibyte(void **state)
{
	static const struct {
		uint64_t mib;
		unsigned batch4k, batch16k, batch64k;
	} rows[] = {
		{16,     1,	1,  1},
		       {64,	    3,  1,  1},
		      {256,    15, 3,  1},
		       {512,    31, 7,  1},
		{1024,   63, 15, 3},
		{4096,   63, 15, 3},
		   {16384,  63, 15, 3},
		       {786432, 63, 15, 3}
	  };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t bytes = rows[i].mib << MIB_SHIFT;
		struct zl_pcp_in in = pcp_in(ZL_DESIGN_C, bytes >> 12, 0, 1);
		struct zl_pcp_limits got;

		zl_pcp_limits(&in, &got);
		assert_int_equal(rows[i].batch4k, got.batch);
		in.page_shift = 14;
		in.managed = bytes >> 14;
		zl_pcp_limits(&in, &got);
		assert_int_equal(rows[i].batch16k, got.batch);
		in.page_shift = 16;
		in.managed = bytes >> 16;
		zl_pcp_limits(&in, &got);
		assert_int_equal(rows[i].batch64k, got.batch);
	}
}

static void batch_steps_stand_where_the_rounding_puts_them(void **state)
{
	(void)state;
	assert_int_equal(63, zl_zone_batchsize(ZL_DESIGN_C, true, 176128, 12));
	assert_int_equal(31, zl_zone_batchsize(ZL_DESIGN_C, true, 176127, 12));
	assert_int_equal(31, zl_zone_batchsize(ZL_DESIGN_C, true, 22 << 12, 12));
	assert_int_equal(15, zl_zone_batchsize(ZL_DESIGN_C, true, (22 << 12) - 1, 12));
	assert_int_equal(15, zl_zone_batchsize(ZL_DESIGN_C, true, 11 << 12, 12));
	assert_int_equal(7, zl_zone_batchsize(ZL_DESIGN_C, true, (11 << 12) - 1, 12));
	/* 256 KiB pages leave one page of the quarter mebibyte. */
	assert_int_equal(0, zl_zone_batchsize(ZL_DESIGN_C, true, UINT64_C(1) << 30, 18));
	assert_int_equal(1, zl_zone_batchsize(ZL_DESIGN_D71, true, UINT64_C(1) << 30, 18));
}

static void boot_log_zones_get_the_logged_batch(void **state)
{
	(void)state;
	assert_int_equal(63, zl_zone_batchsize(ZL_DESIGN_A, true, 229120, 12));
	assert_int_equal(63, zl_zone_batchsize(ZL_DESIGN_A, true, 770048, 12));
	assert_int_equal(63, zl_zone_batchsize(ZL_DESIGN_A, true, 196608, 12));
	assert_int_equal(15, zl_zone_batchsize(ZL_DESIGN_A, true, 65536, 12));
	assert_int_equal(15, zl_zone_batchsize(ZL_DESIGN_A, true, 46736, 12));
	assert_int_equal(0, zl_zone_batchsize(ZL_DESIGN_A, true, 4096, 12));
}

static void without_an_mmu_a_pageset_holds_nothing(void **state)
{
	static const struct {
		enum zl_design_id design;
		unsigned raw;
	} rows[] = {
		{ZL_DESIGN_A514, 0},
		     {ZL_DESIGN_B,	   0},
		       {ZL_DESIGN_C,    0},
		 {ZL_DESIGN_D19,	 1},
		{ZL_DESIGN_D71,	1}
	  };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_pcp_in in = pcp_in(rows[i].design, 1 << 20, 7040, 1);
		struct zl_pcp_limits got;

		in.mmu = false;
		assert_int_equal(
			rows[i].raw, zl_zone_batchsize(rows[i].design, false, in.managed, 12));
		zl_pcp_limits(&in, &got);
		assert_int_equal(1, got.batch);
		assert_int_equal(0, got.high_min);
		assert_int_equal(0, got.high_max);
	}
}

static void a_fraction_replaces_both_limits_and_leaves_the_batch(void **state)
{
	struct zl_pcp_in in = pcp_in(ZL_DESIGN_A514, 11222830, 25980, 40);
	static const struct {
		unsigned fraction;
		uint64_t high;
	} rows[] = {
		{0,  649  },
		  {8,  35071},
		      {64, 4383 }
	};
	struct zl_pcp_limits got;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		in.fraction = rows[i].fraction;
		zl_pcp_limits(&in, &got);
		assert_int_equal(63, got.batch);
		assert_int_equal(rows[i].high, got.high_min);
		assert_int_equal(rows[i].high, got.high_max);
	}
	in.design = ZL_DESIGN_B;
	zl_pcp_limits(&in, &got);
	assert_int_equal(4383, got.high_min);
	assert_int_equal(4383, got.high_max);
	in.fraction = 0;
	zl_pcp_limits(&in, &got);
	assert_int_equal(649, got.high_min);
	assert_int_equal(35071, got.high_max);
}

static void a_pageset_may_always_hold_four_batches(void **state)
{
	struct zl_pcp_in in = pcp_in(ZL_DESIGN_C, 1 << 20, 0, 1024);
	struct zl_pcp_limits got;

	(void)state;
	zl_pcp_limits(&in, &got);
	assert_int_equal(252, got.high_min);
	assert_int_equal(252, got.high_max);
}

/* The 768 GiB node: two nodes of 384 CPUs, min_free_kbytes from the square root. */
static void the_384_cpu_node_is_tuned_as_worked_out(void **state)
{
	struct zl_min_free_in in = {.page_shift = 12,
		.lowmem_pages = UINT64_C(402653184),
		.free_buffer_pages = UINT64_C(402653184),
		.thp_active = true,
		.nr_zones = 4,
		.pageblock_nr_pages = 512};
	struct zl_watermark_in wm = {.type = ZL_ZONE_NORMAL,
		.managed = UINT64_C(201326592),
		.lowmem_pages = UINT64_C(402653184),
		.page_shift = 12,
		.scale_factor = 10};
	struct zl_min_free f;
	struct zl_watermarks w;

	(void)state;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(160529, f.kbytes);
	assert_int_equal(ZL_MIN_FREE_SQRT, f.rule);
	assert_int_equal(90112, f.thp_kbytes);
	wm.min_free_kbytes = f.kbytes;
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(20066, w.min);
	assert_int_equal(201326, w.distance);
	assert_true(w.distance_from_scale);
	assert_int_equal(221392, w.low);
	assert_int_equal(422718, w.high);
	assert_int_equal(624044, w.promo);

	struct zl_pcp_in pcp = pcp_in(ZL_DESIGN_C, wm.managed, w.low, 384);
	struct zl_pcp_limits limits;
	struct zl_free_high fh;

	zl_pcp_limits(&pcp, &limits);
	assert_int_equal(576, limits.high_min);
	assert_int_equal(65536, limits.high_max);
	zl_free_high_limits(ZL_DESIGN_C, &limits, 5, &fh);
	assert_int_equal(351, fh.threshold);
	assert_int_equal(2016, fh.ceiling);
}

static void two_zones_of_a_live_machine_agree(void **state)
{
	static const struct {
		uint64_t managed, lowmem, min, low, high, high_min, high_max;
	} rows[] = {
	/* the pageset vector: 2 CPUs, min_free_kbytes 67584 */
		{772808,	 1628616, 8017,	10021, 12025, 5010, 48300 },
		{851968,	 1628616, 8838,	11047, 13256, 5523, 53248 },
 /* three zones of another state of that machine */
		{3840,    2644416, 24,    30,	36,    15,	240   },
		{772808,	 2644416, 4937,	6171,  7405,  3085, 48300 },
		{1867776, 2644416, 11933, 14916, 17899, 7458, 116736},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_watermark_in wm = {.type = ZL_ZONE_NORMAL,
			.managed = rows[i].managed,
			.lowmem_pages = rows[i].lowmem,
			.min_free_kbytes = 67584,
			.page_shift = 12,
			.scale_factor = 10};
		struct zl_watermarks w;
		struct zl_pcp_limits limits;

		zl_zone_watermarks(&new_rules, &wm, &w);
		assert_int_equal(rows[i].min, w.min);
		assert_int_equal(rows[i].low, w.low);
		assert_int_equal(rows[i].high, w.high);

		struct zl_pcp_in pcp = pcp_in(ZL_DESIGN_C, wm.managed, w.low, 2);

		zl_pcp_limits(&pcp, &limits);
		assert_int_equal(rows[i].high_min, limits.high_min);
		assert_int_equal(rows[i].high_max, limits.high_max);
	}
}

static void movable_zones_are_clamped_from_6_6_on(void **state)
{
	struct zl_watermark_in wm = {.type = ZL_ZONE_MOVABLE,
		.managed = 1 << 20,
		.lowmem_pages = 1 << 21,
		.min_free_kbytes = 22528,
		.page_shift = 12,
		.scale_factor = 10};
	struct zl_watermarks w;

	(void)state;
	assert_true(zl_zone_shares_min_free(&old_rules, ZL_ZONE_MOVABLE));
	assert_false(zl_zone_shares_min_free(&new_rules, ZL_ZONE_MOVABLE));
	assert_false(zl_zone_shares_min_free(&old_rules, ZL_ZONE_HIGHMEM));
	zl_zone_watermarks(&old_rules, &wm, &w);
	assert_int_equal(2816, w.min);
	assert_false(w.clamped);
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(128, w.min);
	assert_int_equal(2816, w.share);
	assert_true(w.clamped);
	/* The distance still follows the share: max(2816 / 4, 1048). */
	assert_int_equal(128 + 1048, w.low);
	wm.managed = 1024;
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(32, w.min);
}

static void a_scale_factor_of_3000_does_not_overflow(void **state)
{
	struct zl_watermark_in wm = {.type = ZL_ZONE_NORMAL,
		.managed = UINT64_C(1) << 40,
		.lowmem_pages = UINT64_C(1) << 40,
		.min_free_kbytes = 262144,
		.page_shift = 12,
		.scale_factor = 3000};
	struct zl_watermarks w;

	(void)state;
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(UINT64_C(329853488332), w.distance);
}

static void min_free_kbytes_follows_its_terms(void **state)
{
	struct zl_min_free_in in = {.page_shift = 12, .nr_zones = 1, .pageblock_nr_pages = 512};
	struct zl_min_free f;

	(void)state;
	in.lowmem_pages = 100;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(128, f.kbytes);
	assert_int_equal(ZL_MIN_FREE_SQRT_LOW, f.rule);
	in.lowmem_pages = UINT64_C(1) << 31;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(262144, f.kbytes);
	assert_int_equal(ZL_MIN_FREE_SQRT_HIGH, f.rule);
	in.lowmem_pages = in.free_buffer_pages = 1 << 20;
	in.thp_active = true;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(8192, f.sqrt_kbytes);
	assert_int_equal(22528, f.kbytes);
	assert_int_equal(ZL_MIN_FREE_THP, f.rule);
	assert_false(f.raised);
}

static void khugepaged_raises_what_the_user_set_and_never_lowers_it(void **state)
{
	/* Reports from the field: pageblocks of 2 MiB, 4 KiB pages. */
	static const struct {
		unsigned zones;
		uint64_t user, in_force;
		bool raised;
	} rows[] = {
		{2,  6000,	  45056,	 true },
		{3,  45056,  67584,  true },
		 {4,  90000,  90112,  true },
		{10, 135168, 225280, true },
		    {4,	90113,  90113,  false}
	    };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_min_free_in in = {.page_shift = 12,
			.lowmem_pages = 1 << 24,
			.free_buffer_pages = 1 << 24,
			.user_set = true,
			.user_kbytes = rows[i].user,
			.thp_active = true,
			.nr_zones = rows[i].zones,
			.pageblock_nr_pages = 512};
		struct zl_min_free f;

		zl_min_free_kbytes(&in, &f);
		assert_int_equal(rows[i].in_force, f.kbytes);
		assert_int_equal(rows[i].raised, f.raised);
		in.thp_active = false;
		zl_min_free_kbytes(&in, &f);
		assert_int_equal(rows[i].user, f.kbytes);
		assert_int_equal(ZL_MIN_FREE_USER, f.rule);
	}
}

static void the_thp_term_counts_eleven_pageblocks_a_zone(void **state)
{
	static const struct {
		unsigned block_order, page_shift, zones;
		uint64_t kbytes;
	} rows[] = {
		{9,  12, 3, 67584	},
		   {13, 16, 2, 11534336},
		  {11, 14, 1, 360448  },
		       {7,  14, 1, 22528   }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct zl_min_free_in in = {.page_shift = rows[i].page_shift,
			.lowmem_pages = UINT64_C(1) << 32,
			.free_buffer_pages = UINT64_C(1) << 32,
			.thp_active = true,
			.nr_zones = rows[i].zones,
			.pageblock_nr_pages = UINT64_C(1) << rows[i].block_order};
		struct zl_min_free f;

		zl_min_free_kbytes(&in, &f);
		assert_int_equal(rows[i].kbytes, f.thp_kbytes);
	}
}

static void a_480_gib_machine_gets_the_watermarks_of_the_report(void **state)
{
	const uint64_t pages = (UINT64_C(480) << GIB_SHIFT) >> 16;
	struct zl_min_free_in in = {.page_shift = 16,
		.lowmem_pages = pages,
		.free_buffer_pages = pages,
		.thp_active = true,
		.nr_zones = 2,
		.pageblock_nr_pages = 8192};
	struct zl_watermark_in wm = {.type = ZL_ZONE_NORMAL,
		.managed = pages,
		.lowmem_pages = pages,
		.page_shift = 16,
		.scale_factor = 10};
	struct zl_min_free f;
	struct zl_watermarks w;

	(void)state;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(11264 << 10, f.kbytes);
	wm.min_free_kbytes = f.kbytes;
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(11264, w.min >> 4);
	assert_int_equal(14080, w.low >> 4);
	assert_int_equal(16896, w.high >> 4);
	/* The same machine with 4 KiB pages: the square root wins. */
	in.page_shift = wm.page_shift = 12;
	in.pageblock_nr_pages = 512;
	in.lowmem_pages = in.free_buffer_pages = wm.managed = wm.lowmem_pages = pages << 4;
	zl_min_free_kbytes(&in, &f);
	assert_int_equal(ZL_MIN_FREE_SQRT, f.rule);
	assert_int_equal(89738, f.kbytes);
	assert_int_equal(45056, f.thp_kbytes);
	wm.min_free_kbytes = f.kbytes;
	zl_zone_watermarks(&new_rules, &wm, &w);
	assert_int_equal(87, w.min >> 8);
	assert_int_equal(579, w.low >> 8);
	assert_int_equal(1070, w.high >> 8);
}

static void assert_reach(
	enum zl_design_id design, const struct zl_pcp_limits *limits, unsigned scale, bool want)
{
	struct zl_free_high f;

	zl_free_high_limits(design, limits, scale, &f);
	for (unsigned order = 1; order <= ZL_COSTLY_ORDER; order++) {
		assert_int_equal(want, f.reachable[order]);
	}
	assert_int_equal(want, zl_free_high_can_fire(&f));
}

static void free_high_is_reachable_up_to_the_ceiling(void **state)
{
	struct zl_pcp_limits limits = {.batch = 63, .high_min = 3907, .high_max = 32768};
	struct zl_free_high f;

	(void)state;
	assert_reach(ZL_DESIGN_C, &limits, 5, true);
	assert_int_equal(3907, zl_free_high_largest_high_min(63, 5, 3));
	limits.high_min = 3908;
	assert_reach(ZL_DESIGN_C, &limits, 5, false);
	assert_reach(ZL_DESIGN_D19, &limits, 5, false);
	assert_reach(ZL_DESIGN_C, &limits, 6, true);
	assert_reach(ZL_DESIGN_B, &limits, 5, true);
	assert_reach(ZL_DESIGN_B, &limits, 0, true);
	assert_reach(ZL_DESIGN_A, &limits, 5, true);
	limits.high_min = 7040;
	zl_free_high_limits(ZL_DESIGN_D71, &limits, 5, &f);
	assert_int_equal(3583, f.threshold);
	assert_int_equal(2016, f.ceiling);
	assert_false(zl_free_high_can_fire(&f));
}

static void a_lower_scale_moves_the_ceiling_below_the_threshold(void **state)
{
	const struct zl_pcp_limits limits = {.batch = 63, .high_min = 576, .high_max = 65536};
	static const uint64_t ceilings[] = {63, 126, 252, 504, 1008, 2016, 4032};

	(void)state;
	for (unsigned scale = 0; scale < sizeof(ceilings) / sizeof(ceilings[0]); scale++) {
		struct zl_free_high f;

		zl_free_high_limits(ZL_DESIGN_C, &limits, scale, &f);
		assert_int_equal(351, f.threshold);
		assert_int_equal(ceilings[scale], f.ceiling);
		assert_int_equal(scale >= 3, zl_free_high_can_fire(&f));
	}
}

static void whole_blocks_carry_the_counter_over_the_ceiling(void **state)
{
	/* Scale 0: free_count ends at 63, 64, 64, 64 for orders 0..3; threshold 63 + 3 / 2. */
	struct zl_pcp_limits limits = {.batch = 63, .high_min = 3, .high_max = 252};
	struct zl_free_high f;

	(void)state;
	zl_free_high_limits(ZL_DESIGN_C, &limits, 0, &f);
	assert_int_equal(64, f.threshold);
	assert_true(f.reachable[1] && f.reachable[2] && f.reachable[3]);
	/* Scale 1: 126, 128, 128 for orders 1..3; threshold 63 + 64. */
	limits.high_min = 128;
	zl_free_high_limits(ZL_DESIGN_C, &limits, 1, &f);
	assert_int_equal(127, f.threshold);
	assert_false(f.reachable[1]);
	assert_true(f.reachable[2] && f.reachable[3]);
}

static void designs_without_a_ceiling_say_so(void **state)
{
	const struct zl_pcp_limits limits = {.batch = 63, .high_min = 530, .high_max = 530};
	const struct zl_pcp_limits tight = {.batch = 63, .high_min = 126, .high_max = 126};
	const struct zl_pcp_limits none = {.batch = 1, .high_min = 0, .high_max = 0};
	struct zl_free_high f;

	(void)state;
	zl_free_high_limits(ZL_DESIGN_A, &limits, 5, &f);
	assert_true(f.exists);
	assert_false(f.has_ceiling);
	assert_int_equal(530, f.threshold);
	assert_true(zl_free_high_can_fire(&f));
	/* free_factor rises only if batch < high - batch, and not at all with a cap of 0. */
	assert_reach(ZL_DESIGN_A, &tight, 5, false);
	assert_reach(ZL_DESIGN_A_CAP, &limits, 0, false);
	assert_reach(ZL_DESIGN_A_CAP, &limits, 1, true);
	assert_reach(ZL_DESIGN_A, &none, 5, false);
	zl_free_high_limits(ZL_DESIGN_A514, &limits, 5, &f);
	assert_false(f.exists);
	assert_false(zl_free_high_can_fire(&f));
	zl_free_high_limits(ZL_DESIGN_NONE, &limits, 5, &f);
	assert_false(f.exists);
}

static void a_cache_slice_above_three_batches_sets_the_flag(void **state)
{
	(void)state;
	assert_true(zl_free_high_batch(ZL_DESIGN_C, 1 << 20, 12, 63));
	assert_true(zl_free_high_batch(ZL_DESIGN_B, 3 << 19, 12, 63));
	assert_false(zl_free_high_batch(ZL_DESIGN_C, 756 << 10, 12, 63));
	assert_true(zl_free_high_batch(ZL_DESIGN_C, 760 << 10, 12, 63));
	assert_false(zl_free_high_batch(ZL_DESIGN_C, 180 << 10, 12, 15));
	assert_false(zl_free_high_batch(ZL_DESIGN_A_CAP, 1 << 20, 12, 63));
	assert_false(zl_free_high_batch(ZL_DESIGN_C, 0, 12, 1));
}

static void reserves_are_counted_in_pageblocks(void **state)
{
	(void)state;
	assert_int_equal(10997, zl_highatomic_max(ZL_HIGHATOMIC_ONE_MORE, 1 << 20, 512));
	assert_int_equal(10752, zl_highatomic_max(ZL_HIGHATOMIC_ROUNDED, 1 << 20, 512));
	assert_int_equal(4096, zl_highatomic_max(ZL_HIGHATOMIC_ROUNDED, 1 << 18, 2048));
	assert_int_equal(2688, zl_highatomic_max(ZL_HIGHATOMIC_ROUNDED, 1 << 18, 128));
	assert_int_equal(0, zl_highatomic_max(ZL_HIGHATOMIC_ROUNDED, 1 << 16, 8192));
	assert_int_equal(UINT64_C(3) << GIB_SHIFT, zl_grouping_minimum(8192, 6) << 16);
	assert_int_equal(UINT64_C(192) << MIB_SHIFT, zl_grouping_minimum(2048, 6) << 14);
	assert_int_equal(UINT64_C(10) << MIB_SHIFT, zl_grouping_minimum(512, 5) << 12);
}

static void the_stat_threshold_follows_cpus_and_memory(void **state)
{
	(void)state;
	assert_int_equal(24, zl_stat_threshold(2, 772808, 12));
	assert_int_equal(4, zl_stat_threshold(2, 3840, 12));
	assert_int_equal(125, zl_stat_threshold(384, UINT64_C(201326592), 12));
}

static void square_roots_round_down(void **state)
{
	(void)state;
	assert_int_equal(0, zl_isqrt(0));
	assert_int_equal(1, zl_isqrt(3));
	assert_int_equal(2, zl_isqrt(4));
	assert_int_equal(160529, zl_isqrt(UINT64_C(1610612736) * 16));
	assert_int_equal(UINT64_C(4294967295), zl_isqrt(UINT64_MAX));
}

static void zone_names_are_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(ZL_ZONE_DMA32, zl_zone_type_find("DMA32"));
	assert_int_equal(ZL_ZONE_HIGHMEM, zl_zone_type_find("HighMem"));
	assert_int_equal(ZL_ZONE_TYPE_COUNT, zl_zone_type_find("normal"));
	assert_string_equal("Movable", zl_zone_type_name(ZL_ZONE_MOVABLE));
	assert_true(zl_zone_serves_gfp_user(ZL_ZONE_DMA));
	assert_false(zl_zone_serves_gfp_user(ZL_ZONE_DEVICE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_batch_grows_with_the_zone_up_to_a_quarter_mebibyte),
		cmocka_unit_test(batch_steps_stand_where_the_rounding_puts_them),
		cmocka_unit_test(boot_log_zones_get_the_logged_batch),
		cmocka_unit_test(without_an_mmu_a_pageset_holds_nothing),
		cmocka_unit_test(a_fraction_replaces_both_limits_and_leaves_the_batch),
		cmocka_unit_test(a_pageset_may_always_hold_four_batches),
		cmocka_unit_test(the_384_cpu_node_is_tuned_as_worked_out),
		cmocka_unit_test(two_zones_of_a_live_machine_agree),
		cmocka_unit_test(movable_zones_are_clamped_from_6_6_on),
		cmocka_unit_test(a_scale_factor_of_3000_does_not_overflow),
		cmocka_unit_test(min_free_kbytes_follows_its_terms),
		cmocka_unit_test(khugepaged_raises_what_the_user_set_and_never_lowers_it),
		cmocka_unit_test(the_thp_term_counts_eleven_pageblocks_a_zone),
		cmocka_unit_test(a_480_gib_machine_gets_the_watermarks_of_the_report),
		cmocka_unit_test(free_high_is_reachable_up_to_the_ceiling),
		cmocka_unit_test(a_lower_scale_moves_the_ceiling_below_the_threshold),
		cmocka_unit_test(whole_blocks_carry_the_counter_over_the_ceiling),
		cmocka_unit_test(designs_without_a_ceiling_say_so),
		cmocka_unit_test(a_cache_slice_above_three_batches_sets_the_flag),
		cmocka_unit_test(reserves_are_counted_in_pageblocks),
		cmocka_unit_test(the_stat_threshold_follows_cpus_and_memory),
		cmocka_unit_test(square_roots_round_down),
		cmocka_unit_test(zone_names_are_the_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
