/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a program. A step that makes ops is a leaf: it stays in progress, one op at a
 * time, until its count is used up, and it may wait for a queue in the middle.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "scenario_private.h"
#include "zonelab/text.h"

#define COUNT_MAX INT64_C(1000000000)
/* 146 years: sums of it never overflow. */
#define TIME_MAX (INT64_MAX / 2)

struct run {
	struct zl_expand *e;
	struct thread *t;
	uint32_t thread;
	const struct zl_step *step;
	struct zl_scenario_op *ret;
	enum thread_did *did;
};

static int value(struct run *r, uint32_t v, int64_t lo, int64_t hi, int64_t *ret)
{
	const struct zl_value *from = &r->e->s->value[v];
	int rc = zl_expand_value(r->e, &r->t->rng, r->t->slot, v, ret);

	if (rc == 0 && (*ret < lo || *ret > hi)) {
		rc = zl_expand_fail(r->e, -ERANGE, from->place,
			"%s: %D is impossible here; %D to %D is possible",
			zl_step_kind_name((enum zl_step_kind)r->step->kind), *ret, lo, hi);
	}
	return rc;
}

static struct blocks *blocks_of(const struct run *r, uint16_t store)
{
	if (r->e->s->store[store].queue) {
		return &r->e->queue[store].blocks;
	}
	struct blocks *pools = zl_expand_pools(r->e, r->t->named_cpu);

	return pools != NULL ? &pools[store] : NULL;
}

static bool is_queue(const struct run *r, uint16_t store)
{
	return r->e->s->store[store].queue;
}

/* Whether @n blocks fit; if not the thread waits. */
static int has_room(struct run *r, uint16_t store, uint32_t n, bool *ret)
{
	const struct zl_scenario_store *st = &r->e->s->store[store];
	struct queue *q = &r->e->queue[store];

	*ret = true;
	if (!st->queue) {
		return 0;
	}
	if (n > st->capacity) {
		return zl_expand_fail(r->e, -EINVAL, r->step->place,
			"%u pages at once never fit queue '%s'; its capacity is %u", n, st->name,
			st->capacity);
	}
	*ret = q->blocks.count + n <= st->capacity;
	if (!*ret) {
		zl_expand_wait(r->e, &q->putters, r->thread);
		*r->did = THREAD_WAIT;
	}
	return 0;
}

/* Puts a block into a store that has room for it. */
static int put(struct run *r, uint16_t store, uint32_t id)
{
	const struct zl_scenario_store *st = &r->e->s->store[store];
	struct blocks *b = blocks_of(r, store);
	int64_t hold = 0;
	int rc = b == NULL ? -ENOMEM : 0;

	if (rc == 0 && st->hold != ZL_NONE) {
		rc = value(r, st->hold, 0, TIME_MAX, &hold);
		rc = rc != 0 ? rc : zl_blocks_hold(b, r->t->clock + (uint64_t)hold, id, r->e->mem);
	} else if (rc == 0 && st->hold_allocs != ZL_NONE) {
		rc = value(r, st->hold_allocs, 0, COUNT_MAX, &hold);
		rc = rc != 0 ? rc : zl_blocks_hold(b, b->puts + 1 + (uint64_t)hold, id, r->e->mem);
	} else if (rc == 0) {
		rc = zl_blocks_put(b, id, r->e->mem);
	}
	if (rc == 0 && r->e->timed && st->link != ZL_NONE) {
		r->t->send = r->t->send_n == 0 ? id : r->t->send;
		r->t->send_n++;
		r->t->send_by = store;
	}
	if (rc == 0 && st->queue) {
		zl_expand_wake(r->e, &r->e->queue[store].takers, r->t->clock);
	}
	return rc;
}

/* Takes a block; false when there is none: the thread waits, or the step is over. */
static bool take(struct run *r, uint16_t store, uint32_t *ret)
{
	struct blocks *b = blocks_of(r, store);
	struct queue *q = &r->e->queue[store];
	uint32_t index = 0;

	if (zl_blocks_count(b) == 0) {
		if (is_queue(r, store) && !r->step->all) {
			zl_expand_wait(r->e, &q->takers, r->thread);
			*r->did = THREAD_WAIT;
		} else {
			r->t->left = 0;
			*r->did = THREAD_TURN;
		}
		return false;
	}
	if (b->nr_held > 0) {
		*ret = zl_blocks_release(b);
		return true;
	}
	if (r->step->pick == ZL_PICK_NEWEST) {
		index = b->count - 1;
	} else if (r->step->pick == ZL_PICK_RANDOM) {
		index = (uint32_t)zl_rng_below(&r->t->rng, b->count);
	}
	if (r->e->timed && r->e->s->store[store].link != ZL_NONE) {
		uint64_t ready = zl_link_ready(r->e, zl_blocks_peek(b, index));

		if (ready > r->t->clock) {
			r->t->until = ready;
			*r->did = THREAD_LATER;
			return false;
		}
	}
	*ret = zl_blocks_take(b, index);
	if (is_queue(r, store)) {
		zl_expand_wake(r->e, &q->putters, r->t->clock);
	}
	return true;
}

/* Ids for @n new blocks, the first in @ret. */
static int new_ids(struct run *r, uint32_t n, uint32_t *ret)
{
	struct zl_expand *e = r->e;

	if (n == 1 && e->fresh >= ZL_SCENARIO_FRESH_IDS && e->free_ids.count > 0) {
		*ret = zl_blocks_take(&e->free_ids, 0);
		return 0;
	}
	if (n > ZL_OP_ID_MAX - e->next_id) {
		return zl_expand_fail(e, -E2BIG, r->step->place,
			"the scenario has more than %u blocks in use", ZL_OP_ID_MAX);
	}
	*ret = e->next_id;
	e->next_id += n;
	e->fresh = e->fresh + n > e->fresh ? e->fresh + n : UINT32_MAX;
	return 0;
}

static int go_alloc(struct run *r)
{
	struct zl_op *op = &r->ret->op;
	bool bulk = r->step->kind == ZL_STEP_BULK;
	int64_t size = 0;
	bool room = true;
	int rc;

	/* A bulk that waits keeps the size that it asked for. */
	if (r->t->asked < 0) {
		rc = value(r, r->step->value, bulk ? 1 : 0,
			bulk ? ZL_OP_BULK_MAX : ZL_MAX_ORDER_LIMIT, &size);
		if (rc != 0) {
			return rc;
		}
		r->t->asked = size;
	}
	size = r->t->asked;
	uint32_t n = bulk ? (uint32_t)size : 1;
	rc = has_room(r, r->step->into, n, &room);
	if (rc != 0 || !room) {
		return rc;
	}
	r->t->asked = -1;
	op->kind = bulk ? ZL_OP_BULK : r->step->highatomic ? ZL_OP_ALLOCHA : ZL_OP_ALLOC;
	op->order = bulk ? 0 : (uint8_t)size;
	op->arg = bulk ? n : 0;
	op->mt = r->step->mt;
	rc = new_ids(r, n, &op->id);
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		rc = put(r, r->step->into, op->id + i);
	}
	*r->did = THREAD_OP;
	return rc;
}

static int go_free(struct run *r)
{
	if (!take(r, r->step->from, &r->ret->op.id)) {
		return 0;
	}
	r->ret->op.kind = ZL_OP_FREE;
	*r->did = THREAD_OP;
	return zl_expand_id_freed(r->e, r->ret->op.id);
}

static int go_move(struct run *r)
{
	uint32_t id = 0;
	bool room = true;
	int rc = has_room(r, r->step->into, 1, &room);

	if (rc != 0 || !room || !take(r, r->step->from, &id)) {
		return rc;
	}
	*r->did = THREAD_STEP;
	return put(r, r->step->into, id);
}

static int go_set(struct run *r)
{
	int64_t v = 0;
	int rc = value(r, r->step->value, 0, INT32_MAX, &v);

	r->ret->op.kind = ZL_OP_SET;
	r->ret->op.key = r->step->key;
	r->ret->op.arg = (uint32_t)v;
	*r->did = THREAD_OP;
	return rc;
}

static int go_cma_alloc(struct run *r)
{
	struct zl_op *op = &r->ret->op;
	int64_t pages = 0, align = 0;
	bool room = true;
	int rc = has_room(r, r->step->into, 1, &room);

	if (rc != 0 || !room) {
		return rc;
	}
	rc = value(r, r->step->value, 1, INT32_MAX, &pages);
	if (rc == 0 && r->step->align != ZL_NONE) {
		rc = value(r, r->step->align, 0, ZL_MAX_ORDER_LIMIT, &align);
	}
	op->kind = ZL_OP_CMA_ALLOC;
	op->arg = (uint32_t)pages;
	op->order = (uint8_t)align;
	rc = rc != 0 ? rc : new_ids(r, 1, &op->id);
	rc = rc != 0 ? rc : put(r, r->step->into, op->id);
	*r->did = THREAD_OP;
	return rc;
}

/* The block stays where it is; the step goes on to the next one. */
static int go_pin(struct run *r)
{
	const struct blocks *b = blocks_of(r, r->step->from);
	uint32_t n = b == NULL ? 0 : zl_blocks_count(b);
	uint32_t index = r->t->done;

	if (index >= n) {
		r->t->left = 0;
		*r->did = THREAD_TURN;
		return b == NULL ? -ENOMEM : 0;
	}
	if (r->step->pick == ZL_PICK_NEWEST) {
		index = n - 1 - index;
	} else if (r->step->pick == ZL_PICK_RANDOM) {
		index = (uint32_t)zl_rng_below(&r->t->rng, n);
	}
	r->ret->op.kind = r->step->kind == ZL_STEP_PIN ? ZL_OP_PIN : ZL_OP_UNPIN;
	r->ret->op.id = b->nr_held > 0 ? b->held[index].id : zl_blocks_peek(b, index);
	*r->did = THREAD_OP;
	return 0;
}

/* CPUs that go and come, reclaim, where requests look. */
static int go_machine(struct run *r)
{
	static const uint8_t kinds[] = {[ZL_STEP_OFFLINE] = ZL_OP_OFFLINE,
		[ZL_STEP_ONLINE] = ZL_OP_ONLINE,
		[ZL_STEP_RECLAIM] = ZL_OP_RECLAIM,
		[ZL_STEP_NODE] = ZL_OP_NODE,
		[ZL_STEP_ZONE] = ZL_OP_ZONE};
	struct zl_op *op = &r->ret->op;
	bool cpu = r->step->kind == ZL_STEP_OFFLINE || r->step->kind == ZL_STEP_ONLINE;
	int64_t v = 0;
	int rc = 0;

	op->kind = kinds[r->step->kind];
	op->key = r->step->kind == ZL_STEP_ZONE ? r->step->key : 0;
	if (r->step->kind == ZL_STEP_NODE && r->step->key != 0) {
		op->arg = ZL_OP_LOCAL;
	} else if (r->step->kind != ZL_STEP_ZONE) {
		rc = value(r, r->step->value, 0, INT32_MAX, &v);
		op->arg = cpu ? zl_expand_cpu(r->e, (uint32_t)v) : (uint32_t)v;
	}
	*r->did = THREAD_OP;
	return rc;
}

static int use_explicit(struct run *r, struct zl_place place, uint32_t id, bool use)
{
	uint8_t *byte = &r->e->explicit_used[id / CHAR_BIT];
	uint8_t bit = (uint8_t)(1U << (id % CHAR_BIT));

	if (use == ((*byte & bit) != 0)) {
		return zl_expand_fail(r->e, -EINVAL, place,
			use ? "id %u of the op list is in use; free it first or take another"
			    : "id %u of the op list is not in use",
			id);
	}
	*byte ^= bit;
	return 0;
}

static int go_explicit(struct run *r)
{
	uint32_t at = r->step->first + r->t->done;
	struct zl_place place = r->e->s->explicit_place[at];
	struct zl_op *op = &r->ret->op;
	int rc = 0;

	*op = r->e->s->explicit_op[at];
	r->e->place = place;
	*r->did = THREAD_OP;
	switch (op->kind) {
	case ZL_OP_CPU:
		r->t->cpu = zl_expand_cpu(r->e, op->arg);
		op->arg = r->t->cpu;
		break;
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
	case ZL_OP_BULK:
		for (uint32_t i = 0; rc == 0 && i < (op->arg > 0 ? op->arg : 1); i++) {
			rc = use_explicit(r, place, op->id + i, true);
		}
		break;
	case ZL_OP_CMA_ALLOC:
		rc = use_explicit(r, place, op->id, true);
		break;
	case ZL_OP_FREE:
	case ZL_OP_CMA_RELEASE:
		rc = use_explicit(r, place, op->id, false);
		break;
	case ZL_OP_OFFLINE:
	case ZL_OP_ONLINE:
		op->arg = zl_expand_cpu(r->e, op->arg);
		break;
	default:
		break;
	}
	return rc;
}

static int go_leaf(struct run *r)
{
	int rc = 0;

	memset(r->ret, 0, sizeof(*r->ret));
	r->e->place = r->step->place;
	switch (r->step->kind) {
	case ZL_STEP_ALLOC:
	case ZL_STEP_BULK:
		rc = go_alloc(r);
		break;
	case ZL_STEP_FREE:
		rc = go_free(r);
		break;
	case ZL_STEP_MOVE:
		rc = go_move(r);
		break;
	case ZL_STEP_SET:
		rc = go_set(r);
		break;
	case ZL_STEP_OPS:
		rc = go_explicit(r);
		break;
	case ZL_STEP_CMA_ALLOC:
		rc = go_cma_alloc(r);
		break;
	case ZL_STEP_PIN:
	case ZL_STEP_UNPIN:
		rc = go_pin(r);
		break;
	case ZL_STEP_OFFLINE:
	case ZL_STEP_ONLINE:
	case ZL_STEP_RECLAIM:
	case ZL_STEP_NODE:
	case ZL_STEP_ZONE:
		rc = go_machine(r);
		break;
	default: /* ticks and drains */
		r->ret->op.kind = r->step->kind == ZL_STEP_TICK ? ZL_OP_TICK : r->step->key;
		*r->did = THREAD_OP;
		break;
	}
	if (rc != 0 || *r->did == THREAD_WAIT || *r->did == THREAD_LATER) {
		return rc;
	}
	int64_t work = 0;
	if (*r->did == THREAD_OP && r->step->work != ZL_NONE) {
		rc = value(r, r->step->work, 0, TIME_MAX - (int64_t)r->t->clock, &work);
	}
	r->ret->t_ns = r->t->clock;
	r->ret->work_ns = (uint64_t)work;
	r->t->until = r->t->clock + (r->e->timed ? 0 : (uint64_t)work);
	r->t->owed = (uint64_t)work;
	r->t->done++;
	if (--r->t->left <= 0) {
		r->t->leaf = ZL_NONE;
	}
	return rc;
}

static int push(struct run *r, const struct frame *f)
{
	if (r->t->nr_frames > ZL_SCENARIO_DEPTH_MAX) {
		return zl_expand_fail(r->e, -E2BIG, r->step->place,
			"steps are nested too deeply; at most %d levels", ZL_SCENARIO_DEPTH_MAX);
	}
	r->t->frame[r->t->nr_frames++] = *f;
	return 0;
}

static int begin_loop(struct run *r)
{
	int64_t passes = 1;
	int rc = r->step->all ? 0 : value(r, r->step->count, 0, COUNT_MAX, &passes);

	if (rc == 0 && passes > 0) {
		const struct frame f = {.step = r->step->first,
			.list = r->step->first,
			.loop = true,
			.forever = r->step->all,
			.left = passes - 1};

		r->t->slot[SLOT_PASS] = 0;
		rc = push(r, &f);
	}
	return rc;
}

static int begin_choose(struct run *r)
{
	uint32_t list = zl_expand_choose(r->e, &r->t->rng, r->step->first, r->step->nr);
	const struct frame f = {.step = list, .list = list};

	return push(r, &f);
}

static int begin_leaf(struct run *r, uint32_t step)
{
	int64_t left = 1;
	int rc = 0;

	if (r->step->kind == ZL_STEP_OPS) {
		left = r->step->nr;
	} else if (r->step->all) {
		const struct blocks *b = blocks_of(r, r->step->from);

		rc = b == NULL ? -ENOMEM : 0;
		left = b == NULL ? 0 : zl_blocks_count(b);
	} else if (r->step->kind == ZL_STEP_FREE || r->step->kind == ZL_STEP_MOVE) {
		rc = blocks_of(r, r->step->from) == NULL ? -ENOMEM : 0;
		rc = rc != 0 ? rc : value(r, r->step->count, 0, COUNT_MAX, &left);
	} else if (r->step->count != ZL_NONE) {
		rc = value(r, r->step->count, 0, COUNT_MAX, &left);
	}
	r->t->left = left;
	r->t->done = 0;
	r->t->asked = -1;
	r->t->leaf = left > 0 ? step : ZL_NONE;
	return rc;
}

static int begin(struct run *r, uint32_t step)
{
	int64_t v = 0;
	int rc;

	*r->did = THREAD_STEP;
	switch (r->step->kind) {
	case ZL_STEP_LET:
		rc = zl_expand_value(r->e, &r->t->rng, r->t->slot, r->step->value, &v);
		r->t->slot[SLOT_NAMES + r->step->name] = v;
		return rc;
	case ZL_STEP_SAY:
		r->e->caption = r->step->first;
		return 0;
	case ZL_STEP_BREAK:
		r->e->stop = r->step->first;
		return 0;
	case ZL_STEP_LOOP:
		return begin_loop(r);
	case ZL_STEP_CHOOSE:
		return begin_choose(r);
	case ZL_STEP_THINK:
		rc = value(r, r->step->value, 0, TIME_MAX - (int64_t)r->t->clock, &v);
		r->t->until = r->t->clock + (uint64_t)v;
		*r->did = THREAD_TURN;
		return rc;
	default:
		return begin_leaf(r, step);
	}
}

/* The pass of the innermost loop that goes on. */
static int64_t pass_of(const struct thread *t)
{
	for (unsigned i = t->nr_frames; i > 0; i--) {
		if (t->frame[i - 1].loop) {
			return t->frame[i - 1].pass;
		}
	}
	return 0;
}

static void end_of_list(struct thread *t, enum thread_did *ret_did)
{
	struct frame *f = &t->frame[t->nr_frames - 1];

	if (f->loop && (f->forever || f->left > 0)) {
		f->left -= f->forever ? 0 : 1;
		f->pass++;
		f->step = f->list;
	} else {
		t->nr_frames--;
	}
	t->slot[SLOT_PASS] = pass_of(t);
	*ret_did = t->nr_frames == 0 ? THREAD_END : THREAD_STEP;
}

int zl_step_go(
	struct zl_expand *e, uint32_t thread, struct zl_scenario_op *ret, enum thread_did *ret_did)
{
	struct thread *t = &e->thread[thread];
	struct run r = {e, t, thread, NULL, ret, ret_did};

	if (t->leaf != ZL_NONE) {
		r.step = &e->s->step[t->leaf];
		return go_leaf(&r);
	}
	struct frame *f = &t->frame[t->nr_frames - 1];
	uint32_t step = f->step;
	if (step == ZL_NONE) {
		end_of_list(t, ret_did);
		return 0;
	}
	r.step = &e->s->step[step];
	f->step = r.step->next;
	return begin(&r, step);
}
