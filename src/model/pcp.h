/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-cpu pagesets: how many pages to keep, take and give back, and the lists themselves. */
#ifndef ZONELAB_MODEL_PCP_H
#define ZONELAB_MODEL_PCP_H

#include "sim_state.h"

/* pcp.c: the tuning rules. They change one pageset's figures, never its lists. */

/** Blocks that a refill asks for; raises high and alloc_factor (B and later). */
uint32_t zl_nr_pcp_alloc(struct zl_sim *s, struct zl_pcp *pcp, unsigned order);
/** The limit that count is compared with; tunes high. Called through zl_nr_pcp_high(). */
int32_t zl_nr_pcp_high_slow(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high);
/** Pages to give back once the limit is reached. */
int32_t zl_nr_pcp_free(const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high);
/** One tick's decay of high; returns true if high is still above high_min. */
bool zl_decay_high(const struct zl_sim *s, struct zl_pcp *pcp);
/** Computes the limits of all pagesets; false when they are what they were. */
bool zl_pcp_update_limits(struct zl_sim *s);
void zl_pcp_update_cacheinfo(struct zl_sim *s);

/* pcp_lists.c */

/** The same among the lists of the THP order. */
int zl_pcp_thp_index(const struct zl_sim *s, unsigned mt);
/** Refills an empty list under one hold of the zone lock; returns blocks got. */
uint32_t zl_pcp_refill(struct zl_sim *s, struct zl_pcp *pcp, unsigned order, unsigned mt);
/** Gives whole blocks back until @pages are gone, under one hold of the zone lock. */
void zl_pcp_bulk_free(struct zl_sim *s, struct zl_pcp *pcp, int32_t pages, unsigned list);
/** Drains a whole pageset. */
void zl_pcp_drain(struct zl_sim *s, struct zl_pcp *pcp);

#endif
