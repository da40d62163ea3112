/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files inside the program: profiles, scenarios and lessons.
 */
#ifndef ZONELAB_SHIPPED_H
#define ZONELAB_SHIPPED_H

#include <stddef.h>
#include <stdint.h>

#include "zonelab/file.h"

enum zl_shipped_kind {
	ZL_SHIPPED_PROFILES,  /* sorted by name */
	ZL_SHIPPED_SCENARIOS, /* sorted by name */
	ZL_SHIPPED_LESSONS,   /* in the order in which they build on each other */
};

/** A file inside the program; its text ends in a NUL that @size does not count. */
struct zl_shipped {
	const char *name;
	const char *text;
	size_t size;
};

size_t zl_shipped_count(enum zl_shipped_kind kind);
/** NULL past the last. */
const struct zl_shipped *zl_shipped_at(enum zl_shipped_kind kind, size_t i);
/** Index by name, SIZE_MAX if there is none. */
size_t zl_shipped_find(enum zl_shipped_kind kind, const char *name);
/**
 * The text of that name, else the file of that path.
 * Returns what zl_file_load() does; @err names the nearest shipped one where there is no file.
 */
int zl_shipped_load(enum zl_shipped_kind kind, const char *name_or_path,
	const struct zl_allocator *mem, struct zl_file *ret, struct zl_error *err);

#endif
