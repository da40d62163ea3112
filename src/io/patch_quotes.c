/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in front of the lines of a diff: quote marks, dashes of signed mails, a margin.
 */
#include "patch.h"

/* "AB> ": some mailers put initials in front of the mark. */
static size_t initials(const char *p, const char *end)
{
	const size_t most = 4;
	size_t n = 0;

	while (n <= most && p + n < end && p[n] >= 'A' && p[n] <= 'Z') {
		n++;
	}
	return n > 0 && n <= most && p + n < end && p[n] == '>' ? n : 0;
}

struct patch_quoted patch_take_quotes(const struct zl_line *line, uint32_t source)
{
	struct patch_quoted q = {.text = scan_of(line->s, line->len), .line = source};
	const char *p = line->s, *end = p + line->len;

	while (p < end && q.depth < ZL_PATCH_QUOTES_MAX) {
		const char *at = p;

		if (q.depth > 0 && *at == ' ') {
			at++;
		}
		at += initials(at, end);
		if (at == end || *at != '>') {
			break;
		}
		q.depth++;
		p = at + 1;
	}
	if (q.depth > 0 && p < end && *p == ' ') {
		p++;
	}
	q.text.p = p;
	return q;
}

void patch_unescape(bool *is_signed, struct patch_quoted *q)
{
	if (scan_peek(&q->text, "-----BEGIN PGP SIGNED MESSAGE-----")) {
		*is_signed = true;
	} else if (scan_peek(&q->text, "-----BEGIN PGP SIGNATURE-----")) {
		*is_signed = false;
	} else if (*is_signed && scan_peek(&q->text, "- ")) {
		q->text.p += 2;
	}
}

static size_t leading_blanks(const struct scan *c)
{
	size_t n = 0;

	while (c->p + n < c->end && scan_is_blank(c->p[n])) {
		n++;
	}
	return n;
}

void patch_set_in(size_t *indent, struct patch_quoted *q, const struct zl_lines *rest)
{
	size_t blanks = leading_blanks(&q->text);
	struct scan c = q->text;
	struct zl_lines after = *rest;
	struct zl_line next;

	c.p += blanks;
	if (blanks > 0 && scan_peek(&c, "--- ") && zl_lines_next(&after, &next)) {
		struct patch_quoted n = patch_take_quotes(&next, 0);

		if (leading_blanks(&n.text) == blanks && scan_left(&n.text) > blanks) {
			n.text.p += blanks;
			*indent = scan_peek(&n.text, "+++ ") ? blanks : *indent;
		}
	}
	q->text.p += blanks < *indent ? blanks : *indent;
}
