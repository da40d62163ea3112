/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Putting values of app/ on a canvas: every figure with the id that "why?" needs.
 */
#ifndef VIEW_DRAW_H
#define VIEW_DRAW_H

#include "canvas.h"
#include "values.h"

#define DRAW_TEXT 256

/** Values to fill a template with, and the id of its plain digits. */
struct source {
	const struct value_in *in;
	enum value_id owner;
};

/** A text that may hold digits: tagged with @id unless that is VALUE_NONE. */
int draw_tagged(struct canvas *c, struct at where, enum role role, unsigned id, const char *text);
/** A value or setting as value_text() has it. */
int draw_value(
	struct canvas *c, struct at where, enum role role, const struct value_in *in, unsigned id);
/** A template of values.h: `{name}` is an operand, the rest text of the owner. */
int draw_template(struct canvas *c, struct at where, enum role role, const struct source *from,
	const char *template);
/** Columns that a template takes. */
int draw_template_width(const struct source *from, const char *template);
/** Columns that a formula takes. */
int draw_formula_width(const struct source *from, enum formula_form form);
/** A formula of a value in one of its forms; "" draws nothing. */
int draw_formula(struct canvas *c, struct at where, enum role role, const struct source *from,
	enum formula_form form);
/** Words wrapped into @in (only counted without a canvas); returns the rows that they take. */
int draw_wrapped(struct canvas *c, struct rect in, enum role role, unsigned id, const char *text);

#endif
