/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: what the lanes before and after are given.
 */
#include <string.h>

#include "binder.h"

static void put_item(struct zl_bind_lane *lane, const struct zl_change *c, const char *value)
{
	size_t i = 0;

	while (i < lane->count &&
		(lane->item[i].setting != c->setting || lane->item[i].point != c->point ||
			strcmp(lane->item[i].condition, c->condition) != 0)) {
		i++;
	}
	if (i == ZL_BIND_ITEMS) {
		return;
	}
	lane->count = i == lane->count ? i + 1 : lane->count;
	lane->item[i].setting = c->setting;
	lane->item[i].point = c->point;
	lane->item[i].condition = c->condition;
	lane->item[i].earlier = c->earlier;
	lane->item[i].value = value;
}

static bool has_item(const struct zl_bind_lane *lane, const struct zl_change *c)
{
	for (size_t i = 0; i < lane->count; i++) {
		if (lane->item[i].setting == c->setting && lane->item[i].point == c->point &&
			strcmp(lane->item[i].condition, c->condition) == 0) {
			return true;
		}
	}
	return false;
}

/* READ_ONCE, white space and brackets are no difference. */
static bool same_rule(const struct zl_binding *binding, const char *rule, const char *text)
{
	struct c_builder build = {.arena = binding->arena};
	const struct c_node *a = c_expression_text(&build, rule);
	const struct c_node *b = c_expression_text(&build, text);

	return a != NULL && b != NULL && c_same(a, b);
}

/* What a series ends with is what it began with: nothing is left of it. */
static void drop_undone(const struct zl_binding *b, const struct zl_switches *sw,
	const struct zl_bind_lane *before, struct zl_bind_lane *after)
{
	size_t kept = 0;

	for (size_t i = 0; i < after->count; i++) {
		const struct zl_point_rule *rule = after->item[i].point != ZL_POINT_COUNT
							   ? zl_point_rule(after->item[i].point, sw)
							   : NULL;
		bool stood_in = false;

		for (size_t k = 0; k < before->count; k++) {
			stood_in |= before->item[k].point == after->item[i].point &&
				    before->item[k].setting == after->item[i].setting;
		}
		if (rule == NULL || stood_in ||
			!same_rule(b, rule->expression, after->item[i].value)) {
			after->item[kept++] = after->item[i];
		}
	}
	after->count = kept;
}

void zl_bind_lanes(const struct zl_binding *b, const struct zl_switches *sw,
	struct zl_bind_lane *ret_before, struct zl_bind_lane *ret_after)
{
	memset(ret_before, 0, sizeof(*ret_before));
	memset(ret_after, 0, sizeof(*ret_after));
	for (size_t i = 0; i < b->nr_changes; i++) {
		const struct zl_change *c = &b->change[i];
		const char *before = c->before;

		if (c->kind == ZL_CHANGE_RULE) {
			if (before == NULL && c->rule != NULL &&
				zl_point_rule(c->point, sw) != c->rule) {
				before = c->rule->expression;
			}
			if (before != NULL && !has_item(ret_after, c)) {
				put_item(ret_before, c, before); /* the first of a series counts */
			}
			put_item(ret_after, c, c->after);
		} else if (c->kind != ZL_CHANGE_SAME && c->kind != ZL_CHANGE_RANGE &&
			   c->after != NULL) {
			if (c->before != NULL && bind_is_odd_default(c->setting, c->before) &&
				!has_item(ret_after, c)) {
				put_item(ret_before, c, c->before);
			}
			put_item(ret_after, c, c->after);
		}
	}
	drop_undone(b, sw, ret_before, ret_after);
}
