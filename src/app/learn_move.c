/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrows on the Learn screen: lessons, choices, digits, points of the run; and the focus.
 */
#include <string.h>

#include "glossary.h"
#include "learn.h"
#include "pagesets.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define TEN  10
#define NEAR 10
#define FAR  100

static bool is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* Up to two steps of a list. */
static bool move_row(const char *direction, size_t count, unsigned *row)
{
	size_t last = count > 0 ? count - 1 : 0;
	const size_t page = 10;

	if (is(direction, "up") || is(direction, "left")) {
		*row -= *row > 0 ? 1 : 0;
	} else if (is(direction, "down") || is(direction, "right")) {
		*row += *row < last ? 1 : 0;
	} else if (is(direction, "first")) {
		*row = 0;
	} else if (is(direction, "last")) {
		*row = (unsigned)last;
	} else if (is(direction, "page-up")) {
		*row -= *row > page ? (unsigned)page : *row;
	} else if (is(direction, "page-down")) {
		*row = (unsigned)(*row + page < last ? *row + page : last);
	} else {
		return false;
	}
	return true;
}

static int64_t power(unsigned digit)
{
	int64_t p = 1;

	while (digit-- > 0) {
		p *= TEN;
	}
	return p;
}

/* Left and right choose a digit, up and down change it. */
static bool move_number(struct learn *l, const char *direction)
{
	const unsigned digits = learn_step(l)->question.digits;
	const int64_t p = power(l->digit);
	const int64_t now = l->typed / p % TEN;

	if (is(direction, "left")) {
		l->digit += l->digit + 1 < digits ? 1 : 0;
	} else if (is(direction, "right")) {
		l->digit -= l->digit > 0 ? 1 : 0;
	} else if (is(direction, "first")) {
		l->digit = digits - 1;
	} else if (is(direction, "last")) {
		l->digit = 0;
	} else if (is(direction, "up")) {
		l->typed += now < TEN - 1 ? p : -now * p;
	} else if (is(direction, "down")) {
		l->typed += now > 0 ? -p : (TEN - 1) * p;
	} else {
		return is(direction, "page-up") || is(direction, "page-down");
	}
	return true;
}

/* A point after the present op; past the end of the run lies "never". */
static bool move_point(struct app *app, const char *direction)
{
	static const struct {
		const char *direction;
		int64_t ops;
	} steps[] = {
		{"left",	 -1   },
		{"right",	  1	   },
		{"up",	       -NEAR},
		{"down",	 NEAR },
		{"page-up",   -FAR },
		{"page-down", FAR	 },
	};
	struct learn *l = app->learn;
	const int64_t first = (int64_t)l->at + 1;
	const int64_t last = (int64_t)timeline_total(pagesets_timeline(app));

	if (is(direction, "first")) {
		l->typed = first;
		return true;
	}
	if (is(direction, "last")) {
		l->typed = LEARN_NEVER;
		return true;
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!is(direction, steps[i].direction)) {
			continue;
		}
		if (l->typed == LEARN_NEVER) {
			l->typed = steps[i].ops < 0 ? last : LEARN_NEVER;
		} else {
			int64_t to = l->typed + steps[i].ops;
			l->typed = to < first ? first : to > last ? LEARN_NEVER : to;
		}
		return true;
	}
	return false;
}

size_t learn_shown(const struct app *app, unsigned *ret, size_t max)
{
	const struct learn *l = app->learn;
	const struct zl_lesson_names *show = &learn_step(l)->show;
	size_t n = 0;

	if (learn_has_run(app)) {
		for (size_t i = 0; i < PAGESETS_GAUGE_ROWS && n < max; i++) {
			ret[n++] = pagesets_gauge_ids[i];
		}
		return n;
	}
	show = show->count > 0 ? show : &l->lesson.show;
	for (unsigned i = 0; i < show->count && n < max; i++) {
		ret[n++] = learn_find(app, show->item[i].s);
	}
	return n;
}

size_t learn_inputs(const struct app *app, unsigned *ret, size_t max)
{
	const struct zl_lesson_step *s = learn_step(app->learn);
	struct explain e;
	size_t n = 0;

	for (unsigned i = 0; i < s->show.count && n < max; i++) {
		ret[n++] = learn_find(app, s->show.item[i].s);
	}
	if (n == 0 && s->question.kind != ZL_LESSON_NOTHING &&
		learn_explain(app, app->learn->asked, &e)) {
		for (size_t i = 0; i < e.nr_inputs && n < max; i++) {
			ret[n++] = e.input[i].id;
		}
	}
	return n;
}

size_t learn_panel_rows(const struct app *app, unsigned panel)
{
	const struct learn *l = app->learn;
	unsigned ids[ZL_LESSON_NAMES_MAX];

	if (l == NULL || l->phase == LEARN_CLOSED) {
		return panel == LEARN_PANEL_MAIN     ? zl_shipped_count(ZL_SHIPPED_LESSONS)
		       : panel == LEARN_PANEL_VALUES ? glossary_count()
						     : 0;
	}
	if (panel == LEARN_PANEL_VALUES) {
		return learn_shown(app, ids, ZL_LESSON_NAMES_MAX);
	}
	return panel == LEARN_PANEL_MAIN ? 1 : 0;
}

bool learn_move(struct app *app, const char *direction)
{
	struct learn *l = learn_get(app);

	if (l == NULL) {
		return true;
	}
	if (app->panel == LEARN_PANEL_VALUES || l->phase == LEARN_CLOSED) {
		return move_row(
			direction, learn_panel_rows(app, app->panel), &app->row[app->panel]);
	}
	if (!learn_pending(app)) {
		unsigned none = 0;
		return move_row(direction, 1, &none);
	}
	switch (learn_step(l)->question.kind) {
	case ZL_LESSON_CHOICE:
		return move_row(direction, learn_step(l)->question.nr_choices, &l->choice);
	case ZL_LESSON_NUMBER:
		return move_number(l, direction);
	case ZL_LESSON_POINT:
		return move_point(app, direction);
	case ZL_LESSON_NOTHING:
		break;
	}
	return true;
}

unsigned learn_focused_id(const struct app *app)
{
	const struct learn *l = app->learn;
	unsigned ids[ZL_LESSON_NAMES_MAX];

	if (l == NULL || l->phase == LEARN_CLOSED) {
		return app->panel == LEARN_PANEL_VALUES ? glossary_at(app->row[LEARN_PANEL_VALUES])
							: VALUE_NONE;
	}
	if (app->panel == LEARN_PANEL_VALUES) {
		size_t n = learn_shown(app, ids, ZL_LESSON_NAMES_MAX);
		return app->row[app->panel] < n ? ids[app->row[app->panel]] : VALUE_NONE;
	}
	if (learn_step(l)->question.kind != ZL_LESSON_NOTHING) {
		return l->asked;
	}
	return learn_step(l)->highlight.count > 0
		       ? learn_find(app, learn_step(l)->highlight.item[0].s)
		       : VALUE_NONE;
}

bool learn_highlights(const struct app *app, unsigned id)
{
	if (!learn_open_now(app) || id == VALUE_NONE) {
		return false;
	}
	const struct zl_lesson_names *h = &learn_step(app->learn)->highlight;
	for (unsigned i = 0; i < h->count; i++) {
		if (learn_find(app, h->item[i].s) == id) {
			return true;
		}
	}
	return false;
}

void learn_answer_text(const struct learn *l, int64_t v, char *buf, size_t size)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;

	if (v == LEARN_NEVER) {
		zl_format(buf, size, "never");
	} else if (q->kind == ZL_LESSON_POINT) {
		zl_format(buf, size, "op %N", (uint64_t)v);
	} else if (q->kind == ZL_LESSON_NUMBER) {
		char unit[sizeof(q->unit)];
		size_t n = strlen(q->unit);

		zl_format(unit, sizeof(unit), "%s", q->unit);
		if (v == 1 && n > 0 && unit[n - 1] == 's') {
			/* "refreshes" is one refresh, "times" one time */
			unit[n > 3 && strcmp(unit + n - 4, "shes") == 0 ? n - 2 : n - 1] = '\0';
		}
		zl_format(buf, size, "%N%s%s", (uint64_t)v, unit[0] != '\0' ? " " : "", unit);
	} else if (v >= 1 && v <= (int64_t)q->nr_choices) {
		zl_format(buf, size, "%s", l->choice_text[v - 1]);
	} else {
		zl_format(buf, size, "-");
	}
}

void learn_verdict_text(const struct learn *l, char *buf, size_t size)
{
	const struct zl_lesson_question *q = &learn_step(l)->question;
	char given[160], right[160];

	learn_answer_text(l, q->kind == ZL_LESSON_CHOICE ? (int64_t)l->choice + 1 : l->typed, given,
		sizeof(given));
	learn_answer_text(l, l->answer, right, sizeof(right));
	if (l->mark[l->step] == LEARN_UNASKED) {
		zl_format(buf, size, "");
	} else if (l->mark[l->step] == LEARN_RIGHT && strcmp(given, right) != 0) {
		zl_format(buf, size, "ok: %s, close enough to %s", given, right);
	} else if (l->mark[l->step] == LEARN_RIGHT) {
		zl_format(buf, size, "ok: %s", right);
	} else if (q->kind == ZL_LESSON_CHOICE) {
		zl_format(buf, size, "no: it is \"%s\", not \"%s\"", right, given);
	} else {
		zl_format(buf, size, "no: it is %s, not %s", right, given);
	}
}

/* ---- glossary ---- */

bool learn_search(struct app *app, int direction)
{
	const size_t n = glossary_count();
	size_t row = app->row[LEARN_PANEL_VALUES];

	for (size_t i = 0; i < n; i++) {
		row = direction > 0 ? (row + 1) % n : (row + n - 1) % n;
		if (glossary_matches(glossary_at(row), app->search)) {
			app->panel = LEARN_PANEL_VALUES;
			app->row[LEARN_PANEL_VALUES] = (unsigned)row;
			return true;
		}
	}
	return false;
}
