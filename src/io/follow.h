/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Following a recording: which block is where, told by events alone, without any rule of when a
 * pageset refills or drains. Out of it come the ops of the demand, and beside them what the trace
 * shows of the allocator's answers.
 */
#ifndef IO_FOLLOW_H
#define IO_FOLLOW_H

#include "block_map.h"
#include "spool.h"
#include "zonelab/replay.h"

#define FOLLOW_LISTS ZL_PCP_LISTS_MAX
/* Frees that are held back, since a batched line may follow. */
#define FOLLOW_HELD   1024u
#define FOLLOW_NONE   UINT32_MAX
#define FOLLOW_SECOND UINT64_C(1000000000)

enum follow_kind {
	FOLLOW_OP,     /* an op of the demand */
	FOLLOW_DRAIN,  /* pages that went back to the buddy under the CPU's last op */
	FOLLOW_REFILL, /* blocks that came to a list for a request that has no event */
	FOLLOW_LOST,   /* events of this CPU are missing from here on */
	FOLLOW_END     /* the recording ends; what follows was on its way */
};

struct follow_step {
	enum follow_kind kind;
	struct zl_op op;
	uint16_t cpu;
	uint8_t list;  /* of an alloc or free on a pageset; FOLLOW_LISTS = none */
	uint8_t order; /* of an alloc or free */
	uint8_t mt;
	bool exact;	 /* an alloc: what its list holds is known; a drain: a free caused it */
	bool whole;	 /* a drain alone: nothing that is known by name is left on the pageset */
	bool fixes;	 /* an alloc: its refill is what told how much the list had held */
	uint32_t blocks; /* an alloc: refilled for it; a refill: how many */
	uint32_t pages;	 /* a drain */
	unsigned line;
	uint64_t time_ns;
};

struct follow_list {
	uint32_t known;	  /* blocks on it that are known by name */
	uint32_t epoch;	  /* goes up when it was seen empty */
	uint32_t refill;  /* blocks that came since the last request */
	uint32_t serial;  /* of the CPU when the last of them came */
	uint32_t initial; /* blocks that lay there at the start, as far as they have shown */
	uint32_t unclaimed, unclaimed_id; /* ids of blocks that left it without an event */
	bool exact;			  /* was seen empty once */
	bool was_exact;			  /* before the refill under way */
	bool touched;
	bool lost; /* it was exact before events were lost */
	bool sure; /* second pass: what it held at the start is known */
};

struct follow_held {
	uint64_t pfn;
	uint64_t time_ns;
	unsigned line;
	uint8_t order;
};

enum follow_last { LAST_NOTHING, LAST_FREE, LAST_BATCHED, LAST_DRAIN, LAST_OTHER };

struct follow_cpu {
	struct follow_list list[FOLLOW_LISTS];
	struct follow_held *held; /* FOLLOW_HELD of them, a ring; NULL until needed */
	uint32_t held_at, nr_held;
	enum follow_last last;
	uint32_t serial; /* of its events other than blocks taken */
	bool used, second_known, refreshed;
	bool gap;	       /* events were lost */
	uint64_t second;       /* of the last refresh */
	uint64_t refreshed_ns; /* when the trace last showed one */
	/* a run of drains */
	bool draining, caused; /* by an op */
	bool worker;	       /* a kworker's */
	uint32_t drain_cpu;    /* whose blocks */
	unsigned drain_list;
	uint32_t drain_pages;
	unsigned drain_line;
	uint64_t drain_time;
	bool freed; /* the last op was a free or a refresh */
};

struct follow_before {
	uint64_t pfn;
	uint8_t order, mt;
};

struct follow {
	const struct zl_allocator *mem;
	const struct zl_replay_where *where;
	bool exported, refill_events, surveying;
	unsigned thp_order; /* with lists, 0 = none */
	unsigned nr_lists;
	uint64_t phase_ns; /* refreshes are so far into a second of the trace's clock */
	bool phase_seen;   /* a kworker's drain has told it: */
	uint64_t seen_phase_ns;
	struct follow_cpu *cpu;
	unsigned nr_cpus;
	struct block_map blocks;
	struct block_map types; /* pageblocks; `state` is the migratetype */
	struct zl_replay_demand demand;
	/* ids */
	uint32_t before_base;	      /* of blocks allocated before the trace */
	uint32_t nr_before;	      /* met so far */
	struct follow_before *before; /* surveying: what they are */
	uint32_t next_id;
	uint32_t *freed_id;
	size_t nr_freed, max_freed;
	uint32_t cpu_now;	  /* that ops run on */
	struct follow_step *step; /* queue */
	size_t step_at, nr_steps, max_steps;
	uint64_t extfrag;
	int failed; /* -errno */
};

int follow_start(struct follow *f, const struct zl_recording *r,
	const struct zl_replay_where *where, const struct zl_allocator *mem);
void follow_done(struct follow *f);
/* Takes in an event. Returns 0 or -errno; steps are then in the queue. */
int follow_event(struct follow *f, const struct spool_event *e);
/* Nothing comes any more. */
int follow_end(struct follow *f);
/* Takes the next step off the queue; false when it is empty. */
bool follow_step(struct follow *f, struct follow_step *ret);

/* --- between the files of the follower --- */

/** A block of a list that was on it before: it lay there at the start, or came by an unseen refill. */
static inline void follow_unseen(struct follow *f, struct follow_list *l)
{
	l->touched = true;
	if (!l->exact) {
		l->initial++;
	} else {
		f->demand.unseen_refills++;
	}
}

/* List of an order and a migratetype as the kernel numbers it; FOLLOW_LISTS = none. */
unsigned follow_list_of(const struct follow *f, unsigned order, int mt);
/* The list's order and migratetype. */
void follow_list_kind(const struct follow *f, unsigned list, unsigned *ret_order, unsigned *ret_mt);
struct follow_step *follow_push(
	struct follow *f, enum follow_kind kind, uint32_t cpu, const struct spool_event *e);
/* An op on a CPU; goes there first. */
struct follow_step *follow_op(
	struct follow *f, const struct zl_op *op, uint32_t cpu, const struct spool_event *e);
uint32_t follow_new_id(struct follow *f);
void follow_drop_id(struct follow *f, uint32_t id);
/* Migratetype list of a pageblock: what is known of it, else @guess. */
unsigned follow_type(const struct follow *f, uint64_t pfn, unsigned guess);
void follow_learn_type(struct follow *f, uint64_t pfn, int mt, bool sure);
/* A list is empty now: known blocks on it have left without an event. */
void follow_empty(struct follow *f, uint32_t cpu, unsigned list, const struct spool_event *e);
/* An allocation that no event told of. */
uint32_t follow_unseen_take(struct follow *f, uint32_t cpu, unsigned list, uint32_t blocks,
	const struct spool_event *e);
/* Frees that were held back become ops: all of a CPU, or up to one block. */
void follow_commit_all(struct follow *f, uint32_t cpu);
bool follow_commit_to(struct follow *f, uint32_t cpu, uint64_t pfn, const struct spool_event *at);
void follow_free(struct follow *f, const struct spool_event *e);
void follow_batched(struct follow *f, const struct spool_event *e);
void follow_drain(struct follow *f, const struct spool_event *e);
void follow_drain_end(struct follow *f, uint32_t cpu);
/* A run that was exported: ids and ops are told, only answers are counted. */
void follow_exported(struct follow *f, const struct spool_event *e);

#endif
