/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of a running zone by value id: for the screen, for conditions, for "what changed it".
 */
#ifndef APP_FACTS_H
#define APP_FACTS_H

#include "values.h"
#include "zonelab/sim.h"

/** Where the figures come from. Members may be NULL: then their figures do not exist. */
struct facts {
	const struct zl_pageset_view *pageset;
	const struct zl_zone_view *zone;
	const struct zl_record *record; /* of the op */
	uint64_t at, total;
	unsigned cpu;
};

/** Whether an id belongs to a run, not to a machine. */
static inline bool is_fact(unsigned id)
{
	return id >= VALUE_RUN_COUNT && id < VALUE_COUNT;
}
/** False where the figure does not exist (another design, a member that is NULL). */
bool fact_get(const struct facts *f, unsigned id, int64_t *ret);

#endif
