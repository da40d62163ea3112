/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is not told while a prediction is pending. Three rules cover every view: no op beyond the
 * present one can be stood at, so nothing of the future is drawn; a value that would tell the
 * answer shows ? for its digits; only commands that look at what is there may run.
 */
#include <string.h>

#include "learn.h"
#include "pagesets.h"
#include "zonelab/text.h"

bool learn_pending(const struct app *app)
{
	const struct learn *l = app->learn;

	return l != NULL && l->phase == LEARN_ASK &&
	       learn_step(l)->question.kind != ZL_LESSON_NOTHING;
}

uint64_t learn_limit(const struct app *app)
{
	return learn_pending(app) && !app->learn->moving ? app->learn->at : UINT64_MAX;
}

/* Whether a question is still to be answered: this one, or one of a later step. */
static bool more_asked(const struct learn *l)
{
	unsigned i = l->phase == LEARN_ASK ? l->step : l->step + 1;

	for (; i < l->lesson.nr_steps; i++) {
		if (l->lesson.step[i].question.kind != ZL_LESSON_NOTHING) {
			return true;
		}
	}
	return false;
}

uint64_t learn_sight(const struct app *app)
{
	const struct learn *l = app->learn;

	if (!learn_open_now(app) || l->phase == LEARN_END || !learn_has_run(app) ||
		!more_asked(l)) {
		return UINT64_MAX;
	}
	if (learn_pending(app)) {
		return l->at;
	}
	/* One who goes on by himself sees where he is. */
	uint64_t place = l->phase == LEARN_ASK ? l->at : l->end;
	uint64_t here = pagesets_timeline(app)->at;
	return here > place ? here : place;
}

bool learn_hides(const struct app *app, unsigned id)
{
	if (!learn_pending(app)) {
		return false;
	}
	if (id == VALUE_SETTING_BASE + ZL_SET_HUGE_PAGE_SIZE &&
		app->learn->hidden[VALUE_HUGETLB_ORDER]) {
		return true; /* the same in bytes */
	}
	if (id >= VALUE_SETTING_BASE && id < VALUE_SETTING_BASE + ZL_SETTING_COUNT) {
		/* A setting that is not given shows the value of its name. */
		for (unsigned v = 1; v < VALUE_COUNT; v++) {
			if (app->learn->hidden[v] && strcmp(value_name(v), value_name(id)) == 0) {
				return true;
			}
		}
	}
	return id > VALUE_NONE && id < VALUE_COUNT && app->learn->hidden[id];
}

const bool *learn_hidden(const struct app *app)
{
	return learn_pending(app) ? app->learn->hidden : NULL;
}

bool learn_veils(const struct app *app, enum app_screen screen)
{
	return learn_pending(app) && !learn_has_run(app) &&
	       (screen == SCREEN_RESERVE || screen == SCREEN_PAGESETS || screen == SCREEN_COMPARE);
}

bool learn_hides_others(const struct app *app)
{
	return learn_pending(app);
}

/* Whether a shown value has a hidden one among the operands of its formula. */
static bool depends(const struct app *app, const struct value_in *in, enum value_id id)
{
	struct formula_piece pieces[FORMULA_PIECES];
	size_t n = formula_fill(in, id, value_formula(in, id, FORMULA_FULL), pieces);

	for (size_t i = 0; i < n; i++) {
		if (pieces[i].operand && pieces[i].id < VALUE_COUNT &&
			app->learn->hidden[pieces[i].id]) {
			return true;
		}
	}
	return false;
}

void learn_hide(struct app *app, const struct zl_lesson_question *q)
{
	struct value_in in = app_values(app);
	struct learn *l = app->learn;
	bool more = true;

	memset(l->hidden, 0, sizeof(l->hidden));
	/* A machine would tell it of itself; a run stands before what is asked. */
	bool there = !learn_has_run(app) || learn_step(l)->then.count > 0;
	if (there && l->asked < VALUE_RUN_COUNT) {
		l->hidden[l->asked] = true;
	}
	for (unsigned i = 0; i < q->hide.count; i++) {
		unsigned id = value_find(q->hide.item[i].s);
		if (id < VALUE_COUNT) {
			l->hidden[id] = true;
		}
	}
	/* What is worked out from a hidden value would tell it. */
	while (more) {
		more = false;
		for (unsigned id = 1; id < VALUE_RUN_COUNT; id++) {
			if (!l->hidden[id] && depends(app, &in, (enum value_id)id)) {
				l->hidden[id] = true;
				more = true;
			}
		}
	}
}

bool learn_explain(const struct app *app, unsigned id, struct explain *ret)
{
	struct value_in in = app_values(app);

	in.hidden = NULL; /* so that the inputs are found; what tells is taken out below */
	if (!explain_fill(&in, id, ret)) {
		return false;
	}
	if (!learn_pending(app)) {
		return true;
	}
	ret->nr_releases = 0; /* another release may be what is asked about */
	for (size_t i = 0; i < ret->nr_inputs; i++) {
		if (learn_hides(app, ret->input[i].id)) {
			zl_format(ret->input[i].value, sizeof(ret->input[i].value), "?");
			ret->input[i].how[0] = '\0';
		}
	}
	if (learn_hides(app, id) || id == app->learn->asked) {
		zl_format(ret->value, sizeof(ret->value), "?");
		ret->formula[0] = '\0';
		ret->template = "";
		ret->has_number = false;
		ret->number = 0;
		ret->nr_feeds = 0;
	}
	return true;
}

bool learn_allows(const struct app *app, const char *command, struct zl_error *err)
{
	/* Sorted. They look, move and explain; none works out what comes next. */
	static const char *const allowed[] = {"answer", "back", "bookmark", "cancel", "clear",
		"complete", "copy", "cpu", "erase", "explain", "follow", "go", "help", "last",
		"leave", "lesson", "list", "move", "next", "panel", "plain", "prompt", "quit",
		"redraw", "screen", "screenshot", "search", "slot", "source", "speed", "stop",
		"suspend", "take", "why", "zone", "zoom"};

	if (!learn_pending(app)) {
		return true;
	}
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		if (strcmp(allowed[i], command) == 0) {
			return true;
		}
	}
	zl_error_set(err, 0, 0,
		"a prediction is pending; answer it first (6, arrows, Enter), or leave the lesson");
	return false;
}
