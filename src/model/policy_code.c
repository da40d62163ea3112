/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy_code.h"

#include <string.h>

/* Operations beyond those of the tree. */
enum code_op {
	CODE_RETURN = TREE_SELECT + 1,
	CODE_MOVE,
	CODE_GOTO,
	/* to `to` if the comparison holds */
	CODE_JUMP_LT,
	CODE_JUMP_LE,
	CODE_JUMP_GT,
	CODE_JUMP_GE,
	CODE_JUMP_EQ,
	CODE_JUMP_NE,
	CODE_JUMP_BITS,	   /* a & b is not 0 */
	CODE_JUMP_NO_BITS, /* is 0 */
};

/* Where a jump goes that is not placed yet: labels count down from here. */
#define LABELS 64

struct maker {
	struct policy_code *c;
	const struct tree *t;
	uint8_t label[LABELS]; /* place */
	uint8_t jump_label[POLICY_CODE_MAX];
	unsigned nr_labels;
	unsigned temps;
	bool failed;
};

struct operand {
	bool imm;
	uint8_t reg;
	int64_t value;
};

static struct policy_ins *emit(struct maker *m, unsigned op)
{
	struct policy_ins *i = &m->c->ins[m->c->nr];

	if (m->c->nr == POLICY_CODE_MAX) {
		m->failed = true;
		m->c->nr--;
		i--;
	}
	memset(i, 0, sizeof(*i));
	i->op = (uint8_t)op;
	m->c->nr++;
	return i;
}

static uint8_t new_label(struct maker *m)
{
	if (m->nr_labels == LABELS) {
		m->failed = true;
		return 0;
	}
	return (uint8_t)m->nr_labels++;
}

static void place(struct maker *m, uint8_t label)
{
	m->label[label] = (uint8_t)m->c->nr;
}

static void emit_jump(struct maker *m, unsigned op, uint8_t label, uint8_t a, struct operand b)
{
	struct policy_ins *i = emit(m, op);

	i->a = a;
	i->b = b.reg;
	i->imm = b.imm;
	i->value = b.value;
	m->jump_label[m->c->nr - 1] = label;
}

static uint8_t new_temp(struct maker *m)
{
	if (ZL_POLICY_NAMES + m->temps == POLICY_REGISTERS) {
		m->failed = true;
		return ZL_POLICY_NAMES;
	}
	return (uint8_t)(ZL_POLICY_NAMES + m->temps++);
}

static void make_value(struct maker *m, int node, uint8_t to);

static struct operand operand(struct maker *m, int node)
{
	const struct tree_node *n = &m->t->node[node];
	struct operand o = {false, 0, 0};

	if (n->op == EXPR_CONST) {
		o.imm = true;
		o.value = n->value;
	} else if (n->op == EXPR_SLOT) {
		o.reg = n->slot;
	} else {
		o.reg = new_temp(m);
		make_value(m, node, o.reg);
	}
	return o;
}

/* The same, always in a register. */
static uint8_t in_register(struct maker *m, int node)
{
	struct operand o = operand(m, node);

	if (o.imm) {
		struct policy_ins *i;

		o.reg = new_temp(m);
		i = emit(m, CODE_MOVE);
		i->to = o.reg;
		i->imm = true;
		i->value = o.value;
	}
	return o.reg;
}

static unsigned jump_op(unsigned op, bool when)
{
	static const struct {
		uint8_t op, yes, no;
	} rows[] = {
		{EXPR_LT,  CODE_JUMP_LT,	CODE_JUMP_GE	    },
		{EXPR_LE,  CODE_JUMP_LE,	CODE_JUMP_GT	    },
		{EXPR_GT,  CODE_JUMP_GT,	CODE_JUMP_LE	    },
		{EXPR_GE,  CODE_JUMP_GE,	CODE_JUMP_LT	    },
		{EXPR_EQ,  CODE_JUMP_EQ,	CODE_JUMP_NE	    },
		{EXPR_NE,  CODE_JUMP_NE,	CODE_JUMP_EQ	    },
		{EXPR_AND, CODE_JUMP_BITS, CODE_JUMP_NO_BITS},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].op == op) {
			return when ? rows[i].yes : rows[i].no;
		}
	}
	return 0;
}

/* Jumps to the label when the node's truth is @when, else goes on. */
static void make_jump(struct maker *m, int node, bool when, uint8_t label)
{
	const struct tree_node *n = &m->t->node[node];
	const struct operand zero = {true, 0, 0};
	unsigned op = jump_op(n->op, when);
	unsigned temps = m->temps;

	if (op != 0) {
		uint8_t a = in_register(m, n->kid[0]);

		emit_jump(m, op, label, a, operand(m, n->kid[1]));
	} else if (n->op == EXPR_NOT || n->op == EXPR_BOOL) {
		make_jump(m, n->kid[0], n->op == EXPR_NOT ? !when : when, label);
	} else if ((n->op == TREE_AND || n->op == TREE_OR) && (n->op == TREE_OR) == when) {
		make_jump(m, n->kid[0], when, label);
		make_jump(m, n->kid[1], when, label);
	} else if (n->op == TREE_AND || n->op == TREE_OR) {
		uint8_t over = new_label(m);

		make_jump(m, n->kid[0], !when, over);
		make_jump(m, n->kid[1], when, label);
		place(m, over);
	} else {
		emit_jump(m, when ? CODE_JUMP_NE : CODE_JUMP_EQ, label, in_register(m, node), zero);
	}
	m->temps = temps;
}

static bool is_truth(unsigned op)
{
	return op == TREE_AND || op == TREE_OR || op == EXPR_NOT || op == EXPR_BOOL ||
	       (op >= EXPR_LT && op <= EXPR_NE);
}

static void make_truth(struct maker *m, int node, uint8_t to)
{
	uint8_t end = new_label(m);

	for (unsigned v = 0; v < 2; v++) {
		struct policy_ins *i = emit(m, CODE_MOVE);

		i->to = to;
		i->imm = true;
		i->value = v;
		if (v == 0) {
			/* The operands are read before the register is 1, never after. */
			make_jump(m, node, false, end);
		}
	}
	place(m, end);
}

static void make_select(struct maker *m, const struct tree_node *n, uint8_t to)
{
	uint8_t no = new_label(m), end = new_label(m);
	const struct operand none = {true, 0, 0};

	make_jump(m, n->kid[0], false, no);
	make_value(m, n->kid[1], to);
	emit_jump(m, CODE_GOTO, end, 0, none);
	place(m, no);
	make_value(m, n->kid[2], to);
	place(m, end);
}

static void make_operation(struct maker *m, const struct tree_node *n, uint8_t to)
{
	unsigned temps = m->temps;
	uint8_t a = in_register(m, n->kid[0]);
	struct operand b = {true, 0, 0};
	struct policy_ins *i;

	if (n->kid[1] >= 0) {
		b = operand(m, n->kid[1]);
	}
	i = emit(m, n->op);
	i->to = to;
	i->a = a;
	i->b = b.reg;
	i->imm = b.imm;
	i->value = b.value;
	m->temps = temps;
}

static void make_value(struct maker *m, int node, uint8_t to)
{
	const struct tree_node *n = &m->t->node[node];

	if (n->op == EXPR_CONST || n->op == EXPR_SLOT) {
		struct policy_ins *i = emit(m, CODE_MOVE);

		i->to = to;
		i->a = n->slot;
		i->b = n->slot;
		i->imm = n->op == EXPR_CONST;
		i->value = n->value;
	} else if (n->op == TREE_SELECT) {
		make_select(m, n, to);
	} else if (is_truth(n->op)) {
		make_truth(m, node, to);
	} else {
		make_operation(m, n, to);
	}
}

static void make_return(struct maker *m, int node)
{
	struct operand o;
	struct policy_ins *i;

	if (m->t->node[node].op == TREE_SELECT) {
		uint8_t no = new_label(m);

		make_jump(m, m->t->node[node].kid[0], false, no);
		make_return(m, m->t->node[node].kid[1]);
		place(m, no);
		make_return(m, m->t->node[node].kid[2]);
		return;
	}
	if (is_truth(m->t->node[node].op)) {
		uint8_t no = new_label(m);

		make_jump(m, node, false, no);
		i = emit(m, CODE_RETURN);
		i->imm = true;
		i->value = 1;
		place(m, no);
		i = emit(m, CODE_RETURN);
		i->imm = true;
		return;
	}
	o = operand(m, node);
	i = emit(m, CODE_RETURN);
	i->b = o.reg;
	i->imm = o.imm;
	i->value = o.value;
}

bool zl_policy_code_make(struct policy_code *c, const struct tree *t, int node)
{
	struct maker m = {.c = c, .t = t};

	c->nr = c->nr_names = 0;
	if (!t->node[node].safe) {
		return false;
	}
	make_return(&m, node);
	for (unsigned i = 0; i < c->nr && !m.failed; i++) {
		if (c->ins[i].op >= CODE_GOTO) {
			c->ins[i].to = m.label[m.jump_label[i]];
		}
	}
	for (unsigned id = 0; id < ZL_POLICY_NAMES && !m.failed; id++) {
		if (!zl_tree_uses(t, node, (enum zl_policy_name_id)id)) {
			continue;
		}
		m.failed = c->nr_names == POLICY_NAMES_MAX;
		if (!m.failed) {
			c->name[c->nr_names++] = (uint8_t)id;
		}
	}
	if (m.failed) {
		c->nr = 0;
	}
	return !m.failed;
}

static int64_t shift_right(int64_t a, int64_t b)
{
	/* Arithmetic shift, as every compiler of the kernel does it. */
	return a >= 0 ? a >> b : -((-(a + 1)) >> b) - 1;
}

#define JUMP(name, comparison)                                                                     \
	case CODE_JUMP_##name:                                                                     \
		i = (comparison) ? code + i->to : i + 1;                                           \
		continue
#define COMPUTE(name, value)                                                                       \
	case EXPR_##name:                                                                          \
		r[i->to] = (value);                                                                \
		break

void zl_policy_code_shorten(struct policy_short *to, const struct policy_code *c)
{
	memset(to, 0, sizeof(*to));
	if (c->nr > POLICY_SHORT_MAX || c->nr_names > POLICY_SHORT_NAMES) {
		return;
	}
	to->nr = (uint8_t)c->nr;
	to->nr_names = (uint8_t)c->nr_names;
	memcpy(to->name, c->name, c->nr_names);
	memcpy(to->ins, c->ins, c->nr * sizeof(c->ins[0]));
}

/* One switch over all instructions is how such a loop is quick and how it reads best. */
/* NOLINTNEXTLINE(readability-function-cognitive-complexity) */
int64_t zl_policy_code_run(const struct policy_ins *code, int64_t *r)
{
	const struct policy_ins *i = code;

	for (;;) {
		int64_t a = r[i->a];
		int64_t b = i->imm ? i->value : r[i->b];

		switch (i->op) {
			JUMP(LT, a < b);
			JUMP(LE, a <= b);
			JUMP(GT, a > b);
			JUMP(GE, a >= b);
			JUMP(EQ, a == b);
			JUMP(NE, a != b);
			JUMP(BITS, (a & b) != 0);
			JUMP(NO_BITS, (a & b) == 0);
		case CODE_GOTO:
			i = code + i->to;
			continue;
		case CODE_RETURN:
			return b;
			COMPUTE(ADD, a + b);
			COMPUTE(SUB, a - b);
			COMPUTE(MUL, a * b);
			COMPUTE(DIV, a / b);
			COMPUTE(MOD, a % b);
			COMPUTE(SHL, a * (INT64_C(1) << b));
			COMPUTE(SHR, shift_right(a, b));
			COMPUTE(AND, a & b);
			COMPUTE(OR, a | b);
			COMPUTE(XOR, a ^ b);
			COMPUTE(MIN, a < b ? a : b);
			COMPUTE(MAX, a > b ? a : b);
			COMPUTE(NEG, -a);
			COMPUTE(BIT, INT64_C(1) << a);
		default: /* CODE_MOVE */
			r[i->to] = b;
			break;
		}
		i++;
	}
}
