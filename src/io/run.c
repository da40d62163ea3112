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

/* The sim whose pageset the row shows. */
static const struct zl_sim *shown(const struct run *r)
{
	struct zl_system_record rec;

	if (r->system == NULL) {
		return r->sim;
	}
	zl_system_record(r->system, &rec);
	return zl_system_zone(r->system, rec.zone);
}

static void trace(struct run *r)
{
	struct zl_system_record rec = {.name = "-", .t_ns = r->t_ns};

	if (r->system != NULL) {
		zl_system_record(r->system, &rec);
		rec.t_ns = r->t_ns;
		zl_trace_system_record(r->o->trace, &rec, &r->out);
		return;
	}
	zl_sim_record(r->sim, &rec.r);
	if (r->o->trace == ZL_TRACE_FTRACE) {
		if (rec.r.index > 0) {
			trace_export_record(&r->export, &rec.r);
		}
	} else if (r->format >= 2) {
		zl_trace_system_record(r->o->trace, &rec, &r->out);
	} else {
		zl_trace_record(r->o->trace, &rec.r, &r->out);
	}
}

static int note(struct run *r)
{
	const struct zl_sim *sim = shown(r);
	struct zl_pageset_view v;

	zl_sim_pageset(sim, zl_sim_cpu(sim), &v);
	r->ret->max_count = v.count > r->ret->max_count ? v.count : r->ret->max_count;
	r->ret->max_high = v.high > r->ret->max_high ? v.high : r->ret->max_high;
	r->ret->final_count = v.count;
	if (r->o->trace != ZL_TRACE_NONE) {
		trace(r);
		if (r->out.len >= FLUSH_BYTES) {
			return flush(r);
		}
	}
	return 0;
}

static uint64_t bytes_of(const struct run *r)
{
	uint64_t pages = 0;

	if (r->system == NULL) {
		const struct zl_sim_config *c = zl_sim_config(r->sim);

		return c->pages << c->page_shift;
	}
	for (unsigned i = 0; i < zl_system_zones(r->system); i++) {
		pages += zl_system_config(r->system)->zone[i].config.pages;
	}
	return pages << zl_system_config(r->system)->zone[0].config.page_shift;
}

uint64_t run_ops(const struct run *r)
{
	return r->system != NULL ? zl_system_ops(r->system) : zl_sim_ops(r->sim);
}

static int check(struct run *r, unsigned line, bool last)
{
	int rc;

	if (!r->o->check ||
		!(last || run_ops(r) % CHECK_EVERY == 0 || bytes_of(r) <= CHECK_ALWAYS_BYTES)) {
		return 0;
	}
	rc = r->system != NULL ? zl_system_check(r->system, r->err) : zl_sim_check(r->sim, r->err);
	if (rc != 0 && r->err != NULL) {
		r->err->line = line;
	}
	return rc;
}

static int begin(struct run *r)
{
	int rc;

	if (r->o->trace == ZL_TRACE_FTRACE) {
		trace_export_begin(&r->export, r->sim, r->o->kernel, &r->out);
	} else if (r->format >= 2) {
		zl_trace_header_2(r->o->trace, &r->out);
	} else {
		zl_trace_header(r->o->trace, &r->out);
	}
	rc = note(r);
	return rc != 0 ? rc : check(r, 0, false);
}

int run_begin_system(
	struct run *r, const struct zl_system_config *config, const struct zl_allocator *mem)
{
	int rc;

	if (r->o->trace == ZL_TRACE_FTRACE) {
		zl_error_set(r->err, 0, 0,
			"tracepoints are written of runs of one zone; --trace tsv shows several");
		return -EINVAL;
	}
	memset(r->ret, 0, sizeof(*r->ret));
	r->ret->design = config->zone[0].config.switches.design;
	r->ret->complete = true;
	r->format = 2;
	rc = zl_system_new(config, mem, &r->system, r->err);
	return rc != 0 ? rc : begin(r);
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
	return begin(r);
}

/* Lets the estimate take in what was just performed. */
static int estimate(struct run *r, const struct zl_scenario_op *op, unsigned line)
{
	bool none = r->o->estimate == NULL || r->system != NULL;
	int rc = none ? 0 : zl_estimate_op(r->o->estimate, r->sim, op);

	if (rc != 0) {
		zl_error_set(r->err, line, 0, "out of memory");
	}
	return rc;
}

/* A policy without a value ends the run. */
static void policy_error(struct run *r, unsigned line)
{
	if (r->err != NULL && r->system == NULL) {
		(void)zl_sim_policy_fault(r->sim, r->err);
		r->err->line = line;
	} else {
		zl_error_set(r->err, line, 0, "a policy has no value here");
	}
}

int run_op(struct run *r, const struct zl_scenario_op *item, unsigned line)
{
	const struct zl_op *op = &item->op;
	int rc;

	if (r->o->trace == ZL_TRACE_FTRACE) {
		trace_export_op(&r->export, op);
	}
	rc = r->system != NULL ? zl_system_apply(r->system, op) : zl_sim_apply(r->sim, op);

	r->t_ns = item->t_ns;
	if (rc == -EINVAL) {
		if (r->system != NULL) {
			zl_system_op_check(r->system, op, r->err);
		} else {
			zl_sim_op_check(r->sim, op, r->err);
		}
		if (r->err != NULL) {
			r->err->line = line;
		}
	} else if (rc == -ENOMEM) {
		zl_error_set(r->err, line, 0, "out of memory");
	} else if (rc == -EDOM) {
		policy_error(r, line);
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

static void finish_system(const struct run *r)
{
	const struct zl_system_config *c = zl_system_config(r->system);
	struct zl_run_result *ret = r->ret;

	ret->nr_zones = c->nr_zones;
	zl_system_totals(r->system, &ret->system);
	ret->totals = ret->system.t;
	ret->digest = zl_system_digest(r->system);
	ret->ops = zl_system_ops(r->system);
	for (unsigned i = 0; i < c->nr_zones; i++) {
		struct zl_run_zone *z = &ret->zone[i];

		z->node = c->zone[i].node;
		memcpy(z->name, c->zone[i].name, sizeof(z->name));
		z->managed = c->zone[i].config.managed;
		zl_sim_totals(zl_system_zone(r->system, i), &z->totals);
		zl_sim_zone(zl_system_zone(r->system, i), &z->view);
		ret->final_buddy_free += z->view.free;
	}
}

static void finish(const struct run *r)
{
	struct zl_zone_view z;

	if (r->system != NULL) {
		finish_system(r);
		return;
	}
	zl_sim_zone(r->sim, &z);
	r->ret->final_buddy_free = z.free;
	r->ret->ops = zl_sim_ops(r->sim);
	r->ret->digest = zl_sim_digest(r->sim);
	zl_sim_totals(r->sim, &r->ret->totals);
}

int run_end(struct run *r, int rc)
{
	if (r->sim != NULL || r->system != NULL) {
		rc = rc != 0 ? rc : check(r, 0, true);
		rc = rc != 0 ? rc : flush(r);
		if (rc == 0) {
			finish(r);
		}
	}
	zl_buf_done(&r->out);
	trace_export_end(&r->export);
	zl_sim_free(r->sim);
	zl_system_free(r->system);
	r->sim = NULL;
	r->system = NULL;
	return rc;
}

static int begin_workload(
	struct run *r, const struct zl_workload *w, const struct zl_switches *switches)
{
	struct zl_sim_config config = w->config;

	r->format = w->format;
	if (w->several) {
		for (unsigned i = 0; i < w->system->nr_zones; i++) {
			w->system->zone[i].config.switches = *switches;
		}
		return run_begin_system(r, w->system, w->mem);
	}
	config.switches = *switches;
	return run_begin(r, &config, w->mem);
}

int zl_run_workload(const struct zl_workload *w, const struct zl_switches *switches,
	const struct zl_run_options *options, struct zl_run_result *ret, struct zl_error *err)
{
	struct run r = {.o = options, .ret = ret, .err = err};
	int rc = begin_workload(&r, w, switches);

	for (size_t i = 0; rc == 0 && i < w->nr_ops; i++) {
		struct zl_scenario_op item = {.op = w->ops[i],
			.cpu = r.sim != NULL ? zl_sim_cpu(r.sim) : zl_system_cpu(r.system),
			.t_ns = w->t_ns != NULL ? w->t_ns[i] : 0};

		if (i % RUN_STOP_EVERY == 0 && run_stopped(&r)) {
			break;
		}
		rc = run_op(&r, &item, w->lines[i]);
	}
	return run_end(&r, rc);
}
