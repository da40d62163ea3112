/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas of the values: one row for each branch that a release or machine can take, with a
 * short form, one for wide screens, and the full one. `{name}` is an operand.
 */
#include <string.h>

#include "facts.h"
#include "pools.h"
#include "zonelab/text.h"

/* Branches of values whose formula depends on more than one thing; others use the enum at hand. */
enum { ONLY, GIVEN = 100, FLOOR, FRACTION_FLOOR, SMALL, NO_MMU, NO_THP, OBSERVED, FIXED, UNTUNED };

/* clang-format off */
static const struct {
	enum value_id id;
	int branch;
	const char *form[3]; /* by enum formula_form; "" = the one before */
} rows[] = {
	{VALUE_PAGEBLOCK_ORDER, ZL_PB_HUGETLB, {"min(huge {huge_page_order}, {pageblock_cap})",
		"min(huge {huge_page_order}, cap {pageblock_cap})",
		"min(HUGETLB_PAGE_ORDER {huge_page_order}, cap {pageblock_cap})"}},
	{VALUE_PAGEBLOCK_ORDER, ZL_PB_HUGETLB_UNCLAMPED, {"huge {huge_page_order}", "",
		"HUGETLB_PAGE_ORDER {huge_page_order}, not clamped before 5.18"}},
	{VALUE_PAGEBLOCK_ORDER, ZL_PB_HUGETLB_NONE, {"cap {pageblock_cap}", "",
		"cap {pageblock_cap}: no huge page size is known at boot"}},
	{VALUE_PAGEBLOCK_ORDER, ZL_PB_THP, {"min(THP {hpage_pmd_order}, {pageblock_cap})",
		"min(THP {hpage_pmd_order}, cap {pageblock_cap})",
		"min(HPAGE_PMD_ORDER {hpage_pmd_order}, cap {pageblock_cap})"}},
	{VALUE_PAGEBLOCK_ORDER, ZL_PB_CAP, {"cap {pageblock_cap}", "",
		"cap {pageblock_cap}: no HugeTLB, and no THP that sets it"}},
	{VALUE_PAGEBLOCK_BYTES, ONLY, {"{page_size} << {pageblock_order}", "", ""}},
	{VALUE_PAGEBLOCK_NR_PAGES, ONLY, {"1 << {pageblock_order}", "", ""}},
	{VALUE_PAGEBLOCK_CAP, ZL_BLOCK_SYMBOL_NONE, {"largest order", "",
		"MAX_PAGE_ORDER {largest_order} (no PAGE_BLOCK_ORDER before 6.16)"}},
	{VALUE_PAGEBLOCK_CAP, ZL_BLOCK_SYMBOL_ORDER, {"PAGE_BLOCK_ORDER", "",
		"PAGE_BLOCK_ORDER {page_block_order}, by default MAX_PAGE_ORDER {largest_order}"}},
	{VALUE_PAGEBLOCK_CAP, ZL_BLOCK_SYMBOL_MAX_ORDER, {"PAGE_BLOCK_MAX_ORDER", "",
		"PAGE_BLOCK_MAX_ORDER {page_block_order}, by default MAX_PAGE_ORDER {largest_order}"}},
	{VALUE_HUGETLB_ORDER, ONLY, {"by architecture", "", "of {arch} with {page_size} pages"}},
	{VALUE_THP_ORDER, ONLY, {"by architecture", "", "of {arch} with {page_size} pages"}},
	{VALUE_MAX_PAGE_ORDER, ONLY, {"by architecture", "", "default of {arch} with {page_size} pages"}},
	{VALUE_MAX_PAGE_ORDER, GIVEN, {"given", "", "as given: {max_page_order}"}},
	{VALUE_CMA_MIN_ALIGNMENT_BYTES, ZL_CMA_ALIGN_PAGEBLOCK, {"one pageblock",
		"one pageblock (5.19+)", "{page_size} << pageblock_order {pageblock_order}, from 5.19"}},
	{VALUE_CMA_MIN_ALIGNMENT_BYTES, ZL_CMA_ALIGN_MAX_ORDER, {"{page_size} << {largest_order}",
		"largest block (5.18)", "{page_size} << MAX_ORDER {largest_order} in 5.18"}},
	{VALUE_CMA_MIN_ALIGNMENT_BYTES, ZL_CMA_ALIGN_MAX_OF_BOTH, {"the larger block",
		"max(largest block, pageblock)",
		"{page_size} << max(MAX_ORDER {largest_order}, pageblock_order {pageblock_order}), to 5.17"}},
	{VALUE_LARGEST_BLOCK_BYTES, ONLY, {"{page_size} << {largest_order}", "", ""}},
	{VALUE_PAGEBLOCKS, ONLY, {"{memory_bytes} / {pageblock_bytes}", "",
		"{memory_bytes} / {pageblock_bytes}, each zone rounded up"}},
	{VALUE_MIGRATE_TYPES, ONLY, {"4 + CMA + isolate", "", "4, plus 1 with CMA ({cma}), plus 1 with memory isolation"}},
	{VALUE_MAX_CMA_AREAS, ONLY, {"CMA_AREAS", "", "CONFIG_CMA_AREAS {cma_areas} (6.9 and newer)"}},
	{VALUE_MAX_CMA_AREAS, SMALL, {"CMA_AREAS + 1", "", "CONFIG_CMA_AREAS {cma_areas} + 1 (before 6.9)"}},
	{VALUE_POOL_REQUIRED, ONLY, {"rounded up", "{pool_size} rounded up to {cma_min_alignment_bytes}",
		"{pool_size} rounded up to a multiple of {cma_min_alignment_bytes}"}},
	{VALUE_POOL_WASTE, ONLY, {"{pool_required_bytes} - {pool_size}", "", ""}},
	{VALUE_POOL_BLOCKS, ONLY, {"", "{pool_required_bytes} / {pageblock_bytes}", "{pool_required_bytes} / {pageblock_bytes}, rounded up"}},
	{VALUE_MEMORY_BYTES, ONLY, {"present pages", "", "present pages of all zones x {page_size}"}},
	{VALUE_LOWMEM_PAGES, ONLY, {"managed pages", "", "managed pages of each such zone, added up; zones {lowmem_zones}"}},
	{VALUE_FREE_BUFFER_PAGES, ONLY, {"low memory", "", "{lowmem_pages} - {early_wmark_high_pages}"}},
	{VALUE_EARLY_HIGH_PAGES, ONLY, {"of the root", "", "high watermarks with min_free_kbytes {min_free_sqrt_kbytes}, added up over zones {lowmem_zones}"}},
	{VALUE_EARLY_HIGH_PAGES, GIVEN, {"as set", "", "high watermarks with min_free_kbytes {=min_free_kbytes} as set, added up over zones {lowmem_zones}"}},
	{VALUE_LOWMEM_ZONES, ONLY, {"populated zones", "", "populated zones of all nodes ({nodes}), without MOVABLE and HIGHMEM"}},
	{VALUE_MIN_FREE_SQRT, ONLY, {"isqrt(16 x KiB)", "", "isqrt(16 x KiB of {lowmem_pages} pages of {page_size}), 128 to 262144"}},
	{VALUE_MIN_FREE_THP, ONLY, {"11 pageblocks", "11 x {lowmem_zones} x {pageblock_bytes}",
		"(2 + 3 x 3) x zones {lowmem_zones} x {pageblock_bytes}"}},
	{VALUE_MIN_FREE_THP_CAP, ONLY, {"5 %", "", "{free_buffer_pages} pages of {page_size} / 20, in KiB"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_SQRT, {"square root", "isqrt(16 x low memory)",
		"square-root term {min_free_sqrt_kbytes}, larger than khugepaged's {min_free_thp_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, OBSERVED, {"from the file", "",
		"as the file reports; square-root term {min_free_sqrt_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, NO_THP, {"square root", "isqrt(16 x low memory)",
		"square-root term {min_free_sqrt_kbytes}; khugepaged does not run (thp_enabled {thp_enabled})"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_SQRT_LOW, {"least value", "",
		"square-root term, raised to its least value: {min_free_sqrt_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_SQRT_HIGH, {"largest of root", "",
		"square-root term, held at its largest value: {min_free_sqrt_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_USER, {"set by user", "",
		"as set: {=min_free_kbytes}; square-root term {min_free_sqrt_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_THP, {"11 pageblocks", "11 x {lowmem_zones} x {pageblock_bytes}",
		"khugepaged: (2 + 3 x 3) x zones {lowmem_zones} x {pageblock_bytes} = {min_free_thp_kbytes}; square-root term {min_free_sqrt_kbytes}"}},
	{VALUE_MIN_FREE_KBYTES, ZL_MIN_FREE_THP_CAPPED, {"5 % cap", "5 % cap; 11 blocks {min_free_thp_kbytes}",
		"khugepaged: min(11 pageblocks {min_free_thp_kbytes}, 5 % cap {min_free_thp_cap_kbytes}); square-root term {min_free_sqrt_kbytes}"}},
	{VALUE_GROUPING_MINIMUM, ONLY, {"block x types", "{pageblock_bytes} x {migrate_types}", ""}},
	{VALUE_GROUPING, ONLY, {"needs {grouping_minimum_bytes}", "needs {grouping_minimum_bytes}, has {memory_bytes}",
		"on when free memory is at least {grouping_minimum_bytes}; the machine has {memory_bytes}"}},
	{VALUE_RUN_THRESHOLD, 2, {"batch {pcp_batch} + high_min {pcp_high_min} / 2", "",
		"batch {pcp_batch} + high_min {pcp_high_min} / 2"}},
	{VALUE_RUN_THRESHOLD, 1, {"batch {pcp_batch}", "", ""}},
	{VALUE_RUN_THRESHOLD, 0, {"high {high}", "", "high {high} once, then while free_factor ({free_factor}) > 0"}},
	{VALUE_RUN_CEILING, ONLY, {"batch {pcp_batch} << {pcp_batch_scale_max}", "", ""}},
	{VALUE_RUN_COUNT, ONLY, {"blocks {list_blocks}", "", "pages on the lists of cpu {cpu}, blocks {list_blocks}"}},
	{VALUE_RUN_HIGH, ONLY, {"high_min to high_max", "", "tuned between high_min {pcp_high_min} and high_max {pcp_high_max}"}},
	{VALUE_RUN_HIGH, UNTUNED, {"low / CPUs", "", "max(low watermark of the run's zone / CPUs {cpus}, 4 x batch {pcp_batch}); not tuned before 6.7"}},
	{VALUE_RUN_FREE_COUNT, ONLY, {"up to {ceiling}", "", "pages freed in a row on cpu {cpu}, up to {ceiling}; an allocation halves it"}},
	{VALUE_RUN_FREE_FACTOR, UNTUNED, {"of drains", "", "a drain takes batch {pcp_batch} << free_factor and raises it; an allocation halves it"}},
	{VALUE_RUN_BATCH, ONLY, {"2^n - 1", "", "min(managed of the run's zone >> 10, 1 MiB / {page_size}) / 4, rounded to 2^n - 1"}},
	{VALUE_RUN_BATCH, UNTUNED, {"2^n - 1", "", "min(managed of the run's zone >> 10, 1 MiB / {page_size}) / 4, rounded to 2^n - 1"}},
	{VALUE_RUN_HIGH_MIN, ONLY, {"low / CPUs", "", "max(low watermark of the run's zone / CPUs {cpus}, 4 x batch {pcp_batch}); or as given"}},
	{VALUE_RUN_HIGH_MAX, ONLY, {"managed / 8 / n", "", "max(managed of the run's zone / 8 / CPUs {cpus}, 4 x batch {pcp_batch}); high_min {pcp_high_min} by fraction; or as given"}},
	{VALUE_RUN_ALLOC_FACTOR, ONLY, {"of refills", "", "a refill of order 0 takes batch {pcp_batch} << alloc_factor and raises it, up to {pcp_batch_scale_max}; a free halves it"}},
	{VALUE_RUN_PREV_HIGH_ORDER, ONLY, {"of the free before", "", "on after a free of order 1 to 3 on cpu {cpu}, off after any other free"}},
	{VALUE_RUN_BATCH_FLAG, ONLY, {"cache slice", "", "cache slice {cache_slice} in pages of {page_size} > 3 x batch {pcp_batch}"}},
	{VALUE_RUN_EXPIRE, ONLY, {"of refreshes", "", "3 after use of another node's zone, one less each refresh of cpu {cpu}; at 0 a batch {pcp_batch} goes back"}},
	{VALUE_RUN_EXPIRE, UNTUNED, {"of refreshes", "", "3 after use of another node's zone, one less each refresh of cpu {cpu}; at 0 a batch {pcp_batch} goes back"}},
	{VALUE_RUN_BLOCKS, ONLY, {"of count {count}", "", "blocks on the lists of cpu {cpu}, pages {count}"}},
	{VALUE_RUN_BLOCKS, UNTUNED, {"of count {count}", "", "blocks on the lists of cpu {cpu}, pages {count}"}},
	{VALUE_RUN_COUNT, UNTUNED, {"blocks {list_blocks}", "", "pages on the lists of cpu {cpu}, blocks {list_blocks}"}},
	{VALUE_RUN_PARKED, ONLY, {"all CPUs", "", "count of each of the CPUs {cpus}, added up"}},
	{VALUE_RUN_PARKED, UNTUNED, {"all CPUs", "", "count of each of the CPUs {cpus}, added up"}},
	{VALUE_RUN_USED, ONLY, {"by op {op}", "", "pages that were allocated and not freed up to op {op}"}},
	{VALUE_RUN_USED, UNTUNED, {"by op {op}", "", "pages that were allocated and not freed up to op {op}"}},
	{VALUE_RUN_BELOW_HIGH, ONLY, {"free {buddy_free}", "", "on when free pages {buddy_free} do not pass the high watermark of the run's zone at an allocation; off when a free that drains finds them above it"}},
	{VALUE_RUN_BELOW_HIGH, UNTUNED, {"6.7 and newer", "", "no such flag before 6.7; free pages {buddy_free}"}},
	{VALUE_RUN_RECLAIM, ONLY, {"set by the run", "", "set and cleared by ops of the run, in the place of kswapd; up to op {op}"}},
	{VALUE_RUN_RECLAIM, UNTUNED, {"set by the run", "", "set and cleared by ops of the run, in the place of kswapd; up to op {op}"}},
	{VALUE_RUN_DRAINED, ONLY, {"of op {op}", "", "clamp(free_count, batch {pcp_batch}, high - batch) when count reaches high; all up to {ceiling} in a flush: of op {op}"}},
	{VALUE_RUN_DRAINED, UNTUNED, {"of op {op}", "", "batch {pcp_batch} << free_factor when count reaches high, all in a flush: of op {op}"}},
	{VALUE_RUN_REFILLED, ONLY, {"of op {op}", "", "batch {pcp_batch} << alloc_factor for order 0, else max(batch >> order, 2), when the list is empty: of op {op}"}},
	{VALUE_RUN_REFILLED, UNTUNED, {"of op {op}", "", "max(batch {pcp_batch} >> order, 2) when the list is empty: of op {op}"}},
	{VALUE_RUN_LOCKS, ONLY, {"of op {op}", "", "refills, bulk frees and direct requests of op {op}"}},
	{VALUE_RUN_LOCKS, UNTUNED, {"of op {op}", "", "refills, bulk frees and direct requests of op {op}"}},
	{VALUE_RUN_FLUSHED, ONLY, {"free_high", "", "order 1 to 3, free_count (before op {op}) >= threshold {threshold}, the free before of such an order too, and no FREE_HIGH_BATCH or count >= batch {pcp_batch}"}},
	{VALUE_RUN_FLUSHED, UNTUNED, {"free_high", "", "order 1 to 3 and free_factor {free_factor} > 0 (5.18 and newer): of op {op}"}},
	{VALUE_RUN_OP, ONLY, {"of {ops}", "", "place in the {ops} ops of the run"}},
	{VALUE_RUN_OP, UNTUNED, {"of {ops}", "", "place in the {ops} ops of the run"}},
	{VALUE_RUN_OPS, ONLY, {"of the run", "", "what the scenario expands to with CPUs {cpus}"}},
	{VALUE_RUN_OPS, UNTUNED, {"of the run", "", "what the scenario expands to with CPUs {cpus}"}},
	{VALUE_RUN_CPU, ONLY, {"of op {op}", "", "the CPU of op {op}, or the one that was chosen"}},
	{VALUE_RUN_CPU, UNTUNED, {"of op {op}", "", "the CPU of op {op}, or the one that was chosen"}},
	{VALUE_RUN_BUDDY_FREE, UNTUNED, {"", "", "all pages, less {parked} on pagesets and {used} in use"}},
	{VALUE_RUN_BUDDY_FREE, ONLY, {"", "", "all pages, less {parked} on pagesets and {used} in use"}},
	{VALUE_RESERVE_ASKED, ONLY, {"as written", "", ""}},
	{VALUE_RESERVE_NEEDS, ONLY, {"in units", "{pool_asked_bytes} in units of {cma_min_alignment_bytes}",
		"{pool_asked_bytes} rounded up to a multiple of {cma_min_alignment_bytes}"}},
	{VALUE_RESERVE_NEEDS, FIXED, {"in units", "all units that it touches",
		"all units of {cma_min_alignment_bytes} that its {pool_asked_bytes} touch, moved where it need not lie there"}},
	{VALUE_RESERVE_WASTE, ONLY, {"needs - asked", "", "{pool_needs_bytes} - {pool_asked_bytes}"}},
	{VALUE_RESERVE_BLOCKS, ONLY, {"in blocks", "", "{pool_needs_bytes} / {pageblock_bytes}"}},
	{VALUE_RESERVE_TOTAL_ASKED, ONLY, {"sum", "", "sum of the CMA pools as written; as corrected {cma_corrected_bytes}"}},
	{VALUE_RESERVE_TOTAL_GIVEN, ONLY, {"sum", "", "sum of the accepted pools, of {cma_asked_bytes} that are asked for"}},
	{VALUE_RESERVE_TOTAL_CORRECTED, ONLY, {"sum", "", "sum of the pools when each asks for whole units of {cma_min_alignment_bytes}"}},
	{VALUE_RESERVE_HOLE, ONLY, {"aligned", "", "largest hole, in units of {cma_min_alignment_bytes}"}},
	{VALUE_RESERVE_BLOCKS_ALL, ONLY, {"banks", "", "all banks / {pageblock_bytes}"}},
	{VALUE_RESERVE_BLOCKS_CMA, ONLY, {"given", "", "{cma_given_bytes} / {pageblock_bytes}"}},
	{VALUE_RESERVE_BLOCKS_LEFT, ONLY, {"not CMA", "", "{bank_blocks} - {cma_blocks} CMA, less those reserved as a whole"}},
	{VALUE_RESERVE_BYTES_LEFT, ONLY, {"not reserved", "", "all banks, less what is reserved and {cma_given_bytes} of CMA"}},
	{VALUE_HIGHATOMIC_BYTES, ZL_HIGHATOMIC_ONE_MORE, {"1 % + one block", "1 % and one block more",
		"managed {managed} / 100, and one pageblock of {pageblock_bytes} more"}},
	{VALUE_HIGHATOMIC_BYTES, ZL_HIGHATOMIC_ROUNDED, {"1 % rounded up", "1 % rounded up to a block",
		"managed {managed} / 100, rounded up to pageblocks of {pageblock_bytes}"}},
	{VALUE_HIGHATOMIC_BYTES, SMALL, {"1 % < one block", "1 % is less than a block",
		"none: managed {managed} / 100 is less than one pageblock of {pageblock_bytes}"}},
	{VALUE_MANAGED, ONLY, {"of the zone", "", "all present pages {present}: an idealised zone keeps nothing back"}},
	{VALUE_MANAGED, OBSERVED, {"of the zone", "", "as the file states; present {present}"}},
	{VALUE_PRESENT, ONLY, {"of the zone", "", "the zone's part of {memory} in pages of {page_size}; nodes {nodes}"}},
	{VALUE_PRESENT, OBSERVED, {"of the zone", "", "as the file states, in pages of {page_size}"}},
	{VALUE_ZONE_CPUS, ONLY, {"of the node", "", "CPUs {cpus} / nodes {nodes}"}},
	{VALUE_ZONE_CPUS, OBSERVED, {"of the node", "", "as the file shows; CPUs {cpus}, nodes {nodes}"}},
	{VALUE_WMARK_SHARE, ONLY, {"by managed", "{min_free_kbytes} KiB by managed",
		"{min_free_kbytes} KiB in pages x managed {managed} / low memory {lowmem_pages}"}},
	{VALUE_WMARK_DISTANCE, 0, {"share / 4", "share {wmark_share} / 4", "max({wmark_share} / 4, managed {managed} x {watermark_scale_factor} / 10000): the first is larger"}},
	{VALUE_WMARK_DISTANCE, 1, {"scale factor", "managed x {watermark_scale_factor} / 10000",
		"max({wmark_share} / 4, managed {managed} x {watermark_scale_factor} / 10000): the second is larger"}},
	{VALUE_WMARK_MIN, ONLY, {"zone's share", "low {wmark_low}  high {wmark_high}", "the zone's share {wmark_share} of min_free_kbytes"}},
	{VALUE_WMARK_MIN, OBSERVED, {"from the file", "", "as the file reports for {managed} pages"}},
	{VALUE_WMARK_LOW, OBSERVED, {"from the file", "", "as the file reports; min {wmark_min}"}},
	{VALUE_WMARK_HIGH, OBSERVED, {"from the file", "", "as the file reports; low {wmark_low}"}},
	{VALUE_BATCH, OBSERVED, {"from the file", "", "as the file reports for {managed} pages"}},
	{VALUE_HIGH_MIN, OBSERVED, {"from the file", "", "as the file reports; low {wmark_low}, CPUs {zone_cpus}"}},
	{VALUE_HIGH_MAX, OBSERVED, {"from the file", "", "as the file reports; managed {managed}, CPUs {zone_cpus}"}},
	{VALUE_WMARK_MIN, SMALL, {"managed / 1024", "managed / 1024, 32..128",
		"managed {managed} / 1024, at least 32 and at most 128: the zone takes no share of min_free_kbytes"}},
	{VALUE_WMARK_LOW, ONLY, {"min + distance", "{wmark_min} + {wmark_distance}", ""}},
	{VALUE_WMARK_HIGH, ONLY, {"low + distance", "{wmark_low} + {wmark_distance}", ""}},
	{VALUE_WMARK_PROMO, ONLY, {"high + distance", "{wmark_high} + {wmark_distance}", ""}},
	{VALUE_BATCH, ONLY, {"2^n - 1", "1 MiB / {page_size} / 4, 2^n-1",
		"2^n - 1, largest with 2^n <= 1.5 x min(managed {managed} >> 10, 1 MiB / {page_size}) / 4: 1 MiB is smaller"}},
	{VALUE_BATCH, SMALL, {"2^n - 1", "managed >> 10 / 4, 2^n-1",
		"2^n - 1, largest with 2^n <= 1.5 x min(managed {managed} >> 10, 1 MiB / {page_size}) / 4: the zone is smaller"}},
	{VALUE_BATCH, GIVEN, {"given", "", "as given: {=batch}"}},
	{VALUE_BATCH, NO_MMU, {"no MMU", "1 without MMU", "1 without an MMU (mmu {mmu})"}},
	{VALUE_HIGH_MIN, NO_MMU, {"no MMU", "0 without MMU", "0 without an MMU (mmu {mmu}): nothing stays on a pageset"}},
	{VALUE_HIGH_MAX, NO_MMU, {"no MMU", "0 without MMU", "0 without an MMU (mmu {mmu}): nothing stays on a pageset"}},
	{VALUE_HIGH_MIN, ONLY, {"low / CPUs", "low {wmark_low} / {zone_cpus}",
		"max(low watermark {wmark_low} / CPUs {zone_cpus}, 4 x batch {batch}): the first is larger"}},
	{VALUE_HIGH_MIN, FLOOR, {"4 x batch", "4 x batch {batch}",
		"max({wmark_low} / CPUs {zone_cpus}, 4 x batch {batch}): the second is larger"}},
	{VALUE_HIGH_MIN, FRACTION_FLOOR, {"4 x batch", "4 x batch {batch}",
		"max(managed {managed} / fraction {percpu_pagelist_high_fraction} / CPUs {zone_cpus}, 4 x batch {batch}): the second is larger"}},
	{VALUE_HIGH_MIN, SMALL, {"by fraction", "{managed} / {percpu_pagelist_high_fraction} / {zone_cpus}",
		"max(managed {managed} / fraction {percpu_pagelist_high_fraction} / CPUs {zone_cpus}, 4 x batch {batch}): the first is larger"}},
	{VALUE_HIGH_MIN, GIVEN, {"given", "", "as given: {=high_min}"}},
	{VALUE_HIGH_MAX, ONLY, {"managed / 8 / n", "{managed} / 8 / {zone_cpus}",
		"max(managed {managed} / 8 / CPUs {zone_cpus}, 4 x batch {batch}): the first is larger"}},
	{VALUE_HIGH_MAX, FLOOR, {"4 x batch", "4 x batch {batch}",
		"max(managed {managed} / 8 / CPUs {zone_cpus}, 4 x batch {batch}): the second is larger"}},
	{VALUE_HIGH_MAX, SMALL, {"high_min", "= high_min {high_min}", "= high_min {high_min}: not tuned"}},
	{VALUE_HIGH_MAX, GIVEN, {"given", "", "as given: {=high_max}"}},
	{VALUE_THRESHOLD, 0, {"high", "high {high_min}", "high {high_min} once, then while free_factor > 0"}},
	{VALUE_THRESHOLD, 1, {"batch", "batch {batch}", "batch {batch}"}},
	{VALUE_THRESHOLD, 2, {"{batch} + {high_min} / 2", "", "batch {batch} + high_min {high_min} / 2"}},
	{VALUE_CEILING, 1, {"{batch} << {pcp_batch_scale_max}: reached", "{batch} << {pcp_batch_scale_max}",
		"batch {batch} << pcp_batch_scale_max {pcp_batch_scale_max}"}},
	{VALUE_CEILING, 0, {"{batch} << {pcp_batch_scale_max}", "",
		"batch {batch} << pcp_batch_scale_max {pcp_batch_scale_max}; below the threshold {free_high_threshold}"}},
	{VALUE_REACHABLE, ONLY, {"", "{free_high_threshold} <= {free_count_ceiling}",
		"threshold {free_high_threshold} is not above ceiling {free_count_ceiling}"}},
	{VALUE_REACHABLE, FLOOR, {"", "{free_high_threshold} > {free_count_ceiling}",
		"threshold {free_high_threshold} is above ceiling {free_count_ceiling}, also when that is rounded up to a block"}},
	{VALUE_REACHABLE, GIVEN, {"", "{free_high_threshold} <= {free_count_ceiling} + a block",
		"threshold {free_high_threshold} is reached when ceiling {free_count_ceiling} is rounded up to a block"}},
	{VALUE_REACHABLE, SMALL, {"no ceiling", "", "high {high_min} is always reached: free_factor designs have no ceiling"}},
	{VALUE_FREE_HIGH_BATCH, ONLY, {"cache slice", "slice {cache_slice}", "cache slice {cache_slice} in pages of {page_size} > 3 x batch {batch}"}},
};
/* clang-format on */

static bool given(const struct value_in *in, enum zl_setting key)
{
	return in->profile != NULL && zl_settings_given(&in->profile->settings, key);
}

static int threshold_branch(enum zl_design_id d)
{
	if (d <= ZL_DESIGN_A_CAP) {
		return 0;
	}
	return d == ZL_DESIGN_B ? 1 : 2;
}

static int limit_branch(const struct value_in *in, const struct zl_zone *z, bool max)
{
	const struct zl_machine *m = in->machine;
	uint64_t v = max ? z->limits.high_max : z->limits.high_min;

	if (given(in, max ? ZL_SET_HIGH_MAX : ZL_SET_HIGH_MIN)) {
		return GIVEN;
	}
	if (m->nommu) {
		return NO_MMU;
	}
	if (max && (m->high_fraction != 0 || m->switches.design <= ZL_DESIGN_A_CAP)) {
		return SMALL;
	}
	uint64_t n = z->cpus > 0 ? z->cpus : 1;
	uint64_t total = max ? z->managed / 8 : z->wmark.low;
	if (m->high_fraction != 0) {
		total = z->managed / m->high_fraction;
	}
	if (total / n < v) {
		return m->high_fraction != 0 ? FRACTION_FLOOR : FLOOR;
	}
	return m->high_fraction != 0 ? SMALL : ONLY;
}

static int reach_branch(const struct zl_free_high *f)
{
	if (!f->has_ceiling) {
		return SMALL;
	}
	if (f->threshold <= f->ceiling) {
		return ONLY;
	}
	return zl_free_high_can_fire(f) ? GIVEN : FLOOR;
}

/* Whether the value of the zone stands as a file reported it. */
static bool observed(const struct value_in *in, const struct zl_zone *z, enum value_id id)
{
	if (id == VALUE_MANAGED || id == VALUE_PRESENT || id == VALUE_ZONE_CPUS) {
		return z->facts != NULL;
	}
	if (id == VALUE_WMARK_MIN || id == VALUE_WMARK_LOW || id == VALUE_WMARK_HIGH) {
		return z->wmark_observed;
	}
	return z->limits_observed &&
	       (id == VALUE_BATCH || (id == VALUE_HIGH_MIN && !given(in, ZL_SET_HIGH_MIN)) ||
		       (id == VALUE_HIGH_MAX && !given(in, ZL_SET_HIGH_MAX)));
}

static int zone_branch(const struct value_in *in, enum value_id id)
{
	const struct zl_machine *m = in->machine;
	const struct zl_zone *z = &m->zones[in->zone];

	if (observed(in, z, id)) {
		return OBSERVED;
	}
	if (id == VALUE_BATCH) {
		if (given(in, ZL_SET_BATCH)) {
			return GIVEN;
		}
		if (m->nommu) {
			return NO_MMU;
		}
		return z->managed >> 10 < (UINT64_C(1) << 20) / m->geometry.page_size ? SMALL
										      : ONLY;
	}
	if (id == VALUE_HIGH_MIN || id == VALUE_HIGH_MAX) {
		return limit_branch(in, z, id == VALUE_HIGH_MAX);
	}
	if (id == VALUE_THRESHOLD) {
		return threshold_branch(m->switches.design);
	}
	if (id == VALUE_CEILING) {
		return z->free_high.reachable[1] || z->free_high.reachable[2] ||
		       z->free_high.reachable[ZL_COSTLY_ORDER];
	}
	if (id == VALUE_REACHABLE) {
		return reach_branch(&z->free_high);
	}
	if (id == VALUE_WMARK_MIN) {
		return z->wmark.clamped ? SMALL : ONLY;
	}
	return id == VALUE_WMARK_DISTANCE ? z->wmark.distance_from_scale : ONLY;
}

static int min_free_branch(const struct zl_machine *m)
{
	if (m->min_free_observed) {
		return OBSERVED;
	}
	return m->min_free.rule == ZL_MIN_FREE_SQRT && !m->thp_active ? NO_THP
								      : (int)m->min_free.rule;
}

static int areas_branch(const struct value_in *in)
{
	int64_t areas = 0, most = 0;

	(void)setting_number(in, ZL_SET_CMA_AREAS, &areas);
	return value_get(in, VALUE_MAX_CMA_AREAS, &most) && most > areas ? SMALL : ONLY;
}

static int machine_branch(const struct value_in *in, enum value_id id)
{
	const struct zl_machine *m = in->machine;

	if (id == VALUE_PAGEBLOCK_ORDER) {
		return (int)m->geometry.rule;
	}
	if (id == VALUE_PAGEBLOCK_CAP) {
		return (int)m->switches.page_block_symbol;
	}
	if (id == VALUE_CMA_MIN_ALIGNMENT_BYTES) {
		return (int)m->switches.cma_alignment;
	}
	if (id == VALUE_MAX_PAGE_ORDER) {
		return given(in, ZL_SET_MAX_PAGE_ORDER) ? GIVEN : ONLY;
	}
	if (id == VALUE_EARLY_HIGH_PAGES) {
		return given(in, ZL_SET_MIN_FREE_KBYTES) ? GIVEN : ONLY;
	}
	if (id == VALUE_MAX_CMA_AREAS) {
		return areas_branch(in);
	}
	if (id == VALUE_MIN_FREE_KBYTES) {
		return min_free_branch(m);
	}
	if (id == VALUE_HIGHATOMIC_BYTES) {
		return m->highatomic_bytes == 0 ? SMALL : (int)m->switches.highatomic_reserve;
	}
	return id >= VALUE_MANAGED && in->zone < m->nr_zones ? zone_branch(in, id) : ONLY;
}

static int branch_of(const struct value_in *in, enum value_id id)
{
	const enum zl_design_id design = in->machine->switches.design;

	if (id == VALUE_RESERVE_NEEDS) {
		return in->pool != NULL && in->pool->fixed ? FIXED : ONLY;
	}
	if (!is_fact(id)) {
		return machine_branch(in, id);
	}
	return id == VALUE_RUN_THRESHOLD   ? threshold_branch(design)
	       : design <= ZL_DESIGN_A_CAP ? UNTUNED
					   : ONLY;
}

/* The decision point that a value comes from, ZL_POINT_COUNT if it comes from none. */
static enum zl_point point_of(enum value_id id)
{
	static const struct {
		enum value_id id;
		enum zl_point point;
	} rows_of[] = {
		{VALUE_BATCH,		      ZL_POINT_ZONE_BATCHSIZE	     },
		{VALUE_CEILING,			ZL_POINT_FREE_COUNT_STEP	},
		{VALUE_CMA_MIN_ALIGNMENT_BYTES, ZL_POINT_CMA_MIN_ALIGNMENT_PAGES},
		{VALUE_HIGHATOMIC_BYTES,	 ZL_POINT_HIGHATOMIC_MAX		},
		{VALUE_HIGH_MAX,		 ZL_POINT_ZONE_HIGHSIZE	       },
		{VALUE_HIGH_MIN,		 ZL_POINT_ZONE_HIGHSIZE	       },
		{VALUE_PAGEBLOCK_ORDER,		ZL_POINT_PAGEBLOCK_ORDER	},
		{VALUE_RUN_CEILING,		    ZL_POINT_FREE_COUNT_STEP	    },
		{VALUE_RUN_THRESHOLD,	      ZL_POINT_FREE_HIGH		},
		{VALUE_THRESHOLD,		  ZL_POINT_FREE_HIGH		    },
		{VALUE_WMARK_DISTANCE,	       ZL_POINT_WATERMARK_DISTANCE	  },
	};

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		if (rows_of[i].id == id) {
			return rows_of[i].point;
		}
	}
	return ZL_POINT_COUNT;
}

static bool is_by_policy(const struct value_in *in, enum value_id id)
{
	enum zl_point p = point_of(id);

	return p != ZL_POINT_COUNT && in->profile != NULL && in->machine != NULL &&
	       zl_policy_has(&in->profile->policies, p) &&
	       zl_point_rule(p, &in->machine->switches) != NULL;
}

const char *value_formula(const struct value_in *in, enum value_id id, enum formula_form form)
{
	int branch = in->machine != NULL ? branch_of(in, id) : ONLY;
	int64_t v = 0;

	if (!value_get(in, id, &v) || (in->hidden != NULL && in->hidden[id])) {
		return "";
	}
	if (is_by_policy(in, id)) {
		return form == FORMULA_SHORT ? "policy" : "by policy; `policy` shows it";
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].id != id || rows[i].branch != branch) {
			continue;
		}
		unsigned f = (unsigned)form;
		while (f > 0 && rows[i].form[f][0] == '\0') {
			f--;
		}
		return rows[i].form[f];
	}
	return "";
}

/* Copies up to @n bytes of text as one piece. */
static void add_piece(struct formula_piece *piece, unsigned id, const char *s, size_t n)
{
	struct zl_text t;

	piece->id = id;
	piece->operand = false;
	zl_text_init(&t, piece->text, sizeof(piece->text));
	zl_text_strn(&t, s, n);
}

/* A value or setting; `=name` is the setting where both have the name. */
static unsigned operand_id(const char *name)
{
	if (name[0] != '=') {
		return value_find(name);
	}
	enum zl_setting key = zl_setting_find(name + 1);

	return key != ZL_SETTING_COUNT ? VALUE_SETTING_BASE + key : VALUE_NONE;
}

/* Fills the operand `{name}` that starts at @s; @len is its length with braces. */
static void add_operand(
	const struct value_in *in, struct formula_piece *piece, const char *s, size_t len)
{
	char name[48];
	struct zl_text t;

	zl_text_init(&t, name, sizeof(name));
	zl_text_strn(&t, s + 1, len - 2);
	piece->id = operand_id(name);
	piece->operand = true;
	value_text(in, piece->id, piece->text, sizeof(piece->text));
}

size_t formula_fill(const struct value_in *in, enum value_id owner, const char *template,
	struct formula_piece ret[FORMULA_PIECES])
{
	size_t n = 0;

	while (*template != '\0' && n < FORMULA_PIECES) {
		size_t plain = strcspn(template, "{");
		const char *close = strchr(template, '}');

		if (plain > 0) {
			size_t room = sizeof(ret[n].text) - 1;
			plain = plain < room ? plain : room;
			add_piece(&ret[n++], owner, template, plain);
			template += plain;
		} else if (close != NULL) {
			size_t len = (size_t)(close - template) + 1;
			add_operand(in, &ret[n++], template, len);
			template += len;
		} else {
			break;
		}
	}
	return n;
}

size_t formula_text(const struct value_in *in, enum value_id owner, const char *template, char *buf,
	size_t size)
{
	struct formula_piece pieces[FORMULA_PIECES];
	size_t n = formula_fill(in, owner, template, pieces);
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < n; i++) {
		zl_text_str(&t, pieces[i].text);
	}
	return t.len;
}
