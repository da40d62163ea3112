/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of several zones, which the explorer shows one zone at a time: the ops that reach the chosen
 * zone are a run of that zone alone.
 */
#ifndef APP_RUN_ZONES_H
#define APP_RUN_ZONES_H

#include "app.h"
#include "timeline.h"
#include "zonelab/scenario.h"
#include "zonelab/system.h"

/** The zone with most memory. */
#define ZONES_LARGEST UINT32_MAX

/** A zone that the open run can be shown in. */
struct run_zone_name {
	unsigned node;
	char name[16];
	uint64_t managed; /* pages */
};

/** Which run, and which of its zones. */
struct run_zones {
	char path[256]; /* scenario by name or file, or op list; "" = the run has one zone */
	bool list;
	unsigned zone, nr;
	struct run_zone_name item[ZL_SYSTEM_ZONES_MAX]; /* all of them */
	char title[96];					/* "pressure-zones DMA32, node 0" */
};

/**
 * The chosen zone of a run and the ops that reach it. @what->path, list and zone are given, the
 * rest is filled in. The scenario's machine becomes the lane's.
 * Returns 0; -EINVAL, -E2BIG, ... with @err; -ENOMEM.
 */
int run_zones_feed(struct app *app, struct run_zones *what, struct zl_sim_config *ret_config,
	struct op_feed *ret_feed, struct zl_error *err);
/** Opens it on the Pagesets screen. Returns 0 or -errno with @err filled. */
int run_zones_show(struct app *app, struct run_zones *what, struct zl_error *err);
/** "node 0 Normal": the zone that the open run shows; so is the one zone of an op list called. */
void run_zones_name(const struct app *app, char *buf, size_t size);
/** Zones that the open run can be shown in, at most ZL_ZONES_MAX: how many, and which it is. */
size_t run_zones_list(
	const struct app *app, struct run_zone_name ret[ZL_ZONES_MAX], size_t *ret_shown);
/** A scenario's zone: that one, all of it, under the machine's own figures. */
void run_zone_whole(const struct run_zone_name *zone, struct zl_scenario_zone *ret);
/**
 * Shows the run in another zone of run_zones_list(), at the same op. A scenario of one zone runs
 * anew there, in every lane; branches end, bookmarks and stops stay.
 * Returns 0 or -errno with @err filled.
 */
int run_zones_choose(struct app *app, size_t zone, struct zl_error *err);

#endif
