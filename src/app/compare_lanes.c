/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_lanes.h"

#include <errno.h>
#include <string.h>

#include "op_list.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define SLICE 65536u

/* ---- lanes ---- */

static int add_lane(struct compare_lanes *l, const char *text, struct zl_error *err)
{
	const struct zl_profile *base = &app_lane_const(l->app)->profile;
	struct lane_spec *s = &l->spec[l->n];
	int rc;

	if (l->n == COMPARE_LANES) {
		zl_error_set(err, 0, 0, "at most %u lanes are compared", (unsigned)COMPARE_LANES);
		return -EINVAL;
	}
	rc = lane_parse(text, s, err);
	for (unsigned i = 0; i < l->n && rc == 0; i++) {
		if (strcmp(l->spec[i].name, s->name) == 0) {
			zl_error_set(err, 0, 0, "two lanes are called %s; each has its own name",
				s->name);
			rc = -EINVAL;
		}
	}
	rc = rc != 0 ? rc : lane_apply(s, base, l->app->alloc, &l->profile[l->n], err);
	if (rc == 0) {
		l->n++;
	} else {
		zl_error_file(err, "--lane");
		err->line = err->column > 0 ? 1 : 0;
	}
	return rc;
}

static int add_lanes(struct compare_lanes *l, struct zl_error *err)
{
	bool axis = args_option(l->args, "--axis") != NULL;
	unsigned given = 0;
	int rc = 0;

	for (size_t i = 0; i < l->args->nr_options; i++) {
		given += strcmp(l->args->option[i].option->name, "--lane") == 0 ? 1 : 0;
	}
	if (given == 0 && !axis) {
		zl_error_set(err, 0, 0,
			"there is nothing to compare; --lane NAME:ITEM,..., for example --lane "
			"old:6.12 --lane new:6.18");
		return -EINVAL;
	}
	if (axis && given > 1) {
		zl_error_set(err, 0, 0, "an axis has one lane; leave the others out");
		return -EINVAL;
	}
	if (given == (axis ? 0 : 1)) {
		rc = add_lane(l, "base:", err);
	}
	for (size_t i = 0; i < l->args->nr_options && rc == 0; i++) {
		if (strcmp(l->args->option[i].option->name, "--lane") == 0) {
			rc = add_lane(l, l->args->option[i].value, err);
		}
	}
	return rc;
}

/* ---- what is run ---- */

static int open_scenario(const struct compare_lanes *l, struct zl_scenario *ret,
	struct zl_expand_options *options, struct zl_error *err)
{
	const struct zl_settings *s = &app_lane_const(l->app)->profile.settings;
	int rc = zl_scenario_open(l->args->word[0], l->app->alloc, ret, err);

	if (rc != 0) {
		return rc;
	}
	rc = scenario_options(l->args, s, ret, options, err);
	if (rc != 0) {
		zl_scenario_done(ret);
	}
	return rc;
}

static int describe(struct compare_lanes *l, struct zl_error *err)
{
	struct zl_expand_options options;
	struct zl_scenario s;
	int rc;

	if (op_list_is(l->args->word[0], l->app->alloc)) {
		rc = zl_workload_load(l->args->word[0], l->app->alloc, &l->workload, err);
		rc = rc != 0 ? rc : zl_workload_one_zone(&l->workload, err);
		rc = rc != 0 ? rc : zl_workload_one_zone(&l->workload, err);
		zl_format(l->name, sizeof(l->name), "%s", l->workload.name);
		zl_format(l->seed, sizeof(l->seed), "1");
		return rc;
	}
	rc = open_scenario(l, &s, &options, err);
	if (rc == 0) {
		zl_format(l->name, sizeof(l->name), "%s", s.name);
		zl_format(l->title, sizeof(l->title), "%s", s.title);
		zl_format(l->question, sizeof(l->question), "%s", zl_scenario_text(&s, s.question));
		l->first_seed = options.seeded ? options.seed : s.seed;
		zl_format(l->seed, sizeof(l->seed), "%U", l->first_seed);
		zl_scenario_done(&s);
	}
	return rc;
}

int compare_lanes_of(struct app *app, const struct command_args *args, struct output *out,
	struct compare_lanes **ret)
{
	struct zl_error *err = &out->error;
	struct compare_lanes *l = app->alloc->realloc(app->alloc->user, NULL, sizeof(*l));

	if (l == NULL) {
		zl_error_set(err, 0, 0, "no memory for lanes");
		return -ENOMEM;
	}
	memset(l, 0, sizeof(*l));
	*ret = l;
	l->app = app;
	l->args = args;
	l->out = out;
	return add_lanes(l, err);
}

int compare_lanes_new(struct app *app, const struct command_args *args, struct output *out,
	struct compare_lanes **ret)
{
	int rc = compare_lanes_of(app, args, out, ret);

	return rc != 0 ? rc : describe(*ret, &out->error);
}

void compare_lanes_free(struct compare_lanes *l)
{
	if (l == NULL) {
		return;
	}
	for (unsigned i = 0; i < l->n; i++) {
		zl_profile_done(&l->profile[i], l->app->alloc);
	}
	zl_workload_done(&l->workload);
	l->app->alloc->free(l->app->alloc->user, l);
}

/* ---- running ---- */

/* Estimates that were made with different costs say nothing about designs. */
static int check_costs(
	const struct compare_lanes *l, const struct comparison *c, struct zl_error *err)
{
	if (args_switch(l->args, "--allow-different-costs")) {
		return 0;
	}
	for (unsigned i = 1; i < c->nr_lanes; i++) {
		if (c->lane[i].estimate != NULL &&
			!zl_costs_equal(&c->lane[0].costs, &c->lane[i].costs)) {
			zl_error_set(err, 0, 0,
				"lanes %s and %s have different costs, so their estimates do not "
				"compare; --allow-different-costs runs them all the same",
				c->lane[0].name, c->lane[i].name);
			return -EINVAL;
		}
	}
	return 0;
}

/* Runs to the end, or until the user has seen enough. */
static int run_through(const struct compare_lanes *l, struct comparison *c, unsigned run)
{
	struct output *o = l->out;
	unsigned runs = l->runs > 0 ? l->runs : 1;
	int rc = 0;

	while (rc == 0 && !c->complete && !output_stopped(o)) {
		rc = comparison_advance(c, SLICE);
		if (o->progress != NULL) {
			uint64_t all = comparison_total(c);

			o->progress(o->patience_user, run * all + c->known, runs * all);
		}
	}
	return rc;
}

int compare_profiles_run(const struct compare_lanes *l, const struct compare_what *profiles,
	unsigned run, struct comparison **ret, struct zl_error *err)
{
	struct compare_what what = *profiles;
	struct comparison *c = NULL;
	struct zl_scenario s;
	int rc = 0;

	if (l->workload.ops != NULL) {
		what.workload = &l->workload;
	} else {
		rc = open_scenario(l, &s, &what.expand, err);
		what.scenario = &s;
	}
	if (rc == 0 && profiles->expand.seeded) {
		what.expand.seeded = true;
		what.expand.seed = profiles->expand.seed;
	}
	rc = rc != 0 ? rc : comparison_new(&what, l->app->alloc, &c, err);
	rc = rc != 0 ? rc : check_costs(l, c, err);
	rc = rc != 0 ? rc : run_through(l, c, run);
	if (rc == 0 && c->error.text[0] != '\0') {
		*err = c->error;
		zl_error_file(err, l->args->word[0]);
		rc = -EINVAL;
	}
	if (rc != 0) {
		comparison_free(c);
		return rc;
	}
	*ret = c;
	return 0;
}

int compare_lanes_run(
	const struct compare_lanes *l, unsigned seed, struct comparison **ret, struct zl_error *err)
{
	struct compare_what what = {.nr_lanes = l->n, .estimate = true};

	for (unsigned i = 0; i < l->n; i++) {
		what.name[i] = l->spec[i].name;
		what.profile[i] = &l->profile[i];
	}
	what.expand.seeded = l->workload.ops == NULL;
	what.expand.seed = l->first_seed + seed;
	return compare_profiles_run(l, &what, seed, ret, err);
}
