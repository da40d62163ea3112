/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes in step: running them, noting where they differ, standing anywhere. */
#include "comparison.h"

#include <errno.h>
#include <string.h>

#include "comparison_private.h"
#include "scenario_feed.h"
#include "timeline_private.h"
#include "zonelab/text.h"

#define FIRST_PATTERNS 4096u

static void *take(struct comparison *c, void *old, size_t size)
{
	return c->meter.mem.realloc(c->meter.mem.user, old, size);
}

/* ---- ops ---- */

static int next_item(struct comparison *c, struct zl_scenario_op *ret)
{
	if (c->feed.next_item != NULL) {
		return c->feed.next_item(c->feed.user, ret, &c->error);
	}
	*ret = (struct zl_scenario_op){.caption = ZL_NONE, .stop = ZL_NONE};
	return c->feed.next(c->feed.user, &ret->op, &c->error);
}

/* Brings op number @op from the feed. Returns 1, 0 when there is none, or -ENOMEM. */
static int pull(struct comparison *c, uint64_t op)
{
	if (op == c->nr_pulled + 1 && !c->fed) {
		int rc = next_item(c, &c->pulled[op % COMPARE_AHEAD]);

		if (rc == -ENOMEM) {
			return rc;
		}
		c->fed = rc <= 0;
		c->nr_pulled += rc > 0 ? 1 : 0;
	}
	return op <= c->nr_pulled ? 1 : 0;
}

/* In place of an op that a lane's zone does not know: nothing happens, and it counts. */
static void leave_out(struct compare_lane *l, const struct zl_sim *sim, struct zl_op *op)
{
	if (l->refused++ == 0) {
		struct zl_error err = {0};
		char text[64];

		(void)zl_sim_op_check(sim, op, &err);
		zl_op_format(op, text, sizeof(text));
		zl_format(l->refused_why, sizeof(l->refused_why), "%s: %s", text, err.text);
		l->first_refused = l->taken;
	}
	*op = (struct zl_op){.kind = ZL_OP_CPU, .arg = zl_sim_cpu(sim)};
}

/* Most ops are such as every zone knows that has their order. */
static bool known_op(const struct compare_lane *l, const struct zl_op *op)
{
	return op->kind == ZL_OP_FREE ||
	       (op->kind == ZL_OP_ALLOC && op->order <= l->config.max_order) ||
	       zl_sim_op_check(l->t->ahead, op, NULL) == 0;
}

/* Ops are kept once while all lanes get the same. */
static int part_logs(struct comparison *c, unsigned lane)
{
	int rc = 0;

	for (unsigned i = 0; i < c->nr_lanes && rc == 0; i++) {
		if (i == lane || lane == 0) {
			rc = oplog_follow(&c->lane[i].t->log, NULL);
		}
	}
	return rc;
}

/* A timeline asks for its lane's next op. */
int compare_lane_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct lane_feed *f = user;
	struct compare_lane *l = &f->c->lane[f->lane];
	int rc = pull(f->c, l->taken + 1);

	(void)err;
	if (rc <= 0) {
		return rc;
	}
	*ret = f->c->pulled[(l->taken + 1) % COMPARE_AHEAD].op;
	bool known = known_op(l, ret);
	if (!known && part_logs(f->c, f->lane) < 0) {
		return -ENOMEM;
	}
	l->taken++;
	if (!known) {
		leave_out(l, l->t->ahead, ret);
	}
	return 1;
}

void compare_lane_feed_done(void *user)
{
	struct lane_feed *f = user;

	f->c->meter.mem.free(f->c->meter.mem.user, f);
}

const struct zl_sim *comparison_sim(const struct comparison *c, unsigned lane)
{
	return c->seekable ? c->lane[lane].t->ahead : c->lane[lane].sim;
}

/* ---- running ---- */

/* The lanes as the model takes them. */
static void put_lanes(struct comparison *c, struct zl_outcome_lanes *ret)
{
	ret->n = c->nr_lanes;
	ret->pattern = c->last_pattern;
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		ret->sim[i] = c->seekable ? c->lane[i].t->ahead : c->lane[i].sim;
		ret->outcome[i] = &c->lane[i].outcome;
	}
}

static void note_pairs(struct comparison *c, uint64_t op, compare_pattern p)
{
	for (unsigned a = 0; a < c->nr_lanes; a++) {
		for (unsigned b = a + 1; b < c->nr_lanes; b++) {
			struct compare_pair *pair = &c->pair[a][b];

			if (compare_class(p, a) != compare_class(p, b)) {
				pair->ops++;
				pair->first = pair->first == 0 ? op : pair->first;
				pair->last = op;
			}
		}
	}
}

/* Keeps what was done on an op on which two lanes differ that never did before. */
static void note_first(struct comparison *c, uint64_t op, compare_pattern p)
{
	bool first = false;

	for (unsigned a = 0; a < c->nr_lanes; a++) {
		for (unsigned b = a + 1; b < c->nr_lanes; b++) {
			first = first || c->pair[a][b].first == op;
		}
	}
	if (!first) {
		return;
	}
	struct compare_first *f = &c->first[c->nr_first++];

	f->op = op;
	f->pattern = p;
	for (unsigned i = 0; i < c->nr_lanes; i++) {
		zl_sim_record(comparison_sim(c, i), &f->record[i]);
	}
}

static int note_pattern(struct comparison *c, uint64_t op, compare_pattern p)
{
	if (c->seekable && op > c->max_pattern) {
		size_t max = c->max_pattern < FIRST_PATTERNS ? FIRST_PATTERNS
							     : c->max_pattern + c->max_pattern / 4;
		compare_pattern *more = take(c, c->pattern, max * sizeof(*more));

		if (more == NULL) {
			return -ENOMEM;
		}
		c->pattern = more;
		c->max_pattern = max;
	}
	if (c->seekable) {
		c->pattern[op - 1] = p;
	}
	if (p != 0) {
		c->differ++;
		note_pairs(c, op, p);
		if (p != c->last_pattern) {
			note_first(c, op, p);
			c->nr_stretches++;
			if (c->nr_stretches <= COMPARE_STRETCHES) {
				c->stretch[c->nr_stretches - 1] =
					(struct compare_stretch){.op = op, .pattern = p};
			}
		}
		if (c->nr_stretches <= COMPARE_STRETCHES) {
			c->stretch[c->nr_stretches - 1].last = op;
		}
	}
	c->last_pattern = p;
	return 0;
}

static int lane_stream(struct comparison *c, struct compare_lane *l)
{
	int rc = pull(c, l->taken + 1);
	struct zl_op op;

	if (rc <= 0) {
		return rc;
	}
	l->taken++;
	op = c->pulled[l->taken % COMPARE_AHEAD].op;
	rc = zl_sim_apply(l->sim, &op);
	if (rc == -EINVAL) {
		leave_out(l, l->sim, &op);
		rc = zl_sim_apply(l->sim, &op);
	}
	if (rc == -EDOM) { /* a policy without a value: nothing can go on */
		struct zl_error why = {0};

		(void)zl_sim_policy_fault(l->sim, &why);
		zl_error_set(&c->error, 0, 0, "lane %s: %s", l->name, why.text);
		return 0;
	}
	return rc != 0 ? rc : 1;
}

/* The cost of the op that a lane has just run, whose CPU was @cpu before. */
static int lane_estimate(struct comparison *c, struct compare_lane *l, unsigned cpu)
{
	/* A screen that looks at the next op has pulled that one already. */
	struct zl_scenario_op item = c->pulled[(c->known + 1) % COMPARE_AHEAD];

	if (c->feed.next_item == NULL) {
		item.cpu = cpu;
	}
	return zl_estimate_op(l->estimate, c->seekable ? l->t->ahead : l->sim, &item);
}

/* One op further. Returns 1, 0 at the end, or -errno. */
static int lane_step(struct comparison *c, unsigned i)
{
	struct compare_lane *l = &c->lane[i];
	unsigned cpu = zl_sim_cpu(comparison_sim(c, i));
	int rc;

	if ((c->seekable ? l->t->known : l->taken) > c->known) {
		return 1; /* before another lane failed */
	}
	if (c->seekable) {
		rc = timeline_advance(l->t, 1);
		rc = rc != 0 ? rc : (l->t->known > c->known ? 1 : 0);
		if (rc == 0 && l->t->error.text[0] != '\0' && c->error.text[0] == '\0') {
			zl_error_set(&c->error, 0, 0, "lane %s: %s", l->name, l->t->error.text);
		}
	} else {
		rc = lane_stream(c, l);
	}
	if (rc > 0) {
		zl_outcome_note(&l->outcome);
	}
	if (rc > 0 && l->estimate != NULL && lane_estimate(c, l, cpu) != 0) {
		return -ENOMEM;
	}
	return rc;
}

/*
 * Lanes that have just kept their states share what is the same in them.
 * Each pair: what differs from the first lane may be the same in two others.
 */
static void share_kept(struct comparison *c)
{
	for (unsigned b = 1; b < c->nr_lanes; b++) {
		for (unsigned a = 0; a < b; a++) {
			const struct timeline *ta = c->lane[a].t;
			const struct timeline *tb = c->lane[b].t;
			struct timeline_keyframe *ka = &ta->key[ta->nr_keys - 1];
			struct timeline_keyframe *kb = &tb->key[tb->nr_keys - 1];

			if (ka->op == c->known && kb->op == c->known) {
				zl_sim_share(kb->sim, ka->sim);
			}
		}
	}
}

/* All lanes have run one more op. */
static int note_op(struct comparison *c, compare_pattern p)
{
	int rc = note_pattern(c, c->known + 1 - c->from, p);

	c->known += rc == 0 ? 1 : 0;
	if (rc == 0 && c->seekable && (c->known & (c->lane[0].t->distance - 1)) == 0) {
		share_kept(c);
	}
	return rc;
}

static int step(struct comparison *c)
{
	struct zl_outcome_lanes lanes;
	int rc = 1;

	for (unsigned i = 0; i < c->nr_lanes && rc > 0; i++) {
		rc = lane_step(c, i);
	}
	if (rc <= 0) {
		c->complete = c->complete || rc == 0;
		return rc;
	}
	put_lanes(c, &lanes);
	return note_op(c, zl_outcome_pattern(&lanes));
}

/* ---- many ops at once ---- */

/* Ops that all lanes can run without a look at them; 0 = step by step. */
static size_t room(const struct comparison *c, uint64_t max)
{
	size_t n = max < ZL_GLANCE_OPS ? (size_t)max : ZL_GLANCE_OPS;

	for (unsigned i = 0; i < c->nr_lanes; i++) {
		const struct compare_lane *l = &c->lane[i];

		if (c->known == 0 || l->estimate != NULL || l->taken != c->known ||
			(c->seekable && l->t->complete)) {
			return 0;
		}
		if (c->seekable) {
			size_t here = timeline_room(l->t);

			n = n < here ? n : here;
		}
	}
	return n;
}

/* The next ops of these as long as they are such as every lane's zone knows. */
static size_t plain_ops(struct comparison *c, size_t max, struct zl_op *ret)
{
	unsigned most = ZL_MAX_ORDER_LIMIT;
	size_t n = 0;

	for (unsigned i = 0; i < c->nr_lanes; i++) {
		most = c->lane[i].config.max_order < most ? c->lane[i].config.max_order : most;
	}
	while (n < max && pull(c, c->known + n + 1) > 0) {
		const struct zl_op *op = &c->pulled[(c->known + n + 1) % COMPARE_AHEAD].op;

		if (op->kind != ZL_OP_FREE && (op->kind != ZL_OP_ALLOC || op->order > most)) {
			break;
		}
		ret[n++] = *op;
	}
	return n;
}

/* What a lane has done of the ops: one more than the others before one of them failed. */
static int note_lane(
	struct comparison *c, struct compare_lane *l, const struct zl_op *ops, struct zl_glance *g)
{
	int rc = 0;

	l->taken += g->done;
	if (c->seekable) {
		rc = oplog_append(&l->t->log, ops, g->done);
		rc = rc < 0 ? rc : timeline_note(l->t, ops, g);
	}
	return rc;
}

static int reserve_lanes(struct comparison *c)
{
	int rc = 0;

	for (unsigned i = 0; c->seekable && i < c->nr_lanes && rc == 0; i++) {
		rc = timeline_reserve(c->lane[i].t);
		rc = rc == 0 && oplog_space(&c->lane[i].t->log) == 0 ? -ENOMEM : rc;
	}
	return rc;
}

/*
 * Up to @max ops in every lane in one go. Returns how many, 0 when the next one has to be a step,
 * which also says why a lane fails, or -ENOMEM.
 */
static int64_t stride(struct comparison *c, uint64_t max)
{
	struct zl_op ops[ZL_GLANCE_OPS];
	struct zl_outcome_lanes lanes;
	size_t n = plain_ops(c, room(c, max), ops);
	size_t done = 0;
	int rc = n == 0 ? 0 : reserve_lanes(c);

	if (n == 0 || rc < 0) {
		return rc;
	}
	put_lanes(c, &lanes);
	(void)zl_outcome_run(&lanes, ops, n, &done);
	for (unsigned i = 0; i < c->nr_lanes && rc == 0; i++) {
		rc = note_lane(c, &c->lane[i], ops, &lanes.glance[i]);
	}
	for (size_t i = 0; i < done && rc == 0; i++) {
		rc = note_op(c, i + 1 == done ? lanes.pattern : c->last_pattern);
	}
	return rc == 0 ? (int64_t)done : rc;
}

int comparison_advance(struct comparison *c, uint64_t ops)
{
	while (ops > 0 && !c->complete) {
		int64_t n = stride(c, ops);

		if (n == 0) {
			n = step(c);
			n = n == 0 ? 1 : n;
		}
		if (n < 0) {
			return (int)n;
		}
		ops -= (uint64_t)n;
	}
	return 0;
}

void comparison_result(const struct comparison *c, unsigned lane, struct zl_run_result *ret)
{
	const struct compare_lane *l = &c->lane[lane];
	const struct zl_sim *sim = comparison_sim(c, lane);
	struct zl_zone_view z;
	struct zl_pageset_view v;

	zl_sim_zone(sim, &z);
	zl_sim_pageset(sim, zl_sim_cpu(sim), &v);
	*ret = (struct zl_run_result){.design = l->config.switches.design,
		.ops = zl_sim_ops(sim),
		.digest = zl_sim_digest(sim),
		.max_count = l->outcome.max_count,
		.max_high = l->outcome.max_high,
		.final_count = v.count,
		.final_buddy_free = z.free,
		.complete = c->complete};
	zl_sim_totals(sim, &ret->totals);
}

uint64_t comparison_total(const struct comparison *c)
{
	return c->complete || c->feed.total < c->known ? c->known : c->feed.total;
}

/* ---- going somewhere ---- */

int comparison_seek(struct comparison *c, uint64_t op)
{
	int rc = op > c->known ? comparison_advance(c, op - c->known) : 0;

	op = op < c->known ? op : c->known;
	for (unsigned i = 0; i < c->nr_lanes && rc == 0; i++) {
		struct compare_lane *l = &c->lane[i];

		rc = timeline_seek(l->t, op);
		if (rc == 0) {
			zl_sim_record(l->t->sim, &l->record);
		}
	}
	c->at = rc == 0 ? op : c->at;
	return rc;
}

compare_pattern comparison_pattern(const struct comparison *c, uint64_t op)
{
	return op >= 1 && op <= c->known ? c->pattern[op - 1] : 0;
}

static bool begins(const struct comparison *c, uint64_t op)
{
	compare_pattern p = comparison_pattern(c, op);

	return p != 0 && p != comparison_pattern(c, op - 1);
}

uint64_t comparison_find(const struct comparison *c, uint64_t from, int direction)
{
	if (direction > 0) {
		for (uint64_t op = from + 1; op <= c->known; op++) {
			if (begins(c, op)) {
				return op;
			}
		}
		return TIMELINE_NO_OP;
	}
	for (uint64_t op = from <= c->known ? from : c->known + 1; op > 1; op--) {
		if (begins(c, op - 1)) {
			return op - 1;
		}
	}
	return TIMELINE_NO_OP;
}
