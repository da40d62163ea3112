/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of policies: reading, copying, laying one over another.
 */
#include "zonelab/policy.h"

#include <errno.h>
#include <string.h>

#include "policy_text.h"
#include "zonelab/clean.h"
#include "zonelab/text.h"

static void release(struct zl_policy *p, const struct zl_allocator *mem)
{
	if (p->text != NULL) {
		mem->free(mem->user, p->text);
	}
	if (p->expr.code != NULL) {
		zl_expr_done(&p->expr, mem);
	}
	memset(p, 0, sizeof(*p));
}

void zl_policy_set_done(struct zl_policy_set *set, const struct zl_allocator *mem)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		release(&set->policy[i], mem);
	}
	set->count = 0;
}

static void *duplicate(const void *from, size_t size, const struct zl_allocator *mem)
{
	void *to = mem->realloc(mem->user, NULL, size);

	if (to != NULL) {
		memcpy(to, from, size);
	}
	return to;
}

static int copy_policy(
	struct zl_policy *ret, const struct zl_policy *p, const struct zl_allocator *mem)
{
	struct zl_policy copy = *p;

	copy.text = duplicate(p->text, strlen(p->text) + 1, mem);
	copy.expr.code = duplicate(p->expr.code, p->expr.nr_code * sizeof(*p->expr.code), mem);
	if (copy.text == NULL || copy.expr.code == NULL) {
		release(&copy, mem);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

int zl_policy_set_copy(
	struct zl_policy_set *ret, const struct zl_policy_set *set, const struct zl_allocator *mem)
{
	memset(ret, 0, sizeof(*ret));
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		if (set->policy[i].text == NULL) {
			continue;
		}
		if (copy_policy(&ret->policy[i], &set->policy[i], mem) != 0) {
			zl_policy_set_done(ret, mem);
			return -ENOMEM;
		}
		ret->count++;
	}
	return 0;
}

bool zl_policy_set_equal(const struct zl_policy_set *a, const struct zl_policy_set *b)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const char *x = a->policy[i].text;
		const char *y = b->policy[i].text;

		if ((x == NULL) != (y == NULL) || (x != NULL && strcmp(x, y) != 0)) {
			return false;
		}
	}
	return true;
}

static void put(struct zl_policy_set *set, enum zl_point p, struct zl_policy *policy,
	const struct zl_allocator *mem)
{
	set->count -= set->policy[p].text != NULL;
	set->count += policy->text != NULL;
	release(&set->policy[p], mem);
	set->policy[p] = *policy;
}

int zl_policy_merge(struct zl_policy_set *base, const struct zl_policy_set *over,
	const struct zl_allocator *mem)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_policy *from = &over->policy[i];
		const struct zl_policy *to = &base->policy[i];
		struct zl_policy copy;

		if (from->text == NULL || (to->text != NULL && to->origin > from->origin)) {
			continue;
		}
		if (copy_policy(&copy, from, mem) != 0) {
			return -ENOMEM;
		}
		put(base, (enum zl_point)i, &copy, mem);
	}
	return 0;
}

static int compile_policy(struct zl_policy *ret, enum zl_point p, const struct zl_policy_text *text,
	const struct zl_policy_in *in, struct zl_error *err)
{
	int rc = zl_policy_compile_text(p, text, in->mem, &ret->expr, err);

	if (rc != 0) {
		return rc;
	}
	ret->text = in->mem->realloc(in->mem->user, NULL, text->len + 1);
	if (ret->text == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		release(ret, in->mem);
		return -ENOMEM;
	}
	/* Breaks between lines are blanks: where the text goes, it is in one line. */
	for (size_t i = 0; i < text->len; i++) {
		ret->text[i] = (unsigned char)text->start[i] < ' ' ? ' ' : text->start[i];
	}
	ret->text[text->len] = '\0';
	ret->origin = in->origin;
	ret->shipped = in->shipped;
	return 0;
}

static int give(struct zl_policy_set *set, enum zl_point p, const struct zl_policy_text *text,
	const struct zl_policy_in *in, struct zl_error *err)
{
	struct zl_policy policy = {0};

	if (set->policy[p].text != NULL && set->policy[p].origin > in->origin) {
		return 0;
	}
	if (!zl_policy_text_is(text, "default")) {
		int rc = compile_policy(&policy, p, text, in, err);

		if (rc != 0) {
			return rc;
		}
	}
	put(set, p, &policy, in->mem);
	return 0;
}

int zl_policy_give(struct zl_policy_set *set, enum zl_point p, const char *text,
	const struct zl_policy_in *in, struct zl_error *err)
{
	struct zl_policy_text whole = zl_policy_text_trim(text, strlen(text), 0);

	return give(set, p, &whole, in, err);
}

static int unknown_word(const char *word, unsigned column, bool point, struct zl_error *err)
{
	const char *point_near = zl_point_nearest(word);
	struct zl_nearest near;
	char clean[ZL_EXPR_NAME_MAX];

	zl_clean_line(clean, sizeof(clean), word, strlen(word));
	zl_nearest_init(&near, word);
	if (point_near != NULL) {
		zl_nearest_try(&near, point_near);
	}
	for (size_t i = 0; !point && i < zl_shipped_policy_count(); i++) {
		zl_nearest_try(&near, zl_shipped_policy_at(i)->name);
	}
	zl_error_set(err, 0, column, "there is no %s '%s'; %s%s",
		point ? "decision point" : "policy", clean,
		near.name != NULL ? "did you mean " : "see `",
		near.name != NULL ? near.name
		: point		  ? "list decision-points`"
				  : "list policies`, or write POINT = EXPR");
	return -EINVAL;
}

static int parse_one(struct zl_policy_set *set, const struct zl_policy_text *part,
	const struct zl_policy_in *in, struct zl_error *err)
{
	struct zl_policy_text expr;
	char word[ZL_EXPR_NAME_MAX];
	unsigned column = part->column + 1;
	enum zl_point p;

	if (!zl_policy_text_split(part, word, sizeof(word), &expr)) {
		return unknown_word(word, column, false, err);
	}
	p = zl_point_find(word);
	if (p == ZL_POINT_COUNT) {
		return unknown_word(word, column, true, err);
	}
	if (expr.start == NULL) {
		zl_error_set(err, 0, column + (unsigned)strlen(word),
			"%s needs an expression: %s = EXPR, or %s = default", word, word, word);
		return -EINVAL;
	}
	return give(set, p, &expr, in, err);
}

/* A shipped policy, or "none" for no policy at all. Nothing changes when one part fails. */
static int give_shipped(struct zl_policy_set *set, const struct zl_shipped_policy *shipped,
	const struct zl_policy_in *in, struct zl_error *err)
{
	const struct zl_policy_in named = {in->mem, in->origin, shipped->name};
	struct zl_policy_set work;
	const char *s = shipped->text;
	int rc = zl_policy_set_copy(&work, set, in->mem);

	while (rc == 0 && *s != '\0') {
		size_t len = strcspn(s, ";");
		struct zl_policy_text part = zl_policy_text_trim(s, len, 0);

		rc = parse_one(&work, &part, &named, err);
		s += len + (s[len] == ';');
	}
	if (rc != 0) {
		zl_policy_set_done(&work, in->mem);
		return rc;
	}
	zl_policy_set_done(set, in->mem);
	*set = work;
	return 0;
}

int zl_policy_parse(struct zl_policy_set *set, const char *text, const struct zl_policy_in *in,
	struct zl_error *err)
{
	struct zl_policy_text whole = zl_policy_text_trim(text, strlen(text), 0);

	if (whole.len == 0) {
		zl_error_set(err, 0, 1,
			"the policy is empty; write POINT = EXPR, or a name of "
			"`list policies`");
		return -EINVAL;
	}
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		if (zl_policy_text_is(&whole, zl_shipped_policy_at(i)->name)) {
			return give_shipped(set, zl_shipped_policy_at(i), in, err);
		}
	}
	return parse_one(set, &whole, in, err);
}

const char *zl_policy_text(
	const struct zl_policy_set *set, enum zl_point p, const struct zl_switches *sw)
{
	const struct zl_point_rule *rule;

	if (zl_policy_has(set, p)) {
		return set->policy[p].text;
	}
	rule = zl_point_rule(p, sw);
	return rule != NULL ? rule->expression : NULL;
}

int zl_policy_eval(const struct zl_policy_set *set, enum zl_point p, const int64_t *slots,
	int64_t *ret, struct zl_error *err)
{
	struct zl_error why = {0};
	int rc = zl_expr_eval(&set->policy[p].expr, slots, ret, &why);

	if (rc != 0) {
		zl_error_set(err, 0, why.column, "policy %s: %s", zl_point_info(p)->name, why.text);
	}
	return rc;
}
