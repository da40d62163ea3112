/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario as an op list. */
#include <errno.h>
#include <string.h>

#include "zonelab/scenario_run.h"
#include "zonelab/text.h"

#define CHUNK	  256u
#define OPS_START 4096u

/* Makes room for @n more ops. */
static int grow(struct zl_workload *w, size_t n, size_t *cap)
{
	size_t want = *cap == 0 ? OPS_START : *cap;

	while (want < w->nr_ops + n) {
		want *= 2;
	}
	if (want == *cap) {
		return 0;
	}
	void *ops = w->mem->realloc(w->mem->user, w->ops, want * sizeof(*w->ops));
	if (ops == NULL) {
		return -ENOMEM;
	}
	w->ops = ops;
	void *lines = w->mem->realloc(w->mem->user, w->lines, want * sizeof(*w->lines));
	if (lines == NULL) {
		return -ENOMEM;
	}
	w->lines = lines;
	void *times = w->mem->realloc(w->mem->user, w->t_ns, want * sizeof(*w->t_ns));
	if (times == NULL) {
		return -ENOMEM;
	}
	w->t_ns = times;
	*cap = want;
	return 0;
}

static bool needs_format_2(const struct zl_op *op)
{
	return op->kind > ZL_OP_SET || (op->kind == ZL_OP_SET && op->key > ZL_SIM_CACHE_SLICE_KIB);
}

/* The zones, as a copy that the list owns. */
static int copy_system(const struct zl_scenario_start *start, struct zl_workload *ret)
{
	ret->format = 1;
	if (start->system == NULL) {
		return 0;
	}
	ret->system = start->mem->realloc(start->mem->user, NULL, sizeof(*ret->system));
	if (ret->system == NULL) {
		return -ENOMEM;
	}
	*ret->system = *start->system;
	ret->several = true;
	ret->format = 2;
	return 0;
}

static int collect(struct zl_expand *e, struct zl_workload *w, struct zl_error *err)
{
	struct zl_scenario_op op[CHUNK];
	size_t cap = 0;
	size_t n = 0;
	int rc;

	do {
		rc = zl_expand_read(e, op, CHUNK, &n, err);
		if (rc == 0 && w->nr_ops + n > ZL_WORKLOAD_OPS_MAX) {
			zl_error_set(err, 0, 0,
				"the scenario has more ops than an op list may "
				"have, %U; take its short form",
				ZL_WORKLOAD_OPS_MAX);
			rc = -E2BIG;
		}
		rc = rc != 0 ? rc : grow(w, n, &cap);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			w->format = needs_format_2(&op[i].op) ? 2 : w->format;
			w->t_ns[w->nr_ops] = op[i].t_ns;
			w->ops[w->nr_ops] = op[i].op;
			w->lines[w->nr_ops++] = 0;
		}
	} while (rc == 0 && n > 0);
	return rc;
}

int zl_scenario_workload(
	const struct zl_scenario_start *start, struct zl_workload *ret, struct zl_error *err)
{
	struct zl_expand_options options = start->expand;
	const struct zl_scenario *s = start->scenario;
	struct zl_expand *e = NULL;
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->mem = start->mem;
	ret->config = start->config;
	zl_format(ret->name, sizeof(ret->name), "%s", s->name);
	zl_format(ret->title, sizeof(ret->title), "%s: %s", s->name, s->title);
	options.cpus = start->system != NULL ? start->system->cpus : start->config.cpus;
	rc = copy_system(start, ret);
	rc = rc != 0 ? rc : zl_expand_new(s, &options, start->mem, &e, err);
	rc = rc != 0 ? rc : collect(e, ret, err);
	zl_expand_free(e);
	if (rc == -ENOMEM) {
		zl_error_set(err, 0, 0, "no memory");
	}
	if (rc != 0) {
		zl_workload_done(ret);
	}
	return rc;
}
