/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits in mid-run: what no running kernel takes opens a lane. */
#include <errno.h>

#include "lanes.h"
#include "lanes_private.h"
#include "pagesets.h"
#include "zonelab/policy.h"
#include "zonelab/text.h"

const char *setting_fixed(enum zl_setting key)
{
	switch (zl_setting_info(key)->live) {
	case ZL_LIVE_BUILD:
		return "built in";
	case ZL_LIVE_BOOT:
	case ZL_LIVE_HOTPLUG:
		return "fixed at boot";
	case ZL_LIVE_SYSCTL:
	case ZL_LIVE_NONE:
		break;
	}
	return NULL;
}

/* The first setting of the edit that a running kernel does not take; ZL_SETTING_COUNT = none. */
static enum zl_setting fixed(const char *const *assignments, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum zl_setting key = setting_of(assignments[i]);

		if (key != ZL_SETTING_COUNT && setting_fixed(key) != NULL) {
			return key;
		}
	}
	return ZL_SETTING_COUNT;
}

/* The lane was opened by the last edit, and for this setting. */
static bool opened_for(const struct app *app, enum zl_setting key)
{
	const struct app_edit *last = app->nr_undo > 0 ? app->undo[app->nr_undo - 1] : NULL;
	bool same = last != NULL && setting_of(last->what) == key;

	return same && (last->opened > 0 ? last->opened : last->lane) == app->active &&
	       app->active > 0;
}

/* Whether the run of a lane would be another one under @next. */
static int changes_run(struct app *app, const struct lane *next, struct zl_error *err)
{
	const struct pagesets *p = app->pagesets;
	struct run_zone zone = {.machine = NULL};
	int rc = run_source_zone(&p->all->source, next, app->alloc, &zone, err);

	rc = rc < 0 ? rc : zl_sim_config_check(&zone.config, err);
	if (rc >= 0) {
		rc = !run_same_zone(&zone.config, &p->branch[p->active].config);
	}
	scenario_machine_free(zone.machine);
	return rc;
}

/* The focused lane with the edit made; the caller frees it. NULL with @err filled. */
static struct lane *edited(
	struct app *app, const char *const *assignments, size_t n, struct zl_error *err)
{
	const struct lane *from = app_lane_const(app);
	struct lane *next = lane_copy(app, from);
	int rc = 0;

	if (next == NULL) {
		zl_error_set(err, 0, 0, "no memory for another lane");
		return NULL;
	}
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = app_assign_to(app, &next->profile, assignments[i], ZL_ORIGIN_LANE, err);
	}
	if (rc < 0) {
		lane_free(app, next);
		return NULL;
	}
	lane_resolve(next);
	return next;
}

/* The last lane that is not focused: the one to do without. */
static char spare(const struct app *app)
{
	return (char)('A' + (app->active == APP_LANES - 1 ? APP_LANES - 2 : APP_LANES - 1));
}

static int open_for(struct app *app, enum zl_setting key, struct lane *next, const char *what,
	struct zl_error *err)
{
	unsigned from = app->active, to = lanes_free(app);

	if (to == APP_LANES) {
		zl_error_set(err, 0, 0,
			"%s is %s and needs a lane of its own; all four are open, lane %c off "
			"closes one",
			what, setting_fixed(key), spare(app));
		return -EBUSY;
	}
	lane_place(app, to, next);
	int rc = lane_focus(app, to, err);
	rc = rc < 0 ? rc : app_remember_opened(app, from, what);
	if (rc < 0) {
		return rc;
	}
	app_say(app, VALUE_LITERAL, "%s is %s: lane %c runs with it from op 0 · u takes it back",
		what, setting_fixed(key), 'A' + (int)to);
	return 0;
}

int lanes_edit(struct app *app, const char *const *assignments, size_t n, struct zl_error *err)
{
	enum zl_setting key = fixed(assignments, n);
	char what[sizeof(((struct app_edit *)NULL)->what)];
	bool mid_run = app->screen == SCREEN_PAGESETS && app->pagesets != NULL &&
		       pagesets_timeline(app)->at > 0;

	edit_words(assignments, n, what, sizeof(what));
	if (mid_run && key != ZL_SETTING_COUNT && !opened_for(app, key)) {
		struct lane *next = edited(app, assignments, n, err);
		int rc = next == NULL ? -EINVAL : changes_run(app, next, err);

		if (rc > 0) {
			rc = open_for(app, key, next, what, err);
			lane_free(app, next);
			return rc;
		}
		lane_free(app, next);
		if (rc < 0) {
			return rc;
		}
	}
	int rc = app_set_all(app, assignments, n, err);
	if (rc == 0) {
		pagesets_say_edit(app, what);
	}
	return rc;
}

int lanes_reopen(struct app *app, struct app_edit *edit, struct zl_error *err)
{
	unsigned to = app->lane[edit->opened].used ? lanes_free(app) : edit->opened;
	struct lane *next = NULL;

	if (to == APP_LANES) {
		zl_error_set(
			err, 0, 0, "all four lanes are open; lane %c off closes one", spare(app));
		return -EBUSY;
	}
	next = lane_copy(app, &app->lane[edit->lane]);
	if (next == NULL) {
		zl_error_set(err, 0, 0, "no memory for another lane");
		return -ENOMEM;
	}
	next->profile.settings = edit->settings;
	zl_policy_set_done(&next->profile.policies, app->alloc);
	int rc = zl_policy_set_copy(&next->profile.policies, &edit->policies, app->alloc);
	if (rc == 0) {
		lane_resolve(next);
		lane_place(app, to, next);
		edit->opened = to;
		rc = lane_focus(app, to, err);
	} else {
		zl_error_set(err, 0, 0, "no memory for another lane");
	}
	lane_free(app, next);
	return rc;
}
