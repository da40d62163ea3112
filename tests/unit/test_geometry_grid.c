/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of the architecture table at every release, with every combination of options:
 * what must hold whatever is asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry_fixture.h"

/* Orders to ask for; -1 = leave it out. */
static const int orders[] = {-1, 0, 1, 7, 10, 13, 20, 63};

static const int caps[] = {-1, 0, 7, 63};

#define ORDERS (sizeof(orders) / sizeof(orders[0]))
#define CAPS   (sizeof(caps) / sizeof(caps[0]))

struct grid {
	struct geo geo;
	unsigned long resolved;
	bool seen[ZL_DIAG_COUNT];
};

static bool is_power_of_two(uint64_t v)
{
	return v != 0 && (v & (v - 1)) == 0;
}

static void assert_diags(struct grid *grid)
{
	const struct geo *geo = &grid->geo;
	bool error = false;

	assert_int_equal(0, geo->diags.dropped);
	for (size_t i = 0; i < geo->diags.count; i++) {
		const struct zl_diag *d = &geo->diags.item[i];

		grid->seen[d->code] = true;
		error |= d->severity == ZL_ERROR;
		assert_true(strlen(d->text) > 10 && strlen(d->text) < sizeof(d->text) - 1);
		assert_true(strlen(d->mend) < sizeof(d->mend) - 1);
		assert_true(d->mend[0] == '\0' || strncmp(d->mend, "fix: ", 5) == 0);
		assert_true(d->about < ZL_SETTING_COUNT);
		assert_null(strchr(d->text, '%'));
		/* An error always says how to be rid of it. */
		assert_true(d->severity != ZL_ERROR || d->mend[0] != '\0');
		assert_true(d->severity != ZL_ERROR || d->fix.key != ZL_SETTING_COUNT);
		for (size_t j = 0; j < i; j++) {
			bool same = geo->diags.item[j].code == d->code &&
				    geo->diags.item[j].about == d->about;
			if (same || strcmp(geo->diags.item[j].text, d->text) == 0) {
				fail_msg("twice: %s", d->text);
			}
		}
	}
	assert_int_equal(error, !geo->g.buildable);
}

static void assert_figures(const struct geo *geo)
{
	const struct zl_geometry *g = &geo->g;

	assert_true(is_power_of_two(g->page_size));
	assert_true(is_power_of_two(g->pageblock_nr_pages));
	assert_true(is_power_of_two(g->pageblock_bytes));
	assert_true(is_power_of_two(g->cma_min_alignment_bytes));
	assert_int_equal(g->page_size << g->pageblock_order, g->pageblock_bytes);
	assert_int_equal(g->page_size << g->max_page_order, g->largest_block_bytes);
	assert_true(g->max_page_order <= ZL_MAX_ORDER_LIMIT);
	assert_true(g->cma_min_alignment_bytes % g->page_size == 0);
	if (geo->sw.pageblock_clamp) {
		assert_true(g->pageblock_order <= g->max_page_order);
	}
	if (geo->sw.cma_alignment == ZL_CMA_ALIGN_PAGEBLOCK) {
		assert_int_equal(g->pageblock_bytes, g->cma_min_alignment_bytes);
	} else {
		assert_true(g->cma_min_alignment_bytes >= g->largest_block_bytes);
	}
	if (g->page_block_symbol != NULL) {
		assert_true((int)g->pageblock_order <= g->page_block_order);
	}
	assert_int_equal(g->hugetlb, g->hugetlb_order >= 0);
	assert_int_equal(g->thp, g->thp_order >= 0);
	assert_true(!g->dma_cma || g->cma);
	assert_in_range(g->migrate_types, 4, 6);
	assert_true(zl_pool_required_bytes(g, 1) == g->cma_min_alignment_bytes);
}

static void resolve(struct grid *grid)
{
	struct geo *geo = &grid->geo;

	memset(&geo->diags, 0, sizeof(geo->diags));
	zl_geometry_resolve(&geo->settings, &geo->release, &geo->sw, &geo->g, &geo->diags);
	grid->resolved++;
	assert_figures(geo);
	assert_diags(grid);
}

static void set_option(struct zl_settings *s, enum zl_setting key, unsigned choice)
{
	zl_settings_unset(s, key);
	if (choice > 0) {
		zl_settings_number(s, key, choice - 1, ZL_ORIGIN_GIVEN);
	}
}

static void set_order(struct zl_settings *s, enum zl_setting key, int order)
{
	zl_settings_unset(s, key);
	if (order >= 0) {
		zl_settings_number(s, key, order, ZL_ORIGIN_GIVEN);
	}
}

/* Selects the row's architecture, variant and page size. */
static void select_row(struct zl_settings *s, const struct zl_arch_row *row)
{
	static const struct {
		const char *variant;
		enum zl_setting key;
		const char *value;
	} choice[] = {
		{"no-lpae", ZL_SET_LPAE,		 "off"  },
		{"no-pae",  ZL_SET_PAE,	       "off"  },
		{"nommu",	  ZL_SET_MMU,	      "off"  },
		{"hash",	 ZL_SET_MMU,	     "hash" },
		{"radix",	  ZL_SET_MMU,	      "radix"},
		{"16M",	ZL_SET_HUGE_PAGE_SIZE, "16M"  },
	};

	memset(s, 0, sizeof(*s));
	zl_settings_number(
		s, ZL_SET_ARCH, zl_setting_word_index(ZL_SET_ARCH, row->arch), ZL_ORIGIN_GIVEN);
	zl_settings_number(s, ZL_SET_PAGE_SIZE, INT64_C(1) << row->page_shift, ZL_ORIGIN_GIVEN);
	for (size_t i = 0; i < sizeof(choice) / sizeof(choice[0]); i++) {
		if (strcmp(choice[i].variant, row->variant) == 0) {
			assert_int_equal(0, zl_settings_set(s, choice[i].key, choice[i].value,
						    ZL_ORIGIN_GIVEN, NULL));
		}
	}
}

/* All options and orders on one row of one release; 9 x 8 x 4 combinations. */
static void walk_options(struct grid *grid)
{
	struct zl_settings *s = &grid->geo.settings;

	for (unsigned i = 0; i < 9 * ORDERS * CAPS; i++) {
		set_option(s, ZL_SET_THP, i % 3);
		set_option(s, ZL_SET_HUGETLB, i / 3 % 3);
		set_order(s, ZL_SET_MAX_PAGE_ORDER, orders[i / 9 % ORDERS]);
		set_order(s, ZL_SET_PAGE_BLOCK_ORDER, caps[i / 9 / ORDERS]);
		resolve(grid);
	}
}

static void select_release(struct geo *geo, const char *name)
{
	assert_int_equal(0, zl_release_parse(name, &geo->release));
	zl_switches_for(&geo->release, &geo->sw, NULL);
}

/* Releases that differ in nothing the geometry reads need no walk of their own. */
static bool same_rules(const struct zl_switches *a, const struct zl_switches *b)
{
	return a->max_order == b->max_order && a->arm64_prompt == b->arm64_prompt &&
	       a->pageblock_clamp == b->pageblock_clamp &&
	       a->pageblock_thp_only == b->pageblock_thp_only &&
	       a->page_block_symbol == b->page_block_symbol &&
	       a->cma_alignment == b->cma_alignment &&
	       a->cma_areas_plus_one == b->cma_areas_plus_one && a->loongarch == b->loongarch;
}

static void walk_rows(struct grid *grid, const char *release)
{
	const struct zl_switches before = grid->geo.sw;

	select_release(&grid->geo, release);
	if (grid->resolved > 0 && same_rules(&before, &grid->geo.sw)) {
		return;
	}
	for (size_t r = 0; r < zl_arch_row_count(); r++) {
		const struct zl_arch_row *row = zl_arch_row(r);

		select_row(&grid->geo.settings, row);
		resolve(grid);
		assert_ptr_equal(row, grid->geo.g.arch);
		walk_options(grid);
	}
}

/* Odd values of every other setting that the geometry reads. */
static void walk_oddities(struct grid *grid)
{
	static const char *const odd[] = {"page_size=8K", "page_size=128K", "page_size=256K",
		"huge_page_size=4K", "huge_page_size=64K", "huge_page_size=16M",
		"huge_page_size=1T", "mmu=off", "mmu=hash", "mmu=radix", "lpae=on", "pae=on",
		"cma=off", "cma=on", "dma_cma=on", "cma_areas=1", "nodes=64"};
	char word[ZL_SETTING_TEXT];

	for (unsigned a = 0; zl_setting_word(ZL_SET_ARCH, a, word) != NULL; a++) {
		for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]) * 17; i++) {
			struct zl_settings *s = &grid->geo.settings;
			memset(s, 0, sizeof(*s));
			zl_settings_number(s, ZL_SET_ARCH, a, ZL_ORIGIN_GIVEN);
			assert_int_equal(
				0, zl_settings_assign(s, odd[i / 17], ZL_ORIGIN_GIVEN, NULL));
			assert_int_equal(
				0, zl_settings_assign(s, odd[i % 17], ZL_ORIGIN_GIVEN, NULL));
			resolve(grid);
		}
	}
}

static void invariants_hold_everywhere(void **state)
{
	struct grid *grid = calloc(1, sizeof(*grid));
	size_t releases = zl_breakpoint_count();

	(void)state;
	assert_non_null(grid);
	for (size_t i = 0; i < releases; i++) {
		walk_rows(grid, zl_breakpoint(i));
	}
	select_release(&grid->geo, "5.10");
	walk_oddities(grid);
	select_release(&grid->geo, "6.12");
	walk_oddities(grid);
	select_release(&grid->geo, "7.3.4");
	walk_oddities(grid);
	zl_settings_number(&grid->geo.settings, ZL_SET_PAGE_SIZE, 20480, ZL_ORIGIN_GIVEN);
	resolve(grid);
	zl_settings_number(&grid->geo.settings, ZL_SET_PAGE_SIZE, -1, ZL_ORIGIN_GIVEN);
	resolve(grid);
	print_message("# %lu geometries\n", grid->resolved);
	for (unsigned c = ZL_DIAG_BLOCK_ORDER_ABOVE_MAX; c <= ZL_DIAG_SETTING_RANGE; c++) {
		if (!grid->seen[c]) {
			fail_msg("nothing raises %s", zl_diag_name((enum zl_diag_code)c));
		}
	}
	free(grid);
}

/* Applying the fixes of the errors, one after the other, always ends in a kernel that builds. */
static void fixes_lead_to_a_kernel_that_builds(void **state)
{
	static const char *const words[] = {
		"page_size=16K max_page_order=10 page_block_order=12",
		"arch=powerpc64 page_size=64K max_page_order=63 page_block_order=0",
		"arch=powerpc64 page_size=64K max_page_order=3 mmu=hash",
		"arch=arc page_size=4K huge_page_size=16M max_page_order=2 page_block_order=9",
		"arch=sh page_size=16K huge_page_size=2M max_page_order=40",
		"arch=x86_64 page_size=64K max_page_order=0",
		"arch=mips page_size=64K max_page_order=20 page_block_order=20",
	};
	struct geo geo;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		geo_resolve(&geo, "6.18", words[i]);
		assert_false(geo.g.buildable);
		for (unsigned step = 0; step < 8 && !geo.g.buildable; step++) {
			size_t at = 0;
			while (geo.diags.item[at].severity != ZL_ERROR) {
				at++;
			}
			const struct zl_diag d = geo.diags.item[at];
			print_message("# %s -> %s=%s\n", d.text, zl_setting_info(d.fix.key)->key,
				d.fix.value);
			assert_int_equal(0, zl_settings_set(&geo.settings, d.fix.key, d.fix.value,
						    ZL_ORIGIN_GIVEN, NULL));
			memset(&geo.diags, 0, sizeof(geo.diags));
			zl_geometry_resolve(
				&geo.settings, &geo.release, &geo.sw, &geo.g, &geo.diags);
		}
		assert_true(geo.g.buildable);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(invariants_hold_everywhere),
		cmocka_unit_test(fixes_lead_to_a_kernel_that_builds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
