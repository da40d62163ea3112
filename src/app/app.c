/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State: lanes, edits with undo, baseline, preview. What follows from an edit is always resolved
 * anew by the model.
 */
#include "app.h"

#include <errno.h>
#include <string.h>

#include "beside.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "pools.h"
#include "replay_show.h"
#include "sweeps.h"
#include "zonelab/clean.h"
#include "zonelab/file.h"
#include "zonelab/import.h"
#include "zonelab/text.h"

/* Before a policy where settings and policies are given alike. */
#define POLICY_PREFIX "policy."

static void *take(struct app *app, size_t size)
{
	void *p = app->alloc->realloc(app->alloc->user, NULL, size);

	if (p != NULL) {
		memset(p, 0, size);
	}
	return p;
}

static void give(struct app *app, void *p)
{
	if (p != NULL) {
		app->alloc->free(app->alloc->user, p);
	}
}

struct lane *app_lane(struct app *app)
{
	return &app->lane[app->active];
}

const struct lane *app_lane_const(const struct app *app)
{
	return &app->lane[app->active];
}

static struct value_in values_of(const struct lane *lane)
{
	struct value_in in = {.profile = &lane->profile,
		.machine = &lane->machine,
		.zone = lane->machine.main_zone};

	return in;
}

/* A run that was opened beside a lesson about a machine. */
static bool other_run(const struct app *app)
{
	return learn_open_now(app) && !learn_has_run(app) &&
	       (learn_pending(app) || app->screen == SCREEN_LEARN);
}

/* The run of a lane where the screen shows runs; NULL = it shows the lane itself. */
static const struct pagesets *run_of(const struct app *app, unsigned lane)
{
	bool shows = app->screen == SCREEN_PAGESETS || app->screen == SCREEN_COMPARE ||
		     app->screen == SCREEN_LEARN;

	if (!shows || app->pagesets == NULL || other_run(app)) {
		return NULL;
	}
	return lane == app->active ? app->pagesets : app->run[lane];
}

struct value_in app_lane_values(const struct app *app, unsigned lane)
{
	const struct pagesets *p = run_of(app, lane);
	struct value_in in = values_of(&app->lane[lane]);

	if (p != NULL) {
		/* The lane alone does not know the scenario's machine. */
		if (p->machine != NULL) {
			in.profile = &p->machine->profile;
			in.machine = &p->machine->machine;
			in.zone = p->machine->zone;
		}
		in.own_zone = p->machine == NULL;
		in.run = &p->branch[p->active].config;
		in.facts = &p->facts;
	} else if (app->screen == SCREEN_SWEEP && app->sweeps != NULL &&
		   app->sweeps->machine != NULL && lane == app->active) {
		in.profile = &app->sweeps->machine->profile;
		in.machine = &app->sweeps->machine->machine;
		in.zone = app->sweeps->machine->zone;
	}
	return in;
}

struct value_in app_values(const struct app *app)
{
	struct value_in in = app_lane_values(app, app->active);

	if (app->preview != NULL && in.run == NULL) {
		in = values_of(app->preview);
	} else if (app->screen == SCREEN_RESERVE && app->pools != NULL) {
		/* The files may know more than the lane. */
		in.profile = &app->pools->r->profile;
		in.machine = &app->pools->r->machine;
		in.zone = in.machine->main_zone;
	}
	in.facts = app->pagesets != NULL && !other_run(app) ? &app->pagesets->facts : NULL;
	if (beside_shown(app)) {
		in.facts = &app->beside->facts[beside_focus(app)];
	}
	in.pool = app->pools != NULL ? &app->pools->facts : NULL;
	in.hidden = learn_hidden(app);
	return in;
}

void app_settings_title(const struct app *app, char *buf, size_t size)
{
	const struct pagesets *p = run_of(app, app->active);
	char letter = (char)('A' + (char)app->active);

	if (p != NULL) {
		zl_format(buf, size, "Settings of lane %c: the machine of %s", letter, p->title);
	} else {
		zl_format(buf, size, "Settings of lane %c", letter);
	}
}

struct value_in app_baseline(const struct app *app)
{
	struct value_in none = {0};

	return app->baseline != NULL ? values_of(app->baseline) : none;
}

void lane_resolve(struct lane *lane)
{
	memset(&lane->diags, 0, sizeof(lane->diags));
	zl_machine_resolve(&lane->profile, &lane->machine, &lane->diags);
}

/* Whether what files leave open was assumed, and nobody has said it since. */
static bool still_assumed(const struct zl_profile *p, const struct zl_diag *d)
{
	return d->code == ZL_DIAG_RELEASE_ASSUMED || d->code == ZL_DIAG_IMPORT_ASSUMED
		       ? !(p->settings.value[d->about].given &&
				 p->settings.value[d->about].origin > ZL_ORIGIN_FILE)
		       : false;
}

void app_add_assumed(const struct app *app, const struct zl_profile *p, struct zl_diags *ret)
{
	const struct zl_diags *known = app->import != NULL ? &app->import->diags : NULL;

	for (size_t i = 0; known != NULL && i < known->count; i++) {
		const struct zl_diag *d = &known->item[i];

		if (still_assumed(p, d)) {
			struct zl_diag *copy =
				zl_diag_add(ret, d->severity, d->code, "%s", d->text);

			copy->about = d->about;
			zl_format(copy->mend, sizeof(copy->mend), "%s", d->mend);
		}
	}
}

void app_resolve(struct app *app)
{
	struct lane *lane = app_lane(app);

	lane_resolve(lane);
	app_add_assumed(app, &lane->profile, &lane->diags);
	pools_machine_changed(app);
}

static void drop_copy(struct app *app, struct lane **lane)
{
	if (*lane != NULL) {
		zl_profile_done(&(*lane)->profile, app->alloc);
		give(app, *lane);
		*lane = NULL;
	}
}

/* A lane with its own copy of the active lane's profile; NULL without memory. */
static struct lane *copy_lane(struct app *app)
{
	struct lane *copy = take(app, sizeof(*copy));

	if (copy == NULL) {
		return NULL;
	}
	if (zl_profile_copy(&copy->profile, &app_lane(app)->profile, app->alloc) < 0) {
		give(app, copy);
		return NULL;
	}
	lane_resolve(copy);
	return copy;
}

int app_init(struct app *app)
{
	memset(app, 0, sizeof(*app));
	app->alloc = zl_allocator_heap();
	app->motion = true;
	app->screen = SCREEN_GEOMETRY;
	app->panel = 0;
	app->kept_panel[SCREEN_PAGESETS] = PAGESETS_SLOT;
	app->row[0] = 2; /* page size, the first thing one wants to change */
	app->lane[0].used = true;
	zl_profile_init(&app->lane[0].profile);
	app_resolve(app);
	return 0;
}

void app_keep_import(struct app *app, struct zl_import *import)
{
	if (app->import != NULL) {
		zl_import_done(app->import);
		give(app, app->import);
	}
	app->import = import;
}

void app_done(struct app *app)
{
	app_keep_import(app, NULL);
	app_drop_edits(app);
	drop_copy(app, &app->preview);
	drop_copy(app, &app->baseline);
	for (unsigned i = 0; i < APP_LANES; i++) {
		zl_profile_done(&app->lane[i].profile, app->alloc);
	}
	zl_buf_done(&app->text);
	give(app, app->why);
	beside_free(app);
	pagesets_free(app);
	replay_close(app);
	pools_free(app);
	learn_free(app);
	sweeps_free(app);
}

void app_use_profile(struct app *app, struct zl_profile *profile)
{
	struct lane *lane = app_lane(app);

	zl_profile_done(&lane->profile, app->alloc);
	lane->profile = *profile;
	lane->profile.observe = true;
	memset(profile, 0, sizeof(*profile));
	app_drop_edits(app);
	app_resolve(app);
}

/* Policies that were given stay where the machine below them is another. */
static void keep_policies(struct app *app, struct zl_profile *profile)
{
	const struct zl_policy_set *given = &app_lane(app)->profile.policies;

	if (zl_policy_merge(&profile->policies, given, app->alloc) < 0) {
		app_say(app, VALUE_NONE, "Error: no memory for policies");
	}
}

void app_merge_profile(struct app *app, struct zl_profile *profile)
{
	struct lane *lane = app_lane(app);

	if (profile->nr_zones == 0 && lane->profile.nr_zones > 0) {
		zl_settings_merge(&lane->profile.settings, &profile->settings);
		(void)zl_policy_merge(&lane->profile.policies, &profile->policies, app->alloc);
		zl_profile_done(profile, app->alloc);
		app_resolve(app);
		return;
	}
	struct zl_settings merged = lane->profile.settings;
	zl_settings_merge(&merged, &profile->settings);
	profile->settings = merged;
	keep_policies(app, profile);
	app_use_profile(app, profile);
}

int app_assign_to(const struct app *app, struct zl_profile *p, const char *assignment,
	enum zl_origin origin, struct zl_error *err)
{
	const struct zl_policy_in in = {.mem = app->alloc, .origin = origin};
	size_t prefix = strlen(POLICY_PREFIX);

	if (strncmp(assignment, POLICY_PREFIX, prefix) != 0) {
		return zl_settings_assign(&p->settings, assignment, origin, err);
	}
	int r = zl_policy_parse(&p->policies, assignment + prefix, &in, err);
	if (r < 0 && err != NULL && err->column > 0) {
		err->column += (unsigned)prefix;
	}
	return r;
}

int app_assign(struct app *app, const char *assignment, struct zl_error *err)
{
	return app_assign_to(app, &app_lane(app)->profile, assignment, ZL_ORIGIN_GIVEN, err);
}

void app_pin(struct app *app)
{
	bool had = app->baseline != NULL;

	drop_copy(app, &app->baseline);
	if (had) {
		app_say(app, VALUE_NONE, "The baseline is gone · p pins the present values");
		return;
	}
	app->baseline = copy_lane(app);
	if (app->baseline == NULL) {
		app_say(app, VALUE_NONE, "Error: no memory for a baseline");
		return;
	}
	app_say(app, VALUE_NONE,
		"Present values pinned; later values show their change · p takes it off");
}

bool app_preview(struct app *app, const char *assignment, struct zl_error *err)
{
	drop_copy(app, &app->preview);
	if (assignment == NULL) {
		(void)pagesets_preview(app, NULL);
		return true;
	}
	struct lane *lane = copy_lane(app);
	if (lane == NULL) {
		zl_error_set(err, 0, 0, "no memory for a preview");
		return false;
	}
	if (app_assign_to(app, &lane->profile, assignment, ZL_ORIGIN_LANE, err) < 0) {
		app->preview = lane;
		drop_copy(app, &app->preview);
		(void)pagesets_preview(app, NULL);
		return false;
	}
	lane_resolve(lane);
	app->preview = lane;
	if (pagesets_preview(app, lane) < 0) {
		zl_error_set(err, 0, 0, "no memory for a preview");
		return false;
	}
	return true;
}

void app_say(struct app *app, unsigned id, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	zl_text_init(&t, app->message.text, sizeof(app->message.text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	/* The sentence may quote what was typed or read. */
	zl_clean_line(app->message.text, sizeof(app->message.text), app->message.text, t.len);
	app->message.id = id;
}

/* Makes what the screen shows when it is shown first; the Compare screen's at each coming. */
static int open_screen(struct app *app, enum app_screen screen, struct zl_error *err)
{
	switch (screen) {
	case SCREEN_PAGESETS:
		return app->pagesets == NULL ? pagesets_open_story(app, err) : 0;
	case SCREEN_COMPARE:
		return app->screen != SCREEN_COMPARE ? beside_open(app, err) : 0;
	case SCREEN_RESERVE:
		return app->pools == NULL ? pools_open(app, NULL, 0, err) : 0;
	case SCREEN_SWEEP:
		return app->sweeps == NULL ? sweeps_open_default(app, err) : 0;
	case SCREEN_LEARN:
		if (learn_get(app) == NULL) {
			zl_error_set(err, 0, 0, "no memory for lessons");
			return -ENOMEM;
		}
		return 0;
	case SCREEN_GEOMETRY:
		break;
	}
	return 0;
}

int app_show_screen(struct app *app, enum app_screen screen, struct zl_error *err)
{
	int rc = open_screen(app, screen, err);

	if (rc < 0) {
		return rc;
	}
	if (app->screen == SCREEN_COMPARE && screen != SCREEN_COMPARE) {
		beside_leave(app);
	}
	if (screen != app->screen) {
		app->kept_panel[app->screen] = app->panel;
		memcpy(app->kept_row[app->screen], app->row, sizeof(app->row));
		app->screen = screen;
		app->panel = app->kept_panel[screen];
		memcpy(app->row, app->kept_row[screen], sizeof(app->row));
	}
	if (screen == SCREEN_PAGESETS || screen == SCREEN_COMPARE) {
		pagesets_refresh(app);
	} else if (screen == SCREEN_RESERVE) {
		pools_refresh(app);
	} else if (screen == SCREEN_LEARN) {
		learn_come_back(app);
	}
	return 0;
}

void app_resize(struct app *app, unsigned rows, unsigned cols)
{
	bool other = app->rows != rows || app->cols != cols;

	app->rows = rows;
	app->cols = cols;
	if (other && app->pagesets != NULL) {
		pagesets_refresh(app);
	}
	app_keep_focus(app);
}
