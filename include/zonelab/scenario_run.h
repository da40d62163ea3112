/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a scenario in a zone, and judging its assertions.
 */
#ifndef ZONELAB_SCENARIO_RUN_H
#define ZONELAB_SCENARIO_RUN_H

#include "zonelab/scenario.h"
#include "zonelab/workload.h"

/** What runs where. All of it must outlive the run. */
struct zl_scenario_start {
	const struct zl_scenario *scenario;
	struct zl_expand_options expand; /* `cpus` is taken from the zone */
	struct zl_sim_config config;
	const struct zl_system_config *system; /* all zones instead of that one; or NULL */
	const struct zl_allocator *mem;
};

/** What became of one assertion. */
struct zl_verdict {
	bool judged; /* false when the run ended before its scope did */
	bool held;
	uint64_t op;   /* after this op it does not hold any more; 0 = it did not at the start */
	char why[240]; /* "free_high is 3", or why it has no value */
};

struct zl_scenario_result {
	struct zl_run_result run;
	struct zl_verdict *verdict; /* one an assertion of the scenario; owned */
	uint32_t failed;	    /* of them */
	uint32_t wrapped_cpu;	    /* a CPU number beyond the zone's, ZL_NONE = none */
};

/**
 * Runs a scenario from its start and judges its assertions. One that fails costs a second run,
 * to find the op from which on it does not hold.
 *
 * Returns 0, also when assertions fail; -EINVAL, -ERANGE, -EDOM, -EDEADLK or -E2BIG for a scenario
 * or zone that cannot be run; -EILSEQ when an invariant does not hold, which is a fault of ours;
 * what `write` returned; -ENOMEM.
 */
int zl_scenario_run(const struct zl_scenario_start *start, const struct zl_run_options *options,
	struct zl_scenario_result *ret, struct zl_error *err);
/** Accepts a zeroed result. */
void zl_scenario_result_done(struct zl_scenario_result *r, const struct zl_allocator *mem);

/**
 * All ops of a scenario as an op list for that zone; running it gives the same digest.
 * Returns as zl_scenario_run() does; -E2BIG above ZL_WORKLOAD_OPS_MAX. @ret is freed with
 * zl_workload_done().
 */
int zl_scenario_workload(
	const struct zl_scenario_start *start, struct zl_workload *ret, struct zl_error *err);

#endif
