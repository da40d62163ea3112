/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hunt: the workload on which two lanes differ most in one total. Seeded and bounded: random
 * loads, changed a little where that helps, then shrunk to few steps and small numbers. A load is
 * written as a scenario, and only that scenario is run, so what is found is what a file gives.
 */
#ifndef APP_HUNT_H
#define APP_HUNT_H

#include "compare_lanes.h"
#include "zonelab/buffer.h"

#define HUNT_STEPS   6
#define HUNT_OPS_MAX 6000u /* of one load */
#define HUNT_TRIES   600u  /* when nothing else is said */

enum hunt_kind { HUNT_ALLOC, HUNT_FREE, HUNT_TICK, HUNT_DRAIN, HUNT_KINDS };

/** One line of a load. */
struct hunt_step {
	enum hunt_kind kind;
	unsigned order;
	enum zl_migratetype mt;
	unsigned count;
	bool newest; /* a free takes the newest block, not the oldest */
};

/**
 * Steps in a loop on cpu 0. With `apart`, the frees are on cpu 1, which gets the blocks over a
 * queue and does nothing else.
 */
struct hunt_load {
	unsigned nr_steps;
	struct hunt_step step[HUNT_STEPS];
	unsigned cycles;
	bool apart;
};

/** What a hunt found. */
struct hunt_result {
	struct hunt_load load;
	int64_t value[2]; /* of the total, by lane */
	uint64_t score;	  /* how far they are apart */
	uint64_t found;	  /* the same before the load was shrunk */
	unsigned tries;	  /* loads that were run, shrinking included */
	unsigned broken;  /* of them, those that ended before their end: they have no value */
	char why[320];	  /* the first of these */
	bool stopped;	  /* the user wanted an end */
};

struct hunt {
	const struct compare_lanes *l;
	const char *metric; /* name of a total */
	uint64_t seed;
	unsigned tries;
};

/** Returns 0; -errno with @err filled when a lane cannot run. */
int hunt_run(const struct hunt *h, struct hunt_result *ret, struct zl_error *err);

/**
 * The load as a scenario. With a result, the machine of the lane with the larger value and an
 * assertion that holds there and not in the other lane.
 */
void hunt_write(const struct hunt *h, const struct hunt_load *load, const struct hunt_result *r,
	struct zl_buf *ret);
/** Its steps in words, a line each. */
void hunt_words(const struct hunt_load *load, struct zl_buf *ret);

#endif
