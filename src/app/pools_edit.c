/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools changed by hand: added, removed, moved, resized, with undo.
 */
#include <errno.h>
#include <string.h>

#include "pools.h"
#include "ui.h"
#include "zonelab/text.h"

/* --- the requests --- */

/* A node that is back is written again. */
static void forget_removed(struct reserve *r, const struct zl_dts_node *node)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nr_removed; i++) {
		if (r->removed[i] != node) {
			r->removed[n++] = r->removed[i];
		}
	}
	r->nr_removed = n;
}

static bool insert(struct pools *p, size_t at, const struct zl_request *q,
	const struct zl_reservation_origin *origin)
{
	struct zl_reservations *have = &p->r->have;
	size_t n = p->r->nr_planned;

	if (n == ZL_POOLS_MAX || at > n) {
		return false;
	}
	memmove(&have->request[at + 1], &have->request[at], (n - at) * sizeof(*q));
	memmove(&have->origin[at + 1], &have->origin[at], (n - at) * sizeof(*origin));
	have->request[at] = *q;
	have->origin[at] = *origin;
	p->r->nr_planned = n + 1;
	forget_removed(p->r, origin->node);
	return true;
}

static bool take_out(struct pools *p, size_t at)
{
	struct zl_reservations *have = &p->r->have;
	size_t n = p->r->nr_planned;

	if (at >= n) {
		return false;
	}
	if (have->origin[at].node != NULL && p->r->nr_removed < ZL_POOLS_MAX) {
		p->r->removed[p->r->nr_removed++] = have->origin[at].node;
	}
	memmove(&have->request[at], &have->request[at + 1],
		(n - at - 1) * sizeof(have->request[0]));
	memmove(&have->origin[at], &have->origin[at + 1], (n - at - 1) * sizeof(have->origin[0]));
	p->r->nr_planned = n - 1;
	return true;
}

bool pools_apply(struct pools *p, struct pools_edit *e, bool back)
{
	const struct zl_request *q = back ? &e->before : &e->after;
	struct zl_reservations *have = &p->r->have;
	bool add = (e->kind == POOLS_ADDED) != back;

	if (e->kind != POOLS_CHANGED) {
		struct zl_reservation_origin origin = {0};

		if (!add) {
			/* Files that were read again have other nodes. */
			e->origin = have->origin[e->index < ZL_POOLS_MAX ? e->index : 0];
			return take_out(p, e->index);
		}
		return insert(p, e->index, e->kind == POOLS_ADDED ? &e->after : &e->before,
			e->kind == POOLS_ADDED ? &origin : &e->origin);
	}
	if (e->index >= p->r->nr_planned || strcmp(have->request[e->index].name, q->name) != 0) {
		return false;
	}
	have->request[e->index].size = q->size;
	have->request[e->index].base = q->base;
	have->request[e->index].has_reg = q->has_reg;
	have->request[e->index].limit = q->limit;
	have->request[e->index].edited = q->edited;
	return true;
}

/* Keeps an edit that was made; without memory it cannot be undone. */
static void remember(struct app *app, const struct pools_edit *e)
{
	struct pools *p = app->pools;

	p->touched = true;
	struct pools_edit *copy = app->alloc->realloc(app->alloc->user, NULL, sizeof(*copy));

	while (p->nr_edits > p->nr_done) {
		app->alloc->free(app->alloc->user, p->edit[--p->nr_edits]);
	}
	if (copy == NULL) {
		return;
	}
	if (p->nr_edits == POOLS_EDITS_MAX) {
		app->alloc->free(app->alloc->user, p->edit[0]);
		for (size_t i = 1; i < POOLS_EDITS_MAX; i++) {
			p->edit[i - 1] = p->edit[i];
		}
		p->nr_edits--;
	}
	*copy = *e;
	p->edit[p->nr_edits++] = copy;
	p->nr_done = p->nr_edits;
}

static bool step_edit(struct app *app, bool undo)
{
	struct pools *p = app->pools;
	struct pools_edit *e;
	static const char *const what[] = {"added", "removed", "changed"};

	if (p == NULL || (undo ? p->nr_done == 0 : p->nr_done == p->nr_edits)) {
		return false;
	}
	if (pools_cancel(app)) {
		return true;
	}
	e = p->edit[undo ? p->nr_done - 1 : p->nr_done];
	if (!pools_apply(p, e, undo)) {
		return false;
	}
	p->nr_done = undo ? p->nr_done - 1 : p->nr_done + 1;
	pools_replan(app);
	pools_focus_request(app, e->index);
	app_say(app, VALUE_LITERAL, "%s: %s %s", undo ? "Undone" : "Redone", e->after.name,
		what[e->kind]);
	return true;
}

bool pools_undo(struct app *app)
{
	return step_edit(app, true);
}

bool pools_redo(struct app *app)
{
	return step_edit(app, false);
}

/* --- by hand --- */

/* What is held with the arrows is taken before anything else happens. */
static void settle(struct app *app)
{
	if (app->pools->mode != POOLS_LOOK) {
		pools_enter(app);
	}
}

static int parse(const char *text, uint64_t *ret_size, uint64_t *ret_base, bool *ret_has_base)
{
	const char *sign = strchr(text, '@');
	char size[64];
	struct zl_text t;

	zl_text_init(&t, size, sizeof(size));
	zl_text_strn(&t, text, sign != NULL ? (size_t)(sign - text) : strlen(text));
	*ret_base = 0;
	*ret_has_base = sign != NULL;
	if (t.cut || (sign != NULL && zl_parse_u64(sign + 1, ret_base) != 0 &&
			     zl_parse_size(sign + 1, 1, ret_base) != 0)) {
		return -EINVAL;
	}
	if (zl_parse_u64(size, ret_size) != 0 && zl_parse_size(size, 1, ret_size) != 0) {
		return -EINVAL;
	}
	return *ret_size > 0 && *ret_base <= UINT64_MAX - *ret_size ? 0 : -EINVAL;
}

static int refuse_text(const char *text, struct zl_error *err)
{
	zl_error_set(err, 0, 0, "'%s' is no SIZE[@BASE]; 32M or 32M@0x50000000", text);
	return -EINVAL;
}

/* Asks only for what the bootloader of a real board could ask for as well. */
static void new_request(const struct pools *p, struct zl_request *ret)
{
	unsigned number = 1;

	*ret = (struct zl_request){.kind = ZL_REQUEST_NODE,
		.source = ZL_SOURCE_MANUAL,
		.node = ZL_ANY_NODE,
		.dma_pool = true,
		.has_compatible = true,
		.reusable = true};
	for (size_t i = 0; i < p->r->nr_planned; i++) {
		number += p->r->have.request[i].source == ZL_SOURCE_MANUAL;
	}
	zl_format(ret->name, sizeof(ret->name), "pool-%u", number);
}

int pools_add(struct app *app, const char *text, struct zl_error *err)
{
	struct pools *p = app->pools;
	struct pools_edit e = {.kind = POOLS_ADDED};

	settle(app);
	e.index = p->r->nr_planned;
	new_request(p, &e.after);
	if (parse(text, &e.after.size, &e.after.base, &e.after.has_reg) != 0) {
		return refuse_text(text, err);
	}
	/* Nodes stand before the areas of the command line and of Kconfig. */
	while (e.index > 0 && p->r->have.request[e.index - 1].kind != ZL_REQUEST_NODE) {
		e.index--;
	}
	if (!pools_apply(p, &e, false)) {
		zl_error_set(err, 0, 0, "no room for another pool; at most %d", ZL_POOLS_MAX);
		return -E2BIG;
	}
	remember(app, &e);
	pools_replan(app);
	pools_focus_request(app, e.index);
	return 0;
}

/* The focused request that may be changed, POOLS_NONE with @err filled if there is none. */
static size_t editable(const struct app *app, struct zl_error *err)
{
	size_t at = pools_focused(app);
	size_t request = at != POOLS_NONE ? app->pools->r->report.pool[at].request : 0;

	if (at == POOLS_NONE) {
		zl_error_set(err, 0, 0, "there is no pool here; i adds one");
		return POOLS_NONE;
	}
	if (request >= app->pools->r->nr_planned) {
		zl_error_set(err, 0, 0, "only the boot log knows this one; i adds a pool");
		return POOLS_NONE;
	}
	return request;
}

static void finish_change(struct app *app, size_t request, const struct zl_request *before)
{
	struct zl_request *q = &app->pools->r->have.request[request];
	struct pools_edit e = {.kind = POOLS_CHANGED, .index = request, .before = *before};

	q->edited = true;
	e.after = *q;
	remember(app, &e);
	pools_replan(app);
	pools_focus_request(app, request);
}

int pools_change(struct app *app, const char *text, struct zl_error *err)
{
	size_t request = editable(app, err);
	uint64_t size = 0;
	uint64_t base = 0;
	bool has_base = false;

	if (request == POOLS_NONE) {
		return -EINVAL;
	}
	if (parse(text, &size, &base, &has_base) != 0) {
		return refuse_text(text, err);
	}
	struct zl_request *q = &app->pools->r->have.request[request];
	struct zl_request before = *q;
	q->size = size;
	q->base = has_base ? base : q->has_reg ? q->base : 0;
	q->has_reg = q->kind == ZL_REQUEST_NODE && (has_base || q->has_reg);
	finish_change(app, request, &before);
	return 0;
}

int pools_remove(struct app *app, struct zl_error *err)
{
	struct pools_edit e = {.kind = POOLS_REMOVED};
	const struct reserve *r = app->pools->r;

	settle(app);
	e.index = editable(app, err);
	if (e.index == POOLS_NONE) {
		return -EINVAL;
	}
	e.before = r->have.request[e.index];
	e.after = e.before;
	(void)pools_apply(app->pools, &e, false);
	remember(app, &e);
	pools_replan(app);
	if (app->row[POOLS_LIST] > 0 && app->row[POOLS_LIST] >= r->report.nr_pools) {
		app->row[POOLS_LIST]--;
	}
	pools_refresh(app);
	app_say(app, VALUE_LITERAL, "%s removed · u takes it back", e.before.name);
	return 0;
}

/* --- holding a pool with the arrows --- */

void pools_hold(struct app *app, enum pools_mode mode)
{
	struct pools *p = app->pools;
	struct zl_error err = {0};

	settle(app);
	size_t request = editable(app, &err);
	if (request == POOLS_NONE) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	const struct zl_pool *pool = &p->r->report.pool[pools_focused(app)];
	struct zl_request *q = &p->r->have.request[request];
	if (mode == POOLS_MOVE && !q->has_reg && !pool->base_known) {
		app_say(app, VALUE_LITERAL,
			"Error: %s has no place that could be moved · Enter gives it one: "
			"SIZE@BASE",
			q->name);
		return;
	}
	p->mode = mode;
	p->moving = request;
	p->original = *q;
	app->panel = POOLS_LIST;
}

bool pools_cancel(struct app *app)
{
	struct pools *p = app->pools;

	if (p == NULL || p->mode == POOLS_LOOK) {
		return false;
	}
	p->r->have.request[p->moving] = p->original;
	p->mode = POOLS_LOOK;
	pools_replan(app);
	pools_focus_request(app, p->moving);
	return true;
}

/* A value one step up or down, kept where it makes sense. */
static uint64_t stepped(uint64_t v, uint64_t step, bool up, uint64_t least)
{
	if (up) {
		return v <= UINT64_MAX - step ? zl_round_down(v, step) + step : v;
	}
	/* What is off the grid first goes back to it. */
	uint64_t down = v % step != 0 ? zl_round_down(v, step) : v >= step ? v - step : 0;
	return down < least ? least : down;
}

static void step_held(struct app *app, bool up, uint64_t blocks)
{
	struct pools *p = app->pools;
	struct zl_request *q = &p->r->have.request[p->moving];
	uint64_t block = p->r->machine.geometry.pageblock_bytes;
	uint64_t step = block * blocks;

	if (p->mode == POOLS_RESIZE) {
		q->size = stepped(q->size, step, up, block);
	} else {
		uint64_t lowest = p->r->map.known ? p->r->map.banks.item[0].base : 0;
		uint64_t end = p->r->map.known ? zl_memory_end(&p->r->map) : UINT64_MAX;

		if (q->kind == ZL_REQUEST_NODE && !q->has_reg) {
			q->base = p->r->report.pool[pools_focused(app)].base;
			q->has_reg = true;
		} else if (q->base == 0 && pools_focused(app) != POOLS_NONE) {
			q->base = p->r->report.pool[pools_focused(app)].base;
		}
		uint64_t to = stepped(q->base, step, up, lowest);
		q->base = to < end ? to : q->base;
	}
	q->edited = true;
	pools_replan(app);
	pools_focus_request(app, p->moving);
}

static bool held_moves(struct app *app, const char *direction)
{
	static const struct {
		const char *word;
		bool up;
		uint64_t blocks;
	} words[] = {
		{"down",	 true,  1		},
		{"right",	  true,	1		 },
		{"up",	       false, 1		       },
		{"left",	 false, 1		 },
		{"page-down", true,  POOLS_PAGE_BLOCKS},
		{"page-up",   false, POOLS_PAGE_BLOCKS},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].word, direction) == 0) {
			step_held(app, words[i].up, words[i].blocks);
		}
	}
	return true;
}

bool pools_move(struct app *app, const char *direction)
{
	size_t n = pools_panel_rows(app, app->panel);
	unsigned *row = &app->row[app->panel];
	const unsigned page = 10;
	unsigned last = n > 0 ? (unsigned)n - 1 : 0;

	app->pools->touched = true;
	if (app->pools->mode != POOLS_LOOK) {
		return held_moves(app, direction);
	}
	if (strcmp(direction, "up") == 0) {
		*row -= *row > 0;
	} else if (strcmp(direction, "down") == 0) {
		*row += *row < last;
	} else if (strcmp(direction, "page-up") == 0) {
		*row -= *row < page ? *row : page;
	} else if (strcmp(direction, "page-down") == 0) {
		*row = last - *row < page ? last : *row + page;
	} else if (strcmp(direction, "first") == 0) {
		*row = 0;
	} else if (strcmp(direction, "last") == 0) {
		*row = last;
	} else if (strcmp(direction, "left") != 0 && strcmp(direction, "right") != 0) {
		return false;
	}
	pools_refresh(app);
	return true;
}

void pools_next_refused(struct app *app, int direction)
{
	const struct zl_reserve_report *report = &app->pools->r->report;
	size_t n = report->nr_pools;
	size_t at = pools_focused(app);
	bool search = app->search[0] != '\0';

	settle(app);
	app->pools->touched = true;
	for (size_t i = 0; i < n; i++) {
		at = direction > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (search ? ui_contains(reserve_pool_name(app->pools->r, &report->pool[at]),
				     app->search)
			   : pools_is_refused(&report->pool[at])) {
			app->panel = POOLS_LIST;
			app->row[POOLS_LIST] = (unsigned)at;
			pools_refresh(app);
			return;
		}
	}
	if (search) {
		app_say(app, VALUE_LITERAL, "No pool matches '%s' · Esc ends the search",
			app->search);
	} else {
		app_say(app, VALUE_NONE, "No pool is refused here");
	}
}

/* --- the field --- */

void pools_open_field(struct app *app, enum pools_field field)
{
	struct zl_error err = {0};

	settle(app);
	size_t request = field == POOLS_FIELD_CHANGE ? editable(app, &err) : 0;

	if (request == POOLS_NONE) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	app->mode = MODE_FIELD;
	app->field_setting = field;
	app->field[0] = '\0';
	app->field_error.text[0] = '\0';
	if (field == POOLS_FIELD_CHANGE) {
		const struct zl_request *q = &app->pools->r->have.request[request];
		const uint64_t mib = UINT64_C(1) << 20;
		bool whole = q->size % mib == 0;
		struct zl_text t;

		zl_text_init(&t, app->field, sizeof(app->field));
		zl_text_fmt(&t, "%U%s", whole ? q->size / mib : q->size, whole ? "M" : "");
		if (q->has_reg) {
			zl_text_fmt(&t, "@%x", q->base);
		}
	}
}

void pools_enter(struct app *app)
{
	struct pools *p = app->pools;

	if (p->mode == POOLS_LOOK) {
		pools_open_field(app, POOLS_FIELD_CHANGE);
		return;
	}
	p->mode = POOLS_LOOK;
	if (p->r->have.request[p->moving].edited) {
		finish_change(app, p->moving, &p->original);
		app_say(app, VALUE_LITERAL, "%s changed · f shows the source, u takes it back",
			p->original.name);
	}
}

void pools_field_typed(struct app *app)
{
	uint64_t size = 0;
	uint64_t base = 0;
	bool has_base = false;

	app->field_error.text[0] = '\0';
	if (app->field[0] != '\0' && parse(app->field, &size, &base, &has_base) != 0) {
		(void)refuse_text(app->field, &app->field_error);
	}
}

bool pools_take_field(struct app *app)
{
	int e = app->field_setting == POOLS_FIELD_ADD
			? pools_add(app, app->field, &app->field_error)
			: pools_change(app, app->field, &app->field_error);

	if (e != 0) {
		return false;
	}
	app->mode = MODE_NORMAL;
	app->field[0] = '\0';
	app_say(app, VALUE_LITERAL, "%s: %s · u takes it back",
		reserve_pool_name(app->pools->r, &app->pools->r->report.pool[pools_focused(app)]),
		reserve_verdict_word(&app->pools->r->report.pool[pools_focused(app)]));
	return true;
}
