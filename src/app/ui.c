/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moving, overlays, why. Editing in place is ui_edit.c's.
 */
#include "ui.h"

#include <string.h>

#include "beside.h"
#include "explain.h"
#include "explain_point.h"
#include "facts.h"
#include "glossary.h"
#include "keymap.h"
#include "learn.h"
#include "pagesets.h"
#include "pools.h"
#include "sweeps.h"
#include "zonelab/text.h"

#define HEADING	   "── "
#define PAGE_ROWS  10
#define FRAME_ROWS 4 /* title, heading, message, keys */

size_t ui_text_lines(const struct app *app)
{
	const char *s = zl_buf_text(&app->text);
	size_t n = 0;

	for (const char *p = strchr(s, '\n'); p != NULL; p = strchr(p + 1, '\n')) {
		n++;
	}
	return n + (s[0] != '\0' && s[strlen(s) - 1] != '\n');
}

/* A position moved by a named step within [0, count). */
static bool moved(const char *direction, size_t page, size_t count, size_t *at)
{
	static const char *const names[] = {
		"up", "down", "left", "right", "page-up", "page-down", "first", "last"};
	const size_t steps[] = {1, 1, 0, 0, page, page, SIZE_MAX, SIZE_MAX};
	size_t last = count > 0 ? count - 1 : 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], direction) != 0) {
			continue;
		}
		if (i % 2 == 0) {
			*at = *at > steps[i] ? *at - steps[i] : 0;
		} else {
			*at = steps[i] < last - (*at < last ? *at : last) ? *at + steps[i] : last;
		}
		return true;
	}
	return false;
}

/* Left and right go to the panel beside. */
static void move_sideways(struct app *app, const char *direction)
{
	bool right = strcmp(direction, "right") == 0;

	if (app->panel == PANEL_INPUTS && right && app_panel_rows(app, PANEL_RESULTS) > 0) {
		app->panel = PANEL_RESULTS;
	} else if (app->panel == PANEL_RESULTS && !right) {
		app->panel = PANEL_INPUTS;
	}
}

static bool move_in_panel(struct app *app, unsigned panel, const char *direction)
{
	size_t at = app->row[panel];

	if (!moved(direction, PAGE_ROWS, app_panel_rows(app, panel), &at)) {
		return false;
	}
	app->row[panel] = (unsigned)at;
	return true;
}

/* The keys scroll as long as some are below. */
static bool move_help(struct app *app, const char *direction)
{
	const size_t all = keymap_help_rows(keymap_screen(app));
	const size_t room = app->rows > FRAME_ROWS ? app->rows - FRAME_ROWS : 1;

	return moved(direction, room, all > room ? all - room + 1 : 1, &app->scroll);
}

bool ui_move(struct app *app, const char *direction)
{
	bool sideways = strcmp(direction, "left") == 0 || strcmp(direction, "right") == 0;
	size_t at = app->why_row;

	switch (app->overlay) {
	case OVERLAY_WHY:
		if (!moved(direction, PAGE_ROWS, app->why != NULL ? app->why->nr_inputs : 0, &at)) {
			return false;
		}
		app->why_row = (unsigned)at;
		return true;
	case OVERLAY_HELP:
		return move_help(app, direction);
	case OVERLAY_TEXT:
	case OVERLAY_REPORT:
		return moved(direction, app->rows > 4 ? app->rows - 4 : 1, ui_text_lines(app),
			&app->scroll);
	case OVERLAY_SETTINGS:
		return move_in_panel(app, PANEL_SETTINGS, direction);
	case OVERLAY_NONE:
		break;
	}
	if (app->screen == SCREEN_RESERVE) {
		return pools_move(app, direction);
	}
	if (app->screen == SCREEN_COMPARE) {
		return beside_move(app, direction);
	}
	if (app->screen == SCREEN_PAGESETS) {
		return pagesets_move(app, direction);
	}
	if (app->screen == SCREEN_LEARN) {
		return learn_move(app, direction);
	}
	if (app->screen == SCREEN_SWEEP) {
		return sweeps_move(app, direction);
	}
	if (sideways) {
		move_sideways(app, direction);
		return true;
	}
	return move_in_panel(app, app->panel, direction);
}

void ui_panel(struct app *app, int direction)
{
	const unsigned n = PANEL_SETTINGS; /* panels of the screen itself; some have no rows */

	if (app->overlay != OVERLAY_NONE) {
		return;
	}
	if (app->screen == SCREEN_COMPARE) {
		beside_panel(app, direction);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		app->panel = direction > 0 ? (app->panel + 1) % n : (app->panel + n - 1) % n;
		if (app_panel_rows(app, app->panel) > 0) {
			break;
		}
	}
}

const char *ui_heading(const char *line)
{
	return strncmp(line, HEADING, strlen(HEADING)) == 0 ? line + strlen(HEADING) : NULL;
}

/* The first heading of a text stands in the heading of the panel, not a row below it. */
static void take_heading(struct app *app)
{
	char *s = app->text.data;
	size_t n = strcspn(zl_buf_text(&app->text), "\n");

	app->text_heading[0] = '\0';
	if (n < app->text.len && n < sizeof(app->text_heading) && ui_heading(s) != NULL) {
		s[n] = '\0';
		zl_format(app->text_heading, sizeof(app->text_heading), "%s", ui_heading(s));
		app->text.len -= n + 1;
		memmove(s, s + n + 1, app->text.len + 1);
	}
}

void ui_show_text(struct app *app, enum app_overlay overlay, const char *title, struct zl_buf *text)
{
	zl_buf_done(&app->text);
	app->text = *text;
	memset(text, 0, sizeof(*text));
	take_heading(app);
	zl_format(app->text_title, sizeof(app->text_title), "%s", title);
	app->overlay = overlay;
	app->scroll = 0;
}

static void drop_why(struct app *app)
{
	if (app->why != NULL) {
		app->alloc->free(app->alloc->user, app->why);
		app->why = NULL;
	}
	app->nr_why = 0;
	app->why_row = 0;
}

static bool open_why(struct app *app, unsigned id)
{
	if (app->why == NULL) {
		app->why = app->alloc->realloc(app->alloc->user, NULL, sizeof(*app->why));
	}
	if (app->why == NULL) {
		return false;
	}
	if (!learn_explain(app, id, app->why)) {
		return false;
	}
	explain_change(app, app->why);
	app->why_row = 0;
	app->overlay = OVERLAY_WHY;
	if (is_fact(id) && app->pagesets != NULL) {
		app_say(app, id, "Why: %s · the numbers are those of op %U", app->why->name,
			pagesets_timeline(app)->at);
	} else {
		app_say(app, id, "Why: %s", app->why->name);
	}
	return true;
}

/* A decision point has rules by release and names in scope: more than a pop-up holds. */
static void show_point(struct app *app, unsigned point)
{
	struct output out = {0};

	explain_point_print(app, (enum zl_point)point, &out);
	ui_show_text(app, OVERLAY_TEXT, zl_point_info((enum zl_point)point)->name, &out.text);
	output_done(&out);
}

void ui_why(struct app *app)
{
	unsigned id = app_focused_id(app);

	if (app->overlay == OVERLAY_WHY) {
		return;
	}
	if (glossary_point(id) != ZL_POINT_COUNT) {
		show_point(app, glossary_point(id));
		return;
	}
	drop_why(app);
	if (id == VALUE_NONE || !open_why(app, id)) {
		bool no_memory = id != VALUE_NONE && app->why == NULL;

		drop_why(app);
		app_say(app, VALUE_NONE,
			no_memory ? "Error: no memory for an explanation"
				  : "Nothing to explain here · Tab and the arrows choose a value");
	}
}

void ui_follow(struct app *app)
{
	if (app->overlay != OVERLAY_WHY || app->why == NULL ||
		app->why_row >= app->why->nr_inputs) {
		return;
	}
	unsigned from = app->why->id;
	unsigned to = app->why->input[app->why_row].id;
	if (from == to || app->nr_why == APP_WHY_DEPTH) {
		return;
	}
	app->why_stack[app->nr_why++] = from;
	(void)open_why(app, to);
}

void ui_back(struct app *app)
{
	if (app->overlay == OVERLAY_WHY && app->nr_why > 0) {
		app->nr_why--;
		(void)open_why(app, app->why_stack[app->nr_why]);
	}
}

void ui_cancel(struct app *app)
{
	if (app->mode == MODE_FIELD || app->mode == MODE_SEARCH) {
		app->mode = MODE_NORMAL;
		app->field[0] = '\0';
		(void)app_preview(app, NULL, NULL);
		return;
	}
	if (beside_shown(app) && app->overlay == OVERLAY_NONE && app->beside->axis) {
		beside_axis(app);
		return;
	}
	if (app->overlay == OVERLAY_NONE && pools_cancel(app)) {
		return;
	}
	if (app->overlay != OVERLAY_NONE) {
		drop_why(app);
		app->overlay = OVERLAY_NONE;
		app->search[0] = '\0';
	}
	if (app->screen == SCREEN_RESERVE || app->screen == SCREEN_PAGESETS) {
		app->search[0] = '\0'; /* n goes to refused pools or events again */
	}
	app->message.text[0] = '\0';
}

void ui_settings(struct app *app)
{
	app->overlay = app->overlay == OVERLAY_SETTINGS ? OVERLAY_NONE : OVERLAY_SETTINGS;
}

void ui_prompt(struct app *app)
{
	app->mode = MODE_PROMPT;
	app->prompt_start[0] = '\0';
	app->prompt_list = false;
	app->prompt_error.text[0] = '\0';
}

void ui_search(struct app *app)
{
	app->mode = MODE_SEARCH;
	app->field[0] = '\0';
	app->field_error.text[0] = '\0';
}

void ui_suspend(struct app *app)
{
	app->suspend = true;
}

void ui_redraw(struct app *app)
{
	app->redraw = true;
}

void ui_copy(struct app *app)
{
	struct zl_buf text = {0};
	struct zl_error err = {0};

	if (app->hooks == NULL || app->hooks->plain == NULL || app->hooks->copy == NULL) {
		app_say(app, VALUE_NONE, "Error: there is no clipboard here");
		return;
	}
	if (beside_shown(app) && app->overlay == OVERLAY_NONE) {
		if (beside_mail(app, &text, &err) < 0) {
			app_say(app, VALUE_LITERAL, "Error: %s", err.text);
			zl_buf_done(&text);
			return;
		}
	} else {
		app->hooks->plain(app, true, &text);
	}
	if (text.failed) {
		app_say(app, VALUE_NONE, "Error: no memory for this text; nothing was copied");
		zl_buf_done(&text);
		return;
	}
	app->hooks->copy(app, zl_buf_text(&text));
	zl_buf_done(&text);
}

/* --- search --- */

/* Whether the search text is in @s, ignoring case. */
bool ui_contains(const char *s, const char *what)
{
	size_t n = strlen(what);

	for (; *s != '\0'; s++) {
		size_t i = 0;
		while (i < n && zl_lower(s[i]) == zl_lower(what[i])) {
			i++;
		}
		if (i == n) {
			return true;
		}
	}
	return false;
}

/* Whether line @line of the overlay's text matches. */
static bool line_matches(const struct app *app, size_t line)
{
	char copy[APP_FIELD];
	const char *s = zl_buf_text(&app->text);
	struct zl_text t;

	while (line > 0 && s != NULL) {
		s = strchr(s, '\n');
		s = s != NULL ? s + 1 : NULL;
		line--;
	}
	if (s == NULL) {
		return false;
	}
	zl_text_init(&t, copy, sizeof(copy));
	zl_text_strn(&t, s, strcspn(s, "\n"));
	return ui_contains(copy, app->search);
}

/* Whether the row of the help screen has the search text in it, at the left or at the right. */
static bool help_matches(const struct app *app, size_t row)
{
	const enum keymap_mode halves[] = {keymap_screen(app), KEYMAP_EVERYWHERE};

	for (size_t h = 0; h < sizeof(halves) / sizeof(halves[0]); h++) {
		size_t at = 0;

		for (size_t i = 0; i < keymap_count() && at <= row; i++) {
			const struct binding *b = keymap_at(i);

			if (b->mode != halves[h] || b->help[0] == '\0') {
				continue;
			}
			if (at++ == row && (ui_contains(b->help, app->search) ||
						   ui_contains(b->show, app->search))) {
				return true;
			}
		}
	}
	return false;
}

static bool next_help(struct app *app, int direction)
{
	const size_t n = keymap_help_rows(keymap_screen(app));
	size_t at = app->scroll;

	for (size_t i = 0; i < n; i++) {
		at = direction > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (help_matches(app, at)) {
			app->scroll = at;
			return true;
		}
	}
	return false;
}

static bool next_line(struct app *app, int direction)
{
	size_t n = ui_text_lines(app);
	size_t at = app->scroll;

	for (size_t i = 0; i < n; i++) {
		at = direction > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (line_matches(app, at)) {
			app->scroll = at;
			return true;
		}
	}
	return false;
}

/* Label of a row in the inputs or results. */
static const char *row_label(const struct app *app, unsigned panel, size_t row)
{
	enum zl_setting inputs[ZL_SETTING_COUNT];
	enum value_id results[VALUE_COUNT];

	if (panel == PANEL_INPUTS) {
		size_t n = app_geometry_inputs(app, inputs, ZL_SETTING_COUNT);
		return row < n ? setting_label(app_values(app).machine, inputs[row]) : "";
	}
	size_t n = app_geometry_results(app, results, VALUE_COUNT);
	return row < n ? value_info(results[row])->label : "";
}

static bool next_label(struct app *app, int direction)
{
	const size_t in = app_panel_rows(app, PANEL_INPUTS);
	const size_t n = in + app_panel_rows(app, PANEL_RESULTS);
	size_t at =
		app->panel == PANEL_RESULTS ? in + app->row[PANEL_RESULTS] : app->row[PANEL_INPUTS];

	for (size_t i = 0; i < n; i++) {
		at = direction > 0 ? (at + 1) % n : (at + n - 1) % n;
		unsigned panel = at < in ? PANEL_INPUTS : PANEL_RESULTS;
		size_t row = at < in ? at : at - in;
		if (ui_contains(row_label(app, panel, row), app->search)) {
			app->panel = panel;
			app->row[panel] = (unsigned)row;
			return true;
		}
	}
	return false;
}

/* A setting whose name or help has the text in it, in the panel of all settings. */
static bool next_setting(struct app *app, int direction)
{
	unsigned row = app->row[PANEL_SETTINGS];

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		row = (row + (direction > 0 ? 1 : ZL_SETTING_COUNT - 1)) % ZL_SETTING_COUNT;
		const struct zl_setting_info *s = zl_setting_info((enum zl_setting)row);
		if (ui_contains(s->key, app->search) || ui_contains(s->help, app->search)) {
			app->row[PANEL_SETTINGS] = row;
			app->overlay = OVERLAY_SETTINGS;
			return true;
		}
	}
	return false;
}

/* What is searched depends on what is shown. */
static bool search_next(struct app *app, int direction)
{
	if (app->overlay == OVERLAY_SETTINGS) {
		return next_setting(app, direction);
	}
	if (app->overlay == OVERLAY_HELP) {
		return next_help(app, direction);
	}
	if (app->overlay != OVERLAY_NONE) {
		return next_line(app, direction);
	}
	if (app->screen == SCREEN_LEARN && !learn_open_now(app)) {
		return learn_search(app, direction);
	}
	if (app->screen == SCREEN_PAGESETS && !learn_pending(app)) {
		return pagesets_search(app, direction) || pagesets_search_setting(app, direction) ||
		       next_setting(app, direction);
	}
	return app->screen == SCREEN_GEOMETRY ? next_label(app, direction)
					      : next_line(app, direction);
}

void ui_next(struct app *app, int direction)
{
	if (app->screen == SCREEN_RESERVE && app->overlay == OVERLAY_NONE) {
		pools_next_refused(app, direction);
		return;
	}
	if (app->screen == SCREEN_SWEEP && app->overlay == OVERLAY_NONE) {
		sweeps_next(app, direction);
		return;
	}
	size_t diags = app->screen == SCREEN_GEOMETRY ? app_panel_rows(app, PANEL_DIAGS) : 0;

	if (app->search[0] != '\0') {
		if (!search_next(app, direction)) {
			app_say(app, VALUE_LITERAL, "Nothing matches '%s'", app->search);
		}
	} else if (diags > 0 && app->panel != PANEL_DIAGS) {
		app->panel = PANEL_DIAGS;
		app->row[PANEL_DIAGS] = direction > 0 ? 0 : (unsigned)diags - 1;
	} else if (diags > 0) {
		app->row[PANEL_DIAGS] =
			(unsigned)((app->row[PANEL_DIAGS] + (direction > 0 ? 1 : diags - 1)) %
				   diags);
	} else {
		app_say(app, VALUE_NONE, "No diagnostics here · / searches");
	}
}
