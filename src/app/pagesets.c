/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the user stands in a run, and the branches of it. Playing is pagesets_play.c's.
 */
#include "pagesets.h"

#include <errno.h>
#include <string.h>

#include "story.h"
#include "zonelab/text.h"

#define OPEN_OPS      UINT64_C(200000) /* looked through for the first flush when a run opens */
#define PREVIEW_OPS   UINT64_C(20000)  /* and when a setting is tried */
#define FUTURE_CELLS  10u /* of the timeline beyond the present op, when it is placed */
#define EDGE_CELLS    4u
#define LABEL_COLS    10u
#define ZOOM_MAX      40u
#define SPEED_DEFAULT 3u
#define MAP_CELLS     1900u
#define TALL_ROWS     50u	   /* from here on the map is always shown */
#define ID_BY_HAND    ZL_OP_ID_MAX /* ids of ops by hand count down from here */

struct timeline *pagesets_timeline(const struct app *app)
{
	const struct pagesets *p = app->pagesets;

	return p != NULL ? p->branch[p->active].t : NULL;
}

/* ---- settings ---- */

static void override(const struct zl_settings *s, enum zl_setting key, int64_t *to)
{
	if (zl_settings_given(s, key)) {
		*to = s->value[key].number;
	}
}

/* The scenario's zone under the lane's release and what-ifs. */
static struct zl_sim_config config_of(const struct pagesets *p, const struct lane *lane)
{
	const struct zl_settings *s = &lane->profile.settings;
	struct zl_sim_config c = p->base;
	int64_t scale = c.scale_max, fraction = c.high_fraction, slice = (int64_t)c.cache_slice;

	c.switches = lane->machine.switches;
	override(s, ZL_SET_BATCH, &c.batch);
	override(s, ZL_SET_HIGH_MIN, &c.high_min);
	override(s, ZL_SET_HIGH_MAX, &c.high_max);
	override(s, ZL_SET_BATCH_SCALE_MAX, &scale);
	override(s, ZL_SET_HIGH_FRACTION, &fraction);
	override(s, ZL_SET_CACHE_SLICE, &slice);
	c.scale_max = (unsigned)scale;
	c.high_fraction = (unsigned)fraction;
	c.cache_slice = (uint64_t)slice;
	return c;
}

static bool same_config(const struct zl_sim_config *a, const struct zl_sim_config *b)
{
	return memcmp(&a->switches, &b->switches, sizeof(a->switches)) == 0 &&
	       a->batch == b->batch && a->high_min == b->high_min && a->high_max == b->high_max &&
	       a->scale_max == b->scale_max && a->high_fraction == b->high_fraction &&
	       a->cache_slice == b->cache_slice;
}

/* ---- opening and closing ---- */

static void drop_preview(struct pagesets *p, const struct zl_allocator *mem)
{
	if (p->preview != NULL) {
		scene_done(p->preview, mem);
		mem->free(mem->user, p->preview);
		p->preview = NULL;
	}
	p->preview_flush = 0;
}

void pagesets_free(struct app *app)
{
	struct pagesets *p = app->pagesets;

	if (p == NULL) {
		return;
	}
	for (unsigned i = 0; i < p->nr_branches; i++) {
		timeline_free(p->branch[i].t);
	}
	pagesets_break_clear(app);
	drop_preview(p, app->alloc);
	scene_done(&p->scene, app->alloc);
	app->alloc->free(app->alloc->user, p);
	app->pagesets = NULL;
}

int pagesets_open(struct app *app, const char *title, const struct zl_sim_config *base,
	const struct op_feed *feed, struct zl_error *err)
{
	struct pagesets *p = app->alloc->realloc(app->alloc->user, NULL, sizeof(*p));

	if (p == NULL) {
		if (feed->done != NULL) {
			feed->done(feed->user);
		}
		zl_error_set(err, 0, 0, "no memory for a run");
		return -ENOMEM;
	}
	memset(p, 0, sizeof(*p));
	meter_init(&p->meter, app->alloc);
	zl_format(p->title, sizeof(p->title), "%s", title);
	p->base = *base;
	p->speed = SPEED_DEFAULT;
	struct pagesets_branch *b = &p->branch[0];
	b->config = config_of(p, app_lane_const(app));
	zl_format(b->what, sizeof(b->what), "the run as it was opened");
	int rc = timeline_new(&b->config, feed, &p->meter, &b->t, err);
	if (rc < 0) {
		app->alloc->free(app->alloc->user, p);
		return rc;
	}
	p->nr_branches = 1;
	pagesets_free(app);
	app->pagesets = p;
	(void)timeline_advance(b->t, OPEN_OPS);
	pagesets_refresh(app);
	if (timeline_find(b->t, 0, 1, MARK_FLUSH) == TIMELINE_NO_OP) {
		pagesets_zoom_all(app); /* nothing to look at closely */
	}
	return 0;
}

int pagesets_open_story(struct app *app, struct zl_error *err)
{
	struct zl_sim_config base;
	struct op_feed feed;

	story_config(&base);
	if (story_feed(app->alloc, &feed) < 0) {
		zl_error_set(err, 0, 0, "no memory for a run");
		return -ENOMEM;
	}
	int rc = pagesets_open(app, STORY_TITLE, &base, &feed, err);
	if (rc == 0) {
		pagesets_to_first_flush(app);
	}
	return rc;
}

void pagesets_to_first_flush(struct app *app)
{
	struct timeline *t = pagesets_timeline(app);
	uint64_t flush = timeline_find(t, 0, 1, MARK_FLUSH);
	pagesets_seek(app, flush != TIMELINE_NO_OP ? flush - 1 : 0);
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
static void place_window(struct timeline_window *w, const struct timeline *t, unsigned cells)
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

	place_window(&p->window, t, pagesets_cells(app->cols));
	p->window.cpu = p->cpu;
	if (old.from != p->window.from || old.cells != p->window.cells || old.cpu != p->cpu ||
		old.known != t->known || p->window_of != p->active ||
		p->window.zoom != p->window_zoom) {
		p->out_of_memory = timeline_fill(t, &p->window) < 0 || p->out_of_memory;
		p->window_of = p->active;
		p->window_zoom = p->window.zoom;
	}
}

void pagesets_refresh(struct app *app)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = pagesets_timeline(app);

	if (!p->cpu_chosen) {
		p->cpu = zl_sim_cpu(t->sim);
	}
	p->out_of_memory = scene_fill(&p->scene, t, p->cpu, app->alloc) < 0;
	p->cpu = p->scene.cpu;
	p->facts = (struct facts){.pageset = &p->scene.pageset,
		.zone = &p->scene.zone,
		.record = &p->scene.record,
		.at = p->scene.at,
		.total = p->scene.total,
		.cpu = p->cpu};
	if (p->slot == SLOT_BLOCKS || app->rows > TALL_ROWS) {
		scene_fill_map(&p->scene, t, MAP_CELLS);
	}
	refresh_window(app);
	if (!p->slot_chosen) {
		p->slot = scene_flushed(&p->scene) ? SLOT_BUDDY
			  : p->scene.verdict.never ? SLOT_WAYS
						   : SLOT_OPS;
	}
}

void pagesets_seek(struct app *app, uint64_t op)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = pagesets_timeline(app);

	p->frames = 0;
	if (timeline_seek(t, op) < 0) {
		app_say(app, VALUE_NONE, "Error: no memory to go there");
	}
	if (t->error.text[0] != '\0' && op > t->at) {
		app_say(app, VALUE_LITERAL, "Warning: %s", t->error.text);
	}
	pagesets_refresh(app);
}

bool pagesets_event(struct app *app, int direction, uint8_t marks)
{
	struct timeline *t = pagesets_timeline(app);
	uint64_t op = timeline_find(t, t->at, direction, marks);

	if (op == TIMELINE_NO_OP) {
		return false;
	}
	pagesets_seek(app, op);
	return true;
}

void pagesets_choose_cpu(struct app *app, int64_t cpu)
{
	struct pagesets *p = app->pagesets;

	p->cpu_chosen = cpu >= 0;
	if (cpu >= 0) {
		p->cpu = (unsigned)cpu % p->scene.nr_cpus;
	}
	pagesets_refresh(app);
}

void pagesets_next_slot(struct app *app)
{
	struct pagesets *p = app->pagesets;

	p->slot = (enum pagesets_slot)(((unsigned)p->slot + 1) % SLOT_WAYS);
	p->slot_chosen = true;
	pagesets_refresh(app);
}

void pagesets_zoom(struct app *app, int direction)
{
	struct timeline_window *w = &app->pagesets->window;

	if (direction < 0 && w->zoom > 0) {
		w->zoom--;
	} else if (direction > 0 && w->zoom < ZOOM_MAX &&
		   (uint64_t)w->cells << w->zoom < timeline_total(pagesets_timeline(app))) {
		w->zoom++;
	}
	w->cells = 0; /* place it anew */
	pagesets_refresh(app);
}

void pagesets_zoom_all(struct app *app)
{
	const struct timeline_window *w = &app->pagesets->window;
	unsigned before = ZOOM_MAX + 1;

	while (before != w->zoom) {
		before = w->zoom;
		pagesets_zoom(app, 1);
	}
}

/* ---- branches ---- */

/* The oldest branch that is not in use makes room. */
static void make_room(struct pagesets *p)
{
	unsigned oldest = p->active == 1 ? 2 : 1; /* the first is the run as it was opened */

	if (p->nr_branches < PAGESETS_BRANCHES) {
		return;
	}
	timeline_free(p->branch[oldest].t);
	memmove(&p->branch[oldest], &p->branch[oldest + 1],
		(PAGESETS_BRANCHES - oldest - 1) * sizeof(p->branch[0]));
	p->nr_branches--;
	p->active -= p->active > oldest ? 1 : 0;
}

static int add_branch(struct app *app, const struct zl_sim_config *config,
	const struct zl_op *insert, const char *what, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = NULL;
	uint64_t from = pagesets_timeline(app)->at;

	make_room(p);
	const struct zl_sim_config now = p->branch[p->active].config;
	int rc = timeline_branch(pagesets_timeline(app), config, insert, &t, err);
	if (rc < 0) {
		return rc;
	}
	struct pagesets_branch *b = &p->branch[p->nr_branches];
	*b = (struct pagesets_branch){
		.t = t, .config = config != NULL ? *config : now, .from = from};
	zl_format(b->what, sizeof(b->what), "%s", what);
	p->active = p->nr_branches++;
	(void)timeline_advance(t, TIMELINE_SLICE);
	pagesets_refresh(app);
	return 0;
}

bool pagesets_choose_branch(struct app *app, unsigned i)
{
	struct pagesets *p = app->pagesets;
	uint64_t at = pagesets_timeline(app)->at;

	if (i >= p->nr_branches) {
		return false;
	}
	p->active = i;
	pagesets_seek(app, at);
	return true;
}

void pagesets_settings_changed(struct app *app, const char *what)
{
	struct pagesets *p = app->pagesets;
	struct zl_error err = {0};

	if (p == NULL) {
		return;
	}
	drop_preview(p, app->alloc);
	struct zl_sim_config next = config_of(p, app_lane_const(app));
	if (same_config(&next, &p->branch[p->active].config)) {
		return;
	}
	for (unsigned i = p->nr_branches; i > 0; i--) {
		if (same_config(&next, &p->branch[i - 1].config)) {
			(void)pagesets_choose_branch(app, i - 1);
			return;
		}
	}
	if (add_branch(app, &next, NULL, what, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
}

void pagesets_preview(struct app *app, const struct lane *lane)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = NULL;
	struct zl_error err = {0};

	if (p == NULL) {
		return;
	}
	drop_preview(p, app->alloc);
	if (lane == NULL || app->screen != SCREEN_PAGESETS) {
		return;
	}
	struct zl_sim_config next = config_of(p, lane);
	if (same_config(&next, &p->branch[p->active].config) ||
		timeline_branch(pagesets_timeline(app), &next, NULL, &t, &err) < 0) {
		return;
	}
	p->preview = app->alloc->realloc(app->alloc->user, NULL, sizeof(*p->preview));
	if (p->preview != NULL) {
		memset(p->preview, 0, sizeof(*p->preview));
		(void)scene_fill(p->preview, t, p->cpu, app->alloc);
		(void)timeline_advance(t, PREVIEW_OPS);
		uint64_t flush = timeline_find(t, t->at, 1, MARK_FLUSH);
		p->preview_flush = flush != TIMELINE_NO_OP ? flush : 0;
	}
	timeline_free(t);
}

/* The newest block that the run has in use and that nobody has freed by hand. */
static int newest_id(struct app *app, uint32_t *ret)
{
	const struct timeline *t = pagesets_timeline(app);

	for (uint64_t op = t->at; op > 0; op--) {
		struct zl_op what;
		timeline_op(t, op, &what);
		if (what.kind == ZL_OP_ALLOC && zl_sim_id_pfn(t->sim, what.id) >= 0) {
			*ret = what.id;
			return 0;
		}
	}
	return -ENOENT;
}

int pagesets_op(struct app *app, const char *kind, unsigned order, enum zl_migratetype mt,
	struct zl_error *err)
{
	const struct timeline *t = pagesets_timeline(app);
	struct zl_op op = {.kind = (uint8_t)zl_op_kind_find(kind)};
	char what[PAGESETS_NOTE];

	if (op.kind == ZL_OP_ALLOC) {
		op.order = (uint8_t)order;
		op.mt = (uint8_t)mt;
		op.id = ID_BY_HAND - (uint32_t)app->pagesets->by_hand_ops;
	} else if (op.kind == ZL_OP_FREE) {
		if (newest_id(app, &op.id) < 0) {
			zl_error_set(err, 0, 0, "nothing is allocated; o a allocates a block");
			return -ENOENT;
		}
	} else if (op.kind != ZL_OP_TICK && op.kind != ZL_OP_DRAIN) {
		zl_error_set(
			err, 0, 0, "there is no op '%s' by hand; alloc, free, drain or tick", kind);
		return -EINVAL;
	}
	zl_format(what, sizeof(what), "%s by hand after op %U", kind, t->at);
	int rc = add_branch(app, NULL, &op, what, err);
	app->pagesets->by_hand_ops += rc == 0 ? 1 : 0;
	return rc;
}
