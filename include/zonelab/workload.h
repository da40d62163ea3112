/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Op lists (.workload): a zone's configuration and what happens in it, one op a line. The format
 * is described in zonelab-workload(5).
 */
#ifndef ZONELAB_WORKLOAD_H
#define ZONELAB_WORKLOAD_H

#include "zonelab/buffer.h"
#include "zonelab/error.h"
#include "zonelab/sim.h"
#include "zonelab/system.h"

struct zl_estimate;

/** Most ops of one file. */
#define ZL_WORKLOAD_OPS_MAX UINT64_C(50000000)

/** A parsed op list. */
struct zl_workload {
	char name[64];		     /* first word of the first comment, or the file's name */
	char title[160];	     /* the first comment */
	struct zl_sim_config config; /* switches are the caller's to fill */
	struct zl_op *ops;
	uint32_t *lines; /* line of each op */
	unsigned format; /* 1, or 2: ops and columns that the recordings do not have */
	bool several;	 /* the zones of `system`, which is owned; else the one of `config` */
	struct zl_system_config *system;
	uint64_t *t_ns; /* of each op; NULL = no times */
	size_t nr_ops;
	const struct zl_allocator *mem;
};

/**
 * Reads an op list. Everything is checked that does not depend on the kernel: keys, ranges,
 * CPUs, orders, ids in use and not in use.
 * Returns 0; -EINVAL with line and column; -ENOMEM.
 */
int zl_workload_parse(const char *data, size_t size, const struct zl_allocator *mem,
	struct zl_workload *ret, struct zl_error *err);
/** The same from a file (gzip is unpacked), "-" for standard input. */
int zl_workload_load(const char *path, const struct zl_allocator *mem, struct zl_workload *ret,
	struct zl_error *err);
/** 0 if the list runs in one zone, else -EINVAL with a sentence. */
int zl_workload_one_zone(const struct zl_workload *w, struct zl_error *err);
/** Accepts a zeroed workload. */
void zl_workload_done(struct zl_workload *w);
/** Writes configuration and ops in the same format; reading it back gives the same. */
void zl_workload_write(const struct zl_workload *w, struct zl_buf *ret);

enum zl_trace_form {
	ZL_TRACE_NONE,
	ZL_TRACE_TSV,
	ZL_TRACE_JSON,
	ZL_TRACE_TEXT,
	ZL_TRACE_FTRACE /* kmem tracepoints; of runs of one zone */
};
/** Returns 0 or -EINVAL for a word that is none of tsv, json, text, ftrace. */
int zl_trace_form_find(const char *word, enum zl_trace_form *ret);
/** The header row of the tab-separated form (nothing for the others). */
void zl_trace_header(enum zl_trace_form form, struct zl_buf *ret);
/** The same with the columns of format 2: t_ns, node, zone. */
void zl_trace_header_2(enum zl_trace_form form, struct zl_buf *ret);
/** A record with time, node and zone. */
void zl_trace_system_record(
	enum zl_trace_form form, const struct zl_system_record *r, struct zl_buf *ret);
/** One record as one line: columns, a JSON object, or a sentence. */
void zl_trace_record(enum zl_trace_form form, const struct zl_record *r, struct zl_buf *ret);

struct zl_run_options {
	enum zl_trace_form trace;
	const char *kernel; /* what a trace as tracepoints says it is of; may be NULL */
	/** Takes pieces of the trace; returns 0 or -errno, which ends the run. */
	int (*write)(void *user, const char *data, size_t n);
	bool check; /* invariants: after every op up to 64 MiB, else every 1,000 ops, and at the end */
	bool (*stop)(void *user);     /* asked now and then; true ends the run; may be NULL */
	void *user;		      /* of write and stop */
	struct zl_estimate *estimate; /* takes the run in as overlay; may be NULL */
};

/** One zone of several after a run. */
struct zl_run_zone {
	unsigned node;
	char name[16];
	uint64_t managed;
	struct zl_totals totals;
	struct zl_zone_view view;
};

struct zl_run_result {
	enum zl_design_id design;
	uint64_t ops; /* performed */
	uint64_t digest;
	struct zl_totals totals;
	int32_t max_count, max_high; /* largest figures of the running CPU's pageset after any op */
	int32_t final_count;
	int64_t final_buddy_free;
	/* Of a machine of several zones; nr_zones 0 = one zone. */
	unsigned nr_zones;
	struct zl_system_totals system;
	struct zl_run_zone zone[ZL_SYSTEM_ZONES_MAX];
	bool complete; /* false when `stop` ended it */
};

/**
 * Runs a workload from its start under @switches.
 *
 * Returns 0; -EINVAL when zone or op are impossible (line in @err); -EILSEQ when an invariant
 * does not hold, which is a fault of ours; what `write` returned; -ENOMEM.
 */
int zl_run_workload(const struct zl_workload *w, const struct zl_switches *switches,
	const struct zl_run_options *options, struct zl_run_result *ret, struct zl_error *err);

#endif
