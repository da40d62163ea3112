/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded trace with the machine that it was recorded on: what was given (files, --profile,
 * --set) are facts of that machine here, and what-ifs are lanes.
 */
#ifndef APP_REPLAY_JOB_H
#define APP_REPLAY_JOB_H

#include "comparison.h"
#include "lane_spec.h"
#include "zonelab/replay.h"

struct replay_job {
	const struct zl_allocator *mem;
	char path[256];
	char name[64]; /* of the trace, without folders */
	struct zl_recording *recording;
	struct zl_profile profile; /* owned */
	struct zl_machine machine;
	struct zl_diags diags;
	size_t zone;
	char zone_name[32]; /* "Node 0, zone DMA32" */
	char kernel[64];
	struct zl_replay_where where;
	struct zl_replay_result result;
	uint64_t in_zone, elsewhere;   /* events */
	uint64_t events[ZL_ZONES_MAX]; /* of each zone of the machine, as far as files place it */
};

struct replay_ask {
	const char *path;
	const char *zone; /* "DMA32" or "0/DMA32"; NULL = the one with most events */
	const struct zl_patience *patience;
};

/**
 * Reads a trace, finds its zone on the user's machine and judges the replay there.
 * Returns 0 (also when stopped: result.complete); -ENOKEY when the kernel is missing; -ENOEXEC
 * when the machine cannot be built; -EINVAL and others with @err filled. @ret is freed with
 * replay_job_free().
 */
int replay_job_new(const struct app *app, const struct replay_ask *ask, struct replay_job **ret,
	struct zl_error *err);
/** NULL is allowed. */
void replay_job_free(struct replay_job *j);

/** The zone of the recorded machine as another machine has it. Returns 0 or -EINVAL. */
int replay_job_config(const struct replay_job *j, const struct zl_profile *p,
	struct zl_sim_config *ret, struct zl_error *err);
/** Rules that a machine replaces, borrowed from its profile; NULL = none. */
static inline const struct zl_policy_set *replay_policies(const struct zl_profile *p)
{
	return p->policies.count > 0 ? &p->policies : NULL;
}
/** Line of the trace that an op of the demand comes from, from 1 on; 0 = none. Reads up to it. */
unsigned replay_job_line(const struct replay_job *j, uint64_t op);
/** The ops of a replay as a run. */
int replay_job_feed(const struct replay_job *j, struct op_feed *ret, struct zl_error *err);

/** The recorded machine and what-ifs on the same demand. */
struct replay_lanes {
	unsigned n; /* the recorded machine is lane 0 */
	struct lane_spec spec[COMPARE_LANES];
	struct zl_profile profile[COMPARE_LANES]; /* owned, from 1 on */
	struct zl_sim_config config[COMPARE_LANES];
	struct comparison *comparison;
	struct compare_total total[COMPARE_TOTALS]; /* of the demand alone */
	size_t nr_totals;
	uint64_t start_ops;
	uint64_t start_frees[COMPARE_LANES];
	unsigned first_line; /* of the trace, of the first divergence; 0 = none */
	bool complete;
};
/** @text: lanes as `--lane` has them. Returns 0, -EINVAL and so on with @err filled. */
int replay_lanes_new(const struct replay_job *j, const char *const *text, unsigned n,
	struct replay_lanes **ret, struct zl_error *err);
/** Runs them; the cost of each counts from the demand on. Returns 0 or -ENOMEM. */
int replay_lanes_run(struct replay_lanes *l, const struct replay_job *j,
	const struct zl_patience *patience, struct zl_error *err);
void replay_lanes_free(struct replay_lanes *l, const struct zl_allocator *mem);

#endif
