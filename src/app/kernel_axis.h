/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel axis: the releases, from 5.14 on, at which something that a run shows changes, with
 * what changed and the commit that is known for it. Made from the release table.
 */
#ifndef APP_KERNEL_AXIS_H
#define APP_KERNEL_AXIS_H

#include "zonelab/release.h"

#define AXIS_STEPS   24
#define AXIS_CHANGES 12

/** One behaviour that a release changed. */
struct axis_change {
	const char *behaviour; /* "pcp_design" */
	const char *value;     /* "C" */
	const char *release;   /* "6.16" */
	const char *evidence;
	char commit[24]; /* "c544a952ba61", "" = not known */
};

struct axis_step {
	const char *release; /* "6.16" */
	enum zl_design_id design;
	struct axis_change change[AXIS_CHANGES];
	unsigned nr_changes;
};

struct axis {
	struct axis_step step[AXIS_STEPS];
	unsigned nr_steps;
};

/** All steps, oldest first. */
void axis_fill(struct axis *ret);
/** The step that a release stands on, as index; the first one for older releases. */
unsigned axis_find(const struct axis *a, const char *release);
/** The row that brought a design; false for those without one. */
bool axis_design_change(enum zl_design_id d, struct axis_change *ret);

#endif
