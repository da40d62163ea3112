/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An estimate in progress: clocks of CPUs, the lock, and sums over pieces of time.
 */
#ifndef MODEL_ESTIMATE_STATE_H
#define MODEL_ESTIMATE_STATE_H

#include "zonelab/estimate.h"

#define PS_PER_NS	  1000
#define ESTIMATE_PIECES	  100		   /* of a timed run */
#define ESTIMATE_WARM_UP  5		   /* one part in so many does not count */
#define ESTIMATE_FIRST_PS INT64_C(1000000) /* first width of a slot in overlay */
#define ESTIMATE_NO_OWNER UINT32_MAX

/* One hold of the lock, as the sim performed it. */
struct hold {
	int64_t ps;
	uint32_t blocks, pages;
	uint8_t cause; /* enum zl_lock_cause */
};

struct holds {
	struct hold *item;
	uint32_t n, cap, next;
};

struct estimate_lane {
	int64_t hold_ps[ZL_ESTIMATE_SLOTS];
	int64_t wait_ps[ZL_ESTIMATE_SLOTS];
};

struct estimate_cpu {
	int64_t clock;	/* end of its last op */
	int64_t extra;	/* overlay: what was added to its scripted time */
	int64_t script; /* overlay: scripted time of its last op */
	int64_t carry;	/* timed: part of a nanosecond */
	bool worked;
	struct holds more; /* timed: holds of its op still to come */
	struct estimate_lane *lane;
};

/* Sums over one piece of time. */
struct estimate_slot {
	uint64_t ops, blocks, pages, free_high, contended, order_inversions;
	uint64_t cause[ZL_LOCK_CAUSE_COUNT];
	uint32_t longest_hold_pages;
	struct zl_durations hold, wait, refill;
	int64_t longest_move_ps, held_ps, busy_ps, base_ps, lost_ps;
};

struct zl_estimate {
	struct zl_estimate_options o;
	const struct zl_allocator *mem;
	struct zl_observer observer;
	/* costs in picoseconds */
	int64_t hit, take, give, hold, lock, llc, line, node;
	int64_t end; /* timed */
	/* the lock */
	int64_t free_at, last_arrival;
	uint32_t owner;
	/* the op that runs */
	struct hold open;
	struct holds now;
	bool failed; /* no memory for its holds */
	uint64_t free_high;
	/* time */
	uint32_t phase;
	int64_t script_end, latest;
	int64_t slot_ps;
	struct estimate_slot *slot;
	struct estimate_cpu *cpu;
};

/* The slot of a time, wider slots first when it is beyond them; NULL past the end of the run. */
struct estimate_slot *zl_estimate_slot(struct zl_estimate *e, int64_t at, unsigned *ret_index);
void zl_durations_add(struct zl_durations *d, int64_t ps);
/* Holds or waits of a CPU in the piece of time of @index. Returns 0 or -ENOMEM. */
int zl_estimate_lane_add(struct zl_estimate *e, struct estimate_cpu *c, unsigned index,
	int64_t hold_ps, int64_t wait_ps);

#endif
