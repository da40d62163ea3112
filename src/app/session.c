/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing sessions; session_read.c reads them. */
#include "session.h"

#include <errno.h>

#include "beside.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "replay_job.h"
#include "session_private.h"
#include "zonelab/text.h"

const char *const session_screen_names[APP_SCREENS] = {
	"", "geometry", "reserve", "pagesets", "compare", "sweep", "learn"};

static void add_letter(struct zl_json *o, const char *member, unsigned lane)
{
	const char letter[] = {(char)('A' + (char)lane), '\0'};

	zl_json_add_string(o, member, letter);
}

static void add_lanes(struct zl_json *root, const struct app *app)
{
	struct zl_json *lanes = zl_json_add_array(root, "lanes");
	char *first = session_machine_text(&app->lane[0]);

	for (unsigned i = 0; i < APP_LANES; i++) {
		if (app->lane[i].used) {
			struct zl_json *o = zl_json_push_object(lanes);

			add_letter(o, "lane", i);
			session_lane_write(o, &app->lane[i], i > 0 ? first : NULL);
			session_run_write(o, app, i);
		}
	}
	if (app->baseline != NULL) {
		session_lane_write(zl_json_add_object(root, "baseline"), app->baseline, first);
	}
	zl_json_text_free(first);
	add_letter(root, "focus", app->active);
}

static void add_parameters(struct zl_json *run, const struct zl_scenario *s)
{
	struct zl_json *o = zl_json_add_object(run, "parameters");

	for (uint32_t i = 0; i < s->nr_names; i++) {
		if (s->names[i].parameter) {
			struct zl_json *both = zl_json_add_array(o, s->names[i].name);

			zl_json_push_int(both, s->names[i].value);
			zl_json_push_int(both, s->names[i].short_value);
		}
	}
}

/* Where the ops come from. */
static void add_source(struct zl_json *run, const struct app *app)
{
	const struct playback *all = app->pagesets->all;
	const struct run_source *s = &all->source;
	char seed[32];

	if (app->replay != NULL) {
		zl_json_add_string(run, "trace", app->replay->path);
	} else if (all->zones.path[0] != '\0') {
		zl_json_add_string(run, "zones", all->zones.path);
		zl_json_add_bool(run, "list", all->zones.list);
		zl_json_add_int(run, "shown", all->zones.zone);
	} else if (s->list) {
		zl_json_add_string(run, "ops", s->name);
	} else {
		zl_json_add_string(run, "scenario", s->name);
		zl_json_add_bool(run, "short", s->options.short_form);
		add_parameters(run, &s->scenario);
	}
	if (s->options.seeded) {
		zl_format(seed, sizeof(seed), "%U", s->options.seed);
		zl_json_add_string(run, "seed", seed);
	}
	if (all->zone_chosen) {
		struct zl_json *zone = zl_json_add_object(run, "zone");

		zl_json_add_int(zone, "node", s->scenario.zone.node);
		zl_json_add_string(zone, "name", s->scenario.zone.name);
	}
	add_letter(run, "opened_in", all->opened_in);
}

static void add_marks(struct zl_json *run, const struct playback *all)
{
	struct zl_json *marks = zl_json_add_array(run, "bookmarks");
	struct zl_json *breaks = zl_json_add_array(run, "breakpoints");

	for (unsigned i = 0; i < all->nr_bookmarks; i++) {
		struct zl_json *o = zl_json_push_object(marks);

		zl_json_add_u64(o, "op", all->bookmark[i].op);
		zl_json_add_string(o, "note", all->bookmark[i].note);
	}
	for (unsigned i = 0; i < all->nr_breaks; i++) {
		if (!all->brk[i].scenario) {
			zl_json_push_string(breaks, all->brk[i].text);
		}
	}
	zl_json_add_bool(run, "own_stops", !all->no_stops);
}

static void add_run(struct zl_json *root, const struct app *app)
{
	const struct playback *all = app->pagesets->all;
	struct zl_json *run = zl_json_add_object(root, "run");
	char digest[DIGEST_TEXT];

	add_source(run, app);
	zl_json_add_u64(run, "op", pagesets_shown(app)->at);
	if (pagesets_shown(app)->at == pagesets_timeline(app)->at) {
		zl_format(digest, sizeof(digest), "%x", zl_sim_digest(pagesets_timeline(app)->sim));
		zl_json_add_string(run, "digest", digest);
	}
	zl_json_add_int(run, "cpu", all->cpu);
	zl_json_add_int(run, "speed", (int64_t)all->speed);
	if (all->slot_chosen) {
		zl_json_add_int(run, "slot", (int64_t)all->slot);
	}
	add_marks(run, all);
}

int session_text(const struct app *app, struct zl_buf *ret)
{
	struct zl_json *root = zl_json_object();
	char *text = NULL;

	/* In a lesson the user's own state waits. */
	if (app->learn != NULL && app->learn->saved != NULL) {
		app = app->learn->saved;
	}
	zl_json_add_string(root, "kind", "session");
	zl_json_add_int(root, "version", SESSION_VERSION);
	zl_json_add_string(root, "screen", session_screen_names[app->screen]);
	zl_json_add_string(root, "opened_with", app->named_profile);
	add_lanes(root, app);
	if (app->pagesets != NULL) {
		add_run(root, app);
	}
	int rc = zl_json_print(root, true, &text);
	zl_json_free(root);
	if (rc < 0) {
		return -ENOMEM;
	}
	zl_buf_str(ret, text);
	zl_buf_chr(ret, '\n');
	zl_json_text_free(text);
	return ret->failed ? -ENOMEM : 0;
}

uint64_t session_stamp(const struct app *app)
{
	uint64_t stamp = app->nr_undo * 31u + app->nr_redo * 7u + lanes_used(app);

	for (unsigned i = 0; i < APP_LANES; i++) {
		const struct pagesets *p = app->run[i];

		stamp = stamp * 131u +
			(p != NULL ? p->nr_branches * 17u + p->active + p->by_hand_ops * 3u : 0);
	}
	if (app->pagesets != NULL) {
		stamp = stamp * 131u + app->pagesets->all->nr_bookmarks * 17u +
			app->pagesets->all->nr_breaks;
	}
	return stamp;
}
