/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run`: an op list under one kernel, with a trace or totals.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "estimate_report.h"
#include "list_feed.h"
#include "op_list.h"
#include "run_at.h"
#include "run_report.h"
#include "zonelab/diag.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

static const char *seed_of(const struct zl_settings *s)
{
	return zl_settings_given(s, ZL_SET_SEED) ? zl_settings_text(s, ZL_SET_SEED) : "1";
}

/* An op list fixes its zone, not the rules. */
static int give_policies(struct app *app, struct zl_workload *w, struct zl_error *err)
{
	const struct zl_policy_set *set = &app_lane(app)->profile.policies;

	if (set->count > 0 && w->several) {
		zl_error_set(err, 0, 0,
			"policies work on op lists of one zone; leave --policy out, or the other "
			"zones");
		return -EINVAL;
	}
	w->config.policies = set->count > 0 ? set : NULL;
	w->config.scale_max =
		zl_policy_scale_max(set, w->config.page_shift, w->config.scale_max, NULL);
	return 0;
}

static enum exit_status perform(
	struct app *app, const struct command_args *args, struct zl_workload *w, struct output *out)
{
	const struct zl_settings *settings = &app_lane_const(app)->profile.settings;
	struct run_report r = {.name = w->name,
		.kernel = zl_settings_text(settings, ZL_SET_KERNEL),
		.seed = seed_of(settings)};
	struct zl_run_options options = {
		.check = args_switch(args, "--check"), .stop = output_stopped, .user = out};
	const char *form = args_option(args, "--trace");
	struct zl_estimate_result estimate;
	struct zl_switches switches;
	int rc;

	options.write = run_write_trace;
	options.kernel = r.kernel;
	if (form != NULL && zl_trace_form_find(form, &options.trace) != 0) {
		return command_usage(
			out, "--trace %s is not known; tsv, json, text or ftrace", form);
	}
	if (op_list_switches(settings, w, &switches, &r.diags, &out->error) != 0 ||
		give_policies(app, w, &out->error) != 0) {
		return EXIT_USAGE;
	}
	if (form == NULL && !w->several) {
		options.estimate = estimate_new(settings, w->config.cpus, app->alloc);
		if (options.estimate == NULL) {
			return run_failed(-ENOMEM, out);
		}
	}
	rc = zl_run_workload(w, &switches, &options, &r.result, &out->error);
	if (rc == 0 && options.estimate != NULL) {
		zl_estimate_result(options.estimate, &estimate);
		r.estimate = &estimate;
		zl_costs_of(settings, &r.costs);
	}
	zl_estimate_free(options.estimate);
	if (rc != 0) {
		zl_error_file(&out->error, args->word[0]);
		return run_failed(rc, out);
	}
	if (form == NULL) {
		run_report_print(&r, out);
	}
	return output_completed(out, r.result.complete);
}

static enum exit_status stand_in(struct app *app, const struct command_args *args,
	const struct zl_workload *w, struct output *out)
{
	struct run_at_what what = {.name = w->name, .config = &w->config};

	if (w->several) {
		return run_at_zones(app, args, true, out);
	}
	if (list_feed(app->alloc, w->ops, w->nr_ops, &what.feed) < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for a run");
		return EXIT_FAULT;
	}
	return run_at(app, args, &what, out);
}

/* Sentences can be folded for a mail; columns, objects and tracepoints cannot. */
static bool trace_fits(const struct command_args *args, struct output *out)
{
	const char *form = args_option(args, "--trace");

	if (form == NULL) {
		return true;
	}
	if (out->format == FORMAT_MAIL && strcmp(form, "text") != 0) {
		(void)command_usage(out,
			"--trace %s does not fit the 72 columns of a mail; --trace text does, or "
			"leave --mail out",
			form);
		return false;
	}
	return command_one_form("a trace", out);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_workload w;
	enum exit_status status;
	int rc;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!trace_fits(args, out)) {
		return EXIT_USAGE;
	}
	if (args_option(args, "--write-ops") != NULL && !command_one_form("an op list", out)) {
		return EXIT_USAGE;
	}
	if (!op_list_is(args->word[0], app->alloc)) {
		return run_scenario(app, args, out);
	}
	rc = zl_workload_load(args->word[0], app->alloc, &w, &out->error);
	if (rc != 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	status = run_at_wanted(args) ? stand_in(app, args, &w, out) : perform(app, args, &w, out);
	zl_workload_done(&w);
	return status;
}

static const struct command_option options[] = {
	{"--at",	 "OP",	       false, "Stand at an op, told as lines; --screen WxH prints the picture"},
	{"--check",	    NULL,	  false, "Check every invariant after each op"			      },
	{"--lock",	   NULL,	 false,
		"Histogram of lock holds, and who held and waited when (scenarios)"				   },
	{"--param",	    "NAME=VALUE", true,	"Another value for a parameter of the scenario"		       },
	{"--record",    "FILE",	     false, "Record the animation as asciicast, from --at on"		     },
	{"--short",	    NULL,	  false, "The scenario's short form"					    },
	{"--timed",	    "TIME",	    false,
		"Let virtual time decide the order of ops, so long: 100ms, or all"				  },
	{"--strip",	    "OP,OP...",	false, "Print a picture (SVG) of the screen at each of these ops"	 },
	{"--trace",	    "FORM",	    false,
		"One record a line instead of totals: tsv, json, text or ftrace"					},
	{"--write-ops", "FILE",	false, "Write the scenario as an op list instead of running it"	       },
	{NULL,	       NULL,	     false, NULL							    },
};

const struct command cmd_run = {
	.name = "run",
	.synopsis = "SCENARIO [--trace FORM] [--timed TIME] [--check] [--short] [--param "
		    "NAME=VALUE]... "
		    "[--write-ops FILE] [--at OP] [--record FILE] [--strip OP,OP...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Run a scenario or an op list",
	.more = "SCENARIO is the name of a shipped scenario (`list scenarios`), a scenario file, "
		"see "
		"zonelab-scenario(5), or an op list, see zonelab-workload(5). A scenario brings "
		"its "
		"machine; --profile and --set change it. An op list fixes its zone: --set "
		"kernel=RELEASE says under which rules it runs, and no other setting may differ "
		"from "
		"it. The trace has one record a line, state after the op; as tsv it has the "
		"columns "
		"of a recording, so that diff can compare the two. With --check every page, list "
		"and "
		"counter is looked at after each op (in zones above 64 MiB after each 1,000). "
		"--write-ops - prints the op list; running it gives the same digest. --timed knows "
		"one zone: scenarios of all zones are refused.",
	.options = options,
	.run = run,
};
