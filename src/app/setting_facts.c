/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "setting_facts.h"

/* clang-format off */
static const struct setting_facts facts[ZL_SETTING_COUNT] = {
	[ZL_SET_ARCH] = {"ARCH= when the kernel is built; loongarch exists from 5.19 on", ""},
	[ZL_SET_KERNEL] = {"make kernelversion, uname -r", ""},
	[ZL_SET_PAGE_SIZE] = {
		"CONFIG_ARM64_4K_PAGES, _16K_, _64K_; CONFIG_PPC_*_PAGES and the like elsewhere",
		"smallest page size of {arch}"},
	[ZL_SET_MAX_PAGE_ORDER] = {
		"CONFIG_FORCE_MAX_ZONEORDER up to 6.0, CONFIG_ARCH_FORCE_MAX_ORDER from 6.1 on; up "
		"to 6.3 they count one more than the largest order",
		"of {arch} with {page_size} pages and THP {thp}"},
	[ZL_SET_PAGE_BLOCK_ORDER] = {
		"CONFIG_PAGE_BLOCK_ORDER in 6.16, CONFIG_PAGE_BLOCK_MAX_ORDER from 6.17 on; before "
		"that MAX_PAGE_ORDER is the cap",
		"MAX_PAGE_ORDER {largest_order}, or 10 where {arch} sets none"},
	[ZL_SET_THP] = {"CONFIG_TRANSPARENT_HUGEPAGE", "whether {arch} has it with {page_size} pages"},
	[ZL_SET_HUGETLB] = {"CONFIG_HUGETLBFS, which selects CONFIG_HUGETLB_PAGE",
		"whether {arch} has it with {page_size} pages"},
	[ZL_SET_HUGE_PAGE_SIZE] = {
		"CONFIG_HUGETLB_PAGE_SIZE_* (sh), CONFIG_ARC_HUGEPAGE_*, found at boot on powerpc",
		"of {arch} with {page_size} pages"},
	[ZL_SET_CMA] = {"CONFIG_CMA", ""},
	[ZL_SET_DMA_CMA] = {"CONFIG_DMA_CMA", "CMA {cma}, where {arch} has contiguous DMA"},
	[ZL_SET_CMA_AREAS] = {"CONFIG_CMA_AREAS; before 6.9 there is one area more",
		"release {kernel} and NUMA {numa}"},
	[ZL_SET_CMA_SIZE] = {"CONFIG_CMA_SIZE_MBYTES, CONFIG_CMA_SIZE_PERCENTAGE; cma= at boot",
		"by {arch}"},
	[ZL_SET_CMDLINE] = {"/proc/cmdline, CONFIG_CMDLINE", ""},
	[ZL_SET_MEMORY] = {"mem= at boot", ""},
	[ZL_SET_MEMORY_BASE] = {"the memory node of the device tree, or the memory map at boot",
		"by {arch}"},
	[ZL_SET_NODES] = {"/sys/devices/system/node", ""},
	[ZL_SET_CPUS] = {"nr_cpus= at boot; always 1 without CONFIG_SMP", ""},
	[ZL_SET_ZONES] = {"/proc/zoneinfo", "one zone for each node; nodes {nodes}"},
	[ZL_SET_SMP] = {"CONFIG_SMP", ""},
	[ZL_SET_NUMA] = {"CONFIG_NUMA", "on with more than one node; there are {nodes}"},
	[ZL_SET_MMU] = {"CONFIG_MMU; disable_radix at boot on powerpc64", "by {arch}"},
	[ZL_SET_LPAE] = {"CONFIG_ARM_LPAE (arm)", ""},
	[ZL_SET_PAE] = {"CONFIG_X86_PAE (i386)", ""},
	[ZL_SET_BATCH_SCALE_MAX] = {
		"CONFIG_PCP_BATCH_SCALE_MAX, from 6.7 on and in late 6.1.y and 6.6.y", ""},
	[ZL_SET_HIGH_FRACTION] = {"vm.percpu_pagelist_high_fraction, from 5.14 on", ""},
	[ZL_SET_MIN_FREE_KBYTES] = {"vm.min_free_kbytes",
		"square-root term {min_free_sqrt_kbytes}, or what khugepaged recommends: {min_free_kbytes}"},
	[ZL_SET_WATERMARK_SCALE_FACTOR] = {"vm.watermark_scale_factor", ""},
	[ZL_SET_WATERMARK_BOOST_FACTOR] = {"vm.watermark_boost_factor", ""},
	[ZL_SET_LOWMEM_RESERVE_RATIO] = {"vm.lowmem_reserve_ratio", ""},
	[ZL_SET_THP_ENABLED] = {
		"/sys/kernel/mm/transparent_hugepage/enabled; transparent_hugepage= at boot",
		"THP {thp}, and at least 512 MiB of memory; there are {memory}"},
	[ZL_SET_CACHE_SLICE] = {"/sys/devices/system/cpu/cpu0/cache", ""},
	[ZL_SET_BATCH] = {"none: zoneinfo shows it as batch", "as computed: {batch}"},
	[ZL_SET_HIGH_MIN] = {"none: zoneinfo shows it as high_min from 6.13 on, as high before",
		"as computed: {high_min}"},
	[ZL_SET_HIGH_MAX] = {"none: zoneinfo shows it as high_max from 6.13 on",
		"as computed: {high_max}"},
	[ZL_SET_POOL_SIZE] = {"none: an example for tables and sentences", ""},
	[ZL_SET_SEED] = {"none: zonelab's own random numbers", ""},
#define ZL_COST(id, dflt, lock, source) [ZL_SET_##id] = {"none; " source, ""},
#include "zonelab/costs_table.h"
#undef ZL_COST
};
/* clang-format on */

const struct setting_facts *setting_facts(enum zl_setting key)
{
	static const struct setting_facts none = {"", ""};

	return key < ZL_SETTING_COUNT && facts[key].kernel != NULL ? &facts[key] : &none;
}

const char *setting_origin(const struct zl_settings *s, enum zl_setting key)
{
	if (s->value[key].given) {
		return zl_origin_name(s->value[key].origin);
	}
	return setting_facts(key)->follows[0] != '\0' ? "derived" : "built in";
}
