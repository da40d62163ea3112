/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_show.h"

#include <string.h>

#include "pagesets.h"
#include "replay_report.h"
#include "zonelab/text.h"

bool replay_recognise(const char *path)
{
	return strcmp(path, "-") != 0 && zl_trace_recognise(path);
}

static int open_run(struct app *app, struct replay_job *j, struct zl_error *err)
{
	struct zl_profile copy;
	struct op_feed feed;
	int rc = zl_profile_copy(&copy, &j->profile, app->alloc);

	if (rc != 0) {
		zl_error_set(err, 0, 0, "no memory for this trace");
		return rc;
	}
	app_use_profile(app, &copy);
	rc = replay_job_feed(j, &feed, err);
	return rc != 0 ? rc : pagesets_open(app, j->name, &j->where.config, &feed, err);
}

static void stand(struct app *app, const struct replay_job *j)
{
	pagesets_to_first_flush(app);
	if (pagesets_timeline(app) != NULL && pagesets_timeline(app)->at < j->result.start_ops) {
		pagesets_seek(app, j->result.start_ops);
	}
}

int replay_show(struct app *app, const char *path, struct zl_error *err)
{
	const struct replay_ask ask = {.path = path};
	struct replay_job *j = NULL;
	char fidelity[128];
	int rc = replay_job_new(app, &ask, &j, err);

	if (rc != 0) {
		return rc;
	}
	rc = open_run(app, j, err);
	if (rc != 0) {
		replay_job_free(j);
		return rc;
	}
	/* The run before, which may read from the old one, is gone. */
	replay_close(app);
	app->replay = j;
	rc = app_show_screen(app, SCREEN_PAGESETS, err);
	if (rc == 0) {
		stand(app, j);
		replay_fidelity(&j->result, fidelity, sizeof(fidelity));
		app_say(app, 0, "Fidelity %s; :report", fidelity);
	}
	return rc;
}

bool replay_shown_report(const struct app *app, struct output *out)
{
	if (app->replay == NULL) {
		return false;
	}
	if (out->format == FORMAT_JSON) {
		replay_answer_json(app->replay, NULL, out);
	} else {
		replay_report_text(app->replay, out);
	}
	return true;
}

void replay_close(struct app *app)
{
	replay_job_free(app->replay);
	app->replay = NULL;
}
