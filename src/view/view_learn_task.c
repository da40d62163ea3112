/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The question of a step with what is chosen, the explanation after it, and what the answer is
 * made from.
 */
#include <string.h>

#include "text_width.h"
#include "view_learn.h"
#include "zonelab/text.h"

#define CHOICE_COL  5
#define MARK_COL    2
#define TEN	    10
#define ORDERS_MAX  16
#define ANSWER_END  42 /* column after yes or no, narrow */
#define ANSWER_WIDE 52
#define INPUT_ROWS  4
#define LIST_CELLS  10

/* ---- question ---- */

static void draw_choices(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;

	for (unsigned i = 0; i < learn_step(l)->question.nr_choices; i++) {
		const int row = area.row + (int)i;
		bool focus = i == l->choice;
		bool lit = focus && app->panel == LEARN_PANEL_MAIN && app->overlay == OVERLAY_NONE;

		if ((int)i >= area.rows) {
			return;
		}
		if (focus) {
			canvas_put(c, row, area.col + MARK_COL, ROLE_FOCUS, GLYPH_PRESENT);
		}
		canvas_text(c, at(row, area.col + CHOICE_COL), ROLE_TEXT, focus ? "(o)" : "( )");
		canvas_value(c,
			at_width(row, area.col + CHOICE_COL + 4, area.cols - CHOICE_COL - 5),
			lit ? ROLE_FOCUS : ROLE_TEXT, VALUE_LITERAL, l->choice_text[i]);
	}
}

static void draw_digits(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;
	const unsigned digits = learn_step(l)->question.digits;
	int64_t rest = l->typed;

	for (unsigned i = 0; i < digits; i++) {
		const char text[] = {(char)('0' + rest % TEN), '\0'};
		const int col = area.col + CHOICE_COL + 2 * (int)(digits - 1 - i);
		canvas_value(c, at(area.row, col), i == l->digit ? ROLE_FOCUS : ROLE_TEXT,
			(uint16_t)l->asked, text);
		if (i == l->digit) {
			canvas_put(c, area.row, area.col + MARK_COL, ROLE_FOCUS, GLYPH_PRESENT);
		}
		rest /= TEN;
	}
	canvas_value(c, at(area.row, area.col + CHOICE_COL + 2 * (int)digits), ROLE_TEXT,
		VALUE_LITERAL, learn_step(l)->question.unit);
}

static void draw_op(const struct app *app, struct canvas *c, struct rect area)
{
	char text[64];

	canvas_put(c, area.row, area.col + MARK_COL, ROLE_FOCUS, GLYPH_PRESENT);
	if (app->learn->typed == LEARN_NEVER) {
		zl_format(text, sizeof(text), "never in this run");
	} else {
		zl_format(text, sizeof(text), "op %N", (uint64_t)app->learn->typed);
	}
	canvas_value(c, at(area.row, area.col + CHOICE_COL), ROLE_FOCUS, VALUE_RUN_OP, text);
}

static void draw_question(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;
	struct rect left = rect(area.row + 1, area.col, area.rows - 1, area.cols);
	int lines = learn_wrap(c, left, VALUE_LITERAL, l->ask);
	const struct zl_lesson_question *q = &learn_step(l)->question;
	int need = q->kind == ZL_LESSON_CHOICE ? (int)q->nr_choices : 1;

	pagesets_heading(c, area, "Your prediction");
	/* A blank line where there is room for one. */
	lines += area.rows - 1 - lines > need ? 1 : 0;
	left.row += lines;
	left.rows -= lines;
	if (q->kind == ZL_LESSON_CHOICE) {
		draw_choices(app, c, left);
	} else if (q->kind == ZL_LESSON_NUMBER) {
		draw_digits(app, c, left);
	} else {
		draw_op(app, c, left);
	}
}

/* ---- explanation ---- */

static bool told(const struct learn *l)
{
	return l->phase == LEARN_TOLD || l->phase == LEARN_END;
}

static void draw_told(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;
	struct rect left = rect(area.row + 1, area.col, area.rows - 1, area.cols);
	char text[LEARN_TEXT];

	pagesets_heading(c, area, "What happened, and why");
	learn_verdict_text(l, text, sizeof(text));
	int n = learn_wrap(c, left, VALUE_LITERAL, text);
	canvas_paint(c, rect(left.row, left.col + 1, n < left.rows ? n : left.rows, left.cols - 1),
		l->mark[l->step] == LEARN_RIGHT ? ROLE_OK : ROLE_WARN);
	left = rect(left.row + n, left.col, left.rows - n, left.cols);
	n = learn_wrap(c, left, VALUE_LITERAL, l->wrong);
	left = rect(left.row + n, left.col, left.rows - n, left.cols);
	(void)learn_wrap(c, left, VALUE_LITERAL, l->explain);
}

static void draw_end(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;
	char text[96];

	pagesets_heading(c, area, "The end of the lesson");
	zl_format(text, sizeof(text), "%u of %u predictions right.", l->right, l->answered);
	canvas_value(c, at(area.row + 1, area.col + 1), ROLE_TEXT, VALUE_POSITION, text);
	(void)learn_wrap(c, rect(area.row + 2, area.col, area.rows - 2, area.cols), VALUE_LITERAL,
		"Another attempt has other numbers. On Pagesets the run can be looked at before "
		"you go on.");
}

void learn_draw_task(const struct app *app, struct canvas *c, struct rect area)
{
	struct rect before = canvas_clip(c, area);

	if (area.rows > 0 && learn_pending(app)) {
		draw_question(app, c, area);
	} else if (area.rows > 0 && app->learn->phase == LEARN_END) {
		draw_end(app, c, area);
	} else if (area.rows > 0 && told(app->learn) && app->learn->explain[0] != '\0') {
		draw_told(app, c, area);
	}
	canvas_clip(c, before);
}

int learn_task_lines(const struct app *app, int cols)
{
	const struct learn *l = app->learn;
	const struct zl_lesson_question *q = &learn_step(l)->question;
	const struct rect any = rect(0, 0, 0, cols);

	/* The same room before and after the answer, so that nothing jumps. */
	int asks = q->kind == ZL_LESSON_NOTHING
			   ? 0
			   : learn_wrap(NULL, any, VALUE_LITERAL, l->ask) +
				     (q->kind == ZL_LESSON_CHOICE ? (int)q->nr_choices : 1);
	char verdict[LEARN_TEXT];
	learn_verdict_text(l, verdict, sizeof(verdict));
	int tells = learn_wrap(NULL, any, VALUE_LITERAL, l->explain) +
		    learn_wrap(NULL, any, VALUE_LITERAL, l->wrong) +
		    learn_wrap(NULL, any, VALUE_LITERAL, verdict);
	return asks > tells ? asks : tells;
}

/* ---- lists ---- */

static bool order_has_blocks(const struct scene *s, unsigned order)
{
	for (unsigned i = 0; i < s->pageset.nr_lists; i++) {
		if (s->list_order[i] == order && s->pageset.lists[i] > 0) {
			return true;
		}
	}
	return false;
}

/* Orders that find room: those with blocks, then the largest. */
static unsigned pick_orders(const struct scene *s, unsigned room, uint8_t ret[ORDERS_MAX])
{
	uint8_t all[ORDERS_MAX];
	bool taken[ORDERS_MAX] = {false};
	unsigned n = 0, count = 0;

	for (unsigned i = 0; i < s->pageset.nr_lists && n < ORDERS_MAX; i++) {
		if (n == 0 || all[n - 1] != s->list_order[i]) {
			all[n++] = s->list_order[i];
		}
	}
	for (unsigned i = 0; i < n && count < room; i++) {
		taken[i] = order_has_blocks(s, all[i]);
		count += taken[i] ? 1 : 0;
	}
	for (unsigned i = n; i > 0 && count < room; i--) {
		count += taken[i - 1] ? 0 : 1;
		taken[i - 1] = true;
	}
	count = 0;
	for (unsigned i = 0; i < n; i++) {
		if (taken[i]) {
			ret[count++] = all[i];
		}
	}
	return count;
}

static void draw_list_row(const struct pagesets_view *v, struct rect area, int row, unsigned order)
{
	static const int ends[] = {10, 23, 30}; /* columns after the figures of U, M, R */
	const struct scene *s = v->s;
	const int64_t high = scene_full(&s->pageset);
	char text[32];

	zl_format(text, sizeof(text), "%u", order);
	canvas_value(v->c, at_right(row, area.col + 4, 2), ROLE_TEXT, VALUE_RUN_BLOCKS, text);
	for (unsigned i = 0; i < s->pageset.nr_lists; i++) {
		unsigned mt = s->list_mt[i];
		uint32_t n = s->pageset.lists[i];

		if (s->list_order[i] != order || mt >= ZL_MIGRATE_PCPTYPES) {
			continue;
		}
		zl_format(text, sizeof(text), n == 0 ? "." : "%N", (uint64_t)n);
		canvas_value(v->c, at_right(row, area.col + ends[mt], text_width(text)), ROLE_TEXT,
			VALUE_RUN_BLOCKS, text);
		if (mt == 0 && n > 0 && high > 0) {
			uint64_t most = (uint64_t)LIST_CELLS * EIGHTHS;
			uint64_t eighths = ((uint64_t)n << order) * most / (uint64_t)high;
			eighths = eighths == 0 ? 1 : eighths < most ? eighths : most;
			canvas_bar(v->c, at_width(row, area.col + ends[0] + 1, LIST_CELLS),
				ROLE_USED, (unsigned)eighths);
		}
	}
}

void learn_draw_lists(const struct pagesets_view *v, struct rect area)
{
	uint8_t orders[ORDERS_MAX];
	struct rect before = canvas_clip(v->c, area);

	if (area.rows > 2) {
		pagesets_heading(v->c, area, "Lists, blocks per order");
		canvas_text(v->c, at(area.row + 1, area.col + 1), ROLE_TEXT, "order   U blocks");
		canvas_text(v->c, at(area.row + 1, area.col + 22), ROLE_TEXT, "M");
		canvas_text(v->c, at(area.row + 1, area.col + 29), ROLE_TEXT, "R");
		unsigned n = pick_orders(v->s, (unsigned)area.rows - 2, orders);
		for (unsigned i = 0; i < n; i++) {
			draw_list_row(v, area, area.row + 2 + (int)i, orders[i]);
		}
	}
	canvas_clip(v->c, before);
}

/* ---- inputs ---- */

static void put_term(
	const struct pagesets_view *v, struct rect area, int row, unsigned id, const char *answer)
{
	int end = area.col + (v->l.wide ? ANSWER_WIDE : ANSWER_END);

	canvas_value(v->c, at_right(row, end, text_width(answer)),
		answer[0] == 'y' ? ROLE_OK : ROLE_TEXT, (uint16_t)id, answer);
}

/* What the condition looks at: of the next free, or of the one that was played. */
static void draw_condition(const struct pagesets_view *v, struct rect area)
{
	const bool asked = learn_pending(v->app);
	const bool asks = learn_step(v->app->learn)->question.kind != ZL_LESSON_NOTHING;
	const struct zl_pageset_view *p = asked || !asks ? &v->s->pageset : &v->s->before;
	const bool flag = p->free_high_batch;
	struct pen pen = pen_at(v->c, area.row + 1, area.col + 1, area.col + area.cols);

	if (!p->tuned) {
		pen_fmt(&pen, VALUE_RUN_FREE_FACTOR, "free_factor %d    ", p->free_factor);
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "high %d", p->high);
	} else {
		pen_fmt(&pen, VALUE_RUN_FREE_COUNT, "free_count %N    ", (uint64_t)p->free_count);
		pen_fmt(&pen, VALUE_RUN_THRESHOLD, "threshold %N", (uint64_t)p->threshold);
		pen = pen_at(v->c, area.row + 2, area.col + 1, area.col + area.cols);
		pen_fmt(&pen, VALUE_RUN_PREV_HIGH_ORDER, "previous free was order 1..3");
		put_term(v, area, area.row + 2, VALUE_RUN_PREV_HIGH_ORDER,
			p->prev_free_high_order ? "yes" : "no");
		pen = pen_at(v->c, area.row + 3, area.col + 1, area.col + area.cols);
		pen_fmt(&pen, VALUE_RUN_BATCH_FLAG, "not FREE_HIGH_BATCH, or count >= %d",
			p->batch);
		put_term(v, area, area.row + 3, VALUE_RUN_BATCH_FLAG,
			!flag || p->count >= p->batch ? "yes" : "no");
	}
	pen = pen_at(v->c, area.row + 4, area.col + 1, area.col + area.cols);
	const struct zl_record *r = &v->s->record;
	if (!asks) {
		return; /* what is, not what the next free does */
	}
	if (asked) {
		pen_fmt(&pen, VALUE_RUN_FLUSHED, " => ?  hidden until you answer");
	} else if (r->index == 0) {
		pen_fmt(&pen, VALUE_RUN_OP, " => no op yet");
	} else if (r->op.kind != ZL_OP_FREE) {
		pen_fmt(&pen, VALUE_RUN_OP, " => not asked: only a free looks at it");
	} else if (r->free_high) {
		pen.role = ROLE_ALERT;
		pen_fmt(&pen, VALUE_RUN_DRAINED, " => FLUSHED %N pages", (uint64_t)r->drained);
	} else {
		pen_fmt(&pen, VALUE_RUN_COUNT, " => no flush, count %N",
			(uint64_t)v->s->pageset.count);
	}
}

/* Figures of the run have the prefix of the pageset where a machine's value is called alike. */
static const char *input_label(unsigned id)
{
	const char *name = value_name(id);

	return strncmp(name, "pcp_", 4) == 0 && id < VALUE_COUNT ? name + 4 : name;
}

/* What any other value is made from: as it is, and after the answer as it was before. */
static void draw_plain_inputs(const struct pagesets_view *v, struct rect area)
{
	const struct learn *l = v->app->learn;
	const struct value_in in = app_values(v->app);
	const bool pending = learn_pending(v->app);
	const bool asks = learn_step(l)->question.kind != ZL_LESSON_NOTHING;
	const size_t rows = (size_t)area.rows - 2 < INPUT_ROWS ? (size_t)area.rows - 2 : INPUT_ROWS;
	unsigned ids[INPUT_ROWS];
	size_t n = learn_inputs(v->app, ids, rows);
	int row = area.row + 1;
	char text[160], line[176];

	if (asks && !pending) {
		n = l->nr_inputs < rows ? l->nr_inputs : rows;
		memcpy(ids, l->input, n * sizeof(ids[0]));
	}
	for (size_t i = 0; i < n; i++) {
		struct pen pen = pen_at(v->c, row++, area.col + 1, area.col + area.cols);
		if (pending || !asks) {
			value_text(&in, ids[i], text, sizeof(text));
		} else {
			zl_format(text, sizeof(text), "%s", l->input_text[i]);
		}
		pen_fmt(&pen, ids[i], "%s %s", input_label(ids[i]), text);
	}
	if (asks) {
		learn_answer_text(l, l->answer, text, sizeof(text));
		zl_format(line, sizeof(line), " => %s",
			pending ? "?  hidden until you answer" : text);
		(void)learn_wrap(v->c, rect(row, area.col, area.row + area.rows - row, area.cols),
			l->asked, line);
	}
}

void learn_draw_inputs(const struct pagesets_view *v, struct rect area)
{
	const struct learn *l = v->app->learn;
	const struct zl_lesson_step *s = learn_step(l);
	const bool asks = s->question.kind != ZL_LESSON_NOTHING;
	struct rect before = canvas_clip(v->c, area);

	if (area.rows > 2 && s->show.count == 0 && (!asks || l->asked == VALUE_RUN_FLUSHED)) {
		pagesets_heading(v->c, area, "Inputs of free_high");
		draw_condition(v, area);
	} else if (area.rows > 2) {
		pagesets_heading(v->c, area,
			!asks		    ? "Values"
			: s->show.count > 0 ? "What is known"
					    : "Inputs of %s",
			input_label(l->asked));
		draw_plain_inputs(v, area);
	}
	canvas_clip(v->c, before);
}
