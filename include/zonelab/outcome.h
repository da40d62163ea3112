/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the same op did the same in two zones, and which columns of its records differ.
 *
 * Two runs diverge on an op when what it did or what it left differs: result, pages, refills,
 * drains, locks, lists, free blocks. Limits and counters of the rules (high, free_count, ...)
 * differ from the start under different settings and say nothing by themselves; they are columns
 * too, but no divergence.
 */
#ifndef ZONELAB_OUTCOME_H
#define ZONELAB_OUTCOME_H

#include "zonelab/sim.h"

enum zl_outcome_column {
	/* what the op did */
	ZL_OUTCOME_OP, /* refused in one zone, so another op ran there */
	ZL_OUTCOME_RESULT,
	ZL_OUTCOME_PFN,
	ZL_OUTCOME_REFILL,
	ZL_OUTCOME_FREE_HIGH,
	ZL_OUTCOME_DRAINED,
	ZL_OUTCOME_BULK_CALLS,
	ZL_OUTCOME_ZONE_LOCKS,
	ZL_OUTCOME_LONGEST_HOLD,
	ZL_OUTCOME_FALLBACK,
	ZL_OUTCOME_MERGES,
	/* what it left */
	ZL_OUTCOME_COUNT,
	ZL_OUTCOME_LISTS,
	ZL_OUTCOME_BUDDY_FREE,
	ZL_OUTCOME_BUDDY,
	/* the rules' own figures */
	ZL_OUTCOME_HIGH,
	ZL_OUTCOME_HIGH_MIN,
	ZL_OUTCOME_HIGH_MAX,
	ZL_OUTCOME_BATCH,
	ZL_OUTCOME_FREE_COUNT,
	ZL_OUTCOME_FREE_FACTOR,
	ZL_OUTCOME_ALLOC_FACTOR,
	ZL_OUTCOME_FLAGS,
	ZL_OUTCOME_EFF_HIGH,
	ZL_OUTCOME_TO_FREE,
	ZL_OUTCOME_THRESHOLD,
	ZL_OUTCOME_CEILING,
	ZL_OUTCOME_COLUMNS
};
/** The columns that make a divergence. */
#define ZL_OUTCOME_DIVERGES ((UINT32_C(1) << (ZL_OUTCOME_BUDDY + 1)) - 1)

/** "free_high": the name in a trace. */
const char *zl_outcome_name(enum zl_outcome_column c);
/** Columns that differ, as bits. */
uint32_t zl_outcome_differs(const struct zl_record *a, const struct zl_record *b);
/** Writes the value of a column; "" where the design has none. Returns the length. */
size_t zl_outcome_value(
	enum zl_outcome_column c, const struct zl_record *r, char *buf, size_t size);

/** What is kept up from op to op. */
struct zl_outcome {
	const struct zl_sim *sim;
	uint64_t first_free_high;    /* which free flushed first, 0 = none */
	int32_t max_count, max_high; /* of the running CPU's pageset after any op */
	uint64_t buddy[ZL_MAX_ORDER_LIMIT + 1];
};
/** Starts at the present state; the sim must outlive it. */
void zl_outcome_start(struct zl_outcome *o, const struct zl_sim *sim);
/** After every op. */
void zl_outcome_note(struct zl_outcome *o);
/**
 * Whether the last ops of two sims make no divergence: the same answer as zl_outcome_differs()
 * gives for their records, without making records.
 */
bool zl_outcome_same(const struct zl_outcome *a, const struct zl_outcome *b);

/** Lanes that zl_outcome_run() takes. */
#define ZL_OUTCOME_LANES 4

/** Lanes that get the same ops, one by one: two bits a lane say whom it agrees with. */
struct zl_outcome_lanes {
	struct zl_sim *sim[ZL_OUTCOME_LANES];
	struct zl_outcome *outcome[ZL_OUTCOME_LANES];
	unsigned n;
	uint8_t pattern; /* after the last op that all have run; 0 = all agree */
	/* Filled: what each lane did, whose `done` differ by one after an error. */
	struct zl_glance glance[ZL_OUTCOME_LANES];
};
/** Which lanes agree on the op that all have just run: the first lane that each agrees with. */
uint8_t zl_outcome_pattern(const struct zl_outcome_lanes *l);
/**
 * Runs up to @n ops, ZL_GLANCE_OPS at most, in every lane in step, and stops after one that changes
 * the pattern. Only allocations and frees; all lanes must have run at least one op. Returns 0 or
 * what zl_sim_apply() says in the lane that failed first; *ret_done ops were run by all.
 */
int zl_outcome_run(struct zl_outcome_lanes *l, const struct zl_op *ops, size_t n, size_t *ret_done);

#endif
