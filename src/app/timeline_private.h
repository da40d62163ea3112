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

void marks_done(struct mark_list *m, const struct zl_allocator *mem);
/** Makes room for one more glance, at ops from @op on. Returns 0 or -ENOMEM. */
int marks_reserve(struct mark_list *m, const struct zl_allocator *mem, uint64_t op);
/**
 * Notes what ops from @op on did, as a glance has it, in room that was made; they come in order,
 * and those of one glance lie in one word of the list.
 */
void marks_note(struct mark_list *m, uint64_t op, const struct zl_glance *g);
/** Copies what ops up to @op did. Returns 0 or -ENOMEM. */
int marks_copy(struct mark_list *to, const struct mark_list *from, uint64_t op,
	const struct zl_allocator *mem);
/** What an op did; 0 also for an op that was not noted. */
uint8_t marks_at(const struct mark_list *m, uint64_t op);
/** The nearest noted op from @from on (backwards: @direction < 0) with a bit of @mask. */
uint64_t marks_find(const struct mark_list *m, uint64_t from, int direction, uint8_t mask);
/** Makes room for @need elements of @size bytes. Returns 0 or -ENOMEM. */
int timeline_grow(
	void **list, size_t *max, size_t need, size_t size, const struct zl_allocator *mem);

/** The last keyframe at or before @op. */
size_t timeline_key_before(const struct timeline *t, uint64_t op);
/** A private copy of the state after @op; the caller frees it. Returns 0 or -ENOMEM. */
int timeline_state(struct timeline *t, uint64_t op, struct zl_sim **ret);

/** Performs the ops (@at, @to] of the log and moves @at. Returns 0 or what zl_sim_run() says. */
int timeline_replay(const struct timeline *t, struct zl_sim *sim, uint64_t *at, uint64_t to);
/** Keeps a copy of a state as the newest keyframe. Returns 0 or -ENOMEM. */
int timeline_add_key(struct timeline *t, struct zl_sim *from, uint64_t op, bool pinned);
/** Ops that may run before the run has to be told with timeline_note(): up to ZL_GLANCE_OPS. */
size_t timeline_room(const struct timeline *t);
/** Makes room for what it will be told. Returns 0 or -ENOMEM. */
int timeline_reserve(struct timeline *t);
/**
 * Tells a run about ops, the next in its log, that `ahead` has just performed with this glance.
 * Returns 0 or -ENOMEM.
 */
int timeline_note(struct timeline *t, const struct zl_op *ops, const struct zl_glance *g);
/** Brings op number @op into the log. Returns 1, 0 when there is none, or -ENOMEM. */
int timeline_pull(struct timeline *t, uint64_t op);
/** An empty run without a feed; NULL without memory. */
struct timeline *timeline_alloc(const struct zl_sim_config *config, struct meter *meter);
/** Its state at op 0. Returns 0, -EINVAL with a sentence about the zone, or -ENOMEM. */
int timeline_start(struct timeline *t, struct zl_error *err);

#endif
