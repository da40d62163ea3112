/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: one metric over a grid of settings. A sweep is a definition (target, axes, metric) and a
 * value for each point; a point depends on nothing but its number, so points may be computed in
 * any order, by any process, on any machine.
 */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "app.h"
#include "zonelab/json.h"
#include "zonelab/metrics.h"
#include "zonelab/scenario_run.h"

#define SWEEP_AXES_MAX	 4
#define SWEEP_WORDS_MAX	 256	 /* of an axis whose values are no numbers */
#define SWEEP_VALUES_MAX 1000000 /* numbers of an axis */
#define SWEEP_POINTS_MAX UINT64_C(100000000)
#define SWEEP_WORD	 40

enum sweep_target { SWEEP_SCENARIO, SWEEP_GEOMETRY, SWEEP_PCP, SWEEP_RESERVE };

/** What an axis changes. */
enum sweep_key { SWEEP_SETTING, SWEEP_PARAM };

struct sweep_axis {
	char name[64]; /* the setting's key, or "param.NAME" */
	enum sweep_key kind;
	enum zl_setting setting;
	uint32_t param; /* index into the scenario's names */
	size_t n;
	int64_t *number;	  /* owned; NULL when the values are words */
	char (*word)[SWEEP_WORD]; /* owned; NULL when they are numbers */
};

enum sweep_state {
	SWEEP_OPEN,    /* not computed yet */
	SWEEP_VALUE,   /* it has a value */
	SWEEP_NEVER,   /* what the metric counts up to did not happen */
	SWEEP_NONE,    /* it does not exist here: another design, nothing to divide by */
	SWEEP_REFUSED, /* this machine cannot be built or run */
	SWEEP_FAULT    /* a fault of ours, or no memory */
};
struct sweep_value {
	int64_t value;
	enum sweep_state state;
};

/** What to sweep, as written. Texts are borrowed. */
struct sweep_spec {
	const char *target;	  /* scenario, file, or geometry, pcp, reserve */
	const char *const *files; /* of reserve */
	size_t nr_files;
	const char *vary[SWEEP_AXES_MAX]; /* "KEY=RANGE" */
	size_t nr_vary;
	const char *metric;
	const char *timed;		       /* length of virtual time, NULL = scripted order */
	const char *param[SWEEP_AXES_MAX * 4]; /* "NAME=VALUE" of the scenario */
	size_t nr_params;
	bool short_form;
};

struct sweep {
	const struct zl_allocator *mem;
	enum sweep_target target;
	char target_name[256];
	char metric[256];
	char unit[32];
	struct sweep_axis axis[SWEEP_AXES_MAX];
	size_t nr_axes;
	uint64_t points;
	struct zl_profile base; /* of the user, without the axes */
	bool has_scenario;
	struct zl_scenario scenario;
	struct zl_expand_options expand;
	bool timed;
	int64_t end_ns;
	/* the metric: an expression over a run, a figure of the estimate, a value, or of pools */
	bool compiled;
	struct zl_watch watch;
	int estimate_metric; /* -1 = none */
	int pool_metric;     /* -1 = none */
	unsigned value_id;
	bool zero_is_never;
	char file[8][256];
	size_t nr_files;
	/* What a part file said: the sweep can be printed, not computed. NULL = it is no such one. */
	struct zl_json *read_head;
	struct sweep_run *run; /* a point in progress, NULL = none */
};

/**
 * Reads a definition. Returns 0 or -errno with @err filled; *ret is freed with sweep_free().
 */
int sweep_new(
	struct app *app, const struct sweep_spec *spec, struct sweep **ret, struct zl_error *err);
/** Accepts NULL. */
void sweep_free(struct sweep *s);

/** What free_high goes by at a point: limits of the zone that the run is in. */
struct sweep_limits {
	int64_t high_min, threshold, ceiling; /* -1 = the release has none */
};
/** Derives the machine of a point. Returns 0; -errno when it cannot be built or runs in all zones. */
int sweep_point_limits(struct sweep *s, uint64_t point, struct sweep_limits *ret);

/** Index of a point on an axis; the last axis counts fastest. */
size_t sweep_at(const struct sweep *s, uint64_t point, size_t axis);
/** The point with other indices on the first two axes. */
uint64_t sweep_point_of(const struct sweep *s, const size_t *at);
/** A value of an axis as a setting is written ("16K"), or as a plain number for CSV. */
void sweep_axis_text(const struct sweep_axis *a, size_t i, bool plain, char *buf, size_t size);
/** "high_min=583 kernel=6.12": what a point sets. */
void sweep_point_text(const struct sweep *s, uint64_t point, char *buf, size_t size);

/** Computes a point from its start to its end. */
struct sweep_value sweep_point(struct sweep *s, uint64_t point);
/**
 * The same in pieces of about @ops ops. Returns true when @ret is there. Starts the point when no
 * other one is in progress.
 */
bool sweep_point_some(struct sweep *s, uint64_t point, uint64_t ops, struct sweep_value *ret);
/** Forgets a point in progress. */
void sweep_point_stop(struct sweep *s);

/** Reads "a..b", "a..b:step", "a..b*k" and lists of them into an axis. @text is "KEY=RANGE". */
int sweep_axis_read(
	const struct sweep *s, const char *text, struct sweep_axis *ret, struct zl_error *err);
void sweep_axis_done(struct sweep_axis *a, const struct zl_allocator *mem);

/** Figures of the estimate that a sweep may follow: name, unit, help; NULL past the end. */
struct sweep_figure {
	const char *name, *unit, *help;
};
const struct sweep_figure *sweep_estimate_figure(size_t i);
const struct sweep_figure *sweep_pool_figure(size_t i);

/** Values of all points, by number. */
struct sweep_results {
	struct sweep_value *value;
	uint64_t n;
	bool complete;
};

const char *sweep_state_name(enum sweep_state st);
/** The definition as one JSON object of the caller's: what a part file carries. */
struct zl_json *sweep_definition(const struct sweep *s);

#endif
