/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing sessions; session_read.c reads them. */
#include "session.h"

#include <errno.h>
#include <string.h>

#include "beside.h"
#include "lane_spec.h"
#include "lanes.h"
#include "pagesets.h"
#include "zonelab/json.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/text.h"

static const char *const screen_names[APP_SCREENS] = {
	"", "geometry", "reserve", "pagesets", "compare", "sweep", "learn"};

/* What was given by hand stands apart from the machine, as it does on the command line. */
static void add_machine(struct zl_json *root, const struct app *app)
{
	const struct zl_profile *p = &app->lane[0].profile;
	struct zl_profile base = *p; /* borrows what it points to */
	struct zl_json *set = zl_json_add_object(root, "set");
	char value[ZL_CMDLINE_TEXT];

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const enum zl_setting key = (enum zl_setting)i;
		if (p->settings.value[i].given && p->settings.value[i].origin >= ZL_ORIGIN_GIVEN) {
			zl_setting_format(&p->settings, key, value, sizeof(value));
			zl_json_add_string(set, zl_setting_info(key)->key, value);
			zl_settings_unset(&base.settings, key);
		}
	}
	memset(&base.policies, 0, sizeof(base.policies));
	zl_json_add(root, "machine", zl_profile_to_json(&base));
	struct zl_json *policies = zl_json_add_object(root, "policies");
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		if (p->policies.policy[i].text != NULL) {
			zl_json_add_string(policies, zl_point_info((enum zl_point)i)->name,
				p->policies.policy[i].text);
		}
	}
}

static void add_lanes(struct zl_json *root, const struct app *app)
{
	struct zl_json *lanes = zl_json_add_array(root, "lanes");
	char text[LANE_TEXT];

	for (unsigned i = 1; i < APP_LANES; i++) {
		if (app->lane[i].used) {
			lane_text(app, i, text, sizeof(text));
			zl_json_push_string(lanes, text);
		}
	}
	const char focus[] = {(char)('A' + (char)app->active), '\0'};
	zl_json_add_string(root, "focus", focus);
}

static void add_run(struct zl_json *root, const struct app *app)
{
	const struct playback *all = app->pagesets->all;
	struct zl_json *run = zl_json_add_object(root, "run");

	zl_json_add_string(run, all->source.list ? "ops" : "scenario", all->source.name);
	zl_json_add_bool(run, "short", all->source.options.short_form);
	if (all->source.options.seeded) {
		char seed[32];
		zl_format(seed, sizeof(seed), "%U", all->source.options.seed);
		zl_json_add_string(run, "seed", seed);
	}
	zl_json_add_u64(run, "op", pagesets_shown(app)->at);
	zl_json_add_int(run, "cpu", all->cpu);
	zl_json_add_int(run, "speed", (int64_t)all->speed);
	struct zl_json *marks = zl_json_add_array(run, "bookmarks");
	for (unsigned i = 0; i < all->nr_bookmarks; i++) {
		struct zl_json *o = zl_json_push_object(marks);
		zl_json_add_u64(o, "op", all->bookmark[i].op);
		zl_json_add_string(o, "note", all->bookmark[i].note);
	}
	struct zl_json *breaks = zl_json_add_array(run, "breakpoints");
	for (unsigned i = 0; i < all->nr_breaks; i++) {
		if (!all->brk[i].scenario) {
			zl_json_push_string(breaks, all->brk[i].text);
		}
	}
}

int session_text(const struct app *app, struct zl_buf *ret)
{
	struct zl_json *root = zl_json_object();
	char *text = NULL;

	zl_json_add_string(root, "kind", "session");
	zl_json_add_int(root, "version", 1);
	zl_json_add_string(root, "screen", screen_names[app->screen]);
	add_machine(root, app);
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

	if (app->pagesets != NULL) {
		stamp = stamp * 131u + app->pagesets->all->nr_bookmarks * 17u +
			app->pagesets->all->nr_breaks;
	}
	return stamp;
}
