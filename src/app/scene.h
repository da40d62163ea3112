/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that the Pagesets screen shows of one op of a run, worked out when the place changes
 * so that drawing only reads.
 */
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "timeline.h"
#include "zonelab/tuning.h"

#define SCENE_PAST   64
#define SCENE_BLOCKS 4096
#define SCENE_ORDERS (ZL_MAX_ORDER_LIMIT + 1)

/** The condition of free_high for the next free of order 1..3 on the chosen CPU. */
struct scene_verdict {
	bool hidden;	/* it is not to be told now; all else is zero */
	bool exists;	/* the design has free_high */
	bool ceiling;	/* and a ceiling */
	unsigned order; /* of the free that is looked at */
	bool term[3];	/* reached the threshold; order before; batch flag or count */
	bool never;	/* the threshold lies above the ceiling */
	bool fires;
	bool by_policy; /* free_high is a policy; `term` are then the release's, `fires` is its */
	bool no_threshold;    /* and it compares free_count with no single figure */
	int64_t flush_pages;  /* if it fires */
	int64_t flush_blocks; /* -1 = not all of them */
	int64_t frees_left; /* frees of this order until one fires, this one included; 0 = never */
};

/** What one block of the map shows. */
struct scene_block {
	uint8_t type;	/* enum zl_migratetype */
	uint8_t filled; /* used and parked pages, eighths */
};

struct scene {
	uint64_t at, total;
	bool complete;
	struct zl_sim_config config;
	unsigned cpu;		 /* whose pageset is shown */
	struct zl_record record; /* of the present op */
	struct zl_record next;	 /* of the next, if it happens as it would now */
	bool has_next;
	struct zl_pageset_view pageset; /* of the chosen CPU */
	struct zl_pageset_view before;	/* one op earlier */
	struct zl_free_high limits;
	struct scene_verdict verdict; /* after the present op */
	struct scene_verdict was;     /* before it */
	struct zl_zone_view zone, zone_before;
	struct zl_totals totals; /* of all ops so far */
	uint8_t list_order[ZL_PCP_LISTS_MAX], list_mt[ZL_PCP_LISTS_MAX];
	uint64_t buddy[SCENE_ORDERS][ZL_MIGRATE_COUNT];
	uint64_t buddy_before[SCENE_ORDERS][ZL_MIGRATE_COUNT];
	bool has_type[ZL_MIGRATE_COUNT];
	struct zl_record past[SCENE_PAST]; /* the newest last: the present op */
	unsigned nr_past;
	int32_t *counts, *highs; /* of each CPU; owned */
	unsigned nr_cpus, max_cpus;
	uint64_t pageblocks;
	uint64_t block_step; /* pageblocks of a cell of the map */
	struct scene_block block[SCENE_BLOCKS];
	unsigned nr_blocks;
};

void scene_done(struct scene *s, const struct zl_allocator *mem);
/**
 * Fills all but the map from where the run stands.
 * Returns 0 or -ENOMEM; then the scene is as it was or partly new, but safe to draw.
 */
int scene_fill(struct scene *s, struct timeline *t, unsigned cpu, const struct zl_allocator *mem);
/** Takes out what tells about the ops after the present one. */
void scene_hide_future(struct scene *s);
/** Fills the map with at most @cells cells. */
void scene_fill_map(struct scene *s, const struct timeline *t, unsigned cells);

/** The verdict of a pageset under a configuration; @order 1..3. */
void scene_judge(const struct zl_pageset_view *p, const struct zl_sim_config *c, unsigned order,
	struct scene_verdict *ret);
/** The count that fills the bar of a pageset: high, or what high becomes on first use. */
int32_t scene_full(const struct zl_pageset_view *p);
/** high as the next op of a pageset finds it: within high_min and high_max. */
int32_t scene_limit(const struct zl_pageset_view *p);
/** The count at which the next free of 2^@order pages drains, if it does not flush. */
int64_t scene_drain_from(
	const struct zl_pageset_view *p, const struct zl_zone_view *z, unsigned order);
/** Whether the present op flushed the chosen CPU. */
bool scene_flushed(const struct scene *s);

#endif
