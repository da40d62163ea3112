/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One key or one line from the user: looked up in the key table, run as a command.
 */
#include <string.h>

#include "command.h"
#include "keymap.h"
#include "ui.h"
#include "zonelab/text.h"

/* What fails without a word had no memory for one. */
static void name_error(const struct app *app, enum exit_status status, struct output *out)
{
	if ((status == EXIT_USAGE || status == EXIT_FAULT) && out->error.text[0] == '\0' &&
		out->text.len == 0 && app->message.text[0] == '\0') {
		zl_error_set(&out->error, 0, 0, "no memory for this");
	}
}

/* Shows what a command left: an error in the message row, text in an overlay. */
static void show_output(
	struct app *app, const char *title, enum exit_status status, struct output *out)
{
	if (out->error.text[0] != '\0') {
		app_say(app, VALUE_LITERAL, status == EXIT_INTERRUPTED ? "%s" : "Error: %s",
			out->error.text);
	}
	if (out->json != NULL && out->text.len == 0) {
		char *text = NULL;
		if (zl_json_print(out->json, true, &text) == 0) {
			zl_buf_str(&out->text, text);
			zl_json_text_free(text);
		} else {
			out->text.failed = true;
		}
	}
	if (out->text.failed) {
		app_say(app, VALUE_NONE, "Error: no memory for all of this answer");
	}
	if (out->text.len > 0) {
		ui_show_text(app, OVERLAY_TEXT, title, &out->text);
	}
	output_done(out);
}

static bool asked_to_stop(void *user)
{
	struct app *app = user;

	return app_asked_to_stop(app);
}

bool app_asked_to_stop(struct app *app)
{
	return app->hooks != NULL && app->hooks->stop != NULL && app->hooks->stop(app);
}

/* Where what a command of the explorer says goes, and who may end it. */
static struct output output_of(struct app *app)
{
	return (struct output){.interactive = true, .stop = asked_to_stop, .patience_user = app};
}

static void run_line(struct app *app, const char *line)
{
	struct output out = output_of(app);
	struct command_args args;
	bool asked = app->quit_asked;

	if (command_parse(line, &args, &out.error) < 0) {
		show_output(app, "", EXIT_USAGE, &out);
		return;
	}
	enum exit_status status = command_dispatch(app, &args, &out);
	name_error(app, status, &out);
	if (asked) {
		app->quit_asked = false; /* anything but a second q takes the question back */
	}
	show_output(app, args.command->name, status, &out);
}

static bool is_text(const char *key)
{
	/* Names of keys have several ASCII letters; text is one code point. */
	unsigned char c = (unsigned char)key[0];

	if (c >= 0x80) {
		return true;
	}
	return c >= ' ' && c != 0x7f && key[1] == '\0';
}

void app_key(struct app *app, const char *key)
{
	enum keymap_mode mode = keymap_mode_of(app);
	const struct binding *b = NULL;

	if (mode == KEYMAP_FIELD) {
		if (strcmp(key, "Space") == 0) {
			ui_type(app, " ");
			app_keep_focus(app);
			return;
		}
		if (is_text(key)) {
			ui_type(app, key);
			app_keep_focus(app);
			return;
		}
	}
	app->by_hand = false;
	b = keymap_find(mode, key);
	if (b != NULL && b->command[0] != '\0') {
		if (strcmp(b->command, "redraw") != 0) {
			app->message.text[0] = '\0'; /* painting again shows the same */
		}
		run_line(app, b->command);
	}
	app_keep_focus(app);
}

void app_prompt_done(struct app *app, const char *line)
{
	struct output out = output_of(app);
	struct command_args args;

	app->prompt_error.text[0] = '\0';
	if (line == NULL || line[strspn(line, " \t")] == '\0') {
		app->mode = MODE_NORMAL;
		return;
	}
	if (command_parse(line, &args, &out.error) < 0) {
		app->prompt_error = out.error;
		output_done(&out);
		return;
	}
	app->message.text[0] = '\0';
	app->mode = MODE_NORMAL;
	enum exit_status status = command_dispatch(app, &args, &out);
	name_error(app, status, &out);
	if (status == EXIT_USAGE && out.text.len == 0) {
		/* A wrong command stays open with its error. */
		app->mode = MODE_PROMPT;
		app->prompt_error = out.error;
		output_done(&out);
		return;
	}
	show_output(app, args.command->name, status, &out);
	app_keep_focus(app);
}
