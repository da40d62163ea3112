/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CODE_DEL     0x7fU
#define CODE_C1_LAST 0x9fU
#define CODE_MAX     0x10ffffU
/* Marks that reorder text could make a terminal show something else than what was read. */
#define BIDI_FIRST    0x202aU
#define BIDI_LAST     0x202eU
#define ISOLATE_FIRST 0x2066U
#define ISOLATE_LAST  0x2069U
#define LRM	      0x200eU
#define RLM	      0x200fU
#define ALM	      0x61cU
/* Ends of lines for some and not for others. */
#define LINE_SEPARATOR	    0x2028U
#define PARAGRAPH_SEPARATOR 0x2029U

/* Bytes of the UTF-8 sequence at s, 0 when it is none; *ret_code is its code point. */
static size_t utf8_length(const unsigned char *s, size_t n, uint32_t *ret_code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 4;
	uint32_t code = s[0];

	if (len == 1) {
		*ret_code = code;
		return 1;
	}
	if (len > n || s[0] < 0xc0 || s[0] > 0xf4) {
		return 0;
	}
	code &= 0x7fU >> len;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			return 0;
		}
		code = code << 6 | (s[i] & 0x3fU);
	}
	if (code < least[len] || code > CODE_MAX || (code >= 0xd800 && code <= 0xdfff)) {
		return 0;
	}
	*ret_code = code;
	return len;
}

static bool is_control(uint32_t code)
{
	return code < ' ' || (code >= CODE_DEL && code <= CODE_C1_LAST) ||
	       (code >= BIDI_FIRST && code <= BIDI_LAST) ||
	       (code >= ISOLATE_FIRST && code <= ISOLATE_LAST) || code == LRM || code == RLM ||
	       code == ALM || code == LINE_SEPARATOR || code == PARAGRAPH_SEPARATOR;
}

static size_t clean(char *dst, size_t size, const char *src, size_t n, bool one_line)
{
	size_t len = 0;
	size_t i = 0;

	while (i < n && src[i] != '\0') {
		const unsigned char *s = (const unsigned char *)src + i;
		uint32_t code = 0;
		size_t bytes = utf8_length(s, n - i, &code);
		const char *from = src + i;
		size_t put = bytes;

		i += bytes > 0 ? bytes : 1;
		if (bytes == 0) {
			from = "?";
			put = 1;
		} else if (code == '\t') {
			from = one_line ? " " : from;
		} else if (is_control(code) && (code != '\n' || one_line)) {
			continue;
		}
		if (len + put >= size) {
			break;
		}
		memmove(dst + len, from, put);
		len += put;
	}
	dst[len] = '\0';
	return len;
}

size_t zl_clean_line(char *dst, size_t size, const char *src, size_t n)
{
	return clean(dst, size, src, n, true);
}

size_t zl_clean_text(char *dst, size_t size, const char *src, size_t n)
{
	return clean(dst, size, src, n, false);
}
