/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All settings with value and origin; each is edited in place. Also the message row of an open
 * field.
 */

#include "draw.h"
#include "pools.h"
#include "setting_facts.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define MARK	   0x25ba
#define NAME_COL   3
#define VALUE_COL  34
#define ORIGIN	   50
#define HELP_COL   60
#define TITLE_TEXT 160

static void draw_setting(const struct app *app, struct canvas *c, int row, unsigned key)
{
	const struct zl_setting_info *info = zl_setting_info((enum zl_setting)key);
	struct value_in in = app_values(app);
	bool focus = app->row[PANEL_SETTINGS] == key;
	bool open = focus && app->mode == MODE_FIELD;
	unsigned id = VALUE_SETTING_BASE + key;

	if (focus) {
		canvas_put(c, row, 0, ROLE_FOCUS, MARK);
	}
	draw_tagged(c, at_width(row, NAME_COL, VALUE_COL - NAME_COL - 1),
		focus ? ROLE_FOCUS : ROLE_TEXT, id, info->key);
	if (open) {
		int end = canvas_value(c, at_width(row, VALUE_COL, ORIGIN - VALUE_COL - 2),
			ROLE_EDIT, (uint16_t)id, app->field);
		canvas_put(c, row, end, ROLE_EDIT, '_');
	} else {
		char text[DRAW_TEXT];
		value_text(&in, id, text, sizeof(text));
		draw_tagged(c, at_width(row, VALUE_COL, ORIGIN - VALUE_COL - 1),
			focus ? ROLE_FOCUS : ROLE_TEXT, id, text);
	}
	canvas_text(c, at_width(row, ORIGIN, HELP_COL - ORIGIN - 1), ROLE_DIM,
		setting_origin(&in.profile->settings, (enum zl_setting)key));
	draw_tagged(c, at(row, HELP_COL), ROLE_DIM, id, info->help);
}

void view_settings(const struct app *app, struct canvas *c, struct rect body)
{
	unsigned rows = (unsigned)body.rows - 1;
	unsigned focus = app->row[PANEL_SETTINGS];
	unsigned first = focus >= rows ? focus - rows + 1 : 0;
	char text[TITLE_TEXT];

	app_settings_title(app, text, sizeof(text));
	canvas_heading(c, rect(body.row, body.col, 1, body.cols), text);
	canvas_tag(c, rect(body.row, body.col, 1, body.cols), VALUE_POSITION);
	if (ZL_SETTING_COUNT > rows) {
		zl_format(text, sizeof(text), "%u-%u of %u", first + 1, first + rows,
			(unsigned)ZL_SETTING_COUNT);
		canvas_value(c, at_right(body.row, body.cols - 1, 24), ROLE_HEADING, VALUE_POSITION,
			text);
	}
	for (unsigned i = 0; i < rows && first + i < ZL_SETTING_COUNT; i++) {
		draw_setting(app, c, body.row + 1 + (int)i, first + i);
	}
}

void view_setting_help(const struct app *app, struct canvas *c, struct rect row)
{
	const unsigned key = app->row[PANEL_SETTINGS];

	draw_tagged(c, at(row.row, row.col + 1), ROLE_TEXT, VALUE_SETTING_BASE + key,
		zl_setting_info((enum zl_setting)key)->help);
}

/* ---- the message row of a field ---- */

static void page_sizes(const struct app *app, struct zl_text *t)
{
	uint64_t sizes[APP_PAGE_SIZES];
	const struct value_in in = app_values(app);
	size_t n = zl_arch_page_sizes(&in.profile->settings, sizes, APP_PAGE_SIZES);
	char arch[64];

	value_text(&in, VALUE_SETTING_BASE + ZL_SET_ARCH, arch, sizeof(arch));
	zl_text_fmt(t, "in KiB; K and M accepted; %s has ", arch);
	for (size_t i = 0; i < n; i++) {
		zl_text_fmt(t, "%s%UK", i > 0 ? ", " : "", sizes[i] >> 10);
	}
}

/* What may be typed. */
static void field_help(const struct app *app, struct zl_text *t)
{
	enum zl_setting key = (enum zl_setting)app->field_setting;

	if (app->field_setting == APP_FIELD_FREE_HIGH) {
		zl_text_str(t, "a C expression over pcp->..., batch and order; default un-gives");
		return;
	}
	const struct zl_setting_info *info = zl_setting_info(key);
	if (key == ZL_SET_PAGE_SIZE) {
		page_sizes(app, t);
		return;
	}
	switch (info->type) {
	case ZL_TYPE_COUNT:
		zl_text_fmt(t, "%s%s", info->unit, info->unit[0] != '\0' ? ", " : "");
		zl_text_fmt(
			t, info->max < INT32_MAX ? "%D to %D" : "%D or more", info->min, info->max);
		zl_text_str(t, ", or default");
		break;
	case ZL_TYPE_BOOL:
		zl_text_str(t, "on, off or default");
		break;
	case ZL_TYPE_BYTES:
		zl_text_str(t, "bytes, or with K, M, G, T; default un-gives");
		break;
	case ZL_TYPE_WORD:
		zl_text_fmt(t, "one of %s", info->words);
		break;
	case ZL_TYPE_RELEASE:
		zl_text_str(t, "X.Y, X.Y.Z, X.Y-rcN or a uname string");
		break;
	case ZL_TYPE_TEXT:
		zl_text_str(t, info->help);
		break;
	}
}

void view_field(const struct app *app, struct canvas *c, struct rect row)
{
	bool search = app->mode == MODE_SEARCH;
	enum zl_setting key = (enum zl_setting)app->field_setting;
	bool pools = pools_field_open(app);
	bool policy = app->field_setting == APP_FIELD_FREE_HIGH;
	unsigned id =
		search || pools || policy ? VALUE_LITERAL : VALUE_SETTING_BASE + (unsigned)key;
	char text[DRAW_TEXT + APP_FIELD];
	struct zl_text t;
	int col = row.col + 1;

	if (search) {
		col = canvas_text(c, at(row.row, col), ROLE_TEXT, "/");
	} else if (pools) {
		col = canvas_text(c, at(row.row, col), ROLE_TEXT,
			app->field_setting == POOLS_FIELD_ADD ? "new pool: " : "pool: ");
	} else {
		zl_format(text, sizeof(text), "%s = ", app_field_name(app));
		col = canvas_text(c, at(row.row, col), ROLE_TEXT, text);
	}
	col = canvas_value(
		c, at_width(row.row, col, row.cols / 2), ROLE_EDIT, (uint16_t)id, app->field);
	canvas_put(c, row.row, col, ROLE_EDIT, '_');
	if (search) {
		return;
	}
	zl_text_init(&t, text, sizeof(text));
	if (app->field_error.text[0] != '\0') {
		zl_text_str(&t, app->field_error.text);
	} else if (pools) {
		zl_text_str(&t, "SIZE[@BASE], as 32M or 32M@0x50000000");
	} else {
		field_help(app, &t);
	}
	canvas_value(c, at(row.row, col + 4),
		app->field_error.text[0] != '\0' ? ROLE_WARN : ROLE_TEXT, (uint16_t)id, text);
}
