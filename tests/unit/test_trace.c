/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "zonelab/anonymise.h"
#include "zonelab/buffer.h"
#include "zonelab/file.h"
#include "zonelab/kmem.h"

#define ALLOC                                                                                      \
	"mm_page_alloc: page=000000009f02d883 pfn=0x4378 order=2 migratetype=1 "                   \
	"gfp_flags=GFP_KERNEL"

static struct zl_trace_event read_event(const char *s)
{
	struct zl_error why = {0};
	struct zl_trace_event e;
	enum zl_trace_fate fate = zl_trace_line(s, strlen(s), &e, &why);

	if (fate != ZL_TRACE_LINE_EVENT) {
		print_error("fate %d: %s\n%s\n", fate, s, why.text);
	}
	assert_int_equal(ZL_TRACE_LINE_EVENT, fate);
	return e;
}

static void assert_word(const char *want, struct zl_trace_word w)
{
	assert_non_null(w.s);
	assert_int_equal(strlen(want), w.n);
	assert_memory_equal(want, w.s, w.n);
}

static void every_recorder_writes_its_own_head(void **state)
{
	static const char *const lines[] = {
		"            init-1       [003] .....    42.935100: " ALLOC,
		"init-1 [003] 42.935100: " ALLOC,
		"            init-1     (      1) [003] d..2.    42.935100: " ALLOC,
		"            init-1     (-------) [003] .....    42.935100: " ALLOC,
		"            init-1     [003]    42.935100: mm_page_alloc:        "
		"page=0xffffea0000 "
		"pfn=17272 order=2 migratetype=1 gfp_flags=GFP_KERNEL",
		"            init-1     [003] ...1. 42.935100000: mm_page_alloc: page=0x1 "
		"pfn=17272 "
		"order=2 migratetype=1 gfp_flags=GFP_KERNEL|__GFP_ZERO",
		"init     1 [003]    42.935100:       kmem:mm_page_alloc: page=0x4378 pfn=0x4378 "
		"order=2 migratetype=1 gfp_flags=GFP_KERNEL",
		"init     1/1 [003]    42.935100: kmem:mm_page_alloc: page=0x4378 pfn=0x4378 "
		"order=2 "
		"migratetype=1 gfp_flags=GFP_KERNEL",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct zl_trace_event e = read_event(lines[i]);

		assert_int_equal(ZL_TRACED_ALLOC, e.kind);
		assert_int_equal(3, e.cpu);
		assert_int_equal(42935100000, e.time_ns);
		assert_int_equal(0x4378, e.pfn);
		assert_int_equal(2, e.order);
		assert_int_equal(1, e.migratetype);
		assert_int_equal(1, e.pid);
		assert_word("init", e.comm);
		assert_non_null(e.gfp_flags.s);
	}
}

static void a_task_may_be_called_anything(void **state)
{
	struct zl_trace_event e;

	(void)state;
	e = read_event("  kworker/0:1-H-17 [000] d..1. 1.5: mm_page_free: page=0 pfn=0x10 order=3");
	assert_word("kworker/0:1-H", e.comm);
	assert_int_equal(17, e.pid);
	e = read_event(
		"a: mm_page_free: [7] b-9 [001] .N.1. 1.5: mm_page_free: page=0 pfn=1 order=0");
	assert_int_equal(1, e.cpu);
	assert_int_equal(9, e.pid);
	assert_word("a: mm_page_free: [7] b", e.comm);
	e = read_event("<...>-1234 [001] 1.5: mm_page_free: page=(____ptrval____) pfn=1 order=0");
	assert_word("<...>", e.comm);
	e = read_event(
		"          <idle>-0     [001] ..s1. 1.5: mm_page_free: page=0 pfn=1 order=0");
	assert_int_equal(0, e.pid);
	assert_word("..s1.", e.flags);
}

static void every_event_has_its_fields(void **state)
{
	struct zl_trace_event e;

	(void)state;
	e = read_event("x-1 [0] 1.0: mm_page_alloc_zone_locked: page=0 pfn=0xb190 order=3 "
		       "migratetype=4 percpu_refill=1");
	assert_int_equal(ZL_TRACED_TAKE, e.kind);
	assert_true(e.percpu_refill);
	assert_int_equal(4, e.migratetype);
	e = read_event(
		"x-1 [0] 1.0: mm_page_pcpu_refill: page=0 pfn=0x1a000 order=0 migratetype=1");
	assert_int_equal(ZL_TRACED_REFILL, e.kind);
	e = read_event("x-1 [0] 1.0: mm_page_pcpu_drain: page=0 pfn=0x1a000 order=9 migratetype=2");
	assert_int_equal(ZL_TRACED_DRAIN, e.kind);
	assert_int_equal(9, e.order);
	e = read_event("x-1 [0] 1.0: mm_page_free_batched: page=0 pfn=0x1a001 order=0");
	assert_int_equal(ZL_TRACED_FREE_BATCHED, e.kind);
	e = read_event("x-1 [0] 1.0: mm_page_alloc_extfrag: page=00000000c1c1c1c1 pfn=0x30000 "
		       "alloc_order=1 fallback_order=9 pageblock_order=10 alloc_migratetype=0 "
		       "fallback_migratetype=1 fragmenting=0 change_ownership=1");
	assert_int_equal(ZL_TRACED_EXTFRAG, e.kind);
	assert_int_equal(1, e.order);
	assert_int_equal(9, e.fallback_order);
	assert_int_equal(10, e.pageblock_order);
	assert_int_equal(0, e.migratetype);
	assert_int_equal(1, e.fallback_migratetype);
	assert_false(e.fragmenting);
	assert_true(e.change_ownership);
	e = read_event("x-1 [0] 1.0: mm_setup_per_zone_wmarks: node_id=0 zone name=DMA32 watermark "
		       "min=1008 low=1260 high=1512 promo=1764");
	assert_int_equal(ZL_TRACED_WMARKS, e.kind);
	assert_word("DMA32", e.zone);
	assert_int_equal(1260, e.wmark_low);
	/* Names of older kernels. */
	e = read_event("x-1 [0] 1.0: mm_page_free_direct: page=0 pfn=5 order=1");
	assert_int_equal(ZL_TRACED_FREE, e.kind);
	e = read_event("x-1 [0] 1.0: mm_pagevec_free: page=0 pfn=5 order=0 cold=0");
	assert_int_equal(ZL_TRACED_FREE_BATCHED, e.kind);
	/* Raw ticks of the x86-tsc clock. */
	e = read_event("x-1 [001] ..... 98765432109876: mm_page_free: page=0 pfn=5 order=1");
	assert_int_equal(98765432109876, e.time_ns);
	/* A request that failed. */
	e = read_event("x-1 [0] 1.0: mm_page_alloc: page=          (null) pfn=0x0 order=9 "
		       "migratetype=1 gfp_flags=GFP_TRANSHUGE");
	assert_int_equal(0, e.pfn);
	assert_int_equal(9, e.order);
}

static void lost_events_and_marks_are_events(void **state)
{
	struct zl_trace_event e;

	(void)state;
	e = read_event("CPU:3 [LOST 12 EVENTS]");
	assert_int_equal(ZL_TRACED_LOST, e.kind);
	assert_int_equal(3, e.cpu);
	assert_int_equal(12, e.lost);
	e = read_event("CPU:11 [LOST EVENTS]");
	assert_int_equal(11, e.cpu);
	assert_int_equal(0, e.lost);
	e = read_event("CPU:0 [17 EVENTS DROPPED]");
	assert_int_equal(17, e.lost);
	assert_int_equal(ZL_TRACED_LOST, read_event("CPU:0 [EVENTS DROPPED]").kind);
	e = read_event("sh-1 [000] ..... 1.5: tracing_mark_write: zonelab: op tick");
	assert_int_equal(ZL_TRACED_MARK, e.kind);
	assert_word("op tick", e.text);
	e = read_event("sh-1 [000] 1.5: print: tracing_mark_write: zonelab: op tick");
	assert_word("op tick", e.text);
}

static enum zl_trace_fate fate_of(const char *s, struct zl_error *why)
{
	struct zl_trace_event e;

	memset(why, 0, sizeof(*why));
	return zl_trace_line(s, strlen(s), &e, why);
}

static void other_lines_are_told_apart(void **state)
{
	struct zl_error why;

	(void)state;
	assert_int_equal(ZL_TRACE_LINE_COMMENT, fate_of("# tracer: nop", &why));
	assert_int_equal(ZL_TRACE_LINE_COMMENT, fate_of("", &why));
	assert_int_equal(ZL_TRACE_LINE_COMMENT, fate_of("cpus=2", &why));
	assert_int_equal(ZL_TRACE_LINE_COMMENT, fate_of("CPU 1 is empty", &why));
	assert_int_equal(
		ZL_TRACE_LINE_CHAIN, fate_of("\tffffffff81000000 [unknown] ([kernel])", &why));
	assert_int_equal(ZL_TRACE_LINE_CHAIN, fate_of(" => __alloc_pages", &why));
	assert_int_equal(ZL_TRACE_LINE_OTHER,
		fate_of("x-1 [000] d..2. 1.5: sched_switch: prev_comm=a prev_pid=1", &why));
	assert_int_equal(ZL_TRACE_LINE_STRANGE, fate_of("hello world", &why));
	/* An event without CPU and time says nothing. */
	assert_int_equal(
		ZL_TRACE_LINE_STRANGE, fate_of("x: mm_page_free: page=0 pfn=0x10 order=3", &why));
}

static void a_line_cut_short_says_what_it_lacks(void **state)
{
	static const char whole[] = "x-1 [000] d..2. 1.5: mm_page_alloc: page=0 pfn=0x10 order=3 "
				    "migratetype=1 gfp_flags=GFP_K";
	struct zl_error why;

	(void)state;
	assert_int_equal(
		ZL_TRACE_LINE_CUT, fate_of("x-1 [0] 1.5: mm_page_free: page=0 pfn=0x10 ord", &why));
	assert_non_null(strstr(why.text, "no order="));
	assert_int_equal(
		ZL_TRACE_LINE_CUT, fate_of("x-1 [0] 1.5: mm_page_free: page=0 pfn=0x", &why));
	assert_int_equal(39, why.column);
	assert_int_equal(ZL_TRACE_LINE_CUT,
		fate_of("x-1 [0] 1.5: mm_page_free: page=0 pfn=0x10 order=77", &why));
	assert_non_null(strstr(why.text, "order is out of range"));
	assert_int_equal(ZL_TRACE_LINE_CUT,
		fate_of("x-1 [0] 1.5: mm_page_free: page=0 pfn=0xfffffffffffff order=0", &why));
	/* At any length a line is an event or refused; nothing is read behind its end. */
	for (size_t n = 0; n < sizeof(whole); n++) {
		char *copy = malloc(n + 1);
		struct zl_trace_event e;

		assert_non_null(copy);
		memcpy(copy, whole, n);
		(void)zl_trace_line(copy, n, &e, &why);
		free(copy);
	}
}

static unsigned count_events(const char *text, size_t size, struct zl_import_file *report)
{
	struct zl_trace *t;
	struct zl_trace_event e;
	struct zl_error err = {0};
	unsigned n = 0;

	assert_int_equal(0, zl_trace_open_memory(text, size, zl_allocator_heap(), &t, &err));
	while (zl_trace_next(t, &e, &err) == 1) {
		n++;
	}
	zl_trace_report(t, report);
	zl_trace_close(t);
	return n;
}

static void every_line_is_accounted_for(void **state)
{
	static const char text[] = "# tracer: nop\n#\n\n"
				   "CPU:1 [LOST 5 EVENTS]\n"
				   "a-1 [0] 1.0: mm_page_free: page=0 pfn=1 order=0\r\n"
				   "\tffffffff81000000 f (k)\n"
				   "what is this\n"
				   "a-1 [0] 1.1: mm_page_free: page=0 pfn=1\n"
				   "a-1 [0] 1.2: mm_page_free: page=0 pfn=1 order=0";
	static struct zl_import_file r;

	(void)state;
	assert_int_equal(3, count_events(text, sizeof(text) - 1, &r));
	assert_int_equal(9, r.lines);
	assert_int_equal(3, r.used);
	assert_int_equal(4, r.counted);
	assert_int_equal(2, r.not_understood);
	assert_int_equal(2, r.nr_complaints);
	assert_int_equal(7, r.complaint[0].line);
	assert_string_equal("what is this", r.complaint[0].shown);
	assert_int_equal(8, r.complaint[1].line);
}

static void a_head_says_its_kernel(void **state)
{
#define EVENT "t-1 [000] 1.0: mm_page_free: page=0 pfn=1 order=0\n"
	static const char *const texts[][2] = {
		{"# ========\n# os release : 6.12.3-1-amd64\n# arch : x86_64\n" EVENT,
			"6.12.3-1-amd64"							},
		{"# tracer: nop\n#\n# nop latency trace v1.1.5 on 6.1.0-rc7+\n" EVENT,
			"6.1.0-rc7+"							    },
		{"# os release : none\n" EVENT,					""},
		{"# tracer: nop\n" EVENT "# os release : 6.12\n",			  ""},
		{EVENT,								""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct zl_trace_event e;
		struct zl_error err = {0};
		struct zl_trace *t = NULL;

		assert_int_equal(0, zl_trace_open_memory(texts[i][0], strlen(texts[i][0]),
					    zl_allocator_heap(), &t, &err));
		assert_string_equal("", zl_trace_kernel(t));
		assert_int_equal(1, zl_trace_next(t, &e, &err));
		assert_string_equal(texts[i][1], zl_trace_kernel(t));
		zl_trace_close(t);
	}
#undef EVENT
}

static void a_line_of_any_length_is_one_line(void **state)
{
	static const char event[] = "\na-1 [0] 1.0: mm_page_free: page=0 pfn=1 order=0\n";
	const size_t sizes[] = {1, 1000, ZL_TRACE_LINE_MAX, ZL_TRACE_LINE_MAX + 1, 3 << 20};
	char path[] = "/tmp/zonelab-trace-XXXXXX";
	static struct zl_import_file r;
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t;
	unsigned n = 0;

	(void)state;
	assert_non_null(f);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t k = 0; k < sizes[i]; k++) {
			fputc('x', f);
		}
		fputs(event, f);
	}
	fclose(f);
	assert_int_equal(0, zl_trace_open(path, zl_allocator_heap(), &t, &err));
	while (zl_trace_next(t, &e, &err) == 1) {
		n++;
	}
	zl_trace_report(t, &r);
	zl_trace_close(t);
	remove(path);
	assert_int_equal(5, n);
	assert_int_equal(10, r.lines);
	assert_int_equal(5, r.not_understood);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(1 + 2 * i, r.complaint[i].line);
	}
}

/* A file of nothing but zeros, which take no room. */
static int read_zeros(uint64_t size)
{
	char path[] = "/tmp/zonelab-trace-XXXXXX";
	int fd = mkstemp(path), rc;
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t;

	assert_int_equal(0, ftruncate(fd, (off_t)size));
	close(fd);
	assert_int_equal(0, zl_trace_open(path, zl_allocator_heap(), &t, &err));
	rc = zl_trace_next(t, &e, &err);
	zl_trace_close(t);
	remove(path);
	return rc;
}

static void what_has_no_end_of_line_is_given_up(void **state)
{
	(void)state;
	assert_int_equal(0, read_zeros(ZL_TRACE_SKIP_MAX));
	assert_int_equal(-E2BIG, read_zeros(ZL_TRACE_SKIP_MAX + (1 << 20)));
}

static void cut_gzip_data_is_an_error(void **state)
{
	static const char recorded[] =
		"linux-6.12.117-x86_64-4k-debian-cloud-trace/trace_fork.txt.gz";
	char path[512], out[] = "/tmp/zonelab-trace-XXXXXX";
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t;
	char piece[9000];
	unsigned n = 0;
	int fd = mkstemp(out), rc;
	FILE *f, *to = fdopen(fd, "w");

	(void)state;
	snprintf(path, sizeof(path), TEST_DATA "/traces/%s", recorded);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(to);
	assert_int_equal(sizeof(piece), fread(piece, 1, sizeof(piece), f));
	fwrite(piece, 1, sizeof(piece), to);
	fclose(f);
	fclose(to);
	assert_int_equal(0, zl_trace_open(out, zl_allocator_heap(), &t, &err));
	while ((rc = zl_trace_next(t, &e, &err)) == 1) {
		n++;
	}
	zl_trace_close(t);
	remove(out);
	assert_true(n > 100);
	assert_int_equal(-22, rc);
	assert_non_null(strstr(err.text, "gzip"));
	/* The whole file is read to its end. */
	assert_int_equal(0, zl_trace_open(path, zl_allocator_heap(), &t, &err));
	for (n = 0; (rc = zl_trace_next(t, &e, &err)) == 1; n++) {
	}
	zl_trace_close(t);
	assert_int_equal(0, rc);
	assert_int_equal(2988, n);
}

/* Records of all CPUs in the order of their time, where the library is. */
static void a_trace_dat_is_read_or_refused(void **state)
{
	static const struct {
		enum zl_traced kind;
		unsigned cpu, order;
		uint64_t pfn, time_us;
	} want[] = {
		{ZL_TRACED_TAKE,	 0, 0, 0x1a000, 100000},
		 {ZL_TRACED_FREE,	  1, 3, 0x1b000, 100000},
		{ZL_TRACED_TAKE,	 0, 0, 0x1a001, 100001},
		 {ZL_TRACED_ALLOC,	   0, 0, 0x1a000, 100002},
		{ZL_TRACED_FREE_BATCHED, 1, 0, 0x1b000, 100004},
		{ZL_TRACED_DRAIN,	  1, 3, 0x1b000, 100005},
		{ZL_TRACED_ALLOC,	  0, 9, 0,	   100006}, /* failed */
	};
	static struct zl_import_file r;
	struct zl_trace_event e;
	struct zl_error err = {0};
	struct zl_trace *t;
	int rc = zl_trace_open(TEST_DATA "/traces/small.dat", zl_allocator_heap(), &t, &err);

	(void)state;
	if (!zl_trace_dat_supported()) {
		assert_int_equal(-22, rc);
		assert_non_null(strstr(err.text, "trace-cmd report"));
		return;
	}
	assert_int_equal(0, rc);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(1, zl_trace_next(t, &e, &err));
		assert_int_equal(want[i].kind, e.kind);
		assert_int_equal(want[i].cpu, e.cpu);
		assert_int_equal(want[i].order, e.order);
		assert_int_equal(want[i].pfn, e.pfn);
		assert_int_equal(want[i].time_us, e.time_ns / 1000);
		assert_int_equal(want[i].cpu + 1, e.pid);
	}
	assert_word("init", e.comm);
	assert_int_equal(0, zl_trace_next(t, &e, &err));
	zl_trace_report(t, &r);
	assert_int_equal(8, r.lines);
	assert_int_equal(7, r.used);
	assert_int_equal(ZL_FILE_TRACE_DAT, r.kind);
	zl_trace_close(t);
}

static int keep(void *user, const char *data, size_t n)
{
	zl_buf_mem(user, data, n);
	return 0;
}

/*
 * Frames start at the second stretch of 8192 pages. The first zone is 8000 to 8499 and reaches into
 * the next stretch, so the other one starts two further on, at 24576.
 */
static void an_anonymised_trace_keeps_distances_and_nanoseconds(void **state)
{
	static const char text[] =
		"a-1 [000] 5.000000: mm_page_free: page=0 pfn=0x20d0 order=0\n"
		"a-1 [000] 5.0000015: mm_page_free: page=0 pfn=0x100000 order=0\n"
		"a-1 [000] 5.000002: mm_page_free: page=0 pfn=0x100001 order=0\n";
	struct zl_zone_facts zones[] = {
		{.name = "DMA32",
			.start_pfn = 8000,
			.spanned = 500,
			.free = -1,
			.min = -1,
			.low = -1,
			.high = -1},
		{.name = "Normal",
			.start_pfn = 0x100000,
			.spanned = 500,
			.free = -1,
			.min = -1,
			.low = -1,
			.high = -1},
	};
	char path[] = "/tmp/zonelab-trace-XXXXXX";
	struct zl_profile p;
	struct zl_buf out = {0};
	const struct zl_anonymise how = {.profile = &p, .write = keep, .user = &out};
	struct zl_anonymised result;
	struct zl_error err = {0};
	int fd = mkstemp(path);

	(void)state;
	zl_profile_init(&p);
	p.zones = zones;
	p.nr_zones = 2;
	assert_int_equal(0, zl_settings_assign(&p.settings, "high_min=700", ZL_ORIGIN_FILE, &err));
	assert_int_equal(
		0, zl_settings_assign(&p.settings, "zones=Normal:2G", ZL_ORIGIN_FILE, &err));
	assert_int_equal(sizeof(text) - 1, write(fd, text, sizeof(text) - 1));
	close(fd);
	assert_int_equal(0, zl_anonymise(path, &how, zl_allocator_heap(), &result, &err));
	remove(path);
	const char *s = zl_buf_text(&out);
	assert_non_null(strstr(s, " 0.000000: mm_page_free: page=0 pfn=0x40d0 order=0\n"));
	assert_non_null(strstr(s, " 0.000001500: mm_page_free: page=0 pfn=0x6000 order=0\n"));
	assert_non_null(strstr(s, " 0.000002: mm_page_free: page=0 pfn=0x6001 order=0\n"));
	assert_non_null(strstr(s, "zone 0 DMA32 start_pfn=16192 spanned=500"));
	assert_non_null(strstr(s, "zone 0 Normal start_pfn=24576 spanned=500"));
	assert_non_null(strstr(s, "setting high_min=700"));
	assert_null(strstr(s, "setting zones="));
	zl_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recorder_writes_its_own_head),
		cmocka_unit_test(a_task_may_be_called_anything),
		cmocka_unit_test(every_event_has_its_fields),
		cmocka_unit_test(lost_events_and_marks_are_events),
		cmocka_unit_test(other_lines_are_told_apart),
		cmocka_unit_test(a_line_cut_short_says_what_it_lacks),
		cmocka_unit_test(every_line_is_accounted_for),
		cmocka_unit_test(a_head_says_its_kernel),
		cmocka_unit_test(a_line_of_any_length_is_one_line),
		cmocka_unit_test(what_has_no_end_of_line_is_given_up),
		cmocka_unit_test(an_anonymised_trace_keeps_distances_and_nanoseconds),
		cmocka_unit_test(cut_gzip_data_is_an_error),
		cmocka_unit_test(a_trace_dat_is_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
