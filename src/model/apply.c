/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One op: the short way if it is a hit, otherwise checked, reserved for and performed. */
#include <errno.h>

#include "hit.h"

static int apply_alloc(struct zl_sim *s, const struct zl_op *op)
{
	uint32_t *slot;
	int err;

	if (op->order > s->max_order || op->mt >= ZL_MIGRATE_PCPTYPES || op->id > ZL_OP_ID_MAX) {
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

static int apply_other(struct zl_sim *s, const struct zl_op *op)
{
	int err = zl_sim_op_check(s, op, NULL);

	if (err == 0) {
		err = zl_op_reserve(s, op);
	}
	return err != 0 ? err : zl_sim_perform(s, op, NULL);
}

int zl_sim_apply(struct zl_sim *sim, const struct zl_op *op)
{
	bool ready = sim->pool.nr_spare >= sim->pool.nr_need && op->id < sim->ids_end &&
		     sim->observers == NULL;

	if (op->kind == ZL_OP_FREE) {
		return ready && zl_hit_free(sim, op) ? 0 : apply_free(sim, op);
	}
	if (op->kind == ZL_OP_ALLOC) {
		return ready && zl_hit_alloc(sim, op) ? 0 : apply_alloc(sim, op);
	}
	if (op->kind == ZL_OP_ALLOCHA) {
		return apply_alloc(sim, op);
	}
	return apply_other(sim, op);
}
