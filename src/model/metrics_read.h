/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading of metrics by their index in the table.
 */
#ifndef MODEL_METRICS_READ_H
#define MODEL_METRICS_READ_H

#include "zonelab/metrics.h"

/* The value now; totals count from @before. @index is a CPU or order, -1 = the running CPU. */
int64_t zl_metric_read(
	const struct zl_sim *sim, const struct zl_totals *before, size_t i, int32_t index);
/* The same over several zones; totals count from their start. @index may be a zone. */
int64_t zl_metric_read_system(const struct zl_system *s, size_t i, int32_t index);
/* Metrics that a watch keeps itself. */
bool zl_metric_longest_hold(size_t i);
bool zl_metric_first_flush(size_t i);

#endif
