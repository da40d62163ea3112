/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cannot be built, or does not do what one may think: words, offending input and fix.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry_fixture.h"

static struct geo *resolved(const char *kernel, const char *words)
{
	static struct geo geo;

	print_message("# %s %s\n", kernel, words);
	geo_resolve(&geo, kernel, words);
	return &geo;
}

static void assert_quiet(const char *kernel, const char *words)
{
	const struct geo *geo = resolved(kernel, words);

	if (geo->diags.count > 0) {
		fail_msg("%s", geo->diags.item[0].text);
	}
	assert_true(geo->g.buildable);
}

static void ordinary_kernels_raise_nothing(void **state)
{
	(void)state;
	assert_quiet("6.18.2", "");
	assert_quiet("6.18.2", "page_size=64K");
	assert_quiet("5.15", "page_size=16K");
	assert_quiet("6.18.2", "arch=x86_64");
	assert_quiet("6.18.2", "page_size=16K max_page_order=11 page_block_order=11");
	assert_quiet("6.12", "arch=x86_64 max_page_order=10");
	assert_quiet("6.12", "lpae=off pae=off mmu=on huge_page_size=2M dma_cma=on");
	assert_quiet("6.12", "arch=i386 pae=on");
	assert_quiet("6.12", "arch=arm lpae=on");
	assert_quiet("6.12", "arch=xtensa mmu=off thp=off hugetlb=off cma=off");
}

static void an_illegal_combination_names_each_error_and_its_fix(void **state)
{
	const struct geo *geo =
		resolved("6.18.2", "page_size=16K max_page_order=10 page_block_order=12");

	(void)state;
	assert_false(geo->g.buildable);
	assert_int_equal(3, geo->diags.count);
	assert_int_equal(2, zl_diags_at_least(&geo->diags, ZL_ERROR));
	geo_assert_diag(geo, ZL_DIAG_THP_ORDER,
		"HPAGE_PMD_ORDER 11 > MAX_PAGE_ORDER 10: THP does not build",
		"fix: MAX_PAGE_ORDER >= 11 (default 11), or THP off", "max_page_order=default");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX,
		"PAGE_BLOCK_MAX_ORDER 12 > MAX_PAGE_ORDER 10: does not build; the Kconfig range is "
		"1..10, menuconfig would not offer it",
		"fix: PAGE_BLOCK_MAX_ORDER <= 10, or leave it at its default",
		"page_block_order=default");
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_PROMPT,
		"MAX_PAGE_ORDER has no prompt on arm64 since 6.8: 10 at 16 KiB needs a changed "
		"arch/arm64/Kconfig",
		"", "");
	assert_int_equal(ZL_SET_MAX_PAGE_ORDER, geo_diag(geo, ZL_DIAG_THP_ORDER)->about);
	assert_int_equal(
		ZL_SET_PAGE_BLOCK_ORDER, geo_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX)->about);
	assert_int_equal(ZL_SET_MAX_PAGE_ORDER, geo_diag(geo, ZL_DIAG_MAX_ORDER_PROMPT)->about);
}

static void a_block_order_above_the_buddy_order_does_not_build(void **state)
{
	/* A generated powerpc configuration whose cap broke its own range. */
	const struct geo *geo = resolved("6.16",
		"arch=powerpc64 page_size=64K max_page_order=8 page_block_order=10 thp=on "
		"hugetlb=on");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX,
		"PAGE_BLOCK_ORDER 10 > MAX_PAGE_ORDER 8: does not build; the Kconfig range is "
		"1..8, "
		"menuconfig would not offer it",
		"fix: PAGE_BLOCK_ORDER <= 8, or leave it at its default",
		"page_block_order=default");
	assert_null(geo_diag(geo, ZL_DIAG_BLOCK_ORDER_RANGE));
	assert_true(geo->g.pageblock_order <= geo->g.max_page_order);
}

static void a_default_cap_above_a_lowered_order_is_found(void **state)
{
	const struct geo *geo =
		resolved("6.18", "arch=x86_64 thp=off hugetlb=off max_page_order=8");

	(void)state;
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX,
		"PAGE_BLOCK_MAX_ORDER 10 > MAX_PAGE_ORDER 8: does not build, although the Kconfig "
		"range is 1..10",
		"fix: PAGE_BLOCK_MAX_ORDER <= 8, or MAX_PAGE_ORDER >= 10", "page_block_order=8");
	assert_int_equal(
		ZL_SET_MAX_PAGE_ORDER, geo_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX)->about);
	geo = resolved("6.18", "arch=x86_64 thp=off hugetlb=off max_page_order=1");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX, NULL,
		"fix: PAGE_BLOCK_MAX_ORDER <= 1, or MAX_PAGE_ORDER >= 10", "page_block_order=1");
	geo = resolved("6.18", "thp=off hugetlb=off max_page_order=0");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX, NULL, "fix: MAX_PAGE_ORDER >= 1",
		"max_page_order=default");
}

static void a_block_order_outside_its_range_is_refused(void **state)
{
	const struct geo *geo = resolved("6.16", "page_block_order=0");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_RANGE,
		"PAGE_BLOCK_ORDER 0 is outside 1..10, its Kconfig range: menuconfig would not "
		"offer "
		"it",
		"fix: PAGE_BLOCK_ORDER <= 10, or leave it at its default",
		"page_block_order=default");
	geo = resolved("6.18", "arch=x86_64 max_page_order=13 page_block_order=12");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_RANGE, NULL, NULL, "page_block_order=default");
	assert_null(geo_diag(geo, ZL_DIAG_BLOCK_ORDER_ABOVE_MAX));
}

static void a_block_order_without_its_symbol_has_no_effect(void **state)
{
	const struct geo *geo = resolved("6.12", "page_size=16K page_block_order=7");

	(void)state;
	assert_true(geo->g.buildable);
	assert_int_equal(11, geo->g.pageblock_order);
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_ABSENT,
		"6.12 has no PAGE_BLOCK_ORDER (it came with 6.16): 7 has no effect",
		"fix: kernel 6.16 or newer, or leave it out", "page_block_order=default");
	geo = resolved("6.15", "page_size=16K page_block_order=63");
	assert_true(geo->g.buildable);
	assert_non_null(geo_diag(geo, ZL_DIAG_BLOCK_ORDER_ABSENT));
}

static void the_symbol_is_an_upper_limit_only(void **state)
{
	const struct geo *geo = resolved("6.18", "arch=x86_64 page_block_order=10");

	(void)state;
	assert_int_equal(10, geo->g.page_block_order);
	assert_int_equal(9, geo->g.pageblock_order);
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_EFFECTIVE,
		"PAGE_BLOCK_MAX_ORDER 10 is an upper limit: the effective pageblock_order is 9, "
		"from HUGETLB_PAGE_ORDER",
		"", "");
	geo = resolved("6.16", "hugetlb=off page_block_order=10");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_ORDER_EFFECTIVE,
		"PAGE_BLOCK_ORDER 10 is an upper limit: the effective pageblock_order is 9, from "
		"HPAGE_PMD_ORDER",
		"", "");
	geo = resolved("6.18", "thp=off hugetlb=off page_block_order=8");
	assert_int_equal(0, geo->diags.count);
	assert_int_equal(8, geo->g.pageblock_order);
}

static void small_pageblocks_make_huge_pages_rarer(void **state)
{
	const struct geo *geo = resolved("7.3", "page_size=16K hugetlb=off page_block_order=7");

	(void)state;
	assert_true(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_BLOCK_BELOW_HUGE,
		"pageblock_order 7 is below HPAGE_PMD_ORDER 11: a huge page needs 16 pageblocks "
		"side by side, so fewer can be had",
		"fix: PAGE_BLOCK_MAX_ORDER >= 11, if huge pages matter more than small pageblocks",
		"page_block_order=11");
	assert_int_equal(ZL_WARNING, geo_diag(geo, ZL_DIAG_BLOCK_BELOW_HUGE)->severity);
	geo = resolved("6.12", "arch=sh huge_page_size=64M");
	geo_assert_diag(geo, ZL_DIAG_BLOCK_BELOW_HUGE,
		"pageblock_order 10 is below HUGETLB_PAGE_ORDER 14, which is above MAX_PAGE_ORDER "
		"10: no buddy block holds a huge page",
		"", "");
}

static void an_unclamped_block_order_is_marked(void **state)
{
	const struct geo *geo = resolved("5.15", "arch=sh huge_page_size=64M");

	(void)state;
	assert_int_equal(14, geo->g.pageblock_order);
	geo_assert_diag(geo, ZL_DIAG_HIGH_ORDER_UNCLAMPED,
		"pageblock_order 14 is above MAX_PAGE_ORDER 10: 5.15 does not clamp "
		"HUGETLB_PAGE_ORDER (5.18 and newer do)",
		"", "");
	assert_null(geo_diag(geo, ZL_DIAG_BLOCK_BELOW_HUGE));
	geo = resolved("5.18", "arch=sh huge_page_size=64M");
	assert_int_equal(10, geo->g.pageblock_order);
	assert_null(geo_diag(geo, ZL_DIAG_HIGH_ORDER_UNCLAMPED));
}

static void thp_above_the_largest_order_does_not_build(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=arc page_size=4K huge_page_size=16M");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_THP_ORDER,
		"HPAGE_PMD_ORDER 12 > MAX_PAGE_ORDER 11: THP does not build",
		"fix: MAX_PAGE_ORDER >= 12, or THP off", "max_page_order=12");
	assert_int_equal(ZL_SET_HUGE_PAGE_SIZE, geo_diag(geo, ZL_DIAG_THP_ORDER)->about);
	assert_true(
		resolved("6.12", "arch=arc page_size=4K huge_page_size=16M thp=off")->g.buildable);
	geo = resolved("6.12", "arch=powerpc64 page_size=64K mmu=hash max_page_order=7");
	geo_assert_diag(geo, ZL_DIAG_THP_ORDER,
		"HPAGE_PMD_ORDER 8 > MAX_PAGE_ORDER 7: THP stops the boot", NULL, NULL);
}

static void the_section_bounds_the_order(void **state)
{
	const struct geo *geo = resolved("6.18", "max_page_order=16");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_SECTION_SIZE,
		"MAX_PAGE_ORDER 16 + PAGE_SHIFT 12 > SECTION_SIZE_BITS 27: SPARSEMEM does not "
		"build",
		"fix: MAX_PAGE_ORDER <= 15 (default 10)", "max_page_order=15");
	assert_true(resolved("6.18", "max_page_order=15")->g.buildable);
	assert_false(resolved("6.1", "page_size=64K max_page_order=14")->g.buildable);
	assert_true(resolved("6.1", "arch=nios2 max_page_order=19")->g.buildable);
	geo = resolved("6.12", "arch=xtensa max_page_order=20");
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_RANGE,
		"MAX_PAGE_ORDER 20 is above 19, the largest order that is modelled",
		"fix: MAX_PAGE_ORDER 0..19 (default 10)", "max_page_order=default");
}

static void an_order_outside_its_range_is_refused(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=powerpc64 page_size=64K max_page_order=6");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_RANGE,
		"MAX_PAGE_ORDER 6 is outside 7..8, its Kconfig range on powerpc64 at 64 KiB: "
		"menuconfig would not offer it",
		"fix: MAX_PAGE_ORDER 7..8 (default 8)", "max_page_order=default");
	geo = resolved("6.1", "arch=powerpc64 page_size=4K max_page_order=11");
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_RANGE,
		"MAX_PAGE_ORDER 11 (ARCH_FORCE_MAX_ORDER=12) is outside 12..12, its Kconfig range "
		"on "
		"powerpc64 at 4 KiB: menuconfig would not offer it",
		"fix: MAX_PAGE_ORDER 12", "max_page_order=default");
	assert_false(resolved("6.2", "page_size=4K max_page_order=9 thp=off")->g.buildable);
	assert_true(resolved("6.4", "page_size=4K max_page_order=9")->g.buildable);
}

static void exclusive_numbering_is_spelt_out(void **state)
{
	const struct geo *geo = resolved("6.1.192", "max_page_order=10");

	(void)state;
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_EXCLUSIVE,
		"6.1.192 counts orders: MAX_PAGE_ORDER 10 is written ARCH_FORCE_MAX_ORDER=11", "",
		"");
	assert_int_equal(ZL_NOTE, geo_diag(geo, ZL_DIAG_MAX_ORDER_EXCLUSIVE)->severity);
	assert_null(geo_diag(resolved("6.1", ""), ZL_DIAG_MAX_ORDER_EXCLUSIVE));
	assert_null(geo_diag(resolved("6.4", "max_page_order=10"), ZL_DIAG_MAX_ORDER_EXCLUSIVE));
	assert_null(geo_diag(
		resolved("6.1", "arch=x86_64 max_page_order=10"), ZL_DIAG_MAX_ORDER_EXCLUSIVE));
}

static void assert_prompt(const char *kernel, const char *words, const char *text)
{
	const struct zl_diag *d = geo_diag(resolved(kernel, words), ZL_DIAG_MAX_ORDER_PROMPT);

	if (text == NULL) {
		assert_null(d);
		return;
	}
	assert_non_null(d);
	assert_string_equal(text, d->text);
}

static void the_prompt_of_arm64_comes_and_goes(void **state)
{
	(void)state;
	assert_prompt("6.1", "max_page_order=15",
		"MAX_PAGE_ORDER has no prompt on arm64 before 6.2: 15 at 4 KiB needs a changed "
		"arch/arm64/Kconfig");
	assert_prompt("6.2", "max_page_order=12", NULL);
	assert_prompt("6.3", "page_size=64K max_page_order=12 thp=off",
		"MAX_PAGE_ORDER has no prompt on arm64 with 64 KiB pages: 12 at 64 KiB needs a "
		"changed arch/arm64/Kconfig");
	assert_prompt("6.6", "max_page_order=12",
		"MAX_PAGE_ORDER is asked for on arm64 only with EXPERT: 12 at 4 KiB needs it");
	assert_prompt("6.8", "max_page_order=10", NULL);
	assert_prompt("6.12", "arch=m68k max_page_order=12",
		"MAX_PAGE_ORDER is asked for on m68k only with ADVANCED, and not with "
		"SINGLE_MEMORY_CHUNK: 12 needs that");
	assert_prompt("6.12", "arch=sparc64 max_page_order=11", NULL);
}

static void a_fixed_order_needs_changed_source(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=x86_64 max_page_order=12");

	(void)state;
	assert_true(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_MAX_ORDER_SYMBOL,
		"x86_64 has no symbol for MAX_PAGE_ORDER: it is always 10, 12 needs changed source",
		"fix: leave MAX_PAGE_ORDER at its default 10", "max_page_order=default");
	assert_null(
		geo_diag(resolved("6.3", "arch=csky max_page_order=11"), ZL_DIAG_MAX_ORDER_SYMBOL));
	assert_non_null(
		geo_diag(resolved("6.4", "arch=csky max_page_order=11"), ZL_DIAG_MAX_ORDER_SYMBOL));
}

static void options_that_do_not_exist_are_said(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=m68k thp=on hugetlb=on dma_cma=on");

	(void)state;
	assert_true(geo->g.buildable);
	assert_false(geo->g.thp || geo->g.hugetlb || geo->g.dma_cma);
	geo_assert_diag(geo, ZL_DIAG_THP_UNSUPPORTED,
		"m68k has no transparent huge pages at 4 KiB: it is built without THP",
		"fix: THP off", "thp=off");
	geo_assert_diag(geo, ZL_DIAG_HUGETLB_UNSUPPORTED,
		"m68k has no HugeTLB pages at 4 KiB: it is built without HugeTLB",
		"fix: HugeTLB off", "hugetlb=off");
	geo_assert_diag(geo, ZL_DIAG_DMA_CMA_UNSUPPORTED,
		"m68k has no CONFIG_DMA_CMA: no device-tree pools, no cma=, no CMA_SIZE_*",
		"fix: DMA_CMA off", "dma_cma=off");
	geo = resolved("6.12", "arch=arm lpae=off thp=on");
	geo_assert_diag(geo, ZL_DIAG_THP_UNSUPPORTED,
		"arm no-lpae has no transparent huge pages at 4 KiB: it is built without THP", NULL,
		NULL);
	geo = resolved("6.12", "arch=powerpc64");
	geo_assert_diag(geo, ZL_DIAG_DMA_CMA_UNSUPPORTED,
		"powerpc64 has no CONFIG_DMA_CMA: only the CMA core is built, no device-tree "
		"pools, "
		"no cma=, no CMA_SIZE_*",
		"", "");
	assert_int_equal(ZL_NOTE, geo_diag(geo, ZL_DIAG_DMA_CMA_UNSUPPORTED)->severity);
	assert_null(
		geo_diag(resolved("6.12", "arch=powerpc64 cma=off"), ZL_DIAG_DMA_CMA_UNSUPPORTED));
}

static void a_page_size_that_does_not_exist_is_refused(void **state)
{
	const struct geo *geo = resolved("6.12", "page_size=8K");

	(void)state;
	assert_false(geo->g.buildable);
	assert_null(geo->g.arch);
	assert_int_equal(4096, geo->g.page_size);
	geo_assert_diag(geo, ZL_DIAG_PAGE_SIZE_UNSUPPORTED,
		"arm64 has no page size of 8 KiB; it has 4 KiB, 16 KiB and 64 KiB",
		"fix: page size 4 KiB, 16 KiB or 64 KiB", "page_size=4K");
	geo = resolved("6.12", "page_size=256K");
	geo_assert_diag(geo, ZL_DIAG_PAGE_SIZE_UNSUPPORTED, NULL, NULL, "page_size=64K");
	geo = resolved("6.12", "arch=sh page_size=16K");
	assert_false(geo->g.buildable);
	assert_true(resolved("6.12", "arch=sh page_size=16K mmu=off cma=off")->g.buildable);
	geo = resolved("6.12", "arch=sparc64 page_size=4K");
	geo_assert_diag(geo, ZL_DIAG_PAGE_SIZE_UNSUPPORTED,
		"sparc64 has no page size of 4 KiB; it has 8 KiB", "fix: page size 8 KiB",
		"page_size=8K");
}

static void an_architecture_that_came_later_is_refused(void **state)
{
	const struct geo *geo = resolved("5.15", "arch=loongarch");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_ARCH_UNSUPPORTED,
		"loongarch came with 5.19: there is no such kernel of 5.15",
		"fix: kernel 5.19 or newer", "kernel=5.19");
	assert_true(resolved("5.19", "arch=loongarch")->g.buildable);
}

static void variable_huge_pages_are_found_at_boot(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=powerpc64 mmu=hash page_size=64K");

	(void)state;
	geo_assert_diag(geo, ZL_DIAG_HUGETLB_VARIABLE,
		"HUGETLB_PAGE_SIZE_VARIABLE: the huge page size (16 MiB with the hash MMU) is "
		"found "
		"at boot, pageblock_order is 0 until then",
		"", "");
	geo = resolved("6.12", "arch=powerpc64 mmu=hash page_size=64K huge_page_size=64K");
	geo_assert_diag(geo, ZL_DIAG_HUGETLB_VARIABLE,
		"HUGETLB_PAGE_SIZE_VARIABLE: no huge page size at boot, pageblock_order is the cap "
		"8",
		"", "");
	assert_int_equal(0, geo->g.hugetlb_order);
	assert_null(
		geo_diag(resolved("6.12", "arch=powerpc64 hugetlb=off"), ZL_DIAG_HUGETLB_VARIABLE));
}

static void huge_page_sizes_are_checked_against_the_offer(void **state)
{
	const struct geo *geo = resolved("6.12", "arch=sh page_size=64K huge_page_size=2M");

	(void)state;
	assert_false(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_SETTING_RANGE,
		"sh at 64 KiB has no huge page of 2 MiB; it has 256 KiB, 1 MiB, 4 MiB and 64 MiB",
		"fix: huge page size 256 KiB, 1 MiB, 4 MiB or 64 MiB, or leave it at its default",
		"huge_page_size=default");
	geo = resolved("6.12", "huge_page_size=1G");
	assert_true(geo->g.buildable);
	geo_assert_diag(geo, ZL_DIAG_SETTING_IGNORED,
		"huge_page_size has no effect: arm64 at 4 KiB always has huge pages of 2 MiB",
		"fix: leave huge_page_size out", "huge_page_size=default");
	geo = resolved("6.12", "arch=sh huge_page_size=1M hugetlb=off");
	geo_assert_diag(geo, ZL_DIAG_SETTING_IGNORED,
		"huge_page_size has no effect: no huge pages are built", NULL, NULL);
	geo = resolved("6.12", "arch=powerpc64 mmu=hash huge_page_size=1M");
	assert_int_equal(8, geo->g.pageblock_order);
	geo = resolved("6.12", "arch=powerpc huge_page_size=512K");
	assert_int_equal(7, geo->g.pageblock_order);
}

static void assert_ignored(const char *words, enum zl_setting about, const char *text)
{
	const struct geo *geo = resolved("6.12", words);

	geo_assert_diag(geo, ZL_DIAG_SETTING_IGNORED, text, NULL, NULL);
	assert_int_equal(about, geo_diag(geo, ZL_DIAG_SETTING_IGNORED)->about);
	assert_true(geo->g.buildable);
}

static void settings_of_other_architectures_have_no_effect(void **state)
{
	(void)state;
	assert_ignored("lpae=on", ZL_SET_LPAE, "lpae has no effect: it is an option of 32-bit arm");
	assert_ignored(
		"arch=arm mmu=off lpae=on", ZL_SET_LPAE, "lpae has no effect: LPAE needs an MMU");
	assert_ignored(
		"arch=x86_64 pae=on", ZL_SET_PAE, "pae has no effect: it is an option of i386");
	assert_ignored("mmu=off", ZL_SET_MMU, "mmu has no effect: arm64 always has an MMU");
	assert_ignored("mmu=hash", ZL_SET_MMU, "mmu has no effect: hash is a choice of powerpc64");
	assert_ignored("arch=xtensa mmu=off cma=on", ZL_SET_CMA,
		"cma has no effect: CONFIG_CMA needs an MMU");
	assert_ignored("cma=off dma_cma=on", ZL_SET_DMA_CMA,
		"dma_cma has no effect: CONFIG_DMA_CMA needs CONFIG_CMA");
	assert_ignored("cma=off cma_areas=5", ZL_SET_CMA_AREAS,
		"cma_areas has no effect: CONFIG_CMA is off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordinary_kernels_raise_nothing),
		cmocka_unit_test(an_illegal_combination_names_each_error_and_its_fix),
		cmocka_unit_test(a_block_order_above_the_buddy_order_does_not_build),
		cmocka_unit_test(a_default_cap_above_a_lowered_order_is_found),
		cmocka_unit_test(a_block_order_outside_its_range_is_refused),
		cmocka_unit_test(a_block_order_without_its_symbol_has_no_effect),
		cmocka_unit_test(the_symbol_is_an_upper_limit_only),
		cmocka_unit_test(small_pageblocks_make_huge_pages_rarer),
		cmocka_unit_test(an_unclamped_block_order_is_marked),
		cmocka_unit_test(thp_above_the_largest_order_does_not_build),
		cmocka_unit_test(the_section_bounds_the_order),
		cmocka_unit_test(an_order_outside_its_range_is_refused),
		cmocka_unit_test(exclusive_numbering_is_spelt_out),
		cmocka_unit_test(the_prompt_of_arm64_comes_and_goes),
		cmocka_unit_test(a_fixed_order_needs_changed_source),
		cmocka_unit_test(options_that_do_not_exist_are_said),
		cmocka_unit_test(a_page_size_that_does_not_exist_is_refused),
		cmocka_unit_test(an_architecture_that_came_later_is_refused),
		cmocka_unit_test(variable_huge_pages_are_found_at_boot),
		cmocka_unit_test(huge_page_sizes_are_checked_against_the_offer),
		cmocka_unit_test(settings_of_other_architectures_have_no_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
