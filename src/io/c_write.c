/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions written out, with brackets where they are needed or help.
 */
#include "ctext.h"
#include "zonelab/text.h"

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
	switch ((unsigned)n->op) {
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
	default: /* the operators between two operands */
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
