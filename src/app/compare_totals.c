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

static void judge(struct compare_total *t, unsigned lanes)
{
	t->same = true;
	for (unsigned k = 1; k < lanes; k++) {
		t->same = t->same && t->value[k] == t->value[0];
	}
}

/* A figure of the estimate, as the answer of `run` names it. */
static const struct {
	const char *name;
	enum compare_form form;
} estimated[] = {
	{"relative_throughput", COMPARE_PERMILLE},
	{"time_lost",	      COMPARE_PERMILLE},
	{"lock_held",	      COMPARE_PERMILLE},
	{"contended",	      COMPARE_PERMILLE},
	{"hold_ns.avg",		COMPARE_NS	  },
	{"hold_ns.max",		COMPARE_NS	  },
	{"wait_ns.avg",		COMPARE_NS	  },
	{"wait_ns.max",		COMPARE_NS	  },
};
#define ESTIMATED (sizeof(estimated) / sizeof(estimated[0]))

/* All lanes have the same work to do: their throughputs are as the shares of time left for it. */
static int64_t relative_throughput(
	const struct zl_estimate_result *first, const struct zl_estimate_result *r)
{
	int64_t base = zl_estimate_throughput(first), own = zl_estimate_throughput(r);

	return base > 0 ? (own * PERMILLE + base / 2) / base : 0;
}

static int64_t estimate_value(
	const struct zl_estimate_result *first, const struct zl_estimate_result *r, size_t i)
{
	switch (i) {
	case 0:
		return relative_throughput(first, r);
	case 1:
		return zl_estimate_throughput(r) > 0 ? PERMILLE - (int64_t)zl_estimate_throughput(r)
						     : 0;
	case 2:
		return zl_estimate_held(r);
	case 3:
		return zl_estimate_contended(r);
	case 4:
		return zl_durations_mean_ns(&r->hold);
	case 5:
		return zl_durations_max_ns(&r->hold);
	case 6:
		return zl_durations_mean_ns(&r->wait);
	default:
		return zl_durations_max_ns(&r->wait);
	}
}

static size_t add_estimate(const struct comparison *c, struct compare_total *ret, size_t max)
{
	struct zl_estimate_result r[COMPARE_LANES];
	size_t n = 0;

	for (unsigned k = 0; k < c->nr_lanes; k++) {
		if (c->lane[k].estimate == NULL) {
			return 0;
		}
		zl_estimate_result(c->lane[k].estimate, &r[k]);
	}
	for (; n < ESTIMATED && n < max; n++) {
		ret[n] = (struct compare_total){.name = estimated[n].name,
			.unit = "",
			.form = estimated[n].form,
			.estimate = true};
		for (unsigned k = 0; k < c->nr_lanes; k++) {
			ret[n].value[k] = estimate_value(&r[0], &r[k], n);
		}
		judge(&ret[n], c->nr_lanes);
	}
	return n;
}

static int64_t first_flush(const struct compare_lane *l)
{
	uint64_t first = l->outcome.first_free_high;

	return first > 0 ? (int64_t)first : COMPARE_NEVER;
}

size_t comparison_totals(const struct comparison *c, struct compare_total ret[COMPARE_TOTALS])
{
	size_t n = 0;

	for (size_t i = 0; i < zl_metric_count() && n < COMPARE_TOTALS; i++) {
		const struct zl_metric_info *m = zl_metric_info(i);
		struct compare_total *t = &ret[n];

		if (!has_row(m)) {
			continue;
		}
		n++;
		*t = (struct compare_total){.name = m->name, .unit = m->unit};
		for (unsigned k = 0; k < c->nr_lanes; k++) {
			t->value[k] = zl_metric_zero_is_never(m->name)
					      ? first_flush(&c->lane[k])
					      : zl_metric_now(comparison_sim(c, k), i);
		}
		judge(t, c->nr_lanes);
	}
	return n + add_estimate(c, &ret[n], COMPARE_TOTALS - n);
}

size_t compare_value(enum compare_form form, int64_t v, char *buf, size_t size)
{
	if (v == COMPARE_NEVER) {
		return zl_format(buf, size, "never");
	}
	if (form == COMPARE_PERMILLE) {
		return zl_format(buf, size, "%D.%D %%", v / TENTHS, v % TENTHS);
	}
	return v < 0 ? zl_format(buf, size, "%D", v) : zl_format(buf, size, "%N", (uint64_t)v);
}

void compare_value_json(struct zl_json *o, const char *key, int64_t v)
{
	if (v == COMPARE_NEVER) {
		zl_json_add_null(o, key);
	} else {
		zl_json_add_int(o, key, v);
	}
}

size_t compare_value_csv(int64_t v, char *buf, size_t size)
{
	return v == COMPARE_NEVER ? zl_format(buf, size, "never") : zl_format(buf, size, "%D", v);
}

size_t compare_difference(
	enum compare_form form, int64_t base, int64_t value, char *buf, size_t size)
{
	struct zl_text t;
	char text[32];

	zl_text_init(&t, buf, size);
	if (base == value) {
		zl_text_str(&t, "=");
	} else if (base != COMPARE_NEVER && value != COMPARE_NEVER) {
		compare_value(form, value > base ? value - base : base - value, text, sizeof(text));
		zl_text_fmt(&t, "%c%s", value > base ? '+' : '-', text);
	}
	return t.len;
}

size_t compare_relative(int64_t base, int64_t value, char *buf, size_t size)
{
	struct zl_text t;

	zl_text_init(&t, buf, size);
	if (base == value) {
		zl_text_str(&t, "=");
	} else if (base == COMPARE_NEVER || value == COMPARE_NEVER) {
		zl_text_str(&t, "");
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
