/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learn: a step of a lesson. Gauges, timeline and lists are those of Pagesets.
 */
#include "view_learn.h"

#include <string.h>

#include "text_width.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define GAUGE_ROWS   3
#define VALUE_END    40 /* column after a value */
#define FORMULA_COL  44
#define LABEL_COL    1
#define CELLS_COL    9 /* of the timeline */
#define GLYPH_DOWN   0x25bc
#define GLOSSARY_MAX 4

/* ---- text ---- */

int learn_wrap(struct canvas *c, struct rect area, unsigned id, const char *text)
{
	int lines = 0;

	while (*text != '\0') {
		char line[LEARN_TEXT];
		size_t n = text_fit(text, area.cols - 2);

		if (c != NULL && lines < area.rows) {
			zl_format(line, sizeof(line), "%s", text);
			line[n < sizeof(line) ? n : sizeof(line) - 1] = '\0';
			canvas_value(c, at_width(area.row + lines, area.col + 1, area.cols - 1),
				ROLE_TEXT, (uint16_t)id, line);
		}
		lines++;
		text += n;
		text += strspn(text, " ");
	}
	return lines;
}

/* ---- head ---- */

static void draw_steps(const struct learn *l, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (unsigned i = 0; i < l->lesson.nr_steps; i++) {
		zl_text_fmt(&t, i == l->step ? "[%u] " : "%u ", i + 1);
	}
}

static void draw_head(const struct app *app, struct canvas *c, const struct layout_learn *at)
{
	const struct learn *l = app->learn;
	char where[64], steps[64];

	if (l->index != SIZE_MAX) {
		zl_format(where, sizeof(where), "Lesson %u of %u", (unsigned)l->index + 1,
			(unsigned)zl_shipped_count(ZL_SHIPPED_LESSONS));
	} else {
		zl_format(where, sizeof(where), "Lesson");
	}
	if (at->wide) {
		draw_steps(l, steps, sizeof(steps));
	} else {
		zl_format(steps, sizeof(steps), "step %u of %u", l->step + 1, l->lesson.nr_steps);
	}
	pagesets_heading(c, at->head, "%s: %s   %s", where, l->lesson.title, steps);
	canvas_tag(c, at->head, VALUE_POSITION);
}

/* ---- values of a machine ---- */

static const char *label_of(const struct app *app, unsigned id)
{
	return id < VALUE_COUNT ? value_info((enum value_id)id)->label
				: setting_label(app_values(app).machine,
					  (enum zl_setting)(id - VALUE_SETTING_BASE));
}

static void draw_value_row(
	const struct app *app, struct canvas *c, struct rect area, unsigned id, unsigned i)
{
	struct value_in in = app_values(app);
	struct source from = {.in = &in, .owner = (enum value_id)id};
	const int row = area.row + 1 + (int)i;
	char text[DRAW_TEXT];
	bool focus = view_focused(app, LEARN_PANEL_VALUES, i);
	enum role role = focus ? ROLE_FOCUS : ROLE_TEXT;

	if (learn_highlights(app, id)) {
		canvas_put(c, row, area.col, ROLE_SELECT, GLYPH_PRESENT);
		role = focus ? ROLE_FOCUS : ROLE_SELECT;
	}
	(void)draw_tagged(c, at(row, area.col + LABEL_COL + 1), role, id, label_of(app, id));
	value_text(&in, id, text, sizeof(text));
	canvas_value(
		c, at_right(row, area.col + VALUE_END, text_width(text)), role, (uint16_t)id, text);
	if (id < VALUE_COUNT) {
		const int room = area.cols - FORMULA_COL - 1;

		formula_text(&in, id, value_formula(&in, id, FORMULA_FULL), text, sizeof(text));
		draw_formula(c, at_width(row, area.col + FORMULA_COL, room), ROLE_TEXT, &from,
			text_width(text) <= room ? FORMULA_FULL : FORMULA_HOW);
	}
}

static void draw_values(const struct app *app, struct canvas *c, struct rect area)
{
	struct value_in in = app_values(app);
	unsigned ids[ZL_LESSON_NAMES_MAX];
	size_t n = learn_shown(app, ids, ZL_LESSON_NAMES_MAX);
	char machine[DRAW_TEXT] = "";
	static const enum zl_setting keys[] = {
		ZL_SET_ARCH, ZL_SET_PAGE_SIZE, ZL_SET_KERNEL, ZL_SET_MEMORY, ZL_SET_CPUS};
	struct zl_text t;

	zl_text_init(&t, machine, sizeof(machine));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char text[64];
		value_text(&in, VALUE_SETTING_BASE + keys[i], text, sizeof(text));
		zl_text_fmt(&t, "%s%s", i > 0 ? " · " : "", text);
	}
	zl_text_str(&t, in.machine->cpus == 1 ? " CPU" : " CPUs");
	pagesets_heading(c, area, "%s", machine);
	for (unsigned i = 0; i < n && (int)i + 1 < area.rows; i++) {
		draw_value_row(app, c, area, ids[i], i);
	}
}

/* ---- timeline and status ---- */

static void draw_point(const struct pagesets_view *v, int row)
{
	const struct learn *l = v->app->learn;
	const struct timeline_window *w = &v->p->window;

	if (!learn_pending(v->app) || learn_step(l)->question.kind != ZL_LESSON_POINT ||
		l->typed == LEARN_NEVER || (uint64_t)l->typed < w->from) {
		return;
	}
	uint64_t cell = ((uint64_t)l->typed - w->from) >> w->zoom;
	if (cell < w->cells) {
		canvas_put(v->c, row, CELLS_COL + (int)cell, ROLE_FOCUS, GLYPH_DOWN);
	}
}

static void draw_timeline(const struct pagesets_view *v, struct rect area)
{
	int row = area.row;

	if (area.rows > 1) {
		pagesets_heading(v->c, area, "Timeline, %N op%s per cell, from op %N of %N",
			UINT64_C(1) << v->p->window.zoom, v->p->window.zoom > 0 ? "s" : "",
			v->p->window.from, v->s->total);
		row++;
	}
	if (area.rows > 0) {
		pagesets_draw_curve(v, row);
		draw_point(v, row);
	}
}

static void draw_status(const struct app *app, struct canvas *c, struct rect row)
{
	const struct learn *l = app->learn;
	struct pen pen = pen_at(c, row.row, 1, c->cols);
	char text[64];

	if (learn_has_run(app)) {
		pen_fmt(&pen, VALUE_RUN_OP, "op %N of %N · ", app->pagesets->scene.at,
			app->pagesets->scene.total);
	}
	pen_fmt(&pen, VALUE_POSITION, "%u of %u questions answered · seed %U", l->answered,
		learn_questions(l), l->seed);
	zl_format(text, sizeof(text), "Score %u of %u", l->right, l->answered);
	canvas_value(c, at_right(row.row, c->cols - 1, text_width(text)), ROLE_TEXT, VALUE_POSITION,
		text);
}

/* Right and wrong so far, in a row of words. */
static void draw_past(const struct app *app, struct canvas *c, struct rect area)
{
	const struct learn *l = app->learn;
	struct pen pen = pen_at(c, area.row + 1, 1, c->cols);

	if (area.rows == 0) {
		return;
	}
	pagesets_heading(c, area, "So far");
	if (l->answered == 0) {
		canvas_text(c, at(area.row + 1, 1), ROLE_DIM, "no question answered yet");
	}
	for (unsigned i = 0; i < l->lesson.nr_steps; i++) {
		if (l->mark[i] == LEARN_UNASKED) {
			continue;
		}
		bool ok = l->mark[i] == LEARN_RIGHT;
		pen.role = ok ? ROLE_OK : ROLE_WARN;
		pen_fmt(&pen, VALUE_POSITION, ok ? "ok" : "no");
		pen.role = ROLE_TEXT;
		pen_fmt(&pen, VALUE_POSITION, " step %u    ", i + 1);
	}
}

/* ---- glossary beside the question ---- */

static int draw_entry(const struct app *app, struct canvas *c, struct rect area, unsigned id)
{
	struct explain e;
	char text[LEARN_TEXT];

	if (!learn_explain(app, id, &e)) {
		return 0;
	}
	zl_format(text, sizeof(text), "%s = %s: %s", e.name, e.value, e.definition);
	return learn_wrap(c, area, id, text);
}

static void draw_glossary(const struct app *app, struct canvas *c, struct rect area)
{
	const struct zl_lesson_names *h = &learn_step(app->learn)->highlight;
	unsigned ids[GLOSSARY_MAX];
	size_t n = 0;

	if (area.rows == 0) {
		return;
	}
	if (learn_step(app->learn)->question.kind != ZL_LESSON_NOTHING) {
		ids[n++] = app->learn->asked;
	}
	for (unsigned i = 0; i < h->count && n < GLOSSARY_MAX; i++) {
		unsigned id = learn_find(app, h->item[i].s);
		if (n == 0 || id != ids[0]) {
			ids[n++] = id;
		}
	}
	pagesets_heading(c, area, "Glossary (the same text as w)");
	canvas_separator(c, area.col - 1, area.row, area.rows);
	int row = 1;
	for (size_t i = 0; i < n && row < area.rows; i++) {
		row += draw_entry(
			app, c, rect(area.row + row, area.col, area.rows - row, area.cols), ids[i]);
	}
}

/* ---- the screen ---- */

static struct learn_needs needs_of(const struct app *app, int cols)
{
	const struct learn *l = app->learn;
	const bool run = learn_has_run(app);
	const struct rect any = rect(0, 0, 0, cols);
	struct learn_needs n = {.run = run,
		.caption = learn_wrap(NULL, any, VALUE_LITERAL, l->caption),
		.values = run ? GAUGE_ROWS : (int)learn_panel_rows(app, LEARN_PANEL_VALUES),
		.task = learn_task_lines(app, cols)};

	for (unsigned i = 0; run && i < app->pagesets->scene.pageset.nr_lists; i++) {
		const struct scene *s = &app->pagesets->scene;
		n.lists += i == 0 || s->list_order[i] != s->list_order[i - 1] ? 1 : 0;
	}
	return n;
}

static void draw_run(const struct app *app, struct canvas *c, const struct layout_learn *l)
{
	struct pagesets_view v = {
		.app = app,
		.p = app->pagesets,
		.s = &app->pagesets->scene,
		.c = c,
		.l = {.wide = l->wide, .full = l->full, .bar = l->bar, .gauges = l->values}
	   };
	struct rect before = canvas_clip(c, l->values);

	pagesets_draw_gauges(&v);
	canvas_clip(c, before);
	learn_draw_lists(&v, l->lists);
	learn_draw_inputs(&v, l->inputs);
	if (l->inputs.rows > 0) {
		canvas_separator(c, l->inputs.col - 1, l->inputs.row, l->inputs.rows);
	}
	draw_timeline(&v, l->timeline);
}

/* Makes the values that the caption speaks of stand out. */
static void mark_highlights(const struct app *app, struct canvas *c, struct rect area)
{
	for (int row = area.row; row < area.row + area.rows; row++) {
		for (int col = area.col; col < area.col + area.cols; col++) {
			const struct cell *cell = canvas_cell(c, row, col);
			if (cell->role == ROLE_TEXT && learn_highlights(app, cell->id)) {
				canvas_paint(c, rect(row, col, 1, 1), ROLE_SELECT);
			}
		}
	}
}

static void draw_lesson(const struct app *app, struct canvas *c, struct rect body)
{
	const struct learn_needs needs = needs_of(app, body.cols);
	struct layout_learn l = layout_learn(body, &needs);

	draw_head(app, c, &l);
	(void)learn_wrap(c, l.caption, VALUE_LITERAL, app->learn->caption);
	if (learn_has_run(app)) {
		draw_run(app, c, &l);
		mark_highlights(app, c, l.values);
		mark_highlights(app, c, l.lists);
		mark_highlights(app, c, l.inputs);
	} else {
		draw_values(app, c, l.values);
	}
	learn_draw_task(app, c, l.task);
	draw_glossary(app, c, l.glossary);
	draw_past(app, c, l.past);
	draw_status(app, c, l.status);
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct rect before = canvas_clip(c, l->body);

	if (learn_open_now(app)) {
		draw_lesson(app, c, l->body);
	} else {
		learn_draw_list(app, c, l->body);
	}
	canvas_clip(c, before);
}

static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	const struct learn *l = app->learn;
	const char *text = "Choose a lesson, then Enter · Tab goes to the glossary";

	if (learn_pending(app)) {
		text = learn_step(l)->question.kind == ZL_LESSON_CHOICE
			       ? "Choose with the arrows, then Enter · the answer is run, not "
				 "looked up"
		       : learn_step(l)->question.kind == ZL_LESSON_NUMBER
			       ? "Left and right choose a digit, up and down change it, then Enter"
			       : "Left, right: one op; up, down: ten; End: never · then Enter";
	} else if (learn_open_now(app) && l->phase == LEARN_PLAY) {
		text = "Playing the answer · Enter goes to its end";
	} else if (learn_open_now(app) && l->phase == LEARN_END) {
		text = "This was the lesson · Enter goes back to the list";
	} else if (learn_open_now(app)) {
		text = "Enter goes on";
	}
	canvas_value(c, at(row.row, row.col + 1), ROLE_TEXT, VALUE_KEY, text);
}

static struct rect slot(const struct app *app, const struct layout *l)
{
	(void)app;
	return rect(l->body.row + l->body.rows / 2, l->body.col, l->body.rows / 2, l->body.cols);
}

const struct view_ops view_learn = {
	.screen = SCREEN_LEARN,
	.name = "Learn",
	.keys = KEYMAP_LEARN,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = learn_plain,
};
