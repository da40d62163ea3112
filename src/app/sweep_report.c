/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_report.h"

#include <string.h>

#include "commands.h"
#include "table.h"
#include "zonelab/text.h"

#define GRID_COLUMNS_MAX (TABLE_COLUMNS_MAX - 1)
#define FLUSH_BYTES	 65536u

void sweep_value_text(const struct sweep_value *v, char *buf, size_t size)
{
	if (v->state == SWEEP_VALUE && v->value >= 0) {
		zl_format(buf, size, "%N", (uint64_t)v->value);
	} else if (v->state == SWEEP_VALUE) {
		zl_format(buf, size, "%D", v->value);
	} else {
		zl_format(buf, size, v->state == SWEEP_OPEN ? "?" : "-");
	}
}

bool sweep_extent(const struct sweep_shown *shown, int64_t *ret_min, int64_t *ret_max)
{
	bool any = false;

	for (uint64_t i = 0; i < shown->sweep->points; i++) {
		const struct sweep_value *v = &shown->value[i];

		if (v->state != SWEEP_VALUE) {
			continue;
		}
		*ret_min = !any || v->value < *ret_min ? v->value : *ret_min;
		*ret_max = !any || v->value > *ret_max ? v->value : *ret_max;
		any = true;
	}
	return any;
}

void sweep_title(const struct sweep *s, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	zl_text_fmt(&t, "%s%s%s%s of %s", s->metric, s->unit[0] != '\0' ? " (" : "", s->unit,
		s->unit[0] != '\0' ? ")" : "", s->target_name);
	for (size_t i = 0; i < s->nr_axes; i++) {
		zl_text_fmt(&t, "%s%s", i == 0 ? ", by " : " and ", s->axis[i].name);
	}
}

static uint64_t count_state(const struct sweep_shown *shown, enum sweep_state st)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < shown->sweep->points; i++) {
		n += shown->value[i].state == st;
	}
	return n;
}

static void foot(const struct sweep_shown *shown, struct zl_buf *b)
{
	static const struct {
		enum sweep_state state;
		const char *text;
	} notes[] = {
		{SWEEP_NEVER,   "never"				     },
		{SWEEP_NONE,    "without a value"			      },
		{SWEEP_REFUSED, "on machines that cannot be built or run"},
		{SWEEP_FAULT,   "failed"				      },
	};
	uint64_t open = count_state(shown, SWEEP_OPEN);

	zl_buf_fmt(b, "%N of %N points", shown->sweep->points - open, shown->sweep->points);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		uint64_t n = count_state(shown, notes[i].state);

		if (n > 0) {
			zl_buf_fmt(b, ", %N %s", n, notes[i].text);
		}
	}
	zl_buf_str(b, "\n");
}

/* Two axes: the first across, the second down. */
static void grid(const struct sweep_shown *shown, struct output *out)
{
	const struct sweep *s = shown->sweep;
	struct column column[TABLE_COLUMNS_MAX] = {
		{s->axis[1].name, s->axis[1].name, true}
	};
	char title[GRID_COLUMNS_MAX][SWEEP_WORD];
	char text[SWEEP_WORD];
	struct table t;

	for (size_t x = 0; x < s->axis[0].n; x++) {
		sweep_axis_text(&s->axis[0], x, false, title[x], sizeof(title[x]));
		column[x + 1] = (struct column){title[x], title[x], true};
	}
	zl_buf_fmt(&out->text, "%s across\n", s->axis[0].name);
	table_init(&t, out, NULL, column, s->axis[0].n + 1);
	for (size_t y = 0; y < s->axis[1].n; y++) {
		sweep_axis_text(&s->axis[1], y, false, text, sizeof(text));
		table_text(&t, text);
		for (size_t x = 0; x < s->axis[0].n; x++) {
			const size_t at[SWEEP_AXES_MAX] = {x, y};

			sweep_value_text(&shown->value[sweep_point_of(s, at)], text, sizeof(text));
			table_text(&t, text);
		}
	}
	table_print(&t);
}

/* A row for each point. */
static void list(const struct sweep_shown *shown, struct output *out)
{
	const struct sweep *s = shown->sweep;
	struct column column[SWEEP_AXES_MAX + 1];
	char text[SWEEP_WORD];
	struct table t;

	for (size_t i = 0; i < s->nr_axes; i++) {
		column[i] = (struct column){s->axis[i].name, s->axis[i].name, true};
	}
	column[s->nr_axes] = (struct column){s->metric, s->metric, true};
	table_init(&t, out, NULL, column, s->nr_axes + 1);
	for (uint64_t i = 0; i < s->points; i++) {
		for (size_t a = 0; a < s->nr_axes; a++) {
			sweep_axis_text(&s->axis[a], sweep_at(s, i, a), false, text, sizeof(text));
			table_text(&t, text);
		}
		sweep_value_text(&shown->value[i], text, sizeof(text));
		table_text(&t, text);
	}
	table_print(&t);
}

static bool is_estimate(const struct sweep *s)
{
	return strncmp(s->metric, "estimate.", strlen("estimate.")) == 0;
}

static void report_text(const struct sweep_shown *shown, struct output *out)
{
	const struct sweep *s = shown->sweep;
	char title[400];

	sweep_title(s, title, sizeof(title));
	zl_buf_fmt(&out->text, "%s%s\n", title, is_estimate(s) ? ": model estimate" : "");
	if (s->nr_axes == 2 && s->axis[0].n <= GRID_COLUMNS_MAX) {
		grid(shown, out);
	} else {
		list(shown, out);
	}
	foot(shown, &out->text);
}

static void csv_cell(struct zl_buf *b, const char *text)
{
	bool quote = strpbrk(text, ",\"\n") != NULL;

	zl_buf_str(b, quote ? "\"" : "");
	for (; *text != '\0'; text++) {
		zl_buf_str(b, *text == '"' ? "\"" : "");
		zl_buf_chr(b, *text);
	}
	zl_buf_str(b, quote ? "\"," : ",");
}

static void report_csv(const struct sweep_shown *shown, struct output *out)
{
	const struct sweep *s = shown->sweep;
	struct zl_buf b = {0};
	char text[SWEEP_WORD];
	int rc = 0;

	for (size_t i = 0; i < s->nr_axes; i++) {
		csv_cell(&b, s->axis[i].name);
	}
	csv_cell(&b, s->metric);
	zl_buf_str(&b, "state\n");
	for (uint64_t i = 0; rc == 0 && i < s->points; i++) {
		for (size_t a = 0; a < s->nr_axes; a++) {
			sweep_axis_text(&s->axis[a], sweep_at(s, i, a), true, text, sizeof(text));
			csv_cell(&b, text);
		}
		if (shown->value[i].state == SWEEP_VALUE) {
			zl_buf_fmt(&b, "%D", shown->value[i].value);
		}
		zl_buf_fmt(&b, ",%s\n", sweep_state_name(shown->value[i].state));
		if (b.len > FLUSH_BYTES || i + 1 == s->points) {
			rc = output_stream(out, b.data, b.len);
			zl_buf_clear(&b);
		}
	}
	if (b.failed) {
		out->text.failed = true;
	}
	zl_buf_done(&b);
}

static void report_json(const struct sweep_shown *shown, struct output *out)
{
	const struct sweep *s = shown->sweep;
	struct zl_json *o = output_json(out, "sweep");
	struct zl_json *rows;
	char text[SWEEP_WORD];

	zl_json_add_string(o, "target", s->target_name);
	zl_json_add_string(o, "metric", s->metric);
	zl_json_add_string(o, "unit", s->unit);
	if (is_estimate(s)) {
		zl_json_add_string(o, "label", "model estimate");
	}
	zl_json_add_bool(o, "complete", shown->complete);
	zl_json_add(o, "definition", sweep_definition(s));
	rows = zl_json_add_array(o, "points");
	for (uint64_t i = 0; i < s->points; i++) {
		struct zl_json *row = zl_json_push_object(rows);

		for (size_t a = 0; a < s->nr_axes; a++) {
			size_t at = sweep_at(s, i, a);

			sweep_axis_text(&s->axis[a], at, true, text, sizeof(text));
			if (s->axis[a].word != NULL) {
				zl_json_add_string(row, s->axis[a].name, text);
			} else {
				zl_json_add_int(row, s->axis[a].name, s->axis[a].number[at]);
			}
		}
		if (shown->value[i].state == SWEEP_VALUE) {
			zl_json_add_int(row, "value", shown->value[i].value);
		} else {
			zl_json_add_null(row, "value");
		}
		zl_json_add_string(row, "state", sweep_state_name(shown->value[i].state));
	}
}

void sweep_report(const struct sweep_shown *shown, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		report_json(shown, out);
	} else if (out->format == FORMAT_CSV) {
		report_csv(shown, out);
	} else {
		report_text(shown, out);
	}
}
