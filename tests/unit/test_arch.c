/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geometry_fixture.h"

static const struct zl_arch_row *row_of(const char *words, uint64_t page_size)
{
	static struct geo geo;

	geo_resolve(&geo, "6.12", words);
	return zl_arch_find(&geo.settings, page_size);
}

static void rows_are_consistent(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_arch_row_count(); i++) {
		const struct zl_arch_row *r = zl_arch_row(i);

		print_message("# %s %s %u\n", r->arch, r->variant, r->page_shift);
		assert_true(zl_setting_word_index(ZL_SET_ARCH, r->arch) >= 0);
		assert_in_range(r->page_shift, 12, 18);
		assert_true(r->max_order <= ZL_MAX_ORDER_LIMIT);
		assert_true(r->max_order_plain <= r->max_order);
		assert_true(r->max_order <= zl_arch_section_order(r, true));
		assert_true(r->max_order_plain <= zl_arch_section_order(r, false));
		assert_true(r->phys_bits == 32 || r->phys_bits == 64);
		assert_int_equal(r->has_symbol, r->prompt != ZL_ORDER_FIXED);
		assert_int_equal(r->huge_choice, r->huge_shift[0] != 0 && r->huge_shift[1] != 0);
		/* The first size offered is the one that the orders stand for. */
		if (r->hugetlb_order >= 0) {
			assert_int_equal(r->huge_shift[0], r->page_shift + r->hugetlb_order);
		} else if (r->thp_order >= 0) {
			assert_int_equal(r->huge_shift[0], r->page_shift + r->thp_order);
		} else {
			assert_int_equal(0, r->huge_shift[0]);
		}
	}
	assert_null(zl_arch_row(zl_arch_row_count()));
}

static void rows_are_unique_and_ascend(void **state)
{
	(void)state;
	for (size_t i = 0; i < zl_arch_row_count(); i++) {
		for (size_t j = i + 1; j < zl_arch_row_count(); j++) {
			const struct zl_arch_row *a = zl_arch_row(i);
			const struct zl_arch_row *b = zl_arch_row(j);
			if (strcmp(a->arch, b->arch) == 0 && strcmp(a->variant, b->variant) == 0) {
				assert_true(a->page_shift < b->page_shift);
			}
		}
	}
}

static void every_architecture_word_has_a_row(void **state)
{
	char word[ZL_SETTING_TEXT];
	uint64_t size[ZL_PAGE_SIZES_MAX];

	(void)state;
	for (unsigned i = 0; zl_setting_word(ZL_SET_ARCH, i, word) != NULL; i++) {
		struct zl_settings s = {0};
		print_message("# %s\n", word);
		zl_settings_number(&s, ZL_SET_ARCH, i, ZL_ORIGIN_GIVEN);
		size_t n = zl_arch_page_sizes(&s, size, ZL_PAGE_SIZES_MAX);
		assert_true(n > 0);
		for (size_t j = 0; j < n; j++) {
			assert_non_null(zl_arch_find(&s, size[j]));
		}
		assert_null(zl_arch_find(&s, 2048));
		assert_null(zl_arch_find(&s, 4097));
	}
}

static void a_number_that_is_no_architecture_falls_back(void **state)
{
	struct zl_settings s = {0};
	char word[ZL_SETTING_TEXT];

	(void)state;
	assert_string_equal("arm64", zl_arch_name(&s, word));
	zl_settings_number(&s, ZL_SET_ARCH, -3, ZL_ORIGIN_GIVEN);
	assert_string_equal("arm64", zl_arch_name(&s, word));
	zl_settings_number(&s, ZL_SET_ARCH, INT64_MAX, ZL_ORIGIN_GIVEN);
	assert_string_equal("arm64", zl_arch_name(&s, word));
}

static void assert_sizes(const char *words, size_t n, uint64_t first, uint64_t last)
{
	static struct geo geo;
	uint64_t size[ZL_PAGE_SIZES_MAX];

	geo_resolve(&geo, "6.12", words);
	assert_int_equal(n, zl_arch_page_sizes(&geo.settings, size, ZL_PAGE_SIZES_MAX));
	assert_int_equal(first * 1024, size[0]);
	assert_int_equal(last * 1024, size[n - 1]);
	assert_int_equal(1, zl_arch_page_sizes(&geo.settings, size, 1));
}

static void page_sizes_belong_to_the_variant(void **state)
{
	(void)state;
	assert_sizes("arch=arm64", 3, 4, 64);
	assert_sizes("arch=powerpc64", 2, 4, 64);
	assert_sizes("arch=powerpc", 4, 4, 256);
	assert_sizes("arch=mips", 5, 4, 64);
	assert_sizes("arch=sh", 3, 4, 64);
	assert_sizes("arch=sh mmu=off", 4, 4, 64);
	assert_sizes("arch=arc", 3, 4, 16);
	assert_sizes("arch=arc huge_page_size=16M", 3, 4, 16);
	assert_sizes("arch=hexagon", 4, 4, 256);
	assert_sizes("arch=parisc", 3, 4, 64);
	assert_sizes("arch=sparc64", 1, 8, 8);
	assert_sizes("arch=x86_64", 1, 4, 4);
}

static void variants_are_chosen_by_settings(void **state)
{
	(void)state;
	assert_string_equal("lpae", row_of("arch=arm", 4096)->variant);
	assert_string_equal("no-lpae", row_of("arch=arm lpae=off", 4096)->variant);
	assert_string_equal("nommu", row_of("arch=arm mmu=off", 4096)->variant);
	assert_string_equal("pae", row_of("arch=i386", 4096)->variant);
	assert_string_equal("no-pae", row_of("arch=i386 pae=off", 4096)->variant);
	assert_string_equal("radix", row_of("arch=powerpc64", 4096)->variant);
	assert_string_equal("radix", row_of("arch=powerpc64 mmu=off", 4096)->variant);
	assert_string_equal("hash", row_of("arch=powerpc64 mmu=hash", 65536)->variant);
	assert_string_equal("", row_of("arch=arm64 mmu=hash", 65536)->variant);
	assert_string_equal("16M", row_of("arch=arc huge_page_size=16M", 8192)->variant);
	assert_string_equal("", row_of("arch=arc huge_page_size=2M", 8192)->variant);
}

static void assert_limit(const char *words, uint64_t kib, unsigned huge, unsigned plain)
{
	const struct zl_arch_row *r = row_of(words, kib * 1024);

	print_message("# %s\n", words);
	assert_non_null(r);
	assert_int_equal(huge, zl_arch_section_order(r, true));
	assert_int_equal(plain, zl_arch_section_order(r, false));
}

static void the_section_limits_the_largest_order(void **state)
{
	(void)state;
	assert_limit("arch=arm64", 4, 15, 15);
	assert_limit("arch=arm64", 16, 13, 13);
	assert_limit("arch=arm64", 64, 13, 13);
	assert_limit("arch=x86_64", 4, 15, 15);
	assert_limit("arch=i386", 4, 17, 17);
	assert_limit("arch=i386 pae=off", 4, 14, 14);
	assert_limit("arch=riscv64", 4, 15, 15);
	assert_limit("arch=riscv32", 4, 15, 15);
	assert_limit("arch=arm", 4, 16, 16);
	assert_limit("arch=s390x", 4, 16, 16);
	assert_limit("arch=powerpc64", 4, 12, 12);
	assert_limit("arch=powerpc64 mmu=hash", 64, 8, 8);
	assert_limit("arch=loongarch", 4, 17, 17);
	assert_limit("arch=loongarch", 16, 15, 15);
	assert_limit("arch=loongarch", 64, 13, 13);
	assert_limit("arch=mips", 4, 16, 16);
	assert_limit("arch=mips", 8, 15, 15);
	assert_limit("arch=mips", 16, 14, 14);
	assert_limit("arch=mips", 32, 13, 13);
	assert_limit("arch=mips", 64, 13, 12);
	assert_limit("arch=sparc64", 8, 17, 17);
	assert_limit("arch=sh", 8, 13, 13);
	assert_limit("arch=sh mmu=off", 16, 12, 12);
	assert_limit("arch=parisc", 64, 11, 11);
}

/* Inclusive orders; -1 = no range. */
static void assert_range(const char *kernel, const char *words, int lo, int hi)
{
	static struct geo geo;

	print_message("# %s %s\n", kernel, words);
	geo_resolve(&geo, kernel, words);
	assert_int_equal(lo, geo.g.max_order_lo);
	assert_int_equal(hi, geo.g.max_order_hi);
}

static void ranges_of_the_maximum_order_follow_the_release(void **state)
{
	(void)state;
	assert_range("6.1", "page_size=4K", -1, -1);
	assert_range("6.2", "page_size=4K", 10, 15);
	assert_range("6.3", "page_size=16K", 11, 13);
	assert_range("6.3", "page_size=64K", -1, -1);
	assert_range("6.4", "page_size=16K", -1, -1);
	assert_range("6.1", "arch=powerpc64 page_size=4K", 12, 12);
	assert_range("6.12", "arch=powerpc64 page_size=4K", 12, 12);
	assert_range("6.1", "arch=powerpc64 page_size=64K", 7, 8);
	assert_range("6.12", "arch=powerpc64 page_size=64K", 7, 8);
	assert_range("6.1", "arch=powerpc page_size=4K", 10, 63);
	assert_range("6.12", "arch=powerpc page_size=4K", 10, 12);
	assert_range("6.12", "arch=powerpc page_size=16K", 8, 10);
	assert_range("6.12", "arch=powerpc page_size=64K", 6, 10);
	assert_range("6.12", "arch=powerpc page_size=256K", 4, 10);
	assert_range("6.1", "arch=powerpc page_size=256K", 4, 63);
	assert_range("6.1", "arch=loongarch page_size=64K", 13, 63);
	assert_range("6.12", "arch=loongarch page_size=64K", -1, -1);
	assert_range("6.1", "arch=mips page_size=16K", 11, 63);
	assert_range("6.1", "arch=mips page_size=16K thp=off hugetlb=off", 0, 63);
	assert_range("6.1", "arch=nios2", 8, 19);
	assert_range("6.12", "arch=nios2", -1, -1);
	assert_range("5.15", "arch=sh page_size=4K", 10, 63);
	assert_range("6.1", "arch=sh mmu=off page_size=16K", 8, 63);
	assert_range("6.1", "arch=x86_64", -1, -1);
}

static void assert_default(const char *kernel, const char *words, unsigned order)
{
	static struct geo geo;

	print_message("# %s %s\n", kernel, words);
	geo_resolve(&geo, kernel, words);
	assert_int_equal(order, geo.g.max_page_order);
	assert_int_equal(order, geo.g.max_order_default);
}

static void default_orders_follow_architecture_and_page_size(void **state)
{
	(void)state;
	assert_default("6.12", "page_size=4K", 10);
	assert_default("5.15", "page_size=16K", 11);
	assert_default("7.3", "page_size=64K", 13);
	assert_default("6.12", "arch=powerpc64", 12);
	assert_default("6.12", "arch=powerpc page_size=256K", 4);
	assert_default("6.12", "arch=sparc", 12);
	assert_default("6.12", "arch=sh mmu=off page_size=8K", 13);
	assert_default("6.12", "arch=sh mmu=off page_size=16K", 8);
	assert_default("6.12", "arch=sh mmu=off page_size=64K", 6);
	assert_default("6.12", "arch=arc", 10);
	assert_default("6.12", "arch=arc huge_page_size=16M thp=off", 11);
	assert_default("6.12", "arch=hexagon page_size=256K", 10);
}

static void the_symbol_is_named_as_the_release_names_it(void **state)
{
	static struct geo geo;

	(void)state;
	geo_resolve(&geo, "6.0", "");
	assert_string_equal("FORCE_MAX_ZONEORDER", geo.g.max_order_symbol);
	geo_resolve(&geo, "6.1", "");
	assert_string_equal("ARCH_FORCE_MAX_ORDER", geo.g.max_order_symbol);
	geo_resolve(&geo, "6.3", "arch=csky");
	assert_string_equal("ARCH_FORCE_MAX_ORDER", geo.g.max_order_symbol);
	geo_resolve(&geo, "6.4", "arch=csky");
	assert_null(geo.g.max_order_symbol);
	geo_resolve(&geo, "6.1", "arch=riscv64");
	assert_null(geo.g.max_order_symbol);
	assert_int_equal(0, geo.g.max_order_symbol_value);
}

static void the_block_order_symbol_has_its_range(void **state)
{
	static struct geo geo;

	(void)state;
	geo_resolve(&geo, "6.15", "");
	assert_null(geo.g.page_block_symbol);
	assert_int_equal(-1, geo.g.page_block_order);
	assert_int_equal(-1, geo.g.page_block_hi);
	geo_resolve(&geo, "6.16", "page_size=64K");
	assert_string_equal("PAGE_BLOCK_ORDER", geo.g.page_block_symbol);
	assert_int_equal(1, geo.g.page_block_lo);
	assert_int_equal(13, geo.g.page_block_hi);
	assert_int_equal(13, geo.g.page_block_default);
	geo_resolve(&geo, "6.17", "arch=x86_64");
	assert_string_equal("PAGE_BLOCK_MAX_ORDER", geo.g.page_block_symbol);
	assert_int_equal(10, geo.g.page_block_hi);
	assert_int_equal(10, geo.g.page_block_order);
	assert_int_equal(9, geo.g.pageblock_order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_consistent),
		cmocka_unit_test(rows_are_unique_and_ascend),
		cmocka_unit_test(every_architecture_word_has_a_row),
		cmocka_unit_test(a_number_that_is_no_architecture_falls_back),
		cmocka_unit_test(page_sizes_belong_to_the_variant),
		cmocka_unit_test(variants_are_chosen_by_settings),
		cmocka_unit_test(the_section_limits_the_largest_order),
		cmocka_unit_test(ranges_of_the_maximum_order_follow_the_release),
		cmocka_unit_test(default_orders_follow_architecture_and_page_size),
		cmocka_unit_test(the_symbol_is_named_as_the_release_names_it),
		cmocka_unit_test(the_block_order_symbol_has_its_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
