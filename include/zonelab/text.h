/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building of sentences in a caller's buffer, for a library that may not use stdio.
 *
 * A zl_text never overflows: what does not fit is cut and `cut` is set. The buffer is always
 * terminated. Verbs of zl_text_fmt():
 *
 *   %s  const char *           %c  int, one character       %%  a percent sign
 *   %d  int                    %u  unsigned                 %b  int as bool, "on" or "off"
 *   %D  int64_t                %U  uint64_t                 %x  uint64_t, 0x and lower-case hex
 *   %N  uint64_t grouped by threes with a blank from five digits on ("22 528", "2016"); above
 *       2^63 - 1 the negative number of the same bits
 *   %Z  uint64_t bytes as the largest exact unit of B, KiB, MiB, GiB, TiB ("32 MiB"), otherwise
 *       one decimal ("1.5 GiB")
 *   %P  uint64_t bytes, plain number without grouping
 */
#ifndef ZONELAB_TEXT_H
#define ZONELAB_TEXT_H

#include <stdarg.h>

#include "zonelab/types.h"

struct zl_text {
	char *buf;
	size_t size; /* of buf, at least 1 */
	size_t len;  /* without the terminator */
	bool cut;
};

/** Starts an empty text in @buf of @size bytes (@size > 0). */
void zl_text_init(struct zl_text *t, char *buf, size_t size);
void zl_text_str(struct zl_text *t, const char *s);
void zl_text_strn(struct zl_text *t, const char *s, size_t n);
void zl_text_chr(struct zl_text *t, char c);
void zl_text_u64(struct zl_text *t, uint64_t v);
void zl_text_i64(struct zl_text *t, int64_t v);
void zl_text_hex(struct zl_text *t, uint64_t v);
void zl_text_grouped(struct zl_text *t, uint64_t v);
void zl_text_size(struct zl_text *t, uint64_t bytes);
void zl_text_fmt(struct zl_text *t, const char *fmt, ...);
void zl_text_vfmt(struct zl_text *t, const char *fmt, va_list ap);

/** zl_text_init and zl_text_fmt in one; returns the length. */
size_t zl_format(char *buf, size_t size, const char *fmt, ...);

/**
 * Reads a whole decimal or 0x number.
 * Returns 0; -EINVAL if @s is empty or has anything else in it; -ERANGE above 2^63 - 1.
 */
int zl_parse_u64(const char *s, uint64_t *ret);

/**
 * Reads a size with an optional binary unit: K M G T P E, KB, KiB, ... in either case.
 * Without a unit the number is multiplied by @unit (1 for bytes, 1024 for KiB).
 * Returns 0, -EINVAL or -ERANGE (above 2^53, which JSON could not carry).
 */
int zl_parse_size(const char *s, uint64_t unit, uint64_t *ret);

/**
 * The name that is nearest to a word in edits, for "did you mean"; NULL while none is near enough.
 * Words over 48 bytes are far from everything.
 */
struct zl_nearest {
	const char *word, *name;
	unsigned distance;
};
/** Names farther from @word than half its length are not near. */
void zl_nearest_init(struct zl_nearest *n, const char *word);
/** Takes @name if it is nearer than what was there (true); the first of equals stays. */
bool zl_nearest_try(struct zl_nearest *n, const char *name);

/** ASCII only, independent of the locale. */
char zl_lower(char c);
/** The same, for whole strings. */
bool zl_streq_nocase(const char *a, const char *b);
/** Whether @words, which blanks separate, hold @word as a whole; no list holds "". */
bool zl_words_hold(const char *words, const char *word);

#endif
