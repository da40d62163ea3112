/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copy-on-write stores: directories and leaves are nodes of one size, so that one pool of spare
 * nodes serves every write of an op. A directory that gets copied marks its leaves as shared in
 * both copies; a node whose only reference is ours is simply taken over.
 */
#include "store.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static struct zl_node *node_of(uintptr_t ref)
{
	return (struct zl_node *)(ref & ~ZL_SHARED);
}

int zl_pool_fill(struct zl_pool *pool, size_t need)
{
	while (pool->nr_spare < need) {
		struct zl_node *n = pool->mem->realloc(pool->mem->user, NULL, sizeof(*n));

		if (n == NULL) {
			return -ENOMEM;
		}
		n->next_spare = pool->spare;
		pool->spare = n;
		pool->nr_spare++;
	}
	return 0;
}

void zl_pool_done(struct zl_pool *pool)
{
	while (pool->spare != NULL) {
		struct zl_node *n = pool->spare;

		pool->spare = n->next_spare;
		pool->mem->free(pool->mem->user, n);
	}
	pool->nr_spare = 0;
}

static struct zl_node *pool_take(struct zl_pool *pool)
{
	struct zl_node *n = pool->spare;

	assert(n != NULL && "an op may not write more nodes than it has reserved");
	pool->spare = n->next_spare;
	pool->nr_spare--;
	n->refs = 1;
	n->next_spare = NULL;
	return n;
}

int zl_store_grow(
	struct zl_store *st, const struct zl_allocator *mem, uint64_t size, uint8_t leaf_shift)
{
	uint64_t want = (size >> leaf_shift >> ZL_DIR_SHIFT) + 1;
	uintptr_t *root;

	st->leaf_shift = leaf_shift;
	st->last_number = ZL_NIL;
	if (want <= st->nr_root) {
		return 0;
	}
	root = mem->realloc(mem->user, st->root, (size_t)want * sizeof(*root));
	if (root == NULL) {
		return -ENOMEM;
	}
	for (uint64_t i = st->nr_root; i < want; i++) {
		root[i] = ZL_SHARED;
	}
	st->root = root;
	st->nr_root = (uint32_t)want;
	return 0;
}

static void leaf_put(struct zl_node *leaf, struct zl_pool *pool)
{
	if (leaf != NULL && --leaf->refs == 0) {
		pool->mem->free(pool->mem->user, leaf);
	}
}

void zl_store_done(struct zl_store *st, struct zl_pool *pool)
{
	for (uint32_t i = 0; i < st->nr_root; i++) {
		struct zl_node *dir = node_of(st->root[i]);

		if (dir == NULL || --dir->refs > 0) {
			continue;
		}
		for (unsigned k = 0; k < ZL_DIR_ENTRIES; k++) {
			leaf_put(node_of(dir->u.child[k]), pool);
		}
		pool->mem->free(pool->mem->user, dir);
	}
	pool->mem->free(pool->mem->user, st->root);
	st->root = NULL;
	st->last_number = ZL_NIL;
	st->nr_root = 0;
}

int zl_store_share(struct zl_store *to, struct zl_store *from, struct zl_pool *pool)
{
	to->leaf_shift = from->leaf_shift;
	to->nr_root = 0;
	to->last_number = ZL_NIL;
	from->last_number = ZL_NIL;
	to->root = pool->mem->realloc(pool->mem->user, NULL, from->nr_root * sizeof(*to->root));
	if (to->root == NULL) {
		return -ENOMEM;
	}
	to->nr_root = from->nr_root;
	for (uint32_t i = 0; i < from->nr_root; i++) {
		struct zl_node *dir = node_of(from->root[i]);

		if (dir != NULL) {
			dir->refs++;
		}
		from->root[i] |= ZL_SHARED;
		to->root[i] = from->root[i];
	}
	return 0;
}

static bool same_leaf(const struct zl_node *a, const struct zl_node *b)
{
	return a == b ||
	       (a != NULL && b != NULL && memcmp(a->u.all, b->u.all, sizeof(a->u.all)) == 0);
}

static void dir_put(struct zl_node *dir, struct zl_pool *pool)
{
	if (--dir->refs > 0) {
		return;
	}
	for (unsigned k = 0; k < ZL_DIR_ENTRIES; k++) {
		leaf_put(node_of(dir->u.child[k]), pool);
	}
	pool->mem->free(pool->mem->user, dir);
}

/* A directory that has @from's leaves where they are equal; both it and they are shared then. */
static struct zl_node *dir_of_equals(
	struct zl_node *to, struct zl_node *from, const bool *equal, struct zl_pool *pool)
{
	struct zl_node *n = pool->mem->realloc(pool->mem->user, NULL, sizeof(*n));

	if (n == NULL) {
		return NULL;
	}
	n->refs = 1;
	n->next_spare = NULL;
	for (unsigned k = 0; k < ZL_DIR_ENTRIES; k++) {
		struct zl_node *dir = equal[k] ? from : to;
		struct zl_node *leaf = node_of(dir->u.child[k]);

		dir->u.child[k] |= ZL_SHARED;
		n->u.child[k] = dir->u.child[k];
		if (leaf != NULL) {
			leaf->refs++;
		}
	}
	return n;
}

/* One directory; nodes that others still reach through the old one stay for them. */
static void share_dir(struct zl_store *to, struct zl_store *from, uint32_t i, struct zl_pool *pool)
{
	struct zl_node *a = node_of(from->root[i]);
	struct zl_node *b = node_of(to->root[i]);
	bool equal[ZL_DIR_ENTRIES];
	unsigned same = 0;
	unsigned gain = 0;
	struct zl_node *n;

	if (a == NULL || b == NULL || a == b) {
		return;
	}
	for (unsigned k = 0; k < ZL_DIR_ENTRIES; k++) {
		equal[k] = same_leaf(node_of(a->u.child[k]), node_of(b->u.child[k]));
		same += equal[k] ? 1 : 0;
		gain += equal[k] && node_of(a->u.child[k]) != node_of(b->u.child[k]) ? 1 : 0;
	}
	if (same == ZL_DIR_ENTRIES) {
		n = a;
		a->refs++;
		from->root[i] |= ZL_SHARED;
	} else if (gain > 1) { /* more than the new directory takes */
		n = dir_of_equals(b, a, equal, pool);
	} else {
		return;
	}
	if (n != NULL) {
		to->root[i] = (uintptr_t)n | ZL_SHARED;
		dir_put(b, pool);
	}
}

void zl_store_share_equal(struct zl_store *to, struct zl_store *from, struct zl_pool *pool)
{
	uint32_t n = to->nr_root < from->nr_root ? to->nr_root : from->nr_root;

	if (to->leaf_shift != from->leaf_shift) {
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		share_dir(to, from, i, pool);
	}
	to->last_number = ZL_NIL;
	from->last_number = ZL_NIL;
}

/* A node of our own in place of @ref. A directory marks its leaves shared when it is copied. */
static struct zl_node *node_own(uintptr_t *ref, struct zl_pool *pool, bool is_dir)
{
	struct zl_node *old = node_of(*ref);
	struct zl_node *n;

	if (old != NULL && old->refs == 1) {
		n = old;
	} else {
		n = pool_take(pool);
		if (old == NULL) {
			memset(n->u.all, 0, sizeof(n->u.all));
			pool->nr_nodes++;
		} else {
			old->refs--;
		}
		for (unsigned k = 0; is_dir && k < ZL_DIR_ENTRIES; k++) {
			struct zl_node *leaf = old == NULL ? NULL : node_of(old->u.child[k]);

			if (leaf != NULL) {
				leaf->refs++;
			}
			if (old != NULL) {
				old->u.child[k] |= ZL_SHARED;
			}
			n->u.child[k] = (uintptr_t)leaf | ZL_SHARED;
		}
		if (!is_dir && old != NULL) {
			memcpy(n->u.all, old->u.all, sizeof(n->u.all));
		}
	}
	if (old != NULL && pool->nr_unowned > 0) {
		pool->nr_unowned--;
		pool->nr_need--;
	}
	*ref = (uintptr_t)n;
	return n;
}

struct zl_node *zl_store_leaf_slow(struct zl_store *st, struct zl_pool *pool, uint32_t index)
{
	uint32_t leaf = index >> st->leaf_shift;
	uintptr_t *ref = &st->root[leaf >> ZL_DIR_SHIFT];
	struct zl_node *dir = node_of(*ref);

	st->last_number = ZL_NIL;
	if ((*ref & ZL_SHARED) != 0) {
		dir = node_own(ref, pool, true);
	}
	ref = &dir->u.child[leaf & (ZL_DIR_ENTRIES - 1)];
	if ((*ref & ZL_SHARED) != 0) {
		return node_own(ref, pool, false);
	}
	return node_of(*ref);
}
