/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of an expression: numbers with units, names with members, signs of C.
 */
#ifndef MODEL_EXPR_LEX_H
#define MODEL_EXPR_LEX_H

#include "zonelab/expr.h"

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_BAD };

struct token {
	enum token_kind kind;
	unsigned start; /* byte in the text */
	unsigned len;
	int64_t value;		     /* NUMBER */
	char name[ZL_EXPR_NAME_MAX]; /* NAME, with -> as . */
};

/* Where in a text, and the word that stands there. */
struct lexer {
	const char *text;
	unsigned pos; /* behind the token */
	struct token token;
	struct zl_error *err;
};

/* Takes the next token. Returns 0 or -EINVAL. */
int zl_lex(struct lexer *l);
/* Whether the token is that sign. */
bool zl_lex_at(const struct lexer *l, const char *sign);
/* Fails at a byte of the text. Returns -EINVAL. */
int zl_lex_fail(struct lexer *l, unsigned start, const char *what);

#endif
