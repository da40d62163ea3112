/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: changed statements of C, paired by what they assign, and what became of each line.
 */
#include <errno.h>
#include <string.h>

#include "binder.h"

/* Pairs of one hunk are made once; a statement has at most one partner. */
struct pairing {
	struct binder *b;
	struct bind_file *file;
	size_t hunk;
	bool *taken; /* facts of the new side */
};

bool bind_is_changed(const struct zl_patch_hunk *h, const struct c_fact *f, unsigned side)
{
	enum zl_patch_line_kind kind = side == SIDE_OLD ? ZL_PATCH_OLD : ZL_PATCH_NEW;

	for (uint32_t r = f->first; r <= f->last && r < h->nr_lines; r++) {
		if (h->lines[r].kind == kind) {
			return true;
		}
	}
	return false;
}

bool bind_is_settled(const struct bind_hunk *h, const struct c_fact *f, unsigned side, bool reasons)
{
	enum zl_patch_line_kind kind = side == SIDE_OLD ? ZL_PATCH_OLD : ZL_PATCH_NEW;

	for (uint32_t r = f->first; r <= f->last && r < h->h->nr_lines; r++) {
		if (h->h->lines[r].kind == kind) {
			return h->claimed[r] || (reasons && h->why[r] != NULL);
		}
	}
	return false;
}

void bind_set_lines(struct bind_hunk *h, const struct c_fact *f, unsigned side, const char *why)
{
	enum zl_patch_line_kind kind = side == SIDE_OLD ? ZL_PATCH_OLD : ZL_PATCH_NEW;

	for (uint32_t r = f->first; r <= f->last && r < h->h->nr_lines; r++) {
		if (h->h->lines[r].kind != kind) {
			continue;
		}
		if (why == NULL) {
			h->claimed[r] = true;
		} else if (h->why[r] == NULL) {
			h->why[r] = why;
		}
	}
}

/* The first changed line of either side of a pair: where the change is said to be. */
uint32_t bind_change_row(const struct bind_hunk *h, const struct c_fact *f)
{
	for (uint32_t r = f->first; r <= f->last && r < h->h->nr_lines; r++) {
		if (h->h->lines[r].kind == ZL_PATCH_NEW) {
			return r;
		}
	}
	return f->first;
}

const char *bind_fact_text(struct binder *b, const struct c_fact *f)
{
	const char *expr = f->expr != NULL ? bind_written(b, f->expr) : "";

	switch (f->kind) {
	case C_FACT_ASSIGN:
		return bind_print(b, "%s = %s", f->lhs, expr);
	case C_FACT_RETURN:
		return bind_print(b, "return %s", expr);
	case C_FACT_COND:
		return bind_print(b, "if (%s)", expr);
	case C_FACT_MACRO:
		return bind_print(b, "#define %s %s", f->lhs, expr);
	case C_FACT_CALL:
	case C_FACT_OTHER:
		break;
	}
	return expr;
}

static const struct c_function *added_function(const struct bind_hunk *h, const char *name)
{
	const struct c_facts *facts = &h->side[SIDE_NEW];

	for (size_t i = 0; i < facts->nr_functions; i++) {
		const struct c_function *fn = &facts->function[i];

		if (strcmp(fn->name, name) == 0 && h->h->lines[fn->row].kind == ZL_PATCH_NEW) {
			return fn;
		}
	}
	return NULL;
}

bool bind_fits(const struct c_fact *f, const struct c_fact *g, bool same_function)
{
	return f->kind == g->kind && f->expr != NULL && g->expr != NULL &&
	       strcmp(f->lhs, g->lhs) == 0 &&
	       (!same_function || strcmp(f->function, g->function) == 0);
}

/* --- one pair --- */

static struct zl_change *add_change(struct binder *b, enum zl_change_kind kind,
	const struct bind_at *old, const struct bind_at *now)
{
	struct bind_hunk *h = &now->file->hunk[now->hunk];
	struct zl_change *c =
		bind_add(b, kind, now->file, h->h, bind_change_row(h, bind_fact(now)));

	if (c != NULL) {
		c->place.function = bind_fact(old)->function;
		c->old_code = bind_fact_text(b, bind_fact(old));
		c->new_code = bind_fact_text(b, bind_fact(now));
	}
	return c;
}

static void claim_pair(const struct bind_at *old, const struct bind_at *now)
{
	bind_set_lines(&old->file->hunk[old->hunk], bind_fact(old), SIDE_OLD, NULL);
	bind_set_lines(&now->file->hunk[now->hunk], bind_fact(now), SIDE_NEW, NULL);
}

/* Names of the new side that the old one has not: at most one, else NULL. */
static void one_new_name(
	const struct c_node *n, const struct c_node *old, const char **ret, bool *several);

bool bind_has_name(const struct c_node *n, const char *name)
{
	if (n->op == C_NAME && strcmp(n->name, name) == 0) {
		return true;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		if (bind_has_name(n->kid[i], name)) {
			return true;
		}
	}
	return false;
}

static void one_new_name(
	const struct c_node *n, const struct c_node *old, const char **ret, bool *several)
{
	if (n->op == C_NAME && !bind_has_name(old, n->name)) {
		*several |= *ret != NULL && strcmp(*ret, n->name) != 0;
		*ret = n->name;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		one_new_name(n->kid[i], old, ret, several);
	}
}

static struct c_node *renamed(
	struct binder *b, const struct c_node *n, const char *from, const char *to)
{
	struct c_node *ret = c_node_new(&b->build, n->op, n->nr_kids);

	if (ret == NULL) {
		return NULL;
	}
	ret->name = n->op == C_NAME && strcmp(n->name, from) == 0 ? to : n->name;
	ret->value = n->value;
	for (unsigned i = 0; i < n->nr_kids; i++) {
		ret->kid[i] = renamed(b, n->kid[i], from, to);
		if (ret->kid[i] == NULL) {
			return NULL;
		}
	}
	return ret;
}

#define SCALE_SYMBOL "CONFIG_PCP_BATCH_SCALE_MAX"

/* The constant became a variable: the new side with the constant put back is the old side. */
static const char *variable_for_scale(
	struct binder *b, const struct c_node *old, const struct c_node *now)
{
	const char *name = NULL;
	bool several = false;
	struct c_node *back;

	if (!bind_has_name(old, SCALE_SYMBOL) || bind_has_name(now, SCALE_SYMBOL)) {
		return NULL;
	}
	one_new_name(now, old, &name, &several);
	if (name == NULL || several) {
		return NULL;
	}
	back = renamed(b, now, name, SCALE_SYMBOL);
	return back != NULL && c_same(old, back) ? name : NULL;
}

static void variable_change(
	struct binder *b, const struct bind_at *old, const struct bind_at *now, const char *name)
{
	struct zl_change *c = add_change(b, ZL_CHANGE_VARIABLE, old, now);

	if (c != NULL) {
		c->setting = ZL_SET_BATCH_SCALE_MAX;
		c->note = name;
		claim_pair(old, now);
	}
}

static void same_change(struct binder *b, const struct bind_at *old, const struct bind_at *now)
{
	struct bind_match m[BIND_RULES_MAX];
	size_t n = bind_rules(b, old, now, m);
	struct zl_change *c;

	claim_pair(old, now);
	if (n == 0) {
		return; /* other white space in a line of no interest */
	}
	c = add_change(b, ZL_CHANGE_SAME, old, now);
	if (c != NULL) {
		c->point = m[0].point;
		c->rule = m[0].rule;
		c->note = "the same rule in other words";
	}
}

/* Several points: only if all but one are excluded may one be taken. */
static size_t one_point(struct binder *b, struct bind_match *m, size_t n, const char *lhs)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) { /* those that are stored in what the code assigns */
		const char *target = zl_point_info(m[i].point)->target;

		if (lhs[0] != '\0' && target[0] != '\0' && strstr(target, lhs) != NULL) {
			m[kept++] = m[i];
		}
	}
	n = kept > 0 ? kept : n;
	for (size_t i = 1; i < n; i++) {
		if (m[i].point != m[0].point) {
			b->why = bind_print(b,
				"it may be %s or %s; the lines around it do not say which",
				zl_point_info(m[0].point)->name, zl_point_info(m[i].point)->name);
			return 0;
		}
	}
	return n;
}

/* A rule of a release is better than one that differs in a term. */
static size_t exact_first(struct bind_match *m, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (m[i].before == NULL || m[i].composed) {
			m[kept++] = m[i];
		}
	}
	return kept > 0 ? kept : (n > 0 ? 1 : 0);
}

/* Whether the text is one that the model can run; b->why otherwise. */
bool bind_compiles(struct binder *b, enum zl_point point, const char *text)
{
	struct zl_expr e = {0};
	struct zl_error err = {0};
	int rc = zl_policy_compile(point, text, b->mem, &e, &err);

	zl_expr_done(&e, b->mem);
	if (rc == -ENOMEM) {
		b->failed = rc;
	} else if (rc != 0) {
		b->why = bind_print(b, "%s", err.text);
	}
	return rc == 0;
}

bool bind_may_follow(struct binder *b, enum zl_point point, const char *condition)
{
	for (size_t i = 0; i < b->out->nr_changes; i++) {
		const struct zl_change *k = &b->out->change[i];

		if (condition[0] != '!' && k->point == point && k->kind == ZL_CHANGE_RULE &&
			(condition[0] != '\0' || k->condition[0] != '\0')) {
			b->why = bind_print(b, "another change of %s holds only with a symbol",
				zl_point_info(point)->name);
			return false;
		}
	}
	return true;
}

/* Whether an earlier change of the patches ends where this one begins. */
static bool continues(const struct binder *b, const struct zl_change *c)
{
	for (const struct zl_change *k = b->out->change; k < c; k++) {
		if (k->point == c->point && k->after != NULL && strcmp(k->after, c->before) == 0) {
			return true;
		}
	}
	return false;
}

/* Of rules that fit alike, the newest that a release with this function has. */
static size_t newest_possible(const struct bind_match *m, size_t n, const char *function)
{
	for (size_t i = n; i-- > 0;) {
		if (bind_rule_possible(function, m[i].rule)) {
			return i;
		}
	}
	return n - 1;
}

/* The rule that the old side of a pair is, of those that it may be; NULL with b->why. */
static const struct bind_match *choose_rule(struct binder *b, const struct bind_at *old,
	const struct bind_at *now, struct bind_match *m, const struct zl_point_rule **ret_other)
{
	const struct bind_match *take = NULL;
	size_t n;

	b->why = NULL;
	*ret_other = NULL;
	b->trial = true; /* lines are claimed once it is certain */
	n = bind_rules(b, old, now, m);
	n = exact_first(m, n);
	n = n > 0 ? one_point(b, m, n, bind_fact(old)->lhs) : 0;
	if (n > 0) {
		take = &m[newest_possible(m, n, bind_fact(old)->function)];
	}
	for (size_t i = 0; i < n; i++) {
		*ret_other = m[i].rule != take->rule &&
					     bind_rule_possible(bind_fact(old)->function, m[i].rule)
				     ? m[i].rule
				     : *ret_other;
	}
	if (take != NULL) {
		const char *after = bind_written(b, take->after);

		take = after[0] != '\0' && bind_compiles(b, take->point, after) ? take : NULL;
	}
	b->trial = false;
	return take;
}

/* With the symbol of @condition set or not; "" = whatever is set. */
static bool rule_change_with(struct binder *b, const struct bind_at *old, const struct bind_at *now,
	const char *condition)
{
	struct bind_match m[BIND_RULES_MAX], again[BIND_RULES_MAX];
	const struct zl_point_rule *other;
	const struct bind_match *take = choose_rule(b, old, now, m, &other);
	struct zl_change *c;
	const char *after;

	if (take == NULL || !bind_may_follow(b, take->point, condition)) {
		return false;
	}
	(void)bind_rules(b, old, now, again);
	after = bind_written(b, take->after);
	c = add_change(b, ZL_CHANGE_RULE, old, now);
	if (c == NULL) {
		return false;
	}
	c->point = take->point;
	c->rule = take->rule;
	c->before = take->before;
	c->after = after;
	c->condition = condition;
	if (c->before != NULL) {
		c->rule = NULL;
		c->note = continues(b, c) ? "it goes on from an earlier change of these patches"
					  : "the old side is the rule of no release; the lane "
					    "before has it as it stands";
	} else if (strcmp(after, bind_written(b,
					 c_expression_text(&b->build, c->rule->expression))) == 0) {
		c->kind = ZL_CHANGE_SAME;
		c->note = "the same rule in other words";
	} else if (other != NULL && c->point != ZL_POINT_FREE_HIGH) {
		c->note = bind_print(
			b, "the rule of %s has this too; the newest is taken", other->when);
	} else if (bind_fact(old)->kind == C_FACT_COND && c->point == ZL_POINT_FREE_HIGH) {
		c->note =
			"the condition also guards PCPF_PREV_FREE_HIGH_ORDER, which stays as it is";
	}
	claim_pair(old, now);
	if (c->kind == ZL_CHANGE_SAME && condition[0] != '\0') {
		b->out->nr_changes--; /* with the symbol this way nothing changes */
	}
	return true;
}

/* The rule depends on a symbol: a change with it, and one without. */
static bool change_by_symbol(struct binder *b, const struct bind_at *old, const struct bind_at *now)
{
	struct bind_match m[BIND_RULES_MAX];
	const struct zl_point_rule *other;
	const char *condition[2];
	bool both = bind_wants_symbol(b, condition);

	for (unsigned i = 0; i < 2 && both; i++) { /* only to see */
		b->symbol_set = i == 0;
		both = choose_rule(b, old, now, m, &other) != NULL;
	}
	for (unsigned i = 0; i < 2 && both; i++) {
		b->symbol_set = i == 0;
		both = rule_change_with(b, old, now, condition[i]);
	}
	b->symbol = NULL;
	return both;
}

static bool rule_change(struct binder *b, const struct bind_at *old, const struct bind_at *now)
{
	bool done;

	b->wanted = NULL;
	done = rule_change_with(b, old, now, "") ||
	       (!bind_too_large(b) && change_by_symbol(b, old, now));
	(void)bind_too_large(b);
	return done;
}

/* A statement that came under a condition, or out of one, is another rule than its words say. */
static const char *other_condition(
	struct binder *b, const struct bind_at *old, const struct bind_at *now)
{
	while (bind_guards(bind_fact(now)) > bind_guards(bind_fact(old))) {
		if (!bind_fold(b, now)) {
			return "it stands under a condition now that was not there before";
		}
	}
	while (bind_guards(bind_fact(old)) > bind_guards(bind_fact(now))) {
		if (!bind_fold(b, old)) {
			return "it no longer stands under its condition";
		}
	}
	if (bind_under_directive(&now->file->hunk[now->hunk], bind_fact(now), SIDE_NEW) ||
		bind_under_directive(&old->file->hunk[old->hunk], bind_fact(old), SIDE_OLD)) {
		return "it stands under a condition of the preprocessor";
	}
	return bind_set_again(now) ? "it is set in more than one place now" : NULL;
}

static void refuse_pair(const struct bind_at *old, const struct bind_at *now, const char *why)
{
	bind_set_lines(&old->file->hunk[old->hunk], bind_fact(old), SIDE_OLD, why);
	bind_set_lines(&now->file->hunk[now->hunk], bind_fact(now), SIDE_NEW, why);
}

static void pair_facts(
	struct binder *b, const struct bind_at *old, const struct bind_at *now, bool moved)
{
	const struct c_fact *f = bind_fact(old), *g = bind_fact(now);
	const char *name, *why;

	b->build.nodes = 0;
	why = moved ? NULL : other_condition(b, old, now);
	if (why != NULL) {
		refuse_pair(old, now, why);
		return;
	}
	if (c_same(f->expr, g->expr)) {
		same_change(b, old, now);
		return;
	}
	name = variable_for_scale(b, f->expr, g->expr);
	if (name != NULL) {
		variable_change(b, old, now, name);
		return;
	}
	if (b->nr_pairs++ >= ZL_BIND_PAIRS_MAX) {
		b->why = "one of too many changed statements; the first 10000 are looked at";
	} else if (bind_variable_default(b, old, now) || rule_change(b, old, now)) {
		return;
	}
	refuse_pair(old, now, b->why != NULL ? b->why : bind_no_rule(b, old));
}

/* --- pairs --- */

/* The new statement that takes the place of an old one; a moved one may be in a new function. */
static bool find_partner(struct pairing *p, const struct c_fact *f, bool moved, size_t *ret)
{
	const struct bind_hunk *h = &p->file->hunk[p->hunk];
	const struct c_facts *facts = &h->side[SIDE_NEW];

	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *g = &facts->fact[i];

		if (p->taken[i] || !bind_is_changed(h->h, g, SIDE_NEW) ||
			!bind_fits(f, g, !moved) ||
			(moved &&
				(added_function(h, g->function) == NULL ||
					(f->kind == C_FACT_RETURN && !c_same(f->expr, g->expr))))) {
			continue;
		}
		*ret = i;
		return true;
	}
	return false;
}

static void pair_hunk(struct pairing *p, bool moved)
{
	struct bind_hunk *h = &p->file->hunk[p->hunk];
	const struct c_facts *facts = &h->side[SIDE_OLD];

	for (size_t i = 0; i < facts->nr_facts && p->b->failed == 0; i++) {
		struct bind_at old = {p->file, p->hunk, i, SIDE_OLD};
		struct bind_at now = {p->file, p->hunk, 0, SIDE_NEW};
		const struct c_fact *f = &facts->fact[i];

		if (!bind_is_changed(h->h, f, SIDE_OLD) || f->expr == NULL ||
			bind_is_settled(h, f, SIDE_OLD, moved) ||
			!find_partner(p, f, moved, &now.fact)) {
			continue;
		}
		p->taken[now.fact] = true;
		pair_facts(p->b, &old, &now, moved);
	}
}

/* A new variable in the place of the constant is bound with its uses. */
static void variable_definition(struct binder *b, struct bind_hunk *h, const char *name)
{
	for (size_t i = 0; i < h->side[SIDE_NEW].nr_facts; i++) {
		const struct c_fact *f = &h->side[SIDE_NEW].fact[i];

		if (!f->file_scope || strcmp(f->lhs, name) != 0 || f->expr == NULL) {
			continue;
		}
		bind_set_lines(h, f, SIDE_NEW, NULL);
		for (size_t k = 0; k < b->out->nr_changes; k++) {
			struct zl_change *c = &b->out->change[k];

			if (c->kind == ZL_CHANGE_VARIABLE && strcmp(c->note, name) == 0 &&
				f->expr->op == C_NUMBER) {
				c->after = bind_written(b, f->expr);
			}
		}
	}
}

static void variable_definitions(struct binder *b)
{
	for (size_t k = 0; k < b->out->nr_changes; k++) {
		const struct zl_change *c = &b->out->change[k];
		struct bind_hunks w = {.b = b};
		struct bind_at at;

		while (c->kind == ZL_CHANGE_VARIABLE && bind_next_hunk(&w, &at)) {
			variable_definition(b, &at.file->hunk[at.hunk], c->note);
		}
	}
}

static void pair_all(struct binder *b, bool moved)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (b->failed == 0 && bind_next_hunk(&w, &at)) {
		struct pairing p = {.b = b, .file = at.file, .hunk = at.hunk};

		p.taken = zl_arena_alloc(b->arena, bind_facts(&at)->nr_facts * sizeof(bool) + 1);
		if (p.taken == NULL) {
			b->failed = -ENOMEM;
			return;
		}
		pair_hunk(&p, moved);
	}
}

void bind_code(struct binder *b)
{
	bind_by_hand(b);
	bind_loops(b);
	bind_returns(b, true);
	pair_all(b, false);
	pair_all(b, true);
	bind_returns(b, false);
	variable_definitions(b);
	bind_alone(b);
}
