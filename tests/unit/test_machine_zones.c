/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zones: laid out, read from files, rescaled; the memory of a profile.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_fixture.h"
#include "zonelab/error.h"

static void x86_64_is_laid_out_at_16_mib_and_4_gib(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *name;
		uint64_t start, pages;
	} want[] = {
		{"DMA",	0,	   4096   },
		  {"DMA32",  4096,	  1044480},
		    {"Normal", 1048576, 3145728}
	};

	resolve_only(f, "arch=x86_64 memory=16G zones=auto");
	assert_int_equal(3, f->m.nr_zones);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(want[i].name, f->m.zones[i].name);
		assert_int_equal(want[i].start, f->m.zones[i].start_pfn);
		assert_int_equal(want[i].pages, f->m.zones[i].managed);
	}
	assert_int_equal(2, f->m.main_zone);
	assert_int_equal(1, f->m.zones[0].limits.batch);
	assert_true(f->m.idealised);
	resolve(f, "memory=8M");
	assert_int_equal(1, f->m.nr_zones);
	assert_string_equal("DMA", f->m.zones[0].name);
	resolve(f, "memory=1G");
	assert_int_equal(2, f->m.nr_zones);
}

static void arm64_is_laid_out_at_4_gib(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "page_size=64K memory=4G zones=auto");
	/* Memory starts at 1 GiB. */
	assert_int_equal(2, f->m.nr_zones);
	assert_string_equal("DMA", f->m.zones[0].name);
	assert_int_equal(16384, f->m.zones[0].start_pfn);
	assert_int_equal(49152, f->m.zones[0].managed);
	assert_string_equal("Normal", f->m.zones[1].name);
	assert_int_equal(16384, f->m.zones[1].managed);
	assert_int_equal(65536, f->m.zones[1].start_pfn);
	resolve(f, "memory_base=0");
	assert_int_equal(1, f->m.nr_zones);
	resolve_only(f, "arch=riscv64 memory=16G zones=auto");
	assert_int_equal(1, f->m.nr_zones);
	assert_string_equal("Normal", f->m.zones[0].name);
}

static void named_zones_fix_the_memory_of_each_node(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "arch=x86_64 nodes=2 zones=Normal:2G,Movable:6G kernel=6.12");
	assert_int_equal(4, f->m.nr_zones);
	assert_int_equal(16 * GIB, f->m.memory);
	assert_int_equal(524288, f->m.zones[1].start_pfn);
	assert_int_equal(2097152, f->m.zones[2].start_pfn);
	assert_int_equal(2, f->m.lowmem_zones);
	assert_int_equal(1048576, f->m.lowmem_pages);
	assert_int_equal(1048576, f->m.share_pages);
	assert_int_equal(128, f->m.zones[1].wmark.min);
	resolve(f, "kernel=6.1 memory=8G");
	assert_int_equal(4194304, f->m.share_pages);
	assert_int_equal(16 * GIB, f->m.memory);
	assert_int_equal(ZL_SET_MEMORY, find_diag(f, ZL_DIAG_SETTING_IGNORED)->about);
}

static void memory_and_cpus_are_split_evenly(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "arch=x86_64 memory=4G nodes=3 cpus=8");
	assert_int_equal(3, f->m.nr_zones);
	assert_int_equal(349526, f->m.zones[0].managed);
	assert_int_equal(349525, f->m.zones[1].managed);
	assert_int_equal(349525, f->m.zones[2].managed);
	assert_int_equal(3, f->m.zones[0].cpus);
	assert_int_equal(3, f->m.zones[1].cpus);
	assert_int_equal(2, f->m.zones[2].cpus);
	/* A node without CPUs is divided by all that are online. */
	resolve(f, "cpus=2");
	assert_int_equal(1, f->m.zones[1].cpus);
	assert_int_equal(2, f->m.zones[2].cpus);
	resolve(f, "numa=off");
	assert_true(f->m.numa);
	assert_int_equal(ZL_SET_NUMA, find_diag(f, ZL_DIAG_SETTING_IGNORED)->about);
}

static void zone_lists_are_checked_when_they_are_set(void **state)
{
	struct fixture *f = *state;
	static const char *const bad[] = {"zones=Normal", "zones=Norm:1G", "zones=Normal:0",
		"zones=Normal:1G,Normal:2G", "zones=Normal:1G,", "zones=,", "zones=Normal:1X",
		"zones=auto,Normal:1G"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct zl_error err = {0};

		assert_int_equal(-EINVAL,
			zl_settings_assign(&f->profile.settings, bad[i], ZL_ORIGIN_GIVEN, &err));
		assert_non_null(strchr(err.text, ';'));
		assert_false(zl_settings_given(&f->profile.settings, ZL_SET_ZONES));
	}
	resolve_only(f, "zones=normal:1G");
	assert_string_equal("Normal", f->m.zones[0].name);
}

static void facts_of_a_live_machine_give_its_figures(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *name;
		uint64_t managed, min, low, high, high_min, high_max;
		uint64_t to_dma32, to_normal;
	} zones[] = {
		{"DMA",	3840,    21,	  26,    31,	  13,   240,	   3018, 11722},
		{"DMA32",  772808,  4345,	5431,  6517,  2715, 48300,	 0,    8704 },
		{"Normal", 2228224, 12529, 15661, 18793, 7830, 139264, 0,	  0	   }
	    };

	for (size_t i = 0; i < 3; i++) {
		struct zl_zone_facts *z = add_facts(f, 0, zones[i].name, 1, zones[i].managed);

		z->cpus = 2;
	}
	add_facts(f, 0, "Movable", 0, 0);
	set_from(f, "arch=x86_64 kernel=6.18.44", ZL_ORIGIN_FILE);
	resolve(f, "");
	assert_int_equal(4, f->m.nr_zones);
	assert_int_equal(3, f->m.lowmem_zones);
	assert_int_equal(2, f->m.cpus);
	assert_false(f->m.idealised);
	assert_int_equal(67584, f->m.min_free.kbytes);
	for (size_t i = 0; i < 3; i++) {
		const struct zl_zone *z = &f->m.zones[i];

		assert_int_equal(zones[i].min, z->wmark.min);
		assert_int_equal(zones[i].low, z->wmark.low);
		assert_int_equal(zones[i].high, z->wmark.high);
		assert_int_equal(zones[i].high_min, z->limits.high_min);
		assert_int_equal(zones[i].high_max, z->limits.high_max);
		assert_int_equal(zones[i].to_dma32, z->lowmem_reserve[ZL_ZONE_DMA32]);
		assert_int_equal(zones[i].to_normal, z->lowmem_reserve[ZL_ZONE_NORMAL]);
	}
	assert_false(f->m.zones[3].populated);
	assert_int_equal(0, f->m.zones[3].limits.batch);
	assert_string_equal("Normal: free_high never fires: 63 + 7830 / 2 = 3978, counter stops at "
			    "63 << 5",
		find_diag(f, ZL_DIAG_FREE_HIGH_UNREACHABLE)->text);
}

static void facts_without_a_release_say_what_is_assumed(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "Normal", 0, 1 << 20);
	resolve(f, "");
	assert_int_equal(ZL_SET_KERNEL, find_diag(f, ZL_DIAG_RELEASE_ASSUMED)->about);
	assert_null(find_diag(f, ZL_DIAG_IDEALISED));
	resolve(f, "kernel=6.12");
	assert_null(find_diag(f, ZL_DIAG_RELEASE_ASSUMED));
	assert_true(f->m.release_known);
}

static void facts_keep_their_bytes_when_the_page_size_changes(void **state)
{
	struct fixture *f = *state;
	struct zl_zone_facts *z = add_facts(f, 0, "DMA", 262144, 262144);

	z->managed = 256412;
	z->cma = 16384;
	resolve(f, "page_size=16K");
	assert_int_equal(65536, f->m.zones[0].start_pfn);
	assert_int_equal(65536, f->m.zones[0].present);
	assert_int_equal(64103, f->m.zones[0].managed);
	assert_int_equal(4096, f->m.zones[0].cma);
	assert_int_equal(GIB, f->m.memory);
}

static void memory_over_facts_stretches_every_zone(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "DMA32", 0, 262144)->managed = 250000;
	add_facts(f, 0, "Normal", 262144, 786432)->managed = 780000;
	set_from(f, "memory=5G", ZL_ORIGIN_FILE);
	resolve(f, "");
	/* What a file says of itself does not stretch its own zones. */
	assert_int_equal(4 * GIB, f->m.memory);
	assert_int_equal(250000, f->m.zones[0].managed);
	resolve(f, "memory=8G");
	assert_int_equal(8 * GIB, f->m.memory);
	assert_int_equal(500000, f->m.zones[0].managed);
	assert_int_equal(524288, f->m.zones[1].start_pfn);
	assert_int_equal(1572864, f->m.zones[1].present);
	assert_int_equal(1560000, f->m.zones[1].managed);
}

static void cpus_of_facts_win_unless_cpus_are_given(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "Normal", 0, 1 << 20)->cpus = 6;
	add_facts(f, 2, "Normal", 1 << 20, 1 << 20)->cpus = 6;
	resolve(f, "");
	/* A file shows one pageset per online CPU of any node. */
	assert_int_equal(6, f->m.cpus);
	assert_int_equal(2, f->m.nodes);
	assert_int_equal(3, f->m.zones[0].cpus);
	assert_int_equal(3, f->m.zones[1].cpus);
	f->profile.zones[0].node_cpus = 4;
	f->profile.zones[1].node_cpus = 2;
	resolve(f, "");
	assert_int_equal(6, f->m.cpus);
	assert_int_equal(4, f->m.zones[0].cpus);
	assert_int_equal(2, f->m.zones[1].cpus);
	resolve(f, "cpus=16 nodes=4");
	assert_int_equal(8, f->m.zones[0].cpus);
	assert_int_equal(8, f->m.zones[1].cpus);
	assert_int_equal(ZL_SET_NODES, find_diag(f, ZL_DIAG_SETTING_IGNORED)->about);
}

static void zones_given_over_facts_replace_them(void **state)
{
	struct fixture *f = *state;

	add_facts(f, 0, "Normal", 0, 1 << 20);
	set_from(f, "zones=DMA:1G", ZL_ORIGIN_PROFILE);
	resolve(f, "arch=x86_64");
	assert_string_equal("Normal", f->m.zones[0].name);
	resolve(f, "zones=auto");
	assert_string_equal("DMA", f->m.zones[0].name);
	assert_int_equal(2, f->m.nr_zones);
	assert_int_equal(4 * GIB, f->m.memory);
	assert_null(f->m.zones[0].facts);
}

static void hostile_facts_stay_within_bounds(void **state)
{
	struct fixture *f = *state;
	struct zl_zone_facts *z = add_facts(f, 4000000000U, "Nonsense", UINT64_MAX, UINT64_MAX);

	z->cma = UINT64_MAX;
	z->cpus = 4000000000U;
	f->profile.zones_page_size = 3;
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (zl_setting_info((enum zl_setting)i)->type == ZL_TYPE_COUNT ||
			zl_setting_info((enum zl_setting)i)->type == ZL_TYPE_BYTES) {
			zl_settings_number(&f->profile.settings, (enum zl_setting)i, INT64_MIN,
				ZL_ORIGIN_FILE);
		}
	}
	resolve(f, "");
	assert_true(f->m.memory > 0);
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (f->profile.settings.value[i].given) {
			f->profile.settings.value[i].number = INT64_MAX;
		}
	}
	resolve(f, "");
	assert_true(f->m.nr_zones > 0);
}

static void profiles_are_copied_whole_or_not_at_all(void **state)
{
	struct fixture *f = *state;
	struct scarce scarce;
	struct zl_profile copy = {.title = "untouched"};

	for (unsigned i = 0; i < 3; i++) {
		struct zl_zone_facts *z = add_facts(f, 0, "Normal", i, 100 + i);

		for (unsigned cpu = 0; cpu < 5; cpu++) {
			zl_zone_add_pcp(z, &heap)->count = cpu;
		}
	}
	for (size_t blocks = 0; blocks < 4; blocks++) {
		scarce_init(&scarce, blocks);
		assert_int_equal(-ENOMEM, zl_profile_copy(&copy, &f->profile, &scarce.allocator));
		assert_int_equal(0, scarce.live);
		assert_string_equal("untouched", copy.title);
	}
	scarce_init(&scarce, 4);
	assert_int_equal(0, zl_profile_copy(&copy, &f->profile, &scarce.allocator));
	assert_int_equal(3, copy.nr_zones);
	assert_int_equal(102, copy.zones[2].managed);
	assert_int_equal(5, copy.zones[2].nr_pcp);
	assert_int_equal(4, copy.zones[2].pcp[4].count);
	assert_int_equal(4, copy.zones[2].pcp[4].cpu);
	assert_int_equal(-1, copy.zones[2].pcp[4].high_min);
	/* A copy grows like its original. */
	assert_non_null(zl_profile_add_zone(&copy, &heap));
	assert_non_null(zl_profile_add_zone(&copy, &heap));
	assert_non_null(zl_zone_add_pcp(&copy.zones[0], &heap));
	zl_profile_done(&copy, &heap);
	assert_null(zl_profile_add_zone(&copy, &scarce.allocator));
	zl_profile_done(&copy, &heap);
}

static void a_profile_holds_a_bounded_number_of_zones(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < ZL_ZONES_MAX; i++) {
		add_facts(f, i, "Normal", 0, 1 << 18);
	}
	assert_null(zl_profile_add_zone(&f->profile, &heap));
	resolve(f, "page_size=16K");
	assert_int_equal(ZL_ZONES_MAX, f->m.nr_zones);
	assert_int_equal(0, f->diags.dropped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(x86_64_is_laid_out_at_16_mib_and_4_gib),
		MACHINE_TEST(arm64_is_laid_out_at_4_gib),
		MACHINE_TEST(named_zones_fix_the_memory_of_each_node),
		MACHINE_TEST(memory_and_cpus_are_split_evenly),
		MACHINE_TEST(zone_lists_are_checked_when_they_are_set),
		MACHINE_TEST(facts_of_a_live_machine_give_its_figures),
		MACHINE_TEST(facts_without_a_release_say_what_is_assumed),
		MACHINE_TEST(facts_keep_their_bytes_when_the_page_size_changes),
		MACHINE_TEST(memory_over_facts_stretches_every_zone),
		MACHINE_TEST(cpus_of_facts_win_unless_cpus_are_given),
		MACHINE_TEST(zones_given_over_facts_replace_them),
		MACHINE_TEST(hostile_facts_stay_within_bounds),
		MACHINE_TEST(profiles_are_copied_whole_or_not_at_all),
		MACHINE_TEST(a_profile_holds_a_bounded_number_of_zones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
