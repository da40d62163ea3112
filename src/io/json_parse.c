/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading of JSON: limits first, then cJSON, then what cJSON does not refuse.
 */
#include <errno.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "zonelab/json.h"

/* Line and column of an offset, from 1. */
static void position(const char *text, size_t offset, unsigned *ret_line, unsigned *ret_column)
{
	unsigned line = 1;
	size_t start = 0;

	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	*ret_line = line;
	*ret_column = (unsigned)(offset - start) + 1;
}

static void fail_at(struct zl_error *err, const char *text, size_t offset, const char *what)
{
	unsigned line = 0;
	unsigned column = 0;

	position(text, offset, &line, &column);
	zl_error_set(err, line, column, "%s", what);
}

/* Refuses nesting that cJSON or a walk over the tree could not take. Strings are skipped. */
static int check_depth(const char *text, size_t size, struct zl_error *err)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < size; i++) {
		char c = text[i];

		if (quoted) {
			i += c == '\\' ? 1 : 0;
			quoted = c != '"';
		} else if (c == '"') {
			quoted = true;
		} else if (c == '[' || c == '{') {
			if (++depth > ZL_JSON_DEPTH_MAX) {
				fail_at(err, text, i,
					"nested too deeply; at most 64 levels of [ and { are read");
				return -EINVAL;
			}
		} else if ((c == ']' || c == '}') && depth > 0) {
			depth--;
		}
	}
	return 0;
}

/* Members of one object; looking for repeated ones is quadratic. */
#define MEMBERS_MAX 1024

/* cJSON keeps both of two members with one name; a reader would then see only the first. */
static const cJSON *find_repeated(const cJSON *c)
{
	unsigned members = 0;

	for (const cJSON *a = c->child; a != NULL; a = a->next) {
		const cJSON *below = find_repeated(a);

		if (below != NULL) {
			return below;
		}
		if (a->string != NULL &&
			(++members > MEMBERS_MAX ||
				cJSON_GetObjectItemCaseSensitive(c, a->string) != a)) {
			return a;
		}
	}
	return NULL;
}

int zl_json_parse(const char *text, size_t size, struct zl_json **ret, struct zl_error *err)
{
	const char *end = NULL;

	if (size > ZL_JSON_TEXT_MAX) {
		zl_error_set(err, 0, 0, "the JSON text is above 64 MiB; split it");
		return -E2BIG;
	}
	const char *nul = size > 0 ? memchr(text, '\0', size) : NULL;
	if (nul != NULL) {
		fail_at(err, text, (size_t)(nul - text), "a zero byte; JSON is text");
		return -EINVAL;
	}
	int r = check_depth(text, size, err);
	if (r < 0) {
		return r;
	}
	errno = 0;
	cJSON *c = size > 0 ? cJSON_ParseWithLengthOpts(text, size, &end, 0) : NULL;
	if (c == NULL && errno == ENOMEM) {
		zl_error_set(err, 0, 0, "no memory to read this");
		return -ENOMEM;
	}
	if (c == NULL) {
		size_t at = end != NULL && end >= text ? (size_t)(end - text) : 0;

		fail_at(err, text, at < size ? at : size,
			"not valid JSON from here; a value, a comma or a closing bracket would be "
			"right");
		return -EINVAL;
	}
	size_t at = (size_t)(end - text);
	while (at < size && strchr(" \t\r\n", text[at]) != NULL) {
		at++;
	}
	if (at < size) {
		fail_at(err, text, at, "something follows the JSON value; one value is read");
		cJSON_Delete(c);
		return -EINVAL;
	}
	const cJSON *twice = find_repeated(c);
	if (twice != NULL) {
		zl_error_set(err, 0, 0,
			"member \"%s\" is given twice, or one object has above 1024 members; keep "
			"one",
			twice->string);
		cJSON_Delete(c);
		return -EINVAL;
	}
	*ret = (struct zl_json *)(void *)c;
	return 0;
}
