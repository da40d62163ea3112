/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare: totals with the equal ones folded, the kernel axis, curves and where lanes differ.
 */
#include <string.h>

#include "lanes.h"
#include "learn.h"
#include "text_width.h"
#include "view_beside.h"
#include "zonelab/text.h"

/* ---- totals ---- */

/* Names as the screen writes them, the most telling first; others keep the metric's. */
static const struct {
	const char *name, *label;
} labels[] = {
	{"free_high",	      "flushes (free_high)"	   },
	{"bulk_calls",	       "bulk-free calls"		},
	{"zone_locks",	       "zone-lock takes"		},
	{"longest_hold_pages",  "longest hold, pages"	    },
	{"relative_throughput", "relative throughput, est."},
	{"pages_drained",	  "pages drained"		 },
	{"refills",		    "refills"		     },
	{"blocks_refilled",	    "blocks refilled"	     },
	{"direct_buddy",	 "straight to the buddy"	},
	{"failed",		   "failed"		   },
	{"zone.free",	      "buddy after, free"	 },
	{"zone.parked",		"pcp after, pages"	  },
	{"first_free_high",	    "first flush, of the frees"},
	{"time_lost",	      "time lost, estimate"	   },
	{"lock_held",	      "zone lock held, estimate" },
	{"contended",	      "contended, estimate"	   },
	{"hold_ns.avg",		"hold in ns, average, est."},
	{"hold_ns.max",		"hold in ns, longest, est."},
	{"wait_ns.avg",		"wait in ns, average, est."},
	{"wait_ns.max",		"wait in ns, longest, est."},
};
#define NR_LABELS (sizeof(labels) / sizeof(labels[0]))

const char *beside_total_label(const char *name)
{
	for (size_t i = 0; i < NR_LABELS; i++) {
		if (strcmp(labels[i].name, name) == 0) {
			return labels[i].label;
		}
	}
	return name;
}

/* Where the columns end. */
struct columns {
	int first, value, delta, relative; /* the first value's end, and widths */
};

static struct columns columns_of(const struct beside_view *v)
{
	struct columns c = {.first = v->l.wide ? 43 : 38,
		.value = v->l.wide ? 12 : 10,
		.delta = 10,
		.relative = v->l.wide ? 10 : 11};
	int others = (int)v->nr_lanes - 1;

	if (c.first + others * (c.value + c.delta + c.relative) > v->l.totals.cols - 1) {
		c.delta = 0;
	}
	return c;
}

/* The lanes of the table: the baseline, then the others that are shown. */
static unsigned order_of(const struct beside_view *v, unsigned ret[APP_LANES])
{
	unsigned n = 0;

	ret[n++] = v->b->base;
	for (unsigned i = 0; i < v->nr_lanes; i++) {
		if (v->lane[i] != v->b->base && n < v->nr_lanes) {
			ret[n++] = v->lane[i];
		}
	}
	return n;
}

static void put(const struct beside_view *v, int row, int end, const char *text)
{
	int width = text_width(text);

	canvas_value(
		v->c, at_right(row, v->l.totals.col + end, width), ROLE_TEXT, VALUE_LITERAL, text);
}

static void draw_head(const struct beside_view *v, const struct columns *c)
{
	struct rect r = v->l.totals;
	unsigned lane[APP_LANES], n = order_of(v, lane);
	int end = c->first;
	char text[32];

	pagesets_heading(v->c, r,
		v->cmp->complete ? "Totals of the whole run" : "Totals up to op %N", v->cmp->known);
	for (unsigned i = 0; i < n; i++) {
		zl_format(text, sizeof(text), "%c", 'A' + (int)v->b->lane[lane[i]]);
		end += i > 0 ? c->value : 0;
		canvas_value(v->c, at_right(r.row, r.col + end, 1), ROLE_HEADING, VALUE_KEY, text);
		if (i > 0) {
			end += c->delta + c->relative;
			zl_format(text, sizeof(text), "%c to %c", 'A' + (int)v->b->lane[lane[i]],
				'A' + (int)v->b->lane[lane[0]]);
			canvas_value(v->c, at_right(r.row, r.col + end, text_width(text)),
				ROLE_HEADING, VALUE_KEY, text);
		}
	}
}

static void draw_total(const struct beside_view *v, int row, const struct columns *c,
	const struct compare_total *t)
{
	unsigned lane[APP_LANES], n = order_of(v, lane);
	const bool hidden = learn_pending(v->app);
	int64_t base = t->value[lane[0]];
	int end = c->first;
	char text[32];

	canvas_value(v->c, at_width(row, v->l.totals.col + 1, c->first - 12), ROLE_TEXT,
		VALUE_LITERAL, beside_total_label(t->name));
	for (unsigned i = 0; i < n; i++) {
		int64_t value = t->value[lane[i]];
		end += i > 0 ? c->value : 0;
		compare_value(t->form, value, text, sizeof(text));
		put(v, row, end, hidden ? "?" : text);
		if (i == 0 || hidden) {
			end += i > 0 ? c->delta + c->relative : 0;
			continue;
		}
		if (c->delta > 0) {
			end += c->delta;
			compare_difference(t->form, base, value, text, sizeof(text));
			if (text_width(text) < c->delta) { /* else the relation says it alone */
				put(v, row, end, text);
			}
		}
		end += c->relative;
		(void)compare_relative(base, value, text, sizeof(text));
		put(v, row, end, text);
	}
}

/* "same in both: refills 138, pages drained 7680": those that are not nothing. */
static void draw_same(const struct beside_view *v, int row, int more)
{
	struct rect r = v->l.totals;
	size_t order[COMPARE_TOTALS], n = beside_totals_in_order(v->b, order);
	struct pen pen = pen_at(v->c, row, r.col + 1, r.col + r.cols - 1);
	char text[DRAW_TEXT], value[32];
	bool any = false;

	pen.role = ROLE_DIM;
	if (more > 0) {
		pen_fmt(&pen, VALUE_POSITION, "%d more differ; ", more);
	}
	for (size_t i = 0; i < n; i++) {
		const struct compare_total *t = &v->b->total[order[i]];
		if (!t->same || t->value[0] == 0) {
			continue;
		}
		(void)compare_value(t->form, t->value[0], value, sizeof(value));
		zl_format(text, sizeof(text), "%s%s %s",
			any		      ? ", "
			: v->b->nr_lanes == 2 ? "same in both: "
					      : "same in all: ",
			beside_total_label(t->name), value);
		if (pen.col + text_width(text) > pen.end) {
			break;
		}
		any = true;
		pen_fmt(&pen, VALUE_LITERAL, "%s", text);
	}
}

void beside_draw_totals(const struct beside_view *v)
{
	struct rect r = v->l.totals;
	struct rect before = canvas_clip(v->c, r);
	struct columns c = columns_of(v);
	size_t order[COMPARE_TOTALS], n = beside_totals_in_order(v->b, order);
	int row = r.row + 1, last = r.row + r.rows - 1;
	int left = beside_totals_differing(v->b);

	draw_head(v, &c);
	/* Which of them differ would tell as much as their figures. */
	const bool all = learn_pending(v->app);
	for (size_t i = 0; i < n && row < last; i++) {
		if (all || !v->b->total[order[i]].same) {
			draw_total(v, row++, &c, &v->b->total[order[i]]);
			left--;
		}
	}
	if (!all) {
		draw_same(v, row, left);
	}
	canvas_clip(v->c, before);
}

/* ---- kernel axis ---- */

/* One design on the axis: its first release, its name, and what it brought. */
struct stop {
	const char *release;
	enum zl_design_id design;
};

static unsigned stops_of(const struct axis *a, struct stop ret[AXIS_STEPS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < a->nr_steps; i++) {
		if (n == 0 || ret[n - 1].design != a->step[i].design) {
			ret[n++] = (struct stop){a->step[i].release, a->step[i].design};
		}
	}
	return n;
}

static const char *brought(enum zl_design_id d)
{
	static const char *const words[ZL_DESIGN_COUNT] = {[ZL_DESIGN_A] = "free_high",
		[ZL_DESIGN_B] = "auto-tuned high",
		[ZL_DESIGN_C] = "threshold",
		[ZL_DESIGN_D19] = "chunked drain",
		[ZL_DESIGN_D71] = "no pcp if SMP=n"};

	return d < ZL_DESIGN_COUNT && words[d] != NULL ? words[d] : "";
}

/* Column of the middle of a lane's stop: A+cap stands with A. */
static unsigned stop_of(const struct stop *stop, unsigned n, enum zl_design_id d)
{
	unsigned at = 0;

	for (unsigned i = 0; i < n; i++) {
		at = stop[i].design <= d ? i : at;
	}
	return at;
}

static void draw_line(const struct beside_view *v, int row, const struct stop *stop, unsigned n)
{
	struct rect r = v->l.axis;
	int cell = (r.cols - 2) / (int)n;

	for (unsigned i = 0; i < n; i++) {
		int col = r.col + 1 + (int)i * cell;
		const char *name = zl_design_name(stop[i].design);
		struct pen pen = pen_at(v->c, row, col, r.col + r.cols - 1);
		canvas_fill(
			v->c, at_width(row, col, i + 1 < n ? cell : cell / 2), ROLE_DIM, 0x2500);
		pen_fmt(&pen, VALUE_SETTING_BASE + ZL_SET_KERNEL, "%s ", stop[i].release);
		int middle = col + (cell + pen.col - col) / 2 - text_width(name) / 2;
		canvas_text(v->c, at(row, middle - 1), ROLE_TEXT, " ");
		pen.col = middle;
		pen_fmt(&pen, VALUE_SETTING_BASE + ZL_SET_KERNEL, "%s ", name);
		if (i > 0) {
			canvas_put(v->c, row, col - 1, ROLE_TEXT, ' ');
		}
	}
}

static void draw_marks(const struct beside_view *v, int row, const struct stop *stop, unsigned n)
{
	struct rect r = v->l.axis;
	int cell = (r.cols - 2) / (int)n;
	int taken[AXIS_STEPS] = {0};

	for (unsigned i = 0; i < v->b->nr_lanes; i++) {
		unsigned lane = v->b->lane[i];
		unsigned k = stop_of(stop, n, v->b->scene[i].config.switches.design);
		int col = r.col + 1 + (int)k * cell + cell / 2 + 2 * taken[k]++;
		canvas_put(v->c, row, col,
			v->app->active == lane ? ROLE_FOCUS : beside_lane_role(v, i), 'A' + lane);
	}
}

void beside_draw_axis(const struct beside_view *v)
{
	struct rect r = v->l.axis;
	struct stop stop[AXIS_STEPS];
	unsigned n = stops_of(&v->b->kernel, stop);

	if (r.rows < 3 || n == 0) {
		return;
	}
	int cell = (r.cols - 2) / (int)n;
	pagesets_heading(v->c, r,
		v->b->axis ? "Kernel axis: left and right slide lane %c, K ends it"
			   : "Kernel axis (K slides the focused lane)",
		'A' + (int)v->app->active);
	draw_line(v, r.row + 1, stop, n);
	for (unsigned i = 0; i < n && r.rows > 3; i++) {
		struct axis_change c;
		int col = r.col + 1 + (int)i * cell;
		if (!axis_design_change(stop[i].design, &c)) {
			continue;
		}
		canvas_text(v->c, at_width(r.row + 2, col, cell - 1), ROLE_TEXT,
			brought(stop[i].design));
		canvas_value(v->c, at_width(r.row + 3, col, cell - 1), ROLE_DIM, VALUE_LITERAL,
			c.commit);
	}
	draw_marks(v, r.row + r.rows - 1, stop, n);
}

/* ---- curves ---- */

static bool same_curve(const struct timeline_window *a, const struct timeline_window *b)
{
	for (unsigned i = 0; i < a->cells && i < b->cells; i++) {
		if (a->cell[i].count != b->cell[i].count) {
			return false;
		}
	}
	return a->cells == b->cells;
}

static void draw_curve(const struct beside_view *v, int row, unsigned lane, int32_t most)
{
	const struct timeline_window *w = &v->b->window[lane];
	uint64_t present = (v->cmp->at - w->from) >> w->zoom;
	const char letter[] = {(char)('A' + (char)v->b->lane[lane]), '\0'};

	canvas_text(v->c, at(row, 1), beside_lane_role(v, lane), letter);
	for (unsigned i = 0; i < lane; i++) {
		if (same_curve(&v->b->window[i], w)) {
			const char as[] = {'a', 's', ' ', (char)('A' + (char)v->b->lane[i]), '\0'};
			canvas_text(v->c, at(row, BESIDE_CELLS_COL), ROLE_DIM, as);
			return;
		}
	}
	for (unsigned i = 0; i < w->cells; i++) {
		enum role role = i > present	? ROLE_DIM
				 : i == present ? ROLE_FOCUS
						: beside_lane_role(v, lane);
		if (w->cell[i].count < 0) {
			canvas_put(v->c, row, BESIDE_CELLS_COL + (int)i, ROLE_DIM, '?');
			continue;
		}
		unsigned n = pagesets_column(w->cell[i].count, most);
		if (n > 0 || i == present) {
			canvas_put(v->c, row, BESIDE_CELLS_COL + (int)i, role, glyph_column(n));
		}
	}
}

/* Whether two lanes (or any, for @a == @b) differ on an op of a cell. */
static bool differs_in(const struct beside_view *v, unsigned cell, unsigned a, unsigned b)
{
	const struct timeline_window *w = &v->b->window[0];
	uint64_t from = w->from + ((uint64_t)cell << w->zoom);
	uint64_t to = from + (UINT64_C(1) << w->zoom);

	to = to <= v->cmp->known + 1 ? to : v->cmp->known + 1;
	if (to - 1 > learn_limit(v->app)) {
		return false;
	}
	for (uint64_t op = from > 0 ? from : 1; op < to; op++) {
		compare_pattern p = comparison_pattern(v->cmp, op);
		if (a == b ? p != 0 : compare_class(p, a) != compare_class(p, b)) {
			return true;
		}
	}
	return false;
}

static void draw_differ(const struct beside_view *v, int row, unsigned a, unsigned b)
{
	const struct timeline_window *w = &v->b->window[0];
	struct pen pen = pen_at(v->c, row, 1, BESIDE_CELLS_COL);

	if (a == b) {
		pen_fmt(&pen, VALUE_KEY, "differ");
	} else {
		pen_fmt(&pen, VALUE_KEY, "%c, %c", 'A' + (int)v->b->lane[a],
			'A' + (int)v->b->lane[b]);
	}
	for (unsigned i = 0; i < w->cells; i++) {
		if (differs_in(v, i, a, b)) {
			canvas_put(v->c, row, BESIDE_CELLS_COL + (int)i, ROLE_DIFFER, 'x');
		}
	}
}

void beside_draw_timeline(const struct beside_view *v)
{
	struct rect r = v->l.timeline;
	struct rect before = canvas_clip(v->c, r);
	const struct timeline_window *w = &v->b->window[0];
	int row = r.row, end = r.row + r.rows;
	int32_t most = 0;

	if (v->l.timeline_heading) {
		pagesets_heading(v->c, r, "Timeline: count of cpu %u, %N op%s per cell, from op %N",
			w->cpu, UINT64_C(1) << w->zoom, w->zoom > 0 ? "s" : "", w->from);
		row++;
	}
	for (unsigned i = 0; i < v->b->nr_lanes; i++) {
		for (unsigned k = 0; k < v->b->window[i].cells; k++) {
			int32_t n = v->b->window[i].cell[k].count;
			most = n > most ? n : most;
		}
	}
	for (unsigned i = 0; i < v->nr_lanes && row < end; i++) {
		draw_curve(v, row++, v->lane[i], most);
	}
	int rows_left = end - row;
	if (rows_left >= (int)v->b->nr_lanes - 1 && v->b->nr_lanes > 2) {
		for (unsigned i = 0; i + 1 < v->b->nr_lanes; i++) {
			draw_differ(v, row++, i, i + 1);
		}
	} else if (rows_left > 0) {
		draw_differ(v, row, 0, 0);
	}
	canvas_clip(v->c, before);
}
