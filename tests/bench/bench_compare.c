/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes in step beside the same lanes one after the other: a random mix on 4 CPUs under 6.12 and
 * 6.18.2, with settings under which they part late. Prints
 *
 *   stream OPS LANES sum_ns step_ns ratio_percent
 *   history OPS LANES sum_ns step_ns ratio_percent sum_bytes step_bytes ratio_percent
 *
 * ns and bytes are of one op in all lanes. The sum of streams is what running each lane alone
 * costs with the figures that `run` keeps; that of histories what the explorer's timelines cost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "comparison.h"
#include "story.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"

#define SLOTS	 16384u
#define NS	 1000000000.0
#define CPU_EACH 64u
#define PERCENT	 100

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
	ret->order = m->used[slot] ? 0 : (uint8_t)(zl_rng_below(&m->rng, 8) == 0 ? 3 : 0);
	ret->id = slot;
	m->used[slot] = !m->used[slot];
	return 1;
}

static void config(struct zl_sim_config *c, const char *release)
{
	struct zl_release r;

	story_config(c);
	if (zl_release_parse(release, &r) != 0) {
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

static const char *const releases[] = {"6.12", "6.18.2", "6.16", "7.1.3"};

/* Runs @n lanes from lane @first on in step; ns, and bytes at the end. */
static double step(uint64_t ops, unsigned first, unsigned n, bool seekable, size_t *ret_bytes)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	struct zl_sim_config c[COMPARE_LANES];
	struct mix *m = malloc(sizeof(*m));
	struct op_feed feed = {.next = mix_next, .user = m, .total = ops};
	struct compare_what what = {.nr_lanes = n, .feed = &feed, .seekable = seekable};
	struct comparison *cmp = NULL;
	struct zl_error err = {0};

	if (m == NULL) {
		abort();
	}
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, 1);
	m->left = ops;
	for (unsigned i = 0; i < n; i++) {
		config(&c[i], releases[first + i]);
		what.config[i] = &c[i];
		what.name[i] = names[i];
	}
	if (comparison_new(&what, zl_allocator_heap(), &cmp, &err) != 0) {
		abort();
	}
	double start = now();
	if (comparison_advance(cmp, ops) != 0) {
		abort();
	}
	start = now() - start;
	*ret_bytes = cmp->meter.used;
	comparison_free(cmp);
	free(m);
	return start;
}

/* What one lane alone costs: ops made, performed, and the figures that `run` keeps. */
static double alone(uint64_t ops, unsigned lane)
{
	struct zl_sim_config c;
	struct zl_sim *sim;
	struct mix *m = malloc(sizeof(*m));
	struct zl_pageset_view v;
	int32_t most = 0;

	config(&c, releases[lane]);
	if (m == NULL || zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, 1);
	m->left = ops;
	double start = now();
	for (uint64_t i = 0; i < ops; i++) {
		struct zl_op op;

		if (mix_next(m, &op, NULL) <= 0 || zl_sim_apply(sim, &op) != 0) {
			abort();
		}
		zl_sim_pageset(sim, zl_sim_cpu(sim), &v);
		most = v.count > most ? v.count : most;
	}
	start = now() - start;
	if (most == 0) {
		abort();
	}
	zl_sim_free(sim);
	free(m);
	return start;
}

/* What one lane's history costs in the explorer. */
static double history(uint64_t ops, unsigned lane, size_t *ret_bytes)
{
	struct mix *m = malloc(sizeof(*m));
	struct op_feed feed = {.next = mix_next, .user = m, .total = ops};
	struct zl_sim_config c;
	struct meter meter;
	struct timeline *t;

	config(&c, releases[lane]);
	meter_init(&meter, zl_allocator_heap());
	if (m == NULL) {
		abort();
	}
	memset(m, 0, sizeof(*m));
	zl_rng_init(&m->rng, 1);
	m->left = ops;
	if (timeline_new(&c, &feed, &meter, &t, NULL) != 0) {
		abort();
	}
	double start = now();
	if (timeline_advance(t, ops) != 0) {
		abort();
	}
	start = now() - start;
	*ret_bytes = meter.used;
	timeline_free(t);
	free(m);
	return start;
}

static void streams(uint64_t ops, unsigned lanes)
{
	size_t bytes = 0;
	double sum = 0;
	double n = (double)ops;

	for (unsigned i = 0; i < lanes; i++) {
		sum += alone(ops, i);
	}
	double together = step(ops, 0, lanes, false, &bytes);
	printf("stream %llu %u %.2f %.2f %.0f\n", (unsigned long long)ops, lanes, sum / n,
		together / n, PERCENT * together / sum);
}

static void histories(uint64_t ops, unsigned lanes)
{
	size_t apart = 0;
	size_t bytes = 0;
	double sum = 0;
	double n = (double)ops;

	for (unsigned i = 0; i < lanes; i++) {
		sum += history(ops, i, &bytes);
		apart += bytes;
	}
	double together = step(ops, 0, lanes, true, &bytes);
	printf("history %llu %u %.2f %.2f %.0f %.2f %.2f %.0f\n", (unsigned long long)ops, lanes,
		sum / n, together / n, PERCENT * together / sum, (double)apart / n,
		(double)bytes / n, PERCENT * (double)bytes / (double)apart);
}

int main(void)
{
	static const uint64_t lengths[] = {100000, 1000000, 10000000};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		for (unsigned lanes = 2; lanes <= COMPARE_LANES; lanes += 2) {
			streams(lengths[i], lanes);
			histories(lengths[i], lanes);
		}
	}
	return EXIT_SUCCESS;
}
