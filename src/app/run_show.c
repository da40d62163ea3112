/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_show.h"

#include "pagesets.h"
#include "scenario_feed.h"
#include "scenario_machine.h"
#include "story.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

static int show(struct app *app, const char *title, const struct zl_sim_config *config,
	const struct op_feed *feed, struct zl_error *err)
{
	int rc = pagesets_open(app, title, config, feed, err);

	if (rc == 0) {
		pagesets_to_first_flush(app);
		rc = app_show_screen(app, SCREEN_PAGESETS, err);
	}
	return rc;
}

int scenario_show(struct app *app, const char *name, struct zl_error *err)
{
	const struct zl_profile *base = &app_lane_const(app)->profile;
	struct scenario_machine *m = NULL;
	struct zl_expand_options options;
	struct zl_scenario s;
	struct op_feed feed;
	char title[sizeof(s.name)];
	int rc = zl_scenario_open(name, app->alloc, &s, err);

	if (rc != 0) {
		return rc;
	}
	rc = scenario_options(NULL, &base->settings, &s, &options, err);
	rc = rc != 0 ? rc : scenario_machine_new(base, &s, app->alloc, &m, err);
	if (rc != 0) {
		zl_scenario_done(&s);
		return rc;
	}
	options.cpus = m->config.cpus;
	zl_format(title, sizeof(title), "%s", s.name);
	rc = scenario_feed(&s, &options, app->alloc, &feed, err);
	if (rc == 0) {
		app_use_profile(app, &m->profile);
		rc = show(app, title, &m->config, &feed, err);
	}
	scenario_machine_free(m);
	return rc;
}

int list_show(struct app *app, const char *path, struct zl_error *err)
{
	struct zl_workload w;
	struct op_feed feed;
	int rc = zl_workload_load(path, app->alloc, &w, err);

	if (rc != 0) {
		return rc;
	}
	rc = list_feed(app->alloc, w.ops, w.nr_ops, &feed);
	if (rc == 0) {
		rc = show(app, w.name, &w.config, &feed, err);
	} else {
		zl_error_set(err, 0, 0, "no memory for a run");
	}
	zl_workload_done(&w);
	return rc;
}
