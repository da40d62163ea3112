/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep may follow besides metrics of a run and values of a machine. */
#ifndef APP_SWEEP_FIGURES_H
#define APP_SWEEP_FIGURES_H

#include "reserve.h"
#include "sweep.h"
#include "zonelab/estimate.h"

int64_t sweep_estimate_value(size_t figure, const struct zl_estimate_result *r);
/** Whether a timed run must be compared with one whose lock costs nothing. */
bool sweep_estimate_needs_free_lock(size_t figure);
int64_t sweep_pool_value(size_t figure, const struct reserve *r);

#endif
