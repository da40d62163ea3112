/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run in progress: trace, invariants and figures, whatever its ops come from.
 */
#ifndef IO_RUN_PRIVATE_H
#define IO_RUN_PRIVATE_H

#include "trace_export.h"
#include "zonelab/estimate.h"
#include "zonelab/workload.h"

/* How often `stop` is asked, in ops. */
#define RUN_STOP_EVERY 4096u

struct run {
	const struct zl_run_options *o;
	struct zl_sim *sim;	  /* one zone */
	struct zl_system *system; /* or several */
	unsigned format;	  /* of the trace */
	uint64_t t_ns;		  /* of the last op */
	struct zl_buf out;
	struct trace_export export; /* of ZL_TRACE_FTRACE */
	struct zl_run_result *ret;
	struct zl_error *err;
};

/* Makes the zone, writes the head of the trace. */
int run_begin(struct run *r, const struct zl_sim_config *config, const struct zl_allocator *mem);
/* The same for several zones. */
int run_begin_system(
	struct run *r, const struct zl_system_config *config, const struct zl_allocator *mem);
/* One op, at its scripted time; @line is its place for errors. */
int run_op(struct run *r, const struct zl_scenario_op *item, unsigned line);
/* Ops performed so far. */
uint64_t run_ops(const struct run *r);
/* Whether the user wants it to end. */
bool run_stopped(struct run *r);
/* Checks once more and fills the result when @rc is 0; returns it or a new error. */
int run_end(struct run *r, int rc);

#endif
