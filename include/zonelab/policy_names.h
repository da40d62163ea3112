/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No include guard: expanded by its includers with their own ZL_POLICY_NAME. */
/*
 * The names that policies may use, one row each.
 *
 *   id      suffix of ZL_NAME_
 *   words   spellings, separated by blanks; the first is the one that lists show
 *   kind    CONSTANT (value), LIMIT (changes only when limits are computed again) or LIVE
 *   value   of a CONSTANT
 *   designs TUNED (B and later), FACTOR (A designs) or ANY: where the figure exists
 *   meaning one clause
 *
 * Two rows may share a spelling when no point has both in scope.
 */
/* clang-format off */
ZL_POLICY_NAME(COUNT, "pcp->count", LIVE, 0, ANY, "pages on the pageset, those of this free included")
ZL_POLICY_NAME(HIGH, "pcp->high", LIVE, 0, ANY, "pages that the pageset may hold")
ZL_POLICY_NAME(HIGH_MIN, "pcp->high_min high_min", LIMIT, 0, ANY, "lower bound of pcp->high; the A designs have high alone, which it then is")
ZL_POLICY_NAME(HIGH_MAX, "pcp->high_max high_max", LIMIT, 0, ANY, "upper bound of pcp->high; high in the A designs")
ZL_POLICY_NAME(BATCH, "pcp->batch", LIMIT, 0, ANY, "pages of a batch")
ZL_POLICY_NAME(FREE_COUNT, "pcp->free_count", LIVE, 0, TUNED, "pages freed in a row, halved by each allocation")
ZL_POLICY_NAME(FREE_FACTOR, "pcp->free_factor", LIVE, 0, FACTOR, "doublings of the pages to drain")
ZL_POLICY_NAME(ALLOC_FACTOR, "pcp->alloc_factor", LIVE, 0, TUNED, "doublings of the pages to refill")
ZL_POLICY_NAME(FLAGS, "pcp->flags", LIVE, 0, TUNED, "PCPF_PREV_FREE_HIGH_ORDER and PCPF_FREE_HIGH_BATCH")
ZL_POLICY_NAME(EXPIRE, "pcp->expire", LIVE, 0, ANY, "ticks until a remote pageset is drained")
ZL_POLICY_NAME(PREV_FREE_HIGH_ORDER, "PCPF_PREV_FREE_HIGH_ORDER", CONSTANT, 1, TUNED, "flag: the previous free was of order 1 to 3")
ZL_POLICY_NAME(FREE_HIGH_BATCH, "PCPF_FREE_HIGH_BATCH", CONSTANT, 2, TUNED, "flag: the CPU's cache slice holds more than 3 batches")
ZL_POLICY_NAME(SCALE_MAX, "CONFIG_PCP_BATCH_SCALE_MAX PCP_BATCH_SCALE_MAX pcp_batch_scale_max", LIMIT, 0, ANY, "largest scale of a batch")
ZL_POLICY_NAME(COSTLY_ORDER, "PAGE_ALLOC_COSTLY_ORDER", CONSTANT, 3, ANY, "largest order below the THP order that has pageset lists")
ZL_POLICY_NAME(ORDER, "order", LIVE, 0, ANY, "order of the block")
ZL_POLICY_NAME(ZONE_FLAGS, "zone->flags", LIVE, 0, ANY, "flags of the zone, for test_bit()")
ZL_POLICY_NAME(RECLAIM_ACTIVE, "ZONE_RECLAIM_ACTIVE", CONSTANT, 1, ANY, "bit: kswapd balances the zone")
ZL_POLICY_NAME(BELOW_HIGH, "ZONE_BELOW_HIGH", CONSTANT, 2, TUNED, "bit: free pages fell below the high watermark")
ZL_POLICY_NAME(LOCAL_BATCH, "batch", LIMIT, 0, ANY, "pcp->batch")
ZL_POLICY_NAME(LOCAL_HIGH, "high", LIVE, 0, ANY, "pcp->high between its bounds, before this rule")
ZL_POLICY_NAME(LIMIT, "high", LIVE, 0, ANY, "the limit that nr_pcp_high gave")
ZL_POLICY_NAME(FREE_HIGH, "free_high", LIVE, 0, ANY, "whether free_high holds")
ZL_POLICY_NAME(BASE_BATCH, "base_batch", LIMIT, 0, ANY, "pcp->batch")
ZL_POLICY_NAME(REFILL_BATCH, "batch", LIVE, 0, ANY, "pages to refill so far: base_batch << alloc_factor for order 0, else base_batch")
ZL_POLICY_NAME(TO_FREE, "to_free to_drain", LIVE, 0, ANY, "pages still to be drained")
ZL_POLICY_NAME(PAGE_SHIFT, "PAGE_SHIFT", LIMIT, 0, ANY, "log2 of the page size")
ZL_POLICY_NAME(PAGE_SIZE, "PAGE_SIZE", LIMIT, 0, ANY, "bytes of a page")
ZL_POLICY_NAME(SZ_1M, "SZ_1M", CONSTANT, 1048576, ANY, "1 MiB in bytes")
ZL_POLICY_NAME(MANAGED, "zone_managed_pages(zone) managed", LIMIT, 0, ANY, "pages that the zone manages")
ZL_POLICY_NAME(LOW_WMARK, "low_wmark_pages(zone)", LIMIT, 0, ANY, "low watermark, boost included")
ZL_POLICY_NAME(HIGH_FRACTION, "high_fraction percpu_pagelist_high_fraction", LIMIT, 0, ANY, "percpu_pagelist_high_fraction; 8 for high_max; 0 = the low watermark counts")
ZL_POLICY_NAME(SPLIT_CPUS, "nr_split_cpus", LIMIT, 0, ANY, "CPUs of the zone's node")
ZL_POLICY_NAME(HUGETLB_PAGE, "CONFIG_HUGETLB_PAGE", LIMIT, 0, ANY, "1 with HugeTLB, else 0")
ZL_POLICY_NAME(THP, "CONFIG_TRANSPARENT_HUGEPAGE", LIMIT, 0, ANY, "1 with THP, else 0")
ZL_POLICY_NAME(HUGETLB_ORDER, "HUGETLB_PAGE_ORDER", LIMIT, 0, ANY, "order of the default huge page; 0 = none at boot")
ZL_POLICY_NAME(PMD_ORDER, "HPAGE_PMD_ORDER", LIMIT, 0, ANY, "order of a transparent huge page; -1 = none")
ZL_POLICY_NAME(MAX_PAGE_ORDER, "MAX_PAGE_ORDER", LIMIT, 0, ANY, "largest order of the buddy, inclusive in every release")
ZL_POLICY_NAME(MAX_ORDER_PAGES, "MAX_ORDER_NR_PAGES", LIMIT, 0, ANY, "pages of the largest buddy block")
ZL_POLICY_NAME(BLOCK_CAP, "PAGE_BLOCK_MAX_ORDER PAGE_BLOCK_ORDER", LIMIT, 0, ANY, "upper limit of pageblock_order; MAX_PAGE_ORDER where the release has none")
ZL_POLICY_NAME(ARCH_MAX_ORDER, "CONFIG_ARCH_FORCE_MAX_ORDER ARCH_FORCE_MAX_ORDER", LIMIT, 0, ANY, "the architecture's symbol, inclusive; 0 = it has none")
ZL_POLICY_NAME(ARCH_DEFAULT, "arch_default", LIMIT, 0, ANY, "default of the architecture for this page size, inclusive")
ZL_POLICY_NAME(PAGEBLOCK_ORDER, "pageblock_order", LIMIT, 0, ANY, "log2 of the pages of a pageblock")
ZL_POLICY_NAME(PAGEBLOCK_PAGES, "pageblock_nr_pages", LIMIT, 0, ANY, "pages of a pageblock")
ZL_POLICY_NAME(NR_ZONES, "nr_zones", LIMIT, 0, ANY, "populated zones that GFP_USER may use")
ZL_POLICY_NAME(PCPTYPES, "MIGRATE_PCPTYPES", CONSTANT, 3, ANY, "migratetypes with pageset lists")
ZL_POLICY_NAME(BUFFER_PAGES, "nr_free_buffer_pages()", LIMIT, 0, ANY, "pages above the high watermarks of those zones when khugepaged starts")
ZL_POLICY_NAME(MIN_SHARE, "min_share", LIMIT, 0, ANY, "the zone's pages of min_free_kbytes")
ZL_POLICY_NAME(SCALE_FACTOR, "watermark_scale_factor", LIMIT, 0, ANY, "1/10000 of a zone between two watermarks")
/* clang-format on */
