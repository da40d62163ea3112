/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies of a sim: made for its limits, asked while it runs. What cannot fail is code; the few
 * rules that every op asks have a form of their own (struct policy_step, struct policy_guard) where
 * the expression has that form; all else is interpreted with every check.
 */
#ifndef MODEL_POLICY_RUN_H
#define MODEL_POLICY_RUN_H

#include "policy_code.h"
#include "sim_state.h"

/* Most pages that a refill by a policy may ask for, in blocks of any order. */
#define POLICY_REFILL_PAGES 16384

/*
 * A counter's next value: (x >> shift) * keep + add + (pages << order) below the limit, x from it
 * on. Covers halving, subtracting pages, adding pages up to a ceiling, and any constant.
 */
struct policy_step {
	bool simple; /* the expression has this form */
	uint8_t shift, keep;
	int64_t limit; /* INT64_MAX = none */
	int64_t add, pages;
};

/* What must hold for free_high to hold; more may be asked for. */
struct policy_guard {
	int32_t order, count, free_count, free_factor; /* at least */
	uint32_t flags;				       /* all of these */
};

/* One policy of a sim. */
struct policy_rule {
	struct zl_expr expr;
	int64_t lo, hi; /* values that the point may have */
	struct policy_code code;
	/* The same while no zone flag is set, without and with free_high: most asks. */
	struct policy_short calm[2];
};

/* Shared by a sim and its clones. */
struct policy_share {
	unsigned refs;
	struct zl_policy_set set;
};

/* A policy that had no value. */
struct policy_fault {
	bool set;
	enum zl_point point;
	uint64_t op;
	struct zl_error error;
};

struct zl_policy_run {
	struct policy_share *share;
	uint32_t points;  /* asked while running; bits by enum zl_point */
	bool free_slowly; /* frees cannot be hits */
	struct policy_fault fault;
	struct policy_guard guard;
	enum zl_policy_name_id counter; /* what allocations bring down */
	struct policy_step on_alloc, on_free, alloc_factor;
	bool has_on_alloc, has_on_free, has_alloc_factor; /* else the release's rule */
	/* What free_count is compared with, where the expression says so. */
	bool has_threshold;
	int32_t above; /* 1 for > */
	struct policy_code threshold;
	int64_t slots[ZL_POLICY_NAMES]; /* names that change with limits only */
	int8_t rule_of[ZL_POINT_COUNT]; /* -1 = none */
	unsigned nr;
	struct policy_rule rule[];
};

/* What a rule is asked about, beyond the pageset. */
struct policy_ask {
	int64_t high, batch, to_free;
	unsigned order;
	bool free_high;
};

/* Makes the policies of a configuration; *ret is NULL without any. Returns 0 or -ENOMEM. */
int zl_policy_run_new(
	const struct zl_sim_config *c, const struct zl_allocator *mem, struct zl_policy_run **ret);
int zl_policy_run_clone(const struct zl_policy_run *run, const struct zl_allocator *mem,
	struct zl_policy_run **ret);
/* NULL is allowed. */
void zl_policy_run_free(struct zl_policy_run *run, const struct zl_allocator *mem);
/* Limits were computed: puts them into the expressions. */
void zl_policy_run_limits(struct zl_sim *s);

/* The value of a policy that is there; without one (a fault) @otherwise. */
int64_t zl_policy_ask(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	const struct policy_ask *ask, int64_t otherwise);
/* What free_count is compared with; false when the expression has no such figure. */
bool zl_policy_threshold(const struct zl_sim *s, const struct zl_pcp *pcp, int32_t *ret);
/* The same for a step that has no simple form. */
int64_t zl_policy_step_slow(const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p,
	int64_t x, unsigned order);

static inline bool zl_policy_at(const struct zl_sim *s, enum zl_point p)
{
	return s->policy != NULL && (s->policy->points >> p & 1) != 0;
}

static inline int64_t zl_policy_step(const struct policy_step *st, int64_t x, unsigned order)
{
	if (x >= st->limit) {
		return x;
	}
	x = x >= 0 ? x >> st->shift : -((-(x + 1)) >> st->shift) - 1;
	return x * st->keep + st->add + st->pages * (INT64_C(1) << order);
}

/* What a request leaves of the counter of frees; s->work.order may be asked for. */
static inline void zl_policy_on_alloc(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	int16_t *counter = s->tuned ? &pcp->free_count : &pcp->free_factor;
	const struct policy_step *st = &s->policy->on_alloc;

	if (st->simple) {
		*counter = (int16_t)zl_policy_step(st, *counter, order);
	} else {
		*counter = (int16_t)zl_policy_step_slow(
			s, pcp, ZL_POINT_FREE_COUNT_ON_ALLOC, *counter, order);
	}
}

static inline void zl_policy_alloc_factor(
	const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	const struct policy_step *st = &s->policy->alloc_factor;

	if (st->simple) {
		pcp->alloc_factor = (uint8_t)zl_policy_step(st, pcp->alloc_factor, order);
	} else {
		pcp->alloc_factor = (uint8_t)zl_policy_step_slow(
			s, pcp, ZL_POINT_ALLOC_FACTOR_ON_FREE, pcp->alloc_factor, order);
	}
}

static inline void zl_policy_free_count(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order)
{
	const struct policy_step *st = &s->policy->on_free;

	if (st->simple) {
		pcp->free_count = (int16_t)zl_policy_step(st, pcp->free_count, order);
	} else {
		pcp->free_count = (int16_t)zl_policy_step_slow(
			s, pcp, ZL_POINT_FREE_COUNT_STEP, pcp->free_count, order);
	}
}

/* Whether free_high could hold for a free that brings the pageset to @count pages. */
static inline bool zl_policy_may_flush(
	const struct zl_policy_run *run, const struct zl_pcp *pcp, int32_t count, unsigned order)
{
	const struct policy_guard *g = &run->guard;
	uint32_t flags = (pcp->prev_free_high_order ? 1u : 0u) | (pcp->free_high_batch ? 2u : 0u);

	return (int32_t)order >= g->order && pcp->free_count >= g->free_count &&
	       count >= g->count && pcp->free_factor >= g->free_factor &&
	       (flags & g->flags) == g->flags;
}

/* pcp_policy.c: the rules of pcp.h under policies. */
uint32_t zl_policy_nr_pcp_alloc(struct zl_sim *s, struct zl_pcp *pcp, unsigned order);
int32_t zl_policy_nr_pcp_high(const struct zl_sim *s, struct zl_pcp *pcp, bool free_high);
int32_t zl_policy_nr_pcp_free(
	const struct zl_sim *s, struct zl_pcp *pcp, int32_t high, bool free_high);
bool zl_policy_free_high(const struct zl_sim *s, struct zl_pcp *pcp, unsigned order);
void zl_policy_decay_high(const struct zl_sim *s, struct zl_pcp *pcp);
/* Pages of the next chunk of a drain, at least 1. */
int32_t zl_policy_chunk(
	const struct zl_sim *s, const struct zl_pcp *pcp, enum zl_point p, int32_t to_free);

#endif
