/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Geometry screen as labelled lines.
 */
#include "draw.h"
#include "learn.h"
#include "plain.h"
#include "views.h"
#include "zonelab/text.h"

static void put_inputs(const struct app *app, const struct value_in *in, struct zl_buf *b)
{
	enum zl_setting keys[ZL_SETTING_COUNT];
	size_t n = app_geometry_inputs(app, keys, ZL_SETTING_COUNT);

	for (size_t i = 0; i < n; i++) {
		const struct zl_setting_value *v = &in->profile->settings.value[keys[i]];
		zl_buf_fmt(b, "%s: ", setting_label(in->machine, keys[i]));
		plain_value(b, in, VALUE_SETTING_BASE + keys[i]);
		zl_buf_fmt(b, ", %s\n", v->given ? zl_origin_name(v->origin) : "default");
	}
}

static void put_result(
	const struct app *app, const struct value_in *in, enum value_id id, struct zl_buf *b)
{
	struct value_in base = app_baseline(app);
	const char *template = value_formula(in, id, FORMULA_HOW);
	char text[DRAW_TEXT];

	zl_buf_fmt(
		b, "%s: ", id == VALUE_WMARK_MIN ? "min watermark, pages" : value_info(id)->label);
	plain_value(b, in, id);
	if (template[0] != '\0') {
		formula_text(in, id, template, text, sizeof(text));
		zl_buf_str(b, " = ");
		plain_ungrouped(b, text);
	}
	if (base.machine != NULL && value_delta(in, &base, id, text, sizeof(text)) != 0) {
		value_text(&base, id, text, sizeof(text));
		zl_buf_str(b, ", baseline ");
		plain_ungrouped(b, text);
	}
	zl_buf_chr(b, '\n');
}

static void put_results(const struct app *app, const struct value_in *in, struct zl_buf *b)
{
	enum value_id ids[VALUE_COUNT];
	size_t n = app_geometry_results(app, ids, VALUE_COUNT);

	if (!in->machine->geometry.buildable) {
		zl_buf_str(b, "result: this combination cannot be built\n");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		put_result(app, in, ids[i], b);
	}
}

static void put_size(const struct app *app, uint64_t page_size, struct zl_buf *b)
{
	struct zl_machine machine;
	struct zl_diags diags = {0};
	char text[32];

	zl_format(text, sizeof(text), "%U", page_size);
	if (!app_machine_with(app, ZL_SET_PAGE_SIZE, text, &machine, &diags)) {
		return;
	}
	zl_buf_fmt(b, "at page size %Z: ", page_size);
	if (!machine.geometry.buildable) {
		zl_buf_str(b, "does not build with these settings\n");
		return;
	}
	struct value_in in = {.profile = &view_lane(app)->profile,
		.machine = &machine,
		.zone = machine.main_zone};
	zl_buf_fmt(b, "MAX_PAGE_ORDER %u, pageblock_order %u, CMA alignment %Z, a %Z pool takes ",
		machine.geometry.max_page_order, machine.geometry.pageblock_order,
		machine.geometry.cma_min_alignment_bytes, machine.pool_size);
	plain_value(b, &in, VALUE_POOL_REQUIRED);
	zl_buf_str(b, ", free_high can fire: ");
	plain_value(b, &in, VALUE_REACHABLE);
	zl_buf_chr(b, '\n');
}

static void put_sizes(const struct app *app, struct zl_buf *b)
{
	uint64_t sizes[APP_PAGE_SIZES];
	size_t n = app_geometry_page_sizes(app, sizes, APP_PAGE_SIZES);

	for (size_t i = 0; i < n; i++) {
		put_size(app, sizes[i], b);
	}
}

static void put_orders(const struct app *app, struct zl_buf *b)
{
	unsigned lo = 0;
	unsigned n = app_block_orders(app, &lo);

	for (unsigned o = lo; o < lo + n; o++) {
		struct zl_machine machine;
		struct zl_diags diags = {0};
		char text[16];
		zl_format(text, sizeof(text), "%u", o);
		if (!app_machine_with(app, ZL_SET_PAGE_BLOCK_ORDER, text, &machine, &diags)) {
			continue;
		}
		struct value_in in = {.profile = &view_lane(app)->profile,
			.machine = &machine,
			.zone = machine.main_zone};
		zl_buf_fmt(b, "at page block order %u: pageblock ", o);
		plain_value(b, &in, VALUE_PAGEBLOCK_BYTES);
		zl_buf_str(b, ", pool wastes ");
		plain_value(b, &in, VALUE_POOL_WASTE);
		zl_buf_str(b, ", threshold ");
		plain_value(b, &in, VALUE_THRESHOLD);
		zl_buf_str(b, ", free_high can fire: ");
		plain_value(b, &in, VALUE_REACHABLE);
		zl_buf_chr(b, '\n');
	}
}

static void put_diags(const struct app *app, struct zl_buf *b)
{
	const struct zl_diags *d = &view_lane(app)->diags;

	if (learn_hides_others(app)) {
		zl_buf_str(b, "other machines and findings: hidden until you answer\n");
		return;
	}
	for (size_t i = 0; i < d->count; i++) {
		zl_buf_fmt(b, "%s: ", zl_severity_name(d->item[i].severity));
		plain_ungrouped(b, d->item[i].text);
		if (d->item[i].mend[0] != '\0') {
			zl_buf_str(b, "; ");
			plain_ungrouped(b, d->item[i].mend);
		}
		zl_buf_chr(b, '\n');
	}
}

static void put_panel(const struct app *app, const struct value_in *in, struct zl_buf *b)
{
	switch ((enum geometry_panel)app->panel) {
	case PANEL_INPUTS:
		put_inputs(app, in, b);
		break;
	case PANEL_RESULTS:
		put_results(app, in, b);
		break;
	case PANEL_PAGE_SIZES:
		put_sizes(app, b);
		break;
	case PANEL_BLOCK_ORDERS:
		put_orders(app, b);
		break;
	case PANEL_DIAGS:
		put_diags(app, b);
		break;
	case PANEL_SETTINGS:
		break;
	}
}

void geometry_plain(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	struct value_in in = app_values(app);

	if (panel_only) {
		put_panel(app, &in, ret);
		return;
	}
	if (app->preview != NULL) {
		zl_buf_str(ret, "preview: values that would follow, not yet taken\n");
	}
	put_inputs(app, &in, ret);
	put_results(app, &in, ret);
	put_sizes(app, ret);
	put_orders(app, ret);
	put_diags(app, ret);
}
