/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `review`: text, mail, CSV and JSON. */
#include <string.h>

#include "commands.h"
#include "compare_report.h"
#include "review.h"
#include "table.h"
#include "zonelab/text.h"

#define INDENT 2
/* Pairs in the table of text; all are in CSV and JSON. */
#define ROWS 12

static const struct column columns[] = {
	{"machine",		    "machine",      false},
	{"scenario",	     "scenario",	 false},
	{"ops",		 NULL,	      true },
	{"differ",		   NULL,		 true },
	{"throughput_before",   NULL,	    true },
	{"throughput_after",    NULL,	   true },
	{"throughput",	       "through-|put", true },
	{"zone_locks_before",   NULL,	    true },
	{"zone_locks_after",    NULL,	   true },
	{"zone_locks",	       "zone|locks",   true },
	{"free_high_before",    NULL,	   true },
	{"free_high_after",	    NULL,		  true },
	{"free_high",	      "free_high",	   true },
	{"longest_hold_before", NULL,	      true },
	{"longest_hold_after",  NULL,	     true },
	{"longest_hold",	 "hold",	 true },
};

/* "+4.2 %", "=" */
static void put_change(struct table *t, const struct review_cell *c, enum review_total total)
{
	char text[32];

	compare_relative(c->value[total][0], c->value[total][1], text, sizeof(text));
	table_text(t, text);
}

/* "8>10" in text */
static void put_pair(struct table *t, const struct review_cell *c, enum review_total total)
{
	int64_t before = c->value[total][0], after = c->value[total][1];
	char text[64];

	table_number(t, (uint64_t)before);
	table_number(t, (uint64_t)after);
	if (before == after) {
		zl_format(text, sizeof(text), "%D", before);
	} else {
		zl_format(text, sizeof(text), "%D>%D", before, after);
	}
	table_text(t, text);
}

static void put_row(struct table *t, const struct review_cell *c)
{
	table_text(t, c->machine);
	table_text(t, c->scenario);
	table_number(t, c->ops);
	table_number(t, c->differ);
	table_number(t, (uint64_t)c->value[REVIEW_THROUGHPUT][0]);
	table_number(t, (uint64_t)c->value[REVIEW_THROUGHPUT][1]);
	put_change(t, c, REVIEW_THROUGHPUT);
	table_number(t, (uint64_t)c->value[REVIEW_LOCKS][0]);
	table_number(t, (uint64_t)c->value[REVIEW_LOCKS][1]);
	put_change(t, c, REVIEW_LOCKS);
	put_pair(t, c, REVIEW_FREE_HIGH);
	put_pair(t, c, REVIEW_HOLD);
}

static void print_table(const struct review *r, size_t most, struct output *out)
{
	struct table t;

	table_init(&t, out, NULL, columns, sizeof(columns) / sizeof(columns[0]));
	table_drop(&t, "longest_hold", 1);
	for (size_t i = 0, n = 0; i < r->nr_cells && n < most; i++) {
		if (r->cell[i].ran && (r->cell[i].differ > 0 || out->format == FORMAT_CSV)) {
			put_row(&t, &r->cell[i]);
			n++;
		}
	}
	table_print(&t);
}

/* --- machines --- */

/* The pair of a machine with the largest effect in one direction; NULL if there is none. */
static const struct review_cell *largest(const struct review *r, const char *machine, int verdict)
{
	for (size_t i = 0; i < r->nr_cells; i++) {
		const struct review_cell *c = &r->cell[i];

		if (c->ran && strcmp(c->machine, machine) == 0 && review_verdict(c) == verdict) {
			return c;
		}
	}
	return NULL;
}

/* "throughput +4.2 % in iperf" */
static void say_largest(const struct review_cell *c, struct zl_text *t)
{
	enum review_total total =
		review_change(c, REVIEW_THROUGHPUT) != 0 ? REVIEW_THROUGHPUT : REVIEW_LOCKS;
	char text[32];

	compare_relative(c->value[total][0], c->value[total][1], text, sizeof(text));
	zl_text_fmt(t, "%s %s in %s", total == REVIEW_THROUGHPUT ? "throughput" : "zone locks",
		text, c->scenario);
}

/* The pair of a machine in which a total grows most; NULL if it grows nowhere. */
static const struct review_cell *grows_most(
	const struct review *r, const char *machine, enum review_total total)
{
	const struct review_cell *most = NULL;

	for (size_t i = 0; i < r->nr_cells; i++) {
		const struct review_cell *c = &r->cell[i];

		if (c->ran && strcmp(c->machine, machine) == 0 && review_change(c, total) > 0 &&
			(most == NULL || review_change(c, total) > review_change(most, total))) {
			most = c;
		}
	}
	return most;
}

/* What may be the price: longer holds, more memory parked. */
static void say_price(const struct review *r, const char *machine, struct zl_text *t)
{
	static const struct {
		enum review_total total;
		const char *words;
	} prices[] = {
		{REVIEW_HOLD,   "longest hold"	    },
		       {REVIEW_PARKED, "parked at the end"}
	   };

	for (size_t i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {
		const struct review_cell *c = grows_most(r, machine, prices[i].total);

		if (c != NULL) {
			zl_text_fmt(t, "; %s %N to %N pages in %s", prices[i].words,
				(uint64_t)c->value[prices[i].total][0],
				(uint64_t)c->value[prices[i].total][1], c->scenario);
		}
	}
}

static void say_machine(const struct review *r, const struct review_machine *m, struct zl_text *t)
{
	const struct review_cell *up = largest(r, m->name, 1), *down = largest(r, m->name, -1);

	zl_text_fmt(t, "%s%s%s%s: ", m->name, m->what[0] != '\0' ? " (" : "", m->what,
		m->what[0] != '\0' ? ")" : "");
	if (!m->figures_known) {
		zl_text_str(t, "not run");
		return;
	}
	if (up == NULL && down == NULL) {
		zl_text_str(t, "no difference of half a percent");
	}
	if (up != NULL) {
		zl_text_fmt(t, "helps in %u (", m->helps);
		say_largest(up, t);
		zl_text_str(t, ")");
	}
	if (down != NULL) {
		zl_text_fmt(t, "%shurts in %u (", up != NULL ? ", " : "", m->hurts);
		say_largest(down, t);
		zl_text_str(t, ")");
	}
	say_price(r, m->name, t);
}

static void print_machines(const struct review *r, struct output *out)
{
	char text[512];

	zl_buf_str(&out->text, "\nBy machine:\n");
	for (size_t i = 0; i < r->nr_machines; i++) {
		struct zl_text t;

		zl_text_init(&t, text, sizeof(text));
		say_machine(r, &r->machine[i], &t);
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
}

/* Machines on which free_high fires on one side only; false when there are none. */
static bool list_reachable(const struct review *r, bool before, bool after, char *buf, size_t size)
{
	struct zl_text t;
	unsigned n = 0;

	zl_text_init(&t, buf, size);
	for (size_t i = 0; i < r->nr_machines; i++) {
		const struct review_machine *m = &r->machine[i];

		if (m->stream_ran && (m->stream_flushes[0] > 0) == before &&
			(m->stream_flushes[1] > 0) == after) {
			zl_text_fmt(&t, "%s%s", n++ > 0 ? ", " : "", m->name);
		}
	}
	return n > 0;
}

static void print_reachable(const struct review *r, struct output *out)
{
	static const struct {
		bool before, after;
		const char *words;
	} kinds[] = {
		{true,  false, "no longer fires on"		  },
		{false, true,  "fires only after the patch on"    },
		{true,  true,  "fires before and after on"	},
		{false, false, "fires neither before nor after on"},
	};
	char list[400], text[500];
	bool any = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!list_reachable(r, kinds[i].before, kinds[i].after, list, sizeof(list))) {
			continue;
		}
		zl_buf_str(
			&out->text, any ? "" : "\nfree_high, in a stream of frees of order 3:\n");
		any = true;
		zl_format(text, sizeof(text), "%s %s", kinds[i].words, list);
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
}

static void put_figure(struct zl_text *t, enum review_figure f, int64_t v)
{
	if (f == REVIEW_CMA_ALIGNMENT) {
		zl_text_size(t, (uint64_t)v);
	} else {
		zl_text_grouped(t, (uint64_t)v);
	}
}

static void print_figures(const struct review *r, struct output *out)
{
	bool any = false;
	char text[512];

	for (size_t i = 0; i < r->nr_machines; i++) {
		const struct review_machine *m = &r->machine[i];
		struct zl_text t;
		unsigned n = 0;

		zl_text_init(&t, text, sizeof(text));
		zl_text_fmt(&t, "%s: ", m->name);
		for (unsigned f = 0; f < REVIEW_FIGURES && m->figures_known; f++) {
			if (m->figure[f][0] == m->figure[f][1]) {
				continue;
			}
			zl_text_fmt(&t, "%s%s ", n++ > 0 ? ", " : "",
				review_figure_name((enum review_figure)f));
			put_figure(&t, (enum review_figure)f, m->figure[f][0]);
			zl_text_str(&t, " to ");
			put_figure(&t, (enum review_figure)f, m->figure[f][1]);
		}
		if (n == 0) {
			continue;
		}
		zl_buf_str(&out->text, any ? "" : "\nFigures of machines that change:\n");
		any = true;
		zl_buf_pad(&out->text, INDENT);
		output_wrap(out, 2 * INDENT, text);
	}
}

/* --- the rest --- */

static const struct review_machine *machine_of(const struct review *r, const struct review_cell *c)
{
	for (size_t i = 0; i < r->nr_machines; i++) {
		if (strcmp(r->machine[i].name, c->machine) == 0) {
			return &r->machine[i];
		}
	}
	return &r->machine[0];
}

static void print_first(const struct review *r, struct output *out)
{
	const struct review_cell *c = &r->cell[0];
	char text[COMPARE_WHY + 200];

	zl_format(text, sizeof(text),
		"Largest effect: %s on %s. First divergence: op %N of %N, %s.", c->scenario,
		c->machine, c->first, c->ops, c->first_op);
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, INDENT, text);
	zl_buf_pad(&out->text, INDENT);
	output_wrap(out, INDENT, c->first_why);
}

static void print_failed(const struct review *r, struct output *out)
{
	char text[400];

	if (r->nr_failed > 0) {
		zl_buf_str(&out->text, "\nNot run:\n");
	}
	for (size_t i = 0; i < r->nr_cells; i++) {
		const struct review_cell *c = &r->cell[i];

		if (!c->ran) {
			zl_format(text, sizeof(text), "%s on %s: %s", c->scenario, c->machine,
				c->why_not);
			zl_buf_pad(&out->text, INDENT);
			output_wrap(out, 2 * INDENT, text);
		}
	}
}

static void print_reproduce(const struct review_answer *a, struct output *out)
{
	const struct review_cell *c = &a->r->cell[0];
	struct zl_buf command = {0};
	char text[LANE_TEXT];

	zl_buf_str(&out->text, "\nAgain:\n");
	compare_wrap_command(a->reproduce, output_columns(out), &out->text);
	if (a->r->nr_differ > 0) {
		const struct review_machine *m = machine_of(a->r, c);

		zl_buf_str(&command, "zonelab compare");
		compare_word(&command, c->scenario);
		if (!a->r->whole) {
			compare_word(&command, "--short");
		}
		for (unsigned i = 0; i < 2; i++) {
			lane_format(&m->lanes[i], text, sizeof(text));
			compare_word(&command, "--lane");
			compare_word(&command, text);
		}
		zl_buf_str(&command, a->given);
		compare_wrap_command(zl_buf_text(&command), output_columns(out), &out->text);
	}
	out->text.failed = out->text.failed || command.failed;
	zl_buf_done(&command);
}

static void print_text(const struct review_answer *a, struct output *out)
{
	const struct review *r = a->r;
	uint64_t ran = r->nr_cells - r->nr_failed;
	char text[400];

	zl_buf_str(&out->text, "Review:");
	output_wrap(out, INDENT, patch_title(a->patch->p));
	patch_print_changes(a->patch, out);
	zl_format(text, sizeof(text),
		"%U scenario%s%s on %U machine%s: %U pair%s%s, %s%s, "
		"%U differ%s. Sorted by effect; throughput is the model's estimate for the ops "
		"alone, "
		"with little work between them, so that no benchmark moves as far; hold is the "
		"longest one in pages, before>after.",
		(uint64_t)r->nr_scenarios, r->nr_scenarios == 1 ? "" : "s",
		r->whole ? "" : " in short form", (uint64_t)r->nr_machines,
		r->nr_machines == 1 ? "" : "s", ran, ran == 1 ? "" : "s",
		r->stopped ? " (stopped)" : "",
		r->seed[0] != '\0' ? "seed " : "each scenario's own seed", r->seed,
		(uint64_t)r->nr_differ, r->nr_differ == 1 ? "s" : "");
	zl_buf_chr(&out->text, '\n');
	output_wrap(out, 0, text);
	if (r->nr_differ > 0) {
		zl_buf_chr(&out->text, '\n');
		print_table(r, ROWS, out);
		if (r->nr_differ > ROWS) {
			zl_buf_fmt(&out->text, "and %U more (--csv has all)\n",
				(uint64_t)(r->nr_differ - ROWS));
		}
		print_machines(r, out);
		print_first(r, out);
	}
	print_reachable(r, out);
	print_figures(r, out);
	print_failed(r, out);
	print_reproduce(a, out);
}

/* --- JSON --- */

static void json_pair(struct zl_json *o, const char *key, const int64_t v[2])
{
	struct zl_json *pair = zl_json_add_object(o, key);

	zl_json_add_int(pair, "before", v[0]);
	zl_json_add_int(pair, "after", v[1]);
}

static void json_cells(const struct review *r, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "pairs");

	for (size_t i = 0; i < r->nr_cells; i++) {
		const struct review_cell *c = &r->cell[i];
		struct zl_json *o = zl_json_push_object(list);

		zl_json_add_string(o, "machine", c->machine);
		zl_json_add_string(o, "scenario", c->scenario);
		if (!c->ran) {
			zl_json_add_string(o, "not_run", c->why_not);
			continue;
		}
		zl_json_add_int(o, "ops", (int64_t)c->ops);
		zl_json_add_int(o, "differ", (int64_t)c->differ);
		zl_json_add_int(o, "verdict", review_verdict(c));
		for (unsigned t = 0; t < REVIEW_TOTALS; t++) {
			json_pair(o, review_total_name((enum review_total)t), c->value[t]);
		}
		if (c->first > 0) {
			zl_json_add_int(o, "first_divergence", (int64_t)c->first);
			zl_json_add_string(o, "why", c->first_why);
		} else {
			zl_json_add_null(o, "first_divergence");
		}
	}
}

static void json_machines(const struct review *r, struct zl_json *root)
{
	struct zl_json *list = zl_json_add_array(root, "machines");

	for (size_t i = 0; i < r->nr_machines; i++) {
		const struct review_machine *m = &r->machine[i];
		struct zl_json *o = zl_json_push_object(list);
		struct zl_json *lanes = zl_json_add_array(o, "lanes");

		zl_json_add_string(o, "machine", m->name);
		for (unsigned k = 0; k < 2; k++) {
			zl_json_push(lanes, lane_to_json(&m->lanes[k]));
		}
		zl_json_add_int(o, "helps", m->helps);
		zl_json_add_int(o, "hurts", m->hurts);
		for (unsigned f = 0; f < REVIEW_FIGURES && m->figures_known; f++) {
			json_pair(o, review_figure_name((enum review_figure)f), m->figure[f]);
		}
		if (m->stream_ran) {
			struct zl_json *pair = zl_json_add_object(o, "free_high_fires");

			zl_json_add_bool(pair, "before", m->stream_flushes[0] > 0);
			zl_json_add_bool(pair, "after", m->stream_flushes[1] > 0);
		}
	}
}

static void print_json(const struct review_answer *a, struct output *out)
{
	struct zl_json *root = output_json(out, "review");

	zl_json_add_string(root, "title", patch_title(a->patch->p));
	zl_json_add_int(root, "modelled", (int64_t)a->patch->p->binding.nr_modelled);
	zl_json_add_int(root, "not_modelled", (int64_t)a->patch->p->binding.nr_unbound);
	zl_json_add_string(root, "kernel", a->patch->base.kernel);
	zl_json_add_bool(root, "complete", !a->r->stopped);
	zl_json_add_int(root, "differ", (int64_t)a->r->nr_differ);
	json_cells(a->r, root);
	json_machines(a->r, root);
}

void review_report(const struct review_answer *a, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		print_json(a, out);
	} else if (out->format == FORMAT_CSV) {
		print_table(a->r, a->r->nr_cells, out);
	} else {
		print_text(a, out);
	}
}
