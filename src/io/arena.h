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
/** Bytes asked for so far. */
size_t zl_arena_used(const struct zl_arena *arena);

#endif
