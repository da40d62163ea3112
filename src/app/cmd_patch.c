/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `patch`: what patches change in the model.
 */
#include <errno.h>

#include "commands.h"
#include "patch_open.h"
#include "patch_report.h"

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const struct patch_want want = {args->word, args->nr_words, args};
	struct patch_answer a;
	int rc;

	if (!command_words_ok(args, 1, COMMAND_WORDS, out)) {
		return EXIT_USAGE;
	}
	if (out->format == FORMAT_CSV) {
		return command_usage(out, "patch has no --csv; --json or text");
	}
	rc = patch_open(&want, app_lane_const(app), app->alloc, &a, &out->error);
	if (rc == 0 && out->format == FORMAT_JSON) {
		patch_json(&a, out);
	} else if (rc == 0) {
		patch_report(&a, out);
	}
	patch_close(&a);
	return rc == 0 ? EXIT_YES : rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

static const struct command_option options[] = {
	{"--after", "KEY=VALUE",			 true,
		"A setting that only the lane after has: a value for a new parameter or symbol"			       },
	{"--bind",  "[FILE:]LINE=POINT[=EXPRESSION]", true,
		"Bind the change at this line of the file to a decision point by hand"				      },
	{"--take",  "VERSION",			      false, "Take this version of a thread instead of the newest"},
	{NULL,      NULL,			     false, NULL						 },
};

const struct command cmd_patch = {
	.name = "patch",
	.synopsis = "FILE... [--take VERSION] [--after KEY=VALUE]... [--bind "
		    "[FILE:]LINE=POINT[=EXPRESSION]]...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "What a patch changes in the model, and what it changes beside it",
	.more = "FILE is a diff, the output of git format-patch, a mail (quoted-printable, base64, "
		"attachments), an mbox or a thread copied from an archive, also quoted, wrapped or "
		"without line breaks. Of several versions the newest counts, of repeated and "
		"quoted "
		"diffs one; parts of a series are taken in order. Both sides of each hunk are read "
		"as C or Kconfig: a change is bound to a decision point (`list decision-points`) "
		"when its old side is the rule of a release, whatever the words, temporaries, "
		"helpers or macros; to a setting when it changes a default. The rest is listed "
		"with "
		"its line and the reason, and can be bound with --bind. The release is that of the "
		"old side; --set kernel= overrides it. The lanes are those that `compare` takes; "
		"`review` runs them.",
	.options = options,
	.run = run,
};
