/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes into a pool: buffers packed to a pool size, and allocations played over a pool.
 */
#ifndef APP_RESERVE_DEMAND_H
#define APP_RESERVE_DEMAND_H

#include "command.h"
#include "zonelab/cma_bitmap.h"
#include "zonelab/file.h"

#define REPLAY_LINES_MAX 256

/** One line of a list of allocations. */
struct replay_op {
	bool free;
	unsigned line;	 /* in the file */
	unsigned number; /* of the allocation, from 1; of a free: which one */
	struct zl_cma_alloc alloc;
};

/** A list of allocations with the pool that it runs in. */
struct replay {
	struct zl_cma_area area;
	uint64_t page_size;
	size_t nr_ops;
	struct replay_op op[REPLAY_LINES_MAX];
	size_t nr_failed;
	uint64_t free_pages, longest_run; /* at the end */
};

/**
 * Reads and plays a list: `pool SIZE` first, then `base PFN`, `order_per_bit N`, `pin START COUNT`,
 * `alloc SIZE [align ORDER]`, `free NUMBER`. A bare number is a count of pages, one with a unit is
 * bytes; `#` starts a comment. The caller frees ret->area.used with @a.
 * Returns 0, -EINVAL with line and column in @err, or -ENOMEM.
 */
int replay_parse(const struct zl_file *f, uint64_t page_size, const struct zl_allocator *a,
	struct replay *ret, struct zl_error *err);
/** The same from a path; errors of opening too. */
int replay_read(const char *path, uint64_t page_size, const struct zl_allocator *a,
	struct replay *ret, struct zl_error *err);
void replay_text(const struct replay *r, struct output *out);
void replay_json(const struct replay *r, struct zl_json *object);

void demand_text(
	const struct zl_demand *d, size_t n, const struct zl_demand_plan *plan, struct output *out);
void demand_json(const struct zl_demand *d, size_t n, const struct zl_demand_plan *plan,
	struct zl_json *object);

#endif
