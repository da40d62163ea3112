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

#include "bench.h"
#include "story.h"
#include "timeline.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"

#define SEEKS 100u

static void config(struct zl_sim_config *c)
{
	story_config(c);
	bench_switches("6.18.2", &c->switches);
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
	start = bench_now();
	if (zl_sim_run(sim, op, ops, NULL) != 0) {
		abort();
	}
	start = bench_now() - start;
	zl_sim_free(sim);
	return start;
}

static void seeks(struct timeline *t, uint64_t ops, size_t bytes)
{
	struct zl_rng r;
	double sum = 0, worst = 0;

	zl_rng_init(&r, 2);
	for (unsigned i = 0; i < SEEKS; i++) {
		double start = bench_now();
		if (timeline_seek(t, zl_rng_below(&r, ops)) != 0) {
			abort();
		}
		double took = bench_now() - start;
		sum += took;
		worst = took > worst ? took : worst;
	}
	printf("seek %llu %.0f %.0f %zu\n", (unsigned long long)ops, sum / SEEKS / 1000,
		worst / 1000, bytes);
}

static double history(const struct zl_op *op, uint64_t ops, bool and_seek, size_t *ret_bytes)
{
	struct bench_list list = {op, 0, ops};
	struct op_feed feed = {
		.next = bench_list_next, .many = bench_list_many, .user = &list, .total = ops};
	struct zl_sim_config c;
	struct meter meter;
	struct timeline *t;
	double start;

	config(&c);
	meter_init(&meter, zl_allocator_heap());
	if (timeline_new(&c, &feed, &meter, &t, NULL) != 0) {
		abort();
	}
	start = bench_now();
	if (timeline_advance(t, ops) != 0) {
		abort();
	}
	start = bench_now() - start;
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
		struct zl_op *op = bench_mix_ops(ops, 4);
		double ns = strcmp(argv[2], "bare") == 0 ? bare(op, ops)
							 : history(op, ops, false, &bytes);
		printf("%s %.2f\n", argv[2], ns / (double)ops);
		free(op);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct zl_op *op = bench_mix_ops(lengths[i], 4);
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
