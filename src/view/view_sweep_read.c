/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line chart says, in words: the present point, the cliff, the slope before it. */
#include "sweep_report.h"
#include "text_width.h"
#include "view_sweep.h"
#include "zonelab/text.h"

#define LABEL_COLS 15
#define TEXT_WIDTH 400

/* One curve: the only one, or that of the cursor. */
struct curve {
	const struct sweeps *s;
	const struct sweep_axis *a;
	size_t y;
};

static const struct sweep_value *at_x(const struct curve *k, size_t x)
{
	return sweeps_value(k->s, x, k->y);
}

static bool is_value(const struct curve *k, size_t x)
{
	return at_x(k, x)->state == SWEEP_VALUE;
}

/* "high_min 583: 46 frees" */
static void point_words(const struct curve *k, size_t x, struct zl_text *t)
{
	char name[SWEEP_WORD], value[SWEEP_WORD];

	sweep_axis_text(k->a, x, false, name, sizeof(name));
	sweep_value_text(at_x(k, x), value, sizeof(value));
	if (is_value(k, x)) {
		zl_text_fmt(t, "%s %s: %s %s", k->a->name, name, value, k->s->sweep->unit);
	} else {
		zl_text_fmt(t, "%s %s: %s", k->a->name, name,
			k->s->sweep->zero_is_never ? "never" : "no value");
	}
}

/* The first place where the curve begins or ends; SWEEPS_NONE = nowhere, or not known yet. */
static size_t find_cliff(const struct curve *k)
{
	for (size_t x = 0; x < k->a->n; x++) {
		if (at_x(k, x)->state == SWEEP_OPEN) {
			return SWEEPS_NONE;
		}
		if (x > 0 && is_value(k, x) != is_value(k, x - 1)) {
			return x;
		}
	}
	return SWEEPS_NONE;
}

static void cliff_words(const struct curve *k, size_t x, struct zl_text *t)
{
	point_words(k, x - 1, t);
	zl_text_str(t, "; then ");
	point_words(k, x, t);
}

/* From @from to @to the curve goes one way; how many steps of the axis one of the metric takes. */
static bool slope_words(const struct curve *k, size_t from, size_t to, struct zl_text *t)
{
	int64_t dx, dv = at_x(k, to)->value - at_x(k, from)->value;
	char a[SWEEP_WORD], b[SWEEP_WORD];

	if (k->a->word != NULL || to <= from + 1 || dv == 0) {
		return false;
	}
	for (size_t x = from; x < to; x++) {
		int64_t d = at_x(k, x + 1)->value - at_x(k, x)->value;

		if ((dv > 0 && d < 0) || (dv < 0 && d > 0)) {
			return false;
		}
	}
	dx = k->a->number[to] - k->a->number[from];
	sweep_axis_text(k->a, from, false, a, sizeof(a));
	sweep_axis_text(k->a, to, false, b, sizeof(b));
	zl_text_fmt(t, "%D to %D %s over %s %s to %s", at_x(k, from)->value, at_x(k, to)->value,
		k->s->sweep->unit, k->a->name, a, b);
	dv = dv < 0 ? -dv : dv;
	if (dx >= dv) {
		zl_text_fmt(t, ", one for each %D", (dx + dv / 2) / dv);
	}
	return true;
}

static int line(struct canvas *c, struct rect area, int row, const char *label, const char *text)
{
	if (row >= area.row + area.rows) {
		return row;
	}
	canvas_text(c, at(row, area.col + 2), ROLE_DIM, label);
	canvas_value(c, at_width(row, area.col + LABEL_COLS, area.cols - LABEL_COLS - 1), ROLE_TEXT,
		VALUE_POSITION, text);
	return row + 1;
}

void sweep_draw_read_off(const struct sweeps *s, struct canvas *c, struct rect area)
{
	struct curve k = {s, &s->sweep->axis[0], s->sweep->nr_axes == 2 ? s->at[1] : 0};
	size_t cliff = find_cliff(&k), last = cliff != SWEEPS_NONE ? cliff - 1 : k.a->n - 1;
	int row = area.row + 1;
	char text[TEXT_WIDTH];
	struct zl_text t;

	canvas_heading(c, rect(area.row, area.col, 1, area.cols), "Read off");
	if (s->present[0] != SWEEPS_NONE) {
		zl_text_init(&t, text, sizeof(text));
		point_words(&k, s->present[0], &t);
		row = line(c, area, row, s->exact[0] ? "present" : "near present", text);
	}
	if (cliff != SWEEPS_NONE) {
		zl_text_init(&t, text, sizeof(text));
		cliff_words(&k, cliff, &t);
		row = line(c, area, row, "cliff", text);
	}
	zl_text_init(&t, text, sizeof(text));
	if (at_x(&k, k.a->n - 1)->state != SWEEP_OPEN && is_value(&k, 0) &&
		slope_words(&k, 0, last, &t)) {
		(void)line(c, area, row, "slope", text);
	}
}
