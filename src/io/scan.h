/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cursor over a piece of text that need not be terminated. Every function stays inside.
 */
#ifndef ZONELAB_IO_SCAN_H
#define ZONELAB_IO_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *p, *end;
};

static inline struct scan scan_of(const char *s, size_t len)
{
	struct scan c = {s, s + len};

	return c;
}

static inline size_t scan_left(const struct scan *c)
{
	return (size_t)(c->end - c->p);
}

static inline bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Moves over blanks and tabs; false when there was none. */
bool scan_blanks(struct scan *c);
/* Moves over @s when it is next. A blank in @s takes any number of blanks (at least one), and a
 * colon takes blanks before it, as padded log tags have them. */
bool scan_literal(struct scan *c, const char *s);
/* Whether @s (exactly) is next, without moving. */
bool scan_peek(const struct scan *c, const char *s);
/* Decimal digits. False, unmoved, when none is next or the number is above INT64_MAX. */
bool scan_u64(struct scan *c, uint64_t *ret);
/* The same with an optional minus. */
bool scan_i64(struct scan *c, int64_t *ret);
/* Value of a hexadecimal digit of either case; -1 = none. */
int scan_hex_digit(char c);
/* The byte that two hexadecimal digits at @s say; -1 = they are none, or @left is below 2. */
int scan_hex_pair(const char *s, size_t left);
/* Hexadecimal digits with or without 0x. */
bool scan_hex(struct scan *c, uint64_t *ret);
/* Everything up to a blank or the end; false when that is nothing. */
bool scan_word(struct scan *c, struct scan *ret);
/* Where @s (@n bytes) occurs next, NULL when it does not. */
const char *scan_find(const struct scan *c, const char *s, size_t n);
/* Copies without control characters to a terminated buffer. */
void scan_copy(const struct scan *c, char *dst, size_t size);
bool scan_equal(const struct scan *c, const char *s);
/* Takes blanks off both ends. */
struct scan scan_trim(struct scan c);

#endif
