/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thin layer over cJSON. A struct zl_json is a cJSON item under another name, so a value costs
 * nothing beyond cJSON's own. Failures are marked in free bits of the item's type, so that they
 * stay with the tree without any state of ours.
 */
#include "zonelab/json.h"

#include <errno.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "zonelab/clean.h"
#include "zonelab/text.h"

/* Above all type and flag bits that cJSON defines. */
#define FLAG_NO_MEMORY (1 << 16)
#define FLAG_RANGE     (1 << 17)
#define NUMBER_DIGITS  24
#define KIND_MASK      0xff

static cJSON *item(struct zl_json *j)
{
	return (cJSON *)(void *)j;
}

static const cJSON *citem(const struct zl_json *j)
{
	return (const cJSON *)(const void *)j;
}

static struct zl_json *wrap(cJSON *c)
{
	return (struct zl_json *)(void *)c;
}

static const struct zl_json *cwrap(const cJSON *c)
{
	return (const struct zl_json *)(const void *)c;
}

struct zl_json *zl_json_object(void)
{
	return wrap(cJSON_CreateObject());
}

struct zl_json *zl_json_array(void)
{
	return wrap(cJSON_CreateArray());
}

static struct zl_json *null_value(void)
{
	return wrap(cJSON_CreateNull());
}

struct zl_json *zl_json_string(const char *s)
{
	if (s == NULL) {
		return null_value();
	}
	size_t size = strlen(s) + 1;
	char *copy = cJSON_malloc(size);

	if (copy == NULL) {
		return NULL;
	}
	zl_clean_text(copy, size, s, size - 1);
	cJSON *c = cJSON_CreateString(copy);
	cJSON_free(copy);
	return wrap(c);
}

struct zl_json *zl_json_int(int64_t v)
{
	/* cJSON would print large numbers as 1e+15; digits of our own keep them integers. */
	char digits[NUMBER_DIGITS];

	zl_format(digits, sizeof(digits), "%D", v);
	cJSON *c = cJSON_CreateRaw(digits);
	if (c != NULL && (v > ZL_JSON_INT_MAX || v < -ZL_JSON_INT_MAX)) {
		c->type |= FLAG_RANGE;
	}
	return wrap(c);
}

struct zl_json *zl_json_bool(bool v)
{
	return wrap(cJSON_CreateBool(v));
}

struct zl_json *zl_json_copy(const struct zl_json *j)
{
	return j != NULL ? wrap(cJSON_Duplicate(citem(j), true)) : NULL;
}

void zl_json_free(struct zl_json *j)
{
	cJSON_Delete(item(j));
}

void zl_json_add(struct zl_json *object, const char *key, struct zl_json *value)
{
	if (object != NULL && value != NULL &&
		cJSON_AddItemToObject(item(object), key, item(value))) {
		return;
	}
	zl_json_free(value);
	if (object != NULL) {
		item(object)->type |= FLAG_NO_MEMORY;
	}
}

void zl_json_push(struct zl_json *array, struct zl_json *value)
{
	if (array != NULL && value != NULL && cJSON_AddItemToArray(item(array), item(value))) {
		return;
	}
	zl_json_free(value);
	if (array != NULL) {
		item(array)->type |= FLAG_NO_MEMORY;
	}
}

/* Adds a container and returns it, NULL when that failed (it is freed then). */
static struct zl_json *add_container(struct zl_json *object, const char *key, cJSON *c)
{
	if (object != NULL && c != NULL && cJSON_AddItemToObject(item(object), key, c)) {
		return wrap(c);
	}
	cJSON_Delete(c);
	if (object != NULL) {
		item(object)->type |= FLAG_NO_MEMORY;
	}
	return NULL;
}

struct zl_json *zl_json_add_object(struct zl_json *object, const char *key)
{
	return add_container(object, key, cJSON_CreateObject());
}

struct zl_json *zl_json_add_array(struct zl_json *object, const char *key)
{
	return add_container(object, key, cJSON_CreateArray());
}

void zl_json_add_string(struct zl_json *object, const char *key, const char *s)
{
	zl_json_add(object, key, zl_json_string(s));
}

void zl_json_add_text(struct zl_json *object, const char *key, struct zl_buf *b)
{
	zl_json_add(object, key, b->failed ? NULL : zl_json_string(zl_buf_text(b)));
	zl_buf_done(b);
}

void zl_json_add_parsed(struct zl_json *object, const char *key, struct zl_buf *b)
{
	struct zl_json *value = NULL;

	if (!b->failed) {
		(void)zl_json_parse(zl_buf_text(b), b->len, &value, NULL);
	}
	zl_json_add(object, key, value);
	zl_buf_done(b);
}

void zl_json_add_int(struct zl_json *object, const char *key, int64_t v)
{
	zl_json_add(object, key, zl_json_int(v));
}

void zl_json_add_u64(struct zl_json *object, const char *key, uint64_t v)
{
	zl_json_add(object, key, zl_json_int(v > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)v));
}

void zl_json_add_bool(struct zl_json *object, const char *key, bool v)
{
	zl_json_add(object, key, zl_json_bool(v));
}

void zl_json_add_null(struct zl_json *object, const char *key)
{
	zl_json_add(object, key, null_value());
}

struct zl_json *zl_json_push_object(struct zl_json *array)
{
	cJSON *c = cJSON_CreateObject();

	if (array != NULL && c != NULL && cJSON_AddItemToArray(item(array), c)) {
		return wrap(c);
	}
	cJSON_Delete(c);
	if (array != NULL) {
		item(array)->type |= FLAG_NO_MEMORY;
	}
	return NULL;
}

void zl_json_push_string(struct zl_json *array, const char *s)
{
	zl_json_push(array, zl_json_string(s));
}

void zl_json_push_int(struct zl_json *array, int64_t v)
{
	zl_json_push(array, zl_json_int(v));
}

/* All failure flags of a tree; depth is that of the builder's own nesting. */
static int flags_below(const cJSON *c)
{
	int flags = c->type & (FLAG_NO_MEMORY | FLAG_RANGE);

	for (const cJSON *child = c->child; child != NULL; child = child->next) {
		flags |= flags_below(child);
	}
	return flags;
}

/* Where the indented form is written; only counted while `out` is NULL. */
struct sink {
	char *out;
	size_t len;
};

static void put(struct sink *s, char c)
{
	if (s->out != NULL) {
		s->out[s->len] = c;
	}
	s->len++;
}

static void put_line(struct sink *s, unsigned depth)
{
	put(s, '\n');
	for (unsigned i = 0; i < 2 * depth; i++) {
		put(s, ' ');
	}
}

/* Copies the string that starts at @p; returns the character behind it. */
static const char *put_string(struct sink *s, const char *p)
{
	put(s, *p++);
	while (*p != '"') {
		if (*p == '\\') {
			put(s, *p++);
		}
		put(s, *p++);
	}
	put(s, *p++);
	return p;
}

/* Lays compact JSON out: two blanks a level, one member a line, empty containers on one. */
static void indent(const char *p, struct sink *s)
{
	unsigned depth = 0;

	while (*p != '\0') {
		char c = *p;
		bool opens = c == '{' || c == '[';
		bool closes = c == '}' || c == ']';

		if (c == '"') {
			p = put_string(s, p);
			continue;
		}
		p++;
		if (opens && (*p == '}' || *p == ']')) {
			put(s, c);
			put(s, *p++);
			continue;
		}
		if (closes) {
			put_line(s, --depth);
		}
		put(s, c);
		if (opens) {
			put_line(s, ++depth);
		} else if (c == ',') {
			put_line(s, depth);
		} else if (c == ':') {
			put(s, ' ');
		}
	}
	put(s, '\0');
}

/* Takes @compact over; NULL without memory. */
static char *indented(char *compact)
{
	struct sink count = {0};
	struct sink fill = {0};

	indent(compact, &count);
	fill.out = cJSON_malloc(count.len);
	if (fill.out != NULL) {
		indent(compact, &fill);
	}
	cJSON_free(compact);
	return fill.out;
}

int zl_json_print(const struct zl_json *j, bool pretty, char **ret_text)
{
	if (j == NULL) {
		return -ENOMEM;
	}
	int flags = flags_below(citem(j));

	if ((flags & FLAG_NO_MEMORY) != 0) {
		return -ENOMEM;
	}
	if ((flags & FLAG_RANGE) != 0) {
		return -ERANGE;
	}
	char *text = cJSON_PrintUnformatted(citem(j));
	if (text != NULL && pretty) {
		text = indented(text);
	}
	if (text == NULL) {
		return -ENOMEM;
	}
	*ret_text = text;
	return 0;
}

void zl_json_text_free(char *text)
{
	cJSON_free(text);
}

enum zl_json_kind zl_json_kind(const struct zl_json *j)
{
	if (j == NULL) {
		return ZL_JSON_MISSING;
	}
	switch (citem(j)->type & KIND_MASK) {
	case cJSON_False:
	case cJSON_True:
		return ZL_JSON_BOOL;
	case cJSON_Number:
	case cJSON_Raw:
		return ZL_JSON_NUMBER;
	case cJSON_String:
		return ZL_JSON_STRING;
	case cJSON_Array:
		return ZL_JSON_ARRAY;
	case cJSON_Object:
		return ZL_JSON_OBJECT;
	default:
		return ZL_JSON_NULL;
	}
}

const char *zl_json_kind_name(enum zl_json_kind k)
{
	static const char *const name[] = {
		"nothing", "null", "true or false", "a number", "a string", "a list", "an object"};

	return name[k];
}

const struct zl_json *zl_json_member(const struct zl_json *object, const char *key)
{
	return cwrap(cJSON_GetObjectItemCaseSensitive(citem(object), key));
}

size_t zl_json_count(const struct zl_json *j)
{
	size_t n = 0;

	for (const struct zl_json *c = zl_json_first(j); c != NULL; c = zl_json_next(c)) {
		n++;
	}
	return n;
}

const struct zl_json *zl_json_first(const struct zl_json *container)
{
	return container != NULL ? cwrap(citem(container)->child) : NULL;
}

const struct zl_json *zl_json_next(const struct zl_json *j)
{
	return j != NULL ? cwrap(citem(j)->next) : NULL;
}

const char *zl_json_key(const struct zl_json *j)
{
	return j != NULL && citem(j)->string != NULL ? citem(j)->string : "";
}

const char *zl_json_text(const struct zl_json *j)
{
	return cJSON_IsString(citem(j)) ? citem(j)->valuestring : NULL;
}

int zl_json_get_int(const struct zl_json *j, int64_t *ret)
{
	if (!cJSON_IsNumber(citem(j))) {
		return -EINVAL;
	}
	double d = citem(j)->valuedouble;
	if (!(d <= (double)ZL_JSON_INT_MAX && d >= -(double)ZL_JSON_INT_MAX)) {
		return -ERANGE;
	}
	int64_t v = (int64_t)d;
	if ((double)v < d || (double)v > d) {
		return -EINVAL;
	}
	*ret = v;
	return 0;
}

int zl_json_get_bool(const struct zl_json *j, bool *ret)
{
	if (!cJSON_IsBool(citem(j))) {
		return -EINVAL;
	}
	*ret = cJSON_IsTrue(citem(j)) != 0;
	return 0;
}
