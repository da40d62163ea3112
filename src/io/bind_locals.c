/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binder: what a local variable is where it is used: the assignments before it in its function,
 * those under a condition as a choice.
 */
#include <string.h>

#include "bind_instance.h"

#define CONDITIONS_MAX 8

/* Whether a condition holds at a place: it does, it does not, nobody knows. */
enum holds { HOLDS, HOLDS_NOT, HOLDS_MAYBE };

static enum holds guard_holds(const struct instance *in, const struct c_guard *g)
{
	if (g->cond == NULL) { /* of a loop: only for what stands in it, too */
		for (const struct c_guard *u = bind_fact(&in->at)->guard; u != NULL; u = u->outer) {
			if (u == g) {
				return HOLDS;
			}
		}
		return HOLDS_MAYBE;
	}
	for (const struct c_guard *u = bind_fact(&in->at)->guard; u != NULL; u = u->outer) {
		if (u->cond == g->cond) {
			return u->negated == g->negated ? HOLDS : HOLDS_NOT;
		}
	}
	for (const struct assumed *a = in->assumed; a != NULL; a = a->outer) {
		if (a->cond == g->cond) {
			return a->negated == g->negated ? HOLDS : HOLDS_NOT;
		}
	}
	return HOLDS_MAYBE;
}

/* The same for all conditions around a statement; *ret_guard is the outermost of those unknown. */
static enum holds reached(
	const struct instance *in, const struct c_guard *g, const struct c_guard **ret_guard)
{
	enum holds all = HOLDS;

	for (*ret_guard = NULL; g != NULL; g = g->outer) {
		enum holds one = guard_holds(in, g);

		if (one == HOLDS_NOT) {
			return HOLDS_NOT;
		}
		if (one == HOLDS_MAYBE) {
			*ret_guard = g;
			all = HOLDS_MAYBE;
		}
	}
	return all;
}

/* Whether the statement gives the name a value, or may do so. */
static bool sets(const struct bind_at *at, const char *name, const char *function)
{
	const struct c_fact *f = bind_fact(at);

	if (strcmp(f->function, function) != 0) {
		return false;
	}
	return f->kind == C_FACT_ASSIGN
		       ? f->expr != NULL && strcmp(f->lhs, name) == 0
		       : bind_may_set(&at->file->hunk[at->hunk], f, at->side, name);
}

/* "name =", "name +=", "name++", "++name", "&name" at @p, which is @n bytes of a line from @s on. */
static bool sets_at(const char *s, const char *p, size_t n, const char *end)
{
	const char *after = p + n;

	if ((p > s && (c_is_word_char(p[-1]) || p[-1] == '>' || p[-1] == '.')) ||
		(after < end && c_is_word_char(*after))) {
		return false;
	}
	if (p - s >= 2 && (memcmp(p - 2, "++", 2) == 0 || memcmp(p - 2, "--", 2) == 0)) {
		return true;
	}
	if (p > s && p[-1] == '&' && (p - s < 2 || p[-2] != '&')) {
		return true;
	}
	while (after < end && (*after == ' ' || *after == '\t')) {
		after++;
	}
	if (end - after >= 2 && (memcmp(after, "++", 2) == 0 || memcmp(after, "--", 2) == 0)) {
		return true;
	}
	while (after < end && memchr("+-*/%<>|&^", *after, 10) != NULL) {
		after++;
	}
	return after < end && *after == '=' && (end - after < 2 || after[1] != '=');
}

bool bind_may_set(
	const struct bind_hunk *h, const struct c_fact *f, unsigned side, const char *name)
{
	enum zl_patch_line_kind not_mine = side == SIDE_OLD ? ZL_PATCH_NEW : ZL_PATCH_OLD;
	size_t n = strlen(name);

	for (uint32_t r = f->first; f->kind == C_FACT_OTHER && r <= f->last && r < h->h->nr_lines;
		r++) {
		const struct zl_patch_line *l = &h->h->lines[r];

		for (size_t i = 0; l->kind != not_mine && i + n <= l->len; i++) {
			if (memcmp(l->s + i, name, n) == 0 &&
				sets_at(l->s, l->s + i, n, l->s + l->len)) {
				return true;
			}
		}
	}
	return false;
}

/*
 * The assignment before the @end-th fact of a hunk, or in a hunk before it, that holds or may hold
 * where @in stands.
 */
static bool find_before(
	const struct instance *in, const char *name, struct bind_at *at, const struct c_guard **ret)
{
	const char *function = bind_fact(&in->at)->function;

	for (;; at->hunk--, at->fact = bind_facts(at)->nr_facts) {
		while (at->fact-- > 0) {
			if (sets(at, name, function) &&
				reached(in, bind_fact(at)->guard, ret) != HOLDS_NOT) {
				return true;
			}
		}
		if (at->hunk == 0) {
			return false;
		}
	}
}

/* Where the condition was asked. */
static struct bind_at asked_at(const struct bind_at *near, const struct c_guard *g)
{
	const struct c_facts *facts = bind_facts(near);
	struct bind_at at = *near;

	for (size_t i = 0; i < facts->nr_facts; i++) {
		if (facts->fact[i].kind == C_FACT_COND && facts->fact[i].expr == g->cond) {
			at.fact = i;
		}
	}
	return at;
}

static bool changed_lines(const struct bind_at *at)
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

/* Whether the assignment or a condition around it is the patch's. */
static bool is_changed(const struct bind_at *at)
{
	bool yes = changed_lines(at);

	for (const struct c_guard *g = bind_fact(at)->guard; !yes && g != NULL; g = g->outer) {
		struct bind_at cond = asked_at(at, g);

		yes = cond.fact != at->fact && changed_lines(&cond);
	}
	return yes;
}

/* "high = pcp->high = x": a copy of what a point sets, which has its own rule. */
static bool is_copy(const struct bind_at *at)
{
	const struct c_facts *facts = bind_facts(at);
	const struct c_fact *f = bind_fact(at);

	for (size_t i = 0; i < facts->nr_facts; i++) {
		const struct c_fact *o = &facts->fact[i];

		if (o != f && o->expr == f->expr && strncmp(o->lhs, "pcp->", 5) == 0) {
			return true;
		}
	}
	return false;
}

bool bind_local_changed(struct instance *in, const char *name)
{
	const struct c_guard *unknown = NULL;
	struct bind_at at = in->at;

	while (bind_is_local(name) && find_before(in, name, &at, &unknown)) {
		if (is_changed(&at) && !is_copy(&at)) {
			return true;
		}
		if (unknown == NULL) {
			return false;
		}
	}
	return false;
}

/*
 * The figure of the point that the statement sets, -1 = none. Locals are not figures: `batch` in a
 * rule is that of the pageset; but for those that a rule has as its code does.
 */
static int figure_set(const struct instance *in, const struct c_fact *f)
{
	const struct c_node n = {.op = C_NAME, .name = f->lhs};
	int id = -1;

	if (f->kind == C_FACT_ASSIGN && f->expr != NULL &&
		strcmp(f->function, bind_fact(&in->use)->function) == 0) {
		id = bind_name_id(in->point, &n);
	}
	return bind_is_local(f->lhs) && id != ZL_NAME_LOCAL_HIGH && id != ZL_NAME_REFILL_BATCH ? -1
											       : id;
}

static bool reads(enum zl_point point, const struct c_node *n, int id)
{
	if (bind_name_id(point, n) == id) {
		return true;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		if (reads(point, n->kid[i], id)) {
			return true;
		}
	}
	return false;
}

/*
 * A value of before in the words of the rule, which has its figures where it is used: none may be
 * set between the two. Returns @n, or NULL with b->why.
 */
static struct c_node *in_time(struct instance *in, const struct bind_at *at, struct c_node *n)
{
	struct bind_at k = *at;

	if (n == NULL || at->file != in->use.file || at->side != in->use.side) {
		return n;
	}
	for (k.fact++; k.hunk <= in->use.hunk; k.hunk++, k.fact = 0) {
		size_t end = k.hunk == in->use.hunk ? in->use.fact : bind_facts(&k)->nr_facts;

		for (; k.fact < end; k.fact++) {
			int id = figure_set(in, bind_fact(&k));

			if (id >= 0 && reads(in->point, n, id)) {
				return bind_cannot(in,
					"%s is set between where it is read and the rule",
					bind_fact(&k)->lhs);
			}
		}
	}
	return n;
}

bool bind_parted(const struct bind_at *at, const struct bind_at *behind)
{
	const struct c_facts *facts = bind_facts(at);
	const struct zl_patch_hunk *h = at->file->hunk[at->hunk].h;
	size_t end = at->hunk == behind->hunk ? behind->fact : facts->nr_facts;
	int depth = 0;

	for (size_t i = at->fact + 1; i < end; i++) {
		uint32_t row = facts->fact[i].first;
		const struct zl_patch_line *l = row < h->nr_lines ? &h->lines[row] : NULL;

		if (facts->fact[i].kind != C_FACT_OTHER || l == NULL) {
			continue;
		}
		depth += bind_is_directive(l, "if") ? 1 : 0;
		depth -= bind_is_directive(l, "endif") ? 1 : 0;
		if (depth < 0 || (depth == 0 && bind_is_directive(l, "el"))) {
			return true;
		}
	}
	return false;
}

struct c_node *bind_guard_condition(struct instance *in, const struct c_guard *g)
{
	struct instance there = *in;
	struct c_node *cond, *outer;

	if (g == NULL || g->cond == NULL) {
		return NULL;
	}
	there.at = asked_at(&in->at, g);
	cond = in_time(in, &there.at, bind_instance(&there, g->cond));
	if (cond != NULL) {
		bind_claim(in->b, &there.at);
	}
	if (g->negated && cond != NULL) {
		cond = c_node_two(&in->b->build, C_EQUAL, cond, c_node_number(&in->b->build, 0));
	}
	if (g->outer == NULL || cond == NULL) {
		return cond;
	}
	outer = bind_guard_condition(in, g->outer);
	return outer != NULL ? c_node_two(&in->b->build, C_AND, outer, cond) : NULL;
}

/*
 * The statement is a part of the rule now. That of a figure which the rest of the function has, too,
 * does more than that.
 */
static void claim(struct instance *in, const struct c_node *name, const struct bind_at *at)
{
	if (bind_name_id(in->point, name) < 0 || bind_is_whole_function(in->point)) {
		bind_claim(in->b, at);
	} else if (!in->b->trial) {
		bind_set_lines(&at->file->hunk[at->hunk], bind_fact(at), at->side,
			bind_print(in->b, "it is a part of %s; what else uses %s has it as it was",
				zl_point_info(in->point)->name, name->name));
	}
}

static struct c_node *value_before(
	struct instance *in, const struct c_node *name, struct bind_at end, bool *ret_found);

/* The value where a condition decides: as it is when it holds, and as it is when not. */
static struct c_node *either(
	struct instance *in, const struct c_node *name, struct bind_at end, const struct c_guard *g)
{
	struct assumed holds = {g->cond, false, in->assumed}, not = {g->cond, true, in->assumed};
	struct instance yes = *in, no = *in, there = *in;
	struct c_node *cond, *a, *b;
	bool found;

	yes.assumed = &holds;
	no.assumed = &not ;
	yes.depth = no.depth = in->depth + 1;
	there.at = asked_at(&end, g);
	cond = in_time(in, &there.at, bind_instance(&there, g->cond));
	a = cond != NULL ? value_before(&yes, name, end, &found) : NULL;
	b = a != NULL ? value_before(&no, name, end, &found) : NULL;
	if (b != NULL) {
		claim(in, name, &there.at);
	}
	return bind_choice(in->b, cond, a, b);
}

static struct c_node *value_before(
	struct instance *in, const struct c_node *name, struct bind_at end, bool *ret_found)
{
	const struct c_guard *unknown = NULL;
	struct bind_at at = end;
	struct instance inner = *in;
	struct c_node *n;

	*ret_found = find_before(in, name->name, &at, &unknown);
	if (!*ret_found) {
		return in->assumed != NULL ? bind_outer_name(in, name) : NULL;
	}
	if (bind_parted(&at, &in->at)) {
		return bind_cannot(
			in, "%s has its value under a condition of the preprocessor", name->name);
	}
	if (bind_fact(&at)->kind == C_FACT_OTHER) {
		return bind_cannot(
			in, "%s is set in a statement that is not understood", name->name);
	}
	if (unknown != NULL && (unknown->cond == NULL || at.hunk != in->at.hunk)) {
		return bind_cannot(in, "%s has its value only under a condition", name->name);
	}
	if (in->depth >= CONDITIONS_MAX) {
		return bind_cannot(in, "%s goes through too many steps", name->name);
	}
	if (unknown != NULL) {
		end = at;
		end.fact++;
		return either(in, name, end, unknown);
	}
	inner.at = at;
	inner.depth++;
	n = in_time(in, &at, bind_instance(&inner, bind_fact(&at)->expr));
	if (n != NULL) {
		claim(in, name, &at);
	}
	return n;
}

struct c_node *bind_local(struct instance *in, const char *name, bool *ret_found)
{
	const struct c_node n = {.op = C_NAME, .name = name};

	return value_before(in, &n, in->at, ret_found);
}
