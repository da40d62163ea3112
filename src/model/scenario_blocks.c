/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings and heaps of block ids. */
#include <errno.h>

#include "scenario_private.h"

#define START 16u

static int grow_ring(struct blocks *b, const struct zl_allocator *mem)
{
	uint32_t cap = b->cap == 0 ? START : 2 * b->cap;
	uint32_t *ids = mem->realloc(mem->user, NULL, (size_t)cap * sizeof(*ids));

	if (ids == NULL) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < b->count; i++) {
		ids[i] = b->ids[(b->head + i) & (b->cap - 1)];
	}
	mem->free(mem->user, b->ids);
	b->ids = ids;
	b->cap = cap;
	b->head = 0;
	return 0;
}

int zl_blocks_put(struct blocks *b, uint32_t id, const struct zl_allocator *mem)
{
	if (b->count == b->cap && grow_ring(b, mem) != 0) {
		return -ENOMEM;
	}
	b->ids[(b->head + b->count) & (b->cap - 1)] = id;
	b->count++;
	b->puts++;
	return 0;
}

uint32_t zl_blocks_peek(const struct blocks *b, uint32_t index)
{
	return b->ids[(b->head + index) & (b->cap - 1)];
}

uint32_t zl_blocks_take(struct blocks *b, uint32_t index)
{
	uint32_t mask = b->cap - 1;
	uint32_t at = (b->head + index) & mask;
	uint32_t id = b->ids[at];

	b->count--;
	if (index == 0) {
		b->head = (b->head + 1) & mask;
	} else {
		/* The newest fills the hole. */
		b->ids[at] = b->ids[(b->head + b->count) & mask];
	}
	return id;
}

static bool earlier(const struct hold *a, const struct hold *b)
{
	return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

int zl_blocks_hold(struct blocks *b, uint64_t due, uint32_t id, const struct zl_allocator *mem)
{
	const struct hold new = {due, b->puts, id};

	if (b->nr_held == b->cap_held) {
		uint32_t cap = b->cap_held == 0 ? START : 2 * b->cap_held;
		struct hold *held = mem->realloc(mem->user, b->held, (size_t)cap * sizeof(*held));

		if (held == NULL) {
			return -ENOMEM;
		}
		b->held = held;
		b->cap_held = cap;
	}
	uint32_t at = b->nr_held++;
	for (; at > 0 && earlier(&new, &b->held[(at - 1) / 2]); at = (at - 1) / 2) {
		b->held[at] = b->held[(at - 1) / 2];
	}
	b->held[at] = new;
	b->puts++;
	return 0;
}

uint32_t zl_blocks_release(struct blocks *b)
{
	uint32_t id = b->held[0].id;
	const struct hold last = b->held[--b->nr_held];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= b->nr_held) {
			break;
		}
		if (child + 1 < b->nr_held && earlier(&b->held[child + 1], &b->held[child])) {
			child++;
		}
		if (!earlier(&b->held[child], &last)) {
			break;
		}
		b->held[at] = b->held[child];
		at = child;
	}
	b->held[at] = last;
	return id;
}

uint32_t zl_blocks_count(const struct blocks *b)
{
	return b->count + b->nr_held;
}

void zl_blocks_done(struct blocks *b, const struct zl_allocator *mem)
{
	mem->free(mem->user, b->ids);
	mem->free(mem->user, b->held);
}
