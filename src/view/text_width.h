/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UTF-8 decoding and the width of characters in cells. Our own table, so that a screen is the
 * same text on every machine and with every C library.
 */
#ifndef VIEW_TEXT_WIDTH_H
#define VIEW_TEXT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu
#define UTF8_MAX	 4

/**
 * Reads one code point and moves *s past it; 0 at the end of the text.
 * A byte that starts no well-formed sequence (overlong, surrogate, above 0x10ffff, cut short)
 * gives UTF8_REPLACEMENT and is skipped alone.
 */
uint32_t utf8_next(const char **s);

/** Writes a code point and a terminator; returns the number of bytes before it. */
size_t utf8_encode(uint32_t cp, char ret[UTF8_MAX + 1]);

/** Cells of one code point: 0 (combining, formatting), 1 or 2; -1 for a control character. */
int char_width(uint32_t cp);

/** Cells of a text as the canvas would store it; control characters count as nothing. */
int text_width(const char *utf8);

/** Bytes of a text that fill up to @cols cells, ending at a word where one ends. */
size_t text_fit(const char *s, int cols);

#endif
