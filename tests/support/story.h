/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run that the explorer opens with, for tests and benchmarks. What goes wrong ends the program.
 */
#ifndef TESTS_SUPPORT_STORY_H
#define TESTS_SUPPORT_STORY_H

#include "timeline.h"

/** Its zone. */
void story_config(struct zl_sim_config *ret);
/** Its ops. */
int story_feed(const struct zl_allocator *mem, struct op_feed *ret);

#endif
