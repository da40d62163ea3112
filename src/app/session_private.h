/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of sessions share. */
#ifndef APP_SESSION_PRIVATE_H
#define APP_SESSION_PRIVATE_H

#include "app.h"
#include "zonelab/json.h"

#define SESSION_VERSION 2
#define DIGEST_TEXT	32

/** What a session calls each screen, by enum app_screen. */
extern const char *const session_screen_names[APP_SCREENS];

/** "MEMBER: why" in @err; returns -EINVAL. */
int session_wrong(struct zl_error *err, const char *member, const char *why);

/* --- lanes and what their runs grew out of (session_lane.c, session_grow.c) --- */

/** The machine without settings and policies, printed; zl_json_text_free() it. NULL: no memory. */
char *session_machine_text(const struct lane *lane);
/**
 * A lane as members of an object: machine, settings with their origins, policies. @like is the
 * machine of a lane that was written before and need not be told again, or NULL.
 */
void session_lane_write(struct zl_json *o, const struct lane *lane, const char *like);
/** A profile that is part of a session. Returns 0 or -errno with @err filled. */
int session_profile_read(const struct app *app, const struct zl_json *j, struct zl_profile *ret,
	struct zl_error *err);
/** The nodes and branches of a lane's run. */
void session_run_write(struct zl_json *o, const struct app *app, unsigned lane);
/**
 * Reads a lane; @like is the lane whose machine was not told again, or NULL. @ret is zeroed before and the caller's on success.
 * Returns 0 or -errno with @err filled.
 */
int session_lane_read(const struct app *app, const struct zl_json *o, const struct lane *like,
	struct lane *ret, struct zl_error *err);
/** Settings with their origins and policies, as a lane and a node have them. */
void session_state_write(struct zl_json *o, const struct zl_settings *settings,
	const struct zl_policy_set *policies);
/** The same in place of those of @ret. Returns 0 or -errno with @err filled. */
int session_state_read(const struct app *app, const struct zl_json *o, struct zl_profile *ret,
	struct zl_error *err);
/** The settings that a lane's run was opened with, as a state; NULL = it has no run. */
const struct zl_json *session_run_root(const struct zl_json *lane);
/**
 * Grows the nodes of a lane's run again out of its first branch and stands it on the branch that
 * it stood on. The lane's settings are those of the last node then.
 * Returns 0 or -errno with @err filled.
 */
int session_run_grow(
	struct app *app, const struct zl_json *lane, unsigned index, struct zl_error *err);

/* --- version 1 (session_old.c) --- */

int session_read_old(struct app *app, const struct zl_json *root, struct zl_error *err);

/* --- the run (session_read.c) --- */

/** Bookmarks and breakpoints. Returns 0 or -errno with @err filled. */
int session_read_marks(struct app *app, const struct zl_json *run, struct zl_error *err);
/** The CPU that was chosen, be it one that not every lane has, and the speed. */
void session_read_look(struct app *app, const struct zl_json *run);
/** Opens what a run's ops come from. Returns 0 or -errno with @err filled. */
int session_open_run(struct app *app, const struct zl_json *run, struct zl_error *err);
/** The screen that was shown. */
int session_read_screen(struct app *app, const struct zl_json *root, struct zl_error *err);

#endif
