/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The diagnostics: id, code as printed in JSON, what it means. Sorted by id within a group. */
/* No include guard: expanded by its includers with their own ZL_DIAG. */

/* releases */
ZL_DIAG(RELEASE_NEWER, "release-newer",
	"the release is above the newest known one; the newest rules are used")
ZL_DIAG(RELEASE_OLDER, "release-older", "the release is below 5.14; pagesets are not modelled")
ZL_DIAG(RELEASE_BACKPORT, "release-backport",
	"a stable release between two observed patch levels; the newer behaviour is assumed")
ZL_DIAG(RELEASE_ABI, "release-abi",
	"the third number may be a distribution's ABI number; the newest row of the series is used")
ZL_DIAG(RELEASE_ASSUMED, "release-assumed", "no release was given; one was assumed")
ZL_DIAG(PAGE_SIZE_ASSUMED, "page-size-assumed", "no page size was given; one was assumed")
ZL_DIAG(ARCH_ASSUMED, "arch-assumed", "no architecture was given; one was assumed")
/* geometry */
ZL_DIAG(BLOCK_ORDER_ABOVE_MAX, "block-order-above-max",
	"PAGE_BLOCK_(MAX_)ORDER above MAX_PAGE_ORDER does not build")
ZL_DIAG(BLOCK_ORDER_RANGE, "block-order-range",
	"PAGE_BLOCK_(MAX_)ORDER is outside its Kconfig range")
ZL_DIAG(BLOCK_ORDER_ABSENT, "block-order-absent", "this release has no PAGE_BLOCK_(MAX_)ORDER")
ZL_DIAG(BLOCK_ORDER_EFFECTIVE, "block-order-effective",
	"the symbol is an upper limit; the effective pageblock_order is lower")
ZL_DIAG(BLOCK_BELOW_HUGE, "block-below-huge",
	"pageblock_order below the huge page order makes huge pages rarer")
ZL_DIAG(HIGH_ORDER_UNCLAMPED, "pageblock-above-max",
	"before 5.18 pageblock_order is not clamped by MAX_ORDER")
ZL_DIAG(MAX_ORDER_EXCLUSIVE, "max-order-exclusive",
	"this release writes the maximum order exclusively, one more than the inclusive order")
ZL_DIAG(MAX_ORDER_PROMPT, "max-order-prompt",
	"the maximum order has no prompt here; changing it needs a changed Kconfig")
ZL_DIAG(MAX_ORDER_RANGE, "max-order-range", "the maximum order is outside its Kconfig range")
ZL_DIAG(MAX_ORDER_SYMBOL, "max-order-symbol",
	"this architecture has no symbol for the maximum order")
ZL_DIAG(SECTION_SIZE, "section-size",
	"MAX_PAGE_ORDER + PAGE_SHIFT above SECTION_SIZE_BITS does not build")
ZL_DIAG(THP_ORDER, "thp-order", "HPAGE_PMD_ORDER above MAX_PAGE_ORDER does not build")
ZL_DIAG(THP_UNSUPPORTED, "thp-unsupported",
	"this architecture has no transparent huge pages at this page size")
ZL_DIAG(HUGETLB_UNSUPPORTED, "hugetlb-unsupported",
	"this architecture has no HugeTLB pages at this page size")
ZL_DIAG(HUGETLB_VARIABLE, "hugetlb-variable",
	"the default huge page size is found at boot; pageblock_order is set then")
ZL_DIAG(DMA_CMA_UNSUPPORTED, "dma-cma-unsupported",
	"this architecture has no CONFIG_DMA_CMA: no CMA nodes, no cma=")
ZL_DIAG(PAGE_SIZE_UNSUPPORTED, "page-size-unsupported", "this architecture has no such page size")
ZL_DIAG(ARCH_UNSUPPORTED, "arch-unsupported", "the architecture did not exist in this release")
ZL_DIAG(SETTING_IGNORED, "setting-ignored", "the setting has no effect on this machine")
ZL_DIAG(SETTING_RANGE, "setting-range", "the value is outside what the kernel accepts")
/* zones */
ZL_DIAG(IDEALISED, "idealised",
	"no profile or import: managed = present = memory, one zone per node")
ZL_DIAG(FREE_HIGH_UNREACHABLE, "free-high-unreachable",
	"the threshold lies above the ceiling of free_count: free_high never fires")
ZL_DIAG(FREE_HIGH_ABSENT, "free-high-absent", "this design has no free_high")
ZL_DIAG(NO_PAGESETS, "no-pagesets", "this kernel keeps no pages on pagesets")
ZL_DIAG(MIN_FREE_CAPPED, "min-free-capped",
	"the recommended min_free_kbytes is capped at 5 % of low memory")
ZL_DIAG(MIN_FREE_RAISED, "min-free-raised",
	"khugepaged raises min_free_kbytes above the value that was set")
ZL_DIAG(MIN_FREE_KEPT, "min-free-kept",
	"the user's min_free_kbytes is kept although the computed value is different")
ZL_DIAG(GROUPING_OFF, "grouping-off", "mobility grouping is off: every request counts as unmovable")
ZL_DIAG(CMA_DEAD, "cma-dead",
	"with mobility grouping off CMA memory is used by nobody but cma_alloc")
ZL_DIAG(HIGHATOMIC_NONE, "highatomic-none",
	"one percent of the zone is below one pageblock: no HIGHATOMIC reserve")
/* policies */
ZL_DIAG(POLICY, "policy", "a rule of the release is replaced by a policy")
ZL_DIAG(POLICY_UNUSED, "policy-unused", "the release has no such decision point")
ZL_DIAG(POLICY_NAME, "policy-name", "a policy uses a figure that the design does not keep")
ZL_DIAG(POLICY_FAILED, "policy-failed",
	"a policy has no value here (overflow, division by zero, out of range); the rule of the "
	"release is used")
/* imports */
ZL_DIAG(IMPORT_ASSUMED, "import-assumed", "what files leave open was assumed")
ZL_DIAG(IMPORT_CMDLINE, "import-cmdline", "a parameter of the command line is not what it seems")
ZL_DIAG(IMPORT_LAYOUT, "import-layout", "the layout of a file says something about its origin")
ZL_DIAG(IMPORT_RELEASE, "import-release", "the release does not fit the files")
ZL_DIAG(IMPORT_TOPOLOGY, "import-topology",
	"which CPUs belong to which node is not known; they are split evenly")
ZL_DIAG(IMPORT_VALUE, "import-value", "a value of a file could not be used")
/* reservations */
ZL_DIAG(RESERVED_FORMAT, "reserved-format",
	"/reserved-memory lacks ranges or has other cells than the root: all of it is ignored")
ZL_DIAG(CELL_COUNT, "cell-count", "a value has the wrong number of cells: the node is skipped")
ZL_DIAG(SIZE_BESIDE_REG, "size-beside-reg", "size is ignored in a node with reg")
ZL_DIAG(ALIGNMENT_BESIDE_REG, "alignment-beside-reg",
	"alignment and alloc-ranges have no effect in a node with reg")
ZL_DIAG(REG_ENTRIES, "reg-entries", "only the first entry of reg becomes a pool")
ZL_DIAG(ALIGNMENT_POWER, "alignment-power", "alignment should be a power of two")
ZL_DIAG(UNIT_ADDRESS, "unit-address", "the unit address of a node is not the address in its reg")
ZL_DIAG(NOT_REUSABLE, "not-reusable", "without reusable a shared-dma-pool is no CMA area")
ZL_DIAG(UNKNOWN_VALUE, "unknown-value", "a value hangs on something outside of the text")
ZL_DIAG(POOL_REFUSED, "pool-refused", "the kernel refuses the pool")
ZL_DIAG(POOL_NO_ROOM, "pool-no-room", "no hole in memory takes the pool")
ZL_DIAG(POOL_BYPASSED, "pool-bypassed", "another source of the default area wins")
ZL_DIAG(POOL_OVERLAP, "pool-overlap", "two regions share memory")
ZL_DIAG(POOL_TOUCHES, "pool-touches", "two regions are neighbours without a gap")
ZL_DIAG(POOL_SLACK, "pool-slack", "the window of alloc-ranges leaves the pool little or no slack")
ZL_DIAG(POOL_BLOCKED, "pool-blocked", "reservations lie in the window of alloc-ranges")
ZL_DIAG(POOL_LOG_SIZE, "pool-log-size", "the boot log prints another size than is taken")
ZL_DIAG(POOL_LIMIT, "pool-limit", "more requests than are read")
ZL_DIAG(PLACEMENT_UNKNOWN, "placement-unknown",
	"no memory banks are known: alignment is judged, placement is not")
ZL_DIAG(PLACEMENT_PARTIAL, "placement-partial",
	"what the kernel and the firmware reserve themselves is not in the files")
ZL_DIAG(GEOMETRY_PASSES, "geometry-passes",
	"alignment and size pass; what is not checked is listed")
ZL_DIAG(DEFAULT_AREA, "default-area", "where the default CMA area comes from")
ZL_DIAG(AREAS_LEFT, "areas-left", "CMA areas used, of MAX_CMA_AREAS")
ZL_DIAG(LOG_CONTRADICTS, "log-contradicts", "a boot log says something else than the model")
ZL_DIAG(LOG_REVEALS, "log-reveals", "what a boot log tells about the kernel's settings")
ZL_DIAG(SOURCE_SKIPPED, "source-skipped", "part of a device-tree source was not read")
ZL_DIAG(SOURCE_MISSING, "source-missing", "an include or macro is not resolved")
ZL_DIAG(BLOCK_ORDER_FITS, "block-order-fits", "a lower PAGE_BLOCK_(MAX_)ORDER makes pools fit")
/* scenarios */
ZL_DIAG(TEXT_CLEANED, "text-cleaned", "control characters in texts of a scenario are left out")
ZL_DIAG(CPU_WRAPPED, "cpu-wrapped", "a scenario names more CPUs than the machine has")
