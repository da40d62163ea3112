/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The config keys of an op list: names, ranges, and where a value is kept. */
#ifndef ZONELAB_IO_WORKLOAD_KEYS_H
#define ZONELAB_IO_WORKLOAD_KEYS_H

#include "zonelab/sim.h"

enum workload_key {
	WORKLOAD_KEY_PAGE_SHIFT,
	WORKLOAD_KEY_MANAGED,
	WORKLOAD_KEY_PAGES,
	WORKLOAD_KEY_CPUS,
	WORKLOAD_KEY_WMARK_MIN,
	WORKLOAD_KEY_WMARK_LOW,
	WORKLOAD_KEY_WMARK_HIGH,
	WORKLOAD_KEY_HIGH_FRACTION,
	WORKLOAD_KEY_SCALE_MAX,
	WORKLOAD_KEY_PAGEBLOCK_ORDER,
	WORKLOAD_KEY_MAX_ORDER,
	WORKLOAD_KEY_HPAGE_ORDER,
	WORKLOAD_KEY_THP,
	WORKLOAD_KEY_CACHE_SLICE_KIB,
	WORKLOAD_KEY_NODE_LOCAL,
	/* Beyond the recordings; written only when they say something. */
	WORKLOAD_KEY_SMP,
	WORKLOAD_KEY_MMU,
	WORKLOAD_KEY_CMA,
	WORKLOAD_KEY_CMA_START,
	WORKLOAD_KEY_CMA_PAGES,
	WORKLOAD_KEY_BATCH,
	WORKLOAD_KEY_HIGH_MIN,
	WORKLOAD_KEY_HIGH_MAX,
	WORKLOAD_KEY_COUNT
};

struct workload_key_row {
	const char *name;
	bool optional;
	uint64_t lo, hi;
};
extern const struct workload_key_row workload_keys[WORKLOAD_KEY_COUNT];

void workload_key_store(struct zl_sim_config *c, enum workload_key key, uint64_t v);
/* Whether a list needs the key to say what the zone is. */
bool workload_key_wanted(const struct zl_sim_config *c, enum workload_key key);
/* Whether each of several zones has a value of its own. */
bool workload_key_of_zone(enum workload_key key);
uint64_t workload_key_fetch(const struct zl_sim_config *c, enum workload_key key);

#endif
