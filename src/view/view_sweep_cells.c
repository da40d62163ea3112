/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heat map: the first axis across, the second upwards; a shade repeats what the number says. */

#include "learn.h"
#include "sweep_report.h"
#include "text_width.h"
#include "view_sweep.h"
#include "zonelab/text.h"

#define SHADES	   4
#define LEAST_CELL 3
#define LABEL_COLS 13 /* "  threshold", "  6   4032" */
#define LIMIT_ROWS 3

static const uint32_t shade_glyph[SHADES] = {0x2591, 0x2592, 0x2593, 0x2588};

struct cells {
	const struct sweeps *s;
	struct canvas *c;
	struct rect area;
	int name_cols;	    /* of the second axis, and of labels of rows */
	int axis_cols;	    /* of the second axis alone */
	bool hidden;	    /* a prediction is pending */
	bool columns, rows; /* limits are shown below and beside the cells */
	int width;	    /* of a number */
	size_t first_x, nx, first_y, ny;
	int64_t from[SHADES], to[SHADES];
	unsigned used;
};

unsigned sweep_shade(int64_t v, const int64_t *to, unsigned used)
{
	unsigned i = 0;

	while (i + 1 < used && v > to[i]) {
		i++;
	}
	return i;
}

static int widest(const struct sweep_axis *a, bool all)
{
	char text[SWEEP_WORD];
	int width = 0;

	for (size_t i = 0; i < a->n && (all || i < 4096); i++) {
		sweep_axis_text(a, i, false, text, sizeof(text));
		width = text_width(text) > width ? text_width(text) : width;
	}
	return width;
}

/* Limits are shown where they leave all cells their room; a pending prediction hides them. */
static void show_limits(struct cells *m)
{
	const struct sweep *w = m->s->sweep;
	const struct sweeps_limits *l = &m->s->limits;
	int cells = (int)w->axis[0].n * (m->width + 2);

	if (m->hidden || m->axis_cols > LABEL_COLS - 6 || LABEL_COLS + cells > m->area.cols) {
		return;
	}
	m->rows = l->rows;
	m->columns = l->columns && m->area.rows >= (int)w->axis[1].n + 4 + LIMIT_ROWS;
	m->name_cols = m->rows || m->columns ? LABEL_COLS : m->name_cols;
}

static void measure(struct cells *m)
{
	const struct sweep *w = m->s->sweep;
	char text[SWEEP_WORD];
	size_t room;
	int rest;

	m->width = widest(&w->axis[0], true);
	m->width = m->width > LEAST_CELL ? m->width : LEAST_CELL;
	for (uint64_t i = 0; i < w->points; i++) {
		sweep_value_text(&m->s->part.value[i], text, sizeof(text));
		m->width = text_width(text) > m->width ? text_width(text) : m->width;
	}
	m->name_cols = widest(&w->axis[1], true);
	m->name_cols += 4;
	m->axis_cols = m->name_cols;
	show_limits(m);
	rest = 4 + (m->columns ? LIMIT_ROWS : 0);
	room = (size_t)(m->area.cols - m->name_cols) / (size_t)(m->width + 2);
	m->nx = room < w->axis[0].n ? room : w->axis[0].n;
	m->first_x = m->s->at[0] >= m->nx ? m->s->at[0] - m->nx + 1 : 0;
	room = m->area.rows > rest ? (size_t)(m->area.rows - rest) : 1;
	m->ny = room < w->axis[1].n ? room : w->axis[1].n;
	m->first_y = m->s->at[1] >= m->ny ? m->s->at[1] - m->ny + 1 : 0;
	m->used = sweeps_shades(m->s, m->from, m->to);
}

static void put(struct cells *m, int row, int col, enum role role, const char *text)
{
	canvas_value(m->c, at(row, col), role, VALUE_POSITION, text);
}

static void head(struct cells *m)
{
	const struct sweep *w = m->s->sweep;
	char text[2 * sizeof(w->axis[0].name) + 16];

	/* The second axis is named above its values, the first across. */
	zl_format(text, sizeof(text), "%s up, %s across", w->axis[1].name, w->axis[0].name);
	put(m, m->area.row, m->area.col + 2, ROLE_DIM, text);
	if (m->rows) {
		canvas_value(m->c, at_right(m->area.row + 1, m->area.col + m->name_cols - 1, 7),
			ROLE_DIM, VALUE_POSITION, "ceiling");
	}
	if (m->nx < w->axis[0].n) {
		zl_format(text, sizeof(text), "%u-%u of %u", (unsigned)m->first_x + 1,
			(unsigned)(m->first_x + m->nx), (unsigned)w->axis[0].n);
		put(m, m->area.row, m->area.col + m->area.cols - 1 - text_width(text), ROLE_DIM,
			text);
	}
	for (size_t x = 0; x < m->nx; x++) {
		int col = m->area.col + m->name_cols + (int)x * (m->width + 2);

		sweep_axis_text(&w->axis[0], m->first_x + x, false, text, sizeof(text));
		canvas_value(m->c, at_right(m->area.row + 1, col + 1 + m->width, m->width),
			m->first_x + x == m->s->at[0] ? ROLE_SELECT : ROLE_DIM, VALUE_POSITION,
			text);
	}
}

static void cell(struct cells *m, int row, int col, size_t x, size_t y)
{
	const struct sweep_value *v = sweeps_value(m->s, x, y);
	bool here = x == m->s->at[0] && y == m->s->at[1];
	bool present = x == m->s->present[0] && y == m->s->present[1];
	enum role role = here ? ROLE_FOCUS : present ? ROLE_SELECT : ROLE_TEXT;
	char text[SWEEP_WORD];

	sweep_value_text(v, text, sizeof(text));
	if (here) {
		canvas_blank(m->c, rect(row, col, 1, m->width + 2), role);
	}
	canvas_value(m->c, at_right(row, col + 1 + m->width, m->width), role, VALUE_POSITION, text);
	if (present) {
		canvas_put(m->c, row, col, role, '[');
		canvas_put(m->c, row, col + 1 + m->width, role, ']');
	} else if (v->state == SWEEP_VALUE && m->used > 0) {
		canvas_put(m->c, row, col, here ? role : ROLE_USED,
			shade_glyph[sweep_shade(v->value, m->to, m->used)]);
	}
}

static void number(struct cells *m, int row, int col, int width, int64_t v)
{
	char text[24];

	zl_format(text, sizeof(text), v >= 0 ? "%D" : "-", v);
	canvas_value(m->c, at_right(row, col, width), ROLE_DIM, VALUE_POSITION, text);
}

/* high_min and threshold below the cells. */
static void limit_rows(struct cells *m)
{
	int row = m->area.row + 3 + (int)m->ny;

	put(m, row, m->area.col + 2, ROLE_DIM, "high_min");
	put(m, row + 1, m->area.col + 2, ROLE_DIM, "threshold");
	for (size_t x = 0; x < m->nx; x++) {
		const struct sweep_limits *l = &m->s->limits.column[m->first_x + x];
		int col = m->area.col + m->name_cols + (int)x * (m->width + 2) + 1 + m->width;

		number(m, row, col, m->width + 2, l->high_min);
		number(m, row + 1, col, m->width + 2, l->threshold);
	}
}

static void rows(struct cells *m)
{
	const struct sweep_axis *a = &m->s->sweep->axis[1];
	char text[SWEEP_WORD];

	for (size_t i = 0; i < m->ny; i++) {
		size_t y = m->first_y + m->ny - 1 - i;
		int row = m->area.row + 2 + (int)i;

		sweep_axis_text(a, y, false, text, sizeof(text));
		if (m->rows) {
			number(m, row, m->area.col + m->name_cols - 1,
				m->name_cols - m->axis_cols - 1, m->s->limits.row[y].ceiling);
		}
		canvas_value(m->c, at_right(row, m->area.col + m->axis_cols - 1, m->axis_cols - 3),
			y == m->s->at[1] ? ROLE_SELECT : ROLE_DIM, VALUE_POSITION, text);
		for (size_t x = 0; x < m->nx; x++) {
			cell(m, row, m->area.col + m->name_cols + (int)x * (m->width + 2),
				m->first_x + x, y);
		}
	}
}

static void legend(struct cells *m)
{
	int row = m->area.row + 3 + (int)m->ny + (m->columns ? LIMIT_ROWS : 0);
	int col = m->area.col + 2;
	char text[80];

	if (row >= m->area.row + m->area.rows) {
		return;
	}
	for (unsigned i = 0; i < m->used; i++) {
		canvas_put(m->c, row, col, ROLE_USED, shade_glyph[i]);
		if (m->from[i] == m->to[i]) {
			zl_format(text, sizeof(text), "%D", m->from[i]);
		} else {
			zl_format(text, sizeof(text), "%D to %D", m->from[i], m->to[i]);
		}
		col = canvas_value(m->c, at(row, col + 2), ROLE_DIM, VALUE_POSITION, text) + 3;
	}
	put(m, row, col, ROLE_DIM,
		m->s->sweep->zero_is_never ? "- never   [ ] present" : "- no value   [ ] present");
}

void sweep_draw_cells(const struct app *app, struct canvas *c, struct rect area)
{
	struct cells m = {.s = app->sweeps, .c = c, .area = area, .hidden = learn_pending(app)};

	measure(&m);
	head(&m);
	rows(&m);
	if (m.columns) {
		limit_rows(&m);
	}
	legend(&m);
}
