/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The architecture table: page sizes, huge page orders, maximum orders and their Kconfig ranges,
 * section sizes. Const data in src/model/arch.c.
 */
#ifndef ZONELAB_ARCH_H
#define ZONELAB_ARCH_H

#include "zonelab/settings.h"

/** A row for one architecture, variant and page size. All orders are inclusive. -1 = has none. */
struct zl_arch_row {
	const char *arch; /* word of the `arch` setting */
	const char *
		variant; /* "" or "lpae", "no-lpae", "pae", "no-pae", "radix", "hash", "nommu", ... */
	uint8_t page_shift;
	int8_t hugetlb_order;		 /* HUGETLB_PAGE_ORDER of the default huge page */
	int8_t thp_order;		 /* HPAGE_PMD_ORDER */
	bool hugetlb_variable;		 /* HUGETLB_PAGE_SIZE_VARIABLE */
	uint8_t max_order;		 /* default MAX_PAGE_ORDER with huge pages configured */
	uint8_t max_order_plain;	 /* default without HugeTLB and THP (mips), else the same */
	int8_t range61_lo, range61_hi;	 /* F range up to 6.3, exclusive numbering; -1 none */
	int8_t range612_lo, range612_hi; /* F range from 6.4, inclusive; -1 none */
	bool has_symbol;     /* [ARCH_]FORCE_MAX_[ZONE]ORDER exists (else the generic 10) */
	int8_t section_bits; /* SECTION_SIZE_BITS; -1 = flat memory only */
	bool dma_cma;	     /* selects HAVE_DMA_CONTIGUOUS */
	bool top_down;	     /* memblock allocates top-down at DT time */
	uint8_t phys_bits;   /* width of a printed address: 64 or 32 */
	bool huge_choice;    /* huge_page_size may be chosen (sh, powerpc, arc) */
};

size_t zl_arch_row_count(void);
const struct zl_arch_row *zl_arch_row(size_t i);

/** The row that settings select; NULL when the page size does not exist there. */
const struct zl_arch_row *zl_arch_find(const struct zl_settings *s, uint64_t page_size);
/**
 * Page sizes of the selected architecture and variant, ascending.
 * Returns how many were written to @ret (at most @max).
 */
size_t zl_arch_page_sizes(const struct zl_settings *s, uint64_t *ret, size_t max);

#endif
