/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that change the machine or the program's state: set, undo, redo, pin, quit, screen.
 */
#include <errno.h>
#include <string.h>

#include "beside.h"
#include "commands.h"
#include "lanes.h"
#include "learn.h"
#include "pagesets.h"
#include "pools.h"
#include "ui.h"

static enum exit_status run_set(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, COMMAND_WORDS, out)) {
		return EXIT_USAGE;
	}
	return lanes_edit(app, args->word, args->nr_words, &out->error) < 0 ? EXIT_USAGE : EXIT_YES;
}

const struct command cmd_set = {
	.name = "set",
	.synopsis = "KEY=VALUE...",
	.flags = COMMAND_PROMPT,
	.help = "Change settings; KEY=default takes the derived value again",
	.more = "Changing an input derives everything again that was not given itself. All values "
		"are "
		"taken, or none; together they are one step of undo. In the middle of a run on "
		"Pagesets a sysctl or a what-if holds from there on, as a branch; what is built "
		"in, or fixed at boot, opens a lane, which runs with it from the start.",
	.run = run_set,
};

static enum exit_status run_undo(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (!(app->screen == SCREEN_RESERVE && pools_undo(app)) && !app_undo(app)) {
		app_say(app, VALUE_NONE, "Nothing to undo");
	}
	return EXIT_YES;
}

const struct command cmd_undo = {
	.name = "undo",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Take the last edit back",
	.more = "",
	.run = run_undo,
};

static enum exit_status run_redo(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (!(app->screen == SCREEN_RESERVE && pools_redo(app)) && !app_redo(app)) {
		app_say(app, VALUE_NONE, "Nothing to redo");
	}
	return EXIT_YES;
}

const struct command cmd_redo = {
	.name = "redo",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Make an undone edit again",
	.more = "",
	.run = run_redo,
};

static enum exit_status run_pin(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (beside_shown(app)) {
		beside_pin(app);
	} else {
		app_pin(app);
	}
	return EXIT_YES;
}

const struct command cmd_pin = {
	.name = "pin",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Pin the present values as baseline, or take the baseline off",
	.more = "Later values show what they were and in which direction they changed.",
	.run = run_pin,
};

static enum exit_status run_quit(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (app->overlay != OVERLAY_NONE) {
		ui_cancel(app);
		return EXIT_YES;
	}
	bool ask = !app->quit_asked && !args_switch(args, "--now");
	/* In a lesson the user's own state waits; it would be lost too. */
	const struct app *own =
		app->learn != NULL && app->learn->saved != NULL ? app->learn->saved : app;
	if (ask && pools_unwritten(own)) {
		app->quit_asked = true;
		app_say(app, VALUE_NONE,
			"Pools changed by hand are not written · q again leaves, :write-fix FILE "
			"keeps them");
		return EXIT_YES;
	}
	if (app->dirty && ask) {
		app->quit_asked = true;
		app_say(app, VALUE_NONE,
			"Edits are not saved · q again leaves, :save FILE keeps them");
		return EXIT_YES;
	}
	app->quit = true;
	return EXIT_YES;
}

static const struct command_option quit_options[] = {
	{"--now", NULL, false, "Do not ask about unsaved edits"},
	{NULL,    NULL, false, NULL				},
};

const struct command cmd_quit = {
	.name = "quit",
	.synopsis = "[--now]",
	.flags = COMMAND_PROMPT,
	.help = "Close what lies over the screen, then leave",
	.more = "Asks once when edits would be lost.",
	.options = quit_options,
	.run = run_quit,
};

#define SCREEN_NAMES                                                                               \
	"1 or geometry, 2 or reserve, 3 or pagesets, 4 or compare, 5 or sweep, 6 or learn"

/* By number or name; 0 if there is none. */
static enum app_screen screen_of(const char *word)
{
	static const struct {
		enum app_screen screen;
		const char *number, *name;
	} screens[] = {
		{SCREEN_GEOMETRY, "1", "geometry"},
		{SCREEN_RESERVE,	 "2", "reserve" },
		{SCREEN_PAGESETS, "3", "pagesets"},
		{SCREEN_COMPARE,	 "4", "compare" },
		{SCREEN_SWEEP,    "5", "sweep"   },
		{SCREEN_LEARN,    "6", "learn"   },
	};

	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		if (strcmp(word, screens[i].number) == 0 || strcmp(word, screens[i].name) == 0) {
			return screens[i].screen;
		}
	}
	return (enum app_screen)0;
}

static enum exit_status run_screen(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	const char *w = args->word[0];
	enum app_screen screen = screen_of(w);

	if (screen == 0) {
		return command_usage(out, "there is no screen '%s'; " SCREEN_NAMES, w);
	}
	int r = app_show_screen(app, screen, &out->error);
	if (r < 0) {
		return r == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	app->overlay = OVERLAY_NONE;
	return EXIT_YES;
}

const struct command cmd_screen = {
	.name = "screen",
	.synopsis = "NAME|NUMBER",
	.flags = COMMAND_PROMPT,
	.help = "Show a screen: " SCREEN_NAMES,
	.more = "",
	.run = run_screen,
};

static enum exit_status run_plain(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (app->hooks == NULL || app->hooks->plain == NULL) {
		return command_usage(
			out, "this front end has no screen; use --screen or the explorer");
	}
	if (!out->interactive) {
		app_settle(app); /* nobody waits for what is still computed */
	}
	app->hooks->plain(app, false, &out->text);
	return EXIT_YES;
}

const struct command cmd_plain = {
	.name = "plain",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Print the screen as labelled lines, for screen readers",
	.more = "",
	.run = run_plain,
};

static enum exit_status run_screenshot(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (app->hooks == NULL || app->hooks->screenshot == NULL) {
		return command_usage(
			out, "this front end has no screen; use --screen or the explorer");
	}
	if (app->hooks->screenshot(app, args->word[0], &out->error) < 0) {
		return EXIT_USAGE;
	}
	app_say(app, VALUE_LITERAL, "Screen written to %s", args->word[0]);
	return EXIT_YES;
}

const struct command cmd_screenshot = {
	.name = "screenshot",
	.synopsis = "FILE.txt|FILE.svg",
	.flags = COMMAND_PROMPT,
	.help = "Write the screen to a file as text or SVG",
	.more = "An existing file is not overwritten.",
	.run = run_screenshot,
};
