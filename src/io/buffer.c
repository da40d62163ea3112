/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "zonelab/text.h"

#define PIECE_MAX 1024
#define FIRST_CAP 256

void zl_buf_done(struct zl_buf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

void zl_buf_done_in(struct zl_buf *part, struct zl_buf *whole)
{
	whole->failed = whole->failed || part->failed;
	zl_buf_done(part);
}

void zl_buf_clear(struct zl_buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->data != NULL) {
		b->data[0] = '\0';
	}
}

static bool reserve(struct zl_buf *b, size_t n)
{
	size_t cap = b->cap == 0 ? FIRST_CAP : b->cap;

	if (b->failed) {
		return false;
	}
	while (cap - b->len <= n && cap < SIZE_MAX / 2) {
		cap *= 2;
	}
	if (cap == b->cap) {
		return true;
	}
	char *data = cap - b->len > n ? realloc(b->data, cap) : NULL;
	if (data == NULL) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->cap = cap;
	return true;
}

void zl_buf_mem(struct zl_buf *b, const char *data, size_t n)
{
	if (!reserve(b, n)) {
		return;
	}
	if (n > 0) {
		memcpy(b->data + b->len, data, n);
	}
	b->len += n;
	b->data[b->len] = '\0';
}

void zl_buf_str(struct zl_buf *b, const char *s)
{
	zl_buf_mem(b, s, strlen(s));
}

void zl_buf_chr(struct zl_buf *b, char c)
{
	zl_buf_mem(b, &c, 1);
}

size_t zl_buf_column(const struct zl_buf *b)
{
	size_t column = 0;

	for (size_t i = b->len; i > 0 && b->data[i - 1] != '\n'; i--) {
		if (((unsigned char)b->data[i - 1] & 0xc0u) != 0x80u) {
			column++;
		}
	}
	return column;
}

void zl_buf_pad(struct zl_buf *b, size_t column)
{
	for (size_t at = zl_buf_column(b); at < column; at++) {
		zl_buf_chr(b, ' ');
	}
}

void zl_buf_vfmt(struct zl_buf *b, const char *fmt, va_list ap)
{
	char piece[PIECE_MAX];
	struct zl_text t;

	zl_text_init(&t, piece, sizeof(piece));
	zl_text_vfmt(&t, fmt, ap);
	zl_buf_mem(b, piece, t.len);
}

void zl_buf_fmt(struct zl_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	zl_buf_vfmt(b, fmt, ap);
	va_end(ap);
}

const char *zl_buf_text(const struct zl_buf *b)
{
	return b->data != NULL ? b->data : "";
}
