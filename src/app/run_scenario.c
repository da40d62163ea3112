/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `run` of a scenario: totals, a trace, or its ops as a list. */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "estimate_report.h"
#include "run_at.h"
#include "run_report.h"
#include "scenario_machine.h"
#include "zonelab/save.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"
#include "zonelab/timed.h"

#define SEED_SIZE   24
#define KERNEL_SIZE 64

struct scenario_run {
	const struct command_args *args;
	struct output *out;
	struct zl_scenario scenario;
	struct scenario_machine *machine;
	struct zl_scenario_start start;
};

static enum exit_status write_ops(struct scenario_run *r, const char *path)
{
	struct zl_workload w;
	struct zl_buf text = {0};
	int rc = zl_scenario_workload(&r->start, &w, &r->out->error);

	if (rc != 0) {
		zl_error_file(&r->out->error, r->args->word[0]);
		return run_failed(rc, r->out);
	}
	zl_workload_write(&w, &text);
	if (text.failed) {
		rc = -ENOMEM;
	} else if (strcmp(path, "-") == 0) {
		rc = output_stream(r->out, text.data, text.len);
	} else {
		rc = zl_save(path, text.data, text.len, false, &r->out->error);
	}
	zl_buf_done(&text);
	zl_workload_done(&w);
	if (rc != 0 && rc != -EPIPE) {
		return rc == -ENOMEM ? run_failed(rc, r->out) : EXIT_USAGE;
	}
	return EXIT_YES;
}

/* A note when the scenario names more CPUs than there are. */
static void note_wrapped(
	struct run_report *report, uint32_t wrapped, const struct zl_sim_config *config)
{
	if (wrapped != ZL_NONE) {
		zl_diag_add(&report->diags, ZL_NOTE, ZL_DIAG_CPU_WRAPPED,
			"cpu %u of the scenario is beyond the %u CPUs here; it runs on cpu %u",
			wrapped, config->cpus, wrapped % config->cpus);
	}
}

/* Completes what does not depend on how it was run, and prints it. */
static void print_report(struct scenario_run *r, struct run_report *report, uint32_t wrapped)
{
	char kernel[KERNEL_SIZE];
	char seed[SEED_SIZE];

	zl_machine_setting(
		&r->machine->profile, &r->machine->machine, ZL_SET_KERNEL, kernel, sizeof(kernel));
	zl_format(seed, sizeof(seed), "%U",
		r->start.expand.seeded ? r->start.expand.seed : r->scenario.seed);
	report->kernel = kernel;
	report->seed = seed;
	zl_costs_of(&r->machine->profile.settings, &report->costs);
	note_wrapped(report, wrapped, &r->start.config);
	run_report_print(report, r->out);
}

/* The interleaving that the estimate's clocks make. */
static enum exit_status run_timed(struct scenario_run *r, const char *time)
{
	struct run_report report = {.name = r->scenario.name, .diags = r->machine->diags};
	struct zl_timed t = {.scenario = &r->scenario,
		.expand = r->start.expand,
		.config = r->start.config,
		.with_free_lock = true,
		.check = args_switch(r->args, "--check"),
		.mem = r->start.mem,
		.stop = output_stopped,
		.user = r->out};
	struct zl_timed_result result;
	int rc = estimate_time(time, r->start.mem, &t.end_ns, &r->out->error);

	if (rc == 0 && args_option(r->args, "--trace") != NULL) {
		return command_usage(r->out, "--trace shows the scripted order; leave --timed out");
	}
	zl_costs_of(&r->machine->profile.settings, &t.costs);
	rc = rc != 0 ? rc : zl_timed_run(&t, &result, &r->out->error);
	if (rc != 0) {
		zl_error_file(&r->out->error, r->args->word[0]);
		return run_failed(rc, r->out);
	}
	report.estimate = &result.estimate;
	report.lock = args_switch(r->args, "--lock") ? result.lanes : NULL;
	report.result = (struct zl_run_result){.design = r->start.config.switches.design,
		.ops = result.ops,
		.digest = result.digest,
		.totals = result.totals,
		.max_count = result.max_count,
		.max_high = result.max_high,
		.final_count = result.final_count,
		.final_buddy_free = result.final_buddy_free,
		.complete = result.complete};
	print_report(r, &report, result.wrapped_cpu);
	zl_timed_result_done(&result);
	return output_completed(r->out, report.result.complete);
}

static enum exit_status run_totals(struct scenario_run *r)
{
	const char *form = args_option(r->args, "--trace");
	struct zl_run_options options = {.check = args_switch(r->args, "--check"),
		.write = run_write_trace,
		.stop = output_stopped,
		.user = r->out};
	struct zl_scenario_result result;
	struct run_report report = {.name = r->scenario.name, .diags = r->machine->diags};
	struct zl_estimate_result estimate;
	char kernel[KERNEL_SIZE];

	if (form != NULL && zl_trace_form_find(form, &options.trace) != 0) {
		return command_usage(
			r->out, "--trace %s is not known; tsv, json, text or ftrace", form);
	}
	if (form == NULL && r->start.system == NULL) {
		options.estimate = estimate_new(
			&r->machine->profile.settings, r->start.config.cpus, r->start.mem);
		if (options.estimate == NULL) {
			return run_failed(-ENOMEM, r->out);
		}
	}
	zl_machine_setting(
		&r->machine->profile, &r->machine->machine, ZL_SET_KERNEL, kernel, sizeof(kernel));
	options.kernel = kernel;
	int rc = zl_scenario_run(&r->start, &options, &result, &r->out->error);
	if (rc == 0 && options.estimate != NULL) {
		zl_estimate_result(options.estimate, &estimate);
		report.estimate = &estimate;
		report.lock = args_switch(r->args, "--lock") ? options.estimate : NULL;
	}
	if (rc != 0) {
		zl_estimate_free(options.estimate);
		zl_error_file(&r->out->error, r->args->word[0]);
		return run_failed(rc, r->out);
	}
	if (form == NULL) {
		report.result = result.run;
		print_report(r, &report, result.wrapped_cpu);
	}
	bool complete = result.run.complete;
	zl_estimate_free(options.estimate);
	zl_scenario_result_done(&result, r->start.mem);
	return output_completed(r->out, complete);
}

static enum exit_status run_any(struct scenario_run *r)
{
	const char *time = args_option(r->args, "--timed");

	if (time != NULL && r->start.system != NULL) {
		return command_usage(r->out,
			"--timed knows the lock of one zone; this scenario runs in all: leave "
			"--timed out");
	}
	return time != NULL ? run_timed(r, time) : run_totals(r);
}

/* Its machine becomes the lane's, its ops the run that is open. Takes the scenario over. */
static enum exit_status stand_in(struct app *app, struct scenario_run *r)
{
	if (r->start.system != NULL) {
		return run_at_zones(app, r->args, false, r->out);
	}
	const struct run_at_what what = {
		.name = r->args->word[0], .scenario = &r->scenario, .options = &r->start.expand};

	app_use_profile(app, &r->machine->profile);
	return run_at(app, r->args, &what, r->out);
}

static enum exit_status run_loaded(struct app *app, struct scenario_run *r)
{
	const struct zl_profile *base = &app_lane_const(app)->profile;
	const char *path = args_option(r->args, "--write-ops");
	enum exit_status status;
	int rc = scenario_options(
		r->args, &base->settings, &r->scenario, &r->start.expand, &r->out->error);

	rc = rc != 0 ? rc
		     : scenario_machine_new(
			       base, &r->scenario, app->alloc, &r->machine, &r->out->error);
	if (rc == -ENOEXEC) {
		return EXIT_NO;
	}
	if (rc != 0) {
		if (r->out->error.line > 0 && r->out->error.file[0] == '\0') {
			zl_error_file(&r->out->error, r->args->word[0]);
		}
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	r->start.scenario = &r->scenario;
	r->start.config = r->machine->config;
	r->start.system = r->machine->system;
	r->start.mem = app->alloc;
	if (run_at_wanted(r->args)) {
		status = stand_in(app, r);
	} else {
		status = path != NULL ? write_ops(r, path) : run_any(r);
	}
	scenario_machine_free(r->machine);
	return status;
}

enum exit_status run_scenario(struct app *app, const struct command_args *args, struct output *out)
{
	struct scenario_run r = {.args = args, .out = out};
	int rc = zl_scenario_open(args->word[0], app->alloc, &r.scenario, &out->error);

	if (rc != 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	enum exit_status status = run_loaded(app, &r);
	zl_scenario_done(&r.scenario);
	return status;
}
