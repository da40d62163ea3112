/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps as pictures: plain shapes and text, no scripts and nothing from elsewhere. */

#include "sweep_report.h"
#include "zonelab/text.h"

#define WIDTH	     900
#define HEIGHT	     520
#define LEFT	     110
#define RIGHT	     20
#define TOP	     50
#define BOTTOM	     70
#define PLOT_W	     (WIDTH - LEFT - RIGHT)
#define PLOT_H	     (HEIGHT - TOP - BOTTOM)
#define TICKS	     5
#define CELL_LEAST   28 /* pixels that a number in a cell needs */
#define SHADES	     4
#define CURVES_MAX   6
#define CURVE_POINTS 25 /* values across from which on cells have no room for numbers */

static void escaped(struct zl_buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		const char *as = *s == '<'   ? "&lt;"
				 : *s == '&' ? "&amp;"
				 : *s == '>' ? "&gt;"
					     : NULL;

		if (as != NULL) {
			zl_buf_str(b, as);
		} else {
			zl_buf_chr(b, *s);
		}
	}
}

static void text_at(struct zl_buf *b, int x, int y, const char *anchor, const char *s)
{
	zl_buf_fmt(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
	escaped(b, s);
	zl_buf_str(b, "</text>\n");
}

static void line(struct zl_buf *b, int x1, int y1, int x2, int y2)
{
	zl_buf_fmt(b, "<path d=\"M%d %dL%d %d\" stroke=\"#888\" fill=\"none\"/>\n", x1, y1, x2, y2);
}

static int x_of(size_t i, size_t n)
{
	return n > 1 ? LEFT + (int)((uint64_t)i * PLOT_W / (n - 1)) : LEFT + PLOT_W / 2;
}

static int y_of(int64_t v, int64_t max)
{
	return TOP + PLOT_H - (int)(max > 0 ? (double)v / (double)max * PLOT_H : 0);
}

static void axes(const struct sweep_shown *shown, int64_t max, struct zl_buf *b)
{
	const struct sweep_axis *a = &shown->sweep->axis[0];
	char text[SWEEP_WORD];
	size_t step = (a->n + TICKS) / (TICKS + 1);

	line(b, LEFT, TOP + PLOT_H, LEFT + PLOT_W, TOP + PLOT_H);
	line(b, LEFT, TOP, LEFT, TOP + PLOT_H);
	for (int i = 0; i <= TICKS; i++) {
		int64_t v = max / TICKS * i;

		zl_format(text, sizeof(text), "%N", (uint64_t)v);
		text_at(b, LEFT - 8, y_of(v, max) + 4, "end", text);
	}
	for (size_t i = 0; i<a->n; i += step> 0 ? step : 1) {
		sweep_axis_text(a, i, false, text, sizeof(text));
		text_at(b, x_of(i, a->n), TOP + PLOT_H + 20, "middle", text);
	}
	text_at(b, LEFT + PLOT_W / 2, HEIGHT - 20, "middle", a->name);
}

/* Colours of curves; dashes tell them apart without colour. */
static const struct {
	const char *colour, *dashes;
} strokes[CURVES_MAX] = {
	{"#0060a0", "none"	  },
	{"#b03020", "8 4"	 },
	{"#207040", "2 3"	 },
	{"#705090", "8 3 2 3"},
	{"#806000", "14 4"	  },
	{"#404040", "4 8"	 },
};

static const struct sweep_value *value_at(const struct sweep_shown *shown, size_t x, size_t y)
{
	const size_t at[2] = {x, y};

	return &shown->value[shown->sweep->nr_axes == 2 ? sweep_point_of(shown->sweep, at) : x];
}

/* A polyline; what has no value breaks it and is marked at the top. */
static void curve(const struct sweep_shown *shown, size_t y, int64_t max, struct zl_buf *b)
{
	size_t n = shown->sweep->axis[0].n;
	bool pen = false;

	zl_buf_fmt(b,
		"<path fill=\"none\" stroke=\"%s\" stroke-dasharray=\"%s\" stroke-width=\"2\" d=\"",
		strokes[y].colour, strokes[y].dashes);
	for (size_t x = 0; x < n; x++) {
		const struct sweep_value *v = value_at(shown, x, y);

		if (v->state == SWEEP_VALUE) {
			zl_buf_fmt(b, "%s%d %d", pen ? "L" : "M", x_of(x, n), y_of(v->value, max));
		}
		pen = v->state == SWEEP_VALUE;
	}
	zl_buf_str(b, "\"/>\n");
	for (size_t x = 0; x < n; x++) {
		const struct sweep_value *v = value_at(shown, x, y);

		if (v->state == SWEEP_VALUE) {
			zl_buf_fmt(b, "<circle cx=\"%d\" cy=\"%d\" r=\"2\" fill=\"%s\"/>\n",
				x_of(x, n), y_of(v->value, max), strokes[y].colour);
		} else if (v->state != SWEEP_OPEN) {
			text_at(b, x_of(x, n), TOP + 4, "middle", "-");
		}
	}
}

static void curve_names(const struct sweep_axis *a, struct zl_buf *b)
{
	char value[SWEEP_WORD], text[sizeof(a->name) + SWEEP_WORD + 2];

	for (size_t y = 0; y < a->n; y++) {
		int row = TOP + 24 + (int)y * 18;

		sweep_axis_text(a, y, false, value, sizeof(value));
		zl_format(text, sizeof(text), "%s %s", a->name, value);
		zl_buf_fmt(b,
			"<path d=\"M%d %dL%d %d\" stroke=\"%s\" stroke-dasharray=\"%s\" "
			"stroke-width=\"2\"/>\n",
			LEFT + 16, row - 4, LEFT + 56, row - 4, strokes[y].colour,
			strokes[y].dashes);
		text_at(b, LEFT + 64, row, "start", text);
	}
}

/* One axis, or few values of the second: a curve each. */
static void chart(const struct sweep_shown *shown, struct zl_buf *b)
{
	const struct sweep *s = shown->sweep;
	size_t curves = s->nr_axes == 2 ? s->axis[1].n : 1;
	int64_t min = 0, max = 0;

	(void)sweep_extent(shown, &min, &max);
	axes(shown, max, b);
	for (size_t y = 0; y < curves; y++) {
		curve(shown, y, max, b);
	}
	if (s->nr_axes == 2) {
		curve_names(&s->axis[1], b);
	}
}

/* Many values across and few of the second axis are curves; else cells. */
static bool as_curves(const struct sweep *s)
{
	return s->nr_axes == 1 || (s->axis[0].n >= CURVE_POINTS && s->axis[1].n <= CURVES_MAX);
}

/* Two axes: a cell each, shaded by value, with the number where there is room. */
static void cells(const struct sweep_shown *shown, struct zl_buf *b)
{
	static const char *const fill[SHADES] = {"#e8f1fa", "#b9d4ec", "#7fb0dc", "#3f86c4"};
	const struct sweep *s = shown->sweep;
	size_t nx = s->axis[0].n, ny = s->axis[1].n;
	int64_t min = 0, max = 0;
	char text[SWEEP_WORD];

	(void)sweep_extent(shown, &min, &max);
	for (uint64_t i = 0; i < s->points; i++) {
		size_t x = sweep_at(s, i, 0), y = ny - 1 - sweep_at(s, i, 1);
		int x0 = LEFT + (int)(x * PLOT_W / nx), x1 = LEFT + (int)((x + 1) * PLOT_W / nx);
		int y0 = TOP + (int)(y * PLOT_H / ny), y1 = TOP + (int)((y + 1) * PLOT_H / ny);
		const struct sweep_value *v = &shown->value[i];
		double share = max > min ? (double)(v->value - min) / (double)(max - min) : 0;
		bool has = v->state == SWEEP_VALUE;

		zl_buf_fmt(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
			x0, y0, x1 - x0, y1 - y0,
			has ? fill[(int)(share * (SHADES - 1) + 0.5)] : "#eeeeee");
		if (x1 - x0 >= CELL_LEAST) {
			sweep_value_text(v, text, sizeof(text));
			text_at(b, (x0 + x1) / 2, (y0 + y1) / 2 + 4, "middle", text);
		}
	}
	for (size_t x = 0; x < nx; x += (nx + TICKS) / (2 * TICKS) + (nx < TICKS)) {
		sweep_axis_text(&s->axis[0], x, false, text, sizeof(text));
		text_at(b, LEFT + (int)((2 * x + 1) * PLOT_W / nx / 2), TOP + PLOT_H + 20, "middle",
			text);
	}
	for (size_t y = 0; y < ny; y += (ny + 2 * TICKS) / (2 * TICKS)) {
		sweep_axis_text(&s->axis[1], y, false, text, sizeof(text));
		text_at(b, LEFT - 8, TOP + (int)((2 * (ny - 1 - y) + 1) * PLOT_H / ny / 2) + 4,
			"end", text);
	}
	text_at(b, LEFT + PLOT_W / 2, HEIGHT - 20, "middle", s->axis[0].name);
	text_at(b, LEFT, TOP - 10, "end", s->axis[1].name);
}

void sweep_svg(const struct sweep_shown *shown, struct zl_buf *ret)
{
	char title[400];

	sweep_title(shown->sweep, title, sizeof(title));
	zl_buf_fmt(ret,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n<title>",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	escaped(ret, title);
	zl_buf_fmt(ret, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH,
		HEIGHT);
	text_at(ret, WIDTH / 2, 24, "middle", title);
	if (as_curves(shown->sweep)) {
		chart(shown, ret);
	} else {
		cells(shown, ret);
	}
	zl_buf_str(ret, "</svg>\n");
}
