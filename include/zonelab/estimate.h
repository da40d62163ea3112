/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost estimate: an exact run of the allocator as virtual time. What an op does is the sim's;
 * here its holds of the zone lock get a length, wait for each other, and are summed up. An
 * estimate of a model, never a measurement: `explain estimate` says what it can say.
 *
 * Time is in picoseconds, signed, without fractions: same ops and costs, same result everywhere.
 * Each CPU has a clock. One lock, first come first served:
 *
 *   start = max(arrival, free_at) + lock_ns + move      wait = start - arrival - lock_ns
 *   move  = 0 if the last owner was this CPU, else far * lines; lines = 1 if the lock was free at
 *           arrival, handover_lines if not; far = llc_ns, line_ns or node_ns, by where the last
 *           owner is
 *   hold  = hold_ns + each block taken: take_ns, and line_ns from order 1 on
 *                   + each block given: give_ns, and line_ns * (1 + merges) from order 1 on
 *
 * An op on the pageset costs hit_ns besides. The costs of the lock are multiplied by the
 * machine's lock_cost_percent.
 *
 * Overlay: ops come in the order of a script, each at its scripted time plus all that costs and
 * waits have added on its CPU so far. A request that is older than one served before it waits as
 * usual and counts as an order inversion. Timed (zonelab/timed.h): the caller lets this time
 * decide which CPU goes on.
 *
 * The first fifth of the time is warm-up and does not count (in overlay, where the end is not
 * known beforehand, the fifth is rounded up to at most 1/64 of the time).
 *
 * Simplified: one zone; no preemption, no paravirtual locks, no interrupts; the lock of a pageset
 * is free; zeroing, faults, copies and TLB flushes are work, never hold.
 */
#ifndef ZONELAB_ESTIMATE_H
#define ZONELAB_ESTIMATE_H

#include "zonelab/costs.h"
#include "zonelab/scenario.h"
#include "zonelab/sim.h"

/** Powers of two of a histogram: bucket 0 is below 1 ns, bucket b is 2^(b-1) .. 2^b - 1 ns. */
#define ZL_ESTIMATE_BUCKETS 36
/** Pieces of time that are summed up apart. */
#define ZL_ESTIMATE_SLOTS 128
/** Longest virtual time, about 26 days; later ops count as if they were then. */
#define ZL_ESTIMATE_NS_MAX (INT64_MAX / 4000)

/** Durations of one kind. */
struct zl_durations {
	uint64_t n;
	int64_t sum_ps, max_ps;
	uint64_t histogram[ZL_ESTIMATE_BUCKETS];
};

struct zl_estimate_options {
	struct zl_costs costs;
	unsigned cpus;
	unsigned cpus_per_node; /* 0 = all on one node */
	bool timed;
	int64_t end_ns; /* timed: what comes later does not count; 0 = all counts */
};

/** What is in the way of more. */
enum zl_saturated { ZL_SATURATED_WORK, ZL_SATURATED_LOCK, ZL_SATURATED_LINK, ZL_SATURATED_COUNT };

/** Sums over the time that counts. */
struct zl_estimate_result {
	bool timed;
	int64_t end_ps;	   /* when the last CPU was done */
	int64_t window_ps; /* that counts */
	unsigned cpus;	   /* that did anything */
	uint64_t ops;
	uint64_t blocks, pages; /* allocated */
	uint64_t free_high;	/* flushes */
	uint64_t takes;		/* of the zone lock, by cause as well */
	uint64_t cause[ZL_LOCK_CAUSE_COUNT];
	uint64_t contended; /* takes that found the lock held */
	uint64_t order_inversions;
	uint32_t longest_hold_pages;
	struct zl_durations hold, wait,
		refill; /* refill: wait and hold, as its run time is traced */
	int64_t longest_move_ps;
	int64_t held_ps;	  /* of the window */
	int64_t busy_ps;	  /* held, or on its way from CPU to CPU */
	int64_t base_ps, lost_ps; /* of all CPUs: script and hits; waits and holds */
	int64_t link_ps;	  /* that the links were in use, set by the timed run */
	unsigned links;
	/* timed: blocks of the same run with a lock that costs nothing, and its end, 0 = cut short */
	uint64_t free_lock_blocks;
	int64_t free_lock_end_ps;
};

/** Time that one CPU held the lock and waited for it, in each slot. */
struct zl_estimate_lane {
	unsigned cpu;
	unsigned slots; /* that the run reached */
	int64_t slot_ps;
	const int64_t *hold_ps, *wait_ps;
};

struct zl_estimate;

/** Returns 0; -EINVAL without CPUs; -ENOMEM. */
int zl_estimate_new(const struct zl_estimate_options *options, const struct zl_allocator *mem,
	struct zl_estimate **ret);
/** NULL is allowed. Not while it is attached to a living sim. */
void zl_estimate_free(struct zl_estimate *e);
/** Watches a sim from here on; once. The estimate must outlive the sim, or be detached. */
void zl_estimate_attach(struct zl_estimate *e, struct zl_sim *sim);
void zl_estimate_detach(struct zl_estimate *e, struct zl_sim *sim);

/**
 * Overlay: takes in the op that the sim has just performed. Ops of one phase after those of
 * another: all CPUs start it together, when the last was done.
 * Returns 0 or -ENOMEM.
 */
int zl_estimate_op(
	struct zl_estimate *e, const struct zl_sim *sim, const struct zl_scenario_op *op);

/**
 * Timed: takes in the op that was just performed, whose CPU's clock is at op->t_ns, up to where it
 * asks for the lock. @ret_ns is how long that took. @ret_more says that it does ask: call
 * zl_estimate_again() when the CPU's clock is there, which goes on to the next time it asks.
 * Returns 0 or -ENOMEM.
 */
int zl_estimate_timed(struct zl_estimate *e, const struct zl_sim *sim,
	const struct zl_scenario_op *op, int64_t *ret_ns, bool *ret_more);
void zl_estimate_again(
	struct zl_estimate *e, uint32_t cpu, int64_t t_ns, int64_t *ret_ns, bool *ret_more);

void zl_estimate_result(const struct zl_estimate *e, struct zl_estimate_result *ret);
/** The lane of a CPU; false when it never took the lock. */
bool zl_estimate_lane(const struct zl_estimate *e, unsigned cpu, struct zl_estimate_lane *ret);

/* Figures in 1/1000, rounded; 0 where there is nothing to divide by. */
/** Time that the lock was held. */
unsigned zl_estimate_held(const struct zl_estimate_result *r);
/** Takes that found it held. */
unsigned zl_estimate_contended(const struct zl_estimate_result *r);
/** Against the same run with a lock that costs nothing. */
unsigned zl_estimate_throughput(const struct zl_estimate_result *r);
enum zl_saturated zl_estimate_saturated(const struct zl_estimate_result *r);
/** "work", "lock", "link". */
const char *zl_saturated_name(enum zl_saturated s);
/** Mean of durations in nanoseconds, rounded. */
int64_t zl_durations_mean_ns(const struct zl_durations *d);
int64_t zl_durations_max_ns(const struct zl_durations *d);

#endif
