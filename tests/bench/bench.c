/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS	  1000000000.0
#define PAGES	  262144u
#define WMARK_LOW 7040
#define CPU_EACH  64u
#define ORDER_3	  8u /* one in so many */

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * NS + (double)t.tv_nsec;
}

void bench_switches(const char *release, struct zl_switches *ret)
{
	struct zl_release r;

	if (zl_release_parse(release, &r) != 0) {
		abort();
	}
	zl_switches_for(&r, ret, NULL);
}

void bench_zone(const char *release, struct zl_sim_config *ret)
{
	zl_sim_config_init(ret);
	bench_switches(release, &ret->switches);
	ret->managed = PAGES;
	ret->pages = PAGES;
	ret->cpus = 4;
	ret->wmark_low = WMARK_LOW;
	ret->wmark_high = WMARK_LOW;
	ret->pageblock_order = 9;
	ret->hpage_order = 9;
	ret->max_order = 10;
	ret->thp = true;
}

void bench_mix_init(struct bench_mix *m, uint64_t ops, unsigned cpus)
{
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, 1);
	m->left = ops;
	m->cpus = cpus;
}

int bench_mix_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct bench_mix *m = user;

	(void)err;
	if (m->left == 0) {
		return 0;
	}
	m->left--;
	uint32_t slot = (uint32_t)zl_rng_below(&m->rng, BENCH_SLOTS);
	memset(ret, 0, sizeof(*ret));
	if (zl_rng_below(&m->rng, CPU_EACH) == 0) {
		ret->kind = ZL_OP_CPU;
		ret->arg = (uint32_t)zl_rng_below(&m->rng, m->cpus);
		return 1;
	}
	ret->kind = m->used[slot] ? ZL_OP_FREE : ZL_OP_ALLOC;
	if (m->order3 && !m->used[slot]) {
		ret->order = zl_rng_below(&m->rng, ORDER_3) == 0 ? 3 : 0;
	}
	ret->id = slot;
	m->used[slot] = !m->used[slot];
	return 1;
}

struct zl_op *bench_mix_ops(size_t n, unsigned cpus)
{
	struct zl_op *op = calloc(n, sizeof(*op));
	struct bench_mix *m = malloc(sizeof(*m));

	if (op == NULL || m == NULL) {
		abort();
	}
	bench_mix_init(m, n, cpus);
	for (size_t i = 0; i < n; i++) {
		(void)bench_mix_next(m, &op[i], NULL);
	}
	free(m);
	return op;
}

int bench_list_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct bench_list *l = user;

	(void)err;
	if (l->at == l->n) {
		return 0;
	}
	*ret = l->op[l->at++];
	return 1;
}

size_t bench_list_many(void *user, struct zl_op *ret, size_t max)
{
	struct bench_list *l = user;
	size_t n = l->n - l->at < max ? l->n - l->at : max;

	memcpy(ret, l->op + l->at, n * sizeof(*ret));
	l->at += n;
	return n;
}
