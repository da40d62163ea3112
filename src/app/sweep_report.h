/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep in answers: text, CSV, JSON and a picture. They follow from definition and values alone. */
#ifndef APP_SWEEP_REPORT_H
#define APP_SWEEP_REPORT_H

#include "command.h"
#include "sweep.h"

/** What is printed. */
struct sweep_shown {
	const struct sweep *sweep;
	const struct sweep_value *value; /* of all points */
	bool complete;
};

/** In the output's format. CSV goes out as it comes. */
void sweep_report(const struct sweep_shown *shown, struct output *out);
/** A line chart of one axis or a heat map of two; more axes have none. */
void sweep_svg(const struct sweep_shown *shown, struct zl_buf *ret);
/** "46", or "-" for what has no value. */
void sweep_value_text(const struct sweep_value *v, char *buf, size_t size);
/** Smallest and largest value that there is; false when there is none. */
bool sweep_extent(const struct sweep_shown *shown, int64_t *ret_min, int64_t *ret_max);
/** "first_free_high of free-order3, by high_min and kernel": the heading. */
void sweep_title(const struct sweep *s, char *buf, size_t size);

#endif
