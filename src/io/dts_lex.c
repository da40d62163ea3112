/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characters, blanks and comments of device-tree source. Positions are bytes.
 */
#include "dts_parse.h"
#include "scan.h"

#include <string.h>

bool dts_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool dts_is_ident(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || dts_is_digit(c) || c == '_';
}

bool dts_is_name(char c)
{
	return dts_is_ident(c) || (c != '\0' && strchr(",.+*#?@-", c) != NULL);
}

bool dts_at_end(const struct dts_cursor *c)
{
	return c->pos >= c->size;
}

char dts_peek(const struct dts_cursor *c, size_t ahead)
{
	return c->pos + ahead < c->size ? c->text[c->pos + ahead] : '\0';
}

bool dts_accept(struct dts_cursor *c, const char *word)
{
	size_t n = strlen(word);

	if (c->size - c->pos < n || memcmp(c->text + c->pos, word, n) != 0) {
		return false;
	}
	c->pos += n;
	return true;
}

size_t dts_span(const struct dts_cursor *c, bool (*is)(char))
{
	size_t n = 0;

	while (c->pos + n < c->size && is(c->text[c->pos + n])) {
		n++;
	}
	return n;
}

uint32_t dts_at(const struct dts_cursor *c)
{
	return c->in_macro ? c->use_begin : (uint32_t)c->pos;
}

void dts_skip_line(struct dts_cursor *c)
{
	while (!dts_at_end(c) && c->text[c->pos] != '\n') {
		c->pos++;
	}
}

static bool at_line_start(const struct dts_cursor *c)
{
	size_t i = c->pos;

	while (i > 0 && (c->text[i - 1] == ' ' || c->text[i - 1] == '\t')) {
		i--;
	}
	return i == 0 || c->text[i - 1] == '\n';
}

static void skip_comment(struct dts_parser *p, struct dts_cursor *c)
{
	struct dts_cursor begin = *c;

	c->pos += 2;
	while (!dts_at_end(c)) {
		if (dts_accept(c, "*/")) {
			return;
		}
		c->pos++;
	}
	dts_note(p, dts_broken(p), &begin, "the comment has no end");
}

static bool skip_one(struct dts_parser *p, struct dts_cursor *c)
{
	char ch = dts_peek(c, 0);

	if (ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n' || ch == '\f' || ch == '\v') {
		c->pos++;
		return true;
	}
	if (ch == '/' && dts_peek(c, 1) == '*') {
		skip_comment(p, c);
		return true;
	}
	if (ch == '/' && dts_peek(c, 1) == '/') {
		dts_skip_line(c);
		return true;
	}
	if (ch == '\\' && (dts_peek(c, 1) == '\n' || dts_peek(c, 1) == '\r')) {
		c->pos++;
		return true;
	}
	return ch == '#' && !c->in_macro && at_line_start(c) && dts_directive(p, c);
}

bool dts_skip(struct dts_parser *p, struct dts_cursor *c)
{
	bool line = false;

	while (!dts_at_end(c) && p->error == 0) {
		bool end = c->text[c->pos] == '\n';
		size_t before = c->pos;

		if (!skip_one(p, c)) {
			break;
		}
		line = line || end ||
		       (c->pos > before + 1 &&
			       memchr(c->text + before, '\n', c->pos - before) != NULL);
	}
	return line;
}

/* From an opening parenthesis to behind its partner, or to the end of the statement. */
void dts_skip_balanced(struct dts_parser *p, struct dts_cursor *c)
{
	unsigned depth = 0;

	while (!dts_at_end(c) && p->error == 0) {
		char ch = c->text[c->pos];

		if (ch == ';' || ch == '{' || ch == '}') {
			return;
		}
		c->pos++;
		if (ch == '(') {
			depth++;
		} else if (ch == ')') {
			depth--;
			if (depth == 0) {
				return;
			}
		}
		dts_skip(p, c);
	}
}

static unsigned read_digits(struct dts_cursor *c, unsigned base, unsigned max)
{
	unsigned v = 0;

	for (unsigned i = 0; i < max; i++) {
		int d = scan_hex_digit(dts_peek(c, 0));

		if (d < 0 || (unsigned)d >= base) {
			break;
		}
		v = v * base + (unsigned)d;
		c->pos++;
	}
	return v;
}

/* One character of a string or constant, escapes resolved as dtc does. */
uint64_t dts_read_char(struct dts_cursor *c)
{
	static const char from[] = "abtnvfr";
	static const char to[] = "\a\b\t\n\v\f\r";
	char ch = dts_peek(c, 0);
	const char *hit;

	c->pos++;
	if (ch != '\\' || dts_at_end(c)) {
		return (unsigned char)ch;
	}
	ch = dts_peek(c, 0);
	if (ch >= '0' && ch <= '7') {
		return read_digits(c, 8, 3) & 0xffu;
	}
	c->pos++;
	if (ch == 'x') {
		return read_digits(c, 16, 2);
	}
	hit = ch != '\0' ? strchr(from, ch) : NULL;
	return (unsigned char)(hit != NULL ? to[hit - from] : ch);
}
