/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine and the run that a step stands in, and places in that run.
 */
#include <errno.h>
#include <string.h>

#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "profile_load.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

static bool is_run(const struct zl_lesson_run *run)
{
	return run->name[0] != '\0' || run->json[0] != '\0';
}

/* The run that a step stands in: its own, or that of the nearest step before with one. */
static const struct zl_lesson_run *run_at_step(const struct zl_lesson *l, unsigned step)
{
	const struct zl_lesson_run *run = &l->run;

	for (unsigned i = 0; i <= step; i++) {
		run = is_run(&l->step[i].run) ? &l->step[i].run : run;
	}
	return run;
}

bool learn_has_run(const struct app *app)
{
	const struct learn *l = app->learn;

	return app->pagesets != NULL && learn_open_now(app) &&
	       is_run(run_at_step(&l->lesson, l->step));
}

/* ---- machine ---- */

static int set_all(struct app *app, const struct zl_lesson_settings *from, struct zl_settings *to,
	struct zl_error *err)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < from->count; i++) {
		const struct zl_lesson_setting *s = &from->item[i];
		struct zl_error why = {0};
		char value[ZL_CMDLINE_TEXT];

		rc = learn_fill(app, &s->value, value, sizeof(value), err);
		if (rc == 0 && zl_settings_set(to, s->key, value, ZL_ORIGIN_GIVEN, &why) != 0) {
			zl_error_set(err, s->value.line, s->value.column, "%s", why.text);
			rc = -EINVAL;
		}
	}
	return rc;
}

/* The lesson's settings with those of all steps up to this one. */
static int settings_at(
	struct app *app, unsigned step, bool then, struct zl_settings *ret, struct zl_error *err)
{
	const struct zl_lesson *l = &app->learn->lesson;
	int rc = set_all(app, &l->machine, ret, err);

	for (unsigned i = 0; rc == 0 && i <= step; i++) {
		rc = set_all(app, &l->step[i].machine, ret, err);
		if (rc == 0 && (i < step || then)) {
			rc = set_all(app, &l->step[i].then, ret, err);
		}
	}
	return rc;
}

static int load_profile(
	struct app *app, const char *name, struct zl_profile *ret, struct zl_error *err)
{
	if (zl_shipped_find(ZL_SHIPPED_PROFILES, name) == SIZE_MAX) {
		zl_error_set(err, 0, 0,
			"profile: there is no shipped profile '%s'; see `zonelab list profiles`",
			name);
		return -EINVAL;
	}
	return profile_load(name, app->alloc, ret, err);
}

static int machine_only(struct app *app, const struct zl_settings *given, struct zl_error *err)
{
	const struct zl_lesson *l = &app->learn->lesson;
	struct zl_profile p;
	int rc = 0;

	zl_profile_init(&p);
	if (l->profile[0] != '\0') {
		rc = load_profile(app, l->profile, &p, err);
	}
	if (rc == 0) {
		zl_settings_merge(&p.settings, given);
		pagesets_free(app);
		app_use_profile(app, &p);
	}
	return rc;
}

/* ---- run ---- */

static int open_scenario(struct app *app, const struct zl_lesson_run *run, struct zl_scenario *s,
	struct zl_error *err)
{
	const struct learn *l = app->learn;
	int rc = run->json[0] != '\0'
			 ? zl_scenario_parse(run->json, strlen(run->json), app->alloc, s, err)
			 : zl_scenario_open(run->name, app->alloc, s, err);

	if (rc != 0) {
		return rc;
	}
	if (l->lesson.profile[0] != '\0') {
		zl_format(s->profile, sizeof(s->profile), "%s", l->lesson.profile);
	}
	for (uint32_t i = 0; i < s->nr_names; i++) {
		for (unsigned n = 0; n < l->lesson.nr_numbers; n++) {
			if (s->names[i].parameter &&
				strcmp(s->names[i].name, l->lesson.number[n].name) == 0) {
				s->names[i].value = l->number[n];
			}
		}
	}
	return 0;
}

static int machine_and_run(struct app *app, const struct zl_lesson_run *run,
	const struct zl_settings *given, struct zl_error *err)
{
	const struct zl_expand_options options = {0};
	struct zl_profile base;
	struct zl_scenario s;
	int rc = open_scenario(app, run, &s, err);

	if (rc != 0) {
		return rc;
	}
	zl_profile_init(&base);
	base.settings = *given;
	pagesets_free(app);
	app_use_profile(app, &base);
	rc = pagesets_open_scenario(
		app, run->name[0] != '\0' ? run->name : app->learn->lesson.name, &s, &options, err);
	if (rc == 0 && app->learn->lesson.cpu >= 0) {
		pagesets_choose_cpu(app, app->learn->lesson.cpu);
	}
	return rc;
}

int learn_build(struct app *app, unsigned step, bool then, struct zl_error *err)
{
	const struct zl_lesson_run *run = run_at_step(&app->learn->lesson, step);
	struct zl_profile empty;
	int rc;

	zl_profile_init(&empty);
	rc = settings_at(app, step, then, &empty.settings, err);
	if (rc == 0) {
		rc = is_run(run) ? machine_and_run(app, run, &empty.settings, err)
				 : machine_only(app, &empty.settings, err);
	}
	/* The lanes that were compared are gone, and where there is no run, so is its screen. */
	if (app->screen == SCREEN_COMPARE ||
		(app->screen == SCREEN_PAGESETS && app->pagesets == NULL)) {
		(void)app_show_screen(app, SCREEN_LEARN, NULL);
	}
	return rc;
}

bool learn_builds(const struct learn *l, unsigned step)
{
	const struct zl_lesson_step *s = &l->lesson.step[step];

	return step == 0 || s->machine.count > 0 || s->run.name[0] != '\0' ||
	       s->run.json[0] != '\0';
}

/* ---- places ---- */

int learn_run_end(struct app *app, uint64_t *ret, struct zl_error *err)
{
	struct timeline *t = pagesets_timeline(app);
	int rc = t->known > LEARN_OPS_MAX ? 0 : timeline_advance(t, LEARN_OPS_MAX + 1 - t->known);

	if (rc == 0 && t->known > LEARN_OPS_MAX) {
		zl_error_set(err, 0, 0,
			"the lesson's run goes on after op %u; smaller counts and loops make it "
			"shorter",
			LEARN_OPS_MAX);
		rc = -E2BIG;
	}
	*ret = t->known;
	return rc;
}

/* The first op after the present one, up to @last, after which the condition holds. */
static int find_when(struct app *app, const struct zl_lesson_text *text, uint64_t last,
	uint64_t *ret, struct zl_error *err)
{
	struct timeline *t = pagesets_timeline(app);
	struct learn_expr e;
	uint64_t at = t->at;
	int rc = learn_compile(app, text->s, &e, err);

	*ret = TIMELINE_NO_OP;
	for (uint64_t op = at + 1; rc == 0 && op <= last && *ret == TIMELINE_NO_OP; op++) {
		int64_t v = 0;
		rc = timeline_seek(t, op);
		rc = rc != 0 ? rc : learn_value(&e, &v, err);
		*ret = rc == 0 && v != 0 ? op : *ret;
	}
	learn_expr_done(&e);
	if (timeline_seek(t, at) != 0) {
		rc = -ENOMEM;
	}
	if (rc != 0) {
		err->line = text->line;
		err->column = text->column;
	}
	return rc;
}

static int find_event(struct app *app, const struct zl_lesson_text *text, uint64_t last,
	uint64_t *ret, struct zl_error *err)
{
	const uint8_t marks = pagesets_marks_find(text->s);
	const struct timeline *t = pagesets_timeline(app);

	if (marks == 0) {
		zl_error_set(err, text->line, text->column,
			"there is no event '%s'; refill, flush, drain, decay, fallback or fail",
			text->s);
		return -EINVAL;
	}
	uint64_t op = timeline_find(t, t->at, 1, marks);
	*ret = op != TIMELINE_NO_OP && op <= last ? op : TIMELINE_NO_OP;
	return 0;
}

int learn_place(struct app *app, const struct zl_lesson_place *place, uint64_t last, uint64_t *ret,
	struct zl_error *err)
{
	int64_t v = 0;
	int rc = 0;

	*ret = TIMELINE_NO_OP;
	if (!learn_has_run(app)) {
		zl_error_set(err, place->text.line, place->text.column,
			"a place without a run; give the lesson a scenario");
		return -EINVAL;
	}
	uint64_t now = pagesets_timeline(app)->at;
	switch (place->kind) {
	case ZL_LESSON_HERE:
		*ret = now;
		return 0;
	case ZL_LESSON_OP:
	case ZL_LESSON_ON:
		rc = learn_eval(app, &place->text, &v, err);
		if (rc == 0 && v >= 0) {
			uint64_t op = (uint64_t)v + (place->kind == ZL_LESSON_ON ? now : 0);
			*ret = op <= last ? op : TIMELINE_NO_OP;
		}
		break;
	case ZL_LESSON_EVENT:
		rc = find_event(app, &place->text, last, ret, err);
		break;
	case ZL_LESSON_WHEN:
		rc = find_when(app, &place->text, last, ret, err);
		break;
	}
	if (place->before && *ret != TIMELINE_NO_OP && *ret > 0) {
		--*ret;
	}
	return rc;
}

int learn_stand(struct app *app, uint64_t op)
{
	app->learn->moving = true;
	int rc = pagesets_seek(app, op);
	app->learn->moving = false;
	pagesets_refresh(app);
	return rc;
}

void learn_come_back(struct app *app)
{
	const struct learn *l = app->learn;
	struct zl_error err = {0};

	if (!learn_open_now(app) || l->phase == LEARN_PLAY) {
		return;
	}
	if (app->active != 0 && lane_focus(app, 0, &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
		return;
	}
	const uint64_t place = l->phase == LEARN_ASK ? l->at : l->end;
	if (learn_has_run(app) && pagesets_timeline(app)->at != place) {
		learn_stand(app, place);
	}
}
