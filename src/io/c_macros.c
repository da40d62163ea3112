/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Macros of the kernel in C expressions: what they compute, in operators.
 */
#include <string.h>

#include "ctext.h"

#define ARGUMENTS_MAX 3

/* Macros by the figure that they give; x, y, z are the arguments. */
static const struct macro {
	const char *name;
	unsigned nr_arguments;
	const char *text;
	const char *any; /* when y is not known to be a power of two; NULL = the same */
	bool yes_or_no;	 /* of a symbol of Kconfig */
} macros[] = {
	{"READ_ONCE",	      1, "x",					   NULL,			    false},
	{"ACCESS_ONCE",	1, "x",					   NULL,			      false},
	{"likely",		   1, "x",					   NULL,			 false},
	{"unlikely",	     1, "x",					   NULL,			   false},
	{"data_race",	      1, "x",					   NULL,			    false},
	{"IS_ENABLED",	       1, "x",					   NULL,			     true },
	{"IS_BUILTIN",	       1, "x",					   NULL,			     true },
	{"__is_defined",	 1, "x",					   NULL,		       true },
	{"BIT",		1, "1 << x",				      NULL,			   false},
	{"mult_frac",	      3, "x * y / z",				      NULL,			    false},
	{"DIV_ROUND_UP",	 2, "(x + y - 1) / y",			       NULL,			     false},
	{"DIV_ROUND_CLOSEST", 2, "(x + y / 2) / y",				    NULL,			  false},
	{"roundup",	    2, "(x + y - 1) / y * y",			      NULL,			    false},
	{"rounddown",	      2, "x / y * y",				      NULL,			    false},
	{"ALIGN",		  2, "(x + y - 1) / y * y",			    "(x + (y - 1)) & ~(y - 1)", false},
	{"round_up",	     2, "(x + y - 1) / y * y",			       "((x - 1) | (y - 1)) + 1",  false},
	{"ALIGN_DOWN",	       2, "x / y * y",				       "x & ~(y - 1)",	       false},
	{"round_down",	       2, "x / y * y",				       "x & ~(y - 1)",	       false},
	{"min_not_zero",	 2, "x == 0 ? y : y == 0 ? x : min(x, y)",	   NULL,			 false},
	{"is_power_of_2",	  1, "x != 0 && (x & (x - 1)) == 0",		     NULL,			   false},
	{"order_base_2",	 1, "x > 1 ? ilog2(x - 1) + 1 : 0",		    NULL,			  false},
	{"PAGE_ALIGN",	       1, "(x + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE", NULL,		       false},
	{"PFN_UP",		   1, "(x + PAGE_SIZE - 1) >> PAGE_SHIFT",	   NULL,			 false},
	{"PFN_DOWN",	     1, "x >> PAGE_SHIFT",				   NULL,			 false},
};

/* Names of figures that are powers of two on every machine. */
static const char *const powers[] = {"pageblock_nr_pages", "PAGE_SIZE", "MAX_ORDER_NR_PAGES",
	"CMA_MIN_ALIGNMENT_PAGES", "CMA_MIN_ALIGNMENT_BYTES", "PMD_SIZE", "PAGES_PER_SECTION"};

static bool is_power(const struct c_node *n)
{
	if (n->op == C_NUMBER) {
		return n->value > 0 && (n->value & (n->value - 1)) == 0;
	}
	if (n->op == C_LEFT) {
		return is_power(n->kid[0]);
	}
	for (unsigned i = 0; n->op == C_PRODUCT && i < n->nr_kids; i++) {
		if (!is_power(n->kid[i])) {
			return false;
		}
	}
	for (size_t i = 0; n->op == C_NAME && i < sizeof(powers) / sizeof(powers[0]); i++) {
		if (strcmp(n->name, powers[i]) == 0) {
			return true;
		}
	}
	return n->op == C_PRODUCT;
}

/* The argument that a name of the text stands for, NULL if none. */
static struct c_node *argument(const struct c_node *n, const struct c_node *call)
{
	unsigned i = n->op == C_NAME && n->name[0] != '\0' && n->name[1] == '\0'
			     ? (unsigned)(n->name[0] - 'x')
			     : ARGUMENTS_MAX;

	return i < call->nr_kids ? call->kid[i] : NULL;
}

/* The text with its arguments, in the form in which c_node_two() keeps chains. */
static struct c_node *fill(struct c_builder *b, struct c_node *n, const struct c_node *call)
{
	struct c_node *kid[ARGUMENTS_MAX + 1], *ret = argument(n, call);

	if (ret != NULL || n->nr_kids == 0 || n->nr_kids > ARGUMENTS_MAX + 1) {
		return ret != NULL ? ret : n;
	}
	for (unsigned i = 0; i < n->nr_kids; i++) {
		kid[i] = fill(b, n->kid[i], call);
	}
	if (n->op == C_CALL || n->op == C_TERNARY) {
		ret = c_node_like(b, n);
		for (unsigned i = 0; ret != NULL && i < n->nr_kids; i++) {
			ret->kid[i] = kid[i];
			ret = kid[i] != NULL ? ret : NULL;
		}
		return ret;
	}
	if (n->nr_kids == 1) {
		return c_node_one(b, n->op, kid[0]);
	}
	ret = kid[0];
	for (unsigned i = 1; i < n->nr_kids; i++) {
		ret = c_node_two(b, n->op, ret, kid[i]);
	}
	return ret;
}

/* A symbol that is asked whether it is set; its value tells it from one that is a number. */
static struct c_node *symbol(struct c_builder *b, const struct c_node *name)
{
	struct c_node *ret = c_node_like(b, name);

	if (ret != NULL) {
		ret->value = 1;
		for (unsigned i = 0; i < name->nr_kids; i++) {
			ret->kid[i] = name->kid[i];
		}
	}
	return ret;
}

struct c_node *c_macro(struct c_builder *b, struct c_node *call)
{
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		const struct macro *m = &macros[i];
		struct c_node *text;

		if (call->nr_kids != m->nr_arguments || strcmp(call->name, m->name) != 0) {
			continue;
		}
		if (m->text[1] == '\0') { /* "x": nothing is computed */
			return m->yes_or_no ? symbol(b, call->kid[0]) : call->kid[0];
		}
		text = c_expression_text(
			b, m->any != NULL && !is_power(call->kid[1]) ? m->any : m->text);
		return text != NULL ? fill(b, text, call) : NULL;
	}
	return call;
}
