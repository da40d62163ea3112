/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of blocks, by their first page frame; and pageblock types by index. */
#ifndef IO_BLOCK_MAP_H
#define IO_BLOCK_MAP_H

#include "zonelab/types.h"

enum block_state { BLOCK_USED, BLOCK_PARKED };

struct block {
	uint64_t key; /* page frame + 1; 0 = an empty slot */
	uint32_t id;
	uint32_t epoch; /* of the list, when it came there */
	uint16_t cpu;	/* whose pageset; of a used block whose free is held back: that CPU + 1 */
	uint8_t state, list, order;
	bool freed; /* came to its list by a free */
};

struct block_map {
	const struct zl_allocator *mem;
	struct block *slot;
	size_t size, used;
};
struct block *block_find(const struct block_map *m, uint64_t pfn);
/** The entry of a block, made if need be (all zero); NULL without memory. Others may move. */
struct block *block_put(struct block_map *m, uint64_t pfn);
void block_remove(struct block_map *m, uint64_t pfn);
void block_map_done(struct block_map *m);

#endif
