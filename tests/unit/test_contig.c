/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contiguous allocations from CMA, in a small zone worked out by hand: pages 16..31 of 32 are CMA,
 * in pageblocks of 8.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

static const char *const releases[] = {"5.15", "6.1.192", "6.12.0", "6.18.2", "7.1.3"};
#define RELEASES (sizeof(releases) / sizeof(releases[0]))

static struct zl_sim *cma_sim(const char *release)
{
	struct zl_sim_config c;

	script_zone(&c, 4, 3, 32);
	c.cma = true;
	c.cma_start = 16;
	c.cma_pages = 16;
	c.cpus = 2;
	return script_sim(&c, release);
}

static struct zl_record cma(struct zl_sim *sim, uint32_t pages, uint8_t align, uint32_t id)
{
	return script_did(sim,
		(struct zl_op){.kind = ZL_OP_CMA_ALLOC, .arg = pages, .order = align, .id = id});
}

static struct zl_record movable(struct zl_sim *sim, uint8_t order, uint32_t id)
{
	return script_did(sim,
		(struct zl_op){
			.kind = ZL_OP_ALLOC, .order = order, .mt = ZL_MIGRATE_MOVABLE, .id = id});
}

static struct zl_record on_id(struct zl_sim *sim, enum zl_op_kind kind, uint32_t id)
{
	return script_did(sim, (struct zl_op){.kind = (uint8_t)kind, .id = id});
}

static uint64_t blocks(const struct zl_sim *sim, unsigned order, enum zl_migratetype mt)
{
	return zl_sim_free_blocks(sim, order, mt);
}

/* The rest of the pageblock stays free for movable requests; on release all of it merges again. */
static void a_free_range_is_taken_and_given_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);
		struct zl_zone_view z;
		struct zl_record r = cma(sim, 4, 0, 1);

		assert_int_equal(ZL_RESULT_OK, r.result);
		assert_int_equal(16, r.pfn);
		assert_int_equal(1, r.tries);
		assert_int_equal(0, r.migrated);
		assert_int_equal(1, blocks(sim, 3, ZL_MIGRATE_CMA));
		assert_int_equal(1, blocks(sim, 2, ZL_MIGRATE_CMA));
		zl_sim_zone(sim, &z);
		assert_int_equal(12, z.free_cma);
		assert_int_equal(28, z.free);
		assert_int_equal(4, z.cma_used);
		assert_int_equal(0, z.isolated);
		assert_int_equal(4, zl_sim_id_pages(sim, 1));
		on_id(sim, ZL_OP_CMA_RELEASE, 1);
		script_did(sim, (struct zl_op){.kind = ZL_OP_DRAINALL});
		zl_sim_zone(sim, &z);
		assert_int_equal(16, z.free_cma);
		assert_int_equal(1, blocks(sim, 4, ZL_MIGRATE_CMA));
		zl_sim_free(sim);
	}
}

/* Alignment is that of the page number; the search starts at the area's start each time. */
static void ranges_are_aligned_and_found_first_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);

		assert_int_equal(16, cma(sim, 1, 0, 1).pfn);
		assert_int_equal(20, cma(sim, 3, 2, 2).pfn);
		assert_int_equal(17, cma(sim, 3, 0, 3).pfn);
		assert_int_equal(24, cma(sim, 8, 3, 4).pfn);
		/* Page 23 is left; two pages are not. */
		assert_int_equal(ZL_RESULT_ENOMEM, cma(sim, 2, 0, 5).result);
		assert_int_equal(ZL_REASON_CMA_NO_RUN, cma(sim, 2, 0, 6).reason);
		assert_int_equal(23, cma(sim, 1, 0, 7).pfn);
		on_id(sim, ZL_OP_CMA_RELEASE, 3);
		assert_int_equal(17, cma(sim, 2, 0, 8).pfn);
		zl_sim_free(sim);
	}
}

/* Balance puts the second movable page at 16; it moves out and keeps its id. */
static void movable_pages_move_out_and_keep_their_ids(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);
		struct zl_record r;

		assert_int_equal(0, movable(sim, 0, 1).pfn);
		assert_int_equal(16, movable(sim, 0, 2).pfn);
		assert_int_equal(1, movable(sim, 0, 3).pfn);
		r = cma(sim, 16, 4, 4);
		assert_int_equal(ZL_RESULT_OK, r.result);
		assert_int_equal(16, r.pfn);
		assert_int_equal(1, r.migrated);
		assert_int_equal(2, zl_sim_id_pfn(sim, 2));
		assert_true(zl_sim_id_movable(sim, 2));
		assert_int_equal(2, on_id(sim, ZL_OP_FREE, 2).pfn);
		zl_sim_free(sim);
	}
}

/* A pinned page makes each range with it busy; the search goes on one alignment step behind. */
static void a_pinned_page_answers_ebusy_and_is_stepped_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);
		struct zl_record r;

		movable(sim, 0, 1);
		assert_int_equal(16, movable(sim, 0, 2).pfn);
		on_id(sim, ZL_OP_PIN, 2);
		r = cma(sim, 16, 0, 3);
		assert_int_equal(ZL_RESULT_EBUSY, r.result);
		assert_int_equal(ZL_REASON_CMA_BUSY, r.reason);
		assert_int_equal(1, r.tries);
		assert_int_equal(16, zl_sim_id_pfn(sim, 2));
		assert_int_equal(-2, zl_sim_id_pfn(sim, 3));
		r = cma(sim, 4, 0, 4);
		assert_int_equal(17, r.pfn);
		assert_int_equal(2, r.tries);
		r = cma(sim, 8, 3, 5);
		assert_int_equal(24, r.pfn);
		assert_int_equal(1, r.tries);
		on_id(sim, ZL_OP_CMA_RELEASE, 4);
		on_id(sim, ZL_OP_CMA_RELEASE, 5);
		r = cma(sim, 4, 2, 6);
		assert_int_equal(20, r.pfn);
		assert_int_equal(2, r.tries);
		on_id(sim, ZL_OP_CMA_RELEASE, 6);
		on_id(sim, ZL_OP_UNPIN, 2);
		r = cma(sim, 16, 0, 7);
		assert_int_equal(ZL_RESULT_OK, r.result);
		assert_int_equal(1, r.migrated);
		zl_sim_free(sim);
	}
}

/*
 * CMA from page 32 to the end, all free but page 32, which is pinned. Balance gives movable requests
 * CMA while more than half of what is free is CMA, the last block first.
 */
static struct zl_sim *sim_with_first_page_pinned(const char *release, unsigned pages)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	script_zone(&c, 4, 3, pages);
	c.cma = true;
	c.cma_start = 32;
	c.cma_pages = pages - 32;
	sim = script_sim(&c, release);
	script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOC, .order = 4, .id = 100});
	for (uint32_t at = pages - 16; at > 32; at -= 16) {
		assert_int_equal(at, movable(sim, 4, at).pfn);
	}
	script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOC, .id = 101});
	assert_int_equal(32, movable(sim, 0, 2).pfn);
	on_id(sim, ZL_OP_PIN, 2);
	for (uint32_t at = pages - 16; at > 32; at -= 16) {
		on_id(sim, ZL_OP_FREE, at);
	}
	script_did(sim, (struct zl_op){.kind = ZL_OP_DRAINALL});
	return sim;
}

/*
 * Blocks that an attempt isolated merge with what is free beside them when it fails. Pages 32..63 are
 * CMA, page 32 is pinned; 24 pages aligned to 16 fit only 32..55, so block 48..55 is isolated apart
 * from 56..63 (as a whole maximum order where the kernel isolates those) and must find it again.
 */
static void an_attempt_that_failed_leaves_the_free_blocks_as_they_were(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = sim_with_first_page_pinned(releases[i], 64);
		struct zl_record r;

		assert_int_equal(1, blocks(sim, 4, ZL_MIGRATE_CMA));
		assert_int_equal(1, blocks(sim, 3, ZL_MIGRATE_CMA));
		r = cma(sim, 24, 4, 3);
		assert_int_equal(ZL_RESULT_EBUSY, r.result);
		assert_int_equal(1, r.tries);
		assert_int_equal(1, blocks(sim, 4, ZL_MIGRATE_CMA));
		assert_int_equal(1, blocks(sim, 3, ZL_MIGRATE_CMA));
		zl_sim_free(sim);
	}
}

/*
 * A free block of the maximum order stays one while one of its pageblocks is isolated; it has no
 * larger block to merge into. Pages 32..95 are CMA; 40 pages aligned to 32 fit only 32..71.
 */
static void blocks_of_the_maximum_order_stay_what_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = sim_with_first_page_pinned(releases[i], 96);
		struct zl_zone_view z;

		assert_int_equal(ZL_RESULT_EBUSY, cma(sim, 40, 5, 3).result);
		assert_int_equal(3, blocks(sim, 4, ZL_MIGRATE_CMA));
		zl_sim_zone(sim, &z);
		assert_int_equal(63, z.free_cma);
		assert_int_equal(0, z.isolated);
		on_id(sim, ZL_OP_UNPIN, 2);
		assert_int_equal(32, cma(sim, 64, 5, 4).pfn);
		zl_sim_free(sim);
	}
}

/* Fifteen unmovable pages outside and one movable page inside: nothing is free elsewhere. */
static void without_room_elsewhere_it_is_enomem_and_nothing_has_moved(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);
		struct zl_zone_view before, after;
		struct zl_record r;

		for (uint32_t id = 1; id <= 16; id++) {
			struct zl_op op = {.kind = ZL_OP_ALLOC, .id = id};

			assert_int_equal(ZL_RESULT_REFILL, script_did(sim, op).result);
		}
		assert_int_equal(ZL_RESULT_FAIL,
			script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOC, .id = 17}).result);
		assert_int_equal(16, movable(sim, 0, 20).pfn);
		zl_sim_zone(sim, &before);
		assert_int_equal(15, before.free);
		r = cma(sim, 16, 0, 30);
		assert_int_equal(ZL_RESULT_ENOMEM, r.result);
		assert_int_equal(ZL_REASON_CMA_NOWHERE, r.reason);
		zl_sim_zone(sim, &after);
		assert_int_equal(before.free, after.free);
		assert_int_equal(before.free_cma, after.free_cma);
		assert_int_equal(0, after.isolated);
		assert_int_equal(16, zl_sim_id_pfn(sim, 20));
		zl_sim_free(sim);
	}
}

/* Free memory that a kernel allocation cannot use. */
static void unmovable_requests_fail_while_cma_is_free(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = cma_sim(releases[i]);
		struct zl_zone_view z;
		uint32_t id = 1;

		while (script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOC, .id = id}).result !=
			ZL_RESULT_FAIL) {
			id++;
		}
		zl_sim_zone(sim, &z);
		assert_int_equal(17, id);
		assert_int_equal(16, z.free);
		assert_int_equal(16, z.free_cma);
		assert_int_equal(ZL_RESULT_REFILL, movable(sim, 0, 100).result);
		zl_sim_free(sim);
	}
}

/* With mobility grouping off no request counts as movable: the pool serves cma_alloc alone. */
static void without_mobility_grouping_the_pool_is_dead_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim_config c;
		struct zl_sim *sim;
		uint32_t id = 1;

		script_zone(&c, 4, 3, 32);
		c.managed = 47;
		c.cma = true;
		c.cma_start = 16;
		c.cma_pages = 16;
		sim = script_sim(&c, releases[i]);
		assert_true(zl_sim_grouping_off(sim));
		while (movable(sim, 0, id).result != ZL_RESULT_FAIL) {
			id++;
		}
		assert_int_equal(17, id);
		assert_int_equal(16, cma(sim, 16, 0, 50).pfn);
		zl_sim_free(sim);
	}
}

/*
 * The block in use at 16..31 reaches over the last edge of 8..23. By then the first pageblock is
 * isolated; it comes back behind the other free one. The second try finds no room to move to.
 */
static void what_was_isolated_before_the_last_pageblock_refuses_comes_back(void **state)
{
	(void)state;
	for (size_t i = 2; i < RELEASES; i++) {
		struct zl_sim_config c;
		struct zl_record r;
		struct zl_sim *sim;

		script_zone(&c, 4, 3, 48);
		c.cma = true;
		c.cma_start = 8;
		c.cma_pages = 32;
		sim = script_sim(&c, releases[i]);
		assert_int_equal(16, movable(sim, 4, 1).pfn);
		movable(sim, 3, 2);
		assert_int_equal(32, movable(sim, 3, 3).pfn);
		movable(sim, 3, 4);
		assert_int_equal(8, movable(sim, 3, 5).pfn);
		on_id(sim, ZL_OP_FREE, 3);
		on_id(sim, ZL_OP_FREE, 5);
		r = cma(sim, 16, 3, 6);
		assert_int_equal(ZL_RESULT_ENOMEM, r.result);
		assert_int_equal(2, r.tries);
		assert_int_equal(32, movable(sim, 3, 7).pfn);
		zl_sim_free(sim);
	}
}

/* Clones are independent of each other, contiguous allocations included. */
static void a_clone_keeps_its_own_area(void **state)
{
	struct zl_sim *sim = cma_sim("6.18.2");
	struct zl_sim *clone = NULL;

	(void)state;
	cma(sim, 4, 0, 1);
	assert_int_equal(0, zl_sim_clone(sim, &clone));
	assert_true(zl_sim_digest(sim) == zl_sim_digest(clone));
	on_id(clone, ZL_OP_FREE, 1);
	assert_int_equal(20, cma(sim, 4, 0, 2).pfn);
	assert_int_equal(16, cma(clone, 4, 0, 2).pfn);
	assert_false(zl_sim_digest(sim) == zl_sim_digest(clone));
	zl_sim_free(clone);
	zl_sim_free(sim);
}

static void impossible_ops_are_refused_with_a_sentence(void **state)
{
	static const struct {
		struct zl_op op;
		const char *part;
	} bad[] = {
		{{.kind = ZL_OP_CMA_ALLOC, .arg = 17, .id = 9},		"1 to 16"		 },
		{{.kind = ZL_OP_CMA_ALLOC, .arg = 0, .id = 9},	       "1 to 16"		},
		{{.kind = ZL_OP_CMA_ALLOC, .arg = 1, .order = 20, .id = 9}, "alignment"	       },
		{{.kind = ZL_OP_CMA_ALLOC, .arg = 1, .id = 1},	       "in use"	       },
		{{.kind = ZL_OP_CMA_RELEASE, .id = 1},		       "not from cma_alloc"},
		{{.kind = ZL_OP_OFFLINE, .arg = 0},			    "another one"	 },
		{{.kind = ZL_OP_OFFLINE, .arg = 2},			    "no CPU 2"	      },
		{{.kind = ZL_OP_ONLINE, .arg = 1},			   "is online"	      },
		{{.kind = ZL_OP_RECLAIM, .arg = 1},			    "whole machine"	   },
		{{.kind = ZL_OP_SET, .key = ZL_SIM_MIN_FREE_KBYTES},	     "whole machine"	    },
	};
	struct zl_sim *sim = cma_sim("6.18.2");

	(void)state;
	movable(sim, 0, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct zl_error err = {0};
		uint64_t was = zl_sim_digest(sim);

		assert_int_equal(-EINVAL, zl_sim_apply(sim, &bad[i].op));
		assert_int_equal(-EINVAL, zl_sim_op_check(sim, &bad[i].op, &err));
		assert_non_null(strstr(err.text, bad[i].part));
		assert_true(was == zl_sim_digest(sim));
	}
	zl_sim_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_free_range_is_taken_and_given_back),
		cmocka_unit_test(ranges_are_aligned_and_found_first_fit),
		cmocka_unit_test(movable_pages_move_out_and_keep_their_ids),
		cmocka_unit_test(a_pinned_page_answers_ebusy_and_is_stepped_over),
		cmocka_unit_test(an_attempt_that_failed_leaves_the_free_blocks_as_they_were),
		cmocka_unit_test(blocks_of_the_maximum_order_stay_what_they_are),
		cmocka_unit_test(without_room_elsewhere_it_is_enomem_and_nothing_has_moved),
		cmocka_unit_test(unmovable_requests_fail_while_cma_is_free),
		cmocka_unit_test(without_mobility_grouping_the_pool_is_dead_memory),
		cmocka_unit_test(what_was_isolated_before_the_last_pageblock_refuses_comes_back),
		cmocka_unit_test(a_clone_keeps_its_own_area),
		cmocka_unit_test(impossible_ops_are_refused_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
