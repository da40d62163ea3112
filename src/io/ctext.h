/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C as far as patches need it: words, expressions and statements of fragments that begin and end
 * anywhere. What is not understood is left out and known as such; nothing is executed or expanded.
 */
#ifndef ZONELAB_IO_CTEXT_H
#define ZONELAB_IO_CTEXT_H

#include "arena.h"
#include "zonelab/error.h"
#include "zonelab/types.h"

/* Limits of one fragment. */
#define C_TOKENS_MAX 32768
#define C_NODES_MAX  65536
#define C_DEPTH_MAX  64
#define C_BLOCKS_MAX 64	 /* nested braces */
#define C_TEXT_MAX   900 /* an expression written out */

/* --- words --- */

enum c_word {
	C_WORD_END,
	C_WORD_NAME,
	C_WORD_NUMBER,
	C_WORD_STRING,
	C_WORD_MARK,	  /* punctuation */
	C_WORD_DIRECTIVE, /* #ifdef and the like, whole line */
	C_WORD_DEFINE,	  /* #define: the macro's name; its words follow up to ... */
	C_WORD_DEFINE_END
};

struct c_token {
	enum c_word kind;
	uint32_t len;
	uint32_t row; /* of the fragment's lines */
	const char *s;
	bool call; /* of C_WORD_DEFINE: a bracket follows at once */
};

/* One line of a fragment. */
struct c_line {
	const char *s;
	size_t len;
	uint32_t row; /* any number of the caller's */
};

struct c_tokens {
	struct c_token *t; /* ends with C_WORD_END */
	size_t n;
};
bool c_is_word_char(char c);
/* Splits lines into words, comments left out. Returns 0, -E2BIG or -ENOMEM. */
int c_lex(const struct c_line *lines, size_t n, struct zl_arena *arena, struct c_tokens *ret);
bool c_is(const struct c_token *t, const char *s);

/* --- expressions --- */

enum c_op {
	C_NUMBER,
	C_NAME, /* `name`: "batch", "pcp->flags" */
	C_STRING,
	C_CALL,	  /* `name` and arguments */
	C_MEMBER, /* kid[0] and `name` with its mark: "->batch" */
	C_INDEX,
	C_NOT,
	C_INVERT,
	C_NEGATE,
	C_ADDRESS,
	C_DEREF,
	C_CAST, /* to a type narrower than int: `name` */
	C_SUM,	/* two or more; C_NEGATE of what is subtracted */
	C_PRODUCT,
	C_DIVIDE,
	C_MODULO,
	C_LEFT,
	C_RIGHT,
	C_LESS,
	C_LESS_EQUAL,
	C_GREATER,
	C_GREATER_EQUAL,
	C_EQUAL,
	C_NOT_EQUAL,
	C_BIT_AND,
	C_BIT_XOR,
	C_BIT_OR,
	C_AND, /* two or more */
	C_OR,
	C_TERNARY
};

struct c_node {
	enum c_op op;
	const char *name;
	int64_t value;
	struct c_node **kid;
	unsigned nr_kids;
};

/* Builds nodes; `failed` says that memory or a limit ended it. */
struct c_builder {
	struct zl_arena *arena;
	unsigned nodes;
	int failed; /* 0, -ENOMEM or -E2BIG */
};

/* A cursor over words. */
struct c_cursor {
	struct c_builder *b;
	const struct c_token *t;
	const char *why;	  /* what was not understood; NULL = nothing yet */
	const struct c_token *at; /* where */
	unsigned depth;
};

/*
 * Reads an expression without commas and assignments and moves behind it; NULL when it is none
 * (then `why` says why). Macros that change nothing (READ_ONCE, likely), brackets and casts to int
 * and wider types are gone; min_t(type, a, b) is min(a, b); `x << 3` is x * 8.
 */
struct c_node *c_expression(struct c_cursor *c);
/* The same from a whole text. */
struct c_node *c_expression_text(struct c_builder *b, const char *text);
struct c_node *c_node_new(struct c_builder *b, enum c_op op, unsigned nr_kids);
/* A node with the operator, name and value of another one and room for as many kids. */
struct c_node *c_node_like(struct c_builder *b, const struct c_node *n);
/* The whole tree again. */
struct c_node *c_node_copy(struct c_builder *b, const struct c_node *n);
struct c_node *c_node_number(struct c_builder *b, int64_t v);
struct c_node *c_node_name(struct c_builder *b, const char *s, size_t n);
struct c_node *c_node_one(struct c_builder *b, enum c_op op, struct c_node *kid);
struct c_node *c_node_two(
	struct c_builder *b, enum c_op op, struct c_node *left, struct c_node *right);
/* A call of a macro of the kernel as what it computes; @call itself when it is none. NULL: failed. */
struct c_node *c_macro(struct c_builder *b, struct c_node *call);
/* Writes it as C; false when it does not fit. */
bool c_write(const struct c_node *n, char *buf, size_t size);

/*
 * Comparing by meaning: the order of operands and the direction of comparisons do not count. The
 * caller says which names are the same thing, and which names of @code may stand for any part of
 * @rule (then the same one everywhere).
 */
#define C_VARIABLES_MAX 8
struct c_env {
	/* NULL = spelling decides. Leaves are names and whole calls. */
	bool (*same_leaf)(void *user, const struct c_node *rule, const struct c_node *code);
	bool (*is_variable)(void *user, const char *name); /* NULL = there are none */
	void *user;
	unsigned nr_variables, steps;
	const char *variable[C_VARIABLES_MAX];
	const struct c_node *value[C_VARIABLES_MAX];
};
bool c_match(const struct c_node *rule, const struct c_node *code, struct c_env *env);
/* Matches the terms of @code, a chain, among those of @rule, a chain of the same operator; @ret_used
 * says which terms of the rule they are. */
bool c_match_terms(const struct c_node *rule, const struct c_node *code, struct c_env *env,
	uint32_t *ret_used);
bool c_same(const struct c_node *a, const struct c_node *b);
/* Number of nodes. */
unsigned c_weight(const struct c_node *n);

/* --- statements --- */

enum c_fact_kind {
	C_FACT_ASSIGN, /* `lhs` becomes `expr`; += and the like, ++ and initial values are written out */
	C_FACT_RETURN,
	C_FACT_COND,  /* of if and while */
	C_FACT_CALL,  /* a call for its effect */
	C_FACT_MACRO, /* `lhs` stands for `expr` */
	C_FACT_OTHER  /* not understood: `why` */
};

/* A condition that a statement stands under. */
struct c_guard {
	const struct c_node *cond; /* NULL = not understood or not seen */
	bool negated;		   /* an else */
	const struct c_guard *outer;
};

struct c_fact {
	enum c_fact_kind kind;
	const char *function; /* "" outside of functions */
	const char *lhs; /* "pcp->high"; name of a macro or of a variable with an initial value */
	struct c_node *expr;
	const struct c_guard *guard;
	const char *why;      /* of C_FACT_OTHER */
	uint32_t first, last; /* rows */
	bool declaration;     /* with type */
	bool file_scope;
};

/* Parameters of a function whose definition begins in the fragment. */
#define C_PARAMETERS_MAX 12
struct c_function {
	const char *name;
	unsigned nr_parameters;
	const char *parameter[C_PARAMETERS_MAX];
	uint32_t row;
};

struct c_facts {
	struct c_fact *fact;
	size_t nr_facts;
	struct c_function *function;
	size_t nr_functions;
};
/* Reads a fragment; @function is the one it begins in, "" = unknown. Returns 0, -E2BIG, -ENOMEM. */
int c_read_facts(struct c_builder *b, const struct c_tokens *words, const char *function,
	struct c_facts *ret);
/* The name of the function in a line like "static int f(struct zone *zone,"; "" if there is none. */
const char *c_function_name(struct zl_arena *arena, const char *line);

#endif
