/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches: a setting changed in mid-run, an op by hand, and what a setting would do.
 */
#include <errno.h>
#include <string.h>

#include "beside.h"
#include "lanes_private.h"
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

/* ---- nodes ---- */

struct pagesets_node *pagesets_node_new(
	struct app *app, struct pagesets_node *parent, const struct lane *lane, const char *what)
{
	struct pagesets_node *n = app->alloc->realloc(app->alloc->user, NULL, sizeof(*n));

	if (n == NULL) {
		return NULL;
	}
	memset(n, 0, sizeof(*n));
	if (zl_policy_set_copy(&n->policies, &lane->profile.policies, app->alloc) < 0) {
		app->alloc->free(app->alloc->user, n);
		return NULL;
	}
	n->settings = lane->profile.settings;
	n->refs = 1;
	n->parent = parent;
	if (parent != NULL) {
		parent->refs++;
	}
	zl_format(n->what, sizeof(n->what), "%s", what);
	return n;
}

void pagesets_node_drop(struct app *app, struct pagesets_node *node)
{
	while (node != NULL && --node->refs == 0) {
		struct pagesets_node *parent = node->parent;

		zl_policy_set_done(&node->policies, app->alloc);
		app->alloc->free(app->alloc->user, node);
		node = parent;
	}
}

void pagesets_branch_done(struct app *app, struct pagesets_branch *b)
{
	timeline_free(b->t);
	pagesets_node_drop(app, b->node);
	memset(b, 0, sizeof(*b));
}

/* ---- branches ---- */

/* The oldest branch that is not in use makes room. */
static void make_room(struct app *app, struct pagesets *p)
{
	unsigned oldest = p->active == 1 ? 2 : 1; /* the first is the run as it was opened */

	if (p->nr_branches < PAGESETS_BRANCHES) {
		return;
	}
	pagesets_branch_done(app, &p->branch[oldest]);
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

/* Under another zone from the present op on, or anew where its CPUs are others. */
int pagesets_part(struct app *app, const struct pagesets_parting *how, struct timeline **ret,
	struct zl_error *err)
{
	const struct pagesets_branch *b = how->from;

	if (how->config == NULL || how->config->cpus == b->config.cpus) {
		return timeline_branch(b->t, how->config, how->insert, ret, err);
	}
	struct pagesets_branch to = {.config = *how->config};
	int rc = pagesets_run_anew(app, how->p, b, &to, err);
	rc = rc < 0 ? rc : timeline_seek(to.t, b->t->at);
	if (rc < 0) {
		timeline_free(to.t);
		return rc;
	}
	*ret = to.t;
	return 0;
}

static int add_branch(struct app *app, const struct zl_sim_config *config,
	const struct zl_op *insert, const char *what, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = NULL;

	const struct pagesets_branch from = p->branch[p->active];
	struct pagesets_node *node = pagesets_node_new(app, from.node, app_lane_const(app), what);
	if (node == NULL) {
		zl_error_set(err, 0, 0, "no memory for a branch");
		return -ENOMEM;
	}
	node->from = from.t->at;
	node->by_hand = insert != NULL;
	node->op = insert != NULL ? *insert : node->op;
	const struct pagesets_parting how = {p, &from, config, insert};
	int rc = pagesets_part(app, &how, &t, err);
	if (rc < 0) {
		pagesets_node_drop(app, node);
		return rc;
	}
	make_room(app, p);
	p->branch[p->nr_branches] = (struct pagesets_branch){
		.t = t, .config = config != NULL ? *config : from.config, .node = node};
	p->active = p->nr_branches++;
	(void)timeline_advance(t, TIMELINE_SLICE);
	return 0;
}

/* Nothing is drawn yet. Returns 0, or -ENOMEM; then nothing has changed. */
static int choose_branch(struct app *app, unsigned i)
{
	struct pagesets *p = app->pagesets;
	int rc = timeline_seek(p->branch[i].t, pagesets_timeline(app)->at);

	p->active = rc == 0 ? i : p->active;
	return rc;
}

int pagesets_go_branch(struct app *app, unsigned i, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	const struct pagesets_node *n = p->branch[i].node;
	const unsigned before = p->active;
	const size_t edits = app->nr_undo;
	struct run_zone zone;

	zl_error_set(err, 0, 0, "no memory to go to branch %u", i + 1);
	int rc = choose_branch(app, i);
	rc = rc < 0 ? rc : app_take_settings(app, &n->settings, &n->policies, n->what);
	rc = rc < 0 ? rc : pagesets_zone(app, p->all, app_lane_const(app), &zone, err);
	if (rc < 0) {
		p->active = before;
		if (app->nr_undo > edits) {
			app_take_back(app);
		}
		return rc;
	}
	err->text[0] = '\0';
	pagesets_take_zone(p, &zone);
	beside_lanes_changed(app);
	pagesets_refresh(app);
	return 0;
}

/* To the branch that runs in a zone, or to a new one. */
static int follow(
	struct app *app, const struct zl_sim_config *next, const char *what, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;

	if (run_same_zone(next, &p->branch[p->active].config)) {
		return 0;
	}
	for (unsigned i = p->nr_branches; i > 0; i--) {
		if (run_same_zone(next, &p->branch[i - 1].config)) {
			return choose_branch(app, i - 1);
		}
	}
	return add_branch(app, next, NULL, what, err);
}

int pagesets_settings_changed(struct app *app, const char *what)
{
	struct pagesets *p = app->pagesets;
	struct zl_error err = {0};
	struct run_zone zone;

	if (p == NULL) {
		return 0;
	}
	int rc = pagesets_zone(app, p->all, app_lane_const(app), &zone, &err);
	if (rc == 0) {
		rc = follow(app, &zone.config, what, &err);
		if (rc == -ENOMEM) {
			scenario_machine_free(zone.machine);
		} else {
			pagesets_take_zone(p, &zone);
		}
	}
	if (rc == -ENOMEM) {
		return rc;
	}
	if (rc < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
	pagesets_drop_preview(p, app->alloc);
	beside_lanes_changed(app);
	pagesets_refresh(app);
	return 0;
}

void pagesets_say_edit(struct app *app, const char *what)
{
	const struct timeline *t = app->pagesets != NULL ? pagesets_timeline(app) : NULL;
	enum zl_setting key = setting_of(what);

	if (app->screen == SCREEN_GEOMETRY && !app_lane_const(app)->machine.geometry.buildable) {
		app->message.text[0] = '\0'; /* the screen says what is wrong, and what to press */
		return;
	}
	if (t == NULL || t->at == 0 || app->screen != SCREEN_PAGESETS || key == ZL_SETTING_COUNT) {
		app_say(app, VALUE_LITERAL, "%s · u takes it back", what);
		return;
	}
	const char *fixed = setting_fixed(key);

	if (fixed != NULL) {
		app_say(app, VALUE_LITERAL, "%s · %s: the run anew · u takes it back", what, fixed);
	} else {
		app_say(app, VALUE_LITERAL, "%s · from op %U on · u takes it back", what, t->at);
	}
}

/* The present op in another run, and the next flush of that. Returns 0 or -ENOMEM. */
static int look_at(struct app *app, struct pagesets *p, struct timeline *t)
{
	p->preview = app->alloc->realloc(app->alloc->user, NULL, sizeof(*p->preview));
	if (p->preview == NULL) {
		return -ENOMEM;
	}
	memset(p->preview, 0, sizeof(*p->preview));
	if (scene_fill(p->preview, t, p->cpu, app->alloc) < 0 ||
		timeline_advance(t, PREVIEW_OPS) < 0) {
		pagesets_drop_preview(p, app->alloc);
		return -ENOMEM;
	}
	uint64_t flush = timeline_find(t, t->at, 1, MARK_FLUSH);
	p->preview_flush = flush != TIMELINE_NO_OP ? flush : 0;
	return 0;
}

int pagesets_preview(struct app *app, const struct lane *lane)
{
	struct pagesets *p = app->pagesets;
	struct timeline *t = NULL;
	struct zl_error err = {0};

	if (p == NULL) {
		return 0;
	}
	pagesets_drop_preview(p, app->alloc);
	if (lane == NULL || app->screen != SCREEN_PAGESETS) {
		return 0;
	}
	struct run_zone next = {.machine = NULL};
	int rc = run_source_zone(&p->all->source, lane, app->alloc, &next, &err);
	const struct pagesets_parting how = {p, &p->branch[p->active], &next.config, NULL};
	rc = rc != 0 ? rc : pagesets_keep(app, p->all, &next.config);
	scenario_machine_free(next.machine);
	if (rc == 0 && !run_same_zone(&next.config, &p->branch[p->active].config)) {
		rc = pagesets_part(app, &how, &t, &err);
		rc = rc < 0 || t == NULL ? rc : look_at(app, p, t);
	}
	timeline_free(t);
	return rc == -ENOMEM ? rc : 0; /* a zone that cannot be has nothing to show */
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
	if (rc == 0) {
		app->pagesets->by_hand_ops++;
		pagesets_refresh(app);
	}
	return rc;
}
