/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "front.h"
#include "help.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

#ifndef ZONELAB_VERSION
#define ZONELAB_VERSION "unknown"
#endif

/* One line on standard error: the program's name, then where and what. */
static int complain(const struct zl_error *err, int status)
{
	char line[1024];

	zl_error_format(err, line, sizeof(line));
	(void)fprintf(stderr, "zonelab: %s\n", line);
	return status;
}

/* The answer goes to -o FILE or standard output; a closed pipe is not a fault. */
static int deliver(const struct cli *cli, const char *data, size_t size)
{
	struct zl_error err = {0};
	const char *path = cli->out_file != NULL ? cli->out_file : "-";
	int r = zl_save(path, data, size, false, &err);

	if (r == -EPIPE) {
		return EXIT_YES;
	}
	return r < 0 ? complain(&err, EXIT_USAGE) : EXIT_YES;
}

static int deliver_output(const struct cli *cli, struct output *out)
{
	struct zl_buf all = {0};
	int status = EXIT_YES;
	char *json = NULL;

	if (out->json != NULL) {
		int r = zl_json_print(out->json, true, &json);
		if (r < 0) {
			struct zl_error err = {0};
			zl_error_set(&err, 0, 0,
				r == -ERANGE ? "a number is beyond 2^53, which JSON cannot carry"
					     : "no memory for the answer");
			return complain(&err, r == -ERANGE ? EXIT_USAGE : EXIT_FAULT);
		}
		zl_buf_fmt(&all, "%s", "");
		zl_buf_str(&all, json);
		zl_buf_chr(&all, '\n');
		zl_json_text_free(json);
	} else {
		zl_buf_mem(&all, zl_buf_text(&out->text), out->text.len);
	}
	if (all.failed || out->text.failed) {
		struct zl_error err = {0};
		zl_error_set(&err, 0, 0, "no memory for the answer");
		status = complain(&err, EXIT_FAULT);
	} else if (all.len > 0 || cli->out_file != NULL) {
		status = deliver(cli, zl_buf_text(&all), all.len);
	}
	zl_buf_done(&all);
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

/* Runs what was parsed and delivers its answer; the worse status wins. */
static int run_parsed(const struct cli *cli, struct app *app, const struct command_args *args)
{
	struct output out = {.format = format_of(cli)};
	int status = (int)args->command->run(app, args, &out);
	int delivered = EXIT_YES;

	if (status != EXIT_USAGE && status != EXIT_FAULT) {
		delivered = deliver_output(cli, &out);
	}
	if (out.error.text[0] != '\0') {
		(void)complain(&out.error, status);
	}
	output_done(&out);
	return delivered != EXIT_YES ? delivered : status;
}

static int run_subcommand(const struct cli *cli, struct app *app)
{
	struct command_args args;
	struct zl_error err = {0};

	if (command_parse_argv((int)cli->nr_rest, cli->rest, &args, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	return run_parsed(cli, app, &args);
}

static int run_batch(const struct cli *cli, struct app *app)
{
	int worst = EXIT_YES;

	for (size_t i = 0; i < cli->nr_command && !app->quit; i++) {
		struct command_args args;
		struct zl_error err = {0};

		if (command_parse(cli->command[i], &args, &err) < 0) {
			return complain(&err, EXIT_USAGE);
		}
		int status = run_parsed(cli, app, &args);
		if (status >= EXIT_USAGE) {
			return status;
		}
		worst = status > worst ? status : worst;
	}
	return worst;
}

/* Profile, files and settings in the order of precedence. Returns 0 or an exit status. */
static int prepare(const struct cli *cli, struct app *app, bool files)
{
	struct zl_error err = {0};

	if (cli->profile != NULL && front_profile(app, cli->profile, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	for (size_t i = 0; files && i < cli->nr_rest; i++) {
		if (front_open(app, cli->rest[i], &err) < 0) {
			return complain(&err, EXIT_USAGE);
		}
	}
	for (size_t i = 0; i < cli->nr_set; i++) {
		if (app_assign(app, cli->set[i], &err) < 0) {
			return complain(&err, EXIT_USAGE);
		}
	}
	if (cli->seed != NULL && zl_settings_set(&app_lane(app)->profile.settings, ZL_SET_SEED,
					 cli->seed, ZL_ORIGIN_GIVEN, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	app_resolve(app);
	return 0;
}

static int print_screen(const struct cli *cli, struct app *app)
{
	struct zl_buf text = {0};
	int status = EXIT_YES;

	app->cols = cli->screen_cols;
	app->rows = cli->screen_rows;
	front_screen_text(app, &text);
	status = deliver(cli, zl_buf_text(&text), text.len);
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
	const struct command *c = cli->nr_rest > 0 ? command_find(cli->rest[0]) : NULL;

	if (c != NULL) {
		help_command(c, &b);
	} else {
		help_usage(&b);
	}
	int status = deliver(cli, zl_buf_text(&b), b.len);
	zl_buf_done(&b);
	return status;
}

static int run_version(const struct cli *cli)
{
	char text[512];
	size_t n = zl_format(text, sizeof(text),
		"zonelab %s\nkernel releases known: %s to %s\nexplorer: %s\n", ZONELAB_VERSION,
		zl_breakpoint(0), zl_breakpoint(zl_breakpoint_count() - 1),
		front_has_explorer() ? "yes" : "no");

	return deliver(cli, text, n);
}

static int run(const struct cli *cli, struct app *app)
{
	const struct command *c = cli->nr_rest > 0 ? command_find(cli->rest[0]) : NULL;
	bool sub = c != NULL && (c->flags & COMMAND_CLI) != 0;
	int status = 0;

	app->ascii = cli->ascii;
	app->motion = !cli->no_motion;
	app->cols = cli->screen_cols > 0 ? cli->screen_cols : 80;
	app->rows = cli->screen_rows > 0 ? cli->screen_rows : 24;
	app->hooks = front_hooks();
	status = prepare(cli, app, !sub);
	if (status != 0) {
		return status;
	}
	if (sub) {
		status = run_subcommand(cli, app);
		if (status >= EXIT_USAGE || (cli->nr_command == 0 && cli->screen_cols == 0)) {
			return status;
		}
	}
	if (cli->nr_command > 0) {
		status = run_batch(cli, app);
		if (status >= EXIT_USAGE) {
			return status;
		}
	}
	if (cli->screen_cols > 0) {
		int printed = print_screen(cli, app);
		return printed != EXIT_YES ? printed : status;
	}
	return cli->nr_command > 0 || sub ? status : run_explorer(cli, app);
}

int cli_main(int argc, char **argv)
{
	struct cli cli;
	struct zl_error err = {0};
	static const char no_memory[] = "zonelab: no memory to start\n";

	if (cli_parse(argc, argv, &cli, &err) < 0) {
		return complain(&err, EXIT_USAGE);
	}
	if (cli.version) {
		return run_version(&cli);
	}
	if (cli.help) {
		return run_help(&cli);
	}
	struct app *app = front_app_new();
	if (app == NULL) {
		(void)!write(STDERR_FILENO, no_memory, sizeof(no_memory) - 1);
		return EXIT_FAULT;
	}
	int status = run(&cli, app);
	front_app_free(app);
	return status;
}
