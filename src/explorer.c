/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seam between command line and explorer, which is a build option.
 */
#include <string.h>

#include "front.h"
#ifdef HAVE_TUI
#include "tui.h"

bool front_has_explorer(void)
{
	return true;
}

static bool is_word(const char *given, const char *word)
{
	return given != NULL && strcmp(given, word) == 0;
}

static enum colour_when colour_of(const char *when)
{
	if (is_word(when, "always") || is_word(when, "contrast")) {
		return COLOUR_ALWAYS;
	}
	return is_word(when, "never") ? COLOUR_NEVER : COLOUR_AUTO;
}

int front_explore(struct app *app, const struct front_options *options, struct zl_error *err)
{
	struct tui_opts opts = {
		.terminal = {.glyphs = GLYPHS_COUNT,
			     .colour = colour_of(options->color),
			     .scheme =
				is_word(options->color, "contrast") ? SCHEME_CONTRAST : SCHEME_16},
		.motion = app->motion,
	};

	if (options->glyphs != NULL) {
		opts.terminal.glyphs = glyph_set_find(options->glyphs);
	}
	if (options->ascii) {
		opts.terminal.glyphs = GLYPHS_ASCII;
	}
	return tui_run(app, &opts, err);
}

#else

bool front_has_explorer(void)
{
	return false;
}

int front_explore(struct app *app, const struct front_options *options, struct zl_error *err)
{
	const int usage = 2;

	(void)app;
	(void)options;
	zl_error_set(err, 0, 0, "the explorer is not built in; see `zonelab --help`");
	return usage;
}

#endif
