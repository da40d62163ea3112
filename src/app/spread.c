/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spread.h"

int spread_run(const struct app *app, struct spread *w, struct zl_error *err)
{
	int rc = 0;

	if (app->hooks != NULL && app->hooks->spread != NULL) {
		return app->hooks->spread(w, err);
	}
	for (uint64_t i = 0; rc == 0 && i < w->n; i++) {
		w->value[i] = sweep_point(w->sweep, w->point[i]);
		rc = w->done(w->user, i);
	}
	return rc;
}
