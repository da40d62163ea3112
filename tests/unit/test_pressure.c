/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of a zone under pressure, by hand in small zones: watermark boost, requests that may not
 * mix pageblocks, HIGHATOMIC pageblocks given back, requests under watermarks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

static const struct script_release releases[] = {
	{"6.1.192", 'A'},
	{"6.12.0",  'B'},
	{"6.18.2",  'C'},
	{"7.1.3",	  'D'},
};
#define RELEASES (sizeof(releases) / sizeof(releases[0]))

static struct zl_record get(struct zl_sim *sim, enum zl_migratetype mt, unsigned flags, uint32_t id)
{
	return script_did(sim,
		(struct zl_op){
			.kind = ZL_OP_ALLOC, .mt = (uint8_t)mt, .key = (uint8_t)flags, .id = id});
}

static void give(struct zl_sim *sim, uint32_t id)
{
	script_did(sim, (struct zl_op){.kind = ZL_OP_FREE, .id = id});
}

static void set(struct zl_sim *sim, enum zl_sim_key key, uint32_t v)
{
	script_did(sim, (struct zl_op){.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = v});
}

/* One movable pageblock of 8 pages, of which 1, 3 and 6 are free. */
static struct zl_sim *poor_block(const char *release, uint64_t managed, unsigned boost_factor)
{
	struct zl_sim_config c;
	struct zl_sim *sim;

	script_zone(&c, 4, 3, 8);
	c.managed = managed;
	c.wmark_high = 2;
	c.boost_factor = boost_factor;
	sim = script_sim(&c, release);
	for (uint32_t id = 0; id < 8; id++) {
		get(sim, ZL_MIGRATE_MOVABLE, 0, id);
	}
	give(sim, 1);
	give(sim, 3);
	give(sim, 6);
	return sim;
}

static int64_t boost_of(const struct zl_sim *sim)
{
	struct zl_zone_view z;

	zl_sim_zone(sim, &z);
	assert_int_equal(z.wmark_high, 2 + z.boost);
	assert_int_equal(z.wmark_min, 1 + z.boost);
	return z.boost;
}

/*
 * One pageblock a time, at most max(8, 2 * 15000 / 10000). A has moved all free blocks at the first
 * request, so the second one mixes nothing.
 */
static void mixing_a_pageblock_boosts_the_watermarks(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = poor_block(releases[i].release, 1000, 15000);
		struct zl_totals t;

		assert_int_equal(0, boost_of(sim));
		get(sim, ZL_MIGRATE_UNMOVABLE, 0, 20);
		assert_int_equal(8, boost_of(sim));
		get(sim, ZL_MIGRATE_UNMOVABLE, 0, 21);
		assert_int_equal(8, boost_of(sim));
		zl_sim_totals(sim, &t);
		assert_int_equal(releases[i].letter == 'A' ? 1 : 2, t.boosts);
		set(sim, ZL_SIM_BOOST, 0);
		assert_int_equal(0, boost_of(sim));
		zl_sim_free(sim);
	}
}

/* 50,000 / 10,000 of 2 pages is below a pageblock, 100,000 is 20 pages: 8, 16, 20. */
static void a_boost_grows_up_to_its_factor(void **state)
{
	struct zl_sim *sim = poor_block("6.12.0", 1000, 100000);

	(void)state;
	get(sim, ZL_MIGRATE_UNMOVABLE, 0, 20);
	get(sim, ZL_MIGRATE_UNMOVABLE, 0, 21);
	assert_int_equal(16, boost_of(sim));
	get(sim, ZL_MIGRATE_UNMOVABLE, 0, 22);
	assert_int_equal(20, boost_of(sim));
	zl_sim_free(sim);
}

static void small_zones_and_factor_0_are_not_boosted(void **state)
{
	struct zl_sim *sim = poor_block("6.18.2", 31, 15000); /* below four pageblocks */

	(void)state;
	get(sim, ZL_MIGRATE_UNMOVABLE, 0, 20);
	assert_int_equal(0, boost_of(sim));
	zl_sim_free(sim);
	sim = poor_block("6.18.2", 1000, 0);
	get(sim, ZL_MIGRATE_UNMOVABLE, 0, 20);
	assert_int_equal(0, boost_of(sim));
	zl_sim_free(sim);
}

/* Free blocks below a pageblock are left alone; a whole one may be taken. */
static void nofragment_takes_whole_pageblocks_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim *sim = poor_block(releases[i].release, 1000, 0);
		struct zl_record r =
			get(sim, ZL_MIGRATE_UNMOVABLE, ZL_ALLOC_NOFRAGMENT | ZL_ALLOC_TRY, 20);

		assert_int_equal(ZL_RESULT_FAIL, r.result);
		assert_int_equal(-1, zl_sim_id_pfn(sim, 20));
		r = get(sim, ZL_MIGRATE_UNMOVABLE, ZL_ALLOC_TRY, 20);
		assert_int_not_equal(ZL_RESULT_FAIL, r.result);
		zl_sim_free(sim);

		struct zl_sim_config c;
		script_zone(&c, 4, 3, 32);
		sim = script_sim(&c, releases[i].release);
		r = get(sim, ZL_MIGRATE_UNMOVABLE, ZL_ALLOC_NOFRAGMENT | ZL_ALLOC_TRY, 1);
		assert_int_equal(0, r.pfn);
		assert_int_equal(ZL_FALLBACK_WHOLE, r.fallback);
		zl_sim_free(sim);
	}
}

/* The reserve of one pageblock is kept unless it is forced. */
static void a_reserved_pageblock_is_given_back(void **state)
{
	struct zl_op op = {.kind = ZL_OP_UNRESERVE, .mt = ZL_MIGRATE_MOVABLE};
	struct zl_pageblock_view b;
	struct zl_zone_view z;
	struct zl_sim_config c;
	struct zl_sim *sim;

	(void)state;
	script_zone(&c, 4, 3, 32);
	sim = script_sim(&c, "7.1.3");
	script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOCHA, .order = 1, .id = 1});
	zl_sim_zone(sim, &z);
	assert_int_equal(8, z.reserved_highatomic);
	assert_int_equal(ZL_REASON_UNRESERVED_NONE, script_did(sim, op).reason);
	op.key = 1;
	assert_int_equal(ZL_REASON_UNRESERVED, script_did(sim, op).reason);
	zl_sim_zone(sim, &z);
	assert_int_equal(0, z.reserved_highatomic);
	assert_int_equal(0, z.free_highatomic);
	assert_int_equal(30, z.free);
	zl_sim_pageblock(sim, 0, &b);
	assert_int_equal(ZL_MIGRATE_MOVABLE, b.type);
	assert_int_equal(1, zl_sim_free_blocks(sim, 2, ZL_MIGRATE_MOVABLE));
	assert_int_equal(1, zl_sim_free_blocks(sim, 1, ZL_MIGRATE_MOVABLE));
	assert_int_equal(ZL_REASON_UNRESERVED_NONE, script_did(sim, op).reason);
	zl_sim_free(sim);
}

/* Where a pageblock is the largest block there is, all of it may lie on the list as one. */
static void a_reserved_pageblock_that_is_wholly_free_is_given_back(void **state)
{
	const struct zl_op op = {.kind = ZL_OP_UNRESERVE, .mt = ZL_MIGRATE_MOVABLE, .key = 1};
	struct zl_sim_config c;
	struct zl_zone_view z;
	struct zl_sim *sim;

	(void)state;
	script_zone(&c, 4, 4, 32);
	c.managed = 1600;
	sim = script_sim(&c, "7.1.3");
	script_did(sim, (struct zl_op){.kind = ZL_OP_ALLOCHA, .order = 1, .id = 1});
	give(sim, 1);
	script_did(sim, (struct zl_op){.kind = ZL_OP_DRAIN});
	assert_int_equal(1, zl_sim_free_blocks(sim, 4, ZL_MIGRATE_HIGHATOMIC));
	assert_int_equal(ZL_REASON_UNRESERVED, script_did(sim, op).reason);
	zl_sim_zone(sim, &z);
	assert_int_equal(0, z.reserved_highatomic);
	assert_int_equal(2, zl_sim_free_blocks(sim, 4, ZL_MIGRATE_MOVABLE));
	zl_sim_free(sim);
}

/* free > mark + reserve is needed, order 0; a refusal changes nothing but below_high. */
static void a_watermark_refuses_and_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < RELEASES; i++) {
		struct zl_sim_config c;
		struct zl_sim *sim;
		struct zl_record r;
		uint64_t was;

		script_zone(&c, 4, 3, 32);
		c.wmark_min = 10;
		c.wmark_low = 20;
		c.wmark_high = 25;
		c.lowmem_reserve[ZL_ZONE_NORMAL] = 5;
		sim = script_sim(&c, releases[i].release);
		set(sim, ZL_SIM_BELOW_HIGH, 1);
		struct zl_op op = {.kind = ZL_OP_ALLOC,
			.key = ZL_ALLOC_WMARK_LOW | ZL_ALLOC_TRY,
			.arg = ZL_ZONE_NORMAL + 1};
		for (op.id = 1; op.id <= 7; op.id++) {
			assert_int_equal(ZL_RESULT_REFILL, script_did(sim, op).result);
		}
		was = zl_sim_digest(sim);
		r = script_did(sim, op); /* 25 pages are left */
		assert_int_equal(ZL_RESULT_REFUSED, r.result);
		assert_int_equal(ZL_REASON_ALLOC_WATERMARK, r.reason);
		assert_true(was == zl_sim_digest(sim));
		op.key = ZL_ALLOC_WMARK_MIN | ZL_ALLOC_TRY;
		assert_int_equal(ZL_RESULT_REFILL, script_did(sim, op).result);
		/* Nothing is kept from a request for this zone itself. */
		op.key = ZL_ALLOC_WMARK_LOW | ZL_ALLOC_TRY;
		op.arg = ZL_ZONE_DMA32 + 1;
		op.id++;
		assert_int_equal(ZL_RESULT_REFILL, script_did(sim, op).result);
		zl_sim_free(sim);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixing_a_pageblock_boosts_the_watermarks),
		cmocka_unit_test(a_boost_grows_up_to_its_factor),
		cmocka_unit_test(small_zones_and_factor_0_are_not_boosted),
		cmocka_unit_test(nofragment_takes_whole_pageblocks_only),
		cmocka_unit_test(a_reserved_pageblock_is_given_back),
		cmocka_unit_test(a_reserved_pageblock_that_is_wholly_free_is_given_back),
		cmocka_unit_test(a_watermark_refuses_and_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
