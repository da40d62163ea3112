/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometry: from architecture, release and configuration to pageblock_order and the CMA
 * alignment, with every Kconfig and compile-time constraint as a diagnostic.
 */
#ifndef ZONELAB_GEOMETRY_H
#define ZONELAB_GEOMETRY_H

#include "zonelab/arch.h"
#include "zonelab/diag.h"
#include "zonelab/policy.h"
#include "zonelab/release.h"

/** Which branch of the pageblock_order rule was taken. */
enum zl_pageblock_rule {
	ZL_PB_HUGETLB,		 /* min(HUGETLB_PAGE_ORDER, cap) */
	ZL_PB_HUGETLB_UNCLAMPED, /* HUGETLB_PAGE_ORDER, before 5.18 */
	ZL_PB_HUGETLB_NONE,	 /* variable size and no huge page at boot: cap */
	ZL_PB_THP,		 /* min(HPAGE_PMD_ORDER, cap), from 6.10 */
	ZL_PB_CAP,		 /* neither: the cap alone */
	ZL_PB_RULE_COUNT
};

/** Everything that follows. Orders are log2 of base pages; -1 = does not exist. */
struct zl_geometry {
	/*
	 * NULL when the page size does not exist; the figures are then those of the nearest page
	 * size that does.
	 */
	const struct zl_arch_row *arch;
	unsigned page_shift;
	uint64_t page_size;
	unsigned max_page_order;	  /* inclusive, at most ZL_MAX_ORDER_LIMIT */
	unsigned max_order_default;	  /* what it would be if it were not given */
	int max_order_lo, max_order_hi;	  /* its Kconfig range as inclusive orders, -1 none */
	unsigned max_order_limit;	  /* largest that fits a memory section */
	unsigned max_order_symbol_value;  /* as .config says it (exclusive to 6.3), 0 = no symbol */
	const char *max_order_symbol;	  /* "ARCH_FORCE_MAX_ORDER", or NULL when there is none */
	int page_block_order;		  /* the cap PBMO in force, -1 where the release has none */
	const char *page_block_symbol;	  /* "PAGE_BLOCK_MAX_ORDER", or NULL */
	int page_block_lo, page_block_hi; /* its Kconfig range, -1 without the symbol */
	int page_block_default;		  /* its default, -1 without the symbol */
	bool thp, hugetlb, cma, dma_cma;  /* effective build options */
	int hugetlb_order;		  /* HUGETLB_PAGE_ORDER in force, -1 without HugeTLB; 0 = no
					     huge page size at boot (variable sizes only) */
	int thp_order;			  /* HPAGE_PMD_ORDER in force, -1 without THP */
	enum zl_pageblock_rule rule;
	unsigned cap;		  /* what the rule clamps with */
	unsigned pageblock_order; /* effective */
	uint64_t pageblock_nr_pages;
	uint64_t pageblock_bytes;
	unsigned cma_min_alignment_order;
	uint64_t cma_min_alignment_bytes;
	uint64_t largest_block_bytes; /* page_size << max_page_order */
	unsigned migrate_types;	      /* MIGRATE_TYPES: 4, 5 or 6 */
	unsigned max_cma_areas;	      /* MAX_CMA_AREAS, 0 without CMA */
	bool buildable;		      /* no diagnostic of severity error */
};

/**
 * The pageblock_order rule alone.
 *
 * @release_switches  switches of the release
 * @mpo      MAX_PAGE_ORDER, inclusive
 * @hugetlb  CONFIG_HUGETLB_PAGE; @ho its HUGETLB_PAGE_ORDER (<= 0 with @variable: none at boot)
 * @thp      CONFIG_TRANSPARENT_HUGEPAGE; @po HPAGE_PMD_ORDER
 * @pbmo     PAGE_BLOCK_(MAX_)ORDER, -1 when absent or at its default
 *
 * Source: include/linux/pageblock-flags.h, pageblock_order, v5.15 to v7.0;
 * mm/page_alloc.c and mm/mm_init.c, set_pageblock_order().
 */
struct zl_pageblock_in {
	unsigned mpo;
	bool hugetlb;
	int ho;
	bool variable;
	bool thp;
	int po;
	int pbmo;
};
unsigned zl_pageblock_order(const struct zl_switches *sw, const struct zl_pageblock_in *in,
	enum zl_pageblock_rule *ret_rule);

/** CMA_MIN_ALIGNMENT_PAGES as an order. Source: include/linux/cma.h, v5.19; mm/cma.c before. */
unsigned zl_cma_min_alignment_order(
	const struct zl_switches *sw, unsigned max_page_order, unsigned pageblock_order);

/**
 * Resolves the geometry of a machine's settings. Always fills @ret as far as it can; what cannot
 * be built is an error diagnostic and buildable = false. Orders beyond what can be built are
 * brought down to it in @ret, so that sizes never overflow; the diagnostic names the given value.
 *
 * huge_page_size counts where the architecture offers a choice: the default HugeTLB page on sh,
 * powerpc and powerpc64 with the hash MMU, the THP size on arc. On powerpc64 a size of one base
 * page means that the machine offers no huge page at boot.
 *
 * Simplified: without CMA, MEMORY_ISOLATION is taken to be built where memory can be unplugged.
 */
struct zl_geometry_in {
	const struct zl_settings *settings;
	const struct zl_release *release;
	const struct zl_switches *switches;
	const struct zl_policy_set *policies; /* NULL = none */
};
void zl_geometry_resolve_under(
	const struct zl_geometry_in *in, struct zl_geometry *ret, struct zl_diags *diags);
/** The same without policies. */
void zl_geometry_resolve(const struct zl_settings *s, const struct zl_release *r,
	const struct zl_switches *sw, struct zl_geometry *ret, struct zl_diags *diags);

/**
 * Reads [ARCH_]FORCE_MAX_[ZONE]ORDER as a .config of this release writes it into the inclusive
 * order. Up to 6.3 the value counts orders, one more than the largest.
 * Returns 0; -ERANGE for a value that sets no order (0 = not provided by the architecture).
 */
int zl_max_order_from_config(const struct zl_switches *sw, int64_t value, unsigned *ret);
/** The other way. */
unsigned zl_max_order_to_config(const struct zl_switches *sw, unsigned max_page_order);

/** Bytes that a pool of @size bytes takes on this kernel: rounded up to the alignment. */
uint64_t zl_pool_required_bytes(const struct zl_geometry *g, uint64_t size);

#endif
