/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An expansion in progress: blocks in stores, threads, and the order in which they run.
 */
#ifndef MODEL_SCENARIO_PRIVATE_H
#define MODEL_SCENARIO_PRIVATE_H

#include "zonelab/rng.h"
#include "zonelab/scenario.h"

/* Values that an expression sees: cpu, cpus, pass, then parameters and variables. */
enum { SLOT_CPU, SLOT_CPUS, SLOT_PASS, SLOT_NAMES };
#define SLOTS_MAX (SLOT_NAMES + ZL_SCENARIO_NAMES_MAX)

/* Steps in a row that may pass without an op. */
#define IDLE_STEPS_MAX 10000000u
#define NEVER	       UINT64_MAX

/* A block that frees itself when `due` is reached: nanoseconds or allocations. */
struct hold {
	uint64_t due;
	uint64_t seq; /* order of arrival, for equal dues */
	uint32_t id;
};

/* Ids of the blocks in one pool or queue. */
struct blocks {
	uint32_t *ids; /* ring; oldest at head */
	uint32_t head, count, cap;
	struct hold *held; /* heap by (due, seq), instead of the ring where the pool holds */
	uint32_t nr_held, cap_held;
	uint64_t puts; /* blocks that ever came in */
};

/* The pools of one CPU number as the scenario names it. */
struct pools {
	struct blocks *store; /* one a store of the scenario, NULL = nothing yet */
};

/* Threads that wait, in order of coming. */
struct waiters {
	uint32_t first, last; /* threads, ZL_NONE = none */
};

struct queue {
	struct blocks blocks;
	struct waiters takers, putters;
};

struct frame {
	uint32_t step; /* next one, ZL_NONE = end of the list */
	uint32_t list; /* first step of the list */
	bool loop, forever;
	int64_t left; /* passes after this one */
	int64_t pass;
};

struct thread {
	uint32_t program;
	uint32_t named_cpu; /* as the scenario counts */
	uint32_t cpu;	    /* where it runs */
	uint64_t clock;
	uint64_t until;	      /* when the program goes on */
	uint64_t ticks_at;    /* next tick by itself, NEVER = none */
	uint64_t key, serial; /* place in the order */
	uint32_t next_waiter;
	bool background; /* loops forever */
	bool ended, waiting;
	struct zl_rng rng;
	int64_t slot[SLOTS_MAX];
	struct frame frame[ZL_SCENARIO_DEPTH_MAX + 1];
	unsigned nr_frames;
	/* The step in progress. */
	uint32_t leaf; /* ZL_NONE = none */
	int64_t left;  /* ops of it, in this turn or later ones */
	uint32_t done; /* ops of it that are over */
	int64_t asked; /* order or pages of an allocation that waits, -1 = none */
	int64_t turn_left;
	/* Timed. */
	uint64_t owed; /* work after the op that runs */
	uint32_t send; /* first block that goes over a link next, ZL_NONE = none */
	uint32_t send_n;
	uint16_t send_by;     /* store */
	bool again;	      /* its op is not over; goes on at `until` */
	bool in_timer;	      /* the op that runs is none of its program */
	uint64_t timer_until; /* then: when the program goes on at the earliest */
};

struct zl_expand {
	const struct zl_scenario *s;
	const struct zl_allocator *mem;
	struct zl_expand_options options;
	uint64_t seed;
	/* the phase */
	uint32_t phase;
	bool in_phase;
	struct thread *thread;
	uint32_t nr_threads, cap_threads;
	uint32_t *heap; /* ready threads by (key, serial) */
	uint32_t nr_heap;
	uint32_t current; /* whose turn it is, ZL_NONE = nobody's */
	uint32_t open;	  /* threads that must end before the phase does */
	uint64_t serial;
	uint64_t base; /* clock at the start of the phase */
	uint64_t tick_ns;
	struct zl_rng rng; /* of the phase */
	int64_t slot[SLOTS_MAX];
	/* the world */
	struct pools *pools; /* by named CPU */
	uint32_t nr_pools;
	struct queue queue[ZL_SCENARIO_STORES_MAX];
	uint8_t *explicit_used; /* bits, by id */
	uint32_t next_id, fresh;
	struct blocks free_ids;
	/* what comes out */
	uint32_t cpu; /* that the last op left running */
	uint64_t ops;
	uint32_t idle;
	uint32_t caption, stop;	       /* for the next op */
	struct zl_place place;	       /* of the last op */
	struct zl_scenario_op pending; /* behind a `cpu` op */
	bool has_pending;
	/* timed */
	bool timed;
	uint32_t last;	/* thread of the op read last */
	uint32_t woken; /* that it woke, ZL_NONE = none */
	uint64_t from_ns, to_ns, link_ns;
	uint64_t link_free[ZL_SCENARIO_STORES_MAX];
	uint64_t *ready; /* by id: when it is through its link */
	uint32_t nr_ready;
	bool over;
	bool holds; /* some pool frees by itself */
	bool wrapped;
	uint32_t wrapped_cpu;
	int failed; /* sticky */
	struct zl_error why;
};

/* Blocks. All may return -ENOMEM; then nothing has changed. */
int zl_blocks_put(struct blocks *b, uint32_t id, const struct zl_allocator *mem);
/* Takes one; there must be one. @index counts from the oldest. */
uint32_t zl_blocks_take(struct blocks *b, uint32_t index);
uint32_t zl_blocks_peek(const struct blocks *b, uint32_t index);
int zl_blocks_hold(struct blocks *b, uint64_t due, uint32_t id, const struct zl_allocator *mem);
uint32_t zl_blocks_release(struct blocks *b);
uint32_t zl_blocks_count(const struct blocks *b);
void zl_blocks_done(struct blocks *b, const struct zl_allocator *mem);

/* Fails with a sentence at a place of the file; returns @rc. */
int zl_expand_fail(struct zl_expand *e, int rc, struct zl_place at, const char *fmt, ...);
/* Value @v with the thread's names and numbers. */
int zl_expand_value(
	struct zl_expand *e, struct zl_rng *rng, const int64_t *slot, uint32_t v, int64_t *ret);

/* One of @n alternatives from @first on, by weight. */
uint32_t zl_expand_choose(
	const struct zl_expand *e, struct zl_rng *rng, uint32_t first, uint32_t n);
/* A CPU of the machine for a CPU number of the scenario. */
uint32_t zl_expand_cpu(struct zl_expand *e, uint32_t named_cpu);

/* What a thread did. */
enum thread_did {
	THREAD_OP,    /* one op of its program */
	THREAD_TIMER, /* one op that was due by time */
	THREAD_STEP,  /* something without an op */
	THREAD_TURN,  /* its step is over */
	THREAD_WAIT,  /* it waits for a queue */
	THREAD_LATER, /* timed: it goes on when a block is through its link */
	THREAD_END,
};
/* Lets a thread do one thing. Returns 0 or -errno; @ret is set for THREAD_OP. */
int zl_thread_go(
	struct zl_expand *e, uint32_t thread, struct zl_scenario_op *ret, enum thread_did *ret_did);
/* When it next wants to run. */
uint64_t zl_thread_key(struct zl_expand *e, const struct thread *t);
/* The order of threads that are ready: by key, then by when they came. */
void zl_ready_push(struct zl_expand *e, uint32_t thread);
uint32_t zl_ready_pop(struct zl_expand *e);
/* The first thread that waits may go on. */
void zl_expand_wake(struct zl_expand *e, struct waiters *w, uint64_t now);
void zl_expand_wait(struct zl_expand *e, struct waiters *w, uint32_t thread);
/* One step of a thread's program. */
int zl_step_go(
	struct zl_expand *e, uint32_t thread, struct zl_scenario_op *ret, enum thread_did *ret_did);
/* The pools of a named CPU, NULL without memory. */
struct blocks *zl_expand_pools(struct zl_expand *e, uint32_t named_cpu);
/* Timed: what the thread has to send goes over its link now. Returns 0 or -ENOMEM. */
int zl_link_send(struct zl_expand *e, struct thread *t);
/* When a block is through the link that it went over. */
uint64_t zl_link_ready(const struct zl_expand *e, uint32_t id);
/* A block that was freed: its id may be used again some day. */
int zl_expand_id_freed(struct zl_expand *e, uint32_t id);

#endif
