/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits beside a grid: what free_high goes by at each value of its axes. */
#include "sweeps_limits.h"

#include <errno.h>

/* Limits at an index of @axis, the other axis at @other. */
static int limits_at(
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

/*
 * Along the axis, the same at both ends of the other one; else @ret_shown is false.
 * Returns 0 or -ENOMEM.
 */
static int along(struct sweep *w, unsigned axis, struct sweep_limits *ret, bool *ret_shown)
{
	size_t last = w->axis[1 - axis].n - 1;
	bool shown = w->axis[axis].n <= SWEEPS_LIMITS_MAX;

	for (size_t i = 0; i < w->axis[axis].n && shown; i++) {
		struct sweep_limits end;
		int rc = limits_at(w, axis, i, 0, &ret[i]);

		rc = rc != 0 ? rc : limits_at(w, axis, i, last, &end);
		if (rc == -ENOMEM) {
			return rc;
		}
		shown = rc == 0 && same(&ret[i], &end, axis);
	}
	*ret_shown = shown;
	return 0;
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

int sweeps_find_limits(struct sweeps *s)
{
	struct sweep *w = s->sweep;
	struct sweeps_limits *l = &s->limits;
	int rc;

	if (w->nr_axes != 2) {
		return 0;
	}
	rc = along(w, 0, l->column, &l->columns);
	rc = rc != 0 ? rc : along(w, 1, l->row, &l->rows);
	l->columns = l->columns && varies(l->column, w->axis[0].n, 0);
	l->rows = l->rows && varies(l->row, w->axis[1].n, 1) && l->row[0].ceiling >= 0;
	return rc;
}
