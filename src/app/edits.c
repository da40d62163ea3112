/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits of lanes, undone and made again. */
#include <errno.h>
#include <string.h>

#include "lanes.h"
#include "lanes_private.h"
#include "pagesets.h"
#include "zonelab/text.h"

static void give_edit(struct app *app, struct app_edit *edit)
{
	zl_policy_set_done(&edit->policies, app->alloc);
	app->alloc->free(app->alloc->user, edit);
}

static bool belongs_to(const struct app_edit *edit, unsigned lane)
{
	return edit->lane == lane || (lane > 0 && edit->opened == lane);
}

static void forget(struct app *app, struct app_edit **list, size_t *nr, unsigned lane)
{
	size_t kept = 0;

	for (size_t i = 0; i < *nr; i++) {
		if (belongs_to(list[i], lane)) {
			give_edit(app, list[i]);
		} else {
			list[kept++] = list[i];
		}
	}
	*nr = kept;
}

void app_forget_edits(struct app *app, unsigned lane)
{
	forget(app, app->undo, &app->nr_undo, lane);
	forget(app, app->redo, &app->nr_redo, lane);
}

static void drop_edits(struct app *app, struct app_edit **list, size_t *nr)
{
	for (size_t i = 0; i < *nr; i++) {
		give_edit(app, list[i]);
	}
	*nr = 0;
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

/* A step with the settings as they are; NULL without memory. */
static struct app_edit *new_edit(struct app *app, const char *what)
{
	struct app_edit *edit = app->alloc->realloc(app->alloc->user, NULL, sizeof(*edit));

	if (edit == NULL) {
		return NULL;
	}
	memset(edit, 0, sizeof(*edit));
	if (zl_policy_set_copy(&edit->policies, &app_lane(app)->profile.policies, app->alloc) < 0) {
		app->alloc->free(app->alloc->user, edit);
		return NULL;
	}
	edit->settings = app_lane(app)->profile.settings;
	edit->lane = app->active;
	zl_format(edit->what, sizeof(edit->what), "%s", what);
	return edit;
}

/* A new step of undo. */
static void add_edit(struct app *app, struct app_edit *edit)
{
	drop_edits(app, app->redo, &app->nr_redo);
	push_edit(app, app->undo, &app->nr_undo, edit);
	app->dirty = true;
}

/* What the lane has goes where the other is, and the other into the lane. */
static void swap_given(
	struct app *app, struct zl_settings *settings, struct zl_policy_set *policies)
{
	struct zl_profile *p = &app_lane(app)->profile;
	const struct zl_settings had = p->settings;
	const struct zl_policy_set held = p->policies;

	p->settings = *settings;
	p->policies = *policies;
	*settings = had;
	*policies = held;
	app_resolve(app);
}

/* The same, and the run follows. Returns 0, or -ENOMEM; then nothing has changed. */
static int change_given(struct app *app, struct zl_settings *settings,
	struct zl_policy_set *policies, const char *what)
{
	swap_given(app, settings, policies);
	int rc = pagesets_settings_changed(app, what);
	if (rc < 0) {
		swap_given(app, settings, policies);
	}
	return rc;
}

void app_drop_edits(struct app *app)
{
	drop_edits(app, app->undo, &app->nr_undo);
	drop_edits(app, app->redo, &app->nr_redo);
}

void edit_words(const char *const *assignments, size_t n, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < n; i++) {
		zl_text_fmt(&t, i > 0 ? " %s" : "%s", assignments[i]);
	}
}

int app_set_all(struct app *app, const char *const *assignments, size_t n, struct zl_error *err)
{
	/* The settings and policies as they would be; nothing else of a profile changes. */
	struct zl_profile next = {.settings = app_lane(app)->profile.settings};
	enum zl_origin origin = app->active == 0 ? ZL_ORIGIN_GIVEN : ZL_ORIGIN_LANE;
	char what[sizeof(((struct app_edit *)NULL)->what)];
	int r = zl_policy_set_copy(&next.policies, &app_lane(app)->profile.policies, app->alloc);

	edit_words(assignments, n, what, sizeof(what));
	for (size_t i = 0; i < n && r == 0; i++) {
		r = app_assign_to(app, &next, assignments[i], origin, err);
	}
	struct app_edit *edit = r == 0 ? new_edit(app, what) : NULL;
	if (r == 0) {
		r = edit == NULL ? -ENOMEM
				 : change_given(app, &next.settings, &next.policies, what);
	}
	zl_policy_set_done(&next.policies, app->alloc);
	if (r == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for this edit; nothing was changed");
	}
	if (r == 0) {
		add_edit(app, edit);
	} else if (edit != NULL) {
		give_edit(app, edit);
	}
	return r;
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
	struct app_edit *edit = rc == 0 ? new_edit(app, what) : NULL;
	if (edit != NULL) {
		swap_given(app, &next.settings, &next.policies);
		add_edit(app, edit);
	}
	zl_policy_set_done(&next.policies, app->alloc);
	return edit != NULL ? 0 : -ENOMEM;
}

void app_take_back(struct app *app)
{
	struct app_edit *edit = app->undo[--app->nr_undo];

	swap_given(app, &edit->settings, &edit->policies);
	give_edit(app, edit);
}

int app_remember_opened(struct app *app, unsigned from, const char *what)
{
	struct app_edit *edit = new_edit(app, what);

	if (edit == NULL) {
		return -ENOMEM;
	}
	edit->lane = from;
	edit->opened = app->active;
	add_edit(app, edit);
	return 0;
}

/* Closes the lane that an edit opened, or opens it again; the step is the same either way. */
static void swap_opened(struct app *app, struct app_edit *edit, bool undo)
{
	struct zl_error err = {0};
	int rc = undo ? lane_close(app, edit->opened, &err) : lanes_reopen(app, edit, &err);

	rc = rc == 0 && undo ? lane_focus(app, edit->lane, &err) : rc;
	if (rc < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		if (rc == -ENOMEM) {
			push_edit(app, undo ? app->undo : app->redo,
				undo ? &app->nr_undo : &app->nr_redo, edit);
		} else {
			give_edit(app, edit);
		}
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
	app_say(app, VALUE_LITERAL, "%s: %s", undo ? "Undone" : "Redone", edit->what);
	if (change_given(app, &edit->settings, &edit->policies, edit->what) < 0) {
		app_say(app, VALUE_NONE, "Error: no memory for this; nothing was changed");
		return true;
	}
	(*nr_from)--;
	push_edit(app, to, nr_to, edit);
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
