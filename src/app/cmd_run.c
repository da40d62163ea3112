/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `run`: an op list under one kernel, with a trace or totals.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "run_at.h"
#include "run_report.h"
#include "story.h"
#include "zonelab/diag.h"
#include "zonelab/file.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

/* What an op list fixes and a setting of the same name would contradict. */
static bool fixed_by_list(const struct zl_sim_config *c, enum zl_setting key, int64_t *ret)
{
	switch ((unsigned)key) {
	case ZL_SET_PAGE_SIZE:
		*ret = INT64_C(1) << c->page_shift;
		return true;
	case ZL_SET_MAX_PAGE_ORDER:
		*ret = c->max_order;
		return true;
	case ZL_SET_CPUS:
		*ret = c->cpus;
		return true;
	case ZL_SET_THP:
		*ret = c->thp;
		return true;
	case ZL_SET_BATCH_SCALE_MAX:
		*ret = c->scale_max;
		return true;
	case ZL_SET_HIGH_FRACTION:
		*ret = c->high_fraction;
		return true;
	case ZL_SET_CACHE_SLICE:
		*ret = (int64_t)c->cache_slice;
		return true;
	default: /* the other settings have no figure in an op list */
		return false;
	}
}

/* Only the kernel may be chosen; what says the same as the list is no conflict. */
static enum exit_status check_settings(
	const struct zl_settings *s, const struct zl_workload *w, struct output *out)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		const struct zl_setting_value *v = &s->value[i];
		int64_t fixed;

		if (!v->given || v->origin < ZL_ORIGIN_GIVEN || key == ZL_SET_KERNEL ||
			key == ZL_SET_SEED) {
			continue;
		}
		if (!fixed_by_list(&w->config, key, &fixed)) {
			return command_usage(out,
				"%s cannot be set with an op list, which fixes its zone; only the "
				"kernel "
				"can be chosen",
				zl_setting_info(key)->key);
		}
		if (fixed != v->number) {
			return command_usage(out, "%s is %D in the op list; leave the setting out",
				zl_setting_info(key)->key, fixed);
		}
	}
	return EXIT_YES;
}

static enum exit_status choose_kernel(const struct zl_settings *s, struct zl_switches *ret,
	struct zl_diags *diags, struct output *out)
{
	const struct zl_setting_value *v = &s->value[ZL_SET_KERNEL];
	struct zl_release r;

	if (!v->given || v->origin < ZL_ORIGIN_FILE) {
		return command_usage(out,
			"the kernel is missing; --set kernel=RELEASE, for example kernel=6.18");
	}
	if (zl_release_parse(zl_settings_text(s, ZL_SET_KERNEL), &r) != 0) {
		return command_usage(out, "%s is not a kernel release; for example kernel=6.18",
			zl_settings_text(s, ZL_SET_KERNEL));
	}
	zl_switches_for(&r, ret, diags);
	if (ret->design == ZL_DESIGN_NONE) {
		return command_usage(out, "pagesets are modelled from kernel 5.14 on, not for %s",
			zl_settings_text(s, ZL_SET_KERNEL));
	}
	return EXIT_YES;
}

static const char *seed_of(const struct zl_settings *s)
{
	return zl_settings_given(s, ZL_SET_SEED) ? zl_settings_text(s, ZL_SET_SEED) : "1";
}

static enum exit_status perform(
	struct app *app, const struct command_args *args, struct zl_workload *w, struct output *out)
{
	const struct zl_settings *settings = &app_lane_const(app)->profile.settings;
	struct run_report r = {.name = w->name,
		.kernel = zl_settings_text(settings, ZL_SET_KERNEL),
		.seed = seed_of(settings)};
	struct zl_run_options options = {.check = args_switch(args, "--check"), .user = out};
	const char *form = args_option(args, "--trace");
	struct zl_switches switches;
	enum exit_status status;
	int rc;

	options.write = run_write_trace;
	if (form != NULL && zl_trace_form_find(form, &options.trace) != 0) {
		return command_usage(out, "--trace %s is not known; tsv, json or text", form);
	}
	status = check_settings(settings, w, out);
	if (status == EXIT_YES) {
		status = choose_kernel(settings, &switches, &r.diags, out);
	}
	if (status != EXIT_YES) {
		return status;
	}
	rc = zl_run_workload(w, &switches, &options, &r.result, &out->error);
	if (rc != 0) {
		zl_error_file(&out->error, args->word[0]);
		return run_failed(rc, out);
	}
	if (form == NULL) {
		run_report_print(&r, out);
	}
	return EXIT_YES;
}

/* An op list if it reads like one; everything else is taken for a scenario. */
static bool is_op_list(const char *path, const struct zl_allocator *mem)
{
	struct zl_file f = {0};
	bool yes = zl_file_load(path, 0, mem, &f, NULL) == 0 &&
		   !(f.size > 0 && f.data[strspn(f.data, " \t\r\n")] == '{');

	zl_file_done(&f, mem);
	return yes;
}

static enum exit_status stand_in(struct app *app, const struct command_args *args,
	const struct zl_workload *w, struct output *out)
{
	struct run_at_what what = {.title = w->name, .config = &w->config};

	if (list_feed(app->alloc, w->ops, w->nr_ops, &what.feed) < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for a run");
		return EXIT_FAULT;
	}
	return run_at(app, args, &what, out);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_workload w;
	enum exit_status status;
	int rc;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!is_op_list(args->word[0], app->alloc)) {
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
	{"--at",	 "OP",	       false, "Stand at an op; with --screen WxH the picture is printed"},
	{"--check",	    NULL,	  false, "Check every invariant after each op"		      },
	{"--param",	    "NAME=VALUE", true,	"Another value for a parameter of the scenario"	       },
	{"--record",    "FILE",	     false, "Record the animation as asciicast, from --at on"	     },
	{"--short",	    NULL,	  false, "The scenario's short form"				    },
	{"--trace",	    "FORM",	    false, "One record a line instead of totals: tsv, json or text"  },
	{"--write-ops", "FILE",	false, "Write the scenario as an op list instead of running it"  },
	{NULL,	       NULL,	     false, NULL						      },
};

const struct command cmd_run = {
	.name = "run",
	.synopsis = "SCENARIO [--trace FORM] [--check] [--short] [--param NAME=VALUE]... "
		    "[--write-ops FILE] [--at OP] [--record FILE]",
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
		"--write-ops - prints the op list; running it gives the same digest.",
	.options = options,
	.run = run,
};
