/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The constants of the cost estimate: one set for every design and release. Each is a setting;
 * costs_table.h has their defaults and where these come from.
 */
#ifndef ZONELAB_COSTS_H
#define ZONELAB_COSTS_H

#include "zonelab/settings.h"

enum zl_cost {
#define ZL_COST(id, dflt, lock, source) ZL_COST_##id,
#include "zonelab/costs_table.h"
#undef ZL_COST
	ZL_COST_COUNT
};

/** Values by enum zl_cost, in the units of the settings. */
struct zl_costs {
	int64_t value[ZL_COST_COUNT];
};

struct zl_cost_info {
	enum zl_setting setting; /* key, unit and help are the setting's */
	int64_t dflt;
	bool lock; /* multiplied by lock_cost_percent */
	const char *source;
};

const struct zl_cost_info *zl_cost_info(enum zl_cost c);
/** The cost behind a setting, ZL_COST_COUNT for the other settings. */
enum zl_cost zl_cost_of_setting(enum zl_setting key);

void zl_costs_default(struct zl_costs *ret);
/** Defaults, and over them what is given. */
void zl_costs_of(const struct zl_settings *s, struct zl_costs *ret);
/** Lanes with other costs are not comparable. */
bool zl_costs_equal(const struct zl_costs *a, const struct zl_costs *b);
/** A cost in picoseconds, those of the lock with the machine's factor. */
int64_t zl_cost_ps(const struct zl_costs *c, enum zl_cost which);

#endif
