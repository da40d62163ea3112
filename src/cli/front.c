/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "front.h"

#include <errno.h>
#include <stdlib.h>

struct app *front_app_new(void)
{
	struct app *app = calloc(1, sizeof(*app));

	if (app != NULL && app_init(app) < 0) {
		free(app);
		app = NULL;
	}
	return app;
}

void front_app_free(struct app *app)
{
	app_done(app);
	free(app);
}

int front_profile(struct app *app, const char *name, struct zl_error *err)
{
	(void)app;
	zl_error_set(err, 0, 0, "there is no profile '%s'; see `zonelab list profiles`", name);
	return -ENOENT;
}

int front_files(struct app *app, const char *const *path, size_t n, const struct zl_settings *given,
	struct zl_error *err)
{
	(void)app;
	(void)n;
	(void)given;
	zl_error_set(err, 0, 0, "this kind of file is not read yet");
	zl_error_file(err, path[0]);
	return -ENOENT;
}
