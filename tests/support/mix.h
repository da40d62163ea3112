/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random zones and random ops, by seed. */
#ifndef TESTS_SUPPORT_MIX_H
#define TESTS_SUPPORT_MIX_H

#include "script.h"
#include "zonelab/rng.h"

#define MIX_IDS 400

/** A random mix of ops: what is in use, and how greedy it is. */
struct mix {
	struct zl_rng rng;
	bool used[MIX_IDS];
	unsigned nr_used;
	bool growing;
};

/** Releases that differ in any rule of the engine. */
extern const char *const mix_releases[];
extern const size_t mix_nr_releases;

void mix_init(struct mix *m, uint64_t seed);
/** A small zone of any shape: odd sizes, every pageblock order, with and without CMA. */
void mix_zone(struct zl_rng *r, struct zl_sim_config *ret);
/** The next op for a zone in this state; always one that can be performed. */
void mix_next(struct mix *m, const struct zl_sim *sim, struct zl_op *ret);
/**
 * An op of the kinds that the recordings do not have: contiguous allocations, pins, CPUs that go
 * and come, requests under watermarks. False = none fits now.
 */
bool mix_next_later(struct mix *m, const struct zl_sim *sim, struct zl_op *ret);

#endif
