/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of a profile: its policies, its zones and the pagesets that a file showed for them.
 */
#include <errno.h>
#include <string.h>

#include "zonelab/machine.h"

/* Arrays have room for the next power of two, so that the count alone tells when to grow. */
static size_t capacity(size_t n)
{
	size_t c = n > 0 ? 1 : 0;

	while (c < n) {
		c *= 2;
	}
	return c;
}

void zl_profile_init(struct zl_profile *p)
{
	memset(p, 0, sizeof(*p));
	p->observed.min_free_kbytes = -1;
	p->observed.pageblock_order = -1;
	p->observed.max_page_order = -1;
	p->observed.migrate_types = -1;
	p->observed.mem_total_kb = -1;
	p->observed.cma_total_kb = -1;
	p->observed.cma_free_kb = -1;
	p->observed.huge_page_kb = -1;
}

void zl_profile_done(struct zl_profile *p, const struct zl_allocator *a)
{
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].pcp != NULL) {
			a->free(a->user, p->zones[i].pcp);
		}
	}
	if (p->zones != NULL) {
		a->free(a->user, p->zones);
	}
	p->zones = NULL;
	p->nr_zones = 0;
	zl_policy_set_done(&p->policies, a);
}

static int copy_zones(
	struct zl_profile *copy, const struct zl_profile *p, const struct zl_allocator *a)
{
	if (p->nr_zones == 0) {
		return 0;
	}
	copy->zones = a->realloc(a->user, NULL, capacity(p->nr_zones) * sizeof(*p->zones));
	if (copy->zones == NULL) {
		return -ENOMEM;
	}
	for (size_t i = 0; i < p->nr_zones; i++) {
		const struct zl_zone_facts *from = &p->zones[i];
		struct zl_zone_facts *to = &copy->zones[copy->nr_zones++];
		size_t size = capacity(from->nr_pcp) * sizeof(*from->pcp);

		*to = *from;
		to->pcp = NULL;
		to->nr_pcp = 0;
		if (size == 0) {
			continue;
		}
		to->pcp = a->realloc(a->user, NULL, size);
		if (to->pcp == NULL) {
			return -ENOMEM;
		}
		memcpy(to->pcp, from->pcp, from->nr_pcp * sizeof(*from->pcp));
		to->nr_pcp = from->nr_pcp;
	}
	return 0;
}

int zl_profile_copy(
	struct zl_profile *ret, const struct zl_profile *p, const struct zl_allocator *a)
{
	struct zl_profile copy = *p;
	int r = 0;

	copy.zones = NULL;
	copy.nr_zones = 0;
	r = zl_policy_set_copy(&copy.policies, &p->policies, a);
	r = r < 0 ? r : copy_zones(&copy, p, a);
	if (r < 0) {
		zl_profile_done(&copy, a);
		return r;
	}
	*ret = copy;
	return 0;
}

struct zl_zone_facts *zl_profile_add_zone(struct zl_profile *p, const struct zl_allocator *a)
{
	if (p->nr_zones >= ZL_ZONES_MAX) {
		return NULL;
	}
	if (capacity(p->nr_zones) == p->nr_zones) {
		size_t size = capacity(p->nr_zones + 1) * sizeof(*p->zones);
		struct zl_zone_facts *zones = a->realloc(a->user, p->zones, size);

		if (zones == NULL) {
			return NULL;
		}
		p->zones = zones;
	}
	struct zl_zone_facts *z = &p->zones[p->nr_zones++];
	memset(z, 0, sizeof(*z));
	z->free = z->boost = z->min = z->low = z->high = z->promo = -1;
	return z;
}

struct zl_observed_pcp *zl_zone_add_pcp(struct zl_zone_facts *z, const struct zl_allocator *a)
{
	if (z->nr_pcp >= ZL_ZONE_PCP_MAX) {
		return NULL;
	}
	if (capacity(z->nr_pcp) == z->nr_pcp) {
		size_t size = capacity(z->nr_pcp + 1) * sizeof(*z->pcp);
		struct zl_observed_pcp *pcp = a->realloc(a->user, z->pcp, size);

		if (pcp == NULL) {
			return NULL;
		}
		z->pcp = pcp;
	}
	struct zl_observed_pcp *o = &z->pcp[z->nr_pcp++];
	o->cpu = (unsigned)z->nr_pcp - 1;
	o->count = o->high = o->batch = o->high_min = o->high_max = -1;
	o->stat_threshold = -1;
	return o;
}
