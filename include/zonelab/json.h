/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON in and out. A value is opaque and belongs to the object or array that it was added to;
 * only a root is freed by its owner.
 *
 * Building never needs a check after each step: without memory a builder returns NULL, every
 * function accepts NULL, and printing the root then answers -ENOMEM. Members keep the order in
 * which they were added. Integers are exact within +-2^53; others are refused in both directions.
 */
#ifndef ZONELAB_JSON_H
#define ZONELAB_JSON_H

#include "zonelab/buffer.h"
#include "zonelab/error.h"
#include "zonelab/types.h"

struct zl_json;

/** Largest magnitude of an integer in our JSON. */
#define ZL_JSON_INT_MAX ((INT64_C(1) << 53) - 1)
/** Deepest nesting that is read. */
#define ZL_JSON_DEPTH_MAX 64
/** Longest text that is read, in bytes. */
#define ZL_JSON_TEXT_MAX (UINT64_C(64) << 20)

/* Values without a parent. */
struct zl_json *zl_json_object(void);
struct zl_json *zl_json_array(void);
struct zl_json *zl_json_string(const char *s); /* NULL makes null */
struct zl_json *zl_json_int(int64_t v);
struct zl_json *zl_json_bool(bool v);
/** A copy with all below it and without a parent; NULL for NULL and without memory. */
struct zl_json *zl_json_copy(const struct zl_json *j);
/** Frees a value and all below it; accepts NULL. Never free a value that has a parent. */
void zl_json_free(struct zl_json *j);

/* Gives @value to @object or @array, even when it fails. */
void zl_json_add(struct zl_json *object, const char *key, struct zl_json *value);
void zl_json_push(struct zl_json *array, struct zl_json *value);

/* The same in one step; the containers are returned, to be filled. */
struct zl_json *zl_json_add_object(struct zl_json *object, const char *key);
struct zl_json *zl_json_add_array(struct zl_json *object, const char *key);
void zl_json_add_string(struct zl_json *object, const char *key, const char *s);
void zl_json_add_int(struct zl_json *object, const char *key, int64_t v);
void zl_json_add_u64(struct zl_json *object, const char *key, uint64_t v);
void zl_json_add_bool(struct zl_json *object, const char *key, bool v);
void zl_json_add_null(struct zl_json *object, const char *key);
/** The text of a buffer, which is ended; without memory for all of it printing will fail. */
void zl_json_add_text(struct zl_json *object, const char *key, struct zl_buf *b);
/** The same with JSON as text: its value. */
void zl_json_add_parsed(struct zl_json *object, const char *key, struct zl_buf *b);
struct zl_json *zl_json_push_object(struct zl_json *array);
void zl_json_push_string(struct zl_json *array, const char *s);
void zl_json_push_int(struct zl_json *array, int64_t v);

/**
 * Prints a value, indented with two blanks a level or on one line, without a line feed at the end.
 * @ret_text is freed with zl_json_text_free().
 * Returns 0; -ENOMEM when printing or any step of the building had no memory; -ERANGE when an
 * integer did not fit.
 */
int zl_json_print(const struct zl_json *j, bool pretty, char **ret_text);
void zl_json_text_free(char *text);

/**
 * Reads one JSON value that fills @text (blanks around it are fine).
 * Returns 0; -EINVAL with line and column in @err for bad syntax, too deep nesting, a member
 * given twice or anything behind the value; -E2BIG for a text above the limit; -ENOMEM.
 */
int zl_json_parse(const char *text, size_t size, struct zl_json **ret, struct zl_error *err);

enum zl_json_kind {
	ZL_JSON_MISSING, /* a NULL value */
	ZL_JSON_NULL,
	ZL_JSON_BOOL,
	ZL_JSON_NUMBER,
	ZL_JSON_STRING,
	ZL_JSON_ARRAY,
	ZL_JSON_OBJECT
};
enum zl_json_kind zl_json_kind(const struct zl_json *j);
const char *zl_json_kind_name(enum zl_json_kind k);

/** Member of an object, NULL when there is none. */
const struct zl_json *zl_json_member(const struct zl_json *object, const char *key);
/** Members or elements; 0 for other kinds. */
size_t zl_json_count(const struct zl_json *j);
/** First member or element, and the one after; NULL at the end. */
const struct zl_json *zl_json_first(const struct zl_json *container);
const struct zl_json *zl_json_next(const struct zl_json *j);
/** Key of a member; "" for an element. */
const char *zl_json_key(const struct zl_json *j);
/** The string, or NULL when @j is no string. */
const char *zl_json_text(const struct zl_json *j);
/** Returns 0; -EINVAL when @j is not a whole number; -ERANGE beyond ZL_JSON_INT_MAX. */
int zl_json_get_int(const struct zl_json *j, int64_t *ret);
/** Returns 0 or -EINVAL. */
int zl_json_get_bool(const struct zl_json *j, bool *ret);

#endif
