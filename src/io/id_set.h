/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of 32-bit numbers, for ids that are in use. */
#ifndef ZONELAB_IO_ID_SET_H
#define ZONELAB_IO_ID_SET_H

#include "zonelab/types.h"

struct id_set {
	uint64_t *slot; /* 0 = never used, 1 = removed, id + 2 otherwise */
	size_t size;	/* a power of two, or 0 */
	size_t used;	/* slots that are not 0 */
	const struct zl_allocator *mem;
};

bool id_set_has(const struct id_set *s, uint32_t id);
/** Adds an id that is not in the set. Returns 0 or -ENOMEM. */
int id_set_add(struct id_set *s, uint32_t id);
void id_set_remove(struct id_set *s, uint32_t id);
void id_set_done(struct id_set *s);

#endif
