/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a value is what it is: the only framed thing. Formula with figures, the inputs and where
 * they come from, the answer of other releases, the source.
 */
#include <string.h>

#include "draw.h"
#include "explain.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define MARK	     0x25ba
#define LEFT	     2 /* of text within the frame */
#define MARK_COL     1
#define INDENT	     7
#define INPUT_INDENT 6
#define RELEASE	     4
#define RELEASE_W    13
#define LINES_MAX    64

/* A pop-up being filled from the top; lines that find no room are only counted. */
struct page {
	struct canvas *c;
	struct rect in; /* inside of the frame */
	int line;
	int skip; /* lines scrolled away */
};

static int row_of(const struct page *p)
{
	return p->in.row + p->line - p->skip;
}

/* Columns of the first line and of those after it, and where all of them end. */
struct wrapped {
	int first, later;
	int room; /* from the left edge of the page */
};

/* Wraps a text; the id is that of its digits. */
static void put_lines(
	struct page *p, const struct wrapped *w, enum role role, unsigned id, const char *text)
{
	char line[2 * DRAW_TEXT];
	int col = w->first;

	while (*text != '\0') {
		size_t n = text_fit(text, w->room - col);
		struct zl_text t;
		zl_text_init(&t, line, sizeof(line));
		zl_text_strn(&t, text, n);
		if (p->c != NULL) {
			draw_tagged(p->c, at_width(row_of(p), p->in.col + col, w->room - col), role,
				id, line);
		}
		text += n;
		text += strspn(text, " ");
		p->line++;
		col = w->later;
	}
}

static void put_wrapped(struct page *p, int col, enum role role, unsigned id, const char *text)
{
	struct wrapped w = {.first = col, .later = col, .room = p->in.cols - 1};

	put_lines(p, &w, role, id, text);
}

static void put_formula(struct page *p, const struct explain *e)
{
	char text[sizeof(e->formula) + sizeof(e->value) + 32];

	if (e->formula[0] != '\0') {
		zl_format(text, sizeof(text), e->value[0] != '\0' ? "%s  =  %s%s%s" : "%s",
			e->formula, e->value, e->unit[0] != '\0' ? " " : "", e->unit);
		put_wrapped(p, LEFT - 1, ROLE_SELECT, e->id, text);
	}
	put_wrapped(p, LEFT - 1, ROLE_TEXT, e->id, e->definition);
}

/* "name value ← how", origin at the right end of its last line. */
static void put_input(struct page *p, const struct explain_input *in, bool focus)
{
	char text[2 * DRAW_TEXT];
	int right = p->in.col + p->in.cols - 2;
	int room = p->in.cols - LEFT - 2 - text_width(in->origin);
	int row = row_of(p);

	zl_format(text, sizeof(text), "%s %s%s%s", in->name, in->value,
		in->how[0] != '\0' ? " ← " : "", in->how);
	if (p->c != NULL && focus) {
		canvas_put(p->c, row, p->in.col, ROLE_FOCUS, MARK);
	}
	struct wrapped w = {.first = LEFT - 1, .later = INPUT_INDENT, .room = room};
	put_lines(p, &w, focus ? ROLE_FOCUS : ROLE_TEXT, in->id, text);
	if (p->c != NULL) {
		canvas_text(p->c, at_right(row_of(p) - 1, right, (int)sizeof(in->origin)), ROLE_DIM,
			in->origin);
	}
}

static void put_release(struct page *p, const struct explain *e, size_t i)
{
	const struct explain_release *r = &e->release[i];
	bool newest = i + 1 == e->nr_releases;
	char text[64];
	int right = p->in.col + p->in.cols - 2;

	zl_format(text, sizeof(text), "%s%s%s", r->first,
		newest		     ? "+"
		: r->last[0] != '\0' ? "-"
				     : "",
		newest ? "" : r->last);
	if (p->c != NULL) {
		if (r->present) {
			canvas_put(p->c, row_of(p), p->in.col + RELEASE - 2, ROLE_SELECT, MARK);
		}
		canvas_value(p->c, at_width(row_of(p), p->in.col + RELEASE, RELEASE_W), ROLE_TEXT,
			VALUE_SETTING_BASE + ZL_SET_KERNEL, text);
		canvas_value(p->c, at_right(row_of(p), right, text_width(r->value)), ROLE_TEXT,
			(uint16_t)e->id, r->value);
		draw_tagged(p->c,
			at_width(row_of(p), p->in.col + RELEASE + RELEASE_W,
				p->in.cols - RELEASE - RELEASE_W - text_width(r->value) - 3),
			ROLE_TEXT, e->id, r->formula);
	}
	p->line++;
}

static void put_all(struct page *p, const struct explain *e, unsigned focus)
{
	put_formula(p, e);
	p->line++;
	for (size_t i = 0; i < e->nr_inputs; i++) {
		put_input(p, &e->input[i], i == focus);
	}
	if (e->nr_releases > 0) {
		p->line += e->nr_inputs > 0 ? 1 : 0;
		put_wrapped(p, LEFT - 1, ROLE_TEXT, VALUE_NONE, "Other releases, same inputs");
		for (size_t i = 0; i < e->nr_releases; i++) {
			put_release(p, e, i);
		}
	}
	if (e->changed_op > 0) {
		char text[DRAW_TEXT + 32];
		p->line++;
		zl_format(text, sizeof(text), "Last changed: %s", e->changed);
		put_wrapped(p, LEFT - 1, ROLE_TEXT, VALUE_RUN_OP, text);
	}
	if (e->simplified[0] != '\0') {
		p->line++;
		put_wrapped(p, LEFT - 1, ROLE_TEXT, VALUE_NONE, "Simplified:");
		put_wrapped(p, INDENT, ROLE_TEXT, e->id, e->simplified);
	}
	if (e->source[0] != '\0') {
		char text[DRAW_TEXT];
		p->line++;
		zl_format(text, sizeof(text), "Source: %s", e->source);
		put_wrapped(p, LEFT - 1, ROLE_TEXT, VALUE_LITERAL, text);
	}
}

static void draw_foot(struct canvas *c, struct rect frame)
{
	int row = frame.row + frame.rows - 1;

	canvas_put(c, row, frame.col + 1, ROLE_TEXT, ' ');
	int end = canvas_text(c, at_width(row, frame.col + 2, frame.cols - 4), ROLE_TEXT,
		"Enter follow input  y copy  Esc close");
	canvas_put(c, row, end, ROLE_TEXT, ' ');
}

void view_why(const struct app *app, struct canvas *c, struct rect body)
{
	const struct explain *e = app->why;
	char title[DRAW_TEXT], head[DRAW_TEXT];

	if (e == NULL) {
		return;
	}
	struct rect frame = layout_popup(body, LINES_MAX);
	struct page p = {.in = rect(frame.row + 1, frame.col + 1, frame.rows - 2, frame.cols - 2)};
	put_all(&p, e, app->why_row);
	frame = layout_popup(body, p.line);
	int hidden = p.line - (frame.rows - 2);
	/* The chosen input stays in sight: what lies above it scrolls away first. */
	int skip = hidden > 0 && app->why_row > 0 ? (int)app->why_row * 2 : 0;
	explain_head(e, head, sizeof(head));
	zl_format(title, sizeof(title), "why: %s", head);
	canvas_frame(c, frame, "");
	canvas_put(c, frame.row, frame.col + 1, ROLE_TEXT, ' ');
	int end = canvas_value(c, at_width(frame.row, frame.col + 2, frame.cols - 4), ROLE_SELECT,
		e->id != VALUE_NONE ? (uint16_t)e->id : VALUE_LITERAL, title);
	canvas_put(c, frame.row, end, ROLE_TEXT, ' ');
	p = (struct page){.c = c,
		.in = rect(frame.row + 1, frame.col + 1, frame.rows - 2, frame.cols - 2),
		.skip = skip < hidden ? skip
			: hidden > 0  ? hidden
				      : 0};
	struct rect before = canvas_clip(c, p.in);
	put_all(&p, e, app->why_row);
	canvas_clip(c, before);
	draw_foot(c, frame);
}
