/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes in step: making them. */
#include <errno.h>
#include <string.h>

#include "comparison_private.h"
#include "estimate_report.h"
#include "list_feed.h"
#include "op_list.h"
#include "run_show.h"
#include "scenario_feed.h"
#include "zonelab/text.h"

static void *take(struct comparison *c, void *old, size_t size)
{
	return c->meter.mem.realloc(c->meter.mem.user, old, size);
}

static int list_lane(struct compare_lane *l, const struct compare_what *what,
	const struct zl_profile *p, struct zl_error *err)
{
	l->config = what->workload->config;
	l->config.policies = p->policies.count > 0 ? &p->policies : NULL;
	zl_format(
		l->kernel, sizeof(l->kernel), "%s", zl_settings_text(&p->settings, ZL_SET_KERNEL));
	return op_list_switches(&p->settings, what->workload, &l->config.switches, &l->diags, err);
}

static int scenario_lane(struct comparison *c, struct compare_lane *l,
	const struct compare_what *what, const struct zl_profile *p, struct zl_error *err)
{
	int rc = scenario_machine_new(p, what->scenario, c->meter.below, &l->machine, err);

	if (rc == 0 && l->machine->system != NULL) {
		zl_error_set(err, 0, 0,
			"the scenario runs in all zones, and lanes are aligned in one; `zonelab "
			"sweep %s --vary kernel=6.12,6.18 --metric zone_locks` compares totals",
			scenario_is_shipped(what->scenario->name) ? what->scenario->name
								  : "SCENARIO");
		rc = -EINVAL;
	}
	if (rc != 0) {
		return rc;
	}
	l->config = l->machine->config;
	l->diags = l->machine->diags;
	zl_machine_setting(&l->machine->profile, &l->machine->machine, ZL_SET_KERNEL, l->kernel,
		sizeof(l->kernel));
	return 0;
}

static int make_lane(
	struct comparison *c, const struct compare_what *what, unsigned i, struct zl_error *err)
{
	struct compare_lane *l = &c->lane[i];
	struct zl_error why = {0};
	int rc;

	zl_format(l->name, sizeof(l->name), "%s", what->name[i]);
	if (what->feed != NULL) {
		l->config = *what->config[i];
		rc = 0;
	} else if (what->workload != NULL) {
		rc = list_lane(l, what, what->profile[i], &why);
	} else {
		rc = scenario_lane(c, l, what, what->profile[i], &why);
	}
	if (rc != 0) {
		zl_error_set(err, 0, 0, "lane %s: %s", l->name, why.text);
	}
	return rc;
}

static int open_feed(struct comparison *c, const struct compare_what *what, struct zl_error *err)
{
	struct zl_expand_options options = what->expand;

	if (what->feed != NULL) {
		c->feed = *what->feed;
		return 0;
	}
	if (what->workload != NULL) {
		return list_feed(
			&c->meter.mem, what->workload->ops, what->workload->nr_ops, &c->feed);
	}
	options.cpus = c->cpus;
	return scenario_feed(what->scenario, &options, &c->meter.mem, &c->feed, err);
}

static int start_timeline(struct comparison *c, unsigned i, struct zl_error *err)
{
	struct compare_lane *l = &c->lane[i];
	struct lane_feed *f = take(c, NULL, sizeof(*f));
	struct op_feed feed = {.next = compare_lane_next,
		.done = compare_lane_feed_done,
		.user = f,
		.total = c->feed.total};

	if (f == NULL) {
		zl_error_set(err, 0, 0, "no memory for a lane");
		return -ENOMEM;
	}
	*f = (struct lane_feed){.c = c, .lane = i};
	return timeline_new(&l->config, &feed, &c->meter, &l->t, err);
}

static int start_estimate(
	struct comparison *c, const struct compare_what *what, unsigned i, struct zl_error *err)
{
	static const struct zl_settings none;
	struct compare_lane *l = &c->lane[i];
	const struct zl_settings *s = &none;

	if (l->machine != NULL) {
		s = &l->machine->profile.settings;
	} else if (what->profile[i] != NULL) {
		s = &what->profile[i]->settings;
	}
	l->estimate = estimate_new(s, l->config.cpus, c->meter.below);
	if (l->estimate == NULL) {
		zl_error_set(err, 0, 0, "no memory for a lane");
		return -ENOMEM;
	}
	zl_costs_of(s, &l->costs);
	zl_estimate_attach(l->estimate, c->seekable ? l->t->ahead : l->sim);
	return 0;
}

int comparison_begin(struct comparison *c, const struct compare_what *what, struct zl_error *err)
{
	int rc = 0;

	c->from = c->known;
	c->differ = c->nr_stretches = 0;
	c->nr_first = 0;
	c->last_pattern = 0;
	memset(c->pair, 0, sizeof(c->pair));
	for (unsigned i = 0; i < c->nr_lanes && rc == 0; i++) {
		zl_outcome_start(&c->lane[i].outcome, comparison_sim(c, i));
		rc = what->estimate ? start_estimate(c, what, i, err) : 0;
	}
	return rc;
}

static int start_lanes(struct comparison *c, const struct compare_what *what, struct zl_error *err)
{
	struct zl_error why = {0};
	int rc = 0;

	for (unsigned i = 0; i < c->nr_lanes && rc == 0; i++) {
		struct compare_lane *l = &c->lane[i];

		if (c->seekable) {
			rc = start_timeline(c, i, &why);
		} else {
			rc = zl_sim_new(&l->config, &c->meter.mem, &l->sim, &why);
		}
		if (rc == 0) {
			/* The zone's own copy, which lives as long as the lane. */
			l->config.policies = zl_sim_config(comparison_sim(c, i))->policies;
			zl_outcome_start(&l->outcome, comparison_sim(c, i));
			zl_sim_pageset(comparison_sim(c, i), 0, &l->limits);
		}
		if (rc == 0 && what->estimate) {
			rc = start_estimate(c, what, i, &why);
		}
		if (rc != 0) {
			zl_error_set(err, 0, 0, "lane %s: %s", l->name, why.text);
		}
	}
	return rc;
}

/* What was to be taken over and was not. */
static void give_up(const struct compare_what *what)
{
	if (what->scenario != NULL) {
		zl_scenario_done(what->scenario);
	}
	if (what->feed != NULL && what->feed->done != NULL) {
		what->feed->done(what->feed->user);
	}
}

static int build(struct comparison *c, const struct compare_what *what, struct zl_error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < what->nr_lanes && rc == 0; i++) {
		c->nr_lanes = i + 1;
		rc = make_lane(c, what, i, err);
		c->cpus = i == 0 || c->lane[i].config.cpus < c->cpus ? c->lane[i].config.cpus
								     : c->cpus;
	}
	if (rc != 0) {
		give_up(what);
	}
	rc = rc != 0 ? rc : open_feed(c, what, err);
	rc = rc != 0 ? rc : start_lanes(c, what, err);
	for (unsigned i = 0; rc == 0 && c->seekable && i < c->nr_lanes; i++) {
		c->lane[i].t->budget = what->budget != 0 ? what->budget : TIMELINE_BUDGET;
		c->lane[i].t->op_bytes = TIMELINE_OP_BYTES + c->nr_lanes - 1;
	}
	for (unsigned i = 1; rc == 0 && c->seekable && i < c->nr_lanes; i++) {
		rc = oplog_follow(&c->lane[i].t->log, &c->lane[0].t->log);
	}
	return rc != 0 || !c->seekable ? rc : comparison_seek(c, 0);
}

int comparison_new(const struct compare_what *what, const struct zl_allocator *mem,
	struct comparison **ret, struct zl_error *err)
{
	struct comparison *c = mem->realloc(mem->user, NULL, sizeof(*c));

	if (c == NULL) {
		give_up(what);
		zl_error_set(err, 0, 0, "no memory for lanes");
		return -ENOMEM;
	}
	memset(c, 0, sizeof(*c));
	meter_init(&c->meter, mem);
	c->seekable = what->seekable;
	int rc = build(c, what, err);
	if (rc != 0) {
		comparison_free(c);
		if (rc == -ENOMEM) {
			zl_error_set(err, 0, 0, "no memory for lanes");
		}
		return rc;
	}
	*ret = c;
	return 0;
}

void comparison_free(struct comparison *c)
{
	if (c == NULL) {
		return;
	}
	const struct zl_allocator *mem = c->meter.below;

	for (unsigned i = 0; i < c->nr_lanes; i++) {
		scenario_machine_free(c->lane[i].machine);
		zl_sim_free(c->lane[i].sim);
		timeline_free(c->lane[i].t);
		zl_estimate_free(c->lane[i].estimate);
	}
	if (c->feed.done != NULL) {
		c->feed.done(c->feed.user);
	}
	c->meter.mem.free(c->meter.mem.user, c->pattern);
	mem->free(mem->user, c);
}
