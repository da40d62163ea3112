/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenarios: scripted workloads. A scenario is plain data (programs for sets of CPUs, in phases)
 * and expands to ops from scenario, seed and CPU count alone: never from machine, design or cost.
 * zonelab-scenario(5) describes the file; zonelab/scenario_file.h reads and writes it.
 *
 * Order of ops. Each program runs once on each CPU of its set; call that a thread. A thread has a
 * clock in virtual nanoseconds that only `think` and `work` move. The thread with the earliest
 * clock runs; among equals the one that has waited longest for its turn, at first in order of
 * program and CPU. A turn is one step (or as many ops as the phase's `turn` says) and ends early
 * when another thread's clock is earlier or a queue makes it wait. A phase ends when all its
 * threads have ended, those that loop forever not counted; then all clocks are set to the latest.
 *
 * A CPU number beyond the machine's CPUs runs on that number modulo the CPUs.
 */
#ifndef ZONELAB_SCENARIO_H
#define ZONELAB_SCENARIO_H

#include "zonelab/error.h"
#include "zonelab/event.h"
#include "zonelab/expr.h"
#include "zonelab/policy.h"
#include "zonelab/settings.h"

#define ZL_SCENARIO_TEXT_MAX	 1024	 /* bytes of one caption, question or source */
#define ZL_SCENARIO_NAME_MAX	 32	 /* bytes of a name with its terminator */
#define ZL_SCENARIO_STORES_MAX	 32	 /* pools and queues */
#define ZL_SCENARIO_NAMES_MAX	 32	 /* parameters and variables */
#define ZL_SCENARIO_DEPTH_MAX	 16	 /* steps inside steps */
#define ZL_SCENARIO_ITEMS_MAX	 262144	 /* steps, values, texts, ... each */
#define ZL_SCENARIO_EXPLICIT_MAX 1048576 /* lines of op lists, and largest id in them */
#define ZL_SCENARIO_THREADS_MAX	 65536	 /* of one phase */
#define ZL_SCENARIO_CPUS_MAX	 8192	 /* CPU numbers in a scenario are below this */
#define ZL_SCENARIO_OPS_MAX	 UINT64_C(1000000000)
/** Ids count up to this number of allocations; then the longest free one is used again. */
#define ZL_SCENARIO_FRESH_IDS UINT32_C(1048576)
#define ZL_NONE		      UINT32_MAX

/** Where something stands in the file; 0 = unknown. */
struct zl_place {
	uint32_t line, column;
};

/** A number: constant, expression, uniform range, or one of several by weight. */
enum zl_value_kind { ZL_VALUE_CONST, ZL_VALUE_EXPR, ZL_VALUE_RANGE, ZL_VALUE_WEIGHTED };
struct zl_value {
	enum zl_value_kind kind;
	int64_t number; /* CONST */
	uint32_t a, b;	/* EXPR: expression, text; RANGE: values lo, hi; WEIGHTED: first, count */
	struct zl_place place;
};
/** An alternative: @item is a value, or the first step of a list. */
struct zl_weighted {
	uint32_t weight;
	uint32_t item;
};

enum zl_step_kind {
	ZL_STEP_ALLOC,
	ZL_STEP_BULK,
	ZL_STEP_FREE,
	ZL_STEP_MOVE,
	ZL_STEP_TICK,
	ZL_STEP_DRAIN, /* key = ZL_OP_DRAIN, DRAINALL or DRAINZONE */
	ZL_STEP_SET,
	ZL_STEP_THINK,
	ZL_STEP_LET,
	ZL_STEP_LOOP,
	ZL_STEP_CHOOSE,
	ZL_STEP_OPS,
	ZL_STEP_SAY,
	ZL_STEP_BREAK,
	ZL_STEP_CMA_ALLOC,
	ZL_STEP_PIN,
	ZL_STEP_UNPIN,
	ZL_STEP_OFFLINE,
	ZL_STEP_ONLINE,
	ZL_STEP_RECLAIM,
	ZL_STEP_NODE, /* key = 1: local */
	ZL_STEP_ZONE, /* key = type or ZL_OP_ANY_ZONE */
	ZL_STEP_KIND_COUNT
};

/** Which block leaves a store first. */
enum zl_pick { ZL_PICK_OLDEST, ZL_PICK_NEWEST, ZL_PICK_RANDOM, ZL_PICK_COUNT };

struct zl_step {
	uint8_t kind;
	uint8_t mt;	     /* alloc, bulk */
	uint8_t pick;	     /* free, move */
	uint8_t key;	     /* set: enum zl_sim_key; drain: enum zl_op_kind */
	bool all;	     /* free, move: all that is there; loop: forever */
	bool highatomic;     /* alloc */
	uint16_t from, into; /* stores */
	uint16_t name;	     /* let: variable */
	/* alloc: order; bulk, cma_alloc, reclaim: pages; set, let: value; think: ns; CPU or node */
	uint32_t value;
	uint32_t align; /* cma_alloc: order of the alignment */
	uint32_t count; /* how often; loop: passes */
	uint32_t work;	/* nanoseconds after each op; ZL_NONE = none */
	uint32_t first; /* loop: child; choose: weighted; ops: explicit op; say, break: text */
	uint32_t nr;	/* choose, ops: how many */
	uint32_t next;	/* sibling, ZL_NONE = last */
	struct zl_place place;
};

/** A pool is every CPU's own and never full; a queue is shared, in order, and makes wait. */
struct zl_scenario_store {
	char name[ZL_SCENARIO_NAME_MAX];
	bool queue;
	uint32_t capacity;    /* queue: blocks */
	uint32_t hold;	      /* pool: value, nanoseconds until it frees a block; ZL_NONE = never */
	uint32_t hold_allocs; /* pool: value, allocations into it until it frees a block */
	uint32_t
		link; /* pool: value, nanoseconds of the link that a block goes over; ZL_NONE = none */
};

/** A parameter has a value for the whole run; a variable is each thread's own. */
struct zl_scenario_name {
	char name[ZL_SCENARIO_NAME_MAX];
	bool parameter;
	int64_t value;	     /* parameter, full form */
	int64_t short_value; /* parameter, short form */
	bool short_given;
};

/** CPUs lo, lo + step, ... up to hi; "all" is 0..ZL_NONE by 1. */
struct zl_cpu_range {
	uint32_t lo, hi, step;
};

struct zl_scenario_program {
	uint32_t first_range, nr_ranges;
	uint32_t cpus_text;
	uint32_t first_step;
	bool seeded;
	uint64_t seed;
};

struct zl_scenario_phase {
	char name[64];
	uint32_t caption; /* text, ZL_NONE = none */
	uint32_t first_program, nr_programs;
	uint32_t turn; /* value: ops of a turn; ZL_NONE = one step */
	uint32_t tick; /* value: nanoseconds between ticks; ZL_NONE = no ticks by themselves */
	struct zl_place place;
};

/** Shown from op @op on. */
struct zl_scenario_caption {
	uint64_t op;
	uint32_t text;
};

/** Stops one op before @op, or after an op for which @when holds (names: metrics). */
struct zl_scenario_break {
	uint64_t op;   /* 0 = by @when */
	uint32_t when; /* text of an expression */
	bool before;   /* of a `when`: one op earlier */
	uint32_t text; /* what to say, ZL_NONE = nothing */
};

/** One claim about a run: an expression over metrics. */
struct zl_scenario_assert {
	uint32_t expr;	/* text */
	uint32_t phase; /* ZL_NONE = the whole run */
	bool always;	/* after each op of the scope, not at its end */
	uint32_t text;	/* why, ZL_NONE = not said */
	uint32_t line, column;
};

/** What was published about a lane of the scenario. */
struct zl_scenario_reported {
	uint32_t lane; /* text: NAME:ITEM,ITEM... */
	uint32_t text;
};

/** What the zone is when nothing above the scenario changes the machine. -1 = follows. */
struct zl_scenario_zone {
	int64_t node; /* -1 and "" = the zone with most memory */
	char name[16];
	bool remote; /* the CPUs are on another node */
	int64_t pages, managed, wmark_min, wmark_low, wmark_high;
	int64_t cma; /* bytes of a CMA area at the zone's end; of all zones, in the largest */
	bool all;    /* every zone of the machine, with zonelists */
	bool no_watermarks;	/* of all zones: requests take what there is */
	int64_t direct_reclaim; /* of all zones: pages a round; -1 = there is none */
	struct zl_place place;
};

struct zl_scenario {
	char name[64];
	char title[160];
	uint32_t question, source, about; /* texts */
	uint64_t seed;
	char profile[256];	       /* name or file of the machine, "" = none */
	struct zl_settings settings;   /* origin SCENARIO */
	struct zl_policy_set policies; /* the same; owned */
	struct zl_scenario_zone zone;
	struct zl_scenario_store store[ZL_SCENARIO_STORES_MAX];
	uint32_t nr_stores;
	struct zl_scenario_name names[ZL_SCENARIO_NAMES_MAX];
	uint32_t nr_names;
	/* Arrays, all owned. */
	struct zl_scenario_phase *phase;
	struct zl_scenario_program *program;
	struct zl_cpu_range *range;
	struct zl_step *step;
	struct zl_value *value;
	struct zl_weighted *weighted;
	struct zl_expr *expr;
	struct zl_op *explicit_op;
	struct zl_place *explicit_place;
	struct zl_scenario_caption *caption;
	struct zl_scenario_break *breakpoint;
	struct zl_scenario_assert *assertion;
	struct zl_scenario_reported *reported;
	char *text; /* terminated strings; an index is a byte */
	uint32_t nr_phases, nr_programs, nr_ranges, nr_steps, nr_values, nr_weighted, nr_exprs;
	uint32_t nr_explicit, nr_captions, nr_breaks, nr_asserts, nr_reported, text_len;
	uint32_t explicit_id_max; /* largest id that an op list names */
	uint32_t nr_cleaned;	  /* texts that lost control characters */
	const struct zl_allocator *mem;
};

void zl_scenario_init(struct zl_scenario *s, const struct zl_allocator *mem);
/** Accepts a zeroed scenario. */
void zl_scenario_done(struct zl_scenario *s);
/** The text of an index, "" for ZL_NONE. */
const char *zl_scenario_text(const struct zl_scenario *s, uint32_t text);
/** "alloc", "bulk", ...: the key that a step of this kind has in a file. */
const char *zl_step_kind_name(enum zl_step_kind k);
const char *zl_pick_name(enum zl_pick p);

/** What a scenario expands from. Zero = the scenario's own seed, full form, 1 CPU. */
struct zl_expand_options {
	unsigned cpus; /* of the zone */
	bool seeded;   /* `seed` replaces the scenario's */
	uint64_t seed;
	bool short_form;
};

/** One op of the scripted interleaving. */
struct zl_scenario_op {
	struct zl_op op;
	uint32_t cpu;	  /* that runs it; of a `cpu` op, the new one */
	uint32_t phase;	  /* index */
	uint32_t caption; /* text that is to be shown from before this op on; ZL_NONE = no change */
	uint32_t stop;	  /* text of a `break` before this op; ZL_NONE = none */
	uint64_t t_ns;	  /* clock of the thread when the op starts */
	uint64_t work_ns; /* that it spends after the op */
};

struct zl_expand;

/**
 * Starts an expansion. @s must outlive it.
 * Returns 0; -EINVAL or -E2BIG with a sentence; -ENOMEM.
 */
int zl_expand_new(const struct zl_scenario *s, const struct zl_expand_options *options,
	const struct zl_allocator *mem, struct zl_expand **ret, struct zl_error *err);
void zl_expand_free(struct zl_expand *e);
/**
 * Writes up to @max further ops. The sequence does not depend on how it is cut into calls.
 * Memory grows with the blocks in use, not with the ops.
 *
 * Returns 0 with @ret_n set, 0 at the end; -EINVAL, -ERANGE, -EDOM, -EDEADLK, -E2BIG with a
 * sentence and the step's place for a scenario that cannot go on; -ENOMEM. Ops before the error
 * are delivered first.
 */
int zl_expand_read(struct zl_expand *e, struct zl_scenario_op *ret, size_t max, size_t *ret_n,
	struct zl_error *err);
/**
 * From here on the clocks are those of a cost estimate: each op takes as long as
 * zl_expand_took() says, and blocks that come into a pool with a link queue for it; who frees one
 * waits until it is through. Before the first read; then ops are read one at a time. The order of
 * ops is then no longer the scripted one.
 *
 * The link of a pool is one for all CPUs, first come first served. What it was in use is counted
 * from @from_ns to @to_ns.
 */
void zl_expand_timed(struct zl_expand *e, uint64_t from_ns, uint64_t to_ns);
/**
 * Timed: how long the op that was read last took, its work not counted; ops of kind ZL_OP_CPU,
 * which this makes, take no time and need no answer. With @more the op is not over: when the
 * CPU's clock is there an op of kind ZL_OP_INIT is read, which is answered in the same way.
 */
void zl_expand_took(struct zl_expand *e, uint64_t ns, bool more);
/** Timed: nanoseconds that all links were in use; @ret_links is how many there are. */
uint64_t zl_expand_link_ns(const struct zl_expand *e, unsigned *ret_links);
/** Ops delivered so far. */
uint64_t zl_expand_ops(const struct zl_expand *e);
/** Where the op that was read last stands in the file; of a tick by itself, its phase. */
struct zl_place zl_expand_place(const struct zl_expand *e);
/** Whether a CPU number was beyond the machine's and wrapped; which one. */
bool zl_expand_wrapped(const struct zl_expand *e, uint32_t *ret_cpu);

/** Reads "0", "0-3", "0,2,8-14:2", "all" into at most @max ranges; returns how many or -EINVAL. */
int zl_cpu_ranges_parse(
	const char *text, struct zl_cpu_range *ret, size_t max, struct zl_error *err);

#endif
