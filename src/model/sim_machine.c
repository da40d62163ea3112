/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zonelab/sim_machine.h"

#include <errno.h>
#include <string.h>

#include "zonelab/text.h"

#define KIB 1024u

static int64_t given_or_computed(const struct zl_profile *p, enum zl_setting key)
{
	const struct zl_setting_value *v = &p->settings.value[key];

	return v->given ? v->number : ZL_SIM_COMPUTED;
}

/* CMA as whole pageblocks at the end of the zone, as far as they fit. */
static void place_blocks(uint64_t blocks, struct zl_sim_config *c)
{
	uint64_t block = UINT64_C(1) << c->pageblock_order;
	uint64_t room = c->pages / block;

	blocks = blocks < room ? blocks : room;
	c->cma_pages = 0;
	if (c->cma && blocks > 0 && c->pageblock_order <= c->max_order) {
		c->cma_pages = blocks * block;
		c->cma_start = (room - blocks) * block;
	}
}

static void place_cma(const struct zl_zone *z, struct zl_sim_config *c)
{
	place_blocks(z->cma >> c->pageblock_order, c);
}

/* The area that a scenario asks for, rounded up. */
static void place_bytes(int64_t bytes, struct zl_sim_config *c)
{
	unsigned shift = c->page_shift + c->pageblock_order;

	place_blocks(((uint64_t)bytes + (UINT64_C(1) << shift) - 1) >> shift, c);
}

/* Whether the area that a scenario asks for fits the zone, in whole pageblocks. */
static bool fits(
	const struct zl_scenario_zone *z, const struct zl_sim_config *c, struct zl_error *err)
{
	uint64_t blocks = c->pages >> c->pageblock_order;
	uint64_t most = blocks << (c->page_shift + c->pageblock_order);

	if (z->cma <= 0 || (uint64_t)z->cma <= most) {
		return true;
	}
	zl_error_set(err, z->place.line, z->place.column,
		"zone.cma: %Z do not fit the zone of %Z; at most %Z", (uint64_t)z->cma,
		c->pages << c->page_shift, most);
	return false;
}

void zl_sim_config_of(const struct zl_profile *p, const struct zl_machine *m, size_t zone,
	struct zl_sim_config *ret)
{
	const struct zl_geometry *g = &m->geometry;
	const struct zl_zone *z = &m->zones[zone];

	zl_sim_config_init(ret);
	ret->switches = m->switches;
	ret->page_shift = g->page_shift;
	ret->managed = z->managed;
	ret->pages = z->managed;
	ret->cpus = z->cpus > 0 ? z->cpus : 1;
	ret->wmark_min = z->wmark.min;
	ret->wmark_low = z->wmark.low;
	ret->wmark_high = z->wmark.high;
	ret->high_fraction = m->high_fraction;
	ret->scale_max = m->scale_max;
	ret->pageblock_order = g->pageblock_order;
	ret->max_order = g->max_page_order;
	ret->hpage_order = g->thp_order > 0 ? (unsigned)g->thp_order : g->pageblock_order;
	ret->thp = g->thp;
	/* An op list states it in KiB; no page is smaller than that. */
	ret->cache_slice = m->cache_slice & ~(uint64_t)(KIB - 1);
	ret->smp = m->smp;
	ret->mmu = !m->nommu;
	ret->cma = g->cma;
	ret->batch = given_or_computed(p, ZL_SET_BATCH);
	ret->high_min = given_or_computed(p, ZL_SET_HIGH_MIN);
	ret->high_max = given_or_computed(p, ZL_SET_HIGH_MAX);
	ret->policies = p->policies.count > 0 ? &p->policies : NULL;
	place_cma(z, ret);
}

int zl_scenario_zone_index(
	const struct zl_scenario *s, const struct zl_machine *m, struct zl_error *err)
{
	const struct zl_scenario_zone *want = &s->zone;
	int best = -1;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];
		bool fits = z->populated && z->managed > 0 &&
			    (want->node < 0 || z->node == (unsigned)want->node) &&
			    (want->name[0] == '\0' || strcmp(want->name, z->name) == 0);

		if (fits && (best < 0 || z->managed > m->zones[best].managed)) {
			best = (int)i;
		}
	}
	if (best < 0 && want->node >= 0) {
		zl_error_set(err, want->place.line, want->place.column,
			"zone: the machine has no zone%s%s with pages on node %D",
			want->name[0] != '\0' ? " " : "", want->name, want->node);
	} else if (best < 0) {
		zl_error_set(err, want->place.line, want->place.column,
			"zone: the machine has no zone%s%s with pages",
			want->name[0] != '\0' ? " " : "", want->name);
	}
	return best;
}

/* Settings that decide how large a zone is, and where its watermarks lie. */
static const enum zl_setting size_inputs[] = {
	ZL_SET_ARCH, ZL_SET_PAGE_SIZE, ZL_SET_MEMORY, ZL_SET_NODES, ZL_SET_ZONES};
static const enum zl_setting wmark_inputs[] = {ZL_SET_MIN_FREE_KBYTES,
	ZL_SET_WATERMARK_SCALE_FACTOR, ZL_SET_THP, ZL_SET_THP_ENABLED, ZL_SET_PAGE_BLOCK_ORDER,
	ZL_SET_MAX_PAGE_ORDER};

static bool changed(const struct zl_profile *p, const enum zl_setting *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct zl_setting_value *v = &p->settings.value[keys[i]];

		if (v->given && v->origin > ZL_ORIGIN_SCENARIO) {
			return true;
		}
	}
	return false;
}

static void take(int64_t given, uint64_t *ret)
{
	*ret = given >= 0 ? (uint64_t)given : *ret;
}

int zl_scenario_config(const struct zl_scenario *s, const struct zl_profile *p,
	const struct zl_machine *m, struct zl_sim_config *ret, struct zl_error *err)
{
	int zone = zl_scenario_zone_index(s, m, err);

	if (zone < 0) {
		return -EINVAL;
	}
	zl_sim_config_of(p, m, (size_t)zone, ret);
	ret->node_local = !s->zone.remote;
	if (!changed(p, size_inputs, sizeof(size_inputs) / sizeof(size_inputs[0]))) {
		take(s->zone.managed, &ret->managed);
		ret->pages = s->zone.managed >= 0 ? (uint64_t)s->zone.managed : ret->pages;
		take(s->zone.pages, &ret->pages);
		if (!changed(p, wmark_inputs, sizeof(wmark_inputs) / sizeof(wmark_inputs[0]))) {
			take(s->zone.wmark_min, &ret->wmark_min);
			take(s->zone.wmark_low, &ret->wmark_low);
			take(s->zone.wmark_high, &ret->wmark_high);
		}
		if (s->zone.pages >= 0 || s->zone.managed >= 0) {
			place_cma(&m->zones[zone], ret);
		}
	}
	if (s->zone.cma >= 0) {
		place_bytes(s->zone.cma, ret);
	}
	return fits(&s->zone, ret, err) ? zl_sim_config_check(ret, err) : -EINVAL;
}

/* CPUs of each node as the zones know them; split evenly where they do not add up. */
static void system_cpus(const struct zl_machine *m, struct zl_system_config *c)
{
	unsigned next = 0;

	memset(c->node_cpus, 0, sizeof(c->node_cpus));
	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];

		if (z->facts != NULL && z->facts->node_cpus > 0 && z->node < c->nodes) {
			c->node_cpus[z->node] = z->facts->node_cpus;
		}
	}
	for (unsigned n = 0; n < c->nodes; n++) {
		c->first_cpu[n] = next;
		next += c->node_cpus[n];
	}
	if (next != c->cpus) {
		zl_system_split_cpus(c);
	}
}

static bool precedes(const struct zl_system_zone *a, const struct zl_system_zone *b)
{
	return a->node < b->node || (a->node == b->node && a->type < b->type);
}

static void insert_zone(struct zl_system_config *c, const struct zl_system_zone *z)
{
	unsigned i = c->nr_zones++;

	for (; i > 0 && precedes(z, &c->zone[i - 1]); i--) {
		c->zone[i] = c->zone[i - 1];
	}
	c->zone[i] = *z;
}

static int add_zones(const struct zl_profile *p, const struct zl_machine *m,
	struct zl_system_config *c, struct zl_error *err)
{
	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];
		struct zl_system_zone to = {.node = z->node, .type = z->type};

		if (!z->populated || z->managed == 0 || z->type >= ZL_ZONE_DEVICE) {
			continue;
		}
		if (c->nr_zones == ZL_SYSTEM_ZONES_MAX) {
			zl_error_set(err, 0, 0, "the machine has more than %d zones",
				ZL_SYSTEM_ZONES_MAX);
			return -EINVAL;
		}
		zl_format(to.name, sizeof(to.name), "%s", z->name);
		to.start_pfn = z->start_pfn;
		zl_sim_config_of(p, m, i, &to.config);
		memcpy(to.config.lowmem_reserve, z->lowmem_reserve,
			sizeof(to.config.lowmem_reserve));
		to.config.lowmem_reserve[ZL_ZONE_DEVICE] = 0; /* no request goes there */
		if (zl_settings_given(&p->settings, ZL_SET_WATERMARK_BOOST_FACTOR)) {
			to.config.boost_factor = m->boost_factor;
		}
		insert_zone(c, &to);
	}
	return 0;
}

int zl_scenario_system(const struct zl_scenario *s, const struct zl_profile *p,
	const struct zl_machine *m, struct zl_system_config *ret, struct zl_error *err)
{
	unsigned largest = 0;
	int rc;

	zl_system_config_init(ret);
	ret->nodes = m->nodes;
	ret->cpus = m->cpus;
	ret->watermarks = !s->zone.no_watermarks;
	ret->scale_factor = m->scale_factor;
	ret->min_free_kbytes = m->min_free.kbytes;
	ret->direct_reclaim = s->zone.direct_reclaim > 0 ? (uint32_t)s->zone.direct_reclaim : 0;
	if (m->nodes > ZL_SYSTEM_NODES_MAX) {
		zl_error_set(err, 0, 0, "the machine has more than %d nodes", ZL_SYSTEM_NODES_MAX);
		return -EINVAL;
	}
	system_cpus(m, ret);
	rc = add_zones(p, m, ret, err);
	for (unsigned i = 1; i < ret->nr_zones; i++) {
		if (ret->zone[i].config.managed > ret->zone[largest].config.managed) {
			largest = i;
		}
	}
	if (rc == 0 && ret->nr_zones > 0 && s->zone.cma >= 0) {
		place_bytes(s->zone.cma, &ret->zone[largest].config);
	}
	if (rc == 0 && ret->nr_zones > 0 && !fits(&s->zone, &ret->zone[largest].config, err)) {
		rc = -EINVAL;
	}
	return rc != 0 ? rc : zl_system_config_check(ret, err);
}
