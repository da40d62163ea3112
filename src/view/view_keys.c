/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key bar, and the key lists of the help screen: both made from the key table.
 */
#include <string.h>

#include "draw.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define BAR_MAX 32
#define GAP	2

struct bar {
	size_t count;
	const struct binding *item[BAR_MAX];
	const char *verb[BAR_MAX];
};

static bool is_help(const struct binding *b)
{
	return strcmp(b->command, "help") == 0;
}

static void add_mode(struct bar *bar, enum keymap_mode mode)
{
	for (size_t i = 0; i < keymap_count() && bar->count < BAR_MAX; i++) {
		const struct binding *b = keymap_at(i);
		if (b->mode == mode && b->bar[0] != '\0') {
			bar->verb[bar->count] = b->bar;
			bar->item[bar->count++] = b;
		}
	}
}

static int width_of(const struct bar *bar)
{
	int width = 1;

	for (size_t i = 0; i < bar->count; i++) {
		width += (i > 0 ? GAP : 0) + text_width(bar->item[i]->show) + 1 +
			 text_width(bar->verb[i]);
	}
	return width;
}

/* Takes out the key that one can do without best; help stays to the last. */
static void drop_one(struct bar *bar)
{
	size_t worst = 0;

	for (size_t i = 0; i < bar->count; i++) {
		bool worse = bar->item[i]->rank >= bar->item[worst]->rank;
		if (!is_help(bar->item[i]) && (worse || is_help(bar->item[worst]))) {
			worst = i;
		}
	}
	bar->count--;
	for (size_t i = worst; i < bar->count; i++) {
		bar->item[i] = bar->item[i + 1];
		bar->verb[i] = bar->verb[i + 1];
	}
}

static void draw_bar(const struct bar *bar, struct canvas *c, struct rect row)
{
	int col = row.col + 1;

	for (size_t i = 0; i < bar->count; i++) {
		col = canvas_value(c, at(row.row, col), ROLE_KEY, VALUE_KEY, bar->item[i]->show);
		col = canvas_text(c, at(row.row, col + 1), ROLE_TEXT, bar->verb[i]) + GAP;
	}
}

/* On a diagnostic Enter applies its fix; the word keeps the place of the one it replaces. */
static void name_fix(const struct app *app, struct bar *bar)
{
	for (size_t i = 0; i < bar->count; i++) {
		if (strcmp(bar->item[i]->command, "edit") == 0 && app->panel == PANEL_DIAGS &&
			app->overlay == OVERLAY_NONE) {
			bar->verb[i] = "fix ";
		}
	}
}

static bool names_help(const struct bar *bar)
{
	for (size_t i = 0; i < bar->count; i++) {
		if (is_help(bar->item[i])) {
			return true;
		}
	}
	return false;
}

void view_keys(const struct app *app, struct canvas *c, struct rect row)
{
	enum keymap_mode mode = keymap_mode_of(app);
	struct bar bar = {0};

	if (mode == KEYMAP_PROMPT && app->prompt_error.text[0] != '\0') {
		canvas_value(c, at(row.row, row.col + 1), ROLE_ERROR, VALUE_LITERAL,
			app->prompt_error.text);
		return;
	}
	add_mode(&bar, mode);
	/* A screen with so many keys that its bar names all that it shows has `?` there too. */
	if (mode == view_ops_of(app)->keys && !names_help(&bar)) {
		add_mode(&bar, KEYMAP_EVERYWHERE);
	}
	name_fix(app, &bar);
	while (bar.count > 1 && width_of(&bar) > row.cols) {
		drop_one(&bar);
	}
	draw_bar(&bar, c, row);
}

/* ---- help ---- */

#define HELP_SPLIT   40 /* fewest columns before the separator */
#define HELP_LEFT    12 /* texts of the left half */
#define HELP_RIGHT   15 /* and of the right one, from the separator on */
#define HELP_RIGHT_W 14

struct help_row {
	const char *keys;
	const char *text;
};

static size_t help_rows(enum keymap_mode mode, struct help_row *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < keymap_count() && n < max; i++) {
		const struct binding *b = keymap_at(i);
		if (b->mode == mode && b->help[0] != '\0') {
			ret[n++] = (struct help_row){.keys = b->show, .text = b->help};
		}
	}
	return n;
}

/* Each fits in a half; the first four stand at the left. */
#define NR_MARKS KEYMAP_MARKS
static const char *const geometry_marks[NR_MARKS] = {
	"► present row, focus   … cut off",
	"▲ more, ▼ less than the baseline",
	"~ before a preview, without colour",
	"d derived  g given  f from a file",
	"never: the counter stops below the",
	"       threshold, no flush can come",
	":help COMMAND, `zonelab explain NAME`",
	"and `w` print the same text.",
};
static const char *const pagesets_marks[NR_MARKS] = {
	"▲ threshold, present op   △ preview",
	"┤ ceiling   ░ leaving, out of reach",
	"U unmovable M movable R reclaimable",
	"H highatomic  C CMA   . none",
	"! flush   ' flush of one block",
	"d drain  t decay  ► focus, present op",
	":help COMMAND, `zonelab explain NAME`",
	"and `w` print the same text.",
};

static const char *const reserve_marks[NR_MARKS] = {
	"► chosen pool   … cut off",
	"ok: fits as written at that page size",
	"move: base too   none: no room there",
	"U unmovable R reclaimable   . free",
	"map: letters are pools in list order,",
	"     small ones refused, r reserved",
	":help COMMAND, `zonelab explain NAME`",
	"and `w` print the same text.",
};

static const char *const compare_marks[NR_MARKS] = {
	"x this row differs, lanes differ here",
	"▲ threshold   ► the present op",
	"bars of all lanes have one scale",
	"as A: the curve is that of lane A",
	"(baseline): what totals are compared",
	"       with; p takes the focused lane",
	":help COMMAND, `zonelab explain NAME`",
	"and `w` print the same text.",
};

static const char *const learn_marks[NR_MARKS] = {
	"► chosen lesson, choice or digit",
	"? hidden until you answer; no command",
	"  tells it before",
	"▼ the op that you point at",
	"bold: the values that the text means",
	"ok, no: a prediction that was right,",
	"  that was wrong",
	"`lesson NAME` opens one by name",
};

static const char *const *marks_of(const struct app *app)
{
	if (app->screen == SCREEN_RESERVE) {
		return reserve_marks;
	}
	if (app->screen == SCREEN_COMPARE) {
		return compare_marks;
	}
	if (app->screen == SCREEN_LEARN) {
		return learn_marks;
	}
	return app->screen == SCREEN_PAGESETS ? pagesets_marks : geometry_marks;
}

#define HELP_ROWS 40

static int split_of(struct rect body)
{
	return body.cols / 2 > HELP_SPLIT ? body.cols / 2 : HELP_SPLIT;
}

/* Keys of the screen at the left, those of everywhere at the right. */
static void draw_halves(
	const struct app *app, struct canvas *c, struct rect body, size_t skip, size_t rows)
{
	struct help_row left[HELP_ROWS], right[HELP_ROWS];
	size_t nl = help_rows(view_ops_of(app)->keys, left, HELP_ROWS);
	size_t nr = help_rows(KEYMAP_EVERYWHERE, right, HELP_ROWS);
	const int split = split_of(body);

	for (size_t i = skip; i < skip + rows; i++) {
		int row = body.row + 1 + (int)(i - skip);
		if (i < nl) {
			canvas_value(c, at_width(row, 1, HELP_LEFT - 2), ROLE_KEY, VALUE_KEY,
				left[i].keys);
			canvas_text(c, at_width(row, HELP_LEFT, split - HELP_LEFT - 1), ROLE_TEXT,
				left[i].text);
		}
		if (i < nr) {
			canvas_value(c, at_width(row, split + 2, HELP_RIGHT_W - 2), ROLE_KEY,
				VALUE_KEY, right[i].keys);
			canvas_text(c, at(row, split + HELP_RIGHT), ROLE_TEXT, right[i].text);
		}
	}
	canvas_separator(c, split, body.row + 1, (int)rows);
}

void view_help(const struct app *app, struct canvas *c, struct rect body)
{
	size_t all = keymap_help_rows(view_ops_of(app)->keys);
	size_t keys = all - 1 - NR_MARKS / 2;
	const int split = split_of(body);
	size_t room = (size_t)body.rows - 1;
	size_t rows = all < room ? all : room;
	size_t skip = app->scroll + rows <= all ? app->scroll : all - rows;
	int marks_row = body.row + 1 + (int)keys - (int)skip;

	char title[64];

	zl_format(title, sizeof(title), "Keys on this screen: %s", view_ops_of(app)->name);
	canvas_heading(c, rect(body.row, body.col, 1, body.cols), title);
	struct rect before = canvas_clip(c, rect(body.row + 1, 0, body.rows - 1, body.cols));
	draw_halves(app, c, body, skip, skip < keys ? keys - skip : 0);
	canvas_heading(c, rect(marks_row, body.col, 1, body.cols), "What the marks mean");
	for (int i = 0; i < NR_MARKS; i++) {
		int col = i < NR_MARKS / 2 ? 1 : split + 2;
		canvas_text(c, at(marks_row + 1 + i % (NR_MARKS / 2), col), ROLE_TEXT,
			marks_of(app)[i]);
	}
	canvas_clip(c, before);
}
