/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions of compiled expressions: a stack machine with forward jumps only, so that every
 * evaluation ends.
 */
#ifndef MODEL_EXPR_CODE_H
#define MODEL_EXPR_CODE_H

enum expr_op {
	EXPR_CONST, /* push value */
	EXPR_SLOT,  /* push slots[arg] */
	/* one operand */
	EXPR_NEG,
	EXPR_NOT,
	EXPR_COMPL,
	EXPR_BOOL,
	EXPR_ABS,
	EXPR_BIT,
	EXPR_POW2DOWN,
	EXPR_POW2UP,
	EXPR_LOG2,
	EXPR_CAST, /* arg = enum expr_cast */
	/* two */
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_SHL,
	EXPR_SHR,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
	EXPR_EQ,
	EXPR_NE,
	EXPR_AND,
	EXPR_XOR,
	EXPR_OR,
	EXPR_MIN,
	EXPR_MAX,
	/* three */
	EXPR_CLAMP,
	/* jumps */
	EXPR_JUMP,	/* to arg */
	EXPR_JUMP_ZERO, /* pops; to arg if it was 0 */
	EXPR_AND_JUMP,	/* to arg if the top is 0, else pops */
	EXPR_OR_JUMP,	/* to arg if the top is not 0, else pops */
};

enum expr_cast { CAST_NONE, CAST_S8, CAST_U8, CAST_S16, CAST_U16, CAST_S32, CAST_U32, CAST_U64 };

/* Stack cells that no compiled expression exceeds. */
#define EXPR_STACK 128

#endif
