/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run lists of failed allocations, allocations played over an area, and buffers packed to a pool.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/cma_bitmap.h"

#define MIB (UINT64_C(1) << 20)

static void uc30_longest_run_decides_not_the_sum(void **state)
{
	static const char line[] = "cma: number of available pages: "
				   "4@572+7@585+7@601+8@632+38@730+166@1114+127@1921=> 357 free of "
				   "2048 total pages";
	struct zl_cma_runs r;
	uint64_t at = 0;

	(void)state;
	assert_int_equal(0, zl_cma_runs_parse(line, strlen(line), &r));
	assert_int_equal(7, r.count);
	assert_int_equal(357, r.free);
	assert_int_equal(357, r.sum);
	assert_int_equal(2048, r.total);
	assert_int_equal(166, r.longest);
	assert_false(zl_cma_runs_fit(&r, 0, 256, 0, &at));
	assert_true(zl_cma_runs_fit(&r, 0, 166, 0, &at));
	assert_int_equal(1114, at);
	/* 128 pages at a multiple of 128: 1152 + 128 = 1280 is the very end of the run. */
	assert_true(zl_cma_runs_fit(&r, 0, 128, 7, &at));
	assert_int_equal(1152, at);
	assert_false(zl_cma_runs_fit(&r, 0, 129, 8, &at));
	assert_int_equal(166, zl_cma_runs_largest(&r, 0, 8, false));
	assert_int_equal(128, zl_cma_runs_largest(&r, 0, 8, true));
}

static void an_area_without_free_pages_has_an_empty_list(void **state)
{
	static const char line[] = "number of available pages: => 0 free of 8192 total pages";
	struct zl_cma_runs r;

	(void)state;
	assert_int_equal(0, zl_cma_runs_parse(line, strlen(line), &r));
	assert_int_equal(0, r.count);
	assert_int_equal(8192, r.total);
	assert_int_equal(-EINVAL, zl_cma_runs_parse("available pages: 4@", 19, &r));
	assert_int_equal(-EINVAL, zl_cma_runs_parse("", 0, &r));
}

static void pinned_pages_make_it_busy_and_no_run_makes_it_enomem(void **state)
{
	uint8_t used[64] = {0};
	struct zl_cma_area a = {.base_pfn = 0x100,
		.pages = 64,
		.used = used,
		.nr_pins = 1,
		.pin = {{.start = 3, .pages = 1}}};
	struct zl_cma_alloc x = {.pages = 8, .align_order = 3};
	struct zl_cma_alloc y = {.pages = 56, .align_order = 0};
	struct zl_cma_alloc z = {.pages = 57, .align_order = 0};

	(void)state;
	zl_cma_area_alloc(&a, &x);
	assert_int_equal(ZL_CMA_OK, x.result);
	assert_int_equal(8, x.start);
	assert_int_equal(2, x.tries);
	zl_cma_area_alloc(&a, &y);
	assert_int_equal(ZL_CMA_ENOMEM, y.result);
	zl_cma_area_release(&a, &x);
	zl_cma_area_alloc(&a, &y);
	assert_int_equal(ZL_CMA_OK, y.result);
	assert_int_equal(4, y.start);
	zl_cma_area_release(&a, &y);
	a.pin[0].start = 32;
	zl_cma_area_alloc(&a, &z);
	assert_int_equal(ZL_CMA_EBUSY, z.result);
	assert_int_equal(8, z.tries);
}

/* Alignment is that of the pfn: an area that starts in the middle has an offset. */
static void alignment_counts_from_the_pfn(void **state)
{
	uint8_t used[32] = {0};
	struct zl_cma_area a = {.base_pfn = 6, .pages = 32, .used = used};
	struct zl_cma_alloc x = {.pages = 4, .align_order = 2};

	(void)state;
	zl_cma_area_alloc(&a, &x);
	assert_int_equal(2, x.start);
}

static void one_bit_may_stand_for_several_pages(void **state)
{
	uint8_t used[8] = {0};
	struct zl_cma_area a = {.base_pfn = 0, .pages = 32, .order_per_bit = 2, .used = used};
	struct zl_cma_alloc x = {.pages = 5, .align_order = 0};
	struct zl_cma_alloc y = {.pages = 1, .align_order = 0};

	(void)state;
	assert_int_equal(8, zl_cma_area_bits(32, 2));
	zl_cma_area_alloc(&a, &x);
	zl_cma_area_alloc(&a, &y);
	assert_int_equal(0, x.start);
	assert_int_equal(8, y.start);
}

static void buffers_are_read_as_people_write_them(void **state)
{
	struct zl_demand d;

	(void)state;
	assert_int_equal(0, zl_demand_parse("1920x1080:NV12:6", &d));
	assert_int_equal(3110400, d.bytes);
	assert_int_equal(6, d.count);
	assert_int_equal(0, zl_demand_parse("3840x2160:xr24:3x2", &d));
	assert_int_equal(33177600, d.bytes);
	assert_int_equal(6, d.count);
	assert_int_equal(0, zl_demand_parse("1920x1080:H264:2", &d));
	assert_int_equal(1920 * 1088 * 3 / 2, d.bytes);
	assert_int_equal(40, d.count);
	assert_int_equal(0, zl_demand_parse("8M:4", &d));
	assert_int_equal(8 * MIB, d.bytes);
	assert_int_equal(4, d.count);
	assert_int_equal(-EINVAL, zl_demand_parse("1920x1080:NV99:6", &d));
	assert_int_equal(-EINVAL, zl_demand_parse("1920x:NV12:6", &d));
	assert_int_equal(-EINVAL, zl_demand_parse("8M:0", &d));
	assert_int_equal(-ERANGE, zl_demand_parse("99999x1:NV12", &d));
}

static void buffers_are_packed_with_their_alignment(void **state)
{
	struct zl_demand_rule rule = {.page_size = 4096, .align_cap = 8, .area_align = 2 * MIB};
	struct zl_demand d[2];
	struct zl_demand_plan plan;

	(void)state;
	/* 3,110,400 bytes are 760 pages: aligned to 2^8 pages (the cap), so 768 pages apart. */
	assert_int_equal(0, zl_demand_parse("1920x1080:NV12:3", &d[0]));
	assert_int_equal(0, zl_demand_pack(d, 1, &rule, &plan));
	assert_int_equal(3, plan.buffers);
	assert_int_equal((2 * 768 + 760) * 4096, plan.packed_bytes);
	assert_int_equal(10 * MIB, plan.pool_bytes);
	/* Small buffers go into the gaps of eight pages between the large ones. */
	assert_int_equal(0, zl_demand_parse("4K:16", &d[1]));
	assert_int_equal(0, zl_demand_pack(d, 2, &rule, &plan));
	assert_int_equal((2 * 768 + 760) * 4096, plan.packed_bytes);
	rule.area_align = 32 * MIB;
	assert_int_equal(0, zl_demand_pack(d, 2, &rule, &plan));
	assert_int_equal(32 * MIB, plan.pool_bytes);
}

/* 5 pages, then 8 from 8 on; the gap of 3 pages between holds 2 at 6, but not 3 at a multiple of 4. */
static void a_gap_is_used_only_where_the_alignment_leaves_room(void **state)
{
	static const struct {
		const char *third;
		unsigned pages;
	} table[] = {
		{"12K:1", 19},
		{"8K:1",	 16},
		{"4K:3",	 16},
		{"4K:4",	 17},
	};
	const struct zl_demand_rule rule = {
		.page_size = 4096, .align_cap = 8, .area_align = 2 * MIB};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct zl_demand d[3];
		struct zl_demand_plan plan;

		assert_int_equal(0, zl_demand_parse("20K:1", &d[0]));
		assert_int_equal(0, zl_demand_parse("32K:1", &d[1]));
		assert_int_equal(0, zl_demand_parse(table[i].third, &d[2]));
		assert_int_equal(0, zl_demand_pack(d, 3, &rule, &plan));
		assert_int_equal(table[i].pages * 4096, plan.packed_bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uc30_longest_run_decides_not_the_sum),
		cmocka_unit_test(an_area_without_free_pages_has_an_empty_list),
		cmocka_unit_test(pinned_pages_make_it_busy_and_no_run_makes_it_enomem),
		cmocka_unit_test(alignment_counts_from_the_pfn),
		cmocka_unit_test(one_bit_may_stand_for_several_pages),
		cmocka_unit_test(buffers_are_read_as_people_write_them),
		cmocka_unit_test(buffers_are_packed_with_their_alignment),
		cmocka_unit_test(a_gap_is_used_only_where_the_alignment_leaves_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
