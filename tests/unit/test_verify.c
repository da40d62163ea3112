/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "verify_private.h"
#include "zonelab/import.h"
#include "zonelab/text.h"
#include "zonelab/verify.h"

#define CAPTURES TEST_DATA "/captures/"
#define CASES	 TEST_DATA "/cases/"

static struct zl_import im;
static struct zl_verify found;

static void start(const char *kernel, const char *page_size, struct zl_settings *ret)
{
	memset(ret, 0, sizeof(*ret));
	zl_settings_set(ret, ZL_SET_KERNEL, kernel, ZL_ORIGIN_GIVEN, NULL);
	zl_settings_set(ret, ZL_SET_PAGE_SIZE, page_size, ZL_ORIGIN_GIVEN, NULL);
	zl_import_init(&im, zl_allocator_heap());
}

static void verify(void)
{
	struct zl_verify_in in = {.profile = &im.profile,
		.available_pages = -1,
		.fraction_known = zl_settings_given(&im.profile.settings, ZL_SET_HIGH_FRACTION)};

	if (im.facts.available_kb >= 0) {
		in.available_pages =
			im.facts.available_kb * 1024 / (int64_t)im.profile.zones_page_size;
	}
	assert_int_equal(0, zl_verify_run(&in, zl_allocator_heap(), &found));
}

static void read_folder(const char *name, const char *kernel, const char *page_size)
{
	struct zl_settings given;
	struct zl_error err = {0};
	char path[512];

	start(kernel, page_size, &given);
	snprintf(path, sizeof(path), "%s%s", CAPTURES, name);
	assert_int_equal(0, zl_import_root(&im, path, &err));
	zl_import_finish(&im, &given);
}

static void read_file(const char *path, const char *kernel, const char *page_size)
{
	struct zl_settings given;
	struct zl_error err = {0};

	start(kernel, page_size, &given);
	assert_int_equal(0, zl_import_path(&im, path, &err));
	zl_import_finish(&im, &given);
}

static void finish(void)
{
	zl_verify_done(&found, zl_allocator_heap());
	zl_import_done(&im);
}

/* Every folder with what its files do not say. */
static const struct {
	const char *name, *kernel, *page_size;
} folders[] = {
	{"linux-6.1.192-arm64-16k-thp-hugetlb",		"6.1.192",  "16K"},
	{"linux-6.1.192-arm64-4k-debian-cloud",		"6.1.192",  "4K" },
	{"linux-6.1.192-arm64-4k-nohuge",			  "6.1.192",  "4K" },
	{"linux-6.1.192-arm64-64k-thp-hugetlb",		"6.1.192",  "64K"},
	{"linux-6.1.192-arm64-64k-thp-hugetlb-512M",	     "6.1.192",	"64K"},
	{"linux-6.1.192-x86_64-4k-debian-cloud-trace",      "6.1.192",  "4K" },
	{"linux-6.1.192-x86_64-4k-debian-cloud-trace-512M", "6.1.192",  "4K" },
	{"linux-6.12.117-x86_64-4k-debian-cloud-trace",	"6.12.117", "4K" },
	{"linux-6.18.15-arm64-16k-debian",		   "6.18.15",  "16K"},
	{"linux-6.18.44-x86_64-4k-live",			 "6.18.44",  "4K" },
	{"linux-7.3.4-arm64-16k-debian",			 "7.3.4",	  "16K"},
	{"linux-7.3.4-arm64-16k-debian-trace",	       "7.3.4",	"16K"},
	{"linux-7.3.4-arm64-16k-pageblock7",		     "7.3.4",    "16K"},
	{"linux-7.3.4-x86_64-4k-debian-cloud-trace",	     "7.3.4",    "4K" },
};
#define NR_FOLDERS (sizeof(folders) / sizeof(folders[0]))

static void every_captured_kernel_agrees_or_has_a_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FOLDERS; i++) {
		read_folder(folders[i].name, folders[i].kernel, folders[i].page_size);
		verify();
		if (found.count[ZL_VERDICT_DIFFERS] > 0) {
			fail_msg("%s differs", folders[i].name);
		}
		assert_true(found.count[ZL_VERDICT_AGREES] > 10);
		finish();
	}
}

static unsigned planted;

/* One reported number, wherever it stands. */
static void plant(int64_t *value, int64_t delta, const char *where, const char *field)
{
	if (*value < 0 || *value + delta < 0) {
		return;
	}
	*value += delta;
	planted++;
	verify();
	if (found.count[ZL_VERDICT_DIFFERS] == 0) {
		fail_msg("%s: %s off by %d passes", where, field, (int)delta);
	}
	zl_verify_done(&found, zl_allocator_heap());
	*value -= delta;
}

static void plant_zone(struct zl_zone_facts *z, int64_t delta, const char *where, bool tuned)
{
	plant(&z->min, delta, where, "min");
	plant(&z->low, delta, where, "low");
	plant(&z->high, delta, where, "high");
	plant(&z->promo, delta, where, "promo");
	for (size_t i = 0; i < z->nr_pcp; i++) {
		plant(&z->pcp[i].batch, delta, where, "batch");
		plant(&z->pcp[i].high_min, delta, where, "high_min");
		/* A single high_max a page off is one more span of managed pages: range-checked. */
		if (z->nr_pcp > 1) {
			plant(&z->pcp[i].high_max, delta, where, "high_max");
		}
		if (!tuned) {
			plant(&z->pcp[i].high, delta, where, "pageset high");
		}
	}
}

static void one_page_off_in_any_exact_field_is_reported(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FOLDERS; i++) {
		const char *where = folders[i].name;
		bool tuned = strncmp(folders[i].kernel, "6.1.", 4) != 0;

		read_folder(where, folders[i].kernel, folders[i].page_size);
		planted = 0;
		for (int64_t delta = -1; delta <= 1; delta += 2) {
			struct zl_observed *o = &im.profile.observed;

			/* Here a smaller square root is one more span, and no log narrows it. */
			if (delta > 0 || strstr(where, "trace-512M") == NULL) {
				plant(&o->min_free_kbytes, delta, where, "min_free_kbytes");
			}
			plant(&o->pageblock_order, delta, where, "pageblock_order");
			plant(&o->max_page_order, delta, where, "max_page_order");
			for (size_t z = 0; z < im.profile.nr_zones; z++) {
				plant_zone(&im.profile.zones[z], delta, where, tuned);
			}
		}
		assert_true(planted > 20);
		zl_import_done(&im);
	}
}

static const struct zl_verify_item *find_item(enum zl_verify_field field, size_t zone)
{
	for (size_t i = 0; i < found.nr_items; i++) {
		if (found.item[i].field == field && found.item[i].zone == zone) {
			return &found.item[i];
		}
	}
	fail_msg("no such item");
	return NULL;
}

static void assert_reason(const struct zl_verify_item *item, enum zl_verify_verdict verdict,
	enum zl_verify_reason reason, const char *words)
{
	char text[300];

	assert_string_equal(zl_verdict_name(verdict), zl_verdict_name(item->verdict));
	assert_string_equal(zl_verify_reason_name(reason), zl_verify_reason_name(item->reason));
	zl_verify_reason_text(item, text, sizeof(text));
	if (strstr(text, words) == NULL) {
		fail_msg("\"%s\" lacks \"%s\"", text, words);
	}
}

static const struct {
	const char *folder, *kernel, *page_size;
	unsigned memory[5], cpus[5];
} tables[] = {
	{"linux-6.1.192-arm64-16k",	    "6.1.192", "16K", {256, 512, 1024, 2048},  {1, 2, 4, 8}},
	{"linux-6.1.192-arm64-4k-nohuge",	  "6.1.192", "4K",  {512, 1024, 2048},	      {2}	 },
	{"linux-6.1.192-arm64-64k",	    "6.1.192", "64K", {512, 1024, 2048, 4096}, {1, 2, 4}	},
	{"linux-6.1.192-x86_64-4k",	    "6.1.192", "4K",  {256, 512, 1024, 2048},  {1, 2, 4}   },
	{"linux-6.18.15-arm64-16k",	    "6.18.15", "16K", {512, 1024, 2048},	 {2}	    },
	{"linux-7.3.4-arm64-16k-pageblock7", "7.3.4",   "16K", {512, 1024, 2048},	{1, 2, 4}	 },
	{"linux-7.3.4-x86_64-4k",		  "7.3.4",   "4K",	 {256, 512, 1024, 2048},	 {1, 2, 4}	  },
};

static void a_zoneinfo_alone_is_verified_by_its_own_inputs(void **state)
{
	unsigned files = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (size_t k = 0; tables[i].memory[k] > 0; k++) {
			for (size_t c = 0; tables[i].cpus[c] > 0; c++) {
				char path[512];

				snprintf(path, sizeof(path),
					CAPTURES "pcp-tables/zoneinfo-%s/m%u-p%u.txt",
					tables[i].folder, tables[i].memory[k], tables[i].cpus[c]);
				read_file(path, tables[i].kernel, tables[i].page_size);
				verify();
				if (found.count[ZL_VERDICT_DIFFERS] > 0) {
					fail_msg("%s differs", path);
				}
				files++;
				finish();
			}
		}
	}
	assert_int_equal(67, files);
}

#define TUNED CAPTURES "pcp-tables/zoneinfo-linux-6.1.192-arm64-16k-tuned/m1024-p2-"

static void tuned_boots_name_their_setting(void **state)
{
	(void)state;
	read_file(TUNED "sysctl_vm_min_free_kbytes_16384.txt", "6.1.192", "16K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_reason(find_item(ZL_VERIFY_MIN_FREE, SIZE_MAX), ZL_VERDICT_EXPLAINED, ZL_REASON_SET,
		"set to 16384 by hand");
	finish();
	read_file(TUNED "sysctl_vm_percpu_pagelist_high_fraction_8.txt", "6.1.192", "16K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_int_equal(4052, find_item(ZL_VERIFY_HIGH, 0)->computed);
	finish();
	read_file(TUNED "transparent_hugepage_never.txt", "6.1.192", "16K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
}

static void a_fraction_is_inferred_where_nothing_states_it(void **state)
{
	struct zl_verify_in in = {.profile = &im.profile, .available_pages = -1};

	(void)state;
	read_file(TUNED "sysctl_vm_percpu_pagelist_high_fraction_100.txt", "6.1.192", "16K");
	zl_settings_unset(&im.profile.settings, ZL_SET_HIGH_FRACTION);
	im.profile.observed.min_free_kbytes = -1;
	assert_int_equal(0, zl_verify_run(&in, zl_allocator_heap(), &found));
	assert_int_equal(100, found.fraction);
	assert_reason(find_item(ZL_VERIFY_HIGH, 0), ZL_VERDICT_EXPLAINED, ZL_REASON_FRACTION,
		"percpu_pagelist_high_fraction is 100");
	finish();
}

static void limits_of_more_missing_memory_differ(void **state)
{
	struct zl_observed_pcp *p = NULL;

	(void)state;
	read_folder("linux-7.3.4-arm64-16k-debian", "7.3.4", "16K");
	p = &im.profile.zones[0].pcp[0];
	/* 3 % of 61 990 pages are 1859: the least high_max is (61 990 - 1859) / 8 = 7516. */
	im.profile.observed.min_free_kbytes = -1;
	for (int64_t high_max = 7515; high_max <= 7516; high_max++) {
		p->high_max = high_max;
		verify();
		assert_int_equal(high_max == 7516 ? ZL_VERDICT_EXPLAINED : ZL_VERDICT_DIFFERS,
			find_item(ZL_VERIFY_HIGH_MAX, 0)->verdict);
		zl_verify_done(&found, zl_allocator_heap());
	}
	p->high_max = 7749; /* more than managed / 8 */
	verify();
	assert_reason(find_item(ZL_VERIFY_HIGH_MAX, 0), ZL_VERDICT_DIFFERS, ZL_REASON_NONE,
		"7749 reported, 7748 computed");
	finish();
}

/*
 * One zone without high_max: watermarks follow min_free_kbytes, whatever it is. Where several zones
 * protect each other, the missing pages are told twice.
 */
static void a_min_free_kbytes_that_stands_alone_is_said_to(void **state)
{
	static const char words[] = "one that was set that much lower looks the same";
	char text[480];

	(void)state;
	read_folder("linux-6.1.192-arm64-4k-nohuge", "6.1.192", "4K");
	im.facts.available_kb = -1; /* no boot log */
	verify();
	assert_reason(find_item(ZL_VERIFY_MIN_FREE, SIZE_MAX), ZL_VERDICT_EXPLAINED,
		ZL_REASON_FREED_LATER, words);
	finish();
	read_folder("linux-6.1.192-x86_64-4k-debian-cloud-trace-512M", "6.1.192", "4K");
	verify();
	zl_verify_reason_text(find_item(ZL_VERIFY_MIN_FREE, SIZE_MAX), text, sizeof(text));
	assert_non_null(strstr(text, "init memory came back later"));
	assert_null(strstr(text, words));
	finish();
}

/* 3 % of 64 GiB would be 1.9 GiB: no RAM disk is that large. */
static void what_may_have_come_back_does_not_grow_with_memory(void **state)
{
	struct zl_machine m = {.geometry = {.page_shift = 12}};

	(void)state;
	assert_int_equal(7350, zl_verify_freed_limit(&m, 245001));
	assert_int_equal(65536, zl_verify_freed_limit(&m, 16777216));
	assert_int_equal(1024, zl_verify_freed_limit(&m, 16384));
}

static void a_tuned_high_is_checked_by_its_range(void **state)
{
	static const struct {
		int64_t high;
		enum zl_verify_verdict verdict;
		enum zl_verify_reason reason;
		const char *words;
	} cases[] = {
		{0,	    ZL_VERDICT_AGREES,    ZL_REASON_UNTOUCHED, "no page was freed"},
		{7829,   ZL_VERDICT_EXPLAINED, ZL_REASON_BELOW_MIN, "high_min 7830"	 },
		{7830,   ZL_VERDICT_AGREES,	  ZL_REASON_NONE,	  ""		    },
		{139264, ZL_VERDICT_AGREES,    ZL_REASON_TUNED,     "high_max 139264"  },
		{139265, ZL_VERDICT_DIFFERS,   ZL_REASON_NONE,	     "above high_max"   },
	};

	(void)state;
	read_folder("linux-6.18.44-x86_64-4k-live", "6.18.44", "4K");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		im.profile.zones[2].pcp[0].high = cases[i].high;
		verify();
		assert_reason(find_item(ZL_VERIFY_HIGH, 2), cases[i].verdict, cases[i].reason,
			cases[i].words);
		assert_int_equal(cases[i].reason == ZL_REASON_BELOW_MIN ? 1 : 0, found.remarks);
		zl_verify_done(&found, zl_allocator_heap());
	}
	zl_import_done(&im);
}

static void watermarks_tell_min_free_kbytes(void **state)
{
	(void)state;
	read_folder("linux-6.18.44-x86_64-4k-live", "6.18.44", "4K");
	im.profile.observed.min_free_kbytes = -1;
	verify();
	/* 3 zones of 11 pageblocks of 2 MiB: 67 584 */
	assert_true(found.min_free_lo <= 67584 && found.min_free_hi >= 67584);
	assert_true(found.min_free_hi - found.min_free_lo < 16);
	assert_int_equal(40636, found.parked_pages);
	finish();
}

static void a_boosted_zone_is_compared_without_its_boost(void **state)
{
	(void)state;
	read_folder("linux-6.18.44-x86_64-4k-live", "6.18.44", "4K");
	struct zl_zone_facts *z = &im.profile.zones[2];
	z->boost = 512;
	z->min += 512;
	z->low += 512;
	z->high += 512;
	z->promo += 512;
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	finish();
}

static void other_cpus_that_disagree_are_named(void **state)
{
	(void)state;
	read_folder("linux-6.18.44-x86_64-4k-live", "6.18.44", "4K");
	im.profile.zones[2].pcp[1].batch = 62;
	verify();
	assert_int_equal(1, found.count[ZL_VERDICT_DIFFERS]);
	for (size_t i = 0; i < found.nr_items; i++) {
		if (found.item[i].verdict == ZL_VERDICT_DIFFERS) {
			assert_int_equal(1, found.item[i].cpu);
			assert_int_equal(62, found.item[i].reported);
			assert_int_equal(63, found.item[i].computed);
		}
	}
	finish();
}

static void the_fraction_question_is_answered_by_forty_cpus(void **state)
{
	struct zl_settings given;
	struct zl_error err = {0};

	(void)state;
	start("5.19", "4K", &given);
	zl_settings_number(&given, ZL_SET_CPUS, 40, ZL_ORIGIN_GIVEN);
	assert_int_equal(0, zl_import_path(&im, CASES "uc42-zoneinfo-5.14-to-6.12.txt", &err));
	zl_import_finish(&im, &given);
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_int_equal(649, find_item(ZL_VERIFY_HIGH, 0)->computed);
	finish();
}

static const char *rule_of(enum zl_verify_field field)
{
	struct zl_machine *m = calloc(1, sizeof(*m));
	const char *rule;

	assert_non_null(m);
	zl_machine_resolve(&im.profile, m, NULL);
	rule = zl_verify_rule(m, field);
	free(m);
	return rule;
}

static void extracts_tell_how_many_cpus_the_node_has(void **state)
{
	(void)state;
	/* 25980 / 40 = 649; the file shows two CPUs, with fixed and with tuned limits. */
	read_file(CASES "uc42-zoneinfo-5.14-to-6.12.txt", "5.19", "4K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_reason(find_item(ZL_VERIFY_HIGH, 0), ZL_VERDICT_EXPLAINED, ZL_REASON_MORE_CPUS,
		"low 25 980 / 40 CPUs of the node; these files show 2");
	finish();
	read_file(CASES "uc42-zoneinfo-5.14-to-6.12.txt", "6.12", "4K");
	verify();
	assert_reason(find_item(ZL_VERIFY_HIGH, 0), ZL_VERDICT_EXPLAINED, ZL_REASON_MORE_CPUS,
		"low 25 980 / 40 CPUs of the node; these files show 2");
	finish();
	/* A whole file is no extract. */
	read_folder("linux-6.18.44-x86_64-4k-live", "6.18.44", "4K");
	verify();
	assert_false(found.more_cpus);
	finish();
}

static void old_kernels_have_rules_of_their_own(void **state)
{
	(void)state;
	read_file(CASES "uc54-zoneinfo-before-5.14.txt", "5.10", "4K");
	verify();
	assert_non_null(strstr(rule_of(ZL_VERIFY_HIGH), "6 times batch"));
	assert_null(strstr(rule_of(ZL_VERIFY_BATCH), "before 4.19"));
	finish();
	/* Nor is 31 one of 5.10, which has the larger cap. */
	read_file(CASES "uc54-zoneinfo-before-5.14.txt", "5.10", "4K");
	for (size_t i = 0; i < im.profile.zones[0].nr_pcp; i++) {
		im.profile.zones[0].pcp[i].batch = 31;
	}
	verify();
	assert_reason(find_item(ZL_VERIFY_BATCH, 0), ZL_VERDICT_DIFFERS, ZL_REASON_NONE,
		"31 reported, 63 computed");
	finish();
	/* 63 is no batch of 4.14, whose cap gives 31 and a high of 186. */
	read_file(CASES "uc54-zoneinfo-before-5.14.txt", "4.14", "4K");
	verify();
	assert_non_null(strstr(rule_of(ZL_VERIFY_BATCH), "before 4.19"));
	assert_int_equal(31, find_item(ZL_VERIFY_BATCH, 0)->computed);
	assert_int_equal(ZL_VERDICT_DIFFERS, find_item(ZL_VERIFY_BATCH, 0)->verdict);
	assert_int_equal(186, find_item(ZL_VERIFY_HIGH, 0)->computed);
	finish();
}

static void old_kernels_are_told_by_six_batches(void **state)
{
	(void)state;
	read_file(CASES "uc54-zoneinfo-before-5.14.txt", "5.10", "4K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_int_equal(378, find_item(ZL_VERIFY_HIGH, 0)->computed);
	/* 2 CPUs of it are shown; 90 is 2 x fls(CPUs) x (1 + fls(251)). */
	assert_reason(find_item(ZL_VERIFY_STAT_THRESHOLD, 0), ZL_VERDICT_EXPLAINED,
		ZL_REASON_ONLINE,
		"16 to 31 CPUs online, as all zones here say; these files show 2");
	finish();
	read_file(CASES "uc54-zoneinfo-before-5.14.txt", "6.1", "4K");
	verify();
	assert_reason(find_item(ZL_VERIFY_HIGH, 0), ZL_VERDICT_DIFFERS, ZL_REASON_SIX_BATCHES,
		"the release does not fit");
	finish();
	read_file(CASES "uc54-zoneinfo-unpopulated.txt", "5.15", "4K");
	verify();
	assert_int_equal(0, found.count[ZL_VERDICT_DIFFERS]);
	assert_reason(find_item(ZL_VERIFY_HIGH, 0), ZL_VERDICT_AGREES, ZL_REASON_UNPOPULATED,
		"no memory");
	finish();
}

static void batches_of_boot_logs_tell_the_cap_of_their_time(void **state)
{
	const uint64_t old = UINT64_C(512) << 10;
	const uint64_t new = UINT64_C(1) << 20;

	(void)state;
	assert_int_equal(31, zl_zone_batchsize_capped(225280, 12, old));
	assert_int_equal(63, zl_zone_batchsize_capped(225280, 12, new));
	assert_int_equal(63, zl_zone_batchsize_capped(229120, 12, new));
	assert_int_equal(63, zl_zone_batchsize_capped(196608, 12, new));
	assert_int_equal(15, zl_zone_batchsize_capped(65536, 12, new));
	assert_int_equal(15, zl_zone_batchsize_capped(46736, 12, new));
	assert_int_equal(0, zl_zone_batchsize_capped(4096, 12, new));
	assert_int_equal(15, zl_zone_batchsize_capped(65536, 14, new));
	assert_int_equal(3, zl_zone_batchsize_capped(65536, 16, new));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_captured_kernel_agrees_or_has_a_reason),
		cmocka_unit_test(one_page_off_in_any_exact_field_is_reported),
		cmocka_unit_test(a_zoneinfo_alone_is_verified_by_its_own_inputs),
		cmocka_unit_test(tuned_boots_name_their_setting),
		cmocka_unit_test(a_fraction_is_inferred_where_nothing_states_it),
		cmocka_unit_test(limits_of_more_missing_memory_differ),
		cmocka_unit_test(a_min_free_kbytes_that_stands_alone_is_said_to),
		cmocka_unit_test(what_may_have_come_back_does_not_grow_with_memory),
		cmocka_unit_test(a_tuned_high_is_checked_by_its_range),
		cmocka_unit_test(watermarks_tell_min_free_kbytes),
		cmocka_unit_test(a_boosted_zone_is_compared_without_its_boost),
		cmocka_unit_test(other_cpus_that_disagree_are_named),
		cmocka_unit_test(the_fraction_question_is_answered_by_forty_cpus),
		cmocka_unit_test(extracts_tell_how_many_cpus_the_node_has),
		cmocka_unit_test(old_kernels_have_rules_of_their_own),
		cmocka_unit_test(old_kernels_are_told_by_six_batches),
		cmocka_unit_test(batches_of_boot_logs_tell_the_cap_of_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
