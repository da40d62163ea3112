/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terms.h"

#include <string.h>

#include "zonelab/metrics.h"

#define RUN	 "the run, not the kernel"
#define ESTIMATE "an estimate of the model, never a measurement; see `explain estimate`"

/* clang-format off */
static const struct term terms[] = {
	{"after", "", "Of a patch: what the rules after it give for a pair of figures, or whether they flush.", "the run of a lane with the patch", RUN},
	{"agrees", "values", "Reported values that the model computes alike.", "count of the rows with that verdict", RUN},
	{"alignment", "bytes", "Alignment that a request asks for.", "as written, or CMA_MIN_ALIGNMENT_BYTES", "drivers/of/of_reserved_mem.c, __reserved_mem_alloc_size(), 6.12"},
	{"alloc", "", "Of a program of a scenario: order of the blocks that it allocates.", "as the scenario says", RUN},
	{"always", "", "Whether an assertion has to hold after each op of its scope, not only at its end.", "as the scenario says", RUN},
	{"area_pages", "pages", "Pages of a CMA area.", "as debugfs says", "mm/cma_debug.c, cma_debugfs_add_one(), 6.12"},
	{"as_reported", "", "Whether a limit is the one that a file reported.", "true while no setting that it follows from has changed", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"avg", "ns", "Average hold time of the zone lock.", "sum / count of the holds", ESTIMATE},
	{"base", "", "Address of a pool.", "as written, or where the kernel places it", "drivers/of/of_reserved_mem.c, 6.12"},
	{"before", "", "Of a patch: what the rules before it give for a pair of figures, or whether they flush.", "the run of a lane without the patch", RUN},
	{"beyond_spread", "", "Whether two lanes differ by more than the seeds of a lane do among themselves.", "as `compare --seeds` judges it", RUN},
	{"blocks", "blocks", "Blocks that the programs of the run handed over in the window of the estimate.", "allocations and frees that ended in it", ESTIMATE},
	{"blocks_drained", "blocks", "Of a trace: blocks that went from pagesets to the buddy.", "count of mm_page_pcpu_drain", RUN},
	{"boost", "pages", "Temporary rise of a zone's watermarks after fragmentation.", "as /proc/zoneinfo says", "mm/page_alloc.c, boost_watermark(), 6.12"},
	{"boosts", "boosts", "Watermark boosts after fragmentation events.", "count over the run", "mm/page_alloc.c, boost_watermark(), 6.12"},
	{"boot_pages", "pages", "Pages of a zone without its map of pages.", "as the boot log says", "mm/mm_init.c, free_area_init_core(), 6.12"},
	{"broken", "loads", "Loads of a hunt that a lane could not run to their end.", "count; they have no value", RUN},
	{"buildable", "", "Whether a kernel with these options can be built.", "every Kconfig and compile-time constraint holds", "mm/Kconfig and include/linux/mmzone.h, 6.16"},
	{"by_hand", "", "Whether the change was bound by hand and not by its code.", "as the command says", RUN},
	{"by_policy", "", "Whether a policy is in force at a decision point.", "false while the rule of the release is", RUN},
	{"certain", "", "Whether the base of a patch is the only release that it can be.", "true where the command gives it, the index line names the file of a release, or one release alone has the old side", RUN},
	{"class", "", "What a pool is to the kernel: cma, coherent, no-map, generic, or ignored.", "as its properties and the options of the kernel say", "drivers/of/of_reserved_mem.c and kernel/dma/contiguous.c, rmem_cma_setup(), 6.12"},
	{"cma_allocs", "ops", "Contiguous allocations that got their pages.", "count over the run", "mm/cma.c, cma_alloc(), 6.12"},
	{"cma_areas_max", "areas", "CMA areas that the kernel has slots for.", "MAX_CMA_AREAS", "include/linux/cma.h, MAX_CMA_AREAS, 6.12"},
	{"cma_areas_used", "areas", "CMA areas that the kernel sets up.", "accepted pools, the default area among them", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"cma_failed", "ops", "Contiguous allocations that failed.", "count over the run", "mm/cma.c, cma_alloc(), 6.12"},
	{"cma_free_kb", "KiB", "Free memory of all CMA areas: CmaFree.", "as /proc/meminfo says", "fs/proc/meminfo.c, meminfo_proc_show(), 6.12"},
	{"cma_total_bytes", "bytes", "Memory of all CMA areas: CmaTotal.", "sum of the accepted pools", "mm/cma.c, totalcma_pages, 6.12"},
	{"cma_total_kb", "KiB", "Memory of all CMA areas: CmaTotal.", "as /proc/meminfo says", "fs/proc/meminfo.c, meminfo_proc_show(), 6.12"},
	{"cma_tries", "tries", "Ranges that contiguous allocations tried.", "count over the run", "mm/cma.c, cma_alloc(), 6.12"},
	{"complete", "", "Whether the run came to its end.", "false after an interruption", RUN},
	{"computed", "", "What the model computes for a reported value.", "the value of that name under the reported inputs", RUN},
	{"contended", "1/1000", "Part of the zone-lock takes that had to wait.", "waits / takes x 1000", ESTIMATE},
	{"contended_percent", "percent", "Part of the zone-lock takes that had to wait.", "waits / takes", ESTIMATE},
	{"contended_permille", "1/1000", "Part of the zone-lock takes that had to wait.", "waits / takes x 1000", ESTIMATE},
	{"corrected_cma_total_bytes", "bytes", "CmaTotal when every pool asks for what it needs.", "sum of required_bytes", "mm/cma.c, totalcma_pages, 6.12"},
	{"counted", "pages", "Pages that the lists of a report add up to.", "sum of blocks << order", "mm/vmstat.c, frag_show_print(), 6.12"},
	{"counting_rule", "", "Which event refills of a trace are counted by.", "mm_page_pcpu_refill where the trace has it, else mm_page_alloc_zone_locked", RUN},
	{"default", "", "Whether the row is what the release takes by itself.", "the built-in value of the setting", "mm/Kconfig, PAGE_BLOCK_MAX_ORDER, 6.17"},
	{"default_area", "", "Whether the pool is the default CMA area.", "linux,cma-default, cma= or CONFIG_CMA_SIZE_*", "kernel/dma/contiguous.c, dma_contiguous_reserve(), 6.12"},
	{"differ", "", "Pairs of a scenario and a machine whose runs differ before and after a patch.", "count of the pairs with a first divergence", RUN},
	{"difference", "", "How far two lanes are apart in the metric of a hunt.", "larger total - smaller total, of the load that was shrunk", RUN},
	{"difference_found", "", "The same before the load was shrunk.", "larger total - smaller total, of the best load that was tried", RUN},
	{"differs", "values", "Reported values that the model computes otherwise, without a known reason.", "count of the rows with that verdict", RUN},
	{"digest", "", "A number for the whole state of the allocator after a run, in hexadecimal.", "the same ops and rules give the same digest on every machine", RUN},
	{"drained_unused", "blocks", "Of a trace: drained blocks that were refilled in it and not used in between.", "count", RUN},
	{"drains_alone", "drains", "Of a trace: runs of drains without a free before them.", "count", RUN},
	{"eff_high", "pages", "The limit that count was compared with on a free.", "high, or what pressure makes of it", "mm/page_alloc.c, nr_pcp_high(), 6.18"},
	{"elsewhere", "events", "Events of a trace that lie in other zones than the one replayed.", "count of those outside its page frames", RUN},
	{"events", "events", "Events of a trace that lie in a zone.", "count of those inside its page frames", RUN},
	{"events_backwards", "events", "Events of a trace that are earlier than one before them.", "count; the order of the lines is taken", RUN},
	{"explained", "values", "Reported values that differ for a reason that the report names.", "count of the rows with that verdict", RUN},
	{"fallbacks", "", "Fallbacks of an op.", "count", "mm/page_alloc.c, __rmqueue_claim(), 6.18"},
	{"final_buddy_free", "pages", "Free pages in the buddy after the last op.", "buddy_free at the end", "mm/page_alloc.c, NR_FREE_PAGES, 6.18"},
	{"final_count", "pages", "Pages on all pagesets after the last op.", "count of each CPU at the end, added up", "mm/page_alloc.c, struct per_cpu_pages, 6.18"},
	{"first_divergence", "", "The first op in which two runs differ.", "number of the op, from 1", RUN},
	{"first_divergence_line", "", "Line of the trace at which two lanes first differ; 0 = they never do.", "the line of that op", RUN},
	{"first_drain", "", "Of a CPU of a trace: the first drain that a free caused.", "null where there is none", RUN},
	{"flags", "", "Flags of a pageset: bit 0 PREV_FREE_HIGH_ORDER, bit 1 FREE_HIGH_BATCH.", "as the kernel has them", "include/linux/mmzone.h, PCPF_PREV_FREE_HIGH_ORDER, 6.18"},
	{"free", "pages", "Free pages of a zone.", "as /proc/zoneinfo says", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"free_cma", "pages", "Free pages of a zone that lie in CMA pageblocks.", "sum of blocks << order", "mm/page_alloc.c, NR_FREE_CMA_PAGES, 6.18"},
	{"from", "", "First op of a stretch.", "number of the op, from 1", RUN},
	{"from_patch", "", "Whether the base of a patch follows from the patch itself.", "false where the command gives it, or the patch does not tell", RUN},
	{"held", "", "Whether an assertion held.", "its expression over the metrics of its scope is not 0", RUN},
	{"helps", "scenarios", "Scenarios of a machine that a patch makes better.", "count of the pairs with verdict 1", RUN},
	{"high_max_pages", "pages", "high_max of all CPUs of a zone together: what its pagesets may park at most.", "high_max x CPUs", "mm/page_alloc.c, zone_highsize(), 6.18"},
	{"high_min_pages", "pages", "high_min of all CPUs of a zone together.", "high_min x CPUs", "mm/page_alloc.c, zone_highsize(), 6.18"},
	{"highatomic_unreserved", "pageblocks", "HIGHATOMIC pageblocks that were given back.", "count over the run", "mm/page_alloc.c, unreserve_highatomic_pageblock(), 6.12"},
	{"hold_ns.avg", "ns", "Average hold time of the zone lock.", "sum / count of the holds", ESTIMATE},
	{"hold_ns.max", "ns", "Longest hold of the zone lock.", "largest of the holds", ESTIMATE},
	{"huge_page_kb", "KiB", "Size of the default HugeTLB page.", "as /proc/meminfo says", "mm/hugetlb.c, hugetlb_report_meminfo(), 6.12"},
	{"hurts", "scenarios", "Scenarios of a machine that a patch makes worse.", "count of the pairs with verdict -1", RUN},
	{"idx", "", "Number of a record.", "ops are counted from 1", RUN},
	{"judged", "", "Of a score: refills and drains that could be judged. Of a zone: whether it was.", "those that depend on no unknown state", RUN},
	{"kernel_line", "", "Line of the kernel file that a change of a patch is at.", "counted from the header of its hunk", RUN},
	{"largest_aligned_hole_base", "", "Address of the largest free part that starts and ends at a multiple of the alignment.", "banks less reservations", "mm/memblock.c, memblock_find_in_range_node(), 6.12"},
	{"largest_aligned_hole_bytes", "bytes", "Its size.", "banks less reservations, in units of the alignment", "mm/memblock.c, memblock_find_in_range_node(), 6.12"},
	{"largest_free_run_pages", "pages", "Longest run of free pages in a CMA area.", "as debugfs says", "mm/cma_debug.c, cma_maxchunk_get(), 6.12"},
	{"legal_above_bytes", "bytes", "The nearest size above that an area may have.", "rounded up to CMA_MIN_ALIGNMENT_BYTES", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"legal_below_bytes", "bytes", "The nearest size below that an area may have.", "rounded down to CMA_MIN_ALIGNMENT_BYTES", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"lines", "lines", "Lines of a file that was read.", "count", RUN},
	{"lines_changed", "lines", "Lines that a patch adds or takes out.", "count over its hunks", RUN},
	{"lock", "", "Whether a constant of the estimate is spent inside the zone lock.", "as the table of constants says", ESTIMATE},
	{"lock_held", "1/1000", "Part of the window in which the zone lock was held.", "sum of the holds / window x 1000", ESTIMATE},
	{"lock_held_percent", "percent", "Part of the window in which the zone lock was held.", "sum of the holds / window", ESTIMATE},
	{"lock_held_permille", "1/1000", "Part of the window in which the zone lock was held.", "sum of the holds / window x 1000", ESTIMATE},
	{"loop", "", "Of a program of a scenario: how often its steps are done.", "as the scenario says", RUN},
	{"lost_events", "events", "Events that the recorder says it lost.", "as the trace says", RUN},
	{"low", "pages", "Low watermark of a zone.", "as /proc/zoneinfo says", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12"},
	{"max", "ns", "Longest hold of the zone lock.", "largest of the holds", ESTIMATE},
	{"max_count", "pages", "Largest count that any pageset had.", "maximum over ops and CPUs", "mm/page_alloc.c, struct per_cpu_pages, 6.18"},
	{"max_high", "pages", "Largest high that any pageset had.", "maximum over ops and CPUs", "mm/page_alloc.c, nr_pcp_high(), 6.18"},
	{"median", "", "Middle of the figures that the seeds of a lane gave.", "median over the seeds", RUN},
	{"mem_total_kb", "KiB", "Memory that the kernel manages in all.", "as /proc/meminfo says", "fs/proc/meminfo.c, meminfo_proc_show(), 6.12"},
	{"metric", "", "What a sweep or a hunt follows.", "as asked", RUN},
	{"min", "pages", "Min watermark of a zone.", "as /proc/zoneinfo says", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12"},
	{"min_free_kbytes_highest", "KiB", "Largest min_free_kbytes that gives the reported watermarks.", "watermarks solved for it", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12"},
	{"min_free_kbytes_lowest", "KiB", "Smallest min_free_kbytes that gives the reported watermarks.", "watermarks solved for it", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12"},
	{"model", "", "Refills or drains that the model does on the demand of a trace; of one event: its size.", "count, blocks or pages", RUN},
	{"model_size", "", "Blocks refilled or pages drained by the model on the demand of a trace.", "sum over its refills or drains", RUN},
	{"modelled", "", "Changes of a patch that are bound to a rule of the model.", "count", RUN},
	{"moved", "ops", "Allocations of a trace that another CPU reported than the one whose pageset gave the block.", "count", RUN},
	{"near", "", "Refills or drains on the right op, but of another number of blocks or pages, or of the right kind a little earlier or later: refills of the same size on the same list, drains in the same run of frees.", "count", RUN},
	{"next_down_bytes", "bytes", "The nearest size below that the pool may have.", "rounded down to CMA_MIN_ALIGNMENT_BYTES", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"next_up_bytes", "bytes", "The nearest size above that the pool may have.", "rounded up to CMA_MIN_ALIGNMENT_BYTES", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"no_room", "pools", "Pools for which there is no room.", "count", "mm/memblock.c, memblock_find_in_range_node(), 6.12"},
	{"node", "", "NUMA node of a zone.", "as the machine is laid out", "include/linux/mmzone.h, zone_to_nid(), 6.12"},
	{"node_cpus", "CPUs", "CPUs of a node.", "as the files show", "include/linux/cpumask.h, cpumask_of_node(), 6.12"},
	{"not_explained", "events", "Refills and drains of a trace that the model does not do alike.", "near + only_trace + only_model", RUN},
	{"not_modelled", "", "Places of a patch that the model has no rule for.", "count", RUN},
	{"not_understood", "lines", "Lines of a file that nobody takes.", "count; the report lists them", RUN},
	{"only_model", "", "Refills or drains of the model where the trace has none.", "count", RUN},
	{"only_trace", "", "Refills or drains of a trace that the model does not do.", "count", RUN},
	{"open_refills", "blocks", "Of a trace: blocks refilled for a request that has no event.", "count", RUN},
	{"ops_differ", "ops", "Ops on which a lane and the one before it differ.", "count", RUN},
	{"ops_left_out", "ops", "Ops that a comparison did not look at.", "count", RUN},
	{"order_inversions", "ops", "Ops that the estimate lets end in another order than the run has them.", "count", ESTIMATE},
	{"other_diff", "", "A file that is a diff of a kind that is not read.", "null where it is not one", RUN},
	{"pageblocks_cma", "pageblocks", "Pageblocks that are CMA.", "CMA areas / pageblock", "mm/cma.c, cma_activate_area(), 6.12"},
	{"pageblocks_left", "pageblocks", "Pageblocks that can hold unmovable and reclaimable memory.", "those of the banks that are neither CMA nor reserved as a whole", "mm/page_alloc.c, fallbacks[], 6.12"},
	{"pages_drained_alone", "pages", "Of a trace: pages that a drain without a free before it gave back.", "sum", RUN},
	{"pages_migrated", "pages", "Pages that contiguous allocations moved away.", "count over the run", "mm/page_alloc.c, alloc_contig_range(), 6.12"},
	{"parked_pages", "pages", "Pages on all pagesets of a zone.", "counts of its CPUs, added up", "mm/page_alloc.c, struct per_cpu_pages, 6.18"},
	{"part", "", "Number of a mail in its series of patches.", "as its subject says: PATCH 2/5 is part 2", RUN},
	{"parts", "mails", "Mails of a series of patches.", "as the subject says: PATCH 2/5 has 5 parts", RUN},
	{"patch_version", "", "Version of a mailed patch.", "as the subject says: PATCH v3 is 3", RUN},
	{"pfn", "", "First page frame of a block.", "as the buddy gave it", "include/linux/mm.h, page_to_pfn(), 6.12"},
	{"phase", "", "The phase of a scenario that an assertion is about.", "as the scenario says; null for the whole run", RUN},
	{"placement", "", "Whether memory was found for a pool: placed, no-room, or unknown without memory banks.", "where memblock finds room, or at the address that is asked for", "mm/memblock.c, memblock_find_in_range_node(), 6.12"},
	{"pool_bytes", "bytes", "Size of the example pool.", "pool_size, or --size", RUN},
	{"promo", "pages", "Promo watermark of a zone.", "as /proc/zoneinfo says", "mm/page_alloc.c, __setup_per_zone_wmarks(), 6.12"},
	{"questions", "", "Questions of a lesson.", "count of its steps that ask", RUN},
	{"quoted", "levels", "How deep the patch is quoted in its mail.", "count of the > before its lines", RUN},
	{"range_bytes", "bytes", "Width of a zone or of a range of memory.", "as the boot log says", "mm/mm_init.c, free_area_init(), 6.12"},
	{"reason_code", "", "Why a pool is judged as it is, in one word.", "the rule that decided", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"reclaimed", "pages", "Pages that reclaim brought back to a zone.", "count over the run", "mm/vmscan.c, balance_pgdat(), 6.12"},
	{"refill_got", "blocks", "Blocks that the refills of an op got.", "count", "mm/page_alloc.c, rmqueue_bulk(), 6.18"},
	{"refill_req", "blocks", "Blocks that the refills of an op asked for.", "nr_pcp_alloc()", "mm/page_alloc.c, nr_pcp_alloc(), 6.18"},
	{"refused", "", "Pools that the kernel refuses; of a run: requests that a watermark refused.", "count", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"relative_throughput", "1/1000", "Work done per time, compared with the first lane.", "relative_throughput_permille of the lane / that of the first x 1000", ESTIMATE},
	{"relative_throughput_percent", "percent", "Work done per time, compared with the same ops without any waiting.", "time of the ops alone / window", ESTIMATE},
	{"relative_throughput_permille", "1/1000", "Work done per time, compared with the same ops without any waiting.", "time of the ops alone / window x 1000", ESTIMATE},
	{"reported", "", "What a kernel reported.", "as the file says", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"reported_permille", "1/1000", "A published score beside which the estimate of a lane stands.", "as the scenario quotes it", RUN},
	{"requested_bytes", "bytes", "Bytes that a request asks for.", "as written", "drivers/of/of_reserved_mem.c, __reserved_mem_alloc_size(), 6.12"},
	{"required_base", "", "Address that a pool has to have to be accepted.", "its address rounded down to CMA_MIN_ALIGNMENT_BYTES", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"required_bytes", "bytes", "Bytes that a pool has to ask for to be accepted.", "all units of CMA_MIN_ALIGNMENT_BYTES that it touches", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"rounds", "rounds", "Rounds of a sweep.", "as asked", RUN},
	{"rule_of", "", "The releases whose rule the old side of a patch is.", "as `list decision-points` names them", RUN},
	{"same", "", "Refills or drains that the model does on the same op with the same size.", "count", RUN},
	{"saturated", "", "What a run of the estimate is full of: the work itself, the zone lock, or the link.", "the one that leaves no time over", ESTIMATE},
	{"score", "1/1000", "Refills and drains of a trace that the model does on the same op with the same size.", "same / judged x 1000; null where nothing can be judged", RUN},
	{"score_permille", "1/1000", "Blocks allocated per time, compared with the first lane.", "blocks per time of the lane / those of the first x 1000", ESTIMATE},
	{"seeds", "seeds", "Seeds that a comparison ran.", "as asked", RUN},
	{"severity", "", "error cannot be built or is refused, warning works but not as one may think, note explains.", "of the diagnostic code", RUN},
	{"short", "", "Whether the short form of a scenario ran.", "as asked", RUN},
	{"slack_bytes", "bytes", "Room that is left where a pool was looked for.", "largest free part of its window - size, 0 when it does not fit; null where no room was looked for", "mm/memblock.c, memblock_find_in_range_node(), 6.12"},
	{"spanned", "pages", "Pages of a zone with its holes.", "as /proc/zoneinfo says", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"sqrt_kbytes", "KiB", "The square-root term of min_free_kbytes.", "isqrt(16 x KiB of low memory), 128 to 262144", "mm/page_alloc.c, calculate_min_free_kbytes(), 6.12"},
	{"start_ops", "ops", "Ops that bring a zone to the state in which a trace starts.", "count; they are no demand", RUN},
	{"start_pfn", "", "First page frame of a zone.", "as /proc/zoneinfo says", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"stat_threshold", "pages", "Change of a counter of the zone that a CPU keeps to itself before it is added to the zone.", "2 x fls(CPUs) x (1 + fls(managed in units of 128 MiB)), at most 125", "mm/vmstat.c, calculate_normal_threshold(), 6.12"},
	{"step", "", "Number of a step of a lesson, from 1.", "as the lesson has them", RUN},
	{"steps", "", "Steps of a lesson.", "count", RUN},
	{"stretches", "", "Stretches of ops in which two lanes differ.", "count", RUN},
	{"sum", "ns", "All hold times of the zone lock.", "sum of the holds", ESTIMATE},
	{"taken_as_read", "values", "Reported values that are inputs of the model.", "count of the rows with that verdict", RUN},
	{"taken_bytes", "bytes", "Bytes that the accepted pools take.", "sum of their sizes", "mm/memblock.c, memblock_reserve(), 6.12"},
	{"thp_cap_kbytes", "KiB", "The cap on khugepaged's recommendation.", "5 % of the free buffer pages", "mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12"},
	{"thp_kbytes", "KiB", "khugepaged's recommendation for min_free_kbytes before its cap.", "11 pageblocks for each zone", "mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12"},
	{"throughput_to_first_permille", "1/1000", "Work done per time, compared with the first lane.", "relative_throughput_permille of the lane / that of the first x 1000", ESTIMATE},
	{"ticks", "ticks", "Of a trace: refreshes of a pageset inferred from its clock.", "count", RUN},
	{"ticks_phase_from", "", "What tells when those refreshes were: a kworker's drain, trying (the one that explains most), or nothing but the first event.", "as found", RUN},
	{"ticks_phase_ns", "ns", "Of a trace: how far into each second of its clock refreshes are taken to be.", "mm/vmstat.c, vmstat_update(), round_jiffies_relative()", RUN},
	{"time_lost", "1/1000", "Part of the time that a lane loses by waiting.", "1000 - relative_throughput_permille", ESTIMATE},
	{"timed", "", "Whether virtual time, not the scenario, ordered the ops of the CPUs.", "as asked", RUN},
	{"to", "", "Last op of a stretch.", "number of the op, from 1", RUN},
	{"to_free", "pages", "Pages that a free decided to release.", "nr_pcp_free()", "mm/page_alloc.c, nr_pcp_free(), 6.18"},
	{"total_requested_bytes", "bytes", "Bytes that all pools ask for.", "sum of requested_bytes", "mm/cma.c, totalcma_pages, 6.12"},
	{"total_required_bytes", "bytes", "Bytes that all pools take when each asks for what it needs.", "sum of required_bytes", "mm/cma.c, totalcma_pages, 6.12"},
	{"trace", "", "Refills or drains that a trace shows; of one event: its size.", "count, blocks or pages", RUN},
	{"trace_size", "", "Blocks refilled or pages drained that a trace shows.", "sum over its refills or drains", RUN},
	{"tries", "loads", "Loads that a hunt ran in both lanes.", "count", RUN},
	{"unknown", "", "Refills or drains that depend on a state that the trace does not tell.", "count; they are not judged", RUN},
	{"unrecorded", "pages", "Of a trace without any event of a refill: pages that came from pagesets, where they are more than those can hold.", "count", RUN},
	{"unseen_frees", "blocks", "Of a trace: blocks allocated again without a free in between.", "count", RUN},
	{"unseen_refills", "blocks", "Of a trace: blocks that came to an empty list without an event.", "count", RUN},
	{"unseen_takes", "blocks", "Of a trace: blocks that left a pageset without an event, as bulk allocation does.", "count", RUN},
	{"used_pages", "pages", "Pages of a CMA area in use.", "as debugfs says", "mm/cma_debug.c, cma_used_get(), 6.12"},
	{"verdict", "", "Whether a patch makes a pair better (1), worse (-1) or neither (0).", "by estimated throughput from half a percent on, else by zone-lock takes", RUN},
	{"wait_ns.avg", "ns", "Average wait for the zone lock.", "sum / count of the waits", ESTIMATE},
	{"wait_ns.max", "ns", "Longest wait for the zone lock.", "largest of the waits", ESTIMATE},
	{"waste_bytes", "bytes", "Bytes that a pool takes beyond what it asks for.", "required_bytes - requested_bytes", "mm/cma.c, cma_init_reserved_mem(), 6.12"},
	{"window_ns", "ns", "Virtual time that the estimate covers.", "end of the last op that counts - start of the first", ESTIMATE},
	{"winner", "", "Which term decides min_free_kbytes.", "max(square-root term, min(11 pageblocks a zone, 5 % cap)), or as set", "mm/page_alloc.c, calculate_min_free_kbytes(), 6.12"},
	{"zone_lock_takes", "takes", "Zone-lock takes in the window of the estimate.", "count", ESTIMATE},
	{"zones_arch", "", "Architecture of the machine that reported the zones of a profile.", "as the files show", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
	{"zones_inferred", "zones", "How many zones a stated min_free_kbytes would be khugepaged's recommendation for.", "min_free_kbytes / 11 pageblocks; null where that is no whole number", "mm/khugepaged.c, set_recommended_min_free_kbytes(), 6.12"},
	{"zones_page_size", "bytes", "Page size that the figures of a profile's zones are counted in.", "as the files show", "mm/vmstat.c, zoneinfo_show_print(), 6.12"},
};
/* clang-format on */

#define NR_TERMS (sizeof(terms) / sizeof(terms[0]))

size_t term_count(void)
{
	return NR_TERMS;
}

const struct term *term_at(size_t i)
{
	return i < NR_TERMS ? &terms[i] : NULL;
}

/* How a metric follows a run. */
static const char *made_of(enum zl_metric_kind kind)
{
	switch (kind) {
	case ZL_METRIC_TOTAL:
		return "counted op by op from the start of the run (of an assertion: of its scope)";
	case ZL_METRIC_PCP:
		return "of the running CPU's pageset after the op; pcp[N].NAME is that of CPU N";
	case ZL_METRIC_ZONE:
	case ZL_METRIC_BUDDY:
	case ZL_METRIC_PAGEBLOCK:
		return "of the zone after the op";
	case ZL_METRIC_OP:
		return "of the last op";
	case ZL_METRIC_SYSTEM:
		return "counted from the start of a run in all zones; 0 where one zone runs alone";
	case ZL_METRIC_CONFIG:
		return "of the zone as it was made";
	case ZL_METRIC_SPECIAL:
		return "followed over the scope";
	}
	return "";
}

void term_of_metric(size_t i, struct term *ret)
{
	const struct zl_metric_info *m = zl_metric_info(i);

	*ret = (struct term){.name = m->name,
		.unit = m->unit,
		.definition = m->help,
		.made = made_of(m->kind),
		.source = RUN};
}

bool term_find(const char *name, struct term *ret)
{
	for (size_t i = 0; i < NR_TERMS; i++) {
		if (strcmp(terms[i].name, name) == 0) {
			*ret = terms[i];
			return true;
		}
	}
	const size_t metric = zl_metric_find(name);
	if (metric == SIZE_MAX) {
		return false;
	}
	term_of_metric(metric, ret);
	return true;
}
