/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in a caller's buffer, numbers in the forms that screens and reports use.
 */
#include "zonelab/text.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define DIGITS_MAX 24

void zl_text_init(struct zl_text *t, char *buf, size_t size)
{
	t->buf = buf;
	t->size = size;
	t->len = 0;
	t->cut = false;
	buf[0] = '\0';
}

void zl_text_strn(struct zl_text *t, const char *s, size_t n)
{
	size_t room = t->size - 1 - t->len;

	if (n > room) {
		n = room;
		t->cut = true;
	}
	if (n > 0) {
		memcpy(t->buf + t->len, s, n);
	}
	t->len += n;
	t->buf[t->len] = '\0';
}

void zl_text_str(struct zl_text *t, const char *s)
{
	zl_text_strn(t, s, strlen(s));
}

void zl_text_chr(struct zl_text *t, char c)
{
	zl_text_strn(t, &c, 1);
}

/* Digits of v in the given base, most significant first; returns how many. */
static size_t digits_of(uint64_t v, unsigned base, char *out)
{
	char rev[DIGITS_MAX];
	size_t n = 0;

	do {
		rev[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v != 0 && n < DIGITS_MAX);
	for (size_t i = 0; i < n; i++) {
		out[i] = rev[n - 1 - i];
	}
	return n;
}

void zl_text_u64(struct zl_text *t, uint64_t v)
{
	char d[DIGITS_MAX];

	zl_text_strn(t, d, digits_of(v, 10, d));
}

void zl_text_i64(struct zl_text *t, int64_t v)
{
	if (v < 0) {
		zl_text_chr(t, '-');
		zl_text_u64(t, (uint64_t)0 - (uint64_t)v);
	} else {
		zl_text_u64(t, (uint64_t)v);
	}
}

void zl_text_hex(struct zl_text *t, uint64_t v)
{
	char d[DIGITS_MAX];

	zl_text_str(t, "0x");
	zl_text_strn(t, d, digits_of(v, 16, d));
}

void zl_text_grouped(struct zl_text *t, uint64_t v)
{
	char d[DIGITS_MAX];
	size_t n;

	/* A counter below zero; no count is that large. */
	if (v > INT64_MAX) {
		zl_text_chr(t, '-');
		v = 0 - v;
	}
	n = digits_of(v, 10, d);
	for (size_t i = 0; i < n; i++) {
		if (n >= 5 && i > 0 && (n - i) % 3 == 0) {
			zl_text_chr(t, ' ');
		}
		zl_text_chr(t, d[i]);
	}
}

void zl_text_size(struct zl_text *t, uint64_t bytes)
{
	static const char *const unit[] = {" B", " KiB", " MiB", " GiB", " TiB"};
	unsigned u = 0;
	uint64_t scale = 1;

	while (u < 4 && bytes != 0 && bytes % (scale * 1024) == 0) {
		scale *= 1024;
		u++;
	}
	if (bytes / scale < 10000 || u == 4) {
		zl_text_grouped(t, bytes / scale);
		zl_text_str(t, unit[u]);
		return;
	}
	while (u < 4 && bytes / scale >= 1024) {
		scale *= 1024;
		u++;
	}
	/* To the nearest tenth: 5.35 GiB and a little more are 5.4. */
	uint64_t tenths = bytes / scale * 10 + (bytes % scale * 10 + scale / 2) / scale;
	zl_text_grouped(t, tenths / 10);
	if (bytes % scale != 0) {
		zl_text_chr(t, '.');
		zl_text_u64(t, tenths % 10);
	}
	zl_text_str(t, unit[u]);
}

/* Renders one verb; the argument list is read exactly once a verb. */
static void render_verb(struct zl_text *t, char verb, va_list *ap)
{
	switch (verb) {
	case 's':
		zl_text_str(t, va_arg(*ap, const char *));
		break;
	case 'c':
		zl_text_chr(t, (char)va_arg(*ap, int));
		break;
	case 'd':
		zl_text_i64(t, va_arg(*ap, int));
		break;
	case 'u':
		zl_text_u64(t, va_arg(*ap, unsigned));
		break;
	case 'b':
		zl_text_str(t, va_arg(*ap, int) != 0 ? "on" : "off");
		break;
	case 'D':
		zl_text_i64(t, va_arg(*ap, int64_t));
		break;
	case 'U':
	case 'P':
		zl_text_u64(t, va_arg(*ap, uint64_t));
		break;
	case 'x':
		zl_text_hex(t, va_arg(*ap, uint64_t));
		break;
	case 'N':
		zl_text_grouped(t, va_arg(*ap, uint64_t));
		break;
	case 'Z':
		zl_text_size(t, va_arg(*ap, uint64_t));
		break;
	default:
		zl_text_chr(t, verb);
		break;
	}
}

void zl_text_vfmt(struct zl_text *t, const char *fmt, va_list ap)
{
	va_list args;

	va_copy(args, ap);
	for (const char *p = fmt; *p != '\0'; p++) {
		if (*p != '%' || p[1] == '\0') {
			zl_text_chr(t, *p);
			continue;
		}
		p++;
		render_verb(t, *p, &args);
	}
	va_end(args);
}

void zl_text_fmt(struct zl_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	zl_text_vfmt(t, fmt, ap);
	va_end(ap);
}

size_t zl_format(char *buf, size_t size, const char *fmt, ...)
{
	struct zl_text t;
	va_list ap;

	zl_text_init(&t, buf, size);
	va_start(ap, fmt);
	zl_text_vfmt(&t, fmt, ap);
	va_end(ap);
	return t.len;
}

static int digit_value(char c, unsigned base)
{
	int v = -1;

	if (c >= '0' && c <= '9') {
		v = c - '0';
	} else if (c >= 'a' && c <= 'f') {
		v = c - 'a' + 10;
	} else if (c >= 'A' && c <= 'F') {
		v = c - 'A' + 10;
	}
	return v >= 0 && (unsigned)v < base ? v : -1;
}

/* Reads the number at *s and moves past it; -EINVAL without a digit, -ERANGE above INT64_MAX. */
static int scan_number(const char **s, uint64_t *ret)
{
	const char *p = *s;
	unsigned base = 10;
	uint64_t v = 0;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_value(p[2], 16) >= 0) {
		base = 16;
		p += 2;
	}
	if (digit_value(*p, base) < 0) {
		return -EINVAL;
	}
	for (int d = digit_value(*p, base); d >= 0; d = digit_value(*++p, base)) {
		if (v > ((uint64_t)INT64_MAX - (uint64_t)d) / base) {
			return -ERANGE;
		}
		v = v * base + (uint64_t)d;
	}
	*s = p;
	*ret = v;
	return 0;
}

int zl_parse_u64(const char *s, uint64_t *ret)
{
	uint64_t v = 0;
	int r = scan_number(&s, &v);

	if (r < 0) {
		return r;
	}
	if (*s != '\0') {
		return -EINVAL;
	}
	*ret = v;
	return 0;
}

char zl_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool zl_streq_nocase(const char *a, const char *b)
{
	while (*a != '\0' && zl_lower(*a) == zl_lower(*b)) {
		a++;
		b++;
	}
	return zl_lower(*a) == zl_lower(*b);
}

/* log2 of a unit suffix, 0 for plain bytes, -1 for an unknown one. */
static int unit_shift(const char *s)
{
	static const char letters[] = "kmgtpe";
	const char *at = *s != '\0' ? strchr(letters, zl_lower(*s)) : NULL;

	if (zl_streq_nocase(s, "b")) {
		return 0;
	}
	if (at == NULL ||
		!(s[1] == '\0' || zl_streq_nocase(s + 1, "b") || zl_streq_nocase(s + 1, "ib"))) {
		return -1;
	}
	return 10 * (int)(at - letters + 1);
}

int zl_parse_size(const char *s, uint64_t unit, uint64_t *ret)
{
	const uint64_t limit = UINT64_C(1) << 53;
	uint64_t v = 0;
	int r = scan_number(&s, &v);

	if (r < 0) {
		return r;
	}
	while (*s == ' ') {
		s++;
	}
	uint64_t scale = unit;
	if (*s != '\0') {
		int shift = unit_shift(s);
		if (shift < 0) {
			return -EINVAL;
		}
		scale = UINT64_C(1) << shift;
	}
	if (v > limit / scale) {
		return -ERANGE;
	}
	*ret = v * scale;
	return 0;
}

/* Edit distance of two words; UINT_MAX if one is too long to tell. */
static unsigned distance(const char *a, const char *b)
{
	enum { LEN = 48 };
	unsigned row[LEN + 1];
	size_t nb = strlen(b);

	if (nb > LEN || strlen(a) > LEN) {
		return UINT_MAX;
	}
	for (size_t j = 0; j <= nb; j++) {
		row[j] = (unsigned)j;
	}
	for (size_t i = 0; a[i] != '\0'; i++) {
		unsigned diagonal = row[0];
		row[0] = (unsigned)i + 1;
		for (size_t j = 0; j < nb; j++) {
			unsigned replace = diagonal + (a[i] != b[j]);
			unsigned shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
			diagonal = row[j + 1];
			row[j + 1] = replace < shorter + 1 ? replace : shorter + 1;
		}
	}
	return row[nb];
}

void zl_nearest_init(struct zl_nearest *n, const char *word)
{
	n->word = word;
	n->name = NULL;
	n->distance = (unsigned)strlen(word) / 2 + 1;
}

bool zl_nearest_try(struct zl_nearest *n, const char *name)
{
	size_t length = strlen(n->word);
	size_t other = strlen(name);
	unsigned most = (unsigned)length / 2;

	/* A name that has the word in it is near enough, the shortest first; but anything nearer is
	 * better. */
	bool has = most >= 2 && strstr(name, n->word) != NULL;

	/* No nearer than their lengths are. */
	if (!has && (length > other ? length - other : other - length) >= n->distance) {
		return false;
	}
	unsigned d = distance(n->word, name);
	d = has && d > most ? most : d;
	bool shorter = has && n->name != NULL && d == n->distance && strlen(name) < strlen(n->name);
	if (d >= n->distance && !shorter) {
		return false;
	}
	n->distance = d;
	n->name = name;
	return true;
}

bool zl_words_hold(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(words, word); n > 0 && p != NULL; p = strstr(p + 1, word)) {
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) {
			return true;
		}
	}
	return false;
}
