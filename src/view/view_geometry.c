/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometry: what is chosen at the left, what follows at the right. The tables below are in
 * view_geometry_tables.c, notes and diagnostics in view_geometry_notes.c.
 */
#include <string.h>

#include "draw.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define ARROW_UP   0x25b2
#define ARROW_DOWN 0x25bc

/* Columns within a panel, narrow and wide. */
struct columns {
	int value;    /* of an input */
	int field;    /* where an open field starts */
	int origin;   /* letter of where the value came from, 0 = beside the value */
	int now;      /* right edge of a result */
	int how;      /* its formula */
	int how_cols; /* 0 = up to the edge */
	int delta;    /* change against the baseline, 0 = in the place of the formula */
};

static const struct columns narrow = {
	.value = 22, .field = 24, .now = 32, .how = 33, .how_cols = 16};
static const struct columns wide = {
	.value = 24, .field = 26, .origin = 36, .now = 33, .how = 35, .how_cols = 26, .delta = 62};

#define NOW_HEAD   28 /* columns of the headings of the wide form, from the panel's edge */
#define HOW_HEAD   33
#define DELTA_HEAD 59

/* What all parts of the screen need. */
struct geo {
	const struct app *app;
	struct canvas *c;
	const struct geometry_layout *l;
	const struct columns *col;
	struct value_in in;
	struct value_in base; /* machine NULL = nothing to compare with */
};

static struct value_in values_of(const struct lane *lane)
{
	return (struct value_in){.profile = &lane->profile,
		.machine = &lane->machine,
		.zone = lane->machine.main_zone};
}

/* The pinned baseline; while a field is open without one, what is in force. */
static struct value_in baseline_of(const struct app *app)
{
	struct value_in base = app_baseline(app);

	if (base.machine == NULL && app->preview != NULL) {
		base = values_of(app_lane_const(app));
	}
	return base;
}

static enum role value_role(const struct geo *g)
{
	return g->app->preview != NULL ? ROLE_PREVIEW : ROLE_TEXT;
}

/* ---- inputs ---- */

/* Settings that the wide form shows two in a row. */
static enum zl_setting partner(const struct geo *g, enum zl_setting key)
{
	if (!g->l->wide) {
		return ZL_SETTING_COUNT;
	}
	if (key == ZL_SET_CMA) {
		return ZL_SET_DMA_CMA;
	}
	return key == ZL_SET_NODES ? ZL_SET_ZONES : ZL_SETTING_COUNT;
}

static bool is_given(const struct geo *g, enum zl_setting key)
{
	return zl_settings_given(&g->in.profile->settings, key);
}

static bool is_order(enum zl_setting key)
{
	return key == ZL_SET_MAX_PAGE_ORDER || key == ZL_SET_PAGE_BLOCK_ORDER;
}

static bool is_offending(const struct geo *g, enum zl_setting key)
{
	const struct zl_diags *d = &view_lane(g->app)->diags;

	for (size_t i = 0; i < d->count; i++) {
		if (d->item[i].severity == ZL_ERROR && d->item[i].about == key) {
			return true;
		}
	}
	return false;
}

static void input_label(const struct geo *g, enum zl_setting key, char *buf, size_t size)
{
	enum zl_setting second = partner(g, key);

	if (second == ZL_SET_DMA_CMA) {
		zl_format(buf, size, "CMA, DMA_CMA");
	} else if (second == ZL_SET_ZONES) {
		zl_format(buf, size, "Nodes, zones");
	} else {
		zl_format(buf, size, "%s", setting_label(g->in.machine, key));
	}
}

/* Text of an input; the second half of a pair is appended. */
static void input_text(const struct geo *g, enum zl_setting key, char *buf, size_t size)
{
	const struct zl_machine *m = g->in.machine;
	char text[DRAW_TEXT];
	enum zl_setting second = partner(g, key);

	value_text(&g->in, VALUE_SETTING_BASE + key, text, sizeof(text));
	if (key == ZL_SET_PAGE_BLOCK_ORDER && !g->l->wide && !is_given(g, key) &&
		m->geometry.page_block_symbol != NULL) {
		zl_format(text, sizeof(text), "default");
	}
	if (key == ZL_SET_PAGE_BLOCK_ORDER && m->geometry.page_block_symbol == NULL) {
		zl_format(buf, size, g->l->wide ? "- (6.16+)" : "-");
	} else if (second == ZL_SET_ZONES) {
		zl_format(buf, size, "%s, %u%s", text, (unsigned)m->nr_zones,
			m->idealised ? " idealised" : "");
	} else if (second != ZL_SETTING_COUNT) {
		zl_format(buf, size, "%s, %b", text, (int)m->geometry.dma_cma);
	} else if (key == ZL_SET_HUGETLB && g->l->wide && m->geometry.hugetlb_order > 0) {
		zl_format(buf, size, "%s, %Z", text,
			m->geometry.page_size << (unsigned)m->geometry.hugetlb_order);
	} else {
		zl_format(buf, size, "%s", text);
	}
}

/* The open field: its text, cut at the left so that the cursor stays in sight. */
static void draw_field(const struct geo *g, int row, unsigned id, int edge)
{
	const int roomy = 5;
	int cols = text_width(g->app->field);
	int col = cols <= roomy ? g->col->field : g->col->value;
	int room = edge - col - 1;
	const char *text = g->app->field;

	while (cols > room && *text != '\0') {
		int w = char_width(utf8_next(&text));
		cols -= w > 0 ? w : 0;
	}
	int end = canvas_value(g->c, at_width(row, col, room), ROLE_EDIT, (uint16_t)id, text);
	canvas_put(g->c, row, end, ROLE_EDIT, '_');
}

/* The focused value between its handles, as far as they fit in the room behind the label. */
static void draw_handles(const struct geo *g, struct rect room, unsigned id, const char *text)
{
	int w = text_width(text), row = room.row, edge = room.col + room.cols;
	int first = g->l->wide ? g->col->value - 2 : g->col->value - 1;
	int air = 1;

	if (first + w + 4 > edge) {
		first = g->col->value - 2;
	}
	if (first + w + 4 > edge) {
		first = edge - w - 4;
	}
	if (first < room.col) {
		first = edge - w - 2 < g->col->value - 1 ? edge - w - 2 : g->col->value - 1;
		air = 0;
	}
	if (first < room.col) {
		canvas_value(
			g->c, at_width(row, room.col, room.cols), ROLE_FOCUS, (uint16_t)id, text);
		return;
	}
	canvas_text(g->c, at(row, first), ROLE_FOCUS, air > 0 ? "- " : "-");
	int end = canvas_value(g->c, at(row, first + 1 + air), ROLE_FOCUS, (uint16_t)id, text);
	canvas_text(g->c, at(row, end), ROLE_FOCUS, air > 0 ? " +" : "+");
}

static void draw_origin(const struct geo *g, int row, int after, enum zl_setting key)
{
	const struct zl_setting_value *v = &g->in.profile->settings.value[key];
	bool given = is_given(g, key);
	int col = g->col->origin > 0 ? g->col->origin : after + 1;
	char letter[2] = {zl_origin_letter(given, v->origin), '\0'};

	if (g->col->origin > 0 ? given || is_order(key) : is_order(key)) {
		canvas_text(g->c, at(row, col), ROLE_DIM, letter);
	}
}

static void draw_input(const struct geo *g, unsigned i, enum zl_setting key)
{
	struct rect area = g->l->area[AREA_INPUTS];
	int row = area.row + 1 + (int)i, edge = area.col + area.cols;
	unsigned id = VALUE_SETTING_BASE + key;
	char text[DRAW_TEXT];

	input_label(g, key, text, sizeof(text));
	int least = 1 + draw_tagged(g->c, at_width(row, area.col + 1, g->col->value - 1), ROLE_TEXT,
				id, text);
	if (g->app->mode == MODE_FIELD && g->app->field_setting == (unsigned)key &&
		g->app->overlay == OVERLAY_NONE) {
		draw_field(g, row, id, edge);
		return;
	}
	input_text(g, key, text, sizeof(text));
	if (view_focused(g->app, PANEL_INPUTS, i)) {
		int end = g->col->origin > 0 ? g->col->origin : edge;
		draw_handles(g, rect(row, least, 1, end - least), id, text);
		if (g->col->origin > 0) {
			draw_origin(g, row, 0, key);
		}
		return;
	}
	int stop = g->col->origin > 0 && is_given(g, key) ? g->col->origin - 1 : edge;
	/* A long value begins nearer to its label, rather than end in the middle. */
	int col = stop - text_width(text);
	col = col > least ? col : least;
	col = col < g->col->value ? col : g->col->value;
	int end = canvas_value(g->c, at_width(row, col, stop - col),
		is_offending(g, key) ? ROLE_ERROR : ROLE_TEXT, (uint16_t)id, text);
	if (strcmp(text, "default") != 0 && text[0] != '-') {
		draw_origin(g, row, end, key);
	}
}

static void draw_inputs(const struct geo *g)
{
	enum zl_setting keys[ZL_SETTING_COUNT];
	size_t n = app_geometry_inputs(g->app, keys, ZL_SETTING_COUNT);
	struct rect area = g->l->area[AREA_INPUTS];
	struct rect before = canvas_clip(g->c, area);

	canvas_heading(g->c, rect(area.row, area.col, 1, area.cols), "What if");
	for (unsigned i = 0; i < n; i++) {
		draw_input(g, i, keys[i]);
	}
	if (g->l->wide) {
		canvas_text(g->c, at(area.row + area.rows - 1, area.col + 2), ROLE_DIM,
			"d derived  g given  f file");
	}
	canvas_clip(g->c, before);
}

/* ---- results ---- */

static void draw_delta(const struct geo *g, struct at where, enum value_id id, int sign)
{
	char text[DRAW_TEXT];
	enum role role = sign > 0 ? ROLE_UP : ROLE_DOWN;

	value_delta(&g->in, &g->base, id, text, sizeof(text));
	canvas_put(g->c, where.row, where.col, role, sign > 0 ? ARROW_UP : ARROW_DOWN);
	where.col += 2;
	canvas_value(g->c, where, role, (uint16_t)id, text);
}

static void draw_result(const struct geo *g, unsigned i, enum value_id id)
{
	struct rect area = g->l->area[AREA_RESULTS];
	int row = area.row + 1 + (int)i;
	struct source from = {.in = &g->in, .owner = id};
	bool focus = view_focused(g->app, PANEL_RESULTS, i);
	const char *label = id == VALUE_WMARK_MIN ? "watermarks, pages" : value_info(id)->label;
	char text[DRAW_TEXT];

	value_text(&g->in, id, text, sizeof(text));
	int end = draw_tagged(g->c, at(row, area.col + 1), ROLE_TEXT, id, label);
	int now = area.col + g->col->now;
	canvas_value(g->c, at_right(row, now, now - end - 1), value_role(g), (uint16_t)id, text);
	if (focus) {
		canvas_paint(g->c, rect(row, area.col + 1, 1, g->col->now - 1), ROLE_FOCUS);
	}
	int sign = value_delta(&g->in, &g->base, id, text, sizeof(text));
	if (sign != 0) {
		int col = area.col + (g->col->delta > 0 ? g->col->delta : g->col->how);
		draw_delta(g, at(row, col), id, sign);
	}
	enum formula_form form = g->l->wide ? FORMULA_HOW : FORMULA_SHORT;
	int room = sign == 0 ? area.cols - g->col->how : g->col->how_cols;
	/* Half a formula says nothing; `w` has all of it. */
	if ((sign == 0 || g->col->delta > 0) && draw_formula_width(&from, form) <= room) {
		draw_formula(g->c, at(row, area.col + g->col->how), ROLE_TEXT, &from, form);
	}
}

static void draw_result_heads(const struct geo *g)
{
	struct rect area = g->l->area[AREA_RESULTS];
	struct canvas *c = g->c;
	bool preview = g->app->preview != NULL;

	canvas_heading(c, rect(area.row, area.col, 1, area.cols),
		preview ? "What would follow (preview)" : "What follows");
	if (!g->l->wide || !g->in.machine->geometry.buildable) {
		return;
	}
	if (!preview) {
		canvas_text(c, at(area.row, area.col + NOW_HEAD), ROLE_HEADING, "now");
	}
	canvas_text(c, at(area.row, area.col + HOW_HEAD), ROLE_HEADING, "how");
	if (g->base.machine != NULL) {
		canvas_text(
			c, at(area.row, area.col + DELTA_HEAD), ROLE_HEADING, "against baseline");
	}
}

/* The last row of the wide form: the sentence that nobody should miss. */
static void draw_warning(const struct geo *g)
{
	struct rect area = g->l->area[AREA_RESULTS];
	struct source from = {.in = &g->in, .owner = VALUE_REACHABLE};
	int64_t can_fire = 0;

	if (g->l->wide && value_get(&g->in, VALUE_REACHABLE, &can_fire) && can_fire == 0) {
		draw_template(g->c, at(area.row + area.rows - 1, area.col + 1), ROLE_WARN, &from,
			"WARNING threshold {free_high_threshold} > ceiling {free_count_ceiling}: "
			"free_high can never fire");
	}
}

static bool buildable(const struct value_in *in)
{
	return in->machine != NULL && in->machine->geometry.buildable;
}

static void draw_last_good(const struct geo *g, const struct value_in *good)
{
	static const enum value_id ids[] = {
		VALUE_PAGEBLOCK_ORDER, VALUE_PAGEBLOCK_BYTES, VALUE_CMA_MIN_ALIGNMENT_BYTES};
	struct rect area = g->l->area[AREA_RESULTS];

	for (int i = 0; i < (int)(sizeof(ids) / sizeof(ids[0])); i++) {
		int row = area.row + 6 + i, now = area.col + g->col->now;
		char text[DRAW_TEXT];
		char was[DRAW_TEXT];

		canvas_text(g->c, at(row, area.col + 1), ROLE_TEXT, value_info(ids[i])->label);
		canvas_text(g->c, at_right(row, now, 1), ROLE_TEXT, "-");
		if (buildable(good)) {
			value_text(good, ids[i], text, sizeof(text));
			zl_format(was, sizeof(was), "was %s", text);
			canvas_value(g->c, at(row, area.col + g->col->how), ROLE_TEXT,
				(uint16_t)ids[i], was);
		}
	}
}

/* A kernel that cannot exist has no figures; the newest edit that could be built has. */
static void draw_unbuildable(const struct geo *g)
{
	struct rect area = g->l->area[AREA_RESULTS];
	const struct app *app = g->app;
	struct zl_profile profile = app_lane_const(app)->profile; /* borrows the zones */
	struct zl_machine machine;
	struct value_in good = baseline_of(app);

	for (size_t i = app->nr_undo; i > 0 && !buildable(&good); i--) {
		struct zl_diags diags = {0};
		profile.settings = app->undo[i - 1]->settings;
		zl_machine_resolve(&profile, &machine, &diags);
		good = (struct value_in){
			.profile = &profile, .machine = &machine, .zone = machine.main_zone};
	}
	canvas_text(g->c, at(area.row + 1, area.col + 1), ROLE_ERROR,
		"This combination cannot be built.");
	canvas_text(g->c, at(area.row + 3, area.col + 1), ROLE_TEXT,
		"No figures for a kernel that cannot exist;");
	canvas_text(g->c, at(area.row + 4, area.col + 1), ROLE_TEXT,
		buildable(&good) ? "the last buildable one stays beside them."
				 : "no buildable one came before it.");
	draw_last_good(g, &good);
	canvas_text(g->c, at(area.row + 10, area.col + 1), ROLE_TEXT,
		"Enter on a fix applies it; u takes it back.");
}

static void draw_results(const struct geo *g)
{
	enum value_id ids[VALUE_COUNT];
	size_t n = app_geometry_results(g->app, ids, VALUE_COUNT);
	struct rect before = canvas_clip(g->c, g->l->area[AREA_RESULTS]);

	draw_result_heads(g);
	if (!g->in.machine->geometry.buildable) {
		draw_unbuildable(g);
		canvas_clip(g->c, before);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		draw_result(g, i, ids[i]);
	}
	draw_warning(g);
	canvas_clip(g->c, before);
}

/* ---- the screen ---- */

static struct geometry_layout lay_out(const struct app *app, const struct layout *l)
{
	enum zl_setting keys[ZL_SETTING_COUNT];
	enum value_id ids[VALUE_COUNT];
	uint64_t sizes[APP_PAGE_SIZES];
	unsigned first = 0;
	int inputs = (int)app_geometry_inputs(app, keys, ZL_SETTING_COUNT);
	int results = (int)app_geometry_results(app, ids, VALUE_COUNT);
	int foot = l->wide ? 1 : 0;
	struct geometry_needs needs = {
		.inputs = (inputs > results ? inputs : results) + foot,
		.sizes = (int)app_geometry_page_sizes(app, sizes, APP_PAGE_SIZES),
		.orders = (int)app_block_orders(app, &first),
		.notes = geometry_nr_notes(app),
	};

	if (!view_lane(app)->machine.geometry.buildable) {
		needs.diags = geometry_diag_lines(app, NULL, rect(0, 0, 0, 0));
	}
	return layout_geometry(l, &needs);
}

static struct rect slot(const struct app *app, const struct layout *l)
{
	struct geometry_layout g = lay_out(app, l);
	int row = g.area[AREA_INPUTS].row + g.area[AREA_INPUTS].rows;

	return rect(row, l->body.col, l->body.row + l->body.rows - row, l->body.cols);
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	struct geometry_layout areas = lay_out(app, l);
	struct geo g = {.app = app,
		.c = c,
		.l = &areas,
		.col = l->wide ? &wide : &narrow,
		.in = app_values(app),
		.base = baseline_of(app)};

	draw_inputs(&g);
	canvas_separator(
		c, areas.separator, areas.area[AREA_INPUTS].row, areas.area[AREA_INPUTS].rows);
	draw_results(&g);
	if (g.in.machine->geometry.buildable) {
		geometry_draw_tables(app, c, &areas);
		geometry_draw_notes(app, c, &areas);
	} else {
		geometry_diag_lines(app, c, areas.area[AREA_SIZES]);
	}
}

/* "4, 16 and 64 KiB"; returns how many. */
static size_t list_page_sizes(const struct app *app, char *buf, size_t size)
{
	uint64_t sizes[APP_PAGE_SIZES];
	size_t n = app_geometry_page_sizes(app, sizes, APP_PAGE_SIZES);
	struct zl_text t;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < n; i++) {
		zl_text_fmt(&t, "%s%U", i == 0 ? "" : i + 1 == n ? " and " : ", ", sizes[i] >> 10);
	}
	zl_text_str(&t, " KiB");
	return n;
}

/* "Page size 16 KiB · baseline arm64 4 KiB 6.18.2 · p resets the baseline" */
static void hint_baseline(
	const struct app *app, struct canvas *c, struct at where, enum zl_setting key)
{
	struct value_in in = app_values(app);
	struct value_in base = app_baseline(app);
	static const enum zl_setting keys[] = {ZL_SET_ARCH, ZL_SET_PAGE_SIZE, ZL_SET_KERNEL};

	where.col = canvas_text(c, where, ROLE_TEXT, setting_label(in.machine, key)) + 1;
	where.col = draw_value(c, where, ROLE_TEXT, &in, VALUE_SETTING_BASE + key);
	where.col = canvas_text(c, where, ROLE_TEXT, " · baseline");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		where.col++;
		where.col = draw_value(c, where, ROLE_TEXT, &base, VALUE_SETTING_BASE + keys[i]);
	}
	canvas_text(c, where, ROLE_TEXT, " · p resets the baseline");
}

static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	enum zl_setting key = app_focused_setting(app);
	const struct lane *lane = view_lane(app);
	size_t errors = zl_diags_at_least(&lane->diags, ZL_ERROR);
	struct at where = at(row.row, row.col + 1);
	char text[DRAW_TEXT];
	char list[64];

	if (errors > 0) {
		zl_format(text, sizeof(text),
			"%u error%s: this kernel does not build · n next diagnostic, "
			"Enter apply its fix",
			(unsigned)errors, errors == 1 ? "" : "s");
		canvas_value(c, where, ROLE_TEXT, VALUE_POSITION, text);
		return;
	}
	if (key == ZL_SETTING_COUNT) {
		return;
	}
	if (app->baseline != NULL) {
		hint_baseline(app, c, where, key);
		return;
	}
	if (key == ZL_SET_PAGE_SIZE) {
		bool choice = list_page_sizes(app, list, sizeof(list)) > 1;
		zl_format(text, sizeof(text),
			choice ? "%s: Enter to type, - + to step through %s"
			       : "%s: this architecture has %s only",
			setting_label(&lane->machine, key), list);
	} else {
		zl_format(text, sizeof(text), "%s: %s", setting_label(&lane->machine, key),
			zl_setting_info(key)->help);
	}
	canvas_value(c, where, ROLE_TEXT, (uint16_t)(VALUE_SETTING_BASE + key), text);
}

const struct view_ops view_geometry = {
	.screen = SCREEN_GEOMETRY,
	.name = "Geometry",
	.keys = KEYMAP_GEOMETRY,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = geometry_plain,
};
