/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: the names of a change in the words of a decision point.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

#define INLINE_DEPTH 8

/* --- names that a point knows --- */

static int id_of(enum zl_point point, const char *name)
{
	for (unsigned i = 0; i < ZL_POLICY_NAMES && name[0] != '\0'; i++) {
		enum zl_policy_name_id id = (enum zl_policy_name_id)i;

		if (zl_point_has_name(point, id) &&
			zl_words_hold(zl_policy_name(id)->words, name)) {
			return (int)i;
		}
	}
	return -1;
}

/* "pset->count" is pcp->count: pagesets have no other members of these names. */
static int id_of_member(enum zl_point point, const char *name)
{
	char buf[C_TEXT_MAX];
	const char *arrow = strstr(name, "->");
	size_t n;

	if (arrow == NULL || strncmp(name, "zone->", 6) == 0 || strlen(arrow) + 4 > sizeof(buf)) {
		return -1;
	}
	n = strlen(arrow);
	memcpy(buf, "pcp", 3);
	memcpy(buf + 3, arrow, n + 1);
	return id_of(point, buf);
}

static bool of_zone(const char *call)
{
	return strcmp(call, "zone_managed_pages") == 0 || strcmp(call, "low_wmark_pages") == 0;
}

int bind_name_id(enum zl_point point, const struct c_node *n)
{
	char buf[C_TEXT_MAX];
	int id;

	if (n->op == C_NAME) {
		id = id_of(point, n->name);
		return id >= 0 ? id : id_of_member(point, n->name);
	}
	if (n->op != C_CALL || n->nr_kids > 1 || strlen(n->name) > 60) {
		return -1;
	}
	if (n->nr_kids == 1 && of_zone(n->name)) {
		zl_format(buf, sizeof(buf), "%s(zone)", n->name);
		return id_of(point, buf);
	}
	return n->nr_kids == 0 && c_write(n, buf, sizeof(buf)) ? id_of(point, buf) : -1;
}

/* pcp->batch and its local copies are one figure where the point has no other `batch`. */
static int settled(enum zl_point point, int id)
{
	if (id == ZL_NAME_BATCH && zl_point_has_name(point, ZL_NAME_LOCAL_BATCH)) {
		return ZL_NAME_LOCAL_BATCH;
	}
	if (id == ZL_NAME_BATCH && zl_point_has_name(point, ZL_NAME_BASE_BATCH)) {
		return ZL_NAME_BASE_BATCH;
	}
	return id;
}

bool bind_same_leaf(void *user, const struct c_node *rule, const struct c_node *code)
{
	const struct bind_scope *s = user;
	int id;

	if ((rule->op != C_NAME && rule->op != C_CALL) ||
		(code->op != C_NAME && code->op != C_CALL)) {
		return false;
	}
	id = bind_name_id(s->point, rule);
	return id >= 0 && settled(s->point, id) == settled(s->point, bind_name_id(s->point, code));
}

static bool is_local(const char *name)
{
	if (name[0] < 'a' || name[0] > 'z') {
		return false;
	}
	for (const char *p = name; *p != '\0'; p++) {
		if (*p == '-' || *p == '.') {
			return false;
		}
	}
	return true;
}

bool bind_is_variable(void *user, const char *name)
{
	const struct bind_scope *s = user;

	if (!is_local(name)) {
		return false;
	}
	if (id_of(s->point, name) >= 0) {
		return false;
	}
	/* "high" and "batch" mean something on a pageset, also where the point does not know them */
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		if (zl_point_info(s->point)->stage == ZL_POINT_OP &&
			zl_point_info((enum zl_point)p)->stage == ZL_POINT_OP &&
			id_of((enum zl_point)p, name) >= 0) {
			return false;
		}
	}
	return true;
}

/* --- what the patch defines --- */

/* A name of a helper's parameter and what is given for it. */
struct argument {
	const char *name;
	struct c_node *value;
};

struct instance {
	struct binder *b;
	enum zl_point point;
	const struct c_env *env;
	struct bind_at at;
	const struct argument *argument;
	unsigned nr_arguments, depth;
};

static struct c_node *instantiate(struct instance *in, const struct c_node *n);

static struct c_node *cannot(struct instance *in, const char *fmt, const char *name)
{
	if (in->b->why == NULL) {
		in->b->why = bind_print(in->b, fmt, name);
	}
	return NULL;
}

static bool stands_under(const struct c_guard *outer, const struct c_guard *g)
{
	while (g != NULL && g != outer) {
		g = g->outer;
	}
	return g == outer;
}

/*
 * The assignment of a local variable that holds at @at: the nearest one before it in the same
 * function. NULL when there is none; b->why when it holds only under a condition.
 */
static const struct c_fact *find_local(struct instance *in, const char *name, struct bind_at *ret)
{
	const struct c_fact *use = bind_fact(&in->at);

	for (size_t h = in->at.hunk + 1; h-- > 0;) {
		const struct c_facts *facts = &in->at.file->hunk[h].side[in->at.side];
		size_t end = h == in->at.hunk ? in->at.fact : facts->nr_facts;

		for (size_t k = end; k-- > 0;) {
			const struct c_fact *f = &facts->fact[k];

			if (f->kind != C_FACT_ASSIGN || f->expr == NULL ||
				strcmp(f->lhs, name) != 0 ||
				strcmp(f->function, use->function) != 0) {
				continue;
			}
			if (f->guard != NULL &&
				(h != in->at.hunk || !stands_under(f->guard, use->guard))) {
				(void)cannot(in, "%s has its value only under a condition", name);
				return NULL;
			}
			*ret = in->at;
			ret->hunk = h;
			ret->fact = k;
			return f;
		}
	}
	return NULL;
}

static bool is_changed(const struct bind_at *at)
{
	const struct zl_patch_hunk *h = at->file->hunk[at->hunk].h;
	const struct c_fact *f = bind_fact(at);

	for (uint32_t r = f->first; r <= f->last && r < h->nr_lines; r++) {
		if (h->lines[r].kind != ZL_PATCH_CONTEXT) {
			return true;
		}
	}
	return false;
}

static struct c_node *from_local(struct instance *in, const char *name, bool *ret_found)
{
	struct bind_at at;
	const struct c_fact *f = find_local(in, name, &at);
	struct instance inner = *in;
	struct c_node *n;

	*ret_found = f != NULL;
	if (f == NULL) {
		return NULL;
	}
	if (++inner.depth > INLINE_DEPTH) {
		return cannot(in, "%s goes through too many steps", name);
	}
	inner.at = at;
	n = instantiate(&inner, f->expr);
	if (n != NULL) {
		bind_claim(in->b, &at);
	}
	return n;
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

/* Whether the patch itself gives this local variable another value before it is used. */
static bool changed_before(struct instance *in, const char *name)
{
	struct bind_at at;
	const char *why = in->b->why;
	bool yes = is_local(name) && find_local(in, name, &at) != NULL && is_changed(&at);

	in->b->why = why;
	return yes;
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

static struct c_node *from_name(struct instance *in, const struct c_node *n)
{
	int id = bind_name_id(in->point, n);
	const struct c_node *value;
	struct c_node *ret;
	int64_t number;
	bool found, several;

	ret = from_argument(in, n);
	if (ret != NULL) {
		return ret;
	}
	if (id >= 0 && !changed_before(in, n->name)) {
		return known_name(in, n, id);
	}
	value = variable_value(in, n->name);
	if (value != NULL && !changed_before(in, n->name)) {
		return instantiate(in, value); /* as on the old side */
	}
	ret = from_local(in, n->name, &found);
	if (ret != NULL || found || in->b->why != NULL) {
		return ret;
	}
	if (value != NULL) {
		return instantiate(in, value);
	}
	value = bind_find_define(in->b, n->name, &several);
	if (several) {
		return cannot(in, "%s has no single value in the patch", n->name);
	}
	if (value != NULL && in->depth < INLINE_DEPTH) {
		struct instance inner = *in;

		inner.depth++;
		ret = instantiate(&inner, value);
		if (ret != NULL) {
			bind_claim_defines(in->b, n->name);
		}
		return ret;
	}
	if (bind_new_symbol(in->b, n->name, &number)) {
		return c_node_number(&in->b->build, number);
	}
	return cannot(in, "%s is no name that this rule may use", n->name);
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

/* The condition of an early return; NULL when it is not known. */
static struct c_node *guard_condition(struct instance *in, const struct c_guard *g)
{
	struct c_node *cond, *outer;

	if (g == NULL || g->cond == NULL) {
		return NULL;
	}
	cond = instantiate(in, g->cond);
	if (g->negated && cond != NULL) {
		cond = c_node_two(&in->b->build, C_EQUAL, cond, c_node_number(&in->b->build, 0));
	}
	if (g->outer == NULL || cond == NULL) {
		return cond;
	}
	outer = guard_condition(in, g->outer);
	return outer != NULL ? c_node_two(&in->b->build, C_AND, outer, cond) : NULL;
}

static struct c_node *choose(
	struct binder *b, struct c_node *cond, struct c_node *yes, struct c_node *no)
{
	struct c_node *n = cond != NULL && yes != NULL && no != NULL
				   ? c_node_new(&b->build, C_TERNARY, 3)
				   : NULL;

	if (n != NULL) {
		n->kid[0] = cond;
		n->kid[1] = yes;
		n->kid[2] = no;
	}
	return n;
}

/* The value of a helper from its @k-th fact on: returns under conditions, then the last one. */
static struct c_node *helper_value(struct instance *in, size_t k, const char *name)
{
	const struct c_facts *facts = &in->at.file->hunk[in->at.hunk].side[in->at.side];

	for (; k < facts->nr_facts; k++) {
		const struct c_fact *f = &facts->fact[k];
		struct c_node *value, *cond;

		in->at.fact = k;
		if (strcmp(f->function, name) != 0 || f->kind != C_FACT_RETURN) {
			continue;
		}
		value = f->expr != NULL ? instantiate(in, f->expr) : NULL;
		if (f->guard == NULL || value == NULL) {
			return value;
		}
		cond = guard_condition(in, f->guard);
		return choose(in->b, cond, value, helper_value(in, k + 1, name));
	}
	return NULL;
}

static bool only_returns(const struct c_facts *facts, const char *name)
{
	for (size_t k = 0; k < facts->nr_facts; k++) {
		const struct c_fact *f = &facts->fact[k];

		if (strcmp(f->function, name) == 0 &&
			(f->kind == C_FACT_OTHER || f->kind == C_FACT_CALL ||
				(f->kind == C_FACT_ASSIGN && !is_local(f->lhs) &&
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
		return cannot(in, "%s() is no function that a rule may call", call->name);
	}
	if (!only_returns(&inner.at.file->hunk[inner.at.hunk].side[SIDE_NEW], call->name)) {
		return cannot(in, "%s() does more than give a value", call->name);
	}
	for (unsigned i = 0; i < call->nr_kids; i++) {
		const struct c_node *kid = call->kid[i];

		/* pcp and zone are no values: their members are */
		args[i].name = fn->parameter[i];
		args[i].value = kid->op == C_NAME && bind_name_id(in->point, kid) < 0 &&
						(strcmp(kid->name, "pcp") == 0 ||
							strcmp(kid->name, "zone") == 0)
					? c_node_name(&in->b->build, kid->name, strlen(kid->name))
					: instantiate(in, kid);
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
		return cannot(in, "the value of %s() is not understood", call->name);
	}
	if (!in->b->trial) {
		claim_helper(&inner.at, fn);
	}
	return n;
}

static bool is_function_of_rules(const char *name)
{
	static const char *const names[] = {
		"min", "max", "min3", "max3", "clamp", "abs", "test_bit", "rounddown_pow_of_two"};

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
		ret->kid[i] = instantiate(in, n->kid[i]);
		if (ret->kid[i] == NULL) {
			return NULL;
		}
	}
	return ret;
}

static struct c_node *instantiate(struct instance *in, const struct c_node *n)
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
	case C_ADDRESS: /* of zone->flags, for test_bit() */
		return n->kid[0]->op == C_NAME && bind_name_id(in->point, n->kid[0]) >= 0
			       ? rebuild(in, n)
			       : cannot(in, "%s", "an address is no value of a rule");
	case C_MEMBER:
	case C_INDEX:
	case C_DEREF:
	case C_STRING:
		return cannot(in, "%s", "it reads what the model does not have");
	default:
		return rebuild(in, n);
	}
}

struct c_node *bind_instantiate(struct binder *b, const struct bind_at *at, enum zl_point point,
	const struct c_env *env, const struct c_node *n)
{
	struct instance in = {.b = b, .point = point, .env = env, .at = *at};

	return instantiate(&in, n);
}
