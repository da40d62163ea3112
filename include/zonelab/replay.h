/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded trace as ops for a zone, and how well the recorded machine's own design explains what
 * else the trace shows.
 *
 * What the trace says becomes demand: each mm_page_alloc an alloc, each mm_page_free a free where
 * the block reaches the pageset (at its mm_page_free_batched line if there is one). What the
 * allocator answered (refills, drains) is not demand; it is what the replay is judged by.
 *
 * Before the demand stand ops that bring the zone to the state that the trace and zoneinfo tell
 * of: blocks that the trace frees without having shown their allocation, and the blocks that lay
 * on pagesets. A list's blocks are counted back from the first moment at which it was seen empty;
 * until then they are not known, and what depends on them is not judged.
 *
 * Simplified: free lists before the trace are not known, the zone starts unfragmented.
 */
#ifndef ZONELAB_REPLAY_H
#define ZONELAB_REPLAY_H

#include "zonelab/kmem.h"
#include "zonelab/sim.h"

/** Blocks in use or on pagesets at the same time that are followed. */
#define ZL_REPLAY_BLOCKS_MAX (UINT64_C(1) << 26)
/** Unexplained events that are kept to be listed. */
#define ZL_REPLAY_LISTED 16
/** Zones that a trace may describe by itself. */
#define ZL_RECORDING_ZONES    16
#define ZL_RECORDING_PAGESETS 512 /* of each; the rest is left out */

/** What a recording says by itself (marks of an exported or anonymised trace). */
struct zl_recording_marks {
	bool exported; /* written by a run: ids stand in page=, marks say what has no event */
	bool has_config;
	struct zl_sim_config config; /* has_config; switches are the caller's */
	char kernel[64];
	struct zl_settings settings; /* of the recorded machine */
	struct zl_zone_facts zones[ZL_RECORDING_ZONES];
	size_t nr_zones;
	struct zl_observed_pcp pcp[ZL_RECORDING_ZONES][ZL_RECORDING_PAGESETS];
};

/** A trace taken in: its events in a compact form, in memory or beyond 8 MiB in a temporary file. */
struct zl_recording {
	const struct zl_allocator *mem;
	struct spool *spool;
	struct zl_import_file report;
	uint64_t events[ZL_TRACED_COUNT];
	uint64_t lost;	  /* events that the recorder says it lost */
	unsigned nr_cpus; /* CPUs with events */
	unsigned cpus;	  /* highest CPU number + 1 */
	uint64_t first_ns, last_ns;
	uint64_t backwards; /* events that are earlier than one before them */
	uint64_t pfn_min, pfn_end;
	bool complete; /* false: reading was stopped */
	struct zl_recording_marks marks;
};

/** Asked now and then while something long goes on: work done and in all (0 = not known). */
struct zl_patience {
	/** True ends the work. */
	bool (*stop)(void *user);
	void (*progress)(void *user, uint64_t done, uint64_t all);
	void *user;
};
/** Tells how far it is and asks; true: to be ended. @p may be NULL, then it never is. */
bool zl_patience_ends(const struct zl_patience *p, uint64_t done, uint64_t all);

/**
 * Takes in a whole trace. @patience may be NULL.
 * Returns 0 (also when stopped, see `complete`); errors of zl_trace_open() and zl_trace_next();
 * -ENODATA when nothing in it is a kmem event; -ENOSPC without room for the temporary file.
 */
int zl_recording_load(const char *path, const struct zl_allocator *mem,
	const struct zl_patience *patience, struct zl_recording **ret, struct zl_error *err);
/** The same from text in memory. */
int zl_recording_from_memory(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_recording **ret, struct zl_error *err);
/** NULL is allowed. */
void zl_recording_free(struct zl_recording *r);
/** Events inside a range of page frames, failed requests left out; spanned 0 = all. */
uint64_t zl_recording_count(const struct zl_recording *r, uint64_t start_pfn, uint64_t spanned);

/** Where the pages that lay on pagesets at the start are taken from. */
enum zl_parked_rule {
	ZL_PARKED_ZONEINFO, /* as many as zoneinfo says; what did not show lies on lists that did not */
	ZL_PARKED_SHOWN, /* only the blocks that showed */
	ZL_PARKED_DRAIN, /* as many as make the first drain come where the trace has it */
	ZL_PARKED_COUNT
};
/** "zoneinfo", "the blocks that showed", "the first drain". */
const char *zl_parked_name(enum zl_parked_rule r);

/** Where a recording is replayed. */
struct zl_replay_where {
	struct zl_sim_config config; /* of the recorded zone, under the recorded release */
	uint64_t start_pfn, spanned; /* events elsewhere are left out; spanned 0 = none are */
	char zone[16];		     /* for watermark events; "" = none count */
	unsigned node;
	const struct zl_observed_pcp *pcp; /* pagesets before the trace; NULL = not known */
	size_t nr_pcp;
	int64_t free; /* pages in the buddy before the trace, -1 = not known */
	enum zl_parked_rule parked;
	int32_t *parked_more; /* with ZL_PARKED_DRAIN: pages for each CPU of the recording; owned */
	/*
	 * Refreshes are that far into each second of the trace's clock. When it is not given, a
	 * kworker's drain tells it, else seconds count from the first event.
	 */
	bool phase_given;
	uint64_t phase_ns;
	bool slice_known;    /* config.cache_slice was said, not assumed */
	bool slice_inferred; /* it was found by zl_replay_fit() */
};

/** What was found out about the demand. */
struct zl_replay_demand {
	uint64_t elsewhere;	 /* events in other zones */
	uint64_t failed;	 /* requests that failed on the recorded machine: no demand */
	uint64_t before;	 /* blocks freed whose allocation was before the trace */
	uint64_t unseen_takes;	 /* blocks that left a pageset without an event: bulk allocation */
	uint64_t unseen_frees;	 /* blocks allocated again without a free in between */
	uint64_t unseen_refills; /* blocks that came to a list known to be empty without an event */
	uint64_t ticks;		 /* refreshes inferred from the clock */
	uint64_t phase_ns;	 /* they are so far into each second of it */
	bool phase_seen;	 /* as a kworker's drain shows */
	uint64_t drains_alone;	 /* runs of drains without a free before them */
	uint64_t moved;		 /* allocations reported by another CPU than their pageset's */
	uint64_t refilled;	 /* blocks that came to pagesets */
	uint64_t open_refills;	 /* of these, for a request that has no event */
	uint64_t drained;	 /* blocks that went back */
	uint64_t drained_unused; /* of these, refilled in this trace and not used in between */
	bool refill_events;	 /* refills counted by mm_page_pcpu_refill */
	uint64_t unrecorded;	 /* pages of refills that no event shows: none was recorded */
	uint64_t parked_known,
		parked_shown;	     /* pages on pagesets at the start: counted back; zoneinfo */
	unsigned lists, lists_exact; /* pageset lists that the trace touches; known exactly */
};

enum zl_judged {
	ZL_JUDGED_SAME, /* the model did the same on the same op */
	ZL_JUDGED_NEAR, /* it refilled or drained there, but another number; or some frees off */
	ZL_JUDGED_ONLY_TRACE,
	ZL_JUDGED_ONLY_MODEL,
	ZL_JUDGED_UNKNOWN, /* depends on a state that was not known yet */
	ZL_JUDGED_COUNT
};
const char *zl_judged_name(enum zl_judged j);

/** Refills or drains of one CPU, or of all. */
struct zl_replay_tally {
	uint64_t seen, predicted;	    /* how many */
	uint64_t seen_size, predicted_size; /* blocks refilled, pages drained */
	uint64_t judged[ZL_JUDGED_COUNT];
	uint64_t off; /* of what was judged, by how many blocks or pages the model differs */
};
struct zl_replay_cpu {
	bool used;
	uint64_t ops;
	struct zl_replay_tally refill, drain;
	uint64_t drains_alone; /* pages that a drain without a cause in the trace gave back */
	/* of the first drain that a free caused in the trace */
	struct {
		unsigned line;
		uint8_t order;		   /* of that free */
		uint64_t frees;		   /* of that order in a row, this one included */
		uint64_t pages_before;	   /* freed since the last request, this one not included */
		uint64_t pages;		   /* drained */
		bool predicted, free_high; /* in the model */
		int32_t threshold;	   /* of free_high there; 0 where it does not exist */
		int64_t lacking; /* pages that the model's count was short of its limit there */
	} first_drain;
};

/** An event that the model does not explain. */
struct zl_unexplained {
	enum zl_judged judged; /* SIZE, ONLY_TRACE or ONLY_MODEL */
	bool drain;
	unsigned line;
	uint32_t cpu;
	uint64_t time_ns; /* from the first event on */
	uint8_t order;
	uint8_t mt;
	uint64_t seen, predicted;
	char why[160];
};

struct zl_replay_result {
	struct zl_replay_demand demand;
	uint64_t ops, start_ops; /* performed in all; of these before the demand */
	uint64_t digest;
	struct zl_totals totals; /* of the demand alone */
	struct zl_replay_tally refill, drain;
	unsigned score; /* of 1000 judged events, how many are the same; 1000 when none is judged */
	uint64_t judged;
	struct zl_unexplained unexplained[ZL_REPLAY_LISTED];
	uint64_t nr_unexplained;
	uint64_t extfrag_seen, extfrag_model;
	int32_t count[64], high[64]; /* of the first CPUs' pagesets at the end */
	bool complete;
	struct zl_replay_cpu *cpu; /* `cpus` of them; owned */
	unsigned cpus;
};
/** Accepts a zeroed result. */
void zl_replay_result_done(struct zl_replay_result *r, const struct zl_allocator *mem);

/**
 * Replays a recording in its own zone and judges it.
 * Returns 0 (also when stopped); -EINVAL when the zone cannot be made; -E2BIG above
 * ZL_REPLAY_BLOCKS_MAX; -ENOMEM; -EIO of the temporary file.
 */
int zl_replay_run(const struct zl_recording *r, const struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay_result *ret, struct zl_error *err);

/**
 * The same, and when drains are not explained, again with other assumptions about what no file
 * says: whether a flush waits for a batch (the cache slice), and how much lay on pagesets at the
 * start. The best one is kept, in @where too.
 */
int zl_replay_fit(const struct zl_recording *r, struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay_result *ret, struct zl_error *err);
/** Frees what zl_replay_fit() put there. */
void zl_replay_where_done(struct zl_replay_where *where, const struct zl_allocator *mem);

/** The ops of a replay, one after another, for any run. The recording must outlive it. */
struct zl_replay;
int zl_replay_new(const struct zl_recording *r, const struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay **ret, struct zl_error *err);
void zl_replay_free(struct zl_replay *p);
/** Where an op comes from. */
struct zl_replay_at {
	unsigned line; /* of the trace, 0 = none */
	uint32_t cpu;
	uint64_t t_ns; /* from the first event on; 0 before the demand */
};
/** Returns 1 and an op; 0 at the end; -errno. @ret_at may be NULL. */
int zl_replay_next(
	struct zl_replay *p, struct zl_op *ret, struct zl_replay_at *ret_at, struct zl_error *err);
/** Ops before the demand. */
uint64_t zl_replay_start_ops(const struct zl_replay *p);
/** A configuration with every CPU that the recording needs. */
void zl_replay_config(const struct zl_recording *r, struct zl_sim_config *c);

#endif
