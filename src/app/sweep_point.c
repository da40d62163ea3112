/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One point of a sweep: its machine, its run, its value. */
#include <errno.h>
#include <string.h>

#include "reserve.h"
#include "scenario_machine.h"
#include "sweep.h"
#include "sweep_figures.h"
#include "zonelab/system.h"
#include "zonelab/text.h"
#include "zonelab/timed.h"

#define CHUNK	   256
#define EVERYTHING UINT64_MAX

/* A point of a scenario in progress. */
struct sweep_run {
	uint64_t point;
	struct scenario_machine *machine;
	struct zl_expand *expand;
	struct zl_sim *sim;
	struct zl_system *system; /* all zones; then there is no sim */
	struct zl_estimate *estimate;
	int64_t param[SWEEP_AXES_MAX][2]; /* what the scenario had */
	bool over;
};

static struct sweep_value state_of(enum sweep_state st)
{
	return (struct sweep_value){.state = st};
}

static struct sweep_value value_of(const struct sweep *s, int64_t v)
{
	return (struct sweep_value){
		.value = v, .state = v == 0 && s->zero_is_never ? SWEEP_NEVER : SWEEP_VALUE};
}

/* The settings of a point over those of the user. */
static int set_point(const struct sweep *s, uint64_t point, struct zl_settings *settings)
{
	char text[SWEEP_WORD];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < s->nr_axes; i++) {
		const struct sweep_axis *a = &s->axis[i];

		if (a->kind == SWEEP_SETTING) {
			sweep_axis_text(a, sweep_at(s, point, i), false, text, sizeof(text));
			rc = zl_settings_set(settings, a->setting, text, ZL_ORIGIN_LANE, NULL);
		}
	}
	return rc;
}

static void swap_params(struct sweep *s, struct sweep_run *r, bool in)
{
	for (size_t i = 0; i < s->nr_axes; i++) {
		const struct sweep_axis *a = &s->axis[i];
		struct zl_scenario_name *n;

		if (a->kind != SWEEP_PARAM) {
			continue;
		}
		n = &s->scenario.names[a->param];
		if (in) {
			r->param[i][0] = n->value;
			r->param[i][1] = n->short_value;
			n->value = a->number[sweep_at(s, r->point, i)];
			n->short_value = n->value;
		} else {
			n->value = r->param[i][0];
			n->short_value = r->param[i][1];
		}
	}
}

void sweep_point_stop(struct sweep *s)
{
	struct sweep_run *r = s->run;

	if (r == NULL) {
		return;
	}
	swap_params(s, r, false);
	zl_sim_free(r->sim);
	zl_system_free(r->system);
	zl_estimate_free(r->estimate);
	zl_expand_free(r->expand);
	scenario_machine_free(r->machine);
	s->mem->free(s->mem->user, r);
	s->run = NULL;
}

/* The seed of a point: an axis may be it. */
static int expand_of(
	struct sweep *s, const struct zl_settings *settings, struct zl_expand_options *ret)
{
	*ret = s->expand;
	if (zl_settings_given(settings, ZL_SET_SEED)) {
		ret->seeded = true;
		return zl_parse_u64(zl_settings_text(settings, ZL_SET_SEED), &ret->seed);
	}
	return 0;
}

static int start_estimate(struct sweep *s, struct sweep_run *r)
{
	struct zl_estimate_options o = {.cpus = r->machine->config.cpus};
	int rc;

	if (s->estimate_metric < 0) {
		return 0;
	}
	zl_costs_of(&r->machine->profile.settings, &o.costs);
	rc = zl_estimate_new(&o, s->mem, &r->estimate);
	if (rc == 0) {
		zl_estimate_attach(r->estimate, r->sim);
	}
	return rc;
}

/* The zone of the run, or all of them. */
static int start_zones(struct sweep *s, struct sweep_run *r)
{
	int rc;

	if (r->machine->system == NULL) {
		rc = zl_sim_new(&r->machine->config, s->mem, &r->sim, NULL);
		return rc != 0 ? rc : start_estimate(s, r);
	}
	rc = zl_system_new(r->machine->system, s->mem, &r->system, NULL);
	s->watch.system = r->system;
	return rc;
}

/* Makes machine, zone and expansion of a point. */
static int start_run(struct sweep *s, struct sweep_run *r)
{
	struct zl_expand_options expand;
	struct zl_profile p;
	int rc;

	zl_profile_init(&p);
	rc = zl_profile_copy(&p, &s->base, s->mem);
	rc = rc != 0 ? rc : set_point(s, r->point, &p.settings);
	rc = rc != 0 ? rc : expand_of(s, &p.settings, &expand);
	rc = rc != 0 ? rc : scenario_machine_new(&p, &s->scenario, s->mem, &r->machine, NULL);
	zl_profile_done(&p, s->mem);
	if (rc != 0) {
		return rc;
	}
	expand.cpus =
		r->machine->system != NULL ? r->machine->system->cpus : r->machine->config.cpus;
	if (s->timed) {
		return 0;
	}
	rc = zl_expand_new(&s->scenario, &expand, s->mem, &r->expand, NULL);
	rc = rc != 0 ? rc : start_zones(s, r);
	if (rc == 0 && s->compiled) {
		rc = zl_watch_start(&s->watch, r->sim, NULL);
	}
	return rc;
}

/* As the pagesets of the zone have them at the start. */
static int limits_of(
	const struct sweep *s, const struct zl_sim_config *config, struct sweep_limits *ret)
{
	struct zl_pageset_view v;
	struct zl_sim *sim = NULL;
	int rc = zl_sim_new(config, s->mem, &sim, NULL);

	if (rc == 0) {
		zl_sim_pageset(sim, 0, &v);
		ret->high_min = v.tuned ? v.high_min : v.high;
		ret->threshold = v.threshold_exists ? v.threshold : -1;
		ret->ceiling = v.tuned && v.ceiling > 0 ? v.ceiling : -1;
	}
	zl_sim_free(sim);
	return rc;
}

int sweep_point_limits(struct sweep *s, uint64_t point, struct sweep_limits *ret)
{
	struct scenario_machine *m = NULL;
	struct zl_profile p;
	int rc;

	if (s->target != SWEEP_SCENARIO || s->scenario.zone.all) {
		return -EINVAL;
	}
	zl_profile_init(&p);
	rc = zl_profile_copy(&p, &s->base, s->mem);
	rc = rc != 0 ? rc : set_point(s, point, &p.settings);
	rc = rc != 0 ? rc : scenario_machine_new(&p, &s->scenario, s->mem, &m, NULL);
	zl_profile_done(&p, s->mem);
	rc = rc != 0 ? rc : limits_of(s, &m->config, ret);
	scenario_machine_free(m);
	return rc;
}

static struct sweep_value failed(int rc)
{
	return state_of(rc == -ENOMEM || rc == -EILSEQ ? SWEEP_FAULT : SWEEP_REFUSED);
}

static struct sweep_value finish_run(struct sweep *s, struct sweep_run *r)
{
	struct zl_estimate_result e;
	int64_t v = 0;

	if (s->estimate_metric >= 0) {
		zl_estimate_result(r->estimate, &e);
		return value_of(s, sweep_estimate_value((size_t)s->estimate_metric, &e));
	}
	return zl_watch_eval(&s->watch, r->sim, &v, NULL) == 0 ? value_of(s, v)
							       : state_of(SWEEP_NONE);
}

static struct sweep_value timed_point(struct sweep *s, struct sweep_run *r)
{
	struct zl_timed t = {.scenario = &s->scenario,
		.expand = s->expand,
		.config = r->machine->config,
		.end_ns = s->end_ns,
		.mem = s->mem,
		.with_free_lock = sweep_estimate_needs_free_lock((size_t)s->estimate_metric)};
	struct zl_timed_result result;
	struct sweep_value v;
	int rc = expand_of(s, &r->machine->profile.settings, &t.expand);

	zl_costs_of(&r->machine->profile.settings, &t.costs);
	rc = rc != 0 ? rc : zl_timed_run(&t, &result, NULL);
	if (rc != 0) {
		return failed(rc);
	}
	v = value_of(s, sweep_estimate_value((size_t)s->estimate_metric, &result.estimate));
	zl_timed_result_done(&result);
	return v;
}

/* Up to @ops ops; true when the run is over. */
static int go_on(struct sweep *s, struct sweep_run *r, uint64_t ops)
{
	struct zl_scenario_op op[CHUNK];
	size_t n = 0;
	int rc;

	do {
		rc = zl_expand_read(r->expand, op, CHUNK, &n, NULL);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			rc = r->system != NULL ? zl_system_apply(r->system, &op[i].op)
					       : zl_sim_apply(r->sim, &op[i].op);
			if (rc == 0 && r->estimate != NULL) {
				rc = zl_estimate_op(r->estimate, r->sim, &op[i]);
			}
			if (rc == 0 && s->compiled) {
				zl_watch_note(&s->watch, r->sim);
			}
		}
		ops -= n < ops ? n : ops;
	} while (rc == 0 && n > 0 && ops > 0);
	r->over = n == 0;
	return rc;
}

/* Geometry, pcp and pools: a machine and no run. */
static struct sweep_value machine_point(const struct sweep *s, uint64_t point)
{
	struct machine_room {
		struct zl_profile profile;
		struct zl_machine machine;
	} *room = s->mem->realloc(s->mem->user, NULL, sizeof(*room));
	struct sweep_value ret = state_of(SWEEP_NONE);
	int64_t v = 0;
	int rc = room == NULL ? -ENOMEM : 0;

	if (rc == 0) {
		memset(room, 0, sizeof(*room));
		zl_profile_init(&room->profile);
		rc = zl_profile_copy(&room->profile, &s->base, s->mem);
		rc = rc != 0 ? rc : set_point(s, point, &room->profile.settings);
	}
	if (rc != 0) {
		ret = failed(rc);
	} else {
		struct value_in in = {.profile = &room->profile, .machine = &room->machine};

		zl_machine_resolve(&room->profile, &room->machine, NULL);
		in.zone = room->machine.main_zone;
		if (!room->machine.geometry.buildable) {
			ret = state_of(SWEEP_REFUSED);
		} else if (value_get(&in, (enum value_id)s->value_id, &v)) {
			ret = value_of(s, v);
		}
	}
	if (room != NULL) {
		zl_profile_done(&room->profile, s->mem);
		s->mem->free(s->mem->user, room);
	}
	return ret;
}

static struct sweep_value pools_point(const struct sweep *s, uint64_t point)
{
	const char *path[sizeof(s->file) / sizeof(s->file[0])];
	struct lane *lane = s->mem->realloc(s->mem->user, NULL, sizeof(*lane));
	struct reserve_request request = {.path = path, .nr_paths = s->nr_files};
	struct sweep_value ret;
	struct reserve *r = NULL;
	int rc = lane == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < s->nr_files; i++) {
		path[i] = s->file[i];
	}
	if (rc == 0) {
		memset(lane, 0, sizeof(*lane));
		zl_profile_init(&lane->profile);
		rc = zl_profile_copy(&lane->profile, &s->base, s->mem);
		rc = rc != 0 ? rc : set_point(s, point, &lane->profile.settings);
	}
	if (rc == 0) {
		zl_machine_resolve(&lane->profile, &lane->machine, &lane->diags);
		rc = reserve_new(lane, &request, s->mem, &r, NULL);
	}
	ret = rc != 0 ? failed(rc) : value_of(s, sweep_pool_value((size_t)s->pool_metric, r));
	reserve_free(r);
	if (lane != NULL) {
		zl_profile_done(&lane->profile, s->mem);
		s->mem->free(s->mem->user, lane);
	}
	return ret;
}

static bool run_some(struct sweep *s, uint64_t point, uint64_t ops, struct sweep_value *ret)
{
	int rc = 0;

	if (s->run != NULL && s->run->point != point) {
		sweep_point_stop(s);
	}
	if (s->run == NULL) {
		s->run = s->mem->realloc(s->mem->user, NULL, sizeof(*s->run));
		if (s->run == NULL) {
			*ret = state_of(SWEEP_FAULT);
			return true;
		}
		memset(s->run, 0, sizeof(*s->run));
		s->run->point = point;
		swap_params(s, s->run, true);
		rc = start_run(s, s->run);
	}
	if (rc == 0 && s->timed) {
		*ret = timed_point(s, s->run);
		sweep_point_stop(s);
		return true;
	}
	rc = rc != 0 ? rc : go_on(s, s->run, ops);
	if (rc == 0 && !s->run->over) {
		return false;
	}
	*ret = rc != 0 ? failed(rc) : finish_run(s, s->run);
	sweep_point_stop(s);
	return true;
}

bool sweep_point_some(struct sweep *s, uint64_t point, uint64_t ops, struct sweep_value *ret)
{
	if (s->target == SWEEP_SCENARIO) {
		return run_some(s, point, ops, ret);
	}
	*ret = s->pool_metric >= 0 ? pools_point(s, point) : machine_point(s, point);
	return true;
}

struct sweep_value sweep_point(struct sweep *s, uint64_t point)
{
	struct sweep_value v;

	(void)sweep_point_some(s, point, EVERYTHING, &v);
	return v;
}
