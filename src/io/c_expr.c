/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions of fragments as trees, in a form where what means the same looks the same.
 */
#include <errno.h>
#include <string.h>

#include "ctext.h"
#include "zonelab/text.h"

#define TERNARY_LEVEL 1

/* --- reading --- */

static struct c_node *fail(struct c_cursor *c, const char *why)
{
	if (c->why == NULL) {
		c->why = why;
		c->at = c->t;
	}
	return NULL;
}

static bool take(struct c_cursor *c, const char *s)
{
	if (!c_is(c->t, s)) {
		return false;
	}
	c->t++;
	return true;
}

static bool name_in(const struct c_token *t, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c_is(t, list[i])) {
			return true;
		}
	}
	return false;
}

static bool is_type_word(const struct c_token *t)
{
	static const char *const words[] = {"int", "unsigned", "signed", "long", "short", "char",
		"bool", "void", "const", "volatile", "u8", "u16", "u32", "u64", "s8", "s16", "s32",
		"s64", "__u8", "__u16", "__u32", "__u64", "size_t", "ssize_t", "uint", "ulong",
		"phys_addr_t", "gfp_t", "pgoff_t"};

	return t->kind == C_WORD_NAME && name_in(t, words, sizeof(words) / sizeof(words[0]));
}

static bool is_narrow_word(const struct c_token *t)
{
	static const char *const words[] = {"short", "char", "bool", "u8", "u16", "s8", "s16"};

	return name_in(t, words, sizeof(words) / sizeof(words[0]));
}

/* "(unsigned long)" at the cursor, which moves behind it; *ret_narrow is a type below int. */
static bool take_cast(struct c_cursor *c, const struct c_token **ret_narrow)
{
	const struct c_token *t = c->t;

	*ret_narrow = NULL;
	if (!c_is(t, "(") || (!is_type_word(t + 1) && !c_is(t + 1, "struct"))) {
		return false;
	}
	for (t++; is_type_word(t) || c_is(t, "struct") || c_is(t, "*") || t->kind == C_WORD_NAME;
		t++) {
		if (is_narrow_word(t)) {
			*ret_narrow = t;
		}
	}
	if (!c_is(t, ")")) {
		return false;
	}
	c->t = t + 1;
	return true;
}

static int64_t size_suffix(const char *s, size_t n)
{
	uint64_t v = 0;
	char digits[8];

	if (n < 5 || n > 8 || memcmp(s, "SZ_", 3) != 0) {
		return -1;
	}
	memcpy(digits, s + 3, n - 4);
	digits[n - 4] = '\0';
	if (zl_parse_u64(digits, &v) < 0 || v > 4096) {
		return -1;
	}
	switch (s[n - 1]) {
	case 'K':
		return (int64_t)(v << 10);
	case 'M':
		return (int64_t)(v << 20);
	case 'G':
		return (int64_t)(v << 30);
	default:
		return -1;
	}
}

static struct c_node *number(struct c_cursor *c)
{
	char digits[32];
	size_t n = c->t->len;
	uint64_t v = 0;

	while (n > 1 && memchr("uUlL", c->t->s[n - 1], 4) != NULL) {
		n--;
	}
	if (n >= sizeof(digits)) {
		return fail(c, "a number that is too long");
	}
	memcpy(digits, c->t->s, n);
	digits[n] = '\0';
	if (n > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '7') {
		for (size_t i = 1; i < n; i++) {
			if (digits[i] < '0' || digits[i] > '7' || v >> 60 != 0) {
				return fail(c, "a number that is none");
			}
			v = v * 8 + (uint64_t)(digits[i] - '0');
		}
	} else if (zl_parse_u64(digits, &v) < 0) {
		return fail(c, "a number that is none");
	}
	c->t++;
	return c_node_number(c->b, (int64_t)v);
}

static struct c_node *expression(struct c_cursor *c, unsigned level);

static bool is_name(const struct c_node *n, const char *name)
{
	return strcmp(n->name, name) == 0;
}

/* min_t(type, ...) without its type; *ret_narrow is one below int. False where a type must be. */
static bool drop_type_argument(
	struct c_cursor *c, struct c_node *n, const struct c_token **ret_narrow)
{
	static const struct {
		const char *from, *to;
	} typed[] = {
		{"clamp_val", "clamp"},
		{"min_t",	  "min"  },
		  {"max_t",	    "max"	 },
		    {"MIN_T",     "min"  },
		{"MAX_T",	  "max"  },
		  {"clamp_t",   "clamp"}
	      };

	*ret_narrow = NULL;
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		if (!is_name(n, typed[i].from)) {
			continue;
		}
		n->name = typed[i].to;
		if (i == 0) {
			return true; /* takes no type */
		}
		for (; is_type_word(c->t) || c_is(c->t, "struct"); c->t++) {
			*ret_narrow = is_narrow_word(c->t) ? c->t : *ret_narrow;
		}
		return take(c, ",");
	}
	return true;
}

/* The value as that type has it. */
static struct c_node *as_narrow(struct c_cursor *c, struct c_node *n, const struct c_token *type)
{
	n = c_node_one(c->b, C_CAST, n);
	if (n != NULL) {
		n->name = zl_arena_strn(c->b->arena, type->s, type->len);
		c->b->failed = n->name == NULL ? -ENOMEM : c->b->failed;
	}
	return n;
}

/* min_t(u8, a, b) is min((u8)a, (u8)b). */
static struct c_node *narrowed(struct c_cursor *c, struct c_node *call, const struct c_token *type)
{
	for (unsigned i = 0; i < call->nr_kids; i++) {
		call->kid[i] = as_narrow(c, call->kid[i], type);
		if (call->kid[i] == NULL) {
			return NULL;
		}
	}
	return call;
}

#define CALL_ARGUMENTS 8
static struct c_node *call(struct c_cursor *c, struct c_node *name)
{
	struct c_node *kids[CALL_ARGUMENTS];
	const struct c_token *narrow;
	struct c_node *n;
	unsigned count = 0;

	if (!drop_type_argument(c, name, &narrow)) {
		return fail(c, "a type where a comma follows it");
	}
	while (!c_is(c->t, ")")) {
		if (count == CALL_ARGUMENTS) {
			return fail(c, "a call with many arguments");
		}
		kids[count] = expression(c, TERNARY_LEVEL);
		if (kids[count++] == NULL) {
			return NULL;
		}
		if (!take(c, ",") && !c_is(c->t, ")")) {
			return fail(c, "a call that is not closed");
		}
	}
	c->t++;
	n = c_node_new(c->b, C_CALL, count);
	if (n == NULL) {
		return NULL;
	}
	n->name = name->name;
	for (unsigned i = 0; i < count; i++) {
		n->kid[i] = kids[i];
	}
	n = narrow != NULL ? narrowed(c, n, narrow) : n;
	return n != NULL ? c_macro(c->b, n) : NULL;
}

/* "->name" or ".name" behind @n. */
static struct c_node *member(struct c_cursor *c, struct c_node *n)
{
	size_t len = strlen(n->op == C_NAME ? n->name : "");
	size_t more = c->t[0].len + c->t[1].len;
	struct c_node *ret;
	char *s;

	if (c->t[1].kind != C_WORD_NAME) {
		return fail(c, "a member without a name");
	}
	s = zl_arena_alloc(c->b->arena, len + more + 1);
	ret = c_node_new(c->b, n->op == C_NAME ? C_NAME : C_MEMBER, n->op == C_NAME ? 0 : 1);
	if (s == NULL || ret == NULL) {
		c->b->failed = c->b->failed != 0 ? c->b->failed : -ENOMEM;
		return NULL;
	}
	memcpy(s, n->name, len);
	memcpy(s + len, c->t[0].s, c->t[0].len);
	memcpy(s + len + c->t[0].len, c->t[1].s, c->t[1].len);
	if (ret->op == C_MEMBER) {
		ret->kid[0] = n;
	}
	ret->name = s;
	c->t += 2;
	return ret;
}

static struct c_node *postfix(struct c_cursor *c, struct c_node *n)
{
	while (n != NULL) {
		if (c_is(c->t, "->") || c_is(c->t, ".")) {
			n = member(c, n);
		} else if (n->op == C_NAME && take(c, "(")) {
			n = call(c, n);
		} else if (take(c, "[")) {
			struct c_node *index = expression(c, TERNARY_LEVEL);

			if (index == NULL || !take(c, "]")) {
				return fail(c, "an index that is not closed");
			}
			n = c_node_two(c->b, C_INDEX, n, index);
		} else {
			break;
		}
	}
	return n;
}

static struct c_node *name_or_constant(struct c_cursor *c)
{
	int64_t size = size_suffix(c->t->s, c->t->len);
	struct c_node *n;

	if (c_is(c->t, "true") || c_is(c->t, "false")) {
		n = c_node_number(c->b, c_is(c->t, "true"));
	} else if (size >= 0) {
		n = c_node_number(c->b, size);
	} else {
		n = c_node_name(c->b, c->t->s, c->t->len);
	}
	c->t++;
	return postfix(c, n);
}

static enum c_op inverse(enum c_op op)
{
	switch ((unsigned)op) {
	case C_LESS:
		return C_GREATER_EQUAL;
	case C_LESS_EQUAL:
		return C_GREATER;
	case C_GREATER:
		return C_LESS_EQUAL;
	case C_GREATER_EQUAL:
		return C_LESS;
	case C_EQUAL:
		return C_NOT_EQUAL;
	case C_NOT_EQUAL:
		return C_EQUAL;
	default:
		return op;
	}
}

static struct c_node *negated(struct c_builder *b, struct c_node *n)
{
	if (n != NULL && inverse(n->op) != n->op) {
		return c_node_two(b, inverse(n->op), n->kid[0], n->kid[1]);
	}
	if (n != NULL && n->op == C_NOT && n->kid[0]->op == C_NOT) {
		return c_node_one(b, C_NOT, n->kid[0]->kid[0]);
	}
	return c_node_one(b, C_NOT, n);
}

static struct c_node *operand(struct c_cursor *c)
{
	static const struct {
		const char *mark;
		enum c_op op;
	} unary[] = {
		{"!", C_NOT	   },
		      {"~", C_INVERT },
		       {"-", C_NEGATE },
		{"&", C_ADDRESS},
		  {"*", C_DEREF  }
	};
	const struct c_token *narrow;
	struct c_node *n;

	for (size_t i = 0; i < sizeof(unary) / sizeof(unary[0]); i++) {
		if (c->t->kind == C_WORD_MARK && take(c, unary[i].mark)) {
			n = operand(c);
			return i == 0 ? negated(c->b, n) : c_node_one(c->b, unary[i].op, n);
		}
	}
	if (take_cast(c, &narrow)) {
		n = operand(c);
		return narrow != NULL ? as_narrow(c, n, narrow) : n;
	}
	if (take(c, "(")) {
		n = expression(c, TERNARY_LEVEL);
		if (n == NULL || !take(c, ")")) {
			return fail(c, "a bracket that is not closed");
		}
		return postfix(c, n);
	}
	if (c->t->kind == C_WORD_NUMBER) {
		return number(c);
	}
	if (c->t->kind == C_WORD_NAME && !c_is(c->t, "sizeof")) {
		return name_or_constant(c);
	}
	if (c->t->kind == C_WORD_STRING) {
		n = c_node_new(c->b, C_STRING, 0);
		c->t++;
		return n;
	}
	return fail(c, "no operand where one must be");
}

static const struct binary {
	const char *mark;
	unsigned level;
	enum c_op op;
} binaries[] = {
	{"||", 2,  C_OR	      },
	{"&&", 3,  C_AND	       },
	{"|",  4,	 C_BIT_OR	 },
	{"^",  5,	 C_BIT_XOR	  },
	{"&",  6,	 C_BIT_AND	  },
	{"==", 7,  C_EQUAL	 },
	{"!=", 7,  C_NOT_EQUAL    },
	{"<=", 8,  C_LESS_EQUAL   },
	{">=", 8,  C_GREATER_EQUAL},
	{"<",  8,	 C_LESS	       },
	{">",  8,	 C_GREATER	  },
	{"<<", 9,  C_LEFT		},
	{">>", 9,  C_RIGHT	 },
	{"+",  10, C_SUM	       },
	{"-",  10, C_NEGATE	  },
	{"*",  11, C_PRODUCT	   },
	{"/",  11, C_DIVIDE	  },
	{"%",  11, C_MODULO	  },
};

static const struct binary *binary_at(const struct c_token *t)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++) {
		if (t->kind == C_WORD_MARK && c_is(t, binaries[i].mark)) {
			return &binaries[i];
		}
	}
	return NULL;
}

static struct c_node *ternary(struct c_cursor *c, struct c_node *cond)
{
	struct c_node *yes, *no, *n;

	yes = c_is(c->t, ":") ? cond : expression(c, TERNARY_LEVEL);
	if (yes == NULL || !take(c, ":")) {
		return fail(c, "a ? without its :");
	}
	no = expression(c, TERNARY_LEVEL);
	n = no != NULL ? c_node_new(c->b, C_TERNARY, 3) : NULL;
	if (n != NULL) {
		n->kid[0] = cond;
		n->kid[1] = yes;
		n->kid[2] = no;
	}
	return n;
}

static struct c_node *expression(struct c_cursor *c, unsigned level)
{
	struct c_node *left;

	if (++c->depth > C_DEPTH_MAX) {
		c->depth--;
		return fail(c, "an expression that is nested too deeply");
	}
	left = operand(c);
	while (left != NULL) {
		const struct binary *b = binary_at(c->t);
		struct c_node *right;

		if (b != NULL && b->level >= level) {
			c->t++;
			right = expression(c, b->level + 1);
			if (b->op == C_NEGATE) {
				left = c_node_two(
					c->b, C_SUM, left, c_node_one(c->b, C_NEGATE, right));
			} else {
				left = c_node_two(c->b, b->op, left, right);
			}
		} else if (level <= TERNARY_LEVEL && take(c, "?")) {
			left = ternary(c, left);
		} else {
			break;
		}
	}
	c->depth--;
	return left;
}

struct c_node *c_expression(struct c_cursor *c)
{
	return expression(c, TERNARY_LEVEL);
}

struct c_node *c_expression_text(struct c_builder *b, const char *text)
{
	const struct c_line line = {text, strlen(text), 0};
	struct c_tokens words;
	struct c_cursor c = {.b = b};
	struct c_node *n;
	int rc = c_lex(&line, 1, b->arena, &words);

	if (rc != 0) {
		b->failed = rc;
		return NULL;
	}
	c.t = words.t;
	n = c_expression(&c);
	return n != NULL && c.t->kind == C_WORD_END ? n : NULL;
}
