/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of a trace. The event's name is looked for behind each colon; what stands before it is
 * read backwards, since a task's name may hold anything.
 */
#include <string.h>

#include "trace_parse.h"

#define NS_DIGITS 9

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *trim_back(const char *s, const char *end)
{
	while (end > s && is_blank(end[-1])) {
		end--;
	}
	return end;
}

static const char *word_back(const char *s, const char *end)
{
	while (end > s && !is_blank(end[-1])) {
		end--;
	}
	return end;
}

/* "12.345678" (seconds), or whole ticks of another trace clock. */
static bool read_time(const char *s, const char *end, uint64_t *ret)
{
	const uint64_t most = UINT64_MAX / UINT64_C(20000000000);
	uint64_t whole = 0, part = 0;
	int digits = 0;
	bool dot = false;

	for (; s < end; s++) {
		if (*s == '.' && !dot) {
			dot = true;
		} else if (!is_digit(*s) || whole > UINT64_MAX / 20) {
			return false;
		} else if (!dot) {
			whole = whole * 10 + (unsigned char)(*s - '0');
		} else if (digits < NS_DIGITS) {
			part = part * 10 + (unsigned char)(*s - '0');
			digits++;
		}
	}
	for (; digits < NS_DIGITS; digits++) {
		part *= 10;
	}
	if (dot && whole > most) {
		return false;
	}
	*ret = dot ? whole * UINT64_C(1000000000) + part : whole;
	return true;
}

/* "[003]" */
static bool read_cpu(const char *s, const char *end, uint32_t *ret)
{
	uint32_t v = 0;

	if (end - s < 3 || *s != '[' || end[-1] != ']') {
		return false;
	}
	for (s++; s < end - 1; s++) {
		if (!is_digit(*s) || v >= ZL_TRACE_CPUS_MAX) {
			return false;
		}
		v = v * 10 + (uint32_t)(*s - '0');
	}
	*ret = v;
	return v < ZL_TRACE_CPUS_MAX;
}

/* "name-123", "name 123", "name 123/124", each with "(TGID)" or "(-------)" behind it. */
static void read_task(const char *s, const char *end, struct zl_trace_event *ret)
{
	const uint64_t most = INT32_MAX;
	const char *p, *digits;
	uint64_t pid = 0;

	end = trim_back(s, end);
	if (end > s && end[-1] == ')') {
		for (p = end; p > s && *p != '('; p--) {
		}
		end = trim_back(s, p);
	}
	for (p = end; p > s && (is_digit(p[-1]) || p[-1] == '/'); p--) {
	}
	for (digits = p; digits < end && is_digit(*digits) && pid <= most; digits++) {
		pid = pid * 10 + (uint64_t)(*digits - '0');
	}
	while (s < p && is_blank(*s)) {
		s++;
	}
	if (p < end && p > s && pid <= most && (p[-1] == '-' || is_blank(p[-1]))) {
		ret->pid = (int64_t)pid;
		end = p[-1] == '-' ? p - 1 : trim_back(s, p);
	}
	ret->comm.s = s;
	ret->comm.n = (size_t)(end - s);
}

/* All that stands before the event; false when CPU and time are not there. */
static bool read_head(const char *s, const char *end, struct zl_trace_event *ret)
{
	const char *word;

	end = trim_back(s, end);
	if (end - s >= 5 && memcmp(end - 4, "kmem", 4) == 0) { /* perf's "kmem:" */
		end = trim_back(s, end - 4);
		end = end > s && end[-1] == ':' ? end - 1 : end;
	}
	word = word_back(s, end);
	if (word == end || !read_time(word, end, &ret->time_ns)) {
		return false;
	}
	end = trim_back(s, word);
	word = word_back(s, end);
	if (!read_cpu(word, end, &ret->cpu)) {
		ret->flags.s = word;
		ret->flags.n = (size_t)(end - word);
		end = trim_back(s, word);
		word = word_back(s, end);
		if (!read_cpu(word, end, &ret->cpu)) {
			return false;
		}
	}
	read_task(s, word, ret);
	return true;
}

/* "CPU:3 [LOST 12 EVENTS]", "CPU:3 [12 EVENTS DROPPED]", both also without the number. */
static bool read_lost(const char *s, const char *end, struct zl_trace_event *ret)
{
	uint64_t cpu = 0;
	const char *p = s + 4;

	if (end - s < 8 || memcmp(s, "CPU:", 4) != 0 || !is_digit(*p)) {
		return false;
	}
	for (; p < end && is_digit(*p) && cpu < ZL_TRACE_CPUS_MAX; p++) {
		cpu = cpu * 10 + (uint64_t)(*p - '0');
	}
	if (end - p < 3 || p[0] != ' ' || p[1] != '[' || cpu >= ZL_TRACE_CPUS_MAX) {
		return false;
	}
	p += 2;
	bool lost = end - p >= 4 && memcmp(p, "LOST", 4) == 0;
	p += lost ? 5 : 0;
	for (; p < end && is_digit(*p) && ret->lost < UINT32_MAX; p++) {
		ret->lost = ret->lost * 10 + (uint64_t)(*p - '0');
	}
	ret->kind = ZL_TRACED_LOST;
	ret->cpu = (uint32_t)cpu;
	return lost || (end - p >= 6 && memchr(p, 'D', (size_t)(end - p)) != NULL);
}

/* A frame: "\tffffffff81000000 symbol (module)", " => symbol", "<stack trace>". */
static bool is_chain(const char *s, const char *end)
{
	const char *p = s;
	unsigned digits = 0;

	while (p < end && is_blank(*p)) {
		p++;
	}
	if (end - p >= 2 && memcmp(p, "=>", 2) == 0) {
		return true;
	}
	if (end - p >= 13 && memcmp(p, "<stack trace>", 13) == 0) {
		return true;
	}
	for (; p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')); p++) {
		digits++;
	}
	return p > s && is_blank(*s) && digits >= 6 && p < end && is_blank(*p);
}

static bool starts(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

/* Text of a write to trace_marker: "tracing_mark_write: zonelab: ..." */
static bool read_mark(const char *at, const char *end, struct zl_trace_event *ret)
{
	static const char *const names[] = {
		"tracing_mark_write: ", "print: tracing_mark_write: ", "print: "};
	static const char own[] = "zonelab: ";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (starts(at, end, names[i]) && starts(at + strlen(names[i]), end, own)) {
			ret->kind = ZL_TRACED_MARK;
			ret->text.s = at + strlen(names[i]) + sizeof(own) - 1;
			ret->text.n = (size_t)(end - ret->text.s);
			return true;
		}
	}
	return false;
}

static enum zl_trace_fate other_line(const char *s, const char *end, struct zl_trace_event *ret,
	const struct zl_trace_event *none)
{
	static const char *const heads[] = {"version = ", "cpus=", "CPU ", "trace-cmd version"};
	const char *p = s;

	while (p < end && is_blank(*p)) {
		p++;
	}
	if (p == end || *p == '#') {
		return ZL_TRACE_LINE_COMMENT;
	}
	*ret = *none;
	if (read_lost(p, end, ret)) {
		return ZL_TRACE_LINE_EVENT;
	}
	if (is_chain(s, end)) {
		return ZL_TRACE_LINE_CHAIN;
	}
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (starts(p, end, heads[i])) {
			return ZL_TRACE_LINE_COMMENT;
		}
	}
	return ZL_TRACE_LINE_STRANGE;
}

enum zl_trace_fate zl_trace_line(
	const char *s, size_t n, struct zl_trace_event *ret, struct zl_error *why)
{
	static const struct zl_trace_event none = {
		.pid = -1, .migratetype = -1, .fallback_migratetype = -1, .node = -1};
	const struct trace_text t = {s, n > 0 && s[n - 1] == '\r' ? s + n - 1 : s + n, why};
	const char *colon = s;
	bool headed = false;

	*ret = none;
	if (n > 0 && *s == '#') {
		return ZL_TRACE_LINE_COMMENT;
	}
	while (colon < t.end && (colon = memchr(colon, ':', (size_t)(t.end - colon))) != NULL) {
		const char *at = colon + 1;
		int event;

		while (at < t.end && is_blank(*at)) {
			at++;
		}
		event = trace_event_find(at, t.end);
		if (event >= 0 && read_head(s, colon, ret)) {
			at += trace_event_length(event) + 1;
			return trace_event_read(&t, event, at, ret) ? ZL_TRACE_LINE_EVENT
								    : ZL_TRACE_LINE_CUT;
		}
		if (event < 0 && at > colon + 1 && !headed) {
			headed = read_head(s, colon, ret);
			if (headed && read_mark(at, t.end, ret)) {
				return ZL_TRACE_LINE_EVENT;
			}
		}
		colon++;
	}
	return headed ? ZL_TRACE_LINE_OTHER : other_line(s, t.end, ret, &none);
}
