/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Architecture, page size and build options: what does not exist or has no effect.
 */
#include <string.h>

#include "constraints.h"
#include "zonelab/text.h"

static const struct zl_setting_value *value_of(const struct zl_check *c, enum zl_setting key)
{
	return &c->settings->value[key];
}

static bool given_on(const struct zl_check *c, enum zl_setting key)
{
	return zl_settings_given(c->settings, key) && value_of(c, key)->number != 0;
}

/* A setting without effect here; leaving it out is the fix. */
static void ignored(struct zl_check *c, enum zl_setting key, const char *why)
{
	struct zl_diag *d = zl_check_warning(c, ZL_DIAG_SETTING_IGNORED, key,
		"%s has no effect: %s", zl_setting_info(key)->key, why);

	zl_check_mend(d, "leave %s out", zl_setting_info(key)->key);
	zl_check_fix(d, key, "default");
}

#define LIST_TEXT 128

/* "4 KiB, 16 KiB and 64 KiB", the last joined by @word. @buf holds LIST_TEXT. */
static const char *list_sizes(const uint64_t *size, size_t n, const char *word, char *buf)
{
	struct zl_text t;

	zl_text_init(&t, buf, LIST_TEXT);
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			zl_text_str(&t, i + 1 == n ? word : ", ");
		}
		zl_text_size(&t, size[i]);
	}
	return buf;
}

static void check_page_size(struct zl_check *c)
{
	uint64_t size[ZL_PAGE_SIZES_MAX];
	size_t n = zl_arch_page_sizes(c->settings, size, ZL_PAGE_SIZES_MAX);
	const char *blank = c->row->variant[0] != '\0' ? " " : "";
	char list[LIST_TEXT];

	if (c->g->arch != NULL) {
		return;
	}
	struct zl_diag *d = zl_check_error(c, ZL_DIAG_PAGE_SIZE_UNSUPPORTED, ZL_SET_PAGE_SIZE,
		"%s%s%s has no page size of %Z; it has %s", c->arch, blank, c->row->variant,
		c->wanted_page_size, list_sizes(size, n, " and ", list));
	zl_check_mend(d, "page size %s", list_sizes(size, n, " or ", list));
	d->fix.key = ZL_SET_PAGE_SIZE;
	zl_format(d->fix.value, sizeof(d->fix.value), "%UK", c->g->page_size / 1024);
}

static void check_exists(struct zl_check *c)
{
	const char *since = zl_arch_since(c->row);
	const struct zl_release *r = c->release;

	if (zl_arch_exists(c->row, c->sw)) {
		return;
	}
	struct zl_diag *d = zl_check_error(c, ZL_DIAG_ARCH_UNSUPPORTED, ZL_SET_ARCH,
		"%s came with %s: there is no such kernel of %u.%u", c->arch, since,
		(unsigned)r->major, (unsigned)r->minor);
	zl_check_mend(d, "kernel %s or newer", since);
	zl_check_fix(d, ZL_SET_KERNEL, since);
}

/* mmu=off, radix and hash where the architecture has no such choice. */
static void check_mmu(struct zl_check *c)
{
	char word[ZL_SETTING_TEXT];
	char why[128];

	if (!zl_settings_given(c->settings, ZL_SET_MMU)) {
		return;
	}
	int64_t index = value_of(c, ZL_SET_MMU)->number;
	const char *mmu = zl_setting_word(ZL_SET_MMU, index < 0 ? 0 : (unsigned)index, word);
	if (mmu == NULL || strcmp(mmu, "on") == 0 || strcmp(mmu, c->row->variant) == 0) {
		return;
	}
	if (strcmp(mmu, "off") == 0) {
		if (strcmp(c->row->variant, "nommu") == 0) {
			return;
		}
		zl_format(why, sizeof(why), "%s always has an MMU", c->arch);
	} else {
		zl_format(why, sizeof(why), "%s is a choice of powerpc64", mmu);
	}
	ignored(c, ZL_SET_MMU, why);
}

static void check_variant(struct zl_check *c)
{
	if (given_on(c, ZL_SET_LPAE) && strcmp(c->arch, "arm") != 0) {
		ignored(c, ZL_SET_LPAE, "it is an option of 32-bit arm");
	} else if (given_on(c, ZL_SET_LPAE) && strcmp(c->row->variant, "nommu") == 0) {
		ignored(c, ZL_SET_LPAE, "LPAE needs an MMU");
	}
	if (given_on(c, ZL_SET_PAE) && strcmp(c->arch, "i386") != 0) {
		ignored(c, ZL_SET_PAE, "it is an option of i386");
	}
}

void zl_check_machine(struct zl_check *c)
{
	check_exists(c);
	check_page_size(c);
	check_variant(c);
	check_mmu(c);
}

static void check_thp(struct zl_check *c)
{
	if (!given_on(c, ZL_SET_THP) || c->row->thp_order >= 0) {
		return;
	}
	struct zl_diag *d = zl_check_warning(c, ZL_DIAG_THP_UNSUPPORTED, ZL_SET_THP,
		"%s%s%s has no transparent huge pages at %Z: it is built without THP", c->arch,
		c->row->variant[0] != '\0' ? " " : "", c->row->variant, c->g->page_size);
	zl_check_mend(d, "THP off");
	zl_check_fix(d, ZL_SET_THP, "off");
}

static void check_hugetlb(struct zl_check *c)
{
	if (given_on(c, ZL_SET_HUGETLB) && c->row->hugetlb_order < 0) {
		struct zl_diag *d = zl_check_warning(c, ZL_DIAG_HUGETLB_UNSUPPORTED, ZL_SET_HUGETLB,
			"%s%s%s has no HugeTLB pages at %Z: it is built without HugeTLB", c->arch,
			c->row->variant[0] != '\0' ? " " : "", c->row->variant, c->g->page_size);
		zl_check_mend(d, "HugeTLB off");
		zl_check_fix(d, ZL_SET_HUGETLB, "off");
	}
	if (!c->g->hugetlb || !c->row->hugetlb_variable) {
		return;
	}
	if (c->g->hugetlb_order == 0) {
		zl_check_note(c, ZL_DIAG_HUGETLB_VARIABLE, ZL_SET_HUGE_PAGE_SIZE,
			"HUGETLB_PAGE_SIZE_VARIABLE: no huge page size at boot, pageblock_order is "
			"the cap %u",
			c->g->cap);
		return;
	}
	zl_check_note(c, ZL_DIAG_HUGETLB_VARIABLE, ZL_SET_HUGETLB,
		"HUGETLB_PAGE_SIZE_VARIABLE: the huge page size (%Z with the %s MMU) is found at "
		"boot, pageblock_order is 0 until then",
		c->g->page_size << c->g->hugetlb_order, c->row->variant);
}

static bool size_offered(const struct zl_arch_row *row, int64_t size)
{
	for (size_t i = 0; i < ZL_HUGE_CHOICES && row->huge_shift[i] != 0; i++) {
		if (size == INT64_C(1) << row->huge_shift[i]) {
			return true;
		}
	}
	return false;
}

/* The sizes that the row offers, ascending (the default stands first in the table). */
static size_t offered_sizes(const struct zl_arch_row *row, uint64_t *ret)
{
	size_t n = 0;

	for (; n < ZL_HUGE_CHOICES && row->huge_shift[n] != 0; n++) {
		uint64_t size = UINT64_C(1) << row->huge_shift[n];
		size_t at = n;
		for (; at > 0 && ret[at - 1] > size; at--) {
			ret[at] = ret[at - 1];
		}
		ret[at] = size;
	}
	return n;
}

/* The size is one of a list, and this is not in it. */
static void refuse_huge_size(struct zl_check *c)
{
	uint64_t size[ZL_HUGE_CHOICES];
	size_t n = offered_sizes(c->row, size);
	char list[LIST_TEXT];

	struct zl_diag *d = zl_check_error(c, ZL_DIAG_SETTING_RANGE, ZL_SET_HUGE_PAGE_SIZE,
		"%s at %Z has no huge page of %Z; it has %s", c->arch, c->g->page_size,
		(uint64_t)value_of(c, ZL_SET_HUGE_PAGE_SIZE)->number,
		list_sizes(size, n, " and ", list));
	zl_check_mend(d, "huge page size %s, or leave it at its default",
		list_sizes(size, n, " or ", list));
	zl_check_fix(d, ZL_SET_HUGE_PAGE_SIZE, "default");
}

static void check_huge_size(struct zl_check *c)
{
	const struct zl_arch_row *row = c->row;
	int64_t size = value_of(c, ZL_SET_HUGE_PAGE_SIZE)->number;
	char why[128];

	if (!zl_settings_given(c->settings, ZL_SET_HUGE_PAGE_SIZE)) {
		return;
	}
	if (!c->huge) {
		ignored(c, ZL_SET_HUGE_PAGE_SIZE, "no huge pages are built");
	} else if (size_offered(row, size) ||
		   (row->hugetlb_variable && row->huge_choice && c->g->hugetlb_order == 0)) {
		return;
	} else if (row->huge_choice) {
		refuse_huge_size(c);
	} else {
		zl_format(why, sizeof(why), "%s at %Z always has huge pages of %Z", c->arch,
			c->g->page_size, UINT64_C(1) << row->huge_shift[0]);
		ignored(c, ZL_SET_HUGE_PAGE_SIZE, why);
	}
}

static void check_cma(struct zl_check *c)
{
	const char *lost = "no device-tree pools, no cma=, no CMA_SIZE_*";

	if (given_on(c, ZL_SET_CMA) && !c->g->cma) {
		ignored(c, ZL_SET_CMA, "CONFIG_CMA needs an MMU");
	}
	if (zl_settings_given(c->settings, ZL_SET_CMA_AREAS) && !c->g->cma) {
		ignored(c, ZL_SET_CMA_AREAS, "CONFIG_CMA is off");
	}
	if (given_on(c, ZL_SET_DMA_CMA) && !c->row->dma_cma) {
		struct zl_diag *d = zl_check_warning(c, ZL_DIAG_DMA_CMA_UNSUPPORTED, ZL_SET_DMA_CMA,
			"%s has no CONFIG_DMA_CMA: %s", c->arch, lost);
		zl_check_mend(d, "DMA_CMA off");
		zl_check_fix(d, ZL_SET_DMA_CMA, "off");
	} else if (given_on(c, ZL_SET_DMA_CMA) && !c->g->cma) {
		ignored(c, ZL_SET_DMA_CMA, "CONFIG_DMA_CMA needs CONFIG_CMA");
	} else if (c->g->cma && !c->row->dma_cma &&
		   !zl_settings_given(c->settings, ZL_SET_DMA_CMA)) {
		zl_check_note(c, ZL_DIAG_DMA_CMA_UNSUPPORTED, ZL_SET_CMA,
			"%s has no CONFIG_DMA_CMA: only the CMA core is built, %s", c->arch, lost);
	}
}

void zl_check_options(struct zl_check *c)
{
	check_thp(c);
	check_hugetlb(c);
	check_huge_size(c);
	check_cma(c);
}
