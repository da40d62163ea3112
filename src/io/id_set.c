/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing; grown when two thirds of the slots were used. */
#include "id_set.h"

#include <errno.h>
#include <string.h>

#define SLOT_EMPTY   0u
#define SLOT_REMOVED 1u
#define SLOT_FIRST   2u
#define SIZE_START   1024u
#define HASH_FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define HASH_SHIFT   32

static size_t start_of(const struct id_set *s, uint32_t id)
{
	return (size_t)((id * HASH_FACTOR) >> HASH_SHIFT) & (s->size - 1);
}

/* Slot of an id, or the size when it is not in the set. */
static size_t find(const struct id_set *s, uint32_t id)
{
	if (s->size == 0) {
		return s->size;
	}
	for (size_t i = start_of(s, id); s->slot[i] != SLOT_EMPTY; i = (i + 1) & (s->size - 1)) {
		if (s->slot[i] == (uint64_t)id + SLOT_FIRST) {
			return i;
		}
	}
	return s->size;
}

bool id_set_has(const struct id_set *s, uint32_t id)
{
	return find(s, id) != s->size;
}

static void put(struct id_set *s, uint32_t id)
{
	size_t i = start_of(s, id);

	while (s->slot[i] > SLOT_REMOVED) {
		i = (i + 1) & (s->size - 1);
	}
	s->used += s->slot[i] == SLOT_EMPTY;
	s->slot[i] = (uint64_t)id + SLOT_FIRST;
}

/* A new table of twice the live ids at least; removed slots vanish. */
static int rebuild(struct id_set *s)
{
	struct id_set old = *s;
	size_t live = 0;

	for (size_t i = 0; i < old.size; i++) {
		live += old.slot[i] > SLOT_REMOVED;
	}
	s->size = SIZE_START;
	while (s->size < 4 * live) {
		s->size *= 2;
	}
	s->slot = s->mem->realloc(s->mem->user, NULL, s->size * sizeof(*s->slot));
	if (s->slot == NULL) {
		*s = old;
		return -ENOMEM;
	}
	memset(s->slot, 0, s->size * sizeof(*s->slot));
	s->used = 0;
	for (size_t i = 0; i < old.size; i++) {
		if (old.slot[i] > SLOT_REMOVED) {
			put(s, (uint32_t)(old.slot[i] - SLOT_FIRST));
		}
	}
	s->mem->free(s->mem->user, old.slot);
	return 0;
}

int id_set_add(struct id_set *s, uint32_t id)
{
	if (3 * (s->used + 1) > 2 * s->size && rebuild(s) != 0) {
		return -ENOMEM;
	}
	put(s, id);
	return 0;
}

void id_set_remove(struct id_set *s, uint32_t id)
{
	size_t i = find(s, id);

	if (i != s->size) {
		s->slot[i] = SLOT_REMOVED;
	}
}

void id_set_done(struct id_set *s)
{
	if (s->slot != NULL) {
		s->mem->free(s->mem->user, s->slot);
	}
	s->slot = NULL;
	s->size = 0;
	s->used = 0;
}
