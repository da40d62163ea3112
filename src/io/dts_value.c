/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of properties: cells, strings, bytes, references. The bytes are collected in a growing
 * buffer of the document; each number keeps where it stands in the text.
 */
#include "dts_parse.h"
#include "scan.h"

#include <errno.h>
#include <string.h>

#define CELL_BITS      32u
#define BYTE_BITS      8u
#define FIRST_CAPACITY 32u

/* The value being built. Capacities are in items. */
struct value {
	struct dts_parser *p;
	struct zl_dts_prop *prop;
	size_t data_capacity, cell_capacity;
	unsigned bits; /* of the next list, from /bits/ */
};

static bool grow(struct value *v, size_t need)
{
	size_t capacity = v->data_capacity == 0 ? FIRST_CAPACITY : v->data_capacity;
	uint8_t *data;

	if (need <= v->data_capacity) {
		return true;
	}
	while (capacity < need) {
		capacity *= 2;
	}
	data = zl_arena_alloc(v->p->arena, capacity);
	if (data == NULL) {
		return false;
	}
	if (v->prop->size > 0) {
		memcpy(data, v->prop->data, v->prop->size);
	}
	v->prop->data = data;
	v->data_capacity = capacity;
	return true;
}

static void put(struct value *v, const struct dts_cursor *c, uint64_t number, unsigned width)
{
	if (v->p->error != 0) {
		return;
	}
	if (v->prop->size + width > ZL_DTS_DATA_MAX) {
		dts_fail(v->p, -E2BIG, c, "value too long; at most 1 MiB is read");
		return;
	}
	if (!grow(v, v->prop->size + width)) {
		dts_fail(v->p, -ENOMEM, c, "out of memory");
		return;
	}
	for (unsigned i = width; i-- > 0;) {
		v->prop->data[v->prop->size++] = (uint8_t)(number >> (i * BYTE_BITS));
	}
}

static struct zl_dts_cell *cell_add(struct value *v, const struct dts_cursor *c)
{
	struct zl_dts_prop *prop = v->prop;

	if (prop->nr_cells == v->cell_capacity) {
		size_t capacity = v->cell_capacity == 0 ? 4 : v->cell_capacity * 2;
		struct zl_dts_cell *cells = zl_arena_alloc(v->p->arena, capacity * sizeof(*cells));

		if (cells == NULL) {
			dts_fail(v->p, -ENOMEM, c, "out of memory");
			return NULL;
		}
		if (prop->nr_cells > 0) {
			memcpy(cells, prop->cells, prop->nr_cells * sizeof(*cells));
		}
		prop->cells = cells;
		v->cell_capacity = capacity;
	}
	return &prop->cells[prop->nr_cells++];
}

/* Adds one number that stood between @begin and the cursor. */
static void put_cell(struct value *v, const struct dts_cursor *begin, const struct dts_cursor *c,
	struct dts_number n)
{
	unsigned width = v->bits / BYTE_BITS;
	uint64_t mask = v->bits == 64 ? UINT64_MAX : (UINT64_C(1) << v->bits) - 1;
	struct zl_dts_cell *cell;

	if (v->p->error != 0) {
		return;
	}
	if (n.known && n.value > mask && (n.value | mask) != UINT64_MAX) {
		dts_note(v->p, dts_broken(v->p), begin,
			"the number does not fit one cell of %u bits; write two cells", v->bits);
		n.known = false;
	}
	cell = cell_add(v, c);
	if (cell == NULL) {
		return;
	}
	*cell = (struct zl_dts_cell){.at = (uint32_t)v->prop->size,
		.width = (uint8_t)width,
		.known = n.known,
		.macro = begin->in_macro,
		.file = begin->file,
		.begin = dts_at(begin),
		.end = begin->in_macro ? begin->use_end : (uint32_t)c->pos};
	put(v, c, n.known ? n.value & mask : 0, width);
}

/* `&label` or `&{/path}`; returns false when neither follows. */
static bool skip_reference(struct dts_cursor *c)
{
	size_t n;

	if (!dts_accept(c, "&")) {
		return false;
	}
	if (dts_accept(c, "{")) {
		while (!dts_at_end(c) && dts_peek(c, 0) != '}' && dts_peek(c, 0) != '\n') {
			c->pos++;
		}
		dts_accept(c, "}");
		return true;
	}
	n = dts_span(c, dts_is_ident);
	c->pos += n;
	return n > 0;
}

static void cells(struct value *v, struct dts_cursor *c);

static void macro_cells(struct value *v, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;
	struct dts_cursor body;
	struct dts_macro *macro = NULL;
	const struct dts_number none = {.value = 0, .known = false};

	if (dts_macro_enter(v->p, c, &body, &macro)) {
		cells(v, &body);
		dts_macro_leave(v->p, macro);
		return;
	}
	put_cell(v, &begin, c, none);
	if (v->p->error == 0) {
		v->prop->cells[v->prop->nr_cells - 1].macro = true;
	}
}

/* One thing inside <...>. Returns false at what ends the list. */
static bool one_cell(struct value *v, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;
	const struct dts_number none = {.value = 0, .known = false};
	char ch = dts_peek(c, 0);

	if (ch == '>' || ch == ';' || ch == '{' || ch == '}' || ch == '=') {
		return false;
	}
	if (ch == '(' || ch == '\'') {
		struct dts_number n = dts_expression(v->p, c);

		put_cell(v, &begin, c, n);
	} else if (dts_is_digit(ch)) {
		struct dts_number n = dts_integer(v->p, c);

		put_cell(v, &begin, c, n);
	} else if (ch == '&' && skip_reference(c)) {
		put_cell(v, &begin, c, none);
	} else if (dts_accept(c, "...") || dts_accept(c, "\xe2\x80\xa6")) {
		v->prop->incomplete = true;
	} else if (dts_is_ident(ch) && begin.pos + dts_span(c, dts_is_ident) < c->size &&
		   c->text[c->pos + dts_span(c, dts_is_ident)] == ':') {
		c->pos += dts_span(c, dts_is_ident) + 1; /* a label inside the value */
	} else if (dts_is_ident(ch)) {
		macro_cells(v, c);
	} else {
		dts_note(v->p, dts_broken(v->p), c, "%s inside < > is not a number",
			ch == ',' ? "a comma" : "this character");
		c->pos++;
	}
	return v->p->error == 0;
}

static void cells(struct value *v, struct dts_cursor *c)
{
	do {
		dts_skip(v->p, c);
	} while (!dts_at_end(c) && v->p->error == 0 && one_cell(v, c));
}

static void cell_list(struct value *v, struct dts_cursor *c)
{
	c->pos++;
	cells(v, c);
	if (!dts_accept(c, ">")) {
		dts_note(v->p, dts_broken(v->p), c, "`>` is missing at the end of a list of cells");
	}
	v->bits = CELL_BITS;
}

static void string(struct value *v, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;

	c->pos++;
	while (!dts_at_end(c) && dts_peek(c, 0) != '"' && v->p->error == 0) {
		put(v, c, dts_read_char(c), 1);
	}
	if (!dts_accept(c, "\"")) {
		dts_note(v->p, dts_broken(v->p), &begin, "the string has no end");
	}
	put(v, c, 0, 1);
}

static void byte_list(struct value *v, struct dts_cursor *c)
{
	c->pos++;
	for (;;) {
		int hi;
		int lo;

		dts_skip(v->p, c);
		hi = scan_hex_digit(dts_peek(c, 0));
		lo = scan_hex_digit(dts_peek(c, 1));
		if (hi < 0 || lo < 0 || v->p->error != 0) {
			break;
		}
		c->pos += 2;
		put(v, c, (uint64_t)(hi * 16 + lo), 1);
	}
	if (dts_accept(c, "...")) {
		v->prop->incomplete = true;
		dts_skip(v->p, c);
	}
	if (!dts_accept(c, "]")) {
		dts_note(v->p, dts_broken(v->p), c, "`]` is missing at the end of a list of bytes");
	}
}

static void bits(struct value *v, struct dts_cursor *c)
{
	struct dts_number n;

	dts_skip(v->p, c);
	n = dts_is_digit(dts_peek(c, 0)) ? dts_integer(v->p, c)
					 : (struct dts_number){.value = 0, .known = false};
	if (n.known && (n.value == 8 || n.value == 16 || n.value == 32 || n.value == 64)) {
		v->bits = (unsigned)n.value;
	} else {
		dts_note(v->p, dts_broken(v->p), c, "/bits/ takes 8, 16, 32 or 64");
	}
}

static void macro_value(struct value *v, struct dts_cursor *c);

/* One of the parts that commas separate. Returns false when it is none. */
static bool part(struct value *v, struct dts_cursor *c)
{
	char ch;

	dts_skip(v->p, c);
	while (dts_accept(c, "/bits/")) {
		bits(v, c);
		dts_skip(v->p, c);
	}
	ch = dts_peek(c, 0);
	if (ch == '<') {
		cell_list(v, c);
	} else if (ch == '"') {
		string(v, c);
	} else if (ch == '[') {
		byte_list(v, c);
	} else if (dts_accept(c, "/incbin/")) {
		dts_missing(v->p, "/incbin/", strlen("/incbin/"));
		v->prop->incomplete = true;
		dts_skip(v->p, c);
		if (dts_peek(c, 0) == '(') {
			dts_skip_balanced(v->p, c);
		}
	} else if (dts_accept(c, "...") || dts_accept(c, "\xe2\x80\xa6") || skip_reference(c)) {
		v->prop->incomplete = true;
	} else if (dts_is_ident(ch) && !dts_is_digit(ch)) {
		macro_value(v, c);
	} else {
		return false;
	}
	return v->p->error == 0;
}

static void parts(struct value *v, struct dts_cursor *c)
{
	for (;;) {
		size_t n;

		dts_skip(v->p, c);
		n = dts_span(c, dts_is_ident);
		if (n > 0 && c->pos + n < c->size && c->text[c->pos + n] == ':') {
			c->pos += n + 1; /* a label in front of a part */
			continue;
		}
		if (!part(v, c)) {
			return;
		}
		dts_skip(v->p, c);
		if (!dts_accept(c, ",")) {
			return;
		}
	}
}

static void macro_value(struct value *v, struct dts_cursor *c)
{
	struct dts_cursor body;
	struct dts_macro *macro = NULL;

	if (dts_macro_enter(v->p, c, &body, &macro)) {
		parts(v, &body);
		dts_macro_leave(v->p, macro);
	} else {
		v->prop->incomplete = true;
	}
}

void dts_value(struct dts_parser *p, struct dts_cursor *c, struct zl_dts_prop *prop)
{
	struct value v = {.p = p, .prop = prop, .bits = CELL_BITS};

	prop->data = NULL;
	prop->size = 0;
	prop->cells = NULL;
	prop->nr_cells = 0;
	prop->incomplete = false;
	parts(&v, c);
}
