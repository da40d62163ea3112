/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words shared by every part of the model. Names are the kernel's own
 * (include/linux/mmzone.h); sizes are in bytes or pages, as each comment says.
 */
#ifndef ZONELAB_TYPES_H
#define ZONELAB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Largest order that any architecture of the table can configure (nios2 up to 6.3). */
#define ZL_MAX_ORDER_LIMIT 19
/** PAGE_ALLOC_COSTLY_ORDER: orders 0..3 live on pagesets. Source: include/linux/mmzone.h, v6.18. */
#define ZL_COSTLY_ORDER 3

/**
 * Migratetypes, in the model's own fixed numbering.
 *
 * Without CONFIG_CMA the kernel numbers ISOLATE 4; use zl_migratetype_kernel_id() when a
 * number is printed for a tracepoint.
 * Source: include/linux/mmzone.h, enum migratetype, v6.18.
 */
enum zl_migratetype {
	ZL_MIGRATE_UNMOVABLE,
	ZL_MIGRATE_MOVABLE,
	ZL_MIGRATE_RECLAIMABLE,
	ZL_MIGRATE_HIGHATOMIC,
	ZL_MIGRATE_CMA,
	ZL_MIGRATE_ISOLATE,
	ZL_MIGRATE_COUNT
};

/** Migratetypes that have pageset lists: UNMOVABLE, MOVABLE, RECLAIMABLE. */
#define ZL_MIGRATE_PCPTYPES 3

/** A memory source that the caller provides; both functions behave like realloc and free. */
struct zl_allocator {
	void *(*realloc)(void *user, void *ptr, size_t size);
	void (*free)(void *user, void *ptr);
	void *user;
};

/** Letter of a migratetype: U M R H C I. */
char zl_migratetype_letter(enum zl_migratetype mt);
/** Lower-case kernel name: "unmovable", "movable", ... */
const char *zl_migratetype_name(enum zl_migratetype mt);
/** Number that this kernel prints: ISOLATE is 4 without CMA, 5 with it. */
unsigned zl_migratetype_kernel_id(enum zl_migratetype mt, bool cma);

#endif
