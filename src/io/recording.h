/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks in a trace: what an exported or anonymised one says of itself. */
#ifndef IO_RECORDING_H
#define IO_RECORDING_H

#include "spool.h"
#include "zonelab/replay.h"

/* The first mark of a run that was exported. */
#define MARK_EXPORTED "format 1, ids in page="

/* Asked now and then while a trace is read; true: to be ended. */
bool recording_ends(const struct zl_trace *trace, const struct zl_patience *p);
/* A name as 16 bits. */
uint16_t recording_name_hash(const char *s, size_t n);
/*
 * Takes in a mark. Returns 1 when it is an op, which @op_ret then holds; 0 for any other.
 * What is not understood is left out; an older zonelab must read what a newer one writes.
 */
int recording_mark(
	struct zl_recording_marks *m, const struct zl_trace_word *text, struct spool_event *op_ret);
/* A worker of the kernel: "kworker/0:1-events", or "kworker" as zl_anonymise() writes it. */
bool recording_kworker(const struct zl_trace_word *comm);
/* The op of a spooled mark. */
void recording_op(const struct spool_event *e, struct zl_op *ret);

#endif
