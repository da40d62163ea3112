/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kconfig ranges and compile-time checks of a geometry, private to the model.
 */
#ifndef ZONELAB_MODEL_CONSTRAINTS_H
#define ZONELAB_MODEL_CONSTRAINTS_H

#include "zonelab/geometry.h"

/** What the checks look at: the figures and what was asked for. */
struct zl_check {
	const struct zl_policy_set *policies;
	const struct zl_settings *settings;
	const struct zl_release *release;
	const struct zl_switches *sw;
	const struct zl_arch_row *row; /* never NULL; the nearest one for a bad page size */
	const char *arch;
	uint64_t wanted_page_size;
	unsigned wanted_order; /* as given, before it was brought down */
	int wanted_block;      /* the cap as given, -1 where the release has none */
	bool huge;	       /* HugeTLB or THP is built */
	struct zl_geometry *g;
	struct zl_diags *diags;
};

/**
 * Adds a diagnostic about a setting; verbs as in zonelab/text.h. An error makes the geometry
 * unbuildable.
 */
struct zl_diag *zl_check_error(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...);
struct zl_diag *zl_check_warning(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...);
struct zl_diag *zl_check_note(
	struct zl_check *c, enum zl_diag_code code, enum zl_setting about, const char *fmt, ...);
/** Words of the fix, "fix: " left out. */
void zl_check_mend(struct zl_diag *d, const char *fmt, ...);
/** The machine-applicable fix. */
void zl_check_fix(struct zl_diag *d, enum zl_setting key, const char *value);
void zl_check_fix_number(struct zl_diag *d, enum zl_setting key, unsigned value);

/** Architecture, page size, variant. */
void zl_check_machine(struct zl_check *c);
/** THP, HugeTLB, huge_page_size, CMA options. */
void zl_check_options(struct zl_check *c);
/** MAX_PAGE_ORDER and PAGE_BLOCK_(MAX_)ORDER, and how they meet the huge pages. */
void zl_check_orders(struct zl_check *c);

#endif
