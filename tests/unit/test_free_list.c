/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of untouched blocks look like the blocks one by one: taken from the front, the middle, the
 * end, more often than runs can be kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "buddy.h"
#include "script.h"

#define BLOCKS 64
#define ORDER  4

/* Takes each block off in the order of a step through all, and puts it back at the tail. */
static void rotate(unsigned step)
{
	uint32_t pfns[BLOCKS], want[BLOCKS];
	struct zl_sim_config c;
	struct zl_sim *sim;

	script_zone(&c, ORDER, 3, BLOCKS << ORDER);
	sim = script_sim(&c, "6.18.2");
	for (unsigned i = 0; i < BLOCKS; i++) {
		want[i] = i << ORDER;
	}
	for (unsigned i = 0, b = 0; i < BLOCKS; i++, b = (b + step) % BLOCKS) {
		uint32_t pfn = b << ORDER;
		struct zl_error err = {0};
		unsigned k = 0;

		zl_free_unlink(sim, pfn, ORDER, ZL_MIGRATE_MOVABLE);
		zl_free_link(sim, pfn, ORDER, ZL_MIGRATE_MOVABLE, true);
		while (want[k] != pfn) {
			k++;
		}
		for (; k + 1 < BLOCKS; k++) {
			want[k] = want[k + 1];
		}
		want[BLOCKS - 1] = pfn;
		if (zl_sim_check(sim, &err) != 0) {
			fail_msg("step %u, block %u: %s", step, b, err.text);
		}
		assert_int_equal(
			BLOCKS, zl_sim_free_list(sim, ORDER, ZL_MIGRATE_MOVABLE, pfns, BLOCKS));
		assert_memory_equal(want, pfns, sizeof(want));
	}
	assert_int_equal(0, sim->nr_runs);
	zl_sim_free(sim);
}

static void a_run_gives_up_its_blocks_in_any_order(void **state)
{
	(void)state;
	for (unsigned step = 1; step < BLOCKS; step += 2) {
		rotate(step);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_gives_up_its_blocks_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
