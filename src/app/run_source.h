/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run is made of: a scenario, which brings a machine that lanes change, or an op list,
 * whose zone is its own.
 */
#ifndef APP_RUN_SOURCE_H
#define APP_RUN_SOURCE_H

#include "app.h"
#include "scenario_machine.h"
#include "timeline.h"

struct run_source {
	char name[256]; /* what it was opened by: a shipped scenario or a file; "" = nothing */
	bool list;
	struct zl_scenario scenario; /* owned; not of a list */
	struct zl_expand_options options;
	struct zl_sim_config base; /* of a list */
};

void run_source_done(struct run_source *s);

/** The zone that a run is in. */
struct run_zone {
	struct scenario_machine *machine; /* that a scenario's zone is on; owned; NULL for a list */
	struct zl_sim_config config;
};

/**
 * The zone under a lane's settings; on a list's zone release and what-ifs are laid.
 *
 * Returns 0; 1 when the lane's machine cannot run the scenario: then the scenario's own machine
 * is used with the lane's release and pageset settings, and @err says why; -errno with @err.
 */
int run_source_zone(const struct run_source *s, const struct lane *lane,
	const struct zl_allocator *mem, struct run_zone *ret, struct zl_error *err);
/**
 * A profile without what a lane lays on a zone that lives: pageset settings and policies. The
 * release stays. Returns 0, or -ENOMEM with nothing in @ret to free.
 */
int run_source_untuned(
	const struct zl_profile *from, const struct zl_allocator *mem, struct zl_profile *ret);
/** The ops on @cpus CPUs; the source must outlive the feed. Not for lists. */
int run_source_feed(const struct run_source *s, unsigned cpus, const struct zl_allocator *mem,
	struct op_feed *ret, struct zl_error *err);
/** A copy of a scenario, which the caller frees. Returns 0 or -ENOMEM. */
int run_source_copy(const struct run_source *s, const struct zl_allocator *mem,
	struct zl_scenario *ret, struct zl_error *err);
/** "iperf 64 GiB/24": name, managed memory and CPUs. */
void run_title(const char *name, const struct zl_sim_config *c, char *buf, size_t size);
uint64_t run_source_seed(const struct run_source *s);
/** Whether the two zones are the same in all that a run depends on. */
bool run_same_zone(const struct zl_sim_config *a, const struct zl_sim_config *b);

#endif
