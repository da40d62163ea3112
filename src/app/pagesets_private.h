/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the Pagesets state share. */
#ifndef APP_PAGESETS_PRIVATE_H
#define APP_PAGESETS_PRIVATE_H

#include "pagesets.h"

void pagesets_drop_preview(struct pagesets *p, const struct zl_allocator *mem);
/**
 * The zone under a lane's settings; the run's machine and title follow. A machine that cannot run
 * it is said in the message row. Returns 0 or -errno with @err filled.
 */
int pagesets_zone(struct app *app, struct pagesets *p, const struct lane *lane,
	struct zl_sim_config *ret, struct zl_error *err);
/**
 * The ops in the zone of @to from op 0 on: those of @like where the number of CPUs is the same,
 * which share its list of ops, else the source's. Returns 0 or -errno with @err filled.
 */
int pagesets_run_anew(struct app *app, const struct pagesets *p, const struct pagesets_branch *like,
	struct pagesets_branch *to, struct zl_error *err);
/** Makes the policies that a configuration borrows last as long as the run. 0 or -ENOMEM. */
int pagesets_keep(struct app *app, struct playback *all, struct zl_sim_config *config);
void pagesets_drop_policies(struct app *app, struct playback *all);
/** Looks for ways when the threshold of the scene is out of reach. */
void pagesets_find_ways(struct app *app);
/** Conditions count as held where they hold now. */
void pagesets_break_rearm(struct app *app);

#endif
