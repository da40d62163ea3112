/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page size and pageblock order that no file states, but figures tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "import_fixture.h"

static struct zl_import im;

/* The page size after an import of both texts (the second may be NULL); 0 = none is known. */
static int64_t page_size_after(const char *one, const char *two, bool *ret_stated)
{
	const char *const text[] = {one, two};
	const struct zl_setting_value *v = &im.profile.settings.value[ZL_SET_PAGE_SIZE];

	zl_import_init(&im, zl_allocator_heap());
	for (unsigned i = 0; i < 2 && text[i] != NULL; i++) {
		import_text(&im, text[i]);
	}
	zl_import_finish(&im, NULL);
	*ret_stated = im.facts.page_size_stated;
	int64_t size = v->given ? v->number : 0;
	zl_import_done(&im);
	return size;
}

#define LOG(pages, kib)                                                                            \
	"[    0.000000] Linux version 6.12.1\n"                                                    \
	"[    0.000000] Built 1 zonelists, mobility grouping on.  Total pages: " #pages "\n"       \
	"[    0.000000] Memory: 900000K/" #kib "K available (1K kernel code)\n"
#define ZONE(pages)                                                                                \
	"Node 0, zone   Normal\n  pages free 1\n        min      1\n        low      2\n"          \
	"        high     3\n        spanned  " #pages "\n        present  " #pages "\n"           \
	"        managed  " #pages "\n        protection: (0)\n"

static void a_page_size_follows_from_pages_and_bytes(void **state)
{
	static const struct {
		const char *one, *two;
		int64_t page_size;
	} cases[] = {
		{LOG(258048,  1048576),						     NULL,						     4096},
		{LOG(65280,	    1048576),							       NULL,												     16384},
		{LOG(49104,	    3145728),								  NULL,		    65536},
 /* The map of pages takes no third of them. */
		{LOG(180000,	     1048576),NULL,					     0},
		{ZONE(62444),"MemTotal:         999104 kB\nMemFree:         953136 kB\n",							   16384									},
		{ZONE(8067), "MemTotal:         516288 kB\nMemFree:         953136 kB\n",	  65536},
 /* Of another boot, or of another machine. */
		{ZONE(62444),  "MemTotal:         900104 kB\nMemFree:         953136 kB\n",   0						    },
		{ZONE(62444), NULL, 0						     },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool stated = false;
		int64_t size = page_size_after(cases[i].one, cases[i].two, &stated);

		if (size != cases[i].page_size || stated != (size > 0)) {
			fail_msg("case %zu: %lld", i, (long long)size);
		}
	}
}

static void a_lower_pageblock_order_is_the_cap_of_the_configuration(void **state)
{
	static const char types[] = "Page block order: 7\nPages per block:  128\n";
	struct zl_settings given = {0};
	const struct zl_setting_value *v = &im.profile.settings.value[ZL_SET_PAGE_BLOCK_ORDER];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		zl_import_init(&im, zl_allocator_heap());
		import_text(&im, types);
		zl_settings_set(&given, ZL_SET_ARCH, "arm64", ZL_ORIGIN_GIVEN, NULL);
		zl_settings_set(&given, ZL_SET_PAGE_SIZE, "16K", ZL_ORIGIN_GIVEN, NULL);
		zl_settings_set(
			&given, ZL_SET_KERNEL, i == 0 ? "6.12" : "6.17", ZL_ORIGIN_GIVEN, NULL);
		zl_import_finish(&im, &given);
		/* Before 6.16 there is no cap. */
		assert_int_equal(i, v->given);
		assert_true(i == 0 || v->number == 7);
		zl_import_done(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_size_follows_from_pages_and_bytes),
		cmocka_unit_test(a_lower_pageblock_order_is_the_cap_of_the_configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
