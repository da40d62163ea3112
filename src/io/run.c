/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs an op list from its start, with a trace and invariants as asked. */
#include <errno.h>
#include <string.h>

#include "zonelab/workload.h"

/** Zones up to this size are checked after every op. */
#define CHECK_ALWAYS_BYTES (UINT64_C(64) << 20)
#define CHECK_EVERY	   1000u
#define STOP_EVERY	   4096u
#define FLUSH_BYTES	   65536u

struct run {
	const struct zl_workload *w;
	const struct zl_run_options *o;
	struct zl_sim *sim;
	struct zl_buf out;
	struct zl_run_result *ret;
	struct zl_error *err;
};

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

static int check(struct run *r, size_t i)
{
	uint64_t bytes = r->w->config.pages << r->w->config.page_shift;
	bool now = bytes <= CHECK_ALWAYS_BYTES || i % CHECK_EVERY == 0 || i == r->w->nr_ops;
	int rc;

	if (!r->o->check || !now) {
		return 0;
	}
	rc = zl_sim_check(r->sim, r->err);
	if (rc != 0 && r->err != NULL) {
		r->err->line = i > 0 ? r->w->lines[i - 1] : 0;
	}
	return rc;
}

static int step(struct run *r, size_t i)
{
	int rc = zl_sim_apply(r->sim, &r->w->ops[i]);

	if (rc == -EINVAL) {
		zl_sim_op_check(r->sim, &r->w->ops[i], r->err);
		if (r->err != NULL) {
			r->err->line = r->w->lines[i];
		}
	} else if (rc == -ENOMEM) {
		zl_error_set(r->err, r->w->lines[i], 0, "out of memory");
	}
	if (rc == 0) {
		rc = note(r);
	}
	return rc != 0 ? rc : check(r, i + 1);
}

static int run_ops(struct run *r)
{
	int rc;

	zl_trace_header(r->o->trace, &r->out);
	rc = note(r);
	if (rc == 0) {
		rc = check(r, 0);
	}
	for (size_t i = 0; rc == 0 && i < r->w->nr_ops; i++) {
		if (i % STOP_EVERY == 0 && r->o->stop != NULL && r->o->stop(r->o->user)) {
			r->ret->complete = false;
			break;
		}
		rc = step(r, i);
	}
	return rc != 0 ? rc : flush(r);
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

int zl_run_workload(const struct zl_workload *w, const struct zl_switches *switches,
	const struct zl_run_options *options, struct zl_run_result *ret, struct zl_error *err)
{
	struct run r = {.w = w, .o = options, .ret = ret, .err = err};
	struct zl_sim_config config = w->config;
	int rc;

	memset(ret, 0, sizeof(*ret));
	config.switches = *switches;
	ret->design = switches->design;
	ret->complete = true;
	rc = zl_sim_new(&config, w->mem, &r.sim, err);
	if (rc != 0) {
		return rc;
	}
	rc = run_ops(&r);
	if (rc == 0) {
		finish(&r);
	}
	zl_buf_done(&r.out);
	zl_sim_free(r.sim);
	return rc;
}
