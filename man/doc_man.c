/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sections of the manual. scdoc reads *bold*, _underlined_ and a tab as one step of indentation;
 * texts of the tables are escaped, so that they come out as they are.
 */
#include <string.h>

#include "command.h"
#include "doc.h"
#include "keymap.h"
#include "values.h"
#include "zonelab/diag.h"
#include "zonelab/settings.h"

static void escaped(FILE *out, const char *s)
{
	if (*s != '\0' && strchr("-#|[]", *s) != NULL) {
		fputc('\\', out);
	}
	for (; *s != '\0'; s++) {
		if (strchr("\\*_<>", *s) != NULL) {
			fputc('\\', out);
		}
		fputc(*s, out);
	}
}

static void bold(FILE *out, const char *s)
{
	fputc('*', out);
	escaped(out, s);
	fputc('*', out);
}

/* A paragraph under a term; nothing for an empty text. */
static void indented(FILE *out, const char *s)
{
	if (s != NULL && *s != '\0') {
		fputc('\t', out);
		escaped(out, s);
		fputs("\n\n", out);
	}
}

static void options(FILE *out, const struct command_option *o, const char *indent)
{
	for (; o != NULL && o->name != NULL; o++) {
		fputs(indent, out);
		bold(out, o->name);
		if (o->arg != NULL) {
			fputs(" _", out);
			escaped(out, o->arg);
			fputc('_', out);
		}
		if (o->many) {
			fputs("...", out);
		}
		fprintf(out, "\n%s\t", indent);
		escaped(out, o->help);
		fputs("\n\n", out);
	}
}

/* Commands that have all of the flags of `with` and none of `without`. */
static void commands(FILE *out, unsigned with, unsigned without)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if ((c->flags & with) != with || (c->flags & without) != 0) {
			continue;
		}
		bold(out, c->name);
		if (c->synopsis[0] != '\0') {
			fputc(' ', out);
			escaped(out, c->synopsis);
		}
		fputc('\n', out);
		indented(out, c->help);
		indented(out, c->more);
		options(out, c->options, "\t");
	}
}

static void section_commands(FILE *out)
{
	commands(out, COMMAND_CLI, 0);
}

static void section_prompt(FILE *out)
{
	commands(out, COMMAND_PROMPT, COMMAND_CLI);
}

static void section_options(FILE *out)
{
	options(out, common_options(), "");
}

static void section_keys(FILE *out)
{
	for (unsigned mode = 0; mode < KEYMAP_COUNT; mode++) {
		bool headed = false;

		for (size_t i = 0; i < keymap_count(); i++) {
			const struct binding *b = keymap_at(i);

			if (b->mode != mode || b->help[0] == '\0') {
				continue;
			}
			if (!headed) {
				fprintf(out, "## %s\n\n", keymap_mode_name(mode));
				headed = true;
			}
			bold(out, b->show);
			fputc('\n', out);
			indented(out, b->help);
		}
	}
}

static void setting_values(FILE *out, const struct zl_setting_info *info)
{
	switch (info->type) {
	case ZL_TYPE_COUNT:
		fprintf(out, "\tA number from %lld to %lld", (long long)info->min,
			(long long)info->max);
		break;
	case ZL_TYPE_BOOL:
		fputs("\ton or off", out);
		break;
	case ZL_TYPE_BYTES:
		fputs("\tA size; a number without unit is in ", out);
		escaped(out, info->unit[0] != '\0' ? info->unit : "bytes");
		break;
	case ZL_TYPE_WORD:
		fputs("\tOne of: ", out);
		escaped(out, info->words);
		break;
	case ZL_TYPE_RELEASE:
		fputs("\tA release", out);
		break;
	case ZL_TYPE_TEXT:
		fputs("\tA text", out);
		break;
	}
	fputs(". Default: ", out);
	escaped(out, info->dflt[0] != '\0' ? info->dflt : "none");
	fputs(".", out);
	if (info->aliases[0] != '\0') {
		fputs(" Also written: ", out);
		escaped(out, info->aliases);
		fputs(".", out);
	}
	fputs(" In a running kernel it ", out);
	escaped(out, zl_setting_live_text(info->live));
	fputs(".\n\n", out);
}

static void section_settings(FILE *out)
{
	for (unsigned key = 0; key < ZL_SETTING_COUNT; key++) {
		const struct zl_setting_info *info = zl_setting_info(key);

		bold(out, info->key);
		fputc('\n', out);
		indented(out, info->help);
		setting_values(out, info);
	}
}

/* The points, and what each release does there. */
static void section_points(FILE *out)
{
	for (unsigned i = 0; i < ZL_POINT_COUNT; i++) {
		const struct zl_point_info *info = zl_point_info((enum zl_point)i);

		bold(out, info->name);
		fputc('\n', out);
		indented(out, info->meaning);
		for (size_t k = 0; k < zl_point_rule_count(); k++) {
			const struct zl_point_rule *r = zl_point_rule_at(k);

			if (r->point == (enum zl_point)i) {
				fputs("\t", out);
				escaped(out, r->when);
				fputs(": ", out);
				escaped(out, r->expression);
				fputs("\n\n", out);
			}
		}
	}
}

static void section_policies(FILE *out)
{
	for (size_t i = 0; i < zl_shipped_policy_count(); i++) {
		const struct zl_shipped_policy *p = zl_shipped_policy_at(i);

		bold(out, p->name);
		fputs("\n\t", out);
		escaped(out, p->question);
		fputs(" (", out);
		escaped(out, p->status);
		fputs("; ", out);
		escaped(out, p->source);
		fputs(")\n\n", out);
	}
}

static void section_diagnostics(FILE *out)
{
	for (unsigned code = 0; code < ZL_DIAG_COUNT; code++) {
		bold(out, zl_diag_name(code));
		fputc('\n', out);
		indented(out, zl_diag_meaning(code));
	}
}

static void section_values(FILE *out)
{
	for (unsigned id = VALUE_NONE + 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info(id);

		bold(out, info->name);
		fputc('\n', out);
		indented(out, info->definition);
		if (info->source != NULL && info->source[0] != '\0') {
			fputs("\tSource: ", out);
			escaped(out, info->source);
			fputs("\n\n", out);
		}
		if (info->simplified != NULL && info->simplified[0] != '\0') {
			fputs("\tSimplified: ", out);
			escaped(out, info->simplified);
			fputs("\n\n", out);
		}
	}
}

bool doc_section(FILE *out, const char *name)
{
	static const struct {
		const char *name;
		void (*print)(FILE *out);
	} sections[] = {
		{"COMMANDS",    section_commands   },
		{"DIAGNOSTICS", section_diagnostics},
		{"KEYS",	 section_keys	     },
		{"LIMITS",	   doc_limits	     },
		{"OPTIONS",	    section_options	   },
		{"POINTS",	   section_points	 },
		{"POLICIES",    section_policies   },
		{"PROMPT",	   section_prompt	 },
		{"SETTINGS",    section_settings   },
		{"VALUES",	   section_values	 },
	};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (strcmp(name, sections[i].name) == 0) {
			sections[i].print(out);
			return true;
		}
	}
	return false;
}
