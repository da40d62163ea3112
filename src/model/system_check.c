/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariants and digest of several zones. */
#include <errno.h>

#include "ops.h"
#include "system_state.h"
#include "zonelab/text.h"

#define HASH_MULT UINT64_C(0x9fb21c651e98df25)

static int check_id(const struct zl_system *s, uint32_t id, struct zl_error *err)
{
	int zone = zl_system_id_zone(s, id);
	unsigned holders = 0;

	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		holders += zl_id_get(s->zone[i], id) != ZL_ID_FREE ? 1 : 0;
	}
	if (holders == (zone >= 0 ? 1u : 0u) &&
		(zone < 0 || zl_id_get(s->zone[zone], id) != ZL_ID_FREE)) {
		return 0;
	}
	zl_error_set(err, 0, 0, "id %u is not where the system says (zone %d, %u hold it)", id,
		zone, holders);
	return -EILSEQ;
}

int zl_system_check(const struct zl_system *s, struct zl_error *err)
{
	uint64_t end = (uint64_t)s->where.nr_root << (ZL_BYTE_LEAF_SHIFT + ZL_DIR_SHIFT);
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < s->cfg.nr_zones; i++) {
		rc = zl_sim_check(s->zone[i], err);
	}
	for (uint64_t id = 0; rc == 0 && id < end; id++) {
		if (zl_store_leaf_r(&s->where, (uint32_t)id, ZL_BYTE_LEAF_SHIFT) == NULL) {
			id |= (1u << ZL_BYTE_LEAF_SHIFT) - 1;
			continue;
		}
		rc = check_id(s, (uint32_t)id, err);
	}
	return rc;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * HASH_MULT;
	return h ^ h >> 32;
}

uint64_t zl_system_digest(const struct zl_system *s)
{
	uint64_t h = mix(s->cfg.nr_zones, s->cpu);

	for (unsigned i = 0; i < s->cfg.cpus; i++) {
		h = mix(mix(h, s->req_node[i]), s->req_zone[i]);
	}
	h = mix(h, s->cfg.direct_reclaim);
	h = mix(h, s->cfg.scale_factor);
	for (unsigned n = 0; n < s->cfg.nodes; n++) {
		h = mix(h, s->awake[n]);
	}
	for (unsigned i = 0; i < s->cfg.nr_zones; i++) {
		h = mix(h, zl_sim_digest(s->zone[i]));
	}
	return h;
}
