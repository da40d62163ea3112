/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics: every number of a run by name, and expressions over them that follow a run op by op
 * (assertions, breakpoints, watches). `list metrics` prints the table.
 *
 * A bare name is the value after the last op. NAME of a pageset is the running CPU's; pcp[N].NAME
 * is that of CPU N; buddy[N] is that of order N. With several zones zone[N].NAME is that of zone N,
 * totals too, and a zone's name without a number is the sum. Around a name: max() min() first() last() sum()
 * over the ops of the scope, the state before its first op not counted. Totals count from the
 * start of the scope.
 */
#ifndef ZONELAB_METRICS_H
#define ZONELAB_METRICS_H

#include "zonelab/expr.h"
#include "zonelab/sim.h"
#include "zonelab/system.h"

/** Names in one expression. */
#define ZL_WATCH_REFS_MAX 24

enum zl_metric_kind {
	ZL_METRIC_TOTAL,     /* counts from the start of the scope */
	ZL_METRIC_PCP,	     /* of a pageset */
	ZL_METRIC_ZONE,	     /* of the zone */
	ZL_METRIC_BUDDY,     /* by order */
	ZL_METRIC_PAGEBLOCK, /* pageblocks of a kind */
	ZL_METRIC_OP,	     /* of the last op */
	ZL_METRIC_SYSTEM,    /* counts from the start of the scope; 0 in a single zone */
	ZL_METRIC_CONFIG,    /* of the zone as it was made */
	ZL_METRIC_SPECIAL    /* follows the scope by itself */
};

struct zl_metric_info {
	const char *name;
	enum zl_metric_kind kind;
	const char *unit; /* "pages", "blocks", "ops", "" */
	const char *help;
};

size_t zl_metric_count(void);
/** Sorted by name. */
const struct zl_metric_info *zl_metric_info(size_t i);
/** Index of a name, SIZE_MAX if there is none. */
size_t zl_metric_find(const char *name);
/** Whether a metric is the number of an event, so that 0 says that it never came. */
bool zl_metric_zero_is_never(const char *name);
/**
 * The value over all ops so far, for metrics of a whole run: totals, the longest hold, the zone,
 * the largest free order. Those that follow a scope by themselves otherwise are 0 here.
 */
int64_t zl_metric_now(const struct zl_sim *sim, size_t i);
/** The nearest name, NULL if none is near. */
const char *zl_metric_nearest(const char *name);

enum zl_metric_via {
	ZL_VIA_NOW,
	ZL_VIA_MAX,
	ZL_VIA_MIN,
	ZL_VIA_FIRST,
	ZL_VIA_LAST,
	ZL_VIA_SUM,
	ZL_VIA_COUNT
};

/** One name of an expression. */
struct zl_watch_ref {
	uint16_t metric;
	uint8_t via;
	int32_t index; /* CPU, order or zone, -1 = none */
	int64_t value;
	int64_t before; /* several zones: a total at the start of the scope */
};

/** An expression that follows a run. */
struct zl_watch {
	struct zl_expr expr;
	struct zl_watch_ref ref[ZL_WATCH_REFS_MAX];
	unsigned nr_refs;
	bool follows;		 /* some name needs every op of the scope */
	struct zl_totals before; /* at the start of the scope */
	/** Several zones, set before the scope starts; else NULL. The sim of a call is not used then. */
	const struct zl_system *system;
	uint64_t noted; /* ops */
	uint64_t first_free_high;
};

/**
 * Compiles @text over metrics; a leading "assert" is allowed.
 * Returns as zl_expr_compile() does.
 */
int zl_watch_compile(const char *text, const struct zl_allocator *mem, struct zl_watch *ret,
	struct zl_error *err);
/** Accepts a zeroed watch. */
void zl_watch_done(struct zl_watch *w, const struct zl_allocator *mem);
/** Starts the scope at the present state. Returns 0, or -EINVAL for a CPU or order not there. */
int zl_watch_start(struct zl_watch *w, const struct zl_sim *sim, struct zl_error *err);
/** Takes in the last op. Cheap when `follows` is false. */
void zl_watch_note(struct zl_watch *w, const struct zl_sim *sim);
/** The value now; errors as of zl_expr_eval(). */
int zl_watch_eval(struct zl_watch *w, const struct zl_sim *sim, int64_t *ret, struct zl_error *err);
/** Writes "free_high 3, max(pcp.count) 640": the names with their values. Returns the length. */
size_t zl_watch_values(const struct zl_watch *w, char *buf, size_t size);

#endif
