/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pageblock_order and CMA alignment of every architecture and release, as numbers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "geometry_fixture.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

#define H "hugetlb=on thp=on "
#define T "hugetlb=off thp=on "
#define N "hugetlb=off thp=off "

static void assert_block(const char *kernel, const char *words, unsigned order, uint64_t align)
{
	struct geo geo;

	print_message("# %s %s\n", kernel, words);
	geo_resolve(&geo, kernel, words);
	assert_int_equal(order, geo.g.pageblock_order);
	assert_int_equal(UINT64_C(1) << order, geo.g.pageblock_nr_pages);
	assert_int_equal(geo.g.page_size << order, geo.g.pageblock_bytes);
	assert_int_equal(align, geo.g.cma_min_alignment_bytes);
}

static void pageblock_order_follows_the_rule_of_each_release(void **state)
{
	(void)state;
	assert_block("6.16", "page_size=4K max_page_order=10 " T, 9, 2 * MIB);
	assert_block("6.16", "page_size=16K max_page_order=11 " T, 11, 32 * MIB);
	assert_block("6.16", "page_size=64K max_page_order=13 " T, 13, 512 * MIB);
	assert_block("6.16", "page_size=4K max_page_order=15 " N, 15, 128 * MIB);
	assert_block("6.16", "page_size=16K max_page_order=13 " N, 13, 128 * MIB);
	assert_block("6.16", "page_size=64K max_page_order=13 " N, 13, 512 * MIB);
	assert_block("6.16", "page_size=16K page_block_order=7 " T, 7, 2 * MIB);
	assert_block("6.16", "page_size=64K page_block_order=5 " T, 5, 2 * MIB);
	assert_block("6.1", "page_size=4K " T, 10, 4 * MIB);
	assert_block("6.12", "page_size=4K " T, 9, 2 * MIB);
	assert_block("6.6", "page_size=4K " T, 10, 4 * MIB);
	assert_block("5.15", "page_size=4K " H, 9, 4 * MIB);
	assert_block("5.18", "page_size=4K " H, 9, 4 * MIB);
	assert_block("5.19", "page_size=4K " H, 9, 2 * MIB);
	assert_block("5.15", "arch=sparc64 " H, 10, 32 * MIB);
	assert_block("6.1", "arch=powerpc64 page_size=64K " H, 5, 2 * MIB);
	assert_block("5.15", "arch=sh huge_page_size=64M hugetlb=on", 14, 64 * MIB);
	assert_block("6.1", "arch=sh huge_page_size=64M hugetlb=on", 10, 4 * MIB);
}

static void the_rule_says_which_branch_was_taken(void **state)
{
	struct geo geo;

	(void)state;
	geo_resolve(&geo, "6.18", H);
	assert_int_equal(ZL_PB_HUGETLB, geo.g.rule);
	geo_resolve(&geo, "5.15", H);
	assert_int_equal(ZL_PB_HUGETLB_UNCLAMPED, geo.g.rule);
	geo_resolve(&geo, "6.18", T);
	assert_int_equal(ZL_PB_THP, geo.g.rule);
	geo_resolve(&geo, "6.9", T);
	assert_int_equal(ZL_PB_CAP, geo.g.rule);
	geo_resolve(&geo, "6.18", N);
	assert_int_equal(ZL_PB_CAP, geo.g.rule);
	geo_resolve(&geo, "6.12", "arch=powerpc64 mmu=hash page_size=64K huge_page_size=64K");
	assert_int_equal(ZL_PB_HUGETLB_NONE, geo.g.rule);
	assert_int_equal(8, geo.g.pageblock_order);
}

/* Columns: 5.15 H, 5.15 T, 6.1 H, 6.1 T, 6.12 H, 6.12 T, 6.12 N; -1 = no such kernel. */
struct variant {
	const char *words;
	int order[7];
	uint64_t align[7];
};

#define ROW_4K                                                                                     \
	{9, 10, 9, 10, 9, 9, 10},                                                                  \
	{                                                                                          \
		4 * MIB, 4 * MIB, 2 * MIB, 4 * MIB, 2 * MIB, 2 * MIB, 4 * MIB                      \
	}
#define ALL(x)                                                                                     \
	{                                                                                          \
		x, x, x, x, x, x, x                                                                \
	}
#define NONE_10                                                                                    \
	{-1, 10, -1, 10, -1, -1, 10},                                                              \
	{                                                                                          \
		0, 4 * MIB, 0, 4 * MIB, 0, 0, 4 * MIB                                              \
	}

/* clang-format off */
static const struct variant variants[] = {
	{"arch=arm64 page_size=4K ", ROW_4K},
	{"arch=x86_64 ", ROW_4K},
	{"arch=riscv64 ", ROW_4K},
	{"arch=loongarch page_size=4K ", ROW_4K},
	{"arch=mips page_size=4K ", ROW_4K},
	{"arch=arm lpae=on ", ROW_4K},
	{"arch=i386 pae=on ", ROW_4K},
	{"arch=arm64 page_size=16K ", ALL(11), ALL(32 * MIB)},
	{"arch=loongarch page_size=16K ", ALL(11), ALL(32 * MIB)},
	{"arch=mips page_size=16K ", {11, 11, 11, 11, 11, 11, 10},
		{32 * MIB, 32 * MIB, 32 * MIB, 32 * MIB, 32 * MIB, 32 * MIB, 16 * MIB}},
	{"arch=arm64 page_size=64K ", ALL(13), ALL(512 * MIB)},
	{"arch=loongarch page_size=64K ", ALL(13), ALL(512 * MIB)},
	{"arch=mips page_size=64K ", {13, 13, 13, 13, 13, 13, 10},
		{512 * MIB, 512 * MIB, 512 * MIB, 512 * MIB, 512 * MIB, 512 * MIB, 64 * MIB}},
	{"arch=s390x ", {8, 10, 8, 10, 8, 8, 10},
		{4 * MIB, 4 * MIB, MIB, 4 * MIB, MIB, MIB, 4 * MIB}},
	{"arch=powerpc64 page_size=4K mmu=radix ", {9, 12, 9, 12, 9, 9, 12},
		{16 * MIB, 16 * MIB, 2 * MIB, 16 * MIB, 2 * MIB, 2 * MIB, 16 * MIB}},
	{"arch=powerpc64 page_size=4K mmu=hash ", {12, 12, 12, 12, 12, 9, 12},
		{16 * MIB, 16 * MIB, 16 * MIB, 16 * MIB, 16 * MIB, 2 * MIB, 16 * MIB}},
	{"arch=powerpc64 page_size=64K mmu=radix ", {5, 8, 5, 8, 5, 5, 8},
		{16 * MIB, 16 * MIB, 2 * MIB, 16 * MIB, 2 * MIB, 2 * MIB, 16 * MIB}},
	{"arch=powerpc64 page_size=64K mmu=hash ", ALL(8), ALL(16 * MIB)},
	{"arch=sparc64 ", {10, 12, 10, 12, 10, 10, 12},
		{32 * MIB, 32 * MIB, 8 * MIB, 32 * MIB, 8 * MIB, 8 * MIB, 32 * MIB}},
	{"arch=sh page_size=4K huge_page_size=64K ", {4, 10, 4, 10, 4, -1, 10},
		{4 * MIB, 4 * MIB, 64 * KIB, 4 * MIB, 64 * KIB, 0, 4 * MIB}},
	{"arch=sh page_size=64K huge_page_size=1M ", {4, 6, 4, 6, 4, -1, 6},
		{4 * MIB, 4 * MIB, MIB, 4 * MIB, MIB, 0, 4 * MIB}},
	{"arch=arc page_size=8K huge_page_size=2M ", {-1, 10, -1, 10, -1, 8, 10},
		{0, 8 * MIB, 0, 8 * MIB, 0, 2 * MIB, 8 * MIB}},
	{"arch=xtensa ", NONE_10},
	{"arch=m68k page_size=4K ", NONE_10},
	{"arch=nios2 ", NONE_10},
	{"arch=arm lpae=off ", NONE_10},
};
/* clang-format on */

static void every_variant_matches_the_matrix_of_releases(void **state)
{
	static const struct {
		const char *kernel, *words;
	} column[7] = {
		{"5.15", H},
		     {"5.15", T},
		  {"6.1",  H},
		      {"6.1",  T},
		  {"6.12", H},
		       {"6.12", T},
		{"6.12", N}
	   };
	char words[160];

	(void)state;
	for (size_t v = 0; v < sizeof(variants) / sizeof(variants[0]); v++) {
		for (size_t i = 0; i < 7; i++) {
			if (variants[v].order[i] < 0) {
				continue;
			}
			snprintf(words, sizeof(words), "%s%s", variants[v].words, column[i].words);
			assert_block(column[i].kernel, words, (unsigned)variants[v].order[i],
				variants[v].align[i]);
		}
	}
}

static void mips_without_huge_pages_has_a_lower_default(void **state)
{
	(void)state;
	assert_block("5.15", "arch=mips page_size=16K " N, 10, 16 * MIB);
	assert_block("5.15", "arch=mips page_size=32K " N, 10, 32 * MIB);
	assert_block("6.1", "arch=mips page_size=64K " N, 10, 64 * MIB);
	assert_block("6.12", "arch=mips page_size=32K " H, 12, 128 * MIB);
	assert_block("6.12", "arch=mips page_size=8K " H, 10, 8 * MIB);
}

/* The table of a commit message: page KiB, order, thp, hugetlb, cap, wanted order, wanted MiB. */
static void the_table_of_a_commit_message_is_reproduced(void **state)
{
	FILE *f = fopen(TEST_DATA "/cases/uc02-expected-matrix.tsv", "r");
	char line[160];
	unsigned rows = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		unsigned kib, mpo, order, mib;
		char thp, hugetlb, cap[8], words[160], block[32] = "";

		if (line[0] == '#') {
			continue;
		}
		assert_int_equal(7, sscanf(line, "%u %u %c %c %7s %u %u", &kib, &mpo, &thp,
					    &hugetlb, cap, &order, &mib));
		if (strcmp(cap, "-") != 0) {
			snprintf(block, sizeof(block), "page_block_order=%s", cap);
		}
		snprintf(words, sizeof(words),
			"page_size=%uK max_page_order=%u thp=%c hugetlb=%c %s", kib, mpo, thp,
			hugetlb, block);
		assert_block("6.16", words, order, mib * MIB);
		assert_block("7.3", words, order, mib * MIB);
		rows++;
	}
	fclose(f);
	assert_int_equal(10, rows);
}

static void orders_as_old_configs_write_them_are_one_lower(void **state)
{
	struct geo geo;
	unsigned order = 0;

	(void)state;
	/* FORCE_MAX_ZONEORDER=15 on a 32-bit arm board: blocks of 64 MiB. */
	geo_resolve(&geo, "5.15", "arch=arm lpae=off thp=off hugetlb=off");
	assert_int_equal(0, zl_max_order_from_config(&geo.sw, 15, &order));
	assert_int_equal(14, order);
	assert_int_equal(15, zl_max_order_to_config(&geo.sw, 14));
	geo_resolve(&geo, "5.15", "arch=arm lpae=off thp=off hugetlb=off max_page_order=14");
	assert_int_equal(64 * MIB, geo.g.pageblock_bytes);
	assert_int_equal(64 * MIB, geo.g.cma_min_alignment_bytes);
	assert_int_equal(15, geo.g.max_order_symbol_value);
	assert_string_equal("FORCE_MAX_ZONEORDER", geo.g.max_order_symbol);
	geo_resolve(&geo, "5.15", "arch=arm lpae=off thp=off hugetlb=off max_page_order=10");
	assert_int_equal(4 * MIB, geo.g.pageblock_bytes);
	geo_resolve(&geo, "6.3", "page_size=16K");
	assert_int_equal(12, geo.g.max_order_symbol_value);
	assert_string_equal("ARCH_FORCE_MAX_ORDER", geo.g.max_order_symbol);
	geo_resolve(&geo, "6.4", "page_size=16K");
	assert_int_equal(11, geo.g.max_order_symbol_value);
	assert_int_equal(0, zl_max_order_from_config(&geo.sw, 15, &order));
	assert_int_equal(15, order);
	assert_int_equal(-ERANGE, zl_max_order_from_config(&geo.sw, 0, &order));
	assert_int_equal(-ERANGE, zl_max_order_from_config(&geo.sw, -1, &order));
	assert_int_equal(-ERANGE, zl_max_order_from_config(&geo.sw, INT64_MAX, &order));
	assert_int_equal(15, order);
}

static void booted_kernels_agree(void **state)
{
	(void)state;
	assert_block("6.1.192", "page_size=16K " H, 11, 32 * MIB);
	assert_block("6.12.117", "page_size=16K " H, 11, 32 * MIB);
	assert_block("7.3.4", "page_size=16K " H, 11, 32 * MIB);
	assert_block("6.1.192", "page_size=64K " H, 13, 512 * MIB);
	assert_block("6.1.192", "page_size=4K " H, 9, 2 * MIB);
	assert_block("6.18.44", "arch=x86_64 " H, 9, 2 * MIB);
	assert_block("7.3.4", "page_size=16K page_block_order=7 " H, 7, 2 * MIB);
	assert_block("6.1.192", "page_size=4K " N, 10, 4 * MIB);
}

static void a_pool_takes_whole_alignments(void **state)
{
	struct geo geo;

	(void)state;
	geo_resolve(&geo, "6.16", "page_size=16K " T);
	assert_int_equal(32 * MIB, zl_pool_required_bytes(&geo.g, 4 * MIB));
	assert_int_equal(64 * MIB, zl_pool_required_bytes(&geo.g, 64 * MIB));
	assert_int_equal(64 * MIB, zl_pool_required_bytes(&geo.g, 32 * MIB + 1));
	assert_int_equal(0, zl_pool_required_bytes(&geo.g, 0));
	geo_resolve(&geo, "6.16", "page_size=64K " T);
	assert_int_equal(512 * MIB, zl_pool_required_bytes(&geo.g, 16 * MIB));
	geo_resolve(&geo, "5.15", "page_size=4K " H);
	assert_int_equal(4 * MIB, zl_pool_required_bytes(&geo.g, 2 * MIB));
}

static void migrate_types_and_cma_areas_follow_the_options(void **state)
{
	struct geo geo;

	(void)state;
	geo_resolve(&geo, "6.18", "cma=on");
	assert_int_equal(6, geo.g.migrate_types);
	assert_int_equal(8, geo.g.max_cma_areas);
	geo_resolve(&geo, "6.18", "cma=on nodes=2");
	assert_int_equal(20, geo.g.max_cma_areas);
	geo_resolve(&geo, "6.1", "cma=on numa=on");
	assert_int_equal(20, geo.g.max_cma_areas);
	geo_resolve(&geo, "6.1", "cma_areas=7");
	assert_int_equal(8, geo.g.max_cma_areas);
	geo_resolve(&geo, "6.12", "cma_areas=7");
	assert_int_equal(7, geo.g.max_cma_areas);
	geo_resolve(&geo, "6.18", "arch=x86_64 cma=off");
	assert_int_equal(5, geo.g.migrate_types);
	assert_int_equal(0, geo.g.max_cma_areas);
	assert_false(geo.g.dma_cma);
	geo_resolve(&geo, "6.18", "arch=nios2 cma=off");
	assert_int_equal(4, geo.g.migrate_types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pageblock_order_follows_the_rule_of_each_release),
		cmocka_unit_test(the_rule_says_which_branch_was_taken),
		cmocka_unit_test(every_variant_matches_the_matrix_of_releases),
		cmocka_unit_test(mips_without_huge_pages_has_a_lower_default),
		cmocka_unit_test(the_table_of_a_commit_message_is_reproduced),
		cmocka_unit_test(orders_as_old_configs_write_them_are_one_lower),
		cmocka_unit_test(booted_kernels_agree),
		cmocka_unit_test(a_pool_takes_whole_alignments),
		cmocka_unit_test(migrate_types_and_cma_areas_follow_the_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
