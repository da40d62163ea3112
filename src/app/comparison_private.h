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
/* Its functions, as of struct op_feed. */
int compare_lane_next(void *user, struct zl_op *ret, struct zl_error *err);
void compare_lane_feed_done(void *user);

#endif
