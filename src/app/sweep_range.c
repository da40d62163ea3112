/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes of a sweep: keys, and ranges as they are written. */
#include <errno.h>
#include <string.h>

#include "sweep.h"
#include "zonelab/release.h"
#include "zonelab/text.h"

#define PIECE 128

struct reading {
	const struct sweep *s;
	struct sweep_axis *a;
	struct zl_error *err;
	const char *text; /* the whole, for messages */
	size_t cap;
};

static int refuse(struct reading *r, const char *what)
{
	zl_error_set(r->err, 0, 0,
		"--vary %s: %s; write KEY=a..b, a..b:step, a..b*factor, or a list a,b,c", r->text,
		what);
	return -EINVAL;
}

static bool is_numeric(const struct sweep_axis *a)
{
	if (a->kind == SWEEP_PARAM || a->setting == ZL_SET_SEED) {
		return true;
	}
	const struct zl_setting_info *info = zl_setting_info(a->setting);
	return info->type == ZL_TYPE_COUNT || info->type == ZL_TYPE_BYTES;
}

static int grow(struct reading *r, size_t size, void **array)
{
	size_t cap = r->cap == 0 ? 16 : 2 * r->cap;
	void *p;

	if (r->a->n < r->cap) {
		return 0;
	}
	p = r->s->mem->realloc(r->s->mem->user, *array, cap * size);
	if (p == NULL) {
		zl_error_set(r->err, 0, 0, "no memory");
		return -ENOMEM;
	}
	*array = p;
	r->cap = cap;
	return 0;
}

static int add_number(struct reading *r, int64_t v)
{
	void *array = r->a->number;
	int rc = r->a->n == SWEEP_VALUES_MAX ? refuse(r, "too many values; at most a million")
					     : grow(r, sizeof(int64_t), &array);

	r->a->number = array;
	if (rc == 0) {
		r->a->number[r->a->n++] = v;
	}
	return rc;
}

static int add_word(struct reading *r, const char *word)
{
	void *array = r->a->word;
	int rc = r->a->n == SWEEP_WORDS_MAX   ? refuse(r, "too many words; at most 256")
		 : strlen(word) >= SWEEP_WORD ? refuse(r, "a word is too long")
					      : grow(r, SWEEP_WORD, &array);

	r->a->word = array;
	if (rc == 0) {
		zl_format(r->a->word[r->a->n++], SWEEP_WORD, "%s", word);
	}
	return rc;
}

static int read_number(struct reading *r, const char *text, int64_t *ret)
{
	uint64_t v = 0;
	uint64_t unit = 1;

	if (r->a->kind == SWEEP_SETTING && r->a->setting != ZL_SET_SEED &&
		zl_setting_info(r->a->setting)->type == ZL_TYPE_BYTES &&
		strcmp(zl_setting_info(r->a->setting)->unit, "KiB") == 0) {
		unit = 1024;
	}
	if (zl_parse_size(text, unit, &v) != 0) {
		return refuse(r, "not a number");
	}
	*ret = (int64_t)v;
	return 0;
}

/* "b", "b:step" or "b*factor" behind "a..". */
static int number_range(struct reading *r, const char *from, char *to)
{
	char *by = strpbrk(to, ":*");
	bool times = by != NULL && *by == '*';
	int64_t a = 0, b = 0, step = 1;
	int rc;

	if (by != NULL) {
		*by++ = '\0';
	}
	rc = read_number(r, from, &a);
	rc = rc != 0 ? rc : read_number(r, to, &b);
	rc = rc != 0 || by == NULL ? rc : read_number(r, by, &step);
	if (rc == 0 && (a > b || step < 1 || (times && (step < 2 || a == 0)))) {
		rc = refuse(
			r, times ? "the first number is 1 or more and not above the second, "
				   "the factor 2 or more"
				 : "the first number is not above the second, and the step 1 or "
				   "more");
	}
	for (int64_t v = a; rc == 0 && v <= b;) {
		rc = add_number(r, v);
		if (times ? v > b / step : v > b - step) {
			break;
		}
		v = times ? v * step : v + step;
	}
	return rc;
}

/* Releases where something changes, from one to another. */
static int release_range(struct reading *r, const char *from, const char *to)
{
	struct zl_release a, b, at;
	int rc;

	if (zl_release_parse(from, &a) != 0 || zl_release_parse(to, &b) != 0 ||
		zl_release_compare(&a, &b) > 0) {
		return refuse(r, "not two releases, the older first");
	}
	rc = add_word(r, from);
	for (size_t i = 0; rc == 0 && i < zl_breakpoint_count(); i++) {
		if (zl_release_parse(zl_breakpoint(i), &at) == 0 &&
			zl_release_compare(&a, &at) < 0 && zl_release_compare(&at, &b) < 0) {
			rc = add_word(r, zl_breakpoint(i));
		}
	}
	return rc != 0 || zl_release_compare(&a, &b) == 0 ? rc : add_word(r, to);
}

static int read_piece(struct reading *r, char *piece)
{
	char *to = strstr(piece, "..");
	int64_t v = 0;
	int rc;

	if (piece[0] == '\0') {
		return refuse(r, "a value is missing");
	}
	if (to != NULL) {
		*to = '\0';
		to += 2;
	}
	if (is_numeric(r->a)) {
		if (to != NULL) {
			return number_range(r, piece, to);
		}
		rc = read_number(r, piece, &v);
		return rc != 0 ? rc : add_number(r, v);
	}
	if (to == NULL) {
		return add_word(r, piece);
	}
	if (zl_setting_info(r->a->setting)->type == ZL_TYPE_RELEASE) {
		return release_range(r, piece, to);
	}
	return refuse(r, "this setting has words, not numbers; write a list");
}

static int read_key(struct reading *r, const char *key)
{
	const struct zl_scenario *s = &r->s->scenario;
	const char *near;

	if (strncmp(key, "param.", 6) == 0) {
		r->a->kind = SWEEP_PARAM;
		zl_format(r->a->name, sizeof(r->a->name), "%s", key);
		for (uint32_t i = 0; r->s->has_scenario && i < s->nr_names; i++) {
			if (s->names[i].parameter && strcmp(s->names[i].name, key + 6) == 0) {
				r->a->param = i;
				return 0;
			}
		}
		return refuse(r, r->s->has_scenario ? "the scenario has no such parameter"
						    : "only scenarios have parameters");
	}
	r->a->kind = SWEEP_SETTING;
	r->a->setting = zl_setting_find(key);
	if (r->a->setting != ZL_SETTING_COUNT) {
		zl_format(
			r->a->name, sizeof(r->a->name), "%s", zl_setting_info(r->a->setting)->key);
		return 0;
	}
	near = zl_setting_nearest(key);
	zl_error_set(r->err, 0, 0, "--vary %s: there is no setting '%s'; %s%s", r->text, key,
		near != NULL ? "did you mean " : "see `zonelab list settings`",
		near != NULL ? near : "");
	return -EINVAL;
}

/* Each value must be one that the setting takes; of very long axes the ends. */
static int check_values(struct reading *r)
{
	const size_t all = 4096;
	struct zl_settings scratch = {0};
	char text[SWEEP_WORD];

	for (size_t i = 0; r->a->kind == SWEEP_SETTING && i < r->a->n; i++) {
		if (i >= all && i + 1 < r->a->n) {
			continue;
		}
		sweep_axis_text(r->a, i, false, text, sizeof(text));
		int rc = zl_settings_set(&scratch, r->a->setting, text, ZL_ORIGIN_GIVEN, r->err);
		if (rc != 0) {
			zl_error_file(r->err, r->a->name);
			return rc;
		}
	}
	return 0;
}

int sweep_axis_read(
	const struct sweep *s, const char *text, struct sweep_axis *ret, struct zl_error *err)
{
	struct reading r = {.s = s, .a = ret, .err = err, .text = text};
	const char *eq = strchr(text, '=');
	char piece[PIECE];
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (eq == NULL || (size_t)(eq - text) >= sizeof(ret->name)) {
		return refuse(&r, "no KEY=RANGE");
	}
	zl_format(piece, (size_t)(eq - text) + 1, "%s", text);
	rc = read_key(&r, piece);
	for (const char *at = eq + 1; rc == 0;) {
		size_t n = strcspn(at, ",");

		if (n >= sizeof(piece)) {
			rc = refuse(&r, "a piece is too long");
			break;
		}
		zl_format(piece, n + 1, "%s", at);
		rc = read_piece(&r, piece);
		if (at[n] == '\0') {
			break;
		}
		at += n + 1;
	}
	rc = rc != 0 ? rc : check_values(&r);
	if (rc != 0) {
		sweep_axis_done(ret, s->mem);
	}
	return rc;
}

void sweep_axis_done(struct sweep_axis *a, const struct zl_allocator *mem)
{
	mem->free(mem->user, a->number);
	mem->free(mem->user, a->word);
	memset(a, 0, sizeof(*a));
}

void sweep_axis_text(const struct sweep_axis *a, size_t i, bool plain, char *buf, size_t size)
{
	struct zl_settings s;

	if (a->word != NULL) {
		zl_format(buf, size, "%s", a->word[i]);
	} else if (!plain && a->kind == SWEEP_SETTING &&
		   zl_setting_info(a->setting)->type == ZL_TYPE_BYTES) {
		memset(&s, 0, sizeof(s));
		zl_settings_number(&s, a->setting, a->number[i], ZL_ORIGIN_GIVEN);
		zl_setting_format(&s, a->setting, buf, size);
	} else {
		zl_format(buf, size, "%D", a->number[i]);
	}
}
