/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files inside the program: profiles, scenarios and lessons.
 */
#ifndef ZONELAB_SHIPPED_H
#define ZONELAB_SHIPPED_H

#include <stddef.h>
#include <stdint.h>

#include "zonelab/error.h"

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
/** The sentence for a word that is neither a file nor shipped: the nearest, or where to look. */
void zl_shipped_unknown(enum zl_shipped_kind kind, const char *name, struct zl_error *err);

#endif
