/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What would make free_high fire in the zone of a run where its threshold is out of reach: each
 * way is tried on a zone that is made for it.
 */
#include <errno.h>

#include "lanes.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "zonelab/text.h"

#define CPUS_MAX 1024u
#define HALF	 2

/* Limits of a fresh zone. False when it cannot be made, or when free_high cannot fire there. */
static bool fires(const struct app *app, const struct zl_sim_config *c, struct zl_pageset_view *ret)
{
	struct zl_sim *sim = NULL;

	if (zl_sim_new(c, app->alloc, &sim, NULL) < 0) {
		return false;
	}
	zl_sim_pageset(sim, 0, ret);
	zl_sim_free(sim);
	return ret->threshold_exists && (!ret->tuned || ret->threshold <= ret->ceiling);
}

/* Adds a way that helps; its words and setting are there already. */
static bool add_way(struct app *app, const struct zl_sim_config *c, struct way *w)
{
	struct pagesets *p = app->pagesets;
	struct zl_pageset_view v;

	if (p->nr_ways == WAYS_MAX || !fires(app, c, &v)) {
		return false;
	}
	w->threshold = (uint64_t)v.threshold;
	w->ceiling = (uint64_t)v.ceiling;
	w->has_ceiling = v.tuned;
	p->way[p->nr_ways++] = *w;
	return true;
}

static void try_scales(struct app *app, const struct zl_sim_config *base)
{
	struct zl_sim_config c = *base;
	struct way w;

	for (c.scale_max++; c.scale_max <= ZL_SIM_SCALE_MAX; c.scale_max++) {
		zl_format(w.what, sizeof(w.what), "pcp_batch_scale_max %u", c.scale_max);
		zl_format(w.set, sizeof(w.set), "pcp_batch_scale_max=%u", c.scale_max);
		if (add_way(app, &c, &w)) {
			return;
		}
	}
}

/* A list has its own zone: there a lane gets the limit that the CPUs would give. */
static void try_cpus(struct app *app, const struct zl_sim_config *base)
{
	const struct pagesets *p = app->pagesets;
	struct zl_sim_config c = *base;
	struct zl_pageset_view v;
	struct way w;

	for (unsigned k = 2; base->high_min < 0 && k * base->cpus <= CPUS_MAX; k *= 2) {
		c.cpus = base->cpus * k;
		if (!fires(app, &c, &v)) {
			continue;
		}
		zl_format(w.what, sizeof(w.what), "%u CPUs: high_min %N", c.cpus,
			(uint64_t)v.high_min);
		if (p->all->source.list) {
			zl_format(w.set, sizeof(w.set), "high_min=%d", v.high_min);
		} else {
			zl_format(w.set, sizeof(w.set), "cpus=%u",
				p->machine->machine.cpus / base->cpus * c.cpus);
		}
		(void)add_way(app, &c, &w);
		return;
	}
}

static void try_high_min(struct app *app, const struct zl_sim_config *base)
{
	const struct zl_pageset_view *p = &app->pagesets->scene.pageset;
	struct zl_sim_config c = *base;
	struct way w;

	c.high_min = ((int64_t)p->ceiling - p->batch) * HALF + 1;
	if (c.high_min > 0) {
		zl_format(w.what, sizeof(w.what), "high_min %D or less", c.high_min);
		zl_format(w.set, sizeof(w.set), "high_min=%D", c.high_min);
		(void)add_way(app, &c, &w);
	}
}

static void try_older(struct app *app, const struct zl_sim_config *base)
{
	static const char release[] = "6.15";
	struct zl_sim_config c = *base;
	struct zl_release r;
	struct way w;

	if (zl_release_parse(release, &r) < 0) {
		return;
	}
	zl_switches_for(&r, &c.switches, NULL);
	zl_format(w.what, sizeof(w.what), "%s or older: threshold is batch", release);
	zl_format(w.set, sizeof(w.set), "kernel=%s", release);
	(void)add_way(app, &c, &w);
}

void pagesets_find_ways(struct app *app)
{
	struct pagesets *p = app->pagesets;
	const struct zl_sim_config *c = &p->branch[p->active].config;

	if (!p->scene.verdict.never || !p->scene.pageset.tuned) {
		p->nr_ways = 0;
		p->ways_of = PAGESETS_BRANCHES;
		return;
	}
	if (p->ways_of == p->active) {
		return;
	}
	p->nr_ways = 0;
	p->ways_of = p->active;
	try_scales(app, c);
	try_cpus(app, c);
	try_high_min(app, c);
	try_older(app, c);
}

int pagesets_take_way(struct app *app, unsigned i, struct zl_error *err)
{
	const struct pagesets *p = app->pagesets;
	unsigned lane = lanes_free(app);
	struct way w;

	if (i >= p->nr_ways) {
		return 0;
	}
	if (lane == APP_LANES) {
		zl_error_set(err, 0, 0, "all four lanes are open; :lane D off closes one");
		return -E2BIG;
	}
	w = p->way[i];
	int rc = lane_open(app, lane, app->active, w.set, err);
	if (rc == 0) {
		app_say(app, VALUE_LITERAL, "Lane %c: %s · A goes back, 4 compares",
			'A' + (int)lane, w.set);
	}
	return rc;
}
