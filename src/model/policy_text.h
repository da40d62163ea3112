/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a policy: parts of it with their columns, statements made expressions.
 */
#ifndef MODEL_POLICY_TEXT_H
#define MODEL_POLICY_TEXT_H

#include "zonelab/policy.h"

/* A part of a text, not terminated. */
struct zl_policy_text {
	const char *start; /* NULL = there is none */
	size_t len;
	unsigned column; /* of start in what the user wrote, from 0 */
};

/* Without blanks and a last semicolon around it. */
struct zl_policy_text zl_policy_text_trim(const char *text, size_t len, unsigned column);
bool zl_policy_text_is(const struct zl_policy_text *t, const char *word);
/*
 * Splits "WORD = REST"; @ret_rest has no start when nothing follows the word. False when there is
 * no '=' and the word is not a decision point: then it can only be a name.
 */
bool zl_policy_text_split(const struct zl_policy_text *t, char *ret_word, size_t size,
	struct zl_policy_text *ret_rest);
/* Compiles an expression, or a statement on the point's target. */
int zl_policy_compile_text(enum zl_point p, const struct zl_policy_text *text,
	const struct zl_allocator *mem, struct zl_expr *ret, struct zl_error *err);

#endif
