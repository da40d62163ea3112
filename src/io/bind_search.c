/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: an old expression looked for in one rule, and the new one put in its place.
 */

#include "binder.h"

/* The part of the rule at or below @slot that the old code is; NULL if none. */
static struct c_node **find_part(struct bind_search *s, struct c_node **slot)
{
	if (c_match(*slot, s->code, &s->env)) {
		return slot;
	}
	for (unsigned i = 0; i < (*slot)->nr_kids; i++) {
		struct c_node **found = find_part(s, &(*slot)->kid[i]);

		if (found != NULL) {
			return found;
		}
	}
	return NULL;
}

static void replace_all(struct c_node **slot, const struct c_node *what, struct c_node *with)
{
	if (c_same(*slot, what)) {
		*slot = with;
		return;
	}
	for (unsigned i = 0; i < (*slot)->nr_kids; i++) {
		replace_all(&(*slot)->kid[i], what, with);
	}
}

/* Chains below the root too: "order && a && b" holds "a && b". */
static struct c_node *find_chain(struct c_node *n, const struct c_node *code)
{
	struct c_node *found = NULL;

	if (n->op == code->op && n->nr_kids > code->nr_kids) {
		return n;
	}
	for (unsigned i = 0; i < n->nr_kids && found == NULL; i++) {
		found = find_chain(n->kid[i], code);
	}
	return found;
}

/* The chain with the terms of @used replaced by @with; they go where the first one was. */
static struct c_node *replace_terms(
	struct binder *b, const struct c_node *chain, uint32_t used, struct c_node *with)
{
	struct c_node *ret = NULL;
	bool placed = false;

	for (unsigned i = 0; i < chain->nr_kids; i++) {
		struct c_node *term = chain->kid[i];

		if ((used >> i & 1) != 0) {
			if (placed) {
				continue;
			}
			term = with;
			placed = true;
		}
		ret = ret == NULL ? term : c_node_two(&b->build, chain->op, ret, term);
	}
	return ret;
}

static bool shares_name(
	const struct bind_search *s, const struct c_node *rule, const struct c_node *code)
{
	struct bind_scope scope = s->scope;

	if (bind_same_leaf(&scope, rule, code)) {
		return true;
	}
	for (unsigned i = 0; i < code->nr_kids; i++) {
		if (shares_name(s, rule, code->kid[i])) {
			return true;
		}
	}
	for (unsigned i = 0; i < rule->nr_kids; i++) {
		if (shares_name(s, rule->kid[i], code)) {
			return true;
		}
	}
	return false;
}

/*
 * A chain of which all terms but one are those of the rule: a patch on top of another one. The odd
 * term takes the place of the rule's term that is left and speaks of the same names.
 */
static bool all_but_one(struct bind_search *s, const struct c_node *chain, uint32_t *ret_used)
{
	uint32_t used = 0;
	const struct c_node *odd = NULL;

	for (unsigned k = 0; k < s->code->nr_kids; k++) {
		bool found = false;

		for (unsigned i = 0; i < chain->nr_kids && !found; i++) {
			found = (used >> i & 1) == 0 &&
				c_match(chain->kid[i], s->code->kid[k], &s->env);
			used |= found ? UINT32_C(1) << i : 0;
		}
		if (!found && odd != NULL) {
			return false;
		}
		odd = found ? odd : s->code->kid[k];
	}
	s->env.nr_variables = 0;
	if (odd == NULL || used == 0) {
		return false;
	}
	for (unsigned i = 0; i < chain->nr_kids; i++) {
		if ((used >> i & 1) == 0 && chain->kid[i]->op >= C_LESS &&
			chain->kid[i]->op <= C_NOT_EQUAL && shares_name(s, chain->kid[i], odd) &&
			shares_name(s, chain->kid[i]->kid[0], odd)) {
			*ret_used = used | UINT32_C(1) << i;
			return true;
		}
	}
	return false;
}

static struct c_node *with_terms(
	struct bind_search *s, struct c_node *chain, uint32_t used, struct c_node *terms)
{
	struct c_node *root = c_node_copy(&s->b->build, s->root);
	struct c_node *now = terms != NULL ? replace_terms(s->b, chain, used, terms) : NULL;

	if (root == NULL || now == NULL) {
		return NULL;
	}
	replace_all(&root, chain, now);
	return root;
}

/* Branches of the rule that are @code as a whole; *ret_slot is the last of them. */
static unsigned find_branch(struct bind_search *s, struct c_node **slot, struct c_node ***ret_slot)
{
	unsigned n = 0;

	if ((*slot)->op == C_TERNARY && (*slot)->nr_kids == 3) {
		n = find_branch(s, &(*slot)->kid[1], ret_slot);
		return n + find_branch(s, &(*slot)->kid[2], ret_slot);
	}
	if (c_match(*slot, s->code, &s->env)) {
		*ret_slot = slot;
		n = 1;
	}
	s->env.nr_variables = 0;
	return n;
}

/* The copy of a branch, by its place. */
static void replace_branch(const struct c_node *from, const struct c_node *branch,
	struct c_node **to, struct c_node *with)
{
	if (from == branch) {
		*to = with;
	} else if (from->op == C_TERNARY && from->nr_kids == 3) {
		replace_branch(from->kid[1], branch, &(*to)->kid[1], with);
		replace_branch(from->kid[2], branch, &(*to)->kid[2], with);
	}
}

/* A macro is defined once for each condition: what it stands for is a whole branch of the rule. */
static bool search_branches(struct bind_search *s, struct bind_match *ret)
{
	struct c_node **slot = NULL, *now;
	unsigned n = find_branch(s, &s->root, &slot);

	if (n != 1) {
		s->b->why = n > 1 ? "it may be more than one branch of the rule" : s->b->why;
		return false;
	}
	now = bind_instantiate(s->b, s->new_at, s->point, &s->env, s->next);
	ret->after = now != NULL ? c_node_copy(&s->b->build, s->root) : NULL;
	if (ret->after != NULL) {
		replace_branch(s->root, *slot, &ret->after, now);
	}
	return ret->after != NULL;
}

static struct c_node *new_side(struct bind_search *s)
{
	return bind_instantiate(s->b, s->new_at, s->point, &s->env, s->next);
}

bool bind_search_rule(struct bind_search *s, struct bind_match *ret)
{
	struct c_node **slot, *chain, *now;
	uint32_t used;

	if (bind_fact(s->old)->kind == C_FACT_MACRO) {
		return search_branches(s, ret);
	}
	slot = find_part(s, &s->root);
	if (slot != NULL) {
		const struct c_node *part = c_node_copy(&s->b->build, *slot);

		now = new_side(s);
		if (now == NULL || part == NULL) {
			return false;
		}
		ret->after = c_node_copy(&s->b->build, s->root);
		if (ret->after != NULL) {
			replace_all(&ret->after, part, now);
		}
		return ret->after != NULL;
	}
	if (s->code->op != C_AND && s->code->op != C_OR) {
		return false;
	}
	chain = find_chain(s->root, s->code);
	if (chain == NULL) {
		return false;
	}
	if (c_match_terms(chain, s->code, &s->env, &used)) {
		now = new_side(s);
		ret->after = with_terms(s, chain, used, now);
		return ret->after != NULL;
	}
	s->env.nr_variables = 0;
	if (!all_but_one(s, chain, &used)) {
		return false;
	}
	now = new_side(s);
	ret->after = with_terms(s, chain, used, now);
	now = bind_instantiate(s->b, s->old, s->point, &s->env, s->code);
	now = with_terms(s, chain, used, now);
	ret->before = now != NULL ? bind_written(s->b, now) : NULL;
	return ret->after != NULL && ret->before != NULL;
}
