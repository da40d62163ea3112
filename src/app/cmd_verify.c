/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `verify`: the model against what a kernel reports.
 */
#include <string.h>

#include "commands.h"
#include "verify_report.h"
#include "zonelab/text.h"

/* A running system may give memory out between two reads of its files. */
#define LIVE_TRIES 4

enum exit_status command_missing(struct output *out, const char *fact)
{
	if (strcmp(fact, "zoneinfo") == 0) {
		return command_usage(out,
			"no zoneinfo among these files; a copy of /proc/zoneinfo would be right");
	}
	return command_usage(out, "these files do not say the %s; --set %s=%s would be right",
		strcmp(fact, "kernel") == 0 ? "release" : "page size", fact,
		strcmp(fact, "kernel") == 0 ? "X.Y.Z" : "4K");
}

static void print_text(
	struct output *out, const struct zl_import *im, const struct zl_verify *v, bool all)
{
	char page[ZL_SETTING_TEXT];

	zl_setting_format(&im->profile.settings, ZL_SET_PAGE_SIZE, page, sizeof(page));
	zl_buf_fmt(&out->text, "Linux %s, %s pages\n\n",
		zl_settings_text(&im->profile.settings, ZL_SET_KERNEL), page);
	verify_rows(out, NULL, im, v, all);
	verify_summary(v, &out->text);
}

static void print(
	struct output *out, const struct zl_import *im, const struct zl_verify *v, bool all)
{
	if (out->format == FORMAT_JSON) {
		struct zl_json *root = output_json(out, "verify");

		verify_json(root, im, v);
		verify_rows(out, zl_json_add_array(root, "values"), im, v, true);
		json_add_diags(root, &im->diags);
	} else if (out->format == FORMAT_CSV) {
		verify_rows(out, NULL, im, v, true);
	} else {
		print_text(out, im, v, all);
		output_diags(out, &im->diags);
	}
}

/* Imports and verifies; EXIT_YES when there is a result, whatever it says. */
static enum exit_status try_once(const char *const *paths, size_t n,
	const struct zl_settings *given, struct zl_import *im, struct output *out)
{
	if (machine_import(im, paths, n, given, &out->error) < 0) {
		return EXIT_USAGE;
	}
	const char *missing = machine_missing(im);
	if (missing != NULL) {
		zl_import_done(im);
		return command_missing(out, missing);
	}
	return EXIT_YES;
}

static enum exit_status verify_paths(
	struct app *app, const char *const *paths, size_t n, struct output *out, bool all)
{
	struct zl_settings given;
	struct zl_import im;
	struct zl_verify v;
	bool live = strcmp(paths[0], MACHINE_LIVE) == 0;

	machine_given(&app_lane_const(app)->profile.settings, &given);
	for (unsigned i = 1;; i++) {
		enum exit_status status = try_once(paths, n, &given, &im, out);

		if (status != EXIT_YES) {
			return status;
		}
		if (machine_verify(&im, &v) < 0) {
			zl_import_done(&im);
			zl_error_set(&out->error, 0, 0, "no memory for the verification");
			return EXIT_FAULT;
		}
		if (!live || i == LIVE_TRIES || v.count[ZL_VERDICT_DIFFERS] == 0) {
			break;
		}
		zl_verify_done(&v, zl_allocator_heap());
		zl_import_done(&im);
	}
	print(out, &im, &v, all);
	enum exit_status status = v.count[ZL_VERDICT_DIFFERS] > 0 ? EXIT_NO : EXIT_YES;
	zl_verify_done(&v, zl_allocator_heap());
	zl_import_done(&im);
	return status;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const char *root = args_option(args, "--root");
	const char *const place[] = {root != NULL ? root : MACHINE_LIVE};
	bool files = args->nr_words > 0;

	if (files && root != NULL) {
		return command_usage(out, "--root DIR or files, not both");
	}
	return verify_paths(app, files ? args->word : place, files ? args->nr_words : 1, out,
		args_switch(args, "--all"));
}

static const struct command_option options[] = {
	{"--root", "DIR", false, "Read a copied /proc and /sys tree or a flat folder of files"},
	{"--all",  NULL,	false, "List every value, not only those that need words"		 },
	{NULL,     NULL,  false, NULL							 },
};

const struct command cmd_verify = {
	.name = "verify",
	.synopsis = "[--root DIR] [--all] [FILE...]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Compare the model with what a kernel reports",
	.more = "batch, high_min, watermarks, min_free_kbytes, pageblock_order, the number of "
		"orders, protection and the counters' thresholds are compared exactly, the tuned "
		"high and high_max by range. A difference "
		"is explained only by a reason whose figures fit; any other leads to exit status "
		"1. What copied files do not say is given with --set kernel= and --set page_size=. "
		"With zoneinfo alone, managed pages, watermarks and CPUs count as read.",
	.options = options,
	.run = run,
};
