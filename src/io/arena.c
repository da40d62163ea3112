/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chunks in a list; the newest is filled first. Sizes are bytes.
 */
#include "arena.h"

#include <stdalign.h>
#include <string.h>

#define ARENA_CHUNK 16384u
/* Elements that a list has room for at first. */
#define ARENA_FIRST 16

struct chunk {
	struct chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
};

struct zl_arena {
	const struct zl_allocator *a;
	struct chunk *head;
};

struct zl_arena *zl_arena_new(const struct zl_allocator *a)
{
	struct zl_arena *arena = a->realloc(a->user, NULL, sizeof(*arena));

	if (arena != NULL) {
		*arena = (struct zl_arena){.a = a};
	}
	return arena;
}

void zl_arena_free(struct zl_arena *arena)
{
	if (arena == NULL) {
		return;
	}
	while (arena->head != NULL) {
		struct chunk *next = arena->head->next;

		arena->a->free(arena->a->user, arena->head);
		arena->head = next;
	}
	arena->a->free(arena->a->user, arena);
}

static struct chunk *chunk_add(struct zl_arena *arena, size_t size)
{
	size_t room = size > ARENA_CHUNK ? size : ARENA_CHUNK;
	struct chunk *c = arena->a->realloc(arena->a->user, NULL, sizeof(*c) + room);

	if (c == NULL) {
		return NULL;
	}
	c->used = 0;
	c->size = room;
	if (size > ARENA_CHUNK && arena->head != NULL) {
		/* A large block gets its own chunk; the open one stays in front. */
		c->next = arena->head->next;
		arena->head->next = c;
	} else {
		c->next = arena->head;
		arena->head = c;
	}
	return c;
}

void *zl_arena_alloc(struct zl_arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct chunk *c = arena->head;
	void *p;

	if (size > SIZE_MAX / 2) {
		return NULL;
	}
	size = (size + align - 1) / align * align;
	if (c == NULL || c->size - c->used < size) {
		c = chunk_add(arena, size);
		if (c == NULL) {
			return NULL;
		}
	}
	p = c->data + c->used;
	c->used += size;
	memset(p, 0, size);
	return p;
}

char *zl_arena_strn(struct zl_arena *arena, const char *s, size_t n)
{
	char *p = zl_arena_alloc(arena, n + 1);

	if (p != NULL) {
		memcpy(p, s, n);
	}
	return p;
}

void *zl_arena_grow(struct zl_arena *arena, void *old, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap == 0 ? ARENA_FIRST : *cap * 2;
	void *p;

	if (n < *cap) {
		return old;
	}
	p = arena != NULL ? zl_arena_alloc(arena, more * size) : NULL;
	if (p == NULL) {
		return NULL;
	}
	if (*cap > 0) {
		memcpy(p, old, *cap * size);
	}
	*cap = more;
	return p;
}
