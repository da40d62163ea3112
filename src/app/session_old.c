/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions of version 1: lane A with its settings, the other lanes as they differ, no branches. */
#include <errno.h>
#include <string.h>

#include "lanes.h"
#include "pagesets.h"
#include "run_show.h"
#include "session_private.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

static int read_profile(struct app *app, const struct zl_json *j, struct zl_error *err)
{
	struct zl_profile p;
	char *text = NULL;

	if (j == NULL) {
		return session_wrong(err, "machine", "missing; a profile");
	}
	if (zl_json_print(j, false, &text) < 0) {
		zl_error_set(err, 0, 0, "no memory for a session");
		return -ENOMEM;
	}
	int rc = zl_profile_read(text, strlen(text), app->alloc, &p, err);
	zl_json_text_free(text);
	if (rc < 0) {
		return rc;
	}
	zl_profile_set_origin(&p, ZL_ORIGIN_NAMED_PROFILE);
	app_use_profile(app, &p);
	return 0;
}

static int read_set(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const struct zl_json *j = zl_json_first(zl_json_member(root, "set"));
	char text[ZL_CMDLINE_TEXT + ZL_SETTING_TEXT];
	int rc = 0;

	for (; j != NULL && rc == 0; j = zl_json_next(j)) {
		const char *value = zl_json_text(j);
		zl_format(text, sizeof(text), "%s=%s", zl_json_key(j), value != NULL ? value : "");
		rc = app_assign(app, text, err);
	}
	j = zl_json_first(zl_json_member(root, "policies"));
	for (; j != NULL && rc == 0; j = zl_json_next(j)) {
		const struct zl_policy_in in = {.mem = app->alloc, .origin = ZL_ORIGIN_GIVEN};
		enum zl_point point = zl_point_find(zl_json_key(j));
		const char *value = zl_json_text(j);
		if (point == ZL_POINT_COUNT || value == NULL) {
			return session_wrong(
				err, "policies", "no decision point with an expression");
		}
		rc = zl_policy_give(&app_lane(app)->profile.policies, point, value, &in, err);
	}
	app_resolve(app);
	return rc;
}

static int open_run(struct app *app, const struct zl_json *run, struct zl_error *err)
{
	const char *list = zl_json_text(zl_json_member(run, "ops"));
	const char *name = zl_json_text(zl_json_member(run, "scenario"));
	const char *seed = zl_json_text(zl_json_member(run, "seed"));
	struct zl_expand_options options = {0};
	struct zl_scenario s;

	if (list != NULL) {
		return list_show(app, list, err);
	}
	if (name == NULL) {
		return session_wrong(err, "run", "neither a scenario nor ops");
	}
	(void)zl_json_get_bool(zl_json_member(run, "short"), &options.short_form);
	options.seeded = seed != NULL;
	if (seed != NULL && zl_parse_u64(seed, &options.seed) < 0) {
		return session_wrong(err, "run.seed", "no whole number");
	}
	int rc = zl_scenario_open(name, app->alloc, &s, err);
	return rc < 0 ? rc : pagesets_open_scenario(app, name, &s, &options, err);
}

static int read_run(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const struct zl_json *run = zl_json_member(root, "run");
	int64_t op = 0, speed = -1;

	if (run == NULL) {
		return 0;
	}
	int rc = open_run(app, run, err);
	rc = rc < 0 ? rc : session_read_marks(app, run, err);
	if (rc < 0) {
		return rc;
	}
	session_read_cpu(app, run);
	if (zl_json_get_int(zl_json_member(run, "speed"), &speed) == 0 && speed >= 0 &&
		speed < PAGESETS_SPEEDS) {
		app->pagesets->all->speed = (unsigned)speed;
	}
	if (zl_json_get_int(zl_json_member(run, "op"), &op) == 0 && op >= 0) {
		pagesets_seek(app, (uint64_t)op);
	}
	return 0;
}

static int read_lanes(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const struct zl_json *j = zl_json_first(zl_json_member(root, "lanes"));
	const char *focus = zl_json_text(zl_json_member(root, "focus"));
	int rc = 0;

	for (; j != NULL && rc == 0; j = zl_json_next(j)) {
		const char *text = zl_json_text(j);
		unsigned lane = text != NULL ? (unsigned)(text[0] - 'A') : APP_LANES;
		if (lane == 0 || lane >= APP_LANES || text[1] != ':') {
			return session_wrong(err, "lanes", "no lane B to D, as in B:kernel=6.12");
		}
		rc = lane_open(app, lane, 0, text + 2, err);
	}
	unsigned at = focus != NULL ? (unsigned)(focus[0] - 'A') : 0;
	return rc < 0 ? rc : lane_focus(app, at < APP_LANES && app->lane[at].used ? at : 0, err);
}

int session_read_old(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	int rc = read_profile(app, zl_json_member(root, "machine"), err);

	rc = rc < 0 ? rc : read_set(app, root, err);
	rc = rc < 0 ? rc : read_run(app, root, err);
	rc = rc < 0 ? rc : read_lanes(app, root, err);
	return rc < 0 ? rc : session_read_screen(app, root, err);
}
