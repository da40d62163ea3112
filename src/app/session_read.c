/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading sessions: the run, the place in it, the screen. */
#include <errno.h>
#include <string.h>

#include "aside.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "replay_show.h"
#include "run_show.h"
#include "session.h"
#include "session_private.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define SESSION_MAX  (UINT64_C(64) << 20)
#define SESSION_PATH 256

int session_wrong(struct zl_error *err, const char *member, const char *why)
{
	zl_error_set(err, 0, 0, "%s: %s", member, why);
	return -EINVAL;
}

/* ---- lanes ---- */

/* Index of a letter; APP_LANES = none. */
static unsigned lane_at(const struct zl_json *j)
{
	const char *letter = zl_json_text(j);
	unsigned i = letter != NULL ? (unsigned)(letter[0] - 'A') : APP_LANES;

	return i < APP_LANES && letter[1] == '\0' ? i : APP_LANES;
}

/* The object of a lane, NULL = the session has none. */
static const struct zl_json *lane_of(const struct zl_json *root, unsigned lane)
{
	const struct zl_json *j = zl_json_first(zl_json_member(root, "lanes"));

	while (j != NULL && lane_at(zl_json_member(j, "lane")) != lane) {
		j = zl_json_next(j);
	}
	return j;
}

static int read_lanes(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < APP_LANES && rc == 0; i++) {
		const struct zl_json *o = lane_of(root, i);
		struct lane next;

		if (o == NULL) {
			rc = i == 0 ? session_wrong(err, "lanes", "no lane A") : 0;
			continue;
		}
		rc = session_lane_read(app, o, i > 0 ? &app->lane[0] : NULL, &next, err);
		if (rc == 0) {
			zl_profile_done(&app->lane[i].profile, app->alloc);
			app->lane[i] = next;
		}
	}
	return rc;
}

static int read_baseline(struct app *app, const struct zl_json *o, struct zl_error *err)
{
	struct lane next;

	if (app->baseline != NULL) {
		app_pin(app);
	}
	if (o == NULL) {
		return 0;
	}
	int rc = session_lane_read(app, o, &app->lane[0], &next, err);
	if (rc == 0) {
		app_pin(app);
		if (app->baseline != NULL) {
			zl_profile_done(&app->baseline->profile, app->alloc);
			*app->baseline = next;
		} else {
			zl_profile_done(&next.profile, app->alloc);
		}
	}
	return rc;
}

/* A lane stands under the settings that its run was opened with. */
static int under_root(
	struct app *app, const struct zl_json *root, unsigned lane, struct zl_error *err)
{
	const struct zl_json *o = session_run_root(lane_of(root, lane));
	int rc = o != NULL ? session_state_read(app, o, &app->lane[lane].profile, err) : 0;

	lane_resolve(&app->lane[lane]);
	return rc;
}

/* ---- the run ---- */

static void read_parameters(const struct zl_json *o, struct zl_scenario *s)
{
	for (uint32_t i = 0; i < s->nr_names; i++) {
		struct zl_scenario_name *n = &s->names[i];
		const struct zl_json *j = zl_json_first(zl_json_member(o, n->name));

		if (n->parameter && j != NULL) {
			(void)zl_json_get_int(j, &n->value);
			(void)zl_json_get_int(zl_json_next(j), &n->short_value);
		}
	}
}

static void read_zone(const struct zl_json *zone, struct zl_scenario *s)
{
	const char *name = zl_json_text(zl_json_member(zone, "name"));
	struct run_zone_name to = {0};
	int64_t node = 0;

	if (name != NULL && zl_json_get_int(zl_json_member(zone, "node"), &node) == 0) {
		to.node = (unsigned)node;
		zl_format(to.name, sizeof(to.name), "%s", name);
		run_zone_whole(&to, &s->zone);
	}
}

static int open_scenario(
	struct app *app, const char *name, const struct zl_json *run, struct zl_error *err)
{
	const char *seed = zl_json_text(zl_json_member(run, "seed"));
	struct zl_expand_options options = {0};
	struct zl_scenario s;

	(void)zl_json_get_bool(zl_json_member(run, "short"), &options.short_form);
	options.seeded = seed != NULL;
	if (seed != NULL && zl_parse_u64(seed, &options.seed) < 0) {
		return session_wrong(err, "run.seed", "no whole number");
	}
	int rc = zl_scenario_open(name, app->alloc, &s, err);
	if (rc < 0) {
		return rc;
	}
	read_parameters(zl_json_member(run, "parameters"), &s);
	read_zone(zl_json_member(run, "zone"), &s);
	rc = pagesets_open_scenario(app, name, &s, &options, err);
	if (rc == 0) {
		app->pagesets->all->zone_chosen = zl_json_member(run, "zone") != NULL;
	}
	return rc;
}

static int open_zones(
	struct app *app, const char *path, const struct zl_json *run, struct zl_error *err)
{
	struct run_zones what = {0};
	int64_t zone = 0;

	zl_format(what.path, sizeof(what.path), "%s", path);
	(void)zl_json_get_bool(zl_json_member(run, "list"), &what.list);
	if (zl_json_get_int(zl_json_member(run, "shown"), &zone) < 0 || zone < 0 ||
		zone >= ZL_SYSTEM_ZONES_MAX) {
		return session_wrong(err, "run.shown", "no number of a zone");
	}
	what.zone = (unsigned)zone;
	return run_zones_show(app, &what, err);
}

/*
 * The file that a session names: by its name, else beside the session, where it stands when both
 * were moved. Returns 0, or -ENOENT with a sentence; names of shipped scenarios stay.
 */
static int find_file(const struct app *app, const char *member, const char *name,
	char ret[static SESSION_PATH], struct zl_error *err)
{
	const char *slash = strrchr(app->session_file, '/');
	const char *base = strrchr(name, '/');
	size_t dir = slash != NULL ? (size_t)(slash - app->session_file) + 1 : 0;
	struct zl_text t;

	zl_format(ret, SESSION_PATH, "%s", name);
	if (zl_file_can_be_read(name) || zl_shipped_find(ZL_SHIPPED_SCENARIOS, name) != SIZE_MAX) {
		return 0;
	}
	zl_text_init(&t, ret, SESSION_PATH);
	zl_text_strn(&t, app->session_file, dir);
	zl_text_str(&t, base != NULL ? base + 1 : name);
	if (!t.cut && zl_file_can_be_read(ret)) {
		return 0;
	}
	zl_error_set(err, 0, 0,
		"run.%s: there is no file %s, here or beside the session; it belongs to the "
		"session and is not in it",
		member, name);
	return -ENOENT;
}

int session_open_run(struct app *app, const struct zl_json *run, struct zl_error *err)
{
	static const char *const members[] = {"scenario", "ops", "zones", "trace"};
	char path[SESSION_PATH];
	const char *name = NULL;
	size_t i = 0;

	for (; i < sizeof(members) / sizeof(members[0]) && name == NULL; i++) {
		name = zl_json_text(zl_json_member(run, members[i]));
	}
	if (name == NULL) {
		return session_wrong(err, "run", "no scenario, ops, zones or trace");
	}
	const char *member = members[i - 1];
	int rc = find_file(app, member, name, path, err);
	if (rc < 0) {
		return rc;
	}
	return member == members[0]   ? open_scenario(app, path, run, err)
	       : member == members[1] ? list_show(app, path, err)
	       : member == members[2] ? open_zones(app, path, run, err)
				      : replay_show(app, path, err);
}

int session_read_marks(struct app *app, const struct zl_json *run, struct zl_error *err)
{
	struct playback *all = app->pagesets->all;
	const struct zl_json *j = zl_json_first(zl_json_member(run, "bookmarks"));
	int rc = 0;

	for (; j != NULL && all->nr_bookmarks < PAGESETS_BOOKMARKS; j = zl_json_next(j)) {
		struct pagesets_bookmark *b = &all->bookmark[all->nr_bookmarks];
		const char *note = zl_json_text(zl_json_member(j, "note"));
		int64_t op = 0;
		if (zl_json_get_int(zl_json_member(j, "op"), &op) < 0 || op < 0) {
			return session_wrong(err, "run.bookmarks", "a bookmark without an op");
		}
		b->op = (uint64_t)op;
		zl_format(b->note, sizeof(b->note), "%s", note != NULL ? note : "");
		all->nr_bookmarks++;
	}
	j = zl_json_first(zl_json_member(run, "breakpoints"));
	for (; j != NULL && rc == 0; j = zl_json_next(j)) {
		const char *text = zl_json_text(j);
		rc = text == NULL ? session_wrong(err, "run.breakpoints", "no text")
				  : pagesets_break_add(app, text, err);
	}
	return rc;
}

void session_read_look(struct app *app, const struct zl_json *run)
{
	struct playback *all = app->pagesets->all;
	int64_t cpu = -1, speed = -1;

	if (zl_json_get_int(zl_json_member(run, "cpu"), &cpu) == 0 && cpu < ZL_SIM_CPUS_MAX) {
		all->cpu = cpu < 0 ? -1 : cpu;
	}
	if (zl_json_get_int(zl_json_member(run, "speed"), &speed) == 0 && speed >= 0 &&
		speed < PAGESETS_SPEEDS) {
		all->speed = (unsigned)speed;
	}
}

/* How the user looks at it. */
static void read_view(struct app *app, const struct zl_json *run)
{
	struct playback *all = app->pagesets->all;
	int64_t v = -1;
	bool own = true;

	session_read_look(app, run);
	if (zl_json_get_int(zl_json_member(run, "slot"), &v) == 0 && v >= 0 && v < SLOT_WAYS) {
		all->slot = (enum pagesets_slot)v;
		all->slot_chosen = true;
	}
	if (zl_json_get_bool(zl_json_member(run, "own_stops"), &own) == 0 && !own) {
		pagesets_break_clear(app);
	}
}

/* The zone under the lane's settings. A kernel that cannot be built leaves the run where it was. */
static int take_zone(struct app *app, unsigned lane, struct zl_error *err)
{
	struct zl_error why = {0};
	struct run_zone zone;
	int rc = pagesets_zone(app, app->run[lane]->all, &app->lane[lane], &zone, &why);

	if (rc == 0) {
		pagesets_take_zone(app->run[lane], &zone);
	} else if (rc == -ENOMEM) {
		*err = why;
		return rc;
	}
	return 0;
}

/* Each lane's run is made under what it was opened with, then grown; then it has its settings. */
static int read_branches(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	unsigned opened = app->active;
	int rc = 0;

	for (unsigned i = 0; i < APP_LANES && rc == 0; i++) {
		const struct zl_json *o = lane_of(root, i);

		if (o == NULL || session_run_root(o) == NULL) {
			continue;
		}
		rc = i != opened ? under_root(app, root, i, err) : 0;
		rc = rc < 0 || pagesets_lane(app, i, err) != NULL ? rc : -EINVAL;
		rc = rc < 0 ? rc : session_run_grow(app, o, i, err);
		rc = rc < 0 ? rc : session_state_read(app, o, &app->lane[i].profile, err);
		lane_resolve(&app->lane[i]);
		rc = rc < 0 ? rc : take_zone(app, i, err);
	}
	return rc;
}

/* What was saved and what is there now must be one. */
static void check_digest(struct app *app, const struct zl_json *run)
{
	const char *saved = zl_json_text(zl_json_member(run, "digest"));
	char now[DIGEST_TEXT];

	zl_format(now, sizeof(now), "%x", zl_sim_digest(pagesets_timeline(app)->sim));
	if (saved != NULL && strcmp(saved, now) != 0) {
		app_say(app, VALUE_NONE,
			"Warning: this run is not as it was saved: its scenario, a file or zonelab "
			"has changed since");
	}
}

/* To the op that was shown. */
static int go_there(struct app *app, const struct zl_json *root)
{
	int64_t op = 0;

	if (zl_json_get_int(zl_json_member(zl_json_member(root, "run"), "op"), &op) < 0 || op < 0 ||
		pagesets_shown(app)->at == (uint64_t)op) {
		return 0;
	}
	app->message.text[0] = '\0';
	return pagesets_seek(app, (uint64_t)op);
}

static int read_run(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const struct zl_json *run = zl_json_member(root, "run");
	unsigned opened = lane_at(zl_json_member(run, "opened_in"));
	unsigned focus = lane_at(zl_json_member(root, "focus"));

	opened = opened < APP_LANES && app->lane[opened].used ? opened : 0;
	focus = focus < APP_LANES && app->lane[focus].used ? focus : 0;
	if (run == NULL) {
		return lane_focus(app, focus, err);
	}
	app->active = opened;
	int rc = under_root(app, root, opened, err);
	rc = rc < 0 ? rc : session_open_run(app, run, err);
	if (rc < 0) {
		return rc;
	}
	app->message.text[0] = '\0';
	read_view(app, run);
	rc = session_read_marks(app, run, err);
	rc = rc < 0 ? rc : read_branches(app, root, err);
	rc = rc < 0 ? rc : lane_focus(app, focus, err);
	rc = rc < 0 ? rc : go_there(app, root);
	if (rc == 0) {
		check_digest(app, run);
	}
	return rc;
}

/* ---- all of it ---- */

int session_read_screen(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const char *screen = zl_json_text(zl_json_member(root, "screen"));

	for (unsigned i = 1; screen != NULL && i < APP_SCREENS; i++) {
		if (strcmp(session_screen_names[i], screen) == 0) {
			return app_show_screen(app, (enum app_screen)i, err);
		}
	}
	return 0;
}

static int read_session(struct app *app, const struct zl_json *root, struct zl_error *err)
{
	const char *kind = zl_json_text(zl_json_member(root, "kind"));
	const char *with = zl_json_text(zl_json_member(root, "opened_with"));
	int64_t version = 0;

	if (kind == NULL || strcmp(kind, "session") != 0 ||
		zl_json_get_int(zl_json_member(root, "version"), &version) < 0 || version < 1 ||
		version > SESSION_VERSION) {
		return session_wrong(err, "kind", "no session of version 1 or 2");
	}
	if (app->screen == SCREEN_PAGESETS || app->screen == SCREEN_COMPARE) {
		(void)app_show_screen(app, SCREEN_GEOMETRY, err); /* needs nothing */
	}
	if (version == 1) {
		return session_read_old(app, root, err);
	}
	zl_format(app->named_profile, sizeof(app->named_profile), "%s", with != NULL ? with : "");
	int rc = read_lanes(app, root, err);
	rc = rc < 0 ? rc : read_baseline(app, zl_json_member(root, "baseline"), err);
	rc = rc < 0 ? rc : read_run(app, root, err);
	rc = rc < 0 ? rc : session_read_screen(app, root, err);
	/* Beside others a lane goes on where its own run has ended. */
	return rc == 0 && app->screen == SCREEN_COMPARE ? go_there(app, root) : rc;
}

/* Nothing of what is open stays, unless the session cannot be opened. */
static int in_place_of_all(
	struct app *app, const struct zl_json *root, const char *path, struct zl_error *err)
{
	char file[SESSION_PATH];

	struct app *before = aside_begin(app, ASIDE_ALL);

	if (before == NULL) {
		zl_error_set(err, 0, 0, "no memory for a session");
		return -ENOMEM;
	}
	zl_format(file, sizeof(file), "%s", app->session_file);
	zl_format(app->session_file, sizeof(app->session_file), "%s", path);
	int rc = aside_end(app, before, ASIDE_ALL, read_session(app, root, err));
	zl_format(app->session_file, sizeof(app->session_file), "%s", file);
	if (rc == -ENOMEM && err->text[0] == '\0') {
		zl_error_set(err, 0, 0, "no memory for a session");
	}
	return rc;
}

int session_open(struct app *app, const char *path, struct zl_error *err)
{
	struct zl_json *root = NULL;
	struct zl_file f = {0};
	int rc = zl_file_load(path, SESSION_MAX, app->alloc, &f, err);

	if (rc < 0) {
		return rc;
	}
	rc = zl_json_parse((const char *)f.data, f.size, &root, err);
	rc = rc < 0 ? rc : in_place_of_all(app, root, path, err);
	zl_json_free(root);
	zl_file_done(&f, app->alloc);
	if (rc < 0) {
		zl_error_file(err, path);
		return rc;
	}
	app->dirty = false;
	return 0;
}
