/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pagesets: free blocks of the buddy by order and migratetype, and what an op changed there.
 */
#include "glossary.h"
#include "text_width.h"
#include "view_pagesets.h"
#include "views.h"
#include "zonelab/text.h"

#define STEP	   5
#define STEP_LONG  8 /* holds six digits */
#define STEP_LEAST 2
#define FIRST_END  11 /* column after the figure of order 0 */
#define LETTER	   2  /* columns of the migratetype */

struct buddy_table {
	const struct pagesets_view *v;
	struct rect area;
	int end[SCENE_ORDERS]; /* column after the figures of an order */
};

/* ---- columns ---- */

/* "+12", "" where nothing changed; returns the blocks. */
static int64_t change_text(
	const struct scene *s, unsigned order, unsigned mt, char *buf, size_t size)
{
	int64_t d = (int64_t)s->buddy[order][mt] - (int64_t)s->buddy_before[order][mt];

	zl_format(buf, size, d > 0 ? "+%D" : d < 0 ? "%D" : "", d);
	return d;
}

/* Columns of the longest figure of an order. */
static int longest(const struct scene *s, unsigned order)
{
	char text[DRAW_TEXT];
	uint64_t most = order;

	for (unsigned m = 0; m < ZL_MIGRATE_COUNT; m++) {
		most = s->buddy[order][m] > most ? s->buddy[order][m] : most;
	}
	zl_format(text, sizeof(text), "%N", most);
	int cols = text_width(text);
	for (unsigned m = 0; m < ZL_MIGRATE_COUNT && scene_flushed(s); m++) {
		change_text(s, order, m, text, sizeof(text));
		cols = text_width(text) > cols ? text_width(text) : cols;
	}
	return cols;
}

/* Columns of @step, wider where a figure is longer. Returns whether they fit. */
static bool place(struct buddy_table *b, int step)
{
	const struct scene *s = b->v->s;
	int first = LETTER + longest(s, 0) + 1;
	int end = first > FIRST_END || step < STEP ? first : FIRST_END;

	for (unsigned o = 0; o <= s->config.max_order; o++) {
		int need = longest(s, o) + 1;

		end += o == 0 ? 0 : need > step ? need : step;
		b->end[o] = b->area.col + end;
	}
	return end < b->area.cols;
}

/* The widest columns that fit, all alike where their figures let them. */
static void place_orders(struct buddy_table *b)
{
	bool any_long = false;

	for (unsigned o = 0; o <= b->v->s->config.max_order; o++) {
		any_long = any_long || longest(b->v->s, o) > STEP - 1;
	}
	if (any_long && place(b, STEP_LONG)) {
		return;
	}
	for (int step = STEP; step >= STEP_LEAST; step--) {
		if (place(b, step)) {
			return;
		}
	}
}

static struct at cell(const struct buddy_table *b, int row, unsigned order)
{
	const int before = order > 0 ? b->end[order - 1] : b->area.col + LETTER;

	return at_right(row, b->end[order], b->end[order] - before - 1);
}

/* ---- rows ---- */

static void draw_row(const struct buddy_table *b, int row, unsigned mt)
{
	const char letter[] = {zl_migratetype_letter((enum zl_migratetype)mt), '\0'};
	const struct scene *s = b->v->s;
	char text[DRAW_TEXT];

	canvas_text(b->v->c, at(row, b->area.col + 1), pagesets_mt_role(mt), letter);
	for (unsigned o = 0; o <= s->config.max_order; o++) {
		uint64_t n = s->buddy[o][mt];
		zl_format(text, sizeof(text), n == 0 ? "." : "%N", n);
		canvas_value(b->v->c, cell(b, row, o), ROLE_TEXT, VALUE_RUN_BUDDY_FREE, text);
	}
}

/* "flush adds +1 +1 = 368 pages": sums to the pages that left the pageset. */
static bool draw_change(const struct buddy_table *b, int row, unsigned mt)
{
	const struct scene *s = b->v->s;
	const char *label = s->record.free_high ? "flush adds" : "adds";
	int64_t pages = 0;
	int first = -1;
	char text[DRAW_TEXT];

	for (unsigned o = 0; o <= s->config.max_order; o++) {
		int64_t d = change_text(s, o, mt, text, sizeof(text));
		pages += d * (INT64_C(1) << o);
		if (d == 0) {
			continue;
		}
		canvas_value(b->v->c, cell(b, row, o), ROLE_LEAVING, VALUE_RUN_BUDDY_FREE, text);
		first = first < 0 ? (int)o : first;
	}
	if (first < 0 || s->record.drained == 0) {
		return first >= 0;
	}
	int col = b->end[first] - 6 - text_width(label);
	if (col > b->area.col) {
		canvas_text(b->v->c, at(row, col), ROLE_LEAVING, label);
	}
	/* The sum stands apart; nearer where the columns are wide, and not at all behind the edge. */
	zl_format(text, sizeof(text), "= %D pages", pages);
	int end = b->area.col + b->area.cols, last = b->end[s->config.max_order];
	int sum = last + 5 < end - text_width(text) ? last + 5 : end - text_width(text);
	if (sum > last) {
		canvas_value(b->v->c, at(row, sum), ROLE_LEAVING, VALUE_RUN_DRAINED, text);
	}
	return true;
}

static bool worth_a_row(const struct scene *s, unsigned mt)
{
	bool any = mt < ZL_MIGRATE_PCPTYPES;

	for (unsigned o = 0; o <= s->config.max_order; o++) {
		any = any || s->buddy[o][mt] > 0;
	}
	return any && s->has_type[mt];
}

static void draw_foot(const struct buddy_table *b, int row)
{
	const struct scene *s = b->v->s;
	struct pen pen = pen_at(b->v->c, row, b->area.col + 1, b->area.col + b->area.cols);

	if (s->zone_before.free != s->zone.free && scene_flushed(s)) {
		pen_fmt(&pen, VALUE_RUN_BUDDY_FREE, "free %N → %N pages",
			(uint64_t)s->zone_before.free, (uint64_t)s->zone.free);
		return;
	}
	pen_fmt(&pen, VALUE_RUN_BUDDY_FREE, "free %N pages", (uint64_t)s->zone.free);
	pen_fmt(&pen, VALUE_RUN_PARKED, "; pcp %N", (uint64_t)s->zone.parked);
	pen_fmt(&pen, VALUE_RUN_USED, "; allocated %N", (uint64_t)s->zone.used);
	pen_fmt(&pen, VALUE_MANAGED, "; all %N", s->config.pages);
}

/* ---- what types took from each other ---- */

/* "2 whole blocks" */
static void put_taken(struct pen *pen, bool *any, uint64_t n, const char *metric, const char *what)
{
	if (n > 0) {
		pen_fmt(pen, glossary_find(metric), "%s%N %s%s",
			*any ? ", " : "taken from another type: ", n, what, n == 1 ? "" : "s");
		*any = true;
	}
}

static void draw_taken(const struct buddy_table *b, int row)
{
	const struct zl_totals *t = &b->v->s->totals;
	struct pen pen = pen_at(b->v->c, row, b->area.col + 1, b->area.col + b->area.cols);
	bool any = false;

	put_taken(&pen, &any, t->whole, "fallback_whole", "whole block");
	put_taken(&pen, &any, t->claims, "fallback_claims", "pageblock");
	put_taken(&pen, &any, t->moves + t->steals, "fallback_steals", "smaller block");
	if (!any) {
		pen_fmt(&pen, VALUE_NONE, "no type took blocks of another");
	}
}

/* Types that have nothing here, by the kernel's names. */
static void draw_none(const struct buddy_table *b, int row)
{
	static const struct {
		enum zl_migratetype mt;
		const char *name;
	} types[] = {
		{ZL_MIGRATE_HIGHATOMIC, "HIGHATOMIC"},
		       {ZL_MIGRATE_CMA,	"CMA"	     },
		{ZL_MIGRATE_ISOLATE,    "ISOLATE"   }
	       };
	struct pen pen = pen_at(b->v->c, row, b->area.col + 1, b->area.col + b->area.cols);
	bool any = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!worth_a_row(b->v->s, types[i].mt)) {
			pen_fmt(&pen, VALUE_NONE, "%s%s", any ? ", " : "free blocks: none of ",
				types[i].name);
			any = true;
		}
	}
}

void pagesets_draw_buddy(const struct pagesets_view *v, struct rect area)
{
	struct buddy_table b = {.v = v, .area = area};
	const struct scene *s = v->s;
	int row = area.row + 1, last = area.row + area.rows - 1;
	bool flushed = scene_flushed(s);
	char text[DRAW_TEXT];

	place_orders(&b);
	pagesets_heading(v->c, area,
		v->l.other.rows > 0
			? "Buddy, free blocks per order"
			: "Buddy, free blocks per order (v: blocks, CPUs, settings, ops)");
	canvas_text(v->c, at(row, area.col + 1), ROLE_TEXT, "order");
	for (unsigned o = 0; o <= s->config.max_order; o++) {
		zl_format(text, sizeof(text), "%u", o);
		canvas_value(v->c, cell(&b, row, o), ROLE_TEXT, VALUE_RUN_BUDDY_FREE, text);
	}
	row++;
	for (unsigned m = 0; m < ZL_MIGRATE_COUNT && row < last; m++) {
		if (worth_a_row(s, m)) {
			draw_row(&b, row++, m);
		}
		if (flushed && m == (unsigned)s->record.mt && row < last) {
			row += draw_change(&b, row, m) ? 1 : 0;
		}
	}
	if (row + 1 <= last && v->l.full) {
		row++;
	}
	if (row <= last) {
		draw_foot(&b, row);
	}
	if (v->l.full && row + 3 <= last) {
		draw_taken(&b, row + 2);
		draw_none(&b, row + 3);
	}
}
