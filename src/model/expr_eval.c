/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluation of compiled expressions. Arithmetic is checked before it is done, without compiler
 * extensions.
 */
#include <errno.h>
#include <string.h>

#include "expr_code.h"
#include "zonelab/expr.h"

#define SHIFT_MAX 62

static int add(int64_t a, int64_t b, int64_t *ret)
{
	if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
		return -ERANGE;
	}
	*ret = a + b;
	return 0;
}

static int sub(int64_t a, int64_t b, int64_t *ret)
{
	if ((b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b)) {
		return -ERANGE;
	}
	*ret = a - b;
	return 0;
}

static int mul(int64_t a, int64_t b, int64_t *ret)
{
	bool fits;

	if (a == 0 || b == 0) {
		*ret = 0;
		return 0;
	}
	if (a > 0) {
		fits = b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a;
	} else {
		fits = b > 0 ? a >= INT64_MIN / b : b >= INT64_MAX / a;
	}
	if (!fits) {
		return -ERANGE;
	}
	*ret = a * b;
	return 0;
}

static int divide(int64_t a, int64_t b, bool remainder, int64_t *ret)
{
	if (b == 0) {
		return -EDOM;
	}
	if (b == -1) {
		if (remainder) {
			*ret = 0;
			return 0;
		}
		return sub(0, a, ret);
	}
	*ret = remainder ? a % b : a / b;
	return 0;
}

static int shift(int64_t a, int64_t b, bool left, int64_t *ret)
{
	if (b < 0 || b > SHIFT_MAX) {
		return -ERANGE;
	}
	if (left) {
		return mul(a, INT64_C(1) << b, ret);
	}
	/* Arithmetic shift, as every compiler of the kernel does it. */
	*ret = a >= 0 ? a >> b : -((-(a + 1)) >> b) - 1;
	return 0;
}

static int cast(int64_t a, uint32_t type)
{
	static const struct {
		int64_t lo, hi;
	} range[] = {
		[CAST_NONE] = {INT64_MIN, INT64_MAX },
		[CAST_S8] = {INT8_MIN,  INT8_MAX  },
		[CAST_U8] = {0,		UINT8_MAX },
		[CAST_S16] = {INT16_MIN, INT16_MAX },
		[CAST_U16] = {0,	 UINT16_MAX},
		[CAST_S32] = {INT32_MIN, INT32_MAX },
		[CAST_U32] = {0,	 UINT32_MAX},
		[CAST_U64] = {0,	 INT64_MAX },
	};

	return a >= range[type].lo && a <= range[type].hi ? 0 : -ERANGE;
}

/* Number of the highest bit of a number above 0. */
static int64_t log_2(int64_t a)
{
	int64_t n = 0;

	while (a > 1) {
		a /= 2;
		n++;
	}
	return n;
}

/* What is left of a number above 0 by functions of powers of two. */
static int power(unsigned op, int64_t a, int64_t *ret)
{
	if (a <= 0) {
		return -EDOM;
	}
	if (op == EXPR_LOG2) {
		*ret = log_2(a);
		return 0;
	}
	return shift(1, op == EXPR_POW2UP && a > 1 ? log_2(a - 1) + 1 : log_2(a), true, ret);
}

/* The analyser cannot see that what compiles never reads above the stack. */
/* NOLINTBEGIN(clang-analyzer-core.*) */
static int unary(const struct zl_expr_ins *ins, int64_t *a)
{
	switch (ins->op) {
	case EXPR_NEG:
		return sub(0, *a, a);
	case EXPR_NOT:
		*a = *a == 0;
		return 0;
	case EXPR_COMPL:
		*a = ~*a;
		return 0;
	case EXPR_BOOL:
		*a = *a != 0;
		return 0;
	case EXPR_ABS:
		return *a < 0 ? sub(0, *a, a) : 0;
	case EXPR_BIT:
		return shift(1, *a, true, a);
	case EXPR_POW2DOWN:
	case EXPR_POW2UP:
	case EXPR_LOG2:
		return power(ins->op, *a, a);
	default: /* EXPR_CAST */
		return cast(*a, ins->arg);
	}
}

static int64_t compare_or_bits(unsigned op, int64_t a, int64_t b)
{
	switch (op) {
	case EXPR_LT:
		return a < b;
	case EXPR_LE:
		return a <= b;
	case EXPR_GT:
		return a > b;
	case EXPR_GE:
		return a >= b;
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_AND:
		return a & b;
	case EXPR_XOR:
		return a ^ b;
	case EXPR_OR:
		return a | b;
	case EXPR_MIN:
		return a < b ? a : b;
	default: /* EXPR_MAX */
		return a > b ? a : b;
	}
}

static int binary(unsigned op, int64_t *a, int64_t b)
{
	switch (op) {
	case EXPR_MUL:
		return mul(*a, b, a);
	case EXPR_DIV:
	case EXPR_MOD:
		return divide(*a, b, op == EXPR_MOD, a);
	case EXPR_ADD:
		return add(*a, b, a);
	case EXPR_SUB:
		return sub(*a, b, a);
	case EXPR_SHL:
	case EXPR_SHR:
		return shift(*a, b, op == EXPR_SHL, a);
	default:
		*a = compare_or_bits(op, *a, b);
		return 0;
	}
}

/* Takes a jump or not; @ret_top is the stack after it. */
static unsigned jump(
	const struct zl_expr_ins *ins, unsigned pc, const int64_t *top, unsigned *ret_pop)
{
	bool taken = true;

	*ret_pop = 0;
	if (ins->op == EXPR_JUMP_ZERO) {
		taken = *top == 0;
		*ret_pop = 1;
	} else if (ins->op != EXPR_JUMP) {
		taken = (*top == 0) == (ins->op == EXPR_AND_JUMP);
		*ret_pop = taken ? 0 : 1;
	}
	return taken ? ins->arg : pc + 1;
}

/* As the macro does it: first the lower bound, then the upper one. */
static int64_t clamped(int64_t v, int64_t lo, int64_t hi)
{
	v = v > lo ? v : lo;
	return v < hi ? v : hi;
}

static int fail(int rc, const struct zl_expr_ins *ins, struct zl_error *err)
{
	if (rc == -EDOM) {
		zl_error_set(err, 0, ins->column, "%s",
			ins->op == EXPR_POW2DOWN ? "a power of two below a number under 1"
			: ins->op == EXPR_POW2UP ? "a power of two above a number under 1"
			: ins->op == EXPR_LOG2	 ? "the logarithm of a number under 1"
						 : "division by zero");
	} else if (ins->op == EXPR_SHL || ins->op == EXPR_SHR || ins->op == EXPR_BIT) {
		zl_error_set(err, 0, ins->column,
			"the shift does not fit; 0 to %d bits within 64 are possible", SHIFT_MAX);
	} else {
		zl_error_set(err, 0, ins->column,
			ins->op == EXPR_CAST ? "the value does not fit the type of the cast"
					     : "the result does not fit 64 bits");
	}
	return rc;
}

int zl_expr_eval(const struct zl_expr *e, const int64_t *slots, int64_t *ret, struct zl_error *err)
{
	int64_t stack[EXPR_STACK];
	unsigned top = 0; /* cells in use */
	unsigned pc = 0;
	unsigned pop;
	int rc = 0;

#ifdef __clang_analyzer__
	/* Code that compiles takes no more than there is; that cannot be seen from here. */
	memset(stack, 0, sizeof(stack));
#endif
	while (pc < e->nr_code) {
		const struct zl_expr_ins *ins = &e->code[pc];
		unsigned op = ins->op;

		if (op >= EXPR_JUMP) {
			pc = jump(ins, pc, &stack[top > 0 ? top - 1 : 0], &pop);
			top -= pop;
			continue;
		}
		if (op <= EXPR_SLOT) {
			stack[top++] = op == EXPR_CONST ? ins->value : slots[ins->arg];
		} else if (op < EXPR_MUL) {
			rc = unary(ins, &stack[top - 1]);
		} else if (op < EXPR_CLAMP) {
			top--;
			rc = binary(op, &stack[top - 1], stack[top]);
		} else {
			top -= 2;
			stack[top - 1] = clamped(stack[top - 1], stack[top], stack[top + 1]);
		}
		if (rc != 0) {
			return fail(rc, ins, err);
		}
		pc++;
	}
	*ret = stack[0]; /* cppcheck-suppress uninitvar ; code that compiles leaves one value */
	return 0;
}

/* NOLINTEND(clang-analyzer-core.*) */

bool zl_expr_constant(const struct zl_expr *e)
{
	for (unsigned i = 0; i < e->nr_code; i++) {
		if (e->code[i].op == EXPR_SLOT) {
			return false;
		}
	}
	return true;
}

int zl_expr_slot(const struct zl_expr *e, unsigned i)
{
	return e->code[i].op == EXPR_SLOT ? (int)e->code[i].arg : -1;
}
