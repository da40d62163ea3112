/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is left of a command line without the common options: a subcommand with its words, or files.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "run_show.h"
#include "word_meant.h"

static int refuse(struct zl_error *err, const char *word)
{
	zl_error_file(err, word);
	return -EINVAL;
}

int cli_find_subcommand(const struct cli *cli, const struct command **ret, struct zl_error *err)
{
	const char *word = cli->nr_before > 0 ? cli->rest[0] : NULL;
	const struct command *c = word != NULL ? command_find(word) : NULL;

	*ret = c != NULL && (c->flags & COMMAND_CLI) != 0 ? c : NULL;
	if (*ret != NULL || word == NULL) {
		return 0;
	}
	for (size_t i = 0; i < cli->nr_before; i++) {
		word = cli->rest[i];
		if (word[0] == '-' && word[1] != '\0') {
			option_unknown(word, err);
			return refuse(err, word);
		}
	}
	word = cli->rest[0];
	if (access(word, F_OK) == 0 || scenario_is_shipped(word)) {
		return 0;
	}
	if (c != NULL) {
		zl_error_set(err, 0, 0, "is a command of the prompt; zonelab -c \"%s ...\"", word);
		return refuse(err, word);
	}
	if (word_is_item(NULL, word, err)) {
		return refuse(err, "command line");
	}
	const char *near = command_nearest(word, COMMAND_CLI);
	zl_error_set(err, 0, 0, "there is no such command or file; %s%s",
		near != NULL ? "did you mean " : "see `zonelab --help`", near != NULL ? near : "");
	return refuse(err, word);
}

int cli_parse_subcommand(const struct cli *cli, struct command_args *ret, struct zl_error *err)
{
	const char *words[CLI_LIST_MAX + 1];
	int n = 0;

	for (size_t i = 0; i < cli->nr_rest; i++) {
		if (i == cli->nr_before) {
			words[n++] = "--";
		}
		words[n++] = cli->rest[i];
	}
	return command_parse_argv(n, words, ret, err);
}

size_t cli_own_words(const struct command *sub, size_t all)
{
	if (sub == NULL || (sub->flags & COMMAND_FILES) != 0) {
		return 0;
	}
	return (sub->flags & COMMAND_FILES_AFTER) != 0 ? 1 : all;
}

int cli_check_words(
	const struct command *sub, const char *const *words, size_t n, struct zl_error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (access(words[i], F_OK) != 0 && !scenario_is_shipped(words[i]) &&
			word_is_item(sub, words[i], err)) {
			return refuse(err, sub != NULL ? sub->name : "command line");
		}
	}
	return 0;
}
