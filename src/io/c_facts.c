/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of C fragments as facts: what becomes what, under which conditions. A fragment may
 * begin and end in the middle of anything.
 */
#include <errno.h>
#include <string.h>

#include "ctext.h"
#include "scan.h"

struct block {
	const struct c_guard *guard; /* outside of it */
	bool function;		     /* the body of one */
};

struct facts {
	struct c_builder *b;
	struct c_facts *out;
	size_t cap_facts, cap_functions;
	const struct c_token *t;
	const char *function;
	const struct c_guard *guard;
	struct block block[C_BLOCKS_MAX];
	unsigned depth;
	const struct c_node *last_cond; /* of the if that has just ended, for its else */
	const struct c_guard *last_outer;
	bool single; /* the next statement alone stands under the guard */
	const struct c_guard *single_outer;
};

static struct c_fact *add_fact(struct facts *f, enum c_fact_kind kind, const struct c_token *first)
{
	struct c_fact *list = zl_arena_grow(
		f->b->arena, f->out->fact, f->out->nr_facts, &f->cap_facts, sizeof(*list));

	if (list == NULL) {
		f->b->failed = -ENOMEM;
		return NULL;
	}
	f->out->fact = list;
	list += f->out->nr_facts++;
	*list = (struct c_fact){.kind = kind,
		.function = f->function,
		.lhs = "",
		.guard = f->guard,
		.first = first->row,
		.last = first->row,
		.file_scope = f->function[0] == '\0'};
	return list;
}

static const struct c_guard *add_guard(
	struct facts *f, const struct c_node *cond, bool negated, const struct c_guard *outer)
{
	struct c_guard *g = zl_arena_alloc(f->b->arena, sizeof(*g));

	if (g == NULL) {
		f->b->failed = -ENOMEM;
		return NULL;
	}
	*g = (struct c_guard){.cond = cond, .negated = negated, .outer = outer};
	return g;
}

/* A statement has ended: what stood under an if without braces stands so no longer. */
static void end_statement(struct facts *f)
{
	if (f->single) {
		f->guard = f->single_outer;
		f->single = false;
	}
}

/* Behind the next ; { or } outside of brackets. */
static void skip_statement(struct facts *f)
{
	int brackets = 0;

	for (; f->t->kind != C_WORD_END && f->t->kind != C_WORD_DEFINE &&
		f->t->kind != C_WORD_DIRECTIVE;
		f->t++) {
		brackets += c_is(f->t, "(") ? 1 : 0;
		brackets -= c_is(f->t, ")") && brackets > 0 ? 1 : 0;
		if (c_is(f->t, "{") || c_is(f->t, "}")) {
			return;
		}
		if (c_is(f->t, ";") && brackets == 0) {
			f->t++;
			return;
		}
	}
}

static void other(struct facts *f, const struct c_token *first, const char *why)
{
	struct c_fact *fact = add_fact(f, C_FACT_OTHER, first);

	skip_statement(f);
	if (fact != NULL) {
		fact->why = why;
		fact->last = f->t > first ? f->t[-1].row : first->row;
	}
	end_statement(f);
}

static struct c_cursor cursor(struct facts *f)
{
	struct c_cursor c = {.b = f->b, .t = f->t};

	return c;
}

/* --- functions --- */

static char *copy(struct facts *f, const struct c_token *t)
{
	char *s = zl_arena_strn(f->b->arena, t->s, t->len);

	f->b->failed = s == NULL ? -ENOMEM : f->b->failed;
	return s;
}

/* Where the brackets that open at @t close; NULL when they do not. */
static const struct c_token *closing(const struct c_token *t)
{
	int depth = 0;

	for (; t->kind != C_WORD_END; t++) {
		depth += c_is(t, "(") ? 1 : 0;
		depth -= c_is(t, ")") ? 1 : 0;
		if (depth == 0) {
			return t;
		}
	}
	return NULL;
}

/* The last word of each parameter is its name. */
static void read_parameters(
	struct facts *f, const struct c_token *t, const struct c_token *end, struct c_function *fn)
{
	int depth = 0;

	for (; t <= end; t++) {
		depth += c_is(t, "(") ? 1 : 0;
		depth -= c_is(t, ")") ? 1 : 0;
		if ((c_is(t, ",") || t == end) && depth <= (t == end ? 0 : 1) &&
			t[-1].kind == C_WORD_NAME && fn->nr_parameters < C_PARAMETERS_MAX) {
			fn->parameter[fn->nr_parameters++] = copy(f, &t[-1]);
		}
	}
}

/* "static int f(struct zone *zone, int batch) {" at a line outside of functions. */
static bool function_begins(struct facts *f)
{
	const struct c_token *t = f->t, *name = NULL, *end;
	struct c_function *list;

	for (; t->kind == C_WORD_NAME || c_is(t, "*"); t++) {
		if (t > f->t && t->kind == C_WORD_NAME && c_is(t + 1, "(")) {
			name = t;
			break;
		}
	}
	end = name != NULL ? closing(name + 1) : NULL;
	if (end == NULL || !c_is(end + 1, "{")) {
		return false;
	}
	list = zl_arena_grow(f->b->arena, f->out->function, f->out->nr_functions, &f->cap_functions,
		sizeof(*list));
	if (list == NULL) {
		f->b->failed = -ENOMEM;
		return false;
	}
	f->out->function = list;
	list += f->out->nr_functions++;
	*list = (struct c_function){.name = copy(f, name), .row = name->row};
	read_parameters(f, name + 2, end, list);
	f->function = list->name != NULL ? list->name : "";
	f->depth = 0;
	f->guard = NULL;
	f->single = false;
	f->block[f->depth++] = (struct block){.function = true};
	f->t = end + 2;
	return true;
}

/* --- statements --- */

static enum c_op operator_of(const struct c_token *t)
{
	static const struct {
		const char *mark;
		enum c_op op;
	} ops[] = {
		{"+=",  C_SUM    },
		       {"-=",  C_NEGATE },
		 {"*=",	C_PRODUCT},
		    {"/=",  C_DIVIDE },
		{"%=",  C_MODULO },
		  {"<<=", C_LEFT	},
		   {">>=", C_RIGHT  },
		     {"&=",  C_BIT_AND},
		{"|=",  C_BIT_OR },
		  {"^=",	 C_BIT_XOR}
	   };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (c_is(t, ops[i].mark)) {
			return ops[i].op;
		}
	}
	return C_NUMBER;
}

static struct c_node *combine(
	struct c_builder *b, enum c_op op, struct c_node *left, struct c_node *right)
{
	if (op == C_NEGATE && right != NULL) {
		struct c_node *n = right->op == C_NUMBER ? c_node_number(b, -right->value)
							 : c_node_new(b, C_NEGATE, 1);

		if (n != NULL && n->op == C_NEGATE) {
			n->kid[0] = right;
		}
		return c_node_two(b, C_SUM, left, n);
	}
	return c_node_two(b, op, left, right);
}

static const char *written(struct facts *f, const struct c_node *n)
{
	char buf[C_TEXT_MAX];
	char *s;

	if (!c_write(n, buf, sizeof(buf))) {
		return "";
	}
	s = zl_arena_strn(f->b->arena, buf, strlen(buf));
	f->b->failed = s == NULL ? -ENOMEM : f->b->failed;
	return s != NULL ? s : "";
}

static void assign(
	struct facts *f, const struct c_token *first, const struct c_node *lhs, struct c_node *expr)
{
	struct c_fact *fact = expr != NULL ? add_fact(f, C_FACT_ASSIGN, first) : NULL;

	if (fact != NULL) {
		fact->lhs = written(f, lhs);
		fact->expr = expr;
	}
}

/* The fact just made ends at the ';' or ',' that is next. */
static void set_end(struct facts *f, const struct c_token *t)
{
	if (f->out->nr_facts > 0) {
		f->out->fact[f->out->nr_facts - 1].last = t->row;
	}
}

#define TARGETS_MAX 4

/* "a = b = expr;", "a += expr;", "a++;" or "f(x);" without type. */
static bool simple_statement(struct facts *f)
{
	const struct c_token *first = f->t;
	struct c_cursor c = cursor(f);
	struct c_node *lhs[TARGETS_MAX], *expr;
	unsigned n = 0;
	enum c_op op;

	expr = c_expression(&c);
	while (expr != NULL && n < TARGETS_MAX && c_is(c.t, "=")) {
		lhs[n++] = expr;
		c.t++;
		expr = c_expression(&c);
	}
	op = expr != NULL && n == 0 ? operator_of(c.t) : C_NUMBER;
	if (op != C_NUMBER) {
		lhs[n++] = expr;
		c.t++;
		expr = combine(f->b, op, lhs[0], c_expression(&c));
	} else if (expr != NULL && n == 0 && (c_is(c.t, "++") || c_is(c.t, "--"))) {
		lhs[n++] = expr;
		expr = c_node_two(f->b, C_SUM, expr, c_node_number(f->b, c_is(c.t, "++") ? 1 : -1));
		c.t++;
	}
	if (expr == NULL || !c_is(c.t, ";")) {
		return false;
	}
	if (n == 0) {
		struct c_fact *fact = add_fact(f, C_FACT_CALL, first);

		if (fact != NULL) {
			fact->expr = expr;
		}
		set_end(f, c.t);
	}
	for (unsigned i = n; i > 0; i--) {
		assign(f, first, lhs[i - 1], expr);
		set_end(f, c.t);
	}
	f->t = c.t + 1;
	end_statement(f);
	return true;
}

static bool is_type_start(const struct c_token *t)
{
	static const char *const words[] = {"static", "const", "struct", "unsigned", "int", "long",
		"short", "char", "bool", "u8", "u16", "u32", "u64", "s64", "enum", "size_t",
		"extern", "signed", "register", "volatile"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (t->kind == C_WORD_NAME && c_is(t, words[i])) {
			return true;
		}
	}
	return t->kind == C_WORD_NAME && t[1].kind == C_WORD_NAME;
}

/* "int a = x, *b, c;": the names with initial values. */
static bool declaration(struct facts *f)
{
	const struct c_token *t = f->t, *first = f->t;
	size_t before = f->out->nr_facts;
	struct c_fact *fact;

	if (!is_type_start(t)) {
		return false;
	}
	while (t->kind == C_WORD_NAME || c_is(t, "*")) {
		t++; /* up to what follows the first name */
	}
	while (t > first && t[-1].kind == C_WORD_NAME) {
		const struct c_token *name = &t[-1];

		while (c_is(name, "__read_mostly") || c_is(name, "__ro_after_init") ||
			c_is(name, "__initdata")) {
			name--;
		}
		if (c_is(t, "=")) {
			struct c_cursor c = {.b = f->b, .t = t + 1};
			struct c_node *expr = c_expression(&c);

			if (expr == NULL) {
				break;
			}
			assign(f, first, c_node_name(f->b, name->s, name->len), expr);
			set_end(f, c.t);
			t = c.t;
		}
		if (!c_is(t, ",")) {
			break;
		}
		for (t++; t->kind == C_WORD_NAME || c_is(t, "*"); t++) {
		}
	}
	if (!c_is(t, ";")) {
		f->out->nr_facts = before;
		return false;
	}
	for (size_t i = before; i < f->out->nr_facts; i++) {
		f->out->fact[i].declaration = true;
	}
	if (f->out->nr_facts == before) {
		fact = add_fact(f, C_FACT_ASSIGN, first); /* names only */
		if (fact != NULL) {
			fact->declaration = true;
			fact->last = t->row;
		}
	}
	f->t = t + 1;
	end_statement(f);
	return true;
}

static bool return_statement(struct facts *f)
{
	const struct c_token *first = f->t;
	struct c_cursor c = cursor(f);
	struct c_fact *fact;
	struct c_node *expr;

	c.t++;
	expr = c_is(c.t, ";") ? NULL : c_expression(&c);
	if (!c_is(c.t, ";")) {
		return false;
	}
	fact = add_fact(f, C_FACT_RETURN, first);
	if (fact != NULL) {
		fact->expr = expr;
		fact->last = c.t->row;
	}
	f->t = c.t + 1;
	end_statement(f);
	return true;
}

/* What follows stands under the condition: a block, or one statement. */
static void enter(struct facts *f, const struct c_node *cond, bool negated)
{
	const struct c_guard *outer = f->single ? f->single_outer : f->guard;

	f->guard = add_guard(f, cond, negated, f->guard);
	if (!c_is(f->t, "{")) {
		f->single_outer = outer;
		f->single = true;
		return;
	}
	f->t++;
	f->single = false;
	if (f->depth < C_BLOCKS_MAX) {
		f->block[f->depth++] = (struct block){.guard = outer};
	} else {
		f->b->failed = -E2BIG;
	}
}

static bool condition(struct facts *f)
{
	const struct c_token *first = f->t;
	struct c_cursor c = cursor(f);
	struct c_node *cond;
	struct c_fact *fact;
	bool loop = c_is(f->t, "while");

	c.t++;
	if (!c_is(c.t, "(")) {
		return false;
	}
	c.t++;
	cond = c_expression(&c);
	if (cond == NULL || !c_is(c.t, ")")) {
		return false;
	}
	fact = add_fact(f, C_FACT_COND, first);
	if (fact != NULL) {
		fact->expr = cond;
		fact->last = c.t->row;
	}
	f->t = c.t + 1;
	f->last_cond = loop ? NULL : cond;
	f->last_outer = f->single ? f->single_outer : f->guard;
	enter(f, loop ? NULL : cond, false);
	return true;
}

static void close_block(struct facts *f)
{
	f->t++;
	if (f->depth == 0) {
		f->guard = NULL; /* opened before the fragment */
		f->last_cond = NULL;
		return;
	}
	f->depth--;
	if (f->block[f->depth].function) {
		f->function = "";
		f->guard = NULL;
	} else {
		f->last_cond = f->guard != NULL && !f->guard->negated ? f->guard->cond : NULL;
		f->guard = f->block[f->depth].guard;
		f->last_outer = f->guard;
	}
	f->single = false;
}

static void macro(struct facts *f)
{
	const struct c_token *first = f->t;
	struct c_cursor c = cursor(f);
	struct c_fact *fact = add_fact(f, C_FACT_OTHER, first);
	bool call = first->call;

	c.t++;
	if (fact != NULL) {
		fact->lhs = copy(f, first);
		fact->why = call ? "a macro with arguments" : "a macro that is no expression";
		fact->guard = NULL;
		fact->expr = call ? NULL : c_expression(&c);
		if (fact->expr != NULL && c.t->kind == C_WORD_DEFINE_END) {
			fact->kind = C_FACT_MACRO;
			fact->why = NULL;
		}
	}
	while (c.t->kind != C_WORD_DEFINE_END && c.t->kind != C_WORD_END) {
		c.t++;
	}
	if (fact != NULL) {
		fact->last = c.t->kind == C_WORD_END ? first->row : c.t->row;
	}
	f->t = c.t->kind == C_WORD_END ? c.t : c.t + 1;
}

static void braces(struct facts *f)
{
	if (c_is(f->t, "}")) {
		close_block(f);
		return;
	}
	f->t++;
	if (f->depth < C_BLOCKS_MAX) {
		f->block[f->depth++] = (struct block){.guard = f->guard};
	} else {
		f->b->failed = -E2BIG;
	}
	f->guard = add_guard(f, NULL, false, f->guard);
}

static void else_branch(struct facts *f)
{
	const struct c_node *cond = f->last_cond;

	f->t++;
	f->guard = f->last_cond != NULL ? f->last_outer : f->guard;
	f->last_cond = NULL;
	enter(f, cond, true);
}

static void statement(struct facts *f)
{
	const struct c_token *first = f->t;

	if (f->t->kind == C_WORD_DEFINE) {
		macro(f);
	} else if (f->t->kind == C_WORD_DIRECTIVE || f->t->kind == C_WORD_DEFINE_END) {
		if (f->t->kind == C_WORD_DIRECTIVE) {
			struct c_fact *fact = add_fact(f, C_FACT_OTHER, first);

			if (fact != NULL) {
				fact->why = "a line of the preprocessor";
			}
		}
		f->t++;
	} else if (c_is(f->t, "{") || c_is(f->t, "}")) {
		braces(f);
	} else if (c_is(f->t, ";")) {
		f->t++;
		end_statement(f);
	} else if (c_is(f->t, "else")) {
		else_branch(f);
	} else if (c_is(f->t, "if") || c_is(f->t, "while")) {
		if (!condition(f)) {
			other(f, first, "a condition that is not understood or not shown in full");
		}
	} else if (c_is(f->t, "return")) {
		if (!return_statement(f)) {
			other(f, first, "a return that is not understood or not shown in full");
		}
	} else if ((f->function[0] == '\0' || f->depth == 0) && function_begins(f)) {
		return;
	} else if (!declaration(f) && !simple_statement(f)) {
		other(f, first, "a statement that is not understood or not shown in full");
	}
}

int c_read_facts(struct c_builder *b, const struct c_tokens *words, const char *function,
	struct c_facts *ret)
{
	struct facts f = {.b = b, .out = ret, .t = words->t, .function = function};

	memset(ret, 0, sizeof(*ret));
	while (b->failed == 0 && f.t->kind != C_WORD_END) {
		const struct c_token *before = f.t;

		statement(&f);
		if (f.t == before) {
			f.t++; /* a stray mark */
		}
	}
	return b->failed;
}
