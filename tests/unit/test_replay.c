/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short traces with what can go wrong in them, and damaged long ones. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recorded.h"
#include "scarce.h"
#include "zonelab/buffer.h"
#include "zonelab/file.h"
#include "zonelab/rng.h"

struct small {
	struct zl_recording *r;
	struct zl_replay_where where;
	struct zl_replay_result result;
};

static void set_up(struct small *s)
{
	struct zl_release release;
	struct zl_sim_config *c = &s->where.config;

	memset(s, 0, sizeof(*s));
	zl_sim_config_init(c);
	assert_int_equal(0, zl_release_parse("6.12", &release));
	zl_switches_for(&release, &c->switches, NULL);
	c->managed = c->pages = 262144;
	c->cpus = 2;
	c->wmark_min = 5632;
	c->wmark_low = 7040;
	c->wmark_high = 8448;
	c->pageblock_order = c->hpage_order = 9;
	c->max_order = 10;
	c->thp = true;
	s->where.free = -1;
}

static void replay(struct small *s, const char *text)
{
	struct zl_error err = {0};

	set_up(s);
	assert_int_equal(
		0, zl_recording_from_memory(text, strlen(text), zl_allocator_heap(), &s->r, &err));
	if (zl_replay_run(s->r, &s->where, NULL, &s->result, &err) != 0) {
		fail_msg("line %u: %s", err.line, err.text);
	}
}

static void done(struct small *s)
{
	zl_replay_result_done(&s->result, zl_allocator_heap());
	zl_recording_free(s->r);
}

#define HEAD(cpu, time) "t-1 [00" #cpu "] ..... " #time ": "
#define ALLOC(cpu, time, pfn)                                                                      \
	HEAD(cpu, time) "mm_page_alloc: page=0 pfn=" #pfn " order=0 migratetype=1 gfp_flags=0\n"
#define FREE(cpu, time, pfn, order)                                                                \
	HEAD(cpu, time) "mm_page_free: page=0 pfn=" #pfn " order=" #order "\n"
#define BATCHED(cpu, time, pfn)                                                                    \
	HEAD(cpu, time) "mm_page_free_batched: page=0 pfn=" #pfn " order=0\n"
#define TAKE(cpu, time, pfn)                                                                       \
	HEAD(cpu, time)                                                                            \
	"mm_page_alloc_zone_locked: page=0 pfn=" #pfn " order=0 migratetype=1 percpu_refill=1\n"
#define DRAIN(cpu, time, pfn, order)                                                               \
	HEAD(cpu, time) "mm_page_pcpu_drain: page=0 pfn=" #pfn " order=" #order " migratetype=1\n"

/* Ops of the demand with their lines, as text. */
static void ops_of(struct small *s, char *buf, size_t size)
{
	struct zl_replay *p = NULL;
	struct zl_error err = {0};
	struct zl_op op;
	struct zl_replay_at from;
	uint64_t n = 0;
	size_t at = 0;

	assert_int_equal(0, zl_replay_new(s->r, &s->where, NULL, &p, &err));
	buf[0] = '\0';
	while (zl_replay_next(p, &op, &from, &err) == 1) {
		char text[64];

		if (n++ < zl_replay_start_ops(p)) {
			continue;
		}
		zl_op_format(&op, text, sizeof(text));
		at += (size_t)snprintf(buf + at, size - at, "%s@%u;", text, from.line);
	}
	zl_replay_free(p);
}

static void a_batched_free_reaches_the_pageset_at_its_own_line(void **state)
{
	struct small s;
	char ops[512];

	(void)state;
	replay(&s, ALLOC(0, 1.0, 10) ALLOC(0, 1.1, 11) ALLOC(0, 1.2, 12) FREE(0, 1.3, 10, 0)
			   FREE(0, 1.4, 11, 0) ALLOC(1, 1.45, 20) BATCHED(0, 1.5, 10)
				   FREE(1, 1.55, 20, 0) BATCHED(0, 1.6, 11) FREE(0, 1.7, 12, 0));
	ops_of(&s, ops, sizeof(ops));
	assert_string_equal(
		"cpu 0@1;alloc 0 1 0@1;alloc 0 1 1@2;alloc 0 1 2@3;cpu 1@6;alloc 0 1 3@6;cpu 0@7;"
		"free 0@7;free 1@9;free 2@10;cpu 1@8;free 3@8;",
		ops);
	done(&s);
}

static void a_free_is_not_later_than_the_next_use_of_the_block(void **state)
{
	struct small s;
	char ops[256];

	(void)state;
	/* CPU 0 has said nothing else when CPU 1 gets the block. */
	replay(&s, ALLOC(0, 1.0, 10) FREE(0, 1.1, 10, 0) ALLOC(1, 1.2, 10));
	ops_of(&s, ops, sizeof(ops));
	/* It was taken from the pageset of CPU 0, whatever CPU printed the line. */
	assert_string_equal("alloc 0 1 0@1;free 0@3;alloc 0 1 0@3;", ops);
	assert_int_equal(1, s.result.demand.moved);
	done(&s);
}

static void blocks_that_leave_unseen_become_bulk_requests(void **state)
{
	struct small s;
	char ops[512];

	(void)state;
	/* Three blocks come, one is asked for, then the list is empty again. */
	replay(&s, TAKE(0, 1.0, 10) TAKE(0, 1.0, 11) TAKE(0, 1.0, 12) ALLOC(0, 1.1, 10)
			   TAKE(0, 1.2, 13) TAKE(0, 1.2, 14) ALLOC(0, 1.3, 13) FREE(0, 1.4, 14, 0)
				   FREE(0, 1.5, 11, 0));
	ops_of(&s, ops, sizeof(ops));
	assert_int_equal(3, s.result.demand.unseen_takes);
	assert_non_null(strstr(ops, "bulk 2 1 1@5;alloc 0 1 3@7;"));
	/* Block 14 was freed without having been allocated; 11 is one of the two. */
	assert_non_null(strstr(ops, "bulk 1 1 4@8;free 4@8;free 1@9;"));
	done(&s);
}

static void a_refill_without_a_request_is_open(void **state)
{
	struct small s;

	(void)state;
	replay(&s, TAKE(0, 1.0, 10) TAKE(0, 1.0, 11) FREE(0, 1.1, 30, 3) TAKE(0, 1.2, 12)
			   ALLOC(0, 1.3, 12));
	assert_int_equal(3, s.result.demand.refilled);
	assert_int_equal(2, s.result.demand.open_refills);
	/* Both refills were seen; only the block of the last one belongs to a request. */
	assert_int_equal(2, s.result.refill.seen);
	assert_int_equal(3, s.result.refill.seen_size);
	/* The trace's first, and what the model refilled for the bulk request that stands for it. */
	assert_int_equal(2, s.result.refill.judged[ZL_JUDGED_UNKNOWN]);
	assert_int_equal(1, s.result.judged);
	done(&s);
}

/* One CPU takes so many pages and gives none back; @more events behind. */
static void takes(struct small *s, unsigned pages, const char *more)
{
	struct zl_buf text = {0};

	for (unsigned i = 0; i < pages; i++) {
		zl_buf_fmt(&text,
			HEAD(0, 1.0) "mm_page_alloc: page=0 pfn=%u order=0 migratetype=1 "
				     "gfp_flags=0\n",
			512 + i);
	}
	zl_buf_str(&text, more);
	replay(s, zl_buf_text(&text));
	zl_buf_done(&text);
}

/* high_max is 262144 / 8 / 2 CPUs = 16384. */
static void more_than_a_pageset_holds_is_not_counted_back(void **state)
{
	struct small s;

	(void)state;
	takes(&s, 16384, "");
	assert_int_equal(16384, s.result.demand.parked_known);
	assert_int_equal(0, s.result.demand.unrecorded);
	done(&s);
	takes(&s, 16385, "");
	assert_int_equal(0, s.result.demand.parked_known);
	assert_int_equal(16385, s.result.demand.unrecorded);
	assert_true(s.result.totals.refills > 0);
	assert_int_equal(0, s.result.judged);
	done(&s);
	/* Where refills are recorded there was none before. */
	takes(&s, 16385, TAKE(0, 2.0, 10) ALLOC(0, 2.0, 10));
	assert_int_equal(16385, s.result.demand.parked_known);
	assert_int_equal(0, s.result.demand.unrecorded);
	done(&s);
}

static void events_before_an_earlier_one_are_counted(void **state)
{
	struct small s;

	(void)state;
	replay(&s, ALLOC(0, 1.0, 10) ALLOC(1, 1.0, 11) ALLOC(0, 1.2, 12) FREE(1, 1.1, 11, 0));
	assert_int_equal(1, s.r->backwards);
	done(&s);
}

static void what_failed_is_no_demand(void **state)
{
	struct small s;

	(void)state;
	replay(&s, ALLOC(0, 1.0, 0x0) ALLOC(0, 1.1, 10));
	assert_int_equal(1, s.result.demand.failed);
	assert_int_equal(1, s.result.totals.allocs);
	done(&s);
}

static void a_block_allocated_twice_lost_its_free(void **state)
{
	struct small s;

	(void)state;
	replay(&s, ALLOC(0, 1.0, 10) ALLOC(0, 1.1, 10) FREE(0, 1.2, 10, 0));
	assert_int_equal(1, s.result.demand.unseen_frees);
	assert_int_equal(2, s.result.totals.allocs);
	assert_int_equal(1, s.result.totals.frees);
	done(&s);
}

static void nothing_is_judged_behind_lost_events(void **state)
{
	static const char tail[] = TAKE(0, 2.0, 50) TAKE(0, 2.0, 51) ALLOC(0, 2.1, 50)
		ALLOC(0, 2.2, 51) TAKE(0, 2.3, 52) ALLOC(0, 2.4, 52);
	static const char lost[] = "CPU:0 [LOST 7 EVENTS]\n";
	char text[4096];
	struct small s;

	(void)state;
	replay(&s, tail);
	assert_int_equal(1, s.result.refill.judged[ZL_JUDGED_UNKNOWN]); /* the first */
	assert_int_equal(1, s.result.judged);
	done(&s);
	snprintf(text, sizeof(text), "%s%s%s", ALLOC(0, 1.0, 40), lost, tail);
	replay(&s, text);
	assert_int_equal(7, s.r->lost);
	assert_int_equal(0, s.result.judged);
	assert_int_equal(0, s.result.nr_unexplained);
	/* Another CPU is judged as before. */
	done(&s);
}

#define WMARKS(time, node, zone)                                                                   \
	HEAD(0, time)                                                                              \
	"mm_setup_per_zone_wmarks: node_id=" #node " zone name=" #zone                             \
	" watermark min=100 low=200 high=300 promo=400\n"

/* Watermarks set while it was recorded: those of the replayed zone of the replayed node. */
static void watermarks_of_the_zone_are_followed(void **state)
{
	static const char text[] = ALLOC(0, 1.0, 10) WMARKS(1.1, 0, DMA32) WMARKS(1.2, 1, Normal)
		WMARKS(1.3, 0, Normal) ALLOC(0, 1.4, 11);
	struct zl_error err = {0};
	char ops[256];
	struct small s;

	(void)state;
	set_up(&s);
	snprintf(s.where.zone, sizeof(s.where.zone), "Normal");
	assert_int_equal(
		0, zl_recording_from_memory(text, strlen(text), zl_allocator_heap(), &s.r, &err));
	ops_of(&s, ops, sizeof(ops));
	assert_string_equal(
		"alloc 0 1 0@1;set wmark_low 200@4;set wmark_high 300@4;alloc 0 1 1@5;", ops);
	s.where.zone[0] = '\0';
	ops_of(&s, ops, sizeof(ops));
	assert_string_equal("alloc 0 1 0@1;alloc 0 1 1@5;", ops);
	zl_recording_free(s.r);
}

static void a_drain_without_a_free_is_replayed_where_it_stands(void **state)
{
	struct small s;
	char ops[256];

	(void)state;
	replay(&s, ALLOC(0, 1.0, 10) FREE(0, 1.1, 10, 0) ALLOC(0, 1.2, 90) DRAIN(0, 1.3, 10, 0)
			   ALLOC(0, 1.4, 91));
	assert_int_equal(1, s.result.demand.drains_alone);
	ops_of(&s, ops, sizeof(ops));
	assert_string_equal("alloc 0 1 0@1;free 0@2;alloc 0 1 0@3;drain@4;alloc 0 1 1@5;", ops);
	/* Seen, but what it was and what it should have taken is not known. */
	assert_int_equal(1, s.result.drain.seen);
	assert_int_equal(1, s.result.drain.seen_size);
	assert_int_equal(1, s.result.drain.judged[ZL_JUDGED_UNKNOWN]);
	assert_int_equal(0, s.result.judged);
	done(&s);
}

/* Counters are refreshed once a second; a kworker's drain shows in which part of it. */
static void a_drain_of_a_kworker_tells_when_refreshes_are(void **state)
{
#define REST ALLOC(0, 10.9, 91) ALLOC(0, 11.1, 92) ALLOC(0, 11.5, 93)
	struct small s;
	char ops[256];

	(void)state;
	replay(&s, ALLOC(0, 10.0, 10) FREE(0, 10.1, 10, 0) ALLOC(0, 10.2, 90) DRAIN(0, 10.3, 10, 0)
			   REST);
	assert_false(s.result.demand.phase_seen);
	assert_int_equal(0, s.result.demand.phase_ns);
	ops_of(&s, ops, sizeof(ops));
	assert_non_null(strstr(ops, "@5;tick@6;alloc 0 1 2@6;alloc 0 1 3@7;"));
	done(&s);
	replay(&s, ALLOC(0, 10.0, 10) FREE(0, 10.1, 10, 0)
			   ALLOC(0, 10.2, 90) "kworker/0:1-9 [000] ..... 10.3: mm_page_pcpu_drain: "
					      "page=0 pfn=10 order=0 "
					      "migratetype=1\n" REST);
	assert_true(s.result.demand.phase_seen);
	assert_int_equal(320000000, s.result.demand.phase_ns); /* a worker may be 20 ms late */
	assert_int_equal(1, s.result.demand.ticks); /* the one that was seen is not made twice */
	ops_of(&s, ops, sizeof(ops));
	assert_non_null(strstr(ops, "@5;alloc 0 1 2@6;tick@7;alloc 0 1 3@7;"));
	done(&s);
#undef REST
}

/* Its first event is the first one, and no second before it. */
static void a_trace_may_begin_at_nought(void **state)
{
	struct small s;

	(void)state;
	replay(&s, ALLOC(0, 0.0, 10) ALLOC(0, 0.5, 11) ALLOC(0, 1.1, 12));
	assert_int_equal(0, s.r->first_ns);
	assert_int_equal(1, s.result.demand.ticks);
	done(&s);
}

/*
 * zoneinfo counts 2 pages more than come from the pageset. So the model has 2 more when frees begin,
 * and its drain of 36 (of 40 at most, 4 stay) comes 2 frees before that of the trace.
 */
static void one_drain_at_two_places_of_a_run_is_one_difference(void **state)
{
	static const struct zl_observed_pcp seen = {.cpu = 0, .count = 32, .high = 40};
	struct zl_error err = {0};
	struct zl_buf text = {0};
	struct small s;

	(void)state;
	for (unsigned i = 0; i < 30; i++) {
		zl_buf_fmt(&text,
			HEAD(0, 1.0) "mm_page_alloc: page=0 pfn=%u order=0 migratetype=1 "
				     "gfp_flags=0\n",
			512 + i);
	}
	for (unsigned i = 0; i < 45; i++) {
		zl_buf_fmt(&text, HEAD(0, 1.1) "mm_page_free: page=0 pfn=%u order=0\n", 512 + i);
		for (unsigned k = 0; i == 39 && k < 36; k++) {
			zl_buf_fmt(&text,
				HEAD(0, 1.1) "mm_page_pcpu_drain: page=0 pfn=%u order=0 "
					     "migratetype=1\n",
				512 + k);
		}
	}
	set_up(&s);
	s.where.pcp = &seen;
	s.where.nr_pcp = 1;
	s.where.config.batch = 4;
	s.where.config.high_min = s.where.config.high_max = 40;
	assert_int_equal(0, zl_recording_from_memory(zl_buf_text(&text), strlen(zl_buf_text(&text)),
				    zl_allocator_heap(), &s.r, &err));
	assert_int_equal(0, zl_replay_run(s.r, &s.where, NULL, &s.result, &err));
	assert_int_equal(1, s.result.drain.seen);
	assert_int_equal(1, s.result.drain.predicted);
	assert_int_equal(1, s.result.drain.judged[ZL_JUDGED_NEAR]);
	assert_int_equal(0, s.result.drain.judged[ZL_JUDGED_ONLY_TRACE]);
	assert_int_equal(0, s.result.drain.judged[ZL_JUDGED_ONLY_MODEL]);
	assert_int_equal(0, s.result.drain.off);
	zl_buf_done(&text);
	done(&s);
}

/*
 * Five blocks came to a list that no event told of, so that the model refills 5 requests earlier: the
 * same 126 blocks (a batch doubled once), and one difference.
 */
static void a_refill_at_two_places_of_a_list_is_one_difference(void **state)
{
	static const struct zl_observed_pcp seen = {.cpu = 0, .count = 20, .high = 700};
	struct zl_error err = {0};
	struct zl_buf text = {0};
	struct small s;

	(void)state;
	for (unsigned i = 0; i < 120; i++) {
		const unsigned refill = i == 20 ? 63 : i == 20 + 63 + 5 ? 126 : 0;

		for (unsigned k = 0; k < refill; k++) {
			zl_buf_fmt(&text,
				HEAD(0, 1.0) "mm_page_alloc_zone_locked: page=0 pfn=%u order=0 "
					     "migratetype=1 percpu_refill=1\n",
				512 + i + k);
		}
		zl_buf_fmt(&text,
			HEAD(0, 1.0) "mm_page_alloc: page=0 pfn=%u order=0 migratetype=1 "
				     "gfp_flags=0\n",
			512 + i);
	}
	set_up(&s);
	s.where.pcp = &seen;
	s.where.nr_pcp = 1;
	assert_int_equal(0, zl_recording_from_memory(zl_buf_text(&text), strlen(zl_buf_text(&text)),
				    zl_allocator_heap(), &s.r, &err));
	assert_int_equal(0, zl_replay_run(s.r, &s.where, NULL, &s.result, &err));
	assert_int_equal(
		1, s.result.refill.judged[ZL_JUDGED_UNKNOWN]); /* the first tells the list */
	assert_int_equal(1, s.result.refill.judged[ZL_JUDGED_NEAR]);
	assert_int_equal(1, s.result.judged);
	assert_int_equal(1, s.result.nr_unexplained);
	assert_int_equal(126, s.result.unexplained[0].seen);
	assert_int_equal(126, s.result.unexplained[0].predicted);
	assert_string_equal("the model's comes 5 requests earlier", s.result.unexplained[0].why);
	zl_buf_done(&text);
	done(&s);
}

/* zoneinfo counted the pageset and every list has shown, so that its last page is known. */
static void a_drain_of_the_whole_pageset_is_judged_by_its_size(void **state)
{
	static const struct zl_observed_pcp empty = {.cpu = 0, .count = 0, .high = -1};
	static const char text[] = TAKE(0, 1.0, 10) TAKE(0, 1.0, 11) ALLOC(0, 1.1, 10)
		ALLOC(0, 1.2, 11) TAKE(0, 1.3, 12) ALLOC(0, 1.4, 12) FREE(0, 1.5, 10, 0)
			FREE(0, 1.6, 11, 0) ALLOC(0, 1.7, 11) DRAIN(1, 1.8, 10, 0) ALLOC(1, 1.9, 99)
				TAKE(0, 2.0, 13) ALLOC(0, 2.1, 13);
	struct zl_error err = {0};
	struct small s;

	(void)state;
	set_up(&s);
	s.where.pcp = &empty;
	s.where.nr_pcp = 1;
	assert_int_equal(
		0, zl_recording_from_memory(text, strlen(text), zl_allocator_heap(), &s.r, &err));
	assert_int_equal(0, zl_replay_run(s.r, &s.where, NULL, &s.result, &err));
	assert_int_equal(1, s.result.cpu[0].drain.seen);
	assert_int_equal(1, s.result.cpu[0].drain.seen_size);
	assert_int_equal(0, s.result.cpu[0].drain.judged[ZL_JUDGED_UNKNOWN]);
	assert_int_equal(0, s.result.cpu[1].drain.seen);
	done(&s);
}

static void an_order_beyond_the_zone_names_its_line(void **state)
{
	static const char text[] = "t-1 [000] 1.0: mm_page_alloc: page=0 pfn=8192 order=13 "
				   "migratetype=0 gfp_flags=0\n";
	struct zl_error err = {0};
	struct small s;

	(void)state;
	set_up(&s);
	assert_int_equal(
		0, zl_recording_from_memory(text, strlen(text), zl_allocator_heap(), &s.r, &err));
	assert_int_equal(-EINVAL, zl_replay_run(s.r, &s.where, NULL, &s.result, &err));
	assert_int_equal(1, err.line);
	assert_non_null(strstr(err.text, "order"));
	done(&s);
}

/* A recorded trace with lines taken out, cut and swapped is still replayed. */
static void a_damaged_trace_is_replayed_as_far_as_it_goes(void **state)
{
	static const char path[] = TEST_DATA
		"/traces/linux-6.12.117-x86_64-4k-debian-cloud-trace/trace_mthp3lowmin.txt.gz";
	struct zl_file file;
	struct zl_error err = {0};
	struct zl_rng rng;

	(void)state;
	zl_rng_init(&rng, 7);
	assert_int_equal(0, zl_file_load(path, 0, zl_allocator_heap(), &file, &err));
	for (unsigned round = 0; round < 12; round++) {
		struct zl_buf text = {0};
		struct zl_lines lines;
		struct zl_line line;
		struct small s;
		unsigned cut = 0;

		zl_lines_init(&lines, file.data, file.size);
		while (zl_lines_next(&lines, &line)) {
			uint64_t what = zl_rng_below(&rng, 40);

			if (what == 0) {
				continue;
			}
			if (what == 1 && line.len > 0) {
				line.len = (size_t)zl_rng_below(&rng, line.len);
				cut++;
			}
			zl_buf_mem(&text, line.s, line.len);
			zl_buf_chr(&text, '\n');
		}
		replay(&s, zl_buf_text(&text));
		assert_true(s.result.complete);
		assert_int_equal(s.r->report.lines,
			s.r->report.used + s.r->report.counted + s.r->report.not_understood);
		assert_true(s.r->report.not_understood <= cut);
		assert_true(s.result.score <= 1000);
		done(&s);
		zl_buf_done(&text);
	}
	zl_file_done(&file, zl_allocator_heap());
}

/* Memory fails at every point in turn: an error, nothing lost, nothing broken. */
static void without_memory_there_is_an_error_and_no_leak(void **state)
{
	static const char text[] = TAKE(0, 1.0, 10) TAKE(0, 1.0, 11) ALLOC(0, 1.1, 10)
		FREE(1, 1.2, 30, 3) BATCHED(1, 1.3, 30) FREE(0, 2.4, 10, 0) DRAIN(0, 2.5, 10, 0);
	bool whole = false;

	(void)state;
	for (unsigned n = 0; !whole && n < 4000; n++) {
		struct scarce scarce;
		struct zl_recording *r = NULL;
		struct zl_error err = {0};
		struct small s;
		int rc;

		set_up(&s);
		scarce_init(&scarce, n);
		rc = zl_recording_from_memory(text, strlen(text), &scarce.allocator, &r, &err);
		if (rc == 0) {
			rc = zl_replay_run(r, &s.where, NULL, &s.result, &err);
			zl_replay_result_done(&s.result, &scarce.allocator);
		}
		whole = rc == 0;
		assert_true(rc == 0 || rc == -ENOMEM);
		zl_recording_free(r);
		assert_int_equal(0, scarce.live);
	}
	assert_true(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batched_free_reaches_the_pageset_at_its_own_line),
		cmocka_unit_test(a_free_is_not_later_than_the_next_use_of_the_block),
		cmocka_unit_test(blocks_that_leave_unseen_become_bulk_requests),
		cmocka_unit_test(a_refill_without_a_request_is_open),
		cmocka_unit_test(more_than_a_pageset_holds_is_not_counted_back),
		cmocka_unit_test(events_before_an_earlier_one_are_counted),
		cmocka_unit_test(what_failed_is_no_demand),
		cmocka_unit_test(a_block_allocated_twice_lost_its_free),
		cmocka_unit_test(nothing_is_judged_behind_lost_events),
		cmocka_unit_test(watermarks_of_the_zone_are_followed),
		cmocka_unit_test(a_drain_without_a_free_is_replayed_where_it_stands),
		cmocka_unit_test(a_drain_of_a_kworker_tells_when_refreshes_are),
		cmocka_unit_test(a_trace_may_begin_at_nought),
		cmocka_unit_test(one_drain_at_two_places_of_a_run_is_one_difference),
		cmocka_unit_test(a_refill_at_two_places_of_a_list_is_one_difference),
		cmocka_unit_test(a_drain_of_the_whole_pageset_is_judged_by_its_size),
		cmocka_unit_test(an_order_beyond_the_zone_names_its_line),
		cmocka_unit_test(a_damaged_trace_is_replayed_as_far_as_it_goes),
		cmocka_unit_test(without_memory_there_is_an_error_and_no_leak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
