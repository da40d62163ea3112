/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the time machine share. */
#ifndef APP_TIMELINE_PRIVATE_H
#define APP_TIMELINE_PRIVATE_H

#include "timeline.h"

void curve_init(struct timeline_curve *c);
void curve_done(struct timeline_curve *c, const struct zl_allocator *mem);
/** Notes the figures of @cpu after op @op; ops come in order. Returns 0 or -ENOMEM. */
int curve_note(struct timeline_curve *c, const struct zl_allocator *mem, uint64_t op,
	const struct timeline_entry *e);
/** Copies what lies before op @op. */
int curve_copy(struct timeline_curve *to, const struct timeline_curve *from, uint64_t op,
	const struct zl_allocator *mem);

/** The last keyframe at or before @op. */
size_t timeline_key_before(const struct timeline *t, uint64_t op);
/** A private copy of the state after @op; the caller frees it. Returns 0 or -ENOMEM. */
int timeline_state(struct timeline *t, uint64_t op, struct zl_sim **ret);

/** Memory of the run's meter. */
void *timeline_take(struct timeline *t, void *old, size_t size);
/** Keeps a copy of a state as the newest keyframe. Returns 0 or -ENOMEM. */
int timeline_add_key(struct timeline *t, struct zl_sim *from, uint64_t op, bool pinned);
/** Brings op number @op into the log. Returns 1, 0 when there is none, or -ENOMEM. */
int timeline_pull(struct timeline *t, uint64_t op);
/** An empty run without a feed; NULL without memory. */
struct timeline *timeline_alloc(const struct zl_sim_config *config, struct meter *meter);
/** Its state at op 0. Returns 0, -EINVAL with a sentence about the zone, or -ENOMEM. */
int timeline_start(struct timeline *t, struct zl_error *err);

#endif
