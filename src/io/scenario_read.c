/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the readers of scenarios: paths, errors, members, arrays. */
#include "scenario_read.h"

#include <errno.h>
#include <string.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

size_t reading_key(struct reading *r, const char *key)
{
	size_t mark = r->path_len;
	struct zl_text t;

	zl_text_init(&t, r->path + mark, sizeof(r->path) - mark);
	zl_text_fmt(&t, "%s%s", mark > 0 ? "." : "", key);
	r->path_len += t.len;
	return mark;
}

size_t reading_index(struct reading *r, size_t i)
{
	size_t mark = r->path_len;

	r->path_len += zl_format(r->path + mark, sizeof(r->path) - mark, "[%u]", (unsigned)i);
	return mark;
}

void reading_up(struct reading *r, size_t mark)
{
	r->path_len = mark;
	r->path[mark] = '\0';
}

static int fail_at(struct reading *r, unsigned line, unsigned column, const char *fmt, va_list ap)
{
	struct zl_text t;

	if (r->err == NULL) {
		return -EINVAL;
	}
	memset(r->err, 0, sizeof(*r->err));
	r->err->line = line;
	r->err->column = column;
	zl_text_init(&t, r->err->text, sizeof(r->err->text));
	if (r->path[0] != '\0') {
		zl_text_fmt(&t, "%s: ", r->path);
	}
	zl_text_vfmt(&t, fmt, ap);
	/* Keys and strings of the file are in it. */
	zl_clean_line(r->err->text, sizeof(r->err->text), r->err->text, t.len);
	return -EINVAL;
}

int reading_fail(struct reading *r, const struct zl_json *j, const char *fmt, ...)
{
	struct json_place at = json_place(&r->places, j);
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = fail_at(r, at.line, at.column, fmt, ap);
	va_end(ap);
	return rc;
}

/* The same at the member's key. */
static int fail_key(struct reading *r, const struct zl_json *j, const char *fmt, ...)
{
	struct json_place at = json_place(&r->places, j);
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = fail_at(r, at.key_line, at.key_column, fmt, ap);
	va_end(ap);
	return rc;
}

int reading_no_memory(struct reading *r)
{
	zl_error_set(r->err, 0, 0, "no memory");
	return -ENOMEM;
}

const char *reading_nearest(const char *word, const char *const *words)
{
	struct zl_nearest near;

	zl_nearest_init(&near, word);
	for (; *words != NULL; words++) {
		zl_nearest_try(&near, *words);
	}
	return near.name;
}

static int unknown_key(struct reading *r, const struct zl_json *j, const char *const *keys)
{
	const char *near = reading_nearest(zl_json_key(j), keys);
	char list[256];
	struct zl_text t;

	if (near != NULL) {
		return fail_key(r, j, "unknown key '%s'; did you mean '%s'?", zl_json_key(j), near);
	}
	zl_text_init(&t, list, sizeof(list));
	for (size_t i = 0; keys[i] != NULL; i++) {
		zl_text_fmt(&t, "%s%s", i > 0 ? " " : "", keys[i]);
	}
	return fail_key(r, j, "unknown key '%s'; possible are %s", zl_json_key(j), list);
}

int reading_object(struct reading *r, const struct zl_json *j, const char *const *keys)
{
	if (zl_json_kind(j) != ZL_JSON_OBJECT) {
		return reading_fail(
			r, j, "%s; an object {} is needed", zl_json_kind_name(zl_json_kind(j)));
	}
	for (const struct zl_json *m = zl_json_first(j); m != NULL; m = zl_json_next(m)) {
		size_t i = 0;

		while (keys[i] != NULL && strcmp(keys[i], zl_json_key(m)) != 0) {
			i++;
		}
		if (keys[i] == NULL) {
			return unknown_key(r, m, keys);
		}
	}
	return 0;
}

int reading_array(struct reading *r, const struct zl_json *j)
{
	return zl_json_kind(j) == ZL_JSON_ARRAY ? 0
						: reading_fail(r, j, "%s; a list [] is needed",
							  zl_json_kind_name(zl_json_kind(j)));
}

/* Takes a text of at most @size - 1 bytes in as one line, and counts those that change by it. */
static void reading_clean(struct reading *r, char *buf, size_t size, const char *text)
{
	zl_clean_line(buf, size, text, strlen(text));
	if (r->s != NULL && strcmp(buf, text) != 0) {
		r->s->nr_cleaned++; /* a lesson has no scenario while it is read */
	}
}

int reading_string(
	struct reading *r, const struct zl_json *object, const char *key, char *buf, size_t size)
{
	const struct zl_json *j = zl_json_member(object, key);
	const char *text = zl_json_text(j);
	size_t mark;
	int rc = 0;

	if (j == NULL) {
		return 0;
	}
	mark = reading_key(r, key);
	if (text == NULL) {
		rc = reading_fail(r, j, "%s; a text is needed", zl_json_kind_name(zl_json_kind(j)));
	} else if (strlen(text) >= size) {
		rc = reading_fail(r, j, "too long; at most %u bytes", (unsigned)size - 1);
	} else {
		reading_clean(r, buf, size, text);
	}
	reading_up(r, mark);
	return rc;
}

int reading_text_of(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct zl_scenario *s = r->s;
	const char *text = zl_json_text(j);
	size_t len = text != NULL ? strlen(text) : 0;

	if (text == NULL) {
		return reading_fail(
			r, j, "%s; a text is needed", zl_json_kind_name(zl_json_kind(j)));
	}
	if (len >= ZL_SCENARIO_TEXT_MAX) {
		return reading_fail(r, j, "too long; at most %d bytes", ZL_SCENARIO_TEXT_MAX - 1);
	}
	uint64_t need = (uint64_t)s->text_len + len + 1;
	if (need > UINT32_MAX / 2) {
		return reading_fail(r, j, "too much text in one scenario");
	}
	/* Grows by doubling: the capacity is the power of two above the length. */
	size_t cap = 64;
	while (cap < s->text_len) {
		cap *= 2;
	}
	if (s->text == NULL || need > cap) {
		while (cap < need) {
			cap *= 2;
		}
		char *grown = r->mem->realloc(r->mem->user, s->text, cap);
		if (grown == NULL) {
			return reading_no_memory(r);
		}
		s->text = grown;
	}
	*ret = s->text_len;
	reading_clean(r, s->text + s->text_len, len + 1, text);
	s->text_len += (uint32_t)strlen(s->text + s->text_len) + 1;
	return 0;
}

int reading_text(struct reading *r, const struct zl_json *object, const char *key, uint32_t *ret)
{
	const struct zl_json *j = zl_json_member(object, key);

	*ret = ZL_NONE;
	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	int rc = reading_text_of(r, j, ret);
	reading_up(r, mark);
	return rc;
}

int reading_number(struct reading *r, const struct zl_json *object, const char *key,
	const struct reading_limits *limits, int64_t *ret)
{
	const struct zl_json *j = zl_json_member(object, key);
	int64_t v = 0;

	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	int rc = reading_constant(r, j, &v);
	if (rc == 0 && (v < limits->lo || v > limits->hi)) {
		rc = reading_fail(r, j, "%D is out of range; %D to %D is possible", v, limits->lo,
			limits->hi);
	}
	reading_up(r, mark);
	*ret = rc == 0 ? v : *ret;
	return rc;
}

int reading_bool(struct reading *r, const struct zl_json *object, const char *key, bool *ret)
{
	const struct zl_json *j = zl_json_member(object, key);

	if (j == NULL || zl_json_get_bool(j, ret) == 0) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	int rc = reading_fail(
		r, j, "%s; true or false is needed", zl_json_kind_name(zl_json_kind(j)));
	reading_up(r, mark);
	return rc;
}

int reading_name(struct reading *r, const struct zl_json *j, const char *name, char *ret)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < len; i++) {
		char c = zl_lower(name[i]);
		bool digit = c >= '0' && c <= '9';

		if (c != '_' && !(c >= 'a' && c <= 'z') && !(digit && i > 0)) {
			len = 0;
		}
	}
	if (len == 0 || len >= ZL_SCENARIO_NAME_MAX) {
		return reading_fail(r, j,
			"'%s' is no name; letters, digits and _, a letter first, at most %d", name,
			ZL_SCENARIO_NAME_MAX - 1);
	}
	memcpy(ret, name, len + 1);
	return 0;
}

int reading_push(struct reading *r, struct reading_array_of a, const void *element, uint32_t *ret)
{
	uint32_t n = *a.count;

	if (n >= ZL_SCENARIO_EXPLICIT_MAX) {
		zl_error_set(r->err, 0, 0, "%s: too much in one scenario; at most %d of a kind",
			r->path, ZL_SCENARIO_EXPLICIT_MAX);
		return -E2BIG;
	}
	/* Powers of two are where room for as many again is made. */
	if (*a.array == NULL || (n >= 8 && (n & (n - 1)) == 0)) {
		void *grown = r->mem->realloc(
			r->mem->user, *a.array, (n < 8 ? 8 : 2 * (size_t)n) * a.size);

		if (grown == NULL) {
			return reading_no_memory(r);
		}
		*a.array = grown;
	}
	memcpy((char *)*a.array + n * a.size, element, a.size);
	*a.count = n + 1;
	*ret = n;
	return 0;
}
