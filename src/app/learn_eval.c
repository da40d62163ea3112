/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the expressions and texts of a lesson mean: values of the machine and the run, the same
 * before the answer was played, metrics of the stretch that was played, the lesson's numbers.
 */
#include <errno.h>
#include <string.h>

#include "learn.h"
#include "pagesets.h"
#include "zonelab/metrics.h"
#include "zonelab/rng.h"
#include "zonelab/text.h"

enum ref_kind { REF_VALUE, REF_WAS, REF_RUN };

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* ---- names ---- */

unsigned learn_find(const struct app *app, const char *name)
{
	char text[ZL_EXPR_NAME_MAX + 8];

	if (learn_has_run(app)) {
		zl_format(text, sizeof(text), "pcp_%s", starts(name, "pcp.") ? name + 4 : name);
		unsigned id = value_find(text);
		if (is_fact(id)) {
			return id;
		}
	}
	return value_find(name);
}

static bool is_setting(unsigned id)
{
	return id >= VALUE_SETTING_BASE && id < VALUE_SETTING_BASE + ZL_SETTING_COUNT;
}

/* A number of the lesson, or the answer that was given. */
static int find_number(const struct learn *l, const char *name, int64_t *ret)
{
	for (unsigned i = 0; i < l->lesson.nr_numbers; i++) {
		if (strcmp(l->lesson.number[i].name, name) == 0) {
			*ret = l->number[i];
			return 0;
		}
	}
	*ret = l->given;
	return l->answered_it && strcmp(name, "given") == 0 ? 0 : -ENOENT;
}

/* A metric of the stretch; max(run.pcp.count) is max(pcp.count) over it. */
static int find_metric(
	struct learn_expr *e, const char *name, const char *via, struct learn_ref *ref)
{
	struct zl_watch w = {0};
	struct zl_error err = {0};

	if (via[0] == '\0') {
		zl_format(ref->name, sizeof(ref->name), "%s", name);
	} else {
		zl_format(ref->name, sizeof(ref->name), "%s(%s)", via, name);
	}
	ref->kind = REF_RUN;
	int rc = zl_watch_compile(ref->name, e->app->alloc, &w, &err);
	zl_watch_done(&w, e->app->alloc);
	return rc;
}

static int find(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	struct learn_expr *e = user;
	struct learn_ref ref = {.kind = REF_VALUE};
	int64_t number = 0;
	int rc = 0;

	if (via[0] == '\0' && find_number(e->app->learn, name, &number) == 0) {
		*ret = (struct zl_expr_name){.constant = true, .value = number};
		return 0;
	}
	if (starts(name, "run.")) {
		rc = find_metric(e, name + 4, via, &ref);
	} else if (via[0] != '\0') {
		rc = -ENOENT;
	} else {
		ref.kind = starts(name, "was.") ? REF_WAS : REF_VALUE;
		ref.id = learn_find(e->app, ref.kind == REF_WAS ? name + 4 : name);
		rc = ref.id == VALUE_NONE || (ref.id >= VALUE_COUNT && !is_setting(ref.id))
			     ? -ENOENT
			     : 0;
	}
	if (rc != 0) {
		zl_error_set(err, 0, 0,
			"there is no '%s'; a value (`zonelab list values`), was.VALUE, "
			"run.METRIC (`zonelab list metrics`) or a number of the lesson",
			name);
		return -ENOENT;
	}
	if (e->nr_refs == LEARN_REFS) {
		zl_error_set(err, 0, 0, "too many names; at most %d", LEARN_REFS);
		return -ENOENT;
	}
	*ret = (struct zl_expr_name){.slot = e->nr_refs};
	e->ref[e->nr_refs++] = ref;
	return 0;
}

/* ---- values ---- */

/* The figures where the run stands, not where the screen does. */
struct standing {
	struct zl_pageset_view pageset;
	struct zl_zone_view zone;
	struct zl_record record;
	struct facts facts;
};

static struct value_in values_here(const struct app *app, struct standing *s)
{
	struct value_in in = app_values(app);
	const struct timeline *t = pagesets_timeline(app);

	if (!learn_has_run(app)) {
		return in;
	}
	const int64_t chosen = app->pagesets->all->cpu;
	unsigned cpu = chosen >= 0 ? (unsigned)chosen : zl_sim_cpu(t->sim);
	zl_sim_pageset(t->sim, cpu < zl_sim_cpus(t->sim) ? cpu : 0, &s->pageset);
	zl_sim_zone(t->sim, &s->zone);
	zl_sim_record(t->sim, &s->record);
	s->facts = (struct facts){.pageset = &s->pageset,
		.zone = &s->zone,
		.record = &s->record,
		.at = t->at,
		.total = timeline_total(t),
		.cpu = cpu};
	in.facts = &s->facts;
	return in;
}

static bool setting_value(const struct value_in *in, enum zl_setting key, int64_t *ret)
{
	char text[ZL_CMDLINE_TEXT];
	uint64_t v = 0;

	if (zl_setting_info(key)->type == ZL_TYPE_COUNT && setting_number(in, key, ret)) {
		return true; /* of a run that is shown, that of its zone */
	}
	zl_machine_setting(in->profile, in->machine, key, text, sizeof(text));
	if (zl_setting_info(key)->type == ZL_TYPE_BYTES ? zl_parse_size(text, 1, &v) == 0
							: zl_parse_u64(text, &v) == 0) {
		*ret = (int64_t)v;
		return true;
	}
	*ret = strcmp(text, "on") == 0 ? 1 : 0;
	return *ret != 0 || strcmp(text, "off") == 0;
}

static bool get(const struct value_in *in, unsigned id, int64_t *ret)
{
	return is_setting(id) ? setting_value(in, (enum zl_setting)(id - VALUE_SETTING_BASE), ret)
			      : value_get(in, (enum value_id)id, ret);
}

void learn_remember(struct app *app)
{
	struct standing s;
	struct value_in in = values_here(app, &s);

	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		struct learn_was *w = &app->learn->was[id];
		w->there = get(&in, id, &w->value);
	}
	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		struct learn_setting_was *w = &app->learn->setting_was[key];
		w->number.there = get(&in, VALUE_SETTING_BASE + key, &w->number.value);
		value_text(&in, VALUE_SETTING_BASE + key, w->text, sizeof(w->text));
	}
}

void learn_remember_inputs(struct app *app)
{
	struct learn *l = app->learn;
	struct standing s;
	struct value_in in = values_here(app, &s);

	in.hidden = NULL;
	l->nr_inputs = (unsigned)learn_inputs(app, l->input, ZL_LESSON_NAMES_MAX);
	for (unsigned i = 0; i < l->nr_inputs; i++) {
		value_text(&in, l->input[i], l->input_text[i], sizeof(l->input_text[i]));
	}
}

/* What a value or setting was when the step began. */
static const struct learn_was *was_of(const struct learn *l, unsigned id)
{
	return is_setting(id) ? &l->setting_was[id - VALUE_SETTING_BASE].number : &l->was[id];
}

/* A metric over the ops from where the question was asked up to the present one. */
static int metric(struct app *app, const char *name, int64_t *ret, struct zl_error *err)
{
	struct timeline *t = learn_has_run(app) ? pagesets_timeline(app) : NULL;
	struct zl_watch w;

	if (t == NULL) {
		zl_error_set(err, 0, 0, "run.%s without a run; give the lesson a scenario", name);
		return -EINVAL;
	}
	uint64_t end = t->at;
	uint64_t from = app->learn->at < end ? app->learn->at : end;
	int rc = zl_watch_compile(name, app->alloc, &w, err);
	if (rc != 0) {
		return rc;
	}
	rc = timeline_seek(t, from);
	rc = rc != 0 ? rc : zl_watch_start(&w, t->sim, err);
	for (uint64_t op = from + 1; rc == 0 && w.follows && op <= end; op++) {
		rc = timeline_seek(t, op);
		zl_watch_note(&w, t->sim);
	}
	rc = rc != 0 ? rc : timeline_seek(t, end);
	rc = rc != 0 ? rc : zl_watch_eval(&w, t->sim, ret, err);
	zl_watch_done(&w, app->alloc);
	return rc;
}

static int ref_value(
	struct app *app, const struct learn_ref *ref, int64_t *ret, struct zl_error *err)
{
	struct standing s;
	struct value_in in;

	if (ref->kind == REF_RUN) {
		return metric(app, ref->name, ret, err);
	}
	if (ref->kind == REF_WAS) {
		*ret = was_of(app->learn, ref->id)->value;
		if (was_of(app->learn, ref->id)->there) {
			return 0;
		}
	} else {
		in = values_here(app, &s);
		if (get(&in, ref->id, ret)) {
			return 0;
		}
	}
	zl_error_set(err, 0, 0, "%s has no number on this machine", value_name(ref->id));
	return -EINVAL;
}

int learn_compile(struct app *app, const char *text, struct learn_expr *ret, struct zl_error *err)
{
	const struct zl_expr_names names = {.find = find, .user = ret};

	memset(ret, 0, sizeof(*ret));
	ret->app = app;
	return zl_expr_compile(text, &names, app->alloc, &ret->code, err);
}

void learn_expr_done(struct learn_expr *e)
{
	if (e->app != NULL) {
		zl_expr_done(&e->code, e->app->alloc);
	}
}

int learn_value(struct learn_expr *e, int64_t *ret, struct zl_error *err)
{
	int64_t slots[LEARN_REFS] = {0};

	for (unsigned i = 0; i < e->nr_refs; i++) {
		int rc = ref_value(e->app, &e->ref[i], &slots[i], err);
		if (rc != 0) {
			return rc;
		}
	}
	return zl_expr_eval(&e->code, slots, ret, err);
}

/* The sentence stays, the place becomes that of the text in the file. */
static int placed(int rc, const struct zl_lesson_text *text, struct zl_error *err)
{
	if (rc != 0 && err != NULL) {
		char why[sizeof(err->text)];

		zl_format(why, sizeof(why), "%s", err->text);
		zl_error_set(err, text->line, text->column, "%s", why);
	}
	return rc;
}

int learn_eval(
	struct app *app, const struct zl_lesson_text *text, int64_t *ret, struct zl_error *err)
{
	struct learn_expr e;
	int rc = learn_compile(app, text->s, &e, err);

	rc = rc != 0 ? rc : learn_value(&e, ret, err);
	learn_expr_done(&e);
	return placed(rc, text, err);
}

/* ---- texts ---- */

static void put_number(struct zl_text *t, enum value_kind kind, int64_t v)
{
	switch (kind) {
	case VALUE_KIND_BYTES:
		zl_text_size(t, (uint64_t)v);
		break;
	case VALUE_KIND_BOOL:
		zl_text_str(t, v != 0 ? "on" : "off");
		break;
	case VALUE_KIND_YES:
		zl_text_str(t, v != 0 ? "yes" : "never");
		break;
	case VALUE_KIND_ORDER:
	case VALUE_KIND_PAGES:
	case VALUE_KIND_KIB:
	case VALUE_KIND_COUNT:
		if (v < 0) {
			zl_text_i64(t, v);
		} else {
			zl_text_grouped(t, (uint64_t)v);
		}
		break;
	}
}

static enum value_kind kind_of(unsigned id)
{
	return id > VALUE_NONE && id < VALUE_COUNT ? value_info((enum value_id)id)->kind
						   : VALUE_KIND_COUNT;
}

void learn_was_text(const struct app *app, unsigned id, char *buf, size_t size)
{
	const struct value_in in = app_values(app);
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (is_setting(id)) {
		zl_text_str(&t, app->learn->setting_was[id - VALUE_SETTING_BASE].text);
	} else if (id >= VALUE_COUNT) {
		value_text(&in, id, buf, size);
	} else if (app->learn->was[id].there) {
		put_number(&t, kind_of(id), app->learn->was[id].value);
	} else {
		zl_text_str(&t, "-");
	}
}

/* What follows the last colon: "size", or a word that is counted. NULL when there is none. */
static char *form_of(char *inside)
{
	char *form = strrchr(inside, ':');

	if (form == NULL || form[1] == '\0' || strchr(inside, '?') != NULL) {
		return NULL; /* the colon of ?: is no form */
	}
	for (const char *p = form + 1; *p != '\0'; p++) {
		char c = zl_lower(*p);
		if (c < 'a' || c > 'z') {
			return NULL;
		}
	}
	*form = '\0';
	return form + 1;
}

/* One pair of braces: a name in its own form, or an expression, which may end in a form. */
static int put_braces(struct app *app, struct zl_text *t, char *inside, struct zl_error *err)
{
	const char *form = form_of(inside);
	const bool was = starts(inside, "was.");
	unsigned id = learn_find(app, was ? inside + 4 : inside);
	enum value_kind kind = VALUE_KIND_COUNT;
	struct learn_expr e;
	char text[128];
	int64_t v = 0;

	if (form != NULL) {
		kind = strcmp(form, "size") == 0 ? VALUE_KIND_BYTES : VALUE_KIND_COUNT;
	} else if (find_number(app->learn, inside, &v) != 0 && id != VALUE_NONE) {
		kind = kind_of(id);
		if (was && is_setting(id)) {
			learn_was_text(app, id, text, sizeof(text));
			zl_text_str(t, text);
			return 0;
		}
		if (!was) {
			struct standing s;
			struct value_in in = values_here(app, &s);
			value_text(&in, id, text, sizeof(text));
			zl_text_str(t, text);
			return 0;
		}
	}
	int rc = learn_compile(app, inside, &e, err);
	rc = rc != 0 ? rc : learn_value(&e, &v, err);
	learn_expr_done(&e);
	if (rc == 0) {
		put_number(t, kind, v);
	}
	if (rc == 0 && form != NULL && kind == VALUE_KIND_COUNT) {
		zl_text_fmt(t, " %s%s", form, v == 1 ? "" : "s");
	}
	return rc;
}

int learn_fill(struct app *app, const struct zl_lesson_text *text, char *buf, size_t size,
	struct zl_error *err)
{
	const char *s = text->s;
	struct zl_text t;
	int rc = 0;

	zl_text_init(&t, buf, size);
	while (rc == 0 && *s != '\0') {
		size_t plain = strcspn(s, "{");
		size_t len;
		char inside[ZL_LESSON_TEXT_MAX];

		zl_text_strn(&t, s, plain);
		s += plain;
		if (*s == '\0') {
			break;
		}
		len = strcspn(s, "}");
		if (s[len] == '\0') {
			zl_error_set(err, 0, 0, "a { is not closed; {name} or {expression}");
			rc = -EINVAL;
			break;
		}
		zl_format(inside, sizeof(inside), "%s", s + 1);
		inside[len - 1] = '\0';
		rc = put_braces(app, &t, inside, err);
		s += len + 1;
	}
	if (rc == 0 && t.cut) {
		zl_error_set(err, 0, 0, "the text is too long when it is filled");
		rc = -E2BIG;
	}
	return placed(rc, text, err);
}

int learn_numbers(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const unsigned all = l->lesson.nr_numbers;
	struct zl_rng rng;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < all; i++) {
		const struct zl_lesson_number *n = &l->lesson.number[i];
		int64_t lo = 0, hi = 0;

		l->lesson.nr_numbers = i; /* only those before can be named */
		zl_rng_init(&rng, zl_rng_key(l->seed, i));
		rc = learn_eval(app, &n->lo, &lo, err);
		rc = rc != 0 ? rc : learn_eval(app, &n->hi, &hi, err);
		if (rc == 0 && (lo < 0 || hi < lo)) {
			zl_error_set(err, n->lo.line, n->lo.column,
				"numbers.%s: %D to %D is no range; 0 <= least <= most", n->name, lo,
				hi);
			rc = -EINVAL;
		}
		l->number[i] =
			rc == 0 ? lo + (int64_t)zl_rng_below(&rng, (uint64_t)(hi - lo) + 1) : 0;
	}
	l->lesson.nr_numbers = all;
	return rc;
}
