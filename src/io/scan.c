/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <string.h>

#include "zonelab/clean.h"

bool scan_blanks(struct scan *c)
{
	const char *from = c->p;

	while (c->p < c->end && scan_is_blank(*c->p)) {
		c->p++;
	}
	return c->p > from;
}

bool scan_literal(struct scan *c, const char *s)
{
	struct scan at = *c;

	for (; *s != '\0'; s++) {
		if (*s == ' ') {
			if (!scan_blanks(&at)) {
				return false;
			}
			continue;
		}
		if (*s == ':') {
			scan_blanks(&at);
		}
		if (at.p == at.end || *at.p != *s) {
			return false;
		}
		at.p++;
	}
	*c = at;
	return true;
}

bool scan_peek(const struct scan *c, const char *s)
{
	size_t n = strlen(s);

	return scan_left(c) >= n && memcmp(c->p, s, n) == 0;
}

bool scan_u64(struct scan *c, uint64_t *ret)
{
	const char *p = c->p;
	uint64_t v = 0;

	for (; p < c->end && *p >= '0' && *p <= '9'; p++) {
		uint64_t d = (uint64_t)(*p - '0');
		if (v > ((uint64_t)INT64_MAX - d) / 10) {
			return false;
		}
		v = v * 10 + d;
	}
	if (p == c->p) {
		return false;
	}
	c->p = p;
	*ret = v;
	return true;
}

bool scan_i64(struct scan *c, int64_t *ret)
{
	struct scan at = *c;
	bool minus = at.p < at.end && *at.p == '-';
	uint64_t v = 0;

	at.p += minus ? 1 : 0;
	if (!scan_u64(&at, &v)) {
		return false;
	}
	*c = at;
	*ret = minus ? -(int64_t)v : (int64_t)v;
	return true;
}

int scan_hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int scan_hex_pair(const char *s, size_t left)
{
	int high = left >= 2 ? scan_hex_digit(s[0]) : -1;
	int low = left >= 2 ? scan_hex_digit(s[1]) : -1;

	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool scan_hex(struct scan *c, uint64_t *ret)
{
	const char *p = c->p;
	uint64_t v = 0;
	unsigned digits = 0;

	if (scan_left(c) > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		p += 2;
	}
	for (; p < c->end && scan_hex_digit(*p) >= 0; p++) {
		digits += v != 0 || *p != '0' ? 1 : 0;
		v = v << 4 | (uint64_t)scan_hex_digit(*p);
	}
	if (p == c->p || scan_hex_digit(p[-1]) < 0 || digits > 16) {
		return false;
	}
	c->p = p;
	*ret = v;
	return true;
}

bool scan_word(struct scan *c, struct scan *ret)
{
	ret->p = c->p;
	while (c->p < c->end && !scan_is_blank(*c->p)) {
		c->p++;
	}
	ret->end = c->p;
	return ret->end > ret->p;
}

const char *scan_find(const struct scan *c, const char *s, size_t n)
{
	for (const char *p = c->p; n > 0 && (size_t)(c->end - p) >= n; p++) {
		p = memchr(p, s[0], (size_t)(c->end - p) - n + 1);
		if (p == NULL) {
			return NULL;
		}
		if (memcmp(p, s, n) == 0) {
			return p;
		}
	}
	return NULL;
}

void scan_copy(const struct scan *c, char *dst, size_t size)
{
	zl_clean_line(dst, size, c->p, scan_left(c));
}

bool scan_equal(const struct scan *c, const char *s)
{
	return scan_left(c) == strlen(s) && memcmp(c->p, s, scan_left(c)) == 0;
}

struct scan scan_trim(struct scan c)
{
	scan_blanks(&c);
	while (c.end > c.p && scan_is_blank(c.end[-1])) {
		c.end--;
	}
	return c;
}
