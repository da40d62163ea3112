/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `estimate`: lanes of a scenario in virtual time beside each other and beside what was published,
 * and how the scores follow the constants.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "estimate_report.h"
#include "lane_spec.h"
#include "run_show.h"
#include "scenario_machine.h"
#include "table.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"
#include "zonelab/timed.h"

#define LANES_MAX 32
#define PERMILLE  1000
#define PER_1000  1000
#define TENTHS	  10
/* Points, in 1/1000, that a score may miss what was reported. */
#define REPORTED_NEAR 50
#define PS_PER_US     INT64_C(1000000)
#define US_PER_S      INT64_C(1000000)

struct estimate_lane_of {
	struct lane_spec *spec;
	const char *reported; /* "" = nothing */
	struct zl_costs costs;
	struct zl_estimate_result result;
};

struct estimating {
	struct app *app;
	const struct command_args *args;
	struct output *out;
	struct zl_scenario scenario;
	struct zl_expand_options expand;
	int64_t end_ns;
	struct estimate_lane_of lane[LANES_MAX];
	size_t nr_lanes;
	bool stopped; /* by the user: what the last lane has is a part */
};

static int add_lane(struct estimating *e, const char *text, const char *reported)
{
	const struct zl_allocator *mem = e->app->alloc;
	struct lane_spec *spec;
	int rc;

	if (e->nr_lanes == LANES_MAX) {
		zl_error_set(&e->out->error, 0, 0, "--lane %s: at most %d lanes", text, LANES_MAX);
		return -EINVAL;
	}
	spec = mem->realloc(mem->user, NULL, sizeof(*spec));
	if (spec == NULL) {
		zl_error_set(&e->out->error, 0, 0, "no memory for lanes");
		return -ENOMEM;
	}
	e->lane[e->nr_lanes].spec = spec;
	e->lane[e->nr_lanes].reported = reported;
	e->nr_lanes++;
	rc = lane_parse(text, spec, &e->out->error);
	if (rc != 0) {
		zl_error_file(&e->out->error, text);
	}
	return rc;
}

/* The lanes of the command line, else those of the scenario, else its machine alone. */
static int read_lanes(struct estimating *e)
{
	const struct zl_scenario *s = &e->scenario;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < e->args->nr_options; i++) {
		if (strcmp(e->args->option[i].option->name, "--lane") == 0) {
			rc = add_lane(e, e->args->option[i].value, "");
		}
	}
	for (uint32_t i = 0; rc == 0 && e->nr_lanes == i && i < s->nr_reported; i++) {
		rc = add_lane(e, zl_scenario_text(s, s->reported[i].lane),
			zl_scenario_text(s, s->reported[i].text));
	}
	return rc == 0 && e->nr_lanes == 0 ? add_lane(e, "A:", "") : rc;
}

/* Runs one lane; @which other than ZL_COST_COUNT takes the place of that cost. */
static int run_lane(
	struct estimating *e, struct estimate_lane_of *l, enum zl_cost which, int64_t value)
{
	const struct zl_allocator *mem = e->app->alloc;
	struct zl_timed t = {.scenario = &e->scenario,
		.expand = e->expand,
		.end_ns = e->end_ns,
		.mem = mem,
		.stop = output_stopped,
		.user = e->out};
	struct scenario_machine *m = NULL;
	struct zl_timed_result r;
	struct zl_profile p;
	int rc = lane_apply(l->spec, &app_lane_const(e->app)->profile, mem, &p, &e->out->error);

	if (rc != 0) {
		return rc;
	}
	rc = scenario_machine_new(&p, &e->scenario, mem, &m, &e->out->error);
	if (rc == 0) {
		zl_costs_of(&m->profile.settings, &t.costs);
		if (which != ZL_COST_COUNT) {
			t.costs.value[which] = value;
		}
		l->costs = t.costs;
		t.config = m->config;
		t.config.policies = p.policies.count > 0 ? &p.policies : t.config.policies;
		rc = zl_timed_run(&t, &r, &e->out->error);
	}
	if (rc == 0) {
		l->result = r.estimate;
		e->stopped = !r.complete;
		zl_timed_result_done(&r);
	}
	scenario_machine_free(m);
	zl_profile_done(&p, mem);
	return rc;
}

static int64_t rate(const struct zl_estimate_result *r)
{
	int64_t us = r->window_ps / PS_PER_US;

	return us > 0 ? (int64_t)r->blocks * US_PER_S / us : 0;
}

/* Blocks a second against the first lane, in 1/1000. */
static unsigned score(const struct estimating *e, size_t i)
{
	int64_t first = rate(&e->lane[0].result);

	return first > 0 ? (unsigned)((rate(&e->lane[i].result) * PERMILLE + first / 2) / first)
			 : 0;
}

static void keep_lanes(struct estimating *e, size_t n)
{
	while (e->nr_lanes > n) {
		e->nr_lanes--;
		e->app->alloc->free(e->app->alloc->user, e->lane[e->nr_lanes].spec);
	}
}

static int run_all(struct estimating *e, enum zl_cost which, int64_t value)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && !e->stopped && i < e->nr_lanes; i++) {
		rc = run_lane(e, &e->lane[i], which, value);
		if (rc == 0 && which == ZL_COST_COUNT &&
			!zl_costs_equal(&e->lane[i].costs, &e->lane[0].costs) &&
			!args_switch(e->args, "--allow-different-costs")) {
			zl_error_set(&e->out->error, 0, 0,
				"lane %s has other costs than lane %s, which says nothing about "
				"designs; --allow-different-costs if it is meant",
				e->lane[i].spec->name, e->lane[0].spec->name);
			rc = -EINVAL;
		}
		if (e->stopped && which == ZL_COST_COUNT) {
			keep_lanes(e, i + 1); /* those behind it have nothing to show */
		}
	}
	return rc;
}

static void cell_permille(struct table *t, unsigned v)
{
	char text[24];

	zl_format(text, sizeof(text), "%u.%u", v / 10, v % 10);
	table_text(t, text);
}

static uint64_t per_1000(uint64_t n, uint64_t blocks)
{
	return blocks > 0 ? (n * PER_1000 + blocks / 2) / blocks : 0;
}

static bool any_reported(const struct estimating *e)
{
	for (size_t i = 0; i < e->nr_lanes; i++) {
		if (e->lane[i].reported[0] != '\0') {
			return true;
		}
	}
	return false;
}

static void row(const struct estimating *e, struct table *t, size_t i)
{
	const struct zl_estimate_result *r = &e->lane[i].result;

	table_text(t, e->lane[i].spec->name);
	cell_permille(t, score(e, i));
	table_number(t, per_1000(r->takes, r->blocks));
	table_number(t, per_1000(r->free_high, r->blocks));
	cell_permille(t, zl_estimate_held(r));
	table_number(t, (uint64_t)zl_durations_mean_ns(&r->hold));
	table_number(t, (uint64_t)zl_durations_max_ns(&r->hold));
	table_number(t, (uint64_t)zl_durations_mean_ns(&r->refill));
	table_number(t, (uint64_t)zl_durations_max_ns(&r->refill));
	table_text(t, zl_saturated_name(zl_estimate_saturated(r)));
	if (any_reported(e)) {
		table_text(t, e->lane[i].reported);
	}
}

/* CSV and text have one table. */
static void print_lanes(const struct estimating *e)
{
	static const struct column columns[] = {
		{"lane",			 "lane",		 false},
		{"score_percent",		  "score|%",	     true },
		{"zone_lock_takes_per_1000", "takes|of 1000",     true },
		{"free_high_per_1000",       "flushes|of 1000",	  true },
		{"lock_held_percent",	      "held|%",		true },
		{"hold_avg_ns",		"hold ns|average",   true },
		{"hold_max_ns",		"hold ns|longest",   true },
		{"refill_avg_ns",		  "refill ns|average", true },
		{"refill_max_ns",		  "refill ns|longest", true },
		{"saturated",		      "full",	      false},
		{"reported",		     "reported",		 false},
	};
	struct table t;

	table_init(&t, e->out, NULL, columns,
		sizeof(columns) / sizeof(columns[0]) - (any_reported(e) ? 0 : 1));
	table_drop(&t, "refill_max_ns", 3);
	table_drop(&t, "hold_max_ns", 2);
	table_drop(&t, "saturated", 1);
	for (size_t i = 0; i < e->nr_lanes; i++) {
		row(e, &t, i);
	}
	table_print(&t);
}

/* A reported score, in 1/1000; 0 when what was reported is something else. */
static unsigned reported_score(const char *reported)
{
	size_t digits = strspn(reported, "0123456789");
	char number[8];
	uint64_t v = 0;

	if (digits == 0 || digits >= sizeof(number) ||
		(reported[digits] != '\0' && reported[digits] != ';')) {
		return 0;
	}
	zl_format(number, digits + 1, "%s", reported);
	return zl_parse_u64(number, &v) == 0 ? (unsigned)v * TENTHS : 0;
}

/* Whether what was reported comes out, said beside the figures. */
static void print_reported(const struct estimating *e)
{
	char text[600];
	struct zl_text t;
	unsigned scores = 0, missed = 0, others = 0;

	zl_text_init(&t, text, sizeof(text));
	zl_text_str(&t, "Not reproduced at these costs, reported against model:");
	for (size_t i = 0; i < e->nr_lanes; i++) {
		const char *reported = e->lane[i].reported;
		unsigned want = reported_score(reported), have = score(e, i);

		scores += want > 0;
		others += want == 0 && reported[0] != '\0' && strcmp(reported, "-") != 0;
		if (want == 0 || (have > want ? have - want : want - have) <= REPORTED_NEAR) {
			continue;
		}
		zl_text_fmt(&t, "%s %s %u against %u", missed++ > 0 ? "," : "",
			e->lane[i].spec->name, want / TENTHS, (have + TENTHS / 2) / TENTHS);
	}
	if (missed > 0) {
		zl_text_str(&t, ". `explain estimate` says what would have to be true for it.");
		output_wrap(e->out, 0, text);
	} else if (scores > 0) {
		output_wrap(e->out, 0,
			"All reported scores come out within 5 points at these costs; `explain "
			"estimate` says how far that is an input.");
	}
	if (others > 0) {
		output_wrap(e->out, 0,
			"What was reported beside these lanes is no score, and the model need not "
			"explain it: see `explain estimate`.");
	}
}

static void print_text(const struct estimating *e)
{
	struct zl_buf *b = &e->out->text;

	zl_buf_fmt(b, "%s: model estimate, lock_cost_percent %D; not a measurement\n",
		e->scenario.name, e->lane[0].costs.value[ZL_COST_LOCK_COST_PERCENT]);
	print_lanes(e);
	zl_buf_str(b, "\nscore: blocks a second against the first lane; takes and flushes: for "
		      "1000 blocks\n");
	print_reported(e);
}

static void print_json(const struct estimating *e)
{
	struct zl_json *o = output_json(e->out, "estimate");
	struct zl_json *list;

	zl_json_add_string(o, "label", "model estimate");
	zl_json_add_string(o, "scenario", e->scenario.name);
	list = zl_json_add_array(o, "lanes");
	for (size_t i = 0; i < e->nr_lanes; i++) {
		struct zl_json *lane = zl_json_push_object(list);

		zl_json_add(lane, "lane", lane_to_json(e->lane[i].spec));
		zl_json_add_int(lane, "score_permille", score(e, i));
		zl_json_add_string(lane, "reported",
			e->lane[i].reported[0] != '\0' ? e->lane[i].reported : NULL);
		if (reported_score(e->lane[i].reported) > 0) {
			zl_json_add_int(
				lane, "reported_permille", reported_score(e->lane[i].reported));
		} else {
			zl_json_add_null(lane, "reported_permille");
		}
		estimate_json(&e->lane[i].result, &e->lane[i].costs,
			zl_json_add_object(lane, "estimate"));
	}
}

/* ---- sensitivity ---- */

struct sensitive {
	unsigned half[LANES_MAX], twice[LANES_MAX];
};

static int both_ways(struct estimating *e, enum zl_cost c, int64_t base, struct sensitive *ret)
{
	int rc = run_all(e, c, base / 2);

	for (size_t i = 0; rc == 0 && i < e->nr_lanes; i++) {
		ret->half[i] = score(e, i);
	}
	rc = rc != 0 ? rc : run_all(e, c, base * 2);
	for (size_t i = 0; rc == 0 && i < e->nr_lanes; i++) {
		ret->twice[i] = score(e, i);
	}
	return rc;
}

static void sensitive_row(const struct estimating *e, struct table *t, struct zl_json *rows,
	enum zl_cost c, const struct sensitive *s)
{
	const char *key = zl_setting_info(zl_cost_info(c)->setting)->key;
	struct zl_json *o;
	char text[40];

	if (rows != NULL) {
		o = zl_json_push_object(rows);
		zl_json_add_string(o, "setting", key);
		struct zl_json *half = zl_json_add_array(o, "half_permille");
		struct zl_json *twice = zl_json_add_array(o, "double_permille");
		for (size_t i = 0; i < e->nr_lanes; i++) {
			zl_json_push_int(half, s->half[i]);
			zl_json_push_int(twice, s->twice[i]);
		}
		return;
	}
	table_text(t, key);
	for (size_t i = 0; i < e->nr_lanes && i + 1 < TABLE_COLUMNS_MAX; i++) {
		zl_format(text, sizeof(text), "%u / %u", (s->half[i] + 5) / 10,
			(s->twice[i] + 5) / 10);
		table_text(t, text);
	}
}

static int sensitivity(struct estimating *e)
{
	const struct zl_costs base = e->lane[0].costs;
	struct column columns[TABLE_COLUMNS_MAX] = {
		{"setting", "half / double", false}
	   };
	size_t n = e->nr_lanes < TABLE_COLUMNS_MAX - 1 ? e->nr_lanes : TABLE_COLUMNS_MAX - 1;
	struct zl_json *rows = NULL;
	struct table t;
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = e->lane[i].spec->name;

		columns[i + 1] = (struct column){name, name, true};
	}
	table_init(&t, e->out, NULL, columns, n + 1);
	if (e->out->format == FORMAT_JSON) {
		rows = zl_json_add_array(e->out->json, "sensitivity");
	} else {
		zl_buf_str(&e->out->text, "\nScores with half and with double of each constant\n");
	}
	for (unsigned c = 0; rc == 0 && !e->stopped && c < ZL_COST_COUNT; c++) {
		struct sensitive s = {0};

		rc = both_ways(e, (enum zl_cost)c, base.value[c], &s);
		if (rc == 0 && !e->stopped) {
			sensitive_row(e, &t, rows, (enum zl_cost)c, &s);
		}
	}
	table_print(&t);
	return rc;
}

static int estimate_lanes(struct estimating *e)
{
	const char *time = args_option(e->args, "--timed");
	int rc = scenario_options(e->args, &app_lane_const(e->app)->profile.settings, &e->scenario,
		&e->expand, &e->out->error);

	rc = rc != 0 || time == NULL
		     ? rc
		     : estimate_time(time, e->app->alloc, &e->end_ns, &e->out->error);
	rc = rc != 0 ? rc : read_lanes(e);
	rc = rc != 0 ? rc : run_all(e, ZL_COST_COUNT, 0);
	if (rc != 0) {
		return rc;
	}
	if (e->out->format == FORMAT_JSON) {
		print_json(e);
	} else if (e->out->format == FORMAT_CSV) {
		print_lanes(e);
	} else {
		print_text(e);
	}
	if (args_switch(e->args, "--sensitivity") && e->out->format != FORMAT_CSV) {
		rc = sensitivity(e);
	}
	if (e->out->format == FORMAT_JSON) {
		zl_json_add_bool(e->out->json, "complete", !e->stopped);
	}
	return rc;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct estimating *e;
	enum exit_status status = EXIT_YES;
	int rc;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	e = app->alloc->realloc(app->alloc->user, NULL, sizeof(*e));
	if (e == NULL) {
		zl_error_set(&out->error, 0, 0, "no memory for lanes");
		return EXIT_FAULT;
	}
	memset(e, 0, sizeof(*e));
	e->app = app;
	e->args = args;
	e->out = out;
	rc = zl_scenario_open(args->word[0], app->alloc, &e->scenario, &out->error);
	if (rc == 0 && e->scenario.zone.all) {
		zl_error_set(&out->error, 0, 0,
			"%s runs in all zones, the estimate knows the lock of one; `zonelab sweep "
			"%s --vary kernel=6.12,6.18 --metric zone_locks` counts lock takes",
			e->scenario.name,
			scenario_is_shipped(e->scenario.name) ? e->scenario.name : "SCENARIO");
		rc = -EINVAL;
	}
	rc = rc != 0 ? rc : estimate_lanes(e);
	if (rc != 0) {
		status = rc == -ENOEXEC			  ? EXIT_NO
			 : rc == -ENOMEM || rc == -EILSEQ ? EXIT_FAULT
							  : EXIT_USAGE;
	} else {
		status = output_completed(out, !e->stopped);
	}
	keep_lanes(e, 0);
	zl_scenario_done(&e->scenario);
	app->alloc->free(app->alloc->user, e);
	return status;
}

static const struct command_option options[] = {
	{"--allow-different-costs", NULL,	  false, "Lanes may have other constants"			 },
	{"--lane",		   "NAME:ITEMS", true,  "A what-if; those of the report when none is given"},
	{"--param",		    "NAME=VALUE", true,	"Another value for a parameter of the scenario"    },
	{"--sensitivity",		  NULL,		false, "The scores at half and at double each constant"   },
	{"--short",		    NULL,	  false, "The scenario's short form"			    },
	{"--timed",		    "TIME",	    false,
		"Length of virtual time: 100ms; the whole scenario when missing"					},
	{NULL,		      NULL,	     false, NULL					       },
};

const struct command cmd_estimate = {
	.name = "estimate",
	.synopsis = "SCENARIO [--lane NAME:ITEMS]... [--timed TIME] [--sensitivity]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Zone lock and throughput of lanes in virtual time, beside what was published",
	.more = "Each lane runs the scenario in the time of its cost estimate, which knows one "
		"zone: "
		"scenarios of all zones are refused, `sweep` counts their lock takes. The "
		"score is its "
		"throughput against the first lane. A scenario may carry lanes with published "
		"figures (iperf3-64, exit-10x6g, rzg3s); they are taken when no --lane is given, "
		"and "
		"stand beside ours. All lanes have the same constants; --set lock_cost_percent=480 "
		"changes them for all. `explain estimate` says what this can and cannot say.",
	.options = options,
	.run = run,
};
