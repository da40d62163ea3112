/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands: one table for subcommands, the prompt, keys, -c and scripts. A command line is words;
 * blanks inside double quotes do not split, a backslash takes the next character as it is.
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app.h"
#include "zonelab/json.h"

/** Exit status, as zonelab(1) lists them. */
enum exit_status {
	EXIT_YES = 0,
	EXIT_NO = 1,
	EXIT_USAGE = 2,
	EXIT_FAULT = 3,
	EXIT_SKIP = 125, /* check --bisect: neither yes nor no */
	EXIT_INTERRUPTED = 130
};

enum output_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MAIL };

/** What a command produced. Exactly one of text and json is used, by `format`. */
struct output {
	enum output_format format;
	bool interactive; /* in the explorer: text goes to an overlay, messages to the row */
	bool quiet;	  /* no notes */
	bool explore;	  /* a screen can be shown afterwards instead of an answer */
	bool shown;	  /* and will be: set by the command */
	bool more;	  /* a picture or other answers follow */
	bool verbatim;	  /* a patch or a file: neither folded for a mail nor drawn otherwise */
	const char *path; /* where the answer goes (-o), NULL = standard output */
	struct zl_buf text;
	/** Takes text at once instead of keeping it; NULL = text. Returns 0 or -errno. */
	int (*stream)(void *user, const char *data, size_t n);
	void *stream_user;
	/** True when the user wants long work to end (Ctrl-C); NULL = nobody asks. */
	bool (*stop)(void *user);
	/** Takes how far long work is: done of all (0 = not known); NULL = nobody looks. */
	void (*progress)(void *user, uint64_t done, uint64_t all);
	void *patience_user;
	struct zl_json *json;  /* root, owned */
	struct zl_error error; /* why the status is not EXIT_YES; text "" if nothing is wrong */
};
void output_done(struct output *out);
/** Folds lines that a mail has no room for and replaces tabs; nothing in other formats. */
void output_fold(struct output *out);
/** Text of any length, streamed where that is possible. Returns 0 or -errno. */
int output_stream(struct output *out, const char *data, size_t n);
/** The same for whole lines, which a mail gets folded. */
int output_stream_lines(struct output *out, const char *data, size_t n);
/**
 * Whether the user wants long work to end; the `stop` of the model's and the files' runs, with the
 * struct output as @out.
 */
bool output_stopped(void *out);

enum command_flags {
	COMMAND_CLI = 1,	  /* a subcommand */
	COMMAND_PROMPT = 2,	  /* at the prompt and in -c */
	COMMAND_KEY = 4,	  /* bound to keys only; not in help and completion */
	COMMAND_FILES = 8,	  /* on the command line its words are files of the machine */
	COMMAND_FILES_AFTER = 16, /* the same for words behind the first */
	COMMAND_EXPLORES = 32,	  /* in a terminal the explorer opens on what it shows */
	COMMAND_TEXT = 64 /* at the prompt, what follows the name is one word as it stands */
};

/** An option of a command. `arg` NULL = a switch. `many` = may be repeated. */
struct command_option {
	const char *name; /* "--matrix" */
	const char *arg;  /* "SIZE" */
	bool many;
	const char *help;
};

#define COMMAND_WORDS 64
#define COMMAND_LINE  8192

/** A parsed command line; words point into `line`. */
struct command_args {
	const struct command *command;
	size_t nr_words; /* without the command itself and without options */
	const char *word[COMMAND_WORDS];
	size_t nr_options;
	struct {
		const struct command_option *option;
		const char *value; /* "" for a switch */
	} option[COMMAND_WORDS];
	char line[COMMAND_LINE];
};

/** Value of an option, NULL when it was not given; the last one of several. */
const char *args_option(const struct command_args *args, const char *name);
bool args_switch(const struct command_args *args, const char *name);

struct command {
	const char *name;
	const char *synopsis; /* "[--matrix] [--size SIZE]..." */
	unsigned flags;	      /* enum command_flags */
	const char *help;     /* one sentence, for lists and completion */
	const char *more;     /* a paragraph for `help NAME` and the manual, may be "" */
	const struct command_option *options; /* ends with name NULL; NULL = none */
	enum exit_status (*run)(
		struct app *app, const struct command_args *args, struct output *out);
};

size_t command_count(void);
const struct command *command_at(size_t i); /* sorted by name */
const struct command *command_find(const char *name);
/** The nearest name of a command with any of @flags, for "did you mean"; NULL if none is near. */
const char *command_nearest(const char *name, unsigned flags);

/** Options that every command takes (--json, --set, ...); ends with name NULL. */
const struct command_option *common_options(void);

/** What is wrong with an option that stands before every command and is none of the common ones. */
void option_unknown(const char *word, struct zl_error *err);

/** Splits a line into words and checks options. Returns 0 or -EINVAL with @err filled. */
int command_parse(const char *line, struct command_args *ret, struct zl_error *err);
/** The same from an argument vector (argv[0] = the command). */
int command_parse_argv(
	int argc, const char *const *argv, struct command_args *ret, struct zl_error *err);
/** Runs what was parsed, unless it would tell what a pending prediction asks. */
enum exit_status command_dispatch(
	struct app *app, const struct command_args *args, struct output *out);
/** Parses and runs. The status is also the answer's; out->error says why. */
enum exit_status command_run(struct app *app, const char *line, struct output *out);

/* --- completion for the prompt --- */

struct completion {
	char word[128]; /* what replaces the word under the cursor */
	char value[64]; /* present value, "" if there is none */
	char meaning[96];
};
#define COMPLETIONS_MAX 256
struct completions {
	size_t count;
	size_t start;	 /* byte in the line where the word begins */
	char usage[128]; /* "Usage: set KEY=VALUE..." */
	struct completion item[COMPLETIONS_MAX];
};
void command_complete(
	const struct app *app, const char *line, size_t point, struct completions *ret);

#endif
