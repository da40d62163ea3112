/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is not told while a prediction is pending. Three rules cover every view: no op beyond the
 * present one can be stood at, so nothing of the future is drawn; a value that would tell the
 * answer shows ? for its digits; only commands that look at what is there may run.
 */
#include <string.h>

#include "learn.h"
#include "zonelab/text.h"

bool learn_pending(const struct app *app)
{
	const struct learn *l = app->learn;

	return l != NULL && l->phase == LEARN_ASK &&
	       learn_step(l)->question.kind != ZL_LESSON_NOTHING;
}

uint64_t learn_limit(const struct app *app)
{
	return learn_pending(app) ? app->learn->at : UINT64_MAX;
}

bool learn_hides(const struct app *app, unsigned id)
{
	if (!learn_pending(app)) {
		return false;
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
	bool more = q->hide.count > 0;

	memset(l->hidden, 0, sizeof(l->hidden));
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

bool learn_shows(const struct app *app, enum app_screen screen)
{
	if (!learn_pending(app)) {
		return true;
	}
	return screen == SCREEN_GEOMETRY || screen == SCREEN_PAGESETS || screen == SCREEN_LEARN ||
	       (screen == SCREEN_RESERVE && learn_has_run(app));
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
