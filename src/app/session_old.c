/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions of version 1: lane A with its settings, the other lanes as they differ, no branches. */

#include "lanes.h"
#include "pagesets.h"
#include "session_private.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

static int read_profile(struct app *app, const struct zl_json *j, struct zl_error *err)
{
	struct zl_profile p;

	if (j == NULL) {
		return session_wrong(err, "machine", "missing; a profile");
	}
	int rc = session_profile_read(app, j, &p, err);
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

static int read_run(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const struct zl_json *run = zl_json_member(root, "run");
	int64_t op = 0;

	if (run == NULL) {
		return 0;
	}
	if (zl_json_text(zl_json_member(run, "scenario")) == NULL &&
		zl_json_text(zl_json_member(run, "ops")) == NULL) {
		return session_wrong(err, "run", "neither a scenario nor ops");
	}
	int rc = session_open_run(app, run, err);
	rc = rc < 0 ? rc : session_read_marks(app, run, err);
	if (rc < 0) {
		return rc;
	}
	session_read_look(app, run);
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
