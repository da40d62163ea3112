/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a text come in the same order as a walk over the tree, so one scan of the text
 * beside such a walk gives each its place.
 */
#include "json_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	const char *text;
	size_t size, pos;
	unsigned line;
	size_t line_start;
};

static void advance(struct scan *s)
{
	if (s->text[s->pos] == '\n') {
		s->line++;
		s->line_start = s->pos + 1;
	}
	s->pos++;
}

static void skip_string(struct scan *s)
{
	advance(s);
	while (s->pos < s->size && s->text[s->pos] != '"') {
		if (s->text[s->pos] == '\\' && s->pos + 1 < s->size) {
			advance(s);
		}
		advance(s);
	}
	if (s->pos < s->size) {
		advance(s);
	}
}

/* Moves to where the next value or key starts. */
static void skip_signs(struct scan *s)
{
	while (s->pos < s->size && strchr(" \t\r\n,:]}", s->text[s->pos]) != NULL) {
		advance(s);
	}
}

static unsigned column(const struct scan *s)
{
	return (unsigned)(s->pos - s->line_start) + 1;
}

/* The scan is before the value (and its key). */
static void place_value(struct scan *s, const struct zl_json *value, struct json_place *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->value = value;
	skip_signs(s);
	if (s->pos < s->size && s->text[s->pos] == '"') {
		unsigned line = s->line;
		unsigned col = column(s);

		skip_string(s);
		while (s->pos < s->size && strchr(" \t\r\n", s->text[s->pos]) != NULL) {
			advance(s);
		}
		if (s->pos >= s->size || s->text[s->pos] != ':') {
			/* No key after all: a string. */
			ret->line = line;
			ret->column = col;
			return;
		}
		ret->key_line = line;
		ret->key_column = col;
		skip_signs(s);
	}
	ret->line = s->line;
	ret->column = column(s);
	if (s->pos >= s->size) {
		return;
	}
	if (s->text[s->pos] == '"') {
		skip_string(s);
	} else if (s->text[s->pos] == '{' || s->text[s->pos] == '[') {
		advance(s);
	} else {
		while (s->pos < s->size && strchr(" \t\r\n,]}", s->text[s->pos]) == NULL) {
			advance(s);
		}
	}
}

static size_t count_values(const struct zl_json *j)
{
	size_t n = 1;

	for (const struct zl_json *c = zl_json_first(j); c != NULL; c = zl_json_next(c)) {
		n += count_values(c);
	}
	return n;
}

static void walk(struct json_places *p, struct scan *s, const struct zl_json *j)
{
	place_value(s, j, &p->place[p->count++]);
	for (const struct zl_json *c = zl_json_first(j); c != NULL; c = zl_json_next(c)) {
		walk(p, s, c);
	}
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct json_place *)a)->value;
	uintptr_t y = (uintptr_t)((const struct json_place *)b)->value;

	return (x > y) - (x < y);
}

int json_places_init(struct json_places *p, const char *text, size_t size,
	const struct zl_json *root, const struct zl_allocator *mem)
{
	struct scan s = {.text = text, .size = size, .line = 1};
	size_t n = count_values(root);

	p->count = 0;
	p->place = mem->realloc(mem->user, NULL, n * sizeof(*p->place));
	if (p->place == NULL) {
		return -ENOMEM;
	}
	walk(p, &s, root);
	qsort(p->place, p->count, sizeof(*p->place), by_address);
	return 0;
}

void json_places_done(struct json_places *p, const struct zl_allocator *mem)
{
	mem->free(mem->user, p->place);
	memset(p, 0, sizeof(*p));
}

struct json_place json_place(const struct json_places *p, const struct zl_json *value)
{
	const struct json_place key = {.value = value};
	const struct json_place *found =
		p->count == 0 ? NULL
			      : bsearch(&key, p->place, p->count, sizeof(*p->place), by_address);

	return found != NULL ? *found : key;
}
