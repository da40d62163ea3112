/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The architecture table, and the questions that only it answers.
 *
 * Source: arch/.../Kconfig, asm/page.h, asm/pgtable.h, asm/sparsemem.h, v6.1 and v6.12.
 * Simplified: 32-bit arm systems with their own default order (AM33XX 11, SA1111 8) are reached by
 * max_page_order; parisc is the 64-bit kernel; sh sizes that need X2TLB are always offered; arc has
 * an MMU v4.
 */
#include "zonelab/arch.h"

#include <string.h>

/* An exclusive count of orders stands one above the inclusive order. */
#define EXCLUSIVE 1
#define HUGE_16M  24

#define NONE (-1)
#define FLAT (-1)
/* Range columns: up to 6.3, arm64's own of 6.2 and 6.3, from 6.4. */
#define NO_RANGES NONE, NONE, NONE, NONE, NONE, NONE

/* clang-format off */
static const struct zl_arch_row rows[] = {
	/* arch, variant, PS, HO, PO, MPO, MPO without huge pages,
	 * ranges, section bits, without huge pages, address bits, symbol, prompt,
	 * dma_cma, top_down, hotremove, hugetlb_variable, huge_choice, sizes */
	{"arm64", "", 12, 9, 9, 10, 10, NONE, NONE, 11, 16, NONE, NONE,
		27, 27, 64, true, ZL_ORDER_ARM64, true, true, true, false, false, {21}},
	{"arm64", "", 14, 11, 11, 11, 11, NONE, NONE, 12, 14, NONE, NONE,
		27, 27, 64, true, ZL_ORDER_ARM64, true, true, true, false, false, {25}},
	{"arm64", "", 16, 13, 13, 13, 13, NO_RANGES,
		29, 29, 64, true, ZL_ORDER_ARM64, true, true, true, false, false, {29}},
	{"arm", "lpae", 12, 9, 9, 10, 10, NO_RANGES,
		28, 28, 64, true, ZL_ORDER_ASKED, true, true, false, false, false, {21}},
	{"arm", "no-lpae", 12, NONE, NONE, 10, 10, NO_RANGES,
		28, 28, 32, true, ZL_ORDER_ASKED, true, true, false, false, false, {0}},
	{"arm", "nommu", 12, NONE, NONE, 10, 10, NO_RANGES,
		28, 28, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"x86_64", "", 12, 9, 9, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, true, true, true, false, false, {21}},
	{"i386", "pae", 12, 9, 9, 10, 10, NO_RANGES,
		29, 29, 64, false, ZL_ORDER_FIXED, true, true, false, false, false, {21}},
	{"i386", "no-pae", 12, 10, 10, 10, 10, NO_RANGES,
		26, 26, 32, false, ZL_ORDER_FIXED, true, true, false, false, false, {22}},
	{"riscv64", "", 12, 9, 9, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, true, true, false, false, false, {21}},
	{"riscv64", "nommu", 12, NONE, NONE, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, false, true, false, false, false, {0}},
	{"riscv32", "", 12, 10, NONE, 10, 10, NO_RANGES,
		27, 27, 32, false, ZL_ORDER_FIXED, true, true, false, false, false, {22}},
	{"riscv32", "nommu", 12, NONE, NONE, 10, 10, NO_RANGES,
		27, 27, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {0}},
	{"s390x", "", 12, 8, 8, 10, 10, NO_RANGES,
		28, 28, 64, false, ZL_ORDER_FIXED, true, false, true, false, false, {20}},
	{"powerpc64", "radix", 12, 9, 9, 12, 12, 13, 13, NONE, NONE, 12, 12,
		24, 24, 64, true, ZL_ORDER_ASKED, false, true, true, true, false, {21}},
	{"powerpc64", "radix", 16, 5, 5, 8, 8, 8, 9, NONE, NONE, 7, 8,
		24, 24, 64, true, ZL_ORDER_ASKED, false, true, true, true, false, {21}},
	{"powerpc64", "hash", 12, 12, 9, 12, 12, 13, 13, NONE, NONE, 12, 12,
		24, 24, 64, true, ZL_ORDER_ASKED, false, true, true, true, true, {24, 21, 20}},
	{"powerpc64", "hash", 16, 8, 8, 8, 8, 8, 9, NONE, NONE, 7, 8,
		24, 24, 64, true, ZL_ORDER_ASKED, false, true, true, true, true, {24, 21, 20}},
	{"powerpc", "", 12, 10, NONE, 10, 10, 11, 64, NONE, NONE, 10, 12,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {22, 19}},
	{"powerpc", "", 14, 5, NONE, 8, 8, 9, 64, NONE, NONE, 8, 10,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {19}},
	{"powerpc", "", 16, NONE, NONE, 6, 6, 7, 64, NONE, NONE, 6, 10,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"powerpc", "", 18, NONE, NONE, 4, 4, 5, 64, NONE, NONE, 4, 10,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"loongarch", "", 12, 9, 9, 10, 10, 11, 64, NONE, NONE, NONE, NONE,
		29, 29, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {21}},
	{"loongarch", "", 14, 11, 11, 11, 11, 12, 64, NONE, NONE, NONE, NONE,
		29, 29, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {25}},
	{"loongarch", "", 16, 13, 13, 13, 13, 14, 64, NONE, NONE, NONE, NONE,
		29, 29, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {29}},
	{"mips", "", 12, 9, 9, 10, 10, 0, 64, NONE, NONE, NONE, NONE,
		28, 28, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {21}},
	{"mips", "", 13, 10, 10, 10, 10, 0, 64, NONE, NONE, NONE, NONE,
		28, 28, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {23}},
	{"mips", "", 14, 11, 11, 11, 10, 12, 64, NONE, NONE, NONE, NONE,
		28, 28, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {25}},
	{"mips", "", 15, 12, 12, 12, 10, 13, 64, NONE, NONE, NONE, NONE,
		28, 28, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {27}},
	{"mips", "", 16, 13, 13, 13, 10, 14, 64, NONE, NONE, NONE, NONE,
		29, 28, 64, true, ZL_ORDER_ASKED, true, false, false, false, false, {29}},
	{"sparc64", "", 13, 10, 10, 12, 12, NO_RANGES,
		30, 30, 64, true, ZL_ORDER_ASKED, false, true, false, false, false, {23}},
	{"sparc", "", 12, NONE, NONE, 12, 12, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, false, false, false, false, {0}},
	{"sh", "", 12, 4, NONE, 10, 10, 11, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {16, 18, 20, 22, 26}},
	{"sh", "", 13, 3, NONE, 10, 10, 11, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {16, 18, 20, 22, 26}},
	{"sh", "", 16, 4, NONE, 6, 6, 7, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {20, 18, 22, 26}},
	{"sh", "nommu", 12, NONE, NONE, 13, 13, 11, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"sh", "nommu", 13, NONE, NONE, 13, 13, 11, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"sh", "nommu", 14, NONE, NONE, 8, 8, 9, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"sh", "nommu", 16, NONE, NONE, 6, 6, 7, 64, NONE, NONE, NONE, NONE,
		26, 26, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"m68k", "", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ADVANCED, false, false, false, false, false, {0}},
	{"m68k", "", 13, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ADVANCED, false, true, false, false, false, {0}},
	{"m68k", "nommu", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ADVANCED, false, true, false, false, false, {0}},
	{"m68k", "nommu", 13, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ADVANCED, false, true, false, false, false, {0}},
	{"xtensa", "", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, true, true, false, false, false, {0}},
	{"xtensa", "nommu", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"arc", "", 12, NONE, 9, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {21, 24}},
	{"arc", "", 13, NONE, 8, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {21, 24}},
	{"arc", "", 14, NONE, 7, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {21, 24}},
	{"arc", "16M", 12, NONE, 12, 11, 11, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {24, 21}},
	{"arc", "16M", 13, NONE, 11, 11, 11, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {24, 21}},
	{"arc", "16M", 14, NONE, 10, 11, 11, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, true, {24, 21}},
	{"nios2", "", 12, NONE, NONE, 10, 10, 9, 20, NONE, NONE, NONE, NONE,
		FLAT, FLAT, 32, true, ZL_ORDER_ASKED, false, true, false, false, false, {0}},
	{"csky", "", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, true, ZL_ORDER_DROPPED, true, true, false, false, false, {0}},
	{"parisc", "", 12, 9, NONE, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, false, false, false, false, false, {21}},
	{"parisc", "", 14, 11, NONE, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, false, false, false, false, false, {25}},
	{"parisc", "", 16, 13, NONE, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, false, false, false, false, false, {29}},
	{"hexagon", "", 12, 10, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {22}},
	{"hexagon", "", 14, 8, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {22}},
	{"hexagon", "", 16, 6, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {22}},
	{"hexagon", "", 18, 4, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {22}},
	{"microblaze", "", 12, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, true, true, false, false, false, {0}},
	{"openrisc", "", 13, NONE, NONE, 10, 10, NO_RANGES,
		FLAT, FLAT, 32, false, ZL_ORDER_FIXED, false, true, false, false, false, {0}},
	{"alpha", "", 13, NONE, NONE, 10, 10, NO_RANGES,
		27, 27, 64, false, ZL_ORDER_FIXED, false, false, false, false, false, {0}},
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

size_t zl_arch_row_count(void)
{
	return ROW_COUNT;
}

const struct zl_arch_row *zl_arch_row(size_t i)
{
	return i < ROW_COUNT ? &rows[i] : NULL;
}

const char *zl_arch_name(const struct zl_settings *s, char *buf)
{
	int64_t index = 0;

	if (zl_settings_given(s, ZL_SET_ARCH) && s->value[ZL_SET_ARCH].number >= 0 &&
		s->value[ZL_SET_ARCH].number < ZL_SETTING_TEXT) {
		index = s->value[ZL_SET_ARCH].number;
	}
	const char *name = zl_setting_word(ZL_SET_ARCH, (unsigned)index, buf);
	return name != NULL ? name : zl_setting_word(ZL_SET_ARCH, 0, buf);
}

bool zl_arch_may_lack_mmu(const char *arch)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].arch, arch) == 0 && strcmp(rows[i].variant, "nommu") == 0) {
			return true;
		}
	}
	return false;
}

/* A word setting compared by its word; false when it is not given. */
static bool word_is(const struct zl_settings *s, enum zl_setting key, const char *word)
{
	return zl_settings_given(s, key) &&
	       s->value[key].number == (int64_t)zl_setting_word_index(key, word);
}

static bool is_off(const struct zl_settings *s, enum zl_setting key)
{
	return zl_settings_given(s, key) && s->value[key].number == 0;
}

/* The variant of an architecture that settings select. */
static const char *variant_of(const struct zl_settings *s, const char *arch)
{
	if (word_is(s, ZL_SET_MMU, "off") && zl_arch_may_lack_mmu(arch)) {
		return "nommu";
	}
	if (strcmp(arch, "arm") == 0) {
		return is_off(s, ZL_SET_LPAE) ? "no-lpae" : "lpae";
	}
	if (strcmp(arch, "i386") == 0) {
		return is_off(s, ZL_SET_PAE) ? "no-pae" : "pae";
	}
	if (strcmp(arch, "powerpc64") == 0) {
		return word_is(s, ZL_SET_MMU, "hash") ? "hash" : "radix";
	}
	if (strcmp(arch, "arc") == 0 && zl_settings_given(s, ZL_SET_HUGE_PAGE_SIZE) &&
		s->value[ZL_SET_HUGE_PAGE_SIZE].number == INT64_C(1) << HUGE_16M) {
		return "16M";
	}
	return "";
}

static bool row_is(const struct zl_arch_row *row, const char *arch, const char *variant)
{
	return strcmp(row->arch, arch) == 0 && strcmp(row->variant, variant) == 0;
}

const struct zl_arch_row *zl_arch_find(const struct zl_settings *s, uint64_t page_size)
{
	char buf[ZL_SETTING_TEXT];
	const char *arch = zl_arch_name(s, buf);
	const char *variant = variant_of(s, arch);

	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (row_is(&rows[i], arch, variant) &&
			UINT64_C(1) << rows[i].page_shift == page_size) {
			return &rows[i];
		}
	}
	return NULL;
}

size_t zl_arch_page_sizes(const struct zl_settings *s, uint64_t *ret, size_t max)
{
	char buf[ZL_SETTING_TEXT];
	const char *arch = zl_arch_name(s, buf);
	const char *variant = variant_of(s, arch);
	size_t n = 0;

	/* Rows of one variant stand in ascending page size. */
	for (size_t i = 0; i < ROW_COUNT && n < max; i++) {
		if (row_is(&rows[i], arch, variant)) {
			ret[n++] = UINT64_C(1) << rows[i].page_shift;
		}
	}
	return n;
}

static bool is_loongarch(const struct zl_arch_row *row)
{
	return strcmp(row->arch, "loongarch") == 0;
}

bool zl_arch_exists(const struct zl_arch_row *row, const struct zl_switches *sw)
{
	return sw->loongarch || !is_loongarch(row);
}

const char *zl_arch_since(const struct zl_arch_row *row)
{
	return is_loongarch(row) ? "5.19" : NULL;
}

static bool is_exclusive(const struct zl_switches *sw)
{
	return sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER ||
	       sw->max_order == ZL_MAX_ORDER_ARCH_EXCLUSIVE;
}

const char *zl_arch_order_symbol(const struct zl_arch_row *row, const struct zl_switches *sw)
{
	if (!row->has_symbol || (row->prompt == ZL_ORDER_DROPPED && !is_exclusive(sw))) {
		return NULL;
	}
	return sw->max_order == ZL_MAX_ORDER_FORCE_ZONEORDER ? "FORCE_MAX_ZONEORDER"
							     : "ARCH_FORCE_MAX_ORDER";
}

unsigned zl_arch_default_order(const struct zl_arch_row *row, bool huge)
{
	return huge ? row->max_order : row->max_order_plain;
}

struct zl_order_range zl_arch_order_range(
	const struct zl_arch_row *row, const struct zl_switches *sw, bool huge)
{
	struct zl_order_range r = {row->range612_lo, row->range612_hi};

	if (zl_arch_order_symbol(row, sw) == NULL || !is_exclusive(sw)) {
		return r;
	}
	if (row->prompt == ZL_ORDER_ARM64 && sw->arm64_prompt == ZL_PROMPT_RANGE) {
		r.lo = row->range62_lo;
		r.hi = row->range62_hi;
	} else {
		/* mips ties its ranges to huge page support, and has 0..64 without it. */
		bool plain = !huge && row->max_order != row->max_order_plain;
		r.lo = plain ? 0 : row->range61_lo;
		r.hi = row->range61_hi;
	}
	if (r.hi < 0) {
		return (struct zl_order_range){NONE, NONE};
	}
	r.lo = r.lo > 0 ? r.lo - EXCLUSIVE : 0;
	r.hi -= EXCLUSIVE;
	return r;
}

int zl_arch_section_bits(const struct zl_arch_row *row, bool huge)
{
	return huge ? row->section_bits : row->section_bits_plain;
}

unsigned zl_arch_section_order(const struct zl_arch_row *row, bool huge)
{
	int bits = zl_arch_section_bits(row, huge);
	int order = bits < 0 ? ZL_MAX_ORDER_LIMIT : bits - row->page_shift;

	return order < ZL_MAX_ORDER_LIMIT ? (unsigned)order : ZL_MAX_ORDER_LIMIT;
}
