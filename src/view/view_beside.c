/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare: lanes beside each other at one op, and why they differ. Totals and timelines have a
 * file of their own.
 */
#include "view_beside.h"

#include "lanes.h"
#include "learn.h"
#include "text_width.h"
#include "zonelab/text.h"

#define FIGURE_END    16 /* column after the figure of a gauge, in a lane */
#define BAR_COL	      17
#define ANSWER_END    22
#define THEN_COL      24
#define SCALE_LONG    6 /* cells for the end of a scale in the narrow form */
#define SCALE	      4
#define DESIGN_COLS   8	 /* " design " */
#define BASELINE_COLS 12 /* "  (baseline)" */

enum role beside_lane_role(const struct beside_view *v, unsigned lane)
{
	return (enum role)(ROLE_LANE_A + v->b->lane[lane]);
}

/* ---- one lane ---- */

/* One lane's column of the panel. */
struct side {
	const struct beside_view *v;
	unsigned lane;
	struct rect r; /* without the heading */
	int scale;     /* cells of the scale's end */
	int64_t most_count, most_free;
	uint8_t differ; /* rows, as bits of enum beside_row */
};

static bool focused(const struct side *s, unsigned row)
{
	return s->v->b->lane[s->lane] == s->v->app->active && view_focused(s->v->app, 0, row);
}

/* "x" where the lanes differ; it stands before the row in the wide form. */
static void mark_row(const struct side *s, int row, enum beside_row which)
{
	bool first = s->lane == s->v->lane[0];

	if ((s->differ & 1u << which) != 0 && (s->v->l.wide || first)) {
		canvas_put(s->v->c, row, s->r.col, ROLE_DIFFER, 'x');
	}
}

static void draw_figure(
	const struct side *s, int row, unsigned id, int64_t figure, enum beside_row which)
{
	struct pen pen = pen_at(s->v->c, row, s->r.col + 1, s->r.col + FIGURE_END);
	bool differs = (s->differ & 1u << which) != 0;
	char text[DRAW_TEXT];

	zl_format(text, sizeof(text), "%N", (uint64_t)figure);
	pen.role = focused(s, which) ? ROLE_FOCUS : differs ? ROLE_DIFFER : ROLE_TEXT;
	pen_fmt(&pen, id, "%s", value_info((enum value_id)id)->label);
	int room = s->r.col + FIGURE_END - pen.col - 1;
	canvas_value(
		s->v->c, at_right(row, s->r.col + FIGURE_END, room), pen.role, (uint16_t)id, text);
	mark_row(s, row, which);
}

static int bar_cells(const struct side *s)
{
	return s->r.cols - BAR_COL - 2 - s->scale;
}

static void draw_scale(const struct side *s, int row, unsigned id, int64_t end)
{
	int col = s->r.col + BAR_COL + bar_cells(s);
	struct pen pen = pen_at(s->v->c, row, col + 2, s->r.col + s->r.cols);

	canvas_put(s->v->c, row, col, ROLE_TEXT, GLYPH_BAR);
	pen_fmt(&pen, id, "%N", (uint64_t)end);
}

static void draw_bar(const struct side *s, int row, int64_t v, int64_t most)
{
	canvas_bar(s->v->c, at_width(row, s->r.col + BAR_COL, bar_cells(s)), ROLE_USED,
		pagesets_eighths(v, most, bar_cells(s)));
}

static void draw_threshold(const struct side *s, int row)
{
	const struct zl_pageset_view *p = &s->v->b->scene[s->lane].pageset;
	struct pen pen = pen_at(s->v->c, row, s->r.col + 1, s->r.col + s->r.cols);

	if (!p->tuned) {
		pen.role = focused(s, BESIDE_THRESHOLD) ? ROLE_FOCUS : ROLE_TEXT;
		pen_fmt(&pen, VALUE_RUN_FREE_FACTOR,
			p->threshold_exists ? "free_factor %d > 0 fires" : "no free_high",
			p->free_factor);
		mark_row(s, row, BESIDE_THRESHOLD);
		return;
	}
	draw_figure(s, row, VALUE_RUN_THRESHOLD, p->threshold, BESIDE_THRESHOLD);
	canvas_put(s->v->c, row,
		s->r.col + BAR_COL + pagesets_cell_of(p->threshold, s->most_free, bar_cells(s)),
		ROLE_THRESHOLD, GLYPH_UP);
	if (s->v->b->scene[s->lane].verdict.never) {
		pen.col = s->r.col + BAR_COL;
		pen.role = ROLE_WARN;
		pen_fmt(&pen, VALUE_REACHABLE, "NEVER: ceiling %N", (uint64_t)p->ceiling);
	}
}

static void draw_gauges(const struct side *s)
{
	const struct zl_pageset_view *p = &s->v->b->scene[s->lane].pageset;
	int row = s->r.row + 1;

	draw_figure(s, row, VALUE_RUN_COUNT, p->count, BESIDE_COUNT);
	draw_bar(s, row, p->count, s->most_count);
	draw_scale(s, row, VALUE_RUN_HIGH, s->most_count);
	row++;
	if (p->tuned) {
		draw_figure(s, row, VALUE_RUN_FREE_COUNT, p->free_count, BESIDE_FREE_COUNT);
		draw_bar(s, row, p->free_count, s->most_free);
		draw_scale(s, row, VALUE_RUN_CEILING, s->most_free);
	} else {
		draw_figure(s, row, VALUE_RUN_FREE_FACTOR, p->free_factor, BESIDE_FREE_COUNT);
	}
	draw_threshold(s, row + 1);
}

static bool asks_free_high(const struct zl_record *r)
{
	return r->op.kind == ZL_OP_FREE && r->order >= 1 && r->order <= ZL_COSTLY_ORDER &&
	       (r->result == ZL_RESULT_PCP || r->result == ZL_RESULT_PCP_DRAIN);
}

/* "64 >= 63   yes  => FLUSH": of the op that was a free of order 1..3, else of the next one. */
static void draw_term(const struct side *s, int row)
{
	const struct scene *scene = &s->v->b->scene[s->lane];
	const struct zl_record *r = &scene->record;
	const struct zl_pageset_view *p = &scene->pageset;
	struct pen pen = pen_at(s->v->c, row, s->r.col + 1, s->r.col + s->r.cols);
	bool past = asks_free_high(r), flush = past ? r->free_high : scene->verdict.fires;
	int64_t counter = past ? r->free_count_was : p->free_count;
	int64_t limit = past ? r->threshold : p->threshold;
	bool yes = p->tuned ? counter >= limit : flush;

	pen.role = focused(s, BESIDE_TERM)		  ? ROLE_FOCUS
		   : (s->differ & 1u << BESIDE_TERM) != 0 ? ROLE_DIFFER
							  : ROLE_TEXT;
	mark_row(s, row, BESIDE_TERM);
	if (!p->threshold_exists) {
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "design %s has no free_high",
			zl_design_name(scene->config.switches.design));
		return;
	}
	if (p->tuned) {
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "%D >= %D", counter, limit);
	} else {
		pen_fmt(&pen, VALUE_RUN_FREE_FACTOR, "factor %d > 0", p->free_factor);
	}
	if (!past && learn_pending(s->v->app)) {
		pen.col = s->r.col + THEN_COL;
		pen_fmt(&pen, VALUE_RUN_FLUSHED, "next: ?");
		return;
	}
	canvas_text(s->v->c, at_right(row, s->r.col + ANSWER_END, 3), yes ? ROLE_OK : ROLE_TEXT,
		yes ? "yes" : "no");
	pen.col = s->r.col + THEN_COL;
	pen.role = flush ? ROLE_ALERT : ROLE_TEXT;
	pen_fmt(&pen, VALUE_RUN_FLUSHED, "%s",
		past	? flush ? "=> FLUSH" : "=> to list"
		: flush ? "next: FLUSH"
			: "next: to list");
}

/* "free o3 U 0x40  FLUSH 72 pages", and below it the holds where they differ. */
static void draw_record(const struct side *s, int row)
{
	const struct zl_record *r = &s->v->b->scene[s->lane].record;
	struct pen pen = pen_at(s->v->c, row, s->r.col + 1, s->r.col + s->r.cols);
	bool differs = (s->differ & 1u << BESIDE_RECORD) != 0;
	char text[DRAW_TEXT];

	mark_row(s, row, BESIDE_RECORD);
	pen.role = focused(s, BESIDE_RECORD) ? ROLE_FOCUS : differs ? ROLE_DIFFER : ROLE_TEXT;
	if (r->index == 0) {
		pen_fmt(&pen, VALUE_RUN_OP, "before the first op");
		return;
	}
	pen_fmt(&pen, VALUE_RUN_OP, "%s ", zl_op_kind_name((enum zl_op_kind)r->op.kind));
	if (r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_FREE || r->op.kind == ZL_OP_ALLOCHA) {
		pen_fmt(&pen, VALUE_RUN_BLOCKS, "o%u %c ", r->order, zl_migratetype_letter(r->mt));
		if (r->pfn >= 0) {
			pen_fmt(&pen, VALUE_LITERAL, "%x ", (uint64_t)r->pfn);
		}
	}
	pen.role = r->free_high && pen.role != ROLE_FOCUS ? ROLE_ALERT : pen.role;
	pen_fmt(&pen, VALUE_RUN_DRAINED, " %s", pagesets_result_words(r, text, sizeof(text)));
	if (s->r.rows > BESIDE_ROWS + 1 && r->zone_locks > 0) {
		pen = pen_at(s->v->c, row + 1, s->r.col + 1, s->r.col + s->r.cols);
		pen.role = differs ? ROLE_DIFFER : ROLE_TEXT;
		pen_fmt(&pen, VALUE_RUN_LOCKS,
			r->zone_locks == 1 ? "%u hold" : "%u holds, the longest", r->zone_locks);
		pen_fmt(&pen, VALUE_RUN_DRAINED, r->zone_locks == 1 ? ", %N pages" : " %N pages",
			(uint64_t)r->longest_hold);
	}
}

/* "A  6.12.0 design B  (baseline)", "B  after: 7.1 design D71" of a patch */
static void draw_name(const struct side *s)
{
	const struct beside_view *v = s->v;
	unsigned lane = v->b->lane[s->lane];
	struct pen pen = pen_at(v->c, s->r.row, s->r.col + 1, s->r.col + s->r.cols);
	char words[APP_LANE_ITEMS];

	pen.role = v->app->active == lane && v->nr_lanes > 1 ? ROLE_FOCUS
							     : beside_lane_role(v, s->lane);
	pen_fmt(&pen, VALUE_KEY, "%c", 'A' + (int)lane);
	pen.role = ROLE_TEXT;
	const char *title = v->app->lane[lane].title;
	const char *design = zl_design_name(v->b->scene[s->lane].config.switches.design);
	pen_fmt(&pen, VALUE_KEY, title[0] != '\0' ? "  %s: " : "  ", title);
	/* Items in full where they fit, then policies by name, then those alone that make a lane. */
	lane_words(v->app, lane, words, sizeof(words));
	const int room = pen.end - pen.col - (s->lane == v->b->base ? BASELINE_COLS : 0);
	bool with_design = text_width(words) + DESIGN_COLS + text_width(design) <= room;
	if (!with_design) {
		lane_brief(v->app, lane, words, sizeof(words));
		with_design = text_width(words) + DESIGN_COLS + text_width(design) <= room;
	}
	pen_fmt(&pen, VALUE_SETTING_BASE + ZL_SET_KERNEL, with_design ? "%s design %s" : "%s",
		words, design);
	if (s->lane == v->b->base) {
		pen_fmt(&pen, VALUE_KEY, "  (baseline)");
	}
}

/* ---- all lanes ---- */

static int cells_of(int64_t v)
{
	char text[DRAW_TEXT];

	zl_format(text, sizeof(text), "%N", (uint64_t)v);
	return text_width(text);
}

/* Scales are common to all lanes, so that bars can be compared. */
static void set_scales(const struct beside_view *v, struct side *s)
{
	s->most_count = 1;
	s->most_free = 1;
	for (unsigned i = 0; i < v->b->nr_lanes; i++) {
		const struct zl_pageset_view *p = &v->b->scene[i].pageset;
		int64_t high = scene_full(p);
		int64_t end = p->threshold > p->ceiling ? p->threshold : p->ceiling;
		high = p->count > high ? p->count : high;
		s->most_count = high > s->most_count ? high : s->most_count;
		s->most_free = p->tuned && end > s->most_free ? end : s->most_free;
	}
	int count = cells_of(s->most_count), free_count = cells_of(s->most_free);
	s->scale = v->l.wide ? SCALE : SCALE_LONG;
	s->scale = count > s->scale ? count : s->scale;
	s->scale = free_count > s->scale ? free_count : s->scale;
}

static void draw_heading(const struct beside_view *v)
{
	const struct scene *s = &v->b->scene[v->lane[0]];
	const struct zl_record *r = &s->record;
	char op[64] = "";

	if (r->index > 0) {
		zl_format(op, sizeof(op),
			r->op.kind == ZL_OP_FREE || r->op.kind == ZL_OP_ALLOC
				? " · cpu %u %s o%u %c"
				: " · cpu %u %s",
			r->cpu, zl_op_kind_name((enum zl_op_kind)r->op.kind), r->order,
			zl_migratetype_letter(r->mt));
	}
	pagesets_heading(v->c, v->l.lanes, "One op, every lane: op %N of %N%s%s", s->at, s->total,
		op, v->cmp->complete ? "" : " · looking ahead");
}

void beside_draw_lanes(const struct beside_view *v)
{
	struct side s = {.v = v, .differ = beside_rows_differ(v->b)};
	struct rect before = canvas_clip(v->c, v->l.lanes);

	draw_heading(v);
	set_scales(v, &s);
	for (unsigned i = 0; i < v->nr_lanes; i++) {
		int col = v->l.lanes.col + (int)i * (v->l.lane_cols + 1);
		s.lane = v->lane[i];
		s.r = rect(v->l.lanes.row + 1, col, v->l.lanes.rows - 1, v->l.lane_cols);
		draw_name(&s);
		draw_gauges(&s);
		draw_term(&s, s.r.row + 4);
		draw_record(&s, s.r.row + 5);
		if (i > 0) {
			canvas_separator(v->c, col - 1, v->l.lanes.row + 1, v->l.lanes.rows - 1);
		}
	}
	canvas_clip(v->c, before);
}

/* ---- one lane only ---- */

static void draw_alone(const struct beside_view *v, struct rect body)
{
	const char *older = beside_older(v->app);
	char text[APP_LANE_ITEMS], words[APP_LANE_ITEMS];
	int row = body.row + 1;

	lane_words(v->app, v->app->active, words, sizeof(words));
	pagesets_heading(v->c, body, "One lane has nothing to be compared with");
	zl_format(text, sizeof(text), "Lane %c is %s: %s.", 'A' + (int)v->app->active,
		v->app->pagesets->title, words);
	canvas_value(v->c, at(row, body.col + 1), ROLE_TEXT, VALUE_LITERAL, text);
	row += 2;
	if (v->b->error.text[0] != '\0') {
		row += draw_wrapped(v->c, rect(row, body.col + 1, 4, body.cols - 2), ROLE_ERROR,
			VALUE_LITERAL, v->b->error.text);
		row++;
	}
	if (older[0] != '\0') {
		zl_format(text, sizeof(text),
			"Enter opens lane B: the same machine under %s, the design before.", older);
		canvas_value(v->c, at(row, body.col + 1), ROLE_SELECT, VALUE_LITERAL, text);
		row += 2;
	}
	static const char *const how[] = {
		":lane B:kernel=6.12.0             another release",
		":lane B:high_min=600,batch=31     other settings",
		":lane C:profile=NAME              another machine (`list profiles`)",
		":lane B off                       closes it",
		"A B C D                           focus a lane; u takes edits in it back",
	};
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++) {
		canvas_value(v->c, at(row++, body.col + 1), ROLE_TEXT, VALUE_LITERAL, how[i]);
	}
	canvas_value(v->c, at(row + 1, body.col + 1), ROLE_TEXT, VALUE_LITERAL,
		"Lanes run the same ops; here they stand beside each other at one op.");
}

/* ---- the screen ---- */

static void view_fill(
	const struct app *app, struct canvas *c, const struct layout *l, struct beside_view *ret)
{
	struct beside_needs needs;

	*ret = (struct beside_view){.app = app, .b = app->beside, .cmp = app->beside->c, .c = c};
	ret->nr_lanes = beside_visible(app, (unsigned)c->cols, ret->lane);
	needs = (struct beside_needs){.lanes = (int)ret->nr_lanes,
		.pairs = app->beside->nr_lanes > 2 ? (int)app->beside->nr_lanes - 1 : 1,
		.divergences = beside_divergence_lines(app),
		.totals = beside_totals_differing(app->beside),
		.axis = app->beside->axis};
	ret->l = layout_beside(l->body, &needs);
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct rect before = canvas_clip(c, l->body);
	struct beside_view v;

	if (app->beside == NULL || app->beside->c == NULL) {
		v = (struct beside_view){.app = app, .b = app->beside, .c = c};
		if (app->beside != NULL) {
			draw_alone(&v, l->body);
		}
	} else {
		view_fill(app, c, l, &v);
		beside_draw_axis(&v);
		beside_draw_lanes(&v);
		beside_draw_divergence(&v);
		beside_draw_totals(&v);
		beside_draw_timeline(&v);
	}
	canvas_clip(c, before);
}

#define HINT_WORDS 40 /* what stands around what the lanes did */

/* "First divergence, op 154: A flushes 72 pages, B keeps the block · n next" */
static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	const struct comparison *m = app->beside != NULL ? app->beside->c : NULL;
	char text[DRAW_TEXT + BESIDE_WHO], who[BESIDE_WHO];

	if (learn_pending(app)) {
		zl_format(text, sizeof(text), "%s",
			"What lanes do is hidden until you answer · 6 goes to the question");
	} else if (m == NULL) {
		zl_format(text, sizeof(text),
			"One lane · Enter opens the release before, :lane B:... another");
	} else if (comparison_pattern(m, m->at) != 0) {
		beside_who(app, (unsigned)row.cols - HINT_WORDS, who, sizeof(who));
		zl_format(text, sizeof(text), "%s, op %U: %s · n next",
			m->nr_first > 0 && m->first[0].op == m->at ? "First divergence"
								   : "They differ here",
			m->at, who);
	} else if (m->nr_first > 0) {
		zl_format(text, sizeof(text), "The lanes agree at op %U; %s · n N go there", m->at,
			m->at < m->first[0].op ? "they first differ later"
					       : "they differed before");
	} else {
		zl_format(text, sizeof(text), "%s",
			m->complete ? "The lanes agree on every op" : "The lanes agree so far");
	}
	canvas_value(c, at(row.row, row.col + 1), ROLE_TEXT, VALUE_RUN_OP, text);
}

/* Completions cover what is below the lanes. */
static struct rect slot(const struct app *app, const struct layout *l)
{
	struct rect r = l->body;

	(void)app;
	r.row += 7;
	r.rows -= 7;
	return r;
}

bool beside_op_at(const struct app *app, const struct layout *l, int row, int col, uint64_t *ret_op)
{
	struct beside_view v;
	struct canvas c = {.rows = l->body.rows + 3, .cols = l->body.cols};

	if (!beside_shown(app)) {
		return false;
	}
	view_fill(app, &c, l, &v);
	const struct timeline_window *w = &app->beside->window[0];
	int cell = col - BESIDE_CELLS_COL;
	if (!rect_contains(v.l.timeline, row, col) || cell < 0 || cell >= (int)w->cells) {
		return false;
	}
	*ret_op = w->from + ((uint64_t)cell << w->zoom);
	return true;
}

bool beside_lane_at(
	const struct app *app, const struct layout *l, int row, int col, struct beside_spot *ret)
{
	struct beside_view v;
	struct canvas c = {.rows = l->body.rows + 3, .cols = l->body.cols};

	if (!beside_shown(app)) {
		return false;
	}
	view_fill(app, &c, l, &v);
	unsigned i = (unsigned)(col / (v.l.lane_cols + 1));
	if (!rect_contains(v.l.lanes, row, col) || row == v.l.lanes.row || i >= v.nr_lanes) {
		return false;
	}
	ret->lane = v.b->lane[v.lane[i]];
	ret->row = (unsigned)(row - v.l.lanes.row - 2); /* the name has no row: a large number */
	return true;
}

const struct view_ops view_beside = {
	.screen = SCREEN_COMPARE,
	.name = "Compare",
	.keys = KEYMAP_COMPARE,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = plain_beside,
};
