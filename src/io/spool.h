/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events in a compact form, read as often as needed: the first ones in memory, the rest in a
 * temporary file that has no name.
 */
#ifndef IO_SPOOL_H
#define IO_SPOOL_H

#include "zonelab/kmem.h"

enum spool_flags {
	SPOOL_REFILL = 1,    /* percpu_refill=1 */
	SPOOL_OWNERSHIP = 2, /* change_ownership=1 */
	SPOOL_WHOLE = 4,     /* the fallback block is at least a pageblock */
	SPOOL_KWORKER = 8    /* a drain by a kworker: of vmstat_update() when no free caused it */
};

/** A mark holds an op: order = kind, high = order, mt = mt, flags = key, value = id, pfn = arg. */
struct spool_event {
	uint64_t time_ns;
	uint64_t pfn;
	uint32_t line;
	uint32_t value; /* lost events, an exported run's id, low watermark */
	uint16_t cpu;
	uint8_t kind; /* enum zl_traced */
	uint8_t order;
	int8_t mt; /* -1 = none */
	uint8_t flags;
	uint16_t high; /* of a watermark event: index of its zone's name */
};

struct spool;
struct spool *spool_new(const struct zl_allocator *mem);
void spool_free(struct spool *s);
/** Returns 0, -ENOMEM or -ENOSPC. */
int spool_add(struct spool *s, const struct spool_event *e);
uint64_t spool_count(const struct spool *s);

/** A reader of a spool; several may read at once. */
#define SPOOL_AHEAD 1024u
struct spool_reader {
	const struct spool *s;
	uint64_t next; /* event */
	size_t at, n;
	struct spool_event ahead[SPOOL_AHEAD];
};
void spool_start(struct spool_reader *r, const struct spool *s);
/** Returns 1, 0 at the end, or -EIO. */
int spool_next(struct spool_reader *r, struct spool_event *ret);

#endif
