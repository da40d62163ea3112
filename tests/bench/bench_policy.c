/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules given as policies against the built-in code. Prints lines
 * `pattern release policies ns_per_op built_in_ns ratio_percent`; `policies` is the point whose
 * rule is given, `all` for every rule of the release, or the name of a shipped policy (compared
 * with the release as it is, so that what it changes counts too). With arguments PATTERN RELEASE
 * POLICIES it measures that one only; with `once` behind them it runs it once, or the built-in
 * rules (`-`), for instruction counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "zonelab/file.h"
#include "zonelab/policy.h"
#include "zonelab/rng.h"
#include "zonelab/sim.h"

#define LIVE  4096u
#define OPS   2000000u
#define RUNS  9
#define BURST 64u

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

static void pair(struct stream *s, unsigned order)
{
	while (s->nr < OPS) {
		add(s, ZL_OP_ALLOC, order, 0);
		add(s, ZL_OP_FREE, 0, 0);
	}
}

static void burst(struct stream *s, unsigned order)
{
	while (s->nr < OPS) {
		for (uint32_t id = 0; id < BURST; id++) {
			add(s, ZL_OP_ALLOC, order, id);
		}
		for (uint32_t id = 0; id < BURST; id++) {
			add(s, ZL_OP_FREE, 0, id);
		}
	}
}

/* Orders 0 to @most, order 0 as often as all others. */
static void mix(struct stream *s, unsigned most)
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
			unsigned order =
				zl_rng_below(&r, 2) == 0 ? 0 : (unsigned)zl_rng_below(&r, most + 1);

			used_id[nr_used++] = free_id[--nr_free];
			add(s, ZL_OP_ALLOC, order, used_id[nr_used - 1]);
		} else {
			uint32_t k = (uint32_t)zl_rng_below(&r, nr_used);

			add(s, ZL_OP_FREE, 0, used_id[k]);
			free_id[nr_free++] = used_id[k];
			used_id[k] = used_id[--nr_used];
		}
	}
}

static const struct {
	const char *name;
	void (*make)(struct stream *s, unsigned order);
	unsigned order;
} patterns[] = {
	{"pair_order0",	pair,  0},
	{"pair_order3",	pair,  3},
	{"burst64_order3", burst, 3},
	{"mix",		mix,   3},
};

/* What replaces the rules of a release: a point's own rule, all of them, a shipped policy. */
static void policies_of(const struct zl_switches *sw, const char *which, struct zl_policy_set *ret)
{
	const struct zl_policy_in in = {.mem = zl_allocator_heap(), .origin = ZL_ORIGIN_GIVEN};

	memset(ret, 0, sizeof(*ret));
	if (zl_shipped_policy(which) != NULL) {
		if (zl_policy_parse(ret, which, &in, NULL) != 0) {
			abort();
		}
		return;
	}
	for (unsigned p = 0; p < ZL_POINT_COUNT; p++) {
		const struct zl_point_rule *rule = zl_point_rule((enum zl_point)p, sw);
		bool wanted = strcmp(which, "all") == 0 ||
			      strcmp(which, zl_point_info((enum zl_point)p)->name) == 0;

		if (rule != NULL && wanted &&
			zl_policy_give(ret, (enum zl_point)p, rule->expression, &in, NULL) != 0) {
			abort();
		}
	}
}

static struct zl_sim *new_sim(const char *release, const char *which)
{
	struct zl_policy_set set = {0};
	struct zl_sim_config c;
	struct zl_sim *sim;

	bench_zone(release, &c);
	if (which != NULL) {
		policies_of(&c.switches, which, &set);
		c.policies = &set;
	}
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	zl_policy_set_done(&set, zl_allocator_heap());
	return sim;
}

static double once(const struct stream *s, const char *release, const char *which)
{
	struct zl_sim *sim = new_sim(release, which);
	double start = bench_now();

	if (zl_sim_run(sim, s->op, s->nr, NULL) != 0) {
		abort();
	}
	start = bench_now() - start;
	zl_sim_free(sim);
	return start / (double)s->nr;
}

/* The least of several runs of both, taken in turns. */
static void compare(
	const struct stream *s, const char *pattern, const char *release, const char *which)
{
	double plain = once(s, release, NULL), policy = once(s, release, which);

	for (unsigned i = 1; i < RUNS; i++) {
		double a = once(s, release, NULL), b = once(s, release, which);

		plain = a < plain ? a : plain;
		policy = b < policy ? b : policy;
	}
	printf("%s %s %s %.2f %.2f %.0f\n", pattern, release, which, policy, plain,
		100 * policy / plain);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const char *const releases[] = {"6.1.192", "6.12", "6.18.2", "7.1.3"};
	static const char *const which[] = {
		"free_high", "free_count_step", "free_count_on_alloc", "all"};

	for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++) {
		struct stream s = {malloc(OPS * sizeof(struct zl_op)), 0};

		if (s.op == NULL) {
			abort();
		}
		patterns[p].make(&s, patterns[p].order);
		if (argc == 5 && strcmp(argv[1], patterns[p].name) == 0) {
			const char *given = strcmp(argv[3], "-") == 0 ? NULL : argv[3];

			printf("%s %s %s %.2f\n", argv[1], argv[2], argv[3],
				once(&s, argv[2], given));
		}
		if (argc == 4 && strcmp(argv[1], patterns[p].name) == 0) {
			compare(&s, patterns[p].name, argv[2], argv[3]);
		}
		for (size_t i = 0; argc == 1 && i < sizeof(releases) / sizeof(releases[0]); i++) {
			for (size_t k = 0; k < sizeof(which) / sizeof(which[0]); k++) {
				compare(&s, patterns[p].name, releases[i], which[k]);
			}
		}
		free(s.op);
	}
	return EXIT_SUCCESS;
}
