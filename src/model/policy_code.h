/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees that cannot fail as code for registers: comparisons that jump, no checks. Registers below
 * ZL_POLICY_NAMES are the names.
 */
#ifndef MODEL_POLICY_CODE_H
#define MODEL_POLICY_CODE_H

#include "policy_tree.h"

#define POLICY_CODE_MAX 48
/* Names that change from op to op: so many are there. */
#define POLICY_NAMES_MAX 16
#define POLICY_REGISTERS (ZL_POLICY_NAMES + 16)

struct policy_ins {
	uint8_t op;
	uint8_t to; /* register, or where a jump goes */
	uint8_t a, b;
	bool imm; /* the second operand is value, not register b */
	int64_t value;
};

struct policy_code {
	unsigned nr; /* 0 = there is none: the expression is interpreted */
	unsigned nr_names;
	uint8_t name[POLICY_NAMES_MAX]; /* registers that are read before they are written */
	struct policy_ins ins[POLICY_CODE_MAX];
};

/* Code that is short, as it is when more is known than limits. */
#define POLICY_SHORT_MAX   8
#define POLICY_SHORT_NAMES 4
struct policy_short {
	uint8_t nr; /* 0 = there is none */
	uint8_t nr_names;
	uint8_t name[POLICY_SHORT_NAMES];
	struct policy_ins ins[POLICY_SHORT_MAX];
};

/* Makes code of the tree below a node. False when it can fail or is too long. */
bool zl_policy_code_make(struct policy_code *c, const struct tree *t, int node);
/* The same code if it is short, else none. */
void zl_policy_code_shorten(struct policy_short *to, const struct policy_code *c);
/* @r holds the names that the code lists; r[0] may be anything. */
int64_t zl_policy_code_run(const struct policy_ins *code, int64_t *r);

#endif
