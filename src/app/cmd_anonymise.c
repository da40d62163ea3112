/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `anonymise`: a trace that can be given away.
 */
#include <errno.h>

#include "commands.h"
#include "replay_files.h"
#include "run_report.h"
#include "zonelab/anonymise.h"

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const struct zl_patience patience = {
		.stop = out->stop, .progress = out->progress, .user = out->patience_user};
	struct zl_anonymise how = {.write = run_write_trace, .user = out, .patience = &patience};
	struct zl_anonymised result;
	int rc;

	if (!command_words_ok(args, 1, 1, out) || !command_one_form("a trace", out)) {
		return EXIT_USAGE;
	}
	rc = replay_files(app, args, &out->error);
	if (rc != 0) {
		return EXIT_USAGE;
	}
	how.profile = &app_lane_const(app)->profile;
	rc = zl_anonymise(args->word[0], &how, app->alloc, &result, &out->error);
	if (rc == -EPIPE || (rc != 0 && out->error.text[0] == '\0')) {
		return run_failed(rc, out);
	}
	if (rc != 0) {
		return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	return result.complete ? EXIT_YES : EXIT_INTERRUPTED;
}

static const struct command_option options[] = {
	{"--zoneinfo", "FILE", true,
		"zoneinfo from before the trace, or another file about the machine"		   },
	{"--root",	   "DIR",  true,	"A copied /proc and /sys tree, or a flat folder of files"},
	{NULL,	       NULL,   false, NULL						     },
};

const struct command cmd_anonymise = {
	.name = "anonymise",
	.synopsis = "TRACE [--zoneinfo FILE] [--root DIR]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES_AFTER,
	.help = "Write a trace without names, process ids and addresses; its replay is the same",
	.more = "Task names and process ids are taken out (a worker of the kernel stays one), page "
		"frames lose their base, times "
		"start "
		"at zero, and everything that is no kmem event is left out. What zoneinfo, "
		"--profile and --set say of the machine is written to its head, so that `replay` "
		"needs no other file and gives the same digest. CPU numbers, orders, migratetypes, "
		"gfp_flags and distances in time and memory stay. -o FILE writes to a file.",
	.options = options,
	.run = run,
};
