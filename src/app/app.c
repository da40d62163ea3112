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

/* The run of a lane where the screen shows runs; NULL = it shows the lane itself. */
static const struct pagesets *run_of(const struct app *app, unsigned lane)
{
	bool shows = app->screen == SCREEN_PAGESETS || app->screen == SCREEN_COMPARE ||
		     app->screen == SCREEN_LEARN;

	if (!shows || app->pagesets == NULL) {
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
	in.facts = app->pagesets != NULL ? &app->pagesets->facts : NULL;
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

void app_resolve(struct app *app)
{
	lane_resolve(app_lane(app));
	pools_machine_changed(app);
}

static void give_edit(struct app *app, struct app_edit *edit)
{
	zl_policy_set_done(&edit->policies, app->alloc);
	give(app, edit);
}

static bool belongs_to(const struct app_edit *edit, unsigned lane)
{
	return edit->lane == lane || (lane > 0 && edit->opened == lane);
}

void app_forget_edits(struct app *app, unsigned lane)
{
	size_t kept = 0;

	for (size_t i = 0; i < app->nr_undo; i++) {
		if (belongs_to(app->undo[i], lane)) {
			give_edit(app, app->undo[i]);
		} else {
			app->undo[kept++] = app->undo[i];
		}
	}
	app->nr_undo = kept;
	kept = 0;
	for (size_t i = 0; i < app->nr_redo; i++) {
		if (belongs_to(app->redo[i], lane)) {
			give_edit(app, app->redo[i]);
		} else {
			app->redo[kept++] = app->redo[i];
		}
	}
	app->nr_redo = kept;
}

static void drop_edits(struct app *app, struct app_edit **list, size_t *nr)
{
	for (size_t i = 0; i < *nr; i++) {
		give_edit(app, list[i]);
	}
	*nr = 0;
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
	drop_edits(app, app->undo, &app->nr_undo);
	drop_edits(app, app->redo, &app->nr_redo);
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
	drop_edits(app, app->undo, &app->nr_undo);
	drop_edits(app, app->redo, &app->nr_redo);
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

/* The oldest step makes room. */
static void push_edit(struct app *app, struct app_edit **list, size_t *nr, struct app_edit *edit)
{
	if (*nr == APP_UNDO_MAX) {
		give_edit(app, list[0]);
		for (size_t i = 1; i < *nr; i++) {
			list[i - 1] = list[i];
		}
		(*nr)--;
	}
	list[(*nr)++] = edit;
}

/* Remembers the settings as they are. Returns 0 or -ENOMEM. */
static int remember(struct app *app, struct app_edit **list, size_t *nr, const char *what)
{
	struct app_edit *edit = take(app, sizeof(*edit));

	if (edit == NULL) {
		return -ENOMEM;
	}
	if (zl_policy_set_copy(&edit->policies, &app_lane(app)->profile.policies, app->alloc) < 0) {
		give(app, edit);
		return -ENOMEM;
	}
	edit->settings = app_lane(app)->profile.settings;
	edit->lane = app->active;
	zl_format(edit->what, sizeof(edit->what), "%s", what);
	push_edit(app, list, nr, edit);
	return 0;
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

static void take_edit(struct app *app, struct zl_profile *next)
{
	struct zl_profile *p = &app_lane(app)->profile;

	drop_edits(app, app->redo, &app->nr_redo);
	zl_policy_set_done(&p->policies, app->alloc);
	p->policies = next->policies;
	p->settings = next->settings;
	app->dirty = true;
}

int app_set_all(struct app *app, const char *const *assignments, size_t n, struct zl_error *err)
{
	/* The settings and policies as they would be; nothing else of a profile changes. */
	struct zl_profile next = {.settings = app_lane(app)->profile.settings};
	enum zl_origin origin = app->active == 0 ? ZL_ORIGIN_GIVEN : ZL_ORIGIN_LANE;
	char what[sizeof(((struct app_edit *)NULL)->what)];
	struct zl_text t;
	int r = zl_policy_set_copy(&next.policies, &app_lane(app)->profile.policies, app->alloc);

	zl_text_init(&t, what, sizeof(what));
	for (size_t i = 0; i < n && r == 0; i++) {
		r = app_assign_to(app, &next, assignments[i], origin, err);
		zl_text_fmt(&t, i > 0 ? " %s" : "%s", assignments[i]);
	}
	if (r == 0) {
		r = remember(app, app->undo, &app->nr_undo, what);
	}
	if (r == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for this edit; nothing was changed");
	}
	if (r < 0) {
		zl_policy_set_done(&next.policies, app->alloc);
		return r;
	}
	take_edit(app, &next);
	app_resolve(app);
	pagesets_settings_changed(app, what);
	return 0;
}

int app_set(struct app *app, const char *assignment, struct zl_error *err)
{
	return app_set_all(app, &assignment, 1, err);
}

static bool same_settings(const struct zl_settings *a, const struct zl_settings *b)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_value *x = &a->value[i], *y = &b->value[i];

		if (x->given != y->given ||
			(x->given &&
				(x->number != y->number || x->origin != y->origin ||
					strcmp(zl_settings_text(a, (enum zl_setting)i),
						zl_settings_text(b, (enum zl_setting)i)) != 0))) {
			return false;
		}
	}
	return true;
}

int app_take_settings(struct app *app, const struct zl_settings *settings,
	const struct zl_policy_set *policies, const char *what)
{
	const struct zl_profile *now = &app_lane_const(app)->profile;
	struct zl_profile next = {.settings = *settings};

	if (same_settings(settings, &now->settings) &&
		zl_policy_set_equal(policies, &now->policies)) {
		return 0;
	}
	int rc = zl_policy_set_copy(&next.policies, policies, app->alloc);
	rc = rc < 0 ? rc : remember(app, app->undo, &app->nr_undo, what);
	if (rc < 0) {
		zl_policy_set_done(&next.policies, app->alloc);
		return rc;
	}
	take_edit(app, &next);
	app_resolve(app);
	return 0;
}

int app_remember_opened(struct app *app, unsigned from, const char *what)
{
	int rc = remember(app, app->undo, &app->nr_undo, what);

	if (rc == 0) {
		struct app_edit *edit = app->undo[app->nr_undo - 1];

		edit->lane = from;
		edit->opened = app->active;
		drop_edits(app, app->redo, &app->nr_redo);
		app->dirty = true;
	}
	return rc;
}

/* Closes the lane that an edit opened, or opens it again; the step is the same either way. */
static void swap_opened(struct app *app, struct app_edit *edit, bool undo)
{
	struct zl_error err = {0};
	int rc = undo ? lane_close(app, edit->opened, &err) : lanes_reopen(app, edit, &err);

	rc = rc == 0 && undo ? lane_focus(app, edit->lane, &err) : rc;
	if (rc < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		give_edit(app, edit);
		return;
	}
	app_say(app, VALUE_LITERAL, "%s: %s; lane %c is %s", undo ? "Undone" : "Redone", edit->what,
		'A' + (int)edit->opened, undo ? "closed" : "open again");
	if (undo) {
		push_edit(app, app->redo, &app->nr_redo, edit);
	} else {
		push_edit(app, app->undo, &app->nr_undo, edit);
	}
}

/* Moves the newest step of @from over the settings and keeps the present ones on @to. */
static bool swap_edit(struct app *app, bool undo)
{
	struct app_edit **from = undo ? app->undo : app->redo;
	size_t *nr_from = undo ? &app->nr_undo : &app->nr_redo;
	struct app_edit **to = undo ? app->redo : app->undo;
	size_t *nr_to = undo ? &app->nr_redo : &app->nr_undo;

	if (*nr_from == 0) {
		return false;
	}
	struct app_edit *edit = from[*nr_from - 1];
	struct zl_error err = {0};
	if (edit->opened > 0) {
		(*nr_from)--;
		swap_opened(app, edit, undo);
		return true;
	}
	if (edit->lane != app->active && lane_focus(app, edit->lane, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return true;
	}
	if (remember(app, to, nr_to, edit->what) < 0) {
		return false;
	}
	(*nr_from)--;
	struct zl_profile *p = &app_lane(app)->profile;
	struct zl_policy_set now = p->policies;
	p->settings = edit->settings;
	p->policies = edit->policies;
	edit->policies = now;
	app_say(app, VALUE_LITERAL, "%s: %s", undo ? "Undone" : "Redone", edit->what);
	app_resolve(app);
	pagesets_settings_changed(app, edit->what);
	give_edit(app, edit);
	return true;
}

bool app_undo(struct app *app)
{
	return swap_edit(app, true);
}

bool app_redo(struct app *app)
{
	return swap_edit(app, false);
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
		pagesets_preview(app, NULL);
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
		pagesets_preview(app, NULL);
		return false;
	}
	lane_resolve(lane);
	app->preview = lane;
	pagesets_preview(app, lane);
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

/* Whether a question that waits for its answer keeps the screen from being shown. */
static int refuse_screen(struct app *app, enum app_screen screen, struct zl_error *err)
{
	if (!learn_shows(app, screen)) {
		zl_error_set(err, 0, 0,
			"this screen is hidden until you answer; 6 goes to the question");
		return -EBUSY;
	}
	if (screen == SCREEN_COMPARE && learn_pending(app)) {
		zl_error_set(err, 0, 0,
			"what lanes do is hidden until you answer; 6 goes to the question");
		return -EINVAL;
	}
	return 0;
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
	int rc = refuse_screen(app, screen, err);

	rc = rc != 0 ? rc : open_screen(app, screen, err);
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
