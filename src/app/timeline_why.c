/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which op last changed a figure: the stretches between keyframes are replayed backwards, one
 * after another, until one has a change in it.
 */
#include "timeline_private.h"

/* One stretch of the run and what a figure did in it. */
struct stretch {
	int64_t first, last; /* the figure at both ends */
	uint64_t change;     /* the last op that changed it, 0 = none */
};

static int look(struct timeline *t, const struct timeline_keyframe *k, uint64_t end,
	const struct timeline_probe *probe, struct stretch *ret)
{
	struct zl_sim *sim = NULL;
	struct zl_op op;
	int rc = zl_sim_clone(k->sim, &sim);

	if (rc < 0) {
		return rc;
	}
	*ret = (struct stretch){.first = probe->get(sim, probe->user)};
	ret->last = ret->first;
	for (uint64_t i = k->op; i < end && rc == 0; i++) {
		oplog_read(&t->log, i, 1, &op);
		rc = zl_sim_apply(sim, &op);
		int64_t now = probe->get(sim, probe->user);
		ret->change = now != ret->last ? i + 1 : ret->change;
		ret->last = now;
	}
	zl_sim_free(sim);
	return rc;
}

uint64_t timeline_last_change(struct timeline *t, const struct timeline_probe *probe)
{
	uint64_t end = t->at;
	size_t k = timeline_key_before(t, end);
	struct stretch here, before;

	if (look(t, &t->key[k], end, probe, &here) < 0) {
		return TIMELINE_NO_OP;
	}
	while (here.change == 0 && k > 0) {
		end = t->key[k].op;
		k--;
		if (look(t, &t->key[k], end, probe, &before) < 0) {
			return TIMELINE_NO_OP;
		}
		if (before.last != here.first) {
			return end; /* a setting changed here */
		}
		here = before;
	}
	return here.change;
}
