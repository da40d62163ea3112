/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped scenarios in virtual time, for tests of the cost estimate. */
#ifndef TESTS_GOLDEN_ESTIMATE_LANES_H
#define TESTS_GOLDEN_ESTIMATE_LANES_H

#include "zonelab/timed.h"

/** Runs @scenario for @ms with settings and parameters, each "KEY=VALUE", blank separated. */
void lane_run(const char *scenario, int64_t ms, const char *settings, const char *parameters,
	struct zl_estimate_result *ret);
/** Fails unless @got is within @percent of @want. */
void near_to(const char *what, double got, double want, double percent);

#endif
