/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is questionable about a machine, each with its figures and, where there is one, a fix.
 */
#include <string.h>

#include "machine_private.h"
#include "zonelab/text.h"

/* Zones whose free_high is reported one by one; the rest are counted. */
#define ZONES_REPORTED	8
#define BATCH_SCALE_MAX 6
#define ZONE_LABEL	32

static size_t populated_zones(const struct zl_machine *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		n += m->zones[i].populated ? 1 : 0;
	}
	return n;
}

/* "", "Normal: " or "node 1 Normal: ", as much as the machine needs to tell zones apart. */
static const char *label(const struct zl_machine *m, const struct zl_zone *z, char *buf)
{
	buf[0] = '\0';
	if (m->nodes > 1) {
		zl_format(buf, ZONE_LABEL, "node %u %s: ", z->node, z->name);
	} else if (populated_zones(m) > 1) {
		zl_format(buf, ZONE_LABEL, "%s: ", z->name);
	}
	return buf;
}

/* Lowest scale that makes free_high fire in this zone; 0 if none does. */
static unsigned scale_that_fires(
	const struct zl_machine *m, const struct zl_zone *z, const struct zl_policy_set *policies)
{
	struct zl_free_high f;

	for (unsigned scale = m->scale_max + 1; scale <= BATCH_SCALE_MAX; scale++) {
		const struct zl_free_high_in in = {
			&m->switches, &z->limits, scale, z->free_high_batch, policies};

		zl_free_high_under(&in, &f);
		if (zl_free_high_can_fire(&f)) {
			return scale;
		}
	}
	return 0;
}

/* Under a policy: the same, without an arithmetic that is the release's. */
static void never_by_policy(struct zl_derivation *d, const struct zl_zone *z, const char *who)
{
	unsigned scale = scale_that_fires(d->m, z, &d->profile->policies);
	struct zl_diag *diag;

	if (z->free_high.has_ceiling && !z->free_high.no_threshold) {
		diag = zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"%sfree_high by policy never fires: it asks for %N, the counter stops at "
			"%N",
			who, z->free_high.threshold, z->free_high.ceiling);
	} else {
		diag = zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"%sfree_high by policy never fires in a stream of frees of one order", who);
	}
	if (scale > 0) {
		diag->fix.key = ZL_SET_BATCH_SCALE_MAX;
		zl_format(diag->fix.value, sizeof(diag->fix.value), "%u", scale);
		zl_format(diag->mend, sizeof(diag->mend), "fix: pcp_batch_scale_max=%u", scale);
	}
}

static void mend_ceiling(const struct zl_machine *m, const struct zl_zone *z, struct zl_diag *diag)
{
	unsigned scale = scale_that_fires(m, z, NULL);
	uint64_t most =
		zl_free_high_largest_high_min(z->limits.batch, m->scale_max, ZL_COSTLY_ORDER);

	if (scale > 0) {
		diag->fix.key = ZL_SET_BATCH_SCALE_MAX;
		zl_format(diag->fix.value, sizeof(diag->fix.value), "%u", scale);
		zl_format(diag->mend, sizeof(diag->mend),
			"fix: pcp_batch_scale_max=%u (ceiling %N), or high_min of at most %N",
			scale, (uint64_t)z->limits.batch << scale, most);
		return;
	}
	diag->fix.key = ZL_SET_HIGH_MIN;
	zl_format(diag->fix.value, sizeof(diag->fix.value), "%U", most);
	zl_format(diag->mend, sizeof(diag->mend), "fix: high_min of at most %N", most);
}

static void free_high_never(struct zl_derivation *d, const struct zl_zone *z)
{
	struct zl_machine *m = d->m;
	char who[ZONE_LABEL];

	label(m, z, who);
	if (z->free_high.by_policy) {
		never_by_policy(d, z, who);
	} else if (z->free_high.has_ceiling) {
		struct zl_diag *diag = zl_diag_add(d->diags, ZL_WARNING,
			ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"%sfree_high never fires: %u + %N / 2 = %N, counter stops at %u << %u", who,
			z->limits.batch, z->limits.high_min, z->free_high.threshold,
			z->limits.batch, m->scale_max);

		mend_ceiling(m, z, diag);
	} else if (m->switches.design == ZL_DESIGN_A_CAP && m->scale_max == 0) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"%sfree_high never fires: pcp_batch_scale_max 0 keeps free_factor at 0",
			who)
			->about = ZL_SET_BATCH_SCALE_MAX;
	} else {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"%sfree_high never fires: high %N is at most two batches of %u, so "
			"free_factor stays 0",
			who, z->limits.high_min, z->limits.batch)
			->about = ZL_SET_HIGH_MIN;
	}
}

/* Only some orders reach the threshold, because whole blocks carry the counter over the ceiling. */
static void free_high_partly(struct zl_derivation *d, const struct zl_zone *z)
{
	char who[ZONE_LABEL];

	for (unsigned order = ZL_COSTLY_ORDER; order > 0; order--) {
		if (!z->free_high.reachable[order] && z->free_high.by_policy) {
			zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_FREE_HIGH_UNREACHABLE,
				"%sfrees of order %u alone never fire free_high by policy",
				label(d->m, z, who), order);
			return;
		}
		if (!z->free_high.reachable[order]) {
			zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_FREE_HIGH_UNREACHABLE,
				"%sfrees of order %u alone never fire free_high: threshold %N, "
				"counter stops at %u << %u",
				label(d->m, z, who), order, z->free_high.threshold, z->limits.batch,
				d->m->scale_max);
			return;
		}
	}
}

/* Whether an earlier zone was reported with the same figures. */
static bool same_as_before(const struct zl_machine *m, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (m->zones[i].populated && strcmp(m->zones[i].name, m->zones[at].name) == 0 &&
			m->zones[i].limits.batch == m->zones[at].limits.batch &&
			m->zones[i].limits.high_min == m->zones[at].limits.high_min) {
			return true;
		}
	}
	return false;
}

static void find_free_high(struct zl_derivation *d)
{
	struct zl_machine *m = d->m;
	size_t silent = 0;
	size_t told = 0;

	for (size_t i = 0; i < m->nr_zones; i++) {
		const struct zl_zone *z = &m->zones[i];

		if (!z->populated || same_as_before(m, i)) {
			continue;
		}
		if (zl_free_high_can_fire(&z->free_high)) {
			free_high_partly(d, z);
		} else if (told < ZONES_REPORTED) {
			free_high_never(d, z);
			told++;
		} else {
			silent++;
		}
	}
	if (silent > 0) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_FREE_HIGH_UNREACHABLE,
			"free_high never fires in %N more zones", (uint64_t)silent);
	}
}

static void find_pagesets(struct zl_derivation *d)
{
	const struct zl_machine *m = d->m;

	if (m->switches.design == ZL_DESIGN_NONE) {
		return;
	}
	if (!m->pagesets) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_NO_PAGESETS,
			"without SMP this release never uses its pagesets: every page goes to the "
			"buddy")
			->about = ZL_SET_SMP;
	} else if (m->nommu) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_NO_PAGESETS,
			"without an MMU high is 0: every free goes on to the buddy at once")
			->about = ZL_SET_MMU;
	} else if (m->switches.design == ZL_DESIGN_A514) {
		zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_FREE_HIGH_ABSENT,
			"5.14 to 5.17 have no free_high: a pageset drains when it reaches high");
	} else {
		find_free_high(d);
	}
}

static void find_min_free(struct zl_derivation *d)
{
	const struct zl_machine *m = d->m;
	const struct zl_min_free *f = &m->min_free;
	const struct zl_setting_value *user = &d->settings->value[ZL_SET_MIN_FREE_KBYTES];

	if (f->rule == ZL_MIN_FREE_THP_CAPPED) {
		unsigned blocks = m->lowmem_zones * ZL_THP_BLOCKS_PER_ZONE;

		zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_MIN_FREE_CAPPED,
			"min_free_kbytes: %u pageblocks are %N, capped at 5 %% = %N pages", blocks,
			f->thp_kbytes, f->kbytes >> (m->geometry.page_shift - 10));
	}
	if (f->raised) {
		struct zl_diag *diag = zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_MIN_FREE_RAISED,
			"khugepaged raises min_free_kbytes from %N to %N when it starts",
			(uint64_t)user->number, f->kbytes);

		diag->about = ZL_SET_MIN_FREE_KBYTES;
		diag->fix.key = ZL_SET_THP_ENABLED;
		zl_format(diag->fix.value, sizeof(diag->fix.value), "never");
		zl_format(diag->mend, sizeof(diag->mend),
			"fix: thp_enabled=never, or min_free_kbytes of at least %N", f->kbytes);
	} else if (f->rule == ZL_MIN_FREE_USER && f->kbytes != f->sqrt_kbytes) {
		zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_MIN_FREE_KEPT,
			"min_free_kbytes stays at the user's %N; computed it would be %N",
			f->kbytes, f->sqrt_kbytes)
			->about = ZL_SET_MIN_FREE_KBYTES;
	}
}

static void find_grouping(struct zl_derivation *d)
{
	const struct zl_machine *m = d->m;
	unsigned shift = m->geometry.page_shift;

	if (m->grouping || m->nr_zones == 0) {
		return;
	}
	zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_GROUPING_OFF,
		"mobility grouping is off: it needs %u pageblocks of %Z = %Z, boot counts %N pages "
		"= %Z",
		m->geometry.migrate_types, m->geometry.pageblock_bytes,
		m->grouping_minimum << shift, m->grouping_pages, m->grouping_pages << shift)
		->about = ZL_SET_MEMORY;
	if (m->geometry.cma) {
		zl_diag_add(d->diags, ZL_WARNING, ZL_DIAG_CMA_DEAD,
			"with mobility grouping off a CMA pool is used by nobody but cma_alloc")
			->about = ZL_SET_MEMORY;
	}
}

static void find_highatomic(struct zl_derivation *d)
{
	const struct zl_machine *m = d->m;

	if (m->nr_zones == 0 || m->zones[m->main_zone].highatomic_max > 0) {
		return;
	}
	const struct zl_zone *z = &m->zones[m->main_zone];
	zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_HIGHATOMIC_NONE,
		"no HIGHATOMIC reserve: 1 %% of %s is %N pages, one pageblock is %N", z->name,
		z->managed / 100, m->geometry.pageblock_nr_pages);
}

static void find_idealised(struct zl_derivation *d)
{
	const struct zl_machine *m = d->m;
	char nodes[ZONE_LABEL] = "one node";
	char zones[ZONE_LABEL] = "one zone";

	if (!m->idealised) {
		return;
	}
	if (m->nodes > 1) {
		zl_format(nodes, sizeof(nodes), "%u nodes", m->nodes);
	}
	if (m->nr_zones > 1) {
		zl_format(zones, sizeof(zones), "%u zones", (unsigned)m->nr_zones);
	}
	zl_diag_add(d->diags, ZL_NOTE, ZL_DIAG_IDEALISED,
		"Idealised machine: %s, %s, managed = present = %Z", nodes, zones, m->memory);
}

void zl_machine_findings(struct zl_derivation *d)
{
	if (!d->m->geometry.buildable) {
		return; /* no findings about a kernel that cannot exist */
	}
	find_idealised(d);
	find_pagesets(d);
	find_min_free(d);
	find_grouping(d);
	find_highatomic(d);
}
