/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario as a run that can be stood in: its ops as they are asked for.
 */
#ifndef APP_SCENARIO_FEED_H
#define APP_SCENARIO_FEED_H

#include "timeline.h"
#include "zonelab/scenario.h"

/** What a scenario says on its way: a caption from an op on, a stop before it. */
struct run_note {
	uint64_t op;	  /* the next op, from 1 */
	uint32_t caption; /* text of the scenario, ZL_NONE = as before */
	uint32_t stop;	  /* ZL_NONE = none */
};
struct run_notes {
	const struct zl_allocator *mem;
	struct run_note *note; /* owned, by op */
	size_t n, max;
};
void run_notes_done(struct run_notes *notes);
/** From here on a feed writes its notes down; they must outlive it. */
void scenario_feed_note(struct op_feed *feed, struct run_notes *notes);

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

#endif
