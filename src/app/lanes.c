/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lanes.h"

#include <errno.h>
#include <string.h>

#include "beside.h"
#include "lane_spec.h"
#include "lanes_private.h"
#include "pagesets.h"
#include "pools.h"
#include "profile_load.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

unsigned lanes_used(const struct app *app)
{
	unsigned n = 0;

	for (unsigned i = 0; i < APP_LANES; i++) {
		n += app->lane[i].used ? 1 : 0;
	}
	return n;
}

unsigned lanes_free(const struct app *app)
{
	unsigned i = 0;

	while (i < APP_LANES && app->lane[i].used) {
		i++;
	}
	return i;
}

/* ---- opening, closing ---- */

/* Settings and policies that change the lane itself, as one edit. */
static int edit_lane(
	struct app *app, unsigned lane, const struct lane_spec *spec, struct zl_error *err)
{
	char text[LANE_ITEMS][APP_FIELD];
	const char *list[LANE_ITEMS];

	for (unsigned i = 0; i < spec->nr_items; i++) {
		const char *value = lane_value(spec, i);

		list[i] = text[i];
		if (spec->item[i].kind == LANE_PROFILE) {
			zl_error_set(err, 0, 0,
				"lane %c is there already; another machine is opened with its file",
				'A' + (int)lane);
			return -EINVAL;
		}
		if (spec->item[i].kind == LANE_POLICY) {
			zl_format(text[i], sizeof(text[i]), "policy.%s", value);
		} else {
			zl_format(text[i], sizeof(text[i]), "%s%s=%s",
				spec->item[i].kind == LANE_POINT ? "policy." : "",
				lane_key(spec, i), value);
		}
	}
	int rc = lane_focus(app, lane, err);
	return rc < 0 || spec->nr_items == 0 ? rc : app_set_all(app, list, spec->nr_items, err);
}

/* What takes a lane's place or closes it: of a pair with titles none is left. */
static void clear_lane(struct app *app, unsigned lane)
{
	bool titled = app->lane[lane].title[0] != '\0';

	for (unsigned i = 0; titled && i < APP_LANES; i++) {
		app->lane[i].title[0] = '\0';
	}
	pagesets_close_lane(app, lane);
	app_forget_edits(app, lane);
	zl_profile_done(&app->lane[lane].profile, app->alloc);
}

void lane_place(struct app *app, unsigned lane, struct lane *next)
{
	clear_lane(app, lane);
	app->lane[lane] = *next;
	memset(next, 0, sizeof(*next));
	beside_lanes_changed(app);
}

void lane_free(struct app *app, struct lane *lane)
{
	if (lane != NULL) {
		zl_profile_done(&lane->profile, app->alloc);
		app->alloc->free(app->alloc->user, lane);
	}
}

struct lane *lane_copy(struct app *app, const struct lane *from)
{
	struct lane *copy = app->alloc->realloc(app->alloc->user, NULL, sizeof(*copy));

	if (copy == NULL) {
		return NULL;
	}
	*copy = *from;
	memset(&copy->profile, 0, sizeof(copy->profile));
	if (zl_profile_copy(&copy->profile, &from->profile, app->alloc) < 0) {
		app->alloc->free(app->alloc->user, copy);
		return NULL;
	}
	copy->used = true;
	copy->title[0] = '\0';
	return copy;
}

enum zl_setting setting_of(const char *assignment)
{
	char key[ZL_SETTING_TEXT];

	zl_format(key, sizeof(key), "%s", assignment);
	key[strcspn(key, "= ")] = '\0';
	return zl_setting_find(key);
}

/* Makes the lane beside the others and puts it in its place when all is well. */
static int open_lane(struct app *app, unsigned lane, unsigned from, const struct lane_spec *spec,
	struct zl_error *err)
{
	struct lane *next = app->alloc->realloc(app->alloc->user, NULL, sizeof(*next));

	if (next == NULL) {
		zl_error_set(err, 0, 0, "no memory for another lane");
		return -ENOMEM;
	}
	memset(next, 0, sizeof(*next));
	next->used = true;
	for (unsigned i = 0; i < spec->nr_items; i++) {
		if (spec->item[i].kind == LANE_PROFILE) {
			zl_format(next->profile_name, sizeof(next->profile_name), "%s",
				lane_value(spec, i));
		}
	}
	int rc = lane_apply(spec, &app->lane[from].profile, app->alloc, &next->profile, err);
	if (rc == 0) {
		lane_resolve(next);
		rc = pagesets_lane_possible(app, next, err);
		if (rc == 0 && app->active == lane) {
			rc = lane_focus(app, from, err); /* its run is about to go */
		}
		if (rc == 0) {
			lane_place(app, lane, next);
		}
	}
	lane_free(app, next);
	return rc == 0 ? lane_focus(app, lane, err) : rc;
}

int lane_open(
	struct app *app, unsigned lane, unsigned from, const char *items, struct zl_error *err)
{
	struct lane_spec *spec = app->alloc->realloc(app->alloc->user, NULL, sizeof(*spec));
	char *text = app->alloc->realloc(app->alloc->user, NULL, LANE_TEXT);
	int rc = -ENOMEM;

	if (spec == NULL || text == NULL) {
		zl_error_set(err, 0, 0, "no memory for another lane");
	} else {
		zl_format(text, LANE_TEXT, "%c:%s", 'A' + (int)lane, items);
		rc = lane_parse(text, spec, err);
		rc = rc != 0	    ? rc
		     : lane == from ? edit_lane(app, lane, spec, err)
				    : open_lane(app, lane, from, spec, err);
	}
	app->alloc->free(app->alloc->user, spec);
	app->alloc->free(app->alloc->user, text);
	return rc;
}

int lane_close(struct app *app, unsigned lane, struct zl_error *err)
{
	struct lane *l = &app->lane[lane];

	if (lane == 0) {
		zl_error_set(err, 0, 0, "lane A stays; B, C and D can be closed");
		return -EINVAL;
	}
	if (!l->used) {
		zl_error_set(err, 0, 0, "lane %c is not open", 'A' + (int)lane);
		return -ENOENT;
	}
	if (app->active == lane) {
		int rc = lane_focus(app, 0, err);
		if (rc < 0) {
			return rc;
		}
	}
	clear_lane(app, lane);
	memset(l, 0, sizeof(*l));
	beside_lanes_changed(app);
	return 0;
}

int lanes_close_others(struct app *app, struct zl_error *err)
{
	int rc = lane_focus(app, 0, err);

	for (unsigned i = 1; i < APP_LANES && rc == 0; i++) {
		rc = app->lane[i].used ? lane_close(app, i, err) : 0;
	}
	return rc;
}

int lane_focus(struct app *app, unsigned lane, struct zl_error *err)
{
	unsigned before = app->active;

	if (!app->lane[lane].used) {
		zl_error_set(err, 0, 0, "lane %c is not open; lane %c:KEY=VALUE,... opens it",
			'A' + (int)lane, 'A' + (int)lane);
		return -ENOENT;
	}
	if (app->preview != NULL) {
		(void)app_preview(app, NULL, err);
	}
	app->active = lane;
	int rc = pagesets_focus_lane(app, err);
	if (rc < 0) {
		app->active = before;
		return rc;
	}
	pools_machine_changed(app);
	return 0;
}

/* ---- words ---- */

/* What a lane has that lane A has not: one item after another. */
struct items {
	struct zl_text t;
	const char *between;
	bool any;
	bool brief; /* policies by the name of their point */
};

/* @readable: so that lane_parse() reads it. */
static void add_item(struct items *it, const char *key, const char *value, bool readable)
{
	zl_text_str(&it->t, it->any ? it->between : "");
	it->any = true;
	zl_text_fmt(&it->t, "%s=", key);
	if (readable) {
		lane_value_write(&it->t, value);
	} else {
		zl_text_str(&it->t, value);
	}
}

static void add_items(struct items *it, const struct lane *l, bool kernel, bool readable)
{
	char value[ZL_CMDLINE_TEXT], key[ZL_SETTING_TEXT];

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &l->profile.settings.value[i];
		if (v->given && v->origin == ZL_ORIGIN_LANE && (kernel || i != ZL_SET_KERNEL)) {
			zl_setting_format(
				&l->profile.settings, (enum zl_setting)i, value, sizeof(value));
			add_item(it, zl_setting_info((enum zl_setting)i)->key, value, readable);
		}
	}
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		const struct zl_policy *policy = &l->profile.policies.policy[p];
		if (policy->text != NULL && policy->origin == ZL_ORIGIN_LANE) {
			const char *name = zl_point_info((enum zl_point)p)->name;

			if (it->brief) {
				zl_text_fmt(&it->t, "%spolicy %s", it->between, name);
				continue;
			}
			zl_format(key, sizeof(key), "policy.%s", name);
			add_item(it, key, policy->text, readable);
		}
	}
}

static void put_words(const struct app *app, unsigned lane, bool brief, char *buf, size_t size)
{
	const struct lane *l = &app->lane[lane];
	struct items it = {.between = " ", .any = true, .brief = brief};
	char kernel[ZL_SETTING_TEXT];

	const struct value_in in = app_lane_values(app, lane);

	value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, kernel, sizeof(kernel));
	zl_text_init(&it.t, buf, size);
	zl_text_str(&it.t, kernel);
	if (l->profile_name[0] != '\0') {
		zl_text_fmt(&it.t, " %s", l->profile_name);
	}
	if (lane > 0) {
		add_items(&it, l, false, false);
	}
}

void lane_words(const struct app *app, unsigned lane, char *buf, size_t size)
{
	put_words(app, lane, false, buf, size);
}

void lane_brief(const struct app *app, unsigned lane, char *buf, size_t size)
{
	put_words(app, lane, true, buf, size);
}

void lane_text(const struct app *app, unsigned lane, char *buf, size_t size)
{
	const struct lane *l = &app->lane[lane];
	struct items it = {.between = ","};

	zl_text_init(&it.t, buf, size);
	zl_text_fmt(&it.t, "%c:", 'A' + (int)lane);
	if (l->profile_name[0] != '\0') {
		add_item(&it, "profile", l->profile_name, true);
	}
	if (lane > 0) {
		add_items(&it, l, true, true);
	}
}
