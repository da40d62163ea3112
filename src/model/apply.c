/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One op: the short way if it is a hit, otherwise checked, reserved for and performed. */
#include <errno.h>

#include "hit.h"

static int apply_alloc(struct zl_sim *s, const struct zl_op *op)
{
	uint32_t *slot;
	int err;

	if (op->order > s->max_order || op->mt >= ZL_MIGRATE_PCPTYPES || op->id > ZL_OP_ID_MAX ||
		op->arg > ZL_ZONE_TYPE_COUNT) {
		return -EINVAL;
	}
	err = zl_op_reserve(s, op);
	if (err != 0) {
		return err;
	}
	slot = zl_id_slot(s, op->id);
	return *slot != ZL_ID_FREE ? -EINVAL : zl_sim_perform(s, op, slot);
}

static int apply_free(struct zl_sim *s, const struct zl_op *op)
{
	uint32_t none = ZL_ID_FREE;
	int err;

	if (op->id > ZL_OP_ID_MAX) {
		return -EINVAL;
	}
	err = zl_op_reserve(s, op);
	if (err != 0) {
		return err;
	}
	return zl_sim_perform(s, op, op->id < s->ids_end ? zl_id_slot(s, op->id) : &none);
}

/* Ops on one id that are checked as a whole. */
static int apply_id(struct zl_sim *s, const struct zl_op *op)
{
	uint32_t none = ZL_ID_FREE;
	int err = zl_sim_op_check(s, op, NULL);

	if (err == 0) {
		err = zl_op_reserve(s, op);
	}
	if (err != 0) {
		return err;
	}
	return zl_sim_perform(s, op, op->id < s->ids_end ? zl_id_slot(s, op->id) : &none);
}

static int apply_other(struct zl_sim *s, const struct zl_op *op)
{
	int err = zl_sim_op_check(s, op, NULL);

	if (err == 0) {
		err = zl_op_reserve(s, op);
	}
	return err != 0 ? err : zl_sim_perform(s, op, NULL);
}

/* Whatever is no hit. */
static int apply_long(struct zl_sim *s, const struct zl_op *op)
{
	switch (op->kind) {
	case ZL_OP_FREE:
		return apply_free(s, op);
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
		return apply_alloc(s, op);
	case ZL_OP_CMA_ALLOC:
	case ZL_OP_CMA_RELEASE:
	case ZL_OP_PIN:
	case ZL_OP_UNPIN:
		return apply_id(s, op);
	default: /* a byte of any value; the rest is checked as a whole */
		return apply_other(s, op);
	}
}

/* Ops that somebody looks at, and those under policies. */
static zl_always_inline int apply_watched(struct zl_sim *s, const struct zl_op *op)
{
	const struct zl_policy_run *policy = s->policy;
	bool hit = false;

	if (policy != NULL && zl_rare(policy->fault.set)) {
		return -EDOM;
	}
	if (!s->recorded && op->id < s->ids_end) {
		if (op->kind == ZL_OP_FREE) {
			hit = zl_hit_free(s, op, true);
		} else if (op->kind == ZL_OP_ALLOC) {
			hit = zl_hit_alloc(s, op, true);
		}
	}
	if (!hit) {
		return apply_long(s, op);
	}
	return policy != NULL && zl_rare(policy->fault.set) ? -EDOM : 0;
}

static inline int apply(struct zl_sim *s, const struct zl_op *op)
{
	if (op->id < s->ids_end) {
		if (op->kind == ZL_OP_FREE && zl_hit_free(s, op, false)) {
			return 0;
		}
		if (op->kind == ZL_OP_ALLOC && zl_hit_alloc(s, op, false)) {
			return 0;
		}
	}
	return apply_long(s, op);
}

int zl_sim_apply(struct zl_sim *sim, const struct zl_op *op)
{
	return sim->watched ? apply_watched(sim, op) : apply(sim, op);
}

static int run_watched(struct zl_sim *sim, const struct zl_op *ops, size_t n, size_t *done)
{
	int err = 0;

	for (*done = 0; *done < n; ++*done) {
		err = apply_watched(sim, &ops[*done]);
		if (err != 0) {
			break;
		}
	}
	return err;
}

static int run_plain(struct zl_sim *sim, const struct zl_op *ops, size_t n, size_t *done)
{
	int err = 0;
	size_t i = 0;

	while (i < n) {
		err = apply(sim, &ops[i]);
		if (err != 0) {
			break;
		}
		i++;
	}
	*done = i;
	return err;
}

int zl_sim_run(struct zl_sim *sim, const struct zl_op *ops, size_t n, size_t *ret_done)
{
	size_t done;
	/* Observers and policies do not come and go inside an op. */
	int err = sim->watched ? run_watched(sim, ops, n, &done) : run_plain(sim, ops, n, &done);

	if (ret_done != NULL) {
		*ret_done = done;
	}
	return err;
}

/* Hits do none of what has a mark. */
static uint8_t did(const struct zl_sim *s)
{
	const struct zl_op_work *w = &s->work;
	unsigned d = 0;

	d |= w->refills > 0 ? ZL_DID_REFILL : 0u;
	d |= w->fallbacks > 0 ? ZL_DID_FALLBACK : 0u;
	d |= w->result == ZL_RESULT_FAIL || w->result >= ZL_RESULT_EBUSY ? ZL_DID_FAIL : 0u;
	if (w->free_high) {
		/* One: what was on the pageset was nothing but the freed block. */
		bool one = s->this_pcp->count == 0 && w->drained == (uint32_t)w->to_free &&
			   w->drained <= zl_pages_of(ZL_COSTLY_ORDER);
		d |= one ? ZL_DID_FLUSH | ZL_DID_FLUSH_ONE : ZL_DID_FLUSH;
	} else if (s->op.kind == ZL_OP_TICK) {
		d |= w->drained > 0 || w->value > 0 ? ZL_DID_DECAY : 0u;
	} else if (w->drained > 0) {
		d |= ZL_DID_DRAIN;
	}
	return (uint8_t)d;
}

static void mark(const struct zl_sim *s, size_t i, struct zl_glance *g)
{
	uint8_t d = s->work_of_hit ? 0 : did(s);

	if (d != 0) {
		g->marked |= UINT64_C(1) << i;
		g->did[g->nr_did++] = d;
	}
}

/* Largest figures of a pageset over some ops, in registers. */
struct tally {
	int32_t count, free_count;
};

static zl_always_inline void look(const struct zl_pcp *pcp, struct tally *t)
{
	t->count = pcp->count > t->count ? pcp->count : t->count;
	t->free_count = pcp->free_count > t->free_count ? pcp->free_count : t->free_count;
}

/* An op that is a hit without policies; false = nothing was done. Only frees raise figures. */
static zl_always_inline bool tally_hit(struct zl_sim *s, const struct zl_op *op, struct tally *t)
{
	if (op->id >= s->ids_end) {
		return false;
	}
	if (op->kind == ZL_OP_FREE && zl_hit_free(s, op, false)) {
		look(s->this_pcp, t);
		return true;
	}
	return op->kind == ZL_OP_ALLOC && zl_hit_alloc(s, op, false);
}

/* An op of any kind on the CPU that runs. Returns as zl_sim_apply(). */
static int tally_other(
	struct zl_sim *s, const struct zl_op *ops, size_t i, struct zl_glance *g, struct tally *t)
{
	int err = s->watched ? apply_watched(s, &ops[i]) : apply_long(s, &ops[i]);

	if (err == 0) {
		look(s->this_pcp, t);
		mark(s, i, g);
	}
	return err;
}

/* The ops behind the first, which has been looked at. */
static int glance_rest(struct zl_sim *s, const struct zl_op *ops, size_t n, struct zl_glance *g)
{
	struct tally t = {g->count_max, g->free_max};
	bool go_on = true;
	int err = 0;
	size_t i = 1;

	while (i < n && go_on) {
		while (!s->watched && i < n && tally_hit(s, &ops[i], &t)) {
			i++;
		}
		if (i == n || ops[i].kind == ZL_OP_CPU) {
			break;
		}
		err = tally_other(s, ops, i, g, &t);
		go_on = err == 0 && !zl_op_of_all(ops[i].kind);
		i += err == 0 ? 1 : 0;
	}
	g->done = i;
	g->count = s->this_pcp->count;
	g->count_max = t.count;
	g->free_max = t.free_count;
	return err;
}

void zl_glance_start(struct zl_glance *g, const struct zl_sim *s)
{
	g->done = 0;
	g->marked = 0;
	g->nr_did = 0;
	g->cpu = s->cpu;
	g->count = g->count_max = INT32_MIN;
	g->free_max = INT32_MIN;
}

int zl_glance_op(struct zl_sim *s, const struct zl_op *op, struct zl_glance *g)
{
	struct tally t = {g->count_max, g->free_max};
	int err = zl_sim_apply(s, op);

	if (err == 0) {
		look(s->this_pcp, &t);
		mark(s, g->done++, g);
		g->cpu = s->cpu;
		g->count = s->this_pcp->count;
		g->count_max = t.count;
		g->free_max = t.free_count;
	}
	return err;
}

int zl_sim_run_glance(struct zl_sim *sim, const struct zl_op *ops, size_t n, struct zl_glance *ret)
{
	int err = 0;

	zl_glance_start(ret, sim);
	if (n > 0) {
		err = zl_glance_op(sim, ops, ret);
	}
	n = n < ZL_GLANCE_OPS ? n : ZL_GLANCE_OPS;
	if (ret->done == 0 || zl_op_of_all(ops[0].kind)) {
		return err;
	}
	return glance_rest(sim, ops, n, ret);
}
