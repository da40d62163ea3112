/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of values: id, name as in JSON, kind, label as on screens,
 * definition, source, what is simplified. No include guard: expanded by its includers. */

/* geometry */
VALUE(PAGEBLOCK_ORDER, "pageblock_order", VALUE_KIND_ORDER, "pageblock_order",
	"log2 of the pages of a pageblock, the unit in which the kernel groups pages by mobility, "
	"isolates memory and reserves CMA.",
	"include/linux/pageblock-flags.h, pageblock_order, 5.15 to 7.0", "")
VALUE(PAGEBLOCK_BYTES, "pageblock_bytes", VALUE_KIND_BYTES, "pageblock", "Bytes of one pageblock.",
	"include/linux/pageblock-flags.h, pageblock_nr_pages, 6.18", "")
VALUE(PAGEBLOCK_NR_PAGES, "pageblock_nr_pages", VALUE_KIND_PAGES, "pageblock_nr_pages",
	"Base pages of one pageblock.", "include/linux/pageblock-flags.h, pageblock_nr_pages, 6.18",
	"")
VALUE(PAGEBLOCK_CAP, "pageblock_cap", VALUE_KIND_ORDER, "cap",
	"Upper limit that the pageblock order is clamped with: MAX_PAGE_ORDER, from 6.16 the "
	"Kconfig "
	"symbol PAGE_BLOCK_(MAX_)ORDER.",
	"include/linux/pageblock-flags.h and mm/Kconfig, 6.16", "")
VALUE(HUGETLB_ORDER, "huge_page_order", VALUE_KIND_ORDER, "HUGETLB_PAGE_ORDER",
	"Order of the default HugeTLB page of the architecture.",
	"arch/*/include/asm/page.h, HUGETLB_PAGE_ORDER, 6.12",
	"default_hugepagesz= at boot is another value")
VALUE(THP_ORDER, "hpage_pmd_order", VALUE_KIND_ORDER, "HPAGE_PMD_ORDER",
	"Order of a transparent huge page mapped by a page middle directory entry.",
	"include/linux/huge_mm.h, HPAGE_PMD_ORDER, 6.12", "")
VALUE(MAX_PAGE_ORDER, "largest_order", VALUE_KIND_ORDER, "MAX_PAGE_ORDER",
	"Largest order of a buddy block, inclusive.",
	"include/linux/mmzone.h, MAX_PAGE_ORDER, 6.12", "")
VALUE(CMA_MIN_ALIGNMENT_BYTES, "cma_min_alignment_bytes", VALUE_KIND_BYTES,
	"CMA_MIN_ALIGNMENT_BYTES",
	"Base and size of every CMA area must be multiples of this; device-tree pools that are not "
	"are refused, cma= and CMA_SIZE_* are rounded up.",
	"include/linux/cma.h, CMA_MIN_ALIGNMENT_BYTES, 5.19", "")
VALUE(LARGEST_BLOCK_BYTES, "largest_block_bytes", VALUE_KIND_BYTES, "largest buddy block",
	"Bytes of a block of order MAX_PAGE_ORDER, the largest physically contiguous allocation.",
	"include/linux/mmzone.h, MAX_ORDER_NR_PAGES, 6.12", "")
VALUE(PAGEBLOCKS, "pageblocks", VALUE_KIND_COUNT, "pageblocks",
	"Pageblocks of the machine. Each has one migratetype, so it is also the number of quanta "
	"in "
	"which memory can be given to unmovable, reclaimable or CMA use.",
	"mm/vmstat.c, pagetypeinfo_showblockcount_print(), 6.12",
	"holes of a zone count as blocks when only its spanned pages are known")
VALUE(MIGRATE_TYPES, "migrate_types", VALUE_KIND_COUNT, "MIGRATE_TYPES",
	"Migratetypes of this kernel: four, one more with CMA, one more with memory isolation.",
	"include/linux/mmzone.h, enum migratetype, 6.12", "")
VALUE(MAX_CMA_AREAS, "max_cma_areas", VALUE_KIND_COUNT, "MAX_CMA_AREAS",
	"Number of CMA areas that the kernel has slots for.",
	"include/linux/cma.h, MAX_CMA_AREAS, 6.1 and 6.12", "")
VALUE(POOL_REQUIRED, "pool_required_bytes", VALUE_KIND_BYTES, "pool takes",
	"Bytes that a CMA pool of pool_size takes on this kernel.",
	"mm/cma.c, cma_init_reserved_mem(), 6.12", "alignment only; placement is Reserve's")
VALUE(POOL_WASTE, "pool_waste_bytes", VALUE_KIND_BYTES, "wasted",
	"Bytes of the pool beyond pool_size, lost to unmovable and reclaimable use.",
	"mm/cma.c, cma_init_reserved_mem(), 6.12", "")
VALUE(POOL_BLOCKS, "pool_pageblocks", VALUE_KIND_COUNT, "pageblocks of the pool",
	"Pageblocks that the pool takes.", "mm/cma.c, cma_activate_area(), 6.12", "")
/* reservations: the chosen pool, then all of them */
VALUE(RESERVE_ASKED, "pool_asked_bytes", VALUE_KIND_BYTES, "asked",
	"Bytes that the chosen request asks for.",
	"drivers/of/of_reserved_mem.c, __reserved_mem_alloc_size(), 6.12", "")
VALUE(RESERVE_NEEDS, "pool_needs_bytes", VALUE_KIND_BYTES, "needs",
	"Bytes that the chosen pool has to ask for to be accepted: whole units of the alignment; "
	"with an address, all units that it touches.",
	"mm/cma.c, cma_init_reserved_mem(), 6.12", "")
VALUE(RESERVE_WASTE, "pool_costs_bytes", VALUE_KIND_BYTES, "costs",
	"Bytes of the chosen pool beyond what it asks for, lost to unmovable and reclaimable use.",
	"mm/cma.c, cma_init_reserved_mem(), 6.12", "")
VALUE(RESERVE_BLOCKS, "pool_needs_blocks", VALUE_KIND_COUNT, "blocks of the pool",
	"Pageblocks that the chosen pool takes when it asks for what it needs.",
	"mm/cma.c, cma_activate_area(), 6.12", "")
VALUE(RESERVE_TOTAL_ASKED, "cma_asked_bytes", VALUE_KIND_BYTES, "asked by all",
	"Bytes that all CMA pools ask for; bypassed ones are not counted.",
	"mm/cma.c, cma_init_reserved_mem(), 6.12", "")
VALUE(RESERVE_TOTAL_GIVEN, "cma_given_bytes", VALUE_KIND_BYTES, "given",
	"Bytes of the CMA areas that the kernel sets up: CmaTotal.",
	"mm/cma.c, totalcma_pages, 6.12", "")
VALUE(RESERVE_TOTAL_CORRECTED, "cma_corrected_bytes", VALUE_KIND_BYTES, "as corrected",
	"CmaTotal when every pool asks for what it needs.", "mm/cma.c, totalcma_pages, 6.12", "")
VALUE(RESERVE_HOLE, "largest_hole_bytes", VALUE_KIND_BYTES, "largest aligned hole",
	"Largest part of free memory that starts and ends at a multiple of the alignment.",
	"mm/memblock.c, memblock_find_in_range_node(), 6.12",
	"what the kernel itself reserves counts as far as the files show it")
VALUE(RESERVE_BLOCKS_ALL, "bank_blocks", VALUE_KIND_COUNT, "blocks", "Pageblocks of all banks.",
	"mm/mm_init.c, setup_usemap(), 6.12", "")
VALUE(RESERVE_BLOCKS_CMA, "cma_blocks", VALUE_KIND_COUNT, "CMA blocks", "Pageblocks that are CMA.",
	"mm/cma.c, cma_activate_area(), 6.12", "")
VALUE(RESERVE_BLOCKS_LEFT, "blocks_left", VALUE_KIND_COUNT, "blocks left",
	"Pageblocks that can hold unmovable and reclaimable memory: neither CMA nor reserved as a "
	"whole.",
	"mm/page_alloc.c, fallbacks[], 6.12", "")
VALUE(RESERVE_BYTES_LEFT, "bytes_left", VALUE_KIND_BYTES, "bytes left",
	"Bytes of those blocks that are not reserved.", "mm/page_alloc.c, fallbacks[], 6.12", "")
/* machine */
VALUE(MEMORY_BYTES, "memory_bytes", VALUE_KIND_BYTES, "memory", "Present memory of all zones.",
	"mm/vmstat.c, zoneinfo_show_print(), present, 6.12", "")
VALUE(LOWMEM_PAGES, "lowmem_pages", VALUE_KIND_PAGES, "low memory",
	"Managed pages of the zones that ordinary kernel and user allocations may use.",
	"mm/page_alloc.c, nr_free_zone_pages(), 6.12", "")
VALUE(FREE_BUFFER_PAGES, "free_buffer_pages", VALUE_KIND_PAGES, "nr_free_buffer_pages",
	"Sum of managed pages above the high watermark over those zones, as khugepaged counts it.",
	"mm/page_alloc.c, nr_free_buffer_pages(), 6.12", "")
VALUE(EARLY_HIGH_PAGES, "early_wmark_high_pages", VALUE_KIND_PAGES, "early high watermarks",
	"High watermarks of those zones when khugepaged starts, before it raises min_free_kbytes; "
	"of "
	"a zone at most what it manages.",
	"mm/page_alloc.c, nr_free_buffer_pages(), 6.12", "")
VALUE(LOWMEM_ZONES, "lowmem_zones", VALUE_KIND_COUNT, "zones",
	"Populated zones that khugepaged multiplies its recommendation with.",
	"mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12", "")
VALUE(MIN_FREE_SQRT, "min_free_sqrt_kbytes", VALUE_KIND_KIB, "square-root term",
	"The kernel's own choice of min_free_kbytes: the integer square root of 16 times low "
	"memory in "
	"KiB, between 128 and 262144.",
	"mm/page_alloc.c, calculate_min_free_kbytes(), 6.12", "")
VALUE(MIN_FREE_THP, "min_free_thp_kbytes", VALUE_KIND_KIB, "khugepaged's recommendation",
	"min_free_kbytes that khugepaged recommends before its cap: eleven pageblocks for each "
	"zone.",
	"mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12", "")
VALUE(MIN_FREE_THP_CAP, "min_free_thp_cap_kbytes", VALUE_KIND_KIB, "5 % cap",
	"Five percent of the free buffer pages: khugepaged never recommends more.",
	"mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12", "")
VALUE(MIN_FREE_KBYTES, "min_free_kbytes", VALUE_KIND_KIB, "min_free_kbytes",
	"KiB that the kernel keeps free in all zones together; the watermarks are made from it.",
	"mm/page_alloc.c, calculate_min_free_kbytes(), and mm/khugepaged.c, "
	"set_recommended_min_free_kbytes(), 6.12",
	"")
VALUE(GROUPING_MINIMUM, "grouping_minimum_bytes", VALUE_KIND_BYTES, "grouping needs",
	"With less free memory than one pageblock of each migratetype, grouping by mobility is "
	"off.",
	"mm/page_alloc.c, build_all_zonelists(), 6.12", "")
VALUE(GROUPING, "mobility_grouping", VALUE_KIND_BOOL, "mobility grouping",
	"Whether pages are grouped by mobility. When it is off, every request counts as unmovable "
	"and "
	"CMA memory serves nobody but cma_alloc.",
	"mm/page_alloc.c, build_all_zonelists(), 6.12", "")
VALUE(HIGHATOMIC_BYTES, "highatomic_bytes", VALUE_KIND_BYTES, "HIGHATOMIC reserve",
	"Most memory of the largest zone that may be set aside for high-order atomic requests.",
	"mm/page_alloc.c, reserve_highatomic_pageblock(), 6.1 and 6.12", "")
/* zone */
VALUE(MANAGED, "managed", VALUE_KIND_PAGES, "managed",
	"Pages of the zone that the buddy allocator manages.",
	"mm/vmstat.c, zoneinfo_show_print(), managed, 6.12",
	"an idealised machine manages all present pages")
VALUE(PRESENT, "present", VALUE_KIND_PAGES, "present", "Pages of the zone that exist.",
	"mm/vmstat.c, zoneinfo_show_print(), present, 6.12", "")
VALUE(ZONE_CPUS, "zone_cpus", VALUE_KIND_COUNT, "CPUs of the zone's node",
	"CPUs that high_min and high_max of the zone are divided by.",
	"mm/page_alloc.c, zone_highsize(), 6.18", "CPU hotplug's one extra CPU is not counted")
VALUE(WMARK_MIN, "wmark_min", VALUE_KIND_PAGES, "min watermark",
	"Below it only privileged requests are served.",
	"mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "")
VALUE(WMARK_LOW, "wmark_low", VALUE_KIND_PAGES, "low watermark",
	"Below it kswapd is woken; high_min of the pagesets is made from it.",
	"mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "boost is 0")
VALUE(WMARK_HIGH, "wmark_high", VALUE_KIND_PAGES, "high watermark", "kswapd sleeps again above it.",
	"mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "boost is 0")
VALUE(WMARK_PROMO, "wmark_promo", VALUE_KIND_PAGES, "promo watermark",
	"Used by NUMA balancing with memory tiers.",
	"mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "")
VALUE(WMARK_SHARE, "wmark_share", VALUE_KIND_PAGES, "share of min_free_kbytes",
	"The zone's part of min_free_kbytes, in proportion to its managed pages.",
	"mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "")
VALUE(WMARK_DISTANCE, "wmark_distance", VALUE_KIND_PAGES, "watermark distance",
	"Step between the watermarks.", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12", "")
VALUE(BATCH, "batch", VALUE_KIND_PAGES, "batch",
	"Pages that a pageset moves at once: refills and drains are made from it.",
	"mm/page_alloc.c, zone_batchsize(), 6.18", "")
VALUE(HIGH_MIN, "high_min", VALUE_KIND_PAGES, "high_min",
	"Lower end of a pageset's high, the count from which pages are given back. Releases before "
	"6.7 have one fixed high: this.",
	"mm/page_alloc.c, zone_highsize(), 6.18", "")
VALUE(HIGH_MAX, "high_max", VALUE_KIND_PAGES, "high_max", "Upper end of a pageset's tuned high.",
	"mm/page_alloc.c, zone_highsize(), 6.18", "")
VALUE(THRESHOLD, "free_high_threshold", VALUE_KIND_PAGES, "free_high threshold",
	"free_high flushes a pageset when, on a free of order 1 to 3, free_count is at least this "
	"(before 6.7: when the count has reached high once).",
	"mm/page_alloc.c, free_unref_page_commit(), 6.1 and 6.12; "
	"free_frozen_page_commit(), 6.18",
	"")
VALUE(CEILING, "free_count_ceiling", VALUE_KIND_PAGES, "free_count ceiling",
	"free_count stops growing here. A threshold above it is never reached.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(REACHABLE, "free_high_reachable", VALUE_KIND_YES, "free_high can fire",
	"Whether a stream of frees of order 1 to 3 can reach the threshold.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18",
	"a stream of one order; a huge page freed just below the ceiling can add up to 511 pages")
VALUE(FREE_HIGH_BATCH, "free_high_batch", VALUE_KIND_BOOL, "FREE_HIGH_BATCH",
	"Flag of pagesets whose CPU has a large cache slice: free_high then also needs a count of "
	"at "
	"least one batch.",
	"mm/page_alloc.c, zone_pcp_update_cacheinfo(), 6.12", "")
/* a run: pageset of the chosen CPU, zone, op */
VALUE(RUN_COUNT, "count", VALUE_KIND_PAGES, "count", "Pages on this CPU's pageset now.",
	"mm/page_alloc.c, struct per_cpu_pages, 6.18", "")
VALUE(RUN_HIGH, "high", VALUE_KIND_PAGES, "high",
	"Pages from which on this pageset gives some back. From 6.7 on it is tuned between "
	"high_min and high_max; 0 until the pageset is first used.",
	"mm/page_alloc.c, nr_pcp_high(), 6.18", "")
VALUE(RUN_FREE_COUNT, "free_count", VALUE_KIND_PAGES, "free_count",
	"Pages freed on this CPU in a row: each free adds to it until the ceiling, each allocation "
	"halves it. Nothing else lowers it.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(RUN_FREE_FACTOR, "free_factor", VALUE_KIND_COUNT, "free_factor",
	"Shift of the pages that one drain gives back, before 6.7: an overflow raises it, an "
	"allocation halves it. While it is above 0, a free of order 1 to 3 flushes (5.18 on).",
	"mm/page_alloc.c, nr_pcp_free(), 6.18", "")
VALUE(RUN_THRESHOLD, "threshold", VALUE_KIND_PAGES, "threshold",
	"free_high may fire from this free_count on (before 6.7: from this count on). It is "
	"compared before the freed block is added.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(RUN_CEILING, "ceiling", VALUE_KIND_PAGES, "ceiling",
	"free_count stops growing at the first value that is not below this. A threshold above it "
	"is never reached.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(RUN_BATCH, "pcp_batch", VALUE_KIND_PAGES, "batch", "Pages that this pageset moves at once.",
	"mm/page_alloc.c, zone_set_pageset_high_and_batch(), 6.18", "")
VALUE(RUN_HIGH_MIN, "pcp_high_min", VALUE_KIND_PAGES, "high_min",
	"Lower end of this pageset's high.",
	"mm/page_alloc.c, zone_set_pageset_high_and_batch(), 6.18", "")
VALUE(RUN_HIGH_MAX, "pcp_high_max", VALUE_KIND_PAGES, "high_max",
	"Upper end of this pageset's high.",
	"mm/page_alloc.c, zone_set_pageset_high_and_batch(), 6.18", "")
VALUE(RUN_ALLOC_FACTOR, "alloc_factor", VALUE_KIND_COUNT, "alloc_factor",
	"Shift of the batch that a refill of order 0 takes: refills raise it, frees halve it.",
	"mm/page_alloc.c, nr_pcp_alloc(), 6.18", "")
VALUE(RUN_PREV_HIGH_ORDER, "prev_free_high_order", VALUE_KIND_BOOL, "PREV_FREE_HIGH_ORDER",
	"Flag: the free before was of order 1 to 3. Allocations do not clear it.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(RUN_BATCH_FLAG, "pcp_free_high_batch", VALUE_KIND_BOOL, "FREE_HIGH_BATCH",
	"Flag of a CPU with a large cache slice: free_high then also needs a count of one batch.",
	"mm/page_alloc.c, zone_pcp_update_cacheinfo(), 6.18", "")
VALUE(RUN_EXPIRE, "expire", VALUE_KIND_COUNT, "expire",
	"Refreshes left until a remote pageset gives pages back.",
	"mm/vmstat.c, refresh_cpu_vm_stats(), 6.18", "")
VALUE(RUN_BLOCKS, "list_blocks", VALUE_KIND_COUNT, "blocks on lists",
	"Blocks on all lists of this pageset.", "mm/page_alloc.c, struct per_cpu_pages, 6.18", "")
VALUE(RUN_BUDDY_FREE, "buddy_free", VALUE_KIND_PAGES, "free", "Free pages in the buddy.",
	"mm/page_alloc.c, NR_FREE_PAGES, 6.18", "")
VALUE(RUN_PARKED, "parked", VALUE_KIND_PAGES, "pcp", "Pages on the pagesets of all CPUs.",
	"mm/page_alloc.c, struct per_cpu_pages, 6.18", "")
VALUE(RUN_USED, "used", VALUE_KIND_PAGES, "allocated", "Pages in use.",
	"mm/page_alloc.c, rmqueue(), 6.18", "")
VALUE(RUN_BELOW_HIGH, "below_high", VALUE_KIND_BOOL, "below_high",
	"Flag of the zone: it was below its high watermark when a page was allocated.",
	"mm/page_alloc.c, ZONE_BELOW_HIGH, 6.18", "")
VALUE(RUN_RECLAIM, "reclaim", VALUE_KIND_BOOL, "reclaim",
	"Flag of the zone: reclaim is active; pagesets then keep at most four batches.",
	"mm/page_alloc.c, ZONE_RECLAIM_ACTIVE, 6.18", "")
VALUE(RUN_DRAINED, "drained", VALUE_KIND_PAGES, "drained",
	"Pages that this op moved from pagesets to the buddy.",
	"mm/page_alloc.c, free_pcppages_bulk(), 6.18", "")
VALUE(RUN_REFILLED, "refilled", VALUE_KIND_COUNT, "refilled",
	"Blocks that this op brought from the buddy to the pageset.",
	"mm/page_alloc.c, rmqueue_bulk(), 6.18", "")
VALUE(RUN_LOCKS, "zone_locks", VALUE_KIND_COUNT, "zone-lock takes",
	"How often this op took the zone lock.", "mm/page_alloc.c, zone->lock, 6.18", "")
VALUE(RUN_FLUSHED, "flushed", VALUE_KIND_BOOL, "flushed",
	"Whether free_high made this op flush the pageset.",
	"mm/page_alloc.c, free_frozen_page_commit(), 6.18", "")
VALUE(RUN_OP, "op", VALUE_KIND_COUNT, "op",
	"Number of the op after which the figures hold, from 1; 0 is the start.",
	"the run, not the kernel", "")
VALUE(RUN_OPS, "ops", VALUE_KIND_COUNT, "ops", "Ops of the run.", "the run, not the kernel", "")
VALUE(RUN_CPU, "cpu", VALUE_KIND_COUNT, "cpu", "The CPU whose pageset is shown.",
	"the run, not the kernel", "")
