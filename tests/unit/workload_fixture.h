/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists from texts.
 */
#ifndef TESTS_UNIT_WORKLOAD_FIXTURE_H
#define TESTS_UNIT_WORKLOAD_FIXTURE_H

#include "zonelab/workload.h"

/** Reads a text; returns what the reader does. */
int workload_read(const char *text, struct zl_workload *w, struct zl_error *err);
/** Written, it has these ops in its text, and read back it is written the same again. */
void workload_assert_written(const struct zl_workload *w, const char *ops);
/** The text is refused with a sentence that has @part, at @column of @line. */
void workload_assert_refused(const char *text, unsigned line, unsigned column, const char *part);

#endif
