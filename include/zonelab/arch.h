/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The architecture table: page sizes, huge page orders, maximum orders and their Kconfig ranges,
 * section sizes. Const data in src/model/arch.c.
 */
#ifndef ZONELAB_ARCH_H
#define ZONELAB_ARCH_H

#include "zonelab/release.h"
#include "zonelab/settings.h"

/** Most default huge page sizes that one row offers, and most page sizes of one architecture. */
#define ZL_HUGE_CHOICES	  5
#define ZL_PAGE_SIZES_MAX 8

/** What Kconfig asks about the maximum order. */
enum zl_order_prompt {
	ZL_ORDER_FIXED,	   /* no symbol: the generic order 10 of the header */
	ZL_ORDER_ASKED,	   /* a symbol with a prompt */
	ZL_ORDER_ARM64,	   /* a symbol; the prompt comes and goes with releases */
	ZL_ORDER_ADVANCED, /* asked only with CONFIG_ADVANCED (m68k) */
	ZL_ORDER_DROPPED   /* a symbol that went away with inclusive numbering (csky) */
};

/** A row for one architecture, variant and page size. All orders are inclusive. -1 = has none. */
struct zl_arch_row {
	const char *arch; /* word of the `arch` setting */
	const char
		*variant; /* "", "lpae", "no-lpae", "pae", "no-pae", "radix", "hash", "nommu", "16M"
			      */
	uint8_t page_shift;
	int8_t hugetlb_order;	 /* HUGETLB_PAGE_ORDER of the default huge page */
	int8_t thp_order;	 /* HPAGE_PMD_ORDER */
	uint8_t max_order;	 /* default MAX_PAGE_ORDER with huge pages configured */
	uint8_t max_order_plain; /* default without HugeTLB and THP (mips), else the same */
	int8_t range61_lo;	 /* F range up to 6.3, exclusive numbering; -1 none */
	int8_t range61_hi;	 /* */
	int8_t range62_lo;   /* arm64's F range while its prompt has one (6.2, 6.3), exclusive */
	int8_t range62_hi;   /* */
	int8_t range612_lo;  /* F range from 6.4, inclusive; -1 none */
	int8_t range612_hi;  /* */
	int8_t section_bits; /* SECTION_SIZE_BITS; -1 = flat memory only */
	int8_t section_bits_plain; /* the same without HugeTLB and THP (mips 64K) */
	uint8_t phys_bits;	   /* width of a printed address: 64 or 32 */
	bool has_symbol;	   /* [ARCH_]FORCE_MAX_[ZONE]ORDER exists (else the generic 10) */
	enum zl_order_prompt prompt;
	bool dma_cma;	       /* selects HAVE_DMA_CONTIGUOUS */
	bool top_down;	       /* memblock allocates top-down at DT time */
	bool hotremove;	       /* memory can be unplugged: MEMORY_ISOLATION without CMA */
	bool hugetlb_variable; /* HUGETLB_PAGE_SIZE_VARIABLE */
	bool huge_choice;      /* huge_page_size may be chosen (sh, powerpc, arc) */
	uint8_t huge_shift
		[ZL_HUGE_CHOICES]; /* log2 of the sizes offered, the default first; 0 ends */
};

size_t zl_arch_row_count(void);
/** NULL past the last. */
const struct zl_arch_row *zl_arch_row(size_t i);

/** The architecture that settings select, "arm64" when none is given. @buf: ZL_SETTING_TEXT. */
const char *zl_arch_name(const struct zl_settings *s, char *buf);
/** The row that settings select; NULL when the page size does not exist there. */
const struct zl_arch_row *zl_arch_find(const struct zl_settings *s, uint64_t page_size);
/**
 * Page sizes of the selected architecture and variant, ascending.
 * Returns how many were written to @ret (at most @max; ZL_PAGE_SIZES_MAX always suffices).
 */
size_t zl_arch_page_sizes(const struct zl_settings *s, uint64_t *ret, size_t max);
/** True if the release has this architecture (loongarch came with 5.19). */
bool zl_arch_exists(const struct zl_arch_row *row, const struct zl_switches *sw);
/** First release of an architecture that is younger than 5.14, otherwise NULL. */
const char *zl_arch_since(const struct zl_arch_row *row);
/** True if the architecture can be built without an MMU. */
bool zl_arch_may_lack_mmu(const char *arch);

/** Name of the symbol for the maximum order in this release, NULL where there is none. */
const char *zl_arch_order_symbol(const struct zl_arch_row *row, const struct zl_switches *sw);
/** Default MAX_PAGE_ORDER, inclusive; @huge = HugeTLB or THP is built. */
unsigned zl_arch_default_order(const struct zl_arch_row *row, bool huge);

/** A range of inclusive orders. */
struct zl_order_range {
	int lo, hi; /* -1 = no range */
};
/**
 * The Kconfig range of the maximum order in this release, as inclusive orders.
 * Source: arch/.../Kconfig, [ARCH_]FORCE_MAX_[ZONE]ORDER, v6.1 and v6.12.
 * Simplified: 5.14 to 6.0 and 6.4 to 6.11 are taken to be as 6.1 and 6.12.
 */
struct zl_order_range zl_arch_order_range(
	const struct zl_arch_row *row, const struct zl_switches *sw, bool huge);
/**
 * Largest MAX_PAGE_ORDER that one memory section can hold, at most ZL_MAX_ORDER_LIMIT.
 * Source: include/linux/mmzone.h, check against SECTION_SIZE_BITS, v6.12.
 * Simplified: SPARSEMEM is assumed wherever the architecture offers it.
 */
unsigned zl_arch_section_order(const struct zl_arch_row *row, bool huge);
/** SECTION_SIZE_BITS, -1 for flat memory. */
int zl_arch_section_bits(const struct zl_arch_row *row, bool huge);

#endif
