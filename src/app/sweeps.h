/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State of the Sweep screen: a sweep that is computed in slices while the screen lives, the point
 * under the cursor, and where the present settings lie.
 */
#ifndef APP_SWEEPS_H
#define APP_SWEEPS_H

#include "scenario_machine.h"
#include "sweep.h"
#include "sweep_part.h"

#define SWEEPS_POINTS_MAX 20000 /* on the screen; the command line takes more */
#define SWEEPS_LINE	  512
#define SWEEPS_NONE	  SIZE_MAX
#define SWEEPS_LIMITS_MAX 32 /* values of an axis that have limits beside them */

/** Limits along an axis; shown where the other axis leaves them alone. */
struct sweeps_limits {
	bool columns, rows; /* high_min and threshold by the first axis, ceiling by the second */
	struct sweep_limits column[SWEEPS_LIMITS_MAX], row[SWEEPS_LIMITS_MAX];
};

struct sweeps {
	struct sweep *sweep;
	struct sweep_part part;
	uint64_t next;	   /* point that is computed */
	bool stopped;	   /* by the user */
	bool lines;	   /* two axes as lines, one for each value of the second */
	size_t at[2];	   /* the cursor: first and second axis */
	size_t present[2]; /* nearest value to the settings in force, SWEEPS_NONE = there is none */
	bool exact[2];	   /* it is that value */
	struct sweeps_limits limits;
	char line[SWEEPS_LINE];		  /* the command that makes it again */
	struct scenario_machine *machine; /* what it runs on, without its axes; NULL = none */
};

/** Opens a definition in place of the one that is there. Returns 0 or -errno with @err filled. */
int sweeps_open(struct app *app, const struct sweep_spec *spec, struct zl_error *err);
/** What the screen opens with: the first flush by CPUs and pcp_batch_scale_max. */
int sweeps_open_default(struct app *app, struct zl_error *err);
void sweeps_free(struct app *app);
/** "iperf 64 GiB/24": scenario, managed memory and CPUs of its machine; both must be there. */
void sweeps_title(const struct sweeps *s, char *buf, size_t size);
/** All points are open again: what they were worked out for is asked about. */
void sweeps_forget(struct app *app);

/** Whether there is still something to compute, nobody stopped it and a lesson does not ask. */
bool sweeps_busy(const struct app *app);
/** A slice of computing; true when a value came. */
bool sweeps_tick(struct app *app);
/** Computes all that is left: for screens without a terminal. */
void sweeps_finish(struct app *app);
void sweeps_stop(struct app *app);

bool sweeps_move(struct app *app, const char *direction);
/** To the next place where the curve jumps most, or the next other value. */
void sweeps_next(struct app *app, int direction);
/** Opens the point as a lane and focuses it. Returns 0 or -errno with @err filled. */
int sweeps_open_lane(struct app *app, struct zl_error *err);
/** What `w` explains: the value or setting behind the first axis. */
unsigned sweeps_focused_id(const struct app *app);
/** The point under the cursor. */
uint64_t sweeps_point(const struct sweeps *s);
/** Index on the axis of which the point is another one, for neighbours; SWEEPS_NONE = beyond. */
const struct sweep_value *sweeps_value(const struct sweeps *s, size_t x, size_t y);
/** Boundaries of four shades, from the values that are there; how many shades are used. */
unsigned sweeps_shades(const struct sweeps *s, int64_t *ret_from, int64_t *ret_to);
/** "84 of 84 points · 46 never · seed 1". */
void sweeps_counts(const struct sweeps *s, char *buf, size_t size);
/** "cpus 24, pcp_batch_scale_max 5". */
void sweeps_words(const struct sweeps *s, char *buf, size_t size);

#endif
