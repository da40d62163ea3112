/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two to four lanes of one scenario, run in step: every lane gets the same op, then the next.
 *
 * Two forms. A stream keeps nothing but the lanes' zones, totals and the first divergences, so
 * that runs of any length take the same memory. A seekable one keeps a timeline a lane and which
 * lanes agree at each op, so that a screen can stand anywhere.
 *
 * Lanes may be different machines. The ops are expanded once, for the fewest CPUs of all lanes.
 * An op that one lane's zone refuses (an order it does not have) is left out there, counted, and
 * is a divergence; frees of what was never allocated do nothing.
 *
 * Op numbers count from 1; 0 is the start.
 */
#ifndef APP_COMPARISON_H
#define APP_COMPARISON_H

#include "app.h"
#include "meter.h"
#include "scenario_machine.h"
#include "timeline.h"
#include "zonelab/estimate.h"
#include "zonelab/outcome.h"
#include "zonelab/workload.h"

#define COMPARE_LANES APP_LANES
/** Pairs of lanes. */
#define COMPARE_PAIRS 6
/** Stretches of differing that are kept to be listed. */
#define COMPARE_STRETCHES 8
/** Ops of the feed that are there at once; more than lanes are ever apart. */
#define COMPARE_AHEAD 256
#define COMPARE_WHY   400

/**
 * Which lanes agree at an op: two bits a lane from the lowest on, the first lane that it agrees
 * with. 0 = all agree.
 */
typedef uint8_t compare_pattern;
static inline unsigned compare_class(compare_pattern p, unsigned lane)
{
	return (unsigned)p >> 2 * lane & 3u;
}

struct compare_lane {
	char name[16];
	char kernel[64];
	struct scenario_machine *machine; /* NULL for an op list; owned */
	struct zl_sim_config config;
	struct zl_diags diags;
	struct zl_pageset_view limits; /* of CPU 0 at the start */
	/* a stream: the zone after op `known`; seekable: NULL */
	struct zl_sim *sim;
	/* seekable: the run, standing at `at`; a stream: NULL */
	struct timeline *t;
	struct zl_record record; /* seekable: of op `at` */
	struct zl_outcome outcome;
	struct zl_estimate *estimate; /* NULL = none was asked for */
	struct zl_costs costs;	      /* of it */
	uint64_t taken;		      /* ops that were given to it */
	uint64_t refused;	      /* of these, how many its zone does not know */
	uint64_t first_refused;	      /* op; 0 = none */
	char refused_why[160];
};

/** A stretch of ops on which the same lanes differ. */
struct compare_stretch {
	uint64_t op, last;
	compare_pattern pattern;
};
/** An op on which two lanes differ that never did before, and what all did there. */
struct compare_first {
	uint64_t op;
	compare_pattern pattern;
	struct zl_record record[COMPARE_LANES];
};
/** Two lanes, over the whole run. */
struct compare_pair {
	uint64_t ops;	      /* on which they differ */
	uint64_t first, last; /* of these; 0 = none */
};

struct comparison {
	struct meter meter;
	unsigned nr_lanes;
	struct compare_lane lane[COMPARE_LANES];
	unsigned cpus; /* that the ops were expanded for */
	struct op_feed feed;
	bool fed;
	struct zl_scenario_op pulled[COMPARE_AHEAD]; /* the last ops of the feed */
	uint64_t nr_pulled;
	uint64_t known; /* ops that all lanes have run */
	uint64_t from;	/* of these, before comparison_begin(); what differs counts from there */
	uint64_t at;	/* seekable: where all lanes stand */
	bool complete;
	struct zl_error error; /* why it ended early; text "" = it did not */
	bool seekable;
	compare_pattern *pattern; /* seekable: of op i at [i - 1] */
	size_t max_pattern;
	compare_pattern last_pattern; /* of op `known` */
	uint64_t differ;	      /* ops on which not all agree */
	uint64_t nr_stretches;
	struct compare_stretch stretch[COMPARE_STRETCHES];	/* the first ones */
	struct compare_pair pair[COMPARE_LANES][COMPARE_LANES]; /* [a][b], a < b */
	struct compare_first first[COMPARE_PAIRS];		/* in order of op */
	unsigned nr_first;
};

/** What is compared. One of scenario, workload and feed is set. */
struct compare_what {
	struct zl_scenario *scenario; /* taken over, also on failure */
	struct zl_expand_options expand;
	const struct zl_workload *workload; /* its ops are copied */
	const struct op_feed *feed;	    /* any ops; taken over, also on failure */
	const struct zl_sim_config *config[COMPARE_LANES]; /* with a feed: the zones as they are */
	unsigned nr_lanes;
	const char *name[COMPARE_LANES];
	/** The users' machine of each lane: as scenario_machine_new() takes it. */
	const struct zl_profile *profile[COMPARE_LANES];
	bool estimate; /* of cost, as overlay; a quarter as fast */
	bool seekable;
	size_t budget; /* of a seekable one; 0 = TIMELINE_BUDGET */
};

/**
 * Makes the lanes; all stand at the start.
 * Returns 0; -EINVAL with a sentence that names the lane; -ENOENT, -ENOEXEC as
 * scenario_machine_new() does; -ENOMEM. @ret is freed with comparison_free().
 */
int comparison_new(const struct compare_what *what, const struct zl_allocator *mem,
	struct comparison **ret, struct zl_error *err);
/** NULL is allowed. */
void comparison_free(struct comparison *c);

/**
 * A stream: what the lanes did until here brought them where they start. What differs, and the
 * number of an op in it, counts from here on; with @what.estimate so does the cost. Once.
 * Returns 0 or -ENOMEM.
 */
int comparison_begin(struct comparison *c, const struct compare_what *what, struct zl_error *err);
/** Ops that count so far. */
static inline uint64_t comparison_counted(const struct comparison *c)
{
	return c->known - c->from;
}
/** Runs up to @ops more in every lane. Returns 0 or -ENOMEM. */
int comparison_advance(struct comparison *c, uint64_t ops);
/** Ops of the run: exact when it is complete, else what is promised; 0 = not known yet. */
uint64_t comparison_total(const struct comparison *c);
/** The zone of a lane after op `known`. */
const struct zl_sim *comparison_sim(const struct comparison *c, unsigned lane);

/** Seekable: all lanes go to the state after an op. Returns 0 or -ENOMEM. */
int comparison_seek(struct comparison *c, uint64_t op);
/** Seekable: which lanes agree at a known op. */
compare_pattern comparison_pattern(const struct comparison *c, uint64_t op);
/**
 * Seekable: the nearest known op after (before) @from where a stretch of differing begins;
 * TIMELINE_NO_OP = none.
 */
uint64_t comparison_find(const struct comparison *c, uint64_t from, int direction);

/** A lane and what it did on an op. */
struct compare_seen {
	unsigned lane;
	const struct zl_record *record;
};
/**
 * Why two lanes differ on an op, as one or two sentences: "free_high: A compares free_count 64
 * with batch 63, B with 354 = batch 63 + high_min 583 / 2 (since 6.16, c544a952ba61)."
 * Returns the length; 0 when they do not differ.
 */
size_t comparison_why(const struct comparison *c, struct compare_seen a, struct compare_seen b,
	char *buf, size_t size);
/**
 * The two lanes that a first divergence is best explained by: ones that never differed before,
 * and in what they did rather than in what they left.
 */
void comparison_pair(const struct comparison *c, const struct compare_first *f,
	struct compare_seen *ret_a, struct compare_seen *ret_b);
/** "A from B, C": who differs in a pattern. Returns the length. */
size_t comparison_who(const struct comparison *c, compare_pattern p, char *buf, size_t size);

/** How the values of a row are written. */
enum compare_form { COMPARE_COUNT, COMPARE_PERMILLE, COMPARE_NS };
/** Value of a row that says when something came first: it never did. */
#define COMPARE_NEVER INT64_MAX
/** A row of the table of totals. */
struct compare_total {
	const char *name; /* of the metric, or as in the answer of `run` */
	const char *unit; /* "pages", "" */
	enum compare_form form;
	bool estimate; /* the model's estimate of cost */
	int64_t value[COMPARE_LANES];
	bool same; /* in all lanes */
};
#define COMPARE_TOTALS 48
/** Totals so far, of all lanes. Returns how many. */
size_t comparison_totals(const struct comparison *c, struct compare_total ret[COMPARE_TOTALS]);
/** Writes a value of a row: "22 528", "84.3 %", "never". Returns the length. */
size_t compare_value(enum compare_form form, int64_t v, char *buf, size_t size);
/** What `run` says about a lane. */
void comparison_result(const struct comparison *c, unsigned lane, struct zl_run_result *ret);
/** A value for machines: the number, and for what never came null and "never". */
void compare_value_json(struct zl_json *o, const char *key, int64_t v);
size_t compare_value_csv(int64_t v, char *buf, size_t size);
/** "+37", "-0.1 %", "=" when nothing changed; "" where one of both never came. */
size_t compare_difference(
	enum compare_form form, int64_t base, int64_t value, char *buf, size_t size);
/** "-3.9 %", "5.1x", "=", "new": @value relative to @base. Returns the length. */
size_t compare_relative(int64_t base, int64_t value, char *buf, size_t size);

#endif
