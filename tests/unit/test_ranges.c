/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of address ranges: what joins, what is cut, where the set is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry_fixture.h"
#include "zonelab/reservation.h"
#include "zonelab/text.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* "10-20 30-40": the ranges of a set, ends left out. */
static void are(const struct zl_ranges *r, const char *want)
{
	char text[256];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	for (size_t i = 0; i < r->count; i++) {
		zl_text_fmt(&t, "%s%U-%U", i > 0 ? " " : "", r->item[i].base,
			r->item[i].base + r->item[i].size);
	}
	assert_string_equal(want, text);
}

static void ranges_that_touch_are_one(void **state)
{
	struct zl_ranges r = {.count = 0};

	(void)state;
	zl_ranges_add(&r, 30, 10);
	zl_ranges_add(&r, 10, 10);
	are(&r, "10-20 30-40");
	zl_ranges_add(&r, 40, 5);
	are(&r, "10-20 30-45");
	zl_ranges_add(&r, 25, 5);
	are(&r, "10-20 25-45");
	zl_ranges_add(&r, 50, 0);
	are(&r, "10-20 25-45");
	zl_ranges_add(&r, 20, 5);
	are(&r, "10-45");
	zl_ranges_add(&r, 12, 3);
	are(&r, "10-45");
	zl_ranges_add(&r, 0, 100);
	are(&r, "0-100");
	assert_true(zl_ranges_total(&r) == 100);
}

static void what_is_taken_out_leaves_both_sides(void **state)
{
	struct zl_ranges r = {.count = 0};

	(void)state;
	zl_ranges_add(&r, 10, 30);
	zl_ranges_remove(&r, 0, 10);
	zl_ranges_remove(&r, 40, 10);
	zl_ranges_remove(&r, 20, 0);
	are(&r, "10-40");
	zl_ranges_remove(&r, 20, 5);
	are(&r, "10-20 25-40");
	zl_ranges_remove(&r, 15, 15);
	are(&r, "10-15 30-40");
	zl_ranges_remove(&r, 10, 5);
	are(&r, "30-40");
	zl_ranges_remove(&r, 35, 100);
	are(&r, "30-35");
	assert_true(zl_ranges_overlap(&r, 34, 1));
	assert_false(zl_ranges_overlap(&r, 35, 1));
	assert_false(zl_ranges_overlap(&r, 29, 1));
	assert_false(zl_ranges_overlap(&r, 31, 0));
	assert_true(zl_ranges_contain(&r, 30, 5));
	assert_false(zl_ranges_contain(&r, 30, 6));
	assert_false(zl_ranges_contain(&r, 29, 3));
	assert_true(zl_ranges_contain(&r, 0, 0));
}

/* The end of the last possible address does not wrap round. */
static void the_end_of_memory_is_no_beginning(void **state)
{
	struct zl_ranges r = {.count = 0};

	(void)state;
	zl_ranges_add(&r, UINT64_MAX - 10, 100);
	assert_int_equal(1, r.count);
	assert_true(r.item[0].size == 10);
	assert_true(zl_round_up(UINT64_MAX - 5, 4096) == zl_round_down(UINT64_MAX, 4096));
	assert_true(zl_round_up(4097, 4096) == 8192);
	assert_true(zl_round_up(4096, 4096) == 4096);
	assert_true(zl_round_up(5, 0) == 5 && zl_round_down(5, 1) == 5);
}

static void a_full_set_says_so_and_keeps_what_it_has(void **state)
{
	static struct zl_ranges r;

	(void)state;
	for (uint64_t i = 0; i < ZL_RANGES_MAX; i++) {
		zl_ranges_add(&r, i * 10, 5);
	}
	assert_false(r.full);
	assert_int_equal(ZL_RANGES_MAX, r.count);
	zl_ranges_add(&r, 7, 1);
	assert_true(r.full);
	assert_int_equal(ZL_RANGES_MAX, r.count);
	assert_true(zl_ranges_total(&r) == 5 * ZL_RANGES_MAX);
}

/* Where zones end, where high memory begins, and from which end memory is handed out at boot. */
static void a_map_of_memory_follows_the_architecture(void **state)
{
	static const struct {
		const char *words;
		uint64_t start, dma_limit, highmem;
		bool top_down;
		unsigned boundaries;
		uint64_t boundary[2];
	} table[] = {
		{"arch=arm64",     2 * GIB, 4 * GIB, 0,		    true,  1, {4 * GIB}	      },
		{"arch=arm64",     4 * GIB, 0,	   0,		      true,  0, {0}		  },
		{"arch=riscv64",	 2 * GIB, 4 * GIB, 0,		      true,  1, {4 * GIB}		},
		{"arch=x86_64",	0,	   0,	      0,			 true,  2, {16 * MIB, 4 * GIB}  },
		{"arch=arm",	     2 * GIB, 4 * GIB, 2 * GIB + 760 * MIB, true,  1, {2 * GIB + 760 * MIB}},
		{"arch=i386",      0,	 0,	    896 * MIB,	       true,  2, {16 * MIB, 896 * MIB}},
		{"arch=mips",      0,	 0,	    0,		       false, 0, {0}		    },
		{"arch=s390x",     0,	  0,	     0,			false, 0, {0}		     },
		{"arch=loongarch", 0,	      0,	 0,		    false, 0, {0}			 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct zl_memory_map map;
		struct geo geo;

		geo_resolve(&geo, "6.12", table[i].words);
		zl_memory_map_init(&map, &geo.g, table[i].start);
		if (map.dma_limit != table[i].dma_limit || map.highmem_start != table[i].highmem ||
			map.top_down != table[i].top_down ||
			map.nr_boundaries != table[i].boundaries) {
			fail_msg("%s", table[i].words);
		}
		for (unsigned k = 0; k < table[i].boundaries; k++) {
			assert_true(map.boundary[k] == table[i].boundary[k]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_that_touch_are_one),
		cmocka_unit_test(what_is_taken_out_leaves_both_sides),
		cmocka_unit_test(the_end_of_memory_is_no_beginning),
		cmocka_unit_test(a_map_of_memory_follows_the_architecture),
		cmocka_unit_test(a_full_set_says_so_and_keeps_what_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
