/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `source`: the lines of a file, run as the prompt would run them.
 */
#include <string.h>

#include "commands.h"
#include "zonelab/file.h"
#include "zonelab/text.h"

/** Scripts that call scripts. */
#define SOURCE_DEPTH_MAX 8
/** Largest script, in bytes. */
#define SOURCE_SIZE_MAX (UINT64_C(1) << 20)

/* Adds what a line answered to the answer of the script. */
static void add_answer(struct output *out, const struct output *line)
{
	char *text = NULL;

	if (line->json == NULL) {
		zl_buf_mem(&out->text, zl_buf_text(&line->text), line->text.len);
	} else if (zl_json_print(line->json, true, &text) == 0) {
		zl_buf_str(&out->text, text);
		zl_buf_chr(&out->text, '\n');
		zl_json_text_free(text);
	} else {
		out->text.failed = true;
	}
}

static enum exit_status run_line(struct app *app, const char *text, struct output *out)
{
	struct output line = {.format = out->format,
		.quiet = out->quiet,
		.stop = out->stop,
		.progress = out->progress,
		.patience_user = out->patience_user};
	enum exit_status status = command_run(app, text, &line);

	if (status < EXIT_USAGE) {
		add_answer(out, &line);
	}
	if (line.error.text[0] != '\0') {
		out->error = line.error;
	}
	output_done(&line);
	return status;
}

static enum exit_status run_lines(struct app *app, const struct zl_file *f, struct output *out)
{
	enum exit_status worst = EXIT_YES;
	char text[COMMAND_LINE];
	struct zl_lines lines;
	struct zl_line line;
	struct zl_text t;

	zl_lines_init(&lines, f->data, f->size);
	while (!app->quit && zl_lines_next(&lines, &line)) {
		enum exit_status status = EXIT_USAGE;

		zl_text_init(&t, text, sizeof(text));
		zl_text_strn(&t, line.s, line.len);
		const char *start = text + strspn(text, " \t");
		if (*start == '\0' || *start == '#') {
			continue;
		}
		if (t.cut || memchr(line.s, '\0', line.len) != NULL) {
			zl_error_set(&out->error, 0, 0,
				"is no command line; text of at most %u bytes",
				(unsigned)COMMAND_LINE - 1);
		} else {
			status = run_line(app, start, out);
		}
		if (status >= EXIT_USAGE && out->error.line == 0) {
			out->error.line = line.number;
			zl_error_file(&out->error, f->name);
		}
		if (status >= EXIT_USAGE) {
			return status;
		}
		worst = status > worst ? status : worst;
	}
	return worst;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_file f = {0};

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->source_depth == SOURCE_DEPTH_MAX) {
		return command_usage(out, "scripts call scripts %u deep; at most that",
			(unsigned)SOURCE_DEPTH_MAX);
	}
	if (zl_file_load(args->word[0], SOURCE_SIZE_MAX, app->alloc, &f, &out->error) < 0) {
		return EXIT_USAGE;
	}
	app->source_depth++;
	enum exit_status status = run_lines(app, &f, out);
	app->source_depth--;
	zl_file_done(&f, app->alloc);
	return status;
}

const struct command cmd_source = {
	.name = "source",
	.synopsis = "FILE",
	.flags = COMMAND_PROMPT,
	.help = "Run the commands of a file, one a line",
	.more = "Blank lines and lines that begin with # are left out. The first mistake ends it, "
		"named by file and line; otherwise the worst exit status counts.",
	.run = run,
};
