/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions compared by meaning, and written out.
 */
#include <string.h>

#include "ctext.h"
#include "zonelab/text.h"

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

/* --- writing --- */

struct writer {
	struct zl_text t;
};

static const struct {
	const char *mark;
	unsigned level;
} forms[] = {
	[C_NUMBER] = {"",	  14},
	[C_NAME] = {"",	14},
	[C_STRING] = {"",	  14},
	[C_CALL] = {"",	14},
	[C_MEMBER] = {"",	  13},
	[C_INDEX] = {"",	 13},
	[C_NOT] = {"!",	12},
	[C_INVERT] = {"~",  12},
	[C_NEGATE] = {"-",  12},
	[C_ADDRESS] = {"&",  12},
	[C_DEREF] = {"*",  12},
	[C_CAST] = {"",	12},
	[C_SUM] = {"+",	10},
	[C_PRODUCT] = {"*",  11},
	[C_DIVIDE] = {"/",  11},
	[C_MODULO] = {"%",  11},
	[C_LEFT] = {"<<", 9 },
	[C_RIGHT] = {">>", 9 },
	[C_LESS] = {"<",	 8 },
	[C_LESS_EQUAL] = {"<=", 8 },
	[C_GREATER] = {">",  8 },
	[C_GREATER_EQUAL] = {">=", 8 },
	[C_EQUAL] = {"==", 7 },
	[C_NOT_EQUAL] = {"!=", 7 },
	[C_BIT_AND] = {"&",  6 },
	[C_BIT_XOR] = {"^",  5 },
	[C_BIT_OR] = {"|",  4 },
	[C_AND] = {"&&", 3 },
	[C_OR] = {"||", 2 },
	[C_TERNARY] = {"?",  1 },
};

static void write_node(struct writer *w, const struct c_node *n, unsigned level);

static bool wants_brackets(const struct c_node *n, unsigned level)
{
	bool unclear = n->op == C_BIT_AND || n->op == C_BIT_OR || n->op == C_BIT_XOR ||
		       n->op == C_LEFT || n->op == C_RIGHT || (n->op == C_AND && level > 1);

	return forms[n->op].level < level || (unclear && level > 1);
}

static void write_list(struct writer *w, const struct c_node *n)
{
	zl_text_str(&w->t, n->name);
	zl_text_chr(&w->t, '(');
	for (unsigned i = 0; i < n->nr_kids; i++) {
		zl_text_str(&w->t, i > 0 ? ", " : "");
		write_node(w, n->kid[i], 1);
	}
	zl_text_chr(&w->t, ')');
}

static void write_operators(struct writer *w, const struct c_node *n)
{
	unsigned level = forms[n->op].level;

	for (unsigned i = 0; i < n->nr_kids; i++) {
		const struct c_node *kid = n->kid[i];
		const char *mark = forms[n->op].mark;

		if (i > 0 && n->op == C_SUM && kid->op == C_NEGATE) {
			zl_text_str(&w->t, " - ");
			write_node(w, kid->kid[0], level + 1);
			continue;
		}
		if (i > 0 && n->op == C_SUM && kid->op == C_NUMBER && kid->value < 0) {
			zl_text_fmt(&w->t, " - %U", (uint64_t)0 - (uint64_t)kid->value);
			continue;
		}
		if (i > 0) {
			zl_text_fmt(&w->t, " %s ", mark);
		}
		write_node(w, kid, level + (i > 0 ? 1 : 0));
	}
}

static void write_inside(struct writer *w, const struct c_node *n)
{
	switch (n->op) {
	case C_NUMBER:
		zl_text_i64(&w->t, n->value);
		break;
	case C_NAME:
		zl_text_str(&w->t, n->name);
		break;
	case C_STRING:
		zl_text_str(&w->t, "\"\"");
		break;
	case C_CALL:
		write_list(w, n);
		break;
	case C_MEMBER:
		write_node(w, n->kid[0], 13);
		zl_text_str(&w->t, n->name);
		break;
	case C_INDEX:
		write_node(w, n->kid[0], 13);
		zl_text_chr(&w->t, '[');
		write_node(w, n->kid[1], 1);
		zl_text_chr(&w->t, ']');
		break;
	case C_NOT:
	case C_INVERT:
	case C_NEGATE:
	case C_ADDRESS:
	case C_DEREF:
		zl_text_str(&w->t, forms[n->op].mark);
		write_node(w, n->kid[0], 12);
		break;
	case C_CAST:
		zl_text_fmt(&w->t, "(%s)", n->name);
		write_node(w, n->kid[0], 12);
		break;
	case C_TERNARY:
		write_node(w, n->kid[0], 2);
		zl_text_str(&w->t, " ? ");
		write_node(w, n->kid[1], 1);
		zl_text_str(&w->t, " : ");
		write_node(w, n->kid[2], 1);
		break;
	case C_SUM:
	case C_PRODUCT:
	case C_DIVIDE:
	case C_MODULO:
	case C_LEFT:
	case C_RIGHT:
	case C_LESS:
	case C_LESS_EQUAL:
	case C_GREATER:
	case C_GREATER_EQUAL:
	case C_EQUAL:
	case C_NOT_EQUAL:
	case C_BIT_AND:
	case C_BIT_XOR:
	case C_BIT_OR:
	case C_AND:
	case C_OR:
		write_operators(w, n);
		break;
	}
}

static void write_node(struct writer *w, const struct c_node *n, unsigned level)
{
	bool brackets = wants_brackets(n, level);

	zl_text_str(&w->t, brackets ? "(" : "");
	write_inside(w, n);
	zl_text_str(&w->t, brackets ? ")" : "");
}

bool c_write(const struct c_node *n, char *buf, size_t size)
{
	struct writer w;

	zl_text_init(&w.t, buf, size);
	write_node(&w, n, 0);
	return !w.t.cut;
}
