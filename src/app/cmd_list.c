/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `list`: every table of the program.
 */
#include <string.h>

#include "commands.h"
#include "keymap.h"
#include "zonelab/text.h"

/* A table in the making: text rows with columns, or JSON objects. */
struct table {
	struct output *out;
	struct zl_json *rows;
	struct zl_json *row;
	size_t column;
};

static void start_row(struct table *t)
{
	t->row = zl_json_push_object(t->rows);
	t->column = 0;
}

/* One cell; in text it is padded to @width, in CSV quoted when needed. */
static void cell(struct table *t, const char *key, const char *value, size_t width)
{
	struct zl_buf *b = &t->out->text;

	if (t->out->format == FORMAT_JSON) {
		zl_json_add_string(t->row, key, value);
		return;
	}
	if (t->out->format == FORMAT_CSV) {
		zl_buf_str(b, t->column > 0 ? ",\"" : "\"");
		for (const char *p = value; *p != '\0'; p++) {
			zl_buf_str(b, *p == '"' ? "\"" : "");
			zl_buf_chr(b, *p);
		}
		zl_buf_chr(b, '"');
		t->column++;
		return;
	}
	zl_buf_str(b, value);
	t->column += width;
	if (width > 0) {
		zl_buf_pad(b, t->column - 1);
		zl_buf_chr(b, ' ');
	}
}

static void end_row(struct table *t)
{
	if (t->out->format != FORMAT_JSON) {
		zl_buf_chr(&t->out->text, '\n');
	}
}

static void list_settings(struct app *app, const struct command_args *args, struct table *t)
{
	const struct lane *lane = app_lane_const(app);
	bool resolved = args_switch(args, "--resolved");

	for (unsigned i = 0; i < ZL_SETTING_COUNT; i++) {
		enum zl_setting key = (enum zl_setting)i;
		const struct zl_setting_info *info = zl_setting_info(key);
		const struct zl_setting_value *v = &lane->profile.settings.value[i];
		char value[ZL_CMDLINE_TEXT];

		start_row(t);
		cell(t, "key", info->key, 32);
		if (resolved) {
			zl_machine_setting(
				&lane->profile, &lane->machine, key, value, sizeof(value));
			cell(t, "value", value, 20);
			cell(t, "origin",
				v->given ? zl_origin_name(v->origin) : "derived or default", 0);
		} else {
			cell(t, "default", info->dflt, 26);
			cell(t, "help", info->help, 0);
		}
		end_row(t);
	}
}

static void list_releases(struct table *t)
{
	for (size_t i = 0; i < zl_release_row_count(); i++) {
		struct zl_release_row r = zl_release_row(i);

		start_row(t);
		cell(t, "behaviour", r.behaviour, 26);
		cell(t, "series", r.series, 9);
		cell(t, "since", r.since, 9);
		cell(t, "value", r.value, 38);
		cell(t, "evidence", r.evidence, 0);
		end_row(t);
	}
}

static void list_designs(struct table *t)
{
	for (unsigned d = ZL_DESIGN_A514; d < ZL_DESIGN_COUNT; d++) {
		start_row(t);
		cell(t, "name", zl_design_name((enum zl_design_id)d), 7);
		cell(t, "releases", zl_design_releases((enum zl_design_id)d), 21);
		cell(t, "summary", zl_design_summary((enum zl_design_id)d), 0);
		end_row(t);
	}
}

static void list_commands(struct table *t)
{
	for (size_t i = 0; i < command_count(); i++) {
		const struct command *c = command_at(i);

		if (c->flags == COMMAND_KEY) {
			continue;
		}
		start_row(t);
		cell(t, "name", c->name, 14);
		cell(t, "synopsis", c->synopsis, 30);
		cell(t, "help", c->help, 0);
		end_row(t);
	}
}

static void list_keys(struct table *t)
{
	for (size_t i = 0; i < keymap_count(); i++) {
		const struct binding *b = keymap_at(i);

		if (b->show[0] == '\0') {
			continue;
		}
		start_row(t);
		cell(t, "mode", keymap_mode_name(b->mode), 25);
		cell(t, "key", b->show, 13);
		cell(t, "command", b->command, 16);
		cell(t, "help", b->help, 0);
		end_row(t);
	}
}

static void list_diagnostics(struct table *t)
{
	for (unsigned i = 0; i < ZL_DIAG_COUNT; i++) {
		start_row(t);
		cell(t, "code", zl_diag_name((enum zl_diag_code)i), 26);
		cell(t, "meaning", zl_diag_meaning((enum zl_diag_code)i), 0);
		end_row(t);
	}
}

static void list_values(struct app *app, struct table *t)
{
	struct value_in in = app_values(app);

	for (unsigned id = 1; id < VALUE_COUNT; id++) {
		const struct value_info *info = value_info((enum value_id)id);
		char value[64];

		value_text(&in, id, value, sizeof(value));
		start_row(t);
		cell(t, "name", info->name, 26);
		cell(t, "value", value, 14);
		cell(t, "definition", info->definition, 0);
		end_row(t);
	}
}

static bool list_what(struct app *app, const struct command_args *args, struct table *t)
{
	const char *what = args->word[0];

	if (strcmp(what, "settings") == 0) {
		list_settings(app, args, t);
	} else if (strcmp(what, "releases") == 0) {
		list_releases(t);
	} else if (strcmp(what, "designs") == 0) {
		list_designs(t);
	} else if (strcmp(what, "commands") == 0) {
		list_commands(t);
	} else if (strcmp(what, "keys") == 0) {
		list_keys(t);
	} else if (strcmp(what, "diagnostics") == 0) {
		list_diagnostics(t);
	} else if (strcmp(what, "values") == 0) {
		list_values(app, t);
	} else {
		return false;
	}
	return true;
}

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct table t = {.out = out};

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (out->format == FORMAT_JSON) {
		struct zl_json *root = output_json(out, "list");
		zl_json_add_string(root, "what", args->word[0]);
		t.rows = zl_json_add_array(root, "rows");
	}
	if (!list_what(app, args, &t)) {
		return command_usage(out, "there is no list of '%s'; %s", args->word[0],
			args->command->synopsis);
	}
	return EXIT_YES;
}

static const struct command_option options[] = {
	{"--resolved", NULL, false, "Settings: the value in force and where it came from"},
	{NULL,	       NULL, false, NULL						 },
};

const struct command cmd_list = {
	.name = "list",
	.synopsis = "settings|values|releases|designs|commands|keys|diagnostics [--resolved]",
	.flags = COMMAND_CLI | COMMAND_PROMPT,
	.help = "Print a table of the program",
	.more = "",
	.options = options,
	.run = run,
};
