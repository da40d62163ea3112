/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line: common options, subcommands, batch mode.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "app.h"
#include "command.h"

#define CLI_LIST_MAX 256

/** Common options and what is left of the command line. */
struct cli {
	const char *profile;
	const char *set[CLI_LIST_MAX];
	size_t nr_set;
	const char *policy[CLI_LIST_MAX];
	size_t nr_policy;
	const char *lane[CLI_LIST_MAX]; /* of the explorer; a command's own are in rest */
	size_t nr_lane;
	const char *command[CLI_LIST_MAX]; /* -c */
	size_t nr_command;
	const char *rest[CLI_LIST_MAX]; /* subcommand with its arguments, or files */
	size_t nr_rest;
	size_t nr_before; /* of rest, those before "--"; what follows is no option */
	bool json, csv, mail;
	const char *out_file;
	unsigned screen_cols, screen_rows; /* --screen, 0 = not given */
	const char *seed;
	bool ascii;
	const char *glyphs;
	bool no_motion;
	const char *color;
	bool quiet, help, version;
};

/** Returns 0 or -EINVAL with @err filled, about the first fault; what else there is, is taken. */
int cli_parse(int argc, char **argv, struct cli *ret, struct zl_error *err);
/**
 * Opens --lane in the explorer, in the order of their letters: the others are laid over lane A,
 * which has the focus then. Returns 0 or -errno with @err filled.
 */
int cli_open_lanes(struct app *app, const struct cli *cli, struct zl_error *err);
/** The explorer's lanes as options of a command, with lane A named; false = too many. */
bool cli_add_lanes(const struct cli *from, struct cli *to);
/** Whether the words are `check --bisect`, also where the command line is refused. */
bool cli_bisects(const struct cli *cli);
/**
 * The subcommand in @ret, or NULL when the words are files. Returns 0, or -EINVAL with @err about
 * what is neither.
 */
int cli_find_subcommand(const struct cli *cli, const struct command **ret, struct zl_error *err);
/** Words and options of the subcommand. Returns 0 or -EINVAL with @err filled. */
int cli_parse_subcommand(const struct cli *cli, struct command_args *ret, struct zl_error *err);
/** How many of @all words are the command's own; what follows are files of the machine. */
size_t cli_own_words(const struct command *sub, size_t all);
/** Refuses words that are no files but settings or lanes without their option: -EINVAL, @err. */
int cli_check_words(
	const struct command *sub, const char *const *words, size_t n, struct zl_error *err);
/** Runs the program; returns its exit status. */
int cli_main(int argc, char **argv);

#endif
