/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_part.h"

#include <errno.h>
#include <string.h>

#include "zonelab/file.h"
#include "zonelab/text.h"

#define LINE 64

int sweep_part_head(const struct sweep *s, struct zl_buf *ret)
{
	struct zl_json *o = zl_json_object();
	char *text = NULL;
	int rc;

	zl_json_add_string(o, "kind", "sweep-part");
	zl_json_add_int(o, "version", 1);
	zl_json_add(o, "definition", sweep_definition(s));
	rc = zl_json_print(o, false, &text);
	if (rc == 0) {
		zl_buf_str(ret, text);
		zl_buf_chr(ret, '\n');
		zl_json_text_free(text);
	}
	zl_json_free(o);
	return rc != 0 || ret->failed ? -ENOMEM : 0;
}

void sweep_part_line(struct zl_buf *b, uint64_t point, const struct sweep_value *v)
{
	if (v->state == SWEEP_VALUE) {
		zl_buf_fmt(b, "%U %D\n", point, v->value);
	} else {
		zl_buf_fmt(b, "%U %s\n", point, sweep_state_name(v->state));
	}
}

int sweep_part_new(const struct sweep *s, struct sweep_part *ret, struct zl_error *err)
{
	memset(ret, 0, sizeof(*ret));
	ret->value = s->mem->realloc(s->mem->user, NULL, s->points * sizeof(*ret->value));
	if (ret->value == NULL) {
		zl_error_set(err, 0, 0, "no memory for %U points; use --shard", s->points);
		return -ENOMEM;
	}
	memset(ret->value, 0, s->points * sizeof(*ret->value));
	ret->points = s->points;
	return 0;
}

void sweep_part_done(struct sweep_part *p, const struct zl_allocator *mem)
{
	mem->free(mem->user, p->value);
	memset(p, 0, sizeof(*p));
}

static int fail(struct zl_error *err, unsigned line, const char *what)
{
	zl_error_set(err, line, 0, "%s", what);
	return -EINVAL;
}

static int read_axis(struct sweep *s, const struct zl_json *j)
{
	const struct zl_json *values = zl_json_member(j, "values");
	const char *key = zl_json_text(zl_json_member(j, "key"));
	struct sweep_axis *a = &s->axis[s->nr_axes];
	size_t n = zl_json_count(values);
	bool words = zl_json_text(zl_json_first(values)) != NULL;
	size_t size = words ? sizeof(*a->word) : sizeof(*a->number);
	void *array;

	if (key == NULL || n == 0 || n > SWEEP_VALUES_MAX || s->nr_axes == SWEEP_AXES_MAX) {
		return -EINVAL;
	}
	array = s->mem->realloc(s->mem->user, NULL, n * size);
	if (array == NULL) {
		return -ENOMEM;
	}
	memset(a, 0, sizeof(*a));
	a->word = words ? array : NULL;
	a->number = words ? NULL : array;
	zl_format(a->name, sizeof(a->name), "%s", key);
	a->setting = zl_setting_find(key);
	a->kind = a->setting == ZL_SETTING_COUNT ? SWEEP_PARAM : SWEEP_SETTING;
	s->nr_axes++;
	for (const struct zl_json *v = zl_json_first(values); v != NULL; v = zl_json_next(v)) {
		const char *word = zl_json_text(v);

		if (words ? word == NULL : zl_json_get_int(v, &a->number[a->n]) != 0) {
			return -EINVAL;
		}
		if (words) {
			zl_format(a->word[a->n], SWEEP_WORD, "%s", word);
		}
		a->n++;
	}
	if (a->n > SWEEP_POINTS_MAX / s->points) {
		return -EINVAL;
	}
	s->points *= a->n;
	return 0;
}

/* What is needed to print a sweep. */
static int from_definition(const struct zl_json *def, const struct zl_allocator *mem,
	struct sweep **ret, struct zl_error *err)
{
	struct sweep *s = mem->realloc(mem->user, NULL, sizeof(*s));
	const struct zl_json *vary = zl_json_member(def, "vary");
	const char *target = zl_json_text(zl_json_member(def, "target"));
	const char *metric = zl_json_text(zl_json_member(def, "metric"));
	const char *unit = zl_json_text(zl_json_member(def, "unit"));
	int rc = target == NULL || metric == NULL || unit == NULL ? -EINVAL : 0;

	if (s == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(s, 0, sizeof(*s));
	s->mem = mem;
	s->points = 1;
	for (const struct zl_json *j = zl_json_first(vary); rc == 0 && j != NULL;
		j = zl_json_next(j)) {
		rc = read_axis(s, j);
	}
	if (rc != 0 || s->nr_axes == 0) {
		sweep_free(s);
		return rc == -ENOMEM ? rc : fail(err, 1, "the definition of the sweep is damaged");
	}
	zl_format(s->target_name, sizeof(s->target_name), "%s", target);
	zl_format(s->metric, sizeof(s->metric), "%s", metric);
	zl_format(s->unit, sizeof(s->unit), "%s", unit);
	s->read_head = zl_json_copy(def);
	if (s->read_head == NULL) {
		sweep_free(s);
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	*ret = s;
	return 0;
}

/* The first line: must be that of the sweep, or makes one. */
static int read_head(const char *line, size_t n, const struct zl_allocator *mem, struct sweep **s,
	struct zl_error *err)
{
	struct zl_buf want = {0};
	struct zl_json *root = NULL;
	const char *kind;
	int rc;

	if (*s != NULL) {
		rc = sweep_part_head(*s, &want);
		if (rc == 0 && (want.len != n + 1 || memcmp(want.data, line, n) != 0)) {
			rc = fail(err, 1,
				(*s)->read_head != NULL
					? "this is a part of another sweep than the parts before "
					  "it; "
					  "join parts of one sweep"
					: "this is a part of another sweep; give another --part, "
					  "or "
					  "the same target, settings, --vary and --metric");
		}
		zl_buf_done(&want);
		return rc;
	}
	rc = zl_json_parse(line, n, &root, NULL);
	kind = zl_json_text(zl_json_member(root, "kind"));
	if (rc != 0 || kind == NULL || strcmp(kind, "sweep-part") != 0) {
		zl_json_free(root);
		return fail(err, 1, "no part of a sweep; its first line says \"sweep-part\"");
	}
	rc = from_definition(zl_json_member(root, "definition"), mem, s, err);
	zl_json_free(root);
	return rc;
}

static int read_state(const char *word, struct sweep_value *ret)
{
	static const enum sweep_state states[] = {SWEEP_NEVER, SWEEP_NONE, SWEEP_REFUSED};
	bool minus = word[0] == '-';
	uint64_t v = 0;

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strcmp(word, sweep_state_name(states[i])) == 0) {
			ret->state = states[i];
			return 0;
		}
	}
	if (zl_parse_u64(word + minus, &v) != 0) {
		return -EINVAL;
	}
	ret->state = SWEEP_VALUE;
	ret->value = minus ? -(int64_t)v : (int64_t)v;
	return 0;
}

static int read_line(
	const char *text, size_t n, struct sweep_part *part, unsigned number, struct zl_error *err)
{
	char line[LINE];
	struct sweep_value v = {0}, *was;
	uint64_t point = 0;
	char *blank;

	if (n >= sizeof(line)) {
		return fail(err, number, "the line is too long for a point");
	}
	memcpy(line, text, n);
	line[n] = '\0';
	blank = strchr(line, ' ');
	if (blank == NULL) {
		return fail(err, number, "no point; POINT VALUE is one");
	}
	*blank = '\0';
	if (zl_parse_u64(line, &point) != 0 || point >= part->points ||
		read_state(blank + 1, &v) != 0) {
		return fail(err, number, "no point of this sweep; POINT VALUE is one");
	}
	was = &part->value[point];
	if (was->state != SWEEP_OPEN && (was->state != v.state || was->value != v.value)) {
		zl_error_set(err, number, 0,
			"point %U has another value than before; one of the two is damaged", point);
		return -EINVAL;
	}
	part->have += was->state == SWEEP_OPEN;
	*was = v;
	return 0;
}

int sweep_part_read(const char *path, const struct zl_allocator *mem, struct sweep **s,
	struct sweep_part *part, struct zl_error *err)
{
	struct zl_file f = {0};
	unsigned number = 0;
	int rc = zl_file_load(path, 0, mem, &f, err);

	for (size_t at = 0; rc == 0 && at < f.size;) {
		const char *end = memchr(f.data + at, '\n', f.size - at);
		size_t n = end != NULL ? (size_t)(end - f.data) - at : 0;

		if (end == NULL) {
			break; /* the last line was not written whole */
		}
		number++;
		if (number == 1) {
			rc = read_head(f.data, n, mem, s, err);
			if (rc == 0 && part->value == NULL) {
				rc = sweep_part_new(*s, part, err);
			}
		} else if (n > 0) {
			rc = read_line(f.data + at, n, part, number, err);
		}
		at += n + 1;
		part->keep = at;
	}
	if (rc == 0 && number == 0 && (*s == NULL || f.size > 0)) {
		rc = fail(err, 1, "no part of a sweep; its first line says \"sweep-part\"");
	}
	if (rc == -ENOMEM && err->text[0] == '\0') {
		zl_error_set(err, 0, 0, "no memory");
	}
	if (rc != 0) {
		zl_error_file(err, path);
	}
	zl_file_done(&f, mem);
	return rc;
}
