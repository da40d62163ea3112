/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that exist only where they were written and are shared copy-on-write between clones.
 *
 * A store is a two-level table: root, directories, leaves. Absent parts read as zero. A reference
 * carries its lowest bit set when its target is absent or may be shared; then a write takes the
 * slow path, which copies. Nodes for that come from a pool that the sim fills before an op
 * changes anything, so a write cannot fail.
 */
#ifndef ZONELAB_MODEL_STORE_H
#define ZONELAB_MODEL_STORE_H

#include "zonelab/types.h"

#define ZL_NODE_BYTES	   3072u
#define ZL_DIR_SHIFT	   8u
#define ZL_DIR_ENTRIES	   (1u << ZL_DIR_SHIFT)
#define ZL_PAGE_LEAF_SHIFT 8u  /* pages in a leaf */
#define ZL_BYTE_LEAF_SHIFT 11u /* bytes in a leaf, one a pageblock */
#define ZL_WORD_LEAF_SHIFT 9u  /* words in a leaf, one an id */
#define ZL_SHARED	   ((uintptr_t)1)
#define ZL_NIL		   UINT32_MAX

/** For the compiler's layout of what nearly every op goes through. */
#define zl_rare(condition) __builtin_expect(condition, false)
/** For what is written once and made twice: with and without policies. */
#define zl_always_inline inline __attribute__((always_inline))

/** What a page is the first page of. */
enum zl_page_state {
	ZL_PAGE_INSIDE, /* of nothing: it lies inside a block */
	ZL_PAGE_FREE,	/* a free block; list = migratetype */
	ZL_PAGE_PCP,	/* a block on a pageset; list = pindex */
	ZL_PAGE_USED	/* an allocated block; list = ZL_USED_*, next = its id */
};

/** Links are pfns; on pageset lists only those between two blocks are valid. */
struct zl_page {
	uint32_t next, prev;
	uint8_t state; /* enum zl_page_state */
	uint8_t order;
	uint8_t list;
	uint8_t rem; /* the type remembered outside the buddy (ZL_DRAIN_REMEMBERED) */
};

struct zl_node {
	uint32_t refs;
	struct zl_node *next_spare;
	union {
		uintptr_t child[ZL_DIR_ENTRIES];
		struct zl_page page[1u << ZL_PAGE_LEAF_SHIFT];
		uint8_t byte[1u << ZL_BYTE_LEAF_SHIFT];
		uint32_t word[1u << ZL_WORD_LEAF_SHIFT];
		unsigned char all[ZL_NODE_BYTES];
	} u;
};

struct zl_pool {
	const struct zl_allocator *mem;
	struct zl_node *spare;
	size_t nr_spare;
	size_t nr_nodes;   /* reachable from the sim's stores */
	size_t nr_unowned; /* of these, at most so many may be shared */
	size_t nr_need; /* spare nodes that suffice for any op but bulk: a fixed number and these */
};

struct zl_store {
	uintptr_t *root;
	/*
	 * The leaf that was found last and its number, ZL_NIL = none: in one store leaves of the
	 * sim's own only, or leaves to read. Forgotten when a leaf is replaced or the store shared.
	 */
	struct zl_node *last;
	uint32_t last_number;
	uint32_t nr_root;
	uint8_t leaf_shift;
};

/** Makes room for indices below @size; keeps what is there. Returns 0 or -ENOMEM. */
int zl_store_grow(
	struct zl_store *st, const struct zl_allocator *mem, uint64_t size, uint8_t leaf_shift);
void zl_store_done(struct zl_store *st, struct zl_pool *pool);
/** Shares @from with @to, which must be zeroed. Returns 0 or -ENOMEM. */
int zl_store_share(struct zl_store *to, struct zl_store *from, struct zl_pool *pool);
/**
 * Lets @to use the nodes of @from wherever both read the same. Without memory for directories it
 * shares less.
 */
void zl_store_share_equal(struct zl_store *to, struct zl_store *from, struct zl_pool *pool);
/** The leaf that holds @index, to write to. */
struct zl_node *zl_store_leaf_slow(struct zl_store *st, struct zl_pool *pool, uint32_t index);

/** Fills the pool up to @need spare nodes. Returns 0 or -ENOMEM. */
int zl_pool_fill(struct zl_pool *pool, size_t need);
void zl_pool_done(struct zl_pool *pool);

static inline const struct zl_node *zl_node_of(uintptr_t ref)
{
	return (const struct zl_node *)(ref & ~ZL_SHARED);
}

/** The leaf that holds @index, or NULL when it reads as zero. */
static inline const struct zl_node *zl_store_leaf_r(
	const struct zl_store *st, uint32_t index, unsigned shift)
{
	const struct zl_node *dir = zl_node_of(st->root[index >> shift >> ZL_DIR_SHIFT]);

	if (dir == NULL) {
		return NULL;
	}
	return zl_node_of(dir->u.child[(index >> shift) & (ZL_DIR_ENTRIES - 1)]);
}

/** The same to write to if it is the sim's own already, otherwise NULL. */
static inline struct zl_node *zl_store_leaf_own(struct zl_store *st, uint32_t index, unsigned shift)
{
	uintptr_t ref;

	if (!zl_rare(index >> shift != st->last_number)) {
		return st->last;
	}
	ref = st->root[index >> shift >> ZL_DIR_SHIFT];
	if ((ref & ZL_SHARED) != 0) {
		return NULL;
	}
	ref = ((const struct zl_node *)ref)->u.child[(index >> shift) & (ZL_DIR_ENTRIES - 1)];
	if ((ref & ZL_SHARED) != 0) {
		return NULL;
	}
	st->last = (struct zl_node *)ref;
	st->last_number = index >> shift;
	return st->last;
}

/** As zl_store_leaf_r(), for a store that zl_store_leaf_own() is never used on. */
static inline const struct zl_node *zl_store_leaf_again(
	struct zl_store *st, uint32_t index, unsigned shift)
{
	if (zl_rare(index >> shift != st->last_number)) {
		st->last = (struct zl_node *)(uintptr_t)zl_store_leaf_r(st, index, shift);
		st->last_number = index >> shift;
	}
	return st->last;
}

static inline struct zl_node *zl_store_leaf_w(
	struct zl_store *st, struct zl_pool *pool, uint32_t index, unsigned shift)
{
	uintptr_t ref = st->root[index >> shift >> ZL_DIR_SHIFT];

	if ((ref & ZL_SHARED) == 0) {
		ref = ((const struct zl_node *)ref)
			      ->u.child[(index >> shift) & (ZL_DIR_ENTRIES - 1)];
		if ((ref & ZL_SHARED) == 0) {
			return (struct zl_node *)ref;
		}
	}
	return zl_store_leaf_slow(st, pool, index);
}

#endif
