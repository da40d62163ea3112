/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "list_feed.h"

#include <errno.h>
#include <string.h>

struct list {
	const struct zl_allocator *mem;
	size_t at, n;
	struct zl_op op[];
};

static int list_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct list *l = user;

	(void)err;
	if (l->at == l->n) {
		return 0;
	}
	*ret = l->op[l->at++];
	return 1;
}

static size_t list_many(void *user, struct zl_op *ret, size_t max)
{
	struct list *l = user;
	size_t n = l->n - l->at < max ? l->n - l->at : max;

	if (n > 0) {
		memcpy(ret, l->op + l->at, n * sizeof(*ret));
	}
	l->at += n;
	return n;
}

static void list_done(void *user)
{
	struct list *l = user;

	l->mem->free(l->mem->user, l);
}

int list_feed(
	const struct zl_allocator *mem, const struct zl_op *ops, size_t n, struct op_feed *ret)
{
	struct list *l = mem->realloc(mem->user, NULL, sizeof(*l) + n * sizeof(*ops));

	if (l == NULL) {
		return -ENOMEM;
	}
	l->mem = mem;
	l->at = 0;
	l->n = n;
	if (n > 0) {
		memcpy(l->op, ops, n * sizeof(*ops));
	}
	*ret = (struct op_feed){
		.next = list_next, .many = list_many, .done = list_done, .user = l, .total = n};
	return 0;
}
