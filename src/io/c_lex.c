/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C fragments as words: comments left out, also those that begin before the fragment.
 */
#include <errno.h>
#include <string.h>

#include "ctext.h"
#include "scan.h"

struct lexer {
	struct zl_arena *arena;
	struct c_tokens *out;
	size_t cap;
	int failed;
	bool comment;
	bool define; /* inside a #define */
};

bool c_is(const struct c_token *t, const char *s)
{
	return t->kind != C_WORD_STRING && t->len == strlen(s) && memcmp(t->s, s, t->len) == 0;
}

static struct c_token *add(struct lexer *l, enum c_word kind, const char *s, size_t len)
{
	struct c_token *list;

	if (l->failed != 0) {
		return NULL;
	}
	if (l->out->n + 1 >= C_TOKENS_MAX) {
		l->failed = -E2BIG;
		return NULL;
	}
	list = zl_arena_grow(l->arena, l->out->t, l->out->n, &l->cap, sizeof(*list));
	if (list == NULL) {
		l->failed = -ENOMEM;
		return NULL;
	}
	l->out->t = list;
	list[l->out->n] = (struct c_token){.kind = kind, .s = s, .len = (uint32_t)len};
	return &list[l->out->n++];
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool c_is_word_char(char c)
{
	return is_letter(c) || is_digit(c);
}

/* Length of the punctuation at @c. */
static size_t mark_length(const struct scan *c)
{
	static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
	static const char alone[] = "(){}[];,:?~"; /* begins none of them */

	if (memchr(alone, *c->p, sizeof(alone) - 1) != NULL) {
		return 1;
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (scan_peek(c, marks[i])) {
			return strlen(marks[i]);
		}
	}
	return 1;
}

static size_t string_length(const struct scan *c)
{
	const char *p = c->p + 1;

	while (p < c->end && *p != *c->p) {
		p += *p == '\\' && p + 1 < c->end ? 2 : 1;
	}
	return (size_t)(p - c->p) + (p < c->end ? 1 : 0);
}

static void lex_word(struct lexer *l, struct scan *c, uint32_t row)
{
	enum c_word kind = C_WORD_MARK;
	size_t n = 0;
	struct c_token *t;

	if (is_letter(*c->p)) {
		kind = C_WORD_NAME;
		while (c->p + n < c->end && c_is_word_char(c->p[n])) {
			n++;
		}
	} else if (is_digit(*c->p)) {
		kind = C_WORD_NUMBER;
		while (c->p + n < c->end && c_is_word_char(c->p[n])) {
			n++;
		}
	} else if (*c->p == '"' || *c->p == '\'') {
		kind = C_WORD_STRING;
		n = string_length(c);
	} else {
		n = mark_length(c);
	}
	n = n > scan_left(c) ? scan_left(c) : n;
	t = add(l, kind, c->p, n);
	if (t != NULL) {
		t->row = row;
	}
	c->p += n;
}

/* #define NAME: only that is of interest; other directives are one word. */
static bool lex_directive(struct lexer *l, struct scan *c, uint32_t row)
{
	struct scan at = *c;
	struct c_token *t;
	size_t n = 0;

	at.p++;
	scan_blanks(&at);
	if (!scan_peek(&at, "define ") && !scan_peek(&at, "define\t")) {
		t = add(l, C_WORD_DIRECTIVE, c->p, scan_left(c));
		if (t != NULL) {
			t->row = row;
		}
		c->p = c->end;
		return false;
	}
	at.p += 6;
	scan_blanks(&at);
	while (at.p + n < at.end && c_is_word_char(at.p[n])) {
		n++;
	}
	t = add(l, C_WORD_DEFINE, at.p, n);
	if (t != NULL) {
		t->row = row;
		t->call = at.p + n < at.end && at.p[n] == '(';
	}
	c->p = at.p + n;
	return true;
}

static void skip_comment(struct lexer *l, struct scan *c)
{
	const char *end = scan_find(c, "*/", 2);

	l->comment = end == NULL;
	c->p = end != NULL ? end + 2 : c->end;
}

static void end_define(struct lexer *l, uint32_t row)
{
	struct c_token *t = l->define ? add(l, C_WORD_DEFINE_END, "", 0) : NULL;

	if (t != NULL) {
		t->row = row;
	}
	l->define = false;
}

static void lex_line(struct lexer *l, const struct c_line *line)
{
	struct scan c = scan_of(line->s, line->len);
	bool continued = false, first = true;

	while (l->failed == 0 && c.p < c.end) {
		continued = false;
		if (l->comment) {
			skip_comment(l, &c);
		} else if ((unsigned char)*c.p <= ' ') {
			c.p++;
			continue;
		} else if (scan_peek(&c, "//")) {
			c.p = c.end;
		} else if (scan_peek(&c, "/*")) {
			c.p += 2;
			l->comment = true;
		} else if (*c.p == '\\') {
			continued = true;
			c.p++;
		} else if (*c.p == '#' && first && !l->define) {
			l->define = lex_directive(l, &c, line->row);
		} else {
			lex_word(l, &c, line->row);
		}
		first = false;
	}
	if (!continued && !l->comment) {
		end_define(l, line->row);
	}
}

static struct scan trimmed(const struct c_line *line)
{
	return scan_trim(scan_of(line->s, line->len));
}

/* " * more of it": a line of a comment's middle. */
static bool is_comment_line(const struct c_line *line)
{
	struct scan c = trimmed(line);

	return c.p < c.end && *c.p == '*' &&
	       (c.p + 1 == c.end || c.p[1] == ' ' || c.p[1] == '/' || c.p[1] == '\t');
}

/* Whether the fragment begins inside a comment; *ret_lines: how many lines are surely comment. */
static bool begins_in_comment(const struct c_line *lines, size_t n, size_t *ret_lines)
{
	*ret_lines = 0;
	for (size_t i = 0; i < n; i++) {
		struct scan c = scan_of(lines[i].s, lines[i].len);
		const char *open = scan_find(&c, "/*", 2), *close = scan_find(&c, "*/", 2);

		if (close != NULL && (open == NULL || close < open)) {
			return true;
		}
		if (open != NULL) {
			break;
		}
	}
	while (*ret_lines < n && is_comment_line(&lines[*ret_lines])) {
		(*ret_lines)++;
	}
	return false;
}

int c_lex(const struct c_line *lines, size_t n, struct zl_arena *arena, struct c_tokens *ret)
{
	struct lexer l = {.arena = arena, .out = ret};
	size_t skip;

	memset(ret, 0, sizeof(*ret));
	l.comment = begins_in_comment(lines, n, &skip);
	for (size_t i = skip; i < n && l.failed == 0; i++) {
		lex_line(&l, &lines[i]);
	}
	if (n > 0) {
		end_define(&l, lines[n - 1].row);
	}
	(void)add(&l, C_WORD_END, "", 0);
	return l.failed;
}
