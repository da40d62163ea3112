/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios from text, for tests.
 */
#ifndef TESTS_UNIT_SCENARIO_FIXTURE_H
#define TESTS_UNIT_SCENARIO_FIXTURE_H

#include "zonelab/scenario_file.h"

/* Reads a scenario whose text stands between {"kind": "scenario", "version": 1, "name": "t", and
 * the last brace; the test fails when it is refused. */
void scenario_from(const char *rest, struct zl_scenario *ret);
/* Fails unless it is refused at that line and column with a sentence that holds @sentence. */
void scenario_refused(const char *rest, unsigned line, unsigned column, const char *sentence);
/* Expands with @chunk ops a call and gives the op lines, joined by ";". */
void scenario_ops(const struct zl_scenario *s, const struct zl_expand_options *options,
	size_t chunk, struct zl_buf *ret);
/* The op lines of a text on @cpus CPUs must be these. */
void scenario_gives(const char *rest, unsigned cpus, const char *want);
/* The text must not run to its end; the sentence must be this. */
void scenario_stops(const char *rest, unsigned cpus, int want, const char *sentence);

#endif
