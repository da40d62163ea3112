/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a command line, one a line of the input: each word ends in one place, and what is
 * wrong is said.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "command.h"
#include "fuzz.h"

#define WORDS_MAX 300 /* more than a list of the command line holds */

static int split(char *text, char **word)
{
	int n = 0;

	word[n++] = text;
	for (char *p = text; *p != '\0' && n < WORDS_MAX; p++) {
		if (*p == '\n') {
			*p = '\0';
			word[n++] = p + 1;
		}
	}
	word[n] = NULL;
	return n;
}

/* What is left for the command. */
static void check_command(const struct cli *cli)
{
	static struct command_args args;
	struct zl_error err = {0};

	if (cli->nr_before == 0 || command_find(cli->rest[0]) == NULL) {
		return;
	}
	if (command_parse_argv((int)cli->nr_rest, cli->rest, &args, &err) != 0) {
		if (err.text[0] == '\0') {
			abort();
		}
		return;
	}
	if (args.command == NULL || args.nr_words > COMMAND_WORDS ||
		args.nr_options > COMMAND_WORDS) {
		abort();
	}
	for (size_t i = 0; i < args.nr_options; i++) {
		if (args.option[i].option == NULL || args.option[i].value == NULL) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct cli cli;
	char *word[WORDS_MAX + 1];
	char *text = fuzz_string(data, size);
	struct zl_error err = {0};

	if (text == NULL) {
		return 0;
	}
	int n = split(text, word);
	if (cli_parse(n, word, &cli, &err) != 0) {
		if (err.text[0] == '\0') {
			abort();
		}
	} else if (cli.nr_before > cli.nr_rest || cli.nr_rest >= (size_t)n + (n == 0)) {
		abort();
	} else {
		check_command(&cli);
	}
	free(text);
	return 0;
}
