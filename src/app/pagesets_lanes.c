/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening a run, and the runs of the other lanes: the same ops in other zones. A lane's run is
 * made when somebody looks at it, and goes where the focused one stands.
 */
#include <errno.h>
#include <string.h>

#include "beside.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define OPEN_OPS      UINT64_C(200000) /* looked through for the first flush when a run opens */
#define SPEED_DEFAULT 3u

static void *take(const struct app *app, size_t size)
{
	void *p = app->alloc->realloc(app->alloc->user, NULL, size);

	if (p != NULL) {
		memset(p, 0, size);
	}
	return p;
}

/* ---- ending ---- */

static void free_run(struct app *app, struct pagesets *p)
{
	if (p == NULL) {
		return;
	}
	for (unsigned i = 0; i < PAGESETS_BRANCHES; i++) {
		pagesets_branch_done(app, &p->branch[i]);
	}
	pagesets_drop_preview(p, app->alloc);
	scene_done(&p->scene, app->alloc);
	scenario_machine_free(p->machine);
	app->alloc->free(app->alloc->user, p);
}

static void free_playback(struct app *app, struct playback *all)
{
	for (unsigned i = 0; i < all->nr_breaks; i++) {
		zl_expr_done(&all->brk[i].expr, app->alloc);
	}
	for (unsigned i = 0; i < all->nr_breaks; i++) {
		zl_watch_done(&all->brk[i].watch, app->alloc);
	}
	run_notes_done(&all->notes);
	run_source_done(&all->source);
	pagesets_drop_policies(app, all);
	app->alloc->free(app->alloc->user, all);
}

void pagesets_free(struct app *app)
{
	struct playback *all = app->pagesets != NULL ? app->pagesets->all : NULL;

	beside_free(app);

	for (unsigned i = 0; i < APP_LANES; i++) {
		free_run(app, app->run[i]);
		app->run[i] = NULL;
	}
	app->pagesets = NULL;
	if (all != NULL) {
		free_playback(app, all);
	}
}

void pagesets_close_lane(struct app *app, unsigned lane)
{
	free_run(app, app->run[lane]);
	app->run[lane] = NULL;
}

/* ---- one lane's run ---- */

int pagesets_zone(struct app *app, struct playback *all, const struct lane *lane,
	struct run_zone *ret, struct zl_error *err)
{
	memset(ret, 0, sizeof(*ret));
	int rc = run_source_zone(&all->source, lane, app->alloc, ret, err);

	if (rc < 0) {
		return rc;
	}
	if (rc > 0) {
		app_say(app, VALUE_LITERAL, "Warning: its own machine runs: %s",
			lane->machine.geometry.buildable
				? err->text
				: "this kernel cannot be built · 1 says why");
		err->text[0] = '\0';
	}
	if (pagesets_keep(app, all, &ret->config) < 0) {
		zl_error_set(err, 0, 0, "no memory for policies");
		scenario_machine_free(ret->machine);
		ret->machine = NULL;
		return -ENOMEM;
	}
	return 0;
}

void pagesets_take_zone(struct pagesets *p, struct run_zone *zone)
{
	scenario_machine_free(p->machine);
	p->machine = zone->machine;
	if (!p->all->source.list) {
		run_title(p->all->source.scenario.name, &zone->config, p->title, sizeof(p->title));
	}
}

/* The ops of another lane's run, where they are the same; @feed when this is the first. */
static int first_branch(
	struct app *app, struct pagesets *p, const struct op_feed *feed, struct zl_error *err)
{
	struct pagesets_branch *b = &p->branch[0];
	const struct pagesets *other =
		app->pagesets != NULL && app->pagesets->all == p->all ? app->pagesets : NULL;

	if (feed != NULL) {
		return timeline_new(&b->config, feed, &p->all->meter, &b->t, err);
	}
	return pagesets_run_anew(app, p, other != NULL ? &other->branch[0] : NULL, b, err);
}

/* @feed NULL = the source's ops. It is taken over, also on failure. NULL with @err filled. */
static struct pagesets *new_run(struct app *app, struct playback *all, unsigned lane,
	const struct op_feed *feed, struct zl_error *err)
{
	struct pagesets *p = take(app, sizeof(*p));
	struct run_zone zone;
	int rc = -ENOMEM;

	zl_error_set(err, 0, 0, "no memory for a run");
	if (p != NULL) {
		p->all = all;
		p->branch[0].node =
			pagesets_node_new(app, NULL, &app->lane[lane], "the run as it was opened");
		rc = p->branch[0].node == NULL
			     ? -ENOMEM
			     : pagesets_zone(app, all, &app->lane[lane], &zone, err);
	}
	if (rc == 0) {
		err->text[0] = '\0';
		p->branch[0].config = zone.config;
		pagesets_take_zone(p, &zone);
	}
	if (rc < 0 && feed != NULL && feed->done != NULL) {
		feed->done(feed->user);
	}
	rc = rc < 0 ? rc : first_branch(app, p, feed, err);
	if (rc < 0) {
		free_run(app, p);
		return NULL;
	}
	p->nr_branches = 1;
	p->ways_of = PAGESETS_BRANCHES;
	return p;
}

/* ---- opening ---- */

static struct playback *new_playback(struct app *app, struct zl_error *err)
{
	struct playback *all = take(app, sizeof(*all));

	if (all == NULL) {
		zl_error_set(err, 0, 0, "no memory for a run");
		return NULL;
	}
	meter_init(&all->meter, app->alloc);
	all->speed = SPEED_DEFAULT;
	all->cpu = -1;
	all->opened_in = app->active;
	return all;
}

/* The run of a new source, looked through and standing at an op; NULL with @err filled. */
static struct pagesets *first_run(struct app *app, struct playback *all, const struct op_feed *feed,
	uint64_t at, struct zl_error *err)
{
	struct pagesets *p = new_run(app, all, app->active, feed, err);

	if (p != NULL && (timeline_advance(p->branch[0].t, OPEN_OPS) < 0 ||
				 timeline_seek(p->branch[0].t, at) < 0)) {
		zl_error_set(err, 0, 0, "no memory for a run");
		free_run(app, p);
		return NULL;
	}
	return p;
}

/* A run of a new source takes the place of all that were open. */
static void take_place(struct app *app, struct pagesets *p)
{
	pagesets_free(app);
	app->run[app->active] = p;
	app->pagesets = p;
	pagesets_refresh(app);
	if (timeline_find(p->branch[0].t, 0, 1, MARK_FLUSH) == TIMELINE_NO_OP) {
		pagesets_zoom_all(app); /* nothing to look at closely */
	}
}

/* Opens a source; its run stands at the start. */
static int open_first(struct app *app, struct playback *all, const struct op_feed *feed,
	const char *title, struct zl_error *err)
{
	struct pagesets *p = first_run(app, all, feed, 0, err);

	if (p == NULL) {
		free_playback(app, all);
		return -EINVAL;
	}
	if (title != NULL) {
		zl_format(p->title, sizeof(p->title), "%s", title);
	}
	take_place(app, p);
	pagesets_break_scenario(app);
	return 0;
}

int pagesets_open(struct app *app, const char *title, const struct zl_sim_config *base,
	const struct op_feed *feed, struct zl_error *err)
{
	struct playback *all = new_playback(app, err);

	if (all == NULL) {
		if (feed->done != NULL) {
			feed->done(feed->user);
		}
		return -ENOMEM;
	}
	all->source.list = true;
	all->source.base = *base;
	return open_first(app, all, feed, title, err);
}

void pagesets_came_from(struct app *app, const char *path)
{
	struct run_source *s = &app->pagesets->all->source;

	zl_format(s->name, sizeof(s->name), "%s", path);
}

int pagesets_open_scenario(struct app *app, const char *name, struct zl_scenario *s,
	const struct zl_expand_options *options, struct zl_error *err)
{
	struct playback *all = new_playback(app, err);

	if (all == NULL) {
		zl_scenario_done(s);
		return -ENOMEM;
	}
	zl_format(all->source.name, sizeof(all->source.name), "%s", name);
	all->source.scenario = *s;
	all->source.options = *options;
	memset(s, 0, sizeof(*s));
	return open_first(app, all, NULL, NULL, err);
}

int pagesets_open_story(struct app *app, struct zl_error *err)
{
	const char *name = scenario_brings_machine(&app_lane_const(app)->profile)
				   ? zl_shipped_scenario_anywhere()
				   : zl_shipped_scenario_default();
	struct zl_expand_options options;
	struct zl_scenario s;
	int rc = zl_scenario_open(name, app->alloc, &s, err);

	if (rc < 0) {
		return rc;
	}
	rc = scenario_options(NULL, &app_lane_const(app)->profile.settings, &s, &options, err);
	if (rc < 0) {
		zl_scenario_done(&s);
		return rc;
	}
	rc = pagesets_open_scenario(app, name, &s, &options, err);
	if (rc == 0 && pagesets_to_first_flush(app) < 0) {
		pagesets_free(app);
		zl_error_set(err, 0, 0, "no memory for a run");
		rc = -ENOMEM;
	}
	return rc;
}

int pagesets_to_first_flush(struct app *app)
{
	struct timeline *t = pagesets_timeline(app);
	uint64_t flush = timeline_find(t, 0, 1, MARK_FLUSH);

	return pagesets_seek(app, flush != TIMELINE_NO_OP ? flush - 1 : 0);
}

/* ---- lanes ---- */

int pagesets_lane_possible(struct app *app, const struct lane *lane, struct zl_error *err)
{
	struct run_zone zone = {.machine = NULL};

	if (app->pagesets == NULL) {
		return 0;
	}
	int rc = run_source_zone(&app->pagesets->all->source, lane, app->alloc, &zone, err);
	rc = rc < 0 ? rc : zl_sim_config_check(&zone.config, err);
	scenario_machine_free(zone.machine);
	return rc;
}

struct pagesets *pagesets_lane(struct app *app, unsigned lane, struct zl_error *err)
{
	struct pagesets *focused = app->pagesets;

	if (app->run[lane] == NULL) {
		app->run[lane] = new_run(app, focused->all, lane, NULL, err);
		if (app->run[lane] == NULL) {
			return NULL;
		}
		if (focused->all->source.list) {
			memcpy(app->run[lane]->title, focused->title, sizeof(focused->title));
		}
		app->run[lane]->window.zoom = focused->window.zoom;
	}
	struct pagesets *p = app->run[lane];
	uint64_t at = focused->branch[focused->active].t->at;
	if (timeline_seek(p->branch[p->active].t, at) < 0) {
		zl_error_set(err, 0, 0, "no memory to go to op %U in lane %c", at, 'A' + (int)lane);
		return NULL;
	}
	return p;
}

int pagesets_focus_lane(struct app *app, struct zl_error *err)
{
	if (app->pagesets == NULL) {
		return 0;
	}
	struct pagesets *p = pagesets_lane(app, app->active, err);
	if (p == NULL) {
		return -ENOMEM;
	}
	app->pagesets = p;
	p->all->frames = 0;
	pagesets_break_rearm(app);
	pagesets_refresh(app);
	return 0;
}

/* ---- zones ---- */

/* What the user set up in one run holds in another one of the same ops. */
static void keep_place(struct playback *from, struct playback *to)
{
	to->cpu = from->cpu;
	to->slot = from->slot;
	to->slot_chosen = from->slot_chosen;
	to->speed = from->speed;
	to->no_stops = from->no_stops;
	memcpy(to->bookmark, from->bookmark, sizeof(to->bookmark));
	to->nr_bookmarks = from->nr_bookmarks;
	memcpy(to->brk, from->brk, sizeof(to->brk));
	to->nr_breaks = from->nr_breaks;
	from->nr_breaks = 0; /* they have gone over, with what they own */
}

/* What was compared is gone: the same screen of the new run. */
static void compare_anew(struct app *app)
{
	struct zl_error err = {0};

	if (app->screen == SCREEN_COMPARE && beside_open(app, &err) < 0) {
		(void)app_show_screen(app, SCREEN_PAGESETS, &err);
		app_say(app, VALUE_NONE, "Error: %s", err.text);
	}
}

int pagesets_open_zone(struct app *app, const struct zl_scenario_zone *zone, struct zl_error *err)
{
	struct playback *old = app->pagesets->all, *all = new_playback(app, err);
	uint64_t at = pagesets_timeline(app)->at;

	if (all == NULL) {
		return -ENOMEM;
	}
	zl_format(all->source.name, sizeof(all->source.name), "%s", old->source.name);
	all->source.options = old->source.options;
	int rc = run_source_copy(&old->source, app->alloc, &all->source.scenario, err);
	if (rc < 0) {
		free_playback(app, all);
		return rc;
	}
	all->source.scenario.zone = *zone;
	all->zone_chosen = true;
	struct pagesets *p = first_run(app, all, NULL, at, err);
	if (p == NULL) {
		free_playback(app, all);
		return -EINVAL;
	}
	keep_place(old, all);
	take_place(app, p);
	compare_anew(app);
	return 0;
}
