/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constants of the cost estimate. */
#include "zonelab/costs.h"

#include <string.h>

#define PS_PER_NS 1000
#define PERCENT	  100

/* clang-format off */
static const struct zl_cost_info table[ZL_COST_COUNT] = {
#define ZL_COST(id, dflt, lock, source) [ZL_COST_##id] = {ZL_SET_##id, dflt, lock, source},
#include "zonelab/costs_table.h"
#undef ZL_COST
};
/* clang-format on */

const struct zl_cost_info *zl_cost_info(enum zl_cost c)
{
	return &table[c];
}

enum zl_cost zl_cost_of_setting(enum zl_setting key)
{
	unsigned i = 0;

	while (i < ZL_COST_COUNT && table[i].setting != key) {
		i++;
	}
	return (enum zl_cost)i;
}

void zl_costs_default(struct zl_costs *ret)
{
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		ret->value[i] = table[i].dflt;
	}
}

void zl_costs_of(const struct zl_settings *s, struct zl_costs *ret)
{
	zl_costs_default(ret);
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		if (zl_settings_given(s, table[i].setting)) {
			ret->value[i] = s->value[table[i].setting].number;
		}
	}
}

bool zl_costs_equal(const struct zl_costs *a, const struct zl_costs *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

int64_t zl_cost_ps(const struct zl_costs *c, enum zl_cost which)
{
	int64_t ps = c->value[which] * PS_PER_NS;

	return table[which].lock ? ps / PERCENT * c->value[ZL_COST_LOCK_COST_PERCENT] : ps;
}
