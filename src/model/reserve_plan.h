/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between the files of the reservation model: a plan in progress.
 */
#ifndef ZONELAB_MODEL_RESERVE_PLAN_H
#define ZONELAB_MODEL_RESERVE_PLAN_H

#include "zonelab/reservation.h"

#define MIB_SHIFT 20

struct plan {
	const struct zl_reserve_in *in;
	struct zl_reserve_report *report;
	unsigned regions;    /* of the reserved-memory table */
	bool default_failed; /* the default area was asked for and not given */
};

static inline const struct zl_request *plan_request(
	const struct plan *p, const struct zl_pool *pool)
{
	return &p->in->requests[pool->request];
}

/* reserve_node.c */
void plan_node_scan(struct plan *p, struct zl_pool *pool);  /* static: reserve */
void plan_node_place(struct plan *p, struct zl_pool *pool); /* dynamic: find and reserve */
void plan_node_init(struct plan *p, struct zl_pool *pool);  /* what becomes of it */
enum zl_pool_reason plan_activation(const struct zl_memory_map *map, uint64_t base, uint64_t size);
/* reserve_area.c */
void plan_default(struct plan *p, struct zl_pool *pool);
void plan_node_area(struct plan *p, struct zl_pool *pool);
/* reserve_check.c: after the boot */
void plan_windows(struct plan *p, struct zl_pool *pool);
void plan_neighbours(struct plan *p);
void plan_totals(struct plan *p);

/* reserve_text.c: kernel lines and reasons */
void plan_verdict(struct zl_pool *pool, enum zl_pool_verdict v, enum zl_pool_reason reason);
/** Adds a kernel line (verbs as in zonelab/text.h). */
void plan_say(struct zl_pool *pool, const char *fmt, ...);
/** The line added last names the verdict. */
void plan_mark(struct zl_pool *pool);
/** An address as the kernel prints it: 0x and 16 or 8 digits. @buf holds PLAN_PA bytes. */
#define PLAN_PA 24
const char *plan_pa(const struct plan *p, uint64_t address, char *buf);
void plan_say_created(struct plan *p, struct zl_pool *pool, const char *what, bool kib);
void plan_say_match_fail(struct plan *p, struct zl_pool *pool);
void plan_say_cma(struct plan *p, struct zl_pool *pool, bool done, uint64_t size);
void plan_reason(struct plan *p, struct zl_pool *pool);

#endif
