/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory before change: how many nodes of the stores an op may have to write that are not the
 * sim's own yet. The bounds are generous; what an op does not use serves the next one.
 */
#include "buddy.h"
#include "ops.h"
#include "pcp_hot.h"
#include "policy_run.h"

/** A page, its neighbour on the list, a type byte and an id: each a leaf and a directory. */
#define HIT_NODES 8u
/** Shared nodes (12 MiB) that are provided for at once. */
#define SHARED_FEW 4096u

/* Leaves (with directories) that @n neighbouring indices can touch. */
static size_t span(uint64_t n, unsigned leaf_shift)
{
	return (size_t)((n >> leaf_shift) + 2 + (n >> leaf_shift >> ZL_DIR_SHIFT) + 2);
}

static size_t whole_zone(const struct zl_sim *s)
{
	uint64_t pages = s->nr_pages;

	return span(pages, ZL_PAGE_LEAF_SHIFT) +
	       span(pages >> s->page_block_order, ZL_BYTE_LEAF_SHIFT);
}

/* New nodes when @pages pages leave the buddy, at most in blocks opened one after the other. */
static size_t opening(const struct zl_sim *s, uint64_t blocks, unsigned order)
{
	uint64_t opened = (blocks << order >> s->max_order) + 2;
	size_t each = 2u * s->max_order + span(1, ZL_BYTE_LEAF_SHIFT);

	if (s->page_block_order > s->max_order) {
		return whole_zone(s);
	}
	each += span(zl_pages_of(s->max_order - s->page_block_order), ZL_BYTE_LEAF_SHIFT);
	return (size_t)opened * each;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t alloc_nodes(const struct zl_sim *s, uint64_t blocks, unsigned order)
{
	size_t fresh = smaller(opening(s, blocks, order), whole_zone(s));

	return HIT_NODES + fresh + s->pool.nr_unowned;
}

static bool refills_by_policy(const struct zl_sim *s)
{
	return zl_policy_at(s, ZL_POINT_NR_PCP_ALLOC) || zl_policy_at(s, ZL_POINT_ROOM) ||
	       zl_policy_at(s, ZL_POINT_ALLOC_FACTOR_MAX) ||
	       zl_policy_at(s, ZL_POINT_ALLOC_FACTOR_ON_FREE);
}

/* The largest refill that the tuning rules can ask for. */
static uint64_t refill_most(const struct zl_sim *s, unsigned order)
{
	uint64_t most = (uint64_t)s->pcp[s->cpu].batch << s->cfg.scale_max >> order;
	uint64_t by_policy = POLICY_REFILL_PAGES >> order;

	if (refills_by_policy(s) && by_policy > most) {
		most = by_policy;
	}
	return most > 2 ? most : 2;
}

static size_t need_alloc(const struct zl_sim *s, const struct zl_op *op)
{
	unsigned mt = s->grouping_off ? ZL_MIGRATE_UNMOVABLE : op->mt;
	int list = zl_pcp_index(s, op->order, mt);

	if (list < 0) {
		return alloc_nodes(s, 1, op->order);
	}
	if (s->pcp[s->cpu].list[list].blocks > 0 && op->kind == ZL_OP_ALLOC) {
		return HIT_NODES;
	}
	return alloc_nodes(s, refill_most(s, op->order) + 1, op->order);
}

/* Merging may retag; blocks above pageblock_order go back in pieces. */
static size_t drain_nodes(const struct zl_sim *s)
{
	uint64_t blocks = (uint64_t)s->nr_pages >> s->page_block_order;

	return HIT_NODES + s->pool.nr_unowned + span(blocks, ZL_BYTE_LEAF_SHIFT);
}

static size_t need_release(const struct zl_sim *s)
{
	return drain_nodes(s) + span(s->cfg.cma_pages, ZL_PAGE_LEAF_SHIFT);
}

static size_t need_free(const struct zl_sim *s, const struct zl_op *op)
{
	uint32_t slot = zl_id_get(s, op->id);
	const struct zl_pcp *pcp = &s->pcp[s->cpu];
	unsigned order;

	if (slot == ZL_ID_FREE || slot == ZL_ID_FAILED) {
		return HIT_NODES;
	}
	order = zl_page_r(s, slot - 1)->order;
	if ((zl_page_r(s, slot - 1)->list & ZL_USED_CONTIG) != 0) {
		return need_release(s);
	}
	if (zl_pcp_index(s, order, ZL_MIGRATE_MOVABLE) < 0) {
		return drain_nodes(s) + span(zl_pages_of(order), ZL_PAGE_LEAF_SHIFT);
	}
	/* Far from every limit and nothing counted: it cannot drain. */
	if (pcp->count + (int32_t)zl_pages_of(order) < pcp->batch && order == 0) {
		return HIT_NODES;
	}
	return drain_nodes(s);
}

/* All that an isolated range, the drained pagesets and the pages moved out of it can touch. */
static size_t need_contig(const struct zl_sim *s, const struct zl_op *op)
{
	uint64_t block = zl_pages_of(s->max_order);
	uint64_t pages = (op->arg + 3 * block - 1) / block * block;
	uint64_t moved = pages;

	for (unsigned o = 0; o <= s->max_order; o++) {
		moved += zl_pcp_index(s, o, ZL_MIGRATE_MOVABLE) >= 0 ? (refill_most(s, o) + 1) << o
								     : 0;
	}
	/* Every free block of the range may cross its edge; ids of moved pages are anywhere. */
	return drain_nodes(s) + alloc_nodes(s, moved, 0) +
	       span(s->cfg.cma_pages + 2 * block, ZL_PAGE_LEAF_SHIFT) +
	       2 * smaller(op->arg, s->pool.nr_unowned) + HIT_NODES;
}

static int reserve_ids(struct zl_sim *s, uint64_t end)
{
	int err = zl_store_grow(&s->ids, &s->mem, end, ZL_WORD_LEAF_SHIFT);
	uint64_t room = (uint64_t)s->ids.nr_root << (ZL_WORD_LEAF_SHIFT + ZL_DIR_SHIFT);

	s->ids_end = (uint32_t)(room <= ZL_OP_ID_MAX ? room : ZL_OP_ID_MAX + 1);
	return err;
}

void zl_reserve_init(struct zl_sim *s)
{
	size_t most = drain_nodes(s) - s->pool.nr_unowned +
		      span(zl_pages_of(s->max_order), ZL_PAGE_LEAF_SHIFT);

	for (unsigned order = 0; order <= s->max_order; order++) {
		size_t nodes =
			alloc_nodes(s, refill_most(s, order) + 1, order) - s->pool.nr_unowned;

		most = nodes > most ? nodes : most;
	}
	s->pool.nr_need = most + s->pool.nr_unowned;
}

int zl_op_reserve_slow(struct zl_sim *s, const struct zl_op *op)
{
	size_t need = 0;
	int err = 0;

	switch ((unsigned)op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		err = reserve_ids(s, (uint64_t)op->id + 1);
		need = need_alloc(s, op);
		break;
	case ZL_OP_BULK:
		err = reserve_ids(s, (uint64_t)op->id + op->arg);
		need = alloc_nodes(s, op->arg + refill_most(s, 0), 0) +
		       span(op->arg, ZL_WORD_LEAF_SHIFT);
		break;
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
		need = need_free(s, op);
		break;
	case ZL_OP_TICK:
	case ZL_OP_DRAIN:
	case ZL_OP_DRAINALL:
	case ZL_OP_DRAINZONE:
	case ZL_OP_OFFLINE:
		need = drain_nodes(s);
		break;
	case ZL_OP_SET:
		err = zl_set_reserve(s, op);
		need = drain_nodes(s);
		break;
	case ZL_OP_CMA_ALLOC:
		err = reserve_ids(s, (uint64_t)op->id + 1);
		need = need_contig(s, op);
		break;
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		need = HIT_NODES;
		break;
	case ZL_OP_UNRESERVE:
		need = drain_nodes(s) + span(zl_pages_of(s->max_order), ZL_PAGE_LEAF_SHIFT);
		break;
	default: /* nothing is written */
		break;
	}
	/* While little is shared, enough for whatever comes next. */
	if (s->pool.nr_unowned <= SHARED_FEW && need < s->pool.nr_need) {
		need = s->pool.nr_need;
	}
	return err != 0 ? err : zl_pool_fill(&s->pool, need);
}
