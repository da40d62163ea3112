/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The totals of lanes, and values relative to others. */
#include <string.h>

#include "comparison_private.h"
#include "zonelab/metrics.h"
#include "zonelab/text.h"

#define PERMILLE 1000
#define TENTHS	 10

/* Figures of the zone at the end that are worth a row, besides the totals. */
static bool has_row(const struct zl_metric_info *m)
{
	static const char *const more[] = {"buddy.largest", "first_free_high", "longest_hold_pages",
		"zone.free", "zone.parked"};

	if (m->kind == ZL_METRIC_TOTAL) {
		return strcmp(m->name, "ops") != 0;
	}
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (strcmp(more[i], m->name) == 0) {
			return true;
		}
	}
	return false;
}

size_t comparison_totals(const struct comparison *c, struct compare_total ret[COMPARE_TOTALS])
{
	size_t first = zl_metric_find("first_free_high");
	size_t n = 0;

	for (size_t i = 0; i < zl_metric_count() && n < COMPARE_TOTALS; i++) {
		struct compare_total *t = &ret[n];

		if (!has_row(zl_metric_info(i))) {
			continue;
		}
		n++;
		*t = (struct compare_total){.metric = i, .same = true};
		for (unsigned k = 0; k < c->nr_lanes; k++) {
			t->value[k] = i == first ? (int64_t)c->lane[k].outcome.first_free_high
						 : zl_metric_now(comparison_sim(c, k), i);
			t->same = t->same && t->value[k] == t->value[0];
		}
	}
	return n;
}

size_t compare_relative(int64_t base, int64_t value, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (base == value) {
		zl_text_str(&t, "=");
	} else if (base <= 0 || value < 0) {
		zl_text_str(&t, base == 0 ? "new" : "");
	} else if (value / 2 >= base) {
		/* tenths, rounded */
		uint64_t x = ((uint64_t)value * TENTHS + (uint64_t)base / 2) / (uint64_t)base;
		zl_text_fmt(&t, "%U.%Ux", x / TENTHS, x % TENTHS);
	} else {
		uint64_t d = value > base ? (uint64_t)(value - base) : (uint64_t)(base - value);
		uint64_t x = (d * PERMILLE + (uint64_t)base / 2) / (uint64_t)base;
		zl_text_fmt(&t, "%c%U.%U %%", value > base ? '+' : '-', x / TENTHS, x % TENTHS);
	}
	return t.len;
}
