/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the comparison share. */
#ifndef APP_COMPARISON_PRIVATE_H
#define APP_COMPARISON_PRIVATE_H

#include "comparison.h"

/* A lane's timeline gets its ops through this. */
struct lane_feed {
	struct comparison *c;
	unsigned lane;
};

#endif
