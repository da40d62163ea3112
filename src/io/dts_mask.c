/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the wrapping off pasted text: mail quoting, diff prefixes and headers, quoted-printable,
 * blanks and quotation marks that an editor of prose put in. What goes is overwritten by blanks,
 * so that every other byte keeps its position; only quoted-printable changes positions, and then
 * the text cannot be corrected in place.
 */
#include "dts_parse.h"
#include "scan.h"

#include <errno.h>
#include <string.h>

#define SOFT_BREAK_MIN 1 /* "=3D" marks that make a text quoted-printable */

struct line {
	char *text;
	size_t size; /* without the line end */
};

static struct line line_at(char *text, size_t size, size_t pos)
{
	const char *end = memchr(text + pos, '\n', size - pos);
	size_t n = end != NULL ? (size_t)(end - (text + pos)) : size - pos;

	return (struct line){.text = text + pos, .size = n};
}

static bool starts(const struct line *l, size_t at, const char *word)
{
	size_t n = strlen(word);

	return l->size >= at + n && memcmp(l->text + at, word, n) == 0;
}

static bool blank_line(const struct line *l)
{
	for (size_t i = 0; i < l->size; i++) {
		if (l->text[i] != ' ' && l->text[i] != '\t' && l->text[i] != '\r') {
			return false;
		}
	}
	return true;
}

/* A `>` in the first column closes a list only when `;` or `,` follows. */
static bool is_quote(const struct line *l, size_t at)
{
	if (l->size <= at || l->text[at] != '>') {
		return false;
	}
	return l->size == at + 1 || (l->text[at + 1] != ';' && l->text[at + 1] != ',');
}

/* Length of the quoting at the start of a line: "> > ". */
static size_t quote_size(const struct line *l)
{
	size_t n = 0;

	while (is_quote(l, n)) {
		n++;
		if (n < l->size && l->text[n] == ' ') {
			n++;
		}
	}
	return n;
}

static void blank(struct line *l, size_t from, size_t n)
{
	memset(l->text + from, ' ', n);
}

static void unquote(struct zl_dts *dts, char *text, size_t size)
{
	size_t quoted = 0;
	size_t used = 0;

	for (size_t pos = 0; pos < size;) {
		struct line l = line_at(text, size, pos);

		used += !blank_line(&l);
		quoted += is_quote(&l, 0);
		pos += l.size + 1;
	}
	if (quoted == 0 || (quoted < 2 && quoted < used)) {
		return;
	}
	dts->quoted = true;
	for (size_t pos = 0; pos < size;) {
		struct line l = line_at(text, size, pos);

		blank(&l, 0, quote_size(&l));
		pos += l.size + 1;
	}
}

/* Column where a diff prefix would stand: behind the blanks that replaced the quoting. */
static size_t prefix_at(const struct zl_dts *dts, const struct line *l, const char *original)
{
	if (!dts->quoted) {
		return 0;
	}
	struct line raw = {.text = NULL, .size = l->size};
	size_t n = 0;

	while (n < raw.size && original[n] == '>') {
		n++;
		if (n < raw.size && original[n] == ' ') {
			n++;
		}
	}
	return n;
}

static bool is_diff_header(const struct line *l, size_t at)
{
	static const char *const words[] = {"diff --git ", "index ", "--- ", "+++ ", "@@ ",
		"new file mode", "deleted file mode", "similarity index", "rename from",
		"rename to", "\\ No newline"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (starts(l, at, words[i])) {
			return true;
		}
	}
	return false;
}

static bool is_tree_file(const struct line *l, size_t at)
{
	static const char *const ends[] = {".dts", ".dtsi", ".dtso", ".overlay"};
	size_t n = l->size;

	for (size_t i = at; i < l->size; i++) {
		if (l->text[i] == '\t' || l->text[i] == '\r') {
			n = i;
			break;
		}
	}
	while (n > at && l->text[n - 1] == ' ') {
		n--;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t k = strlen(ends[i]);

		if (n - at >= k && memcmp(l->text + n - k, ends[i], k) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_diff(const struct zl_dts *dts, const char *original, char *text, size_t size)
{
	size_t plus = 0;
	size_t minus = 0;
	size_t used = 0;
	bool hunk = false;

	for (size_t pos = 0; pos < size;) {
		struct line l = line_at(text, size, pos);
		size_t at = prefix_at(dts, &l, original + pos);

		used += !blank_line(&l);
		hunk = hunk || starts(&l, at, "@@ -") || starts(&l, at, "diff --git ");
		plus += starts(&l, at, "+");
		minus += starts(&l, at, "-") && !starts(&l, at, "--");
		pos += l.size + 1;
	}
	return hunk || (plus > 0 && (plus * 2 >= used || minus > 0));
}

static void undiff(struct zl_dts *dts, const char *original, char *text, size_t size)
{
	bool other_file = false;

	if (!is_diff(dts, original, text, size)) {
		return;
	}
	dts->diff = true;
	for (size_t pos = 0; pos < size;) {
		struct line l = line_at(text, size, pos);
		size_t at = prefix_at(dts, &l, original + pos);

		if (starts(&l, at, "+++ ")) {
			other_file = !is_tree_file(&l, at) && !starts(&l, at, "+++ /dev/null");
		}
		if (other_file || is_diff_header(&l, at) || starts(&l, at, "-")) {
			blank(&l, 0, l.size);
		} else if (starts(&l, at, "+")) {
			blank(&l, at, 1);
		}
		pos += l.size + 1;
	}
}

/* UTF-8 that prose editors produce: no-break space, quotation marks. */
static void plain_marks(char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == 0) {
			text[i] = ' ';
		} else if (c == 0xc2 && i + 1 < size && (unsigned char)text[i + 1] == 0xa0) {
			text[i] = text[i + 1] = ' ';
		} else if (c == 0xe2 && i + 2 < size && (unsigned char)text[i + 1] == 0x80) {
			unsigned char d = (unsigned char)text[i + 2];

			if (d == 0x9c) {
				memcpy(text + i, "  \"", 3);
			} else if (d == 0x9d) {
				memcpy(text + i, "\"  ", 3);
			}
		}
	}
}

static size_t count(const char *text, size_t size, const char *word)
{
	size_t n = strlen(word);
	size_t found = 0;

	for (size_t i = 0; i + n <= size; i++) {
		found += memcmp(text + i, word, n) == 0;
	}
	return found;
}

/* Decodes in place; the result is never longer. */
static size_t decode_quoted_printable(char *text, size_t size)
{
	size_t out = 0;

	for (size_t i = 0; i < size; i++) {
		int c = scan_hex_pair(text + i + 1, size - i - 1);

		if (text[i] == '=' && c >= 0) {
			text[out++] = (char)(unsigned char)c;
			i += 2;
		} else if (text[i] == '=' && i + 1 < size && text[i + 1] == '\n') {
			i++;
		} else if (text[i] == '=' && i + 2 < size && text[i + 1] == '\r' &&
			   text[i + 2] == '\n') {
			i += 2;
		} else {
			text[out++] = text[i];
		}
	}
	return out;
}

int dts_mask(struct dts_parser *p, const char *text, size_t size, char **ret, size_t *ret_size)
{
	char *copy = zl_arena_strn(p->arena, text, size);
	const char *original = text;

	if (copy == NULL) {
		return -ENOMEM;
	}
	if (count(text, size, "=3D") >= SOFT_BREAK_MIN) {
		size = decode_quoted_printable(copy, size);
		p->dts->unfixable = true;
		original = zl_arena_strn(p->arena, copy, size);
		if (original == NULL) {
			return -ENOMEM;
		}
	}
	plain_marks(copy, size);
	unquote(p->dts, copy, size);
	undiff(p->dts, original, copy, size);
	*ret = copy;
	*ret_size = size;
	return 0;
}
