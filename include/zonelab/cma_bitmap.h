/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside a CMA area: the list of free runs that a failed cma_alloc() prints, which requests would
 * fit, and a list of allocations played over an area with pages that cannot be moved.
 */
#ifndef ZONELAB_CMA_BITMAP_H
#define ZONELAB_CMA_BITMAP_H

#include "zonelab/types.h"

#define ZL_CMA_RUNS_MAX	  512
#define ZL_CMA_PINS_MAX	  256
#define ZL_CMA_ALLOCS_MAX 256
#define ZL_CMA_BITS_MAX	  (1u << 22) /* pages of an area that is played */

/** Free pages [start, start + pages) of an area, counted from its first page. */
struct zl_cma_run {
	uint64_t start, pages;
};

/** "number of available pages: 4@572+7@585=> 357 free of 2048 total pages" */
struct zl_cma_runs {
	size_t count;
	bool cut;	  /* more runs than are kept */
	uint64_t free;	  /* as printed */
	uint64_t total;	  /* as printed */
	uint64_t sum;	  /* of the runs */
	uint64_t longest; /* run */
	struct zl_cma_run run[ZL_CMA_RUNS_MAX];
};

/**
 * Reads a run list; @text may begin before it.
 * Returns 0, or -EINVAL when there is none.
 * Source: mm/cma.c, cma_debug_show_areas(), v6.12.
 */
int zl_cma_runs_parse(const char *text, size_t size, struct zl_cma_runs *ret);

/**
 * Whether @pages pages fit a run, aligned to 2^@align_order pages.
 * @base_pfn  of the area: alignment is that of the pfn, not of the bit
 * Returns true with the first page in *ret_start.
 */
bool zl_cma_runs_fit(const struct zl_cma_runs *runs, uint64_t base_pfn, uint64_t pages,
	unsigned align_order, uint64_t *ret_start);
/** Largest request that fits without alignment, and with the alignment that its size asks for. */
uint64_t zl_cma_runs_largest(
	const struct zl_cma_runs *runs, uint64_t base_pfn, unsigned align_cap, bool aligned);

/** Order of the alignment that dma_alloc asks for: get_order(size), at most CONFIG_CMA_ALIGNMENT. */
unsigned zl_cma_align_order(uint64_t pages, unsigned align_cap);

/** Why an allocation failed. */
enum zl_cma_result {
	ZL_CMA_OK,
	ZL_CMA_ENOMEM, /* no run is long enough */
	ZL_CMA_EBUSY,  /* there are runs, but pages in them cannot be moved */
	ZL_CMA_RESULT_COUNT
};
const char *zl_cma_result_name(enum zl_cma_result r);

/** An area being played. Counts are pages. */
struct zl_cma_area {
	uint64_t base_pfn, pages;
	unsigned order_per_bit;
	uint8_t *used; /* a byte for each bit of the kernel's bitmap; owned by the caller */
	size_t nr_pins;
	struct zl_cma_run pin[ZL_CMA_PINS_MAX]; /* pages that cannot be moved */
};
struct zl_cma_alloc {
	uint64_t pages;
	unsigned align_order;
	enum zl_cma_result result;
	uint64_t start; /* first page, when OK */
	unsigned tries; /* runs that were tried */
};
/**
 * One cma_alloc().
 * Source: mm/cma.c, cma_range_alloc() and cma_alloc(), v6.12 and v6.18.
 * Simplified: a pinned page always answers -EBUSY; other errors do not occur.
 */
void zl_cma_area_alloc(struct zl_cma_area *area, struct zl_cma_alloc *alloc);
/** Frees what an OK allocation took. */
void zl_cma_area_release(struct zl_cma_area *area, const struct zl_cma_alloc *alloc);
/** Bits that @used must hold. */
uint64_t zl_cma_area_bits(uint64_t pages, unsigned order_per_bit);

/* --- how large a pool must be --- */

#define ZL_DEMANDS_MAX 64

/** Buffers of one kind. */
struct zl_demand {
	char what[48];		/* as asked: "1920x1080:NV12:6" */
	uint64_t width, height; /* 0 = a plain size */
	uint64_t bytes;		/* of one buffer */
	uint64_t count;
};
struct zl_demand_plan {
	uint64_t buffers;
	uint64_t buffer_bytes; /* asked, without rounding */
	uint64_t packed_bytes; /* up to the end of the last buffer, first fit */
	uint64_t pool_bytes;   /* rounded up to the area's alignment */
	uint64_t largest_bytes;
};
/**
 * Reads "WIDTHxHEIGHT:FORMAT:COUNT[xSTREAMS]", or "SIZE:COUNT"; FORMAT is a fourcc-like name (NV12,
 * XR24, RGB565 ...), or a codec (H264, HEVC, VP9, AV1) whose COUNT is the number of streams.
 * Returns 0, -EINVAL or -ERANGE.
 */
int zl_demand_parse(const char *text, struct zl_demand *ret);
/** What buffers and pools are rounded to. */
struct zl_demand_rule {
	uint64_t page_size;
	unsigned align_cap;  /* CONFIG_CMA_ALIGNMENT, by default 8 */
	uint64_t area_align; /* CMA_MIN_ALIGNMENT_BYTES */
};
/**
 * Packs the buffers first-fit in the order given, each aligned as cma_alloc() aligns it.
 * Returns 0 or -ERANGE when the sum is above 2^50 bytes or 2^20 buffers.
 */
int zl_demand_pack(const struct zl_demand *demand, size_t n, const struct zl_demand_rule *rule,
	struct zl_demand_plan *ret);

#endif
