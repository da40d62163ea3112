/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the answer of `compare`: totals of lanes, and what several seeds make of them. */
#include <string.h>

#include "commands.h"
#include "compare_report.h"
#include "table.h"
#include "zonelab/text.h"

#define VALUE_SIZE    32
#define INDENT	      2
#define WITH_RELATIVE 3	 /* so many lanes have room for it beside their values */
#define NAMES_WIDE    28 /* of all lanes together, in columns of numbers */

/* Names of lanes stand above columns of numbers unless they are too long for that. */
const char *compare_column_name(const struct compare_answer *a, unsigned i)
{
	size_t longest = 0;

	for (unsigned k = 0; k < a->c->nr_lanes; k++) {
		size_t n = strlen(a->c->lane[k].name);

		longest = n > longest ? n : longest;
	}
	return longest * a->c->nr_lanes > NAMES_WIDE ? lane_letter(i) : a->c->lane[i].name;
}

/* ---- totals ---- */

/* What a table of totals has beside each lane's value. */
enum beside { BESIDE_NOTHING, BESIDE_RELATIVE, BESIDE_BOTH, BESIDE_RELATIVE_ALONE };

/* Columns: name, then for each lane value, difference to the first and relative to it. */
struct total_columns {
	enum beside beside;
	struct column column[1 + COMPARE_LANES * 3];
	char title[COMPARE_LANES][2][40];
	size_t n;
};

static void make_columns(
	const struct compare_answer *a, enum beside beside, struct total_columns *tc)
{
	const char *first = compare_column_name(a, 0);

	tc->n = 0;
	tc->beside = beside;
	tc->column[tc->n++] = (struct column){"total", "", false};
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		const char *name = compare_column_name(a, i);

		if (beside != BESIDE_RELATIVE_ALONE) {
			tc->column[tc->n++] = (struct column){name, name, true};
		}
		zl_format(tc->title[i][0], sizeof(tc->title[i][0]), "%s - %s", name, first);
		zl_format(tc->title[i][1], sizeof(tc->title[i][1]), "%s to %s", name, first);
		if (i > 0 && beside == BESIDE_BOTH) {
			tc->column[tc->n++] =
				(struct column){tc->title[i][0], tc->title[i][0], true};
		}
		if (i > 0 && beside != BESIDE_NOTHING) {
			tc->column[tc->n++] =
				(struct column){tc->title[i][1], tc->title[i][1], true};
		}
	}
}

static void value_cell(enum compare_form form, int64_t v, struct table *t)
{
	char text[VALUE_SIZE];

	if (t->out->format == FORMAT_CSV) {
		compare_value_csv(v, text, sizeof(text));
	} else {
		compare_value(form, v, text, sizeof(text));
	}
	table_text(t, text);
}

static void difference_cell(enum compare_form form, int64_t base, int64_t v, struct table *t)
{
	bool known = base != COMPARE_NEVER && v != COMPARE_NEVER;
	char text[VALUE_SIZE] = "";

	if (t->out->format != FORMAT_CSV) {
		compare_difference(form, base, v, text, sizeof(text));
	} else if (known) {
		zl_format(text, sizeof(text), "%D", v - base);
	}
	table_text(t, text);
}

static void total_row(const struct compare_total *r, unsigned lanes, const struct total_columns *tc,
	struct table *t)
{
	char text[VALUE_SIZE];

	table_text(t, r->name);
	for (unsigned i = 0; i < lanes; i++) {
		if (tc->beside != BESIDE_RELATIVE_ALONE) {
			value_cell(r->form, r->value[i], t);
		}
		if (i > 0 && tc->beside == BESIDE_BOTH) {
			difference_cell(r->form, r->value[0], r->value[i], t);
		}
		if (i > 0 && tc->beside != BESIDE_NOTHING) {
			compare_relative(r->value[0], r->value[i], text, sizeof(text));
			table_text(t, r->form == COMPARE_PERMILLE ? "" : text);
		}
	}
}

static void totals_table(const struct compare_answer *a, const struct compare_total *r, size_t n,
	enum beside beside, struct output *out)
{
	struct total_columns tc;
	struct table t;
	bool any = out->format == FORMAT_CSV;

	for (size_t i = 0; i < n; i++) {
		any = any || !r[i].same;
	}
	if (!any) {
		return;
	}
	make_columns(a, beside, &tc);
	table_init(&t, out, NULL, tc.column, tc.n);
	for (size_t i = 0; i < n; i++) {
		bool shown = !r[i].same &&
			     (beside != BESIDE_RELATIVE_ALONE || r[i].form != COMPARE_PERMILLE);

		if (shown || out->format == FORMAT_CSV) {
			total_row(&r[i], a->c->nr_lanes, &tc, &t);
		}
	}
	table_print(&t);
}

/* Equal totals in one line; those that are 0 everywhere are left out. */
static void print_same(const struct compare_total *r, size_t n, struct output *out)
{
	struct zl_buf b = {0};
	bool first = true;
	char value[VALUE_SIZE];

	for (size_t i = 0; i < n; i++) {
		if (r[i].same && r[i].value[0] != 0) {
			compare_value(r[i].form, r[i].value[0], value, sizeof(value));
			zl_buf_fmt(&b, "%s%s %s", first ? "" : ", ", r[i].name, value);
			first = false;
		}
	}
	if (!first) {
		zl_buf_str(&out->text, "same in all:");
		output_wrap(out, INDENT, zl_buf_text(&b));
	}
	zl_buf_done_in(&b, &out->text);
}

void compare_print_totals(const struct compare_answer *a, struct output *out)
{
	struct compare_total r[COMPARE_TOTALS];
	size_t n = comparison_totals(a->c, r);
	bool estimate = false;

	if (out->format == FORMAT_CSV) {
		totals_table(a, r, n, BESIDE_BOTH, out);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		estimate = estimate || (r[i].estimate && !r[i].same);
	}
	if (a->c->nr_lanes <= WITH_RELATIVE) {
		totals_table(a, r, n, a->c->nr_lanes == 2 ? BESIDE_BOTH : BESIDE_RELATIVE, out);
	} else {
		totals_table(a, r, n, BESIDE_NOTHING, out);
		zl_buf_chr(&out->text, '\n');
		totals_table(a, r, n, BESIDE_RELATIVE_ALONE, out);
	}
	print_same(r, n, out);
	if (estimate) {
		output_wrap(out, 0,
			"relative_throughput (the first lane is 100 %), time_lost, lock_held, "
			"contended, hold_ns and wait_ns are the model's estimate, no measurement.");
	}
}

/* ---- several seeds ---- */

static void spread_rows(
	const struct compare_answer *a, const struct compare_total *r, size_t row, struct table *t)
{
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		const struct compare_spread *s = &a->seeds->spread[row * COMPARE_LANES + i];
		const struct compare_spread *s0 = &a->seeds->spread[row * COMPARE_LANES];
		bool plain = t->out->format == FORMAT_CSV;
		const int64_t v[] = {s->median, s->least, s->most};
		char text[VALUE_SIZE];

		table_text(t, i == 0 || plain ? r->name : "");
		table_text(t, a->c->lane[i].name);
		for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); k++) {
			value_cell(r->form, v[k], t);
		}
		if (i == 0) {
			table_text(t, "");
		} else {
			difference_cell(r->form, s0->median, s->median, t);
		}
		compare_relative(s0->median, s->median, text, sizeof(text));
		table_text(t, i == 0 || r->form == COMPARE_PERMILLE ? "" : text);
		table_text(t, i == 0			? ""
			      : s->median == s0->median ? "-"
			      : s->beyond		? "yes"
							: "no");
	}
}

static bool spread_same(const struct compare_answer *a, size_t row)
{
	const struct compare_spread *s = &a->seeds->spread[row * COMPARE_LANES];
	bool same = true;

	for (unsigned i = 1; i < a->c->nr_lanes; i++) {
		same = same && s[i].median == s->median && s[i].least == s->least &&
		       s[i].most == s->most;
	}
	return same;
}

void compare_print_spread(const struct compare_answer *a, struct output *out)
{
	static const struct column columns[] = {
		{"total",	  "",	      false},
		{"lane",	 "",		     false},
		{"median",	   "median",	     true },
		{"min",	"min",	       true },
		{"max",	"max",	       true },
		{"difference", "difference",    true },
		{"relative",   "relative",	 true },
		{"beyond",	   "beyond|spread", true },
	};
	struct compare_total r[COMPARE_TOTALS];
	size_t n = comparison_totals(a->c, r);
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	table_drop(&t, "difference", 2);
	table_drop(&t, "relative", 1);
	for (size_t i = 0; i < n; i++) {
		if (out->format == FORMAT_CSV || !spread_same(a, i)) {
			spread_rows(a, &r[i], i, &t);
		}
	}
	if (t.nr_cells == 0 && out->format != FORMAT_CSV) {
		zl_buf_done(&t.cells);
		zl_buf_str(
			&out->text, "All totals are the same in all lanes, whatever the seed.\n");
		return;
	}
	table_print(&t);
	if (out->format != FORMAT_CSV) {
		output_wrap(out, 0,
			"beyond spread: the medians are further apart than the values of either "
			"lane "
			"among themselves.");
	}
}
