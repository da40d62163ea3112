/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy_tree.h"

#include <string.h>

#include "zonelab/types.h"

/* Values are kept within this, so that sums and differences of two stay within 64 bits. */
#define SAFE (INT64_C(1) << 60)

struct builder {
	struct tree *t;
	const struct zl_expr_ins *code;
	const struct tree_in *in;
};

/* Ranges of the names that change from op to op. */
static void live_range(enum zl_policy_name_id id, int64_t *lo, int64_t *hi)
{
	static const struct {
		enum zl_policy_name_id id;
		int64_t lo, hi;
	} ranges[] = {
		{ZL_NAME_COUNT,	0,	   INT32_MAX	    },
		{ZL_NAME_FREE_COUNT,   INT16_MIN, INT16_MAX	 },
		{ZL_NAME_FREE_FACTOR,  0,	 31		   },
		{ZL_NAME_ALLOC_FACTOR, 0,	  UINT8_MAX	   },
		{ZL_NAME_FLAGS,	0,	   3		    },
		{ZL_NAME_EXPIRE,	 0,	    UINT8_MAX	     },
		{ZL_NAME_ORDER,	0,	   ZL_MAX_ORDER_LIMIT},
		{ZL_NAME_ZONE_FLAGS,   0,		7		 },
		{ZL_NAME_FREE_HIGH,    0,	       1			},
		{ZL_NAME_REFILL_BATCH, 0,	  INT64_C(1) << 48  },
	};

	*lo = INT32_MIN;
	*hi = INT32_MAX;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (ranges[i].id == id) {
			*lo = ranges[i].lo;
			*hi = ranges[i].hi;
		}
	}
}

static int add_node(struct tree *t, unsigned op)
{
	struct tree_node *n = &t->node[t->nr];

	if (t->nr == TREE_NODES) {
		return -1;
	}
	memset(n, 0, sizeof(*n));
	n->op = (uint8_t)op;
	n->kid[0] = n->kid[1] = n->kid[2] = -1;
	return (int)t->nr++;
}

static void make_const(struct tree_node *n, int64_t v)
{
	n->op = EXPR_CONST;
	n->value = n->lo = n->hi = v;
	n->safe = v > -SAFE && v < SAFE;
}

static int64_t smallest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t largest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool fits(int64_t lo, int64_t hi)
{
	return lo > -SAFE && hi < SAFE;
}

/* Range of a product; false when it might not fit. */
static bool mul_range(struct tree_node *n, const struct tree_node *a, const struct tree_node *b)
{
	int64_t x = largest(-a->lo, a->hi), y = largest(-b->lo, b->hi);

	if (x > 0 && y > 0 && x > SAFE / y) {
		return false;
	}
	const int64_t p[] = {a->lo * b->lo, a->lo * b->hi, a->hi * b->lo, a->hi * b->hi};
	n->lo = smallest(smallest(p[0], p[1]), smallest(p[2], p[3]));
	n->hi = largest(largest(p[0], p[1]), largest(p[2], p[3]));
	return fits(n->lo, n->hi);
}

static bool shl_range(struct tree_node *n, const struct tree_node *a, const struct tree_node *b)
{
	struct tree_node factor = {0};

	if (b->lo < 0 || b->hi > 59) {
		return false;
	}
	factor.lo = INT64_C(1) << b->lo;
	factor.hi = INT64_C(1) << b->hi;
	return mul_range(n, a, &factor);
}

/* Range of a binary operation; false when it might fail. */
static bool binary_range(struct tree_node *n, const struct tree_node *a, const struct tree_node *b)
{
	switch (n->op) {
	case EXPR_ADD:
		n->lo = a->lo + b->lo;
		n->hi = a->hi + b->hi;
		return fits(n->lo, n->hi);
	case EXPR_SUB:
		n->lo = a->lo - b->hi;
		n->hi = a->hi - b->lo;
		return fits(n->lo, n->hi);
	case EXPR_MUL:
		return mul_range(n, a, b);
	case EXPR_SHL:
		return shl_range(n, a, b);
	case EXPR_DIV:
	case EXPR_MOD:
	case EXPR_SHR:
		n->lo = smallest(a->lo, 0);
		n->hi = largest(a->hi, 0);
		if (n->op == EXPR_MOD) {
			n->lo = smallest(n->lo, -n->hi);
		}
		return n->op == EXPR_SHR ? b->lo >= 0 && b->hi <= 62 : b->lo > 0;
	case EXPR_MIN:
		n->lo = smallest(a->lo, b->lo);
		n->hi = smallest(a->hi, b->hi);
		return true;
	case EXPR_MAX:
		n->lo = largest(a->lo, b->lo);
		n->hi = largest(a->hi, b->hi);
		return true;
	case EXPR_AND:
	case EXPR_OR:
	case EXPR_XOR:
		n->lo = -SAFE;
		n->hi = SAFE - 1;
		if (n->op == EXPR_AND && (a->lo >= 0 || b->lo >= 0)) {
			n->lo = 0;
		}
		return true;
	default: /* comparisons */
		n->lo = 0;
		n->hi = 1;
		return true;
	}
}

static bool unary_range(struct tree_node *n, const struct tree_node *a)
{
	switch (n->op) {
	case EXPR_NEG:
		n->lo = -a->hi;
		n->hi = -a->lo;
		return true;
	case EXPR_NOT:
	case EXPR_BOOL:
		n->lo = 0;
		n->hi = 1;
		return true;
	case EXPR_CAST:
		n->lo = a->lo;
		n->hi = a->hi;
		return n->slot == CAST_NONE;
	case EXPR_BIT:
		n->lo = 1;
		n->hi = a->hi <= 59 ? INT64_C(1) << largest(a->hi, 0) : 0;
		return a->lo >= 0 && a->hi <= 59;
	default: /* ABS, COMPL, powers of two: rare */
		return false;
	}
}

/* Computes a node of constants as the interpreter does. */
static bool fold(struct tree *t, struct tree_node *n, unsigned kids)
{
	struct zl_expr_ins code[TREE_KIDS + 1];
	struct zl_expr e = {code, kids + 1};
	int64_t v;

	memset(code, 0, sizeof(code));
	for (unsigned i = 0; i < kids; i++) {
		if (!zl_tree_is_const(t, n->kid[i], &code[i].value)) {
			return false;
		}
		code[i].op = EXPR_CONST;
	}
	code[kids].op = n->op;
	code[kids].arg = n->slot;
	if (zl_expr_eval(&e, NULL, &v, NULL) != 0) {
		return false; /* fails when it is reached, not before */
	}
	make_const(n, v);
	return true;
}

static void settle(struct builder *b, int at, unsigned kids)
{
	struct tree *t = b->t;
	struct tree_node *n = &t->node[at];
	bool safe = true;

	for (unsigned i = 0; i < kids; i++) {
		safe = safe && t->node[n->kid[i]].safe;
	}
	if (fold(t, n, kids)) {
		return;
	}
	n->safe = safe && (kids == 1 ? unary_range(n, &t->node[n->kid[0]])
				     : binary_range(n, &t->node[n->kid[0]], &t->node[n->kid[1]]));
	/* A cast that changes nothing is not there, nor a test of what is 0 or 1. */
	if (n->safe && (n->op == EXPR_CAST || n->op == EXPR_BOOL)) {
		const struct tree_node *kid = &t->node[n->kid[0]];

		if (n->op == EXPR_CAST || (kid->lo >= 0 && kid->hi <= 1)) {
			*n = *kid;
		}
	}
}

static int slot_node(struct builder *b, const struct zl_expr_ins *ins)
{
	enum zl_policy_name_id id = (enum zl_policy_name_id)ins->arg;
	int at = add_node(b->t, EXPR_SLOT);

	if (at < 0) {
		return at;
	}
	struct tree_node *n = &b->t->node[at];
	if (zl_policy_name(id)->kind == ZL_NAME_IS_LIVE && (b->in->fixed >> id & 1) == 0) {
		n->slot = (uint8_t)id;
		live_range(id, &n->lo, &n->hi);
		n->safe = true;
	} else {
		make_const(n, b->in->slots[id]);
	}
	return at;
}

static int build(struct builder *b, unsigned from, unsigned to);

static int selection(struct builder *b, int test, int yes, int no);

static int with_kids(struct builder *b, const struct zl_expr_ins *ins, const int *kid, unsigned n)
{
	int at = kid[0] < 0 || kid[n - 1] < 0 ? -1 : add_node(b->t, ins->op);

	if (at < 0) {
		return -1;
	}
	for (unsigned i = 0; i < n; i++) {
		b->t->node[at].kid[i] = (int16_t)kid[i];
	}
	b->t->node[at].slot = (uint8_t)ins->arg;
	settle(b, at, n);
	return at;
}

static int two(struct builder *b, unsigned op, int left, int right)
{
	const struct zl_expr_ins ins = {.op = (uint8_t)op};
	const int kid[] = {left, right};

	return with_kids(b, &ins, kid, 2);
}

/*
 * First the lower bound, then the upper one. Where the release asks for the upper one first, that
 * shows when the lower one lies above it.
 */
static int clamped(struct builder *b, int v, int lo, int hi)
{
	int usual = two(b, EXPR_MIN, two(b, EXPR_MAX, v, lo), hi);
	int test, other;

	if (!b->in->clamp_hi_first || usual < 0) {
		return usual;
	}
	test = two(b, EXPR_LE, lo, hi);
	other = two(b, EXPR_GE, v, hi);
	other = other < 0 ? -1 : selection(b, other, hi, lo);
	return test < 0 || other < 0 ? -1 : selection(b, test, usual, other);
}

static int operation(struct builder *b, const struct zl_expr_ins *ins, int *stack, unsigned *top)
{
	unsigned kids = ins->op < EXPR_MUL ? 1 : ins->op < EXPR_CLAMP ? 2 : TREE_KIDS;
	const int *kid;

	if (*top < kids) {
		return -1;
	}
	*top -= kids;
	kid = &stack[*top];
	return kids == TREE_KIDS ? clamped(b, kid[0], kid[1], kid[2])
				 : with_kids(b, ins, kid, kids);
}

/* A side that decides alone is what is left of && and ||. */
static int logical(struct builder *b, int left, int right, bool is_and)
{
	struct tree *t = b->t;
	int64_t v;
	int at;

	if (zl_tree_is_const(t, left, &v)) {
		return (v != 0) == is_and ? right : left;
	}
	if (left >= 0 && zl_tree_is_const(t, right, &v) && (v != 0) == is_and &&
		t->node[left].safe && t->node[left].lo >= 0 && t->node[left].hi <= 1) {
		return left;
	}
	at = add_node(t, is_and ? TREE_AND : TREE_OR);
	if (at >= 0) {
		struct tree_node *n = &t->node[at];

		n->kid[0] = (int16_t)left;
		n->kid[1] = (int16_t)right;
		n->hi = 1;
		n->safe = t->node[left].safe && t->node[right].safe;
	}
	return at;
}

/* x == c ? c : x is x. */
static bool is_itself(const struct tree *t, int test, int yes, int no)
{
	const struct tree_node *n = &t->node[test];
	const struct tree_node *x = &t->node[no];
	int64_t c, v;

	while (n->op == EXPR_BOOL) {
		n = &t->node[n->kid[0]];
	}
	return n->op == EXPR_EQ && x->op == EXPR_SLOT && zl_tree_is_const(t, yes, &v) &&
	       zl_tree_is_slot(t, n->kid[0], (enum zl_policy_name_id)x->slot) &&
	       zl_tree_is_const(t, n->kid[1], &c) && c == v;
}

static int selection(struct builder *b, int test, int yes, int no)
{
	struct tree *t = b->t;
	int64_t v;
	int at;

	if (test < 0 || yes < 0 || no < 0) {
		return -1;
	}
	if (zl_tree_is_const(t, test, &v)) {
		return v != 0 ? yes : no;
	}
	if (is_itself(t, test, yes, no)) {
		return no;
	}
	at = add_node(t, TREE_SELECT);
	if (at >= 0) {
		struct tree_node *n = &t->node[at];
		const struct tree_node *y = &t->node[yes], *z = &t->node[no];

		n->kid[0] = (int16_t)test;
		n->kid[1] = (int16_t)yes;
		n->kid[2] = (int16_t)no;
		n->lo = smallest(y->lo, z->lo);
		n->hi = largest(y->hi, z->hi);
		n->safe = t->node[test].safe && y->safe && z->safe;
	}
	return at;
}

/* One instruction that is no jump. */
static int plain(struct builder *b, const struct zl_expr_ins *ins, int *stack, unsigned *top)
{
	int at;

	if (ins->op == EXPR_CONST) {
		at = add_node(b->t, EXPR_CONST);
		if (at >= 0) {
			make_const(&b->t->node[at], ins->value);
		}
	} else if (ins->op == EXPR_SLOT) {
		at = slot_node(b, ins);
	} else {
		at = operation(b, ins, stack, top);
	}
	return at;
}

/* Instructions @from up to @to leave one value: its node, or -1. */
static int build(struct builder *b, unsigned from, unsigned to)
{
	int stack[EXPR_STACK] = {0};
	unsigned top = 0;
	unsigned pc = from;

	while (pc < to) {
		const struct zl_expr_ins *ins = &b->code[pc];
		int at;

		if (ins->op == EXPR_AND_JUMP || ins->op == EXPR_OR_JUMP) {
			int right = build(b, pc + 1, ins->arg);

			top--;
			at = right < 0 ? -1
				       : logical(b, stack[top], right, ins->op == EXPR_AND_JUMP);
			pc = ins->arg;
		} else if (ins->op == EXPR_JUMP_ZERO) {
			unsigned end = b->code[ins->arg - 1].arg;
			int yes = build(b, pc + 1, ins->arg - 1);
			int no = build(b, ins->arg, end);

			top--;
			at = yes < 0 || no < 0 ? -1 : selection(b, stack[top], yes, no);
			pc = end;
		} else {
			at = plain(b, ins, stack, &top);
			pc++;
		}
		if (at < 0) {
			return -1;
		}
		stack[top++] = at;
	}
	return top == 1 ? stack[0] : -1;
}

bool zl_tree_build(struct tree *t, const struct zl_expr *e, const struct tree_in *in)
{
	struct builder b = {t, e->code, in};
	int root;

	t->nr = 0;
	root = build(&b, 0, e->nr_code);
	t->root = (int16_t)root;
	return root >= 0;
}

bool zl_tree_is_slot(const struct tree *t, int node, enum zl_policy_name_id id)
{
	return t->node[node].op == EXPR_SLOT && t->node[node].slot == id;
}

bool zl_tree_is_const(const struct tree *t, int node, int64_t *ret)
{
	*ret = t->node[node].value;
	return t->node[node].op == EXPR_CONST;
}

bool zl_tree_uses(const struct tree *t, int node, enum zl_policy_name_id id)
{
	const struct tree_node *n = &t->node[node];

	if (n->op == EXPR_SLOT) {
		return n->slot == id;
	}
	for (unsigned i = 0; i < TREE_KIDS; i++) {
		if (n->kid[i] >= 0 && zl_tree_uses(t, n->kid[i], id)) {
			return true;
		}
	}
	return false;
}
