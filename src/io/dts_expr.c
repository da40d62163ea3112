/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic in cells: C operators over unsigned 64-bit numbers, as dtc evaluates them. An unknown
 * name makes the result unknown, but the text is still read to its end.
 */
#include "dts_parse.h"
#include "scan.h"

#include <errno.h>
#include <string.h>

#define BITS 64u

struct operator
{
	const char *text;
	int level; /* binds tighter when higher */
};

/* Longer spellings first, so that `<<` is not read as `<`. */
static const struct operator operators[] = {
	{"||", 1 },
	{"&&", 2 },
	{"==", 6 },
	{"!=", 6 },
	{"<<", 8 },
	{">>", 8 },
	{"<=", 7 },
	{">=", 7 },
	{"|",  3 },
	{"^",  4 },
	{"&",  5 },
	{"<",  7 },
	{">",  7 },
	{"+",  9 },
	{"-",  9 },
	{"*",  10},
	{"/",  10},
	{"%",  10},
};

struct context {
	struct dts_parser *p;
	struct dts_cursor *c;
	unsigned depth;
};

static struct dts_number ternary(struct context *x);

static struct dts_number unknown(void)
{
	return (struct dts_number){.value = 0, .known = false};
}

static bool too_deep(struct context *x)
{
	if (x->depth >= ZL_DTS_EXPR_MAX) {
		dts_fail(x->p, -E2BIG, x->c,
			"expression nested too deep; at most 64 levels are read");
	}
	return x->p->error != 0;
}

/* A number with its suffix; an overflow of 64 bits makes it unknown. */
struct dts_number dts_integer(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;
	unsigned base = 10;
	struct dts_number n = {.value = 0, .known = true};
	size_t digits = 0;

	if (dts_peek(c, 0) == '0' && (dts_peek(c, 1) == 'x' || dts_peek(c, 1) == 'X')) {
		base = 16;
		c->pos += 2;
	} else if (dts_peek(c, 0) == '0') {
		base = 8;
	}
	for (int d; (d = scan_hex_digit(dts_peek(c, 0))) >= 0 && (unsigned)d < base; digits++) {
		if (n.value > (UINT64_MAX - (unsigned)d) / base) {
			n.known = false;
		}
		n.value = n.value * base + (unsigned)d;
		c->pos++;
	}
	while (strchr("uUlL", dts_peek(c, 0)) != NULL && dts_peek(c, 0) != '\0') {
		c->pos++;
	}
	if (digits == 0 || dts_is_ident(dts_peek(c, 0))) {
		c->pos += dts_span(c, dts_is_ident);
		n.known = false;
	}
	if (!n.known) {
		dts_note(p, ZL_WARNING, &begin, "not a number that fits 64 bits");
	}
	return n;
}

static struct dts_number name(struct context *x)
{
	struct dts_cursor body;
	struct dts_macro *macro = NULL;
	struct dts_number n;

	if (!dts_macro_enter(x->p, x->c, &body, &macro)) {
		return unknown();
	}
	struct context inner = {.p = x->p, .c = &body, .depth = x->depth + 1};

	n = too_deep(&inner) ? unknown() : ternary(&inner);
	dts_skip(x->p, &body);
	if (!dts_at_end(&body)) {
		n.known = false;
	}
	dts_macro_leave(x->p, macro);
	return n;
}

static struct dts_number primary(struct context *x)
{
	struct dts_number n;
	char ch;

	dts_skip(x->p, x->c);
	ch = dts_peek(x->c, 0);
	if (ch == '(') {
		x->c->pos++;
		n = ternary(x);
		dts_skip(x->p, x->c);
		if (!dts_accept(x->c, ")")) {
			dts_note(x->p, dts_broken(x->p), x->c, "a closing parenthesis is missing");
		}
		return n;
	}
	if (dts_is_digit(ch)) {
		return dts_integer(x->p, x->c);
	}
	if (ch == '\'') {
		x->c->pos++;
		n = (struct dts_number){.value = dts_read_char(x->c), .known = true};
		dts_accept(x->c, "'");
		return n;
	}
	if (dts_is_ident(ch)) {
		return name(x);
	}
	dts_note(x->p, dts_broken(x->p), x->c, "a number is missing here");
	return unknown();
}

static struct dts_number unary(struct context *x)
{
	struct dts_number n;
	char ch;

	dts_skip(x->p, x->c);
	ch = dts_peek(x->c, 0);
	if (ch != '-' && ch != '~' && ch != '!' && ch != '+') {
		return primary(x);
	}
	if (too_deep(x)) {
		return unknown();
	}
	x->c->pos++;
	x->depth++;
	n = unary(x);
	x->depth--;
	if (ch == '-') {
		n.value = 0 - n.value;
	} else if (ch == '~') {
		n.value = ~n.value;
	} else if (ch == '!') {
		n.value = n.value == 0;
	}
	return n;
}

static const struct operator* operator_at(const struct dts_cursor *c)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		struct dts_cursor try = *c;

		if (dts_accept(&try, operators[i].text)) {
			return &operators[i];
		}
	}
	return NULL;
}

static uint64_t shift(uint64_t a, uint64_t by, bool left)
{
	if (by >= BITS) {
		return 0;
	}
	return left ? a << by : a >> by;
}

static uint64_t two_letters(const char *op, uint64_t a, uint64_t b)
{
	switch (op[0]) {
	case '|':
		return a != 0 || b != 0;
	case '&':
		return a != 0 && b != 0;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		return op[1] == '<' ? shift(a, b, true) : a <= b;
	default: /* '>' */
		return op[1] == '>' ? shift(a, b, false) : a >= b;
	}
}

static struct dts_number apply(
	struct context *x, const char *op, struct dts_number l, struct dts_number r)
{
	uint64_t a = l.value;
	uint64_t b = r.value;
	struct dts_number n = {.value = 0, .known = l.known && r.known};

	if (op[1] != '\0') {
		n.value = two_letters(op, a, b);
		return n;
	}
	switch (op[0]) {
	case '/':
	case '%':
		if (b == 0) {
			if (n.known) {
				dts_note(x->p, dts_broken(x->p), x->c, "division by zero");
			}
			return unknown();
		}
		n.value = op[0] == '/' ? a / b : a % b;
		break;
	case '|':
		n.value = a | b;
		break;
	case '^':
		n.value = a ^ b;
		break;
	case '&':
		n.value = a & b;
		break;
	case '<':
		n.value = a < b;
		break;
	case '>':
		n.value = a > b;
		break;
	case '+':
		n.value = a + b;
		break;
	case '-':
		n.value = a - b;
		break;
	default: /* '*' */
		n.value = a * b;
		break;
	}
	return n;
}

/* Operators that bind at least as tight as @level; equal ones group to the left. */
static struct dts_number binary(struct context *x, int level)
{
	struct dts_number left = unary(x);

	for (;;) {
		const struct operator* op;
		struct dts_number right;

		dts_skip(x->p, x->c);
		op = operator_at(x->c);
		if (op == NULL || op->level < level || x->p->error != 0) {
			return left;
		}
		x->c->pos += strlen(op->text);
		x->depth++;
		right = too_deep(x) ? unknown() : binary(x, op->level + 1);
		x->depth--;
		left = apply(x, op->text, left, right);
	}
}

static struct dts_number ternary(struct context *x)
{
	struct dts_number test;
	struct dts_number yes;
	struct dts_number no;

	if (too_deep(x)) {
		return unknown();
	}
	x->depth++;
	test = binary(x, 1);
	dts_skip(x->p, x->c);
	if (dts_accept(x->c, "?")) {
		yes = ternary(x);
		dts_skip(x->p, x->c);
		if (!dts_accept(x->c, ":")) {
			dts_note(x->p, dts_broken(x->p), x->c, "`:` is missing behind `?`");
		}
		no = ternary(x);
		test.known = test.known && (test.value != 0 ? yes.known : no.known);
		test.value = test.value != 0 ? yes.value : no.value;
	}
	x->depth--;
	return test;
}

/* At an opening parenthesis. */
struct dts_number dts_expression(struct dts_parser *p, struct dts_cursor *c)
{
	struct context x = {.p = p, .c = c};

	return primary(&x);
}
