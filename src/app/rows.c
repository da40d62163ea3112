/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rows the panels of a screen have, so that keys and views agree.
 */
#include "beside.h"
#include "learn.h"
#include "pagesets.h"
#include "pools.h"
#include "sweeps.h"
#include "zonelab/matrix.h"
#include "zonelab/text.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

bool app_wide(const struct app *app)
{
	return app->cols >= WIDE_COLS;
}

/* What the screen shows: the preview while a field is open. */
static const struct lane *shown(const struct app *app)
{
	return app->preview != NULL ? app->preview : app_lane_const(app);
}

size_t app_geometry_inputs(const struct app *app, enum zl_setting *ret, size_t max)
{
	static const enum zl_setting narrow[] = {ZL_SET_ARCH, ZL_SET_KERNEL, ZL_SET_PAGE_SIZE,
		ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER, ZL_SET_THP, ZL_SET_HUGETLB,
		ZL_SET_CMA, ZL_SET_MEMORY, ZL_SET_CPUS};
	static const enum zl_setting wide[] = {ZL_SET_ARCH, ZL_SET_KERNEL, ZL_SET_PAGE_SIZE,
		ZL_SET_MAX_PAGE_ORDER, ZL_SET_PAGE_BLOCK_ORDER, ZL_SET_THP, ZL_SET_HUGETLB,
		ZL_SET_CMA, ZL_SET_MEMORY, ZL_SET_NODES, ZL_SET_CPUS, ZL_SET_BATCH_SCALE_MAX,
		ZL_SET_WATERMARK_SCALE_FACTOR};
	const enum zl_setting *list = app_wide(app) ? wide : narrow;
	size_t n = app_wide(app) ? COUNT_OF(wide) : COUNT_OF(narrow);

	for (size_t i = 0; i < n && i < max; i++) {
		ret[i] = list[i];
	}
	return n < max ? n : max;
}

size_t app_geometry_results(const struct app *app, enum value_id *ret, size_t max)
{
	static const enum value_id narrow[] = {VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES,
		VALUE_CMA_MIN_ALIGNMENT_BYTES, VALUE_LARGEST_BLOCK_BYTES, VALUE_PAGEBLOCKS,
		VALUE_MIN_FREE_KBYTES, VALUE_GROUPING, VALUE_HIGHATOMIC_BYTES, VALUE_THRESHOLD,
		VALUE_CEILING};
	static const enum value_id wide[] = {VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES,
		VALUE_CMA_MIN_ALIGNMENT_BYTES, VALUE_LARGEST_BLOCK_BYTES, VALUE_PAGEBLOCKS,
		VALUE_MIN_FREE_KBYTES, VALUE_WMARK_MIN, VALUE_GROUPING, VALUE_HIGHATOMIC_BYTES,
		VALUE_BATCH, VALUE_HIGH_MIN, VALUE_HIGH_MAX, VALUE_THRESHOLD, VALUE_CEILING};
	const enum value_id *list = app_wide(app) ? wide : narrow;
	size_t n = app_wide(app) ? COUNT_OF(wide) : COUNT_OF(narrow);

	for (size_t i = 0; i < n && i < max; i++) {
		ret[i] = list[i];
	}
	return n < max ? n : max;
}

size_t app_geometry_page_sizes(const struct app *app, uint64_t *ret, size_t max)
{
	const struct lane *lane = shown(app);

	if (!lane->machine.geometry.buildable || learn_hides_others(app)) {
		return 0;
	}
	return zl_arch_page_sizes(&lane->profile.settings, ret, max);
}

unsigned app_block_orders(const struct app *app, unsigned *ret_first)
{
	const struct zl_geometry *g = &shown(app)->machine.geometry;

	if (!app_wide(app) || learn_hides_others(app) || !g->buildable ||
		g->page_block_symbol == NULL || g->page_block_lo < 0 ||
		g->page_block_hi < g->page_block_lo) {
		return 0;
	}
	*ret_first = (unsigned)g->page_block_lo;
	return (unsigned)(g->page_block_hi - g->page_block_lo) + 1;
}

size_t app_panel_rows(const struct app *app, unsigned panel)
{
	enum zl_setting inputs[ZL_SETTING_COUNT];
	enum value_id results[VALUE_COUNT];
	uint64_t sizes[APP_PAGE_SIZES];
	unsigned first = 0;
	const struct lane *lane = shown(app);

	if (app->screen == SCREEN_RESERVE && panel != PANEL_SETTINGS) {
		return pools_panel_rows(app, panel);
	}
	if (app->screen == SCREEN_COMPARE && panel != PANEL_SETTINGS) {
		return panel == 0 ? BESIDE_ROWS : 0;
	}
	if (app->screen == SCREEN_PAGESETS && panel != PANEL_SETTINGS) {
		return pagesets_panel_rows(app, panel);
	}
	if (app->screen == SCREEN_LEARN && panel != PANEL_SETTINGS) {
		return learn_panel_rows(app, panel);
	}
	if (app->screen == SCREEN_SWEEP && panel != PANEL_SETTINGS) {
		return 0;
	}
	switch ((enum geometry_panel)panel) {
	case PANEL_INPUTS:
		return app_geometry_inputs(app, inputs, ZL_SETTING_COUNT);
	case PANEL_RESULTS:
		return app_geometry_results(app, results, VALUE_COUNT);
	case PANEL_PAGE_SIZES:
		return app_geometry_page_sizes(app, sizes, APP_PAGE_SIZES);
	case PANEL_BLOCK_ORDERS:
		return app_block_orders(app, &first);
	case PANEL_DIAGS:
		return lane->machine.geometry.buildable ? 0 : lane->diags.count;
	case PANEL_SETTINGS:
		return ZL_SETTING_COUNT;
	}
	return 0;
}

void app_keep_focus(struct app *app)
{
	for (unsigned i = 0; i < sizeof(app->row) / sizeof(app->row[0]); i++) {
		size_t n = app_panel_rows(app, i);

		if (n > 0 && app->row[i] >= n) {
			app->row[i] = (unsigned)n - 1;
		}
	}
}

enum zl_setting app_focused_setting(const struct app *app)
{
	enum zl_setting inputs[ZL_SETTING_COUNT];
	size_t n = app_geometry_inputs(app, inputs, ZL_SETTING_COUNT);

	if (app->overlay == OVERLAY_SETTINGS) {
		return app->row[PANEL_SETTINGS] < ZL_SETTING_COUNT
			       ? (enum zl_setting)app->row[PANEL_SETTINGS]
			       : ZL_SETTING_COUNT;
	}
	if (app->screen == SCREEN_RESERVE || app->screen == SCREEN_LEARN ||
		app->screen == SCREEN_COMPARE || app->screen == SCREEN_SWEEP) {
		return ZL_SETTING_COUNT;
	}
	if (app->screen == SCREEN_PAGESETS) {
		return pagesets_focused_setting(app);
	}
	if (app->panel != PANEL_INPUTS || app->row[PANEL_INPUTS] >= n) {
		return ZL_SETTING_COUNT;
	}
	return inputs[app->row[PANEL_INPUTS]];
}

unsigned app_focused_id(const struct app *app)
{
	enum value_id results[VALUE_COUNT];
	size_t n = app_geometry_results(app, results, VALUE_COUNT);
	enum zl_setting setting = app_focused_setting(app);
	const struct lane *lane = shown(app);

	if (learn_veils(app, app->screen)) {
		return VALUE_NONE;
	}
	if (setting != ZL_SETTING_COUNT) {
		return VALUE_SETTING_BASE + setting;
	}
	if (app->screen == SCREEN_RESERVE) {
		return pools_focused_id(app);
	}
	if (app->screen == SCREEN_COMPARE) {
		return beside_focused_id(app);
	}
	if (app->screen == SCREEN_PAGESETS) {
		return pagesets_focused_id(app);
	}
	if (app->screen == SCREEN_LEARN) {
		return learn_focused_id(app);
	}
	if (app->screen == SCREEN_SWEEP) {
		return sweeps_focused_id(app);
	}
	unsigned row = app->row[app->panel];
	switch ((enum geometry_panel)app->panel) {
	case PANEL_RESULTS:
		return row < n ? (unsigned)results[row] : VALUE_NONE;
	case PANEL_PAGE_SIZES:
		return VALUE_PAGEBLOCK_BYTES;
	case PANEL_BLOCK_ORDERS:
		return VALUE_PAGEBLOCK_ORDER;
	case PANEL_DIAGS:
		return row < lane->diags.count ? VALUE_DIAG_BASE + lane->diags.item[row].code
					       : VALUE_NONE;
	case PANEL_INPUTS:
	case PANEL_SETTINGS:
		break;
	}
	return VALUE_NONE;
}

bool app_machine_with(const struct app *app, enum zl_setting key, const char *value,
	struct zl_machine *ret, struct zl_diags *diags)
{
	struct zl_profile p = shown(app)->profile; /* borrows the zones */
	uint64_t page_size = 0;

	if (key == ZL_SET_PAGE_SIZE && zl_parse_size(value, 1, &page_size) == 0) {
		zl_settings_at_page_size(&shown(app)->profile.settings, page_size, &p.settings);
	} else if (zl_settings_set(&p.settings, key, value, ZL_ORIGIN_GIVEN, NULL) < 0) {
		return false;
	}
	zl_machine_resolve(&p, ret, diags);
	return true;
}
