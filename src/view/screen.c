/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame that all screens share. A screen that does not exist yet is not in the table and so
 * not in the title row either.
 */
#include "screen.h"

#include "beside.h"
#include "draw.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "sweeps.h"
#include "text_width.h"
#include "view_reserve.h"
#include "views.h"
#include "zonelab/text.h"

static const struct view_ops *const screens[] = {
	&view_geometry,
	&view_reserve,
	&view_pagesets,
	&view_beside,
	&view_sweep,
	&view_learn,
};
#define NR_SCREENS (sizeof(screens) / sizeof(screens[0]))

#define NAME_COL 8 /* the first screen's name starts here */

const struct lane *view_lane(const struct app *app)
{
	return app->preview != NULL ? app->preview : app_lane_const(app);
}

bool view_focused(const struct app *app, unsigned panel, unsigned row)
{
	return app->overlay == OVERLAY_NONE && app->mode != MODE_PROMPT && app->panel == panel &&
	       app->row[panel] == row;
}

const struct view_ops *view_ops_of(const struct app *app)
{
	for (size_t i = 0; i < NR_SCREENS; i++) {
		if (screens[i]->screen == app->screen) {
			return screens[i];
		}
	}
	return screens[0];
}

/* ---- title ---- */

/* "[1 Geometry]", " 2 Reserve " or, where space is short, " 2 ". */
static int draw_name(struct canvas *c, int col, const struct view_ops *v, bool active, bool wide)
{
	char text[64];

	if (active) {
		zl_format(text, sizeof(text), "[%u %s]", (unsigned)v->screen, v->name);
	} else if (wide) {
		zl_format(text, sizeof(text), " %u %s ", (unsigned)v->screen, v->name);
	} else {
		zl_format(text, sizeof(text), " %u ", (unsigned)v->screen);
	}
	return canvas_value(c, at(0, col), ROLE_TITLE, VALUE_KEY, text) + (wide ? 1 : 0);
}

static const char *overlay_name(const struct app *app)
{
	switch (app->overlay) {
	case OVERLAY_HELP:
		return "help";
	case OVERLAY_TEXT:
		return app->text_title;
	case OVERLAY_REPORT:
		return "import";
	case OVERLAY_SETTINGS:
		return "settings";
	case OVERLAY_NONE:
	case OVERLAY_WHY:
		break;
	}
	return NULL;
}

/* Pagesets, and a lesson with a run. */
static bool shows_run(const struct app *app)
{
	return app->screen == SCREEN_PAGESETS ||
	       (app->screen == SCREEN_LEARN && learn_open_now(app) && learn_has_run(app));
}

/* "arm64 4 KiB 6.18.2"; on a run its own name says more than architecture and page size. */
static void chip_words(const struct app *app, unsigned lane, char *buf, size_t size)
{
	const struct value_in in = app_lane_values(app, lane); /* in force, not the preview */
	const struct sweeps *sweep = app->screen == SCREEN_SWEEP ? app->sweeps : NULL;
	char text[64];
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (app->screen == SCREEN_COMPARE) {
		lane_brief(app, lane, text, sizeof(text));
		zl_text_str(&t, text);
		return;
	}
	if (shows_run(app) && lane == app->active) {
		zl_text_fmt(&t, "%s ", app->pagesets->title);
		value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, text, sizeof(text));
		zl_text_str(&t, text);
		return;
	}
	if (sweep != NULL && sweep->sweep->has_scenario && sweep->machine != NULL &&
		lane == app->active) {
		sweeps_title(sweep, text, sizeof(text));
		zl_text_fmt(&t, "%s ", text);
		value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, text, sizeof(text));
		zl_text_str(&t, text);
		return;
	}
	if (app->screen == SCREEN_PAGESETS || lanes_used(app) > 1) {
		lane_words(app, lane, text, sizeof(text));
		zl_text_str(&t, text);
		return;
	}
	value_text(&in, VALUE_SETTING_BASE + ZL_SET_ARCH, text, sizeof(text));
	zl_text_fmt(&t, "%s ", text);
	value_text(&in, VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE, text, sizeof(text));
	zl_text_fmt(&t, "%s ", text);
	value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, text, sizeof(text));
	zl_text_str(&t, text);
}

struct chip {
	unsigned lane;
	char letter[2];
	char words[128]; /* "" = the letter alone */
};

/* Cells of all chips with their gaps. */
static int chips_width(const struct chip *chip, unsigned n)
{
	int width = 0;

	for (unsigned i = 0; i < n; i++) {
		int words = text_width(chip[i].words);
		width += 1 + (words > 0 ? 1 + words : 0) + (i > 0 ? 2 : 0);
	}
	return width;
}

/*
 * The lanes, ending one blank before the edge: all of them written out where there is room or on
 * Compare, else the focused one, the others by letter.
 */
static void draw_chips(const struct app *app, struct canvas *c, int from)
{
	struct chip chip[APP_LANES];
	unsigned n = 0, focused = 0;
	char text[64];

	for (unsigned i = 0; i < APP_LANES; i++) {
		if (app->lane[i].used) {
			focused = i == app->active ? n : focused;
			chip[n].lane = i;
			zl_format(chip[n].letter, sizeof(chip[n].letter), "%c", 'A' + (int)i);
			chip_words(app, i, chip[n].words, sizeof(chip[n].words));
			n++;
		}
	}
	/* On Compare the release says most of what lanes are; elsewhere the others go. */
	for (unsigned i = n; i > 0 && chips_width(chip, n) > c->cols - 1 - from; i--) {
		if (app->screen == SCREEN_COMPARE) {
			const struct value_in in = app_lane_values(app, chip[i - 1].lane);
			const char *title = app->lane[chip[i - 1].lane].title;

			value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, text, sizeof(text));
			zl_format(chip[i - 1].words, sizeof(chip[i - 1].words), "%s%s%s", title,
				title[0] != '\0' ? " " : "", text);
		}
	}
	for (unsigned i = n; i > 0 && chips_width(chip, n) > c->cols - 1 - from; i--) {
		if (i - 1 != focused) {
			chip[i - 1].words[0] = '\0';
		}
	}
	int col = c->cols - 1 - chips_width(chip, n);
	col = col < from ? from : col;
	for (unsigned i = 0; i < n; i++) {
		bool select = n > 1 && i == focused;
		enum role role = select ? ROLE_FOCUS : ROLE_TITLE;
		col = canvas_text(c, at(0, col), role, chip[i].letter);
		if (chip[i].words[0] != '\0') {
			col = canvas_value(c, at(0, col + 1), ROLE_TITLE,
				VALUE_SETTING_BASE + ZL_SET_KERNEL, chip[i].words);
		}
		col += 2;
	}
}

static void draw_title(const struct app *app, struct canvas *c, bool wide)
{
	const char *overlay = overlay_name(app);
	int col = NAME_COL;

	canvas_blank(c, rect(0, 0, 1, c->cols), ROLE_TITLE);
	canvas_text(c, at(0, 1), ROLE_TITLE, "zonelab");
	if (wide) {
		col += 2;
	} else {
		col += 1;
	}
	for (size_t i = 0; i < NR_SCREENS; i++) {
		col = draw_name(c, col, screens[i], screens[i] == view_ops_of(app), wide);
	}
	if (overlay != NULL) {
		canvas_value(c, at_right(0, c->cols - 1, text_width(overlay)), ROLE_TITLE,
			VALUE_LITERAL, overlay);
	} else {
		draw_chips(app, c, col + 1);
	}
}

/* ---- message ---- */

static bool starts_with(const char *s, const char *with)
{
	while (*with != '\0' && *s == *with) {
		s++;
		with++;
	}
	return *with == '\0';
}

/* Whether what is shown of a run is not all: of that no message may speak louder. */
static bool is_short(const struct app *app, enum app_screen screen)
{
	return (screen == SCREEN_PAGESETS || screen == SCREEN_COMPARE || screen == SCREEN_LEARN) &&
	       app->pagesets != NULL && app->pagesets->out_of_memory;
}

static void draw_message(
	const struct app *app, const struct view_ops *v, struct canvas *c, struct rect row)
{
	const struct app_message *m = &app->message;

	if (app->mode == MODE_FIELD || app->mode == MODE_SEARCH) {
		view_field(app, c, row);
	} else if (app->overlay == OVERLAY_NONE && is_short(app, v->screen)) {
		canvas_text(c, at(row.row, row.col + 1), ROLE_ERROR,
			"Error: no memory for all of this screen");
	} else if (m->text[0] != '\0') {
		enum role role = starts_with(m->text, "Error:")	    ? ROLE_ERROR
				 : starts_with(m->text, "Warning:") ? ROLE_WARN
								    : ROLE_TEXT;
		unsigned id = m->id != VALUE_NONE ? m->id : VALUE_LITERAL;
		canvas_value(c, at(row.row, row.col + 1), role, (uint16_t)id, m->text);
	} else if (app->overlay == OVERLAY_NONE && learn_veils(app, v->screen)) {
		canvas_value(c, at(row.row, row.col + 1), ROLE_TEXT, VALUE_KEY,
			"This screen is hidden until you answer · 6 goes to the question");
	} else if (app->overlay == OVERLAY_SETTINGS) {
		view_setting_help(app, c, row);
	} else if (app->overlay == OVERLAY_NONE) {
		v->hint(app, c, row);
	}
}

/* ---- all ---- */

static void draw_too_small(struct canvas *c)
{
	char text[96];

	zl_format(text, sizeof(text), "zonelab needs %ux%u, this terminal has %ux%u.",
		(unsigned)LAYOUT_MIN_COLS, (unsigned)LAYOUT_MIN_ROWS, (unsigned)c->cols,
		(unsigned)c->rows);
	if (text_width(text) > c->cols) {
		zl_format(text, sizeof(text), "%ux%u", (unsigned)LAYOUT_MIN_COLS,
			(unsigned)LAYOUT_MIN_ROWS);
	}
	canvas_value(c, at(0, 0), ROLE_TEXT, VALUE_POSITION, text);
}

static void draw_overlay(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct rect before = canvas_clip(c, l->body);

	switch (app->overlay) {
	case OVERLAY_HELP:
		view_help(app, c, l->body);
		break;
	case OVERLAY_WHY:
		canvas_paint(c, l->body, ROLE_DIM);
		view_why(app, c, l->body);
		break;
	case OVERLAY_TEXT:
	case OVERLAY_REPORT:
		view_text(app, c, l->body);
		break;
	case OVERLAY_SETTINGS:
		view_settings(app, c, l->body);
		break;
	case OVERLAY_NONE:
		break;
	}
	canvas_clip(c, before);
}

static void draw_body(
	const struct app *app, const struct view_ops *v, struct canvas *c, const struct layout *l)
{
	if (!learn_veils(app, v->screen)) {
		v->draw(app, c, l);
		return;
	}
	canvas_heading(c, rect(l->body.row, l->body.col, 1, l->body.cols), v->name);
	canvas_tag(c, rect(l->body.row, l->body.col, 1, l->body.cols), VALUE_POSITION);
	canvas_value(c, at(l->body.row + 1, l->body.col + 1), ROLE_TEXT, VALUE_LITERAL,
		"?  hidden until you answer");
}

static bool covers_body(enum app_overlay o)
{
	return o == OVERLAY_HELP || o == OVERLAY_TEXT || o == OVERLAY_REPORT ||
	       o == OVERLAY_SETTINGS;
}

void screen_draw(const struct app *app, const struct view_prompt *prompt, struct canvas *c)
{
	const struct view_ops *v = view_ops_of(app);
	bool prompting = prompt != NULL && prompt->open;

	canvas_clear(c);
	struct layout l = layout_compute(c->rows, c->cols);
	if (l.too_small) {
		draw_too_small(c);
		return;
	}
	draw_title(app, c, l.wide);
	if (!covers_body(app->overlay)) {
		draw_body(app, v, c, &l);
	}
	draw_overlay(app, c, &l);
	if (prompting && prompt->listing != NULL) {
		view_completions(prompt, c, v->slot(app, &l));
	}
	if (prompting) {
		view_prompt_line(prompt, c, l.message);
	} else {
		draw_message(app, v, c, l.message);
	}
	view_keys(app, c, l.keys);
}

unsigned screen_id_at(const struct canvas *c, int row, int col)
{
	return rect_contains(canvas_whole(c), row, col) ? canvas_cell(c, row, col)->id : VALUE_NONE;
}

/* Chooses the pool of the list that was clicked on. */
static bool click_pool(struct app *app, const struct layout *l, int row, int col)
{
	size_t pool = reserve_pool_at(app, l, row, col);

	if (pool == POOLS_NONE || app->pools->mode != POOLS_LOOK) {
		return false;
	}
	app->panel = POOLS_LIST;
	app->row[POOLS_LIST] = (unsigned)pool;
	app->pools->touched = true;
	pools_refresh(app);
	return true;
}

bool screen_op_at(const struct app *app, const struct canvas *c, int row, int col, uint64_t *ret)
{
	struct layout l = layout_compute(c->rows, c->cols);

	if (app->overlay != OVERLAY_NONE || l.too_small) {
		return false;
	}
	if (app->screen == SCREEN_COMPARE) {
		return beside_op_at(app, &l, row, col, ret);
	}
	return app->screen == SCREEN_PAGESETS && pagesets_op_at(app, &l, row, col, ret);
}

/* Focuses the lane and the row that were clicked on. */
static bool click_lane(struct app *app, const struct layout *l, int row, int col)
{
	struct zl_error err = {0};
	struct beside_spot spot;

	if (!beside_lane_at(app, l, row, col, &spot)) {
		return false;
	}
	app->row[0] = spot.row < BESIDE_ROWS ? spot.row : app->row[0];
	return lane_focus(app, spot.lane, &err) == 0;
}

bool screen_click(struct app *app, const struct canvas *c, int row, int col)
{
	struct layout l = layout_compute(c->rows, c->cols);
	uint64_t op = 0;

	if (app->overlay != OVERLAY_NONE || l.too_small) {
		return false;
	}
	if (app->screen == SCREEN_RESERVE) {
		return click_pool(app, &l, row, col);
	}
	if (screen_op_at(app, c, row, col, &op)) {
		pagesets_play(app, false);
		pagesets_seek(app, op);
		return true;
	}
	unsigned cpu = 0;
	if (app->screen == SCREEN_PAGESETS && pagesets_cpu_at(app, &l, row, col, &cpu)) {
		pagesets_choose_cpu(app, cpu);
		return true;
	}
	return app->screen == SCREEN_COMPARE && click_lane(app, &l, row, col);
}
