/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes in sessions: the machine, and settings and policies with where they came from. */
#include <errno.h>
#include <string.h>

#include "session_private.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

/* ---- settings and policies ---- */

static void write_policies(struct zl_json *o, const struct zl_policy_set *set)
{
	struct zl_json *list = zl_json_add_array(o, "policies");

	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_policy *p = &set->policy[i];

		if (p->text != NULL) {
			struct zl_json *j = zl_json_push_object(list);

			zl_json_add_string(j, "point", zl_point_info((enum zl_point)i)->name);
			zl_json_add_string(j, "text", p->text);
			zl_json_add_int(j, "origin", p->origin);
			zl_json_add_string(j, "shipped", p->shipped);
		}
	}
}

void session_state_write(
	struct zl_json *o, const struct zl_settings *settings, const struct zl_policy_set *policies)
{
	zl_json_add(o, "settings", zl_settings_to_json(settings));
	struct zl_json *origins = zl_json_add_object(o, "origins");
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (settings->value[i].given) {
			zl_json_add_int(origins, zl_setting_info((enum zl_setting)i)->key,
				settings->value[i].origin);
		}
	}
	write_policies(o, policies);
}

static int read_origin(const struct zl_json *j, enum zl_origin *ret, struct zl_error *err)
{
	int64_t v = 0;

	if (zl_json_get_int(j, &v) < 0 || v < 0 || v >= ZL_ORIGIN_COUNT) {
		return session_wrong(err, "origins", "no number of an origin");
	}
	*ret = (enum zl_origin)v;
	return 0;
}

static int read_policies(const struct app *app, const struct zl_json *list,
	struct zl_policy_set *set, struct zl_error *err)
{
	int rc = 0;

	for (const struct zl_json *j = zl_json_first(list); j != NULL && rc == 0;
		j = zl_json_next(j)) {
		const char *point = zl_json_text(zl_json_member(j, "point"));
		const char *text = zl_json_text(zl_json_member(j, "text"));
		const char *name = zl_json_text(zl_json_member(j, "shipped"));
		const struct zl_shipped_policy *shipped =
			name != NULL ? zl_shipped_policy(name) : NULL;
		struct zl_policy_in in = {
			.mem = app->alloc, .shipped = shipped != NULL ? shipped->name : NULL};
		enum zl_point p = point != NULL ? zl_point_find(point) : ZL_POINT_COUNT;

		if (p == ZL_POINT_COUNT || text == NULL) {
			return session_wrong(
				err, "policies", "no decision point with an expression");
		}
		rc = read_origin(zl_json_member(j, "origin"), &in.origin, err);
		rc = rc < 0 ? rc : zl_policy_give(set, p, text, &in, err);
	}
	return rc;
}

/* A profile, or settings alone, which are read as those of one. */
static int read_as_profile(const struct app *app, const struct zl_json *j, bool settings,
	struct zl_profile *ret, struct zl_error *err)
{
	struct zl_buf b = {0};
	char *text = NULL;
	int rc = zl_json_print(j, false, &text);

	zl_buf_str(&b, settings ? "{\"kind\":\"profile\",\"version\":1,\"settings\":" : "");
	zl_buf_str(&b, text != NULL ? text : "");
	zl_buf_str(&b, settings ? "}" : "");
	zl_json_text_free(text);
	if (rc < 0 || b.failed) {
		zl_error_set(err, 0, 0, "no memory for a session");
		rc = -ENOMEM;
	}
	rc = rc < 0 ? rc : zl_profile_read(zl_buf_text(&b), b.len, app->alloc, ret, err);
	zl_buf_done(&b);
	return rc;
}

int session_profile_read(const struct app *app, const struct zl_json *j, struct zl_profile *ret,
	struct zl_error *err)
{
	return read_as_profile(app, j, false, ret, err);
}

/* Settings are read as those of a profile are. */
static int read_settings(const struct app *app, const struct zl_json *o, struct zl_settings *ret,
	struct zl_error *err)
{
	const struct zl_json *j = zl_json_member(o, "settings");
	const struct zl_json *origins = zl_json_member(o, "origins");
	struct zl_profile p;

	if (j == NULL) {
		return session_wrong(err, "settings", "missing; an object of settings");
	}
	int rc = read_as_profile(app, j, true, &p, err);
	if (rc < 0) {
		return rc;
	}
	*ret = p.settings;
	zl_profile_done(&p, app->alloc);
	for (j = zl_json_first(origins); j != NULL && rc == 0; j = zl_json_next(j)) {
		enum zl_setting key = zl_setting_find(zl_json_key(j));

		rc = key == ZL_SETTING_COUNT
			     ? session_wrong(err, "origins", "no setting of that name")
			     : read_origin(j, &ret->value[key].origin, err);
	}
	return rc;
}

int session_state_read(const struct app *app, const struct zl_json *o, struct zl_profile *ret,
	struct zl_error *err)
{
	struct zl_policy_set policies = {0};
	struct zl_settings settings;
	int rc = read_settings(app, o, &settings, err);

	rc = rc < 0 ? rc : read_policies(app, zl_json_member(o, "policies"), &policies, err);
	if (rc < 0) {
		zl_policy_set_done(&policies, app->alloc);
		return rc;
	}
	zl_policy_set_done(&ret->policies, app->alloc);
	ret->policies = policies;
	ret->settings = settings;
	return 0;
}

/* ---- machines ---- */

/* The machine without settings and policies, which stand apart. */
static struct zl_json *facts(const struct lane *lane)
{
	struct zl_profile base = lane->profile; /* borrows what it points to */

	memset(&base.settings, 0, sizeof(base.settings));
	memset(&base.policies, 0, sizeof(base.policies));
	return zl_profile_to_json(&base);
}

char *session_machine_text(const struct lane *lane)
{
	struct zl_json *j = facts(lane);
	char *text = NULL;

	(void)zl_json_print(j, false, &text);
	zl_json_free(j);
	return text;
}

void session_lane_write(struct zl_json *o, const struct lane *lane, const char *like)
{
	char *machine = like != NULL ? session_machine_text(lane) : NULL;

	if (machine == NULL || strcmp(machine, like) != 0) {
		zl_json_add(o, "machine", facts(lane));
	}
	zl_json_text_free(machine);
	zl_json_add_string(o, "opened_with", lane->profile_name);
	if (lane->title[0] != '\0') {
		zl_json_add_string(o, "title", lane->title);
	}
	zl_json_add_bool(o, "observe", lane->profile.observe);
	session_state_write(o, &lane->profile.settings, &lane->profile.policies);
}

int session_lane_read(const struct app *app, const struct zl_json *o, const struct lane *like,
	struct lane *ret, struct zl_error *err)
{
	const struct zl_json *machine = zl_json_member(o, "machine");
	const char *with = zl_json_text(zl_json_member(o, "opened_with"));
	const char *title = zl_json_text(zl_json_member(o, "title"));
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (machine == NULL && like == NULL) {
		return session_wrong(err, "lanes.machine", "missing; a profile");
	}
	rc = machine == NULL ? zl_profile_copy(&ret->profile, &like->profile, app->alloc)
			     : session_profile_read(app, machine, &ret->profile, err);
	rc = rc < 0 ? rc : session_state_read(app, o, &ret->profile, err);
	if (rc < 0) {
		zl_profile_done(&ret->profile, app->alloc);
		return rc;
	}
	(void)zl_json_get_bool(zl_json_member(o, "observe"), &ret->profile.observe);
	zl_format(ret->profile_name, sizeof(ret->profile_name), "%s", with != NULL ? with : "");
	zl_format(ret->title, sizeof(ret->title), "%s", title != NULL ? title : "");
	ret->used = true;
	lane_resolve(ret);
	return 0;
}
