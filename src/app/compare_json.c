/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of `compare` as JSON. */
#include <string.h>

#include "compare_report.h"
#include "run_report.h"
#include "zonelab/text.h"

/* All totals of all lanes, asked for once. */
struct totals {
	struct compare_total row[COMPARE_TOTALS];
	size_t n;
};

/* What no run says alone: when it flushed first, and its estimate beside the first lane's. */
static void add_totals(const struct totals *t, unsigned lane, struct zl_json *o)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct compare_total *row = &t->row[i];

		if (strcmp(row->name, "first_free_high") == 0) {
			compare_value_json(o, row->name, row->value[lane]);
		} else if (strcmp(row->name, "relative_throughput") == 0) {
			zl_json_add_int(o, "throughput_to_first_permille", row->value[lane]);
		}
	}
}

static void add_lane(const struct compare_answer *a, const struct totals *totals, unsigned i,
	struct zl_json *list)
{
	const struct compare_lane *l = &a->c->lane[i];
	struct zl_json *o = zl_json_push_object(list);
	struct zl_estimate_result estimate;
	struct run_report r = {
		.name = a->scenario, .kernel = l->kernel, .seed = a->seed, .diags = l->diags};
	char why[COMPARE_REASON];

	zl_json_add_string(o, "name", l->name);
	zl_json_add(o, "lane", lane_to_json(&a->spec[i]));
	comparison_result(a->c, i, &r.result);
	if (l->estimate != NULL) {
		zl_estimate_result(l->estimate, &estimate);
		r.estimate = &estimate;
		r.costs = l->costs;
	}
	run_report_members(&r, o);
	add_totals(totals, i, o);
	zl_json_add_bool(o, "free_high_reachable", compare_reachable(l, why));
	zl_json_add_u64(o, "ops_left_out", l->refused);
	if (l->refused > 0) {
		zl_json_add_u64(o, "first_left_out", l->first_refused);
		zl_json_add_string(o, "left_out_why", l->refused_why);
	}
}

/* A record as its trace line has it. */
static void add_record(struct zl_json *o, const char *key, const struct zl_record *r)
{
	struct zl_buf b = {0};

	zl_trace_record(ZL_TRACE_JSON, r, &b);
	zl_json_add_parsed(o, key, &b);
}

static void add_columns(
	const struct comparison *c, const struct compare_first *f, struct zl_json *o)
{
	struct zl_json *list = zl_json_add_array(o, "columns");
	uint32_t bits = 0;

	for (unsigned i = 1; i < c->nr_lanes; i++) {
		bits |= zl_outcome_differs(&f->record[0], &f->record[i]);
	}
	for (unsigned k = 0; k < ZL_OUTCOME_COLUMNS; k++) {
		if ((bits >> k & 1u) != 0) {
			zl_json_push_string(list, zl_outcome_name((enum zl_outcome_column)k));
		}
	}
}

static void add_why(const struct comparison *c, const struct compare_first *f, struct zl_json *o)
{
	struct compare_seen sa = {0};
	struct compare_seen sb = {0};
	char text[COMPARE_WHY];

	comparison_who(c, f->pattern, text, sizeof(text));
	zl_json_add_string(o, "differ", text);
	comparison_pair(c, f, &sa, &sb);
	comparison_why(c, sa, sb, text, sizeof(text));
	zl_json_add_string(o, "why", text);
}

static void add_first(const struct comparison *c, struct zl_json *o)
{
	static const char *const names[COMPARE_LANES] = {
		"record_a", "record_b", "record_c", "record_d"};

	if (c->nr_first == 0) {
		zl_json_add_null(o, "first_divergence");
		return;
	}
	struct zl_json *d = zl_json_add_object(o, "first_divergence");

	zl_json_add_u64(d, "op", c->first[0].op);
	add_why(c, &c->first[0], d);
	add_columns(c, &c->first[0], d);
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		add_record(d, names[i], &c->first[0].record[i]);
	}
}

static void add_divergences(const struct comparison *c, struct zl_json *o)
{
	struct zl_json *d = zl_json_add_object(o, "divergences");
	struct zl_json *list;
	char who[120];

	zl_json_add_u64(d, "ops", c->differ);
	zl_json_add_u64(d, "stretches", c->nr_stretches);
	list = zl_json_add_array(d, "first_stretches");
	for (uint64_t i = 0; i < c->nr_stretches && i < COMPARE_STRETCHES; i++) {
		struct zl_json *s = zl_json_push_object(list);

		comparison_who(c, c->stretch[i].pattern, who, sizeof(who));
		zl_json_add_u64(s, "from", c->stretch[i].op);
		zl_json_add_u64(s, "to", c->stretch[i].last);
		zl_json_add_string(s, "differ", who);
	}
}

static void add_seeds(const struct compare_answer *a, struct zl_json *o)
{
	struct compare_total t[COMPARE_TOTALS];
	size_t n = comparison_totals(a->c, t);
	struct zl_json *list = zl_json_add_array(o, "spread");

	for (size_t i = 0; i < n; i++) {
		struct zl_json *row = zl_json_push_object(list);
		struct zl_json *lanes;

		zl_json_add_string(row, "name", t[i].name);
		lanes = zl_json_add_array(row, "lanes");
		for (unsigned k = 0; k < a->c->nr_lanes; k++) {
			const struct compare_spread *s = &a->seeds->spread[i * COMPARE_LANES + k];
			struct zl_json *l = zl_json_push_object(lanes);

			zl_json_add_string(l, "name", a->c->lane[k].name);
			compare_value_json(l, "median", s->median);
			compare_value_json(l, "min", s->least);
			compare_value_json(l, "max", s->most);
			zl_json_add_bool(l, "beyond_spread", s->beyond);
		}
	}
}

void compare_json_divergence(const struct comparison *c, struct zl_json *o)
{
	add_first(c, o);
	add_divergences(c, o);
}

void compare_json(const struct compare_answer *a, struct output *out)
{
	struct zl_json *o = out->json;
	struct zl_json *lanes;
	struct totals totals;

	totals.n = comparison_totals(a->c, totals.row);
	zl_json_add_string(o, "scenario", a->scenario);
	zl_json_add_string(o, "seed", a->seed);
	zl_json_add_int(o, "seeds", a->seeds != NULL ? a->seeds->n : 1);
	zl_json_add_u64(o, "ops", a->c->known);
	zl_json_add_int(o, "cpus", a->c->cpus);
	zl_json_add_bool(o, "complete", a->c->complete && (a->seeds == NULL || !a->seeds->stopped));
	lanes = zl_json_add_array(o, "lanes");
	for (unsigned i = 0; i < a->c->nr_lanes; i++) {
		add_lane(a, &totals, i, lanes);
	}
	compare_json_divergence(a->c, o);
	if (a->seeds != NULL) {
		add_seeds(a, o);
	}
	zl_json_add_string(o, "command", a->reproduce);
}
