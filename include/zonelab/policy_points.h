/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No include guard: expanded by its includers with their own ZL_POINT. */
/*
 * The decision points, one row each. The rules of the designs are
 * the table in src/model/policy_rules.c.
 *
 *   id       suffix of ZL_POINT_
 *   name
 *   stage    OP (asked while the allocator runs) or MACHINE (asked when a machine is derived)
 *   type     C type of the value
 *   target   what the value is stored in, as a C lvalue; "" = it is used at once
 *   scope    names: a set of scopes, see src/model/policy_scope.c
 *   function the kernel's, by release
 *   meaning  one clause: what the value is
 */
/* clang-format off */
ZL_POINT(FREE_HIGH, "free_high", OP, "bool", "", PCP | NAME(ORDER) | NAME(LOCAL_BATCH), "free_unref_page_commit() to 6.13, free_frozen_page_commit() from 6.14", "whether a free flushes the pageset, asked with its pages on the list but not yet in free_count")
ZL_POINT(FREE_COUNT_STEP, "free_count_step", OP, "short", "pcp->free_count", PCP | NAME(ORDER) | NAME(LOCAL_BATCH), "free_unref_page_commit() to 6.13, free_frozen_page_commit() from 6.14", "free_count after a free")
ZL_POINT(ALLOC_FACTOR_ON_FREE, "alloc_factor_on_free", OP, "u8", "pcp->alloc_factor", PCP | NAME(ORDER) | NAME(LOCAL_BATCH), "free_unref_page_commit() to 6.13, free_frozen_page_commit() from 6.14", "alloc_factor after a free, asked before its pages are on the list")
ZL_POINT(FREE_COUNT_ON_ALLOC, "free_count_on_alloc", OP, "short", "pcp->free_count pcp->free_factor", PCP | NAME(ORDER) | NAME(LOCAL_BATCH), "rmqueue_pcplist()", "free_count (free_factor in the A designs) after a request, asked before it takes its block")
ZL_POINT(NR_PCP_FREE, "nr_pcp_free", OP, "int", "", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LIMIT) | NAME(FREE_HIGH), "nr_pcp_free()", "pages to drain once count has reached the limit")
ZL_POINT(NR_PCP_HIGH, "nr_pcp_high", OP, "int", "", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LOCAL_HIGH) | NAME(FREE_HIGH), "nr_pcp_high()", "the limit that count is compared with, asked after the four rules below have tuned pcp->high")
ZL_POINT(HIGH_ON_FREE_HIGH, "high_on_free_high", OP, "int", "pcp->high", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LOCAL_HIGH), "nr_pcp_high()", "pcp->high after a flush")
ZL_POINT(HIGH_ON_RECLAIM, "high_on_reclaim", OP, "int", "pcp->high", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LOCAL_HIGH), "nr_pcp_high()", "pcp->high after a free while kswapd balances the zone")
ZL_POINT(HIGH_BELOW, "high_below", OP, "int", "pcp->high", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LOCAL_HIGH), "nr_pcp_high()", "pcp->high after a free while the zone is below its high watermark")
ZL_POINT(HIGH_GROW, "high_grow", OP, "int", "pcp->high", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(LOCAL_HIGH), "nr_pcp_high()", "pcp->high after a free that reached it")
ZL_POINT(NR_PCP_ALLOC, "nr_pcp_alloc", OP, "int", "", PCP | NAME(ORDER) | NAME(BASE_BATCH) | NAME(LOCAL_HIGH) | NAME(REFILL_BATCH), "nr_pcp_alloc(); __rmqueue_pcplist() in the A designs", "blocks to refill, asked after the three rules below")
ZL_POINT(HIGH_REFILL, "high_refill", OP, "int", "pcp->high", PCP | NAME(ORDER) | NAME(BASE_BATCH) | NAME(LOCAL_HIGH) | NAME(REFILL_BATCH), "nr_pcp_alloc()", "pcp->high after a refill")
ZL_POINT(ROOM, "room", OP, "int", "", PCP | NAME(ORDER) | NAME(BASE_BATCH) | NAME(LOCAL_HIGH) | NAME(REFILL_BATCH), "nr_pcp_alloc()", "most pages of an order-0 refill")
ZL_POINT(ALLOC_FACTOR_MAX, "alloc_factor_max", OP, "int", "", PCP | NAME(ORDER) | NAME(BASE_BATCH) | NAME(LOCAL_HIGH) | NAME(REFILL_BATCH), "nr_pcp_alloc()", "alloc_factor grows while it is below this")
ZL_POINT(DECAY_PCP_HIGH, "decay_pcp_high", OP, "int", "pcp->high", PCP | NAME(LOCAL_BATCH), "decay_pcp_high()", "pcp->high after a tick that found it above high_min")
ZL_POINT(DRAIN_CHUNK, "drain_chunk", OP, "int", "", PCP | NAME(ORDER) | NAME(LOCAL_BATCH) | NAME(TO_FREE), "free_unref_page_commit() to 6.13, free_frozen_page_commit() from 6.14", "most pages that a free drains under one hold of the zone lock")
ZL_POINT(DECAY_CHUNK, "decay_chunk", OP, "int", "", PCP | NAME(LOCAL_BATCH) | NAME(TO_FREE), "decay_pcp_high()", "most pages that a tick drains under one hold of the zone lock")
ZL_POINT(FULL_DRAIN_CHUNK, "full_drain_chunk", OP, "int", "", PCP | NAME(LOCAL_BATCH) | NAME(TO_FREE), "drain_pages_zone()", "most pages that a full drain moves under one hold of the zone lock")
ZL_POINT(ZONE_BATCHSIZE, "zone_batchsize", MACHINE, "int", "pcp->batch", NAME(MANAGED) | PAGE, "zone_batchsize()", "batch of a zone's pagesets; at least 1 in any case")
ZL_POINT(ZONE_HIGHSIZE, "zone_highsize", MACHINE, "int", "", NAME(MANAGED) | PAGE | NAME(LOW_WMARK) | NAME(HIGH_FRACTION) | NAME(SPLIT_CPUS) | NAME(LOCAL_BATCH), "zone_highsize()", "high_min, and with high_fraction 8 high_max")
ZL_POINT(PCP_BATCH_SCALE_MAX, "pcp_batch_scale_max", MACHINE, "int", "", NAME(SCALE_MAX) | PAGE, "mm/Kconfig, PCP_BATCH_SCALE_MAX", "what every use of CONFIG_PCP_BATCH_SCALE_MAX reads, 0 to 6")
ZL_POINT(PAGEBLOCK_ORDER, "pageblock_order", MACHINE, "unsigned int", "", ORDERS | PAGE | NAME(BLOCK_CAP), "include/linux/pageblock-flags.h, set_pageblock_order()", "log2 of the pages of a pageblock")
ZL_POINT(PAGE_BLOCK_MAX_ORDER, "page_block_max_order", MACHINE, "int", "", ORDERS | PAGE | NAME(ARCH_MAX_ORDER), "mm/Kconfig, PAGE_BLOCK_ORDER in 6.16, PAGE_BLOCK_MAX_ORDER from 6.17", "default of the upper limit of pageblock_order")
ZL_POINT(ARCH_FORCE_MAX_ORDER, "arch_force_max_order", MACHINE, "int", "", NAME(HUGETLB_PAGE) | NAME(THP) | PAGE | NAME(ARCH_DEFAULT), "arch/*/Kconfig, FORCE_MAX_ZONEORDER, ARCH_FORCE_MAX_ORDER", "default of MAX_PAGE_ORDER, inclusive in every release")
ZL_POINT(CMA_MIN_ALIGNMENT_PAGES, "cma_min_alignment_pages", MACHINE, "unsigned long", "", ORDERS | PAGE | BLOCK, "include/linux/cma.h, CMA_MIN_ALIGNMENT_PAGES", "alignment of CMA areas in pages, a power of two")
ZL_POINT(RECOMMENDED_MIN, "recommended_min", MACHINE, "unsigned long", "", BLOCK | PAGE | NAME(NR_ZONES) | NAME(PCPTYPES) | NAME(BUFFER_PAGES), "set_recommended_min_free_kbytes()", "pages that khugepaged wants free")
ZL_POINT(HIGHATOMIC_MAX, "highatomic_max", MACHINE, "unsigned long", "", BLOCK | PAGE | NAME(MANAGED), "reserve_highatomic_pageblock()", "most pages of the HIGHATOMIC reserve")
ZL_POINT(WATERMARK_DISTANCE, "watermark_distance", MACHINE, "unsigned long", "", BLOCK | PAGE | NAME(MANAGED) | NAME(MIN_SHARE) | NAME(SCALE_FACTOR), "__setup_per_zone_wmarks()", "pages between the watermarks of a zone")
/* clang-format on */
