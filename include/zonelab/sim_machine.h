/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a derived machine to the zone that the allocator runs.
 */
#ifndef ZONELAB_SIM_MACHINE_H
#define ZONELAB_SIM_MACHINE_H

#include "zonelab/machine.h"
#include "zonelab/scenario.h"
#include "zonelab/sim.h"
#include "zonelab/system.h"

/**
 * The zone with index @zone as the allocator sees it: managed pages all in the buddy, watermarks
 * and options of the machine, batch and limits computed there unless they are given. A CMA range
 * stands at the zone's end.
 *
 * @p is what @m was resolved from; the configuration borrows its policies.
 *
 * Simplified: a zone's holes and reserved pages are not there; its pages are those it manages.
 */
void zl_sim_config_of(const struct zl_profile *p, const struct zl_machine *m, size_t zone,
	struct zl_sim_config *ret);

/**
 * The same for the zone that a scenario runs in. What the scenario says about that zone (pages,
 * managed, watermarks) is taken while nothing above the scenario gives an input of it.
 *
 * Returns 0; -EINVAL with a sentence when there is no such zone, or it cannot be run.
 */
int zl_scenario_config(const struct zl_scenario *s, const struct zl_profile *p,
	const struct zl_machine *m, struct zl_sim_config *ret, struct zl_error *err);
/**
 * All zones of the machine with pages, for a scenario that runs in all of them. A boost of the
 * watermarks happens only where watermark_boost_factor is given: no kswapd would end it otherwise.
 * Returns 0, or -EINVAL with a sentence.
 */
int zl_scenario_system(const struct zl_scenario *s, const struct zl_profile *p,
	const struct zl_machine *m, struct zl_system_config *ret, struct zl_error *err);
/** Index of that zone, or -1 with a sentence. */
int zl_scenario_zone_index(
	const struct zl_scenario *s, const struct zl_machine *m, struct zl_error *err);

#endif
