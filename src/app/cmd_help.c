/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `help`: made from the tables of commands and keys.
 */
#include <string.h>

#include "commands.h"
#include "help.h"
#include "keymap.h"
#include "table.h"
#include "zonelab/text.h"

#define NAME_COLUMN  2
#define HELP_COLUMN  22
#define PAGE_COLUMNS 80
#define HELP_TEXT    256

static void text_options(const struct command_option *o, struct zl_buf *b)
{
	char text[256];

	for (; o != NULL && o->name != NULL; o++) {
		zl_buf_pad(b, NAME_COLUMN);
		zl_buf_fmt(b, "%s%s%s", o->name, o->arg != NULL ? " " : "",
			o->arg != NULL ? o->arg : "");
		zl_buf_pad(b, HELP_COLUMN - 1);
		zl_buf_chr(b, ' ');
		zl_format(text, sizeof(text), "%s%s", o->help, o->many ? " (repeatable)" : "");
		text_wrap(b, HELP_COLUMN, PAGE_COLUMNS, text);
	}
}

/* Bytes of the next part: an option with its argument, brackets with what is in them, "a|". */
static size_t part_of(const char *s)
{
	unsigned depth = 0, blanks = 0;
	size_t n = 0;

	for (; s[n] != '\0'; n++) {
		if (s[n] == '[') {
			depth++;
		} else if (s[n] == ']' && depth > 0) {
			depth--;
		} else if (s[n] == '|' && depth == 0) {
			return n + 1;
		} else if (s[n] == ' ' && depth == 0) {
			bool argument = s[0] == '-' && s[n + 1] >= 'A' && s[n + 1] <= 'Z';

			if (!argument || blanks++ > 0) {
				return n;
			}
		}
	}
	return n;
}

/* "compare SCENARIO --lane LANE ...", on as many lines as it takes. */
static void put_synopsis(const struct command *c, struct zl_buf *b)
{
	const size_t indent = strlen(c->name) + 1;

	zl_buf_str(b, c->name);
	for (const char *s = c->synopsis; *s != '\0';) {
		bool joined = b->data[b->len - 1] == '|';
		size_t n = part_of(s);

		if (zl_buf_column(b) + (joined ? 0 : 1) + n > PAGE_COLUMNS) {
			zl_buf_chr(b, '\n');
			zl_buf_pad(b, indent);
		} else if (!joined) {
			zl_buf_chr(b, ' ');
		}
		zl_buf_mem(b, s, n);
		s += n + strspn(s + n, " ");
	}
	zl_buf_chr(b, '\n');
}

void help_command(const struct command *c, struct zl_buf *b)
{
	char text[HELP_TEXT];

	put_synopsis(c, b);
	zl_format(text, sizeof(text), "%s.", c->help);
	zl_buf_pad(b, NAME_COLUMN);
	text_wrap(b, NAME_COLUMN, PAGE_COLUMNS, text);
	if (c->more[0] != '\0') {
		zl_buf_str(b, "  ");
		text_wrap(b, NAME_COLUMN, PAGE_COLUMNS, c->more);
	}
	text_options(c->options, b);
}

void help_usage(struct zl_buf *b)
{
	zl_buf_str(b, "zonelab: what-if explorer for the Linux page allocator\n\n"
		      "usage: zonelab [OPTIONS] [--lane LANE]... [FILE...]   the explorer\n"
		      "       zonelab COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if ((c->flags & COMMAND_CLI) == 0) {
			continue;
		}
		zl_buf_pad(b, NAME_COLUMN);
		zl_buf_str(b, c->name);
		zl_buf_pad(b, HELP_COLUMN - 1);
		zl_buf_chr(b, ' ');
		text_wrap(b, HELP_COLUMN, PAGE_COLUMNS, c->help);
	}
	zl_buf_str(b, "\nOptions of every command:\n");
	text_options(common_options(), b);
	zl_buf_str(b,
		"\n`zonelab help COMMAND` says more; exit status 0 yes or done, 1 the answer is "
		"no,\n2 usage or bad input, 3 a fault of zonelab.\n");
}

void help_keys(enum keymap_mode mode, struct zl_buf *b)
{
	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *k = keymap_at(i);

		if (k->mode == mode && k->help[0] != '\0') {
			zl_buf_pad(b, NAME_COLUMN);
			zl_buf_str(b, k->show);
			zl_buf_pad(b, HELP_COLUMN - 1);
			zl_buf_fmt(b, " %s\n", k->help);
		}
	}
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 1, out) || !command_one_form("help", out)) {
		return EXIT_USAGE;
	}
	if (args->nr_words == 0 && out->interactive) {
		app->overlay = OVERLAY_HELP;
		app->scroll = 0;
		return EXIT_YES;
	}
	if (args->nr_words == 0) {
		help_usage(&out->text);
		return EXIT_YES;
	}
	const struct command *c = command_find(args->word[0]);
	if (c == NULL) {
		const char *near = command_nearest(args->word[0], COMMAND_PROMPT | COMMAND_CLI);
		return command_usage(out, "there is no command '%s'; %s%s", args->word[0],
			near != NULL ? "did you mean " : "see `zonelab help`",
			near != NULL ? near : "");
	}
	help_command(c, &out->text);
	return EXIT_YES;
}

const struct command cmd_help = {
	.name = "help",
	.synopsis = "[COMMAND]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Help for a command, or for the screen",
	.more = "",
	.run = run,
};
