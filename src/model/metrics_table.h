/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of metrics, sorted by name: name, kind, type, struct, member, unit, help. */
/* No include guard: expanded by its includer with its own ZL_METRIC. */

ZL_METRIC("allocs", TOTAL, U64, zl_totals, allocs, "ops", "Allocations")
ZL_METRIC("blocks_refilled", TOTAL, U64, zl_totals, blocks_refilled, "blocks",
	"Blocks taken from the buddy by refills")
ZL_METRIC("boosts", TOTAL, U64, zl_totals, boosts, "", "Watermark boosts")
ZL_METRIC("buddy", BUDDY, ORDER, zl_record, index, "blocks", "buddy[N]: free blocks of order N")
ZL_METRIC("buddy.largest", SPECIAL, LARGEST, zl_record, index, "",
	"Largest order with a free block, -1 = none")
ZL_METRIC("bulk_calls", TOTAL, U64, zl_totals, bulk_calls, "", "Calls of the bulk-free routine")
ZL_METRIC(
	"cma_allocs", TOTAL, U64, zl_totals, cma_allocs, "ops", "Contiguous allocations asked for")
ZL_METRIC("cma_failed", TOTAL, U64, zl_totals, cma_failed, "ops",
	"Contiguous allocations that failed")
ZL_METRIC("cma_takes", TOTAL, U64, zl_totals, cma_takes, "",
	"CMA blocks that served movable requests")
ZL_METRIC("cma_tries", TOTAL, U64, zl_totals, cma_tries, "",
	"Ranges that contiguous allocations tried")
ZL_METRIC("cpus", CONFIG, CPUS, zl_sim_config, cpus, "CPUs", "CPUs of the zone")
ZL_METRIC("design", CONFIG, DESIGN, zl_sim_config, cpus, "",
	"Design, compare with A514 A A_cap B C D19 D71")
ZL_METRIC("direct_buddy", TOTAL, U64, zl_totals, direct_buddy, "ops",
	"Ops served straight by the buddy")
ZL_METRIC("direct_frees", TOTAL, U64, zl_totals, direct_frees, "ops",
	"Frees that bypassed the pagesets")
ZL_METRIC("drain_alls", SYSTEM, U64, zl_system_totals, drain_alls, "",
	"Drains of every pageset because reclaim did not help")
ZL_METRIC("drains_below", TOTAL, U64, zl_totals, drains_below, "",
	"Drains of frees below the high watermark")
ZL_METRIC("drains_decay", TOTAL, U64, zl_totals, drains_decay, "",
	"Ticks that drained because high had fallen")
ZL_METRIC("drains_expire", TOTAL, U64, zl_totals, drains_expire, "",
	"Ticks that drained an idle remote pageset")
ZL_METRIC("drains_over", TOTAL, U64, zl_totals, drains_over, "",
	"Drains of frees at the ordinary limit")
ZL_METRIC("drains_reclaim", TOTAL, U64, zl_totals, drains_reclaim, "",
	"Drains of frees while reclaim is active")
ZL_METRIC("failed", TOTAL, U64, zl_totals, failed, "ops", "Allocations that found nothing")
ZL_METRIC("fallback_claims", TOTAL, U64, zl_totals, claims, "",
	"Pageblocks converted for another migratetype")
ZL_METRIC("fallback_moves", TOTAL, U64, zl_totals, moves, "",
	"Free blocks moved without converting their pageblock")
ZL_METRIC("fallback_steals", TOTAL, U64, zl_totals, steals, "",
	"Single blocks taken from another migratetype's pageblock")
ZL_METRIC("fallback_whole", TOTAL, U64, zl_totals, whole, "",
	"Free blocks of at least a pageblock that were retyped")
ZL_METRIC("first_free_high", SPECIAL, FIRST_FLUSH, zl_record, index, "frees",
	"Which free of the scope flushed first, 0 = none")
ZL_METRIC("free_high", TOTAL, U64, zl_totals, free_high, "flushes", "Flushes by free_high")
ZL_METRIC("frees", TOTAL, U64, zl_totals, frees, "ops", "Frees")
ZL_METRIC("highatomic_reserved", TOTAL, U64, zl_totals, highatomic_reserved, "pageblocks",
	"Pageblocks reserved for high-order atomic allocations")
ZL_METRIC("highatomic_unreserved", TOTAL, U64, zl_totals, highatomic_unreserved, "",
	"HIGHATOMIC pageblocks given back")
ZL_METRIC("kswapd_wakes", SYSTEM, U64, zl_system_totals, kswapd_wakes, "",
	"Times that a kswapd was woken")
ZL_METRIC("longest_hold_pages", SPECIAL, LONGEST_HOLD, zl_record, longest_hold, "pages",
	"Pages that one hold of the zone lock moved at most")
ZL_METRIC("merges", TOTAL, U64, zl_totals, merges, "", "Merges of buddies")
ZL_METRIC("node_fallbacks", SYSTEM, U64, zl_system_totals, node_fallbacks, "ops",
	"Requests served by another node than the preferred one")
ZL_METRIC("op.bulk_calls", OP, U32, zl_record, bulk_calls, "", "Bulk-free calls of the last op")
ZL_METRIC("op.cpu", OP, U32, zl_record, cpu, "", "CPU of the last op")
ZL_METRIC("op.drained", OP, U32, zl_record, drained, "pages",
	"Pages that went from pagesets to the buddy")
ZL_METRIC("op.eff_high", OP, I32, zl_record, eff_high, "pages",
	"The limit that count was compared with on a free")
ZL_METRIC("op.fallbacks", OP, U32, zl_record, fallbacks, "", "Fallbacks of the last op")
ZL_METRIC("op.free_high", OP, BOOL, zl_record, free_high, "", "1 if the last op flushed")
ZL_METRIC("op.is_alloc", SPECIAL, IS_ALLOC, zl_record, index, "", "1 if it was an allocation")
ZL_METRIC("op.is_free", SPECIAL, IS_FREE, zl_record, index, "", "1 if it was a free")
ZL_METRIC("op.is_tick", SPECIAL, IS_TICK, zl_record, index, "", "1 if it was a tick")
ZL_METRIC("op.longest_hold", OP, U32, zl_record, longest_hold, "pages",
	"Pages that one hold of the zone lock moved at most")
ZL_METRIC("op.merges", OP, U32, zl_record, merges, "", "Merges of the last op")
ZL_METRIC("op.migrated", OP, U32, zl_record, migrated, "pages", "Pages that the last op migrated")
ZL_METRIC("op.order", SPECIAL, ORDER_OF_OP, zl_record, index, "", "Order of an allocation")
ZL_METRIC("op.pfn", OP, I64, zl_record, pfn, "", "First page of the block, -1 = none")
ZL_METRIC("op.refill_got", OP, U32, zl_record, refill_got, "blocks", "Blocks that refills got")
ZL_METRIC(
	"op.refill_req", OP, U32, zl_record, refill_req, "blocks", "Blocks that refills asked for")
ZL_METRIC("op.refills", OP, U32, zl_record, refills, "", "Refills of the last op")
ZL_METRIC(
	"op.to_free", OP, I32, zl_record, to_free, "pages", "Pages that a free decided to release")
ZL_METRIC("op.tries", OP, U32, zl_record, tries, "", "Ranges that the last op tried")
ZL_METRIC("op.zone_locks", OP, U32, zl_record, zone_locks, "", "Zone-lock takes of the last op")
ZL_METRIC("ops", TOTAL, U64, zl_totals, ops, "ops", "Ops, switches of the CPU included")
ZL_METRIC("page_size", CONFIG, PAGE_SIZE, zl_sim_config, page_shift, "bytes", "Base page size")
ZL_METRIC("pageblock_pages", CONFIG, PAGEBLOCK, zl_sim_config, pageblock_order, "pages",
	"Pages of a pageblock")
ZL_METRIC("pageblocks.free", PAGEBLOCK, FREE, zl_pageblock_view, free, "pageblocks",
	"Pageblocks that are wholly free")
ZL_METRIC("pageblocks.movable", PAGEBLOCK, MOVABLE, zl_pageblock_view, type, "pageblocks",
	"Pageblocks of type MOVABLE")
ZL_METRIC("pageblocks.pinned", PAGEBLOCK, PINNED, zl_pageblock_view, used_other, "pageblocks",
	"Pageblocks that hold pages which cannot move")
ZL_METRIC("pageblocks.reclaimable", PAGEBLOCK, RECLAIMABLE, zl_pageblock_view, type, "pageblocks",
	"Pageblocks of type RECLAIMABLE")
ZL_METRIC("pageblocks.unmovable", PAGEBLOCK, UNMOVABLE, zl_pageblock_view, type, "pageblocks",
	"Pageblocks of type UNMOVABLE")
ZL_METRIC("pages_drained", TOTAL, U64, zl_totals, pages_drained, "pages",
	"Pages that went from pagesets to the buddy")
ZL_METRIC("pages_migrated", TOTAL, U64, zl_totals, pages_migrated, "pages",
	"Pages moved out of the way of contiguous allocations")
ZL_METRIC("pages_reclaimed", SYSTEM, U64, zl_system_totals, reclaimed, "pages",
	"Pages that reclaim gave back")
ZL_METRIC("pcp.alloc_factor", PCP, I32, zl_pageset_view, alloc_factor, "",
	"Refill shift (0 in A designs)")
ZL_METRIC("pcp.batch", PCP, I32, zl_pageset_view, batch, "pages", "batch")
ZL_METRIC("pcp.ceiling", PCP, I32, zl_pageset_view, ceiling, "pages",
	"batch << pcp_batch_scale_max (0 in A designs)")
ZL_METRIC("pcp.count", PCP, I32, zl_pageset_view, count, "pages", "Pages on the pageset")
ZL_METRIC("pcp.expire", PCP, U32, zl_pageset_view, expire, "ticks", "Remote-expiry countdown")
ZL_METRIC("pcp.free_count", PCP, I32, zl_pageset_view, free_count, "pages",
	"Consecutive frees, counted in pages (0 in A designs)")
ZL_METRIC("pcp.free_factor", PCP, I32, zl_pageset_view, free_factor, "",
	"Shift of batch on frees (A designs)")
ZL_METRIC("pcp.free_high_batch", PCP, BOOL, zl_pageset_view, free_high_batch, "",
	"1 if FREE_HIGH_BATCH is set")
ZL_METRIC("pcp.high", PCP, I32, zl_pageset_view, high, "pages", "high")
ZL_METRIC("pcp.high_max", PCP, HIGH_LIMIT, zl_pageset_view, high_max, "pages",
	"high_max (high in A designs)")
ZL_METRIC("pcp.high_min", PCP, HIGH_LIMIT, zl_pageset_view, high_min, "pages",
	"high_min (high in A designs)")
ZL_METRIC("pcp.prev_free_high_order", PCP, BOOL, zl_pageset_view, prev_free_high_order, "",
	"1 if the previous free was of order 1 to 3")
ZL_METRIC("pcp.threshold", PCP, I32, zl_pageset_view, threshold, "pages",
	"What free_count (A designs: count) is compared with in free_high")
ZL_METRIC("reclaim_rounds", SYSTEM, U64, zl_system_totals, reclaim_rounds, "",
	"Rounds of direct reclaim")
ZL_METRIC("refills", TOTAL, U64, zl_totals, refills, "", "Refills of pagesets")
ZL_METRIC("refused", TOTAL, U64, zl_totals, refused, "ops",
	"Times that a watermark kept a request out of a zone")
ZL_METRIC("scale_max", CONFIG, SCALE, zl_sim_config, scale_max, "", "pcp_batch_scale_max")
ZL_METRIC(
	"zone.below_high", ZONE, BOOL, zl_zone_view, below_high, "", "1 if ZONE_BELOW_HIGH is set")
ZL_METRIC("zone.boost", ZONE, I64, zl_zone_view, boost, "pages", "Watermark boost")
ZL_METRIC("zone.cma_used", ZONE, I64, zl_zone_view, cma_used, "pages",
	"Pages of contiguous allocations")
ZL_METRIC("zone.free", ZONE, I64, zl_zone_view, free, "pages", "Free pages in the buddy")
ZL_METRIC("zone.free_blocks", ZONE, I64, zl_zone_view, free_blocks, "pages",
	"Free pages in blocks of at least a pageblock")
ZL_METRIC("zone.free_cma", ZONE, I64, zl_zone_view, free_cma, "pages", "Free CMA pages")
ZL_METRIC("zone.free_highatomic", ZONE, I64, zl_zone_view, free_highatomic, "pages",
	"Free HIGHATOMIC pages")
ZL_METRIC("zone.managed", CONFIG, MANAGED, zl_sim_config, managed, "pages", "Managed pages")
ZL_METRIC("zone.pages", CONFIG, PAGES, zl_sim_config, pages, "pages", "Pages in the model's zone")
ZL_METRIC("zone.parked", ZONE, I64, zl_zone_view, parked, "pages", "Pages on all pagesets")
ZL_METRIC("zone.pinned", ZONE, I64, zl_zone_view, pinned, "pages", "Pages of pinned blocks")
ZL_METRIC("zone.reclaim", ZONE, BOOL, zl_zone_view, reclaim, "", "1 if reclaim is active")
ZL_METRIC("zone.reserved_highatomic", ZONE, I64, zl_zone_view, reserved_highatomic, "pages",
	"Pages reserved for high-order atomic allocations")
ZL_METRIC("zone.used", ZONE, I64, zl_zone_view, used, "pages", "Allocated pages")
ZL_METRIC("zone.wmark_high", ZONE, I64, zl_zone_view, wmark_high, "pages",
	"High watermark, a boost included")
ZL_METRIC("zone.wmark_low", ZONE, I64, zl_zone_view, wmark_low, "pages",
	"Low watermark, a boost included")
ZL_METRIC("zone.wmark_min", ZONE, I64, zl_zone_view, wmark_min, "pages",
	"Min watermark, a boost included")
ZL_METRIC("zone_fallbacks", SYSTEM, U64, zl_system_totals, zone_fallbacks, "ops",
	"Requests served by another zone than the preferred one")
ZL_METRIC("zone_locks", TOTAL, U64, zl_totals, zone_locks, "", "Zone-lock takes")
