/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches: a setting changed in mid-run, an op by hand, and what a setting would do.
 */
#include <errno.h>
#include <string.h>

#include "beside.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "zonelab/text.h"

#define PREVIEW_OPS UINT64_C(20000) /* looked through for the next flush when a setting is tried */
#define ID_BY_HAND  ZL_OP_ID_MAX    /* ids of ops by hand count down from here */

void pagesets_drop_preview(struct pagesets *p, const struct zl_allocator *mem)
{
	if (p->preview != NULL) {
		scene_done(p->preview, mem);
		mem->free(mem->user, p->preview);
		p->preview = NULL;
	}
	p->preview_flush = 0;
}

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
	p->ways_of = PAGESETS_BRANCHES;
	p->active -= p->active > oldest ? 1 : 0;
}

int pagesets_run_anew(struct app *app, const struct pagesets *p, const struct pagesets_branch *like,
	struct pagesets_branch *to, struct zl_error *err)
{
	const struct run_source *source = &p->all->source;
	struct op_feed feed;

	if (like != NULL && (source->list || like->config.cpus == to->config.cpus)) {
		return timeline_again(like->t, &to->config, &to->t, err);
	}
	int rc = run_source_feed(source, to->config.cpus, app->alloc, &feed, err);
	if (rc == 0 && like == NULL && p->all->notes.mem == NULL) {
		scenario_feed_note(&feed, &p->all->notes);
	}
	return rc < 0 ? rc : timeline_new(&to->config, &feed, &p->all->meter, &to->t, err);
}

/* The run under another zone from the present op on, or anew where its CPUs are others. */
static int part(struct app *app, const struct zl_sim_config *config, const struct zl_op *insert,
	struct timeline **ret, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	const struct pagesets_branch *b = &p->branch[p->active];

	if (config == NULL || config->cpus == b->config.cpus) {
		return timeline_branch(b->t, config, insert, ret, err);
	}
	struct pagesets_branch to = {.config = *config};
	int rc = pagesets_run_anew(app, p, b, &to, err);
	*ret = to.t;
	return rc < 0 ? rc : timeline_seek(to.t, b->t->at);
}

static int add_branch(struct app *app, const struct zl_sim_config *config,
	const struct zl_op *insert, const char *what, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = NULL;
	uint64_t from = pagesets_timeline(app)->at;

	make_room(p);
	const struct zl_sim_config now = p->branch[p->active].config;
	int rc = part(app, config, insert, &t, err);
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
	pagesets_stand(app, at);
	pagesets_refresh(app);
	return true;
}

void pagesets_settings_changed(struct app *app, const char *what)
{
	struct pagesets *p = app->pagesets;
	struct zl_error err = {0};

	if (p == NULL) {
		return;
	}
	pagesets_drop_preview(p, app->alloc);
	beside_lanes_changed(app);
	struct zl_sim_config next;
	if (pagesets_zone(app, p, app_lane_const(app), &next, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	if (run_same_zone(&next, &p->branch[p->active].config)) {
		return;
	}
	for (unsigned i = p->nr_branches; i > 0; i--) {
		if (run_same_zone(&next, &p->branch[i - 1].config)) {
			(void)pagesets_choose_branch(app, i - 1);
			return;
		}
	}
	if (add_branch(app, &next, NULL, what, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
}

/* The setting of "KEY=VALUE"; ZL_SETTING_COUNT if there is none. */
static enum zl_setting edited(const char *what)
{
	char key[PAGESETS_NOTE];

	zl_format(key, sizeof(key), "%s", what);
	key[strcspn(key, "= ")] = '\0';
	return zl_setting_find(key);
}

void pagesets_say_edit(struct app *app, const char *what)
{
	const struct timeline *t = app->pagesets != NULL ? pagesets_timeline(app) : NULL;
	enum zl_setting key = edited(what);

	if (t == NULL || t->at == 0 || app->screen != SCREEN_PAGESETS || key == ZL_SETTING_COUNT) {
		app_say(app, VALUE_LITERAL, "%s · u takes it back", what);
		return;
	}
	switch (zl_setting_info(key)->live) {
	case ZL_LIVE_BUILD:
		app_say(app, VALUE_LITERAL, "%s · built in: the run anew · u takes it back", what);
		break;
	case ZL_LIVE_BOOT:
	case ZL_LIVE_HOTPLUG:
		app_say(app, VALUE_LITERAL, "%s · fixed at boot: the run anew · u takes it back",
			what);
		break;
	case ZL_LIVE_SYSCTL:
	case ZL_LIVE_NONE:
		app_say(app, VALUE_LITERAL, "%s · from op %U on · u takes it back", what, t->at);
		break;
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
	pagesets_drop_preview(p, app->alloc);
	if (lane == NULL || app->screen != SCREEN_PAGESETS) {
		return;
	}
	struct run_zone next = {.machine = NULL};
	int rc = run_source_zone(&p->all->source, lane, app->alloc, &next, &err);
	rc = rc != 0 ? rc : pagesets_keep(app, p->all, &next.config);
	scenario_machine_free(next.machine);
	if (rc != 0 || run_same_zone(&next.config, &p->branch[p->active].config) ||
		part(app, &next.config, NULL, &t, &err) < 0 || t == NULL) {
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
