/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: statements without a partner on the other side, and why what is left was not bound.
 */
#include <string.h>

#include "binder.h"
#include "zonelab/text.h"

/* --- reasons --- */

/* What the model has, though no decision point stands for it. */
static const struct {
	const char *name, *what;
} known[] = {
	{"PAGE_ALLOC_COSTLY_ORDER",	    "this constant, which also limits the orders of pagesets"},
	{"MIN_PERCPU_PAGELIST_HIGH_FRACTION", "this constant, which is also behind high_max"	    },
	{"pcp_allowed_order",		      "the orders that pagesets hold"			     },
	{"drain_zone_pages",		     "this drain of remote pagesets"			    },
	{"calculate_min_free_kbytes",	      "this formula (min_free_kbytes is a setting)"		   },
	{"zone_pcp_update_cacheinfo",	      "this rule (cache_slice is a setting)"		    },
};

static const char *known_reason(struct binder *b, const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].name, name) == 0) {
			return bind_print(
				b, "the model has %s, but no decision point for it", known[i].what);
		}
	}
	return NULL;
}

const char *bind_no_rule(struct binder *b, const struct bind_at *old)
{
	const struct c_fact *f = bind_fact(old);
	const char *why = known_reason(b, f->kind == C_FACT_MACRO ? f->lhs : f->function);
	struct bind_match m[BIND_RULES_MAX];
	size_t n = 0;

	if (why != NULL) {
		return why;
	}
	b->trial = true;
	if (f->function[0] == '\0' && f->kind != C_FACT_MACRO) {
		n = bind_rules_anywhere(b, old, old, m);
	}
	b->trial = false;
	if (n > 0) {
		return bind_print(b,
			"it may be %s, but the hunk does not say in which function it is",
			zl_point_info(m[0].point)->name);
	}
	return "no rule of the model has this expression";
}

/* A name that only has to be declared otherwise means nothing by itself. */
static const char *alone_reason(struct binder *b, const struct c_fact *f, unsigned side)
{
	const char *why = known_reason(b, f->function);

	if (f->why != NULL || why != NULL) {
		return f->why != NULL ? f->why : why;
	}
	if (f->kind == C_FACT_CALL) {
		return "a call whose effect is not modelled";
	}
	return side == SIDE_NEW ? "a new statement that no rule of the model has"
				: "a statement is gone that no rule of the model stands for";
}

/* Lines of a new function that no bound rule calls. */
static void explain_functions(struct bind_hunk *h)
{
	const struct c_facts *facts = &h->side[SIDE_NEW];

	for (size_t i = 0; i < facts->nr_functions; i++) {
		const struct c_function *fn = &facts->function[i];
		uint32_t last = fn->row;

		for (size_t k = 0; k < facts->nr_facts; k++) {
			const struct c_fact *f = &facts->fact[k];

			last = strcmp(f->function, fn->name) == 0 && f->last > last ? f->last
										    : last;
		}
		for (uint32_t r = fn->row; r <= last && r < h->h->nr_lines; r++) {
			if (h->h->lines[fn->row].kind == ZL_PATCH_NEW &&
				h->h->lines[r].kind == ZL_PATCH_NEW && h->why[r] == NULL) {
				h->why[r] = "a new function that no rule of the model calls";
			}
		}
	}
}

static void explain_rest(struct binder *b, struct bind_hunk *h, unsigned side)
{
	if (side == SIDE_NEW) {
		explain_functions(h);
	}
	for (size_t i = 0; i < h->side[side].nr_facts; i++) {
		const struct c_fact *f = &h->side[side].fact[i];

		if (f->kind == C_FACT_ASSIGN && f->expr == NULL) {
			/* local names by themselves do nothing */
			bind_set_lines(h, f, side, f->file_scope ? "a declaration" : NULL);
		} else {
			bind_set_lines(h, f, side, alone_reason(b, f, side));
		}
	}
}

/* --- statements under conditions --- */

#define FOLD_DEPTH 8

bool bind_is_directive(const struct zl_patch_line *l, const char *word)
{
	struct scan c = scan_trim(scan_of(l->s, l->len));

	if (c.p == c.end || *c.p != '#') {
		return false;
	}
	c.p++;
	c = scan_trim(c);
	return scan_peek(&c, word);
}

bool bind_under_directive(const struct bind_hunk *h, const struct c_fact *f, unsigned side)
{
	enum zl_patch_line_kind kind = side == SIDE_OLD ? ZL_PATCH_OLD : ZL_PATCH_NEW;
	int depth = 0;

	for (uint32_t r = 0; r < f->first && r < h->h->nr_lines; r++) {
		const struct zl_patch_line *l = &h->h->lines[r];

		if (l->kind == kind) {
			depth += bind_is_directive(l, "if") ? 1 : 0; /* and ifdef, ifndef */
			depth -= bind_is_directive(l, "endif") ? 1 : 0;
		}
	}
	return depth != 0;
}

/* What a statement that sets @lhs leaves when it is not reached, as text; NULL = nobody knows. */
static const char *unreached(const char *lhs)
{
	return strcmp(lhs, "free_high") == 0			 ? "0"
	       : strncmp(lhs, "pcp->", 5) == 0 && lhs[5] != '\0' ? lhs
								 : NULL;
}

static struct c_fact *condition_of(const struct bind_hunk *h, const struct c_fact *f, unsigned side)
{
	for (size_t i = 0; i < h->side[side].nr_facts; i++) {
		struct c_fact *c = &h->side[side].fact[i];

		if (c->kind == C_FACT_COND && c->expr == f->guard->cond &&
			bind_is_changed(h->h, c, side)) {
			return c;
		}
	}
	return NULL;
}

/* Statements under the condition, or in its else, other than @f; *ret is the last of them. */
static unsigned others(
	const struct bind_hunk *h, const struct c_fact *f, unsigned side, struct c_fact **ret)
{
	unsigned n = 0;

	for (size_t i = 0; i < h->side[side].nr_facts; i++) {
		struct c_fact *o = &h->side[side].fact[i];
		const struct c_guard *g = o != f ? o->guard : NULL;

		while (g != NULL && g->cond != f->guard->cond) {
			g = g->outer;
		}
		if (g != NULL) {
			*ret = o;
			n++;
		}
	}
	return n;
}

static bool fold(struct binder *b, const struct bind_at *at, unsigned depth);

/* An else with more in it than one statement: "else if" is folded first. */
static void fold_else(struct binder *b, const struct bind_at *at, unsigned depth)
{
	const struct c_facts *facts = bind_facts(at);
	const struct c_fact *f = bind_fact(at);
	struct bind_at inner = *at;

	for (inner.fact++; inner.fact < facts->nr_facts; inner.fact++) {
		const struct c_fact *o = bind_fact(&inner);

		if (o->kind == C_FACT_ASSIGN && strcmp(o->lhs, f->lhs) == 0 && o->guard != NULL &&
			o->guard->outer != NULL && o->guard->outer->cond == f->guard->cond &&
			o->guard->outer->negated) {
			(void)fold(b, &inner, depth + 1);
			return;
		}
	}
}

/* What it is set to when the condition does not hold; NULL = nobody knows. */
static struct c_node *otherwise(struct binder *b, const struct bind_at *at, struct c_fact *other)
{
	const struct c_fact *f = bind_fact(at);
	const char *text = unreached(f->lhs);

	if (other == NULL) {
		text = text == NULL && bind_is_local(f->lhs) ? f->lhs : text;
		return text != NULL ? c_expression_text(&b->build, text) : NULL;
	}
	return other->kind == C_FACT_ASSIGN && strcmp(other->lhs, f->lhs) == 0 &&
			       other->guard->cond == f->guard->cond && other->guard->negated
		       ? other->expr
		       : NULL;
}

/* The statement of the else is a part of another one now. */
static void take_in(struct c_fact *f, struct c_fact *other)
{
	f->last = other->last > f->last ? other->last : f->last;
	other->expr = NULL;
	other->lhs = "";
	other->guard = NULL;
	other->first = UINT32_MAX;
}

static bool fold(struct binder *b, const struct bind_at *at, unsigned depth)
{
	struct bind_hunk *h = &at->file->hunk[at->hunk];
	struct c_fact *f = &h->side[at->side].fact[at->fact], *cond, *other = NULL;
	struct c_node *n, *no;

	if (f->kind != C_FACT_ASSIGN || f->guard == NULL || f->guard->cond == NULL ||
		f->guard->negated || depth == FOLD_DEPTH) {
		return false;
	}
	cond = condition_of(h, f, at->side);
	if (cond != NULL && others(h, f, at->side, &other) > 1) {
		fold_else(b, at, depth);
	}
	if (cond == NULL || others(h, f, at->side, &other) > 1) {
		return false;
	}
	no = otherwise(b, at, other);
	n = no != NULL ? c_node_new(&b->build, C_TERNARY, 3) : NULL;
	if (n == NULL) {
		return false;
	}
	n->kid[0] = cond->expr;
	n->kid[1] = f->expr;
	n->kid[2] = no;
	f->expr = n;
	f->guard = f->guard->outer;
	cond->guard = NULL;
	f->first = cond->first < f->first ? cond->first : f->first;
	if (other != NULL) {
		take_in(f, other);
	}
	return true;
}

bool bind_fold(struct binder *b, const struct bind_at *at)
{
	return fold(b, at, 0);
}

static unsigned times_set(const struct bind_at *at, unsigned side)
{
	const struct bind_hunk *h = &at->file->hunk[at->hunk];
	const struct c_fact *f = bind_fact(at);
	unsigned n = 0;

	for (size_t i = 0; i < h->side[side].nr_facts; i++) {
		const struct c_fact *o = &h->side[side].fact[i];

		n += strcmp(o->function, f->function) == 0 &&
		     (o->kind == C_FACT_ASSIGN ? strcmp(o->lhs, f->lhs) == 0
					       : bind_may_set(h, o, side, f->lhs));
	}
	return n;
}

bool bind_set_again(const struct bind_at *now)
{
	const char *lhs = bind_fact(now)->lhs;

	return bind_fact(now)->kind == C_FACT_ASSIGN &&
	       (unreached(lhs) != NULL || bind_is_local(lhs)) &&
	       times_set(now, SIDE_NEW) > times_set(now, SIDE_OLD);
}

/* --- statements that are gone --- */

unsigned bind_guards(const struct c_fact *f)
{
	unsigned n = 0;

	for (const struct c_guard *g = f->guard; g != NULL; g = g->outer) {
		n++;
	}
	return n;
}

/* Whether the patches set @lhs anywhere in a statement that nothing was made of. */
static bool set_elsewhere(const struct binder *b, const char *lhs)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (bind_next_hunk(&w, &at)) {
		const struct bind_hunk *h = &at.file->hunk[at.hunk];

		for (; at.fact < h->side[SIDE_NEW].nr_facts; at.fact++) {
			const struct c_fact *f = bind_fact(&at);

			if (f->kind == C_FACT_ASSIGN && strcmp(f->lhs, lhs) == 0 &&
				bind_is_changed(h->h, f, SIDE_NEW) &&
				!h->claimed[bind_change_row(h, f)]) {
				return true;
			}
		}
	}
	return false;
}

/* What a point gives when the statement that sets it is gone; NULL = it sets nothing by itself. */
static const char *left_alone(enum zl_point point, const char *lhs)
{
	const char *target = zl_point_info(point)->target;

	if (point == ZL_POINT_FREE_HIGH && strcmp(lhs, "free_high") == 0) {
		return "0"; /* its initial value */
	}
	return zl_words_hold(target, lhs) ? lhs : NULL;
}

/* Whether something came into the function instead that nothing was made of. */
static bool came_instead(const struct bind_hunk *h, const struct c_fact *gone)
{
	for (size_t i = 0; i < h->side[SIDE_NEW].nr_facts; i++) {
		const struct c_fact *f = &h->side[SIDE_NEW].fact[i];

		if (strcmp(f->function, gone->function) == 0 &&
			bind_is_changed(h->h, f, SIDE_NEW) &&
			!bind_is_settled(h, f, SIDE_NEW, false) &&
			(f->kind != C_FACT_ASSIGN || f->expr != NULL)) {
			return true;
		}
	}
	return false;
}

static void say_gone(struct binder *b, const struct bind_at *old, const struct bind_match *m,
	const char *after, const char *note)
{
	struct bind_hunk *h = &old->file->hunk[old->hunk];
	const struct c_fact *f = bind_fact(old);
	struct zl_change *c;

	if (!bind_compiles(b, m->point, after)) {
		return;
	}
	c = bind_add(b, ZL_CHANGE_RULE, old->file, h->h, f->first);
	if (c == NULL) {
		return;
	}
	c->point = m->point;
	c->rule = m->before == NULL ? m->rule : NULL;
	c->before = m->before;
	c->after = bind_print(b, "%s", after);
	c->place.function = f->function;
	c->old_code = bind_fact_text(b, f);
	c->note = note;
	bind_set_lines(h, f, SIDE_OLD, NULL);
}

/* The condition around the statement, where its line is gone too. */
static void claim_condition(struct bind_hunk *h, const struct c_fact *f)
{
	for (size_t i = 0; f->guard != NULL && i < h->side[SIDE_OLD].nr_facts; i++) {
		const struct c_fact *g = &h->side[SIDE_OLD].fact[i];

		if (g->kind == C_FACT_COND && g->expr == f->guard->cond &&
			bind_is_changed(h->h, g, SIDE_OLD) &&
			!bind_is_settled(h, g, SIDE_OLD, true)) {
			bind_set_lines(h, g, SIDE_OLD, NULL);
		}
	}
}

/* The rules that the old side was a part of; nothing is claimed by looking. */
static size_t rules_of_gone(struct binder *b, const struct bind_at *old, struct bind_match *ret)
{
	size_t n;

	b->trial = true;
	n = bind_rules(b, old, old, ret);
	b->trial = false;
	return n;
}

static void gone_assignment(struct binder *b, const struct bind_at *old)
{
	struct bind_hunk *h = &old->file->hunk[old->hunk];
	const struct c_fact *f = bind_fact(old);
	struct bind_match m[BIND_RULES_MAX];
	size_t n = rules_of_gone(b, old, m), take = BIND_RULES_MAX;

	for (size_t i = 0; i < n && f->lhs != NULL; i++) {
		if (left_alone(m[i].point, f->lhs) != NULL &&
			bind_rule_possible(f->function, m[i].rule)) {
			take = i;
		}
	}
	if (take == BIND_RULES_MAX) {
		return;
	}
	if (set_elsewhere(b, f->lhs)) {
		bind_set_lines(h, f, SIDE_OLD, "it is gone here and is set elsewhere");
		return;
	}
	if (came_instead(h, f)) {
		bind_set_lines(
			h, f, SIDE_OLD, "it is gone, and what came instead is not understood");
		return;
	}
	say_gone(b, old, &m[take], left_alone(m[take].point, f->lhs),
		m[take].point == ZL_POINT_FREE_HIGH
			? "the statement is gone: free_high stays false"
			: "the statement is gone: the value stays as it is");
	claim_condition(h, f);
}

/* "if (a) x = b;" that became "x = b;": the statement is the same, its condition is gone. */
static const struct c_fact *freed_statement(struct bind_hunk *h, const struct c_fact *cond)
{
	const struct c_facts *old = &h->side[SIDE_OLD], *now = &h->side[SIDE_NEW];

	for (size_t i = 0; i < old->nr_facts; i++) {
		const struct c_fact *f = &old->fact[i];

		if (f->kind != C_FACT_ASSIGN || f->expr == NULL || f->guard == NULL ||
			f->guard->cond != cond->expr) {
			continue;
		}
		for (size_t k = 0; k < now->nr_facts; k++) {
			const struct c_fact *g = &now->fact[k];

			if (bind_fits(f, g, true) && c_same(f->expr, g->expr) &&
				bind_guards(g) + 1 == bind_guards(f)) {
				bind_set_lines(h, f, SIDE_OLD, NULL);
				bind_set_lines(h, g, SIDE_NEW, NULL);
				return f;
			}
		}
	}
	return NULL;
}

static void gone_condition(struct binder *b, const struct bind_at *old)
{
	struct bind_hunk *h = &old->file->hunk[old->hunk];
	struct bind_match m[BIND_RULES_MAX];
	size_t n = rules_of_gone(b, old, m);

	while (n-- > 0) {
		const struct c_node *root = m[n].after;
		const char *after;

		if (root == NULL || root->op != C_TERNARY || root->nr_kids != 3 ||
			zl_point_info(m[n].point)->target[0] == '\0' ||
			freed_statement(h, bind_fact(old)) == NULL) {
			continue;
		}
		after = bind_written(b, root->kid[1]);
		say_gone(b, old, &m[n], after, "the condition is gone: it holds always");
		return;
	}
}

static void bind_gone(struct binder *b, struct bind_file *f, size_t hunk)
{
	struct bind_hunk *h = &f->hunk[hunk];

	for (size_t i = 0; i < h->side[SIDE_OLD].nr_facts && b->failed == 0; i++) {
		struct bind_at old = {f, hunk, i, SIDE_OLD};
		const struct c_fact *fact = bind_fact(&old);
		bool left = fact->expr != NULL && bind_is_changed(h->h, fact, SIDE_OLD) &&
			    !bind_is_settled(h, fact, SIDE_OLD, fact->kind == C_FACT_ASSIGN);

		if (left && fact->kind == C_FACT_COND) {
			gone_condition(b, &old);
		} else if (left && fact->kind == C_FACT_ASSIGN) {
			gone_assignment(b, &old);
		}
		(void)bind_too_large(b);
	}
}

void bind_alone(struct binder *b)
{
	struct bind_hunks w = {.b = b};
	struct bind_at at;

	while (b->failed == 0 && bind_next_hunk(&w, &at)) {
		bind_gone(b, at.file, at.hunk);
		explain_rest(b, &at.file->hunk[at.hunk], SIDE_OLD);
		explain_rest(b, &at.file->hunk[at.hunk], SIDE_NEW);
	}
}
