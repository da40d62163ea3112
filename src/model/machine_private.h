/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the derivation share: machine.c, zone_layout.c, machine_findings.c.
 */
#ifndef MODEL_MACHINE_PRIVATE_H
#define MODEL_MACHINE_PRIVATE_H

#include "zonelab/machine.h"

/** One derivation in progress. */
struct zl_derivation {
	const struct zl_profile *profile;
	const struct zl_settings *settings;
	struct zl_machine *m;
	struct zl_diags *diags;
	struct zl_error why; /* of a policy without a value */
};

/** A given number within the table's range, or @dflt; a value outside is a diagnostic. */
uint64_t zl_derive_number(struct zl_derivation *d, enum zl_setting key, uint64_t dflt);
/** Given by a scenario, a lane or the user, that is, over what a profile or file states. */
bool zl_given_over_facts(const struct zl_settings *s, enum zl_setting key);
/** a * b / c without overflow; c is below 2^62 and not zero. */
uint64_t zl_mul_div(uint64_t a, uint64_t b, uint64_t c);

/** Fills zones (place and size only), memory, nodes and cpus. */
void zl_derive_zones(struct zl_derivation *d);
/** Fills the CPUs of each zone from the machine's. */
void zl_derive_cpus(struct zl_derivation *d);
/** Largest batch that a file may report, as for the setting. */
#define ZL_BATCH_MAX 65535
/** Puts reported watermarks and min_free_kbytes in place where they still stand. */
void zl_observe_watermarks(struct zl_derivation *d);
/** The same for batch and limits of a zone; after zl_observe_watermarks(). */
void zl_observe_limits(struct zl_derivation *d, struct zl_zone *z);
/** Managed pages of the node's zones above @z, up to type @upto. */
uint64_t zl_managed_above(const struct zl_machine *m, const struct zl_zone *z, unsigned upto);
/** Fills lowmem_reserve of each zone. */
void zl_derive_reserve(struct zl_derivation *d);
/** Findings about a machine that is otherwise complete. */
void zl_machine_findings(struct zl_derivation *d);

#endif
