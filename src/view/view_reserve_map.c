/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory as a map: a strip below the list, or at the right one row a pageblock, to scale.
 */
#include <string.h>

#include "text_width.h"
#include "view_reserve.h"
#include "zonelab/text.h"

#define CELLS_LEAST 8
#define CELLS_HUGE  16
#define NAME_COLS   12 /* of a pool in the legend */
#define NAME_LEAST  5  /* of a part of it */
#define SEPARATORS  "_-,."
#define WINDOW	    ':' /* free, and where the chosen pool may go */

static bool is_cma(const struct reserve *r, size_t pool)
{
	return r->report.pool[pool].class == ZL_POOL_CMA;
}

static bool is_dead(const struct reserve *r)
{
	return !r->machine.grouping && r->report.given > 0 && r->map.known;
}

/* Where a pool lies, or would lie if it were not refused. */
static bool place_of(const struct reserve *r, size_t pool, struct zl_range *ret)
{
	const struct zl_pool *p = &r->report.pool[pool];
	const struct zl_request *q = &r->have.request[p->request];

	if (p->base_known && p->size > 0) {
		*ret = (struct zl_range){p->base, p->size};
		return true;
	}
	*ret = (struct zl_range){q->base, q->size};
	return q->has_reg && q->size > 0 && pools_is_refused(p);
}

void reserve_short_name(const struct reserve *r, size_t pool, char *buf, size_t size)
{
	const char *name = reserve_pool_name(r, &r->report.pool[pool]);
	enum zl_request_kind kind = r->have.request[r->report.pool[pool].request].kind;
	bool node = kind == ZL_REQUEST_NODE;
	struct zl_text t;

	name = kind == ZL_REQUEST_DEFAULT ? "default CMA" : name;

	zl_text_init(&t, buf, size);
	zl_text_strn(&t, name, node ? strcspn(name, "@") : strlen(name));
}

static bool overlaps(struct zl_range a, uint64_t base, uint64_t size)
{
	return a.base < base + size && base < a.base + a.size;
}

/* The pool of a cell; accepted ones lie above refused ones. */
static size_t pool_at(const struct reserve *r, uint64_t base, uint64_t size)
{
	size_t found = POOLS_NONE;

	for (size_t i = 0; i < r->report.nr_pools; i++) {
		struct zl_range at;

		if (!place_of(r, i, &at) || !overlaps(at, base, size)) {
			continue;
		}
		if (!pools_is_refused(&r->report.pool[i])) {
			return i;
		}
		found = found == POOLS_NONE ? i : found;
	}
	return found;
}

static bool has_windows(const struct res *v)
{
	const struct reserve *r = v->r;

	if (v->focus >= r->report.nr_pools) {
		return false;
	}
	const struct zl_request *q = &r->have.request[r->report.pool[v->focus].request];

	return !q->has_reg && q->nr_windows > 0;
}

/* In a window of the chosen pool's alloc-ranges; @begins: one begins there. */
static bool in_window(const struct res *v, uint64_t base, uint64_t size, bool begins)
{
	if (!has_windows(v)) {
		return false;
	}
	const struct zl_request *q = &v->r->have.request[v->r->report.pool[v->focus].request];

	for (size_t i = 0; i < q->nr_windows; i++) {
		const struct zl_range *w = &q->window[i];

		if (begins ? w->base >= base && w->base - base < size : overlaps(*w, base, size)) {
			return true;
		}
	}
	return false;
}

static void draw_cell(const struct res *v, struct at where, uint64_t base, uint64_t size)
{
	size_t pool = pool_at(v->r, base, size);
	enum role role = ROLE_DIM;
	uint32_t ch = ' ';

	if (pool != POOLS_NONE) {
		bool refused = pools_is_refused(&v->r->report.pool[pool]);

		role = refused ? ROLE_ERROR : is_cma(v->r, pool) ? ROLE_MT_CMA : ROLE_TEXT;
		role = pool == v->focus ? ROLE_SELECT : role;
		ch = (uint32_t)reserve_letter(pool, refused);
	} else if (zl_ranges_overlap(&v->r->report.map.reserved, base, size)) {
		ch = 'r';
		role = ROLE_TEXT;
	} else if (zl_ranges_overlap(&v->r->map.banks, base, size)) {
		ch = in_window(v, base, size, false) ? WINDOW : '.';
	}
	canvas_put(v->c, where.row, where.col, role, ch);
}

static int draw_map_heading(const struct res *v, uint64_t cell)
{
	const struct reserve *r = v->r;
	char text[DRAW_TEXT];
	struct zl_text t;

	zl_text_init(&t, text, sizeof(text));
	zl_text_str(&t, "Memory");
	if (r->map.known) {
		zl_text_fmt(&t, " %x-%x, %Z", r->map.banks.item[0].base, zl_memory_end(&r->map) - 1,
			zl_ranges_total(&r->map.banks));
	}
	if (cell > 0) {
		zl_text_fmt(&t, ", %Z per cell", cell);
	}
	return reserve_heading(v, v->l.map, text);
}

/* Smallest power of two that is at least v. */
static uint64_t power_above(uint64_t v)
{
	uint64_t p = 1;

	while (p < v && p < UINT64_C(1) << 62) {
		p <<= 1;
	}
	return p;
}

/* ---- strip ---- */

static bool is_drawn(const struct res *v, size_t pool)
{
	struct zl_range place;

	return place_of(v->r, pool, &place);
}

/* Whether no other pool of the map begins with the first @n bytes of the name. */
static bool is_unique(const struct res *v, size_t pool, const char *name, size_t n)
{
	char other[ZL_POOL_NAME];

	for (size_t i = 0; i < v->r->report.nr_pools; i++) {
		reserve_short_name(v->r, i, other, sizeof(other));
		if (i != pool && is_drawn(v, i) && strncmp(other, name, n) == 0) {
			return false;
		}
	}
	return true;
}

/* Of a name that has no room the first parts that no other pool shares: "pool_c" of "pool_c_st32". */
static void legend_name(const struct res *v, size_t pool, bool full, char *buf, size_t size)
{
	reserve_short_name(v->r, pool, buf, size);
	if (full) {
		return;
	}
	if (v->r->have.request[v->r->report.pool[pool].request].kind == ZL_REQUEST_DEFAULT) {
		zl_format(buf, size, "default");
		return;
	}
	for (size_t n = strcspn(buf, SEPARATORS); buf[n] != '\0';
		n += 1 + strcspn(buf + n + 1, SEPARATORS)) {
		if (n >= NAME_LEAST && is_unique(v, pool, buf, n)) {
			buf[n] = '\0';
			return;
		}
	}
}

/* Columns of all names. */
static int legend_cols(const struct res *v, bool full, bool refused)
{
	char name[ZL_POOL_NAME];
	int cols = 0;

	for (size_t i = 0; i < v->r->report.nr_pools; i++) {
		if (is_drawn(v, i) && (refused || !pools_is_refused(&v->r->report.pool[i]))) {
			legend_name(v, i, full, name, sizeof(name));
			cols += 4 + (text_width(name) < NAME_COLS ? text_width(name) : NAME_COLS);
		}
	}
	return cols;
}

static void draw_legend(const struct res *v, int row)
{
	int edge = v->l.map.col + v->l.map.cols;
	int col = canvas_text(v->c, at(row, v->l.map.col + 1), ROLE_TEXT, "r reserved");
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_TOTAL_GIVEN};
	static const char total[] = "CMA {cma_given_bytes} = {cma_blocks} of {bank_blocks} blocks";
	const int total_w = draw_template_width(&from, total) + 1;

	if (has_windows(v)) {
		col = canvas_text(v->c, at(row, col + 2), ROLE_TEXT, ": its window");
	}
	const int room = edge - total_w - col;
	bool full = legend_cols(v, true, true) <= room;
	/* What is refused lies nowhere; it is the first to go. */
	bool all = full || legend_cols(v, false, true) <= room;
	for (size_t i = 0; i < v->r->report.nr_pools; i++) {
		struct zl_range place;
		bool refused = pools_is_refused(&v->r->report.pool[i]);
		char text[DRAW_TEXT];
		if (!place_of(v->r, i, &place) || (refused && !all)) {
			continue;
		}
		char name[ZL_POOL_NAME];
		legend_name(v, i, full, name, sizeof(name));
		int w = text_width(name) < NAME_COLS ? text_width(name) : NAME_COLS;
		if (col + 2 + 2 + w > edge - total_w) {
			canvas_text(v->c, at(row, col), ROLE_DIM, " …");
			break;
		}
		zl_format(text, sizeof(text), "%c ", reserve_letter(i, refused));
		col = canvas_text(v->c, at(row, col + 2), ROLE_TEXT, text);
		col = canvas_value(v->c, at_width(row, col, w), ROLE_TEXT, VALUE_LITERAL, name);
	}
	draw_template(v->c, at_width(row, edge - total_w, total_w - 1), ROLE_TEXT, &from, total);
}

static void draw_left(const struct res *v, int row)
{
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_BLOCKS_LEFT};
	struct at where = at_width(row, v->l.map.col + 1, v->l.map.cols - 1);

	if (is_dead(v->r)) {
		canvas_text(v->c, where, ROLE_WARN,
			"Warning: mobility grouping is off: only cma_alloc() can use this CMA "
			"memory");
		return;
	}
	draw_template(v->c, where, ROLE_TEXT, &from,
		"largest hole {largest_hole_bytes} · left for U and R {blocks_left} of "
		"{bank_blocks} blocks, {bytes_left}");
}

static void draw_unknown(const struct res *v)
{
	struct rect m = v->l.map;

	draw_map_heading(v, 0);
	canvas_text(v->c, at_width(m.row + 1, m.col + 1, m.cols - 1), ROLE_DIM,
		"No memory banks are known:");
	canvas_text(v->c, at_width(m.row + 2, m.col + 1, m.cols - 1), ROLE_DIM,
		"alignment is judged, placement is not.");
}

static void draw_strip(const struct res *v)
{
	struct rect m = v->l.map;
	uint64_t begin = v->r->map.banks.item[0].base;
	uint64_t span = zl_memory_end(&v->r->map) - begin;
	uint64_t cells = (uint64_t)m.cols - 2;
	uint64_t cell = power_above(span / cells + (span % cells != 0));

	draw_map_heading(v, cell);
	for (uint64_t i = 0; i < cells && i * cell < span; i++) {
		draw_cell(v, at(m.row + 1, m.col + 1 + (int)i), begin + i * cell, cell);
	}
	draw_legend(v, m.row + 2);
	draw_left(v, m.row + 3);
}

/* ---- rows ---- */

/* Start of the next row that has memory, at or above @at; false behind the last. */
static bool next_row(const struct reserve *r, uint64_t size, uint64_t at, uint64_t *ret)
{
	for (size_t i = 0; i < r->map.banks.count; i++) {
		const struct zl_range *b = &r->map.banks.item[i];

		if (b->base + b->size - 1 >= at) {
			uint64_t first = zl_round_down(b->base, size);

			*ret = first > at ? first : at;
			return true;
		}
	}
	return false;
}

static int count_rows(const struct reserve *r, uint64_t size, int stop)
{
	uint64_t at = 0;
	int n = 0;

	while (n <= stop && next_row(r, size, at, &at)) {
		n++;
		if (at > UINT64_MAX - size) {
			break;
		}
		at += size;
	}
	return n;
}

/* "pool_c 32 MiB", "reserved": what begins in a row. */
static void label_row(const struct res *v, struct at where, uint64_t base, uint64_t size)
{
	for (size_t i = 0; i < v->r->report.nr_pools; i++) {
		const struct zl_pool *p = &v->r->report.pool[i];
		struct zl_range at;
		char text[DRAW_TEXT];
		char name[ZL_POOL_NAME];

		if (!place_of(v->r, i, &at) || at.base < base || at.base - base >= size) {
			continue;
		}
		bool refused = pools_is_refused(p);
		enum role role = i == v->focus ? ROLE_SELECT : refused ? ROLE_ERROR : ROLE_TEXT;
		reserve_short_name(v->r, i, name, sizeof(name));
		if (refused) {
			zl_format(text, sizeof(text), "%s refused", name);
		} else {
			zl_format(text, sizeof(text), "%s %Z", name, at.size);
		}
		canvas_value(v->c, where, role, VALUE_LITERAL, text);
		return;
	}
	if (pool_at(v->r, base, size) == POOLS_NONE &&
		zl_ranges_overlap(&v->r->report.map.reserved, base, size)) {
		canvas_text(v->c, where, ROLE_DIM, "reserved");
	} else if (in_window(v, base, size, true)) {
		canvas_text(v->c, where, ROLE_DIM, ": its window");
	}
}

static void draw_row(const struct res *v, int row, uint64_t base, uint64_t size)
{
	struct rect m = v->l.map;
	uint64_t cells = m.cols > 50 ? CELLS_HUGE : CELLS_LEAST;
	uint64_t page = v->r->machine.geometry.page_size;
	char text[32];

	if (size / cells < page) {
		cells = size / page;
	}
	/* All as wide as the highest. */
	zl_format(text, sizeof(text), "%x", zl_memory_end(&v->r->map) - 1);
	int first = m.col + 1 + text_width(text) + 1;
	zl_format(text, sizeof(text), "%x", base);
	canvas_value(
		v->c, at_width(row, m.col + 1, first - m.col - 2), ROLE_TEXT, VALUE_LITERAL, text);
	for (uint64_t i = 0; i < cells; i++) {
		draw_cell(v, at(row, first + (int)i), base + i * (size / cells), size / cells);
	}
	int col = first + (int)cells + 1;
	label_row(v, at_width(row, col, m.col + m.cols - col), base, size);
}

static void draw_scale(const struct res *v, uint64_t size)
{
	struct rect m = v->l.map;
	uint64_t block = v->r->machine.geometry.pageblock_bytes;
	uint64_t cells = m.cols > 50 ? CELLS_HUGE : CELLS_LEAST;
	char text[DRAW_TEXT];

	zl_format(text, sizeof(text), "one row = %U pageblock%s, one cell = %Z", size / block,
		size == block ? "" : "s", size / cells);
	canvas_value(v->c, at_width(m.row + 1, m.col + 1, m.cols - 1), ROLE_DIM,
		VALUE_PAGEBLOCK_BYTES, text);
}

/* As many lines as there is room for, the most important first. */
static void draw_foot(const struct res *v, int row)
{
	static const char *const lines[] = {
		"U, R: {blocks_left} of {bank_blocks} blocks, {bytes_left} left",
		"largest aligned hole {largest_hole_bytes}",
		"CMA {cma_given_bytes}, {cma_blocks} of {bank_blocks} blocks"};
	struct rect m = v->l.map;
	struct source from = {.in = &v->in, .owner = VALUE_RESERVE_BLOCKS_LEFT};

	if (is_dead(v->r)) {
		canvas_text(v->c, at_width(row++, m.col + 1, m.cols - 1), ROLE_WARN,
			"Warning: grouping off, CMA serves nobody");
	}
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		draw_template(v->c, at_width(row + (int)i, m.col + 1, m.cols - 1), ROLE_TEXT, &from,
			lines[i]);
	}
}

static void draw_rows(const struct res *v)
{
	struct rect m = v->l.map;
	int rows = m.rows - 2 - 2; /* heading, scale; gap, foot */
	uint64_t size = v->r->machine.geometry.pageblock_bytes;
	uint64_t at = 0;
	int n = 0;

	while (size < UINT64_C(1) << 60 && count_rows(v->r, size, rows) > rows) {
		size <<= 1;
	}
	draw_map_heading(v, 0);
	draw_scale(v, size);
	for (; n < rows && next_row(v->r, size, at, &at) && at <= UINT64_MAX - size; n++) {
		draw_row(v, m.row + 2 + n, at, size);
		at += size;
	}
	draw_foot(v, m.row + 2 + n + 1);
}

void reserve_draw_map(const struct res *v)
{
	const struct zl_geometry *g = &v->r->machine.geometry;
	struct rect before = canvas_clip(v->c, v->l.map);

	if (!v->r->map.known || g->pageblock_bytes == 0) {
		draw_unknown(v);
	} else if (v->l.wide) {
		draw_rows(v);
	} else {
		draw_strip(v);
	}
	canvas_clip(v->c, before);
}
