/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geometry_fixture.h"
#include "zonelab/matrix.h"

#define MIB (UINT64_C(1) << 20)

/* The same settings at one page size of the architecture. */
struct row {
	uint64_t page_size;
	struct zl_geometry geometry;
	struct zl_diags diags;
};

/* At every page size, ascending; there must be @rows. */
static struct row *matrix_of(struct geo *geo, const char *kernel, const char *words, size_t rows)
{
	struct row *m = calloc(ZL_PAGE_SIZES_MAX, sizeof(*m));
	uint64_t size[ZL_PAGE_SIZES_MAX];

	assert_non_null(m);
	geo_resolve(geo, kernel, words);
	assert_int_equal(rows, zl_arch_page_sizes(&geo->settings, size, ZL_PAGE_SIZES_MAX));
	for (size_t i = 0; i < rows; i++) {
		struct zl_settings at;

		zl_settings_at_page_size(&geo->settings, size[i], &at);
		m[i].page_size = size[i];
		zl_geometry_resolve(&at, &geo->release, &geo->sw, &m[i].geometry, &m[i].diags);
	}
	return m;
}

static void the_matrix_has_every_page_size(void **state)
{
	struct geo geo;
	struct row *m = matrix_of(&geo, "6.18.2", "page_size=16K", 3);
	static const uint64_t align[] = {2, 32, 512};
	static const unsigned order[] = {9, 11, 13};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(UINT64_C(4096) << (2 * i), m[i].page_size);
		assert_int_equal(m[i].page_size, m[i].geometry.page_size);
		assert_int_equal(order[i], m[i].geometry.pageblock_order);
		assert_int_equal(align[i] * MIB, m[i].geometry.cma_min_alignment_bytes);
		assert_true(m[i].geometry.buildable);
	}
	free(m);
	free(matrix_of(&geo, "6.18.2", "arch=mips", 5));
}

static void a_given_order_stays_given_and_may_be_illegal(void **state)
{
	struct geo geo;
	struct row *m = matrix_of(&geo, "6.18", "max_page_order=10", 3);

	(void)state;
	assert_true(m[0].geometry.buildable);
	assert_false(m[1].geometry.buildable);
	assert_false(m[2].geometry.buildable);
	assert_int_equal(10, m[2].geometry.max_page_order);
	assert_true(zl_diags_at_least(&m[2].diags, ZL_ERROR) > 0);
	free(m);
}

static void a_huge_page_size_stays_only_where_it_is_offered(void **state)
{
	struct geo geo;
	struct row *m = matrix_of(&geo, "6.12", "arch=sh huge_page_size=64K", 3);

	(void)state;
	assert_int_equal(4, m[0].geometry.hugetlb_order);
	assert_int_equal(3, m[1].geometry.hugetlb_order);
	assert_int_equal(4, m[2].geometry.hugetlb_order);
	for (size_t i = 0; i < 3; i++) {
		assert_true(m[i].geometry.buildable);
	}
	free(m);
}

static size_t table_of(
	struct geo *geo, const char *kernel, const char *words, struct zl_block_row *ret)
{
	geo_resolve(geo, kernel, words);
	return zl_block_order_table(&geo->settings, &geo->release, &geo->sw, 4 * MIB, ret);
}

static void the_block_order_table_shows_what_each_value_costs(void **state)
{
	struct zl_block_row t[ZL_BLOCK_ROWS_MAX];
	struct geo geo;

	(void)state;
	assert_int_equal(11, table_of(&geo, "6.18.2", "page_size=16K", t));
	for (unsigned i = 0; i < 11; i++) {
		assert_int_equal(i + 1, t[i].page_block_order);
		assert_int_equal(i + 1, t[i].pageblock_order);
		assert_int_equal(UINT64_C(16384) << (i + 1), t[i].pageblock_bytes);
		assert_int_equal(i == 10, t[i].present);
		assert_int_equal(i == 10, t[i].is_default);
	}
	assert_int_equal(4 * MIB, t[6].pool_bytes);
	assert_int_equal(0, t[7].pool_waste_bytes);
	assert_int_equal(4 * MIB, t[8].pool_waste_bytes);
	assert_int_equal(12 * MIB, t[9].pool_waste_bytes);
	assert_int_equal(32 * MIB, t[10].pool_bytes);
	assert_int_equal(28 * MIB, t[10].pool_waste_bytes);
	assert_int_equal(10, table_of(&geo, "6.16", "arch=x86_64 page_block_order=4", t));
	assert_true(t[3].present);
	assert_int_equal(9, t[9].pageblock_order);
	assert_int_equal(8, table_of(&geo, "6.16", "arch=powerpc64 page_size=64K", t));
	assert_int_equal(0, table_of(&geo, "6.15", "page_size=16K", t));
}

static void the_block_order_table_never_exceeds_its_room(void **state)
{
	struct zl_block_row t[ZL_BLOCK_ROWS_MAX];
	struct geo geo;

	(void)state;
	assert_int_equal(
		ZL_BLOCK_ROWS_MAX, table_of(&geo, "6.18", "arch=nios2 max_page_order=63", t));
	assert_int_equal(8, table_of(&geo, "6.18", "arch=x86_64 max_page_order=8", t));
	assert_int_equal(0, table_of(&geo, "6.18", "max_page_order=0", t));
}

static void assert_step(
	const char *kernel, const char *words, enum zl_setting key, int direction, int64_t want)
{
	struct geo geo;
	int64_t got = -1;

	print_message("# %s %s %s %d\n", kernel, words, zl_setting_info(key)->key, direction);
	geo_resolve(&geo, kernel, words);
	int r = zl_geometry_step(&geo.settings, &geo.release, key, direction, &got);
	if (want < 0) {
		assert_int_equal(want, r);
		assert_int_equal(-1, got);
		return;
	}
	assert_int_equal(0, r);
	assert_int_equal(want, got);
}

static void the_page_size_steps_through_the_architecture(void **state)
{
	(void)state;
	assert_step("6.18", "", ZL_SET_PAGE_SIZE, 1, 16384);
	assert_step("6.18", "", ZL_SET_PAGE_SIZE, -1, -ENOENT);
	assert_step("6.18", "page_size=16K", ZL_SET_PAGE_SIZE, 1, 65536);
	assert_step("6.18", "page_size=16K", ZL_SET_PAGE_SIZE, -1, 4096);
	assert_step("6.18", "page_size=64K", ZL_SET_PAGE_SIZE, 1, -ENOENT);
	assert_step("6.18", "page_size=8K", ZL_SET_PAGE_SIZE, 1, 16384);
	assert_step("6.18", "page_size=8K", ZL_SET_PAGE_SIZE, -1, 4096);
	assert_step("6.18", "arch=x86_64", ZL_SET_PAGE_SIZE, 1, -ENOENT);
}

static void orders_step_over_what_cannot_be_built(void **state)
{
	(void)state;
	assert_step("6.18", "", ZL_SET_MAX_PAGE_ORDER, 1, 11);
	assert_step("6.18", "", ZL_SET_MAX_PAGE_ORDER, -1, 9);
	assert_step("6.18", "max_page_order=9", ZL_SET_MAX_PAGE_ORDER, -1, -ENOENT);
	assert_step("6.18", "max_page_order=15", ZL_SET_MAX_PAGE_ORDER, 1, -ENOENT);
	assert_step("6.18", "max_page_order=63", ZL_SET_MAX_PAGE_ORDER, -1, 15);
	assert_step("6.18", "page_size=16K max_page_order=10 page_block_order=12",
		ZL_SET_MAX_PAGE_ORDER, 1, 12);
	assert_step("6.18", "page_size=64K", ZL_SET_MAX_PAGE_ORDER, 1, -ENOENT);
	assert_step("6.18", "page_size=64K", ZL_SET_MAX_PAGE_ORDER, -1, -ENOENT);
	assert_step("6.18", "page_size=64K thp=off", ZL_SET_MAX_PAGE_ORDER, -1, 12);
	assert_step("6.12", "arch=powerpc64 page_size=4K", ZL_SET_MAX_PAGE_ORDER, 1, -ENOENT);
	assert_step("6.12", "arch=powerpc64 page_size=64K", ZL_SET_MAX_PAGE_ORDER, -1, 7);
	assert_step("6.18", "page_size=16K", ZL_SET_PAGE_BLOCK_ORDER, -1, 10);
	assert_step("6.18", "page_size=16K", ZL_SET_PAGE_BLOCK_ORDER, 1, -ENOENT);
	assert_step("6.18", "page_block_order=1", ZL_SET_PAGE_BLOCK_ORDER, -1, -ENOENT);
	assert_step("6.18", "page_block_order=0", ZL_SET_PAGE_BLOCK_ORDER, 1, 1);
	assert_step("6.18", "page_block_order=40", ZL_SET_PAGE_BLOCK_ORDER, -1, 10);
	assert_step("6.15", "page_block_order=4", ZL_SET_PAGE_BLOCK_ORDER, 1, -ENOENT);
}

static void other_keys_have_no_steps(void **state)
{
	(void)state;
	assert_step("6.18", "", ZL_SET_MEMORY, 1, -EINVAL);
	assert_step("6.18", "", ZL_SET_PAGE_SIZE, 0, -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_matrix_has_every_page_size),
		cmocka_unit_test(a_given_order_stays_given_and_may_be_illegal),
		cmocka_unit_test(a_huge_page_size_stays_only_where_it_is_offered),
		cmocka_unit_test(the_block_order_table_shows_what_each_value_costs),
		cmocka_unit_test(the_block_order_table_never_exceeds_its_room),
		cmocka_unit_test(the_page_size_steps_through_the_architecture),
		cmocka_unit_test(orders_step_over_what_cannot_be_built),
		cmocka_unit_test(other_keys_have_no_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
