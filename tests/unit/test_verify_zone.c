/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protection, counter thresholds and CPUs of nodes; machines that no capture is of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/import.h"
#include "zonelab/verify.h"

static struct zl_import im;
static struct zl_verify found;

static void read_machine(const char *name, const char *arch, const char *kernel, const char *page)
{
	struct zl_settings given = {0};
	struct zl_error err = {0};
	char path[512];

	zl_settings_set(&given, ZL_SET_ARCH, arch, ZL_ORIGIN_GIVEN, NULL);
	zl_settings_set(&given, ZL_SET_KERNEL, kernel, ZL_ORIGIN_GIVEN, NULL);
	zl_settings_set(&given, ZL_SET_PAGE_SIZE, page, ZL_ORIGIN_GIVEN, NULL);
	zl_import_init(&im, zl_allocator_heap());
	snprintf(path, sizeof(path), TEST_DATA "/machines/%s.txt", name);
	assert_int_equal(0, zl_import_path(&im, path, &err));
	zl_import_finish(&im, &given);
}

static void verify(void)
{
	const struct zl_verify_in in = {
		.profile = &im.profile, .available_pages = -1, .fraction_known = true};

	assert_int_equal(0, zl_verify_run(&in, zl_allocator_heap(), &found));
}

static void forget(void)
{
	zl_verify_done(&found, zl_allocator_heap());
}

static void finish(void)
{
	forget();
	zl_import_done(&im);
}

/* The only item of a field that differs or has a reason. */
static const struct zl_verify_item *odd_one(enum zl_verify_field field)
{
	const struct zl_verify_item *odd = NULL;

	for (size_t i = 0; i < found.nr_items; i++) {
		const struct zl_verify_item *item = &found.item[i];

		if (item->field == field && item->verdict != ZL_VERDICT_AGREES) {
			assert_null(odd);
			odd = item;
		}
	}
	assert_non_null(odd);
	return odd;
}

static void assert_odd(enum zl_verify_field field, enum zl_verify_verdict verdict, const char *name,
	const char *words)
{
	const struct zl_verify_item *item = odd_one(field);
	char text[320];

	assert_int_equal(verdict, item->verdict);
	zl_verify_item_name(item, text, sizeof(text));
	assert_string_equal(name, text);
	zl_verify_reason_text(item, text, sizeof(text));
	assert_non_null(strstr(text, words));
}

/* The first item of a field and zone. */
static size_t first(enum zl_verify_field field, size_t zone)
{
	for (size_t i = 0; i < found.nr_items; i++) {
		if (found.item[i].field == field && found.item[i].zone == zone) {
			return i;
		}
	}
	fail();
	return 0;
}

static void machines_of_other_kinds_agree(void **state)
{
	static const struct {
		const char *name, *arch, *kernel, *page;
		size_t explained;
	} machines[] = {
		{"arm-lpae-6.6",		 "arm",	"6.6.40",	  "4K",	0},
		{"i386-5.15",	      "i386",      "5.15.20",	 "4K",  0},
		{"riscv64-6.12",		 "riscv64",   "6.12.10",  "4K",  0},
		{"powerpc64-64k-6.12",     "powerpc64", "6.12.10",  "64K", 0},
		{"s390x-6.6",	      "s390x",     "6.6.40",	 "4K",  0},
		{"loongarch-16k-6.12",     "loongarch", "6.12.10",  "16K", 0},
		{"x86_64-5.4",	       "x86_64",	 "5.4.200",  "4K",  0},
		{"x86_64-movablecore-6.1", "x86_64",    "6.1.100",	"4K",  0},
		{"x86_64-movablecore-6.6", "x86_64",    "6.6.50",   "4K",  0},
		{"x86_64-device-7.1",      "x86_64",	"7.1.2",	 "4K",  0},
		{"x86_64-memoryless-7.1",  "x86_64",    "7.1.2",    "4K",  0},
 /* Without LPAE there are no huge pages; nothing in the files says so. */
		{"arm-5.15",		     "arm",	    "5.15.120", "4K",  1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		read_machine(
			machines[i].name, machines[i].arch, machines[i].kernel, machines[i].page);
		verify();
		if (found.count[ZL_VERDICT_DIFFERS] > 0 || found.count[ZL_VERDICT_INPUT] > 0 ||
			found.count[ZL_VERDICT_EXPLAINED] != machines[i].explained) {
			fail_msg("%s: %zu differ, %zu explained", machines[i].name,
				found.count[ZL_VERDICT_DIFFERS], found.count[ZL_VERDICT_EXPLAINED]);
		}
		finish();
	}
}

/* A boot log counts less than there is later; that explains what differs, and here nothing does. */
static void memory_given_back_is_not_claimed_where_all_values_fit(void **state)
{
	struct zl_verify_in in = {.profile = &im.profile, .fraction_known = true};

	(void)state;
	read_machine("x86_64-5.4", "x86_64", "5.4.200", "4K");
	for (size_t i = 0; i < im.profile.nr_zones; i++) {
		in.available_pages += (int64_t)im.profile.zones[i].managed;
	}
	in.available_pages -= 100;
	assert_int_equal(0, zl_verify_run(&in, zl_allocator_heap(), &found));
	assert_int_equal(0, found.count[ZL_VERDICT_EXPLAINED]);
	assert_true(found.count[ZL_VERDICT_AGREES] > 0);
	assert_true(found.freed_zone == SIZE_MAX);
	finish();
}

static void a_machine_without_zones_has_nothing_to_verify(void **state)
{
	(void)state;
	zl_import_init(&im, zl_allocator_heap());
	verify();
	for (size_t i = 0; i < found.nr_items; i++) {
		assert_true(found.item[i].zone == SIZE_MAX);
	}
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
}

static void show_high_max(struct zl_zone_facts *z, int64_t high_max)
{
	z->nr_pcp = 1;
	z->pcp = malloc(sizeof(*z->pcp));
	assert_non_null(z->pcp);
	*z->pcp = (struct zl_observed_pcp){.count = -1,
		.high = -1,
		.batch = -1,
		.high_min = -1,
		.high_max = high_max,
		.stat_threshold = -1};
}

/*
 * The kernel's image lies in one zone, and every zone may be it: of zones as large as each other the
 * second one too. 800 000 / 8 = 100 000 pages fit now; 99 000 stand for 792 000 to 792 007.
 */
static void memory_was_given_back_to_any_of_zones_of_one_size(void **state)
{
	(void)state;
	for (size_t low = 0; low < 3; low++) {
		zl_import_init(&im, zl_allocator_heap());
		zl_settings_set(&im.profile.settings, ZL_SET_KERNEL, "7.1", ZL_ORIGIN_GIVEN, NULL);
		zl_settings_set(&im.profile.settings, ZL_SET_CPUS, "1", ZL_ORIGIN_GIVEN, NULL);
		for (unsigned i = 0; i < 3; i++) {
			struct zl_zone_facts *z =
				zl_profile_add_zone(&im.profile, zl_allocator_heap());

			assert_non_null(z);
			memcpy(z->name, "Normal", sizeof("Normal"));
			z->node = i;
			z->start_pfn = (i + 1) * UINT64_C(1048576);
			z->managed = z->present = z->spanned = 800000;
			z->cpus = z->node_cpus = 1;
			show_high_max(z, i == low ? 99000 : 100000);
		}
		im.profile.zones_page_size = 4096;
		verify();
		assert_true(found.freed_zone == low);
		assert_true(found.managed_lo == 792000 && found.managed_hi == 792007);
		finish();
	}
}

static void huge_pages_that_no_file_tells_of_may_be_off(void **state)
{
	(void)state;
	read_machine("arm-5.15", "arm", "5.15.120", "4K");
	verify();
	assert_odd(ZL_VERIFY_MIN_FREE, ZL_VERDICT_EXPLAINED, "min_free_kbytes",
		"transparent huge pages are off, of which these files say nothing; with them it "
		"would be 22 528");
	forget();
	zl_settings_set(&im.profile.settings, ZL_SET_THP_ENABLED, "always", ZL_ORIGIN_FILE, NULL);
	verify();
	assert_int_equal(ZL_VERDICT_DIFFERS, odd_one(ZL_VERIFY_MIN_FREE)->verdict);
	finish();
}

/* DMA of 3840 pages below DMA32 of 782 432: 3056 with ratio 256. */
static void protection_is_checked_column_by_column(void **state)
{
	struct zl_zone_facts *dma;

	(void)state;
	read_machine("x86_64-cxl-6.18", "x86_64", "6.18.5", "4K");
	assert_true(zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()) > 0);
	dma = &im.profile.zones[0];
	assert_int_equal(5, dma->nr_protection);
	assert_int_equal(3056, dma->protection[1]);
	for (int delta = -1; delta <= 1; delta += 2) {
		dma->protection[1] += delta;
		verify();
		assert_odd(ZL_VERIFY_PROTECTION, ZL_VERDICT_DIFFERS, "protection (DMA32)", "3056");
		forget();
		dma->protection[1] -= delta;
	}
	/* An empty zone adds nothing to the column below it. */
	dma->protection[3]++;
	verify();
	assert_odd(ZL_VERIFY_PROTECTION, ZL_VERDICT_DIFFERS, "protection (Movable)", "reported");
	forget();
	/* A list that is cut says nothing of its columns. */
	dma->nr_protection = 3;
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
}

/* 15 920 784 / 128 = 124 381.1 */
static void a_ratio_that_no_file_states_is_found(void **state)
{
	(void)state;
	read_machine("x86_64-cxl-6.18", "x86_64", "6.18.5", "4K");
	assert_true(zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()) > 0);
	zl_settings_unset(&im.profile.settings, ZL_SET_LOWMEM_RESERVE_RATIO);
	im.profile.zones[1].protection[2] = 124381;
	verify();
	/* Movable and Device are no wider than Normal here, and were not changed. */
	assert_int_equal(ZL_VERDICT_DIFFERS, found.item[first(ZL_VERIFY_PROTECTION, 1)].verdict);
	forget();
	im.profile.zones[1].protection[3] = im.profile.zones[1].protection[4] = 124381;
	verify();
	assert_odd(ZL_VERIFY_PROTECTION, ZL_VERDICT_EXPLAINED, "protection (Normal)",
		"lowmem_reserve_ratio 128 for this zone");
	finish();
}

/* 4 CPUs, node 1 of 128 GiB: 2 x 3 x (1 + 10) = 66; kswapd: (low - min) / 4 is above 125. */
static void the_threshold_of_counters_follows_cpus_and_memory(void **state)
{
	struct zl_observed_pcp *pcp;

	(void)state;
	read_machine("x86_64-cxl-6.18", "x86_64", "6.18.5", "4K");
	assert_true(zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()) > 0);
	pcp = im.profile.zones[7].pcp;
	assert_int_equal(66, pcp[0].stat_threshold);
	pcp[2].stat_threshold = 67;
	verify();
	assert_odd(ZL_VERIFY_STAT_THRESHOLD, ZL_VERDICT_DIFFERS, "stat_threshold", "66 computed");
	assert_int_equal(2, odd_one(ZL_VERIFY_STAT_THRESHOLD)->cpu);
	forget();
	pcp[2].stat_threshold = 125;
	verify();
	assert_odd(ZL_VERIFY_STAT_THRESHOLD, ZL_VERDICT_EXPLAINED, "stat_threshold",
		"kswapd was awake");
	finish();
}

static void cpus_of_nodes_follow_from_their_limits(void **state)
{
	(void)state;
	read_machine("x86_64-cxl-6.18", "x86_64", "6.18.5", "4K");
	verify();
	assert_true(found.count[ZL_VERDICT_DIFFERS] > 0); /* 4 CPUs as 2 and 2 */
	forget();
	assert_int_equal(2, zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()));
	for (size_t i = 0; i < im.profile.nr_zones; i++) {
		assert_int_equal(4, im.profile.zones[i].node_cpus);
	}
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
	/* Limits that no number of CPUs gives leave the even split. */
	read_machine("x86_64-cxl-6.18", "x86_64", "6.18.5", "4K");
	for (size_t i = 0; i < im.profile.nr_zones; i++) {
		for (size_t k = 0; k < im.profile.zones[i].nr_pcp; k++) {
			im.profile.zones[i].pcp[k].high_min = 999;
		}
	}
	assert_int_equal(0, zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()));
	assert_int_equal(0, im.profile.zones[0].node_cpus);
	zl_import_done(&im);
	/* An even split that fits stays. */
	read_machine("x86_64-memoryless-7.1", "x86_64", "7.1.2", "4K");
	assert_int_equal(0, zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()));
	zl_import_done(&im);
}

/* Node 0 of two, cut off behind its zones: 4 CPUs are online, 2 of them its own. */
static void a_file_that_is_cut_claims_no_difference(void **state)
{
	(void)state;
	read_machine("x86_64-cut-6.18", "x86_64", "6.18.5", "4K");
	assert_int_equal(1, zl_node_cpus_by_limits(&im.profile, zl_allocator_heap()));
	assert_int_equal(2, im.profile.zones[0].node_cpus);
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
}

static void zones_without_managed_pages_are_named_and_not_judged(void **state)
{
	(void)state;
	read_machine("x86_64-unmanaged-6.18", "x86_64", "6.18.5", "4K");
	assert_true(im.profile.zones[2].no_managed);
	assert_false(im.profile.zones[3].no_managed); /* Movable, managed 0 */
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	for (size_t i = 0; i < found.nr_items; i++) {
		assert_int_not_equal(2, found.item[i].zone);
	}
	assert_int_equal(ZL_VERDICT_INPUT, odd_one(ZL_VERIFY_MIN_FREE)->verdict);
	bool named = false;
	for (size_t i = 0; i < im.diags.count; i++) {
		named |= strstr(im.diags.item[i].text, "node 0 Normal has no line \"managed\"") !=
			 NULL;
	}
	assert_true(named);
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_of_other_kinds_agree),
		cmocka_unit_test(memory_given_back_is_not_claimed_where_all_values_fit),
		cmocka_unit_test(a_machine_without_zones_has_nothing_to_verify),
		cmocka_unit_test(memory_was_given_back_to_any_of_zones_of_one_size),
		cmocka_unit_test(huge_pages_that_no_file_tells_of_may_be_off),
		cmocka_unit_test(protection_is_checked_column_by_column),
		cmocka_unit_test(a_ratio_that_no_file_states_is_found),
		cmocka_unit_test(the_threshold_of_counters_follows_cpus_and_memory),
		cmocka_unit_test(cpus_of_nodes_follow_from_their_limits),
		cmocka_unit_test(a_file_that_is_cut_claims_no_difference),
		cmocka_unit_test(zones_without_managed_pages_are_named_and_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
