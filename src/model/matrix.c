/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/matrix.h"

#include <errno.h>

static bool offers_huge_size(const struct zl_arch_row *row, int64_t size)
{
	for (size_t i = 0; i < ZL_HUGE_CHOICES && row->huge_shift[i] != 0; i++) {
		if (size == INT64_C(1) << row->huge_shift[i]) {
			return true;
		}
	}
	return false;
}

void zl_settings_at_page_size(
	const struct zl_settings *s, uint64_t page_size, struct zl_settings *ret)
{
	enum zl_origin origin = zl_settings_given(s, ZL_SET_PAGE_SIZE)
					? s->value[ZL_SET_PAGE_SIZE].origin
					: ZL_ORIGIN_DERIVED;

	*ret = *s;
	const struct zl_arch_row *row = zl_arch_find(s, page_size);
	if (row != NULL && zl_settings_given(s, ZL_SET_HUGE_PAGE_SIZE) &&
		!offers_huge_size(row, s->value[ZL_SET_HUGE_PAGE_SIZE].number)) {
		zl_settings_unset(ret, ZL_SET_HUGE_PAGE_SIZE);
	}
	zl_settings_number(ret, ZL_SET_PAGE_SIZE, (int64_t)page_size, origin);
}

/* The page size in force, also when the given one does not exist. */
static uint64_t present_page_size(const struct zl_settings *s, const uint64_t *sizes)
{
	return zl_settings_given(s, ZL_SET_PAGE_SIZE) ? (uint64_t)s->value[ZL_SET_PAGE_SIZE].number
						      : sizes[0];
}

size_t zl_block_order_table(const struct zl_settings *s, const struct zl_release *r,
	const struct zl_switches *sw, uint64_t pool_size, struct zl_block_row *ret)
{
	struct zl_settings at = *s;
	struct zl_diags diags = {0};
	struct zl_geometry g;
	size_t n = 0;

	zl_geometry_resolve(s, r, sw, &g, &diags);
	if (g.page_block_symbol == NULL) {
		return 0;
	}
	const struct zl_geometry now = g;
	for (int order = now.page_block_lo; order <= now.page_block_hi; order++) {
		if (order > (int)now.max_page_order) {
			break;
		}
		zl_settings_number(&at, ZL_SET_PAGE_BLOCK_ORDER, order, ZL_ORIGIN_GIVEN);
		diags.count = 0;
		zl_geometry_resolve(&at, r, sw, &g, &diags);
		uint64_t pool = zl_pool_required_bytes(&g, pool_size);
		ret[n++] = (struct zl_block_row){
			.page_block_order = (unsigned)order,
			.present = order == now.page_block_order,
			.is_default = order == now.page_block_default,
			.pageblock_order = g.pageblock_order,
			.pageblock_bytes = g.pageblock_bytes,
			.cma_min_alignment_bytes = g.cma_min_alignment_bytes,
			.pool_bytes = pool,
			.pool_waste_bytes = pool - pool_size,
		};
	}
	return n;
}

static bool is_about_orders(enum zl_diag_code code)
{
	return code == ZL_DIAG_BLOCK_ORDER_ABOVE_MAX || code == ZL_DIAG_BLOCK_ORDER_RANGE ||
	       code == ZL_DIAG_MAX_ORDER_RANGE || code == ZL_DIAG_SECTION_SIZE ||
	       code == ZL_DIAG_THP_ORDER;
}

static bool orders_fit(const struct zl_diags *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		if (diags->item[i].severity == ZL_ERROR && is_about_orders(diags->item[i].code)) {
			return false;
		}
	}
	return true;
}

static int step_page_size(const struct zl_settings *s, int direction, int64_t *ret)
{
	uint64_t size[ZL_PAGE_SIZES_MAX];
	size_t n = zl_arch_page_sizes(s, size, ZL_PAGE_SIZES_MAX);
	uint64_t now = present_page_size(s, size);

	for (size_t i = 0; i < n; i++) {
		uint64_t candidate = direction > 0 ? size[i] : size[n - 1 - i];
		if (direction > 0 ? candidate > now : candidate < now) {
			*ret = (int64_t)candidate;
			return 0;
		}
	}
	return -ENOENT;
}

static int step_order(const struct zl_settings *s, const struct zl_release *r, enum zl_setting key,
	int direction, int64_t *ret)
{
	struct zl_settings at = *s;
	struct zl_diags diags = {0};
	struct zl_switches sw;
	struct zl_geometry g;
	int64_t order;

	zl_switches_for(r, &sw, &diags);
	zl_geometry_resolve(s, r, &sw, &g, &diags);
	if (key == ZL_SET_PAGE_BLOCK_ORDER && g.page_block_symbol == NULL) {
		return -ENOENT;
	}
	if (zl_settings_given(s, key)) {
		order = s->value[key].number;
	} else {
		order = key == ZL_SET_MAX_PAGE_ORDER ? (int64_t)g.max_page_order
						     : g.page_block_default;
	}
	for (order += direction; order >= 0 && order <= zl_setting_info(key)->max;
		order += direction) {
		zl_settings_number(&at, key, order, ZL_ORIGIN_GIVEN);
		diags.count = 0;
		zl_geometry_resolve(&at, r, &sw, &g, &diags);
		if (orders_fit(&diags)) {
			*ret = order;
			return 0;
		}
	}
	return -ENOENT;
}

int zl_geometry_step(const struct zl_settings *s, const struct zl_release *r, enum zl_setting key,
	int direction, int64_t *ret)
{
	int one = direction > 0 ? 1 : -1;

	if (direction == 0) {
		return -EINVAL;
	}
	if (key == ZL_SET_PAGE_SIZE) {
		return step_page_size(s, one, ret);
	}
	if (key == ZL_SET_MAX_PAGE_ORDER || key == ZL_SET_PAGE_BLOCK_ORDER) {
		return step_order(s, r, key, one, ret);
	}
	return -EINVAL;
}
