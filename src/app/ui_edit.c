/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Editing in place: the field with its preview, steps, completion of words.
 */
#include <string.h>

#include "beside.h"
#include "command.h"
#include "facts.h"
#include "lanes.h"
#include "pagesets.h"
#include "pools.h"
#include "ui.h"
#include "zonelab/matrix.h"
#include "zonelab/text.h"

#define ASSIGNMENT (APP_FIELD + ZL_SETTING_TEXT)

static enum zl_setting field_key(const struct app *app)
{
	return (enum zl_setting)app->field_setting;
}

const char *app_field_name(const struct app *app)
{
	return app->field_setting == APP_FIELD_FREE_HIGH ? "free_high"
							 : zl_setting_info(field_key(app))->key;
}

/* "key=field" as app_set() takes it. */
static void assignment(const struct app *app, const char *value, char buf[ASSIGNMENT])
{
	zl_format(buf, ASSIGNMENT, "%s%s=%s",
		app->field_setting == APP_FIELD_FREE_HIGH ? "policy." : "", app_field_name(app),
		value);
}

static void refresh_preview(struct app *app)
{
	char buf[ASSIGNMENT];

	app->field_error.text[0] = '\0';
	if (pools_field_open(app)) {
		pools_field_typed(app);
		return;
	}
	if (app->mode != MODE_FIELD) {
		return;
	}
	assignment(app, app->field, buf);
	(void)app_preview(app, app->field[0] != '\0' ? buf : NULL, &app->field_error);
}

/* One edit, which says what it did. */
static bool edit(struct app *app, const char *assignment)
{
	struct zl_error err = {0};
	int rc = lanes_edit(app, &assignment, 1, &err);

	if (rc < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
	return rc == 0;
}

static void take_fix(struct app *app)
{
	const struct zl_diags *diags = &app_lane_const(app)->diags;
	size_t row = app->row[PANEL_DIAGS];
	char buf[ASSIGNMENT];

	if (row >= diags->count || diags->item[row].fix.key == ZL_SETTING_COUNT) {
		app_say(app, VALUE_NONE, "This one has no fix that a setting can make");
		return;
	}
	const struct zl_fix *fix = &diags->item[row].fix;
	zl_format(buf, sizeof(buf), "%s=%s", zl_setting_info(fix->key)->key, fix->value);
	if (!edit(app, buf)) {
		return;
	}
	if (app_panel_rows(app, PANEL_DIAGS) == 0) {
		app->panel = PANEL_INPUTS;
	}
}

/* Takes the focused row of a table as the setting it varies. */
static void take_row(struct app *app)
{
	uint64_t sizes[APP_PAGE_SIZES];
	char buf[ASSIGNMENT];
	unsigned first = 0;

	if (app->panel == PANEL_PAGE_SIZES) {
		size_t n = app_geometry_page_sizes(app, sizes, APP_PAGE_SIZES);
		if (app->row[PANEL_PAGE_SIZES] >= n) {
			return;
		}
		zl_format(buf, sizeof(buf), "page_size=%UK",
			sizes[app->row[PANEL_PAGE_SIZES]] / 1024);
	} else {
		unsigned n = app_block_orders(app, &first);
		if (app->row[PANEL_BLOCK_ORDERS] >= n) {
			return;
		}
		zl_format(buf, sizeof(buf), "page_block_order=%u",
			first + app->row[PANEL_BLOCK_ORDERS]);
	}
	(void)edit(app, buf);
}

/* A way out of an unreachable threshold opens as a lane; everything else explains itself. */
static void pagesets_enter(struct app *app)
{
	struct zl_error err = {0};

	if (app->panel != PAGESETS_SLOT || app->pagesets->all->slot != SLOT_WAYS) {
		ui_why(app);
	} else if (pagesets_take_way(app, app->row[PAGESETS_SLOT], &err) < 0) {
		app_say(app, VALUE_LITERAL, "Error: %s", err.text);
	}
}

void ui_edit(struct app *app)
{
	enum zl_setting key = app_focused_setting(app);

	if (key != ZL_SETTING_COUNT || pagesets_on_policy(app)) {
		app->mode = MODE_FIELD;
		app->field_setting = key != ZL_SETTING_COUNT ? key : APP_FIELD_FREE_HIGH;
		app->field[0] = '\0';
		app->field_error.text[0] = '\0';
		app->message.text[0] = '\0';
	} else if (app->screen == SCREEN_RESERVE) {
		pools_enter(app);
	} else if (app->screen == SCREEN_COMPARE && !beside_shown(app)) {
		beside_enter(app);
	} else if (app->screen == SCREEN_COMPARE) {
		ui_why(app);
	} else if (app->screen == SCREEN_PAGESETS) {
		pagesets_enter(app);
	} else if (app->panel == PANEL_DIAGS) {
		take_fix(app);
	} else if (app->panel == PANEL_PAGE_SIZES || app->panel == PANEL_BLOCK_ORDERS) {
		take_row(app);
	} else {
		ui_why(app);
	}
}

static void take_search(struct app *app)
{
	zl_format(app->search, sizeof(app->search), "%s", app->field);
	app->mode = MODE_NORMAL;
	app->field[0] = '\0';
	if (app->search[0] != '\0') {
		ui_next(app, 1);
	}
}

void ui_take(struct app *app)
{
	char buf[ASSIGNMENT];

	if (app->mode == MODE_SEARCH) {
		take_search(app);
		return;
	}
	if (app->field[0] == '\0') {
		ui_cancel(app);
		return;
	}
	if (pools_field_open(app)) {
		(void)pools_take_field(app);
		return;
	}
	assignment(app, app->field, buf);
	const char *taken = buf;
	if (lanes_edit(app, &taken, 1, &app->field_error) < 0) {
		return; /* the field stays open and shows why */
	}
	app->mode = MODE_NORMAL;
	app->field[0] = '\0';
	(void)app_preview(app, NULL, NULL);
}

void ui_clear(struct app *app)
{
	app->field[0] = '\0';
	refresh_preview(app);
}

void ui_erase(struct app *app)
{
	size_t n = strlen(app->field);

	/* One code point, not one byte. */
	while (n > 0 && ((unsigned char)app->field[n - 1] & 0xc0u) == 0x80u) {
		n--;
	}
	if (n > 0) {
		n--;
	}
	app->field[n] = '\0';
	refresh_preview(app);
}

void ui_type(struct app *app, const char *utf8)
{
	size_t n = strlen(app->field);
	size_t add = strlen(utf8);

	if (n + add < sizeof(app->field)) {
		memcpy(app->field + n, utf8, add + 1);
		refresh_preview(app);
	}
}

/* --- next values --- */

static int64_t clamp_to(const struct zl_setting_info *info, int64_t v)
{
	if (v < info->min) {
		return info->min;
	}
	return v > info->max ? info->max : v;
}

/* The next release of the table above or below the one in force. */
static const char *next_release(const struct zl_machine *m, int direction)
{
	const char *best = NULL;

	for (size_t i = 0; i < zl_breakpoint_count(); i++) {
		struct zl_release r;
		(void)zl_release_parse(zl_breakpoint(i), &r);
		int c = zl_release_compare(&r, &m->release);
		if (direction > 0 && c > 0) {
			return zl_breakpoint(i);
		}
		if (direction < 0 && c < 0) {
			best = zl_breakpoint(i);
		}
	}
	return best;
}

static int64_t stepped_number(enum zl_setting key, int64_t v, int direction)
{
	const struct zl_setting_info *info = zl_setting_info(key);
	const int64_t factor_step = 10;

	if (info->type == ZL_TYPE_BYTES) {
		v = direction > 0 ? v * 2 : v / 2;
	} else if (key == ZL_SET_MIN_FREE_KBYTES) {
		v += direction * 1024;
	} else if (key == ZL_SET_WATERMARK_SCALE_FACTOR) {
		v = direction > 0 ? v - v % factor_step + factor_step : v - factor_step;
	} else if (key == ZL_SET_HIGH_FRACTION) {
		const int64_t least = 8;
		v = direction > 0 ? (v < least ? least : v + 1) : (v > least ? v - 1 : 0);
	} else {
		v += direction;
	}
	return clamp_to(info, v);
}

/* Writes the next value of @key as it would be typed. False when there is none. */
static bool next_value(
	const struct app *app, enum zl_setting key, int direction, char *buf, size_t size)
{
	const struct value_in in = app_values(app);
	const struct zl_machine *m = in.machine;
	const struct zl_setting_info *info = zl_setting_info(key);
	char word[ZL_SETTING_TEXT];
	int64_t v = 0;

	if (key == ZL_SET_PAGE_SIZE || key == ZL_SET_MAX_PAGE_ORDER ||
		key == ZL_SET_PAGE_BLOCK_ORDER) {
		if (zl_geometry_step(&in.profile->settings, &m->release, key, direction, &v) < 0) {
			return false;
		}
		zl_format(buf, size, key == ZL_SET_PAGE_SIZE ? "%DK" : "%D",
			key == ZL_SET_PAGE_SIZE ? v / 1024 : v);
		return true;
	}
	switch (info->type) {
	case ZL_TYPE_RELEASE: {
		const char *r = next_release(m, direction);
		zl_format(buf, size, "%s", r != NULL ? r : "");
		return r != NULL;
	}
	case ZL_TYPE_BOOL:
		zl_machine_setting(in.profile, m, key, word, sizeof(word));
		zl_format(buf, size, "%s", strcmp(word, "on") == 0 ? "off" : "on");
		return true;
	case ZL_TYPE_WORD: {
		zl_machine_setting(in.profile, m, key, word, sizeof(word));
		int at = zl_setting_word_index(key, word) + direction;
		const char *w = at >= 0 ? zl_setting_word(key, (unsigned)at, word) : NULL;
		zl_format(buf, size, "%s", w != NULL ? w : "");
		return w != NULL;
	}
	case ZL_TYPE_COUNT:
	case ZL_TYPE_BYTES:
		(void)setting_number(&in, key, &v);
		zl_format(buf, size, "%D", stepped_number(key, v, direction));
		return stepped_number(key, v, direction) != v;
	case ZL_TYPE_TEXT:
		return false;
	}
	return false;
}

void ui_step(struct app *app, int direction)
{
	enum zl_setting key = app_focused_setting(app);
	char value[ZL_SETTING_TEXT];
	char buf[ASSIGNMENT];

	if (key == ZL_SETTING_COUNT &&
		(app->screen == SCREEN_PAGESETS || app->screen == SCREEN_COMPARE)) {
		pagesets_zoom(app, -direction);
		return;
	}
	if (key == ZL_SETTING_COUNT) {
		app_say(app, VALUE_NONE, "Only settings can be changed · Tab goes to them");
		return;
	}
	if (!next_value(app, key, direction, value, sizeof(value))) {
		app_say(app, VALUE_LITERAL, "%s has no %s value here · Enter to type one",
			zl_setting_info(key)->key, direction > 0 ? "higher" : "lower");
		return;
	}
	zl_format(buf, sizeof(buf), "%s=%s", zl_setting_info(key)->key, value);
	(void)edit(app, buf);
}

void ui_default(struct app *app)
{
	enum zl_setting key = app_focused_setting(app);
	char buf[ASSIGNMENT];

	if (key != ZL_SETTING_COUNT) {
		zl_format(buf, sizeof(buf), "%s=default", zl_setting_info(key)->key);
		(void)edit(app, buf);
	}
}

/* Words that may complete the field: the setting's own, or its next value. */
static bool completed_word(const struct app *app, char *buf, size_t size)
{
	enum zl_setting key = field_key(app);
	size_t n = strlen(app->field);
	char word[ZL_SETTING_TEXT];

	if (zl_setting_info(key)->type != ZL_TYPE_WORD) {
		return next_value(app, key, 1, buf, size) || next_value(app, key, -1, buf, size);
	}
	int exact = zl_setting_word_index(key, app->field);
	for (unsigned i = exact >= 0 ? (unsigned)exact + 1 : 0;
		zl_setting_word(key, i, word) != NULL; i++) {
		if (exact >= 0 || strncmp(word, app->field, n) == 0) {
			zl_format(buf, size, "%s", word);
			return true;
		}
	}
	return exact >= 0 && zl_setting_word(key, 0, buf) != NULL;
}

/* The name that the expression ends with, as the prompt would complete it. */
static void complete_expression(struct app *app)
{
	static const char start[] = "policy free_high = ";
	char line[sizeof(start) + APP_FIELD];
	struct completions found;
	struct zl_text t;

	zl_format(line, sizeof(line), "%s%s", start, app->field);
	command_complete(app, line, strlen(line), &found);
	if (found.count == 0 || found.start < sizeof(start) - 1) {
		return;
	}
	zl_text_init(&t, app->field, sizeof(app->field));
	zl_text_strn(&t, line + sizeof(start) - 1, found.start - (sizeof(start) - 1));
	zl_text_str(&t, found.item[0].word);
	refresh_preview(app);
}

void ui_complete(struct app *app)
{
	char word[ZL_SETTING_TEXT];

	if (app->mode == MODE_FIELD && app->field_setting == APP_FIELD_FREE_HIGH) {
		complete_expression(app);
		return;
	}

	if (app->mode == MODE_FIELD && !pools_field_open(app) &&
		completed_word(app, word, sizeof(word))) {
		zl_format(app->field, sizeof(app->field), "%s", word);
		refresh_preview(app);
	}
}
