/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Breakpoints: events, and conditions over the figures of a run.
 */
#include <errno.h>
#include <string.h>

#include "explain.h"
#include "facts.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "zonelab/text.h"

#define FACTS (VALUE_COUNT - VALUE_RUN_COUNT)

static const struct {
	const char *word;
	uint8_t marks;
} events[] = {
	{"any",	MARK_ANY		},
	{"event",	  MARK_ANY & ~MARK_REFILL},
	{"refill",   MARK_REFILL	      },
	{"flush",	  MARK_FLUSH		    },
	{"drain",	  MARK_DRAIN		    },
	{"decay",	  MARK_DECAY		    },
	{"fallback", MARK_FALLBACK	  },
	{"fail",	 MARK_FAIL		  },
};

uint8_t pagesets_marks_find(const char *word)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (strcmp(events[i].word, word) == 0) {
			return events[i].marks;
		}
	}
	return 0;
}

/* "count", "pcp.count", "batch": the pageset's figure is meant where the machine has one too. */
static unsigned fact_find(const char *name)
{
	static const char dotted[] = "pcp.";
	char text[ZL_EXPR_NAME_MAX + sizeof(dotted)];

	if (strncmp(name, dotted, sizeof(dotted) - 1) == 0) {
		name += sizeof(dotted) - 1;
	}
	zl_format(text, sizeof(text), "pcp_%s", name);
	unsigned id = value_find(text);
	return is_fact(id) ? id : value_find(name);
}

static int find_name(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	unsigned id = fact_find(name);

	(void)user;
	(void)via;
	if (!is_fact(id)) {
		zl_error_set(err, 0, 0,
			"there is no figure '%s' of a run; for example count, free_count, high, "
			"batch",
			name);
		return -ENOENT;
	}
	*ret = (struct zl_expr_name){.slot = id - VALUE_RUN_COUNT};
	return 0;
}

/* The figures where the run stands, by slot. */
static void fill_slots(const struct app *app, int64_t slots[FACTS])
{
	const struct timeline *t = pagesets_shown(app);
	unsigned cpu = app->pagesets->all->cpu >= 0 ? (unsigned)app->pagesets->all->cpu
						    : zl_sim_cpu(t->sim);
	struct zl_pageset_view pageset;
	struct zl_zone_view zone;
	struct zl_record record;
	struct facts f = {.pageset = &pageset,
		.zone = &zone,
		.record = &record,
		.at = t->at,
		.total = timeline_total(t),
		.cpu = cpu};

	zl_sim_pageset(t->sim, cpu < zl_sim_cpus(t->sim) ? cpu : 0, &pageset);
	zl_sim_zone(t->sim, &zone);
	zl_sim_record(t->sim, &record);
	for (unsigned i = 0; i < FACTS; i++) {
		(void)fact_get(&f, VALUE_RUN_COUNT + i, &slots[i]);
	}
}

int pagesets_break_add(struct app *app, const char *text, struct zl_error *err)
{
	struct pagesets *p = app->pagesets;
	struct pagesets_break b = {.marks = pagesets_marks_find(text)};
	const struct zl_expr_names names = {.find = find_name};
	int64_t slots[FACTS], v = 0;

	if (p->all->nr_breaks == PAGESETS_BREAKS) {
		zl_error_set(err, 0, 0, "there are %u breakpoints already; `break clear` first",
			PAGESETS_BREAKS);
		return -E2BIG;
	}
	if (b.marks == 0) {
		int rc = zl_expr_compile(text, &names, app->alloc, &b.expr, err);
		if (rc < 0) {
			return rc;
		}
		fill_slots(app, slots);
		b.held = zl_expr_eval(&b.expr, slots, &v, NULL) == 0 && v != 0;
	}
	zl_format(b.text, sizeof(b.text), "%s", text);
	p->all->brk[p->all->nr_breaks++] = b;
	return 0;
}

void pagesets_break_clear(struct app *app)
{
	struct pagesets *p = app->pagesets;

	for (unsigned i = 0; i < p->all->nr_breaks; i++) {
		zl_expr_done(&p->all->brk[i].expr, app->alloc);
		zl_watch_done(&p->all->brk[i].watch, app->alloc);
	}
	p->all->nr_breaks = 0;
	p->all->no_stops = true;
}

/* ---- the scenario's own ---- */

static bool add_watch(
	struct app *app, const struct zl_scenario_break *from, struct pagesets_break *b)
{
	const struct zl_scenario *s = &app->pagesets->all->source.scenario;
	const struct timeline *t = app->pagesets->branch[0].t;
	struct zl_error err = {0};
	const char *when = zl_scenario_text(s, from->when);

	zl_format(b->text, sizeof(b->text), "%s%s", from->before ? "before " : "", when);
	if (zl_watch_compile(when, app->alloc, &b->watch, &err) < 0) {
		return false;
	}
	if (b->watch.follows || zl_watch_start(&b->watch, t->key[0].sim, &err) < 0) {
		zl_watch_done(&b->watch, app->alloc);
		return false;
	}
	return true;
}

void pagesets_break_scenario(struct app *app)
{
	struct playback *all = app->pagesets->all;
	const struct zl_scenario *s = &all->source.scenario;

	for (uint32_t i = 0; i < s->nr_breaks && all->nr_breaks < PAGESETS_BREAKS; i++) {
		const struct zl_scenario_break *from = &s->breakpoint[i];
		struct pagesets_break b = {
			.scenario = true, .before = from->before || from->op > 0, .op = from->op};
		zl_format(b.say, sizeof(b.say), "%s", zl_scenario_text(s, from->text));
		if (from->op > 0) {
			zl_format(b.text, sizeof(b.text), "before op %U", from->op);
		}
		if (from->op > 0 || add_watch(app, from, &b)) {
			all->brk[all->nr_breaks++] = b;
		}
	}
}

static const struct run_note *note_at(const struct app *app, bool stop)
{
	const struct playback *all = app->pagesets->all;
	uint64_t next = pagesets_shown(app)->at + 1;
	const struct run_note *found = NULL;

	for (size_t i = 0; i < all->notes.n && all->notes.note[i].op <= next; i++) {
		const struct run_note *n = &all->notes.note[i];
		if (stop ? n->stop != ZL_NONE && n->op == next : n->caption != ZL_NONE) {
			found = n;
		}
	}
	return found;
}

const char *pagesets_caption(const struct app *app)
{
	const struct zl_scenario *s = &app->pagesets->all->source.scenario;
	const struct run_note *n = note_at(app, false);
	uint64_t next = pagesets_shown(app)->at + 1, op = n != NULL ? n->op : 0;
	uint32_t text = n != NULL ? n->caption : ZL_NONE;

	for (uint32_t i = 0; i < s->nr_captions; i++) {
		if (s->caption[i].op <= next && s->caption[i].op >= op) {
			text = s->caption[i].text;
			op = s->caption[i].op;
		}
	}
	return zl_scenario_text(s, text);
}

/* ---- stopping ---- */

/* Whether a condition holds now, or the op is that of an event. */
static bool holds(const struct timeline *t, struct pagesets_break *b, const int64_t *slots)
{
	int64_t v = 0;

	if (b->scenario && b->op > 0) {
		return t->at == b->op;
	}
	if (b->scenario) {
		return zl_watch_eval(&b->watch, t->sim, &v, NULL) == 0 && v != 0;
	}
	return b->marks != 0 ? (timeline_marks(t, t->at) & b->marks) != 0
			     : zl_expr_eval(&b->expr, slots, &v, NULL) == 0 && v != 0;
}

/* Whether a break stops at this op. An event is news each time; a condition when it begins to
 * hold; a stop before an op where playing did not begin there. */
static bool stops(const struct app *app, const struct pagesets_break *b, bool now)
{
	if (!now || (b->marks == 0 && b->held)) {
		return false;
	}
	return !b->before || pagesets_shown(app)->at != app->pagesets->all->played_from + 1;
}

/* Back by one op; what began to hold at this one is news again when it comes. */
static void step_before(struct app *app, const bool *held)
{
	struct playback *all = app->pagesets->all;

	for (unsigned i = 0; i < all->nr_breaks; i++) {
		all->brk[i].held = held[i];
	}
	pagesets_seek(app, pagesets_shown(app)->at - 1);
}

const struct pagesets_break *pagesets_break_hit(struct app *app)
{
	struct pagesets *p = app->pagesets;
	const struct timeline *t = pagesets_shown(app);
	struct pagesets_break *hit = NULL;
	int64_t slots[FACTS];
	bool held[PAGESETS_BREAKS];

	if (p->all->nr_breaks > 0) {
		fill_slots(app, slots);
	}
	for (unsigned i = 0; i < p->all->nr_breaks; i++) {
		struct pagesets_break *b = &p->all->brk[i];
		bool now = holds(t, b, slots);
		if (stops(app, b, now) && (hit == NULL || (b->before && !hit->before))) {
			hit = b;
		}
		held[i] = b->held;
		b->held = now;
	}
	if (hit != NULL && hit->before) {
		step_before(app, held);
	}
	return hit;
}

const char *pagesets_stop_text(const struct app *app)
{
	const struct run_note *n = note_at(app, true);

	return n != NULL ? zl_scenario_text(&app->pagesets->all->source.scenario, n->stop) : "";
}

void pagesets_break_rearm(struct app *app)
{
	struct pagesets *p = app->pagesets;
	const struct timeline *t = pagesets_shown(app);
	int64_t slots[FACTS];

	fill_slots(app, slots);
	for (unsigned i = 0; i < p->all->nr_breaks; i++) {
		struct pagesets_break *b = &p->all->brk[i];
		b->held = b->marks == 0 && holds(t, b, slots);
	}
}

/* ---- what last changed a figure ---- */

struct question {
	unsigned id, cpu;
};

static int64_t answer(const struct zl_sim *sim, void *user)
{
	const struct question *q = user;
	struct zl_pageset_view pageset;
	struct zl_zone_view zone;
	struct facts f = {.pageset = &pageset, .zone = &zone, .cpu = q->cpu};
	int64_t v = 0;

	zl_sim_pageset(sim, q->cpu < zl_sim_cpus(sim) ? q->cpu : 0, &pageset);
	zl_sim_zone(sim, &zone);
	return fact_get(&f, q->id, &v) ? v : INT64_MIN;
}

bool pagesets_is_fact(unsigned id)
{
	return is_fact(id);
}

uint64_t pagesets_last_change(struct app *app, unsigned id)
{
	struct question q = {.id = id, .cpu = app->pagesets->cpu};
	struct timeline_probe probe = {.get = answer, .user = &q};

	if (!is_fact(id)) {
		return TIMELINE_NO_OP;
	}
	return timeline_last_change(pagesets_shown(app), &probe);
}

/* "free on cpu 1: the pageset holds less than its limit." */
static void describe(const struct zl_record *r, struct zl_text *t)
{
	zl_text_fmt(t, "op %U, %s on cpu %u: %s", r->index,
		zl_op_kind_name((enum zl_op_kind)r->op.kind), r->cpu,
		zl_reason_sentence(r->reason));
}

void explain_change(struct app *app, struct explain *e)
{
	struct zl_text t;
	struct zl_record r;

	e->changed[0] = '\0';
	if (!is_fact(e->id) || !e->has_number || app->pagesets == NULL) {
		return;
	}
	struct timeline *run = pagesets_timeline(app);
	const uint64_t at = run->at;
	uint64_t op = pagesets_last_change(app, e->id);
	zl_text_init(&t, e->changed, sizeof(e->changed));
	if (op == TIMELINE_NO_OP) {
		zl_text_str(&t, "no memory to look back");
		return;
	}
	e->changed_op = op;
	if (op == 0) {
		zl_text_str(&t, "never: as at the start of the run");
		return;
	}
	if (timeline_seek(run, op) == 0) {
		zl_sim_record(run->sim, &r);
		describe(&r, &t);
	}
	if (timeline_seek(run, at) != 0) {
		app_say(app, VALUE_NONE, "Error: no memory to go back to op %U", at);
	}
}
