/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Given, derived and resolved settings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine_fixture.h"
#include "zonelab/error.h"

static void assert_setting(const struct fixture *f, enum zl_setting key, const char *want)
{
	char buf[ZL_CMDLINE_TEXT];

	assert_int_equal(
		strlen(want), zl_machine_setting(&f->profile, &f->m, key, buf, sizeof(buf)));
	assert_string_equal(want, buf);
}

static void what_is_not_given_follows_the_page_size(void **state)
{
	struct fixture *f = *state;

	resolve_only(f, "");
	assert_setting(f, ZL_SET_MAX_PAGE_ORDER, "10");
	resolve(f, "page_size=64K");
	assert_setting(f, ZL_SET_MAX_PAGE_ORDER, "13");
	assert_setting(f, ZL_SET_PAGE_SIZE, "64K");
	resolve(f, "max_page_order=12 page_size=16K");
	assert_setting(f, ZL_SET_MAX_PAGE_ORDER, "12");
	resolve(f, "max_page_order=default");
	assert_setting(f, ZL_SET_MAX_PAGE_ORDER, "11");
	resolve(f, "page_size=default");
	assert_setting(f, ZL_SET_PAGE_SIZE, "4K");
	assert_setting(f, ZL_SET_MAX_PAGE_ORDER, "10");
}

static void later_origins_win(void **state)
{
	struct fixture *f = *state;
	struct zl_settings lane = {0};
	struct zl_error err;

	set_from(f, "memory=1G cpus=2", ZL_ORIGIN_PROFILE);
	set_from(f, "memory=2G", ZL_ORIGIN_FILE);
	assert_int_equal(0, zl_settings_assign(&lane, "cpus=4", ZL_ORIGIN_LANE, &err));
	zl_settings_merge(&f->profile.settings, &lane);
	resolve(f, "");
	assert_setting(f, ZL_SET_MEMORY, "2G");
	assert_setting(f, ZL_SET_CPUS, "4");
}

static void every_setting_has_a_resolved_text(void **state)
{
	struct fixture *f = *state;
	char buf[ZL_CMDLINE_TEXT];

	resolve_only(f, "");
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		if (i != ZL_SET_CMDLINE) {
			assert_int_not_equal(0, zl_machine_setting(&f->profile, &f->m,
							(enum zl_setting)i, buf, sizeof(buf)));
		}
	}
	assert_setting(f, ZL_SET_ARCH, "arm64");
	assert_setting(f, ZL_SET_KERNEL, "6.18.2");
	assert_setting(f, ZL_SET_PAGE_BLOCK_ORDER, "10");
	assert_setting(f, ZL_SET_MEMORY, "4G");
	assert_setting(f, ZL_SET_MEMORY_BASE, "1G");
	assert_setting(f, ZL_SET_CPUS, "8");
	assert_setting(f, ZL_SET_ZONES, "one zone per node");
	assert_setting(f, ZL_SET_NUMA, "off");
	assert_setting(f, ZL_SET_MMU, "on");
	assert_setting(f, ZL_SET_THP_ENABLED, "always");
	assert_setting(f, ZL_SET_MIN_FREE_KBYTES, "computed");
	assert_setting(f, ZL_SET_CACHE_SLICE, "0");
	assert_setting(f, ZL_SET_POOL_SIZE, "4M");
	assert_setting(f, ZL_SET_CMA_SIZE, "16M");
	assert_setting(f, ZL_SET_CMA_AREAS, "8");
	resolve(f, "kernel=6.1 nodes=2 high_min=500 zones=auto");
	assert_setting(f, ZL_SET_CMA_AREAS, "19");
	assert_setting(f, ZL_SET_PAGE_BLOCK_ORDER, "none");
	assert_setting(f, ZL_SET_HIGH_MIN, "500");
	assert_setting(f, ZL_SET_ZONES, "auto");
	assert_setting(f, ZL_SET_NUMA, "on");
	resolve_only(f, "arch=x86_64");
	assert_setting(f, ZL_SET_CMA_SIZE, "0");
	assert_setting(f, ZL_SET_MEMORY_BASE, "0");
}

static void reserve_ratios_are_read_or_refused(void **state)
{
	struct fixture *f = *state;
	struct zl_error err;

	resolve_only(f, "arch=x86_64 memory=16G zones=auto");
	assert_int_equal((1044480 + 3145728) / 256, f->m.zones[0].lowmem_reserve[ZL_ZONE_NORMAL]);
	assert_int_equal(0, zl_settings_set(&f->profile.settings, ZL_SET_LOWMEM_RESERVE_RATIO,
				    "64 32\t0", ZL_ORIGIN_GIVEN, &err));
	resolve(f, "");
	assert_int_equal((1044480 + 3145728) / 64, f->m.zones[0].lowmem_reserve[ZL_ZONE_NORMAL]);
	assert_int_equal(3145728 / 32, f->m.zones[1].lowmem_reserve[ZL_ZONE_NORMAL]);
	assert_int_equal(0, zl_settings_set(&f->profile.settings, ZL_SET_LOWMEM_RESERVE_RATIO,
				    "64 many", ZL_ORIGIN_GIVEN, &err));
	resolve(f, "");
	assert_int_equal(ZL_SET_LOWMEM_RESERVE_RATIO, find_diag(f, ZL_DIAG_SETTING_RANGE)->about);
	assert_int_equal(3145728 / 256, f->m.zones[1].lowmem_reserve[ZL_ZONE_NORMAL]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(what_is_not_given_follows_the_page_size),
		MACHINE_TEST(later_origins_win),
		MACHINE_TEST(every_setting_has_a_resolved_text),
		MACHINE_TEST(reserve_ratios_are_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
