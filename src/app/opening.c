/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that the explorer is started with: what is about the machine goes to it, what is about
 * reserved memory opens the Reserve screen, a scenario, an op list or a trace the Pagesets screen, a
 * patch the Compare screen.
 */
#include <errno.h>
#include <string.h>

#include "machines.h"
#include "patch_show.h"
#include "pools.h"
#include "replay_show.h"
#include "run_show.h"
#include "session.h"
#include "ui.h"
#include "verify_report.h"
#include "zonelab/dts.h"
#include "zonelab/text.h"

#define OPEN_MAX 64

struct opening {
	const char *machine[OPEN_MAX]; /* files that say something about it */
	size_t nr_machine;
	const char *reserve[OPEN_MAX]; /* files about reserved memory, and what they depend on */
	size_t nr_reserve;
	bool tree, log;
	const char *patch[OPEN_MAX]; /* patches and mails */
	size_t nr_patch;
	const char *run; /* a scenario or an op list, NULL = none; the last one */
	enum zl_file_kind run_kind;
};

static void add(const char **list, size_t *n, const char *path)
{
	if (*n < OPEN_MAX) {
		list[(*n)++] = path;
	}
}

/* Files that cannot be read are left to the reader of machines, which says why. */
static void sort_file(struct opening *o, const char *path, const struct zl_allocator *a)
{
	struct zl_file f = {0};
	enum zl_file_kind kind;
	bool tree;

	if (replay_recognise(path)) { /* of any length; machine_open_trace() */
		return;
	}
	if (strcmp(path, "-") == 0 || zl_file_load(path, 0, a, &f, NULL) != 0) {
		add(o->machine, &o->nr_machine, path);
		return;
	}
	kind = zl_file_detect(f.data, f.size);
	tree = kind == ZL_FILE_DTS || kind == ZL_FILE_DTB || zl_dtb_recognise(f.data, f.size) ||
	       (kind == ZL_FILE_UNKNOWN && zl_dts_recognise(f.data, f.size));
	o->tree = o->tree || tree;
	o->log = o->log || kind == ZL_FILE_DMESG || kind == ZL_FILE_CAPTURE;
	if (kind == ZL_FILE_SCENARIO || kind == ZL_FILE_WORKLOAD || kind == ZL_FILE_SESSION) {
		o->run = path;
		o->run_kind = kind;
	} else if ((kind == ZL_FILE_PATCH || kind == ZL_FILE_MBOX) && !tree &&
		   !zl_dts_recognise(f.data, f.size)) {
		add(o->patch, &o->nr_patch, path);
	} else if (!tree) {
		add(o->machine, &o->nr_machine, path);
	}
	if (tree || kind == ZL_FILE_DMESG || kind == ZL_FILE_CAPTURE || kind == ZL_FILE_KCONFIG ||
		kind == ZL_FILE_CMDLINE || zl_dts_recognise(f.data, f.size)) {
		add(o->reserve, &o->nr_reserve, path);
	}
	zl_file_done(&f, a);
}

static int open_reservations(struct app *app, const struct opening *o, struct zl_error *err)
{
	int r = pools_open(app, o->reserve, o->nr_reserve, err);

	if (r < 0) {
		return r;
	}
	if (!o->tree && app->pools->r->report.nr_pools == 0) {
		return 0; /* a log that says nothing of reservations */
	}
	return app_show_screen(app, SCREEN_RESERVE, err);
}

static int open_session(struct app *app, const char *path, struct zl_error *err)
{
	int rc = session_open(app, path, err);

	if (rc == 0) {
		zl_format(app->session_file, sizeof(app->session_file), "%s", path);
	}
	return rc;
}

int machine_open(struct app *app, const char *const *path, size_t n,
	const struct zl_settings *given, struct zl_error *err)
{
	struct opening o = {0};
	int r = 0;

	if (n > OPEN_MAX) {
		zl_error_set(err, 0, 0, "too many files; at most %d are opened together", OPEN_MAX);
		return -E2BIG;
	}
	for (size_t i = 0; i < n; i++) {
		if (scenario_is_shipped(path[i])) {
			o.run = path[i];
			o.run_kind = ZL_FILE_SCENARIO;
		} else {
			sort_file(&o, path[i], app->alloc);
		}
	}
	if (o.nr_machine > 0) {
		r = machine_files(app, o.machine, o.nr_machine, given, err);
	}
	if (r == 0 && (o.tree || o.log)) {
		r = open_reservations(app, &o, err);
	}
	if (r == 0 && o.run != NULL) {
		/* A run is made for what the user says of the machine, not changed to it later. */
		zl_settings_merge(&app_lane(app)->profile.settings, given);
		app_resolve(app);
		r = o.run_kind == ZL_FILE_SESSION    ? open_session(app, o.run, err)
		    : o.run_kind == ZL_FILE_SCENARIO ? scenario_show(app, o.run, err)
						     : list_show(app, o.run, err);
	}
	if (r == 0 && o.nr_patch > 0) {
		r = patch_show(app, o.patch, o.nr_patch, err);
	}
	return r;
}

/* Over the Pagesets screen, before anything runs. */
static int show_report(struct app *app)
{
	struct zl_buf text = {0};
	struct zl_verify v;

	if (machine_verify(app->import, &v) < 0) {
		return -ENOMEM;
	}
	import_report(app->import, &v, &text);
	zl_verify_done(&v, app->alloc);
	ui_show_text(app, OVERLAY_REPORT, "import", &text);
	app_say(app, VALUE_NONE, "This machine is lane A · Enter goes on to its pagesets");
	return 0;
}

static bool has_zoneinfo(const struct zl_import *im)
{
	for (size_t i = 0; i < im->nr_files; i++) {
		if (im->file[i].kind == ZL_FILE_ZONEINFO) {
			return true;
		}
	}
	return false;
}

int machine_open_story(struct app *app, bool files, struct zl_error *err)
{
	bool zones = app->import != NULL && has_zoneinfo(app->import);
	int rc = 0;

	if (app->screen != SCREEN_GEOMETRY || (files && !zones)) {
		return 0;
	}
	rc = app_show_screen(app, SCREEN_PAGESETS, err);
	return rc == 0 && zones ? show_report(app) : rc;
}

int machine_open_trace(struct app *app, const char *const *path, size_t n, struct zl_error *err)
{
	for (size_t i = n; i-- > 0;) {
		if (replay_recognise(path[i])) {
			return replay_show(app, path[i], err);
		}
	}
	return 0;
}
