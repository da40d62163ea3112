/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of `pcp`, in sections.
 */
#ifndef APP_PCP_REPORT_H
#define APP_PCP_REPORT_H

#include "command.h"

/** Pages on the pagesets of a zone, node or machine when each is at a limit. */
struct parked {
	unsigned cpus; /* of the node, all of them for the machine */
	uint64_t at_high_min;
	uint64_t at_high_max;
	uint64_t wmark_low; /* of the same zones */
};
/** One CPU of a zone; the low watermark is the zone's. */
struct parked parked_zone_cpu(const struct zl_zone *z);
/** All zones and CPUs of a node. */
struct parked parked_node(const struct zl_machine *m, unsigned node);
struct parked parked_machine(const struct zl_machine *m);

/** "min_free_kbytes: khugepaged's recommendation wins" as words: who made it. */
const char *min_free_winner(const struct zl_machine *m);
/**
 * Zones for which khugepaged would have set a min_free_kbytes that was stated by the user or a
 * file; 0 when it is no whole multiple of eleven pageblocks.
 */
unsigned min_free_zones(const struct zl_machine *m);
/** Whether the zone's figures were reported, but are computed here because an input changed. */
bool pcp_was_reported(const struct zl_zone *z);
/** The zone that the report dwells on: the largest whose free_high never fires, or the largest. */
size_t pcp_zone_of_interest(const struct zl_machine *m);

/** min_free_kbytes, formulas, parked pages, ways out: everything below the tables of zones. */
void pcp_report(struct output *out, const struct lane *lane);

#endif
