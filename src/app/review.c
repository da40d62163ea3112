/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "review.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare_report.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define SLICE	 65536u
#define PERMILLE 1000
/* Changes below half a percent are no help and no harm. */
#define LEAST 5
/* The scenario that shows whether free_high can fire at all. */
#define STREAM "free-order3"

/* The battery; each machine stands for its kind. */
static const char *const machines[] = {"amd-2x384", "epyc-guest", "i5-6500-32g", "x86-2cpu-6.18",
	"rz-g3s", "generic-arm64-4k", "generic-arm64-16k", "generic-arm64-64k"};
static const char *const scenarios[] = {STREAM, "bursts", "iperf", "iperf-pairs", "netperf-udp",
	"kbuild", "rzg3s", "exit-10x6g", "thp", "pressure", "remote"};

const char *review_total_name(enum review_total t)
{
	static const char *const names[REVIEW_TOTALS] = {"relative_throughput", "zone_locks",
		"refills", "free_high", "pages_drained", "longest_hold_pages", "zone.parked"};

	return names[t];
}

const char *review_figure_name(enum review_figure f)
{
	static const char *const names[REVIEW_FIGURES] = {"pageblock_order",
		"cma_min_alignment_bytes", "min_free_kbytes", "batch", "high_min", "high_max"};

	return names[f];
}

/* --- what is run --- */

/* Returns how many there are, or -E2BIG. */
static int add_names(const struct command_args *args, const char *option, size_t max,
	void (*add)(struct review *r, const char *name), struct review *r)
{
	size_t n = 0;

	for (size_t i = 0; i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, option) != 0) {
			continue;
		}
		if (n++ == max) {
			return -E2BIG;
		}
		add(r, args->option[i].value);
	}
	return (int)n;
}

static void add_machine(struct review *r, const char *name)
{
	r->machine[r->nr_machines++].name = name;
}

static void add_scenario(struct review *r, const char *name)
{
	r->scenario[r->nr_scenarios++] = name;
}

static int choose_machines(
	struct app *app, const struct command_args *args, struct review *r, struct zl_error *err)
{
	int n = add_names(args, "--machine", REVIEW_MACHINES, add_machine, r);

	if (n < 0) {
		zl_error_set(err, 0, 0, "at most %d machines", REVIEW_MACHINES);
		return n;
	}
	for (size_t i = 0; n == 0 && i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (app->named_profile[0] == '\0') {
			add_machine(r, machines[i]);
		}
	}
	if (n == 0 && app->named_profile[0] != '\0') {
		add_machine(r, app->named_profile);
	}
	return 0;
}

/* One that is not there is an error before anything runs. */
static int check_scenario(struct app *app, const char *name, struct zl_error *err)
{
	struct zl_scenario s;
	struct zl_error inner = {0};
	struct zl_text t;
	int rc = zl_scenario_open(name, app->alloc, &s, &inner);

	if (rc == 0) {
		zl_scenario_done(&s);
		return 0;
	}
	*err = inner;
	if (rc == -ENOENT) {
		zl_text_init(&t, err->text, sizeof(err->text));
		zl_text_fmt(&t, "there is no such file and no shipped scenario '%s'; review has ",
			name);
		for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
			zl_text_fmt(&t, "%s%s", i > 0 ? ", " : "", scenarios[i]);
		}
		zl_text_str(&t, ", and `list scenarios` has all");
	}
	return rc;
}

static int choose_scenarios(
	struct app *app, const struct command_args *args, struct review *r, struct zl_error *err)
{
	int n = add_names(args, "--scenario", REVIEW_SCENARIOS, add_scenario, r), rc = 0;

	if (n < 0) {
		zl_error_set(err, 0, 0, "at most %d scenarios", REVIEW_SCENARIOS);
		return n;
	}
	for (size_t i = 0; i < r->nr_scenarios && rc == 0; i++) {
		rc = check_scenario(app, r->scenario[i], err);
	}
	for (size_t i = 0; n == 0 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		add_scenario(r, scenarios[i]);
	}
	return rc;
}

int review_new(
	struct app *app, const struct command_args *args, struct review **ret, struct zl_error *err)
{
	struct review *r = app->alloc->realloc(app->alloc->user, NULL, sizeof(*r));
	int rc;

	if (r == NULL) {
		zl_error_set(err, 0, 0, "no memory for a review");
		return -ENOMEM;
	}
	memset(r, 0, sizeof(*r));
	r->mem = app->alloc;
	r->whole = args_switch(args, "--whole");
	if (zl_settings_given(&app_lane_const(app)->profile.settings, ZL_SET_SEED)) {
		zl_format(r->seed, sizeof(r->seed), "%s",
			zl_settings_text(&app_lane_const(app)->profile.settings, ZL_SET_SEED));
	}
	rc = choose_machines(app, args, r, err);
	rc = rc != 0 ? rc : choose_scenarios(app, args, r, err);
	if (rc != 0) {
		review_free(r);
		return rc;
	}
	*ret = r;
	return 0;
}

void review_free(struct review *r)
{
	if (r != NULL) {
		r->mem->free(r->mem->user, r);
	}
}

/* --- lanes of a machine --- */

/* Defaults that hold only with a symbol need the machine: its profile is resolved first. */
static int make_lanes(struct app *app, struct review_machine *m, const struct patch_opened *p,
	const struct patch_base *base, struct zl_error *err)
{
	char text[LANE_TEXT], profile[LANE_TEXT];
	struct lane *lane = app->alloc->realloc(app->alloc->user, NULL, sizeof(*lane));
	struct lane_spec *spec = &m->lanes[0];
	int rc = -ENOMEM;

	if (lane == NULL) {
		return -ENOMEM;
	}
	memset(lane, 0, sizeof(*lane));
	zl_format(text, sizeof(text), "x:profile=%s", m->name);
	rc = lane_parse(text, spec, err);
	rc = rc != 0 ? rc
		     : lane_apply(spec, &app_lane_const(app)->profile, app->alloc, &lane->profile,
			       err);
	if (rc == 0) {
		lane_resolve(lane);
		rc = patch_lanes(p, base, &lane->machine, m->lanes, err);
		zl_profile_done(&lane->profile, app->alloc);
	}
	for (unsigned i = 0; i < 2 && rc == 0; i++) {
		const char *colon;

		lane_format(&m->lanes[i], text, sizeof(text));
		colon = strchr(text, ':');
		zl_format(profile, sizeof(profile), "%s:profile=%s%s%s", m->lanes[i].name, m->name,
			colon[1] != '\0' ? "," : "", colon + 1);
		rc = lane_parse(profile, &m->lanes[i], err);
	}
	app->alloc->free(app->alloc->user, lane);
	return rc;
}

/* --- one pair --- */

static void take_totals(const struct comparison *c, struct review_cell *cell)
{
	struct compare_total t[COMPARE_TOTALS];
	size_t n = comparison_totals(c, t);

	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < REVIEW_TOTALS; k++) {
			if (strcmp(t[i].name, review_total_name((enum review_total)k)) == 0) {
				cell->value[k][0] = t[i].value[0];
				cell->value[k][1] = t[i].value[1];
			}
		}
	}
}

static void take_first(const struct comparison *c, struct review_cell *cell)
{
	const struct compare_first *f = &c->first[0];
	const struct compare_seen a = {0, &f->record[0]}, b = {1, &f->record[1]};

	cell->differ = c->differ;
	if (c->nr_first == 0) {
		return;
	}
	cell->first = f->op;
	compare_op(&f->record[0], cell->first_op, sizeof(cell->first_op));
	comparison_why(c, a, b, cell->first_why, sizeof(cell->first_why));
}

static int64_t figure(const struct compare_lane *l, enum review_figure f)
{
	const struct zl_machine *m = &l->machine->machine;

	switch (f) {
	case REVIEW_BLOCK_ORDER:
		return m->geometry.pageblock_order;
	case REVIEW_CMA_ALIGNMENT:
		return (int64_t)m->geometry.cma_min_alignment_bytes;
	case REVIEW_MIN_FREE:
		return (int64_t)m->min_free.kbytes;
	case REVIEW_BATCH:
		return l->limits.batch;
	case REVIEW_HIGH_MIN:
		return l->limits.tuned ? l->limits.high_min : l->limits.high;
	case REVIEW_HIGH_MAX:
		return l->limits.tuned ? l->limits.high_max : l->limits.high;
	case REVIEW_FIGURES:
		break;
	}
	return 0;
}

static void take_machine(
	const struct comparison *c, const struct review_cell *cell, struct review_machine *m)
{
	for (unsigned f = 0; f < REVIEW_FIGURES && !m->figures_known; f++) {
		for (unsigned i = 0; i < 2; i++) {
			m->figure[f][i] = figure(&c->lane[i], (enum review_figure)f);
		}
	}
	m->figures_known = true;
	compare_machine(&c->lane[0], m->what, sizeof(m->what));
	if (strcmp(cell->scenario, STREAM) == 0) {
		m->stream_ran = true;
		m->stream_flushes[0] = (uint64_t)cell->value[REVIEW_FREE_HIGH][0];
		m->stream_flushes[1] = (uint64_t)cell->value[REVIEW_FREE_HIGH][1];
	}
}

int review_begin(
	struct app *app, const struct review_what *w, struct comparison **ret, struct zl_error *err)
{
	static const char *const names[2] = {"before", "after"};
	struct compare_what what = {.nr_lanes = 2, .estimate = w->estimate};
	struct zl_scenario s;
	int rc = zl_scenario_open(w->scenario, app->alloc, &s, err);

	if (rc != 0) {
		return rc;
	}
	rc = scenario_options(NULL, &app_lane_const(app)->profile.settings, &s, &what.expand, err);
	if (rc != 0) {
		zl_scenario_done(&s);
		return rc;
	}
	what.expand.short_form = !w->whole;
	what.scenario = &s;
	for (unsigned i = 0; i < 2; i++) {
		what.name[i] = names[i];
		what.profile[i] = &w->profiles[i];
	}
	return comparison_new(&what, app->alloc, ret, err);
}

/* Tells how far the battery is, and asks whether the user has seen enough. */
static bool wants_stop(const struct review *r, const struct comparison *c)
{
	const struct output *o = r->out;
	uint64_t total = comparison_total(c), part = 0;

	if (o->progress != NULL) {
		part = total > 0 ? c->known * PERMILLE / total : 0;
		o->progress(o->patience_user, (r->nr_cells - 1) * PERMILLE + part,
			r->nr_machines * r->nr_scenarios * PERMILLE);
	}
	return output_stopped(r->out);
}

static int run_comparison(struct app *app, const struct review *r, const struct review_what *w,
	struct review_cell *cell, struct comparison **ret)
{
	struct comparison *c = NULL;
	struct zl_error err = {0};
	int rc = review_begin(app, w, &c, &err);

	while (rc == 0 && !c->complete && !wants_stop(r, c)) {
		rc = comparison_advance(c, SLICE);
	}
	if (rc == 0 && !c->complete && c->error.text[0] == '\0') {
		comparison_free(c);
		return -EINTR;
	}
	if (rc == 0 && c->error.text[0] != '\0') {
		err = c->error;
		rc = -EINVAL;
	}
	if (rc == 0) {
		*ret = c;
		return 0;
	}
	comparison_free(c);
	zl_error_format(&err, cell->why_not, sizeof(cell->why_not));
	return rc;
}

static int run_cell(
	struct app *app, struct review *r, struct review_machine *m, struct review_cell *cell)
{
	struct zl_profile *profiles =
		app->alloc->realloc(app->alloc->user, NULL, 2 * sizeof(*profiles));
	struct comparison *c = NULL;
	struct zl_error err = {0};
	int rc = profiles == NULL ? -ENOMEM : 0;
	unsigned n = 0;

	for (; n < 2 && rc == 0; n += rc == 0 ? 1 : 0) {
		rc = lane_apply(&m->lanes[n], &app_lane_const(app)->profile, app->alloc,
			&profiles[n], &err);
	}
	if (rc == 0) {
		const struct review_what what = {cell->scenario, profiles, r->whole, true};

		rc = run_comparison(app, r, &what, cell, &c);
	} else {
		zl_format(cell->why_not, sizeof(cell->why_not), "%s", err.text);
	}
	if (rc == 0) {
		cell->ran = true;
		cell->ops = c->known;
		take_totals(c, cell);
		take_first(c, cell);
		take_machine(c, cell, m);
	}
	comparison_free(c);
	for (unsigned i = 0; i < n; i++) {
		zl_profile_done(&profiles[i], app->alloc);
	}
	app->alloc->free(app->alloc->user, profiles);
	return rc;
}

/* --- judging --- */

int64_t review_change(const struct review_cell *c, enum review_total t)
{
	int64_t before = c->value[t][0], after = c->value[t][1];

	if (before == after) {
		return 0;
	}
	if (before == 0) {
		return after > 0 ? PERMILLE : -PERMILLE;
	}
	return (after - before) * PERMILLE / before;
}

static int64_t absolute(int64_t v)
{
	return v < 0 ? -v : v;
}

int review_verdict(const struct review_cell *c)
{
	int64_t t = review_change(c, REVIEW_THROUGHPUT);
	int64_t locks = review_change(c, REVIEW_LOCKS);

	if (absolute(t) >= LEAST) {
		return t > 0 ? 1 : -1;
	}
	if (t != 0 || absolute(locks) < LEAST) {
		return 0;
	}
	return locks == 0 ? 0 : (locks < 0 ? 1 : -1);
}

/* By the change of throughput, then of lock takes, then by name: the same order everywhere. */
static int by_effect(const void *x, const void *y)
{
	const struct review_cell *a = x, *b = y;
	static const enum review_total order[] = {
		REVIEW_THROUGHPUT, REVIEW_LOCKS, REVIEW_HOLD, REVIEW_FREE_HIGH};

	if (a->ran != b->ran) {
		return a->ran ? -1 : 1;
	}
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		int64_t p = absolute(review_change(a, order[i]));
		int64_t q = absolute(review_change(b, order[i]));

		if (p != q) {
			return p > q ? -1 : 1;
		}
	}
	int machine = strcmp(a->machine, b->machine);
	return machine != 0 ? machine : strcmp(a->scenario, b->scenario);
}

static void count(struct review *r, const struct review_cell *c, struct review_machine *m)
{
	int verdict = review_verdict(c);

	r->nr_failed += !c->ran;
	r->nr_differ += c->ran && c->differ > 0;
	m->helps += c->ran && verdict > 0 ? 1 : 0;
	m->hurts += c->ran && verdict < 0 ? 1 : 0;
}

int review_run(struct app *app, struct review *r, const struct patch_opened *p,
	const struct patch_base *base, struct output *out)
{
	r->out = out;
	for (size_t i = 0; i < r->nr_machines; i++) {
		int rc = make_lanes(app, &r->machine[i], p, base, &out->error);

		if (rc != 0) {
			return rc;
		}
	}
	for (size_t i = 0; i < r->nr_machines; i++) {
		for (size_t k = 0; k < r->nr_scenarios && !r->stopped; k++) {
			struct review_cell *c = &r->cell[r->nr_cells++];
			int rc;

			c->machine = r->machine[i].name;
			c->scenario = r->scenario[k];
			rc = run_cell(app, r, &r->machine[i], c);
			if (rc == -ENOMEM) {
				zl_error_set(
					&out->error, 0, 0, "no memory for a run of the battery");
				return rc;
			}
			if (rc == -EINTR) {
				r->stopped = true;
				memset(c, 0, sizeof(*c));
				r->nr_cells--;
			} else {
				count(r, c, &r->machine[i]);
			}
		}
	}
	qsort(r->cell, r->nr_cells, sizeof(r->cell[0]), by_effect);
	return 0;
}
