/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay_show.h"

#include <errno.h>
#include <string.h>

#include "aside.h"
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

static int stand(struct app *app, const struct replay_job *j, struct zl_error *err)
{
	int rc = pagesets_to_first_flush(app);

	if (rc == 0 && pagesets_timeline(app)->at < j->result.start_ops) {
		rc = pagesets_seek(app, j->result.start_ops);
	}
	if (rc < 0) {
		zl_error_set(err, 0, 0, "no memory for this trace");
	}
	return rc;
}

/* In the place of what was open. */
static int show(struct app *app, struct replay_job *j, struct zl_error *err)
{
	const unsigned lane = app->active;
	struct app *before = aside_begin(app, lane);

	if (before == NULL) {
		zl_error_set(err, 0, 0, "no memory for this trace");
		return -ENOMEM;
	}
	int rc = open_run(app, j, err);
	app->replay = rc == 0 ? j : NULL;
	rc = rc < 0 ? rc : app_show_screen(app, SCREEN_PAGESETS, err);
	rc = rc < 0 ? rc : stand(app, j, err);
	if (rc < 0) {
		app->replay = NULL; /* still the caller's */
	}
	return aside_end(app, before, lane, rc);
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
	rc = show(app, j, err);
	if (rc < 0) {
		replay_job_free(j);
	} else {
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
