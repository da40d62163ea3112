/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pagesets: gauges, lists, and how the parts go together. Verdict, slot and timeline have files
 * of their own.
 */
#include "view_pagesets.h"

#include <stdarg.h>

#include "learn.h"
#include "text_width.h"
#include "zonelab/text.h"

#define FIGURE_END  19 /* column after the figure of a gauge */
#define BAR_COL	    21
#define PRESENT_GAP 2

void pen_fmt(struct pen *pen, unsigned id, const char *fmt, ...)
{
	char text[DRAW_TEXT];
	struct zl_text t;
	va_list ap;

	zl_text_init(&t, text, sizeof(text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	if (pen->col < pen->end) {
		pen->col = draw_tagged(pen->c, at_width(pen->row, pen->col, pen->end - pen->col),
			pen->role, id, text);
	}
}

void pagesets_heading(struct canvas *c, struct rect area, const char *fmt, ...)
{
	char text[DRAW_TEXT];
	struct zl_text t;
	va_list ap;

	zl_text_init(&t, text, sizeof(text));
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	struct rect row = rect(area.row, area.col, 1, area.cols);
	canvas_heading(c, row, text);
	canvas_tag(c, row, VALUE_RUN_CPU);
}

int pagesets_leaving(const struct pagesets_view *v, int whole)
{
	unsigned frame = v->p->all->frame, frames = v->p->all->frames;

	return frames == 0 ? whole : (int)((unsigned)whole * frame / frames);
}

enum role pagesets_mt_role(unsigned mt)
{
	switch ((enum zl_migratetype)mt) {
	case ZL_MIGRATE_UNMOVABLE:
		return ROLE_MT_UNMOVABLE;
	case ZL_MIGRATE_MOVABLE:
		return ROLE_MT_MOVABLE;
	case ZL_MIGRATE_RECLAIMABLE:
		return ROLE_MT_RECLAIMABLE;
	case ZL_MIGRATE_HIGHATOMIC:
		return ROLE_MT_HIGHATOMIC;
	case ZL_MIGRATE_CMA:
		return ROLE_MT_CMA;
	case ZL_MIGRATE_ISOLATE:
	case ZL_MIGRATE_COUNT:
		break;
	}
	return ROLE_DIM;
}

/* ---- gauges ---- */

unsigned pagesets_eighths(int64_t v, int64_t scale, int cells)
{
	if (v <= 0 || scale <= 0) {
		return 0;
	}
	uint64_t most = (uint64_t)cells * EIGHTHS;
	uint64_t n = ((uint64_t)v * most * 2 + (uint64_t)scale) / (2 * (uint64_t)scale);
	return (unsigned)(n < most ? n : most);
}

int pagesets_cell_of(int64_t v, int64_t scale, int cells)
{
	int64_t n = scale > 0 ? v * cells / scale : 0;

	return n < cells ? (int)n : cells - 1;
}

/* The gauges are a panel of Pagesets and of Learn. */
static bool gauge_focused(const struct pagesets_view *v, unsigned id)
{
	const unsigned panel =
		v->app->screen == SCREEN_LEARN ? (unsigned)LEARN_PANEL_VALUES : PAGESETS_GAUGES;

	return v->app->overlay == OVERLAY_NONE && v->app->panel == panel &&
	       pagesets_gauge_ids[v->app->row[panel] % PAGESETS_GAUGE_ROWS] == id;
}

static void draw_label(const struct pagesets_view *v, int row, unsigned id, int64_t figure)
{
	char text[DRAW_TEXT];
	bool focus = v->app->mode != MODE_PROMPT && gauge_focused(v, id);
	enum role role = focus ? ROLE_FOCUS : ROLE_TEXT;

	zl_format(text, sizeof(text), "%N", (uint64_t)figure);
	int end = draw_tagged(v->c, at(row, 1), role, id, value_info((enum value_id)id)->label);
	canvas_value(
		v->c, at_right(row, FIGURE_END, FIGURE_END - end - 1), role, (uint16_t)id, text);
}

/* What stands right of a bar: "high 583". */
static void draw_limit(const struct pagesets_view *v, int row, unsigned id, int64_t figure)
{
	struct pen pen = pen_at(v->c, row, BAR_COL + v->l.bar, v->c->cols);
	bool focus = gauge_focused(v, id);

	canvas_put(v->c, row, pen.col, ROLE_TEXT, GLYPH_BAR);
	pen.col += PRESENT_GAP;
	pen.role = focus ? ROLE_FOCUS : ROLE_TEXT;
	pen_fmt(&pen, id, "%s %N", value_info((enum value_id)id)->label, (uint64_t)figure);
	if (id == VALUE_RUN_HIGH && figure == 0 && scene_limit(&v->s->pageset) > 0) {
		pen_fmt(&pen, id, " until used");
	}
}

static void draw_count(const struct pagesets_view *v, int row)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	const int64_t high = scene_full(p);
	struct at bar = at_width(row, BAR_COL, v->l.bar);

	draw_label(v, row, VALUE_RUN_COUNT, p->count);
	if (scene_flushed(v->s)) {
		/* Where the pages were; in an animation they go one part after another. */
		unsigned was = pagesets_eighths(v->s->before.count, high, v->l.bar);
		int cells = (int)((was + EIGHTHS - 1) / EIGHTHS);
		int gone = pagesets_leaving(v, cells);
		canvas_bar(v->c, bar, ROLE_USED, v->p->all->frames > 0 ? was : 0);
		canvas_fill(v->c, at_width(row, BAR_COL + cells - gone, gone > 0 ? gone : 1),
			ROLE_LEAVING, gone > 0 ? GLYPH_LEAVING : ' ');
	} else {
		canvas_bar(v->c, bar, ROLE_USED, pagesets_eighths(p->count, high, v->l.bar));
	}
	draw_limit(v, row, VALUE_RUN_HIGH, p->high);
}

/* The counter against its threshold; a threshold out of reach stretches the scale. */
static void draw_counter(const struct pagesets_view *v, int row)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	bool never = v->s->verdict.never;
	int64_t scale = never ? p->threshold : p->ceiling;
	int wall = pagesets_cell_of(p->ceiling, scale, v->l.bar);

	draw_label(v, row, VALUE_RUN_FREE_COUNT, p->free_count);
	canvas_bar(v->c, at_width(row, BAR_COL, v->l.bar), ROLE_USED,
		pagesets_eighths(p->free_count, scale, v->l.bar));
	if (!never) {
		draw_limit(v, row, VALUE_RUN_CEILING, p->ceiling);
		return;
	}
	canvas_put(v->c, row, BAR_COL + wall, ROLE_CEILING, GLYPH_WALL);
	if (wall + 1 < v->l.bar) {
		canvas_fill(v->c, at_width(row, BAR_COL + wall + 1, v->l.bar - wall - 1), ROLE_WARN,
			GLYPH_LEAVING);
	}
	draw_limit(v, row, VALUE_RUN_THRESHOLD, p->threshold);
}

/* The ghost of the threshold that an open field would give. */
static void draw_ghost(const struct pagesets_view *v, int row, struct pen *pen)
{
	const struct zl_pageset_view *now = &v->s->pageset, *then = &v->p->preview->pageset;
	int mark = BAR_COL + pagesets_cell_of(now->threshold, now->ceiling, v->l.bar);
	int ghost = BAR_COL + pagesets_cell_of(then->threshold, now->ceiling, v->l.bar);

	if (!then->threshold_exists) {
		pen->role = ROLE_PREVIEW;
		pen_fmt(pen, VALUE_RUN_THRESHOLD,
			then->by_policy ? " no single threshold with %s %s"
					: " no free_high with %s %s",
			app_field_name(v->app), v->app->field);
		return;
	}
	ghost = ghost == mark ? mark + 1 : ghost;
	canvas_put(v->c, row, ghost, ROLE_PREVIEW, GLYPH_GHOST);
	pen->col = (ghost > mark ? ghost : mark) + PRESENT_GAP;
	pen->role = ROLE_PREVIEW;
	pen_fmt(pen, VALUE_RUN_THRESHOLD, "%N with %s %s", (uint64_t)then->threshold,
		app_field_name(v->app), v->app->field);
}

static void draw_threshold(const struct pagesets_view *v, int row)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	struct value_in in = app_values(v->app);
	struct source from = {.in = &in, .owner = VALUE_RUN_THRESHOLD};
	int mark = BAR_COL + pagesets_cell_of(p->threshold, p->ceiling, v->l.bar);
	struct pen pen = pen_at(v->c, row, mark + PRESENT_GAP, v->c->cols);

	draw_label(v, row, VALUE_RUN_THRESHOLD, p->threshold);
	canvas_put(v->c, row, mark, ROLE_THRESHOLD, GLYPH_UP);
	if (v->p->preview != NULL) {
		draw_ghost(v, row, &pen);
		return;
	}
	/* Where the mark stands far to the right the formula goes to its left. */
	if (mark > BAR_COL + v->l.bar * 2 / 3) {
		pen.col = BAR_COL;
		pen.end = mark - 1;
	}
	pen.col = draw_formula(
		v->c, at_width(row, pen.col, pen.end - pen.col), ROLE_TEXT, &from, FORMULA_SHORT);
	char more[64];
	zl_format(more, sizeof(more), "; reachable, ceiling = %d << %u", p->batch,
		v->s->config.scale_max);
	if (v->l.wide && !v->s->verdict.hidden && pen.col + text_width(more) <= pen.end) {
		pen_fmt(&pen, VALUE_RUN_CEILING, "%s", more);
	}
}

static void draw_out_of_reach(const struct pagesets_view *v, int row)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	int wall = BAR_COL + pagesets_cell_of(p->ceiling, p->threshold, v->l.bar);
	struct pen pen = pen_at(v->c, row, wall, v->c->cols);

	draw_label(v, row, VALUE_RUN_CEILING, p->ceiling);
	canvas_put(v->c, row, wall, ROLE_CEILING, GLYPH_CORNER);
	pen.col += PRESENT_GAP;
	pen.role = ROLE_WARN;
	pen_fmt(&pen, VALUE_RUN_CEILING, "counter stops here, %N short",
		(uint64_t)(p->threshold - p->ceiling));
}

/* Before 6.7 the counter is a shift. */
static void draw_factor(const struct pagesets_view *v, int row)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	struct pen pen = pen_at(v->c, row, BAR_COL, v->c->cols);

	draw_label(v, row, VALUE_RUN_FREE_FACTOR, p->free_factor);
	pen_fmt(&pen, VALUE_RUN_FREE_FACTOR, "a drain takes batch %d << %d", p->batch,
		p->free_factor);
	if (p->threshold_exists) {
		draw_label(v, row + 1, VALUE_RUN_THRESHOLD, p->threshold);
		pen = pen_at(v->c, row + 1, BAR_COL, v->c->cols);
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "high %d, once; then while free_factor > 0",
			p->threshold);
	} else {
		pen = pen_at(v->c, row + 1, BAR_COL, v->c->cols);
		pen_fmt(&pen, VALUE_RUN_HIGH, "no free_high before 5.18; drains at high %d",
			p->high);
	}
}

void pagesets_draw_gauges(const struct pagesets_view *v)
{
	const struct scene *s = v->s;
	struct rect a = v->l.gauges;
	struct value_in in = app_values(v->app);
	char kernel[DRAW_TEXT], zone[DRAW_TEXT], more[DRAW_TEXT] = "";

	value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, kernel, sizeof(kernel));
	if (v->l.wide) {
		zl_format(more, sizeof(more), " · managed %N pages, low watermark %N",
			s->config.managed, s->config.wmark_low);
	}
	run_zones_name(v->app, zone, sizeof(zone));
	pagesets_heading(v->c, a, "cpu %u of %u · %s · %s design %s%s", s->cpu, s->nr_cpus, zone,
		kernel, zl_design_name(s->config.switches.design), more);
	draw_count(v, a.row + 1);
	if (!s->pageset.tuned) {
		draw_factor(v, a.row + 2);
		return;
	}
	draw_counter(v, a.row + 2);
	if (s->verdict.never) {
		draw_out_of_reach(v, a.row + 3);
	} else {
		draw_threshold(v, a.row + 3);
	}
	if (a.rows > 4) {
		struct pen pen = pen_at(v->c, a.row + 4, 1, v->c->cols);
		pen_fmt(&pen, VALUE_RUN_HIGH, "high %N, between high_min %N and high_max %N",
			(uint64_t)s->pageset.high, (uint64_t)s->pageset.high_min,
			(uint64_t)s->pageset.high_max);
	}
}

/* ---- lists ---- */

/* Columns of the three migratetypes in the list table, narrow and wide. */
struct list_cols {
	int mt[ZL_MIGRATE_PCPTYPES];  /* of the heading */
	int end[ZL_MIGRATE_PCPTYPES]; /* after the last digit */
	int bar, bar_cells;
	int scale; /* cells that high would have */
};
static const struct list_cols narrow_cols = {
	.mt = {8, 21, 28},
	   .end = {9, 23, 30},
	       .bar = 10, .bar_cells = 12, .scale = 12
};
static const struct list_cols wide_cols = {
	.mt = {9,  27, 36},
	   .end = {10, 28, 37},
		.bar = 11, .bar_cells = 15, .scale = 24
};

static void draw_list_heads(const struct pagesets_view *v, const struct list_cols *cols, int row)
{
	static const char *const letters[] = {"U", "M", "R"};
	int left = v->l.lists.col;

	canvas_text(v->c, at(row, left + 1), ROLE_TEXT, "order");
	for (unsigned m = 0; m < ZL_MIGRATE_PCPTYPES; m++) {
		int end = canvas_text(
			v->c, at(row, left + cols->mt[m]), pagesets_mt_role(m), letters[m]);
		if (m == 0) {
			canvas_text(v->c, at(row, end + 1), ROLE_TEXT, "blocks");
		}
	}
}

/* Eighths of a list's bar: its pages against high; a block always shows. */
static unsigned list_eighths(const struct pagesets_view *v, uint32_t blocks, unsigned order)
{
	const struct list_cols *cols = v->l.wide ? &wide_cols : &narrow_cols;
	const struct zl_pageset_view *p = &v->s->pageset;
	const uint64_t high = (uint64_t)scene_full(p);
	uint64_t pages = (uint64_t)blocks << order;
	uint64_t most = (uint64_t)cols->bar_cells * EIGHTHS;
	uint64_t n = high > 0 ? (pages * (uint64_t)cols->scale * EIGHTHS + high - 1) / high : most;

	return (unsigned)(n < most ? n : most);
}

static void draw_list_leaving(const struct pagesets_view *v, int row, unsigned order, uint32_t was)
{
	const struct list_cols *cols = v->l.wide ? &wide_cols : &narrow_cols;
	int col = v->l.lists.col + cols->bar;
	unsigned n = list_eighths(v, was, order);
	int cells = (int)((n + EIGHTHS - 1) / EIGHTHS);
	int gone = pagesets_leaving(v, cells);

	canvas_bar(v->c, at_width(row, col, cols->bar_cells), ROLE_USED,
		v->p->all->frames > 0 ? n : 0);
	if (gone > 0) {
		canvas_fill(
			v->c, at_width(row, col + cells - gone, gone), ROLE_LEAVING, GLYPH_LEAVING);
	}
	canvas_text(v->c, at(row, col + cells + 1), ROLE_LEAVING, "→ buddy");
}

/* Whether pages of this order left their list in the present op: their row says so. */
static bool row_is_leaving(const struct scene *s, unsigned order)
{
	for (unsigned i = 0; scene_flushed(s) && i < s->pageset.nr_lists; i++) {
		if (s->list_order[i] == order && s->list_mt[i] == ZL_MIGRATE_UNMOVABLE &&
			(s->before.lists[i] > 0 || s->record.order == order)) {
			return true;
		}
	}
	return false;
}

static void draw_list(const struct pagesets_view *v, int row, unsigned i)
{
	const struct list_cols *cols = v->l.wide ? &wide_cols : &narrow_cols;
	const struct scene *s = v->s;
	unsigned order = s->list_order[i], mt = s->list_mt[i];
	uint32_t blocks = s->pageset.lists[i];
	char text[DRAW_TEXT];
	bool freed = scene_flushed(s) && s->record.order == order && s->record.mt == mt;
	/* The block that was freed is part of what leaves. */
	uint32_t was = s->before.lists[i] + (freed ? 1 : 0);
	bool leaving = scene_flushed(s) && was > blocks && mt == ZL_MIGRATE_UNMOVABLE;
	int end = v->l.lists.col + cols->end[mt];

	if (was == 0 && mt != ZL_MIGRATE_UNMOVABLE && row_is_leaving(s, order)) {
		return;
	}
	zl_format(text, sizeof(text), blocks == 0 ? "." : "%N", (uint64_t)blocks);
	if (scene_flushed(s) && was > blocks) {
		zl_format(text, sizeof(text), "%N", (uint64_t)was);
	}
	int width = text_width(text);
	canvas_value(v->c, at_right(row, end, width), ROLE_TEXT, VALUE_RUN_BLOCKS, text);
	if (leaving) {
		draw_list_leaving(v, row, order, was);
	} else if (mt == ZL_MIGRATE_UNMOVABLE && blocks > 0) {
		canvas_bar(v->c, at_width(row, v->l.lists.col + cols->bar, cols->bar_cells),
			ROLE_USED, list_eighths(v, blocks, order));
	}
}

static void draw_flags(const struct pagesets_view *v)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	struct rect a = v->l.lists;
	struct pen pen = pen_at(v->c, a.row + a.rows - 2, a.col + 1, a.col + a.cols);

	if (!p->tuned) {
		pen_fmt(&pen, VALUE_RUN_BATCH, "batch %d  free_factor %d", p->batch,
			p->free_factor);
		return;
	}
	pen_fmt(&pen, VALUE_RUN_BATCH, "batch %d  ", p->batch);
	pen_fmt(&pen, VALUE_RUN_ALLOC_FACTOR, "alloc_factor %d  ", p->alloc_factor);
	pen_fmt(&pen, VALUE_RUN_HIGH_MAX, "high_max %N", (uint64_t)p->high_max);
	pen = pen_at(v->c, a.row + a.rows - 1, a.col + 1, a.col + a.cols);
	pen_fmt(&pen, VALUE_RUN_PREV_HIGH_ORDER, "flags%s%s%s",
		p->prev_free_high_order ? " PREV_FREE_HIGH_ORDER" : "",
		p->free_high_batch ? " FREE_HIGH_BATCH" : "",
		p->prev_free_high_order || p->free_high_batch ? "" : " none");
}

static void draw_lists(const struct pagesets_view *v)
{
	const struct scene *s = v->s;
	struct rect a = v->l.lists;
	int row = a.row + 1;
	struct rect before = canvas_clip(v->c, a);
	unsigned last = UINT32_MAX;

	pagesets_heading(v->c, a, "Lists, blocks per order");
	draw_list_heads(v, v->l.wide ? &wide_cols : &narrow_cols, row);
	for (unsigned i = 0; i < s->pageset.nr_lists; i++) {
		if (s->list_order[i] != last) {
			last = s->list_order[i];
			row++;
			char text[DRAW_TEXT];
			zl_format(text, sizeof(text), "%u", last);
			canvas_value(v->c, at_right(row, a.col + 4, 2), ROLE_TEXT, VALUE_RUN_BLOCKS,
				text);
		}
		draw_list(v, row, i);
	}
	if (v->app->panel == PAGESETS_LISTS && v->app->overlay == OVERLAY_NONE) {
		canvas_paint(v->c, rect(a.row + 1, a.col + 1, 1, 5), ROLE_FOCUS);
	}
	if (a.rows > 8) {
		draw_flags(v);
	}
	canvas_clip(v->c, before);
}

/* ---- the screen ---- */

/* Gauges, lists, verdict and timeline are never covered by completions. */
static struct rect slot(const struct app *app, const struct layout *l)
{
	struct layout_pagesets p = layout_pagesets(l->body);

	(void)app;
	return rect(p.slot.row, l->body.col, p.slot.rows, l->body.cols);
}

static void separate(struct canvas *c, struct rect right)
{
	if (right.rows > 0) {
		canvas_separator(c, right.col - 1, right.row, right.rows);
	}
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct pagesets_view v = {.app = app,
		.p = app->pagesets,
		.s = &app->pagesets->scene,
		.c = c,
		.l = layout_pagesets(l->body)};
	struct rect before = canvas_clip(c, l->body);

	pagesets_draw_gauges(&v);
	draw_lists(&v);
	pagesets_draw_verdict(&v);
	separate(c, v.l.verdict);
	if (v.l.settings.rows > 0) {
		pagesets_draw_settings(&v, v.l.settings);
		separate(c, v.l.settings);
	}
	if (v.l.other.rows > 0) {
		/* What stands elsewhere already gives way to the ops. */
		const bool ops = v.p->all->slot == SLOT_BUDDY ||
				 (v.p->all->slot == SLOT_SETTINGS && v.l.settings.rows > 0);
		pagesets_draw_slot(&v, v.l.slot, SLOT_BUDDY);
		pagesets_draw_slot(&v, v.l.other, ops ? SLOT_OPS : v.p->all->slot);
		separate(c, v.l.other);
	} else {
		pagesets_draw_slot(&v, v.l.slot, v.p->all->slot);
	}
	if (v.l.cpus.rows > 0) {
		pagesets_draw_cpus(&v, v.l.cpus);
	}
	if (v.l.map.rows > 0) {
		pagesets_draw_map(&v, v.l.map);
	}
	pagesets_draw_timeline(&v);
	canvas_clip(c, before);
}

static void hint_flush(const struct scene *s, char *text, size_t size)
{
	const struct zl_record *r = &s->record;
	int64_t blocks = -(int64_t)1;

	if (r->count == 0) {
		blocks = 1;
		for (unsigned i = 0; i < s->before.nr_lists; i++) {
			blocks += s->before.lists[i];
		}
	}
	struct zl_text t;
	zl_text_init(&t, text, size);
	zl_text_fmt(&t, "FLUSH at op %U: ", r->index);
	if (blocks > 0) {
		zl_text_fmt(&t, "%N block%s ", (uint64_t)blocks, blocks == 1 ? "" : "s");
		if (blocks << r->order == r->drained) {
			zl_text_fmt(&t, "of order %u ", r->order);
		}
		zl_text_fmt(&t, "left cpu %u ", s->cpu);
	} else {
		zl_text_fmt(&t, "%N pages left cpu %u ", (uint64_t)r->drained, s->cpu);
	}
	zl_text_fmt(&t, r->bulk_calls == 1 ? "in one zone-lock hold" : "in %N zone-lock holds",
		(uint64_t)r->bulk_calls);
}

static bool before_first_flush(const struct app *app)
{
	const struct scene *s = &app->pagesets->scene;
	const struct timeline *t = pagesets_timeline(app);

	return s->has_next && s->next.free_high && timeline_find(t, 0, 1, MARK_FLUSH) == s->at + 1;
}

static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	const struct scene *s = &app->pagesets->scene;
	char text[DRAW_TEXT];
	enum role role = ROLE_TEXT;

	if (s->verdict.hidden) {
		zl_format(text, sizeof(text),
			"What comes next is hidden until you answer · 6 goes to the question");
	} else if (scene_flushed(s)) {
		hint_flush(s, text, sizeof(text));
	} else if (before_first_flush(app)) {
		zl_format(text, sizeof(text),
			"%s one op before the first flush · Space plays, . steps into it",
			app->pagesets->all->playing ? "Playing:" : "Paused");
	} else if (s->verdict.never) {
		zl_format(text, sizeof(text),
			"Warning: threshold %N lies above the ceiling %N · w why",
			(uint64_t)s->pageset.threshold, (uint64_t)s->pageset.ceiling);
		role = ROLE_WARN;
	} else if (pagesets_caption(app)[0] != '\0') {
		zl_format(text, sizeof(text), "%s", pagesets_caption(app));
	} else {
		zl_format(text, sizeof(text), "op %U: %s", s->at,
			zl_reason_sentence(s->record.reason));
	}
	canvas_value(c, at(row.row, row.col + 1), role, VALUE_RUN_OP, text);
}

const struct view_ops view_pagesets = {
	.screen = SCREEN_PAGESETS,
	.name = "Pagesets",
	.keys = KEYMAP_PAGESETS,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = plain_pagesets,
};
