/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lessons with their scores, and the glossary: any name, what it is made from and what is made
 * from it.
 */

#include "glossary.h"
#include "text_width.h"
#include "view_learn.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define NUMBER_END    4
#define TITLE_COL     6
#define GLOSSARY_ROWS 6
#define NAME_COLS     34

static void draw_lessons(const struct app *app, struct canvas *c, struct rect area)
{
	const size_t n = zl_shipped_count(ZL_SHIPPED_LESSONS);
	const size_t room = (size_t)area.rows - 1;
	const size_t chosen = app->row[LEARN_PANEL_MAIN];
	const size_t first = chosen >= room ? chosen - room + 1 : 0;
	char text[64];

	pagesets_heading(c, area, "Lessons");
	canvas_tag(c, area, VALUE_POSITION);
	for (size_t i = first; i < n && i < first + room; i++) {
		const int row = area.row + 1 + (int)(i - first);
		bool focus = view_focused(app, LEARN_PANEL_MAIN, (unsigned)i);
		enum role role = focus ? ROLE_FOCUS : i == chosen ? ROLE_SELECT : ROLE_TEXT;

		if (i == chosen) {
			canvas_put(c, row, area.col, role, GLYPH_PRESENT);
		}
		zl_format(text, sizeof(text), "%u", (unsigned)i + 1);
		canvas_value(
			c, at_right(row, area.col + NUMBER_END, 2), role, VALUE_POSITION, text);
		learn_score_words(app->learn, i, text, sizeof(text));
		const int score = text_width(text);
		canvas_value(c,
			at_width(row, area.col + TITLE_COL, area.cols - TITLE_COL - score - 2),
			role, VALUE_LITERAL, app->learn->title[i]);
		canvas_value(c, at_right(row, area.col + area.cols - 1, score), ROLE_TEXT,
			VALUE_POSITION, text);
	}
}

/* ---- glossary ---- */

static void join_inputs(const struct explain *e, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_str(&t, e->nr_inputs > 0 ? "made from: " : "");
	for (size_t i = 0; i < e->nr_inputs; i++) {
		zl_text_fmt(&t, "%s%s", i > 0 ? ", " : "", e->input[i].name);
	}
}

static void join_feeds(const struct explain *e, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_str(&t, e->nr_feeds > 0 ? "used by: " : "");
	for (size_t i = 0; i < e->nr_feeds; i++) {
		zl_text_fmt(&t, "%s%s", i > 0 ? ", " : "", value_name(e->feeds[i]));
	}
}

static void draw_entry(const struct app *app, struct canvas *c, struct rect area, unsigned id)
{
	struct explain e;
	char text[LEARN_TEXT];
	bool focus = view_focused(app, LEARN_PANEL_VALUES, app->row[LEARN_PANEL_VALUES]);

	if (!learn_explain(app, id, &e)) {
		return;
	}
	explain_head(&e, text, sizeof(text));
	canvas_put(c, area.row, area.col, focus ? ROLE_FOCUS : ROLE_SELECT, GLYPH_PRESENT);
	canvas_value(c, at_width(area.row, area.col + 2, area.cols - 3),
		focus ? ROLE_FOCUS : ROLE_SELECT, (uint16_t)id, text);
	struct rect left = rect(area.row + 1, area.col + 1, area.rows - 1, area.cols - 1);
	int lines = learn_wrap(c, left, id, e.definition);
	left = rect(left.row + lines, left.col, left.rows - lines, left.cols);
	join_inputs(&e, text, sizeof(text));
	lines = learn_wrap(c, left, id, text);
	left = rect(left.row + lines, left.col, left.rows - lines, left.cols);
	join_feeds(&e, text, sizeof(text));
	lines = learn_wrap(c, left, id, text);
	left = rect(left.row + lines, left.col, left.rows - lines, left.cols);
	if (e.value[0] == '\0') {
		(void)learn_wrap(c, left, id, e.formula);
	}
}

/* Names around the chosen one, where there is room for them. */
static void draw_names(const struct app *app, struct canvas *c, struct rect area)
{
	const size_t n = glossary_count();
	const size_t chosen = app->row[LEARN_PANEL_VALUES], rows = (size_t)area.rows;
	size_t first = chosen > rows / 2 ? chosen - rows / 2 : 0;

	first = n > rows && first > n - rows ? n - rows : first;
	for (size_t i = first; i < n && i < first + rows; i++) {
		unsigned id = glossary_at(i);
		canvas_value(c, at_width(area.row + (int)(i - first), area.col + 2, area.cols - 3),
			i == chosen ? ROLE_SELECT : ROLE_TEXT, (uint16_t)id, glossary_name(id));
		canvas_value(c,
			at_right(area.row + (int)(i - first), area.col + area.cols - 1,
				text_width(glossary_kind(id))),
			ROLE_DIM, (uint16_t)id, glossary_kind(id));
	}
}

static void draw_glossary(const struct app *app, struct canvas *c, struct rect area)
{
	const unsigned row = app->row[LEARN_PANEL_VALUES];
	struct rect entry = rect(area.row + 1, area.col, area.rows - 1, area.cols);

	pagesets_heading(c, area, "Glossary (/ searches, Enter explains)");
	canvas_tag(c, area, VALUE_POSITION);
	if (area.rows > 3 * GLOSSARY_ROWS) {
		struct rect names =
			rect(entry.row, entry.col, entry.rows - 2 * GLOSSARY_ROWS, entry.cols);
		draw_names(app, c, names);
		entry = rect(
			entry.row + names.rows + 1, entry.col, 2 * GLOSSARY_ROWS - 1, entry.cols);
	}
	draw_entry(app, c, entry, glossary_at(row));
}

/* Half of the screen, or more where titles need it. */
static int list_cols(const struct app *app, int cols)
{
	const int most = cols * 3 / 5;
	int need = cols / 2;

	for (size_t i = 0; i < zl_shipped_count(ZL_SHIPPED_LESSONS); i++) {
		char score[64];

		learn_score_words(app->learn, i, score, sizeof(score));
		const int n = TITLE_COL + text_width(app->learn->title[i]) + 3 + text_width(score);
		need = n > need ? n : need;
	}
	return need < most ? need : most;
}

void learn_draw_list(const struct app *app, struct canvas *c, struct rect body)
{
	const bool wide = body.cols >= LAYOUT_WIDE_COLS;
	struct rect lessons = body, glossary;

	if (wide) {
		lessons.cols = list_cols(app, body.cols);
		glossary = rect(body.row, body.col + lessons.cols + 1, body.rows,
			body.cols - lessons.cols - 1);
	} else {
		const int most = (int)zl_shipped_count(ZL_SHIPPED_LESSONS) + 1;
		int rows = body.rows - GLOSSARY_ROWS;
		lessons.rows = rows < most ? rows : most;
		glossary = rect(
			body.row + lessons.rows, body.col, body.rows - lessons.rows, body.cols);
	}
	struct rect before = canvas_clip(c, lessons);
	draw_lessons(app, c, lessons);
	canvas_clip(c, glossary);
	draw_glossary(app, c, glossary);
	canvas_clip(c, before);
	if (wide) {
		canvas_separator(c, glossary.col - 1, body.row, body.rows);
	}
}
