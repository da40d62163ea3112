/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a lesson: a caption, a prediction, the answer played and explained.
 */
#include "learn.h"

#include <errno.h>
#include <string.h>

#include "beside.h"
#include "lanes.h"
#include "pagesets.h"
#include "sweeps.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define PLAY_SECONDS 3u
#define TEN	     10

/* The list shows titles at every frame; the files are read once. */
static void read_titles(const struct app *app, struct learn *l)
{
	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS) && i < LEARN_SCORES; i++) {
		const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_LESSONS, i);
		struct zl_lesson lesson;

		if (zl_lesson_parse(s->text, s->size, app->alloc, &lesson, NULL) == 0) {
			zl_format(l->title[i], sizeof(l->title[i]), "%s", lesson.title);
			zl_lesson_done(&lesson);
		}
	}
}

struct learn *learn_get(struct app *app)
{
	if (app->learn == NULL) {
		app->learn = app->alloc->realloc(app->alloc->user, NULL, sizeof(*app->learn));
		if (app->learn == NULL) {
			return NULL;
		}
		memset(app->learn, 0, sizeof(*app->learn));
		read_titles(app, app->learn);
		app->learn->keep = app->hooks != NULL && app->hooks->lasting;
		learn_load_scores(app);
	}
	return app->learn;
}

void learn_free(struct app *app)
{
	struct learn *l = app->learn;

	if (l == NULL) {
		return;
	}
	app->learn = NULL;
	zl_lesson_done(&l->lesson);
	if (l->saved != NULL) {
		app_done(l->saved);
		app->alloc->free(app->alloc->user, l->saved);
	}
	app->alloc->free(app->alloc->user, l);
}

bool learn_open_now(const struct app *app)
{
	return app->learn != NULL && app->learn->phase != LEARN_CLOSED;
}

const struct zl_lesson_step *learn_step(const struct learn *l)
{
	return &l->lesson.step[l->step];
}

unsigned learn_questions(const struct learn *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->lesson.nr_steps; i++) {
		n += l->lesson.step[i].question.kind != ZL_LESSON_NOTHING ? 1 : 0;
	}
	return n;
}

/* ---- a step ---- */

static int named_value(
	const struct app *app, const struct zl_lesson_text *t, unsigned *ret, struct zl_error *err)
{
	*ret = learn_find(app, t->s);
	if (*ret != VALUE_NONE) {
		return 0;
	}
	zl_error_set(
		err, t->line, t->column, "there is no value '%s'; see `zonelab list values`", t->s);
	return -EINVAL;
}

static int check_names(
	const struct app *app, const struct zl_lesson_names *names, struct zl_error *err)
{
	unsigned id = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < names->count; i++) {
		rc = named_value(app, &names->item[i], &id, err);
	}
	return rc;
}

static int fill_question(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_question *q = &learn_step(l)->question;
	int rc = learn_fill(app, &q->ask, l->ask, sizeof(l->ask), err);

	rc = rc != 0 ? rc : named_value(app, &q->asked, &l->asked, err);
	rc = rc != 0 ? rc : check_names(app, &q->hide, err);
	for (unsigned i = 0; rc == 0 && i < q->nr_choices; i++) {
		rc = learn_fill(
			app, &q->choice[i], l->choice_text[i], sizeof(l->choice_text[i]), err);
	}
	l->choice = 0;
	l->digit = 0;
	l->typed = q->kind == ZL_LESSON_POINT ? (int64_t)l->at + 1 : 0;
	return rc;
}

/* The machine that the question is about is the one that is shown. */
static int ask_about(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	int rc = learn_step(l)->then.count > 0 ? learn_build(app, l->step, true, err) : 0;

	if (rc == 0 && learn_has_run(app)) {
		uint64_t last = 0;
		rc = learn_run_end(app, &last, err);
		rc = rc != 0 ? rc : learn_stand(app, l->at < last ? l->at : last);
	}
	if (rc == 0) {
		learn_hide(app, &learn_step(l)->question);
		sweeps_forget(app);
		beside_lanes_changed(app);
	}
	return rc;
}

/* Where the step stands in its run. */
static int go_to_place(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_place *at = &learn_step(l)->at;
	uint64_t op = 0;

	if (!learn_has_run(app)) {
		l->at = 0;
		return at->kind == ZL_LESSON_HERE ? 0 : learn_place(app, at, 0, &op, err);
	}
	uint64_t last = 0;
	int rc = learn_run_end(app, &last, err);

	if (rc != 0) {
		return rc;
	}
	l->at = l->end;
	rc = learn_stand(app, l->end);
	rc = rc != 0 ? rc : learn_place(app, at, last, &op, err);
	if (rc == 0 && op == TIMELINE_NO_OP) {
		zl_error_set(err, at->text.line, at->text.column,
			"there is no such place after op %U of %U", l->end, last);
		rc = -EINVAL;
	}
	if (rc == 0) {
		l->at = op;
		rc = learn_stand(app, op);
	}
	return rc;
}

/* What the user tried between two steps does not go on in the lesson. */
static bool was_edited(const struct app *app)
{
	return app->nr_undo > 0 || app->nr_redo > 0 ||
	       (app->pagesets != NULL && app->pagesets->active != 0);
}

static int start_step(struct app *app, unsigned step, struct zl_error *err)
{
	struct learn *l = app->learn;
	int rc = 0;

	l->phase = LEARN_PLAY;
	l->step = step;
	(void)lane_focus(app, 0, err); /* the lesson stands in lane A; others are the user's */
	l->explain[0] = l->ask[0] = l->wrong[0] = '\0';
	l->answered_it = false;
	memset(l->hidden, 0, sizeof(l->hidden));
	if (learn_builds(l, step) || was_edited(app)) {
		rc = learn_build(app, step, false, err);
		l->end = learn_step(l)->run.json[0] != '\0' || learn_step(l)->run.name[0] != '\0'
				 ? 0
				 : l->end;
	}
	const struct zl_lesson_step *s = learn_step(l);
	rc = rc != 0 ? rc : go_to_place(app, err);
	if (rc == 0) {
		learn_remember(app);
		rc = learn_fill(app, &s->caption, l->caption, sizeof(l->caption), err);
	}
	rc = rc != 0 ? rc : check_names(app, &s->show, err);
	rc = rc != 0 ? rc : check_names(app, &s->highlight, err);
	if (rc == 0 && s->question.kind != ZL_LESSON_NOTHING) {
		rc = fill_question(app, err);
		rc = rc != 0 ? rc : ask_about(app, err);
		learn_remember_inputs(app);
	}
	l->phase = LEARN_ASK;
	app->row[LEARN_PANEL_MAIN] = 0;
	if (learn_has_run(app)) {
		pagesets_refresh(app);
	}
	return rc;
}

/* ---- opening and leaving ---- */

/* The user's own state waits in @saved; the explorer starts afresh. */
static int set_aside(struct app *app)
{
	struct app *saved = app->alloc->realloc(app->alloc->user, NULL, sizeof(*saved));

	if (saved == NULL) {
		return -ENOMEM;
	}
	*saved = *app;
	(void)app_init(app);
	app->alloc = saved->alloc;
	app->hooks = saved->hooks;
	app->rows = saved->rows;
	app->cols = saved->cols;
	app->glyphs = saved->glyphs;
	app->motion = saved->motion;
	app->dirty = saved->dirty;
	app->source_depth = saved->source_depth;
	app->learn = saved->learn;
	app->learn->saved = saved;
	saved->learn = NULL;
	app->screen = SCREEN_LEARN;
	app->row[0] = 0;
	return 0;
}

static void give_back(struct app *app)
{
	struct learn *l = app->learn;
	struct app *saved = l->saved;
	const struct app now = *app;

	app->learn = NULL;
	app_done(app);
	*app = *saved;
	app->alloc->free(app->alloc->user, saved);
	l->saved = NULL;
	app->learn = l;
	app->source_depth = now.source_depth;
	app->quit = now.quit;
	app->message = now.message;
	app->overlay = OVERLAY_NONE;
	app_resize(app, now.rows, now.cols);
}

static void close_lesson(struct app *app)
{
	struct learn *l = app->learn;

	l->phase = LEARN_CLOSED;
	zl_lesson_done(&l->lesson);
	if (l->index != SIZE_MAX) {
		l->choice = (unsigned)l->index;
	}
	give_back(app);
}

void learn_leave(struct app *app)
{
	struct learn *l = app->learn;
	struct zl_error err = {0};

	if (!learn_open_now(app)) {
		return;
	}
	learn_keep_score(app, l->phase == LEARN_END);
	close_lesson(app);
	(void)app_show_screen(app, SCREEN_LEARN, &err);
	app->row[LEARN_PANEL_MAIN] = l->choice;
	app->panel = LEARN_PANEL_MAIN;
}

static uint64_t seed_for(struct app *app, uint64_t seed, const char *name)
{
	struct learn_score *s = seed == 0 ? learn_score_of(app->learn, name) : NULL;

	return s != NULL ? (uint64_t)s->attempts + 1 : seed > 0 ? seed : 1;
}

int learn_open(struct app *app, const char *name, uint64_t seed, struct zl_error *err)
{
	struct learn *l = learn_get(app);
	struct zl_lesson lesson;

	if (l == NULL) {
		zl_error_set(err, 0, 0, "no memory for a lesson");
		return -ENOMEM;
	}
	int rc = zl_lesson_open(name, app->alloc, &lesson, err);
	if (rc != 0) {
		return rc;
	}
	learn_leave(app);
	if (set_aside(app) != 0) {
		zl_lesson_done(&lesson);
		zl_error_set(err, 0, 0, "no memory for a lesson");
		return -ENOMEM;
	}
	l->lesson = lesson;
	l->index = zl_shipped_find(ZL_SHIPPED_LESSONS, name);
	l->seed = seed_for(app, seed, lesson.name);
	l->right = l->answered = 0;
	l->at = l->end = 0;
	memset(l->mark, 0, sizeof(l->mark));
	l->phase = LEARN_PLAY;
	rc = learn_numbers(app, err);
	rc = rc != 0 ? rc : start_step(app, 0, err);
	if (rc != 0) {
		zl_error_file(err, name);
		close_lesson(app);
	}
	return rc;
}

/* ---- the answer ---- */

static int right_choice(struct app *app, int64_t *ret, struct zl_error *err)
{
	const struct zl_lesson_question *q = &learn_step(app->learn)->question;
	unsigned holds = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < q->nr_choices; i++) {
		int64_t v = 0;
		rc = learn_eval(app, &q->when[i], &v, err);
		*ret = v != 0 ? (int64_t)i + 1 : *ret;
		holds += v != 0 ? 1 : 0;
	}
	if (rc == 0 && holds != 1) {
		zl_error_set(err, q->ask.line, q->ask.column,
			"%u of the choices are right with seed %U; exactly one has to be", holds,
			app->learn->seed);
		rc = -EINVAL;
	}
	return rc;
}

/* Where the answer's play ends; a point ends where it is found. */
static int play_end(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_step *s = learn_step(l);
	uint64_t last, op = 0;
	int rc;

	if (!learn_has_run(app)) {
		return s->until.kind == ZL_LESSON_HERE ? 0
						       : learn_place(app, &s->until, 0, &op, err);
	}
	rc = learn_run_end(app, &last, err);
	if (rc != 0) {
		return rc;
	}
	rc = learn_stand(app, l->at < last ? l->at : last);
	rc = rc != 0 ? rc : learn_place(app, &s->until, last, &op, err);
	if (rc != 0) {
		return rc;
	}
	if (s->until.kind == ZL_LESSON_HERE && s->question.kind == ZL_LESSON_POINT) {
		op = last;
	} else if (s->until.kind == ZL_LESSON_HERE && s->then.count == 0) {
		op = l->at < last ? l->at + 1 : last;
	}
	l->end = op != TIMELINE_NO_OP ? op : last;
	if (s->question.kind == ZL_LESSON_POINT) {
		rc = learn_place(app, &s->question.point, l->end, &op, err);
		l->answer = op != TIMELINE_NO_OP ? (int64_t)op : LEARN_NEVER;
		l->end = op != TIMELINE_NO_OP ? op : l->end;
	}
	return rc;
}

/* The first remark that fits what was answered; all are tried, so that all are checked. */
static int fill_wrong(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_question *q = &learn_step(l)->question;
	char text[LEARN_TEXT];
	int rc = 0;

	l->wrong[0] = '\0';
	for (unsigned i = 0; rc == 0 && i < q->nr_wrongs && l->answered_it; i++) {
		int64_t v = 0;
		rc = learn_eval(app, &q->wrong_when[i], &v, err);
		rc = rc != 0 ? rc : learn_fill(app, &q->wrong[i], text, sizeof(text), err);
		if (rc == 0 && v != 0 && l->wrong[0] == '\0') {
			zl_format(l->wrong, sizeof(l->wrong), "%s", text);
		}
	}
	return rc;
}

/* Runs the model up to the end of the step and asks it. */
static int work_out(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_step *s = learn_step(l);
	const struct zl_lesson_question *q = &s->question;
	int rc = s->then.count > 0 ? learn_build(app, l->step, true, err) : 0;

	rc = rc != 0 ? rc : play_end(app, err);
	if (rc == 0 && learn_has_run(app)) {
		(void)learn_stand(app, l->end);
	}
	if (rc == 0 && q->kind == ZL_LESSON_CHOICE) {
		rc = right_choice(app, &l->answer, err);
	} else if (rc == 0 && q->kind == ZL_LESSON_NUMBER) {
		rc = learn_eval(app, &q->number, &l->answer, err);
	}
	l->within = 0;
	if (rc == 0 && q->within.s[0] != '\0') {
		rc = learn_eval(app, &q->within, &l->within, err);
	}
	rc = rc != 0 ? rc : fill_wrong(app, err);
	return rc != 0 ? rc : learn_fill(app, &s->explain, l->explain, sizeof(l->explain), err);
}

static bool is_right(const struct learn *l, int64_t v)
{
	if (v == LEARN_NEVER || l->answer == LEARN_NEVER) {
		return v == l->answer;
	}
	return v >= l->answer - l->within && v <= l->answer + l->within;
}

/* A speed at which the stretch takes a few seconds. */
static void choose_speed(struct playback *p, uint64_t ops)
{
	p->speed = 0;
	while (p->speed + 1 < PAGESETS_SPEEDS && pagesets_rate(p->speed) * PLAY_SECONDS < ops) {
		p->speed++;
	}
}

static void start_play(struct app *app)
{
	struct learn *l = app->learn;

	l->phase = LEARN_TOLD;
	if (!learn_has_run(app)) {
		return;
	}
	if (!l->animate || !app->motion || l->end <= l->at) {
		pagesets_refresh(app);
		return;
	}
	l->phase = LEARN_PLAY;
	choose_speed(app->pagesets->all, l->end - l->at);
	(void)learn_stand(app, l->end - l->at > 1 ? l->at : l->end - 1);
	if (l->end - l->at > 1) {
		pagesets_play(app, true);
		app->pagesets->all->stop_at = l->end;
	} else {
		pagesets_step(app, 1);
	}
}

static void end_play(struct app *app)
{
	if (learn_has_run(app)) {
		pagesets_play(app, false);
		app->pagesets->all->stop_at = 0;
		(void)learn_stand(app, app->learn->end);
	}
	app->learn->phase = LEARN_TOLD;
}

void learn_tick(struct app *app)
{
	if (app->learn == NULL || app->learn->phase != LEARN_PLAY || app->pagesets == NULL) {
		return;
	}
	if (!app->pagesets->all->playing && app->pagesets->all->frames == 0) {
		end_play(app);
	}
}

int learn_predict(struct app *app, int64_t v, struct zl_error *err)
{
	struct learn *l = app->learn;
	const struct zl_lesson_question *q = &learn_step(l)->question;

	if (!learn_pending(app)) {
		zl_error_set(err, 0, 0, "nothing is asked here; Enter goes on");
		return -EINVAL;
	}
	if (q->kind == ZL_LESSON_CHOICE && (v < 1 || v > (int64_t)q->nr_choices)) {
		zl_error_set(err, 0, 0, "there is no choice %D; 1 to %u", v, q->nr_choices);
		return -EINVAL;
	}
	if (v == LEARN_NEVER && q->kind != ZL_LESSON_POINT) {
		zl_error_set(err, 0, 0, "a number is asked for, not a point of the run");
		return -EINVAL;
	}
	(void)app_show_screen(app, SCREEN_LEARN, err); /* what is told is told there */
	l->phase = LEARN_PLAY;
	l->given = v == LEARN_NEVER ? -1 : v;
	l->answered_it = true;
	if (q->kind == ZL_LESSON_CHOICE) {
		l->choice = (unsigned)v - 1;
	} else {
		l->typed = v;
	}
	int rc = work_out(app, err);
	if (rc != 0) {
		l->answered_it = false;
		l->phase = LEARN_ASK;
		return rc;
	}
	l->answered++;
	if (is_right(l, v)) {
		l->wrong[0] = '\0';
	}
	l->mark[l->step] = is_right(l, v) ? LEARN_RIGHT : LEARN_WRONG;
	l->right += is_right(l, v) ? 1 : 0;
	start_play(app);
	return 0;
}

/* ---- going on ---- */

static bool has_more(const struct zl_lesson_step *s)
{
	return s->explain.s[0] != '\0' || s->until.kind != ZL_LESSON_HERE || s->then.count > 0;
}

int learn_next(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;

	if (l->phase == LEARN_END) {
		learn_leave(app);
		return 0;
	}
	if (l->phase == LEARN_PLAY) {
		end_play(app);
		return 0;
	}
	if (l->phase == LEARN_ASK && has_more(learn_step(l))) {
		l->phase = LEARN_PLAY;
		int rc = work_out(app, err);
		if (rc == 0) {
			start_play(app);
		} else {
			l->phase = LEARN_ASK;
		}
		return rc;
	}
	if (l->step + 1 < l->lesson.nr_steps) {
		l->end = l->phase == LEARN_TOLD ? l->end : l->at;
		return start_step(app, l->step + 1, err);
	}
	l->phase = LEARN_END;
	return 0;
}

int learn_enter(struct app *app, struct zl_error *err)
{
	struct learn *l = app->learn;

	if (!learn_pending(app)) {
		return learn_next(app, err);
	}
	return learn_predict(app,
		learn_step(l)->question.kind == ZL_LESSON_CHOICE ? (int64_t)l->choice + 1
								 : l->typed,
		err);
}
