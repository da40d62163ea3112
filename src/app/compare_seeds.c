/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several seeds say: median, range, and whether a difference is larger than the spread. */
#include <stdlib.h>

#include "compare_report.h"

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t apart(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

void compare_spread_of(int64_t *const values[COMPARE_LANES], unsigned lanes, unsigned n,
	struct compare_spread ret[COMPARE_LANES])
{
	for (unsigned i = 0; i < lanes; i++) {
		int64_t *v = values[i];

		qsort(v, n, sizeof(*v), by_value);
		ret[i] = (struct compare_spread){
			.median = v[(n - 1) / 2], .least = v[0], .most = v[n - 1]};
		int64_t own = ret[i].most - ret[i].least;
		int64_t first = ret[0].most - ret[0].least;
		ret[i].beyond = apart(ret[i].median, ret[0].median) > (own > first ? own : first);
	}
}
