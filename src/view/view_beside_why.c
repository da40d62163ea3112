/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare: where lanes differ and why.
 */
#include "learn.h"
#include "view_beside.h"
#include "zonelab/text.h"

/* Columns of the list of divergences. */
#define OP_COL	 3
#define WHO_COL	 15
#define TEXT_COL 30

/* Two lanes that part at the @i-th divergence and never did before; else two that differ. */
static bool pair_of(const struct comparison *c, unsigned i, unsigned *ret_a, unsigned *ret_b)
{
	compare_pattern p = c->first[i].pattern;
	bool found = false;

	for (unsigned a = 0; a < c->nr_lanes; a++) {
		for (unsigned b = a + 1; b < c->nr_lanes; b++) {
			if (compare_class(p, a) == compare_class(p, b)) {
				continue;
			}
			if (!found) {
				*ret_a = a;
				*ret_b = b;
				found = true;
			}
			if (c->pair[a][b].first == c->first[i].op) {
				*ret_a = a;
				*ret_b = b;
				return true;
			}
		}
	}
	return found;
}

static size_t why_of(
	const struct comparison *c, const struct compare_first *f, char *buf, size_t size)
{
	unsigned a = 0, b = 0;

	buf[0] = '\0';
	if (!pair_of(c, (unsigned)(f - c->first), &a, &b)) {
		return 0;
	}
	return comparison_why(c, (struct compare_seen){a, &f->record[a]},
		(struct compare_seen){b, &f->record[b]}, buf, size);
}

/* "A from B, C" at the first one, then the two that part: "C from B". */
static void who_of(
	const struct comparison *c, const struct compare_first *f, char *buf, size_t size)
{
	unsigned a = 0, b = 0, i = (unsigned)(f - c->first);

	if (i > 0 && pair_of(c, i, &a, &b)) {
		zl_format(buf, size, "%s from %s", c->lane[b].name, c->lane[a].name);
	} else {
		comparison_who(c, f->pattern, buf, size);
	}
}

void beside_why(const struct beside_view *v, uint64_t op, char *buf, size_t size)
{
	const struct compare_first *f = beside_first(v->app, op);

	buf[0] = '\0';
	if (f != NULL) {
		(void)why_of(v->cmp, f, buf, size);
	}
}

/* Rows of a text in so many columns. */
static int rows_of(int cols, const char *text)
{
	return draw_wrapped(NULL, rect(0, 0, 0, cols), ROLE_TEXT, VALUE_NONE, text);
}

/* What the sentences take: all of them in a list, the longest where one is shown. */
int beside_divergence_lines(const struct app *app)
{
	const struct comparison *c = app->beside->c;
	const bool list = app_wide(app);
	const int cols = (int)app->cols;
	char text[COMPARE_WHY];
	int sum = 0, most = 0;

	for (unsigned i = 0; i < c->nr_first; i++) {
		(void)why_of(c, &c->first[i], text, sizeof(text));
		int n = rows_of(cols - (list ? TEXT_COL + 1 : 2), text);
		sum += n;
		most = n > most ? n : most;
	}
	if (c->nr_first == 0) {
		return 1;
	}
	beside_extent(app, text, sizeof(text));
	return (list ? sum : most) + rows_of(cols - (list ? WHO_COL + 1 : 2), text);
}

/* The present op's sentence, or that of the first divergence, and how far they differ. */
static void draw_one(const struct beside_view *v)
{
	struct rect r = v->l.divergence;
	const struct compare_first *f = beside_first(v->app, v->cmp->at);
	struct rect in = rect(r.row + 1, r.col + 1, r.rows - 1, r.cols - 2);
	char text[COMPARE_WHY];

	if (f == &v->cmp->first[0]) {
		pagesets_heading(v->c, r, "First divergence");
	} else {
		pagesets_heading(v->c, r, "Divergence, first at op %N", f->op);
	}
	(void)why_of(v->cmp, f, text, sizeof(text));
	int n = draw_wrapped(v->c, in, ROLE_TEXT, VALUE_RUN_THRESHOLD, text);
	beside_extent(v->app, text, sizeof(text));
	n = n < in.rows ? n : in.rows - 1;
	draw_wrapped(v->c, rect(in.row + n, in.col, in.rows - n, in.cols), ROLE_TEXT, VALUE_RUN_OPS,
		text);
}

/* "► op 191   C from B      same 368 pages, ..." */
static void draw_list(const struct beside_view *v)
{
	struct rect r = v->l.divergence;
	const struct compare_first *now = comparison_pattern(v->cmp, v->cmp->at) != 0
						  ? beside_first(v->app, v->cmp->at)
						  : NULL;
	int row = r.row + 1, end = r.row + r.rows;
	char text[COMPARE_WHY], who[64];

	pagesets_heading(v->c, r, "Divergences");
	for (unsigned i = 0; i < v->cmp->nr_first && row + 1 < end; i++) {
		const struct compare_first *f = &v->cmp->first[i];
		struct pen pen = pen_at(v->c, row, r.col + OP_COL, r.col + TEXT_COL);
		if (f == now) {
			canvas_put(v->c, row, r.col + 1, ROLE_SELECT, GLYPH_PRESENT);
		}
		pen_fmt(&pen, VALUE_RUN_OP, "op %N", f->op);
		who_of(v->cmp, f, who, sizeof(who));
		pen.col = pen.col + 2 > r.col + WHO_COL ? pen.col + 2 : r.col + WHO_COL;
		pen_fmt(&pen, VALUE_LITERAL, "%s", who);
		(void)why_of(v->cmp, f, text, sizeof(text));
		row += draw_wrapped(v->c,
			rect(row, r.col + TEXT_COL, end - 1 - row, r.cols - TEXT_COL - 1),
			ROLE_TEXT, VALUE_RUN_THRESHOLD, text);
	}
	row = row < end ? row : end - 1;
	beside_extent(v->app, text, sizeof(text));
	draw_wrapped(v->c, rect(row, r.col + WHO_COL, end - row, r.cols - WHO_COL - 1), ROLE_TEXT,
		VALUE_RUN_OPS, text);
}

void beside_draw_divergence(const struct beside_view *v)
{
	struct rect r = v->l.divergence;
	struct rect before = canvas_clip(v->c, r);

	if (learn_pending(v->app)) {
		pagesets_heading(v->c, r, "Divergences");
		canvas_value(v->c, at(r.row + 1, r.col + 1), ROLE_TEXT, VALUE_RUN_OPS,
			"?  hidden until you answer");
	} else if (v->cmp->nr_first == 0) {
		pagesets_heading(v->c, r, "Divergences");
		canvas_value(v->c, at(r.row + 1, r.col + 1), ROLE_TEXT, VALUE_RUN_OPS,
			v->cmp->complete ? "All lanes do the same on every op."
					 : "No difference as far as is known.");
	} else if (v->l.wide) {
		draw_list(v);
	} else {
		draw_one(v);
	}
	canvas_clip(v->c, before);
}
