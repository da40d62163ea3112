/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The battery of a review: shipped scenarios on shipped machines, before and after a patch.
 */
#ifndef APP_REVIEW_H
#define APP_REVIEW_H

#include "comparison.h"
#include "patch_report.h"

#define REVIEW_MACHINES	 24
#define REVIEW_SCENARIOS 24
#define REVIEW_CELLS	 (REVIEW_MACHINES * REVIEW_SCENARIOS)

/** Totals that a review looks at. */
enum review_total {
	REVIEW_THROUGHPUT, /* the model's estimate, in 1/1000 of a lock that costs nothing */
	REVIEW_LOCKS,
	REVIEW_REFILLS,
	REVIEW_FREE_HIGH,
	REVIEW_DRAINED,
	REVIEW_HOLD,   /* longest, in pages */
	REVIEW_PARKED, /* pages on pagesets at the end */
	REVIEW_TOTALS
};
const char *review_total_name(enum review_total t);

/** One scenario on one machine. */
struct review_cell {
	const char *machine, *scenario;
	bool ran;
	char why_not[200];
	uint64_t ops, differ;
	int64_t value[REVIEW_TOTALS][2]; /* before, after */
	uint64_t first;			 /* op of the first divergence, 0 = none */
	char first_op[64];		 /* what it is */
	char first_why[COMPARE_WHY];
};

/** Figures of a machine that follow from its settings. */
enum review_figure {
	REVIEW_BLOCK_ORDER,
	REVIEW_CMA_ALIGNMENT,
	REVIEW_MIN_FREE,
	REVIEW_BATCH,
	REVIEW_HIGH_MIN,
	REVIEW_HIGH_MAX,
	REVIEW_FIGURES
};
const char *review_figure_name(enum review_figure f);

/** One machine. */
struct review_machine {
	const char *name;
	char what[160]; /* in words; "" = it did not run */
	struct lane_spec lanes[2];
	int64_t figure[REVIEW_FIGURES][2];
	bool figures_known;
	bool stream_ran;
	uint64_t stream_flushes[2]; /* in a stream of frees of order 3 */
	unsigned helps, hurts;
};

struct review {
	const struct zl_allocator *mem;
	struct review_machine machine[REVIEW_MACHINES];
	size_t nr_machines;
	const char *scenario[REVIEW_SCENARIOS];
	size_t nr_scenarios;
	bool whole;    /* the scenarios' long forms */
	char seed[24]; /* of all scenarios, "" = each has its own */
	bool stopped;  /* by the user: the pairs so far */
	struct output *out;
	struct review_cell cell[REVIEW_CELLS];
	size_t nr_cells;
	size_t nr_differ, nr_failed;
};

/** What the user asked for: options --scenario, --machine, --whole of a command. */
int review_new(struct app *app, const struct command_args *args, struct review **ret,
	struct zl_error *err);
void review_free(struct review *r);
/**
 * Runs all pairs and sorts them by effect, largest first.
 * @out says when to stop, is told of progress, and gets the error.
 * Returns 0; -EINVAL when the lanes cannot be made; -ENOMEM. A pair that cannot be run is kept with
 * its reason; one that was stopped is left out.
 */
int review_run(struct app *app, struct review *r, const struct patch_opened *p,
	const struct patch_base *base, struct output *out);
/** One scenario in both lanes. */
struct review_what {
	const char *scenario;
	const struct zl_profile *profiles; /* before, after */
	bool whole, estimate;
};
/** Makes the comparison, which stands at the start. Returns as comparison_new() does. */
int review_begin(struct app *app, const struct review_what *w, struct comparison **ret,
	struct zl_error *err);
/** Change of a total in 1/1000 of what it was before; 0 when nothing changed. */
int64_t review_change(const struct review_cell *c, enum review_total t);
/** What a cell says: 1 = better after, -1 = worse, 0 = the same. */
int review_verdict(const struct review_cell *c);

/** Everything that the answer is made from; borrowed. */
struct review_answer {
	const struct review *r;
	const struct patch_answer *patch;
	const char *reproduce; /* the command line */
	const char *given;     /* words of it that hold for each run, "" or from a blank on */
};
void review_report(const struct review_answer *a, struct output *out);

#endif
