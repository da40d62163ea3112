/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz entry: policies as typed, up to a run of a small zone under them.
 */
#include <errno.h>
#include <stdlib.h>

#include "fuzz.h"
#include "zonelab/file.h"
#include "zonelab/policy.h"
#include "zonelab/profile_json.h"
#include "zonelab/sim.h"

#define PAGES 2048
#define OPS   300
/* One policy of so many is run. */
#define RUN_TURN 64

static struct zl_sim *zone(const struct zl_policy_set *set, const char *release)
{
	struct zl_sim_config c;
	struct zl_release r;
	struct zl_sim *sim = NULL;

	zl_sim_config_init(&c);
	if (zl_release_parse(release, &r) != 0) {
		abort();
	}
	zl_switches_for(&r, &c.switches, NULL);
	c.managed = 300000;
	c.pages = PAGES;
	c.wmark_low = c.wmark_high = 100;
	c.pageblock_order = c.hpage_order = 5;
	c.max_order = 7;
	c.thp = true;
	c.policies = set;
	if (zl_sim_new(&c, zl_allocator_heap(), &sim, NULL) != 0) {
		abort();
	}
	return sim;
}

/* Allocations, frees and ticks; a policy without a value may end it, nothing else. */
static void run(const struct zl_policy_set *set, const char *release)
{
	struct zl_sim *sim = zone(set, release);
	struct zl_error err = {0};
	int rc = 0;

	for (uint32_t i = 0; i < OPS && rc == 0; i++) {
		struct zl_op op = {.kind = ZL_OP_ALLOC, .order = (uint8_t)(i % 4), .id = i};

		if (i % 3 == 1) {
			op = (struct zl_op){.kind = ZL_OP_FREE, .id = i - 1};
		} else if (i % 50 == 0) {
			op = (struct zl_op){.kind = ZL_OP_TICK};
		} else if (i % 70 == 2) {
			op = (struct zl_op){.kind = ZL_OP_DRAINALL};
		}
		rc = zl_sim_apply(sim, &op);
	}
	if (rc != 0 && (rc != -EDOM || zl_sim_policy_fault(sim, &err) != -EDOM)) {
		abort();
	}
	if (zl_sim_check(sim, NULL) != 0) {
		abort();
	}
	fuzz_check_clean(err.text, "");
	zl_sim_free(sim);
}

static void check_object(const struct zl_policy_set *set)
{
	struct zl_json *j = zl_policies_to_json(set);
	struct zl_policy_set again = {0};
	struct zl_error err = {0};

	if (zl_policies_from_json(&again, j, ZL_ORIGIN_GIVEN, zl_allocator_heap(), &err) != 0 ||
		!zl_policy_set_equal(set, &again)) {
		abort();
	}
	zl_policy_set_done(&again, zl_allocator_heap());
	zl_json_free(j);
}

static int parse(const char *text, struct fuzz_heap *heap, size_t fail_at, bool runs)
{
	struct zl_policy_set set = {0};
	struct zl_error err = {0};
	int rc;

	fuzz_heap_init(heap, fail_at);
	const struct zl_policy_in in = {.mem = &heap->allocator, .origin = ZL_ORIGIN_GIVEN};
	rc = zl_policy_parse(&set, text, &in, &err);
	if (rc == 0 && runs) {
		run(&set, "6.1.192");
		run(&set, "6.18.2");
		run(&set, "7.1.3");
	}
	if (rc == 0) {
		check_object(&set);
	} else if (set.count != 0 || (rc != -ENOMEM && err.text[0] == '\0')) {
		abort();
	}
	fuzz_check_clean(err.text, "");
	zl_policy_set_done(&set, &heap->allocator);
	fuzz_heap_check(heap);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_heap heap;
	char *text = fuzz_string(data, size);

	if (text == NULL) {
		return 0;
	}
	if (parse(text, &heap, 0, fuzz_turn(data, size, RUN_TURN)) == 0) {
		(void)parse(text, &heap, 1, false);
		(void)parse(text, &heap, 2, false);
	}
	free(text);
	return 0;
}
