/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "story.h"

#include <stdlib.h>

#include "run_source.h"
#include "scenario_feed.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"

static void open_story(struct zl_scenario *ret)
{
	struct zl_error err;

	if (zl_scenario_open(zl_shipped_scenario_default(), zl_allocator_heap(), ret, &err) != 0) {
		abort();
	}
}

void story_config(struct zl_sim_config *ret)
{
	struct run_source source = {.list = false};
	struct lane *lane = calloc(1, sizeof(*lane));
	struct run_zone zone;
	struct zl_error err;

	open_story(&source.scenario);
	if (lane == NULL) {
		abort();
	}
	zl_profile_init(&lane->profile);
	if (run_source_zone(&source, lane, zl_allocator_heap(), &zone, &err) != 0) {
		abort();
	}
	*ret = zone.config;
	scenario_machine_free(zone.machine);
	run_source_done(&source);
	free(lane);
}

int story_feed(const struct zl_allocator *mem, struct op_feed *ret)
{
	const struct zl_expand_options options = {.cpus = 2};
	struct zl_scenario s;
	struct zl_error err;

	open_story(&s);
	return scenario_feed(&s, &options, mem, ret, &err);
}
