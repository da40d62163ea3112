/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost estimate of a run in answers. Always called a model estimate.
 */
#ifndef APP_ESTIMATE_REPORT_H
#define APP_ESTIMATE_REPORT_H

#include "command.h"
#include "zonelab/estimate.h"

/** An estimate for one zone with these settings, or NULL without memory. */
struct zl_estimate *estimate_new(
	const struct zl_settings *settings, unsigned cpus, const struct zl_allocator *mem);
/**
 * Reads a length of virtual time: "100ms", or "all" for 0. Whole numbers with ns, us, ms or s.
 * Returns 0 or -EINVAL with a sentence.
 */
int estimate_time(
	const char *text, const struct zl_allocator *mem, int64_t *ret_ns, struct zl_error *err);
/** The members of `estimate` in the answer of a run. */
void estimate_json(
	const struct zl_estimate_result *r, const struct zl_costs *costs, struct zl_json *object);
/** The same as lines of text below the totals. */
void estimate_text(
	const struct zl_estimate_result *r, const struct zl_costs *costs, struct zl_buf *b);
/** Who held the zone lock when and who waited for it, by CPU, with the histogram of holds. */
void lock_lanes_text(
	const struct zl_estimate *e, const struct zl_estimate_result *r, struct zl_buf *b);
/** The lanes as a member `lanes`: nanoseconds of holding and waiting in each slot of time. */
void lock_lanes_json(const struct zl_estimate *e, struct zl_json *object);
/** "84.3 %" from 1/1000. */
void permille_text(struct zl_buf *b, unsigned v);

#endif
