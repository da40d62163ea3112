/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lanes.h"

#include <errno.h>
#include <string.h>

#include "pagesets.h"
#include "pools.h"
#include "profile_load.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

#define ITEMS_MAX 32

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

/* ---- items ---- */

bool lane_item(const char **list, char *item, size_t size)
{
	const char *p = *list;
	unsigned depth = 0;
	bool quoted = false;
	size_t n = 0;

	while (*p == ',' || *p == ' ') {
		p++;
	}
	if (*p == '\0') {
		*list = p;
		return false;
	}
	for (; *p != '\0' && (*p != ',' || depth > 0 || quoted); p++) {
		if (*p == '\\' && p[1] == ',') {
			p++;
		} else if (*p == '"') {
			quoted = !quoted;
			continue;
		} else if (!quoted && (*p == '(' || *p == '[')) {
			depth++;
		} else if (!quoted && (*p == ')' || *p == ']')) {
			depth -= depth > 0 ? 1 : 0;
		}
		if (n + 1 < size) {
			item[n++] = *p;
		}
	}
	item[n] = '\0';
	*list = p;
	return true;
}

static const char profile_key[] = "profile=";

static bool is_profile(const char *item)
{
	return strncmp(item, profile_key, sizeof(profile_key) - 1) == 0;
}

/* Another machine under what the lane was given. */
static int take_profile(
	struct app *app, struct zl_profile *p, const char *name, struct zl_error *err)
{
	struct zl_profile other;
	int rc = profile_load(name, app->alloc, &other, err);

	if (rc < 0) {
		return rc;
	}
	zl_profile_set_origin(&other, ZL_ORIGIN_NAMED_PROFILE);
	zl_settings_merge(&other.settings, &p->settings);
	zl_profile_done(p, app->alloc);
	*p = other;
	p->observe = true;
	return 0;
}

/* Profiles first: they must not take back what a setting before them gave. */
static int apply(struct app *app, struct zl_profile *p, const char *items, struct zl_error *err)
{
	int rc = 0;

	for (int pass = 0; pass < 2; pass++) {
		const char *rest = items;
		char item[APP_LANE_ITEMS];
		while (rc == 0 && lane_item(&rest, item, sizeof(item))) {
			if (pass == 0 && is_profile(item)) {
				rc = take_profile(app, p, item + sizeof(profile_key) - 1, err);
			} else if (pass == 1 && !is_profile(item)) {
				rc = zl_settings_assign(&p->settings, item, ZL_ORIGIN_LANE, err);
			}
		}
	}
	return rc;
}

/* ---- opening, closing ---- */

/* Items that change the lane itself. */
static int edit_lane(struct app *app, unsigned lane, const char *items, struct zl_error *err)
{
	char text[ITEMS_MAX][APP_LANE_ITEMS];
	const char *list[ITEMS_MAX];
	size_t n = 0;

	while (n < ITEMS_MAX && lane_item(&items, text[n], sizeof(text[n]))) {
		if (is_profile(text[n])) {
			zl_error_set(err, 0, 0,
				"lane %c has a machine; another one is opened with "
				"its file",
				'A' + (int)lane);
			return -EINVAL;
		}
		list[n] = text[n];
		n++;
	}
	int rc = lane_focus(app, lane, err);
	return rc < 0 || n == 0 ? rc : app_set_all(app, list, n, err);
}

int lane_open(
	struct app *app, unsigned lane, unsigned from, const char *items, struct zl_error *err)
{
	struct lane *to = &app->lane[lane];
	struct zl_profile p;

	if (lane == from) {
		return edit_lane(app, lane, items, err);
	}
	if (strlen(items) >= sizeof(to->items)) {
		zl_error_set(err, 0, 0, "the list is longer than %u bytes",
			(unsigned)sizeof(to->items) - 1);
		return -E2BIG;
	}
	int rc = zl_profile_copy(&p, &app->lane[from].profile, app->alloc);
	if (rc < 0) {
		zl_error_set(err, 0, 0, "no memory for another lane");
		return rc;
	}
	rc = apply(app, &p, items, err);
	if (rc == 0 && app->active == lane) {
		rc = lane_focus(app, from, err); /* its run is about to go */
	}
	if (rc < 0) {
		zl_profile_done(&p, app->alloc);
		return rc;
	}
	pagesets_close_lane(app, lane);
	app_forget_edits(app, lane);
	zl_profile_done(&to->profile, app->alloc);
	to->profile = p;
	to->used = true;
	zl_format(to->items, sizeof(to->items), "%s", items);
	lane_resolve(to);
	return lane_focus(app, lane, err);
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
	pagesets_close_lane(app, lane);
	app_forget_edits(app, lane);
	zl_profile_done(&l->profile, app->alloc);
	memset(l, 0, sizeof(*l));
	return 0;
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

void lane_words(const struct app *app, unsigned lane, char *buf, size_t size)
{
	const struct lane *l = &app->lane[lane];
	const char *rest = l->items;
	char item[APP_LANE_ITEMS];
	struct zl_text t;

	zl_machine_setting(&l->profile, &l->machine, ZL_SET_KERNEL, item, sizeof(item));
	zl_text_init(&t, buf, size);
	zl_text_str(&t, item);
	while (lane > 0 && lane_item(&rest, item, sizeof(item))) {
		if (is_profile(item)) {
			zl_text_fmt(&t, " %s", item + sizeof(profile_key) - 1);
		}
	}
	for (unsigned i = 0; lane > 0 && i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *v = &l->profile.settings.value[i];
		if (i != ZL_SET_KERNEL && v->given && v->origin == ZL_ORIGIN_LANE) {
			zl_setting_format(
				&l->profile.settings, (enum zl_setting)i, item, sizeof(item));
			zl_text_fmt(&t, " %s=%s", zl_setting_info((enum zl_setting)i)->key, item);
		}
	}
}
