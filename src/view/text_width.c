/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text_width.h"

#include <stdbool.h>
#include <string.h>

#include "text_width_ranges.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static bool in_ranges(uint32_t cp, const struct range *r, size_t n)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (cp > r[mid].last) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < n && cp >= r[lo].first;
}

int char_width(uint32_t cp)
{
	const uint32_t first_printable = 0x20, del = 0x7f, c1_end = 0xa0, combining = 0x300;

	if (cp < first_printable || (cp >= del && cp < c1_end)) {
		return -1;
	}
	if (cp < combining) {
		return cp == 0xad ? 0 : 1; /* the soft hyphen is only a hint */
	}
	if (in_ranges(cp, zero, COUNT_OF(zero))) {
		return 0;
	}
	return in_ranges(cp, wide, COUNT_OF(wide)) ? 2 : 1;
}

/* Bytes that follow a lead byte and the bits that it carries; -1 for no lead byte. */
static int lead_byte(unsigned char b, uint32_t *ret_bits)
{
	if (b < 0x80) {
		*ret_bits = b;
		return 0;
	}
	if (b >= 0xc2 && b <= 0xdf) {
		*ret_bits = b & 0x1fu;
		return 1;
	}
	if (b >= 0xe0 && b <= 0xef) {
		*ret_bits = b & 0x0fu;
		return 2;
	}
	if (b >= 0xf0 && b <= 0xf4) {
		*ret_bits = b & 0x07u;
		return 3;
	}
	return -1;
}

/* The smallest code point that may be written with so many following bytes. */
static const uint32_t smallest[UTF8_MAX] = {0, 0x80, 0x800, 0x10000};

uint32_t utf8_next(const char **s)
{
	const char *p = *s;
	uint32_t cp = 0;
	int more = lead_byte((unsigned char)*p, &cp);

	if (more == 0 && cp == 0) {
		return 0;
	}
	*s = p + 1;
	for (int i = 1; i <= more; i++) {
		unsigned char b = (unsigned char)p[i];
		if ((b & 0xc0u) != 0x80u) {
			return UTF8_REPLACEMENT;
		}
		cp = cp << 6 | (b & 0x3fu);
	}
	if (more < 0 || cp < smallest[more] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff)) {
		return UTF8_REPLACEMENT;
	}
	*s = p + 1 + more;
	return cp;
}

size_t utf8_encode(uint32_t cp, char ret[UTF8_MAX + 1])
{
	size_t n = 0;

	if (cp < 0x80) {
		ret[n++] = (char)cp;
	} else if (cp < 0x800) {
		ret[n++] = (char)(0xc0u | cp >> 6);
	} else if (cp < 0x10000) {
		ret[n++] = (char)(0xe0u | cp >> 12);
		ret[n++] = (char)(0x80u | (cp >> 6 & 0x3fu));
	} else {
		ret[n++] = (char)(0xf0u | cp >> 18);
		ret[n++] = (char)(0x80u | (cp >> 12 & 0x3fu));
		ret[n++] = (char)(0x80u | (cp >> 6 & 0x3fu));
	}
	if (cp >= 0x80) {
		ret[n++] = (char)(0x80u | (cp & 0x3fu));
	}
	ret[n] = '\0';
	return n;
}

int text_width(const char *utf8)
{
	int cells = 0;
	const char *p = utf8;

	for (uint32_t cp = utf8_next(&p); cp != 0; cp = utf8_next(&p)) {
		int w = char_width(cp);
		cells += w > 0 ? w : 0;
	}
	return cells;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether a line breaks badly at the blank at @p: beside an operator, before a number or unit. */
static bool joins(const char *s, const char *p)
{
	static const char *const words[] = {
		"/", "+", "-", "x", "*", "=", "<", ">", "<<", ">>", ">=", "<=", "→", "←"};
	const char *begin = p;

	if (is_digit(p[1]) || (p > s && is_digit(p[-1]) && p[1] >= 'A' && p[1] <= 'Z' &&
				      strncmp(p + 2, "iB", 2) == 0)) {
		return true;
	}
	while (begin > s && begin[-1] != ' ') {
		begin--;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (((size_t)(p - begin) == n && strncmp(begin, words[i], n) == 0) ||
			(strncmp(p + 1, words[i], n) == 0 && p[n + 1] == ' ')) {
			return true;
		}
	}
	return false;
}

size_t text_fit(const char *s, int cols)
{
	const char *p = s;
	size_t word = 0;   /* at a blank */
	size_t phrase = 0; /* at one that no operator stands beside, behind a third */
	size_t last = 0;
	int used = 0;

	if (text_width(s) <= cols) {
		return strlen(s);
	}
	while (*p != '\0') {
		if (*p == ' ') {
			word = (size_t)(p - s);
			phrase = used > cols / 3 && !joins(s, p) ? word : phrase;
		}
		last = (size_t)(p - s);
		int w = char_width(utf8_next(&p));
		used += w > 0 ? w : 0;
		if (used > cols) {
			break;
		}
	}
	word = phrase > 0 ? phrase : word;
	return word > 0 ? word : last > 0 ? last : (size_t)(p - s);
}
