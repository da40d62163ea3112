/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `save` and `restore`: sessions.
 */
#include <errno.h>

#include "commands.h"
#include "session.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

static enum exit_status run_save(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_buf text = {0};

	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	bool again = args->nr_words == 0;
	const char *file = again ? app->session_file : args->word[0];
	if (file[0] == '\0') {
		return command_usage(out, "this session has no file yet; save FILE");
	}
	int rc = session_text(app, &text);
	if (rc < 0) {
		zl_buf_done(&text);
		zl_error_set(&out->error, 0, 0, "no memory for the session; nothing was written");
		return EXIT_FAULT;
	}
	rc = zl_save(file, zl_buf_text(&text), text.len, again, &out->error);
	zl_buf_done(&text);
	if (rc < 0) {
		return EXIT_USAGE;
	}
	if (!again) {
		zl_format(app->session_file, sizeof(app->session_file), "%s", file);
	}
	app->dirty = false;
	app_say(app, VALUE_LITERAL, "Session written to %s · zonelab %s opens it again", file,
		file);
	return EXIT_YES;
}

const struct command cmd_save = {
	.name = "save",
	.synopsis = "[FILE]",
	.flags = COMMAND_PROMPT,
	.help = "Write the session: lanes, run with its branches, place, bookmarks, breakpoints",
	.more = "zonelab FILE opens it again. An existing file is not overwritten; save alone "
		"writes "
		"the file of this session again. Undo starts anew, and reserved memory and sweeps "
		"are "
		"not kept; write-fix and export keep those.",
	.run = run_save,
};

static enum exit_status run_restore(
	struct app *app, const struct command_args *args, struct output *out)
{
	char file[4096];

	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (zl_state_path(SESSION_UNSAVED, file, sizeof(file)) < 0) {
		return command_usage(
			out, "there is no state directory; set HOME or XDG_STATE_HOME");
	}
	int rc = session_open(app, file, &out->error);
	if (rc < 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	app->dirty = true;
	app_say(app, VALUE_NONE,
		"The work of the session before is here again · :save FILE keeps it");
	return EXIT_YES;
}

const struct command cmd_restore = {
	.name = "restore",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Open what a session left unsaved that ended in a crash",
	.more = "While there are unsaved edits the explorer keeps them in unsaved.json in the "
		"state "
		"directory ($XDG_STATE_HOME/zonelab).",
	.run = run_restore,
};
