/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/error.h"
#include "zonelab/settings.h"

static void assert_set(const char *assignment, const char *want)
{
	struct zl_settings s = {0};
	struct zl_error err = {0};
	char key[64];
	char buf[128];

	print_message("# %s\n", assignment);
	assert_int_equal(0, zl_settings_assign(&s, assignment, ZL_ORIGIN_GIVEN, &err));
	memcpy(key, assignment, strcspn(assignment, "="));
	key[strcspn(assignment, "=")] = '\0';
	zl_setting_format(&s, zl_setting_find(key), buf, sizeof(buf));
	assert_string_equal(want, buf);
}

static void values_are_read_and_written_in_their_units(void **state)
{
	(void)state;
	assert_set("page_size=16", "16K");
	assert_set("page_size=16K", "16K");
	assert_set("page_size=65536B", "64K");
	assert_set("memory=4G", "4G");
	assert_set("memory=1536M", "1536M");
	assert_set("pool_size=4194304", "4M");
	assert_set("arch=ARM64", "arm64");
	assert_set("thp=off", "off");
	assert_set("thp=Y", "on");
	assert_set("kernel=6.1-rc7", "6.1-rc7");
	assert_set("high_fraction=8", "8");
	assert_set("scale_max=0", "0");
	assert_set("zones=DMA:1G,Normal:3G", "DMA:1G,Normal:3G");
	assert_set("cmdline=cma=64M quiet", "cma=64M quiet");
	assert_set("thp_enabled=never", "never");
}

static void assert_refused(const char *assignment, int want, const char *part)
{
	struct zl_settings s = {0};
	struct zl_settings before = {0};
	struct zl_error err = {0};

	memset(&s, 0, sizeof(s)); /* padding too */
	memset(&before, 0, sizeof(before));
	print_message("# %s\n", assignment);
	assert_int_equal(want, zl_settings_assign(&s, assignment, ZL_ORIGIN_GIVEN, &err));
	if (strstr(err.text, part) == NULL) {
		fail_msg("'%s' lacks '%s'", err.text, part);
	}
	assert_memory_equal(&before, &s, sizeof(s));
}

static void bad_values_say_what_would_be_right(void **state)
{
	(void)state;
	assert_refused("seed=x", -EINVAL, "no number from 0");
	assert_refused("seed=-1", -EINVAL, "no number from 0");
	assert_refused("page_size=17K", -EINVAL, "power of two");
	assert_refused("page_size=2", -ERANGE, "4 KiB to 256 KiB");
	assert_refused("page_size=", -EINVAL, "for example 16K");
	assert_refused("memory=4X", -EINVAL, "K, M, G or T");
	assert_refused("arch=vax", -EINVAL, "arm64");
	assert_refused("thp=maybe", -EINVAL, "neither on nor off");
	assert_refused("kernel=banana", -EINVAL, "6.18.2");
	assert_refused("high_fraction=7", -ERANGE, "at least 8");
	assert_refused("pcp_batch_scale_max=7", -ERANGE, "0 to 6");
	assert_refused("pagesize", -EINVAL, "KEY=VALUE");
	assert_refused("page_sice=16K", -ENOENT, "did you mean page_size");
	assert_refused("qqqqqq=1", -ENOENT, "list settings");
	assert_refused("=1", -EINVAL, "KEY=VALUE");
	assert_refused("cpus=0", -ERANGE, "1 to 8192");
}

static void default_takes_a_value_back(void **state)
{
	struct zl_settings s = {0};
	struct zl_settings empty = {0};

	(void)state;
	memset(&s, 0, sizeof(s)); /* padding too */
	memset(&empty, 0, sizeof(empty));
	assert_int_equal(0, zl_settings_assign(&s, "page_size=64K", ZL_ORIGIN_GIVEN, NULL));
	assert_int_equal(0, zl_settings_assign(&s, "zones=auto", ZL_ORIGIN_GIVEN, NULL));
	assert_true(zl_settings_given(&s, ZL_SET_PAGE_SIZE));
	assert_int_equal(0, zl_settings_assign(&s, "page_size=default", ZL_ORIGIN_GIVEN, NULL));
	assert_int_equal(0, zl_settings_assign(&s, "zones=default", ZL_ORIGIN_GIVEN, NULL));
	assert_memory_equal(&empty, &s, sizeof(s));
}

static void a_higher_origin_wins_in_any_order(void **state)
{
	struct zl_settings low = {0};
	struct zl_settings high = {0};
	struct zl_settings base = {0};

	(void)state;
	zl_settings_number(&low, ZL_SET_CPUS, 2, ZL_ORIGIN_FILE);
	zl_settings_number(&low, ZL_SET_NODES, 2, ZL_ORIGIN_FILE);
	zl_settings_number(&high, ZL_SET_CPUS, 4, ZL_ORIGIN_GIVEN);
	zl_settings_merge(&base, &high);
	zl_settings_merge(&base, &low);
	assert_int_equal(4, base.value[ZL_SET_CPUS].number);
	assert_int_equal(2, base.value[ZL_SET_NODES].number);
	zl_settings_merge(&low, &high);
	assert_int_equal(4, low.value[ZL_SET_CPUS].number);
}

static void keys_and_aliases_are_unique(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		const struct zl_setting_info *info = zl_setting_info((enum zl_setting)i);

		assert_int_equal(i, zl_setting_find(info->key));
		assert_true(strlen(info->help) > 0 && strlen(info->dflt) > 0);
		for (const char *a = info->aliases; *a != '\0';) {
			char alias[64];
			size_t n = strcspn(a, " ");
			memcpy(alias, a, n);
			alias[n] = '\0';
			assert_int_equal(i, zl_setting_find(alias));
			a += n + (a[n] == ' ');
		}
	}
}

static void control_characters_never_get_in(void **state)
{
	struct zl_settings s = {0};

	(void)state;
	assert_int_equal(
		0, zl_settings_set(&s, ZL_SET_CMDLINE, "a\x1b[31mb\n", ZL_ORIGIN_FILE, NULL));
	assert_string_equal("a [31mb ", zl_settings_text(&s, ZL_SET_CMDLINE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_and_written_in_their_units),
		cmocka_unit_test(bad_values_say_what_would_be_right),
		cmocka_unit_test(default_takes_a_value_back),
		cmocka_unit_test(a_higher_origin_wins_in_any_order),
		cmocka_unit_test(keys_and_aliases_are_unique),
		cmocka_unit_test(control_characters_never_get_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
