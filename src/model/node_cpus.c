/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs of each node by the limits of its pagesets.
 */
#include <errno.h>

#include "verify_private.h"

bool zl_verify_zone_fits(
	const struct zl_machine *m, const struct zl_profile *profile, size_t i, unsigned cpus)
{
	const struct zl_zone_facts *f = &profile->zones[i];
	const struct zl_zone *z = zl_verify_zone(m, profile, i);

	if (z == NULL || f->managed == 0 || f->nr_pcp == 0 || f->low < 0) {
		return true;
	}
	const struct zl_observed_pcp *p = &f->pcp[0];
	int64_t low = f->low - zl_verify_boost(f);
	struct zl_pcp_in in = {.design = m->switches.design,
		.mmu = !m->nommu,
		.page_shift = m->geometry.page_shift,
		.managed = z->managed,
		.low_wmark = low > 0 ? (uint64_t)low : 0,
		.cpus = cpus};
	bool limits = m->switches.zoneinfo_limits;
	struct zl_pcp_limits now, then;

	zl_pcp_limits(&in, &now);
	in.managed -= zl_verify_freed_limit(m, z->managed);
	zl_pcp_limits(&in, &then);
	return (limits ? p->high_min : p->high) == (int64_t)now.high_min &&
	       (!limits || (p->high_max <= (int64_t)now.high_max &&
				   p->high_max >= (int64_t)then.high_max));
}

static bool node_fits(
	const struct zl_machine *m, const struct zl_profile *p, unsigned node, unsigned cpus)
{
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].node == node && !zl_verify_zone_fits(m, p, i, cpus)) {
			return false;
		}
	}
	return true;
}

/* The only number of CPUs up to those shown that fits all zones of a node; 0 = none or several. */
static unsigned only_number(
	const struct zl_machine *m, const struct zl_profile *p, unsigned node, unsigned shown)
{
	unsigned found = 0;

	for (unsigned n = 1; n <= shown; n++) {
		if (node_fits(m, p, node, n)) {
			if (found > 0) {
				return 0;
			}
			found = n;
		}
	}
	return found;
}

/* CPUs of the node of zone @i when the even split does not fit it; 0 = nothing better is known. */
static unsigned better_number(const struct zl_machine *m, const struct zl_profile *p, size_t i)
{
	const struct zl_zone_facts *f = &p->zones[i];
	const struct zl_zone *z = zl_verify_zone(m, p, i);

	if (f->node_cpus > 0 || z == NULL || f->nr_pcp == 0 || node_fits(m, p, f->node, z->cpus)) {
		return 0;
	}
	return only_number(m, p, f->node, (unsigned)f->nr_pcp);
}

static int find_all(const struct zl_machine *m, struct zl_profile *p)
{
	int nodes = 0;

	/* With one node a single high fits other numbers too easily. */
	if (!m->switches.zoneinfo_limits && (m->nodes < 2 || m->switches.design >= ZL_DESIGN_B)) {
		return 0;
	}
	for (size_t i = 0; i < p->nr_zones; i++) {
		unsigned cpus = better_number(m, p, i);

		if (cpus == 0) {
			continue;
		}
		for (size_t k = 0; k < p->nr_zones; k++) {
			if (p->zones[k].node == p->zones[i].node) {
				p->zones[k].node_cpus = cpus;
			}
		}
		nodes++;
	}
	return nodes;
}

int zl_node_cpus_by_limits(struct zl_profile *p, const struct zl_allocator *a)
{
	struct zl_machine *m = a->realloc(a->user, NULL, sizeof(*m));
	int nodes;

	if (m == NULL) {
		return -ENOMEM;
	}
	zl_machine_resolve(p, m, NULL);
	nodes = find_all(m, p);
	a->free(a->user, m);
	return nodes;
}
