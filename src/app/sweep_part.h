/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of sweeps: a definition and the values of some points as lines of text. Work is taken up
 * from them, and parts of shards are put together.
 */
#ifndef APP_SWEEP_PART_H
#define APP_SWEEP_PART_H

#include "sweep.h"

/** Values by point, and what the part is about. */
struct sweep_part {
	struct sweep_value *value; /* owned; SWEEP_OPEN = not in it */
	uint64_t points;
	uint64_t have;
	uint64_t keep; /* bytes of whole lines, for going on */
};

/** The first line of a part. Returns 0 or -ENOMEM. */
int sweep_part_head(const struct sweep *s, struct zl_buf *ret);
/** A line. */
void sweep_part_line(struct zl_buf *b, uint64_t point, const struct sweep_value *v);
/**
 * Reads a part into @part, which has room for all points of @s, or is zeroed when there was none
 * yet. *s is the sweep that it must be of; when it is NULL it is made from the definition (for
 * merging: it can be printed, not computed).
 * Returns 0; -ENOENT when there is no such file; -EINVAL with line and sentence for another sweep
 * or damage; -ENOMEM.
 */
int sweep_part_read(const char *path, const struct zl_allocator *mem, struct sweep **s,
	struct sweep_part *part, struct zl_error *err);
/** Room for the values of a sweep, all open. Returns 0 or -ENOMEM. */
int sweep_part_new(const struct sweep *s, struct sweep_part *ret, struct zl_error *err);
void sweep_part_done(struct sweep_part *p, const struct zl_allocator *mem);

#endif
