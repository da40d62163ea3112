/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine that a scenario runs on: its own, changed by what the user gave.
 */
#ifndef APP_SCENARIO_MACHINE_H
#define APP_SCENARIO_MACHINE_H

#include "command.h"
#include "zonelab/machine.h"
#include "zonelab/scenario_run.h"

struct scenario_machine {
	struct zl_profile profile; /* owned */
	struct zl_machine machine;
	struct zl_diags diags;
	struct zl_sim_config config; /* of the zone that the scenario runs in */
	size_t zone;
	struct zl_system_config
		*system; /* of all zones, when the scenario runs in them; else NULL */
	const struct zl_allocator *mem;
};

/**
 * Derives it. @base is what the user has; its settings of origin FILE and above count, and its
 * zones when a file or --profile brought them. Else the scenario's `profile` is the start.
 *
 * Returns 0; -EINVAL with a sentence for a zone that cannot be run; -ENOENT for an unknown
 * profile; -ENOEXEC when the machine cannot be built; -ENOMEM. @ret is freed with
 * scenario_machine_free().
 */
int scenario_machine_new(const struct zl_profile *base, const struct zl_scenario *s,
	const struct zl_allocator *mem, struct scenario_machine **ret, struct zl_error *err);
/** Whether a file or a profile by name made the machine. */
bool scenario_brings_machine(const struct zl_profile *p);
/** NULL is allowed. */
void scenario_machine_free(struct scenario_machine *m);

/** Another value for a parameter, "NAME=VALUE". Returns 0 or -EINVAL with @err filled. */
int scenario_parameter(struct zl_scenario *s, const char *text, struct zl_error *err);

/**
 * What the options --short, --param (@args may be NULL) and the setting `seed` make of a scenario.
 * Returns 0 or -EINVAL with @err filled.
 */
int scenario_options(const struct command_args *args, const struct zl_settings *settings,
	struct zl_scenario *s, struct zl_expand_options *ret, struct zl_error *err);

#endif
