/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits beside a grid: what free_high goes by at each value of its axes. */
#include "sweeps_limits.h"

/* Limits at an index of @axis, the other axis at @other. */
static bool limits_at(
	struct sweep *w, unsigned axis, size_t i, size_t other, struct sweep_limits *ret)
{
	const size_t at[2] = {axis == 0 ? i : other, axis == 0 ? other : i};

	return sweep_point_limits(w, sweep_point_of(w, at), ret);
}

static bool same(const struct sweep_limits *a, const struct sweep_limits *b, unsigned axis)
{
	return axis == 0 ? a->high_min == b->high_min && a->threshold == b->threshold
			 : a->ceiling == b->ceiling;
}

/* Along the axis, the same at both ends of the other one. */
static bool along(struct sweep *w, unsigned axis, struct sweep_limits *ret)
{
	size_t last = w->axis[1 - axis].n - 1;

	if (w->axis[axis].n > SWEEPS_LIMITS_MAX) {
		return false;
	}
	for (size_t i = 0; i < w->axis[axis].n; i++) {
		struct sweep_limits end;

		if (!limits_at(w, axis, i, 0, &ret[i]) || !limits_at(w, axis, i, last, &end) ||
			!same(&ret[i], &end, axis)) {
			return false;
		}
	}
	return true;
}

/* Whether the axis changes it at all. */
static bool varies(const struct sweep_limits *l, size_t n, unsigned axis)
{
	for (size_t i = 1; i < n; i++) {
		if (!same(&l[0], &l[i], axis)) {
			return true;
		}
	}
	return false;
}

void sweeps_find_limits(struct sweeps *s)
{
	struct sweep *w = s->sweep;
	struct sweeps_limits *l = &s->limits;

	if (w->nr_axes == 2) {
		l->columns = along(w, 0, l->column) && varies(l->column, w->axis[0].n, 0);
		l->rows = along(w, 1, l->row) && varies(l->row, w->axis[1].n, 1) &&
			  l->row[0].ceiling >= 0;
	}
}
