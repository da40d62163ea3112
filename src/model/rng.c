/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A counter through a mixing function (splitmix64). */
#include "zonelab/rng.h"

#define STEP	UINT64_C(0x9e3779b97f4a7c15)
#define MIX_A	UINT64_C(0xbf58476d1ce4e5b9)
#define MIX_B	UINT64_C(0x94d049bb133111eb)
#define SHIFT_A 30
#define SHIFT_B 27
#define SHIFT_C 31

void zl_rng_init(struct zl_rng *r, uint64_t seed)
{
	r->state = seed;
}

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> SHIFT_A)) * MIX_A;
	z = (z ^ (z >> SHIFT_B)) * MIX_B;
	return z ^ (z >> SHIFT_C);
}

static uint64_t next(struct zl_rng *r)
{
	r->state += STEP;
	return mix(r->state);
}

uint64_t zl_rng_key(uint64_t key, uint64_t part)
{
	return mix(key ^ mix(part + STEP));
}

uint64_t zl_rng_below(struct zl_rng *r, uint64_t n)
{
	uint64_t rest, v;

	if (n == 0) {
		return 0;
	}
	/* Values from the last, incomplete round would favour small results. */
	rest = (UINT64_MAX % n + 1) % n;
	do {
		v = next(r);
	} while (v > UINT64_MAX - rest);
	return v % n;
}
