/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs of a machine whose zoneinfo was cut to the pagesets of a few: its limits tell how many the
 * node has, and what is worked out from it goes by those.
 */
#include <string.h>

#include "machines.h"
#include "zonelab/text.h"
#include "zonelab/verify.h"

/* What the files themselves say: a fraction that is asked about is none of theirs. */
static int verify_as_read(struct zl_import *im, struct zl_verify *ret)
{
	struct zl_setting_value *fraction = &im->profile.settings.value[ZL_SET_HIGH_FRACTION];
	const struct zl_setting_value asked = *fraction;

	if (asked.given && asked.origin >= ZL_ORIGIN_GIVEN) {
		zl_settings_unset(&im->profile.settings, ZL_SET_HIGH_FRACTION);
	}
	int r = machine_verify(im, ret);
	*fraction = asked;
	return r;
}

static void set_node(struct zl_profile *p, unsigned node, unsigned cpus)
{
	for (size_t i = 0; i < p->nr_zones; i++) {
		if (p->zones[i].node == node) {
			p->zones[i].node_cpus = cpus;
		}
	}
}

static bool one_node(const struct zl_profile *p)
{
	for (size_t i = 1; i < p->nr_zones; i++) {
		if (p->zones[i].node != p->zones[0].node) {
			return false;
		}
	}
	return true;
}

/* The settings count the CPUs of all nodes. */
static void set_all(struct zl_profile *p, unsigned cpus)
{
	const struct zl_setting_value *v = &p->settings.value[ZL_SET_CPUS];

	if (one_node(p) && (!v->given || v->origin <= ZL_ORIGIN_FILE)) {
		zl_settings_number(&p->settings, ZL_SET_CPUS, cpus, ZL_ORIGIN_FILE);
	}
}

void machine_adopt_cpus(struct zl_import *im, struct zl_profile *p)
{
	struct zl_verify v;
	bool said = false;

	if (p->nr_zones == 0 || verify_as_read(im, &v) < 0) {
		return;
	}
	for (size_t i = 0; i < v.nr_items; i++) {
		const struct zl_verify_item *item = &v.item[i];
		const struct zl_zone_facts *z =
			item->zone < p->nr_zones ? &p->zones[item->zone] : NULL;

		if (item->reason != ZL_REASON_MORE_CPUS || z == NULL ||
			z->node_cpus == (unsigned)item->n[1]) {
			continue;
		}
		set_node(p, z->node, (unsigned)item->n[1]);
		set_all(p, (unsigned)item->n[1]);
		if (!said) {
			struct zl_diag *d = zl_diag_add(&im->diags, ZL_WARNING,
				ZL_DIAG_IMPORT_ASSUMED,
				"these files show the pagesets of %D CPUs, with limits of %D CPUs: "
				"low %D / %D; %D are taken",
				item->n[2], item->n[1], item->n[0], item->n[1], item->n[1]);

			d->about = ZL_SET_CPUS;
			zl_format(d->mend, sizeof(d->mend), "give it: --set cpus=N");
		}
		said = true;
	}
	zl_verify_done(&v, zl_allocator_heap());
}
