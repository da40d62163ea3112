/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw.h"

#include <string.h>

#include "text_width.h"
#include "zonelab/text.h"

int draw_tagged(struct canvas *c, struct at where, enum role role, unsigned id, const char *text)
{
	return id == VALUE_NONE ? canvas_text(c, where, role, text)
				: canvas_value(c, where, role, (uint16_t)id, text);
}

int draw_value(
	struct canvas *c, struct at where, enum role role, const struct value_in *in, unsigned id)
{
	char text[DRAW_TEXT];

	value_text(in, id, text, sizeof(text));
	return draw_tagged(c, where, role, id, text);
}

int draw_template(struct canvas *c, struct at where, enum role role, const struct source *from,
	const char *template)
{
	struct formula_piece piece[FORMULA_PIECES];
	size_t n = formula_fill(from->in, from->owner, template, piece);
	struct at to = where;
	int end = where.col + where.width;

	for (size_t i = 0; i < n; i++) {
		if (where.width > 0 && to.col >= end) {
			break;
		}
		to.width = where.width > 0 ? end - to.col : 0;
		to.col = draw_tagged(c, to, role, piece[i].id, piece[i].text);
	}
	return to.col;
}

int draw_template_width(const struct source *from, const char *template)
{
	struct formula_piece piece[FORMULA_PIECES];
	size_t n = formula_fill(from->in, from->owner, template, piece);
	int cols = 0;

	for (size_t i = 0; i < n; i++) {
		cols += text_width(piece[i].text);
	}
	return cols;
}

int draw_formula_width(const struct source *from, enum formula_form form)
{
	return draw_template_width(from, value_formula(from->in, from->owner, form));
}

int draw_formula(struct canvas *c, struct at where, enum role role, const struct source *from,
	enum formula_form form)
{
	return draw_template(c, where, role, from, value_formula(from->in, from->owner, form));
}

int draw_wrapped(struct canvas *c, struct rect in, enum role role, unsigned id, const char *text)
{
	int n = 0;

	while (*text != '\0') {
		size_t len = text_fit(text, in.cols > 1 ? in.cols : 1);
		char line[DRAW_TEXT * 2];
		struct zl_text t;

		zl_text_init(&t, line, sizeof(line));
		zl_text_strn(&t, text, len);
		if (c != NULL && n < in.rows) {
			draw_tagged(c, at_width(in.row + n, in.col, in.cols), role, id, line);
		}
		text += len;
		text += strspn(text, " ");
		n++;
	}
	return n;
}
