/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run --at OP` and `--record FILE`: a run stood in, without a terminal.
 */
#ifndef APP_RUN_AT_H
#define APP_RUN_AT_H

#include "command.h"
#include "zonelab/workload.h"

/** Whether the options ask for it. */
bool run_at_wanted(const struct command_args *args);
/** Opens the op list on the Pagesets screen at the op; records when asked to. */
enum exit_status run_at(struct app *app, const struct command_args *args,
	const struct zl_workload *w, struct output *out);

#endif
