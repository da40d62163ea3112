/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hunt`: the workload on which two lanes differ most, shrunk to a few lines.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "compare_report.h"
#include "hunt.h"
#include "run_report.h"
#include "zonelab/file.h"
#include "zonelab/metrics.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#define TRIES_MOST 1000000u
#define INDENT	   2

static void print_json(
	const struct hunt *h, const struct hunt_result *r, const char *command, struct output *out)
{
	struct zl_json *o = output_json(out, "hunt");
	struct zl_json *lanes = zl_json_add_array(o, "lanes");
	struct zl_buf text = {0};
	char seed[24];

	zl_format(seed, sizeof(seed), "%U", h->seed);
	zl_json_add_string(o, "metric", h->metric);
	zl_json_add_string(o, "seed", seed);
	zl_json_add_int(o, "tries", r->tries);
	zl_json_add_int(o, "broken", r->broken);
	zl_json_add_bool(o, "complete", !r->stopped);
	for (unsigned i = 0; i < 2; i++) {
		struct zl_json *l = zl_json_push_object(lanes);

		zl_json_add_string(l, "name", h->l->spec[i].name);
		zl_json_add(l, "lane", lane_to_json(&h->l->spec[i]));
		zl_json_add_int(l, "value", r->value[i]);
	}
	zl_json_add_u64(o, "difference", r->score);
	zl_json_add_u64(o, "difference_found", r->found);
	hunt_write(h, &r->load, r, &text);
	zl_json_add_parsed(o, "scenario", &text);
	zl_json_add_string(o, "command", command);
}

/* Loads that a lane could not run to their end, and the first reason. */
static void print_broken(const struct hunt_result *r, struct output *out)
{
	char text[500];

	if (r->broken > 0) {
		zl_format(text, sizeof(text),
			"%N of them ended early and do not count; the first: %s",
			(uint64_t)r->broken, r->why);
		zl_buf_str(&out->text, "note:");
		output_wrap(out, 2, text);
	}
}

static void print_text(
	const struct hunt *h, const struct hunt_result *r, const char *command, struct output *out)
{
	const struct lane_spec *s = h->l->spec;
	char text[400];

	if (r->score == 0) {
		zl_format(text, sizeof(text),
			"None of %N loads makes a difference in %s between %s and %s.%s",
			(uint64_t)r->tries, h->metric, s[0].name, s[1].name,
			args_option(h->l->args, "--write") != NULL ? " Nothing was written." : "");
		output_wrap(out, 0, text);
		print_broken(r, out);
		return;
	}
	zl_format(text, sizeof(text), "%s: %D under %s, %D under %s%s", h->metric, r->value[0],
		s[0].name, r->value[1], s[1].name, r->stopped ? " (stopped)" : "");
	output_wrap(out, 0, text);
	hunt_words(&r->load, &out->text);
	zl_format(text, sizeof(text),
		"%N loads run, seed %U; the largest difference was %N, shrunk to %N.",
		(uint64_t)r->tries, h->seed, r->found, r->score);
	output_wrap(out, 0, text);
	print_broken(r, out);
	compare_mail_end(command, out);
}

static int save(
	const struct hunt *h, const struct hunt_result *r, const char *path, struct output *out)
{
	struct zl_buf text = {0};
	int rc;

	hunt_write(h, &r->load, r, &text);
	rc = text.failed ? -ENOMEM : zl_save(path, text.data, text.len, false, &out->error);
	zl_buf_done(&text);
	return rc;
}

static enum exit_status hunt(const struct hunt *h, const char *path, struct output *out)
{
	struct zl_buf command = {0};
	struct hunt_result r;
	int rc = hunt_run(h, &r, &out->error);

	if (rc == 0 && path != NULL && r.score > 0) {
		rc = save(h, &r, path, out);
	}
	if (rc != 0) {
		return rc == -ENOEXEC ? EXIT_NO : run_failed(rc == -ENOENT ? -EINVAL : rc, out);
	}
	compare_command(h->l->app, h->l->args, &command);
	if (out->format == FORMAT_JSON) {
		print_json(h, &r, zl_buf_text(&command), out);
	} else {
		print_text(h, &r, zl_buf_text(&command), out);
	}
	zl_buf_done(&command);
	return r.stopped ? EXIT_INTERRUPTED : EXIT_YES;
}

/* Totals that lanes are compared in. */
static bool is_total(const char *name)
{
	size_t i = zl_metric_find(name);

	return i != SIZE_MAX &&
	       (zl_metric_info(i)->kind == ZL_METRIC_TOTAL ||
		       strcmp(name, "longest_hold_pages") == 0 || strcmp(name, "zone.parked") == 0);
}

static enum exit_status run_with(const struct compare_lanes *l, struct output *out)
{
	const struct zl_settings *s = &app_lane_const(l->app)->profile.settings;
	const char *metric = args_option(l->args, "--metric");
	const char *tries = args_option(l->args, "--tries");
	struct hunt h = {.l = l,
		.metric = metric != NULL ? metric : "free_high",
		.seed = 1,
		.tries = HUNT_TRIES};
	const char *path = args_option(l->args, "--write");
	char whole[ZL_FILE_PATH];
	uint64_t n = HUNT_TRIES;

	if (l->n != 2) {
		return command_usage(out, "a hunt has two lanes; --lane A:6.12 --lane B:6.18");
	}
	if (!is_total(h.metric)) {
		const char *near = zl_metric_nearest(h.metric);

		return command_usage(out, "--metric %s is no total of a run%s%s", h.metric,
			near != NULL ? "; did you mean " : "; see `zonelab list metrics`",
			near != NULL ? near : "");
	}
	if (tries != NULL && (zl_parse_u64(tries, &n) != 0 || n == 0 || n > TRIES_MOST)) {
		return command_usage(
			out, "--tries %s is no number of loads; 1 to %u", tries, TRIES_MOST);
	}
	if (zl_settings_given(s, ZL_SET_SEED) &&
		zl_parse_u64(zl_settings_text(s, ZL_SET_SEED), &h.seed) != 0) {
		return command_usage(out, "seed %s is no number from 0 to 9223372036854775807",
			zl_settings_text(s, ZL_SET_SEED));
	}
	h.tries = (unsigned)n;
	if (path != NULL && zl_file_absolute(path, whole)) {
		zl_error_set(&out->error, 0, 0,
			"%s: exists already and is not overwritten; choose another name", path);
		return EXIT_USAGE;
	}
	return hunt(&h, path, out);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct compare_lanes *l = NULL;

	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	int rc = compare_lanes_of(app, args, out, &l);
	enum exit_status status =
		rc != 0 ? run_failed(rc == -ENOENT ? -EINVAL : rc, out) : run_with(l, out);
	compare_lanes_free(l);
	return status;
}

static const struct command_option options[] = {
	{"--lane",   "LANE", true,	 "A what-if, as in `compare`; two of them"		  },
	{"--metric", "NAME", false, "The total that counts; free_high unless told otherwise"},
	{"--tries",  "N",	 false, "Loads to try before the best is shrunk; 600"	     },
	{"--write",  "FILE", false, "Write what was found as a scenario with an assertion"	 },
	{NULL,       NULL,   false, NULL						    },
};

const struct command cmd_hunt = {
	.name = "hunt",
	.synopsis = "--lane LANE --lane LANE [--metric NAME] [--tries N] [--write FILE]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Find the workload on which two what-ifs differ most, in a few lines",
	.more = "Random loads of one or two CPUs are run in both lanes (see `compare`), the best "
		"one "
		"is changed as long as that helps, then shrunk: steps go while half of the "
		"difference is left, numbers while nine tenths of the rest are. The same seed "
		"(--seed) and lanes find the same. What is found is a "
		"large difference, not a proof that there is none larger. The scenario of --write "
		"has the machine of the lane with the larger total, and an assertion that holds "
		"there and not in the other lane.",
	.options = options,
	.run = run,
};
