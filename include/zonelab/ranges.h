/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of physical addresses, and a memory map made of them: banks, what is reserved in them,
 * and the limits that decide where the next reservation lands. Addresses and sizes are bytes.
 */
#ifndef ZONELAB_RANGES_H
#define ZONELAB_RANGES_H

#include "zonelab/types.h"

#define ZL_RANGES_MAX	   512
#define ZL_NODE_RANGES_MAX 64
#define ZL_BOUNDARIES_MAX  4

struct zl_range {
	uint64_t base, size;
};

/** The byte behind a range; above 2^64 it is cut. */
static inline uint64_t zl_range_end(uint64_t base, uint64_t size)
{
	return size > UINT64_MAX - base ? UINT64_MAX : base + size;
}

/** Ascending and disjoint; neighbours that touch are one. */
struct zl_ranges {
	size_t count;
	bool full; /* something found no room and is missing */
	struct zl_range item[ZL_RANGES_MAX];
};

/** Adds a range; an end above 2^64 is cut. */
void zl_ranges_add(struct zl_ranges *r, uint64_t base, uint64_t size);
void zl_ranges_remove(struct zl_ranges *r, uint64_t base, uint64_t size);
/** True when any byte of the range is in. */
bool zl_ranges_overlap(const struct zl_ranges *r, uint64_t base, uint64_t size);
/** True when every byte of the range is in. */
bool zl_ranges_contain(const struct zl_ranges *r, uint64_t base, uint64_t size);
uint64_t zl_ranges_total(const struct zl_ranges *r);

/** Memory as a kernel finds it when it reserves. */
struct zl_memory_map {
	bool known;	/* banks were given; without them nothing can be placed */
	bool top_down;	/* direction of memblock at that time */
	bool phys64;	/* 64-bit phys_addr_t */
	unsigned nodes; /* NUMA nodes, at least 1 when known */
	uint64_t page_size;
	struct zl_ranges banks;
	struct zl_ranges reserved;
	uint64_t dma_limit;	/* most that the default area may end at; 0 = none */
	uint64_t highmem_start; /* 0 = no high memory */
	size_t nr_boundaries;	/* addresses that a zone ends at: no area may cross one */
	uint64_t boundary[ZL_BOUNDARIES_MAX];
	size_t nr_node_ranges; /* which node memory belongs to, when there are several */
	struct zl_node_range {
		uint64_t base, size;
		unsigned node;
	} node_range[ZL_NODE_RANGES_MAX];
};

#define ZL_ANY_NODE (-1)

/** Where to look: [start, end) with end 0 = no end. */
struct zl_search {
	uint64_t size, align; /* align is a power of two or not; 0 counts as 1 */
	uint64_t start, end;
	int node;
	bool top_down;
};

/**
 * Finds free memory as memblock does; the first page of memory is never given.
 * Returns true with the address; false when no hole is large enough.
 * Source: mm/memblock.c, memblock_find_in_range_node(), v6.12.
 * Simplified: mirrored and hot-pluggable memory are not told apart.
 */
bool zl_memory_find(const struct zl_memory_map *map, const struct zl_search *s, uint64_t *ret);

/** The free part of memory with the most room for aligned pools. */
struct zl_hole {
	uint64_t base, size;   /* the whole hole */
	uint64_t aligned_base; /* first aligned address in it */
	uint64_t aligned_size; /* multiple of the alignment; 0 = none fits */
};
/** Largest hole inside [start, end) (end 0 = no end), counted in whole @align units. */
struct zl_hole zl_memory_largest_hole(
	const struct zl_memory_map *map, uint64_t align, uint64_t start, uint64_t end);
/** Holes (banks without reservations), ascending. */
void zl_memory_holes(const struct zl_memory_map *map, struct zl_ranges *ret);
/** End of the last bank, 0 without banks. */
uint64_t zl_memory_end(const struct zl_memory_map *map);
/** Node of an address, -1 when it is in no node range. */
int zl_memory_node(const struct zl_memory_map *map, uint64_t address);

uint64_t zl_round_down(uint64_t v, uint64_t align);
/** Saturates at the largest multiple. */
uint64_t zl_round_up(uint64_t v, uint64_t align);

#endif
