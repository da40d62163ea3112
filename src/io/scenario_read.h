/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files that read scenarios share. A path ("phases[0].programs[1].do[2]") is kept while
 * the tree is walked, and every error names it with line and column.
 */
#ifndef IO_SCENARIO_READ_H
#define IO_SCENARIO_READ_H

#include "json_places.h"
#include "zonelab/scenario_file.h"

#define READING_PATH 320

struct reading {
	struct zl_scenario *s;
	const struct zl_allocator *mem;
	struct zl_error *err;
	struct json_places places;
	char path[READING_PATH];
	size_t path_len;
	unsigned depth; /* steps inside steps */
	bool inside;	/* the scenario stands in another file: no kind, version, name */
};

/* The path one member or element deeper; gives what reading_up() takes back. */
size_t reading_key(struct reading *r, const char *key);
size_t reading_index(struct reading *r, size_t i);
void reading_up(struct reading *r, size_t mark);

/* Fails at a value; verbs as in zonelab/text.h. Returns -EINVAL. */
int reading_fail(struct reading *r, const struct zl_json *j, const char *fmt, ...);
int reading_no_memory(struct reading *r);

/* Refuses members that @keys (ends with NULL) does not list, and values of another kind. */
int reading_object(struct reading *r, const struct zl_json *j, const char *const *keys);
int reading_array(struct reading *r, const struct zl_json *j);
/* The nearest of @words, for "did you mean"; NULL if none is near. */
const char *reading_nearest(const char *word, const char *const *words);

/* A member's string in a buffer; keeps it as it was when there is no such member. */
int reading_string(
	struct reading *r, const struct zl_json *object, const char *key, char *buf, size_t size);
/* A member's string in the scenario's texts; ZL_NONE when there is none. */
int reading_text(struct reading *r, const struct zl_json *object, const char *key, uint32_t *ret);
/* A text of a value itself. */
int reading_text_of(struct reading *r, const struct zl_json *j, uint32_t *ret);
/* A member's number within limits; keeps it as it was when there is none. */
struct reading_limits {
	int64_t lo, hi;
};
int reading_number(struct reading *r, const struct zl_json *object, const char *key,
	const struct reading_limits *limits, int64_t *ret);
int reading_bool(struct reading *r, const struct zl_json *object, const char *key, bool *ret);
/* A name: letters, digits, underscores. */
int reading_name(struct reading *r, const struct zl_json *j, const char *name, char *ret);

/* Appends an element to one of the scenario's arrays; its index in @ret. */
struct reading_array_of {
	void **array;
	uint32_t *count;
	size_t size;
};
int reading_push(struct reading *r, struct reading_array_of a, const void *element, uint32_t *ret);

/* A value: number, expression, [least, most] or [{weight, value}]. */
int reading_value(struct reading *r, const struct zl_json *j, uint32_t *ret);
/* The same of a member; ZL_NONE when there is none. */
int reading_value_member(
	struct reading *r, const struct zl_json *object, const char *key, uint32_t *ret);
/* Fails at a number that is no whole one, or none that JSON holds; @right is what would be right. */
int reading_no_integer(struct reading *r, const struct zl_json *j, const char *right);
/* A number that depends on nothing. */
int reading_constant(struct reading *r, const struct zl_json *j, int64_t *ret);

/* A list of steps; its first one in @ret. */
int reading_steps(struct reading *r, const struct zl_json *j, uint32_t *ret);
/* A list of op lines as one step; `cpu` lines only when @cpus. */
int reading_ops(struct reading *r, const struct zl_json *j, bool cpus, uint32_t *ret_step);
int reading_phases(struct reading *r, const struct zl_json *root);
int reading_asserts(struct reading *r, const struct zl_json *j, uint32_t phase);
int reading_marks(struct reading *r, const struct zl_json *root);
/* All of a scenario into r->s, wherever it stands; see `inside`. */
int reading_scenario(struct reading *r, const struct zl_json *root);

#endif
