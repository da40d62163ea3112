/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_zones.h"

#include <errno.h>
#include <string.h>

#include "list_feed.h"
#include "pagesets.h"
#include "pagesets_private.h"
#include "scenario_machine.h"
#include "zonelab/scenario_file.h"
#include "zonelab/text.h"
#include "zonelab/workload.h"

#define CHUNK	  256u
#define OPS_START 4096u

/* Ops of one zone while all zones run. */
struct collected {
	const struct zl_allocator *mem;
	struct zl_op *op;
	size_t n, cap;
	unsigned zone;
	int rc;
};

static void collect(void *user, unsigned zone, const struct zl_op *op)
{
	struct collected *c = user;

	if (zone != c->zone || c->rc != 0) {
		return;
	}
	if (c->n == c->cap) {
		size_t cap = c->cap == 0 ? OPS_START : 2 * c->cap;
		void *p = cap > ZL_WORKLOAD_OPS_MAX
				  ? NULL
				  : c->mem->realloc(c->mem->user, c->op, cap * sizeof(*c->op));

		if (p == NULL) {
			c->rc = -ENOMEM;
			return;
		}
		c->op = p;
		c->cap = cap;
	}
	c->op[c->n++] = *op;
}

static int perform(struct zl_system *s, const struct zl_op *op, const struct collected *c,
	struct zl_error *err)
{
	int rc = zl_system_apply(s, op);

	if (rc == -EINVAL) {
		zl_system_op_check(s, op, err);
	}
	return rc != 0 ? rc : c->rc;
}

static int run_scenario_ops(struct zl_system *s, const struct zl_scenario *scenario,
	const struct zl_expand_options *options, const struct collected *c, struct zl_error *err)
{
	struct zl_scenario_op op[CHUNK];
	struct zl_expand *e = NULL;
	size_t n = 1;
	int rc = zl_expand_new(scenario, options, c->mem, &e, err);

	while (rc == 0 && n > 0) {
		rc = zl_expand_read(e, op, CHUNK, &n, err);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			rc = perform(s, &op[i].op, c, err);
		}
	}
	zl_expand_free(e);
	return rc;
}

/* What is run: a scenario or a list, with its zones. */
struct several {
	struct zl_scenario scenario;
	struct zl_expand_options options;
	struct scenario_machine *machine;
	struct zl_workload list;
	const struct zl_system_config *config;
	struct scenario_machine *untuned; /* of a scenario: without what a lane tunes */
};

/* The lane gets a profile of its own: the system runs with policies of the machine's. */
static int use_machine(struct app *app, struct several *several, struct zl_error *err)
{
	const struct zl_profile *mine = &app_lane_const(app)->profile;
	struct zl_profile copy;
	int rc = run_source_untuned(mine, app->alloc, &copy);

	if (rc == 0) {
		rc = scenario_machine_new(
			&copy, &several->scenario, app->alloc, &several->untuned, err);
		zl_profile_done(&copy, app->alloc);
	}
	rc = rc != 0 ? rc : zl_profile_copy(&copy, &several->machine->profile, app->alloc);
	if (rc == 0) {
		app_use_profile(app, &copy);
	}
	return rc;
}

static int open_several(
	struct app *app, const struct run_zones *what, struct several *ret, struct zl_error *err)
{
	const struct lane *lane = app_lane_const(app);
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (what->list) {
		rc = zl_workload_load(what->path, app->alloc, &ret->list, err);
		for (unsigned i = 0; rc == 0 && ret->list.several && i < ret->list.system->nr_zones;
			i++) {
			ret->list.system->zone[i].config.switches = lane->machine.switches;
		}
		ret->config = ret->list.system;
		return rc;
	}
	rc = zl_scenario_open(what->path, app->alloc, &ret->scenario, err);
	rc = rc != 0 ? rc
		     : scenario_options(
			       NULL, &lane->profile.settings, &ret->scenario, &ret->options, err);
	rc = rc != 0 ? rc
		     : scenario_machine_new(
			       &lane->profile, &ret->scenario, app->alloc, &ret->machine, err);
	if (rc == 0) {
		ret->config = ret->machine->system;
	}
	return rc == 0 && ret->config != NULL ? use_machine(app, ret, err) : rc;
}

static void close_several(struct several *s)
{
	scenario_machine_free(s->machine);
	scenario_machine_free(s->untuned);
	zl_scenario_done(&s->scenario);
	zl_workload_done(&s->list);
}

static int run_several(
	struct several *several, struct collected *c, struct zl_system *s, struct zl_error *err)
{
	const struct zl_system_tap tap = {collect, c};
	int rc = 0;

	zl_system_tap(s, &tap);
	if (several->machine != NULL) {
		several->options.cpus = several->config->cpus;
		return run_scenario_ops(s, &several->scenario, &several->options, c, err);
	}
	for (size_t i = 0; rc == 0 && i < several->list.nr_ops; i++) {
		rc = perform(s, &several->list.ops[i], c, err);
	}
	return rc;
}

static unsigned largest(const struct zl_system_config *c)
{
	unsigned best = 0;

	for (unsigned i = 1; i < c->nr_zones; i++) {
		if (c->zone[i].config.managed > c->zone[best].config.managed) {
			best = i;
		}
	}
	return best;
}

static int choose(struct run_zones *what, const struct several *several, struct zl_error *err)
{
	const struct zl_system_config *c = several->config;
	const char *name = several->machine != NULL ? several->scenario.name : several->list.name;

	if (c == NULL) {
		zl_error_set(err, 0, 0, "this run has one zone");
		return -EINVAL;
	}
	what->nr = c->nr_zones;
	what->zone = what->zone < c->nr_zones ? what->zone : largest(c);
	for (unsigned i = 0; i < c->nr_zones; i++) {
		what->item[i].node = c->zone[i].node;
		what->item[i].managed = c->zone[i].config.managed;
		zl_format(what->item[i].name, sizeof(what->item[i].name), "%s", c->zone[i].name);
	}
	zl_format(what->title, sizeof(what->title), "%s node %u %s", name, c->zone[what->zone].node,
		c->zone[what->zone].name);
	return 0;
}

/* Lanes lay what they tune over the zone, each its own. */
static void untune(struct zl_sim_config *c, const struct zl_sim_config *plain)
{
	c->batch = plain->batch;
	c->high_min = plain->high_min;
	c->high_max = plain->high_max;
	c->scale_max = plain->scale_max;
	c->high_fraction = plain->high_fraction;
	c->cache_slice = plain->cache_slice;
	c->policies = NULL;
}

int run_zones_feed(struct app *app, struct run_zones *what, struct zl_sim_config *ret_config,
	struct op_feed *ret_feed, struct zl_error *err)
{
	struct collected c = {.mem = app->alloc};
	struct zl_system *s = NULL;
	struct several several;
	int rc = open_several(app, what, &several, err);

	rc = rc != 0 ? rc : choose(what, &several, err);
	c.zone = what->zone;
	rc = rc != 0 ? rc : zl_system_new(several.config, app->alloc, &s, err);
	rc = rc != 0 ? rc : run_several(&several, &c, s, err);
	if (rc == 0) {
		*ret_config = zl_system_config(s)->zone[what->zone].config;
		if (several.untuned != NULL) {
			untune(ret_config, &several.untuned->system->zone[what->zone].config);
		}
		rc = list_feed(app->alloc, c.op, c.n, ret_feed);
	}
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory for a run of several zones");
	}
	zl_system_free(s);
	close_several(&several);
	app->alloc->free(app->alloc->user, c.op);
	return rc;
}

int run_zones_show(struct app *app, struct run_zones *what, struct zl_error *err)
{
	struct zl_sim_config config;
	struct op_feed feed;
	int rc = run_zones_feed(app, what, &config, &feed, err);

	rc = rc != 0 ? rc : pagesets_open(app, what->title, &config, &feed, err);
	if (rc != 0) {
		return rc;
	}
	app->pagesets->all->zones = *what;
	(void)pagesets_to_first_flush(app);
	return app_show_screen(app, SCREEN_PAGESETS, err);
}

void run_zones_name(const struct app *app, char *buf, size_t size)
{
	const struct run_zones *several = &app->pagesets->all->zones;
	const struct run_zone_name *shown = &several->item[several->zone];
	const struct scenario_machine *m = app->pagesets->machine;

	if (several->path[0] != '\0') {
		zl_format(buf, size, "node %u %s", shown->node, shown->name);
	} else if (m != NULL) {
		const struct zl_zone *z = &m->machine.zones[m->zone];

		zl_format(buf, size, "node %u %s", z->node, z->name);
	} else {
		/* The one zone of an op list has no name of its own. */
		zl_format(buf, size, "node 0 %s", zl_zone_type_name(ZL_ZONE_NORMAL));
	}
}

size_t run_zones_list(
	const struct app *app, struct run_zone_name ret[ZL_ZONES_MAX], size_t *ret_shown)
{
	const struct run_zones *several = &app->pagesets->all->zones;
	const struct scenario_machine *m = app->pagesets->machine;
	size_t n = 0;

	*ret_shown = 0;
	if (several->path[0] != '\0') {
		memcpy(ret, several->item, several->nr * sizeof(*ret));
		*ret_shown = several->zone;
		return several->nr;
	}
	for (size_t i = 0; m != NULL && i < m->machine.nr_zones; i++) {
		const struct zl_zone *z = &m->machine.zones[i];

		if (i == m->zone) {
			*ret_shown = n;
		} else if (!z->populated || z->managed == 0) {
			continue;
		}
		ret[n].node = z->node;
		ret[n].managed = z->managed;
		zl_format(ret[n].name, sizeof(ret[n].name), "%s", z->name);
		n++;
	}
	return n;
}

/* What a scenario says of its zone is said of its own one. */
void run_zone_whole(const struct run_zone_name *zone, struct zl_scenario_zone *ret)
{
	*ret = (struct zl_scenario_zone){.node = (int64_t)zone->node,
		.pages = -1,
		.managed = -1,
		.wmark_min = -1,
		.wmark_low = -1,
		.wmark_high = -1,
		.direct_reclaim = -1,
		.cma = -1};
	zl_format(ret->name, sizeof(ret->name), "%s", zone->name);
}

int run_zones_choose(struct app *app, size_t zone, struct zl_error *err)
{
	struct run_zone_name list[ZL_ZONES_MAX];
	struct run_zones what = app->pagesets->all->zones;
	struct zl_scenario_zone to;
	size_t shown, n = run_zones_list(app, list, &shown);

	if (zone >= n || zone == shown) {
		return 0;
	}
	if (what.path[0] == '\0') {
		run_zone_whole(&list[zone], &to);
		return pagesets_open_zone(app, &to, err);
	}
	what.zone = (unsigned)zone;
	return run_zones_show(app, &what, err);
}
