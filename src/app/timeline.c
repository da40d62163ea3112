/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timeline.h"

#include <errno.h>
#include <string.h>

#include "timeline_private.h"

#define FIRST_DISTANCE 4096u
#define BLOCK	       256u
#define FIRST_MARKS    4096u
#define FIRST_KEYS     16u
#define FAR_OPS	       16384u /* a replay so long is worth keeping states of */

void *timeline_take(struct timeline *t, void *old, size_t size)
{
	return t->meter->mem.realloc(t->meter->mem.user, old, size);
}

static void give(struct timeline *t, void *p)
{
	t->meter->mem.free(t->meter->mem.user, p);
}

/* ---- keyframes ---- */

size_t timeline_key_before(const struct timeline *t, uint64_t op)
{
	size_t lo = 0, hi = t->nr_keys;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (t->key[mid].op <= op) {
			lo = mid;
		} else {
			hi = mid;
		}
	}
	return lo;
}

/* Every second keyframe goes, and again until the budget holds or none is left to go. */
static void thin_out(struct timeline *t)
{
	while (t->meter->used > t->budget && t->distance < TIMELINE_OPS_MAX) {
		size_t kept = 0;

		t->distance *= 2;
		for (size_t i = 0; i < t->nr_keys; i++) {
			if (t->key[i].pinned || t->key[i].op % t->distance == 0) {
				t->key[kept++] = t->key[i];
			} else {
				zl_sim_free(t->key[i].sim);
			}
		}
		t->nr_keys = kept;
	}
}

int timeline_add_key(struct timeline *t, struct zl_sim *from, uint64_t op, bool pinned)
{
	struct zl_sim *copy = NULL;

	if (t->nr_keys == t->max_keys) {
		size_t max = t->max_keys == 0 ? FIRST_KEYS : t->max_keys * 2;
		struct timeline_keyframe *more = timeline_take(t, t->key, max * sizeof(*more));
		if (more == NULL) {
			return -ENOMEM;
		}
		t->key = more;
		t->max_keys = max;
	}
	if (zl_sim_clone(from, &copy) < 0) {
		return -ENOMEM;
	}
	t->key[t->nr_keys++] = (struct timeline_keyframe){.op = op, .sim = copy, .pinned = pinned};
	return 0;
}

/* ---- running ahead ---- */

/* Ops that change pagesets of CPUs that do not run. */
static bool touches_all(uint8_t kind)
{
	return kind == ZL_OP_DRAINALL || kind == ZL_OP_SET;
}

/* Figures of all CPUs after op @op, which changed them all. */
static int note_all(struct timeline *t, uint64_t op)
{
	int rc = 0;

	for (unsigned cpu = 0; cpu < zl_sim_cpus(t->ahead) && rc == 0; cpu++) {
		struct zl_pageset_view v;
		zl_sim_pageset(t->ahead, cpu, &v);
		const struct timeline_entry e = {.count_min = v.count,
			.count_max = v.count,
			.free_max = v.free_count,
			.cpu = cpu};
		rc = curve_note(&t->curve, &t->meter->mem, op, &e);
	}
	return rc;
}

static int room_for_marks(struct timeline *t, uint64_t ops)
{
	if (ops <= t->max_marks) {
		return 0;
	}
	size_t max = t->max_marks < FIRST_MARKS ? FIRST_MARKS : t->max_marks + t->max_marks / 4;
	max = max < ops ? (size_t)ops : max;
	uint8_t *more = timeline_take(t, t->marks, max);
	if (more == NULL) {
		return -ENOMEM;
	}
	t->marks = more;
	t->max_marks = max;
	return 0;
}

/* The next op of the feed into the log. Returns 1, 0 when there is none, or -ENOMEM. */
static int pull_one(struct timeline *t, struct zl_op *ret)
{
	int rc = 0;

	if (!t->fed && t->log.count < TIMELINE_OPS_MAX) {
		rc = t->feed.next(t->feed.user, ret, &t->error);
	}
	if (rc == -ENOMEM) {
		return rc;
	}
	if (rc <= 0) {
		t->fed = true;
		return 0;
	}
	rc = oplog_append(&t->log, ret);
	return rc < 0 ? rc : 1;
}

/* Brings op number @op into the log. Returns 1, 0 when there is none, or -ENOMEM. */
int timeline_pull(struct timeline *t, uint64_t op)
{
	struct zl_op next;

	while (t->log.count < op && !t->fed) {
		int rc = pull_one(t, &next);

		if (rc < 0) {
			return rc;
		}
	}
	return op <= t->log.count ? 1 : 0;
}

/* The run ends before op @op, which the zone refuses. */
static void end_before(struct timeline *t, uint64_t op, const struct zl_op *what)
{
	struct zl_error err = {0};

	(void)(zl_sim_policy_fault(t->ahead, &err) != 0 || zl_sim_op_check(t->ahead, what, &err));
	zl_error_set(&t->error, 0, 0, "the run ends before op %U: %s", op, err.text);
	t->complete = true;
}

/*
 * Ops that can run in one go: up to @n, to the next keyframe, and none after one that changes other
 * CPUs' pagesets, since the curve wants their figures at that op. Returns how many, or -ENOMEM.
 */
static int block(struct timeline *t, struct oplog_cursor *at, size_t n, struct zl_op *ret)
{
	uint64_t to_key = t->distance - (t->known & (t->distance - 1));
	size_t k = 0;

	n = n < to_key ? n : (size_t)to_key;
	while (k < n) {
		if (t->known + k < t->log.count) {
			oplog_read(&t->log, at, t->known + k, &ret[k]);
		} else {
			int rc = pull_one(t, &ret[k]);

			if (rc < 0) {
				return rc;
			}
			if (rc == 0) {
				break;
			}
		}
		if (touches_all(ret[k++].kind)) {
			break;
		}
	}
	return (int)k;
}

/*
 * Notes what a block of ops did: neighbours on one CPU in one bucket of the curve together. Only
 * the last op may have changed other CPUs' pagesets.
 */
static int note_block(
	struct timeline *t, const struct zl_op *ops, size_t n, const struct zl_glance *g)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0;) {
		struct timeline_entry e = {g[i].count, g[i].count, g[i].free_count, g[i].cpu};
		uint64_t bucket = (t->known + 1) >> t->curve.shift;

		do {
			e.count_min = g[i].count < e.count_min ? g[i].count : e.count_min;
			e.count_max = g[i].count > e.count_max ? g[i].count : e.count_max;
			e.free_max = g[i].free_count > e.free_max ? g[i].free_count : e.free_max;
			t->marks[t->known++] = g[i++].did;
		} while (i < n && g[i].cpu == e.cpu && (t->known + 1) >> t->curve.shift == bucket);
		rc = curve_note(&t->curve, &t->meter->mem, t->known, &e);
	}
	return rc == 0 && n > 0 && touches_all(ops[n - 1].kind) ? note_all(t, t->known) : rc;
}

static int run_block(struct timeline *t, struct oplog_cursor *at, size_t max)
{
	struct zl_op ops[BLOCK];
	struct zl_glance glance[BLOCK];
	size_t done = 0;
	int n = block(t, at, max < BLOCK ? max : BLOCK, ops);

	if (n <= 0) {
		t->complete = n == 0;
		return n;
	}
	int rc = room_for_marks(t, t->known + (size_t)n);
	if (rc < 0) {
		return rc;
	}
	int err = zl_sim_run_glances(t->ahead, ops, (size_t)n, glance, &done);
	rc = note_block(t, ops, done, glance);
	if (err == -EINVAL || err == -EDOM) {
		end_before(t, t->known + 1, &ops[done]);
		return rc;
	}
	rc = rc < 0 ? rc : err;
	if (rc == 0 && (t->known & (t->distance - 1)) == 0) {
		rc = timeline_add_key(t, t->ahead, t->known, false);
		thin_out(t);
	}
	return rc;
}

int timeline_advance(struct timeline *t, uint64_t ops)
{
	struct oplog_cursor at = {0};
	uint64_t until = t->known + ops;

	while (t->known < until && !t->complete) {
		int rc = run_block(t, &at, (size_t)(until - t->known));
		if (rc < 0) {
			return rc;
		}
	}
	return 0;
}

/* ---- making and ending ---- */

static void drop_near(struct timeline *t)
{
	for (unsigned i = 0; i < t->nr_near; i++) {
		zl_sim_free(t->near[i].sim);
	}
	t->nr_near = 0;
}

void timeline_free(struct timeline *t)
{
	if (t == NULL) {
		return;
	}
	for (size_t i = 0; i < t->nr_keys; i++) {
		zl_sim_free(t->key[i].sim);
	}
	give(t, t->key);
	drop_near(t);
	zl_sim_free(t->ahead);
	zl_sim_free(t->sim);
	give(t, t->marks);
	curve_done(&t->curve, &t->meter->mem);
	oplog_done(&t->log);
	if (t->feed.done != NULL) {
		t->feed.done(t->feed.user);
	}
	give(t, t);
}

struct timeline *timeline_alloc(const struct zl_sim_config *config, struct meter *meter)
{
	struct timeline *t = meter->mem.realloc(meter->mem.user, NULL, sizeof(*t));

	if (t == NULL) {
		return NULL;
	}
	memset(t, 0, sizeof(*t));
	t->meter = meter;
	t->budget = TIMELINE_BUDGET;
	t->config = *config;
	t->distance = FIRST_DISTANCE;
	t->fed = true;
	oplog_init(&t->log, &meter->mem);
	curve_init(&t->curve);
	return t;
}

/* The state at op 0. */
int timeline_start(struct timeline *t, struct zl_error *err)
{
	int rc = zl_sim_new(&t->config, &t->meter->mem, &t->ahead, err);

	if (rc == 0) {
		rc = timeline_add_key(t, t->ahead, 0, true);
	}
	return rc == 0 ? zl_sim_clone(t->ahead, &t->sim) : rc;
}

int timeline_new(const struct zl_sim_config *config, const struct op_feed *feed,
	struct meter *meter, struct timeline **ret, struct zl_error *err)
{
	struct timeline *t = timeline_alloc(config, meter);

	if (t == NULL) {
		if (feed->done != NULL) {
			feed->done(feed->user);
		}
		zl_error_set(err, 0, 0, "no memory for a run");
		return -ENOMEM;
	}
	t->feed = *feed;
	t->fed = false;
	int rc = timeline_start(t, err);
	if (rc < 0) {
		timeline_free(t);
		return rc;
	}
	*ret = t;
	return 0;
}

uint64_t timeline_total(const struct timeline *t)
{
	if (t->complete) {
		return t->known;
	}
	if (t->fed || t->log.count > t->feed.total) {
		return t->log.count;
	}
	return t->feed.total;
}

/* ---- going somewhere ---- */

/* The nearest state to replay from: a keyframe, or one of those kept near. */
static const struct timeline_keyframe *start_for(const struct timeline *t, uint64_t op)
{
	const struct timeline_keyframe *k = &t->key[timeline_key_before(t, op)];

	for (unsigned i = 0; i < t->nr_near; i++) {
		k = t->near[i].op <= op && t->near[i].op > k->op ? &t->near[i] : k;
	}
	return k;
}

/* Keeps the state @left ops before the goal if it is one of those to keep. */
static void keep_near(struct timeline *t, struct zl_sim *sim, uint64_t op, uint64_t left)
{
	static const uint32_t distances[TIMELINE_NEAR] = {65536, 4096, 256};
	struct zl_sim *copy = NULL;

	for (unsigned i = 0; i < TIMELINE_NEAR; i++) {
		if (left == distances[i] && t->nr_near < TIMELINE_NEAR &&
			zl_sim_clone(sim, &copy) == 0) {
			t->near[t->nr_near++] = (struct timeline_keyframe){.op = op, .sim = copy};
		}
	}
}

int timeline_state(struct timeline *t, uint64_t op, struct zl_sim **ret)
{
	const struct timeline_keyframe *k = start_for(t, op);
	struct oplog_cursor at = {0};
	struct zl_sim *sim = NULL;
	struct zl_op what;
	uint64_t from = k->op;
	bool far = op - from > FAR_OPS;
	int rc = zl_sim_clone(k->sim, &sim);

	if (far) {
		drop_near(t);
	}
	for (uint64_t i = from; i < op && rc == 0; i++) {
		if (far) {
			keep_near(t, sim, i, op - i);
		}
		oplog_read(&t->log, &at, i, &what);
		rc = zl_sim_apply(sim, &what);
	}
	if (rc < 0) {
		zl_sim_free(sim);
		return -ENOMEM;
	}
	*ret = sim;
	return 0;
}

int timeline_seek(struct timeline *t, uint64_t op)
{
	struct zl_sim *sim = NULL;
	struct oplog_cursor cursor = {0};
	struct zl_op what;
	int rc = op > t->known ? timeline_advance(t, op - t->known) : 0;

	if (rc < 0) {
		return rc;
	}
	op = op < t->known ? op : t->known;
	if (op < t->at || t->key[timeline_key_before(t, op)].op > t->at) {
		rc = timeline_state(t, op, &sim);
		if (rc == 0) {
			zl_sim_free(t->sim);
			t->sim = sim;
			t->at = op;
		}
		return rc;
	}
	while (t->at < op) {
		oplog_read(&t->log, &cursor, t->at, &what);
		rc = zl_sim_apply(t->sim, &what);
		if (rc < 0) {
			return rc;
		}
		t->at++;
	}
	return 0;
}

bool timeline_has(struct timeline *t, uint64_t op)
{
	return op >= 1 && (op <= t->known || (!t->complete && timeline_pull(t, op) > 0));
}

void timeline_op(const struct timeline *t, uint64_t op, struct zl_op *ret)
{
	struct oplog_cursor at = {0};

	oplog_read(&t->log, &at, op - 1, ret);
}

uint64_t timeline_find(const struct timeline *t, uint64_t from, int direction, uint8_t mask)
{
	if (direction > 0) {
		for (uint64_t op = from + 1; op <= t->known; op++) {
			if ((t->marks[op - 1] & mask) != 0) {
				return op;
			}
		}
		return TIMELINE_NO_OP;
	}
	for (uint64_t op = from < t->known + 1 ? from : t->known + 1; op > 1; op--) {
		if ((t->marks[op - 2] & mask) != 0) {
			return op - 1;
		}
	}
	return TIMELINE_NO_OP;
}
