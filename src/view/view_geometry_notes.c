/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under the tables of the Geometry screen: what the figures mean, or the diagnostics of a
 * combination that cannot be built.
 */
#include <string.h>

#include "draw.h"
#include "learn.h"
#include "text_width.h"
#include "views.h"
#include "zonelab/text.h"

#define MARK	  0x25ba
#define NOTES_MAX 16
#define SEVERITY  1 /* columns of a diagnostic */
#define TEXT_COL  9

/* One line, as a template of values.h. */
struct note {
	enum role role;
	unsigned id;
	char text[DRAW_TEXT]; /* a template */
};

struct notes {
	size_t count;
	bool wrapped; /* a note takes several lines, so none may have a gap below it */
	struct note item[NOTES_MAX];
};

static struct note *add(struct notes *n, enum role role, unsigned id)
{
	struct note *note = &n->item[n->count < NOTES_MAX ? n->count : NOTES_MAX - 1];

	n->count += n->count < NOTES_MAX ? 1 : 0;
	note->role = role;
	note->id = id;
	note->text[0] = '\0';
	return note;
}

static void note_text(struct notes *n, enum role role, unsigned id, const char *text)
{
	struct note *note = add(n, role, id);

	zl_format(note->text, sizeof(note->text), "%s", text);
}

/* "28 of 32 MiB": the unit once if it is the same. */
static void note_waste(struct notes *n, const struct value_in *in, int64_t waste)
{
	const struct zl_geometry *g = &in->machine->geometry;
	struct note *note = add(n, ROLE_TEXT, VALUE_POOL_WASTE);
	char size[64], all[64], lost[64], block[64];
	unsigned order = 0;

	value_text(in, VALUE_SETTING_BASE + ZL_SET_POOL_SIZE, size, sizeof(size));
	value_text(in, VALUE_POOL_REQUIRED, all, sizeof(all));
	zl_format(lost, sizeof(lost), "%Z", (uint64_t)waste);
	char *unit = strchr(lost, ' ');
	const char *whole = strchr(all, ' ');
	if (unit != NULL && whole != NULL && strcmp(unit, whole) == 0) {
		*unit = '\0';
	}
	while (in->machine->pool_size % (g->page_size << (order + 1)) == 0 &&
		(g->page_size << (order + 1)) < g->pageblock_bytes) {
		order++;
	}
	if (g->page_block_symbol != NULL && (int)order >= g->page_block_lo && order > 0 &&
		in->machine->pool_size % g->page_size == 0) {
		zl_format(block, sizeof(block), "%Z", g->page_size << order);
		zl_format(note->text, sizeof(note->text),
			"A %s pool wastes %s of %s; %s=%u makes %s blocks.", size, lost, all,
			g->page_block_symbol, order, block);
	} else {
		zl_format(note->text, sizeof(note->text), "A %s pool wastes %s of %s.", size, lost,
			all);
	}
}

static void note_pool(struct notes *n, const struct value_in *in)
{
	int64_t waste = 0, blocks = 0;

	if (!value_get(in, VALUE_POOL_WASTE, &waste) ||
		!value_get(in, VALUE_POOL_BLOCKS, &blocks)) {
		return;
	}
	if (waste > 0) {
		note_waste(n, in, waste);
		return;
	}
	note_text(n, ROLE_TEXT, VALUE_POOL_REQUIRED,
		blocks == 1
			? "A {pool_size} pool takes one pageblock of {pageblock_bytes}; nothing "
			  "is wasted."
			: "A {pool_size} pool takes {pool_pageblocks} pageblocks of "
			  "{pageblock_bytes}; nothing is wasted.");
}

static void note_never(struct notes *n, const struct value_in *in)
{
	struct note *note = add(n, ROLE_WARN, VALUE_THRESHOLD);
	const char *formula = value_formula(in, VALUE_THRESHOLD, FORMULA_SHORT);

	zl_format(note->text, sizeof(note->text),
		"WARNING free_high never fires: %s = {free_high_threshold}, counter stops at "
		"{batch} << {pcp_batch_scale_max}.",
		formula);
}

static void note_capped(struct notes *n, const struct value_in *in)
{
	const struct zl_machine *m = in->machine;
	struct note *note = add(n, ROLE_TEXT, VALUE_MIN_FREE_THP_CAP);
	const unsigned blocks_a_zone = 11;
	uint64_t pages = m->min_free.thp_cap_kbytes * 1024 / m->geometry.page_size;

	zl_format(note->text, sizeof(note->text),
		"min_free_kbytes: %u pageblocks are {min_free_thp_kbytes}, capped at 5 %% = %N "
		"pages.",
		blocks_a_zone * m->lowmem_zones, pages);
}

static void note_preview(struct notes *n, const struct app *app)
{
	struct value_in base = app_baseline(app);
	struct note *note = add(n, ROLE_PREVIEW, VALUE_LITERAL);
	char arch[64], page[64], kernel[64], memory[64], cpus[64];

	if (base.machine == NULL) {
		const struct lane *lane = app_lane_const(app);
		base = (struct value_in){.profile = &lane->profile, .machine = &lane->machine};
	}
	value_text(&base, VALUE_SETTING_BASE + ZL_SET_ARCH, arch, sizeof(arch));
	value_text(&base, VALUE_SETTING_BASE + ZL_SET_PAGE_SIZE, page, sizeof(page));
	value_text(&base, VALUE_SETTING_BASE + ZL_SET_KERNEL, kernel, sizeof(kernel));
	value_text(&base, VALUE_SETTING_BASE + ZL_SET_MEMORY, memory, sizeof(memory));
	value_text(&base, VALUE_SETTING_BASE + ZL_SET_CPUS, cpus, sizeof(cpus));
	zl_format(note->text, sizeof(note->text),
		"Preview, not yet taken. Baseline (p): %s %s %s, %s, %s CPUs.", arch, page, kernel,
		memory, cpus);
}

/* Findings that have a note of their own, with every figure tagged. */
static bool said_elsewhere(const struct zl_diag *d)
{
	return (d->code == ZL_DIAG_FREE_HIGH_UNREACHABLE && d->severity == ZL_WARNING) ||
	       d->code == ZL_DIAG_MIN_FREE_CAPPED || d->code == ZL_DIAG_IDEALISED;
}

/* Bytes of @s that fit in @cols: up to a clause if one ends there, else up to a word. */
static size_t wrap(const char *s, int cols)
{
	size_t word = 0, clause = 0;
	const char *p = s;
	int used = 0;

	if (text_width(s) <= cols) {
		return strlen(s);
	}
	while (*p != '\0' && used <= cols) {
		if (*p == ' ') {
			word = (size_t)(p - s);
			clause = p > s && (p[-1] == ';' || p[-1] == ':') && used > cols / 2
					 ? word
					 : clause;
		}
		int w = char_width(utf8_next(&p));
		used += w > 0 ? w : 0;
	}
	if (clause > 0) {
		return clause;
	}
	return word > 0 ? word : (size_t)(p - s);
}

/* A finding over as many lines as it needs; those after the first are indented. */
static void note_wrapped(
	struct notes *n, const struct app *app, const struct zl_diag *d, const char *word)
{
	enum role role = d->severity == ZL_WARNING ? ROLE_WARN : ROLE_TEXT;
	int cols = (int)app->cols > LAYOUT_MIN_COLS ? (int)app->cols : LAYOUT_MIN_COLS;
	char text[DRAW_TEXT + 16];
	const char *rest = text;

	zl_format(text, sizeof(text), "%s%s", word, d->text);
	while (*rest != '\0' && n->count < NOTES_MAX) {
		struct note *note = add(n, role, VALUE_DIAG_BASE + d->code);
		struct zl_text t;
		zl_text_init(&t, note->text, sizeof(note->text));
		zl_text_str(&t, rest == text ? "" : "  ");
		size_t len = wrap(rest, cols - 4);
		zl_text_strn(&t, rest, len);
		rest += len;
		rest += strspn(rest, " ");
		n->wrapped = n->wrapped || *rest != '\0';
	}
}

static void note_diags(struct notes *n, const struct app *app, enum zl_severity severity)
{
	const struct lane *lane = view_lane(app);

	for (size_t i = 0; i < lane->diags.count; i++) {
		const struct zl_diag *d = &lane->diags.item[i];
		if (d->severity == severity && !said_elsewhere(d)) {
			note_wrapped(n, app, d, severity == ZL_WARNING ? "WARNING " : "note ");
		}
	}
}

static void note_machine(struct notes *n, const struct value_in *in)
{
	const struct zl_machine *m = in->machine;

	if (!m->idealised) {
		note_text(n, ROLE_TEXT, VALUE_MANAGED,
			"Zones, present and managed pages are those of the profile or file.");
	} else if (m->nodes == 1 && m->nr_zones == 1) {
		note_text(n, ROLE_TEXT, VALUE_MANAGED,
			"Idealised machine: one node, one zone, managed = present = "
			"{memory_bytes}.");
	} else {
		struct note *note = add(n, ROLE_TEXT, VALUE_MANAGED);
		zl_format(note->text, sizeof(note->text),
			"Idealised machine: {nodes} node%s, %u zones, managed = present.",
			m->nodes == 1 ? "" : "s", (unsigned)m->nr_zones);
	}
}

/* In the order of importance; what finds no room is left out from the end. */
static void collect(const struct app *app, struct notes *n)
{
	const struct lane *lane = view_lane(app);
	struct value_in in = app_values(app);
	int64_t fires = 0;

	n->count = 0;
	n->wrapped = false;
	if (app->preview != NULL) {
		note_preview(n, app);
	}
	if (lane->machine.min_free.rule == ZL_MIN_FREE_THP_CAPPED) {
		note_capped(n, &in);
	}
	if (value_get(&in, VALUE_REACHABLE, &fires) && fires == 0) {
		note_never(n, &in);
	}
	note_diags(n, app, ZL_WARNING);
	note_pool(n, &in);
	if (app->preview == NULL) {
		note_machine(n, &in);
	}
	note_diags(n, app, ZL_NOTE);
}

/* ---- the wide form explains its order table instead ---- */

struct order_facts {
	unsigned first, last;	     /* orders that are shown */
	unsigned exact_lo, exact_hi; /* of those that waste nothing; lo > hi = none */
	unsigned alive;		     /* largest with free_high alive */
	bool any_alive;
	int64_t threshold, ceiling; /* there */
};

static void look_at_order(const struct app *app, unsigned order, struct order_facts *f)
{
	struct zl_machine machine;
	struct zl_diags diags = {0};
	char text[16];
	int64_t waste = 1, fires = 0;

	zl_format(text, sizeof(text), "%u", order);
	if (!app_machine_with(app, ZL_SET_PAGE_BLOCK_ORDER, text, &machine, &diags)) {
		return;
	}
	struct value_in in = {.profile = &view_lane(app)->profile,
		.machine = &machine,
		.zone = machine.main_zone};
	if (value_get(&in, VALUE_POOL_WASTE, &waste) && waste == 0) {
		f->exact_lo = f->exact_lo > f->exact_hi ? order : f->exact_lo;
		f->exact_hi = order;
	}
	if (value_get(&in, VALUE_REACHABLE, &fires) && fires != 0) {
		f->alive = order;
		f->any_alive = value_get(&in, VALUE_THRESHOLD, &f->threshold) &&
			       value_get(&in, VALUE_CEILING, &f->ceiling);
	}
}

static void note_orders(struct notes *n, const struct order_facts *f)
{
	struct note *note = add(n, ROLE_TEXT, VALUE_SETTING_BASE + ZL_SET_PAGE_BLOCK_ORDER);
	struct zl_text t;

	zl_text_init(&t, note->text, sizeof(note->text));
	if (f->exact_lo > f->exact_hi) {
		zl_text_str(&t, "No order shown keeps {pool_size} pools exact");
	} else if (f->exact_lo == f->exact_hi) {
		zl_text_fmt(&t, "Order %u keeps {pool_size} pools exact", f->exact_lo);
	} else {
		zl_text_fmt(&t, "Orders %u %s %u keep {pool_size} pools exact", f->exact_lo,
			f->exact_hi == f->exact_lo + 1 ? "and" : "to", f->exact_hi);
	}
	if (f->any_alive) {
		zl_text_fmt(&t, "; order %u is the largest with free_high alive (%D <= %D).",
			f->alive, f->threshold, f->ceiling);
	} else {
		zl_text_str(&t, "; free_high cannot fire with any of them.");
	}
}

static void collect_wide(const struct app *app, const struct rect *orders, struct notes *n)
{
	const struct zl_geometry *g = &view_lane(app)->machine.geometry;
	struct order_facts f = {.exact_lo = 1};
	unsigned lo = 0, rows = orders->rows > 2 ? (unsigned)orders->rows - 2 : 0;
	unsigned count = app_block_orders(app, &lo);

	n->count = 0;
	n->wrapped = false;
	f.last = lo + count - 1;
	f.first = count > rows ? f.last + 1 - rows : lo;
	for (unsigned o = f.first; o <= f.last; o++) {
		look_at_order(app, o, &f);
	}
	note_orders(n, &f);
	struct note *note = add(n, ROLE_TEXT, VALUE_SETTING_BASE + ZL_SET_PAGE_BLOCK_ORDER);
	zl_format(note->text, sizeof(note->text),
		"Kconfig default %d; legal here %d..%d. Takes a rebuild, no boot parameter exists.",
		g->page_block_hi, g->page_block_lo, g->page_block_hi);
	if (app->preview != NULL) {
		note_preview(n, app);
	}
	note_diags(n, app, ZL_WARNING);
}

int geometry_nr_notes(const struct app *app)
{
	struct notes n;

	if (!view_lane(app)->machine.geometry.buildable || learn_hides_others(app)) {
		return 0;
	}
	collect(app, &n);
	return (int)n.count;
}

void geometry_draw_notes(const struct app *app, struct canvas *c, const struct geometry_layout *l)
{
	struct notes n;
	struct value_in in = app_values(app);
	struct rect area = l->area[AREA_NOTES];
	bool orders = l->area[AREA_ORDERS].rows > 0;

	if (learn_hides_others(app)) {
		return;
	}
	if (orders) {
		collect_wide(app, &l->area[AREA_ORDERS], &n);
	} else {
		collect(app, &n);
	}
	int count = (int)n.count,
	    step = !orders && !n.wrapped && 2 * count - 1 <= area.rows ? 2 : 1;
	struct rect before = canvas_clip(c, area);
	for (int i = 0; i < count; i++) {
		struct source from = {.in = &in, .owner = (enum value_id)n.item[i].id};
		draw_template(c, at(area.row + i * step, area.col + (orders ? 2 : 1)),
			n.item[i].role, &from, n.item[i].text);
	}
	canvas_clip(c, before);
}

/* ---- diagnostics ---- */

/* Draws a text over as many lines as it takes; returns how many. */
static int draw_lines(
	struct canvas *c, struct at where, enum role role, unsigned id, const char *text)
{
	char line[DRAW_TEXT];
	int lines = 0;

	while (*text != '\0') {
		size_t n = wrap(text, where.width);
		struct zl_text t;
		zl_text_init(&t, line, sizeof(line));
		zl_text_strn(&t, text, n);
		if (c != NULL) {
			draw_tagged(c, at(where.row + lines, where.col), role, id, line);
		}
		text += n;
		text += strspn(text, " ");
		lines++;
	}
	return lines;
}

static const char *severity_word(enum zl_severity s)
{
	switch (s) {
	case ZL_ERROR:
		return "ERROR";
	case ZL_WARNING:
		return "WARNING";
	case ZL_NOTE:
	case ZL_SEVERITY_COUNT:
		break;
	}
	return "note";
}

/* "3 diagnostics: 2 errors, 1 warning" */
static void draw_diag_heading(struct canvas *c, struct rect area, const struct zl_diags *d)
{
	unsigned errors = (unsigned)zl_diags_at_least(d, ZL_ERROR);
	unsigned warnings = (unsigned)zl_diags_at_least(d, ZL_WARNING) - errors;
	char text[DRAW_TEXT];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_fmt(&t, "%u diagnostic%s: %u error%s", errors + warnings,
		errors + warnings == 1 ? "" : "s", errors, errors == 1 ? "" : "s");
	if (warnings > 0) {
		zl_text_fmt(&t, ", %u warning%s", warnings, warnings == 1 ? "" : "s");
	}
	canvas_heading(c, rect(area.row, area.col, 1, area.cols), "");
	canvas_value(c, at(area.row, area.col + 3), ROLE_HEADING, VALUE_POSITION, text);
}

static int one_diag(
	const struct app *app, struct canvas *c, struct at where, unsigned index, int width)
{
	const struct zl_diag *d = &view_lane(app)->diags.item[index];
	unsigned id = VALUE_DIAG_BASE + d->code;
	enum role role = d->severity == ZL_ERROR ? ROLE_ERROR : ROLE_WARN;
	int lines = 0;

	if (c != NULL) {
		canvas_text(c, at(where.row, SEVERITY), role, severity_word(d->severity));
		if (view_focused(app, PANEL_DIAGS, index)) {
			canvas_put(c, where.row, 0, ROLE_FOCUS, MARK);
		}
	}
	lines = draw_lines(
		c, at_width(where.row, TEXT_COL, width - TEXT_COL), ROLE_TEXT, id, d->text);
	lines += draw_lines(
		c, at_width(where.row + lines, TEXT_COL, width - TEXT_COL), ROLE_TEXT, id, d->mend);
	return lines;
}

int geometry_diag_lines(const struct app *app, struct canvas *c, struct rect area)
{
	const struct zl_diags *d = &view_lane(app)->diags;
	int row = area.row + 1;
	int width = c != NULL ? area.cols : LAYOUT_MIN_COLS;

	if (c != NULL) {
		draw_diag_heading(c, area, d);
	}
	struct rect before = c != NULL ? canvas_clip(c, area) : area;
	for (int pass = ZL_ERROR; pass >= ZL_WARNING; pass--) {
		for (unsigned i = 0; i < d->count; i++) {
			if ((int)d->item[i].severity == pass) {
				row += one_diag(app, c, at(row, 0), i, width);
			}
		}
	}
	if (c != NULL) {
		canvas_clip(c, before);
	}
	return row - area.row - 1;
}
