/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lane: opens, closes, lists and focuses lanes.
 */
#include <errno.h>
#include <string.h>

#include "beside.h"
#include "commands.h"
#include "lanes.h"
#include "zonelab/text.h"

static void list_lanes(const struct app *app, struct output *out)
{
	char words[APP_LANE_ITEMS];

	for (unsigned i = 0; i < APP_LANES; i++) {
		if (app->lane[i].used) {
			lane_words(app, i, words, sizeof(words));
			zl_buf_fmt(&out->text, "%s %c  %s\n", i == app->active ? ">" : " ",
				'A' + (int)i, words);
		}
	}
	zl_buf_str(&out->text, "\n:lane B:KEY=VALUE,... opens one, :lane B off closes it.\n");
}

/* "b" is B. APP_LANES = no letter of a lane. */
static unsigned lane_of(char letter)
{
	unsigned i = (unsigned)((letter & ~0x20) - 'A');

	return i < APP_LANES ? i : APP_LANES;
}

static enum exit_status failed(int rc)
{
	return rc == -ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

/* The words behind "B:" are items too: blanks stand after commas. */
static enum exit_status open_lane(
	struct app *app, unsigned lane, const struct command_args *args, struct output *out)
{
	char items[COMMAND_LINE], words[APP_LANE_ITEMS];
	struct zl_text t;

	zl_text_init(&t, items, sizeof(items));
	zl_text_str(&t, args->word[0] + 2);
	for (size_t i = 1; i < args->nr_words; i++) {
		zl_text_fmt(&t, " %s", args->word[i]);
	}
	int rc = lane_open(app, lane, 0, items, &out->error);
	if (rc < 0) {
		return failed(rc);
	}
	lane_words(app, lane, words, sizeof(words));
	app_say(app, VALUE_LITERAL, "Lane %c: %s · A goes back, 4 compares", 'A' + (int)lane,
		words);
	return EXIT_YES;
}

static enum exit_status run_lane(
	struct app *app, const struct command_args *args, struct output *out)
{
	int rc;

	if (args->nr_words == 0) {
		list_lanes(app, out);
		return EXIT_YES;
	}
	const char *word = args->word[0];
	unsigned lane = lane_of(word[0]);
	if (lane == APP_LANES || (word[1] != '\0' && word[1] != ':')) {
		return command_usage(out,
			"there is no lane '%s'; A to D, as in lane B:kernel=6.12.0,high_min=600",
			word);
	}
	if (word[1] == ':') {
		return open_lane(app, lane, args, out);
	}
	if (args->nr_words == 2 && strcmp(args->word[1], "off") == 0) {
		rc = lane_close(app, lane, &out->error);
		if (rc == 0) {
			app_say(app, VALUE_LITERAL, "Lane %c is closed", 'A' + (int)lane);
		}
	} else if (args->nr_words == 1) {
		rc = lane_focus(app, lane, &out->error);
	} else {
		return command_usage(
			out, "lane %c takes nothing, off, or :KEY=VALUE,...", 'A' + (int)lane);
	}
	return rc < 0 ? failed(rc) : EXIT_YES;
}

const struct command cmd_lane = {
	.name = "lane",
	.synopsis = "[LANE|LANE:ITEM,...|LANE off]",
	.flags = COMMAND_PROMPT,
	.help = "Focus, open, close or list lanes: the same run under other what-ifs",
	.more = "A lane is lane A's machine with items: KEY=VALUE, profile=NAME, "
		"policy.POINT=EXPRESSION, a shipped policy as policy=NAME, or a release alone. "
		"lane B:kernel=6.12.0,high_min=600 opens B, lane B focuses it, lane B off closes "
		"it; lane alone lists them. There are up to four, A to D. A comma inside (), [] or "
		"double quotes does not part items, nor one behind a backslash; inside quotes a "
		"backslash also takes a quote or a backslash as it is.",
	.run = run_lane,
};

static enum exit_status run_axis(
	struct app *app, const struct command_args *args, struct output *out)
{
	if (!command_words_ok(args, 0, 0, out)) {
		return EXIT_USAGE;
	}
	if (app->screen != SCREEN_COMPARE &&
		app_show_screen(app, SCREEN_COMPARE, &out->error) < 0) {
		return EXIT_FAULT;
	}
	beside_axis(app);
	return EXIT_YES;
}

const struct command cmd_axis = {
	.name = "axis",
	.synopsis = "",
	.flags = COMMAND_PROMPT,
	.help = "Slide the focused lane through the releases, on Compare",
	.more = "Left and right go to the next release at which something changes that a run can "
		"show; the message row names the change and the commit that is known for it. Again "
		"ends it.",
	.run = run_axis,
};
