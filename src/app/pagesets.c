/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the user stands in a run and what is shown of it. Playing is pagesets_play.c's.
 */
#include "pagesets.h"

#include "beside.h"
#include "learn.h"
#include "pagesets_private.h"
#include "zonelab/text.h"

#define FUTURE_CELLS 10u /* of the timeline beyond the present op, when it is placed */
#define EDGE_CELLS   4u
#define LABEL_COLS   10u
#define ZOOM_MAX     40u
#define MAP_CELLS    1900u
#define TALL_ROWS    50u /* from here on the map is always shown */

struct timeline *pagesets_timeline(const struct app *app)
{
	const struct pagesets *p = app->pagesets;

	return p != NULL ? p->branch[p->active].t : NULL;
}

/* ---- what is shown ---- */

unsigned pagesets_cells(unsigned cols)
{
	unsigned n = cols > LABEL_COLS ? cols - LABEL_COLS : 1;

	return n < TIMELINE_CELLS ? n : TIMELINE_CELLS;
}

uint64_t pagesets_cell_ops(const struct app *app)
{
	return UINT64_C(1) << app->pagesets->window.zoom;
}

/* The window stays where it is while the present op is well inside. */
void pagesets_place_window(struct timeline_window *w, const struct timeline *t, unsigned cells)
{
	uint64_t span = (uint64_t)cells << w->zoom;
	uint64_t edge = (uint64_t)(cells > EDGE_CELLS ? EDGE_CELLS : 0) << w->zoom;
	uint64_t total = timeline_total(t);

	if (total < span) {
		w->from = 0;
	} else if (w->cells != cells || t->at < w->from || t->at + edge >= w->from + span) {
		uint64_t behind = (uint64_t)(cells > FUTURE_CELLS ? cells - FUTURE_CELLS : 1)
				  << w->zoom;
		w->from = t->at > behind ? t->at - behind : 0;
		w->from = w->from >> w->zoom << w->zoom;
	}
	w->cells = cells;
}

static void refresh_window(struct app *app)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = pagesets_timeline(app);
	struct timeline_window old = p->window;

	pagesets_place_window(&p->window, t, pagesets_cells(app->cols));
	p->window.cpu = p->cpu;
	if (old.from != p->window.from || old.cells != p->window.cells || old.cpu != p->cpu ||
		old.known != t->known || p->window_of != p->active ||
		p->window_limit != learn_sight(app) || p->window.zoom != p->window_zoom) {
		bool filled = timeline_fill(t, &p->window) == 0;
		p->window_of = p->active;
		p->window_zoom = p->window.zoom;
		p->window_limit = learn_sight(app);
		timeline_hide(&p->window, p->window_limit);
		if (!filled) {
			p->out_of_memory = true;
			p->window.known = TIMELINE_NO_OP; /* once more the next time */
		}
	}
}

void pagesets_refresh(struct app *app)
{
	struct pagesets *p = app->pagesets;
	if (app->screen == SCREEN_COMPARE) {
		beside_refresh(app);
		return;
	}
	struct timeline *t = pagesets_timeline(app);

	p->cpu = p->all->cpu >= 0 ? (unsigned)p->all->cpu : zl_sim_cpu(t->sim);
	p->cpu = p->cpu < zl_sim_cpus(t->sim) ? p->cpu : 0;
	p->out_of_memory = scene_fill(&p->scene, t, p->cpu, app->alloc) < 0;
	p->cpu = p->scene.cpu;
	if (learn_pending(app) || p->scene.at >= learn_sight(app)) {
		scene_hide_future(&p->scene);
	}
	p->facts = (struct facts){.pageset = &p->scene.pageset,
		.zone = &p->scene.zone,
		.record = &p->scene.record,
		.at = p->scene.at,
		.total = p->scene.total,
		.cpu = p->cpu};
	if (p->all->slot == SLOT_BLOCKS || app->rows > TALL_ROWS) {
		scene_fill_map(&p->scene, t, MAP_CELLS);
	}
	refresh_window(app);
	pagesets_find_ways(app);
	if (!p->all->slot_chosen) {
		p->all->slot = scene_flushed(&p->scene) ? SLOT_BUDDY
			       : p->scene.verdict.never ? SLOT_WAYS
							: SLOT_OPS;
	}
	if (app->screen == SCREEN_PAGESETS) {
		app_keep_focus(app);
	}
}

void pagesets_stand(struct app *app, uint64_t op)
{
	if (timeline_seek(pagesets_timeline(app), op) < 0) {
		app_say(app, VALUE_NONE, "Error: no memory to go there");
	}
}

struct timeline *pagesets_shown(const struct app *app)
{
	return beside_shown(app) ? app->beside->c->lane[beside_focus(app)].t
				 : pagesets_timeline(app);
}

int pagesets_seek(struct app *app, uint64_t op)
{
	struct pagesets *p = app->pagesets;
	if (beside_shown(app)) {
		return beside_seek(app, op);
	}
	struct timeline *t = pagesets_timeline(app);

	if (op > learn_limit(app)) {
		op = learn_limit(app);
		app_say(app, VALUE_NONE,
			"What comes next is hidden until you answer · 6 goes to the question");
	}
	p->all->frames = 0;
	p->blind = false;
	int rc = timeline_seek(t, op);
	if (rc < 0) {
		app_say(app, VALUE_NONE, "Error: no memory to go there");
	} else if (t->error.text[0] != '\0' && op > t->at) {
		app_say(app, VALUE_LITERAL, "Warning: %s", t->error.text);
	}
	pagesets_refresh(app);
	return rc;
}

bool pagesets_event(struct app *app, int direction, uint8_t marks)
{
	struct timeline *t = pagesets_shown(app);
	uint64_t op = timeline_find(t, t->at, direction, marks);

	if (direction > 0 && learn_pending(app) && op > learn_limit(app)) {
		(void)pagesets_seek(app, TIMELINE_NO_OP); /* says that it is hidden */
		return true;
	}
	if (op == TIMELINE_NO_OP) {
		return false;
	}
	(void)pagesets_seek(app, op);
	return true;
}

void pagesets_choose_cpu(struct app *app, int64_t cpu)
{
	struct pagesets *p = app->pagesets;

	/* Those of the run: the scene may not have been filled yet. */
	p->all->cpu = cpu >= 0 ? cpu % (int64_t)zl_sim_cpus(pagesets_timeline(app)->sim) : -1;
	pagesets_refresh(app);
}

void pagesets_next_slot(struct app *app)
{
	struct pagesets *p = app->pagesets;

	p->all->slot = (enum pagesets_slot)(((unsigned)p->all->slot + 1) % SLOT_WAYS);
	p->all->slot_chosen = true;
	pagesets_refresh(app);
}

static void zoom(struct timeline_window *w, const struct timeline *t, int direction)
{
	if (direction < 0 && w->zoom > 0) {
		w->zoom--;
	} else if (direction > 0 && w->zoom < ZOOM_MAX &&
		   (uint64_t)w->cells << w->zoom < timeline_total(t)) {
		w->zoom++;
	}
	w->cells = 0; /* place it anew */
}

void pagesets_zoom(struct app *app, int direction)
{
	if (beside_shown(app)) {
		for (unsigned i = 0; i < app->beside->nr_lanes; i++) {
			zoom(&app->beside->window[i], pagesets_shown(app), direction);
		}
	} else {
		zoom(&app->pagesets->window, pagesets_timeline(app), direction);
	}
	pagesets_refresh(app);
}

void pagesets_zoom_all(struct app *app)
{
	const struct timeline_window *w =
		beside_shown(app) ? &app->beside->window[0] : &app->pagesets->window;
	unsigned before = ZOOM_MAX + 1;

	while (before != w->zoom) {
		before = w->zoom;
		pagesets_zoom(app, 1);
	}
}
