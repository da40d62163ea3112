/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel releases and everything that depends on them. The table in src/model/releases.c is the
 * only version logic of the program: it turns a release into switches once, everybody else reads
 * the switches.
 */
#ifndef ZONELAB_RELEASE_H
#define ZONELAB_RELEASE_H

#include "zonelab/types.h"

struct zl_diags;

/** A parsed release. X.Y is X.Y.0; -rcN sorts before X.Y.0. */
struct zl_release {
	uint16_t major;
	uint16_t minor;
	uint16_t patch;
	uint16_t rc;	  /* 0 = not a release candidate */
	bool patch_known; /* false where the third number may be an ABI number */
	char display[64]; /* as given, control characters removed */
};

/** Designs of pcp behaviour: one generation each. */
enum zl_design_id {
	ZL_DESIGN_NONE, /* below 5.14 */
	ZL_DESIGN_A514,
	ZL_DESIGN_A,
	ZL_DESIGN_A_CAP,
	ZL_DESIGN_B,
	ZL_DESIGN_C,
	ZL_DESIGN_D19,
	ZL_DESIGN_D71,
	ZL_DESIGN_COUNT
};

enum zl_thp_order_rule { ZL_THP_ORDER_PAGEBLOCK, ZL_THP_ORDER_HPAGE_PMD };
enum zl_pcp_lock { ZL_PCP_LOCAL_LOCK, ZL_PCP_TRYLOCK };
enum zl_full_drain { ZL_FULL_DRAIN_WHOLE, ZL_FULL_DRAIN_PIECES };
enum zl_drain_order { ZL_DRAIN_ROUND_ROBIN, ZL_DRAIN_FROM_FREED };
enum zl_drain_type { ZL_DRAIN_REMEMBERED, ZL_DRAIN_PAGEBLOCK };
enum zl_clamp_rule { ZL_CLAMP_MIN_MAX, ZL_CLAMP_HI_FIRST };
enum zl_fallback_form { ZL_FALLBACK_A, ZL_FALLBACK_B, ZL_FALLBACK_C };
enum zl_merge_retag { ZL_RETAG_NONE, ZL_RETAG_FIRST, ZL_RETAG_ALL };
enum zl_highatomic_rule { ZL_HIGHATOMIC_ONE_MORE, ZL_HIGHATOMIC_ROUNDED };
enum zl_max_order_symbol {
	ZL_MAX_ORDER_FORCE_ZONEORDER, /* FORCE_MAX_ZONEORDER, exclusive */
	ZL_MAX_ORDER_ARCH_EXCLUSIVE,  /* ARCH_FORCE_MAX_ORDER, exclusive */
	ZL_MAX_ORDER_ARCH_INCLUSIVE,  /* ARCH_FORCE_MAX_ORDER, MAX_ORDER inclusive */
	ZL_MAX_ORDER_PAGE_ORDER	      /* the same, renamed MAX_PAGE_ORDER */
};
enum zl_block_symbol { ZL_BLOCK_SYMBOL_NONE, ZL_BLOCK_SYMBOL_ORDER, ZL_BLOCK_SYMBOL_MAX_ORDER };
enum zl_cma_alignment_rule {
	ZL_CMA_ALIGN_MAX_OF_BOTH, /* max(MAX_ORDER, pageblock_order), to 5.17 */
	ZL_CMA_ALIGN_MAX_ORDER,	  /* 5.18 */
	ZL_CMA_ALIGN_PAGEBLOCK	  /* 5.19 on */
};
enum zl_cma_vs_dt { ZL_CMA_BYPASS, ZL_CMA_SKIP_FOR, ZL_CMA_SKIP_NODE };
/** arm64 prompt for the maximum order (pageblock-cma.md 2.1). */
enum zl_arm64_prompt { ZL_PROMPT_NONE, ZL_PROMPT_RANGE, ZL_PROMPT_EXPERT };

/** Every version-dependent behaviour, filled from the table for one release. */
struct zl_switches {
	enum zl_design_id design;
	bool decay_chunks; /* decay drains in chunks of batch */
	uint8_t thp_lists; /* pageset lists of the THP order: 3, 1 or 2 */
	enum zl_thp_order_rule thp_order;
	enum zl_pcp_lock pcp_lock;
	bool refill_failure_tries_buddy;
	bool cma_bypass; /* movable without ALLOC_CMA skips the pageset */
	enum zl_full_drain full_drain;
	enum zl_drain_order drain_order;
	enum zl_drain_type drain_type;
	enum zl_clamp_rule clamp;
	enum zl_fallback_form buddy_fallback;
	enum zl_merge_retag merge_retag;
	bool high_order_atomic_refill;
	bool uniprocessor_pcp; /* pagesets exist with SMP=n */
	bool zoneinfo_limits;  /* zoneinfo prints high_min and high_max */
	bool zoneinfo_promo;   /* zoneinfo prints promo */
	bool wmark_promo;      /* the promo watermark exists */
	enum zl_highatomic_rule highatomic_reserve;
	enum zl_max_order_symbol max_order;
	enum zl_arm64_prompt arm64_prompt;
	bool pageblock_clamp;
	bool pageblock_thp_only; /* THP without HugeTLB gives min(HPAGE_PMD_ORDER, cap) */
	enum zl_block_symbol page_block_symbol;
	enum zl_cma_alignment_rule cma_alignment;
	bool cma_areas_plus_one;     /* MAX_CMA_AREAS is CONFIG_CMA_AREAS + 1 */
	bool cma_log_rounded;	     /* "Reserved N MiB" prints the rounded size */
	bool cma_log_node;	     /* "... on node N" is printed */
	bool cma_fail_always_logged; /* every failure prints "Failed to reserve" */
	bool cma_high_first;	     /* the area above 4 GiB is tried before highmem */
	bool cma_pageblock_zero_check;
	enum zl_cma_vs_dt cma_cmdline_vs_dt;
	bool cma_limit_min; /* cma= limit is the smaller of its own and the arch's */
	bool overlap_after_refusal;
	bool reserved_static_late;  /* static pools are initialised after dynamic ones */
	bool reserved_table_grows;  /* MAX_RESERVED_REGIONS bounds dynamic nodes only */
	bool reserved_summary_line; /* "OF: reserved mem: A..B (N KiB) map ..." is printed */
	bool alloc_ranges_direction;
	bool wmark_movable_clamped; /* ZONE_MOVABLE is clamped and left out of lowmem_pages */
	bool thp_recalc_on_disable;
	bool grouping_without_memmap; /* mobility grouping counts present pages less memmap */
	bool hugetlb_cma_exact;
	bool dma_pool_log_kib;	     /* "created DMA memory pool" prints KiB */
	bool cma_node_areas_last;    /* per-node areas come after the default area */
	bool cma_high_room_by_limit; /* room above 4 GiB is judged by the limit */
	bool loongarch;		     /* the architecture exists */
};

/**
 * Reads a release as typed, or the leading X.Y[.Z] of a uname or log string.
 *
 * The third number is taken as an ABI number (patch_known = false) when a distribution suffix
 * makes that possible: Debian "X.Y.0-N-...", Ubuntu "X.Y.0-N-generic", RHEL ".elN".
 * Returns 0; -EINVAL when no X.Y leads the string.
 */
int zl_release_parse(const char *s, struct zl_release *ret);

/** Less than, equal to or greater than zero, as strcmp; display and patch_known do not count. */
int zl_release_compare(const struct zl_release *a, const struct zl_release *b);

/**
 * Fills the switches of a release and says what had to be assumed (newer than known, between
 * two observed stable levels, ABI number, below 5.14).
 */
void zl_switches_for(const struct zl_release *r, struct zl_switches *ret, struct zl_diags *diags);

/** Whether every behaviour of the table is alike. */
bool zl_switches_equal(const struct zl_switches *a, const struct zl_switches *b);

/** "A514", "A", "A+cap", ...; "none" below 5.14. */
const char *zl_design_name(enum zl_design_id d);
/** One sentence. */
const char *zl_design_summary(enum zl_design_id d);
/** "5.18-6.6" */
const char *zl_design_releases(enum zl_design_id d);

/** One row of the release table, for `list releases` and for "other releases" texts. */
struct zl_release_row {
	const char *behaviour; /* switch name, as in `list releases` */
	const char *series;    /* "mainline" or "6.1" */
	const char *since;     /* first release */
	const char *value;     /* in words */
	const char *evidence;  /* "seen ...", "inferred ...", a commit */
};
size_t zl_release_row_count(void);
struct zl_release_row zl_release_row(size_t i);

/** The mainline breakpoints in ascending order, without repeats: "5.14", "5.17", ... */
size_t zl_breakpoint_count(void);
const char *zl_breakpoint(size_t i);
/** The last of them, without putting all in order. */
const char *zl_breakpoint_newest(void);

#endif
