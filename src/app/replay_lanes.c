/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same demand under other what-ifs. */
#include <errno.h>
#include <string.h>

#include "replay_job.h"
#include "zonelab/metrics.h"
#include "zonelab/sim_machine.h"
#include "zonelab/text.h"

#define SLICE 65536u

static const struct zl_zone *same_zone(const struct zl_machine *m, const struct zl_zone *z)
{
	for (size_t i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].node == z->node && strcmp(m->zones[i].name, z->name) == 0 &&
			m->zones[i].populated) {
			return &m->zones[i];
		}
	}
	return NULL;
}

/* What a lane may change of an exported zone, which is as its marks say. */
static void change_exported(const struct zl_profile *p, struct zl_sim_config *c)
{
	const struct {
		enum zl_setting key;
		int64_t *value;
	} limits[] = {
		{ZL_SET_BATCH,    &c->batch	},
		{ZL_SET_HIGH_MIN, &c->high_min},
		{ZL_SET_HIGH_MAX, &c->high_max},
	};
	const struct zl_setting_value *v = p->settings.value;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (v[limits[i].key].given) {
			*limits[i].value = v[limits[i].key].number;
		}
	}
	if (v[ZL_SET_BATCH_SCALE_MAX].given) {
		c->scale_max = (unsigned)v[ZL_SET_BATCH_SCALE_MAX].number;
	}
	if (v[ZL_SET_HIGH_FRACTION].given) {
		c->high_fraction = (unsigned)v[ZL_SET_HIGH_FRACTION].number;
	}
	if (v[ZL_SET_CACHE_SLICE].given) {
		c->cache_slice = (uint64_t)v[ZL_SET_CACHE_SLICE].number;
	}
}

static int config_on(const struct replay_job *j, const struct zl_profile *p,
	const struct zl_machine *m, struct zl_sim_config *ret, struct zl_error *err)
{
	const struct zl_zone *z;

	if (m->switches.design == ZL_DESIGN_NONE || !m->geometry.buildable) {
		zl_error_set(err, 0, 0,
			"this kernel has no pagesets that are modelled, or cannot be built");
		return -EINVAL;
	}
	if (j->recording->marks.exported && j->recording->marks.has_config) {
		*ret = j->where.config;
		ret->switches = m->switches;
		ret->policies = replay_policies(p);
		change_exported(p, ret);
		return zl_sim_config_check(ret, err);
	}
	z = same_zone(m, &j->machine.zones[j->zone]);
	if (z == NULL) {
		zl_error_set(err, 0, 0, "this machine has no %s", j->zone_name);
		return -EINVAL;
	}
	zl_sim_config_of(p, m, (size_t)(z - m->zones), ret);
	ret->policies = replay_policies(p);
	if (!zl_settings_given(&p->settings, ZL_SET_CACHE_SLICE)) {
		ret->cache_slice = j->where.config.cache_slice;
	}
	zl_replay_config(j->recording, ret);
	return zl_sim_config_check(ret, err);
}

int replay_job_config(const struct replay_job *j, const struct zl_profile *p,
	struct zl_sim_config *ret, struct zl_error *err)
{
	struct zl_machine *m = j->mem->realloc(j->mem->user, NULL, sizeof(*m));
	int rc;

	if (m == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	zl_machine_resolve(p, m, NULL);
	rc = config_on(j, p, m, ret, err);
	j->mem->free(j->mem->user, m);
	return rc;
}

static int add_lane(
	struct replay_lanes *l, const struct replay_job *j, const char *text, struct zl_error *err)
{
	struct lane_spec *s = &l->spec[l->n];
	int rc = lane_parse(text, s, err);

	for (unsigned i = 0; rc == 0 && i < l->n; i++) {
		if (strcmp(l->spec[i].name, s->name) == 0) {
			zl_error_set(err, 0, 0, "two lanes are called %s; other names", s->name);
			rc = -EINVAL;
		}
	}
	rc = rc != 0 ? rc : lane_apply(s, &j->profile, j->mem, &l->profile[l->n], err);
	if (rc != 0) {
		return rc;
	}
	l->profile[l->n].observe = true;
	l->n++;
	return replay_job_config(j, &l->profile[l->n - 1], &l->config[l->n - 1], err);
}

static void fill_lanes(
	const struct replay_lanes *l, const struct replay_job *j, struct compare_what *ret)
{
	*ret = (struct compare_what){.nr_lanes = l->n};
	for (unsigned i = 0; i < l->n; i++) {
		ret->config[i] = &l->config[i];
		ret->name[i] = l->spec[i].name;
		ret->profile[i] = i == 0 ? &j->profile : &l->profile[i];
	}
}

static int open_comparison(struct replay_lanes *l, const struct replay_job *j, struct zl_error *err)
{
	struct compare_what what;
	struct op_feed feed;
	int rc = replay_job_feed(j, &feed, err);

	if (rc != 0) {
		return rc;
	}
	l->start_ops = j->result.start_ops;
	fill_lanes(l, j, &what);
	what.feed = &feed;
	return comparison_new(&what, j->mem, &l->comparison, err);
}

int replay_lanes_new(const struct replay_job *j, const char *const *text, unsigned n,
	struct replay_lanes **ret, struct zl_error *err)
{
	struct replay_lanes *l;
	int rc = 0;

	if (n > COMPARE_LANES - 1) {
		zl_error_set(err, 0, 0, "too many lanes; at most %d beside the recorded machine",
			COMPARE_LANES - 1);
		return -E2BIG;
	}
	l = j->mem->realloc(j->mem->user, NULL, sizeof(*l));
	if (l == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(l, 0, sizeof(*l));
	zl_format(l->spec[0].name, sizeof(l->spec[0].name), "recorded");
	l->config[0] = j->where.config;
	l->n = 1;
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		rc = add_lane(l, j, text[i], err);
		if (rc != 0 && err != NULL) {
			zl_error_file(err, text[i]);
		}
	}
	rc = rc != 0 ? rc : open_comparison(l, j, err);
	if (rc != 0) {
		replay_lanes_free(l, j->mem);
		return rc;
	}
	*ret = l;
	return 0;
}

void replay_lanes_free(struct replay_lanes *l, const struct zl_allocator *mem)
{
	if (l != NULL) {
		comparison_free(l->comparison);
		for (unsigned i = 1; i < COMPARE_LANES; i++) {
			zl_profile_done(&l->profile[i], mem);
		}
		mem->free(mem->user, l);
	}
}

static bool grows(const char *name)
{
	for (size_t i = 0; i < zl_metric_count(); i++) {
		const struct zl_metric_info *m = zl_metric_info(i);

		if (strcmp(m->name, name) == 0) {
			return m->kind == ZL_METRIC_TOTAL &&
			       strcmp(name, "longest_hold_pages") != 0;
		}
	}
	return false;
}

/* Frees that are not counted in the number of the first free that flushed. */
static int64_t first_before(const struct replay_lanes *l, unsigned lane, int64_t first)
{
	int64_t start = (int64_t)l->start_frees[lane];

	return first > start ? start : first;
}

/*
 * Totals that grow are counted from the demand on; largest figures stay. The estimate of cost
 * began there.
 */
static void from_demand(
	struct replay_lanes *l, const struct compare_total *before, size_t nr_before)
{
	for (size_t i = 0; i < l->nr_totals; i++) {
		struct compare_total *t = &l->total[i];
		bool first = strcmp(t->name, "first_free_high") == 0;
		bool total = i < nr_before && grows(t->name);

		t->same = true;
		for (unsigned k = 0; k < l->n; k++) {
			t->value[k] -= total   ? before[i].value[k]
				       : first ? first_before(l, k, t->value[k])
					       : 0;
			t->same = t->same && t->value[k] == t->value[0];
		}
	}
}

/* Ops before the demand bring the lanes where the trace begins. */
static int go_to_demand(struct replay_lanes *l, const struct replay_job *j,
	struct compare_total before[COMPARE_TOTALS], size_t *ret_nr, struct zl_error *err)
{
	struct compare_what what;
	int rc = comparison_advance(l->comparison, l->start_ops);

	*ret_nr = comparison_totals(l->comparison, before);
	for (unsigned i = 0; i < l->n; i++) {
		struct zl_totals t;

		zl_sim_totals(comparison_sim(l->comparison, i), &t);
		l->start_frees[i] = t.frees;
	}
	fill_lanes(l, j, &what);
	what.estimate = true;
	return rc != 0 ? rc : comparison_begin(l->comparison, &what, err);
}

int replay_lanes_run(struct replay_lanes *l, const struct replay_job *j,
	const struct zl_patience *patience, struct zl_error *err)
{
	struct compare_total before[COMPARE_TOTALS];
	struct comparison *c = l->comparison;
	size_t nr_before;
	int rc = go_to_demand(l, j, before, &nr_before, err);

	while (rc == 0 && !c->complete) {
		rc = comparison_advance(c, SLICE);
		if (zl_patience_ends(patience, c->known, comparison_total(c))) {
			break;
		}
	}
	l->complete = c->complete;
	l->nr_totals = comparison_totals(c, l->total);
	from_demand(l, before, nr_before);
	l->first_line = c->nr_first > 0 ? replay_job_line(j, c->first[0].op) : 0;
	return rc;
}
