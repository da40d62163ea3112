/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines at the prompt, of -c and of scripts: split into a command with its words and options, or
 * refused with a sentence, and in turn completed at any place.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz.h"

/* One line of so many is completed. */
#define COMPLETE_TURN 8

static bool inside(const struct command_args *args, const char *s)
{
	return s >= args->line && s < args->line + sizeof(args->line);
}

static void check_args(const struct command_args *args)
{
	if (args->command == NULL || args->nr_words > COMMAND_WORDS ||
		args->nr_options > COMMAND_WORDS) {
		abort();
	}
	for (size_t i = 0; i < args->nr_words; i++) {
		if (!inside(args, args->word[i])) {
			abort();
		}
	}
	for (size_t i = 0; i < args->nr_options; i++) {
		if (args->option[i].option == NULL || args->option[i].value == NULL) {
			abort();
		}
	}
}

/* The machine does not matter: the explorer as it starts, which nothing changes. */
static const struct app *started(void)
{
	static struct app app;

	if (app.alloc == NULL && app_init(&app) != 0) {
		abort();
	}
	return &app;
}

static void check_completion(const char *line, size_t point)
{
	static struct completions shown;

	command_complete(started(), line, point, &shown);
	if (shown.count > COMPLETIONS_MAX || shown.start > strlen(line)) {
		abort();
	}
	for (size_t i = 0; i < shown.count; i++) {
		fuzz_check_clean(shown.item[i].word, "");
		fuzz_check_clean(shown.item[i].value, "");
		fuzz_check_clean(shown.item[i].meaning, "");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct command_args args;
	char *line = fuzz_string(data, size);
	struct zl_error err = {0};

	if (line == NULL) {
		return 0;
	}
	if (command_parse(line, &args, &err) == 0) {
		check_args(&args);
	} else if (err.text[0] == '\0') {
		abort();
	}
	if (fuzz_turn(data, size, COMPLETE_TURN)) {
		check_completion(line, strlen(line));
		check_completion(line, strlen(line) / 2);
	}
	free(line);
	return 0;
}
