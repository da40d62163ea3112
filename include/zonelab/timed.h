/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario in the time of its cost estimate: each CPU does what its programs say, and who comes
 * next is decided by clocks that holds, waits and links move on. The state is that of another
 * order of ops than the scripted one, so lanes align by CPU and by the CPU's own ops.
 *
 * How many blocks a refill asks for and a drain gives is fixed when the CPU asks for the lock; the
 * lock is served in the order of asking. From 6.19 on each chunk of a drain asks anew.
 *
 * Simplified: the chunks of one drain change the buddy together, when the first is asked for.
 */
#ifndef ZONELAB_TIMED_H
#define ZONELAB_TIMED_H

#include "zonelab/estimate.h"

/** What runs; all of it must outlive the run. */
struct zl_timed {
	const struct zl_scenario *scenario;
	struct zl_expand_options expand; /* `cpus` is taken from the zone */
	struct zl_sim_config config;
	struct zl_costs costs;
	unsigned cpus_per_node; /* 0 = all on one node */
	int64_t end_ns;		/* of virtual time; 0 = to the scenario's end */
	bool with_free_lock;	/* a second run, with a lock that costs nothing */
	bool check;		/* invariants, at the end */
	const struct zl_allocator *mem;
	bool (*stop)(void *user); /* asked now and then; true ends the run; may be NULL */
	void *user;
};

struct zl_timed_result {
	struct zl_estimate_result estimate;
	struct zl_estimate *lanes; /* for zl_estimate_lane(); owned */
	uint64_t ops, digest;
	struct zl_totals totals;
	int32_t max_count, max_high; /* largest of any running pageset after any op */
	int32_t final_count;
	int64_t final_buddy_free;
	uint32_t wrapped_cpu; /* ZL_NONE = none */
	bool complete;	      /* false when `stop` ended it */
};

/**
 * Runs a scenario; with `with_free_lock` twice, for what the lock takes away.
 * Returns as zl_scenario_run() does; assertions are not judged. @ret is freed with
 * zl_timed_result_done().
 */
int zl_timed_run(const struct zl_timed *t, struct zl_timed_result *ret, struct zl_error *err);
/** Accepts a zeroed result. */
void zl_timed_result_done(struct zl_timed_result *r);

#endif
