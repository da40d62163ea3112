/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why an op went the way it did: id, word as in JSON, sentence, source in the kernel. */
/* No include guard: expanded by its includers with their own ZL_REASON. */

ZL_REASON(INIT, "init", "The zone as it was created: all free, all pageblocks movable.",
	"mm/page_alloc.c, __free_pages_core()")
ZL_REASON(CPU, "cpu", "The ops that follow run on another CPU.", "")
ZL_REASON(ALLOC_HIT, "pageset-hit", "The pageset's list had a block; the newest one was taken.",
	"mm/page_alloc.c, __rmqueue_pcplist()")
ZL_REASON(ALLOC_REFILLED, "pageset-refilled",
	"The pageset's list was empty; it was refilled under one hold of the zone lock.",
	"mm/page_alloc.c, rmqueue_bulk()")
ZL_REASON(ALLOC_REFILLED_SHORT, "pageset-refilled-short",
	"The pageset's list was empty; the buddy had fewer blocks than the refill asked for.",
	"mm/page_alloc.c, rmqueue_bulk()")
ZL_REASON(ALLOC_DIRECT_ORDER, "no-pageset-list",
	"Blocks of this order have no pageset list; the buddy served the request.",
	"mm/page_alloc.c, pcp_allowed_order()")
ZL_REASON(ALLOC_DIRECT_EMPTY, "refill-got-nothing",
	"The refill got nothing; the buddy was tried directly.", "mm/page_alloc.c, rmqueue()")
ZL_REASON(ALLOC_DIRECT_ATOMIC, "atomic-no-refill",
	"A high-atomic request does not refill an empty list; the buddy served it.",
	"mm/page_alloc.c, __rmqueue_pcplist()")
ZL_REASON(ALLOC_DIRECT_NO_PAGESETS, "no-pagesets",
	"This kernel without SMP keeps nothing on pagesets; the buddy served the request.",
	"mm/page_alloc.c, pcp_spin_trylock()")
ZL_REASON(ALLOC_FAILED, "no-block",
	"No free block of this order or above is left that the request may use.",
	"mm/page_alloc.c, rmqueue_buddy()")
ZL_REASON(ALLOC_FAILED_NO_BUDDY, "refill-failed",
	"The refill got nothing, and this release does not try the buddy afterwards.",
	"mm/page_alloc.c, rmqueue()")
ZL_REASON(BULK_ALL, "bulk-all", "The bulk request got all its pages.",
	"mm/page_alloc.c, alloc_pages_bulk_noprof()")
ZL_REASON(BULK_SHORT, "bulk-short",
	"The bulk request stopped at the first page that a refill could not bring.",
	"mm/page_alloc.c, alloc_pages_bulk_noprof()")
ZL_REASON(FREE_NOOP, "nothing-to-free", "The allocation of this id had failed.", "")
ZL_REASON(FREE_KEPT, "below-high", "The pageset holds less than its limit; the block stays on it.",
	"mm/page_alloc.c, free_frozen_page_commit()")
ZL_REASON(FREE_HIGH, "free-high",
	"free_high: a long run of high-order frees; the pageset is flushed.",
	"mm/page_alloc.c, free_frozen_page_commit()")
ZL_REASON(FREE_OVER_HIGH, "over-high", "The pageset reached its limit and drained.",
	"mm/page_alloc.c, nr_pcp_high()")
ZL_REASON(FREE_OVER_RECLAIM, "over-reclaim",
	"Reclaim is active, which lowers the limit to four batches; the pageset drained.",
	"mm/page_alloc.c, nr_pcp_high()")
ZL_REASON(FREE_OVER_BELOW, "over-below-high-wmark",
	"The zone is below its high watermark, so the pageset drains from high_min on.",
	"mm/page_alloc.c, nr_pcp_high()")
ZL_REASON(FREE_DISABLED, "limit-below-batch",
	"The limit is below one batch; one block is drained at a time.",
	"mm/page_alloc.c, nr_pcp_free()")
ZL_REASON(FREE_DIRECT_ORDER, "free-no-pageset-list",
	"Blocks of this order have no pageset list; the block went to the buddy.",
	"mm/page_alloc.c, pcp_allowed_order()")
ZL_REASON(FREE_DIRECT_ISOLATE, "free-isolated",
	"The pageblock is isolated; the block went to the buddy.",
	"mm/page_alloc.c, free_frozen_pages()")
ZL_REASON(FREE_DIRECT_NO_PAGESETS, "free-no-pagesets",
	"This kernel without SMP keeps nothing on pagesets; the block went to the buddy.",
	"mm/page_alloc.c, pcp_spin_trylock()")
ZL_REASON(TICK_QUIET, "tick-quiet", "The refresh found nothing to do for the pageset.",
	"mm/vmstat.c, refresh_cpu_vm_stats()")
ZL_REASON(TICK_DECAY, "tick-decay", "high fell by an eighth; the pageset holds less than that.",
	"mm/page_alloc.c, decay_pcp_high()")
ZL_REASON(TICK_DECAY_DRAIN, "tick-decay-drain", "The pageset held more than high and drained.",
	"mm/page_alloc.c, decay_pcp_high()")
ZL_REASON(TICK_EXPIRE_WAIT, "tick-expire-wait", "The remote pageset's countdown went on.",
	"mm/vmstat.c, refresh_cpu_vm_stats()")
ZL_REASON(TICK_EXPIRE_DRAIN, "tick-expire-drain",
	"The remote pageset was idle for three refreshes and gave back one batch.",
	"mm/vmstat.c, refresh_cpu_vm_stats()")
ZL_REASON(DRAIN, "drain", "The pages went back to the buddy, list 0 first.",
	"mm/page_alloc.c, drain_pages_zone()")
ZL_REASON(
	DRAIN_EMPTY, "drain-empty", "The pageset was empty.", "mm/page_alloc.c, drain_pages_zone()")
ZL_REASON(DRAIN_ZONE, "drain-zone", "One batch of a remote pageset went back to the buddy.",
	"mm/page_alloc.c, drain_zone_pages()")
ZL_REASON(SET_FLAG, "set-flag", "A zone flag changed.", "include/linux/mmzone.h, zone flags")
ZL_REASON(SET_MARK, "set-watermark", "A watermark changed; nothing else follows.",
	"mm/page_alloc.c, __setup_per_zone_wmarks()")
ZL_REASON(ALLOC_WATERMARK, "watermark",
	"The free pages that the request may use would fall to its watermark; it is refused here.",
	"mm/page_alloc.c, get_page_from_freelist()")
ZL_REASON(CMA_TAKEN, "cma-taken",
	"The range was isolated, movable pages in it moved away, and its pages were taken.",
	"mm/cma.c, cma_alloc()")
ZL_REASON(CMA_NO_RUN, "cma-no-run", "No free run of the CMA area is long enough.",
	"mm/cma.c, cma_alloc()")
ZL_REASON(CMA_BUSY, "cma-busy",
	"Every free run of the CMA area has a page that cannot be moved; the last try ended there.",
	"mm/page_alloc.c, alloc_contig_range()")
ZL_REASON(CMA_NOWHERE, "cma-nowhere",
	"There is no page outside to which a page of the range could be moved.",
	"mm/page_alloc.c, __alloc_contig_migrate_range()")
ZL_REASON(CMA_RELEASED, "cma-released",
	"The pages were freed one by one to the pageset's movable lists.",
	"mm/cma.c, cma_release()")
ZL_REASON(PINNED, "pinned", "The block is pinned; it cannot be migrated.",
	"mm/gup.c, try_grab_folio()")
ZL_REASON(UNPINNED, "unpinned", "The block is no longer pinned.", "mm/gup.c, unpin_user_pages()")
ZL_REASON(CPU_OFFLINE, "cpu-offline",
	"The CPU went offline: its pageset was emptied, and the limits were computed again.",
	"mm/page_alloc.c, page_alloc_cpu_dead()")
ZL_REASON(CPU_ONLINE, "cpu-online", "The CPU came online, and the limits were computed again.",
	"mm/page_alloc.c, page_alloc_cpu_online()")
ZL_REASON(UNRESERVED, "unreserved", "A HIGHATOMIC pageblock went back to ordinary use.",
	"mm/page_alloc.c, unreserve_highatomic_pageblock()")
ZL_REASON(UNRESERVED_NONE, "unreserved-none",
	"No HIGHATOMIC pageblock has free pages that may go back.",
	"mm/page_alloc.c, unreserve_highatomic_pageblock()")
ZL_REASON(PCP_DISABLED, "pagesets-disabled",
	"The pagesets were disabled and emptied; every free goes through them to the buddy.",
	"mm/page_alloc.c, zone_pcp_disable()")
ZL_REASON(PCP_ENABLED, "pagesets-enabled",
	"The pagesets have their limits again; a tuned high starts at high_min.",
	"mm/page_alloc.c, zone_pcp_enable()")
ZL_REASON(RECLAIMED, "reclaimed",
	"kswapd gave back the oldest movable pages of the node, under the reclaim flag.",
	"mm/vmscan.c, balance_pgdat()")
ZL_REASON(RECLAIM_STATED, "reclaim-stated",
	"From here on a request that finds nothing reclaims so many pages itself.", "")
ZL_REASON(NODE, "node", "The requests that follow prefer another node.", "")
ZL_REASON(ZONE, "zone", "The requests that follow may use other zones.", "")
ZL_REASON(SET_LIMITS, "set-limits", "The limits of every pageset were computed again.",
	"mm/page_alloc.c, zone_set_pageset_high_and_batch()")
ZL_REASON(SET_LIMITS_SAME, "set-limits-same",
	"The limits were computed again and came out the same; nothing was written.",
	"mm/page_alloc.c, zone_set_pageset_high_and_batch()")
ZL_REASON(SET_FIGURE, "set-figure", "A figure of the pageset was given from outside.", "")
ZL_REASON(SET_CACHE, "set-cache-slice",
	"The cache slice decides whether a flush waits for one batch of pages.",
	"mm/page_alloc.c, zone_pcp_update_cacheinfo()")
