/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "front.h"
#include "help.h"
#include "machines.h"
#include "pagesets.h"
#include "patience.h"
#include "replay_show.h"
#include "run_show.h"
#include "zonelab/clean.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#ifndef ZONELAB_VERSION
#define ZONELAB_VERSION "unknown"
#endif

/* One run of the program. With -o the answer is kept until everything is done. */
struct session {
	const struct cli *cli;
	struct app *app;
	struct zl_buf answer;
	bool shown; /* a screen is the answer */
};

/* One line on standard error: the program's name, then where, what, and what would be right. */
static int complain(const struct zl_error *err, int status)
{
	char line[1024];

	zl_error_format(err, line, sizeof(line));
	zl_clean_line(line, sizeof(line), line, sizeof(line));
	(void)fprintf(stderr, "zonelab: %s\n", line);
	return status;
}

static int complain_at(const char *where, struct zl_error *err, int status)
{
	if (err->file[0] == '\0') {
		zl_error_file(err, where);
	}
	return complain(err, status);
}

static int no_memory(void)
{
	struct zl_error err = {0};

	zl_error_set(&err, 0, 0, "no memory for the answer; ask for less at a time");
	return complain(&err, EXIT_FAULT);
}

/* A closed pipe is not a fault: whoever read it has seen enough. */
static int deliver(const char *path, const struct zl_buf *b)
{
	struct zl_error err = {0};

	if (b->failed) {
		return no_memory();
	}
	int r = zl_save(path, zl_buf_text(b), b->len, false, &err);
	return r < 0 && r != -EPIPE ? complain(&err, EXIT_USAGE) : EXIT_YES;
}

/* A part of the answer, to standard output or to what -o will write at the end. */
static int add_answer(struct session *s, const struct zl_buf *b)
{
	if (s->cli->out_file == NULL) {
		return b->len > 0 || b->failed ? deliver("-", b) : EXIT_YES;
	}
	zl_buf_mem(&s->answer, zl_buf_text(b), b->len);
	return b->failed || s->answer.failed ? no_memory() : EXIT_YES;
}

/* Names and texts of the user may be in an answer; control characters may not. JSON escapes them. */
static void clean_text(struct zl_buf *b)
{
	if (b->data != NULL) {
		b->len = zl_clean_text(b->data, b->cap, b->data, b->len);
	}
}

static int add_json(struct session *s, const struct zl_json *json)
{
	struct zl_error err = {0};
	struct zl_buf b = {0};
	char *text = NULL;
	int r = zl_json_print(json, true, &text);

	if (r == -ERANGE) {
		zl_error_set(&err, 0, 0,
			"a number of the answer is above 2^53, which JSON cannot carry; smaller "
			"values, or text");
		return complain_at("--json", &err, EXIT_USAGE);
	}
	if (r < 0) {
		return no_memory();
	}
	zl_buf_str(&b, text);
	zl_buf_chr(&b, '\n');
	zl_json_text_free(text);
	int status = add_answer(s, &b);
	zl_buf_done(&b);
	return status;
}

static enum output_format format_of(const struct cli *cli)
{
	if (cli->json) {
		return FORMAT_JSON;
	}
	if (cli->csv) {
		return FORMAT_CSV;
	}
	return cli->mail ? FORMAT_MAIL : FORMAT_TEXT;
}

/* Long text goes out as it comes, unless -o keeps it. */
static int stream(void *user, const char *data, size_t n)
{
	struct session *s = user;

	if (s->cli->out_file == NULL) {
		return zl_save("-", data, n, false, NULL);
	}
	zl_buf_mem(&s->answer, data, n);
	return s->answer.failed ? -ENOMEM : 0;
}

/* Nobody can look at a screen, or another form of the answer was asked for. */
static bool unseen(const struct cli *cli)
{
	return cli->json || cli->csv || cli->mail || cli->out_file != NULL ||
	       isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0;
}

/* Whether a command may answer with a screen. */
static bool explores(const struct cli *cli, const struct command *c)
{
	const bool batch = cli->nr_command > 0 || cli->screen_cols > 0;

	return (c->flags & COMMAND_EXPLORES) != 0 && format_of(cli) == FORMAT_TEXT &&
	       (batch || !unseen(cli));
}

/* Runs what was parsed and delivers its answer; the worse status wins. */
static int run_parsed(struct session *s, const struct command_args *args)
{
	struct patience patience = {0};
	struct output out = {.format = format_of(s->cli),
		.quiet = s->cli->quiet,
		.explore = explores(s->cli, args->command),
		.more = s->cli->nr_command > 0 || s->cli->screen_cols > 0,
		.path = s->cli->out_file,
		.stream = stream,
		.stream_user = s,
		.stop = patience_stop,
		.progress = patience_progress,
		.patience_user = &patience};
	int status = (int)command_dispatch(s->app, args, &out);
	patience_end(&patience);
	int delivered = EXIT_YES;

	if (status != EXIT_USAGE && status != EXIT_FAULT) {
		output_fold(&out);
		clean_text(&out.text);
		if (!out.verbatim) {
			front_fit_glyphs(s->app, &out.text);
		}
		delivered = out.json != NULL ? add_json(s, out.json) : add_answer(s, &out.text);
	}
	if (out.error.text[0] != '\0') {
		(void)complain_at(args->command->name, &out.error, status);
	}
	s->shown = s->shown || out.shown;
	output_done(&out);
	return delivered != EXIT_YES ? delivered : status;
}

static int run_batch(struct session *s)
{
	const struct cli *cli = s->cli;
	int worst = EXIT_YES;

	for (size_t i = 0; i < cli->nr_command && !s->app->quit; i++) {
		struct command_args args;
		struct zl_error err = {0};

		if (command_parse(cli->command[i], &args, &err) < 0) {
			return complain_at("-c", &err, EXIT_USAGE);
		}
		int status = run_parsed(s, &args);
		if (status >= EXIT_USAGE) {
			return status;
		}
		worst = status > worst ? status : worst;
	}
	return worst;
}

/* --set and --seed; "default" takes away what a profile or file gave. */
static int assign_all(const struct cli *cli, struct zl_settings *settings, struct zl_error *err)
{
	for (size_t i = 0; i < cli->nr_set; i++) {
		int r = zl_settings_assign(settings, cli->set[i], ZL_ORIGIN_GIVEN, err);
		if (r < 0) {
			zl_error_file(err, "--set");
			return r;
		}
	}
	if (cli->seed == NULL) {
		return 0;
	}
	int r = zl_settings_set(settings, ZL_SET_SEED, cli->seed, ZL_ORIGIN_GIVEN, err);
	if (r < 0) {
		zl_error_file(err, "--seed");
	}
	return r;
}

/* --policy, onto the lane as it is now. */
static int give_policies(const struct session *s, struct zl_error *err)
{
	const struct zl_policy_in in = {
		.mem = s->app->alloc,
		.origin = ZL_ORIGIN_GIVEN,
	};

	for (size_t i = 0; i < s->cli->nr_policy; i++) {
		int r = zl_policy_parse(
			&app_lane(s->app)->profile.policies, s->cli->policy[i], &in, err);
		if (r < 0) {
			err->line = err->column > 0 ? 1 : 0;
			zl_error_file(err, "--policy");
			return r;
		}
	}
	return 0;
}

/*
 * Built-in machine, files in their order, --profile, --set: later wins. With @explore files choose
 * the screen too.
 */
static int prepare(struct session *s, const char *const *files, size_t nr_files, bool explore)
{
	const struct cli *cli = s->cli;
	struct zl_error err = {0};
	struct zl_settings given = {0};

	/* Files that open a run want all of it at once; a machine that comes later keeps it. */
	if (assign_all(cli, &given, &err) < 0 || give_policies(s, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	if (explore && nr_files > 0 && cli->profile != NULL &&
		front_profile(s->app, cli->profile, &err) < 0) {
		return complain_at("--profile", &err, EXIT_USAGE);
	}
	if (nr_files > 0 &&
		(explore ? front_open : front_files)(s->app, files, nr_files, &given, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	if (cli->profile != NULL && front_profile(s->app, cli->profile, &err) < 0) {
		return complain_at("--profile", &err, EXIT_USAGE);
	}
	(void)assign_all(cli, &app_lane(s->app)->profile.settings, NULL);
	if (give_policies(s, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	app_resolve(s->app);
	if (explore && front_open_trace(s->app, files, nr_files, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	return EXIT_YES;
}

static int print_screen(struct session *s)
{
	struct zl_buf text = {0};

	app_resize(s->app, s->cli->screen_rows, s->cli->screen_cols);
	app_settle(s->app);
	front_screen_text(s->app, &text);
	int status = add_answer(s, &text);
	zl_buf_done(&text);
	return status;
}

static int run_explorer(const struct cli *cli, struct app *app)
{
	struct front_options options = {
		.color = cli->color, .glyphs = cli->glyphs, .ascii = cli->ascii};
	struct zl_error err = {0};
	int status = front_explore(app, &options, &err);

	return err.text[0] != '\0' ? complain(&err, status) : status;
}

static int run_help(const struct cli *cli)
{
	struct zl_buf b = {0};
	const struct command *c = cli->nr_before > 0 ? command_find(cli->rest[0]) : NULL;

	if (c != NULL) {
		help_command(c, &b);
	} else {
		help_usage(&b);
	}
	int status = deliver(cli->out_file != NULL ? cli->out_file : "-", &b);
	zl_buf_done(&b);
	return status;
}

static int run_version(const struct cli *cli)
{
	struct zl_buf b = {0};

	zl_buf_fmt(&b, "zonelab %s\nkernel releases known: %s to %s\nexplorer: %s\n",
		ZONELAB_VERSION, zl_breakpoint(0), zl_breakpoint_newest(),
		front_has_explorer() ? "yes" : "no");
	int status = deliver(cli->out_file != NULL ? cli->out_file : "-", &b);
	zl_buf_done(&b);
	return status;
}

/* Prepares and runs the subcommand, -c and --screen, as far as they are there. */
static int run_all(struct session *s, const struct command *sub)
{
	const struct cli *cli = s->cli;
	struct command_args args = {0};
	struct zl_error err = {0};
	int status = EXIT_YES;
	size_t own = cli_own_words(sub, cli->nr_rest);

	if (sub != NULL && cli_parse_subcommand(cli, &args, &err) < 0) {
		return complain_at(sub->name, &err, EXIT_USAGE);
	}
	if (sub == NULL ? cli_check_words(NULL, cli->rest, cli->nr_rest, &err) < 0
			: cli_check_words(sub, args.word, args.nr_words, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	if (sub == NULL) {
		status = prepare(s, cli->rest, cli->nr_rest, true);
		if (status == EXIT_YES && cli_open_lanes(s->app, cli, &err) < 0) {
			return complain_at("--lane", &err, EXIT_USAGE);
		}
	} else if (cli->nr_lane > 0) {
		zl_error_set(&err, 0, 0, "stands behind the command: zonelab %s ... --lane %s",
			sub->name, cli->lane[0]);
		return complain_at("--lane", &err, EXIT_USAGE);
	} else {
		own = args.nr_words < own ? args.nr_words : own;
		status = prepare(s, args.word + own, args.nr_words - own, false);
		args.nr_words = own;
	}
	if (status == EXIT_YES && sub != NULL) {
		status = run_parsed(s, &args);
	}
	if (status < EXIT_USAGE && cli->nr_command > 0) {
		int batch = run_batch(s);
		status = batch > status ? batch : status;
	}
	if (status < EXIT_USAGE && cli->screen_cols > 0) {
		int printed = print_screen(s);
		status = printed > status ? printed : status;
	}
	return status;
}

/* A kernel without pagesets has no story to open on. */
static void open_story(struct session *s)
{
	struct zl_error err = {0};

	(void)machine_open_story(s->app, s->cli->nr_rest > 0, &err);
}

static int run(struct session *s);

/* A session, without a terminal: the screen that it was saved on, as labelled lines. */
static int answer_session(struct session *s)
{
	struct zl_buf text = {0};

	s->app->hooks->plain(s->app, false, &text);
	int status = add_answer(s, &text);
	zl_buf_done(&text);
	if (status == EXIT_YES && s->cli->out_file != NULL) {
		status = deliver(s->cli->out_file, &s->answer);
	}
	return status;
}

/* The first file that is a trace, or their number. */
static size_t find_trace(const struct cli *cli)
{
	size_t i = 0;

	while (i < cli->nr_rest && !replay_recognise(cli->rest[i])) {
		i++;
	}
	return i;
}

/* The same command line as that of a subcommand, whose first word is the file @first. */
static int answer_with(const struct session *s, const char *subcommand, size_t first)
{
	struct cli cli = *s->cli;
	struct session again = {.cli = &cli, .app = front_app_new()};
	struct zl_error err = {0};
	const char *file = cli.rest[first];

	if (again.app == NULL || cli.nr_rest == CLI_LIST_MAX) {
		zl_error_set(&err, 0, 0, "no memory or too many files; name fewer");
		return complain(&err, EXIT_FAULT);
	}
	memcpy(cli.rest + 2, s->cli->rest, first * sizeof(cli.rest[0]));
	memcpy(cli.rest + 2 + first, s->cli->rest + first + 1,
		(cli.nr_rest - first - 1) * sizeof(cli.rest[0]));
	cli.rest[0] = subcommand;
	cli.rest[1] = file;
	cli.nr_rest++;
	cli.nr_before++;
	cli.nr_lane = 0;
	if (!cli_add_lanes(s->cli, &cli)) {
		zl_error_set(&err, 0, 0, "too many arguments; name fewer");
		front_app_free(again.app);
		return complain(&err, EXIT_USAGE);
	}
	int status = run(&again);
	zl_buf_done(&again.answer);
	front_app_free(again.app);
	return status;
}

/* Files alone, without a terminal: the subcommand that says what the explorer would open on. */
static int answer_files(const struct session *s)
{
	const enum app_screen screen = s->app->screen;

	return answer_with(s,
		screen == SCREEN_RESERVE    ? "reserve"
		: screen == SCREEN_PAGESETS ? (s->cli->nr_lane > 0 ? "compare" : "run")
		: screen == SCREEN_COMPARE  ? "patch"
					    : "explain-my-machine",
		0);
}

/* Whether files alone are to be answered, not explored. */
static bool only_files(const struct session *s, const struct command *sub)
{
	const struct cli *cli = s->cli;

	return sub == NULL && cli->nr_command == 0 && cli->screen_cols == 0 && cli->nr_rest > 0 &&
	       unseen(cli);
}

static int run(struct session *s)
{
	const struct cli *cli = s->cli;
	const struct command *sub = NULL;
	struct zl_error err = {0};
	int status;

	if (cli_find_subcommand(cli, &sub, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	if (only_files(s, sub)) {
		size_t trace = find_trace(cli);

		if (trace < cli->nr_rest) {
			return answer_with(s, "replay", trace);
		}
	}
	front_glyphs(s->app, cli->glyphs, cli->ascii);
	s->app->motion = !cli->no_motion;
	app_resize(s->app, cli->screen_rows > 0 ? cli->screen_rows : 24,
		cli->screen_cols > 0 ? cli->screen_cols : 80);
	s->app->hooks = front_hooks(cli->nr_command == 0 && cli->screen_cols == 0 && !unseen(cli));
	status = run_all(s, sub);
	if (s->shown && cli->nr_command == 0 && cli->screen_cols == 0 && status == EXIT_YES) {
		return run_explorer(cli, s->app);
	}
	if (sub == NULL && cli->nr_command == 0 && cli->screen_cols == 0 && status == EXIT_YES) {
		if (s->app->session_file[0] != '\0' && unseen(cli)) {
			return answer_session(s);
		}
		if (only_files(s, sub)) {
			return answer_files(s);
		}
		open_story(s);
		return run_explorer(cli, s->app);
	}
	if (cli->out_file != NULL && (status < EXIT_USAGE || status == EXIT_INTERRUPTED)) {
		int written = deliver(cli->out_file, &s->answer);
		status = written != EXIT_YES ? written : status;
	}
	return status;
}

static int main_status(const struct cli *cli)
{
	static const char message[] = "zonelab: no memory to start; free some\n";

	if (cli->version) {
		return run_version(cli);
	}
	if (cli->help) {
		return run_help(cli);
	}
	struct session s = {.cli = cli, .app = front_app_new()};
	if (s.app == NULL) {
		(void)!write(STDERR_FILENO, message, sizeof(message) - 1);
		return EXIT_FAULT;
	}
	int status = run(&s);
	zl_buf_done(&s.answer);
	front_app_free(s.app);
	return status;
}

/* check --bisect: what kept it from judging, also a bad option, is no verdict. */
int cli_main(int argc, char **argv)
{
	struct cli cli;
	struct zl_error err = {0};
	const int status = cli_parse(argc, argv, &cli, &err) < 0
				   ? complain_at("command line", &err, EXIT_USAGE)
				   : main_status(&cli);

	return (status == EXIT_USAGE || status == EXIT_FAULT) && cli_bisects(&cli) ? EXIT_SKIP
										   : status;
}
