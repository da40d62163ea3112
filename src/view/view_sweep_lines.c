/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line chart: one axis, or a line for each value of the second; lines differ by glyph. What has
 * no value stands in a row of its own.
 */

#include "sweep_report.h"
#include "text_width.h"
#include "view_sweep.h"
#include "zonelab/text.h"

#define LINES_MAX   6
#define LABEL_LEAST 4
#define TICK_ROWS   4
#define TICK_COLS   16

static const uint32_t line_glyph[LINES_MAX] = {'o', '=', '+', 'x', '*', '#'};

struct chart {
	const struct sweeps *s;
	struct canvas *c;
	struct rect plot; /* without axes and labels */
	int never;	  /* row of what has no value */
	int64_t max;
	size_t nx, ny;
};

static int col_of(const struct chart *k, size_t x)
{
	return k->plot.col +
	       (k->nx > 1 ? (int)(x * (size_t)(k->plot.cols - 1) / (k->nx - 1)) : k->plot.cols / 2);
}

static int row_of(const struct chart *k, int64_t v)
{
	int64_t up = k->max > 0 && v > 0 ? v * (k->plot.rows - 1) / k->max : 0;

	return k->plot.row + k->plot.rows - 1 - (int)up;
}

static void axes(const struct chart *k)
{
	const struct sweep_axis *a = &k->s->sweep->axis[0];
	int bottom = k->plot.row + k->plot.rows;
	char text[SWEEP_WORD];

	for (int row = k->plot.row; row < bottom; row++) {
		bool tick = (bottom - 1 - row) % TICK_ROWS == 0;

		canvas_put(k->c, row, k->plot.col - 1, ROLE_DIM, tick ? 0x2524 : 0x2502);
		if (tick && k->plot.rows > 1) {
			int64_t v = k->max * (bottom - 1 - row) / (k->plot.rows - 1);

			zl_format(text, sizeof(text), "%N", (uint64_t)(v > 0 ? v : 0));
			canvas_value(k->c, at_right(row, k->plot.col - 2, text_width(text)),
				ROLE_DIM, VALUE_POSITION, text);
		}
	}
	canvas_put(k->c, bottom, k->plot.col - 1, ROLE_DIM, 0x2514);
	canvas_fill(k->c, at_width(bottom, k->plot.col, k->plot.cols), ROLE_DIM, 0x2500);
	for (int col = 0; col < k->plot.cols; col += TICK_COLS) {
		size_t x = k->nx > 1 ? (size_t)col * (k->nx - 1) / (size_t)(k->plot.cols - 1) : 0;

		sweep_axis_text(a, x, false, text, sizeof(text));
		canvas_put(k->c, bottom, k->plot.col + col, ROLE_DIM, 0x252c);
		canvas_value(k->c, at_width(bottom + 1, k->plot.col + col, TICK_COLS - 1), ROLE_DIM,
			VALUE_POSITION, text);
	}
}

static void point(const struct chart *k, size_t x, size_t y)
{
	const struct sweep_value *v = sweeps_value(k->s, x, y);
	bool here = x == k->s->at[0] && y == k->s->at[1];
	bool present = x == k->s->present[0] && (k->ny == 1 || y == k->s->present[1]);
	uint32_t glyph = present ? 'A' : line_glyph[y % LINES_MAX];
	enum role role = here ? ROLE_FOCUS : (enum role)(ROLE_LANE_A + y % 4);

	if (v->state == SWEEP_OPEN) {
		if (here) {
			canvas_put(k->c, k->never, col_of(k, x), role, '?');
		}
		return;
	}
	if (v->state != SWEEP_VALUE) {
		canvas_put(k->c, k->never, col_of(k, x), role, '-');
		return;
	}
	canvas_put(k->c, row_of(k, v->value), col_of(k, x), role, glyph);
}

static void legend(const struct chart *k, struct rect area)
{
	const struct sweep *w = k->s->sweep;
	int row = area.row + area.rows - 1;
	int col = area.col + 2;
	char text[SWEEP_WORD + 80], value[SWEEP_WORD];

	for (size_t y = 0; k->ny > 1 && y < k->ny; y++) {
		sweep_axis_text(&w->axis[1], y, false, value, sizeof(value));
		zl_format(text, sizeof(text), "%s %s", w->axis[1].name, value);
		canvas_put(k->c, row, col, (enum role)(ROLE_LANE_A + y % 4),
			line_glyph[y % LINES_MAX]);
		col = canvas_value(k->c, at(row, col + 2), ROLE_DIM, VALUE_POSITION, text) + 3;
	}
	zl_format(text, sizeof(text), "%s across   A present setting   - %s", w->axis[0].name,
		w->zero_is_never ? "never" : "no value");
	canvas_value(k->c, at(row, col), ROLE_DIM, VALUE_POSITION, text);
}

void sweep_draw_lines(const struct app *app, struct canvas *c, struct rect area)
{
	const struct sweeps *s = app->sweeps;
	struct sweep_shown shown = {s->sweep, s->part.value, true};
	struct chart k = {.s = s, .c = c, .nx = s->sweep->axis[0].n};
	int64_t min = 0;
	char text[SWEEP_WORD];
	int label;

	k.ny = s->sweep->nr_axes == 2 ? s->sweep->axis[1].n : 1;
	(void)sweep_extent(&shown, &min, &k.max);
	zl_format(text, sizeof(text), "%N", (uint64_t)(k.max > 0 ? k.max : 0));
	label = text_width(text) > LABEL_LEAST ? text_width(text) : LABEL_LEAST;
	k.never = area.row;
	k.plot = rect(area.row + 1, area.col + label + 4, area.rows - 5, area.cols - label - 6);
	if (k.plot.rows < 2 || k.plot.cols < 2) {
		return;
	}
	axes(&k);
	for (size_t y = 0; y < k.ny; y++) {
		for (size_t x = 0; x < k.nx; x++) {
			point(&k, x, y);
		}
	}
	/* On top of what shares their cells. */
	if (s->present[0] != SWEEPS_NONE && (k.ny == 1 || s->present[1] != SWEEPS_NONE)) {
		point(&k, s->present[0], k.ny == 1 ? 0 : s->present[1]);
	}
	point(&k, s->at[0], s->at[1]);
	legend(&k, area);
}
