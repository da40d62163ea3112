/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running scenarios. Assertions are judged at the end of their scope; when one fails, a second
 * run evaluates it after each op to find the op from which on it does not hold.
 */
#include "zonelab/scenario_run.h"

#include <errno.h>
#include <string.h>

#include "run_private.h"
#include "zonelab/metrics.h"
#include "zonelab/text.h"

#define CHUNK	  256
#define OPS_START 4096u

/* An assertion while it is watched. */
struct watched {
	struct zl_watch watch;
	bool open;	/* its scope is being run */
	bool searching; /* second run: looked at after each op */
	uint64_t held;	/* second run: last op after which it held, NEVER = none */
	char why[240];
};
#define NEVER UINT64_MAX

struct runner {
	const struct zl_scenario_start *start;
	const struct zl_scenario *s;
	struct run run;
	struct zl_expand *expand;
	struct watched *watched; /* one an assertion */
	struct zl_scenario_result *ret;
	struct zl_error *err;
	uint32_t phase;	   /* whose scope is open */
	uint32_t searches; /* second run: scopes still to be finished */
	bool second;
};

static int evaluate(struct runner *r, uint32_t i, bool *ret_holds, char *why, size_t size)
{
	struct zl_error err = {0};
	int64_t v = 0;
	int rc = zl_watch_eval(&r->watched[i].watch, r->run.sim, &v, &err);

	*ret_holds = rc == 0 && v != 0;
	if (rc != 0) {
		zl_format(why, size, "it has no value: %s", err.text);
	} else if (v == 0) {
		zl_watch_values(&r->watched[i].watch, why, size);
	}
	return 0;
}

static bool in_scope(const struct runner *r, uint32_t i, uint32_t phase)
{
	return r->s->assertion[i].phase == phase;
}

/* Starts the assertions of a phase (ZL_NONE: of the whole run) at the present state. */
static int open_scope(struct runner *r, uint32_t phase)
{
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		struct watched *w = &r->watched[i];

		if (!in_scope(r, i, phase) || (r->second && !w->searching)) {
			continue;
		}
		w->watch.system = r->run.system;
		int rc = zl_watch_start(&w->watch, r->run.sim, r->err);
		if (rc != 0) {
			if (r->err != NULL) {
				r->err->line = r->s->assertion[i].line;
				r->err->column = r->s->assertion[i].column;
			}
			return rc;
		}
		w->open = true;
		w->held = NEVER;
	}
	return 0;
}

/* Judges an assertion at the end of its scope. */
static void judge(struct runner *r, uint32_t i)
{
	struct zl_verdict *v = &r->ret->verdict[i];
	struct watched *w = &r->watched[i];

	w->open = false;
	if (r->second) {
		v->op = w->held == NEVER ? v->op : w->held + 1;
		r->searches--;
		return;
	}
	if (v->judged) {
		return;
	}
	v->judged = true;
	if (r->s->assertion[i].always) {
		v->held = true;
		return;
	}
	evaluate(r, i, &v->held, v->why, sizeof(v->why));
}

static void close_scope(struct runner *r, uint32_t phase)
{
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		if (r->watched[i].open && in_scope(r, i, phase)) {
			judge(r, i);
		}
	}
}

/* Lets the open assertions see the last op. */
static void follow(struct runner *r)
{
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		struct zl_verdict *v = &r->ret->verdict[i];
		struct watched *w = &r->watched[i];
		bool holds = true;

		if (!w->open) {
			continue;
		}
		zl_watch_note(&w->watch, r->run.sim);
		if (!w->searching && (!r->s->assertion[i].always || v->judged)) {
			continue;
		}
		evaluate(r, i, &holds, w->why, sizeof(w->why));
		if (w->searching && holds) {
			w->held = run_ops(&r->run);
		} else if (!w->searching && !holds) {
			v->judged = true;
			v->held = false;
			v->op = run_ops(&r->run);
			zl_format(v->why, sizeof(v->why), "%s", w->why);
		}
	}
}

/* Closes and opens the scopes of phases up to @phase. */
static int reach_phase(struct runner *r, uint32_t phase)
{
	int rc = 0;

	while (rc == 0 && r->phase != phase) {
		if (r->phase != ZL_NONE) {
			close_scope(r, r->phase);
		}
		r->phase = r->phase == ZL_NONE ? 0 : r->phase + 1;
		if (r->phase < r->s->nr_phases) {
			rc = open_scope(r, r->phase);
		}
	}
	return rc;
}

static unsigned cpus_of(const struct zl_scenario_start *start)
{
	return start->system != NULL ? start->system->cpus : start->config.cpus;
}

static int run_item(struct runner *r, const struct zl_scenario_op *op)
{
	int rc = reach_phase(r, op->phase);

	rc = rc != 0 ? rc : run_op(&r->run, op, 0);
	if (rc == 0) {
		follow(r);
	}
	return rc;
}

/* Says where the op stands that the zone refused, the @nth from 1; expands once more up to it. */
static void locate(struct runner *r, uint64_t nth)
{
	struct zl_expand_options options = r->start->expand;
	struct zl_expand *e = NULL;
	struct zl_scenario_op op;
	size_t n = 1;

	if (r->err == NULL || r->err->line > 0) {
		return;
	}
	options.cpus = cpus_of(r->start);
	int rc = zl_expand_new(r->s, &options, r->start->mem, &e, NULL);
	for (uint64_t i = 0; rc == 0 && n > 0 && i < nth; i++) {
		rc = zl_expand_read(e, &op, 1, &n, NULL);
	}
	if (rc == 0 && n > 0) {
		r->err->line = zl_expand_place(e).line;
		r->err->column = zl_expand_place(e).column;
	}
	zl_expand_free(e);
}

static int run_items(struct runner *r)
{
	struct zl_scenario_op op[CHUNK];
	size_t n = 0;
	uint64_t seen = 0;
	int rc;

	do {
		rc = zl_expand_read(r->expand, op, CHUNK, &n, r->err);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			if (seen++ % RUN_STOP_EVERY == 0 && run_stopped(&r->run)) {
				return 0;
			}
			rc = run_item(r, &op[i]);
			if (rc == -EINVAL) {
				locate(r, seen);
			}
		}
	} while (rc == 0 && n > 0 && (!r->second || r->searches > 0));
	if (rc == 0 && n == 0) {
		rc = reach_phase(r, r->s->nr_phases);
		close_scope(r, ZL_NONE);
	}
	return rc;
}

static int begin(struct runner *r)
{
	const struct zl_scenario_start *start = r->start;

	return start->system != NULL ? run_begin_system(&r->run, start->system, start->mem)
				     : run_begin(&r->run, &start->config, start->mem);
}

/* One run from the start. */
static int pass(struct runner *r)
{
	struct zl_expand_options options = r->start->expand;
	int rc;

	options.cpus = cpus_of(r->start);
	r->phase = ZL_NONE;
	rc = zl_expand_new(r->s, &options, r->start->mem, &r->expand, r->err);
	rc = rc != 0 ? rc : begin(r);
	rc = rc != 0 ? rc : open_scope(r, ZL_NONE);
	rc = rc != 0 ? rc : run_items(r);
	if (r->expand != NULL && !zl_expand_wrapped(r->expand, &r->ret->wrapped_cpu)) {
		r->ret->wrapped_cpu = ZL_NONE;
	}
	rc = run_end(&r->run, rc);
	zl_expand_free(r->expand);
	r->expand = NULL;
	return rc;
}

static int compile(struct runner *r)
{
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		const struct zl_scenario_assert *a = &r->s->assertion[i];
		int rc = zl_watch_compile(zl_scenario_text(r->s, a->expr), r->start->mem,
			&r->watched[i].watch, r->err);

		if (rc != 0) {
			if (r->err != NULL) {
				r->err->line = a->line;
				r->err->column = a->column;
			}
			return rc;
		}
	}
	return 0;
}

/* The search was stopped: what it was after is as if nobody had judged it. */
static void drop_searches(struct runner *r)
{
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		if (r->watched[i].searching) {
			r->ret->verdict[i].judged = false;
		}
	}
	r->ret->run.complete = false;
}

/* Finds the op from which on each failed assertion does not hold. */
static int search(struct runner *r)
{
	struct zl_run_result unused = {0};
	const struct zl_run_options quiet = {.stop = r->run.o->stop, .user = r->run.o->user};

	r->searches = 0;
	for (uint32_t i = 0; i < r->s->nr_asserts; i++) {
		const struct zl_verdict *v = &r->ret->verdict[i];

		r->watched[i].open = false;
		r->watched[i].searching = v->judged && !v->held && !r->s->assertion[i].always;
		r->searches += r->watched[i].searching ? 1 : 0;
	}
	if (r->searches == 0) {
		return 0;
	}
	r->second = true;
	r->run = (struct run){.o = &quiet, .ret = &unused, .err = r->err};
	int rc = pass(r);
	if (rc == 0 && !unused.complete) {
		drop_searches(r);
	}
	return rc;
}

static void *zeroed(const struct zl_allocator *mem, size_t n, size_t size)
{
	void *p = mem->realloc(mem->user, NULL, (n > 0 ? n : 1) * size);

	if (p != NULL) {
		memset(p, 0, (n > 0 ? n : 1) * size);
	}
	return p;
}

int zl_scenario_run(const struct zl_scenario_start *start, const struct zl_run_options *options,
	struct zl_scenario_result *ret, struct zl_error *err)
{
	const struct zl_scenario *s = start->scenario;
	struct runner r = {.start = start, .s = s, .ret = ret, .err = err};
	int rc;

	memset(ret, 0, sizeof(*ret));
	r.run = (struct run){.o = options, .ret = &ret->run, .err = err};
	ret->verdict = zeroed(start->mem, s->nr_asserts, sizeof(*ret->verdict));
	r.watched = zeroed(start->mem, s->nr_asserts, sizeof(*r.watched));
	if (ret->verdict == NULL || r.watched == NULL) {
		zl_error_set(err, 0, 0, "no memory");
		rc = -ENOMEM;
	} else {
		rc = compile(&r);
		rc = rc != 0 ? rc : pass(&r);
		rc = rc != 0 ? rc : search(&r);
	}
	for (uint32_t i = 0; i < s->nr_asserts; i++) {
		if (rc == 0) {
			ret->failed += ret->verdict[i].judged && !ret->verdict[i].held ? 1 : 0;
		}
		if (r.watched != NULL) {
			zl_watch_done(&r.watched[i].watch, start->mem);
		}
	}
	start->mem->free(start->mem->user, r.watched);
	if (rc != 0) {
		zl_scenario_result_done(ret, start->mem);
	}
	return rc;
}

void zl_scenario_result_done(struct zl_scenario_result *r, const struct zl_allocator *mem)
{
	mem->free(mem->user, r->verdict);
	memset(r, 0, sizeof(*r));
}
