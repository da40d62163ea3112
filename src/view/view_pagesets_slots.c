/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lower part of Pagesets shows: operations, the map of pageblocks, CPUs.
 */

#include "text_width.h"
#include "view_pagesets.h"
#include "zonelab/text.h"

#define CPU_STEP      4
#define CPU_STEP_WIDE 6 /* holds five digits */
#define CPU_COL	      11
#define MAP_COL	      8
#define LEGEND_COLS   51
#define QUARTERS      4

/* ---- operations ---- */

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *pagesets_result_words(const struct zl_record *r, char *buf, size_t size)
{
	const bool alloc = r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_ALLOCHA;

	switch (r->result) {
	case ZL_RESULT_PCP:
		return alloc ? "from list" : "to list";
	case ZL_RESULT_REFILL:
		zl_format(buf, size, "refill %u of %u block%s", r->refill_got, r->refill_req,
			plural(r->refill_req));
		return buf;
	case ZL_RESULT_BUDDY:
		return alloc ? "from buddy" : "to buddy";
	case ZL_RESULT_FAIL:
		return "FAILED";
	case ZL_RESULT_PCP_DRAIN:
		zl_format(buf, size, r->free_high ? "FLUSH %N page%s" : "drain %N page%s",
			(uint64_t)r->drained, plural(r->drained));
		return buf;
	case ZL_RESULT_NOOP:
		return "nothing to free";
	case ZL_RESULT_NUMBER:
		zl_format(buf, size, r->op.kind == ZL_OP_BULK ? "got %u page%s" : "%u change%s",
			r->result_value, plural(r->result_value));
		return buf;
	case ZL_RESULT_EBUSY:
		return "BUSY";
	case ZL_RESULT_ENOMEM:
		return "NO ROOM";
	case ZL_RESULT_REFUSED:
		return "REFUSED";
	case ZL_RESULT_OK:
	case ZL_RESULT_COUNT:
		break;
	}
	if (r->op.kind == ZL_OP_CPU) {
		return "runs from here";
	}
	if (r->drained > 0) {
		zl_format(
			buf, size, "%N page%s to buddy", (uint64_t)r->drained, plural(r->drained));
		return buf;
	}
	return "";
}

static bool has_block(const struct zl_record *r)
{
	return r->op.kind == ZL_OP_ALLOC || r->op.kind == ZL_OP_ALLOCHA || r->op.kind == ZL_OP_FREE;
}

/* "   186 cpu1 free  o3 U 0x140   to list" */
static void draw_op(
	const struct pagesets_view *v, struct rect area, int row, const struct zl_record *r)
{
	enum { END_NR = 6, CPU = 7, KIND = 12, ORDER = 18, MT = 21, PFN = 23, RESULT = 31 };
	bool next = r->index > v->s->at;
	enum role role = next ? ROLE_DIM : ROLE_TEXT;
	char text[DRAW_TEXT];
	struct pen pen = pen_at(v->c, row, area.col + CPU, area.col + area.cols);
	int wide = r->cpu >= 100 ? 2 : r->cpu >= 10 ? 1 : 0;

	pen.role = role;
	if (r->index == v->s->at) {
		canvas_put(v->c, row, area.col, ROLE_SELECT, GLYPH_PRESENT);
	}
	zl_format(text, sizeof(text), "%U", r->index);
	canvas_value(v->c, at_right(row, area.col + END_NR, END_NR - 1), role, VALUE_RUN_OP, text);
	pen_fmt(&pen, VALUE_RUN_CPU, "cpu%u", r->cpu);
	pen.col = area.col + KIND + wide;
	pen_fmt(&pen, VALUE_RUN_OP, "%s", zl_op_kind_name((enum zl_op_kind)r->op.kind));
	if (has_block(r)) {
		pen.col = area.col + ORDER + wide;
		pen_fmt(&pen, VALUE_RUN_BLOCKS, "o%u", r->order);
		const char letter[] = {zl_migratetype_letter(r->mt), '\0'};
		canvas_text(v->c, at(row, area.col + MT + wide),
			next ? role : pagesets_mt_role((unsigned)r->mt), letter);
		pen.col = area.col + PFN + wide;
		if (r->pfn >= 0) {
			pen_fmt(&pen, VALUE_LITERAL, "%x", (uint64_t)r->pfn);
		}
	}
	int result = area.col + RESULT + wide;
	pen.col = pen.col + 2 > result ? pen.col + 2 : result;
	if (!next && r->free_high) {
		pen.role = ROLE_ALERT;
	}
	pen_fmt(&pen, VALUE_RUN_DRAINED, "%s",
		next ? "next" : pagesets_result_words(r, text, sizeof(text)));
}

static void draw_ops(const struct pagesets_view *v, struct rect area)
{
	const struct scene *s = v->s;
	int rows = area.rows - 1 - (s->has_next ? 1 : 0);
	unsigned n = s->nr_past < (unsigned)rows ? s->nr_past : (unsigned)rows;
	int row = area.row + 1;

	pagesets_heading(v->c, area,
		v->l.other.rows > 0 ? "Operations"
				    : "Operations (v: buddy, blocks, CPUs, settings)");
	for (unsigned i = s->nr_past - n; i < s->nr_past; i++) {
		draw_op(v, area, row++, &s->past[i]);
	}
	if (s->has_next) {
		draw_op(v, area, row, &s->next);
	}
}

/* ---- CPUs ---- */

/* ". - + * #": count against high in quarters; `!` flushed at this op. */
static uint32_t cpu_glyph(const struct scene *s, unsigned cpu)
{
	static const uint32_t shades[] = {'.', 0x2591, 0x2592, 0x2593, 0x2588};
	int64_t high = s->highs[cpu] > 0 ? s->highs[cpu] : 1;

	if (s->record.free_high && s->record.cpu == cpu) {
		return '!';
	}
	if (s->counts[cpu] == 0) {
		return shades[0];
	}
	int64_t q = (int64_t)s->counts[cpu] * QUARTERS / high;
	return shades[1 + (q < QUARTERS - 1 ? q : QUARTERS - 1)];
}

/* The fullest of the CPUs of one cell. */
static unsigned fullest(const struct scene *s, unsigned first, unsigned n)
{
	unsigned best = first;

	for (unsigned i = first; i < first + n && i < s->nr_cpus; i++) {
		best = s->counts[i] > s->counts[best] ? i : best;
	}
	return best;
}

/* How the CPUs stand in an area: figures every @step columns, or (step 0) cells of some CPUs. */
struct cpus_shape {
	int step;
	unsigned cols, cell; /* of the heat map: figures of a row, CPUs of a figure */
	unsigned wide;	     /* and cells of a figure */
	bool legend;	     /* a row below is free for it */
};

/* As many figures in a row as a power of two, so that numbers of CPUs are found by eye. */
static void shape_heat(struct cpus_shape *ret, unsigned cpus, struct rect area)
{
	const unsigned room = area.cols > CPU_COL + 8 ? (unsigned)(area.cols - CPU_COL - 8) : 1;
	const unsigned lines = area.rows > 1 ? (unsigned)area.rows - 1 : 1;

	for (ret->cell = 1;; ret->cell *= 2) {
		const unsigned figures = (cpus + ret->cell - 1) / ret->cell;

		for (ret->wide = 2; ret->wide > 0; ret->wide--) {
			for (ret->cols = 1; ret->cols * 2 * ret->wide <= room;) {
				ret->cols *= 2;
			}
			const unsigned rows = (figures + ret->cols - 1) / ret->cols;

			if (rows <= lines) {
				ret->legend = rows < lines;
				return;
			}
		}
	}
}

static struct cpus_shape shape_of(const struct scene *s, struct rect area)
{
	struct cpus_shape ret = {.step = 0};
	bool small = true, less = true; /* all counts, and all that lists may hold */

	for (unsigned i = 0; i < s->nr_cpus; i++) {
		small = small && s->counts[i] < 1000;
		less = less && s->highs[i] < 1000;
	}
	/* By what a pageset may hold where there is room, so that columns stand still. */
	if (!(small && less) && (int)s->nr_cpus * CPU_STEP_WIDE + CPU_COL < area.cols) {
		ret.step = CPU_STEP_WIDE;
	} else if (small && (int)s->nr_cpus * CPU_STEP + CPU_COL < area.cols) {
		ret.step = CPU_STEP;
	}
	if (ret.step == 0) {
		shape_heat(&ret, s->nr_cpus, area);
	}
	return ret;
}

static bool cpu_in(const struct scene *s, struct rect area, int row, int col, unsigned *ret)
{
	const struct cpus_shape shape = shape_of(s, area);
	int line = row - area.row - 1, from = area.col + CPU_COL;

	if (!rect_contains(area, row, col) || line < 0) {
		return false;
	}
	if (shape.step > 0) {
		from += 1 - CPU_STEP;
		*ret = col < from || line > 1 ? s->nr_cpus : (unsigned)((col - from) / shape.step);
		return *ret < s->nr_cpus;
	}
	unsigned at = (unsigned)(col - from) / shape.wide;
	unsigned first = ((unsigned)line * shape.cols + at) * shape.cell;
	if (col < from || at >= shape.cols || first >= s->nr_cpus) {
		return false;
	}
	*ret = fullest(s, first, shape.cell);
	return true;
}

bool pagesets_cpu_at(
	const struct app *app, const struct layout *l, int row, int col, unsigned *ret_cpu)
{
	const struct layout_pagesets p = layout_pagesets(l->body);
	const struct pagesets *run = app->pagesets;
	const struct rect slot = p.other.rows > 0 ? p.other : p.slot;

	return (p.cpus.rows > 0 && cpu_in(&run->scene, p.cpus, row, col, ret_cpu)) ||
	       (run->all->slot == SLOT_CPUS && cpu_in(&run->scene, slot, row, col, ret_cpu));
}

static void draw_heat(
	const struct pagesets_view *v, struct rect area, const struct cpus_shape *shape)
{
	const struct scene *s = v->s;
	const unsigned cols = shape->cols, cell = shape->cell, a_row = cols * cell;
	int rows = area.rows - 1;

	for (unsigned r = 0; r * a_row < s->nr_cpus && (int)r < rows; r++) {
		int row = area.row + 1 + (int)r;
		int64_t sum = 0;
		char text[DRAW_TEXT];
		zl_format(text, sizeof(text), "%u", r * a_row);
		canvas_text(v->c, at(row, area.col + 1), ROLE_TEXT, "cpu");
		canvas_value(v->c, at_right(row, area.col + CPU_COL - 1, 5), ROLE_TEXT,
			VALUE_RUN_CPU, text);
		for (unsigned i = 0; i < cols && r * a_row + i * cell < s->nr_cpus; i++) {
			unsigned cpu = fullest(s, r * a_row + i * cell, cell);
			bool chosen = s->cpu >= r * a_row + i * cell &&
				      s->cpu < r * a_row + (i + 1) * cell;
			for (unsigned w = 0; w < shape->wide; w++) {
				canvas_put(v->c, row,
					area.col + CPU_COL + (int)(i * shape->wide + w),
					chosen ? ROLE_FOCUS : ROLE_USED, cpu_glyph(s, cpu));
			}
			for (unsigned k = 0; k < cell && r * a_row + i * cell + k < s->nr_cpus;
				k++) {
				sum += s->counts[r * a_row + i * cell + k];
			}
		}
		zl_format(text, sizeof(text), sum == 0 ? "." : "%N", (uint64_t)sum);
		canvas_value(v->c, at_right(row, area.col + area.cols - 1, 7), ROLE_TEXT,
			VALUE_RUN_PARKED, text);
	}
}

/* What the shades mean. */
static void draw_heat_legend(
	const struct pagesets_view *v, struct rect area, const struct cpus_shape *shape)
{
	const unsigned a_row = shape->cols * shape->cell > 0 ? shape->cols * shape->cell : 1;
	int row = area.row + 1 + (int)((v->s->nr_cpus + a_row - 1) / a_row);
	int col = area.cols - CPU_COL < LEGEND_COLS ? 1 : CPU_COL;
	struct pen pen = pen_at(v->c, row, area.col + col, area.col + area.cols);

	pen.role = ROLE_DIM;
	pen_fmt(&pen, VALUE_RUN_HIGH, ". empty  ░ under 1/4 of high  ▒ 1/2  ▓ 3/4  █ more");
	if (shape->cell > 1) {
		pen_fmt(&pen, VALUE_RUN_CPU, "  the fullest of %u CPUs", shape->cell);
	}
}

/* As many CPUs as fit in one row, by number. */
static void draw_cpu_figures(const struct pagesets_view *v, struct rect area, int step)
{
	const struct scene *s = v->s;
	char text[DRAW_TEXT];
	int row = area.row + 1;

	canvas_text(v->c, at(row, area.col + 1), ROLE_TEXT, "cpu");
	canvas_text(v->c, at(row + 1, area.col + 1), ROLE_TEXT, "count");
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		int end = area.col + CPU_COL + step * (int)i + step - CPU_STEP;
		enum role role = i == s->cpu ? ROLE_SELECT : ROLE_TEXT;
		zl_format(text, sizeof(text), "%u", i);
		canvas_value(v->c, at_right(row, end, step - 1), role, VALUE_RUN_CPU, text);
		zl_format(text, sizeof(text), s->counts[i] == 0 ? "." : "%d", s->counts[i]);
		canvas_value(v->c, at_right(row + 1, end, step - 1), role, VALUE_RUN_COUNT, text);
	}
}

void pagesets_draw_cpus(const struct pagesets_view *v, struct rect area)
{
	const struct cpus_shape shape = shape_of(v->s, area);

	pagesets_heading(v->c, area, "Pages on the lists of each CPU (c chooses)");
	if (shape.step > 0) {
		draw_cpu_figures(v, area, shape.step);
	} else {
		draw_heat(v, area, &shape);
		if (shape.legend) {
			draw_heat_legend(v, area, &shape);
		}
	}
}

/* ---- map ---- */

/* A block's letter where it is partly used, a shade by how full it is. */
void pagesets_draw_map(const struct pagesets_view *v, struct rect area)
{
	const struct scene *s = v->s;
	int cols = area.cols - MAP_COL - 2, rows = area.rows - 1;
	unsigned cells = cols > 0 && rows > 0 ? (unsigned)(cols * rows) : 0;
	unsigned join = cells > 0 ? (s->nr_blocks + cells - 1) / cells : 1;
	uint64_t each = s->block_step * (join > 0 ? join : 1);

	pagesets_heading(v->c, area,
		each <= 1 ? "Pageblocks, %N: U M R H C, lower case where free"
			  : "Pageblocks, %N, %N a cell: U M R H C, lower case where free",
		s->pageblocks, each);
	for (unsigned i = 0; join > 0 && i * join < s->nr_blocks && i < cells; i++) {
		const struct scene_block *b = &s->block[i * join];
		char letter = zl_migratetype_letter((enum zl_migratetype)b->type);
		int row = area.row + 1 + (int)i / cols;
		uint32_t ch = b->filled == 0 ? (uint32_t)(letter | 0x20) : (uint32_t)letter;
		canvas_put(v->c, row, area.col + MAP_COL + (int)i % cols,
			b->filled == 0 ? ROLE_DIM : pagesets_mt_role(b->type), ch);
		if (i % (unsigned)cols == 0) {
			char text[DRAW_TEXT];
			zl_format(text, sizeof(text), "%U", (uint64_t)i * each);
			canvas_value(v->c, at_right(row, area.col + MAP_COL - 1, MAP_COL - 2),
				ROLE_TEXT, VALUE_PAGEBLOCKS, text);
		}
	}
}

void pagesets_draw_slot(const struct pagesets_view *v, struct rect area, enum pagesets_slot slot)
{
	struct rect before = canvas_clip(v->c, area);

	switch (slot) {
	case SLOT_OPS:
		draw_ops(v, area);
		break;
	case SLOT_BUDDY:
		pagesets_draw_buddy(v, area);
		break;
	case SLOT_BLOCKS:
		pagesets_draw_map(v, area);
		break;
	case SLOT_CPUS:
		pagesets_draw_cpus(v, area);
		break;
	case SLOT_SETTINGS:
		pagesets_draw_settings(v, area);
		break;
	case SLOT_WAYS:
		pagesets_draw_ways(v, area);
		break;
	case SLOT_COUNT:
		break;
	}
	canvas_clip(v->c, before);
}
