/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy_form.h"

#include <string.h>

/* Largest constants of a step: counters are 16 bits wide. */
#define STEP_MOST (INT64_C(1) << 32)

/* --- steps --- */

/* 1 << order, BIT(order), or a multiple of them; 0 if the node is something else. */
static int64_t pages_factor(const struct tree *t, int node)
{
	const struct tree_node *n = &t->node[node];
	int64_t v;

	if (n->op == EXPR_SHL && zl_tree_is_const(t, n->kid[0], &v) &&
		zl_tree_is_slot(t, n->kid[1], ZL_NAME_ORDER)) {
		return v > -STEP_MOST && v < STEP_MOST ? v : 0;
	}
	if (n->op == EXPR_BIT && zl_tree_is_slot(t, n->kid[0], ZL_NAME_ORDER)) {
		return 1;
	}
	for (unsigned i = 0; n->op == EXPR_MUL && i < 2; i++) {
		if (zl_tree_is_const(t, n->kid[i], &v) && v > -STEP_MOST && v < STEP_MOST) {
			return v * pages_factor(t, n->kid[1 - i]);
		}
	}
	return 0;
}

/* Adds sign * node to the step; false when it does not fit the form. */
static bool add_term(
	const struct tree *t, int node, int sign, enum zl_policy_name_id x, struct policy_step *st)
{
	const struct tree_node *n = &t->node[node];
	int64_t v;

	if (zl_tree_is_const(t, node, &v)) {
		st->add += sign * v;
		return v > -STEP_MOST && v < STEP_MOST;
	}
	if (n->op == EXPR_ADD || n->op == EXPR_SUB) {
		return add_term(t, n->kid[0], sign, x, st) &&
		       add_term(t, n->kid[1], n->op == EXPR_ADD ? sign : -sign, x, st);
	}
	v = pages_factor(t, node);
	if (v != 0 && st->pages == 0) {
		st->pages = sign * v;
		return true;
	}
	if (sign < 0 || st->keep != 0) {
		return false;
	}
	st->keep = 1;
	if (n->op == EXPR_SHR && zl_tree_is_slot(t, n->kid[0], x) &&
		zl_tree_is_const(t, n->kid[1], &v) && v >= 0 && v <= 62) {
		st->shift = (uint8_t)v;
		return true;
	}
	return zl_tree_is_slot(t, node, x);
}

/* x < limit ? change : x, and its mirror images. Returns the change, or -1. */
static int guarded(const struct tree *t, enum zl_policy_name_id x, struct policy_step *st)
{
	const struct tree_node *n = &t->node[t->root];
	const struct tree_node *test = n->op == TREE_SELECT ? &t->node[n->kid[0]] : NULL;
	bool below;
	int64_t v;

	if (test == NULL ||
		!zl_tree_is_slot(t, n->kid[1], x) == !zl_tree_is_slot(t, n->kid[2], x) ||
		test->op < EXPR_LT || test->op > EXPR_GE || !zl_tree_is_slot(t, test->kid[0], x) ||
		!zl_tree_is_const(t, test->kid[1], &v)) {
		return -1;
	}
	below = test->op == EXPR_LT || test->op == EXPR_LE;
	if (below == zl_tree_is_slot(t, n->kid[1], x) || v >= STEP_MOST) {
		return -1;
	}
	st->limit = test->op == EXPR_LE || test->op == EXPR_GT ? v + 1 : v;
	return below ? n->kid[1] : n->kid[2];
}

static void learn_step(const struct tree *t, enum zl_policy_name_id x, struct policy_step *st)
{
	int change;

	memset(st, 0, sizeof(*st));
	st->limit = INT64_MAX;
	change = guarded(t, x, st);
	st->simple = t->node[t->root].safe && add_term(t, change >= 0 ? change : t->root, 1, x, st);
}

/* --- what free_high needs --- */

#define NEVER INT32_MAX

static const struct policy_guard nothing = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, 0};
static const struct policy_guard never = {NEVER, NEVER, NEVER, NEVER, UINT32_MAX};

static int32_t more(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static int32_t less(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static struct policy_guard both(struct policy_guard a, const struct policy_guard *b)
{
	a.order = more(a.order, b->order);
	a.count = more(a.count, b->count);
	a.free_count = more(a.free_count, b->free_count);
	a.free_factor = more(a.free_factor, b->free_factor);
	a.flags |= b->flags;
	return a;
}

static struct policy_guard either(struct policy_guard a, const struct policy_guard *b)
{
	a.order = less(a.order, b->order);
	a.count = less(a.count, b->count);
	a.free_count = less(a.free_count, b->free_count);
	a.free_factor = less(a.free_factor, b->free_factor);
	a.flags &= b->flags;
	return a;
}

/* A name of which a least value is known. */
static struct policy_guard at_least(const struct tree_node *name, int64_t v)
{
	struct policy_guard g = nothing;
	int32_t least = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;

	if (name->op != EXPR_SLOT) {
		return g;
	}
	switch ((int)name->slot) {
	case ZL_NAME_ORDER:
		g.order = least;
		break;
	case ZL_NAME_COUNT:
		g.count = least;
		break;
	case ZL_NAME_FREE_COUNT:
		g.free_count = least;
		break;
	case ZL_NAME_FREE_FACTOR:
		g.free_factor = least;
		break;
	default:
		break;
	}
	return g;
}

static struct policy_guard comparison(const struct tree *t, const struct tree_node *n, bool want)
{
	static const uint8_t opposite[] = {EXPR_GE, EXPR_GT, EXPR_LE, EXPR_LT, EXPR_NE, EXPR_EQ};
	const struct tree_node *a = &t->node[n->kid[0]], *b = &t->node[n->kid[1]];
	unsigned op = want ? n->op : opposite[n->op - EXPR_LT];

	if (!n->safe) {
		return nothing;
	}
	switch (op) {
	case EXPR_GE:
		return at_least(a, b->lo);
	case EXPR_GT:
		return at_least(a, b->lo + 1);
	case EXPR_LE:
		return at_least(b, a->lo);
	case EXPR_LT:
		return at_least(b, a->lo + 1);
	case EXPR_EQ: {
		struct policy_guard x = at_least(a, b->lo);
		struct policy_guard y = at_least(b, a->lo);

		return both(x, &y);
	}
	default: /* not 0: at least 1 where nothing is below 0 */
		return b->op == EXPR_CONST && b->value == 0 && a->lo >= 0 ? at_least(a, 1)
									  : nothing;
	}
}

static struct policy_guard bits(const struct tree *t, const struct tree_node *n, bool want)
{
	struct policy_guard g = nothing;
	int64_t v;

	for (unsigned i = 0; i < 2; i++) {
		if (want && zl_tree_is_const(t, n->kid[i], &v) && v > 0 && (v & (v - 1)) == 0 &&
			v <= 2 && zl_tree_is_slot(t, n->kid[1 - i], ZL_NAME_FLAGS)) {
			g.flags = (uint32_t)v;
		}
	}
	return g;
}

/* What must hold for the node to be true (or false). */
static struct policy_guard needed(const struct tree *t, int node, bool want)
{
	const struct tree_node *n = &t->node[node];
	struct policy_guard a, b;

	switch ((int)n->op) {
	case EXPR_CONST:
		return (n->value != 0) == want ? nothing : never;
	case EXPR_SLOT:
		return want && n->lo >= 0 ? at_least(n, 1) : nothing;
	case EXPR_NOT:
		return needed(t, n->kid[0], !want);
	case EXPR_BOOL:
		return needed(t, n->kid[0], want);
	case EXPR_AND:
		return bits(t, n, want);
	case TREE_AND:
	case TREE_OR:
		a = needed(t, n->kid[0], want);
		b = needed(t, n->kid[1], want);
		return (n->op == TREE_AND) == want ? both(a, &b) : either(a, &b);
	case TREE_SELECT: {
		struct policy_guard yes = needed(t, n->kid[0], true);
		struct policy_guard no = needed(t, n->kid[0], false);

		a = needed(t, n->kid[1], want);
		b = needed(t, n->kid[2], want);
		a = both(a, &yes);
		b = both(b, &no);
		return either(a, &b);
	}
	default:
		return n->op >= EXPR_LT && n->op <= EXPR_NE ? comparison(t, n, want) : nothing;
	}
}

/* --- the threshold --- */

/* Looks for free_count >= X among what must all hold. Returns X, or -1; @ret_above for >. */
static int threshold_of(const struct tree *t, int node, int32_t *ret_above)
{
	const struct tree_node *n = &t->node[node];
	int other = -1;

	if (n->op == EXPR_BOOL) {
		return threshold_of(t, n->kid[0], ret_above);
	}
	if (n->op == TREE_AND) {
		int a = threshold_of(t, n->kid[0], ret_above);
		int32_t above = *ret_above;
		int b = threshold_of(t, n->kid[1], ret_above);

		if (a >= 0 && b >= 0) {
			return -1; /* two of them: no single figure */
		}
		*ret_above = a >= 0 ? above : *ret_above;
		return a >= 0 ? a : b;
	}
	if (n->op == EXPR_GE || n->op == EXPR_GT) {
		other = zl_tree_is_slot(t, n->kid[0], ZL_NAME_FREE_COUNT) ? n->kid[1] : -1;
	} else if (n->op == EXPR_LE || n->op == EXPR_LT) {
		other = zl_tree_is_slot(t, n->kid[1], ZL_NAME_FREE_COUNT) ? n->kid[0] : -1;
	}
	*ret_above = n->op == EXPR_GT || n->op == EXPR_LT;
	return other >= 0 && !zl_tree_uses(t, other, ZL_NAME_FREE_COUNT) ? other : -1;
}

static void learn_free_high(struct zl_policy_run *run, const struct tree *t)
{
	int x = threshold_of(t, t->root, &run->above);

	/* What may fail has to be asked each time, so that it fails at the right op. */
	run->guard = t->node[t->root].safe ? needed(t, t->root, true) : nothing;
	run->has_threshold = x >= 0 && zl_policy_code_make(&run->threshold, t, x);
}

/* --- by point --- */

/* A shift must stay within its range without a look: then it may only fall. */
static void stays_small(struct policy_step *st)
{
	st->simple = st->simple && st->add == 0 && st->pages == 0;
}

void zl_form_reset(struct zl_policy_run *run, bool tuned)
{
	static const struct policy_step halve = {true, 1, 1, INT64_MAX, 0, 0};
	const struct policy_step count = {true, 0, 1, INT64_MAX, 0, 1};

	run->has_on_alloc = (run->points >> ZL_POINT_FREE_COUNT_ON_ALLOC & 1) != 0;
	run->has_on_free = (run->points >> ZL_POINT_FREE_COUNT_STEP & 1) != 0;
	run->has_alloc_factor = (run->points >> ZL_POINT_ALLOC_FACTOR_ON_FREE & 1) != 0;
	run->counter = tuned ? ZL_NAME_FREE_COUNT : ZL_NAME_FREE_FACTOR;
	run->free_slowly = (run->points >> ZL_POINT_NR_PCP_HIGH & 1) != 0;
	run->guard = nothing;
	run->has_threshold = false;
	run->on_alloc = halve;
	run->alloc_factor = halve;
	run->on_free = count;
	run->on_free.limit = tuned ? run->slots[ZL_NAME_BATCH] << run->slots[ZL_NAME_SCALE_MAX] : 0;
}

void zl_form_learn(struct zl_policy_run *run, enum zl_point p, const struct tree *t)
{
	if (p == ZL_POINT_FREE_HIGH) {
		learn_free_high(run, t);
	} else if (p == ZL_POINT_FREE_COUNT_STEP) {
		learn_step(t, ZL_NAME_FREE_COUNT, &run->on_free);
	} else if (p == ZL_POINT_FREE_COUNT_ON_ALLOC) {
		learn_step(t, run->counter, &run->on_alloc);
		if (run->counter == ZL_NAME_FREE_FACTOR) {
			stays_small(&run->on_alloc);
		}
	} else if (p == ZL_POINT_ALLOC_FACTOR_ON_FREE) {
		learn_step(t, ZL_NAME_ALLOC_FACTOR, &run->alloc_factor);
		stays_small(&run->alloc_factor);
	}
}

void zl_form_unknown(struct zl_policy_run *run, enum zl_point p)
{
	if (p == ZL_POINT_FREE_COUNT_STEP) {
		run->on_free.simple = false;
	} else if (p == ZL_POINT_FREE_COUNT_ON_ALLOC) {
		run->on_alloc.simple = false;
	} else if (p == ZL_POINT_ALLOC_FACTOR_ON_FREE) {
		run->alloc_factor.simple = false;
	}
}

int zl_form_threshold(const struct tree *t, int32_t *ret_above)
{
	return threshold_of(t, t->root, ret_above);
}

bool zl_form_ceiling(const struct tree *t, struct policy_step *st)
{
	learn_step(t, ZL_NAME_FREE_COUNT, st);
	return st->simple && st->limit < INT32_MAX;
}
