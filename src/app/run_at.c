/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_at.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "pagesets.h"
#include "record.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#define RECORD_OPS 200u /* of `:record FILE`, from the present op on */

bool run_at_wanted(const struct command_args *args)
{
	return args_option(args, "--at") != NULL || args_option(args, "--record") != NULL ||
	       args_option(args, "--strip") != NULL;
}

/* Writes a recording of a stretch of the open run. */
static enum exit_status record(
	struct app *app, const char *file, const struct record_range *range, struct output *out)
{
	struct zl_buf b = {0};

	if (zl_save_possible(file, false, &out->error) < 0 ||
		record_fits(app, range, &out->error) < 0) {
		return EXIT_USAGE;
	}
	if (app->hooks == NULL || app->hooks->screen_text == NULL) {
		return command_usage(out, "this front end has no screen to record");
	}
	int rc = record_cast(app, range, app->hooks->screen_text, &b, &out->error);
	if (rc == 0) {
		rc = zl_save(file, zl_buf_text(&b), b.len, false, &out->error);
	}
	zl_buf_done(&b);
	if (rc == -ENOMEM) {
		zl_error_set(&out->error, 0, 0, "no memory for a recording");
		return EXIT_FAULT;
	}
	return rc < 0 ? EXIT_USAGE : EXIT_YES;
}

/* "189,190,191" */
static int parse_ops(const char *list, uint64_t *ops, unsigned *ret_n, struct zl_error *err)
{
	unsigned n = 0;

	for (const char *p = list;; p++) {
		size_t len = strcspn(p, ",");
		char word[24];

		zl_format(word, sizeof(word), "%s", p);
		word[len < sizeof(word) ? len : sizeof(word) - 1] = '\0';
		if (n == RUN_AT_STRIP_MAX || len >= sizeof(word) ||
			zl_parse_u64(word, &ops[n]) < 0) {
			zl_error_set(err, 0, 0, "--strip %s: write OP,OP,..., at most %d ops", list,
				RUN_AT_STRIP_MAX);
			return -EINVAL;
		}
		n++;
		p += len;
		if (*p == '\0') {
			break;
		}
	}
	*ret_n = n;
	return 0;
}

/* The picture of some moments of the open run is the answer. */
static enum exit_status strip(struct app *app, const char *list, struct output *out)
{
	uint64_t ops[RUN_AT_STRIP_MAX];
	unsigned n = 0;

	if (app->hooks == NULL || app->hooks->strip == NULL) {
		return command_usage(out, "this front end has no pictures");
	}
	if (parse_ops(list, ops, &n, &out->error) < 0) {
		return EXIT_USAGE;
	}
	for (unsigned i = 0; i < n; i++) {
		pagesets_seek(app, ops[i]);
		if (pagesets_timeline(app)->at < ops[i]) {
			return command_usage(out, "there is no op %U; the run has %U", ops[i],
				pagesets_timeline(app)->at);
		}
	}
	return app->hooks->strip(app, ops, n, &out->text) == 0 ? EXIT_YES : EXIT_FAULT;
}

static void drop(const struct run_at_what *what)
{
	if (what->scenario != NULL) {
		zl_scenario_done(what->scenario);
	} else {
		what->feed.done(what->feed.user);
	}
}

/* Where nobody looks and no picture was asked for, the screen as labelled lines is the answer. */
static enum exit_status show_place(struct app *app, struct output *out)
{
	out->shown = out->explore;
	if (out->format != FORMAT_TEXT) {
		return command_usage(out, "--at shows one op as a screen, which is text; without "
					  "it the whole run is told as asked for");
	}
	if (!out->explore && !out->more && app->hooks->plain != NULL) {
		app->hooks->plain(app, false, &out->text);
	}
	return EXIT_YES;
}

enum exit_status run_at(struct app *app, const struct command_args *args,
	const struct run_at_what *what, struct output *out)
{
	const char *at = args_option(args, "--at"), *file = args_option(args, "--record");
	uint64_t op = 0;

	if (at != NULL && zl_parse_u64(at, &op) < 0) {
		drop(what);
		return command_usage(out, "--at %s is no op; a number", at);
	}
	int rc = what->scenario != NULL
			 ? pagesets_open_scenario(
				   app, what->name, what->scenario, what->options, &out->error)
			 : pagesets_open(app, what->name, what->config, &what->feed, &out->error);
	if (rc == 0 && what->scenario == NULL) {
		pagesets_came_from(app, args->word[0]);
	}
	if (rc == 0) {
		rc = app_show_screen(app, SCREEN_PAGESETS, &out->error);
	}
	if (rc < 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	pagesets_seek(app, op);
	if (pagesets_timeline(app)->at < op) {
		return command_usage(
			out, "there is no op %U; the run has %U", op, pagesets_timeline(app)->at);
	}
	if (args_option(args, "--strip") != NULL) {
		return strip(app, args_option(args, "--strip"), out);
	}
	if (file == NULL) {
		return show_place(app, out);
	}
	struct record_range range = {.from = op, .to = timeline_total(pagesets_timeline(app))};
	return record(app, file, &range, out);
}

enum exit_status run_at_zones(
	struct app *app, const struct command_args *args, bool list, struct output *out)
{
	struct run_zones zones = {.list = list, .zone = ZONES_LARGEST};
	struct run_at_what what = {.name = zones.title};
	struct zl_sim_config config;

	zl_format(zones.path, sizeof(zones.path), "%s", args->word[0]);
	int rc = run_zones_feed(app, &zones, &config, &what.feed, &out->error);
	if (rc != 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	what.config = &config;
	enum exit_status status = run_at(app, args, &what, out);
	if (app->pagesets != NULL) {
		app->pagesets->all->zones = zones;
	}
	return status;
}

static enum exit_status run_record(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct record_range range;
	uint64_t ops = RECORD_OPS;

	if (!command_words_ok(args, 1, 2, out)) {
		return EXIT_USAGE;
	}
	if (app_show_screen(app, SCREEN_PAGESETS, &out->error) < 0) {
		return EXIT_FAULT;
	}
	if (args->nr_words > 1 && zl_parse_u64(args->word[1], &ops) < 0) {
		return command_usage(out, "cannot record '%s' ops", args->word[1]);
	}
	uint64_t at = pagesets_timeline(app)->at, total = timeline_total(pagesets_timeline(app));
	range.from = at;
	range.to = ops < total - at ? at + ops : total;
	enum exit_status status = record(app, args->word[0], &range, out);
	pagesets_seek(app, at);
	if (status == EXIT_YES) {
		app_say(app, VALUE_LITERAL, "Ops %U to %U recorded in %s", range.from, range.to,
			args->word[0]);
	}
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.synopsis = "FILE.cast [OPS]",
	.flags = COMMAND_PROMPT,
	.help = "Record the animation from this op on, as asciicast",
	.more = "200 ops unless told otherwise, at the speed in force. An existing file is not "
		"overwritten.",
	.run = run_record,
};
