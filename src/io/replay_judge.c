/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recorded design against the trace: what the model does on an op beside what the trace shows
 * under it. Nothing is corrected on the way; what the model gets wrong stays in its state.
 */
#include <errno.h>
#include <string.h>

#include "replay_private.h"
#include "zonelab/text.h"

#define PERMILLE 1000u
/* Requests that halve any free_count (a short) or free_factor to zero. */
#define HALVINGS  15
#define FIRST_CPU (sizeof(((struct zl_replay_result *)0)->count) / sizeof(int32_t))

/* The last op of a CPU, until its drains are all seen. */
struct open_op {
	bool open, inferred;
	uint32_t predicted, seen; /* pages drained */
	uint64_t refilled;	  /* blocks; of a bulk request in several refills */
	struct follow_step step;
	struct zl_record record;
};

/*
 * A drain or refill of the trace or of the model alone, whose other half may lie a little further
 * on: a few pages more or fewer than the model has, and it comes that much earlier or later.
 */
struct lone {
	bool open;
	enum zl_judged judged;
	uint64_t size, seen, predicted;
	uint64_t at;	    /* pages freed since the last request; requests of its list */
	size_t unexplained; /* its place in the list; ZL_REPLAY_LISTED = none */
};

struct judge_cpu {
	struct open_op last;
	struct lone drain; /* in the present run of frees */
	struct lone refill[FOLLOW_LISTS];
	uint64_t requests_of[FOLLOW_LISTS];
	unsigned requests; /* since the start or a gap, up to HALVINGS */
	bool gap, counted; /* what it holds in all was known at the start */
	bool over_known;   /* a drain has agreed since */
	bool fixed;	   /* its count comes from the first drain */
	uint64_t frees_of[ZL_MAX_ORDER_LIMIT + 1];
	uint64_t pages_freed; /* since the last request */
	uint64_t drained;     /* predicted so far */
};

struct judge {
	struct zl_replay *p;
	struct zl_sim *sim;
	struct zl_replay_result *ret;
	struct judge_cpu *cpu;
	uint64_t first_ns;
	struct zl_totals start;
	uint64_t refilled; /* blocks, before the present op */
};

const char *zl_judged_name(enum zl_judged j)
{
	static const char *const name[] = {
		"same", "near", "only in the trace", "only in the model", "not known"};
	_Static_assert(sizeof(name) / sizeof(name[0]) == ZL_JUDGED_COUNT, "a name each");

	return name[j];
}

static enum zl_judged verdict(uint64_t seen, uint64_t predicted, bool known)
{
	if (!known) {
		return ZL_JUDGED_UNKNOWN;
	}
	if (seen == predicted) {
		return ZL_JUDGED_SAME;
	}
	return predicted == 0 ? ZL_JUDGED_ONLY_TRACE
	       : seen == 0    ? ZL_JUDGED_ONLY_MODEL
			      : ZL_JUDGED_NEAR;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void count(struct zl_replay_tally *t, uint64_t seen, uint64_t predicted)
{
	t->seen += seen > 0;
	t->predicted += predicted > 0;
	t->seen_size += seen;
	t->predicted_size += predicted;
}

static void judge_alone(struct zl_replay_tally *t, const struct lone *l)
{
	t->judged[l->judged]++;
	t->off += l->judged != ZL_JUDGED_UNKNOWN ? difference(l->seen, l->predicted) : 0;
}

/* What was judged alone is a half of this one. */
static void pair(struct zl_replay_tally *t, const struct lone *before, const struct lone *now)
{
	t->judged[before->judged]--;
	t->judged[ZL_JUDGED_NEAR]++;
	t->off = t->off - before->size + difference(before->size, now->size);
}

static void explain_refill(const struct open_op *o, struct zl_unexplained *u)
{
	const struct zl_record *r = &o->record;

	if (u->judged == ZL_JUDGED_ONLY_TRACE) {
		unsigned left = o->step.list < r->nr_lists ? r->lists[o->step.list] : 0;

		zl_format(u->why, sizeof(u->why),
			left > 0 ? "the model's list still had blocks (%u left)"
				 : "the model's list still had one block",
			left);
	} else if (u->judged == ZL_JUDGED_ONLY_MODEL) {
		zl_format(u->why, sizeof(u->why), "the model's list was empty");
	} else if (u->seen == 1) {
		zl_format(u->why, sizeof(u->why),
			"one block: perhaps a direct allocation, which prints percpu_refill=1 too");
	} else {
		zl_format(u->why, sizeof(u->why), "count %d, high %d, batch %d, alloc_factor %d",
			r->count, r->high, r->batch, r->alloc_factor);
	}
}

static void explain_drain(const struct open_op *o, struct zl_unexplained *u)
{
	const struct zl_record *r = &o->record;

	zl_format(u->why, sizeof(u->why), "the model: count %d, high %d, %s %d, threshold %d",
		r->count, r->high, r->tuned ? "free_count" : "free_factor",
		r->tuned ? r->free_count : r->free_factor, r->threshold_exists ? r->threshold : 0);
}

static void unexplained(struct judge *g, const struct open_op *o, bool drain, enum zl_judged j)
{
	struct zl_replay_result *ret = g->ret;
	struct zl_unexplained *u;

	if (j == ZL_JUDGED_SAME || j == ZL_JUDGED_UNKNOWN) {
		return;
	}
	if (ret->nr_unexplained++ >= ZL_REPLAY_LISTED) {
		return;
	}
	u = &ret->unexplained[ret->nr_unexplained - 1];
	*u = (struct zl_unexplained){.judged = j,
		.drain = drain,
		.line = o->step.line,
		.cpu = o->step.cpu,
		.time_ns = o->step.time_ns - g->first_ns,
		.order = o->step.order,
		.mt = o->step.mt,
		.seen = drain ? o->seen : o->step.blocks,
		.predicted = drain ? o->predicted : o->refilled};
	if (drain) {
		explain_drain(o, u);
	} else {
		explain_refill(o, u);
	}
}

/* One drain or refill at two places is one that is off by as many ops, not two mistakes. */
static bool pairs_up(struct judge *g, const struct open_op *o, const struct lone *now, bool drain)
{
	struct judge_cpu *c = &g->cpu[o->step.cpu];
	struct zl_replay_cpu *r = &g->ret->cpu[o->step.cpu];
	struct lone *kept = drain ? &c->drain : &c->refill[o->step.list];
	const struct lone before = *kept;
	const uint64_t apart = now->at - before.at;
	const bool fits = drain ? difference(now->size, before.size) <= apart
				: now->size == before.size && apart <= now->size;

	*kept = *now;
	if (!now->open || !before.open || before.judged == now->judged || !fits) {
		return false;
	}
	kept->open = false;
	pair(drain ? &r->drain : &r->refill, &before, now);
	pair(drain ? &g->ret->drain : &g->ret->refill, &before, now);
	if (before.unexplained < ZL_REPLAY_LISTED) {
		struct zl_unexplained *u = &g->ret->unexplained[before.unexplained];

		u->judged = ZL_JUDGED_NEAR;
		u->seen += now->seen;
		u->predicted += now->predicted;
		zl_format(u->why, sizeof(u->why), "the model's comes %N %s %s", apart,
			drain ? "freed pages" : "requests",
			now->judged == ZL_JUDGED_ONLY_TRACE ? "earlier" : "later");
	}
	return true;
}

static void judged(struct judge *g, const struct open_op *o, enum zl_judged j, bool drain)
{
	struct judge_cpu *c = &g->cpu[o->step.cpu];
	struct zl_replay_cpu *r = &g->ret->cpu[o->step.cpu];
	struct zl_replay_tally *mine = drain ? &r->drain : &r->refill;
	struct zl_replay_tally *all = drain ? &g->ret->drain : &g->ret->refill;
	const bool listed = drain || o->step.list < FOLLOW_LISTS;
	const uint64_t seen = drain ? o->seen : o->step.blocks;
	const uint64_t predicted = drain ? o->predicted : o->refilled;
	const struct lone now = {.open = j == ZL_JUDGED_ONLY_TRACE || j == ZL_JUDGED_ONLY_MODEL,
		.judged = j,
		.seen = seen,
		.predicted = predicted,
		.size = j == ZL_JUDGED_ONLY_TRACE ? seen : predicted,
		.at = drain    ? c->pages_freed
		      : listed ? c->requests_of[o->step.list]
			       : 0,
		.unexplained = g->ret->nr_unexplained < ZL_REPLAY_LISTED ? g->ret->nr_unexplained
									 : ZL_REPLAY_LISTED};

	count(mine, seen, predicted);
	count(all, seen, predicted);
	if (listed && pairs_up(g, o, &now, drain)) {
		return;
	}
	judge_alone(mine, &now);
	judge_alone(all, &now);
	unexplained(g, o, drain, j);
}

static void note_first_drain(struct judge *g, uint32_t cpu, const struct open_op *o)
{
	struct judge_cpu *c = &g->cpu[cpu];
	struct zl_replay_cpu *r = &g->ret->cpu[cpu];

	if (r->first_drain.line != 0 || o->seen == 0) {
		return;
	}
	r->first_drain.line = o->step.line;
	r->first_drain.order = o->step.order;
	r->first_drain.frees = c->frees_of[o->step.order];
	r->first_drain.pages_before = c->pages_freed - (UINT64_C(1) << o->step.order);
	r->first_drain.pages = o->seen;
	r->first_drain.predicted = o->predicted > 0;
	r->first_drain.free_high = o->record.free_high;
	r->first_drain.threshold = o->record.threshold_exists ? o->record.threshold : 0;
	if (!o->record.free_high) {
		r->first_drain.lacking =
			(int64_t)o->record.eff_high - o->record.count - (int64_t)c->drained;
	}
}

/* The last op of a CPU has no more drains to come. */
static void settle(struct judge *g, uint32_t cpu)
{
	struct judge_cpu *c = &g->cpu[cpu];
	struct open_op *o = &c->last;
	bool frees = o->step.op.kind == ZL_OP_FREE;
	bool known;
	enum zl_judged j;

	if (!o->open) {
		return;
	}
	o->open = false;
	if (o->seen == 0 && o->predicted == 0) {
		return;
	}
	/* All that lies there goes, whatever free_count is; else that must have halved away. */
	known = c->counted && !c->gap && !o->inferred &&
		(o->step.op.kind == ZL_OP_DRAIN || c->requests == HALVINGS || c->over_known ||
			g->p->f.exported);
	c->drained += o->predicted;
	if (frees) {
		note_first_drain(g, cpu, o);
	}
	if (c->fixed && frees && o->seen > 0) {
		c->fixed = false; /* this one told the count */
		known = false;
	}
	j = verdict(o->seen, o->predicted, known);
	c->over_known |= frees && o->seen > 0 && o->seen == o->predicted;
	judged(g, o, j, true);
}

static void judge_request(struct judge *g, struct judge_cpu *c)
{
	const struct open_op *o = &c->last;
	uint64_t predicted = o->refilled;
	bool known = o->step.exact && !o->step.fixes && o->step.list < FOLLOW_LISTS;
	enum zl_judged j;

	c->requests += c->requests < HALVINGS;
	memset(c->frees_of, 0, sizeof(c->frees_of));
	c->drain.open = false;
	if (o->step.list < FOLLOW_LISTS) {
		c->requests_of[o->step.list]++;
	}
	c->pages_freed = 0;
	if (o->step.blocks == 0 && predicted == 0) {
		return;
	}
	j = verdict(o->step.blocks, predicted, known);
	judged(g, o, j, false);
}

static void after_op(struct judge *g, const struct follow_step *s)
{
	struct judge_cpu *c = &g->cpu[s->cpu];
	struct zl_replay_cpu *r = &g->ret->cpu[s->cpu];
	struct open_op *o = &c->last;
	struct zl_totals now;

	r->used = true;
	r->ops++;
	o->open = true;
	/* When a refresh was, and what it was, no event says. */
	o->inferred = (s->op.kind == ZL_OP_TICK || s->op.kind == ZL_OP_DRAIN) && !g->p->f.exported;
	o->step = *s;
	o->seen = 0;
	zl_sim_record(g->sim, &o->record);
	zl_sim_totals(g->sim, &now);
	o->refilled = now.blocks_refilled - g->refilled;
	o->predicted = o->record.drained;
	g->ret->extfrag_model += o->record.fallbacks;
	if (s->op.kind == ZL_OP_ALLOC || s->op.kind == ZL_OP_ALLOCHA || s->op.kind == ZL_OP_BULK) {
		judge_request(g, c);
	} else if (s->op.kind == ZL_OP_FREE) {
		c->frees_of[s->order]++;
		c->pages_freed += UINT64_C(1) << s->order;
	}
}

static int apply(struct judge *g, const struct follow_step *s, struct zl_error *err)
{
	int rc = zl_sim_apply(g->sim, &s->op);

	if (rc == -EINVAL) {
		zl_sim_op_check(g->sim, &s->op, err);
		if (err != NULL) {
			err->line = s->line;
		}
	}
	return rc;
}

static int take_step(struct judge *g, const struct follow_step *s, struct zl_error *err)
{
	struct zl_totals before;
	int rc;

	switch (s->kind) {
	case FOLLOW_LOST:
		settle(g, s->cpu);
		g->cpu[s->cpu].gap = true;
		return 0;
	case FOLLOW_END: /* a drain may have been cut off */
		g->cpu[s->cpu].gap |= g->cpu[s->cpu].last.seen < g->cpu[s->cpu].last.predicted;
		settle(g, s->cpu);
		g->cpu[s->cpu].gap = true;
		return 0;
	case FOLLOW_DRAIN:
		if (!s->exact) { /* the op before it was made for it */
			g->ret->cpu[s->cpu].drains_alone += s->pages;
			g->cpu[s->cpu].last.inferred = !s->whole;
		}
		g->cpu[s->cpu].last.seen += s->pages;
		return 0;
	case FOLLOW_REFILL:
		g->ret->cpu[s->cpu].used = true;
		count(&g->ret->cpu[s->cpu].refill, s->blocks, 0);
		count(&g->ret->refill, s->blocks, 0);
		g->ret->cpu[s->cpu].refill.judged[ZL_JUDGED_UNKNOWN]++;
		g->ret->refill.judged[ZL_JUDGED_UNKNOWN]++;
		return 0;
	case FOLLOW_OP:
		break;
	}
	if (s->op.kind == ZL_OP_CPU && !g->p->f.exported) {
		return apply(g, s, err);
	}
	settle(g, s->cpu);
	zl_sim_totals(g->sim, &before);
	g->refilled = before.blocks_refilled;
	rc = apply(g, s, err);
	if (rc == 0) {
		after_op(g, s);
	}
	return rc;
}

static void sum_up(struct judge *g)
{
	struct zl_replay_result *ret = g->ret;
	uint64_t same = 0;

	for (unsigned i = 0; i < ret->cpus; i++) {
		struct zl_pageset_view v;

		settle(g, i);
		if (i < FIRST_CPU && i < zl_sim_cpus(g->sim)) {
			zl_sim_pageset(g->sim, i, &v);
			ret->count[i] = v.count;
			ret->high[i] = v.high;
		}
	}
	for (unsigned j = 0; j < ZL_JUDGED_UNKNOWN; j++) {
		ret->judged += ret->refill.judged[j] + ret->drain.judged[j];
	}
	same = ret->refill.judged[ZL_JUDGED_SAME] + ret->drain.judged[ZL_JUDGED_SAME];
	ret->score = ret->judged == 0 ? PERMILLE : (unsigned)(same * PERMILLE / ret->judged);
	ret->demand = g->p->f.demand;
	ret->extfrag_seen = g->p->f.extfrag;
	ret->complete = !g->p->stopped && g->p->r->complete;
	ret->ops = zl_sim_ops(g->sim);
	ret->digest = zl_sim_digest(g->sim);
}

/* Totals of what was done before @t. */
static void subtract(struct zl_totals *t, const struct zl_totals *before)
{
	uint64_t *a = (uint64_t *)t;
	const uint64_t *b = (const uint64_t *)before;
	uint64_t longest = t->longest_hold_pages;

	for (size_t i = 0; i < sizeof(*t) / sizeof(*a); i++) {
		a[i] -= b[i];
	}
	t->longest_hold_pages = longest;
}

static int judge_all(struct judge *g, struct zl_error *err)
{
	struct follow_step s;
	bool start, demand = false;
	int rc;

	while ((rc = replay_step(g->p, &s, &start)) == 1) {
		if (!start && !demand) {
			demand = true;
			g->ret->start_ops = zl_sim_ops(g->sim);
			zl_sim_totals(g->sim, &g->start);
		}
		rc = start ? apply(g, &s, err) : take_step(g, &s, err);
		if (rc != 0) {
			return rc;
		}
	}
	return rc;
}

static int judge_new(struct judge *g, const struct zl_recording *r)
{
	size_t n = r->cpus > 0 ? r->cpus : 1;

	g->cpu = r->mem->realloc(r->mem->user, NULL, n * sizeof(*g->cpu));
	g->ret->cpu = r->mem->realloc(r->mem->user, NULL, n * sizeof(*g->ret->cpu));
	if (g->cpu == NULL || g->ret->cpu == NULL) {
		return -ENOMEM;
	}
	memset(g->cpu, 0, n * sizeof(*g->cpu));
	memset(g->ret->cpu, 0, n * sizeof(*g->ret->cpu));
	g->ret->cpus = (unsigned)n;
	g->first_ns = r->first_ns;
	return 0;
}

/* Whose pagesets are known in all at the start: zoneinfo says, or every list has shown. */
static void know_counts(struct judge *g)
{
	const struct zl_replay *p = g->p;

	for (unsigned i = 0; i < g->ret->cpus; i++) {
		bool known = p->f.exported;

		for (size_t k = 0; k < p->where.nr_pcp; k++) {
			known = known || (p->where.pcp[k].cpu == i && p->where.pcp[k].count >= 0);
		}
		g->cpu[i].fixed = p->where.parked == ZL_PARKED_DRAIN &&
				  p->where.parked_more != NULL && p->where.parked_more[i] != 0;
		g->cpu[i].counted = known || g->cpu[i].fixed;
	}
}

int zl_replay_run(const struct zl_recording *r, const struct zl_replay_where *where,
	const struct zl_patience *patience, struct zl_replay_result *ret, struct zl_error *err)
{
	struct judge g = {.ret = ret};
	int rc;

	memset(ret, 0, sizeof(*ret));
	rc = zl_replay_new(r, where, patience, &g.p, err);
	if (rc != 0) {
		return rc;
	}
	rc = zl_sim_new(&where->config, r->mem, &g.sim, err);
	rc = rc != 0 ? rc : judge_new(&g, r);
	if (rc == 0) {
		know_counts(&g);
		rc = judge_all(&g, err);
	}
	if (rc == 0) {
		sum_up(&g);
		zl_sim_totals(g.sim, &ret->totals);
		subtract(&ret->totals, &g.start);
	} else if (rc == -ENOMEM && err != NULL && err->text[0] == '\0') {
		zl_error_set(err, 0, 0, "no memory for this replay; a shorter trace may fit");
	}
	r->mem->free(r->mem->user, g.cpu);
	zl_sim_free(g.sim);
	zl_replay_free(g.p);
	if (rc != 0) {
		zl_replay_result_done(ret, r->mem);
	}
	return rc;
}

void zl_replay_result_done(struct zl_replay_result *r, const struct zl_allocator *mem)
{
	mem->free(mem->user, r->cpu);
	r->cpu = NULL;
}
