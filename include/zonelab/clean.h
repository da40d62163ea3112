/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text from files made safe to show: control characters never reach a terminal or a report.
 */
#ifndef ZONELAB_CLEAN_H
#define ZONELAB_CLEAN_H

#include <stddef.h>

/**
 * Copies at most @n bytes of @src up to its terminator to one line in @dst of @size bytes
 * (@size > 0).
 *
 * Tabs become blanks, other control characters (C0, DEL, C1 as UTF-8) are dropped, bytes that are
 * not UTF-8 become '?', and a cut never splits a character.
 * @dst may be @src itself: the result is never longer.
 * Returns the length written.
 */
size_t zl_clean_line(char *dst, size_t size, const char *src, size_t n);
/** The same, but line feeds and tabs are kept. */
size_t zl_clean_text(char *dst, size_t size, const char *src, size_t n);

#endif
