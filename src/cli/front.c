/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "front.h"

#include <stdlib.h>

#include "machines.h"

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
	return machine_profile(app, name, err);
}

int front_files(struct app *app, const char *const *path, size_t n, const struct zl_settings *given,
	struct zl_error *err)
{
	return machine_files(app, path, n, given, err);
}

int front_open(struct app *app, const char *const *path, size_t n, const struct zl_settings *given,
	struct zl_error *err)
{
	return machine_open(app, path, n, given, err);
}

int front_open_trace(struct app *app, const char *const *path, size_t n, struct zl_error *err)
{
	return machine_open_trace(app, path, n, err);
}
