/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the cost of an op grows with ops, CPUs and memory, what opening and copying a zone cost, and
 * how long a setting changed in mid-run takes. Prints lines
 *
 *   ops|cpus|mib N ns_per_op ratio_percent      ratio to the first line of its kind
 *   open MIB us bytes
 *   clone MIB us        of a zone in which 16 384 blocks are in use
 *   branch OPS us       a setting changed half-way, the rest and its curve worked out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "story.h"
#include "timeline.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"

#define OPS	  2000000u
#define RUNS	  3
#define MIB_PAGES 256u
#define BRANCH	  100000u

static struct zl_sim *open_zone(uint64_t pages, unsigned cpus)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	story_config(&c);
	bench_switches("6.18.2", &c.switches);
	c.pages = pages;
	c.managed = pages;
	c.cpus = cpus;
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	return sim;
}

static double per_op(const struct zl_op *op, size_t n, uint64_t pages, unsigned cpus)
{
	double best = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct zl_sim *sim = open_zone(pages, cpus);
		double start = bench_now(), took;

		if (zl_sim_run(sim, op, n, NULL) != 0) {
			abort();
		}
		took = (bench_now() - start) / (double)n;
		best = i == 0 || took < best ? took : best;
		zl_sim_free(sim);
	}
	return best;
}

static void line(const char *what, uint64_t n, double ns, double *first)
{
	*first = *first > 0 ? *first : ns;
	printf("%s %llu %.2f %.0f\n", what, (unsigned long long)n, ns, 100 * ns / *first);
}

static void growth(void)
{
	static const size_t ops[] = {20000, 200000, 2000000};
	static const unsigned cpus[] = {1, 4, 16, 64, 256, 1024};
	static const uint64_t mib[] = {64, 1024, 65536, 393216, 12582912};
	double first = 0;

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		struct zl_op *op = bench_mix_ops(ops[i], 4);
		line("ops", ops[i], per_op(op, ops[i], UINT64_C(4096) * MIB_PAGES, 4), &first);
		free(op);
	}
	first = 0;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct zl_op *op = bench_mix_ops(OPS, cpus[i]);
		line("cpus", cpus[i], per_op(op, OPS, UINT64_C(65536) * MIB_PAGES, cpus[i]),
			&first);
		free(op);
	}
	first = 0;
	for (size_t i = 0; i < sizeof(mib) / sizeof(*mib); i++) {
		struct zl_op *op = bench_mix_ops(OPS, 4);
		line("mib", mib[i], per_op(op, OPS, mib[i] * MIB_PAGES, 4), &first);
		free(op);
	}
}

static void opening(void)
{
	static const uint64_t mib[] = {1024, 393216, 12582912};
	struct zl_op *op = bench_mix_ops(OPS, 4);

	for (size_t i = 0; i < sizeof(mib) / sizeof(*mib); i++) {
		double start = bench_now();
		struct zl_sim *sim = open_zone(mib[i] * MIB_PAGES, 4), *copy;

		printf("open %llu %.0f %zu\n", (unsigned long long)mib[i],
			(bench_now() - start) / 1000, zl_sim_bytes(sim));
		if (zl_sim_run(sim, op, OPS, NULL) != 0) {
			abort();
		}
		start = bench_now();
		if (zl_sim_clone(sim, &copy) != 0) {
			abort();
		}
		printf("clone %llu %.0f\n", (unsigned long long)mib[i],
			(bench_now() - start) / 1000);
		zl_sim_free(copy);
		zl_sim_free(sim);
	}
	free(op);
}

static void branch(void)
{
	struct zl_op *op = bench_mix_ops(BRANCH, 4);
	struct bench_list l = {op, 0, BRANCH};
	struct op_feed feed = {
		.next = bench_list_next, .many = bench_list_many, .user = &l, .total = BRANCH};
	struct zl_sim *sim = open_zone(UINT64_C(4096) * MIB_PAGES, 4);
	struct zl_sim_config c = *zl_sim_config(sim);
	struct timeline *t, *b;
	struct meter meter;
	double start;

	meter_init(&meter, zl_allocator_heap());
	if (timeline_new(&c, &feed, &meter, &t, NULL) != 0 || timeline_advance(t, BRANCH) != 0 ||
		timeline_seek(t, BRANCH / 2) != 0) {
		abort();
	}
	c.scale_max = 3;
	start = bench_now();
	if (timeline_branch(t, &c, NULL, &b, NULL) != 0 || timeline_advance(b, BRANCH) != 0) {
		abort();
	}
	printf("branch %u %.0f\n", BRANCH, (bench_now() - start) / 1000);
	timeline_free(b);
	timeline_free(t);
	zl_sim_free(sim);
	free(op);
}

int main(void)
{
	growth();
	opening();
	branch();
	return EXIT_SUCCESS;
}
