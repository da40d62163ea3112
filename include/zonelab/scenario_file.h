/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenario files: JSON in and out, and the way to a shipped one by its name.
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
/** Writes it; reading that back gives a scenario that expands to the same ops. */
void zl_scenario_write(const struct zl_scenario *s, struct zl_buf *ret);

/** The shipped scenario of those who name none. */
const char *zl_shipped_scenario_default(void);
/** The same for those who brought a machine: it has none of its own. */
const char *zl_shipped_scenario_anywhere(void);

/** A shipped scenario by name, else a file ("-": standard input). @err names it, or the nearest. */
int zl_scenario_open(const char *name_or_path, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err);

#endif
