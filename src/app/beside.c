/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and filling the Compare screen's state. */
#include "beside.h"

#include <errno.h>
#include <string.h>

#include "beside_private.h"
#include "lanes.h"
#include "learn.h"
#include "list_feed.h"
#include "pagesets.h"
#include "zonelab/text.h"

#define OPEN_OPS     UINT64_C(50000) /* run at once when the lanes are made */
#define SLICE_OPS    5000u
#define ESTIMATE_OPS UINT64_C(500000) /* longest run whose cost is estimated beside */
#define WINDOW_NEWS  64u

/* ---- making ---- */

static void drop(struct app *app, struct beside_lanes *b)
{
	comparison_free(b->c);
	b->c = NULL;
	b->error.text[0] = '\0';
	for (unsigned i = 0; i < APP_LANES; i++) {
		scene_done(&b->scene[i], app->alloc);
		memset(&b->scene[i], 0, sizeof(b->scene[i]));
		memset(&b->facts[i], 0, sizeof(b->facts[i]));
		b->window[i].cells = 0;
	}
	b->nr_lanes = 0;
	b->nr_totals = 0;
}

void beside_free(struct app *app)
{
	if (app->beside != NULL) {
		drop(app, app->beside);
		app->alloc->free(app->alloc->user, app->beside);
		app->beside = NULL;
	}
}

/* What comparison_new() takes, with what it borrows. */
struct making {
	struct compare_what what;
	struct run_zone zone[APP_LANES];
	char name[APP_LANES][2];
	struct zl_scenario scenario;
	struct op_feed feed;
};

static int add_lane(struct app *app, struct making *m, unsigned lane, struct zl_error *err)
{
	struct beside_lanes *b = app->beside;
	unsigned i = m->what.nr_lanes;
	struct zl_error why = {0};
	int rc = run_source_zone(
		&app->pagesets->all->source, &app->lane[lane], app->alloc, &m->zone[i], &why);

	if (rc < 0) {
		zl_error_set(err, 0, 0, "lane %c: %s", 'A' + (int)lane, why.text);
		return rc;
	}
	if (rc > 0) {
		app_say(app, VALUE_LITERAL, "Warning: lane %c keeps the scenario's machine: %s",
			'A' + (int)lane, why.text);
	}
	m->name[i][0] = (char)('A' + (char)lane);
	m->what.name[i] = m->name[i];
	m->what.config[i] = &m->zone[i].config;
	m->what.profile[i] = m->zone[i].machine != NULL ? &m->zone[i].machine->profile : NULL;
	b->lane[i] = lane;
	m->what.nr_lanes++;
	return 0;
}

/* A list's ops come out of the run that is open. */
static int add_ops(struct app *app, struct making *m, struct zl_error *err)
{
	const struct run_source *source = &app->pagesets->all->source;
	int rc;

	m->what.expand = source->options;
	if (source->list) {
		rc = timeline_feed(app->pagesets->branch[0].t, app->alloc, &m->feed);
		m->what.feed = &m->feed;
	} else {
		rc = run_source_copy(source, app->alloc, &m->scenario, err);
		m->what.scenario = &m->scenario;
	}
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for lanes");
	}
	return rc;
}

static int make_lanes(struct app *app, struct zl_error *err)
{
	struct beside_lanes *b = app->beside;
	struct making *m = app->alloc->realloc(app->alloc->user, NULL, sizeof(*m));
	int rc = 0;

	if (m == NULL) {
		zl_error_set(err, 0, 0, "no memory for lanes");
		return -ENOMEM;
	}
	memset(m, 0, sizeof(*m));
	m->what.seekable = true;
	m->what.budget = TIMELINE_BUDGET / 2;
	m->what.estimate = timeline_total(app->pagesets->branch[0].t) <= ESTIMATE_OPS;
	for (unsigned i = 0; i < APP_LANES && rc == 0; i++) {
		rc = app->lane[i].used ? add_lane(app, m, i, err) : 0;
	}
	rc = rc == 0 ? add_ops(app, m, err) : rc;
	rc = rc == 0 ? comparison_new(&m->what, app->alloc, &b->c, err) : rc;
	b->nr_lanes = rc == 0 ? m->what.nr_lanes : 0;
	for (unsigned i = 0; i < APP_LANES; i++) {
		scenario_machine_free(m->zone[i].machine);
	}
	app->alloc->free(app->alloc->user, m);
	return rc;
}

static int remake(struct app *app)
{
	struct beside_lanes *b = app->beside;
	int rc = 0;

	drop(app, b);
	b->stale = false;
	b->nr_lanes = 1;
	b->lane[0] = app->active;
	if (lanes_used(app) > 1) {
		rc = make_lanes(app, &b->error);
		if (rc == 0) {
			rc = comparison_advance(b->c, OPEN_OPS);
		}
	}
	b->base = b->base < b->nr_lanes ? b->base : 0;
	for (unsigned i = 0; i < APP_LANES; i++) {
		b->window[i].zoom = app->pagesets->window.zoom;
	}
	if (b->c != NULL) {
		beside_seek(app, b->start);
	}
	b->stale = rc == -ENOMEM; /* once more when it is shown again */
	return rc == -ENOMEM ? rc : 0;
}

int beside_open(struct app *app, struct zl_error *err)
{
	struct beside_lanes *b = app->beside;
	int rc = 0;

	if (app->pagesets == NULL) {
		rc = pagesets_open_story(app, err);
		if (rc < 0) {
			return rc;
		}
	}
	if (b == NULL) {
		b = app->alloc->realloc(app->alloc->user, NULL, sizeof(*b));
		if (b == NULL) {
			zl_error_set(err, 0, 0, "no memory for lanes");
			return -ENOMEM;
		}
		memset(b, 0, sizeof(*b));
		axis_fill(&b->kernel);
		b->stale = true;
		app->beside = b;
	}
	b->start = pagesets_timeline(app)->at;
	if (!b->stale && b->c != NULL) {
		beside_seek(app, b->start);
	}
	if (!b->stale) {
		return 0;
	}
	return remake(app);
}

void beside_leave(struct app *app)
{
	struct beside_lanes *b = app->beside;

	if (b != NULL && b->c != NULL) {
		b->start = b->c->at;
		b->axis = false;
		pagesets_stand(app, b->start);
	}
}

void beside_lanes_changed(struct app *app)
{
	struct beside_lanes *b = app->beside;

	if (b == NULL) {
		return;
	}
	b->start = b->c != NULL ? b->c->at : pagesets_timeline(app)->at;
	b->stale = true;
	if (app->screen == SCREEN_COMPARE) {
		if (remake(app) < 0) {
			app_say(app, VALUE_NONE, "Error: no memory for lanes");
		}
	} else {
		drop(app, b); /* gives its memory back */
	}
}

/* ---- what is shown ---- */

bool beside_shown(const struct app *app)
{
	return app->screen == SCREEN_COMPARE && app->beside != NULL && app->beside->c != NULL;
}

unsigned beside_focus(const struct app *app)
{
	const struct beside_lanes *b = app->beside;

	for (unsigned i = 0; i < b->nr_lanes; i++) {
		if (b->lane[i] == app->active) {
			return i;
		}
	}
	return 0;
}

unsigned beside_visible(const struct app *app, unsigned cols, unsigned ret[APP_LANES])
{
	const struct beside_lanes *b = app->beside;
	unsigned room = (cols + 1) / BESIDE_COLS, marked = 0, n = 0;
	bool mark[APP_LANES] = {false};

	room = room > 0 ? room : 1;
	room = room < b->nr_lanes ? room : b->nr_lanes;
	/* The focused lane is shown, the baseline too where there is room for two. */
	mark[beside_focus(app)] = true;
	mark[b->base] = mark[b->base] || room > 1;
	for (unsigned i = 0; i < b->nr_lanes; i++) {
		marked += mark[i] ? 1 : 0;
	}
	for (unsigned i = 0; i < b->nr_lanes; i++) {
		if (!mark[i] && marked < room) {
			mark[i] = true;
			marked++;
		}
		if (mark[i]) {
			ret[n++] = i;
		}
	}
	return n;
}

static struct timeline *lane_timeline(const struct beside_lanes *b, unsigned i)
{
	return b->c->lane[i].t;
}

static unsigned shown_cpu(const struct app *app, const struct zl_sim *sim)
{
	int64_t chosen = app->pagesets->all->cpu;
	unsigned cpu = chosen >= 0 ? (unsigned)chosen : zl_sim_cpu(sim);

	return cpu < zl_sim_cpus(sim) ? cpu : 0;
}

static bool fill_windows(struct app *app)
{
	struct beside_lanes *b = app->beside;
	bool news = b->window_known != b->c->known || b->window_limit != learn_limit(app);
	unsigned cells = pagesets_cells(app->cols);
	bool ok = true;

	for (unsigned i = 0; i < b->nr_lanes; i++) {
		struct timeline_window *w = &b->window[i];
		struct timeline_window old = *w;
		pagesets_place_window(w, lane_timeline(b, i), cells);
		w->from = b->window[0].from;
		w->cpu = b->scene[i].cpu;
		if (news || old.from != w->from || old.cells != w->cells || old.cpu != w->cpu ||
			old.known != w->known) {
			bool filled = timeline_fill(lane_timeline(b, i), w) == 0;
			timeline_hide(w, learn_limit(app));
			if (!filled) {
				ok = false;
				w->known = TIMELINE_NO_OP; /* once more the next time */
			}
		}
	}
	b->window_known = b->c->known;
	b->window_limit = learn_limit(app);
	return ok;
}

void beside_refresh(struct app *app)
{
	struct beside_lanes *b = app->beside;
	bool ok = true;

	if (b == NULL || b->c == NULL) {
		return;
	}
	for (unsigned i = 0; i < b->nr_lanes; i++) {
		struct timeline *t = lane_timeline(b, i);
		struct scene *s = &b->scene[i];
		ok = scene_fill(s, t, shown_cpu(app, t->sim), app->alloc) == 0 && ok;
		s->total = comparison_total(b->c);
		b->facts[i] = (struct facts){.pageset = &s->pageset,
			.zone = &s->zone,
			.record = &s->record,
			.at = s->at,
			.total = s->total,
			.cpu = s->cpu};
	}
	ok = fill_windows(app) && ok;
	b->nr_totals = comparison_totals(b->c, b->total);
	app->pagesets->out_of_memory = !ok;
}

int beside_seek(struct app *app, uint64_t op)
{
	struct beside_lanes *b = app->beside;

	app->pagesets->all->frames = 0;
	if (op > learn_limit(app)) {
		op = learn_limit(app);
		app_say(app, VALUE_NONE,
			"What comes next is hidden until you answer · 6 goes to the question");
	}
	int rc = comparison_seek(b->c, op);
	if (rc < 0) {
		app_say(app, VALUE_NONE, "Error: no memory to go there");
	}
	beside_refresh(app);
	return rc;
}

bool beside_look_ahead(struct app *app)
{
	struct beside_lanes *b = app->beside;

	if (b->c->complete) {
		return false;
	}
	if (comparison_advance(b->c, SLICE_OPS) < 0) {
		b->c->complete = true;
		b->stale = true; /* once more when it is shown again */
		app_say(app, VALUE_NONE, "Error: no memory to look further ahead than op %U",
			b->c->known);
	}
	if (b->c->complete ||
		b->c->known - b->window_known > comparison_total(b->c) / WINDOW_NEWS) {
		beside_refresh(app);
		return true;
	}
	return false;
}
