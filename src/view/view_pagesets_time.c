/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timeline, and the slots that look ahead: settings with their preview, and ways to make
 * free_high fire where it cannot.
 */
#include <string.h>

#include "lanes.h"
#include "setting_facts.h"
#include "text_width.h"
#include "view_pagesets.h"
#include "zonelab/text.h"

#define CELLS_COL  9
#define HALF	   2
#define NAME_COL   3 /* of a setting; the second column of settings starts at SECOND_COL */
#define SECOND_COL 36
#define VALUE_END  21 /* column after a value */
#define SECOND_END 62
#define ORIGIN_GAP 2
#define TWO_COLS   75 /* fewest that hold two columns with their origins */
#define ONE_END	   34

/* ---- timeline ---- */

unsigned pagesets_column(int32_t v, int32_t most)
{
	if (v <= 0 || most <= 0) {
		return 0;
	}
	return (unsigned)(((int64_t)v * EIGHTHS + most - 1) / most);
}

static int32_t figure(const struct timeline_cell *cell, bool counter)
{
	return counter ? cell->free_count : cell->count;
}

static void draw_curve(const struct pagesets_view *v, int row, bool counter)
{
	const struct timeline_window *w = &v->p->window;
	uint64_t present = (v->s->at - w->from) >> w->zoom;
	int32_t most = 0;

	canvas_text(v->c, at(row, 1), ROLE_TEXT, counter ? "free_c." : "count");
	for (unsigned i = 0; i < w->cells; i++) {
		most = figure(&w->cell[i], counter) > most ? figure(&w->cell[i], counter) : most;
	}
	for (unsigned i = 0; i < w->cells; i++) {
		enum role role = i > present ? ROLE_DIM : i == present ? ROLE_FOCUS : ROLE_USED;
		unsigned n = pagesets_column(figure(&w->cell[i], counter), most);
		if (v->s->verdict.hidden && i > present &&
			w->from + ((uint64_t)i << w->zoom) <= v->s->total) {
			canvas_put(v->c, row, CELLS_COL + (int)i, ROLE_DIM, '?');
			continue;
		}
		if (n > 0 || i == present) {
			canvas_put(v->c, row, CELLS_COL + (int)i, role, glyph_column(n));
		}
	}
}

static uint32_t mark_glyph(uint8_t marks)
{
	if ((marks & MARK_FLUSH) != 0) {
		return (marks & MARK_FLUSH_ONE) != 0 ? '\'' : '!';
	}
	if ((marks & MARK_FAIL) != 0) {
		return 'F';
	}
	if ((marks & MARK_DRAIN) != 0) {
		return 'd';
	}
	return (marks & MARK_DECAY) != 0 ? 't' : ' ';
}

static void draw_events(const struct pagesets_view *v, int row)
{
	const struct timeline_window *w = &v->p->window;
	uint64_t present = (v->s->at - w->from) >> w->zoom;

	canvas_text(v->c, at(row, 1), ROLE_TEXT, "events");
	for (unsigned i = 0; i < w->cells; i++) {
		uint32_t ch = mark_glyph(w->cell[i].marks);
		if (i == present && (ch == ' ' || w->zoom > 0)) {
			canvas_put(v->c, row, CELLS_COL + (int)i, ROLE_THRESHOLD, GLYPH_UP);
		} else if (ch != ' ') {
			bool flush = ch == '!' || ch == '\'';
			canvas_put(v->c, row, CELLS_COL + (int)i,
				i > present ? ROLE_DIM
				: flush	    ? ROLE_ALERT
					    : ROLE_TEXT,
				ch);
		}
	}
}

static void scale_words(const struct pagesets_view *v, char *buf, size_t size)
{
	const struct timeline_window *w = &v->p->window;
	uint64_t ops = UINT64_C(1) << w->zoom;
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (ops == 1) {
		zl_text_str(&t, "one op per cell");
	} else {
		zl_text_fmt(&t, "%N ops per cell", ops);
	}
	if (w->from > 0 || v->l.full) {
		zl_text_fmt(&t, ", from op %N", w->from);
	}
}

static void draw_position(const struct pagesets_view *v, int row)
{
	const struct pagesets *p = v->p;
	unsigned rate = pagesets_rate(p->all->speed);
	struct pen pen = pen_at(v->c, row, 1, v->c->cols);
	char text[DRAW_TEXT], scale[DRAW_TEXT];
	struct zl_text t;

	pen_fmt(&pen, VALUE_RUN_OP, "op %N of %N", v->s->at, v->s->total);
	if (!v->s->complete) {
		pen_fmt(&pen, VALUE_RUN_OPS, ", known to %N", pagesets_timeline(v->app)->known);
	}
	if (v->l.full || p->all->playing) {
		pen_fmt(&pen, VALUE_KEY, p->all->playing ? " · playing" : " · paused");
	}
	zl_text_init(&t, text, sizeof(text));
	if (!v->l.full) {
		scale_words(v, scale, sizeof(scale));
		zl_text_fmt(&t, "%s · ", scale);
	}
	if (rate > 0) {
		zl_text_fmt(&t, "%N op/s", (uint64_t)rate);
	} else {
		zl_text_str(&t, "as fast as it goes");
	}
	zl_text_fmt(&t, " · seed %U", run_source_seed(&p->all->source));
	int width = text_width(text);
	if (pen.col + HALF + width < v->c->cols) {
		canvas_value(v->c, at_right(row, v->c->cols - 1, width), ROLE_TEXT, VALUE_POSITION,
			text);
	}
}

void pagesets_draw_curve(const struct pagesets_view *v, int row)
{
	draw_curve(v, row, false);
}

void pagesets_draw_timeline(const struct pagesets_view *v)
{
	struct rect a = v->l.timeline;
	int row = a.row;
	char scale[DRAW_TEXT];

	if (v->l.full && a.rows > 4) {
		scale_words(v, scale, sizeof(scale));
		pagesets_heading(v->c, a, "Timeline, %s of %N", scale, v->s->total);
		row++;
	}
	draw_curve(v, row++, false);
	if (a.rows > 3) {
		draw_curve(v, row++, true);
	}
	draw_events(v, row++);
	if (a.rows > 4) {
		row++;
	}
	draw_position(v, row);
	if (v->app->panel == PAGESETS_TIMELINE && v->app->overlay == OVERLAY_NONE) {
		canvas_paint(v->c, rect(row, 1, 1, 2), ROLE_FOCUS);
	}
}

bool pagesets_op_at(
	const struct app *app, const struct layout *l, int row, int col, uint64_t *ret_op)
{
	struct layout_pagesets p = layout_pagesets(l->body);
	const struct timeline_window *w = &app->pagesets->window;
	int cell = col - CELLS_COL;

	if (!rect_contains(p.timeline, row, col) || cell < 0 || cell >= (int)w->cells) {
		return false;
	}
	*ret_op = w->from + ((uint64_t)cell << w->zoom);
	return true;
}

/* ---- settings ---- */

static const char *setting_name(enum zl_setting key)
{
	return key == ZL_SET_HIGH_FRACTION ? "high_fraction" : zl_setting_info(key)->key;
}

static bool is_open(const struct pagesets_view *v, enum zl_setting key)
{
	return v->app->mode == MODE_FIELD && v->app->field_setting == (unsigned)key;
}

static void draw_open(
	const struct pagesets_view *v, struct pen *pen, int origin, enum zl_setting key)
{
	const struct value_in in = app_values(v->app);
	char was[DRAW_TEXT];

	pen->role = ROLE_EDIT;
	pen_fmt(pen, VALUE_SETTING_BASE + key, "%s", v->app->field);
	canvas_put(v->c, pen->row, pen->col++, ROLE_EDIT, '_');
	value_text(&in, VALUE_SETTING_BASE + key, was, sizeof(was));
	pen->role = ROLE_TEXT;
	pen->col = pen->col + 1 > origin ? pen->col + 1 : origin;
	pen_fmt(pen, VALUE_SETTING_BASE + key, "was %s", was);
}

/* Columns of one of the two columns of settings. */
struct setting_cols {
	int name, value_end, end;
};

static void draw_setting(
	const struct pagesets_view *v, int row, const struct setting_cols *cols, unsigned i)
{
	const struct value_in in = app_values(v->app);
	enum zl_setting keys[ZL_SETTING_COUNT];
	char text[DRAW_TEXT];
	bool focus = v->app->overlay == OVERLAY_NONE && v->app->panel == PAGESETS_SLOT &&
		     v->p->all->slot == SLOT_SETTINGS && v->app->row[PAGESETS_SLOT] == i;

	(void)pagesets_settings(keys, ZL_SETTING_COUNT);
	enum zl_setting key = keys[i];
	value_text(&in, VALUE_SETTING_BASE + key, text, sizeof(text));
	enum role role = focus ? ROLE_FOCUS : ROLE_TEXT;
	int name_end = canvas_text(v->c, at(row, cols->name), role, setting_name(key));
	struct pen pen = pen_at(v->c, row, name_end + 1, cols->end);
	if (focus) {
		canvas_put(v->c, row, cols->name - NAME_COL, ROLE_SELECT, GLYPH_PRESENT);
	}
	if (is_open(v, key)) {
		int start = cols->value_end - 1 - text_width(v->app->field);
		pen.col = start > name_end ? start : name_end + 1;
		draw_open(v, &pen, cols->value_end + ORIGIN_GAP, key);
		return;
	}
	canvas_value(v->c, at_right(row, cols->value_end, cols->value_end - name_end - 1), role,
		(uint16_t)(VALUE_SETTING_BASE + key), text);
	int origin = cols->value_end + ORIGIN_GAP;
	canvas_text(v->c, at_width(row, origin, cols->end - origin), ROLE_DIM,
		setting_origin(&in.profile->settings, key));
}

/* free_high behind the settings: the rule in force, or a policy as it is typed. */
static void draw_free_high(const struct pagesets_view *v, int row, const struct setting_cols *cols)
{
	bool focus = v->app->overlay == OVERLAY_NONE && pagesets_on_policy(v->app);
	enum role role = focus ? ROLE_FOCUS : ROLE_TEXT;
	int name_end = canvas_text(v->c, at(row, cols->name), role, "free_high");
	struct pen pen = pen_at(v->c, row, name_end + 2, cols->end);
	const char *field = v->app->field;
	char text[DRAW_TEXT];

	if (focus) {
		canvas_put(v->c, row, cols->name - NAME_COL, ROLE_SELECT, GLYPH_PRESENT);
	}
	if (v->app->mode == MODE_FIELD && v->app->field_setting == APP_FIELD_FREE_HIGH) {
		/* The end of a long expression is where it grows. */
		int room = cols->end - pen.col - 1;
		size_t len = strlen(field);

		pen.role = ROLE_EDIT;
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "%s",
			room > 0 && len > (size_t)room ? field + (len - (size_t)room) : field);
		canvas_put(v->c, pen.row, pen.col, ROLE_EDIT, '_');
		return;
	}
	bool policy = pagesets_policy_text(v->app, text, sizeof(text));
	pen.role = role;
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, policy ? "policy %s" : "%s", text);
}

/* What the value that is being typed would lead to. */
static void draw_outlook(const struct pagesets_view *v, struct rect area, int row)
{
	const struct pagesets *p = v->p;
	const struct timeline *t = pagesets_timeline(v->app);
	struct pen pen = pen_at(v->c, row, area.col + 3, area.col + area.cols);
	uint64_t now = timeline_find(t, t->at, 1, MARK_FLUSH);

	if (p->preview == NULL) {
		return;
	}
	pen.role = ROLE_PREVIEW;
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "△ the next free would %s; ",
		p->preview->verdict.fires ? "flush" : "not flush");
	if (now == TIMELINE_NO_OP && p->preview_flush == 0) {
		pen_fmt(&pen, VALUE_RUN_OP, "no flush either way");
	} else if (p->preview_flush == 0) {
		pen_fmt(&pen, VALUE_RUN_OP, "no flush follows any more (op %U)", now);
	} else if (now == TIMELINE_NO_OP) {
		pen_fmt(&pen, VALUE_RUN_OP, "one follows at op %U", p->preview_flush);
	} else if (now == p->preview_flush) {
		pen_fmt(&pen, VALUE_RUN_OP, "the next flush stays at op %U", now);
	} else {
		pen_fmt(&pen, VALUE_RUN_OP, "the next flush moves");
		pen.row++;
		pen.col = area.col + 3;
		pen_fmt(&pen, VALUE_RUN_OP, "from op %U to op %U", now, p->preview_flush);
	}
}

/* The same in one line. */
static void draw_outlook_short(const struct pagesets_view *v, struct rect area, int row)
{
	const struct timeline *t = pagesets_timeline(v->app);
	struct pen pen = pen_at(v->c, row, area.col + NAME_COL, area.col + area.cols);
	const uint64_t now = timeline_find(t, t->at, 1, MARK_FLUSH), then = v->p->preview_flush;

	if (v->p->preview == NULL) {
		return;
	}
	pen.role = ROLE_PREVIEW;
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "△ next free: %s; ",
		v->p->preview->verdict.fires ? "flush" : "no flush");
	if (then == 0) {
		pen_fmt(&pen, VALUE_RUN_OP, "none follows");
	} else if (then == now || now == TIMELINE_NO_OP) {
		pen_fmt(&pen, VALUE_RUN_OP, "the next one at op %U", then);
	} else {
		pen_fmt(&pen, VALUE_RUN_OP, "next one op %U → op %U", now, then);
	}
}

/* One below the other, where two columns would be cut. */
static void draw_one_column(const struct pagesets_view *v, struct rect area, unsigned n)
{
	const struct setting_cols cols = {.name = area.col + NAME_COL,
		.value_end = area.col + ONE_END,
		.end = area.col + area.cols};

	for (unsigned i = 0; i < n; i++) {
		draw_setting(v, area.row + 1 + (int)i, &cols, i);
	}
	draw_free_high(v, area.row + 1 + (int)n, &cols);
	draw_outlook_short(v, area, area.row + 2 + (int)n);
}

void pagesets_draw_settings(const struct pagesets_view *v, struct rect area)
{
	enum zl_setting keys[ZL_SETTING_COUNT];
	unsigned n = (unsigned)pagesets_settings(keys, ZL_SETTING_COUNT);
	unsigned left = (n + 1) / HALF;
	struct rect before = canvas_clip(v->c, area);
	const struct setting_cols first = {.name = area.col + NAME_COL,
		.value_end = area.col + VALUE_END,
		.end = area.col + SECOND_COL - 1};
	const struct setting_cols second = {.name = area.col + SECOND_COL,
		.value_end = area.col + SECOND_END,
		.end = area.col + area.cols};

	pagesets_heading(
		v->c, area, "Settings of lane %c at op %U", 'A' + (int)v->app->active, v->s->at);
	if (area.cols < TWO_COLS && area.rows > (int)n + 2) {
		draw_one_column(v, area, n);
		canvas_clip(v->c, before);
		return;
	}
	draw_free_high(v, area.row + 1 + (int)(n - left), &second);
	for (unsigned i = 0; i < n; i++) {
		unsigned line = i < left ? i : i - left;
		draw_setting(v, area.row + 1 + (int)line, i < left ? &first : &second, i);
	}
	draw_outlook(v, area, area.row + 1 + (int)left);
	canvas_clip(v->c, before);
}

/* ---- ways ---- */

/* Columns after the figures of a way. */
struct way_cols {
	int ceiling, threshold;
};

static struct way_cols way_cols(struct rect area)
{
	const int threshold = area.cols > 70 ? 69 : area.cols - 1;

	return (struct way_cols){area.col + threshold - 11, area.col + threshold};
}

static void draw_way(const struct pagesets_view *v, struct rect area, int row, unsigned i)
{
	const struct way_cols cols = way_cols(area);
	const struct way *w = &v->p->way[i];
	char text[DRAW_TEXT];

	canvas_value(v->c, at(row, area.col + 2), ROLE_TEXT, VALUE_REACHABLE, w->what);
	zl_format(text, sizeof(text), w->has_ceiling ? "%N" : "-", w->ceiling);
	canvas_value(v->c, at_right(row, cols.ceiling, 8), ROLE_TEXT, VALUE_RUN_CEILING, text);
	zl_format(text, sizeof(text), "%N", w->threshold);
	canvas_value(v->c, at_right(row, cols.threshold, 9), ROLE_TEXT, VALUE_RUN_THRESHOLD, text);
	if (v->app->panel == PAGESETS_SLOT && v->app->overlay == OVERLAY_NONE &&
		v->app->row[PAGESETS_SLOT] == i) {
		canvas_put(v->c, row, area.col, ROLE_SELECT, GLYPH_PRESENT);
		canvas_paint(v->c, rect(row, area.col + 2, 1, text_width(w->what)), ROLE_FOCUS);
	}
}

void pagesets_draw_ways(const struct pagesets_view *v, struct rect area)
{
	static const char *const numbers[WAYS_MAX + 1] = {"no", "one", "two", "three", "four"};
	const struct way_cols cols = way_cols(area);
	unsigned n = (unsigned)v->p->nr_ways, lane = lanes_free(v->app);
	int row = area.row + 1;

	pagesets_heading(v->c, area,
		area.cols < TWO_COLS ? "free_high is out of reach: %s way%s out"
				     : "free_high is out of reach here: %s way%s to change that",
		numbers[n], n == 1 ? "" : "s");
	canvas_text(v->c, at(row, area.col + 2), ROLE_TEXT, "What would make it fire");
	canvas_text(v->c, at_right(row, cols.ceiling, 7), ROLE_TEXT, "ceiling");
	canvas_text(v->c, at_right(row, cols.threshold, 9), ROLE_TEXT, "threshold");
	for (unsigned i = 0; i < n; i++) {
		draw_way(v, area, ++row, i);
	}
	if (lane < APP_LANES && n > 0) {
		struct pen pen = pen_at(v->c, row + 1, area.col + 2, area.col + area.cols);
		pen_fmt(&pen, VALUE_KEY, "Enter opens the chosen line as lane %c", 'A' + (int)lane);
	}
}
