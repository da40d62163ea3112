/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run --at OP` and `--record FILE`: a run stood in, without a terminal.
 */
#ifndef APP_RUN_AT_H
#define APP_RUN_AT_H

#include "command.h"
#include "timeline.h"

/** Whether the options ask for it. */
bool run_at_wanted(const struct command_args *args);
/** A run to be stood in. */
struct run_at_what {
	const char *title;
	const struct zl_sim_config *config;
	struct op_feed feed; /* taken over */
};
/** Opens it on the Pagesets screen at the op; records when asked to. */
enum exit_status run_at(struct app *app, const struct command_args *args,
	const struct run_at_what *what, struct output *out);

#endif
