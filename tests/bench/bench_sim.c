/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speed of the model against the bare reference in the same run. Prints lines
 * `pattern release ns_per_op reference_ns ratio_percent`. With arguments PATTERN RELEASE it runs
 * that one only, for instruction counts (the reference has the release "reference").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reference.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"
#include "zonelab/sim.h"

#define PAGES	  262144u
#define LIVE	  16384u
#define OPS	  2000000u
#define RUNS	  5
#define BURST	  4096u
#define BURST_3	  64u
#define NS	  1000000000.0
#define NO_BLOCK  UINT32_MAX
#define WMARK_LOW 7040

/* One of the two allocators under the same ids. */
struct side {
	struct zl_sim *sim;
	struct reference *ref;
	uint32_t *pfn; /* of an id, for the reference */
	uint8_t *order;
};

static void take(struct side *s, unsigned order, uint32_t id)
{
	if (s->ref != NULL) {
		s->pfn[id] = reference_take(s->ref, order);
		s->order[id] = (uint8_t)order;
		return;
	}
	const struct zl_op op = {
		.kind = ZL_OP_ALLOC, .order = (uint8_t)order, .mt = ZL_MIGRATE_MOVABLE, .id = id};
	if (zl_sim_apply(s->sim, &op) != 0) {
		abort();
	}
}

static void give(struct side *s, uint32_t id)
{
	if (s->ref != NULL) {
		if (s->pfn[id] != NO_BLOCK) {
			reference_give(s->ref, s->pfn[id], s->order[id]);
		}
		return;
	}
	const struct zl_op op = {.kind = ZL_OP_FREE, .id = id};
	if (zl_sim_apply(s->sim, &op) != 0) {
		abort();
	}
}

static void pair(struct side *s)
{
	for (unsigned i = 0; i < OPS / 2; i++) {
		take(s, 0, 0);
		give(s, 0);
	}
}

static void random_mix(struct side *s)
{
	static uint32_t free_id[LIVE], used_id[LIVE];
	uint32_t nr_free = LIVE, nr_used = 0;
	struct zl_rng r;

	zl_rng_init(&r, 1);
	for (uint32_t i = 0; i < LIVE; i++) {
		free_id[i] = i;
	}
	for (unsigned i = 0; i < OPS; i++) {
		uint32_t v = (uint32_t)(zl_rng_next(&r) >> 32);

		if (nr_used == 0 || (nr_free > 0 && (v & 1) != 0)) {
			take(s, 0, free_id[--nr_free]);
			used_id[nr_used++] = free_id[nr_free];
		} else {
			uint32_t k = (uint32_t)((uint64_t)(v >> 1) * nr_used >> 31);

			give(s, used_id[k]);
			free_id[nr_free++] = used_id[k];
			used_id[k] = used_id[--nr_used];
		}
	}
}

static void burst(struct side *s, unsigned order, unsigned n)
{
	for (unsigned i = 0; i < OPS / (2 * n); i++) {
		for (uint32_t id = 0; id < n; id++) {
			take(s, order, id);
		}
		for (uint32_t id = 0; id < n; id++) {
			give(s, id);
		}
	}
}

static void burst4096(struct side *s)
{
	burst(s, 0, BURST);
}

static void burst64_order3(struct side *s)
{
	burst(s, 3, BURST_3);
}

static const struct {
	const char *name;
	void (*run)(struct side *s);
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
	struct zl_release r;
	struct zl_sim *sim;

	zl_sim_config_init(&c);
	if (zl_release_parse(release, &r) != 0) {
		abort();
	}
	zl_switches_for(&r, &c.switches, NULL);
	c.managed = PAGES;
	c.pages = PAGES;
	c.cpus = 4;
	c.wmark_low = WMARK_LOW;
	c.wmark_high = WMARK_LOW;
	c.pageblock_order = 9;
	c.hpage_order = 9;
	c.max_order = 10;
	c.thp = true;
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	return sim;
}

static double once(size_t pattern, const char *release)
{
	static uint32_t pfn[LIVE];
	static uint8_t order[LIVE];
	struct side s = {.pfn = pfn, .order = order};
	struct timespec a, b;

	if (strcmp(release, "reference") == 0) {
		s.ref = reference_new(PAGES);
	} else {
		s.sim = new_sim(release);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	patterns[pattern].run(&s);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	if (s.ref != NULL) {
		reference_free(s.ref);
	} else {
		zl_sim_free(s.sim);
	}
	return ((double)(b.tv_sec - a.tv_sec) * NS + (double)(b.tv_nsec - a.tv_nsec)) / OPS;
}

static double best(size_t pattern, const char *release)
{
	double ns = once(pattern, release);

	for (unsigned i = 1; i < RUNS; i++) {
		double again = once(pattern, release);

		ns = again < ns ? again : ns;
	}
	return ns;
}

int main(int argc, char **argv)
{
	static const char *const releases[] = {"6.1.192", "6.12", "6.18.2", "7.1.3"};

	if (argc == 3) {
		for (size_t p = 0; p < PATTERNS; p++) {
			if (strcmp(patterns[p].name, argv[1]) == 0) {
				printf("%s %s %.2f\n", argv[1], argv[2], once(p, argv[2]));
				return EXIT_SUCCESS;
			}
		}
		return EXIT_FAILURE;
	}
	for (size_t p = 0; p < PATTERNS; p++) {
		double ref = best(p, "reference");

		for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
			double ns = best(p, releases[i]);

			printf("%s %s %.2f %.2f %.0f\n", patterns[p].name, releases[i], ns, ref,
				100 * ns / ref);
		}
	}
	return EXIT_SUCCESS;
}
