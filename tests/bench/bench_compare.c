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

#include "bench.h"
#include "comparison.h"
#include "story.h"
#include "zonelab/file.h"

#define PERCENT 100

static void config(struct zl_sim_config *c, const char *release)
{
	story_config(c);
	bench_switches(release, &c->switches);
}

static const char *const releases[] = {"6.12", "6.18.2", "6.16", "7.1.3"};

/* Runs @n lanes from lane @first on in step; ns, and bytes at the end. */
static double step(uint64_t ops, unsigned first, unsigned n, bool seekable, size_t *ret_bytes)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	struct zl_sim_config c[COMPARE_LANES];
	struct bench_mix *m = malloc(sizeof(*m));
	struct op_feed feed = {.next = bench_mix_next, .user = m, .total = ops};
	struct compare_what what = {.nr_lanes = n, .feed = &feed, .seekable = seekable};
	struct comparison *cmp = NULL;
	struct zl_error err = {0};

	if (m == NULL) {
		abort();
	}
	bench_mix_init(m, ops, 4);
	m->order3 = true;
	for (unsigned i = 0; i < n; i++) {
		config(&c[i], releases[first + i]);
		what.config[i] = &c[i];
		what.name[i] = names[i];
	}
	if (comparison_new(&what, zl_allocator_heap(), &cmp, &err) != 0) {
		abort();
	}
	double start = bench_now();
	if (comparison_advance(cmp, ops) != 0) {
		abort();
	}
	start = bench_now() - start;
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
	struct bench_mix *m = malloc(sizeof(*m));
	struct zl_pageset_view v;
	int32_t most = 0;

	config(&c, releases[lane]);
	if (m == NULL || zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	bench_mix_init(m, ops, 4);
	m->order3 = true;
	double start = bench_now();
	for (uint64_t i = 0; i < ops; i++) {
		struct zl_op op;

		if (bench_mix_next(m, &op, NULL) <= 0 || zl_sim_apply(sim, &op) != 0) {
			abort();
		}
		zl_sim_pageset(sim, zl_sim_cpu(sim), &v);
		most = v.count > most ? v.count : most;
	}
	start = bench_now() - start;
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
	struct bench_mix *m = malloc(sizeof(*m));
	struct op_feed feed = {.next = bench_mix_next, .user = m, .total = ops};
	struct zl_sim_config c;
	struct meter meter;
	struct timeline *t;

	config(&c, releases[lane]);
	meter_init(&meter, zl_allocator_heap());
	if (m == NULL) {
		abort();
	}
	bench_mix_init(m, ops, 4);
	m->order3 = true;
	if (timeline_new(&c, &feed, &meter, &t, NULL) != 0) {
		abort();
	}
	double start = bench_now();
	if (timeline_advance(t, ops) != 0) {
		abort();
	}
	start = bench_now() - start;
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
