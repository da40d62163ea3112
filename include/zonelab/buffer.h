/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing text for reports. Verbs are those of zonelab/text.h, so that
 * a number looks the same in a report, in a diagnostic and on a screen.
 */
#ifndef ZONELAB_BUFFER_H
#define ZONELAB_BUFFER_H

#include <stdarg.h>

#include "zonelab/types.h"

/** Zero-initialised = empty. `failed` is sticky: without memory nothing more is added. */
struct zl_buf {
	char *data; /* terminated when not NULL */
	size_t len;
	size_t cap;
	bool failed;
};

void zl_buf_done(struct zl_buf *b);
/** Ends a text that went into @whole: what it had no memory for, that lacks too. */
void zl_buf_done_in(struct zl_buf *part, struct zl_buf *whole);
void zl_buf_clear(struct zl_buf *b);
void zl_buf_mem(struct zl_buf *b, const char *data, size_t n);
void zl_buf_str(struct zl_buf *b, const char *s);
void zl_buf_chr(struct zl_buf *b, char c);
/** Pads with blanks until the present line has @column characters (UTF-8 counted by code point). */
void zl_buf_pad(struct zl_buf *b, size_t column);
/** One formatted piece of at most 1023 bytes; longer text goes through zl_buf_str(). */
void zl_buf_fmt(struct zl_buf *b, const char *fmt, ...);
void zl_buf_vfmt(struct zl_buf *b, const char *fmt, va_list ap);
/** The text, "" when empty. */
const char *zl_buf_text(const struct zl_buf *b);
/** Characters of the last, unfinished line, by code point. */
size_t zl_buf_column(const struct zl_buf *b);

#endif
