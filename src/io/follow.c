/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "follow.h"

#include <errno.h>
#include <string.h>

#include "recording.h"

#define STEPS_START 64u
#define THP_FIRST   ZL_PCP_LOW_LISTS

unsigned follow_list_of(const struct follow *f, unsigned order, int mt)
{
	/* What is no pageset type lies on the lists of MOVABLE. */
	unsigned type = mt >= 0 && mt < ZL_MIGRATE_PCPTYPES ? (unsigned)mt : ZL_MIGRATE_MOVABLE;

	if (order <= ZL_COSTLY_ORDER) {
		return order * ZL_MIGRATE_PCPTYPES + type;
	}
	if (f->thp_order == 0 || order != f->thp_order) {
		return FOLLOW_LISTS;
	}
	switch (f->where->config.switches.thp_lists) {
	case 1:
		return THP_FIRST;
	case 2:
		return THP_FIRST + (type == ZL_MIGRATE_MOVABLE);
	default:
		return THP_FIRST + type;
	}
}

void follow_list_kind(const struct follow *f, unsigned list, unsigned *ret_order, unsigned *ret_mt)
{
	unsigned lists = f->where->config.switches.thp_lists;

	if (list < THP_FIRST) {
		*ret_order = list / ZL_MIGRATE_PCPTYPES;
		*ret_mt = list % ZL_MIGRATE_PCPTYPES;
		return;
	}
	*ret_order = f->thp_order;
	*ret_mt = lists == 3			   ? list - THP_FIRST
		  : lists == 1 || list > THP_FIRST ? ZL_MIGRATE_MOVABLE
						   : ZL_MIGRATE_UNMOVABLE;
}

struct follow_step *follow_push(
	struct follow *f, enum follow_kind kind, uint32_t cpu, const struct spool_event *e)
{
	struct follow_step *s;

	if (f->nr_steps == f->max_steps) {
		size_t max = f->max_steps == 0 ? STEPS_START : f->max_steps * 2;

		s = f->mem->realloc(f->mem->user, f->step, max * sizeof(*s));
		if (s == NULL) {
			f->failed = -ENOMEM;
			return NULL;
		}
		f->step = s;
		f->max_steps = max;
	}
	s = &f->step[f->nr_steps++];
	memset(s, 0, sizeof(*s));
	s->kind = kind;
	s->cpu = (uint16_t)cpu;
	s->list = FOLLOW_LISTS;
	s->line = e->line;
	s->time_ns = e->time_ns;
	return s;
}

struct follow_step *follow_op(
	struct follow *f, const struct zl_op *op, uint32_t cpu, const struct spool_event *e)
{
	struct follow_step *s;

	if (f->cpu_now != cpu) {
		s = follow_push(f, FOLLOW_OP, cpu, e);
		if (s == NULL) {
			return NULL;
		}
		s->op = (struct zl_op){.kind = ZL_OP_CPU, .arg = cpu};
		f->cpu_now = cpu;
	}
	s = follow_push(f, FOLLOW_OP, cpu, e);
	if (s != NULL) {
		s->op = *op;
	}
	return s;
}

uint32_t follow_new_id(struct follow *f)
{
	if (f->nr_freed > 0) {
		return f->freed_id[--f->nr_freed];
	}
	if (f->next_id >= ZL_REPLAY_BLOCKS_MAX) {
		f->failed = -E2BIG;
		return 0;
	}
	return f->next_id++;
}

void follow_drop_id(struct follow *f, uint32_t id)
{
	if (f->nr_freed == f->max_freed) {
		size_t max = f->max_freed == 0 ? STEPS_START : f->max_freed * 2;
		uint32_t *ids = f->mem->realloc(f->mem->user, f->freed_id, max * sizeof(*ids));

		if (ids == NULL) {
			f->failed = -ENOMEM;
			return;
		}
		f->freed_id = ids;
		f->max_freed = max;
	}
	f->freed_id[f->nr_freed++] = id;
}

unsigned follow_type(const struct follow *f, uint64_t pfn, unsigned guess)
{
	const struct block *b = block_find(&f->types, pfn >> f->where->config.pageblock_order);

	return b != NULL ? b->state : guess;
}

/* What a list says of a pageblock is sure; what a request asked for may have come from elsewhere. */
void follow_learn_type(struct follow *f, uint64_t pfn, int mt, bool sure)
{
	uint64_t index = pfn >> f->where->config.pageblock_order;
	struct block *b = block_find(&f->types, index);
	unsigned type = mt >= 0 && mt < ZL_MIGRATE_PCPTYPES ? (unsigned)mt : ZL_MIGRATE_MOVABLE;

	if (b == NULL) {
		b = block_put(&f->types, index);
		if (b == NULL) {
			f->failed = -ENOMEM;
			return;
		}
	} else if (!sure) {
		return;
	}
	b->state = (uint8_t)type;
}

uint32_t follow_unseen_take(
	struct follow *f, uint32_t cpu, unsigned list, uint32_t blocks, const struct spool_event *e)
{
	struct zl_op op = {.kind = ZL_OP_ALLOC};
	uint32_t first = 0;
	unsigned order, mt;

	follow_list_kind(f, list, &order, &mt);
	op.mt = (uint8_t)mt;
	op.order = (uint8_t)order;
	f->demand.unseen_takes += blocks;
	/* Ids of one bulk op follow each other, so they are new ones. */
	if (order == 0 && f->next_id < ZL_REPLAY_BLOCKS_MAX - blocks) {
		op.kind = ZL_OP_BULK;
		op.arg = blocks;
		op.id = f->next_id;
		f->next_id += blocks;
		follow_op(f, &op, cpu, e);
		return op.id;
	}
	for (uint32_t i = 0; i < blocks && f->failed == 0; i++) {
		op.id = f->next_id < ZL_REPLAY_BLOCKS_MAX ? f->next_id++ : follow_new_id(f);
		first = i == 0 ? op.id : first;
		follow_op(f, &op, cpu, e);
	}
	return first;
}

void follow_empty(struct follow *f, uint32_t cpu, unsigned list, const struct spool_event *e)
{
	struct follow_list *l = &f->cpu[cpu].list[list];

	if (l->known > 0) {
		uint32_t id = follow_unseen_take(f, cpu, list, l->known, e);

		/* Those left over from the last time are in use for ever. */
		l->unclaimed_id = id;
		l->unclaimed = l->known;
	}
	l->known = 0;
	l->epoch++;
	l->exact = true;
}

/* Blocks came for a request that had no event of its own. */
static void refilled_alone(
	struct follow *f, uint32_t cpu, unsigned list, const struct spool_event *e)
{
	struct follow_list *l = &f->cpu[cpu].list[list];
	unsigned order, mt;
	struct follow_step *s;

	if (l->refill == 0) {
		return;
	}
	f->demand.open_refills += l->refill;
	s = follow_push(f, FOLLOW_REFILL, cpu, e);
	if (s != NULL) {
		follow_list_kind(f, list, &order, &mt);
		s->list = (uint8_t)list;
		s->order = (uint8_t)order;
		s->mt = (uint8_t)mt;
		s->blocks = l->refill;
	}
	l->refill = 0;
}

/* A block came from the buddy to a list. */
static void take(struct follow *f, const struct spool_event *e)
{
	unsigned list = follow_list_of(f, e->order, e->mt);
	struct follow_cpu *c = &f->cpu[e->cpu];
	struct follow_list *l;
	struct block *b;

	follow_commit_all(f, e->cpu);
	follow_learn_type(f, e->pfn, e->mt, true);
	if (list == FOLLOW_LISTS || (e->kind == ZL_TRACED_TAKE && (e->flags & SPOOL_REFILL) == 0)) {
		return;
	}
	l = &c->list[list];
	l->touched = true;
	f->demand.refilled++;
	if (l->serial != c->serial) { /* something else happened since */
		refilled_alone(f, e->cpu, list, e);
	}
	l->serial = c->serial;
	if (l->refill == 0) {
		l->was_exact = l->exact;
		follow_empty(f, e->cpu, list, e);
	}
	b = block_put(&f->blocks, e->pfn);
	if (b == NULL) {
		f->failed = -ENOMEM;
		return;
	}
	b->state = BLOCK_PARKED;
	b->freed = false;
	b->cpu = e->cpu;
	b->list = (uint8_t)list;
	b->order = e->order;
	b->epoch = l->epoch;
	l->refill++;
	l->known++;
}

/* Where an allocated block came from; the CPU that it was taken on. */
static uint32_t origin(struct follow *f, const struct spool_event *e, unsigned list)
{
	struct block *b = block_find(&f->blocks, e->pfn);
	struct follow_list *l = list < FOLLOW_LISTS ? &f->cpu[e->cpu].list[list] : NULL;

	if (b != NULL && b->state == BLOCK_USED && b->cpu != 0) {
		/* Its free is still held back on some CPU. */
		(void)follow_commit_to(f, b->cpu - 1u, e->pfn, e);
		b = block_find(&f->blocks, e->pfn);
	}
	if (b != NULL && b->state == BLOCK_USED) {
		f->demand.unseen_frees++;
		return e->cpu;
	}
	if (b != NULL) {
		struct follow_list *from = &f->cpu[b->cpu].list[b->list];

		if (b->epoch == from->epoch) {
			from->known -= from->known > 0;
		} else if (from->unclaimed > 0) {
			from->unclaimed--; /* it was taken, and given back, unseen */
			from->unclaimed_id++;
		}
		f->demand.moved += b->cpu != e->cpu;
		return b->cpu;
	}
	if (l == NULL) {
		return e->cpu;
	}
	follow_unseen(f, l);
	return e->cpu;
}

static void allocated(struct follow *f, const struct spool_event *e)
{
	struct zl_op op = {.kind = ZL_OP_ALLOC, .order = e->order};
	unsigned list = follow_list_of(f, e->order, e->mt);
	struct follow_list *l;
	struct follow_step *s;
	struct block *b;
	uint32_t cpu;

	follow_commit_all(f, e->cpu);
	if (e->pfn == 0) {
		f->demand.failed++;
		return;
	}
	cpu = origin(f, e, list);
	op.mt = e->mt >= 0 && e->mt < ZL_MIGRATE_PCPTYPES ? (uint8_t)e->mt : ZL_MIGRATE_MOVABLE;
	op.id = follow_new_id(f);
	b = block_put(&f->blocks, e->pfn);
	if (b == NULL) {
		f->failed = -ENOMEM;
		return;
	}
	*b = (struct block){.key = b->key, .id = op.id, .state = BLOCK_USED, .order = e->order};
	follow_learn_type(f, e->pfn, e->mt, false);
	s = follow_op(f, &op, cpu, e);
	if (s == NULL) {
		return;
	}
	s->list = (uint8_t)list;
	s->order = op.order;
	s->mt = op.mt;
	if (list < FOLLOW_LISTS) {
		l = &f->cpu[cpu].list[list];
		s->exact = l->sure && !f->cpu[cpu].gap;
		s->fixes = l->refill > 0 && !l->was_exact;
		s->blocks = l->refill;
		l->refill = 0;
	}
	f->cpu[cpu].freed = false;
}

/* A fallback that prints no zone_locked line is a block taken. */
static bool fallback_takes(const struct follow *f, const struct spool_event *e)
{
	enum zl_fallback_form form = f->where->config.switches.buddy_fallback;

	return form != ZL_FALLBACK_A &&
	       ((e->flags & SPOOL_WHOLE) != 0 || (e->flags & SPOOL_OWNERSHIP) == 0);
}

static void watermarks(struct follow *f, const struct spool_event *e)
{
	const struct zl_replay_where *w = f->where;
	struct zl_op op = {.kind = ZL_OP_SET, .key = ZL_SIM_WMARK_LOW, .arg = e->value};

	if (w->zone[0] == '\0' || e->order != w->node ||
		e->high != recording_name_hash(w->zone, strlen(w->zone))) {
		return;
	}
	follow_op(f, &op, f->cpu_now, e);
	op.key = ZL_SIM_WMARK_HIGH;
	op.arg = (uint32_t)e->pfn;
	follow_op(f, &op, f->cpu_now, e);
}

static void lost(struct follow *f, const struct spool_event *e)
{
	struct follow_cpu *c = &f->cpu[e->cpu];

	follow_commit_all(f, e->cpu);
	follow_drain_end(f, e->cpu);
	for (unsigned i = 0; i < FOLLOW_LISTS; i++) {
		struct follow_list *l = &c->list[i];

		l->lost = l->lost || l->exact;
		l->exact = false;
		l->known = 0;
		refilled_alone(f, e->cpu, i, e);
		l->epoch++;
	}
	c->gap = true;
	follow_push(f, FOLLOW_LOST, e->cpu, e);
}

/*
 * A busy CPU refreshes its counters once a second, all of them at about the same part of it
 * (mm/vmstat.c, vmstat_update(), round_jiffies_relative()). One that the trace shows is no second one.
 */
static void refresh(struct follow *f, const struct spool_event *e)
{
	const struct zl_op op = {.kind = ZL_OP_TICK};
	struct follow_cpu *c = &f->cpu[e->cpu];
	uint64_t second = (e->time_ns + FOLLOW_SECOND - f->phase_ns) / FOLLOW_SECOND;
	uint64_t due = (second - 1) * FOLLOW_SECOND + f->phase_ns;
	bool shown = c->refreshed && due < c->refreshed_ns + FOLLOW_SECOND / 2 &&
		     due + FOLLOW_SECOND / 2 > c->refreshed_ns;

	if (c->second_known && second > c->second && e->kind != ZL_TRACED_DRAIN && !shown) {
		follow_commit_all(f, e->cpu);
		follow_op(f, &op, e->cpu, e);
		c->freed = true;
		f->demand.ticks++;
	}
	if (second > c->second || !c->second_known) {
		c->second = second;
		c->second_known = true;
	}
}

static bool elsewhere(const struct follow *f, const struct spool_event *e)
{
	const struct zl_replay_where *w = f->where;

	return w->spanned > 0 && e->kind <= ZL_TRACED_EXTFRAG && e->pfn != 0 &&
	       (e->pfn < w->start_pfn || e->pfn - w->start_pfn >= w->spanned);
}

int follow_event(struct follow *f, const struct spool_event *e)
{
	if (f->exported) {
		follow_exported(f, e);
		return f->failed;
	}
	if (elsewhere(f, e)) {
		f->demand.elsewhere++;
		return f->failed;
	}
	if (e->kind < ZL_TRACED_WMARKS) {
		f->cpu[e->cpu].used = true;
		f->cpu[e->cpu].serial += e->kind != ZL_TRACED_TAKE && e->kind != ZL_TRACED_REFILL &&
					 e->kind != ZL_TRACED_EXTFRAG;
		if (e->kind != ZL_TRACED_DRAIN) {
			follow_drain_end(f, e->cpu);
		}
		refresh(f, e);
	}
	switch ((enum zl_traced)e->kind) {
	case ZL_TRACED_ALLOC:
		allocated(f, e);
		break;
	case ZL_TRACED_FREE:
		follow_free(f, e);
		return f->failed;
	case ZL_TRACED_FREE_BATCHED:
		follow_batched(f, e);
		return f->failed;
	case ZL_TRACED_DRAIN:
		follow_drain(f, e);
		return f->failed;
	case ZL_TRACED_TAKE:
		if (!f->refill_events) {
			take(f, e);
		}
		break;
	case ZL_TRACED_REFILL:
		take(f, e);
		break;
	case ZL_TRACED_EXTFRAG:
		f->extfrag++;
		if (fallback_takes(f, e)) {
			struct spool_event t = *e;

			t.kind = ZL_TRACED_REFILL;
			take(f, &t);
		}
		break;
	case ZL_TRACED_WMARKS:
		watermarks(f, e);
		return f->failed;
	case ZL_TRACED_LOST:
		lost(f, e);
		break;
	case ZL_TRACED_MARK:
	case ZL_TRACED_COUNT:
		return f->failed;
	}
	f->cpu[e->cpu].last = LAST_OTHER;
	return f->failed;
}

int follow_end(struct follow *f)
{
	const struct spool_event none = {0};

	for (unsigned i = 0; i < f->nr_cpus; i++) {
		if (f->cpu[i].last == LAST_FREE) {
			follow_commit_all(f, i);
		}
		follow_drain_end(f, i);
		for (unsigned k = 0; k < f->nr_lists && !f->exported; k++) {
			refilled_alone(f, i, k, &none);
		}
		follow_push(f, FOLLOW_END, i, &none);
		follow_commit_all(f, i);
	}
	return f->failed;
}

bool follow_step(struct follow *f, struct follow_step *ret)
{
	if (f->step_at == f->nr_steps) {
		f->step_at = f->nr_steps = 0;
		return false;
	}
	*ret = f->step[f->step_at++];
	return true;
}

int follow_start(struct follow *f, const struct zl_recording *r,
	const struct zl_replay_where *where, const struct zl_allocator *mem)
{
	size_t size;

	memset(f, 0, sizeof(*f));
	f->mem = mem;
	f->where = where;
	f->blocks.mem = f->types.mem = mem;
	f->phase_ns = (where->phase_given ? where->phase_ns : r->first_ns) % FOLLOW_SECOND;
	f->exported = r->marks.exported;
	f->refill_events = r->events[ZL_TRACED_REFILL] > 0;
	f->demand.refill_events = f->refill_events;
	f->thp_order = !where->config.thp ? 0
		       : where->config.switches.thp_order == ZL_THP_ORDER_PAGEBLOCK
			       ? where->config.pageblock_order
			       : where->config.hpage_order;
	f->nr_lists = ZL_PCP_LOW_LISTS + (f->thp_order > 0 ? where->config.switches.thp_lists : 0);
	f->nr_cpus = r->cpus > 0 ? r->cpus : 1;
	size = f->nr_cpus * sizeof(*f->cpu);
	f->cpu = mem->realloc(mem->user, NULL, size);
	if (f->cpu == NULL) {
		return -ENOMEM;
	}
	memset(f->cpu, 0, size);
	return 0;
}

void follow_done(struct follow *f)
{
	const struct zl_allocator *mem = f->mem;

	if (mem == NULL) {
		return;
	}
	for (unsigned i = 0; f->cpu != NULL && i < f->nr_cpus; i++) {
		mem->free(mem->user, f->cpu[i].held);
	}
	mem->free(mem->user, f->cpu);
	mem->free(mem->user, f->step);
	mem->free(mem->user, f->freed_id);
	mem->free(mem->user, f->before);
	block_map_done(&f->blocks);
	block_map_done(&f->types);
	f->mem = NULL;
}
