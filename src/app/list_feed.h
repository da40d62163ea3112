/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of ops as a run that can be stood in.
 */
#ifndef APP_LIST_FEED_H
#define APP_LIST_FEED_H

#include "timeline.h"

/** A feed over a copy of @n ops. Returns 0 or -ENOMEM. */
int list_feed(
	const struct zl_allocator *mem, const struct zl_op *ops, size_t n, struct op_feed *ret);

#endif
