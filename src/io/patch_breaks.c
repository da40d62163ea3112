/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diffs out of archives that lost the line breaks. Where tabs and double blanks are left, the marks
 * of lines can be seen; the counts of the hunk tell afterwards whether all were found.
 */
#include <errno.h>
#include <string.h>

#include "patch.h"

/* Lines of a diff are rarely longer. */
#define LONG_LINE 300

static bool peek(const char *p, const char *end, const char *s)
{
	size_t n = strlen(s);

	return (size_t)(end - p) >= n && memcmp(p, s, n) == 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "index 0123456..89abcde" */
static bool is_index(const char *p, const char *end)
{
	unsigned n = 0;

	if (!peek(p, end, "index ")) {
		return false;
	}
	for (p += 6; p < end && (is_digit(*p) || (*p >= 'a' && *p <= 'f')); p++) {
		n++;
	}
	return n >= 7 && peek(p, end, "..");
}

static bool begins_header(const char *p, const char *end)
{
	return peek(p, end, "diff --git a/") || peek(p, end, "--- a/") || peek(p, end, "+++ b/") ||
	       peek(p, end, "--- /dev/null") || peek(p, end, "+++ /dev/null") || is_index(p, end) ||
	       (peek(p, end, "@@ -") && end - p > 4 && is_digit(p[4]));
}

/* Whether the blank at @p stands where a line break was, inside a hunk. */
static bool breaks_in_hunk(const char *p, const char *end)
{
	if (end - p < 2 || scan_is_blank(p[-1])) {
		return false; /* a blank of an indentation */
	}
	if (p[1] == ' ') {
		return p + 2 == end || p[2] != ' ';
	}
	if (p[1] != '+' && p[1] != '-') {
		return false;
	}
	return p + 2 == end || p[2] == '\t' || p[2] == '}' || p[2] == '#' ||
	       (p[2] == ' ' && end - p > 4 && (p[3] == '+' || p[3] == '-') && p[4] == '\t');
}

/* A quote mark that stood in front of a line. */
static bool breaks_at_quote(const char *p, const char *end)
{
	if (!peek(p, end, " > ") || end - p < 4) {
		return false;
	}
	p += 3;
	return *p == '+' || *p == '-' || *p == ' ' || *p == '\t' || begins_header(p, end);
}

static size_t restore_line(const struct scan *line, char *out)
{
	const char *head = scan_find(line, "@@ -", 4);
	bool quoted = head != NULL && head - line->p >= 2 && head[-2] == '>';
	size_t n = 0;

	for (const char *p = line->p; p < line->end; p++) {
		bool blank = *p == ' ' && p > line->p;
		bool cut = false;

		if (blank && quoted) {
			cut = breaks_at_quote(p, line->end);
		} else if (blank) {
			cut = begins_header(p + 1, line->end) ||
			      (head != NULL && p > head && breaks_in_hunk(p, line->end));
		}
		out[n++] = *p;
		if (cut) {
			out[n - 1] = '\n';
		}
	}
	return n;
}

static bool lost_breaks(const struct scan *line)
{
	return scan_left(line) > LONG_LINE && scan_find(line, " @@ -", 5) != NULL &&
	       (scan_find(line, "diff --git ", 11) != NULL || scan_find(line, "--- a/", 6) != NULL);
}

int patch_restore_breaks(struct patch_reader *r, struct scan *text, bool *ret_restored)
{
	size_t size = scan_left(text), n = 0;
	struct zl_lines l;
	struct zl_line line;
	bool lost = false;
	char *out;

	*ret_restored = false;
	zl_lines_init(&l, text->p, size);
	while (!lost && zl_lines_next(&l, &line)) {
		struct scan c = scan_of(line.s, line.len);

		lost = lost_breaks(&c);
	}
	if (!lost) {
		return 0;
	}
	out = zl_arena_alloc(r->arena, size + 2);
	if (out == NULL) {
		return -ENOMEM;
	}
	zl_lines_init(&l, text->p, size);
	while (zl_lines_next(&l, &line)) {
		struct scan c = scan_of(line.s, line.len);

		if (lost_breaks(&c)) {
			n += restore_line(&c, out + n);
		} else {
			memcpy(out + n, line.s, line.len);
			n += line.len;
		}
		out[n++] = '\n';
	}
	*text = scan_of(out, n);
	*ret_restored = true;
	return 0;
}
