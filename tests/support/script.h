/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Little scripts that step a sim and compare its lists, for vectors worked out by hand.
 *
 * A step is one word and its arguments:
 *   a O T =P   allocate order O for type T (U M R), expect first page P; `=?` = any, `=-` = none
 *   h O T =P   the same with high-atomic rights
 *   f P ...    free the blocks that start at these pages, each followed by a drain unless `keep`
 *   k P ...    free them and leave them on the pageset
 *   d          drain the running CPU's pageset
 *   t          tick
 *   b N T =P   bulk of N pages, expect the first page
 *   s LISTS    expect the free lists: `kT:a,b` = order k, type T, head first; empty ones left out
 *   y TYPES    expect the pageblock types, one letter each
 *   p I:a,b    expect a pageset list by index, head first; `p I:` = empty
 */
#ifndef TESTS_SUPPORT_SCRIPT_H
#define TESTS_SUPPORT_SCRIPT_H

#include "zonelab/sim.h"

/** Steps for the releases whose letter is in @who ("" = for all); ends with text NULL. */
struct script_step {
	const char *who;
	const char *text;
};

/** A release and the letter of its generation. */
struct script_release {
	const char *release;
	char letter;
};

/** Small zone: managed 1000, pagesets that hold nothing, 1 CPU, no THP; marks far below. */
void script_zone(struct zl_sim_config *c, unsigned max_order, unsigned block_order, unsigned pages);
/** Fills the switches of a release. */
void script_switches(struct zl_sim_config *c, const char *release);
/** A sim or a failed test. */
struct zl_sim *script_sim(const struct zl_sim_config *c, const char *release);
/** Runs the steps under a release on a fresh zone, with invariants after each op. */
void script_run(const struct zl_sim_config *c, const struct script_release *r,
	const struct script_step *steps);
/** The same under a release of every generation, letters A to D by the form of the fallback. */
void script_run_all(const struct zl_sim_config *c, const struct script_step *steps);
/** Pagesets that take 3 blocks at a time. */
void script_refill_3(struct zl_sim_config *c);
/** One op; fails the test when it is refused. */
void script_op(struct zl_sim *sim, enum zl_op_kind kind, unsigned order, unsigned mt, unsigned id);
/** Any op; it must be taken and leave a sound zone. Returns its record. */
struct zl_record script_did(struct zl_sim *sim, struct zl_op op);

#endif
