/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations: what is left out of a whole one is off, and of a part of one it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "import_fixture.h"
#include "zonelab/buffer.h"
#include "zonelab/file.h"

static struct zl_import im;

/* A configuration of @symbols lines that name nothing we know, besides @rest. */
static void read_config(const char *head, unsigned symbols, const char *rest)
{
	struct zl_buf text = {0};

	zl_buf_str(&text, head);
	for (unsigned i = 0; i < symbols; i++) {
		zl_buf_fmt(&text, "CONFIG_OF_NO_USE_%u=y\n", i);
	}
	zl_buf_str(&text, rest);
	zl_import_init(&im, zl_allocator_heap());
	import_text(&im, zl_buf_text(&text));
	zl_buf_done(&text);
}

#define GENERATED                                                                                  \
	"#\n# Automatically generated file; DO NOT EDIT.\n"                                        \
	"# Linux/arm64 6.12.4 Kernel Configuration\n#\n"

static bool given(enum zl_setting key)
{
	return zl_settings_given(&im.profile.settings, key);
}

/* A thousand symbols are a whole file; one less was cut somewhere. */
static void a_whole_configuration_says_off_by_leaving_out(void **state)
{
	static const char on[] = "CONFIG_CMA=y\nCONFIG_SMP=y\n# CONFIG_NUMA is not set\n";

	(void)state;
	read_config(GENERATED, 997, on);
	assert_true(im.facts.full_config);
	assert_int_equal(1, im.profile.settings.value[ZL_SET_CMA].number);
	assert_int_equal(1, im.profile.settings.value[ZL_SET_SMP].number);
	assert_true(given(ZL_SET_NUMA) && given(ZL_SET_THP) && given(ZL_SET_HUGETLB) &&
		    given(ZL_SET_DMA_CMA));
	assert_int_equal(0, im.profile.settings.value[ZL_SET_NUMA].number);
	assert_int_equal(0, im.profile.settings.value[ZL_SET_THP].number);
	assert_int_equal(0, im.profile.settings.value[ZL_SET_HUGETLB].number);
	assert_int_equal(0, im.profile.settings.value[ZL_SET_DMA_CMA].number);
	zl_import_done(&im);
	read_config(GENERATED, 996, on);
	assert_false(im.facts.full_config);
	assert_true(given(ZL_SET_CMA) && given(ZL_SET_NUMA));
	assert_false(given(ZL_SET_THP) || given(ZL_SET_HUGETLB) || given(ZL_SET_DMA_CMA));
	zl_import_done(&im);
	read_config("", 2000, on);
	assert_false(given(ZL_SET_THP));
	zl_import_done(&im);
}

static void a_configuration_names_architecture_release_and_command_line(void **state)
{
	(void)state;
	read_config(GENERATED, 0,
		"CONFIG_ARM64_16K_PAGES=y\nCONFIG_CMDLINE=\"cma=16M\"\nCONFIG_MMU=y\n"
		"CONFIG_CMA_SIZE_MBYTES=32\n# CONFIG_FORCE_MAX_ZONEORDER is not set\n");
	assert_string_equal("6.12.4", zl_settings_text(&im.profile.settings, ZL_SET_KERNEL));
	assert_string_equal("cma=16M", zl_settings_text(&im.profile.settings, ZL_SET_CMDLINE));
	assert_int_equal(16384, im.profile.settings.value[ZL_SET_PAGE_SIZE].number);
	assert_false(given(ZL_SET_MAX_PAGE_ORDER));
	zl_import_done(&im);
	/* An empty one is none, and what is given already stays. */
	read_config(GENERATED, 0, "CONFIG_CMDLINE=\"\"\n");
	assert_string_equal("", zl_settings_text(&im.profile.settings, ZL_SET_CMDLINE));
	import_text(&im, "CONFIG_CMDLINE=\"cma=1M\"\n");
	import_text(&im, "CONFIG_CMDLINE=\"cma=2M\"\n");
	assert_string_equal("cma=1M", zl_settings_text(&im.profile.settings, ZL_SET_CMDLINE));
	zl_import_done(&im);
}

static void without_an_mmu_is_said_by_not_set(void **state)
{
	(void)state;
	read_config("", 0, "# CONFIG_MMU is not set\nCONFIG_AEABI=y\n");
	assert_true(given(ZL_SET_MMU));
	char word[ZL_SETTING_TEXT];
	zl_setting_format(&im.profile.settings, ZL_SET_MMU, word, sizeof(word));
	assert_string_equal("off", word);
	zl_import_done(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_configuration_says_off_by_leaving_out),
		cmocka_unit_test(a_configuration_names_architecture_release_and_command_line),
		cmocka_unit_test(without_an_mmu_is_said_by_not_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
