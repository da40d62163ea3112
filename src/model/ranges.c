/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorted ranges and the search for free memory among them. Ends are exclusive; an end that would
 * pass 2^64 is cut to 2^64 - 1.
 */
#include "zonelab/ranges.h"

#include <string.h>

#define FIRST_NODE 0

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t zl_round_down(uint64_t v, uint64_t align)
{
	return align > 1 ? v - v % align : v;
}

uint64_t zl_round_up(uint64_t v, uint64_t align)
{
	uint64_t down = zl_round_down(v, align);

	if (down == v) {
		return v;
	}
	return align > UINT64_MAX - down ? down : down + align;
}

static void insert(struct zl_ranges *r, size_t at, struct zl_range range)
{
	if (r->count == ZL_RANGES_MAX) {
		r->full = true;
		return;
	}
	memmove(&r->item[at + 1], &r->item[at], (r->count - at) * sizeof(r->item[0]));
	r->item[at] = range;
	r->count++;
}

static void drop(struct zl_ranges *r, size_t at, size_t n)
{
	memmove(&r->item[at], &r->item[at + n], (r->count - at - n) * sizeof(r->item[0]));
	r->count -= n;
}

void zl_ranges_add(struct zl_ranges *r, uint64_t base, uint64_t size)
{
	uint64_t end = zl_range_end(base, size);
	size_t first = 0;
	size_t last;

	if (size == 0) {
		return;
	}
	while (first < r->count && zl_range_end(r->item[first].base, r->item[first].size) < base) {
		first++;
	}
	last = first;
	while (last < r->count && r->item[last].base <= end) {
		base = min_u64(base, r->item[last].base);
		end = max_u64(end, zl_range_end(r->item[last].base, r->item[last].size));
		last++;
	}
	if (last > first) {
		r->item[first] = (struct zl_range){.base = base, .size = end - base};
		drop(r, first + 1, last - first - 1);
	} else {
		insert(r, first, (struct zl_range){.base = base, .size = end - base});
	}
}

void zl_ranges_remove(struct zl_ranges *r, uint64_t base, uint64_t size)
{
	uint64_t end = zl_range_end(base, size);

	for (size_t i = 0; i < r->count && size > 0;) {
		uint64_t a = r->item[i].base;
		uint64_t b = zl_range_end(a, r->item[i].size);

		if (b <= base || a >= end) {
			i++;
		} else if (a < base && b > end) {
			r->item[i].size = base - a;
			insert(r, i + 1, (struct zl_range){.base = end, .size = b - end});
			return;
		} else if (a < base) {
			r->item[i].size = base - a;
			i++;
		} else if (b > end) {
			r->item[i] = (struct zl_range){.base = end, .size = b - end};
			i++;
		} else {
			drop(r, i, 1);
		}
	}
}

bool zl_ranges_overlap(const struct zl_ranges *r, uint64_t base, uint64_t size)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->item[i].base < zl_range_end(base, size) &&
			zl_range_end(r->item[i].base, r->item[i].size) > base) {
			return size > 0;
		}
	}
	return false;
}

bool zl_ranges_contain(const struct zl_ranges *r, uint64_t base, uint64_t size)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->item[i].base <= base && zl_range_end(r->item[i].base, r->item[i].size) >=
						       zl_range_end(base, size)) {
			return true;
		}
	}
	return size == 0;
}

uint64_t zl_ranges_total(const struct zl_ranges *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->count; i++) {
		sum = zl_range_end(sum, r->item[i].size);
	}
	return sum;
}

void zl_memory_holes(const struct zl_memory_map *map, struct zl_ranges *ret)
{
	*ret = map->banks;
	for (size_t i = 0; i < map->reserved.count; i++) {
		zl_ranges_remove(ret, map->reserved.item[i].base, map->reserved.item[i].size);
	}
}

uint64_t zl_memory_end(const struct zl_memory_map *map)
{
	const struct zl_range *last;

	if (map->banks.count == 0) {
		return 0;
	}
	last = &map->banks.item[map->banks.count - 1];
	return zl_range_end(last->base, last->size);
}

int zl_memory_node(const struct zl_memory_map *map, uint64_t address)
{
	for (size_t i = 0; i < map->nr_node_ranges; i++) {
		const struct zl_node_range *n = &map->node_range[i];

		if (address >= n->base && address < zl_range_end(n->base, n->size)) {
			return (int)n->node;
		}
	}
	return map->nr_node_ranges == 0 && map->known ? FIRST_NODE : -1;
}

/* Narrows a hole to the search. Returns false when nothing of it is left. */
static bool clamp(const struct zl_memory_map *map, const struct zl_search *s, struct zl_range *hole)
{
	uint64_t begin = max_u64(hole->base, max_u64(s->start, map->page_size));
	uint64_t end = zl_range_end(hole->base, hole->size);

	if (s->end != 0) {
		end = min_u64(end, s->end);
	}
	if (begin >= end) {
		return false;
	}
	*hole = (struct zl_range){.base = begin, .size = end - begin};
	return true;
}

static bool fits(const struct zl_range *hole, const struct zl_search *s, uint64_t *ret)
{
	uint64_t end = zl_range_end(hole->base, hole->size);
	uint64_t base;

	if (hole->size < s->size || s->size == 0) {
		return false;
	}
	/* As the kernel rounds, which takes every alignment for a power of two. */
	uint64_t mask = s->align > 0 ? s->align - 1 : 0;
	base = s->top_down ? (end - s->size) & ~mask : ((hole->base - 1) | mask) + 1;
	if (base < hole->base || base > end - s->size) {
		return false;
	}
	*ret = base;
	return true;
}

/* Looks at one hole, in the parts that belong to the wanted node. */
static bool try_hole(const struct zl_memory_map *map, const struct zl_search *s,
	const struct zl_range *hole, uint64_t *ret)
{
	bool found = false;

	if (s->node == ZL_ANY_NODE || map->nr_node_ranges == 0) {
		return fits(hole, s, ret);
	}
	for (size_t i = 0; i < map->nr_node_ranges; i++) {
		const struct zl_node_range *n = &map->node_range[i];
		uint64_t begin = max_u64(hole->base, n->base);
		uint64_t end = min_u64(
			zl_range_end(hole->base, hole->size), zl_range_end(n->base, n->size));
		struct zl_range part = {.base = begin, .size = end > begin ? end - begin : 0};
		uint64_t at;

		if ((int)n->node != s->node || !fits(&part, s, &at)) {
			continue;
		}
		if (!found || (s->top_down ? at > *ret : at < *ret)) {
			*ret = at;
			found = true;
		}
	}
	return found;
}

bool zl_memory_find(const struct zl_memory_map *map, const struct zl_search *s, uint64_t *ret)
{
	struct zl_ranges holes;

	zl_memory_holes(map, &holes);
	for (size_t k = 0; k < holes.count; k++) {
		struct zl_range hole = holes.item[s->top_down ? holes.count - 1 - k : k];

		if (clamp(map, s, &hole) && try_hole(map, s, &hole, ret)) {
			return true;
		}
	}
	return false;
}

struct zl_hole zl_memory_largest_hole(
	const struct zl_memory_map *map, uint64_t align, uint64_t start, uint64_t end)
{
	const struct zl_search s = {.start = start, .end = end};
	struct zl_hole best = {.size = 0};
	struct zl_ranges holes;

	zl_memory_holes(map, &holes);
	for (size_t i = 0; i < holes.count; i++) {
		struct zl_range hole = holes.item[i];
		uint64_t first;
		uint64_t last;

		if (!clamp(map, &s, &hole)) {
			continue;
		}
		first = zl_round_up(hole.base, align);
		last = zl_round_down(zl_range_end(hole.base, hole.size), align);
		last = last > first ? last : first;
		if (last - first > best.aligned_size ||
			(best.aligned_size == 0 && last == first && hole.size > best.size)) {
			best = (struct zl_hole){.base = hole.base,
				.size = hole.size,
				.aligned_base = first,
				.aligned_size = last - first};
		}
	}
	return best;
}
