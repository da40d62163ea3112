/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter.h"

#include <string.h>

/* The size stands before the block, which keeps the alignment of malloc. */
union head {
	size_t size;
	max_align_t align;
};

static void *meter_realloc(void *user, void *ptr, size_t size)
{
	struct meter *m = user;
	union head *old = ptr != NULL ? (union head *)ptr - 1 : NULL;
	size_t was = old != NULL ? old->size : 0;

	if (size > SIZE_MAX - sizeof(union head)) {
		return NULL;
	}
	union head *h = m->below->realloc(m->below->user, old, size + sizeof(*h));
	if (h == NULL) {
		return NULL;
	}
	h->size = size;
	m->used += size - was;
	return h + 1;
}

static void meter_free(void *user, void *ptr)
{
	struct meter *m = user;

	if (ptr != NULL) {
		union head *h = (union head *)ptr - 1;
		m->used -= h->size;
		m->below->free(m->below->user, h);
	}
}

void meter_init(struct meter *m, const struct zl_allocator *below)
{
	memset(m, 0, sizeof(*m));
	m->below = below;
	m->mem = (struct zl_allocator){.realloc = meter_realloc, .free = meter_free, .user = m};
}
