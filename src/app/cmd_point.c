/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the Sweep screen: its points, its definition, and files of it. */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "sweep_report.h"
#include "sweeps.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

static enum exit_status no_sweep(struct output *out)
{
	return command_usage(
		out, "no sweep is open; press 5, or :sweep TARGET --vary ... --metric ...");
}

static enum exit_status run_point(
	struct app *app, const struct command_args *args, struct output *out)
{
	const char *word = args->nr_words > 0 ? args->word[0] : "";

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->sweeps == NULL) {
		return no_sweep(out);
	}
	if (strcmp(word, "open") == 0) {
		return sweeps_open_lane(app, &out->error) == 0 ? EXIT_YES : EXIT_USAGE;
	}
	if (strcmp(word, "axes") == 0) {
		app->mode = MODE_PROMPT;
		app->prompt_error.text[0] = '\0';
		zl_format(app->prompt_start, sizeof(app->prompt_start), "%s", app->sweeps->line);
		return EXIT_YES;
	}
	if (strcmp(word, "lines") == 0) {
		app->sweeps->lines = !app->sweeps->lines && app->sweeps->sweep->nr_axes == 2;
		return EXIT_YES;
	}
	return command_usage(out, "%s is not known; point open, axes or lines", word);
}

const struct command cmd_point = {
	.name = "point",
	.synopsis = "open|axes|lines",
	.flags = COMMAND_PROMPT,
	.help = "The point of the Sweep screen as a lane; other axes; lines or cells",
	.more = "",
	.run = run_point,
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

static enum exit_status run_export(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct output file = {.format = FORMAT_CSV};
	struct sweep_shown shown;
	struct zl_buf text = {0};
	int rc = 0;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->sweeps == NULL) {
		return no_sweep(out);
	}
	shown = (struct sweep_shown){app->sweeps->sweep, app->sweeps->part.value,
		app->sweeps->part.have == app->sweeps->part.points};
	if (ends_with(args->word[0], ".svg")) {
		sweep_svg(&shown, &text);
	} else if (ends_with(args->word[0], ".json")) {
		char *json = NULL;

		file.format = FORMAT_JSON;
		sweep_report(&shown, &file);
		rc = zl_json_print(file.json, true, &json);
		if (rc == 0) {
			zl_buf_fmt(&text, "%s", "");
			zl_buf_str(&text, json);
			zl_buf_chr(&text, '\n');
			zl_json_text_free(json);
		}
	} else if (ends_with(args->word[0], ".csv")) {
		sweep_report(&shown, &file);
		zl_buf_str(&text, zl_buf_text(&file.text));
	} else {
		return command_usage(
			out, "%s: the name ends in .csv, .json or .svg", args->word[0]);
	}
	rc = rc != 0 ? rc
	     : text.failed
		     ? -ENOMEM
		     : zl_save(args->word[0], zl_buf_text(&text), text.len, false, &out->error);
	if (rc == 0) {
		app_say(app, VALUE_LITERAL, "Wrote %s", args->word[0]);
	}
	zl_buf_done(&text);
	output_done(&file);
	return rc == 0 ? EXIT_YES : rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

const struct command cmd_export = {
	.name = "export",
	.synopsis = "FILE",
	.flags = COMMAND_PROMPT,
	.help = "Write the sweep that is shown as .csv, .json or .svg",
	.more = "",
	.run = run_export,
};
