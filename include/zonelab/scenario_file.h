/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenario files: JSON in and out, and the scenarios that are shipped with the program.
 * zonelab-scenario(5) describes every key.
 */
#ifndef ZONELAB_SCENARIO_FILE_H
#define ZONELAB_SCENARIO_FILE_H

#include "zonelab/buffer.h"
#include "zonelab/json.h"
#include "zonelab/scenario.h"

/** Longest scenario file, in bytes. */
#define ZL_SCENARIO_FILE_MAX (UINT64_C(16) << 20)

/**
 * Reads a scenario. Everything is checked that does not depend on the machine: keys, types,
 * ranges, names, expressions.
 * Returns 0; -EINVAL or -E2BIG with line, column and the path of the value; -ENOMEM.
 */
int zl_scenario_parse(const char *text, size_t size, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err);
/** The same from a file, "-" for standard input. @err names the file. */
int zl_scenario_load(const char *path, const struct zl_allocator *mem, struct zl_scenario *ret,
	struct zl_error *err);
/** Whether a JSON text is a scenario: its "kind" says so. */
bool zl_scenario_probe(const char *text, size_t size);
/** Writes it; reading that back gives a scenario that expands to the same ops. */
void zl_scenario_write(const struct zl_scenario *s, struct zl_buf *ret);

/** A scenario inside the program. */
struct zl_shipped {
	const char *name;
	const char *text;
	size_t size;
};
size_t zl_shipped_scenario_count(void);
/** Sorted by name; the default one is zl_shipped_scenario_default(). */
const struct zl_shipped *zl_shipped_scenario(size_t i);
/** NULL when there is none of that name. */
const struct zl_shipped *zl_shipped_scenario_find(const char *name);
const char *zl_shipped_scenario_default(void);

/** A shipped scenario by name, else a file. @err names the nearest shipped one. */
int zl_scenario_open(const char *name_or_path, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err);

#endif
