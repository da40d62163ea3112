/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A zone for sequences of pageset ops, and what they have in common. */
#ifndef TESTS_UNIT_PCP_FIXTURE_H
#define TESTS_UNIT_PCP_FIXTURE_H

#include "script.h"

#define LO	 576
#define MX	 65536
#define SLICE_1M (1u << 20)

/** A zone with room: batch 63, THP of order 9, limits as given. */
void pcp_zone(struct zl_sim_config *c, int high_min, int high_max);
void pcp_set(struct zl_sim *sim, enum zl_sim_key key, uint32_t value);
/** One op for UNMOVABLE, and its record. */
void pcp_op(struct zl_sim *sim, enum zl_op_kind kind, unsigned order, unsigned id,
	struct zl_record *ret);
/**
 * Blocks 1 .. n in use, pagesets empty, nothing counted, high at its start: the zone counts as
 * below its high watermark meanwhile, so that refills do not raise high.
 */
struct zl_sim *pcp_filled(
	const struct zl_sim_config *c, const char *release, unsigned order, unsigned n);

/** A free that drains: its number, pages drained, high afterwards (0 = any). */
struct drain_at {
	unsigned n, pages;
	int high;
};
/** Frees 1 .. n in order; exactly these drain. Frees the sim. */
void pcp_expect_drains(struct zl_sim *sim, unsigned n, const struct drain_at *want, size_t count);

#endif
