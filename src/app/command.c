/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands: splitting a line into words, checking options, finding and running.
 */
#include "command.h"

#include <errno.h>
#include <string.h>

#include "commands.h"
#include "learn.h"
#include "word_meant.h"
#include "zonelab/text.h"

static const struct command *const commands[] = {
	&cmd_anonymise,
	&cmd_answer,
	&cmd_axis,
	&cmd_back,
	&cmd_bookmark,
	&cmd_branch,
	&cmd_break,
	&cmd_cancel,
	&cmd_check,
	&cmd_clear,
	&cmd_compare,
	&cmd_complete,
	&cmd_copy,
	&cmd_cpu,
	&cmd_edit,
	&cmd_erase,
	&cmd_estimate,
	&cmd_explain,
	&cmd_explain_my_machine,
	&cmd_export,
	&cmd_follow,
	&cmd_geometry,
	&cmd_go,
	&cmd_help,
	&cmd_hunt,
	&cmd_lane,
	&cmd_last,
	&cmd_leave,
	&cmd_lesson,
	&cmd_list,
	&cmd_move,
	&cmd_next,
	&cmd_op,
	&cmd_panel,
	&cmd_patch,
	&cmd_pcp,
	&cmd_pin,
	&cmd_plain,
	&cmd_play,
	&cmd_point,
	&cmd_policy,
	&cmd_pool,
	&cmd_probe,
	&cmd_prompt,
	&cmd_quit,
	&cmd_record,
	&cmd_redo,
	&cmd_redraw,
	&cmd_replay,
	&cmd_report,
	&cmd_reserve,
	&cmd_restore,
	&cmd_review,
	&cmd_run,
	&cmd_save,
	&cmd_save_profile,
	&cmd_screen,
	&cmd_screenshot,
	&cmd_search,
	&cmd_set,
	&cmd_settings,
	&cmd_slot,
	&cmd_source,
	&cmd_speed,
	&cmd_step,
	&cmd_stop,
	&cmd_suspend,
	&cmd_sweep,
	&cmd_take,
	&cmd_undo,
	&cmd_verify,
	&cmd_why,
	&cmd_write_fix,
	&cmd_zone,
	&cmd_zoom,
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command_option common[] = {
	{"--profile",   "P",	   false, "Start from a machine: a shipped name, a file, or live"},
	{"--set",	  "KEY=VALUE", true,  "Change a setting; see `zonelab list settings`"	    },
	{"--policy",    "POLICY",    true,
		"Replace a rule: POINT=EXPRESSION, or a name of `zonelab list policies`"			},
	{"--json",	   NULL,	 false, "Answer as JSON"					},
	{"--csv",	  NULL,	false, "Answer as comma-separated values"			 },
	{"--mail",	   NULL,	 false, "Answer as plain text of at most 72 columns"	    },
	{"-o",	       "FILE",      false, "Write the answer to FILE"				},
	{"-c",	       "COMMAND",	  true,	"Run a command as the prompt would"			   },
	{"--screen",    "WxH",	    false, "Print the screen as text in this size"		  },
	{"--seed",	   "N",		false, "Seed of everything random"				  },
	{"--ascii",	    NULL,	  false, "ASCII only, in answers too"			     },
	{"--glyphs",    "SET",	    false, "unicode, ascii or console"			      },
	{"--no-motion", NULL,	      false, "No animation"					   },
	{"--color",	    "WHEN",	    false, "auto, always, never, or contrast for projectors"	    },
	{"--quiet",	    NULL,	  false, "Leave notes out"					  },
	{"--help",	   NULL,	 false, "Show help and leave"				     },
	{"--version",   NULL,	    false, "Show the version and leave"			       },
	{NULL,	       NULL,	     false, NULL						   },
};

const struct command_option *common_options(void)
{
	return common;
}

size_t command_count(void)
{
	return NR_COMMANDS;
}

const struct command *command_at(size_t i)
{
	return commands[i];
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			return commands[i];
		}
	}
	return NULL;
}

const char *command_nearest(const char *name, unsigned flags)
{
	struct zl_nearest near;

	zl_nearest_init(&near, name);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if ((commands[i]->flags & COMMAND_KEY) == 0 && (commands[i]->flags & flags) != 0) {
			zl_nearest_try(&near, commands[i]->name);
		}
	}
	return near.name;
}

void output_done(struct output *out)
{
	zl_buf_done(&out->text);
	zl_json_free(out->json);
	out->json = NULL;
}

const char *args_option(const struct command_args *args, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < args->nr_options; i++) {
		if (strcmp(args->option[i].option->name, name) == 0) {
			value = args->option[i].value;
		}
	}
	return value;
}

bool args_switch(const struct command_args *args, const char *name)
{
	return args_option(args, name) != NULL;
}

/*
 * Copies one word from *line to *at (room up to @end), undoing quotes and backslashes. Moves both
 * past it. Returns 0, -ENOENT at the end of the line, -EINVAL for an open quote, -E2BIG.
 */
static int next_word(const char **line, char **at, const char *end)
{
	const char *p = *line;
	bool quoted = false;

	while (*p == ' ' || *p == '\t') {
		p++;
	}
	if (*p == '\0') {
		return -ENOENT;
	}
	for (; *p != '\0' && (quoted || (*p != ' ' && *p != '\t')); p++) {
		if (*p == '"') {
			quoted = !quoted;
			continue;
		}
		if (*p == '\\' && p[1] != '\0') {
			p++;
		}
		if (*at >= end - 1) {
			return -E2BIG;
		}
		*(*at)++ = *p;
	}
	*(*at)++ = '\0';
	*line = p;
	return quoted ? -EINVAL : 0;
}

static const struct command_option *find_option(
	const struct command_option *list, const char *word, size_t len)
{
	for (; list != NULL && list->name != NULL; list++) {
		if (strlen(list->name) == len && strncmp(list->name, word, len) == 0) {
			return list;
		}
	}
	return NULL;
}

static const char *without_dashes(const char *word)
{
	return word + strspn(word, "-");
}

/* The option of @list, then of the common ones, that is nearest; dashes make nothing alike. */
static const char *option_nearest(const struct command_option *list, const char *word)
{
	const struct command_option *const lists[] = {list, common_options()};
	const char *bare = without_dashes(word);
	const char *name = NULL;
	struct zl_nearest near;

	zl_nearest_init(&near, bare);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (const struct command_option *o = lists[i]; o != NULL && o->name != NULL; o++) {
			name = zl_nearest_try(&near, without_dashes(o->name)) ? o->name : name;
		}
	}
	/* One letter wrong is a slip; more are one where the first is right. */
	return name != NULL && (near.distance <= 1 || without_dashes(name)[0] == bare[0] ||
				       strstr(name, bare) != NULL)
		       ? name
		       : NULL;
}

/* The setting whose name was written as an option, ZL_SETTING_COUNT if it is none. */
static enum zl_setting option_setting(const char *word)
{
	char key[64];
	struct zl_text t;

	zl_text_init(&t, key, sizeof(key));
	zl_text_strn(&t, word + strspn(word, "-"), strcspn(word + strspn(word, "-"), "="));
	for (char *p = key; *p != '\0'; p++) {
		*p = *p == '-' ? '_' : *p;
	}
	return zl_setting_find(key);
}

void option_unknown(const char *word, struct zl_error *err)
{
	enum zl_setting setting = option_setting(word);

	if (setting != ZL_SETTING_COUNT) {
		const char *key = zl_setting_info(setting)->key;
		zl_error_set(err, 0, 0, "%s is a setting; --set %s=VALUE", key, key);
		return;
	}
	const char *near = option_nearest(NULL, word);
	zl_error_set(err, 0, 0, "there is no such option; %s%s",
		near != NULL ? "did you mean " : "see `zonelab --help`", near != NULL ? near : "");
}

static int unknown_option(const struct command *c, const char *word, struct zl_error *err)
{
	enum zl_setting setting = option_setting(word);
	const char *near = option_nearest(c->options, word);

	if (setting != ZL_SETTING_COUNT) {
		const char *key = zl_setting_info(setting)->key;
		zl_error_set(err, 0, 0, "there is no option %s; %s is a setting, --set %s=VALUE",
			word, key, key);
		return -EINVAL;
	}
	if (near != NULL && strcmp(near, word) == 0) {
		zl_error_set(err, 0, 0,
			"%s belongs to the command line, not to the prompt; at the prompt `set` "
			"changes "
			"a setting and `list commands` names the rest",
			word);
	} else if (near != NULL) {
		zl_error_set(err, 0, 0, "there is no option %s; did you mean %s", word, near);
	} else {
		zl_error_set(
			err, 0, 0, "there is no option %s; see `zonelab help %s`", word, c->name);
	}
	return -EINVAL;
}

static int unknown_command(const char *name, struct zl_error *err)
{
	const char *near = command_nearest(name, COMMAND_PROMPT | COMMAND_CLI);

	zl_error_set(err, 0, 0, "there is no command '%s'; %s%s", name,
		near != NULL ? "did you mean " : "see `help`", near != NULL ? near : "");
	return -EINVAL;
}

/* Takes the option at words[i]; returns how many words it used, or -EINVAL. */
static int take_option(
	struct command_args *ret, const char *const *words, int n, struct zl_error *err)
{
	const char *word = words[0];
	size_t len = strcspn(word, "=");
	const struct command_option *o = find_option(ret->command->options, word, len);

	if (o == NULL) {
		return unknown_option(ret->command, word, err);
	}
	if (ret->nr_options == COMMAND_WORDS) {
		zl_error_set(err, 0, 0, "too many options; at most %u", (unsigned)COMMAND_WORDS);
		return -EINVAL;
	}
	ret->option[ret->nr_options].option = o;
	ret->option[ret->nr_options].value = "";
	if (o->arg == NULL) {
		if (word[len] == '=') {
			zl_error_set(err, 0, 0, "%s takes no value; %s alone", o->name, o->name);
			return -EINVAL;
		}
		ret->nr_options++;
		return 1;
	}
	if (word[len] == '=') {
		ret->option[ret->nr_options++].value = word + len + 1;
		return 1;
	}
	if (n < 2) {
		zl_error_set(err, 0, 0, "%s needs a value; %s %s", o->name, o->name, o->arg);
		return -EINVAL;
	}
	ret->option[ret->nr_options++].value = words[1];
	return 2;
}

/* "-1" is a number and "-" a file. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0' && (word[1] < '0' || word[1] > '9');
}

int command_parse_argv(
	int argc, const char *const *argv, struct command_args *ret, struct zl_error *err)
{
	bool options = true;

	ret->nr_words = 0;
	ret->nr_options = 0;
	ret->command = argc > 0 ? command_find(argv[0]) : NULL;
	if (ret->command == NULL) {
		return unknown_command(argc > 0 ? argv[0] : "", err);
	}
	for (int i = 1; i < argc;) {
		const char *word = argv[i];

		if (options && word_is_unit(argv, (size_t)i, err)) {
			return -EINVAL;
		}
		if (options && strcmp(word, "--") == 0) {
			options = false;
			i++;
		} else if (options && is_option(word)) {
			int used = take_option(ret, argv + i, argc - i, err);
			if (used < 0) {
				return used;
			}
			i += used;
		} else if (ret->nr_words == COMMAND_WORDS) {
			zl_error_set(
				err, 0, 0, "too many words; at most %u", (unsigned)COMMAND_WORDS);
			return -EINVAL;
		} else {
			ret->word[ret->nr_words++] = word;
			i++;
		}
	}
	return 0;
}

/* The rest of a line as one word, for a command that reads it itself. False = another command. */
static bool parse_text(const char *line, struct command_args *ret)
{
	size_t first = strspn(line, " \t");
	size_t len = strcspn(line + first, " \t");
	const char *rest = line + first + len;
	const struct command *c;
	struct zl_text t;

	zl_text_init(&t, ret->line, sizeof(ret->line));
	zl_text_strn(&t, line + first, len);
	c = command_find(ret->line);
	if (c == NULL || (c->flags & COMMAND_TEXT) == 0) {
		return false;
	}
	rest += strspn(rest, " \t");
	zl_text_init(&t, ret->line, sizeof(ret->line));
	zl_text_str(&t, rest);
	ret->command = c;
	ret->nr_options = 0;
	ret->nr_words = rest[0] != '\0' ? 1 : 0;
	ret->word[0] = ret->line;
	return !t.cut;
}

int command_parse(const char *line, struct command_args *ret, struct zl_error *err)
{
	const char *words[COMMAND_WORDS];
	char *at = ret->line;
	int n = 0;

	if (parse_text(line, ret)) {
		return 0;
	}
	for (;;) {
		char *start = at;
		int r = next_word(&line, &at, ret->line + sizeof(ret->line));

		if (r == -ENOENT) {
			break;
		}
		if (r == -EINVAL) {
			zl_error_set(err, 0, 0,
				"a double quote is not closed; write \\\" for a quote itself");
			return r;
		}
		if (r < 0 || n == COMMAND_WORDS) {
			zl_error_set(err, 0, 0,
				"the command is too long; at most %u words and %u bytes",
				(unsigned)COMMAND_WORDS, (unsigned)COMMAND_LINE);
			return -EINVAL;
		}
		words[n++] = start;
	}
	if (n == 0) {
		zl_error_set(err, 0, 0, "an empty command; see `help`");
		return -EINVAL;
	}
	return command_parse_argv(n, words, ret, err);
}

enum exit_status command_dispatch(
	struct app *app, const struct command_args *args, struct output *out)
{
	return learn_allows(app, args->command->name, &out->error)
		       ? args->command->run(app, args, out)
		       : EXIT_USAGE;
}

enum exit_status command_run(struct app *app, const char *line, struct output *out)
{
	struct command_args args = {0};

	if (command_parse(line, &args, &out->error) < 0) {
		return EXIT_USAGE;
	}
	return command_dispatch(app, &args, out);
}
