/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zone lock in an estimate: holds by length, and a lane for each CPU that took it. */

#include "estimate_report.h"
#include "zonelab/text.h"

#define BAR_COLUMN 28
#define BAR_CELLS  40
#define CPU_COLUMN 6
#define LANES_MAX  64 /* in text; JSON has all */
#define CPUS_MAX   8192
#define PS_PER_NS  1000
#define PS_PER_US  1000000

static void histogram(const struct zl_durations *d, struct zl_buf *b)
{
	uint64_t most = 1;

	for (unsigned i = 0; i < ZL_ESTIMATE_BUCKETS; i++) {
		most = d->histogram[i] > most ? d->histogram[i] : most;
	}
	zl_buf_str(b, "Holds of the zone lock by length, ns\n");
	for (unsigned i = 0; i < ZL_ESTIMATE_BUCKETS; i++) {
		uint64_t n = d->histogram[i];
		uint64_t from = i == 0 ? 0 : UINT64_C(1) << (i - 1);

		if (n == 0) {
			continue;
		}
		zl_buf_fmt(b, "  %U to %U", from, i == 0 ? 0 : 2 * from - 1);
		zl_buf_pad(b, BAR_COLUMN);
		for (uint64_t k = 0; k < (n * BAR_CELLS + most - 1) / most; k++) {
			zl_buf_chr(b, '#');
		}
		zl_buf_fmt(b, " %N\n", n);
	}
}

/* H held most of the time, h some of it; W and w waited; a point: a little of either. */
static char cell(const struct zl_estimate_lane *l, unsigned slot, unsigned slots)
{
	int64_t hold = 0, wait = 0, more, all = l->slot_ps * slots;

	for (unsigned i = slot; i < slot + slots && i < l->slots; i++) {
		hold += l->hold_ps[i];
		wait += l->wait_ps[i];
	}
	more = hold > wait ? hold : wait;

	if (more == 0) {
		return ' ';
	}
	if (more * 10 < all) {
		return '.';
	}
	if (hold >= wait) {
		return hold * 2 >= all ? 'H' : 'h';
	}
	return wait * 2 >= all ? 'W' : 'w';
}

void lock_lanes_text(
	const struct zl_estimate *e, const struct zl_estimate_result *r, struct zl_buf *b)
{
	struct zl_estimate_lane l;
	unsigned shown = 0, more = 0;

	histogram(&r->hold, b);
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!zl_estimate_lane(e, cpu, &l)) {
			continue;
		}
		if (shown == LANES_MAX) {
			more++;
			continue;
		}
		/* Two slots a cell where there are many. */
		unsigned step = l.slots > 64 ? 2 : 1;

		if (shown++ == 0) {
			zl_buf_fmt(b,
				"Zone lock by CPU, %N us a cell: H h held, W w waited, . a "
				"little\n",
				(uint64_t)(l.slot_ps * step / PS_PER_US));
		}
		zl_buf_fmt(b, "  %u", cpu);
		zl_buf_pad(b, CPU_COLUMN);
		zl_buf_chr(b, '|');
		for (unsigned i = 0; i < l.slots; i += step) {
			zl_buf_chr(b, cell(&l, i, step));
		}
		zl_buf_str(b, "|\n");
	}
	if (more > 0) {
		zl_buf_fmt(b, "  and %u CPUs more; --json has all\n", more);
	}
}

void lock_lanes_json(const struct zl_estimate *e, struct zl_json *object)
{
	struct zl_json *list = zl_json_add_array(object, "lanes");
	struct zl_estimate_lane l;

	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!zl_estimate_lane(e, cpu, &l)) {
			continue;
		}
		struct zl_json *o = zl_json_push_object(list);
		zl_json_add_int(o, "cpu", cpu);
		zl_json_add_int(o, "slot_ns", l.slot_ps / PS_PER_NS);
		struct zl_json *hold = zl_json_add_array(o, "hold_ns");
		struct zl_json *wait = zl_json_add_array(o, "wait_ns");
		for (unsigned i = 0; i < l.slots; i++) {
			zl_json_push_int(hold, l.hold_ps[i] / PS_PER_NS);
			zl_json_push_int(wait, l.wait_ps[i] / PS_PER_NS);
		}
	}
}
