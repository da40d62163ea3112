/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timeline.h"

#include <errno.h>
#include <string.h>

#include "timeline_private.h"

#define FIRST_DISTANCE	16384u
#define THRIFT_DISTANCE (UINT64_C(1) << 18) /* further apart only for the budget */
#define BLOCK		256u
#define WORD_OPS	64u /* of the marks and, at least, of a bucket of the curve */
#define FIRST_KEYS	16u
#define FAR_OPS		2048u /* a replay so long is worth keeping states of */

static void *take(struct timeline *t, void *old, size_t size)
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

static bool keeps_too_much(const struct timeline *t)
{
	size_t used = t->meter->used > t->base ? t->meter->used - t->base : 0;

	return t->meter->used > t->budget
		       ? t->distance < TIMELINE_OPS_MAX
		       : used > t->known * t->op_bytes && t->distance < THRIFT_DISTANCE;
}

/* Every second keyframe goes, and again until few enough bytes are kept or none is left to go. */
static void thin_out(struct timeline *t)
{
	while (keeps_too_much(t)) {
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
		struct timeline_keyframe *more = take(t, t->key, max * sizeof(*more));
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

/* Figures of all CPUs after op @op, which changed them all. */
static int note_all(struct timeline *t, uint64_t op)
{
	int rc = 0;

	for (unsigned cpu = 0; cpu < zl_sim_cpus(t->ahead) && rc == 0; cpu++) {
		struct zl_pageset_view v;
		zl_sim_pageset(t->ahead, cpu, &v);
		const struct timeline_entry e = {.count = v.count,
			.count_max = v.count,
			.free_max = v.free_count,
			.cpu = cpu};
		rc = curve_note(&t->curve, &t->meter->mem, op, &e);
	}
	return rc;
}

/* The next ops of the feed into the log. Returns how many, 0 when there are none, or -ENOMEM. */
static int pull_some(struct timeline *t, struct zl_op *ret, size_t max)
{
	size_t space = oplog_space(&t->log);
	size_t n = 0;
	int rc = 0;

	if (space == 0) {
		return -ENOMEM;
	}
	if (!t->fed && t->log.count < TIMELINE_OPS_MAX) {
		uint64_t left = TIMELINE_OPS_MAX - t->log.count;

		max = max < space ? max : space;
		max = max < left ? max : (size_t)left;
		n = t->feed.many != NULL ? t->feed.many(t->feed.user, ret, max) : 0;
		rc = n == 0 ? t->feed.next(t->feed.user, ret, &t->error) : 1;
	}
	if (rc == -ENOMEM) {
		return rc;
	}
	if (rc <= 0) {
		t->fed = true;
		return 0;
	}
	n = n == 0 ? 1 : n;
	rc = oplog_append(&t->log, ret, n);
	return rc < 0 ? rc : (int)n;
}

/* Brings op number @op into the log. Returns 1, 0 when there is none, or -ENOMEM. */
int timeline_pull(struct timeline *t, uint64_t op)
{
	struct zl_op next[BLOCK];

	while (t->log.count < op && !t->fed) {
		uint64_t left = op - t->log.count;
		int rc = pull_some(t, next, left < BLOCK ? (size_t)left : BLOCK);

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

/* The next ops, from the log or into it. Returns how many, 0 at the end, or -ENOMEM. */
static int fetch(struct timeline *t, size_t n, struct zl_op *ret)
{
	uint64_t ready = t->log.count - t->known;
	size_t k = ready < n ? (size_t)ready : n;

	oplog_read(&t->log, t->known, k, ret);
	while (k < n) {
		int rc = pull_some(t, ret + k, n - k);

		if (rc < 0) {
			return rc;
		}
		if (rc == 0) {
			break;
		}
		k += (size_t)rc;
	}
	return (int)k;
}

size_t timeline_room(const struct timeline *t)
{
	uint64_t to_key = t->distance - (t->known & (t->distance - 1));
	uint64_t to_word = WORD_OPS - (t->known + 1) % WORD_OPS;

	return (size_t)(to_key < to_word ? to_key : to_word);
}

int timeline_reserve(struct timeline *t)
{
	return marks_reserve(&t->marks, &t->meter->mem, t->known + 1);
}

int timeline_note(struct timeline *t, const struct zl_op *ops, const struct zl_glance *g)
{
	const struct timeline_entry e = {g->count, g->count_max, g->free_max, g->cpu};
	int rc;

	if (g->done == 0) {
		return 0;
	}
	marks_note(&t->marks, t->known + 1, g);
	t->known += g->done;
	rc = curve_note(&t->curve, &t->meter->mem, t->known, &e);
	if (rc == 0 && zl_op_of_all(ops[g->done - 1].kind)) {
		rc = note_all(t, t->known);
	}
	if (rc == 0 && (t->known & (t->distance - 1)) == 0) {
		rc = timeline_add_key(t, t->ahead, t->known, false);
		thin_out(t);
	}
	return rc;
}

/* Some of the ops, at least one. Returns 0 or -ENOMEM. */
static int run_some(struct timeline *t, const struct zl_op *ops, size_t n)
{
	size_t room = timeline_room(t);
	struct zl_glance glance;
	int rc = timeline_reserve(t);

	if (rc < 0) {
		return rc;
	}
	int err = zl_sim_run_glance(t->ahead, ops, n < room ? n : room, &glance);
	rc = timeline_note(t, ops, &glance);
	if (err == -EINVAL || err == -EDOM) {
		end_before(t, t->known + 1, &ops[glance.done]);
		return rc;
	}
	return rc < 0 ? rc : err;
}

static int run_block(struct timeline *t, size_t max)
{
	struct zl_op ops[BLOCK];
	uint64_t from = t->known;
	int n = fetch(t, max < BLOCK ? max : BLOCK, ops);
	int rc = 0;

	if (n <= 0) {
		t->complete = n == 0;
		return n;
	}
	while (rc == 0 && !t->complete && t->known - from < (uint64_t)n) {
		size_t done = (size_t)(t->known - from);

		rc = run_some(t, ops + done, (size_t)n - done);
	}
	return rc;
}

int timeline_advance(struct timeline *t, uint64_t ops)
{
	uint64_t until = ops < TIMELINE_NO_OP - t->known ? t->known + ops : TIMELINE_NO_OP;

	while (t->known < until && !t->complete) {
		int rc = run_block(t, (size_t)(until - t->known));
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
	t->next_near = 0;
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
	marks_done(&t->marks, &t->meter->mem);
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
	t->op_bytes = TIMELINE_OP_BYTES;
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
	if (rc == 0) {
		rc = zl_sim_clone(t->ahead, &t->sim);
	}
	t->base = t->meter->used;
	return rc;
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

/* Keeps a copy of a state in place of the oldest kept so; without memory it does not. */
static void keep_near(struct timeline *t, struct zl_sim *sim, uint64_t op)
{
	struct zl_sim *copy = NULL;

	if (t->meter->used > t->budget) {
		drop_near(t);
	}
	if (zl_sim_clone(sim, &copy) < 0) {
		return;
	}
	if (t->next_near < t->nr_near) {
		zl_sim_free(t->near[t->next_near].sim);
	} else {
		t->nr_near++;
	}
	t->near[t->next_near] = (struct timeline_keyframe){.op = op, .sim = copy};
	t->next_near = (t->next_near + 1) % TIMELINE_NEAR;
}

int timeline_replay(const struct timeline *t, struct zl_sim *sim, uint64_t *at, uint64_t to)
{
	struct zl_op ops[BLOCK];
	int rc = 0;

	while (*at < to && rc == 0) {
		size_t n = to - *at < BLOCK ? (size_t)(to - *at) : BLOCK;
		size_t done = 0;

		oplog_read(&t->log, *at, n, ops);
		rc = zl_sim_run(sim, ops, n, &done);
		*at += done;
	}
	return rc;
}

int timeline_state(struct timeline *t, uint64_t op, struct zl_sim **ret)
{
	static const uint32_t distances[] = {65536, 4096, 256};
	const struct timeline_keyframe *k = start_for(t, op);
	struct zl_sim *sim = NULL;
	uint64_t at = k->op;
	bool far = op - at > FAR_OPS;
	int rc = zl_sim_clone(k->sim, &sim);

	for (unsigned i = 0; far && i < sizeof(distances) / sizeof(*distances) && rc == 0; i++) {
		if (op - at > distances[i]) {
			rc = timeline_replay(t, sim, &at, op - distances[i]);
			if (rc == 0) {
				keep_near(t, sim, at);
			}
		}
	}
	rc = rc == 0 ? timeline_replay(t, sim, &at, op) : rc;
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
	int rc = op > t->known ? timeline_advance(t, op - t->known) : 0;

	if (rc < 0) {
		return rc;
	}
	op = op < t->known ? op : t->known;
	if (op >= t->at && t->key[timeline_key_before(t, op)].op <= t->at) {
		return timeline_replay(t, t->sim, &t->at, op);
	}
	rc = timeline_state(t, op, &sim);
	if (rc == 0) {
		zl_sim_free(t->sim);
		t->sim = sim;
		t->at = op;
	}
	return rc;
}

bool timeline_has(struct timeline *t, uint64_t op)
{
	return op >= 1 && (op <= t->known || (!t->complete && timeline_pull(t, op) > 0));
}

void timeline_op(const struct timeline *t, uint64_t op, struct zl_op *ret)
{
	oplog_read(&t->log, op - 1, 1, ret);
}

uint8_t timeline_marks(const struct timeline *t, uint64_t op)
{
	return op <= t->known ? marks_at(&t->marks, op) : 0;
}

uint64_t timeline_find(const struct timeline *t, uint64_t from, int direction, uint8_t mask)
{
	if (direction <= 0 && from == 0) {
		return TIMELINE_NO_OP;
	}
	from = direction > 0 ? from + 1 : from - 1;
	return marks_find(&t->marks, from, direction, mask);
}
