/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points of a sweep shared out to worker processes. The front end brings the processes; without
 * it the points are computed here, one after another.
 */
#ifndef APP_SPREAD_H
#define APP_SPREAD_H

#include "sweep.h"

struct spread {
	struct sweep *sweep;
	const uint64_t *point; /* to compute */
	uint64_t n;
	struct sweep_value *value; /* of each, filled */
	unsigned jobs;		   /* processes; 0 = one a core */
	/** Called in order of the list, as soon as a value and all before it are there. */
	int (*done)(void *user, uint64_t i);
	void *user;
};

/**
 * Computes all. Returns 0; -EINTR when the user stopped it; what `done` returned; -EIO when a
 * worker ended on its own; -ENOMEM. Values up to the last `done` are there in any case.
 */
int spread_run(const struct app *app, struct spread *w, struct zl_error *err);

#endif
