/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A replay under way: the ops before the demand, then what the follower makes of the events. */
#ifndef IO_REPLAY_PRIVATE_H
#define IO_REPLAY_PRIVATE_H

#include "follow.h"

struct zl_replay {
	const struct zl_allocator *mem;
	const struct zl_recording *r;
	const struct zl_patience *patience;
	struct zl_replay_where where;
	struct follow f;
	struct spool_reader reader;
	/* ops before the demand */
	struct zl_op *start;
	size_t nr_start, max_start, start_at;
	/* found by the first pass, for each CPU and list */
	struct start_list {
		uint32_t blocks;
		bool exact, touched;
	} * list; /* [cpu * FOLLOW_LISTS + list] */
	bool ended;
	bool stopped;
	uint64_t read; /* events of the second pass */
};

/* Fills in the ops before the demand. Returns 0 or -errno. */
int replay_start_ops(struct zl_replay *p);
/* The next step; @ret_start: it stands before the demand. Returns 1, 0 at the end, or -errno. */
int replay_step(struct zl_replay *p, struct follow_step *ret, bool *ret_start);

#endif
