/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completions: subcommands, the options of the one that was typed, keys of settings behind --set,
 * the words of lists, and files everywhere else.
 */
#include <string.h>

#include "command.h"
#include "doc.h"
#include "zonelab/release.h"
#include "zonelab/settings.h"
#include "zonelab/text.h"

static bool is_subcommand(const struct command *c)
{
	return (c->flags & COMMAND_CLI) != 0;
}

/* The names of the subcommands with a separator between them. */
static void command_names(FILE *out, const char *separator)
{
	const char *between = "";

	for (size_t i = 0; i < command_count(); i++) {
		if (is_subcommand(command_at(i))) {
			fprintf(out, "%s%s", between, command_at(i)->name);
			between = separator;
		}
	}
}

static void option_names(FILE *out, const struct command_option *o)
{
	for (; o != NULL && o->name != NULL; o++) {
		fprintf(out, " %s", o->name);
	}
}

static void setting_keys(FILE *out)
{
	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		fprintf(out, " %s=", zl_setting_info(key)->key);
	}
}

/* What can be said behind "KEY=" for every machine: words, on and off, releases. */
static bool has_values(enum zl_setting key)
{
	enum zl_setting_type type = zl_setting_info(key)->type;

	return type == ZL_TYPE_WORD || type == ZL_TYPE_BOOL || type == ZL_TYPE_RELEASE;
}

/* The values of a setting that has some, each behind @before and followed by a blank. */
static void setting_values(FILE *out, enum zl_setting key, const char *before)
{
	enum zl_setting_type type = zl_setting_info(key)->type;
	char word[ZL_SETTING_TEXT];

	if (type == ZL_TYPE_WORD) {
		for (unsigned i = 0; zl_setting_word(key, i, word) != NULL; i++) {
			fprintf(out, "%s%s ", before, word);
		}
	} else if (type == ZL_TYPE_RELEASE) {
		for (size_t i = 0; i < zl_breakpoint_count(); i++) {
			fprintf(out, "%s%s ", before, zl_breakpoint(i));
		}
	} else {
		fprintf(out, "%son %soff ", before, before);
	}
	fprintf(out, "%sdefault", before);
}

/* A branch of a shell's `case` for each setting that has values: "KEY) @before VALUES @after". */
static void value_cases(FILE *out, const char *before, const char *after)
{
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;

		if (has_values(key)) {
			fprintf(out, "\t%s) %s", zl_setting_info(key)->key, before);
			setting_values(out, key, "");
			fprintf(out, "%s ;;\n", after);
		}
	}
}

/* Bytes of an argument "a|b|c" at the start of a synopsis, 0 if there is none. */
static size_t alternatives(const char *synopsis)
{
	size_t n = strcspn(synopsis, " ");

	return synopsis[0] != '-' && memchr(synopsis, '|', n) != NULL ? n : 0;
}

/* Words to type; one in capitals stands for something else. */
static void argument_words(FILE *out, const char *synopsis)
{
	const char *end = synopsis + alternatives(synopsis);
	const char *between = "";

	for (const char *p = synopsis; p < end;) {
		size_t n = strcspn(p, "|[] ");

		if (n > 0 && (*p < 'A' || *p > 'Z')) {
			fprintf(out, "%s%.*s", between, (int)n, p);
			between = " ";
		}
		p += n + 1;
	}
}

/* Help for the inside of single quotes, without what would end them or has a meaning there. */
static void quoted(FILE *out, const char *s)
{
	fputc('\'', out);
	for (; *s != '\0'; s++) {
		if (*s == '\'') {
			fputs("'\\''", out);
		} else if (strchr("[]:", *s) == NULL) {
			fputc(*s, out);
		}
	}
	fputc('\'', out);
}

static void bash_cases(FILE *out)
{
	fputs("\tlocal options= words=\n\tcase $command in\n", out);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (!is_subcommand(c)) {
			continue;
		}
		fprintf(out, "\t%s)\n\t\toptions='", c->name);
		option_names(out, c->options);
		fputs("'\n\t\twords='", out);
		argument_words(out, c->synopsis);
		fputs("'\n\t\t;;\n", out);
	}
	fputs("\t*)\n\t\twords='", out);
	command_names(out, " ");
	fputs("'\n\t\t;;\n\tesac\n", out);
}

static void bash(FILE *out)
{
	fputs("# bash completion for zonelab; made from its tables\n"
	      "_zonelab_values()\n{\n\tcase $1 in\n",
		out);
	value_cases(out, "printf '%s' '", "'");
	fputs("\tesac\n}\n\n_zonelab()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal command= word\n"
	      "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "\t\tcase $word in\n\t\t",
		out);
	command_names(out, " | ");
	fputs(")\n\t\t\tcommand=$word\n\t\t\tbreak\n\t\t\t;;\n\t\tesac\n\tdone\n", out);
	bash_cases(out);
	fputs("\toptions+='", out);
	option_names(out, common_options());
	fputs("'\n\tlocal head= keys='profile= policy= policy.", out);
	setting_keys(out);
	/* A colon ends a word here: behind it stand the items of a lane. */
	fputs("'\n\tif [[ $command == compare && ( $prev == : || $cur == : || $cur == *,* ) ]]; "
	      "then\n"
	      "\t\tcompopt -o nospace 2>/dev/null\n"
	      "\t\t[[ $cur == *,* ]] && head=${cur%,*},\n"
	      "\t\t[[ $cur == : ]] && cur=\n"
	      "\t\tCOMPREPLY=($(compgen -P \"$head\" -W \"$keys\" -- \"${cur#\"$head\"}\"))\n"
	      "\t\treturn\n\tfi",
		out);
	/* So does an equals sign. */
	fputs("\n\tlocal key=\n"
	      "\t[[ $cur == = ]] && key=$prev cur=\n"
	      "\t[[ $prev == = ]] && key=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tif [[ $key == [a-z]* ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$(_zonelab_values \"$key\")\" -- \"$cur\"))\n"
	      "\t\treturn\n\tfi",
		out);
	fputs("\n\tcase $prev in\n\t--set)\n\t\tcompopt -o nospace 2>/dev/null\n"
	      "\t\tCOMPREPLY=($(compgen -W '",
		out);
	setting_keys(out);
	fputs("' -- \"$cur\"))\n\t\treturn\n\t\t;;\n"
	      "\t--color)\n\t\tCOMPREPLY=($(compgen -W 'auto always never contrast' -- \"$cur\"))\n"
	      "\t\treturn\n\t\t;;\n\tesac\n"
	      "\tcase $cur in\n"
	      "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
	      "\t*)\n\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\") $(compgen -f -- "
	      "\"$cur\"))\n\t\t;;\n"
	      "\tesac\n}\ncomplete -F _zonelab zonelab\n",
		out);
}

static void zsh_options(FILE *out, const struct command_option *o)
{
	for (; o != NULL && o->name != NULL; o++) {
		fprintf(out, " \\\n\t\t'%s%s[", o->many ? "*" : "", o->name);
		for (const char *p = o->help; *p != '\0'; p++) {
			if (strchr("[]:'\\", *p) == NULL) {
				fputc(*p, out);
			}
		}
		fputc(']', out);
		if (o->arg != NULL) {
			const char *action =
				strcmp(o->name, "--set") == 0 ? "_zonelab_settings" : "_files";

			fprintf(out, ":%s:%s", o->arg, action);
		}
		fputc('\'', out);
	}
}

static void zsh(FILE *out)
{
	fputs("#compdef zonelab\n# zsh completion for zonelab; made from its tables\n"
	      "_zonelab_settings()\n{\n"
	      "\tlocal -a values\n"
	      "\tif ! compset -P 1 '*='; then\n\t\tcompadd -S '' --",
		out);
	setting_keys(out);
	fputs("\n\t\treturn\n\tfi\n\tcase ${IPREFIX%=} in\n", out);
	value_cases(out, "values=(", ")");
	fputs("\tesac\n\tcompadd -a values\n}\n\n_zonelab_first()\n{\n\tlocal -a commands=(\n",
		out);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (is_subcommand(c)) {
			fprintf(out, "\t\t%s:", c->name);
			quoted(out, c->help);
			fputc('\n', out);
		}
	}
	fputs("\t)\n\t_describe command commands\n\t_files\n}\n\n"
	      "_zonelab()\n{\n\tcase ${words[2]} in\n",
		out);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (!is_subcommand(c)) {
			continue;
		}
		fprintf(out, "\t%s)\n\t\t_arguments '1: :'", c->name);
		zsh_options(out, c->options);
		zsh_options(out, common_options());
		fputs(" \\\n\t\t'*: :", out);
		if (alternatives(c->synopsis) > 0) {
			fputc('(', out);
			argument_words(out, c->synopsis);
			fputc(')', out);
		} else {
			fputs("_files", out);
		}
		fputs("'\n\t\t;;\n", out);
	}
	fputs("\t*)\n\t\t_arguments '*: :_zonelab_first'", out);
	zsh_options(out, common_options());
	fputs("\n\t\t;;\n\tesac\n}\n\n_zonelab \"$@\"\n", out);
}

static void fish_options(FILE *out, const struct command_option *o, const char *command)
{
	for (; o != NULL && o->name != NULL; o++) {
		fputs("complete -c zonelab", out);
		if (command != NULL) {
			fprintf(out, " -n '__fish_seen_subcommand_from %s'", command);
		}
		if (strncmp(o->name, "--", 2) == 0) {
			fprintf(out, " -l %s", o->name + 2);
		} else {
			fprintf(out, " -s %s", o->name + 1);
		}
		if (strcmp(o->name, "--set") == 0) {
			fputs(" -x -a '(__zonelab_settings)'", out);
		} else if (o->arg != NULL) {
			fputs(" -r", out);
		}
		fputs(" -d ", out);
		quoted(out, o->help);
		fputc('\n', out);
	}
}

/* Values are offered once their key stands there. */
static void fish_settings(FILE *out)
{
	fputs("function __zonelab_settings\n\tset -l word (commandline -ct)\n"
	      "\tswitch \"$word\"\n",
		out);
	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		char before[ZL_SETTING_TEXT];

		if (has_values(key)) {
			zl_format(before, sizeof(before), "%s=", zl_setting_info(key)->key);
			fprintf(out, "\tcase '%s*'\n\t\tprintf '%%s\\n' ", before);
			setting_values(out, key, before);
			fputc('\n', out);
		}
	}
	fputs("\tcase '*'\n\t\tprintf '%s\\n'", out);
	setting_keys(out);
	fputs("\n\tend\nend\n", out);
}

static void fish(FILE *out)
{
	fputs("# fish completion for zonelab; made from its tables\n", out);
	fish_settings(out);
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (!is_subcommand(c)) {
			continue;
		}
		fprintf(out, "complete -c zonelab -n __fish_use_subcommand -a %s -d ", c->name);
		quoted(out, c->help);
		fputc('\n', out);
		fish_options(out, c->options, c->name);
		if (alternatives(c->synopsis) > 0) {
			fprintf(out,
				"complete -c zonelab -f -n '__fish_seen_subcommand_from %s' -a '",
				c->name);
			argument_words(out, c->synopsis);
			fputs("'\n", out);
		}
	}
	fish_options(out, common_options(), NULL);
}

bool doc_completion(FILE *out, const char *shell)
{
	if (strcmp(shell, "bash") == 0) {
		bash(out);
	} else if (strcmp(shell, "zsh") == 0) {
		zsh(out);
	} else if (strcmp(shell, "fish") == 0) {
		fish(out);
	} else {
		return false;
	}
	return true;
}
