/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a command line asks to be compared: lanes, and a scenario or op list that is opened for
 * each run.
 */
#ifndef APP_COMPARE_LANES_H
#define APP_COMPARE_LANES_H

#include "command.h"
#include "comparison.h"
#include "lane_spec.h"

struct compare_lanes {
	struct app *app;
	const struct command_args *args;
	struct output *out; /* whose user waits, and may want an end */
	unsigned runs;	    /* of the whole answer, for progress; 0 = one */
	unsigned n;
	struct lane_spec spec[COMPARE_LANES];
	struct zl_profile profile[COMPARE_LANES]; /* owned */
	struct zl_workload workload;		  /* ops NULL = a scenario */
	char name[64], title[160];
	char question[ZL_SCENARIO_TEXT_MAX];
	char seed[24];
	uint64_t first_seed;
};

/**
 * Reads lanes and what is run. Returns 0; -EINVAL, -ENOENT and so on with @err filled; -ENOMEM.
 * @ret is freed with compare_lanes_free(), also on failure when it is not NULL.
 */
int compare_lanes_new(struct app *app, const struct command_args *args, struct output *out,
	struct compare_lanes **ret);
/** The same for a command without a scenario: the lanes alone. */
int compare_lanes_of(struct app *app, const struct command_args *args, struct output *out,
	struct compare_lanes **ret);
/** NULL is allowed. */
void compare_lanes_free(struct compare_lanes *l);

/**
 * Runs the lanes with a seed that much after the first one; when the user wants it to end, `ret`
 * is not complete.
 */
int compare_lanes_run(const struct compare_lanes *l, unsigned seed, struct comparison **ret,
	struct zl_error *err);
/** The same with other profiles in place of the lanes'; @run is which one of `runs` it is. */
int compare_profiles_run(const struct compare_lanes *l, const struct compare_what *profiles,
	unsigned run, struct comparison **ret, struct zl_error *err);

#endif
