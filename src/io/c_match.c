/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions compared by meaning.
 */
#include <string.h>

#include "ctext.h"

/* Tries of orders before two expressions count as different. */
#define STEPS_MAX 20000
#define TERMS_MAX 31

static bool match(const struct c_node *rule, const struct c_node *code, struct c_env *env);

static bool is_commutative(enum c_op op)
{
	return op == C_SUM || op == C_PRODUCT || op == C_AND || op == C_OR || op == C_BIT_AND ||
	       op == C_BIT_OR || op == C_BIT_XOR || op == C_EQUAL || op == C_NOT_EQUAL;
}

static bool is_min_or_max(const struct c_node *n)
{
	return n->op == C_CALL &&
	       (strncmp(n->name, "min", 3) == 0 || strncmp(n->name, "max", 3) == 0);
}

/* a < b is b > a. */
static enum c_op mirror(enum c_op op)
{
	switch ((unsigned)op) {
	case C_LESS:
		return C_GREATER;
	case C_GREATER:
		return C_LESS;
	case C_LESS_EQUAL:
		return C_GREATER_EQUAL;
	case C_GREATER_EQUAL:
		return C_LESS_EQUAL;
	default:
		return op;
	}
}

/* Kids of @code from @at on, each with a kid of @rule that is not used yet. */
static bool match_any_order(const struct c_node *rule, const struct c_node *code, unsigned at,
	uint32_t *used, struct c_env *env)
{
	if (at == code->nr_kids) {
		return true;
	}
	for (unsigned i = 0; i < rule->nr_kids; i++) {
		unsigned variables = env->nr_variables;
		uint32_t bit = UINT32_C(1) << i;

		if ((*used & bit) != 0) {
			continue;
		}
		if (match(rule->kid[i], code->kid[at], env)) {
			*used |= bit;
			if (match_any_order(rule, code, at + 1, used, env)) {
				return true;
			}
			*used &= ~bit;
		}
		env->nr_variables = variables;
	}
	return false;
}

static bool match_in_order(const struct c_node *rule, const struct c_node *code, struct c_env *env)
{
	for (unsigned i = 0; i < rule->nr_kids; i++) {
		if (!match(rule->kid[i], code->kid[i], env)) {
			return false;
		}
	}
	return true;
}

static bool match_variable(const struct c_node *rule, const char *name, struct c_env *env)
{
	for (unsigned i = 0; i < env->nr_variables; i++) {
		if (strcmp(env->variable[i], name) == 0) {
			return c_same(env->value[i], rule);
		}
	}
	if (env->nr_variables == C_VARIABLES_MAX) {
		return false;
	}
	env->variable[env->nr_variables] = name;
	env->value[env->nr_variables++] = rule;
	return true;
}

static bool same_spelling(const struct c_node *rule, const struct c_node *code)
{
	return rule->op == code->op && strcmp(rule->name, code->name) == 0 &&
	       rule->value == code->value && rule->nr_kids == code->nr_kids;
}

static bool match_kids(const struct c_node *rule, const struct c_node *code, struct c_env *env)
{
	unsigned before = env->nr_variables;
	uint32_t used = 0;

	if (rule->nr_kids > TERMS_MAX) {
		return false;
	}
	if (is_commutative(rule->op) || is_min_or_max(rule)) {
		return match_any_order(rule, code, 0, &used, env);
	}
	if (match_in_order(rule, code, env)) {
		return true;
	}
	env->nr_variables = before;
	return false;
}

static bool match(const struct c_node *rule, const struct c_node *code, struct c_env *env)
{
	if (++env->steps > STEPS_MAX) {
		return false;
	}
	if (code->op == C_NAME && env->is_variable != NULL &&
		env->is_variable(env->user, code->name)) {
		return match_variable(rule, code->name, env);
	}
	if (env->same_leaf != NULL && env->same_leaf(env->user, rule, code)) {
		return true;
	}
	if (rule->op != code->op && rule->op == mirror(code->op)) {
		return match(rule->kid[0], code->kid[1], env) &&
		       match(rule->kid[1], code->kid[0], env);
	}
	if (rule->op == C_NOT_EQUAL && rule->kid[1]->op == C_NUMBER && rule->kid[1]->value == 0 &&
		code->op != C_NOT_EQUAL) {
		return match(rule->kid[0], code, env); /* x != 0 is x */
	}
	if (code->op == C_NOT_EQUAL && code->kid[1]->op == C_NUMBER && code->kid[1]->value == 0 &&
		rule->op != C_NOT_EQUAL) {
		return match(rule, code->kid[0], env);
	}
	if (!same_spelling(rule, code)) {
		return false;
	}
	return match_kids(rule, code, env);
}

bool c_match(const struct c_node *rule, const struct c_node *code, struct c_env *env)
{
	env->nr_variables = 0;
	env->steps = 0;
	return match(rule, code, env);
}

bool c_match_terms(
	const struct c_node *rule, const struct c_node *code, struct c_env *env, uint32_t *ret_used)
{
	env->nr_variables = 0;
	env->steps = 0;
	*ret_used = 0;
	return rule->op == code->op && rule->nr_kids <= TERMS_MAX &&
	       code->nr_kids <= rule->nr_kids && match_any_order(rule, code, 0, ret_used, env);
}

bool c_same(const struct c_node *a, const struct c_node *b)
{
	struct c_env env = {0};

	return c_match(a, b, &env);
}

unsigned c_weight(const struct c_node *n)
{
	unsigned sum = 1;

	for (unsigned i = 0; i < n->nr_kids; i++) {
		sum += c_weight(n->kid[i]);
	}
	return sum;
}
