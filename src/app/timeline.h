/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that can be stood in anywhere: the ops, keyframes to replay from, a mark for what each op
 * did, and summaries for curves at any zoom.
 *
 * Two sims: one stands at `at`, where the user is; the other runs ahead and finds out what the
 * future holds, in slices, up to `known`. Op numbers count from 1; 0 is the start.
 *
 * Keyframes are copies that share memory with their neighbours. When a run keeps more bytes an op
 * than it should, or more than the budget, every second one goes and the distance doubles.
 */
#ifndef APP_TIMELINE_H
#define APP_TIMELINE_H

#include "meter.h"
#include "oplog.h"
#include "zonelab/error.h"
#include "zonelab/sim.h"

struct zl_scenario_op;

/** Bytes for everything that a run keeps. */
#define TIMELINE_BUDGET ((size_t)64 << 20)
/** Bytes an op that a run should keep, as long as going somewhere stays quick. */
#define TIMELINE_OP_BYTES 6u
#define TIMELINE_OPS_MAX  UINT64_C(50000000)
#define TIMELINE_NO_OP	  UINT64_MAX
/** Ops of one slice of computing between two looks at the keyboard. */
#define TIMELINE_SLICE 20000u
#define TIMELINE_CELLS 512
#define TIMELINE_NEAR  6

/** What an op did; bits, those of enum zl_did. */
enum timeline_mark {
	MARK_REFILL = ZL_DID_REFILL,
	MARK_FLUSH = ZL_DID_FLUSH,
	MARK_FLUSH_ONE = ZL_DID_FLUSH_ONE,
	MARK_DRAIN = ZL_DID_DRAIN,
	MARK_DECAY = ZL_DID_DECAY,
	MARK_FALLBACK = ZL_DID_FALLBACK,
	MARK_FAIL = ZL_DID_FAIL
};
#define MARK_ANY (MARK_REFILL | MARK_FLUSH | MARK_DRAIN | MARK_DECAY | MARK_FALLBACK | MARK_FAIL)

/**
 * Where ops come from. `next` returns 1 and an op, 0 at the end, or -errno with @err filled. `many`
 * may be NULL; it gives up to @max ops that are there already, 0 = ask `next`.
 */
struct op_feed {
	int (*next)(void *user, struct zl_op *ret, struct zl_error *err);
	size_t (*many)(void *user, struct zl_op *ret, size_t max);
	/* The same with the op's CPU, time and phase; NULL = it knows none. */
	int (*next_item)(void *user, struct zl_scenario_op *ret, struct zl_error *err);
	void (*done)(void *user); /* may be NULL */
	void *user;
	uint64_t total; /* ops that it will bring; 0 = not known */
};

/**
 * What ops did, for those that did something: most do not. Words of a bit an op, op 0 first; how
 * many bits are set before each word; and what those ops did.
 */
struct mark_list {
	uint64_t *word;
	uint32_t *before;
	size_t nr_words, max_words;
	uint8_t *did;
	size_t nr_did, max_did;
};

struct timeline_keyframe {
	uint64_t op;
	struct zl_sim *sim;
	bool pinned; /* a setting changes here: never thinned out */
};

/** Figures of one CPU's pageset in a bucket of ops: after the last, and the largest. */
struct timeline_entry {
	int32_t count, count_max, free_max;
	uint32_t cpu;
};

struct timeline_curve {
	unsigned shift;	 /* a bucket is 1 << shift ops */
	uint32_t *start; /* first entry of each bucket */
	size_t nr_buckets, max_buckets;
	struct timeline_entry *entry;
	size_t nr_entries, max_entries;
};

struct timeline {
	struct meter *meter;
	size_t budget;
	size_t base;	   /* of the meter, when the run began */
	unsigned op_bytes; /* that it should keep: of all runs on the meter that grow together */
	struct zl_sim_config config; /* at op 0 */
	struct op_feed feed;
	bool fed; /* the feed has ended */
	struct oplog log;
	struct zl_sim *ahead; /* stands at `known` */
	struct zl_sim *sim;   /* stands at `at` */
	uint64_t at, known;
	bool complete;	       /* nothing is left to find out */
	struct zl_error error; /* why it ended early; text "" = it did not */
	struct mark_list marks;
	struct timeline_curve curve;
	struct timeline_keyframe *key;
	size_t nr_keys, max_keys;
	uint64_t distance; /* of keyframes, a power of two */
	/*
	 * States on the way to where somebody went lately, the oldest at `next_near`: who goes
	 * somewhere looks around there.
	 */
	struct timeline_keyframe near[TIMELINE_NEAR];
	unsigned nr_near, next_near;
};

/**
 * A run that stands at its start. Takes the feed over, also when it fails.
 * Returns 0; -EINVAL with a sentence about the zone; -ENOMEM.
 */
int timeline_new(const struct zl_sim_config *config, const struct op_feed *feed,
	struct meter *meter, struct timeline **ret, struct zl_error *err);
/** NULL is allowed. */
void timeline_free(struct timeline *t);
/** Ops of the run: known exactly when it is complete, else what the feed promised. */
uint64_t timeline_total(const struct timeline *t);
/** Finds out up to @ops more. Returns 0, or -ENOMEM; a refused op ends the run (`error`). */
int timeline_advance(struct timeline *t, uint64_t ops);
/**
 * Goes to the state after op @op, at most the last. Works out the way there when it is not known.
 * Returns 0 or -ENOMEM; then nothing has moved.
 */
int timeline_seek(struct timeline *t, uint64_t op);
/** Op number @op, from 1; it must be known or in the log. */
void timeline_op(const struct timeline *t, uint64_t op, struct zl_op *ret);
/** Whether op @op is in the log, pulling it from the feed if need be. */
bool timeline_has(struct timeline *t, uint64_t op);
/** What a known op did; 0 for others. */
uint8_t timeline_marks(const struct timeline *t, uint64_t op);
/** The nearest known op after (before) @from with a mark of @mask; TIMELINE_NO_OP = none. */
uint64_t timeline_find(const struct timeline *t, uint64_t from, int direction, uint8_t mask);

/**
 * A second run: the same up to the present op, then @config (NULL = the same) and, before the ops
 * that follow, @insert (NULL = nothing). Stands at the present op, or after the inserted one.
 * The whole run is worked out again from op 0 when the change cannot happen to a living zone.
 */
int timeline_branch(struct timeline *t, const struct zl_sim_config *config,
	const struct zl_op *insert, struct timeline **ret, struct zl_error *err);

/**
 * The same ops under another configuration, from op 0 on; shares the list of ops and the meter.
 * Stands at the start. Returns 0; -EINVAL with a sentence about the zone; -ENOMEM.
 */
int timeline_again(struct timeline *t, const struct zl_sim_config *config, struct timeline **ret,
	struct zl_error *err);

/** The ops of a run as a feed of their own. Returns 0 or -ENOMEM. */
int timeline_feed(struct timeline *t, const struct zl_allocator *mem, struct op_feed *ret);

/** What one cell of a curve stands for. */
struct timeline_cell {
	int32_t count, free_count; /* largest in the cell; -1 = not known */
	uint8_t marks;		   /* of all ops in the cell */
};
/** A stretch of the run in cells of 1 << zoom ops, for one CPU; cell 0 starts at op `from`. */
struct timeline_window {
	uint64_t from;
	unsigned zoom, cpu, cells;
	uint64_t known; /* of the run when it was filled */
	struct timeline_cell cell[TIMELINE_CELLS];
};
/** Forgets all cells that have an op after this one. */
void timeline_hide(struct timeline_window *w, uint64_t op);
/** Fills the cells for the head of the window (from, zoom, cpu, cells). Returns 0 or -ENOMEM. */
int timeline_fill(struct timeline *t, struct timeline_window *w);

/** A figure of the state that a question can be asked about. */
struct timeline_probe {
	int64_t (*get)(const struct zl_sim *sim, void *user);
	void *user;
};
/**
 * The last op at or before the present one that changed a figure; 0 = it is as at the start.
 * TIMELINE_NO_OP without memory.
 */
uint64_t timeline_last_change(struct timeline *t, const struct timeline_probe *probe);

#endif
