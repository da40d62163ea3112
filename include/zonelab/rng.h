/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A seeded generator: the same seed gives the same numbers on every machine. Not for secrets.
 */
#ifndef ZONELAB_RNG_H
#define ZONELAB_RNG_H

#include "zonelab/types.h"

/** Plain data; a copy goes on like the original. */
struct zl_rng {
	uint64_t state;
};

/** Any seed will do; neighbouring seeds give unrelated numbers. */
void zl_rng_init(struct zl_rng *r, uint64_t seed);
uint64_t zl_rng_next(struct zl_rng *r);
/** 0 .. @n - 1, each equally likely; 0 for @n = 0. */
uint64_t zl_rng_below(struct zl_rng *r, uint64_t n);

#endif
