/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Macros with arguments: what a use of one stands for, as text. Arguments are put in as they are
 * written and expanded when the text is read; # and ## are not known here.
 */
#include <string.h>

#include "dts_parse.h"

#define PARAMETERS_MAX 8u
#define EXPANSION_MAX  512u

/* A part of a text. */
struct part {
	const char *s;
	size_t n;
};

/* Parameters with the arguments that a use gives, and the text under way. */
struct expansion {
	struct part name[PARAMETERS_MAX], value[PARAMETERS_MAX];
	size_t names, values;
	char text[EXPANSION_MAX];
	size_t size;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

static struct part trimmed(const char *s, size_t n)
{
	while (n > 0 && is_blank(s[0])) {
		s++;
		n--;
	}
	while (n > 0 && is_blank(s[n - 1])) {
		n--;
	}
	return (struct part){s, n};
}

/*
 * Takes "(a, b(c, d))" apart at its commas; returns its length with both brackets, 0 when it does
 * not end or has too many parts. "()" has none.
 */
static size_t split(const char *s, size_t n, struct part *ret, size_t *ret_n)
{
	size_t depth = 0, from = 1;

	*ret_n = 0;
	for (size_t i = 0; i < n; i++) {
		bool end = s[i] == ')' && depth == 1;

		if (s[i] == '"' || s[i] == ';') {
			return 0;
		}
		depth += s[i] == '(' ? 1 : 0;
		if (end || (s[i] == ',' && depth == 1)) {
			struct part p = trimmed(s + from, i - from);

			if (*ret_n == PARAMETERS_MAX) {
				return 0;
			}
			if (p.n > 0 || !end || *ret_n > 0) {
				ret[(*ret_n)++] = p;
			}
			from = i + 1;
		}
		if (end) {
			return i + 1;
		}
		depth -= s[i] == ')' ? 1 : 0;
	}
	return 0;
}

static bool put(struct expansion *e, const char *s, size_t n)
{
	if (n > EXPANSION_MAX - e->size) {
		return false;
	}
	memcpy(e->text + e->size, s, n);
	e->size += n;
	return true;
}

/* An identifier of the body, or what stands for it. */
static bool put_word(struct expansion *e, const char *s, size_t n)
{
	for (size_t i = 0; i < e->names; i++) {
		if (e->name[i].n == n && memcmp(e->name[i].s, s, n) == 0) {
			return put(e, e->value[i].s, e->value[i].n);
		}
	}
	return put(e, s, n);
}

static bool put_body(struct expansion *e, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t word = 0;

		while (i + word < n && dts_is_ident(s[i + word])) {
			word++;
		}
		if (s[i] == '#' || !(word > 0 ? put_word(e, s + i, word) : put(e, s + i, 1))) {
			return false;
		}
		i += word > 0 ? word : 1;
	}
	return true;
}

bool dts_macro_expand(struct dts_parser *p, const struct dts_macro *m, struct dts_cursor *use,
	struct dts_cursor *ret_body)
{
	struct expansion e = {.size = 0};
	struct dts_cursor at = *use;
	size_t head = split(m->body, m->size, e.name, &e.names);

	dts_skip(p, &at);
	if (head == 0 || dts_peek(&at, 0) != '(') {
		return false;
	}
	size_t arguments = split(at.text + at.pos, at.size - at.pos, e.value, &e.values);

	if (arguments == 0 || e.names != e.values ||
		!put_body(&e, m->body + head, m->size - head)) {
		return false;
	}
	ret_body->text = zl_arena_strn(p->arena, e.text, e.size);
	if (ret_body->text == NULL) {
		return false;
	}
	ret_body->size = e.size;
	at.pos += arguments;
	*use = at;
	return true;
}
