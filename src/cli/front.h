/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the command line needs from files, views and the terminal. The explorer is a build option,
 * so it is asked for here and nowhere else.
 */
#ifndef CLI_FRONT_H
#define CLI_FRONT_H

#include "app.h"

struct front_options {
	const char *color;  /* auto, always, never; NULL = auto */
	const char *glyphs; /* unicode, ascii, console; NULL = by locale and terminal */
	bool ascii;
};

struct app *front_app_new(void);
void front_app_free(struct app *app);
/**
 * Lays a machine over the present one (app_merge_profile): a shipped profile by name, a profile
 * file, or "live". Its settings have the origin ZL_ORIGIN_NAMED_PROFILE.
 */
int front_profile(struct app *app, const char *name, struct zl_error *err);
/**
 * Reads files about one machine, in order, into the present one; any supported file is recognised
 * by its content. Their settings have the origin ZL_ORIGIN_FILE.
 * @given  what --set says; it wins over the files, and an importer may need it (kernel)
 */
int front_files(struct app *app, const char *const *path, size_t n, const struct zl_settings *given,
	struct zl_error *err);
/** The same for the explorer: device trees and boot logs open the Reserve screen. */
int front_open(struct app *app, const char *const *path, size_t n, const struct zl_settings *given,
	struct zl_error *err);
/** Shows the last trace among the files, once the machine is complete. */
int front_open_trace(struct app *app, const char *const *path, size_t n, struct zl_error *err);
/** Glyphs of screens and answers as --glyphs (NULL = all) and --ascii ask; no locale counts. */
void front_glyphs(struct app *app, const char *set, bool ascii);
/** What an answer draws with becomes what the set has; letters of names stay. */
void front_fit_glyphs(const struct app *app, struct zl_buf *text);
/** The screen in app->cols x app->rows as text. */
void front_screen_text(const struct app *app, struct zl_buf *ret);
/** @lasting: somebody uses the explorer afterwards, so scores are kept. */
const struct app_hooks *front_hooks(bool lasting);
bool front_has_explorer(void);
/** Runs the explorer; returns the exit status, with @err filled when it could not run. */
int front_explore(struct app *app, const struct front_options *options, struct zl_error *err);

#endif
