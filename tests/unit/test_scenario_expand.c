/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From scenario to ops: every kind of step, the order of threads, queues, holds, ticks.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_fixture.h"
#include "zonelab/file.h"

static void steps_become_ops(void **state)
{
	(void)state;
	scenario_gives("\"programs\": [{\"do\": [{\"alloc\": 3, \"count\": 2},"
		       "{\"alloc\": 0, \"type\": \"movable\"}, {\"free\": 1},"
		       "{\"alloc\": 1, \"type\": \"reclaimable\", \"highatomic\": true},"
		       "{\"bulk\": 4, \"type\": \"movable\"}, {\"tick\": 2}, {\"drain\": \"cpu\"},"
		       "{\"drain\": \"all\"}, {\"drain\": \"zone\", \"count\": 2},"
		       "{\"set\": {\"below_high\": 1, \"wmark_low\": \"2 * 50\"}}]}]",
		1,
		"alloc 3 0 1;alloc 3 0 2;alloc 0 1 3;free 1;allocha 1 2 4;bulk 4 1 5;tick;tick;"
		"drain;drainall;drainzone;drainzone;set below_high 1;set wmark_low 100");
}

static void free_takes_oldest_newest_or_all(void **state)
{
	(void)state;
	scenario_gives("\"programs\": [{\"do\": [{\"alloc\": 0, \"count\": 5}, {\"free\": 1},"
		       "{\"free\": 2, \"pick\": \"newest\"}, {\"free\": \"all\"}, {\"free\": 9},"
		       "{\"tick\": 1}]}]",
		1,
		"alloc 0 0 1;alloc 0 0 2;alloc 0 0 3;alloc 0 0 4;alloc 0 0 5;"
		"free 1;free 5;free 4;free 2;free 3;tick");
}

static void loops_choices_and_variables_nest(void **state)
{
	(void)state;
	scenario_gives("\"variables\": {\"n\": 0}, \"parameters\": {\"m\": 2},"
		       "\"programs\": [{\"do\": [{\"loop\": \"m\", \"do\": ["
		       "{\"let\": {\"n\": \"n + 1 + pass\"}}, {\"alloc\": \"n\"},"
		       "{\"loop\": \"pass\", \"do\": [{\"tick\": 1}]}]},"
		       "{\"loop\": 0, \"do\": [{\"drain\": \"all\"}]},"
		       "{\"choose\": [{\"weight\": 3, \"do\": [{\"free\": \"all\"}]}]}]}]",
		1, "alloc 1 0 1;alloc 3 0 2;tick;free 1;free 2");
}

/* cpu 0 and cpu 1 take turns of one step each; the switch is an op. */
static void programs_take_turns_step_by_step(void **state)
{
	(void)state;
	scenario_gives("\"programs\": [{\"cpus\": \"0-1\", \"do\": [{\"alloc\": 0, \"count\": 2},"
		       "{\"free\": 1}]}]",
		2,
		"alloc 0 0 1;alloc 0 0 2;cpu 1;alloc 0 0 3;alloc 0 0 4;cpu 0;free 1;cpu 1;free 3");
}

static void a_turn_can_be_some_ops(void **state)
{
	(void)state;
	scenario_gives("\"turn\": 1, \"programs\": [{\"cpus\": \"0,1\", \"do\": ["
		       "{\"alloc\": 0, \"count\": 2}]}]",
		2, "alloc 0 0 1;cpu 1;alloc 0 0 2;cpu 0;alloc 0 0 3;cpu 1;alloc 0 0 4");
}

/* The earliest clock runs; think and work move it. */
static void clocks_order_the_programs(void **state)
{
	(void)state;
	scenario_gives("\"programs\": [{\"cpus\": 0, \"do\": [{\"alloc\": 0, \"count\": 3,"
		       "\"work\": \"10us\"}]}, {\"cpus\": 1, \"do\": [{\"think\": \"15us\"},"
		       "{\"alloc\": 1}]}]",
		2, "alloc 0 0 1;alloc 0 0 2;cpu 1;alloc 1 0 3;cpu 0;alloc 0 0 4");
}

/* A full queue stops the one that fills it, an empty one the one that empties it. */
static void queues_make_wait(void **state)
{
	(void)state;
	scenario_gives("\"queues\": {\"q\": {\"capacity\": 2}},"
		       "\"programs\": [{\"cpus\": 1, \"do\": [{\"free\": 5, \"from\": \"q\"}]},"
		       "{\"cpus\": 0, \"do\": [{\"alloc\": 3, \"count\": 5, \"into\": \"q\"}]}]",
		2,
		"alloc 3 0 1;alloc 3 0 2;cpu 1;free 1;free 2;cpu 0;alloc 3 0 3;alloc 3 0 4;cpu 1;"
		"free 3;free 4;cpu 0;alloc 3 0 5;cpu 1;free 5");
}

static void blocks_move_between_stores(void **state)
{
	(void)state;
	scenario_gives("\"queues\": {\"q\": {\"capacity\": 2}}, \"pools\": {\"p\": {}},"
		       "\"programs\": [{\"cpus\": 0, \"do\": [{\"alloc\": 0, \"count\": 3, "
		       "\"into\": \"p\"}, {\"move\": 3, \"from\": \"p\", \"into\": \"q\"},"
		       "{\"tick\": 1}]}, {\"cpus\": 1, \"do\": [{\"free\": 3, \"from\": \"q\","
		       "\"work\": \"1us\"}]}]",
		2,
		"alloc 0 0 1;alloc 0 0 2;alloc 0 0 3;cpu 1;free 1;cpu 0;tick;cpu 1;free 2;free 3");
}

static void a_queue_nobody_serves_is_an_error(void **state)
{
	(void)state;
	scenario_stops("\"queues\": {\"q\": {\"capacity\": 2}},\n\"programs\": [{\"do\": [\n"
		       "{\"alloc\": 0, \"count\": 3, \"into\": \"q\"}]}]",
		1, -EDEADLK, "waits for room in queue 'q'");
	scenario_stops("\"queues\": {\"q\": {\"capacity\": 2}},"
		       "\"programs\": [{\"do\": [{\"free\": 1, \"from\": \"q\"}]}]",
		1, -EDEADLK, "cpu 0 waits for a block in queue 'q'");
	scenario_stops("\"queues\": {\"q\": {\"capacity\": 2}},"
		       "\"programs\": [{\"do\": [{\"bulk\": 3, \"into\": \"q\"}]}]",
		1, -EINVAL, "never fit queue 'q'");
}

static void a_loop_without_end_stops_with_the_others(void **state)
{
	(void)state;
	scenario_gives("\"queues\": {\"q\": {\"capacity\": 1}}, \"phases\": [{\"programs\": ["
		       "{\"cpus\": 1, \"do\": [{\"loop\": \"forever\", \"do\": [{\"free\": 1, "
		       "\"from\": \"q\"}]}]}, {\"cpus\": 0, \"do\": [{\"alloc\": 0, \"count\": 2,"
		       "\"into\": \"q\"}]}]}, {\"programs\": [{\"do\": [{\"tick\": 1}]}]}]",
		2, "alloc 0 0 1;cpu 1;free 1;cpu 0;alloc 0 0 2;cpu 1;free 2;cpu 0;tick");
	scenario_stops("\"programs\": [{\"do\": [{\"loop\": \"forever\", \"do\": [{\"tick\": "
		       "1}]}]}]",
		1, -EINVAL, "loops forever");
}

static void holds_free_blocks_by_time_or_by_allocations(void **state)
{
	(void)state;
	scenario_gives("\"pools\": {\"p\": {\"hold\": \"25us\"}}, \"programs\": [{\"do\": ["
		       "{\"alloc\": 0, \"count\": 4, \"into\": \"p\", \"work\": \"10us\"},"
		       "{\"think\": \"1ms\"}]}]",
		1, "alloc 0 0 1;alloc 0 0 2;alloc 0 0 3;free 1;alloc 0 0 4;free 2;free 3;free 4");
	scenario_gives("\"pools\": {\"p\": {\"hold_allocs\": 1}}, \"programs\": [{\"do\": ["
		       "{\"alloc\": 0, \"count\": 3, \"into\": \"p\"}, {\"tick\": 1},"
		       "{\"free\": \"all\", \"from\": \"p\"}]}]",
		1, "alloc 0 0 1;alloc 0 0 2;free 1;alloc 0 0 3;free 2;tick;free 3");
}

/* Every 10 us on each CPU's own clock, once a CPU. */
static void ticks_come_by_virtual_time(void **state)
{
	(void)state;
	scenario_gives("\"phases\": [{\"tick_every\": \"10us\", \"programs\": [{\"cpus\": 0,"
		       "\"do\": [{\"alloc\": 0, \"count\": 3, \"work\": \"8us\"}]}]},"
		       "{\"tick_every\": \"10us\", \"programs\": [{\"cpus\": \"0-1\","
		       "\"do\": [{\"think\": \"10us\"}]}]}]",
		2, "alloc 0 0 1;alloc 0 0 2;tick;alloc 0 0 3;tick;tick;cpu 1;tick");
}

static void explicit_ops_keep_their_ids(void **state)
{
	(void)state;
	scenario_gives("\"phases\": [{\"ops\": [\"alloc 3 0 7\", \"cpu 1\", \"free 7\", "
		       "\"bulk 3 1 10\", \"set reclaim 1\", \"drainall\"]},"
		       "{\"programs\": [{\"do\": [{\"alloc\": 0}, {\"ops\": [\"free 11\", "
		       "\"alloc 0 1 11\"]}, {\"free\": \"all\"}]}]}]",
		2,
		"alloc 3 0 7;cpu 1;free 7;bulk 3 1 10;set reclaim 1;drainall;cpu 0;alloc 0 0 13;"
		"free 11;alloc 0 1 11;free 13");
	scenario_stops("\"ops\": [\"alloc 0 0 5\",\n\"alloc 0 0 5\"]", 1, -EINVAL, "in use");
	scenario_stops("\"ops\": [\"alloc 0 0 5\", \"free 4\"]", 1, -EINVAL, "not in use");
}

static void pools_outlive_a_phase(void **state)
{
	(void)state;
	scenario_gives("\"phases\": [{\"programs\": [{\"cpus\": \"all\", \"do\": [{\"alloc\": "
		       "0}]}]}, {\"programs\": [{\"cpus\": 1, \"do\": [{\"free\": \"all\"}]}]}]",
		2, "alloc 0 0 1;cpu 1;alloc 0 0 2;free 2");
}

static void cpus_beyond_the_machine_wrap(void **state)
{
	(void)state;
	scenario_gives("\"programs\": [{\"cpus\": \"0-4:2\", \"do\": [{\"alloc\": \"cpu / 2\"},"
		       "{\"free\": \"all\"}]}]",
		3,
		"alloc 0 0 1;cpu 2;alloc 1 0 2;cpu 1;alloc 2 0 3;cpu 0;free 1;cpu 2;free 2;cpu 1;"
		"free 3");
}

static void impossible_numbers_are_errors_with_a_line(void **state)
{
	(void)state;
	scenario_stops("\"programs\": [{\"do\": [{\"alloc\": 0, \"count\": \"cpu - 1\"}]}]", 1,
		-ERANGE, "-1 is impossible");
	scenario_stops("\"programs\": [{\"do\": [{\"alloc\": \"cpus * 9\"}]}]", 3, -ERANGE,
		"27 is impossible");
	scenario_stops("\"programs\": [{\"do\": [{\"tick\": \"1 / cpu\"}]}]", 1, -EDOM,
		"division by zero");
	scenario_stops("\"programs\": [{\"do\": [{\"tick\": [\"cpu\", \"cpu - 2\"]}]}]", 1, -ERANGE,
		"0 to -2");
	scenario_stops("\"turn\": \"cpu\", \"programs\": [{\"do\": [{\"tick\": 1}]}]", 1, -ERANGE,
		"a turn of 0");
	scenario_stops("\"programs\": [{\"do\": [{\"loop\": 1000000000, \"do\": [{\"let\": {}}, "
		       "{\"think\": 0}]}]}]",
		1, -EINVAL, "without doing anything");
}

static const char busy[] =
	"\"variables\": {\"n\": 0}, \"queues\": {\"q\": {\"capacity\": 20}},"
	"\"pools\": {\"p\": {\"hold\": [1, \"9us\"]}, \"c\": {\"hold_allocs\": [0, 5]}},"
	"\"phases\": [{\"turn\": [1, 9], \"tick_every\": \"20us\", \"programs\": ["
	"{\"cpus\": \"all\", \"do\": [{\"loop\": 30, \"do\": ["
	"{\"let\": {\"n\": [{\"weight\": 3, \"value\": [1, 4]}, {\"value\": 9}]}},"
	"{\"choose\": [{\"weight\": 2, \"do\": [{\"alloc\": [0, 3], \"count\": \"n\", "
	"\"work\": [0, 3000]}]}, {\"do\": [{\"free\": \"n\", \"pick\": \"random\"}]},"
	"{\"do\": [{\"alloc\": 0, \"into\": \"p\"}, {\"alloc\": 1, \"into\": \"c\", \"count\": 3}"
	"]}]}]}]}, {\"cpus\": 0, \"do\": [{\"alloc\": 3, \"count\": 60, \"into\": \"q\"}]},"
	"{\"cpus\": 1, \"do\": [{\"free\": 60, \"from\": \"q\", \"pick\": \"random\"}]}]}]";

static uint64_t hash(const struct zl_buf *b)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < b->len; i++) {
		h = (h ^ (unsigned char)b->data[i]) * UINT64_C(0x100000001b3);
	}
	return h;
}

/* The figure is fixed for ever: on any machine, by any compiler. */
static void an_expansion_is_the_same_everywhere_and_however_it_is_read(void **state)
{
	struct zl_expand_options options = {.cpus = 3};
	struct zl_scenario s;
	struct zl_buf one = {0};

	(void)state;
	scenario_from(busy, &s);
	scenario_ops(&s, &options, 1, &one);
	for (size_t chunk = 2; chunk <= 64; chunk += 31) {
		struct zl_buf many = {0};

		scenario_ops(&s, &options, chunk, &many);
		assert_string_equal(zl_buf_text(&one), zl_buf_text(&many));
		zl_buf_done(&many);
	}
	assert_int_equal(hash(&one), UINT64_C(0x216f80cdb407fcca));
	options.seeded = true;
	options.seed = 2;
	struct zl_buf other = {0};
	scenario_ops(&s, &options, 64, &other);
	assert_string_not_equal(zl_buf_text(&one), zl_buf_text(&other));
	zl_buf_done(&one);
	zl_buf_done(&other);
	zl_scenario_done(&s);
}

static void the_short_form_takes_its_parameters(void **state)
{
	struct zl_expand_options options = {.cpus = 1, .short_form = true};
	struct zl_scenario s;
	struct zl_buf got = {0};

	(void)state;
	scenario_from("\"parameters\": {\"n\": 3, \"k\": 1}, \"short\": {\"n\": 1}, "
		      "\"programs\": [{\"do\": [{\"tick\": \"n + k\"}]}]",
		&s);
	scenario_ops(&s, &options, 8, &got);
	assert_string_equal(zl_buf_text(&got), "tick;tick");
	options.short_form = false;
	zl_buf_clear(&got);
	scenario_ops(&s, &options, 8, &got);
	assert_string_equal(zl_buf_text(&got), "tick;tick;tick;tick");
	zl_buf_done(&got);
	zl_scenario_done(&s);
}

static void captions_and_breaks_stand_before_the_next_op(void **state)
{
	const struct zl_expand_options options = {.cpus = 1};
	struct zl_scenario_op op[4];
	struct zl_expand *e;
	struct zl_scenario s;
	size_t n;

	(void)state;
	scenario_from("\"phases\": [{\"caption\": \"one\", \"programs\": [{\"do\": [{\"tick\": 2},"
		      "{\"say\": \"two\"}, {\"break\": \"stop\"}, {\"tick\": 1, \"work\": 7}]}]}]",
		&s);
	assert_int_equal(zl_expand_new(&s, &options, zl_allocator_heap(), &e, NULL), 0);
	assert_int_equal(zl_expand_read(e, op, 4, &n, NULL), 0);
	assert_int_equal(n, 3);
	assert_string_equal(zl_scenario_text(&s, op[0].caption), "one");
	assert_int_equal(op[0].stop, ZL_NONE);
	assert_int_equal(op[1].caption, ZL_NONE);
	assert_string_equal(zl_scenario_text(&s, op[2].caption), "two");
	assert_string_equal(zl_scenario_text(&s, op[2].stop), "stop");
	assert_int_equal(op[2].work_ns, 7);
	zl_expand_free(e);
	zl_scenario_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_become_ops),
		cmocka_unit_test(free_takes_oldest_newest_or_all),
		cmocka_unit_test(loops_choices_and_variables_nest),
		cmocka_unit_test(programs_take_turns_step_by_step),
		cmocka_unit_test(a_turn_can_be_some_ops),
		cmocka_unit_test(clocks_order_the_programs),
		cmocka_unit_test(queues_make_wait),
		cmocka_unit_test(blocks_move_between_stores),
		cmocka_unit_test(a_queue_nobody_serves_is_an_error),
		cmocka_unit_test(a_loop_without_end_stops_with_the_others),
		cmocka_unit_test(holds_free_blocks_by_time_or_by_allocations),
		cmocka_unit_test(ticks_come_by_virtual_time),
		cmocka_unit_test(explicit_ops_keep_their_ids),
		cmocka_unit_test(pools_outlive_a_phase),
		cmocka_unit_test(cpus_beyond_the_machine_wrap),
		cmocka_unit_test(impossible_numbers_are_errors_with_a_line),
		cmocka_unit_test(an_expansion_is_the_same_everywhere_and_however_it_is_read),
		cmocka_unit_test(the_short_form_takes_its_parameters),
		cmocka_unit_test(captions_and_breaks_stand_before_the_next_op),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
