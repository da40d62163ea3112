/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the Geometry screen: the same machine at each page size, and with each
 * PAGE_BLOCK_(MAX_)ORDER. A row is a machine of its own, resolved while drawing.
 */
#include <string.h>

#include "draw.h"
#include "learn.h"
#include "views.h"
#include "zonelab/text.h"

#define MARK 0x25ba

/* One figure of a row, right aligned at a column. */
struct figure {
	unsigned id;
	int end;
};

/* What a row is drawn with. */
struct table {
	const struct app *app;
	struct canvas *c;
	bool wide;
};

static const struct figure size_narrow[] = {
	{VALUE_MAX_PAGE_ORDER,	       15},
	    {VALUE_PAGEBLOCK_ORDER,	    25},
	{VALUE_CMA_MIN_ALIGNMENT_BYTES, 53},
	     {VALUE_POOL_REQUIRED,	   63}
};
static const struct figure size_wide[] = {
	{VALUE_MAX_PAGE_ORDER,	       27 },
	    {VALUE_PAGEBLOCK_ORDER,	    43 },
	{VALUE_CMA_MIN_ALIGNMENT_BYTES, 68 },
	     {VALUE_MIN_FREE_KBYTES,	     89 },
	  {VALUE_BATCH,			95 },
	{VALUE_HIGH_MIN,		 104},
	       {VALUE_THRESHOLD,		 113},
	       {VALUE_CEILING,		       120}
};
static const struct figure orders[] = {
	{VALUE_PAGEBLOCK_BYTES,	19 },
	     {VALUE_POOL_REQUIRED,	   34 },
	{VALUE_POOL_WASTE,	   47 },
	{VALUE_MIN_FREE_KBYTES,	62 },
	     {VALUE_WMARK_LOW,	       72 },
	    {VALUE_HIGH_MIN,	     82 },
	{VALUE_THRESHOLD,	  93 },
	       {VALUE_HIGHATOMIC_BYTES, 117}
};
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static struct value_in values_of(const struct table *t, const struct zl_machine *m)
{
	return (struct value_in){
		.profile = &view_lane(t->app)->profile, .machine = m, .zone = m->main_zone};
}

static bool can_fire(const struct value_in *in, bool *ret_exists)
{
	int64_t v = 0;

	*ret_exists = value_get(in, VALUE_REACHABLE, &v);
	return v != 0;
}

/* "0 MiB": a waste of nothing still says in what it was counted. */
static void figure_text(const struct value_in *in, unsigned id, char *buf, size_t size)
{
	char required[DRAW_TEXT];
	int64_t v = 0;

	if (id == VALUE_POOL_WASTE && value_get(in, VALUE_POOL_WASTE, &v) && v == 0) {
		value_text(in, VALUE_POOL_REQUIRED, required, sizeof(required));
		const char *unit = strrchr(required, ' ');
		zl_format(buf, size, "0%s", unit != NULL ? unit : "");
		return;
	}
	value_text(in, id, buf, size);
}

static void draw_figures(
	const struct table *t, int row, const struct value_in *in, const struct figure *f, size_t n)
{
	const int room = 12;
	char text[DRAW_TEXT];
	bool exists = false;
	bool never = !can_fire(in, &exists) && exists;

	for (size_t i = 0; i < n; i++) {
		enum role role = f[i].id == VALUE_THRESHOLD && never ? ROLE_WARN : ROLE_TEXT;
		figure_text(in, f[i].id, text, sizeof(text));
		canvas_value(t->c, at_right(row, f[i].end, room), role, (uint16_t)f[i].id, text);
	}
}

static void draw_never(const struct table *t, struct at where, const struct value_in *in)
{
	bool exists = false;
	bool fires = can_fire(in, &exists);
	char text[DRAW_TEXT];

	value_text(in, VALUE_REACHABLE, text, sizeof(text));
	enum role role = !exists ? ROLE_TEXT : fires ? ROLE_OK : ROLE_WARN;
	canvas_text(t->c, where, role, text);
}

/* ---- page sizes ---- */

/* "4 KiB <<  9 =" */
static void draw_alignment(const struct table *t, int row, const struct zl_geometry *g)
{
	const int size_end = t->wide ? 52 : 37;
	char text[DRAW_TEXT];

	zl_format(text, sizeof(text), "%Z", g->page_size);
	canvas_value(t->c, at_right(row, size_end, 7), ROLE_TEXT,
		VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE, text);
	canvas_text(t->c, at(row, size_end + 1), ROLE_TEXT, "<<");
	zl_format(text, sizeof(text), "%u", g->cma_min_alignment_order);
	canvas_value(t->c, at_right(row, size_end + 6, 2), ROLE_TEXT, VALUE_CMA_MIN_ALIGNMENT_BYTES,
		text);
	canvas_text(t->c, at(row, size_end + 7), ROLE_TEXT, "=");
}

static void draw_size_figures(const struct table *t, int row, const struct zl_machine *m)
{
	struct value_in in = values_of(t, m);

	if (!m->geometry.buildable) {
		canvas_text(t->c, at(row, t->wide ? 25 : 13), ROLE_DIM,
			"does not build with these settings");
		return;
	}
	draw_alignment(t, row, &m->geometry);
	if (t->wide) {
		draw_figures(t, row, &in, size_wide, COUNT_OF(size_wide));
	} else {
		draw_figures(t, row, &in, size_narrow, COUNT_OF(size_narrow));
		draw_never(t, at(row, 70), &in);
	}
}

static void draw_size_row(const struct table *t, int row, uint64_t page_size)
{
	struct zl_machine machine;
	struct zl_diags diags = {0};
	char text[DRAW_TEXT];
	bool present = page_size == view_lane(t->app)->machine.geometry.page_size;

	zl_format(text, sizeof(text), "%U", page_size);
	const struct zl_machine *m = &machine;
	if (present) {
		m = &view_lane(t->app)->machine;
	} else if (!app_machine_with(t->app, ZL_SET_PAGE_SIZE, text, &machine, &diags)) {
		return;
	}
	if (present) {
		canvas_put(t->c, row, t->wide ? 2 : 0, ROLE_SELECT, MARK);
	}
	zl_format(text, sizeof(text), "%Z", page_size);
	struct at where = t->wide ? at(row, 4) : at_right(row, 8, 7);
	canvas_value(t->c, where, present ? ROLE_SELECT : ROLE_TEXT,
		VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE, text);
	draw_size_figures(t, row, m);
}

static void draw_pool_head(const struct table *t, struct at where, const char *template)
{
	struct value_in in = app_values(t->app);
	struct source from = {.in = &in, .owner = VALUE_POOL_REQUIRED};

	draw_template(t->c, where, ROLE_TEXT, &from, template);
}

static void draw_size_heads(const struct table *t, int row)
{
	const struct zl_geometry *g = &view_lane(t->app)->machine.geometry;
	bool same = g->cma_min_alignment_order == g->pageblock_order;
	struct canvas *c = t->c;

	if (t->wide) {
		canvas_text(c, at(row, 4), ROLE_TEXT, "page     MAX_PAGE_ORDER pageblock_order");
		canvas_text(c, at(row, 46), ROLE_TEXT,
			same ? "pageblock = CMA alignment" : "CMA alignment");
		canvas_text(c, at(row, 74), ROLE_TEXT,
			"min_free_kbytes batch high_min  thresh.  ceil.");
		return;
	}
	canvas_text(c, at(row, 1), ROLE_TEXT, "page     MAX_PAGE  pageblock");
	canvas_text(c, at(row, 32), ROLE_TEXT, same ? "pageblock = CMA" : "CMA");
	draw_pool_head(t, at_width(row, 52, 13), "a {pool_size} pool");
	canvas_text(c, at(row, 66), ROLE_TEXT, "free_high");
	canvas_text(c, at(row + 1, 11), ROLE_TEXT, "_ORDER     _order    alignment");
	canvas_text(c, at(row + 1, 52), ROLE_TEXT, "takes         can fire");
}

static void draw_sizes(const struct table *t, struct rect area)
{
	uint64_t sizes[APP_PAGE_SIZES];
	size_t n = app_geometry_page_sizes(t->app, sizes, APP_PAGE_SIZES);
	int first = area.row + (t->wide ? 2 : 3);

	canvas_heading(
		t->c, rect(area.row, area.col, 1, area.cols), "The same kernel at each page size");
	draw_size_heads(t, area.row + 1);
	for (unsigned i = 0; i < n; i++) {
		draw_size_row(t, first + (int)i, sizes[i]);
		if (view_focused(t->app, PANEL_PAGE_SIZES, i)) {
			canvas_paint(t->c, rect(first + (int)i, area.col + 1, 1, area.cols - 1),
				ROLE_FOCUS);
		}
	}
}

/* ---- page block orders ---- */

static void draw_order_row(const struct table *t, int row, unsigned order)
{
	struct zl_machine machine;
	struct zl_diags diags = {0};
	const struct zl_machine *m = &view_lane(t->app)->machine;
	bool present = m->geometry.page_block_order == (int)order;
	char text[16];

	zl_format(text, sizeof(text), "%u", order);
	if (!present) {
		if (!app_machine_with(t->app, ZL_SET_PAGE_BLOCK_ORDER, text, &machine, &diags)) {
			return;
		}
		m = &machine;
	}
	struct value_in in = values_of(t, m);
	if (present) {
		canvas_put(t->c, row, 2, ROLE_SELECT, MARK);
	}
	canvas_value(t->c, at_right(row, 6, 2), present ? ROLE_SELECT : ROLE_TEXT,
		VALUE_SETTING_BASE + ZL_SET_PAGE_BLOCK_ORDER, text);
	draw_figures(t, row, &in, orders, COUNT_OF(orders));
	value_text(&in, VALUE_REACHABLE, text, sizeof(text));
	draw_never(t, at_right(row, 104, 5), &in);
}

/* "PAGE_BLOCK_MAX_ORDER on this kernel (6.17+; 16 KiB pages, 4 GiB, 8 CPUs)" */
static void draw_order_heading(const struct table *t, struct rect area)
{
	const struct zl_machine *m = &view_lane(t->app)->machine;
	bool newer = m->switches.page_block_symbol == ZL_BLOCK_SYMBOL_MAX_ORDER;
	struct value_in in = values_of(t, m);
	struct source from = {.in = &in, .owner = VALUE_PAGEBLOCK_CAP};

	canvas_heading(t->c, rect(area.row, area.col, 1, area.cols), "");
	draw_template(t->c, at(area.row, area.col + 3), ROLE_HEADING, &from,
		newer ? "PAGE_BLOCK_MAX_ORDER on this kernel (6.17+; {page_size} pages, {memory}, "
			"{cpus} CPUs)"
		      : "PAGE_BLOCK_ORDER on this kernel (6.16; {page_size} pages, {memory}, "
			"{cpus} CPUs)");
}

/* The window of orders on screen: it ends at the largest, and moves to keep the focus in. */
static unsigned first_order(const struct app *app, unsigned rows)
{
	unsigned lo = 0;
	unsigned n = app_block_orders(app, &lo);
	unsigned first = n > rows ? n - rows : 0;
	int present = view_lane(app)->machine.geometry.page_block_order - (int)lo;

	if (app->panel == PANEL_BLOCK_ORDERS && app->row[PANEL_BLOCK_ORDERS] < first) {
		first = app->row[PANEL_BLOCK_ORDERS];
	} else if (app->panel != PANEL_BLOCK_ORDERS && present >= 0 && (unsigned)present < first) {
		first = (unsigned)present;
	}
	return first;
}

static void draw_orders(const struct table *t, struct rect area)
{
	unsigned lo = 0;
	unsigned n = app_block_orders(t->app, &lo);
	unsigned rows = area.rows > 2 ? (unsigned)area.rows - 2 : 0;
	unsigned first = first_order(t->app, rows);

	draw_order_heading(t, area);
	canvas_text(t->c, at(area.row + 1, 3), ROLE_TEXT, "order pageblock");
	draw_pool_head(t, at_width(area.row + 1, 21, 14), "{pool_size} pool");
	canvas_text(t->c, at(area.row + 1, 36), ROLE_TEXT,
		"wasted  min_free_kbytes       low  high_min  threshold  free_high   HIGHATOMIC");
	for (unsigned i = first; i < n && i < first + rows; i++) {
		int row = area.row + 2 + (int)(i - first);
		draw_order_row(t, row, lo + i);
		if (view_focused(t->app, PANEL_BLOCK_ORDERS, i)) {
			canvas_paint(t->c, rect(row, area.col + 1, 1, area.cols - 1), ROLE_FOCUS);
		}
	}
}

void geometry_draw_tables(const struct app *app, struct canvas *c, const struct geometry_layout *l)
{
	struct table t = {.app = app, .c = c, .wide = l->wide};
	struct rect before = canvas_clip(c, l->area[AREA_SIZES]);

	if (learn_hides_others(app)) {
		canvas_heading(
			c, l->area[AREA_SIZES], "Other page sizes are hidden until you answer");
		canvas_clip(c, before);
		return;
	}
	draw_sizes(&t, l->area[AREA_SIZES]);
	if (l->area[AREA_ORDERS].rows > 0) {
		canvas_clip(c, l->area[AREA_ORDERS]);
		draw_orders(&t, l->area[AREA_ORDERS]);
	}
	canvas_clip(c, before);
}
