/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenario files: what is refused, with line, column, path and what would be right.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "scenario_fixture.h"
#include "zonelab/file.h"

/* One program with these steps; the steps start in line 2, column 28. */
#define STEPS(list) "\"programs\": [{\"do\": [" list "]}]"

static void an_unknown_key_is_refused_with_the_nearest(void **state)
{
	(void)state;
	scenario_refused("\"quesiton\": \"?\", " STEPS("{\"tick\": 1}"), 2, 1,
		"unknown key 'quesiton'; did you mean 'question'?");
	scenario_refused(STEPS("{\"aloc\": 3}"), 2, 23,
		"programs[0].do[0]: unknown key 'aloc'; did you mean 'alloc'?");
	scenario_refused(STEPS("{\"alloc\": 3, \"typo\": 1}"), 2, 35,
		"unknown key 'typo'; did you mean 'type'?");
	scenario_refused("\"programs\": [{\"cpu\": 0, \"do\": []}]", 2, 15,
		"programs[0]: unknown key 'cpu'; did you mean 'cpus'?");
	scenario_refused(
		"\"phases\": [{\"xyzzy\": 0}]", 2, 13, "unknown key 'xyzzy'; possible are");
	scenario_refused("\"zone\": {\"page\": 5}, " STEPS("{\"tick\": 1}"), 2, 10,
		"zone: unknown key 'page'; did you mean 'pages'?");
	scenario_refused("\"machine\": {\"memmory\": \"1G\"}, " STEPS("{\"tick\": 1}"), 2, 24,
		"there is no setting 'memmory'; did you mean memory");
	scenario_refused(STEPS("{\"free\": 1, \"tick\": 1}"), 2, 34, "unknown key 'tick'");
	scenario_refused(STEPS("{\"set\": {\"below\": 1}}"), 2, 31, "unknown key 'below'");
	scenario_refused(STEPS("{\"let\": {\"n\": 1}}"), 2, 31, "unknown key 'n'");
}

static void a_wrong_type_is_refused(void **state)
{
	(void)state;
	scenario_refused("\"programs\": 3", 2, 13, "programs: a number; a list [] is needed");
	scenario_refused(
		"\"programs\": [4]", 2, 14, "programs[0]: a number; an object {} is needed");
	scenario_refused("\"title\": 7, " STEPS("{\"tick\": 1}"), 2, 10,
		"title: a number; a text is needed");
	scenario_refused(STEPS("{\"alloc\": true}"), 2, 32, "do[0].alloc: no value");
	scenario_refused(
		STEPS("{\"alloc\": 1.5}"), 2, 32, "the number has a fraction; a whole number");
	scenario_refused(STEPS("{\"alloc\": [1]}"), 2, 32, "no value");
	scenario_refused(
		STEPS("{\"alloc\": 0, \"highatomic\": 1}"), 2, 49, "true or false is needed");
	scenario_refused(STEPS("{\"alloc\": 0, \"type\": \"cma\"}"), 2, 43,
		"'cma' is not known here; one of unmovable, movable, reclaimable");
	scenario_refused(STEPS("{\"drain\": 1}"), 2, 32, "one of cpu, all, zone");
	scenario_refused(STEPS("7"), 2, 22, "no step; for example");
	scenario_refused("\"programs\": [{\"cpus\": \"0-\", \"do\": [{\"tick\": 1}]}]", 2, 23,
		"'0-' is no set of CPUs");
	scenario_refused("\"programs\": [{\"cpus\": 8192, \"do\": [{\"tick\": 1}]}]", 2, 23,
		"there is no CPU 8192");
	scenario_refused("\"seed\": \"x\", " STEPS("{\"tick\": 1}"), 2, 9, "'x' is no seed");
	scenario_refused("\"machine\": {\"memory\": \"lots\"}, " STEPS("{\"tick\": 1}"), 2, 23,
		"machine.memory: ");
	scenario_refused(
		"\"machine\": [], " STEPS("{\"tick\": 1}"), 2, 12, "no object of settings");
}

static void what_is_missing_is_named(void **state)
{
	struct zl_scenario s;
	struct zl_error err = {0};
	const char newer[] = "{\"kind\": \"scenario\",\n\"version\": 2, \"name\": \"n\"}";
	const char no_name[] = "{\"kind\": \"scenario\", \"version\": 1, \"ops\": [\"tick\"]}";
	const char no_kind[] = "{\"version\": 1}";

	(void)state;
	assert_int_equal(zl_scenario_parse(no_name, strlen(no_name), zl_allocator_heap(), &s, &err),
		-EINVAL);
	assert_non_null(strstr(err.text, "the key 'name' is missing"));
	assert_int_equal(zl_scenario_parse(no_kind, strlen(no_kind), zl_allocator_heap(), &s, &err),
		-EINVAL);
	assert_non_null(strstr(err.text, "\"kind\": \"scenario\" is missing"));
	assert_int_equal(
		-EINVAL, zl_scenario_parse(newer, strlen(newer), zl_allocator_heap(), &s, &err));
	assert_string_equal("\"version\": 1 is needed", err.text);
	assert_int_equal(2, err.line);
	assert_int_equal(12, err.column);
	scenario_refused("\"seed\": 1", 1, 1, "either 'programs' or 'ops' is needed");
	scenario_refused("\"programs\": [{}]", 2, 14, "the key 'do' is missing");
	scenario_refused("\"programs\": []", 2, 13, "at least one program");
	scenario_refused("\"phases\": []", 2, 11, "at least one phase");
	scenario_refused("\"programs\": [{\"do\": []}]", 2, 21, "at least one step");
	scenario_refused(STEPS("{\"loop\": 2}"), 2, 22, "the key 'do' is missing");
	scenario_refused(STEPS("{\"choose\": []}"), 2, 33, "at least one {weight, do}");
	scenario_refused(
		STEPS("{\"alloc\": [{\"weight\": 1}]}"), 2, 33, "the key 'value' is missing");
	scenario_refused("\"queues\": {\"q\": {}}, " STEPS("{\"tick\": 1}"), 2, 17,
		"queues.q: the key 'capacity' is missing");
	scenario_refused("\"captions\": [{\"op\": 3}], " STEPS("{\"tick\": 1}"), 2, 14,
		"both 'op' and 'text' are needed");
	scenario_refused("\"breakpoints\": [{\"text\": \"x\"}], " STEPS("{\"tick\": 1}"), 2, 17,
		"one of 'op', 'when' and 'before' is needed");
	scenario_refused("\"assert\": [{\"text\": \"x\"}], " STEPS("{\"tick\": 1}"), 2, 12,
		"either 'assert' or 'always' is needed");
}

static void names_must_exist_and_be_declared_once(void **state)
{
	(void)state;
	scenario_refused("\"queues\": {\"link\": {\"capacity\": 4}},\n" STEPS(
				 "{\"free\": 1, \"from\": \"lnik\"}"),
		3, 42, "there is no pool or queue 'lnik'; did you mean link");
	scenario_refused("\"parameters\": {\"blocks\": 3}, " STEPS("{\"tick\": \"block\"}"), 2, 60,
		"unknown name 'block'; did you mean 'blocks'?, at column 1");
	scenario_refused(
		"\"parameters\": {\"n\": 3}, \"variables\": {\"n\": 1}, " STEPS("{\"tick\": 1}"), 2,
		44, "the name 'n' is declared twice");
	scenario_refused("\"parameters\": {\"cpu\": 3}, " STEPS("{\"tick\": 1}"), 2, 23,
		"has a meaning already");
	scenario_refused(
		"\"parameters\": {\"2n\": 3}, " STEPS("{\"tick\": 1}"), 2, 22, "'2n' is no name");
	scenario_refused("\"short\": {\"n\": 3}, " STEPS("{\"tick\": 1}"), 2, 16,
		"there is no parameter 'n'");
	scenario_refused("\"pools\": {\"held\": {}}, " STEPS("{\"tick\": 1}"), 2, 19,
		"'held' is declared already");
	scenario_refused(
		"\"pools\": {\"p\": {\"hold\": 1, \"hold_allocs\": 2}}, " STEPS("{\"tick\": 1}"), 2,
		16, "not both");
	scenario_refused(STEPS("{\"move\": 1}"), 2, 22, "two different stores");
	scenario_refused("\"phases\": [{\"programs\": [{\"do\": [{\"tick\": 1}]}]}], "
			 "\"turn\": 3",
		2, 60, "'turn' stands inside a phase here");
	scenario_refused("\"assert\": [{\"assert\": \"ops > 0\", \"phase\": \"x\"}], " STEPS(
				 "{\"tick\": 1}"),
		2, 43, "there is no phase of this name");
}

static void expressions_are_checked_while_reading(void **state)
{
	(void)state;
	scenario_refused(STEPS("{\"tick\": \"1 +\"}"), 2, 31, "at column 4 of the expression");
	scenario_refused(STEPS("{\"tick\": \"1 / 0\"}"), 2, 31,
		"division by zero, at column 3 of the expression");
	scenario_refused(STEPS("{\"tick\": [5, 2]}"), 2, 31, "[5, 2] is upside down");
	scenario_refused("\"parameters\": {\"n\": \"cpus\"}, " STEPS("{\"tick\": 1}"), 2, 21,
		"unknown name 'cpus'");
	scenario_refused("\"parameters\": {\"n\": \"1 << 60\"}, " STEPS("{\"tick\": 1}"), 2, 21,
		"a number below 2^53");
	scenario_refused("\"assert\": [\"free_hihg == 0\"], " STEPS("{\"tick\": 1}"), 2, 12,
		"assert[0]: there is no metric 'free_hihg'; did you mean free_high, at column 1");
	scenario_refused("\"assert\": [\"buddy > 0\"], " STEPS("{\"tick\": 1}"), 2, 12,
		"buddy needs an order: buddy[9], at column 1 of");
	scenario_refused("\"assert\": [\"assert  buddy > 0\"], " STEPS("{\"tick\": 1}"), 2, 12,
		"at column 9 of the expression");
	scenario_refused("\"assert\": [\"assert max(zone.free[3]) > 0\"], " STEPS("{\"tick\": 1}"),
		2, 12, "takes no number in []");
	scenario_refused("\"assert\": [\"buddy > 0\"], " STEPS("{\"tick\": 1}"), 2, 12,
		"buddy needs an order: buddy[9]");
	scenario_refused("\"assert\": [\"avg(refills) > 0\"], " STEPS("{\"tick\": 1}"), 2, 12,
		"avg() is unknown; max min first last sum");
	scenario_refused("\"assert\": [{\"always\": 3}], " STEPS("{\"tick\": 1}"), 2, 23,
		"an expression over metrics is needed");
}

static void op_lines_are_checked_while_reading(void **state)
{
	(void)state;
	scenario_refused("\"ops\": []", 2, 8, "at least one op");
	scenario_refused("\"ops\": [7]", 2, 9, "an op is a text");
	scenario_refused("\"ops\": [\"aloc 3 0 1\"]", 2, 9, "'aloc' is no op");
	scenario_refused("\"ops\": [\"init\"]", 2, 9, "'init' is no op");
	scenario_refused("\"ops\": [\"alloc 3 0\"]", 2, 9, "write alloc ORDER TYPE ID");
	scenario_refused("\"ops\": [\"tick 3\"]", 2, 9, "write tick");
	scenario_refused(
		"\"ops\": [\"tick\",\n\"alloc 33 0 1\"]", 3, 1, "ops[1]: 33 is out of range");
	scenario_refused("\"ops\": [\"alloc 3 3 1\"]", 2, 9, "3 is out of range; 0 to 2");
	scenario_refused("\"ops\": [\"free x\"]", 2, 9, "'x' is not a number");
	scenario_refused("\"ops\": [\"set x 1\"]", 2, 9, "'x' cannot be set");
	scenario_refused("\"ops\": [\"\"]", 2, 9, "an empty op");
	scenario_refused("\"ops\": [\"free 1 2 3 4\"]", 2, 9, "too many or too long words");
	scenario_refused(STEPS("{\"ops\": [\"cpu 1\"]}"), 2, 31, "only in the ops of a phase");
}

/* A text that repeats a piece. */
static void repeated(struct zl_buf *b, const char *piece, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		zl_buf_str(b, piece);
	}
}

static void limits_are_sentences(void **state)
{
	struct zl_buf b = {0};

	(void)state;
	zl_buf_str(&b, "\"programs\": [{\"do\": [");
	repeated(&b, "{\"loop\": 1, \"do\": [", ZL_SCENARIO_DEPTH_MAX + 1);
	zl_buf_str(&b, "{\"tick\": 1}");
	repeated(&b, "]}", ZL_SCENARIO_DEPTH_MAX + 1);
	zl_buf_str(&b, "]}]");
	scenario_refused(
		b.data, 2, 22 + 19 * ZL_SCENARIO_DEPTH_MAX, "nested too deeply; at most 16");
	zl_buf_clear(&b);
	zl_buf_str(&b, "\"question\": \"");
	repeated(&b, "0123456789", 120);
	zl_buf_str(&b, "\"");
	scenario_refused(b.data, 2, 13, "too long; at most 1023 bytes");
	zl_buf_clear(&b);
	zl_buf_str(&b, "\"parameters\": {");
	for (unsigned i = 0; i < ZL_SCENARIO_NAMES_MAX + 1; i++) {
		zl_buf_fmt(&b, "%s\n\"p%u\": 1", i > 0 ? "," : "", i);
	}
	zl_buf_str(&b, "}");
	scenario_refused(b.data, 3 + ZL_SCENARIO_NAMES_MAX, 8, "too many names; at most 32");
	zl_buf_done(&b);
}

static void control_characters_never_come_out(void **state)
{
	(void)state;
	scenario_refused("\"a\\u001b[31m\": 1", 2, 1, "unknown key 'a[31m'");
}

static void all_of_it_is_read(void **state)
{
	struct zl_scenario s;

	(void)state;
	scenario_from("\"title\": \"T\", \"question\": \"Q?\", \"source\": \"S\", \"about\": \"A\","
		      "\"seed\": \"9223372036854775807\", \"profile\": \"P\","
		      "\"machine\": {\"memory\": 1073741824, \"thp\": false, \"cpus\": 3},"
		      "\"zone\": {\"node\": 1, \"name\": \"DMA\", \"remote\": true, \"pages\": \"1 "
		      "* 4\", \"managed\": 5, \"wmark_min\": 1, \"wmark_low\": 2, \"wmark_high\": "
		      "3},"
		      "\"captions\": [{\"op\": 3, \"text\": \"C\"}], \"breakpoints\": [{\"op\": 2},"
		      "{\"when\": \"failed > 0\"}, {\"before\": \"op.order == 3\", \"text\": "
		      "\"B\"}],"
		      "\"phases\": [{\"name\": \"one\", \"ops\": [\"tick\"], \"assert\": [\"assert "
		      "ops == 1\"]}],"
		      "\"assert\": [{\"always\": \"failed == 0\", \"text\": \"W\", \"phase\": "
		      "\"one\"}]",
		&s);
	assert_string_equal(s.title, "T");
	assert_string_equal(zl_scenario_text(&s, s.about), "A");
	assert_true(s.seed == INT64_MAX);
	assert_string_equal(s.profile, "P");
	assert_int_equal(s.settings.value[ZL_SET_MEMORY].number, 1073741824);
	assert_int_equal(s.settings.value[ZL_SET_MEMORY].origin, ZL_ORIGIN_SCENARIO);
	assert_int_equal(s.settings.value[ZL_SET_THP].number, 0);
	assert_int_equal(s.zone.node, 1);
	assert_true(s.zone.remote);
	assert_int_equal(s.zone.pages, 4);
	assert_int_equal(s.nr_captions, 1);
	assert_int_equal(s.nr_breaks, 3);
	assert_true(s.breakpoint[2].before);
	assert_int_equal(s.nr_asserts, 2);
	assert_int_equal(s.assertion[1].phase, 0);
	assert_true(s.assertion[1].always);
	zl_scenario_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_key_is_refused_with_the_nearest),
		cmocka_unit_test(a_wrong_type_is_refused),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(names_must_exist_and_be_declared_once),
		cmocka_unit_test(expressions_are_checked_while_reading),
		cmocka_unit_test(op_lines_are_checked_while_reading),
		cmocka_unit_test(limits_are_sentences),
		cmocka_unit_test(control_characters_never_come_out),
		cmocka_unit_test(all_of_it_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
