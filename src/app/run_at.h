/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run --at OP`, `--record FILE` and `--strip OP,OP,...`: a run stood in, without a terminal.
 */
#ifndef APP_RUN_AT_H
#define APP_RUN_AT_H

#include "command.h"
#include "timeline.h"
#include "zonelab/scenario.h"

/** Most moments of a strip. */
#define RUN_AT_STRIP_MAX 30

/** Whether the options ask for it. */
bool run_at_wanted(const struct command_args *args);
/** A run to be stood in: a scenario, or an op list in its zone. */
struct run_at_what {
	const char *name;
	struct zl_scenario *scenario; /* taken over; NULL = a list */
	const struct zl_expand_options *options;
	const struct zl_sim_config *config; /* of a list */
	struct op_feed feed;		    /* of a list; taken over */
};
/** Opens it on the Pagesets screen at the op; records when asked to. */
enum exit_status run_at(struct app *app, const struct command_args *args,
	const struct run_at_what *what, struct output *out);

/** The same for a run of several zones, in its largest one; args' first word is the run. */
enum exit_status run_at_zones(
	struct app *app, const struct command_args *args, bool list, struct output *out);

#endif
