/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiler of expressions: precedence climbing straight into instructions. `cells` follows
 * the stack of the machine, so that an expression that compiles cannot exceed it.
 */
#include "zonelab/expr.h"

#include <errno.h>
#include <string.h>

#include "expr_code.h"
#include "expr_lex.h"
#include "zonelab/text.h"

struct compiler {
	struct lexer lexer;
	const struct zl_expr_names *names;
	struct zl_expr_ins code[ZL_EXPR_CODE_MAX];
	unsigned nr_code;
	unsigned cells;
	unsigned nest;
};

struct binary_op {
	const char *sign;
	unsigned level; /* binds tighter when higher */
	uint8_t op;
};

#define LEVEL_LOWEST 1
#define LEVEL_UNARY  11

static const struct binary_op binary_ops[] = {
	{"||", 1,  EXPR_OR_JUMP },
	{"&&", 2,  EXPR_AND_JUMP},
	{"|",  3,	 EXPR_OR	},
	{"^",  4,	 EXPR_XOR	 },
	{"&",  5,	 EXPR_AND	 },
	{"==", 6,  EXPR_EQ	 },
	{"!=", 6,  EXPR_NE	 },
	{"<=", 7,  EXPR_LE	 },
	{">=", 7,  EXPR_GE	 },
	{"<",  7,	 EXPR_LT	},
	{">",  7,	 EXPR_GT	},
	{"<<", 8,  EXPR_SHL	  },
	{">>", 8,  EXPR_SHR	  },
	{"+",  9,	 EXPR_ADD	 },
	{"-",  9,	 EXPR_SUB	 },
	{"*",  10, EXPR_MUL	  },
	{"/",  10, EXPR_DIV	  },
	{"%",  10, EXPR_MOD	  },
};

/* Functions that the language itself has. `typed`: the first argument is a type. */
static const struct builtin {
	const char *name;
	unsigned args;
	bool typed;
	uint8_t op; /* applied to the arguments; twice for three of them with a binary op */
} builtins[] = {
	{"BIT",		  1, false, EXPR_BIT	  },
	{"READ_ONCE",	      1, false, EXPR_CAST	 },
	{"abs",		  1, false, EXPR_ABS	  },
	{"clamp",		  3, false, EXPR_CLAMP   },
	{"clamp_t",		    3, true,  EXPR_CLAMP   },
	{"ilog2",		  1, false, EXPR_LOG2    },
	{"likely",		   1, false, EXPR_CAST    },
	{"max",		  2, false, EXPR_MAX	  },
	{"max3",		 3, false, EXPR_MAX	   },
	{"max_t",		  2, true,  EXPR_MAX	   },
	{"min",		  2, false, EXPR_MIN	  },
	{"min3",		 3, false, EXPR_MIN	   },
	{"min_t",		  2, true,  EXPR_MIN	   },
	{"rounddown_pow_of_two", 1, false, EXPR_POW2DOWN},
	{"roundup_pow_of_two",   1, false, EXPR_POW2UP  },
	{"test_bit",	     2, false, EXPR_SHR     },
	{"unlikely",	     1, false, EXPR_CAST	},
};

static const struct {
	const char *word;
	enum expr_cast cast;
} types[] = {
	{"bool",	 CAST_NONE},
	{"char",	 CAST_S8	},
	{"int",	CAST_S32 },
	{"long",	 CAST_NONE},
	{"s16",	CAST_S16 },
	{"s32",	CAST_S32 },
	{"s64",	CAST_NONE},
	{"s8",       CAST_S8  },
	{"short",	  CAST_S16 },
	{"signed",   CAST_S32 },
	{"size_t",   CAST_U64 },
	{"ssize_t",  CAST_NONE},
	{"u16",	CAST_U16 },
	{"u32",	CAST_U32 },
	{"u64",	CAST_U64 },
	{"u8",       CAST_U8  },
	{"unsigned", CAST_U32 },
};

static int lex(struct compiler *c)
{
	return zl_lex(&c->lexer);
}

static bool at_sign(const struct compiler *c, const char *sign)
{
	return zl_lex_at(&c->lexer, sign);
}

static int fail_at(struct compiler *c, unsigned start, const char *what)
{
	return zl_lex_fail(&c->lexer, start, what);
}

/* Takes a sign that must stand here. */
static int expect(struct compiler *c, const char *sign)
{
	if (!at_sign(c, sign)) {
		zl_error_set(
			c->lexer.err, 0, c->lexer.token.start + 1, "'%s' is missing here", sign);
		return -EINVAL;
	}
	return lex(c);
}

/* Adds an instruction that leaves @cells on the stack. */
static int emit(struct compiler *c, uint8_t op, uint32_t arg, int64_t value)
{
	struct zl_expr_ins *ins = &c->code[c->nr_code];

	if (c->nr_code == ZL_EXPR_CODE_MAX) {
		zl_error_set(c->lexer.err, 0, c->lexer.token.start + 1,
			"the expression is too long; at most %d steps", ZL_EXPR_CODE_MAX);
		return -E2BIG;
	}
	memset(ins, 0, sizeof(*ins));
	ins->op = op;
	ins->arg = arg;
	ins->value = value;
	ins->column = (uint16_t)(c->lexer.token.start + 1);
	c->nr_code++;
	if (op <= EXPR_SLOT) {
		c->cells++;
	} else if (op >= EXPR_MUL && op < EXPR_CLAMP) {
		c->cells--;
	} else if (op == EXPR_CLAMP) {
		c->cells -= 2;
	}
	if (c->cells >= EXPR_STACK) {
		zl_error_set(
			c->lexer.err, 0, c->lexer.token.start + 1, "the expression is too deep");
		return -E2BIG;
	}
	return 0;
}

static int parse(struct compiler *c, unsigned level);

static int nest(struct compiler *c)
{
	if (++c->nest > ZL_EXPR_DEPTH_MAX) {
		zl_error_set(c->lexer.err, 0, c->lexer.token.start + 1,
			"the expression is nested too deeply; at most %d levels",
			ZL_EXPR_DEPTH_MAX);
		return -E2BIG;
	}
	return 0;
}

static int parse_ternary(struct compiler *c)
{
	int rc = nest(c);

	if (rc == 0) {
		rc = parse(c, LEVEL_LOWEST);
	}
	if (rc != 0 || !at_sign(c, "?")) {
		c->nest--;
		return rc;
	}
	unsigned test = c->nr_code;
	rc = emit(c, EXPR_JUMP_ZERO, 0, 0);
	c->cells--;
	unsigned before = c->cells;
	rc = rc != 0 ? rc : lex(c);
	rc = rc != 0 ? rc : parse_ternary(c);
	unsigned over = c->nr_code;
	rc = rc != 0 ? rc : emit(c, EXPR_JUMP, 0, 0);
	rc = rc != 0 ? rc : expect(c, ":");
	if (rc == 0) {
		c->code[test].arg = c->nr_code;
		c->cells = before;
		rc = parse_ternary(c);
	}
	if (rc == 0) {
		c->code[over].arg = c->nr_code;
	}
	c->nest--;
	return rc;
}

static bool type_word(const char *name, enum expr_cast *ret)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i].word, name) == 0) {
			*ret = types[i].cast;
			return true;
		}
	}
	return false;
}

/* Reads one or more words of a type. */
static int parse_type(struct compiler *c, enum expr_cast *ret)
{
	enum expr_cast word;
	bool is_unsigned = false;
	bool is_long = false;
	int rc = 0;

	if (c->lexer.token.kind != TOKEN_NAME || !type_word(c->lexer.token.name, &word)) {
		return fail_at(c, c->lexer.token.start, "a type is missing here; for example int");
	}
	*ret = CAST_S32;
	while (rc == 0 && c->lexer.token.kind == TOKEN_NAME &&
		type_word(c->lexer.token.name, &word)) {
		bool is_sign = strcmp(c->lexer.token.name, "unsigned") == 0;

		is_unsigned = is_unsigned || is_sign;
		is_long = is_long || strcmp(c->lexer.token.name, "long") == 0;
		if (!is_sign && word != CAST_S32) {
			*ret = word;
		}
		rc = lex(c);
	}
	if (is_long) {
		*ret = is_unsigned ? CAST_U64 : CAST_NONE;
	} else if (is_unsigned) {
		*ret = *ret == CAST_S8 ? CAST_U8 : *ret == CAST_S16 ? CAST_U16 : CAST_U32;
	}
	return rc;
}

static int compile_name(struct compiler *c, const struct token *name, const char *via)
{
	struct zl_expr_name found = {0};
	struct zl_error why = {0};
	int rc = -ENOENT;

	if (via[0] == '\0' &&
		(strcmp(name->name, "true") == 0 || strcmp(name->name, "false") == 0)) {
		return emit(c, EXPR_CONST, 0, name->name[0] == 't');
	}
	if (c->names != NULL) {
		rc = c->names->find(c->names->user, name->name, via, &found, &why);
	}
	if (rc != 0) {
		if (why.text[0] == '\0') {
			zl_error_set(&why, 0, 0, "unknown name '%s'", name->name);
		}
		return fail_at(c, name->start, why.text);
	}
	return found.constant ? emit(c, EXPR_CONST, 0, found.value)
			      : emit(c, EXPR_SLOT, found.slot, 0);
}

/* The arguments of test_bit are a bit number and the word that holds it. */
static int parse_test_bit(struct compiler *c)
{
	unsigned bit = c->nr_code;
	unsigned start = c->lexer.token.start;
	int rc = parse_ternary(c);

	rc = rc != 0 ? rc : expect(c, ",");
	if (rc != 0) {
		return rc;
	}
	if (c->nr_code != bit + 1 || c->code[bit].op != EXPR_CONST) {
		return fail_at(c, start, "the bit of test_bit must be a number");
	}
	struct zl_expr_ins number = c->code[bit];
	c->nr_code--;
	c->cells--;
	if (at_sign(c, "&")) {
		rc = lex(c);
	}
	rc = rc != 0 ? rc : parse_ternary(c);
	rc = rc != 0 ? rc : emit(c, EXPR_CONST, 0, number.value);
	rc = rc != 0 ? rc : emit(c, EXPR_SHR, 0, 0);
	rc = rc != 0 ? rc : emit(c, EXPR_CONST, 0, 1);
	rc = rc != 0 ? rc : emit(c, EXPR_AND, 0, 0);
	return rc != 0 ? rc : expect(c, ")");
}

static int parse_arguments(struct compiler *c, const struct builtin *b)
{
	enum expr_cast type = CAST_NONE;
	int rc = 0;

	if (b->typed) {
		rc = parse_type(c, &type);
		rc = rc != 0 ? rc : expect(c, ",");
	}
	for (unsigned i = 0; rc == 0 && i < b->args; i++) {
		rc = i > 0 ? expect(c, ",") : 0;
		rc = rc != 0 ? rc : parse_ternary(c);
		if (rc == 0 && type != CAST_NONE) {
			rc = emit(c, EXPR_CAST, type, 0);
		}
		if (rc == 0 && i > 0 && b->op != EXPR_CLAMP) {
			rc = emit(c, b->op, 0, 0);
		}
	}
	if (rc == 0 && (b->args == 1 || b->op == EXPR_CLAMP)) {
		rc = emit(c, b->op, CAST_NONE, 0);
	}
	return rc != 0 ? rc : expect(c, ")");
}

static const struct builtin *find_builtin(const char *name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (strcmp(builtins[i].name, name) == 0) {
			return &builtins[i];
		}
	}
	return NULL;
}

/* Whether the call at the token has one bare name as its argument. Leaves the token on it. */
static bool lone_name(struct compiler *c)
{
	unsigned pos = c->lexer.pos;
	struct token token = c->lexer.token;
	bool lone = c->lexer.token.kind == TOKEN_NAME && lex(c) == 0 && at_sign(c, ")");

	c->lexer.pos = pos;
	c->lexer.token = token;
	return lone;
}

/* The token is behind the opening parenthesis of a call of @name. */
static int parse_call(struct compiler *c, const struct token *name)
{
	const struct builtin *b = find_builtin(name->name);

	if (b == NULL && at_sign(c, ")")) {
		struct token none = {.kind = TOKEN_NAME, .start = name->start};
		int rc = compile_name(c, &none, name->name);

		return rc != 0 ? rc : lex(c);
	}
	if ((b == NULL || b->op == EXPR_MIN || b->op == EXPR_MAX) && lone_name(c)) {
		struct token argument = c->lexer.token;
		int rc = compile_name(c, &argument, name->name);

		rc = rc != 0 ? rc : lex(c);
		return rc != 0 ? rc : expect(c, ")");
	}
	if (b == NULL) {
		zl_error_set(c->lexer.err, 0, name->start + 1, "unknown function '%s'", name->name);
		return -EINVAL;
	}
	return strcmp(b->name, "test_bit") == 0 ? parse_test_bit(c) : parse_arguments(c, b);
}

static int parse_unary(struct compiler *c);

/* The token is behind "(". */
static int parse_parenthesis(struct compiler *c)
{
	enum expr_cast type;
	int rc;

	if (c->lexer.token.kind == TOKEN_NAME && type_word(c->lexer.token.name, &type)) {
		rc = parse_type(c, &type);
		rc = rc != 0 ? rc : expect(c, ")");
		rc = rc != 0 ? rc : parse_unary(c);
		return rc != 0 ? rc : emit(c, EXPR_CAST, type, 0);
	}
	rc = parse_ternary(c);
	return rc != 0 ? rc : expect(c, ")");
}

static int parse_primary(struct compiler *c)
{
	struct token token = c->lexer.token;
	int rc;

	switch (token.kind) {
	case TOKEN_NUMBER:
		rc = emit(c, EXPR_CONST, 0, token.value);
		return rc != 0 ? rc : lex(c);
	case TOKEN_NAME:
		rc = lex(c);
		if (rc == 0 && at_sign(c, "(")) {
			rc = lex(c);
			return rc != 0 ? rc : parse_call(c, &token);
		}
		return rc != 0 ? rc : compile_name(c, &token, "");
	case TOKEN_SIGN:
		if (at_sign(c, "(")) {
			rc = lex(c);
			return rc != 0 ? rc : parse_parenthesis(c);
		}
		break;
	case TOKEN_END:
		return fail_at(c, token.start, "the expression ends where a value is missing");
	case TOKEN_BAD:
		break;
	}
	return fail_at(c, token.start, "a number, a name or ( is missing here");
}

static int parse_unary(struct compiler *c)
{
	static const struct {
		const char *sign;
		uint8_t op;
	} unary[] = {
		{"-", EXPR_NEG  },
		{"!", EXPR_NOT  },
		{"~", EXPR_COMPL},
		{"+", EXPR_CAST },
	};
	int rc = nest(c);

	for (size_t i = 0; rc == 0 && i < sizeof(unary) / sizeof(unary[0]); i++) {
		if (at_sign(c, unary[i].sign)) {
			rc = lex(c);
			rc = rc != 0 ? rc : parse_unary(c);
			c->nest--;
			return rc != 0 ? rc : emit(c, unary[i].op, CAST_NONE, 0);
		}
	}
	rc = rc != 0 ? rc : parse_primary(c);
	c->nest--;
	return rc;
}

static const struct binary_op *binary_at(const struct compiler *c, unsigned level)
{
	for (size_t i = 0; i < sizeof(binary_ops) / sizeof(binary_ops[0]); i++) {
		if (binary_ops[i].level >= level && at_sign(c, binary_ops[i].sign)) {
			return &binary_ops[i];
		}
	}
	return NULL;
}

/* && and ||: the right side is skipped when the left one decides. */
static int parse_logical(struct compiler *c, const struct binary_op *b)
{
	int rc = emit(c, EXPR_BOOL, 0, 0);
	unsigned over = c->nr_code;

	rc = rc != 0 ? rc : emit(c, b->op, 0, 0);
	c->cells--;
	rc = rc != 0 ? rc : lex(c);
	rc = rc != 0 ? rc : parse(c, b->level + 1);
	rc = rc != 0 ? rc : emit(c, EXPR_BOOL, 0, 0);
	if (rc == 0) {
		c->code[over].arg = c->nr_code;
	}
	return rc;
}

static int parse(struct compiler *c, unsigned level)
{
	int rc = parse_unary(c);

	for (;;) {
		const struct binary_op *b = binary_at(c, level);

		if (rc != 0 || b == NULL) {
			return rc;
		}
		if (b->op == EXPR_AND_JUMP || b->op == EXPR_OR_JUMP) {
			rc = parse_logical(c, b);
			continue;
		}
		unsigned column = c->lexer.token.start + 1;
		rc = lex(c);
		rc = rc != 0 ? rc : parse(c, b->level + 1);
		rc = rc != 0 ? rc : emit(c, b->op, 0, 0);
		if (rc == 0) {
			c->code[c->nr_code - 1].column = (uint16_t)column;
		}
	}
}

static int compile(struct compiler *c)
{
	int rc = lex(c);

	if (rc == 0 && c->lexer.token.kind == TOKEN_END) {
		return fail_at(c, 0, "the expression is empty");
	}
	rc = rc != 0 ? rc : parse_ternary(c);
	if (rc == 0 && c->lexer.token.kind != TOKEN_END) {
		return fail_at(c, c->lexer.token.start, "an operator is missing here");
	}
	return rc;
}

int zl_expr_compile(const char *text, const struct zl_expr_names *names,
	const struct zl_allocator *mem, struct zl_expr *ret, struct zl_error *err)
{
	struct compiler c;
	struct zl_expr_ins *code;

	if (strlen(text) > ZL_EXPR_TEXT_MAX) {
		zl_error_set(err, 0, 0, "the expression is too long; at most %d bytes",
			ZL_EXPR_TEXT_MAX);
		return -E2BIG;
	}
	memset(&c, 0, sizeof(c));
	c.lexer.text = text;
	c.names = names;
	c.lexer.err = err;
	int rc = compile(&c);
	if (rc != 0) {
		return rc;
	}
	code = mem->realloc(mem->user, NULL, c.nr_code * sizeof(*code));
	if (code == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memcpy(code, c.code, c.nr_code * sizeof(*code));
	ret->code = code;
	ret->nr_code = c.nr_code;
	return 0;
}

void zl_expr_done(struct zl_expr *e, const struct zl_allocator *mem)
{
	mem->free(mem->user, e->code);
	memset(e, 0, sizeof(*e));
}
