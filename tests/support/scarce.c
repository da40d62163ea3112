/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scarce.h"

#include <stdlib.h>

static void *heap_realloc(void *user, void *ptr, size_t size)
{
	(void)user;
	return realloc(ptr, size);
}

static void heap_free(void *user, void *ptr)
{
	(void)user;
	free(ptr);
}

const struct zl_allocator heap = {.realloc = heap_realloc, .free = heap_free};

static void *scarce_realloc(void *user, void *ptr, size_t size)
{
	struct scarce *s = user;
	void *p;

	if (s->left == 0) {
		s->left = s->once ? SCARCE_NEVER : 0;
		return NULL;
	}
	s->left -= s->left != SCARCE_NEVER;
	p = realloc(ptr, size);
	s->live += p != NULL && ptr == NULL;
	return p;
}

static void scarce_free(void *user, void *ptr)
{
	struct scarce *s = user;

	s->live -= ptr != NULL;
	free(ptr);
}

void scarce_init(struct scarce *s, size_t left)
{
	*s = (struct scarce){
		.allocator = {.realloc = scarce_realloc, .free = scarce_free, .user = s},
		.left = left
	    };
}
