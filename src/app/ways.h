/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What would make free_high fire where its threshold is out of reach. Each way is tried on the
 * model before it is offered.
 */
#ifndef APP_WAYS_H
#define APP_WAYS_H

#include "values.h"

/** One way, and threshold and ceiling of the zone with it. */
struct way {
	char what[96]; /* "pcp_batch_scale_max 6", "2 CPUs: high_min 3520" */
	char set[48];  /* the setting: "pcp_batch_scale_max=6" */
	uint64_t threshold;
	uint64_t ceiling;
	bool has_ceiling; /* false in the A designs */
};
#define WAYS_MAX 4

/**
 * Ways for the zone of @in, each changing one setting: a larger pcp_batch_scale_max, more CPUs, a
 * lower high_min, an older release. A way that does not help on this machine is left out.
 * Returns how many were written; 0 where free_high fires or does not exist.
 */
size_t free_high_ways(const struct value_in *in, struct way ret[WAYS_MAX]);

#endif
