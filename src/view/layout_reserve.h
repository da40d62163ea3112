/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the parts of the Reserve screen go.
 */
#ifndef VIEW_LAYOUT_RESERVE_H
#define VIEW_LAYOUT_RESERVE_H

#include "layout.h"

/** What its content wants, in rows without the heading. */
struct reserve_needs {
	int pools;   /* pools of the list */
	int why;     /* reason and, in the short form, kernel lines and result */
	int kernel;  /* lines that the kernel prints */
	int meaning; /* lines that say what follows */
	int fix;     /* lines of the correction */
};

/** Areas with their heading row; one that has no room is empty (0 rows). */
struct layout_reserve {
	bool wide; /* the map stands at the right, `separator` is its column */
	bool tall; /* kernel lines and meaning have areas of their own */
	int separator;
	struct rect pools, why, kernel, meaning, fix, map;
};

struct layout_reserve layout_reserve(const struct layout *l, const struct reserve_needs *needs);

#endif
