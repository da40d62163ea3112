/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "story.h"

#include <errno.h>
#include <string.h>

#define WINDOW	    48u /* blocks that one CPU hands to the other at a time */
#define IN_FLIGHT   3u	/* windows that are in use at once */
#define ROUNDS	    17u
#define FIRST_TICK  6u /* rounds after which both CPUs refresh their counters */
#define SECOND_TICK 14u
#define LAST_TICKS  3u
#define ORDER	    3u
#define PRODUCER    0u
#define CONSUMER    1u

#define MANAGED	      UINT64_C(16777216) /* 64 GiB */
#define PAGES	      UINT64_C(131072)	 /* that the run keeps in the buddy */
#define CPUS	      24
#define WMARK_MIN     11200
#define WMARK_LOW     14000
#define WMARK_HIGH    16800
#define BLOCK_ORDER   9
#define LARGEST_ORDER 10
#define SLICE_BYTES   (512u * 1024u)

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
	*ret = (struct op_feed){.next = list_next, .done = list_done, .user = l, .total = n};
	return 0;
}

/* Ops are written to @op unless it is NULL; the return value counts them. */
struct script {
	struct zl_op *op;
	size_t n;
	uint32_t next_alloc, next_free;
};

static void add(struct script *s, const struct zl_op *op)
{
	if (s->op != NULL) {
		s->op[s->n] = *op;
	}
	s->n++;
}

static void add_cpu(struct script *s, uint32_t cpu)
{
	add(s, &(struct zl_op){.kind = ZL_OP_CPU, .arg = cpu});
}

static void add_ticks(struct script *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		add(s, &(struct zl_op){.kind = ZL_OP_TICK});
	}
}

static void add_allocs(struct script *s, unsigned windows)
{
	for (unsigned i = 0; i < windows * WINDOW; i++) {
		add(s, &(struct zl_op){.kind = ZL_OP_ALLOC, .order = ORDER, .id = s->next_alloc++});
	}
}

static void add_frees(struct script *s, unsigned windows)
{
	for (unsigned i = 0; i < windows * WINDOW; i++) {
		add(s, &(struct zl_op){.kind = ZL_OP_FREE, .id = s->next_free++});
	}
}

static void tell(struct script *s)
{
	s->n = 0;
	s->next_alloc = 1;
	s->next_free = 1;
	add_allocs(s, IN_FLIGHT);
	for (unsigned round = 1; round <= ROUNDS; round++) {
		add_cpu(s, CONSUMER);
		add_frees(s, 1);
		add_cpu(s, PRODUCER);
		if (round == FIRST_TICK || round == SECOND_TICK) {
			add_ticks(s, 1);
			add_cpu(s, CONSUMER);
			add_ticks(s, 1);
			add_cpu(s, PRODUCER);
		}
		add_allocs(s, 1);
	}
	add_cpu(s, CONSUMER);
	add_frees(s, IN_FLIGHT);
	add_ticks(s, LAST_TICKS);
}

int story_feed(const struct zl_allocator *mem, struct op_feed *ret)
{
	struct script s = {0};

	tell(&s);
	struct list *l = mem->realloc(mem->user, NULL, sizeof(*l) + s.n * sizeof(*s.op));
	if (l == NULL) {
		return -ENOMEM;
	}
	s.op = l->op;
	tell(&s);
	l->mem = mem;
	l->at = 0;
	l->n = s.n;
	*ret = (struct op_feed){.next = list_next, .done = list_done, .user = l, .total = s.n};
	return 0;
}

void story_config(struct zl_sim_config *ret)
{
	zl_sim_config_init(ret);
	ret->managed = MANAGED;
	ret->pages = PAGES;
	ret->cpus = CPUS;
	ret->wmark_min = WMARK_MIN;
	ret->wmark_low = WMARK_LOW;
	ret->wmark_high = WMARK_HIGH;
	ret->pageblock_order = BLOCK_ORDER;
	ret->max_order = LARGEST_ORDER;
	ret->hpage_order = BLOCK_ORDER;
	ret->thp = true;
	ret->cache_slice = SLICE_BYTES;
}
