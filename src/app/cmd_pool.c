/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `pool` and `write-fix`: changing and correcting the reservations of the Reserve screen.
 */
#include <string.h>

#include "commands.h"
#include "pools.h"
#include "ui.h"

static enum exit_status show_fix(struct app *app, struct output *out)
{
	struct zl_buf text = {0};

	reserve_fix_text(app->pools->r, &text);
	if (text.failed) {
		zl_error_set(&out->error, 0, 0, "no memory for the text");
	} else if (text.len == 0) {
		app_say(app, VALUE_NONE, "Nothing to correct: no CMA pool is refused");
	} else if (out->interactive) {
		ui_show_text(app, OVERLAY_TEXT, "Fix, as a diff", &text);
		app_say(app, VALUE_NONE, ":write-fix FILE writes it · Esc back");
	} else {
		zl_buf_str(&out->text, zl_buf_text(&text));
	}
	zl_buf_done(&text);
	return out->error.text[0] != '\0' ? EXIT_FAULT : EXIT_YES;
}

static enum exit_status with_text(
	struct app *app, const struct command_args *args, struct output *out)
{
	bool add = strcmp(args->word[0], "add") == 0;

	if (args->nr_words == 1) {
		pools_open_field(app, add ? POOLS_FIELD_ADD : POOLS_FIELD_CHANGE);
		return EXIT_YES;
	}
	return (add ? pools_add : pools_change)(app, args->word[1], &out->error) == 0 ? EXIT_YES
										      : EXIT_USAGE;
}

static enum exit_status run_pool(
	struct app *app, const struct command_args *args, struct output *out)
{
	const char *w = args->nr_words > 0 ? args->word[0] : "";
	bool text = strcmp(w, "add") == 0 || strcmp(w, "change") == 0;

	if (!command_words_ok(args, 1, text ? 2 : 1, out)) {
		return EXIT_USAGE;
	}
	if (app_show_screen(app, SCREEN_RESERVE, &out->error) < 0) {
		return EXIT_FAULT;
	}
	if (text) {
		return with_text(app, args, out);
	}
	if (strcmp(w, "remove") == 0) {
		return pools_remove(app, &out->error) == 0 ? EXIT_YES : EXIT_USAGE;
	}
	if (strcmp(w, "move") == 0) {
		pools_hold(app, POOLS_MOVE);
	} else if (strcmp(w, "resize") == 0) {
		pools_hold(app, POOLS_RESIZE);
	} else if (strcmp(w, "fix") == 0) {
		return show_fix(app, out);
	} else {
		return command_usage(
			out, "pool cannot '%s'; add, change, remove, move, resize or fix", w);
	}
	return EXIT_YES;
}

const struct command cmd_pool = {
	.name = "pool",
	.synopsis = "add|change [SIZE[@BASE]] | remove|move|resize|fix",
	.flags = COMMAND_PROMPT,
	.help = "Change the focused pool of the Reserve screen, or add one",
	.more = "move and resize let the arrows go by pageblocks until Enter takes or Esc gives "
		"up; "
		"fix shows the corrected source as a diff.",
	.run = run_pool,
};

static enum exit_status run_write_fix(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->pools == NULL) {
		return command_usage(
			out, "there is nothing to correct; `reserve FILE` opens a device tree");
	}
	if (pools_write_fix(app, args->word[0], &out->error) != 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "Written to %s", args->word[0]);
	return EXIT_YES;
}

const struct command cmd_write_fix = {
	.name = "write-fix",
	.synopsis = "FILE",
	.flags = COMMAND_PROMPT,
	.help = "Write the corrected device-tree source of the Reserve screen",
	.more = "Whole or not at all; an existing file stays. Only the numbers that have to change "
		"are touched. A name that ends in .diff or .patch gets a unified diff.",
	.run = run_write_fix,
};
