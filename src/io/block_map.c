/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing; a removed entry is filled from behind, so there are no tombstones. */
#include "block_map.h"

#include <string.h>

#define SIZE_START  1024u
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define HASH_SHIFT  20

static size_t start_of(const struct block_map *m, uint64_t key)
{
	return (size_t)((key * HASH_FACTOR) >> HASH_SHIFT) & (m->size - 1);
}

static size_t slot_of(const struct block_map *m, uint64_t key)
{
	size_t i = start_of(m, key);

	while (m->slot[i].key != 0 && m->slot[i].key != key) {
		i = (i + 1) & (m->size - 1);
	}
	return i;
}

struct block *block_find(const struct block_map *m, uint64_t pfn)
{
	struct block *b;

	if (m->size == 0) {
		return NULL;
	}
	b = &m->slot[slot_of(m, pfn + 1)];
	return b->key != 0 ? b : NULL;
}

static bool rebuild(struct block_map *m)
{
	struct block_map old = *m;
	size_t size = old.size == 0 ? SIZE_START : old.size * 2;

	m->slot = m->mem->realloc(m->mem->user, NULL, size * sizeof(*m->slot));
	if (m->slot == NULL) {
		m->slot = old.slot;
		return false;
	}
	memset(m->slot, 0, size * sizeof(*m->slot));
	m->size = size;
	for (size_t i = 0; i < old.size; i++) {
		if (old.slot[i].key != 0) {
			m->slot[slot_of(m, old.slot[i].key)] = old.slot[i];
		}
	}
	m->mem->free(m->mem->user, old.slot);
	return true;
}

struct block *block_put(struct block_map *m, uint64_t pfn)
{
	struct block *b = block_find(m, pfn);

	if (b != NULL) {
		return b;
	}
	if ((m->used + 1) * 3 > m->size * 2 && !rebuild(m)) {
		return NULL;
	}
	b = &m->slot[slot_of(m, pfn + 1)];
	memset(b, 0, sizeof(*b));
	b->key = pfn + 1;
	m->used++;
	return b;
}

void block_remove(struct block_map *m, uint64_t pfn)
{
	struct block *b = block_find(m, pfn);
	size_t hole, i;

	if (b == NULL) {
		return;
	}
	hole = (size_t)(b - m->slot);
	i = hole;
	for (;;) {
		size_t home;

		i = (i + 1) & (m->size - 1);
		if (m->slot[i].key == 0) {
			break;
		}
		home = start_of(m, m->slot[i].key);
		/* It may move back unless its home lies between the hole and its place. */
		if (((i - home) & (m->size - 1)) >= ((i - hole) & (m->size - 1))) {
			m->slot[hole] = m->slot[i];
			hole = i;
		}
	}
	m->slot[hole].key = 0;
	m->used--;
}

void block_map_done(struct block_map *m)
{
	if (m->mem != NULL) {
		m->mem->free(m->mem->user, m->slot);
	}
	m->slot = NULL;
	m->size = m->used = 0;
}
