/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_show.h"

#include <errno.h>

#include "aside.h"
#include "list_feed.h"
#include "pagesets.h"
#include "scenario_machine.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

static int show(struct app *app, struct zl_error *err)
{
	if (pagesets_to_first_flush(app) < 0) {
		zl_error_set(err, 0, 0, "no memory for a run");
		return -ENOMEM;
	}
	return app_show_screen(app, SCREEN_PAGESETS, err);
}

int scenario_show(struct app *app, const char *name, struct zl_error *err)
{
	const struct zl_profile *base = &app_lane_const(app)->profile;
	struct scenario_machine *m = NULL;
	struct zl_expand_options options;
	struct zl_scenario s;
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
	if (m->system != NULL) {
		struct run_zones what = {.zone = ZONES_LARGEST};

		zl_format(what.path, sizeof(what.path), "%s", name);
		scenario_machine_free(m);
		zl_scenario_done(&s);
		return run_zones_show(app, &what, err);
	}
	const unsigned lane = app->active;
	struct app *before = aside_begin(app, lane);
	if (before == NULL) {
		scenario_machine_free(m);
		zl_scenario_done(&s);
		zl_error_set(err, 0, 0, "no memory for a run");
		return -ENOMEM;
	}
	app_use_profile(app, &m->profile);
	scenario_machine_free(m);
	rc = pagesets_open_scenario(app, name, &s, &options, err);
	return aside_end(app, before, lane, rc == 0 ? show(app, err) : rc);
}

int list_show(struct app *app, const char *path, struct zl_error *err)
{
	struct zl_workload w;
	struct op_feed feed;
	int rc = zl_workload_load(path, app->alloc, &w, err);

	if (rc != 0) {
		return rc;
	}
	if (w.several) {
		struct run_zones what = {.list = true, .zone = ZONES_LARGEST};

		zl_format(what.path, sizeof(what.path), "%s", path);
		zl_workload_done(&w);
		return run_zones_show(app, &what, err);
	}
	rc = list_feed(app->alloc, w.ops, w.nr_ops, &feed);
	if (rc == 0) {
		rc = pagesets_open(app, w.name, &w.config, &feed, err);
		if (rc == 0) {
			pagesets_came_from(app, path);
		}
		rc = rc == 0 ? show(app, err) : rc;
	} else {
		zl_error_set(err, 0, 0, "no memory for a run");
	}
	zl_workload_done(&w);
	return rc;
}

bool scenario_is_shipped(const char *word)
{
	return zl_shipped_find(ZL_SHIPPED_SCENARIOS, word) != SIZE_MAX;
}
