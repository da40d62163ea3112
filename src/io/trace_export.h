/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as kmem tracepoints: what the kernel would print, and marks for what has no tracepoint.
 */
#ifndef IO_TRACE_EXPORT_H
#define IO_TRACE_EXPORT_H

#include "zonelab/buffer.h"
#include "zonelab/sim.h"

struct trace_export {
	struct zl_observer observer;
	const struct zl_sim *sim;
	struct zl_buf *out;    /* borrowed */
	struct zl_buf pending; /* blocks that the present op took and gave */
	struct zl_op op;       /* the present one */
	unsigned wanted; /* migratetype of a fallback that is under way, ZL_MIGRATE_COUNT = none */
	uint64_t us;	 /* of the present op */
	uint32_t cpu;
};

/** Starts: head and marks of the zone go to @out. @kernel is what it runs as ("" = not known). */
void trace_export_begin(
	struct trace_export *t, struct zl_sim *sim, const char *kernel, struct zl_buf *out);
/** Before an op is performed. */
void trace_export_op(struct trace_export *t, const struct zl_op *op);
/** After it. */
void trace_export_record(struct trace_export *t, const struct zl_record *r);
void trace_export_end(struct trace_export *t);

#endif
