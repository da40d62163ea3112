/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A compiled expression as a tree, with what is known put in: constants folded, and the range of
 * every value, so that what cannot overflow need not be checked.
 */
#ifndef MODEL_POLICY_TREE_H
#define MODEL_POLICY_TREE_H

#include "expr_code.h"
#include "zonelab/policy.h"

/* Operators beyond those of the instructions. */
enum tree_op { TREE_AND = EXPR_OR_JUMP + 1, TREE_OR, TREE_SELECT };

#define TREE_NODES ZL_EXPR_CODE_MAX
#define TREE_KIDS  3

struct tree_node {
	uint8_t op;   /* enum expr_op (no jumps) or enum tree_op */
	uint8_t slot; /* SLOT: name; CAST: type */
	int16_t kid[TREE_KIDS];
	int64_t value;	/* CONST */
	int64_t lo, hi; /* of the value, valid if it is safe */
	bool safe;	/* no operand can make it fail */
};

struct tree {
	struct tree_node node[TREE_NODES];
	unsigned nr;
	int16_t root;
};

/*
 * What is known about names when a tree is made. `clamp` by the release's rule: with its lower
 * bound above the upper one the answer differs.
 */
struct tree_in {
	const int64_t *slots; /* values of those that are not LIVE */
	uint64_t fixed;	      /* bits of LIVE names that have one there too */
	bool clamp_hi_first;
};

/* Returns false when the expression cannot be put into a tree (it is then interpreted). */
bool zl_tree_build(struct tree *t, const struct zl_expr *e, const struct tree_in *in);
bool zl_tree_is_slot(const struct tree *t, int node, enum zl_policy_name_id id);
bool zl_tree_is_const(const struct tree *t, int node, int64_t *ret);
/* Whether a name occurs below the node. */
bool zl_tree_uses(const struct tree *t, int node, enum zl_policy_name_id id);

#endif
