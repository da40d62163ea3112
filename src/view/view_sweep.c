/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Sweep screen: heat map or lines, the point under the cursor with its neighbours, counts.
 */
#include "view_sweep.h"

#include <string.h>

#include "learn.h"
#include "sweep_report.h"
#include "view_beside.h"
#include "zonelab/text.h"

#define FOOT_ROWS     6 /* blank, heading, point, neighbours, blank, counts */
#define TEXT_WIDTH    400
#define READ_OFF_FROM 30 /* rows of the body that leave room for words about a curve */

static int text_line(struct canvas *c, struct rect area, int row, enum role role, const char *text)
{
	if (row < area.row || row >= area.row + area.rows) {
		return row;
	}
	canvas_value(c, at_width(row, area.col + 2, area.cols - 3), role, VALUE_POSITION, text);
	return row + 1;
}

static void value_words(const struct sweeps *s, const struct sweep_value *v, char *buf, size_t size)
{
	char value[SWEEP_WORD];

	sweep_value_text(v, value, sizeof(value));
	switch (v->state) {
	case SWEEP_VALUE:
		zl_format(buf, size, "%s%s%s", value, s->sweep->unit[0] != '\0' ? " " : "",
			s->sweep->unit);
		break;
	case SWEEP_OPEN:
		zl_format(buf, size, "not computed yet");
		break;
	case SWEEP_NEVER:
		zl_format(buf, size, "never");
		break;
	case SWEEP_NONE:
		zl_format(buf, size, "no such value here");
		break;
	case SWEEP_REFUSED:
		zl_format(buf, size, "this machine cannot be built or run");
		break;
	case SWEEP_FAULT:
		zl_format(buf, size, "no memory");
		break;
	}
}

/* The points beside this one: "cpus 16: 64, 32: 37". */
static void neighbours(const struct sweeps *s, size_t axis, struct zl_text *t)
{
	const struct sweep_axis *a = &s->sweep->axis[axis];
	bool any = false;

	for (int by = -1; by <= 1; by += 2) {
		size_t at[2] = {s->at[0], s->at[1]};
		char name[SWEEP_WORD], value[64];

		if (by < 0 ? at[axis] == 0 : at[axis] + 1 >= a->n) {
			continue;
		}
		at[axis] += (size_t)by;
		sweep_axis_text(a, at[axis], false, name, sizeof(name));
		value_words(s, sweeps_value(s, at[0], at[1]), value, sizeof(value));
		if (any) {
			zl_text_fmt(t, ", %s: %s", name, value);
		} else {
			zl_text_fmt(t, "%s%s %s: %s", t->len > 0 ? "; " : "", a->name, name, value);
		}
		any = true;
	}
}

static bool at_present(const struct sweeps *s)
{
	bool yes = true;

	for (size_t i = 0; i < s->sweep->nr_axes; i++) {
		yes = yes && s->exact[i] && s->present[i] == s->at[i];
	}
	return yes;
}

static void draw_foot(const struct app *app, struct canvas *c, struct rect area)
{
	const struct sweeps *s = app->sweeps;
	char words[TEXT_WIDTH], text[TEXT_WIDTH], value[100];
	int row = area.row;
	struct zl_text t;

	sweeps_words(s, words, sizeof(words));
	zl_format(text, sizeof(text), "Point  %s%s", words,
		at_present(s) ? "  (present setting)" : "");
	canvas_heading(c, rect(row, area.col, 1, area.cols), text);
	canvas_tag(c, rect(row, area.col, 1, area.cols), VALUE_POSITION);
	value_words(s, sweeps_value(s, s->at[0], s->at[1]), value, sizeof(value));
	zl_format(text, sizeof(text), "%s: %s", s->sweep->metric, value);
	row = text_line(c, area, row + 1, ROLE_TEXT, text);
	zl_text_init(&t, text, sizeof(text));
	for (size_t i = 0; i < s->sweep->nr_axes && i < 2; i++) {
		neighbours(s, i, &t);
	}
	row = text_line(c, area, row, ROLE_TEXT, text);
	sweeps_counts(s, text, sizeof(text));
	if (s->stopped) {
		zl_text_init(&t, words, sizeof(words));
		zl_text_fmt(&t, "%s · stopped", text);
		zl_format(text, sizeof(text), "%s", words);
	}
	(void)text_line(c, area, row + 1, ROLE_DIM, text);
}

static void heading(const struct app *app, char *buf, size_t size)
{
	const struct value_in in = app_values(app);
	const struct sweep *w = app->sweeps->sweep;
	char kernel[ZL_SETTING_TEXT];
	struct zl_text t;

	value_text(&in, VALUE_SETTING_BASE + ZL_SET_KERNEL, kernel, sizeof(kernel));
	zl_text_init(&t, buf, size);
	/* In words where the totals have some; the point below has the metric's own name. */
	const char *label = beside_total_label(w->metric);
	const char *unit = label == w->metric ? w->unit : "";
	zl_text_fmt(&t, "%s%s%s: %s on %s, ", label, unit[0] != '\0' ? ", " : "", unit,
		w->target_name, kernel);
	for (size_t i = 0; i < w->nr_axes; i++) {
		zl_text_fmt(&t, "%s%s", i > 0 ? " x " : "", w->axis[i].name);
	}
	if (strncmp(w->metric, "estimate.", strlen("estimate.")) == 0) {
		zl_text_str(&t, " · model estimate");
	}
}

static void draw(const struct app *app, struct canvas *c, const struct layout *l)
{
	const struct sweeps *s = app->sweeps;
	struct rect before = canvas_clip(c, l->body);
	struct rect body = l->body, top, foot;
	char text[TEXT_WIDTH];

	if (s == NULL) {
		canvas_clip(c, before);
		return;
	}
	heading(app, text, sizeof(text));
	canvas_heading(c, rect(body.row, body.col, 1, body.cols), text);
	canvas_tag(c, rect(body.row, body.col, 1, body.cols), VALUE_POSITION);
	top = rect(body.row + 1, body.col, body.rows - 1 - FOOT_ROWS, body.cols);
	if (s->sweep->nr_axes == 2 && !s->lines) {
		/* Cells take the rows they need: axis names, values, shades. */
		int need = (int)s->sweep->axis[1].n + 5 + (s->limits.columns ? 3 : 0);

		top.rows = need < top.rows ? need : top.rows;
		sweep_draw_cells(app, c, top);
	} else if (body.rows >= READ_OFF_FROM && !learn_pending(app)) {
		top.rows -= SWEEP_READ_ROWS;
		sweep_draw_lines(app, c, top);
		foot = rect(top.row + top.rows, body.col, SWEEP_READ_ROWS, body.cols);
		sweep_draw_read_off(s, c, foot);
		top.rows += SWEEP_READ_ROWS;
	} else {
		sweep_draw_lines(app, c, top);
	}
	foot = rect(top.row + top.rows, body.col, FOOT_ROWS, body.cols);
	draw_foot(app, c, foot);
	canvas_clip(c, before);
}

static void hint(const struct app *app, struct canvas *c, struct rect row)
{
	const struct sweeps *s = app->sweeps;
	char text[TEXT_WIDTH];

	if (learn_pending(app)) {
		zl_format(text, sizeof(text), "%s",
			"Points are worked out once you have answered · 6 goes to the question");
	} else if (sweeps_busy(app)) {
		zl_format(text, sizeof(text), "Computing, %N of %N points · Ctrl-C stops",
			s->part.have, s->sweep->points);
	} else {
		zl_format(text, sizeof(text),
			"Enter opens this point as a lane · :export FILE writes CSV, JSON or SVG");
	}
	canvas_value(c, at(row.row, row.col + 1), ROLE_TEXT, VALUE_POSITION, text);
}

static struct rect slot(const struct app *app, const struct layout *l)
{
	(void)app;
	return rect(l->body.row + l->body.rows / 2, l->body.col, l->body.rows / 2, l->body.cols);
}

void sweep_plain(const struct app *app, bool panel_only, struct zl_buf *ret)
{
	const struct sweeps *s = app->sweeps;
	char text[TEXT_WIDTH];

	(void)panel_only;
	if (s == NULL) {
		return;
	}
	zl_buf_fmt(ret, "metric: %s\ntarget: %s\n", s->sweep->metric, s->sweep->target_name);
	sweeps_words(s, text, sizeof(text));
	zl_buf_fmt(ret, "point: %s\n", text);
	value_words(s, sweeps_value(s, s->at[0], s->at[1]), text, sizeof(text));
	zl_buf_fmt(ret, "value: %s\n", text);
	sweeps_counts(s, text, sizeof(text));
	/* "84 of 84 points · 46 never · seed 1" */
	for (char *dot = strstr(text, " · "); dot != NULL; dot = strstr(text, " · ")) {
		memmove(dot + 1, dot + 3, strlen(dot + 3) + 1);
		dot[0] = ',';
	}
	zl_buf_fmt(ret, "counts: %s\n", text);
	for (uint64_t i = 0; i < s->sweep->points; i++) {
		char value[100];

		if (s->part.value[i].state == SWEEP_OPEN) {
			continue;
		}
		sweep_point_text(s->sweep, i, text, sizeof(text));
		value_words(s, &s->part.value[i], value, sizeof(value));
		zl_buf_fmt(ret, "%s: ", text);
		zl_buf_fmt(ret, "%s\n", value);
	}
}

const struct view_ops view_sweep = {
	.screen = SCREEN_SWEEP,
	.name = "Sweep",
	.keys = KEYMAP_SWEEP,
	.draw = draw,
	.hint = hint,
	.slot = slot,
	.plain = sweep_plain,
};
