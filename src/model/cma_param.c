/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of cma= as the kernel reads them: numbers in C notation with one binary suffix. As there,
 * an overflow wraps; the caller refuses what is out of range.
 */
#include <errno.h>

#include "zonelab/reservation.h"

#define SUFFIX_BITS 10

static int digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'F') {
		return c - 'A' + 10;
	}
	return -1;
}

static unsigned suffix(char c)
{
	static const char letters[] = "KkMmGgTtPpEe";

	for (unsigned i = 0; letters[i] != '\0'; i++) {
		if (letters[i] == c) {
			return (i / 2 + 1) * SUFFIX_BITS;
		}
	}
	return 0;
}

const char *zl_memparse(const char *s, uint64_t *ret)
{
	const char *p = s;
	unsigned base = 10;
	unsigned shift;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) >= 0) {
		base = 16;
		p += 2;
	} else if (p[0] == '0') {
		base = 8;
	}
	*ret = 0;
	if (digit(p[0]) < 0 || (unsigned)digit(p[0]) >= base) {
		return s;
	}
	while (digit(*p) >= 0 && (unsigned)digit(*p) < base) {
		*ret = *ret * base + (unsigned)digit(*p);
		p++;
	}
	shift = suffix(*p);
	*ret <<= shift;
	return shift > 0 ? p + 1 : p;
}

int zl_cma_param_parse(const char *value, struct zl_cma_param *ret, const char **ret_rest)
{
	struct zl_cma_param r = {.size = 0};
	const char *p = zl_memparse(value, &r.size);

	if (p == value) {
		return -EINVAL;
	}
	if (*p == '@') {
		r.has_base = true;
		p = zl_memparse(p + 1, &r.base);
		if (*p == '-') {
			r.has_limit = true;
			p = zl_memparse(p + 1, &r.limit);
		} else {
			r.limit = r.base + r.size;
		}
	}
	*ret = r;
	*ret_rest = p;
	return 0;
}
