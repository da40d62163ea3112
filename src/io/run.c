/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs ops from the start of a zone, with a trace and invariants as asked. */
#include <errno.h>
#include <string.h>

#include "run_private.h"

/** Zones up to this size are checked after every op. */
#define CHECK_ALWAYS_BYTES (UINT64_C(64) << 20)
#define CHECK_EVERY	   1000u
#define FLUSH_BYTES	   65536u

static int flush(struct run *r)
{
	size_t n = r->out.len;

	if (r->out.failed) {
		return -ENOMEM;
	}
	if (n > 0) {
		int rc = r->o->write(r->o->user, r->out.data, n);

		if (rc != 0) {
			return rc;
		}
	}
	zl_buf_clear(&r->out);
	return 0;
}

static int note(struct run *r)
{
	struct zl_pageset_view v;

	zl_sim_pageset(r->sim, zl_sim_cpu(r->sim), &v);
	r->ret->max_count = v.count > r->ret->max_count ? v.count : r->ret->max_count;
	r->ret->max_high = v.high > r->ret->max_high ? v.high : r->ret->max_high;
	r->ret->final_count = v.count;
	if (r->o->trace != ZL_TRACE_NONE) {
		struct zl_record rec;

		zl_sim_record(r->sim, &rec);
		zl_trace_record(r->o->trace, &rec, &r->out);
		if (r->out.len >= FLUSH_BYTES) {
			return flush(r);
		}
	}
	return 0;
}

static int check(struct run *r, unsigned line, bool last)
{
	const struct zl_sim_config *c = zl_sim_config(r->sim);
	bool small = c->pages << c->page_shift <= CHECK_ALWAYS_BYTES;
	int rc;

	if (!r->o->check || !(small || last || zl_sim_ops(r->sim) % CHECK_EVERY == 0)) {
		return 0;
	}
	rc = zl_sim_check(r->sim, r->err);
	if (rc != 0 && r->err != NULL) {
		r->err->line = line;
	}
	return rc;
}

int run_begin(struct run *r, const struct zl_sim_config *config, const struct zl_allocator *mem)
{
	memset(r->ret, 0, sizeof(*r->ret));
	r->ret->design = config->switches.design;
	r->ret->complete = true;
	int rc = zl_sim_new(config, mem, &r->sim, r->err);
	if (rc != 0) {
		return rc;
	}
	if (r->o->estimate != NULL) {
		zl_estimate_attach(r->o->estimate, r->sim);
	}
	zl_trace_header(r->o->trace, &r->out);
	rc = note(r);
	return rc != 0 ? rc : check(r, 0, false);
}

/* Lets the estimate take in what was just performed. */
static int estimate(struct run *r, const struct zl_scenario_op *op, unsigned line)
{
	int rc = r->o->estimate == NULL ? 0 : zl_estimate_op(r->o->estimate, r->sim, op);

	if (rc != 0) {
		zl_error_set(r->err, line, 0, "out of memory");
	}
	return rc;
}

int run_op(struct run *r, const struct zl_scenario_op *item, unsigned line)
{
	const struct zl_op *op = &item->op;
	int rc = zl_sim_apply(r->sim, op);

	if (rc == -EINVAL) {
		zl_sim_op_check(r->sim, op, r->err);
		if (r->err != NULL) {
			r->err->line = line;
		}
	} else if (rc == -ENOMEM) {
		zl_error_set(r->err, line, 0, "out of memory");
	}
	rc = rc != 0 ? rc : estimate(r, item, line);
	rc = rc != 0 ? rc : note(r);
	return rc != 0 ? rc : check(r, line, false);
}

bool run_stopped(struct run *r)
{
	if (r->o->stop == NULL || !r->o->stop(r->o->user)) {
		return false;
	}
	r->ret->complete = false;
	return true;
}

static void finish(const struct run *r)
{
	struct zl_zone_view z;

	zl_sim_zone(r->sim, &z);
	r->ret->final_buddy_free = z.free;
	r->ret->ops = zl_sim_ops(r->sim);
	r->ret->digest = zl_sim_digest(r->sim);
	zl_sim_totals(r->sim, &r->ret->totals);
}

int run_end(struct run *r, int rc)
{
	if (r->sim != NULL) {
		rc = rc != 0 ? rc : check(r, 0, true);
		rc = rc != 0 ? rc : flush(r);
		if (rc == 0) {
			finish(r);
		}
	}
	zl_buf_done(&r->out);
	zl_sim_free(r->sim);
	r->sim = NULL;
	return rc;
}

int zl_run_workload(const struct zl_workload *w, const struct zl_switches *switches,
	const struct zl_run_options *options, struct zl_run_result *ret, struct zl_error *err)
{
	struct run r = {.o = options, .ret = ret, .err = err};
	struct zl_sim_config config = w->config;

	config.switches = *switches;
	int rc = run_begin(&r, &config, w->mem);
	for (size_t i = 0; rc == 0 && i < w->nr_ops; i++) {
		struct zl_scenario_op item = {.op = w->ops[i], .cpu = zl_sim_cpu(r.sim)};

		if (i % RUN_STOP_EVERY == 0 && run_stopped(&r)) {
			break;
		}
		rc = run_op(&r, &item, w->lines[i]);
	}
	return run_end(&r, rc);
}
