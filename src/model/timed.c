/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives expansion, allocator and estimate in virtual time. */
#include "zonelab/timed.h"

#include <errno.h>
#include <string.h>

#define STOP_EVERY 4096u
#define WARM_UP	   5 /* as of the estimate */
#define PS_PER_NS  1000

struct timed {
	const struct zl_timed *t;
	struct zl_timed_result *ret;
	struct zl_error *err;
	struct zl_sim *sim;
	struct zl_expand *expand;
	struct zl_estimate *estimate;
	bool over;
};

static void note(struct timed *d)
{
	struct zl_pageset_view v;

	zl_sim_pageset(d->sim, zl_sim_cpu(d->sim), &v);
	d->ret->max_count = v.count > d->ret->max_count ? v.count : d->ret->max_count;
	d->ret->max_high = v.high > d->ret->max_high ? v.high : d->ret->max_high;
	d->ret->final_count = v.count;
}

static int apply(struct timed *d, const struct zl_scenario_op *op)
{
	int64_t ns = 0;
	bool more = false;
	int rc;

	if (op->op.kind == ZL_OP_INIT) {
		zl_estimate_again(d->estimate, op->cpu, (int64_t)op->t_ns, &ns, &more);
		zl_expand_took(d->expand, (uint64_t)ns, more);
		return 0;
	}
	rc = zl_sim_apply(d->sim, &op->op);
	if (rc == -EINVAL) {
		zl_sim_op_check(d->sim, &op->op, d->err);
		if (d->err != NULL) {
			d->err->line = zl_expand_place(d->expand).line;
			d->err->column = zl_expand_place(d->expand).column;
		}
		return rc;
	}
	rc = rc != 0 ? rc : zl_estimate_timed(d->estimate, d->sim, op, &ns, &more);
	if (rc != 0) {
		zl_error_set(d->err, 0, 0, "out of memory");
		return rc;
	}
	zl_expand_took(d->expand, (uint64_t)ns, more);
	note(d);
	return 0;
}

static int run_ops(struct timed *d)
{
	uint64_t seen = 0;
	size_t n = 0;
	int rc = 0;

	do {
		struct zl_scenario_op op;

		rc = zl_expand_read(d->expand, &op, 1, &n, d->err);
		if (rc != 0 || n == 0) {
			d->over = true;
			return rc;
		}
		if (d->t->end_ns > 0 && op.t_ns >= (uint64_t)d->t->end_ns) {
			return 0;
		}
		if (seen++ % STOP_EVERY == 0 && d->t->stop != NULL && d->t->stop(d->t->user)) {
			d->ret->complete = false;
			return 0;
		}
		rc = apply(d, &op);
	} while (rc == 0);
	return rc;
}

static void result(struct timed *d)
{
	struct zl_timed_result *r = d->ret;
	struct zl_zone_view z;
	unsigned links = 0;

	zl_estimate_result(d->estimate, &r->estimate);
	r->estimate.link_ps = (int64_t)zl_expand_link_ns(d->expand, &links) * PS_PER_NS;
	r->estimate.links = links;
	r->ops = zl_sim_ops(d->sim);
	r->digest = zl_sim_digest(d->sim);
	zl_sim_totals(d->sim, &r->totals);
	zl_sim_zone(d->sim, &z);
	r->final_buddy_free = z.free;
	if (!zl_expand_wrapped(d->expand, &r->wrapped_cpu)) {
		r->wrapped_cpu = ZL_NONE;
	}
}

/* One run with these costs. The estimate stays in @d. */
static int pass(struct timed *d, const struct zl_costs *costs)
{
	const struct zl_timed *t = d->t;
	struct zl_expand_options expand = t->expand;
	struct zl_estimate_options options = {.costs = *costs,
		.cpus = t->config.cpus,
		.cpus_per_node = t->cpus_per_node,
		.timed = true,
		.end_ns = t->end_ns};
	uint64_t from = (uint64_t)t->end_ns / WARM_UP;
	int rc;

	expand.cpus = t->config.cpus;
	d->ret->complete = true;
	d->over = false; /* the scenario came to its end */
	rc = zl_expand_new(t->scenario, &expand, t->mem, &d->expand, d->err);
	rc = rc != 0 ? rc : zl_sim_new(&t->config, t->mem, &d->sim, d->err);
	if (rc == 0) {
		zl_expand_timed(d->expand, from, t->end_ns > 0 ? (uint64_t)t->end_ns : UINT64_MAX);
		rc = zl_estimate_new(&options, t->mem, &d->estimate);
	}
	if (rc == 0) {
		zl_estimate_attach(d->estimate, d->sim);
		note(d);
		rc = run_ops(d);
	}
	if (rc == 0 && t->check) {
		rc = zl_sim_check(d->sim, d->err);
	}
	if (rc == 0) {
		result(d);
	}
	zl_sim_free(d->sim);
	zl_expand_free(d->expand);
	d->sim = NULL;
	d->expand = NULL;
	return rc;
}

int zl_timed_run(const struct zl_timed *t, struct zl_timed_result *ret, struct zl_error *err)
{
	struct zl_timed_result bare = {0};
	struct timed d = {.t = t, .ret = &bare, .err = err};
	struct zl_costs costs = t->costs;
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	bare.complete = true;
	if (t->with_free_lock) {
		costs.value[ZL_COST_LOCK_COST_PERCENT] = 0;
		rc = pass(&d, &costs);
	}
	zl_estimate_free(d.estimate);
	d.estimate = NULL;
	if (rc == 0) {
		d.ret = ret;
		rc = pass(&d, &t->costs);
		ret->lanes = d.estimate;
		ret->estimate.free_lock_blocks = bare.estimate.blocks;
		ret->estimate.free_lock_end_ps = d.over ? bare.estimate.end_ps : 0;
		ret->complete = ret->complete && bare.complete;
	}
	if (rc != 0) {
		zl_timed_result_done(ret);
	}
	return rc;
}

void zl_timed_result_done(struct zl_timed_result *r)
{
	zl_estimate_free(r->lanes);
	memset(r, 0, sizeof(*r));
}
