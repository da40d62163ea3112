/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of scenarios as a file writes them. */
#include <errno.h>
#include <string.h>

#include "scenario_read.h"
#include "zonelab/text.h"

#define WEIGHT_MAX 1000000

/* The names that stand before parameters and variables, in the order of the model's slots. */
static const char *const own_names[] = {"cpu", "cpus", "pass"};
#define OWN_NAMES (sizeof(own_names) / sizeof(own_names[0]))

static int find(void *user, const char *name, const char *via, struct zl_expr_name *ret,
	struct zl_error *err)
{
	const struct zl_scenario *s = user;
	const char *words[OWN_NAMES + ZL_SCENARIO_NAMES_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < OWN_NAMES; i++) {
		words[n++] = own_names[i];
	}
	for (uint32_t i = 0; i < s->nr_names; i++) {
		words[n++] = s->names[i].name;
	}
	words[n] = NULL;
	for (size_t i = 0; via[0] == '\0' && i < n; i++) {
		if (strcmp(words[i], name) == 0) {
			ret->constant = false;
			ret->slot = (unsigned)i;
			return 0;
		}
	}
	const char *near = reading_nearest(name, words);
	if (via[0] != '\0') {
		zl_error_set(err, 0, 0, "unknown function '%s'", via);
	} else if (near != NULL) {
		zl_error_set(err, 0, 0, "unknown name '%s'; did you mean '%s'?", name, near);
	} else {
		zl_error_set(err, 0, 0,
			"unknown name '%s'; parameters and variables are declared at the top",
			name);
	}
	return -ENOENT;
}

/* Compiles a text; an error of it is placed in the file. */
static int compile(struct reading *r, const struct zl_json *j, bool names, struct zl_expr *ret)
{
	const struct zl_expr_names scope = {find, r->s};
	struct zl_error why = {0};
	int rc = zl_expr_compile(zl_json_text(j), names ? &scope : NULL, r->mem, ret, &why);

	if (rc == -ENOMEM) {
		return reading_no_memory(r);
	}
	if (rc != 0) {
		return reading_fail(
			r, j, "%s, at column %u of the expression", why.text, why.column);
	}
	if (zl_expr_constant(ret)) {
		int64_t v;

		rc = zl_expr_eval(ret, NULL, &v, &why);
		if (rc != 0) {
			zl_expr_done(ret, r->mem);
			return reading_fail(
				r, j, "%s, at column %u of the expression", why.text, why.column);
		}
	}
	return 0;
}

int reading_no_integer(struct reading *r, const struct zl_json *j, const char *right)
{
	int64_t v;

	return zl_json_get_int(j, &v) == -ERANGE
		       ? reading_fail(r, j, "the number is out of range; below 2^53, %s", right)
		       : reading_fail(r, j, "the number has a fraction; %s", right);
}

int reading_constant(struct reading *r, const struct zl_json *j, int64_t *ret)
{
	struct zl_expr e = {0};
	int rc;

	if (zl_json_get_int(j, ret) == 0) {
		return 0;
	}
	if (zl_json_kind(j) == ZL_JSON_NUMBER) {
		return reading_no_integer(r, j, "a whole number is needed");
	}
	if (zl_json_text(j) == NULL) {
		return reading_fail(
			r, j, "%s; a whole number is needed", zl_json_kind_name(zl_json_kind(j)));
	}
	rc = compile(r, j, false, &e);
	if (rc == 0) {
		rc = zl_expr_eval(&e, NULL, ret, NULL);
		zl_expr_done(&e, r->mem);
	}
	if (rc == 0 && (*ret > ZL_JSON_INT_MAX || *ret < -ZL_JSON_INT_MAX)) {
		rc = reading_fail(
			r, j, "%D is out of range; a number below 2^53 is possible", *ret);
	}
	return rc;
}

static int push_value(struct reading *r, const struct zl_json *j, struct zl_value *v, uint32_t *ret)
{
	struct json_place at = json_place(&r->places, j);
	struct reading_array_of values = {
		(void **)&r->s->value, &r->s->nr_values, sizeof(*r->s->value)};

	v->place = (struct zl_place){at.line, at.column};
	return reading_push(r, values, v, ret);
}

static int read_expr(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct zl_value v = {.kind = ZL_VALUE_EXPR};
	struct zl_expr e = {0};
	struct reading_array_of exprs = {
		(void **)&r->s->expr, &r->s->nr_exprs, sizeof(*r->s->expr)};
	int rc = compile(r, j, true, &e);

	if (rc != 0) {
		return rc;
	}
	rc = reading_push(r, exprs, &e, &v.a);
	if (rc != 0) {
		zl_expr_done(&e, r->mem);
		return rc;
	}
	rc = reading_text_of(r, j, &v.b);
	return rc != 0 ? rc : push_value(r, j, &v, ret);
}

static int read_range(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct zl_value v = {.kind = ZL_VALUE_RANGE};
	const struct zl_json *lo = zl_json_first(j);
	const struct zl_json *hi = zl_json_next(lo);
	size_t mark = reading_index(r, 0);
	int rc = reading_value(r, lo, &v.a);

	reading_up(r, mark);
	if (rc == 0) {
		mark = reading_index(r, 1);
		rc = reading_value(r, hi, &v.b);
		reading_up(r, mark);
	}
	if (rc == 0 && r->s->value[v.a].kind == ZL_VALUE_CONST &&
		r->s->value[v.b].kind == ZL_VALUE_CONST &&
		r->s->value[v.a].number > r->s->value[v.b].number) {
		rc = reading_fail(r, j, "[%D, %D] is upside down; the smaller number comes first",
			r->s->value[v.a].number, r->s->value[v.b].number);
	}
	return rc != 0 ? rc : push_value(r, j, &v, ret);
}

static int read_weighted_item(struct reading *r, const struct zl_json *j, struct zl_weighted *ret)
{
	static const char *const keys[] = {"weight", "value", NULL};
	const struct reading_limits limits = {1, WEIGHT_MAX};
	int64_t weight = 1;
	int rc = reading_object(r, j, keys);

	rc = rc != 0 ? rc : reading_number(r, j, "weight", &limits, &weight);
	if (rc == 0 && zl_json_member(j, "value") == NULL) {
		rc = reading_fail(r, j, "the key 'value' is missing");
	}
	ret->weight = (uint32_t)weight;
	return rc != 0 ? rc : reading_value_member(r, j, "value", &ret->item);
}

static int read_weighted(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct zl_value v = {.kind = ZL_VALUE_WEIGHTED, .b = (uint32_t)zl_json_count(j)};
	struct reading_array_of list = {
		(void **)&r->s->weighted, &r->s->nr_weighted, sizeof(*r->s->weighted)};
	struct zl_weighted none = {0};
	uint32_t at;
	int rc = 0;

	/* Places first: items may have alternatives of their own. */
	v.a = r->s->nr_weighted;
	for (uint32_t i = 0; rc == 0 && i < v.b; i++) {
		rc = reading_push(r, list, &none, &at);
	}
	at = v.a;
	for (const struct zl_json *c = zl_json_first(j); rc == 0 && c != NULL;
		c = zl_json_next(c)) {
		struct zl_weighted w = {0};
		size_t mark = reading_index(r, at - v.a);

		rc = read_weighted_item(r, c, &w);
		r->s->weighted[at++] = w;
		reading_up(r, mark);
	}
	return rc != 0 ? rc : push_value(r, j, &v, ret);
}

int reading_value(struct reading *r, const struct zl_json *j, uint32_t *ret)
{
	struct zl_value v = {.kind = ZL_VALUE_CONST};
	enum zl_json_kind kind = zl_json_kind(j);

	if (zl_json_get_int(j, &v.number) == 0) {
		return push_value(r, j, &v, ret);
	}
	if (kind == ZL_JSON_NUMBER) {
		return reading_no_integer(r, j, "a whole number or an expression is needed");
	}
	if (kind == ZL_JSON_STRING) {
		return read_expr(r, j, ret);
	}
	if (kind == ZL_JSON_ARRAY && zl_json_count(j) > 0 &&
		zl_json_kind(zl_json_first(j)) == ZL_JSON_OBJECT) {
		return read_weighted(r, j, ret);
	}
	if (kind == ZL_JSON_ARRAY && zl_json_count(j) == 2) {
		return read_range(r, j, ret);
	}
	return reading_fail(r, j,
		"no value; a whole number, \"an expression\", [least, most] or "
		"[{\"weight\": 1, \"value\": 2}, ...]");
}

int reading_value_member(
	struct reading *r, const struct zl_json *object, const char *key, uint32_t *ret)
{
	const struct zl_json *j = zl_json_member(object, key);

	*ret = ZL_NONE;
	if (j == NULL) {
		return 0;
	}
	size_t mark = reading_key(r, key);
	int rc = reading_value(r, j, ret);
	reading_up(r, mark);
	return rc;
}
