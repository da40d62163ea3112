/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several zones, worked out by hand: zonelists, watermarks, reclaim, CPUs, settings in mid-run. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "zonelab/file.h"
#include "zonelab/system.h"

#define PAGES 4096u

static void add_zone(struct zl_system_config *c, unsigned node, enum zl_zone_type type)
{
	struct zl_system_zone *z = &c->zone[c->nr_zones++];

	z->node = node;
	z->type = type;
	snprintf(z->name, sizeof(z->name), "%s", zl_zone_type_name(type));
	zl_sim_config_init(&z->config);
	z->config.managed = PAGES;
	z->config.pages = PAGES;
	z->config.wmark_min = 100;
	z->config.wmark_low = 200;
	z->config.wmark_high = 300;
	z->config.max_order = 10;
	z->config.pageblock_order = 9;
	z->config.hpage_order = 9;
	z->config.batch = 1;
}

/* Node 0: DMA and Normal, node 1: Normal and Movable; two CPUs each. */
static void two_nodes(struct zl_system_config *c)
{
	zl_system_config_init(c);
	c->nodes = 2;
	c->cpus = 4;
	zl_system_split_cpus(c);
	add_zone(c, 0, ZL_ZONE_DMA);
	add_zone(c, 0, ZL_ZONE_NORMAL);
	add_zone(c, 1, ZL_ZONE_NORMAL);
	add_zone(c, 1, ZL_ZONE_MOVABLE);
}

/* One node with DMA and Normal. */
static void one_node(struct zl_system_config *c)
{
	zl_system_config_init(c);
	c->cpus = 2;
	zl_system_split_cpus(c);
	add_zone(c, 0, ZL_ZONE_DMA);
	add_zone(c, 0, ZL_ZONE_NORMAL);
}

/* Nothing stays on a pageset, and a refill takes one block: free falls by one a request. */
static void no_pagesets(struct zl_system_config *c)
{
	for (unsigned i = 0; i < c->nr_zones; i++) {
		c->zone[i].config.high_min = 0;
		c->zone[i].config.high_max = 0;
	}
}

static struct zl_system *start(struct zl_system_config *c, const char *release)
{
	struct zl_error err = {0};
	struct zl_system *s = NULL;

	for (unsigned i = 0; i < c->nr_zones; i++) {
		script_switches(&c->zone[i].config, release);
	}
	if (zl_system_new(c, zl_allocator_heap(), &s, &err) != 0) {
		fail_msg("%s", err.text);
	}
	return s;
}

static struct zl_system_record did(struct zl_system *s, struct zl_op op)
{
	struct zl_system_record r;
	struct zl_error err = {0};

	if (zl_system_apply(s, &op) != 0) {
		zl_system_op_check(s, &op, &err);
		fail_msg("refused: %s", err.text);
	}
	zl_system_record(s, &r);
	return r;
}

static struct zl_system_record get(struct zl_system *s, unsigned mt, uint32_t id)
{
	return did(s, (struct zl_op){.kind = ZL_OP_ALLOC, .mt = (uint8_t)mt, .id = id});
}

static struct zl_system_record set(struct zl_system *s, enum zl_sim_key key, uint32_t v)
{
	return did(s, (struct zl_op){.kind = ZL_OP_SET, .key = (uint8_t)key, .arg = v});
}

static struct zl_system_record plain(struct zl_system *s, enum zl_op_kind kind, uint32_t arg)
{
	return did(s, (struct zl_op){.kind = (uint8_t)kind, .arg = arg});
}

static int64_t free_of(const struct zl_system *s, unsigned zone)
{
	struct zl_zone_view z;

	zl_sim_zone(zl_system_zone(s, zone), &z);
	return z.free;
}

static bool below(const struct zl_system *s, unsigned zone)
{
	struct zl_zone_view z;

	zl_sim_zone(zl_system_zone(s, zone), &z);
	return z.below_high;
}

static void expect_list(const struct zl_system *s, enum zl_migratetype mt, const char *want)
{
	unsigned list[ZL_SYSTEM_ZONES_MAX];
	unsigned n = zl_system_zonelist(s, mt, list);
	char got[64] = "";

	for (unsigned i = 0; i < n; i++) {
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%u", list[i]);
	}
	assert_string_equal(want, got);
}

static void zonelists_go_down_the_zones_then_to_the_next_node(void **state)
{
	struct zl_system_config c;
	struct zl_system *s;

	(void)state;
	two_nodes(&c);
	s = start(&c, "6.18.2");
	expect_list(s, ZL_MIGRATE_UNMOVABLE, "102");
	expect_list(s, ZL_MIGRATE_MOVABLE, "1032");
	plain(s, ZL_OP_CPU, 3);
	expect_list(s, ZL_MIGRATE_UNMOVABLE, "210");
	expect_list(s, ZL_MIGRATE_MOVABLE, "3210");
	plain(s, ZL_OP_NODE, 0);
	expect_list(s, ZL_MIGRATE_MOVABLE, "1032");
	did(s, (struct zl_op){.kind = ZL_OP_ZONE, .key = ZL_ZONE_DMA});
	expect_list(s, ZL_MIGRATE_MOVABLE, "0");
	plain(s, ZL_OP_NODE, ZL_OP_LOCAL);
	did(s, (struct zl_op){.kind = ZL_OP_ZONE, .key = ZL_OP_ANY_ZONE});
	expect_list(s, ZL_MIGRATE_RECLAIMABLE, "210");
	zl_system_free(s);
}

static void a_request_goes_on_at_the_low_watermark(void **state)
{
	static const char *const releases[] = {"6.1.192", "6.18.2"};

	(void)state;
	for (size_t r = 0; r < 2; r++) {
		struct zl_system_config c;
		struct zl_system_record rec;
		struct zl_system *s;
		uint32_t id = 0;

		two_nodes(&c);
		no_pagesets(&c);
		s = start(&c, releases[r]);
		do {
			rec = get(s, ZL_MIGRATE_UNMOVABLE, ++id);
		} while (rec.zone == 1);
		/* free > 200 is needed; with 200 the next zone is asked. */
		assert_int_equal(200, free_of(s, 1));
		assert_int_equal(PAGES - 200 + 1, id);
		assert_int_equal(0, rec.zone);
		assert_int_equal(2, rec.attempts);
		assert_int_equal(0, rec.kswapd_wakes);
		assert_int_equal(r == 1, below(s, 1));
		zl_system_free(s);
	}
}

/* DMA keeps 1000 pages from requests that may use Normal. */
static void lowmem_reserve_protects_the_lower_zone(void **state)
{
	struct zl_system_config c;
	struct zl_system_record rec;
	struct zl_system *s;
	uint32_t id = 0;

	(void)state;
	one_node(&c);
	no_pagesets(&c);
	c.zone[0].config.lowmem_reserve[ZL_ZONE_NORMAL] = 1000;
	s = start(&c, "6.18.2");
	do {
		rec = get(s, ZL_MIGRATE_UNMOVABLE, ++id);
	} while (rec.kswapd_wakes == 0);
	/* Both are at low; kswapd is woken, and the walk under min begins in Normal again. */
	assert_int_equal(1, rec.kswapd_wakes);
	assert_int_equal(1, rec.zone);
	assert_int_equal(199, free_of(s, 1));
	assert_int_equal(1200, free_of(s, 0));
	assert_true(zl_system_kswapd_awake(s, 0));
	do {
		rec = get(s, ZL_MIGRATE_UNMOVABLE, ++id);
		assert_int_equal(0, rec.kswapd_wakes);
	} while (rec.r.result != ZL_RESULT_REFUSED);
	assert_int_equal(100, free_of(s, 1));
	assert_int_equal(1100, free_of(s, 0));
	assert_int_equal(ZL_REASON_ALLOC_WATERMARK, rec.r.reason);
	assert_int_equal(-1, zl_system_id_zone(s, id));
	/* A request for DMA itself is not kept out. */
	did(s, (struct zl_op){.kind = ZL_OP_ZONE, .key = ZL_ZONE_DMA});
	assert_int_equal(0, get(s, ZL_MIGRATE_UNMOVABLE, ++id).zone);
	assert_int_equal(0, zl_system_check(s, NULL));
	zl_system_free(s);
}

/* High-atomic requests may use half and a quarter of what min keeps: 100 - 50 - 12 = 38. */
static void atomic_requests_go_deeper(void **state)
{
	struct zl_system_config c;
	struct zl_system *s;
	uint32_t id = 0;

	(void)state;
	one_node(&c);
	c.nr_zones = 1;
	c.zone[0].type = ZL_ZONE_NORMAL;
	no_pagesets(&c);
	s = start(&c, "7.1.3");
	while (get(s, ZL_MIGRATE_UNMOVABLE, ++id).r.result != ZL_RESULT_REFUSED) {
	}
	assert_int_equal(100, free_of(s, 0));
	while (did(s, (struct zl_op){.kind = ZL_OP_ALLOCHA, .id = ++id}).r.result !=
		ZL_RESULT_REFUSED) {
	}
	assert_int_equal(38, free_of(s, 0));
	zl_system_free(s);
}

/* Set by the first request that finds the zone below high, cleared by a free that drains. */
static void below_high_is_set_and_cleared_as_the_kernel_does(void **state)
{
	struct zl_system_config c;
	struct zl_system *s;
	uint32_t id = 0, last;

	(void)state;
	one_node(&c);
	no_pagesets(&c);
	c.zone[1].config.lowmem_reserve[ZL_ZONE_MOVABLE] = 50;
	s = start(&c, "6.18.2");
	while (!below(s, 1)) {
		get(s, ZL_MIGRATE_UNMOVABLE, ++id);
	}
	/* free > 300 does not hold any more before the request; it takes one. */
	assert_int_equal(299, free_of(s, 1));
	last = id;
	for (id = 1; below(s, 1); id++) {
		did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = id});
	}
	/* Cleared above 300 + 50. */
	assert_int_equal(351, free_of(s, 1));
	assert_true(id < last);
	zl_system_free(s);
}

static void direct_reclaim_gives_back_what_was_stated(void **state)
{
	struct zl_system_config c;
	struct zl_system_record rec;
	struct zl_system_totals t;
	struct zl_system *s;
	uint32_t id = 0;

	(void)state;
	one_node(&c);
	s = start(&c, "6.18.2");
	while (get(s, ZL_MIGRATE_MOVABLE, ++id).r.result != ZL_RESULT_REFUSED) {
	}
	set(s, ZL_SIM_DIRECT_RECLAIM, 8);
	rec = get(s, ZL_MIGRATE_UNMOVABLE, ++id);
	assert_int_equal(8, rec.reclaimed);
	assert_int_equal(1, rec.rounds);
	/* 4 pages stay on the pageset, 4 reach the buddy; that is enough. */
	assert_true(rec.r.result == ZL_RESULT_REFILL || rec.r.result == ZL_RESULT_PCP);
	assert_int_equal(-1, zl_system_id_zone(s, 1));
	/* Freeing a block that reclaim has taken does nothing. */
	assert_int_equal(
		ZL_RESULT_NOOP, did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 1}).r.result);
	zl_system_totals(s, &t);
	assert_int_equal(8, t.reclaimed);
	assert_int_equal(1, t.reclaim_rounds);
	assert_int_equal(0, zl_system_check(s, NULL));
	zl_system_free(s);
}

/* Pages that reclaim gives back stay on the pageset: only draining all of them helps. */
static void pagesets_are_drained_when_reclaim_does_not_help(void **state)
{
	struct zl_system_config c;
	struct zl_system_record rec;
	struct zl_system *s;
	uint32_t id = 0;

	(void)state;
	one_node(&c);
	c.nr_zones = 1;
	c.zone[0].type = ZL_ZONE_NORMAL;
	c.zone[0].config.high_min = 500;
	c.zone[0].config.high_max = 500;
	s = start(&c, "6.1.192");
	while (get(s, ZL_MIGRATE_MOVABLE, ++id).r.result != ZL_RESULT_REFUSED) {
	}
	set(s, ZL_SIM_DIRECT_RECLAIM, 2);
	rec = did(s, (struct zl_op){.kind = ZL_OP_ALLOC, .mt = ZL_MIGRATE_UNMOVABLE, .id = ++id});
	assert_true(rec.drained_all);
	assert_int_equal(2, rec.reclaimed);
	assert_int_not_equal(ZL_RESULT_REFUSED, rec.r.result);
	assert_int_equal(101, free_of(s, 0));
	zl_system_free(s);
}

static void pinned_blocks_are_not_reclaimed(void **state)
{
	struct zl_system_config c;
	struct zl_system_record rec;
	struct zl_system *s;

	(void)state;
	one_node(&c);
	s = start(&c, "6.18.2");
	for (uint32_t id = 1; id <= 5; id++) {
		get(s, id == 2 ? ZL_MIGRATE_UNMOVABLE : ZL_MIGRATE_MOVABLE, id);
	}
	did(s, (struct zl_op){.kind = ZL_OP_PIN, .id = 1});
	rec = plain(s, ZL_OP_RECLAIM, 2);
	assert_int_equal(2, rec.reclaimed);
	assert_int_equal(2, rec.r.result_value);
	assert_int_equal(-1, zl_system_id_zone(s, 3));
	assert_int_equal(-1, zl_system_id_zone(s, 4));
	assert_int_equal(1, zl_system_id_zone(s, 5));
	did(s, (struct zl_op){.kind = ZL_OP_UNPIN, .id = 1});
	assert_int_equal(2, plain(s, ZL_OP_RECLAIM, 100).reclaimed);
	assert_int_equal(1, zl_system_id_zone(s, 2));
	zl_system_free(s);
}

/* Three refreshes without a change: a batch of the remote pageset goes back, none of the own. */
static void a_remote_pageset_expires_and_a_local_one_does_not(void **state)
{
	struct zl_system_config c;
	struct zl_pageset_view v;
	struct zl_system *s;

	(void)state;
	two_nodes(&c);
	for (unsigned i = 0; i < 4; i++) {
		c.zone[i].config.high_min = 100;
		c.zone[i].config.high_max = 100;
	}
	s = start(&c, "6.1.192");
	for (unsigned node = 0; node < 2; node++) {
		plain(s, ZL_OP_NODE, node);
		get(s, ZL_MIGRATE_UNMOVABLE, 1);
		get(s, ZL_MIGRATE_UNMOVABLE, 2);
		did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 1});
		did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 2});
	}
	plain(s, ZL_OP_TICK, 0);
	plain(s, ZL_OP_TICK, 0);
	zl_sim_pageset(zl_system_zone(s, 2), 0, &v);
	assert_int_equal(2, v.count);
	assert_int_equal(1, plain(s, ZL_OP_TICK, 0).r.drained);
	zl_sim_pageset(zl_system_zone(s, 2), 0, &v);
	assert_int_equal(1, v.count);
	zl_sim_pageset(zl_system_zone(s, 1), 0, &v);
	assert_int_equal(2, v.count);
	zl_system_free(s);
}

static int32_t high_min(const struct zl_system *s, unsigned zone)
{
	struct zl_pageset_view v;

	zl_sim_pageset(zl_system_zone(s, zone), 0, &v);
	return v.high_min;
}

/* Low 200 over 2 CPUs is 100; a CPU that comes back counts once more for the other node. */
static void limits_follow_the_cpus_that_are_online(void **state)
{
	struct zl_system_config c;
	struct zl_system_record rec;
	struct zl_pageset_view v;
	struct zl_system *s;

	(void)state;
	two_nodes(&c);
	s = start(&c, "6.18.2");
	assert_int_equal(100, high_min(s, 1));
	plain(s, ZL_OP_CPU, 1);
	get(s, ZL_MIGRATE_UNMOVABLE, 1);
	did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 1});
	plain(s, ZL_OP_CPU, 0);
	rec = plain(s, ZL_OP_OFFLINE, 1);
	assert_int_equal(1, rec.r.drained);
	assert_int_equal(ZL_REASON_CPU_OFFLINE, rec.r.reason);
	zl_sim_pageset(zl_system_zone(s, 1), 1, &v);
	assert_int_equal(0, v.count);
	assert_int_equal(200, high_min(s, 1));
	assert_int_equal(100, high_min(s, 2));
	const struct zl_op there = {.kind = ZL_OP_CPU, .arg = 1};
	assert_int_equal(-EINVAL, zl_system_apply(s, &there));
	plain(s, ZL_OP_ONLINE, 1);
	assert_int_equal(100, high_min(s, 1));
	assert_int_equal(200 / 3, high_min(s, 2));
	set(s, ZL_SIM_HIGH_FRACTION, 0);
	assert_int_equal(100, high_min(s, 2));
	zl_system_free(s);
}

/* 4096 pages of 8 * 4096 shares: watermarks of each zone, and limits from the new low one. */
static void watermarks_change_in_mid_run(void **state)
{
	struct zl_system_config c;
	struct zl_zone_view z;
	struct zl_system *s;

	(void)state;
	one_node(&c);
	s = start(&c, "6.18.2");
	set(s, ZL_SIM_MIN_FREE_KBYTES, 8000);
	/* 2000 pages, half for each zone; distance 1000 / 4. */
	zl_sim_zone(zl_system_zone(s, 1), &z);
	assert_int_equal(1000, z.wmark_min);
	assert_int_equal(1250, z.wmark_low);
	assert_int_equal(1500, z.wmark_high);
	assert_int_equal(625, high_min(s, 1));
	set(s, ZL_SIM_SCALE_FACTOR, 3000);
	/* 4096 * 3000 / 10000 = 1228. */
	zl_sim_zone(zl_system_zone(s, 0), &z);
	assert_int_equal(1000, z.wmark_min);
	assert_int_equal(2228, z.wmark_low);
	assert_int_equal(3456, z.wmark_high);
	zl_system_free(s);
}

/* While disabled nothing stays; afterwards a tuned high starts at high_min again. */
static void disabled_pagesets_hold_nothing(void **state)
{
	struct zl_system_config c;
	struct zl_pageset_view v;
	struct zl_system *s;

	(void)state;
	one_node(&c);
	s = start(&c, "6.18.2");
	get(s, ZL_MIGRATE_UNMOVABLE, 1);
	get(s, ZL_MIGRATE_UNMOVABLE, 2);
	did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 1});
	set(s, ZL_SIM_PCP_DISABLED, 1);
	zl_sim_pageset(zl_system_zone(s, 1), 0, &v);
	assert_int_equal(0, v.count);
	assert_int_equal(0, v.high_max);
	did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = 2});
	assert_int_equal(PAGES, free_of(s, 1));
	set(s, ZL_SIM_PCP_DISABLED, 0);
	zl_sim_pageset(zl_system_zone(s, 1), 0, &v);
	assert_int_equal(0, v.high);
	assert_int_equal(100, v.high_min);
	get(s, ZL_MIGRATE_UNMOVABLE, 3);
	zl_sim_pageset(zl_system_zone(s, 1), 0, &v);
	assert_int_equal(101, v.high); /* high_min and one batch of the refill */
	zl_system_free(s);
}

static void impossible_systems_and_ops_are_refused(void **state)
{
	static const struct zl_op bad[] = {
		{.kind = ZL_OP_NODE,  .arg = 2	     },
		{.kind = ZL_OP_ZONE,  .key = ZL_ZONE_DEVICE},
		{.kind = ZL_OP_SET,   .key = ZL_SIM_CPUS,	.arg = 9},
		{.kind = ZL_OP_SET,		    .key = ZL_SIM_SCALE_FACTOR,			.arg = 3001},
		{.kind = ZL_OP_CMA_ALLOC,	  .arg = 1,	    .id = 7},
		{.kind = ZL_OP_ALLOC,    .id = 1	     },
		{.kind = ZL_OP_ALLOC, .key = ZL_ALLOC_TRY,		   .id = 8},
		{.kind = ZL_OP_OFFLINE, .arg = 0	},
	};
	struct zl_system_config c;
	struct zl_system *s;

	(void)state;
	two_nodes(&c);
	s = start(&c, "6.18.2");
	get(s, ZL_MIGRATE_UNMOVABLE, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct zl_error err = {0};
		uint64_t was = zl_system_digest(s);

		assert_int_equal(-EINVAL, zl_system_apply(s, &bad[i]));
		assert_int_equal(-EINVAL, zl_system_op_check(s, &bad[i], &err));
		assert_true(err.text[0] != '\0');
		assert_true(was == zl_system_digest(s));
	}
	zl_system_free(s);
	s = NULL;
	c.zone[1].type = ZL_ZONE_DMA;
	assert_int_equal(-EINVAL, zl_system_new(&c, zl_allocator_heap(), &s, NULL));
	assert_null(s);
}

/* A bulk goes to the first zone in which all of it stays above low; its ids and no others are taken. */
static void a_bulk_goes_to_a_zone_with_room_for_all_of_it(void **state)
{
	struct zl_system_config c;

	(void)state;
	one_node(&c);
	no_pagesets(&c);
	c.watermarks = true;
	struct zl_system *s = start(&c, "6.12.0");
	int64_t normal = free_of(s, 1), dma = free_of(s, 0);
	const struct zl_op bulk = {
		.kind = ZL_OP_BULK, .mt = ZL_MIGRATE_MOVABLE, .id = 1, .arg = 100};
	struct zl_system_record r = did(s, bulk);

	assert_int_equal(1, r.zone);
	assert_int_equal(100, r.r.result_value);
	assert_int_equal(normal - 100, free_of(s, 1));
	assert_int_equal(dma, free_of(s, 0));
	/* The id behind them is free. */
	get(s, ZL_MIGRATE_MOVABLE, 101);
	struct zl_error err = {0};
	const struct zl_op again = {.kind = ZL_OP_ALLOC, .id = 100};
	assert_int_equal(-EINVAL, zl_system_op_check(s, &again, &err));
	assert_non_null(strstr(err.text, "in use"));
	for (uint32_t id = 1; id <= 101; id++) {
		did(s, (struct zl_op){.kind = ZL_OP_FREE, .id = id});
	}
	assert_int_equal(normal, free_of(s, 1));
	zl_system_free(s);
}

static void a_bulk_stays_on_its_node(void **state)
{
	struct zl_system_config c;
	struct zl_op bulk = {.kind = ZL_OP_BULK, .mt = ZL_MIGRATE_MOVABLE, .id = 1, .arg = 3900};

	(void)state;
	two_nodes(&c);
	no_pagesets(&c);
	c.watermarks = true;
	c.zone[2].config.managed = c.zone[2].config.pages = UINT64_C(2) * PAGES;
	struct zl_system *s = start(&c, "6.12.0");
	/* 196 would be left of either zone at home, 200 are too few. */
	struct zl_system_record r = did(s, bulk);
	assert_int_equal(ZL_REASON_ALLOC_WATERMARK, r.r.reason);
	assert_int_equal(0, r.r.result_value);
	bulk.arg = 3895;
	bulk.id = 10000;
	r = did(s, bulk);
	assert_int_equal(1, r.zone);
	assert_int_equal(201, free_of(s, 1));
	zl_system_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zonelists_go_down_the_zones_then_to_the_next_node),
		cmocka_unit_test(a_request_goes_on_at_the_low_watermark),
		cmocka_unit_test(a_bulk_goes_to_a_zone_with_room_for_all_of_it),
		cmocka_unit_test(a_bulk_stays_on_its_node),
		cmocka_unit_test(lowmem_reserve_protects_the_lower_zone),
		cmocka_unit_test(atomic_requests_go_deeper),
		cmocka_unit_test(below_high_is_set_and_cleared_as_the_kernel_does),
		cmocka_unit_test(direct_reclaim_gives_back_what_was_stated),
		cmocka_unit_test(pagesets_are_drained_when_reclaim_does_not_help),
		cmocka_unit_test(pinned_blocks_are_not_reclaimed),
		cmocka_unit_test(a_remote_pageset_expires_and_a_local_one_does_not),
		cmocka_unit_test(limits_follow_the_cpus_that_are_online),
		cmocka_unit_test(watermarks_change_in_mid_run),
		cmocka_unit_test(disabled_pagesets_hold_nothing),
		cmocka_unit_test(impossible_systems_and_ops_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
