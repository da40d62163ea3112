/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions of fragments: nodes in a form where what means the same looks the same.
 */
#include <errno.h>
#include <string.h>

#include "ctext.h"

#define SHIFT_LITERAL_MAX 31

struct c_node *c_node_new(struct c_builder *b, enum c_op op, unsigned nr_kids)
{
	struct c_node *n;

	if (b->failed != 0) {
		return NULL;
	}
	if (++b->nodes > C_NODES_MAX) {
		b->failed = -E2BIG;
		return NULL;
	}
	n = zl_arena_alloc(b->arena, sizeof(*n));
	if (n != NULL && nr_kids > 0) {
		n->kid = zl_arena_alloc(b->arena, nr_kids * sizeof(struct c_node *));
	}
	if (n == NULL || (nr_kids > 0 && n->kid == NULL)) {
		b->failed = -ENOMEM;
		return NULL;
	}
	n->op = op;
	n->name = "";
	n->nr_kids = nr_kids;
	return n;
}

struct c_node *c_node_like(struct c_builder *b, const struct c_node *n)
{
	struct c_node *ret = c_node_new(b, n->op, n->nr_kids);

	if (ret != NULL) {
		ret->name = n->name;
		ret->value = n->value;
	}
	return ret;
}

struct c_node *c_node_copy(struct c_builder *b, const struct c_node *n)
{
	struct c_node *ret = c_node_like(b, n);

	for (unsigned i = 0; ret != NULL && i < n->nr_kids; i++) {
		ret->kid[i] = c_node_copy(b, n->kid[i]);
		if (ret->kid[i] == NULL) {
			return NULL;
		}
	}
	return ret;
}

struct c_node *c_node_number(struct c_builder *b, int64_t v)
{
	struct c_node *n = c_node_new(b, C_NUMBER, 0);

	if (n != NULL) {
		n->value = v;
	}
	return n;
}

struct c_node *c_node_name(struct c_builder *b, const char *s, size_t len)
{
	struct c_node *n = c_node_new(b, C_NAME, 0);

	if (n != NULL) {
		n->name = zl_arena_strn(b->arena, s, len);
		if (n->name == NULL) {
			b->failed = -ENOMEM;
			return NULL;
		}
	}
	return n;
}

struct c_node *c_node_one(struct c_builder *b, enum c_op op, struct c_node *kid)
{
	struct c_node *n;

	if (kid == NULL) {
		return NULL;
	}
	if (op == C_NEGATE && kid->op == C_NUMBER && kid->value != INT64_MIN) {
		return c_node_number(b, -kid->value);
	}
	if (op == C_NEGATE && kid->op == C_NEGATE) {
		return kid->kid[0];
	}
	n = c_node_new(b, op, 1);
	if (n != NULL) {
		n->kid[0] = kid;
	}
	return n;
}

static bool is_chain(enum c_op op)
{
	return op == C_SUM || op == C_PRODUCT || op == C_AND || op == C_OR || op == C_BIT_AND ||
	       op == C_BIT_OR;
}

static void put_kids(struct c_node *to, unsigned *at, struct c_node *from, enum c_op op)
{
	if (from->op == op) {
		for (unsigned i = 0; i < from->nr_kids; i++) {
			to->kid[(*at)++] = from->kid[i];
		}
	} else {
		to->kid[(*at)++] = from;
	}
}

/* Chains of the same operator become one node with many kids. */
static struct c_node *chain(struct c_builder *b, enum c_op op, struct c_node *l, struct c_node *r)
{
	unsigned n = (l->op == op ? l->nr_kids : 1) + (r->op == op ? r->nr_kids : 1), at = 0;
	struct c_node *node = c_node_new(b, op, n);

	if (node != NULL) {
		put_kids(node, &at, l, op);
		put_kids(node, &at, r, op);
	}
	return node;
}

struct c_node *c_node_two(struct c_builder *b, enum c_op op, struct c_node *l, struct c_node *r)
{
	struct c_node *n;

	if (l == NULL || r == NULL) {
		return NULL;
	}
	if (op == C_LEFT && r->op == C_NUMBER && r->value >= 0 && r->value <= SHIFT_LITERAL_MAX) {
		if (l->op == C_NUMBER && l->value >= 0 && l->value <= INT32_MAX) {
			return c_node_number(b, l->value << r->value);
		}
		return c_node_two(b, C_PRODUCT, l, c_node_number(b, INT64_C(1) << r->value));
	}
	if (is_chain(op)) {
		return chain(b, op, l, r);
	}
	n = c_node_new(b, op, 2);
	if (n != NULL) {
		n->kid[0] = l;
		n->kid[1] = r;
	}
	return n;
}

const char *c_function_name(struct zl_arena *arena, const char *line)
{
	const char *open = strchr(line, '(');
	const char *end = open, *start;
	char *s;

	while (end != NULL && end > line && end[-1] == ' ') {
		end--;
	}
	for (start = end; start != NULL && start > line; start--) {
		char c = start[-1];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    c == '_')) {
			break;
		}
	}
	if (end == NULL || start == end) {
		return "";
	}
	s = zl_arena_strn(arena, start, (size_t)(end - start));
	return s != NULL ? s : "";
}
