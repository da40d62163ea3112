/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From scenario to ops: phases, turns, and the one sequence that comes out.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "scenario_private.h"
#include "zonelab/text.h"

/* Streams of random numbers that belong to no program. */
#define STREAM_PHASE UINT64_C(0x7068617365)
#define FREE_IDS_MAX (4 * ZL_SCENARIO_FRESH_IDS)

static void *take(struct zl_expand *e, size_t n, size_t size)
{
	void *p = e->mem->realloc(e->mem->user, NULL, n * size);

	if (p != NULL) {
		memset(p, 0, n * size);
	}
	return p;
}

static void start_names(struct zl_expand *e)
{
	e->slot[SLOT_CPUS] = e->options.cpus;
	for (uint32_t i = 0; i < e->s->nr_names; i++) {
		const struct zl_scenario_name *n = &e->s->names[i];
		bool use_short = e->options.short_form && n->short_given;

		e->slot[SLOT_NAMES + i] = use_short ? n->short_value : n->value;
	}
}

int zl_expand_new(const struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct zl_expand **ret, struct zl_error *err)
{
	struct zl_expand *e = mem->realloc(mem->user, NULL, sizeof(*e));

	if (e == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	memset(e, 0, sizeof(*e));
	e->s = s;
	e->mem = mem;
	e->options = *options;
	e->options.cpus = options->cpus > 0 ? options->cpus : 1;
	e->seed = options->seeded ? options->seed : s->seed;
	e->current = ZL_NONE;
	e->caption = ZL_NONE;
	e->stop = ZL_NONE;
	e->next_id = s->nr_explicit > 0 ? s->explicit_id_max + 1 : 1;
	for (uint32_t i = 0; i < s->nr_stores; i++) {
		const struct zl_scenario_store *st = &s->store[i];

		e->holds = e->holds || st->hold != ZL_NONE || st->hold_allocs != ZL_NONE;
	}
	start_names(e);
	e->explicit_used = take(e, (size_t)s->explicit_id_max / CHAR_BIT + 1, 1);
	if (e->explicit_used == NULL) {
		zl_expand_free(e);
		zl_error_set(err, 0, 0, "no memory");
		return -ENOMEM;
	}
	*ret = e;
	return 0;
}

void zl_expand_free(struct zl_expand *e)
{
	if (e == NULL) {
		return;
	}
	const struct zl_allocator *mem = e->mem;
	for (uint32_t i = 0; i < e->nr_pools; i++) {
		for (uint32_t k = 0; e->pools[i].store != NULL && k < e->s->nr_stores; k++) {
			zl_blocks_done(&e->pools[i].store[k], mem);
		}
		mem->free(mem->user, e->pools[i].store);
	}
	for (uint32_t i = 0; i < ZL_SCENARIO_STORES_MAX; i++) {
		zl_blocks_done(&e->queue[i].blocks, mem);
	}
	zl_blocks_done(&e->free_ids, mem);
	mem->free(mem->user, e->pools);
	mem->free(mem->user, e->thread);
	mem->free(mem->user, e->heap);
	mem->free(mem->user, e->explicit_used);
	mem->free(mem->user, e->ready);
	mem->free(mem->user, e);
}

struct zl_place zl_expand_place(const struct zl_expand *e)
{
	return e->place;
}

uint64_t zl_expand_ops(const struct zl_expand *e)
{
	return e->ops;
}

bool zl_expand_wrapped(const struct zl_expand *e, uint32_t *ret_cpu)
{
	*ret_cpu = e->wrapped_cpu;
	return e->wrapped;
}

uint32_t zl_expand_cpu(struct zl_expand *e, uint32_t named_cpu)
{
	if (named_cpu >= e->options.cpus && !e->wrapped) {
		e->wrapped = true;
		e->wrapped_cpu = named_cpu;
	}
	return named_cpu % e->options.cpus;
}

struct blocks *zl_expand_pools(struct zl_expand *e, uint32_t named_cpu)
{
	if (named_cpu >= e->nr_pools) {
		uint32_t n = named_cpu + 1;
		struct pools *p = e->mem->realloc(e->mem->user, e->pools, n * sizeof(*p));

		if (p == NULL) {
			return NULL;
		}
		memset(p + e->nr_pools, 0, (n - e->nr_pools) * sizeof(*p));
		e->pools = p;
		e->nr_pools = n;
	}
	if (e->pools[named_cpu].store == NULL) {
		e->pools[named_cpu].store = take(e, e->s->nr_stores, sizeof(struct blocks));
	}
	return e->pools[named_cpu].store;
}

int zl_expand_id_freed(struct zl_expand *e, uint32_t id)
{
	/* What is forgotten is never used again; only bulk ops, which need new ids, get here. */
	return e->free_ids.count < FREE_IDS_MAX ? zl_blocks_put(&e->free_ids, id, e->mem) : 0;
}

/* Whether a program holds a loop that never ends. */
static bool loops_forever(const struct zl_scenario *s, uint32_t first)
{
	for (uint32_t i = first; i != ZL_NONE; i = s->step[i].next) {
		const struct zl_step *step = &s->step[i];

		if (step->kind == ZL_STEP_LOOP && (step->all || loops_forever(s, step->first))) {
			return true;
		}
		for (uint32_t k = 0; step->kind == ZL_STEP_CHOOSE && k < step->nr; k++) {
			if (loops_forever(s, s->weighted[step->first + k].item)) {
				return true;
			}
		}
	}
	return false;
}

static uint32_t range_last(const struct zl_expand *e, const struct zl_cpu_range *r)
{
	return r->hi == ZL_NONE ? e->options.cpus - 1 : r->hi;
}

static int count_threads(struct zl_expand *e, const struct zl_scenario_phase *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->nr_programs; i++) {
		const struct zl_scenario_program *g = &e->s->program[p->first_program + i];

		for (uint32_t k = 0; k < g->nr_ranges; k++) {
			const struct zl_cpu_range *r = &e->s->range[g->first_range + k];

			n += (range_last(e, r) - r->lo) / r->step + 1;
		}
	}
	if (n > ZL_SCENARIO_THREADS_MAX) {
		return zl_expand_fail(e, -E2BIG, p->place,
			"phase '%s' runs %U programs at once; at most %d are possible", p->name, n,
			ZL_SCENARIO_THREADS_MAX);
	}
	if (n <= e->cap_threads) {
		return 0;
	}
	e->mem->free(e->mem->user, e->thread);
	e->mem->free(e->mem->user, e->heap);
	e->thread = take(e, n, sizeof(*e->thread));
	e->heap = take(e, n, sizeof(*e->heap));
	e->cap_threads = e->thread != NULL && e->heap != NULL ? (uint32_t)n : 0;
	return e->cap_threads > 0 ? 0 : -ENOMEM;
}

static void add_thread(struct zl_expand *e, uint32_t program, uint32_t named_cpu)
{
	const struct zl_scenario_program *g = &e->s->program[program];
	uint32_t first = e->s->phase[e->phase].first_program;
	struct thread *t = &e->thread[e->nr_threads++];
	uint64_t key = zl_rng_key(g->seeded ? g->seed : e->seed, e->phase);

	memset(t, 0, sizeof(*t));
	t->program = program;
	t->named_cpu = named_cpu;
	t->cpu = zl_expand_cpu(e, named_cpu);
	t->clock = e->base;
	t->until = e->base;
	t->ticks_at = NEVER;
	t->leaf = ZL_NONE;
	t->send = ZL_NONE;
	t->background = loops_forever(e->s, g->first_step);
	zl_rng_init(&t->rng, zl_rng_key(zl_rng_key(key, program - first), named_cpu));
	memcpy(t->slot, e->slot, sizeof(t->slot));
	t->slot[SLOT_CPU] = named_cpu;
	t->frame[0].step = g->first_step;
	t->frame[0].list = g->first_step;
	t->nr_frames = 1;
	e->open += t->background ? 0 : 1;
}

/* The first thread of each CPU does the CPU's ticks. */
static int start_ticks(struct zl_expand *e, const struct zl_scenario_phase *p)
{
	int64_t ns = 0;
	uint8_t *seen;
	int rc;

	if (p->tick == ZL_NONE) {
		return 0;
	}
	rc = zl_expand_value(e, &e->rng, e->slot, p->tick, &ns);
	if (rc == 0 && (ns <= 0 || ns > INT64_MAX / 2)) {
		rc = zl_expand_fail(e, -ERANGE, p->place,
			"phase '%s': a tick every %D ns is impossible", p->name, ns);
	}
	seen = rc == 0 ? take(e, e->options.cpus, 1) : NULL;
	if (seen == NULL) {
		return rc != 0 ? rc : -ENOMEM;
	}
	e->tick_ns = (uint64_t)ns;
	for (uint32_t i = 0; i < e->nr_threads; i++) {
		struct thread *t = &e->thread[i];

		if (seen[t->cpu] == 0) {
			seen[t->cpu] = 1;
			t->ticks_at = (e->base / e->tick_ns + 1) * e->tick_ns;
		}
	}
	e->mem->free(e->mem->user, seen);
	return 0;
}

static int start_phase(struct zl_expand *e)
{
	const struct zl_scenario_phase *p = &e->s->phase[e->phase];
	int rc = count_threads(e, p);

	if (rc != 0) {
		return rc;
	}
	e->nr_threads = 0;
	e->nr_heap = 0;
	e->open = 0;
	e->current = ZL_NONE;
	zl_rng_init(&e->rng, zl_rng_key(zl_rng_key(e->seed, e->phase), STREAM_PHASE));
	for (uint32_t i = 0; i < p->nr_programs; i++) {
		const struct zl_scenario_program *g = &e->s->program[p->first_program + i];

		for (uint32_t k = 0; k < g->nr_ranges; k++) {
			const struct zl_cpu_range *r = &e->s->range[g->first_range + k];
			uint32_t last = range_last(e, r);

			for (uint64_t cpu = r->lo; cpu <= last; cpu += r->step) {
				add_thread(e, p->first_program + i, (uint32_t)cpu);
			}
		}
	}
	for (uint32_t i = 0; i < ZL_SCENARIO_STORES_MAX; i++) {
		e->queue[i].takers.first = ZL_NONE;
		e->queue[i].putters.first = ZL_NONE;
	}
	rc = start_ticks(e, p);
	for (uint32_t i = 0; rc == 0 && i < e->nr_threads; i++) {
		zl_ready_push(e, i);
	}
	e->caption = p->caption != ZL_NONE ? p->caption : e->caption;
	e->in_phase = true;
	if (rc == 0 && e->open == 0) {
		rc = zl_expand_fail(e, -EINVAL, p->place,
			"every program of phase '%s' loops forever; one must end", p->name);
	}
	return rc;
}

static int stuck(struct zl_expand *e)
{
	const struct zl_scenario_phase *p = &e->s->phase[e->phase];

	for (uint32_t q = 0; q < e->s->nr_stores; q++) {
		const struct queue *queue = &e->queue[q];
		bool room = queue->putters.first != ZL_NONE;
		uint32_t who = room ? queue->putters.first : queue->takers.first;

		if (who != ZL_NONE && !e->thread[who].background) {
			return zl_expand_fail(e, -EDEADLK, e->s->step[e->thread[who].leaf].place,
				"phase '%s' cannot go on: cpu %u waits for %s queue '%s', and no "
				"other program runs",
				p->name, e->thread[who].named_cpu, room ? "room in" : "a block in",
				e->s->store[q].name);
		}
	}
	return zl_expand_fail(e, -EDEADLK, p->place, "phase '%s' cannot go on", p->name);
}

static int end_phase(struct zl_expand *e)
{
	if (e->open > 0) {
		return stuck(e);
	}
	for (uint32_t i = 0; i < e->nr_threads; i++) {
		const struct thread *t = &e->thread[i];

		uint64_t at = t->background ? t->clock : t->until;

		e->base = at > e->base ? at : e->base;
	}
	e->in_phase = false;
	e->phase++;
	return 0;
}

static void requeue(struct zl_expand *e)
{
	zl_ready_push(e, e->current);
	e->current = ZL_NONE;
}

/* Gives the turn to the next thread that is ready. */
static int next_turn(struct zl_expand *e)
{
	const struct zl_scenario_phase *p = &e->s->phase[e->phase];
	struct thread *t;
	int64_t turn = 0;
	int rc = 0;

	e->current = zl_ready_pop(e);
	t = &e->thread[e->current];
	if (e->timed && zl_thread_key(e, t) > t->key) {
		requeue(e); /* what it did last took its time */
		return 0;
	}
	if (p->turn != ZL_NONE) {
		rc = zl_expand_value(e, &e->rng, t->slot, p->turn, &turn);
		if (rc == 0 && turn < 1) {
			rc = zl_expand_fail(e, -ERANGE, p->place,
				"phase '%s': a turn of %D ops is impossible", p->name, turn);
		}
	}
	t->turn_left = turn;
	return rc;
}

static bool turn_over(struct zl_expand *e, struct thread *t, enum thread_did did)
{
	if (did == THREAD_TURN) {
		return true;
	}
	if (did == THREAD_OP && e->s->phase[e->phase].turn != ZL_NONE) {
		if (--t->turn_left <= 0) {
			return true;
		}
	} else if (did == THREAD_OP && t->leaf == ZL_NONE) {
		return true;
	}
	return e->nr_heap > 0 && e->thread[e->heap[0]].key < zl_thread_key(e, t);
}

/* Lets the thread whose turn it is do one thing. */
static int go_current(struct zl_expand *e, struct zl_scenario_op *ret, bool *ret_op)
{
	struct thread *t = &e->thread[e->current];
	enum thread_did did = THREAD_STEP;
	int rc;

	if (e->timed && e->nr_heap > 0 && e->thread[e->heap[0]].key < zl_thread_key(e, t)) {
		requeue(e);
		return 0;
	}
	e->last = e->current;
	e->woken = ZL_NONE;
	rc = zl_thread_go(e, e->current, ret, &did);
	if (rc != 0) {
		return rc;
	}
	*ret_op = did == THREAD_OP || did == THREAD_TIMER;
	e->idle = *ret_op ? 0 : e->idle + 1;
	if (e->idle > IDLE_STEPS_MAX) {
		return zl_expand_fail(e, -EINVAL, e->s->phase[e->phase].place,
			"phase '%s' goes on without doing anything", e->s->phase[e->phase].name);
	}
	ret->cpu = t->cpu;
	if (did == THREAD_END) {
		t->ended = true;
		e->open -= t->background ? 0 : 1;
		e->current = ZL_NONE;
	} else if (did == THREAD_WAIT) {
		e->current = ZL_NONE;
	} else if (did == THREAD_LATER) {
		requeue(e);
	} else if (turn_over(e, t, did)) {
		requeue(e);
	}
	return 0;
}

/* Finds the next op of any thread. */
static int find_op(struct zl_expand *e, struct zl_scenario_op *ret, bool *ret_op)
{
	int rc = 0;

	*ret_op = false;
	while (rc == 0 && !*ret_op) {
		if (!e->in_phase) {
			if (e->phase == e->s->nr_phases) {
				e->over = true;
				return 0;
			}
			rc = start_phase(e);
		} else if (e->open == 0 || (e->current == ZL_NONE && e->nr_heap == 0)) {
			rc = end_phase(e);
		} else if (e->current != ZL_NONE) {
			rc = go_current(e, ret, ret_op);
		} else {
			rc = next_turn(e);
		}
	}
	return rc;
}

/* Completes an op with what is pending for it. */
static int finish(struct zl_expand *e, struct zl_scenario_op *op)
{
	op->phase = e->phase;
	op->caption = e->caption;
	op->stop = e->stop;
	e->caption = ZL_NONE;
	e->stop = ZL_NONE;
	e->cpu = op->cpu;
	if (++e->ops > ZL_SCENARIO_OPS_MAX) {
		return zl_expand_fail(e, -E2BIG, e->place, "the scenario has more than %U ops",
			ZL_SCENARIO_OPS_MAX);
	}
	return 0;
}

static int next_op(struct zl_expand *e, struct zl_scenario_op *ret, bool *ret_op)
{
	int rc;

	if (e->has_pending) {
		e->has_pending = false;
		*ret = e->pending;
		*ret_op = true;
		return finish(e, ret);
	}
	rc = find_op(e, ret, ret_op);
	if (rc != 0 || !*ret_op) {
		return rc;
	}
	if (ret->op.kind == ZL_OP_INIT) {
		ret->phase = e->phase;
		return 0;
	}
	if (ret->cpu != e->cpu && ret->op.kind != ZL_OP_CPU) {
		e->pending = *ret;
		e->has_pending = true;
		memset(&ret->op, 0, sizeof(ret->op));
		ret->op.kind = ZL_OP_CPU;
		ret->op.arg = ret->cpu;
		ret->work_ns = 0;
	}
	return finish(e, ret);
}

int zl_expand_read(struct zl_expand *e, struct zl_scenario_op *ret, size_t max, size_t *ret_n,
	struct zl_error *err)
{
	size_t n = 0;
	bool found = true;
	int rc = e->failed;

	while (rc == 0 && n < max && !e->over && found) {
		struct zl_scenario_op op;

		rc = next_op(e, &op, &found);
		if (rc == 0 && found) {
			ret[n++] = op;
		}
	}
	if (rc == -ENOMEM) {
		zl_error_set(&e->why, 0, 0, "no memory");
	}
	e->failed = rc;
	*ret_n = n;
	if (rc != 0 && n == 0 && err != NULL) {
		*err = e->why;
	}
	return n > 0 ? 0 : rc;
}
