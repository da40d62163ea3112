/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches in sessions: what a run grew out of, and growing it again. */
#include <errno.h>
#include <string.h>

#include "pagesets.h"
#include "pagesets_private.h"
#include "session_private.h"
#include "zonelab/text.h"

#define NODES_MAX 4096u

/* ---- writing ---- */

/* All nodes that branches need, each behind its parent. */
struct nodes {
	const struct pagesets_node *node[NODES_MAX];
	unsigned n;
};

static unsigned find(const struct nodes *list, const struct pagesets_node *node)
{
	unsigned i = 0;

	while (i < list->n && list->node[i] != node) {
		i++;
	}
	return i;
}

static void collect(struct nodes *list, const struct pagesets_node *node)
{
	unsigned first = list->n, last;

	/* From the branch to what is known already, then turned round. */
	for (; node != NULL && find(list, node) == list->n && list->n < NODES_MAX;
		node = node->parent) {
		list->node[list->n++] = node;
	}
	for (last = list->n; first + 1 < last; first++) {
		const struct pagesets_node *swap = list->node[first];

		list->node[first] = list->node[--last];
		list->node[last] = swap;
	}
}

static void write_op(struct zl_json *o, const struct zl_op *op)
{
	struct zl_json *j = zl_json_add_object(o, "op");

	zl_json_add_string(j, "kind", zl_op_kind_name((enum zl_op_kind)op->kind));
	zl_json_add_int(j, "order", op->order);
	zl_json_add_int(j, "mt", op->mt);
	zl_json_add_int(j, "key", op->key);
	zl_json_add_int(j, "id", op->id);
	zl_json_add_int(j, "arg", op->arg);
}

static void write_node(struct zl_json *list, const struct nodes *nodes, unsigned i)
{
	const struct pagesets_node *node = nodes->node[i];
	struct zl_json *o = zl_json_push_object(list);

	if (node->parent != NULL) {
		zl_json_add_int(o, "parent", find(nodes, node->parent));
	}
	zl_json_add_u64(o, "from", node->from);
	zl_json_add_string(o, "what", node->what);
	if (node->by_hand) {
		write_op(o, &node->op);
	}
	session_state_write(o, &node->settings, &node->policies);
}

void session_run_write(struct zl_json *o, const struct app *app, unsigned lane)
{
	const struct pagesets *p = app->run[lane];
	struct nodes *nodes = app->alloc->realloc(app->alloc->user, NULL, sizeof(*nodes));

	if (p == NULL || nodes == NULL) {
		app->alloc->free(app->alloc->user, nodes);
		return;
	}
	nodes->n = 0;
	struct zl_json *run = zl_json_add_object(o, "run");
	struct zl_json *list = zl_json_add_array(run, "nodes");
	for (unsigned i = 0; i < p->nr_branches; i++) {
		collect(nodes, p->branch[i].node);
	}
	for (unsigned i = 0; i < nodes->n; i++) {
		write_node(list, nodes, i);
	}
	list = zl_json_add_array(run, "branches");
	for (unsigned i = 0; i < p->nr_branches; i++) {
		zl_json_push_int(list, find(nodes, p->branch[i].node));
	}
	zl_json_add_int(run, "active", p->active);
	zl_json_add_u64(run, "by_hand", p->by_hand_ops);
	zl_json_add_int(run, "zoom", p->window.zoom);
	app->alloc->free(app->alloc->user, nodes);
}

/* ---- growing ---- */

const struct zl_json *session_run_root(const struct zl_json *lane)
{
	return zl_json_first(zl_json_member(zl_json_member(lane, "run"), "nodes"));
}

/* The branches of all nodes, of which some only lead to others. */
struct growing {
	struct app *app;
	struct pagesets *p;
	unsigned lane;
	struct pagesets_branch branch[NODES_MAX];
	unsigned n;
};

/* A whole number from 0 to @max. */
static int number(const struct zl_json *o, const char *member, int64_t max, int64_t *ret,
	struct zl_error *err)
{
	const struct zl_json *j = member != NULL ? zl_json_member(o, member) : o;

	if (zl_json_get_int(j, ret) < 0 || *ret < 0 || *ret > max) {
		return session_wrong(
			err, member != NULL ? member : "branches", "no number in range");
	}
	return 0;
}

static int read_op(const struct zl_json *o, struct zl_op *ret, struct zl_error *err)
{
	const char *kind = zl_json_text(zl_json_member(o, "kind"));
	int64_t order = 0, mt = 0, key = 0, id = 0, arg = 0;
	int rc = kind == NULL ? session_wrong(err, "op", "no kind") : 0;

	rc = rc < 0 ? rc : number(o, "order", UINT8_MAX, &order, err);
	rc = rc < 0 ? rc : number(o, "mt", UINT8_MAX, &mt, err);
	rc = rc < 0 ? rc : number(o, "key", UINT8_MAX, &key, err);
	rc = rc < 0 ? rc : number(o, "id", UINT32_MAX, &id, err);
	rc = rc < 0 ? rc : number(o, "arg", UINT32_MAX, &arg, err);
	if (rc == 0) {
		*ret = (struct zl_op){.kind = (uint8_t)zl_op_kind_find(kind),
			.order = (uint8_t)order,
			.mt = (uint8_t)mt,
			.key = (uint8_t)key,
			.id = (uint32_t)id,
			.arg = (uint32_t)arg};
	}
	return rc;
}

/* The run of one node, out of that of its parent. */
static int grow_node(struct growing *g, const struct zl_json *o, struct zl_error *err)
{
	struct app *app = g->app;
	struct lane *lane = &app->lane[g->lane];
	const struct zl_json *by_hand = zl_json_member(o, "op");
	const char *what = zl_json_text(zl_json_member(o, "what"));
	struct pagesets_branch *to = &g->branch[g->n];
	struct zl_op op = {0};
	int64_t parent = 0, from = 0;
	int rc = number(o, "parent", (int64_t)g->n - 1, &parent, err);

	rc = rc < 0 ? rc : number(o, "from", ZL_JSON_INT_MAX, &from, err);
	rc = rc < 0 || by_hand == NULL ? rc : read_op(by_hand, &op, err);
	rc = rc < 0 ? rc : session_state_read(app, o, &lane->profile, err);
	if (rc < 0) {
		return rc;
	}
	lane_resolve(lane);
	struct pagesets_branch *b = &g->branch[parent];
	rc = timeline_seek(b->t, (uint64_t)from);
	if (rc == 0 && b->t->at != (uint64_t)from) {
		return session_wrong(err, "from", "the run has no such op any more");
	}
	to->config = b->config;
	if (rc == 0 && by_hand == NULL) {
		struct run_zone zone;

		rc = pagesets_zone(app, g->p->all, lane, &zone, err);
		if (rc == 0) {
			to->config = zone.config;
			pagesets_take_zone(g->p, &zone);
		}
	}
	const struct pagesets_parting how = {
		g->p, b, by_hand != NULL ? NULL : &to->config, by_hand != NULL ? &op : NULL};
	rc = rc < 0 ? rc : pagesets_part(app, &how, &to->t, err);
	if (rc < 0) {
		return rc;
	}
	to->node = pagesets_node_new(app, b->node, lane, what != NULL ? what : "");
	g->n++;
	if (to->node == NULL) {
		return -ENOMEM;
	}
	to->node->from = (uint64_t)from;
	to->node->by_hand = by_hand != NULL;
	to->node->op = op;
	return 0;
}

/* The branches that are kept go to their places; the first is always the run as it was opened. */
static int place(struct growing *g, const struct zl_json *run, struct zl_error *err)
{
	const struct zl_json *list = zl_json_member(run, "branches");
	struct pagesets *p = g->p;
	int64_t i = 0, active = 0, by_hand = 0, zoom = 0;
	int rc = 0;

	p->nr_branches = 0;
	for (const struct zl_json *j = zl_json_first(list); j != NULL && rc == 0;
		j = zl_json_next(j)) {
		rc = number(j, NULL, (int64_t)g->n - 1, &i, err);
		if (rc == 0 && (g->branch[i].t == NULL || p->nr_branches == PAGESETS_BRANCHES ||
				       (i == 0) != (p->nr_branches == 0))) {
			rc = session_wrong(err, "branches", "not each branch once");
		}
		if (rc == 0) {
			p->branch[p->nr_branches++] = g->branch[i];
			memset(&g->branch[i], 0, sizeof(g->branch[i]));
		}
	}
	if (rc == 0 && p->nr_branches == 0) {
		rc = session_wrong(err, "branches", "none");
	}
	rc = rc < 0 ? rc : number(run, "active", (int64_t)p->nr_branches - 1, &active, err);
	rc = rc < 0 ? rc : number(run, "by_hand", ZL_JSON_INT_MAX, &by_hand, err);
	rc = rc < 0 ? rc : number(run, "zoom", 63, &zoom, err);
	p->active = (unsigned)active;
	p->by_hand_ops = (uint64_t)by_hand;
	p->window.zoom = (unsigned)zoom;
	return rc;
}

int session_run_grow(
	struct app *app, const struct zl_json *lane, unsigned index, struct zl_error *err)
{
	const struct zl_json *run = zl_json_member(lane, "run");
	const struct zl_json *j = zl_json_next(session_run_root(lane));
	struct growing *g = app->alloc->realloc(app->alloc->user, NULL, sizeof(*g));
	int rc = 0;

	if (g == NULL) {
		return -ENOMEM;
	}
	memset(g, 0, sizeof(*g));
	g->app = app;
	g->p = app->run[index];
	g->lane = index;
	g->branch[g->n++] = g->p->branch[0];
	memset(&g->p->branch[0], 0, sizeof(g->p->branch[0]));
	for (; j != NULL && rc == 0; j = zl_json_next(j)) {
		rc = g->n == NODES_MAX ? session_wrong(err, "nodes", "more than 4096")
				       : grow_node(g, j, err);
	}
	rc = rc < 0 ? rc : place(g, run, err);
	if (g->p->nr_branches == 0 || g->p->branch[0].t == NULL) {
		/* A damaged session leaves the run as it was opened. */
		g->p->branch[0] = g->branch[0];
		memset(&g->branch[0], 0, sizeof(g->branch[0]));
		g->p->nr_branches = 1;
		g->p->active = 0;
	}
	for (unsigned i = 0; i < g->n; i++) {
		pagesets_branch_done(app, &g->branch[i]);
	}
	app->alloc->free(app->alloc->user, g);
	return rc;
}
