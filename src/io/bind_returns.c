/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: functions whose rule is what they return. What a hunk shows of the returns of one, with a
 * name for what it does not show, is looked for in the rule, and the new returns put in its place:
 * early returns that come, go or change, and values that become another one under a condition.
 */
#include <string.h>

#include "bind_instance.h"

/* What follows behind the hunk. */
#define REST "..."

/* Points whose rule is the value of the function, and that nothing else in it depends on. */
static const struct value_of {
	enum zl_point point;
	const char *function;
	const char *target; /* what the value is put in, 0 where it returns before; "" = returned */
} returning[] = {
	{ZL_POINT_NR_PCP_FREE,    "nr_pcp_free",		      ""		},
	{ZL_POINT_ZONE_HIGHSIZE,	 "zone_highsize",		  ""	    },
	{ZL_POINT_ZONE_BATCHSIZE, "zone_batchsize",		    ""	      },
	{ZL_POINT_HIGHATOMIC_MAX, "reserve_highatomic_pageblock", "max_managed"},
};

bool bind_is_whole_function(enum zl_point point)
{
	for (size_t i = 0; i < sizeof(returning) / sizeof(returning[0]); i++) {
		if (returning[i].point == point && returning[i].target[0] == '\0') {
			return true;
		}
	}
	return false;
}

/* One function of one hunk. */
struct function {
	struct binder *b;
	struct bind_at at; /* the new side */
	enum zl_point point;
	const char *name, *target;
};

static bool is_rest(const struct c_node *n)
{
	return n->op == C_NAME && strcmp(n->name, REST) == 0;
}

/* What stands behind the hunk, or a local variable of before it. */
static bool is_unseen(void *user, const char *name)
{
	return strcmp(name, REST) == 0 || bind_is_variable(user, name);
}

static bool has_rest(const struct c_node *n)
{
	return bind_has_name(n, REST);
}

/* --- what a hunk shows --- */

static const struct c_facts *facts_of(const struct function *f, unsigned side)
{
	return &f->at.file->hunk[f->at.hunk].side[side];
}

static bool mine(const struct function *f, const struct c_fact *fact)
{
	return strcmp(fact->function, f->name) == 0;
}

static bool changed(const struct function *f, const struct c_fact *fact, unsigned side)
{
	return mine(f, fact) && bind_is_changed(f->at.file->hunk[f->at.hunk].h, fact, side);
}

static bool gives_value(const struct function *f, const struct c_fact *fact)
{
	if (!mine(f, fact)) {
		return false;
	}
	return f->target[0] != '\0' && fact->kind == C_FACT_ASSIGN
		       ? strcmp(fact->lhs, f->target) == 0
		       : fact->kind == C_FACT_RETURN;
}

/* The returns of one side from the @k-th fact on; NULL with b->why. */
static struct c_node *returns(struct instance *in, const struct function *f, size_t k)
{
	const struct c_facts *facts = bind_facts(&in->at);

	for (bool first = k == 0; k < facts->nr_facts; k++) {
		const struct c_fact *fact = &facts->fact[k];
		struct bind_at last = in->at;
		struct c_node *value, *cond;

		if (!gives_value(f, fact)) {
			continue;
		}
		in->at.fact = k;
		in->use = in->at;
		value = fact->expr != NULL     ? bind_instance(in, fact->expr)
			: f->target[0] != '\0' ? c_node_number(&in->b->build, 0)
					       : NULL;
		if (!first && bind_parted(&last, &in->at)) {
			return bind_cannot(
				in, "%s() returns under a condition of the preprocessor", f->name);
		}
		if (value == NULL || fact->guard == NULL) {
			return value;
		}
		cond = bind_guard_condition(in, fact->guard);
		return cond != NULL ? bind_choice(in->b, cond, value, returns(in, f, k + 1)) : NULL;
	}
	return c_node_name(&in->b->build, REST, strlen(REST));
}

static struct c_node *returns_of(const struct function *f, unsigned side)
{
	struct instance in = {.b = f->b, .point = f->point, .at = f->at, .opaque = true};

	in.at.side = side;
	f->b->why = NULL;
	return returns(&in, f, 0);
}

/* How many statements of a side are the function's own, by what they do to its value. */
static unsigned count(const struct function *f, unsigned side)
{
	const struct c_facts *facts = facts_of(f, side);
	unsigned n = 0;

	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *fact = &facts->fact[i];

		n += mine(f, fact) && fact->expr != NULL && !fact->declaration;
	}
	return n;
}

/* Statements of the patch that do more than give the function its value. */
static bool does_more(const struct function *f, unsigned side, bool open)
{
	const struct c_facts *facts = facts_of(f, side);

	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *fact = &facts->fact[i];
		bool sets = fact->kind == C_FACT_ASSIGN && fact->expr != NULL;

		if (changed(f, fact, side) &&
			(fact->kind == C_FACT_CALL || fact->kind == C_FACT_OTHER ||
				(sets && !gives_value(f, fact) &&
					(open || !bind_is_local(fact->lhs))))) {
			return true;
		}
	}
	return false;
}

/* Whether all that the patch changes in the function is still to be bound. */
static bool untouched(const struct function *f, bool *ret_any)
{
	const struct bind_hunk *h = &f->at.file->hunk[f->at.hunk];

	*ret_any = false;
	for (unsigned side = 0; side < 2; side++) {
		const struct c_facts *facts = facts_of(f, side);

		for (size_t i = 0; i < facts->nr_facts; i++) {
			const struct c_fact *fact = &facts->fact[i];

			if (!changed(f, fact, side) || fact->expr == NULL) {
				continue;
			}
			if (bind_is_settled(h, fact, side, false)) {
				return false;
			}
			*ret_any |= fact->kind == C_FACT_RETURN || fact->kind == C_FACT_COND ||
				    fact->kind == C_FACT_ASSIGN;
		}
	}
	return true;
}

/* --- the rule --- */

/* Puts what the rule has there in the place of names of what is not seen; false if it has not. */
static bool fill(struct binder *b, const struct c_env *env, struct c_node **slot)
{
	struct bind_scope *scope = env->user;
	bool all = true;

	for (unsigned i = 0; (*slot)->op == C_NAME && i < env->nr_variables; i++) {
		if (strcmp((*slot)->name, env->variable[i]) == 0) {
			*slot = c_node_copy(&b->build, env->value[i]);
			return *slot != NULL;
		}
	}
	if ((*slot)->op == C_NAME && bind_name_id(scope->point, *slot) < 0 &&
		is_unseen(scope, (*slot)->name)) {
		return false;
	}
	for (unsigned i = 0; all && i < (*slot)->nr_kids; i++) {
		all = fill(b, env, &(*slot)->kid[i]);
	}
	return all;
}

/* The rule with the old returns in it made the new ones; NULL = they are not a part of it. */
static struct c_node *in_rule(
	const struct function *f, struct c_node *rule, const struct c_node *old, struct c_node *now)
{
	struct bind_scope scope = {f->point};
	struct c_env env = {.same_leaf = bind_same_leaf, .is_variable = is_unseen, .user = &scope};
	struct c_node *root = c_node_copy(&f->b->build, rule), **slot = &root;

	while (root != NULL) {
		if (c_match(*slot, old, &env)) {
			*slot = c_node_copy(&f->b->build, now);
			return *slot != NULL && fill(f->b, &env, slot) ? root : NULL;
		}
		if ((*slot)->op != C_TERNARY) {
			return NULL;
		}
		slot = &(*slot)->kid[2];
	}
	return NULL;
}

/* The newest rule that the old returns are a part of, and what becomes of it. */
static struct c_node *find_rule(const struct function *f, const struct c_node *old,
	struct c_node *now, const struct zl_point_rule **ret)
{
	struct c_node *after = NULL;

	for (size_t i = 0; i < zl_point_rule_count(); i++) {
		const struct zl_point_rule *rule = zl_point_rule_at(i);
		struct c_node *n = rule->point == f->point && f->b->rule[i] != NULL
					   ? in_rule(f, f->b->rule[i], old, now)
					   : NULL;

		if (n == NULL || !bind_rule_possible(f->name, rule)) {
			continue;
		}
		after = bind_has_name(f->b->rule[i], "pcp->free_factor") ? NULL : n;
		f->b->why = after == NULL
				    ? "the function also sets pcp->free_factor, which another "
				      "way through it would change as well"
				    : NULL;
		*ret = rule;
	}
	return after;
}

/* --- the change --- */

/* The first line of the function that the patch changes; of the new side, if it has one. */
static uint32_t first_row(const struct function *f)
{
	for (unsigned side = 2; side-- > 0;) {
		const struct c_facts *facts = facts_of(f, side);

		for (size_t i = 0; i < facts->nr_facts; i++) {
			if (changed(f, &facts->fact[i], side)) {
				return bind_change_row(
					&f->at.file->hunk[f->at.hunk], &facts->fact[i]);
			}
		}
	}
	return 0;
}

/* All that the patch changes in the function is bound (@why NULL), or has a reason why not. */
static void settle(const struct function *f, const char *why)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct c_facts *facts = facts_of(f, side);

		for (size_t i = 0; i < facts->nr_facts; i++) {
			if (changed(f, &facts->fact[i], side)) {
				bind_set_lines(
					&f->at.file->hunk[f->at.hunk], &facts->fact[i], side, why);
			}
		}
	}
}

/* What the patch makes of the function's value, in the words of the rule. */
struct returned {
	struct c_node *old, *now, *after;
	const struct zl_point_rule *rule;
};

/* Returns whether it can be worked out; after = NULL: it stays the same, or is refused (rule). */
static bool work_out(const struct function *f, struct returned *ret)
{
	bool open;

	memset(ret, 0, sizeof(*ret));
	f->b->build.nodes = 0;
	f->b->trial = true; /* all of the function is claimed at once */
	ret->old = returns_of(f, SIDE_OLD);
	ret->now = ret->old != NULL ? returns_of(f, SIDE_NEW) : NULL;
	f->b->trial = false;
	if (ret->now == NULL || is_rest(ret->old)) {
		return false;
	}
	open = has_rest(ret->old) || has_rest(ret->now);
	if ((has_rest(ret->now) && !has_rest(ret->old)) || does_more(f, SIDE_OLD, open) ||
		does_more(f, SIDE_NEW, open)) {
		return false;
	}
	if (c_same(ret->old, ret->now)) {
		return true;
	}
	ret->after = find_rule(f, ret->old, ret->now, &ret->rule);
	return ret->rule != NULL && (ret->after == NULL || bind_compiles(f->b, f->point,
								   bind_written(f->b, ret->after)));
}

static void add(const struct function *f, const struct returned *r, const char *condition)
{
	struct bind_hunk *h = &f->at.file->hunk[f->at.hunk];
	struct zl_change *c = bind_add(f->b, ZL_CHANGE_RULE, f->at.file, h->h, first_row(f));

	if (c == NULL) {
		return;
	}
	c->point = f->point;
	c->rule = r->rule;
	c->after = bind_written(f->b, r->after);
	c->place.function = f->name;
	c->old_code = bind_written(f->b, r->old);
	c->new_code = bind_written(f->b, r->now);
	c->condition = condition;
	c->note = f->target[0] == '\0'
			  ? "what the function returns, as far as the hunk shows it"
			  : bind_print(f->b, "what %s is, 0 where the function returns before it",
				    f->target);
	(void)returns_of(f, SIDE_NEW); /* claims helpers */
	settle(f, NULL);
}

/* The value depends on a symbol: a change with it, and one without. */
static void function_by_symbol(const struct function *f)
{
	const char *condition[2];
	struct returned r[2] = {0};
	bool both = bind_wants_symbol(f->b, condition);

	for (unsigned i = 0; i < 2 && both; i++) {
		f->b->symbol_set = i == 0;
		both = work_out(f, &r[i]) && (r[i].after != NULL || r[i].rule == NULL);
	}
	for (unsigned i = 0; i < 2 && both; i++) {
		f->b->symbol_set = i == 0;
		if (r[i].after != NULL) {
			add(f, &r[i], condition[i]);
		}
	}
	f->b->symbol = NULL;
}

static void bind_function(const struct function *f)
{
	struct returned r;

	f->b->wanted = NULL;
	if (!work_out(f, &r)) {
		if (!bind_too_large(f->b)) {
			function_by_symbol(f);
		}
	} else if (r.after != NULL) {
		add(f, &r, "");
	} else if (r.rule != NULL) {
		settle(f, f->b->why);
	}
	(void)bind_too_large(f->b);
}

/* Whether a change of the point is bound already: what its rule has become is not looked through. */
static bool is_bound(const struct binder *b, enum zl_point point)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		if (b->out->change[i].point == point) {
			return true;
		}
	}
	return false;
}

void bind_returns(struct binder *b, bool shape)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (b->failed == 0 && bind_next_hunk(&w, &at)) {
		for (size_t i = 0; i < sizeof(returning) / sizeof(returning[0]); i++) {
			struct function f = {.b = b,
				.at = at,
				.point = returning[i].point,
				.name = returning[i].function,
				.target = returning[i].target};
			bool any;

			if (untouched(&f, &any) && any && !is_bound(b, f.point) &&
				(!shape || count(&f, SIDE_OLD) != count(&f, SIDE_NEW))) {
				bind_function(&f);
			}
		}
	}
}
