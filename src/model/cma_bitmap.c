/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free runs and allocations of a CMA area. All counts are pages from the area's first page; the
 * kernel's bitmap has one bit for 2^order_per_bit of them.
 */
#include "zonelab/cma_bitmap.h"

#include <errno.h>
#include <string.h>

#define ORDER_LIMIT 40u

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads digits; false without one or above 2^53. */
static bool number(const char **p, const char *end, uint64_t *ret)
{
	uint64_t v = 0;

	if (*p >= end || !is_digit(**p)) {
		return false;
	}
	for (; *p < end && is_digit(**p); (*p)++) {
		v = v * 10 + (uint64_t)(**p - '0');
		if (v >> 53 != 0) {
			return false;
		}
	}
	*ret = v;
	return true;
}

static bool word(const char **p, const char *end, const char *w)
{
	size_t n = strlen(w);

	while (*p < end && **p == ' ') {
		(*p)++;
	}
	if ((size_t)(end - *p) < n || memcmp(*p, w, n) != 0) {
		return false;
	}
	*p += n;
	return true;
}

static void run_add(struct zl_cma_runs *r, uint64_t start, uint64_t pages)
{
	r->sum += pages;
	r->longest = pages > r->longest ? pages : r->longest;
	if (r->count == ZL_CMA_RUNS_MAX) {
		r->cut = true;
		return;
	}
	r->run[r->count++] = (struct zl_cma_run){.start = start, .pages = pages};
}

static bool read_runs(const char **p, const char *end, struct zl_cma_runs *r)
{
	const char *at = *p;
	uint64_t pages;
	uint64_t start;

	while (number(&at, end, &pages)) {
		if (at >= end || *at != '@') {
			return false;
		}
		at++;
		if (!number(&at, end, &start)) {
			return false;
		}
		run_add(r, start, pages);
		if (at < end && *at == '+') {
			at++;
		}
	}
	*p = at;
	return true;
}

int zl_cma_runs_parse(const char *text, size_t size, struct zl_cma_runs *ret)
{
	static const char mark[] = "available pages:";
	const char *end = text + size;
	const char *p = text;

	memset(ret, 0, sizeof(*ret));
	for (const char *s = text; (size_t)(end - s) >= sizeof(mark) - 1; s++) {
		if (memcmp(s, mark, sizeof(mark) - 1) == 0) {
			p = s + sizeof(mark) - 1;
			break;
		}
	}
	while (p < end && *p == ' ') {
		p++;
	}
	if (!read_runs(&p, end, ret)) {
		return -EINVAL;
	}
	ret->free = ret->sum;
	if (p == end) {
		return ret->count > 0 ? 0 : -EINVAL; /* the list alone */
	}
	if (!word(&p, end, "=>") || !word(&p, end, "") || !number(&p, end, &ret->free) ||
		!word(&p, end, "free of") || !word(&p, end, "") || !number(&p, end, &ret->total)) {
		return -EINVAL;
	}
	return 0;
}

static uint64_t align_up(uint64_t v, unsigned order)
{
	uint64_t mask = (UINT64_C(1) << (order < ORDER_LIMIT ? order : ORDER_LIMIT)) - 1;

	return (v + mask) & ~mask;
}

bool zl_cma_runs_fit(const struct zl_cma_runs *runs, uint64_t base_pfn, uint64_t pages,
	unsigned align_order, uint64_t *ret_start)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct zl_cma_run *r = &runs->run[i];
		uint64_t start = align_up(base_pfn + r->start, align_order) - base_pfn;

		if (start - r->start <= r->pages && r->pages - (start - r->start) >= pages) {
			*ret_start = start;
			return pages > 0;
		}
	}
	return false;
}

unsigned zl_cma_align_order(uint64_t pages, unsigned align_cap)
{
	unsigned order = 0;

	while (order < align_cap && (UINT64_C(1) << order) < pages) {
		order++;
	}
	return order;
}

uint64_t zl_cma_runs_largest(
	const struct zl_cma_runs *runs, uint64_t base_pfn, unsigned align_cap, bool aligned)
{
	uint64_t lo = 0;
	uint64_t start;

	if (!aligned) {
		return runs->longest;
	}
	/* Every run offers its own largest: what is left behind the alignment of that size. */
	for (size_t i = 0; i < runs->count; i++) {
		for (unsigned order = 0; order <= align_cap; order++) {
			const struct zl_cma_run *r = &runs->run[i];
			uint64_t skip = align_up(base_pfn + r->start, order) - base_pfn - r->start;
			uint64_t left = r->pages > skip ? r->pages - skip : 0;
			uint64_t most = order < align_cap ? UINT64_C(1) << order : left;
			uint64_t fits = left < most ? left : most;

			if (fits > lo && zl_cma_runs_fit(runs, base_pfn, fits,
						 zl_cma_align_order(fits, align_cap), &start)) {
				lo = fits;
			}
		}
	}
	return lo;
}

const char *zl_cma_result_name(enum zl_cma_result r)
{
	static const char *const names[ZL_CMA_RESULT_COUNT] = {
		[ZL_CMA_OK] = "ok", [ZL_CMA_ENOMEM] = "ENOMEM", [ZL_CMA_EBUSY] = "EBUSY"};

	return names[r];
}

uint64_t zl_cma_area_bits(uint64_t pages, unsigned order_per_bit)
{
	return pages >> order_per_bit;
}

static bool pinned(const struct zl_cma_area *a, uint64_t start, uint64_t pages)
{
	for (size_t i = 0; i < a->nr_pins; i++) {
		if (a->pin[i].start < start + pages && start < a->pin[i].start + a->pin[i].pages) {
			return true;
		}
	}
	return false;
}

/* First free run of @need bits at or behind @from, at a position that suits the alignment. */
static bool find_bits(
	const struct zl_cma_area *a, const struct zl_cma_alloc *alloc, uint64_t from, uint64_t *ret)
{
	uint64_t bits = zl_cma_area_bits(a->pages, a->order_per_bit);
	uint64_t need = ((alloc->pages - 1) >> a->order_per_bit) + 1;
	unsigned over =
		alloc->align_order > a->order_per_bit ? alloc->align_order - a->order_per_bit : 0;
	uint64_t mask = (UINT64_C(1) << over) - 1;
	uint64_t offset =
		(a->base_pfn & ((UINT64_C(1) << alloc->align_order) - 1)) >> a->order_per_bit;

	for (uint64_t at = ((from + offset + mask) & ~mask) - offset; at + need <= bits;) {
		uint64_t k = 0;

		while (k < need && a->used[at + k] == 0) {
			k++;
		}
		if (k == need) {
			*ret = at;
			return true;
		}
		at = ((at + k + 1 + offset + mask) & ~mask) - offset;
	}
	return false;
}

static void mark(struct zl_cma_area *a, uint64_t bit, uint64_t pages, uint8_t value)
{
	memset(a->used + bit, value, (size_t)((pages - 1) >> a->order_per_bit) + 1);
}

void zl_cma_area_alloc(struct zl_cma_area *a, struct zl_cma_alloc *alloc)
{
	unsigned over =
		alloc->align_order > a->order_per_bit ? alloc->align_order - a->order_per_bit : 0;
	uint64_t from = 0;
	uint64_t bit = 0;

	alloc->tries = 0;
	alloc->result = ZL_CMA_ENOMEM;
	if (alloc->pages == 0 || alloc->pages > a->pages || alloc->align_order > ORDER_LIMIT) {
		return;
	}
	while (find_bits(a, alloc, from, &bit)) {
		alloc->tries++;
		if (!pinned(a, bit << a->order_per_bit, alloc->pages)) {
			mark(a, bit, alloc->pages, 1);
			alloc->result = ZL_CMA_OK;
			alloc->start = bit << a->order_per_bit;
			return;
		}
		alloc->result = ZL_CMA_EBUSY;
		from = bit + (UINT64_C(1) << over);
	}
}

void zl_cma_area_release(struct zl_cma_area *a, const struct zl_cma_alloc *alloc)
{
	if (alloc->result == ZL_CMA_OK) {
		mark(a, alloc->start >> a->order_per_bit, alloc->pages, 0);
	}
}
