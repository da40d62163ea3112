/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A seeded generator: the same seed gives the same numbers on every machine. Not for secrets.
 * Scenarios are written against these numbers: they never change.
 *
 *   number n of a stream, from 1 = mix(state at the start + n * 0x9e3779b97f4a7c15)
 *   mix(z): z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27; z *= 0x94d049bb133111eb;
 *           z ^= z >> 31
 *   a number below n = number modulo n, numbers of the last incomplete round passed over
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
/** 0 .. @n - 1, each equally likely; 0 for @n = 0. */
uint64_t zl_rng_below(struct zl_rng *r, uint64_t n);
/**
 * Joins a part to a key, for streams of their own: mix(key ^ mix(part + 0x9e3779b97f4a7c15)).
 * Seed zl_rng_init() with it.
 */
uint64_t zl_rng_key(uint64_t key, uint64_t part);

#endif
