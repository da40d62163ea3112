/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Integer expressions as C writes them: compiled once, evaluated often. They can do nothing but
 * compute: 64-bit integers, every overflow, division by zero and odd shift is an error.
 *
 * Operators of C (no assignment), ?:, casts to integer types, and
 *   min max min3 max3 clamp abs BIT READ_ONCE likely unlikely test_bit(bit, &word)
 *   min_t max_t clamp_t rounddown_pow_of_two roundup_pow_of_two ilog2
 * Numbers: decimal, 0x, with the suffixes of C, or with a unit: KiB MiB GiB TiB, ns us ms s
 * (bytes and nanoseconds). Names are the caller's; `->` reads as `.`.
 */
#ifndef ZONELAB_EXPR_H
#define ZONELAB_EXPR_H

#include "zonelab/error.h"
#include "zonelab/types.h"

/** Longest text, longest name, most instructions, deepest nesting. */
#define ZL_EXPR_TEXT_MAX  1024
#define ZL_EXPR_NAME_MAX  64
#define ZL_EXPR_CODE_MAX  256
#define ZL_EXPR_DEPTH_MAX 32

/** What a name stands for. */
struct zl_expr_name {
	bool constant;
	int64_t value; /* when constant */
	unsigned slot; /* else: index into the values given to zl_expr_eval() */
};

struct zl_expr_names {
	/**
	 * Resolves @name ("pcp.count", "pcp[1].high", "batch"). @via is the function around it in
	 * calls that the language does not know, and in min() and max() of one name; "" otherwise.
	 * A call of no arguments resolves "".
	 * Returns 0 or -ENOENT; then @err may hold a sentence (its position is filled in).
	 */
	int (*find)(void *user, const char *name, const char *via, struct zl_expr_name *ret,
		struct zl_error *err);
	void *user;
};

struct zl_expr_ins {
	uint8_t op;
	uint16_t column; /* of the operator, from 1 */
	uint32_t arg;	 /* slot, or where to jump */
	int64_t value;
};

struct zl_expr {
	struct zl_expr_ins *code; /* owned */
	unsigned nr_code;
};

/**
 * Compiles @text. @names may be NULL (no names).
 * Returns 0; -EINVAL with the column in @err; -E2BIG when it is too long or too deep; -ENOMEM.
 */
int zl_expr_compile(const char *text, const struct zl_expr_names *names,
	const struct zl_allocator *mem, struct zl_expr *ret, struct zl_error *err);
/** Accepts a zeroed expression. */
void zl_expr_done(struct zl_expr *e, const struct zl_allocator *mem);

/**
 * Computes the value. @slots are the values of the names by slot; may be NULL without names.
 * Returns 0; -ERANGE for an overflow or a shift outside 0..62; -EDOM for a division by zero;
 * @err (may be NULL) then holds a sentence with the column.
 */
int zl_expr_eval(const struct zl_expr *e, const int64_t *slots, int64_t *ret, struct zl_error *err);
/** Whether the value depends on nothing. */
bool zl_expr_constant(const struct zl_expr *e);
/** The slot that instruction @i reads, or -1. */
int zl_expr_slot(const struct zl_expr *e, unsigned i);

#endif
