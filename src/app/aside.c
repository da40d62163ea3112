/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "aside.h"

#include <string.h>

struct app *aside_begin(struct app *app, unsigned lane)
{
	struct app *before = app->alloc->realloc(app->alloc->user, NULL, sizeof(*before));

	if (before == NULL) {
		return NULL;
	}
	*before = *app;
	app->nr_undo = 0;
	app->nr_redo = 0;
	app->preview = NULL;
	app->pagesets = NULL;
	memset(app->run, 0, sizeof(app->run));
	app->beside = NULL;
	app->replay = NULL;
	if (lane < APP_LANES) {
		memset(&app->lane[lane].profile, 0, sizeof(app->lane[lane].profile));
		return before;
	}
	app->baseline = NULL;
	memset(app->lane, 0, sizeof(app->lane));
	app->active = 0;
	app->lane[0].used = true;
	zl_profile_init(&app->lane[0].profile);
	app_resolve(app);
	return before;
}

/* What both have alike is @to's alone, as @from has it: that is the newer. */
static void hand_over(struct app *from, struct app *to, unsigned lane)
{
	to->text = from->text;
	to->why = from->why;
	to->import = from->import;
	to->pools = from->pools;
	to->sweeps = from->sweeps;
	to->learn = from->learn;
	for (unsigned i = 0; i < APP_LANES && lane != ASIDE_ALL; i++) {
		if (i != lane) {
			to->lane[i].profile = from->lane[i].profile;
		}
	}
	to->baseline = lane != ASIDE_ALL ? from->baseline : to->baseline;
}

/* Frees what is not handed over. */
static void end(struct app *app, unsigned lane)
{
	memset(&app->text, 0, sizeof(app->text));
	app->why = NULL;
	app->import = NULL;
	app->pools = NULL;
	app->sweeps = NULL;
	app->learn = NULL;
	for (unsigned i = 0; i < APP_LANES && lane != ASIDE_ALL; i++) {
		if (i != lane) {
			memset(&app->lane[i].profile, 0, sizeof(app->lane[i].profile));
		}
	}
	app->baseline = lane != ASIDE_ALL ? NULL : app->baseline;
	app_done(app);
}

int aside_end(struct app *app, struct app *before, unsigned lane, int rc)
{
	if (rc == 0) {
		end(before, lane);
	} else {
		hand_over(app, before, lane);
		end(app, lane);
		*app = *before;
	}
	app->alloc->free(app->alloc->user, before);
	return rc;
}
