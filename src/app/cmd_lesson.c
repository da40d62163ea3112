/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands `lesson`, `answer` and `leave`.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "learn.h"
#include "lesson_text.h"
#include "ui.h"
#include "zonelab/file.h"
#include "zonelab/shipped.h"
#include "zonelab/text.h"

#define CHECK_SEEDS  25u
#define ANSWERS_MAX  (UINT64_C(1) << 16)
#define CHOICE_FIRST 1

static enum exit_status status_of(int rc)
{
	if (rc == -ENOEXEC) {
		return EXIT_NO;
	}
	return rc == 0 ? EXIT_YES : rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

/* The seed that was given, 0 when none was. */
static bool seed_of(const struct app *app, uint64_t *ret, struct output *out)
{
	const struct zl_settings *s = &app_lane_const(app)->profile.settings;

	*ret = 0;
	if (!zl_settings_given(s, ZL_SET_SEED)) {
		return true;
	}
	if (zl_parse_u64(zl_settings_text(s, ZL_SET_SEED), ret) != 0 || *ret == 0) {
		(void)command_usage(out, "seed %s is no number; a whole number from 1",
			zl_settings_text(s, ZL_SET_SEED));
		return false;
	}
	return true;
}

static enum exit_status grade(struct app *app, const struct command_args *args,
	struct lesson_what *what, struct output *out)
{
	const char *path = args_option(args, "--grade");
	struct lesson_answers answers;
	struct zl_file f = {0};
	unsigned wrong = 0;
	int rc = zl_file_load(path, ANSWERS_MAX, app->alloc, &f, &out->error);

	if (rc == 0) {
		rc = lesson_answers_parse(f.data, f.size, &answers, &out->error);
	}
	zl_file_done(&f, app->alloc);
	if (rc == 0 && what->name == NULL && answers.lesson[0] == '\0') {
		zl_error_set(&out->error, 1, 1,
			"no lesson is named; a line 'lesson NAME', or lesson NAME --grade FILE");
		rc = -EINVAL;
	}
	if (rc == 0) {
		const char *named = answers.lesson;
		if (what->name != NULL && named[0] != '\0' && strcmp(named, what->name) != 0 &&
			strchr(what->name, '/') == NULL && strchr(what->name, '.') == NULL) {
			zl_error_set(&out->error, 0, 0,
				"these are answers to the lesson %s, not to %s", named, what->name);
			rc = -EINVAL;
		}
		what->name = what->name != NULL ? what->name : named;
	}
	rc = rc != 0 ? rc : lesson_grade(app, what, &answers, out, &wrong);
	if (rc != 0) {
		if (out->error.line > 0 || out->error.file[0] == '\0') {
			zl_error_file(&out->error, path);
		}
		return status_of(rc);
	}
	return wrong > 0 ? EXIT_NO : EXIT_YES;
}

static enum exit_status check(struct app *app, const char *name, struct output *out)
{
	struct zl_lesson lesson;
	unsigned questions = 0;
	int rc = learn_check(app, name, CHECK_SEEDS, &out->error);

	rc = rc != 0 ? rc : zl_lesson_open(name, app->alloc, &lesson, &out->error);
	if (rc != 0) {
		return status_of(rc);
	}
	for (unsigned i = 0; i < lesson.nr_steps; i++) {
		questions += lesson.step[i].question.kind != ZL_LESSON_NOTHING ? 1 : 0;
	}
	if (out->format == FORMAT_JSON) {
		struct zl_json *o = output_json(out, "lesson-check");
		zl_json_add_string(o, "name", lesson.name);
		zl_json_add_int(o, "steps", lesson.nr_steps);
		zl_json_add_int(o, "questions", questions);
		zl_json_add_int(o, "seeds", CHECK_SEEDS);
	} else {
		zl_buf_fmt(&out->text, "%s: %u step%s, %u question%s, right under %u seeds\n",
			lesson.name, lesson.nr_steps, lesson.nr_steps == 1 ? "" : "s", questions,
			questions == 1 ? "" : "s", CHECK_SEEDS);
	}
	zl_lesson_done(&lesson);
	return EXIT_YES;
}

/* Opens the screen: on the list, or in a lesson. */
static enum exit_status show(struct app *app, const struct lesson_what *what, struct output *out)
{
	int rc = what->name != NULL ? learn_open(app, what->name, what->seed, &out->error) : 0;

	rc = rc != 0 ? rc : app_show_screen(app, SCREEN_LEARN, &out->error);
	if (rc == 0 && app->learn != NULL) {
		app->learn->animate = out->interactive || out->explore;
		app->overlay = OVERLAY_NONE;
		out->shown = true;
	}
	return status_of(rc);
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct lesson_what what = {.name = NULL};
	const bool handout = args_switch(args, "--handout");
	const bool checks = args_switch(args, "--check");
	const bool grades = args_option(args, "--grade") != NULL;

	if (!command_words_ok(args, 0, 1, out) || !seed_of(app, &what.seed, out)) {
		return EXIT_USAGE;
	}
	if (out->format == FORMAT_CSV && !grades) {
		return command_usage(out, "lesson has no --csv but with --grade; --json or text");
	}
	what.name = args->nr_words > 0 ? args->word[0] : NULL;
	if (handout + checks + grades > 1) {
		return command_usage(out, "one of --grade, --handout and --check at a time");
	}
	if (learn_open_now(app) && (handout || checks || grades)) {
		return command_usage(out, "a lesson is open; leave it first");
	}
	if (grades) {
		return grade(app, args, &what, out);
	}
	if (what.name == NULL && (handout || checks)) {
		return command_usage(
			out, "which lesson? a name (`zonelab list lessons`) or a file");
	}
	if (checks) {
		return check(app, what.name, out);
	}
	if (handout) {
		return status_of(lesson_handout(app, &what, out));
	}
	if (out->interactive || out->explore) {
		return show(app, &what, out);
	}
	if (what.name == NULL) {
		return command_run(app, "list lessons", out);
	}
	return status_of(lesson_print(app, &what, out));
}

static const struct command_option options[] = {
	{"--grade",   "FILE", false, "Judge the answers in FILE; status 1 if one is wrong"	},
	{"--handout", NULL,   false, "Print the lesson as Markdown, answers at the end"	     },
	{"--check",   NULL,	  false, "Try the lesson: every step, its answers under many seeds"},
	{NULL,	       NULL,   false, NULL						      },
};

const struct command cmd_lesson = {
	.name = "lesson",
	.synopsis = "[NAME|FILE] [--grade FILE|--handout|--check]",
	.flags = COMMAND_CLI | COMMAND_PROMPT | COMMAND_EXPLORES,
	.help = "Open a lesson, print it, judge answers to it",
	.more = "In a terminal the lesson opens on the Learn screen. Otherwise its captions and "
		"questions are printed. --seed chooses its numbers. zonelab-lesson(5) says how "
		"lessons and answers are written.",
	.options = options,
	.run = run,
};

/* ---- keys ---- */

static enum exit_status answer_words(
	struct app *app, const struct command_args *args, struct output *out)
{
	const char *word = args->word[args->nr_words - 1];
	uint64_t v = 0;

	if (!learn_open_now(app)) {
		return command_usage(out, "no lesson is open; lesson NAME opens one");
	}
	if (strcmp(word, "never") == 0) {
		return status_of(learn_predict(app, LEARN_NEVER, &out->error));
	}
	if (zl_parse_u64(word, &v) != 0 || v >= (uint64_t)LEARN_NEVER) {
		return command_usage(out,
			"cannot answer '%s'; a number of a choice, a number, an op, or never",
			word);
	}
	return status_of(learn_predict(app, (int64_t)v, &out->error));
}

static enum exit_status run_answer(
	struct app *app, const struct command_args *args, struct output *out)
{
	struct learn *l = learn_get(app);

	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	if (l == NULL) {
		return EXIT_FAULT;
	}
	l->animate = out->interactive;
	if (args->nr_words > 0) {
		return answer_words(app, args, out);
	}
	if (learn_open_now(app)) {
		return status_of(learn_enter(app, &out->error));
	}
	if (app->panel == LEARN_PANEL_VALUES && app->screen == SCREEN_LEARN) {
		ui_why(app);
		return EXIT_YES;
	}
	const struct zl_shipped *s = zl_shipped_at(ZL_SHIPPED_LESSONS, app->row[LEARN_PANEL_MAIN]);
	const struct lesson_what what = {.name = s != NULL ? s->name : NULL};
	return show(app, &what, out);
}

const struct command cmd_answer = {
	.name = "answer",
	.synopsis = "[N|never]",
	.flags = COMMAND_PROMPT,
	.help = "Answer the question of a lesson, or go on in it",
	.more = "Without a word: what is chosen on the Learn screen. N is the number of a choice, "
		"a "
		"number, or an op.",
	.run = run_answer,
};

static enum exit_status run_leave(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (learn_open_now(app)) {
		learn_leave(app);
		app_say(app, VALUE_NONE,
			"The lesson is left · Enter opens it again with new numbers");
	} else {
		ui_cancel(app);
	}
	return EXIT_YES;
}

const struct command cmd_leave = {
	.name = "leave",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Leave the lesson; your own machine and run come back",
	.more = "",
	.run = run_leave,
};
