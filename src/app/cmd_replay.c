/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `replay`: a recorded trace, judged first, then under what-ifs.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "replay_files.h"
#include "replay_ops.h"
#include "replay_report.h"
#include "run_report.h"

static enum exit_status failed(int rc, struct output *out)
{
	if (rc == -ENOEXEC) {
		return EXIT_NO;
	}
	if (rc == -ENOMEM || rc == -EILSEQ) {
		return run_failed(rc, out);
	}
	return EXIT_USAGE;
}

static struct zl_patience patience_of(const struct output *out)
{
	return (struct zl_patience){
		.stop = out->stop, .progress = out->progress, .user = out->patience_user};
}

static int run_lanes(struct app *app, const struct command_args *args, const struct replay_job *j,
	struct output *out, struct replay_lanes **ret)
{
	const struct zl_patience patience = patience_of(out);
	const char *text[COMMAND_WORDS];
	unsigned n = 0;
	int rc;

	for (size_t i = 0; i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, "--lane") == 0) {
			text[n++] = args->option[i].value;
		}
	}
	*ret = NULL;
	if (n == 0 || !j->result.complete) {
		return 0;
	}
	rc = replay_lanes_new(j, text, n, ret, &out->error);
	if (rc == 0) {
		rc = replay_lanes_run(*ret, j, &patience, &out->error);
	}
	if (rc != 0) {
		replay_lanes_free(*ret, app->alloc);
		*ret = NULL;
	}
	return rc;
}

static void answer(const struct replay_job *j, const struct replay_lanes *l, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		replay_answer_json(j, l, out);
	} else if (out->format == FORMAT_CSV) {
		replay_csv(j, l, out);
	} else {
		replay_report_text(j, out);
		if (l != NULL) {
			replay_lanes_text(j, l, out);
		}
	}
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const struct zl_patience patience = patience_of(out);
	struct replay_ask ask = {.zone = args_option(args, "--zone"), .patience = &patience};
	struct replay_lanes *lanes = NULL;
	struct replay_job *j = NULL;
	bool complete;
	int rc;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (args_option(args, "--write-ops") != NULL && !command_one_form("an op list", out)) {
		return EXIT_USAGE;
	}
	ask.path = args->word[0];
	rc = replay_files(app, args, &out->error);
	rc = rc != 0 ? rc : replay_job_new(app, &ask, &j, &out->error);
	if (rc != 0) {
		return failed(rc, out);
	}
	if (args_option(args, "--write-ops") != NULL) {
		rc = replay_write_ops(j, args_option(args, "--write-ops"), out);
		replay_job_free(j);
		return rc == 0 ? EXIT_YES : run_failed(rc, out);
	}
	rc = run_lanes(app, args, j, out, &lanes);
	if (rc != 0) {
		replay_job_free(j);
		return failed(rc, out);
	}
	answer(j, lanes, out);
	complete = j->result.complete && (lanes == NULL || lanes->complete);
	replay_lanes_free(lanes, app->alloc);
	replay_job_free(j);
	return complete ? EXIT_YES : EXIT_INTERRUPTED;
}

static const struct command_option options[] = {
	{"--zoneinfo",  "FILE", true,
		"zoneinfo from before the trace, or another file about the machine"			   },
	{"--root",	   "DIR",  true,	"A copied /proc and /sys tree, or a flat folder of files"},
	{"--zone",	   "ZONE", false,
		"The zone to replay, such as DMA32 or 1/Normal; else that with most events"		   },
	{"--lane",	   "LANE", true,	 "The same demand under a what-if, NAME:ITEM,ITEM..."     },
	{"--write-ops", "FILE", false, "Write start and demand as an op list instead"	     },
	{NULL,	       NULL,   false, NULL						     },
};

const struct command cmd_replay = {
	.name = "replay",
	.synopsis = "TRACE [--zoneinfo FILE] [--root DIR] [--zone ZONE] [--lane LANE]... "
		    "[--write-ops FILE]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_FILES_AFTER,
	.help = "Replay a recorded trace: how well the model explains it, then other what-ifs",
	.more = "TRACE is text of tracefs, `trace-cmd report` or `perf script`, with "
		"mm_page_alloc and the other kmem events, gzip or not, or a trace.dat where "
		"libtracecmd is there; - is standard input. The recorded machine comes from "
		"zoneinfo and other files, --profile and --set, all as facts of that machine; "
		"--set kernel= is needed unless the trace or a file says it. First the recorded "
		"machine's own "
		"design is replayed and compared with the refills and drains of the trace; a score "
		"says how many of those that can be judged came on the same op with the same "
		"number. Near are those of another number, and those that come a little earlier or "
		"later. Then each --lane gets the same demand. --write-ops - prints "
		"the ops, "
		"start and "
		"demand, for `run` and `compare`; running them gives the same digest. Recording is "
		"described in zonelab(1).",
	.options = options,
	.run = run,
};
