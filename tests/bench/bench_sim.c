/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speed of the model against the bare reference in the same run. Prints lines
 * `pattern release ns_per_op reference_ns ratio_percent`. With arguments PATTERN RELEASE it runs
 * that one only, for instruction counts (the reference has the release "reference").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "reference.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"
#include "zonelab/sim.h"

#define PAGES	 262144u
#define LIVE	 16384u
#define OPS	 2000000u
#define RUNS	 5
#define BURST	 4096u
#define BURST_3	 64u
#define NO_BLOCK UINT32_MAX

/* Ops of a pattern, made before the clock starts. */
struct stream {
	struct zl_op *op;
	size_t nr;
};

static void add(struct stream *s, enum zl_op_kind kind, unsigned order, uint32_t id)
{
	const struct zl_op op = {.kind = (uint8_t)kind,
		.order = (uint8_t)order,
		.mt = kind == ZL_OP_ALLOC ? ZL_MIGRATE_MOVABLE : 0,
		.id = id};

	if (s->nr < OPS) {
		s->op[s->nr++] = op;
	}
}

static void pair(struct stream *s)
{
	while (s->nr < OPS) {
		add(s, ZL_OP_ALLOC, 0, 0);
		add(s, ZL_OP_FREE, 0, 0);
	}
}

static void random_mix(struct stream *s)
{
	static uint32_t free_id[LIVE], used_id[LIVE];
	uint32_t nr_free = LIVE, nr_used = 0;
	struct zl_rng r;

	zl_rng_init(&r, 1);
	for (uint32_t i = 0; i < LIVE; i++) {
		free_id[i] = i;
	}
	while (s->nr < OPS) {
		if (nr_used == 0 || (nr_free > 0 && zl_rng_below(&r, 2) == 0)) {
			used_id[nr_used++] = free_id[--nr_free];
			add(s, ZL_OP_ALLOC, 0, used_id[nr_used - 1]);
		} else {
			uint32_t k = (uint32_t)zl_rng_below(&r, nr_used);

			add(s, ZL_OP_FREE, 0, used_id[k]);
			free_id[nr_free++] = used_id[k];
			used_id[k] = used_id[--nr_used];
		}
	}
}

static void burst(struct stream *s, unsigned order, uint32_t n)
{
	while (s->nr < OPS) {
		for (uint32_t id = 0; id < n; id++) {
			add(s, ZL_OP_ALLOC, order, id);
		}
		for (uint32_t id = 0; id < n; id++) {
			add(s, ZL_OP_FREE, 0, id);
		}
	}
}

static void burst4096(struct stream *s)
{
	burst(s, 0, BURST);
}

static void burst64_order3(struct stream *s)
{
	burst(s, 3, BURST_3);
}

static const struct {
	const char *name;
	void (*make)(struct stream *s);
} patterns[] = {
	{"pair",		 pair	     },
	{"random_mix",     random_mix	 },
	{"burst4096",      burst4096     },
	{"burst64_order3", burst64_order3},
};
#define PATTERNS (sizeof(patterns) / sizeof(*patterns))

static struct zl_sim *new_sim(const char *release)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	bench_zone(release, &c);
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	return sim;
}

static void run_reference(const struct stream *s)
{
	static uint32_t pfn[LIVE];
	static uint8_t order[LIVE];
	struct reference *ref = reference_new(PAGES);

	for (size_t i = 0; i < s->nr; i++) {
		const struct zl_op *op = &s->op[i];

		if (op->kind == ZL_OP_ALLOC) {
			pfn[op->id] = reference_take(ref, op->order);
			order[op->id] = op->order;
		} else if (pfn[op->id] != NO_BLOCK) {
			reference_give(ref, pfn[op->id], order[op->id]);
		}
	}
	reference_free(ref);
}

static void run_sim(const struct stream *s, const char *release)
{
	struct zl_sim *sim = new_sim(release);

	if (zl_sim_run(sim, s->op, s->nr, NULL) != 0) {
		abort();
	}
	zl_sim_free(sim);
}

static double once(const struct stream *s, const char *release)
{
	double start = bench_now();

	if (strcmp(release, "reference") == 0) {
		run_reference(s);
	} else {
		run_sim(s, release);
	}
	start = bench_now() - start;
	return start / (double)s->nr;
}

static double best(const struct stream *s, const char *release)
{
	double ns = once(s, release);

	for (unsigned i = 1; i < RUNS; i++) {
		double again = once(s, release);

		ns = again < ns ? again : ns;
	}
	return ns;
}

static struct stream make(size_t pattern)
{
	struct stream s = {malloc(OPS * sizeof(struct zl_op)), 0};

	if (s.op == NULL) {
		abort();
	}
	patterns[pattern].make(&s);
	return s;
}

/* One pattern under one release, for instruction counts. */
static int run_one(const char *pattern, const char *release)
{
	for (size_t p = 0; p < PATTERNS; p++) {
		if (strcmp(patterns[p].name, pattern) == 0) {
			struct stream s = make(p);

			printf("%s %s %.2f\n", pattern, release, once(&s, release));
			free(s.op);
			return EXIT_SUCCESS;
		}
	}
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	static const char *const releases[] = {"6.1.192", "6.12", "6.18.2", "7.1.3"};

	if (argc == 3) {
		return run_one(argv[1], argv[2]);
	}
	for (size_t p = 0; p < PATTERNS; p++) {
		struct stream s = make(p);
		double ref = best(&s, "reference");

		for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
			double ns = best(&s, releases[i]);

			printf("%s %s %.2f %.2f %.0f\n", patterns[p].name, releases[i], ns, ref,
				100 * ns / ref);
		}
		free(s.op);
	}
	return EXIT_SUCCESS;
}
