/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing: elapsed time becomes ops and frames of animation. Nothing here knows a clock.
 */
#include "beside.h"
#include "learn.h"
#include "pagesets.h"
#include "sweeps.h"
#include "zonelab/text.h"

#define NS	    UINT64_C(1000000000)
#define FRAME_NS    (NS / 15)
#define FRAMES_MAX  12u
#define WINDOW_NEWS 64u
#define FAST_OPS    5000u /* of one frame when it goes as fast as it can */

unsigned pagesets_rate(unsigned speed)
{
	static const unsigned rates[PAGESETS_SPEEDS] = {
		1, 2, 5, 10, 30, 100, 1000, 10000, 100000, 0};

	return rates[speed < PAGESETS_SPEEDS ? speed : PAGESETS_SPEEDS - 1];
}

static bool is_slow(const struct pagesets *p)
{
	unsigned rate = pagesets_rate(p->all->speed);

	return rate > 0 && rate <= PAGESETS_SLOW;
}

void pagesets_faster(struct app *app, int direction)
{
	struct pagesets *p = app->pagesets;

	if (direction < 0 && p->all->speed > 0) {
		p->all->speed--;
	} else if (direction > 0 && p->all->speed + 1 < PAGESETS_SPEEDS) {
		p->all->speed++;
	}
	p->all->owed_ns = 0;
}

/* Frames of what the present op did on the pageset that is shown. */
static unsigned frames_of(const struct scene *s)
{
	const struct zl_record *r = &s->record;

	if (r->cpu != s->cpu) {
		return 0;
	}
	if (r->free_high) {
		unsigned n = PAGESETS_FLUSH_FRAMES * (r->bulk_calls > 1 ? 2 : 1);
		return n < FRAMES_MAX ? n : FRAMES_MAX;
	}
	return r->refills > 0 ? PAGESETS_REFILL_FRAMES : 0;
}

void pagesets_step(struct app *app, int direction)
{
	struct pagesets *p = app->pagesets;
	const struct timeline *t = pagesets_shown(app);

	if (direction < 0) {
		(void)pagesets_seek(app, t->at > 0 ? t->at - 1 : 0);
		return;
	}
	uint64_t before = t->at;
	if (pagesets_seek(app, t->at + 1) < 0) {
		p->all->playing = false;
	} else if (t->at == before) {
		app_say(app, VALUE_NONE, "This is the end of the run · , steps back");
		p->all->playing = false;
	} else if (app->motion && is_slow(p) && !beside_shown(app)) {
		p->all->frames = frames_of(&p->scene);
		p->all->frame = p->all->frames > 0 ? 1 : 0;
		p->all->owed_ns = 0;
	}
}

void pagesets_play(struct app *app, bool on)
{
	struct pagesets *p = app->pagesets;

	if (p == NULL) {
		return;
	}
	p->all->playing = on;
	p->all->owed_ns = 0;
	if (on) {
		p->all->played_from = pagesets_shown(app)->at;
		app->message.text[0] = '\0';
	}
}

static bool stopped(struct app *app)
{
	const struct playback *all = app->pagesets->all;
	char text[APP_MESSAGE];

	if (all->deaf || app->screen == SCREEN_LEARN) {
		return false;
	}
	const struct pagesets_break *b = pagesets_break_hit(app);
	const char *stop = all->no_stops ? "" : pagesets_stop_text(app);
	if (b == NULL && stop[0] == '\0') {
		return false;
	}
	if (b != NULL && b->say[0] == '\0') {
		zl_format(text, sizeof(text), "Stopped at op %U: %s", pagesets_shown(app)->at,
			b->text);
	} else {
		zl_format(text, sizeof(text), "%s", b != NULL ? b->say : stop);
	}
	pagesets_play(app, false);
	app_say(app, VALUE_LITERAL, "%s · Space goes on", text);
	return true;
}

/* Whether anything may stop it on the way. */
static bool listens(const struct app *app)
{
	const struct playback *all = app->pagesets->all;

	return !all->deaf && app->screen != SCREEN_LEARN &&
	       (all->nr_breaks > 0 || (all->notes.n > 0 && !all->no_stops));
}

static bool at_end(const struct app *app)
{
	const struct timeline *t = pagesets_timeline(app);

	if (beside_shown(app)) {
		const struct comparison *c = app->beside->c;
		return c->complete && c->at == c->known;
	}
	return t->complete && t->at == t->known;
}

/* One op further, nothing drawn. */
static int go_on(struct app *app)
{
	struct timeline *t = pagesets_timeline(app);

	if (beside_shown(app)) {
		return comparison_seek(app->beside->c, app->beside->c->at + 1);
	}
	return timeline_seek(t, t->at + 1);
}

/* Goes on by @ops, less when something stops it. */
static void play_ops(struct app *app, uint64_t ops)
{
	struct pagesets *p = app->pagesets;

	if (is_slow(p) || ops == 1) {
		pagesets_step(app, 1);
		(void)stopped(app);
		return;
	}
	if (!listens(app)) {
		p->all->playing = pagesets_seek(app, pagesets_shown(app)->at + ops) == 0;
	} else {
		for (uint64_t i = 0; i < ops; i++) {
			if (go_on(app) < 0) {
				pagesets_play(app, false);
				app_say(app, VALUE_NONE, "Error: no memory to go on");
				break;
			}
			if (stopped(app) || at_end(app)) {
				break;
			}
		}
		pagesets_refresh(app);
	}
	if (at_end(app)) {
		pagesets_play(app, false);
		app_say(app, VALUE_NONE, "This is the end of the run");
	}
}

static bool animate(struct pagesets *p)
{
	if (p->all->owed_ns < FRAME_NS) {
		return false;
	}
	p->all->owed_ns -= FRAME_NS;
	p->all->frame++;
	if (p->all->frame >= p->all->frames) {
		p->all->frames = 0;
		p->all->owed_ns = 0;
	}
	return true;
}

static bool play(struct app *app)
{
	struct pagesets *p = app->pagesets;
	unsigned rate = pagesets_rate(p->all->speed);
	uint64_t ops = rate > 0 ? p->all->owed_ns * rate / NS : FAST_OPS;

	if (ops == 0) {
		return false;
	}
	p->all->owed_ns -= rate > 0 ? ops * NS / rate : p->all->owed_ns;
	uint64_t at = pagesets_timeline(app)->at;
	if (p->all->stop_at > at && p->all->stop_at - at <= ops) {
		ops = p->all->stop_at - at;
	}
	play_ops(app, ops);
	if (p->all->stop_at > 0 && pagesets_timeline(app)->at >= p->all->stop_at) {
		p->all->playing = false;
		p->all->stop_at = 0;
	}
	return true;
}

/* A run that is still to be looked through: that of the focused lane first. */
static struct pagesets *unfinished(const struct app *app)
{
	if (!pagesets_timeline(app)->complete && !app->pagesets->blind) {
		return app->pagesets;
	}
	for (unsigned i = 0; i < APP_LANES; i++) {
		struct pagesets *p = app->run[i];
		if (p != NULL && !p->blind && !p->branch[p->active].t->complete) {
			return p;
		}
	}
	return NULL;
}

static void look_ahead(struct app *app, struct pagesets *p)
{
	struct timeline *t = p->branch[p->active].t;

	if (timeline_advance(t, TIMELINE_SLICE) < 0) {
		p->blind = true; /* until somebody goes somewhere */
		app_say(app, VALUE_NONE, "Error: no memory to look further ahead than op %U",
			t->known);
	}
	/* News of the future are drawn a few times only: a window over all of a long run takes its
	 * time. */
	p->stale = p->stale || t->complete ||
		   t->known - p->window.known > timeline_total(t) / WINDOW_NEWS;
}

bool app_tick(struct app *app, uint64_t elapsed_ns)
{
	struct pagesets *p = app->pagesets;
	bool changed = app->screen == SCREEN_SWEEP && sweeps_tick(app);

	if (p == NULL) {
		return changed;
	}
	struct pagesets *behind = unfinished(app);
	if (beside_shown(app) && !app->beside->c->complete) {
		changed = beside_look_ahead(app);
	} else if (behind != NULL) {
		look_ahead(app, behind);
		changed = (p->stale && !beside_shown(app)) || changed;
	}
	if (p->all->playing || p->all->frames > 0) {
		p->all->owed_ns += elapsed_ns < NS ? elapsed_ns : NS;
		changed = (p->all->frames > 0 ? animate(p) : play(app)) || changed;
		learn_tick(app);
	}
	if (p->stale && (app->screen == SCREEN_PAGESETS || app->screen == SCREEN_LEARN)) {
		p->stale = false;
		pagesets_refresh(app);
	}
	return changed;
}

uint64_t app_wait(const struct app *app)
{
	const struct pagesets *p = app->pagesets;

	if (app->screen == SCREEN_SWEEP && sweeps_busy(app)) {
		return 0;
	}
	if (p == NULL) {
		return UINT64_MAX;
	}
	if (unfinished(app) != NULL || (beside_shown(app) && !app->beside->c->complete)) {
		return 0;
	}
	if (p->all->frames > 0) {
		return p->all->owed_ns < FRAME_NS ? FRAME_NS - p->all->owed_ns : 0;
	}
	if (!p->all->playing) {
		return UINT64_MAX;
	}
	unsigned rate = pagesets_rate(p->all->speed);
	uint64_t due = rate > 0 ? NS / rate : 0;
	due = due > FRAME_NS ? due : FRAME_NS;
	return p->all->owed_ns < due ? due - p->all->owed_ns : 0;
}

void app_settle(struct app *app)
{
	if (app->screen == SCREEN_SWEEP) {
		sweeps_finish(app);
	}
	if (app->pagesets != NULL) {
		app->pagesets->all->frames = 0;
	}
}

void app_interrupt(struct app *app)
{
	sweeps_stop(app);
	if (app->pagesets == NULL) {
		return;
	}
	for (struct pagesets *p = unfinished(app); p != NULL; p = unfinished(app)) {
		struct timeline *t = p->branch[p->active].t;
		t->complete = true;
		app_say(app, VALUE_NONE, "Stopped looking ahead at op %U", t->known);
	}
	if (beside_shown(app) && !app->beside->c->complete) {
		app->beside->c->complete = true;
		app_say(app, VALUE_NONE, "Stopped looking ahead at op %U", app->beside->c->known);
	}
	pagesets_play(app, false);
}
