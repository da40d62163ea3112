/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees, which become ops where the block reaches the pageset, and drains. */
#include <errno.h>

#include "follow.h"
#include "recording.h"

#define LATE_NS UINT64_C(20000000)

/* A block is freed that the trace has not shown being allocated. */
static uint32_t from_before(struct follow *f, const struct spool_event *e)
{
	uint32_t n = f->nr_before;

	f->demand.before++;
	if (f->surveying && (n & (n - 1)) == 0) {
		size_t room = n == 0 ? 1 : (size_t)n * 2;
		struct follow_before *b =
			f->mem->realloc(f->mem->user, f->before, room * sizeof(*b));

		if (b == NULL) {
			f->failed = -ENOMEM;
			return 0;
		}
		f->before = b;
	}
	if (f->surveying) {
		f->before[n] = (struct follow_before){.pfn = e->pfn, .order = e->order};
	}
	f->nr_before++;
	return f->before_base + n;
}

/* Id of a block that is being freed. */
static uint32_t id_of(struct follow *f, struct block *b, const struct spool_event *e)
{
	struct follow_list *l;

	if (b == NULL) {
		return from_before(f, e);
	}
	if (b->state == BLOCK_USED) {
		/* Pages that were split since are not followed; the block stays in use. */
		return b->order == e->order ? b->id : from_before(f, e);
	}
	l = &f->cpu[b->cpu].list[b->list];
	if (b->epoch == l->epoch) {
		l->known -= l->known > 0;
		return follow_unseen_take(f, b->cpu, b->list, 1, e);
	}
	if (l->unclaimed > 0) {
		l->unclaimed--;
		return l->unclaimed_id++;
	}
	return from_before(f, e);
}

static void commit(struct follow *f, uint32_t cpu, const struct follow_held *h)
{
	const struct spool_event at = {.line = h->line, .time_ns = h->time_ns};
	struct block *b = block_find(&f->blocks, h->pfn);
	struct zl_op op = {.kind = ZL_OP_FREE};
	struct follow_cpu *c = &f->cpu[cpu];
	struct follow_step *s;
	unsigned type, list;

	if (b == NULL || b->state != BLOCK_USED) {
		return;
	}
	type = follow_type(f, h->pfn, ZL_MIGRATE_MOVABLE);
	list = follow_list_of(f, h->order, (int)type);
	op.id = b->id;
	s = follow_op(f, &op, cpu, &at);
	if (s != NULL) {
		s->list = (uint8_t)list;
		s->order = h->order;
		s->mt = (uint8_t)type;
	}
	follow_drop_id(f, b->id);
	c->freed = true;
	if (list == FOLLOW_LISTS) {
		block_remove(&f->blocks, h->pfn);
		return;
	}
	b->state = BLOCK_PARKED;
	b->cpu = (uint16_t)cpu;
	b->list = (uint8_t)list;
	b->epoch = c->list[list].epoch;
	b->freed = true;
	c->list[list].known++;
	c->list[list].touched = true;
}

static void commit_first(struct follow *f, uint32_t cpu)
{
	struct follow_cpu *c = &f->cpu[cpu];
	struct follow_held h = c->held[c->held_at];

	c->held_at = (c->held_at + 1) % FOLLOW_HELD;
	c->nr_held--;
	commit(f, cpu, &h);
}

void follow_commit_all(struct follow *f, uint32_t cpu)
{
	while (f->cpu[cpu].nr_held > 0) {
		commit_first(f, cpu);
	}
}

bool follow_commit_to(struct follow *f, uint32_t cpu, uint64_t pfn, const struct spool_event *at)
{
	struct follow_cpu *c = &f->cpu[cpu];

	for (uint32_t i = 0; i < c->nr_held; i++) {
		struct follow_held *h = &c->held[(c->held_at + i) % FOLLOW_HELD];

		if (h->pfn == pfn) {
			h->line = at->line;
			h->time_ns = at->time_ns;
			for (; i > 0; i--) {
				commit_first(f, cpu);
			}
			commit_first(f, cpu);
			return true;
		}
	}
	return false;
}

/* Holds a free back; false without memory. */
static bool hold(struct follow *f, const struct spool_event *e)
{
	struct follow_cpu *c = &f->cpu[e->cpu];
	struct block *b = block_find(&f->blocks, e->pfn);
	uint32_t id;

	if (c->held == NULL) {
		c->held = f->mem->realloc(f->mem->user, NULL, FOLLOW_HELD * sizeof(*c->held));
		if (c->held == NULL) {
			f->failed = -ENOMEM;
			return false;
		}
	}
	if (b != NULL && b->state == BLOCK_USED && b->cpu != 0) { /* freed twice */
		(void)follow_commit_to(f, b->cpu - 1u, e->pfn, e);
		b = block_find(&f->blocks, e->pfn);
	}
	if (c->nr_held == FOLLOW_HELD) {
		commit_first(f, e->cpu);
	}
	id = id_of(f, b, e);
	b = block_put(&f->blocks, e->pfn);
	if (b == NULL) {
		f->failed = -ENOMEM;
		return false;
	}
	*b = (struct block){.key = b->key,
		.id = id,
		.state = BLOCK_USED,
		.order = e->order,
		.cpu = (uint16_t)(e->cpu + 1u)};
	c->held[(c->held_at + c->nr_held++) % FOLLOW_HELD] =
		(struct follow_held){e->pfn, e->time_ns, e->line, e->order};
	return true;
}

void follow_free(struct follow *f, const struct spool_event *e)
{
	if (hold(f, e)) {
		f->cpu[e->cpu].last = LAST_FREE;
	}
}

void follow_batched(struct follow *f, const struct spool_event *e)
{
	const struct block *b = block_find(&f->blocks, e->pfn);
	struct spool_event whole = *e;

	f->cpu[e->cpu].last = LAST_BATCHED;
	if (follow_commit_to(f, e->cpu, e->pfn, e) ||
		(b != NULL && b->state == BLOCK_PARKED && b->freed)) {
		return;
	}
	/* Its mm_page_free is not in the trace. */
	whole.order = b != NULL ? b->order : 0;
	if (hold(f, &whole)) {
		(void)follow_commit_to(f, e->cpu, e->pfn, e);
	}
}

/* Lists that a drain has passed are empty. */
static void passed(struct follow *f, uint32_t cpu, unsigned from, unsigned to)
{
	if (f->where->config.switches.drain_order != ZL_DRAIN_FROM_FREED || from >= f->nr_lists ||
		to >= f->nr_lists) {
		return;
	}
	for (unsigned i = from; i != to; i = (i + 1) % f->nr_lists) {
		struct follow_list *l = &f->cpu[cpu].list[i];

		l->known = 0;
		l->epoch++;
		l->exact = true;
	}
}

static uint32_t drain_origin(struct follow *f, const struct spool_event *e, unsigned *list)
{
	const struct block *b = block_find(&f->blocks, e->pfn);
	struct follow_list *l;

	*list = follow_list_of(f, e->order, e->mt);
	if (b != NULL && b->state == BLOCK_PARKED &&
		b->epoch == f->cpu[b->cpu].list[b->list].epoch) {
		uint32_t cpu = b->cpu;

		*list = b->list;
		l = &f->cpu[cpu].list[b->list];
		l->known -= l->known > 0;
		return cpu;
	}
	if (*list < FOLLOW_LISTS) {
		follow_unseen(f, &f->cpu[e->cpu].list[*list]);
	}
	return e->cpu;
}

void follow_drain(struct follow *f, const struct spool_event *e)
{
	struct follow_cpu *c = &f->cpu[e->cpu];
	const struct block *b;
	unsigned list;
	uint32_t cpu;

	if (c->last == LAST_FREE) {
		follow_commit_all(f, e->cpu);
	}
	follow_learn_type(f, e->pfn, e->mt, true);
	b = block_find(&f->blocks, e->pfn);
	f->demand.drained++;
	f->demand.drained_unused += b != NULL && b->state == BLOCK_PARKED && !b->freed;
	cpu = drain_origin(f, e, &list);
	block_remove(&f->blocks, e->pfn);
	if (c->draining && cpu != c->drain_cpu) {
		follow_drain_end(f, e->cpu);
	}
	if (!c->draining) {
		c->draining = true;
		c->caused = c->freed && cpu == e->cpu &&
			    (c->last == LAST_FREE || c->last == LAST_BATCHED ||
				    c->last == LAST_NOTHING);
		c->worker = (e->flags & SPOOL_KWORKER) != 0;
		c->drain_cpu = cpu;
		c->drain_list = list;
		c->drain_pages = 0;
		c->drain_line = e->line;
		c->drain_time = e->time_ns;
	} else if (list != c->drain_list) {
		passed(f, cpu, c->drain_list, list);
		c->drain_list = list;
	}
	c->drain_pages += UINT32_C(1) << e->order;
	c->last = LAST_DRAIN;
}

/* The first one tells the part of a second. A worker may start a little later the next time. */
static void refresh_seen(struct follow *f, const struct follow_cpu *c)
{
	struct follow_cpu *whose = &f->cpu[c->drain_cpu];

	whose->refreshed = true;
	whose->refreshed_ns = c->drain_time;
	if (f->surveying && !f->phase_seen && !f->where->phase_given) {
		f->phase_seen = true;
		f->seen_phase_ns = (c->drain_time + LATE_NS) % FOLLOW_SECOND;
	}
}

/*
 * A drain that no free caused: a refresh took some of the pages, or somebody asked for them all.
 * Returns whether it is certain that nothing was left.
 */
static bool drained_alone(struct follow *f, const struct follow_cpu *c)
{
	const struct spool_event at = {.line = c->drain_line, .time_ns = c->drain_time};
	struct zl_op op = {.kind = ZL_OP_DRAIN};
	bool sure = true;

	for (unsigned i = 0; i < f->nr_lists; i++) {
		const struct follow_list *l = &f->cpu[c->drain_cpu].list[i];

		if (l->known > 0) {
			op.kind = ZL_OP_TICK;
		}
		sure = sure && (l->sure || !l->touched);
	}
	f->demand.drains_alone++;
	if (c->worker) {
		refresh_seen(f, c);
	}
	follow_op(f, &op, c->drain_cpu, &at);
	return sure && op.kind == ZL_OP_DRAIN;
}

void follow_drain_end(struct follow *f, uint32_t cpu)
{
	struct follow_cpu *c = &f->cpu[cpu];
	const struct spool_event at = {.line = c->drain_line, .time_ns = c->drain_time};
	struct follow_step *s;
	bool whole;

	if (!c->draining) {
		return;
	}
	c->draining = false;
	whole = !c->caused && drained_alone(f, c);
	s = follow_push(f, FOLLOW_DRAIN, c->drain_cpu, &at);
	if (s != NULL) {
		s->pages = c->drain_pages;
		s->exact = c->caused;
		s->whole = whole;
	}
}

static void exported_op(struct follow *f, const struct zl_op *op, const struct spool_event *e)
{
	bool request =
		op->kind == ZL_OP_ALLOC || op->kind == ZL_OP_ALLOCHA || op->kind == ZL_OP_BULK;
	struct follow_cpu *c = &f->cpu[e->cpu];
	struct follow_step *s;

	follow_drain_end(f, e->cpu);
	c->used = true;
	c->freed = true;
	s = follow_push(f, FOLLOW_OP, e->cpu, e);
	if (s == NULL) {
		return;
	}
	s->op = *op;
	s->exact = true;
	s->order = e->kind == ZL_TRACED_MARK ? op->order : e->order;
	s->mt = op->mt;
	if (request || op->kind == ZL_OP_FREE) {
		s->list = (uint8_t)follow_list_of(f, s->order, op->mt);
	}
	if (request) {
		s->blocks = c->list[0].refill;
	}
	c->list[0].refill = 0;
	/* A mark of a single request stands before the event of the same request. */
	c->list[0].unclaimed_id =
		e->kind == ZL_TRACED_MARK && request && op->kind != ZL_OP_BULK ? op->id + 1 : 0;
}

void follow_exported(struct follow *f, const struct spool_event *e)
{
	struct follow_cpu *c = &f->cpu[e->cpu];
	struct zl_op op = {.order = e->order, .id = e->value};

	switch ((enum zl_traced)e->kind) {
	case ZL_TRACED_MARK:
		recording_op(e, &op);
		f->cpu_now = op.kind == ZL_OP_CPU ? op.arg : f->cpu_now;
		exported_op(f, &op, e);
		break;
	case ZL_TRACED_ALLOC:
		if (c->list[0].unclaimed_id == e->value + 1) { /* its mark was the op */
			c->list[0].unclaimed_id = 0;
			break;
		}
		op.kind = ZL_OP_ALLOC;
		op.mt = e->mt >= 0 && e->mt < ZL_MIGRATE_PCPTYPES ? (uint8_t)e->mt
								  : ZL_MIGRATE_MOVABLE;
		exported_op(f, &op, e);
		break;
	case ZL_TRACED_FREE:
		op.kind = ZL_OP_FREE;
		op.order = 0;
		exported_op(f, &op, e);
		break;
	case ZL_TRACED_REFILL:
		c->list[0].refill++;
		break;
	case ZL_TRACED_DRAIN:
		if (!c->draining) {
			c->draining = c->caused = true;
			c->drain_cpu = e->cpu;
			c->drain_pages = 0;
			c->drain_line = e->line;
			c->drain_time = e->time_ns;
		}
		c->drain_pages += UINT32_C(1) << e->order;
		break;
	case ZL_TRACED_EXTFRAG:
		f->extfrag++;
		break;
	case ZL_TRACED_FREE_BATCHED:
	case ZL_TRACED_TAKE:
	case ZL_TRACED_WMARKS:
	case ZL_TRACED_LOST:
	case ZL_TRACED_COUNT:
		break;
	}
}
