/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario is written as: every form of a step, and all that stands beside the phases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_fixture.h"
#include "zonelab/buffer.h"
#include "zonelab/file.h"
#include "zonelab/json.h"

/* A scenario written and read as JSON; read back and written again it is the same text. */
static struct zl_json *written(const char *rest)
{
	struct zl_buf text = {0}, again = {0};
	struct zl_scenario s, back;
	struct zl_error err = {0};
	struct zl_json *j = NULL;

	scenario_from(rest, &s);
	zl_scenario_write(&s, &text);
	if (zl_scenario_parse(text.data, text.len, zl_allocator_heap(), &back, &err) != 0) {
		fail_msg("%s\n%s", zl_buf_text(&text), err.text);
	}
	zl_scenario_write(&back, &again);
	assert_string_equal(zl_buf_text(&text), zl_buf_text(&again));
	assert_int_equal(0, zl_json_parse(text.data, text.len, &j, &err));
	zl_scenario_done(&s);
	zl_scenario_done(&back);
	zl_buf_done(&text);
	zl_buf_done(&again);
	return j;
}

static void is_text(const struct zl_json *j, const char *want)
{
	char *text = NULL;

	assert_non_null(j);
	assert_int_equal(0, zl_json_print(j, false, &text));
	assert_string_equal(want, text);
	zl_json_text_free(text);
}

static void steps_keep_their_form(void **state)
{
	static const char steps[] = "[{\"ops\":[\"alloc 0 1 7\",\"free 7\"]},"
				    "{\"alloc\":1,\"count\":3,\"type\":\"movable\",\"into\":\"p\"},"
				    "{\"alloc\":0,\"highatomic\":true},"
				    "{\"free\":\"all\",\"from\":\"p\",\"pick\":\"newest\"},"
				    "{\"say\":\"a word\"},{\"break\":\"stop here\"},"
				    "{\"drain\":\"zone\"},{\"think\":\"10000\"}]";
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text),
		"\"pools\": {\"p\": {}}, \"phases\": [{\"programs\": [{\"cpus\": "
		"\"0-6:2,8,10-11\", "
		"\"seed\": 99, \"do\": %s}]}]",
		steps);
	struct zl_json *j = written(text);
	const struct zl_json *phase = zl_json_first(zl_json_member(j, "phases"));
	const struct zl_json *program = zl_json_first(zl_json_member(phase, "programs"));
	assert_string_equal("0-6:2,8,10-11", zl_json_text(zl_json_member(program, "cpus")));
	is_text(zl_json_member(program, "do"), steps);
	is_text(zl_json_member(program, "seed"), "99");
	zl_json_free(j);
}

/* A list that names CPUs is a phase of its own, without programs. */
static void an_op_list_that_names_cpus_is_a_phase(void **state)
{
	(void)state;
	struct zl_json *j = written(
		"\"phases\": [{\"ops\": [\"cpu 1\", \"alloc 0 0 1\", \"cpu 0\", \"free 1\"]}]");
	const struct zl_json *phase = zl_json_first(zl_json_member(j, "phases"));

	is_text(zl_json_member(phase, "ops"), "[\"cpu 1\",\"alloc 0 0 1\",\"cpu 0\",\"free 1\"]");
	assert_null(zl_json_member(phase, "programs"));
	zl_json_free(j);
}

static void what_stands_beside_the_phases_is_kept(void **state)
{
	(void)state;
	struct zl_json *j = written(
		"\"machine\": {\"page_size\": \"16K\", \"policies\": {\"free_high\": \"0\"}},"
		"\"zone\": {\"all\": true, \"watermarks\": false},"
		"\"captions\": [{\"op\": 3, \"text\": \"third\"}],"
		"\"breakpoints\": [{\"op\": 5, \"text\": \"fifth\"}, {\"before\": \"free_high > "
		"0\"}, "
		"{\"when\": \"count > 9\"}],"
		"\"phases\": [{\"name\": \"one\", \"caption\": \"first\", \"tick_every\": \"1ms\", "
		"\"programs\": [{\"do\": [{\"node\": 0}, {\"zone\": \"DMA32\"}, {\"zone\": "
		"\"any\"}, "
		"{\"alloc\": 0}]}]}],"
		"\"assert\": [\"allocs == 1\", {\"always\": \"free_high == 0\", \"text\": "
		"\"never\"}]");

	is_text(zl_json_member(zl_json_member(j, "machine"), "policies"), "{\"free_high\":\"0\"}");
	is_text(zl_json_member(zl_json_member(j, "zone"), "watermarks"), "false");
	is_text(zl_json_member(zl_json_member(j, "zone"), "all"), "true");
	is_text(zl_json_member(j, "captions"), "[{\"op\":3,\"text\":\"third\"}]");
	is_text(zl_json_member(j, "breakpoints"), "[{\"op\":5,\"text\":\"fifth\"},{\"before\":"
						  "\"free_high > 0\"},{\"when\":\"count > 9\"}]");
	is_text(zl_json_member(j, "assert"),
		"[\"allocs == 1\",{\"always\":\"free_high == 0\",\"text\":\"never\"}]");
	const struct zl_json *phase = zl_json_first(zl_json_member(j, "phases"));
	is_text(zl_json_member(phase, "name"), "\"one\"");
	is_text(zl_json_member(phase, "caption"), "\"first\"");
	is_text(zl_json_member(zl_json_first(zl_json_member(phase, "programs")), "do"),
		"[{\"node\":0},{\"zone\":\"DMA32\"},{\"zone\":\"any\"},{\"alloc\":0}]");
	zl_json_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_keep_their_form),
		cmocka_unit_test(an_op_list_that_names_cpus_is_a_phase),
		cmocka_unit_test(what_stands_beside_the_phases_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
