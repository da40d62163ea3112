/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The story that the explorer opens with: a network stream on a server of 64 GiB with 24 CPUs.
 * One CPU allocates buffers of order 3, another frees them.
 */
#ifndef APP_STORY_H
#define APP_STORY_H

#include "timeline.h"

#define STORY_TITLE "iperf 64 GiB/24"

/** The zone; switches are the caller's to fill. */
void story_config(struct zl_sim_config *ret);
/** Its ops. Returns 0 or -ENOMEM. */
int story_feed(const struct zl_allocator *mem, struct op_feed *ret);
/** A feed over a copy of @n ops. Returns 0 or -ENOMEM. */
int list_feed(
	const struct zl_allocator *mem, const struct zl_op *ops, size_t n, struct op_feed *ret);

#endif
