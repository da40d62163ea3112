/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the Pagesets state share. */
#ifndef APP_PAGESETS_PRIVATE_H
#define APP_PAGESETS_PRIVATE_H

#include "pagesets.h"

void pagesets_drop_preview(struct pagesets *p, const struct zl_allocator *mem);
/**
 * The zone under a lane's settings, for pagesets_take_zone(), or scenario_machine_free() its
 * machine. A machine that cannot run it is said in the message row. Returns 0 or -errno with @err
 * filled.
 */
int pagesets_zone(struct app *app, struct playback *all, const struct lane *lane,
	struct run_zone *ret, struct zl_error *err);
/** A zone becomes that of the run: its machine and title follow. */
void pagesets_take_zone(struct pagesets *p, struct run_zone *zone);
/**
 * The ops in the zone of @to from op 0 on: those of @like where the number of CPUs is the same,
 * which share its list of ops, else the source's. Returns 0 or -errno with @err filled.
 */
int pagesets_run_anew(struct app *app, const struct pagesets *p, const struct pagesets_branch *like,
	struct pagesets_branch *to, struct zl_error *err);
/**
 * Runs the open scenario in another zone of its machine, in every lane, standing at the same op;
 * bookmarks and stops stay. Returns 0 or -errno with @err filled; then nothing has changed.
 */
int pagesets_open_zone(struct app *app, const struct zl_scenario_zone *zone, struct zl_error *err);
/** A run that leaves another one. */
struct pagesets_parting {
	const struct pagesets *p;
	const struct pagesets_branch *from;
	const struct zl_sim_config *config; /* NULL = as it is */
	const struct zl_op *insert;	    /* NULL = none */
};
/**
 * A run made out of a branch at the place where it stands, under another configuration or with an
 * op. Returns 0 or -errno with @err filled.
 */
int pagesets_part(struct app *app, const struct pagesets_parting *how, struct timeline **ret,
	struct zl_error *err);
/** The node of a branch under the settings of a lane, with one reference; NULL without memory. */
struct pagesets_node *pagesets_node_new(
	struct app *app, struct pagesets_node *parent, const struct lane *lane, const char *what);
/** Gives one reference back; NULL is allowed. */
void pagesets_node_drop(struct app *app, struct pagesets_node *node);
/** Frees a branch. */
void pagesets_branch_done(struct app *app, struct pagesets_branch *b);
/** Makes the policies that a configuration borrows last as long as the run. 0 or -ENOMEM. */
int pagesets_keep(struct app *app, struct playback *all, struct zl_sim_config *config);
void pagesets_drop_policies(struct app *app, struct playback *all);
/** Looks for ways when the threshold of the scene is out of reach. */
void pagesets_find_ways(struct app *app);
/** Conditions count as held where they hold now. */
void pagesets_break_rearm(struct app *app);

#endif
