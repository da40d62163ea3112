/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a history costs beside the bare model: a random mix on 4 CPUs, run alone and run by the
 * timeline of the explorer (op log, marks, curve, keyframes). Prints
 *
 *   history OPS bare_ns history_ns ratio_percent bytes_per_op mops_per_s
 *   seek OPS average_us worst_us bytes
 *
 * With arguments OPS bare|history it does that one only, for instruction counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "story.h"
#include "timeline.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"

#define SLOTS	 16384u
#define SEEKS	 100u
#define NS	 1000000000.0
#define CPU_EACH 64u

/* A random mix: frees what it holds and allocates what it does not. */
struct mix {
	struct zl_rng rng;
	uint64_t left;
	bool used[SLOTS];
};

static int mix_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct mix *m = user;
	uint32_t slot = (uint32_t)zl_rng_below(&m->rng, SLOTS);

	(void)err;
	if (m->left == 0) {
		return 0;
	}
	m->left--;
	memset(ret, 0, sizeof(*ret));
	if (zl_rng_below(&m->rng, CPU_EACH) == 0) {
		ret->kind = ZL_OP_CPU;
		ret->arg = (uint32_t)zl_rng_below(&m->rng, 4);
		return 1;
	}
	ret->kind = m->used[slot] ? ZL_OP_FREE : ZL_OP_ALLOC;
	ret->id = slot;
	m->used[slot] = !m->used[slot];
	return 1;
}

static void config(struct zl_sim_config *c)
{
	struct zl_release r;

	story_config(c);
	if (zl_release_parse("6.18.2", &r) != 0) {
		abort();
	}
	zl_switches_for(&r, &c->switches, NULL);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * NS + (double)t.tv_nsec;
}

static void mix_init(struct mix *m, uint64_t ops)
{
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, 1);
	m->left = ops;
}

/* Ops of the mix, so that making them is in neither figure. */
static struct zl_op *make(uint64_t ops)
{
	struct zl_op *list = malloc(ops * sizeof(*list));
	struct mix *m = malloc(sizeof(*m));

	if (list == NULL || m == NULL) {
		abort();
	}
	mix_init(m, ops);
	for (uint64_t i = 0; i < ops; i++) {
		(void)mix_next(m, &list[i], NULL);
	}
	free(m);
	return list;
}

struct list_feed {
	const struct zl_op *op;
	uint64_t at, n;
};

static int list_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct list_feed *f = user;

	(void)err;
	if (f->at == f->n) {
		return 0;
	}
	*ret = f->op[f->at++];
	return 1;
}

static double bare(const struct zl_op *op, uint64_t ops)
{
	struct zl_sim_config c;
	struct zl_sim *sim;
	double start;

	config(&c);
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	start = now();
	if (zl_sim_run(sim, op, ops, NULL) != 0) {
		abort();
	}
	start = now() - start;
	zl_sim_free(sim);
	return start;
}

static void seeks(struct timeline *t, uint64_t ops, size_t bytes)
{
	struct zl_rng r;
	double sum = 0, worst = 0;

	zl_rng_init(&r, 2);
	for (unsigned i = 0; i < SEEKS; i++) {
		double start = now();
		if (timeline_seek(t, zl_rng_below(&r, ops)) != 0) {
			abort();
		}
		double took = now() - start;
		sum += took;
		worst = took > worst ? took : worst;
	}
	printf("seek %llu %.0f %.0f %zu\n", (unsigned long long)ops, sum / SEEKS / 1000,
		worst / 1000, bytes);
}

static double history(const struct zl_op *op, uint64_t ops, bool and_seek, size_t *ret_bytes)
{
	struct list_feed list = {op, 0, ops};
	struct op_feed feed = {.next = list_next, .user = &list, .total = ops};
	struct zl_sim_config c;
	struct meter meter;
	struct timeline *t;
	double start;

	config(&c);
	meter_init(&meter, zl_allocator_heap());
	if (timeline_new(&c, &feed, &meter, &t, NULL) != 0) {
		abort();
	}
	start = now();
	if (timeline_advance(t, ops) != 0) {
		abort();
	}
	start = now() - start;
	*ret_bytes = meter.used;
	if (and_seek) {
		seeks(t, ops, meter.used);
	}
	timeline_free(t);
	return start;
}

int main(int argc, char **argv)
{
	static const uint64_t lengths[] = {100000, 1000000, 10000000};
	size_t bytes = 0;

	if (argc == 3) {
		uint64_t ops = strtoull(argv[1], NULL, 10);
		struct zl_op *op = make(ops);
		double ns = strcmp(argv[2], "bare") == 0 ? bare(op, ops)
							 : history(op, ops, false, &bytes);
		printf("%s %.2f\n", argv[2], ns / (double)ops);
		free(op);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct zl_op *op = make(lengths[i]);
		double n = (double)lengths[i];
		double alone = bare(op, lengths[i]);
		double kept = history(op, lengths[i], true, &bytes);

		printf("history %llu %.2f %.2f %.0f %.2f %.1f\n", (unsigned long long)lengths[i],
			alone / n, kept / n, 100 * kept / alone, (double)bytes / n,
			n * 1000 / kept);
		free(op);
	}
	return EXIT_SUCCESS;
}
