/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads in time: what is due before the program goes on (ticks, blocks whose hold is over), and
 * the order of those that are ready.
 */
#include <string.h>

#include "scenario_private.h"

/* Place of "the tick" among the stores that may be due. */
#define DUE_TICK ZL_NONE

/* The earliest thing that is due, NEVER if nothing is. */
static uint64_t earliest(const struct zl_expand *e, const struct thread *t, uint32_t *ret_what)
{
	const struct blocks *store =
		e->holds && t->named_cpu < e->nr_pools ? e->pools[t->named_cpu].store : NULL;
	uint64_t due = t->ticks_at;

	*ret_what = DUE_TICK;
	for (uint32_t i = 0; store != NULL && i < e->s->nr_stores; i++) {
		const struct blocks *b = &store[i];
		uint64_t at;

		if (b->nr_held == 0) {
			continue;
		}
		at = b->held[0].due;
		if (e->s->store[i].hold == ZL_NONE) {
			at = at <= b->puts ? t->clock : NEVER;
		}
		if (at < due) {
			due = at;
			*ret_what = i;
		}
	}
	return due;
}

uint64_t zl_thread_key(struct zl_expand *e, const struct thread *t)
{
	uint32_t what;
	uint64_t due = earliest(e, t, &what);

	return due < t->until && !t->again ? due : t->until;
}

static int go_due(struct zl_expand *e, struct thread *t, uint32_t what, struct zl_scenario_op *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->t_ns = t->clock;
	if (what == DUE_TICK) {
		t->ticks_at += e->tick_ns;
		ret->op.kind = ZL_OP_TICK;
		return 0;
	}
	ret->op.kind = ZL_OP_FREE;
	ret->op.id = zl_blocks_release(&e->pools[t->named_cpu].store[what]);
	return zl_expand_id_freed(e, ret->op.id);
}

int zl_thread_go(
	struct zl_expand *e, uint32_t thread, struct zl_scenario_op *ret, enum thread_did *ret_did)
{
	struct thread *t = &e->thread[thread];
	uint32_t what;
	uint64_t due;

	if (t->again) {
		t->clock = t->until;
		memset(ret, 0, sizeof(*ret));
		ret->t_ns = t->clock;
		*ret_did = THREAD_TIMER;
		return 0;
	}
	due = earliest(e, t, &what);
	if (due <= t->until) {
		t->clock = due > t->clock ? due : t->clock;
		t->in_timer = true;
		e->place = e->s->phase[e->phase].place;
		t->timer_until = t->until;
		*ret_did = THREAD_TIMER;
		return go_due(e, t, what, ret);
	}
	t->clock = t->until;
	t->in_timer = false;
	if (t->send != ZL_NONE) {
		int rc = zl_link_send(e, t);

		if (rc != 0) {
			return rc;
		}
	}
	return zl_step_go(e, thread, ret, ret_did);
}

static bool before(const struct thread *a, const struct thread *b)
{
	return a->key != b->key ? a->key < b->key : a->serial < b->serial;
}

void zl_ready_push(struct zl_expand *e, uint32_t thread)
{
	struct thread *t = &e->thread[thread];
	uint32_t at = e->nr_heap++;

	t->key = zl_thread_key(e, t);
	t->serial = e->serial++;
	for (; at > 0 && before(t, &e->thread[e->heap[(at - 1) / 2]]); at = (at - 1) / 2) {
		e->heap[at] = e->heap[(at - 1) / 2];
	}
	e->heap[at] = thread;
}

uint32_t zl_ready_pop(struct zl_expand *e)
{
	uint32_t first = e->heap[0];
	uint32_t last = e->heap[--e->nr_heap];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= e->nr_heap) {
			break;
		}
		if (child + 1 < e->nr_heap &&
			before(&e->thread[e->heap[child + 1]], &e->thread[e->heap[child]])) {
			child++;
		}
		if (!before(&e->thread[e->heap[child]], &e->thread[last])) {
			break;
		}
		e->heap[at] = e->heap[child];
		at = child;
	}
	e->heap[at] = last;
	return first;
}

void zl_expand_wait(struct zl_expand *e, struct waiters *w, uint32_t thread)
{
	e->thread[thread].next_waiter = ZL_NONE;
	e->thread[thread].waiting = true;
	if (w->first == ZL_NONE) {
		w->first = thread;
	} else {
		e->thread[w->last].next_waiter = thread;
	}
	w->last = thread;
}

void zl_expand_wake(struct zl_expand *e, struct waiters *w, uint64_t now)
{
	uint32_t thread = w->first;

	if (thread == ZL_NONE) {
		return;
	}
	struct thread *t = &e->thread[thread];
	w->first = t->next_waiter;
	t->waiting = false;
	t->clock = t->clock > now ? t->clock : now;
	t->until = t->clock;
	e->woken = thread;
	zl_ready_push(e, thread);
}
