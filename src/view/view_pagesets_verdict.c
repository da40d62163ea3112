/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The condition of free_high, term by term with its operands, and what follows from it. The
 * verdict is always in the same place.
 */
#include "text_width.h"
#include "view_pagesets.h"
#include "zonelab/text.h"

#define TERMS	    3
#define ANSWER_END  42 /* column after yes or no, narrow */
#define ANSWER_WIDE 52
#define TEXT_COL    1
#define WIDE_TEXT   4

/* What the panel is about: the next free, or the flush that just happened. */
struct about {
	const struct scene_verdict *v;
	const struct zl_pageset_view *p;
	bool past;
};

static void draw_answer(const struct pagesets_view *v, int row, unsigned term, const char *word)
{
	static const enum value_id ids[TERMS] = {
		VALUE_RUN_THRESHOLD, VALUE_RUN_PREV_HIGH_ORDER, VALUE_RUN_BATCH_FLAG};
	int end = v->l.verdict.col + (v->l.wide ? ANSWER_WIDE : ANSWER_END);
	bool yes = word[0] == 'y', never = word[0] == 'N';
	enum role role = never ? ROLE_WARN : yes ? ROLE_OK : ROLE_TEXT;
	int width = text_width(word);

	canvas_value(v->c, at_right(row, end, width), role, (uint16_t)ids[term], word);
	if (v->app->overlay == OVERLAY_NONE && v->app->panel == PAGESETS_VERDICT &&
		v->app->row[PAGESETS_VERDICT] == term) {
		canvas_paint(v->c, rect(row, end - width, 1, width), ROLE_FOCUS);
	}
}

static struct pen term_pen(const struct pagesets_view *v, unsigned term)
{
	struct rect a = v->l.verdict;
	struct pen pen = pen_at(v->c, a.row + 1 + (int)term, a.col + TEXT_COL, a.col + a.cols);

	if (v->l.wide) {
		pen_fmt(&pen, VALUE_POSITION, "%u", term + 1);
		pen.col = a.col + WIDE_TEXT;
	}
	return pen;
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* The first term under an open field: now, and then. */
static void draw_first_preview(const struct pagesets_view *v, const struct about *a)
{
	const struct scene *then = v->p->preview;
	struct pen pen = term_pen(v, 0);
	char answer[32];

	pen_fmt(&pen, VALUE_RUN_FREE_COUNT, "free_count %N", (uint64_t)a->p->free_count);
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, " >= %N", (uint64_t)a->p->threshold);
	pen.role = ROLE_PREVIEW;
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, " → %N", (uint64_t)then->pageset.threshold);
	zl_format(answer, sizeof(answer), "%s → %s", yes_no(a->v->term[0]),
		then->verdict.never ? "NEVER" : yes_no(then->verdict.term[0]));
	draw_answer(v, pen.row, 0, answer);
}

static void draw_first(const struct pagesets_view *v, const struct about *a)
{
	struct pen pen = term_pen(v, 0);

	if (!a->p->tuned) {
		pen_fmt(&pen, VALUE_RUN_FREE_FACTOR, "free_factor %d > 0", a->p->free_factor);
		draw_answer(v, pen.row, 0, yes_no(a->v->term[0]));
		return;
	}
	if (v->p->preview != NULL && v->p->preview->verdict.exists) {
		draw_first_preview(v, a);
		return;
	}
	pen_fmt(&pen, VALUE_RUN_FREE_COUNT, a->past ? "free_count was %N" : "free_count %N",
		(uint64_t)a->p->free_count);
	if (v->l.wide && !a->v->never) {
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, " >= threshold %N", (uint64_t)a->p->threshold);
	} else {
		pen_fmt(&pen, VALUE_RUN_THRESHOLD,
			a->v->never || a->past ? " >= %N" : " >= %N threshold",
			(uint64_t)a->p->threshold);
	}
	draw_answer(v, pen.row, 0, a->v->never ? "NEVER" : yes_no(a->v->term[0]));
}

/* free_high by policy: its figure if it has one, what it says, and its text. */
static void draw_policy(const struct pagesets_view *v, const struct about *a)
{
	const struct zl_policy_set *set = v->p->scene.config.policies;
	struct pen pen = term_pen(v, 0);

	if (a->v->no_threshold) {
		pen_fmt(&pen, VALUE_RUN_FREE_COUNT, "free_count %d, no single threshold",
			a->p->free_count);
	} else {
		draw_first(v, a);
	}
	pen = term_pen(v, 1);
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "free_high by policy");
	draw_answer(v, pen.row, 1, yes_no(a->v->fires));
	pen = term_pen(v, 2);
	if (zl_policy_has(set, ZL_POINT_FREE_HIGH)) {
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "%s", set->policy[ZL_POINT_FREE_HIGH].text);
	}
}

static void draw_terms(const struct pagesets_view *v, const struct about *a)
{
	if (a->v->by_policy) {
		draw_policy(v, a);
		return;
	}
	draw_first(v, a);
	struct pen pen = term_pen(v, 1);
	if (!a->p->tuned) {
		pen_fmt(&pen, VALUE_RUN_COUNT, "this free is of order 1..3");
		draw_answer(v, pen.row, 1, "yes");
		return;
	}
	pen_fmt(&pen, VALUE_RUN_PREV_HIGH_ORDER,
		v->l.wide ? "previous free was of order 1..3" : "previous free was order 1..3");
	draw_answer(v, pen.row, 1, yes_no(a->v->term[1]));
	pen = term_pen(v, 2);
	pen_fmt(&pen, VALUE_RUN_BATCH_FLAG, "not FREE_HIGH_BATCH, or count >= %d", a->p->batch);
	draw_answer(v, pen.row, 2, yes_no(a->v->term[2]));
}

/* The formulas instead of the terms where the first can never hold. */
static void draw_never(const struct pagesets_view *v, const struct about *a)
{
	const struct zl_pageset_view *p = a->p;
	struct rect r = v->l.verdict;
	bool half = v->s->config.switches.design >= ZL_DESIGN_C;
	struct pen pen;

	draw_first(v, a);
	pen = term_pen(v, 1);
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, half ? "threshold %d + %N / 2 = %N" : "threshold %d",
		p->batch, (uint64_t)p->high_min, (uint64_t)p->threshold);
	pen = term_pen(v, 2);
	pen_fmt(&pen, VALUE_RUN_CEILING, "ceiling   %d << %u       = %N", p->batch,
		v->s->config.scale_max, (uint64_t)p->ceiling);
	int col = r.col + TEXT_COL + (v->l.wide ? 0 : 1);
	pen = pen_at(v->c, r.row + 4, col, r.col + r.cols);
	pen.role = ROLE_WARN;
	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "=> free_high CANNOT FIRE here");
	pen = pen_at(v->c, r.row + 5, col, r.col + r.cols);
	pen_fmt(&pen, VALUE_RUN_HIGH, "Pages leave only at high %N,",
		(uint64_t)(p->high > p->high_min ? p->high : p->high_min));
	pen = pen_at(v->c, r.row + 6, col, r.col + r.cols);
	pen_fmt(&pen, VALUE_RUN_HIGH, "by decay ticks, or by a drain.");
}

static void fmt_blocks(struct pen *pen, const struct scene_verdict *w, bool wide)
{
	if (w->flush_blocks < 0) {
		pen_fmt(pen, VALUE_RUN_CEILING, ", the most at once");
	} else {
		pen_fmt(pen, VALUE_RUN_BLOCKS, wide ? ", %N block%s" : ", all %N block%s",
			(uint64_t)w->flush_blocks, w->flush_blocks == 1 ? "" : "s");
	}
}

/* What the free would do where it does not flush. */
static void draw_stays(const struct pagesets_view *v, const struct about *a, struct pen *pen)
{
	const struct scene_verdict *w = a->v;
	int64_t after = a->p->count + (INT64_C(1) << w->order);

	const int64_t limit = scene_drain_from(a->p, &v->s->zone, w->order);

	if (after >= limit) {
		pen_fmt(pen, VALUE_RUN_HIGH, "=> count %N reaches %s %N: drains", (uint64_t)after,
			limit == scene_limit(a->p) ? "high" : "the limit", (uint64_t)limit);
	} else {
		pen_fmt(pen, VALUE_RUN_COUNT, "=> to list, count %N", (uint64_t)after);
	}
	pen->row++;
	pen->col = v->l.verdict.col + (v->l.wide ? TEXT_COL : TEXT_COL + 4);
	if (w->frees_left > 1) {
		pen_fmt(pen, VALUE_RUN_THRESHOLD, "flush at free %N in a row from here",
			(uint64_t)w->frees_left);
	}
}

static void draw_preview(const struct pagesets_view *v, struct pen *pen)
{
	const struct scene *then = v->p->preview;
	const struct scene_verdict *w = &then->verdict;

	pen->role = ROLE_PREVIEW;
	if (!w->exists) {
		pen_fmt(pen, VALUE_RUN_THRESHOLD, "△ preview: no free_high there");
	} else if (w->fires) {
		pen_fmt(pen, VALUE_RUN_COUNT, "△ preview: FLUSH %N pages",
			(uint64_t)w->flush_pages);
	} else {
		pen_fmt(pen, VALUE_RUN_COUNT, "△ preview: to list, count %N",
			(uint64_t)(then->pageset.count + (INT64_C(1) << w->order)));
	}
}

static void draw_flush(const struct pagesets_view *v, const struct about *a, struct pen *pen)
{
	const struct scene_verdict *w = a->v;
	int64_t size = INT64_C(1) << w->order;

	pen->role = ROLE_ALERT;
	pen_fmt(pen, VALUE_RUN_COUNT, "=> FLUSH %N pages", (uint64_t)w->flush_pages);
	pen->role = ROLE_TEXT;
	if (v->l.wide) {
		pen_fmt(pen, VALUE_RUN_COUNT, " = min(%N + %N, %N)", (uint64_t)a->p->count,
			(uint64_t)size, (uint64_t)a->p->ceiling);
		fmt_blocks(pen, w, true);
		return;
	}
	if (v->p->preview == NULL) {
		fmt_blocks(pen, w, false);
	}
	pen->row++;
	pen->col = v->l.verdict.col + TEXT_COL + (v->p->preview != NULL ? 1 : 4);
	if (v->p->preview != NULL) {
		draw_preview(v, pen);
	} else {
		pen_fmt(pen, VALUE_RUN_COUNT,
			a->p->tuned ? "min(count %N + %N, ceiling %N)" : "count %N + %N",
			(uint64_t)a->p->count, (uint64_t)size, (uint64_t)a->p->ceiling);
	}
}

/* After a flush: what it took, and what the next free meets. */
static void draw_flushed(const struct pagesets_view *v, struct pen *pen)
{
	const struct zl_record *r = &v->s->record;
	const struct scene_verdict *next = &v->s->verdict;
	const struct zl_pageset_view *p = &v->s->pageset;
	int64_t blocks = 1;

	for (unsigned i = 0; i < v->s->before.nr_lists; i++) {
		blocks += v->s->before.lists[i];
	}
	pen->role = ROLE_ALERT;
	pen_fmt(pen, VALUE_RUN_DRAINED, "FLUSHED %N pages", (uint64_t)r->drained);
	if (r->count == 0) {
		pen_fmt(pen, VALUE_RUN_BLOCKS, ", %N block%s", (uint64_t)blocks,
			blocks == 1 ? "" : "s");
	}
	pen_fmt(pen, VALUE_RUN_LOCKS, ", %u hold%s", r->bulk_calls, r->bulk_calls == 1 ? "" : "s");
	pen->role = ROLE_TEXT;
	pen->row++;
	pen->col = v->l.verdict.col + TEXT_COL + (v->l.wide ? 0 : 1);
	if (!p->tuned) {
		pen_fmt(pen, VALUE_RUN_FREE_FACTOR, "next: free_factor %d, %s", p->free_factor,
			next->fires ? "flushes each free" : "no flush");
	} else {
		pen_fmt(pen, VALUE_RUN_FREE_COUNT,
			next->term[0] ? "next: %N >= %N, %s" : "next: %N < %N, %s",
			(uint64_t)p->free_count, (uint64_t)p->threshold,
			next->fires ? "flushes each free" : "no flush");
	}
}

/* ---- what other releases would say ---- */

/* The same pageset, other rules: only the threshold differs between B and later. */
static void draw_other(
	const struct pagesets_view *v, const struct about *a, int row, enum zl_design_id design)
{
	const struct zl_pageset_view *p = a->p;
	struct rect r = v->l.verdict;
	struct pen pen = pen_at(v->c, row, r.col + TEXT_COL, r.col + r.cols);
	int32_t threshold = design == ZL_DESIGN_B ? p->batch : p->batch + p->high_min / 2;
	bool fires = p->free_count >= threshold && a->v->term[1] && a->v->term[2];
	bool never = design != ZL_DESIGN_B && threshold > p->ceiling;

	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "with %s: %N %s %N, %s", zl_design_releases(design),
		(uint64_t)p->free_count, p->free_count >= threshold ? ">=" : "<",
		(uint64_t)threshold,
		never	? "can never fire"
		: fires ? "flush"
			: "no flush yet");
	if (fires && design >= ZL_DESIGN_D19) {
		uint64_t holds = (uint64_t)((a->v->flush_pages + p->batch - 1) / p->batch);
		pen_fmt(&pen, VALUE_RUN_LOCKS, " in %N holds", holds);
	}
}

static void draw_others(const struct pagesets_view *v, const struct about *a)
{
	static const enum zl_design_id designs[] = {ZL_DESIGN_B, ZL_DESIGN_C, ZL_DESIGN_D71};
	struct rect r = v->l.verdict;
	int row = r.row + 8;
	enum zl_design_id now = v->s->config.switches.design;

	for (size_t i = 0; i < sizeof(designs) / sizeof(designs[0]); i++) {
		if (designs[i] != now && row < r.row + r.rows && a->p->tuned) {
			draw_other(v, a, row++, designs[i]);
		}
	}
}

/* What a flush leads to, for who has never seen one. */
static void draw_then(const struct pagesets_view *v, const struct about *a)
{
	struct rect r = v->l.verdict;
	struct pen pen = pen_at(v->c, r.row + 6, r.col + TEXT_COL, r.col + r.cols);
	uint64_t size = UINT64_C(1) << a->v->order;

	if (a->past || !a->v->fires || v->p->preview != NULL || !a->p->tuned) {
		return;
	}
	pen_fmt(&pen, VALUE_RUN_COUNT, "then: each free flushes itself (%N pages, one lock),",
		size);
	pen = pen_at(v->c, r.row + 7, r.col + TEXT_COL, r.col + r.cols);
	pen_fmt(&pen, VALUE_RUN_FREE_COUNT, "until allocations on cpu %u halve free_count below %N",
		v->s->cpu, (uint64_t)a->p->threshold);
}

static void draw_none(const struct pagesets_view *v)
{
	struct rect r = v->l.verdict;
	struct pen pen = pen_at(v->c, r.row + 1, r.col + TEXT_COL, r.col + r.cols);

	pen_fmt(&pen, VALUE_RUN_THRESHOLD, "No free_high here: it came with 5.18.");
	pen = pen_at(v->c, r.row + 5, r.col + TEXT_COL + 1, r.col + r.cols);
	pen_fmt(&pen, VALUE_RUN_HIGH, "=> pages leave at high %N", (uint64_t)v->s->pageset.high);
}

/* While a prediction is pending: what the condition looks at, not what it says. */
static void draw_hidden(const struct pagesets_view *v)
{
	const struct zl_pageset_view *p = &v->s->pageset;
	struct rect r = v->l.verdict;
	struct pen pen = pen_at(v->c, r.row + 1, r.col + TEXT_COL, r.col + r.cols);

	pagesets_heading(v->c, r, "Will the next free of order 1..3 flush?");
	if (p->tuned) {
		pen_fmt(&pen, VALUE_RUN_FREE_COUNT, "free_count %N    ", (uint64_t)p->free_count);
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "threshold %N", (uint64_t)p->threshold);
	} else {
		pen_fmt(&pen, VALUE_RUN_FREE_FACTOR, "free_factor %d", p->free_factor);
	}
	pen = pen_at(v->c, r.row + 5, r.col + TEXT_COL + 1, r.col + r.cols);
	pen_fmt(&pen, VALUE_RUN_FLUSHED, "=> ?  hidden until you answer");
}

void pagesets_draw_verdict(const struct pagesets_view *v)
{
	bool past = scene_flushed(v->s);
	struct about a = {.v = past ? &v->s->was : &v->s->verdict,
		.p = past ? &v->s->before : &v->s->pageset,
		.past = past};
	struct rect r = v->l.verdict;
	struct rect before = canvas_clip(v->c, r);
	struct pen pen = pen_at(v->c, r.row + (v->l.wide ? 4 : 5),
		r.col + TEXT_COL + (v->l.wide ? 0 : 1), r.col + r.cols);

	if (v->s->verdict.hidden) {
		draw_hidden(v);
		canvas_clip(v->c, before);
		return;
	}
	pagesets_heading(
		v->c, r, past ? "It flushed, because" : "Will the next free of order 1..3 flush?");
	if (!a.v->exists) {
		draw_none(v);
	} else if (a.v->never && a.p->tuned) {
		draw_never(v, &a);
	} else {
		draw_terms(v, &a);
		if (past) {
			draw_flushed(v, &pen);
		} else if (a.v->fires) {
			draw_flush(v, &a, &pen);
		} else {
			draw_stays(v, &a, &pen);
		}
		if (v->l.wide) {
			draw_then(v, &a);
		}
	}
	if (v->l.wide && r.rows > 8) {
		draw_others(v, &a);
	}
	canvas_clip(v->c, before);
}
