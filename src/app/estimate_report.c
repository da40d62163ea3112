/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate_report.h"

#include <errno.h>
#include <string.h>

#include "zonelab/expr.h"
#include "zonelab/text.h"

#define LABEL_COLUMN 31
#define PERCENT	     10 /* of 1/1000 */
#define NS_PER_US    1000
#define PS_PER_NS    1000

struct zl_estimate *estimate_new(
	const struct zl_settings *settings, unsigned cpus, const struct zl_allocator *mem)
{
	struct zl_estimate_options o = {.cpus = cpus};
	struct zl_estimate *e = NULL;

	zl_costs_of(settings, &o.costs);
	return zl_estimate_new(&o, mem, &e) == 0 ? e : NULL;
}

int estimate_time(
	const char *text, const struct zl_allocator *mem, int64_t *ret_ns, struct zl_error *err)
{
	struct zl_expr x;
	int64_t v = 0;
	int rc;

	*ret_ns = 0;
	if (strcmp(text, "all") == 0) {
		return 0;
	}
	rc = zl_expr_compile(text, NULL, mem, &x, NULL);
	if (rc == 0) {
		rc = zl_expr_eval(&x, NULL, &v, NULL);
		zl_expr_done(&x, mem);
	}
	if (rc != 0 || v <= 0 || v > ZL_ESTIMATE_NS_MAX) {
		zl_error_set(err, 0, 0,
			"'%s' is no length of time; write 100ms, or all for the whole scenario",
			text);
		return -EINVAL;
	}
	*ret_ns = v;
	return 0;
}

static unsigned percent(unsigned permille)
{
	return (permille + PERCENT / 2) / PERCENT;
}

static void json_durations(const struct zl_durations *d, struct zl_json *parent, const char *key)
{
	struct zl_json *o = zl_json_add_object(parent, key);
	struct zl_json *h;
	unsigned last = ZL_ESTIMATE_BUCKETS;

	zl_json_add_u64(o, "count", d->n);
	zl_json_add_int(o, "sum", d->sum_ps / PS_PER_NS);
	zl_json_add_int(o, "avg", zl_durations_mean_ns(d));
	zl_json_add_int(o, "max", zl_durations_max_ns(d));
	h = zl_json_add_array(o, "histogram");
	while (last > 0 && d->histogram[last - 1] == 0) {
		last--;
	}
	for (unsigned i = 0; i < last; i++) {
		zl_json_push_int(h, (int64_t)d->histogram[i]);
	}
}

/* In virtual time only a second run with a free lock tells it. */
static void json_throughput(const struct zl_estimate_result *r, struct zl_json *o)
{
	const unsigned v = zl_estimate_throughput(r);

	if (r->timed && r->free_lock_blocks == 0) {
		zl_json_add_null(o, "relative_throughput_percent");
		zl_json_add_null(o, "relative_throughput_permille");
		return;
	}
	zl_json_add_int(o, "relative_throughput_percent", percent(v));
	zl_json_add_int(o, "relative_throughput_permille", v);
}

void estimate_json(
	const struct zl_estimate_result *r, const struct zl_costs *costs, struct zl_json *o)
{
	struct zl_json *list;

	zl_json_add_string(o, "label", "model estimate");
	zl_json_add_bool(o, "timed", r->timed);
	zl_json_add_int(o, "window_ns", r->window_ps / PS_PER_NS);
	zl_json_add_u64(o, "blocks", r->blocks);
	json_throughput(r, o);
	zl_json_add_u64(o, "zone_lock_takes", r->takes);
	zl_json_add_int(o, "contended_percent", percent(zl_estimate_contended(r)));
	zl_json_add_int(o, "contended_permille", zl_estimate_contended(r));
	zl_json_add_int(o, "lock_held_percent", percent(zl_estimate_held(r)));
	zl_json_add_int(o, "lock_held_permille", zl_estimate_held(r));
	zl_json_add_u64(o, "free_high", r->free_high);
	zl_json_add_u64(o, "longest_hold_pages", r->longest_hold_pages);
	json_durations(&r->hold, o, "hold_ns");
	json_durations(&r->wait, o, "wait_ns");
	json_durations(&r->refill, o, "refill_latency_ns");
	zl_json_add_u64(o, "order_inversions", r->order_inversions);
	zl_json_add_string(o, "saturated", zl_saturated_name(zl_estimate_saturated(r)));
	list = zl_json_add_object(o, "costs");
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		zl_json_add_int(list, zl_setting_info(zl_cost_info((enum zl_cost)i)->setting)->key,
			costs->value[i]);
	}
}

void permille_text(struct zl_buf *b, unsigned v)
{
	zl_buf_fmt(b, "%u.%u %%", v / PERCENT, v % PERCENT);
}

static void label(struct zl_buf *b, const char *name)
{
	zl_buf_fmt(b, "  %s", name);
	zl_buf_pad(b, LABEL_COLUMN);
}

static void line_permille(struct zl_buf *b, const char *name, unsigned v)
{
	label(b, name);
	permille_text(b, v);
	zl_buf_chr(b, '\n');
}

static void line_durations(struct zl_buf *b, const char *name, const struct zl_durations *d)
{
	label(b, name);
	zl_buf_fmt(b, "%N on average, %N at most, %N us in all\n",
		(uint64_t)zl_durations_mean_ns(d), (uint64_t)zl_durations_max_ns(d),
		(uint64_t)(d->sum_ps / PS_PER_NS / NS_PER_US));
}

/* Costs that are not as built in; the machine's factor always. */
static void line_costs(struct zl_buf *b, const struct zl_costs *costs)
{
	label(b, "costs");
	for (unsigned i = 0; i < ZL_COST_COUNT; i++) {
		const struct zl_cost_info *info = zl_cost_info((enum zl_cost)i);

		if (i == ZL_COST_LOCK_COST_PERCENT || costs->value[i] != info->dflt) {
			zl_buf_fmt(b, "%s%s=%D", i == 0 ? "" : " ",
				zl_setting_info(info->setting)->key, costs->value[i]);
		}
	}
	zl_buf_str(b, "\n");
}

void estimate_text(
	const struct zl_estimate_result *r, const struct zl_costs *costs, struct zl_buf *b)
{
	zl_buf_fmt(b, "Model estimate (%s), not a measurement; see `explain estimate`\n",
		r->timed ? "timed" : "overlay");
	label(b, "time that counts");
	zl_buf_fmt(b, "%N us of %N us on %N CPU%s\n",
		(uint64_t)(r->window_ps / PS_PER_NS / NS_PER_US),
		(uint64_t)(r->end_ps / PS_PER_NS / NS_PER_US), (uint64_t)r->cpus,
		r->cpus == 1 ? "" : "s");
	label(b, "warm-up before it");
	zl_buf_fmt(b, "%N us\n", (uint64_t)((r->end_ps - r->window_ps) / PS_PER_NS / NS_PER_US));
	line_permille(b, "relative_throughput_percent", zl_estimate_throughput(r));
	label(b, "zone_lock_takes");
	zl_buf_fmt(b, "%N\n", r->takes);
	line_permille(b, "contended_percent", zl_estimate_contended(r));
	line_permille(b, "lock_held_percent", zl_estimate_held(r));
	line_durations(b, "hold_ns", &r->hold);
	line_durations(b, "wait_ns", &r->wait);
	line_durations(b, "refill_latency_ns", &r->refill);
	label(b, "order_inversions");
	zl_buf_fmt(b, "%N\n", r->order_inversions);
	label(b, "saturated");
	zl_buf_fmt(b, "%s\n", zl_saturated_name(zl_estimate_saturated(r)));
	line_costs(b, costs);
}
