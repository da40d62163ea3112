/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patch_show.h"

#include <errno.h>
#include <string.h>

#include "aside.h"
#include "lanes.h"
#include "lanes_private.h"
#include "pagesets.h"
#include "patch_report.h"
#include "review.h"
#include "run_show.h"
#include "ui.h"
#include "zonelab/text.h"

/* Ops that each scenario is looked through for a divergence. */
#define LOOK_OPS   UINT64_C(2000000)
#define LOOK_SLICE 4096u

/* What is tried, in this order, until the lanes differ. */
static const char *const scenarios[] = {
	"iperf", "bursts", "free-order3", "pressure", "kbuild", "rzg3s", "thp"};

/* Both lanes as profiles, over the machine that lane A was. */
static int make_profiles(struct app *app, const struct lane_spec spec[2], struct zl_profile ret[2],
	struct zl_error *err)
{
	const struct zl_profile *base = &app->lane[0].profile;
	int rc = lane_apply(&spec[0], base, app->alloc, &ret[0], err);

	if (rc != 0) {
		return rc;
	}
	rc = lane_apply(&spec[1], base, app->alloc, &ret[1], err);
	if (rc != 0) {
		zl_profile_done(&ret[0], app->alloc);
	}
	return rc;
}

/* The first scenario on which they differ, and the op; the first one of all and 0 if none does. */
static int find_divergence(struct app *app, const struct zl_profile profiles[2],
	const char **ret_scenario, uint64_t *ret_op, struct zl_error *err)
{
	*ret_scenario = scenarios[0];
	*ret_op = 0;
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		const struct review_what what = {scenarios[i], profiles, true, false};
		struct comparison *c = NULL;
		int rc = review_begin(app, &what, &c, err);

		while (rc == 0 && !c->complete && c->nr_first == 0 && c->known < LOOK_OPS) {
			rc = comparison_advance(c, LOOK_SLICE);
		}
		if (rc == 0 && c->nr_first > 0) {
			*ret_scenario = scenarios[i];
			*ret_op = c->first[0].op;
		}
		comparison_free(c);
		if (rc == -ENOMEM || *ret_op > 0) {
			return rc == -ENOMEM ? rc : 0;
		}
	}
	err->text[0] = '\0';
	return 0;
}

/* Lane A is before, lane B after; other lanes go. */
static int take_lanes(struct app *app, struct zl_profile profiles[2], struct zl_error *err)
{
	struct lane *after = app->alloc->realloc(app->alloc->user, NULL, sizeof(*after));
	int rc = after == NULL ? -ENOMEM : lanes_close_others(app, err);

	if (after == NULL) {
		zl_error_set(err, 0, 0, "no memory for another lane");
	}
	if (rc != 0) {
		zl_profile_done(&profiles[0], app->alloc);
		zl_profile_done(&profiles[1], app->alloc);
		app->alloc->free(app->alloc->user, after);
		return rc;
	}
	app_use_profile(app, &profiles[0]);
	memset(after, 0, sizeof(*after));
	after->used = true;
	after->profile = profiles[1];
	lane_resolve(after);
	lane_place(app, 1, after);
	zl_format(app->lane[0].title, sizeof(app->lane[0].title), "before");
	zl_format(app->lane[1].title, sizeof(app->lane[1].title), "after");
	lane_free(app, after);
	return 0;
}

/* The answer of `patch` as text over the screen. */
static void show_text(struct app *app, const struct patch_answer *a)
{
	/* as narrow as a mail: the overlay has margins */
	struct output out = {.interactive = true, .format = FORMAT_MAIL};

	patch_report(a, &out);
	ui_show_text(app, OVERLAY_TEXT, "patch", &out.text);
	output_done(&(struct output){.json = out.json});
}

/* Nothing of what is open stays, unless the lanes cannot run. */
static int replace_lanes(struct app *app, struct zl_profile profiles[2], const char *scenario,
	uint64_t op, struct zl_error *err)
{
	struct app *before = aside_begin(app, ASIDE_ALL);

	if (before == NULL) {
		zl_profile_done(&profiles[0], app->alloc);
		zl_profile_done(&profiles[1], app->alloc);
		zl_error_set(err, 0, 0, "no memory for another lane");
		return -ENOMEM;
	}
	int rc = take_lanes(app, profiles, err);
	rc = rc != 0 ? rc : scenario_show(app, scenario, err);
	if (rc == 0 && op > 0 && pagesets_seek(app, op) < 0) {
		zl_error_set(err, 0, 0, "no memory for another lane");
		rc = -ENOMEM;
	}
	rc = rc != 0 ? rc : app_show_screen(app, SCREEN_COMPARE, err);
	return aside_end(app, before, ASIDE_ALL, rc);
}

static int show_lanes(struct app *app, const struct patch_answer *a, struct zl_error *err)
{
	struct zl_profile profiles[2];
	const char *scenario;
	uint64_t op = 0;
	int rc = make_profiles(app, a->lanes, profiles, err);

	if (rc != 0) {
		return rc;
	}
	rc = find_divergence(app, profiles, &scenario, &op, err);
	if (rc != 0) {
		zl_profile_done(&profiles[0], app->alloc);
		zl_profile_done(&profiles[1], app->alloc);
		return rc;
	}
	rc = replace_lanes(app, profiles, scenario, op, err);
	if (rc == 0) {
		app_say(app, VALUE_LITERAL,
			"A before, B after: %U modelled change%s, %U place%s not modelled%s",
			(uint64_t)a->p->binding.nr_modelled,
			a->p->binding.nr_modelled == 1 ? "" : "s",
			(uint64_t)a->p->binding.nr_unbound,
			a->p->binding.nr_unbound == 1 ? "" : "s",
			op > 0 ? " · :patch FILE" : " · runs are alike");
	}
	return rc;
}

int patch_show(struct app *app, const char *const *path, size_t n, struct zl_error *err)
{
	const struct patch_want want = {.path = path, .nr_paths = n};
	struct patch_answer a;
	int rc = patch_open(&want, app_lane_const(app), app->alloc, &a, err);

	if (rc == 0 && patch_changes_lanes(a.lanes)) {
		rc = show_lanes(app, &a, err);
	} else if (rc == 0) {
		show_text(app, &a);
	}
	patch_close(&a);
	return rc;
}
