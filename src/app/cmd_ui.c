/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that keys run: moving, editing in place, overlays. They are ordinary commands, so a
 * test can type what a key can do.
 */
#include <string.h>

#include "beside.h"
#include "commands.h"
#include "ui.h"
#include "zonelab/text.h"

static enum exit_status run_move(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (!ui_move(app, args->word[0])) {
		return command_usage(out,
			"cannot move '%s'; up, down, left, right, page-up, page-down, "
			"first or last",
			args->word[0]);
	}
	return EXIT_YES;
}

static enum exit_status run_panel(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	ui_panel(app, strcmp(args->word[0], "previous") == 0 ? -1 : 1);
	return EXIT_YES;
}

static enum exit_status run_step(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	if (strcmp(args->word[0], "default") == 0) {
		ui_default(app);
	} else {
		ui_step(app, args->word[0][0] == '-' ? -1 : 1);
	}
	return EXIT_YES;
}

static enum exit_status run_next(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	int direction = args->nr_words > 0 && args->word[0][0] == '-' ? -1 : 1;
	if (app->screen == SCREEN_COMPARE && app->overlay == OVERLAY_NONE) {
		beside_next(app, direction);
		return EXIT_YES;
	}
	if (app->screen == SCREEN_PAGESETS && app->overlay == OVERLAY_NONE &&
		app->search[0] == '\0') {
		return command_run(app, direction > 0 ? "go event" : "go back event", out);
	}
	ui_next(app, direction);
	return EXIT_YES;
}

/* The commands below take no words: one function each in ui.c. */
static enum exit_status run_simple(
	struct app *app, const struct command_args *args, struct output *out)
{
	static const struct {
		const char *name;
		void (*act)(struct app *app);
	} acts[] = {
		{"edit",	 ui_edit	},
		{"take",	 ui_take	},
		{"cancel",   ui_cancel  },
		{"clear",	  ui_clear	  },
		{"erase",	  ui_erase	  },
		{"complete", ui_complete},
		{"why",	ui_why     },
		{"follow",   ui_follow  },
		{"back",	 ui_back	},
		{"copy",	 ui_copy	},
		{"settings", ui_settings},
		{"search",   ui_search  },
		{"suspend",  ui_suspend },
		{"redraw",   ui_redraw  },
	};

	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (strcmp(acts[i].name, args->command->name) == 0) {
			acts[i].act(app);
		}
	}
	return EXIT_YES;
}

static enum exit_status run_prompt(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 1, out)) {
		return EXIT_USAGE;
	}
	ui_prompt(app);
	if (args->nr_words > 0) {
		zl_format(app->prompt_start, sizeof(app->prompt_start), "%s ", args->word[0]);
		app->prompt_list = strcmp(args->word[0], "cpu") == 0;
	}
	return EXIT_YES;
}

#define KEY_COMMAND(id, word, args, text, function)                                                \
	const struct command cmd_##id = {.name = word,                                             \
		.synopsis = args,                                                                  \
		.flags = COMMAND_KEY,                                                              \
		.help = text,                                                                      \
		.more = "",                                                                        \
		.run = function}

KEY_COMMAND(back, "back", "", "Back to the value before", run_simple);
KEY_COMMAND(cancel, "cancel", "", "Close a field or overlay", run_simple);
KEY_COMMAND(clear, "clear", "", "Empty the field", run_simple);
KEY_COMMAND(complete, "complete", "", "Complete the field", run_simple);
KEY_COMMAND(copy, "copy", "", "Copy the panel as text", run_simple);
KEY_COMMAND(edit, "edit", "", "Edit the focused value", run_simple);
KEY_COMMAND(erase, "erase", "", "Erase the last character", run_simple);
KEY_COMMAND(follow, "follow", "", "Why of the chosen input", run_simple);
KEY_COMMAND(move, "move", "DIRECTION", "Move the focus", run_move);
KEY_COMMAND(next, "next", "[-1]", "Next match or diagnostic", run_next);
KEY_COMMAND(panel, "panel", "next|previous", "Focus a panel", run_panel);
KEY_COMMAND(prompt, "prompt", "[WORD]", "Open the command line", run_prompt);
KEY_COMMAND(redraw, "redraw", "", "Paint everything again", run_simple);
KEY_COMMAND(search, "search", "", "Search", run_simple);
KEY_COMMAND(settings, "settings", "", "Show all settings", run_simple);
KEY_COMMAND(step, "step", "+1|-1|default", "Change the focused value", run_step);
KEY_COMMAND(suspend, "suspend", "", "Suspend the program", run_simple);
KEY_COMMAND(take, "take", "", "Take the edited value", run_simple);
KEY_COMMAND(why, "why", "", "Why this value", run_simple);
