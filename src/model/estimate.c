/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds of the zone lock as time: from the events of a run to clocks, waits and sums. */
#include "zonelab/estimate.h"

#include <errno.h>
#include <string.h>

#include "estimate_state.h"

#define HOLDS_START 8u

static void note_block(struct zl_estimate *e, const struct zl_event *ev)
{
	bool give = ev->kind == ZL_EVENT_GIVE;
	int64_t lines = ev->order == 0 ? 0 : 1;

	if (give && ev->order > 0) {
		lines += ev->value * e->o.costs.value[ZL_COST_MERGE_LINES];
	}
	e->open.ps += (give ? e->give : e->take) + lines * e->line;
	e->open.blocks++;
}

static void push_hold(struct zl_estimate *e)
{
	struct holds *h = &e->now;

	if (h->n == h->cap) {
		uint32_t cap = h->cap == 0 ? HOLDS_START : 2 * h->cap;
		void *p = e->mem->realloc(e->mem->user, h->item, cap * sizeof(*h->item));

		if (p == NULL) {
			e->failed = true;
			return;
		}
		h->item = p;
		h->cap = cap;
	}
	h->item[h->n++] = e->open;
}

static void on_event(void *user, const struct zl_sim *sim, const struct zl_event *ev)
{
	struct zl_estimate *e = user;

	(void)sim;
	switch (ev->kind) {
	case ZL_EVENT_LOCK:
		e->open = (struct hold){.ps = e->hold, .cause = (uint8_t)ev->cause};
		break;
	case ZL_EVENT_TAKE:
	case ZL_EVENT_GIVE:
		note_block(e, ev);
		break;
	case ZL_EVENT_UNLOCK:
		e->open.pages = ev->value;
		push_hold(e);
		break;
	case ZL_EVENT_FALLBACK:
	case ZL_EVENT_MIGRATE:
	case ZL_EVENT_SETTYPE:
	case ZL_EVENT_KIND_COUNT:
		break;
	}
}

static void *zeroed(const struct zl_allocator *mem, size_t n, size_t size)
{
	void *p = mem->realloc(mem->user, NULL, n * size);

	if (p != NULL) {
		memset(p, 0, n * size);
	}
	return p;
}

int zl_estimate_new(const struct zl_estimate_options *options, const struct zl_allocator *mem,
	struct zl_estimate **ret)
{
	const struct zl_costs *c = &options->costs;
	struct zl_estimate *e;

	if (options->cpus == 0) {
		return -EINVAL;
	}
	e = zeroed(mem, 1, sizeof(*e));
	if (e == NULL) {
		return -ENOMEM;
	}
	e->o = *options;
	e->mem = mem;
	e->observer.event = on_event;
	e->observer.user = e;
	e->hit = zl_cost_ps(c, ZL_COST_HIT_NS);
	e->take = zl_cost_ps(c, ZL_COST_TAKE_NS);
	e->give = zl_cost_ps(c, ZL_COST_GIVE_NS);
	e->hold = zl_cost_ps(c, ZL_COST_HOLD_NS);
	e->lock = zl_cost_ps(c, ZL_COST_LOCK_NS);
	e->llc = zl_cost_ps(c, ZL_COST_LLC_NS);
	e->line = zl_cost_ps(c, ZL_COST_LINE_NS);
	e->node = zl_cost_ps(c, ZL_COST_NODE_NS);
	e->end = options->end_ns * PS_PER_NS;
	e->slot_ps = ESTIMATE_FIRST_PS;
	if (e->end > 0) {
		e->slot_ps = (e->end + ESTIMATE_PIECES - 1) / ESTIMATE_PIECES;
	}
	e->owner = ESTIMATE_NO_OWNER;
	e->slot = zeroed(mem, ZL_ESTIMATE_SLOTS, sizeof(*e->slot));
	e->cpu = zeroed(mem, options->cpus, sizeof(*e->cpu));
	if (e->slot == NULL || e->cpu == NULL) {
		zl_estimate_free(e);
		return -ENOMEM;
	}
	*ret = e;
	return 0;
}

void zl_estimate_free(struct zl_estimate *e)
{
	if (e == NULL) {
		return;
	}
	for (unsigned i = 0; e->cpu != NULL && i < e->o.cpus; i++) {
		e->mem->free(e->mem->user, e->cpu[i].lane);
		e->mem->free(e->mem->user, e->cpu[i].more.item);
	}
	e->mem->free(e->mem->user, e->now.item);
	e->mem->free(e->mem->user, e->cpu);
	e->mem->free(e->mem->user, e->slot);
	e->mem->free(e->mem->user, e);
}

void zl_estimate_attach(struct zl_estimate *e, struct zl_sim *sim)
{
	struct zl_totals t;

	zl_sim_totals(sim, &t);
	e->free_high = t.free_high;
	zl_sim_subscribe(sim, &e->observer);
}

void zl_estimate_detach(struct zl_estimate *e, struct zl_sim *sim)
{
	zl_sim_unsubscribe(sim, &e->observer);
}

/* What a line costs that the last owner has. */
static int64_t far_ps(const struct zl_estimate *e, uint32_t cpu)
{
	uint32_t cache = (uint32_t)e->o.costs.value[ZL_COST_CPUS_PER_CACHE];
	uint32_t node = e->o.cpus_per_node;

	if (node > 0 && cpu / node != e->owner / node) {
		return e->node;
	}
	return cpu / cache == e->owner / cache ? e->llc : e->line;
}

/* How long the lock is on its way to a CPU that asks at @arrival. */
static int64_t move_ps(const struct zl_estimate *e, uint32_t cpu, int64_t arrival)
{
	if (e->owner == cpu || e->owner == ESTIMATE_NO_OWNER) {
		return 0;
	}
	if (arrival >= e->free_at) {
		return far_ps(e, cpu);
	}
	return far_ps(e, cpu) * e->o.costs.value[ZL_COST_HANDOVER_LINES];
}

/* What happens from @start on, cut at the end of a timed run. */
static int note_held(struct zl_estimate *e, uint32_t cpu, int64_t start, int64_t move)
{
	int64_t end = e->end > 0 && e->free_at > e->end ? e->end : e->free_at;
	unsigned index = 0;
	struct estimate_slot *s = zl_estimate_slot(e, start, &index);

	if (s == NULL) {
		return 0;
	}
	s->held_ps += end - start;
	s->busy_ps += end - start + move + e->lock;
	return zl_estimate_lane_add(e, &e->cpu[cpu], index, end - start, 0);
}

/* One hold that a CPU asks for at @arrival; when it is over. */
static int64_t acquire(struct zl_estimate *e, uint32_t cpu, int64_t arrival, const struct hold *h)
{
	bool busy = arrival < e->free_at;
	int64_t move = move_ps(e, cpu, arrival);
	int64_t start = (busy ? e->free_at : arrival) + e->lock + move;
	int64_t wait = start - arrival - e->lock;
	unsigned index = 0;
	struct estimate_slot *s = zl_estimate_slot(e, arrival, &index);

	e->free_at = start + h->ps;
	e->owner = cpu;
	if (s != NULL) {
		s->contended += busy;
		s->order_inversions += arrival < e->last_arrival;
		s->cause[h->cause]++;
		zl_durations_add(&s->hold, h->ps);
		zl_durations_add(&s->wait, wait);
		if (h->cause == ZL_LOCK_REFILL) {
			zl_durations_add(&s->refill, e->free_at - arrival);
		}
		s->lost_ps += e->free_at - arrival;
		s->longest_move_ps = move > s->longest_move_ps ? move : s->longest_move_ps;
		s->longest_hold_pages =
			h->pages > s->longest_hold_pages ? h->pages : s->longest_hold_pages;
		if (zl_estimate_lane_add(e, &e->cpu[cpu], index, 0, wait) != 0) {
			e->failed = true;
		}
	}
	if (note_held(e, cpu, start, move) != 0) {
		e->failed = true;
	}
	e->last_arrival = arrival > e->last_arrival ? arrival : e->last_arrival;
	return e->free_at;
}

/* Whether an allocation found nothing: its last hold took no block. */
static bool found_nothing(const struct zl_estimate *e)
{
	const struct hold *last = e->now.n > 0 ? &e->now.item[e->now.n - 1] : NULL;

	return last != NULL && last->blocks == 0 &&
	       (last->cause == ZL_LOCK_REFILL || last->cause == ZL_LOCK_DIRECT_ALLOC);
}

/* Blocks that an op asks a pageset for or gives it; none for what goes straight to the buddy. */
static int64_t hits_of(const struct zl_estimate *e, const struct zl_op *op)
{
	bool direct = e->now.n > 0 && (e->now.item[0].cause == ZL_LOCK_DIRECT_ALLOC ||
					      e->now.item[0].cause == ZL_LOCK_DIRECT_FREE);

	switch (op->kind) {
	case ZL_OP_ALLOC:
	case ZL_OP_ALLOCHA:
	case ZL_OP_FREE:
		return direct ? 0 : 1;
	case ZL_OP_BULK:
		return op->arg;
	default: /* ticks, drains and what is not an op of a CPU */
		return 0;
	}
}

static void count_op(struct zl_estimate *e, const struct zl_sim *sim, const struct zl_op *op,
	struct estimate_slot *s)
{
	uint64_t before = e->free_high;

	if (e->now.n > 0) {
		struct zl_totals t;

		zl_sim_totals(sim, &t);
		e->free_high = t.free_high;
	}
	if (s == NULL) {
		return;
	}
	s->ops++;
	s->free_high += e->free_high - before;
	if (op->kind == ZL_OP_BULK) {
		s->blocks += op->arg;
		s->pages += op->arg;
	} else if ((op->kind == ZL_OP_ALLOC || op->kind == ZL_OP_ALLOCHA) && !found_nothing(e)) {
		s->blocks++;
		s->pages += UINT64_C(1) << op->order;
	}
}

/* All CPUs start a phase when the last has ended the one before. */
static void start_phase(struct zl_estimate *e, uint32_t phase)
{
	int64_t extra = e->latest > e->script_end ? e->latest - e->script_end : 0;

	for (unsigned i = 0; i < e->o.cpus; i++) {
		e->cpu[i].extra = extra;
	}
	e->phase = phase;
}

static int64_t in_ps(uint64_t ns)
{
	return (int64_t)(ns < (uint64_t)ZL_ESTIMATE_NS_MAX ? ns : (uint64_t)ZL_ESTIMATE_NS_MAX) *
	       PS_PER_NS;
}

static int finish(struct zl_estimate *e)
{
	int rc = e->failed ? -ENOMEM : 0;

	e->now.n = 0;
	e->failed = false;
	return rc;
}

int zl_estimate_op(struct zl_estimate *e, const struct zl_sim *sim, const struct zl_scenario_op *op)
{
	int64_t script = in_ps(op->t_ns);
	int64_t work = in_ps(op->work_ns);
	struct estimate_cpu *c;
	int64_t start, at;

	if (op->op.kind == ZL_OP_CPU || op->cpu >= e->o.cpus) {
		return finish(e);
	}
	if (op->phase != e->phase) {
		start_phase(e, op->phase);
	}
	c = &e->cpu[op->cpu];
	start = script + c->extra > c->clock ? script + c->extra : c->clock;
	at = start + hits_of(e, &op->op) * e->hit;
	struct estimate_slot *s = zl_estimate_slot(e, start, &(unsigned){0});
	count_op(e, sim, &op->op, s);
	s->base_ps += at - start + (script > c->script ? script - c->script : 0);
	for (uint32_t i = 0; i < e->now.n; i++) {
		at = acquire(e, op->cpu, at, &e->now.item[i]);
	}
	c->worked = true;
	c->script = script;
	c->extra += at - start;
	c->clock = at;
	e->script_end = script + work > e->script_end ? script + work : e->script_end;
	e->latest = at + work > e->latest ? at + work : e->latest;
	return finish(e);
}

/* Keeps the holds of an op until its CPU's clock is where it asks for them. */
static int keep_holds(struct zl_estimate *e, struct estimate_cpu *c)
{
	uint32_t n = e->now.n;

	c->more.next = 0;
	c->more.n = n;
	if (n > c->more.cap) {
		void *p = e->mem->realloc(e->mem->user, c->more.item, n * sizeof(struct hold));

		if (p == NULL) {
			c->more.n = 0;
			return -ENOMEM;
		}
		c->more.item = p;
		c->more.cap = n;
	}
	if (n > 0) {
		memcpy(c->more.item, e->now.item, n * sizeof(struct hold));
	}
	return 0;
}

/* Turns the end of something that a CPU did at @t_ns into whole nanoseconds. */
static int64_t in_ns(struct estimate_cpu *c, int64_t at, int64_t t_ns)
{
	c->clock = at;
	c->carry = at % PS_PER_NS;
	return at / PS_PER_NS - t_ns;
}

int zl_estimate_timed(struct zl_estimate *e, const struct zl_sim *sim,
	const struct zl_scenario_op *op, int64_t *ret_ns, bool *ret_more)
{
	int64_t t = in_ps(op->t_ns);
	int64_t at;

	*ret_ns = 0;
	*ret_more = false;
	if (op->op.kind == ZL_OP_CPU || op->cpu >= e->o.cpus) {
		return finish(e);
	}
	struct estimate_cpu *c = &e->cpu[op->cpu];
	struct estimate_slot *s = zl_estimate_slot(e, t, &(unsigned){0});
	at = t + c->carry + hits_of(e, &op->op) * e->hit;
	count_op(e, sim, &op->op, s);
	if (s != NULL) {
		s->base_ps += at - t + in_ps(op->work_ns);
	}
	if (keep_holds(e, c) != 0) {
		e->failed = true;
	}
	c->worked = true;
	*ret_ns = in_ns(c, at, t / PS_PER_NS);
	*ret_more = c->more.n > 0;
	e->latest = at > e->latest ? at : e->latest;
	return finish(e);
}

void zl_estimate_again(
	struct zl_estimate *e, uint32_t cpu, int64_t t_ns, int64_t *ret_ns, bool *ret_more)
{
	struct estimate_cpu *c = &e->cpu[cpu];
	int64_t at = in_ps((uint64_t)t_ns) + c->carry;

	if (c->more.next < c->more.n) {
		at = acquire(e, cpu, at, &c->more.item[c->more.next++]);
	}
	*ret_ns = in_ns(c, at, t_ns);
	*ret_more = c->more.next < c->more.n;
	e->latest = at > e->latest ? at : e->latest;
}
