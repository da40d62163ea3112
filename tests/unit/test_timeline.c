/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time machine: standing anywhere gives the state that a straight run gives.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_source.h"
#include "timeline.h"
#include "zonelab/file.h"
#include "zonelab/scenario_file.h"
#include "zonelab/workload.h"

#define PATH_SIZE 512

struct list_feed {
	struct zl_workload w;
	size_t at;
};

struct stage {
	struct meter meter;
	struct list_feed list;
	struct timeline *t;
	uint64_t *digest; /* of a straight run, after each op */
};

static int feed_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct list_feed *f = user;

	(void)err;
	if (f->at == f->w.nr_ops) {
		return 0;
	}
	*ret = f->w.ops[f->at++];
	return 1;
}

static struct zl_sim_config config_of(const struct zl_workload *w, const char *release)
{
	struct zl_sim_config c = w->config;
	struct zl_release r;

	assert_int_equal(0, zl_release_parse(release, &r));
	zl_switches_for(&r, &c.switches, NULL);
	return c;
}

static void straight_run(struct stage *s, const struct zl_sim_config *config)
{
	struct zl_error err = {0};
	struct zl_sim *sim = NULL;

	s->digest = calloc(s->list.w.nr_ops + 1, sizeof(*s->digest));
	assert_non_null(s->digest);
	assert_int_equal(0, zl_sim_new(config, zl_allocator_heap(), &sim, &err));
	s->digest[0] = zl_sim_digest(sim);
	for (size_t i = 0; i < s->list.w.nr_ops; i++) {
		assert_int_equal(0, zl_sim_apply(sim, &s->list.w.ops[i]));
		s->digest[i + 1] = zl_sim_digest(sim);
	}
	zl_sim_free(sim);
}

static struct stage *stage_new(const char *name, const char *release)
{
	struct stage *s = calloc(1, sizeof(*s));
	char path[PATH_SIZE];
	struct zl_error err = {0};

	assert_non_null(s);
	snprintf(path, sizeof(path), "%s/golden/workloads/%s.workload.gz", TEST_DATA, name);
	assert_int_equal(0, zl_workload_load(path, zl_allocator_heap(), &s->list.w, &err));
	struct zl_sim_config config = config_of(&s->list.w, release);
	struct op_feed feed = {.next = feed_next, .user = &s->list, .total = s->list.w.nr_ops};
	meter_init(&s->meter, zl_allocator_heap());
	assert_int_equal(0, timeline_new(&config, &feed, &s->meter, &s->t, &err));
	straight_run(s, &config);
	return s;
}

static void stage_free(struct stage *s)
{
	timeline_free(s->t);
	assert_int_equal(0, s->meter.used);
	zl_workload_done(&s->list.w);
	free(s->digest);
	free(s);
}

static void seek(struct stage *s, uint64_t op)
{
	assert_int_equal(0, timeline_seek(s->t, op));
	assert_int_equal(op, s->t->at);
	assert_true(zl_sim_digest(s->t->sim) == s->digest[op]);
}

static void any_op_can_be_stood_on_in_any_order(void **state)
{
	static const char *const lists[] = {"w12_iperf_srv", "w36_drains", "w41_fragment", "h101"};
	uint64_t x = 12345;

	(void)state;
	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		struct stage *s = stage_new(lists[k], "6.18.2");
		uint64_t n = s->list.w.nr_ops;
		for (unsigned i = 0; i < 40; i++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
			uint64_t step = (x >> 33) % 5;
			uint64_t op = step == 0	 ? (x >> 40) % (n + 1)
				      : step < 3 ? (s->t->at + 1 <= n ? s->t->at + 1 : n)
						 : (s->t->at > 0 ? s->t->at - 1 : 0);
			seek(s, op);
		}
		seek(s, n);
		seek(s, 0);
		stage_free(s);
	}
}

static void keyframes_give_way_to_the_budget(void **state)
{
	struct stage *s = stage_new("h101", "6.18.2");
	uint64_t n = s->list.w.nr_ops;

	(void)state;
	s->t->budget = (size_t)1 << 20;
	s->t->distance = 8;
	assert_int_equal(0, timeline_advance(s->t, n + 1));
	assert_true(s->t->complete);
	assert_true(s->t->distance > 8);
	assert_true(s->meter.used < (size_t)2 << 20);
	for (uint64_t op = n; op > n / 2; op -= n / 20) {
		seek(s, op);
	}
	stage_free(s);
}

static void the_first_flush_of_the_drawn_story_is_op_191(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct timeline *t = s->t;
	struct zl_pageset_view v;

	(void)state;
	assert_int_equal(0, timeline_advance(t, 5000));
	assert_int_equal(1966, timeline_total(t));
	assert_int_equal(191, timeline_find(t, 0, 1, MARK_FLUSH));
	assert_int_equal(MARK_FLUSH, timeline_marks(t, 191) & (MARK_FLUSH | MARK_FLUSH_ONE));
	assert_int_equal(MARK_FLUSH | MARK_FLUSH_ONE,
		timeline_marks(t, 192) & (MARK_FLUSH | MARK_FLUSH_ONE));
	for (uint64_t op = 1; op <= 1966; op++) { /* from any op on, there and back */
		uint64_t next = timeline_find(t, op, 1, MARK_ANY);
		uint64_t on = op + 1;

		while (on <= 1966 && (timeline_marks(t, on) & MARK_ANY) == 0) {
			on++;
		}
		assert_true(next == (on <= 1966 ? on : TIMELINE_NO_OP));
		if (timeline_marks(t, op) != 0 && next != TIMELINE_NO_OP) {
			assert_int_equal(op, timeline_find(t, next, -1, MARK_ANY));
		}
	}
	assert_int_equal(191, timeline_find(t, 192, -1, MARK_FLUSH));
	assert_true(timeline_find(t, 191, -1, MARK_FLUSH) == TIMELINE_NO_OP);
	assert_int_equal(1, timeline_find(t, 0, 1, MARK_REFILL));
	seek(s, 190);
	zl_sim_pageset(t->sim, 1, &v);
	assert_int_equal(360, v.count);
	assert_int_equal(360, v.free_count);
	assert_int_equal(354, v.threshold);
	stage_free(s);
}

static int64_t probe_high(const struct zl_sim *sim, void *user)
{
	struct zl_pageset_view v;

	zl_sim_pageset(sim, *(unsigned *)user, &v);
	return v.high;
}

static int64_t probe_count(const struct zl_sim *sim, void *user)
{
	struct zl_pageset_view v;

	zl_sim_pageset(sim, *(unsigned *)user, &v);
	return v.count;
}

static void the_op_that_last_changed_a_figure_is_found(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	unsigned cpu = 1;
	struct timeline_probe high = {.get = probe_high, .user = &cpu};
	struct timeline_probe count = {.get = probe_count, .user = &cpu};

	(void)state;
	seek(s, 190);
	assert_int_equal(190, timeline_last_change(s->t, &count));
	assert_int_equal(146, timeline_last_change(s->t, &high)); /* the CPU's first free */
	cpu = 7;
	assert_int_equal(0, timeline_last_change(s->t, &count));
	cpu = 1;
	seek(s, 1900);
	uint64_t op = timeline_last_change(s->t, &count);
	assert_true(op > 0 && op <= 1900);
	seek(s, op);
	int64_t after = probe_count(s->t->sim, &cpu);
	seek(s, op - 1);
	assert_true(probe_count(s->t->sim, &cpu) != after);
	stage_free(s);
}

static void a_setting_changed_in_mid_run_makes_a_branch(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct zl_sim_config next = config_of(&s->list.w, "6.18.2");
	struct timeline *b = NULL;
	struct zl_error err = {0};
	struct zl_pageset_view v;

	(void)state;
	next.high_min = 700;
	seek(s, 190);
	assert_int_equal(0, timeline_branch(s->t, &next, NULL, &b, &err));
	assert_int_equal(190, b->at);
	zl_sim_pageset(b->sim, 1, &v);
	assert_int_equal(360, v.count);
	assert_int_equal(583, v.high); /* until the next free */
	assert_int_equal(413, v.threshold);
	assert_int_equal(0, timeline_advance(b, 5000));
	/* As drawn: from free 46 (op 191) to free 53 (op 248). */
	assert_int_equal(248, timeline_find(b, 0, 1, MARK_FLUSH));
	uint64_t last = zl_sim_digest(b->ahead);
	assert_int_equal(0, timeline_seek(b, 1966));
	assert_true(last == zl_sim_digest(b->sim));
	/* Before the change the branch is its parent. */
	for (uint64_t op = 0; op < 190; op += 37) {
		assert_int_equal(0, timeline_seek(b, op));
		assert_true(zl_sim_digest(b->sim) == s->digest[op]);
	}
	/* The change itself is what last changed the threshold's input. */
	assert_int_equal(0, timeline_seek(b, 190));
	zl_sim_pageset(b->sim, 1, &v);
	assert_int_equal(413, v.threshold);
	seek(s, 191); /* the old future is still there */
	timeline_free(b);
	stage_free(s);
}

static void a_setting_of_another_zone_runs_anew(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct zl_sim_config next = config_of(&s->list.w, "6.1");
	struct timeline *b = NULL;
	struct zl_error err = {0};
	struct zl_pageset_view v;

	(void)state;
	seek(s, 190);
	assert_int_equal(0, timeline_branch(s->t, &next, NULL, &b, &err));
	assert_int_equal(190, b->at);
	zl_sim_pageset(b->sim, 1, &v);
	assert_false(v.tuned);
	assert_int_equal(360, v.count);
	timeline_free(b);
	stage_free(s);
}

static void an_op_by_hand_goes_before_what_follows(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct zl_op drain = {.kind = ZL_OP_DRAIN};
	struct zl_op wrong = {.kind = ZL_OP_CPU, .arg = 99};
	struct timeline *b = NULL;
	struct zl_error err = {0};
	struct zl_op op;
	struct zl_pageset_view v;

	(void)state;
	seek(s, 190);
	assert_int_equal(-EINVAL, timeline_branch(s->t, NULL, &wrong, &b, &err));
	assert_true(err.text[0] != '\0');
	assert_int_equal(0, timeline_branch(s->t, NULL, &drain, &b, &err));
	assert_int_equal(191, b->at);
	zl_sim_pageset(b->sim, 1, &v);
	assert_int_equal(0, v.count);
	timeline_op(b, 192, &op);
	assert_int_equal(ZL_OP_FREE, op.kind);
	assert_int_equal(46, op.id);
	assert_int_equal(0, timeline_advance(b, 5000));
	assert_int_equal(1967, timeline_total(b));
	timeline_free(b);
	stage_free(s);
}

static void curves_show_the_largest_figure_of_a_cell(void **state)
{
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct timeline_window *fine = calloc(1, sizeof(*fine));
	struct timeline_window *coarse = calloc(1, sizeof(*coarse));

	(void)state;
	assert_true(fine != NULL && coarse != NULL);
	assert_int_equal(0, timeline_advance(s->t, 5000));
	*fine = (struct timeline_window){.from = 130, .cpu = 1, .cells = 70};
	assert_int_equal(0, timeline_fill(s->t, fine));
	assert_int_equal(0, fine->cell[15].count);   /* op 145, the switch to CPU 1 */
	assert_int_equal(8, fine->cell[16].count);   /* op 146, its first free */
	assert_int_equal(360, fine->cell[60].count); /* op 190 */
	assert_int_equal(0, fine->cell[61].count);
	assert_int_equal(368, fine->cell[61].free_count);
	assert_true((fine->cell[61].marks & MARK_FLUSH) != 0);
	*coarse = (struct timeline_window){.zoom = s->t->curve.shift, .cpu = 1, .cells = 40};
	assert_int_equal(0, timeline_fill(s->t, coarse));
	unsigned cell = 190u >> s->t->curve.shift;
	assert_int_equal(360, coarse->cell[cell].count);
	assert_true((coarse->cell[191u >> s->t->curve.shift].marks & MARK_FLUSH) != 0);
	assert_int_equal(-1, coarse->cell[39].count); /* beyond the end */
	free(fine);
	free(coarse);
	stage_free(s);
}

/* Ops of every form: plain ones, CPUs, rare and many arguments, ids near and far. */
static struct zl_op any_op(uint64_t i)
{
	struct zl_op op = {.kind = (uint8_t)(1 + i % 12), .mt = (uint8_t)(i % 3)};

	op.order = op.kind == ZL_OP_ALLOC ? (uint8_t)(i % 19) : 0;
	op.key = i % 5 == 0 ? (uint8_t)(i / 5) : 0;
	op.id = i % 4 == 0 ? (uint32_t)(i * i * 2654435761u) & ZL_OP_ID_MAX
			   : UINT32_C(20000000) + (uint32_t)(i % 512);
	op.id = i % 6 == 0 ? 0 : op.id;
	op.arg = i % 7 == 0 ? UINT32_MAX - (uint32_t)i : 0;
	if (i % 9 == 0) {
		op = (struct zl_op){.kind = ZL_OP_CPU, .arg = (uint32_t)(i % 130)};
	} else if (i % 11 < 6) {
		op = (struct zl_op){.kind = i % 2 == 0 ? ZL_OP_FREE : ZL_OP_ALLOC, .id = op.id};
	}
	return op;
}

static void same_ops(const struct oplog *log, uint64_t from, size_t n)
{
	struct zl_op *op = calloc(n, sizeof(*op));

	assert_non_null(op);
	oplog_read(log, from, n, op);
	for (size_t i = 0; i < n; i++) {
		struct zl_op want = any_op(from + i);

		assert_memory_equal(&want, &op[i], sizeof(want));
	}
	free(op);
}

static void a_log_gives_back_what_was_put_in(void **state)
{
	struct meter m;
	struct oplog log, half, after;
	const uint64_t n = 5000;

	(void)state;
	meter_init(&m, zl_allocator_heap());
	oplog_init(&log, &m.mem);
	oplog_init(&half, &m.mem);
	oplog_init(&after, &m.mem);
	assert_int_equal(0, oplog_follow(&after, &log));
	for (uint64_t i = 0; i < n; i++) {
		struct zl_op op[3] = {any_op(i), any_op(i + 1), any_op(i + 2)};
		size_t k = i % 8 == 0 && i + 3 <= n ? 3 : 1;

		assert_int_equal(0, oplog_append(&log, op, k));
		assert_int_equal(0, oplog_append(&after, op, i < n / 3 ? k : 0));
		i += k - 1;
	}
	assert_int_equal(n, log.count);
	assert_int_equal(0, oplog_share(&half, &log, n / 2));
	same_ops(&log, 0, n);
	same_ops(&log, 1020, 10);
	for (uint64_t k = 0; k < n; k++) {
		same_ops(&log, k % 2 == 0 ? k : n - k, 1);
	}
	same_ops(&after, 0, (size_t)after.count);
	assert_int_equal(0, oplog_follow(&after, NULL)); /* its own from here on */
	oplog_done(&log);
	same_ops(&half, 0, n / 2);
	same_ops(&after, 0, (size_t)after.count);
	oplog_done(&half);
	oplog_done(&after);
	assert_int_equal(0, m.used);
}

/* Blocks of two orders on four CPUs, from a small generator. */
struct mill {
	uint64_t left, x;
	bool used[512];
};

static int mill_next(void *user, struct zl_op *ret, struct zl_error *err)
{
	struct mill *m = user;

	(void)err;
	if (m->left == 0) {
		return 0;
	}
	m->left--;
	m->x = m->x * UINT64_C(6364136223846793005) + 1442695040888963407u;
	uint64_t v = m->x >> 33;
	unsigned slot = (unsigned)(v / 64 % 512);
	memset(ret, 0, sizeof(*ret));
	if (v % 37 == 0) {
		ret->kind = ZL_OP_CPU;
		ret->arg = (uint32_t)(v / 37 % 4);
	} else {
		ret->kind = m->used[slot] ? ZL_OP_FREE : ZL_OP_ALLOC;
		ret->order = !m->used[slot] && v / 7 % 4 == 0 ? 3 : 0;
		ret->id = slot + 1;
		m->used[slot] = !m->used[slot];
	}
	return 1;
}

static void a_long_run_is_stood_in_with_few_keyframes(void **state)
{
	const uint64_t ops = 60000, step = 1500;
	struct mill *m = calloc(1, sizeof(*m));
	struct meter meter;
	struct zl_sim_config c;
	struct zl_release r;
	struct zl_error err = {0};
	struct timeline *t = NULL;
	uint64_t digest[64] = {0};

	(void)state;
	assert_non_null(m);
	*m = (struct mill){.left = ops, .x = 3};
	zl_sim_config_init(&c);
	c.managed = UINT64_C(1) << 24;
	c.pages = UINT64_C(1) << 17;
	c.cpus = 4;
	c.wmark_min = 11200;
	c.wmark_low = 14000;
	c.wmark_high = 16800;
	c.pageblock_order = 9;
	c.max_order = 10;
	c.hpage_order = 9;
	c.thp = true;
	assert_int_equal(0, zl_release_parse("6.12", &r));
	zl_switches_for(&r, &c.switches, NULL);
	meter_init(&meter, zl_allocator_heap());
	struct op_feed feed = {.next = mill_next, .user = m, .total = ops};
	assert_int_equal(0, timeline_new(&c, &feed, &meter, &t, &err));
	t->distance = UINT64_C(1) << 40; /* none but the first: every way is far */
	for (uint64_t op = 0; op <= ops; op += step) {
		assert_int_equal(0, timeline_seek(t, op));
		digest[op / step] = zl_sim_digest(t->sim);
	}
	for (unsigned i = 0; i < 40; i++) {
		uint64_t op = (i * 17) % 41 * step;
		assert_int_equal(0, timeline_seek(t, op + 700 < ops ? op + 700 : op));
		assert_int_equal(0, timeline_seek(t, op));
		assert_true(zl_sim_digest(t->sim) == digest[op / step]);
	}
	assert_true(t->nr_near > 0);
	timeline_free(t);
	assert_int_equal(0, meter.used);
	free(m);
}

static void the_opening_story_is_the_recorded_stream(void **state)
{
	const struct zl_allocator *mem = zl_allocator_heap();
	struct stage *s = stage_new("w12_iperf_srv", "6.18.2");
	struct lane *lane = calloc(1, sizeof(*lane));
	struct run_source source = {.list = false};
	struct run_zone zone;
	struct zl_sim_config recorded = config_of(&s->list.w, "6.18.2");
	struct op_feed feed;
	struct zl_error err = {0};
	struct zl_op op;
	char title[64];

	(void)state;
	assert_non_null(lane);
	zl_profile_init(&lane->profile);
	assert_int_equal(
		0, zl_scenario_open(zl_shipped_scenario_default(), mem, &source.scenario, &err));
	assert_int_equal(0, run_source_zone(&source, lane, mem, &zone, &err));
	recorded.cma = true; /* one migratetype more, without a block */
	assert_true(run_same_zone(&zone.config, &recorded));
	assert_int_equal(0, run_source_feed(&source, zone.config.cpus, mem, &feed, &err));
	assert_int_equal(s->list.w.nr_ops, feed.total);
	for (size_t i = 0; i < s->list.w.nr_ops; i++) {
		assert_int_equal(1, feed.next(feed.user, &op, &err));
		assert_memory_equal(&op, &s->list.w.ops[i], sizeof(op));
	}
	assert_int_equal(0, feed.next(feed.user, &op, &err));
	feed.done(feed.user);
	run_title(source.scenario.name, &zone.config, title, sizeof(title));
	assert_string_equal("iperf 64 GiB/24", title);
	scenario_machine_free(zone.machine);
	run_source_done(&source);
	free(lane);
	stage_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_gives_back_what_was_put_in),
		cmocka_unit_test(any_op_can_be_stood_on_in_any_order),
		cmocka_unit_test(keyframes_give_way_to_the_budget),
		cmocka_unit_test(the_first_flush_of_the_drawn_story_is_op_191),
		cmocka_unit_test(the_op_that_last_changed_a_figure_is_found),
		cmocka_unit_test(a_setting_changed_in_mid_run_makes_a_branch),
		cmocka_unit_test(a_setting_of_another_zone_runs_anew),
		cmocka_unit_test(an_op_by_hand_goes_before_what_follows),
		cmocka_unit_test(a_long_run_is_stood_in_with_few_keyframes),
		cmocka_unit_test(the_opening_story_is_the_recorded_stream),
		cmocka_unit_test(curves_show_the_largest_figure_of_a_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
