/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: the code of a change in the words of a decision point: local variables, macros, constants
 * and helpers replaced by what they are.
 */
#include "bind_instance.h"

#include <string.h>

#include "zonelab/text.h"

#define INLINE_DEPTH 8

struct c_node *bind_cannot(struct instance *in, const char *fmt, const char *name)
{
	if (in->b->why == NULL) {
		in->b->why = bind_print(in->b, fmt, name);
	}
	return NULL;
}

static const struct argument *argument(const struct instance *in, const char *name, size_t n)
{
	for (unsigned i = 0; i < in->nr_arguments; i++) {
		if (strlen(in->argument[i].name) == n &&
			strncmp(in->argument[i].name, name, n) == 0) {
			return &in->argument[i];
		}
	}
	return NULL;
}

/* "p->count" in a helper whose parameter p is the caller's pcp. */
static struct c_node *from_argument(struct instance *in, const struct c_node *n)
{
	const char *arrow = strstr(n->name, "->");
	const struct argument *a =
		argument(in, n->name, arrow != NULL ? (size_t)(arrow - n->name) : strlen(n->name));
	const char *s;

	if (a == NULL || arrow == NULL) {
		return a != NULL ? a->value : NULL;
	}
	if (a->value->op != C_NAME) {
		return NULL;
	}
	s = bind_print(in->b, "%s%s", a->value->name, arrow);
	return c_node_name(&in->b->build, s, strlen(s));
}

static const struct c_node *variable_value(const struct instance *in, const char *name)
{
	for (unsigned i = 0; in->env != NULL && i < in->env->nr_variables; i++) {
		if (strcmp(in->env->variable[i], name) == 0) {
			return in->env->value[i];
		}
	}
	return NULL;
}

static struct c_node *known_name(struct instance *in, const struct c_node *n, int id)
{
	char buf[ZL_EXPR_NAME_MAX];
	const char *word = zl_policy_name_word((enum zl_policy_name_id)id, buf);

	if (n->op == C_NAME && strcmp(n->name, "batch") == 0) {
		word = "batch";
	}
	return c_node_name(&in->b->build, word, strlen(word));
}

/* A macro, a variable at file scope or a new symbol of the patch. */
static struct c_node *from_definition(struct instance *in, const struct c_node *n)
{
	struct bind_scope scope = {in->point};
	const struct c_node *value;
	struct c_node *ret;
	int64_t number;
	bool several;

	value = bind_find_define(in->b, n->name, &several);
	if (several) {
		return bind_cannot(in, "%s has no single value in the patch", n->name);
	}
	if (value != NULL && in->depth < INLINE_DEPTH) {
		struct instance inner = *in;

		inner.depth++;
		ret = bind_instance(&inner, value);
		if (ret != NULL) {
			bind_claim_defines(in->b, n->name);
		}
		return ret;
	}
	if (bind_new_symbol(in->b, n->name, &number)) {
		return c_node_number(&in->b->build, number);
	}
	if (n->op == C_NAME && n->value != 0 && strncmp(n->name, "CONFIG_", 7) == 0) {
		if (in->b->symbol != NULL && strcmp(in->b->symbol, n->name) == 0) {
			return c_node_number(&in->b->build, in->b->symbol_set);
		}
		in->b->wanted = in->b->wanted == NULL ? n->name : in->b->wanted;
	}
	if (in->opaque && bind_is_variable(&scope, n->name)) {
		return c_node_name(&in->b->build, n->name, strlen(n->name));
	}
	return bind_cannot(in, "%s is no name that this rule may use", n->name);
}

bool bind_wants_symbol(struct binder *b, const char *ret_condition[2])
{
	b->symbol = b->wanted;
	if (b->symbol == NULL) {
		return false;
	}
	ret_condition[0] = bind_print(b, "%s", b->symbol + strlen("CONFIG_"));
	ret_condition[1] = bind_print(b, "!%s", ret_condition[0]);
	return true;
}

struct c_node *bind_outer_name(struct instance *in, const struct c_node *n)
{
	const struct c_node *value = variable_value(in, n->name);
	int id = bind_name_id(in->point, n);

	if (id >= 0) {
		return known_name(in, n, id);
	}
	return value != NULL ? bind_instance(in, value) : from_definition(in, n);
}

static struct c_node *from_name(struct instance *in, const struct c_node *n)
{
	int id = bind_name_id(in->point, n);
	const struct c_node *value;
	struct c_node *ret;
	bool found;

	ret = from_argument(in, n);
	if (ret != NULL) {
		return ret;
	}
	if (id >= 0 && !bind_local_changed(in, n->name)) {
		return known_name(in, n, id);
	}
	value = variable_value(in, n->name);
	if (value != NULL && !bind_local_changed(in, n->name)) {
		return bind_instance(in, value); /* as on the old side */
	}
	ret = bind_local(in, n->name, &found);
	if (ret != NULL || found || in->b->why != NULL) {
		return ret;
	}
	return value != NULL ? bind_instance(in, value) : from_definition(in, n);
}

/* --- helpers --- */

static const struct c_function *find_helper(struct binder *b, const char *name, struct bind_at *ret)
{
	struct bind_hunks w = {.b = b};

	while (bind_next_hunk(&w, ret)) {
		const struct c_facts *facts = bind_facts(ret);

		for (size_t k = 0; k < facts->nr_functions; k++) {
			if (strcmp(facts->function[k].name, name) == 0) {
				return &facts->function[k];
			}
		}
	}
	return NULL;
}

/* "a < b ? b : a" is max(a, b); NULL = it is no such choice. */
static struct c_node *least_or_most(
	struct c_builder *b, const struct c_node *cond, struct c_node *yes, struct c_node *no)
{
	bool less, turned;
	struct c_node *n;

	if (cond == NULL || yes == NULL || no == NULL || cond->op < C_LESS ||
		cond->op > C_GREATER_EQUAL) {
		return NULL;
	}
	turned = c_same(cond->kid[0], no) && c_same(cond->kid[1], yes);
	if (!turned && !(c_same(cond->kid[0], yes) && c_same(cond->kid[1], no))) {
		return NULL;
	}
	less = cond->op == C_LESS || cond->op == C_LESS_EQUAL;
	n = c_node_new(b, C_CALL, 2);
	if (n != NULL) {
		n->name = less == turned ? "max" : "min";
		n->kid[0] = cond->kid[0];
		n->kid[1] = cond->kid[1];
	}
	return n;
}

struct c_node *bind_choice(
	struct binder *b, struct c_node *cond, struct c_node *yes, struct c_node *no)
{
	if (cond != NULL && cond->op == C_NUMBER) {
		return cond->value != 0 ? yes : no;
	}
	struct c_node *one = least_or_most(&b->build, cond, yes, no);
	struct c_node *n = one == NULL && cond != NULL && yes != NULL && no != NULL
				   ? c_node_new(&b->build, C_TERNARY, 3)
				   : NULL;

	if (n != NULL) {
		n->kid[0] = cond;
		n->kid[1] = yes;
		n->kid[2] = no;
	}
	return one != NULL ? one : n;
}

/* The value of a helper from its @k-th fact on: returns under conditions, then the last one. */
static struct c_node *helper_value(struct instance *in, size_t k, const char *name)
{
	const struct c_facts *facts = &in->at.file->hunk[in->at.hunk].side[in->at.side];

	for (; k < facts->nr_facts; k++) {
		const struct c_fact *f = &facts->fact[k];
		struct c_node *value, *cond;

		in->at.fact = k;
		in->use = in->at;
		if (strcmp(f->function, name) != 0 || f->kind != C_FACT_RETURN) {
			continue;
		}
		value = f->expr != NULL ? bind_instance(in, f->expr) : NULL;
		if (f->guard == NULL || value == NULL) {
			return value;
		}
		cond = bind_guard_condition(in, f->guard);
		return bind_choice(in->b, cond, value, helper_value(in, k + 1, name));
	}
	return NULL;
}

static bool only_returns(const struct c_facts *facts, const char *name)
{
	for (size_t k = 0; k < facts->nr_facts; k++) {
		const struct c_fact *f = &facts->fact[k];

		if (strcmp(f->function, name) == 0 &&
			(f->kind == C_FACT_OTHER || f->kind == C_FACT_CALL ||
				(f->kind == C_FACT_ASSIGN && !bind_is_local(f->lhs) &&
					f->lhs[0] != '\0'))) {
			return false;
		}
	}
	return true;
}

static void claim_helper(const struct bind_at *at, const struct c_function *fn)
{
	struct bind_hunk *h = &at->file->hunk[at->hunk];
	const struct c_facts *facts = &h->side[SIDE_NEW];
	uint32_t last = fn->row;

	for (size_t k = 0; k < facts->nr_facts; k++) {
		if (strcmp(facts->fact[k].function, fn->name) == 0) {
			last = facts->fact[k].last > last ? facts->fact[k].last : last;
		}
	}
	for (uint32_t r = fn->row; r <= last && r < h->h->nr_lines; r++) {
		h->claimed[r] |= h->h->lines[r].kind == ZL_PATCH_NEW;
	}
}

static struct c_node *from_helper(struct instance *in, const struct c_node *call)
{
	struct argument args[C_PARAMETERS_MAX];
	struct instance inner = *in;
	const struct c_function *fn = find_helper(in->b, call->name, &inner.at);
	struct c_node *n;

	if (fn == NULL || fn->nr_parameters != call->nr_kids || in->depth >= INLINE_DEPTH) {
		return bind_cannot(in, "%s() is no function that a rule may call", call->name);
	}
	if (!only_returns(&inner.at.file->hunk[inner.at.hunk].side[SIDE_NEW], call->name)) {
		return bind_cannot(in, "%s() does more than give a value", call->name);
	}
	for (unsigned i = 0; i < call->nr_kids; i++) {
		const struct c_node *kid = call->kid[i];

		/* pcp and zone are no values: their members are */
		args[i].name = fn->parameter[i];
		args[i].value = kid->op == C_NAME && bind_name_id(in->point, kid) < 0 &&
						(strcmp(kid->name, "pcp") == 0 ||
							strcmp(kid->name, "zone") == 0)
					? c_node_name(&in->b->build, kid->name, strlen(kid->name))
					: bind_instance(in, kid);
		if (args[i].value == NULL) {
			return NULL;
		}
	}
	inner.argument = args;
	inner.nr_arguments = call->nr_kids;
	inner.depth++;
	inner.env = NULL;
	n = helper_value(&inner, 0, call->name);
	if (n == NULL) {
		return bind_cannot(in, "the value of %s() is not understood", call->name);
	}
	if (!in->b->trial) {
		claim_helper(&inner.at, fn);
	}
	return n;
}

static bool is_function_of_rules(const char *name)
{
	static const char *const names[] = {"min", "max", "min3", "max3", "clamp", "abs",
		"test_bit", "ilog2", "rounddown_pow_of_two", "roundup_pow_of_two"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

static struct c_node *rebuild(struct instance *in, const struct c_node *n)
{
	struct c_node *ret = c_node_like(&in->b->build, n);

	for (unsigned i = 0; ret != NULL && i < n->nr_kids; i++) {
		ret->kid[i] = bind_instance(in, n->kid[i]);
		if (ret->kid[i] == NULL) {
			return NULL;
		}
	}
	return ret;
}

static bool is_yes_or_no(const struct c_node *n)
{
	return n->op == C_NOT || n->op == C_AND || n->op == C_OR ||
	       (n->op >= C_LESS && n->op <= C_NOT_EQUAL);
}

/* What is left of "x && y" and "x || y" when one of them is a constant. */
static struct c_node *without_constants(struct binder *b, struct c_node *n)
{
	struct c_node *ret = NULL;

	for (unsigned i = 0; i < n->nr_kids; i++) {
		struct c_node *k = n->kid[i];

		if (k->op != C_NUMBER) {
			ret = ret == NULL ? k : c_node_two(&b->build, n->op, ret, k);
		} else if ((k->value != 0) == (n->op == C_OR)) {
			return c_node_number(&b->build, n->op == C_OR);
		}
	}
	if (ret == NULL) {
		return c_node_number(&b->build, n->op == C_AND);
	}
	return is_yes_or_no(ret) ? ret : n;
}

static struct c_node *logical(struct instance *in, const struct c_node *n)
{
	struct c_node *ret = rebuild(in, n);

	if (ret != NULL && n->op == C_NOT && ret->kid[0]->op == C_NUMBER) {
		return c_node_number(&in->b->build, ret->kid[0]->value == 0);
	}
	return ret != NULL && n->op != C_NOT ? without_constants(in->b, ret) : ret;
}

/* A choice between constants is made. */
static struct c_node *chosen(struct instance *in, const struct c_node *n)
{
	struct c_node *cond = bind_instance(in, n->kid[0]);

	if (cond != NULL && cond->op == C_NUMBER) {
		return bind_instance(in, n->kid[cond->value != 0 ? 1 : 2]);
	}
	return cond != NULL ? bind_choice(in->b, cond, bind_instance(in, n->kid[1]),
				      bind_instance(in, n->kid[2]))
			    : NULL;
}

struct c_node *bind_instance(struct instance *in, const struct c_node *n)
{
	int id;

	switch ((unsigned)n->op) {
	case C_NAME:
		return from_name(in, n);
	case C_CALL:
		id = bind_name_id(in->point, n);
		if (id >= 0) {
			return known_name(in, n, id);
		}
		return is_function_of_rules(n->name) ? rebuild(in, n) : from_helper(in, n);
	case C_TERNARY:
		return chosen(in, n);
	case C_NOT:
	case C_AND:
	case C_OR:
		return logical(in, n);
	case C_ADDRESS: /* of zone->flags, for test_bit() */
		return n->kid[0]->op == C_NAME && bind_name_id(in->point, n->kid[0]) >= 0
			       ? rebuild(in, n)
			       : bind_cannot(in, "%s", "an address is no value of a rule");
	case C_MEMBER:
	case C_INDEX:
	case C_DEREF:
	case C_STRING:
		return bind_cannot(in, "%s", "it reads what the model does not have");
	default:
		return rebuild(in, n);
	}
}

struct c_node *bind_instantiate(struct binder *b, const struct bind_at *at, enum zl_point point,
	const struct c_env *env, const struct c_node *n)
{
	struct instance in = {.b = b, .point = point, .env = env, .at = *at, .use = *at};

	return bind_instance(&in, n);
}
