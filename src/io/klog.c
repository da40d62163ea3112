/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prefixes of kernel log lines. Heads are tried in the order in which tools put them before the
 * message: quoting, syslog or journal or logcat, level, then any number of [stamps].
 */
#include <string.h>

#include "scan.h"
#include "zonelab/dmesg.h"

#define USEC_PER_SEC INT64_C(1000000)
#define STAMP_MAX    40

/* A bracket that holds a stamp, a date or a caller id: digits, letters, blanks and .:,+-T */
static bool skip_bracket(struct scan *c, int64_t *ret_time_us)
{
	struct scan in = *c;
	uint64_t sec = 0;
	uint64_t usec = 0;

	if (in.p == in.end || *in.p != '[') {
		return false;
	}
	in.p++;
	const char *close = memchr(in.p, ']', scan_left(&in));
	if (close == NULL || close - in.p > STAMP_MAX || close == in.p) {
		return false;
	}
	in.end = close;
	for (const char *p = in.p; p < in.end; p++) {
		if (memchr("0123456789 .:,+-TC", *p, 18) == NULL &&
			!(*p >= 'A' && *p <= 'Z' && close - in.p > 8) &&
			!(*p >= 'a' && *p <= 'z' && close - in.p > 8)) {
			return false;
		}
	}
	scan_blanks(&in);
	if (scan_u64(&in, &sec) && in.p < in.end && *in.p == '.' && sec < INT32_MAX) {
		in.p++;
		const char *digits = in.p;
		if (scan_u64(&in, &usec) && in.p - digits == 6) {
			*ret_time_us = (int64_t)sec * USEC_PER_SEC + (int64_t)usec;
		}
	}
	c->p = close + 1;
	return true;
}

/* "<6>" of a raw log, "kern  :info  : " of dmesg -x */
static void skip_level(struct scan *c)
{
	struct scan at = *c;
	uint64_t level = 0;

	if (at.p < at.end && *at.p == '<') {
		at.p++;
		if (scan_u64(&at, &level) && at.p < at.end && *at.p == '>') {
			c->p = at.p + 1;
		}
		return;
	}
	if (scan_peek(&at, "kern") && scan_literal(&at, "kern:")) {
		struct scan word;
		scan_word(&at, &word);
		scan_blanks(&at);
		if (at.p < at.end && *at.p == ':') {
			c->p = at.p + 1;
		}
	}
}

/* "... host kernel: message"; the date and host before it may have any form. */
static void skip_syslog(struct scan *c)
{
	static const char tag[] = "kernel: ";
	const char *at = scan_find(c, tag, sizeof(tag) - 1);

	if (at == NULL || at == c->p || !scan_is_blank(at[-1]) || *c->p == '[') {
		return;
	}
	c->p = at + sizeof(tag) - 1;
}

/* "06-01 12:00:00.000  0  0 I tag: message"; the tag belongs to the message. */
static void skip_logcat(struct scan *c)
{
	struct scan at = *c;
	uint64_t v = 0;

	if (!scan_u64(&at, &v) || !scan_literal(&at, "-") || !scan_u64(&at, &v) ||
		!scan_blanks(&at) || !scan_u64(&at, &v) || at.p == at.end || *at.p != ':') {
		return;
	}
	while (at.p < at.end && !scan_is_blank(*at.p)) {
		at.p++;
	}
	scan_blanks(&at);
	while (scan_u64(&at, &v)) {
		scan_blanks(&at);
	}
	if (scan_left(&at) > 2 && memchr("VDIWEF", at.p[0], 6) != NULL && scan_is_blank(at.p[1])) {
		c->p = at.p + 2;
	}
}

size_t zl_klog_prefix(const char *s, size_t len, int64_t *ret_time_us)
{
	struct scan c = scan_of(s, len);
	int64_t time_us = -1;

	while (c.p < c.end && (scan_is_blank(*c.p) || *c.p == '>')) {
		c.p++;
	}
	skip_level(&c);
	skip_syslog(&c);
	skip_logcat(&c);
	scan_blanks(&c);
	skip_level(&c);
	do {
		scan_blanks(&c);
	} while (skip_bracket(&c, &time_us));
	if (ret_time_us != NULL) {
		*ret_time_us = time_us;
	}
	return (size_t)(c.p - s);
}
