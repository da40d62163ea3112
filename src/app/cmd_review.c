/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `review`: a battery of scenarios before and after a patch.
 */
#include <errno.h>

#include "commands.h"
#include "compare_report.h"
#include "review.h"

static void answer(struct app *app, const struct command_args *args, const struct review *r,
	const struct patch_answer *patch, struct output *out)
{
	struct zl_buf command = {0}, given = {0};
	struct review_answer a = {.r = r, .patch = patch};

	(out->format == FORMAT_MAIL ? compare_command_mailed : compare_command)(
		app, args, &command);
	zl_buf_chr(&given, '-'); /* words are put behind others */
	compare_given(app, &given);
	a.given = zl_buf_text(&given) + 1;
	a.reproduce = zl_buf_text(&command);
	review_report(&a, out);
	out->text.failed = out->text.failed || command.failed || given.failed;
	zl_buf_done(&command);
	zl_buf_done(&given);
}

/* Nothing to run: what was read, as `patch` says it. */
static void nothing(const struct patch_answer *patch, struct output *out)
{
	if (out->format == FORMAT_JSON) {
		patch_json(patch, out);
		return;
	}
	patch_report(patch, out);
	zl_buf_str(&out->text, "\nThe lanes before and after are the same: nothing to run.\n");
}

/* Whether any change can make the lanes differ, on some machine. */
static bool has_lane_items(const struct patch_answer *a)
{
	const struct patch_opened *p = a->p;
	bool differ = patch_changes_lanes(a->lanes);

	for (size_t i = 0; i < p->binding.nr_changes; i++) {
		const struct zl_change *c = &p->binding.change[i];

		/* Parts of a series may undo each other; conditions hold on other machines. */
		if (c->kind != ZL_CHANGE_SAME && c->kind != ZL_CHANGE_RANGE && c->after != NULL &&
			(differ || c->condition[0] != '\0' || c->kind == ZL_CHANGE_DEFAULT)) {
			return true;
		}
	}
	return false;
}

static int review(struct app *app, const struct command_args *args,
	const struct patch_answer *patch, struct output *out)
{
	struct review *r = NULL;
	int rc;

	if (patch->p->binding.nr_modelled == 0 ||
		(patch->p->nr_after == 0 && !has_lane_items(patch))) {
		nothing(patch, out);
		return 0;
	}
	rc = review_new(app, args, &r, &out->error);
	rc = rc != 0 ? rc : review_run(app, r, patch->p, &patch->base, out);
	if (rc == 0) {
		answer(app, args, r, patch, out);
		rc = r->stopped ? -EINTR : 0;
	}
	review_free(r);
	return rc;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	const struct patch_want want = {args->word, args->nr_words, args};
	struct patch_answer patch;
	int rc;

	if (!command_words_ok(args, 1, COMMAND_WORDS, out)) {
		return EXIT_USAGE;
	}
	rc = patch_open(&want, app_lane_const(app), app->alloc, &patch, &out->error);
	patch.machine = NULL; /* it runs on many */
	rc = rc != 0 ? rc : review(app, args, &patch, out);
	patch_close(&patch);
	if (rc == -EINTR) {
		return EXIT_INTERRUPTED;
	}
	return rc == 0 ? EXIT_YES : rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

static const struct command_option options[] = {
	{"--after",    "KEY=VALUE",			 true,
		"A setting that only the lane after has: a value for a new parameter or symbol"			       },
	{"--bind",	   "[FILE:]LINE=POINT[=EXPRESSION]", true,
		"Bind the change at this line of the file to a decision point by hand"				      },
	{"--machine",  "PROFILE",			 true,  "Only on this machine, a shipped profile or a file"  },
	{"--scenario", "S",			      true,  "Only this scenario"				      },
	{"--take",	   "VERSION",			      false, "Take this version of a thread instead of the newest"},
	{"--whole",    NULL,			     false, "The scenarios' long forms instead of the short ones"},
	{NULL,	       NULL,			     false, NULL						 },
};

const struct command cmd_review = {
	.name = "review",
	.synopsis = "FILE... [--scenario S]... [--machine PROFILE]... [--whole] [--take VERSION] "
		    "[--after KEY=VALUE]... "
		    "[--bind [FILE:]LINE=POINT[=EXPRESSION]]...",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "What a patch does to a battery of scenarios and machines, for the reply to it",
	.more = "The patch is read as by `patch` and becomes two lanes, before and after. Shipped "
		"scenarios run in both on shipped machines; the pairs are sorted by effect: the "
		"estimated throughput, then how often the zone lock is taken. The first divergence "
		"of the largest one is explained; machines are listed on which the patch helps, "
		"hurts, or switches free_high off; figures of machines that change are named. "
		"Ctrl-C stops it with the pairs so far. --mail is at most 72 columns wide. "
		"Estimates are the model's, no measurements: "
		"see "
		"`explain estimate`.",
	.options = options,
	.run = run,
};
