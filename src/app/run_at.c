/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_at.h"

#include <errno.h>

#include "commands.h"
#include "pagesets.h"
#include "record.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#define RECORD_OPS 200u /* of `:record FILE`, from the present op on */

bool run_at_wanted(const struct command_args *args)
{
	return args_option(args, "--at") != NULL || args_option(args, "--record") != NULL;
}

/* Writes a recording of a stretch of the open run. */
static enum exit_status record(
	struct app *app, const char *file, const struct record_range *range, struct output *out)
{
	struct zl_buf b = {0};

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

static void drop(const struct run_at_what *what)
{
	if (what->scenario != NULL) {
		zl_scenario_done(what->scenario);
	} else {
		what->feed.done(what->feed.user);
	}
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
	if (file == NULL) {
		return EXIT_YES;
	}
	struct record_range range = {.from = op, .to = timeline_total(pagesets_timeline(app))};
	return record(app, file, &range, out);
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
