/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of `run --trace` in every form, from records by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/buffer.h"
#include "zonelab/json.h"
#include "zonelab/workload.h"

/* Op 12: a page from the second zone that was asked, after a refill of 63 that gave 60. */
static struct zl_system_record asked(void)
{
	struct zl_system_record s = {.node = 1,
		.name = "DMA32",
		.attempts = 2,
		.kswapd_wakes = 1,
		.reclaimed = 32,
		.rounds = 2,
		.drained_all = true,
		.t_ns = 5000};

	s.r.index = 12;
	s.r.op = (struct zl_op){.kind = ZL_OP_ALLOC, .mt = ZL_MIGRATE_MOVABLE, .id = 7};
	s.r.cpu = 3;
	s.r.result = ZL_RESULT_REFILL;
	s.r.reason = ZL_REASON_ALLOC_REFILLED;
	s.r.pfn = 0x100;
	s.r.refills = 1;
	s.r.refill_req = 63;
	s.r.refill_got = 60;
	s.r.count = 59;
	s.r.high = 583;
	s.r.batch = 63;
	s.r.tuned = true;
	s.r.free_count = 4;
	s.r.nr_lists = 3;
	s.r.lists[1] = 59;
	s.r.max_order = 1;
	s.r.buddy[0] = 2;
	s.r.buddy[1] = 9;
	s.r.buddy_free = 20;
	return s;
}

static void system_line(enum zl_trace_form form, const struct zl_system_record *s, const char *want)
{
	struct zl_buf b = {0};

	zl_trace_system_record(form, s, &b);
	assert_string_equal(want, zl_buf_text(&b));
	zl_buf_done(&b);
}

static void a_sentence_tells_all_that_an_op_did(void **state)
{
	struct zl_system_record s = asked();
	char want[512];

	(void)state;
	snprintf(want, sizeof(want),
		"12 cpu3 alloc 0 1 7 0x100 -> refill, refill 60 of 63; count 59 high 583 "
		"free_count "
		"4. %s Zone DMA32 of node 1, asked as number 2. kswapd of 1 node woken. 32 pages "
		"reclaimed. All pagesets drained.\n",
		zl_reason_sentence(ZL_REASON_ALLOC_REFILLED));
	system_line(ZL_TRACE_TEXT, &s, want);
	s.attempts = 1;
	s.kswapd_wakes = 2;
	s.reclaimed = 0;
	s.drained_all = false;
	s.r.refills = 0;
	s.r.free_high = true;
	s.r.drained = 368;
	s.r.tuned = false;
	s.r.tries = 1;
	s.r.migrated = 1;
	s.r.pfn = -1;
	snprintf(want, sizeof(want),
		"12 cpu3 alloc 0 1 7 -> refill, FLUSH, drained 368; count 59 high 583. %s Zone "
		"DMA32 "
		"of node 1. 1 range tried, 1 page migrated. kswapd of 2 nodes woken.\n",
		zl_reason_sentence(ZL_REASON_ALLOC_REFILLED));
	system_line(ZL_TRACE_TEXT, &s, want);
	s.all = true;
	s.kswapd_wakes = 0;
	s.r.tries = 5;
	s.r.migrated = 3;
	snprintf(want, sizeof(want),
		"12 cpu3 alloc 0 1 7 -> refill, FLUSH, drained 368; count 59 high 583. %s In every "
		"zone. 5 ranges tried, 3 pages migrated.\n",
		zl_reason_sentence(ZL_REASON_ALLOC_REFILLED));
	system_line(ZL_TRACE_TEXT, &s, want);
	s.all = false;
	s.name = "-";
	s.r.tries = 0;
	snprintf(want, sizeof(want),
		"12 cpu3 alloc 0 1 7 -> refill, FLUSH, drained 368; count 59 high 583. %s\n",
		zl_reason_sentence(ZL_REASON_ALLOC_REFILLED));
	system_line(ZL_TRACE_TEXT, &s, want);
}

static int64_t number(const struct zl_json *j, const char *key)
{
	int64_t v = -99;

	assert_int_equal(0, zl_json_get_int(zl_json_member(j, key), &v));
	return v;
}

static void json_has_a_key_for_each_figure(void **state)
{
	struct zl_system_record s = asked();
	struct zl_error err = {0};
	struct zl_buf b = {0};
	struct zl_json *j = NULL;
	bool flag = false;

	(void)state;
	s.r.migrated = 6;
	s.r.tries = 8;
	zl_trace_system_record(ZL_TRACE_JSON, &s, &b);
	assert_int_equal(0, zl_json_parse(zl_buf_text(&b), b.len, &j, &err));
	assert_int_equal('\n', zl_buf_text(&b)[b.len - 1]);
	assert_int_equal(12, number(j, "idx"));
	assert_string_equal("alloc 0 1 7", zl_json_text(zl_json_member(j, "op")));
	assert_int_equal(0x100, number(j, "pfn"));
	assert_int_equal(60, number(j, "refill_got"));
	assert_int_equal(6, number(j, "migrated"));
	assert_int_equal(8, number(j, "tries"));
	assert_int_equal(5000, number(j, "t_ns"));
	assert_int_equal(1, number(j, "node"));
	assert_string_equal("DMA32", zl_json_text(zl_json_member(j, "zone")));
	assert_int_equal(2, number(j, "attempts"));
	assert_int_equal(1, number(j, "kswapd_wakes"));
	assert_int_equal(32, number(j, "reclaimed"));
	assert_int_equal(2, number(j, "reclaim_rounds"));
	assert_int_equal(0, zl_json_get_bool(zl_json_member(j, "drained_all"), &flag));
	assert_true(flag);
	assert_int_equal(0, zl_json_get_bool(zl_json_member(j, "all_zones"), &flag));
	assert_false(flag);
	assert_int_equal(ZL_JSON_NULL, zl_json_kind(zl_json_member(j, "free_factor")));
	zl_json_free(j);
	zl_buf_done(&b);
}

/* high_min, high_max, flags and the like are 0; free_factor does not exist from 6.7 on. */
static void a_row_has_a_column_for_each_figure(void **state)
{
	struct zl_system_record s = asked();

	(void)state;
	system_line(ZL_TRACE_TSV, &s,
		"12\talloc 0 1 7\t3\trefill\t256\t1\t63\t60\t59\t583\t0\t0\t63\t4\t-\t0\t0\t0\t0\t0"
		"\t0\t0\t0\t0\t0\t0\t20\t1:59\t2/9\t5000\t1\tDMA32\n");
	s.all = true;
	s.r.lists[1] = 0;
	s.r.tuned = false;
	s.r.free_factor = 2;
	s.r.result = ZL_RESULT_NUMBER;
	s.r.result_value = 31;
	system_line(ZL_TRACE_TSV, &s,
		"12\talloc 0 1 7\t3\t31\t256\t1\t63\t60\t59\t583\t-\t-\t63\t-\t2\t-\t-\t0\t0\t0"
		"\t0\t0\t0\t0\t0\t0\t20\t-\t2/9\t5000\t-\tall\n");
	system_line(ZL_TRACE_NONE, &s, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sentence_tells_all_that_an_op_did),
		cmocka_unit_test(json_has_a_key_for_each_figure),
		cmocka_unit_test(a_row_has_a_column_for_each_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
