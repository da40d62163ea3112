/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario as a run that can be stood in: its ops as they are asked for.
 */
#ifndef APP_SCENARIO_FEED_H
#define APP_SCENARIO_FEED_H

#include "timeline.h"
#include "zonelab/scenario.h"

/**
 * A feed over a scenario, which must outlive it.
 * `total` is known for runs of up to a million ops.
 * Returns 0, or as zl_expand_new() does.
 */
int scenario_feed_of(const struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct op_feed *ret, struct zl_error *err);
/** The same, and takes @s over, also when it fails. */
int scenario_feed(struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct op_feed *ret, struct zl_error *err);

/** The next op of such a feed with its time and phase. Returns as op_feed.next does. */
int scenario_feed_item(
	const struct op_feed *feed, struct zl_scenario_op *ret, struct zl_error *err);
/** Whether a CPU number was beyond the machine's so far and wrapped; which one. */
bool scenario_feed_wrapped(const struct op_feed *feed, uint32_t *ret_cpu);

#endif
