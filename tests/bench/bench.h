/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What benchmarks share: the clock, the zone that ops run in, and random mixes of ops. What goes
 * wrong ends the program.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "zonelab/error.h"
#include "zonelab/release.h"
#include "zonelab/rng.h"
#include "zonelab/sim.h"

#define BENCH_SLOTS 16384u

/** Processor time of this process in nanoseconds. */
double bench_now(void);
/** What a release does. */
void bench_switches(const char *release, struct zl_switches *ret);
/** A zone of 1 GiB with 4 CPUs. */
void bench_zone(const char *release, struct zl_sim_config *ret);

/** Frees what it holds and allocates what it does not, in BENCH_SLOTS slots. */
struct bench_mix {
	struct zl_rng rng;
	uint64_t left;
	unsigned cpus;
	bool order3; /* one allocation in eight is of order 3, the others of order 0 */
	bool used[BENCH_SLOTS];
};
void bench_mix_init(struct bench_mix *m, uint64_t ops, unsigned cpus);
/** As op_feed.next: 1 and an op, or 0 at the end. @user is the mix. */
int bench_mix_next(void *user, struct zl_op *ret, struct zl_error *err);
/** A whole mix of order 0, so that making it is in no figure. free() it. */
struct zl_op *bench_mix_ops(size_t n, unsigned cpus);

/** Ops that stand in memory. */
struct bench_list {
	const struct zl_op *op;
	size_t at, n;
};
/** As op_feed.next and op_feed.many. @user is the list. */
int bench_list_next(void *user, struct zl_op *ret, struct zl_error *err);
size_t bench_list_many(void *user, struct zl_op *ret, size_t max);

#endif
