/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `save-profile`: the machine that is shown, as a profile.
 */

#include "commands.h"
#include "zonelab/import.h"
#include "zonelab/profile_json.h"
#include "zonelab/save.h"
#include "zonelab/text.h"

static enum exit_status run(struct app *app, const struct command_args *args, struct output *out)
{
	struct zl_buf text = {0};
	char *json = NULL;
	int r = 0;

	if (!command_words_ok(args, 1, 1, out)) {
		return EXIT_USAGE;
	}
	struct zl_profile shown = app_lane(app)->profile; /* its zones stay the lane's */
	zl_cmdline_known_setting(&shown.settings);
	struct zl_json *root = zl_profile_to_json(&shown);
	r = zl_json_print(root, true, &json);
	zl_json_free(root);
	if (r < 0) {
		zl_error_set(&out->error, 0, 0, "no memory for the profile; nothing was written");
		return EXIT_FAULT;
	}
	zl_buf_fmt(&text, "%s", "");
	zl_buf_str(&text, json);
	zl_buf_chr(&text, '\n');
	zl_json_text_free(json);
	r = text.failed ? -1
			: zl_save(args->word[0], zl_buf_text(&text), text.len, false, &out->error);
	zl_buf_done(&text);
	if (r < 0) {
		return EXIT_USAGE;
	}
	app->dirty = false;
	app_say(app, VALUE_LITERAL, "Profile written to %s · zonelab --profile %s opens it",
		args->word[0], args->word[0]);
	return EXIT_YES;
}

const struct command cmd_save_profile = {
	.name = "save-profile",
	.synopsis = "FILE",
	.flags = COMMAND_PROMPT,
	.help = "Write the machine that is shown as a profile",
	.more = "The settings that were given and the zones of imported files. Of a command line "
		"only "
		"the words that the model knows are written. An existing file is not overwritten.",
	.run = run,
};
