/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `check`: judges the assertions of scenarios. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "commands.h"
#include "run_report.h"
#include "scenario_machine.h"
#include "table.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"

#define KERNEL_SIZE 64
#define DETAIL	    8 /* column of what belongs to the line above */

/* One scenario that is judged. */
struct checked {
	struct zl_scenario scenario;
	struct scenario_machine *machine;
	struct zl_scenario_start start;
	struct zl_scenario_result result;
	char kernel[KERNEL_SIZE];
};

/* "phase stream, always" in front of an assertion; "" for the whole run at its end. */
static void scope_text(
	const struct zl_scenario *s, const struct zl_scenario_assert *a, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (a->phase != ZL_NONE) {
		zl_text_fmt(&t, "phase %s, ", s->phase[a->phase].name);
	}
	zl_text_str(&t, a->always ? "always " : "");
}

/* A line from column @from on, as wide as the answer may be; what does not fit goes on below. */
static void print_line(struct output *out, size_t from, const char *fmt, ...)
{
	struct zl_buf line = {0};
	va_list ap;

	va_start(ap, fmt);
	zl_buf_vfmt(&line, fmt, ap);
	va_end(ap);
	zl_buf_pad(&out->text, from);
	text_wrap(&out->text, DETAIL, output_columns(out), zl_buf_text(&line));
	zl_buf_done_in(&line, &out->text);
}

static void print_verdict(struct output *out, const struct checked *c, uint32_t i)
{
	const struct zl_scenario_assert *a = &c->scenario.assertion[i];
	const struct zl_verdict *v = &c->result.verdict[i];
	char scope[100];

	scope_text(&c->scenario, a, scope, sizeof(scope));
	zl_buf_str(&out->text, !v->judged ? "-" : v->held ? "ok" : "FAILED");
	print_line(out, DETAIL, "%s: %s%s", c->scenario.name, scope,
		zl_scenario_text(&c->scenario, a->expr));
	if (v->held) {
		return;
	}
	if (!v->judged) {
		print_line(out, DETAIL, "not judged: the run was stopped");
		return;
	}
	if (v->op == 0) {
		print_line(out, DETAIL, "holds after no op of its scope; %s", v->why);
	} else {
		print_line(out, DETAIL, "does not hold %s op %N; %s",
			a->always ? "after" : "from the end of", v->op, v->why);
	}
	if (a->text != ZL_NONE) {
		print_line(out, DETAIL, "%s", zl_scenario_text(&c->scenario, a->text));
	}
}

static void print_text(const struct checked *c, struct output *out)
{
	uint32_t n = c->scenario.nr_asserts, held = 0;

	for (uint32_t i = 0; i < n; i++) {
		print_verdict(out, c, i);
		held += c->result.verdict[i].held ? 1 : 0;
	}
	print_line(out, 0, "%s under %s (design %s): %u of %u hold, %N ops", c->scenario.name,
		c->kernel, zl_design_name(c->result.run.design), held, n, c->result.run.ops);
	output_diags(out, &c->machine->diags);
}

static void add_verdict(struct zl_json *list, const struct checked *c, uint32_t i)
{
	const struct zl_scenario_assert *a = &c->scenario.assertion[i];
	const struct zl_verdict *v = &c->result.verdict[i];
	struct zl_json *o = zl_json_push_object(list);

	zl_json_add_string(o, "assert", zl_scenario_text(&c->scenario, a->expr));
	if (a->phase != ZL_NONE) {
		zl_json_add_string(o, "phase", c->scenario.phase[a->phase].name);
	} else {
		zl_json_add_null(o, "phase");
	}
	zl_json_add_bool(o, "always", a->always);
	if (v->judged) {
		zl_json_add_bool(o, "held", v->held);
	} else {
		zl_json_add_null(o, "held");
	}
	if (v->held || !v->judged) {
		zl_json_add_null(o, "op");
		zl_json_add_null(o, "why");
	} else {
		zl_json_add_u64(o, "op", v->op);
		zl_json_add_string(o, "why", v->why);
	}
	zl_json_add_string(
		o, "text", a->text != ZL_NONE ? zl_scenario_text(&c->scenario, a->text) : NULL);
}

static void add_json(struct zl_json *list, const struct checked *c)
{
	struct zl_json *o = zl_json_push_object(list);
	char digest[DIGEST_SIZE];

	digest_text(c->result.run.digest, digest);
	zl_json_add_string(o, "scenario", c->scenario.name);
	zl_json_add_string(o, "kernel", c->kernel);
	zl_json_add_string(o, "design", zl_design_name(c->result.run.design));
	zl_json_add_u64(o, "ops", c->result.run.ops);
	zl_json_add_string(o, "digest", digest);
	zl_json_add_bool(o, "held", c->result.failed == 0);
	zl_json_add_bool(o, "complete", c->result.run.complete);
	struct zl_json *verdicts = zl_json_add_array(o, "assertions");
	for (uint32_t i = 0; i < c->scenario.nr_asserts; i++) {
		add_verdict(verdicts, c, i);
	}
	json_add_diags(o, &c->machine->diags);
}

static const struct column columns[] = {
	{"scenario", NULL, false},
	{"kernel",   NULL, false},
	{"design",   NULL, false},
	{"phase",	  NULL, false},
	{"always",   NULL, false},
	{"assert",   NULL, false},
	{"held",	 NULL, false},
	{"op",       NULL, true },
	{"why",	NULL, false},
	{"text",	 NULL, false},
};

static void add_rows(struct table *t, const struct checked *c)
{
	for (uint32_t i = 0; i < c->scenario.nr_asserts; i++) {
		const struct zl_scenario_assert *a = &c->scenario.assertion[i];
		const struct zl_verdict *v = &c->result.verdict[i];

		table_text(t, c->scenario.name);
		table_text(t, c->kernel);
		table_text(t, zl_design_name(c->result.run.design));
		table_text(t, a->phase != ZL_NONE ? c->scenario.phase[a->phase].name : "");
		table_bool(t, a->always, "", "");
		table_text(t, zl_scenario_text(&c->scenario, a->expr));
		if (v->judged) {
			table_bool(t, v->held, "", "");
		} else {
			table_none(t);
		}
		if (v->held || !v->judged) {
			table_none(t);
		} else {
			table_number(t, v->op);
		}
		table_text(t, v->held || !v->judged ? "" : v->why);
		table_text(t, a->text != ZL_NONE ? zl_scenario_text(&c->scenario, a->text) : "");
	}
}

/* Where verdicts go: JSON, rows of CSV, or the text of the answer. */
struct answer {
	struct output *out;
	struct zl_json *list; /* NULL = not JSON */
	struct table *table;  /* NULL = not CSV */
};

static void add_answer(const struct answer *to, const struct checked *c)
{
	if (to->list != NULL) {
		add_json(to->list, c);
	} else if (to->table != NULL) {
		add_rows(to->table, c);
	} else {
		print_text(c, to->out);
	}
}

static int judge(
	struct app *app, const struct command_args *args, struct output *out, struct checked *c)
{
	const struct zl_profile *base = &app_lane_const(app)->profile;
	const struct zl_run_options quiet = {.stop = output_stopped, .user = out};
	int rc = scenario_options(
		args, &base->settings, &c->scenario, &c->start.expand, &out->error);

	rc = rc != 0 ? rc
		     : scenario_machine_new(
			       base, &c->scenario, app->alloc, &c->machine, &out->error);
	if (rc != 0) {
		return rc;
	}
	c->start.scenario = &c->scenario;
	c->start.config = c->machine->config;
	c->start.system = c->machine->system;
	c->start.mem = app->alloc;
	zl_machine_setting(&c->machine->profile, &c->machine->machine, ZL_SET_KERNEL, c->kernel,
		sizeof(c->kernel));
	return zl_scenario_run(&c->start, &quiet, &c->result, &out->error);
}

static enum exit_status check_one(
	struct app *app, const struct command_args *args, size_t word, const struct answer *to)
{
	struct output *out = to->out;
	struct checked c;
	enum exit_status status;
	int rc;

	memset(&c, 0, sizeof(c));
	rc = zl_scenario_open(args->word[word], app->alloc, &c.scenario, &out->error);
	if (rc == 0 && c.scenario.nr_asserts == 0) {
		zl_error_set(&out->error, 0, 0,
			"the scenario asserts nothing; add \"assert\": [\"free_high == 0\"]");
		rc = -EINVAL;
	}
	rc = rc != 0 ? rc : judge(app, args, out, &c);
	if (rc != 0) {
		zl_error_file(&out->error, args->word[word]);
		status = rc == -ENOMEM || rc == -EILSEQ ? EXIT_FAULT : EXIT_USAGE;
		if (rc == -ENOEXEC && !args_switch(args, "--bisect")) {
			status = EXIT_NO;
		}
	} else {
		add_answer(to, &c);
		status = output_completed(out, c.result.run.complete);
		status = status == EXIT_YES && c.result.failed > 0 ? EXIT_NO : status;
		zl_scenario_result_done(&c.result, app->alloc);
	}
	scenario_machine_free(c.machine);
	zl_scenario_done(&c.scenario);
	return status;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	enum exit_status worst = EXIT_YES;
	struct answer to = {.out = out};
	struct table table;

	if (!command_words_ok(args, 1, COMMAND_WORDS, out)) {
		worst = EXIT_USAGE;
	} else if (out->format == FORMAT_JSON) {
		to.list = zl_json_add_array(output_json(out, "check"), "scenarios");
	} else if (out->format == FORMAT_CSV) {
		table_init(&table, out, NULL, columns, sizeof(columns) / sizeof(*columns));
		to.table = &table;
	}
	for (size_t i = 0; worst <= EXIT_NO && i < args->nr_words; i++) {
		enum exit_status status = check_one(app, args, i, &to);

		worst = status > worst ? status : worst;
	}
	if (to.table != NULL) {
		table_print(to.table);
	}
	if (args_switch(args, "--bisect") && (worst == EXIT_USAGE || worst == EXIT_FAULT)) {
		worst = EXIT_SKIP;
	}
	return worst;
}

static const struct command_option options[] = {
	{"--bisect", NULL,	   false, "Exit status 125 where it would be 2 or 3, for git bisect run"},
	{"--param",  "NAME=VALUE", true,	"Another value for a parameter of the scenarios"		},
	{"--short",  NULL,	  false, "The scenarios' short form"				    },
	{NULL,       NULL,	     false, NULL							  },
};

const struct command cmd_check = {
	.name = "check",
	.synopsis = "SCENARIO... [--bisect] [--short] [--param NAME=VALUE]...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Judge the scenarios' own assertions",
	.more = "Exit status 0 when all hold, 1 when one fails; the first op after which it does "
		"not "
		"hold is named. With --bisect a scenario that cannot be run says 125, skip this "
		"one.",
	.options = options,
	.run = run,
};
