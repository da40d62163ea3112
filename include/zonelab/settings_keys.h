/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of settings: id, key, type, when the kernel can change it, unit, min, max, words, aliases, default rule, help. */
/* No include guard: expanded by its includers with their own ZL_SETTING. */

ZL_SETTING(ARCH, "arch", ZL_TYPE_WORD, BUILD, "", 0, 0,
	"arm64 arm x86_64 i386 riscv64 riscv32 s390x powerpc64 powerpc loongarch mips sparc64 "
	"sparc "
	"sh m68k xtensa arc nios2 csky parisc hexagon microblaze openrisc alpha",
	"architecture", "arm64", "Architecture, by its kernel name")
ZL_SETTING(KERNEL, "kernel", ZL_TYPE_RELEASE, BOOT, "", 0, 0, "", "release version", "6.18.2",
	"Kernel release: X.Y, X.Y.Z or X.Y-rcN, or a uname string")
ZL_SETTING(PAGE_SIZE, "page_size", ZL_TYPE_BYTES, BUILD, "KiB", 4096, 262144, "", "pagesize",
	"the smallest page size of the architecture", "Base page size")
ZL_SETTING(MAX_PAGE_ORDER, "max_page_order", ZL_TYPE_COUNT, BUILD, "order", 0, 63, "",
	"max_order arch_force_max_order", "by architecture and page size",
	"Largest buddy order, always inclusive (10 = eleven lists)")
ZL_SETTING(PAGE_BLOCK_ORDER, "page_block_order", ZL_TYPE_COUNT, BUILD, "order", 0, 63, "",
	"page_block_max_order", "max_page_order, or 10 where the architecture sets none",
	"Kconfig's cap on pageblock_order (6.16+), not its value")
ZL_SETTING(THP, "thp", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "transparent_hugepage",
	"on where the architecture has it", "CONFIG_TRANSPARENT_HUGEPAGE, the build option")
ZL_SETTING(HUGETLB, "hugetlb", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "hugetlbfs hugetlb_page",
	"on where the architecture has it", "CONFIG_HUGETLB_PAGE, the build option")
ZL_SETTING(HUGE_PAGE_SIZE, "huge_page_size", ZL_TYPE_BYTES, BOOT, "bytes", 4096, 1099511627776, "",
	"", "by architecture",
	"Default HugeTLB page size where there is a choice (sh, powerpc, arc)")
ZL_SETTING(CMA, "cma", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "", "on", "CONFIG_CMA, the build option")
ZL_SETTING(DMA_CMA, "dma_cma", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "",
	"cma, where the architecture has DMA_CMA",
	"CONFIG_DMA_CMA: device-tree pools, cma=, CMA_SIZE_*")
ZL_SETTING(CMA_AREAS, "cma_areas", ZL_TYPE_COUNT, BUILD, "areas", 1, 1000, "", "",
	"7 or 19 (NUMA) before 6.9, then 8 or 20", "CONFIG_CMA_AREAS")
ZL_SETTING(CMA_SIZE, "cma_size", ZL_TYPE_BYTES, BOOT, "bytes", 0, 1125899906842624, "", "",
	"16 MiB, 0 on x86",
	"Size of the default CMA area from Kconfig (CMA_SIZE_*), before rounding")
ZL_SETTING(CMDLINE, "cmdline", ZL_TYPE_TEXT, BOOT, "", 0, 0, "", "", "empty", "Kernel command line")
ZL_SETTING(MEMORY, "memory", ZL_TYPE_BYTES, BOOT, "bytes", 1048576, 4503599627370496, "", "mem",
	"4 GiB", "Memory of the machine, split evenly over nodes")
ZL_SETTING(MEMORY_BASE, "memory_base", ZL_TYPE_BYTES, BOOT, "bytes", 0, 4503599627370496, "", "",
	"0x40000000 on arm64, else 0", "Physical address of the first byte of memory")
ZL_SETTING(NODES, "nodes", ZL_TYPE_COUNT, BOOT, "nodes", 1, 64, "", "", "1", "NUMA nodes")
ZL_SETTING(CPUS, "cpus", ZL_TYPE_COUNT, HOTPLUG, "CPUs", 1, 8192, "", "", "8",
	"CPUs of the machine, split evenly over nodes")
ZL_SETTING(ZONES, "zones", ZL_TYPE_TEXT, BOOT, "", 0, 0, "", "", "one zone per node",
	"Zones: auto, or NAME:SIZE,NAME:SIZE,... for each node")
ZL_SETTING(SMP, "smp", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "", "on", "CONFIG_SMP")
ZL_SETTING(NUMA, "numa", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "", "on with more than one node",
	"CONFIG_NUMA")
ZL_SETTING(MMU, "mmu", ZL_TYPE_WORD, BUILD, "", 0, 0, "on off radix hash", "",
	"on (radix on powerpc64)", "MMU: on, off (no-MMU kernels), or radix and hash on powerpc64")
ZL_SETTING(
	LPAE, "lpae", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "arm_lpae", "on", "CONFIG_ARM_LPAE (arm)")
ZL_SETTING(PAE, "pae", ZL_TYPE_BOOL, BUILD, "", 0, 1, "", "x86_pae", "on", "CONFIG_X86_PAE (i386)")
ZL_SETTING(BATCH_SCALE_MAX, "pcp_batch_scale_max", ZL_TYPE_COUNT, BUILD, "", 0, 6, "",
	"scale_max batch_scale_max", "5",
	"CONFIG_PCP_BATCH_SCALE_MAX: the ceiling is batch << this")
ZL_SETTING(HIGH_FRACTION, "percpu_pagelist_high_fraction", ZL_TYPE_COUNT, SYSCTL, "", 0, 2147483647,
	"", "high_fraction", "0", "vm.percpu_pagelist_high_fraction: 0 = off, otherwise at least 8")
ZL_SETTING(MIN_FREE_KBYTES, "min_free_kbytes", ZL_TYPE_COUNT, SYSCTL, "KiB", 0, 2147483647, "", "",
	"computed", "vm.min_free_kbytes as set by the user")
ZL_SETTING(WATERMARK_SCALE_FACTOR, "watermark_scale_factor", ZL_TYPE_COUNT, SYSCTL, "1/10000", 1,
	3000, "", "scale_factor", "10", "vm.watermark_scale_factor")
ZL_SETTING(WATERMARK_BOOST_FACTOR, "watermark_boost_factor", ZL_TYPE_COUNT, SYSCTL, "1/10000", 0,
	2147483647, "", "boost_factor", "15000", "vm.watermark_boost_factor")
ZL_SETTING(LOWMEM_RESERVE_RATIO, "lowmem_reserve_ratio", ZL_TYPE_TEXT, SYSCTL, "", 0, 0, "", "",
	"256 256 32 0 0", "vm.lowmem_reserve_ratio")
ZL_SETTING(THP_ENABLED, "thp_enabled", ZL_TYPE_WORD, SYSCTL, "", 0, 0, "always madvise never", "",
	"always, never below 512 MiB of memory",
	"Run-time state of PMD-sized THP; always and madvise raise min_free_kbytes")
ZL_SETTING(CACHE_SLICE, "cache_slice", ZL_TYPE_BYTES, BOOT, "bytes", 0, 1099511627776, "", "",
	"0 (unknown)", "Last-level cache bytes per CPU; above 3 batches it sets FREE_HIGH_BATCH")
ZL_SETTING(BATCH, "batch", ZL_TYPE_COUNT, NONE, "pages", 1, 65535, "", "", "computed per zone",
	"What-if: the pageset batch")
ZL_SETTING(HIGH_MIN, "high_min", ZL_TYPE_COUNT, NONE, "pages", 0, 2147483647, "", "high",
	"computed per zone", "What-if: lower end of the tuned high (the high of the A designs)")
ZL_SETTING(HIGH_MAX, "high_max", ZL_TYPE_COUNT, NONE, "pages", 0, 2147483647, "", "",
	"computed per zone", "What-if: upper end of the tuned high")
ZL_SETTING(POOL_SIZE, "pool_size", ZL_TYPE_BYTES, NONE, "bytes", 1, 1125899906842624, "", "size",
	"4 MiB", "Size of the example CMA pool on the Geometry screen")
ZL_SETTING(SEED, "seed", ZL_TYPE_TEXT, NONE, "", 0, 0, "", "", "1", "Seed of the random generator")
ZL_SETTING(LOCK_COST_PERCENT, "lock_cost_percent", ZL_TYPE_COUNT, NONE, "percent", 0, 100000, "",
	"", "100", "Model estimate: factor on all costs of the zone lock (400 = EPYC guest)")
ZL_SETTING(HIT_NS, "hit_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "28",
	"Model estimate: an allocation or free on the pageset, outside the lock")
ZL_SETTING(TAKE_NS, "take_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "25",
	"Model estimate: a block taken from the buddy, under the zone lock")
ZL_SETTING(GIVE_NS, "give_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "33",
	"Model estimate: a block given to the buddy, under the zone lock")
ZL_SETTING(HOLD_NS, "hold_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "550",
	"Model estimate: what each hold of the zone lock costs beside its blocks")
ZL_SETTING(LOCK_NS, "lock_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "10",
	"Model estimate: taking and releasing a lock that is near and free")
ZL_SETTING(LLC_NS, "llc_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "19",
	"Model estimate: a cache line from a CPU that shares the last-level cache")
ZL_SETTING(LINE_NS, "line_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "80",
	"Model estimate: a cache line from another CPU of the node, or from memory")
ZL_SETTING(NODE_NS, "node_ns", ZL_TYPE_COUNT, NONE, "ns", 0, 1000000, "", "", "200",
	"Model estimate: a cache line from another node")
ZL_SETTING(HANDOVER_LINES, "handover_lines", ZL_TYPE_COUNT, NONE, "lines", 0, 1000, "", "", "2",
	"Model estimate: cache lines that move when a waiting CPU gets the lock")
ZL_SETTING(MERGE_LINES, "merge_lines", ZL_TYPE_COUNT, NONE, "lines", 0, 1000, "", "", "1",
	"Model estimate: cache lines that a merge of order 1 and above fetches")
ZL_SETTING(CPUS_PER_CACHE, "cpus_per_cache", ZL_TYPE_COUNT, NONE, "CPUs", 1, 8192, "", "", "16",
	"Model estimate: neighbouring CPUs that share a last-level cache")
