/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is given back all at once: what a reader builds lives as long as the document.
 */
#ifndef ZONELAB_IO_ARENA_H
#define ZONELAB_IO_ARENA_H

#include "zonelab/types.h"

struct zl_arena;

/** Returns NULL without memory. @a must outlive the arena. */
struct zl_arena *zl_arena_new(const struct zl_allocator *a);
/** Accepts NULL. */
void zl_arena_free(struct zl_arena *arena);
/** Zeroed memory, aligned for any object; NULL without memory. */
void *zl_arena_alloc(struct zl_arena *arena, size_t size);
/** A terminated copy of @n bytes; NULL without memory. */
char *zl_arena_strn(struct zl_arena *arena, const char *s, size_t n);
/**
 * Room for element @n (at most one beyond *@cap) of a list with elements of @size bytes: @old
 * while there is room, else a copy twice as large; NULL without memory (@old stays).
 */
void *zl_arena_grow(struct zl_arena *arena, void *old, size_t n, size_t *cap, size_t size);

#endif
